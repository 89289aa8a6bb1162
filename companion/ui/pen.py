"""Draws the things of the table into a canvas: pictures, letters, figures, marks, cards. Knows sizes, no touches.

Every measure is a share of the thing's own size, as the design gives them; y grows upwards, as Kivy has it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from kivy.core.text import Label as CoreLabel
from kivy.graphics import Color, Fbo, InstructionGroup, Mesh, Rectangle
from kivy.graphics import SmoothEllipse as Ellipse
from kivy.graphics import SmoothLine as Line
from kivy.graphics import SmoothRoundedRectangle as RoundedRectangle
from kivy.graphics.opengl import GL_COLOR_BUFFER_BIT, glClear, glClearColor

from companion.ui import words
from companion.ui.boards.spots import Spot
from companion.ui.fonts import font_for
from companion.ui.theme import Rgba, c, look, picture, shadow, u

SLUGS = ("", "hide", "chase", "explosion", "capture", "climb", "portal", "rest")
"""Card number -> the name of its drawing."""
TERRAIN = {"P": "portal", "D": "dungeon", "R": "rope", "S": "passage", "H": "room", "W": "wall"}
"""Letter of a tower card -> the name of its drawing."""
WHITE: Rgba = (1, 1, 1, 1)

_BODY = {"yellow": 0.77, "red": 0.65}
_BODY_LYING = {"yellow": (0.72, 0.60), "red": (0.60, 0.60)}


@lru_cache(maxsize=512)
def letters(text: str, px: float, font: str = words.BODY, bold: bool = False) -> Any:
    """The texture of a short text in white, to be tinted."""
    font, text = font_for(text, font)
    label = CoreLabel(text=text, font_size=px, font_name=font, bold=bold)
    label.refresh()
    return label.texture


class Still:
    """A picture in a texture of its own, drawn when it changes and not with every frame."""

    def __init__(self) -> None:
        self._fbo: Fbo | None = None
        self._group = InstructionGroup()

    def draw(self, width: int, height: int, ground: Rgba, paint: Callable[[Pen], None]) -> Any:
        """The texture, filled with `ground` and what `paint` draws; its corner is 0, 0."""
        if self._fbo is None or tuple(self._fbo.size) != (width, height):
            self._fbo = Fbo(size=(width, height))
            self._fbo.add(self._group)
        self._group.clear()
        paint(Pen(self._group))
        self._fbo.bind()
        glClearColor(*ground)
        glClear(GL_COLOR_BUFFER_BIT)
        self._fbo.release()
        self._fbo.draw()
        return self._fbo.texture


class Pen:
    """Adds drawings to one group of instructions."""

    def __init__(self, group: InstructionGroup) -> None:
        self.group = group

    # --- plain things -----------------------------------------------------------------------------------------------

    def box(self, x: float, y: float, w: float, h: float, colour: Rgba, radius: float | Sequence[float] = 0) -> None:
        """A filled box; radius: one, or four from the top left clockwise."""
        if w <= 0 or h <= 0 or not colour[3]:
            # before all has its place there may be no room; Kivy's round boxes of no size write beyond their memory
            return
        self.group.add(Color(*colour))
        if not radius:
            self.group.add(Rectangle(pos=(x, y), size=(w, h)))
            return
        corners = [radius] if isinstance(radius, int | float) else list(radius)
        self.group.add(RoundedRectangle(pos=(x, y), size=(w, h), radius=corners, segments=10))

    def frame(self, x: float, y: float, w: float, h: float, colour: Rgba, width: float, radius: float) -> None:
        """An outline that lies inside the box."""
        if w <= width or h <= width:
            return
        half = width / 2
        self.group.add(Color(*colour))
        inner = (x + half, y + half, w - width, h - width, max(radius - half, 1))
        self.group.add(Line(rounded_rectangle=inner, width=half))

    def dashes(self, x: float, y: float, w: float, h: float, colour: Rgba, radius: float) -> None:
        """A dashed outline: a place for something that is away."""
        step, width = min(max(w / 8, 3), u(9)), u(2)
        for along, across, size in ((x, y, w), (x, y + h - width, w)):
            for at in _marks(size, radius, step):
                self.box(along + at, across, step, width, colour)
        for along, across, size in ((x, y, h), (x + w - width, y, h)):
            for at in _marks(size, radius, step):
                self.box(along, across + at, width, step, colour)

    def disc(self, cx: float, cy: float, px: float, colour: Rgba) -> None:
        """A filled circle."""
        self.group.add(Color(*colour))
        # a large one of few segments shows its corners
        segments = max(40, min(round(px / 3), 180))
        self.group.add(Ellipse(pos=(cx - px / 2, cy - px / 2), size=(px, px), segments=segments))

    def circle(self, cx: float, cy: float, px: float, colour: Rgba, width: float) -> None:
        """A circle's line."""
        self.group.add(Color(*colour))
        self.group.add(Line(circle=(cx, cy, (px - width) / 2), width=width / 2))

    def line(self, points: Sequence[float], colour: Rgba, width: float) -> None:
        """A line through points."""
        self.group.add(Color(*colour))
        self.group.add(Line(points=points, width=width / 2, cap="round", joint="round"))

    def pic(self, name: str, x: float, y: float, px: float, tint: Rgba = WHITE) -> None:
        """A drawing; one-ink art is tinted, full-colour art only dimmed."""
        self.group.add(Color(*tint))
        self.group.add(Rectangle(texture=picture(name, px), pos=(round(x), round(y)), size=(round(px), round(px))))

    def text(
        self, text: str, cx: float, cy: float, px: float, colour: Rgba, bold: bool = True, font: str = words.BODY
    ) -> None:
        """A short text around a point."""
        texture = letters(text, max(round(px), 6), font, bold)
        self.group.add(Color(*colour))
        w, h = texture.size
        self.group.add(Rectangle(texture=texture, pos=(round(cx - w / 2), round(cy - h / 2)), size=(w, h)))

    def stamp(self, texture: Any, x: float, y: float, colour: Rgba) -> None:
        """A texture as large as it is."""
        self.group.add(Color(*colour))
        self.group.add(Rectangle(texture=texture, pos=(round(x), round(y)), size=texture.size))

    def pennant(self, x: float, y: float, w: float, h: float, colour: Rgba, notch: float) -> None:
        """A hanging banner with a swallow tail."""
        points = [(x, y + h), (x + w, y + h), (x + w, y), (x + w / 2, y + notch), (x, y)]
        vertices = [v for px, py in points for v in (px, py, 0, 0)]
        self.group.add(Color(*colour))
        self.group.add(Mesh(vertices=vertices, indices=[0, 1, 3, 1, 2, 3, 0, 3, 4], mode="triangles"))
        self.group.add(Line(points=[v for p in points[2:] for v in p], width=1))

    # --- people and figures -----------------------------------------------------------------------------------------

    def mark(
        self, seat: str, x: float, y: float, px: float, cut: bool = False, dim: float = 1.0, says: str | None = None
    ) -> None:
        """A seat's mark with its letter; cut: on a ground of its own colour; says: what stands on it instead."""
        self.pic(f"seat_{seat}", x, y, px, WHITE[:3] + (dim,)) if not cut else self._cut(seat, x, y, px)
        text = words.code(seat) if says is None else says
        if not text:
            return
        share = (0.58 if len(says) == 1 else 0.44) if says else 0.40 if len(text) == 1 else 0.32
        at = 0.38 if seat == "yellow" else 0.5
        colour = c(seat) if cut else c(f"on_{seat}", dim)
        self.text(text, x + px / 2, y + px * at, px * share * (0.9 if seat == "yellow" else 1), colour)

    def _cut(self, seat: str, x: float, y: float, px: float) -> None:
        colour, k = c(f"on_{seat}"), px / 64
        if seat == "blue":
            self.disc(x + px / 2, y + px / 2, 58 * k, colour)
        elif seat == "green":
            self.box(x + 4 * k, y + 4 * k, 56 * k, 56 * k, colour, 5 * k)
        else:
            shape = {"red": ((32, 2), (62, 32), (32, 62), (2, 32)), "yellow": ((32, 60), (62, 8), (2, 8))}[seat]
            vertices = [v for px_, py_ in vertices_of(shape, x, y, k) for v in (px_, py_, 0, 0)]
            indices = list(range(len(shape)))
            self.group.add(Color(*colour))
            self.group.add(Mesh(vertices=vertices, indices=indices, mode="triangle_fan"))
            self.group.add(Line(points=[v for p in vertices_of(shape, x, y, k) for v in p], width=1, close=True))

    def figure(
        self,
        name: str,
        x: float,
        y: float,
        px: float,
        lying: bool = False,
        number: bool = True,
        dim: float = 1.0,
        says: str = "",
    ) -> None:
        """A hero ("red.1") or a villain; says: what stands on the hero instead of the letter and the number."""
        seat, dot, digit = name.partition(".")
        tint = WHITE[:3] + (dim,)
        if not dot:
            self.pic(f"villain_{name}", x, y, px, tint)
            return
        self.pic(f"hero_{seat}" + ("_lying" if lying else ""), x, y, px, tint)
        text = says or words.code(seat)
        size = px * (0.42 if says else 0.30 if len(text) == 1 else 0.25)
        across, down = _BODY_LYING.get(seat, (0.62, 0.60)) if lying else (0.5, _BODY.get(seat, 0.665))
        self.text(text, x + px * across, y + px * (1 - down), size, c(f"on_{seat}", dim))
        if number and not says:
            self._digit(digit, x + px * 1.06, y - px * 0.04, round(px * 0.34), dim)

    def spot(self, spot: Spot, lying: bool = False) -> None:
        """A figure where it stands: itself or, where it would be too small, its mark. There the number stands in the

        place of the letter, as large as the mark allows; colour and shape say whose it is.
        """
        seat, dot, _digit = spot.figure.partition(".")
        if not dot or not spot.mark:
            self.figure(spot.figure, spot.x, spot.y, spot.px, lying)
        elif lying:
            self.figure(spot.figure, spot.x, spot.y, spot.px, lying, says=spot.numbers)
        else:
            self.mark(seat, spot.x, spot.y, spot.px, says=spot.numbers)

    def _digit(self, digit: str, right: float, low: float, px: float, dim: float = 1.0) -> None:
        """A hero's number on its disc."""
        cx, cy = right - px / 2, low + px / 2
        self.disc(cx, cy, px + 3, c("bone", dim))
        self.disc(cx, cy, px, c("ink", dim))
        self.text(digit, cx, cy, px * 0.8, c("bone", dim))

    def coin(self, text: str, right: float, top: float, px: float) -> None:
        """What a square costs, in its upper right corner."""
        self.disc(right - px / 2, top - px / 2, px, c("ink"))
        self.text(text, right - px / 2, top - px / 2, px * 0.72, c("bone"))

    def medal(self, art: str, right: float, top: float, px: float) -> None:
        """A coin with the symbol of the card's other half."""
        self.disc(right - px / 2, top - px / 2, px, c("ink"))
        inner = px * 0.66
        self.pic(art, right - px / 2 - inner / 2, top - px / 2 - inner / 2, inner, c("bone"))

    def card(self, number: int, x: float, y: float, w: float, seat: str | None, picked: bool = False) -> None:
        """An action card, face up; y is its lower edge, the height 1.36 of the width."""
        h, radius = round(w * 1.36), min(u(9), w * 0.16)
        edge = u(4) if w > 40 else u(3)
        self.box(x, y - u(3), w, h, shadow(0.35), radius)
        if look.theme == "light":
            # paper on a light ground
            line = u(1.5)
            self.box(x - line, y - line, w + 2 * line, h + 2 * line, c("ink"), radius + line)
        self.box(x, y, w, h, c(seat) if seat else c("line"), radius)
        self.box(x + edge, y + edge, w - 2 * edge, h - 2 * edge, c("bone"), max(radius - edge, 2))
        font, ink = words.heading_font(str(number)), c("ink")
        if w < u(50):
            # the number above the symbol, as neither would be large enough beside the other
            self.text(str(number), x + w / 2, y + h - w * 0.33, w * 0.5, ink, False, font)
            self.pic(f"action_{number}_{SLUGS[number]}", x + w * 0.18, y + w * 0.1, w * 0.64, ink)
        else:
            named = w >= u(76)
            art = w * 0.62
            # a small card has no name on it, so that its number can be larger
            at, size = (0.20, 0.34) if named else (0.23, 0.42)
            self.text(str(number), x + w * at, y + h - w * (at + 0.04), w * size, ink, False, font)
            low = y + h * (0.225 if named else 0.10)
            self.pic(f"action_{number}_{SLUGS[number]}", x + (w - art) / 2, low, art, ink)
            if named:
                label = words.term("card_name", number)
                size = min(max(13, w * 0.165), w * 1.5 / max(len(label), 1))
                self.text(label, x + w / 2, y + h * 0.11 + edge / 2, size, ink)
        if picked:
            self.frame(x - u(5), y - u(5), w + u(10), h + u(10), c("act"), u(4), radius + u(5))

    def back(self, x: float, y: float, w: float, seat: str | None) -> None:
        """An action card, face down."""
        h, radius, edge = round(w * 1.36), min(u(9), w * 0.16), u(4) if w > 40 else u(3)
        self.box(x, y - u(3), w, h, shadow(0.35), radius)
        self.box(x, y, w, h, c(seat) if seat else c("line"), radius)
        self.box(x + edge, y + edge, w - 2 * edge, h - 2 * edge, c("raised"), max(radius - edge, 2))
        px = w * 0.6
        self.pic("gryphon", x + (w - px) / 2, y + (h - px) / 2, px)

    def used(self, number: int, x: float, y: float, w: float, colour: Rgba | None = None) -> None:
        """The place of a card that has been played."""
        h, colour = round(w * 1.36), colour or c("line")
        self.dashes(x, y, w, h, colour, min(u(9), w * 0.16))
        self.text(str(number), x + w / 2, y + h / 2, w * 0.56, colour, False, words.heading_font(str(number)))


def vertices_of(shape: Sequence[tuple[float, float]], x: float, y: float, k: float) -> list[tuple[float, float]]:
    """A shape of the drawings' 64 units at its place."""
    return [(x + px * k, y + py * k) for px, py in shape]


def _marks(size: float, radius: float, step: float) -> list[float]:
    """Where the dashes of a side begin."""
    room = size - 2 * radius
    count = max(int(room / (2 * step)), 1)
    gap = (room - count * step) / count
    return [radius + gap / 2 + i * (step + gap) for i in range(count)]
