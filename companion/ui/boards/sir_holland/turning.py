"""The cards turn, one by one and large; then equal numbers are counted out round the ring, from the gryphon."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from kivy.graphics import Color, InstructionGroup, PopMatrix, PushMatrix, Translate
from kivy.graphics import SmoothLine as Line
from kivy.properties import DictProperty, ListProperty, NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.games.sir_holland.desk import Tie
from companion.games.sir_holland.motion import HOP, REST, TURN
from companion.ui import words
from companion.ui.motion import Moment, ease_out, turning
from companion.ui.pen import Pen
from companion.ui.ring import Ring
from companion.ui.screens.base import load_kv
from companion.ui.theme import c, look, u


class BigCard(BoxLayout):
    """A card as large as there is room, with whose it is."""

    seat = StringProperty("")
    who = StringProperty("")
    card = NumericProperty(0)


class Counting(Ring):
    """The table from above. tied: the seats that are counted out, with their cards; counter: where the count is, as the

    number of a seat, or between two.
    """

    cards = DictProperty({})
    tied = ListProperty([])
    counter = NumericProperty(0)

    def __init__(self, **kwargs: object) -> None:
        self._hand = InstructionGroup()
        self._at = Translate()
        super().__init__(**kwargs)
        self.canvas.after.add(self._hand)
        self.fbind("counter", self._point)

    def watched(self) -> tuple[str, ...]:
        return (*super().watched(), "cards", "tied")

    def _radii(self) -> tuple[float, float]:
        across = self.width / 2 - u(self.px) * 2.2
        return across, min(self.height / 2 - u(self.px) * 0.95, across * 1.3)

    def paint(self, pen: Pen) -> None:
        super().paint(pen)
        px = u(self.px)
        places = self.places()
        for seat in self.tied:
            x, y = places[seat]
            # on the side that is free of the gryphon
            side = 1 if x > self.center_x + px else -1
            w = int(px * 1.1)
            pen.card(self.cards[seat], round(x + side * (px * 0.8 + w / 2) - w / 2), round(y - w * 0.68), w, seat)
        self._draw_hand()

    def _draw_hand(self) -> None:
        """The ring that goes from seat to seat is drawn once, and then only moved."""
        self._hand.clear()
        for instruction in (PushMatrix(), self._at, Color(*c("act"))):
            self._hand.add(instruction)
        self._hand.add(Line(circle=(0, 0, u(self.px) * 0.72), width=u(2.5)))
        self._hand.add(PopMatrix())
        self._point()

    def _point(self, *_: object) -> None:
        if self.seats:
            self._at.xy = self.place(self.counter)


class Turning(BoxLayout):
    """Cards face down that turn over, then the count of each tie; `done` at the end.

    cards: seat -> number; tell: sets the sentence that belongs to a tie, before it is counted.
    """

    def __init__(
        self,
        seats: Sequence[str],
        gryphon: str,
        cards: Mapping[str, int],
        ties: Sequence[Tie],
        tell: Callable[[Tie], None],
        done: Callable[[], None],
    ) -> None:
        super().__init__()
        self.seats, self.gryphon, self.numbers, self.ties = seats, gryphon, cards, ties
        self._tell, self._done = tell, done
        self.ring: Counting | None = None
        self.cards = [BigCard(seat=s, who=words.name(s), card=cards[s]) for s in seats if s in cards]
        across = len(self.cards) if look.wide or len(self.cards) < 3 else 2
        grid = GridLayout(cols=across, spacing=(u(16), u(8)))
        for card in self.cards:
            card.ids.card.back = True
            grid.add_widget(card)
        self.add_widget(grid)

    def start(self) -> Moment:
        """Begin, once it has its place on the screen."""
        return Moment(self._steps(), self._done)

    def _steps(self) -> Iterator[tuple[float, Callable[[float], None]]]:
        for card in self.cards:
            yield TURN, turning(card.ids.card.__self__)
        yield REST, _wait
        for tie in self.ties:
            ring = self._lay(tie)
            for number in range(1, len(tie.path)):
                yield HOP, _hop(ring, self.seats.index(self.gryphon) + number)
            yield REST, _wait

    def _lay(self, tie: Tie) -> Counting:
        """The ring takes the place of the large cards."""
        self._tell(tie)
        if self.ring is None:
            self.clear_widgets()
            px = 64 if look.wide else 52
            self.ring = Counting(seats=list(self.seats), gryphon=self.gryphon, cards=dict(self.numbers), px=px)
            self.add_widget(self.ring)
        self.ring.tied = list(tie.seats)
        self.ring.counter = self.seats.index(self.gryphon)
        return self.ring


def _wait(_share: float) -> None:
    """Nothing moves."""


def _hop(ring: Counting, to: int) -> Callable[[float], None]:
    def step(share: float) -> None:
        # half of the time it stands: each seat is counted
        ring.counter = to - 1 + ease_out(min(share * 2, 1.0))

    return step


load_kv("sir_holland/turning")
