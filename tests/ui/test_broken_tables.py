"""Tables that come and go under open doors: what-ifs, games that end elsewhere, seats that nobody plays."""

from __future__ import annotations

import pytest

from companion.games.base import msg
from companion.games.sir_holland.state import Explode, Lock
from companion.table.ports import Abandon, Branch, Hand, Leave, NotSaved, Play, Reveal
from companion.ui.screens.replay import Control
from tests.ui.doors import playing, tapped
from tests.ui.engine import House


@pytest.fixture
def begun(open_window):
    """A game of two, at the first turn of red with the card that explodes; nothing is drawn."""
    house = House()
    s = open_window(house, size=(1280, 800))
    s.draws = False
    house.begin(["red", "blue"], {"red": "Ana", "blue": "Bia"}, gryphon="red")
    s.settle()
    return house, s


def exploding(house: House, s) -> int:
    """Red's turn; gives the entry."""
    for lock in (Lock("red", 3), Lock("blue", 4)):
        house.send(Play(lock))
    house.send(Reveal())
    s.settle()
    return int(s.root.now.seq)


def blow_up(house: House, s) -> None:
    house.send(Play(next(c for c in s.root.now.choices if isinstance(c, Explode))))
    s.settle()


def test_a_new_what_if_has_no_cards_to_move_from_the_last_one(begun) -> None:
    house, s = begun
    seq = exploding(house, s)
    number = s.root.now.number
    house.send(Leave())
    # somebody plays on a table of theirs, and looks at the other game from there
    house.begin(["red", "blue"], {"red": "Ana", "blue": "Bia"}, gryphon="red")
    s.settle()
    for _look in range(2):
        house.send(Branch(number, seq))
        s.settle()
        assert s.screen == "turn"
        assert s.root.screen.job is None
        blow_up(house, s)
        assert s.root.screen.job is not None
        house.send(Leave())
        s.settle()
        assert s.screen == "choose"


def test_a_what_if_leaves_the_cards_that_hands_have_still_to_move(begun) -> None:
    house, s = begun
    seq = exploding(house, s)
    number = s.root.now.number
    blow_up(house, s)
    s.root.screen.tick()
    waiting = (s.root.screen.job, s.root.screen.kept.at)
    assert waiting[0] is not None
    house.send(Branch(number, seq))
    s.settle()
    assert s.root.screen.job is None
    house.send(Leave())
    s.settle()
    assert (s.root.screen.job, s.root.screen.kept.at) == waiting


def test_a_story_of_one_step_can_be_played(begun) -> None:
    _house, s = begun
    s.root.open("replay", number=s.root.now.number)
    s.settle()
    screen = s.root.screen
    screen.steps = screen.steps[-1:]
    screen._show(0)
    s.settle()
    s.tap(s.one(lambda w: isinstance(w, Control) and w.sign == "play"))
    if screen._clock is not None:
        # once its words have been read
        screen._next()
    assert screen.at == 0


@pytest.mark.parametrize("door", ["put_right", "seat"])
def test_no_door_of_a_game_stays_open_without_the_game(begun, door: str) -> None:
    house, s = begun
    number = s.root.now.number
    s.root.open(door)
    s.root.open("history")
    s.root.open("replay", number=number)
    house.send(Abandon(number))
    s.settle()
    assert s.root.now is None
    assert s.screen == "replay"
    for _door in range(3):
        s.root.back()
        s.settle()
        assert s.screen not in ("put_right", "seat")
    assert s.screen == "start"


def test_a_house_rule_can_change_when_a_seat_has_been_given_up(open_window) -> None:
    """Nobody is left who could say yes for it."""
    house, s = playing(open_window)
    house.send(Hand("green", ""))
    s.settle()
    s.root.open("house_rules", switch="rope_down")
    s.settle()
    tapped(s, "Yes, for one step, if the square below has the rope.")
    for mark in list(s.root.sheet.marks.values()):
        s.tap(mark)
    s.run_down()
    assert s.root.now.view["rules"] == {"rope_down": "on"}


def test_a_game_that_cannot_be_given_up_stays_where_it_is(begun, monkeypatch) -> None:
    """The disk says no: the game is still on the screen, also when that is turned."""
    house, s = begun

    def full(_number: int) -> None:
        raise NotSaved(msg("the disk is full."))

    monkeypatch.setattr(house.store, "abandon", full)
    s.root.open("settings")
    s.settle()
    s.root.open_menu()
    for text in ("Stop playing", "End it for good", "Yes, end it"):
        s.settle()
        s.press(text)
    s.settle()
    assert s.root.now is not None
    s.root.rebuild()
    s.settle()
    assert s.screen == "choose"


def test_many_quick_touches_ask_once(begun) -> None:
    """An impatient finger is no touch on an old screen: nothing is told, on the screen or aloud."""
    house, s = begun
    for lock in (Lock("red", 2), Lock("blue", 4)):
        house.send(Play(lock))
    s.settle()
    button = s.button("Reveal")
    house.hold = True
    for _touch in range(10):
        button.dispatch("on_release")
    house.release()
    s.settle()
    assert [r for r in house.sent if isinstance(r, Reveal)] == [Reveal(house.last.before.seen)]
    assert s.screen == "reveal"
    assert s.root.ember == ()


def test_what_is_never_answered_can_be_asked_again(begun) -> None:
    house, s = begun
    for lock in (Lock("red", 2), Lock("blue", 4)):
        house.send(Play(lock))
    s.settle()
    button = s.button("Reveal")
    house.hold = True
    now = s.root.clock()
    s.root.clock = lambda: now
    button.dispatch("on_release")
    now += 2
    button.dispatch("on_release")
    assert len([r for r in house.sent if isinstance(r, Reveal)]) == 2
