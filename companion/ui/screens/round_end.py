"""Between two rounds: only what hands have to do."""

from __future__ import annotations

from typing import Any

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.games.base import msg
from companion.games.sir_holland.state import REST
from companion.table.ports import Outcome, Snapshot
from companion.ui.screens.base import Screen, load_kv
from companion.ui.widgets import Figure, Panel, Pic, SeatMark
from companion.ui.words import _, say

load_kv("round_end")


class RoundEndBody(BoxLayout):
    """Written out in round_end.kv."""


class Task(Panel):
    """One thing to do with the cardboard."""

    text = StringProperty("")
    sub = StringProperty("")
    ember = BooleanProperty(False)

    def __init__(self, text: str, sub: str, art: list[Any], ember: bool = False) -> None:
        super().__init__(text=text, sub=sub, ember=ember)
        if ember:
            self.ground, self.edge = "refuse_bg", "refuse"
        for widget in art:
            self.ids.art.add_widget(widget)


class RoundEnd(Screen):
    """See above."""

    name = "round_end"

    def make(self) -> Any:
        body = RoundEndBody()
        self.list = body.ids.list
        body.ids.go.bind(on_release=lambda *_: self.root.back())
        return body

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        news = outcome or self.root.news
        if now is None or news is None:
            return
        began = next((e for e in news.events if e["what"] == "round_began"), None)
        if began is None:
            return
        view, number = now.view, began["round"] - 1
        stands = began["stands"]
        sentence = say(msg("Round {n} is over.", n=number))
        if stands:
            sentence += " " + say(msg("Stand up: {figures:figures}.", figures=stands))
        self.tell(sentence, _("Make the table ready for the next round."))
        self.list.clear_widgets()
        if began["final"]:
            text = _("Everyone has rested twice. This is the last round.")
            fires = [Pic(art="action_7_rest", tint="refuse") for _i in range(2)]
            self.list.add_widget(Task(text, "", fires, ember=True))
        if stands:
            art: list[Any] = [Figure(figure=f, lying=True) for f in stands[:3]]
            text = say(msg("Stand up again: {figures:figures}.", figures=stands))
            self.list.add_widget(Task(text, _("Whoever hid gets up when the next round begins."), art))
        for seat in self._rested(news):
            rests = view["rests"][seat]
            sub = {1: _("First rest: turn the character card sideways."),
                   2: _("Second rest: turn the character card face down.")}.get(rests, "")  # fmt: skip
            text = say(msg("{seat:seat} takes all cards back.", seat=seat))
            self.list.add_widget(Task(text, sub, [SeatMark(seat=seat), Pic(art="action_7_rest", tint="text")]))
        holder = view["gryphon"]
        text = say(msg("The gryphon stands beside {seat:seat}.", seat=holder))
        sub = _("It breaks every tie, counting to the left.")
        self.list.add_widget(Task(text, sub, [Pic(art="gryphon"), SeatMark(seat=holder)]))
        while len(self.list.children) < 3:
            self.list.add_widget(Widget())

    def _rested(self, news: Outcome) -> list[str]:
        """Who rested in the round that is over."""
        before = news.before
        return [s for s, card in before.view["cards"].items() if card == REST] if before else []
