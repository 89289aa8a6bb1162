"""The judge by real touches: three questions, with a game and without one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from kivy.tests.common import UnitTestTouch

from companion.games.sir_holland.state import Explode, Hide, Move
from companion.table.ports import Change, Play, PutRight, SayThis
from companion.ui import words
from companion.ui.boards import question
from companion.ui.boards.cards import CardRing
from companion.ui.screens.judge_order import AnswerRow, CardChoice
from companion.ui.screens.judge_winner import DecisionRow
from tests.ui import positions
from tests.ui.engine import House

Opened = Callable[..., tuple[House, Any]]


@pytest.fixture
def door(open_window) -> Opened:
    """Opens a door, over a table in that position or with no game at all."""

    def opener(name: str, state: dict[str, Any] | None = None, lang: str = "en", size: tuple[int, int] = (800, 480)):
        house = House()
        s = open_window(house, lang, size)
        if state is None:
            house.open()
        else:
            house.load(state, positions.NAMES)
        s.settle()
        s.root.open(name)
        s.settle()
        s.draws = False
        house.sent.clear()
        return house, s

    return opener


def said(house: House) -> str:
    """What is read aloud."""
    assert isinstance(house.sent[-1], SayThis)
    return " ".join(words.say(m) for m in house.sent[-1].messages)


# --- the menu -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "pt"])
@pytest.mark.parametrize(
    ("text", "screen"),
    [("Who goes first?", "judge_order"), ("May I do this?", "judge_may"), ("Who won?", "judge_winner"),
     ("Rule book", "rulebook")],
)  # fmt: skip
def test_every_question_is_a_touch_away_and_back(door: Opened, text: str, screen: str, lang: str) -> None:
    _, s = door("judge", lang=lang)
    s.press(text)
    assert s.screen == screen
    s.press("Back")
    assert s.screen == "judge"
    s.press("Back")
    assert s.screen == "start"


# --- who goes first -----------------------------------------------------------------------------------------------


def rows(s: Any) -> list[tuple[str, str]]:
    """Seat and rule of each place."""
    return [(r.seat, r.rule) for r in reversed(s.all(lambda w: isinstance(w, AnswerRow)))][::-1]


def ring(s: Any) -> CardRing:
    return s.one(lambda w: isinstance(w, CardRing))


def carry(s: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    """A finger takes something from one place to another."""
    start, end = (s.root.screen.to_window(*place) for place in (start, end))
    touch = UnitTestTouch(*start)
    touch.touch_down()
    s.settle(1)
    touch.touch_move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    touch.touch_move(*end)
    s.settle(1)
    touch.touch_up()
    s.settle()


def test_the_order_of_the_open_cards(door: Opened) -> None:
    _, s = door("judge_order", positions.turn())
    assert s.root.screen.head.sentence == "Who goes first? Clara."
    assert rows(s) == [("green", "R22"), ("red", "R24"), ("blue", "R24"), ("yellow", "R22")]


def test_locked_cards_are_no_part_of_the_question(door: Opened) -> None:
    """While cards are chosen the question begins with other cards, the same for every lock."""
    from companion.games.sir_holland.state import Lock

    house, s = door("start", positions.choosing())
    seen = []
    for card in (2, 7):
        house.send(Play(Lock("red", card)))
        s.root.open("judge_order")
        s.settle()
        seen.append((dict(ring(s).cards), rows(s)))
        s.root.back()
    assert seen[0] == seen[1]


def test_another_card_another_answer(door: Opened) -> None:
    _, s = door("judge_order", positions.turn())
    s.touch(*ring(s).to_window(*ring(s).card_at("yellow")))
    cards = s.all(lambda w: isinstance(w, CardChoice))
    assert [c.number for c in cards if c.picked] == [6]
    s.tap(next(c for c in cards if c.number == 1))
    assert s.root.sheet is None
    assert rows(s)[:2] == [("green", "R23"), ("yellow", "R23")]
    assert s.root.screen.head.sentence == "Who goes first? Clara."


def test_the_gryphon_is_carried_or_touched_on(door: Opened) -> None:
    _, s = door("judge_order", positions.turn())
    table = ring(s)
    carry(s, table.gryphon_at("green"), table.places()["blue"])
    assert table.gryphon == "blue"
    assert [seat for seat, _ in rows(s)] == ["green", "blue", "red", "yellow"]
    s.touch(*table.to_window(*table.gryphon_at("blue")))
    assert table.gryphon == "green"


def test_a_seat_goes_out_and_comes_in(door: Opened) -> None:
    _, s = door("judge_order", positions.turn())
    s.touch(*ring(s).to_window(*ring(s).places()["green"]))
    s.press("Nobody here")
    assert [seat for seat, _ in rows(s)] == ["red", "blue", "yellow"]
    # the gryphon was there, so somebody else has it
    assert ring(s).gryphon == "red"
    s.touch(*ring(s).to_window(*ring(s).places()["green"]))
    assert [seat for seat, _ in rows(s)] == ["green", "red", "blue", "yellow"]


def test_seats_change_places_by_hand_or_by_touch(door: Opened) -> None:
    _, s = door("judge_order", positions.turn())
    table = ring(s)
    carry(s, table.places()["red"], table.places()["blue"])
    assert list(table.seats) == ["blue", "red", "green", "yellow"]
    assert [seat for seat, _ in rows(s)] == ["green", "blue", "red", "yellow"]
    s.touch(*table.to_window(*table.places()["blue"]))
    s.press("Sits one place further left")
    assert list(table.seats) == ["red", "blue", "green", "yellow"]


def test_nothing_is_answered_before_everybody_has_a_card(door: Opened) -> None:
    _, s = door("judge_order")
    # they sit opposite each other, as on every other ring
    places = ring(s).places()
    assert places["red"][0] == pytest.approx(places["blue"][0])
    assert s.root.screen.head.sentence == "Who goes first?"
    assert s.root.screen.aloud.off
    for seat, card in (("red", 5), ("blue", 2)):
        assert not rows(s)
        s.touch(*ring(s).to_window(*ring(s).card_at(seat)))
        s.tap(next(c for c in s.all(lambda w: isinstance(w, CardChoice)) if c.number == card))
    assert [seat for seat, _ in rows(s)] == ["blue", "red"]
    assert not s.root.screen.aloud.off


def test_two_have_to_stay(door: Opened) -> None:
    _, s = door("judge_order")
    assert not rows(s)
    s.touch(*ring(s).to_window(*ring(s).places()["red"]))
    assert not [b for b in s.buttons() if getattr(b, "text", "") == "Nobody here"]


def test_the_order_is_read_aloud_and_its_rule_opened(door: Opened) -> None:
    house, s = door("judge_order", positions.turn())
    s.press("Read it aloud")
    assert said(house).startswith("Clara goes first: 1 is the lowest number.")
    s.tap(s.all(lambda w: isinstance(w, AnswerRow) and w.seat == "red")[0])
    assert (s.screen, s.root.screen.rule.id) == ("entry", "R24")
    s.press("Back")
    assert s.screen == "judge_order"


def test_the_question_is_there_again_in_another_language(door: Opened) -> None:
    _, s = door("judge_order", positions.turn())
    s.root.screen.change(gryphon="blue")
    s.root.change_language("pt")
    s.settle()
    assert ring(s).gryphon == "blue"
    assert s.root.screen.head.sentence == "Quem começa? Clara."


# --- may I --------------------------------------------------------------------------------------------------------


def test_yes_with_what_happens(door: Opened) -> None:
    _, s = door("judge_may", positions.turn())
    s.square("a2")
    assert s.root.screen.head.sentence == "May Red 1 do this?"
    s.square("b4")
    assert s.root.screen.verdict.allowed
    assert "Yes." in s.texts()
    assert "Red 1 goes over b2 to b4." in s.texts()
    assert set(s.root.screen.tower.lit) == {"b4"}


def test_no_with_rule_reason_and_what_would_be_allowed(door: Opened) -> None:
    house, s = door("judge_may", positions.turn())
    before = house.table.snapshot()
    s.square("a2")
    s.square("c2")
    assert "No." in s.texts()
    assert "Red 1 may go to b2, b3 or c4." in s.texts()
    assert s.root.screen.tower.bad == ["c2"]
    assert set(s.root.screen.tower.lit) == {"b2", "b3", "c4"}
    s.press("Read it aloud")
    assert said(house).startswith("No. Red 1 cannot stop on c2: the Dark Wizard stands there.")
    s.press("The rule")
    assert (s.screen, s.root.screen.rule.id) == ("entry", "A10")
    s.press("Back")
    # the question is there again, and the table has not moved
    assert "No." in s.texts()
    assert house.table.snapshot() == before


def test_both_readings_and_one_adopted_for_the_next_game(door: Opened) -> None:
    house, s = door("judge_may")
    s.root.screen.set(position=question.taken_over(positions.turn()))
    s.settle()
    s.square("a2")
    s.square("c2")
    s.press("Our reading")
    shown = s.texts()
    assert {"May a hero stop where a villain stands?", "Our reading, after R51", "No, only in a dungeon."} <= set(shown)
    s.press("We play it so")
    assert house.sent == [Change({"house_rules": {"hero_on_villain": "allowed"}})]
    assert "Yes." in s.texts()


def test_a_reading_is_adopted_by_the_whole_table(door: Opened) -> None:
    house, s = door("judge_may", positions.turn())
    s.square("a2")
    s.square("c2")
    s.press("Our reading")
    s.press("We play it so")
    for mark in list(s.root.sheet.marks.values()):
        s.tap(mark)
    s.run_down()
    wanted = PutRight({"rules": {"hero_on_villain": "allowed"}}, ("red", "blue", "green", "yellow"))
    assert house.sent == [wanted]
    assert s.root.now.view["rules"] == {"hero_on_villain": "allowed"}
    assert s.screen == "judge_may"
    assert "Yes." in s.texts()


def test_the_other_half_of_a_card(door: Opened) -> None:
    _, s = door("judge_may", positions.turn(3, 2, 1))
    s.press("Blow up a card")
    s.square("d2")
    assert isinstance(s.root.flow.given["wish"], Explode)
    assert s.root.screen.verdict.allowed
    s.press("Blow up a card")
    s.square("c3")
    assert s.root.screen.verdict.rule == "R61"


def test_hiding_by_its_button(door: Opened) -> None:
    _, s = door("judge_may", positions.turn(1, 1, 1))
    s.press("Hide")
    assert s.root.flow.given["wish"] == Hide("red", "red.1")
    assert s.root.screen.verdict.allowed


def test_climbing_by_its_button(door: Opened) -> None:
    _, s = door("judge_may", positions.turn(5, 1, 1))
    s.press("Climb")
    s.square("d1")
    s.square("d2")
    assert s.root.screen.verdict.allowed
    s.press("Climb")
    s.square("d1")
    s.square("e2")
    assert not s.root.screen.verdict.allowed


def test_a_fall_that_waits(door: Opened) -> None:
    _, s = door("judge_may", positions.falling())
    s.square("a1")
    assert s.root.screen.verdict.rule == "A7"
    assert set(s.root.screen.tower.lit) == {"b1", "d1"}
    s.square("b1")
    assert s.root.screen.verdict.allowed


def test_a_position_is_set_up_by_taps(door: Opened) -> None:
    _, s = door("judge_may")
    s.press("Set up")
    s.square("c2")
    s.square("a4")
    assert s.root.screen.position["figures"]["wizard"] == "a4"
    s.square("b1")
    s.square("a3")
    assert s.root.screen.position["figures"]["red.1"] == "a3"
    s.press("Ask")
    s.square("a3")
    s.square("a4")
    assert not s.root.screen.verdict.allowed


def test_a_hero_is_set_up_to_fall(door: Opened) -> None:
    _, s = door("judge_may")
    s.press("Set up")
    s.square("c2")
    s.square("c1")
    s.square("b1")
    s.square("c1")
    s.square("c1")
    # the hero is the first on the square
    s.press("It falls")
    assert s.root.screen.position["turn"]["pending"] == {"hero": "red.1", "to": ["b1", "d1"]}
    s.press("Ask")
    s.square("d1")
    assert s.root.screen.verdict.allowed


def test_an_impossible_position_says_why(door: Opened) -> None:
    _, s = door("judge_may", positions.turn())
    s.press("Set up")
    s.square("a2")
    s.square("d3")
    assert any("stand together on d3" in text for text in s.texts())
    s.press("Ask")
    s.square("d3")
    assert s.root.screen.verdict is None


def test_seat_card_and_what_is_left_are_chosen(door: Opened) -> None:
    _, s = door("judge_may", positions.turn())
    s.press("Ana")
    s.press("Bruno")
    s.tap(next(c for c in s.all(lambda w: isinstance(w, CardChoice)) if c.number == 4))
    assert s.root.screen.turn == {
        "seat": "blue", "card": 4, "points": 1, "special": 3, "used": [], "pending": None
    }  # fmt: skip
    minus = [b for b in s.buttons() if getattr(b, "text", "") == "–"]
    s.tap(minus[1])
    s.press("is done")
    assert (s.root.screen.turn["special"], s.root.screen.turn["used"]) == (2, ["wizard"])
    s.press("That is the turn")
    s.square("c2")
    s.square("c3")
    assert s.root.screen.verdict.rule == "A16"


def test_what_is_asked_reaches_no_table(door: Opened) -> None:
    house, s = door("judge_may", positions.turn())
    s.square("a2")
    s.square("b4")
    s.square("e2")
    s.square("a1")
    assert house.sent == []


def test_a_game_that_chooses_is_taken_over_without_its_locks() -> None:
    position = question.taken_over(positions.choosing(locked=["red"]))
    assert position["locked"] == []
    assert question.faults(position) == []
    assert position["turn"]["card"] == 2


# --- who won ------------------------------------------------------------------------------------------------------


def steps(s: Any) -> list[str]:
    return [r.rule for r in s.all(lambda w: isinstance(w, DecisionRow))]


def test_the_winner_of_the_open_game(door: Opened) -> None:
    house, s = door("judge_winner", positions.winning())
    assert s.root.screen.head.sentence == "Who won? Ana."
    assert steps(s) == ["R76", "R79"]
    s.press("Read it aloud")
    assert said(house).endswith("Ana wins!")


def test_steppers_change_the_winner(door: Opened) -> None:
    _, s = door("judge_winner")
    assert s.root.screen.head.sentence == "Who won? Blue."
    assert steps(s) == ["R76", "R77", "R78"]
    s.tap(s.root.screen.steppers["red"][1].ids.more)
    assert s.root.screen.head.sentence == "Who won? Red."
    assert steps(s) == ["R76", "R77"]
    s.tap(s.root.screen.steppers["red"][1].ids.more)
    assert s.root.screen.steppers["red"][1].text == "saved"
    assert s.root.screen.steppers["red"][1].ids.more.off
    assert s.root.screen.ended_by == "saved"
    assert steps(s) == ["R76"]


def test_a_house_rule_changes_the_winner(door: Opened) -> None:
    _, s = door("judge_winner")
    levels = {"red": [5, 5], "blue": [6, 1], "green": [1, 1], "yellow": [1, 1]}
    s.root.screen._change(levels=levels)
    s.settle()
    assert s.root.screen.head.sentence == "Who won? Blue."
    s.press("House rules")
    s.press("The levels of heroes still inside, then saved heroes, then the gryphon.")
    assert s.root.screen.head.sentence == "Who won? Red."


def test_who_was_out_first_is_asked_where_it_counts(door: Opened) -> None:
    _, s = door("judge_winner", positions.winning())
    s.press("House rules")
    s.press("The player whose second hero got out first.")
    s.press("Who was out first?")
    assert s.root.screen.head.sentence == "Who won? Ana."
    s.press("First out: Ana")
    assert s.root.screen.head.sentence == "Who won? Bruno."
    assert steps(s)[-1] == "A54b"


def test_more_heroes_than_squares_is_explained(door: Opened) -> None:
    house, s = door("judge_winner", positions.turn())
    s.root.screen._change(levels={seat: [5, 5] for seat in positions.NAMES})
    s.settle()
    assert steps(s) == []
    assert any("Level 5 has five squares" in text for text in s.texts())
    assert not [b for b in s.buttons() if getattr(b, "text", "") == "Read it aloud"]
    assert house.sent == []


def test_seats_go_and_come(door: Opened) -> None:
    _, s = door("judge_winner")
    s.press("Green")
    assert s.root.screen.playing == ["red", "blue", "green"]
    s.tap(next(b for b in s.buttons() if getattr(b, "seat", "") == "blue" and not b.text))
    assert s.root.screen.playing == ["red", "green"]
    assert s.root.screen.given["gryphon"] == "red"


def test_a_step_leads_to_its_rule(door: Opened) -> None:
    _, s = door("judge_winner")
    s.tap(s.all(lambda w: isinstance(w, DecisionRow))[-1])
    assert (s.screen, s.root.screen.rule.id) == ("entry", "R78")


def test_nothing_here_is_a_move(door: Opened) -> None:
    """The wish is a choice of the game, but never asked of the table."""
    _, s = door("judge_may", positions.turn())
    s.square("a2")
    s.square("b2")
    assert isinstance(s.root.flow.given["wish"], Move)
    assert s.root.now.view["figures"]["red.1"] == "a2"
