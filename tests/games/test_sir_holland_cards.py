"""Sir Holland, hiding and explosions: R54 to R65, A41 to A47, and the switches that change them."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.games.sir_holland import rules, setup
from companion.games.sir_holland.state import SQUARES, card_at
from tests.games.picture import (
    PLAIN,
    draw,
    finish,
    happens,
    plain,
    play,
    refused,
    reveal,
    table,
    tidy,
    told,
    turn,
    ways,
    why,
)

# --- hiding -----------------------------------------------------------------------------------------------------


def test_R54_a_hidden_hero_lies() -> None:
    """Hiding lays the figure down, and the table says so."""
    state = play(turn(1, plain("b3: red.1")), "hide red.1")
    assert state.lying == {"red.1"} and state.turn.used == ("red.1",)
    assert "lay the figure down" in " ".join(told(turn(1, plain("b3: red.1")), "hide red.1"))


def test_R55_not_on_a_portal() -> None:
    """No hero hides on a portal."""
    state = turn(1, plain("c3: red.1"))
    assert refused(state, "hide red.1") == "R55"
    assert why(state, "hide red.1").startswith("Red 1 cannot hide on c3: that is a portal.")
    assert refused(turn(1), "hide blue.1") == "R28"


def test_R56_up_again_in_the_next_round() -> None:
    """A hero hidden by card 1 stands up when the next round begins."""
    state = play(turn(1, plain("b3: red.1")), "hide red.1", "end")
    assert state.lying == {"red.1"}
    assert any("Stand Red 1 up again." in line for line in told(state, "rest"))
    assert play(state, "rest").lying == frozenset()


def test_R57_one_hero_walks_and_the_other_hides() -> None:
    """The movement point and the hiding may go to two heroes, in either order, or to one."""
    assert play(turn(1), "move red.1 a1", "hide red.2").lying == {"red.2"}
    assert play(turn(1), "hide red.2", "move red.1 a1").lying == {"red.2"}
    assert play(turn(1), "move red.1 a1", "hide red.1").lying == {"red.1"}


def test_R58_hiding_comes_before_every_villain_move_of_its_round() -> None:
    """Card 1 acts before 2 and 4, whoever holds the gryphon, so a hidden hero is safe in its round."""
    there = plain("b3: red.1", "c3: wizard", "a2: knight")
    for card in (2, 4):
        state = reveal(table(there, gryphon="blue"), red=1, blue=card)
        assert state.turn.seat == "red"
        state = play(state, "hide red.1", "end", "villain wizard b3")
        assert state.figures["red.1"] == "b3"


def test_R59_a_lying_hero_fills_its_card() -> None:
    """Nobody stops or lands where a hero lies."""
    assert refused(turn(2, plain("b3: (blue.1)", "a3: red.1")), "move red.1 b3") == "R31"
    state = play(turn(2, plain("a3: blue.1", "a2: (blue.2)", "b3: wizard")), "villain wizard a3")
    assert state.figures["blue.1"] == "a1"


def test_A41_hiding_ends_when_the_next_round_begins() -> None:
    """By default hidden heroes are up before the cards are chosen, and their owner's next turn changes nothing."""
    state = finish(play(turn(1, plain("b3: red.1", "c3: wizard")), "hide red.1"))
    assert state.phase == "choose" and state.lying == frozenset()
    state = play(reveal(state, red=3, blue=2), "villain wizard b3")
    assert state.figures["red.1"] == "b2"


def test_A41_hide_ends_at_the_owners_turn() -> None:
    """With the house rule a hidden hero lies until its owner acts again, which a rest is too."""
    state = play(turn(1, plain("b3: red.1", "c3: wizard"), hide_ends="owner_turn"), "hide red.1")
    state = finish(state)
    assert state.lying == {"red.1"}
    state = play(reveal(state, red=7, blue=2), "villain wizard b3")
    assert state.figures["red.1"] == "b3"
    state = play(state, "end")
    assert state.turn.seat == "red" and state.lying == frozenset()


