"""The plug is pulled: what was announced is there, no request by half, and nothing is told as lost.

strace writes down what a real program asked of the kernel. Any prefix of that is a moment at which the plug is pulled:
what was synced is on the disk, of what was not any part may be, by whole or torn sectors; names change in their order,
as in the journal of a file system.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

import pytest

from companion.adapters.sqlite import open_store
from tests.conftest import LONG

CUTS = 1500 if LONG else 60
SECTOR = 512
CALLS = "openat,close,write,pwrite64,ftruncate,fsync,fdatasync,rename,unlink,mkdir"

PROGRAM = """
import os, sys
from pathlib import Path
from companion.adapters.sqlite import open_store
from companion.table.ports import Entry
store, told = open_store(Path(sys.argv[1]))
assert not told, told
def say(what): os.write(1, what.encode() + b"\\n")
say("open")
for n in range(1, 4):
    store.bind(f"04AA{n:02}", "red", n)
    say(f"card {n}")
store.change({"lang": "pt"})
say("setting 1")
for game in (1, 2):
    store.begin("sir-holland", {"red": "Ana"}, [Entry(1, "event", 0), Entry(2, "event", 0)])
    say(f"game {game} 2")
    for n in range(3, 61, 2):
        store.append(game, [Entry(n, "step", "x" * (n * 40 % 900)), Entry(n + 1, "event", n)])
        say(f"game {game} {n + 1}")
    store.finish(game)
    say(f"over {game} 1")
    store.unbind(f"04AA{game:02}")
    say(f"card {3 - game}")
store.close()
"""


@dataclass
class File:
    """What of it is on the disk for sure, and the writes since: an offset and bytes, or None for the length."""

    synced: bytearray = field(default_factory=bytearray)
    pending: list[tuple[int, bytes | None]] = field(default_factory=list)

    @property
    def size(self) -> int:
        size = len(self.synced)
        for at, data in self.pending:
            size = at if data is None else max(size, at + len(data))
        return size


@dataclass
class Disk:
    """Files by name as the program sees them; names: changes that are not on the disk for sure, in their order."""

    files: dict[str, File] = field(default_factory=dict)
    sure: dict[str, File] = field(default_factory=dict)
    names: list[tuple[str, str, File | None]] = field(default_factory=list)

    def name(self, old: str, new: str, file: File | None) -> None:
        """A file gets a name (new), loses one (old), or both."""
        if old:
            self.files.pop(old, None)
        if new and file is not None:
            self.files[new] = file
        self.names.append((old, new, file))

    def settle(self) -> None:
        """The journal of the file system is written: all names are sure."""
        self.sure = dict(self.files)
        self.names.clear()

    def cut(self, rng: Random) -> dict[str, bytes]:
        """What a pulled plug leaves."""
        left = dict(self.sure)
        for old, new, file in self.names[: rng.randrange(len(self.names) + 1)]:
            left.pop(old, None)
            if new and file is not None:
                left[new] = file
        return {name: _torn(rng, file) for name, file in left.items()}


def _torn(rng: Random, file: File) -> bytes:
    data = bytearray(file.synced)
    chance = rng.choice((0.0, 0.5, 0.5, 1.0))
    for at, new in file.pending:
        if new is None:
            if rng.random() < chance:
                data[at:] = bytes(max(at - len(data), 0))
            continue
        for first in range(0, len(new), SECTOR):
            if rng.random() < chance:
                part = new[first : first + SECTOR]
                data.extend(bytes(max(at + first + len(part) - len(data), 0)))
                data[at + first : at + first + len(part)] = part
    return bytes(data)


CALL = re.compile(r"^\d+\s+(\w+)\((.*)\)\s+= (-?\d+)")
TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')


def _bytes(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", ""))


@cache
def played() -> list[tuple[str, list[bytes], list[int]]]:
    """The calls of the program: name, texts, numbers."""
    with tempfile.TemporaryDirectory() as name:
        trace, data = Path(name) / "trace", Path(name) / "data"
        command = ["strace", "-f", "-qq", "-xx", "-s", "100000", "-e", f"trace={CALLS}", "-o", str(trace)]
        command += [sys.executable, "-c", PROGRAM, str(data / "games")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if done.returncode and "ptrace" in done.stderr:
            pytest.skip(f"tracing is not allowed here: {done.stderr.strip()[:80]}")
        assert done.returncode == 0, done.stderr
        calls = []
        for line in trace.read_text().splitlines():
            if (found := CALL.match(line)) is not None and int(found[3]) >= 0:
                texts = [_bytes(t) for t in TEXT.findall(found[2])]
                flags = [b"O_CREAT"] if "O_CREAT" in found[2] else []
                numbers = [int(n) for n in re.findall(r"\b\d+\b", TEXT.sub("", found[2]))]
                calls.append((found[1], texts + flags, [*numbers, int(found[3])]))
        prefix = str(data).encode()
        return [(call, [t.replace(prefix, b"") for t in texts], numbers) for call, texts, numbers in calls]


def moments() -> Iterator[tuple[Disk, list[str]]]:
    """The disk after each call that changes it, and what had been said by then."""
    disk, said = Disk(), []
    open_files: dict[int, File] = {}
    for call, texts, numbers in played():
        path = texts[0].decode("utf-8", "replace") if texts else ""
        match call:
            case "openat" if path.startswith("/games") or path == "":
                handle = numbers[-1]
                open_files.pop(handle, None)
                if path not in disk.files and b"O_CREAT" in texts:
                    disk.name("", path, File())
                if path in disk.files:
                    open_files[handle] = disk.files[path]
            case "openat":
                open_files.pop(numbers[-1], None)
            case "close":
                open_files.pop(numbers[0], None)
                continue
            case "write" if numbers[0] == 1:
                said.append(texts[0].decode().strip())
            case "write" | "pwrite64" if numbers[0] in open_files:
                file = open_files[numbers[0]]
                # write() is used for what is new or appended to, only
                at = numbers[2] if call == "pwrite64" else file.size
                file.pending.append((at, texts[0]))
            case "ftruncate" if numbers[0] in open_files:
                open_files[numbers[0]].pending.append((numbers[1], None))
            case "fsync" | "fdatasync" if numbers[0] in open_files:
                file = open_files[numbers[0]]
                for at, data in file.pending:
                    if data is None:
                        file.synced[at:] = bytes(max(at - len(file.synced), 0))
                    else:
                        file.synced.extend(bytes(max(at + len(data) - len(file.synced), 0)))
                        file.synced[at : at + len(data)] = data
                file.pending.clear()
                disk.settle()
            case "fsync":
                disk.settle()
            case "rename" if path in disk.files:
                disk.name(path, texts[1].decode(), disk.files[path])
            case "unlink" if path in disk.files:
                disk.name(path, "", None)
            case _:
                continue
        yield disk, said


@pytest.fixture(scope="module", autouse=True)
def _strace() -> None:
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")


@pytest.fixture
def in_memory() -> Iterator[Path]:
    """A folder in memory where there is such a place: here nothing has to be synced any more."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as name:
        yield Path(name)


