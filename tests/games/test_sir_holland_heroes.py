"""Sir Holland, how heroes move: R30 to R41, A22 to A36, A39, A40, and the switches that change it."""

from __future__ import annotations

import pytest

from tests.games.picture import FOUR, PLAIN, draw, happens, plain, play, refused, reveal, tidy, turn, ways, why

ROPES = """
    R  W  P  W  W
    W  W  P  R  W
    W  S  P  W  R
    R  W  P  S  H
    R  D  P  D  R
"""
"""A passage pair on d2 and b3, as after an explosion."""


# --- steps ------------------------------------------------------------------------------------------------------


def test_R30_a_step_goes_sideways() -> None:
    """A movement point leads one square left or right, and neither up, down nor further."""
    state = turn(1, plain("d2: red.1"))
    assert ways(state, "move red.1") == {"e2"}  # the wizard stands on c2
    assert refused(state, "move red.1 b2") == "R30"
    assert refused(state, "move red.1 d3") == "R33"
    assert refused(state, "move red.1 d1") == "A22"


def test_R30_no_path_ends_where_it_began() -> None:
    """A walk that comes back to its first square is no move."""
    assert refused(turn(2, plain("e2: red.1")), "move red.1 d2 e2") == "R30"
    assert refused(turn(6, plain("c3: red.1")), "portal red.1 c2 c3") == "R30"


def test_R31_heroes_pass_but_do_not_stop_on_each_other() -> None:
    """A hero walks through a square with another hero and may not stop there, be it a friend or not."""
    state = turn(
        2,
        """
        R  W          P         W          W
        W  S          P:knight  R          W
        W  W:red.1    P:blue.1  R:red.2    H
        R  S          P:wizard  W          W
        R  D          P         D          R
        """,
    )
    assert refused(state, "move red.1 c3") == refused(state, "move red.1 c3 d3") == "R31"
    state = play(state, "move red.2 e3")
    assert draw(play(state, "end")) == tidy(
        """
        R  W          P         W          W
        W  S          P:knight  R          W
        W  W:red.1    P:blue.1  R          H:(red.2)
        R  S          P:wizard  W          W
        R  D          P         D          R
        """
    )
    assert "c3 d3" in ways(turn(2, plain("b3: red.1", "c3: blue.1")), "move red.1")


def test_R31_says_who_stands_there_and_what_would_be_right() -> None:
    """The sentence names both heroes and the square, and says the rule."""
    state = turn(2, plain("b3: red.2", "c3: blue.1"))
    assert why(state, "move red.2 c3") == (
        "Red 2 cannot stop on c3: Blue 1 stands there. One hero per card, dungeons excepted."
    )
    assert why(state, "move red.2 c3", "pt").strip()


def test_R32_dungeons_hold_any_number() -> None:
    """One hero stands on a card, but eight may stand in a dungeon."""
    crowd = [f"{seat}.{n}" for seat in FOUR for n in (1, 2)]
    state = turn(2, plain("b1: " + " ".join(crowd[1:]), "a1: red.1"), FOUR)
    state = play(state, "move red.1 b1")
    assert [f for f in crowd if state.figures[f] == "b1"] == crowd
    assert refused(turn(2, plain("a1: red.1", "a2: blue.1")), "move red.1 a2") == "R31"


def test_R33_a_rope_leads_up_for_one_point() -> None:
    """From a rope a movement point may lead up one level, and from nothing else."""
    state = turn(1, plain("a2: red.1", "a4: red.2"))
    assert ways(state, "move red.1") == {"a3", "b2", "b2 b4"}
    assert refused(state, "move red.2 a5") == "R33"
    assert why(state, "move red.2 a5").startswith("Red 2 cannot go up from a4: no rope lies there.")


def test_R33_a_rope_is_never_automatic() -> None:
    """A hero that stops on a rope stays there, and no card is spent on its going up."""
    state = play(turn(1), "move red.1 a1", "end")
    assert state.figures["red.1"] == "a1"


