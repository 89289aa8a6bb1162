"""The cards are open: who acts when, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kivy.properties import BooleanProperty, ListProperty, NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.games.base import Json, Message, msg
from companion.games.sir_holland.desk import Place, Tie, explain_order, ties, to_the_left
from companion.table.ports import Outcome, SayAgain, Snapshot
from companion.ui import words
from companion.ui.agree import ask_take_back
from companion.ui.boards.sir_holland.turning import Turning
from companion.ui.motion import Moment
from companion.ui.pen import Pen
from companion.ui.ring import Ring  # noqa: F401  named in reveal.kv
from companion.ui.run_down import ByItself  # noqa: F401  named in reveal.kv
from companion.ui.screens.base import Screen, load_kv
from companion.ui.screens.sheets import button
from companion.ui.settle import lay_out
from companion.ui.theme import c, look, u
from companion.ui.widgets import BigButton, Drawn, RuleRow, height_of
from companion.ui.words import _, say

READ = 4.0
"""Seconds for reading the order, and one more for every seat, before the first turn begins by itself."""
PLACES = (msg("1st"), msg("2nd"), msg("3rd"), msg("4th"))


GAP = 12
"""Between two cards, in sizes of the design."""


class RevealBody(BoxLayout):
    """Written out in reveal.kv."""


class PlaceCard(BoxLayout):
    """A card with its place in the order above it."""

    HEAD = 46
    """Of its height, in sizes of the design, what is not the card."""

    place = StringProperty("")
    seat = StringProperty("")
    card = NumericProperty(0)
    first = BooleanProperty(False)


class Reason(RuleRow):
    """Why. taken: it is a tie, the gryphon's doing."""

    head = StringProperty("")
    text = StringProperty("")
    pictured = BooleanProperty(False)
    """The gryphon stands before the words."""
    book = NumericProperty(52)
    """How wide the book and the number of the rule are."""
    share = NumericProperty(0.5)
    """Of its height, what the first line has."""

    def high(self, width: float) -> float:
        """How high it has to be in that width for letters of full size."""
        room = width - 2 * u(10) - self.book - 2 * u(8)
        if self.pictured:
            room -= u(64)
        head = height_of(self.head, 21, room, bold=True) if self.head else 0
        text = height_of(self.text, 20, room)
        self.share = max(head / (head + text), 0.001)
        return head + text + u(2) + 2 * u(4) + (0 if look.tight else u(10))


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
        self.ties: list[Tie] = []
        self.moment: Moment | None = None
        body.ids.left.bind(size=lambda *_: self._share())
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
        self.undo.off = now.undo is None
        if places == self.places:
            return
        self.places, self.ties = places, ties(view["seats"], view["gryphon"], view["cards"])
        self.ids_.go.text = say(msg("{seat}'s turn", seat=words.name(places[0].seat)))
        self._end()
        self.ids_.on.bar.stop()
        self._lay_cards()
        self._reasons()
        self._share()
        self._ring(view)
        if outcome is None:
            self._tell_order()
        elif look.still:
            self._tell_order()
            self._lead_on()
        else:
            self._turn(view)

    def _tell_order(self) -> None:
        first = self.places[0].seat
        self.tell(
            say(msg("{seat} goes first.", seat=words.name(first))),
            _("Turn up your real cards. Low numbers go first."),
            first,
        )

    # --- the cards turn ---------------------------------------------------------------------------------------------

    def _turn(self, view: Mapping[str, Json]) -> None:
        """First the cards, then the order: all that says it stays away until they lie open."""
        self.tell(_("The cards turn."), _("The lowest number goes first."))
        self.column.remove_widget(self.body)
        self.show = Turning(view["seats"], view["gryphon"], view["cards"], self.ties, self._tell_tie, self._turned)
        self.column.add_widget(self.show)
        lay_out(self.column)
        self.moment = self.show.start()

    def _tell_tie(self, tie: Tie) -> None:
        holder = tie.path[0]
        why = msg("{holder:seat} holds the gryphon and goes first.", holder=holder)
        if len(tie.path) > 1:
            why = msg("From the gryphon we count to the left: {path:seats}.", path=tie.path)
        self.tell(say(msg("{tied:seats} played {n}.", tied=tie.seats, n=tie.card)), say(why), holder)

    def _turned(self) -> None:
        """The order takes the place of the large cards."""
        self.moment = None
        self._tell_order()
        self.column.remove_widget(self.show)
        self.column.add_widget(self.body)
        lay_out(self.column)
        self.root.look_under()
        self._lead_on()

    def _lead_on(self) -> None:
        """Where numbers alone decide, the first turn begins by itself, and gives the reason. A tie waits to be read."""
        if not self.ties:
            self.ids_.on.start(READ + len(self.places))

    def on_touch_down(self, touch: Any) -> Any:
        """Whoever touches something wants to look at it."""
        self.ids_.on.bar.stop()
        return super().on_touch_down(touch)

    @property
    def standing(self) -> Any:
        """The cards that turn, or the order with its buttons."""
        return self.moment is None

    def _end(self) -> None:
        if self.moment is not None:
            self.moment.stop()
            self._turned()

    def leave(self) -> None:
        """A moment ends with its screen."""
        if self.moment is not None:
            self.moment.stop()

    # --- the order --------------------------------------------------------------------------------------------------

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
        ring.halo = [seat for tie in self.ties for seat in tie.seats]

    def _reasons(self) -> None:
        """Ties first, under their brackets; then the places that their number alone decides."""
        box, view = self.ids_.reasons, self.view
        box.clear_widgets()
        for tie in self.ties:
            rule = next(p.rule for p in self.places if p.card == tie.card)
            self._reason(say(msg("{tied:seats} played {n}.", tied=tie.seats, n=tie.card)),
                         say(why_tied(view["seats"], view["gryphon"], tie.seats)), rule, True)  # fmt: skip
        alone = [p for p in self.places if not any(p.seat in tie.seats for tie in self.ties)]
        if alone:
            self._reason("", "\n".join(say(p.message) for p in alone), alone[0].rule, False)

    def _reason(self, head: str, text: str, rule: str, tie: bool) -> None:
        # where it is narrow, the words need the pictures' room
        roomy = look.wide and not look.tight
        pictured = tie and roomy and look.scale < 1.3
        reason = Reason(head=head, text=text, rule=rule, taken=tie, pictured=pictured, book=u(52 if roomy else 36))
        reason.bind(on_release=lambda *_: self.root.open("entry", rule=rule))
        self.ids_.reasons.add_widget(reason)

    def _share(self) -> None:
        """Reasons have the room that their words need, and the cards what is left, up to the full width."""
        left, cards, reasons = self.ids_.left, self.ids_.cards, self.ids_.reasons
        if not self.cards or left.width <= 1 or left.height <= 1:
            return
        needed = 0.0
        for reason in reasons.children:
            reason.size_hint_y = reason.high(left.width)
            needed += reason.size_hint_y
        needed += (len(reasons.children) - 1) * reasons.spacing
        rest = left.height - self.ids_.brackets.height - 2 * left.spacing - needed
        across = (left.width - (len(self.cards) - 1) * u(GAP)) / len(self.cards)
        least = u(112) if look.tight else left.height * 0.32
        cards.height = max(least, min(rest, left.height * 0.62, u(PlaceCard.HEAD) + across * 1.36))

    def _join(self) -> None:
        """Brackets join tied cards."""
        spans = []
        for tie in self.ties:
            tied = [card for card in self.cards if card.seat in tie.seats]
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
