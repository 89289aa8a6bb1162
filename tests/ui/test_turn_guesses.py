"""What somebody had to guess who played for the first time, and need not any more. By real touches."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.sir_holland.state import End, Move, MoveVillain
from companion.table.ports import Play, SayThis, TakeBack
from companion.ui.screens.terrace import Terrace
from tests.ui import positions
from tests.ui.engine import plays


def head(s) -> str:
    return s.root.screen.head.sentence


# --- who is meant -------------------------------------------------------------------------------------------------


def captured(**turn: Any) -> dict[str, Any]:
    """Card 4 in play: the wizard has moved, the knight has one step left."""
    state = positions.turn(4, 0, 1)
    state["turn"] |= {"used": ["wizard"], **turn}
    return state


def test_a_villain_that_has_moved_says_so_itself(at) -> None:
    """The knight is in hand by itself; a touch on the wizard is about the wizard."""
    house, s = at(captured())
    assert s.root.screen.picked == "knight"
    s.square("c2")
    assert house.last.refused.rule == "A16"
    assert "The Dark Wizard has moved already." in s.texts()
    assert not any("Black Knight" in t for t in s.texts())


def test_another_villain_that_may_move_is_picked(at) -> None:
    house, s = at(positions.turn(4, 0, 1))
    s.square("c2")
    assert s.root.screen.picked == "wizard"
    s.square("d4")
    assert s.root.screen.picked == "knight"
    assert not house.sent


def test_each_villain_moves_once_is_said_before_the_first_one_moves(at) -> None:
    _house, s = at(positions.turn(4, 1, 3))
    s.square("c2")
    assert s.root.screen.head.sub == "Each villain moves once: tap the square where it stops."


def test_a_hero_without_steps_says_so_and_not_the_villain_in_hand(at) -> None:
    house, s = at(positions.turn(4, 0, 1))
    s.square("d4")
    s.square("a2")
    assert house.last.refused.rule in ("R29", "A37")
    assert any(t.startswith("Ana, your heroes have no steps left.") for t in s.texts())


def test_a_villain_too_far_for_the_hero_in_hand_is_meant_itself(at) -> None:
    """Card 2: the villain half is used up, the hero in hand cannot reach the knight."""
    house, s = at(positions.turn(2, 1, 0))
    s.square("a2")
    s.square("d4")
    assert house.last.refused is not None
    assert any("you cannot move a villain any more" in t for t in s.texts())


def test_a_hero_touched_while_villains_are_asked_for_is_picked_and_nothing_is_played(at) -> None:
    house, s = at(positions.turn())
    s.press("Move a villain")
    s.square("a2")
    assert not house.sent
    assert s.root.screen.picked == "red.1"
    assert s.root.screen.half is None
    assert s.root.screen.tower.lit
    s.square("b2")
    assert plays(house) == [Move("red", "red.1", ("b2",))]


def test_others_heroes_belong_to_somebody(at) -> None:
    _house, s = at(positions.turn())
    s.square("d3")
    assert {"Blue 1 belongs to Bruno.", "Ana moves only Red 1 and Red 2."} <= set(s.texts())


# --- questions ----------------------------------------------------------------------------------------------------


def test_a_touch_on_the_tower_closes_a_take_back_and_does_nothing_else(at) -> None:
    house, s = at(positions.turn())
    s.square("a2")
    s.square("b2")
    s.press("Take back")
    house.sent.clear()
    s.square("a2")
    assert s.root.screen.notice is None
    assert not [r for r in house.sent if isinstance(r, Play | TakeBack)]
    assert s.root.now.view["figures"]["red.1"] == "b2"
    s.square("a2")
    assert s.root.now.view["figures"]["red.1"] == "a2"


def test_a_touch_on_the_tower_closes_a_warning_and_does_nothing_else(at) -> None:
    house, s = at(positions.turn())
    s.press("Nothing more, end my turn")
    s.square("a2")
    assert not plays(house)
    assert s.root.screen.picked is None
    assert head(s) == "Ana, move your heroes, a villain, or both."
    s.press("Nothing more, end my turn")
    assert plays(house) == [End("red")]


def test_a_touch_on_the_tower_closes_what_will_fall(at) -> None:
    house, s = at(positions.turn(4, 1, 3))
    s.square("d4")
    s.square("d3")
    s.square("e4")
    assert not plays(house)
    s.square("e4")
    assert plays(house) == [MoveVillain("red", "knight", ("e4",))]


def test_a_question_is_heard(at) -> None:
    house, s = at(positions.turn())
    s.press("Nothing more, end my turn")
    (said,) = [r for r in house.sent if isinstance(r, SayThis)]
    assert [m.id for m in said.messages] == [
        "Something is left",
        "2 steps, and a villain may move.",
        "Ana, end your turn already?",
    ]


@pytest.mark.parametrize(
    ("lang", "wish", "title", "no", "wait", "yes"),
    [
        ("en", "We all want it anyway", "Count it anyway?", "No, go back", "No, wait", "Yes, count it"),
        ("pt", "Todos querem assim mesmo", "Vale assim mesmo?", "Não, voltar", "Não, espera", "Sim, vale assim"),
    ],
)
def test_yes_and_no_of_an_exception_cannot_be_mixed_up(at, lang, wish, title, no, wait, yes) -> None:
    house, s = at(positions.turn(), lang)
    s.square("a2")
    s.square("c2")
    s.tap(s.one(lambda w: getattr(w, "text", "") == wish and hasattr(w, "lit")))
    assert title in s.texts()
    assert no in [getattr(b, "text", "") for b in s.buttons()]
    for mark in list(s.root.sheet.marks.values()):
        s.tap(mark)
    assert yes in s.texts()
    (button,) = [b for b in s.buttons() if getattr(b, "text", "")]
    assert button.text == wait
    s.tap(button)
    assert s.root.sheet is None
    assert s.root.now.view["figures"]["red.1"] == "a2"
    assert plays(house) == [house.last.refused.choice]


# --- what it costs ------------------------------------------------------------------------------------------------


def test_too_far_shows_the_way_and_leads_to_the_rule_that_explains_it(at) -> None:
    house, s = at(positions.turn())
    s.square("a2")
    s.square("e5")
    assert house.last.refused.rule == "R29"
    way = ("a2", "b2", "b4", "c4", "d4", "d5", "e5")
    assert [(tuple(path), end) for path, end in s.root.screen.tower.preview] == [(way, "e5")]
    steps = "Step 1: b2. Then free through the passage to b4. Step 2: c4. Step 3: d4. Step 4: up to d5. Step 5: e5."
    assert f"Hero steps left: 2. {steps}" in s.texts()
    # what is lit stays lit: another square is an answer, too
    assert s.root.screen.tower.lit
    s.press("Read the rule")
    assert s.root.screen.given["rule"] == "R35"
    s.root.back()
    s.settle()
    assert s.root.screen.tower.preview


def test_a_way_by_a_rope_leads_to_the_rope(at) -> None:
    state = positions.turn(5, 1, 0)
    state["figures"] |= {"red.1": "b1", "yellow.2": "d1"}
    _house, s = at(state)
    s.square("b1")
    s.square("a2")
    assert "Hero steps left: 1. Step 1: a1. Step 2: up to a2." in s.texts()
    s.press("Read the rule")
    assert s.root.screen.given["rule"] == "R33"


def test_a_villain_too_far_shows_its_way(at) -> None:
    _house, s = at(positions.turn(2, 0, 1))
    s.square("d4")
    s.square("a5")
    assert "The Black Knight would need 4 steps." in s.texts()
    assert any(t.startswith("Villain steps left: 1. Step 1: ") for t in s.texts())
    (way, end), *_others = s.root.screen.tower.preview
    assert (way[0], end) == ("d4", "a5")


def test_what_stands_on_the_coins_is_said(at) -> None:
    """Only a picture, or numbers too."""
    _house, s = at(positions.turn(5, 0, 1))
    s.square("a2")
    assert s.root.screen.head.sub == "Tap a bright square."
    _house, s = at(positions.turn(5, 1, 1))
    s.square("a2")
    assert s.root.screen.head.sub == "Tap a bright square. Its number is the steps it costs."


@pytest.mark.parametrize(("points", "words"), [(1, "a hero"), (2, "your heroes")])
def test_one_step_is_for_one_hero(at, points: int, words: str) -> None:
    _house, s = at(positions.turn(2, points, 0))
    assert head(s) == f"Ana, you may still move {words}."


# --- out ----------------------------------------------------------------------------------------------------------


def leaving(second: bool) -> dict[str, Any]:
    state = positions.turn(2, 2, 0)
    state["figures"] |= {"red.1": "a5", "red.2": "roof" if second else "d1"}
    return state


def test_a_saved_hero_is_a_large_picture_that_asks_for_nothing(at) -> None:
    house, s = at(leaving(False))
    s.square("a5")
    s.square("roof")
    (terrace,) = s.all(lambda w: isinstance(w, Terrace))
    assert terrace.figures == ["red.1"]
    assert terrace.height > 80
    assert {"Red 1 is saved.", "Now Red 2."} <= set(s.texts())
    # the next touch plays, and the picture is gone
    s.square("c1")
    assert s.root.now.view["figures"]["red.2"] == "c1"
    assert not s.all(lambda w: isinstance(w, Terrace))
    assert len(plays(house)) == 2


def test_who_is_next_is_only_said_where_somebody_is(at) -> None:
    """In the last turn of the game the other hero does nothing any more."""
    state = positions.turn(5, 0, 1, round=14, final=True, queue=["red"])
    state["figures"] |= {"red.1": "a5", "red.2": "d1"}
    _house, s = at(state)
    s.square("a5")
    s.square("roof")
    assert "Red 1 is saved." in s.texts()
    assert "This is the last round." in s.texts()
    assert "Now Red 2." not in s.texts()


def test_both_out_is_the_last_round_and_says_so_to_everybody(at) -> None:
    _house, s = at(leaving(True))
    s.square("roof")
    (terrace,) = s.all(lambda w: isinstance(w, Terrace))
    assert sorted(terrace.figures) == ["red.1", "red.2"]
    assert {"Both heroes of Ana are out.", "This is the last round."} <= set(s.texts())
    s.press("Nothing more, end my turn")
    assert s.root.screen.head.seat == "blue"
    assert s.root.screen.head.sub == "Both heroes of Ana are out: the last round."


# --- taken back ---------------------------------------------------------------------------------------------------


def test_taken_back_says_where_everything_goes(at) -> None:
    _house, s = at(positions.turn(4, 1, 3))
    s.square("d4")
    s.square("d3")
    s.press("Yes, do it")
    s.press("Take back")
    s.press("Yes, undo it")
    assert s.root.screen.head.sub == "Taken back. Put Blue 1 back on d3. Put the Black Knight back on d4."


def test_hiding_taken_back_stands_the_hero_up(at) -> None:
    _house, s = at(positions.turn(1, 1, 1))
    s.tap(next(b for b in s.buttons() if getattr(b, "figure", "") == "red.1"))
    s.press("Take back")
    s.press("Yes, undo it")
    assert s.root.screen.head.sub == "Taken back. Stand Red 1 up again."
