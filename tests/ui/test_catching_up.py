"""The picture catches up: an announcement was lost, or could not be drawn once."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from contextlib import suppress

import pytest
from kivy.base import ExceptionManager

from companion.games.sir_holland.state import End, Lock, Move
from companion.table.ports import Home, Leave, Outcome, Play, Reveal
from companion.ui.boards.sir_holland.winner import Winner
from companion.ui.mending import MOST, WITHIN, Mending
from companion.ui.screens.choose import Choose
from companion.ui.screens.reveal import Reveal as RevealScreen
from companion.ui.screens.turn import Turn
from tests.ui import positions
from tests.ui.engine import House


@pytest.fixture
def choosing(open_window):
    """Two seats, all locked in; what cannot be shown is only logged, as in the program."""
    house = House()
    s = open_window(house)
    house.begin(("red", "blue"), {"red": "Ana", "blue": "Bia"}, gryphon="red")
    for lock in (Lock("red", 2), Lock("blue", 4)):
        house.send(Play(lock))
    s.settle()
    house.bridge._listener = s.root.take
    assert s.screen == "choose"
    return house, s


def _lose(house: House, monkeypatch, *requests) -> None:
    """The table acts, and the screen hears nothing of it."""
    with monkeypatch.context() as patch:
        patch.setattr(house, "say", lambda what: None)
        for request in requests:
            house.send(request)


def _fails_once(monkeypatch, screen: type, times: int = 1) -> list[int]:
    """Drawing that screen raises, so many times."""
    update, failed = screen.update, []

    def torn(self, now, outcome):
        if len(failed) < times:
            failed.append(1)
            raise RuntimeError("torn")
        update(self, now, outcome)

    monkeypatch.setattr(screen, "update", torn)
    return failed


def test_a_lost_reveal_is_caught_up_with_at_the_first_stale_touch(choosing, monkeypatch) -> None:
    house, s = choosing
    button = s.button("Reveal")
    _lose(house, monkeypatch, Reveal())
    assert s.screen == "choose"
    s.tap(button)
    assert s.screen == "turn"
    assert s.root.now.seq == house.table.snapshot().seq
    assert s.texts()


def test_a_lost_reveal_is_caught_up_with_at_the_next_act(choosing, monkeypatch) -> None:
    house, s = choosing
    _lose(house, monkeypatch, Reveal())
    move = next(c for c in house.table.snapshot().choices if isinstance(c, Move))
    house.send(Play(move))
    s.settle()
    assert s.screen == "turn"
    assert s.root.screen.tower.figures[move.hero] == move.path[-1]


def test_a_lost_act_of_a_turn_is_caught_up_with(choosing, monkeypatch) -> None:
    """What the screen remembers of the turn before (who is in hand, what is asked) is gone."""
    house, s = choosing
    house.send(Reveal())
    s.settle()
    s.root.back()
    s.settle()
    s.press("Nothing more, end my turn")
    assert s.root.screen.notice is not None
    _lose(house, monkeypatch, Play(End("red")))
    house.send(Play(next(c for c in house.table.snapshot().choices if not isinstance(c, End))))
    s.settle()
    assert s.root.screen.notice is None
    assert s.root.screen.head.seat == "blue"


def test_what_could_not_be_drawn_once_is_shown_in_the_next_frame(choosing, monkeypatch, caplog) -> None:
    house, s = choosing
    failed = _fails_once(monkeypatch, RevealScreen)
    with caplog.at_level(logging.ERROR):
        house.send(Reveal())
        s.settle()
    assert failed
    assert s.screen == "reveal"
    assert isinstance(s.root.screen, RevealScreen)
    assert len(s.root.screen.cards) == 2


@pytest.mark.parametrize("times", [2, 3])
def test_what_cannot_be_drawn_again_and_again_ends_nothing(choosing, monkeypatch, times) -> None:
    """The program goes on, and the next announcement shows where the table is."""
    house, s = choosing
    _fails_once(monkeypatch, Turn, times)
    house.send(Reveal())
    s.settle()
    with suppress(RuntimeError):
        s.root.back()
    s.settle()
    for _act in range(times):
        house.send(Play(next(c for c in house.table.snapshot().choices if not isinstance(c, End))))
        s.settle()
    assert isinstance(s.root.screen, Turn)
    assert s.root.screen.tower.figures == house.table.snapshot().view["figures"]


def test_an_update_that_fails_in_the_middle_of_choosing(choosing, monkeypatch) -> None:
    house, s = choosing
    _fails_once(monkeypatch, Choose)
    house.send(Play(Lock("blue", 5)))
    s.settle()
    assert isinstance(s.root.screen, Choose)
    assert s.root.screen.panels["blue"].locked


def test_home_that_cannot_be_drawn_once(choosing, monkeypatch) -> None:
    from companion.ui.screens.start import Start

    house, s = choosing
    _fails_once(monkeypatch, Start)
    house.send(Leave())
    s.settle()
    assert isinstance(house.last, Home)
    assert isinstance(s.root.screen, Start)
    assert s.texts()


def test_a_lost_end_is_caught_up_with(open_window, monkeypatch) -> None:
    house = House()
    s = open_window(house)
    house.load(positions.winning(), positions.NAMES)
    s.settle()
    button = s.button("Rest")
    _lose(house, monkeypatch, *[Play(c) for c in house.table.snapshot().choices if type(c).__name__ == "Rest"][:1])
    s.tap(button)
    assert s.screen == "winner"
    assert isinstance(s.root.screen, Winner)


def test_a_door_stays_open_while_the_table_is_caught_up_with(choosing, monkeypatch) -> None:
    house, s = choosing
    s.root.open("settings")
    _lose(house, monkeypatch, Reveal())
    house.say(Outcome("nothing", house.table.snapshot()))
    s.settle()
    assert s.screen == "settings"
    s.root.back()
    s.settle()
    assert s.screen == "turn"


# --- in the event loop ----------------------------------------------------------------------------------------------


def test_what_fails_in_the_event_loop_once_ends_nothing(tmp_path) -> None:
    """A touch, a timer, a drawing: the screen is built anew. What fails again and again ends the program."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.ui.torn"], capture_output=True, text=True, timeout=120, check=False
    )
    found = json.loads(done.stdout.partition("FOUND ")[2].partition("\n")[0] or done.stderr)
    assert found == {what: ["Turn", True, 10] for what in ("touch", "timer", "drawing")} | {"lit": found["lit"]}
    assert found["lit"] > 1
    assert "STILL THERE" not in done.stdout
    assert done.returncode != 0
    assert done.stderr.count("is built anew") >= MOST


def test_a_failure_now_and_then_never_ends_the_program() -> None:
    now = [0.0]
    anew: list[float] = []
    mending = Mending(lambda: anew.append(now[0]), lambda: now[0])
    for _again in range(20):
        now[0] += WITHIN / (MOST - 1) + 0.01
        assert mending.handle_exception(RuntimeError()) == ExceptionManager.PASS
    assert len(anew) == 20
    failure = RuntimeError()
    now[0] += WITHIN
    for _asked in range(2):
        # Kivy may ask twice about the same one
        assert mending.handle_exception(failure) == ExceptionManager.PASS
    assert mending.handle_exception(KeyboardInterrupt()) == ExceptionManager.RAISE