def test_R34_the_rope_leads_up_from_its_own_card() -> None:
    """A rope on the square above does not help, only the one that the hero stands on."""
    state = turn(2, plain("d2: red.1", "d3: red.2"))
    assert refused(state, "move red.1 d3") == "R33"
    assert ways(state, "move red.2") >= {"d4", "d4 d5"}


def test_R35_a_passage_leads_to_the_other_for_nothing() -> None:
    """After a paid step onto a passage a hero may go on to the other one without paying."""
    state = turn(1, plain("a2: red.1"))
    (moved,) = happens(state, "move red.1 b2 b4")
    assert moved.cost == 1
    assert draw(play(state, "move red.1 b2 b4", "end")) == tidy(
        """
        R  W        P         W  W
        W  S:red.1  P:knight  R  W
        W  W        P         R  H
        R  S        P:wizard  W  W
        R  D        P         D  R
        """
    )


def test_R35_the_cheapest_reading_of_a_path_counts() -> None:
    """Where two passages are neighbours, a way that can be read as a step or as the hop costs what is less."""
    side_by_side = ROPES.replace("R  W  P  S  H", "S  W  P  W  H").replace("W  S  P  W  R", "S  W  P  W  R")
    state = turn(1, side_by_side + "b2: red.1")
    assert ways(state, "move red.1") == {"a2", "a2 a3"}  # c2 has the wizard; a2 is no rope
    (moved,) = happens(turn(2, side_by_side + "b2: red.1"), "move red.1 a2 a3 b3")
    assert moved.cost == 2


def test_R36_a_hero_that_stops_in_the_room_lies_down() -> None:
    """Who stops in the secret room lies there, in later rounds too, until it leaves."""
    state = play(turn(1, plain("d3: red.1")), "move red.1 e3")
    assert "red.1" in state.lying
    state = play(state, "end", "rest")
    assert state.phase == "choose" and "red.1" in state.lying
    state = play(reveal(state, red=2), "end", "rest")
    assert "red.1" in state.lying


def test_R37_portals_are_squares_like_others_to_walk_on() -> None:
    """A hero steps onto a portal, stops there and walks across."""
    assert ways(turn(2, plain("b3: red.1")), "move red.1") == {"a3", "c3", "c3 d3"}


def test_R38_only_card_6_rides_the_portals() -> None:
    """No movement point leads up or down from a portal."""
    state = turn(2, plain("c3: red.1", "c2: red.2", "e5: wizard"))
    assert refused(state, "move red.1 c4") == refused(state, "move red.2 c3") == "R38"
    assert "6 (Portal) or 5 (Climb)" in why(state, "move red.1 c4")
    assert refused(state, "portal red.1 c4") == "R29"
    assert refused(turn(6, plain("c3: red.1")), "portal red.1 d3") == "R38"


def test_R39_climb_works_like_a_rope_from_anywhere() -> None:
    """Climb leads one level up from a wall and from a portal, and no further than that."""
    state = turn(5, plain("a3: red.1", "c1: red.2", "e5: wizard"))
    assert ways(state, "climb red.1") == {"a4"}
    assert ways(state, "climb red.2") == {"c2"}
    assert refused(state, "climb red.1 b3") == "R39"
    assert refused(state, "climb red.1 a4 a5") == "R39"


def test_R39_climb_into_a_passage_may_go_on() -> None:
    """A climb onto a secret passage may go on to the other one, like a step."""
    assert ways(turn(5), "climb red.1") == {"b2", "b2 b4"}
    assert ways(turn(5, plain("b3: red.1")), "climb red.1") == {"b4", "b4 b2"}


