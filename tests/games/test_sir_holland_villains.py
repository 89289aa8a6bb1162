"""Sir Holland, villains and falls: R42 to R53, A3 to A9, A12 to A21, and the switches that change them."""

from __future__ import annotations

import pytest

from companion.games.sir_holland import paths
from companion.games.sir_holland.state import SQUARES
from tests.games.picture import draw, finish, happens, plain, play, refused, reveal, table, tidy, told, turn, ways, why

# --- how villains move ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", [1, 3, 5, 6])
def test_R42_villains_move_by_cards_2_and_4_only(card: int) -> None:
    """No other card moves a villain."""
    assert ways(turn(card), "villain wizard") == set()
    assert refused(turn(card), "villain wizard c3") == "R29"


def test_R42_only_villains_are_moved_as_villains() -> None:
    """The villain half of a card moves no hero."""
    assert refused(turn(2), "villain red.1 c1") == "R42"


def test_R43_every_square_is_open_to_villains() -> None:
    """A villain can get to all 25 squares, dungeons included, and not to the terrace."""
    found, edge = set(), {"c2"}
    while edge:
        found |= edge
        edge = {s for at in edge for s in paths.villain_steps(at, dungeons=True)} - found
    assert found == set(SQUARES)
    assert refused(turn(2, plain("c5: wizard")), "villain wizard roof") == "R43"


def test_R44_sideways_and_on_the_portals_up_and_down() -> None:
    """Off the portals a villain goes left or right, on them up and down as well."""
    assert ways(turn(2, plain("b3: wizard")), "villain wizard") == {"a3", "c3"}
    assert ways(turn(2), "villain wizard") == {"b2", "d2", "c1", "c3"}
    assert refused(turn(2, plain("b3: wizard")), "villain wizard b4") == "R44"
    assert refused(turn(2), "villain wizard c4") == "R44"


def test_R45_a_villain_stands_on_a_rope_and_does_not_climb_it() -> None:
    """Villains ex. 1: a villain may stop on a rope, and the rope does not carry it."""
    state = play(turn(4, plain("c3: wizard")), "villain wizard d3")
    assert state.figures["wizard"] == "d3"
    assert refused(turn(4, plain("d3: wizard")), "villain wizard d4") == "R45"


def test_R46_a_villain_stands_on_a_passage_and_does_not_hop() -> None:
    """Villains ex. 2: a villain may stop on a passage, and does not come out at the other."""
    state = play(turn(2), "villain wizard b2")
    assert state.figures["wizard"] == "b2"
    assert refused(turn(4, plain("b2: wizard")), "villain wizard b4") == "R46"
    assert refused(turn(4), "villain wizard b2 b4") == "R46"


# --- knocking off -----------------------------------------------------------------------------------------------

CHASED = """
    R  W          P         W  W
    W  S          P:knight  R  W
    W  W:blue.1   P:wizard  R  H
    R  S          P         W  W
    R  D          P         D  R
"""


def test_R47_a_villain_that_ends_on_a_hero_knocks_it_off() -> None:
    """The hero on the square where a villain's path ends falls."""
    state = play(turn(2, CHASED), "villain wizard b3")
    assert state.figures["wizard"] == "b3"
    assert state.figures["blue.1"] != "b3"


def test_R48_a_villain_that_passes_does_no_harm() -> None:
    """Only the last square of a villain's path counts."""
    state = play(turn(4, CHASED), "villain wizard b3 a3")
    assert state.figures["blue.1"] == "b3"


def test_R49_falls_one_level() -> None:
    """Card 2 ex. 1: a hero with nothing below it falls one level straight down."""
    state = play(turn(2, CHASED), "villain wizard b3")
    assert draw(state) == tidy(
        """
        R  W          P         W  W
        W  S          P:knight  R  W
        W  W:wizard   P         R  H
        R  S:blue.1   P         W  W
        R  D          P         D  R
        """
    )


def test_R50_falls_past_a_hero() -> None:
    """Card 2 ex. 2: with a hero on the level below, the fall goes one further."""
    state = turn(
        4,
        """
        R  W  P         W         W
        W  S  P         W:blue.2  W
        W  W  P:wizard  R:red.2   H
        R  S  P         W         W
        R  D  P:knight  D         R
        """,
    )
    state = play(state, "villain wizard c4 d4")
    assert draw(state) == tidy(
        """
        R  W          P         W          W
        W  S          P         W:wizard   W
        W  W          P         R:red.2    H
        R  S          P         W:blue.2   W
        R  D          P:knight  D          R
        """
    )


