"""What a choice will do to other figures, shown before it is confirmed. Pure: the rules themselves are asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.base import Json, Message
from companion.games.sir_holland import codec, explain, rules
from companion.games.sir_holland.state import Choice, FallWaits, HeroFell

Path = tuple[str, ...]
Line = tuple[Path, str]
"""A dotted line through squares, and the square that it ends on."""


@dataclass(frozen=True, slots=True)
class Foreseen:
    """Heroes that fall. lines: how, for `Tower.preview`; messages: in words."""

    heroes: tuple[str, ...]
    lines: tuple[Line, ...]
    messages: tuple[Message, ...]


def foresee(view: Mapping[str, Json], choice: Choice) -> Foreseen | None:
    """The falls that a legal choice leads to, or None where nobody falls."""
    state = codec.state_from_json({**view, "locked": []}, history=False)
    events = rules.decide(state, choice)
    falls = [e for e in events if isinstance(e, HeroFell | FallWaits)]
    if not falls:
        return None
    lines: list[Line] = []
    for event in falls:
        if isinstance(event, HeroFell):
            lines.append((way_down(event.start, event.to), event.to))
        else:
            at = _stands(view, choice, event.hero)
            lines += [(way_down(at, to), to) for to in event.to]
    after = state
    for made in events:
        after = rules.apply(after, made)
    fallen = tuple(dict.fromkeys(event.hero for event in falls))
    return Foreseen(fallen, tuple(lines), tuple(explain.tell(state, falls, after)))


def _stands(view: Mapping[str, Json], choice: Any, hero: str) -> str:
    """Where a hero is knocked off: where it stands, or where its own move has just led it."""
    return str(choice.path[-1] if getattr(choice, "hero", None) == hero else view["figures"][hero])


def way_down(start: str, to: str) -> Path:
    """The squares of a fall: straight down, and from the base beside into a dungeon."""
    floor = int(to[1]) if start[0] == to[0] else 1
    path = [f"{start[0]}{n}" for n in range(int(start[1]), floor - 1, -1)]
    return tuple(path) if path[-1] == to else (*path, to)
