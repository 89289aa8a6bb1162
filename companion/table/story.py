"""A game told from its beginning, out of its journal. Pure; holds no secret choice, nor who made one when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from companion.games import find_game
from companion.games.base import Game, Json, Message, msg
from companion.table import telling
from companion.table.forgetful import Forgetful
from companion.table.ports import Entry, Outline, Record, Salvage, Scene, Story
from companion.table.session import Table


def tell(record: Record) -> Story:
    """The story of a game; what cannot be read is said in `lost`."""
    table, whole, aside = _open(record)
    if table is None:
        return Story(record.number, record.game, record.names, (), (_nothing_left(record),))
    teller = _Teller(table, record.names)
    for scene in _scenes(table.game, public(whole).entries):
        teller.take(scene)
    lost: tuple[Message, ...] = ()
    if aside:
        text = msg("The end of the game could not be read (entries: {n}). The story stops before it.", n=len(aside))
        lost = (text,)
    return Story(record.number, record.game, table.snapshot().names, tuple(teller.scenes), lost)


def acts(scenes: Sequence[Scene]) -> list[tuple[Mapping[str, Json], Scene]]:
    """The scenes that count, each with the view before it: a scene that was taken back is gone."""
    found: list[tuple[Mapping[str, Json], Scene]] = []
    for before, scene in pairwise(scenes):
        if scene.mark == "taken_back":
            if found:
                found.pop()
        elif scene.mark != "seat":
            found.append((before.view, scene))
    return found


def outline(record: Record) -> Outline:
    """The game in a line of the history."""
    table, _, _ = _open(record)
    seq = record.entries[-1].seq if record.entries else 0
    if table is None:
        return Outline(record.number, seq, record.names, 0)
    return outline_of(table, record.number, seq)


def outline_of(table: Table, number: int, seq: int) -> Outline:
    """The same for a table that is open. seq: of the last entry, also where that cannot be read."""
    now = table.snapshot()
    result = table.game.result(table.state_at(now.seq))
    return Outline(number, seq, now.names, now.view["round"], result.winners[0] if result else None)


def public(record: Record) -> Record:
    """The game without the locks of a running round. Who sat down at a seat meanwhile was never secret, and stays.

    Locks that were revealed, or dropped, are still among the entries, so these are for a table and not for people.
    Every entry has to be one that can be replayed. Entries keep their numbers.
    """
    game = find_game(record.game)
    assert game is not None
    running: int | None = None
    for at, entry in enumerate(record.entries):
        if entry.kind in ("step", "take_back", "put_right"):
            # the locks before it were revealed, or dropped
            running = None
        elif running is None and (entry.kind == "held" or _is_lock(game, entry)):
            running = at
    if running is None:
        return record
    seats = (entry for entry in record.entries[running:] if entry.kind == "seat")
    return replace(record, entries=(*record.entries[:running], *seats))


def branch(record: Record, seq: int) -> Table | None:
    """A what-if from the game as it stood after an entry, in a journal that forgets; None where there is nothing."""
    table, whole, _ = _open(replace(record, entries=tuple(e for e in record.entries if e.seq <= seq)))
    if table is None:
        return None
    kept = public(whole)
    # a table takes no gaps in the numbers, and nothing refers to the entries after the first lock
    entries = tuple(replace(entry, seq=at) for at, entry in enumerate(kept.entries, start=1))
    sandbox: Table | None = Table.resume(replace(kept, entries=entries), Forgetful()).table
    if sandbox is not None:
        sandbox.sandbox = True
    return sandbox


def _open(record: Record) -> tuple[Table | None, Record, tuple[Salvage, ...]]:
    """The table, the part of the record that can be replayed, and the rest."""
    replayed = Table.resume(record, Forgetful())
    whole = replace(record, entries=record.entries[: len(record.entries) - len(replayed.aside)])
    return replayed.table, whole, replayed.aside


def _nothing_left(record: Record) -> Message:
    if find_game(record.game) is None:
        return msg('There is no game called "{name}" here.', name=record.game)
    return msg("Game {n} cannot be opened: none of its entries can be read.", n=record.number)


def _is_lock(game: Game[Any, Any, Any], entry: Entry) -> bool:
    return entry.kind == "event" and game.commutes(game.event_from_json(entry.data))


def _scenes(game: Game[Any, Any, Any], entries: tuple[Entry, ...]) -> list[tuple[Entry, ...]]:
    """The entries of each request that is a scene of its own: all but the secret choices."""
    scenes: list[tuple[Entry, ...]] = []
    at = 0
    while at < len(entries):
        entry, end = entries[at], at + 1
        if entry.kind == "step":
            end += int(entry.data["events"])
        elif entry.kind == "held" or _is_lock(game, entry):
            at = end
            continue
        elif entry.kind == "event":
            # how the game was opened: no other event stands outside a step
            while end < len(entries) and entries[end].kind == "event" and not _is_lock(game, entries[end]):
                end += 1
        scenes.append(entries[at:end])
        at = end
    return scenes


class _Teller:
    """Tells scene after scene, and remembers what a take-back would undo, and who sits where."""

    def __init__(self, table: Table, names: Mapping[str, str]) -> None:
        self.scenes: list[Scene] = []
        self._table = table
        self._names = dict(names)
        self._can_be_undone: list[list[Message]] = []

    def take(self, entries: tuple[Entry, ...]) -> None:
        """The next scene."""
        game, first, last = self._table.game, entries[0], entries[-1]
        match first.kind:
            case "event" | "step":
                told, mark = self._played(entries), ""
            case "put_right":
                told = telling.put_right(game, self._table.state_at(first.seq - 1), first.data)
                mark = "stands" if first.data["refused"] is not None else "put_right"
            case "take_back":
                told, mark = [telling.taken_back(m) for m in self._can_be_undone.pop()[:1]], "taken_back"
            case _:
                told, mark = [self._handed(first.data)], "seat"
        if first.kind in ("step", "put_right"):
            self._can_be_undone.append(told)
        view = game.view(game.unlocked(self._table.state_at(last.seq)))
        events = tuple(game.event_to_json(game.event_from_json(e.data)) for e in entries if e.kind == "event")
        self.scenes.append(Scene(last.seq, view, tuple(told), mark, dict(self._names), events))

    def _played(self, entries: tuple[Entry, ...]) -> list[Message]:
        game, first, last = self._table.game, entries[0], entries[-1]
        events = [game.event_from_json(e.data) for e in entries if e.kind == "event"]
        opens = first.kind == "event"
        before = None if opens else self._table.state_at(first.seq)
        return game.tell(before, events, self._table.state_at(last.seq))

    def _handed(self, data: Json) -> Message:
        seat, name = data["seat"], data["name"]
        told = telling.handed(self._table.game, seat, self._names.pop(seat, None), name)
        if name:
            self._names[seat] = name
        return told
