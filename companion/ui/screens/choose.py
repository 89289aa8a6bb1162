"""Choosing in secret: who is in, who is awaited, and choosing on the screen behind a cover."""

from __future__ import annotations

from typing import Any

from kivy.properties import BooleanProperty, ListProperty, NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.games.base import msg, msgn
from companion.games.sir_holland.state import CARDS, Lock, Unlock
from companion.table.ports import Outcome, Play, Reveal, Snapshot, TakeBack
from companion.ui import words
from companion.ui.pen import WHITE, Pen, Still
from companion.ui.screens.base import Screen, load_kv
from companion.ui.screens.cover import Cover
from companion.ui.screens.sheets import Sheet
from companion.ui.theme import c, look, u
from companion.ui.widgets import BigButton, Drawn, Panel, Pic, Text
from companion.ui.words import _, say

load_kv("choose")


class ChooseBody(BoxLayout):
    """Written out in choose.kv."""


class Hand(Drawn):
    """An open hand: cards held, and dashed places of cards that are played."""

    seat = StringProperty("")
    hand = ListProperty([])

    def __init__(self, **kwargs: Any) -> None:
        self._still = Still()
        super().__init__(**kwargs)

    def watched(self) -> tuple[str, ...]:
        return ("seat", "hand")

    def paint(self, pen: Pen) -> None:
        # seven cards of three layers each are most of this screen, and change once a round
        texture = self._still.draw(int(self.width), int(self.height), c("panel"), self._cards)
        pen.stamp(texture, self.x, self.y, WHITE)

    def _cards(self, pen: Pen) -> None:
        gap = u(8)
        one_row = not look.wide or self.width > u(36) * 7 + 6 * gap + u(4)
        columns = 7 if one_row else 4
        rows = 1 if one_row else 2
        w = min((self.width - (columns - 1) * gap) / columns, (self.height / rows - u(5)) / 1.36)
        w = int(min(w, u(60)))
        high = w * 1.36 + u(5)
        top = (self.height + rows * high) / 2
        for n in CARDS:
            row, column = divmod(n - 1, columns)
            x, y = round(column * (w + gap)), round(top - (row + 1) * high + u(4))
            if n in self.hand:
                pen.card(n, x, y, w, self.seat)
            else:
                pen.used(n, x, y, w)


class SeatPanel(Panel):
    """One seat: mark, name, state, open hand, rests, and its button."""

    seat = StringProperty("")
    who = StringProperty("")
    word = StringProperty("")
    locked = BooleanProperty(False)
    hand = ListProperty([])
    rests = NumericProperty(0)
    gryphon = BooleanProperty(False)
    button = StringProperty("")
    icon = StringProperty("")
    lit = BooleanProperty(False)
    off = BooleanProperty(False)


class SeatRow(SeatPanel):
    """The same as a row, where screens are higher than wide."""


