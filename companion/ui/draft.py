"""A game that has not begun: who sits where, who holds the gryphon, which tower. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

from companion.games.base import Fault, Json
from companion.games.sir_holland import setup
from companion.games.sir_holland.state import COLOURS, PORTAL, SQUARES, Tower
from companion.table.ports import Begin

EMPTY = "."
"""A place of the tower where no card lies yet."""
FIXED = {"b1": "D", "d1": "D", "a1": "R", "e1": "R", **{f"c{n}": PORTAL for n in range(1, 6)}}
"""Cards that every tower has in the same place (R10 to R12)."""


@dataclass
class Draft:
    """seats: colours, each next one to the left; names: what people typed; gryphon: a seat, or None to draw it."""

    seats: list[str] = field(default_factory=lambda: ["red", "blue"])
    names: dict[str, str] = field(default_factory=dict)
    gryphon: str | None = None
    known: list[str] = field(default_factory=list)
    tower: Tower = ()
    laid: int = 0
    copying: bool = False

    def remember(self, last: Mapping[str, str], unnamed: Callable[[str, str], bool]) -> None:
        """Seat people as at the last table. unnamed: whether a name is only the seat's colour."""
        last = {s: "" if unnamed(s, n) else n for s, n in last.items()}
        seats = [s for s in last if s in COLOURS]
        if 2 <= len(seats) <= 4:
            self.seats = seats
            self.names = {s: n for s, n in last.items() if n}
        for name in last.values():
            if name and name not in self.known:
                self.known.append(name)

    def free(self) -> list[str]:
        """Colours that nobody has."""
        return [s for s in COLOURS if s not in self.seats]

    def add(self, seat: str) -> None:
        """One more at the table, to the left of the last one."""
        if seat not in self.seats and len(self.seats) < 4:
            self.seats.append(seat)

    def remove(self, seat: str) -> None:
        """One less; two have to stay."""
        if len(self.seats) > 2:
            self.seats.remove(seat)
            self.names.pop(seat, None)
            if self.gryphon == seat:
                self.gryphon = None

    def recolour(self, seat: str, colour: str) -> None:
        """Another colour for a place; who has that colour gets this one."""
        name, other = self.names.pop(seat, ""), self.names.pop(colour, "")
        places = {seat: colour, colour: seat}
        self.seats = [places.get(s, s) for s in self.seats]
        if name:
            self.names[colour] = name
        if other:
            self.names[seat] = other
        if self.gryphon is not None:
            self.gryphon = places.get(self.gryphon, self.gryphon)

    def deal(self, rng: Random) -> None:
        """Another legal tower, nothing of it laid yet."""
        self.tower, self.laid, self.copying = setup.deal(rng), 0, False

    def copy(self) -> None:
        """An empty tower but for what lies fixed."""
        self.tower = tuple("".join(FIXED.get(f"{c}{n}", EMPTY) for c in "abcde") for n in (5, 4, 3, 2, 1))
        self.copying = True

    def put(self, square: str, card: str) -> None:
        """Lay a card on a place."""
        column, row = ord(square[0]) - 97, 5 - int(square[1])
        line = self.tower[row]
        changed = line[:column] + card + line[column + 1 :]
        self.tower = (*self.tower[:row], changed, *self.tower[row + 1 :])

    def left(self, card: str) -> int:
        """How many cards of a kind are still to lay."""
        return setup.COUNTS[card] - "".join(self.tower).count(card)

    def open_places(self) -> list[str]:
        """Places without a card, in reading order from the base up."""
        return [s for s in SQUARES if self.tower[5 - int(s[1])][ord(s[0]) - 97] == EMPTY]

    def faults(self) -> list[Fault]:
        """What is wrong with a tower that is full; nothing while places are open."""
        return [] if self.open_places() else setup.tower_faults(self.tower)

    def begin(self, default: Callable[[str], str]) -> Begin:
        """The request that starts the game. default: what to call a seat that nobody named; so the seats are known."""
        options: dict[str, Json] = {"tower": list(self.tower), "rules": {}}
        if self.gryphon:
            options["gryphon"] = self.gryphon
        names = {s: self.names.get(s) or default(s) for s in self.seats}
        return Begin("sir-holland", tuple(self.seats), names, options)
