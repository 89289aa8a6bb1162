"""A child's seat: less is asked, what can be done is lit and said, and no secret is touched."""

from __future__ import annotations

import pytest

from companion.games.base import Message
from companion.table.ports import Change, SayThis, TakeBack
from companion.ui.words import _, say
from tests.ui import positions
from tests.ui.engine import House


@pytest.fixture
def turn(at):
    """A turn of red, who is a child: `turn(kids)`; the rest are adults."""

    def opener(kids=("red",), lang="en"):
        house, s = at(positions.turn(), lang)
        house.engine.serve(Change({"kids": list(kids)}))
        s.settle()
        s.root.rebuild()
        s.settle()
        house.sent.clear()
        return house, s

    return opener


def labels(s) -> set[str]:
    return {b.text for b in s.buttons() if getattr(b, "text", "")}


def test_what_can_be_done_is_lit_and_said(turn) -> None:
    house, s = turn()
    s.press("What can I do?")
    (said,) = house.sent
    assert isinstance(said, SayThis)
    goal = Message("Take {hero:figure} up to level {n}.", {"hero": "red.1", "n": 4})
    assert [(m.id, dict(m.params)) for m in said.messages] == [(goal.id, dict(goal.params))]
    assert s.root.screen.head.sub == say(goal)
    assert list(s.root.screen.tower.lit) == ["b4"]
    s.square("b4")
    assert house.sent[-1].choice.path[-1] == "b4", "what is lit may be touched"


def test_only_where_a_child_acts(turn) -> None:
    _house, s = turn(kids=("blue", "green"))
    assert _("What can I do?") not in labels(s)
    assert _("Put it right") in labels(s)


def test_no_ruling_and_no_anyway(turn) -> None:
    for kids, there in ((("red",), False), ((), True)):
        _house, s = turn(kids)
        s.square("a2")
        s.square("c2")
        assert s.root.screen.notice is not None, "it is refused"
        assert ("We all want it anyway" in labels(s)) is there
        assert "All right, go on" in labels(s)


def test_its_own_act_is_taken_back_without_a_question(turn) -> None:
    for kids, asked in ((("red",), False), ((), True)):
        house, s = turn(kids)
        s.square("a2")
        s.square("b4")
        house.sent.clear()
        s.press("Take back")
        assert any(isinstance(r, TakeBack) for r in house.sent) is not asked
        assert (s.root.screen.notice is not None) is asked


def test_while_choosing_nothing_is_hinted(at) -> None:
    house, s = at(positions.choosing())
    house.engine.serve(Change({"kids": ["red", "blue", "green", "yellow"]}))
    s.settle()
    s.root.rebuild()
    s.settle()
    assert _("What can I do?") not in labels(s)


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_a_touch_on_the_sentence_reads_it_aloud(turn, lang) -> None:
    house, s = turn(lang=lang)
    head = s.root.screen.head
    x, y = head.to_window(*head.ids.sentence.center)
    for _n in range(2):
        house.sent.clear()
        s.touch(x, y)
        (said,) = house.sent
        assert [say(m) for m in said.messages] == [head.sentence, head.sub]
    house.engine.serve(Change({"voice": False}))
    s.settle()
    house.sent.clear()
    s.touch(x, y)
    assert house.sent == [], "who has switched the voice off wants none"


def test_a_child_is_named_at_the_seat_and_keeps_it_with_another_colour(open_window) -> None:
    house = House()
    s = open_window(house)
    house.open()
    s.root.go("seats")
    s.settle()
    s.root.screen._open("red")
    s.settle()
    s.press("A child plays here")
    assert house.settings["kids"] == ["red"]
    s.root.screen._recolour("red", "green")
    assert house.settings["kids"] == ["green"]


def test_a_switch_for_the_whole_table(open_window) -> None:
    house = House()
    s = open_window(house)
    house.open()
    s.root.open("people", kids=True)
    s.settle()
    for kids in (["red", "blue", "green", "yellow"], []):
        (everywhere,) = [w for w in s.walk() if getattr(w, "text", "") == _("Everywhere") and hasattr(w, "chosen")]
        s.tap(everywhere)
        assert house.settings["kids"] == kids
