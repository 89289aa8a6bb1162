"""Who goes first? The table from above is the question; the order, with the reason for each place, is the answer."""

from __future__ import annotations

from typing import Any

from kivy.properties import StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from companion.games.base import Message, msg, msgn
from companion.games.sir_holland.desk import Place, explain_order
from companion.games.sir_holland.state import CARDS, COLOURS
from companion.table.ports import Outcome, SayThis, Snapshot
from companion.ui import words
from companion.ui.boards.cards import CardRing  # noqa: F401  named in judge_order.kv
from companion.ui.screens.base import Screen, load_kv
from companion.ui.screens.sheets import Sheet, button
from companion.ui.theme import look, u
from companion.ui.widgets import ActionCard, Panel, Row, RuleRow, Text
from companion.ui.words import _, say

load_kv("judge_order")

class JudgeOrderBody(BoxLayout):
    """Written out in judge_order.kv."""


class AnswerRow(RuleRow):
    """A place in the order. taken: the first."""

    place = StringProperty("")
    seat = StringProperty("")
    who = StringProperty("")
    why = StringProperty("")


class CardChoice(ButtonBehavior, ActionCard):
    """A card to choose."""


class JudgeOrder(Screen):
    """See above. given: `seats`, `away`, `gryphon`, `cards`, so that whoever comes back finds the question again."""

    name = "judge_order"

    def make(self) -> Any:
        body = JudgeOrderBody()
        self.parts = body.ids
        self.ring = body.ids.ring
        self.ring.bind(on_touched=lambda _, seat: self.touch(seat))
        self.ring.bind(on_carried=lambda _, seat: self.change(gryphon=seat))
        self.ring.bind(on_swapped=lambda _, a, b: self._swap(a, b))
        body.ids.foot.add_widget(button(_("Back"), self.root.back, icon="mark_undo", size_hint_x=0.6))
        self.aloud = button(_("Read it aloud"), self._aloud, px=21)
        body.ids.foot.add_widget(self.aloud)
        return body

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        if "seats" not in self.given:
            self.root.flow.given.update(self._question(now))
        self._draw()

    def _question(self, now: Snapshot | None) -> dict[str, Any]:
        """As the table is: its seats, its gryphon, the cards that lie open."""
        if now is not None:
            seats, gryphon, cards = list(now.view["seats"]), now.view["gryphon"], dict(now.view["cards"])
        else:
            seats, cards = list(self.root.draft.seats), {}
            gryphon = self.root.draft.gryphon or seats[0]
        away = [s for s in COLOURS if s not in seats]
        # two people sit opposite each other, as on every ring
        seats = [seats[0], *away[:1], seats[1], *away[1:]] if len(seats) == 2 else seats + away
        return {"seats": seats, "away": away, "gryphon": gryphon, "cards": cards}

    @property
    def playing(self) -> list[str]:
        """The seats that are asked about, each next one to the left."""
        return [s for s in self.given["seats"] if s not in self.given["away"]]

    def places(self) -> list[Place]:
        """The answer, as soon as everybody's card is known."""
        cards = {s: card for s, card in self.given["cards"].items() if s in self.playing}
        return explain_order(self.playing, self.given["gryphon"], cards) if len(cards) == len(self.playing) else []

    def _draw(self) -> None:
        given, places = self.given, self.places()
        ring = self.ring
        ring.seats, ring.away, ring.gryphon = list(given["seats"]), list(given["away"]), given["gryphon"]
        ring.cards = dict(given["cards"])
        self.aloud.off, self.aloud.lit = not places, bool(places)
        box = self.parts.places
        box.clear_widgets()
        if not places:
            missing = [s for s in self.playing if s not in given["cards"]]
            ring.halo = missing
            self.tell(_("Who goes first?"), _("Tap a seat and choose its card."))
            text = say(msgn("Which card does {seats:seats} play?", "Which cards do {seats:seats} play?",
                            n=len(missing), seats=missing))  # fmt: skip
            note = Panel(padding=u(16))
            note.add_widget(Text(text=text, px=22, least=14))
            box.add_widget(note)
            return
        ring.halo = [places[0].seat]
        first = words.name(places[0].seat)
        self.tell(say(msg("Who goes first? {seat}.", seat=first)),
                  _("Tap a card or carry the gryphon to change the question."))  # fmt: skip
        for i, place in enumerate(places):
            row = AnswerRow(place=str(i + 1), seat=place.seat, why=say(why(places, i, given["gryphon"])), taken=i == 0)
            if look.text == "normal":
                # at larger letters the mark is name enough
                row.who, row.rule = words.name(place.seat), place.rule
            row.bind(on_release=lambda _, rule=place.rule: self.root.open("entry", rule=rule))
            box.add_widget(row)

    # --- touches ----------------------------------------------------------------------------------------------------

    def change(self, **changes: Any) -> None:
        """Another question."""
        given = self.root.flow.given
        given.update(changes)
        if given["gryphon"] in given["away"]:
            given["gryphon"] = self.playing[0]
        self._draw()

    def touch(self, seat: str) -> None:
        """A seat or its card: who is away comes in; for the others a sheet asks what is to change."""
        away = self.given["away"]
        if seat in away:
            self.change(away=[s for s in away if s != seat])
        else:
            self.root.open_sheet(SeatSheet(self, seat))

    def _swap(self, a: str, b: str) -> None:
        seats = list(self.given["seats"])
        i, j = seats.index(a), seats.index(b)
        seats[i], seats[j] = seats[j], seats[i]
        self.change(seats=seats)

    def _aloud(self) -> None:
        self.root.send(SayThis(tuple(p.message for p in self.places())))


