"""The shortest way to say what hands have done, the running line, the three modes, what-ifs. By real touches."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.sir_holland.state import Lock, Move, MoveVillain
from companion.table.ports import Branch, Change, Insist, Leave, Outcome, Play, Reveal
from companion.ui.screens.turn_side import RunningLine
from companion.ui.theme import look
from tests.ui import positions
from tests.ui.engine import House


@pytest.fixture
def at(open_window):
    def opener(state: dict[str, Any], lang: str = "en", mode: str = "coach"):
        house = House()
        house.settings["mode"] = mode
        s = open_window(house, lang)
        house.load(state, positions.NAMES)
        house.send(Change({"mode": mode}))
        s.settle()
        s.draws = False
        house.sent.clear()
        return house, s

    return opener


def labels(s) -> list[str]:
    return [b.text for b in s.buttons() if getattr(b, "text", "")]


def lit(s) -> list[str]:
    return [b.text for b in s.buttons() if b.lit]


# --- the shortest way -------------------------------------------------------------------------------------------


def test_the_square_alone_where_only_one_can_have_gone(at) -> None:
    house, s = at(positions.turn())
    s.square("a3")
    assert house.sent[-1].choice == Move("red", "red.1", ("a3",))


def test_the_square_alone_asks_who_where_several_can(at) -> None:
    house, s = at(positions.turn())
    s.square("b2")
    assert "Who went to b2?" in s.texts()
    assert not house.sent
    s.press("The Dark Wizard")
    assert house.sent[-1].choice == MoveVillain("red", "wizard", ("b2",))


def test_only_who_can_be_meant_is_lit_while_it_is_asked(at) -> None:
    """Who went there, and who of two on a square moves: the question at the top, its square ringed."""
    for state, square, question, who in (
        (positions.turn(), "b2", "Who went to b2?", {"Red 1", "The Dark Wizard"}),
        (positions.pair(), "b1", "Who moves?", {"Red 1", "The Black Knight"}),
    ):
        _house, s = at(state)
        s.square(square)
        assert s.root.screen.head.sentence == question
        assert set(lit(s)) == who
        tower = s.root.screen.tower
        assert (tower.lit, tower.picked) == ({}, [square])
        s.press("Nobody")
        assert tower.lit
        assert square not in tower.picked


def test_a_question_shows_whom_it_is_about_where_there_is_room(at) -> None:
    """The villain that may have gone, and no figure that would lie over the words."""
    _house, s = at(positions.turn(2, 0, 1))
    s.square("b2")
    s.lay_out()
    panel = s.root.screen.notice.panel
    cast = panel.ids.cast
    assert cast.figures == ["wizard"]
    assert cast.top <= panel.ids.words.y + 1
    panel.text = "word " * 60
    panel.height -= 1
    s.lay_out()
    assert not cast.figures


def test_a_long_reason_leaves_its_head_to_the_running_line(at) -> None:
    """Something is told where the whole of it has no room, and the gryphon does not stand there in silence."""
    _house, s = at(positions.turn(), mode="silent")
    s.square("a2")
    s.square("c2")
    line = s.all(lambda w: isinstance(w, RunningLine))[0]
    assert line.text == "Against the rule, but it stands."
    line.wordings = ["word " * 90]
    s.lay_out()
    assert not line.text
    assert not [w for w in line.parent.walk() if getattr(w, "art", "") == "gryphon"]


def test_nobody_went_there(at) -> None:
    house, s = at(positions.turn())
    s.square("b2")
    s.press("Nobody")
    assert not house.sent
    assert s.root.screen.picked is None


def test_the_only_figure_that_can_move_is_in_hand(at) -> None:
    state = positions.turn(5, 1, 0)
    state["figures"]["red.2"] = "roof"
    house, s = at(state)
    assert s.root.screen.picked == "red.1"
    assert set(s.root.screen.tower.lit) == {"b2", "a3", "b4"}
    s.square("a3")
    assert house.sent[-1].choice == Move("red", "red.1", ("a3",))


def test_ways_are_asked_beside_the_tower_and_a_touch_on_it_drops_the_question(at) -> None:
    state = positions.turn(tower=["RWPWW", "WWPRW", "WSPRH", "RSPWW", "RDPDR"])
    house, s = at(state)
    s.square("a2")
    s.square("b3")
    tower = s.root.screen.tower
    # nothing covers the hero: it is asked like every other question
    assert all(b.x >= tower.right for b in s.buttons() if getattr(b, "text", "") in ("On foot", "By passage"))
    assert len(tower.preview) == 2
    assert s.root.screen.head.sentence == "How does Red 1 get to b3?"
    s.square("a3")
    assert s.root.screen.notice is None
    assert s.root.screen.picked == "red.1"
    assert not house.sent
    s.square("b3")
    s.press("Neither")
    assert s.root.screen.picked == "red.1"
    s.square("a3")
    assert house.sent[-1].choice == Move("red", "red.1", ("a3",))


# --- the one thing that is left -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "special", "bright"),
    [
        (2, 1, ["Move a villain"]),
        (3, 1, ["Blow up a card"]),
        (1, 1, ["Hide", "Hide"]),
        (2, 0, ["Nothing more, end my turn"]),
    ],
)
def test_what_is_left_is_bright(at, card: int, special: int, bright: list[str]) -> None:
    _house, s = at(positions.turn(card, 0, special))
    assert lit(s) == bright


def test_nothing_is_bright_while_there_is_a_choice(at) -> None:
    _house, s = at(positions.turn())
    assert lit(s) == []
    assert "Nothing more, end my turn" in labels(s)


# --- the running line -------------------------------------------------------------------------------------------


def told(s) -> str:
    return s.one(lambda w: isinstance(w, RunningLine)).text


def test_the_running_line_tells_what_was_done(at) -> None:
    _house, s = at(positions.turn())
    s.square("a3")
    assert told(s) == "Red 1 goes to a3."
    s.square("b3")
    assert told(s) == "Red 1 goes to a3. Red 1 goes to b3."


def test_the_running_line_outlives_another_language(at) -> None:
    _house, s = at(positions.turn())
    s.square("a3")
    s.root.change_language("pt")
    s.settle()
    assert told(s) == "Vermelho 1 vai para a3."


def test_the_running_line_after_a_restart(at, open_window) -> None:
    house, s = at(positions.turn())
    s.square("a3")
    again = open_window(house)
    house.say(Outcome("done", house.table.snapshot()))
    again.settle()
    assert told(again) == "Red 1 goes to a3."


def test_the_running_line_cuts_no_words_and_keeps_their_size() -> None:
    line = RunningLine(px=18, least=14, size=(200, 40))
    line.wordings = ["word " * 40, "many words " * 20]
    assert line.fits
    assert line.text == ""
    line.wordings = ["word " * 40, "short enough"]
    assert line.text == "short enough"


@pytest.mark.parametrize(("rests", "words"), [(0, "sideways"), (1, "face down"), (2, "and the gryphon.")])
def test_what_a_rest_does_is_said_before_it_is_done(at, rests: int, words: str) -> None:
    _house, s = at(positions.last_turn(rests={"red": 1, "blue": 1, "green": 1, "yellow": rests}))
    assert any(words in t for t in s.texts() if "Take all your cards" in t)


# --- three modes --------------------------------------------------------------------------------------------------


def wish(s) -> None:
    """Red 1 onto the Dark Wizard, which A10 forbids."""
    s.square("a2")
    s.square("c2")


def test_strict_refuses_and_offers_no_exception(at) -> None:
    _house, s = at(positions.turn(), mode="strict")
    wish(s)
    assert "Read the rule" in labels(s)
    assert "We all want it anyway" not in labels(s)


def test_coach_needs_everyone_for_an_exception(at) -> None:
    house, s = at(positions.turn())
    wish(s)
    s.press("We all want it anyway")
    s.tap(s.root.sheet.marks["red"])
    assert "Yes, count it" not in s.texts()
    assert "No, go back" in labels(s)
    assert not [r for r in house.sent if isinstance(r, Insist)]
    for seat in ("blue", "green", "yellow"):
        s.tap(s.root.sheet.marks[seat])
    assert "Yes, count it" in s.texts()
    s.run_down()
    assert s.root.now.view["figures"]["red.1"] == "c2"
    assert s.root.screen.head.sub.startswith("It counts anyway.")


def test_silent_lets_it_stand_and_says_so(at) -> None:
    house, s = at(positions.turn(), mode="silent")
    wish(s)
    assert isinstance(house.sent[-1], Play)
    assert s.root.now.view["figures"]["red.1"] == "c2"
    assert s.root.screen.head.sub.startswith("Against the rule, but it stands.")
    assert s.root.screen.notice is None


# --- what if ------------------------------------------------------------------------------------------------------


def test_a_what_if_says_so_and_leads_back(open_window) -> None:
    house = House()
    s = open_window(house)
    house.begin(("red", "blue"), {"red": "Ana", "blue": "Bruno"}, gryphon="red")
    for lock in (Lock("red", 2), Lock("blue", 4)):
        house.send(Play(lock))
    house.send(Reveal())
    s.settle()
    house.send(Branch(s.root.now.number, s.root.now.seq))
    s.settle()
    assert "What if: nothing of this is kept." in s.texts()
    s.root.open("settings")
    s.settle()
    assert "What if: nothing of this is kept." not in s.texts()
    s.root.back()
    s.settle()
    s.press("Back to the replay")
    assert isinstance(house.sent[-1], Leave)
    assert not s.root.now.sandbox
    assert "What if: nothing of this is kept." not in s.texts()


def test_huge_letters_leave_room_for_what_counts(at) -> None:
    _house, s = at(positions.turn())
    look.text = "huge"
    s.root.rebuild()
    s.settle()
    screen = s.root.screen
    assert screen.card.queue.seats == ["red", "blue"]
    assert not s.all(lambda w: isinstance(w, RunningLine))
    assert screen.tower.pitch >= 56
