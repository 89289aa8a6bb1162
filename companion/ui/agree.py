"""Everyone is asked whether they agree: each seat touches its own mark.

With the last mark it is agreed. A bar runs down first, so that somebody can still say no.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.games.base import msg, msgn
from companion.table.ports import Snapshot, TakeBack
from companion.ui import words
from companion.ui.pen import Pen
from companion.ui.run_down import RunDown
from companion.ui.screens.sheets import Sheet, button
from companion.ui.theme import c, look, t, u
from companion.ui.widgets import Row, SeatMark, Text, Touchable, height_of
from companion.ui.words import _, say

WIDTH = 680
"""Of the sheet, in lengths of the design."""


class AgreeMark(Touchable):
    """A seat's mark to touch: once to say yes, once more to take that back."""

    about = msg("Touch your own mark if you agree. Another touch takes your yes back.")
    seat = StringProperty("")
    agreed = BooleanProperty(False)

    def __init__(self, seat: str, **kwargs: Any) -> None:
        super().__init__(seat=seat, orientation="vertical", padding=(u(6), u(8)), spacing=u(2), **kwargs)
        self.add_widget(SeatMark(seat=seat))
        self.name = Text(text=words.name(seat), px=19, least=13, bold=True, halign="center", size_hint_y=None)
        self.name.height = t(28)
        self.add_widget(self.name)
        self.fbind("agreed", self._dress)

    def _dress(self, *_: Any) -> None:
        super()._dress()
        if self.agreed:
            self.ground, self.edge = "ok_bg", "ok"

    def _draw(self, *args: Any) -> None:
        super()._draw(*args)
        if self.agreed:
            px = u(40)
            pen = Pen(self._group)
            x, y = self.right - px - u(4), self.top - px - u(4)
            pen.disc(x + px / 2, y + px / 2, px, c("ok"))
            pen.pic("mark_yes", x + px * 0.15, y + px * 0.15, px * 0.7, c("ok_bg"))


class AgreeSheet(Sheet):
    """title, text: what is asked; seats: who has to say yes; done: gets them, in that order, once all have.

    yes, no: what is said once all have, and on the way out, where the question wants an answer of its own.
    """

    def __init__(
        self,
        root: Any,
        title: str,
        text: str,
        seats: Sequence[str],
        done: Callable[[tuple[str, ...]], None],
        yes: str = "",
        no: str = "",
    ) -> None:
        super().__init__(root, title, WIDTH)
        self.seats, self.done = tuple(seats), done
        self.yes, self.no = yes or _("Everyone agrees"), no or _("Leave it")
        self.bar = RunDown()
        self.panel.padding, self.panel.spacing = (u(14), u(14)), u(8)
        words_ = Text(text=text, px=20, least=13, size_hint_y=None)
        self.panel.add_widget(words_)
        self.marks = {seat: AgreeMark(seat) for seat in self.seats}
        for mark in self.marks.values():
            mark.bind(on_release=self._touch)
        per_row = len(self.seats) if look.wide else 2
        rows = -(-len(self.seats) // per_row)
        high = max(u(124), t(104))
        for start in range(0, len(self.seats), per_row):
            self.row(*(self.marks[seat] for seat in self.seats[start : start + per_row]), height=high / look.factor)
        self.foot = Row(size_hint_y=None, height=t(62))
        self.panel.add_widget(self.foot)
        # the text may have all that is left of the screen
        room = root.height - u(16) - 2 * u(14) - u(40) - rows * (high + u(8)) - t(62) - 2 * u(8)
        words_.height = min(height_of(text, 20, self.panel.width - 2 * u(14)), max(room, u(40)))
        self._ask()

    @property
    def missing(self) -> list[str]:
        """Who has not said yes."""
        return [seat for seat in self.seats if not self.marks[seat].agreed]

    def on_touch_down(self, touch: Any) -> Any:
        """A stray touch beside it takes nobody's yes away: this sheet closes by its button only."""
        return super().on_touch_down(touch) if self.panel.collide_point(*touch.pos) else True

    def _touch(self, mark: AgreeMark) -> None:
        mark.agreed = not mark.agreed
        self._ask()

    def _ask(self) -> None:
        self.bar.stop()
        if self.bar.parent is not None:
            # a yes was taken back and given again: a widget has one parent at a time
            self.bar.parent.remove_widget(self.bar)
        self.foot.clear_widgets()
        missing = self.missing
        if missing:
            self.foot.add_widget(button(self.no, self.root.close_sheet, size_hint_x=0.6))
            ask = msgn("{seats:seats}, touch your mark if you agree.", "{seats:seats}, touch your marks if you agree.",
                       n=len(missing), seats=missing)  # fmt: skip
            self.foot.add_widget(Text(text=say(ask), px=19, least=13, tint="muted"))
            return
        self.foot.add_widget(button(_("No, wait"), self.root.close_sheet, size_hint_x=0.6, px=22))
        column = BoxLayout(orientation="vertical", spacing=u(4))
        column.add_widget(Text(text=self.yes, px=22, least=13, bold=True, tint="ok"))
        column.add_widget(self.bar)
        self.foot.add_widget(column)
        self.bar.start(self._done)

    def _done(self) -> None:
        self.root.close_sheet()
        self.done(self.seats)


def ask_take_back(root: Any) -> None:
    """What a take-back would undo, shown first. Its own seat may do it alone; else everyone is asked."""
    now: Snapshot = root.now
    undo = now.undo
    if undo is None:
        return
    text = f"{_('This will be undone:')} {' '.join(say(m) for m in undo.messages)}"
    if now.view["locked"]:
        text += "\n" + _("Everyone chooses a card again.")
    if undo.seat is None:
        ask_all_to_take_back(root, now, text)
        return
    sheet = Sheet(root, _("Take this back?"), WIDTH)
    words_ = Text(text=text, px=20, least=13, size_hint_y=None)
    words_.height = min(height_of(text, 20, sheet.panel.width - 2 * u(16)), root.height - t(170))
    sheet.panel.add_widget(words_)
    alone = TakeBack(undo.seat, False, now.seen)

    def take() -> None:
        root.close_sheet()
        root.send(alone)

    yes = button(say(msg("{seat:seat} takes it back", seat=undo.seat)), take, lit=True, seat=undo.seat, px=20, least=13)
    sheet.row(button(_("Leave it"), root.close_sheet, size_hint_x=0.6), yes, height=t(62) / look.factor)
    root.open_sheet(sheet)


def ask_all_to_take_back(root: Any, now: Snapshot, text: str) -> None:
    """Where it is not one seat's own matter. text: what would be undone."""
    back = TakeBack(now.undo.seat if now.undo else None, True, now.seen)
    root.open_sheet(AgreeSheet(root, _("Take this back?"), text, asked(now), lambda _seats: root.send(back)))


def asked(now: Snapshot) -> tuple[str, ...]:
    """The seats that can say yes: those that somebody plays."""
    seats: list[str] = now.view["seats"]
    return tuple(s for s in seats if s not in now.free) or tuple(seats)
