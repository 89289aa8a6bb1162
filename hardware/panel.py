"""Button panels on the Pi's own pins, through gpiozero, with our own debouncing; and a seat light for each.

The levels are sampled, not taken from edge events: edges get lost and invented (gpiozero 1090), and a burst of
false edges between two samples does nothing. Pins are numbered as gpiozero does by default (BCM). Patterns and tunes
are those of the boards (firmware/lamp.py).
"""

from __future__ import annotations

import importlib
import logging
import os
import queue
import re
import sys
import tempfile
import threading
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, Protocol, Self

import gpiozero

from firmware.lamp import LOOKS, TUNES, Buzzer, Lamp
from hardware import lines, signals
from hardware.signals import (
    STUCK,
    BoardReady,
    DeviceFault,
    LinkBack,
    LinkLost,
    NoPins,
    PinConflict,
    PinsReady,
    PinsRefused,
    Place,
    Post,
    Press,
    Reason,
    Release,
    Signal,
    Stuck,
)

log = logging.getLogger(__name__)

GPIO = "gpio"
"""The Pi's own pins as a board: its panels are "gpio/0", "gpio/1", ..."""
STABLE = 0.030  # seconds that a level must last to count
IDLE, AWAKE = 0.020, 0.005  # seconds between two samples: at rest, and while a level is changing or a tune plays
RETRY = 1.0  # seconds after which pins that failed are tried again
LAZY = 30.0  # the longest of these pauses, which double, while pins cannot be had from the start
PITCH = 1000  # hertz of a dimmed lamp

PINS = range(28)
BUSES: Mapping[str, tuple[int, ...]] = {
    "i2c": (2, 3),
    "spi": (7, 8, 9, 10, 11),
    "uart": (14, 15),
    "1-wire": (4,),
    "eeprom": (0, 1),
}
"""The pins that belong to a bus when it is in use. (0 and 1 ask an add-on board who it is, at every start.)"""
SIGNS: Mapping[str, tuple[str, ...]] = {
    "i2c": ("dev/i2c-1",),
    "spi": ("dev/spidev0.*",),
    "uart": ("dev/serial0",),
    "1-wire": ("sys/bus/w1/devices/w1_bus_master*",),
}
"""What a Raspberry Pi's system shows of a bus that is switched on."""
PI_5 = re.compile("Raspberry Pi (Compute Module )?5")
"""The family: Raspberry Pi 5, 500, Compute Module 5."""
SIGNS_5: Mapping[str, tuple[str, ...]] = {**SIGNS, "uart": ("dev/ttyAMA0",)}
"""There serial0 is ttyAMA10, the plug for debugging, and always on. The UART of pins 14 and 15
is RP1's first one, ttyAMA0: off at first, on with dtparam=uart0 (raspi-config writes that). See the maintainers' review
of raspberrypi/documentation 3294, and golemparts/rppal 165 and 166."""
FACTORIES = ("LGPIOFactory", "RPiGPIOFactory", "PiGPIOFactory", "PretendedFactory")
"""Of gpiozero, those that drive real pins on every board that they start on; and ours for a dry run (fake_pins.py)."""

Change = Literal["press", "release", "stuck"]


class Debouncer:
    """One button: (time, level) samples in, changes out. Pure; times in seconds, never going back.

    A level counts once every sample of `stable` seconds shows it: a glitch on either edge starts the wait anew. A
    button that is down at the first sample was not pressed now: no press is told, nor its release.
    """

    def __init__(self, stable: float = STABLE, stuck: float = STUCK) -> None:
        self._stable = stable
        self._stuck = stuck
        self._down: bool | None = None  # None before the first sample
        self._since = 0.0  # when `_down` began
        self._changing: float | None = None  # since when the samples differ from it
        self._told = False  # see `pressed`
        self._reported = False

    @property
    def pressed(self) -> bool:
        """Whether a press is out that no release has answered."""
        return self._told

    @property
    def changing(self) -> bool:
        """Whether the samples differ from the level that counts."""
        return self._changing is not None

    def sample(self, now: float, down: bool) -> Change | None:
        """What this sample changes."""
        if self._down is None:
            self._down, self._since = down, now
        elif down == self._down:
            self._changing = None
        elif self._changing is None:
            self._changing = now
        if self._changing is not None and now - self._changing >= self._stable:
            return self._turn(now, down)
        if self._down and not self._reported and now - self._since >= self._stuck:
            self._reported = True
            return "stuck"
        return None

    def _turn(self, now: float, down: bool) -> Change | None:
        was_told, self._told = self._told, down
        self._down, self._since, self._changing, self._reported = down, now, None, False
        if down:
            return "press"
        return "release" if was_told else None


