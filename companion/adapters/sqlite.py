"""What the house keeps on disk: games with their journals, the card box, the players' settings. One SQLite file.

What was committed is synced. Where the disk fails, NotSaved says why, nothing is written, and the next call tries anew.
After each commit the text copy beside the file follows (copies.py); it never holds up or undoes what was committed.
"""

from __future__ import annotations

import errno
import fcntl
import json
import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from companion.adapters import files, mending, mirror, open_file, sqlite_file
from companion.adapters.copies import CARDS, SETTINGS, Copies, Line
from companion.adapters.open_file import OpenFile
from companion.adapters.rows import FAULTS, NO_JSON, sum_of
from companion.adapters.sqlite_file import ABANDONED
from companion.games.base import Json, Message, msg
from companion.table.ports import Entry, NotSaved, Outline, Record, Saved

log = logging.getLogger(__name__)
T = TypeVar("T")

UNREADABLE = "unreadable"
"""The kind of an entry that is damaged; no table can replay it."""


def open_store(path: Path) -> tuple[Store, tuple[Message, ...]]:
    """The store in that file, and what there is to say about it: what was lost, or why nothing can be saved now.

    It always gives one. Where the disk fails, the store raises NotSaved until it can write.
    """
    store = Store(path)
    told: list[Message] = []
    try:
        make_ready(store, told.append)
    except NotSaved as error:
        told.append(msg("Games cannot be saved at the moment: {why:message}", why=error.reason))
    return store, tuple(told)


def make_ready(store: Store, tell: Callable[[Message], None]) -> None:
    """Take the file, mend it, and try to write. `tell` hears what was lost. Raises NotSaved where it cannot write."""
    # two programs that mend or make one file at the same time would take it from each other
    store.claim()
    try:
        for lost in mending.mend(store.path):
            tell(lost)
    except (*FAULTS, OSError) as error:
        log.warning("the file of games cannot be opened: %s", error)
        raise NotSaved(sqlite_file.why(error, store.path)) from error
    store.try_out()
    store.copy_all()


def look(path: Path) -> Store | None:
    """The store in that file, to read only; None where there is none yet. Raises NotSaved where it cannot be read."""
    if (reason := mending.trouble(path)) is not None:
        raise NotSaved(reason)
    return Store(path, only_looks=True) if path.exists() else None


