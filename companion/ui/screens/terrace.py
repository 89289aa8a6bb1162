"""Heroes on the terrace, large: somebody has been saved."""

from __future__ import annotations

from kivy.properties import ListProperty

from companion.ui.pen import Pen
from companion.ui.theme import c, u
from companion.ui.widgets import Drawn


class Terrace(Drawn):
    """The top of the tower with those who stand on it, side by side."""

    figures = ListProperty([])

    def watched(self) -> tuple[str, ...]:
        return ("figures",)

    def paint(self, pen: Pen) -> None:
        wall, merlon, count = self.height * 0.2, self.height * 0.12, 6
        left, low, width = self.x + u(2), self.y, self.width - u(4)
        tooth = width / (2 * count - 1)
        for i in range(count):
            pen.box(left + 2 * i * tooth, low + wall - u(4), tooth, merlon + u(4), c("tower"), [u(4), u(4), 0, 0])
        pen.box(left, low, width, wall, c("tower"), [0, 0, u(8), u(8)])
        px = min(self.height - wall - u(2), width * 0.8 / max(len(self.figures), 1))
        gap = px * 0.25
        x = self.center_x - (len(self.figures) * (px + gap) - gap) / 2
        for figure in self.figures:
            pen.figure(figure, x, low + wall, px)
            x += px + gap
