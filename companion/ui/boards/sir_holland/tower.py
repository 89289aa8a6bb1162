"""The tower of Sir Holland: what stands still is drawn into one texture, and drawn anew only when it changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import hypot
from typing import Any, NamedTuple

from kivy.graphics import Color, Rectangle
from kivy.properties import (
    BooleanProperty,
    DictProperty,
    ListProperty,
    NumericProperty,
    ObjectProperty,
    StringProperty,
)
from kivy.uix.widget import Widget

from companion.games.base import Json
from companion.games.sir_holland.state import COLUMNS, ROOF, SQUARES, card_at
from companion.ui.boards.beats import beats, is_hop, routes
from companion.ui.boards.play import Play, Shake
from companion.ui.boards.sir_holland import explaining
from companion.ui.boards.spots import Spot, row, spots
from companion.ui.explaining import Explanation
from companion.ui.motion import Motion
from companion.ui.pen import TERRAIN, WHITE, Pen, Still, letters
from companion.ui.settle import later
from companion.ui.theme import c, contrast, look, pale, themes, u
from companion.ui.words import _

SIDE = 6
"""Masonry left and right of the cards."""
FADE = 0.1
"""Seconds in which lit squares appear."""
SMALLEST = 120
"""Pixels; a widget that has not got its place yet is smaller, and what is drawn for it would never be seen."""
LEAST = 24
"""Of a figure's mark, in sizes of the design."""
EDGES = (0.55, 0.3, 0.12)
"""How the masonry fades where the levels beyond are not shown."""


@lru_cache(maxsize=32)
def _tile(side: int, radius: float, lit: bool, picked: bool, theme: str) -> Any:
    """The ground of a tower card, with a pixel of margin; drawn once, as there are 25 of them."""

    def paint(pen: Pen) -> None:
        if lit:
            pen.box(0, 0, side + 2, side + 2, c("ink"), radius + 1)
            pen.box(1, 1, side, side, c("act"), radius)
            pen.box(4, 4, side - 6, side - 6, c("lit"), radius - 2)
            return
        # a picked card is lighter, where the theme's lighter stone is not as bright as what is lit
        colours = themes()[theme]
        lighter = picked and contrast(colours["stone_hi"], colours["lit"]) > 1.5
        ground = c("stone_hi" if lighter else "stone")
        red, green, blue, _alpha = ground
        pen.box(1, 1, side, side, (0.72 * red, 0.72 * green, 0.72 * blue, 1.0), radius)
        pen.box(1, 4, side, side - 3, c("stone_hi"), radius)
        pen.box(1, 4, side, side - 5, ground, radius)

    return Still().draw(side + 2, side + 2, (*c("tower")[:3], 0), paint)


def _fade() -> float:
    """How high it is where the masonry fades."""
    return u(4) * len(EDGES)


def _roof(pitch: float) -> float:
    """How high the terrace is."""
    return round(pitch * 0.55 + 5)


class _Plan(NamedTuple):
    """The sizes of a tower; boxes are measured from its own corner."""

    pitch: int
    roof: float
    boxes: dict[str, tuple[float, float, float, float]]


