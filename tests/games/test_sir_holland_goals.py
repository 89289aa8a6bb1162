"""What a seat can reach in its turn, judged by playing it."""

from __future__ import annotations

import random

import pytest

from companion.games import find_game
from companion.games.sir_holland import goals, rules
from companion.games.sir_holland.guide import TOWER, Position
from companion.games.sir_holland.state import CAPTURE, CHASE, CLIMB, HIDE, ROOF, level, owner

GAME = find_game("sir-holland")


def found(card: int, **figures: str) -> list[tuple[str, str, str]]:
    named = {k.replace("_", "."): at for k, at in figures.items()}
    state = Position(named, card).state()
    return [(g.kind, g.figure, g.square) for g in goals.goals(state, GAME.choices(state))]


def test_the_best_comes_first_and_a_hero_that_is_saved_is_not_taken_up() -> None:
    assert TOWER[0][1] == "R", "a rope on b5"
    assert found(CHASE, red_1="b5", red_2="a3", blue_1="e4", wizard="d4")[:3] == [
        ("save", "red.1", ROOF), ("knock", "blue.1", "e4"), ("up", "red.2", "a4"),
    ]  # fmt: skip


def test_with_no_rope_only_climb_leads_up() -> None:
    assert ("up", "red.1", "e4") not in found(CAPTURE, red_1="e3", wizard="c2", knight="c4")
    assert ("up", "red.1", "e4") in found(CLIMB, red_1="e3")


def test_one_can_hide() -> None:
    assert {g[:2] for g in found(HIDE, red_1="b3", red_2="d2")} >= {("hide", "red.1"), ("hide", "red.2")}


def test_one_does_not_knock_oneself_off() -> None:
    assert not [g for g in found(CHASE, red_1="b4", wizard="c4") if g[0] == "knock"]


@pytest.mark.parametrize("seed", range(15))
def test_every_goal_of_a_random_game_is_reached_by_a_choice(seed: int) -> None:
    rng = random.Random(seed)
    state = None
    for event in GAME.open(("red", "blue", "green"), {}, rng):
        state = GAME.apply(state, event)
    for _ in range(60):
        choices = GAME.choices(state)
        if not choices:
            break
        for goal in goals.goals(state, choices) if state.turn else ():
            reached = False
            for choice in choices:
                after = state
                for event in rules.decide(state, choice):
                    after = rules.apply(after, event)
                mine, at, then = owner(goal.figure) == state.turn.seat, state.figures[goal.figure], after.figures
                reached |= {
                    "save": then[goal.figure] == ROOF,
                    "up": then[goal.figure] == goal.square and level(goal.square) > level(at),
                    "knock": not mine and (then[goal.figure] != at or bool(after.turn and after.turn.pending)),
                    "hide": goal.figure in after.lying,
                }[goal.kind]
            assert reached, goal
        for event in rules.decide(state, rng.choice(choices)):
            state = rules.apply(state, event)
