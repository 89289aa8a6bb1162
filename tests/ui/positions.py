"""Positions that show what a screen has to cope with."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

NAMES = {"red": "Ana", "blue": "Bruno", "green": "Clara", "yellow": "Davi"}
ROWS = ["RWPWW", "WSPRW", "WWPRH", "RSPWW", "RDPDR"]

_TURN: dict[str, Any] = {
    "game": "sir-holland", "rules": {}, "seats": ["red", "blue", "green", "yellow"], "gryphon": "green", "round": 4,
    "phase": "resolve", "tower": ROWS,
    "figures": {"red.1": "a2", "red.2": "d1", "blue.1": "d3", "blue.2": "c5", "green.1": "e2", "green.2": "e3",
                "yellow.1": "roof", "yellow.2": "b1", "wizard": "c2", "knight": "d4"},
    "lying": ["green.1", "green.2"],
    "hands": {"red": [1, 3, 5, 6, 7], "blue": [1, 3, 4, 6, 7], "green": [2, 5, 6, 7], "yellow": [1, 2, 3, 7]},
    "rests": {"red": 0, "blue": 1, "green": 1, "yellow": 2}, "locked": [],
    "cards": {"green": 1, "red": 2, "blue": 2, "yellow": 6}, "queue": ["red", "blue", "yellow"],
    "turn": {"seat": "red", "card": 2, "points": 2, "special": 1, "used": [], "pending": None},
    "out": [], "final": False, "result": None,
}  # fmt: skip


def turn(card: int = 2, points: int = 2, special: int = 1, **changes: Any) -> dict[str, Any]:
    """Red's turn in the position of the design's pictures, with another card in play where asked for."""
    state = deepcopy(_TURN)
    state["cards"]["red"] = card
    state["turn"].update(card=card, points=points, special=special)
    state["hands"]["red"] = [n for n in (1, 2, 3, 5, 6, 7) if n != card]
    state.update(changes)
    return state


def choosing(**changes: Any) -> dict[str, Any]:
    """The same table, choosing."""
    state = deepcopy(_TURN)
    state.update(phase="choose", cards={}, queue=[], turn=None)
    state["hands"] = {"red": [1, 2, 3, 6, 7], "blue": [2, 3, 4, 5, 7], "green": [1, 4, 5, 6, 7], "yellow": [3, 6, 7]}
    state.update(changes)
    return state


def falling() -> dict[str, Any]:
    """Blue 1 was knocked off c2 and finds no free square below: its owner picks."""
    state = turn(card=4, points=0, special=0)
    state["figures"] |= {"blue.1": "c2", "wizard": "c2", "knight": "c1"}
    state["turn"] |= {"used": ["wizard"], "special": 2, "pending": {"hero": "blue.1", "to": ["b1", "d1"]}}
    return state


def crowded() -> dict[str, Any]:
    """The first round: everybody sits in the dungeons."""
    state = turn(card=4, points=1, special=3)
    for seat in state["seats"]:
        state["figures"] |= {f"{seat}.1": "b1", f"{seat}.2": "d1"}
    state["figures"] |= {"wizard": "c2", "knight": "b1"}
    state.update(round=1, lying=[])
    return state


def packed() -> dict[str, Any]:
    """As many in one dungeon as there can be, one of them hidden."""
    state = crowded()
    state["figures"] |= dict.fromkeys(state["figures"], "b1")
    state.update(round=4, lying=["green.1"])
    return state


def pair() -> dict[str, Any]:
    """A hero and a villain on one square, and both may move."""
    state = turn(card=4, points=1, special=3)
    state["figures"] |= {"red.1": "b1", "yellow.2": "d1", "knight": "b1"}
    return state


def last_turn(**changes: Any) -> dict[str, Any]:
    """Yellow's last turn in the round; ending it ends the round."""
    state = turn()
    state["queue"] = ["yellow"]
    state["cards"] = {"green": 1, "red": 2, "blue": 2, "yellow": 7}
    state["hands"]["yellow"] = [1, 2, 3]
    state["turn"] = {"seat": "yellow", "card": 7, "points": 0, "special": 0, "used": [], "pending": None}
    state["rests"] |= {"yellow": 1}
    state.update(changes)
    return state


def winning() -> dict[str, Any]:
    """Red and blue have both heroes out; ending the turn decides by the gryphon."""
    state = last_turn(round=11)
    state["figures"] |= {"red.1": "roof", "red.2": "roof", "blue.1": "roof", "blue.2": "roof"}
    state["out"] = ["red", "blue"]
    return state
