"""The tower of Sir Holland: what stands still is drawn into one texture, and drawn anew only when it changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from kivy.clock import Clock
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

from companion.games.sir_holland.state import COLUMNS, ROOF, SQUARES, VILLAINS, card_at
from companion.ui.pen import TERRAIN, WHITE, Pen, Still
from companion.ui.theme import c, look, u
from companion.ui.words import _

SIDE = 6
"""Masonry left and right of the cards."""


@lru_cache(maxsize=32)
def _tile(side: int, radius: float, lit: bool, picked: bool, theme: str) -> Any:
    """The ground of a tower card, with a pixel of margin; drawn once, as there are 25 of them."""

    def paint(pen: Pen) -> None:
        if lit:
            pen.box(0, 0, side + 2, side + 2, c("ink"), radius + 1)
            pen.box(1, 1, side, side, c("act"), radius)
            pen.box(4, 4, side - 6, side - 6, c("lit"), radius - 2)
            return
        ground = c("stone_hi" if picked else "stone")
        red, green, blue, _alpha = ground
        pen.box(1, 1, side, side, (0.72 * red, 0.72 * green, 0.72 * blue, 1.0), radius)
        pen.box(1, 4, side, side - 3, c("stone_hi"), radius)
        pen.box(1, 4, side, side - 5, ground, radius)

    return Still().draw(side + 2, side + 2, (*c("tower")[:3], 0), paint)


class Tower(Widget):
    """25 squares and the terrace.

    rows: the tower, top level first; figures: name -> square; lying: names; lit: square -> what its coin says (a
    number, the name of a drawing, or nothing); picked: squares with a ring; bad: squares refused or faulty; dim: levels
    that wait; hot: the level in hand; axes: letters and numbers beside it; sky: the colour behind it.
    """

    rows = ListProperty([])
    figures = DictProperty({})
    lying = ListProperty([])
    lit = DictProperty({})
    picked = ListProperty([])
    bad = ListProperty([])
    dim = ListProperty([])
    hot = NumericProperty(0)
    axes = BooleanProperty(True)
    roof_text = StringProperty("")
    sky = ObjectProperty(None, allownone=True)

    def __init__(self, **kwargs: Any) -> None:
        self.register_event_type("on_square")
        super().__init__(**kwargs)
        self._still = Still()
        self._down: str | None = None
        with self.canvas:
            Color(*WHITE)
            self._shown = Rectangle()
        self.redraw = Clock.create_trigger(self._draw, -1)
        for name in ("pos", "size", "rows", "figures", "lying", "lit", "picked", "bad", "dim", "hot"):
            self.fbind(name, lambda *_: self.redraw())
        self.redraw()

    # --- sizes ------------------------------------------------------------------------------------------------------

    @property
    def axis(self) -> float:
        """Room for letters and numbers."""
        return u(24) if self.axes else 0

    @staticmethod
    def _roof(pitch: float) -> float:
        return round(pitch * 0.55 + 5)

    @property
    def pitch(self) -> int:
        """From one square to the next."""
        wide = (self.width - self.axis - 2 * SIDE) / 5
        high = (self.height - self.axis - 15) / 5.55
        return max(int(min(wide, high)), 8)

    def width_for(self, height: float) -> float:
        """How wide a tower of that height is."""
        return int((height - self.axis - 15) / 5.55) * 5 + self.axis + 2 * SIDE + 4

    def height_for(self, width: float) -> float:
        """How high a tower of that width is."""
        return int((width - self.axis - 2 * SIDE) / 5) * 5.55 + self.axis + 16

    def _origin(self) -> tuple[float, float]:
        """Lower left corner of a1, in the widget."""
        pitch = self.pitch
        width = self.axis + 5 * pitch + 2 * SIDE
        height = self.axis + 5 * pitch + 10 + self._roof(pitch)
        return (self.width - width) / 2 + self.axis + SIDE, (self.height - height) / 2 + self.axis + 6

    def box_of(self, square: str) -> tuple[float, float, float, float]:
        """x, y, width, height of a square on the screen, or of the terrace."""
        x0, y0 = self._origin()
        pitch = self.pitch
        if square == ROOF:
            return self.x + x0, self.y + y0 + 5 * pitch, 5 * pitch, self._roof(pitch) + 4
        column, level = COLUMNS.index(square[0]), int(square[1])
        return self.x + x0 + column * pitch, self.y + y0 + (level - 1) * pitch, pitch, pitch

    def square_at(self, x: float, y: float) -> str | None:
        """The square at a point of the screen."""
        for square in (*SQUARES, ROOF):
            left, low, w, h = self.box_of(square)
            if left <= x < left + w and low <= y < low + h:
                return square
        return None

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
        self.rows = list(view["tower"])
        self.figures = dict(view["figures"])
        self.lying = list(view["lying"])

    def _draw(self, *_: Any) -> None:
        if self.width < 40 or self.height < 40 or not self.rows:
            return
        size = (int(self.width), int(self.height))
        self._shown.texture = self._still.draw(*size, self.sky or c("night"), self._paint)
        self._shown.pos = (int(self.x), int(self.y))
        self._shown.size = size
        self.canvas.ask_update()

    def _paint(self, pen: Pen) -> None:
        self._masonry(pen)
        for square in SQUARES:
            if square not in self.picked and square not in self.bad:
                self._square(pen, square)
        for square in (*self.bad, *self.picked):
            if square in SQUARES:
                self._square(pen, square)
        self._terrace(pen)

    def _masonry(self, pen: Pen) -> None:
        x0, y0 = self._origin()
        pitch, roof = self.pitch, self._roof(self.pitch)
        left, low, width = x0 - SIDE, y0 - 6, 5 * pitch + 2 * SIDE
        top = y0 + 5 * pitch + 4 + roof
        keep = top - roof * 0.32
        pen.box(left, low, width, keep - low, c("tower"), [u(4), u(4), u(8), u(8)])
        merlon = pitch * 0.52
        for i in range(6):
            pen.box(left + i * (width - merlon) / 5, keep - u(4), merlon, top - keep + u(4), c("tower"), [4, 4, 0, 0])
        if not self.axes:
            return
        size = max(u(16), pitch * 0.2)
        for i in range(5):
            hot = self.hot == i + 1
            colour = c("text") if hot else c("muted")
            pen.text(str(i + 1), left - self.axis * 0.55, y0 + (i + 0.5) * pitch, size, colour, hot)
            pen.text(COLUMNS[i], x0 + (i + 0.5) * pitch, low - self.axis * 0.55, size, c("muted"), False)

    def _terrace(self, pen: Pen) -> None:
        x, y, w, h = self.box_of(ROOF)
        x, y = x - self.x, y - self.y
        there = [f for f, s in self.figures.items() if s == ROOF]
        if ROOF in self.lit:
            pen.box(x, y + 3, w, h * 0.62, c("lit"), u(7))
            pen.frame(x, y + 3, w, h * 0.62, c("act"), 3, u(7))
        px = h * 0.86
        at = x + u(4)
        if self.axes:
            size = max(u(15), self.pitch * 0.2)
            text = _("Terrace")
            colour = c("ink") if ROOF in self.lit else c("on_tower")
            from companion.ui.pen import letters

            texture = letters(text, round(size), bold=False)
            pen.stamp(texture, at, y + h * 0.36 - texture.size[1] / 2, colour)
            at += texture.size[0] + u(6)
        room = x + w - (h * 0.7 if ROOF in self.lit else 0) - at
        step = min(px * 1.02, (room - px) / max(len(there) - 1, 1)) if len(there) > 1 else px
        for i, figure in enumerate(there):
            pen.figure(figure, at + i * step, y + 2, px)
        if self.lit.get(ROOF):
            self._coin(pen, self.lit[ROOF], x + w - 2, y + h * 0.62 + 2, max(u(24), h * 0.52))
        if ROOF in self.bad:
            pen.frame(x, y + 3, w, h * 0.62, c("refuse"), 4, u(7))

    def _coin(self, pen: Pen, says: str, right: float, top: float, px: float) -> None:
        if says.startswith("action_"):
            pen.medal(says, right, top, px)
        else:
            pen.coin(says, right, top, px)

    def _square(self, pen: Pen, square: str) -> None:
        x, y, pitch, _h = self.box_of(square)
        gap = 2 if pitch < 90 else 4
        x, y, side = x - self.x + gap / 2, y - self.y + gap / 2, pitch - gap
        there = [f for f, s in self.figures.items() if s == square]
        kind = card_at(tuple(self.rows), square)
        if kind not in TERRAIN:
            self._empty(pen, x, y, side, square)
        else:
            self._tile(pen, square, x, y, side, kind, bool(there))
        self._figures(pen, there, x, y, side)
        if self.lit.get(square):
            self._coin(pen, self.lit[square], x + side - 1, y + side - 1, max(u(24), round(side * 0.36)))
        radius = u(7) if pitch < 90 else 10
        if square in self.picked:
            pen.frame(x - 3, y - 3, side + 6, side + 6, c("act"), u(4), radius + 3)
        if square in self.bad:
            pen.frame(x - 3, y - 3, side + 6, side + 6, c("refuse"), u(4), radius + 3)
            px = round(side * 0.42)
            pen.disc(x + side - px / 2 + 3, y + side - px / 2 + 3, px * 0.94, c("ink"))
            pen.pic("mark_no", x + side - px + 3, y + side - px + 3, px, c("refuse"))

    def _empty(self, pen: Pen, x: float, y: float, side: float, square: str) -> None:
        pen.box(x, y, side, side, c("night", 0.5), u(7))
        pen.dashes(x, y, side, side, c("line"), u(7))

    def _tile(self, pen: Pen, square: str, x: float, y: float, side: float, kind: str, taken: bool) -> None:
        dim = 0.4 if int(square[1]) in self.dim else 1.0
        radius = u(7) if self.pitch < 90 else 10
        lit, picked = square in self.lit, square in self.picked
        pen.stamp(_tile(int(side), radius, lit, picked, look.theme), x - 1, y - 1, (1, 1, 1, dim))
        px = round(side * (0.58 if taken else 0.84))
        mx, my = (side * 0.03, side * 0.97 - px) if taken else ((side - px) / 2, (side - px) / 2)
        shade = (0.5 if kind == "W" and not lit else 1.0) * dim
        pen.pic(f"card_{TERRAIN[kind]}", x + mx, y + my, px, (1, 1, 1, shade))

    def _figures(self, pen: Pen, there: Sequence[str], x: float, y: float, side: float) -> None:
        n = len(there)
        if n > 4:
            self._crowd(pen, there, x, y, side)
            return
        px = round(side * (0.75 if n == 1 else 0.54 if n == 2 else 0.44))
        for i, figure in enumerate(there):
            if n == 1:
                fx, fy = side - px - side * 0.02, side * 0.02
            elif n == 2:
                fx, fy = side * 0.02 + i * (side - px - side * 0.04), side * 0.02
            else:
                fx, fy = side * 0.03 + (i % 2) * (side - px - side * 0.06), side * 0.02 + (1 - i // 2) * px * 0.86
            pen.figure(figure, x + fx, y + fy, px, figure in self.lying, number=n < 3)

    def _crowd(self, pen: Pen, there: Sequence[str], x: float, y: float, side: float) -> None:
        """Too many to draw: a mark for each, in rows."""
        columns = 3
        px = min(side / columns - 1, max(u(20), side * 0.3))
        for i, figure in enumerate(there):
            fx = x + (i % columns) * (side / columns) + 1
            fy = y + side - (i // columns + 1) * (px + 1)
            if figure in VILLAINS:
                pen.pic(f"villain_{figure}", fx, fy, px)
            else:
                pen.mark(figure.partition(".")[0], fx, fy, px)
