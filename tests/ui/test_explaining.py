"""A long touch explains, always and everywhere, and never acts: real touches on every scene."""

from __future__ import annotations

import os
import re
from typing import Any

import pytest
from kivy.tests.common import UnitTestTouch
from kivy.uix.behaviors import ButtonBehavior

from companion.games.base import msg
from companion.games.sir_holland.state import ROOF, SQUARES
from companion.table.ports import SayThis
from companion.ui import explaining, motion, words
from companion.ui.boards.sir_holland import explaining as parts
from companion.ui.boards.sir_holland.tower import Tower
from companion.ui.screens.cover import Cover
from companion.ui.widgets import Figure, Text
from tests.screens import SCENES, open_scene
from tests.ui import positions
from tests.ui.catalogue import texts
from tests.ui.engine import House, plays

LONG = bool(os.environ.get("GRYPHON_LONG"))


class _At:
    """Where a touch would be."""

    def __init__(self, *pos: float) -> None:
        self.pos = pos


def _targets(s) -> list[tuple[Any, str, tuple[float, float]]]:
    """What can be touched: its label or what it stands for, so that each kind is tried once, and where."""
    found = []
    for widget in s.walk():
        if widget.opacity == 0 or min(widget.size) < 2:
            continue
        if isinstance(widget, Tower) and widget.rows:
            for square in (*SQUARES, ROOF):
                left, low, w, h = widget.box_of(square)
                kind = "" if square == ROOF else widget.rows[5 - int(square[1])]["abcde".index(square[0])]
                found.append((widget, f"a square {kind}", (left + w * 0.06, low + h * 0.9)))
            found.extend((widget, figure, widget.place_of(figure)) for figure in widget.figures)
        elif isinstance(widget, ButtonBehavior):
            label = explaining._label(widget)
            found.append((widget, getattr(label, "id", label), widget.center))
        elif hasattr(widget, "explains") or (isinstance(widget, Text) and widget.text.strip()):
            found.append((widget, "", widget.center))
    return found


_done: set[tuple[str, str, str]] = set()


@pytest.mark.parametrize("scene", [name for name in SCENES if "explained" not in name])
def test_a_long_touch_explains_everywhere_and_does_nothing(scene: str) -> None:
    s = open_scene(scene, "en", (800, 480))
    s.draws = False
    root = s.root
    root.long = 0.0
    # a touch that ends a moment does nothing else
    motion.finish()
    s.settle()
    if getattr(root, "watched", None) is not None or getattr(root.screen, "moment", None) is not None:
        s.touch(root.width / 2, 1)
    covered = isinstance(root.sheet, Cover)
    try:
        for widget, label, (x, y) in _targets(s):
            key = (type(widget).__name__, label, str(covered))
            if (key in _done and not LONG) or not (0 <= x < root.width and 0 <= y < root.height):
                continue
            _done.add(key)
            if covered and root.is_patient(_At(x, y)):
                continue
            before = (root.sheet, list(root.flow.doors), root.flow.screen, root.now and root.now.seq)
            sent = len(s.house.sent)
            s.long_touch(x, y)
            found = root.explanation.explanation
            where = f"{scene}: {key} at {x:.0f}, {y:.0f}"
            assert found.title.strip(), where
            assert re.search(r"[.!?…](\s|$)", found.text), f"{where}: {found.text}"
            assert all(isinstance(request, SayThis) for request in s.house.sent[sent:]), where
            assert (root.sheet, list(root.flow.doors), root.flow.screen, root.now and root.now.seq) == before, where
            s.press("Close")
            assert root.explanation is None
    finally:
        s.close()


def test_every_label_that_is_written_about_is_on_some_button() -> None:
    """Else a label was changed, and what it does is not explained any more."""
    known = {t[0] if isinstance(t, tuple) else t for t in texts()} | {"+", "–"}
    assert {*explaining.BUTTONS, *parts.BUTTONS, *explaining.ICONS.values()} - known == set()


@pytest.fixture
def turn(open_window):
    s = open_window(House())
    s.house.load(positions.turn(), positions.NAMES)
    s.settle()
    s.root.long = 0.0
    s.house.sent.clear()
    return s


def _long_on(s, square: str) -> Any:
    x, y, w, h = s.root.screen.tower.box_of(square)
    s.long_touch(x + w * 0.5, y + h * 0.5)
    return s.root.explanation.explanation


def test_a_square_says_what_it_is(turn) -> None:
    found = _long_on(turn, "b2")
    assert found.title == "b2: Passage"
    assert found.rule == "R35"
    assert plays(turn.house) == []
    assert turn.root.now.view["figures"] == positions.turn()["figures"]


