"""board.json -> chips, lamps, buzzers and buttons on a fake `machine`, in the words that MicroPython understands, too.

As chip_suite.py: test_pins.py calls the `test_...` functions, and runs this file under MicroPython.
"""

import json

import machine
import neopixel
import wire
from board import check
from fakechips import Field, chip_port
from lamp import BLINK, BREATH, FAINT, FLASH, HEART, LOOKS, PULSE, TUNES, Buzzer, Lamp, level
from looks import PENDING, Deaf
from main import wired
from pins import Builder
from ports import turned
from ticks import ticks_add

UIDS = (b"\x04\xa1\x00\x0a", b"\x04\xa1\xb2\x00\x00\xc3\xd4", bytes(range(10)))
RC522 = {"chip": "mfrc522", "bus": "spi0", "sck": 18, "mosi": 19, "miso": 16, "select": 17}
WAYS = {
    "spi0/17": RC522,
    "spi0/20": {"chip": "pn532", "bus": "spi0", "sck": 18, "mosi": 19, "miso": 16, "select": 20},
    "i2c0": {"chip": "pn532", "bus": "i2c0", "sda": 4, "scl": 5},
    "uart1": {"chip": "pn532", "bus": "uart1", "tx": 8, "rx": 9},
}


def hang(names):
    """Fake chips where the readers of WAYS look for them; their fields."""
    machine.chips.clear()
    fields = {}
    for name in names:
        fields[name] = Field()
        chip = chip_port(WAYS[name]["chip"], fields[name])
        if WAYS[name]["chip"] == "pn532":
            chip = machine.pn532_on(WAYS[name]["bus"][:-1], chip)
        machine.chips[name] = chip
    return fields


def build(plan):
    builder = Builder(machine, neopixel)
    checked = check(plan)
    return builder.places(checked), builder.panels(checked)


def one(name, **more):
    """The place of one reader."""
    plan = dict(WAYS[name])
    plan.update(more)
    return build({"readers": [plan]})[0][0]


def looks(driver, n, start=0):
    found, now = [], start
    while len(found) < n:
        now += 5
        assert now < start + n * 2000, "it does not answer"
        look = driver.look(now)
        if look is not PENDING:
            found.append(look)
    return found


def test_every_way_to_hang_up_a_chip_reads_every_length_of_uid():
    for name in sorted(WAYS):
        field = hang([name])[name]
        chip = one(name).chip
        for uid in UIDS:
            field.tags = [uid]
            assert looks(chip, 4)[1:] == [uid] * 3, (name, uid)
            field.tags = []
            assert looks(chip, 4)[1:] == [None] * 3, (name, uid)


def test_two_tags_of_ten_bytes_fit_into_one_fetch():
    for name in ("spi0/20", "i2c0", "uart1"):
        field = hang([name])[name]
        chip = one(name).chip
        field.tags = [UIDS[2], UIDS[2][:9] + b"\x77"]
        assert looks(chip, 3)[1:] == ["collision"] * 2, name


def test_chips_on_one_bus_do_not_hear_each_other():
    fields = hang(["spi0/17", "spi0/20"])
    places = build({"readers": [WAYS["spi0/17"], WAYS["spi0/20"]]})[0]
    fields["spi0/17"].tags = [UIDS[0]]
    fields["spi0/20"].tags = [UIDS[1]]
    assert looks(places[0].chip, 3)[1:] == [UIDS[0]] * 2
    assert looks(places[1].chip, 3)[1:] == [UIDS[1]] * 2
    assert machine.Pin.out[17] == machine.Pin.out[20] == 1


def test_a_bus_with_nothing_on_it_is_deaf_and_harmless():
    hang([])
    for name in sorted(WAYS):
        chip = one(name).chip
        deaf = 0
        for now in range(0, 1500, 5):
            try:
                assert chip.look(now) is PENDING
            except Deaf:
                deaf += 1
                chip.start()
        assert deaf, name


def test_bits_are_turned():
    assert turned(b"\x01\x02\x80\xd4\xff\x00") == b"\x80\x40\x01\x2b\xff\x00"
    for n in range(256):
        assert turned(turned(bytes((n,)))) == bytes((n,))
        assert turned(bytes((n,)))[0] == int("".join(reversed("{:08b}".format(n))), 2)  # noqa: UP032


def test_buttons_pull_their_pin_down():
    panel = build({"panels": [{"pins": [0, 1, 2, 3, 4, 5, 6]}]})[1][0]
    machine.levels.clear()
    assert (panel.buttons, panel.down()) == (7, 0)
    for n in range(7):
        machine.levels[n] = 0
        assert panel.down() == 1 << n
        machine.levels[n] = 1


# --- lamps ------------------------------------------------------------------------------------------------------------


def shown(pattern, until, step=5):
    """(since the start, colour) at each change, of a lamp that shows it; the clock wraps soon."""
    told = []
    lamp = Lamp(lambda *colour: told.append(colour))
    lamp.show(pattern)
    changes = []
    for at in range(0, until, step):
        lamp.step(ticks_add(0, at - 500))
        changes += [(at, colour) for colour in told]
        told.clear()
    return changes


def test_every_pattern_of_the_wire_is_known_and_within_bounds():
    assert sorted(LOOKS) == sorted(wire.PATTERNS)
    assert sorted(TUNES) == sorted(wire.SOUNDS)
    for colour, shape in LOOKS.values():
        assert all([0 <= part <= 255 for part in colour])  # noqa: C419
        for at in range(0, 12_000, 7):
            assert 0 <= level(shape, at) <= 255, (shape, at)


