"""Sir Holland, from the choice of cards to the end of the game: R21 to R29, R66 to R75, A37, A38, A48 to A69."""

from __future__ import annotations

import pytest

from companion.games.base import BadSetup
from companion.games.sir_holland import setup
from tests.games.picture import (
    FOUR,
    GAME,
    THREE,
    after,
    finish,
    happens,
    plain,
    play,
    refused,
    reveal,
    rounds,
    table,
    told,
    turn,
    ways,
    why,
)

# --- choosing ---------------------------------------------------------------------------------------------------


def test_R21_chosen_in_secret_and_revealed_together() -> None:
    """Nobody sees a locked card, and with the last lock all cards lie open at once."""
    state = play(table(seats=THREE), "lock red 2", "lock green 5")
    assert GAME.view(state)["locked"] == ["green", "red"]
    assert GAME.view(state)["cards"] == {}
    state = play(state, "lock blue 4")
    assert state.phase == "resolve" and state.turn.seat == "red"
    assert GAME.view(state)["cards"] == {"red": 2, "blue": 4, "green": 5}
    assert GAME.view(state)["locked"] == []


def test_R21_a_lock_may_be_taken_back_before_the_reveal() -> None:
    """A locked seat unlocks before it locks again, and nobody does either after the reveal."""
    state = play(table(), "lock red 2")
    assert refused(state, "lock red 3") == refused(state, "unlock blue") == "R21"
    state = play(state, "unlock red", "lock red 3", "lock blue 4")
    assert state.cards["red"] == 3
    assert refused(state, "unlock red") == refused(state, "lock red 5") == "R21"


def test_R21_no_move_before_the_reveal() -> None:
    """While cards are being chosen nobody acts."""
    for words in ("move red.1 a1", "end", "rest", "villain wizard c3", "fall red.1 b1"):
        assert refused(table(), words) == "R21"


def test_R22_nobody_acts_out_of_turn() -> None:
    """Only the seat at the head of the order acts."""
    state = reveal(table(), red=2, blue=3)
    assert refused(state, "blue: move blue.1 a1") == refused(state, "blue: end") == "R22"
    assert "Red acts now." in why(state, "blue: end")


def test_R25_a_used_card_is_out_of_hand_until_its_owner_rests() -> None:
    """A card leaves the hand with the reveal and comes back by resting."""
    state = rounds(table(), {"red": 2, "blue": 3})
    assert refused(state, "lock red 2") == "R25"
    assert "Still in hand: 1, 3, 4, 5, 6 and 7." in why(state, "lock red 2")
    state = rounds(state, {"red": 7, "blue": 2})
    assert ways(state, "lock red") == set("1234567")
    assert ways(state, "lock blue") == set("14567")


def test_R26_there_is_always_a_card_to_play() -> None:
    """After six other cards only the rest is left, and it brings all of them back, a third time too."""
    state = table()
    for _ in range(2):
        state = rounds(state, *({"red": n, "blue": n} for n in range(1, 7)))
        assert ways(state, "lock red") == ways(state, "lock blue") == {"7"}
        state = rounds(state, {})
        assert state.hands["red"] == (1, 2, 3, 4, 5, 6, 7)


# --- using a card -----------------------------------------------------------------------------------------------


def test_R27_two_halves_in_either_order_and_either_may_be_dropped() -> None:
    """The turn may end after both halves in either order, after one, or after none."""
    for words in ((), ("move red.1 a1",), ("villain wizard c3",), ("move red.1 a1", "villain wizard c3")):
        for order in (words, words[::-1]):
            assert play(turn(2), *order, "end").turn.seat == "blue"


def test_R28_points_are_shared_among_ones_own_heroes() -> None:
    """Two points may go to one hero, or one to each, never to a hero of somebody else."""
    assert play(turn(2), "move red.1 a1", "move red.2 e1").turn.points == 0
    assert play(turn(2), "move red.1 a1", "move red.1 a2").turn.points == 0
    assert play(turn(2), "move red.1 a1 a2").turn.points == 0
    assert refused(turn(2), "move blue.1 a1") == refused(turn(2), "move wizard a2") == "R28"
    assert refused(turn(5), "climb blue.1 b2") == refused(turn(6), "portal blue.1 b2") == "R28"


def test_R28_villain_moves_are_shared_among_the_villains() -> None:
    """Capture's three moves go to one villain or to both, in either order."""
    assert play(turn(4), "villain wizard c3 d3 e3").turn.special == 0
    assert play(turn(4), "villain wizard c3 d3", "villain knight c5").turn.special == 0
    assert play(turn(4), "villain knight c5", "villain wizard c3 d3").turn.special == 0


