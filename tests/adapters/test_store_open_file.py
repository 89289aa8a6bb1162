"""The saved games are moved, deleted or replaced under a running table: it is said, and nothing is lost.

And the folders that no program can have for itself alone, because their disk has no locks.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.adapters import checks, sqlite
from companion.adapters.copies import Copies
from companion.adapters.sqlite import Store, open_store
from companion.border import Border
from companion.cli import main
from companion.compose import DATABASE
from companion.engine import Engine
from companion.health import FAULT
from companion.table.ports import Begin, Entry, NotSaved, Outcome, Play
from tests.test_old_data import Ears

GONE = "the folder with the saved games is gone. Put it back; then it goes on by itself."
ANOTHER = "other games lie where the saved games were. Put the old ones back, or close Gryphon and open it again."


def entry(seq: int) -> Entry:
    return Entry(seq, "event", {"what": "moved", "note": "x" * 100, "seq": seq})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def store(folder: Path) -> Iterator[Store]:
    """A table that runs: one game of two entries, one card, one setting."""
    store, told = open_store(folder / DATABASE)
    assert told == ()
    store.begin("sir-holland", {"red": "Ana"}, [entry(1)])
    store.append(1, [entry(2)])
    store.bind("04AA", "red", 3)
    store.change({"lang": "pt"})
    yield store
    store.close()


def refused(store: Store, seq: int, why: str) -> None:
    with pytest.raises(NotSaved) as caught:
        store.append(1, [entry(seq)])
    assert caught.value.reason.id == why


def all_there(store: Store, folder: Path, entries: int) -> None:
    """Now, and after a restart; the copies know it, too."""
    for restarted in (False, True):
        if restarted:
            store.close()
            store, told = open_store(folder / DATABASE)
            assert told == ()
        assert [e.seq for e in store.record(1).entries] == list(range(1, entries + 1))
        assert store.box() == {"04AA": ("red", 3)}
        assert store.settings() == {"lang": "pt"}
    store.close()
    (copies,) = map(Copies, (folder / f"{DATABASE}.copies").iterdir())
    assert list(copies.game(1).entries) == list(range(1, entries + 1))


def test_a_folder_that_is_deleted(store: Store, folder: Path) -> None:
    shutil.rmtree(folder)
    for _ in range(3):
        refused(store, 3, GONE)
    assert len(store.record(1).entries) == 2, "it can still be looked at"
    folder.mkdir()
    store.append(1, [entry(3)])
    all_there(store, folder, 3)


def test_a_folder_that_is_moved_and_put_back(store: Store, folder: Path, tmp_path: Path) -> None:
    folder.rename(tmp_path / "elsewhere")
    for _ in range(3):
        refused(store, 3, GONE)
    (tmp_path / "elsewhere").rename(folder)
    store.append(1, [entry(3)])
    all_there(store, folder, 3)


def test_a_file_that_is_deleted(store: Store, folder: Path) -> None:
    for name in (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm"):
        (folder / name).unlink()
    refused(store, 3, GONE)
    store.append(1, [entry(3)])
    all_there(store, folder, 3)


@pytest.mark.parametrize("what", ["file", "folder"])
def test_what_is_replaced_by_something_else(store: Store, folder: Path, tmp_path: Path, what: str) -> None:
    """It is neither written to, nor does it stay in the way once the old games are back."""
    other, _ = open_store(tmp_path / "other" / DATABASE)
    other.begin("sir-holland", {"red": "Somebody else"}, [entry(1)])
    other.append(1, [entry(2)])
    other.close()
    if what == "folder":
        folder.rename(tmp_path / "away")
        (tmp_path / "other").rename(folder)
    else:
        (tmp_path / "away").mkdir()
        (folder / DATABASE).rename(tmp_path / "away" / DATABASE)
        shutil.copy(tmp_path / "other" / DATABASE, folder / DATABASE)
    before = (folder / DATABASE).read_bytes()
    for _ in range(3):
        refused(store, 3, ANOTHER)
    assert (folder / DATABASE).read_bytes() == before
    if what == "folder":
        folder.rename(tmp_path / "other")
        (tmp_path / "away").rename(folder)
    else:
        (tmp_path / "away" / DATABASE).rename(folder / DATABASE)
    store.append(1, [entry(3)])
    assert [e.seq for e in store.record(1).entries] == [1, 2, 3]


@pytest.mark.parametrize("junk", [b"", b"a shopping list\n" * 400])
def test_what_is_replaced_by_junk(store: Store, folder: Path, junk: bytes) -> None:
    (folder / DATABASE).rename(folder / "kept")
    (folder / DATABASE).write_bytes(junk)
    for _ in range(3):
        refused(store, 3, ANOTHER)
    assert (folder / DATABASE).read_bytes() == junk
    (folder / "kept").rename(folder / DATABASE)
    store.append(1, [entry(3)])
    all_there(store, folder, 3)


def test_a_folder_that_is_replaced_by_a_copy_of_itself(store: Store, folder: Path, tmp_path: Path) -> None:
    """As when the games move to another disk: said once, then it goes on in the new place."""
    shutil.copytree(folder, tmp_path / "copy")
    folder.rename(tmp_path / "old")
    (tmp_path / "copy").rename(folder)
    refused(store, 3, ANOTHER)
    store.append(1, [entry(3)])
    all_there(store, folder, 3)


def test_closing_spares_the_log_of_what_was_put_in_its_place(store: Store, folder: Path, tmp_path: Path) -> None:
    """SQLite deletes the log by its name; part of the other games may lie in there, as a pulled plug left them."""
    other, _ = open_store(tmp_path / "other" / DATABASE)
    other.begin("sir-holland", {"red": "Somebody else"}, [entry(1)])
    shutil.copytree(tmp_path / "other", tmp_path / "unplugged", ignore=shutil.ignore_patterns("*-shm"))
    other.close()
    folder.rename(tmp_path / "old")
    (tmp_path / "unplugged").rename(folder)
    before = {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}
    refused(store, 3, ANOTHER)
    refused(store, 3, ANOTHER)
    store.close()
    after = {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file() and not p.name.endswith("-shm")}
    assert after == before
    again, told = open_store(folder / DATABASE)
    assert told == ()
    assert again.record(1).names == {"red": "Somebody else"}
    again.close()


def test_an_older_copy_in_its_place_does_not_swallow_the_game(store: Store, folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "copy")
    store.append(1, [entry(3)])
    folder.rename(tmp_path / "old")
    (tmp_path / "copy").rename(folder)
    for _ in range(3):
        refused(store, 4, ANOTHER)
    assert len(store.record(1).entries) == 3


def test_a_log_that_is_deleted_takes_nothing_with_it(store: Store, folder: Path) -> None:
    """What was in it can still be read by the program that has it open, which takes it in and begins a new one."""
    (folder / f"{DATABASE}-wal").unlink()
    store.append(1, [entry(3)])
    shutil.copytree(folder, folder.parent / "unplugged", ignore=shutil.ignore_patterns("*.copies", "*-shm"))
    again, told = open_store(folder.parent / "unplugged" / DATABASE)
    assert told == ()
    assert len(again.record(1).entries) == 3
    again.close()
    all_there(store, folder, 3)


def test_a_log_that_is_replaced_is_not_taken_for_ours(store: Store, folder: Path, tmp_path: Path) -> None:
    other, _ = open_store(tmp_path / "other" / DATABASE)
    other.begin("sir-holland", {"red": "Somebody else"}, [entry(1)])
    foreign = (tmp_path / "other" / f"{DATABASE}-wal").read_bytes()
    (folder / f"{DATABASE}-wal").unlink()
    (folder / f"{DATABASE}-wal").write_bytes(foreign)
    other.close()
    store.append(1, [entry(3)])
    assert (folder / f"{DATABASE}.damaged-1-wal").read_bytes() == foreign
    all_there(store, folder, 3)


@pytest.mark.parametrize("how", ["append", "anew"])
def test_a_copy_that_cannot_be_written_holds_nothing_up(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """What is committed is saved. A copy that lags vouches for nothing, and is written once it can be."""

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(Copies, "add", full)
        if how == "anew":
            patch.setattr(Copies, "_write", full)
        store.append(1, [entry(3)])
        store.append(1, [entry(4)])
    (copies,) = map(Copies, (folder / f"{DATABASE}.copies").iterdir())
    assert len(copies.game(1).entries) == (4 if how == "append" else 0)
    store.change({"lang": "pt"})
    assert len(copies.game(1).entries) == 4
    store.append(1, [entry(5)])
    all_there(store, folder, 5)


def test_copies_that_are_deleted_are_written_anew(store: Store, folder: Path) -> None:
    shutil.rmtree(folder / f"{DATABASE}.copies")
    store.append(1, [entry(3)])
    all_there(store, folder, 3)


def test_a_beginning_and_a_card_are_not_saved_into_nowhere(store: Store, folder: Path, tmp_path: Path) -> None:
    folder.rename(tmp_path / "elsewhere")
    for ask in (lambda: store.begin("sir-holland", {}, [entry(1)]), lambda: store.bind("04BB", "red", 4),
                lambda: store.change({"lang": "en"}), lambda: store.finish(1)):  # fmt: skip
        with pytest.raises(NotSaved):
            ask()
    (tmp_path / "elsewhere").rename(folder)
    store.append(1, [entry(3)])
    all_there(store, folder, 3)


def test_at_the_table_it_is_not_saved_and_why(folder: Path) -> None:
    """Nothing is announced as done; once the folder is there again, the same touch is."""
    store, _ = open_store(folder / DATABASE)
    ears = Ears()
    engine = Engine(store, Border(), [ears], rng=Random(1))
    engine.serve(Begin("sir-holland", ("red", "blue"), {}, {}))
    before = ears.last(Outcome).now
    shutil.rmtree(folder)
    play = Play(before.choices[0], before.seen)
    for _ in range(2):
        engine.serve(play)
        outcome = ears.last(Outcome)
        assert outcome.kind == "not_saved"
        assert outcome.messages[0].params["why"].id == GONE
        assert outcome.now.seq == before.seq
    folder.mkdir()
    engine.serve(play)
    assert ears.last(Outcome).kind == "done"
    store.close()
    again, told = open_store(folder / DATABASE)
    assert told == ()
    assert again.record(1).entries[-1].seq == ears.last(Outcome).now.seq
    again.close()


# --- folders without locks --------------------------------------------------------------------------------------

NO_LOCKS = "this folder cannot be locked, so two programs could write at once. Keep games on the Pi's own card: --data."
TAKEN = "another program is using the saved games. Close it."


@pytest.fixture
def locks(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let every lock of ours fail with an error."""

    def fail(number: int) -> None:
        def refuse(*_: Any) -> None:
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(fcntl, "lockf", refuse)

    return fail


