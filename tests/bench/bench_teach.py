"""Teaching the 28 cards: from a card laid on a pretended reader until the program asks for the next one.

The whole of `gryphon cards teach` over real firmware, with hands that need no time at all: what is left of two minutes
belongs to people.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CARDS = 28
PEOPLE = 120.0  # seconds that teaching may take


def main() -> int:
    """Measure and print."""
    from companion.border import DWELL
    from hardware.fakes import FakeBoard

    with tempfile.TemporaryDirectory(prefix="gryphon-bench-") as name, FakeBoard(Path(name) / "board") as board:
        config = Path(name) / "config.toml"
        config.write_text(f'[readers]\nports = ["{board.port}"]\n', encoding="utf-8")
        program = subprocess.Popen(
            [sys.executable, "-m", "companion", "cards", "teach", "--lang", "en", "--config", config, "--data", name],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert program.stdout is not None
        asked = (line for line in program.stdout if " lay " in line or "All " in line)
        began = time.perf_counter()
        next(asked)
        ready = time.perf_counter()
        samples = []
        for n in range(CARDS):
            laid = time.perf_counter()
            board.lay(n % 4, f"04{n:06X}00C3D4")
            next(asked)
            samples.append((time.perf_counter() - laid) * 1000)
            board.lift(n % 4)
        program.communicate("q\n", timeout=20)
        samples.sort()
        p50, p95 = (samples[int(len(samples) * share)] for share in (0.50, 0.95))
        print(
            f"teach: laid -> the next card is asked for, {len(samples)} cards: p50 {p50:.0f} ms, p95 {p95:.0f} ms, max "
            f"{samples[-1]:.0f} ms ({DWELL * 1000:.0f} ms of it the card lies still until it counts); ready after "
            f"{ready - began:.1f} s; all 28 in two minutes leave hands "
            f"{(PEOPLE - sum(samples) / 1000) / CARDS:.1f} s a card; load {os.getloadavg()[0]:.1f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
