"""From a tag on the fake chip's field to the engine's inbox, from the moment it counts to the gesture, and idle cost.

The firmware runs under MicroPython behind a pty, as `hardware/fakes.py` sets it up; the chip answers at once, so this
is all but the chip's own time. One clock starts when the tag is laid and stops when its signal is in the inbox; the
other starts when the tag has lain still for long enough and stops when the engine acts on it.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import psutil

SAMPLES = 300
IDLE = 20.0  # seconds
BOARD = "fa4e00000000b0a2"


def main() -> int:
    """Measure and print."""
    from companion.adapters.sqlite import open_store
    from companion.border import DWELL, Border
    from companion.engine import Engine
    from hardware.fakes import FakeBoard, python_for_boards
    from hardware.nfc import Readers
    from hardware.signals import Signal, TagOn

    if python_for_boards() == [sys.executable]:
        print("tags: no MicroPython here; the board runs under CPython")
    arrived: dict[str, float] = {}
    counted: list[float] = []
    news = threading.Condition()

    class Listening(Engine):
        """The engine, and when a gesture was in its inbox."""

        def hear(self, signal: Signal) -> None:
            super().hear(signal)
            if isinstance(signal, TagOn):
                with news:
                    arrived[signal.uid] = time.perf_counter()
                    news.notify_all()

        def _rest(self, at: float) -> None:
            counted.append((time.monotonic() - at) * 1000)
            super()._rest(at)

    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="gryphon-bench-"))
        store, _ = open_store(Path(folder) / "gryphon.sqlite3")
        stack.callback(store.close)
        board = stack.enter_context(FakeBoard(readers=4, board=BOARD))
        engine = Listening(store, Border({}))
        engine.start()
        stack.callback(engine.close)
        readers = stack.enter_context(Readers(engine.hear, [str(board.port)]))
        while not readers.boards():
            time.sleep(0.05)
        time.sleep(1)

        dice = random.Random(1)
        samples = []
        for n in range(SAMPLES):
            uid = f"04{n:06X}00C3D4"
            reader = n % 4
            time.sleep(dice.uniform(0.02, 0.06))  # anywhere between two looks
            laid = time.perf_counter()
            board.lay(reader, uid)
            with news:
                assert news.wait_for(lambda uid=uid: uid in arrived, 20), f"{uid} never came"
            samples.append((arrived[uid] - laid) * 1000)
            if reader == 3:
                time.sleep(1.5 * DWELL)  # this one comes to rest
            board.lift(reader)
            if reader == 3:
                time.sleep(1.0)  # gone for good, on all four
        samples.sort()
        p50, p95, p99 = (samples[int(len(samples) * share)] for share in (0.50, 0.95, 0.99))
        print(
            f"tags: laid down -> in the inbox, {len(samples)} samples: p50 {p50:.1f} ms, p95 {p95:.1f} ms, "
            f"p99 {p99:.1f} ms, max {samples[-1]:.1f} ms; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
        )

        counted.sort()
        p50, p95 = (counted[int(len(counted) * share)] for share in (0.50, 0.95))
        print(
            f"tags: has lain for {DWELL * 1000:.0f} ms -> acted on, {len(counted)} of {len(samples)} counted: "
            f"p50 {p50:.1f} ms, p95 {p95:.1f} ms, max {counted[-1]:.1f} ms"
        )

        us = psutil.Process()
        boards = [child for child in us.children() if "fake.py" in " ".join(child.cmdline())]
        for process in (us, *boards):
            process.cpu_percent()
        time.sleep(IDLE)
        mine = us.cpu_percent()
        theirs = sum(child.cpu_percent() for child in boards)
        print(f"tags: four idle readers cost the table {mine:.2f} % of a core (the fake board itself {theirs:.1f} %)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
