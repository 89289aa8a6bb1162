"""Ways in which the file of games is spoiled, and a folder that may not be entered."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.adapters.sqlite import open_store
from companion.games.base import Message

NO_FILES = ("folder", "pipe")
DAMAGES = ("zeros", "empty", "cut off", "text", "half put right", *NO_FILES)


def spoil(path: Path, how: str) -> None:
    """Put a file of games there that has two stickers in it, and is spoiled in one of the ways of DAMAGES."""
    store, _ = open_store(path)
    store.bind("04AABBCC", "red", 4)
    store.bind("04AABBDD", "blue", 7)
    store.close()
    path.with_name(path.name + ".lock").unlink(missing_ok=True)
    match how:
        case "zeros":
            path.write_bytes(bytes(path.stat().st_size))
        case "empty":
            path.write_bytes(b"")
        case "cut off":
            os.truncate(path, path.stat().st_size // 2)
        case "text":
            path.write_text("a shopping list\n" * 40)
        case "half put right":
            path.rename(path.with_name(path.name + ".fresh"))
        case "folder":
            path.unlink()
            path.mkdir()
        case "pipe":
            path.unlink()
            os.mkfifo(path)


def closed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody may look into the folder, as where it belongs to another user; root may everywhere, so it is pretended."""

    def ask(real: Callable[..., Any]) -> Callable[..., Any]:
        def asked(path: Any, *args: Any, **how: Any) -> Any:
            if isinstance(path, str | os.PathLike) and str(path).startswith(f"{folder}/"):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
            return real(path, *args, **how)

        return asked

    folder.mkdir()
    for name in ("stat", "open", "mkdir"):
        monkeypatch.setattr(os, name, ask(getattr(os, name)))


def told_at_start(path: Path) -> tuple[Message, ...]:
    """What a table says of its file when it starts with it; the file is put away again."""
    store, told = open_store(path)
    store.close()
    return tuple(told)
