"""A board that floods while somebody plays by touch: the whole program with its window, in software rendering.

The board is a process of its own on a real pty. The clock starts when a touch's request is posted and stops when the
first frame that shows its outcome is drawn. Memory: resident, before and after. 5 seconds a flood; 40 with
GRYPHON_LONG. Goals: no answer takes longer than without a flood by 200 ms, memory is flat.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

import psutil

SECONDS = 40.0 if os.environ.get("GRYPHON_LONG") else 5.0
FLOODS = (None, ("presses", 10_000), ("presses", 200), ("presses", 50), ("cards", 10_000), ("rubbish", 10_000))


def main() -> None:
    """Measure and print."""
    os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")
    os.environ["KIVY_HOME"] = tempfile.mkdtemp(prefix="gryphon-bench-")
    logging.disable(logging.WARNING)
    from companion import compose
    from companion.config import Config, Readers, Screen
    from companion.games.sir_holland import SirHolland
    from companion.games.sir_holland.state import Lock
    from companion.table.ports import Begin, Change, Play
    from companion.ui.app import prepare

    with ExitStack() as stack:
        board = stack.enter_context(subprocess.Popen(
            [sys.executable, "-m", "tests.torture.flooding_board"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True,
        ))  # fmt: skip
        stack.callback(board.kill)
        assert board.stdout is not None and board.stdin is not None
        keys = board.stdin
        config = Config(screen=Screen(windowed=True), readers=Readers((board.stdout.readline().strip(),)))
        data = stack.enter_context(tempfile.TemporaryDirectory(prefix="gryphon-bench-"))
        house = compose.build(config, Path(data), "en", stack)
        prepare(**asdict(config.screen))
        from kivy.core.window import Window
        from kivy.graphics.opengl import glFinish

        drawn = threading.Event()
        wanted = 0

        def flipped(*_: object) -> None:
            glFinish()
            root = house.app._app.root
            if root.now is not None and root.now.seq >= wanted:
                drawn.set()

        def touch(card: int) -> float:
            nonlocal wanted
            now = house.app._app.root.now
            drawn.clear()
            wanted = now.seq + 1
            asked = time.perf_counter()
            house.engine.post(Play(Lock("blue", card), now.seen))
            assert drawn.wait(60), "it was never shown"
            return (time.perf_counter() - asked) * 1000

        def script() -> None:
            time.sleep(2)
            house.engine.post(Change({"hold": 3600, "voice": False}))
            house.engine.post(Begin(SirHolland.id, ("red", "blue", "green"), {"red": "Ana", "blue": "Bruno"}, {}))
            time.sleep(2)
            for n in range(20):
                touch(n % 6 + 1)
            for flood in FLOODS:
                print("quiet" if flood is None else "{} {}".format(*flood), file=keys, flush=True)
                before = psutil.Process().memory_info().rss
                samples = []
                until = time.monotonic() + SECONDS
                while time.monotonic() < until:
                    samples.append(touch(len(samples) % 6 + 1))
                    time.sleep(0.1)
                grown = (psutil.Process().memory_info().rss - before) / 1e6
                samples.sort()
                name = "no flood" if flood is None else "{} {}/s".format(*flood)
                print(
                    f"{name} for {SECONDS:.0f} s: touch -> frame, {len(samples)} samples: "
                    f"p50 {samples[len(samples) // 2]:.0f} ms, p95 {samples[int(len(samples) * 0.95)]:.0f} ms, "
                    f"max {samples[-1]:.0f} ms; {grown:+.1f} MB",
                    flush=True,
                )
                print("quiet", file=keys, flush=True)
                time.sleep(12)  # the board is looked at again after ten seconds
            house.app.stop()

        Window.bind(on_flip=flipped)
        house.start(stack)
        threading.Thread(target=script, daemon=True).start()
        house.app.run()


if __name__ == "__main__":
    main()
