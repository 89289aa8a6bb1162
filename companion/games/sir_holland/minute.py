"""The game in a minute: what somebody who has never played has to know before the first round. Data only.

Six pages, a sentence or two each, with an example of the guide that the rules judge in the tests; facts R6, R21 to R24,
R28 to R34, R40 to R42, R47 to R49, R66 to R76.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.base import Message, msg
from companion.games.sir_holland.guide import Example, Order, Position
from companion.games.sir_holland.state import CARDS, CHASE, REST, ROOF, Move, MoveVillain


@dataclass(frozen=True, slots=True)
class Page:
    """text: what is said; picture: a drawn example, or the numbers of action cards; away: of them, the played ones."""

    id: str
    text: Message
    picture: Example | tuple[int, ...]
    away: tuple[int, ...] = ()


PAGES = (
    Page(
        "goal",
        msg("Bring your two heroes up and out of the tower. Whoever saves the most wins."),
        Position({"red.1": "b5", "red.2": "c4", "blue.1": "d3", "blue.2": "b1"}, CHASE, Move("red", "red.1", (ROOF,))),
    ),
    Page("choose", msg("Every round, everyone picks one of seven cards. In secret!"), CARDS),
    Page(
        "order",
        msg("All cards open together. The lowest number goes first. Same number? The gryphon decides."),
        Order("red", {"red": 5, "blue": 3, "green": 6, "yellow": 3}),
    ),
    Page(
        "walk",
        msg("Your card says how many steps you have, and what else you can do. Ropes lead up."),
        Position({"red.1": "b3", "red.2": "d1", "blue.1": "e4"}, CHASE, Move("red", "red.1", ("a3", "a4"))),
    ),
    Page(
        "villains",
        msg("Some cards move the villains in black. They knock heroes off, and down they fall!"),
        Position({"wizard": "c4", "blue.1": "b4", "red.1": "d2", "knight": "e3"}, CHASE,
                 MoveVillain("red", "wizard", ("b4",))),
    ),
    Page(
        "rest",
        msg("A played card is gone until you play Rest. When everyone has rested twice, the last round begins."),
        CARDS,
        tuple(n for n in CARDS if n not in (CHASE, REST)),
    ),
)  # fmt: skip
