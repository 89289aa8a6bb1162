"""Putting the screen right: dragged, swapped, counted; all faults at once; everyone agrees; the game goes on."""

from __future__ import annotations

import pytest
from kivy.tests.common import UnitTestTouch

from companion.games.sir_holland.state import POINTS, SPECIALS, Lock
from companion.table.ports import Play, PutRight, Reveal
from companion.ui import motion
from companion.ui.agree import AgreeSheet
from companion.ui.boards.carry import CarryTower
from companion.ui.correction import Correction
from companion.ui.screens.put_right_forms import Wrong
from companion.ui.widgets import Text
from tests.ui import positions
from tests.ui.engine import House

EVERYONE = ("red", "blue", "green", "yellow")


@pytest.fixture
def table(open_window):
    def opener(state=None, lang: str = "en", size: tuple[int, int] = (800, 480)):
        house = House()
        s = open_window(house, lang, size)
        house.load(state or positions.turn(), positions.NAMES)
        s.settle()
        s.press("Put it right")
        assert s.screen == "put_right"
        return house, s

    return opener


def _drag(s, start: tuple[float, float], to: tuple[float, float]) -> None:
    """A finger goes down, moves in small steps, and up."""
    start, to = (s.root.screen.to_window(*place) for place in (start, to))
    touch = UnitTestTouch(*start)
    touch.touch_down()
    s.settle(1)
    for i in range(1, 7):
        x, y = (a + (b - a) * i / 6 for a, b in zip(start, to, strict=True))
        touch.touch_move(x, y)
        s.settle(1)
    touch.touch_up(*to)
    s.settle()


def _middle(s, square: str) -> tuple[float, float]:
    x, y, w, h = s.root.screen.tower.box_of(square)
    return x + w / 2, y + h / 2


def _agree(s, *seats: str) -> None:
    sheet = s.root.sheet
    assert isinstance(sheet, AgreeSheet)
    for seat in seats or sheet.seats:
        s.tap(sheet.marks[seat])
    s.run_down()


def _view(s):
    return s.root.now.view


# --- figures ------------------------------------------------------------------------------------------------------


def test_a_figure_is_dragged(table) -> None:
    house, s = table()
    tower = s.root.screen.tower
    _drag(s, tower.place_of("red.1"), _middle(s, "b4"))
    s.press("This is right")
    assert "Red 1 stands on b4." in " ".join(s.texts())
    _agree(s)
    assert house.sent[-1] == PutRight({"figures": {**positions.turn()["figures"], "red.1": "b4"}}, EVERYONE)
    assert s.screen == "turn"
    assert _view(s)["figures"]["red.1"] == "b4"
    assert s.root.now.choices


def test_one_of_two_on_a_square_is_dragged(table) -> None:
    state = positions.turn()
    state["figures"]["yellow.1"] = "b1"
    _house, s = table(state)
    tower = s.root.screen.tower
    for figure in ("yellow.1", "yellow.2"):
        _drag(s, tower.place_of(figure), _middle(s, "a5"))
        assert s.root.screen.here.here["figures"][figure] == "a5"
        s.tap(next(b for b in s.buttons() if b.icon == "mark_undo"))


def test_while_it_is_carried_it_is_no_part_of_the_tower(table) -> None:
    _house, s = table()
    tower = s.root.screen.tower
    touch = UnitTestTouch(*tower.to_window(*tower.place_of("red.1")))
    touch.touch_down()
    touch.touch_move(*tower.to_window(*_middle(s, "c3")))
    s.settle()
    assert (tower.load, tower.away, tower.picked) == ("red.1", {"red.1"}, ["c3"])
    # a child's second finger does nothing
    s.touch(*s.root.screen.to_window(*_middle(s, "d3")))
    assert tower.load == "red.1"
    touch.touch_move(2, 2)
    touch.touch_up(2, 2)
    s.settle()
    assert (tower.load, tower.away) == ("", frozenset())
    assert not s.root.screen.here.edited


def test_a_slip_of_the_finger_is_still_a_tap(table) -> None:
    _house, s = table()
    x, y = s.root.screen.tower.place_of("red.1")
    _drag(s, (x, y), (x + 4, y + 3))
    assert s.root.screen.picked == "red.1"
    s.square("b4")
    assert s.root.screen.here.here["figures"]["red.1"] == "b4"


def test_heroes_lie_down_and_in_the_secret_room_they_do_by_themselves(table) -> None:
    house, s = table()
    s.square("a2")
    s.press("Lay it down")
    assert "red.1" in s.root.screen.here.here["lying"]
    s.press("Stand it up")
    state = positions.turn()
    room = next(f"{'abcde'[i]}{5 - n}" for n, row in enumerate(state["tower"]) for i, c in enumerate(row) if c == "H")
    _drag(s, s.root.screen.tower.place_of("green.2"), _middle(s, "a5"))
    assert "green.2" not in s.root.screen.here.here["lying"]
    _drag(s, s.root.screen.tower.place_of("red.1"), _middle(s, room))
    assert "red.1" in s.root.screen.here.here["lying"]
    assert not house.sent[1:]


