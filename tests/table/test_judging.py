"""The judge says what the rules say, in any position, and knows what a house rule would change."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.games import find_game
from companion.games.sir_holland.state import (
    ROOF,
    Climb,
    Explode,
    Hide,
    HouseRules,
    Lock,
    Move,
    MoveVillain,
    State,
    UsePortal,
)
from companion.table.judging import judge
from tests.ui import positions

GAME: Any = find_game("sir-holland")


def position(**changes: Any) -> State:
    data = positions.turn(**changes)
    state: State = GAME.correct(START, data)
    return state


START = GAME.open(("red", "blue", "green", "yellow"), {}, Random(1))[0].state


def walk(rng: Random, rules: dict[str, Any]) -> State:
    """A position somewhere in a random game."""
    (opened,) = GAME.open(("red", "blue", "green"), {"rules": rules}, rng)
    state: State = opened.state
    for _ in range(rng.randrange(60)):
        choices = GAME.choices(state)
        if not choices:
            break
        for event in GAME.decide(state, rng.choice(choices)):
            state = GAME.apply(state, event)
    return state


def wishes(rng: Random, state: State) -> list[Any]:
    """Legal choices, and the same with something changed."""
    found = rng.sample(GAME.choices(state), min(3, len(GAME.choices(state))))
    squares = [*(c + n for c in "abcde" for n in "12345"), ROOF]
    hero, path = f"{rng.choice(state.seats)}.{rng.choice('12')}", tuple(rng.choices(squares, k=rng.randrange(1, 3)))
    seat = rng.choice(state.seats)
    return [
        *found,
        Move(seat, hero, path),
        Climb(seat, hero, path),
        UsePortal(seat, hero, path),
        Hide(seat, hero),
        Explode(seat, rng.choice(squares)),
        MoveVillain(seat, rng.choice(("wizard", "knight")), path),
        Lock(seat, rng.randrange(1, 8)),
    ]


@pytest.mark.parametrize("seed", range(40))
def test_a_verdict_is_that_of_the_rules(seed: int) -> None:
    rng = Random(seed)
    switches = {s.id: rng.choice(s.values) for s in GAME.rulebook.switches if rng.random() < 0.3}
    state = walk(rng, switches)
    legal = GAME.choices(state)
    for choice in wishes(rng, state):
        verdict = judge(GAME, state, choice)
        assert verdict.allowed == (choice in legal), choice
        assert verdict.messages
        assert verdict.allowed or verdict.rule
        assert set(verdict.instead) <= set(legal)
        assert bool(verdict.instead) == (not verdict.allowed and bool(legal))
        for reading in verdict.readings:
            played = getattr(state.rules, verdict.switch) == reading.value
            # a position can be impossible with another value, and locks are no part of it
            if played and state.phase == "resolve":
                assert reading.allows == verdict.allowed


def test_a_refusal_by_our_reading_has_all_readings() -> None:
    verdict = judge(GAME, position(), Move("red", "red.1", ("b2", "c2")))
    assert (verdict.allowed, verdict.rule, verdict.switch) == (False, "A10", "hero_on_villain")
    assert [(r.value, r.allows) for r in verdict.readings] == [
        ("no_stop", False), ("allowed", True), ("knocked_off", True)
    ]  # fmt: skip
    nearest = verdict.instead[0]
    assert nearest.hero == "red.1"
    assert nearest.path[-1] in ("b2", "a2", "d2")


def test_what_is_allowed_only_by_our_reading_says_so() -> None:
    verdict = judge(GAME, position(figures=positions.turn()["figures"] | {"wizard": "b2"}),
                    Move("red", "red.1", ("b2", "c2")))  # fmt: skip
    assert (verdict.allowed, verdict.rule, verdict.switch) == (True, "A11", "pass_villain")
    assert {r.value: r.allows for r in verdict.readings} == {"yes": True, "no": False}


def test_what_hangs_on_nothing_has_no_readings() -> None:
    verdict = judge(GAME, position(), Move("red", "red.1", ("b2",)))
    assert verdict.allowed
    assert verdict.readings == ()
    assert verdict.rule == ""


def test_a_house_rule_in_force_is_judged_by() -> None:
    state = position()._replace(rules=replace(HouseRules(), hero_on_villain="allowed"))
    verdict = judge(GAME, state, Move("red", "red.1", ("b2", "c2")))
    assert verdict.allowed
    assert (verdict.rule, verdict.switch) == ("A10", "hero_on_villain")


def test_instead_names_one_way_to_each_square() -> None:
    verdict = judge(GAME, position(), Move("red", "red.1", ("b2", "c2", "d2", "e2")))
    ends = [c.path[-1] for c in verdict.instead]
    assert len(ends) == len(set(ends)) > 1
