"""A house in one thread: a real table, a journal in memory, announcements at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from companion.games import find_game
from companion.table.ports import (
    Begin,
    Bind,
    Change,
    Entry,
    Home,
    Leave,
    Outcome,
    Record,
    Resume,
    SayAgain,
    Status,
)
from companion.table.session import Table
from companion.ui.bridge import Bridge


class Memory:
    """A journal that forgets."""

    def __init__(self) -> None:
        self.games: list[tuple[str, Mapping[str, str], list[Entry]]] = []

    def begin(self, game: str, names: Mapping[str, str], entries: Sequence[Entry]) -> int:
        self.games.append((game, names, list(entries)))
        return len(self.games)

    def append(self, number: int, entries: Sequence[Entry]) -> None:
        self.games[number - 1][2].extend(entries)


class House:
    """Serves requests as they come. `sent` holds them all."""

    def __init__(self, seed: int = 1) -> None:
        self.bridge = Bridge(self.send)
        self.journal = Memory()
        self.rng = Random(seed)
        self.table: Table | None = None
        self.settings: dict[str, Any] = {}
        self.sent: list[Any] = []
        self.hold = False
        self.last: Any = None

    def say(self, what: Any) -> None:
        self.last = what
        self.bridge.announce(what)

    def open(self) -> None:
        self.say(self.home())

    def home(self) -> Home:
        saved, number = None, None
        if self.journal.games:
            game, names, entries = self.journal.games[-1]
            number = len(self.journal.games)
            saved = Table.resume(Record(number, game, names, tuple(entries)), self.journal).table.snapshot()
            if saved.view["phase"] == "over":
                saved, number = None, None
        return Home(saved, number, dict(self.settings), self.settings.get("last_names", {}))

    def send(self, request: Any) -> None:
        self.sent.append(request)
        if not self.hold:
            self.serve(request)

    def release(self) -> None:
        """Serve the last request, which was held up."""
        self.hold = False
        self.serve(self.sent[-1])

    def serve(self, request: Any) -> None:
        match request:
            case Begin(game_id, seats, names, options):
                game = find_game(game_id)
                assert game is not None
                self.table, outcome = Table.begin(game, self.journal, seats, options, names, self.rng)
                self.settings["last_names"] = dict(names)
                self.say(outcome)
            case Resume(number):
                game_id, names, entries = self.journal.games[number - 1]
                record = Record(number, game_id, names, tuple(entries))
                self.table = Table.resume(record, self.journal).table
                assert self.table is not None
                self.say(Outcome("done", self.table.snapshot()))
            case Leave():
                self.table = None
                self.open()
            case Change(settings):
                self.settings.update(settings)
                self.say(Status("settings", "setting", None, dict(self.settings)))
            case Bind(uid, _, _):
                self.say(Status(f"tag {uid}", "tag", None))
            case SayAgain():
                pass
            case _:
                if self.table is not None:
                    self.say(self.table.request(request))

    def begin(self, seats: Sequence[str], names: Mapping[str, str] | None = None, **options: Any) -> None:
        """Start a game without the screens for it."""
        self.send(Begin("sir-holland", tuple(seats), names or {}, options))

    def load(self, state: Mapping[str, Any], names: Mapping[str, str] | None = None, undo: bool = False) -> None:
        """Put the table into a position, as a referee would load it."""
        game = find_game("sir-holland")
        assert game is not None
        if self.table is None:
            self.table, _ = Table.begin(game, self.journal, state["seats"], {}, names or {}, self.rng)
        position = self.table._now
        from dataclasses import replace

        self.table._swap(replace(position, state=game.correct(position.state, state), held=None, steps=()))
        self.say(Outcome("done", self.table.snapshot()))
