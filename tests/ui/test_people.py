"""The people of the table: names with their marks to pick from, and how somebody is forgotten, by touch."""

from __future__ import annotations

import pytest

from companion.table.ports import Begin, ForgetPerson
from companion.ui.words import _
from tests.ui.engine import House

NAMES = {"red": "Ana", "blue": "Bruno"}


@pytest.fixture(params=["en", "pt"])
def home(open_window, request):
    """After a game of Ana and Bruno."""
    house = House()
    house.engine.serve(Begin("sir-holland", tuple(NAMES), NAMES, {}))
    house.engine.serve(Begin("sir-holland", ("red", "blue"), {"red": "Clara", "blue": "Bruno"}, {}))
    s = open_window(house, request.param)
    s.house.open()
    s.settle()
    return s


def chips(s) -> dict[str, str]:
    """Names to pick from -> the mark on each."""
    return {b.text: b.seat for b in s.buttons() if getattr(b, "text", "") in ("Ana", "Bruno", "Clara")}


def test_known_people_are_picked_by_one_touch_with_their_mark(home) -> None:
    home.root.go("seats")
    home.settle()
    home.root.screen._open("red")
    home.settle()
    assert chips(home) == {"Clara": "", "Ana": "red"}, "Clara sits there now, and Bruno elsewhere"
    home.press("Ana")
    assert home.root.draft.names["red"] == "Ana"


def test_somebody_is_forgotten(home) -> None:
    home.root.open("settings")
    home.settle()
    while not (found := [b for b in home.buttons() if getattr(b, "text", "") == _("People")]):
        home.press("More")
    home.tap(found[0])
    assert home.screen == "people"
    (row,) = [w for w in home.walk() if getattr(w, "text", "") == "Ana" and hasattr(w, "chosen")]
    home.tap(row)
    (forget,) = [b for b in home.buttons() if "Ana" in getattr(b, "text", "")]
    home.tap(forget)
    assert ForgetPerson("Ana") in home.house.sent
    assert "Ana" not in home.texts()
    assert {p["name"] for p in home.house.settings["people"]} == {"Clara", "Bruno"}
    assert "Ana" not in home.root.draft.known
