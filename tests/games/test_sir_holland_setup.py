"""Sir Holland, the box and the set-up: R1 to R20, A1, A2, A63 to A68."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from companion.games.base import BadForm, BadSetup, Laid, Pressed, Refusal
from companion.games.sir_holland import desk, setup
from companion.games.sir_holland.state import Lock
from tests.games.picture import (
    FOUR,
    GAME,
    PLAIN,
    THREE,
    TWO,
    draw,
    happens,
    opened,
    plain,
    play,
    refused,
    reveal,
    rounds,
    sentence,
    table,
    tidy,
    turn,
)

TOWERS = [setup.tower(n) for n in range(setup.TOWERS)]
TOWER = ["RWPWW", "WSPRW", "WWPRH", "RSPWW", "RDPDR"]


def faults_of(seats: Any = TWO, **options: Any) -> set[str]:
    """The rules that a set-up breaks; none if the game opens."""
    try:
        opened(seats, **options)
    except BadSetup as error:
        return {f.rule for f in error.faults}
    return set()


def tower_faults(*lines: str) -> set[str]:
    return faults_of(tower=list(lines))


def loaded(**changes: Any) -> set[str]:
    """The rules that a position breaks which differs from a good one in these keys."""
    data = GAME.state_to_json(opened(tower=TOWER, gryphon="red")) | changes
    try:
        GAME.state_from_json(data)
    except BadSetup as error:
        return {f.rule for f in error.faults}
    return set()


def test_a_good_tower_has_no_fault() -> None:
    """The checks below fail for what they change, not for the tower that they start from."""
    assert tower_faults(*TOWER) == set()
    assert loaded() == set()


# --- in the box -------------------------------------------------------------------------------------------------


def test_R1_two_to_four_seats() -> None:
    """A table seats two to four."""
    assert faults_of(["red"]) == faults_of([]) == faults_of([*FOUR, "black"]) == {"R1"}
    assert faults_of(TWO) == faults_of(THREE) == faults_of(FOUR) == set()


def test_R2_two_heroes_of_each_of_four_colours() -> None:
    """A seat has one of the four colours, nobody else has it, and two heroes belong to it."""
    assert set(opened(FOUR).figures) - {"wizard", "knight"} == {f"{s}.{n}" for s in FOUR for n in (1, 2)}
    assert faults_of(["red", "purple"]) == faults_of(["red", "red"]) == {"R2"}


def test_R3_both_villains_are_always_there() -> None:
    """Every table has the Dark Wizard and the Black Knight, and a position without one is none."""
    figures = dict(opened().figures)
    assert figures.keys() >= {"wizard", "knight"}
    del figures["knight"]
    with pytest.raises(BadForm):
        loaded(figures=figures)


def test_R5_the_cards_of_a_tower_are_those_in_the_box() -> None:
    """A tower with one rope too many or no secret room cannot be laid."""
    assert "R5" in tower_faults("RWPWW", "WSPRW", "WWPRW", "RSPWW", "RDPDR")
    assert "R5" in tower_faults("RRPWW", "WSPRW", "WWPRH", "RSPWW", "RDPDR")
    assert "R5" in loaded(tower=["RWPWW", "WSPRW", "WWPRW", "RSPWW", "RDPDR"])


def test_R6_seven_action_cards_each() -> None:
    """Each seat has the numbers 1 to 7, and no eighth card."""
    state = opened(FOUR)
    assert dict(state.hands) == dict.fromkeys(FOUR, (1, 2, 3, 4, 5, 6, 7))
    with pytest.raises(BadForm):
        loaded(hands={"red": [1, 2, 3, 4, 5, 6, 7, 8], "blue": [7]})


# --- setting up -------------------------------------------------------------------------------------------------


def test_R6_a_card_laid_on_another_seats_reader_locks_nothing() -> None:
    """Cards are locked by their own seat: laid on its reader, or by the button of their number."""
    state = table()
    assert GAME.read(state, Laid("red", "red", 3)) == GAME.read(state, Pressed("red", 3)) == Lock("red", 3)
    with pytest.raises(Refusal) as refusal:
        GAME.read(state, Laid("red", "blue", 3))
    assert refusal.value.rule == "R6"
    assert "Blue" in sentence(state, refusal.value)


def test_R9_five_levels_of_five_cards() -> None:
    """A tower of four levels, or with a level of six cards, is none."""
    for lines in (TOWER[1:], ["RWPWWW", *TOWER[1:]], ["RWPWX", *TOWER[1:]]):
        with pytest.raises(BadForm):
            opened(tower=lines)


def test_R10_column_c_is_portals() -> None:
    """Each portal lies in column c, at the set-up and later."""
    assert "R10" in tower_faults("RWWPW", "WSPRW", "WWPRH", "RSPWW", "RDPDR")
    assert loaded(tower=["RWWPW", "WSPRW", "WWPRH", "RSPWW", "RDPDR"]) == {"R10"}
    assert all(line[2] == "P" for tower in TOWERS for line in tower)


def test_R11_dungeons_on_b1_and_d1() -> None:
    """The dungeons lie beside the lowest portal, at the set-up and later."""
    assert "R11" in tower_faults("RWPWW", "WSPRW", "WWPRH", "RSPWW", "DRPDR")
    assert "R11" in loaded(tower=["RWPWW", "WSPRW", "WWPRH", "RSPWW", "DRPDR"])


def test_R12_two_ropes_below_and_one_on_every_level() -> None:
    """The base has its two ropes, and no level above may be without one at the set-up."""
    assert tower_faults("WWPWW", "WSPRW", "WWPRH", "RSPWR", "RDPDR") == {"R12"}
    assert tower_faults("RWPWW", "WSPRW", "WWPRH", "RSPRW", "WDPDR") == {"R12"}
    assert tower_faults("RWPWW", "WSPRW", "WWPRH", "RSPRW", "RDPDW") == {"R12"}


def test_R13_passages_on_levels_2_and_4() -> None:
    """One secret passage lies on level 2 and one on level 4."""
    assert tower_faults("RWPWW", "WWPRW", "WSPRH", "RSPWW", "RDPDR") == {"R13"}
    assert tower_faults("RWPWW", "WSPRS", "WWPRH", "RWPWW", "RDPDR") == {"R13"}


def test_R14_the_room_takes_any_place_left() -> None:
    """The secret room may lie on every square of levels 2 to 5 outside column c, and there is one."""
    rooms = Counter(
        (5 - n, "abcde"[line.index("H")]) for tower in TOWERS for n, line in enumerate(tower) if "H" in line
    )
    assert set(rooms) == {(n, c) for n in (2, 3, 4, 5) for c in "abde"}
    assert rooms.total() == len(TOWERS)


def test_R15_walls_fill_the_rest() -> None:
    """What is no portal, dungeon, rope, passage or room is a wall."""
    for tower in TOWERS[::97]:
        assert set("".join(tower)) == set("PDRSHW")


def test_R16_there_are_23040_legal_towers() -> None:
    """All numbered towers differ, all are legal, and their base is rope, dungeon, portal, dungeon, rope."""
    assert len(TOWERS) == len(set(TOWERS)) == 23040
    for tower in TOWERS:
        assert setup.tower_faults(tower) == []
        assert tower[4] == "RDPDR"
        assert [line.count("R") for line in tower] == [1, 1, 1, 1, 2]


def test_R16_counted_another_way() -> None:
    """Ropes, passages and room laid in every way that the rules leave give the same 23,040 towers."""
    found = set()
    for ropes in ((a, b, c, d) for a in "0134" for b in "0134" for c in "0134" for d in "0134"):
        for two, four in ((p, q) for p in "0134" for q in "0134"):
            for room in ((n, c) for n in range(4) for c in "0134"):
                # levels 5, 4, 3, 2 are lines 0 to 3
                laid = [*enumerate(ropes), (3, two), (1, four), room]
                if len(set(laid)) == 7:
                    lines = [list("WWPWW") for _ in range(4)]
                    for letter, (n, c) in zip("RRRRSSH", laid, strict=True):
                        lines[n][int(c)] = letter
                    found.add((*map("".join, lines), "RDPDR"))
    assert found == set(TOWERS)


def test_R17_a_hero_in_each_dungeon() -> None:
    """Each seat begins with its first hero in b1 and its second in d1."""
    state = opened(FOUR)
    assert {f: s for f, s in state.figures.items() if "." in f} == {
        f"{s}.{n}": at for s in FOUR for n, at in ((1, "b1"), (2, "d1"))
    }


def test_R18_villains_on_the_portals_of_levels_2_and_4() -> None:
    """The villains begin on c2 and c4, one on each, and nowhere else."""
    state = opened()
    assert {state.figures["wizard"], state.figures["knight"]} == {"c2", "c4"}
    for there in ({"wizard": "c2", "knight": "c2"}, {"wizard": "c2", "knight": "c3"}):
        assert faults_of(villains=there) == {"R18"}


def test_R19_all_cards_in_hand_and_no_rest_made() -> None:
    """Everyone begins with all seven action cards and an upright character card."""
    state = opened(THREE)
    assert dict(state.hands) == dict.fromkeys(THREE, (1, 2, 3, 4, 5, 6, 7))
    assert dict(state.rests) == dict.fromkeys(THREE, 0)


def test_R20_the_gryphon_goes_to_a_seat() -> None:
    """The first player is one of the seats."""
    assert opened(gryphon="blue").gryphon == "blue"
    assert faults_of(gryphon="green") == {"R20"}


# --- rulings ----------------------------------------------------------------------------------------------------


def test_A1_nine_walls_are_laid() -> None:
    """One of the ten walls stays in the box: every tower has nine, and one with ten has another card too few."""
    assert all("".join(tower).count("W") == 9 for tower in TOWERS)
    assert "R5" in tower_faults("RWPWW", "WSPRW", "WWPRW", "RSPWW", "RDPDR")


def test_A2_no_free_choice_of_the_dungeon() -> None:
    """Set-up has no option for where heroes begin: one begins in each dungeon."""
    with pytest.raises(BadForm):
        opened(figures={"red.1": "d1"})
    assert draw(opened(tower=TOWER, gryphon="red")) == tidy(PLAIN)


def test_A63_the_villains_may_be_swapped() -> None:
    """The Dark Wizard begins on c2 and the Black Knight on c4, unless the table swaps them."""
    assert opened().figures["wizard"] == "c2"
    swapped = opened(villains={"wizard": "c4", "knight": "c2"})
    assert (swapped.figures["wizard"], swapped.figures["knight"]) == ("c4", "c2")


def test_A64_a_tower_is_drawn_or_laid_by_hand() -> None:
    """Without a tower a legal one is drawn, each about as often; a given one is checked and used."""
    assert opened(tower=TOWER).tower == tuple(TOWER)
    drawn = Counter(setup.deal(random.Random(seed)) for seed in range(2000))
    assert len(drawn) > 1850 and max(drawn.values()) <= 5
    assert all(setup.tower_faults(tower) == [] for tower in drawn)


def test_A65_the_first_player_is_drawn_or_chosen() -> None:
    """Without a first player one is drawn, and every seat can be."""
    assert {opened(FOUR, seed).gryphon for seed in range(60)} == set(FOUR)
    assert opened(FOUR, gryphon="yellow").gryphon == "yellow"


@pytest.mark.parametrize("seats", [TWO, THREE, FOUR])
def test_A66_nothing_changes_with_fewer_seats(seats: tuple[str, ...]) -> None:
    """With two or three seats the rules are the same and the other colours stay in the box."""
    state = opened(seats, tower=TOWER, gryphon="red")
    assert state.figures.keys() == {f"{s}.{n}" for s in seats for n in (1, 2)} | {"wizard", "knight"}
    assert GAME.choices(state, "red") == GAME.choices(opened(tower=TOWER, gryphon="red"), "red")
    assert happens(turn(2, seats=seats), "move red.1 c1 d1") == happens(turn(2), "move red.1 c1 d1")


def test_A67_the_next_seat_sits_to_the_left() -> None:
    """Seats are listed clockwise: after the last one comes the first again."""
    assert desk.to_the_left(FOUR, "green") == ["green", "yellow", "red", "blue"]
    state = reveal(table(seats=FOUR, gryphon="green"), **dict.fromkeys(FOUR, 2))
    assert state.queue == ("green", "yellow", "red", "blue")


def test_A68_used_cards_are_open() -> None:
    """Everyone sees which cards everyone still holds."""
    state = rounds(table(), {"red": 3, "blue": 5})
    assert GAME.view(state)["hands"] == {"red": [1, 2, 4, 5, 6, 7], "blue": [1, 2, 3, 4, 6, 7]}
    assert GAME.view(state, "blue")["hands"] == GAME.view(state)["hands"]
    assert refused(state, "lock red 3") == "R25"
    assert GAME.view(play(state, "lock red 4"))["hands"] == GAME.view(state)["hands"]


# --- positions that cannot be -----------------------------------------------------------------------------------

ALL = (1, 2, 3, 4, 5, 6, 7)


@pytest.mark.parametrize(
    ("round_", "hand", "rests", "fits"),
    [
        (1, ALL, 0, True),
        (1, ALL[1:], 0, False),  # nothing was played yet
        (1, ALL, 1, False),
        (2, ALL, 1, True),
        (3, ALL[2:], 0, True),
        (3, ALL[1:], 0, False),  # two rounds, one card gone
        (3, ALL[2:], 1, False),  # two cards gone and a rest make three rounds
        (3, ALL[1:], 1, True),
        (3, ALL, 2, True),
        (3, ALL, 1, True),
        (3, ALL, 0, False),
        (3, ALL, 3, False),
        (7, (7,), 0, True),
        (8, ALL, 1, True),
        (8, (7,), 0, False),
        (9, ALL, 1, False),  # a rest comes after six other cards at the latest
        (9, ALL[1:], 1, True),
        (15, ALL, 2, True),
        (16, ALL, 2, False),
        (3, ALL[:-2], 0, False),  # card 7 never stays away
    ],
)
def test_R26_hands_fit_rounds_and_rests(round_: int, hand: tuple[int, ...], rests: int, fits: bool) -> None:
    """A loaded seat has played one card a round, and rested at least after every sixth."""
    blue, rested = (ALL[round_ - 1 :], 0) if round_ < 8 else (ALL, 2)
    broken = loaded(round=round_, hands={"red": [*hand], "blue": [*blue]}, rests={"red": rests, "blue": rested})
    assert broken == (set() if fits else {"R26"})


def test_A48_no_third_rest_in_a_loaded_position() -> None:
    """With `third_rest: pass` nobody has rested three times."""
    own = {"round": 4, "hands": {"red": [*ALL], "blue": [4, 5, 6, 7]}, "rests": {"red": 3, "blue": 0}}
    assert loaded(**own) == set()
    assert loaded(**own, rules={"third_rest": "pass"}) == {"R26"}


def test_A49_somebody_can_choose() -> None:
    """With `third_rest: pass` a position in which everyone would sit out cannot be."""
    own = {"round": 9, "hands": {"red": [7], "blue": [7]}, "rests": {"red": 2, "blue": 2}}
    assert loaded(**own) == set()
    assert loaded(**own, rules={"third_rest": "pass"}) == {"A49"}


def played(**changes: Any) -> set[str]:
    """The rules that a position breaks in which Red, with card 4, acts before Green and Blue, who rest."""
    state = reveal(table(plain("c1: blue.1 wizard"), THREE, gryphon="green"), red=4)
    data = GAME.state_to_json(state)
    turn = data["turn"] | changes.pop("turn", {})
    try:
        GAME.state_from_json(data | {"turn": turn} | changes)
    except BadSetup as error:
        return {f.rule for f in error.faults}
    return set()


def test_R22_R23_a_loaded_order_follows_from_cards_and_gryphon() -> None:
    """Queue, cards, gryphon and turn of a loaded position belong together."""
    assert played() == set()
    assert played(gryphon="blue") == played(queue=["red", "blue", "green"]) == {"R23"}
    assert "R23" in played(queue=["red", "green"])
    assert played(queue=["green", "blue"]) == {"R22"}
    assert played(turn={"seat": "green"}) == played(turn={"card": 2}) == {"R22"}
    assert "R21" in played(cards={"red": 4, "green": 7})
    hands = {"red": [1, 2, 3, 4, 5, 6, 7], "green": [1, 2, 3, 4, 5, 6], "blue": [1, 2, 3, 4, 5, 6]}
    assert played(hands=hands) == {"R25"}


def test_R29_a_loaded_budget_is_one_that_the_card_gives() -> None:
    """Points, moves and used figures of a loaded turn stay within the card."""
    assert played(turn={"points": 0, "special": 1, "used": ["wizard"]}) == set()
    assert played(turn={"points": 2}) == played(turn={"special": 4}) == {"R29"}
    assert played(turn={"used": ["wizard"]}) == {"R29"}
    assert played(turn={"special": 2, "used": ["red.1"]}) == {"R29"}
    assert played(turn={"points": 0, "special": 2}, rules={"interleave": "on"}) == set()


def test_A7_a_loaded_fall_waits_where_it_can() -> None:
    """A fall waits for a hero that a villain knocked off column c, and for both dungeons to pick from."""
    waits = {"hero": "blue.1", "to": ["b1", "d1"]}
    assert played(turn={"special": 2, "used": ["wizard"], "pending": waits}) == set()
    for changed in ({"hero": "blue.2"}, {"to": ["b1"]}, {"to": ["b1", "d1", "a1"]}):
        assert played(turn={"special": 2, "used": ["wizard"], "pending": waits | changed}) == {"A7"}
    alone = reveal(table(plain("c1: blue.1 wizard"), THREE)).figures | {"wizard": "c2"}
    assert played(turn={"special": 2, "used": ["wizard"], "pending": waits}, figures=alone) == {"A7"}
    stay = {"base_fall": "stay"}
    assert played(turn={"special": 2, "used": ["wizard"], "pending": waits}, rules=stay) == {"A7"}


# --- the seed ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seed", "gryphon", "tower"),
    [
        (1, "red", ("WRPHW", "RWPSW", "WRPWW", "RWPSW", "RDPDR")),
        (2018, "green", ("WRPWW", "SWPWR", "WWPWR", "HRPWS", "RDPDR")),
    ],
)
def test_the_same_seed_gives_the_same_set_up(seed: int, gryphon: str, tower: tuple[str, ...]) -> None:
    """What a seed draws never changes, on no machine and in no version."""
    state = opened(FOUR, seed)
    assert (state.gryphon, state.tower) == (gryphon, tower)
