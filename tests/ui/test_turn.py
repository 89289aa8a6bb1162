"""A turn by real touches, against a real table."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.base import msg
from companion.games.sir_holland.state import Climb, End, Explode, Fall, Hide, Move, MoveVillain, Rest
from companion.table.ports import Insist, Outcome, Play, PutRight, TakeBack
from tests.ui import positions
from tests.ui.engine import House, plays


def agree(s) -> None:
    """Everyone says yes, and nobody says no."""
    for mark in list(s.root.sheet.marks.values()):
        s.tap(mark)
    s.run_down()


def _choice(house: House) -> Any:
    assert isinstance(house.sent[-1], Play)
    return house.sent[-1].choice


def test_touch_a_figure_then_a_square(at) -> None:
    house, s = at(positions.turn())
    assert s.root.screen.head.sentence == "Ana, move your heroes, a villain, or both."
    figures = {square for square, coin in s.root.screen.tower.lit.items() if not coin}
    assert figures == {"a2", "d1", "c2", "d4"}
    s.square("a2")
    assert s.root.screen.head.sentence == "Ana, where does Red 1 go?"
    assert s.root.screen.tower.lit == {"b2": "1", "b4": "1", "a3": "1", "b3": "2", "a4": "2", "c4": "2"}
    s.square("b3")
    assert _choice(house) == Move("red", "red.1", ("b2", "b3")) or _choice(house).path[-1] == "b3"
    assert s.root.now.view["figures"]["red.1"] == "b3"
    assert s.root.now.view["turn"]["points"] == 0


def test_touching_the_figure_again_puts_it_down(at) -> None:
    house, s = at(positions.turn())
    s.square("a2")
    s.square("a2")
    assert s.root.screen.picked is None
    assert not house.sent


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_an_empty_square_without_a_figure_in_hand_says_what_to_do(at, lang) -> None:
    house, s = at(positions.turn(), lang)
    s.square("e5")
    said = {"en": "Nobody stands there. Tap a figure first", "pt": "Não há ninguém aí. Toque primeiro"}[lang]
    assert s.root.screen.head.sentence.startswith(said)
    assert s.root.screen.tower.bad == ["e5"]
    s.square("a2")
    assert s.root.screen.picked == "red.1"
    assert s.root.screen.tower.bad == []
    assert not house.sent


def test_an_unlit_square_is_refused_with_its_reason(at) -> None:
    house, s = at(positions.turn())
    s.square("a2")
    s.square("c2")
    assert house.last.kind == "refused"
    assert house.last.refused.rule == "A10"
    assert s.root.screen.tower.bad == ["c2"]
    assert s.root.screen.head.sentence == "Ana, that is not allowed."
    assert "The printed rules leave this open. We read them like this." in s.texts()
    s.press("All right, go on")
    assert s.root.screen.tower.bad == []
    assert s.root.screen.picked == "red.1"


def test_any_lit_square_also_ends_a_refusal(at) -> None:
    _house, s = at(positions.turn())
    s.square("a2")
    s.square("c2")
    s.square("b2")
    assert s.root.now.view["figures"]["red.1"] == "b2"


def test_our_table_plays_it_otherwise(at) -> None:
    house, s = at(positions.turn())
    s.square("a2")
    s.square("c2")
    s.press("We play it differently")
    assert not [r for r in house.sent if isinstance(r, PutRight)]
    assert any("Yes, and it is safe" in t for t in s.texts())
    agree(s)
    assert house.sent[-2] == PutRight({"rules": {"hero_on_villain": "allowed"}}, ("red", "blue", "green", "yellow"))
    assert s.root.now.view["rules"] == {"hero_on_villain": "allowed"}
    assert s.root.now.view["figures"]["red.1"] == "c2"


def test_others_may_act_while_our_table_changes_a_rule(at) -> None:
    house, s = at(positions.turn())
    s.square("a2")
    s.square("c2")
    s.press("We play it differently")
    house.hold = True
    agree(s)
    # a tag and an older touch of somebody else are answered first
    house.say(Outcome("stale", house.table.snapshot(), (msg("Round {n}.", n=7),)))
    house.say(Outcome("done", house.table.snapshot()))
    s.settle()
    assert [type(r) for r in house.sent[-1:]] == [PutRight]
    house.release()
    s.settle()
    assert s.root.now.view["figures"]["red.1"] == "c2"


def test_a_gesture_that_means_nothing_says_nothing(at) -> None:
    house, s = at(positions.turn())
    before = s.texts()
    house.say(Outcome("nothing", house.table.snapshot()))
    s.settle()
    assert s.texts() == before


def test_it_counts_anyway(at) -> None:
    house, s = at(positions.turn())
    s.square("a2")
    s.square("c2")
    s.press("We all want it anyway")
    assert not [r for r in house.sent if isinstance(r, Insist)]
    agree(s)
    assert isinstance(house.sent[-1], Insist)
    assert house.sent[-1].agreed == ("red", "blue", "green", "yellow")
    assert s.root.now.view["figures"]["red.1"] == "c2"
    assert s.root.now.view["rules"] == {}


def test_the_villain_in_the_way_can_be_meant(at) -> None:
    _house, s = at(positions.turn())
    s.square("a2")
    s.square("c2")
    s.press("Move this one")
    assert s.root.screen.picked == "wizard"


def test_a_refusal_leads_to_its_rule_and_back(at) -> None:
    _house, s = at(positions.turn())
    s.square("a2")
    s.square("c2")
    s.press("Read the rule")
    assert s.screen == "entry"
    assert s.root.screen.given["rule"] == "A10"
    s.root.back()
    s.settle()
    assert s.screen == "turn"
    assert s.root.screen.tower.bad == ["c2"]
    assert any("The Dark Wizard stands there" in text for text in s.texts())
    s.press("All right, go on")
    assert s.root.screen.tower.bad == []


@pytest.mark.parametrize(
    ("square", "rule"),
    [("e5", "R29"), ("d3", "R28"), ("e3", "R28")],
)
def test_figures_of_others_and_far_squares(at, square: str, rule: str) -> None:
    house, s = at(positions.turn())
    if square == "e5":
        s.square("a2")
    s.square(square)
    assert house.last.refused.rule == rule


def test_several_figures_open_a_pick_list(at) -> None:
    _house, s = at(positions.crowded())
    s.square("b1")
    assert "Who moves?" in s.texts()
    s.press("Red 1")
    assert s.root.screen.picked == "red.1"
    s.square("b1")
    assert "Who moves?" in s.texts()
    s.press("The Black Knight")
    assert s.root.screen.picked == "knight"


def test_two_ways_are_asked_once(at) -> None:
    state = positions.turn(tower=["RWPWW", "WWPRW", "WSPRH", "RSPWW", "RDPDR"])
    house, s = at(state)
    s.square("a2")
    assert s.root.screen.tower.lit["b3"] == "1"
    s.square("b3")
    assert not house.sent
    assert {end for _way, end in s.root.screen.tower.preview} == {"b3"}
    assert {"On foot", "By passage"} <= {getattr(b, "text", "") for b in s.buttons()}
    s.press("On foot")
    assert _choice(house) == Move("red", "red.1", ("a3", "b3"))
    assert s.root.now.view["turn"]["points"] == 0


def test_climbing_and_walking_are_told_apart(at) -> None:
    house, s = at(positions.turn(5, 1, 1))
    s.square("a2")
    s.square("a3")
    assert not house.sent
    s.tap(s.one(lambda w: getattr(w, "sub", "") == "uses your Climb"))
    assert _choice(house) == Climb("red", "red.1", ("a3",))
    assert s.root.now.view["turn"]["points"] == 1


def test_climb_button_lights_its_own_squares(at) -> None:
    house, s = at(positions.turn(5, 1, 1))
    s.press("Climb")
    s.square("d1")
    assert set(s.root.screen.tower.lit.values()) == {"action_5_climb"}
    s.square("d2")
    assert _choice(house) == Climb("red", "red.2", ("d2",))


def test_hiding(at) -> None:
    house, s = at(positions.turn(1, 1, 1))
    s.tap(next(b for b in s.buttons() if getattr(b, "figure", "") == "red.1"))
    assert _choice(house) == Hide("red", "red.1")
    assert "red.1" in s.root.now.view["lying"]


def test_blowing_up_a_card(at) -> None:
    house, s = at(positions.turn(3, 2, 1))
    s.press("Blow up a card")
    s.square("c3")
    assert house.last.refused.rule == "R61"
    s.press("All right, go on")
    s.square("d2")
    assert _choice(house) == Explode("red", "d2")
    assert s.root.screen.head.sentence == "Ana, now the cards: take d2 out."


def test_moving_a_villain(at) -> None:
    house, s = at(positions.turn())
    s.press("Move a villain")
    s.square("d4")
    s.square("d4")
    s.press("Move a villain")
    s.square("d4")
    s.square("e4")
    assert _choice(house) == MoveVillain("red", "knight", ("e4",))


def test_what_would_be_lost_is_said_once(at) -> None:
    house, s = at(positions.turn())
    s.square("a2")
    s.square("b2")
    s.square("d4")
    s.square("e4")
    assert [type(choice) for choice in plays(house)] == [Move]
    assert s.root.screen.head.sentence == "Ana, go on already?"
    assert "1 step is still left. It is gone after this." in s.texts()
    assert s.button("Wait, not yet").lit
    s.press("Wait, not yet")
    s.square("e4")
    assert isinstance(_choice(house), MoveVillain)


@pytest.mark.parametrize(
    ("lang", "card", "points", "special", "text"),
    [
        ("en", 2, 2, 1, "2 steps, and a villain may move."),
        ("en", 2, 1, 0, "1 step."),
        ("en", 4, 0, 2, "The villains may move 2 steps."),
        ("en", 6, 1, 2, "1 step."),  # nobody stands on a portal
        ("pt", 1, 1, 1, "1 passo, e um herói pode se esconder."),
        ("pt", 3, 2, 1, "2 passos, e uma carta pode explodir."),
    ],
)
def test_what_is_left_is_named(at, lang: str, card: int, points: int, special: int, text: str) -> None:
    _house, s = at(positions.turn(card, points, special), lang)
    s.press("Nothing more, end my turn")
    assert text in s.texts()


def test_ending_early_is_said_once_and_the_safe_answer_is_bright(at) -> None:
    house, s = at(positions.turn())
    s.press("Nothing more, end my turn")
    assert not plays(house)
    assert s.root.screen.head.sentence == "Ana, end your turn already?"
    assert [b.text for b in s.buttons() if b.lit] == ["Wait, not yet"]
    s.press("End my turn all the same")
    assert _choice(house) == End("red")
    assert s.root.screen.head.seat == "blue"


def test_a_fall_is_answered_by_its_owner(at) -> None:
    house, s = at(positions.falling())
    assert s.root.screen.head.sentence == "Bruno, where does Blue 1 fall? Pick b1 or d1."
    assert s.root.screen.head.seat == "blue"
    assert set(s.root.screen.tower.lit) == {"b1", "d1"}
    s.square("d1")
    assert not plays(house)
    assert s.root.screen.tower.preview == [[("c2", "c1", "d1"), "d1"]] or s.root.screen.notice.lines
    s.press("Yes, do it")
    assert _choice(house) == Fall("blue", "blue.1", "d1")
    assert s.root.screen.head.sentence == "Bruno, put Blue 1 on d1."


def test_resting(at) -> None:
    house, s = at(positions.last_turn())
    s.press("Rest")
    assert _choice(house) == Rest("yellow")
    assert s.screen == "round_end"
    assert s.root.screen.head.sentence.startswith("Round 4 is over.")
    s.press("Done, next round")
    assert s.screen == "choose"


def test_taking_back_ones_own_is_shown_first(at) -> None:
    house, s = at(positions.turn())
    s.square("a2")
    s.square("b2")
    s.press("Take back")
    assert not [r for r in house.sent if isinstance(r, TakeBack)]
    assert "Red 1 goes to b2." in s.texts()
    assert s.root.screen.notice.lines == [(("b2", "a2"), "a2")]
    s.press("Leave it")
    assert s.root.now.view["figures"]["red.1"] == "b2"
    s.press("Take back")
    s.press("Yes, undo it")
    assert house.sent[-1] == TakeBack("red", seen=house.sent[-1].seen)
    assert s.root.now.view["figures"]["red.1"] == "a2"
    # what hands do, and no line that would be read as an order to move
    assert s.root.screen.head.sub == "Taken back. Put Red 1 back on a2."
    assert not any("goes to b2" in t for t in s.texts())
    s.square("b4")
    assert [t for t in s.texts() if "Red 1 goes" in t] == ["Red 1 goes over b2 to b4."]
    assert not any("Taken back" in t for t in s.texts())


def test_taking_back_anothers_needs_everyone(at) -> None:
    house, s = at(positions.turn())
    s.press("Nothing more, end my turn")
    s.press("End my turn all the same")
    s.press("Take back")
    assert any("Ana ends the turn." in t for t in s.texts())
    agree(s)
    assert house.sent[-1].agreed
    assert s.root.now.view["queue"][0] == "red"


def test_a_stale_touch_changes_nothing(at) -> None:
    house, s = at(positions.turn())
    s.square("a2")
    old = s.root.now.seen
    house.send(Play(Move("red", "red.2", ("c1",)), old))
    s.root.send(Play(Move("red", "red.1", ("b2",)), old))
    s.settle()
    assert house.last.kind == "stale"
    assert "Look again" in s.texts()
    assert s.root.now.view["figures"]["red.1"] == "a2"


def test_not_saved_is_a_line_that_covers_nothing(at) -> None:
    house, s = at(positions.turn())
    s.square("a2")
    text = msg("Not saved: {why:message} Nothing has changed.", why=msg("the disk is full."))
    house.say(Outcome("not_saved", house.table.snapshot(), (text,)))
    s.settle()
    assert any("Not saved" in t for t in s.texts())
    assert s.root.screen.y > 0
    s.square("b2")
    s.settle()
    assert not any("Not saved" in t for t in s.texts())


def test_the_winner_and_again(at) -> None:
    _house, s = at(positions.winning())
    s.press("Rest")
    assert s.screen == "winner"
    assert s.root.screen.head.sentence == "Ana wins!"
    s.press("Play again")
    assert s.screen == "tower"
