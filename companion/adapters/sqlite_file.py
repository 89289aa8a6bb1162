"""The file of games itself: its tables, how it is made, opened, looked through, and made anew when it is damaged."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from companion.adapters import files
from companion.adapters.rows import FAULTS
from companion.games.base import Message, msg

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
# one row. id: names the folder of the text copies; changes: counts all writes but the entries of a game that goes on;
# cards, settings: the number of their last change
_HOUSE = """
CREATE TABLE house (
    id TEXT NOT NULL, changes INTEGER NOT NULL, cards INTEGER NOT NULL, settings INTEGER NOT NULL
) STRICT;
INSERT INTO house VALUES (lower(hex(randomblob(4))), 0, 0, 0)
"""
MIGRATIONS = [_FIRST, _OUTLINES, _HOUSE]
"""Steps from an empty file to today's; user_version counts them. Released steps are never edited."""
WITH_HOUSE = 3
"""The first version that has text copies."""

PAGES_IN_LOG = 100
"""So many pages may wait in the write-ahead log: it stays small on a small disk, and is soon read after a crash."""

PARTS = ("", "-wal", "-shm", "-journal")
UNCLEAR = {
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_INTERRUPT,
}  # fmt: skip
"""What SQLite says where the disk or another program is in the way. All else that it says of a file is damage."""
UNREADABLE = {sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS}
"""A part of the disk that cannot be read any more."""
_UNLOCKABLE = {
    sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_IOERR_LOCK, sqlite3.SQLITE_IOERR_RDLOCK, sqlite3.SQLITE_IOERR_UNLOCK,
    sqlite3.SQLITE_IOERR_CHECKRESERVEDLOCK, sqlite3.SQLITE_IOERR_SHMLOCK, sqlite3.SQLITE_IOERR_SHMMAP,
    sqlite3.SQLITE_IOERR_SHMOPEN,
}  # fmt: skip


# --- opening and making -----------------------------------------------------------------------------------------


def connect(path: Path) -> sqlite3.Connection:
    """A connection that writes: every commit is on the disk when it returns. The file has to exist."""
    db = opened(path, "mode=rw")
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
    alone = not any(path.with_name(path.name + suffix).exists() for suffix in PARTS[1:])
    db = opened(path, "mode=ro&immutable=1" if alone else "mode=ro")
    try:
        db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.OperationalError:
        db.close()
        if size(path.with_name(path.name + "-wal")):
            # part of it lies in the log, which cannot be read without writing
            raise
        db = opened(path, "mode=ro&immutable=1")
    except FAULTS:
        # damaged: what can be read is for the caller to find out
        pass
    return db


def opened(path: Path, how: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?{how}"
    db = sqlite3.connect(uri, uri=True, timeout=1.0, isolation_level=None, check_same_thread=False)
    db.text_factory = readable
    return db


def readable(raw: bytes) -> str:
    """A damaged letter must not hide the rest of the row; its checksum tells."""
    return raw.decode("utf-8", "replace")


def migrate(db: sqlite3.Connection) -> None:
    """Bring the tables up to date, each step in a transaction of its own."""
    while version_of(db) < len(MIGRATIONS):
        db.execute("BEGIN IMMEDIATE")
        try:
            # another program may have been faster
            version = version_of(db)
            if version < len(MIGRATIONS):
                for statement in MIGRATIONS[version].split(";"):
                    db.execute(statement)
                db.execute(f"PRAGMA user_version = {version + 1}")
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise


def version_of(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


@contextmanager
def making(path: Path) -> Iterator[sqlite3.Connection]:
    """A new file, for nobody else to read, that carries its name only once it is whole and on the disk."""
    files.follow(path)
    files.make_folder(path.parent)
    part = path.with_name(path.name + ".part")
    for suffix in PARTS:
        part.with_name(part.name + suffix).unlink(missing_ok=True)
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with closing(opened(part, "mode=rw")) as db:
        db.execute("PRAGMA synchronous = FULL")
        db.execute(f"PRAGMA application_id = {APPLICATION}")
        migrate(db)
        yield db
        db.execute("PRAGMA journal_mode = WAL")
    if not path.exists() and any(path.with_name(path.name + suffix).exists() for suffix in PARTS[1:]):
        # SQLite would take the log of a file that has gone for the log of this one
        set_aside(path, "damaged")
    part.replace(path)
    files.sync(path.parent)


def set_aside(path: Path, word: str, parts: tuple[str, ...] = PARTS) -> Path:
    """Rename the file with all that belongs to it, or parts of that; gives its new name, which nothing had before."""
    number = 1
    while any(path.parent.glob(f"{path.name}.{word}-{number}*")):
        number += 1
    aside = path.with_name(f"{path.name}.{word}-{number}")
    for suffix in parts:
        if (part := path.with_name(path.name + suffix)).exists():
            part.rename(aside.with_name(aside.name + suffix))
    return aside


def create(path: Path) -> None:
    """A new, empty file."""
    with making(path):
        pass


def write_out(db: sqlite3.Connection, path: Path) -> None:
    """A new file with all that an open one holds, which nobody finds any more. Raises FAULTS and OSError."""
    with making(path) as new:
        db.backup(new)


def size(path: Path) -> int:
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
    extended = getattr(error, "sqlite_errorcode", 0)
    code = extended & 0xFF
    if not isinstance(error, sqlite3.Error):
        return DAMAGED
    if code == sqlite3.SQLITE_FULL or disk == "full":
        return files.full()
    if disk == "read-only":
        return files.read_only()
    if code == sqlite3.SQLITE_READONLY:
        return _not_written(path)
    if extended in _UNLOCKABLE or (code == sqlite3.SQLITE_BUSY and not files.locks(path.parent)):
        return files.no_locks()
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return msg("another program is using the saved games. Close it; then it goes on by itself.")
    if code not in UNCLEAR or extended in UNREADABLE:
        return DAMAGED
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return files.why(PermissionError(errno.EACCES, os.strerror(errno.EACCES)), path)
    name = getattr(error, "sqlite_errorname", None) or type(error).__name__
    return msg("the disk does not answer as it should ({error}). Check the card or the drive.", error=name)


def _not_written(path: Path) -> Message:
    """Why SQLite may only read, on a disk that can be written: something is somebody else's."""
    parts = [part for suffix in PARTS if (part := path.with_name(path.name + suffix)).exists()]
    if not all(os.access(part, os.W_OK) for part in parts):
        return files.not_ours()
    if not os.access(path.parent, os.W_OK):
        return files.no_folder(path)
    return files.read_only()


DAMAGED = msg("the file with the saved games is damaged. Start the companion anew: it keeps what can be read.")
