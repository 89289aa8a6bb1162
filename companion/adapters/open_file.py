"""Where an open file of games is: whether its path still leads to it, and what lies there instead."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from companion.adapters import sqlite_file
from companion.games.base import msg


@dataclass
class OpenFile:
    """The file and its log that are open, by device and inode. lost: the path was seen to lead elsewhere."""

    file: tuple[int, int] | None = None
    log: tuple[int, int] | None = None
    lost: bool = False


def identity(path: Path) -> tuple[int, int] | None:
    """Which file the path leads to; None where there is none."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino


GONE = msg("the folder with the saved games is gone. Put it back; then it goes on by itself.")
ANOTHER = msg("other games lie where the saved games were. Put the old ones back, or close Gryphon and open it again.")


@contextmanager
def spared(path: Path, log: tuple[int, int] | None) -> Iterator[None]:
    """SQLite deletes its log by name when it closes a file: not one that belongs to a file put there since."""
    there, kept = path.with_name(path.name + "-wal"), path.with_name(path.name + "-wal.kept")
    spare = log is not None and identity(there) not in (None, log)
    # where it cannot be renamed, it cannot be deleted either
    with suppress(OSError):
        if spare:
            there.rename(kept)
    try:
        yield
    finally:
        with suppress(OSError):
            if spare:
                kept.rename(there)


def has_all_of(path: Path, db: sqlite3.Connection) -> bool:
    """Whether every game stands in that file as it stands here. Raises FAULTS."""
    heads = "SELECT number, game, names, started, finished, latest FROM games"
    ends = "SELECT game, max(seq), sum FROM entries GROUP BY game"
    with closing(sqlite_file.look(path)) as other:
        return all(set(db.execute(ask)) <= set(other.execute(ask)) for ask in (heads, ends))