class Choose(Screen):
    """See above."""

    name = "choose"

    def make(self) -> Any:
        self.panels: dict[str, SeatPanel] = {}
        body = ChooseBody()
        self.seats, self.foot = body.ids.seats, body.ids.foot
        return body

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        if now is None:
            return
        view = now.view
        if list(self.panels) != list(view["seats"]):
            self._seat_panels(view["seats"])
        can = {choice.seat for choice in now.choices}
        locked = set(view["locked"])
        sits_out = {s for s in view["seats"] if s in locked and view["hands"][s] == [7]
                    and view["rules"].get("third_rest") == "pass" and view["rests"][s] >= 2}  # fmt: skip
        for seat, panel in self.panels.items():
            panel.seat, panel.who = seat, words.name(seat)
            panel.hand, panel.rests = view["hands"][seat], view["rests"][seat]
            panel.gryphon = view["gryphon"] == seat
            panel.locked = seat in locked
            panel.word = _("Sits out") if seat in sits_out else _("Locked in") if panel.locked else _("Thinking …")
            panel.button = _("Take it back") if panel.locked else _("Choose here")
            panel.icon = "mark_unlock" if panel.locked else ""
            panel.lit = not panel.locked and seat in can
            panel.off = seat in sits_out
        self._sentence(now, [s for s in view["seats"] if s not in locked])
        self._foot(now)

    def _seat_panels(self, seats: list[str]) -> None:
        self.seats.clear_widgets()
        self.panels = {}
        for seat in seats:
            panel = SeatPanel() if look.wide else SeatRow()
            self.panels[seat] = panel
            panel.ids.act.bind(on_release=lambda _, s=seat: self._act(s))
            self.seats.add_widget(panel)

    def _sentence(self, now: Snapshot, waiting: list[str]) -> None:
        last = _("Everyone has rested twice: the last round.") if now.view["final"] else ""
        number = say(msg("Round {n}.", n=now.view["round"]))
        if now.held is not None:
            self.tell(_("All cards are in. Reveal them?"), number + " " + _("You may still take a card back."))
            return
        if last:
            sub = last
        elif len(waiting) == len(now.view["seats"]):
            sub = number + " " + _("Lay it face down on your reader, or choose here.")
        else:
            sub = number + " " + say(msgn("{seats:seats} is still thinking.", "{seats:seats} are still thinking.",
                                          n=len(waiting), seats=waiting))  # fmt: skip
        self.tell(_("Everyone, choose a card in secret."), sub, tint="refuse" if last else "muted")

    def _foot(self, now: Snapshot) -> None:
        foot = self.foot
        foot.clear_widgets()
        foot.height = u(64) if now.held is not None else u(56)
        fix = BigButton(text=_("Put it right"), icon="mark_fix", size_hint_x=None, width=u(170))
        fix.bind(on_release=lambda *_: self.root.go("put_right"))
        if now.held is not None:
            foot.add_widget(fix)
            reveal = BigButton(text=_("Reveal"), lit=True, px=26)
            reveal.bind(on_release=lambda *_: self.root.send(Reveal(now.seen)))
            foot.add_widget(reveal)
            return
        news = self.root.news
        told = ""
        if news is not None and news.now.seq == now.seq:
            told = " ".join(say(m) for m in news.messages[-2:])
        foot.add_widget(Pic(art="gryphon", size_hint_x=None, width=u(40)))
        foot.add_widget(Text(text=told, px=18, least=13))
        if now.undo is not None:
            undo = BigButton(text=_("Undo last turn"), icon="mark_undo", size_hint_x=None, width=u(190))
            undo.bind(on_release=lambda *_: self._take_back())
            foot.add_widget(undo)
        foot.add_widget(fix)

    # --- touches ----------------------------------------------------------------------------------------------------

    def _act(self, seat: str) -> None:
        now = self.root.now
        if seat in now.view["locked"]:
            self.root.send(Play(Unlock(seat), now.seen))
            return
        hand = [c.card for c in now.choices if isinstance(c, Lock) and c.seat == seat]
        seen = now.seen
        self.root.open_sheet(Cover(self.root, seat, hand, lambda card: self.root.send(Play(Lock(seat, card), seen))))

    def _take_back(self) -> None:
        """At this time it is always everyone's matter, or the last seat's; what would be undone is shown first."""
        now = self.root.now
        undo = now.undo
        if undo is None:
            return
        sheet = Sheet(self.root, _("Take this back?"))
        sheet.panel.add_widget(
            Text(text=" ".join(say(m) for m in undo.messages[:3]), px=20, least=14, size_hint_y=None, height=u(110))
        )
        yes = BigButton(text=_("Everyone agrees"), icon="mark_undo", lit=True)
        yes.bind(on_release=lambda *_: self._undo(now))
        no = BigButton(text=_("Leave it"))
        no.bind(on_release=lambda *_: self.root.close_sheet())
        sheet.row(no, yes, height=62)
        self.root.open_sheet(sheet)

    def _undo(self, now: Snapshot) -> None:
        assert now.undo is not None
        self.root.close_sheet()
        self.root.send(TakeBack(now.undo.seat, True, now.seen))

    def refused(self, outcome: Outcome) -> None:
        told = " ".join(say(m) for m in outcome.messages)
        self.update(outcome.now, None)
        self.foot.clear_widgets()
        self.foot.add_widget(Pic(art="mark_no", tint="refuse", size_hint_x=None, width=u(36)))
        self.foot.add_widget(Text(text=told, px=18, least=13, tint="refuse"))
        on = BigButton(text=_("All right, go on"), lit=True, size_hint_x=None, width=u(230))
        on.bind(on_release=lambda *_: self.update(self.root.now, None))
        self.foot.add_widget(on)
