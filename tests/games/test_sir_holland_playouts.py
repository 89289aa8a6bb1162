"""Sir Holland over random games: what no single position shows. The suite of every game is test_every_game.py."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.base import Refusal
from companion.games.sir_holland import setup
from companion.games.sir_holland.rulebook import RULEBOOK
from companion.games.sir_holland.state import (
    DUNGEON,
    EXPLOSION,
    PASSAGE,
    POINTS,
    REST,
    ROOF,
    ROOM,
    SPECIALS,
    SQUARES,
    VILLAINS,
    Choice,
    Climb,
    Event,
    Lock,
    Move,
    MoveVillain,
    State,
    UsePortal,
    card_at,
    heroes,
)
from companion.wording import Wording, languages
from tests.games.picture import FOUR, GAME, draw, opened

SEEDS = st.integers(0, 2**32)
SEATS = st.integers(2, 4).flatmap(lambda n: st.permutations(FOUR).map(lambda seats: seats[:n]))
SWITCHES = st.fixed_dictionaries({s.id: st.sampled_from(s.values) for s in RULEBOOK.switches})

Step = tuple[State, Choice, tuple[Event, ...], State]


def playout(seats: list[str], seed: int, rules: Mapping[str, Any] | None = None) -> Iterator[Step]:
    """A random game, choice by choice; whoever can get a hero out often does."""
    rng = random.Random(seed)
    state = opened(seats, seed, rules=rules or {})
    while state.phase != "over":
        choices = GAME.choices(state)
        up = [c for c in choices if ROOF in getattr(c, "path", ())]
        choice = rng.choice(up if up and rng.random() < 0.7 else choices)
        events = GAME.decide(state, choice)
        after = state
        for event in events:
            after = GAME.apply(after, event)
        yield state, choice, events, after
        state = after


def shared(state: State) -> set[tuple[str, str]]:
    """Pairs of a hero and a villain on one square outside the dungeons."""
    return {
        (f, v)
        for f, at in state.figures.items()
        for v in VILLAINS
        if f not in VILLAINS and at == state.figures[v] and card_at(state.tower, at) != DUNGEON
    }


@given(seats=SEATS, seed=SEEDS)
def test_R75_at_most_15_rounds(seats: list[str], seed: int) -> None:
    """Under the default rules no random game lasts longer than 15 rounds."""
    *_, (_, _, _, last) = playout(seats, seed)
    assert last.round <= 15


@given(seats=SEATS, seed=SEEDS, rules=SWITCHES)
def test_figures_cards_and_rests_are_conserved(seats: list[str], seed: int, rules: dict[str, Any]) -> None:
    """No figure or tower card is lost or doubled, no position has a fault, and no budget goes below nothing."""
    for before, _, _, state in playout(seats, seed, rules):
        assert state.figures.keys() == {h for s in seats for h in heroes(s)} | set(VILLAINS)
        assert Counter("".join(state.tower)) == setup.COUNTS
        assert setup.faults(state) == [], draw(state)
        assert all(state.figures[v] != ROOF for v in VILLAINS)
        assert all(before.figures[f] != ROOF or at == ROOF for f, at in state.figures.items())
        assert sum(state.rests.values()) - sum(before.rests.values()) in (0, 1)
        if turn := state.turn:
            assert 0 <= turn.points <= POINTS[turn.card] and 0 <= turn.special <= SPECIALS[turn.card]


@given(seats=SEATS, seed=SEEDS, rules=SWITCHES)
def test_R36_who_is_in_the_room_lies_and_who_lies_is_there_or_hid(
    seats: list[str], seed: int, rules: dict[str, Any]
) -> None:
    """A hero in the secret room lies; one that lies elsewhere hid, and under the default rules in this very round."""
    hidden: set[str] = set()
    for before, _, events, state in playout(seats, seed, rules):
        hidden |= {e.hero for e in events if e.what == "hidden"}
        for hero in (f for f in state.figures if f not in VILLAINS):
            at = state.figures[hero]
            in_room = at != ROOF and card_at(state.tower, at) == ROOM
            assert hero in state.lying or not in_room, draw(state)
            assert hero not in state.lying or in_room or hero in hidden, draw(state)
        if state.round > before.round and rules["hide_ends"] == "round_start":
            hidden.clear()


@given(seats=SEATS, seed=SEEDS)
def test_A19_falls_and_explosions_bring_no_hero_and_villain_together(seats: list[str], seed: int) -> None:
    """Under the default rules only a villain that ends on a lying hero shares its square, dungeons excepted."""
    for before, choice, _, state in playout(seats, seed):
        for hero, villain in shared(state) - shared(before):
            assert choice.do == "villain" and choice.villain == villain, draw(state)
            assert hero in state.lying or state.turn.pending, draw(state)


@given(seats=SEATS, seed=SEEDS, rules=SWITCHES)
def test_R32_never_two_heroes_on_one_card(seats: list[str], seed: int, rules: dict[str, Any]) -> None:
    """Outside dungeons and terrace no two heroes ever share a square."""
    for _, _, _, state in playout(seats, seed, rules):
        there = {f: at for f, at in state.figures.items() if f not in VILLAINS and at != ROOF}
        for one, other in combinations(there, 2):
            assert there[one] != there[other] or card_at(state.tower, there[one]) == DUNGEON, draw(state)


@given(seats=SEATS, seed=SEEDS, rules=SWITCHES)
def test_R65_only_explosions_change_the_tower(seats: list[str], seed: int, rules: dict[str, Any]) -> None:
    """Cards stay in their column, and only card 3 moves them."""
    for before, choice, _, state in playout(seats, seed, rules):
        if before.tower != state.tower:
            assert choice.do == "explode" and before.turn.card == EXPLOSION
        columns = [sorted(c) for c in zip(*state.tower, strict=True)]
        assert columns == [sorted(c) for c in zip(*before.tower, strict=True)]


@given(seats=SEATS, seed=SEEDS, rules=SWITCHES)
def test_R68_the_gryphon_moves_by_rests_only(seats: list[str], seed: int, rules: dict[str, Any]) -> None:
    """The gryphon goes to whoever rests, and to nobody else."""
    for before, choice, _, state in playout(seats, seed, rules):
        assert state.gryphon == (choice.seat if choice.do == "rest" else before.gryphon)


@given(seats=SEATS, seed=SEEDS, rules=SWITCHES)
def test_A49_a_seat_sits_out_only_with_two_rests_and_the_rest_alone(
    seats: list[str], seed: int, rules: dict[str, Any]
) -> None:
    """Who has no card in a revealed round rested twice, holds only card 7, and plays with `third_rest: pass`."""
    for before, _, _, state in playout(seats, seed, rules):
        if before.phase == "choose" and state.phase == "resolve":
            for seat in set(seats) - set(state.cards):
                assert rules["third_rest"] == "pass" and state.rests[seat] >= 2 and state.hands[seat] == (REST,)


@given(seats=SEATS, seed=SEEDS, rules=SWITCHES)
def test_the_end_is_the_end_that_the_rules_name(seats: list[str], seed: int, rules: dict[str, Any]) -> None:
    """`saved` ends have a seat with both heroes out, `rested` ends none and two rests for everyone."""
    *_, (_, _, _, last) = playout(seats, seed, rules)
    out = [s for s in seats if all(last.figures[h] == ROOF for h in heroes(s))]
    assert last.result.ended_by == ("saved" if out else "rested")
    assert set(last.out) == set(out)
    assert out or all(n >= 2 for n in last.rests.values())
    assert last.final == (rules["extra_round"] == "yes") or out


# --- all paths --------------------------------------------------------------------------------------------------


def near(state: State, square: str) -> list[str]:
    """Every square that any step could lead to: beside, above, below, and the other passage."""
    if square == ROOF:
        return ["a5"]
    column, level = "abcde".index(square[0]), int(square[1])
    beside = [f"{c}{level}" for i, c in enumerate("abcde") if abs(i - column) == 1]
    over = [f"{square[0]}{n}" for n in (level - 1, level + 1) if 1 <= n <= 5] + ([ROOF] if level == 5 else [])
    passages = [s for s in SQUARES if card_at(state.tower, s) == PASSAGE]
    return list(dict.fromkeys(beside + over + [s for s in passages if square in passages and s != square]))


def all_paths(state: State, start: str, longest: int) -> Iterator[tuple[str, ...]]:
    """Every path of near squares, most of them illegal."""
    paths: list[tuple[str, ...]] = [()]
    for _ in range(longest):
        paths = [(*p, s) for p in paths for s in near(state, p[-1] if p else start)]
        yield from paths


LONGEST_PATH = {"move": 5, "climb": 3, "portal": 3, "villain": 4}
"""A step more than any legal path has; five for a hop, a step, a hop, a step and a hop."""


@given(seats=SEATS, seed=SEEDS, rules=SWITCHES)
def test_R29_of_all_paths_exactly_the_listed_ones_are_accepted(
    seats: list[str], seed: int, rules: dict[str, Any]
) -> None:
    """No path of neighbouring squares is accepted that is not listed, for no figure and no kind of path."""
    rng = random.Random(seed)
    turns = [before for before, *_ in playout(seats, seed, rules) if before.turn and before.turn.card != REST]
    state = rng.choice(turns)
    assert state.turn
    listed = {c for c in GAME.choices(state) if hasattr(c, "path")}
    accepted = set()
    for kind in (Move, Climb, UsePortal, MoveVillain):
        for figure, start in state.figures.items():
            if figure in VILLAINS or figure in heroes(state.turn.seat):
                for path in all_paths(state, start, LONGEST_PATH[kind.do]):
                    choice = kind(state.turn.seat, figure, path)
                    try:
                        GAME.decide(state, choice)
                    except Refusal:
                        continue
                    accepted.add(choice)
    assert accepted == listed, draw(state)


# --- secrets ----------------------------------------------------------------------------------------------------


def public(before: State, events: tuple[Event, ...], after: State) -> str:
    """Everything that anybody may see or hear of a choice, as one text."""
    views = [GAME.view(after), GAME.state_to_json(after)]
    said = [Wording(lang, GAME.term)(m) for lang in languages() for m in GAME.tell(before, events, after)]
    awaited = [(seat, Wording(lang, GAME.term)(m)) for lang in languages() for seat, m in GAME.awaited(after)]
    listed = [GAME.choice_to_json(c) for c in GAME.choices(after)]
    return json.dumps([views, [GAME.event_to_json(e) for e in events], said, awaited, listed])


@settings(max_examples=max(10, settings().max_examples // 2))
@given(seats=SEATS, seed=SEEDS, rules=SWITCHES)
def test_R21_two_games_that_differ_in_a_locked_card_look_the_same(
    seats: list[str], seed: int, rules: dict[str, Any]
) -> None:
    """Before the reveal, view, public events, words and choices are the same whatever the locked card is."""
    for before, choice, _, state in playout(seats, seed, rules):
        if not isinstance(choice, Lock) or state.phase != "choose":
            continue
        seen = set()
        for other in GAME.choices(before, choice.seat):
            events = GAME.decide(before, other)
            after = before
            for event in events:
                after = GAME.apply(after, event)
            seen.add(public(before, events, after))
            for seat in set(seats) - {choice.seat}:
                seen_by_seat = GAME.view(after, seat)
                assert seen_by_seat["own"] == {"card": before.locks.get(seat)}
                assert seen_by_seat | {"own": None} == GAME.view(after) | {"own": None}
            assert GAME.view(after, choice.seat)["own"] == {"card": other.card}
        assert len(seen) == 1


@given(seats=SEATS, seed=SEEDS)
def test_R21_unlocking_says_no_card(seats: list[str], seed: int) -> None:
    """A lock taken back is told without its card."""
    rng = random.Random(seed)
    state = opened(seats, seed)
    seat, other = rng.sample(seats, 2)
    seen = set()
    for card in range(1, 8):
        locked = GAME.apply(state, *GAME.decide(state, Lock(seat, card)))
        events = GAME.decide(locked, GAME.choice_from_json(locked, {"do": "unlock", "seat": seat}))
        back = GAME.apply(locked, *events)
        assert back == state
        seen.add(public(locked, events, back))
        assert GAME.view(locked, other)["own"] == {"card": None}
    assert len(seen) == 1
