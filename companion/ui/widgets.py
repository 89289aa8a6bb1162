"""The small widgets that every screen is made of."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from kivy.core.text import Label as CoreLabel
from kivy.graphics import InstructionGroup
from kivy.properties import BooleanProperty, ListProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.label import Label
from kivy.uix.widget import Widget

from companion.ui import words
from companion.ui.pen import WHITE, Pen
from companion.ui.theme import Rgba, c, least, look, outline, shadow, t, u

SUB, LEAST_SUB = 16, 14
"""Sizes of the second line in a button."""
TINIEST = 9
"""Pixels: rather tiny than cut, where a text is longer than any that we have tried."""


ENDLESS = 1e9
"""The height of a text with a word that is wider than its box."""


def largest(fits: Callable[[float], bool], px: float) -> float:
    """The largest size up to `px` that fits; the tiniest where none does."""
    if fits(px):
        return px
    low, high = TINIEST, int(px) - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low


@lru_cache(maxsize=2048)
def _height(text: str, font: str, bold: bool, px: float, width: float, line: float) -> float:
    """How high a text stands in that width; more than any box where a word is wider than the width."""
    label = CoreLabel(text=text, font_name=font, bold=bold, font_size=px, text_size=(width, None), line_height=line)
    for word in text.split():
        if label.get_extents(word)[0] > width:
            return ENDLESS
    # the first pass only measures: drawing is what costs
    label.resolve_font_name()
    return float(label.render()[1])


def height_of(text: str, px: float, width: float, bold: bool = False) -> float:
    """How high a text of that size of the design stands in that width, smaller where a word is wider than that."""
    size = largest(lambda px: _height(text, words.BODY, bold, px, width, 1.06) < ENDLESS, t(px))
    high = _height(text, words.BODY, bold, size, width, 1.06)
    # a box of endless height would ask for a texture of that height, and no system survives that
    return min(high, look.height) + u(4)


class Fitted:
    """A text made to fit a room: what to draw, and whether it fits."""

    def __init__(self, texture: Any, ink: float, fits: bool) -> None:
        self.texture = texture
        self.fits = fits
        self.width = ink
        self.height = texture.size[1] if texture else 0

    def draw(self, pen: Pen, x: float, y: float, colour: Rgba) -> None:
        """Draw it with its lower left corner there."""
        if self.texture:
            pen.stamp(self.texture, x, y, colour)


@lru_cache(maxsize=512)
def _fitted(text: str, px: float, least_px: float, room: float, space: float, bold: bool, align: str) -> Fitted:
    if not text:
        return Fitted(None, 0, True)
    px = largest(lambda px: _height(text, words.BODY, bold, px, room, 1.0) <= space, px)
    fits = px >= least_px
    label = CoreLabel(text=text, font_name=words.BODY, font_size=px, bold=bold, text_size=(room, None), halign=align)
    width = min(label.get_extents(text)[0], room)
    if width < room:
        label = CoreLabel(text=text, font_name=words.BODY, font_size=px, bold=bold)
    label.refresh()
    _fill(label, label.texture)
    return Fitted(label.texture, label.texture.size[0], fits)


def fitted(text: str, px: float, least_px: float, room: float, space: float, bold: bool, align: str) -> Fitted:
    """A text for a room, shrinking from `px` to `least_px` (sizes of the design at the normal text size)."""
    return _fitted(text, t(px), least(least_px), max(room, 1), space, bold, align)


def _fill(_: Any, texture: Any) -> None:
    """Fill a text's texture now: while the frame is drawn, each filling would make all that was drawn so far wait."""
    if texture is not None:
        texture.bind()