def test_R40_saved_from_level_5_by_rope_or_climb() -> None:
    """A rope on level 5 or Climb leads out; nothing else does, portals least of all."""
    assert play(turn(1, plain("a5: red.1")), "move red.1 roof").figures["red.1"] == "roof"
    assert play(turn(5, plain("c5: red.1")), "climb red.1 roof").figures["red.1"] == "roof"
    assert refused(turn(1, plain("b5: red.1")), "move red.1 roof") == "R33"
    assert refused(turn(6, plain("c5: red.1")), "portal red.1 roof") == "R40"


def test_R40_a_saved_hero_moves_no_more() -> None:
    """The terrace ends a path, and who is there has no choice left."""
    state = turn(2, plain("roof: red.1", "a5: red.2"))
    assert ways(state, "move red.1") == set()
    assert refused(state, "move red.1 a5") == refused(state, "move red.2 roof a5") == "R40"
    assert refused(turn(1, plain("roof: red.1")), "hide red.1") == "R40"
    assert refused(turn(5, plain("roof: red.1")), "climb red.1 a5") == "R40"


def test_R41_a_wall_has_no_effect() -> None:
    """A step onto a wall changes where the hero is and nothing else."""
    before = turn(2, plain("a3: red.1"))
    (moved,) = happens(before, "move red.1 b3")
    after = play(before, "move red.1 b3")
    assert moved.path == ("b3",)
    assert (after.lying, after.tower, after.turn.points) == (before.lying, before.tower, 1)


# --- rulings ----------------------------------------------------------------------------------------------------


def test_A22_ropes_lead_up_only() -> None:
    """By default no hero goes down a rope, from neither end."""
    state = turn(2, plain("d4: red.1", "d5: red.2"))
    assert refused(state, "move red.1 d3") == refused(state, "move red.2 d4") == "A22"


def test_A22_rope_down_on() -> None:
    """With the house rule a point leads down to a square that is a rope, and to no other."""
    state = turn(2, plain("d4: red.1", "d3: red.2"), rope_down="on")
    assert ways(turn(1, plain("d4: red.1"), rope_down="on"), "move red.1") >= {"d3", "d5"}
    assert refused(state, "move red.2 d2") == "A22"  # d2 is a wall, though d3 is a rope
    assert ways(turn(2, plain("d5: red.1"), rope_down="on"), "move red.1") >= {"d4", "d4 d3"}


def test_A23_climb_leads_up_only() -> None:
    """By default Climb does not lead down."""
    assert refused(turn(5, plain("a3: red.1")), "climb red.1 a2") == "A23"


def test_A23_climb_down_on() -> None:
    """With the house rule Climb leads up or down one level, and a passage entered from above may be used."""
    assert ways(turn(5, plain("a3: red.1"), climb_down="on"), "climb red.1") == {"a4", "a2"}
    assert ways(turn(5, plain("b3: red.1"), climb_down="on"), "climb red.1") == {"b4", "b4 b2", "b2", "b2 b4"}
    assert ways(turn(5, climb_down="on"), "climb red.1") == {"b2", "b2 b4"}


def test_A24_step_and_climb_may_go_to_two_heroes() -> None:
    """By default one hero takes the movement point of card 5 and another may climb."""
    state = play(turn(5), "move red.1 a1", "climb red.2 d2")
    assert (state.figures["red.1"], state.figures["red.2"]) == ("a1", "d2")


def test_A24_climb_same_hero_on() -> None:
    """With the house rule both halves of card 5 go to the same hero, in either order."""
    walked = play(turn(5, climb_same_hero="on"), "move red.1 a1")
    assert refused(walked, "climb red.2 d2") == "A24"
    assert play(walked, "climb red.1 a2").figures["red.1"] == "a2"
    climbed = play(turn(5, climb_same_hero="on"), "climb red.2 d2")
    assert climbed.turn.used == ("red.2",)
    assert refused(climbed, "move red.1 a1") == "A24"
    assert play(climbed, "move red.2 e2").figures["red.2"] == "e2"


