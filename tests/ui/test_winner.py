"""Reveal, end of a round, winner: reasons, what hands have to do, and why not me."""

from __future__ import annotations

import pytest

from companion.games.sir_holland import desk
from companion.games.sir_holland.state import End, HouseRules, Lock, Rest
from companion.table.ports import Leave, Play, Reveal, SayAgain, TakeBack
from companion.ui import motion, words
from companion.ui.agree import AgreeSheet
from companion.ui.screens.reveal import Reason
from companion.ui.screens.round_end import LastRound, Task
from companion.ui.screens.winner import DecisionStep
from tests import screens
from tests.ui import positions
from tests.ui.engine import House


def _of(s, kind: type) -> list:
    """Those widgets from top to bottom."""
    return sorted(s.all(lambda w: isinstance(w, kind)), key=lambda w: -w.y)


def _revealed(open_window, **cards: int):
    house = House()
    s = open_window(house)
    house.load(positions.choosing(), positions.NAMES)
    for seat, card in cards.items():
        house.send(Play(Lock(seat, card)))
    house.send(Reveal())
    s.settle()
    return house, s


# --- reveal -------------------------------------------------------------------------------------------------------


def test_every_place_has_its_reason(open_window) -> None:
    _house, s = _revealed(open_window, red=3, blue=2, green=1, yellow=7)
    (reason,) = _of(s, Reason)
    assert reason.text.splitlines() == [
        "Clara goes first: 1 is the lowest number.",
        "Bruno comes after Clara: 2 is higher than 1.",
        "Ana comes after Bruno: 3 is higher than 2.",
        "Davi comes after Ana: 7 is higher than 3.",
    ]


def test_two_ties_have_two_reasons_and_two_brackets(open_window) -> None:
    _house, s = _revealed(open_window, red=3, blue=3, green=6, yellow=6)
    motion.finish()
    s.settle()
    assert [r.head for r in _of(s, Reason)] == ["Ana and Bruno played 3.", "Clara and Davi played 6."]
    assert [r.rule for r in _of(s, Reason)] == ["R24", "R23"]
    assert len(s.root.screen.ids_.brackets.spans) == 2


def test_a_reason_leads_to_its_rule(open_window) -> None:
    _house, s = _revealed(open_window, red=2, blue=2, green=1, yellow=6)
    motion.finish()
    s.tap(_of(s, Reason)[0])
    assert (s.screen, s.root.screen.given["rule"]) == ("entry", "R24")
    s.root.back()
    s.settle()
    assert s.screen == "reveal"
    assert len(_of(s, Reason)) == 2


def test_cards_flip_and_a_touch_finishes_it(open_window) -> None:
    _house, s = _revealed(open_window, red=2, blue=2, green=1, yellow=6)
    cards = [card.ids.card for card in s.root.screen.cards]
    assert cards[-1].back
    assert not s.root.screen.ids_.brackets.spans
    # where there is nothing to touch
    s.tap(s.root.screen.head.ids.sentence)
    assert not any(card.back for card in cards)
    assert len(s.root.screen.ids_.brackets.spans) == 1


def test_less_motion_flips_nothing(open_window) -> None:
    house = House()
    house.settings["still"] = True
    s = open_window(house)
    house.open()
    house.load(positions.choosing(), positions.NAMES)
    for seat, card in (("red", 2), ("blue", 2), ("green", 1), ("yellow", 6)):
        house.send(Play(Lock(seat, card)))
    house.send(Reveal())
    s.settle(1)
    assert not any(card.ids.card.back for card in s.root.screen.cards)
    assert not motion.moving()


def test_it_is_said_again(open_window) -> None:
    house, s = _revealed(open_window, red=2, blue=2, green=1, yellow=6)
    motion.finish()
    s.tap(next(b for b in s.buttons() if b.icon == "mark_sound"))
    assert house.sent[-1] == SayAgain()


def test_taking_the_reveal_back_is_everyones_matter(open_window) -> None:
    house, s = _revealed(open_window, red=2, blue=2, green=1, yellow=6)
    motion.finish()
    s.tap(next(b for b in s.buttons() if b.icon == "mark_undo"))
    sheet = s.root.sheet
    assert isinstance(sheet, AgreeSheet)
    assert any("Clara goes first" in text for text in s.texts())
    for mark in sheet.marks.values():
        s.tap(mark)
    s.press("Everyone agrees")
    assert isinstance(house.sent[-1], TakeBack)
    assert s.screen == "choose"
    assert s.root.now.view["locked"] == []


