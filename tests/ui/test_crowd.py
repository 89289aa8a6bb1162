"""Crowded squares: four seats begin with all heroes in two dungeons, and every figure there can be told and touched."""

from __future__ import annotations

import pytest

from companion.games.sir_holland.state import Lock
from companion.table.ports import Play, Reveal
from companion.ui.boards.sir_holland.crowd import CrowdSheet
from tests.ui import positions
from tests.ui.doors import playing


def _sheet(s) -> CrowdSheet:
    assert isinstance(s.root.sheet, CrowdSheet)
    return s.root.sheet


def _tile(s, figure: str):
    return next(tile for tile in _sheet(s).tiles if tile.figure == figure)


@pytest.fixture
def turn(open_window):
    """Red's turn with a card that moves heroes and villains; everybody sits in the dungeons."""
    return playing(open_window, positions.crowded())


def test_four_seats_begin_with_marks_that_bear_their_heroes_numbers(open_window) -> None:
    house, s = playing(open_window)
    house.begin(list(positions.NAMES), positions.NAMES)
    for seat, card in zip(positions.NAMES, (2, 3, 4, 5), strict=True):
        house.send(Play(Lock(seat, card)))
    house.send(Reveal())
    s.settle()
    s.root.go("turn")
    s.settle()
    tower = s.root.screen.tower
    for square in ("b1", "d1"):
        spots = tower.spots(square, tower.figures)
        assert len(spots) == 4
        assert all(spot.numbers == spot.figure[-1] and spot.px >= 28 for spot in spots)


def test_where_several_are_meant_the_square_opens_large(turn) -> None:
    _house, s = turn
    s.square("b1")
    tiles = _sheet(s).tiles
    assert {tile.figure for tile in tiles} == {"red.1", "blue.1", "green.1", "yellow.1", "knight"}
    assert all(min(tile.size) >= 48 for tile in tiles)
    assert {tile.figure for tile in tiles if tile.lit} == {"red.1", "knight"}
    s.tap(_tile(s, "knight"))
    assert s.root.sheet is None and s.root.screen.picked == "knight"


def test_where_one_is_meant_the_second_touch_opens_it_large(turn) -> None:
    _house, s = turn
    s.square("d1")
    assert s.root.sheet is None and s.root.screen.picked == "red.2"
    s.square("d1")
    s.tap(_tile(s, "red.2"))
    assert s.root.screen.picked == "red.2"


def test_the_table_says_why_another_figure_stays(turn) -> None:
    house, s = turn
    s.square("b1")
    s.tap(_tile(s, "blue.1"))
    assert house.last.kind == "refused" and s.root.screen.notice.panel.ember


def test_nobody_closes_it(turn) -> None:
    house, s = turn
    s.square("b1")
    sent = len(house.sent)
    s.press("Nobody")
    assert s.root.sheet is None and s.root.screen.picked is None and len(house.sent) == sent


def test_putting_right_takes_a_figure_out_of_a_crowd(turn) -> None:
    _house, s = turn
    s.press("Put it right")
    s.square("b1")
    s.tap(_tile(s, "green.1"))
    s.square("e5")
    assert s.root.screen.here.here["figures"]["green.1"] == "e5"


def test_the_judge_is_asked_about_a_figure_of_a_crowd(turn) -> None:
    _house, s = turn
    s.root.open("judge_may")
    s.settle()
    s.square("d1")
    s.tap(_tile(s, "yellow.2"))
    assert s.root.screen.picked == "yellow.2"