@dataclass(frozen=True, slots=True)
class Direct:
    """One pin a button, closing to ground: `seats[panel][button - 1]`. Three seats fit 21 pins."""

    seats: tuple[tuple[int, ...], ...]

    def pins(self) -> list[int]:
        """All pins, as often as they are used."""
        return [pin for seat in self.seats for pin in seat]


@dataclass(frozen=True, slots=True)
class Matrix:
    """A row for each panel, a column for each button, a diode at each crossing. Four seats fit 11 pins.

    A row is pulled low while it is looked at; the diodes point from column to row (cathode at the row).
    """

    rows: tuple[int, ...]
    columns: tuple[int, ...]

    def pins(self) -> list[int]:
        """All pins, as often as they are used."""
        return [*self.rows, *self.columns]


Wiring = Direct | Matrix

# The wirings of hardware/README.md, drawn in wiring/, and where lamps and buzzer fit beside each.
FOUR_SEATS = Matrix(rows=(5, 6, 12, 13), columns=(16, 17, 18, 19, 20, 21, 22))
LAMPS = (23, 24, 25, 26)
BUZZER = 27
THREE_SEATS = Direct(seats=(tuple(range(5, 12)), tuple(range(12, 19)), tuple(range(19, 26))))
THREE_LAMPS = (4, 26, 27)
THREE_BUZZER = 2

LampPins = int | tuple[int, int, int]
"""The pin of a plain lamp, or the red, green and blue pins of a coloured one."""


def check_pins(pins: Iterable[int], buses: Collection[str] = ()) -> None:
    """PinConflict with all that is wrong in one sentence each: a pin used twice, not there, or a bus's."""
    known = ", ".join(BUSES)
    wrong = [Reason(signals.NO_SUCH_BUS, {"bus": bus, "buses": known}) for bus in buses if bus not in BUSES]
    for pin, times in sorted(Counter(pins).items()):
        if times > 1:
            wrong.append(Reason(signals.PIN_TWICE, {"pin": pin, "times": times}))
        if pin not in PINS:
            wrong.append(Reason(signals.PIN_UNKNOWN, {"pin": pin, "first": PINS.start, "last": PINS.stop - 1}))
        wrong += [Reason(signals.PIN_OF_BUS, {"pin": pin, "bus": bus}) for bus in buses if pin in BUSES.get(bus, ())]
    if wrong:
        raise PinConflict(*wrong)


def buses_in_use(root: Path = Path("/")) -> tuple[str, ...]:
    """The buses that are switched on, where this is a Raspberry Pi. `root` is for tests."""
    try:
        model = (root / "proc/device-tree/model").read_text(errors="replace")
    except OSError:
        return ()
    if "Raspberry Pi" not in model:
        return ()
    all_signs = SIGNS_5 if PI_5.match(model) else SIGNS
    return tuple(bus for bus, signs in all_signs.items() if any(any(root.glob(sign)) for sign in signs))


