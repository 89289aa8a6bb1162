"""The game in a minute, by touch: from home, from the seats and from the rule book, there and back."""

from __future__ import annotations

import pytest

from companion.games.sir_holland.minute import PAGES
from companion.table.ports import SayThis
from companion.ui.words import say
from tests.ui.engine import House


@pytest.fixture(params=["en", "pt"])
def home(open_window, request):
    s = open_window(House(), request.param)
    s.house.open()
    s.settle()
    return s


def spoken(s) -> list[str]:
    return [say(m) for asked in s.house.sent if isinstance(asked, SayThis) for m in asked.messages]


def test_all_pages_are_shown_and_spoken_once(home) -> None:
    home.press("The game in a minute")
    for at, page in enumerate(PAGES):
        assert home.screen == "minute"
        assert home.root.screen.head.sentence == say(page.text)
        assert spoken(home).count(say(page.text)) == 1
        home.press("That was it" if at == len(PAGES) - 1 else "Go on")
    assert home.screen == "start"


def test_one_goes_back_page_by_page_and_can_leave_at_once(home) -> None:
    home.press("The game in a minute")
    home.press("Go on")
    home.press("Back")
    assert home.root.screen.head.sentence == say(PAGES[0].text)
    home.press("Close")
    assert home.screen == "start"


def test_a_page_survives_another_language(home) -> None:
    home.press("The game in a minute")
    home.press("Go on")
    home.root.change_language("pt" if say(PAGES[1].text) == PAGES[1].text.id else "en")
    home.settle()
    assert home.screen == "minute"
    assert home.root.screen.head.sentence == say(PAGES[1].text)


def test_it_leads_back_to_the_seats_and_to_the_book(home) -> None:
    home.press("New game")
    home.press("The game in a minute")
    home.press("Close")
    assert home.screen == "seats"
    home.root.open("rulebook")
    home.settle()
    home.press("The game in a minute")
    home.press("Close")
    assert home.screen == "rulebook"