def test_R51_falls_past_a_villain() -> None:
    """Card 2 ex. 3: with a villain on the level below, the fall goes one further."""
    state = turn(
        2,
        """
        R  W  P         W          W
        W  S  P:wizard  R:blue.2   W
        W  W  P         R:knight   H
        R  S  P         W          W
        R  D  P         D          R
        """,
    )
    assert draw(play(state, "villain wizard d4")) == tidy(
        """
        R  W  P         W          W
        W  S  P         R:wizard   W
        W  W  P         R:knight   H
        R  S  P         W:blue.2   W
        R  D  P         D          R
        """
    )


def test_R52_a_dungeon_takes_any_falling_hero() -> None:
    """A fall ends in a dungeon, whoever is there."""
    state = turn(
        2,
        """
        R  W  P         W          W
        W  S  P         R          W
        W  W  P         R          H
        R  S  P:wizard  W:blue.2   W
        R  D  P         D:red.2,knight  R
        """,
    )
    assert draw(play(state, "villain wizard d2")) == tidy(
        """
        R  W  P         W          W
        W  S  P         R          W
        W  W  P         R          H
        R  S  P         W:wizard   W
        R  D  P         D:blue.2,red.2,knight  R
        """
    )


def test_R53_who_lies_is_not_knocked_off() -> None:
    """A hidden hero and one in the secret room stay where they are."""
    state = turn(2, CHASED.replace("blue.1", "(blue.1)"))
    state = play(state, "villain wizard b3")
    assert state.figures["blue.1"] == "b3" and "blue.1" in state.lying
    assert play(turn(4, plain("e3: (blue.1)", "d3: wizard")), "villain wizard e3").figures["blue.1"] == "e3"


# --- rulings on falls -------------------------------------------------------------------------------------------


def test_A3_fall_distance_2() -> None:
    """With the house rule the first landing square is two below, or the lowest where the column ends before."""
    rule = {"fall_distance": 2}
    from_4 = turn(2, plain("d4: blue.1", "d2: blue.2", "c4: wizard", "e5: knight"), fall_distance=2)
    assert play(from_4, "villain wizard d4").figures["blue.1"] == "d1"  # past Blue 2 on d2
    from_5 = turn(2, plain("a5: blue.1", "b5: wizard"), **rule)
    assert play(from_5, "villain wizard a5").figures["blue.1"] == "a3"
    from_2 = turn(2, plain("a2: blue.1", "b2: wizard"), **rule)
    assert play(from_2, "villain wizard a2").figures["blue.1"] == "a1"
    taken = turn(2, plain("a2: blue.1", "a1: blue.2", "b2: wizard"), **rule)
    assert play(taken, "villain wizard a2").figures["blue.1"] == "b1"


def test_A3_fall_distance_1_is_the_default() -> None:
    """Without the house rule the first landing square is one below."""
    assert play(turn(2, plain("a5: blue.1", "b5: wizard")), "villain wizard a5").figures["blue.1"] == "a4"


def test_A4_card_4_knocks_off_with_the_same_fall() -> None:
    """A villain moved by Capture makes heroes fall as one moved by Chase does."""
    assert draw(play(turn(4, CHASED), "villain wizard b3")) == draw(play(turn(2, CHASED), "villain wizard b3"))


@pytest.mark.parametrize(("at", "beside", "dungeon"), [("a1", "b1", "b1"), ("e1", "d1", "d1")])
def test_A5_from_the_base_into_the_nearest_dungeon(at: str, beside: str, dungeon: str) -> None:
    """A hero knocked off a1 lands in b1, one knocked off e1 in d1."""
    state = turn(2, plain(f"{at}: blue.1", f"{beside}: wizard"))
    assert play(state, f"villain wizard {at}").figures["blue.1"] == dungeon


def test_A5_base_fall_stay() -> None:
    """With `stay` the hero keeps its square and shares it with the villain, in column c as well."""
    state = play(turn(2, plain("a1: blue.1", "b1: wizard"), base_fall="stay"), "villain wizard a1")
    assert state.figures["blue.1"] == state.figures["wizard"] == "a1"
    state = play(turn(2, plain("c1: blue.1"), base_fall="stay"), "villain wizard c1")
    assert state.figures["blue.1"] == "c1" and state.turn.pending is None


FULL_COLUMN = """
    R         W  P         W  W
    W         S  P:knight  R  W
    W:blue.1  W:wizard  P  R  H
    R:red.1   S  P         W  W
    R:blue.2  D  P         D  R
"""


