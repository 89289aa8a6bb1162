"""The privacy cover: hold to open, pick a card, lock it in; after that nothing on the screen shows what was picked.

All widgets of the open hand are made when it opens and thrown away when it closes. Both ways out, with and without a
choice, end at the same plain back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.label import Label

from companion.games.base import msg
from companion.games.sir_holland.state import CARDS
from companion.ui.theme import c, look, u
from companion.ui.widgets import ActionCard, BigButton, SeatMark
from companion.ui.words import _, say

HOLD = 0.6
"""Seconds to hold before the hand opens: long enough that nobody opens it in passing."""
OPEN = 10.0
"""Seconds that an open hand may lie untouched."""


class HandCard(ButtonBehavior, ActionCard):
    """A card in the open hand."""


class Cover(FloatLayout):
    """Covers everything. done: gets the card that was locked in."""

    seat = StringProperty("")
    held = NumericProperty(0)
    is_open = BooleanProperty(False)

    def __init__(self, root: Any, seat: str, hand: list[int], done: Callable[[int], None]) -> None:
        super().__init__()
        self.root, self.seat, self.hand, self.done = root, seat, hand, done
        self.picked = 0
        self._hold: Any = None
        self._close: Any = None
        self.finished = False
        self._front()

    # --- shut -------------------------------------------------------------------------------------------------------

    def _page(self, head: str, text: str) -> BoxLayout:
        page = BoxLayout(orientation="vertical", padding=(u(24), u(28)), spacing=u(10))
        page.add_widget(_line(head, 31, self.seat, True))
        page.add_widget(SeatMark(seat=self.seat, cut=True, size_hint_y=2.6))
        page.add_widget(_line(text, 24, self.seat, False))
        return page

    def _front(self) -> None:
        self.clear_widgets()
        head = say(msg("{seat:seat}, take the screen. The others look away.", seat=self.seat))
        self.add_widget(self._page(head, _("Hold your finger here to see your cards.")))
        leave = BigButton(text=_("Not now"), size_hint=(None, None), size=(u(170), u(56)), pos_hint={"right": 0.985})
        leave.y = u(10)
        leave.bind(on_release=lambda *_: self._back())
        self.leave = leave
        self.add_widget(leave)

    def on_touch_down(self, touch: Any) -> bool:
        if self.finished:
            self.root.close_sheet()
            return True
        if self.is_open:
            super().on_touch_down(touch)
            return True
        if self.leave.collide_point(*touch.pos):
            super().on_touch_down(touch)
            return True
        self._hold = Clock.schedule_once(lambda dt: self._open(), HOLD)
        touch.grab(self)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is self:
            touch.ungrab(self)
            if self._hold is not None:
                self._hold.cancel()
                self._hold = None
        return bool(super().on_touch_up(touch))

    # --- open -------------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        self.is_open = True
        self._hold = None
        self.clear_widgets()
        page = BoxLayout(orientation="vertical", padding=(u(10), u(14)), spacing=u(12))
        page.add_widget(_line(_("Tap a card, then lock it in."), 27, self.seat, True))
        self.cards = []
        per_row = 7 if look.wide else 4
        grid = BoxLayout(orientation="vertical", spacing=u(8), size_hint_y=3 if look.wide else 5)
        for start in range(0, len(CARDS), per_row):
            row = BoxLayout(spacing=u(6))
            for n in CARDS[start : start + per_row]:
                card = HandCard(number=n, seat=self.seat, used=n not in self.hand, cut=True)
                card.bind(on_release=lambda _, n=n: self._pick(n))
                self.cards.append(card)
                row.add_widget(card)
            if not look.wide and start:
                row.add_widget(BoxLayout())
            grid.add_widget(row)
        page.add_widget(grid)
        foot = BoxLayout(spacing=u(8), size_hint_y=None, height=u(68))
        away = BigButton(text=_("Not now"), size_hint_x=0.6)
        away.bind(on_release=lambda *_: self._back())
        self.lock = BigButton(text=_("Lock in"), off=True, px=22, icon="mark_lock")
        self.lock.bind(on_release=lambda *_: self._lock())
        foot.add_widget(away)
        foot.add_widget(self.lock)
        page.add_widget(foot)
        self.add_widget(page)
        self._again()

    def _again(self) -> None:
        """Shut by itself if nobody touches for a while."""
        if self._close is not None:
            self._close.cancel()
        self._close = Clock.schedule_once(lambda dt: self._back(), OPEN)

    def _pick(self, number: int) -> None:
        self._again()
        if number not in self.hand:
            return
        self.picked = number
        for card in self.cards:
            card.picked = card.number == number
        self.lock.off, self.lock.lit = False, True
        self.lock.text = say(msg("Lock in {card:card_name}", card=number))

    def _lock(self) -> None:
        if self.picked:
            card = self.picked
            self._back()
            self.done(card)

    # --- shut again -------------------------------------------------------------------------------------------------

    def _back(self) -> None:
        """The plain back, the same however one came here."""
        for event in (self._hold, self._close):
            if event is not None:
                event.cancel()
        self.picked, self.is_open, self.finished = 0, False, True
        self.cards = []
        self.clear_widgets()
        self.add_widget(self._page(_("Put the screen back on the table."), _("Touch to go on.")))


def _line(text: str, px: float, seat: str, bold: bool) -> Label:
    label = Label(text=text, font_size=u(px), bold=bold, color=c(f"on_{seat}"), halign="center", valign="middle")
    label.bind(size=lambda w, size: setattr(w, "text_size", size))
    return label
