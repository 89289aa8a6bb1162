"""Choosing in secret: nothing on the screen tells what was locked in."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from kivy.clock import Clock
from kivy.tests.common import UnitTestTouch

from companion.border import device_row
from companion.games.sir_holland.state import CARDS, POINTS, End, Lock, Rest, Unlock
from companion.table.ports import Hand, Play, Reveal, Status, TakeBack
from companion.ui import card_words, words
from companion.ui.screens import cover
from companion.ui.widgets import BigButton, Text
from tests.ui import positions
from tests.ui.engine import House


@pytest.fixture(autouse=True)
def _short_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cover, "HOLD", 0.05)


def _table(open_window):
    house = House()
    s = open_window(house)
    house.load(positions.choosing(), positions.NAMES)
    s.settle()
    return house, s


def _open(s, seat: str) -> None:
    s.tap(s.root.screen.panels[seat].ids.act)
    s.open_cover()


def _lock(s, seat: str, card: int) -> None:
    s.tap(s.root.screen.panels[seat].ids.act)
    _lock_on(s, seat, card)


def _lock_on(s, seat: str, card: int) -> None:
    """The cover is that seat's already."""
    assert s.root.sheet.seat == seat
    s.open_cover()
    s.tap(next(c for c in s.root.sheet.cards if c.number == card))
    s.tap(s.root.sheet.lock)


# --- from seat to seat --------------------------------------------------------------------------------------------


def _devices(house: House, *rows) -> None:
    house.say(Status("devices", "devices", None, {"readers": list(rows), "panels": []}))


def test_the_screen_goes_on_from_seat_to_seat_to_the_left(open_window) -> None:
    house, s = _table(open_window)
    _lock(s, "green", 4)
    for seat, card in (("yellow", 6), ("red", 2), ("blue", 3)):
        assert "Card chosen? Lay it face down, too." in s.texts()
        _lock_on(s, seat, card)
    assert s.root.sheet is None
    assert s.root.now.held == "blue"
    assert [r.choice.seat for r in house.sent] == ["green", "yellow", "red", "blue"]


def test_not_now_leads_back_to_the_table(open_window) -> None:
    _house, s = _table(open_window)
    _lock(s, "red", 2)
    assert s.root.sheet.seat == "blue"
    s.press("Not now")
    assert s.root.sheet is None
    assert "Bruno, Clara and Davi are still thinking." in s.root.screen.head.sub
    _lock(s, "green", 4)
    assert s.root.sheet.seat == "yellow"
    # blue comes last now, as nobody has chosen for it
    _lock_on(s, "yellow", 6)
    assert s.root.sheet.seat == "blue"


def test_seats_with_a_device_and_free_seats_are_not_asked_to_take_the_screen(open_window) -> None:
    house, s = _table(open_window)
    _devices(house, device_row("a/0", "blue"), {**device_row("a/1", "green"), "state": "lost"})
    house.send(Hand("yellow", ""))
    s.settle()
    _lock(s, "red", 2)
    assert s.root.sheet.seat == "green"
    _lock_on(s, "green", 4)
    assert s.root.sheet is None
    assert s.root.now.view["locked"] == ["green", "red"]


def test_a_cover_goes_when_its_seat_has_chosen_elsewhere(open_window) -> None:
    house, s = _table(open_window)
    _lock(s, "red", 2)
    assert s.root.sheet.seat == "blue"
    house.send(Play(Lock("blue", 3)))
    s.settle()
    assert s.root.sheet is None


def test_an_open_hand_does_not_outlast_the_choosing(open_window) -> None:
    house = House()
    s = open_window(house)
    house.load(positions.last_turn(), positions.NAMES)
    house.send(Play(Rest("yellow")))
    s.settle()
    s.root.go("choose")
    s.settle()
    _open(s, "red")
    house.send(TakeBack(None, True))
    s.settle()
    assert s.screen == "turn"
    assert s.root.sheet is None


def test_a_lock_that_was_refused_is_told_before_the_next_seat_chooses(open_window) -> None:
    house, s = _table(open_window)
    s.tap(s.root.screen.panels["red"].ids.act)
    s.open_cover()
    s.tap(s.root.sheet.cards[1])
    # somebody took the card out of the hand meanwhile
    house.load(positions.choosing(hands={**positions.choosing()["hands"], "red": [3, 6, 7]}), positions.NAMES)
    s.tap(s.root.sheet.lock)
    s.settle()
    assert s.root.sheet is None
    assert house.last.kind == "refused"
    assert words.say(house.last.messages[0]) in " ".join(s.texts())


