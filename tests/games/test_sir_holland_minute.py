"""The game in a minute: what it shows is so by the rules, and short enough for a minute."""

from __future__ import annotations

import pytest

from companion.games.sir_holland import desk, rules
from companion.games.sir_holland.guide import Order, Position
from companion.games.sir_holland.minute import PAGES, Page
from companion.games.sir_holland.state import CARDS, REST, HeroFell, HeroSaved
from companion.wording import Wording, languages

BY_ID = {page.id: page for page in PAGES}
LETTERS_A_MINUTE = 850
"""What is read aloud at an easy pace."""


def events(page: Page) -> list[object]:
    assert isinstance(page.picture, Position)
    assert page.picture.choice is not None
    return list(rules.decide(page.picture.state(), page.picture.choice))


def test_there_are_six_pages_and_a_minute_to_say_them() -> None:
    assert len(PAGES) == len(BY_ID) == 6
    for lang in languages():
        assert sum(len(Wording(lang)(page.text)) for page in PAGES) < LETTERS_A_MINUTE


@pytest.mark.parametrize("page", [p for p in PAGES if isinstance(p.picture, Position)], ids=lambda p: p.id)
def test_what_is_drawn_is_allowed(page: Page) -> None:
    assert events(page)


def test_each_picture_shows_what_its_sentence_says() -> None:
    assert any(isinstance(e, HeroSaved) for e in events(BY_ID["goal"]))
    fell = [e for e in events(BY_ID["villains"]) if isinstance(e, HeroFell)]
    assert [e.hero for e in fell] == ["blue.1"]
    order = BY_ID["order"].picture
    assert isinstance(order, Order)
    first = desk.explain_order(order.seats, order.gryphon, order.cards)[0]
    assert first.rule != "R22", "the gryphon decides who is first"
    assert first.card == min(order.cards.values())
    assert BY_ID["choose"].picture == CARDS
    assert REST not in BY_ID["rest"].away
