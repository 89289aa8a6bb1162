"""What is plugged in right now: the boards that greet, and why other ports are not in use, as soon as it is known."""

from __future__ import annotations

import os
import queue
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hardware.link import USUAL
from hardware.nfc import BoardInfo, Readers, plugged, standing
from hardware.signals import BoardReady, BoardRefused, Press, Signal, TagLying, TagOn

PATIENCE = USUAL.boot + 2.0
"""Seconds in which a board has greeted, also one that starts anew when its port is opened."""
BESIDES = 0.3
"""Seconds for what a board says after its greeting: which readers do not answer."""


@dataclass(frozen=True, slots=True)
class Silent:
    """A port on which nothing has greeted."""

    port: str


@dataclass(frozen=True, slots=True)
class Greeted:
    """A board that greets. `touched`: kind and name of its
    readers that saw a card while it was asked, and of its panels that were pressed.
    """

    board: BoardInfo
    touched: frozenset[tuple[str, str]]


def there(ports: Iterable[str] | None = None, adapters: Iterable[str] = ()) -> list[str]:
    """The ports and adapters (as for Readers) that are plugged in."""
    return sorted(plugged(ports, adapters)[1])


def offered(ports: Iterable[str] | None = None, adapters: Iterable[str] = ()) -> list[str]:
    """All other serial ports that are plugged in, each by a name that may stand in the configuration.

    They are looked for on USB, and in the folders of the ports and adapters (as for Readers) that are named.
    """
    named = (*(ports or ()), *adapters)
    used = {os.path.realpath(path) for path in there(named)}
    return [path for path in standing(named) if os.path.realpath(path) not in used]


def find(
    ports: Iterable[str] | None = None, adapters: Iterable[str] = (), seconds: float = PATIENCE
) -> Iterator[Greeted | BoardRefused | Silent]:
    """Ask all ports and adapters (as for Readers) who is there: each answers once. Ends once all have."""
    ports, adapters = None if ports is None else tuple(ports), tuple(adapters)
    left = there(ports, adapters)
    if not left:
        return
    heard: queue.SimpleQueue[Signal] = queue.SimpleQueue()
    greeted: dict[str, float] = {}  # board -> when it has said all
    touched: set[tuple[str, str]] = set()  # kind and name of readers and panels
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
                elif isinstance(signal, TagOn | TagLying):
                    touched.add(("reader", signal.reader))
                elif isinstance(signal, Press):
                    touched.add(("panel", signal.panel))
            for board in readers.boards():
                if time.monotonic() >= greeted.get(board.board, float("inf")):
                    del greeted[board.board]
                    if board.port in left:
                        left.remove(board.port)
                        yield Greeted(board, _of(board, touched))
    yield from map(Silent, left)


def _of(board: BoardInfo, touched: set[tuple[str, str]]) -> frozenset[tuple[str, str]]:
    mine = {*(("reader", reader.reader) for reader in board.readers), *(("panel", panel) for panel in board.panels)}
    return frozenset(touched & mine)
