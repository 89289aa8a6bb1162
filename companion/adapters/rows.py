"""Rows out of a file that may be damaged: every row carries a checksum, and every way to it is tried.

Only SQLite reads the file. A row counts where its checksum fits, whichever way it was found.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

Row = tuple[Any, ...]

FAULTS = (sqlite3.Error, UnicodeDecodeError, MemoryError)
"""What the sqlite3 module raises over a damaged file: it decodes damaged names for its messages, and asks for as much

memory as a damaged length says.
"""

NO_JSON = (ValueError, RecursionError)
"""What the json module raises over what is none; its reader calls itself for each bracket in another."""

COLUMNS = {
    "cards": "uid, game, owner, card",
    "settings": "key, value",
    "games": "number, game, names, started",
    "entries": "game, seq, kind, data, time",
}
"""The columns of each table that its checksum is over; the first is the key, of `entries` the first two."""


def sum_of(*values: Any) -> int:
    """The checksum that a row carries, because SQLite notices a damaged page but not a damaged number on it."""
    return zlib.crc32("\0".join(map(str, values)).encode("utf-8", "surrogatepass"))


def sound(db: sqlite3.Connection, table: str) -> bool:
    """Whether every row of a table can be read and its checksum fits. Raises FAULTS."""
    sql = f"SELECT {COLUMNS[table]}, sum FROM {table}"  # noqa: S608  our own words
    return all(sum_of(*row[:-1]) == row[-1] for row in db.execute(sql))


def rescued(db: sqlite3.Connection, table: str, more: str = "") -> tuple[list[Row], bool]:
    """The rows whose checksum fits, and whether those are all. more: columns without a checksum, put behind.

    A table that cannot be read to its end is read from its end as well.
    """
    key = "game, seq" if table == "entries" else COLUMNS[table].partition(",")[0]
    width = COLUMNS[table].count(",") + 1
    sql = f"SELECT {COLUMNS[table]}, sum{more} FROM {table} ORDER BY "  # noqa: S608  our own words
    rows, whole = until_fault(db, sql + key)
    if not whole:
        rows += until_fault(db, sql + ", ".join(f"{part} DESC" for part in key.split(", ")))[0]
    good = [(*row[:width], *row[width + 1 :]) for row in rows if sum_of(*row[:width]) == row[width]]
    return good, whole and len(good) == len(rows)


def rescued_game(db: sqlite3.Connection, number: int, last: int) -> list[Row]:
    """The entries of one game whose checksum fits: from the front, from the end, and up to `last` one by one."""
    sql = f"SELECT {COLUMNS['entries']}, sum FROM entries WHERE game = ?"  # noqa: S608  our own words
    rows, whole = until_fault(db, f"{sql} ORDER BY seq", number)
    if not whole:
        rows += until_fault(db, f"{sql} ORDER BY seq DESC", number)[0]
        found = {row[1] for row in rows}
        for seq in range(1, last + 1):
            if seq not in found:
                rows += until_fault(db, f"{sql} AND seq = ?", number, seq)[0]
    return [row[:-1] for row in rows if sum_of(*row[:-1]) == row[-1]]


def until_fault(db: sqlite3.Connection, sql: str, *values: Any) -> tuple[list[Row], bool]:
    """Rows up to the first that cannot be read, and whether there was none."""
    rows: list[Row] = []
    try:
        for row in db.execute(sql, values):
            rows.append(row)  # noqa: PERF402  a list() would lose those before the bad one
    except FAULTS:
        return rows, False
    return rows, True


def typed(rows: Iterable[Row], *kinds: type) -> Iterator[Row]:
    """The rows that a STRICT table takes: each value of its kind."""
    return (row for row in rows if len(row) == len(kinds) and all(map(isinstance, row, kinds)))
