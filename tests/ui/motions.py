"""One act for each kind of motion, played by the real rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games import find_game
from companion.games.sir_holland import codec
from companion.games.sir_holland.state import Climb, Explode, Hide, Move, MoveVillain, UsePortal
from tests.ui import positions


def _state(card: int, points: int, special: int, lying: list[str] | None = None, **figures: str) -> dict[str, Any]:
    state = positions.turn(card, points, special)
    state["figures"] |= {name.replace("_", "."): square for name, square in figures.items()}
    if lying is not None:
        state["lying"] = lying
    return state


MOTIONS: dict[str, tuple[dict[str, Any], Any]] = {
    "walk": (_state(2, 2, 1), Move("red", "red.1", ("a3", "b3"))),
    "passage": (_state(2, 2, 1), Move("red", "red.1", ("b2", "b4"))),
    "climb": (_state(5, 1, 1), Climb("red", "red.1", ("a3",))),
    "portal": (_state(6, 1, 2, red_1="c3", blue_2="e5"), UsePortal("red", "red.1", ("c4", "c5"))),
    "villain": (_state(4, 1, 3), MoveVillain("red", "wizard", ("c3", "c4"))),
    "knock_off": (_state(4, 1, 3, blue_1="a3", red_1="b1", wizard="b3"), MoveVillain("red", "wizard", ("a3",))),
    "explosion": (_state(3, 2, 1), Explode("red", "d2")),
    "hide": (_state(1, 1, 1), Hide("red", "red.1")),
    "saved": (_state(5, 1, 1, red_1="a5"), Move("red", "red.1", ("roof",))),
}  # fmt: skip
"""Name -> the position, and the choice that moves something."""


def act(name: str) -> tuple[Mapping[str, Any], list[Mapping[str, Any]], Mapping[str, Any]]:
    """The public state before, the public events, and the public state after."""
    game = find_game("sir-holland")
    assert game is not None
    state, choice = MOTIONS[name]
    before = codec.state_from_json(state, history=False)
    after, events = before, game.decide(before, choice)
    for event in events:
        after = game.apply(after, event)
    return game.view(before), [dict(game.event_to_json(e)) for e in events], game.view(after)