# --- what the screen keeps to itself ------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(800, 480), (480, 800), (1280, 800)])
def test_the_first_card_and_the_last_leave_the_same_pictures(open_window, tmp_path: Path, size) -> None:
    """The table once all have locked in, and once the card is taken back."""
    full = positions.choosing()
    full["hands"]["blue"] = [1, 2, 3, 4, 5, 6, 7]
    pictures = []
    for card in (1, 7):
        house = House()
        s = open_window(house, size=size)
        s.root.clock = lambda: 1000.0  # the time until the reveal is not what is compared
        house.load(full, positions.NAMES)
        for seat in ("red", "green", "yellow"):
            house.send(Play(Lock(seat, 7)))
        s.settle()
        _lock(s, "blue", card)
        assert house.sent[-1] == Play(Lock("blue", card), house.sent[-1].seen)
        shown = []
        s.wait(lambda: bool(s.button("Reveal").sub))  # noqa: B023
        for name in ("held", "taken"):
            s.picture(tmp_path / f"{name}{card}.png")
            shown.append((tmp_path / f"{name}{card}.png").read_bytes())
            if name == "held":
                s.tap(s.root.screen.panels["blue"].ids.act)
        assert s.root.now.view["locked"] == ["green", "red", "yellow"]
        pictures.append(shown)
        s.close()
    assert pictures[0] == pictures[1]


def test_two_cards_leave_the_same_pictures(open_window, tmp_path: Path) -> None:
    pictures = []
    for card in (2, 5):
        house, s = _table(open_window)
        _lock(s, "blue", card)
        assert house.sent[-1] == Play(Lock("blue", card), house.sent[-1].seen)
        passed, after = tmp_path / f"passed{card}.png", tmp_path / f"after{card}.png"
        s.picture(passed)
        s.press("Not now")
        s.picture(after)
        pictures.append((passed.read_bytes(), after.read_bytes()))
        s.close()
    assert pictures[0] == pictures[1]


def test_both_ways_out_look_the_same(open_window, tmp_path: Path) -> None:
    pictures = []
    for lock in (True, False):
        _house, s = _table(open_window)
        if lock:
            _lock(s, "blue", 2)
        else:
            _open(s, "blue")
            s.press("Not now")
        path = tmp_path / f"{lock}.png"
        s.picture(path)
        pictures.append(path.read_bytes())
        s.close()
    assert pictures[0] == pictures[1]


def test_nothing_of_the_hand_is_left(open_window) -> None:
    _house, s = _table(open_window)
    _open(s, "blue")
    sheet = s.root.sheet
    s.tap(sheet.cards[1])
    s.tap(sheet.lock)
    assert (sheet.picked, sheet.cards, sheet.is_open) == (0, [], False)
    assert "Chase" not in " ".join(s.texts())
    assert s.root.sheet is not sheet


def test_a_short_touch_opens_nothing(open_window, monkeypatch) -> None:
    monkeypatch.setattr(cover, "HOLD", 60.0)
    _house, s = _table(open_window)
    s.tap(s.root.screen.panels["blue"].ids.act)
    s.touch(400, 240)
    assert not s.root.sheet.is_open


def test_an_open_hand_shuts_by_itself(open_window, monkeypatch) -> None:
    house, s = _table(open_window)
    _open(s, "blue")
    monkeypatch.setattr(cover, "OPEN", 0.15)
    s.tap(s.root.sheet.cards[1])
    s.wait(lambda: not s.root.sheet.is_open)
    assert "Closed, nothing is chosen. Hold your finger to open it again." in s.texts()
    assert not house.sent
    monkeypatch.setattr(cover, "OPEN", 10)
    s.open_cover()
    assert s.root.sheet.picked == 0
    assert s.root.sheet.lock.off


