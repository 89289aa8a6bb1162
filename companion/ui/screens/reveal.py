"""The cards are open: who acts when, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.properties import BooleanProperty, ListProperty, NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.games.base import Message, msg, msgn
from companion.games.sir_holland.desk import Place, explain_order, to_the_left
from companion.table.ports import Outcome, Snapshot
from companion.ui import words
from companion.ui.pen import Pen
from companion.ui.ring import Ring  # noqa: F401  named in reveal.kv
from companion.ui.screens.base import Screen, load_kv
from companion.ui.theme import c, look, u
from companion.ui.widgets import Drawn, Panel
from companion.ui.words import _, say

PLACES = (msg("1st"), msg("2nd"), msg("3rd"), msg("4th"))


class RevealBody(BoxLayout):
    """Written out in reveal.kv."""


class PlaceCard(BoxLayout):
    """A card with its place in the order."""

    place = StringProperty("")
    seat = StringProperty("")
    card = NumericProperty(0)
    first = BooleanProperty(False)


class Reason(Panel):
    """Why; tie: it is the gryphon's doing."""

    head = StringProperty("")
    text = StringProperty("")
    tie = BooleanProperty(False)


class Brackets(Drawn):
    """Joins tied cards and runs into their reason. spans: pairs of x."""

    spans = ListProperty([])

    def watched(self) -> tuple[str, ...]:
        return ("spans",)

    def paint(self, pen: Pen) -> None:
        colour, width = c("act"), u(3)
        for left, right in self.spans:
            mid, low = (left + right) / 2, self.y + self.height * 0.4
            pen.box(left, low, right - left, width, colour)
            pen.box(left, low, width, self.top - low, colour)
            pen.box(right - width, low, width, self.top - low, colour)
            pen.box(mid - width / 2, self.y - u(4), width, low - self.y + u(4), colour)


load_kv("reveal")


class Reveal(Screen):
    """See above."""

    name = "reveal"

    def make(self) -> Any:
        body = RevealBody()
        self.ids_ = body.ids
        self.cards: list[PlaceCard] = []
        body.ids.go.bind(on_release=lambda *_: self.root.back())
        return body

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        if now is None or not now.view["cards"]:
            return
        view = now.view
        places = explain_order(view["seats"], view["gryphon"], view["cards"])
        first = words.name(places[0].seat)
        self.tell(
            say(msg("{seat} goes first.", seat=first)),
            _("The lowest number acts first. The gryphon breaks every tie."),
            places[0].seat,
        )
        ids = self.ids_
        ids.cards.clear_widgets()
        self.places = places
        self.cards = []
        for i, place in enumerate(places):
            card = PlaceCard(place=say(PLACES[i]), seat=place.seat, card=place.card, first=i == 0)
            card.bind(pos=lambda *_: self._join(), size=lambda *_: self._join())
            self.cards.append(card)
            ids.cards.add_widget(card)
        self.ties = [n for n in sorted({p.card for p in places}) if sum(p.card == n for p in places) > 1]
        # two reasons need room that one does not
        ids.cards.height = u(168) if len(self.ties) > 1 and look.wide else u(200)
        self._reasons(places)
        ids.ring.seats = view["seats"]
        ids.ring.gryphon = view["gryphon"]
        ids.ring.halo = [p.seat for p in places if p.card in self.ties]
        ids.go.text = say(msg("{seat}'s turn", seat=first))

    def _reasons(self, places: list[Place]) -> None:
        box = self.ids_.reasons
        box.clear_widgets()
        if not self.ties:
            after = [p.seat for p in places[1:]]
            text = say(msgn("Then comes {seats:seats}.", "Then come {seats:seats}.", n=len(after), seats=after))
            box.add_widget(Reason(head=say(places[0].message), text=text))
            return
        view = self.root.now.view
        for number in self.ties:
            tied = [p.seat for p in places if p.card == number]
            box.add_widget(Reason(head=say(msg("{tied:seats} played {n}.", tied=tied, n=number)),
                                  text=say(why_tied(view["seats"], view["gryphon"], tied)), tie=True))  # fmt: skip

    def _join(self) -> None:
        spans = []
        for number in self.ties if self.cards else ():
            tied = [card for card, p in zip(self.cards, self.places, strict=True) if p.card == number]
            spans.append((tied[0].center_x, tied[-1].center_x))
        self.ids_.brackets.spans = spans


def why_tied(seats: Sequence[str], gryphon: str, tied: Sequence[str]) -> Message:
    """Why tied seats act in this order, as one counts it off at the table (R23, R24)."""
    path = to_the_left(seats, gryphon)
    after = path[1 : path.index(tied[-1]) + 1]
    if gryphon in tied:
        return msg(
            "{holder:seat} holds the gryphon and goes first. Count to the left: {path:seats}.",
            holder=gryphon,
            path=after,
        )
    return msg(
        "{holder:seat} holds the gryphon. Count to the left: {path:seats}. {first:seat} comes up first.",
        holder=gryphon, path=after, first=tied[0],
    )  # fmt: skip
