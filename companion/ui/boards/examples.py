"""The examples of the rule book of Sir Holland, drawn, with what the rules themselves say about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from companion.games.base import Message, Refusal
from companion.games.sir_holland import desk, explain, rules
from companion.games.sir_holland.guide import Example, Final, Order, Position
from companion.games.sir_holland.state import (
    Exploded,
    Fall,
    HeroFell,
    HouseRules,
    MoveVillain,
    VillainMoved,
    level,
)
from companion.ui.boards.foresight import way_down
from companion.ui.boards.sir_holland.tower import Tower
from companion.ui.theme import c

Way = tuple[str, ...]


@dataclass(frozen=True)
class Told:
    """What an example shows. ways: squares, one after another; kind: `yes`, `no` or nothing to decide."""

    kind: str = ""
    messages: tuple[Message, ...] = ()
    ways: tuple[Way, ...] = ()
    lit: tuple[str, ...] = ()
    bad: tuple[str, ...] = ()
    picked: tuple[str, ...] = field(default=())


def told(example: Example) -> Told:
    """Let the rules say what an example is about."""
    match example:
        case Order():
            places = desk.explain_order(example.seats, example.gryphon, example.cards)
            tied = [p for p in places if p.rule != "R22"]
            return Told(messages=((tied or places)[0].message,))
        case Final():
            steps = desk.winner(list(example.heroes), example.gryphon, example.ended_by, example.saved,
                                example.levels, HouseRules(), example.out)[1]  # fmt: skip
            return Told(messages=tuple(s.message for s in steps))
        case Position(choice=None):
            return Told(lit=example.lit)
    return _judged(example)


def _judged(example: Position) -> Told:
    state, choice = example.state(), example.choice
    assert choice is not None
    path: Way = getattr(choice, "path", ())
    figure = choice.villain if isinstance(choice, MoveVillain) else getattr(choice, "hero", "")
    start = state.figures[figure] if figure else ""
    target = path[-1] if path else getattr(choice, "at", getattr(choice, "to", start))
    picked = (start,) if start and start != target else ()
    try:
        events = rules.decide(state, choice)
    except Refusal as refusal:
        return Told("no", (explain.sentence(refusal),), bad=(target,), picked=picked)
    after = state
    for event in events:
        after = rules.apply(after, event)
    ways: list[Way] = [(start, *path)] if path else []
    lit = [target]
    for event in events:
        if isinstance(event, HeroFell):
            ways.append(way_down(event.start, event.to))
            lit.append(event.to)
        elif isinstance(event, Exploded):
            top = event.at[0] + "5"
            ways.append((event.at, top))
            lit = [event.at, top]
    if isinstance(choice, Fall):
        picked = ()
    # a fall says enough
    telling = tuple(e for e in events if not isinstance(e, VillainMoved)) or events
    messages = tuple(explain.tell(state, telling, after))
    return Told("yes", messages, tuple(ways), tuple(dict.fromkeys(lit)), picked=picked)


class ExampleTower(Tower):
    """A tower that shows the levels of an example, as large as they fit."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.disabled = True
        self.sky = c("panel")

    def take(self, example: Position) -> Told:
        """Show an example."""
        says = told(example)
        self.rows = list(example.tower)
        self.figures = dict(example.figures)
        self.lying = list(example.lying)
        self.lit = dict.fromkeys(says.lit, "")
        self.picked, self.bad = list(says.picked), list(says.bad)
        self.preview = [(way, way[-1]) for way in says.ways]
        return says

    @property
    def window(self) -> tuple[int, int]:
        """Only the levels that matter, each of them whole."""
        squares = [*self.figures.values(), *self.lit, *self.bad, *(s for way, _end in self.preview for s in way)]
        there = [level(s) for s in squares]
        if not there or max(there) - min(there) > 2:
            return 1, 6
        low = max(1, min(min(there) - 1, 4))
        high = max(low + 2, *there)
        return low, 6 if high == 5 else high
