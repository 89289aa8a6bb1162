"""Teaching the cards: one after another is asked for, and the sticker that is laid belongs to it. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.games.base import Message, msg
from companion.table.again import OnceMore
from companion.table.ports import Bind, Forget, Touched

Card = tuple[str, int]
"""Owner and number."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a laid sticker means. well: it can be this card's; message: what there is to say; request: to ask for."""

    well: bool
    message: Message | None = None
    request: Bind | Forget | None = None


class Teaching:
    """Which card is asked for, and what came of the last one. Cards without a sticker are asked for, in order.

    A card is taught once the house says so (`know`): where the disk says no, the same card is asked for again.
    """

    def __init__(self, cards: Sequence[Card], tags: Mapping[str, Card]) -> None:
        self.cards = list(cards)
        self.tags = dict(tags)
        self.card: Card | None = next((card for card in self.cards if not self.stickers(card)), None)
        self._every = False
        self._asked: Bind | None = None
        self._again = OnceMore()
        self._taught: list[tuple[Card, str, Card | None]] = []

    def stickers(self, card: Card) -> int:
        """How many stickers that card has."""
        return sum(card == of for of in self.tags.values())

    @property
    def known(self) -> int:
        """How many cards have one."""
        return sum(self.stickers(card) > 0 for card in self.cards)

    @property
    def summary(self) -> Message:
        """How far one is."""
        if self.known == len(self.cards):
            return msg("All {n} cards have their sticker.", n=self.known)
        return msg("{n} of {all} cards have a sticker.", n=self.known, all=len(self.cards))

    @property
    def ask(self) -> Message:
        """What to do now."""
        if self.card is None:
            return self.summary
        return msg("{seat:seat}: lay {card:card} on any reader.", seat=self.card[0], card=self.card[1])

    @property
    def can_redo(self) -> bool:
        """Whether something was taught that can be taken back."""
        return bool(self._taught)

    @property
    def last(self) -> Message | None:
        """What `redo` undoes."""
        if not self._taught:
            return None
        card, _uid, _before = self._taught[-1]
        return lost_sticker(*card)

    # --- what people do -------------------------------------------------------------------------------------------

    def lay(self, touch: Touched) -> Answer:
        """A sticker was laid on a reader."""
        uid, card = touch.uid, self.card
        if touch.foreign:
            return Answer(False, FOREIGN)
        if self._again.echoes(uid, touch.at):
            return Answer(True)
        if card is None:
            return Answer(False, self._whose(uid))
        owner, number = card
        before = self.tags.get(uid)
        if before == card:
            self._again.did(uid, touch.at)
            self._next()
            return Answer(True)
        if before is not None and not self._again.confirms(uid, touch.at):
            taken = msg("This sticker is {card:card} of {seat:seat} already. Lay it again to move it.",
                        card=before[1], seat=before[0])  # fmt: skip
            return Answer(False, taken)
        text: Message | None = None
        if self.stickers(card):
            text = msg("{card:card} of {seat:seat} has two stickers now. Both count.", card=number, seat=owner)
        self._again.did(uid, touch.at)
        self._asked = Bind(uid, owner, number)
        return Answer(True, text, self._asked)

    def know(self, tags: Mapping[str, Card]) -> None:
        """The house says which stickers there are; what was asked for is taught now."""
        asked, before = self._asked, self.tags
        self.tags = dict(tags)
        if asked is not None and tags.get(asked.uid) == (asked.owner, asked.card):
            self._asked = None
            card = (asked.owner, asked.card)
            self._taught.append((card, asked.uid, before.get(asked.uid)))
            if self.card == card:  # else another one was picked meanwhile
                self._next()

    def pick(self, card: Card) -> None:
        """That card is asked for."""
        self.card = card
        self._again.forget()

    def skip(self) -> None:
        """Leave this card out for now."""
        self._next()

    def back(self) -> None:
        """The card before this one."""
        at = len(self.cards) if self.card is None else self.cards.index(self.card)
        self.pick(self.cards[max(at - 1, 0)])

    def redo(self) -> Bind | Forget:
        """The last one was wrong: what was before it is so again, and its card is asked for."""
        card, uid, before = self._taught.pop()
        self.pick(card)
        return Forget(uid) if before is None else Bind(uid, *before)

    def from_start(self) -> None:
        """All cards once more, also those that have a sticker."""
        self._every = True
        self.pick(self.cards[0])

    # --- the walk -------------------------------------------------------------------------------------------------

    def _next(self) -> None:
        """The next card that is to be asked for; after the last one, those that were left out. None: that was all."""
        self._again.forget()
        if self.card is None:
            return
        at = self.cards.index(self.card)
        if self._every:
            self.card = self.cards[at + 1] if at + 1 < len(self.cards) else None
            self._every = self.card is not None
            return
        others = self.cards[at + 1 :] + self.cards[:at]
        self.card = next((card for card in others if not self.stickers(card)), None)

    def _whose(self, uid: str) -> Message:
        if uid in self.tags:
            owner, number = self.tags[uid]
            return msg("This is {card:card} of {seat:seat}.", card=number, seat=owner)
        return msg("This sticker is no card's. Touch a card first, then lay it again.")


def lost_sticker(owner: str, number: int) -> Message:
    """What is said of a card whose sticker is taken away."""
    return msg("{card:card} of {seat:seat} has lost this sticker.", card=number, seat=owner)


FOREIGN = msg("A phone or a bank card? Its number is not its own. Lay a card of the game.")
