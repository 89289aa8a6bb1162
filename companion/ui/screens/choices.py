"""What pages of choices share: a choice with its reason beside it, pages of things, and the row that leads back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.properties import BooleanProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.games.base import msg
from companion.ui.screens.sheets import button
from companion.ui.theme import look, t, u
from companion.ui.widgets import BigButton, Pic, Row, Text, Touchable
from companion.ui.words import _


class Choice(Touchable):
    """One of several: its name, what it means, and a tick where it is the one that counts.

    side: a sample, at the right; mark: whose it is, in place of the tick.
    """

    about = msg("One of several answers; the one with a tick counts now. A short touch chooses it.")
    chosen = BooleanProperty(False)

    def __init__(
        self,
        text: str,
        act: Callable[[], None],
        sub: str = "",
        chosen: bool = False,
        side: Any = None,
        px: int = 22,
        mark: Any = None,
    ) -> None:
        self.tick = Pic(tint="ok", size_hint_x=None, width=u(30))
        super().__init__(padding=(u(12), u(4)), spacing=u(10))
        self.text = text
        self.add_widget(mark or self.tick)
        self.words = BoxLayout(orientation="vertical")
        self.lines = [Text(text=text, px=px, least=14, bold=True)]
        if sub:
            self.lines.append(Text(text=sub, px=px - 3, least=13, tint="muted"))
        for line in self.lines:
            self.words.add_widget(line)
        self.words.bind(size=self._share)
        self.add_widget(self.words)
        if side is not None:
            self.add_widget(side)
        self.fbind("chosen", self._dress)
        self.fbind("on_release", lambda *_: act())
        self.chosen = chosen

    def _share(self, *_: Any) -> None:
        """Both lines as high as they want to be, in the middle; less of both where there is no room for that."""
        room, wants = self.words.height, [line.high(line.px, self.words.width) for line in self.lines]
        margin = max(room - sum(wants), 0) / 2
        self.words.padding = (0, margin)
        for line, want in zip(self.lines, wants, strict=True):
            line.size_hint_y = want

    def _dress(self, *_: Any) -> None:
        super()._dress()
        if self.chosen:
            self.ground, self.edge = "ok_bg", "ok"
        self.tick.art = "mark_yes" if self.chosen else ""


class SettingTile(BigButton):
    """A thing that can be set, its picture and how it is set now."""

    def _art_size(self) -> float:
        return min(self.height * 0.52, u(36)) if self.icon else super()._art_size()


class Pages(BoxLayout):
    """Things one under the other, as many as fit; the foot turns pages where there are more, and leads back.

    things: make them; least: how high each has to be; across: how many stand side by side; others: more buttons for
    the foot; steady: few things do not grow into the room that many would take. The page that is open stands in what
    the screen was given, as `first`.
    """

    def __init__(
        self,
        screen: Any,
        things: Sequence[Callable[[], Widget]],
        least: float,
        back: Callable[[], None],
        others: Sequence[Widget] = (),
        across: int = 1,
        text: str = "",
        steady: bool = False,
    ) -> None:
        super().__init__(orientation="vertical", padding=(u(8), u(20), u(8), u(8)), spacing=u(8))
        self.screen, self.things, self.least, self.across = screen, things, least, across
        self.others, self.back, self.text, self.steady = others, back, text, steady
        self.fit = 0
        self.bind(size=self._fill)

    def _fill(self, *_: Any) -> None:
        gap = self.spacing
        room = self.height - self.padding[1] - self.padding[3] - foot_height()
        fit = max(1, int(room // (self.least + gap))) * self.across
        if fit == self.fit or self.height < u(200):
            return
        self.fit = fit
        for widget in self.others:
            if widget.parent is not None:
                widget.parent.remove_widget(widget)
        self.clear_widgets()
        count = len(self.things)
        first = min(max(self.screen.given.get("first", 0), 0), (count - 1) // fit * fit)
        shown = self.things[first : first + fit]
        for start in range(0, fit if self.steady or count > fit else len(shown), self.across):
            row = Row()
            for make in shown[start : start + self.across]:
                row.add_widget(make())
            for _missing in range(self.across - len(row.children)):
                row.add_widget(Widget())
            self.add_widget(row)
        self.add_widget(foot(self.back, *self._turning(first, fit, count), *self.others, text=self.text))

    def _turning(self, first: int, fit: int, count: int) -> list[BigButton]:
        if count <= fit:
            return []
        where = f"{first // fit + 1} / {-(-count // fit)}"
        return [
            button(_("Back"), lambda: self._turn(first - fit), off=first == 0, least=13),
            button(_("More"), lambda: self._turn(first + fit), off=first + fit >= count, sub=where, least=13),
        ]

    def _turn(self, first: int) -> None:
        self.screen.root.open(self.screen.name, **{**self.screen.given, "first": first})


def words_height(px: float) -> float:
    """Of a row whose words wrap: larger letters take more lines, too."""
    return u(px) * look.scale**2


def foot_height() -> float:
    """Of the lowest row."""
    return max(u(60), t(50))


def foot(back: Callable[[], None], *others: Any, text: str = "", icon: str = "mark_yes") -> Row:
    """The lowest row: other buttons, and the one that leads back at the lower right, where the primary always is."""
    row = Row(size_hint_y=None, height=foot_height())
    for other in others:
        row.add_widget(other)
    row.add_widget(button(text or _("Done"), back, lit=True, icon=icon, px=22, least=14))
    return row


def page(*parts: Any) -> BoxLayout:
    """Parts one under the other, with the margins of a screen."""
    made = BoxLayout(orientation="vertical", padding=(u(8), u(20), u(8), u(8)), spacing=u(8))
    for part in parts:
        made.add_widget(part)
    return made
