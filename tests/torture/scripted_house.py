"""The whole program with a scripted hand: plays random legal choices for ever, and prints what it announced.

python -m tests.torture.scripted_house DATA SEED. One JSON line per announced outcome: game number, sequence number and
a check sum of the public state, printed after the announcement was handed on. Killed from outside, at any moment.
"""

from __future__ import annotations

import json
import os
import sys
import zlib
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

from companion import compose
from companion.config import Config, Screen
from companion.games.sir_holland import SirHolland
from companion.games.sir_holland.state import Unlock
from companion.table.ports import (
    MODES,
    Announcement,
    Begin,
    Change,
    Home,
    Outcome,
    Play,
    PutRight,
    Resume,
    Reveal,
    Snapshot,
    TakeBack,
)
from companion.table.ports import (
    Hand as HandOn,
)

SEATS = ("red", "blue", "green")


def check_sum(view: Any) -> int:
    """A number that differs when anything public differs."""
    return zlib.crc32(json.dumps(view, sort_keys=True).encode())


class Hand:
    """An announcer that answers each announcement with the next thing to do."""

    def __init__(self, house: compose.House, seed: int) -> None:
        self._house = house
        self._rng = Random(seed)

    def announce(self, what: Announcement) -> None:
        """Print it, then ask for the next."""
        engine = self._house.engine
        if isinstance(what, Home):
            if what.number is None:
                self._begin()
            else:
                engine.post(Resume(what.number))
        elif isinstance(what, Outcome):
            if what.kind == "done":
                assert engine._table is not None
                line = {"game": engine._table.number, "seq": what.now.seq, "view": check_sum(what.now.view)}
                print(json.dumps(line), flush=True)
            self._next(what.now)

    def _begin(self) -> None:
        self._house.engine.post(Begin(SirHolland.id, SEATS, {s: s for s in SEATS}, {}))

    def _next(self, now: Snapshot) -> None:
        rng, engine = self._rng, self._house.engine
        if now.view["phase"] == "over":
            self._begin()
        elif rng.random() < 0.02:
            engine.post(HandOn(rng.choice(SEATS), rng.choice(("", "Ana", "Bia"))))
        elif rng.random() < 0.02:
            engine.post(PutRight({"gryphon": rng.choice(SEATS)}))
        elif rng.random() < 0.02:
            engine.post(Change({"mode": rng.choice(MODES)}))
        elif now.held and rng.random() < 0.8:
            engine.post(Reveal(now.seen))
        elif now.view["locked"] and rng.random() < 0.2:
            engine.post(Play(Unlock(rng.choice(now.view["locked"])), now.seen))
        elif now.undo and rng.random() < 0.1:
            engine.post(TakeBack(None, agreed=True, seen=now.seen))
        elif now.choices:
            engine.post(Play(rng.choice(now.choices), now.seen))
        else:
            engine.post(Reveal(now.seen))


def main(data: Path, seed: int) -> None:
    """Run until killed."""
    os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")
    with ExitStack() as stack:
        house = compose.build(Config(screen=Screen(windowed=True)), data, "en", stack)
        house.engine.add(Hand(house, seed))
        house.start(stack)
        house.app.run()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
