"""kill -9 of the whole program at random moments: it resumes, nothing announced is missing, nothing is half there."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

from companion.adapters.sqlite import open_store
from companion.table.session import Table
from tests.torture.scripted_house import check_sum

KILLS = 100 if os.environ.get("GRYPHON_LONG") else 10
START = 60.0
"""Seconds that the program may take to announce something, on a machine that does much else."""


def test_kill_at_random_moments(tmp_path: Path) -> None:
    """After every kill the journal replays whole, and holds every outcome that was announced, with the same view."""
    rng = Random(1)
    announced = 0
    for n in range(KILLS):
        lines = list(_run_and_kill(tmp_path, n, rng.uniform(0.0, 1.0)))
        assert lines, (tmp_path / "errors.txt").read_text()
        announced += len(lines)
        store, lost = open_store(tmp_path / "gryphon.sqlite3")
        assert lost == ()
        for game in {line["game"] for line in lines}:
            record = store.record(game)
            told = {line["seq"]: line["view"] for line in lines if line["game"] == game}
            assert record.entries[-1].seq >= max(told)
            assert not Table.resume(record, store).aside
            for seq in sorted(told)[-3:]:
                table = Table.resume(replace(record, entries=record.entries[:seq]), store).table
                assert check_sum(table.snapshot().view) == told[seq]
        store.close()
    print(f"{KILLS} kills, {announced} announced outcomes, all of them in the journal")


def _run_and_kill(data: Path, seed: int, after: float) -> Iterator[dict[str, int]]:
    """Start the program, let it play so many seconds, kill it; what it printed."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.torture.scripted_house", str(data), str(seed)],
        stdout=subprocess.PIPE,
        stderr=(data / "errors.txt").open("w"),
        cwd=Path(__file__).parents[2],
    )
    assert process.stdout is not None
    too_long = threading.Timer(START, process.kill)
    too_long.start()
    try:
        first = process.stdout.readline()
        too_long.cancel()
        time.sleep(after)
        assert process.poll() is None, (data / "errors.txt").read_text()
    finally:
        process.send_signal(signal.SIGKILL)
        output = (first + process.stdout.read()).decode()
        process.wait()
    # the last line may have been cut off by the kill
    for line in output[: output.rfind("\n") + 1].splitlines():
        yield json.loads(line)
