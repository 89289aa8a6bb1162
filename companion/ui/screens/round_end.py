"""Between two rounds: only what hands have to do."""

from __future__ import annotations

from typing import Any

from kivy.properties import StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.games.base import msg, msgn
from companion.games.sir_holland.state import REST
from companion.table.ports import Outcome, Snapshot
from companion.ui.agree import ask_take_back
from companion.ui.screens.base import Screen, load_kv
from companion.ui.screens.sheets import button
from companion.ui.theme import look
from companion.ui.widgets import ActionCard, Figure, Panel, Pic, SeatMark
from companion.ui.words import _, say

load_kv("round_end")


class RoundEndBody(BoxLayout):
    """Written out in round_end.kv."""


class Task(Panel):
    """One thing to do with the cardboard."""

    text = StringProperty("")
    sub = StringProperty("")

    def __init__(self, text: str, sub: str, art: list[Any]) -> None:
        super().__init__(text=text, sub=sub)
        for widget in art:
            self.ids.art.add_widget(widget)


class LastRound(Panel):
    """A warning as wide as the screen."""

    text = StringProperty("")


class RoundEnd(Screen):
    """See above."""

    name = "round_end"

    def make(self) -> Any:
        self.told: Outcome | None = None
        body = RoundEndBody()
        self.list, self.foot = body.ids.list, body.ids.foot
        body.ids.go.bind(on_release=lambda *_: self.root.back())
        return body

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        if now is None:
            return
        self._foot(now)
        news = outcome or self.root.news
        if news is not None and any(e["what"] == "round_began" for e in news.events):
            # it is also wanted after somebody has looked behind a door, or has put something right
            self.root.memo["round_end"] = news
        news = self.root.memo.get("round_end")
        if news is None or news is self.told:
            return
        self.told = news
        began = next(e for e in news.events if e["what"] == "round_began")
        self.tell(say(msg("Round {n} is over.", n=began["round"] - 1)), _("Do this with your hands, then go on."))
        self.list.clear_widgets()
        if began["final"]:
            last = msg("All have rested twice: round {n} is the last.", n=began["round"])
            self.list.add_widget(LastRound(text=say(last)))
        room = 2 - bool(began["final"]) - (look.tight or look.scale > 1.3)
        for task in self._tasks(now, news, began["stands"], room):
            self.list.add_widget(task)
        # what is left over is below
        self.list.add_widget(Widget(size_hint_y=0.01))

    def _tasks(self, now: Snapshot, news: Outcome, stands: list[str], room: int) -> list[Task]:
        """room: 2 for everything, 1 without reasons, 0 without what comes back in every round, too."""
        view, tasks = now.view, []
        if stands:
            art: list[Any] = [Figure(figure=f, lying=True) for f in stands[:2]]
            text = say(msg("Stand up again: {figures:figures}.", figures=stands))
            sub = "" if room < 2 else _("Whoever hid gets up when the next round begins.")
            tasks.append(Task(text, sub, art))
        rested = self._rested(news)
        if rested:
            # it was told in the turn: this is how it lies by now
            text = say(msgn("{seats:seats} has all cards back.", "{seats:seats} have all cards back.",
                            n=len(rested), seats=rested))  # fmt: skip
            lies = {1: _("The character card lies sideways."), 2: _("The character card lies face down.")}
            alone = len(rested) == 1 and not look.tight
            sub = lies.get(view["rests"][rested[0]], "") if alone else ""
            art = [SeatMark(seat=seat) for seat in rested]
            if alone:
                art.append(Pic(art="action_7_rest", tint="text"))
            tasks.append(Task(text, sub, art))
        played = {s: card for s, card in (news.before.view["cards"] if news.before else {}).items() if card != REST}
        if played and room:
            art = [ActionCard(number=card, seat=s) for s, card in played.items()]
            sub = "" if room < 2 else _("They come back when you rest.")
            tasks.append(Task(_("Lay the played cards aside."), sub, art))
        holder = view["gryphon"]
        text = say(msg("The gryphon stands beside {seat:seat}.", seat=holder))
        sub = "" if room < 2 else _("Same number? Whoever has the gryphon goes first.")
        tasks.append(Task(text, sub, [Pic(art="gryphon"), SeatMark(seat=holder)]))
        return tasks

    def _rested(self, news: Outcome) -> list[str]:
        """Who rested in the round that is over."""
        before = news.before
        return [s for s, card in before.view["cards"].items() if card == REST] if before else []

    def _foot(self, now: Snapshot) -> None:
        """Ways back: what happened, taking back, putting right."""
        acts = [("mark_fix", _("Put it right"), lambda: self.root.open("put_right"))]
        if now.undo is not None:
            acts.append(("mark_undo", _("Take back"), lambda: ask_take_back(self.root)))
        if self.root.has("replay") and not now.sandbox:
            acts.append(("mark_history", _("Look back"), lambda: self.root.open("replay", number=now.number)))
        self.foot.clear_widgets()
        for icon, text, act in acts:
            self.foot.add_widget(button(text, act, icon=icon, px=18, least=11))
