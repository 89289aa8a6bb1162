"""What a seat can reach in its turn: a hero saved or taken higher, somebody knocked off, a hero hidden. Pure.

For children: not what is wise, only what is worth looking at. The rules themselves are asked (`decide`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from companion.games.base import Message, msg
from companion.games.sir_holland.rules import decide
from companion.games.sir_holland.state import (
    ROOF,
    Choice,
    Climb,
    FallWaits,
    HeroFell,
    Hide,
    Move,
    MoveVillain,
    State,
    UsePortal,
    heroes,
    level,
    owner,
)


@dataclass(frozen=True, slots=True)
class Goal:
    """kind: what would come of it; figure: who would be saved, taken up, knocked off or hidden; square: where to touch.

    cost: the squares of the way there.
    """

    kind: Literal["save", "up", "knock", "hide"]
    figure: str
    square: str
    cost: int = 0

    @property
    def message(self) -> Message:
        """In words."""
        match self.kind:
            case "save":
                return msg("Save {hero:figure}.", hero=self.figure)
            case "up":
                return msg("Take {hero:figure} up to level {n}.", hero=self.figure, n=level(self.square))
            case "knock":
                return msg("Knock {hero:figure} off.", hero=self.figure)
            case _:
                return msg("Hide {hero:figure}.", hero=self.figure)


def goals(state: State, choices: Iterable[Choice]) -> tuple[Goal, ...]:
    """The goals of whoever acts, the best first: for each hero the highest square, for each foe one that hits it."""
    seat = state.turn.seat if state.turn else ""
    found: dict[tuple[str, str], Goal] = {}
    for choice in choices:
        for goal in _of(state, seat, choice):
            key = (goal.kind, goal.figure)
            if key not in found or _worth(goal) < _worth(found[key]):
                found[key] = goal
    saved = {figure for kind, figure in found if kind == "save"}
    kept = (g for g in found.values() if g.kind != "up" or g.figure not in saved)
    return tuple(sorted(kept, key=lambda g: (("save", "knock", "up", "hide").index(g.kind), *_worth(g))))


def _worth(goal: Goal) -> tuple[int, int, str]:
    return -level(goal.square), goal.cost, goal.figure


def _of(state: State, seat: str, choice: Choice) -> Iterable[Goal]:
    match choice:
        case Move(_, hero, path) | Climb(_, hero, path) | UsePortal(_, hero, path) if hero in heroes(seat):
            end = path[-1]
            if end == ROOF:
                yield Goal("save", hero, end, len(path))
            elif level(end) > level(state.figures[hero]):
                yield Goal("up", hero, end, len(path))
        case MoveVillain(_, _, path):
            for event in decide(state, choice):
                if isinstance(event, HeroFell | FallWaits) and owner(event.hero) != seat:
                    yield Goal("knock", event.hero, path[-1], len(path))
        case Hide(_, hero):
            yield Goal("hide", hero, state.figures[hero])
