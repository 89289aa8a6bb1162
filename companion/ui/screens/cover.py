"""The privacy cover: hold to open, pick a card, lock it in; after that nothing on the screen shows what was picked.

All widgets of the open hand are made when it opens and thrown away when it closes. Both ways out of it, with and
without a choice, lead to the same place: the cover of the next seat, or the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout

from companion.games.base import Message, msg
from companion.games.sir_holland.state import CARDS, REST
from companion.ui import card_words, explaining
from companion.ui.boards.sir_holland.hand import HandCard, lay_out_hand
from companion.ui.explaining import Explanation
from companion.ui.theme import look, t, u
from companion.ui.widgets import BigButton, SeatMark, Text
from companion.ui.words import _, say

HOLD = 0.6
"""Seconds to hold before the hand opens: long enough that nobody opens it in passing."""
OPEN = 20.0
"""Seconds that an open hand may lie untouched: a child has seven lines to read."""


class Cover(FloatLayout):
    """Covers everything. done: gets the card that was locked in; on: what comes when the hand has been put away.

    rest_leads_to: what is to be known before the seat rests (card_words.rest_leads_to); passed: whether the screen has
    just been passed on from a seat that may have chosen.
    """

    seat = StringProperty("")
    held = NumericProperty(0)
    is_open = BooleanProperty(False)

    def __init__(
        self,
        root: Any,
        seat: str,
        seats: Sequence[str],
        hand: list[int],
        done: Callable[[int], None],
        on: Callable[[], None],
        rest_leads_to: Message | None = None,
        passed: bool = False,
    ) -> None:
        super().__init__()
        self.root, self.seat, self.seats, self.hand, self.done, self.on = root, seat, seats, hand, done, on
        self.rest_leads_to, self.passed = rest_leads_to, passed
        self.picked = 0
        self.cards: list[HandCard] = []
        self._hold: Any = None
        self._close: Any = None
        self._front(_("Hold your finger here to see your cards."))

    @property
    def standing(self) -> Any:
        """Shut or open."""
        return self.is_open

    # --- shut -------------------------------------------------------------------------------------------------------

    def _page(self, head: str, text: str) -> BoxLayout:
        """What to do stands above the mark; the corners below it are for ways out."""
        page = BoxLayout(orientation="vertical", padding=(u(24), u(20), u(24), u(76)), spacing=u(8))
        page.add_widget(_line(head, 30, self.seat, True, size_hint_y=None, height=t(84 if look.wide else 126)))
        page.add_widget(_line(text, 23, self.seat, False, size_hint_y=None, height=t(40 if look.wide else 70)))
        page.add_widget(SeatMark(seat=self.seat, cut=True))
        return page

    def _front(self, text: str) -> None:
        self.clear_widgets()
        head = say(_look_away(self.seat, self.seats))
        self.add_widget(self._page(head, text))
        leave = BigButton(text=_("Not now"), size_hint=(None, None), size=(u(180), max(u(56), t(48))))
        leave.pos_hint = {"x": 0.015}
        leave.y = u(10)
        leave.bind(on_release=lambda *_: self._to_table())
        self.leave = leave
        self.add_widget(leave)
        if self.passed:
            # the same whether the last one has chosen or not
            note = _line(_("Card chosen? Lay it face down, too."), 20, self.seat, False, size_hint=(None, None))
            note.size = (self.root.width - leave.width - u(48), leave.height)
            note.pos_hint, note.y = {"right": 0.985}, leave.y
            self.add_widget(note)

    def is_patient(self, touch: Any) -> bool:
        """While it is shut, all but the way out has to be held."""
        return not (self.is_open or self.leave.collide_point(*touch.pos))

    def on_touch_down(self, touch: Any) -> bool:
        if self.is_open:
            super().on_touch_down(touch)
            return True
        if self.leave.collide_point(*touch.pos):
            super().on_touch_down(touch)
            return True
        self._hold = Clock.schedule_once(lambda dt: self._held_long(), HOLD)
        touch.grab(self)
        return True

    def _held_long(self) -> None:
        """Long enough by the clock; if the machine was slow, the finger may be up, and that is heard within a frame."""
        self._hold = Clock.schedule_once(lambda dt: self._open(), 0)

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is self:
            touch.ungrab(self)
            if self._hold is not None:
                self._hold.cancel()
                self._hold = None
        return bool(super().on_touch_up(touch))

    # --- open -------------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        self._forget()
        self.is_open, self.picked = True, 0
        self._hold = None
        self.clear_widgets()
        page = BoxLayout(orientation="vertical", padding=(u(12), u(12)), spacing=u(10))
        played = len(self.hand) < len(CARDS)
        hint = BoxLayout(orientation="vertical", padding=(u(6), 0))
        self.head, self.sub = _line("", 21, self.seat, True), _line("", 18, self.seat, False)
        for line in (self.head, self.sub):
            hint.add_widget(line)
        back = _("Played cards come back when you rest.") if played else ""
        self._tell(_("Tap a card, then lock it in."), back)
        grid, self.cards = lay_out_hand(self.seat, self.hand, hint)
        for card in self.cards:
            card.bind(on_release=lambda card: self._pick(int(card.number)))
        page.add_widget(grid)
        foot = BoxLayout(spacing=u(8), size_hint_y=None, height=max(u(66), t(56)))
        away = BigButton(text=_("Not now"), size_hint_x=0.6)
        away.bind(on_release=lambda *_: self._pass_on())
        self.lock = BigButton(text=_("Lock in"), off=True, px=22, icon="mark_lock")
        self.lock.bind(on_release=lambda *_: self._lock())
        foot.add_widget(away)
        foot.add_widget(self.lock)
        page.add_widget(foot)
        self.add_widget(page)
        self._again()
        self.root.look_under()

    def explains(self, x: float, y: float) -> Explanation | None:
        """In the open hand, what the card there does: it is not picked, and nobody hears which one it is."""
        card = next((card for card in self.cards if card.collide_point(x, y)), None) if self.is_open else None
        board = explaining.of_board()
        if card is None or board is None:
            return None
        self._again()
        return replace(board.card(card.number), rule="", secret=True)

    def _again(self) -> None:
        """Shut by itself if nobody touches for a while."""
        if self._close is not None:
            self._close.cancel()
        self._close = Clock.schedule_once(lambda dt: self._shut(), OPEN)

    def _pick(self, number: int) -> None:
        self._again()
        if number not in self.hand:
            self._tell(say(msg("{n} {card:card_name} has been played.", n=number, card=number)),
                       _("It comes back when you rest."))  # fmt: skip
            return
        leads = self.rest_leads_to if number == REST else None
        head, special = say(card_words.head(number)), say(leads or card_words.SPECIAL[number])
        if look.tight and leads is None:
            # "And ..." needs what stands before it
            special = f"{head} {special}"
        self._tell(head, special, 1)
        self.picked = number
        for card in self.cards:
            card.picked = card.number == number
        self.lock.off, self.lock.lit = False, True
        self.lock.text = say(msg("Lock in {card:card_name}", card=number))

    def _tell(self, head: str, sub: str, matters: int = 0) -> None:
        """Two lines beside the last card; of large letters only the one that matters, as the card says the rest."""
        lines = [head, sub]
        if look.tight:
            lines[1 - matters] = ""
        for line, text in zip((self.head, self.sub), lines, strict=True):
            line.text, line.size_hint_y = text, 1 if text else 0.001
        self.head.valign = "bottom" if self.sub.text else "middle"
        self.sub.valign = "top" if self.head.text else "middle"

    def _lock(self) -> None:
        if self.picked:
            card = self.picked
            self._forget()
            self.done(card)
            self.on()

    # --- shut again -------------------------------------------------------------------------------------------------

    def _forget(self) -> None:
        """No trace of what was picked, and nothing that will still happen."""
        for event in (self._hold, self._close):
            if event is not None:
                event.cancel()
        self._hold = self._close = None
        self.picked, self.is_open = 0, False
        self.root.close_explanation()
        self.cards = []
        self.head = self.sub = Text()
        self.clear_widgets()

    def _shut(self) -> None:
        """Nobody has touched the open hand: the front again, so that whoever still thinks can open it again."""
        self._forget()
        self._front(_("Closed, nothing is chosen. Hold your finger to open it again."))
        self.root.look_under()

    def _pass_on(self) -> None:
        """Nothing is chosen; it looks as if something were."""
        self._forget()
        self.on()

    def _to_table(self) -> None:
        """Nobody has looked at the cards."""
        self._forget()
        self.root.close_sheet()


def _look_away(seat: str, seats: Sequence[str]) -> Message:
    """Who takes the screen, and who does not look."""
    others = [s for s in seats if s != seat]
    if len(others) == 1:
        return msg("{seat:seat}, take the screen. {other:seat} looks away.", seat=seat, other=others[0])
    return msg("{seat:seat}, take the screen. The others look away.", seat=seat)


def _line(text: str, px: float, seat: str, bold: bool, **kwargs: Any) -> Text:
    return Text(text=text, px=px, least=px * 0.62, bold=bold, tint=f"on_{seat}", halign="center", **kwargs)
