"""The house of the screen tests: the real engine on a real store, without its thread, so that answers come at once."""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from companion.adapters.sqlite import Store, open_store
from companion.border import Border
from companion.engine import Engine
from companion.games import find_game
from companion.table.ports import Announcement, Begin, Outcome, Play, Shown
from companion.table.session import Table
from companion.ui.bridge import Bridge
from tests.table.table_kit import FAST


class Settings(dict[str, Any]):
    """The store's settings; setting one here writes it there."""

    def __init__(self, store: Store) -> None:
        super().__init__(store.settings())
        self._store = store

    def __setitem__(self, name: str, value: Any) -> None:
        self._store.change({name: value})
        super().__setitem__(name, value)


class House:
    """Serves requests as they come. `sent` holds what people asked, `last` is the last announcement.

    shown: the entries of which the screen says that people see what is held.
    """

    def __init__(self, seed: int = 1) -> None:
        self._folder = tempfile.TemporaryDirectory(dir=FAST, ignore_cleanup_errors=True)
        self.store, _ = open_store(Path(self._folder.name) / "games")
        self.pictures = Path(self._folder.name) / "pictures"
        weakref.finalize(self, self.store.close)
        self.bridge = Bridge(self.send)
        texts = Path(self._folder.name) / "texts"
        self.engine = Engine(self.store, Border(), [self], rng=Random(seed), folder=texts, pictures=self.pictures)
        self.sent: list[Any] = []
        self.shown: list[int] = []
        self.hold = False
        self.last: Any = None

    @property
    def table(self) -> Table | None:
        """The table that requests go to."""
        return self.engine._sandbox or self.engine._table

    @property
    def settings(self) -> Settings:
        """Those of the store; what is set here is as if it had been set on an earlier evening."""
        return Settings(self.store)

    def announce(self, what: Announcement) -> None:
        """The engine has something to say."""
        self.say(what)

    def say(self, what: Any) -> None:
        self.last = what
        self.bridge.announce(what)

    def open(self) -> None:
        """As after a start: nobody has sat down yet."""
        self.engine._table = None
        self.engine._open()

    def send(self, request: Any) -> None:
        if isinstance(request, Shown):
            self.shown.append(request.seq)
        else:
            self.sent.append(request)
        if not self.hold:
            self.engine.serve(request)

    def release(self) -> None:
        """Serve the last request, which was held up."""
        self.hold = False
        self.engine.serve(self.sent[-1])

    def begin(self, seats: Sequence[str], names: Mapping[str, str] | None = None, **options: Any) -> None:
        """Start a game without the screens for it."""
        self.send(Begin("sir-holland", tuple(seats), names or {}, options))

    def load(self, state: Mapping[str, Any], names: Mapping[str, str] | None = None, undo: bool = False) -> None:
        """Put the table into a position, as a referee would load it."""
        game = find_game("sir-holland")
        assert game is not None
        if self.table is None:
            table, _ = Table.begin(game, self.store, state["seats"], {}, names or {}, self.engine._rng)
            self.engine._set(table)
            self.engine._sit_down(table)
        assert self.table is not None
        position = self.table._now
        self.table._swap(replace(position, state=game.correct(position.state, state), held=None, last=None))
        self.say(Outcome("done", self.table.snapshot()))


def plays(house: House) -> list[Any]:
    """The choices that were asked of the table; questions are only heard."""
    return [r.choice for r in house.sent if isinstance(r, Play)]
