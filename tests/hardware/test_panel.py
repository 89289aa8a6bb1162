"""Buttons: the debouncer by itself, panels on mock pins with a hand-turned clock, and what is refused at start."""

import ctypes
import json
import os
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from hypothesis import given
from hypothesis import strategies as st

from firmware.lamp import LOOKS, TUNES
from firmware.lamp import Lamp as BoardLamp
from hardware import lines, panel, signals
from hardware.fake_pins import FakePanels
from hardware.panel import (
    AWAKE,
    IDLE,
    STABLE,
    THREE_SEATS,
    Debouncer,
    Matrix,
    Panels,
    buses_in_use,
    check_pins,
)
from tests.hardware.boards import Inbox, wait_until

ROOT = Path(panel.__file__).parent.parent

DIRECT = THREE_SEATS


def changes(samples, **kwargs):
    """(seconds, level) -> (seconds, change)."""
    debouncer = Debouncer(**kwargs)
    told = [(time, debouncer.sample(time, level)) for time, level in samples]
    return [(round(time, 3), change) for time, change in told if change]


def wave(*levels, step=0.005):
    """Levels as (level, seconds)... -> samples every 5 ms."""
    samples, at = [], 0
    for level, seconds in levels:
        for _ in range(round(seconds / step)):
            samples.append((at * step, bool(level)))
            at += 1
    return samples


def test_a_press_and_a_release():
    told = changes(wave((0, 0.1), (1, 0.1), (0, 0.1)))
    assert [change for _, change in told] == ["press", "release"]
    assert all(0.03 <= time - edge <= 0.04 for (time, _), edge in zip(told, (0.1, 0.2), strict=True))


def test_glitches_on_both_edges_are_nothing():
    bounces = [(1, 0.01), (0, 0.005), (1, 0.02), (0, 0.01)]
    samples = wave((0, 0.1), *bounces, (1, 0.2), *bounces[::-1], (0, 0.2))
    assert [change for _, change in changes(samples)] == ["press", "release"]


def test_five_presses_in_a_second_are_five():
    samples = wave((0, 0.1), *[(1, 0.1), (0, 0.1)] * 5)
    assert [change for _, change in changes(samples)] == ["press", "release"] * 5


BURSTS = json.loads(Path(__file__).with_name("bursts.json").read_text())
BURSTS.pop("about")


def burst(name, rest):
    """(seconds, whether the level is false) of a burst, then rest, every 0.1 ms."""
    levels = [(index % 2 == 0, us / 1e6) for index, us in enumerate(BURSTS[name])]
    assert len(levels) % 2 == 0  # it ends where it began
    return wave(*levels, (0, rest), step=0.0001)


def paced(samples, first):
    """What is told when the samples are taken as a panel takes them: slowly, and fast while something changes."""
    debouncer, told, at = Debouncer(), [], first
    while at < len(samples):
        told.append(debouncer.sample(*samples[at]))
        at += round((AWAKE if debouncer.changing else IDLE) * 10_000)
    return [change for change in told if change]


@pytest.mark.parametrize("name", BURSTS)
def test_a_burst_of_false_edges_is_nothing(name):
    """Out of rest, and on a button that is held; at each edge, and at the panels' own pace wherever that begins."""
    quiet = wave((0, 0.1), step=0.0001)
    samples = [*quiet, *((at + 0.1, level) for at, level in burst(name, 0.1))]
    for levels in (samples, [(at, not level) for at, level in samples]):
        assert changes(levels) == []
        for first in range(0, 200, 3):
            assert paced(levels, first) == []