class Tower(Widget):
    """25 squares and the terrace.

    rows: the tower, top level first; figures: name -> square; lying: names; lit: square -> what its coin says (a
    number, the name of a drawing, or nothing); picked: squares with a ring; bad: squares refused or faulty; dim: levels
    that wait; hot: the level in hand; axes: letters and numbers beside it; sky: the colour behind it; preview: what is
    about to happen, as pairs of the squares of a way and the square where it ends.
    """

    rows = ListProperty([])
    figures = DictProperty({})
    lying = ListProperty([])
    lit = DictProperty({})
    picked = ListProperty([])
    bad = ListProperty([])
    dim = ListProperty([])
    hot = NumericProperty(0)
    preview = ListProperty([])
    trail = ListProperty([])
    """What has just happened, where nothing moves; like `preview`, until the next touch."""
    axes = BooleanProperty(True)
    roof_text = StringProperty("")
    sky = ObjectProperty(None, allownone=True)

    def __init__(self, **kwargs: Any) -> None:
        self.register_event_type("on_square")
        super().__init__(**kwargs)
        self._planned: _Plan | None = None
        self._stills = [Still(), Still()]
        self._lit_before: set[str] = set()
        self._down: str | None = None
        self._motion: Motion | None = None
        self._leaving: list[Callable[[], None]] = []
        self._fade: Motion | None = None
        self.away: frozenset[str] = frozenset()
        """Figures and squares that move, so that they are no part of what stands still."""
        with self.canvas:
            Color(*WHITE)
            self._shown = Rectangle()
            self._veil = Color(*WHITE[:3], 0)
            self._next = Rectangle()
        for name in ("rows", "figures", "lying", "lit", "picked", "bad", "dim", "hot", "preview", "trail"):
            self.fbind(name, lambda *_: self._changed())
        for name in ("pos", "size", "axes"):
            self.fbind(name, lambda *_: self._moved())
        self.redraw()

    def redraw(self) -> None:
        """Draw it anew, once everything has its place."""
        later(self._draw)

    def _changed(self) -> None:
        self._planned = None
        self.redraw()

    def _moved(self) -> None:
        """Nothing goes on moving where the tower was."""
        self._changed()
        self.settle()

    # --- sizes ------------------------------------------------------------------------------------------------------

    @property
    def axis(self) -> float:
        """Room for letters and numbers."""
        return u(24) if self.axes else 0

    @property
    def window(self) -> tuple[int, int]:
        """The lowest and the highest level that are shown; 6 is the terrace."""
        return 1, 6

    def fit(self) -> tuple[int, float, float]:
        """From one square to the next, and the lower left corner of a1, in the widget."""
        axis, (first, last) = self.axis, self.window
        levels, terrace = min(last, 5) - first + 1, last == 6
        # what fades away below and above has room of its own
        fade = _fade() * ((first > 1) + (not terrace))
        high = self.height - axis - 15 - fade
        pitch = max(int(min((self.width - axis - 2 * SIDE) / 5, high / (levels + 0.55 * terrace))), 8)
        left = (self.width - axis - 5 * pitch - 2 * SIDE) / 2 + axis + SIDE
        roof = _roof(pitch) if terrace else 0
        low = (self.height - axis - levels * pitch - 10 - roof - fade) / 2 + axis + 6
        return pitch, left, low + (_fade() if first > 1 else 0) - (first - 1) * pitch

    @property
    def masonry(self) -> tuple[float, float, float, float]:
        """x, y, width, height on the screen of all that is drawn of the tower itself."""
        (first, last), (pitch, roof, boxes) = self.window, self._plan
        x, y, _w, _h = boxes[f"a{first}"]
        top = boxes[ROOF][1] + 4 + roof if last == 6 else boxes[f"a{last}"][1] + pitch + 4
        return self.x + x - SIDE, self.y + y - 6, 5 * pitch + 2 * SIDE, top - y + 6

    @property
    def _plan(self) -> _Plan:
        # kept until something changes, as it is asked for hundreds of times in every picture
        if self._planned is None:
            pitch, left, low = self.fit()
            boxes: dict[str, tuple[float, float, float, float]] = {
                square: (left + COLUMNS.index(square[0]) * pitch, low + (int(square[1]) - 1) * pitch, pitch, pitch)
                for square in SQUARES
            }
            boxes[ROOF] = (left, low + 5 * pitch, 5 * pitch, _roof(pitch) + 4)
            self._planned = _Plan(pitch, _roof(pitch), boxes)
        return self._planned

    @property
    def pitch(self) -> int:
        """From one square to the next."""
        return self._plan.pitch

    def width_for(self, height: float) -> float:
        """How wide a tower of that height is."""
        return int((height - self.axis - 15) / 5.55) * 5 + self.axis + 2 * SIDE + 4

    def height_for(self, width: float) -> float:
        """How high a tower of that width is."""
        return int((width - self.axis - 2 * SIDE) / 5) * 5.55 + self.axis + 16

    def box_of(self, square: str) -> tuple[float, float, float, float]:
        """x, y, width, height of a square on the screen, or of the terrace."""
        x, y, w, h = self._plan.boxes[square]
        return self.x + x, self.y + y, w, h

    def square_at(self, x: float, y: float) -> str | None:
        """The square at a point of the screen."""
        for square in (*SQUARES, ROOF):
            left, low, w, h = self.box_of(square)
            if left <= x < left + w and low <= y < low + h:
                return square
        return None

    # --- figures ----------------------------------------------------------------------------------------------------

    def spots(self, square: str, figures: Mapping[str, str]) -> list[Spot]:
        """Who stands on a square, and where on the screen."""
        there = [f for f, s in figures.items() if s == square]
        x, y, w, h = self.box_of(square)
        if square == ROOF:
            left, right = self._terrace_room()
            return [s.moved(0, y) for s in row(there, self.x + left, self.x + right, h * 0.86)]
        gap = self._gap
        found = spots(there, w - gap, min(u(LEAST), (w - gap) * 0.43), self.lying, bool(self.lit.get(square)))
        return [s.moved(x + gap / 2, y + gap / 2) for s in found]

    def crowded(self, square: str) -> bool:
        """Whether so many stand there that only their marks are drawn."""
        return any(spot.mark for spot in self.spots(square, self.figures))

    def spot_of(self, figure: str, figures: Mapping[str, str]) -> Spot:
        """Where that figure stands."""
        return next(s for s in self.spots(figures[figure], figures) if s.figure == figure)

    def place_of(self, figure: str) -> tuple[float, float]:
        """The middle of a figure on the screen."""
        return self.spot_of(figure, self.figures).centre

    def figure_at(self, x: float, y: float) -> str | None:
        """The figure at a point of the screen: of a square's figures the nearest one."""
        square = self.square_at(x, y)
        if square is None:
            return None
        near = [(abs(s.centre[0] - x) + abs(s.centre[1] - y), s.figure) for s in self.spots(square, self.figures)]
        return min(near)[1] if near else None

    def explains(self, x: float, y: float) -> Explanation | None:
        """The figure at a point of the screen, else the square."""
        square = self.square_at(x, y)
        if square is None or not self.rows:
            return None
        half = self.pitch * 0.3
        near = (s for s in self.spots(square, self.figures) if max(abs(s.centre[0] - x), abs(s.centre[1] - y)) < half)
        spot = next(near, None)
        if spot is not None:
            return explaining.figure(spot.figure, square, spot.figure in self.lying)
        return explaining.square(self.rows, self.figures, square)

    # --- motion -----------------------------------------------------------------------------------------------------

    def play(self, before: Mapping[str, Json], events: Sequence[Mapping[str, Json]], after: Mapping[str, Json]) -> None:
        """Show the public state `after`, and how it came about. Where nothing moves, the ways are dotted lines."""
        self.settle()
        found = beats(before, events)
        self.show(after)
        if not found or self.get_root_window() is None or not self.rows:
            return
        if look.still:
            self.trail = routes(found)
            self._motion = Motion(None, lambda _at: None, self._wipe)
            return
        play = Play(self, before, found)
        self.away = play.moves
        self._motion = Motion(play.seconds, play.step, lambda: self._end(play.remove))

    def shake(self, square: str) -> None:
        """A square that was refused."""
        self.settle()
        if square not in SQUARES or look.still:
            return
        shake = Shake(self, square)
        self.away = frozenset((square,))
        self._motion = Motion(Shake.SECONDS, shake.step, lambda: self._end(shake.remove))

    def settle(self) -> None:
        """What moves comes to its end."""
        for motion in (self._fade, self._motion):
            if motion is not None:
                motion.finish()

    def _end(self, remove: Callable[[], None]) -> None:
        self._motion, self.away = None, frozenset()
        if self.get_root_window() is None:
            remove()
        else:
            # what moved stays where it has arrived until the picture that holds it is drawn
            self._leaving.append(remove)
        self.redraw()

    def _wipe(self) -> None:
        self._motion, self.trail = None, []

    # --- touch ------------------------------------------------------------------------------------------------------

    def on_square(self, square: str) -> None:
        """A square was touched."""

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos) or self.disabled:
            return False
        self._down = self.square_at(*touch.pos)
        if self._down is None:
            return False
        touch.grab(self)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        if self._down is not None and self.square_at(*touch.pos) == self._down:
            self.dispatch("on_square", self._down)
        self._down = None
        return True

    # --- drawing ----------------------------------------------------------------------------------------------------

    def show(self, view: Mapping[str, Any]) -> None:
        """Take the public state."""
        if self._motion is not None and self.figures != view["figures"]:
            self.settle()
        self.rows = list(view["tower"])
        self.figures = dict(view["figures"])
        self.lying = list(view["lying"])

    def _draw(self) -> None:
        if min(self.size) < SMALLEST or not self.rows:
            return
        if self._fade is not None:
            self._fade.finish()
        size = (int(self.width), int(self.height))
        self._stills.reverse()
        texture = self._stills[0].draw(*size, self.sky or c("night"), self._paint)
        for rectangle in (self._shown, self._next):
            rectangle.pos, rectangle.size = (int(self.x), int(self.y)), size
        while self._leaving:
            self._leaving.pop()()
        lit, self._lit_before = self._lit_before, set(self.lit)
        moves = self._motion is not None and self._motion.seconds is not None
        if moves or lit.issuperset(self.lit) or self._shown.texture is None or self._shown.texture.size != size:
            self._shown.texture = texture
        else:
            self._light_up(texture)
        self.canvas.ask_update()

    def _light_up(self, texture: Any) -> None:
        """Squares that have become lit fade in together."""
        self._next.texture = texture
        self._veil.a = 0

        def end() -> None:
            self._veil.a, self._fade, self._shown.texture = 0, None, texture

        def step(at: float) -> None:
            self._veil.a = at / FADE

        self._fade = Motion(FADE, step, end)
        if not self._fade.running:
            self._fade = None

    def _paint(self, pen: Pen) -> None:
        self._masonry(pen)
        first, last = self.window
        there = [s for s in SQUARES if s not in self.away and first <= int(s[1]) <= last]
        for square in there:
            self.paint_card(pen, square, -self.x, -self.y)
        if last == 6:
            self._terrace_floor(pen)
        # ways lie on the floor, so that they hide nobody
        for way, end in (*self.trail, *self.preview):
            self._route(pen, way, end)
        for square in sorted(there, key=lambda s: (s in self.bad) + 2 * (s in self.picked)):
            self.paint_figures(pen, square, -self.x, -self.y)
            self._marks(pen, square, -self.x, -self.y)
        if last == 6:
            self._terrace(pen)

    def _masonry(self, pen: Pen) -> None:
        pitch, roof, boxes = self._plan
        first, last = self.window
        left, low, width, high = self.masonry
        left, low = left - self.x, low - self.y
        top = low + high
        keep = top - roof * 0.32 if last == 6 else top
        merlon = pitch * 0.52
        merlons = [(left + i * (width - merlon) / 5, keep - u(4), merlon, top - keep + u(4)) for i in range(6)]
        if last < 6:
            merlons = []
        if look.bold:
            # masonry as black as the night still has its outline
            for box in (*merlons, (left, low, width, keep - low)):
                pen.box(*_grown(box, 2), c("line"), u(5))
        above, below = (u(4), u(4)) if last == 6 else (0, 0), (u(8), u(8)) if first == 1 else (0, 0)
        pen.box(left, low, width, keep - low, c("tower"), [*above, *below])
        for box in merlons:
            pen.box(*box, c("tower"), [4, 4, 0, 0])
        strip = u(4)
        for i, share in enumerate(EDGES):
            if last < 6:
                pen.box(left, top + i * strip, width, strip, c("tower", share))
            if first > 1:
                pen.box(left, low - (i + 1) * strip, width, strip, c("tower", share))
        if not self.axes:
            return
        size = max(u(16), pitch * 0.2)
        letters_at = low - (_fade() if first > 1 else 0) - self.axis * 0.55
        for i, column in enumerate(COLUMNS):
            pen.text(column, left + SIDE + (i + 0.5) * pitch, letters_at, size, c("muted"), False)
        for n in range(first, min(last, 5) + 1):
            hot = self.hot == n
            middle = boxes[f"a{n}"][1] + 0.5 * pitch
            pen.text(str(n), left - self.axis * 0.55, middle, size, c("text") if hot else c("muted"), hot)

    def _terrace_floor(self, pen: Pen) -> None:
        x, y, w, h = self._in_picture(ROOF)
        if ROOF in self.lit:
            pen.box(x, y + 3, w, h * 0.62, c("lit"), u(7))
            pen.frame(x, y + 3, w, h * 0.62, c("act"), 3, u(7))
        if self.axes:
            texture = self._terrace_word()
            colour = c("ink") if ROOF in self.lit else c("on_tower")
            pen.stamp(texture, x + u(4), y + h * 0.36 - texture.size[1] / 2, colour)

    def _terrace(self, pen: Pen) -> None:
        x, y, w, h = self._in_picture(ROOF)
        self.paint_figures(pen, ROOF, -self.x, -self.y)
        if self.lit.get(ROOF):
            self._coin(pen, self.lit[ROOF], x + w - 2, y + h * 0.62 + 2, max(u(24), h * 0.52))
        if ROOF in self.picked:
            pen.frame(x, y + 3, w, h * 0.62, c("act"), u(4), u(7))
        if ROOF in self.bad:
            pen.frame(x, y + 3, w, h * 0.62, c("refuse"), 4, u(7))

    def _in_picture(self, square: str) -> tuple[float, float, float, float]:
        x, y, w, h = self.box_of(square)
        return x - self.x, y - self.y, w, h

    def _terrace_word(self) -> Any:
        return letters(_("Terrace"), round(max(u(15), self.pitch * 0.2)), bold=False)

    def _terrace_room(self) -> tuple[float, float]:
        """From where to where figures stand on the terrace."""
        x, _y, w, h = self.box_of(ROOF)
        left = x - self.x + u(4) + (self._terrace_word().size[0] + u(6) if self.axes else 0)
        return left, x - self.x + w - (h * 0.7 if ROOF in self.lit else 0)

    def _coin(self, pen: Pen, says: str, right: float, top: float, px: float) -> None:
        if says.startswith("action_"):
            pen.medal(says, right, top, px)
        else:
            pen.coin(says, right, top, px)

    @property
    def _gap(self) -> int:
        return 2 if self.pitch < 90 else 4

    def _card(self, square: str, dx: float, dy: float) -> tuple[float, float, float]:
        """Corner and side of a card, from where the tower stands."""
        x, y, pitch, _h = self.box_of(square)
        return x + dx + self._gap / 2, y + dy + self._gap / 2, pitch - self._gap

    def paint_card(self, pen: Pen, square: str, dx: float, dy: float) -> None:
        """The card of a square, moved by so much from its place on the screen."""
        x, y, side = self._card(square, dx, dy)
        kind = card_at(tuple(self.rows), square)
        if kind not in TERRAIN:
            self._empty(pen, x, y, side, square)
        else:
            self._tile(pen, square, x, y, side, kind)

    def _marks(self, pen: Pen, square: str, dx: float, dy: float) -> None:
        """Coin and rings."""
        x, y, side = self._card(square, dx, dy)
        if self.lit.get(square):
            self._coin(pen, self.lit[square], x + side - 1, y + side - 1, max(u(24), round(side * 0.36)))
        radius = u(7) if self.pitch < 90 else 10
        if square in self.picked:
            pen.frame(x - 3, y - 3, side + 6, side + 6, c("act"), u(4), radius + 3)
        if square in self.bad:
            pen.frame(x - 3, y - 3, side + 6, side + 6, c("refuse"), u(4), radius + 3)
            px = round(side * 0.42)
            pen.disc(x + side - px / 2 + 3, y + side - px / 2 + 3, px * 0.94, c("ink"))
            pen.pic("mark_no", x + side - px + 3, y + side - px + 3, px, c("refuse"))

    def paint_square(self, pen: Pen, square: str, dx: float, dy: float) -> None:
        """All of a square."""
        self.paint_card(pen, square, dx, dy)
        self.paint_figures(pen, square, dx, dy)
        self._marks(pen, square, dx, dy)

    def _empty(self, pen: Pen, x: float, y: float, side: float, square: str) -> None:
        pen.box(x, y, side, side, c("night", 0.5), u(7))
        pen.dashes(x, y, side, side, c("line"), u(7))

    def _tile(self, pen: Pen, square: str, x: float, y: float, side: float, kind: str) -> None:
        dim = pale(0.4) if int(square[1]) in self.dim else 1.0
        radius = u(7) if self.pitch < 90 else 10
        lit, picked = square in self.lit, square in self.picked
        pen.stamp(_tile(int(side), radius, lit, picked, look.theme), x - 1, y - 1, (1, 1, 1, dim))
        taken = sum(s == square for s in self.figures.values())
        px, inset = round(side * 0.84), side * 0.08
        mx, my = inset, inset
        if 0 < taken < 3:
            # beside the figures
            px = round(side * 0.58)
            mx, my = side * 0.03, side * 0.97 - px
        elif not taken and self.lit.get(square):
            # below the coin
            px = round(side * 0.74)
            mx, my = side * 0.03, side * 0.03
        # a crowd has to be told from the card that it hides, with any theme
        shade = (pale(0.5) if kind == "W" and not lit else 1.0) * (0.2 if taken > 2 else 1.0) * dim
        pen.pic(f"card_{TERRAIN[kind]}", x + mx, y + my, px, (1, 1, 1, shade))

    def paint_figures(self, pen: Pen, square: str, dx: float, dy: float) -> None:
        """Who stands there and does not move, from the back to the front."""
        for spot in reversed(self.spots(square, self.figures)):
            if spot.figure not in self.away:
                pen.spot(spot.moved(dx, dy), spot.figure in self.lying)

    def centre_of(self, square: str) -> tuple[float, float]:
        """The middle of a square on the screen."""
        x, y, w, h = self.box_of(square)
        return x + w / 2, y + h / 2

    def _route(self, pen: Pen, way: Sequence[str], end: str) -> None:
        """A dotted line through squares, and a ring around the last one. A passage is a bow of hollow dots: nobody

        walks over the squares between.
        """
        places = {square: (x - self.x, y - self.y) for square in way for x, y in [self.centre_of(square)]}
        dots: list[tuple[float, float]] = [places[way[0]]]
        hollow: list[tuple[float, float]] = []
        for here, there in pairwise(way):
            if is_hop(self.rows, here, there):
                hollow += _bow(places[here], places[there], self.pitch * 0.6, u(16))
                dots += [places[here], places[there]]
            else:
                dots += _dots((places[here], places[there]), u(13))
        ring = min(self.box_of(end)[2:]) * 0.8
        x, y = self.centre_of(end)
        for width, colour, px in ((u(9), "ink", u(12)), (u(5), "act", u(8))):
            pen.circle(x - self.x, y - self.y, ring + (u(4) if colour == "ink" else 0), c(colour), width)
            for dot in dots:
                pen.disc(*dot, px, c(colour))
            for dot in hollow:
                pen.circle(*dot, px, c(colour), u(3))


