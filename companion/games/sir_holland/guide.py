"""Ways into the rule book: what each entry is about, which ones to read together, and a small example to draw.

Data only. The examples are our own; tests/games/test_sir_holland_guide.py lets the rules judge every one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.games.base import Rule, Topic, msg
from companion.games.sir_holland.state import (
    CARDS,
    POINTS,
    ROOF,
    SPECIALS,
    Choice,
    Climb,
    Explode,
    Fall,
    Hide,
    HouseRules,
    Move,
    MoveVillain,
    Pending,
    State,
    Tower,
    Turn,
    UsePortal,
    owner,
)
from companion.games.sir_holland.titles import ASKED, TITLES

TOPICS = (
    Topic("hide", "card", msg("Hide"), "action_1_hide"),
    Topic("chase", "card", msg("Chase"), "action_2_chase"),
    Topic("explosion", "card", msg("Explosion"), "action_3_explosion"),
    Topic("capture", "card", msg("Capture"), "action_4_capture"),
    Topic("climb", "card", msg("Climb"), "action_5_climb"),
    Topic("ride", "card", msg("Portal"), "action_6_portal"),
    Topic("rest", "card", msg("Rest"), "action_7_rest"),
    Topic("portal", "place", msg("Portal"), "card_portal"),
    Topic("dungeon", "place", msg("Dungeon"), "card_dungeon"),
    Topic("rope", "place", msg("Rope"), "card_rope"),
    Topic("passage", "place", msg("Passage"), "card_passage"),
    Topic("room", "place", msg("Secret room"), "card_room"),
    Topic("wall", "place", msg("Wall"), "card_wall"),
    Topic("terrace", "place", msg("Terrace"), "card_roof"),
    Topic("setup", "situation", msg("Setting up"), "mark_fix"),
    Topic("tie", "situation", msg("Who is first"), "mark_left"),
    Topic("turn", "situation", msg("My turn"), "mark_steps"),
    Topic("hero", "situation", msg("Heroes"), "hero_red"),
    Topic("villain", "situation", msg("Villains"), "villain_wizard"),
    Topic("fall", "situation", msg("A fall"), "mark_undo"),
    Topic("gryphon", "situation", msg("The gryphon"), "gryphon"),
    Topic("end", "situation", msg("The end"), "mark_yes"),
)

_ABOUT = {
    "hide": "R29 R53 R54 R55 R56 R57 R58 R59 A13 A41 A42 A43 A44 A45 A60",
    "chase": "R29 R42 R47 R48 R49 A9 A18",
    "explosion": "R29 R60 R61 R62 R63 R64 R65 A19 A21 A31 A45 A46 A47a A47b A47c",
    "capture": "R29 R42 R47 R48 A4 A14 A15 A16 A17",
    "climb": "R29 R39 R40 A23 A24 A25 A39",
    "ride": "R29 R37 R38 R40 A26 A27",
    "rest": "R4 R25 R26 R29 R66 R67 R68 R69 R70 R71 R74 R75 A48 A49 A50 A53 A54a A62",
    "portal": "R10 R18 R37 R38 R39 R40 R44 R55 R61 R65 A7 A18 A26 A27 A35",
    "dungeon": "R11 R16 R17 R32 R50 R52 R61 R65 A2 A5 A6 A7 A8 A10 A35 A44 A61",
    "rope": "R12 R16 R30 R33 R34 R40 R45 R64 A22 A23 A47c",
    "passage": "R13 R30 R35 R46 A21 A28 A29 A30 A31 A47c",
    "room": "R14 R36 R53 A20 A32 A33 A34 A44 A47c",
    "wall": "R15 R41 A1",
    "terrace": "R34 R40 R76 A22 A40 A61",
    "setup": "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 R14 R15 R16 R17 R18 R19 R20 A1 A2 A63 A64 A65 A66 A68",
    "tie": "R7 R20 R21 R22 R23 R24 R58 R70 R71 A51 A65 A67",
    "turn": "R21 R22 R25 R27 R28 R29 R57 R73 A16 A24 A25 A37 A38 A39 A40 A62 A68 A69",
    "hero": "R2 R17 R28 R30 R31 R32 R33 R35 R36 R37 R41 R59 A10 A11 A13 A28 A29 A32 A33 A34 A35 A36 A38 A39 A40 A42",
    "villain": "R3 R18 R42 R43 R44 R45 R46 R47 R48 R51 R53 A4 A8 A9 A10 A11 A12 A14 A15 A16 A17 A18 A19 A63",
    "fall": "R47 R48 R49 R50 R51 R52 R53 A3 A4 A5 A6 A7 A9 A13 A17 A19 A20 A21",
    "gryphon": "R7 R20 R23 R24 R68 R70 R71 R78 R79 A50 A51 A54b A65",
    "end": "R40 R72 R73 R74 R75 R76 R77 R78 R79 A50 A51 A52 A53 A54a A54b A55 A56 A57 A58 A59 A61 A69",
}
"""Topic -> its entries."""

_TOGETHER = (
    "R1 A66", "R2 R6", "R3 A63", "R4 R67", "R5 A1", "R6 R19", "R7 R20", "R8 R5", "R9 A64", "R10 R37", "R11 R17 A2",
    "R12 R16", "R13 R35", "R14 R36", "R15 A1", "R9 R16", "R18 A63", "R20 A65", "R21 R22", "R21 A68", "R22 R23 R24",
    "R23 A67", "R24 A51", "R25 R66", "R26 A49", "R26 R69", "R27 A37 A62", "R28 A24 A40", "R29 R42", "R29 R27",
    "R30 A36", "R30 R33", "R31 R32 A33", "R31 A38 A39", "R32 A12", "R33 R34 A22", "R34 R40", "R35 A28 A29 A30",
    "R36 A32 A34", "R36 A20", "R37 R38", "R38 A26 A27", "R39 A23", "R39 A25", "R40 R72", "R41 R15", "R43 A8",
    "R44 R45 R46", "R44 A18", "R47 R48", "R47 A4 A9", "R49 A3", "R49 R50 R51", "R52 A5 A6", "A5 A7", "R53 A45",
    "R54 A60", "R55 A44", "R56 A41 A43", "R57 R28", "R57 A42", "R58 R22", "R59 R31", "R60 R61", "R61 A47b A47c",
    "R62 R63 A47a", "R63 A46", "R64 R12", "R65 R61", "R66 R68", "R68 R70", "R69 A48", "R70 R71", "R71 A51",
    "R72 A52 A54a", "R73 A69", "R74 A53", "R75 R74", "R76 R77 R78", "R77 A58 A59", "R78 R79", "R79 A54b", "A10 R51",
    "A10 A11", "A13 R47", "A14 A15 A16", "A17 R47", "A19 R51", "A21 R35", "A31 R35", "A35 R11", "A50 R68",
    "A55 A56 A57", "A57 R76", "A61 R77", "A48 A49", "R70 R23", "R71 R22", "R76 A58",
)  # fmt: skip
"""Entries that explain each other."""


# --- examples ---------------------------------------------------------------------------------------------------

TOWER: Tower = ("WRPWW", "WWPSR", "RWPHW", "WSPRW", "RDPDR")
"""The tower of all examples."""


@dataclass(frozen=True)
class Position:
    """Figures in the tower, and what somebody wants to do. `allowed`: whether that goes by the rules as we play them.

    card: in play, of the seat that chooses; lit: squares to look at; left: points and special that are left of the
    card; who is not named is away.
    """

    figures: Mapping[str, str] = field(default_factory=dict)
    card: int = 0
    choice: Choice | None = None
    allowed: bool = True
    lit: tuple[str, ...] = ()
    lying: tuple[str, ...] = ()
    left: tuple[int, int] | None = None
    used: tuple[str, ...] = ()
    pending: Pending | None = None
    tower: Tower = TOWER

    def state(self) -> State:
        """The position as a table: who is not named waits where nobody is in the way."""
        away = {f"{s}.{n}": ROOF for s in ("red", "blue") for n in (1, 2)} | {"wizard": "d1", "knight": "d1"}
        card = self.card or 1
        points, special = self.left or (POINTS[card], SPECIALS[card])
        acting = "red" if self.pending is None else owner(self.pending.hero)
        other = "blue" if acting == "red" else "red"
        seat = "red" if self.pending is None else other
        hands = {s: tuple(n for n in CARDS if s != seat or n != card) for s in ("red", "blue")}
        turn = Turn(seat, card, points, special, self.used, self.pending)
        return State(
            HouseRules(),
            ("red", "blue"),
            "red",
            self.tower,
            {**away, **self.figures},
            hands,
            {"red": 0, "blue": 0},
            phase="resolve",
            lying=frozenset(self.lying),
            cards={seat: card},
            queue=(seat,),
            turn=turn,
        )


@dataclass(frozen=True)
class Order:
    """Cards around a table: who goes first?"""

    gryphon: str
    cards: Mapping[str, int]

    @property
    def seats(self) -> tuple[str, ...]:
        """Each next one to the left."""
        return tuple(self.cards)


@dataclass(frozen=True)
class Final:
    """Where everybody's heroes are at the end, by level (6: out of the tower): who has won?"""

    gryphon: str
    heroes: Mapping[str, tuple[int, int]]
    out: tuple[str, ...] = ()

    @property
    def saved(self) -> dict[str, int]:
        """Heroes out of the tower."""
        return {s: at.count(6) for s, at in self.heroes.items()}

    @property
    def levels(self) -> dict[str, tuple[int, ...]]:
        """Of the heroes still inside."""
        return {s: tuple(n for n in at if n != 6) for s, at in self.heroes.items()}

    @property
    def ended_by(self) -> str:
        """By both heroes of a seat, or by the rests."""
        return "saved" if 2 in self.saved.values() else "rested"


