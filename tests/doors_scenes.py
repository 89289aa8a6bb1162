"""Scenes of the doors, for tests/screens.py: settings, house rules, touch test, devices, about, seats, ways out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.base import msg
from companion.games.sir_holland.state import Lock
from companion.table.ports import Play, Status
from companion.ui.screens.sheets import AbandonSheet, StopSheet
from tests.ui import positions

Scene = Callable[[Any], None]

DEVICES = {
    "readers": [
        {"id": "e6614c311b4b2a2f/0", "seat": "red", "state": "ok", "text": None},
        {"id": "e6614c311b4b2a2f/1", "seat": "blue", "state": "ok", "text": None},
        {"id": "e6614c311b4b2a2f/2", "seat": None, "state": "lost",
         "text": msg("The reader of {seat:seat} does not answer. Check its cable, or choose here.", seat="green")},
    ],
    "panels": [{"id": "gpio/0", "seat": "red", "state": "ok", "text": None}],
}  # fmt: skip


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


def _devices(s: Any) -> None:
    s.house.open()
    s.house.say(Status("devices", "devices", None, DEVICES))
    s.settle()
    s.root.open("devices")


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
    s.press("Copy ours")
    for card in "RRWSS":
        s.tap(s.one(lambda w, card=card: getattr(w, "data", None) == card))


SCENES: dict[str, Scene] = {
    "02_seats_two": _seats, "03_tower_again": _deal_again, "03_tower_half": _half_copied,
    "11_menu_home": _menu_home, "11_stop": _out(StopSheet), "11_abandon": _out(AbandonSheet),
    "12_settings": door("settings"), "12_settings_game": door("settings", game=True),
    "12_settings_lang": door("settings", page="lang"), "12_settings_theme": door("settings", page="theme"),
    "12_settings_text": door("settings", page="text"), "12_settings_mode": door("settings", page="mode"),
    "12_settings_hold": door("settings", page="hold"), "12_settings_sleep": door("settings", page="sleep"),
    "12_settings_facing": door("settings", page="facing"),
    "13_house_rules": door("house_rules"), "13_house_rules_game": door("house_rules", game=True, first=8),
    "13_house_rules_last": door("house_rules", first=99),
    "13_house_rule": door("house_rules", switch="explosion_figures"),
    "13_house_rule_three": door("house_rules", game=True, switch="hero_on_villain"),
    "14_touch": door("touch_test"), "14_touch_one": _touch, "14_touch_good": tapped(lambda x, y: (x, y)),
    "14_touch_turned": tapped(lambda x, y: (1 - x, 1 - y)), "14_touch_lost": tapped(lambda x, y: (x * x, 0.5)),
    "14_touch_stretched": tapped(lambda x, y: (0.8 * x + 0.1, y)),
    "15_devices": _devices, "15_devices_none": door("devices"), "16_about": door("about"),
    "17_seat": door("seat", game=True), "17_seat_one": door("seat", game=True, seat="blue"),
    "17_seat_who": door("seat", game=True, seat="blue", page="who"),
    "17_seat_leave": door("seat", game=True, seat="blue", page="leave"),
}  # fmt: skip
