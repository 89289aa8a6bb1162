"""Sounds without speech: which there are to an outcome, and a row of them as one file (public events only)."""

from __future__ import annotations

import hashlib
import logging
import tempfile
import wave
from collections.abc import Sequence
from contextlib import closing, suppress
from itertools import groupby
from pathlib import Path

from companion import resources
from companion.games import find_game
from companion.games.base import Note
from companion.table.ports import Outcome

log = logging.getLogger(__name__)

LOCK, UNLOCK = Note("lock"), Note("unlock")
REFUSED = Note("refused")
ALL_IN = Note("all_in")
DEVICE_LOST = Note("device_lost")
RATE = 22_050
"""Samples a second; every file is mono and has 16 bits."""


def notes(outcome: Outcome) -> tuple[Note, ...]:
    """What an outcome sounds like; nothing where it only tells how the table stands."""
    now, before = outcome.now, outcome.before
    if outcome.kind in ("refused", "stale", "not_saved"):
        return (REFUSED,)
    game = find_game(now.game)
    if outcome.kind != "done" or before is None or game is None:
        return ()
    if now.held is not None:
        # what is held is no event yet, and to the ear it is a lock like all others
        return (LOCK,) if before.held is not None else (LOCK, ALL_IN)
    if before.held is not None and not outcome.events:
        return (UNLOCK,)
    found: tuple[Note, ...] = game.sounds(before.view, outcome.events, now.view)
    return found


class Sounds:
    """The sounds of kv/sounds. folder: where rows of them are kept, else one that goes away with the program.

    still: nothing moves on the screen, so that no sound waits for it, and what would be repeated is heard once.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.still = False
        self._temporary = None if folder else tempfile.TemporaryDirectory(prefix="gryphon-sounds-")
        self._folder = folder or Path(self._temporary.name if self._temporary else "")

    def close(self) -> None:
        """Throw a temporary folder away."""
        if self._temporary is not None:
            with suppress(OSError):
                self._temporary.cleanup()

    def file(self, row: Sequence[Note]) -> Path:
        """A row of sounds as one wav file, so that no time is lost between them. Where it cannot be written, only the

        first is heard.
        """
        if self.still:
            row = [Note(name) for name, _same in groupby(note.name for note in row)]
        first = _path(row[0])
        if len(row) == 1:
            return first
        name = hashlib.sha256(repr(row).encode()).hexdigest()[:32]
        path = self._folder / f"sounds-{name}.wav"
        try:
            if not path.exists():
                self._write(path, row)
        except (OSError, EOFError, wave.Error) as error:
            log.warning("a row of sounds could not be written: %s", error)
            return first
        return path

    def _write(self, path: Path, row: Sequence[Note]) -> None:
        """By way of a temporary file: a row that is there is whole."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        with closing(wave.open(str(part), "wb")) as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            for note in row:
                file.writeframes(_frames(note))
        part.replace(path)


def _path(note: Note) -> Path:
    return resources.path("kv", "sounds", f"{note.name}.wav")


def _frames(note: Note) -> bytes:
    """Its samples, as long as it lasts."""
    with closing(wave.open(str(_path(note)), "rb")) as file:
        frames = file.readframes(file.getnframes())
    if note.lasts is None:
        return frames
    size = 2 * round(note.lasts * RATE)
    return frames[:size].ljust(size, b"\0")
