"""Scenes of the judge and of the rule book, for tests/screens.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.ui import positions

Scene = Callable[[Any], None]


def _entry(rule: str, tab: str = "") -> Scene:
    def scene(s: Any) -> None:
        s.house.open()
        s.settle()
        s.root.open("entry", rule=rule, tab=tab)

    return scene


def _book(**given: Any) -> Scene:
    def scene(s: Any) -> None:
        s.house.open()
        s.settle()
        s.root.open("rulebook", **given)

    return scene


def _door(name: str, state: dict[str, Any] | None = None, **given: Any) -> Scene:
    def scene(s: Any) -> None:
        if state is not None:
            s.house.load(state, positions.NAMES)
        else:
            s.house.open()
        s.settle()
        s.root.open(name, **given)

    return scene


def _order_sheet(s: Any) -> None:
    _door("judge_order", positions.turn())(s)
    s.settle()
    s.root.screen.touch("blue")


def _winner_rules(s: Any) -> None:
    _door("judge_winner")(s)
    s.settle()
    s.press("House rules")


def _crowd(s: Any) -> None:
    levels = {seat: [5, 5] for seat in positions.NAMES}
    seats = list(positions.NAMES)
    _door("judge_winner", seats=seats, away=[], gryphon="red", levels=levels, rules={}, first="")(s)


def _may(*squares: str, press: str = "", state: dict[str, Any] | None = None) -> Scene:
    def scene(s: Any) -> None:
        _door("judge_may", state or positions.turn())(s)
        s.settle()
        for square in squares:
            s.square(square)
        if press:
            s.press(press)

    return scene


def _may_turn(s: Any) -> None:
    _may(state=positions.turn(4, 1, 2))(s)
    s.tap(s.button("Ana"))


SCENES: dict[str, Scene] = {
    "20_entry": _entry("A10"), "20_entry_house": _entry("A10", "house"), "20_entry_order": _entry("R24"),
    "20_entry_end": _entry("R78"), "20_entry_words": _entry("R29"), "20_entry_fall": _entry("R50"),
    "20_entry_house_3": _entry("A46", "house"),
    "21_rulebook": _book(), "21_rulebook_places": _book(group="place"),
    "21_rulebook_happens": _book(group="situation"), "21_rulebook_topic": _book(topic="rope"),
    "21_rulebook_typing": _book(typing=True, words="ro"), "21_rulebook_nothing": _book(words="xylo"),
    "22_judge_order": _door("judge_order", positions.turn()), "22_judge_order_two": _door("judge_order"),
    "22_judge_order_sheet": _order_sheet,
    "23_judge_winner": _door("judge_winner", positions.winning()), "23_judge_winner_two": _door("judge_winner"),
    "23_judge_winner_rules": _winner_rules, "23_judge_winner_crowd": _crowd,
    "24_judge": _door("judge"), "24_may": _may(), "24_may_no": _may("a2", "c2"), "24_may_yes": _may("a2", "b4"),
    "24_may_readings": _may("a2", "c2", press="Our reading"), "24_may_edit": _may(press="Set up"),
    "24_may_turn": _may_turn, "24_may_climb": _may("a2", state=positions.turn(5, 1, 1)),
    "24_may_fall": _may(state=positions.falling()), "24_may_none": _door("judge_may"),
}  # fmt: skip