def test_villains_do_not_get_out(table) -> None:
    _house, s = table()
    _drag(s, s.root.screen.tower.place_of("wizard"), _middle(s, "roof"))
    assert not s.root.screen.here.edited


# --- the tower ----------------------------------------------------------------------------------------------------


def test_cards_are_swapped_by_dragging_and_by_touching_two(table) -> None:
    _house, s = table()
    s.press("Tower")
    _drag(s, _middle(s, "a5"), _middle(s, "b5"))
    assert s.root.screen.here.here["tower"][0] == "WRPWW"
    s.square("d5")
    s.square("a5")
    assert s.root.screen.here.here["tower"][0] == "WRPWW"
    s.square("b5")
    s.square("a5")
    assert s.root.screen.here.here["tower"][0] == "RWPWW"
    assert not s.root.screen.here.changes()


def test_all_faults_are_shown_at_once_and_ringed(table) -> None:
    house, s = table()
    s.press("Tower")
    _drag(s, _middle(s, "c5"), _middle(s, "a4"))
    _drag(s, _middle(s, "b1"), _middle(s, "e3"))
    s.press("Figures")
    _drag(s, s.root.screen.tower.place_of("red.1"), _middle(s, "d3"))
    assert set(s.root.screen.tower.bad) == {"c5", "b1", "d3"}
    s.tap(s.one(lambda w: isinstance(w, Wrong)))
    (text,) = [t for t in s.texts() if "\n" in t]
    assert len(text.splitlines()) == 3
    s.press("All right, go on")
    assert not any(b.lit for b in s.buttons())
    before = len(house.sent)
    s.tap(next(b for b in s.root.screen.ids_.foot.children if b.icon == "mark_yes"))
    assert s.root.sheet is None
    assert len(house.sent) == before


# --- seats --------------------------------------------------------------------------------------------------------


def test_hands_rests_and_gryphon(table) -> None:
    house, s = table(positions.choosing())
    s.press("Hands")
    form = s.root.screen.forms["hands"]
    s.tap(form.cards["red", 4])
    s.tap(form.cards["red", 1])
    s.press("Gryphon")
    form = s.root.screen.forms["gryphon"]
    s.tap(form.rows["red"].ids.more)
    s.tap(form.rows["red"].ids.more)
    s.tap(form.rows["red"].ids.less)
    s.tap(form.rows["blue"].ids.gryphon)
    s.press("This is right")
    told = " ".join(s.texts())
    for sentence in ("Ana holds 2, 3, 4, 6 and 7.", "Ana has rested 1 time.", "The gryphon stands beside Bruno."):
        assert sentence in told
    _agree(s)
    changes = house.sent[-1].changes
    assert set(changes) == {"hands", "rests", "gryphon"}
    assert s.screen == "choose"
    assert _view(s)["hands"]["red"] == [2, 3, 4, 6, 7]
    assert (_view(s)["rests"]["red"], _view(s)["gryphon"]) == (1, "blue")


def test_whose_turn_it_is_and_what_is_left_of_the_card(table) -> None:
    house, s = table()
    s.press("Turn")
    form = s.root.screen.forms["turn"]
    assert [card.word for card in form.cards.values()] == ["Done", "Now", "Later", "Later"]
    s.tap(form.counts["points"].ids.less)
    assert s.root.screen.here.here["turn"]["points"] == 1
    s.tap(form.cards["blue"])
    s.tap(form.counts["points"].ids.less)
    s.press("This is right")
    _agree(s)
    assert house.sent[-1].changes["queue"] == ["blue", "yellow"]
    assert s.screen == "turn"
    turn = _view(s)["turn"]
    assert (turn["seat"], turn["points"], turn["special"]) == ("blue", 1, 1)
    assert {choice.seat for choice in s.root.now.choices} == {"blue"}


@pytest.mark.parametrize("card", range(1, 8))
def test_what_is_left_of_any_card_has_a_name(at, card) -> None:
    _house, s = at(positions.turn(card, POINTS[card], SPECIALS[card]) if card != 7 else positions.last_turn())
    s.root.open("put_right")
    s.settle()
    s.press("Turn")
    count = s.root.screen.forms["turn"].counts["special"]
    assert count.text
    assert (count.count, count.full) == (SPECIALS[card], SPECIALS[card])


def test_a_turn_that_is_over_can_come_back(table) -> None:
    _house, s = table()
    s.press("Turn")
    s.tap(s.root.screen.forms["turn"].cards["green"])
    s.press("This is right")
    _agree(s)
    assert _view(s)["queue"] == ["green", "red", "blue", "yellow"]
    assert _view(s)["turn"]["seat"] == "green"