def test_steady_patterns_are_put_once():
    assert shown("off", 5000) == [(0, (0, 0, 0))]
    assert shown("locked", 5000) == [(0, LOOKS["locked"][0])]


def test_waiting_breathes():
    changes = shown("waiting", BREATH * 2)
    reds = [colour[0] for _, colour in changes]
    assert min(reds) == FAINT and max(reds) > 250
    top = [at for at, colour in changes if colour[0] == max(reds)]
    assert top[0] < BREATH * 3 // 5 and top[-1] - top[0] > BREATH * 4 // 5  # twice, a period apart
    assert max([abs(reds[n] - reds[n - 1]) for n in range(1, len(reds))]) < 8, "it jumps"


def test_refused_blinks_three_times_and_then_what_was_before():
    told = []
    lamp = Lamp(lambda *colour: told.append(colour))
    lamp.show("locked")
    lamp.step(0)
    lamp.show("refused")
    changes = []
    for now in range(0, 3000, 5):
        told.clear()
        lamp.step(now)
        changes += [(now, colour) for colour in told]
    red, dark, green = LOOKS["refused"][0], (0, 0, 0), LOOKS["locked"][0]
    assert changes == [
        (0, red), (BLINK, dark), (2 * BLINK, red), (3 * BLINK, dark), (4 * BLINK, red), (5 * BLINK, dark),
        (6 * BLINK, green),
    ]  # fmt: skip


def test_what_is_shown_while_refused_blinks_ends_it():
    told = []
    lamp = Lamp(lambda *colour: told.append(colour))
    lamp.show("refused")
    lamp.step(0)
    lamp.show("turn")
    lamp.step(5)
    assert told[-1] == LOOKS["turn"][0]


def test_the_other_patterns_have_their_rhythm():
    for pattern, period in (("turn", PULSE), ("gryphon", HEART), ("find", FLASH)):
        first = shown(pattern, period)
        both = shown(pattern, 2 * period)
        again = [(at - period, colour) for at, colour in both if at >= period]
        assert first == again, pattern
        assert len(first) >= 2, pattern


def test_a_tune_is_played_and_ends():
    told = []
    buzzer = Buzzer(told.append)
    for name in ("click", "refused", "reveal"):
        told.clear()
        buzzer.play(name)
        played = []
        for now in range(0, 1000, 2):
            buzzer.step(ticks_add(0, now - 20))
            played += [(now, hertz) for hertz in told]
            told.clear()
        notes = [hertz for hertz, _ in TUNES[name]]
        assert [hertz for _, hertz in played] == notes + [0], name
        assert played[-1][0] == sum([ms for _, ms in TUNES[name]]), name
    buzzer.play("reveal")
    buzzer.step(0)
    buzzer.play("off")
    assert told[-1] == 0
    buzzer.step(500)
    assert told[-1] == 0


def test_a_plain_lamp_is_dimmed():
    lamp = one("i2c0", lamp={"kind": "plain", "pin": 9}).lamp
    pwm = machine.PWM.made[9]
    assert pwm.duty == 0
    lamp.show("locked")
    lamp.step(0)
    assert pwm.duty == 255 * 257
    lamp.show("off")
    lamp.step(5)
    assert pwm.duty == 0


def test_an_rgb_lamp_has_three_pins_in_their_order():
    lamp = one("i2c0", lamp={"kind": "rgb", "pins": [9, 10, 11]}).lamp
    lamp.show("refused")
    lamp.step(0)
    assert [machine.PWM.made[pin].duty for pin in (9, 10, 11)] == [part * 257 for part in LOOKS["refused"][0]]


def test_a_chain_of_ws2812_shows_each_lamp_at_its_place():
    plans = []
    for at, select in enumerate((17, 20)):
        plan = dict(WAYS["spi0/17"])
        plan.update(select=select, lamp={"kind": "ws2812", "pin": 22, "at": 1 - at})
        plans.append(plan)
    places = build({"readers": plans})[0]
    places[0].lamp.show("locked")
    places[1].lamp.show("gryphon")
    places[0].lamp.step(0)
    places[1].lamp.step(0)
    want = [tuple([part // 4 for part in LOOKS[pattern][0]]) for pattern in ("gryphon", "locked")]
    assert neopixel.strips[22] == want + [(0, 0, 0)] * 2


def test_a_buzzer_sounds_and_is_silent():
    buzzer = one("i2c0", buzzer=15).buzzer
    pwm = machine.PWM.made[15]
    buzzer.play("click")
    buzzer.step(0)
    assert (pwm.hertz, pwm.duty) == (TUNES["click"][0][0], 0x8000)
    buzzer.step(100)
    assert pwm.duty == 0


# --- board.json -------------------------------------------------------------------------------------------------------


def test_a_board_json_that_cannot_be_leaves_a_board_that_says_why():
    for text, why in (
        ("", "board.json: there is none"),
        ("{", "board.json: it is no JSON"),
        ("[]", "board.json: the plan must be an object"),
        (json.dumps({"readers": [WAYS["i2c0"], WAYS["i2c0"]]}), "reader 1: i2c0 has a reader already"),
    ):
        places, panels, said = wired(machine, text)
        assert (len(places), len(panels)) == (0, 0)
        assert why in said, said
    places, panels, said = wired(machine, json.dumps({"readers": [RC522], "panels": [{"pins": [0]}]}))
    assert (len(places), len(panels), said) == (1, 1, "")


def tests():
    """All of them, by name."""
    return sorted([(key, value) for key, value in globals().items() if key.startswith("test_")])


if __name__ == "__main__":
    for key, test in tests():
        test()
        print("ok", key)