def test_a_finger_that_was_up_in_time_opens_nothing_on_a_slow_machine(open_window, monkeypatch) -> None:
    """The clock strikes before the finger is reported to be up, as it does after a frame that took too long."""
    monkeypatch.setattr(cover, "HOLD", 0.01)
    _house, s = _table(open_window)
    s.tap(s.root.screen.panels["blue"].ids.act)
    touch = UnitTestTouch(400, 240)
    touch.touch_down()
    time.sleep(0.05)
    Clock.tick()
    touch.touch_up()
    s.settle(5)
    assert not s.root.sheet.is_open


def test_the_tower_can_be_seen_while_one_thinks(open_window) -> None:
    _house, s = _table(open_window)
    s.root.open_menu()
    s.settle()
    s.press("See the tower")
    tower = s.one(lambda w: hasattr(w, "box_of"))
    assert tower.figures == s.root.now.view["figures"]
    s.press("Back to the table")
    assert s.root.sheet is None


def test_the_goal_stands_there_in_the_first_round(open_window) -> None:
    house = House()
    s = open_window(house)
    house.begin(("red", "blue"), {"red": "Ana", "blue": "Bruno"})
    s.settle()
    goal = "The goal: bring your two heroes up to the terrace."
    assert any(goal in text for text in s.texts())
    house.load(positions.choosing(), positions.NAMES)
    s.settle()
    assert not any(goal in text for text in s.texts())


def test_a_used_card_cannot_be_picked(open_window) -> None:
    _house, s = _table(open_window)
    _open(s, "blue")
    s.tap(s.root.sheet.cards[0])
    assert s.root.sheet.picked == 0


def test_taking_back_and_revealing(open_window) -> None:
    house, s = _table(open_window)
    _lock(s, "red", 2)
    for seat, card in (("blue", 3), ("green", 4), ("yellow", 6)):
        _lock_on(s, seat, card)
    assert s.root.now.held == "yellow"
    assert s.root.screen.head.sentence == "All cards are in. Reveal them?"
    s.tap(s.root.screen.panels["red"].ids.act)
    assert house.sent[-1].choice == Unlock("red")
    assert s.root.now.held is None
    assert "Ana is still thinking." in s.root.screen.head.sub
    _lock(s, "red", 3)
    s.press("Reveal")
    assert isinstance(house.sent[-1], Reveal)
    assert s.screen == "reveal"


def test_a_stale_lock_is_explained(open_window) -> None:
    house, s = _table(open_window)
    old = s.root.now.seen
    for seat, card in (("red", 2), ("blue", 3), ("green", 4), ("yellow", 6)):
        house.send(Play(Lock(seat, card)))
    house.send(Reveal())
    s.settle()
    s.root.send(Play(Lock("red", 3), old))
    s.settle()
    assert house.last.kind == "stale"
    assert s.screen == "reveal"
    told = words.say(house.last.messages[0])
    assert told in s.texts()
    s.tap(s.root.screen.ids_.go)
    house.send(Play(next(c for c in s.root.now.choices if isinstance(c, End))))
    s.settle()
    assert told not in s.texts()


# --- the cover and the open hand ----------------------------------------------------------------------------------


def test_a_card_says_what_it_does_before_it_is_locked_in(open_window) -> None:
    house, s = _table(open_window)
    _open(s, "blue")
    assert "Played cards come back when you rest." in s.texts()
    s.tap(s.root.sheet.cards[1])
    assert "2 Chase: 2 steps for your heroes." in s.texts()
    assert "And one villain goes 1 step." in s.texts()
    s.tap(s.root.sheet.cards[6])
    assert "7 Rest: No steps." in s.texts()
    assert not house.sent
    s.tap(s.root.sheet.cards[0])
    assert "1 Hide has been played." in s.texts()
    assert "It comes back when you rest." in s.texts()
    # the one that was picked is still the one that would be locked in
    assert s.root.sheet.picked == 7


def test_every_card_has_its_two_lines() -> None:
    for number in CARDS:
        assert words.say(card_words.head(number)).startswith(f"{number} ")
        assert words.say(card_words.SPECIAL[number])
    assert [words.say(card_words.STEPS[n])[0] for n in CARDS[:6]] == [str(POINTS[n]) for n in CARDS[:6]]


def test_of_two_the_other_one_looks_away(open_window) -> None:
    house = House()
    s = open_window(house)
    house.begin(("yellow", "green"), {"yellow": "Maria", "green": "Cida"}, gryphon="green")
    s.settle()
    s.tap(s.root.screen.panels["yellow"].ids.act)
    assert "Maria, take the screen. Cida looks away." in s.texts()


