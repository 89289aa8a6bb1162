"""The file of games looked through before it is used, and made anew where it is damaged. Only SQLite reads it."""

from __future__ import annotations

import errno
import os
import sqlite3
import stat
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing
from functools import cache
from pathlib import Path

from companion.adapters import files, mirror, rows, salvage, sqlite_file
from companion.adapters.copies import Copies
from companion.adapters.mirror import Ends
from companion.adapters.rows import FAULTS
from companion.games.base import Message, msg

MOST = 1000
"""So many versions there will never be: the number is damaged."""


def trouble(path: Path) -> Message | None:
    """Why the file cannot be used as it lies there; None where it can, or where there is none yet. Writes nothing."""
    try:
        files.follow(path)
        if _fresh(path).exists():
            return sqlite_file.DAMAGED
        if not sqlite_file.size(path) and not path.exists():  # size raises where we may not look
            copies = mirror.best_copies(path)
            return sqlite_file.DAMAGED if copies is not None and mirror.ends(copies) else None
        condition = _examine(path)
    except (*FAULTS, OSError) as error:
        return sqlite_file.why(error, path)
    if condition == "newer":
        return msg("it is of a newer companion, which this one cannot read. Bring the companion up to date.")
    return sqlite_file.DAMAGED if condition else None


def mend(path: Path) -> tuple[Message, ...]:
    """Make the file usable: new where there is none, made anew where it is damaged. Says so where it was.

    Raises FAULTS or OSError where the disk does not let us; then nothing has been moved.
    """
    files.follow(path)
    fresh = _fresh(path)
    if fresh.exists():
        # the plug was pulled between setting the damaged file aside and putting the saved one in its place
        aside = sqlite_file.set_aside(path, "damaged") if path.exists() else None
        _put(fresh, path)
        return (_HELPED if aside is None else _saved_again(aside),)
    if not path.exists():
        return _from_copies(path)
    match _examine(path) or _refuses(path):
        case "newer":
            with sqlite_file.making(fresh):
                pass
            aside = sqlite_file.set_aside(path, "newer")
            _put(fresh, path)
            text = msg(
                "The saved games are those of a newer companion, which this one cannot read. They are kept in"
                ' "{file}". Bring the companion up to date to have them again.',
                file=aside.name,
            )
            return (text,)
        case "damaged":
            found = _made_anew(path)
            aside = sqlite_file.set_aside(path, "damaged")
            _put(fresh, path)
            return (found.message(aside.name),)
    return ()


_HELPED = msg("The file with the saved games was damaged. What could be read of it is here.")


def _saved_again(aside: Path) -> Message:
    return msg(
        'The file with the saved games was damaged. What could be read of it is here; the file is kept as "{file}".',
        file=aside.name,
    )


def _from_copies(path: Path) -> tuple[Message, ...]:
    """A new file, with what the copies hold of one that has gone."""
    copies = mirror.best_copies(path)
    # SQLite takes the log away when the file is closed: the one that it belonged to was lost
    gone = copies is not None or sqlite_file.size(path.with_name(path.name + "-wal")) > 0
    with sqlite_file.making(path) as db:
        found = salvage.rebuild([], copies, db)
    return (found.message(""),) if gone and (found.cards + found.settings + found.games or found.perhaps) else ()


def _made_anew(path: Path) -> salvage.Found:
    """Write the fresh file from the damaged one, which stays as it is."""
    with ExitStack() as stack, sqlite_file.making(_fresh(path)) as new:
        ways = [_opened(stack, way, path) for way in (sqlite_file.look, _alone, _with_new_head)]
        if _is_foreign(path):
            # the log of another file makes nonsense of this one
            ways[0] = None
        house = next((id for db in ways if db is not None and (id := mirror.house_of(db))), "")
        copies = mirror.copies_of(path, house)
        return salvage.rebuild(ways, copies if house and copies.folder.is_dir() else mirror.best_copies(path), new)


def _is_foreign(path: Path) -> bool:
    """Whether the log beside the file is another file's: with it, the file would be of another house."""
    try:
        with closing(_alone(path)) as alone, closing(sqlite_file.look(path)) as logged:
            return mirror.house_of(alone) not in ("", mirror.house_of(logged))
    except FAULTS:
        return False


def _opened(stack: ExitStack, way: Callable[[Path], sqlite3.Connection], path: Path) -> sqlite3.Connection | None:
    """The damaged file, opened so that as much as possible can be read; None where it does not open that way."""
    try:
        db = stack.enter_context(closing(way(path)))
        # a file that was cut off is read as far as it goes
        db.execute("PRAGMA writable_schema = ON")
    except (*FAULTS, OSError, ValueError):
        return None
    return db


def _alone(path: Path) -> sqlite3.Connection:
    """The file without what waits in its log."""
    return sqlite_file.opened(path, "mode=ro&immutable=1")


