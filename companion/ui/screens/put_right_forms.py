"""Forms of putting right: what seats hold, who holds the gryphon, whose turn it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from companion.games.base import msg
from companion.games.sir_holland.state import CARDS, POINTS, SPECIALS
from companion.ui import card_words, words
from companion.ui.correction import Correction
from companion.ui.pen import SLUGS
from companion.ui.widgets import ActionCard, Panel, Row, Touchable
from companion.ui.words import _, say

Edited = Callable[[], None]


class HandToggle(ButtonBehavior, ActionCard):
    """A card of a hand: a touch takes it out or puts it back."""


class HandRow(BoxLayout):
    """The seven cards of a seat."""

    seat = StringProperty("")


class GryphonRow(Panel):
    """How often a seat has rested, and whether the gryphon stands beside it."""

    seat = StringProperty("")
    who = StringProperty("")
    count = NumericProperty(0)
    holds = BooleanProperty(False)


class TurnCard(Touchable):
    """A seat with the card that it played: a touch makes it that seat's turn. taken: it is now."""

    about = msg("Whose turn it is, and the card that was played. A short touch makes it this seat's turn.")
    seat = StringProperty("")
    who = StringProperty("")
    card = NumericProperty(0)
    word = StringProperty("")


class CountRow(Panel):
    """What is left of a half of the card in play."""

    art = StringProperty("")
    text = StringProperty("")
    count = NumericProperty(0)
    full = NumericProperty(0)


class Wrong(Touchable):
    """What cannot be. rest: how much more there is to see."""

    about = msg("Something here cannot be so. A short touch shows all that is wrong.")
    text = StringProperty("")
    rest = StringProperty("")

    def _dress(self, *_: Any) -> None:
        self.ground, self.edge = "refuse_bg", "refuse"
        self.redraw()


class Form(BoxLayout):
    """What is counted or picked. edited: called after every edit."""

    def __init__(self, correction: Correction, edited: Edited, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", **kwargs)
        self.correction, self.edited = correction, edited
        self.make()

    def make(self) -> None:
        """Add what it is made of."""

    def show(self) -> None:
        """The position as edited."""

    def touch(self, widget: Any, edit: Callable[..., None], *given: Any) -> None:
        """A touch on the widget is that edit."""

        def released(*_: Any) -> None:
            edit(*given)
            self.edited()

        widget.bind(on_release=released)


class Hands(Form):
    """A row of cards for every seat."""

    def make(self) -> None:
        self.cards: dict[tuple[str, int], HandToggle] = {}
        for seat in self.correction.view["seats"]:
            row = HandRow(seat=seat)
            for n in CARDS:
                card = HandToggle(number=n, seat=seat)
                self.touch(card, self.correction.toggle, seat, n)
                self.cards[seat, n] = card
                row.add_widget(card)
            self.add_widget(row)

    def show(self) -> None:
        for (seat, n), card in self.cards.items():
            card.used = n not in self.correction.here["hands"][seat]


class Gryphon(Form):
    """A row for every seat: rests, and the gryphon."""

    def make(self) -> None:
        self.rows: dict[str, GryphonRow] = {}
        for seat in self.correction.view["seats"]:
            row = GryphonRow(seat=seat, who=words.name(seat))
            self.touch(row.ids.less, self.correction.rest, seat, -1)
            self.touch(row.ids.more, self.correction.rest, seat, 1)
            self.touch(row.ids.gryphon, self.correction.give_gryphon, seat)
            self.rows[seat] = row
            self.add_widget(row)

    def show(self) -> None:
        for seat, row in self.rows.items():
            row.count = self.correction.here["rests"][seat]
            row.holds = self.correction.here["gryphon"] == seat


class Turn(Form):
    """Whose turn it is, and what is left of the card."""

    def make(self) -> None:
        cards = self.correction.view["cards"]
        self.cards = {s: TurnCard(seat=s, who=words.name(s), card=cards[s]) for s in self.correction.order()}
        row = Row(size_hint_y=1.6)
        for seat, card in self.cards.items():
            self.touch(card, self.correction.begin_turn, seat)
            row.add_widget(card)
        self.add_widget(row)
        self.counts = {"points": CountRow(art="mark_steps"), "special": CountRow()}
        for half, count in self.counts.items():
            self.touch(count.ids.less, self.correction.spend, half, -1)
            self.touch(count.ids.more, self.correction.spend, half, 1)
            self.add_widget(count)

    def show(self) -> None:
        here = self.correction.here
        turn = here["turn"]
        for seat, card in self.cards.items():
            card.taken = seat == turn["seat"]
            card.word = _("Now") if card.taken else _("Later") if seat in here["queue"] else _("Done")
        steps, special = self.counts["points"], self.counts["special"]
        steps.text = _("Hero steps left")
        steps.count, steps.full = turn["points"], POINTS[turn["card"]]
        special.text = say(card_words.LEFT[turn["card"]])
        special.art = f"action_{turn['card']}_{SLUGS[turn['card']]}"
        special.count, special.full = turn["special"], SPECIALS[turn["card"]]
