"""The small widgets that every screen is made of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kivy.graphics import InstructionGroup
from kivy.properties import BooleanProperty, ListProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.games.base import Message, msg
from companion.ui import explaining, words
from companion.ui.explaining import Explanation
from companion.ui.lettering import ENDLESS, Fitted, fit, height_in, largest, letters_of, width_of
from companion.ui.pen import WHITE, Pen
from companion.ui.settle import later
from companion.ui.theme import Rgba, c, least, look, outline, shadow, t, u

SUB, LEAST_SUB = 16, 14
"""Sizes of the second line in a button."""


def height_of(text: str, px: float, width: float, bold: bool = False) -> float:
    """How high a text of that size of the design stands in that width, smaller where a word is wider than that."""
    size = largest(lambda px: height_in(text, words.BODY, bold, px, width, 1.06) < ENDLESS, t(px))
    high = height_in(text, words.BODY, bold, size, width, 1.06)
    # a box of endless height would ask for a texture of that height, and no system survives that
    return min(high, look.height) + u(4)


def fitted(text: str, px: float, least_px: float, room: float, space: float, bold: bool, align: str) -> Fitted:
    """A text for a room, shrinking from `px` to `least_px` (sizes of the design at the normal text size)."""
    return fit(text, t(px), least(least_px), max(room, 1), space, bold, align)


class Drawn(Widget):
    """A widget that draws itself anew when it changes, and only then. `paint` draws."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._group = InstructionGroup()
        self.canvas.before.add(self._group)
        for name in ("pos", "size", *self.watched()):
            self.fbind(name, self.redraw)
        self.redraw()

    def redraw(self, *_: Any) -> None:
        """Draw it anew, once everything has its place."""
        later(self._draw)

    def watched(self) -> tuple[str, ...]:
        """Names of the properties that change the picture."""
        return ()

    def _draw(self, *_: Any) -> None:
        self._group.clear()
        if self.width > 1 and self.height > 1:
            self.paint(Pen(self._group))

    def paint(self, pen: Pen) -> None:
        """Draw."""


class Text(Drawn):
    """Words that fit their box: they shrink from `px` to `least`, wrapping as they need to.

    Sizes of the design at the normal text size; both grow with the text size that people have set. A text of several
    paragraphs always stands in the middle.
    """

    text = StringProperty("")
    px = NumericProperty(20)
    least = NumericProperty(16)
    tint = StringProperty("text")
    bold = BooleanProperty(False)
    halign = StringProperty("left")
    valign = StringProperty("middle")
    line_height = NumericProperty(1.06)
    fits = True
    font_size = 0.0
    """What it has been shrunk to."""

    def watched(self) -> tuple[str, ...]:
        return ("text", "px", "least", "tint", "bold", "halign", "valign", "line_height")

    @property
    def font(self) -> tuple[str, bool]:
        """The font, and whether it is bold."""
        return words.BODY, self.bold

    def largest(self, text: str) -> float:
        """The size at which a text fits into its box."""
        width, height = max(self.width, 1), max(self.height, 1)
        return largest(lambda px: height_in(text, *self.font, px, width, self.line_height) <= height, t(self.px))

    def would_fit(self, text: str) -> bool:
        """Whether a text would fit into its box."""
        return self.largest(text) >= least(self.least)

    def high(self, px: float, width: float) -> float:
        """How high it stands in that width at that size of the design, or at the least that is allowed."""
        px = max(t(px), least(self.least))
        return min(height_in(self.text, *self.font, px, width, self.line_height), t(200))

    def paint(self, pen: Pen) -> None:
        text, (font, bold), room = self.text, self.font, int(self.width)
        self.font_size = px = self.largest(text)
        self.fits = px >= least(self.least)
        if not text.strip():
            return
        # what stands in one line needs no texture as wide as the box
        width = width_of(text, font, bold, px)
        if width > room or "\n" in text:
            width = self.width
        texture, lines = letters_of(text, font, bold, px, width, self.halign, self.line_height)
        spare, high = room - texture.width, int(self.height)
        across = {"left": 0, "center": int(spare / 2), "right": spare}[self.halign]
        down = int({"top": 0, "middle": (high - lines) / 2, "bottom": high - lines}[self.valign])
        low = int(self.center_y - high / 2) + high - down - texture.height
        if "\n" in text:
            low = int(self.center_y - texture.height / 2)
        pen.stamp(texture, int(self.center_x - room / 2) + across, low, c(self.tint))


class Heading(Text):
    """Words in the heading font, or in Roboto Bold where it lacks a glyph."""

    @property
    def font(self) -> tuple[str, bool]:
        font = words.heading_font(self.text)
        return font, font == words.BODY


class Pic(Drawn):
    """A drawing, as large as fits, in the middle. tint: token for one-ink art."""

    art = StringProperty("")
    tint = StringProperty("")
    dim = NumericProperty(1.0)

    def watched(self) -> tuple[str, ...]:
        return ("art", "tint", "dim")

    def explains(self, _x: float, _y: float) -> Explanation | None:
        """What a long touch explains."""
        board = explaining.of_board()
        return board.picture(self.art) if board else None

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

    def explains(self, _x: float, _y: float) -> Explanation | None:
        """Whose mark it is."""
        board = explaining.of_board()
        return board.seat(self.seat) if board and self.seat else None

    def paint(self, pen: Pen) -> None:
        if self.seat:
            px = min(self.size)
            pen.mark(self.seat, self.center_x - px / 2, self.center_y - px / 2, px, self.cut, self.dim)


DISC = 1.07
"""How far to the right a hero's number reaches, in widths of the hero (Pen.figure)."""


