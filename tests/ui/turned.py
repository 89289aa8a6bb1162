"""The program in a turned window, in a process of its own: `python -m tests.ui.turned DEGREES`.

Looks for lit things in the pixels of the glass, as an eye would, touches them there, as a finger would, and prints
what has come of it. What Kivy believes of its own coordinates is never asked.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

os.environ.update(
    KIVY_HOME=tempfile.mkdtemp(prefix="gryphon-turned-"), KIVY_NO_FILELOG="1", SDL_VIDEODRIVER="offscreen"
)

from companion.table.ports import Change
from companion.ui.app import prepare
from tests.ui import positions
from tests.ui.engine import House

BUTTON, SQUARE = (0xFF, 0xE3, 0xA3), (0xFF, 0xE9, 0xBC)
"""Colours of what may be touched now: the main button, a square of the tower."""
WIDTH, HEIGHT, CELL = 800, 480, 4

Point = tuple[int, int]


def spots(colour: tuple[int, int, int]) -> list[Point]:
    """The middles of the larger patches of that colour, in pixels of the glass from the top left."""
    from kivy.core.window import Window
    from kivy.graphics.opengl import GL_RGBA, GL_UNSIGNED_BYTE, glReadPixels

    Window.dispatch("on_draw")
    data, wanted = bytes(glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE)), bytes(colour)
    cells = {
        (x, HEIGHT - 1 - y)
        for y in range(0, HEIGHT, CELL)
        for x in range(0, WIDTH, CELL)
        if data[(y * WIDTH + x) * 4 :][:3] == wanted
    }
    found = []
    while cells:
        patch, near = [], [cells.pop()]
        while near:
            x, y = near.pop()
            patch.append((x, y))
            around = {(x + CELL, y), (x - CELL, y), (x, y + CELL), (x, y - CELL)} & cells
            cells -= around
            near.extend(around)
        if len(patch) > 15:
            xs, ys = zip(*patch, strict=True)
            found.append(((min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2))
    return sorted(found)


def touch(at: Point) -> None:
    """What SDL says of a finger there."""
    from kivy.core.window import Window

    Window.dispatch("on_mouse_down", *at, "left", [])
    Window.dispatch("on_mouse_up", *at, "left", [])


def story(root: Any, house: House, found: dict[str, Any]) -> Iterator[None]:
    """What happens, with a pause at every yield; whoever runs this waits only so long."""
    # nothing fades in, so that what is bright is bright at once
    house.engine.serve(Change({"still": True}))
    house.open()
    while len(spots(BUTTON)) != 1:
        yield
    found["size"] = [root.width, root.height]
    (found["button"],) = spots(BUTTON)
    touch(found["button"])
    while root.flow.screen == "start":
        yield
    found["screen"] = root.flow.screen
    house.load(positions.turn(), positions.NAMES)
    while root.flow.screen != "turn":
        yield
    root.screen.pick("red.1")
    for _ in range(3):
        yield
    found["lit"] = sorted(root.screen.tower.lit)
    found["touched"] = []
    root.screen.tower.bind(on_square=lambda _, square: found["touched"].append(square) or True)
    found["squares"] = spots(SQUARE)
    for at in found["squares"]:
        root._last_touch = (0.0, 0.0, 0.0)
        before = len(found["touched"])
        touch(at)
        while len(found["touched"]) == before:
            yield


def main(degrees: int) -> None:
    """Run it."""
    prepare(windowed=True, rotate=degrees, width=WIDTH, height=HEIGHT)
    from kivy.base import runTouchApp, stopTouchApp
    from kivy.clock import Clock

    from companion.ui.shell import Root

    house = House()
    root = Root(house.bridge, "en")
    root.fresh = 0.0
    found: dict[str, Any] = {}
    steps = story(root, house, found)

    def step(dt: float) -> None:
        try:
            next(steps)
        except StopIteration:
            stopTouchApp()
        except BaseException:
            stopTouchApp()
            raise

    Clock.schedule_interval(step, 0.05)
    runTouchApp(root)
    print("FOUND " + json.dumps(found))


if __name__ == "__main__":
    main(int(sys.argv[1]))
