"""How fast the rules of Sir Holland are: the widest turns, the order of play, random games against python-chess.

`python -m tests.bench.bench_rules`. Prints what it measured and from how many samples; it judges nothing.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Iterable
from itertools import combinations, permutations
from time import perf_counter, perf_counter_ns, thread_time_ns
from typing import Any

import chess

from companion.games.sir_holland import SirHolland, desk, paths, setup
from companion.games.sir_holland.state import CAPTURE, EXPLOSION, REST, SQUARES, Lock, State, Tower

GAME = SirHolland()
SEATS = ("red", "blue", "green", "yellow")
GOAL_CHOICES = "p99 under 1 ms"
GOAL_ORDER = "under 50 us"
GOAL_GAMES = "1.5 times python-chess or more"


Sample = tuple[int, int]
"""Nanoseconds by the clock on the wall, and of this thread's own: a busy machine shows in the first alone."""


def line(what: str, samples: list[Sample], goal: str) -> str:
    """One row: percentiles in microseconds."""
    wall, own = zip(*samples, strict=True)
    cuts = statistics.quantiles(wall, n=100, method="inclusive")
    p50, p90, p99, most = (n / 1000 for n in (cuts[49], cuts[89], cuts[98], max(wall)))
    own99 = statistics.quantiles(own, n=100, method="inclusive")[98] / 1000
    return f"{what:<64} {p50:8.1f} {p90:8.1f} {p99:8.1f} {most:9.1f} {own99:9.1f}   {len(samples):7}  {goal}"


def timed(call: Callable[[Any], Any], arguments: Iterable[Any]) -> list[Sample]:
    """Every single call."""
    samples = []
    for argument in arguments:
        own, wall = thread_time_ns(), perf_counter_ns()
        call(argument)
        samples.append((perf_counter_ns() - wall, thread_time_ns() - own))
    return samples


# --- the widest turns -------------------------------------------------------------------------------------------


def turn(tower: Tower, card: int) -> State:
    """Red's turn with that card in that tower, while everyone else waits to rest."""
    (opened,) = GAME.open(SEATS, {"tower": list(tower), "gryphon": "red"}, random.Random(0))
    state = GAME.apply(None, opened)
    for seat in SEATS:
        for event in GAME.decide(state, Lock(seat, card if seat == "red" else REST)):
            state = GAME.apply(state, event)
    return state


def widest(tower: Tower, card: int, places: Iterable[dict[str, str]]) -> State:
    """The one of these positions with the most choices."""
    state = turn(tower, card)
    states = [state._replace(figures={**state.figures, **figures}) for figures in places]
    return max(states, key=lambda s: len(GAME.choices(s)))


def capture(tower: Tower) -> State:
    """Card 4 with both villains in column c and out of each other's way."""
    levels = permutations("12345", 2)
    return widest(tower, CAPTURE, ({"wizard": f"c{a}", "knight": f"c{b}"} for a, b in levels))


def explosion(tower: Tower) -> State:
    """Card 3 with both heroes free, on passages and ropes or beside them."""
    above = [s for s in SQUARES if s[1] != "1"]
    villains = {"wizard": "b1", "knight": "d1"}
    return widest(tower, EXPLOSION, ({"red.1": a, "red.2": b} | villains for a, b in combinations(above, 2)))


def forget() -> None:
    """Empty what the rules remember of towers that they have seen."""
    for function in vars(paths).values():
        if hasattr(function, "cache_clear"):
            function.cache_clear()


def widest_turns() -> None:
    rng = random.Random(1)
    towers = [setup.deal(rng) for _ in range(300)]
    for name, build in (("card 4, both villains in column c", capture), ("card 3, both heroes free", explosion)):
        states = [build(t) for t in towers]
        state = max(states, key=lambda s: len(GAME.choices(s)))
        n = len(GAME.choices(state))
        print(line(f"choices: {name}, the widest ({n} choices)", timed(GAME.choices, [state] * 5000), GOAL_CHOICES))
        print(line("  another tower each time", timed(GAME.choices, states * 16), GOAL_CHOICES))
        cold = []
        for one in states * 8:
            forget()
            cold += timed(GAME.choices, [one])
        print(line("  another tower each time, nothing remembered", cold, GOAL_CHOICES))


