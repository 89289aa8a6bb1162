"""The held lock is counted down: from when people can see that it waits, and anew for everyone after a change."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.sir_holland.state import Lock, Unlock
from companion.table.ports import Leave, Play, Reveal, Status
from companion.ui.run_down import TimeBar
from tests.ui import positions
from tests.ui.engine import House


def _all_in(open_window: Any, **settings: Any) -> tuple[House, Any, list[float]]:
    """Three seats have locked in; the time stands, at now[0]."""
    house = House()
    for name, value in settings.items():
        house.settings[name] = value
    s = open_window(house)
    house.open()
    now = [100.0]
    s.root.clock = lambda: now[0]
    house.load(positions.choosing(), positions.NAMES)
    for seat, card in (("red", 2), ("blue", 3), ("green", 4)):
        house.send(Play(Lock(seat, card)))
    s.settle()
    return house, s, now


def _later(s: Any, now: list[float], seconds: float) -> None:
    now[0] += seconds
    bar = _bars(s)[0]
    before = bar.share
    s.wait(lambda: bar.share != before)


def _bars(s: Any) -> list[Any]:
    return s.all(lambda w: isinstance(w, TimeBar))


def test_it_is_told_when_it_has_been_drawn_and_runs_down(open_window) -> None:
    house, s, now = _all_in(open_window)
    assert not _bars(s) and not house.shown
    house.send(Play(Lock("yellow", 6)))
    assert not house.shown
    s.wait(lambda: bool(house.shown))
    assert house.shown == [s.root.now.seq]
    s.wait(lambda: s.button("Reveal").sub == "By itself in 3")
    (bar,) = _bars(s)
    assert bar.share == 1.0
    _later(s, now, 1.5)
    assert bar.share == pytest.approx(0.5)
    assert s.button("Reveal").sub == "By itself in 2"
    _later(s, now, 1.4)
    assert s.button("Reveal").sub == "By itself in 1"
    assert house.shown == [s.root.now.seq]
    # a touch plays it at once
    s.press("Reveal")
    assert house.sent[-1] == Reveal(house.sent[-1].seen) and s.screen == "reveal"


def test_after_devices_were_set_up_the_screen_counts_as_the_table_does(open_window) -> None:
    house, s, now = _all_in(open_window)
    house.send(Play(Lock("yellow", 6)))
    s.wait(lambda: bool(house.shown))
    _later(s, now, 2.5)
    s.root.open("device_test")
    s.settle()
    s.root.back()
    s.wait(lambda: len(house.shown) == 2)
    assert house.shown[0] == house.shown[1] == s.root.now.seq
    s.wait(lambda: s.button("Reveal").sub == "By itself in 3")


def test_a_change_gives_everyone_the_whole_time_again(open_window) -> None:
    house, s, now = _all_in(open_window)
    house.send(Play(Lock("yellow", 6)))
    s.wait(lambda: bool(house.shown))
    _later(s, now, 2.5)
    assert s.button("Reveal").sub == "By itself in 1"
    house.send(Play(Lock("red", 3)))
    s.wait(lambda: len(house.shown) == 2)
    assert house.shown[-1] == s.root.now.seq
    s.wait(lambda: s.button("Reveal").sub == "By itself in 3")
    house.send(Play(Unlock("red")))
    s.settle()
    assert not _bars(s)


def test_what_a_menu_covers_has_not_been_seen(open_window) -> None:
    house, s, now = _all_in(open_window)
    s.root.open_menu()
    house.send(Play(Lock("yellow", 6)))
    _later_frames(s)
    assert not house.shown
    now[0] += 2
    s.root.close_sheet()
    s.wait(lambda: bool(house.shown))
    # the table has counted since a second after the lock
    s.wait(lambda: s.button("Reveal").sub == "By itself in 2")


def _later_frames(s: Any) -> None:
    """As many frames as it takes where nothing is in the way."""
    ticks = []
    from kivy.clock import Clock

    event = Clock.schedule_interval(lambda _dt: ticks.append(1), 1 / 20)
    s.wait(lambda: len(ticks) > 2)
    event.cancel()


def test_behind_a_door_nobody_sees_it(open_window) -> None:
    house, s, now = _all_in(open_window)
    s.root.open("settings")
    house.send(Play(Lock("yellow", 6)))
    _later_frames(s)
    assert not house.shown
    now[0] += 1.5
    s.root.back()
    s.wait(lambda: bool(house.shown))
    s.wait(lambda: s.button("Reveal").sub == "By itself in 3")
    assert _bars(s)[0].share == pytest.approx(2.5 / 3)


@pytest.mark.parametrize("hold", [3600, 0])
def test_where_somebody_has_to_touch_or_nothing_waits_there_is_no_bar(open_window, hold: float) -> None:
    house, s, _now = _all_in(open_window, hold=hold)
    house.send(Play(Lock("yellow", 6)))
    s.wait(lambda: bool(house.shown))
    assert not _bars(s) and not s.button("Reveal").sub


def test_with_less_motion_it_runs_in_whole_seconds(open_window) -> None:
    house, s, now = _all_in(open_window, still=True)
    house.send(Play(Lock("yellow", 6)))
    s.wait(lambda: bool(house.shown))
    _later(s, now, 1.5)
    assert _bars(s)[0].share == pytest.approx(2 / 3)


def test_it_stops_with_the_game(open_window) -> None:
    house, s, _now = _all_in(open_window)
    house.send(Play(Lock("yellow", 6)))
    s.wait(lambda: bool(house.shown))
    screen = s.root.screen
    house.send(Leave())
    s.settle()
    assert screen._counting is None
    house.say(Status("reader", "device", None))
    assert not s.errors
