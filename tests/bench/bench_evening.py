"""Memory over evenings of play: random games without any pause, then at rest. `python -m tests.bench.bench_evening`.

A minute by itself, an hour with GRYPHON_LONG=1, or so many seconds: `python -m tests.bench.bench_evening 600`. The real
engine, store and screen, drawn offscreen. Prints the memory of the process at the start, percentiles of its samples
while playing, after each tenth of the time, and at rest.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from random import Random

from tests.bench.bench_ui import _prepare, _root

PACE = 0.05
"""Seconds between two acts: faster than any table."""
SEATS = ("red", "blue", "green", "yellow")


def main(arguments: list[str]) -> int:
    """Play, and print."""
    seconds = float(arguments[0]) if arguments else 3600.0 if os.environ.get("GRYPHON_LONG") else 60.0
    os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")
    with tempfile.TemporaryDirectory(prefix="gryphon-bench-") as home:
        os.environ["KIVY_HOME"] = home
        samples, rest, acts = play(seconds)
    first, playing = samples[0], sorted(samples)
    p50, p99 = (playing[int(len(playing) * share)] for share in (0.5, 0.99))
    tenths = " ".join(f"{samples[len(samples) * n // 10]:.0f}" for n in range(1, 10))
    print(f"evening: {acts} acts in {seconds:.0f} s; memory at first {first:.0f} MB, while playing p50 {p50:.0f},")
    print(f"evening: p99 {p99:.0f}, most {playing[-1]:.0f} MB; after each tenth {tenths}; at rest {rest:.0f} MB")
    return 0


def play(seconds: float) -> tuple[list[float], float, int]:
    """Random games for that long: memory in MB once a second, at rest afterwards, and how many acts there were."""
    _prepare()
    import psutil
    from kivy.base import runTouchApp, stopTouchApp
    from kivy.clock import Clock

    from companion.table.ports import Begin, Leave, Play, Reveal
    from companion.ui import memory
    from tests.ui.engine import House

    house = House()
    _root(house)
    memory.start()
    process, rng = psutil.Process(), Random(1)
    samples: list[float] = []
    acts = 0

    def megabytes() -> float:
        return float(process.memory_info().rss / 1e6)

    def act() -> None:
        table = house.engine._table
        if table is None:
            seats = tuple(rng.sample(SEATS, rng.randint(2, 4)))
            house.engine.serve(Begin("sir-holland", seats, {}, {}))
            return
        now = table.snapshot()
        if now.decision:
            house.engine.serve(Leave())
        else:
            house.engine.serve(Reveal() if now.held else Play(rng.choice(now.choices)))

    def talk() -> None:
        nonlocal acts
        end, due = time.monotonic() + seconds, time.monotonic() + 2
        while time.monotonic() < end:
            act()
            acts += 1
            if time.monotonic() > due:
                samples.append(megabytes())
                due += 1
            time.sleep(PACE)
        time.sleep(memory.PAUSE + 2)
        samples.append(megabytes())
        Clock.schedule_once(lambda dt: stopTouchApp())

    threading.Thread(target=talk, daemon=True).start()
    runTouchApp()
    return samples[:-1], samples[-1], acts


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
