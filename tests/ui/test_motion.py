"""What moves: it explains what happened, takes 600 ms at most, and is never in the way of a finger."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from kivy.base import EventLoop
from kivy.tests.common import UnitTestTouch
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.label import Label
from PIL import Image, ImageChops, ImageStat

from companion.games import find_game
from companion.ui import motion
from companion.ui.boards.beats import LONGEST, Beat, beats, routes
from companion.ui.boards.sir_holland.tower import Tower
from companion.ui.widgets import ActionCard, Pennant
from tests.ui import positions
from tests.ui.motions import MOTIONS, act

Board = Callable[..., Tower]
DESIGN = {"walk": 0.18, "climb": 0.09, "portal": 0.18, "villain": 0.18, "passage": 0.39, "knock_off": 0.49,
          "explosion": 0.6, "hide": 0.2, "saved": 0.24}  # fmt: skip
"""Seconds of each motion, as the design has them."""


def _frames(n: int = 3) -> None:
    for _ in range(n):
        EventLoop.idle()


def _wait(until: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not until():
        assert time.monotonic() < end, "it did not happen"
        EventLoop.idle()


def _picture(tower: Tower, path: Path) -> bytes:
    _frames()
    tower.parent.export_to_png(str(path))
    return path.read_bytes()


def _at(moving: motion.Motion, share: float) -> None:
    """Stop it at that moment."""
    assert moving.seconds
    if moving._clock is not None:
        moving._clock.cancel()
    moving._step(moving.seconds * share)


def _play(tower: Tower, name: str) -> Mapping[str, Any]:
    before, events, after = act(name)
    tower.show(before)
    _frames()
    tower.play(before, events, after)
    return after


# --- the tower ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MOTIONS)
def test_it_moves_and_arrives(board: Board, tmp_path: Path, name: str) -> None:
    """In its middle it looks like neither the beginning nor the end; at its end exactly like what simply stands."""
    tower = board(still=False)
    after = _play(tower, name)
    moving = tower._motion
    assert moving is not None and moving.seconds == pytest.approx(DESIGN[name])
    assert tower.figures == after["figures"] and tower.rows == after["tower"]
    _at(moving, 0.0)
    begin = _picture(tower, tmp_path / "begin.png")
    _at(moving, 0.45)
    middle = _picture(tower, tmp_path / "middle.png")
    moving.finish()
    end = _picture(tower, tmp_path / "end.png")
    assert len({begin, middle, end}) == 3
    plain = board(still=True)
    plain.show(after)
    assert _picture(plain, tmp_path / "plain.png") == end
    assert not tower.canvas.after.children and not tower.away


@pytest.mark.parametrize("name", MOTIONS)
def test_it_begins_where_it_was(board: Board, tmp_path: Path, name: str) -> None:
    """Nothing jumps when it begins: whoever moves is seen where it stood."""
    tower = board(still=False)
    before, events, after = act(name)
    tower.show(before)
    places = {f: tower.place_of(f) for f in before["figures"]}
    stood = Image.open(io.BytesIO(_picture(tower, tmp_path / "stood.png"))).convert("RGB")
    tower.play(before, events, after)
    assert tower._motion is not None
    movers = {f for f in before["figures"] if f in tower.away or before["figures"][f] != after["figures"][f]}
    _at(tower._motion, 0.0)
    begun = Image.open(io.BytesIO(_picture(tower, tmp_path / "begun.png"))).convert("RGB")
    assert movers
    for x, y in (places[f] for f in movers):
        # of its body, which hides what is drawn behind it
        left, top = round(x) - 4, round(stood.height - y) + 2
        body = (left, top, left + 8, top + 8)
        assert ImageStat.Stat(stood.crop(body)).stddev[0] > 20
        assert ImageStat.Stat(ImageChops.difference(stood.crop(body), begun.crop(body))).rms[0] < 8


def test_the_screen_around_it_is_left_as_it_was(board: Board, tmp_path: Path) -> None:
    """While it moves, the screen is one texture; then it draws itself again, and nothing is left behind."""
    tower = board(still=False)
    floor = tower.parent
    beside = Label(text="beside", pos=(200, 100))
    floor.add_widget(beside)
    before = [*floor.canvas.children]
    _play(tower, "walk")
    assert tower._motion is not None
    _at(tower._motion, 0.5)
    EventLoop.idle()
    assert tower.canvas not in floor.canvas.children
    one = _picture(tower, tmp_path / "one.png")
    tower.picked = ["e1"]
    assert _picture(tower, tmp_path / "two.png") != one, "what changes meanwhile is seen"
    tower._motion.finish()
    _frames()
    assert [*floor.canvas.children] == before and not tower.canvas.after.children


def test_a_tower_that_leaves_takes_its_motion_with_it(board: Board) -> None:
    tower = board(still=False)
    floor = tower.parent
    _play(tower, "explosion")
    EventLoop.idle()
    assert motion.moving() and tower.canvas not in floor.canvas.children
    floor.remove_widget(tower)
    assert not motion.moving()
    assert all(child in (floor.canvas.before, floor.canvas.after) for child in floor.canvas.children)
    _frames()
    _play(tower, "walk")
    assert not motion.moving(), "nothing moves where nobody sees it"


def test_it_ends_by_itself(board: Board) -> None:
    tower = board(still=False)
    _play(tower, "knock_off")
    assert motion.moving()
    _wait(lambda: not motion.moving())
    _frames()
    assert not motion._running and not tower.canvas.after.children


def test_a_touch_finishes_it_and_acts(board: Board) -> None:
    tower = board(still=False)
    touched: list[str] = []
    tower.bind(on_square=lambda _, square: touched.append(square))
    _play(tower, "explosion")
    EventLoop.idle()
    assert motion.moving()
    touch = UnitTestTouch(*tower.centre_of("c3"))
    touch.touch_down()
    assert not motion.moving()
    touch.touch_up()
    assert touched == ["c3"]


def test_a_touch_beside_the_tower_finishes_it_too(board: Board) -> None:
    tower = board(still=False)
    _play(tower, "walk")
    touch = UnitTestTouch(780, 470)
    touch.touch_down()
    assert not motion.moving()
    touch.touch_up()


def test_what_happens_next_does_not_wait(board: Board) -> None:
    """A second outcome ends the first motion; so does a position that is simply shown."""
    tower = board(still=False)
    _play(tower, "explosion")
    first = tower._motion
    after = _play(tower, "walk")
    assert first is not None and not first.running
    assert tower.figures == after["figures"]
    tower.show(act("hide")[0])
    assert not motion.moving()


def test_nothing_is_played_where_nothing_moved(board: Board) -> None:
    tower = board(still=False)
    before, _events, after = act("walk")
    tower.play(before, [{"what": "turn_ended", "seat": "red"}], after)
    assert not motion.moving() and tower.figures == after["figures"]


def test_less_motion_draws_the_way(board: Board, tmp_path: Path) -> None:
    """The end at once, the way as a dotted line; the next touch takes it away."""
    tower = board(still=True)
    after = _play(tower, "knock_off")
    assert not motion.moving()
    assert tower.trail == [(("b3", "a3"), "a3"), (("a3", "a2"), "a2")]
    dotted = _picture(tower, tmp_path / "dotted.png")
    UnitTestTouch(790, 5).touch_down()
    assert tower.trail == []
    plain = _picture(tower, tmp_path / "plain.png")
    assert dotted != plain and tower.figures == after["figures"]


def test_a_refused_square_shakes(board: Board, tmp_path: Path) -> None:
    tower = board(still=False)
    tower.show(act("walk")[0])
    tower.bad = ["d2"]
    plain = _picture(tower, tmp_path / "plain.png")
    tower.shake("d2")
    assert tower._motion is not None and tower._motion.seconds == pytest.approx(0.18)
    _at(tower._motion, 0.1)
    assert _picture(tower, tmp_path / "shaken.png") != plain
    tower.settle()
    assert _picture(tower, tmp_path / "still.png") == plain


def test_lit_squares_fade_in(board: Board, tmp_path: Path) -> None:
    tower = board(still=False)
    tower.show(act("walk")[0])
    dark = _picture(tower, tmp_path / "dark.png")
    tower.lit = {"b3": "2", "roof": ""}
    EventLoop.idle()
    fading = tower._fade
    assert fading is not None and fading.seconds == pytest.approx(0.1)
    _at(fading, 0.5)
    half = _picture(tower, tmp_path / "half.png")
    fading.finish()
    bright = _picture(tower, tmp_path / "bright.png")
    assert len({dark, half, bright}) == 3
    tower.lit = {}
    EventLoop.idle()
    assert tower._fade is None, "what goes out is gone at once"


def test_preview_shows_what_would_happen(board: Board, tmp_path: Path) -> None:
    tower = board()
    tower.show(act("walk")[0])
    plain = _picture(tower, tmp_path / "plain.png")
    tower.preview = [(("d3", "d2"), "d2")]
    assert _picture(tower, tmp_path / "preview.png") != plain
    tower.preview = []
    assert _picture(tower, tmp_path / "gone.png") == plain


def test_a_passage_crosses_no_square_between(board: Board, tmp_path: Path) -> None:
    """Nobody walks there: the line leaves the squares on the straight way as they were."""
    tower = board()
    tower.show({"tower": ["RWPWW", "WSPRW", "WWPRH", "RWPSW", "RDPDR"], "figures": {}, "lying": []})
    _frames()
    x, y = (round(n) for n in tower.to_window(*tower.centre_of("c3")))
    around = (x - 8, tower.parent.height - y - 8, x + 8, tower.parent.height - y + 8)

    def middle() -> bytes:
        return Image.open(io.BytesIO(_picture(tower, tmp_path / "now.png"))).crop(around).tobytes()

    plain = middle()
    tower.preview = [(("b4", "d2"), "d2")]
    assert middle() == plain
    tower.preview = [(("b4", "c3", "d2"), "d2")]
    assert middle() != plain


def test_a_turn_plays_what_was_touched(open_window: Callable[..., Any]) -> None:
    """In the program: a hero is sent away, the next touch does not wait for it."""
    s = open_window()
    s.house.load(MOTIONS["walk"][0], positions.NAMES)
    s.settle()
    s.square("a2")
    tower = s.root.screen.tower
    _wait(lambda: not motion.moving())
    touch = UnitTestTouch(*tower.centre_of("b3"))
    touch.touch_down()
    touch.touch_up()
    while tower.figures["red.1"] != "b3":
        s.settle(1)
    assert motion.moving() and "red.1" in tower.away
    back = UnitTestTouch(*s.button("Take back").center)
    back.touch_down()
    assert not motion.moving()
    s.settle(1)
    back.touch_up()
    s.settle()
    assert s.root.screen.notice is not None and s.root.screen.notice.lines == [(("b3", "a2"), "a2")]


# --- in time --------------------------------------------------------------------------------------------------------


def test_heroes_that_one_villain_knocks_off_fall_together() -> None:
    before = act("walk")[0]
    events = [
        {"what": "villain_moved", "villain": "wizard", "start": "c2", "path": ["c3", "c4", "c5"]},
        {"what": "fell", "hero": "blue.2", "start": "c5", "to": "c4"},
        {"what": "fell", "hero": "red.1", "start": "c5", "to": "c3"},
    ]
    walk, _, _, one, two = beats(before, events)
    assert (one.begin, one.seconds) == (two.begin, two.seconds) and one.begin > walk.end
    assert one.end == pytest.approx(LONGEST)


def test_a_long_way_is_walked_faster() -> None:
    before = act("walk")[0]
    path = ["b1", "c1", "d1", "e1", "d1", "c1", "b1"]
    found = beats(before, [{"what": "moved", "hero": "red.1", "start": "a1", "path": path}])
    assert found[-1].end == pytest.approx(0.45)
    assert routes(found) == [(("a1", *path), "b1")]


def test_every_outcome_of_a_game_can_be_played(board: Board) -> None:
    """Real games: each outcome has its time, and every figure that moves in it ends where the table has it."""
    kinds: set[str] = set()
    for seed, n in enumerate((2, 3, 4, 4)):
        kinds |= _play_a_game(board(still=False), Random(seed), ("red", "blue", "green", "yellow")[:n])
    assert kinds == {"step", "hop", "fall", "hide", "cheer", "explode"}


def _play_a_game(tower: Tower, rng: Random, seats: tuple[str, ...]) -> set[str]:
    game = find_game("sir-holland")
    assert game is not None
    kinds, state = set(), None
    for event in game.open(seats, {}, rng):
        state = game.apply(state, event)
    for _ in range(600):
        choices = game.choices(state)
        if not choices:
            break
        before = state
        events = game.decide(state, rng.choice([c for c in choices if c.do != "end"] or choices))
        for event in events:
            state = game.apply(state, event)
        public, view = [dict(game.event_to_json(e)) for e in events], game.view(state)
        found = beats(game.view(before), public)
        kinds.update(beat.kind for beat in found)
        assert max((b.end for b in found), default=0) <= LONGEST + 1e-9
        for figure in {b.figure for b in found if b.figure}:
            last: Beat = [b for b in found if b.figure == figure][-1]
            assert last.to == view["figures"][figure]
        tower.play(game.view(before), public, view)
        for share in (0.0, 0.5, 1.0) if found else ():
            assert tower._motion is not None
            _at(tower._motion, share)
    motion.finish()
    EventLoop.idle()
    assert not tower.canvas.after.children
    return kinds


# --- cards and banners ----------------------------------------------------------------------------------------------


def _cards(n: int) -> list[ActionCard]:
    row = BoxLayout()
    cards = [ActionCard(number=i % 7 + 1, seat="red") for i in range(n)]
    for card in cards:
        row.add_widget(card)
    EventLoop.window.add_widget(row)
    _frames()
    return cards


def _moment(cards: list[ActionCard], over: list[bool]) -> motion.Moment:
    return motion.Moment(((0.45, motion.turning(card)) for card in cards), lambda: over.append(True))


def test_cards_turn_over_one_after_another(board: Board) -> None:
    board(still=False)
    cards, over = _cards(3), []
    for card in cards:
        card.back = True
    moment = _moment(cards, over)
    for turned in range(3):
        step = moment._motion
        assert step is not None and step.seconds == 0.45
        _at(step, 0.4)
        assert [card.back for card in cards] == [i >= turned for i in range(3)]
        _at(step, 0.6)
        assert [card.back for card in cards] == [i > turned for i in range(3)]
        assert not over
        step.finish()
    assert over == [True] and not motion.moving()
    assert all(len(card.canvas.before.children) == 1 and not card.canvas.after.children for card in cards)


def test_a_moment_is_skipped_as_a_whole(board: Board) -> None:
    board(still=False)
    cards, over = _cards(4), []
    _moment(cards, over)
    assert motion.skip() and over == [True]
    assert not any(card.back for card in cards)
    assert not motion.skip() and not motion.moving()


def test_what_is_no_moment_is_not_skipped_but_finished(board: Board) -> None:
    board(still=False)
    over: list[bool] = []
    motion.Motion(0.3, lambda _at: None, lambda: over.append(True))
    assert not motion.skip() and not over
    motion.finish()
    assert over


def test_a_moment_whose_screen_is_gone_ends_without_a_word(board: Board) -> None:
    board(still=False)
    cards, over = _cards(4), []
    _moment(cards, over).stop()
    assert not over and not motion.moving()


def test_with_less_motion_cards_lie_open(board: Board) -> None:
    board(still=True)
    cards, over = _cards(3), []
    _moment(cards, over)
    assert over and not any(card.back for card in cards) and not motion.moving()


def test_a_banner_unrolls_and_heroes_grow_and_hop(board: Board) -> None:
    board(still=False)
    (card,) = _cards(1)
    pennant = Pennant(seat="red")
    EventLoop.window.add_widget(pennant)
    for step, widget in (
        (motion.unrolling(pennant), pennant), (motion.hopping([card], 30), card), (motion.growing([card]), card),
    ):  # fmt: skip
        step(0.5)
        assert len(widget.canvas.before.children) == 4
        step(1.0)
        assert len(widget.canvas.before.children) == 1 and not widget.canvas.after.children


def test_nothing_lasts_longer_than_the_design_allows(board: Board) -> None:
    board(still=False)
    assert motion.Motion(3.0, lambda _at: None).seconds == 0.6
    motion.finish()
