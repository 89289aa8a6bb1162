"""The tower before the game: dealt and laid level by level, or copied from the table, with every broken rule told."""

from __future__ import annotations

import time
from random import Random
from typing import Any

import pytest

from companion.games.base import msg
from companion.games.sir_holland import setup
from companion.table import names
from companion.table.ports import Begin, NotSaved
from companion.ui.draft import EMPTY, Draft
from tests.ui import positions
from tests.ui.doors import opened

NAMES = {"R": "Rope", "S": "Passage", "H": "Secret room", "W": "Wall"}


def _tower(open_window: Any) -> tuple[Any, Any]:
    house, s = opened(open_window)
    s.press("New game")
    s.press("This is us")
    return house, s


def _copy(open_window: Any) -> tuple[Any, Any]:
    house, s = _tower(open_window)
    s.press("We built our own")
    return house, s


def test_level_by_level_and_back(open_window) -> None:
    house, s = _tower(open_window)
    for level in range(1, 4):
        assert s.root.screen.ticks.laid == level - 1
        assert s.root.screen.tower.hot == level
        s.tap(s.button(f"Level {level} is laid"))
    s.press("One back")
    assert s.root.screen.tower.hot == 3
    for level in (3, 4, 5):
        s.tap(s.button(f"Level {level} is laid"))
    assert s.root.screen.ticks.laid == 5
    s.press("Begin the game")
    assert setup.tower_faults(tuple(house.sent[-1].options["tower"])) == []


def test_a_tower_stays_until_its_game_has_begun(open_window, monkeypatch) -> None:
    """A disk that cannot write spoils no tower that lies on the table already, and one more touch begins."""
    house, s = _tower(open_window)
    tower = s.root.draft.tower
    s.press("The whole tower is laid")

    def full(*_: Any) -> int:
        raise NotSaved(msg("the disk is full."))

    with monkeypatch.context() as patch:
        patch.setattr(house.store, "begin", full)
        s.press("Begin the game")
        assert s.screen == "tower"
        assert "The game has not begun: the disk is full." in s.texts()
        s.press("One back")
        s.press("Level 5 is laid")
        s.root.open("settings")
        s.root.back()
        s.settle()
        assert s.root.draft.tower == tower
    s.root._asked = None  # as after a second
    s.press("Begin the game")
    assert (s.screen, tuple(house.table.snapshot().view["tower"])) == ("choose", tower)
    assert not s.root.draft.tower
    assert not [text for text in s.texts() if "disk" in text]


def test_a_game_begins_once_however_often_it_is_touched(open_window) -> None:
    house, s = _tower(open_window)
    s.press("The whole tower is laid")
    house.hold = True
    button = s.button("Begin the game")
    s.tap(button)
    time.sleep(0.07)  # more than a bounce of the glass
    s.tap(button)
    assert [type(r) for r in house.sent].count(Begin) == 1
    house.release()
    s.settle()
    assert s.screen == "choose"


def test_another_tower_is_asked_for_once_some_of_it_lies(open_window) -> None:
    _house, s = _tower(open_window)
    first = s.root.draft.tower
    s.press("Deal another")
    assert s.root.draft.tower != first  # nothing lay yet
    first = s.root.draft.tower
    s.tap(s.button("Level 1 is laid"))
    s.press("Deal another")
    s.press("Keep this one")
    assert (s.root.draft.tower, s.root.draft.laid) == (first, 1)
    s.press("Deal another")
    s.press("Yes, deal another")
    assert s.root.draft.tower != first
    assert s.root.draft.laid == 0


def test_looking_at_the_other_way_loses_neither_tower(open_window) -> None:
    _house, s = _tower(open_window)
    dealt = s.root.draft.tower
    for level in (1, 2):
        s.tap(s.button(f"Level {level} is laid"))
    s.press("We built our own")
    s.tap(s.button("Rope"))
    begun = s.root.draft.tower
    s.press("Dealt one")
    assert (s.root.draft.tower, s.root.draft.laid) == (dealt, 2)
    s.press("We built our own")
    assert s.root.draft.tower == begun
    s.press("Clear")
    assert "." * 2 in s.root.draft.tower[0]
    s.press("Dealt one")
    assert (s.root.draft.tower, s.root.draft.laid) == (dealt, 2)


