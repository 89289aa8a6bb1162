"""All benches, one after another, each in a process of its own: `make bench`. ARGS="rules" runs only that one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

BENCHES = sorted(p.stem.removeprefix("bench_") for p in Path(__file__).parent.glob("bench_*.py"))


def main(wanted: list[str]) -> int:
    """Run the benches that are wanted, or all of them; 1 if one of them failed."""
    if unknown := set(wanted) - set(BENCHES):
        print(f"no such bench: {', '.join(sorted(unknown))}; there are {', '.join(BENCHES)}", file=sys.stderr)
        return 2
    failed = False
    for name in wanted or BENCHES:
        print(f"\n== {name}", flush=True)
        failed |= subprocess.run([sys.executable, "-m", f"tests.bench.bench_{name}"]).returncode != 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
