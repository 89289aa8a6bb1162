"""A card that passes over a real reader board: our firmware behind a pty, the engine with its thread, a store."""

from __future__ import annotations

import queue
import time
from pathlib import Path
from random import Random
from typing import Any

from companion.adapters.sqlite import open_store
from companion.border import Border
from companion.engine import Engine
from companion.games.sir_holland import SirHolland
from companion.table.ports import Begin, Bind, Outcome, Status
from hardware.fakes import FakeBoard
from hardware.nfc import Readers
from tests.hardware.boards import settled

RED_6, RED_3 = "04A1B20000C306", "04A1B20000C303"
PASS = 0.08
"""Seconds over the reader: it sees the card, and would have locked it in."""


def test_a_card_that_is_carried_over_readers_is_nothing_and_the_one_that_lies_is_locked_in(tmp_path: Path) -> None:
    """Over one's own reader and over somebody else's, again and again; then another one is laid."""
    store, _ = open_store(tmp_path / "gryphon.sqlite3")
    heard: queue.SimpleQueue[Any] = queue.SimpleQueue()

    class Ears:
        def announce(self, what: Any) -> None:
            heard.put(what)

    clicks: list[str] = []

    class Lamps:
        def light(self, place: str, pattern: str) -> None:
            pass

        def sound(self, place: str, name: str) -> None:
            clicks.append(name)

    def outcome() -> Outcome:
        while not isinstance(what := heard.get(timeout=20), Outcome):
            pass
        return what

    with FakeBoard(readers=2) as board:
        border = Border({f"{board.board}/0": "red", f"{board.board}/1": "blue"})
        border.attach(readers=Lamps())
        engine = Engine(store, border, [Ears()], rng=Random(1))
        engine.start()
        with Readers(engine.hear, [str(board.port)]) as readers:
            settled(readers)
            for uid, card in ((RED_6, 6), (RED_3, 3)):
                engine.post(Bind(uid, "red", card))
            engine.post(Begin(SirHolland.id, ("red", "blue"), {}, {}))
            opened = outcome()
            for reader in (0, 1, 0):
                board.lay(reader, RED_6)
                time.sleep(PASS)
                board.lift(reader)
                time.sleep(1.0)
            board.lay(0, RED_3)
            locked = outcome()
            while heard.qsize():
                what = heard.get()
                assert not (isinstance(what, Status) and what.kind == "device" and what.message), what
        engine.close()
    assert clicks, "the board saw them pass"
    assert locked.now.seq == opened.now.seq + 1
    assert store.record(1).entries[-1].data["card"] == 3
    store.close()
