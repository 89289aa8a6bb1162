"""What comes and goes around an open screen takes room of it, and must never break it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from companion.games.base import msg
from companion.table.ports import Status
from tests.ui.doors import opened

QUIET = msg("Bruno's reader went quiet. Check its cable, or choose here.")
DOORS = ("settings", "house_rules", "devices", "about", "history", "rulebook", "judge", "judge_order", "judge_may",
         "judge_winner", "touch_test")  # fmt: skip


@pytest.mark.parametrize("door", DOORS)
def test_a_line_that_comes_and_goes_leaves_the_door_as_it_was(open_window, door: str) -> None:
    house, s = opened(open_window, text="large")
    s.root.open(door)
    s.settle()
    before = s.texts()
    for message in (QUIET, None, QUIET, None):
        house.say(Status("reader", "device", message))
        s.settle()
    assert s.screen == door
    assert sorted(s.texts()) == sorted(before)


def test_a_window_that_grows_a_little_keeps_the_settings(open_window) -> None:
    _house, s = opened(open_window)
    s.root.open("settings")
    s.settle()
    before = s.texts()
    for height in (440, 400, 470, 480):
        s.root.column.size_hint_y = height / 480
        s.settle()
    assert sorted(s.texts()) == sorted(before)


def test_a_rule_of_a_kv_file_is_for_one_class_only() -> None:
    """Kivy goes by the name alone: a rule meant for one class would dress all others of that name as well."""
    root = Path(__file__).resolve().parents[2]
    rules = {
        name
        for file in (root / "kv").rglob("*.kv")
        for line in re.findall(r"^<([^>]+)>:", file.read_text(encoding="utf-8"), re.MULTILINE)
        for name in re.split(r"[,@+ ]+", line)
    }
    widgets: dict[str, list[str]] = {}
    for file in (root / "companion" / "ui").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            # a class without a base is no widget
            if isinstance(node, ast.ClassDef) and node.bases:
                widgets.setdefault(node.name, []).append(file.name)
    assert {name: files for name, files in widgets.items() if name in rules and len(files) > 1} == {}
