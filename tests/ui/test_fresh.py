"""A touch that was meant for one screen does nothing on the next one: real touches, time in the test's hand."""

from __future__ import annotations

import pytest
from kivy.tests.common import UnitTestTouch

from companion.games.base import msg
from companion.games.sir_holland.state import End, Lock
from companion.table.ports import Play, Reveal, Status
from companion.ui.glass import FRESH
from tests.ui import positions
from tests.ui.engine import House, plays

QUICK = 0.27
"""Seconds between two touches of an excited child."""


@pytest.fixture
def table(open_window):
    """A game whose screen guards itself; `table(state)` shows it and lets the moment after it pass."""

    def opener(state, **kwargs):
        s = open_window(House(), **kwargs)
        s.now = 1000.0
        s.root.clock = lambda: s.now
        s.house.load(state, positions.NAMES)
        s.settle()
        s.root.fresh = FRESH
        s.now += 10
        s.house.sent.clear()
        return s

    return opener


def _pass(s, seconds: float) -> None:
    s.settle()
    s.now += seconds


def _quick(s, x: float, y: float, times: int) -> None:
    for _touch in range(times):
        s.touch(x, y)
        _pass(s, QUICK)


def _middle(widget):
    return widget.to_window(*widget.center)


def test_quick_touches_end_one_turn_and_not_the_next(table) -> None:
    """Where "end my turn" was lies the next seat's Rest, and after it the list of what hands have to do."""
    state = positions.turn(2, 0, 0, queue=["red", "blue", "yellow"])
    state["cards"] |= {"blue": 7}
    state["hands"]["blue"] = [1, 2, 3, 4, 6]
    s = table(state)
    _quick(s, *_middle(s.button("Nothing more, end my turn")), 3)
    assert [type(choice) for choice in plays(s.house)] == [End]
    assert s.root.now.view["turn"]["seat"] == "blue"


def test_a_moment_later_the_next_seat_can_act(table) -> None:
    state = positions.turn(2, 0, 0)
    s = table(state)
    s.touch(*_middle(s.button("Nothing more, end my turn")))
    _pass(s, FRESH + 0.01)
    s.square("d3")
    assert s.root.screen.picked == "blue.1"


def test_quick_touches_skip_nothing_that_hands_have_to_do(table) -> None:
    s = table(positions.turn(3, 2, 1))
    s.press("Blow up a card")
    _pass(s, 1)
    s.square("d2")
    _pass(s, 1)
    screen = s.root.screen
    steps = len(screen.job.steps)
    assert steps > 1
    _quick(s, *_middle(s.button("Done, next")), 2)
    assert screen.kept.at == 1


def test_a_double_touch_on_reveal_opens_no_rule(table) -> None:
    s = table(positions.choosing())
    for seat, card in (("red", 2), ("blue", 2), ("green", 4), ("yellow", 6)):
        s.house.send(Play(Lock(seat, card)))
    _pass(s, 1)
    _quick(s, *_middle(s.button("Reveal")), 3)
    assert s.screen == "reveal"
    assert not s.root.flow.doors


def test_a_touch_on_reveal_that_comes_after_the_cards_turned_by_themselves(table) -> None:
    s = table(positions.choosing())
    for seat, card in (("red", 2), ("blue", 2), ("green", 4), ("yellow", 6)):
        s.house.send(Play(Lock(seat, card)))
    _pass(s, 3)
    at = _middle(s.button("Reveal"))
    s.house.send(Reveal())
    _pass(s, 0.2)
    s.touch(*at)
    assert s.screen == "reveal"
    assert not s.root.flow.doors


def test_a_finger_that_was_down_before_the_change_does_nothing_when_it_lifts(table) -> None:
    """The turn of another seat comes while a finger is on its way up."""
    state = positions.turn(2, 0, 0)
    state["cards"] |= {"blue": 7}
    state["hands"]["blue"] = [1, 2, 3, 4, 6]
    s = table(state)
    touch = UnitTestTouch(*_middle(s.button("Nothing more, end my turn")))
    touch.touch_down()
    s.settle(1)
    s.house.send(Play(End("red")))
    s.settle()
    s.house.sent.clear()
    s.now += 5
    touch.touch_up()
    s.settle()
    assert plays(s.house) == []
    s.press("Rest")
    assert len(plays(s.house)) == 1


