"""The text copies kept like the file of games: what they lack, what they know that it does not, and writing them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from companion.adapters import rows
from companion.adapters.copies import TABLES, Copies, Line
from companion.games.base import Json

Ends = dict[int | str, Line]
"""What the copies know last: of each game, and of the card box and the settings."""


def copies_of(path: Path, house: str) -> Copies:
    """The text copies of the file of that house."""
    return Copies(_copies(path) / house)


def copies_folders(path: Path) -> list[Path]:
    """The folders with text copies beside the file; more than one where another file has lain there."""
    try:
        return sorted(place for place in _copies(path).iterdir() if place.is_dir())
    except OSError:
        return []


def best_copies(path: Path) -> Copies | None:
    """The copies that know most, where the file cannot say which are its own."""

    def worth(copies: Copies) -> tuple[int, int]:
        known = ends(copies).values()
        return max((end["n"] for end in known), default=0), len(known)

    return max(map(Copies, copies_folders(path)), key=worth, default=None)


def _copies(path: Path) -> Path:
    return path.with_name(path.name + ".copies")


def ends(copies: Copies) -> Ends:
    """What these copies know last."""
    known: Ends = {number: end for number in copies.games() if (end := copies.end(number)) is not None}
    for name in TABLES:
        if (table := copies.table(name)) is not None and table.whole:
            known[name] = {"n": table.n, "rows": [list(row) for row in table.rows]}
    return known


def house_of(db: sqlite3.Connection) -> str:
    """The id of the file; empty where it has none yet, or where it cannot be read."""
    found, _ = rows.until_fault(db, "SELECT id FROM house")
    # it becomes the name of a folder
    return found[0][0] if len(found) == 1 and isinstance(found[0][0], str) and found[0][0].isalnum() else ""


def is_behind(db: sqlite3.Connection, known: Ends) -> bool:
    """Whether the copies know of something that the file does not: then a part of its log was lost."""
    changes, *of_tables = db.execute(f"SELECT changes, {', '.join(TABLES)} FROM house").fetchone()  # noqa: S608
    if any(end["n"] > changes for end in known.values()):
        return True
    for name, changed in zip(TABLES, of_tables, strict=True):
        if name in known and known[name]["n"] == changed and known[name]["rows"] != _table(db, name):
            return True
    last = dict(db.execute("SELECT number, (SELECT coalesce(max(seq), 0) FROM entries WHERE game = number) FROM games"))
    aside = set(db.execute("SELECT game, seq FROM aside"))
    return any(
        number not in last or (end["seq"] > last[number] and (number, end["seq"]) not in aside)
        for number, end in known.items()
        if isinstance(number, int)
    )


def _table(db: sqlite3.Connection, name: str) -> list[list[Json]]:
    """The card box or the settings, as the copies hold them."""
    return [list(row) for row in db.execute(f"SELECT {rows.COLUMNS[name]} FROM {name} ORDER BY 1")]  # noqa: S608


def own_copies(db: sqlite3.Connection, path: Path) -> Copies | None:
    """The text copies of an open file; None where it is of an earlier version and has none."""
    return copies_of(path, house) if (house := house_of(db)) else None


def stands(db: sqlite3.Connection, number: int) -> Line:
    """What every line of a game's copy says: how the game stands."""
    sql = (
        "SELECT (SELECT changes FROM house), (SELECT coalesce(max(seq), 0) FROM entries WHERE game = number),"
        " finished, latest FROM games WHERE number = ?"
    )
    row = db.execute(sql, (number,)).fetchone()
    return dict(zip(("n", "seq", "finished", "latest"), row, strict=True)) if row else {}


def not_copied(db: sqlite3.Connection, known: Ends) -> list[int | str]:
    """Of what the copies are not up to date, or missing."""
    tables = zip(TABLES, db.execute(f"SELECT {', '.join(TABLES)} FROM house").fetchone(), strict=True)  # noqa: S608
    late: list[int | str] = [name for name, n in tables if known.get(name) != {"n": n, "rows": _table(db, name)}]
    for (number,) in db.execute("SELECT number FROM games ORDER BY number").fetchall():
        at, end = stands(db, number), known.get(number, {})
        if any(end.get(key) != at[key] for key in ("seq", "finished", "latest")):
            late.append(number)
    return late


def put_away(db: sqlite3.Connection, copies: Copies) -> None:
    """Out of the way with copies of games that the file does not have. Raises OSError.

    A file that lacks a game is made anew with it, so of these nothing is left that could be played.
    """
    numbers = {number for (number,) in db.execute("SELECT number FROM games")}
    for number in copies.games():
        if number not in numbers:
            copies.put_away(number)


def copy(db: sqlite3.Connection, copies: Copies, what: int | str) -> None:
    """Write the copy of a game (its number), of the card box or of the settings anew. Raises OSError."""
    if isinstance(what, str):
        n = db.execute(f"SELECT {what} FROM house").fetchone()[0]  # noqa: S608
        copies.write_table(what, n, _table(db, what))
    elif at := stands(db, what):
        copies.write_game(what, _lines(db, what, at))


def _lines(db: sqlite3.Connection, number: int, at: Line) -> Iterator[Line]:
    game, names, started = db.execute("SELECT game, names, started FROM games WHERE number = ?", (number,)).fetchone()
    yield {**at, "seq": 0, "game": game, "names": _json(names), "started": started}
    entries = db.execute("SELECT seq, kind, data, time FROM entries WHERE game = ? ORDER BY seq", (number,))
    for seq, kind, data, time in entries:
        yield {**at, "seq": seq, "kind": kind, "data": _json(data), "time": time}
    aside = db.execute("SELECT seq, kind, data, time, moved FROM aside WHERE game = ? ORDER BY id", (number,))
    for seq, kind, data, time, moved in aside:
        yield {**at, "aside": seq, "kind": kind, "data": _json(data), "time": time, "moved": moved}


def _json(words: str) -> Json:
    """What a column says; nothing where it is damaged."""
    try:
        return json.loads(words)
    except rows.NO_JSON:
        return None
