"""Everyone agrees: every seat touches its own mark. With the last one it is agreed, unless somebody says no."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.ui import run_down
from companion.ui.agree import AgreeSheet, asked
from companion.ui.theme import look
from companion.ui.widgets import Text
from tests.ui import positions
from tests.ui.engine import House

LONG = "Back to where Ana moved Red 1 over b2 to b3. " * 4
SIZES = [(800, 480), (1024, 600), (1280, 800), (720, 1280), (480, 800)]


@pytest.fixture
def ask(open_window):
    def opener(lang: str = "en", size: tuple[int, int] = (800, 480), text: str = "Take the last turn back?"):
        house = House()
        s = open_window(house, lang, size)
        house.load(positions.turn(), positions.NAMES)
        s.settle()
        said: list[tuple[str, ...]] = []
        sheet = AgreeSheet(s.root, "Does everyone agree?", text, s.root.now.view["seats"], said.append)
        s.root.open_sheet(sheet)
        s.settle()
        return s, sheet, said

    return opener


def test_with_the_last_mark_it_is_agreed(ask) -> None:
    s, sheet, said = ask()
    for seat in ("red", "blue", "green"):
        s.tap(sheet.marks[seat])
        assert "Everyone agrees" not in s.texts()
        assert not sheet.bar.runs
    assert "Davi, touch your mark if you agree." in s.texts()
    s.tap(sheet.marks["yellow"])
    assert "Everyone agrees" in s.texts()
    assert not said
    s.run_down()
    assert said == [("red", "blue", "green", "yellow")]
    assert s.root.sheet is None


def test_the_time_runs_out_by_itself(ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_down, "SECONDS", 0.15)
    s, sheet, said = ask()
    for seat in sheet.seats:
        s.tap(sheet.marks[seat])
    s.wait(lambda: bool(said))
    assert s.root.sheet is None


def test_somebody_says_no_while_the_bar_runs_down(ask) -> None:
    s, sheet, said = ask()
    for seat in sheet.seats:
        s.tap(sheet.marks[seat])
    s.press("No, wait")
    assert s.root.sheet is None
    s.wait(lambda: not sheet.bar.runs)
    assert not said


def test_what_is_taken_off_the_screen_agrees_to_nothing(ask) -> None:
    s, sheet, said = ask()
    for seat in sheet.seats:
        s.tap(sheet.marks[seat])
    s.root.rebuild()
    s.wait(lambda: not sheet.bar.runs)
    assert not said


def test_yes_can_be_taken_back(ask) -> None:
    s, sheet, said = ask()
    for seat in sheet.seats:
        s.tap(sheet.marks[seat])
    s.tap(sheet.marks["blue"])
    assert not sheet.bar.runs
    assert sheet.missing == ["blue"]
    for _ in range(3):  # and given again
        s.tap(sheet.marks["blue"])
    assert sheet.bar.runs
    s.tap(sheet.marks["blue"])
    s.press("Leave it")
    assert s.root.sheet is None
    assert not said


def test_a_stray_touch_beside_the_sheet_takes_nothing_away(ask) -> None:
    s, sheet, said = ask()
    s.tap(sheet.marks["red"])
    s.touch(4, 4)
    assert s.root.sheet is sheet
    assert sheet.missing == ["blue", "green", "yellow"]
    assert not said


def test_touching_one_mark_often_does_nothing(ask) -> None:
    s, sheet, said = ask()
    for _ in range(9):
        s.tap(sheet.marks["red"])
    assert not said
    assert s.root.sheet is sheet


def test_seats_that_nobody_plays_are_not_asked(ask) -> None:
    s, _sheet, _said = ask()
    now = replace(s.root.now, free=("blue",))
    assert asked(now) == ("red", "green", "yellow")
    assert asked(replace(now, free=tuple(now.view["seats"]))) == tuple(now.view["seats"])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("text", ["normal", "large", "huge"])
def test_it_fits(ask, size: tuple[int, int], text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look, "text", text)
    s, sheet, _said = ask("pt", size, LONG)
    assert sheet.panel.top <= s.root.height
    assert sheet.panel.y >= 0
    for mark in sheet.marks.values():
        assert min(mark.size) >= 48
    for wanted in (False, True):
        if wanted:
            for mark in sheet.marks.values():
                s.tap(mark)
        assert all(w.fits for w in s.walk() if isinstance(w, Text))
        assert all(b.fits for b in s.buttons() if hasattr(b, "sub"))