# --- agreeing -----------------------------------------------------------------------------------------------------


def test_it_says_before_that_locks_are_dropped(open_window) -> None:
    house = House()
    s = open_window(house)
    house.load(positions.choosing(), positions.NAMES)
    house.send(Play(Lock("red", 2)))
    s.settle()
    s.press("Put it right")
    assert s.root.screen.head.sub == "Then everyone chooses a card again."
    _drag(s, s.root.screen.tower.place_of("red.1"), _middle(s, "b4"))
    s.press("This is right")
    assert any("Everyone chooses a card again." in text for text in s.texts())
    _agree(s)
    assert _view(s)["locked"] == []
    assert s.screen == "choose"


def test_nothing_changes_where_one_does_not_agree(table) -> None:
    house, s = table()
    _drag(s, s.root.screen.tower.place_of("red.1"), _middle(s, "b4"))
    s.press("This is right")
    before = len(house.sent)
    for seat in EVERYONE[:3]:
        s.tap(s.root.sheet.marks[seat])
    s.press("Leave it")
    assert len(house.sent) == before
    assert s.root.screen.here.here["figures"]["red.1"] == "b4"


def test_leaving_asks_where_something_would_be_lost(table) -> None:
    _house, s = table()
    _drag(s, s.root.screen.tower.place_of("red.1"), _middle(s, "b4"))
    s.press("Leave it as it was")
    s.press("Go on here")
    assert s.screen == "put_right"
    s.press("Leave it as it was")
    s.press("Leave it as it was")
    assert s.screen == "turn"
    assert _view(s)["figures"]["red.1"] == "a2"


def test_a_lock_from_a_reader_does_not_throw_the_edits_away(table) -> None:
    house, s = table(positions.choosing())
    _drag(s, s.root.screen.tower.place_of("red.1"), _middle(s, "b4"))
    house.send(Play(Lock("blue", 2)))
    s.settle()
    assert s.screen == "put_right"
    assert s.root.screen.here.here["figures"]["red.1"] == "b4"


def test_edits_survive_a_screen_that_is_built_anew(table) -> None:
    _house, s = table()
    _drag(s, s.root.screen.tower.place_of("red.1"), _middle(s, "b4"))
    s.root.rebuild()
    s.settle()
    assert s.root.screen.here.here["figures"]["red.1"] == "b4"


def test_it_is_one_touch_away_from_the_reveal_too(open_window) -> None:
    house = House()
    s = open_window(house)
    house.load(positions.choosing(), positions.NAMES)
    for seat, card in (("red", 2), ("blue", 2), ("green", 1), ("yellow", 6)):
        house.send(Play(Lock(seat, card)))
    house.send(Reveal())
    s.settle()
    motion.finish()
    s.tap(next(b for b in s.buttons() if b.icon == "mark_fix"))
    assert s.screen == "put_right"
    s.press("Leave it as it was")
    assert s.screen == "reveal"


def test_after_the_end_the_winner_is_worked_out_anew(open_window) -> None:
    house = House()
    s = open_window(house)
    house.load(positions.winning(), positions.NAMES)
    s.settle()
    s.press("Rest")
    motion.finish()
    assert s.root.now.view["result"]["winner"] == "red"
    s.root.open("put_right")
    s.settle()
    _drag(s, s.root.screen.tower.place_of("red.1"), _middle(s, "a5"))
    s.press("This is right")
    _agree(s)
    assert s.screen == "winner"
    assert s.root.now.view["result"]["winner"] == "blue"


def test_a_game_that_is_not_over_is_no_corrected_end() -> None:
    state = positions.winning()
    view = {**state, "phase": "over", "turn": None, "queue": [], "cards": {},
            "result": {"ended_by": "saved", "winner": "red", "decided_by": "gryphon",
                       "saved": {"red": 2, "blue": 2, "green": 0, "yellow": 0}, "levels": {}}}  # fmt: skip
    here = Correction(view)
    for hero in ("red.1", "blue.1"):
        here.move(hero, "a5" if hero == "red.1" else "e4")
    assert here.faults()


# --- room ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(1024, 600), (720, 1280), (480, 800)])
@pytest.mark.parametrize("tab", ["Figures", "Tower", "Hands", "Gryphon", "Turn"])
def test_every_form_has_room(table, tab: str, size: tuple[int, int]) -> None:
    _house, s = table(size=size)
    s.press(tab)
    screen = s.root.screen
    for text in s.all(lambda w: isinstance(w, Text) and w.text):
        assert text.fits, text.text
    for card in screen.forms["hands"].cards.values() if tab == "Hands" else ():
        assert min(card.size) >= 48
    for tower in s.all(lambda w: isinstance(w, CarryTower)):
        assert tower.pitch >= 56
