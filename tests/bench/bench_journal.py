"""How fast the journal is: appending to a file that grows, and taking up a game of 1,000 entries again.

`python -m tests.bench.bench_journal [FOLDER]`. FOLDER: on the disk that is to be measured, else the temporary one.
Prints what it measured and from how many samples; it judges nothing.
"""

from __future__ import annotations

import gc
import os
import statistics
import sys
import tempfile
from pathlib import Path
from random import Random
from time import perf_counter

from companion.adapters.sqlite import Store, open_store
from companion.games import find_game
from companion.table.ports import Entry, Play, Record, Reveal, TakeBack
from companion.table.session import Table

APPENDS = 6000
PART = 500
RESUMED = 1000
GOAL_RESUME = "1,000 entries p50 under 300 ms"


def line(what: str, seconds: list[float], goal: str = "") -> str:
    """One row: percentiles in milliseconds."""
    cuts = statistics.quantiles(seconds, n=100, method="inclusive")
    p50, p90, p99, most = (n * 1000 for n in (cuts[49], cuts[89], cuts[98], max(seconds)))
    return f"{what:<64} {p50:8.3f} {p90:8.3f} {p99:8.3f} {most:9.3f}   {len(seconds):7}  {goal}"


def entries_of(number: int, seq: int) -> list[Entry]:
    """What one move in a turn writes."""
    path = ["b2", "b3", "c3"][: seq % 3 + 1]
    moved = {"v": 1, "what": "moved", "hero": "red.1", "start": "b1", "path": path, "half": "points", "cost": len(path)}
    choice = {"do": "move", "seat": "red", "hero": "red.1", "path": path}
    return [Entry(seq, "step", {"seat": "red", "choice": choice, "events": 1}), Entry(seq + 1, "event", moved)]


def appending(store: Store, folder: Path) -> None:
    """One long game: the first appends against the last ones."""
    number = store.begin("sir-holland", {"red": "Ana"}, [Entry(1, "event", {"what": "opened"})])
    samples = []
    for seq in range(2, 2 * APPENDS, 2):
        entries = entries_of(number, seq)
        began = perf_counter()
        store.append(number, entries)
        samples.append(perf_counter() - began)
    size = sum(p.stat().st_size for p in folder.iterdir()) / 1e6
    print(line(f"append, the first {PART}", samples[:PART]))
    middle = len(samples) // 2
    print(line(f"append, {PART} in the middle", samples[middle : middle + PART]))
    print(line(f"append, the last {PART} of a file of {size:.1f} MB", samples[-PART:], "as the first"))


def syncing(folder: Path) -> None:
    """The disk alone: 8 kB and a sync, which no append can do without."""
    samples = []
    with (folder / "sync").open("wb", buffering=0) as file:
        for _ in range(PART):
            began = perf_counter()
            file.write(b"x" * 8240)
            os.fsync(file.fileno())
            samples.append(perf_counter() - began)
    (folder / "sync").unlink()
    print(line("the disk alone: write 8 kB, fsync", samples))


def random_record(store: Store, seed: int) -> Record:
    """A real game of RESUMED entries: it is played, and taken back from time to time so that it lasts."""
    game, rng = find_game("sir-holland"), Random(seed)
    assert game is not None
    table, _ = Table.begin(game, store, ("red", "blue", "green", "yellow"), {}, {}, rng)
    while table.snapshot().seq < RESUMED:
        now = table.snapshot()
        over = now.view["phase"] == "over"
        if now.undo and (over or rng.random() < 0.1):
            table.request(TakeBack(None, agreed=True))
        else:
            table.request(Reveal() if now.held else Play(rng.choice(now.choices)))
    record = store.record(table.number)
    return Record(record.number, record.game, record.names, record.entries[:RESUMED])


def resuming(store: Store) -> None:
    """From the file to a table that can be played on."""
    read, replayed, whole = [], [], []
    record = random_record(store, 1)
    for _ in range(60):
        gc.collect()
        began = perf_counter()
        again = store.record(record.number)
        middle = perf_counter()
        table = Table.resume(record, store).table
        table.snapshot()
        end = perf_counter()
        read.append(middle - began)
        replayed.append(end - middle)
        whole.append(end - began)
        assert again.entries[:RESUMED] == record.entries
    print(line(f"read {RESUMED} entries", read))
    print(line(f"replay {RESUMED} entries, with the first snapshot", replayed))
    print(line("both: resume", whole, GOAL_RESUME))


def opening(path: Path) -> None:
    """The whole file is looked through before it is used."""
    samples = []
    for _ in range(30):
        began = perf_counter()
        store, told = open_store(path)
        samples.append(perf_counter() - began)
        assert told == ()
        store.close()
    print(line(f"open a file of {path.stat().st_size / 1e6:.1f} MB", samples))


def main() -> None:
    """All of it."""
    parent = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    with tempfile.TemporaryDirectory(dir=parent) as name:
        folder = Path(name)
        print(f"{'ms':<64} {'p50':>8} {'p90':>8} {'p99':>8} {'max':>9}   {'samples':>7}")
        syncing(folder)
        store, _ = open_store(folder / "games")
        appending(store, folder)
        resuming(store)
        store.close()
        opening(folder / "games")


if __name__ == "__main__":
    main()