@pytest.mark.parametrize(
    ("number", "why"),
    [(errno.EACCES, TAKEN), (errno.EAGAIN, TAKEN)]
    + [(n, NO_LOCKS) for n in (errno.ENOLCK, errno.EOPNOTSUPP, errno.ESTALE, errno.ENOSYS, errno.EINVAL, errno.EIO)],
    ids=lambda value: errno.errorcode.get(value, ""),
)
def test_only_a_lock_that_is_held_means_another_program(folder: Path, locks: Any, number: int, why: str) -> None:
    locks(number)
    store, told = open_store(folder / DATABASE)
    assert [m.params["why"].id for m in told] == [why]
    with pytest.raises(NotSaved) as caught:
        store.begin("sir-holland", {}, [entry(1)])
    assert caught.value.reason.id == why
    (folder / f"{DATABASE}.lock").touch()
    assert sqlite.is_taken(folder / DATABASE) == (why == TAKEN)
    store.close()


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_a_command_says_what_to_do(folder: Path, locks: Any, capsys: pytest.CaptureFixture[str], lang: str) -> None:
    open_store(folder / DATABASE)[0].close()
    locks(errno.ENOLCK)
    cards = folder.parent / "cards.txt"
    cards.write_text("04AABBCC red 3\n")
    assert main(["cards", "import", str(cards), "--data", str(folder), "--lang", lang]) == 1
    said = capsys.readouterr().err
    assert "--data" in said
    assert ("another program" in said) + ("outro programa" in said) == 0


def test_sqlite_that_finds_no_locks_is_not_told_as_another_program(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch, locks: Any
) -> None:
    """It calls a lock that there cannot be "busy", as one that somebody holds."""

    class Busy:
        in_transaction = False

        def execute(self, *_: Any) -> None:
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = sqlite3.SQLITE_BUSY
            raise error

        def close(self) -> None: ...

    locks(errno.ENOLCK)
    store._db = Busy()  # type: ignore[assignment]
    refused(store, 3, NO_LOCKS)
    monkeypatch.undo()
    store._db = Busy()  # type: ignore[assignment]
    refused(store, 3, "another program is using the saved games. Close it; then it goes on by itself.")
    store.append(1, [entry(3)])


@pytest.mark.parametrize("played", [True, False])
def test_the_doctor_names_a_folder_without_locks(folder: Path, locks: Any, played: bool) -> None:
    if played:
        open_store(folder / DATABASE)[0].close()
    assert checks.disk(folder / DATABASE).state != FAULT
    locks(errno.ENOLCK)
    finding = checks.disk(folder / DATABASE)
    assert finding.state == FAULT
    assert finding.remedy is not None
    assert finding.remedy.id == NO_LOCKS
