"""The drawn tower: whether its drawings can be told apart, without colour, at the size of the smallest screen."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import combinations, product
from pathlib import Path

import pytest
from kivy.base import EventLoop
from PIL import Image, ImageChops, ImageStat

from companion import resources
from companion.games.sir_holland.state import SQUARES
from companion.ui.boards.sir_holland.tower import Tower
from companion.ui.boards.spots import spots
from companion.ui.theme import themes, u
from tests.ui import positions

SMALL = 40
"""Pixels at which every drawing has to be told from every other one."""
FLOORS = {("card_", "hero_", "villain_", "seat_", "gryphon"): 20, ("action_",): 100, ("mark_",): 35}
"""Drawings that stand beside each other -> how far apart two of them are at least: root mean square of 255 greys."""
HEROES = tuple(f"{seat}.{number}" for seat in positions.NAMES for number in (1, 2))


# --- drawings -------------------------------------------------------------------------------------------------------


def _names() -> list[str]:
    found: list[str] = []
    for atlas in ("all-48", "dark-48"):
        found += json.loads(resources.path("art", f"{atlas}.json").read_text(encoding="utf-8"))
    return found


def _grey(name: str, theme: str) -> Image.Image:
    """A drawing as the screen shows it, without colour."""
    atlas = f"{theme if name.startswith(('seat_', 'hero_')) else 'all'}-48"
    x, y = json.loads(resources.path("art", f"{atlas}.json").read_text(encoding="utf-8"))[name]
    drawing = Image.open(resources.path("art", f"{atlas}.png")).crop((x, y, x + 48, y + 48)).resize((SMALL, SMALL))
    if name.startswith(("action_", "mark_")):
        ink = Image.new("RGBA", (SMALL, SMALL), themes()[theme]["ink"])
        ink.putalpha(drawing.getchannel("A"))
        ground, drawing = Image.new("RGBA", (SMALL, SMALL), themes()[theme]["bone"]), ink
    else:
        ground = Image.new("RGBA", (SMALL, SMALL), themes()[theme]["stone"])
    ground.alpha_composite(drawing)
    return ground.convert("L")


def _apart(a: Image.Image, b: Image.Image) -> float:
    """How different two pictures are, however they are laid on each other."""
    return min(
        ImageStat.Stat(ImageChops.difference(a, ImageChops.offset(b, dx, dy))).rms[0]
        for dx, dy in product((-1, 0, 1), repeat=2)
    )


@pytest.mark.parametrize("theme", themes())
@pytest.mark.parametrize("group", FLOORS, ids=lambda group: group[0])
def test_no_two_drawings_are_alike_in_grey(theme: str, group: tuple[str, ...]) -> None:
    greys = {name: _grey(name, theme) for name in _names() if name.startswith(group)}
    assert len(greys) > 6
    near = {(a, b): d for a, b in combinations(greys, 2) if (d := _apart(greys[a], greys[b])) < FLOORS[group]}
    assert not near


# --- the tower ------------------------------------------------------------------------------------------------------

Board = Callable[..., Tower]


def _picture(tower: Tower, path: Path) -> Image.Image:
    for _ in range(3):
        EventLoop.idle()
    tower.parent.export_to_png(str(path))
    return Image.open(path).convert("L")


def _square(picture: Image.Image, tower: Tower, square: str) -> Image.Image:
    """What is seen of one square, its rings included."""
    x, y, w, h = tower.box_of(square)
    left, top = round(x) - 3, round(picture.height - y - h) - 3
    return picture.crop((left, top, left + round(w) + 6, top + round(h) + 6))


@pytest.mark.parametrize("theme", themes())
def test_states_of_a_square_are_told_apart_in_grey(board: Board, tmp_path: Path, theme: str) -> None:
    """Plain, lit, lit with its cost, picked, refused, about to be landed on: the same square of stone."""
    states = {
        "plain": {}, "lit": {"lit": {"b3": ""}}, "cost": {"lit": {"b3": "2"}}, "picked": {"picked": ["b3"]},
        "refused": {"bad": ["b3"]}, "landing": {"preview": [(("b4", "b3"), "b3")]},
    }  # fmt: skip
    seen = {}
    for name, shown in states.items():
        tower = board(theme, **shown)
        seen[name] = _square(_picture(tower, tmp_path / f"{name}.png"), tower, "b3")
    near = {(a, b): d for a, b in combinations(seen, 2) if (d := _apart(seen[a], seen[b])) < 18}
    assert not near
    # what is lit lies on the brightest ground, with any theme
    ground = {name: image.getpixel((10, 14)) for name, image in seen.items()}
    assert min(ground["lit"], ground["cost"]) > 25 + max(v for k, v in ground.items() if k not in ("lit", "cost"))


@pytest.mark.parametrize("theme", themes())
def test_figures_are_told_apart_in_grey(board: Board, tmp_path: Path, theme: str) -> None:
    """Every hero, standing and lying, and both villains, each alone on the same square."""
    seen = {}
    figures = [(h, lying) for h in HEROES for lying in (False, True)] + [("wizard", False), ("knight", False)]
    tower = board(theme)
    for figure, lying in figures:
        tower.figures, tower.lying = {figure: "b3"}, [figure] if lying else []
        seen[figure, lying] = _square(_picture(tower, tmp_path / "x.png"), tower, "b3")
    near = {}
    for a, b in combinations(seen, 2):
        # the two heroes of a seat differ in their number only
        same = a[0][:-1] == b[0][:-1] and a[1] == b[1]
        if (d := _apart(seen[a], seen[b])) < (2.5 if same else 12):
            near[a, b] = d
    assert not near


@pytest.mark.parametrize("kind", ["companion", "kv"])
def test_every_drawing_that_is_named_is_there(kind: str) -> None:
    """A name in the code or in a layout without its picture would end the screen that draws it."""
    root = Path(resources.__file__).parents[1]
    files = [f for end in ("py", "kv") for f in (root / kind).rglob(f"*.{end}")]
    named = {name for f in files for name in re.findall(r'"(mark_[a-z_]+)"',
                                                        f.read_text(encoding="utf-8"))}  # fmt: skip
    assert not named - set(_names())


# --- crowds ---------------------------------------------------------------------------------------------------------

SIDE = 65
"""Of a card on the small screen."""


@pytest.mark.parametrize("coin", [False, True], ids=["", "coin"])
@pytest.mark.parametrize("n", range(1, 11))
def test_everybody_in_a_crowd_is_seen(n: int, coin: bool) -> None:
    """Each one is at least as large as a mark may be, on its square, and hidden by no other one and no coin."""
    for there in ((*HEROES, "wizard", "knight")[:n], ("wizard", "knight", *HEROES[::-1])[:n], HEROES[::2][:n]):
        found = spots(there, SIDE, 24, (), coin)
        assert {s.figure for s in found} == set(there)
        for spot in found:
            assert spot.px >= 24
            assert spot.x >= -3 and spot.y >= 0 and spot.x + spot.px <= SIDE + 3 and spot.y + spot.px <= SIDE
            if coin and n > 1:
                assert not (spot.centre[0] > SIDE - 24 and spot.centre[1] > SIDE - 24)
        for a, b in combinations(found, 2):
            pile = a.figure[:-1] == b.figure[:-1]
            away = max(abs(a.centre[0] - b.centre[0]), abs(a.centre[1] - b.centre[1]))
            assert away >= (5 if pile else 14), (a, b)


@pytest.mark.parametrize("there", [HEROES[::2], (*HEROES[::2], "wizard"), (*HEROES, "wizard", "knight")], ids=len)
def test_a_finger_finds_each_figure_where_it_is_drawn(board: Board, there: tuple[str, ...]) -> None:
    tower = board(figures=dict.fromkeys(there, "b1"))
    for figure in there:
        assert tower.figure_at(*tower.place_of(figure)) == figure
    assert tower.figure_at(*tower.centre_of("c3")) is None
    assert tower.figure_at(tower.x + 1, tower.y + 1) is None


def test_a_single_figure_is_found_on_all_of_its_square(board: Board) -> None:
    tower = board(figures={"red.1": "d4", "blue.1": "roof", "blue.2": "roof"})
    x, y, w, h = tower.box_of("d4")
    assert all(tower.figure_at(x + i, y + j) == "red.1" for i, j in product((1, w - 1), (1, h - 1)))
    for hero in ("blue.1", "blue.2"):
        assert tower.figure_at(*tower.place_of(hero)) == hero


def test_no_mark_is_smaller_than_the_design_allows(board: Board) -> None:
    tower = board(figures=dict.fromkeys((*HEROES, "wizard", "knight"), "d1"))
    assert min(s.px for s in tower.spots("d1", tower.figures)) >= u(24)
    assert all(tower.box_of(square)[2] >= 56 for square in SQUARES)