def test_A25_the_climb_comes_on_top_of_the_point() -> None:
    """Card 5 gives the movement point and the climb, and the climb costs no point."""
    state = play(turn(5), "climb red.1 b2", "move red.1 a2")
    assert state.figures["red.1"] == "a2"
    assert (state.turn.points, state.turn.special) == (0, 0)


def test_A26_portals_lead_up_and_down() -> None:
    """Card 6 leads both ways along column c, passing any figure, and never above level 5."""
    state = turn(6, plain("c3: red.1", "c5: blue.1", "e5: wizard", "e4: knight"))
    assert ways(state, "portal red.1") == {"c4", "c2", "c2 c1"}  # c4 c5 would end on Blue 1
    state = turn(6, plain("c4: red.1", "c5: blue.1", "c3: blue.2", "e5: wizard", "e4: knight"))
    assert ways(state, "portal red.1") == {"c3 c2"}


def test_A27_walk_onto_a_portal_and_ride() -> None:
    """A hero that stepped onto a portal may ride with the same card, and one that stands beside it may not."""
    state = turn(6, plain("e5: wizard"))
    assert refused(state, "portal red.1 c2") == "R29"
    state = play(state, "move red.1 c1", "portal red.1 c2 c3")
    assert state.figures["red.1"] == "c3"
    ridden = play(turn(6, plain("c1: red.1", "e5: wizard")), "portal red.1 c2", "move red.1 d2")
    assert ridden.figures["red.1"] == "d2"


def test_A28_past_a_hero_at_the_other_passage() -> None:
    """Where a hero stands on the other passage, one comes out there only with a point to walk on at once."""
    there = plain("a2: red.1", "b4: blue.1", "e5: knight")
    assert ways(turn(1, there), "move red.1") == {"a3", "b2"}
    assert refused(turn(1, there), "move red.1 b2 b4") == "R31"
    assert ways(turn(2, there), "move red.1") >= {"b2 b4 a4", "b2 b4 c4"}
    assert refused(turn(5, plain("b4: blue.1")), "climb red.1 b2 b4") == "R31"


def test_A29_no_hop_from_where_one_stands() -> None:
    """By default a hero on a passage has to step out and in again."""
    state = turn(2, plain("b2: red.1"))
    assert refused(state, "move red.1 b4") == "A29"
    assert refused(turn(1, plain("b2: red.1")), "move red.1 b4 a4") == "A29"
    assert "a2 b2 b4" in ways(state, "move red.1")


def test_A29_hop_from_start_free() -> None:
    """With the house rule a move may begin with the hop, which costs nothing, begins no half and binds no hero."""
    state = turn(1, plain("b2: red.1"), hop_from_start="free")
    assert ways(state, "move red.1") >= {"b4", "b4 a4"}
    state = play(state, "move red.1 b4")
    assert (state.figures["red.1"], state.turn.points, state.turn.special) == ("b4", 1, 1)
    state = play(state, "move red.1 b2", "move red.1 a2")
    assert refused(state, "move red.1 b2") == "R29"
    late = play(turn(2, plain("b2: red.1"), hop_from_start="free"), "villain wizard c3", "move red.1 b4")
    assert late.turn.points == 2 and late.turn.special == 0
    bound = turn(5, plain("b2: red.1"), hop_from_start="free", climb_same_hero="on")
    bound = play(bound, "climb red.2 d2", "move red.1 b4")
    assert refused(bound, "move red.1 a4") == "A24"


def test_A29_no_free_hop_without_a_point_left() -> None:
    """With the house rule the hop needs a point left, though it costs none."""
    state = play(turn(1, plain("b2: red.1"), hop_from_start="free"), "move red.2 e1")
    assert refused(state, "move red.1 b4") == "R29"


