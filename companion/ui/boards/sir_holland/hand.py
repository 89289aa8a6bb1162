"""A hand of seven action cards: small and open beside a seat, or large with what each card does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.properties import BooleanProperty, ListProperty, NumericProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from companion.games.sir_holland.state import CARDS
from companion.ui import card_words, words
from companion.ui.explaining import Explanation
from companion.ui.pen import SLUGS, WHITE, Pen, Still
from companion.ui.screens.sheets import Sheet, button
from companion.ui.theme import c, look, shadow, u
from companion.ui.widgets import Drawn, Row, SeatMark, Text
from companion.ui.words import _, say

LARGEST = 76
"""Of a small card's width, in sizes of the design."""


class Hand(Drawn):
    """An open hand: cards held, each with its symbol, and dashed places of cards that are played."""

    seat = StringProperty("")
    hand = ListProperty([])

    def __init__(self, **kwargs: Any) -> None:
        self.register_event_type("on_touched")
        self._still = Still()
        super().__init__(**kwargs)

    def on_touched(self) -> None:
        """Somebody wants to see the cards large."""

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos) or not self.opacity:
            return False
        touch.grab(self)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        if self.collide_point(*touch.pos):
            self.dispatch("on_touched")
        return True

    def watched(self) -> tuple[str, ...]:
        return ("seat", "hand")

    def paint(self, pen: Pen) -> None:
        # seven cards of three layers each are most of this screen, and change once a round
        texture = self._still.draw(int(self.width), int(self.height), c("panel"), self._cards)
        pen.stamp(texture, self.x, self.y, WHITE)

    def _cards(self, pen: Pen) -> None:
        gap = self._gap
        w, columns = self.fit()
        rows = 1 if columns == len(CARDS) else 2
        high = w * 1.36 + u(5)
        top = (self.height + rows * high) / 2
        left = (self.width - columns * w - (columns - 1) * gap) / 2
        for n in CARDS:
            row, column = divmod(n - 1, columns)
            x, y = round(left + column * (w + gap)), round(top - (row + 1) * high + u(4))
            if n in self.hand:
                pen.card(n, x, y, w, self.seat)
            else:
                pen.used(n, x, y, w)

    def fit(self) -> tuple[int, int]:
        """How wide a card is, and how many stand in a row: in one row or in two, whichever makes them larger."""
        return max((self._wide(columns), columns) for columns in (len(CARDS), 4))

    @property
    def _gap(self) -> float:
        return u(6)

    def _wide(self, columns: int) -> int:
        rows = 1 if columns == len(CARDS) else 2
        across = (self.width - (columns - 1) * self._gap) / columns
        return int(min(across, (self.height / rows - u(5)) / 1.36, u(LARGEST)))


class HandCard(ButtonBehavior, Drawn, BoxLayout):
    """A card of a hand as a line: number, symbol, name, and what it does in short. used: it has been played;

    coloured: it lies on a ground of the seat's colour. Its ring is dark or light, whatever its ground is not.
    """

    number = NumericProperty(0)
    seat = StringProperty("")
    used = BooleanProperty(False)
    picked = BooleanProperty(False)
    coloured = BooleanProperty(True)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", **kwargs)
        tint = self._tint
        does = _("Played. A rest brings it back.") if self.used else say(card_words.IN_SHORT[self.number])
        self.name = Text(text=words.term("card_name", self.number), px=22, least=15, bold=True, tint=tint,
                         valign="bottom", size_hint_y=None, line_height=1.0)  # fmt: skip
        self.does = Text(text=does, px=18, least=13, tint=tint, valign="top", line_height=1.0)
        for line in (self.name, self.does):
            self.add_widget(line)
        self.fbind("size", self._indent)
        self._indent()

    @property
    def _tint(self) -> str:
        """The colour of letters and lines."""
        return "ink" if not self.used else f"on_{self.seat}" if self.coloured else "text"

    def _indent(self, *_: Any) -> None:
        """Number and symbol stand before the words, and the words in the middle where there is room for both lines."""
        self._symbol = min(self.height * 0.66, u(54))
        left, right, edge = u(36) + self._symbol + u(14), u(6), u(3)
        width, room = self.width - left - right, self.height - 2 * edge
        self.name.height = name = min(self.name.high(self.name.px, width), room * 0.34)
        spare = max(room - name - self.does.high(self.does.px, width), 0)
        self.padding = (left, edge + spare / 2, right, edge)

    def explains(self, _x: float, _y: float) -> Explanation | None:
        """The cover knows that nobody else may learn it."""
        return None

    def watched(self) -> tuple[str, ...]:
        return ("number", "seat", "used", "picked")

    def paint(self, pen: Pen) -> None:
        (x, y), (w, h), radius = self.pos, self.size, u(10)
        ink = c(self._tint)
        if self.used:
            pen.dashes(x, y, w, h, ink, radius)
        else:
            pen.box(x, y - u(3), w, h, shadow(0.35), radius)
            if look.theme == "light" or not self.coloured:
                pen.box(x - 1, y - 1, w + 2, h + 2, c("ink") if self.coloured else c(self.seat), radius)
            pen.box(x, y, w, h, c("bone"), radius)
            if not self.coloured:
                pen.frame(x, y, w, h, c(self.seat), u(3), radius)
        number, px = str(int(self.number)), self._symbol
        pen.text(number, x + u(22), self.center_y, min(u(36), h * 0.5), ink, False, words.heading_font(number))
        art = f"action_{number}_{SLUGS[int(self.number)]}"
        pen.pic(art, x + u(40), self.center_y - px / 2, px, ink[:3] + (0.6 if self.used else 1.0,))
        if self.picked and not self.used:
            pen.frame(x - u(3), y - u(3), w + u(6), h + u(6), c(f"on_{self.seat}"), u(6), radius + u(3))


def lay_out_hand(seat: str, hand: list[int], last: Any, coloured: bool = True) -> tuple[BoxLayout, list[HandCard]]:
    """All seven cards in two columns, or in one where the screen is higher than wide; `last` stands behind them."""
    grid, cards = BoxLayout(orientation="vertical", spacing=u(6)), []
    per_row = 2 if look.wide else 1
    cells: list[Any] = []
    for n in CARDS:
        cards.append(HandCard(number=n, seat=seat, used=n not in hand, coloured=coloured))
        cells.append(cards[-1])
    cells.append(last)
    for start in range(0, len(cells), per_row):
        row = BoxLayout(spacing=u(8))
        for cell in cells[start : start + per_row]:
            row.add_widget(cell)
        grid.add_widget(row)
    return grid, cards


class HandSheet(Sheet):
    """An open hand, large: what lies in it is known to all. back: what the way back does."""

    def __init__(self, root: Any, seat: str, hand: list[int], back: Callable[[], None] | None = None) -> None:
        super().__init__(root, words.name(seat), 760)
        owner = Row()
        owner.add_widget(SeatMark(seat=seat, size_hint_x=None, width=u(56)))
        owner.add_widget(Text(text=_("What these cards do"), px=20, least=14, bold=True))
        grid, self.cards = lay_out_hand(seat, hand, owner, coloured=False)
        rows = len(grid.children)
        room = root.height - u(24) - 2 * u(14) - u(58) - u(10)
        grid.size_hint_y, grid.height = None, min(room, rows * u(84))
        self.panel.clear_widgets()
        self.panel.padding = (u(14), u(14))
        self.panel.add_widget(grid)
        self.row(button(_("All right, go on"), back or root.close_sheet, lit=True, px=22), height=58)
