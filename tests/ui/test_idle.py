"""What nobody can use is grey, and says why in the words of the rules; what is touched out of curiosity is asked."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.sir_holland.state import End, MoveVillain
from companion.ui.boards.sir_holland import idle
from companion.ui.boards.wishes import Wishes
from companion.ui.screens.turn import WONDERS
from companion.ui.screens.turn_side import Steps
from tests.ui import positions
from tests.ui.engine import plays


def _with(state: dict[str, Any], **figures: str) -> dict[str, Any]:
    state["figures"] |= {name.replace("_", "."): square for name, square in figures.items()}
    return state


def _portals_blocked() -> dict[str, Any]:
    return _with(positions.turn(6, 1, 1), red_1="c1", red_2="roof", blue_1="c2", wizard="c4", knight="c5")


def _capture_done() -> dict[str, Any]:
    state = positions.turn(4, 1, 1)
    state["turn"]["used"] = ["wizard", "knight"]
    return state


SPECIAL = {
    "nobody is on a portal": (positions.turn(6, 1, 2), "Use portals", "no portal", "R29"),
    "all ways of the portals are taken": (_portals_blocked(), "Use portals", "Blue 1 stands there", "R31"),
    "what lies above is taken": (_with(positions.turn(5, 1, 1), blue_1="a3", green_1="d2"), "Climb",
                                 "stands there", "R31"),
    "both villains have moved": (_capture_done(), "Move villains", "has moved already", "A16"),
}  # fmt: skip


@pytest.mark.parametrize("name", SPECIAL)
def test_a_half_that_nobody_can_use_is_grey_and_says_why(at, name: str) -> None:
    """A touch on it asks nothing of the table and marks no square that nobody touched."""
    state, label, why, rule = SPECIAL[name]
    house, s = at(state)
    button = s.one(lambda w: getattr(w, "text", "") == label and hasattr(w, "off"))
    assert button.off
    assert not button.lit
    s.tap(button)
    found = s.root.explanation.explanation
    assert why in found.text
    assert found.rule == rule
    assert plays(house) == []
    assert s.root.screen.tower.bad == []
    assert s.root.screen.notice is None
    s.press("The rule")
    assert s.root.flow.given["rule"] == rule


def test_it_is_bright_again_once_it_can_be_used(at) -> None:
    _house, s = at(_with(positions.turn(6, 1, 2), red_1="b3"))
    button = s.button("Use portals") if s.all(lambda w: getattr(w, "text", "") == "Use portals" and not w.off) else None
    assert button is None
    s.square("b3")
    s.square("c3")
    assert not s.button("Use portals").off
    s.press("Use portals")
    assert s.root.screen.half == "special"


def test_a_hero_that_cannot_hide_is_grey_and_says_why(at) -> None:
    house, s = at(_with(positions.turn(1, 1, 1), red_1="c3", red_2="d2"))
    grey, bright = (s.one(lambda w, h=h: getattr(w, "data", None) == h) for h in ("red.1", "red.2"))
    assert (grey.off, bright.off) == (True, False)
    s.tap(grey)
    assert "portal" in s.root.explanation.explanation.text
    assert s.root.explanation.explanation.rule == "R55"
    s.press("Close")
    s.tap(bright)
    assert len(plays(house)) == 1


def _nobody_steps() -> dict[str, Any]:
    state = positions.turn(2, 1, 1)
    state["lying"] = []
    return _with(state, red_1="a5", red_2="roof", blue_1="b5", wizard="c2", knight="d4")


def test_steps_that_nobody_can_take_are_grey_and_say_why(at) -> None:
    """A hero at the edge, its only neighbour taken; its own rope is all that is left."""
    state = _nobody_steps()
    state["tower"] = ["WRPWW", "RSPWW", "WWPRH", "WSPRW", "RDPDR"]
    house, s = at(state)
    steps = s.one(lambda w: isinstance(w, Steps))
    assert steps.words.tint == "muted"
    s.tap(steps)
    assert "stands there" in s.root.explanation.explanation.text
    assert plays(house) == []
    # what a villain can still do is not touched by that
    s.press("Close")
    assert not s.button("Move a villain").off


def test_steps_that_a_hero_can_take_are_bright_and_do_nothing(at) -> None:
    house, s = at(positions.turn())
    steps = s.one(lambda w: isinstance(w, Steps))
    assert steps.words.tint == "text"
    s.tap(steps)
    assert s.root.explanation is None
    assert plays(house) == []


def test_nothing_is_idle_where_something_can_be_done_or_nothing_is_left() -> None:
    from companion.games import find_game
    from companion.games.sir_holland import codec

    game = find_game("sir-holland")
    assert game is not None
    for card in range(1, 7):
        for points, special in ((1, 1), (0, 0)):
            view = _with(positions.turn(card, points, special), red_1="c3", red_2="d2")
            state = codec.state_from_json({**view, "locked": []}, history=False)
            choices = game.choices(state)
            wishes = Wishes(view, choices)
            able = wishes.figures("special") or wishes.explodable() or wishes.hideable()
            assert (idle.why_not_special(wishes) is None) or not able
            assert idle.why_no_step(wishes) is None
            if (points, special) == (0, 0):
                assert idle.why_not_special(wishes) is None
                assert all(isinstance(choice, End) for choice in choices)


# --- curiosity ------------------------------------------------------------------------------------------------------


def _one_villain(special: int = 1) -> dict[str, Any]:
    """Only the Dark Wizard can come to b2, and no hero."""
    return positions.turn(2, 0, special)


def test_a_touch_out_of_curiosity_moves_no_villain(at) -> None:
    house, s = at(_one_villain())
    s.square("b2")
    assert plays(house) == []
    assert s.root.screen.tower.preview
    assert "Did the Dark Wizard go to b2?" in s.texts()
    s.press("No")
    assert plays(house) == []
    s.square("b2")
    s.press("Yes, it did")
    assert plays(house) == [MoveVillain("red", "wizard", ("b2",))]


def test_whoever_has_picked_it_up_is_not_asked(at) -> None:
    house, s = at(_one_villain())
    s.square("c2")
    s.square("b2")
    assert plays(house) == [MoveVillain("red", "wizard", ("b2",))]


def test_whoever_has_done_it_a_few_times_is_not_asked_any_more(at) -> None:
    house, s = at(_one_villain())
    for _time in range(WONDERS):
        s.square("b2")
        s.press("Yes, it did")
        house.load(_one_villain(), positions.NAMES)
        s.settle()
    house.sent.clear()
    s.square("b2")
    assert plays(house) == [MoveVillain("red", "wizard", ("b2",))]
    # another seat is asked
    state = _one_villain()
    state["turn"]["seat"] = "blue"
    state["queue"] = ["blue", "yellow"]
    house.load(state, positions.NAMES)
    s.settle()
    house.sent.clear()
    s.square("b2")
    assert plays(house) == []