def usable_factory() -> Any:
    """gpiozero's own choice of a pin factory, where it drives real pins. Raises NoPins."""
    if gpiozero.Device.pin_factory is None:
        _import_lgpio()
    try:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")  # it tries one after another, and says so at length
            gpiozero.Device.ensure_pin_factory()
    except DeviceFault:
        raise
    except Exception as error:
        fallen = (str(each.message).partition(" lgpio: ")[2] for each in warned)
        why = next(filter(None, fallen), "")
        is_there = why and "lgpio" in sys.modules  # then its own words tell more than that none is left
        raise NoPins(_reason(OSError(why) if is_there else error)) from error
    factory = gpiozero.Device.pin_factory
    name = type(factory).__name__
    if name.startswith("Mock"):
        said = os.environ.get("GPIOZERO_PIN_FACTORY", name)
        raise NoPins(Reason(signals.PINS_PRETENDED, {"factory": said}))
    if name not in FACTORIES:
        raise NoPins(Reason(signals.PINS_OLD_WAY, {"factory": name}))
    return factory


def _import_lgpio() -> None:
    """Imports lgpio, where it is installed, before gpiozero does. Raises NoPins where it is there and does not start.

    It makes a named pipe in the folder LG_WD, or else in the working directory, and makes LG_WD the working directory.
    So it gets a temporary folder of ours, and the working directory is set back. The open pipe outlives its name.
    """
    if "lgpio" in sys.modules or find_spec("lgpio") is None:
        return
    with ExitStack() as stack:
        here = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
        stack.callback(os.close, here)
        before = os.environ.get("LG_WD")
        with suppress(OSError):  # no folder can be written at all: it says so itself
            os.environ["LG_WD"] = stack.enter_context(tempfile.TemporaryDirectory(prefix="gryphon-"))
        try:
            importlib.import_module("lgpio")
        except Exception as error:
            raise NoPins(Reason(signals.LGPIO_FAILS, {"error": str(error) or type(error).__name__})) from error
        finally:
            os.fchdir(here)
            os.environ.pop("LG_WD", None)
            if before is not None:
                os.environ["LG_WD"] = before


class _Pins:
    """Claims pins one by one, and gives all of them back together. Faults are gathered, so as to be told at once."""

    def __init__(self, factory: Any) -> None:
        self._factory = factory
        self._claimed: list[Any] = []
        self._wrong: list[Reason] = []
        self._pins_of: defaultdict[int, list[int]] = defaultdict(list)  # place in that list -> its pins

    def claim(self, kind: Any, pin: int, **how: Any) -> Any:
        """The device of that kind; None where it cannot be had."""
        try:
            device = kind(pin, pin_factory=self._factory, **how)
        except Exception as error:  # noqa: BLE001 the factories raise what their libraries raise: OSError, lgpio.error
            # As text: a handler that keeps its records (Kivy's does) would keep the error with its traceback, by that
            # the device whose start failed and its pin's reservation, and the next try would find the pin in use.
            log.info("pin %s: %s", pin, repr(error))
            reason = _reason(error)
            if reason.text == signals.PIN_BUSY:
                reason = _held(pin)
            if reason not in self._wrong:
                self._wrong.append(reason)
            self._pins_of[self._wrong.index(reason)].append(pin)
            return None
        self._claimed.append(device)
        return device

    def check(self) -> None:
        """PinConflict or NoPins where a pin could not be had."""
        reasons = [
            Reason(wrong.text, {**wrong.facts, "pins": ", ".join(map(str, self._pins_of[at]))})
            for at, wrong in enumerate(self._wrong)
        ]
        if reasons:
            raise (PinConflict if {wrong.text for wrong in self._wrong} <= CONFLICTS else NoPins)(*reasons)

    def close(self) -> None:
        for device in self._claimed:
            device.close()
        self._claimed.clear()


CONFLICTS = frozenset({signals.PIN_OURS, signals.PIN_BUSY, signals.PIN_HELD, signals.PIN_OF_SYSTEM})


def _held(pin: int) -> Reason:
    """Why a pin is busy: who holds it, where the kernel says so."""
    holder = lines.holder(pin)
    if holder in ("", "lg", "?"):  # what lgpio calls itself, perhaps in a second gryphon; a program without a name
        return Reason(signals.PIN_BUSY)
    return Reason(signals.PIN_OF_SYSTEM if lines.is_systems(holder) else signals.PIN_HELD, {"holder": holder})


