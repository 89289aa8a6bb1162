"""A sound file of games out of a damaged one: from the rows that SQLite still reads, and from the text copy beside it.

What a whole copy holds is vouched for. Of everything else it is said that it may be lost.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.adapters import rows
from companion.adapters.copies import CARDS, MOST, SETTINGS, TABLES, Copies, GameCopy, Line
from companion.adapters.rows import COLUMNS, Row, sum_of
from companion.games.base import Message, msg, msgn

Entry = tuple[str, str, str]
"""kind, data (JSON) and time of an entry."""


@dataclass
class Found:
    """What was saved. lost: what certainly was not; perhaps: what may not have been, as nothing vouches for it."""

    cards: int = 0
    settings: int = 0
    games: int = 0
    lost: list[Message] = field(default_factory=list)
    perhaps: list[Message] = field(default_factory=list)

    @property
    def kept(self) -> Message:
        """How much of what was saved."""
        counted = (
            (self.cards, msgn("{n} card of the card box", "{n} cards of the card box", n=self.cards)),
            (self.settings, msgn("{n} setting", "{n} settings", n=self.settings)),
            (self.games, msgn("{n} game", "{n} games", n=self.games)),
        )
        # what there was none of is not told
        return _list([part for n, part in counted if n] or [msg("nothing")])

    def message(self, file: str) -> Message:
        """What became of the damaged file; `file`: the name that it is kept under, empty where it had gone."""
        if not file:
            return msg("The file with the saved games was gone. {rest:message}", rest=self._rest)
        return msg('The file with the saved games was damaged; it is kept as "{file}". {rest:message}',
                   file=file, rest=self._rest)  # fmt: skip

    @property
    def _rest(self) -> Message:
        kept = self.kept
        if self.lost and self.perhaps:
            return msg(
                "Saved: {kept:message}. Lost: {lost:message}. Perhaps lost: {perhaps:message}.",
                kept=kept, lost=_list(self.lost), perhaps=_list(self.perhaps),
            )  # fmt: skip
        if self.lost:
            return msg("Saved: {kept:message}. Lost: {lost:message}.", kept=kept, lost=_list(self.lost))
        if self.perhaps:
            return msg("Saved: {kept:message}. Perhaps lost: {perhaps:message}.",
                       kept=kept, perhaps=_list(self.perhaps))  # fmt: skip
        if not (self.cards or self.settings or self.games):
            return msg("Its copies are empty.")
        return msg("All that its copies hold is here again: {kept:message}.", kept=kept)


LOST_CARDS = msg("cards of the card box (bind them again)")
LOST_SETTINGS = msg("settings")
LOST_GAMES = msg("whole games")


def game_ends(n: int) -> Message:
    """The last acts of so many games."""
    return msgn("the end of {n} game", "the end of {n} games", n=n)


def _list(parts: Sequence[Message]) -> Message:
    """Messages as one."""
    *firsts, last = parts
    if not firsts:
        return last
    text = firsts[0]
    for part in firsts[1:]:
        text = msg("{first:message}, {next:message}", first=text, next=part)
    return msg("{first:message} and {last:message}", first=text, last=last)


@dataclass
class _Source:
    """What SQLite reads of a file, opened in several ways. Each row counts once; the first way that finds it wins.

    whole: the tables that the first way, which is the file with its log, reads to their end without a complaint.
    """

    rows: dict[str, dict[Any, Row]]
    whole: set[str]
    aside: list[Row]
    house: Row | None


def rebuild(ways: Iterable[sqlite3.Connection | None], copies: Copies | None, new: sqlite3.Connection) -> Found:
    """Fill the new, empty file from the damaged one and its copies. Raises what writing the new one raises.

    ways: the damaged file with its log; then any other way to open it; None where one does not open.
    """
    source = _read(ways, copies)
    found = Found()
    new.execute("BEGIN")
    found.cards = _table(source, copies, CARDS, (str, str, str, int), new, found, LOST_CARDS)
    found.settings = _table(source, copies, SETTINGS, (str, str), new, found, LOST_SETTINGS)
    _games(source, copies, new, found)
    # later than all that the file and the copies can know of
    changes = max([0, *(end["n"] for end in _ends(copies)), *(source.house[1:] if source.house else ())])
    for column in ("changes", *TABLES):
        new.execute(f"UPDATE house SET {column} = ?", (changes + 1,))  # noqa: S608  our own words
    if copies is not None:
        new.execute("UPDATE house SET id = ?", (copies.folder.name,))
    elif source.house is not None:
        new.execute("UPDATE house SET id = ?", source.house[:1])
    new.execute("COMMIT")
    return found


def _ends(copies: Copies | None) -> list[Line]:
    if copies is None:
        return []
    tables = [{"n": table.n} for name in TABLES if (table := copies.table(name)) is not None]
    return [*tables, *(end for number in copies.games() if (end := copies.end(number)) is not None)]


# --- the damaged file -------------------------------------------------------------------------------------------


def _read(ways: Iterable[sqlite3.Connection | None], copies: Copies | None) -> _Source:
    source = _Source({table: {} for table in COLUMNS}, set(), [], None)
    for n, db in enumerate(ways):
        if db is None:
            continue
        passes = n == 0 and _passes(db)
        for table in COLUMNS:
            more = ", finished, latest" if table == "games" else ""
            got, whole = rows.rescued(db, table, more)
            for row in got:
                source.rows[table].setdefault(row[:2] if table == "entries" else row[0], row)
            if whole and passes:
                source.whole.add(table)
        entries = source.rows["entries"]
        for number in {*source.rows["games"], *(copies.games() if copies else ())}:
            end = copies.end(number) if copies else None
            for row in rows.rescued_game(db, number, end["seq"] if end else 0):
                entries.setdefault(row[:2], row)
        if not source.aside:
            aside, _ = rows.until_fault(db, "SELECT game, seq, kind, data, time, moved FROM aside")
            source.aside = list(rows.typed(aside, int, int, str, str, str, str))
        if source.house is None:
            house, _ = rows.until_fault(db, f"SELECT id, changes, {', '.join(TABLES)} FROM house")  # noqa: S608
            source.house = next(
                (row for row in rows.typed(house, str, int, *[int] * len(TABLES)) if max(row[1:]) < MOST), None
            )
    return source


def _passes(db: sqlite3.Connection) -> bool:
    try:
        return bool(db.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok")
    except rows.FAULTS:
        return False


# --- cards and settings -----------------------------------------------------------------------------------------


def _table(
    source: _Source, copies: Copies | None, name: str, kinds: tuple[type, ...], new: sqlite3.Connection, found: Found,
    lost: Message,
) -> int:  # fmt: skip
    """The card box or the settings; gives how many."""
    copy = copies.table(name) if copies else None
    got = {row[0]: row for row in rows.typed(source.rows[name].values(), *kinds)}
    newest = source.house[2 + TABLES.index(name)] if source.house and name in source.whole else None
    if copy is not None and copy.whole and (newest is None or copy.n >= newest):
        kept = {row[0]: row for row in rows.typed(map(tuple, copy.rows), *kinds)}
    elif name in source.whole:
        kept = got
    else:
        kept = got | {row[0]: row for row in rows.typed(map(tuple, copy.rows if copy else ()), *kinds)}
        found.perhaps.append(lost)
    marks = ", ".join("?" * (len(kinds) + 1))
    new.executemany(
        f"INSERT INTO {name} VALUES ({marks})",  # noqa: S608  our own words
        [(*row, sum_of(*row)) for row in kept.values()],
    )
    return len(kept)


# --- games ------------------------------------------------------------------------------------------------------


def _games(source: _Source, copies: Copies | None, new: sqlite3.Connection, found: Found) -> None:
    numbers = {*source.rows["games"], *(copies.games() if copies else ())}
    numbers = {n for n in numbers if isinstance(n, int) and n > 0}
    numbers |= _part(source, copies, numbers)
    cut = doubtful = headless = 0
    for number in sorted(numbers):
        copy = copies.game(number) if copies else GameCopy(whole=False)
        head = _head(source.rows["games"].get(number), copy)
        entries, rest, vouched = _entries(source, copy, number)
        if head is None:
            # nobody knows any more which game it is, or who played
            headless += 1
            _put_aside(new, [(number, seq, *entry, entry[2]) for seq, entry in [*enumerate(entries, start=1), *rest]])
            continue
        new.execute(
            "INSERT INTO games (number, game, names, started, finished, latest, sum) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (number, *head, sum_of(number, *head[:3])),
        )
        for seq, entry in enumerate(entries, start=1):
            row = (number, seq, *entry)
            new.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)", (*row, sum_of(*row)))
        # behind a gap nothing can be replayed
        _put_aside(new, [(number, seq, *entry, entry[2]) for seq, entry in rest])
        found.games += 1
        cut += bool(rest) or not (entries or vouched)
        doubtful += bool(entries) and not rest and not vouched
    _aside(source, copies, new, numbers)
    if headless:
        found.lost.append(LOST_GAMES)
    elif "games" not in source.whole and (
        copies is None or copies.games() != list(range(1, max(numbers, default=0) + 1))
    ):
        found.perhaps.append(LOST_GAMES)
    if cut:
        found.lost.append(game_ends(cut))
    if doubtful:
        found.perhaps.append(game_ends(doubtful))


def _part(source: _Source, copies: Copies | None, numbers: Collection[int]) -> set[int]:
    """Give the file's game a number of its own where its copy holds another one; gives those numbers.

    So it is where two tables went on from one file of games, and the file of one lies beside the copies of the other: a
    mixture of the two would be neither. Only a table that SQLite reads whole can tell; on a damaged page old rows lie.
    """
    games, entries = source.rows["games"], source.rows["entries"]
    given: set[int] = set()
    if copies is None or "entries" not in source.whole:
        return given
    for number in sorted(numbers):
        copied = copies.game(number).entries
        rows = {seq: row for (game, seq), row in entries.items() if game == number}
        if all(_entry(copied[seq]) == row[2:] for seq, row in rows.items() if seq in copied):
            continue
        given.add(new := max((*numbers, *given)) + 1)
        if number in games:
            games[new] = (new, *games.pop(number)[1:])
        for seq, row in rows.items():
            entries[new, seq] = (new, *row[1:])
            del entries[number, seq]
    return given


def _head(row: Row | None, copy: GameCopy) -> Row | None:
    """Game, names (JSON), start, end and latest of a game; the copy knows best how it stood."""
    finished, latest = row[4:6] if row else (None, 0)
    if copy.last:
        finished, latest = copy.last.get("finished"), copy.last["latest"]
    if not isinstance(finished, str):
        finished = None
    if not isinstance(latest, int):
        latest = 0
    if row is not None:
        return (*row[1:4], finished, latest)
    if copy.head is None:
        return None
    head = (copy.head.get("game"), json.dumps(copy.head.get("names"), separators=(",", ":")), copy.head.get("started"))
    return (*head, finished, latest) if isinstance(head[0], str) and isinstance(head[2], str) else None


def _entries(source: _Source, copy: GameCopy, number: int) -> tuple[list[Entry], list[tuple[int, Entry]], bool]:
    """The entries of a game up to the first gap, those behind it, and whether something vouches that these are all."""
    known: dict[int, Entry] = {
        seq: row[2:] for (game, seq), row in source.rows["entries"].items() if game == number and isinstance(seq, int)
    }
    known |= {seq: _entry(line) for seq, line in copy.entries.items()}
    entries: list[Entry] = []
    while (entry := known.pop(len(entries) + 1, None)) is not None:
        entries.append(entry)
    vouched = (copy.whole and copy.last["seq"] <= len(entries)) or "entries" in source.whole
    return entries, sorted(known.items()), vouched


def _entry(line: Line) -> Entry:
    return line["kind"], json.dumps(line["data"], separators=(",", ":")), line["time"]


def _aside(source: _Source, copies: Copies | None, new: sqlite3.Connection, numbers: Iterable[int]) -> None:
    """What was set aside: out of the copies, and of the file where a game has none."""
    copied = set(copies.games()) if copies else set()
    _put_aside(new, [row for row in source.aside if row[0] not in copied])
    for number in numbers:
        if copies is not None and number in copied:
            aside = copies.game(number).aside
            _put_aside(new, [(number, line["aside"], *_entry(line), line["moved"]) for line in aside])


def _put_aside(new: sqlite3.Connection, aside: Iterable[Row]) -> None:
    new.executemany("INSERT INTO aside (game, seq, kind, data, time, moved) VALUES (?, ?, ?, ?, ?, ?)", aside)