def test_R28_portal_moves_are_shared_among_ones_own_heroes() -> None:
    """Card 6's two portal moves go to one hero or one to each."""
    there = plain("c1: red.1", "c5: red.2", "e5: wizard", "e4: knight")
    assert play(turn(6, there), "portal red.1 c2", "portal red.2 c4").turn.special == 0
    assert play(turn(6, there), "portal red.1 c2 c3").turn.special == 0


@pytest.mark.parametrize(
    ("card", "points", "special"), [(1, 1, 1), (2, 2, 1), (3, 2, 1), (4, 1, 3), (5, 1, 1), (6, 1, 2), (7, 0, 0)]
)
def test_R29_the_budget_of_each_card(card: int, points: int, special: int) -> None:
    """Each card gives the movement points and the other half that the table of rule 29 names."""
    state = turn(card)
    assert (state.turn.card, state.turn.points, state.turn.special) == (card, points, special)
    assert max((len(way.split()) for way in ways(state, "move red.2")), default=0) == points  # no passage near d1


HALVES = {1: "hide red.1", 2: "villain wizard c3", 3: "explode a2", 4: "villain wizard c3", 5: "climb red.1 b2"}


@pytest.mark.parametrize("card", range(1, 7))
def test_R29_a_card_gives_its_own_other_half_only(card: int) -> None:
    """The other halves of other cards are refused."""
    for other, words in HALVES.items():
        if other != card and {other, card} != {2, 4}:
            assert refused(turn(card), words) == "R29"
    assert refused(turn(card), "rest") == "R29"


def test_R29_no_more_than_the_budget() -> None:
    """Paths that cost more than is left, and a second use of a half that is used up, are refused."""
    assert refused(turn(1), "move red.1 c1 d1") == "R29"
    assert refused(turn(2), "villain wizard c3 d3") == refused(turn(4), "villain wizard c3 d3 e3 d3") == "R29"
    assert refused(turn(6, plain("c1: red.1", "e5: wizard")), "portal red.1 c2 c3 c4") == "R29"
    for words, again in (("villain wizard c3", "villain wizard c2"), ("move red.1 c1 d1", "move red.2 e1")):
        assert refused(play(turn(2, interleave="on"), words), again) == "R29"
    assert refused(play(turn(3), "explode a2"), "explode b2") == "R29"
    assert refused(play(turn(1), "hide red.1"), "hide red.2") == "R29"


def test_A37_one_half_then_the_other() -> None:
    """By default beginning a half closes the other one if that was begun before."""
    state = play(turn(2), "move red.1 a1", "villain wizard c3")
    assert state.turn.points == 0
    assert refused(state, "move red.1 a2") == "A37"
    state = play(turn(4), "villain wizard c3", "move red.1 a1")
    assert state.turn.special == 0
    assert refused(state, "villain knight c5") == "A37"
    state = play(turn(6, plain("c1: red.1", "e5: wizard")), "portal red.1 c2", "move red.2 e1")
    assert refused(state, "portal red.1 c3") == "A37"


def test_A37_interleave_on() -> None:
    """With the house rule nothing closes: point, villain, point goes."""
    state = play(turn(2, interleave="on"), "move red.1 a1", "villain wizard c3", "move red.1 a2")
    assert state.figures["red.1"] == "a2"
    state = play(turn(4, interleave="on"), "villain wizard c3", "move red.1 a1", "villain knight c5")
    assert state.turn.special == 1


def test_A38_a_stop_is_judged_at_the_end_of_each_walk() -> None:
    """One's own hero has to leave before the other moves in, within one card too."""
    state = turn(2, plain("a3: red.1", "b3: red.2"))
    assert refused(state, "move red.1 b3") == "R31"
    assert play(state, "move red.2 c3", "move red.1 b3").figures["red.1"] == "b3"


def test_A62_a_card_is_played_but_need_not_be_used() -> None:
    """Doing nothing with a card is legal, a round without a card is not, and a rest has all its effects."""
    assert play(turn(3), "end").hands["red"] == (1, 2, 4, 5, 6, 7)
    state = turn(7)
    assert [GAME.choice_to_json(c)["do"] for c in GAME.choices(state)] == ["rest"]
    assert refused(state, "end") == refused(state, "move red.1 a1") == "R66"


# --- rest and gryphon -------------------------------------------------------------------------------------------


def test_R66_rest_brings_all_cards_back() -> None:
    """After a rest the hand is whole, card 7 included."""
    state = rounds(table(), {"red": 1, "blue": 1}, {"red": 5, "blue": 2}, {"red": 7, "blue": 3})
    assert state.hands == {"red": (1, 2, 3, 4, 5, 6, 7), "blue": (4, 5, 6, 7)}


