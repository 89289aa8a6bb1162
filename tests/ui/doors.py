"""What the tests of the doors share."""

from __future__ import annotations

from typing import Any

from kivy.tests.common import UnitTestTouch

from tests.ui import positions
from tests.ui.engine import House


def opened(open_window: Any, lang: str = "en", **settings: Any) -> tuple[House, Any]:
    """A program on its first screen, with settings from an earlier evening."""
    house = House()
    for name, value in settings.items():
        house.settings[name] = value
    s = open_window(house, lang)
    house.open()
    s.settle()
    return house, s


def playing(open_window: Any, state: dict[str, Any] | None = None) -> tuple[House, Any]:
    """A program with a game open."""
    house = House()
    s = open_window(house)
    house.load(state or positions.choosing(), positions.NAMES)
    s.settle()
    return house, s


def choice(s: Any, text: str) -> Any:
    """What is chosen by that name: a page's choice."""
    return s.one(lambda w: type(w).__name__ == "Choice" and w.text == text)


def tapped(s: Any, text: str) -> None:
    """Touch that choice."""
    s.tap(choice(s, text))


def with_seat(s: Any, seat: str) -> Any:
    """The first button with that seat's mark."""
    return next(b for b in s.buttons() if getattr(b, "seat", "") == seat)


def drag(s: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    """A finger goes down, moves there, and up."""
    touch = UnitTestTouch(*start)
    touch.touch_down()
    s.settle(1)
    for share in (0.4, 1.0):
        touch.touch_move(start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))
        s.settle(1)
    touch.touch_up()
    s.settle()
