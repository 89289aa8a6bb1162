"""The note in the folder of the games: which files belong together. Who copies them looks there, not into a manual."""

from __future__ import annotations

import logging
import textwrap
from pathlib import Path, PurePath

from companion.adapters import files
from companion.games.base import msg
from companion.wording import Wording, languages

log = logging.getLogger(__name__)

NAME = "README.txt"
_TEXTS = (
    msg("The saved games of Gryphon. These files belong together: copy the whole folder, best with the table closed."),
    msg("{file} alone is not enough while a table is open, or after the plug was pulled: the last moves are in {log}.",
        file=PurePath("gryphon.sqlite3"), log=PurePath("gryphon.sqlite3-wal")),
    msg("{folder} holds the same once more as text, by which damage is noticed and mended. There are names and secret"
        " cards in it.", folder=PurePath("gryphon.sqlite3.copies")),
    msg("To start anew, close the table and move the whole folder away."),
)  # fmt: skip


def write(folder: Path) -> None:
    """Write the note, in every language, where there is none. A disk that does not let us is no reason to stop."""
    path = folder / NAME
    parts = [textwrap.fill(" ".join(map(Wording(lang), _TEXTS)), 78) for lang in languages()]
    try:
        if not path.exists():
            files.write(path, "\n\n".join(parts) + "\n", mode=0o600)
    except OSError as error:
        log.warning("the note was not written: %s", error)
