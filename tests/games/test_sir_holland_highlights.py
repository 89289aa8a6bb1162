"""Sentences about a game that is over: each one true, counted here by other means, and none where nothing happened."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.games import find_game
from companion.games.sir_holland.highlights import highlights
from companion.games.sir_holland.state import ROOF, HeroFell, HeroMoved, HeroSaved, owner
from companion.wording import Wording, languages

GAME = find_game("sir-holland")
NAMES = {"red": "Ana", "blue": "Bruno", "green": "Clara", "yellow": "Davi"}


def _height(square: str) -> int:
    return 6 if square == ROOF else int(square[1])


def _game(seed: int, n: int) -> tuple[list[Any], Any, list[tuple[Any, Any]]]:
    """A random game: acts for the sentences, the last state, and all events with the state before each request."""
    assert GAME is not None
    rng, state = Random(seed), None
    for event in GAME.open(GAME.colours[:n], {}, rng):
        state = GAME.apply(state, event)
    acts, log = [], []
    while choices := GAME.choices(state):
        # ending a turn at once would tell nothing
        choice = rng.choice([c for c in choices if c.do != "end"] or choices)
        before, events = state, GAME.decide(state, choice)
        for event in events:
            state = GAME.apply(state, event)
            log.append((before, event))
        acts.append((GAME.view(before), [GAME.event_to_json(e) for e in events]))
    return acts, state, log


@pytest.mark.parametrize("seed", range(12))
def test_what_is_said_is_true(seed: int) -> None:
    acts, state, log = _game(seed, 2 + seed % 3)
    assert GAME is not None
    found = highlights(acts, GAME.view(state))
    assert 1 <= len(found) <= 3
    falls = [(before, e) for before, e in log if isinstance(e, HeroFell)]
    by_seat: dict[str, int] = {}
    for before, _e in falls:
        by_seat[before.turn.seat] = by_seat.get(before.turn.seat, 0) + 1
    for message in found:
        p = message.params
        if message.id.startswith("Most falls"):
            assert p["n"] == max(by_seat.values())
            named = p["seats"] if "seats" in p else [p["seat"]]
            assert sorted(named) == sorted(s for s, n in by_seat.items() if n == p["n"])
        elif message.id.startswith("Longest climb"):
            turns: dict[tuple[int, str, str], list[int]] = {}
            for before, e in log:
                if isinstance(e, HeroMoved):
                    turns.setdefault((before.round, before.turn.seat, e.hero), []).append(
                        _height(e.path[-1]) - _height(e.start)
                    )
            best = max(sum(parts[: i + 1]) for parts in turns.values() for i in range(len(parts)))
            assert p["n"] == best >= 2
            if "hero" in p:
                parts = turns[p["round"], owner(p["hero"]), p["hero"]]
                assert best in [sum(parts[: i + 1]) for i in range(len(parts))]
        elif message.id.startswith("Deepest fall"):
            deepest = max(_height(e.start) - _height(e.to) for _before, e in falls)
            if "hero" in p:
                assert _height(p["start"]) - _height(p["to"]) == deepest
                assert any((e.hero, e.start, e.to) == (p["hero"], p["start"], p["to"]) for _before, e in falls)
            else:
                assert p["n"] == deepest
        elif message.id.startswith("First on"):
            before, first = next((b, e) for b, e in log if isinstance(e, HeroSaved))
            assert (p["hero"], p["n"]) == (first.hero, before.round)
        elif "gryphon decided" in message.id:
            assert state.result.decided_by == "gryphon"
        elif "levels decided" in message.id:
            assert state.result.decided_by == "level"
            assert len({state.result.saved[s] for s in p["tied"]}) == 1 and len(p["tied"]) > 1
        elif "drawn level" in message.id:
            saved = state.result.saved
            assert all(saved[state.result.winner] - saved[s] == 1 for s in p["seats"])
        elif message.id.startswith("Most steps"):
            walked: dict[str, int] = {}
            for _before, e in log:
                if isinstance(e, HeroMoved):
                    walked[e.hero] = walked.get(e.hero, 0) + len(e.path)
            assert walked[p["hero"]] == p["n"] == max(walked.values())
            assert list(walked.values()).count(p["n"]) == 1
        else:
            raise AssertionError(message.id)
        for lang in languages():
            assert "{" not in Wording(lang, GAME.term, NAMES)(message)


def _end(**result: Any) -> dict[str, Any]:
    seats = ["red", "blue"]
    usual = {"ended_by": "saved", "winner": "red", "decided_by": "saved", "saved": {"red": 2, "blue": 0},
             "levels": {"red": [], "blue": [1, 1]}}  # fmt: skip
    return {"seats": seats, "gryphon": "red", "rules": {}, "out": ["red"], "result": usual | result}


def _act(seat: str, round: int, *events: dict[str, Any]) -> Any:
    return {"turn": {"seat": seat}, "round": round}, events


def _moved(hero: str, start: str, *path: str) -> dict[str, Any]:
    return {"what": "moved", "hero": hero, "start": start, "path": list(path), "half": "points", "cost": 1}


def _fell(hero: str, start: str, to: str) -> dict[str, Any]:
    return {"what": "fell", "hero": hero, "start": start, "to": to}


def _said(acts: list[Any], end: Any) -> list[str]:
    assert GAME is not None
    return [Wording("en", GAME.term, NAMES)(m) for m in highlights(acts, end)]


def test_nothing_is_said_of_a_game_in_which_nothing_happened() -> None:
    assert _said([], _end()) == []
    assert _said([_act("red", 1, _moved("red.1", "b1", "a1"))], _end()) == []


def test_those_who_did_the_same_are_named_together() -> None:
    acts = [
        _act("red", 1, _moved("red.1", "a1", "a2", "a3")), _act("red", 1, _fell("blue.1", "c3", "c1")),
        _act("blue", 1, _moved("blue.2", "a1", "a2", "a3")), _act("blue", 1, _fell("red.1", "a3", "a1")),
    ]  # fmt: skip
    assert _said(acts, _end()) == [
        "Most falls: Ana and Bruno made 1 hero fall each.",
        "Longest climb: Red 1 and Blue 2 went up 2 levels each in one turn.",
        "Deepest fall: Blue 1 and Red 1 fell 2 levels each.",
    ]


def test_a_climb_is_counted_within_one_turn_and_steps_down_again_do_not_lengthen_it() -> None:
    acts = [
        _act("red", 1, _moved("red.1", "a1", "a2")), _act("red", 1, _moved("red.1", "a2", "a3")),
        _act("blue", 1, _moved("blue.1", "a1", "a2")), _act("blue", 2, _moved("blue.1", "a2", "a3", "a4")),
        _act("blue", 2, _moved("blue.1", "a4", "roof")), _act("blue", 2, {"what": "saved", "hero": "blue.1"}),
    ]  # fmt: skip
    assert _said(acts, _end()) == [
        "Longest climb: Blue 1 went up 4 levels in one turn, in round 2.",
        "First on the terrace: Blue 1, in round 2.",
        "Most steps: Blue 1 went 4.",
    ]


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ({"saved": {"red": 2, "blue": 1}}, ["Closest call: with one more saved hero Bruno would have drawn level."]),
        ({"saved": {"red": 2, "blue": 2}, "decided_by": "gryphon"},
         ["Closest call: Ana and Bruno were level, and the gryphon decided."]),
        ({"ended_by": "rested", "decided_by": "level", "saved": {"red": 1, "blue": 1},
          "levels": {"red": [3], "blue": [2]}},
         ["Closest call: Ana and Bruno saved the same number of heroes, and the levels decided."]),
        ({"saved": {"red": 2, "blue": 0}}, []),
    ],
)  # fmt: skip
def test_how_close_it_was(result: dict[str, Any], said: list[str]) -> None:
    assert _said([], _end(**result)) == said
