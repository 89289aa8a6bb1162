"""Memory: screens that were left are gone, also where people play so fast that there is never a pause."""

from __future__ import annotations

import gc

import pytest

from companion.ui import memory
from companion.ui.screens.base import Screen
from tests.ui import positions

SOME = 40
"""Changes of screens."""


def alive() -> int:
    return sum(issubclass(type(thing), Screen) for thing in gc.get_objects())


@pytest.fixture
def in_play(at):
    """A turn, with the real search for garbage; what other tests left is gone."""
    _house, screenful = at(positions.turn())
    screenful.root.memory.sweep.timeout = 0
    memory.search()
    gc.unfreeze()
    yield screenful
    gc.freeze()


def test_fast_play_leaves_no_screens_behind(in_play) -> None:
    before, most = alive(), 0
    for _ in range(SOME):
        in_play.root.go("reveal" if in_play.screen == "turn" else "turn")
        in_play.root.memory.stir()
        in_play.settle(2)
        most = max(most, alive())
    assert most <= before + 3, "each screen is freed soon after it was left"


def test_a_pause_frees_the_last_one(in_play) -> None:
    before = alive()
    in_play.root.open("settings")
    in_play.settle(2)
    memory.search()
    assert alive() == 0, "frozen: the next search passes over it"
    in_play.root.back()
    in_play.settle(2)
    in_play.root.memory._in_a_pause(0)
    gc.unfreeze()
    assert alive() <= before