class Figure(Drawn):
    """A hero or a villain."""

    figure = StringProperty("")
    lying = BooleanProperty(False)
    number = BooleanProperty(True)

    def watched(self) -> tuple[str, ...]:
        return ("figure", "lying", "number")

    def explains(self, _x: float, _y: float) -> Explanation | None:
        """What that figure is."""
        board = explaining.of_board()
        return board.figure(self.figure, lying=self.lying) if board and self.figure else None

    def paint(self, pen: Pen) -> None:
        if self.figure:
            # the disc with a hero's number stands out at the right
            disc = self.number and "." in self.figure
            px = min(self.width / (2 * DISC - 1 if disc else 1), self.height)
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

    def explains(self, _x: float, _y: float) -> Explanation | None:
        """What the card does, unless it lies face down."""
        board = explaining.of_board()
        return board.card(int(self.number)) if board and self.number and not self.back else None

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
        # here and not in a rule: every button is one, and a rule costs more than all the rest
        self.padding, self.spacing = (u(14), u(10)), u(8)
        super().__init__(**kwargs)
        self._group = InstructionGroup()
        self.canvas.before.add(self._group)
        for name in ("pos", "size", "ground", "edge", "edge_width"):
            self.fbind(name, self.redraw)
        self.redraw()

    def redraw(self, *_: Any) -> None:
        """Draw it anew, once everything has its place."""
        later(self._draw)

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


class SaysWhy(Widget):
    """Something that may be grey: a short touch on it says why, where there is a reason."""

    why = StringProperty("")
    _wondered: Any = None

    @property
    def grey(self) -> bool:
        """Whether it cannot be used now."""
        return True

    def on_touch_down(self, touch: Any) -> Any:
        if self.why and self.grey and self.collide_point(*touch.pos):
            self._wondered = touch
            touch.grab(self)
            return True
        return super().on_touch_down(touch)

    def on_touch_up(self, touch: Any) -> Any:
        if touch is not self._wondered or touch.grab_current is not self:
            return super().on_touch_up(touch)
        self._wondered = None
        touch.ungrab(self)
        if self.collide_point(*touch.pos):
            root = next((above for above in _above(self) if hasattr(above, "explain")), None)
            if root is not None:
                root.explain(*self.center)
        return True


def _above(widget: Any) -> Iterator[Any]:
    """What a widget lies on, up to the window, which is its own parent."""
    while widget.parent is not None and widget.parent is not widget:
        widget = widget.parent
        yield widget


class Touchable(SaysWhy, ButtonBehavior, Panel):
    """A surface that one may touch. lit: it is awaited now; taken: of several it is the one, and has a bright edge;

    pressed: the content moves down at once. off: it does nothing; why: the reason, for whoever wonders; about: what a
    thing of this kind does, where its label does not say it.
    """

    about: Message | None = None
    lit = BooleanProperty(False)
    taken = BooleanProperty(False)
    off = BooleanProperty(False)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        for name in ("lit", "taken", "off"):
            self.fbind(name, self._dress)
        # a short touch lets go a little later: by then a screen may have given it another edge
        self.fbind("state", self.redraw)
        self._dress()

    @property
    def grey(self) -> bool:
        """Whether it does nothing now."""
        return bool(self.off)

    def on_touch_down(self, touch: Any) -> Any:
        if self.off and not self.why:
            return False
        return super().on_touch_down(touch)

    def explains(self, _x: float, _y: float) -> Explanation | None:
        """What a short touch would do."""
        return explaining.of_button(self)

    def _dress(self, *_: Any) -> None:
        self.ground = "act" if self.lit else "raised"
        self.edge = "act" if self.lit or self.taken else "" if self.off else "line"
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


class RuleRow(Touchable):
    """A reason; a touch leads to its rule. taken: it is the one that counts."""

    about = msg("This is why. A short touch opens the rule.")
    rule = StringProperty("")

    def _dress(self, *_: Any) -> None:
        super()._dress()
        self.ground = "panel"


class BigButton(Touchable):
    """A button with at most three words, a second line and a picture, centred together."""

    text = StringProperty("")
    sub = StringProperty("")
    icon = StringProperty("")
    art = StringProperty("")
    seat = StringProperty("")
    figure = StringProperty("")
    rule = ""
    px = NumericProperty(20)
    least = NumericProperty(16)
    icon_most = NumericProperty(28)
    align = StringProperty("center")
    data = ObjectProperty(None, allownone=True)

    def __init__(self, **kwargs: Any) -> None:
        self.fits = True
        super().__init__(**kwargs)
        for name in ("text", "sub", "icon", "art", "seat", "figure", "px"):
            self.fbind(name, self.redraw)

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
            return min(height_in(text, words.BODY, bold, size, room, 1.0), 2 * space)

        need, want = (high(self.text, size, self.lit) for size in (least(self.least), t(px)))
        need_sub, want_sub = (high(self.sub, size, False) for size in (least(LEAST_SUB), t(SUB)))
        spare, more = space - need - need_sub, want - need + want_sub - need_sub
        if spare < 0:
            return space * need / (need + need_sub)
        return int(need + spare * (want - need) / more) if more > 0 else need

    def _art_size(self) -> float:
        if self.icon:
            return min(self.height * 0.56, u(self.icon_most))
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

    def explains(self, _x: float, _y: float) -> Explanation | None:
        """Whose matter it is, or the gryphon's."""
        board = explaining.of_board()
        if board is None:
            return None
        found: Explanation | None = board.seat(self.seat) if self.seat else board.picture("gryphon")
        return found

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
        self.fbind("icon", self.redraw)

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
