"""A story cut into steps that have room on the screen, and what was put right, in words. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from companion.games.base import Json, Message, msg
from companion.table.ports import Scene


@dataclass(frozen=True, slots=True)
class Step:
    """What is shown at once: a scene, and as much of its words as has room. first: the tower changes with it."""

    scene: int
    messages: tuple[Message, ...]
    first: bool


def steps_of(scenes: Sequence[Scene], say: Callable[[Message], str], letters: int, lines: int) -> list[Step]:
    """Scenes with many words become several steps. letters: that fit into a line; lines: that fit at once."""
    steps = []
    for i, scene in enumerate(scenes):
        told = list(scene.messages)
        if scene.mark == "put_right" and i:
            told = differences(scenes[i - 1].view, scene.view) or told
        part: list[Message] = []
        first, used = True, 0
        for message in told:
            high = -(-len(say(message)) // letters)
            if part and used + high > lines:
                steps.append(Step(i, tuple(part), first))
                part, first, used = [], False, 0
            part.append(message)
            used += high
        steps.append(Step(i, tuple(part), first))
    return steps


def differences(before: Mapping[str, Json], after: Mapping[str, Json]) -> list[Message]:
    """What a put-right has changed on the table."""
    told = [
        msg("{figure:figure} is on {at:square} now.", figure=f, at=at)
        for f, at in after["figures"].items()
        if before["figures"].get(f) != at
    ]
    up = [f for f in before["lying"] if f not in after["lying"]]
    down = [f for f in after["lying"] if f not in before["lying"]]
    if down:
        told.append(msg("Lying now: {figures:figures}.", figures=down))
    if up:
        told.append(msg("Standing now: {figures:figures}.", figures=up))
    if before["tower"] != after["tower"]:
        told.append(msg("Cards of the tower lie in another way now."))
    if before["gryphon"] != after["gryphon"]:
        told.append(msg("The gryphon is with {seat:seat} now.", seat=after["gryphon"]))
    for seat in after["seats"]:
        if before["hands"][seat] != after["hands"][seat]:
            told.append(msg("{seat:seat} holds {cards:numbers} now.", seat=seat, cards=after["hands"][seat]))
        if before["rests"][seat] != after["rests"][seat]:
            told.append(msg("Rests of {seat:seat}: {n}.", seat=seat, n=after["rests"][seat]))
    if before["rules"] != after["rules"]:
        # the story says which
        return []
    return told


def changed_squares(before: Mapping[str, Json], after: Mapping[str, Json]) -> list[str]:
    """The squares on which something is other than before."""
    was, now = before["figures"], after["figures"]
    squares = {at for f in now if was.get(f) != now[f] for at in (was.get(f), now[f]) if at is not None}
    for row, (old, new) in enumerate(zip(before["tower"], after["tower"], strict=True)):
        squares |= {f"{'abcde'[i]}{5 - row}" for i in range(5) if old[i] != new[i]}
    return sorted(squares)


def where(view: Mapping[str, Json]) -> Message:
    """Where the game stands, in one sentence."""
    if view["result"]:
        return msg("{seat:seat} wins!", seat=view["result"]["winner"])
    turn = view["turn"]
    if turn:
        return msg("Round {round}. {seat:seat} acts with {card:card}.",
                   round=view["round"], seat=turn["seat"], card=turn["card"])  # fmt: skip
    return msg("Round {round}. Everyone chooses a card.", round=view["round"])


def acting(view: Mapping[str, Json]) -> str:
    """Whose pennant hangs: the winner's, or that of the seat that acts; nobody's while all choose."""
    if view["result"]:
        return str(view["result"]["winner"])
    return str(view["turn"]["seat"]) if view["turn"] else ""
