"""The table from above with a card before each seat: who plays what, who holds the gryphon."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

from kivy.graphics import Color
from kivy.graphics import SmoothLine as Line
from kivy.properties import DictProperty, ListProperty, NumericProperty, StringProperty

from companion.ui.pen import Pen
from companion.ui.ring import Ring
from companion.ui.theme import c, look, u

Point = tuple[float, float]


class CardRing(Ring):
    """cards: seat -> number; away: seats that do not play; picked: whose card is being changed.

    Touches become events: `on_touched` (a seat, or its card), `on_carried` (it was carried to that seat), `on_swapped`
    (a seat was carried to the place of another one).
    """

    cards = DictProperty({})
    away = ListProperty([])
    picked = StringProperty("")
    most = NumericProperty(52)
    """How large a seat's mark may be; it is smaller where the cards would not find room beside it."""

    def __init__(self, **kwargs: Any) -> None:
        for event in ("on_touched", "on_carried", "on_swapped"):
            self.register_event_type(event)
        self._held = ("", "")
        self._at: Point | None = None
        super().__init__(**kwargs)

    def on_size(self, *_: Any) -> None:
        """From the middle of the table to its edge: half a mark's gap, a card, a mark and a bit more."""
        room = min((self.height / 2 - u(10)) / 3.1, (self.width / 2 - u(8)) / 3.0)
        self.px = max(18, min(self.most, room / look.factor))

    def watched(self) -> tuple[str, ...]:
        return (*super().watched(), "cards", "away", "picked")

    # --- places -----------------------------------------------------------------------------------------------------

    def places(self) -> dict[str, Point]:
        rx, ry = self.radii
        found = {}
        for i, seat in enumerate(self.seats):
            # clockwise from the bottom: the next one sits to the left
            angle = -pi / 2 - 2 * pi * i / len(self.seats)
            found[seat] = (self.center_x + rx * cos(angle), self.center_y + ry * sin(angle))
        return found

    @property
    def radii(self) -> Point:
        """Of the table."""
        px = u(self.px)
        return self.width / 2 - px * 0.95, self.height / 2 - px * 0.62

    @property
    def card_size(self) -> Point:
        """Width and height of a card."""
        width = round(u(self.px) * 1.08)
        return width, round(width * 1.36)

    def card_at(self, seat: str) -> Point:
        """The middle of a seat's card: between the seat and the middle of the table."""
        x, y = self.places()[seat]
        w, h = self.card_size
        away = u(self.px) / 2 + u(9)
        dx, dy = self.center_x - x, self.center_y - y
        length = max((dx * dx + dy * dy) ** 0.5, 1)
        dx, dy = dx / length, dy / length
        return x + dx * (away + w / 2), y + dy * (away + h / 2)

    def gryphon_at(self, seat: str) -> Point:
        """The middle of the gryphon beside its holder."""
        x, y = self.places()[seat]
        px = u(self.px)
        side = -1 if x > self.center_x + px else 1
        return x + side * px * 0.95, y + px * (0 if abs(x - self.center_x) < px else 0.78)

    # --- drawing ----------------------------------------------------------------------------------------------------

    def paint(self, pen: Pen) -> None:
        px = u(self.px)
        rx, ry = self.radii
        if rx <= 0 or ry <= 0:
            return
        pen.group.add(Color(*c("line")))
        pen.group.add(Line(ellipse=(self.center_x - rx, self.center_y - ry, 2 * rx, 2 * ry, 0, 360, 90), width=u(1.5)))
        w, h = self.card_size
        # between two cards that face each other, and touching neither
        size = min(px, (min(rx - w, ry - h) - px / 2 - u(9) - u(4)) * 2)
        if self.arrow and size > u(14):
            pen.pic("mark_left", self.center_x - size / 2, self.center_y - size / 2, size, c("muted"))
        for seat, (x, y) in self.places().items():
            away = seat in self.away
            if seat in self.halo:
                pen.disc(x, y, px + u(14), c("panel"))
                pen.circle(x, y, px + u(14), c("act"), u(3))
            pen.disc(x, y, px * 1.1, c("night"))
            pen.mark(seat, x - px / 2, y - px / 2, px, dim=0.35 if away else 1)
            cx, cy = self.card_at(seat)
            if seat not in self.cards or away:
                pen.dashes(cx - w / 2, cy - h / 2, w, h, c("line"), u(8))
                pen.text("+" if away else "?", cx, cy, px * 0.6, c("muted" if away else "act"))
            else:
                pen.card(self.cards[seat], round(cx - w / 2), round(cy - h / 2), w, seat, seat == self.picked)
        self._gryphon(pen, px * 0.86)

    def _gryphon(self, pen: Pen, px: float) -> None:
        if self.gryphon not in self.seats:
            return
        x, y = self._at if self._at and self._held[0] == "gryphon" else self.gryphon_at(self.gryphon)
        pen.pic("gryphon", x - px / 2, y - px / 2, px)
        if self._at and self._held[0] == "seat":
            pen.mark(self._held[1], self._at[0] - px / 2, self._at[1] - px / 2, px)

    # --- touch ------------------------------------------------------------------------------------------------------

    def on_touched(self, seat: str) -> None:
        """A seat was touched, or its card."""

    def on_carried(self, seat: str) -> None:
        """The gryphon was carried there; or touched, then it is the seat on the left of its holder."""

    def on_swapped(self, seat: str, other: str) -> None:
        """A seat was carried to the place of another one."""

    def _near(self, x: float, y: float, at: Point, reach: float) -> bool:
        return abs(x - at[0]) <= reach and abs(y - at[1]) <= reach

    def _what(self, x: float, y: float) -> tuple[str, str]:
        least = max(u(self.px) / 2, u(24))
        w, h = self.card_size
        if self.gryphon in self.seats and self._near(x, y, self.gryphon_at(self.gryphon), least * 0.8):
            return "gryphon", self.gryphon
        for seat, at in self.places().items():
            if self._near(x, y, at, least):
                return "seat", seat
            cx, cy = self.card_at(seat)
            if abs(x - cx) <= max(w / 2, u(24)) and abs(y - cy) <= max(h / 2, u(24)):
                return "card", seat
        return "", ""

    def _closest(self, x: float, y: float) -> str:
        places = self.places()
        return min(places, key=lambda s: (places[s][0] - x) ** 2 + (places[s][1] - y) ** 2)

    def on_touch_down(self, touch: Any) -> bool:
        if self.disabled or not self.collide_point(*touch.pos):
            return False
        self._held = self._what(*touch.pos)
        if not self._held[0]:
            return False
        touch.grab(self)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        if self._held[0] in ("gryphon", "seat") and (self._at or self._far(touch)):
            self._at = tuple(touch.pos)
            self.redraw()
        return True

    @staticmethod
    def _far(touch: Any) -> bool:
        return abs(touch.x - touch.ox) + abs(touch.y - touch.oy) > u(24)

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        (what, seat), carried = self._held, self._at is not None
        self._held, self._at = ("", ""), None
        self.redraw()
        over = self._closest(*touch.pos)
        if what == "gryphon":
            if carried:
                self.dispatch("on_carried", over)
            else:
                seats = [s for s in self.seats if s not in self.away]
                self.dispatch("on_carried", seats[(seats.index(seat) + 1) % len(seats)])
        elif what == "seat" and carried:
            if over != seat:
                self.dispatch("on_swapped", seat, over)
        elif what:
            self.dispatch("on_touched", seat)
        return True
