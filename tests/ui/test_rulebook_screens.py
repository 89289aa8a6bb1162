"""The rule book by real touches: pictures, words as one types, entries and back to where one came from."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import find_game
from companion.games.sir_holland.guide import Position
from companion.games.sir_holland.state import level
from companion.table.ports import SayThis
from companion.ui import words
from companion.ui.boards.examples import ExampleTower, told
from companion.ui.screens.rulebook import EntryRow
from companion.ui.widgets import Text
from tests.ui import positions
from tests.ui.engine import House

GAME: Any = find_game("sir-holland")


@pytest.fixture
def book(open_window):
    def opener(lang: str = "en", size: tuple[int, int] = (800, 480), **given: Any):
        house = House()
        s = open_window(house, lang, size)
        house.open()
        s.settle()
        s.draws = False
        s.root.open("rulebook", **given)
        s.settle()
        house.sent.clear()
        return house, s

    return opener


def ids(s: Any) -> list[str]:
    """The entries shown."""
    return [w.rule.id for w in s.all(lambda w: isinstance(w, EntryRow))]


def type_in(s: Any, text: str) -> None:
    for letter in text:
        # a key is no word: "B" is also the mark of a seat
        s.tap(s.button(words._("Space") if letter == " " else letter.upper()))


@pytest.mark.parametrize(
    ("group", "tile", "topic"),
    [("Cards", "Explosion", "explosion"), ("Places", "Rope", "rope"), ("What happens", "A fall", "fall")],
)
def test_by_picture(book, group: str, tile: str, topic: str) -> None:
    _, s = book()
    s.press(group)
    s.press(tile)
    wanted = [r.id for r in GAME.rulebook.about(topic)]
    seen = ids(s)
    while seen[-1] != wanted[-1]:
        s.press("More")
        seen += ids(s)
    assert seen == wanted
    s.press("Back")
    # the pictures one came from
    assert s.button(words._(group)).edge == "act"


@pytest.mark.parametrize(("lang", "typed", "first"), [("en", "wizard", "R3"), ("pt", "calabouco", "R61")])
def test_search_as_one_types_without_accents(book, lang: str, typed: str, first: str) -> None:
    _, s = book(lang)
    s.press("Search by words")
    type_in(s, typed)
    assert s.root.screen.wanted == typed
    assert ids(s)[0] == first
    assert len(s.root.screen.shown) > 1


def test_every_letter_narrows_the_search(book) -> None:
    _, s = book()
    s.press("Search by words")
    counts = []
    for letter in "rope":
        type_in(s, letter)
        counts.append(len(s.root.screen.shown))
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[-1] > 0
    s.press("Erase")
    assert s.root.screen.wanted == "rop"


def test_nothing_found_says_what_to_try(book) -> None:
    _, s = book()
    s.press("Search by words")
    type_in(s, "xyz")
    assert any("Try one word" in text for text in s.texts())


def test_an_entry_and_back_to_the_same_page(book) -> None:
    _, s = book(topic="hero")
    s.press("More")
    here = ids(s)
    s.tap(s.all(lambda w: isinstance(w, EntryRow))[1])
    assert (s.screen, s.root.screen.rule.id) == ("entry", here[1])
    s.press("Back")
    assert (s.screen, ids(s)) == ("rulebook", here)


def test_related_entries_lead_on_and_back(book) -> None:
    _, s = book()
    s.root.open("entry", rule="R22")
    s.settle()
    s.press("A tie without the gryphon")
    assert s.root.screen.rule.id == "R24"
    assert s.root.screen.head.sentence == "A tie without the gryphon"
    s.press("The gryphon moves")
    assert s.root.screen.rule.id == "A51"
    s.press("Back")
    assert s.root.screen.rule.id == "R24"
    s.press("Back")
    assert s.root.screen.rule.id == "R22"
    s.press("Back")
    assert s.screen == "rulebook"


def test_an_entry_reads_itself_aloud_and_names_its_source(book) -> None:
    house, s = book()
    s.root.open("entry", rule="A10")
    s.settle()
    assert s.root.screen.head.sentence == "Stop on a villain?"
    assert s.root.screen.head.sub == "A10. Our reading, after R51"
    s.press("Read it aloud")
    assert house.sent == [SayThis((s.root.screen.rule_message,))]


def test_people_of_an_example_are_no_people_of_this_table(open_window) -> None:
    house = House()
    s = open_window(house)
    house.load(positions.turn(), positions.NAMES)
    s.settle()
    s.root.open("entry", rule="R22")
    s.settle()
    assert any(text.startswith("Example: ") for text in s.texts())
    assert not any(name in text for text in s.texts() for name in positions.NAMES.values())


def test_the_card_that_is_played_is_what_an_entry_leads_to(open_window) -> None:
    house = House()
    s = open_window(house)
    house.load(positions.turn(3, 2, 1), positions.NAMES)
    s.settle()
    s.root.open("entry", rule="R29")
    s.settle()
    assert s.button("Explosion")


def test_a_house_rule_ticks_what_this_table_plays(open_window) -> None:
    house = House()
    s = open_window(house)
    house.load(positions.turn(rules={"hero_on_villain": "allowed"}), positions.NAMES)
    s.settle()
    s.root.open("entry", rule="A10")
    s.settle()
    s.press("House rule")
    ticked = [w for w in s.walk() if getattr(w, "art", "") == "mark_yes" and w.parent.ground == "ok_bg"]
    (row,) = (w.parent for w in ticked)
    assert [w.text for w in row.children if isinstance(w, Text)] == [
        "Yes, and it is safe until a villain ends a move there."
    ]


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_every_entry_can_be_opened_and_read(book, lang: str) -> None:
    """With its picture and with its house rule; no text is cut."""
    _, s = book(lang)
    cut = []
    for rule in GAME.rulebook.rules:
        for tab in ("picture", "house") if rule.switch else ("",):
            s.root.open("entry", rule=rule.id, tab=tab if rule.example or tab == "house" else "house")
            s.lay_out(4)
            cut += [(rule.id, w.text) for w in s.walk() if isinstance(w, Text) and w.text and not w.fits]
    assert not cut


def test_every_example_is_drawn_whole(book) -> None:
    """All its figures and squares lie inside the picture."""
    _, s = book()
    outside = []
    for rule in GAME.rulebook.rules:
        if not isinstance(rule.example, Position):
            continue
        s.root.open("entry", rule=rule.id, tab="picture")
        s.lay_out(4)
        tower = s.one(lambda w: isinstance(w, ExampleTower))
        for square in {*tower.figures.values(), *tower.lit, *tower.bad}:
            assert tower.window[0] <= level(square) <= tower.window[1], (rule.id, square)
        x, y, w, h = tower.masonry
        if x < tower.x - 1 or x + w > tower.right + 1 or y < tower.y - 1 or y + h > tower.top + 1:
            outside.append(rule.id)
    assert not outside


def test_an_example_says_what_the_rules_say() -> None:
    no = told(GAME.rulebook.find("A10").example)
    assert (no.kind, no.bad) == ("no", ("b4",))
    fall = told(GAME.rulebook.find("R50").example)
    assert (fall.kind, fall.lit) == ("yes", ("a4", "a2"))
    assert fall.ways == (("b4", "a4"), ("a4", "a3", "a2"))