def test_a_question_that_came_is_not_answered_by_the_touch_that_asked_it(table) -> None:
    """Where "end my turn" lies, the answer "wait" comes up, and after it the button again."""
    s = table(positions.turn())
    at = _middle(s.button("Nothing more, end my turn"))
    _quick(s, *at, 2)
    assert s.root.screen.notice is not None
    _pass(s, 1)
    _quick(s, *_middle(s.button("Wait, not yet")), 3)
    assert plays(s.house) == []
    assert s.root.screen.notice is None


def test_a_sheet_that_comes_by_itself_takes_no_touch(table) -> None:
    s = table(positions.turn())
    text = msg("{seat:seat}, I do not know this card's sticker. Say on the screen which card it is.", seat="blue")
    s.house.say(Status("tag 04A1B2C3", "tag", text, {"uid": "04A1B2C3", "seat": "blue"}))
    s.settle()
    assert s.root.sheet is not None
    sheet = s.root.sheet
    s.touch(5, 5)
    assert s.root.sheet is sheet
    _pass(s, 1)
    s.touch(5, 5)
    assert s.root.sheet is None


def test_a_door_that_a_double_touch_opens_is_only_opened(table) -> None:
    s = table(positions.turn())
    _quick(s, *_middle(s.root.screen.head.ids.menu), 2)
    assert type(s.root.sheet).__name__ == "MenuSheet"
    _pass(s, 1)
    s.press("Settings")
    _pass(s, 1)
    before = dict(s.root.settings)
    tile = next(b for b in s.buttons() if getattr(b, "text", "") == "Language")
    _quick(s, *_middle(tile), 3)
    assert s.root.flow.doors[-1] == ("settings", {"page": "lang"})
    assert dict(s.root.settings) == before


def test_what_is_touched_again_and_again_is_not_slowed(table) -> None:
    """Figures and squares, letters of the keyboard, marks of everyone's yes."""
    s = table(positions.turn())
    s.square("a2")
    _pass(s, 0.1)
    s.square("b2")
    _pass(s, 0.1)
    s.square("b3")
    assert len(plays(s.house)) == 2
    _pass(s, 1)
    s.root.open("rulebook", typing=True)
    _pass(s, 1)
    for letter in "GRY":
        s.press(letter)
        _pass(s, 0.1)
    assert s.root.flow.given["words"].lower() == "gry"


def test_the_privacy_cover_opens_to_a_finger_that_is_held_at_once(table) -> None:
    """A hold is never meant for what lay there before."""
    s = table(positions.choosing())
    s.tap(s.root.screen.panels["blue"].ids.act)
    s.now += 0.1
    s.open_cover()
    assert s.root.sheet.is_open
    # the finger that opened it picks nothing, nor does one right after it
    s.now += 0.1
    s.tap(s.root.sheet.cards[1])
    assert s.root.sheet.picked == 0
    _pass(s, FRESH)
    s.tap(s.root.sheet.cards[1])
    assert s.root.sheet.picked == 2
    _quick(s, *_middle(s.root.sheet.lock), 2)
    # the second touch on the lock does not send the next seat's cover away
    assert (s.root.sheet.seat, s.root.sheet.is_open) == ("green", False)
    assert len(plays(s.house)) == 1


def test_a_touch_that_comes_when_a_reader_locks_in_takes_no_card_back(table) -> None:
    """"Choose here" has become "Change my card" under the finger."""
    s = table(positions.choosing())
    at = _middle(s.root.screen.panels["blue"].ids.act)
    s.house.send(Play(Lock("blue", 2)))
    _pass(s, 0.1)
    s.house.sent.clear()
    s.touch(*at)
    assert plays(s.house) == []
    assert s.root.now.view["locked"] == ["blue"]
    _pass(s, 1)
    s.touch(*at)
    assert s.root.now.view["locked"] == []


def test_what_comes_up_on_the_first_screen_waits_for_eyes(open_window) -> None:
    s = open_window(House())
    s.now = 1000.0
    s.root.clock, s.root.fresh = lambda: s.now, FRESH
    s.settle()
    s.now += 10
    s.house.open()
    s.settle()
    at = _middle(s.button("New game"))
    s.touch(*at)
    assert s.screen == "start"
    _pass(s, FRESH + 0.01)
    s.touch(*at)
    assert s.screen == "seats"