def test_R67_the_first_two_rests_turn_the_character_card() -> None:
    """Card 7 ex. 1 and 2: sideways, then face down; a later rest turns nothing."""
    state = table()
    for count, turned in ((1, "sideways"), (2, "face down"), (3, None)):
        state = play(reveal(state, blue=count), "end")
        said = " ".join(told(state, "rest"))
        assert (f"turn your character card {turned}." in said) if turned else ("character card" not in said)
        state = play(state, "rest")
        assert state.rests["red"] == count


def test_R68_each_rest_takes_the_gryphon() -> None:
    """Whoever rests holds the gryphon, at once."""
    state = play(reveal(table(), red=1), "end", "rest")
    assert state.gryphon == "blue"


@pytest.mark.parametrize("card", range(1, 8))
def test_R69_rest_at_any_time(card: int) -> None:
    """A rest may be chosen with any number of cards left."""
    state = rounds(table(), *({"red": n, "blue": n} for n in range(1, card)))
    assert "7" in ways(state, "lock red")
    assert rounds(state, {}).rests["red"] == 1


def test_R70_the_last_to_rest_keeps_the_gryphon() -> None:
    """Of several rests in one round the last to resolve has the gryphon in the next."""
    state = reveal(table(seats=THREE, gryphon="blue"))
    assert state.queue == ("blue", "green", "red")
    state = finish(state)
    assert state.gryphon == "red"
    assert reveal(state, red=3, blue=3, green=3).queue == ("red", "blue", "green")


def test_A48_a_third_rest_is_allowed() -> None:
    """By default a third rest gives cards and gryphon and counts on."""
    state = after(table(), rests={"red": 2, "blue": 0}, round=9)
    state = finish(reveal(state, red=7, blue=1))
    assert state.rests["red"] == 3 and state.gryphon == "red"


def test_A48_third_rest_pass() -> None:
    """With the house rule a seat that has rested twice may not lock the rest in."""
    state = after(table(third_rest="pass"), rests={"red": 2, "blue": 0}, round=9)
    assert refused(state, "lock red 7") == "A48"
    assert ways(state, "lock red") == set("123456") and "7" in ways(state, "lock blue")


def test_A49_who_has_only_the_rest_left_sits_out() -> None:
    """With `third_rest: pass` such a seat counts as locked, has no turn, and the round goes on without it."""
    state = after(
        table(seats=THREE, third_rest="pass"),
        rests={"red": 2, "blue": 0, "green": 0},
        hands={"red": (7,), "blue": (1, 7), "green": (1, 7)},
        round=9,
    )
    assert GAME.view(state)["locked"] == ["red"]
    assert [seat for seat, _ in GAME.awaited(state)] == ["blue", "green"]
    assert refused(state, "lock red 7") == "A49" and refused(state, "unlock red") == "R21"
    state = play(state, "lock blue 1", "lock green 1")
    assert state.queue == ("blue", "green") and "red" not in state.cards
    state = finish(state)
    assert state.phase == "choose" and state.hands["red"] == (7,)


def test_A49_nobody_is_ever_without_a_card() -> None:
    """By default a seat with only card 7 rests, and a position with an empty hand is none."""
    state = after(table(), hands={"red": (7,), "blue": (7,)}, rests={"red": 2, "blue": 2}, round=15)
    assert ways(state, "lock red") == {"7"}
    data = GAME.state_to_json(state) | {"hands": {"red": [], "blue": [7]}}
    with pytest.raises(BadSetup) as error:
        GAME.state_from_json(data)
    assert "R26" in {f.rule for f in error.value.faults}


# --- the end ----------------------------------------------------------------------------------------------------

OUT = plain("roof: red.1", "a5: red.2")


def test_R72_the_game_ends_with_the_round_of_the_second_save() -> None:
    """When a seat has both heroes out, the game is over at the end of that round."""
    state = play(turn(2, OUT), "move red.2 roof", "end")
    assert state.phase == "resolve"
    state = play(state, "rest")
    assert state.phase == "over" and state.result.ended_by == "saved" and state.result.winner == "red"
    assert refused(state, "lock red 3") == refused(state, "end") == "R72"
    assert GAME.choices(state) == [] and GAME.awaited(state) == []


def test_R72_one_saved_hero_ends_nothing() -> None:
    """A first hero out, or one each, does not end the game."""
    state = finish(play(turn(2, plain("a5: red.1", "roof: blue.1")), "move red.1 roof"))
    assert state.phase == "choose" and state.result is None


def test_R73_the_round_is_played_out() -> None:
    """Winning ex. 1: who still waits for a turn gets it, and may draw level."""
    state = reveal(table(plain("roof: red.1 blue.1", "a5: red.2", "b5: blue.2"), gryphon="blue"), red=2, blue=5)
    state = play(state, "move red.2 roof", "end", "climb blue.2 roof", "end")
    assert state.result.saved == {"red": 2, "blue": 2}
    assert (state.result.winner, state.result.decided_by) == ("blue", "gryphon")


