"""The table from above: seats clockwise, the gryphon beside its holder, an arrow to the left."""

from __future__ import annotations

from math import cos, pi, sin

from kivy.graphics import Color
from kivy.graphics import SmoothLine as Line
from kivy.properties import BooleanProperty, ListProperty, NumericProperty, StringProperty

from companion.ui.facing import around
from companion.ui.pen import Pen
from companion.ui.theme import c, look, u
from companion.ui.widgets import Drawn


class Ring(Drawn):
    """seats: each next one to the left (clockwise); whoever reads sits at the bottom; halo: seats with a ring."""

    seats = ListProperty([])
    gryphon = StringProperty("")
    halo = ListProperty([])
    arrow = BooleanProperty(True)
    px = NumericProperty(52)

    def watched(self) -> tuple[str, ...]:
        return ("seats", "gryphon", "halo", "px")

    def _radii(self) -> tuple[float, float]:
        px = u(self.px)
        rx, ry = self.width / 2 - px * 0.75, self.height / 2 - px * 0.72
        if len(self.seats) < 4 or rx > ry * 1.6:
            rx = min(rx, ry * 1.35)
        return rx, ry

    def place(self, at: float) -> tuple[float, float]:
        """Where a seat sits, for whoever reads: they sit at the bottom, and the next one to the left of them.

        at: its number among the seats; between two numbers lies the way to the left.
        """
        rx, ry = self._radii()
        count = len(self.seats)
        first, own = around(count, look.facing)
        # where nobody sits at the reader's side, the bottom lies in the middle between two
        angle = -pi / 2 - 2 * pi * (at - first + (0 if own else 0.5)) / count
        return self.center_x + rx * cos(angle), self.center_y + ry * sin(angle)

    def places(self) -> dict[str, tuple[float, float]]:
        """Where each seat sits."""
        return {seat: self.place(i) for i, seat in enumerate(self.seats)}

    def paint(self, pen: Pen) -> None:
        px = u(self.px)
        rx, ry = self._radii()
        pen.group.add(Color(*c("line")))
        pen.group.add(Line(ellipse=(self.center_x - rx, self.center_y - ry, 2 * rx, 2 * ry, 0, 360, 90), width=u(1.5)))
        if self.arrow:
            size = min(rx, ry) * 0.5
            pen.pic("mark_left", self.center_x - size / 2, self.center_y - size / 2, size, c("muted"))
        for seat, (x, y) in self.places().items():
            if seat in self.halo:
                pen.disc(x, y, px + u(16), c("panel"))
                pen.circle(x, y, px + u(16), c("act"), u(3))
            pen.mark(seat, x - px / 2, y - px / 2, px)
            if seat == self.gryphon:
                side = -1 if x > self.center_x + px else 1
                small = px * 0.86
                pen.pic("gryphon", x + side * px * 0.95 - small / 2, y + px * 0.25 - small / 2, small)
