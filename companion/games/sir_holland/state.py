"""Sir Holland as values: the state of a table, what players choose, what happened. Data only, no rules.

Squares are "a1".."e5" (column, level) and "roof", the terrace. A tower is five strings, top level first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import ClassVar, NamedTuple

COLOURS = ("red", "blue", "green", "yellow")
VILLAINS = ("wizard", "knight")
COLUMNS = "abcde"
SQUARES = tuple(column + level for level in "12345" for column in COLUMNS)
ROOF = "roof"
PORTAL, DUNGEON, ROPE, PASSAGE, ROOM, WALL = "PDRSHW"
DUNGEONS = ("b1", "d1")
CARDS = (1, 2, 3, 4, 5, 6, 7)
HIDE, CHASE, EXPLOSION, CAPTURE, CLIMB, PORTALS, REST = CARDS
POINTS = {HIDE: 1, CHASE: 2, EXPLOSION: 2, CAPTURE: 1, CLIMB: 1, PORTALS: 1, REST: 0}
"""Movement points of each card (R29)."""
SPECIALS = {HIDE: 1, CHASE: 1, EXPLOSION: 1, CAPTURE: 3, CLIMB: 1, PORTALS: 2, REST: 0}
"""How often, or for how many steps, the other half of each card may be used (R29)."""

Tower = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The eighteen switches; each field's default is the printed rule or our reading of it."""

    fall_distance: int = 1
    base_fall: str = "dungeon"
    villain_in_dungeon: str = "harmless"
    hero_on_villain: str = "no_stop"
    pass_villain: str = "yes"
    villains_share: str = "yes"
    rope_down: str = "off"
    climb_down: str = "off"
    climb_same_hero: str = "off"
    hop_from_start: str = "no"
    interleave: str = "off"
    hide_ends: str = "round_start"
    explosion_figures: str = "ride"
    third_rest: str = "allowed"
    extra_round: str = "yes"
    double_save: str = "gryphon"
    rest_end_order: str = "saved_first"
    level_compare: str = "best_then_second"

    def changed(self) -> dict[str, str | int]:
        """The switches that differ from their default."""
        return {f.name: value for f in fields(self) if (value := getattr(self, f.name)) != f.default}


