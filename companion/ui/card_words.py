"""What each action card does: in two short lines, its steps and its other half; or in one. Data only."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.base import Json, Message, msg
from companion.games.sir_holland.state import CAPTURE, CHASE, CLIMB, EXPLOSION, HIDE, PORTALS, REST

STEPS: dict[int, Message] = {
    HIDE: msg("1 step for a hero."),
    CHASE: msg("2 steps for your heroes."),
    EXPLOSION: msg("2 steps for your heroes."),
    CAPTURE: msg("1 step for a hero."),
    CLIMB: msg("1 step for a hero."),
    PORTALS: msg("1 step for a hero."),
    REST: msg("No steps."),
}
SPECIAL: dict[int, Message] = {
    HIDE: msg("And one hero hides: nobody can knock it off."),
    CHASE: msg("And one villain goes 1 step."),
    EXPLOSION: msg("And a card without figures blows up."),
    CAPTURE: msg("And the villains go 3 steps together."),
    CLIMB: msg("And one hero goes up 1 level, with no rope."),
    PORTALS: msg("And heroes on portals ride 2 levels, up or down."),
    REST: msg("All your cards come back. You take the gryphon."),
}
IN_SHORT: dict[int, Message] = {
    HIDE: msg("1 step · a hero hides"),
    CHASE: msg("2 steps · a villain goes 1 step"),
    EXPLOSION: msg("2 steps · a tower card blows up"),
    CAPTURE: msg("1 step · the villains go 3 steps"),
    CLIMB: msg("1 step · a hero goes up 1 level"),
    PORTALS: msg("1 step · heroes ride 2 levels"),
    REST: msg("All your cards back · the gryphon"),
}
"""Both halves in one line, for where all seven cards are seen at once."""
LEFT: dict[int, Message] = {
    HIDE: msg("Heroes that may hide"),
    CHASE: msg("Villain steps left"),
    EXPLOSION: msg("Cards to blow up"),
    CAPTURE: msg("Villain steps left"),
    CLIMB: msg("Levels to climb"),
    PORTALS: msg("Portal levels left"),
    REST: msg("Nothing else on this card"),
}
"""What is counted of the other half of a card in play."""


def head(number: int) -> Message:
    """The first line: number, name and steps."""
    return msg("{n} {card:card_name}: {steps:message}", n=number, card=number, steps=STEPS[number])


def rest_leads_to(view: Mapping[str, Json], seat: str) -> Message | None:
    """What a second rest leads to, for the seat that is about to rest for the second time (R74)."""
    if view["final"] or view["rests"][seat] != 1:
        return None
    if view["rules"].get("extra_round") == "no":
        return msg("Once everyone has rested twice, the game is over.")
    return msg("Once everyone has rested twice, one last round follows.")