def test_a_square_says_who_stands_there(turn) -> None:
    tower = turn.root.screen.tower
    left, low, _w, h = tower.box_of("a2")
    turn.long_touch(left + 3, low + h - 3)
    assert "1 stands here." in turn.root.explanation.explanation.text


def test_a_figure_says_what_it_is(turn) -> None:
    assert _long_on(turn, "a2").figure == "red.1"
    turn.press("Close")
    assert _long_on(turn, "c2").figure == "wizard"
    assert turn.root.screen.picked is None


def test_a_figure_is_drawn_as_it_is_told(turn) -> None:
    """Lying where the words say that it lies."""
    for square, lies in (("e3", True), ("a2", False)):
        told = _long_on(turn, square)
        assert ("lying down" in told.text) is lies
        assert [w.lying for w in turn.walk() if isinstance(w, Figure)] == [lies]
        turn.press("Close")


def test_the_card_in_play_answers(turn) -> None:
    turn.long_touch(*turn.root.screen.card.told.center)
    assert turn.root.explanation.explanation.rule == parts.CARD_RULES[2]


def test_the_way_to_the_rule(turn) -> None:
    found = _long_on(turn, "b2")
    turn.press("The rule")
    assert turn.screen == "entry"
    assert turn.root.flow.given["rule"] == found.rule
    turn.root.back()
    assert turn.screen == "turn"


def test_it_is_spoken_while_the_voice_is_on(turn) -> None:
    found = _long_on(turn, "b2")
    assert turn.house.sent == [SayThis((msg(found.title), msg(found.text)))]
    turn.press("Close")
    turn.root.settings["voice"] = False
    turn.house.sent.clear()
    _long_on(turn, "b2")
    assert turn.house.sent == []


def test_a_finger_that_moves_asks_nothing(turn) -> None:
    """It drags."""
    x, y, w, h = turn.root.screen.tower.box_of("b2")
    turn.root.long = 3600.0
    touch = UnitTestTouch(x + w / 2, y + h / 2)
    touch.touch_down()
    assert turn.root._asking is not None
    touch.touch_move(x + w, y + h)
    assert turn.root._asking is None
    touch.touch_up()


def test_grey_says_why(turn) -> None:
    """A button that is off does not act, and says why not."""
    button = turn.one(lambda w: getattr(w, "text", "") == "Take back")
    button.off, button.why = True, "Nothing has been done yet."
    turn.long_touch(*button.to_window(*button.center))
    assert turn.root.explanation.explanation.text.startswith("Nothing has been done yet.")


def test_it_is_in_the_language_of_the_screen(open_window) -> None:
    s = open_window(House(), lang="pt")
    s.house.load(positions.turn(), positions.NAMES)
    s.settle()
    s.root.long = 0.0
    assert _long_on(s, "b2").title == "b2: Passagem"
    assert words.language() == "pt"


# --- in secret ------------------------------------------------------------------------------------------------------


@pytest.fixture
def hand(open_window):
    """Blue's hand lies open."""
    s = open_window(House())
    s.house.load(positions.choosing(), positions.NAMES)
    s.settle()
    s.tap(s.root.screen.panels["blue"].ids.act)
    s.open_cover()
    s.root.long = 0.0
    s.house.sent.clear()
    return s


def test_a_card_in_the_open_hand_explains_itself_and_nobody_hears_which(hand) -> None:
    for card in hand.root.sheet.cards:
        hand.long_touch(*card.to_window(*card.center))
        assert hand.root.explanation.explanation.card == card.number
        # neither heard nor a way to the rule: both would tell the table
        assert [b.text for b in hand.buttons()] == ["Close"]
        hand.press("Close")
        assert hand.root.sheet.picked == 0
        assert not any(c.picked for c in hand.root.sheet.cards)
    assert hand.house.sent == []


def test_what_was_asked_in_secret_goes_with_the_open_hand(hand, tmp_path) -> None:
    """The hand shuts by itself: the plain front, whatever was asked."""
    pictures = []
    for number in (2, 5):
        card = next(c for c in hand.root.sheet.cards if c.number == number)
        hand.root.long = 0.0
        hand.long_touch(*card.to_window(*card.center))
        hand.root.sheet._shut()
        hand.settle()
        assert hand.root.explanation is None
        hand.picture(tmp_path / f"{number}.png")
        pictures.append((tmp_path / f"{number}.png").read_bytes())
        hand.root.long = 3600.0
        hand.open_cover()
    assert pictures[0] == pictures[1]


def test_the_hold_on_the_privacy_cover_opens_it(open_window) -> None:
    s = open_window(House())
    s.house.load(positions.choosing(), positions.NAMES)
    s.settle()
    s.tap(s.root.screen.panels["blue"].ids.act)
    s.open_cover()
    assert s.root.sheet.is_open
    assert s.root.explanation is None
