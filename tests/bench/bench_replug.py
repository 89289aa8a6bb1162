"""Unplugging and plugging in again: how soon a board is usable, and what it costs while it is gone.

Boards of our own on real ptys, each time under another name: 200 rounds, 1,000 with GRYPHON_LONG. Then CPU while a
board that was there is gone, and CPU with four readers of the real firmware (under MicroPython) that see nothing.
Goals: none lost, link-lost within 1 s, usable within 5 s, 0 % while gone.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import psutil

from hardware.fake_pins import FakePanels
from hardware.fakes import FakeBoard
from hardware.nfc import Readers
from hardware.panel import Panels
from tests.hardware.boards import UID, ScriptedBoard

ROUNDS = 1000 if os.environ.get("GRYPHON_LONG") else 200
PATIENCE = 20.0


class Inbox:
    """Takes signals with their times."""

    def __init__(self) -> None:
        self.told: list[tuple[float, Any]] = []
        self._news = threading.Condition()

    def __call__(self, signal: Any) -> None:
        with self._news:
            self.told.append((time.perf_counter(), signal))
            self._news.notify_all()

    def wait(self, name: str, since: float) -> float | None:
        """When the first such signal after that moment came; None where none did."""

        def found() -> float | None:
            return next((at for at, signal in self.told if at >= since and signal.name == name), None)

        with self._news:
            self._news.wait_for(found, PATIENCE)
            at = found()
            self.told.clear()
            return at


def centiles(seconds: list[float]) -> str:
    """p50, p99 and the worst, in ms."""
    ordered = sorted(seconds)
    p50, p99 = (ordered[int(len(ordered) * q)] * 1000 for q in (0.5, 0.99))
    return f"p50 {p50:.0f} ms, p99 {p99:.0f} ms, max {ordered[-1] * 1000:.0f} ms"


def cpu(processes: list[psutil.Process], seconds: float = 10.0) -> float:
    """Per cent of one core that these take together."""
    before = sum(sum(p.cpu_times()[:2]) for p in processes)
    time.sleep(seconds)
    return 100 * (sum(sum(p.cpu_times()[:2]) for p in processes) - before) / seconds


def replug(folder: Path) -> int:
    """The rounds; how many boards were lost."""
    inbox, lost = Inbox(), 0
    ready: list[float] = []
    gone: list[float] = []
    with Readers(inbox, [str(folder / "tty*")]):
        for n in range(ROUNDS):
            plugged = time.perf_counter()
            board = ScriptedBoard(folder / f"tty{n % 7}")
            at = inbox.wait("board-ready", plugged)
            if at is None:
                lost += 1
            else:
                ready.append(at - plugged)
            board.say("on", 0, UID)
            board._going = False
            board._thread.join()
            unplugged = time.perf_counter()
            board.unplug()
            at = inbox.wait("link-lost", unplugged)
            if at is None:
                lost += 1
            else:
                gone.append(at - unplugged)
        print(f"{ROUNDS} unplug/replug rounds, {lost} lost")
        print(f"plugged in -> board-ready: {centiles(ready)} (goal: under 5,000 ms)")
        print(f"unplugged -> link-lost: {centiles(gone)} (goal: under 1,000 ms)")
        print(f"CPU while the board is gone: {cpu([psutil.Process()]):.2f} % of a core (goal: 0 %)")
    return lost


def restart(folder: Path) -> None:
    """The real firmware, started anew at each plug."""
    inbox = Inbox()
    ready: list[float] = []
    with Readers(inbox, [str(folder / "real")]), FakeBoard(folder / "real", readers=4) as board:
        inbox.wait("board-ready", 0.0)
        for _ in range(30):
            board.unplug()
            inbox.wait("link-lost", 0.0)
            plugged = time.perf_counter()
            board.plug()
            at = inbox.wait("board-ready", plugged)
            ready.append((at or plugged + PATIENCE) - plugged)
    print(f"the real firmware, plugged in -> board-ready: {centiles(ready)} (goal: under 5,000 ms)")


def idle(folder: Path) -> None:
    """CPU of the table's side and of the board with four readers; of four panels on mock pins."""
    us = psutil.Process()
    with Readers(Inbox(), [str(folder / "board")]), FakeBoard(folder / "board", readers=4):
        time.sleep(3)
        print(f"CPU of the table's side, one board with four idle readers: {cpu([us]):.2f} % of a core")
        board = us.children()
        print(f"CPU of that board's firmware and fake chips, on this machine: {cpu(board):.1f} % of a core")
    fake = FakePanels()
    with Panels(Inbox(), fake.wiring, pin_factory=fake.factory):
        print(f"CPU of four idle panels on mock pins (a matrix): {cpu([us]):.1f} % of a core")


def main() -> int:
    """Measure and print; 1 if a board was lost."""
    with tempfile.TemporaryDirectory(prefix="gryphon-bench-") as folder:
        lost = replug(Path(folder))
        restart(Path(folder))
        idle(Path(folder))
    return int(lost > 0)


if __name__ == "__main__":
    sys.exit(main())