class Text(Label):
    """Words that fit their box: they shrink from `px` to `least`, wrapping as they need to.

    Sizes of the design at the normal text size; both grow with the text size that people have set.
    """

    px = NumericProperty(20)
    least = NumericProperty(16)
    tint = StringProperty("text")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.fits = True
        for name in ("text", "size", "px", "least", "font_name", "bold"):
            self.fbind(name, self._fit)
        self.fbind("tint", self._colour)
        self.fbind("texture", _fill)
        self._colour()
        self._fit()

    def _colour(self, *_: Any) -> None:
        self.color = c(self.tint)

    def _fit(self, *_: Any) -> None:
        width, height = max(self.width, 1), max(self.height, 1)
        # given a height, Kivy drops the last line of a text of several paragraphs; without one, it stands in the middle
        self.text_size = (width, None if "\n" in self.text else height)
        px = largest(lambda px: self._in(px, width, height), t(self.px))
        self.fits = px >= least(self.least)
        self.font_size = px

    def high(self, px: float, width: float) -> float:
        """How high it stands in that width at that size of the design, or at the least that is allowed."""
        px = max(t(px), least(self.least))
        return min(_height(self.text, self.font_name, self.bold, px, width, self.line_height), t(200))

    def _in(self, px: float, width: float, height: float) -> bool:
        return _height(self.text, self.font_name, self.bold, px, width, self.line_height) <= height


class Heading(Text):
    """Words in the heading font, or in Roboto Bold where it lacks a glyph."""

    def _fit(self, *args: Any) -> None:
        font = words.heading_font(self.text)
        self.bold = font == words.BODY
        self.font_name = font
        super()._fit(*args)


class Drawn(Widget):
    """A widget that draws itself anew when it changes, and only then. `paint` draws."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._group = InstructionGroup()
        self.canvas.before.add(self._group)
        from kivy.clock import Clock

        self.redraw = Clock.create_trigger(self._draw, -1)
        for name in ("pos", "size", *self.watched()):
            self.fbind(name, lambda *_: self.redraw())
        self.redraw()

    def watched(self) -> tuple[str, ...]:
        """Names of the properties that change the picture."""
        return ()

    def _draw(self, *_: Any) -> None:
        self._group.clear()
        if self.width > 1 and self.height > 1:
            self.paint(Pen(self._group))

    def paint(self, pen: Pen) -> None:
        """Draw."""


class Pic(Drawn):
    """A drawing, as large as fits, in the middle. tint: token for one-ink art."""

    art = StringProperty("")
    tint = StringProperty("")
    dim = NumericProperty(1.0)

    def watched(self) -> tuple[str, ...]:
        return ("art", "tint", "dim")

    def paint(self, pen: Pen) -> None:
        if not self.art:
            return
        px = min(self.size)
        tint = c(self.tint, self.dim) if self.tint else WHITE[:3] + (self.dim,)
        pen.pic(self.art, self.center_x - px / 2, self.center_y - px / 2, px, tint)


class SeatMark(Drawn):
    """A seat's colour, shape and letter."""

    seat = StringProperty("")
    cut = BooleanProperty(False)
    dim = NumericProperty(1.0)

    def watched(self) -> tuple[str, ...]:
        return ("seat", "cut", "dim")

    def paint(self, pen: Pen) -> None:
        if self.seat:
            px = min(self.size)
            pen.mark(self.seat, self.center_x - px / 2, self.center_y - px / 2, px, self.cut, self.dim)


class Figure(Drawn):
    """A hero or a villain."""

    figure = StringProperty("")
    lying = BooleanProperty(False)
    number = BooleanProperty(True)

    def watched(self) -> tuple[str, ...]:
        return ("figure", "lying", "number")

    def paint(self, pen: Pen) -> None:
        if self.figure:
            px = min(self.size)
            pen.figure(self.figure, self.center_x - px / 2, self.center_y - px / 2, px, self.lying, self.number)


