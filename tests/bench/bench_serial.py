"""From a laid card to the changed frame on the screen: the whole program, on a real pty.

A board of our own writes `on` frames; the clock starts when the last byte of a frame was written and stops when the
first frame that shows the new state is drawn (glFinish), in software rendering. A card counts once it has lain still
for DWELL seconds; goal: p95 under 60 ms from then on.
"""

from __future__ import annotations

import logging
import os
import pty
import tempfile
import threading
import time
import tty
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

SAMPLES = 200
BOARD = "bec0000000000001"
SEATS = ("red", "blue")
UID = "04A1B20000C304"


class Board:
    """The far end of a pty that speaks the wire; `on` and `off` as told."""

    def __init__(self) -> None:
        from firmware import wire

        self._wire = wire
        self._near, far = pty.openpty()
        tty.setraw(far)
        self.path = os.ttyname(far)
        self._far = far
        self._seq = 0
        self._lock = threading.Lock()
        threading.Thread(target=self._serve, daemon=True).start()
        threading.Thread(target=self._beat, daemon=True).start()

    def send(self, kind: str, *args: object) -> float:
        """Write one frame; the time when its last byte was written."""
        with self._lock:
            os.write(self._near, self._wire.encode(self._seq, kind, *map(str, args)))
            self._seq = (self._seq + 1) % 256
            return time.perf_counter()

    def _serve(self) -> None:
        decoder = self._wire.Decoder()
        while True:
            for seq, kind, args in decoder.feed(os.read(self._near, 4096)):
                if kind == "hello?":
                    self._seq = 0
                    self.send("hello", args[0], 1, "0.1.0", BOARD)
                    self.send("reader", 0, "pn532", "presence,light,sound")
                    self.send("ready", 1, 0)
                else:
                    self.send("ack", f"{seq:02X}")

    def _beat(self) -> None:
        for second in range(1, 10_000):
            time.sleep(1)
            self.send("beat", second, 100_000, 0)


def main() -> None:
    """Measure and print."""
    os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")
    os.environ["KIVY_HOME"] = tempfile.mkdtemp(prefix="gryphon-bench-")
    logging.disable(logging.WARNING)
    from companion import compose
    from companion.border import DWELL
    from companion.config import Config, Readers, Screen
    from companion.games.sir_holland import SirHolland
    from companion.games.sir_holland.state import Unlock
    from companion.table.ports import Begin, Bind, Play
    from companion.ui.app import prepare

    board = Board()
    config = Config(screen=Screen(windowed=True), readers=Readers((board.path,)))
    samples: list[float] = []
    with ExitStack() as stack:
        data = stack.enter_context(tempfile.TemporaryDirectory(prefix="gryphon-bench-"))
        house = compose.build(config, Path(data), "en", stack)
        # as the app does before it opens its window; Kivy reads these settings once
        prepare(**asdict(config.screen))
        from kivy.core.window import Window
        from kivy.graphics.opengl import glFinish

        shown = threading.Event()
        wanted = 0
        drawn = 0.0

        def flipped(*_: object) -> None:
            nonlocal drawn
            root = house.app._app.root
            # a display swaps its buffers here; without one nothing would make the software finish this frame
            glFinish()
            if root.now is not None and root.now.seq >= wanted and not shown.is_set():
                drawn = time.perf_counter()
                shown.set()

        def await_seq(seq: int) -> None:
            nonlocal wanted
            shown.clear()
            wanted = seq
            assert shown.wait(20), f"entry {seq} was never shown"

        def script() -> None:
            nonlocal wanted
            time.sleep(2)
            engine = house.engine
            engine.post(Bind(UID, "red", 4))
            engine.post(Begin(SirHolland.id, SEATS, {"red": "Ana", "blue": "Bruno"}, {}))
            await_seq(1)
            time.sleep(1)
            seq = 1
            for _ in range(SAMPLES):
                shown.clear()
                seq += 1
                wanted = seq
                sent = board.send("on", 0, UID)
                assert shown.wait(20)
                samples.append((drawn - sent) * 1000)
                board.send("off", 0, UID)
                seq += 1
                root = house.app._app.root
                engine.post(Play(Unlock("red"), root.now.seen))
                await_seq(seq)
                # longer than the window in which an `off` followed by an `on` counts as a flicker
                time.sleep(0.45)
            house.app.stop()

        Window.bind(on_flip=flipped)
        house.start(stack)
        threading.Thread(target=script, daemon=True).start()
        house.app.run()
    samples.sort()
    p50, p95, p99 = (samples[int(len(samples) * q)] for q in (0.5, 0.95, 0.99))
    for what, less in (("last serial byte -> changed frame", 0.0), ("the card counts -> changed frame", DWELL * 1000)):
        print(
            f"{what}, {len(samples)} samples: p50 {p50 - less:.1f} ms, p95 {p95 - less:.1f} ms, "
            f"p99 {p99 - less:.1f} ms, max {samples[-1] - less:.1f} ms" + " (goal: p95 under 60 ms)" * (less > 0)
        )


if __name__ == "__main__":
    main()
