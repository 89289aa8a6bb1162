"""The file of games itself: its tables, how it is made, looked through, and saved from when it is damaged.

Every row carries a sum over its values, because SQLite notices a damaged page but not a damaged number on it. Numbers
of pages that matter for salvage: the tables of the first step lie on the same pages in every file.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import stat
import struct
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.adapters import files
from companion.games.base import Message, msg, msgn

APPLICATION = 0x47525950
"""SQLite's application_id of our files."""
ABANDONED = "abandoned"

# latest: the higher, the later the game was played; a clock without a battery cannot tell
# finished: when the game was over, or ABANDONED; NULL while it is to be gone on with
_FIRST = """
CREATE TABLE cards (
    uid TEXT PRIMARY KEY, game TEXT NOT NULL, owner TEXT NOT NULL, card INTEGER NOT NULL, sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL, sum INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE games (
    number INTEGER PRIMARY KEY, game TEXT NOT NULL, names TEXT NOT NULL, started TEXT NOT NULL, finished TEXT,
    latest INTEGER NOT NULL, sum INTEGER NOT NULL
) STRICT;
CREATE TABLE entries (
    game INTEGER NOT NULL REFERENCES games, seq INTEGER NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL,
    time TEXT NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE aside (
    id INTEGER PRIMARY KEY, game INTEGER NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL,
    time TEXT NOT NULL, moved TEXT NOT NULL
) STRICT
"""
# what can be worked out from the entries anew, kept so that a long history opens at once
_OUTLINES = """
CREATE TABLE outlines (
    game INTEGER PRIMARY KEY REFERENCES games, seq INTEGER NOT NULL, names TEXT NOT NULL, round INTEGER NOT NULL,
    winner TEXT, sum INTEGER NOT NULL
) STRICT
"""
MIGRATIONS = [_FIRST, _OUTLINES]
"""Steps from an empty file to today's; user_version counts them. Released steps are never edited."""

PAGES_IN_LOG = 100
"""So many pages may wait in the write-ahead log: it stays small on a small disk, and is soon read after a crash."""

_PARTS = ("", "-wal", "-shm", "-journal")
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT, sqlite3.SQLITE_ERROR}
"""SQLITE_ERROR: a table or column is missing."""


def sum_of(*values: Any) -> int:
    """The sum that a row carries."""
    return zlib.crc32("\0".join(map(str, values)).encode("utf-8", "surrogatepass"))


# --- opening and making -----------------------------------------------------------------------------------------


def connect(path: Path) -> sqlite3.Connection:
    """A connection that writes: every commit is on the disk when it returns. The file has to exist."""
    db = _connect(path, "mode=rw")
    try:
        for pragma in (
            "synchronous = FULL",
            "foreign_keys = ON",
            f"wal_autocheckpoint = {PAGES_IN_LOG}",
            "journal_size_limit = 1048576",
        ):
            db.execute(f"PRAGMA {pragma}")
        migrate(db)
    except BaseException:
        db.close()
        raise
    return db


def look(path: Path) -> sqlite3.Connection:
    """A connection that only reads, also on a disk that cannot be written."""
    # where nobody has the file open and nothing waits beside it, nothing has to be made beside it either
    alone = not any(path.with_name(path.name + suffix).exists() for suffix in _PARTS[1:])
    db = _connect(path, "mode=ro&immutable=1" if alone else "mode=ro")
    try:
        db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.OperationalError:
        db.close()
        if _size(path.with_name(path.name + "-wal")):
            # part of it lies in the log, which cannot be read without writing
            raise
        db = _connect(path, "mode=ro&immutable=1")
    except sqlite3.Error:
        # damaged: what can be read is for the caller to find out
        pass
    return db