class ActionCard(Drawn):
    """An action card, as large as fits."""

    number = NumericProperty(0)
    seat = StringProperty("")
    used = BooleanProperty(False)
    picked = BooleanProperty(False)
    cut = BooleanProperty(False)
    """Whether it lies on a ground of the seat's colour."""
    back = BooleanProperty(False)
    """Whether it lies face down (`motion.flip` turns it over)."""

    def watched(self) -> tuple[str, ...]:
        return ("number", "seat", "used", "picked", "back")

    def paint(self, pen: Pen) -> None:
        if not self.number:
            return
        w = int(min(self.width, (self.height - u(3)) / 1.36))
        h = round(w * 1.36)
        x, y = self.center_x - w / 2, self.center_y - (h - u(3)) / 2
        if self.back:
            pen.back(round(x), round(y), w, self.seat or None)
        elif self.used:
            pen.used(int(self.number), round(x), round(y), w, c(f"on_{self.seat}") if self.cut else None)
        else:
            pen.card(int(self.number), round(x), round(y), w, self.seat or None, self.picked)


class Panel(BoxLayout):
    """A surface. ground, edge: tokens; edge may be empty."""

    ground = StringProperty("panel")
    edge = StringProperty("")
    edge_width = NumericProperty(2)
    radius = NumericProperty(14)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._group = InstructionGroup()
        self.canvas.before.add(self._group)
        from kivy.clock import Clock

        self.redraw = Clock.create_trigger(self._draw, -1)
        for name in ("pos", "size", "ground", "edge", "edge_width"):
            self.fbind(name, lambda *_: self.redraw())
        self.redraw()

    def _draw(self, *_: Any) -> None:
        self._group.clear()
        pen = Pen(self._group)
        radius = u(self.radius)
        if self.ground:
            pen.box(self.x, self.y, self.width, self.height, c(self.ground), radius)
        if self.edge:
            thick = max(u(self.edge_width), outline())
            pen.frame(self.x, self.y, self.width, self.height, c(self.edge), thick, radius)
        elif look.bold and self.ground:
            # black on black: only a line shows where it ends
            pen.frame(self.x, self.y, self.width, self.height, c("stone"), u(1.5), radius)


class Touchable(ButtonBehavior, Panel):
    """A surface that one may touch. lit: it is awaited now; pressed: the content moves down at once."""

    lit = BooleanProperty(False)
    off = BooleanProperty(False)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        for name in ("lit", "off", "state"):
            self.fbind(name, self._dress)
        self._dress()

    def on_touch_down(self, touch: Any) -> Any:
        if self.off:
            return False
        return super().on_touch_down(touch)

    def _dress(self, *_: Any) -> None:
        self.ground = "act" if self.lit else "raised"
        self.edge = "act" if self.lit else "" if self.off else "line"
        self.redraw()

    def _draw(self, *_: Any) -> None:
        self._group.clear()
        pen, down = Pen(self._group), u(2) if self.state == "down" else 0
        x, y = self.pos
        w, h = self.size
        radius = u(12)
        if not down:
            pen.box(x, y - u(2), w, h, shadow(0.30), radius)
        pen.box(x, y - down, w, h, c(self.ground), radius)
        if self.edge:
            pen.frame(x, y - down, w, h, c(self.edge), outline(), radius)


