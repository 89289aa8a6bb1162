"""What is laid over a screen: the menu, and the question whose card a new tag is."""

from __future__ import annotations

from typing import Any

from kivy.uix.floatlayout import FloatLayout

from companion.games.sir_holland.state import CARDS, COLOURS
from companion.table.ports import Bind, Change, Leave, SayAgain, Status
from companion.ui import words
from companion.ui.screens.base import load_kv
from companion.ui.theme import look, u
from companion.ui.widgets import BigButton, Heading, Panel, Row, Text
from companion.ui.words import _, say

load_kv("sheets")


class Sheet(FloatLayout):
    """A card in the middle of a darkened screen. A touch beside it closes it."""

    def __init__(self, root: Any, title: str, width: float = 520) -> None:
        super().__init__()
        self.root = root
        self.panel = Panel(orientation="vertical", edge="line", size_hint=(None, None), padding=u(16), spacing=u(10))
        self.panel.width = min(u(width), root.width - u(24))
        self.panel.pos_hint = {"center_x": 0.5, "center_y": 0.5}
        self.panel.bind(minimum_height=self.panel.setter("height"))
        self.panel.add_widget(Heading(text=title, px=30, size_hint_y=None, height=u(40)))
        self.add_widget(self.panel)

    def row(self, *buttons: Any, height: float = 58) -> None:
        """Add buttons side by side."""
        row = Row(size_hint_y=None, height=u(height))
        for button in buttons:
            row.add_widget(button)
        self.panel.add_widget(row)

    def on_touch_down(self, touch: Any) -> Any:
        if not self.panel.collide_point(*touch.pos):
            self.root.close_sheet()
            return True
        return super().on_touch_down(touch)


def button(text: str, act: Any, **kwargs: Any) -> BigButton:
    """A button that does something."""
    made = BigButton(text=text, **kwargs)
    made.bind(on_release=lambda *_: act())
    return made


class MenuSheet(Sheet):
    """Put right, say again, voice, language, leave. Only doors that exist."""

    def __init__(self, root: Any) -> None:
        super().__init__(root, _("Menu"))
        self.leaving = False
        if root.now is not None:
            self.row(button(_("Put it right"), lambda: self._go("put_right"), icon="mark_fix"))
        speaks = root.settings.get("voice") is not False
        voice = button(_("The voice is on") if speaks else _("The voice is off"), lambda: self._voice(not speaks),
                       sub=_("Touch to turn it off.") if speaks else _("Touch to turn it on."),
                       icon="mark_yes" if speaks else "mark_no")  # fmt: skip
        again = [button(_("Say it again"), lambda: self._send(SayAgain()), off=not speaks)] if root.now else []
        self.row(*again, voice)
        languages = [
            button(text, lambda lang=lang: root.change_language(lang), off=lang == words.language())
            for lang, text in words.LANGUAGES.items()
        ]
        self.row(*languages)
        if root.now is not None:
            self.exit = button(_("Stop for today"), self._leave, sub=_("The game stays saved."))
            self.row(self.exit, height=64)
        self.row(button(_("Back to the table"), root.close_sheet, lit=True), height=62)

    def _go(self, screen: str) -> None:
        self.root.close_sheet()
        self.root.go(screen)

    def _send(self, request: Any) -> None:
        self.root.close_sheet()
        self.root.send(request)

    def _voice(self, on: bool) -> None:
        """At once, also where the house cannot keep it."""
        self.root.settings["voice"] = on
        self._send(Change({"voice": on}))

    def _leave(self) -> None:
        """A second touch on a button that says so: a child's stray finger ends nothing."""
        if not self.leaving:
            self.leaving = True
            self.exit.text, self.exit.sub = _("Really stop now?"), _("Touch once more.")
            return
        self.root.close_sheet()
        self.root.flow.go("start")
        self.root.send(Leave())


class BindSheet(Sheet):
    """A tag that nobody knows: whose card is it?"""

    def __init__(self, root: Any, status: Status) -> None:
        super().__init__(root, _("A new tag"), 640)
        self.tag = str(status.data["uid"])
        seats = root.now.view["seats"] if root.now else COLOURS
        self.owner, self.number = str(status.data.get("seat") or seats[0]), 0
        assert status.message is not None
        self.panel.add_widget(Text(text=say(status.message), px=18, least=14, size_hint_y=None, height=u(46)))
        self.seats = [button(words.name(s), lambda s=s: self._pick(s, self.number), seat=s, px=18) for s in seats]
        for made, seat in zip(self.seats, seats, strict=True):
            made.data = seat
        per_row = len(seats) if look.wide else 2
        for start in range(0, len(seats), per_row):
            self.row(*self.seats[start : start + per_row])
        self.cards = [button(str(n), lambda n=n: self._pick(self.owner, n), px=26) for n in CARDS]
        self.row(*self.cards)
        self.done = button(_("Keep it"), self._bind, off=True)
        self.row(button(_("Not now"), root.close_sheet), self.done, height=62)
        self._pick(self.owner, 0)

    def _pick(self, owner: str, number: int) -> None:
        self.owner, self.number = owner, number
        for made in self.seats:
            made.edge = "act" if made.data == owner else "line"
        for n, made in zip(CARDS, self.cards, strict=True):
            made.edge = "act" if n == number else "line"
        self.done.off, self.done.lit = not number, bool(number)

    def _bind(self) -> None:
        if self.number:
            self.root.close_sheet()
            self.root.send(Bind(self.tag, self.owner, self.number))
