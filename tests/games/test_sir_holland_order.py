"""Sir Holland, who acts first and who has won: R22 to R24, R70, R71, R76 to R79, A54b to A61, every worked example.

Everything is also computed here a second time, the naive way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.sir_holland import desk
from companion.games.sir_holland.rulebook import RULEBOOK
from companion.games.sir_holland.state import HouseRules, Revealed
from companion.wording import Wording
from tests.games.picture import FOUR, GAME, THREE, TWO, finish, plain, play, reveal, table

WORDS = Wording("en", GAME.term)


def naive_order(seats: Sequence[str], gryphon: str, cards: Mapping[str, int]) -> tuple[str, ...]:
    """Go through the numbers upwards; within one, walk round the table from the gryphon to the left."""
    queue: list[str] = []
    for number in range(1, 8):
        seat = gryphon
        while True:
            if cards.get(seat) == number:
                queue.append(seat)
            seat = seats[(seats.index(seat) + 1) % len(seats)]
            if seat == gryphon:
                break
    return tuple(queue)


# --- worked examples of order -----------------------------------------------------------------------------------


@pytest.mark.parametrize("gryphon", ["blue", "red"])
def test_R22_playing_example_1(gryphon: str) -> None:
    """Red's 2 goes before Blue's 5, whoever holds the gryphon."""
    assert desk.order(("blue", "red"), gryphon, {"blue": 5, "red": 2}) == ("red", "blue")


def test_R23_playing_example_2() -> None:
    """Blue and Red tie, Blue holds the gryphon and goes first."""
    cards = {"blue": 2, "yellow": 3, "red": 2}
    assert desk.order(("blue", "yellow", "red"), "blue", cards) == ("blue", "red", "yellow")


def test_R24_playing_example_3() -> None:
    """Red and Blue tie, Yellow holds the gryphon, and Red sits next to Yellow's left."""
    cards = {"yellow": 4, "red": 2, "blue": 2}
    assert desk.order(("yellow", "red", "blue"), "yellow", cards) == ("red", "blue", "yellow")


def test_R23_R70_rest_example_3() -> None:
    """All three rest: Yellow, Blue, Red, and the gryphon ends with Red."""
    seats = ("yellow", "blue", "red")
    state = reveal(table(seats=seats, gryphon="yellow"))
    assert state.queue == ("yellow", "blue", "red")
    assert finish(state).gryphon == "red"


def test_R24_R70_rest_example_4() -> None:
    """Green plays 5, the others rest: Green, Red, Blue, Yellow, and the gryphon ends with Yellow."""
    seats = ("green", "red", "blue", "yellow")
    state = reveal(table(seats=seats, gryphon="green"), green=5)
    assert state.queue == seats
    assert finish(state).gryphon == "yellow"


# --- all orders -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [TWO, THREE, FOUR])
def test_R22_R23_R24_every_combination_of_cards(seats: tuple[str, ...]) -> None:
    """For every combination of cards and every gryphon holder the order is the naive one, and so are its reasons."""
    for gryphon in seats:
        for numbers in product(range(1, 8), repeat=len(seats)):
            cards = dict(zip(seats, numbers, strict=True))
            queue = naive_order(seats, gryphon, cards)
            assert desk.order(seats, gryphon, cards) == queue, (gryphon, cards)
            places = desk.explain_order(seats, gryphon, cards)
            assert [(p.seat, p.card) for p in places] == [(s, cards[s]) for s in queue]
            for place in places:
                tied = numbers.count(place.card) > 1
                assert place.rule == ("R22" if not tied else "R23" if cards[gryphon] == place.card else "R24")


def test_R22_every_combination_at_the_table() -> None:
    """What the reveal says is the order of the dispute desk, for every pair of cards, holder and seating."""
    for seats in permutations(TWO):
        for gryphon, red, blue in product(TWO, range(1, 8), range(1, 8)):
            state = reveal(table(seats=seats, gryphon=gryphon), red=red, blue=blue)
            assert state.queue == naive_order(seats, gryphon, {"red": red, "blue": blue})


def test_R22_seats_without_a_card_have_no_turn() -> None:
    """Who sits a round out is in no order."""
    assert desk.order(FOUR, "blue", {"red": 3, "green": 3}) == ("green", "red")


def test_R23_reasons_are_told_in_words() -> None:
    """Each place in the order comes with a sentence that names numbers, holder and direction."""
    cards = {"red": 2, "blue": 2, "green": 2, "yellow": 5}
    assert [WORDS(p.message) for p in desk.explain_order(FOUR, "blue", cards)] == [
        "Blue, Green and Red played 2. Blue holds the gryphon and goes before Green and Red.",
        "Blue, Green and Red played 2. Blue holds the gryphon; to the left of Blue, Green comes next.",
        "Blue, Green and Red played 2. Blue holds the gryphon; to the left of Green, Red comes next.",
        "Yellow comes after Red: 5 is higher than 2.",
    ]


