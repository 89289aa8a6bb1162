"""Choosing in secret: nothing on the screen tells what was locked in."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.sir_holland.state import End, Lock, Unlock
from companion.table.ports import Play, Reveal
from companion.ui import words
from companion.ui.screens import cover
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
    _open(s, seat)
    s.tap(next(c for c in s.root.sheet.cards if c.number == card))
    s.tap(s.root.sheet.lock)


def test_two_cards_leave_the_same_pictures(open_window, tmp_path: Path) -> None:
    pictures = []
    for card in (2, 5):
        house, s = _table(open_window)
        _lock(s, "blue", card)
        assert house.sent[-1] == Play(Lock("blue", card), house.sent[-1].seen)
        back, after = tmp_path / f"back{card}.png", tmp_path / f"after{card}.png"
        s.picture(back)
        s.touch(400, 240)
        s.picture(after)
        pictures.append((back.read_bytes(), after.read_bytes()))
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
    s.touch(400, 240)
    assert s.root.sheet is None


def test_a_short_touch_opens_nothing(open_window, monkeypatch) -> None:
    monkeypatch.setattr(cover, "HOLD", 60.0)
    _house, s = _table(open_window)
    s.tap(s.root.screen.panels["blue"].ids.act)
    s.touch(400, 240)
    assert not s.root.sheet.is_open


def test_an_open_hand_shuts_by_itself(open_window, monkeypatch) -> None:
    monkeypatch.setattr(cover, "OPEN", 0.15)
    house, s = _table(open_window)
    _open(s, "blue")
    s.wait(lambda: s.root.sheet.finished)
    assert not house.sent


def test_a_used_card_cannot_be_picked(open_window) -> None:
    _house, s = _table(open_window)
    _open(s, "blue")
    s.tap(s.root.sheet.cards[0])
    assert s.root.sheet.picked == 0


def test_taking_back_and_revealing(open_window) -> None:
    house, s = _table(open_window)
    for seat, card in (("red", 2), ("blue", 3), ("green", 4), ("yellow", 6)):
        _lock(s, seat, card)
        s.touch(400, 240)
    assert s.root.now.held == "yellow"
    assert s.root.screen.head.sentence == "All cards are in. Reveal them?"
    s.tap(s.root.screen.panels["red"].ids.act)
    assert house.sent[-1].choice == Unlock("red")
    assert s.root.now.held is None
    assert "Ana is still thinking." in s.root.screen.head.sub
    _lock(s, "red", 3)
    s.touch(400, 240)
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
