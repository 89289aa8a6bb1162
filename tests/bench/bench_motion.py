"""Frames while something moves, the time of a screen change, and memory over many of them.

`python -m tests.bench.bench_motion`. Software rendering, 800x480, the whole program with its real engine. Wall time is
what people see, up to the last pixel: the renderer works behind our back, so each frame is read back before the clock
stops. Where others share the machine it says little, so two things stand beside it: what all our threads computed
(`cpu`), and the same frames of an empty window in the same minute.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from typing import Any

ROUNDS = 12
"""How often each motion is played, and each screen opened."""
CHANGES = 500
WARM = 100
"""Screen changes before memory is looked at."""
GIVEN: dict[str, dict[str, Any]] = {"entry": {"rule": "R31"}, "seat": {"seat": "red"}, "replay": {"number": 1}}
"""What some doors want to know."""
OF_THE_TABLE = ("choose", "reveal", "turn", "round_end", "winner")
_CHILD = "from tests.bench.bench_motion import {name}; {name}()"


def main() -> int:
    """Print all figures."""
    print(f"motion: load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    found = _run("frames")
    for name, times in found["moving"].items():
        _tell(f"{name}, each frame", times)
    every = [t for times in found["moving"].values() for t in times]
    _tell("frames of all motions", every, "goal: p95 33 ms")
    _tell("frames of an empty window", found["empty"])
    within = sum(wall <= 0.033 for wall, _ in every) / len(every)
    print(f"motion: {within:.1%} of {len(every)} frames within 33 ms (goal 95 %)")
    _tell("first frame of a motion", found["first"])
    _tell("the frame after the end, in which nothing moves", found["after"])
    changes = _run("changes")
    for name, times in changes.items():
        _tell(f"to {name}", times)
    _tell("any screen change", [t for times in changes.values() for t in times], "goal 150 ms")
    grown = _run("memory")
    each = (grown["end"] - grown["warm"]) * 1000 / CHANGES
    print(
        f"motion: memory {grown['warm']:.1f} MB after {WARM} screen changes, {grown['end']:.1f} MB after "
        f"{WARM + CHANGES}: {each:.1f} kB a change (goal: no growth)"
    )
    print("motion: MB on the way: " + ", ".join(f"{mb:.1f}" for mb in grown["way"]))
    print(f"motion: Python objects {grown['objects'][0]} -> {grown['objects'][1]}; load {os.getloadavg()[0]:.1f}")
    return 0


def _tell(what: str, times: Iterable[tuple[float, float]], goal: str = "") -> None:
    walls, cpus = zip(*times, strict=True)
    text = ", ".join(f"p{share} {_share(walls, share) * 1000:.0f} ms" for share in (50, 95, 99))
    cpu = ", ".join(f"p{share} {_share(cpus, share) * 1000:.0f} ms" for share in (50, 95))
    print(f"motion: {what}: {text}; cpu {cpu}; of {len(walls)}" + (f" ({goal})" if goal else ""))


def _share(values: Iterable[float], share: int) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) * share // 100, len(ordered) - 1)]


def _run(name: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="gryphon-bench-") as home:
        environment = {**os.environ, "KIVY_HOME": home, "KIVY_NO_CONSOLELOG": "1"}
        answer = subprocess.run(
            [sys.executable, "-c", _CHILD.format(name=name)],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    found: dict[str, Any] = json.loads(answer.stdout.splitlines()[-1])
    return found


# --- children -------------------------------------------------------------------------------------------------------


def _open() -> Any:
    """The program at a turn."""
    from tests.ui import positions
    from tests.ui.engine import House
    from tests.ui.window import Screenful

    screenful = Screenful(House())
    screenful.draws = True
    screenful.house.load(positions.turn(), positions.NAMES)
    screenful.settle(5)
    return screenful


def _timed(act: Callable[[], Any]) -> tuple[float, float]:
    from kivy.graphics.opengl import GL_RGBA, GL_UNSIGNED_BYTE, glReadPixels

    def drawn() -> None:
        """Wait for the renderer."""
        glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE)

    drawn()
    wall, cpu = time.perf_counter(), time.process_time()
    act()
    drawn()
    return time.perf_counter() - wall, time.process_time() - cpu


def frames() -> None:
    """Every frame of each motion on the screen of a turn, and those of an empty window.

    Two are told apart: the first, which draws what has changed, and the one after the end, in which nothing moves.
    """
    from kivy.graphics import Color, Rectangle

    from companion.ui import motion
    from tests.ui.motions import MOTIONS, act

    screenful = _open()
    tower = screenful.root.screen.tower
    moving: dict[str, list[tuple[float, float]]] = {}
    first: list[tuple[float, float]] = []
    after_it: list[tuple[float, float]] = []
    for round in range(ROUNDS + 1):
        for name in MOTIONS:
            before, events, after = act(name)
            tower.show(before)
            screenful.settle(3)
            motion.finish()
            screenful.settle(2)
            began = _timed(lambda given=(before, events, after): (tower.play(*given), screenful.settle(1)))
            assert motion.moving(), name
            times = []
            while motion.moving():
                times.append(_timed(lambda: screenful.settle(1)))
            if round:
                # the first round fills the caches of letters and tiles
                first.append(began)
                after_it.append(times.pop())
                moving.setdefault(name, []).extend(times)
    screenful.close()
    with screenful.window.canvas:
        Color(1, 1, 1, 1)
        box = Rectangle(size=(40, 40))
    empty = []
    for i in range(300):
        box.pos = (i, i)
        empty.append(_timed(lambda: screenful.settle(1)))
    print(json.dumps({"moving": moving, "first": first, "after": after_it, "empty": empty[50:]}))


def changes() -> None:
    """From the call that changes the screen to its first frame: screens of the table, every door there and back."""
    from companion.ui.memory import search

    screenful = _open()
    found: dict[str, list[tuple[float, float]]] = {}
    for round in range(ROUNDS + 1):
        for name, act in _ways(screenful):
            # as in any pause at a table: people look at a screen before they leave it
            search()
            took = _timed(lambda act=act: (act(), screenful.settle(1)))
            assert screenful.screen == name or name == "back", (screenful.screen, name)
            if round:
                found.setdefault(name, []).append(took)
            screenful.settle(3)
    print(json.dumps(found))


def _ways(screenful: Any) -> Iterable[tuple[str, Callable[[], None]]]:
    """Every screen with the call that opens it; what a screen needs is there before its turn comes."""
    from companion.ui.shell import SCREENS
    from tests.ui import positions

    root, load = screenful.root, screenful.house.load
    before = {"choose": positions.choosing, "winner": positions.winning}
    for name in OF_THE_TABLE:
        root.flow.doors.clear()
        load(before.get(name, positions.turn)(), positions.NAMES)
        # the table must have said what it is at before another screen is gone to
        screenful.settle(2)
        root.go("round_end" if name == "turn" else "turn")
        screenful.settle(2)
        yield name, lambda name=name: root.go(name)
    load(positions.turn(), positions.NAMES)
    screenful.settle(2)
    for name in SCREENS:
        if name in (*OF_THE_TABLE, "start", "seats", "tower"):
            continue
        yield name, lambda name=name: root.open(name, **GIVEN.get(name, {}))
        yield "back", root.back


def memory() -> None:
    """Screens opened and left again and again; memory after each search for garbage, as in any pause at a table."""
    import gc

    import psutil

    from companion.ui.memory import _give_back, search

    screenful = _open()
    process = psutil.Process()

    def megabytes() -> float:
        search()
        screenful.settle(2)
        _give_back(0)
        return process.memory_info().rss / 1e6

    def change(count: int) -> None:
        done = 0
        while done < count:
            for _name, act in _ways(screenful):
                act()
                screenful.settle(2)
                done += 1
                if done == count:
                    return

    change(WARM)
    warm, objects = megabytes(), len(gc.get_objects())
    way = []
    for _ in range(10):
        change(CHANGES // 10)
        way.append(megabytes())
    print(json.dumps({"warm": warm, "end": way[-1], "way": way, "objects": [objects, len(gc.get_objects())]}))


if __name__ == "__main__":
    sys.exit(main())
