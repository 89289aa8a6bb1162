"""The program in a window, in a process of its own, in which things go wrong: `python -m tests.ui.torn`.

A touch, a timer and a drawing fail once each; what the screen shows afterwards is printed. Then a drawing fails again
and again: the program ends.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

os.environ.update(
    KIVY_HOME=tempfile.mkdtemp(prefix="gryphon-torn-"), KIVY_NO_FILELOG="1", SDL_VIDEODRIVER="offscreen"
)

from companion.ui.app import prepare
from tests.ui import positions
from tests.ui.engine import House

WIDTH, HEIGHT = 800, 480


def touch(widget: Any) -> None:
    """What SDL says of a finger there."""
    from kivy.core.window import Window

    x, y = widget.to_window(*widget.center)
    Window.dispatch("on_mouse_down", x, HEIGHT - 1 - y, "left", [])
    Window.dispatch("on_mouse_up", x, HEIGHT - 1 - y, "left", [])


def fail(*_: Any) -> None:
    """What goes wrong."""
    raise RuntimeError("torn")


def story(root: Any, house: House, found: dict[str, Any]) -> Iterator[None]:
    """What happens, with a pause at every yield."""
    from kivy.clock import Clock

    from companion.ui.widgets import Drawn

    root.fresh = 0.0
    house.load(positions.turn(), positions.NAMES)
    while root.flow.screen != "turn":
        yield
    for what in ("touch", "timer", "drawing"):
        before = root.screen
        if what == "touch":
            root.screen.card.undo.off = False
            root.screen.card.undo.bind(on_release=fail)
            touch(root.screen.card.undo)
        elif what == "timer":
            Clock.schedule_once(fail)
        else:
            draw = Drawn._draw

            def fail_once(*_: Any, draw: Any = draw) -> None:
                Drawn._draw = draw
                fail()

            Drawn._draw = fail_once
            root.screen.card.queue.redraw()
        for _frame in range(20):
            yield
            if root.screen is not None and root.screen is not before:
                break
        found[what] = [type(root.screen).__name__, root.screen is not before, len(root.screen.tower.figures)]
    root.screen.pick("red.1")
    yield
    found["lit"] = len(root.screen.tower.lit)
    print("FOUND " + json.dumps(found), flush=True)
    Drawn._draw = fail
    root.screen.card.queue.redraw()
    for _frame in range(200):
        yield


def main() -> None:
    """Run it."""
    prepare(windowed=True, width=WIDTH, height=HEIGHT)
    from kivy.clock import Clock

    from companion.ui.shell import make_app

    house = House()
    app = make_app(house.bridge, "en")
    found: dict[str, Any] = {}
    steps: list[Iterator[None]] = []

    def step(dt: float) -> None:
        if not steps:
            steps.append(story(app.root, house, found))
        if next(steps[0], app) is app:
            print("STILL THERE", flush=True)
            app.stop()

    Clock.schedule_interval(step, 0.05)
    app.run()


if __name__ == "__main__":
    sys.exit(main())
