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


def test_a_name_that_cannot_be_drawn_stands_nowhere_as_it_is(home) -> None:
    """Neither written from right to left nor as boxes: in the list, in the question, and on its button."""
    home.house.engine.serve(
        Begin("sir-holland", ("red", "blue"), {"red": "\u05e9\u05dc\u05d5\u05dd", "blue": "\u0639\u0644\u064a"}, {})
    )
    home.root.open("people")
    home.settle()
    told = home.texts()
    home.root.open("people", forget="\u05e9\u05dc\u05d5\u05dd")
    home.settle()
    told += home.texts()
    assert any("\u2026" in text for text in told)
    assert not [text for text in told if any("\u0590" <= sign <= "\u06ff" for sign in text)]
    (forget,) = [b for b in home.buttons() if "\u2026" in getattr(b, "text", "")]
    home.tap(forget)
    assert ForgetPerson("\u05e9\u05dc\u05d5\u05dd") in home.house.sent


@pytest.mark.parametrize("seat", ["purple", "red.1", " "])
def test_a_person_at_a_seat_that_there_is_not_keeps_no_page_shut(open_window, seat: str) -> None:
    """Another version, or a damaged disk, may have left it there."""
    house = House()
    house.store.change({"people": [{"name": "Ana", "seat": seat, "since": 1}]})
    s = open_window(house)
    s.house.open()
    s.settle()
    for door in ("seats", "people"):
        s.root.open(door)
        s.settle()
    assert s.screen == "people"
