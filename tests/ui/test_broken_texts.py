"""Texts from sticks: whatever they are called, the screen shows them."""

from __future__ import annotations

import os

from tests import history_scenes
from tests.ui.doors import opened


def test_a_file_whose_name_is_no_utf_8(open_window) -> None:
    house, s = opened(open_window)
    folder = house.engine._folder
    folder.mkdir(parents=True, exist_ok=True)
    words = history_scenes.EVENING.read_bytes()
    (folder / os.fsdecode(b"noite no caf\xe9.txt")).write_bytes(words)
    s.press("History")
    s.press("Bring a game in")
    (shown,) = [b for b in s.buttons() if getattr(b, "text", "").startswith("noite no caf")]
    shown.text.encode("utf-8")
    s.tap(shown)
    assert len(house.store.games()) == 1
