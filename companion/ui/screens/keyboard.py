"""A keyboard for names: large keys, letters of all our languages, no keyboard of the system."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout

from companion.games.base import msg
from companion.ui.theme import c, look, u
from companion.ui.widgets import BigButton, Heading, Panel, SeatMark
from companion.ui.words import _, say

ROWS = ("ÁÂÃÇÉÊÍÓÕÚ", "QWERTYUIOP", "ASDFGHJKL-", "ZXCVBNM")
NARROW = ("ÁÂÃÇÉ", "ÊÍÓÕÚ", "QWERT", "YUIOP", "ASDFG", "HJKL-", "ZXCVB", "NM")
"""The same where a row has no room for ten fingers' keys."""
LONGEST = 12
"""Letters of a name: so many fit beside a mark everywhere."""


class Keys(BoxLayout):
    """Rows of keys; the last one ends with space and wipe. typed: gets the letter; wiped: the last letter goes."""

    def __init__(self, rows: Sequence[str], typed: Callable[[str], None], wiped: Callable[[], None]) -> None:
        super().__init__(orientation="vertical", spacing=u(6))
        for letters in rows:
            row = BoxLayout(spacing=u(6))
            for letter in letters:
                row.add_widget(key(letter, lambda k=letter: typed(k), px=26))
            if letters == rows[-1]:
                row.add_widget(key(_("Space"), lambda: typed(" "), px=18, size_hint_x=1.5))
                row.add_widget(key(_("Erase"), wiped, px=18, least=12, size_hint_x=1.5))
            self.add_widget(row)


class Key(BigButton):
    """A key."""

    about = msg("A key of the keyboard. A short touch writes what stands on it.")


def key(text: str, act: Any, **kwargs: Any) -> BigButton:
    """A key, or a button below the keys."""
    made = Key(text=text, **kwargs)
    made.bind(on_release=lambda *_: act())
    return made


class NameSheet(FloatLayout):
    """Covers the screen. done: gets the name; untouched: the name that was there is replaced by what is typed."""

    def __init__(self, root: Any, seat: str, name: str, done: Callable[[str], None]) -> None:
        super().__init__()
        self.root, self.seat, self.name, self.done = root, seat, name, done
        self.untouched = bool(name)
        with self.canvas.before:
            from kivy.graphics import Color, Rectangle

            Color(*c("night"))
            Rectangle(size=root.size)
        page = BoxLayout(orientation="vertical", padding=u(8), spacing=u(8))
        head = Panel(size_hint_y=None, height=u(76), edge="line")
        head.add_widget(SeatMark(seat=seat, size_hint_x=None, width=u(52)))
        self.shown = Heading(px=40, least=24)
        head.add_widget(self.shown)
        page.add_widget(head)
        page.add_widget(Keys(ROWS if look.wide else NARROW, self._type, self._wipe))
        foot = BoxLayout(spacing=u(8), size_hint_y=None, height=u(66))
        foot.add_widget(key(_("Leave it"), root.close_sheet, px=20))
        self.ok = key(_("That is the name"), self._done, lit=True, icon="mark_yes", size_hint_x=1.8)
        foot.add_widget(self.ok)
        page.add_widget(foot)
        self.add_widget(page)
        self._show()

    def _type(self, letter: str) -> None:
        if self.untouched:
            self.name, self.untouched = "", False
        if len(self.name) < LONGEST:
            begins = not self.name or self.name[-1] in " -"
            self.name += letter if begins else letter.lower()
        self._show()

    def _wipe(self) -> None:
        self.name, self.untouched = self.name[:-1], False
        self._show()

    def _show(self) -> None:
        self.shown.text = self.name or say(msg("Who plays {colour:seat_colour}?", colour=self.seat))
        self.shown.tint = "text" if self.name and not self.untouched else "muted"

    def _done(self) -> None:
        name = " ".join(self.name.split())
        self.root.close_sheet()
        self.done(name)