Example = Position | Order | Final


def _walk(card: int, start: str, *path: str, allowed: bool = True, **figures: str) -> Position:
    """Red 1 walks. Figures: blue, red2, wizard, knight."""
    return Position(_named(figures, start), card, Move("red", "red.1", path), allowed)


def _villain(card: int, start: str, *path: str, allowed: bool = True, lying: bool = False, **figures: str) -> Position:
    """Red moves the wizard."""
    hidden = ("blue.1",) if lying else ()
    return Position(
        {"wizard": start, **_named(figures)}, card, MoveVillain("red", "wizard", path), allowed, lying=hidden
    )


def _named(figures: Mapping[str, str], start: str = "") -> dict[str, str]:
    names = {"blue": "blue.1", "blue2": "blue.2", "red1": "red.1", "red2": "red.2"}
    found = {names.get(name, name): at for name, at in figures.items()}
    return {"red.1": start, **found} if start else found


def _card(card: int, choice: Choice, allowed: bool = True, **figures: str) -> Position:
    return Position(_named(figures), card, choice, allowed)


def _blow(at: str, allowed: bool = True, **figures: str) -> Position:
    return Position(_named(figures), 3, Explode("red", at), allowed)


def _show(*lit: str, **figures: str) -> Position:
    return Position(_named(figures), lit=lit)