# --- the end of a round -------------------------------------------------------------------------------------------


def _ended(open_window, **changes):
    house = House()
    s = open_window(house)
    house.load(positions.last_turn(**changes), positions.NAMES)
    s.settle()
    house.send(Play(Rest("yellow")))
    s.settle()
    return house, s


def test_only_what_hands_must_do(open_window) -> None:
    _house, s = _ended(open_window)
    assert [t.text for t in _of(s, Task)] == [
        "Stand up again: Green 1.", "Davi has all cards back.", "Lay the played cards aside.",
        "The gryphon stands beside Davi.",
    ]  # fmt: skip
    assert _of(s, Task)[1].sub == "The character card lies face down."
    assert not _of(s, LastRound)
    assert s.root.screen.head.sentence == "Round 4 is over."
    s.press("Done, next round")
    assert s.screen == "choose"


def test_the_last_round_is_announced_across_the_screen(open_window) -> None:
    _house, s = _ended(open_window, rests={"red": 2, "blue": 2, "green": 2, "yellow": 1})
    (warning,) = _of(s, LastRound)
    assert warning.width > s.root.width * 0.95
    assert warning.text == "Everyone has rested twice. This is the last round."


def test_what_hands_must_do_is_still_there_after_a_door(open_window) -> None:
    _house, s = _ended(open_window)
    s.press("Put it right")
    assert s.screen == "put_right"
    s.press("Leave it as it was")
    assert s.screen == "round_end"
    assert len(_of(s, Task)) == 4


def test_the_last_seat_takes_its_end_of_turn_back(open_window) -> None:
    house, s = _ended(open_window)
    s.press("Take back")
    assert not isinstance(s.root.sheet, AgreeSheet)
    s.press("Leave it")
    assert s.screen == "round_end"
    s.press("Take back")
    s.tap(next(b for b in s.buttons() if b.lit))
    assert house.sent[-1] == TakeBack("yellow", False, house.sent[-1].seen)
    assert s.screen == "turn"


# --- the winner ---------------------------------------------------------------------------------------------------


@pytest.fixture
def won(open_window):
    house = House()
    s = open_window(house)
    screens._winner_rested(s)
    s.settle()
    motion.finish()
    return house, s


def _steps(s) -> list[str]:
    return [step.text for step in _of(s, DecisionStep)]


def test_the_decision_step_by_step(won) -> None:
    _house, s = won
    assert _steps(s) == [words.say(m) for m in s.root.now.decision]
    assert [step.taken for step in _of(s, DecisionStep)] == [False, False, True]


def test_every_other_seat_hears_why_not(won) -> None:
    _house, s = won
    view = s.root.now.view
    result = view["result"]
    assert list(s.root.screen.whys) == ["red", "green", "yellow"]
    for seat in ("red", "green", "yellow"):
        s.tap(s.root.screen.whys[seat])
        told = desk.why_not(
            seat, view["seats"], view["gryphon"], result["ended_by"], result["saved"], result["levels"],
            HouseRules(**view["rules"]), view["out"],
        )  # fmt: skip
        assert _steps(s) == [words.say(t.message) for t in told]
    assert _steps(s) == ["Saved heroes: Bruno has 1, Davi has 0."]
    s.tap(s.root.screen.whys["green"])
    assert _steps(s)[-1] == "Highest hero: Bruno on level 3, Clara on level 2."
    s.press("Back")
    assert len(_steps(s)) == 3


def test_a_step_leads_to_its_rule(won) -> None:
    _house, s = won
    s.tap(_of(s, DecisionStep)[1])
    assert (s.screen, s.root.screen.given["rule"]) == ("entry", "R77")


def test_play_again_and_history(won) -> None:
    house, s = won
    s.tap(next(b for b in s.buttons() if b.icon == "mark_history"))
    assert (s.screen, s.root.screen.given["number"]) == ("replay", s.root.now.number)
    s.root.back()
    s.settle()
    assert s.screen == "winner"
    s.press("Play again")
    assert Leave() in house.sent[-2:]
    assert s.screen == "seats"


def test_an_ended_game_can_be_taken_back(won) -> None:
    _house, s = won
    s.tap(next(b for b in s.buttons() if b.icon == "mark_undo"))
    s.tap(next(b for b in s.buttons() if b.lit))
    assert s.screen == "turn"
    assert any(isinstance(choice, End) for choice in s.root.now.choices)
