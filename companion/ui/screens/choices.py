"""What pages of choices share: a choice with its reason beside it, and the row at the foot that leads back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.properties import BooleanProperty
from kivy.uix.boxlayout import BoxLayout

from companion.ui.screens.sheets import button
from companion.ui.theme import t, u
from companion.ui.widgets import BigButton, Pic, Row, Text, Touchable
from companion.ui.words import _


class Choice(Touchable):
    """One of several: its name, what it means, and a tick where it is the one that counts. `side`: a sample."""

    chosen = BooleanProperty(False)

    def __init__(
        self, text: str, act: Callable[[], None], sub: str = "", chosen: bool = False, side: Any = None, px: int = 22
    ) -> None:
        super().__init__(padding=(u(12), u(6)), spacing=u(10))
        self.text = text
        self.tick = Pic(tint="ok", size_hint_x=None, width=u(30))
        self.add_widget(self.tick)
        words = BoxLayout(orientation="vertical")
        words.add_widget(Text(text=text, px=px, least=14, bold=True, valign="bottom" if sub else "middle"))
        if sub:
            long = len(sub) > 46
            words.add_widget(
                Text(text=sub, px=px - 3, least=13, tint="muted", valign="top", size_hint_y=1.5 if long else 1)
            )
        self.add_widget(words)
        if side is not None:
            self.add_widget(side)
        self.fbind("chosen", self._dress)
        self.fbind("on_release", lambda *_: act())
        self.chosen = chosen

    def _dress(self, *_: Any) -> None:
        super()._dress()
        if self.chosen:
            self.ground, self.edge = "ok_bg", "ok"
        if hasattr(self, "tick"):
            self.tick.art = "mark_yes" if self.chosen else ""


class Tile(BigButton):
    """A thing that can be set, its picture and how it is set now."""

    def _art_size(self) -> float:
        return min(self.height * 0.52, u(36)) if self.icon else super()._art_size()


def foot(back: Callable[[], None], *others: Any, text: str = "") -> Row:
    """The lowest row: other buttons, and the one that leads back at the lower right, where the primary always is."""
    row = Row(size_hint_y=None, height=t(60))
    for other in others:
        row.add_widget(other)
    row.add_widget(button(text or _("Done"), back, lit=True, icon="mark_yes", px=22))
    return row


def page(*parts: Any, spacing: float = 8) -> BoxLayout:
    """Parts one under the other, with the margins of a screen."""
    made = BoxLayout(orientation="vertical", padding=(u(8), u(20), u(8), u(8)), spacing=u(spacing))
    for part in parts:
        made.add_widget(part)
    return made
