"""Games as text files: which there are, and how they come into the store and out of it. The text itself: table/text.py.

A file may lie on a slow stick, so nothing here is called on the engine's thread that opens one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from companion.adapters import files as disk
from companion.games import find_game
from companion.games.base import BadForm, Message, msg
from companion.table import text
from companion.table.ports import Entry, NotSaved, Outline, Record, Saved
from companion.table.text import Brought, TextError
from companion.wording import Wording

FOLDER = "games"
"""In the data folder: where texts go."""
STICKS = (Path("/media"), Path("/run/media"))
"""Where sticks are mounted, each in a folder of its own or of its user's."""
MOST = 60
"""Files that are offered."""
_DATE = "%Y-%m-%d %H:%M"


class Shelf(Protocol):
    """What is needed of the store."""

    def games(self) -> Sequence[Saved]:
        """All games."""
        ...

    def record(self, number: int) -> Record:
        """One of them. Raises NotSaved."""
        ...

    def keep(self, outlines: Sequence[Outline]) -> None:
        """Keep lines of the history that were worked out. Raises NotSaved."""
        ...

    def bring(self, game: str, names: Mapping[str, str], entries: Sequence[Entry], started: str, state: str) -> int:
        """Take in a game that was played elsewhere; gives its number. Raises NotSaved."""
        ...


def words_of(shelf: Shelf, number: int, lang: str | None = None) -> tuple[str, str]:
    """When a game began (local time), and its text; with comments in that language. Raises NotSaved or BadForm."""
    record = shelf.record(number)
    saved = next(s for s in shelf.games() if s.number == number)
    date = date_of(shelf, number)
    game = find_game(record.game)
    say = None

    if game is not None and lang is not None:

        def say(message: Message, names: Mapping[str, str]) -> str:
            return Wording(lang, game.term, names)(message)

    return date, text.write(record, date, saved.abandoned, say)


def date_of(shelf: Shelf, number: int) -> str:
    """When a game began, local time: `2026-12-01 20:15`."""
    saved = next(s for s in shelf.games() if s.number == number)
    return datetime.fromisoformat(saved.started).astimezone().strftime(_DATE)


def bring(shelf: Shelf, brought: Brought) -> int:
    """A game that was read goes into the store; gives its number, of the game that is there already if it is. Raises

    NotSaved.
    """
    started = datetime.strptime(brought.date, _DATE).astimezone(UTC)
    twins = [s for s in shelf.games() if datetime.fromisoformat(s.started).replace(second=0, microsecond=0) == started]
    words = text.write(Record(0, brought.game, brought.names, brought.entries), brought.date) if twins else ""
    for saved in twins:
        with suppress(BadForm):
            if _played(words_of(shelf, saved.number)[1]) == _played(words):
                return saved.number
    moment = started.isoformat(timespec="milliseconds")
    number = shelf.bring(brought.game, brought.names, brought.entries, moment, brought.state)
    # it was worked out while the text was read, on another thread than the table's
    with suppress(NotSaved):
        shelf.keep([replace(brought.outline, number=number)])
    return number


def _played(words: str) -> list[str]:
    """The text but for the line that says whether an open game was given up."""
    return [line for line in words.splitlines() if not line.startswith("result: ")]


# --- files ------------------------------------------------------------------------------------------------------


def read(path: Path) -> Brought:
    """The game in a file. Raises TextError or OSError."""
    return text.read(disk.read(path, text.LARGEST))


def why(error: TextError | OSError) -> Message:
    """Why a file could not be read or written."""
    if isinstance(error, TextError):
        return error.reason
    # what goes to a terminal or a pipe has no name
    path = Path(error.filename or "-")
    return msg('"{file}" cannot be used: {why:message}', file=path.name or str(path), why=disk.why(error, path))


def write(folder: Path, number: int, date: str, words: str) -> Path:
    """Write a text into the folder, under a name of its own: nothing that lies there is lost. Raises OSError.

    What lies there already, word for word, is left as it is.
    """
    name = f"{date[:10]}-game-{number}"
    paths = (folder / f"{name}{'' if n == 1 else f'-{n}'}.txt" for n in range(1, 1000))
    with disk.about(folder / f"{name}.txt"):
        folder.mkdir(parents=True, exist_ok=True)
        path = next(p for p in paths if not p.exists() or p.read_bytes() == words.encode())
        there = path.exists()
    if not there:
        disk.write(path, words)
    return path


def files(folder: Path, sticks: Sequence[Path] = STICKS) -> tuple[str, ...]:
    """Game texts in the folder and on sticks, the newest names first."""
    places = [folder, *(p for root in sticks for p in _mounted(root))]
    found = [p for place in places for p in sorted(_texts(place), reverse=True)]
    return tuple(map(str, found[:MOST]))


def _mounted(root: Path) -> Iterator[Path]:
    """The sticks under a folder: /media/stick, or /media/user/stick."""
    for place in _inside(root):
        yield from (p for p in (place, *_inside(place)) if os.path.ismount(p))


def _inside(place: Path) -> list[Path]:
    try:
        return sorted(p for p in place.iterdir() if p.is_dir())
    except OSError:
        return []


def _texts(place: Path) -> Iterator[Path]:
    try:
        for path in place.glob("*.txt"):
            if path.is_file() and _is_game(path):
                yield path
    except OSError:
        return


def _is_game(path: Path) -> bool:
    """Whether a file begins as a game text does: a shopping list is not offered."""
    try:
        with path.open("rb") as file:
            return file.read(80).removeprefix(b"\xef\xbb\xbf").startswith(text.TITLE.encode())
    except OSError:
        return False
