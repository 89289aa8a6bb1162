"""What is plugged in right now: the boards that greet, and why other ports are not in use, as soon as it is known."""

from __future__ import annotations

import queue
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hardware.link import USUAL
from hardware.nfc import BoardInfo, Readers, plugged
from hardware.signals import BoardReady, BoardRefused, Signal

PATIENCE = USUAL.boot + 2.0
"""Seconds in which a board has greeted, also one that starts anew when its port is opened."""
BESIDES = 0.3
"""Seconds for what a board says after its greeting: which readers do not answer."""


@dataclass(frozen=True, slots=True)
class Silent:
    """A port on which nothing has greeted."""

    port: str


def there(ports: Iterable[str] | None = None, adapters: Iterable[str] = ()) -> list[str]:
    """The ports and adapters (as for Readers) that are plugged in."""
    return sorted(plugged(ports, adapters)[1])


def find(
    ports: Iterable[str] | None = None, adapters: Iterable[str] = (), seconds: float = PATIENCE
) -> Iterator[BoardInfo | BoardRefused | Silent]:
    """Ask all ports and adapters (as for Readers) who is there: each answers once. Ends once all have."""
    ports, adapters = None if ports is None else tuple(ports), tuple(adapters)
    left = there(ports, adapters)
    if not left:
        return
    heard: queue.SimpleQueue[Signal] = queue.SimpleQueue()
    greeted: dict[str, float] = {}  # board -> when it has said all
    until = time.monotonic() + seconds
    with Readers(heard.put, ports, adapters=adapters) as readers:
        while left and (time.monotonic() < until or greeted):
            try:
                signal = heard.get(timeout=0.05)
            except queue.Empty:
                pass
            else:
                if isinstance(signal, BoardReady):
                    greeted[signal.board] = time.monotonic() + BESIDES
                elif isinstance(signal, BoardRefused) and signal.port in left:
                    left.remove(signal.port)
                    yield signal
            for board in readers.boards():
                if time.monotonic() >= greeted.get(board.board, float("inf")):
                    del greeted[board.board]
                    if board.port in left:
                        left.remove(board.port)
                        yield board
    yield from map(Silent, left)