class BigButton(Touchable):
    """A button with at most three words, a second line and a picture, centred together."""

    text = StringProperty("")
    sub = StringProperty("")
    icon = StringProperty("")
    art = StringProperty("")
    seat = StringProperty("")
    figure = StringProperty("")
    px = NumericProperty(20)
    least = NumericProperty(16)
    align = StringProperty("center")
    data = ObjectProperty(None, allownone=True)

    def __init__(self, **kwargs: Any) -> None:
        self.fits = True
        super().__init__(**kwargs)
        for name in ("text", "sub", "icon", "art", "seat", "figure", "px"):
            self.fbind(name, lambda *_: self.redraw())

    def _draw(self, *args: Any) -> None:
        super()._draw(*args)
        if self.width < 2 or self.height < 2:
            return
        pen, down = Pen(self._group), u(2) if self.state == "down" else 0
        ink = "on_act" if self.lit else "muted" if self.off else "text"
        pad, art = u(6 if self.width < u(150) else 10), self._art_size()
        gap = (u(8) if self.text else 0) if art else 0
        room = self.width - 2 * pad - art - gap
        space = self.height - u(6)
        px = self.px + (2 if self.lit else 0)
        first = self._first(px, max(room, 1), space) if self.sub else space
        main = fitted(self.text, px, self.least, room, first, self.lit, self.align)
        second = fitted(self.sub, SUB, LEAST_SUB, room, space - first, False, self.align)
        self.fits = main.fits and second.fits
        width = art + gap + max(main.width, second.width)
        left = self.x + pad if self.align == "left" else self.center_x - width / 2
        self._picture(pen, left, art, ink, down)
        column = self.width - 2 * pad - art - gap if self.align == "left" else max(main.width, second.width)
        top = self.center_y + (main.height + second.height) / 2 - down
        low = top - main.height
        lines = ((main, ink, low), (second, ink if self.lit else "muted", low - second.height))
        for words_, tint, low in lines:
            indent = 0 if self.align == "left" else (column - words_.width) / 2
            words_.draw(pen, left + art + gap + indent, low, c(tint))

    def _first(self, px: float, room: float, space: float) -> float:
        """Height for the first of two lines: what both need, and of the rest by how much more each wants."""

        def high(text: str, size: float, bold: bool) -> float:
            return min(_height(text, words.BODY, bold, size, room, 1.0), 2 * space)

        need, want = (high(self.text, size, self.lit) for size in (least(self.least), t(px)))
        need_sub, want_sub = (high(self.sub, size, False) for size in (least(LEAST_SUB), t(SUB)))
        spare, more = space - need - need_sub, want - need + want_sub - need_sub
        if spare < 0:
            return space * need / (need + need_sub)
        return int(need + spare * (want - need) / more) if more > 0 else need

    def _art_size(self) -> float:
        if self.icon:
            return min(self.height * 0.56, u(28))
        if self.seat:
            return min(self.height * 0.66, u(40))
        share = 0.6 if self.text and self.width < u(150) else 0.82
        return min(self.height * share, u(64)) if self.art or self.figure else 0.0

    def _picture(self, pen: Pen, left: float, px: float, ink: str, down: float) -> None:
        low = self.center_y - px / 2 - down
        if self.icon:
            pen.pic(self.icon, left, low, px, c(ink))
        elif self.art:
            pen.pic(self.art, left, low, px, WHITE)
        elif self.seat:
            pen.mark(self.seat, left, low, px)
        elif self.figure:
            pen.figure(self.figure, left, low, px)


class Pennant(Drawn):
    """The banner of the seat that acts; the gryphon's own where all act or the app asks."""

    seat = StringProperty("")

    def watched(self) -> tuple[str, ...]:
        return ("seat",)

    def paint(self, pen: Pen) -> None:
        x, y = self.pos
        w, h = self.size
        colour: Rgba = c(self.seat) if self.seat else c("raised")
        pen.pennant(x, y, w, h, colour, h * 0.18)
        px = w * 0.64
        left, low = x + (w - px) / 2, y + h - px - h * 0.10
        if self.seat:
            pen.mark(self.seat, left, low, px, cut=True)
        else:
            pen.pic("gryphon", left, low, px)


class IconButton(Touchable):
    """A square button with a mark."""

    icon = StringProperty("")
    bars = BooleanProperty(False)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.fbind("icon", lambda *_: self.redraw())

    def _draw(self, *args: Any) -> None:
        super()._draw(*args)
        pen, down = Pen(self._group), u(2) if self.state == "down" else 0
        px = min(self.size) * 0.54
        colour = c("on_act" if self.lit else "text")
        if self.bars:
            for i in (-1, 0, 1):
                pen.box(
                    self.center_x - px * 0.44, self.center_y - u(1.5) - i * u(8) - down, px * 0.88, u(3), colour, u(1.5)
                )
        if self.icon:
            pen.pic(self.icon, self.center_x - px / 2, self.center_y - px / 2 - down, px, colour)


class Row(BoxLayout):
    """Things side by side."""

    shown = ListProperty([])