def orders() -> None:
    rng = random.Random(2)
    asked = [(rng.choice(SEATS), {s: rng.randint(1, 7) for s in SEATS}) for _ in range(20_000)]
    print(line("order of play, four seats", timed(lambda a: desk.order(SEATS, *a), asked), GOAL_ORDER))
    print(line("  with the reasons", timed(lambda a: desk.explain_order(SEATS, *a), asked), GOAL_ORDER))


# --- random games -----------------------------------------------------------------------------------------------


def sir_holland_game(rng: random.Random, seats: tuple[str, ...]) -> int:
    """List what is legal, pick one, play it, to the end; gives how many choices that took."""
    (opened,) = GAME.open(seats, {}, rng)
    state, played = GAME.apply(None, opened), 0
    while state.result is None:
        choice = rng.choice(GAME.choices(state))
        for event in GAME.decide(state, choice):
            state = GAME.apply(state, event)
        played += 1
    return played


def chess_game(rng: random.Random) -> int:
    """The same, with the library's own question whether the game is over."""
    board = chess.Board()
    while not board.is_game_over():
        board.push(rng.choice(list(board.legal_moves)))
    return board.ply()


def lean_chess_game(rng: random.Random) -> int:
    """The same, with the cheapest question that ends a random game: no move left, 75 moves, or too few pieces."""
    board = chess.Board()
    while moves := list(board.legal_moves):
        if board.halfmove_clock >= 150 or board.is_insufficient_material():
            break
        board.push(rng.choice(moves))
    return board.ply()


def random_games(seconds: float = 3.0, turns: int = 5) -> None:
    """All kinds of game take turns, so that a busy machine is busy for all of them."""
    kinds: dict[str, Callable[[random.Random], int]] = {
        "Sir Holland, 2 seats": lambda rng: sir_holland_game(rng, SEATS[:2]),
        "Sir Holland, 3 seats": lambda rng: sir_holland_game(rng, SEATS[:3]),
        "Sir Holland, 4 seats": lambda rng: sir_holland_game(rng, SEATS),
        "python-chess, is_game_over()": chess_game,
        "python-chess, lean": lean_chess_game,
    }
    spent = dict.fromkeys(kinds, 0.0)
    games, plies = dict.fromkeys(kinds, 0), dict.fromkeys(kinds, 0)
    for number in range(turns):
        for name, play in kinds.items():
            rng = random.Random(number)
            begin = perf_counter()
            while perf_counter() - begin < seconds / turns:
                plies[name] += play(rng)
                games[name] += 1
            spent[name] += perf_counter() - begin
    by_game = {name: games[name] / spent[name] for name in kinds}
    by_ply = {name: plies[name] / spent[name] for name in kinds}
    print(f"\n{'random games':<32} {'games/s':>8} {'plies/s':>9} {'plies/game':>11} {'games':>7}")
    for name in kinds:
        print(f"{name:<32} {by_game[name]:8.1f} {by_ply[name]:9.0f} {plies[name] / games[name]:11.1f} {games[name]:7}")
    heads = f"{'games/s':>8} {'plies/s':>9} {'games/s, lean':>14} {'plies/s, lean':>14}"
    print(f"\n{'times python-chess':<32} {heads}   goal: {GOAL_GAMES}")
    for name in list(kinds)[:3]:
        ratios = [
            by[name] / by[rival]
            for rival in ("python-chess, is_game_over()", "python-chess, lean")
            for by in (by_game, by_ply)
        ]
        print(f"{name:<32} {ratios[0]:8.2f} {ratios[1]:9.2f} {ratios[2]:14.2f} {ratios[3]:14.2f}")


def main() -> None:
    heads = f"{'p50':>8} {'p90':>8} {'p99':>8} {'max':>9} {'own p99':>9}   {'samples':>7}"
    print(f"{'microseconds':<64} {heads}  goal")
    widest_turns()
    orders()
    random_games()


if __name__ == "__main__":
    main()
