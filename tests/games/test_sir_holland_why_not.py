"""Why a seat has not won: checked against a comparison of our own, step by step, on random tables."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from companion.games.sir_holland import desk
from companion.games.sir_holland.state import COLOURS, HouseRules
from companion.wording import Wording

SWITCHES = list(
    product(
        ("gryphon", "first_out"), ("saved_first", "level_first"), ("best_then_second", "best_only", "sum"),
        ("saved", "rested"),
    )
)  # fmt: skip


def _tables(rng: Random, count: int):
    for _ in range(count):
        seats = tuple(rng.sample(COLOURS, rng.randint(2, 4)))
        saved = {s: rng.choice((0, 1, 1, 2)) for s in seats}
        levels = {s: [rng.randint(1, 5) for _ in range(2 - saved[s])] for s in seats}
        out = rng.sample([s for s in seats if saved[s] == 2], sum(n == 2 for n in saved.values()))
        yield seats, rng.choice(seats), saved, levels, out


def _standing(name: str, seat: str, seats, gryphon, saved, levels, rules, out):
    """How good a seat is at a step: the higher the better."""
    if name == "saved":
        return saved[seat]
    if name == "level":
        high = sorted(levels[seat], reverse=True) + [0, 0]
        return {"best_only": high[0], "sum": sum(high), "best_then_second": tuple(high[:2])}[rules.level_compare]
    if name == "first_out":
        return -out.index(seat) if seat in out else -9
    return -((seats.index(seat) - seats.index(gryphon)) % len(seats))


@pytest.mark.parametrize(("double", "order", "compare", "ended_by"), SWITCHES)
def test_the_step_named_is_where_the_seat_falls_out(double: str, order: str, compare: str, ended_by: str) -> None:
    rules = HouseRules(double_save=double, rest_end_order=order, level_compare=compare)
    say = Wording("en")
    for seats, gryphon, saved, levels, out in _tables(Random(f"{double}{order}{compare}{ended_by}"), 300):
        table = (seats, gryphon, ended_by, saved, levels, rules, out)
        result, steps = desk.winner(*table)
        fell = []
        for seat in seats:
            told = desk.why_not(seat, *table)
            if seat == result.winner:
                assert told == []
                continue
            assert [(t.name, t.rule) for t in told] == [(s.name, s.rule) for s in steps[: len(told)]]
            *level, last = told
            for step, mine in ((s, _standing(s.name, seat, seats, gryphon, saved, levels, rules, out)) for s in level):
                assert mine == _standing(step.name, result.winner, seats, gryphon, saved, levels, rules, out)
            theirs, mine = (
                _standing(last.name, s, seats, gryphon, saved, levels, rules, out) for s in (result.winner, seat)
            )
            assert theirs > mine
            assert all(say(t.message) for t in told)
            fell.append((len(told), seat))
        # each seat leaves the tie exactly once, at the step that says so
        for number, step in enumerate(steps, start=1):
            assert {s for n, s in fell if n <= number} == set(seats) - set(step.tied)


@pytest.mark.parametrize(
    ("seat", "ended_by", "saved", "levels", "switches", "told"),
    [
        ("blue", "saved", {"red": 2, "blue": 1}, {"blue": [4]}, {},
         ["Saved heroes: Red has 2, Blue has 1."]),
        ("blue", "saved", {"red": 2, "blue": 2}, {}, {},
         ["Saved heroes: Red and Blue have 2 each.", "Still tied. Red holds the gryphon, and Blue does not."]),
        ("blue", "rested", {"red": 1, "blue": 1}, {"red": [4], "blue": [2]}, {},
         ["Saved heroes: Red and Blue have 1 each.", "Highest hero: Red on level 4, Blue on level 2."]),
        ("blue", "rested", {}, {"red": [4, 3], "blue": [4, 1]}, {},
         ["Saved heroes: Red and Blue have 0 each.",
          "Both have a hero on level 4. The second one: Red on level 3, Blue on level 1."]),
        ("blue", "rested", {"blue": 1}, {"red": [4, 3], "blue": [4]}, {"rest_end_order": "level_first"},
         ["Both have a hero on level 4. Red has a second one inside, on level 3; Blue has not."]),
        ("blue", "rested", {}, {"red": [4, 3], "blue": [5, 1]}, {"level_compare": "sum"},
         ["Saved heroes: Red and Blue have 0 each.", "Levels added up: Red has 7, Blue has 6."]),
        ("green", "rested", {}, {"red": [4, 3], "blue": [4, 3], "green": [4, 3]}, {},
         ["Saved heroes: Red and Green have 0 each.",
          "Heroes still inside: both stand equally high (Green 4 and 3; Red 4 and 3).",
          "Still tied. Red holds the gryphon, and Green does not."]),
    ],
)  # fmt: skip
def test_in_words(seat, ended_by, saved, levels, switches, told) -> None:
    from companion.games import find_game

    words = Wording("en", find_game("sir-holland").term)
    steps = desk.why_not(seat, ("red", "blue", "green"), "red", ended_by, saved, levels, HouseRules(**switches))
    assert [words(s.message) for s in steps] == told
