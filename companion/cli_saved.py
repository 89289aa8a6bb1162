"""The saved games as a command sees them: to look at, or to write. What cannot be used is named with its path."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.adapters import sqlite
from companion.adapters.sqlite import Store
from companion.compose import DATABASE, data_folder
from companion.games.base import BadForm, Message, msg
from companion.table.ports import NotSaved
from companion.wording import Wording


def database(args: argparse.Namespace) -> Path:
    """Where the games lie, or will."""
    return Path(args.data or data_folder()) / DATABASE


def reader(args: argparse.Namespace) -> Store | None:
    """The saved games, to look at; None where there are none yet. Raises NotSaved."""
    path = database(args)
    with _named(path):
        return sqlite.look(path)


@contextmanager
def writable(args: argparse.Namespace, words: Wording, table_open: Message) -> Iterator[Store]:
    """The saved games, to write. What was lost of them is told. Raises BadForm beside an open table, and NotSaved."""
    path = database(args)
    if sqlite.is_taken(path):
        raise BadForm(table_open)
    store = Store(path)
    try:
        with _named(path):
            sqlite.make_ready(store, lambda lost: tell(words, lost))
            yield store
    finally:
        store.close()


def tell(words: Wording, message: Message) -> None:
    """Say something beside what the command prints."""
    print(f"gryphon: {words(message)}", file=sys.stderr, flush=True)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    try:
        yield
    except NotSaved as error:
        raise NotSaved(msg('"{file}" cannot be used: {why:message}', file=path, why=error.reason)) from error