def test_A42_hidden_is_done_for_this_turn() -> None:
    """A hero that hid does not move any more with the same card, its friend does."""
    state = play(turn(1), "hide red.1")
    assert refused(state, "move red.1 a1") == "A42"
    assert ways(state, "move red.1") == set() and ways(state, "move red.2") >= {"e1"}
    assert "Move first, then hide." in why(state, "move red.1 a1")


def test_A42_in_a_later_round_a_lying_hero_moves_and_stands() -> None:
    """With `owner_turn` the hero has stood up before its owner moves it."""
    state = finish(play(turn(1, plain("b3: red.1"), hide_ends="owner_turn"), "hide red.1"))
    state = play(reveal(state, red=2), "move red.1 a3")
    assert state.lying == frozenset()


def test_A43_hiding_is_not_prolonged() -> None:
    """Playing card 1 twice needs a rest in between, and the hero stands up meanwhile."""
    state = finish(play(turn(1, plain("b3: red.1")), "hide red.1"))
    assert refused(state, "lock red 1") == "R25"
    assert state.lying == frozenset()


def test_A44_hiding_in_a_dungeon_or_in_the_room() -> None:
    """Both are allowed; in the room the hero goes on lying when the others stand up."""
    assert play(turn(1), "hide red.1").lying == {"red.1"}
    state = finish(play(turn(1, plain("e3: (red.1)")), "hide red.1"))
    assert state.lying == {"red.1"}
    kept = finish(play(turn(1, plain("e3: (red.1)"), hide_ends="owner_turn"), "hide red.1"))
    assert reveal(kept, red=2).lying == {"red.1"}


def test_A45_a_hidden_hero_rides_and_stays_hidden() -> None:
    """An explosion carries a hidden hero down with its card, and it lies on."""
    state = reveal(table(plain("a4: red.1")), red=1, blue=3)
    state = play(state, "hide red.1", "end", "explode a3")
    assert state.figures["red.1"] == "a3" and state.lying == {"red.1"}


# --- explosions -------------------------------------------------------------------------------------------------


def test_R60_anywhere_in_the_tower() -> None:
    """Every square that is no portal, no dungeon and empty can be blown up, however far away."""
    there = [s for s in SQUARES if s[0] != "c" and s not in ("b1", "d1")]
    assert ways(turn(3), "explode") == set(there)
    assert refused(turn(3), "explode roof") == "R60"


def test_R61_no_portal_no_dungeon_nobody_on_it() -> None:
    """Portals, dungeons and cards with any figure stay."""
    state = turn(3, plain("a2: red.1", "b3: wizard", "e3: (blue.1)"))
    for square in ("c3", "b1", "a2", "b3", "e3"):
        assert refused(state, f"explode {square}") == "R61"
    assert "c3 is a portal" in why(state, "explode c3")
    assert "Dark Wizard stands on b3" in why(state, "explode b3")


def test_R62_R63_the_card_goes_on_top_and_those_above_come_down() -> None:
    """The blown card is taken out, the cards above slide down, and it lies on level 5."""
    assert draw(play(turn(3), "explode a2")) == tidy(
        """
        R  W  P         W  W
        R  S  P:knight  R  W
        W  W  P         R  H
        W  S  P:wizard  W  W
        R  D  P         D  R
        """
    )
    assert draw(play(turn(3), "explode d3")) == tidy(
        """
        R  W  P         R  W
        W  S  P:knight  W  W
        W  W  P         R  H
        R  S  P:wizard  W  W
        R  D  P         D  R
        """
    )


def test_R64_a_level_may_lose_its_rope() -> None:
    """After an explosion a level may be without a rope, and such a position is a good one."""
    state = play(turn(3), "explode a2")
    assert [line.count("R") for line in state.tower] == [1, 2, 1, 0, 2]
    assert setup.faults(state) == [] and setup.tower_faults(state.tower) != []


def test_R65_what_an_explosion_never_changes() -> None:
    """Portals and dungeons stay, nothing changes column, and level 5 blown up changes nothing."""
    squares = [s for s in SQUARES if s[0] != "c" and s not in ("b1", "d1")]
    for number in range(0, setup.TOWERS, 1117):
        tower = setup.tower(number)
        for at in squares:
            blown = rules.explode(tower, at)
            assert [Counter(c) for c in zip(*blown, strict=True)] == [Counter(c) for c in zip(*tower, strict=True)]
            assert all(card_at(blown, s) == card_at(tower, s) for s in SQUARES if s not in squares)
            assert all(card_at(blown, s) == card_at(tower, s) for s in squares if s[0] != at[0] or s[1] < at[1])
            assert (blown == tower) or at[1] != "5"


