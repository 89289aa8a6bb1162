"""A question that stands on a square of the tower: a bright chip for each answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.uix.boxlayout import BoxLayout

from companion.ui.screens.turn_side import make_button
from companion.ui.theme import t, u


class Chips(BoxLayout):
    """answers: text, second line, what it does. Side by side above the square, or below it where there is no room."""

    def __init__(
        self, tower: Any, square: str, answers: Sequence[tuple[str, str, Callable[[], None]]], **kwargs: Any
    ) -> None:
        super().__init__(size_hint=(None, None), spacing=u(8), **kwargs)
        self.tower, self.square = tower, square
        for text, sub, act in answers:
            self.add_widget(make_button(text, act, sub=sub, lit=True, px=18, least=14))
        tower.bind(pos=self._place, size=self._place)
        self._place()

    def _place(self, *_: Any) -> None:
        x, y, w, h = self.tower.box_of(self.square)
        n = len(self.children)
        self.size = min(t(132) * n + u(8) * (n - 1), self.tower.width), t(58)
        left = x + w / 2 - self.width / 2
        self.x = max(self.tower.x, min(left, self.tower.right - self.width))
        above = y + h + u(6)
        self.y = above if above + self.height <= self.tower.top else y - self.height - u(6)
