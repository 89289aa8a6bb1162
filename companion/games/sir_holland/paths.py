"""Where figures can walk: the tower as a graph. Knows cards and squares, but no figures and no turns."""

from __future__ import annotations

from functools import lru_cache

from companion.games.sir_holland.state import DUNGEONS, PASSAGE, ROOF, ROPE, SQUARES, HouseRules, Tower, card_at

Path = tuple[str, ...]


def above(square: str) -> str:
    """The square one level up; from level 5 the terrace (R40)."""
    return ROOF if square[1] == "5" else square[0] + chr(ord(square[1]) + 1)


def below(square: str) -> str | None:
    """The square one level down, or None at the base."""
    return None if square[1] == "1" else square[0] + chr(ord(square[1]) - 1)


SIDEWAYS = {s: tuple(c + s[1] for c in (chr(ord(s[0]) - 1), chr(ord(s[0]) + 1)) if "a" <= c <= "e") for s in SQUARES}
"""square -> its neighbours on the same level (R30, A36)."""


@lru_cache(maxsize=512)
def other_passage(tower: Tower, square: str) -> str | None:
    """The other end if a secret passage lies on this square (R35, A31), else None."""
    if card_at(tower, square) != PASSAGE:
        return None
    return next((s for s in SQUARES if s != square and card_at(tower, s) == PASSAGE), None)


@lru_cache(maxsize=4096)
def walk_steps(tower: Tower, square: str, rope_down: bool) -> Path:
    """The squares that one movement point reaches (R30, R33, A22)."""
    steps = list(SIDEWAYS[square])
    if card_at(tower, square) == ROPE:
        steps.append(above(square))
    down = below(square)
    if rope_down and down and card_at(tower, down) == ROPE:
        steps.append(down)
    return tuple(steps)


@lru_cache(maxsize=4096)
def walks(tower: Tower, start: str, points: int, rope_down: bool, free_hop: bool) -> tuple[tuple[Path, int], ...]:
    """Every path of `points` movement points at most that does not end where it began, with its cheapest cost.

    free_hop: a path may begin with the hop, for nothing (switch hop_from_start).
    """
    found: dict[Path, int] = {}

    def go(path: Path, here: str, cost: int, may_hop: bool) -> None:
        if path and here != start:
            found[path] = min(cost, found.get(path, cost))
        if here == ROOF:
            return
        if may_hop and (far := other_passage(tower, here)):
            go((*path, far), far, cost, False)
        if cost < points:
            for step in walk_steps(tower, here, rope_down):
                go((*path, step), step, cost + 1, True)

    go((), start, 0, free_hop)
    return tuple(sorted(found.items()))


class NoStep(Exception):
    """No step leads to the square `path[index]`."""

    def __init__(self, index: int) -> None:
        super().__init__(index)
        self.index = index


def walk_cost(tower: Tower, start: str, path: Path, rules: HouseRules) -> int:
    """What a path costs in movement points, read at its cheapest; raises NoStep."""
    rope_down = rules.rope_down == "on"
    # whether a hop is open here -> the cheapest reading so far
    readings = {rules.hop_from_start == "free": 0}
    here = start
    for index, square in enumerate(path):
        following: dict[bool, int] = {}
        if here != ROOF:
            if True in readings and other_passage(tower, here) == square:
                following[False] = readings[True]
            if square in walk_steps(tower, here, rope_down):
                following[True] = min(readings.values()) + 1
        if not following:
            raise NoStep(index)
        readings, here = following, square
    return min(readings.values())


@lru_cache(maxsize=512)
def climbs(tower: Tower, start: str, down: bool) -> tuple[Path, ...]:
    """Every path of the Climb card (R39, A23): one level, then the hop where that enters a passage."""
    paths: list[Path] = []
    for step in (above(start), below(start) if down else None):
        if step:
            paths.append((step,))
            far = other_passage(tower, step) if step != ROOF else None
            if far and far != start:
                paths.append((step, far))
    return tuple(paths)


@lru_cache(maxsize=64)
def portal_rides(start: str, steps: int) -> tuple[Path, ...]:
    """Every path of the Portal card: up and down column c, never off it (R38, A26)."""
    paths: list[Path] = []

    def go(path: Path, here: str) -> None:
        if path and here != start:
            paths.append(path)
        if len(path) < steps:
            for step in (above(here), below(here)):
                if step and step != ROOF:
                    go((*path, step), step)

    if start[0] == "c":
        go((), start)
    return tuple(paths)


@lru_cache(maxsize=64)
def villain_steps(square: str, dungeons: bool) -> Path:
    """The squares that a villain reaches with one step (R43 to R46, A18); `dungeons`: may it enter them (A8)."""
    steps = list(SIDEWAYS[square])
    if square[0] == "c":
        steps += [s for s in (above(square), below(square)) if s and s != ROOF]
    return tuple(s for s in steps if dungeons or s not in DUNGEONS)


@lru_cache(maxsize=256)
def villain_paths(start: str, shortest: int, longest: int, dungeons: bool) -> tuple[Path, ...]:
    """Every path of a villain with that many steps; it may end where it began (A14)."""
    paths: list[Path] = []

    def go(path: Path, here: str) -> None:
        if len(path) >= shortest:
            paths.append(path)
        if len(path) < longest:
            for step in villain_steps(here, dungeons):
                go((*path, step), step)

    go((), start)
    return tuple(p for p in paths if p)