def test_the_trace_holds_what_the_program_did() -> None:
    disk, said = list(moments())[-1]
    assert said[0] == "open"
    assert said[-1] == "card 1"
    assert {"/games"} < set(disk.files)
    assert sum(call in ("fsync", "fdatasync") for call, _, _ in played()) > 130


def test_a_pulled_plug_costs_nothing_that_was_said(in_memory: Path) -> None:
    rng = Random(5)
    length = sum(1 for _ in moments())
    wanted = sorted(rng.randrange(length) for _ in range(CUTS))
    for n, (disk, said) in enumerate(moments()):
        for _ in range(wanted.count(n)):
            folder = in_memory / "cut"
            for name, data in disk.cut(rng).items():
                path = folder / name.lstrip("/")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            _check(folder / "games", said, n)
            shutil.rmtree(folder, ignore_errors=True)


def _check(path: Path, said: list[str], n: int) -> None:
    """Everything that was said is there, whole requests only, and nobody is told of a loss."""
    store, told = open_store(path)
    assert told == (), (n, said[-1:], told[0].params)
    games = {saved.number: store.record(saved.number) for saved in store.games()}
    for line in said:
        what, *numbers = line.split()
        if what == "game":
            number, last = map(int, numbers)
            assert len(games[number].entries) >= last, (n, line)
    for record in games.values():
        assert [e.seq for e in record.entries] == list(range(1, len(record.entries) + 1))
        assert len(record.entries) % 2 == 0
    cards = [int(line.split()[1]) for line in said if line.startswith("card")]
    if cards:
        assert len(store.box()) - cards[-1] in (-1, 0, 1), "at most the change that was under way"
    if "setting 1" in said:
        assert store.settings() == {"lang": "pt"}
    store.close()