def is_taken(path: Path) -> bool:
    """Whether another program has the file (see Store.claim). Writes nothing; where we may not look, nobody has.

    Not for a program that has claimed the file itself: it would lose it.
    """
    try:
        handle = os.open(_lock(path), os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.lockf(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        # where there are no locks nobody holds one; who opens the file to write says so
        return error.errno in files.HELD
    finally:
        os.close(handle)
    return False


def _lock(path: Path) -> Path:
    return path.with_name(path.name + ".lock")


class Store:
    """The journal of all games, the card box, the settings. `clock` gives the time in UTC.

    The file is opened when it is first needed, and again after a failure. Any thread may call. only_looks: nothing is
    made, mended or written, so that another program may have the file.
    """

    def __init__(
        self, path: Path, clock: Callable[[], datetime] = lambda: datetime.now(UTC), only_looks: bool = False
    ) -> None:
        self.path = path
        self._only_looks = only_looks
        self._clock = clock
        self._db: sqlite3.Connection | None = None
        self._lock = threading.RLock()
        self._claimed: int | None = None
        self._doubt: dict[int, int] = {}
        self._box: dict[str, tuple[str, int]] | None = None
        self._settings: dict[str, Json] | None = None
        self._file = OpenFile()
        self._copies: Copies | None = None
        self._to_copy: list[tuple[int | str, Sequence[Line] | None]] = []
        self._behind: set[int | str] = set()

    def close(self) -> None:
        """Put the file away."""
        with self._lock:
            self._drop()
            self._file = OpenFile()
            if self._claimed is not None:
                os.close(self._claimed)
                self._claimed = None

    def claim(self) -> None:
        """Take the file for this program alone, as long as it lives. Raises NotSaved where another one has it."""
        with self._lock:
            if self._claimed is not None:
                return
            try:
                files.follow(self.path)
            except OSError as error:
                raise NotSaved(files.why(error, self.path)) from error
            try:
                files.make_folder(self.path.parent)
                handle = os.open(_lock(self.path), os.O_RDWR | os.O_CREAT, 0o600)
            except OSError:
                # a disk that cannot be written needs no lock, and says so itself
                return
            try:
                # a lock of this process, which ends with it however it ends
                fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                os.close(handle)
                if error.errno not in files.HELD:
                    raise NotSaved(files.no_locks()) from error
                raise NotSaved(msg("another program is using the saved games. Close it.")) from error
            self._claimed = handle

    def try_out(self) -> None:
        """Write for real, and change nothing. Raises NotSaved."""
        with self._writing() as db:
            version = db.execute("PRAGMA user_version").fetchone()[0]
            db.execute(f"PRAGMA user_version = {version}")

    # --- the journal ----------------------------------------------------------------------------------------------

    def begin(self, game: str, names: Mapping[str, str], entries: Sequence[Entry]) -> int:
        """Start a game with its first entries, synced; gives its number. Raises NotSaved."""
        with self._writing() as db:
            number, latest = db.execute(
                "SELECT coalesce(max(number), 0) + 1, coalesce(max(latest), 0) + 1 FROM games"
            ).fetchone()
            row = (number, game, _dump(dict(names)), self._time())
            db.execute(
                "INSERT INTO games (number, game, names, started, latest, sum) VALUES (?, ?, ?, ?, ?, ?)",
                (*row, latest, sum_of(*row)),
            )
            self._add(db, number, entries)
            self._changed(db, int(number))
            self._committing(number, 0)
        return int(number)

    def bring(self, game: str, names: Mapping[str, str], entries: Sequence[Entry], started: str, state: str) -> int:
        """Take in a game that was played elsewhere: `open`, `over` or `abandoned`; gives its number. Raises NotSaved.

        It was not played here, so it comes after all others, also as the one to go on with.
        """
        with self._writing() as db:
            number = db.execute("SELECT coalesce(max(number), 0) + 1 FROM games").fetchone()[0]
            row = (number, game, _dump(dict(names)), started)
            finished = {"open": None, "abandoned": ABANDONED}.get(state, self._time())
            db.execute(
                "INSERT INTO games (number, game, names, started, finished, latest, sum) VALUES (?, ?, ?, ?, ?, 0, ?)",
                (*row, finished, sum_of(*row)),
            )
            self._add(db, number, entries)
            self._changed(db, int(number))
            self._committing(number, 0)
        return int(number)

    def append(self, number: int, entries: Sequence[Entry]) -> None:
        """All entries of one request in one synced transaction. Raises NotSaved; then nothing is written."""
        if not entries:
            return
        with self._writing() as db:
            _nobody_else_went_on(db, number, entries[0].seq)
            time = self._add(db, number, entries)
            # a game that goes on is not finished, and is the one to go on with next time
            moved = db.execute(
                "UPDATE games SET finished = NULL, latest = (SELECT max(latest) + 1 FROM games) WHERE number = ?"
                " AND (finished IS NOT NULL OR latest < (SELECT max(latest) FROM games))",
                (number,),
            )
            lines: list[Line] = [{"seq": e.seq, "kind": e.kind, "data": e.data, "time": time} for e in entries]
            self._changed(db, number, lines, counts=moved.rowcount > 0)
            self._committing(number, entries[0].seq)

    def _add(self, db: sqlite3.Connection, number: int, entries: Sequence[Entry]) -> str:
        time = self._time()
        for entry in entries:
            row = (number, entry.seq, entry.kind, _dump(entry.data), time)
            db.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)", (*row, sum_of(*row)))
        return time

    def finish(self, number: int) -> None:
        """The game is over; a later entry (a take-back) opens it again. Raises NotSaved."""
        with self._writing() as db:
            db.execute("UPDATE games SET finished = ? WHERE number = ? AND finished IS NULL", (self._time(), number))
            self._changed(db, number, [{}])

    def abandon(self, number: int) -> None:
        """The game will not be played to its end; a later entry opens it again. Raises NotSaved."""
        with self._writing() as db:
            if db.execute("SELECT 1 FROM games WHERE number = ?", (number,)).fetchone() is None:
                raise _no_such_game(number)
            db.execute("UPDATE games SET finished = ? WHERE number = ? AND finished IS NULL", (ABANDONED, number))
            self._changed(db, number, [{}])

    def take_up(self, number: int) -> None:
        """An abandoned game is to be gone on with. Raises NotSaved."""
        with self._writing() as db:
            db.execute("UPDATE games SET finished = NULL WHERE number = ? AND finished = ?", (number, ABANDONED))
            self._changed(db, number, [{}])

    def set_aside(self, number: int, entries: Sequence[Entry]) -> None:
        """Keep entries that cannot be replayed out of the way; nothing of them is lost. Raises NotSaved."""
        with self._writing() as db:
            for entry in entries:
                db.execute(
                    "INSERT INTO aside (game, seq, kind, data, time, moved)"
                    " SELECT game, seq, kind, data, time, ? FROM entries WHERE game = ? AND seq = ?",
                    (self._time(), number, entry.seq),
                )
                db.execute("DELETE FROM entries WHERE game = ? AND seq = ?", (number, entry.seq))
            # others may get their numbers
            db.execute("DELETE FROM outlines WHERE game = ?", (number,))
            self._changed(db, number)

    def games(self) -> list[Saved]:
        """All games, the one played last first. Raises NotSaved where the file cannot be read."""
        sql = (
            "SELECT number, game, started, finished, (SELECT coalesce(max(seq), 0) FROM entries WHERE game = number)"
            " FROM games ORDER BY latest DESC, number DESC"
        )
        rows, outlines = self._read(lambda db: (db.execute(sql).fetchall(), _outlines(db)))
        saved = []
        for number, game, started, finished, seq in rows:
            end = self._doubt.get(number, seq + 1)
            if end == 0:
                # its beginning was answered with NotSaved
                continue
            outline = outlines.get(number)
            known = outline if outline is not None and outline.seq == min(seq, end - 1) else None
            saved.append(Saved(number, game, started, finished == ABANDONED, known))
        return saved

    def keep(self, outlines: Sequence[Outline]) -> None:
        """Keep what was worked out for the list of games. Raises NotSaved."""
        rows = [(o.number, o.seq, _dump(dict(o.names)), o.round, o.winner) for o in outlines]
        with self._writing() as db:
            sql = "INSERT OR REPLACE INTO outlines VALUES (?, ?, ?, ?, ?, ?)"
            db.executemany(sql, [(*row, sum_of(*row)) for row in rows])

    def record(self, number: int) -> Record:
        """A game as it stands. A damaged entry has the kind `unreadable`. Raises NotSaved where it cannot be read."""
        record = self._read(lambda db: self._record(db, number))
        if record is None:
            raise _no_such_game(number)
        return record

    def last_unfinished(self) -> Record | None:
        """The game to go on with: the one played last, if it is not over. None where nothing can be read, too."""
        sql = "SELECT number FROM games WHERE finished IS NULL ORDER BY latest DESC, number DESC"

        def ask(db: sqlite3.Connection) -> Record | None:
            records = (self._record(db, number) for (number,) in db.execute(sql))
            return next((r for r in records if r is not None and r.entries), None)

        try:
            return self._read(ask)
        except NotSaved:
            return None

    # --- the card box and the settings ----------------------------------------------------------------------------

    def bind(self, uid: str, owner: str, card: int, game: str = "") -> None:
        """The tag belongs to that card from now on; `game` where a box of several games needs it. Raises NotSaved."""
        self.bind_all({uid: (owner, card)}, game)

    def bind_all(self, tags: Mapping[str, tuple[str, int]], game: str = "") -> None:
        """All these tags, UID -> owner and card, or none of them. Raises NotSaved; then none is bound."""
        rows = [(uid, game, owner, card) for uid, (owner, card) in tags.items()]
        with self._writing() as db:
            db.executemany("INSERT OR REPLACE INTO cards VALUES (?, ?, ?, ?, ?)", [(*r, sum_of(*r)) for r in rows])
            self._changed(db, CARDS)
        self._box = None

    def unbind(self, uid: str) -> None:
        """The tag belongs to no card. Raises NotSaved."""
        with self._writing() as db:
            db.execute("DELETE FROM cards WHERE uid = ?", (uid,))
            self._changed(db, CARDS)
        self._box = None

    def box(self) -> dict[str, tuple[str, int]]:
        """The card box: UID -> owner and card. Where nothing can be read it is empty; who only looks gets NotSaved."""
        if self._box is None:
            try:
                rows = self._read(lambda db: db.execute("SELECT uid, owner, card FROM cards ORDER BY uid").fetchall())
            except NotSaved:
                if self._only_looks:
                    raise
                return {}
            self._box = {uid: (owner, card) for uid, owner, card in rows}
        return dict(self._box)

    def settings(self) -> dict[str, Json]:
        """The players' settings. Where nothing can be read there are none; who only looks gets NotSaved."""
        if self._settings is None:
            try:
                rows = self._read(lambda db: db.execute("SELECT key, value FROM settings").fetchall())
            except NotSaved:
                if self._only_looks:
                    raise
                return {}
            self._settings = {}
            for key, value in rows:
                with suppress(*NO_JSON):
                    self._settings[key] = json.loads(value)
        return dict(self._settings)

    def change(self, settings: Mapping[str, Json]) -> None:
        """Change some settings. Raises NotSaved; then none is changed."""
        rows = [(key, _dump(value)) for key, value in settings.items()]
        with self._writing() as db:
            db.executemany("INSERT OR REPLACE INTO settings VALUES (?, ?, ?)", [(*r, sum_of(*r)) for r in rows])
            self._changed(db, SETTINGS)
        self._settings = None

    # --- the connection -------------------------------------------------------------------------------------------

    def _time(self) -> str:
        return self._clock().isoformat(timespec="milliseconds")

    def _open(self) -> sqlite3.Connection:
        if self._only_looks:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        if self._db is None:
            if not self.path.exists():
                if self._file.file is not None:
                    # it was there: another one in its place would hide it when it comes back
                    raise NotSaved(open_file.GONE)
                sqlite_file.create(self.path)
            self._use(sqlite_file.connect(self.path))
        assert self._db is not None
        return self._db

    def _use(self, db: sqlite3.Connection) -> None:
        """Go on with the file that the path leads to, opened."""
        self._db = db
        self._file = OpenFile(open_file.identity(self.path))
        self._copies = mirror.own_copies(db, self.path)

    def _drop(self) -> None:
        """Close the file; the next call opens it anew."""
        db, self._db = self._db, None
        if db is not None:
            with open_file.spared(self.path, self._file.log), suppress(*FAULTS):
                db.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it, synced, or NotSaved and nothing."""
        with self._lock:
            self.claim()
            self._to_copy = []
            try:
                self._find_again()
                db = self._open()
                db.execute("BEGIN IMMEDIATE")
                self._undo_doubtful(db)
                yield db
                self._still_here()
                db.execute("COMMIT")
                self._doubt = {}
            except NotSaved:
                # the file may be open still where it can no longer be found: then only this connection has it
                self._roll_back()
                raise
            except (*FAULTS, OSError) as error:
                log.warning("not saved: %s", error)
                reason = sqlite_file.why(error, self.path)
                self._drop()
                raise NotSaved(reason) from error
            except BaseException:
                self._drop()
                raise
            self._copy()

    def _roll_back(self) -> None:
        if self._db is not None and self._db.in_transaction:
            try:
                self._db.execute("ROLLBACK")
            except FAULTS:
                self._drop()

    # --- where the file is ----------------------------------------------------------------------------------------

    def _still_here(self) -> None:
        """Before a commit: the path leads to the file that is open. Raises NotSaved where it does not."""
        found = open_file.identity(self.path)
        if found == self._file.file and self._log_is_here():
            return
        self._file.lost = True
        raise NotSaved(open_file.GONE if found is None else open_file.ANOTHER)

    def _log_is_here(self) -> bool:
        found = open_file.identity(self.path.with_name(self.path.name + "-wal"))
        if self._file.log is None:
            # SQLite makes it for the first transaction
            self._file.log = found
        return found == self._file.log

    def _find_again(self) -> None:
        """Before a transaction: go on where the file, or its log, was moved or deleted. Raises NotSaved and FAULTS."""
        db, at = self._db, self._file
        if db is None:
            return
        found = open_file.identity(self.path)
        if found == at.file:
            at.lost = False
            if at.log is not None and not self._log_is_here():
                # what is in the log can still be read, by this connection alone
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                self._drop()
                # what lies in its place is no log of this file
                sqlite_file.set_aside(self.path, "damaged", ("-wal",))
            return
        reason = open_file.GONE if found is None else open_file.ANOTHER
        if not at.lost:
            # somebody may have put it elsewhere for a moment: it is told before anything is written to its place
            at.lost = True
            raise NotSaved(reason)
        try:
            if found is None and self.path.parent.is_dir():
                self._claim_anew()
                sqlite_file.write_out(db, self.path)
            elif found is None or self._log_is_here() or not open_file.has_all_of(self.path, db):
                # with our log beside it SQLite would read our games out of any file
                raise NotSaved(reason)
            else:
                self._claim_anew()
                # its log is taken in, so that there is none
                sqlite_file.connect(self.path).close()
        except (*FAULTS, OSError) as error:
            # this connection alone still has what was saved: it stays open
            raise NotSaved(sqlite_file.why(error, self.path) if found is None else reason) from error
        self._drop()
        self._use(sqlite_file.connect(self.path))
        self.copy_all()

    def _claim_anew(self) -> None:
        """The lock went away with the folder. Raises NotSaved."""
        if self._claimed is not None:
            os.close(self._claimed)
            self._claimed = None
        self.claim()

    # --- the text copies ------------------------------------------------------------------------------------------

    def copy_all(self) -> None:
        """Bring the text copies up to date: those that are missing, or that the plug was pulled before."""
        with self._lock:
            try:
                db = self._open()
                if self._copies is None:
                    return
                mirror.put_away(db, self._copies)
                known = mirror.ends(self._copies)
                self._to_copy = [(what, None) for what in mirror.not_copied(db, known)]
            except (*FAULTS, OSError, NotSaved) as error:
                log.warning("the copies were not looked through: %s", error)
                return
            self._copy()

    def _changed(
        self, db: sqlite3.Connection, what: int | str, lines: Sequence[Line] | None = None, counts: bool = True
    ) -> None:
        """Note what this transaction changes: a game (its number), CARDS or SETTINGS. Before the commit.

        lines: to append to the copy of the game, else it is written anew; counts: whether it is counted as a change.
        """
        if self._copies is None:
            return
        if counts:
            db.execute("UPDATE house SET changes = changes + 1")
        if isinstance(what, str):
            db.execute(f"UPDATE house SET {what} = changes")  # noqa: S608  our own words
        elif lines is not None:
            stands = mirror.stands(db, what)
            lines = [{**stands, **line} for line in lines]
        self._to_copy.append((what, lines))

    def _copy(self) -> None:
        """After the commit. What cannot be copied now is tried again after the next one."""
        db, copies = self._db, self._copies
        changed, self._to_copy = self._to_copy, []
        if db is None or copies is None:
            return
        late: list[tuple[int | str, Sequence[Line] | None]] = [(what, None) for what in self._behind]
        for what, lines in (*changed, *late):
            try:
                if isinstance(what, int) and lines is not None and what not in self._behind:
                    with suppress(OSError):
                        copies.add(what, lines)
                        continue
                mirror.copy(db, copies, what)
                self._behind.discard(what)
            except (*FAULTS, OSError) as error:
                log.warning("not copied: %s", error)
                copies.drop(what)
                self._behind.add(what)

    def _committing(self, number: int, seq: int) -> None:
        """Last thing before a commit. One that fails may be on the disk all the same, and come back after a crash."""
        self._doubt[number] = min(seq, self._doubt.get(number, seq))

    def _undo_doubtful(self, db: sqlite3.Connection) -> None:
        """Take away what was answered with NotSaved."""
        for number, seq in self._doubt.items():
            db.execute("DELETE FROM entries WHERE game = ? AND seq >= ?", (number, seq))
            db.execute("DELETE FROM games WHERE number = ? AND ? = 0", (number, seq))

    def _record(self, db: sqlite3.Connection, number: int) -> Record | None:
        game = db.execute("SELECT game, names FROM games WHERE number = ?", (number,)).fetchone()
        if game is None:
            return None
        sql = "SELECT game, seq, kind, data, time, sum FROM entries WHERE game = ? ORDER BY seq"
        entries = [_entry(row) for row in db.execute(sql, (number,))]
        end = self._doubt.get(number)
        return Record(number, game[0], _names(game[1]), tuple(e for e in entries if end is None or e.seq < end))

    def _read(self, ask: Callable[[sqlite3.Connection], T]) -> T:
        with self._lock:
            try:
                try:
                    db = self._open()
                except (*FAULTS, OSError):
                    # a disk that cannot be written may still be read
                    with closing(sqlite_file.look(self.path)) as db:
                        return ask(db)
                return ask(db)
            except (*FAULTS, OSError) as error:
                log.warning("not read: %s", error)
                reason = sqlite_file.why(error, self.path)
                self._drop()
                raise NotSaved(reason) from error


def _nobody_else_went_on(db: sqlite3.Connection, number: int, seq: int) -> None:
    """The game is there, and entry `seq` is not yet. Raises NotSaved."""
    if db.execute("SELECT 1 FROM games WHERE number = ?", (number,)).fetchone() is None:
        raise _no_such_game(number)
    if db.execute("SELECT 1 FROM entries WHERE game = ? AND seq = ?", (number, seq)).fetchone() is not None:
        raise NotSaved(msg("another program has gone on with this game. Leave the game and open it again."))


def _outlines(db: sqlite3.Connection) -> dict[int, Outline]:
    """What was kept, where its sum fits; nothing in a file of an earlier version on a disk that cannot be written."""
    try:
        rows = db.execute("SELECT game, seq, names, round, winner, sum FROM outlines").fetchall()
    except sqlite3.OperationalError:
        return {}
    return {
        number: Outline(number, seq, _names(names), round, winner)
        for number, seq, names, round, winner, total in rows
        if sum_of(number, seq, names, round, winner) == total
    }


def _no_such_game(number: int) -> NotSaved:
    return NotSaved(msg("there is no saved game number {n}.", n=number))


def _entry(row: tuple[Any, ...]) -> Entry:
    *values, total = row
    _, seq, kind, data, _ = values
    if sum_of(*values) == total:
        with suppress(*NO_JSON):
            return Entry(seq, kind, json.loads(data))
    return Entry(seq, UNREADABLE, None)


def _names(text: str) -> dict[str, str]:
    try:
        names = json.loads(text)
    except NO_JSON:
        return {}
    return names if isinstance(names, dict) else {}


def _dump(value: Json) -> str:
    return json.dumps(value, separators=(",", ":"))