def _connect(path: Path, how: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?{how}"
    db = sqlite3.connect(uri, uri=True, timeout=1.0, isolation_level=None, check_same_thread=False)
    # a damaged letter must not hide the rest of the row; its sum tells
    db.text_factory = lambda raw: raw.decode("utf-8", "replace")
    return db


def migrate(db: sqlite3.Connection) -> None:
    """Bring the tables up to date, each step in a transaction of its own."""
    while _version(db) < len(MIGRATIONS):
        db.execute("BEGIN IMMEDIATE")
        try:
            # another program may have been faster
            version = _version(db)
            if version < len(MIGRATIONS):
                for statement in MIGRATIONS[version].split(";"):
                    db.execute(statement)
                db.execute(f"PRAGMA user_version = {version + 1}")
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise


def _version(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


@contextmanager
def _making(path: Path) -> Iterator[sqlite3.Connection]:
    """A new file, for nobody else to read, that carries its name only once it is whole and on the disk."""
    files.follow(path)
    make_folder(path.parent)
    part = path.with_name(path.name + ".part")
    for suffix in _PARTS:
        part.with_name(part.name + suffix).unlink(missing_ok=True)
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with closing(_connect(part, "mode=rw")) as db:
        db.execute("PRAGMA synchronous = FULL")
        db.execute(f"PRAGMA application_id = {APPLICATION}")
        migrate(db)
        yield db
        db.execute("PRAGMA journal_mode = WAL")
    part.replace(path)
    files.sync(path.parent)


def create(path: Path) -> None:
    """A new, empty file."""
    with _making(path):
        pass


def make_folder(folder: Path) -> None:
    """The folder and those above it, readable for their owner only: a journal holds locked cards."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    files.sync(folder.parent)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


# --- what went wrong, in words ----------------------------------------------------------------------------------


def why(error: Exception, path: Path) -> Message:
    """Why the file cannot be written or read, and what to do. Begins small: it stands after a colon."""
    if isinstance(error, OSError):
        return files.why(error, path)
    disk = files.state(path)
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL or disk == "full":
        return files.full()
    if disk == "read-only":
        return files.read_only()
    if code == sqlite3.SQLITE_READONLY:
        return _not_written(path)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return msg("another program is using the saved games. Close it; then it goes on by itself.")
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return _DAMAGED
    if code == sqlite3.SQLITE_CONSTRAINT:
        return msg("another program has gone on with this game. Leave the game and open it again.")
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return files.why(PermissionError(errno.EACCES, os.strerror(errno.EACCES)), path)
    name = getattr(error, "sqlite_errorname", None) or type(error).__name__
    return msg("the disk does not answer as it should ({error}). Check the card or the drive.", error=name)


def _not_written(path: Path) -> Message:
    """Why SQLite may only read, on a disk that can be written: something is somebody else's."""
    parts = [part for suffix in _PARTS if (part := path.with_name(path.name + suffix)).exists()]
    if not all(os.access(part, os.W_OK) for part in parts):
        return files.not_ours()
    if not os.access(path.parent, os.W_OK):
        return files.no_folder(path)
    return files.read_only()


_DAMAGED = msg("the file with the saved games is damaged. Start the companion anew: it keeps what can be read.")


# --- looking through --------------------------------------------------------------------------------------------


def trouble(path: Path) -> Message | None:
    """Why the file cannot be used as it lies there; None where it can, or where there is none yet. Writes nothing."""
    try:
        files.follow(path)
        if _fresh(path).exists():
            return _DAMAGED
        _size(path)  # raises where we may not look
        condition = _examine(path) if path.exists() else ""
    except (sqlite3.Error, OSError) as error:
        return why(error, path)
    if condition == "newer":
        return msg("it is of a newer companion, which this one cannot read. Bring the companion up to date.")
    return _DAMAGED if condition else None


def mend(path: Path) -> tuple[Message, ...]:
    """Make the file usable: new where there is none, saved from where it is damaged. Says so where it was.

    Raises sqlite3.Error or OSError where the disk does not let us; then nothing has been moved.
    """
    files.follow(path)
    fresh = _fresh(path)
    if fresh.exists():
        # the plug was pulled between setting the damaged file aside and putting the saved one in its place
        aside = _set_aside(path, "damaged") if path.exists() else None
        _put(fresh, path)
        return (_HELPED if aside is None else _saved_again(aside),)
    if not path.exists():
        create(path)
        return ()
    match _examine(path):
        case "newer":
            with _making(fresh):
                pass
            aside = _set_aside(path, "newer")
            _put(fresh, path)
            text = msg(
                "The saved games are those of a newer companion, which this one cannot read. They are kept in"
                ' "{file}". Bring the companion up to date to have them again.',
                file=aside.name,
            )
            return (text,)
        case "damaged":
            with _making(fresh) as db:
                found = _salvage(path, db)
            aside = _set_aside(path, "damaged")
            _put(fresh, path)
            return (found.message(aside.name),)
    return ()


_HELPED = msg("The file with the saved games was damaged. What could be read of it is here.")


def _saved_again(aside: Path) -> Message:
    return msg(
        'The file with the saved games was damaged. What could be read of it is here; the file is kept as "{file}".',
        file=aside.name,
    )


def _fresh(path: Path) -> Path:
    return path.with_name(path.name + ".fresh")


def _set_aside(path: Path, word: str) -> Path:
    """Rename the file with all that belongs to it; gives its new name, which nothing had before."""
    number = 1
    while any(path.parent.glob(f"{path.name}.{word}-{number}*")):
        number += 1
    aside = path.with_name(f"{path.name}.{word}-{number}")
    for suffix in _PARTS:
        if (part := path.with_name(path.name + suffix)).exists():
            part.rename(aside.with_name(aside.name + suffix))
    return aside


def _put(fresh: Path, path: Path) -> None:
    # a log of the old file must never meet the new one
    for suffix in _PARTS[1:]:
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    fresh.rename(path)
    files.sync(path.parent)


def _examine(path: Path) -> str:
    """`damaged`, `newer`, or nothing where all is well. Raises what does not tell, and for what is no file."""
    if not stat.S_ISREG(path.stat().st_mode):
        # a pipe would keep us waiting
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if _torn(path.with_name(path.name + "-wal")):
        return "damaged"
    try:
        with closing(look(path)) as db:
            if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
                return "damaged"
            if _version(db) > len(MIGRATIONS):
                return "newer"
            if db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                return "damaged"
            sound = all(_sound(db, table)[1] for table in ("cards", "settings", "games"))
            return "" if sound else "damaged"
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF in _DAMAGE:
            return "damaged"
        raise


_COLUMNS = {
    "cards": "uid, game, owner, card",
    "settings": "key, value",
    "games": "number, game, names, started",
}


def _sound(db: sqlite3.Connection, table: str) -> tuple[list[tuple[Any, ...]], bool]:
    """The rows of a table whose sum fits, and whether those are all."""
    rows, whole = _rows(db, f"SELECT {_COLUMNS[table]}, sum FROM {table}")  # noqa: S608  our own words
    good = [row[:-1] for row in rows if sum_of(*row[:-1]) == row[-1]]
    return good, whole and len(good) == len(rows)


def _rows(db: sqlite3.Connection, sql: str, *values: Any) -> tuple[list[tuple[Any, ...]], bool]:
    """Rows up to the first that cannot be read, and whether there was none."""
    rows: list[tuple[Any, ...]] = []
    try:
        for row in db.execute(sql, values):
            rows.append(row)  # noqa: PERF402  a list() would lose those before the bad one
    except sqlite3.Error:
        return rows, False
    return rows, True


def _torn(log: Path) -> bool:
    """Whether the write-ahead log holds more than SQLite will read of it: a bad page with a committed one behind it.

    SQLite ends at the first page whose sum is wrong and says nothing, as it must: the last write may have been cut off.
    """
    try:
        data = log.read_bytes()
    except FileNotFoundError:
        return False
    if len(data) <= 32:
        return False
    magic, _, size = struct.unpack(">III", data[:12])
    order = ">" if magic & 1 else "<"
    now = _log_sum(order, data[:24], (0, 0))
    if magic | 1 != 0x377F0683 or now != struct.unpack(">II", data[24:32]):
        return True
    bad = False
    for at in range(32, len(data) - 24 - size + 1, 24 + size):
        _, commits, *salt_and_sum = struct.unpack(">IIIIII", data[at : at + 24])
        if data[at + 8 : at + 16] != data[16:24]:
            # written before the log began anew
            break
        if not bad:
            now = _log_sum(order, data[at : at + 8], now)
            now = _log_sum(order, data[at + 24 : at + 24 + size], now)
            bad = now != tuple(salt_and_sum[2:])
        elif commits:
            return True
    return False


def _log_sum(order: str, data: bytes, start: tuple[int, int]) -> tuple[int, int]:
    """SQLite's sum over the pages of its log."""
    one, two = start
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two


# --- salvage ----------------------------------------------------------------------------------------------------


@dataclass
class _Found:
    """What was saved out of a damaged file."""

    cards: int = 0
    settings: int = 0
    games: int = 0
    lost: list[Message] = field(default_factory=list)

    def message(self, file: str) -> Message:
        """One sentence, more or less."""
        kept = [
            msgn("{n} card of the card box", "{n} cards of the card box", n=self.cards),
            msgn("{n} setting", "{n} settings", n=self.settings),
            msgn("{n} game", "{n} games", n=self.games),
        ]
        return msg(
            'The file with the saved games was damaged; it is kept as "{file}". Saved: {kept:message}.'
            " Lost: {lost:message}.",
            file=file, kept=_list(kept), lost=_list(self.lost) if self.lost else msg("nothing that we know of"),
        )  # fmt: skip


def _list(parts: list[Message]) -> Message:
    """Messages as one."""
    *firsts, last = parts
    if not firsts:
        return last
    text = firsts[0]
    for part in firsts[1:]:
        text = msg("{first:message}, {next:message}", first=text, next=part)
    return msg("{first:message} and {last:message}", first=text, last=last)


def _salvage(path: Path, new: sqlite3.Connection) -> _Found:
    """Copy what can be read: the card box first, then settings, then the games, each up to its first bad entry."""
    found = _Found()
    with closing(_source(path)) as old:
        new.execute("BEGIN")
        cards, all_cards = _both_ways(old, "cards", "uid")
        new.executemany("INSERT INTO cards VALUES (?, ?, ?, ?, ?)", [(*c, sum_of(*c)) for c in cards])
        settings, all_settings = _both_ways(old, "settings", "key")
        new.executemany("INSERT INTO settings VALUES (?, ?, ?)", [(*s, sum_of(*s)) for s in settings])
        games, all_games = _both_ways(old, "games", "number")
        cut = [number for number, *game in games if not _copy_game(old, new, number, game)]
        for row in _rows(old, "SELECT game, seq, kind, data, time, moved FROM aside")[0]:
            new.execute("INSERT INTO aside (game, seq, kind, data, time, moved) VALUES (?, ?, ?, ?, ?, ?)", row)
        new.execute("COMMIT")
    found.cards, found.settings, found.games = len(cards), len(settings), len(games)
    if not all_cards:
        found.lost.append(msg("cards of the card box (bind them again)"))
    if not all_settings:
        found.lost.append(msg("settings"))
    if not all_games:
        found.lost.append(msg("whole games"))
    if cut:
        found.lost.append(msgn("the end of {n} game", "the end of {n} games", n=len(cut)))
    elif _torn(path.with_name(path.name + "-wal")):
        found.lost.append(msg("what was done last"))
    return found


def _both_ways(old: sqlite3.Connection, table: str, key: str) -> tuple[list[tuple[Any, ...]], bool]:
    """The sound rows, read from the front and, where that does not reach the end, from the back as well."""
    rows, whole = _sound(old, table)
    if not whole:
        back, _ = _rows(old, f"SELECT {_COLUMNS[table]}, sum FROM {table} ORDER BY {key} DESC")  # noqa: S608  ours
        rows += [r[:-1] for r in back if sum_of(*r[:-1]) == r[-1] and r[:-1] not in rows]
    # a page that is found twice must not bring a key twice
    return list({row[0]: row for row in rows}.values()), whole


def _copy_game(old: sqlite3.Connection, new: sqlite3.Connection, number: int, game: list[Any]) -> bool:
    """Copy a game entry by entry up to the first bad one; whether there was none."""
    extra = _rows(old, "SELECT finished, latest FROM games WHERE number = ?", number)[0]
    finished, latest = extra[0] if extra else (None, 0)
    sql = "INSERT INTO games (number, game, names, started, finished, latest, sum) VALUES (?, ?, ?, ?, ?, ?, ?)"
    new.execute(sql, (number, *game, finished, latest, sum_of(number, *game)))
    rows, whole = _rows(
        old, "SELECT game, seq, kind, data, time, sum FROM entries WHERE game = ? ORDER BY seq", number
    )  # fmt: skip
    for expected, row in enumerate(rows, start=1):
        if row[1] != expected or sum_of(*row[:-1]) != row[-1]:
            return False
        new.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)", row)
    return whole and bool(rows)


def _source(path: Path) -> sqlite3.Connection:
    """The damaged file, opened so that as much as possible can be read."""
    db = look(path)
    try:
        # a file that was cut off is read as far as it goes
        db.execute("PRAGMA writable_schema = ON")
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        if {"cards", "settings", "games", "entries"} <= tables:
            return db
    except sqlite3.Error:
        pass
    db.close()
    return _with_new_head(path)


def _with_new_head(path: Path) -> sqlite3.Connection:
    """The file with the first page of an empty one, which says where the tables begin."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as empty:
        empty.executescript(_FIRST)
        head = empty.serialize()
    size = struct.unpack(">H", head[16:18])[0]
    data = bytearray(path.read_bytes())
    pages = -(-len(data) // size)
    data += bytes(max(pages * size, len(head)) - len(data))
    data[:size] = head[:size]
    # no log belongs to it; so many pages
    data[18:20] = b"\1\1"
    data[28:32] = struct.pack(">I", len(data) // size)
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.text_factory = lambda raw: raw.decode("utf-8", "replace")
    db.deserialize(bytes(data))
    db.execute("PRAGMA writable_schema = ON")
    return db
