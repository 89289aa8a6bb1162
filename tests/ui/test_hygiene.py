"""Fingers that must do nothing, and the screen's sleep: real touches, time in the test's hand."""

from __future__ import annotations

import time

import pytest
from kivy.core.window import Window
from kivy.tests.common import UnitTestTouch

from companion.games.base import msg
from companion.table.ports import Change, Leave, SayThis
from companion.ui.glass import GUARD, NEAR, STUCK, THING, TWIN
from companion.ui.screens.choose import Choose
from tests.ui import positions
from tests.ui.engine import House


class Hand:
    """Fingers by name, as a touch panel reports them."""

    def __init__(self, s) -> None:
        self.s, self.down_now = s, {}

    def down(self, name: str, x: float, y: float) -> None:
        self.down_now[name] = UnitTestTouch(x, y)
        self.down_now[name].touch_down()
        self.s.settle(1)

    def move(self, name: str, x: float, y: float) -> None:
        self.down_now[name].touch_move(x, y)
        self.s.settle(1)

    def up(self, name: str) -> None:
        self.down_now.pop(name).touch_up()
        self.s.settle(1)


class Time:
    """Stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def screen(open_window):
    """Home, with "New game" on it."""
    s = open_window(House())
    s.time = s.root.clock = Time()
    s.root.twin = TWIN
    s.house.open()
    s.settle()
    s.hand = Hand(s)
    return s


def _middle(s, text: str) -> tuple[float, float]:
    button = s.button(text)
    return button.to_window(*button.center)


def _tap(s, x: float, y: float) -> None:
    s.hand.down("tap", x, y)
    s.hand.up("tap")


# --- twins ----------------------------------------------------------------------------------------------------------


def test_a_touch_reported_twice_counts_once(screen) -> None:
    fired = _count(screen.button("Settings"))
    x, y = _middle(screen, "Settings")
    _tap(screen, x, y)
    screen.time.now += TWIN * 0.9
    _tap(screen, x + NEAR / 3, y + NEAR / 3)
    assert fired == ["on_release"]


def _count(button) -> list[str]:
    """Grows with every touch that reaches the button, which itself does nothing any more."""
    fired: list[str] = []
    dispatch = button.dispatch

    def spied(event: str, *args, **kwargs):
        if event == "on_release":
            return fired.append(event)
        return dispatch(event, *args, **kwargs)

    button.dispatch = spied
    return fired


def test_later_or_elsewhere_is_another_touch(screen) -> None:
    fired = _count(screen.button("Settings"))
    x, y = _middle(screen, "Settings")
    _tap(screen, x, y)
    screen.time.now += TWIN * 1.1
    _tap(screen, x, y)
    assert len(fired) == 2
    screen.time.now += TWIN * 0.1
    _tap(screen, x - NEAR * 1.2, y)
    assert len(fired) == 3


def test_two_drivers_that_report_one_finger(screen) -> None:
    """One after the other goes down, and in that order up; two fingers so are four touches, and no mess."""
    fired = _count(screen.button("Settings"))
    x, y = _middle(screen, "Settings")
    for name, shift in (("mouse", 0), ("panel", 3)):
        screen.hand.down(name, x + shift, y)
        screen.time.now += 0.01
    for name in ("mouse", "panel"):
        screen.hand.up(name)
    assert len(fired) == 1
    screen.time.now += 1
    for name, at in (("mouse", x), ("panel", x + 2)):
        screen.hand.down(name, at, y)
        screen.time.now += 0.01
    for name, at in (("mouse 2", x - 200), ("panel 2", x - 202)):
        screen.hand.down(name, at, y)
        screen.time.now += 0.01
    for name in ("panel 2", "mouse 2", "panel", "mouse"):
        screen.hand.up(name)
    assert len(fired) == 2


# --- one finger -----------------------------------------------------------------------------------------------------


def test_only_one_finger_acts(screen) -> None:
    one, other = _middle(screen, "Settings"), _middle(screen, "New game")
    screen.hand.down("one", *one)
    screen.time.now += 1
    screen.hand.down("other", *other)
    screen.hand.up("other")
    assert screen.screen == "start"
    screen.time.now += 1
    screen.hand.down("other", *other)
    screen.hand.up("one")
    assert screen.screen == "settings"
    screen.root.back()
    screen.settle()
    # until all are up, nobody is heard
    screen.time.now += 1
    screen.hand.down("third", *other)
    screen.hand.up("third")
    assert screen.screen == "start"
    screen.hand.up("other")
    screen.time.now += 1
    _tap(screen, *other)
    assert screen.screen == "seats"


def test_three_fingers_end_in_nothing(screen) -> None:
    x, y = _middle(screen, "New game")
    screen.hand.down("one", x, y)
    assert screen.button("New game").state == "down"
    for name, at in (("two", x - 250), ("three", x - 350)):
        screen.time.now += 0.2
        screen.hand.down(name, at, y)
    assert screen.button("New game").state == "normal"
    for name in ("three", "one", "two"):
        screen.hand.up(name)
    assert screen.screen == "start"
    screen.time.now += 1
    _tap(screen, x, y)
    assert screen.screen == "seats"


def test_a_mess_on_the_tower_moves_nothing(open_window) -> None:
    s = open_window(House())
    s.house.load(positions.turn(), positions.NAMES)
    s.settle()
    hand = Hand(s)
    s.square("a2")
    sent = len(s.house.sent)
    tower = s.root.screen.tower
    for square in ("b4", "a4", "a3", "b3"):
        x, y, w, h = tower.box_of(square)
        hand.down(square, x + w / 2, y + h / 2)
    for square in list(hand.down_now):
        hand.up(square)
    assert len(s.house.sent) == sent
    assert s.root.now.view["figures"] == positions.turn()["figures"]
    s.square("b4")
    assert len(s.house.sent) == sent + 1


def test_a_mess_leaves_no_figure_in_the_air(open_window) -> None:
    s = open_window(House())
    s.house.load(positions.turn(), positions.NAMES)
    s.settle()
    s.root.open("put_right")
    s.settle()
    before = s.texts()
    hand = Hand(s)
    tower = s.one(lambda w: hasattr(w, "box_of"))
    x, y, w, h = tower.box_of("a2")
    hand.down("one", x + w / 2, y + h / 2)
    hand.move("one", x + w * 2.5, y + h / 2)
    for name, far in (("two", 150), ("three", 200)):
        hand.down(name, x + far, y + 150)
    for name in ("one", "two", "three"):
        hand.up(name)
    s.settle()
    assert s.texts() == before


def test_a_mess_opens_no_cover(open_window) -> None:
    s = open_window(House())
    s.house.load(positions.choosing(), positions.NAMES)
    s.settle()
    assert isinstance(s.root.screen, Choose)
    s.tap(s.root.screen.panels["blue"].ids.act)
    hand = Hand(s)
    for name, at in (("one", 0.5), ("two", 0.3), ("three", 0.7)):
        hand.down(name, s.root.width * at, s.root.height * 0.6)
    assert s.root.sheet._hold is None
    for name in ("one", "two", "three"):
        hand.up(name)
    assert not s.root.sheet.is_open


def test_a_finger_that_is_never_reported_to_lift_is_forgotten(screen) -> None:
    x, y = _middle(screen, "New game")
    screen.hand.down("lost", x - 300, y)
    screen.time.now += 1
    _tap(screen, x, y)
    assert screen.screen == "start"
    screen.time.now += STUCK + 1
    _tap(screen, x, y)
    assert screen.screen == "seats"


# --- a mouse --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("button", ["scrollup", "scrolldown", "scrollleft", "scrollright", "right", "middle"])
def test_the_wheel_and_the_other_buttons_are_no_touch(screen, button) -> None:
    """As SDL reports them, over every button and over the tower."""

    def press(x: float, y: float) -> None:
        for event in ("on_mouse_down", "on_mouse_up"):
            Window.dispatch(event, x, Window.height - 1 - y, button, [])
            screen.settle(1)

    for widget in screen.buttons():
        press(*widget.to_window(*widget.center))
    assert screen.screen == "start"
    screen.house.load(positions.turn(), positions.NAMES)
    screen.settle()
    sent, figures = len(screen.house.sent), screen.root.now.view["figures"]
    tower = screen.root.screen.tower
    for square in ("a2", "b2", "d1", "a3"):
        x, y, w, h = tower.box_of(square)
        press(*tower.to_window(x + w / 2, y + h / 2))
    for widget in screen.buttons():
        press(*widget.to_window(*widget.center))
    assert len(screen.house.sent) == sent
    assert screen.root.screen.picked is None
    assert screen.root.now.view["figures"] == figures
    assert screen.root.sheet is None
    # and a finger is heard between its notches
    x, y, w, h = tower.box_of("a2")
    screen.hand.down("finger", x + w / 2, y + h / 2)
    press(x, y)
    screen.hand.up("finger")
    assert screen.root.screen.picked == "red.1"


# --- what lies on the glass -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("jitter", [0, 1])
def test_something_that_rests_on_the_glass_is_no_finger(screen, jitter) -> None:
    """A hand or a box in the corner, still or moving a little, once a second."""
    x, y = _middle(screen, "New game")
    screen.hand.down("box", 6, 10)
    for second in range(int(THING) + 1):
        screen.time.now += 1
        if jitter:
            screen.hand.move("box", 6 + second % 2, 10)
    screen.root.look_for_things()
    screen.settle()
    assert any("Something lies on the screen" in text for text in screen.texts())
    for _again in range(2):
        screen.time.now += 1
        _tap(screen, x, y)
        assert screen.screen == "seats"
        screen.root.back()
        screen.settle()
    screen.hand.up("box")
    screen.settle()
    assert not any("Something lies on the screen" in text for text in screen.texts())


def test_a_thing_on_a_button_does_not_press_it(screen) -> None:
    """Neither when it is taken away, nor when another touch comes."""
    x, y = _middle(screen, "New game")
    screen.hand.down("box", x, y)
    screen.time.now += THING + 1
    fired = _count(screen.button("Settings"))
    _tap(screen, *_middle(screen, "Settings"))
    assert fired == ["on_release"]
    assert screen.button("New game").state == "normal"
    screen.hand.up("box")
    assert screen.screen == "start"


def test_many_things_are_no_mess_and_a_finger_among_them_counts(screen) -> None:
    for name, x in (("box", 5), ("cup", 100), ("hand", 200)):
        screen.hand.down(name, x, 6)
        screen.time.now += THING + 1
    _tap(screen, *_middle(screen, "New game"))
    assert screen.screen == "seats"


def test_a_slow_drag_is_a_finger(open_window) -> None:
    """Somebody carries a figure over the tower and thinks on the way."""
    s = open_window(House())
    time_ = s.root.clock = Time()
    s.house.load(positions.turn(), positions.NAMES)
    s.settle()
    s.root.open("put_right")
    s.settle()
    hand, tower = Hand(s), s.one(lambda w: hasattr(w, "box_of"))
    places = [tower.box_of(square) for square in ("a2", "b2", "b3", "a3")]
    x, y, w, h = places[0]
    hand.down("finger", x + w / 2, y + h / 2)
    for x, y, w, h in places[1:]:
        time_.now += THING - 1
        hand.move("finger", x + w / 2, y + h / 2)
    hand.up("finger")
    s.settle()
    assert s.root.screen.here.here["figures"]["red.1"] == "a3"


# --- dark -----------------------------------------------------------------------------------------------------------


def _wait(s, seconds: float) -> None:
    s.time.now += seconds
    s.root.nod()
    s.settle(1)


def _undimmed(s) -> None:
    s.wait(lambda: s.root._veil.a == 0)


def test_the_first_touch_in_the_dark_only_wakes(screen) -> None:
    screen.house.engine.serve(Change({"sleep": 5}))
    screen.settle()
    _wait(screen, 299)
    assert not screen.root.dark
    _wait(screen, 2)
    assert screen.root.dark
    assert screen.root._veil.a == 1
    x, y = _middle(screen, "New game")
    screen.hand.down("finger", x, y)
    assert not screen.root.dark
    assert 0 < screen.root._veil.a < 1
    screen.time.now += 2
    screen.settle()
    screen.hand.up("finger")
    assert screen.screen == "start"
    # a second tap in the same breath was meant to wake, too
    screen.time.now += GUARD / 2
    _tap(screen, x, y)
    assert screen.screen == "start"
    _undimmed(screen)
    screen.time.now += 1
    _tap(screen, x, y)
    assert screen.screen == "seats"


def test_touches_and_news_keep_it_awake(screen) -> None:
    screen.house.engine.serve(Change({"sleep": 5}))
    screen.settle()
    _wait(screen, 200)
    _tap(screen, 4, 300)
    _wait(screen, 200)
    screen.root.take(SayThis((msg("Round {n}.", n=1),)))
    _wait(screen, 200)
    assert not screen.root.dark
    _wait(screen, 101)
    assert screen.root.dark
    screen.root.take(SayThis((msg("Round {n}.", n=1),)))
    assert not screen.root.dark
    _undimmed(screen)


def test_it_stays_on_while_somebody_is_awaited(screen) -> None:
    screen.house.engine.serve(Change({"sleep": 1}))
    screen.house.load(positions.turn(), positions.NAMES)
    screen.settle()
    for _ in range(5):
        _wait(screen, 3600)
        assert not screen.root.dark
    # once the game is over nobody is awaited
    screen.house.load(positions.winning(), positions.NAMES)
    screen.settle()
    screen.press("Rest")
    assert screen.screen == "winner"
    _wait(screen, 61)
    assert screen.root.dark


def test_zero_minutes_are_never(screen) -> None:
    screen.house.engine.serve(Change({"sleep": 0}))
    screen.settle()
    _wait(screen, 100_000)
    assert not screen.root.dark


def test_it_goes_dark_by_itself(screen) -> None:
    screen.root.sleep_after = 0.2
    screen.root.clock = time.monotonic
    screen.root.stir()
    screen.root.nod()
    screen.wait(lambda: screen.root.dark)


def test_the_system_may_sleep_only_while_no_game_is_open(screen) -> None:
    assert Window.allow_screensaver
    screen.house.load(positions.turn(), positions.NAMES)
    screen.settle()
    assert not Window.allow_screensaver
    screen.house.send(Leave())
    screen.settle()
    assert Window.allow_screensaver
