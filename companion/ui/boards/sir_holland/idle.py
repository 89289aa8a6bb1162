"""Why nobody can use a half of the card in play just now: the rules themselves are asked. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.base import Json, Message, Refusal
from companion.games.sir_holland import codec, explain, rules
from companion.games.sir_holland.state import (
    CAPTURE,
    CHASE,
    EXPLOSION,
    HIDE,
    ROOF,
    SQUARES,
    VILLAINS,
    Choice,
    Explode,
    Hide,
    Move,
    heroes,
)
from companion.ui.boards.wishes import Wishes


@dataclass(frozen=True, slots=True)
class Idle:
    """rule: of the first refusal; messages: why not, figure by figure."""

    rule: str
    messages: tuple[Message, ...]


def why_no_step(wishes: Wishes) -> Idle | None:
    """Why no hero can take the steps that are left; None where one can, or none are left."""
    if not wishes.turn["points"] or any(isinstance(choice, Move) for choice in wishes.choices):
        return None
    return _refusals(wishes, [wishes.poke(hero) for hero in _inside(wishes)])


def why_not_special(wishes: Wishes) -> Idle | None:
    """The same for the other half of the card, unless that is Hide: it has a button for each hero."""
    turn = wishes.turn
    if not turn["special"] or turn["card"] == HIDE:
        return None
    if turn["card"] == EXPLOSION:
        if wishes.explodable():
            return None
        wanted: list[Choice] = [Explode(turn["seat"], square) for square in SQUARES]
        return _refusals(wishes, wanted[:1])
    if wishes.figures("special"):
        return None
    figures = VILLAINS if turn["card"] in (CHASE, CAPTURE) else _inside(wishes)
    return _refusals(wishes, [wishes.wish(figure, _above(wishes.view, figure), "special") for figure in figures])


def why_not_hide(wishes: Wishes, hero: str) -> Idle | None:
    """Why that hero cannot hide; None where it can, or the half is used up."""
    if not wishes.turn["special"] or hero in wishes.hideable():
        return None
    return _refusals(wishes, [Hide(wishes.turn["seat"], hero)])


def _inside(wishes: Wishes) -> list[str]:
    """The heroes of the seat; those in the tower, where there are any."""
    mine = heroes(wishes.turn["seat"])
    return [hero for hero in mine if wishes.view["figures"][hero] != ROOF] or list(mine)


def _above(view: Mapping[str, Json], figure: str) -> str:
    at: str = view["figures"][figure]
    return ROOF if at == ROOF or at[1] == "5" else f"{at[0]}{int(at[1]) + 1}"


def _refusals(wishes: Wishes, wanted: list[Any]) -> Idle | None:
    found = list(_refused(wishes.view, wanted))
    return Idle(found[0][0], tuple(message for _rule, message in found)) if found else None


def _refused(view: Mapping[str, Json], wanted: list[Any]) -> Iterator[tuple[str, Message]]:
    state = codec.state_from_json({**view, "locked": []}, history=False)
    for choice in wanted:
        try:
            rules.decide(state, choice)
        except Refusal as refusal:
            yield refusal.rule, explain.sentence(refusal)