@pytest.mark.parametrize("seats", [TWO, THREE, FOUR])
def test_R22_R23_the_order_is_told_in_two_sentences(seats: tuple[str, ...]) -> None:
    """Whatever was played: nobody waits for a long speech, and every seat and every tie is named."""
    for numbers in product((1, 2, 3), repeat=len(seats)):
        cards = dict(zip(seats, numbers, strict=True))
        queue = desk.order(seats, seats[1], cards)
        told = [WORDS(m) for m in GAME.tell(table(seats=seats, gryphon=seats[1]), [Revealed(cards, queue)], None)]
        assert len(told) == 2
        assert all(seat.capitalize() in told[0] + told[1] for seat in seats)
        for card in set(numbers):
            assert numbers.count(card) < 2 or f"played {card} " in told[0] + told[1]


def test_R23_R24_the_order_as_it_is_told() -> None:
    """Three at the table, and then four, with a tie in each place."""

    def told(seats: tuple[str, ...], gryphon: str, **cards: int) -> list[str]:
        queue = desk.order(seats, gryphon, cards)
        return [WORDS(m) for m in GAME.tell(table(seats=seats, gryphon=gryphon), [Revealed(cards, queue)], None)]

    three, four = ("red", "blue", "green"), ("red", "blue", "green", "yellow")
    assert told(three, "blue", red=2, blue=2, green=5) == [
        "Blue and Red played 2 (Chase): Blue has the gryphon and goes first.",
        "Then Red and Green.",
    ]
    assert told(four, "green", red=2, blue=2, green=5, yellow=5) == [
        "Red and Blue played 2 (Chase): counting to the left from Green, who has the gryphon, Red comes first.",
        "Then Blue, Green and Yellow: Green and Yellow played 5 (Climb), and Green has the gryphon.",
    ]
    assert told(three, "red", red=4, blue=1, green=4) == [
        "Blue goes first with 1 (Hide), the lowest number.",
        "Then Red and Green, who played 4 (Capture): Red has the gryphon.",
    ]


@pytest.mark.parametrize("seats", [TWO, THREE, FOUR])
def test_R71_the_gryphon_at_each_moment_gives_the_same_order(seats: tuple[str, ...]) -> None:
    """Taking the holder at the reveal or, rest by rest, the holder of the moment makes no difference."""
    for gryphon in seats:
        for numbers in product((1, 7), repeat=len(seats)):
            cards = dict(zip(seats, numbers, strict=True))
            holder, acted = gryphon, []
            while len(acted) < len(seats):
                seat = naive_order(seats, holder, {s: c for s, c in cards.items() if s not in acted})[0]
                acted.append(seat)
                holder = seat if cards[seat] == 7 else holder
            assert tuple(acted) == desk.order(seats, gryphon, cards)


# --- worked examples of the winner ------------------------------------------------------------------------------


def judge(
    ended_by: str,
    gryphon: str,
    saved: Mapping[str, int],
    levels: Mapping[str, Sequence[int]] | None = None,
    seats: Sequence[str] | None = None,
    out: Sequence[str] = (),
    **rules: Any,
) -> tuple[str, str]:
    """Winner and what decided."""
    seats = seats or tuple(saved)
    result, steps = desk.winner(seats, gryphon, ended_by, saved, levels or {}, HouseRules(**rules), out)
    assert steps and all(WORDS(s.message) and RULEBOOK.find(s.rule) for s in steps)
    return result.winner, result.decided_by


def test_R79_winning_example_1() -> None:
    """Four seats with two heroes each: the gryphon decides at once."""
    assert judge("saved", "red", dict.fromkeys(FOUR, 2)) == ("red", "gryphon")


def test_A55_winning_example_1_with_its_misprint() -> None:
    """With Blue at one hero and three seats at two, the gryphon decides, as printed."""
    assert judge("saved", "red", {"red": 2, "blue": 1, "green": 2, "yellow": 2}) == ("red", "gryphon")


ONE_EACH = {"yellow": 1, "blue": 1, "red": 1}


def test_R77_winning_example_2() -> None:
    """One hero saved each: Red's other hero stands highest."""
    assert judge("rested", "yellow", ONE_EACH, {"red": [5], "blue": [4], "yellow": [3]}) == ("red", "level")