def test_where_to_hold_is_far_from_the_way_out(open_window) -> None:
    _house, s = _table(open_window)
    s.tap(s.root.screen.panels["blue"].ids.act)
    hold = s.one(lambda w: isinstance(w, Text) and w.text.startswith("Hold your finger"))
    assert hold.y - s.root.sheet.leave.top > s.root.height * 0.3


# --- seats and readers --------------------------------------------------------------------------------------------


def test_a_free_seat_can_be_taken_and_anyone_chooses_for_it(open_window) -> None:
    house, s = _table(open_window)
    house.send(Hand("blue", ""))
    s.settle()
    assert "Free seat" in s.texts()
    s.press("Take this seat")
    assert (s.screen, s.root.screen.given["seat"]) == ("seat", "blue")
    s.root.back()
    s.settle()
    _lock(s, "blue", 2)
    assert house.sent[-1].choice == Lock("blue", 2)
    s.press("Not now")
    assert s.root.now.view["locked"] == ["blue"]
    house.send(Hand("blue", "Eva"))
    s.settle()
    assert "Take this seat" not in [getattr(b, "text", "") for b in s.buttons()]


def test_readers_are_spoken_of_only_where_there_is_one(open_window) -> None:
    house, s = _table(open_window)
    assert "reader" not in s.root.screen.head.sub
    reader = device_row("a/0", "blue")
    house.say(Status("devices", "devices", None, {"readers": [reader], "panels": []}))
    s.settle()
    assert "on your reader" in s.root.screen.head.sub
    house.say(Status("devices", "devices", None, {"readers": [{**reader, "state": "lost"}], "panels": []}))
    s.settle()
    assert "reader" not in s.root.screen.head.sub


def test_taking_back_while_choosing_shows_what_and_asks_everyone(open_window) -> None:
    house = House()
    s = open_window(house)
    house.load(positions.last_turn(), positions.NAMES)
    s.settle()
    house.send(Play(Rest("yellow")))
    house.send(Play(Lock("red", 1)))
    s.settle()
    assert s.screen == "choose"
    s.press("Undo last turn")
    told = " ".join(s.texts())
    assert "Davi rests" in told
    assert "Everyone chooses a card again." in told
    for mark in s.root.sheet.marks.values():
        s.tap(mark)
    s.run_down()
    assert house.sent[-1] == TakeBack(None, True, house.sent[-1].seen)
    assert s.screen == "turn"
    assert s.root.now.view["turn"]["seat"] == "yellow"


def test_every_hand_shows_symbols_that_can_be_told(open_window) -> None:
    """Also with huge letters on the smallest screens: a card is as wide as a symbol of 20 px asks for."""
    for size in ((800, 480), (480, 800)):
        for text in ("normal", "huge"):
            house = House()
            s = open_window(house, "pt", size, {"text": text})
            house.load(positions.choosing(), positions.NAMES)
            s.settle()
            assert all(panel.ids.hand.fit()[0] >= 34 for panel in s.root.screen.panels.values()), (size, text)
            s.close()


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_all_seven_cards_say_what_they_do_at_once(open_window, lang: str) -> None:
    house = House()
    s = open_window(house, lang)
    house.load(positions.choosing(), positions.NAMES)
    s.settle()
    s.tap(s.root.screen.panels["blue"].ids.hand)
    sheet = s.root.sheet
    assert [card.used for card in sheet.cards] == [True, False, False, False, False, True, False]
    for card in sheet.cards:
        assert card.name.text == words.term("card_name", card.number)
        if not card.used:
            assert card.does.text == words.say(card_words.IN_SHORT[card.number])
    s.tap(s.one(lambda w: isinstance(w, BigButton)))
    assert s.root.sheet is None
    _open(s, "blue")
    assert [card.does.text for card in s.root.sheet.cards] == [card.does.text for card in sheet.cards]
    assert not house.sent


def test_what_a_card_does_in_short_is_what_the_rules_give(open_window) -> None:
    assert set(card_words.IN_SHORT) == set(CARDS)
    assert [words.say(card_words.IN_SHORT[n])[0] for n in CARDS[:6]] == [str(POINTS[n]) for n in CARDS[:6]]