def _reason(error: Exception) -> Reason:
    text = str(error) or type(error).__name__
    if isinstance(error, gpiozero.GPIOPinInUse):
        return Reason(signals.PIN_OURS)
    if _is_named(error, text):
        said = os.environ.get("GPIOZERO_PIN_FACTORY", "")
        if said.lower() == "lgpio" and "lgpio" in sys.modules:
            return Reason(signals.PINS_UNUSABLE, {"error": text})
        return Reason(signals.NO_LGPIO if said.lower() == "lgpio" else signals.PINS_MISNAMED, {"factory": said})
    if isinstance(error, PermissionError) or "permission" in text.lower() or not _may_use_chips():
        return Reason(signals.PINS_FORBIDDEN)
    if "busy" in text.lower():
        return Reason(signals.PIN_BUSY)
    if isinstance(error, gpiozero.BadPinFactory):
        return Reason(signals.NO_PINS)
    return Reason(signals.PINS_UNUSABLE, {"error": text})


def _is_named(error: Exception, text: str) -> bool:
    """Whether it is a factory that somebody named which fails. Where nobody did, gpiozero tries all by default."""
    if isinstance(error, OSError):
        return "failed to connect" in text  # a remote one
    return isinstance(error, ImportError | gpiozero.PinUnknownPi) and "any default" not in text


def _may_use_chips() -> bool:
    """False where there are GPIO chips and none may be opened: gpiozero then only says that it found no factory."""
    chips = list(Path("/dev").glob("gpiochip*"))
    return not chips or any(os.access(chip, os.R_OK | os.W_OK) for chip in chips)


class _Buttons(Protocol):
    """Looks at all buttons at once: `(panel, button) -> down`."""

    def look(self) -> dict[tuple[int, int], bool]: ...


class _DirectButtons:
    def __init__(self, wiring: Direct, pins: _Pins) -> None:
        self._pins = {
            (panel, button): pins.claim(gpiozero.InputDevice, pin, pull_up=True)
            for panel, seat in enumerate(wiring.seats)
            for button, pin in enumerate(seat, 1)
        }

    def look(self) -> dict[tuple[int, int], bool]:
        return {key: bool(pin.value) for key, pin in self._pins.items()}


class _MatrixButtons:
    def __init__(self, wiring: Matrix, pins: _Pins) -> None:
        row = {"active_high": False, "initial_value": False}
        self._rows = [pins.claim(gpiozero.OutputDevice, pin, **row) for pin in wiring.rows]
        self._columns = [pins.claim(gpiozero.InputDevice, pin, pull_up=True) for pin in wiring.columns]

    def look(self) -> dict[tuple[int, int], bool]:
        down = {}
        for panel, row in enumerate(self._rows):
            row.on()
            for button, column in enumerate(self._columns, 1):
                down[panel, button] = bool(column.value)
            row.off()
        return down


def _lamp(lamp: LampPins, dimmed: bool, pins: _Pins) -> Lamp:
    """A lamp on its pins: a plain one shows the brightest part of a colour, an undimmed one only on and off."""
    each = (lamp,) if isinstance(lamp, int) else lamp
    if dimmed:
        leds = [pins.claim(gpiozero.PWMOutputDevice, pin, frequency=PITCH) for pin in each]
    else:
        leds = [pins.claim(gpiozero.DigitalOutputDevice, pin) for pin in each]

    def put(*colour: int) -> None:
        for led, part in zip(leds, colour if len(leds) == 3 else (max(colour),), strict=True):
            led.value = part / 255 if dimmed else part >= 128

    return Lamp(put)


def _buzzer(pin: int, pins: _Pins) -> Buzzer:
    device = pins.claim(gpiozero.PWMOutputDevice, pin)

    def tone(hertz: int) -> None:
        if hertz:
            device.frequency = hertz
        device.value = 0.5 if hertz else 0

    return Buzzer(tone)