def test_A30_the_hop_is_a_choice_and_the_walk_goes_on() -> None:
    """A hero that enters a passage may stop, hop and stop, or hop and walk on, but not hop back as well."""
    state = turn(2, plain("a2: red.1", "e5: knight"))
    assert ways(state, "move red.1") >= {"b2", "b2 b4", "b2 b4 a4", "b2 b4 c4"}
    assert refused(state, "move red.1 b2 b4 b2") == "A29"


def test_A31_passages_work_wherever_they_lie() -> None:
    """After explosions the passages still lead to each other, from whatever level."""
    state = turn(1, ROPES + "b2: wizard\ne2: red.1\nc2: blue.1")
    assert "d2 b3" in ways(state, "move red.1")
    blown = play(turn(3, plain("a2: red.1")), "explode b3", "move red.1 b2 b3")
    assert draw(blown) == tidy(
        """
        R  W        P         W  W
        W  W        P:knight  R  W
        W  S:red.1  P         R  H
        R  S        P:wizard  W  W
        R  D        P         D  R
        """
    )


def test_A32_through_the_room_nothing_changes() -> None:
    """A hero that only walks through the secret room does not lie down."""
    state = play(turn(2, ROPES + "d2: red.1\na5: wizard"), "move red.1 e2")
    assert "red.1" in state.lying
    room_between = PLAIN.replace("R  H", "H  R")
    state = play(turn(2, room_between + "c3: red.1"), "move red.1 d3 e3")
    assert state.lying == frozenset()


def test_A33_one_hero_in_the_room() -> None:
    """A second hero may pass through the secret room and not stop there."""
    room_between = PLAIN.replace("R  H", "H  R") + "d3: (blue.1)\nc3: red.1"
    state = turn(2, room_between)
    assert refused(state, "move red.1 d3") == "R31"
    assert "d3 e3" in ways(state, "move red.1")


def test_A34_a_hero_stands_up_as_it_leaves_the_room() -> None:
    """Leaving the secret room costs normal points and the hero stands."""
    state = play(turn(1, plain("e3: (red.1)")), "move red.1 d3")
    assert state.lying == frozenset() and state.turn.points == 0
    assert play(turn(5, plain("e3: (red.1)")), "climb red.1 e4").lying == frozenset()


def test_A35_back_into_a_dungeon_and_across() -> None:
    """A hero may re-enter a dungeon, or walk from one to the other over the lowest portal."""
    assert play(turn(2), "move red.1 c1 d1").figures["red.1"] == "d1"
    assert play(turn(1, plain("a1: red.1")), "move red.1 b1").figures["red.1"] == "b1"


@pytest.mark.parametrize("path", ["b3", "b1", "e2", "d4"])
def test_A36_no_slanting_and_no_way_round(path: str) -> None:
    """Neither a diagonal step nor one from the left edge to the right one exists."""
    assert refused(turn(2, plain("a2: red.1")), f"move red.1 {path}") == "R30"


def test_A36_no_walk_off_the_edge() -> None:
    """At the edge of the tower there is nothing outside to step on."""
    assert ways(turn(1, plain("e4: red.1")), "move red.1") == {"d4"}
    assert ways(turn(1, plain("a4: red.1")), "move red.1") == {"b4", "b4 b2"}


def test_A39_no_climb_to_a_taken_card() -> None:
    """A climb ends on a free card, even if the point could lead off it again."""
    assert refused(turn(5, plain("a4: blue.1", "a3: red.1")), "climb red.1 a4") == "R31"


def test_A40_a_hero_that_is_out_leaves_its_points() -> None:
    """When a hero is saved, the other one may use the point left, and the other half stays open."""
    state = play(turn(2, plain("a5: red.1")), "move red.1 roof")
    assert (state.turn.points, state.turn.special) == (1, 1)
    state = play(state, "move red.2 e1", "villain wizard c3")
    assert (state.figures["red.2"], state.figures["wizard"]) == ("e1", "c3")


# --- heroes and villains ----------------------------------------------------------------------------------------


