"""The cards are open: who acts when, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kivy.properties import BooleanProperty, ListProperty, NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.games.base import Json, Message, msg
from companion.games.sir_holland.desk import Place, explain_order, to_the_left
from companion.table.ports import Outcome, SayAgain, Snapshot
from companion.ui import words
from companion.ui.agree import ask_take_back
from companion.ui.motion import flip
from companion.ui.pen import Pen
from companion.ui.ring import Ring  # noqa: F401  named in reveal.kv
from companion.ui.screens.base import Screen, load_kv
from companion.ui.screens.sheets import button
from companion.ui.theme import c, look, u
from companion.ui.widgets import BigButton, Drawn, RuleRow
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


class Reason(RuleRow):
    """Why. taken: it is a tie, the gryphon's doing."""

    head = StringProperty("")
    text = StringProperty("")


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
        self.places: list[Place] = []
        self.ties: list[int] = []
        body.ids.go.bind(on_release=lambda *_: self.root.back())
        self.undo = self._small(_("Take back"), "mark_undo", lambda: ask_take_back(self.root))
        again = self._small(_("Say it again"), "mark_sound", lambda: self.root.send(SayAgain()))
        again.off = self.root.settings.get("voice") is False
        fix = self._small(_("Put it right"), "mark_fix", lambda: self.root.open("put_right"))
        for widget in (again, self.undo, fix):
            body.ids.acts.add_widget(widget)
        return body

    def _small(self, text: str, icon: str, act: Callable[[], None]) -> BigButton:
        """A button of the row; where it is short, its picture says it alone."""
        return button("" if look.wide or look.tight else text, act, icon=icon, px=18, least=12)

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        if now is None or not now.view["cards"]:
            return
        view = now.view
        places = explain_order(view["seats"], view["gryphon"], view["cards"])
        first = words.name(places[0].seat)
        self.tell(
            say(msg("{seat} goes first.", seat=first)),
            _("Turn up your real cards. Low numbers go first."),
            places[0].seat,
        )
        self.undo.off = now.undo is None
        self.ids_.go.text = say(msg("{seat}'s turn", seat=first))
        if places == self.places:
            return
        self.places = places
        numbers = [p.card for p in places]
        self.ties = sorted({n for n in numbers if numbers.count(n) > 1})
        self._lay_cards()
        self._reasons()
        self._ring(view)
        if outcome is not None:
            flip([card.ids.card.__self__ for card in self.cards], self._join)

    def _lay_cards(self) -> None:
        ids = self.ids_
        ids.cards.clear_widgets()
        self.cards = []
        for place, where in zip(self.places, PLACES, strict=False):
            card = PlaceCard(place=say(where), seat=place.seat, card=place.card, first=place is self.places[0])
            card.bind(pos=lambda *_: self._join(), size=lambda *_: self._join())
            self.cards.append(card)
            ids.cards.add_widget(card)

    def _ring(self, view: Mapping[str, Json]) -> None:
        ring = self.ids_.ring
        ring.seats, ring.gryphon = view["seats"], view["gryphon"]
        ring.halo = [p.seat for p in self.places if p.card in self.ties]

    def _reasons(self) -> None:
        """Ties first, under their brackets; then the places that their number alone decides."""
        box, view = self.ids_.reasons, self.view
        box.clear_widgets()
        for number in self.ties:
            tied = [p for p in self.places if p.card == number]
            seats = [p.seat for p in tied]
            self._reason(say(msg("{tied:seats} played {n}.", tied=seats, n=number)),
                         say(why_tied(view["seats"], view["gryphon"], seats)), tied[0].rule, True)  # fmt: skip
        alone = [p for p in self.places if p.card not in self.ties]
        if alone:
            self._reason("", "\n".join(say(p.message) for p in alone), alone[0].rule, False)

    def _reason(self, head: str, text: str, rule: str, tie: bool) -> None:
        reason = Reason(head=head, text=text, rule=rule, taken=tie)
        reason.bind(on_release=lambda *_: self.root.open("entry", rule=rule))
        reason.size_hint_y = 2.6 if tie else 1.2 + 1.0 * text.count("\n")
        self.ids_.reasons.add_widget(reason)

    def _join(self) -> None:
        """Brackets join tied cards, once those lie open."""
        spans = []
        for number in self.ties if self.cards and not any(card.ids.card.back for card in self.cards) else ():
            tied = [card for card, p in zip(self.cards, self.places, strict=True) if p.card == number]
            spans.append((tied[0].center_x, tied[-1].center_x))
        self.ids_.brackets.spans = spans


def why_tied(seats: Sequence[str], gryphon: str, tied: Sequence[str]) -> Message:
    """Why tied seats act in this order, as one counts it off at the table (R23, R24)."""
    path = to_the_left(seats, gryphon)
    after = path[1 : path.index(tied[-1]) + 1]
    if gryphon in tied and len(after) == 1:
        # with one other there is nobody to count
        return msg("{holder:seat} holds the gryphon and goes first.", holder=gryphon)
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
