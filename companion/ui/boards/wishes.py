"""What a touch on the tower means. Pure: choices of a Snapshot -> lit squares; any touch -> the choice it wishes for.

A touch on an unlit square becomes the nearest sensible choice, so that the table itself can say why not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any

from companion.games.base import Json
from companion.games.sir_holland.paths import (
    SIDEWAYS,
    NoStep,
    above,
    below,
    other_passage,
    villain_steps,
    walk_cost,
    walk_steps,
)
from companion.games.sir_holland.state import (
    CAPTURE,
    CHASE,
    CLIMB,
    PORTALS,
    ROOF,
    VILLAINS,
    Choice,
    Climb,
    Explode,
    Fall,
    Hide,
    HouseRules,
    Move,
    MoveVillain,
    UsePortal,
    heroes,
)

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Way:
    """One way to a square. kind: `walk`, `passage`, `climb`, `portal` or `villain`; cost: in points of its half."""

    choice: Any
    kind: str
    cost: int

    @property
    def half(self) -> str:
        """Which half of the card pays."""
        return "points" if self.kind in ("walk", "passage") else "special"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a way. kind: `side`, `up`, `down` or `hop` (free, through the passage); paid: steps up to here."""

    kind: str
    square: str
    paid: int


class Wishes:
    """The choices of one Snapshot, by figure and square."""

    def __init__(self, view: Mapping[str, Json], choices: Iterable[Choice]) -> None:
        self.view = view
        self.choices = tuple(choices)
        self.turn: Mapping[str, Json] = view["turn"] or {}
        self.tower = tuple(view["tower"])
        self.rules = HouseRules(**view["rules"])

    @cached_property
    def _ways(self) -> dict[str, dict[str, list[Way]]]:
        """figure -> square -> ways, the cheapest of each kind."""
        best: dict[tuple[str, str, str], Way] = {}
        for choice in self.choices:
            figure, way = self._way(choice)
            if way is None:
                continue
            key = (figure, way.choice.path[-1], way.kind)
            if key not in best or way.cost < best[key].cost:
                best[key] = way
        found: dict[str, dict[str, list[Way]]] = {}
        for (figure, square, _), way in sorted(best.items(), key=lambda item: (item[1].cost, item[1].kind != "walk")):
            ways = found.setdefault(figure, {}).setdefault(square, [])
            # nobody takes a passage that costs as much as walking, or more
            if way.kind != "passage" or all(w.half != way.half for w in ways):
                ways.append(way)
        return found

    def _way(self, choice: Choice) -> tuple[str, Way | None]:
        match choice:
            case Move(_, hero, path):
                cost = walk_cost(self.tower, self.view["figures"][hero], path, self.rules)
                return hero, Way(choice, "passage" if cost < len(path) else "walk", cost)
            case Climb(_, hero, _):
                return hero, Way(choice, "climb", 1)
            case UsePortal(_, hero, path):
                return hero, Way(choice, "portal", len(path))
            case MoveVillain(_, villain, path):
                return villain, Way(choice, "villain", len(path))
            case _:
                return "", None

    def figures(self, half: str | None = None) -> list[str]:
        """The figures that can go somewhere (with that half)."""
        return [
            f for f, squares in self._ways.items()
            if half is None or any(w.half == half for ways in squares.values() for w in ways)
        ]  # fmt: skip

    def targets(self, figure: str, half: str | None = None) -> dict[str, list[Way]]:
        """Where a figure can go. Its own square (there and back again) only where somebody stands to be knocked off."""
        start = self.view["figures"].get(figure)
        found = {}
        for square, ways in self._ways.get(figure, {}).items():
            fitting = [w for w in ways if half in (None, w.half)]
            if fitting and (square != start or self._bystander(square, figure)):
                found[square] = fitting
        return found

    def _bystander(self, square: str, figure: str) -> bool:
        there = [f for f, s in self.view["figures"].items() if s == square and f != figure and f not in VILLAINS]
        return square not in ("b1", "d1") and any(f not in self.view["lying"] for f in there)

    def explodable(self) -> dict[str, Explode]:
        """The squares whose card can be blown up."""
        return {c.at: c for c in self.choices if isinstance(c, Explode)}

    def hideable(self) -> dict[str, Hide]:
        """The heroes that can hide."""
        return {c.hero: c for c in self.choices if isinstance(c, Hide)}

    def falls(self) -> dict[str, Fall]:
        """Where the falling hero can land."""
        return {c.to: c for c in self.choices if isinstance(c, Fall)}

    def comers(self, square: str, half: str | None = None) -> list[str]:
        """The figures that can go there."""
        return [f for f in self.figures(half) if square in self.targets(f, half)]

    def on(self, square: str) -> list[str]:
        """Who stands there."""
        return [f for f, s in self.view["figures"].items() if s == square]

    # --- any touch --------------------------------------------------------------------------------------------------

    def wish(self, figure: str, to: str, half: str | None = None) -> Any:
        """The choice that somebody means who sends a figure to a square, legal or not."""
        seat, start = self.turn["seat"], self.view["figures"][figure]
        if start == ROOF:
            return Move(seat, figure, (to,))
        if figure in VILLAINS:
            return MoveVillain(seat, figure, self._villain_path(start, to))
        special = half == "special" or (half is None and not self.turn["points"])
        if special and self.turn["card"] == CLIMB:
            return Climb(seat, figure, (to,))
        if special and self.turn["card"] == PORTALS:
            return UsePortal(seat, figure, _column(start, to))
        return Move(seat, figure, self._walk(start, to) or _straight(start, to))

    def reaches(self, figure: str, square: str) -> bool:
        """Whether a hero could walk that far, were the square free: then a villain there is in the way, not meant."""
        return figure not in VILLAINS and any(f in VILLAINS for f in self.on(square)) and self._near(figure, square)

    def meant(self, figure: str, square: str) -> str | None:
        """Who is touched there in order to move it, though it cannot, while another figure is in hand."""
        if square == ROOF or self._near(figure, square):
            return None
        mine = (*heroes(self.turn["seat"]), *(VILLAINS if self.turn["card"] in (CHASE, CAPTURE) else ()))
        return next((f for f in self.on(square) if f != figure and f in mine), None)

    def _near(self, figure: str, square: str) -> bool:
        """Whether what is left of the card would be enough, were the square free."""
        start = self.view["figures"][figure]
        if figure in VILLAINS:
            way = self._villain_path(start, square)
            return self._is_way(start, way) and len(way) <= self.turn["special"]
        path = self._walk(start, square)
        return path is not None and walk_cost(self.tower, start, path, self.rules) <= self.turn["points"]

    @staticmethod
    def _is_way(start: str, path: Path) -> bool:
        """Whether villains can go that way, however far."""
        return all(there in villain_steps(here, True) for here, there in pairwise((start, *path)))

    def too_far(self, choice: Any) -> list[Step]:
        """The steps of a choice that asks for more of them than are left; none where it is refused for another reason.

        How a hero comes to what costs so much is not easily seen: ropes and passages lead astray.
        """
        match choice:
            case Move(_, figure, path) if self.turn["points"] > 0:
                start = self.view["figures"][figure]
                try:
                    far = walk_cost(self.tower, start, path, self.rules) > self.turn["points"]
                except NoStep:
                    return []
            case MoveVillain(_, figure, path) if 0 < self.turn["special"] < len(path):
                start = self.view["figures"][figure]
                far = self._is_way(start, path)
            case _:
                return []
        return self._steps(figure, start, path) if far else []

    def _steps(self, figure: str, start: str, path: Path) -> list[Step]:
        found: list[Step] = []
        paid = 0
        for here, there in pairwise((start, *path)):
            kind = "side" if there in SIDEWAYS[here] else "up" if there == above(here) else "down"
            if figure not in VILLAINS and there not in walk_steps(self.tower, here, self.rules.rope_down == "on"):
                kind = "hop"
            paid += kind != "hop"
            found.append(Step(kind, there, paid))
        return found

    def poke(self, figure: str) -> Any:
        """A choice with a figure that cannot act now, so that the table says why."""
        start = self.view["figures"][figure]
        if start == ROOF:
            return Move(self.turn["seat"], figure, (ROOF,))
        beside = next(s for s in walk_steps(self.tower, start, False))
        if figure in VILLAINS and self.turn["card"] not in (CHASE, CAPTURE):
            return MoveVillain(self.turn["seat"], figure, (beside,))
        return self.wish(figure, beside)

    def _walk(self, start: str, to: str) -> Path | None:
        """The cheapest way for a hero, however far; None where none leads there."""
        rope_down = self.rules.rope_down == "on"
        queue: list[tuple[int, Path, bool]] = [(0, (start,), self.rules.hop_from_start == "free")]
        seen: set[tuple[str, bool]] = set()
        while queue:
            cost, path, may_hop = heappop(queue)
            here = path[-1]
            if here == to and len(path) > 1:
                return path[1:]
            if here == ROOF or (here, may_hop) in seen:
                continue
            seen.add((here, may_hop))
            if may_hop and (far := other_passage(self.tower, here)):
                heappush(queue, (cost, (*path, far), False))
            for step in walk_steps(self.tower, here, rope_down):
                heappush(queue, (cost + 1, (*path, step), True))
        return None

    def _villain_path(self, start: str, to: str) -> Path:
        if to == ROOF:
            return (ROOF,)
        paths: list[Path] = [()]
        seen = {start}
        for path in paths:
            for step in villain_steps(path[-1] if path else start, True):
                if step == to:
                    return (*path, step)
                if step not in seen:
                    seen.add(step)
                    paths.append((*path, step))
        return (to,)


def _column(start: str, to: str) -> Path:
    """Up or down by portal."""
    if to == ROOF or start[0] != to[0] or start == to:
        return (to,)
    path, here = [], start
    while here != to:
        step = above(here) if to[1] > here[1] else below(here)
        assert step
        path.append(step)
        here = step
    return tuple(path)


def _straight(start: str, to: str) -> Path:
    """As the eye goes: along the level, then up or down."""
    if start == to:
        return (to,)
    column = start[0] if to == ROOF else to[0]
    step = 1 if column > start[0] else -1
    path = (
        [chr(x) + start[1] for x in range(ord(start[0]) + step, ord(column) + step, step)] if column != start[0] else []
    )
    here = path[-1] if path else start
    while here != to:
        nearer = above(here) if to == ROOF or to[1] > here[1] else below(here)
        assert nearer
        path.append(nearer)
        here = nearer
    return tuple(path)