def test_A10_no_stop_on_a_villain() -> None:
    """By default no hero stops where a villain stands, by point, climb or portal, except in a dungeon."""
    there = plain("b3: red.1", "c3: wizard", "c1: red.2", "b1: knight")
    assert refused(turn(2, there), "move red.1 c3") == "A10"
    assert "c3 d3" in ways(turn(2, there), "move red.1")
    assert refused(turn(5, plain("b2: red.1", "b3: wizard")), "climb red.1 b3") == "A10"
    assert refused(turn(6, plain("c4: red.1", "c3: wizard", "e5: knight")), "portal red.1 c3") == "A10"
    assert play(turn(2, there), "move red.2 b1").figures["red.2"] == "b1"


def test_A10_hero_on_villain_allowed() -> None:
    """With `allowed` a hero stops beside a villain and is safe until a villain ends a move there."""
    state = play(turn(2, plain("b3: red.1", "c3: wizard"), hero_on_villain="allowed"), "move red.1 c3")
    assert state.figures["red.1"] == state.figures["wizard"] == "c3"
    assert state.lying == frozenset()


def test_A10_hero_on_villain_knocked_off() -> None:
    """With `knocked_off` a hero that stops on a villain falls at once, by point, climb and portal."""
    rule = {"hero_on_villain": "knocked_off"}
    state = play(turn(2, plain("b3: red.1", "a3: wizard"), **rule), "move red.1 a3")
    assert state.figures["red.1"] == "a2"
    assert play(turn(5, plain("a3: red.1", "a4: wizard"), **rule), "climb red.1 a4").figures["red.1"] == "a3"
    ride = play(turn(6, plain("c5: red.1", "c3: blue.1", "e5: wizard"), **rule), "portal red.1 c4")
    assert ride.figures["red.1"] == "c2"
    waiting = play(turn(2, plain("b2: red.1", "c1: blue.1"), **rule), "move red.1 c2")
    assert waiting.turn.pending is not None
    assert play(waiting, "fall red.1 d1", "move red.1 e1").figures["red.1"] == "e1"


def test_A10_hero_on_villain_knocked_off_spares_dungeon_and_room() -> None:
    """With `knocked_off` a hero stays in a dungeon, and in the secret room, where it lies down first."""
    rule = {"hero_on_villain": "knocked_off"}
    assert play(turn(2, plain("a1: red.1", "b1: wizard"), **rule), "move red.1 b1").figures["red.1"] == "b1"
    state = play(turn(2, plain("d3: red.1", "e3: wizard"), **rule), "move red.1 e3")
    assert state.figures["red.1"] == "e3" and "red.1" in state.lying


def test_A11_heroes_pass_villains() -> None:
    """By default a hero walks, hops, climbs and rides past a villain."""
    there = plain("a2: red.1", "b2: wizard", "c4: red.2", "c3: knight")
    assert ways(turn(1, there), "move red.1") >= {"b2 b4"}
    assert ways(turn(6, there), "portal red.2") >= {"c3 c2"}
    assert ways(turn(5, plain("b2: wizard")), "climb red.1") == {"b2 b4"}


def test_A11_pass_villain_no() -> None:
    """With the house rule no path goes through a villain's square, hops included; where it begins does not count."""
    rule = {"pass_villain": "no"}
    there = plain("a2: red.1", "b2: wizard", "c4: red.2", "c3: knight")
    assert refused(turn(2, there, **rule), "move red.1 b2 b4") == "A11"
    assert refused(turn(6, there, **rule), "portal red.2 c3 c2") == "A11"
    assert refused(turn(5, plain("b2: wizard"), **rule), "climb red.1 b2 b4") == "A11"
    assert refused(turn(2, plain("b1: knight", "a1: red.1"), **rule), "move red.1 b1 c1") == "A11"
    assert "a2 a3" in ways(turn(2, plain("b2: red.1 wizard"), **rule), "move red.1")
    assert refused(turn(2, there, **rule), "move red.1 b2") == "A10"
