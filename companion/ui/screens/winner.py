"""Who has won, and the decision step by step, stopping at the step that decided."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kivy.properties import ListProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.games.base import Json, msg
from companion.games.sir_holland import desk
from companion.games.sir_holland.state import ROOF, HouseRules, heroes
from companion.table.ports import Leave, Outcome, Snapshot
from companion.ui import words
from companion.ui.agree import ask_take_back
from companion.ui.motion import unroll
from companion.ui.pen import Pen
from companion.ui.screens.base import Screen, load_kv
from companion.ui.screens.sheets import button
from companion.ui.theme import c, look, u
from companion.ui.widgets import Drawn, Heading, RuleRow, SeatMark, Text, Touchable
from companion.ui.words import _, say


class WinnerBody(BoxLayout):
    """Written out in winner.kv."""


class DecisionStep(RuleRow):
    """One step. taken: it decided."""

    number = StringProperty("")
    text = StringProperty("")


class Banner(Drawn):
    """The winner's pennant over the terrace, with the heroes who got there."""

    seat = StringProperty("")
    who = StringProperty("")
    out = ListProperty([])

    def watched(self) -> tuple[str, ...]:
        return ("seat", "who", "out")

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
        for i, hero in enumerate(self.out):
            at = 0.5 if len(self.out) == 1 else 0.30 + 0.40 * i
            pen.figure(hero, x + w * at - px / 2, y + wall * 0.8, px, number=False)


class WhyNot(Touchable):
    """A seat that has not won, to be asked why."""

    about = msg("Why this seat has not won. A short touch tells it step by step.")
    seat = StringProperty("")
    who = StringProperty("")


load_kv("winner")


class Winner(Screen):
    """See above."""

    name = "winner"

    def make(self) -> Any:
        body = WinnerBody()
        self.banner, self.steps = body.ids.banner, body.ids.steps
        self.ids_ = body.ids
        self.heading, self.others, self.foot = body.ids.heading, body.ids.others, body.ids.foot
        self.asked = ""
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
        self.banner.out = [h for h in heroes(seat) if view["figures"][h] == ROOF]
        self._whys([s for s in view["seats"] if s != seat])
        self._foot(now)
        self._ask("")
        if outcome is not None:
            unroll(self.banner.__self__)

    def _whys(self, seats: list[str]) -> None:
        """A button for every seat that has not won."""
        self.others.clear_widgets()
        self.whys = {seat: WhyNot(seat=seat, who=words.name(seat)) for seat in seats}
        for seat, why in self.whys.items():
            why.bind(on_release=lambda _, s=seat: self._ask("" if s == self.asked else s))
            self.others.add_widget(why)

    def _foot(self, now: Snapshot) -> None:
        acts = [("", _("Home"), lambda: self._leave("start"))]
        if now.undo is not None:
            acts.append(("mark_undo", "", lambda: ask_take_back(self.root)))
        if self.root.has("replay") and not now.sandbox:
            acts.append(("mark_history", "", lambda: self.root.open("replay", number=now.number)))
        self.foot.clear_widgets()
        for icon, text, act in acts:
            made = button(text, act, icon=icon, px=20, least=13)
            if icon:
                made.size_hint_x, made.width = None, u(60)
            self.foot.add_widget(made)
        again = button(_("Play again"), lambda: self._leave("seats"), lit=True, px=20, least=13, size_hint_x=1.7)
        self.foot.add_widget(again)

    def _ask(self, seat: str) -> None:
        """The decision; or, for a seat, at which step it fell out, with its own numbers."""
        self.asked = seat
        for other, why in self.whys.items():
            why.taken = other == seat
        table = _numbers(self.view)
        found = desk.why_not(seat, **table) if seat else desk.winner(**table)[1]
        heading = say(msg("Why not {seat:seat}?", seat=seat)) if seat else _("How it was decided")
        self.heading.text = heading if self.heading.height else ""
        ask = self.ids_.ask
        ask.clear_widgets()
        ask.add_widget(
            button(_("Back"), lambda: self._ask(""), px=18, least=11)
            if seat
            else Text(text=_("Why not me?"), px=18, least=11, tint="muted")
        )
        self.steps.clear_widgets()
        for number, told in enumerate(found, start=1):
            step = DecisionStep(number=f"{number}.", text=say(told.message), rule=told.rule, taken=number == len(found))
            step.bind(on_release=lambda _, rule=told.rule: self.root.open("entry", rule=rule))
            if told.name == "saved" and not seat and len(found) < 3 and not look.tight:
                self._counts(step)
            self.steps.add_widget(step)

    def _counts(self, step: DecisionStep) -> None:
        """How many heroes each has on the terrace."""
        saved = self.view["result"]["saved"]
        for seat, n in saved.items():
            best = n == max(saved.values())
            step.ids.marks.add_widget(SeatMark(seat=seat, dim=1.0 if best else 0.6, size_hint_x=None, width=u(36)))
            step.ids.marks.add_widget(Heading(text=str(n), px=30, tint="text" if best else "muted"))

    def _leave(self, screen: str) -> None:
        self.root.flow.go(screen)
        self.root.send(Leave())


def _numbers(view: Mapping[str, Json]) -> dict[str, Any]:
    """What the decision goes by."""
    result = view["result"]
    return {
        "seats": view["seats"], "gryphon": view["gryphon"], "ended_by": result["ended_by"], "saved": result["saved"],
        "levels": result["levels"], "rules": HouseRules(**view["rules"]), "out": view["out"],
    }  # fmt: skip
