"""What somebody may do instead of what is refused: legal choices, those nearest to the wish first."""

from __future__ import annotations

from companion.games.sir_holland import rules
from companion.games.sir_holland.state import Choice, MoveVillain, State, level


def figure_of(choice: Choice) -> str:
    """The figure that a choice is about, if any."""
    return choice.villain if isinstance(choice, MoveVillain) else getattr(choice, "hero", "")


def target_of(choice: Choice) -> str:
    """The square at which a choice ends, if any."""
    path: tuple[str, ...] = getattr(choice, "path", ())
    return path[-1] if path else getattr(choice, "at", getattr(choice, "to", ""))


def nearest(state: State, choice: Choice) -> tuple[Choice, ...]:
    """The same figure somewhere else; else the same kind of choice; else anything. One way to each square."""
    legal = rules.choices(state, choice.seat) or rules.choices(state)
    figure, target = figure_of(choice), target_of(choice)
    like = [c for c in legal if figure and target and figure_of(c) == figure and target_of(c)]
    like = like or [c for c in legal if type(c) is type(choice)] or legal
    like.sort(key=lambda c: (_distance(target, target_of(c)), len(getattr(c, "path", ())), target_of(c)))
    found: dict[object, Choice] = {}
    for other in like:
        place = target_of(other)
        found.setdefault((figure_of(other), place) if place else other, other)
    return tuple(found.values())


def _distance(a: str, b: str) -> int:
    """Squares between two places, as the eye goes; the terrace lies above every column."""
    if not a or not b:
        return 99
    across = 0 if len(a) > 2 or len(b) > 2 else abs(ord(a[0]) - ord(b[0]))
    return across + abs(level(a) - level(b))
