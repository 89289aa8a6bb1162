"""A what-if looks different from the game: it says so all the time, and leads back."""

from __future__ import annotations

from typing import Any

from companion.table.ports import Leave
from companion.ui.theme import look, t, u
from companion.ui.widgets import BigButton, Panel, Pic, Text
from companion.ui.words import _


class WhatIfStrip(Panel):
    """Under every screen of a what-if."""

    def __init__(self, root: Any) -> None:
        super().__init__(ground="ok_bg", radius=0, size_hint_y=None, padding=(u(12), u(2)))
        self.add_widget(Pic(art="mark_history", tint="ok", size_hint_x=None, width=u(28)))
        words = Text(text=_("What if: nothing of this is kept."), px=19, least=13, bold=True, tint="ok")
        self.add_widget(words)
        back = BigButton(text=_("Back to the replay"), px=18, least=14, size_hint_x=None)
        back.width = min(t(210), look.width * 0.46)
        self.height = max(u(52), words.high(words.least, look.width - back.width - u(28 + 24 + 16)) + u(6))
        back.bind(on_release=lambda *_: root.send(Leave()))
        self.add_widget(back)


class WhatIfButton(BigButton):
    """The same where there is no room for a strip."""

    def __init__(self, root: Any) -> None:
        super().__init__(text=_("Back to the replay"), sub=_("What if: nothing of this is kept."), icon="mark_undo",
                         size_hint_y=None, height=t(54), least=14)  # fmt: skip
        self.bind(on_release=lambda *_: root.send(Leave()))

    def _dress(self, *args: Any) -> None:
        super()._dress(*args)
        self.ground, self.edge = "ok_bg", "ok"