@pytest.mark.parametrize("press", BURSTS)
@pytest.mark.parametrize("release", BURSTS)
def test_a_press_that_begins_and_ends_with_a_burst_is_one(press, release):
    samples, at = [], 0.0
    rest, held = wave((0, 0.1), step=0.0001), wave((1, 0.1), step=0.0001)
    for part in (rest, burst(press, 0.0), held, [(when, not level) for when, level in burst(release, 0.0)], rest):
        samples += [(at + when, level) for when, level in part]
        at = samples[-1][0] + 0.0001
    assert [change for _, change in changes(samples)] == ["press", "release"]
    for first in range(0, 200, 20):
        assert paced(samples, first) == ["press", "release"]


def test_stuck_is_told_once_then_the_release():
    told = changes(wave((0, 0.1), (1, 25), (0, 0.1), (1, 0.1), (0, 0.1), step=0.02))
    assert [change for _, change in told] == ["press", "stuck", "release", "press", "release"]
    assert 10 <= told[1][0] - told[0][0] <= 10.1


def test_down_from_the_start_is_no_press():
    assert [change for _, change in changes(wave((1, 12), (0, 0.1), (1, 0.1)))] == ["stuck", "press"]


def test_the_time_is_settable():
    samples = wave((0, 0.1), (1, 0.05), (0, 0.2))
    assert [change for _, change in changes(samples, stable=0.02)] == ["press", "release"]
    assert changes(samples, stable=0.08) == []


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 60)), max_size=60))
def test_any_jitter(levels):
    """Presses and releases take turns, and each is backed by a level that lasted."""
    samples = wave((0, 0.1), *[(level, ms / 1000) for level, ms in levels], step=0.001)
    told = changes(samples)
    assert [change for _, change in told] == (["press", "release"] * len(told))[: len(told)]
    for when, change in told:
        lasted = [level for at, level in samples if when - STABLE <= at <= when]
        assert set(lasted) == {change == "press"}


@given(st.lists(st.integers(1, 29), max_size=60))
def test_no_run_shorter_than_the_limit_ever_counts(runs):
    samples = wave((0, 0.1), *[(index % 2 == 0, ms / 1000) for index, ms in enumerate(runs)], (0, 0.1), step=0.001)
    assert changes(samples) == []


class Desk:
    """Panels on mock pins and a clock that is turned by hand."""

    def __init__(self, wiring=None, **kwargs):
        self.now = 0.0
        self.posted = []
        self.fake = FakePanels(wiring)
        self.panels = Panels(
            self.posted.append,
            self.fake.wiring,
            pin_factory=self.fake.factory,
            clock=lambda: self.now,
            **kwargs,
        )
        self.run(0.1)

    def run(self, seconds):
        until = self.now + seconds
        while self.now < until:
            self.now += self.panels.scan()


@pytest.fixture(params=[None, DIRECT], ids=["matrix", "direct"])
def desk(request):
    desk = Desk(request.param)
    yield desk
    desk.panels.close()


def test_every_button_is_itself_and_no_other(desk):
    wiring = desk.fake.wiring
    seats = len(wiring.rows) if isinstance(wiring, Matrix) else len(wiring.seats)
    for seat in range(seats):
        for button in range(1, 8):
            desk.fake.press(seat, button)
            desk.run(0.1)
            desk.fake.release(seat, button)
            desk.run(0.1)
            assert desk.posted == [signals.Press(f"gpio/{seat}", button), signals.Release(f"gpio/{seat}", button)]
            desk.posted.clear()


def test_several_at_once_show_no_fourth(desk):
    for seat, button in [(0, 1), (0, 2), (1, 1)]:
        desk.fake.press(seat, button)
    desk.run(0.1)
    pressed = {(signal.panel, signal.button) for signal in desk.posted}
    assert pressed == {("gpio/0", 1), ("gpio/0", 2), ("gpio/1", 1)}


def test_samples_come_faster_while_something_changes(desk):
    assert desk.panels.scan() == IDLE
    desk.fake.press(0, 1)
    assert desk.panels.scan() == AWAKE


