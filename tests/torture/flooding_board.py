"""A reader board on a pty, in a process of its own, that speaks the wire and floods when it is told to.

Prints the path of its port. Each line on its standard input is a kind of FLOODS and how often a second ("presses 200"),
or "quiet". Ends with its standard input.
"""

from __future__ import annotations

import os
import pty
import sys
import threading
import time
import tty
from collections.abc import Callable
from itertools import count

from firmware import wire

BOARD = "f100d00000000001"
UID, OTHER = "04A1B20000C3D4", "04FFEE0000C3D4"
Frames = list[tuple[object, ...]]
FLOODS: dict[str, Callable[[int], Frames]] = {
    "presses": lambda n: [("press", 0, n % 7 + 1), ("release", 0, n % 7 + 1)],
    "cards": lambda n: [("on", 0, UID), ("off", 0, UID), ("on", 0, OTHER), ("off", 0, OTHER)],
    "collisions": lambda n: [("collision", 0)],
    "health": lambda n: [("health", 0, "deaf"), ("health", 0, "ok")],
    "hello": lambda n: [("hello", f"{n % 65536:04X}", 1, "0.1.0", BOARD)],
    "rubbish": lambda n: [],
}


class Flooding:
    """The board. Frames of the flood are written as the far end takes them."""

    def __init__(self) -> None:
        self._near, far = pty.openpty()
        tty.setraw(far)
        self._far = far  # kept open, as a cable stays plugged in
        self.path = os.ttyname(far)
        self._lock = threading.Lock()
        self._seq = 0
        self.flood: tuple[str, int] | None = None
        for serve in (self._answer, self._beat, self._pour):
            threading.Thread(target=serve, daemon=True).start()

    def say(self, *frames: tuple[object, ...]) -> None:
        """These frames, one after another."""
        with self._lock:
            data = b""
            for kind, *args in frames:
                data += wire.encode(self._seq, str(kind), *map(str, args))
                self._seq = (self._seq + 1) % 256
            os.write(self._near, data)

    def _answer(self) -> None:
        decoder = wire.Decoder()
        while True:
            for seq, kind, args in decoder.feed(os.read(self._near, 4096)):
                if kind == "hello?":
                    self._seq = 0
                    self.say(
                        ("hello", args[0], 1, "0.1.0", BOARD), ("reader", 0, "pn532", "presence,light,sound"),
                        ("panel", 0, 7), ("ready", 1, 1),
                    )  # fmt: skip
                else:
                    self.say(("ack", f"{seq:02X}"))

    def _beat(self) -> None:
        for second in count(1):
            time.sleep(1)
            self.say(("beat", second, 100_000, 0))

    def _pour(self) -> None:
        """So many a second, in portions of a hundredth of a second."""
        for n in count():
            time.sleep(0.01)
            if (flood := self.flood) is None:
                continue
            kind, a_second = flood
            frames = [f for i in range(max(1, a_second // 100)) for f in FLOODS[kind](n * 1000 + i)]
            if kind == "rubbish":
                with self._lock:
                    os.write(self._near, b"\x00\xffno line of the wire\n" * max(1, a_second // 100))
            else:
                self.say(*frames)


def main() -> None:
    """See above."""
    board = Flooding()
    print(board.path, flush=True)
    for line in sys.stdin:
        kind, *a_second = line.split()
        board.flood = (kind, int(a_second[0])) if a_second else None


if __name__ == "__main__":
    main()
