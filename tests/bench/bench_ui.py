"""The screen against an empty Kivy window in the same run: start, idle cost, and announcement -> changed frame.

`python -m tests.bench.bench_ui`. Every figure is from a process of its own, with software rendering where there is no
graphics chip.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from statistics import median

ROUNDS = 3
IDLE = 6.0
"""Seconds of standing still that are measured, two seconds after the start."""
TURNS = 200
"""Announcements that are timed."""

_CHILD = "from tests.bench.bench_ui import {name}; {name}()"


def main() -> int:
    """Print all figures."""
    starts = {kind: [_run(f"start_{kind}") for _ in range(ROUNDS)] for kind in ("empty", "ours")}
    for what, text in (("frame", "first frame"), ("touch", "first touch")):
        empty, ours = (median(r[what] for r in starts[kind]) for kind in ("empty", "ours"))
        print(f"ui: {text} {ours:.2f} s, empty window {empty:.2f} s, difference {ours - empty:.2f} s (goal 1 s)")
    empty, ours = _run("idle_empty"), _run("idle_ours")
    ratio = ours["cpu"] / max(empty["cpu"], 1e-9)
    print(f"ui: idle CPU {ours['cpu']:.1%}, empty window {empty['cpu']:.1%}, ratio {ratio:.2f} (goal 2)")
    more = ours["rss"] - empty["rss"]
    print(f"ui: memory {ours['rss']:.0f} MB, empty window {empty['rss']:.0f} MB, difference {more:.0f} MB (goal 60)")
    times = sorted(_run("latency")["times"])
    p50, p95 = (times[int(len(times) * share)] * 1000 for share in (0.5, 0.95))
    print(f"ui: announcement -> changed frame p50 {p50:.0f} ms, p95 {p95:.0f} ms of {len(times)} (goal p95 60 ms)")
    return 0


def _run(name: str) -> dict:
    with tempfile.TemporaryDirectory(prefix="gryphon-bench-") as home:
        environment = {**os.environ, "KIVY_HOME": home, "GRYPHON_BEGAN": repr(time.time())}
        environment.setdefault("SDL_VIDEODRIVER", "offscreen")
        answer = subprocess.run(
            [sys.executable, "-c", _CHILD.format(name=name)],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
    found: dict = json.loads(answer.stdout.splitlines()[-1])
    return found


# --- children -------------------------------------------------------------------------------------------------------


def _since() -> float:
    return time.time() - float(os.environ["GRYPHON_BEGAN"])


def _touch_when_drawn(touch: Callable[[], None]) -> dict[str, float]:
    """Time of the first frame and of the first frame after a touch."""
    from kivy.base import EventLoop

    EventLoop.idle()
    EventLoop.idle()
    times = {"frame": _since()}
    touch()
    EventLoop.idle()
    EventLoop.idle()
    times["touch"] = _since()
    return times


def _prepare() -> None:
    from companion.ui.app import prepare

    prepare(windowed=True)


def start_empty() -> None:
    """An empty window with one button."""
    _prepare()
    from kivy.base import EventLoop
    from kivy.uix.button import Button

    EventLoop.ensure_window()
    button = Button(text="New game")
    EventLoop.window.add_widget(button)
    touched = []
    button.bind(on_release=touched.append)
    print(json.dumps(_touch_when_drawn(lambda: _touch(400, 240))))
    assert touched


def start_ours() -> None:
    """The program at its first screen."""
    _prepare()
    from tests.ui.engine import House

    house = House()
    house.open()
    root = _root(house)
    times = _touch_when_drawn(lambda: _touch(590, 320))
    assert root.flow.screen == "seats", root.flow.screen
    print(json.dumps(times))


def _root(house: object):
    from kivy.base import EventLoop

    EventLoop.ensure_window()
    from companion.ui.shell import Root

    root = Root(house.bridge)  # type: ignore[attr-defined]
    root.fresh = 0.0  # a touch counts at once here
    EventLoop.window.add_widget(root)
    return root


def _touch(x: float, y: float) -> None:
    from kivy.base import EventLoop
    from kivy.tests.common import UnitTestTouch

    touch = UnitTestTouch(x, y)
    touch.touch_down()
    EventLoop.idle()
    touch.touch_up()


def idle_empty() -> None:
    """Nothing but a window."""
    _prepare()
    from kivy.base import EventLoop

    EventLoop.ensure_window()
    _idle()


def idle_ours() -> None:
    """A turn, standing still."""
    _prepare()
    from tests.ui import positions
    from tests.ui.engine import House

    house = House()
    _root(house)
    house.load(positions.turn(), positions.NAMES)
    _idle()


def _idle() -> None:
    from kivy.base import runTouchApp, stopTouchApp
    from kivy.clock import Clock

    marks: list[tuple[float, float]] = []

    def mark(dt: float) -> None:
        marks.append((time.monotonic(), time.process_time()))
        if len(marks) == 2:
            stopTouchApp()

    Clock.schedule_once(mark, 2.0)
    Clock.schedule_once(mark, 2.0 + IDLE)
    runTouchApp()
    (began, used), (ended, more) = marks
    import psutil

    rss = psutil.Process().memory_info().rss / 1e6
    print(json.dumps({"cpu": (more - used) / (ended - began), "rss": rss}))


def latency() -> None:
    """Moves announced from a thread, each timed until the frame that shows it."""
    _prepare()
    import threading

    from kivy.base import runTouchApp, stopTouchApp
    from kivy.clock import Clock
    from kivy.core.window import Window
    from kivy.graphics.opengl import GL_RGBA, GL_UNSIGNED_BYTE, glReadPixels

    from companion.table.ports import Play, TakeBack
    from tests.ui import positions
    from tests.ui.engine import House

    house = House()
    root = _root(house)
    house.load(positions.turn(), positions.NAMES)
    table = house.table
    assert table is not None
    times: list[float] = []
    shown = threading.Event()
    waiting: list[tuple[int, float]] = []

    def flipped(*_args: object) -> None:
        # a screen waits for its renderer; without one, frames would pile up before it
        glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE)
        # what a frame learns it draws (settle.py)
        if waiting and root.now is not None and root.now.seq >= waiting[0][0]:
            times.append(time.monotonic() - waiting.pop()[1])
            shown.set()

    def talk() -> None:
        time.sleep(1.0)
        moves = [c for c in table.snapshot().choices if getattr(c, "hero", "") == "red.1"]
        for i in range(TURNS):
            request = TakeBack("red") if i % 2 else Play(moves[(i // 2) % len(moves)])
            outcome = table.request(request)
            shown.clear()
            waiting.append((outcome.now.seq, time.monotonic()))
            house.bridge.announce(outcome)
            shown.wait(5)
            time.sleep(0.02)
        Clock.schedule_once(lambda dt: stopTouchApp())

    Window.bind(on_flip=flipped)
    threading.Thread(target=talk, daemon=True).start()
    runTouchApp()
    print(json.dumps({"times": times}))


if __name__ == "__main__":
    sys.exit(main())
