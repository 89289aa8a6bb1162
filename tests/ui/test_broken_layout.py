"""What comes and goes around an open screen takes room of it, and must never break it."""

from __future__ import annotations

import pytest

from companion.games.base import msg
from companion.table.ports import Status
from tests.ui.doors import opened

QUIET = msg("Bruno's reader went quiet. Check its cable, or choose here.")
DOORS = ("settings", "house_rules", "devices", "about", "history", "rulebook", "judge", "judge_order", "judge_may",
         "judge_winner", "touch_test")  # fmt: skip


@pytest.mark.parametrize("door", DOORS)
def test_a_line_that_comes_and_goes_leaves_the_door_as_it_was(open_window, door: str) -> None:
    house, s = opened(open_window, text="large")
    s.root.open(door)
    s.settle()
    before = s.texts()
    for message in (QUIET, None, QUIET, None):
        house.say(Status("reader", "device", message))
        s.settle()
    assert s.screen == door
    assert sorted(s.texts()) == sorted(before)


def test_a_window_that_grows_a_little_keeps_the_settings(open_window) -> None:
    _house, s = opened(open_window)
    s.root.open("settings")
    s.settle()
    before = s.texts()
    for height in (440, 400, 470, 480):
        s.root.column.size_hint_y = height / 480
        s.settle()
    assert sorted(s.texts()) == sorted(before)
