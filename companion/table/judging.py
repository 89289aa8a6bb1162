"""May I do this? A verdict on any choice in any position, with what would be allowed and how else it could be read.

Pure, and the one way to judge: the table refuses by it, the judge answers by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.base import BadForm, BadSetup, Game, Message, Refusal


@dataclass(frozen=True, slots=True)
class Reading:
    """One value of a house rule: what it means, where that is written, and whether it would allow the choice."""

    value: str | int
    meaning: str
    source: str
    allows: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer. messages: why not, or what would happen; instead: legal choices, the nearest first.

    rule: what forbids it; where it is allowed, the ruling that it hangs on, or nothing. switch, readings: where it
    depends on a house rule, that one with all its values.
    """

    allowed: bool
    rule: str
    messages: tuple[Message, ...]
    instead: tuple[Any, ...] = ()
    switch: str = ""
    readings: tuple[Reading, ...] = ()


def judge(game: Game[Any, Any, Any], state: Any, choice: Any) -> Verdict:
    """Whether a choice is allowed here, and everything that there is to say about it."""
    try:
        events = game.decide(state, choice)
    except Refusal as refusal:
        switch = switch_of(game, refusal.rule)
        return Verdict(
            False,
            refusal.rule,
            (game.explain(state, refusal),),
            game.nearest(state, choice),
            switch,
            readings(game, state, choice, switch),
        )
    switch = _hangs_on(game, state, choice)
    found = game.rulebook.switch(switch)
    return Verdict(
        True,
        found.ruling if found else "",
        tuple(game.tell(state, events, _after(game, state, events))),
        (),
        switch,
        readings(game, state, choice, switch),
    )


def switch_of(game: Game[Any, Any, Any], rule: str) -> str:
    """The house rule that changes a rule, if one does."""
    entry = game.rulebook.find(rule)
    return (entry.switch or "") if entry else ""


def readings(game: Game[Any, Any, Any], state: Any, choice: Any, switch: str) -> tuple[Reading, ...]:
    """Every value of a house rule, with whether it would allow the choice; nothing where there is none."""
    found = game.rulebook.switch(switch)
    if found is None:
        return ()
    return tuple(
        Reading(value, meaning, found.source, bool(_would(game, state, choice, switch, value)))
        for value, meaning in zip(found.values, found.meanings, strict=True)
    )


def _would(game: Game[Any, Any, Any], state: Any, choice: Any, switch: str, value: str | int) -> bool | None:
    """Whether the choice would be legal with that value; None where the position cannot be with it."""
    try:
        rules = {**game.state_to_json(state)["rules"], switch: value}
        game.decide(game.correct(state, {"rules": rules}), choice)
    except Refusal:
        return False
    except (BadSetup, BadForm):
        return None
    return True


def _hangs_on(game: Game[Any, Any, Any], state: Any, choice: Any) -> str:
    """The first house rule of which another value would forbid a choice that is allowed."""
    for switch in game.rulebook.switches:
        if any(_would(game, state, choice, switch.id, value) is False for value in switch.values):
            return switch.id
    return ""


def _after(game: Game[Any, Any, Any], state: Any, events: Sequence[Any]) -> Any:
    for event in events:
        state = game.apply(state, event)
    return state