def test_copying_the_tower_on_the_table(open_window) -> None:
    house, s = _copy(open_window)
    assert any("ten walls" in text for text in s.texts())
    for level in (2, 3, 4, 5):
        for column in "abde":
            letter = positions.ROWS[5 - level][ord(column) - 97]
            left = int(s.button(NAMES[letter]).sub.split()[0])
            s.tap(s.button(NAMES[letter]))
            assert s.button(NAMES[letter]).sub == f"{left - 1} left"
    assert s.root.draft.open_places() == []
    assert s.root.draft.faults() == []
    s.square("a5")
    s.press("Wall")
    assert "a5" in s.root.screen.tower.bad
    assert any("Level 5 has no rope" in text for text in s.texts())
    assert "Level 5" in s.texts()
    stands = s.one(lambda w: getattr(w, "text", "") == "The tower stands")
    assert stands.off
    assert not stands.lit
    s.press("Undo")
    assert s.button("The tower stands").lit
    s.press("The tower stands")
    s.press("Begin the game")
    assert house.sent[-1].options["tower"] == positions.ROWS


def test_what_is_broken_already_is_told_before_the_tower_is_full(open_window) -> None:
    _house, s = _copy(open_window)
    s.press("Passage")
    assert s.root.screen.tower.bad == []
    s.square("a3")
    s.press("Passage")
    assert s.root.screen.tower.bad == ["a3"]
    assert any("level 2 and one on level 4" in text for text in s.texts())
    s.press("Undo")
    s.square("a3")
    s.press("Rope")
    s.square("b3")
    s.press("Rope")
    assert set(s.root.screen.tower.bad) == {"a3", "b3"}
    assert any("two ropes" in text for text in s.texts())


def test_clear_can_be_undone(open_window) -> None:
    _house, s = _copy(open_window)
    for _ in range(3):
        s.press("Wall")
    full = s.root.draft.tower
    s.press("Clear")
    assert len(s.root.draft.open_places()) == 16
    s.press("Undo")
    assert s.root.draft.tower == full


def test_many_faults_are_shown_one_after_another(open_window) -> None:
    _house, s = _copy(open_window)
    for _ in range(16):
        s.press("Wall")
    wanted = {f.at for f in s.root.draft.faults()}
    assert len(s.root.draft.faults()) > 3
    seen: set[str] = set()
    for _ in range(4):
        told = s.one(lambda w: type(w).__name__ == "Broken")
        seen |= {w.text for w in told.walk() if getattr(w, "bold", False)}
        s.tap(told)
    names = {"tower": "Tower"} | {f"level {n}": f"Level {n}" for n in range(1, 6)}
    assert seen == {names.get(at, at) for at in wanted}


# --- without a window -----------------------------------------------------------------------------------------------


def _draft(*rows: str) -> Draft:
    draft = Draft()
    draft.copying, draft.tower = True, rows
    return draft


@pytest.mark.parametrize("seed", range(30))
def test_no_part_of_a_legal_tower_is_called_broken(seed: int) -> None:
    rng = Random(seed)
    whole = setup.deal(rng)
    draft = _draft(*whole)
    places = [f"{c}{n}" for c in "abde" for n in range(2, 6)]
    rng.shuffle(places)
    for place in places:
        draft.put(place, EMPTY)
        assert draft.faults() == []


@pytest.mark.parametrize(
    ("rows", "places"),
    [
        ((".SP..", "..P..", "..P..", "..P..", "RDPDR"), ["b5"]),
        (("..P..", "..P..", "..P..", ".WPWW", "RDPDR"), ["a2", "b2", "d2", "e2"]),
        (("..P..", "H.P..", "..P.H", "..P..", "RDPDR"), ["a4", "e3"]),
        (("..P..", "..P..", "..P..", "..P..", "WDPDR"), ["a1"]),
        (("WWPWW", "..P..", "..P..", "..P..", "RDPDR"), ["a5", "b5", "d5", "e5"]),
    ],
)
def test_broken_for_good(rows: tuple[str, ...], places: list[str]) -> None:
    draft = _draft(*rows)
    found = draft.faults()
    assert found
    assert sorted({p for f in found for p in draft.places(f)}) == sorted(places)


def test_people_of_one_name_are_told_apart() -> None:
    """The voice shows no colour."""
    draft = Draft(seats=["red", "blue", "green"], names={"red": "Ana", "green": "ana"})
    assert draft.begin(str.title).names == {"red": "Ana", "blue": "Blue", "green": "ana 2"}
    draft.names = {"red": "Blue", "green": "Blue 2"}
    assert draft.begin(str.title).names == {"red": "Blue", "blue": "Blue 2", "green": "Blue 2 2"}
    # as long as a name may be, whatever is put behind it
    draft.names = dict.fromkeys(draft.seats, "W" * names.LONGEST)
    told = draft.begin(str.title).names
    assert len(set(told.values())) == 3
    for name in told.values():
        names.check(name)