class Panels:
    """All panels on the Pi's pins. Posts Press, Release and Stuck for panels "gpio/0", "gpio/1", ...

    `lamps`: panel number -> its light, where it has one; `dimmed`: by PWM, else they are on or off. `buzzer`: a pin,
    one for all. `buses`: names of BUSES that are in use; those that are switched on are seen by themselves.
    `pin_factory`: of gpiozero; None takes its default, where that drives real pins. Raises PinConflict or NoPins with
    all that is wrong, and then holds no pin; where it is `patient` only for a wiring that can never be.

    `start` posts PinsReady and BoardReady for the board "gpio" and samples in a thread until `close`. Pins that cannot
    be had by then are PinsRefused, and tried again; pins that fail meanwhile are LinkLost, and tried again.
    `scan` samples once, for tests and for whoever has a loop of their own.
    """

    def __init__(
        self,
        post: Post,
        wiring: Wiring,
        *,
        pin_factory: Any = None,
        clock: Callable[[], float] = time.monotonic,
        stable: float = STABLE,
        stuck: float = STUCK,
        lamps: Mapping[int, LampPins] | None = None,
        dimmed: bool = True,
        buzzer: int | None = None,
        buses: Collection[str] = (),
        patient: bool = False,
    ) -> None:
        lamps = lamps or {}
        lamp_pins = [pin for lamp in lamps.values() for pin in ((lamp,) if isinstance(lamp, int) else lamp)]
        self._wanted = [*wiring.pins(), *lamp_pins, *([] if buzzer is None else [buzzer])]
        self._busy = frozenset(buses)
        check_pins(self._wanted, self._busy)
        self._factory = pin_factory
        self._post = post
        self._clock = clock
        self._wiring, self._stable, self._stuck = wiring, stable, stuck
        self._lamp_pins, self._dimmed, self._buzzer_pin = lamps, dimmed, buzzer
        self._orders: queue.SimpleQueue[tuple[str, int, str]] = queue.SimpleQueue()
        self._lasting: dict[int, str] = {}
        self._debouncers: dict[tuple[int, int], Debouncer] = {}
        self._failing = False
        self._refused: tuple[Reason, ...] = ()  # why the pins cannot be had since the start
        self._pins = _Pins(pin_factory)
        self._lamps: dict[int, Lamp] = {}
        self._buzzer: Buzzer | None = None
        try:
            self._open()
        except DeviceFault as fault:
            if not patient:
                raise
            self._failing, self._refused = True, fault.reasons
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="panels", daemon=True)

    @property
    def factory(self) -> str:
        """The name of the pin factory in use."""
        return type(self._factory).__name__

    @property
    def stable(self) -> int:
        """Milliseconds that a level has to last."""
        return round(self._stable * 1000)

    def scan(self) -> float:
        """Samples every button once, posts what changed, moves lights and tune on. Returns the seconds until next."""
        now = self._clock()
        self._obey()
        for (panel, button), down in self._buttons.look().items():
            change = self._debouncers[panel, button].sample(now, down)
            if change:
                self._post(_SIGNALS[change](f"{GPIO}/{panel}", button))
        ticks = int(now * 1000) & 0x3FFFFFFF
        for lamp in self._lamps.values():
            lamp.step(ticks)
        if self._buzzer is not None:
            self._buzzer.step(ticks)
        hurry = ticks < self._tune_until or any(debouncer.changing for debouncer in self._debouncers.values())
        return AWAKE if hurry else IDLE

    def light(self, panel: str, pattern: str) -> None:
        """Shows a pattern at a panel ("gpio/0"); nothing happens where it has no light. Returns at once."""
        if pattern not in LOOKS:
            raise ValueError(f"no such light pattern: {pattern}")
        self._orders.put(("light", _number(panel), pattern))

    def sound(self, panel: str, name: str) -> None:
        """Plays a sound at a panel, if there is a buzzer. Returns at once."""
        if name not in TUNES:
            raise ValueError(f"no such sound: {name}")
        self._orders.put(("sound", _number(panel), name))

    def start(self) -> Self:
        """Begins to sample."""
        if self._refused:
            self._refuse(self._refused)
        else:
            self._say_ready()
        self._thread.start()
        return self

    def close(self) -> None:
        """Ends the thread and gives the pins back."""
        self._closing.set()
        if self._thread.ident is not None:
            self._thread.join(1.0)
        self._pins.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> None:
        """Claims all pins; what is down by now was not pressed: from here on it counts. Raises DeviceFault."""
        if self._factory is None:
            check_pins(self._wanted, {*self._busy, *buses_in_use()})
            self._factory = usable_factory()
        pins = self._pins = _Pins(self._factory)
        try:
            wiring = self._wiring
            self._buttons: _Buttons = (
                _DirectButtons(wiring, pins) if isinstance(wiring, Direct) else _MatrixButtons(wiring, pins)
            )
            self._lamps = {panel: _lamp(lamp, self._dimmed, pins) for panel, lamp in self._lamp_pins.items()}
            self._buzzer = None if self._buzzer_pin is None else _buzzer(self._buzzer_pin, pins)
            self._tune_until = 0
            pins.check()
            now = self._clock()
            self._debouncers = {}
            for key, down in self._buttons.look().items():
                self._debouncers[key] = Debouncer(self._stable, self._stuck)
                self._debouncers[key].sample(now, down)
        except Exception as error:
            pins.close()
            if isinstance(error, DeviceFault):
                raise
            raise NoPins(_reason(error)) from error
        for panel, pattern in self._lasting.items():
            self._lamps[panel].show(pattern)

    def _run(self) -> None:
        pause = RETRY if self._refused else 0.0
        while not self._closing.wait(pause):
            try:
                if self._failing:
                    self._obey()
                    self._open()
                pause = self.scan()
            except Exception as error:  # noqa: BLE001  whatever a library raises: the thread goes on
                if self._refused and isinstance(error, DeviceFault):
                    if error.reasons != self._refused:
                        self._refuse(error.reasons)
                    pause = min(2 * pause, LAZY)
                    continue
                if not self._failing:
                    log.warning("the pins failed: %r", error)
                self._fail()
                pause = RETRY
            else:
                if self._failing:
                    if not self._refused:
                        self._post(LinkBack(GPIO, GPIO))
                    self._failing, self._refused = False, ()
                    self._say_ready()

    def _refuse(self, reasons: tuple[Reason, ...]) -> None:
        self._refused = reasons
        log.warning("panels: %s", " ".join(map(str, reasons)))
        self._post(PinsRefused(reasons))

    def _fail(self) -> None:
        """Nobody will tell of what is down now, and a press and a release take turns."""
        try:
            self._pins.close()
        except Exception:
            log.exception("the pins could not be given back")
        self._lamps, self._buzzer = {}, None
        if self._failing:
            return
        self._failing = True
        for (panel, button), debouncer in self._debouncers.items():
            if debouncer.pressed:
                self._post(Release(f"{GPIO}/{panel}", button))
        self._post(LinkLost(GPIO, GPIO, signals.PINS_FAILED))

    def _say_ready(self) -> None:
        self._post(PinsReady(self.factory, self.stable))
        wiring = self._wiring
        panels = len(wiring.seats) if isinstance(wiring, Direct) else len(wiring.rows)
        places = tuple(Place("panel", number, light=number in self._lamp_pins, buttons=7) for number in range(panels))
        self._post(BoardReady(GPIO, "", 0, panels, places=places))

    def _obey(self) -> None:
        """Lights and sounds that were asked for, in order; lamps are touched by one thread only."""
        while not self._orders.empty():
            kind, panel, what = self._orders.get()
            if kind == "light" and panel in self._lamp_pins:
                if what not in PASSING:
                    self._lasting[panel] = what
                if panel in self._lamps:
                    self._lamps[panel].show(what)
            elif kind == "sound" and self._buzzer is not None:
                self._buzzer.play(what)
                self._tune_until = int(self._clock() * 1000) + sum(ms for _, ms in TUNES[what]) + 100


PASSING = ("refused", "find")
_SIGNALS: Mapping[Change, Callable[[str, int], Signal]] = {"press": Press, "release": Release, "stuck": Stuck}


def _number(panel: str) -> int:
    return int(panel.rpartition("/")[2])
