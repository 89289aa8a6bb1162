"""Three sentences about a game that is over, from what happened in it. Nothing is said where nothing happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from companion.games.base import Json, Message, msg, msgn
from companion.games.sir_holland import desk
from companion.games.sir_holland.state import HouseRules, level

Act = tuple[Json, Sequence[Mapping[str, Json]]]
"""The public view before an act, and its public events."""
SENTENCES = 3
TOGETHER = 3
"""So many heroes that did the same are named together; of more nothing is said."""


@dataclass
class _Tally:
    """What counts. falls: seats -> heroes that they made fall; climbs: hero -> levels gained in its best turn;

    deepest: hero -> levels of its deepest fall; where: of that fall; rounds: hero -> round of that climb;
    steps: hero -> squares walked; first: the first hero on the terrace, and the round.
    """

    falls: Counter[str] = field(default_factory=Counter)
    climbs: dict[str, int] = field(default_factory=dict)
    rounds: dict[str, int] = field(default_factory=dict)
    deepest: dict[str, int] = field(default_factory=dict)
    where: dict[str, tuple[str, str]] = field(default_factory=dict)
    steps: Counter[str] = field(default_factory=Counter)
    first: tuple[str, int] | None = None


def highlights(acts: Sequence[Act], end: Json) -> tuple[Message, ...]:
    """The sentences, best first. acts: those that were not taken back; end: the public view of the finished game."""
    tally = _tally(acts)
    found = (_falls(tally), _climb(tally), _close(end), _deepest(tally), _first(tally), _steps(tally))
    return tuple(message for message in found if message is not None)[:SENTENCES]


def _tally(acts: Sequence[Act]) -> _Tally:
    tally = _Tally()
    gained: Counter[str] = Counter()
    turn: tuple[int, str] | None = None
    for before, events in acts:
        acting, round = before["turn"]["seat"] if before["turn"] else "", before["round"]
        if (round, acting) != turn:
            gained, turn = Counter(), (round, acting)
        for event in events:
            if event["what"] == "fell":
                if acting:
                    tally.falls[acting] += 1
                _fall(tally, event)
            elif event["what"] == "moved":
                hero = event["hero"]
                tally.steps[hero] += len(event["path"])
                gained[hero] += level(event["path"][-1]) - level(event["start"])
                if gained[hero] > tally.climbs.get(hero, 0):
                    tally.climbs[hero], tally.rounds[hero] = gained[hero], round
            elif event["what"] == "saved" and tally.first is None:
                tally.first = event["hero"], round
    return tally


def _fall(tally: _Tally, event: Mapping[str, Json]) -> None:
    depth = level(event["start"]) - level(event["to"])
    if depth > tally.deepest.get(event["hero"], 0):
        tally.deepest[event["hero"]] = depth
        tally.where[event["hero"]] = event["start"], event["to"]


def _best(counts: Mapping[str, int]) -> tuple[list[str], int]:
    """Who has the most, and how many."""
    most = max(counts.values(), default=0)
    return [name for name, n in counts.items() if n == most], most


def _falls(tally: _Tally) -> Message | None:
    seats, n = _best(tally.falls)
    if not n:
        return None
    if len(seats) > 1:
        return msgn("Most falls: {seats:seats} made {n} hero fall each.",
                    "Most falls: {seats:seats} made {n} heroes fall each.", n=n, seats=seats)  # fmt: skip
    return msgn("Most falls: {seat:seat} made {n} hero fall.", "Most falls: {seat:seat} made {n} heroes fall.",
                n=n, seat=seats[0])  # fmt: skip


def _climb(tally: _Tally) -> Message | None:
    heroes, n = _best(tally.climbs)
    if n < 2 or len(heroes) > TOGETHER:
        return None
    if len(heroes) > 1:
        return msg("Longest climb: {heroes:figures} went up {n} levels each in one turn.", heroes=heroes, n=n)
    return msg("Longest climb: {hero:figure} went up {n} levels in one turn, in round {round}.",
               hero=heroes[0], n=n, round=tally.rounds[heroes[0]])  # fmt: skip


def _close(end: Json) -> Message | None:
    result = end["result"]
    _, steps = desk.winner(end["seats"], end["gryphon"], result["ended_by"], result["saved"], result["levels"],
                           HouseRules(**end["rules"]), end["out"])  # fmt: skip
    before = steps[-2].tied if len(steps) > 1 else ()
    if steps[-1].name == "gryphon":
        return msg("Closest call: {tied:seats} were level, and the gryphon decided.", tied=before or end["seats"])
    if steps[-1].name == "level" and before and steps[0].name == "saved":
        return msg("Closest call: {tied:seats} saved the same number of heroes, and the levels decided.", tied=before)
    if steps[-1].name == "saved" and len(steps) == 1:
        saved, winner = result["saved"], result["winner"]
        near = [seat for seat in end["seats"] if saved[winner] - saved[seat] == 1]
        if near:
            return msgn("Closest call: with one more saved hero {seats:seats} would have drawn level.",
                        "Closest call: with one more saved hero each, {seats:seats} would have drawn level.",
                        n=len(near), seats=near)  # fmt: skip
    return None


def _deepest(tally: _Tally) -> Message | None:
    heroes, n = _best(tally.deepest)
    if n < 2 or len(heroes) > TOGETHER:
        return None
    if len(heroes) > 1:
        return msg("Deepest fall: {heroes:figures} fell {n} levels each.", heroes=heroes, n=n)
    start, to = tally.where[heroes[0]]
    return msg("Deepest fall: {hero:figure} fell from {start:square} to {to:square}.",
               hero=heroes[0], start=start, to=to)  # fmt: skip


def _first(tally: _Tally) -> Message | None:
    if tally.first is None:
        return None
    hero, round = tally.first
    return msg("First on the terrace: {hero:figure}, in round {n}.", hero=hero, n=round)


def _steps(tally: _Tally) -> Message | None:
    heroes, n = _best(tally.steps)
    if n < 2 or len(heroes) > 1:
        return None
    return msg("Most steps: {hero:figure} went {n}.", hero=heroes[0], n=n)