@dataclass(frozen=True, slots=True)
class Pending:
    """A fall from column c that waits for its owner's pick (A7)."""

    hero: str
    to: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """The acting seat's budget. `used`: the figures that the card is done with (see the referee protocol)."""

    seat: str
    card: int
    points: int
    special: int
    used: tuple[str, ...] = ()
    pending: Pending | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who won and why. `levels`: of the heroes still inside, best first."""

    ended_by: str
    winner: str
    decided_by: str
    saved: Mapping[str, int]
    levels: Mapping[str, tuple[int, ...]]


class State(NamedTuple):
    """A table of Sir Holland. Mappings are never changed in place. `locks` is secret until the reveal.

    A named tuple, because a game makes thousands of them and a frozen dataclass takes ten times as long to copy.
    """

    rules: HouseRules
    seats: tuple[str, ...]
    gryphon: str
    tower: Tower
    figures: Mapping[str, str]
    hands: Mapping[str, tuple[int, ...]]
    rests: Mapping[str, int]
    round: int = 1
    phase: str = "choose"
    lying: frozenset[str] = frozenset()
    locks: Mapping[str, int] = MappingProxyType({})
    cards: Mapping[str, int] = MappingProxyType({})
    queue: tuple[str, ...] = ()
    turn: Turn | None = None
    out: tuple[str, ...] = ()
    final: bool = False
    result: Outcome | None = None


# Choices. `do` is the word of the protocol; the fields are its keys.


@dataclass(frozen=True, slots=True)
class Lock:
    do: ClassVar = "lock"
    seat: str
    card: int


@dataclass(frozen=True, slots=True)
class Unlock:
    do: ClassVar = "unlock"
    seat: str


@dataclass(frozen=True, slots=True)
class Move:
    do: ClassVar = "move"
    seat: str
    hero: str
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hide:
    do: ClassVar = "hide"
    seat: str
    hero: str


@dataclass(frozen=True, slots=True)
class MoveVillain:
    do: ClassVar = "villain"
    seat: str
    villain: str
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Explode:
    do: ClassVar = "explode"
    seat: str
    at: str


@dataclass(frozen=True, slots=True)
class Climb:
    do: ClassVar = "climb"
    seat: str
    hero: str
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UsePortal:
    do: ClassVar = "portal"
    seat: str
    hero: str
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rest:
    do: ClassVar = "rest"
    seat: str


@dataclass(frozen=True, slots=True)
class Fall:
    do: ClassVar = "fall"
    seat: str
    hero: str
    to: str


@dataclass(frozen=True, slots=True)
class End:
    do: ClassVar = "end"
    seat: str


Choice = Lock | Unlock | Move | Hide | MoveVillain | Explode | Climb | UsePortal | Rest | Fall | End
CHOICES: tuple[type[Choice], ...] = (
    Lock,
    Unlock,
    Move,
    Hide,
    MoveVillain,
    Explode,
    Climb,
    UsePortal,
    Rest,
    Fall,
    End,
)


# Events. `what` is their word in the journal and in the answers of the referee.


@dataclass(frozen=True, slots=True)
class Opened:
    """The first event: the whole position from which the game starts."""

    what: ClassVar = "opened"
    state: State


@dataclass(frozen=True, slots=True)
class Locked:
    what: ClassVar = "locked"
    seat: str
    card: int


@dataclass(frozen=True, slots=True)
class Unlocked:
    what: ClassVar = "unlocked"
    seat: str


@dataclass(frozen=True, slots=True)
class Revealed:
    """All cards face up; `queue` is the order in which the seats act (R22 to R24)."""

    what: ClassVar = "revealed"
    cards: Mapping[str, int]
    queue: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TurnBegan:
    what: ClassVar = "turn_began"
    seat: str
    card: int
    stands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HeroMoved:
    """A hero followed `path`; `cost` was paid from `half` ("points" or "special")."""

    what: ClassVar = "moved"
    hero: str
    start: str
    path: tuple[str, ...]
    half: str
    cost: int


@dataclass(frozen=True, slots=True)
class HeroSaved:
    what: ClassVar = "saved"
    hero: str
    second: bool


@dataclass(frozen=True, slots=True)
class HeroHidden:
    what: ClassVar = "hidden"
    hero: str


@dataclass(frozen=True, slots=True)
class VillainMoved:
    what: ClassVar = "villain_moved"
    villain: str
    start: str
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HeroFell:
    what: ClassVar = "fell"
    hero: str
    start: str
    to: str


@dataclass(frozen=True, slots=True)
class FallWaits:
    """A hero was knocked off column c and finds no free square: its owner picks one of `to` (A7)."""

    what: ClassVar = "fall_waits"
    hero: str
    to: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Exploded:
    what: ClassVar = "exploded"
    at: str


@dataclass(frozen=True, slots=True)
class Rested:
    what: ClassVar = "rested"
    seat: str
    count: int


@dataclass(frozen=True, slots=True)
class TurnEnded:
    what: ClassVar = "turn_ended"
    seat: str


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """The next round; `stands`: heroes that stand up; `final`: it was announced as the last one."""

    what: ClassVar = "round_began"
    round: int
    stands: tuple[str, ...]
    final: bool


@dataclass(frozen=True, slots=True)
class GameOver:
    what: ClassVar = "game_over"
    result: Outcome


Event = (
    Opened
    | Locked
    | Unlocked
    | Revealed
    | TurnBegan
    | HeroMoved
    | HeroSaved
    | HeroHidden
    | VillainMoved
    | HeroFell
    | FallWaits
    | Exploded
    | Rested
    | TurnEnded
    | RoundBegan
    | GameOver
)
EVENTS: tuple[type[Event], ...] = (
    Opened,
    Locked,
    Unlocked,
    Revealed,
    TurnBegan,
    HeroMoved,
    HeroSaved,
    HeroHidden,
    VillainMoved,
    HeroFell,
    FallWaits,
    Exploded,
    Rested,
    TurnEnded,
    RoundBegan,
    GameOver,
)


def heroes(seat: str) -> tuple[str, str]:
    """The two heroes of a seat (R2)."""
    return f"{seat}.1", f"{seat}.2"


def owner(hero: str) -> str:
    """The seat of a hero."""
    return hero.partition(".")[0]


def card_at(tower: Tower, square: str) -> str:
    """The letter of the tower card on a square of the tower."""
    return tower[5 - int(square[1])][ord(square[0]) - 97]


def level(square: str) -> int:
    """1..5; the terrace counts as 6."""
    return 6 if square == ROOF else int(square[1])
