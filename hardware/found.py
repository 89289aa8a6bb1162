"""What is plugged in right now: ports, the boards that greet on them, and why the others are not in use."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass

from hardware.nfc import BoardInfo, Readers, plugged
from hardware.signals import BoardReady, BoardRefused, Signal

PATIENCE = 5.0
"""Seconds in which a board has greeted, also one that had to be asked several times."""
BESIDES = 0.3
"""Seconds for what a board says after its greeting: which readers do not answer."""


@dataclass(frozen=True, slots=True)
class Found:
    """All that was there. refused: what cannot be used, and why; silent: ports on which nothing has greeted."""

    ports: tuple[str, ...]
    boards: tuple[BoardInfo, ...]
    refused: tuple[BoardRefused, ...]
    silent: tuple[str, ...]


def find(ports: Iterable[str] | None = None, adapters: Iterable[str] = (), seconds: float = PATIENCE) -> Found:
    """Ask all ports and adapters (as for Readers) who is there. Returns once all have answered."""
    ports, adapters = None if ports is None else tuple(ports), tuple(adapters)
    there = tuple(sorted(plugged(ports, adapters)[1]))
    if not there:
        return Found((), (), (), ())
    news = threading.Condition()
    heard: list[Signal] = []

    def hear(signal: Signal) -> None:
        with news:
            heard.append(signal)
            news.notify()

    def refused() -> dict[str, BoardRefused]:
        return {signal.port: signal for signal in heard if isinstance(signal, BoardRefused)}

    until = time.monotonic() + seconds
    with Readers(hear, ports, adapters=adapters) as readers:
        while True:
            boards = [board for board in readers.boards() if board.port]
            answered = {board.port for board in boards} | set(refused())
            ready = sum(isinstance(signal, BoardReady) for signal in heard)
            left = until - time.monotonic()
            if left <= 0 or (answered >= set(there) and ready >= len(boards)):
                break
            with news:
                news.wait(min(left, 0.1))
        if boards:
            time.sleep(BESIDES)
            boards = [board for board in readers.boards() if board.port]
    silent = tuple(path for path in there if path not in answered)
    return Found(there, tuple(boards), tuple(refused().values()), silent)
