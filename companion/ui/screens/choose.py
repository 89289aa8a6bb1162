"""Choosing in secret: who is in, who is awaited, and choosing on the screen behind a cover."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import ceil
from typing import Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty, ListProperty, NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.games.base import msg, msgn
from companion.games.sir_holland.state import REST, Lock, Unlock
from companion.table.ports import Outcome, Play, Reveal, Shown, Snapshot
from companion.ui import card_words, words
from companion.ui.agree import ask_take_back
from companion.ui.boards.sir_holland.hand import HandSheet
from companion.ui.explaining import Explanation
from companion.ui.run_down import TimeBar
from companion.ui.screens.base import Screen, load_kv
from companion.ui.screens.cover import Cover
from companion.ui.theme import look, t, u
from companion.ui.widgets import BigButton, Panel, Pic, Row, Text
from companion.ui.words import _, say

load_kv("choose")

LONG = 40
"""Letters of what happened that want a line of their own on a narrow screen."""


class ChooseBody(BoxLayout):
    """Written out in choose.kv."""


class SeatPanel(Panel):
    """One seat: mark, name, state, open hand, rests, and its button."""

    def explains(self, _x: float, _y: float) -> Explanation:
        """What lies in its hand: everybody saw what was played."""
        held = say(msgn("{n} card is in hand.", "{n} cards are in hand.", n=len(self.hand)))
        pale = _("The pale ones have been played, and come back with a rest.")
        return Explanation(self.who, f"{held} {pale}", "R25", seat=self.seat)

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
    free = BooleanProperty(False)
    vacant = BooleanProperty(False)
    """It is free and has nothing locked in."""

    def __init__(self, **kwargs: Any) -> None:
        self.take: BigButton | None = None
        super().__init__(**kwargs)

    def offer(self, take: Callable[[], None] | None) -> None:
        """Whether somebody may take this seat."""
        if (take is not None) == (self.take is not None):
            return
        if take is None:
            self.ids.acts.remove_widget(self.take)
            self.take = None
            return
        self.take = BigButton(text=_("Take this seat"), px=18, least=12)
        self.take.bind(on_release=lambda *_: take())
        self.ids.acts.add_widget(self.take, index=1)


class SeatRow(SeatPanel):
    """The same as a row, where screens are higher than wide."""


class Choose(Screen):
    """See above."""

    name = "choose"

    def make(self) -> Any:
        self.panels: dict[str, SeatPanel] = {}
        self.long = False
        self._counting: Any = None
        body = ChooseBody()
        self.seats, self.foot = body.ids.seats, body.ids.foot
        return body

    @property
    def standing(self) -> Any:
        """Readers lock in, and the question whether to reveal comes by itself."""
        now = self.root.now
        return None if now is None else (now.held is not None, tuple(now.view["locked"]))

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        if now is None:
            return
        self._uncover(now)
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
            panel.button = _("Change my card") if panel.locked else _("Choose here")
            if seat in sits_out and look.tight:
                # there is no room for a word of its own
                panel.button = panel.word
            panel.icon = "mark_unlock" if panel.locked else ""
            panel.lit = not panel.locked and seat in can
            panel.off = seat in sits_out
            panel.free = seat in now.free
            panel.vacant = panel.free and not panel.locked
            if panel.vacant:
                panel.word = _("Free seat")
            panel.offer(partial(self.root.open, "seat", seat=seat) if panel.free else None)
        self._sentence(now, [s for s in view["seats"] if s not in locked])
        self._foot(now)

    def _seat_panels(self, seats: list[str]) -> None:
        self.seats.clear_widgets()
        self.panels = {}
        for seat in seats:
            panel = SeatPanel() if look.wide else SeatRow()
            self.panels[seat] = panel
            panel.ids.act.bind(on_release=lambda _, s=seat: self._act(s))
            panel.ids.hand.bind(on_touched=lambda _, s=seat: self._show_hand(s))
            self.seats.add_widget(panel)

    def _sentence(self, now: Snapshot, waiting: list[str]) -> None:
        last = _("Everyone has rested twice: the last round.") if now.view["final"] else ""
        number = say(msg("Round {n}.", n=now.view["round"]))
        if now.held is not None:
            too = _("You may still take a card back.") if self._readers() else _("Lay your cards face down, too.")
            self.tell(_("All cards are in. Reveal them?"), number + " " + too)
            return
        if last:
            sub = last
        elif len(waiting) == len(now.view["seats"]):
            here = _("One after another: take the screen and choose.")
            sub = number + " " + (_("Lay it face down on your reader, or choose here.") if self._readers() else here)
        else:
            sub = number + " " + say(msgn("{seats:seats} is still thinking.", "{seats:seats} are still thinking.",
                                          n=len(waiting), seats=waiting))  # fmt: skip
        self.tell(_("Everyone, choose a card in secret."), sub, tint="refuse" if last else "muted")

    def _readers(self) -> bool:
        """Whether there is a reader to lay a card on."""
        return any(r["state"] == "ok" for r in self.root.devices.get("readers", ()))

    def _foot(self, now: Snapshot) -> None:
        fix = self._foot_button(_("Put it right"), "mark_fix", lambda: self.root.open("put_right"))
        fix.size_hint_x, fix.width = None, u(170)
        self._stop_counting()
        if now.held is not None:
            reveal = BigButton(text=_("Reveal"), lit=True, px=26)
            reveal.bind(on_release=lambda *_: self.root.send(Reveal(now.seen)))
            self._lay_foot([], [fix, reveal], 64)
            self._count(reveal)
            return
        news = self.root.news
        told = ""
        begins = now.view["round"] == 1
        if begins:
            told = _("The goal: bring your two heroes up to the terrace.")
            if not look.tight and look.scale < 1.3:
                told += " " + _("Whoever saves the most heroes wins.")
        elif (aside := self._aside(now)) is not None:
            told = aside
        elif news is not None and news.now.seq == now.seq:
            told = " ".join(say(m) for m in news.messages[-2:])
        if look.tight and not look.wide and len(told) > LONG and not begins:
            # the seats need the room; it has been said aloud, and stands at the seat
            told = ""
        # who has nothing to say is not there
        speaker = Pic(art="gryphon" if told else "", size_hint_x=None, width=u(40))
        words_ = [speaker, Text(text=told, px=18, least=11)]
        self.long = len(told) > LONG
        buttons = [fix]
        if now.undo is not None:
            undo = self._foot_button(_("Undo last turn"), "mark_undo", lambda: ask_take_back(self.root))
            undo.size_hint_x, undo.width = (None, u(190)) if look.wide else (1, 0)
            buttons.insert(0, undo)
        self._lay_foot(words_, buttons, 56)

    def _aside(self, now: Snapshot) -> str | None:
        """What hands do whenever a round begins. It stays there while cards are chosen."""
        news, key = self.root.news, (now.number, now.view["round"])
        if news is not None and any(e["what"] == "round_began" for e in news.events):
            before = news.before.view["cards"] if news.before is not None else {}
            self.root.memo["round"] = (key, any(card != REST for card in before.values()))
        began, played = self.root.memo.get("round", (None, False))
        if began != key:
            return None
        gryphon = say(msg("The gryphon stands beside {seat:seat}.", seat=now.view["gryphon"]))
        return f"{_('Lay the played cards aside.')} {gryphon}" if played else gryphon

    def _count(self, reveal: BigButton) -> None:
        """A bar that runs down until the cards turn by themselves; the time begins when it has been drawn."""
        bar = TimeBar(size_hint_y=None, height=u(10))
        if self.root.countdown.runs:
            self.foot.add_widget(bar, index=len(self.foot.children))

        def tick(_dt: float = 0) -> None:
            countdown, now = self.root.countdown, self.root.clock()
            if self.root.sheet is None and countdown.show(now):
                self.root.bridge.send(Shown(countdown.seq))
            if countdown.runs:
                left = countdown.left(now)
                reveal.sub = say(msg("By itself in {n}", n=max(ceil(left), 1)))
                bar.share = (ceil(left) if look.still else left) / countdown.seconds

        # not before the next frame: by then this one has been drawn
        self._counting = Clock.schedule_interval(tick, 1 / 20)

    def _stop_counting(self) -> None:
        if self._counting is not None:
            self._counting.cancel()
            self._counting = None

    def _foot_button(self, text: str, icon: str, act: Callable[[], None]) -> BigButton:
        button = BigButton(text=text, icon=icon, px=19, least=13)
        button.bind(on_release=lambda *_: act())
        return button

    def _lay_foot(self, told: list[Any], buttons: list[Any], height: float) -> None:
        """What happened beside the buttons; above them where the screen is narrow and both are there."""
        self.foot.clear_widgets()
        apart = told and (len(buttons) > 1 or self.long) and not look.wide
        rows = [told, buttons] if apart else [[*told, *buttons]]
        if apart:
            buttons[-1].size_hint_x = 1
        for widgets in rows:
            row = Row(size_hint_y=None, height=u(height) if widgets is not told else t(40))
            for widget in widgets:
                row.add_widget(widget)
            self.foot.add_widget(row)

    # --- touches ----------------------------------------------------------------------------------------------------

    def _show_hand(self, seat: str) -> None:
        """An open hand, large, with what each card does."""
        self.root.open_sheet(HandSheet(self.root, seat, self.panels[seat].hand))

    def _act(self, seat: str) -> None:
        now = self.root.now
        if seat in now.view["locked"]:
            self.root.send(Play(Unlock(seat), now.seen))
            return
        self._cover(seat)

    def _cover(self, seat: str, passed: bool = False) -> None:
        """The seat's hand, under its cover."""
        now = self.root.now
        seen = now.seen

        def lock(card: int) -> None:
            self.root.send(Play(Lock(seat, card), seen))

        seats, leads = now.view["seats"], card_words.rest_leads_to(now.view, seat)
        cover = Cover(self.root, seat, seats, self._hand(seat), lock, lambda: self._pass_on(seat), leads, passed)
        self.root.open_sheet(cover)

    def _hand(self, seat: str) -> list[int]:
        """The cards that the seat can lock in."""
        return [c.card for c in self.root.now.choices if isinstance(c, Lock) and c.seat == seat]

    def _pass_on(self, seat: str) -> None:
        """The screen goes on to the next seat that chooses on it, and back to the table after the last one."""
        now = self.root.now
        seats = now.view["seats"]
        at = seats.index(seat)
        left = [s for s in (*seats[at + 1 :], *seats[:at]) if s not in now.view["locked"] and s not in now.free]
        waiting = [s for s in left if self._hand(s) and not self._has_device(s)]
        if waiting:
            self._cover(waiting[0], passed=True)
        else:
            self.root.close_sheet()

    def _has_device(self, seat: str) -> bool:
        """Whether the seat has something of its own to choose with: then the screen is not passed on to it."""
        devices = self.root.devices
        rows = (*devices.get("readers", ()), *devices.get("panels", ()))
        return any(row["seat"] == seat and row["state"] == "ok" for row in rows)

    def _uncover(self, now: Snapshot) -> None:
        """A shut cover goes when its seat is not awaited any more: it has chosen elsewhere, or cards lie open."""
        cover = self.root.sheet
        if isinstance(cover, Cover) and not cover.is_open and not self._awaits(cover.seat, now):
            self.root.close_sheet()

    @staticmethod
    def _awaits(seat: str, now: Snapshot) -> bool:
        return seat not in now.view["locked"] and any(choice.seat == seat for choice in now.choices)

    def leave(self) -> None:
        """Nothing is counted where nobody sees it, and no hand lies open over another screen."""
        self._stop_counting()
        if isinstance(self.root.sheet, Cover):
            self.root.close_sheet()

    def refused(self, outcome: Outcome) -> None:
        if isinstance(self.root.sheet, Cover) and not self.root.sheet.is_open:
            # whoever has just passed the screen on has to know
            self.root.close_sheet()
        told = " ".join(say(m) for m in outcome.messages)
        self.update(outcome.now, None)
        on = BigButton(text=_("All right, go on"), lit=True, least=13)
        on.bind(on_release=lambda *_: self.update(self.root.now, None))
        on.size_hint_x = 0.5
        why = Text(text=told, px=18, least=11, tint="refuse")
        self._lay_foot([Pic(art="mark_no", tint="refuse", size_hint_x=None, width=u(36)), why], [on], 64)
