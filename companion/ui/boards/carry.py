"""A tower whose figures, or whose cards, can be carried: a finger takes one up, it follows, and is put down."""

from __future__ import annotations

from typing import Any

from kivy.graphics import InstructionGroup
from kivy.properties import OptionProperty

from companion.games.sir_holland.state import ROOF, VILLAINS, card_at
from companion.ui.boards.sir_holland.tower import Tower
from companion.ui.pen import TERRAIN, Pen
from companion.ui.theme import c, u

SLIP = 14
"""Lengths of the design that a finger may slip and still only tap."""


class CarryTower(Tower):
    """carries: what a finger takes up. A tap is still `on_square`; `on_drop` gets what was carried, and where to."""

    carries = OptionProperty("figures", options=["figures", "cards"])

    def __init__(self, **kwargs: Any) -> None:
        self.register_event_type("on_drop")
        super().__init__(**kwargs)
        self._ghost = InstructionGroup()
        self.canvas.after.add(self._ghost)
        self._finger: Any = None
        self._from = ""
        self.load = ""

    def on_drop(self, load: str, square: str) -> None:
        """A figure, or the card of a square, was put down on a square."""

    def on_touch_down(self, touch: Any) -> bool:
        if self._finger is not None and self.collide_point(*touch.pos):
            # one hand carries; a second finger does nothing
            return True
        if not super().on_touch_down(touch):
            return False
        self._finger = touch
        self._from = self._under(*touch.pos)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch is not self._finger or touch.grab_current is not self:
            return bool(super().on_touch_move(touch))
        far = abs(touch.x - touch.ox) + abs(touch.y - touch.oy) > u(SLIP)
        if not self.load and self._from and far:
            self._take_up()
        if self.load:
            self._follow(touch)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch is not self._finger or touch.grab_current is not self:
            return bool(super().on_touch_up(touch))
        load, self._finger = self.load, None
        if not load:
            return bool(super().on_touch_up(touch))
        touch.ungrab(self)
        square = self.square_at(*touch.pos)
        self.put_away()
        if square is not None and self._may(load, square):
            self.dispatch("on_drop", load, square)
        return True

    def put_away(self) -> None:
        """Nothing is carried; what was taken up stands where it stood."""
        self._ghost.clear()
        if self.load:
            self.picked, self.away = [], frozenset()
            self.redraw()
        self.load, self._finger = "", None

    # --- what is carried --------------------------------------------------------------------------------------------

    def _under(self, x: float, y: float) -> str:
        """What a finger takes up there: a figure, or a square for its card."""
        square = self.square_at(x, y)
        if square is None:
            return ""
        if self.carries == "cards":
            return "" if square == ROOF else square
        return self.figure_at(x, y) or ""

    def _may(self, load: str, square: str) -> bool:
        return not (square == ROOF and (self.carries == "cards" or load in VILLAINS))

    def _take_up(self) -> None:
        self.load = self._from
        if self.carries == "figures":
            self.away = frozenset((self.load,))
            self.redraw()

    def _follow(self, touch: Any) -> None:
        """The load lies above the finger, so that it is seen; the square under the finger has a ring."""
        square = self.square_at(*touch.pos)
        ring = [square] if square is not None else []
        if self.carries == "cards" and self.load not in ring:
            # its figures stay, so it stays to be seen, too
            ring.append(self.load)
        if self.picked != ring:
            self.picked = ring
        self._ghost.clear()
        pen, px = Pen(self._ghost), max(self.pitch * 0.9, u(56))
        x, y = touch.x - px / 2, touch.y - px * 0.2
        if self.carries == "figures":
            pen.figure(self.load, x, y, px, self.load in self.lying)
            return
        pen.box(x - u(3), y - u(3), px + u(6), px + u(6), c("act"), u(9))
        pen.box(x, y, px, px, c("stone"), u(7))
        kind = card_at(tuple(self.rows), self.load)
        pen.pic(f"card_{TERRAIN[kind]}", x + px * 0.08, y + px * 0.08, px * 0.84)