def test_a_stuck_button_is_reported_and_the_others_work(desk):
    desk.fake.press(0, 1)
    desk.run(11)
    desk.fake.press(0, 2)
    desk.run(0.1)
    assert [signal.name for signal in desk.posted] == ["press", "stuck", "press"]
    assert desk.posted[1].to_json() == {"signal": "stuck", "panel": "gpio/0", "button": 1}


def test_four_seats_fit_eleven_pins_and_three_fit_twenty_one():
    assert len(FakePanels().wiring.pins()) == 11
    assert len(set(DIRECT.pins())) == 21


def test_in_its_thread():
    inbox = Inbox()
    fake = FakePanels()
    with Panels(inbox, fake.wiring, pin_factory=fake.factory):
        fake.press(3, 7)
        assert inbox.wait("press") == signals.Press("gpio/3", 7)
        fake.release(3, 7)
        inbox.wait("release")
    with Panels(inbox, fake.wiring, pin_factory=fake.factory):
        pass  # the pins were given back


@pytest.mark.parametrize(
    ("pins", "buses", "said"),
    [
        ([5, 6, 5], (), "Pin 5 is used 2 times"),
        ([2, 5], ("i2c",), "Pin 2 belongs to i2c"),
        ([9], ("i2c", "spi"), "Pin 9 belongs to spi"),
        ([14], ("uart",), "Pin 14 belongs to uart"),
        ([4], ("1-wire",), "Pin 4 belongs to 1-wire"),
        ([28], (), "There is no pin 28"),
        ([5], ("can",), "There is no bus can"),
    ],
)
def test_pin_conflicts_are_refused(pins, buses, said):
    with pytest.raises(signals.PinConflict, match=said):
        check_pins(pins, buses)


def test_all_conflicts_are_told_at_once():
    with pytest.raises(signals.PinConflict) as refused:
        check_pins([2, 3, 3, 40], ("i2c",))
    assert str(refused.value).count("Pin") >= 3


def test_bus_pins_are_free_when_the_bus_is_not_used():
    check_pins(range(2, 28), ())


def test_a_lamp_may_not_take_a_buttons_pin():
    with pytest.raises(signals.PinConflict, match="Pin 5 is used 2 times"):
        Desk(lamps={0: 5})


def test_a_pin_of_another_part_of_the_program():
    fake = FakePanels()
    said = r"Another part of this program uses these pins: 5\."
    with gpiozero.LED(5, pin_factory=fake.factory), pytest.raises(signals.PinConflict, match=said):
        Panels(print, fake.wiring, pin_factory=fake.factory)
    Panels(print, fake.wiring, pin_factory=fake.factory).close()  # the failed start held nothing


class Broken(MockFactory):
    def __init__(self, error):
        super().__init__()
        self._error = error

    def pin(self, name):
        raise self._error


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (gpiozero.BadPinFactory("Unable to load any default pin factory!"), "python3-lgpio"),
        (PermissionError(13, "Permission denied"), "group gpio"),
        (Exception("'GPIO busy'"), "holds these pins: 5, 6, 7"),
        (OSError("something else"), "something else"),
    ],
)
def test_no_usable_pins_is_said_with_the_remedy(error, said):
    with pytest.raises(signals.DeviceFault, match=said):
        Panels(print, DIRECT, pin_factory=Broken(error))


LGPIO = """
import os
folder = os.environ.get("LG_WD")
if folder:
    os.chdir(folder)
os.mkfifo(".lgd-nfy0")
_reads = os.open(".lgd-nfy0", os.O_RDONLY | os.O_NONBLOCK)
class error(Exception): pass
"""
"""What the real one does to the folders when it is imported."""
TRY = """
import os
from hardware import panel, signals
try:
    panel.usable_factory()
except signals.NoPins as fault:
    print(fault)
import lgpio
print(os.getcwd(), sorted(os.listdir(os.environ["TMPDIR"])), os.environ.get("LG_WD"))
"""