def test_A6_a_full_column_ends_in_the_nearest_dungeon() -> None:
    """Where every square below is taken, columns a and e end in b1 and d1."""
    assert draw(play(turn(2, FULL_COLUMN), "villain wizard a3")) == tidy(
        """
        R         W         P         W  W
        W         S         P:knight  R  W
        W:wizard  W         P         R  H
        R:red.1   S         P         W  W
        R:blue.2  D:blue.1  P         D  R
        """
    )
    mirrored = plain("e2: blue.1", "e1: red.1", "d2: wizard")
    assert play(turn(2, mirrored), "villain wizard e2").figures["blue.1"] == "d1"


def test_A6_base_fall_stay_in_a_full_column() -> None:
    """With `stay` a hero with no free square below remains where it was."""
    state = play(turn(2, FULL_COLUMN, base_fall="stay"), "villain wizard a3")
    assert state.figures["blue.1"] == state.figures["wizard"] == "a3"


def test_A7_the_owner_picks_the_dungeon() -> None:
    """From column c with nothing free below, the hero's owner picks b1 or d1 before anything else happens."""
    waiting = play(turn(2, plain("c1: blue.1")), "villain wizard c1")
    assert waiting.turn.pending.hero == "blue.1"
    assert ways(waiting, "fall blue.1") == {"b1", "d1"}
    assert refused(waiting, "red: end") == refused(waiting, "red: move red.1 a1") == "A7"
    assert refused(waiting, "red: fall blue.1 b1") == refused(waiting, "fall blue.2 b1") == "A7"
    assert refused(waiting, "fall blue.1 c2") == "A7"
    assert "b1 or d1" in why(waiting, "red: end") and "Blue 1" in why(waiting, "red: end")
    state = play(waiting, "fall blue.1 d1")
    assert state.figures["blue.1"] == "d1" and state.turn.pending is None
    assert play(state, "move red.1 a1", "end").turn.seat == "blue"


def test_A7_also_for_the_owners_own_villain_move() -> None:
    """Who knocks off its own hero picks itself."""
    waiting = play(turn(4, plain("c1: red.1")), "villain wizard c1")
    state = play(waiting, "fall red.1 b1", "villain knight c3", "end")
    assert state.figures["red.1"] == "b1"


def test_A7_no_fall_without_a_knock_off() -> None:
    """Nobody picks a dungeon while no hero falls."""
    assert refused(turn(2), "fall red.1 b1") == "A7"


def test_A7_a_free_square_below_needs_no_pick() -> None:
    """In column c a hero with a free square below falls there at once."""
    state = play(turn(2, plain("c3: blue.1", "c1: red.2")), "villain knight c3")
    assert state.turn.pending is not None  # c2 has the wizard, c1 Red 2
    state = play(turn(2, plain("c3: blue.1")), "villain knight c3")
    assert state.figures["blue.1"] == "c1" and state.turn.pending is None


def test_A7_the_square_that_the_villain_left_is_free() -> None:
    """A villain that comes up a portal leaves the square below, and the hero it knocks off lands there."""
    state = play(turn(2, plain("c3: blue.1")), "villain wizard c3")
    assert (state.figures["wizard"], state.figures["blue.1"]) == ("c3", "c2")


def test_A8_villains_in_dungeons_do_no_harm() -> None:
    """By default a villain may enter a dungeon, and heroes in it stay."""
    state = play(turn(2, plain("c1: wizard")), "villain wizard b1")
    assert state.figures["red.1"] == state.figures["wizard"] == "b1"


def test_A8_villain_in_dungeon_forbidden() -> None:
    """With the house rule villains neither stop in a dungeon nor pass one."""
    state = turn(4, plain("c1: wizard"), villain_in_dungeon="forbidden")
    assert refused(state, "villain wizard b1") == refused(state, "villain wizard b1 a1") == "A8"
    assert not [way for way in ways(state, "villain wizard") if "b1" in way or "d1" in way]
    freed = turn(2, plain("b1: wizard"), villain_in_dungeon="forbidden")
    assert ways(freed, "villain wizard") == {"a1", "c1"}


def test_A9_ones_own_hero_falls_like_any_other() -> None:
    """A seat may knock off its own hero."""
    state = play(turn(2, CHASED.replace("blue.1", "red.1")), "villain wizard b3")
    assert state.figures["red.1"] == "b2"


def test_A12_villains_may_share_a_square() -> None:
    """By default both villains may stand on one square."""
    state = play(turn(2, plain("c3: knight")), "villain wizard c3")
    assert state.figures["wizard"] == state.figures["knight"] == "c3"


def test_A12_villains_share_no() -> None:
    """With the house rule a villain passes the other one and does not stop there."""
    state = turn(4, plain("c3: knight"), villains_share="no")
    assert refused(state, "villain wizard c3") == "A12"
    assert play(state, "villain wizard c3 c4").figures["wizard"] == "c4"