class SeatSheet(Sheet):
    """What a seat plays; whether it holds the gryphon; whether anybody sits there."""

    def __init__(self, screen: JudgeOrder, seat: str) -> None:
        super().__init__(screen.root, say(msg("What did {seat:seat} play?", seat=seat)), 700)
        self.screen, self.seat = screen, seat
        given = screen.given
        self.cards = []
        row = Row(size_hint_y=None, height=min(u(124), (self.panel.width - u(32)) / 7 * 1.36))
        for n in CARDS:
            card = CardChoice(number=n, seat=seat, picked=given["cards"].get(seat) == n)
            card.bind(on_release=lambda _, n=n: self._do(cards={**given["cards"], seat: n}))
            self.cards.append(card)
            row.add_widget(card)
        self.panel.add_widget(row)
        few = len(screen.playing) <= 2
        self.row(
            button(_("Holds the gryphon"), lambda: self._do(gryphon=seat), art="gryphon", px=18, least=13,
                   off=given["gryphon"] == seat),
            button(_("Nobody here"), lambda: self._do(away=[*given["away"], seat]), px=18, least=13, off=few),
        )  # fmt: skip
        self.row(
            button(_("Sits one place further left"), self._further, px=18, least=13),
            button(_("Leave it"), screen.root.close_sheet, px=18),
            height=max(58, 52 * look.scale),
        )

    def _do(self, **changes: Any) -> None:
        self.root.close_sheet()
        self.screen.change(**changes)

    def _further(self) -> None:
        """Change places with the next one, so that a table can be laid out by taps alone."""
        seats = list(self.screen.given["seats"])
        i = seats.index(self.seat)
        j = (i + 1) % len(seats)
        seats[i], seats[j] = seats[j], seats[i]
        self._do(seats=seats)


def why(places: list[Place], i: int, gryphon: str) -> Message:
    """The reason for a place, as short as it goes; the whole one is read aloud."""
    place = places[i]
    tied = [p.seat for p in places if p.card == place.card]
    if len(tied) == 1:
        if i == 0:
            return msg("{n} is the lowest number.", n=place.card)
        return msg("{n} comes after {lower}.", n=place.card, lower=places[i - 1].card)
    if place.seat == gryphon:
        return msg("Tie on {n}. Holds the gryphon.", n=place.card)
    if place.seat == tied[0]:
        return msg("Tie on {n}. First to the left of the gryphon.", n=place.card)
    return msg("Tie on {n}. Next to the left.", n=place.card)