@pytest.mark.parametrize("where", ["/", "/proc", "."])
@pytest.mark.parametrize("set_before", [None, "/nowhere"])
def test_lgpio_starts_from_any_folder_and_leaves_nothing_there(where, set_before, tmp_path):
    """No pipe can be made in /proc, not even by root."""
    if find_spec("lgpio") is None:
        (tmp_path / "lib").mkdir()
        (tmp_path / "lib/lgpio.py").write_text(LGPIO)
    for folder in ("here", "tmp"):
        (tmp_path / folder).mkdir()
    here = tmp_path / "here" / where  # as it is, where it begins at the root
    before = {path.name for path in here.iterdir()}
    env = {key: text for key, text in os.environ.items() if key not in ("GPIOZERO_PIN_FACTORY", "LG_WD")}
    env |= {"PYTHONPATH": f"{ROOT}:{tmp_path}/lib", "TMPDIR": str(tmp_path / "tmp")}
    env |= {"LG_WD": set_before} if set_before else {}
    done = subprocess.run(
        [sys.executable, "-c", TRY], cwd=here, env=env, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == f"{here} [] {set_before}"
    assert "python3-lgpio" not in done.stdout  # it is there: nobody is told to install it
    assert ".lgd-nfy0" not in {path.name for path in here.iterdir()} - before


def test_an_lgpio_that_does_not_start_is_told_with_its_own_words(monkeypatch, tmp_path):
    (tmp_path / "lgpio.py").write_text("raise OSError('out of pipes')\n")
    monkeypatch.syspath_prepend(tmp_path)
    before = Path.cwd(), os.environ.get("LG_WD")
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY")
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    with pytest.raises(signals.NoPins, match=r"does not start \(out of pipes\)"):
        Panels(print, DIRECT)
    assert (Path.cwd(), os.environ.get("LG_WD")) == before


class ChipInfo(ctypes.Structure):
    """As linux/gpio.h has it."""

    _fields_ = (("name", ctypes.c_char * 32), ("label", ctypes.c_char * 32), ("lines", ctypes.c_uint32))


class LineInfo(ctypes.Structure):
    _fields_ = (
        *(("name", ctypes.c_char * 32), ("consumer", ctypes.c_char * 32)),
        *(("offset", ctypes.c_uint32), ("num_attrs", ctypes.c_uint32), ("flags", ctypes.c_uint64)),
        *(("attrs", ctypes.c_uint64 * 20), ("padding", ctypes.c_uint32 * 4)),
    )


class Kernel:
    """Chips in a folder like /dev, and what they answer to an ioctl. held: pin -> consumer."""

    def __init__(self, dev, chips, held):
        self.dev, self.held, self.chips = dev, held, chips
        for name in chips:
            (dev / name).touch()

    def __call__(self, chip, request, answer):
        path = Path(f"/proc/self/fd/{chip}").readlink()
        number, size = request & 0xFF, request >> 16 & 0x3FFF
        assert (request >> 8 & 0xFF, len(answer)) == (0xB4, size)
        if number == 1:
            found = ChipInfo.from_buffer(answer)
            found.name, found.label, found.lines = path.name.encode(), self.chips[path.name], 54
        else:
            found = LineInfo.from_buffer(answer)
            assert number == 5 and self.chips[path.name].startswith(b"pinctrl")
            consumer = self.held.get(found.offset)
            found.consumer, found.flags = consumer or b"", (1 if consumer is not None else 0) | 1 << 2


@pytest.mark.parametrize(
    "chips",
    [
        {"gpiochip0": b"pinctrl-bcm2835", "gpiochip1": b"raspberrypi-exp-gpio"},
        {"gpiochip0": b"gpio-brcmstb@107d508500", "gpiochip4": b"pinctrl-rp1"},
        {"gpiochip0": b"pinctrl-rp1", "gpiochip10": b"gpio-brcmstb@107d508500"},
    ],
)
def test_who_holds_a_pin_is_what_the_kernel_says(chips, tmp_path, monkeypatch):
    held = {5: b"spi0 CS0", 6: b"spi0 CS0", 7: b"gpioset", 8: b"lg", 9: b"", 10: b"onewire@4", 11: b"evil\x1b[2J\r"}
    kernel = Kernel(tmp_path, chips, held)
    assert lines.holder(5, tmp_path, kernel) == "spi0 CS0"
    assert [lines.holder(pin, tmp_path, kernel) for pin in (9, 12)] == ["", ""]
    assert lines.holder(11, tmp_path, kernel) == "evil?[2J?"
    monkeypatch.setattr(panel.lines, "holder", lambda pin: {**held, 9: b"", 11: b""}.get(pin, b"").decode())
    with pytest.raises(signals.PinConflict) as fault:
        Panels(print, DIRECT, pin_factory=Broken(Exception("'GPIO busy'")))
    assert [(reason.text, reason.facts.get("holder"), reason.facts["pins"]) for reason in fault.value.reasons[:3]] == [
        (signals.PIN_OF_SYSTEM, "spi0 CS0", "5, 6"),
        (signals.PIN_HELD, "gpioset", "7"),
        (signals.PIN_BUSY, None, "8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25"),
    ]
    assert fault.value.reasons[3].facts["holder"] == "onewire@4"


def test_nobody_can_say_where_there_is_no_chip(tmp_path):
    def refuses(*_):
        raise OSError(25, "Inappropriate ioctl for device")

    assert lines.holder(5, tmp_path) == ""
    (tmp_path / "gpiochip0").touch()
    assert lines.holder(5, tmp_path) == ""  # a file is no chip
    assert lines.holder(5, tmp_path, refuses) == ""


@pytest.mark.parametrize("name", ["spi0 CS1", "i2c1", "sda", "onewire@4", "w1", "ACT", "led0", "gpio-fan", "shutdown"])
def test_drivers_of_the_kernel_are_told_from_programs(name):
    assert lines.is_systems(name)


@pytest.mark.parametrize("name", ["gryphon", "gpioset", "python3", "pigpiod", "libgpiod", "retrogame", "lightsd"])
def test_programs_are_told_from_drivers_of_the_kernel(name):
    assert not lines.is_systems(name)


class Yielding(MockFactory):
    """Pins that somebody holds until they let go."""

    def __init__(self):
        super().__init__(pin_class=MockPWMPin)
        self.held = True

    def pin(self, name):
        if self.held:
            raise OSError("'GPIO busy'")
        return super().pin(name)


def test_pins_that_cannot_be_had_at_the_start_are_tried_again_and_come_into_use(monkeypatch):
    monkeypatch.setattr(panel, "RETRY", 0.05)
    factory, inbox = Yielding(), Inbox()
    with Panels(inbox, DIRECT, lamps={0: 26}, pin_factory=factory, patient=True) as panels:
        assert inbox.wait("pins-refused").reasons[0].text == signals.PIN_BUSY
        panels.light("gpio/0", "locked")
        time.sleep(0.3)
        assert inbox.names() == ["pins-refused"]  # told once
        factory.held = False
        assert inbox.wait("board-ready").panels == 3
        assert inbox.wait("pins-ready").factory == "Yielding"
        wait_until(lambda: factory.pin("GPIO26").state)  # what was asked for meanwhile is shown
    assert inbox.names() == ["pins-refused", "pins-ready", "board-ready"]


def test_a_log_that_keeps_its_records_keeps_no_pin_reserved(monkeypatch, caplog):
    """As Kivy's does; the next try would say that a pin is used twice."""
    monkeypatch.setattr(panel, "RETRY", 0.02)
    caplog.set_level("INFO")
    inbox = Inbox()
    with Panels(inbox, DIRECT, pin_factory=Yielding(), patient=True):
        inbox.wait("pins-refused")
        wait_until(lambda: len(caplog.records) > 3 * 22)
    assert [s.reasons[0].text for s in inbox.signals] == [signals.PIN_BUSY]


def test_a_wiring_that_can_never_be_is_refused_at_once_also_by_who_is_patient():
    with pytest.raises(signals.PinConflict, match="used 3 times"):
        Panels(print, Matrix((5, 5), (16, 17, 18, 19, 20, 21, 5)), pin_factory=MockFactory(), patient=True)


def test_a_patient_one_that_never_gets_its_pins_can_be_closed(monkeypatch):
    monkeypatch.setattr(panel, "RETRY", 0.02)
    inbox = Inbox()
    with Panels(inbox, DIRECT, pin_factory=Yielding(), patient=True):
        inbox.wait("pins-refused")


def shown(desk, pattern, pin, seconds, after=0.0):
    """(ms since its start, level) whenever the level of a lamp's pin changed."""
    desk.panels.light("gpio/1", pattern)
    start, levels = desk.now, []
    while desk.now < start + seconds:
        desk.now += desk.panels.scan()
        if not levels or levels[-1][1] != pin.state:
            levels.append((round((desk.now - start) * 1000), pin.state))
    return levels


@pytest.mark.parametrize("lamp", [26, (26, 27, 23)], ids=["plain", "coloured"])
@pytest.mark.parametrize("pattern", sorted(LOOKS))
def test_a_panels_light_shows_what_a_boards_lamp_shows(lamp, pattern):
    """The same definitions, sampled at the same times."""
    desk = Desk(lamps={1: lamp})
    pins = [desk.fake.factory.pin(pin) for pin in ([lamp] if isinstance(lamp, int) else lamp)]
    colours = []
    board = BoardLamp(lambda *colour: colours.append(colour))
    board.show(pattern)
    desk.panels.light("gpio/1", pattern)
    for _ in range(200):
        now = desk.now
        desk.now += desk.panels.scan()
        board.step(int(now * 1000) & 0x3FFFFFFF)
        colour = colours[-1] if len(pins) == 3 else (max(colours[-1]),)
        assert [pin.state for pin in pins] == pytest.approx([part / 255 for part in colour])
    desk.panels.close()


def test_refused_is_three_blinks_then_what_it_showed_before():
    desk = Desk(lamps={1: 26})
    pin = desk.fake.factory.pin(26)
    assert [level for _, level in shown(desk, "locked", pin, 0.5)] == [1]
    blinks = shown(desk, "refused", pin, 3)
    assert [level for _, level in blinks] == [1, 0, 1, 0, 1, 0, 1]
    assert blinks[-1][0] == pytest.approx(900, abs=40)
    desk.panels.close()


def test_waiting_breathes():
    desk = Desk(lamps={1: 26})
    levels = [level for _, level in shown(desk, "waiting", desk.fake.factory.pin(26), 3)]
    top = levels.index(max(levels))
    assert len(levels) > 50
    assert levels[1:top] == sorted(levels[1:top])
    assert levels[top:] == sorted(levels[top:], reverse=True)
    desk.panels.close()


def test_a_plain_lamp_without_pwm_is_on_or_off():
    desk = Desk(lamps={1: 26}, dimmed=False)
    assert {level for _, level in shown(desk, "waiting", desk.fake.factory.pin(26), 3)} == {0, 1}
    desk.panels.close()


def test_lights_and_sounds_know_their_words_and_pass_over_what_is_not_there():
    desk = Desk(lamps={1: 26})
    desk.panels.light("gpio/0", "locked")
    desk.panels.sound("gpio/0", "click")
    desk.run(0.1)
    with pytest.raises(ValueError):
        desk.panels.light("gpio/1", "disco")
    with pytest.raises(ValueError):
        desk.panels.sound("gpio/1", "trumpet")
    desk.panels.close()


@pytest.mark.parametrize("tune", sorted(set(TUNES) - {"off"}))
def test_the_buzzer_plays_the_tunes_of_the_boards(tune):
    desk = Desk(buzzer=26)
    pin = desk.fake.factory.pin(26)
    desk.panels.sound("gpio/0", tune)
    heard, start = [], desk.now
    while desk.now < start + 1:
        desk.now += desk.panels.scan()
        hertz = pin.frequency if pin.state else 0
        if not heard or heard[-1] != hertz:
            heard.append(hertz)
    assert heard == [*(hertz for hertz, _ in TUNES[tune]), 0]
    desk.panels.close()


def test_lamps_need_pwm_and_mock_pins_have_it():
    assert issubclass(FakePanels().factory.pin_class, MockPWMPin)


# -- what goes wrong later, and what is wrong with the machine


class Shaky(MockFactory):
    """Every pin raises while `broken`."""

    broken = False

    class Pin(MockPWMPin):
        def _get_state(self):
            if self.factory.broken:
                raise OSError(5, "Input/output error")
            return super()._get_state()

    def __init__(self):
        super().__init__(pin_class=self.Pin)


def test_pins_that_fail_in_mid_run_are_reported_and_tried_again(monkeypatch, caplog):
    monkeypatch.setattr(panel, "RETRY", 0.05)
    inbox, factory = Inbox(), Shaky()
    with Panels(inbox, DIRECT, pin_factory=factory, lamps={0: 26}) as panels:
        assert inbox.wait("board-ready") == signals.BoardReady("gpio", "", 0, 3)
        assert [place.light for place in inbox.said("board-ready")[0].each()] == [True, False, False]
        panels.light("gpio/0", "locked")
        factory.pin(5).drive_low()
        inbox.wait("press")
        factory.broken = True
        assert inbox.wait("link-lost") == signals.LinkLost("gpio", "gpio", signals.PINS_FAILED)
        assert inbox.said("release") == [signals.Release("gpio/0", 1)]  # in pairs, whatever happens
        time.sleep(0.3)
        assert len(inbox.said("link-lost")) == 1
        factory.broken = False
        inbox.wait("board-ready", 2)
        assert inbox.names().count("link-back") == 1
        wait_until(lambda: factory.pin(26).state == 1)  # shown again by itself
        factory.pin(6).drive_low()
        assert inbox.wait("press", 2) == signals.Press("gpio/0", 2)
    assert len([record for record in caplog.records if record.message.startswith("the pins failed")]) == 1


@pytest.mark.parametrize(
    ("sign", "bus"),
    [
        ("dev/i2c-1", "i2c"),
        ("dev/spidev0.0", "spi"),
        ("dev/serial0", "uart"),
        ("sys/bus/w1/devices/w1_bus_master1", "1-wire"),
    ],
)
def test_buses_that_are_switched_on_are_seen(tmp_path, sign, bus):
    (tmp_path / sign).parent.mkdir(parents=True)
    (tmp_path / sign).touch()
    assert buses_in_use(tmp_path) == ()  # this is no Raspberry Pi
    is_a(tmp_path, "Raspberry Pi 4 Model B Rev 1.4")
    assert buses_in_use(tmp_path) == (bus,)
    with pytest.raises(signals.PinConflict, match=f"belongs to {bus}, which is in use"):
        check_pins([2, 4, 9, 14], buses_in_use(tmp_path))


def is_a(root, model):
    (root / "proc/device-tree").mkdir(parents=True)
    (root / "proc/device-tree/model").write_text(f"{model}\0")


@pytest.mark.parametrize(
    "model", ["Raspberry Pi 5 Model B Rev 1.0", "Raspberry Pi 500 Rev 1.0", "Raspberry Pi Compute Module 5 Rev 1.0"]
)
def test_the_debug_plug_of_a_pi_5_is_not_on_the_pins(tmp_path, model):
    """serial0 is always there and leads to it; what is drawn as `direct` has buttons on pins 14 and 15."""
    is_a(tmp_path, model)
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/ttyAMA10").touch()
    (tmp_path / "dev/serial0").symlink_to("ttyAMA10")
    assert buses_in_use(tmp_path) == ()
    check_pins(panel.THREE_SEATS.pins(), buses_in_use(tmp_path))
    (tmp_path / "dev/ttyAMA0").touch()
    assert buses_in_use(tmp_path) == ("uart",)
    (tmp_path / "dev/serial0").unlink()
    (tmp_path / "dev/serial0").symlink_to("ttyAMA0")
    assert buses_in_use(tmp_path) == ("uart",)


@pytest.mark.parametrize("leads_to", ["ttyS0", "ttyAMA0"])
def test_on_an_older_pi_serial0_is_on_the_pins_and_the_other_one_is_bluetooth(tmp_path, leads_to):
    is_a(tmp_path, "Raspberry Pi 3 Model B Plus Rev 1.3")
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/ttyS0").touch()
    (tmp_path / "dev/ttyAMA0").touch()
    assert buses_in_use(tmp_path) == ()
    (tmp_path / "dev/serial0").symlink_to(leads_to)
    assert buses_in_use(tmp_path) == ("uart",)


def test_the_mock_factory_by_accident_is_refused(monkeypatch):
    """Tests set GPIOZERO_PIN_FACTORY=mock; a table that inherits that would wait for buttons that nobody can press."""
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    with pytest.raises(signals.NoPins, match="GPIOZERO_PIN_FACTORY says mock"):
        Panels(print, DIRECT)


def test_no_lgpio_is_said(monkeypatch):
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY")
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.setattr(panel, "_may_use_chips", lambda: True)
    with pytest.raises(signals.NoPins, match="install python3-lgpio"):
        Panels(print, DIRECT)


def test_chips_that_may_not_be_opened_are_a_matter_of_the_group(monkeypatch):
    """gpiozero then falls back from one factory to the next and says only that none is left."""
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY")
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.setattr(panel, "_may_use_chips", lambda: False)
    with pytest.raises(signals.NoPins, match="group gpio"):
        Panels(print, DIRECT)


def test_an_old_factory_is_refused_by_name(monkeypatch):
    class NativeFactory(MockFactory):
        pass

    monkeypatch.setattr(gpiozero.Device, "pin_factory", NativeFactory())
    with pytest.raises(signals.NoPins, match="NativeFactory"):
        Panels(print, DIRECT)


@pytest.mark.parametrize(
    ("said", "remedy"),
    [
        ("lgpio", r'says "lgpio", which is not installed\. In the terminal: unset GPIOZERO_PIN_FACTORY; on a Rasp'),
        ("rpigpio", r'GPIOZERO_PIN_FACTORY says "rpigpio", which does not work here\. In the terminal: unset GPIO'),
        ("native", r'GPIOZERO_PIN_FACTORY says "native", which does not work here\. In the terminal: unset GPIO'),
        ("nonsense", r'GPIOZERO_PIN_FACTORY says "nonsense", which does not work here\. In the terminal: unset GPIO'),
        ("", r'GPIOZERO_PIN_FACTORY says "", which does not work here\. In the terminal: unset GPIO'),
    ],
)
@pytest.mark.parametrize("may_use_chips", [True, False])
def test_a_factory_that_somebody_named_and_is_not_there(monkeypatch, said, remedy, may_use_chips):
    """No group and no restart helps: the variable is what is wrong."""
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", said)
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.setattr(panel, "_may_use_chips", lambda: may_use_chips)
    with pytest.raises(signals.NoPins, match=remedy):
        Panels(print, DIRECT)


def test_a_remote_factory_that_does_not_answer(monkeypatch):
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "pigpio")
    with pytest.raises(signals.NoPins, match='says "pigpio", which does not work here'):
        Panels(print, DIRECT, pin_factory=Broken(OSError("failed to connect to localhost:8888")))
