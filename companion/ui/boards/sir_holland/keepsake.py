"""A picture of a game that is over, to keep: the tower as it stood, how everyone stands, and what is worth telling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.clock import Clock
from kivy.properties import StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.table.ports import KeepPicture, Snapshot
from companion.ui.boards.sir_holland.tower import Tower
from companion.ui.screens.base import load_kv
from companion.ui.settle import lay_out
from companion.ui.theme import u

SIZE = (1200, 800)
"""Pixels, whatever screen it is made on."""
FRAMES = 3
"""Until everything in it has found its place and is drawn."""


class Keepsake(BoxLayout):
    """Never shown on the screen; written out in keepsake.kv."""

    seat = StringProperty("")
    heading = StringProperty("")
    sub = StringProperty("")


class KeepsakeLine(BoxLayout):
    """One sentence."""

    text = StringProperty("")


def draw(now: Snapshot, heading: str, sub: str, rows: Sequence[Any], lines: Sequence[str],
         done: Callable[[KeepPicture], None]) -> None:  # fmt: skip
    """Draw it beside the screen, and hand it over some frames later, so that no frame takes long.

    rows: widgets that tell how each seat stands; lines: sentences about the game.
    """
    made = Keepsake(seat=now.view["result"]["winner"], heading=heading, sub=sub, size_hint=(None, None), size=SIZE)
    tower = Tower()
    made.ids.tower.add_widget(tower)
    tower.show(now.view)
    for row in rows:
        made.ids.rows.add_widget(row)
    for text in lines:
        made.ids.lines.add_widget(KeepsakeLine(text=text))
    made.ids.lines.height = len(lines) * u(52)
    left = [FRAMES]

    def frame(_dt: float) -> bool:
        lay_out(made)
        left[0] -= 1
        if left[0]:
            return True
        texture = made.export_as_image().texture
        width, height = (int(length) for length in texture.size)
        done(KeepPicture(now.number, width, height, texture.pixels))
        return False

    Clock.schedule_interval(frame, 0)


load_kv("sir_holland/keepsake")