_LEVEL_1 = ("a1", "b1", "c1", "d1", "e1")
_WALLS = ("a2", "e2", "b3", "e3", "a4", "b4", "a5", "d5", "e5")

EXAMPLES: dict[str, Example] = {
    # setting up
    "R9": _show(),
    "R10": _show("c1", "c2", "c3", "c4", "c5"),
    "R11": _show("b1", "d1"),
    "R12": _show("a1", "e1", "d2", "a3", "e4", "b5"),
    "R13": _show("b2", "d4"),
    "R14": _show("d3"),
    "R15": _show(*_WALLS),
    "R16": _show(*_LEVEL_1),
    "R17": _show("b1", "d1", red1="b1", red2="d1"),
    "A2": _show("b1", "d1", red1="b1", red2="d1"),
    "R18": _show("c2", "c4", wizard="c2", knight="c4"),
    "A63": _show("c2", "c4", wizard="c2", knight="c4"),
    "A1": _show(*_WALLS),
    # the round
    "R22": Order("red", {"red": 5, "blue": 2, "green": 7, "yellow": 3}),
    "R23": Order("blue", {"red": 3, "blue": 3, "green": 6, "yellow": 3}),
    "R24": Order("green", {"red": 4, "blue": 4, "green": 6, "yellow": 5}),
    "A67": Order("yellow", {"red": 2, "blue": 2, "green": 2, "yellow": 2}),
    "R58": Order("red", {"red": 4, "blue": 1, "green": 2}),
    "R70": Order("red", {"red": 7, "blue": 7, "green": 1}),
    "R71": Order("red", {"red": 6, "blue": 7, "green": 4}),
    # heroes
    "R30": _walk(4, "a4", "b4"),
    "A36": _walk(4, "a4", "b5", allowed=False),
    "R31": _walk(2, "a4", "b4", "c4", blue="b4"),
    "R32": _walk(4, "a4", "b4", allowed=False, blue="b4"),
    "A38": _walk(2, "a4", "b4", allowed=False, red2="b4"),
    "R33": _walk(4, "a3", "a4"),
    "R34": _walk(4, "b5", ROOF),
    "R35": _walk(1, "a2", "b2", "d4"),
    "R36": _walk(1, "e3", "d3"),
    "R37": _walk(1, "b3", "c3"),
    "R38": _walk(2, "c3", "c4", allowed=False),
    "R39": _card(5, Climb("red", "red.1", ("e4",)), red1="e3"),
    "R40": _card(5, Climb("red", "red.1", (ROOF,)), red1="e5"),
    "R41": _walk(2, "c5", "d5", "e5"),
    "A22": _walk(2, "a4", "a3", allowed=False),
    "A23": _card(5, Climb("red", "red.1", ("e2",)), allowed=False, red1="e3"),
    "A24": Position({"red.1": "a5", "red.2": "e3"}, 5, Climb("red", "red.2", ("e4",)), left=(0, 1)),
    "A26": _card(6, UsePortal("red", "red.1", ("c3", "c2")), red1="c4"),
    "A27": Position({"red.1": "c3"}, 6, UsePortal("red", "red.1", ("c4", "c5")), left=(0, 2)),
    "A28": _walk(2, "a2", "b2", "d4", "e4", blue="d4"),
    "A29": _walk(2, "b2", "d4", allowed=False),
    "A30": _walk(2, "a2", "b2", "c2"),
    "A32": _walk(2, "e3", "d3", "c3"),
    "A33": Position({"red.1": "e3", "blue.1": "d3"}, 2, Move("red", "red.1", ("d3",)), False, lying=("blue.1",)),
    "A34": Position({"red.1": "d3"}, 2, Move("red", "red.1", ("e3",)), lying=("red.1",)),
    "A35": _walk(2, "b1", "c1", "d1"),
    "A37": Position({"red.1": "a4", "wizard": "c4"}, 4, Move("red", "red.1", ("b4",)), False, left=(0, 2)),
    "A39": _card(5, Climb("red", "red.1", ("e4",)), allowed=False, red1="e3", blue="e4"),
    "A40": Position({"red.1": ROOF, "red.2": "d5"}, 2, Move("red", "red.2", ("e5",)), left=(1, 1)),
    "A10": _walk(2, "a4", "b4", allowed=False, wizard="b4"),
    "A11": _walk(2, "a4", "b4", "c4", wizard="b4"),
    # villains and falls
    "R42": _villain(1, "c3", "b3", allowed=False),
    "R43": _villain(2, "c3", "d3"),
    "R44": _villain(2, "b3", "b4", allowed=False),
    "R45": _villain(2, "a3", "a4", allowed=False),
    "R46": _villain(2, "b2", "d4", allowed=False),
    "R47": _villain(2, "c3", "b3", blue="b3"),
    "R48": _villain(4, "c4", "b4", "a4", blue="b4"),
    "R49": _villain(2, "c4", "b4", blue="b4"),
    "R50": _villain(2, "b4", "a4", blue="a4", red2="a3"),
    "R51": _villain(2, "b4", "a4", blue="a4", knight="a3"),
    "R52": _villain(2, "c2", "b2", blue="b2", red2="b1"),
    "R53": _villain(2, "c3", "b3", lying=True, blue="b3"),
    "A3": _villain(2, "c4", "b4", blue="b4"),
    "A4": _villain(4, "c5", "c4", "b4", blue="b4"),
    "A5": _villain(2, "b1", "a1", blue="a1"),
    "A6": _villain(2, "b2", "a2", blue="a2", red1="a1"),
    "A7": Position({"wizard": "c1", "blue.1": "c1"}, 2, Fall("blue", "blue.1", "d1"), left=(0, 0),
                   pending=Pending("blue.1", ("b1", "d1"))),
    "A8": _villain(2, "c1", "b1", blue="b1"),
    "A9": _villain(2, "c3", "b3", red2="b3"),
    "A12": _villain(2, "c3", "c4", knight="c4"),
    "A13": _show("b3", wizard="b3", blue="b3"),
    "A14": _villain(4, "b3", "a3", "b3", blue="b3"),
    "A15": _villain(4, "c4", "b4", "a4", blue="b4", blue2="a4"),
    "A16": Position({"wizard": "b4", "knight": "c4"}, 4, MoveVillain("red", "wizard", ("a4",)), False, left=(0, 1),
                    used=("knight", "wizard")),
    "A18": _villain(2, "c4", "d4"),
    "A20": _villain(2, "e4", "d4", blue="d4"),
    "A21": _villain(2, "c3", "b3", blue="b3"),
    # hide and explosion
    "R54": _card(1, Hide("red", "red.1"), red1="b3"),
    "R55": _card(1, Hide("red", "red.1"), allowed=False, red1="c3"),
    "R57": Position({"red.1": "b4", "red.2": "e3"}, 1, Hide("red", "red.2"), left=(0, 1)),
    "R59": Position({"red.1": "a4", "blue.1": "b4"}, 2, Move("red", "red.1", ("b4",)), False, lying=("blue.1",)),
    "A42": Position({"red.1": "b3"}, 1, Move("red", "red.1", ("a3",)), False, lying=("red.1",), left=(1, 0),
                    used=("red.1",)),
    "A44": _card(1, Hide("red", "red.1"), red1="b1"),
    "A45": _villain(2, "c3", "b3", lying=True, blue="b3"),
    "R60": _blow("e2", red1="a5"),
    "R61": _blow("b4", allowed=False, blue="b4"),
    "R62": _blow("a2"),
    "R63": _blow("b3"),
    "R64": _blow("e4"),
    "R65": _blow("c3", allowed=False),
    "A19": _blow("a2", blue="a4", wizard="a3"),
    "A31": _blow("b2"),
    "A46": _blow("a2", blue="a4"),
    "A47a": _blow("b4"),
    "A47b": _blow("a1"),
    "A47c": _blow("d3"),
    # end and winner
    "R72": _card(5, Climb("red", "red.1", (ROOF,)), red1="a5"),
    "R76": Final("blue", {"red": (6, 5), "blue": (5, 5), "green": (4, 3)}),
    "R77": Final("green", {"red": (6, 3), "blue": (6, 4), "green": (5, 5)}),
    "R78": Final("green", {"red": (6, 4), "blue": (6, 4), "green": (5, 3)}),
    "R79": Final("blue", {"red": (6, 6), "blue": (6, 6), "green": (5, 5)}),
    "A54b": Final("blue", {"red": (6, 6), "blue": (6, 6), "green": (6, 2)}, out=("red", "blue")),
    "A57": Final("blue", {"red": (6, 1), "blue": (4, 4)}),
    "A58": Final("green", {"red": (6, 1), "blue": (5, 5)}),
    "A59": Final("green", {"red": (5, 2), "blue": (5, 4), "green": (4, 4)}),
    "A61": Final("red", {"red": (6, 1), "blue": (6, 2)}),
}  # fmt: skip
"""Entry -> a picture that says more than its words."""


def furnish(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """The entries with titles, topics, related entries (the most asked first) and examples."""
    topics: dict[str, list[str]] = {r.id: [] for r in rules}
    related: dict[str, set[str]] = {r.id: set() for r in rules}
    for topic, ids in _ABOUT.items():
        for id in ids.split():
            topics[id].append(topic)
    for together in _TOGETHER:
        for id in together.split():
            related[id].update(other for other in together.split() if other != id)
    rank = {asked: n for n, asked in enumerate(ASKED)}
    order = sorted((r.id for r in rules), key=lambda entry: rank.get(entry, len(rank)))
    return tuple(
        replace(
            r,
            title=TITLES[r.id],
            topics=tuple(topics[r.id]),
            related=tuple(other for other in order if other in related[r.id]),
            example=EXAMPLES.get(r.id),
        )
        for r in rules
    )