def _with_new_head(path: Path) -> sqlite3.Connection:
    """The file with the first page of an empty one, which says where the tables begin.

    A card that loses a block likes to lose the first. The tables of the first step lie on the same pages in every file.
    """
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as empty:
        empty.executescript(sqlite_file.MIGRATIONS[0])
        head = empty.serialize()
    size = int.from_bytes(head[16:18], "big")
    data = bytearray(path.read_bytes())
    data += bytes(max(-len(data) % size, len(head) - len(data)))
    data[:size] = head[:size]
    # no log belongs to it; so many pages
    data[18:20] = b"\1\1"
    data[28:32] = (len(data) // size).to_bytes(4, "big")
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.text_factory = sqlite_file.readable
    db.deserialize(bytes(data))
    return db


def _fresh(path: Path) -> Path:
    return path.with_name(path.name + ".fresh")


def _put(fresh: Path, path: Path) -> None:
    # a log of the old file must never meet the new one
    for suffix in sqlite_file.PARTS[1:]:
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    fresh.rename(path)
    files.sync(path.parent)


def _examine(path: Path) -> str:
    """`damaged`, `newer`, or nothing where all is well. Raises what does not tell, and for what is no file."""
    for part in (path, *(path.with_name(path.name + suffix) for suffix in sqlite_file.PARTS[1:])):
        if part.exists() and not stat.S_ISREG(part.stat().st_mode):
            # a pipe would keep us waiting
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(part))
    # before the file: a table that runs writes its copies after it
    known = {folder.name: mirror.ends(Copies(folder)) for folder in mirror.copies_folders(path)}
    try:
        if _is_foreign(path):
            return "damaged"
        with closing(sqlite_file.look(path)) as db:
            return _condition(db, known)
    except FAULTS as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
        if code & 0xFF not in sqlite_file.UNCLEAR or code in sqlite_file.UNREADABLE:
            return "damaged"
        raise


def _refuses(path: Path) -> str:
    """`damaged` where SQLite will not write, though nobody is in the way: its head says that it may only be read."""
    try:
        with closing(sqlite_file.connect(path)) as db:
            db.execute("BEGIN IMMEDIATE")
            # a head that forbids it is felt only by what writes
            db.execute(f"PRAGMA user_version = {sqlite_file.version_of(db)}")
            db.execute("ROLLBACK")
    except FAULTS as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
        if code == sqlite3.SQLITE_READONLY and not files.state(path) and _is_ours(path):
            return "damaged"
        if code not in sqlite_file.UNCLEAR:
            return "damaged"
    return ""


def _is_ours(path: Path) -> bool:
    parts = [part for suffix in sqlite_file.PARTS if (part := path.with_name(path.name + suffix)).exists()]
    return all(os.access(part, os.W_OK) for part in (*parts, path.parent))


def _condition(db: sqlite3.Connection, known: Mapping[str, Ends]) -> str:
    # one state of the file, whatever a table that runs writes meanwhile
    db.execute("BEGIN")
    if db.execute("PRAGMA application_id").fetchone()[0] != sqlite_file.APPLICATION:
        return "damaged"
    schemas, schema, version = _schemas(), _schema(db), sqlite_file.version_of(db)
    if schemas.get(version) != schema:
        return "newer" if _is_newer(version, [v for v, known in schemas.items() if known == schema]) else "damaged"
    if db.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
        return "damaged"
    # a file of an earlier version has fewer tables
    tables = [name for name, _ in schemas[version] if name in rows.COLUMNS]
    if not all(rows.sound(db, table) for table in tables) or not _all_there(db):
        return "damaged"
    house = mirror.house_of(db)
    if version >= sqlite_file.WITH_HOUSE and not house:
        return "damaged"
    return "damaged" if house in known and mirror.is_behind(db, known[house]) else ""


def _is_newer(version: int, ours: list[int]) -> bool:
    """Whether a file says truly that it is of a newer version. ours: our versions that have the same tables.

    A newer one may have the same tables; but then one bit may have been flipped in the number.
    """
    return len(sqlite_file.MIGRATIONS) < version < MOST and all((version ^ v).bit_count() > 1 for v in ours)


def _schema(db: sqlite3.Connection) -> tuple[rows.Row, ...]:
    return tuple(
        db.execute("SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name").fetchall()
    )


def _schemas() -> dict[int, tuple[rows.Row, ...]]:
    """The tables after each step."""
    return dict(_schemas_of(tuple(sqlite_file.MIGRATIONS)))


@cache
def _schemas_of(steps: tuple[str, ...]) -> tuple[tuple[int, tuple[rows.Row, ...]], ...]:
    found = []
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        for version, step in enumerate(steps, start=1):
            db.executescript(step)
            found.append((version, _schema(db)))
    return tuple(found)


def _all_there(db: sqlite3.Connection) -> bool:
    """Whether each game has its entries from the first to the last, and each entry its game."""
    gaps = "SELECT 1 FROM entries GROUP BY game HAVING min(seq) != 1 OR max(seq) != count(*)"
    strays = "SELECT 1 FROM entries WHERE game NOT IN (SELECT number FROM games)"
    return all(db.execute(f"{sql} LIMIT 1").fetchone() is None for sql in (gaps, strays))