def test_A56_R78_winning_example_3() -> None:
    """Red and Blue stand equally high, and Red holds the gryphon in this example."""
    assert judge("rested", "red", ONE_EACH, {"red": [5], "blue": [5], "yellow": [3]}) == ("red", "gryphon")


def test_R78_winning_example_4() -> None:
    """Red and Blue stand equally high, Yellow holds the gryphon, and Blue sits next to Yellow's left."""
    assert judge("rested", "yellow", ONE_EACH, {"red": [5], "blue": [5], "yellow": [3]}) == ("blue", "gryphon")


def test_A57_R76_winning_example_5() -> None:
    """Red alone has saved a hero, and that decides before the gryphon does."""
    assert judge("rested", "red", {"red": 1, "blue": 0, "yellow": 0}) == ("red", "saved")
    assert judge("rested", "blue", {"red": 1, "blue": 0, "yellow": 0}) == ("red", "saved")


def test_R76_most_saved_heroes_win() -> None:
    """More saved heroes win, whatever the levels and the gryphon say."""
    levels = {"red": [1], "blue": [5, 5]}
    assert judge("rested", "blue", {"red": 1, "blue": 0}, levels) == ("red", "saved")
    assert judge("saved", "blue", {"red": 2, "blue": 1}, {"blue": [5]}) == ("red", "saved")


def test_R79_levels_do_not_count_after_saves() -> None:
    """In a game that ended by saved heroes a tie goes straight to the gryphon."""
    seats = {"red": 2, "blue": 2, "green": 0}
    assert judge("saved", "green", seats, {"green": [5, 5]}) == ("red", "gryphon")


def test_R76_at_the_table() -> None:
    """The position at the end of a game is judged like the numbers at the desk."""
    state = play(reveal(table(plain("roof: red.1", "a5: red.2")), red=1), "move red.2 roof", "end", "rest")
    assert GAME.result(state).winners == ("red",)
    assert state.result.levels == {"red": (), "blue": (1, 1)}
    assert [WORDS(m) for m in GAME.result(state).steps] == ["Most heroes saved: Red, with 2 heroes."]


def test_A54b_double_save_gryphon() -> None:
    """By default a tie at two goes to the gryphon, whoever was out first."""
    assert judge("saved", "blue", {"red": 2, "blue": 2}, out=("red", "blue")) == ("blue", "gryphon")


def test_A54b_double_save_first_out() -> None:
    """With the house rule it goes to the seat whose second hero got out first, at the table as well."""
    rule = {"double_save": "first_out"}
    assert judge("saved", "blue", {"red": 2, "blue": 2}, out=("red", "blue"), **rule) == ("red", "first_out")
    assert judge("saved", "blue", {"red": 2, "blue": 2}, **rule) == ("blue", "gryphon")
    assert judge("saved", "blue", {"red": 2, "blue": 1}, {"blue": [5]}, out=("red",), **rule) == ("red", "saved")
    assert judge("saved", "blue", {"red": 1, "blue": 1}, out=("red",), **rule) == ("blue", "gryphon")
    start = table(plain("roof: red.1 blue.1", "a5: red.2", "b5: blue.2"), gryphon="blue", double_save="first_out")
    state = play(reveal(start, red=2, blue=5), "move red.2 roof", "end", "climb blue.2 roof", "end")
    assert (state.result.winner, state.result.decided_by) == ("red", "first_out")
    assert "Our house rule: that wins." in WORDS(GAME.result(state).steps[-1])


def test_A58_saved_heroes_before_levels() -> None:
    """By default saved heroes count before levels."""
    assert judge("rested", "red", {"red": 1, "blue": 0}, {"red": [3], "blue": [4, 1]}) == ("red", "saved")


def test_A58_rest_end_order_level_first() -> None:
    """With `level_first` levels count before saved heroes, a missing hero as 0, but only after the last rests."""
    rule, saved = {"rest_end_order": "level_first"}, {"red": 1, "blue": 0}
    assert judge("rested", "red", saved, {"red": [3], "blue": [4, 1]}, **rule) == ("blue", "level")
    assert judge("rested", "red", saved, {"red": [4], "blue": [4, 1]}, **rule) == ("blue", "level")
    best = {**rule, "level_compare": "best_only"}
    assert judge("rested", "blue", saved, {"red": [4], "blue": [4, 1]}, **best) == ("red", "saved")
    assert judge("saved", "red", {"red": 2, "blue": 0}, {"blue": [5, 5]}, **rule) == ("red", "saved")


