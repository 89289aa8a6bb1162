"""The Game protocol: what a game owes the house, and the values that all games share.

A game is pure. Its states are frozen values, *decide* judges and may refuse, *apply* remembers and never refuses.
Whatever is random is decided once, by *open*, and stands in the event, so that a replay is exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol, TypeVar

Json = Any
"""What the json module reads and writes: None, bool, int, float, str, list, dict."""


@dataclass(frozen=True, slots=True)
class Message:
    """Words to be: an English msgid and what fills its fields.

    A field names the kind of its value after the colon ("{hero:figure} cannot stop on {at}"), and wording.py puts each
    kind into the reader's language. With `many`, `params["n"]` chooses between the two sentences.
    """

    id: str
    params: Mapping[str, Any] = field(default_factory=dict)
    many: str | None = None


def msg(id: str, /, **params: Any) -> Message:
    """A message; the extraction tool finds msgids as the first argument of this call."""
    return Message(id, params)


def msgn(one: str, many: str, /, **params: Any) -> Message:
    """A message that counts `n`; both sentences are found by the extraction tool."""
    return Message(one, params, many)


@dataclass(frozen=True, slots=True)
class Note:
    """A sound. name: of a file in kv/sounds; lasts: seconds until the next one begins, None: when this one is over."""

    name: str
    lasts: float | None = None


class Refusal(Exception):
    """The rules say no.

    rule: the id of the rule or ruling (`R31`, `A10`); reason: a word of the game's explain.py; facts: what fills its
    sentence; code: the error code of the referee protocol (`illegal`, or `over` after the end).
    """

    def __init__(self, rule: str, reason: str, /, code: str = "illegal", **facts: Any) -> None:
        super().__init__(rule, reason, facts)
        self.rule = rule
        self.reason = reason
        self.code = code
        self.facts = facts


class BadForm(Exception):
    """Not a value of this game at all: wrong keys, types or names. `reason` says what and where."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason.id, reason.params)
        self.reason = reason


class BadSetup(Exception):
    """A well-formed position or set-up that the game cannot have; holds every fault found, at least one."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(faults)
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class Fault:
    """One impossible thing in a position. `at`: the place it concerns (a square, a seat, or a state key)."""

    at: str
    rule: str
    message: Message


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended. `steps`: the decision, one sentence after another, stopping at the one that decided."""

    ended_by: str
    winners: tuple[str, ...]
    decided_by: str
    steps: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """An entry of the rule book: `R..` is printed somewhere, `A..` is how we read what is unclear.

    text: msgid in our own words; source: where it is written; switch: the house rule that changes it, if one does;
    title: msgid, a few words by which it is found in a list; topics: what it is looked up by; related: ids of entries
    to read with it; example: the game's own, for a picture.
    """

    id: str
    text: str
    source: str
    switch: str | None = None
    title: str = ""
    topics: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    example: Any = None

    @property
    def reading(self) -> bool:
        """Whether it is only how we read something that is not clear."""
        return self.id.startswith("A")


@dataclass(frozen=True, slots=True)
class Topic:
    """What rules can be looked up by. kind: `card`, `place` or `situation`; art: the name of its drawing."""

    id: str
    kind: str
    title: Message
    art: str


@dataclass(frozen=True, slots=True)
class Switch:
    """A house rule. `values[0]` is the default; `meanings[i]` (msgid) says in plain words what `values[i]` does."""

    id: str
    ruling: str
    text: str
    values: tuple[str | int, ...]
    meanings: tuple[str, ...]
    source: str


@dataclass(frozen=True)
class Rulebook:
    """All rules and rulings in the order of the fact file, and the switches in the order of the protocol.

    asked: the ids of the entries that tables ask for most, the most asked first.
    """

    rules: tuple[Rule, ...]
    switches: tuple[Switch, ...]
    topics: tuple[Topic, ...] = ()
    asked: tuple[str, ...] = ()

    def about(self, topic: str) -> tuple[Rule, ...]:
        """The entries about a topic, the most asked first."""
        return tuple(sorted((r for r in self.rules if topic in r.topics), key=lambda r: self.rank(r.id)))

    def rank(self, id: str) -> int:
        """How often an entry is asked for, to sort by; those that are not often asked for are all alike."""
        return self.asked.index(id) if id in self.asked else len(self.asked)

    def find(self, id: str) -> Rule | None:
        """The entry with that id, or None."""
        return next((r for r in self.rules if r.id == id), None)

    def switch(self, id: str) -> Switch | None:
        """The switch with that id, or None."""
        return next((s for s in self.switches if s.id == id), None)


@dataclass(frozen=True, slots=True)
class Laid:
    """A gesture: a card was laid on the reader of `seat`. `owner` and `card` say which card it is."""

    seat: str
    owner: str
    card: int


@dataclass(frozen=True, slots=True)
class Pressed:
    """A gesture: a button of the panel of `seat` was pressed; buttons count from 1."""

    seat: str
    button: int


Gesture = Laid | Pressed


S = TypeVar("S")
C = TypeVar("C")
E = TypeVar("E")


