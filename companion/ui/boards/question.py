"""A position to ask the judge about: taken over from a table or dealt, with the turn that people want. Pure.

A position is the public state as the referee prints it. How it could have come about does not matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from companion.games.base import BadForm, BadSetup, Json, Message
from companion.games.sir_holland import codec, setup
from companion.games.sir_holland.state import (
    CAPTURE,
    CHASE,
    DUNGEONS,
    HIDE,
    POINTS,
    REST,
    SPECIALS,
    VILLAINS,
    State,
    heroes,
)

Position = dict[str, Any]


def dealt(seats: Sequence[str], rules: Mapping[str, Json], rng: Random) -> Position:
    """A new tower, everybody where they start, and the first seat's turn."""
    state = setup.new(seats, rng, codec.rules_from_json(dict(rules)))
    return with_turn(codec.state_to_json(state), seats[0], CHASE)


def taken_over(view: Mapping[str, Json]) -> Position:
    """The table as everyone can see it. Where nobody acts, its first seat does, with a card that everyone has."""
    position = {key: value for key, value in view.items() if key != "own"} | {"locked": [], "result": None}
    if position["turn"] is not None:
        return position
    return with_turn(position, position["seats"][0], CHASE)


def with_turn(position: Position, seat: str, card: int) -> Position:
    """That seat acts with that card, of which nothing is used. The card that was in play goes back to its hand."""
    hands = {s: list(hand) for s, hand in position["hands"].items()}
    before = position["turn"]
    if before and before["card"] not in hands[before["seat"]]:
        hands[before["seat"]] = sorted([*hands[before["seat"]], before["card"]])
    hands[seat] = [n for n in hands[seat] if n != card]
    turn = {
        "seat": seat, "card": card, "points": POINTS[card], "special": SPECIALS[card], "used": [], "pending": None,
    }  # fmt: skip
    return position | {
        "phase": "resolve", "hands": hands, "cards": {seat: card}, "queue": [seat], "turn": turn, "locked": [],
        "result": None,
    }  # fmt: skip


def with_left(position: Position, **left: Any) -> Position:
    """With so much left of the card: `points`, `special`, `used`. What has not been used cannot be done already."""
    turn = {**position["turn"], **left}
    card = turn["card"]
    if card not in (HIDE, CAPTURE) or turn["special"] == SPECIALS[card]:
        turn["used"] = []
    elif card == CAPTURE:
        turn["used"] = turn["used"][: SPECIALS[card] - turn["special"]]
    return position | {"turn": turn}


def may_be_done(position: Position) -> list[str]:
    """The figures that the card in play can be done with: it says so itself only of Hide and Capture."""
    turn = position["turn"]
    if turn["special"] == SPECIALS[turn["card"]]:
        return []
    return list(heroes(turn["seat"])) if turn["card"] == HIDE else list(VILLAINS) if turn["card"] == CAPTURE else []


def moved(position: Position, figure: str, square: str) -> Position:
    """With a figure somewhere else; a fall that waited is over."""
    turn = {**position["turn"], "pending": None}
    return position | {"figures": {**position["figures"], figure: square}, "turn": turn}


def can_fall(position: Position, figure: str) -> bool:
    """Whether a hero can be falling where it stands, so that its owner picks a dungeon (A7)."""
    at, card = position["figures"][figure], position["turn"]["card"]
    return (
        figure not in VILLAINS
        and at[0] == "c"
        and card != REST
        and any(position["figures"][v] == at for v in VILLAINS)
        and position["rules"].get("base_fall", "dungeon") == "dungeon"
    )


def falling(position: Position, figure: str | None) -> Position:
    """With a hero that falls, or nobody."""
    pending = {"hero": figure, "to": list(DUNGEONS)} if figure else None
    return position | {"turn": {**position["turn"], "pending": pending}}


def state_of(position: Position) -> State:
    """The position as a table; raises BadSetup."""
    return codec.state_from_json(position, history=False)


def faults(position: Position) -> list[Message]:
    """All that is impossible in it."""
    try:
        state_of(position)
    except BadSetup as error:
        return [f.message for f in error.faults]
    except BadForm as error:
        return [error.reason]
    return []
