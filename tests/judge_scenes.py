"""Scenes of the judge and of the rule book, for tests/screens.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


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


SCENES: dict[str, Scene] = {
    "20_entry": _entry("A10"), "20_entry_house": _entry("A10", "house"), "20_entry_order": _entry("R24"),
    "20_entry_end": _entry("R78"), "20_entry_words": _entry("R29"), "20_entry_fall": _entry("R50"),
    "20_entry_house_3": _entry("A46", "house"),
    "21_rulebook": _book(), "21_rulebook_places": _book(group="place"),
    "21_rulebook_happens": _book(group="situation"), "21_rulebook_topic": _book(topic="rope"),
    "21_rulebook_typing": _book(typing=True, words="ro"), "21_rulebook_nothing": _book(words="xylo"),
}  # fmt: skip
