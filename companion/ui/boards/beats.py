"""What an outcome looks like in time. Pure: events -> beats of 600 ms at most together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from companion.games.base import Json
from companion.games.sir_holland.paths import SIDEWAYS, other_passage
from companion.games.sir_holland.state import ROOF
from companion.ui.boards.foresight import way_down

LONGEST = 0.6
"""Seconds that one outcome takes."""
STEP, WALK, HOP, FALL, HIDE, CHEER, EXPLOSION = 0.09, 0.45, 0.30, 0.40, 0.20, 0.15, 0.6
"""Seconds: one square, a whole walk, a passage, a fall, lying down, a hop on the terrace, an explosion."""


@dataclass(frozen=True, slots=True)
class Beat:
    """kind: `step`, `hop` (passage), `fall`, `hide`, `cheer` (saved) or `explode`. figure is empty for an explosion."""

    kind: str
    figure: str
    start: str
    to: str
    begin: float
    seconds: float

    @property
    def end(self) -> float:
        """When it is over."""
        return self.begin + self.seconds

    def share(self, at: float) -> float:
        """How much of it is done."""
        return min(max((at - self.begin) / self.seconds, 0.0), 1.0)


def beats(before: Mapping[str, Json], events: Iterable[Mapping[str, Json]]) -> list[Beat]:
    """One thing after another; heroes that one villain knocks off fall together."""
    found: list[Beat] = []
    at = 0.0
    last = ""
    for event in events:
        what = event["what"]
        if what in ("moved", "villain_moved"):
            found += _walk(before, event["hero" if what == "moved" else "villain"], event["start"], event["path"], at)
        elif what == "fell":
            begin = found[-1].begin if last == "fell" else at
            found.append(Beat("fall", event["hero"], event["start"], event["to"], begin, FALL))
        elif what == "hidden":
            here = before["figures"][event["hero"]]
            found.append(Beat("hide", event["hero"], here, here, at, HIDE))
        elif what == "saved":
            found.append(Beat("cheer", event["hero"], ROOF, ROOF, at, CHEER))
        elif what == "exploded":
            found.append(Beat("explode", "", event["at"], event["at"][0] + "5", at, EXPLOSION))
        last = what
        at = max((b.end for b in found), default=0.0)
    share = min(1.0, LONGEST / at) if at else 1.0
    return [replace(b, begin=b.begin * share, seconds=b.seconds * share) for b in found]


def _walk(before: Mapping[str, Json], figure: str, start: str, path: Sequence[str], at: float) -> list[Beat]:
    tower, found = tuple(before["tower"]), []
    seconds = min(STEP, WALK / len(path))
    for here, there in pairwise((start, *path)):
        hop = is_hop(tower, here, there)
        found.append(Beat("hop" if hop else "step", figure, here, there, at, HOP if hop else seconds))
        at = found[-1].end
    return found


def is_hop(tower: Sequence[str], here: str, there: str) -> bool:
    """Whether that step leads through the passage."""
    return there not in SIDEWAYS.get(here, ()) and other_passage(tuple(tower), here) == there


def routes(found: Sequence[Beat]) -> list[tuple[tuple[str, ...], str]]:
    """The ways of all figures as squares, and where each one ends: drawn where nothing moves on the screen."""
    ways: dict[str, list[str]] = {}
    for beat in found:
        if beat.start != beat.to:
            way = way_down(beat.start, beat.to) if beat.kind == "fall" else (beat.start, beat.to)
            ways.setdefault(beat.figure, [beat.start]).extend(way[1:])
    return [(tuple(way), way[-1]) for way in ways.values()]
