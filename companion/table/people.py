"""Who plays at this table: the one list of people, and who has won against whom. Pure.

A person is a name at this table. The list is kept as the setting `people`; what else is kept of somebody (later:
lessons) stands with the name, so that forgetting the name forgets all of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from companion.games.base import Json
from companion.table import names
from companion.table.ports import Outline

MOST = 60
"""People that are kept; who has not played for longest is the first to go."""


@dataclass(frozen=True, slots=True)
class Person:
    """seat: where the person sat last; since: the first game that is counted, so that what was before a forgetting is

    not known again.
    """

    name: str
    seat: str = ""
    since: int = 1


def from_json(value: Json) -> tuple[Person, ...]:
    """The people of the setting, who played last first; nobody where it is none."""
    if not isinstance(value, list):
        return ()
    found = {person.name: person for item in value if (person := _person(item)) is not None}
    return tuple(found.values())[:MOST]


def to_json(people: Sequence[Person]) -> list[Json]:
    """The setting."""
    return [asdict(person) for person in people[:MOST]]


def are_people(value: Json) -> bool:
    """Whether the setting can be so."""
    return isinstance(value, list) and all(_person(item) is not None for item in value)


def _person(item: Any) -> Person | None:
    match item:
        case {"name": str(name), "seat": str(seat), "since": int(since)} if len(item) == 3:
            return Person(name, seat, since) if name and names.tidy(name) == name else None
        case _:
            return None


def seated(people: Sequence[Person], sitting: Mapping[str, str], number: int) -> tuple[Person, ...]:
    """The list after people sat down. sitting: seat -> name, or empty; number: of the game that begins."""
    known = {person.name: person for person in people}
    here: dict[str, Person] = {}
    for seat, name in sitting.items():
        # a name at two seats is one person still: what was kept of it is not begun anew
        if name and name not in here:
            here[name] = replace(known.pop(name, Person(name, since=number)), seat=seat)
    return (*here.values(), *known.values())[:MOST]


def without(people: Sequence[Person], name: str) -> tuple[Person, ...]:
    """The list without somebody."""
    return tuple(person for person in people if person.name != name)


def wins(people: Sequence[Person], games: Iterable[Outline]) -> Counter[tuple[str, str]]:
    """(winner, other) -> games that one of them won with the other at the table. Only who has a name is counted."""
    since = {person.name: person.since for person in people}
    found: Counter[tuple[str, str]] = Counter()
    for game in games:
        sitting = {seat: name for seat, name in game.names.items() if game.number >= since.get(name, game.number + 1)}
        winner = sitting.get(game.winner or "")
        if winner is not None:
            found.update((winner, other) for other in set(sitting.values()) if other != winner)
    return found
