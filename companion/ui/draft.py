"""A game that has not begun: who sits where, who holds the gryphon, which tower. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

from companion.games.base import Fault, Json, msg
from companion.games.sir_holland import setup
from companion.games.sir_holland.state import COLOURS, PASSAGE, PORTAL, ROPE, SQUARES, WALL, Tower
from companion.table.names import LONGEST
from companion.table.people import from_json
from companion.table.ports import Begin

EMPTY = "."
"""A place of the tower where no card lies yet."""
FIXED = {"b1": "D", "d1": "D", "a1": "R", "e1": "R", **{f"c{n}": PORTAL for n in range(1, 6)}}
"""Cards that every tower has in the same place (R10 to R12)."""


@dataclass
class Draft:
    """seats: colours, each next one to the left; names: what people typed; gryphon: a seat, or None to draw it.

    known: people of this table, marks: where each sat last. dealt: the dealt tower with its laid levels, and copied:
    the one of the table, while the other of the two is shown. seated: these people play again, whoever sat at the last
    table that the house remembers.
    """

    seats: list[str] = field(default_factory=lambda: ["red", "blue"])
    names: dict[str, str] = field(default_factory=dict)
    gryphon: str | None = None
    known: list[str] = field(default_factory=list)
    marks: dict[str, str] = field(default_factory=dict)
    tower: Tower = ()
    laid: int = 0
    copying: bool = False
    dealt: tuple[Tower, int] | None = None
    copied: Tower = ()
    seated: bool = False

    def again(self, people: Mapping[str, str], unnamed: Callable[[str, str], bool]) -> None:
        """The same people in the same places; who holds the gryphon is drawn anew. people: as `last` of `remember`."""
        self.seated = False
        self.remember(people, unnamed)
        self.seated, self.gryphon = True, None

    def remember(self, last: Mapping[str, str], unnamed: Callable[[str, str], bool]) -> None:
        """Seat people as at the last table. unnamed: whether a name is only the seat's colour."""
        last = {s: "" if unnamed(s, n) else n for s, n in last.items()}
        seats = [s for s in last if s in COLOURS]
        if 2 <= len(seats) <= 4 and not self.seated:
            self.seats = seats
            self.names = {s: n for s, n in last.items() if n}
        for name in last.values():
            if name and name not in self.known:
                self.known.append(name)

    def know(self, people: Json, unnamed: Callable[[str, str], bool]) -> None:
        """Take over who plays at this table, who played last first."""
        found = [p for p in from_json(people) if not unnamed(p.seat, p.name)]
        if people is not None:
            # who has just been named for the game that is set up has not played yet
            names = dict.fromkeys([*self.names.values(), *(p.name for p in found)])
            self.known = list(names)
        self.marks = {p.name: p.seat for p in found}

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

    def swap(self, seat: str, other: str) -> None:
        """Two people change places."""
        places = {seat: other, other: seat}
        self.seats = [places.get(s, s) for s in self.seats]

    def deal(self, rng: Random) -> None:
        """Another legal tower, nothing of it laid yet."""
        self.tower, self.laid, self.copying, self.dealt = setup.deal(rng), 0, False, None

    def copy(self) -> None:
        """The tower of the table: as far as it was copied, else only what lies fixed. The dealt one is kept."""
        if self.tower != self.copied:
            self.dealt = self.tower, self.laid
        self.copying = True
        if self.copied:
            self.tower = self.copied
        else:
            self.clear()

    def clear(self) -> None:
        """Nothing but what lies fixed."""
        self.tower = tuple("".join(FIXED.get(f"{c}{n}", EMPTY) for c in "abcde") for n in (5, 4, 3, 2, 1))

    def back_to_dealt(self) -> None:
        """The dealt tower, laid as far as it was. What was copied is kept."""
        assert self.dealt is not None
        self.copied = self.tower
        self.tower, self.laid = self.dealt
        self.copying = False

    def take_copied(self) -> None:
        """The copied tower lies, whole."""
        self.copied, self.copying, self.laid = self.tower, False, 5

    def card_at(self, square: str) -> str:
        """What lies on a place."""
        return self.tower[5 - int(square[1])][ord(square[0]) - 97]

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
        """Every set-up rule that is broken, by place; while places are open, those that no card can mend any more."""
        faults = setup.tower_faults(self.tower)
        if not self.open_places():
            return faults
        broken = [f for f in faults if f.at == "tower" and self.left(str(f.message.params["terrain"])) < 0]
        broken += [f for f in faults if len(f.at) == 2 and self.card_at(f.at) != EMPTY]
        for n in (2, 3, 4, 5):
            line = self.tower[5 - n]
            wanted = (ROPE not in line) + (n in (2, 4) and PASSAGE not in line)
            full = line.count(EMPTY) < wanted
            of_level = [f for f in faults if f.at == f"level {n}"]
            broken += [f for f in of_level if full or (f.rule == "R13" and PASSAGE in line)]
            if line.count(ROPE) > 1:
                text = msg("Level {n} has two ropes. Then another level gets none.", n=n)
                broken.append(Fault(f"level {n}", "R12", text))
        return broken

    def places(self, fault: Fault) -> list[str]:
        """Where to look for a fault: the cards that are too many or in the wrong place, or the whole level."""
        if fault.at == "tower":
            kind = str(fault.message.params["terrain"])
            ringed = self.left(kind) < 0 and kind != WALL  # a ring around every wall would say nothing
            return [s for s in SQUARES if self.card_at(s) == kind and s not in FIXED] if ringed else []
        if not fault.at.startswith("level "):
            return [fault.at]
        level = [f"{column}{fault.at[6:]}" for column in "abde"]
        wrong = PASSAGE if fault.rule == "R13" else ROPE
        return [s for s in level if self.card_at(s) == wrong] or level

    def begin(self, default: Callable[[str], str], rules: Mapping[str, Json] | None = None) -> Begin:
        """The request that starts the game.

        default: what to call a seat that nobody named, so that the seats are known; rules: the house rules.
        """
        options: dict[str, Json] = {"tower": list(self.tower), "rules": dict(rules or {})}
        if self.gryphon:
            options["gryphon"] = self.gryphon
        return Begin("sir-holland", tuple(self.seats), self._told_apart(default), options)

    def _told_apart(self, default: Callable[[str], str]) -> dict[str, str]:
        """What each seat is called: a second Ana is "Ana 2", as the voice shows no colour."""
        names: dict[str, str] = {}
        for seat in self.seats:
            name = wanted = self.names.get(seat) or default(seat)
            number = 1
            while name.casefold() in {n.casefold() for n in names.values()}:
                number += 1
                name = f"{wanted[: LONGEST - len(f' {number}')]} {number}"
            names[seat] = name
        return names

    def begun(self) -> None:
        """The game of that tower has begun; the next one gets another tower."""
        self.tower, self.laid, self.dealt, self.copied, self.seated = (), 0, None, (), False
