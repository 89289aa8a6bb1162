"""A plain-text copy of the saved games beside their file: the card box, the settings, and each game, a file each.

SQLite ends at the first damaged frame of its log without a word, as it must, and a damaged page may be any page. By the
copy a loss is noticed, and out of it what was lost comes back. A line is the CRC-32 of the rest (eight hexadecimal
digits), a space, and a JSON object. The file of a game is appended to and synced after each of its commits, so it never
knows more than the file of games did; the others are written anew, whole, when they change.

A copy holds what the journal holds, names and locked cards too: readable for its owner only, and shown to nobody.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from companion.adapters import files
from companion.adapters.rows import NO_JSON
from companion.games.base import Json

CARDS, SETTINGS = "cards", "settings"
_NUMBER = re.compile("[1-9][0-9]{0,14}")
"""A number of a game as the name of its copy says it; SQLite holds no number that is much longer."""
TABLES = (CARDS, SETTINGS)
"""The tables that are copied as a whole. In the file of games `house` has a column for each: its last change."""
Line = dict[str, Json]

MOST = 2**53
"""More changes or entries than anybody makes: the number is damaged, or not ours."""
_TAIL = 8192
"""Bytes from the end of a game's copy that its last line is looked for in, before all of it is read."""


@dataclass
class GameCopy:
    """What the copy of a game holds.

    head: `game`, `names`, `started`; none where that line is damaged; entries: seq -> kind, data, time; aside: what was
    set aside, with seq and when; last: the last line that can be read, which says how the game stood; whole: every line
    can be read, and they fit together.
    """

    head: Line | None = None
    entries: dict[int, Line] = field(default_factory=dict)
    aside: list[Line] = field(default_factory=list)
    last: Line = field(default_factory=dict)
    whole: bool = True


@dataclass(frozen=True)
class TableCopy:
    """What the copy of the card box or of the settings holds. n: the change that it was written after."""

    n: int
    rows: tuple[Sequence[Json], ...]
    whole: bool


class Copies:
    """The copies of one file of games, in a folder of their own. Whatever writes raises OSError."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def _game(self, number: int) -> Path:
        return self.folder / f"game-{number}.txt"

    # --- writing --------------------------------------------------------------------------------------------------

    def add(self, number: int, lines: Iterable[Line]) -> None:
        """Append to the copy of a game, synced. Raises FileNotFoundError where there is none yet."""
        # opened each time: who deletes the folder of a running table must not have us write into nowhere
        handle = os.open(self._game(number), os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW)
        try:
            size = os.fstat(handle).st_size
            if os.pread(handle, 1, max(size - 1, 0)) != b"\n":
                raise OSError("the last line was cut off")
            data = "".join(map(_line, lines)).encode()
            if os.write(handle, data) != len(data):
                raise OSError("not written whole")
            os.fsync(handle)
        finally:
            os.close(handle)

    def write_game(self, number: int, lines: Iterable[Line]) -> None:
        """The copy of a game, anew."""
        self._write(self._game(number), lines)

    def write_table(self, name: str, n: int, rows: Sequence[Sequence[Json]]) -> None:
        """The copy of the card box or of the settings, anew."""
        lines: list[Line] = [{"n": n, "rows": len(rows)}]
        self._write(self.folder / f"{name}.txt", [*lines, *({"row": list(row)} for row in rows)])

    def drop(self, what: int | str) -> None:
        """Away with a copy that could not be kept up to date: it must not vouch for anything."""
        path = self._game(what) if isinstance(what, int) else self.folder / f"{what}.txt"
        with suppress(OSError):
            path.unlink(missing_ok=True)

    def put_away(self, number: int) -> None:
        """Rename the copy of a game that is not in the file of games and cannot be brought back; it is kept."""
        path, n = self._game(number), 1
        while (away := path.with_name(f"{path.name}.damaged-{n}")).exists():
            n += 1
        path.rename(away)

    def _write(self, path: Path, lines: Iterable[Line]) -> None:
        files.make_folder(self.folder)
        files.write(path, "".join(map(_line, lines)), mode=0o600)

    # --- reading --------------------------------------------------------------------------------------------------

    def games(self) -> list[int]:
        """The numbers of the games that have a copy."""
        try:
            names = [p.stem.removeprefix("game-") for p in self.folder.glob("game-*.txt")]
        except OSError:
            return []
        # a name that we do not give (game-0, game-01, game-1e9) is no copy of ours
        return sorted(int(name) for name in names if _NUMBER.fullmatch(name))

    def end(self, number: int) -> Line | None:
        """The last line of a game's copy; None where it cannot be read. Quick, however long the game is."""
        try:
            with self._game(number).open("rb") as file:
                file.seek(max(file.seek(0, os.SEEK_END) - _TAIL, 0))
                last = file.read().rpartition(b"\n")[0].rpartition(b"\n")[2]
        except OSError:
            return None
        return _read(last) or self.game(number).last or None

    def game(self, number: int) -> GameCopy:
        """All that can be read of the copy of a game."""
        copy = GameCopy()
        for line in self._lines(self._game(number)):
            if line is None or not _take(copy, line):
                copy.whole = False
        copy.whole = copy.whole and copy.head is not None
        return copy

    def table(self, name: str) -> TableCopy | None:
        """All that can be read of the copy of the card box or of the settings; None where nothing can be."""
        lines = list(self._lines(self.folder / f"{name}.txt"))
        head = lines[0] if lines else None
        rows = tuple(row for line in lines if line is not None and isinstance(row := line.get("row"), list))
        if head is None or not _are_numbers(head, "n", "rows"):
            return TableCopy(0, rows, whole=False) if rows else None
        return TableCopy(head["n"], rows, whole=len(rows) == head["rows"] == len(lines) - 1)

    def _lines(self, path: Path) -> Iterator[Line | None]:
        """Each line; None for one that is damaged, and for the file where it cannot be read."""
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return
        except OSError:
            yield None
            return
        *lines, rest = data.split(b"\n")
        yield from map(_read, lines)
        if rest:
            yield None


def _take(copy: GameCopy, line: Line) -> bool:
    """Take one line of a game in; whether it fits to those before."""
    if not _are_numbers(line, "n", "seq", "latest"):
        return False
    copy.last = line
    seq = line["seq"]
    if "game" in line:
        copy.head = line
    elif "aside" in line:
        copy.aside.append(line)
        copy.entries = {at: entry for at, entry in copy.entries.items() if at <= seq}
    elif "kind" in line:
        copy.entries[seq] = line
        return seq == 1 or seq - 1 in copy.entries
    return not seq or seq in copy.entries


def _are_numbers(line: Mapping[str, Json], *keys: str) -> bool:
    return all(type(number := line.get(key)) is int and 0 <= number < MOST for key in keys)


def _line(line: Line) -> str:
    words = json.dumps(line, separators=(",", ":"))
    return f"{zlib.crc32(words.encode()):08x} {words}\n"


def _read(line: bytes) -> Line | None:
    """What a line says; None where its checksum does not fit."""
    total, _, words = line.partition(b" ")
    try:
        if int(total, 16) == zlib.crc32(words) and isinstance(read := json.loads(words), dict):
            return read
    except NO_JSON:
        pass
    return None
