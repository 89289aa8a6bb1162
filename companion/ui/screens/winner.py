"""Who has won, and the decision step by step, stopping at the step that decided."""

from __future__ import annotations

from typing import Any

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.games.base import msg
from companion.games.sir_holland.state import ROOF, heroes
from companion.table.ports import Leave, Outcome, Snapshot
from companion.ui import words
from companion.ui.pen import Pen
from companion.ui.screens.base import Screen, load_kv
from companion.ui.theme import c, u
from companion.ui.widgets import Drawn, Heading, Panel, SeatMark
from companion.ui.words import _, say


class WinnerBody(BoxLayout):
    """Written out in winner.kv."""


class DecisionStep(Panel):
    """One step."""

    text = StringProperty("")
    last = BooleanProperty(False)


class Banner(Drawn):
    """The winner's pennant over the terrace."""

    seat = StringProperty("")
    who = StringProperty("")

    def watched(self) -> tuple[str, ...]:
        return ("seat", "who")

    def paint(self, pen: Pen) -> None:
        if not self.seat:
            return
        x, y = self.pos
        w, h = self.size
        pen.box(x, y, w, h, c("panel"), u(14))
        left, width, high = x + w * 0.09, w * 0.82, h * 0.56
        pen.pennant(left, y + h - high, width, high, c(self.seat), high * 0.16)
        px = min(high * 0.44, width * 0.5)
        pen.mark(self.seat, x + w / 2 - px / 2, y + h - px - high * 0.07, px, cut=True)
        font = words.heading_font(self.who)
        size = min(u(46), width * 1.5 / max(len(self.who), 1), high * 0.25)
        pen.text(self.who, x + w / 2, y + h - high * 0.66, size, c(f"on_{self.seat}"), font == words.BODY, font)
        merlon, wall = w / 9, h * 0.115
        pen.box(x, y, w, wall, c("tower"), [0, 0, u(14), u(14)])
        for i in range(6):
            pen.box(x + i * (w - merlon) / 5, y + wall - 1, merlon, wall * 0.55, c("tower"), [4, 4, 0, 0])
        px = min(h * 0.28, w * 0.36)
        for i, hero in enumerate(heroes(self.seat)):
            pen.figure(hero, x + w * (0.30 + 0.40 * i) - px / 2, y + wall * 0.8, px, number=False)


load_kv("winner")


class Winner(Screen):
    """See above."""

    name = "winner"

    def make(self) -> Any:
        body = WinnerBody()
        self.banner, self.steps = body.ids.banner, body.ids.steps
        body.ids.home.bind(on_release=lambda *_: self._leave("start"))
        body.ids.again.bind(on_release=lambda *_: self._leave("seats"))
        return body

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        if now is None or not now.view["result"]:
            return
        view, result = now.view, now.view["result"]
        seat = result["winner"]
        ended = _("All have rested.") if result["ended_by"] == "rested" else _("Two heroes are out of the tower.")
        self.tell(say(msg("{seat:seat} wins!", seat=seat)),
                  say(msg("Round {n}. The game is over.", n=view["round"])) + " " + ended, seat)  # fmt: skip
        self.banner.seat, self.banner.who = seat, words.name(seat)
        self.steps.clear_widgets()
        for i, message in enumerate(now.decision, start=1):
            step = DecisionStep(text=f"{i}. {say(message)}", last=i == len(now.decision))
            if i == 1:
                self._counts(step, view)
            self.steps.add_widget(step)

    def _counts(self, step: DecisionStep, view: Any) -> None:
        """How many heroes each has on the terrace."""
        best = max(view["result"]["saved"].values())
        for seat in view["seats"]:
            n = sum(view["figures"][h] == ROOF for h in heroes(seat))
            dim = 1.0 if n == best else 0.6
            step.ids.marks.add_widget(SeatMark(seat=seat, dim=dim, size_hint_x=None, width=u(40)))
            step.ids.marks.add_widget(Heading(text=str(n), px=34, tint="text" if n == best else "muted"))

    def _leave(self, screen: str) -> None:
        self.root.flow.go(screen)
        self.root.send(Leave())