RIDERS = """
    R           W  P         W  W
    W:(red.2)   S  P         R  W
    W:knight    W  P         R  H
    R           S  P:wizard  W  W
    R:blue.1    D  P         D  R
"""


def test_A46_figures_ride_down_with_their_cards() -> None:
    """By default whoever stands above comes down one level, lying or not, villains too, and nobody is knocked off."""
    assert draw(play(turn(3, RIDERS), "explode a2")) == tidy(
        """
        R           W  P         W  W
        R           S  P         R  W
        W:(red.2)   W  P         R  H
        W:knight    S  P:wizard  W  W
        R:blue.1    D  P         D  R
        """
    )
    assert [e.what for e in happens(turn(3, RIDERS), "explode a2")] == ["exploded"]


def test_A46_who_is_on_the_terrace_stays_there() -> None:
    """A saved hero has left the column that it went up."""
    assert play(turn(3, plain("roof: red.1")), "explode a2").figures["red.1"] == "roof"


def test_A46_stay_on_level() -> None:
    """With the house rule only the cards come down, and the figures keep their squares."""
    state = play(turn(3, RIDERS.replace("(red.2)", "red.2"), explosion_figures="stay_on_level"), "explode a2")
    assert draw(state) == tidy(
        """
        R         W  P         W  W
        R:red.2   S  P         R  W
        W:knight  W  P         R  H
        W         S  P:wizard  W  W
        R:blue.1  D  P         D  R
        """
    )


def test_A46_stay_on_level_and_the_room() -> None:
    """A hero onto whose square the secret room comes lies down, and one that it leaves stands up."""
    state = turn(3, plain("e2: red.1", "e3: (blue.1)"), explosion_figures="stay_on_level")
    assert refused(state, "explode e2") == "R61"
    leaving = turn(3, plain("e3: (blue.1)"), explosion_figures="stay_on_level")
    assert draw(play(leaving, "explode e2")) == tidy(
        """
        R  W  P         W  W
        W  S  P:knight  R  W
        W  W  P         R  W:blue.1
        R  S  P:wizard  W  H
        R  D  P         D  R
        """
    )
    coming = PLAIN.replace("W  W  P         R  H", "W  W  P         R  W").replace("R  W\n", "R  H\n", 1)
    coming = turn(3, coming + "e3: blue.1\nd5: red.1", explosion_figures="stay_on_level")
    state = play(coming, "explode e2")
    assert card_at(state.tower, "e3") == "H" and state.lying == {"blue.1"}


def test_A47a_only_the_cards_above_come_down() -> None:
    """The cards below the blown one stay."""
    state = play(turn(3), "explode a4")
    assert [card_at(state.tower, f"a{n}") for n in range(1, 6)] == ["R", "R", "W", "R", "W"]


@pytest.mark.parametrize("at", ["a1", "e1"])
def test_A47b_the_base_can_be_blown_up(at: str) -> None:
    """An empty a1 or e1 goes to level 5 like any other card, and the column comes down on it."""
    state = play(turn(3), f"explode {at}")
    assert card_at(state.tower, at) == card_at(turn(3).tower, at[0] + "2")
    assert card_at(state.tower, at[0] + "5") == "R"
    assert setup.faults(state) == []


def test_A47c_rope_passage_room_and_top_card() -> None:
    """Special cards can be blown up too; at level 5 nothing changes and the table says so."""
    for square, letter in (("a2", "R"), ("b2", "S"), ("e3", "H")):
        assert card_at(play(turn(3), f"explode {square}").tower, square[0] + "5") == letter
    before = turn(3)
    after = play(before, "explode d5")
    assert after.tower == before.tower and after.turn.special == 0
    assert "it lay on top already" in " ".join(told(before, "explode d5"))