def _dots(points: Sequence[tuple[float, float]], gap: float) -> list[tuple[float, float]]:
    """Points along a line, the first one at its beginning."""
    found = points[:1]
    for (x, y), (to_x, to_y) in pairwise(points):
        n = max(round(hypot(to_x - x, to_y - y) / gap), 1)
        found = [*found, *((x + (to_x - x) * i / n, y + (to_y - y) * i / n) for i in range(1, n + 1))]
    return list(found)


def _bow(start: tuple[float, float], end: tuple[float, float], out: float, gap: float) -> list[tuple[float, float]]:
    """Points between two others along a curve that leaves the straight line by up to `out`."""
    (x, y), (to_x, to_y) = start, end
    far = max(hypot(to_x - x, to_y - y), 1)
    side = (-(to_y - y) / far * out, (to_x - x) / far * out)
    if side[0] > 0:
        # to the left, where there are more often squares of the tower than its edge
        side = (-side[0], -side[1])
    n = max(round(far * 1.1 / gap), 2)
    found = []
    for i in range(1, n):
        share = i / n
        lift = 4 * share * (1 - share)
        found.append((x + (to_x - x) * share + side[0] * lift, y + (to_y - y) * share + side[1] * lift))
    return found


def _grown(box: tuple[float, float, float, float], by: float) -> tuple[float, float, float, float]:
    x, y, w, h = box
    return x - by, y - by, w + 2 * by, h + 2 * by