def test_R74_one_more_round_when_everyone_has_rested_twice() -> None:
    """After the round in which the last seat rests for the second time there is one round more, then the end."""
    state = rounds(table(), {}, {"red": 1}, {"red": 2}, {"red": 7, "blue": 1})
    assert state.rests == {"red": 2, "blue": 3} and state.final and state.phase == "choose"
    said = told(play(reveal(rounds(table(), {}, {"red": 1}, {"red": 2}), blue=1), "end"), "rest")
    assert "Everyone has rested twice. This is the last round." in said
    state = rounds(state, {"red": 1, "blue": 2})
    assert state.phase == "over" and state.result.ended_by == "rested"
    assert refused(state, "lock red 3") == "R74"


def test_R75_the_longest_game_has_15_rounds() -> None:
    """Who never rests before it has to makes a game of 15 rounds, and no longer one."""
    state, played = table(seats=FOUR), 0
    while state.phase != "over":
        played += 1
        card = (played - 1) % 7 + 1
        state = rounds(state, dict.fromkeys(FOUR, card))
    assert played == state.round == 15


def test_A50_A51_a_rest_in_the_last_round_moves_the_gryphon() -> None:
    """The gryphon that decides the game is where it lies after all rests of the last round."""
    state = rounds(table(), {}, {"red": 1, "blue": 1}, {})
    assert state.final and state.gryphon == "red"
    assert rounds(state, {"red": 2, "blue": 2}).result.winner == "red"
    state = rounds(state, {"red": 2, "blue": 7})
    assert (state.gryphon, state.result.winner, state.result.decided_by) == ("blue", "blue", "gryphon")


def test_A51_for_the_order_the_holder_at_the_reveal_counts() -> None:
    """Rests that are resolved earlier do not change the order of those that wait."""
    state = reveal(table(seats=FOUR, gryphon="green"), red=2)
    assert state.queue == ("red", "green", "yellow", "blue")
    state = play(state, "end", "rest")
    assert state.gryphon == "green" and state.queue == ("yellow", "blue")


def test_A52_not_at_once() -> None:
    """The second save does not stop the round, not even for its owner's other half of the card."""
    state = play(turn(2, OUT), "move red.2 roof")
    assert state.phase == "resolve" and ways(state, "villain wizard")
    assert play(state, "villain wizard c3").phase == "resolve"


def test_A53_one_extra_round() -> None:
    """By default one more round follows the round of the last second rest."""
    assert rounds(table(), {}, {"red": 1, "blue": 1}, {}).final


def test_A53_extra_round_no() -> None:
    """With the house rule the game ends with the round of the last second rest."""
    state = rounds(table(extra_round="no"), {}, {"red": 1, "blue": 1}, {})
    assert state.phase == "over" and state.result.ended_by == "rested" and not state.final


def test_A54a_a_second_save_takes_away_the_extra_round() -> None:
    """If both ends come in one round, the game ends by the saved heroes."""
    state = after(table(OUT), rests={"red": 2, "blue": 1}, round=9)
    state = play(reveal(state, red=2), "move red.2 roof", "end", "rest")
    assert state.rests["blue"] == 2
    assert state.phase == "over" and state.result.ended_by == "saved"


def test_A54a_in_the_final_round_too() -> None:
    """A second save in the last round ends the game as one by saved heroes."""
    state = after(table(OUT), rests={"red": 2, "blue": 2}, round=9, final=True)
    state = finish(play(reveal(state, red=2), "move red.2 roof"))
    assert state.result.ended_by == "saved"


def test_A69_played_out_whoever_holds_the_gryphon() -> None:
    """Also when the seat that saves its second hero does not hold the gryphon, the others act."""
    for holder in ("red", "blue"):
        state = reveal(table(OUT, gryphon=holder), red=2, blue=5)
        state = play(state, "move red.2 roof", "end", "move blue.1 a1")
        assert state.phase == "resolve"
        assert finish(state).phase == "over"


def test_the_seats_out_in_this_round_are_remembered_in_order() -> None:
    """`out` names who got its second hero out, in that order, and is empty again in a new round."""
    state = reveal(table(plain("roof: red.1 blue.1", "a5: red.2", "b5: blue.2")), red=5, blue=5)
    state = play(state, "climb red.2 roof", "end")
    assert state.out == ("red",) and happens(state, "climb blue.2 roof")[-1].second
    state = finish(play(state, "climb blue.2 roof"))
    assert state.out == ("red", "blue") and state.phase == "over"
    assert setup.faults(state) == []
