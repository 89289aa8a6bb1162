"""Scenes of the doors, for tests/screens.py: settings, house rules, touch test, devices, about, seats, ways out."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from companion.adapters import player
from companion.border import device_row
from companion.games.base import msg
from companion.games.sir_holland.state import Lock
from companion.table import places
from companion.table.ports import Begin, Bind, Leave, Play, Status
from companion.ui.screens.sheets import AbandonSheet, StopSheet
from hardware import signals
from tests.ui import positions

Scene = Callable[[Any], None]
DEVICES = {
    "readers": [
        device_row("e6614c311b4b2a2f/0", "red", light=True),
        device_row("e6614c311b4b2a2f/1", "blue"),
        device_row("e6614c311b4b2a2f/2", trouble=msg(
            "The reader of {seat:seat} does not answer. Check its cable, or choose here.", seat="green")),
    ],
    "panels": [device_row("gpio/0", "red", light=True)],
}  # fmt: skip

LOUDSPEAKERS = """card 0: vc4hdmi0 [vc4-hdmi-0], device 0: MAI PCM i2s-hifi-0 [MAI PCM i2s-hifi-0]
card 1: vc4hdmi1 [vc4-hdmi-1], device 0: MAI PCM i2s-hifi-0 [MAI PCM i2s-hifi-0]
card 2: Headphones [bcm2835 Headphones], device 0: bcm2835 Headphones [bcm2835 Headphones]
card 3: Device [USB Audio Device], device 0: USB Audio [USB Audio]
"""
"""What `aplay -l` says on a Pi."""


def _outputs(s: Any) -> None:
    """Which loudspeakers there are, as the voice tells."""
    door("settings", page="output")(s)
    found = [(output.name, output.text) for output in player.outputs(LOUDSPEAKERS)]
    s.root.take(Status("outputs", "outputs", None, {"outputs": found}))


def door(name: str, game: bool = False, **given: Any) -> Scene:
    """That door, over a game or none."""

    def scene(s: Any) -> None:
        if game:
            s.house.load(positions.choosing(), positions.NAMES)
            s.house.send(Play(Lock("blue", 2)))
        else:
            s.house.open()
        s.settle()
        s.root.open(name, **given)

    return scene


def _with_readers(s: Any) -> None:
    s.house.open()
    s.house.say(Status("devices", "devices", None, DEVICES))
    s.settle()
    s.root.open("settings")


TIME = itertools.count(1e6, 3.0)


def hear(house: Any, signal: signals.Signal) -> None:
    """A signal of a device, and time enough for it to count."""
    at = next(TIME)
    house.engine._signal(signal, at)
    house.engine.tick(at + 2.0)


def _people(s: Any) -> None:
    for n in range(3):
        names = {"red": "Ana", "blue": "Bruno", "green": "Clara", "yellow": f"Davi {n}"}
        s.house.engine.serve(Begin("sir-holland", tuple(names), names, {}))
        s.house.engine.serve(Leave())
    s.settle()
    s.root.open("people")


def _people_forget(s: Any) -> None:
    _people(s)
    s.settle()
    s.root.open("people", forget="Ana")


def _devices(s: Any) -> None:
    s.house.open()
    s.house.say(Status("devices", "devices", None, DEVICES))
    s.settle()
    s.root.open("devices")


def _hears(name: str, *touches: Any, game: bool = False, devices: Any = DEVICES) -> Scene:
    """A door that listens, and what was touched then (signals of devices)."""

    def scene(s: Any) -> None:
        for n in range(3):
            hear(s.house, signals.TagOff(f"e6614c311b4b2a2f/{n}", "04", False))
        door(name, game)(s)
        s.house.say(Status("devices", "devices", None, devices))
        s.settle()
        for touch in touches:
            hear(s.house, touch)
            s.settle()

    return scene


def lay(reader: int, uid: str = "04A1B2C3", foreign: bool = False) -> signals.TagOn:
    """A tag on a reader of the first board."""
    return signals.TagOn(f"e6614c311b4b2a2f/{reader}", uid, foreign)


def _taught(s: Any) -> None:
    for number in range(1, 6):
        s.house.send(Bind(f"04{number:02X}", "red", number))
    s.house.send(Bind("04FF", "red", 2))
    _hears("teach", lay(0, "0403"))(s)


def _whole(s: Any) -> None:
    door("wiring", picture="pi-matrix")(s)
    s.settle()
    picture = s.root.screen.picture
    s.touch(*picture.to_window(picture.center_x, picture.center_y))


def tapped(flip: Callable[[float, float], tuple[float, float]]) -> Scene:
    """The touch test at its end, on a glass that reports every touch at another place. flip: on shares."""

    def scene(s: Any) -> None:
        door("touch_test")(s)
        s.settle()
        for x, y in list(s.root.screen.targets.spots):
            sx, sy = flip(x / s.root.width, y / s.root.height)
            s.touch(sx * s.root.width, sy * s.root.height)

    return scene


def _touch(s: Any) -> None:
    door("touch_test")(s)
    s.settle()
    s.touch(*s.root.screen.targets.spots[0])


def _out(sheet: Any) -> Scene:
    def scene(s: Any) -> None:
        s.house.load(positions.turn(), positions.NAMES)
        s.settle()
        s.root.open_sheet(sheet(s.root))

    return scene


def _menu_home(s: Any) -> None:
    door("settings")(s)
    s.settle()
    s.root.open_menu()


def _seats(s: Any) -> None:
    s.house.settings["last_names"] = dict(list(positions.NAMES.items())[:2])
    s.house.settings["house_rules"] = {"fall_distance": 2, "rope_down": "on"}
    s.house.open()
    s.settle()
    s.press("New game")


def _deal_again(s: Any) -> None:
    _seats(s)
    s.press("This is us")
    s.tap(next(b for b in s.buttons() if b.lit))
    s.press("Deal another")


def _half_copied(s: Any) -> None:
    _seats(s)
    s.press("This is us")
    s.press("We built our own")
    for card in "RRWSS":
        s.tap(s.one(lambda w, card=card: getattr(w, "data", None) == card))


SCENES: dict[str, Scene] = {
    "02_seats_two": _seats, "03_tower_again": _deal_again, "03_tower_half": _half_copied,
    "11_menu_home": _menu_home, "11_stop": _out(StopSheet), "11_abandon": _out(AbandonSheet),
    **{f"02_minute_{n + 1}": door("minute", page=n) for n in range(6)}, "02_minute_game": door("minute", game=True),
    "12_people": _people, "12_people_forget": _people_forget, "12_people_nobody": door("people"),
    "12_people_kids": door("people", game=True, kids=True),
    "12_settings": door("settings"), "12_settings_game": door("settings", game=True),
    "12_settings_lang": door("settings", page="lang"), "12_settings_theme": door("settings", page="theme"),
    "12_settings_text": door("settings", page="text"), "12_settings_mode": door("settings", page="mode"),
    "12_settings_readers": door("settings", page="dwell"),
    "12_settings_with_readers": _with_readers,
    "12_settings_hold": door("settings", page="hold"), "12_settings_sleep": door("settings", page="sleep"),
    "12_settings_sound": door("settings", page="sound"), "12_settings_volume": door("settings", page="volume"),
    "12_settings_lead": door("settings", page="lead"), "12_settings_output": _outputs,
    "12_settings_facing": door("settings", page="facing"),
    "13_house_rules": door("house_rules"), "13_house_rules_game": door("house_rules", game=True, first=8),
    "13_house_rules_last": door("house_rules", first=99),
    "13_house_rule": door("house_rules", switch="explosion_figures"),
    "13_house_rule_three": door("house_rules", game=True, switch="hero_on_villain"),
    "14_touch": door("touch_test"), "14_touch_one": _touch, "14_touch_good": tapped(lambda x, y: (x, y)),
    "14_touch_turned": tapped(lambda x, y: (1 - x, 1 - y)), "14_touch_lost": tapped(lambda x, y: (x * x, 0.5)),
    "14_touch_stretched": tapped(lambda x, y: (0.8 * x + 0.1, y)),
    "15_devices": _devices, "15_devices_none": door("devices"), "16_about": door("about"),
    "18_bind": _hears("bind"), "18_bind_game": _hears("bind", lay(1), lay(1), game=True),
    "18_bind_none": door("bind"), "18_bind_done": _hears("bind", *(lay(n) for n in range(4)), game=True),
    "19_teach": _hears("teach"), "19_teach_some": _taught, "19_teach_phone": _hears("teach", lay(0, foreign=True)),
    "20_test": _hears("device_test", signals.Press("gpio/0", 3), lay(1),
                      devices=DEVICES | {"pins": places.pins("LGPIOFactory", 30)}), "20_test_none": door("device_test"),
    "20_test_left": _hears("device_test", signals.BoardReady("e6614c311b4b2a2f", "0.5.1", 2, 1), lay(1)),
    "21_wiring": door("wiring"), "21_wiring_one": door("wiring", picture="four-pn532"), "21_wiring_whole": _whole,
    "21_wiring_pins": door("wiring", picture="four-rc522", pins=True),
    "17_seat": door("seat", game=True), "17_seat_one": door("seat", game=True, seat="blue"),
    "17_seat_who": door("seat", game=True, seat="blue", page="who"),
    "17_seat_leave": door("seat", game=True, seat="blue", page="leave"),
}  # fmt: skip
