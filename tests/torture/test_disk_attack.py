"""Random damage to the file of games and its log: the program starts, says so, and what has a copy is all there.

The games are real ones, played on from what version 0.3.0 left. The table was closed, or the plug was pulled: then a
part of them is in the log alone.
A seed makes the damage, so that a failure can be looked at again: `-k 1234`.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import struct
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

import pytest

from companion.adapters import mending, sqlite
from companion.adapters.sqlite import Store, open_store
from companion.border import Border
from companion.compose import DATABASE
from companion.engine import Engine
from companion.table.ports import (
    Begin,
    Change,
    Entry,
    History,
    Home,
    ListGames,
    NotSaved,
    Outcome,
    Play,
    Record,
    Resume,
    Reveal,
)
from companion.wording import Wording
from tests.conftest import LONG
from tests.damage import told_at_start
from tests.test_old_data import Ears

MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
OLD = Path(__file__).parents[1] / "data" / "0.3.0" / "closed"
SEEDS = range(3000 if LONG else 150)
PAGE, HEAD, FRAME = 4096, 32, 24


@dataclass(frozen=True)
class House:
    """All that is kept."""

    games: dict[int, Record]
    order: list[int]
    given_up: list[int]
    box: dict[str, tuple[str, int]]
    settings: dict[str, object]

    @classmethod
    def of(cls, store: Store) -> House:
        saved = store.games()
        return cls(
            {s.number: store.record(s.number) for s in saved}, [s.number for s in saved],
            [s.number for s in saved if s.abandoned], store.box(), store.settings(),
        )  # fmt: skip


def _play(engine: Engine, ears: Ears, rng: Random, acts: int) -> None:
    for _ in range(acts):
        now = ears.last(Outcome).now
        engine.serve(Reveal(now.seen) if now.held else Play(rng.choice(now.choices), now.seen))


@cache
def played() -> tuple[Path, Path, House]:
    """A folder as a pulled plug leaves it, one that was closed, and what both hold. Nothing is written to them."""
    folder = Path(tempfile.mkdtemp(dir=MEMORY, prefix="gryphon-attack-"))
    live = folder / "live"
    shutil.copytree(OLD, live)
    store, told = open_store(live / DATABASE)
    assert told == ()
    ears, rng = Ears(), Random(7)
    engine = Engine(store, Border(), [ears], rng=Random(8))
    engine.serve(Resume(2))
    _play(engine, ears, rng, 30)
    engine.serve(Begin("sir-holland", ("red", "blue", "green"), {"red": "Ana", "blue": "Zoë"}, {}))
    _play(engine, ears, rng, 60)
    engine.serve(Change({"lang": "en", "voice": False}))
    store.bind("04FF5A1B6C80", "red", 7)
    store.unbind("04FF5A1B6C80")
    _play(engine, ears, rng, 3)
    unplugged = folder / "unplugged"
    # what the log's index holds is worked out anew from the log
    shutil.copytree(live, unplugged, ignore=shutil.ignore_patterns("*-shm", "*.lock"))
    house = House.of(store)
    store.close()
    (live / f"{DATABASE}.lock").unlink()
    assert (unplugged / f"{DATABASE}-wal").stat().st_size > 20 * PAGE
    assert not (live / f"{DATABASE}-wal").exists()
    return unplugged, live, house


@pytest.fixture(scope="module", autouse=True)
def _swept() -> Iterator[None]:
    yield
    shutil.rmtree(played()[0].parent, ignore_errors=True)
    played.cache_clear()


# --- ways to damage a file --------------------------------------------------------------------------------------


def flip(rng: Random, data: bytearray, first: int = 0, last: int | None = None) -> None:
    """One bit."""
    if data:
        data[rng.randrange(first, min(last or len(data), len(data)))] ^= 1 << rng.randrange(8)


def noise(rng: Random, data: bytearray) -> None:
    """Some bytes in a row, and elsewhere."""
    for _ in range(rng.choice((1, 1, 3))):
        at = rng.randrange(len(data))
        data[at : at + rng.randrange(1, 64)] = rng.randbytes(len(data[at : at + rng.randrange(1, 64)]))


def cut(rng: Random, data: bytearray) -> None:
    """Everything behind a place, often one that ends a page."""
    at = rng.randrange(len(data))
    del data[at // PAGE * PAGE if rng.random() < 0.5 else at :]


def zeros(rng: Random, data: bytearray) -> None:
    """A page or some."""
    for _ in range(rng.choice((1, 1, 4))):
        at = rng.randrange(-(-len(data) // PAGE)) * PAGE
        data[at : at + PAGE] = bytes(len(data[at : at + PAGE]))


def swap(rng: Random, data: bytearray) -> None:
    """Two pages."""
    one, two = (rng.randrange(len(data) // PAGE) * PAGE for _ in range(2))
    data[one : one + PAGE], data[two : two + PAGE] = data[two : two + PAGE], data[one : one + PAGE]


def number(at: int) -> Callable[[Random, bytearray], None]:
    """A number in the head of the file."""

    def put(rng: Random, data: bytearray) -> None:
        # what may be a newer version's number is another matter
        data[at : at + 4] = struct.pack(">I", rng.choice((0, 1, 2, 0x80000003, 0xFFFFFFFF, 3 ^ 1 << rng.randrange(32))))

    return put


def frames(data: bytearray) -> list[int]:
    """Where the frames of a log begin."""
    return list(range(HEAD, len(data) - FRAME - PAGE + 1, FRAME + PAGE))


def flip_frame_head(rng: Random, data: bytearray) -> None:
    """One bit in the head of a frame."""
    at = rng.choice(frames(data))
    flip(rng, data, at, at + FRAME)


def swap_frames(rng: Random, data: bytearray) -> None:
    """Two frames."""
    size = FRAME + PAGE
    one, two = rng.choice(frames(data)), rng.choice(frames(data))
    data[one : one + size], data[two : two + size] = data[two : two + size], data[one : one + size]


def nothing(_rng: Random, data: bytearray) -> None:
    """An empty file."""
    data.clear()


def text(_rng: Random, data: bytearray) -> None:
    """Something else."""
    data[:] = b"a shopping list\n" * 100


FILE: list[Callable[[Random, bytearray], None]] = [
    flip, flip, flip, flip, lambda r, d: flip(r, d, 0, 100), lambda r, d: flip(r, d, 0, PAGE),
    noise, cut, zeros, swap, number(60), number(68), number(28), nothing, text,
]  # fmt: skip
LOG: list[Callable[[Random, bytearray], None]] = [
    flip, flip, flip_frame_head, flip_frame_head, lambda r, d: flip(r, d, 0, HEAD), noise, cut, zeros, swap_frames,
    nothing, text,
]  # fmt: skip


def another_log(rng: Random, folder: Path) -> None:
    """The log of another file, or of an earlier day of this one, with a sound file."""
    log = folder / f"{DATABASE}-wal"
    if rng.random() < 0.5:
        log.unlink()
    else:
        other = folder / "other"
        other.mkdir()
        store, _ = open_store(other / "games")
        store.begin("sir-holland", {}, [Entry(1, "event", {"what": "opened"})])
        shutil.copy(other / "games-wal", log)
        store.close()
        shutil.rmtree(other)


def earlier_log(_rng: Random, folder: Path) -> None:
    """The log of this file from before its pages were taken in."""
    path = folder / DATABASE
    log = path.with_name(f"{DATABASE}-wal")
    earlier = log.read_bytes()
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    log.write_bytes(earlier)


def index(rng: Random, folder: Path) -> None:
    """Nonsense as the index of the log."""
    (folder / f"{DATABASE}-shm").write_bytes(rng.randbytes(rng.choice((1, 100, 32768))))


def gone(_rng: Random, folder: Path) -> None:
    """No file at all; its log may still be there."""
    (folder / DATABASE).unlink()


FOLDER: list[Callable[[Random, Path], None]] = [index, gone, another_log, earlier_log]


def damage(rng: Random, folder: Path) -> str:
    """Something of all this; gives its name."""
    chance, closed = rng.random(), not (folder / f"{DATABASE}-wal").exists()
    if chance < 0.1:
        way = rng.choice(FOLDER[:2] if closed else FOLDER)
        way(rng, folder)
        return way.__name__
    of_file = closed or chance < 0.5
    path = folder / (DATABASE if of_file else f"{DATABASE}-wal")
    how = rng.choice(FILE if of_file else LOG)
    data = bytearray(path.read_bytes())
    how(rng, data)
    path.write_bytes(data)
    return f"{'file' if of_file else 'log'}: {how.__name__}"


def damage_copies(rng: Random, folder: Path) -> None:
    """Some of the copies, too, or all of them."""
    if rng.random() < 0.5:
        shutil.rmtree(folder / f"{DATABASE}.copies")
        return
    for path in sorted(folder.glob("*.copies/*/*.txt")):
        if rng.random() < 0.5:
            data = bytearray(path.read_bytes())
            rng.choice((flip, noise, cut, zeros))(rng, data)
            path.write_bytes(data)


# --- the attack -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_the_disk_does(seed: int) -> None:
    rng = Random(seed)
    unplugged, closed, was = played()
    with tempfile.TemporaryDirectory(dir=MEMORY) as name:
        folder = Path(name) / "data"
        shutil.copytree(rng.choice((unplugged, closed)), folder)
        how = damage(rng, folder)
        copied = rng.random() < 0.7
        if not copied:
            damage_copies(rng, folder)
        # where nothing of ours is left, it is a new house
        anything = any(folder.glob(f"{DATABASE}*"))
        _look(folder / DATABASE)
        store, told = open_store(folder / DATABASE)
        try:
            said = " ".join(map(Wording("en"), told))
            assert all(Wording("pt")(message) for message in told)
            assert len(told) <= 1
            assert "ost: nothing" not in said
            now = House.of(store)
            if copied:
                assert now == was, (how, said)
            elif anything:
                _no_more_than_is_true(now, was, said, log_alone=how.startswith("log") or "log" in how)
            _goes_on(store, was, now, seed)
        finally:
            store.close()
        assert told_at_start(folder / DATABASE) == (), "said once"


def _look(path: Path) -> None:
    """Commands that only look, and the doctor: a sentence at most."""
    if (reason := mending.trouble(path)) is not None:
        Wording("pt")(reason)
    try:
        if (store := sqlite.look(path)) is not None:
            for saved in store.games():
                store.record(saved.number)
            store.box()
            store.settings()
    except NotSaved as error:
        Wording("pt")(error.reason)


def _no_more_than_is_true(now: House, was: House, said: str, log_alone: bool) -> None:
    """Without copies something may be lost: nothing is there that never was, and no loss is passed over in silence."""
    assert now.box.items() <= was.box.items() or log_alone
    missing = now.box != was.box or now.settings != was.settings or now.games.keys() != was.games.keys()
    for at, record in now.games.items():
        then = was.games[at]
        assert record.names == then.names
        assert record.entries == then.entries[: len(record.entries)]
        missing = missing or len(record.entries) < len(then.entries)
    if missing and not log_alone:
        assert "ost: " in said, said
    assert "All that" not in said or not missing or log_alone


def _goes_on(store: Store, was: House, now: House, seed: int) -> None:
    """A table can be played on it. Replaying all games takes its time, so that is done for some."""
    if seed % 5:
        number = store.begin("sir-holland", {}, [Entry(1, "event", {"what": "opened"})])
        store.append(number, [Entry(2, "held", None)])
        return
    ears = Ears()
    engine = Engine(store, Border(), [ears], rng=Random(1))
    engine._open()
    home = ears.last(Home)
    engine.serve(ListGames())
    assert len(ears.last(History).games) == len(store.games())
    if now == was:
        assert home.number == was.order[0]
        assert home.lost == ()
    if home.number is not None:
        engine.serve(Resume(home.number))
        _play(engine, ears, Random(seed), 1)
        assert ears.last(Outcome).kind == "done"