def test_A13_standing_up_under_a_villain_is_safe() -> None:
    """A hidden hero that stands up beside a villain stays until a villain ends a move there."""
    state = reveal(table(plain("b3: red.1", "c3: wizard")), red=1, blue=2)
    state = play(state, "hide red.1", "end", "villain wizard b3", "end")
    assert state.round == 2 and state.lying == frozenset()
    assert state.figures["red.1"] == state.figures["wizard"] == "b3"
    state = play(reveal(state, red=2, blue=4), "end", "villain wizard a3 b3")
    assert state.figures["red.1"] == "b2"


def test_A14_leaving_and_coming_back_is_a_move() -> None:
    """With Capture a villain may end where it began, and knocks off there; standing still is no choice."""
    together = plain("b3: blue.1 wizard")
    state = play(turn(4, together), "villain wizard a3 b3")
    assert state.figures["blue.1"] == "b2"
    assert "" not in ways(turn(4, together), "villain wizard")
    assert play(turn(4, together), "end").figures["blue.1"] == "b3"
    assert state.turn.special == 1


def test_A15_only_the_end_of_a_villains_path_knocks_off() -> None:
    """Of three steps over three heroes only the last makes one fall."""
    state = turn(4, plain("d3: red.1", "c3: blue.1", "b3: red.2", "e3: wizard"))
    state = play(state, "villain wizard d3 c3 b3")
    assert [state.figures[f] for f in ("red.1", "blue.1", "red.2")] == ["d3", "c3", "b2"]


def test_A16_one_path_for_each_villain() -> None:
    """A villain that has had its path does not move again with the same Capture."""
    state = play(turn(4), "villain wizard d2", "villain knight c5")
    assert state.turn.special == 1 and state.turn.used == ("knight", "wizard")
    assert refused(state, "villain wizard e2") == refused(state, "villain knight c4") == "A16"
    assert ways(play(turn(4), "villain wizard d2"), "villain wizard") == set()


def test_A17_the_second_villain_may_hit_the_same_hero() -> None:
    """A knock-off happens at once, so the other villain can end its path where the hero landed."""
    state = turn(
        4,
        """
        R  W         P         W  W
        W  S         P         R  W
        W  W:blue.1  P:wizard  R  H
        R  S         P:knight  W  W
        R  D         P         D  R
        """,
    )
    state = play(state, "villain wizard b3", "villain knight b2")
    assert draw(state) == tidy(
        """
        R  W         P         W  W
        W  S         P         R  W
        W  W:wizard  P         R  H
        R  S:knight  P         W  W
        R  D:blue.1  P         D  R
        """
    )


def test_A18_from_a_portal_in_all_four_directions() -> None:
    """A villain on a portal may also walk off it sideways."""
    assert ways(turn(2, plain("c3: wizard", "e5: knight")), "villain wizard") == {"b3", "d3", "c4", "c2"}


def test_A20_a_fall_into_the_room_lies_down() -> None:
    """A hero that lands in the secret room lies there, and no villain harms it."""
    state = play(turn(4, plain("e4: blue.1", "d4: wizard")), "villain wizard e4")
    assert state.figures["blue.1"] == "e3" and "blue.1" in state.lying
    said = told(turn(4, plain("e4: blue.1", "d4: wizard")), "villain wizard e4")
    assert "secret room" in said[-1]


def test_A21_a_fall_onto_a_passage_gives_no_hop() -> None:
    """A hero that lands on a secret passage stays there until its owner moves it."""
    events = happens(turn(2, CHASED), "villain wizard b3")
    assert [(e.what, getattr(e, "to", None)) for e in events] == [("villain_moved", None), ("fell", "b2")]
    state = finish(play(turn(2, CHASED), "villain wizard b3"))
    assert refused(reveal(state, blue=1), "move blue.1 b4") == "A29"


def test_a_hidden_hero_on_the_way_is_passed_like_any_other() -> None:
    """A fall goes past a lying hero, which fills its square."""
    state = turn(2, plain("a3: blue.1", "a2: (red.1)", "b3: wizard"))
    assert play(state, "villain wizard a3").figures["blue.1"] == "a1"


def test_A5_stay_is_no_shelter_and_no_trap() -> None:
    """With `stay` a hero and a villain that share a base square are parted by nothing but the owner's move."""
    state = finish(play(turn(2, plain("a1: blue.1", "b1: wizard"), base_fall="stay"), "villain wizard a1"))
    state = play(reveal(state, red=4, blue=5), "villain wizard b1 a1", "end")
    assert state.figures["blue.1"] == state.figures["wizard"] == "a1"
    assert play(state, "move blue.1 a2").figures["blue.1"] == "a2"