class Notation(Protocol):
    """A game in the words of the open text format (table/text.py). What cannot be read raises BadForm."""

    NEEDED: tuple[str, ...]
    """Head lines that a text must have."""

    def head(self, state: Any) -> dict[str, str]:
        """The head lines of a game that began with this state."""
        ...

    def option(self, key: str, words: str) -> dict[str, Json] | None:
        """What a head line asks of `open`; None where it is no line of this game."""
        ...

    def act(self, state: Any, choice: Any) -> str:
        """A choice in words, without its seat."""
        ...

    def choice(self, state: Any, seat: str, words: str) -> Any:
        """The inverse."""
        ...

    def shown(self, state: Any, event: Any) -> dict[str, str]:
        """The secret choices that an event reveals, in words, in the order of seats."""
        ...

    def order(self, state: Any) -> tuple[str, ...]:
        """The seats that are still to act, where that is settled."""
        ...

    def changes_in_words(self, state: Any, changes: Mapping[str, Json]) -> str:
        """What `correct` is asked for, in words."""
        ...

    def changes(self, state: Any, words: str) -> dict[str, Json]:
        """The inverse."""
        ...


class Game(Protocol[S, C, E]):
    """S: state, C: choice, E: event. All three are frozen values of the game's own."""

    id: str
    seats: range
    """How many seats can play."""
    colours: tuple[str, ...]
    """The names that a seat can have."""
    secret: frozenset[str]
    """State fields that no public view may show."""
    rulebook: Rulebook
    notation: Notation

    def open(self, seats: Sequence[str], options: Mapping[str, Json], rng: Random) -> tuple[E, ...]:
        """The opening events. Owner-supplied data comes in `options`; raises BadForm (form) or BadSetup (rules)."""
        ...

    def apply(self, state: S | None, event: E) -> S:
        """The state after an event. Never refuses; `apply(None, opened)` gives the first state."""
        ...

    def awaited(self, state: S) -> list[tuple[str, Message]]:
        """Who does what now, one entry a seat."""
        ...

    def choices(self, state: S, seat: str | None = None) -> list[C]:
        """Every legal choice of the seats that may act now, without duplicates, in a stable order."""
        ...

    def decide(self, state: S, choice: C) -> tuple[E, ...]:
        """What a choice leads to; raises Refusal."""
        ...

    def moment(self, state: S) -> str:
        """Round and phase: a secret choice made for another moment is stale."""
        ...

    def commutes(self, what: C | E) -> bool:
        """Whether a choice or event belongs to the secret choosing, in which seats do not wait for each other."""
        ...

    def withdraws(self, choice: C) -> bool:
        """Whether a choice takes a secret choice back."""
        ...

    def expand(self, state: S, choice: C) -> tuple[C, ...]:
        """The choices that a person means: another secret choice replaces the one that was made."""
        ...

    def passes(self, state: S, choice: C) -> str | None:
        """The rule by which a choice ends a turn in which nothing was done, or None: a card or a button, which may be
        a late yes to the reveal, has to say that twice."""
        ...

    def reveals(self, event: E) -> bool:
        """Whether an event ends the secret choosing, so that the table asks before it lets it happen."""
        ...

    def unlocked(self, state: S, seat: str | None = None) -> S:
        """The state without any secret choice, or without that of a seat; the same object where it holds none."""
        ...

    def explain(self, state: S, refusal: Refusal) -> Message:
        """The refusal in one sentence or two: what is wrong and what would be right."""
        ...

    def nearest(self, state: S, choice: C) -> tuple[C, ...]:
        """What may be chosen instead of a refused choice, the nearest to it first."""
        ...

    def insist(self, state: S, choice: C) -> dict[str, Json] | None:
        """What a refused choice would change in the public state, if the table lets it stand; None where it cannot."""
        ...

    def correct(self, state: S, changes: Mapping[str, Json]) -> S:
        """The position with public fields replaced as the table says; raises BadForm, or BadSetup with every fault."""
        ...

    def result(self, state: S) -> Result | None:
        """How the game ended, or None."""
        ...

    def read(self, state: S, gesture: Gesture) -> C | None:
        """A laid card or a pressed button in the game's terms; None where it means nothing now. May raise Refusal."""
        ...

    def tell(self, before: S | None, events: Sequence[E], after: S) -> list[Message]:
        """What happened, in words, once per outcome."""
        ...

    def sounds(self, before: Json, events: Sequence[Mapping[str, Json]], after: Json) -> tuple[Note, ...]:
        """What happened, for the ear: public events that led from one public view to another."""
        ...

    def put_back(self, done: S, before: S) -> list[Message]:
        """What hands do with the cardboard when what led from `before` to `done` is taken back; may be nothing."""
        ...

    def term(self, kind: str, value: Json) -> Message | None:
        """The name of a value of that kind (`figure`, `card`, ...), or None for kinds that the game does not have."""
        ...

    def view(self, state: S, seat: str | None = None) -> dict[str, Json]:
        """What everyone may see, or what one seat may see (`own`: its secret part)."""
        ...

    def faults(self, state: S) -> list[Fault]:
        """All that is impossible in this position, at once."""
        ...

    def state_to_json(self, state: S) -> dict[str, Json]:
        """The public state of the referee protocol: holds no secret."""
        ...

    def state_from_json(self, data: Json) -> S:
        """The inverse; raises BadForm (types and values) or BadSetup (a position that cannot be)."""
        ...

    def choice_to_json(self, choice: C) -> dict[str, Json]:
        """A choice as the protocol writes it."""
        ...

    def choice_from_json(self, state: S, data: Json) -> C:
        """A well-formed choice of this table; raises BadForm."""
        ...

    def event_to_json(self, event: E, private: bool = False) -> dict[str, Json]:
        """An event for everyone, or (`private`) as the journal keeps it, with its version `v`."""
        ...

    def event_from_json(self, data: Json) -> E:
        """The inverse; raises BadForm."""
        ...