def test_A59_level_compare_best_then_second() -> None:
    """By default the higher heroes are compared, then the lower ones."""
    none = {"red": 0, "blue": 0}
    assert judge("rested", "blue", none, {"red": [5, 1], "blue": [4, 4]}) == ("red", "level")
    assert judge("rested", "blue", none, {"red": [2, 5], "blue": [5, 1]}) == ("red", "level")


def test_A59_level_compare_best_only() -> None:
    """With `best_only` the lower heroes do not count."""
    none = {"red": 0, "blue": 0}
    rule = {"level_compare": "best_only"}
    assert judge("rested", "blue", none, {"red": [2, 5], "blue": [5, 1]}, **rule) == ("blue", "gryphon")
    assert judge("rested", "blue", none, {"red": [5, 1], "blue": [4, 4]}, level_compare="best_only") == ("red", "level")


def test_A59_level_compare_sum() -> None:
    """With `sum` the levels of both heroes are added up."""
    none = {"red": 0, "blue": 0}
    assert judge("rested", "red", none, {"red": [5, 1], "blue": [4, 4]}, level_compare="sum") == ("blue", "level")
    assert judge("rested", "red", none, {"red": [5, 3], "blue": [4, 4]}, level_compare="sum") == ("red", "gryphon")


def test_A61_a_dungeon_is_level_1_and_the_terrace_no_level() -> None:
    """Heroes in a dungeon count as level 1, saved ones only as saved."""
    state = table(plain("roof: red.1", "e2: red.2"))
    state = rested_out(state)
    assert state.result.levels == {"red": (2,), "blue": (1, 1)}


def rested_out(state: Any) -> Any:
    """Rest until the game is over."""
    while state.phase != "over":
        state = finish(reveal(state, **{s: state.hands[s][0] if state.rests[s] >= 2 else 7 for s in state.seats}))
    return state


# --- the winner, the naive way ----------------------------------------------------------------------------------


def naive_winner(
    seats: Sequence[str], gryphon: str, ended_by: str, saved: Any, levels: Any, rules: Mapping[str, Any], out: Any
) -> tuple[str, str]:
    """Give each seat one long score; the position after which only one seat is best has decided."""
    compare = rules.get("level_compare", "best_then_second")

    def height(seat: str) -> tuple[int, ...]:
        high, low = [*sorted(levels.get(seat, []))[::-1], 0, 0][:2]
        return {"best_then_second": (high, low), "best_only": (high,), "sum": (high + low,)}[compare]

    def round_the_table(seat: str) -> int:
        return -((seats.index(seat) - seats.index(gryphon)) % len(seats))

    if ended_by == "saved":
        scores = [("saved", lambda s: saved[s])]
        if rules.get("double_save") == "first_out" and max(saved.values()) == 2:
            scores.append(("first_out", lambda s: -out.index(s) if s in out else -9))
    else:
        scores = [("saved", lambda s: saved[s]), ("level", height)]
        if rules.get("rest_end_order") == "level_first":
            scores.reverse()
    left = list(seats)
    for name, score in [*scores, ("gryphon", round_the_table)]:
        best = max(score(s) for s in left)
        left = [s for s in left if score(s) == best]
        if len(left) == 1:
            return left[0], name
    raise AssertionError(left)


@st.composite
def ends(draw: st.DrawFn) -> Any:
    """An end of a game as the desk is asked about it."""
    seats = draw(st.permutations(FOUR))[: draw(st.integers(2, 4))]
    ended_by = draw(st.sampled_from(["saved", "rested"]))
    saved = {s: draw(st.integers(0, 2)) for s in seats}
    levels = {s: draw(st.lists(st.integers(1, 5), min_size=2 - n, max_size=2 - n)) for s, n in saved.items()}
    switches = {s.id: draw(st.sampled_from(s.values)) for s in RULEBOOK.switches}
    out = draw(st.permutations(seats))
    return seats, draw(st.sampled_from(seats)), ended_by, saved, levels, switches, out[: draw(st.integers(0, 4))]


@settings(deadline=None, max_examples=6 * settings().max_examples)
@given(end=ends())
def test_the_winner_is_the_naive_one(end: Any) -> None:
    """For random ends of games, under any switches, winner and deciding step are those of the naive way."""
    seats, gryphon, ended_by, saved, levels, switches, out = end
    result, steps = desk.winner(seats, gryphon, ended_by, saved, levels, HouseRules(**switches), out)
    assert (result.winner, result.decided_by) == naive_winner(seats, gryphon, ended_by, saved, levels, switches, out)
    assert result.saved == saved
    assert steps[-1].rule == {"saved": "R76", "level": "R77", "first_out": "A54b"}.get(
        result.decided_by, "R79" if ended_by == "saved" else "R78"
    )
