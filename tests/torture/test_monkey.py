"""The monkey of monkey.py: no exception, no dead screen, and a journal that replays. 20,000 steps in `make long`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.ui.screens import cover
from tests.torture import monkey

STEPS = 10_000 if os.environ.get("GRYPHON_LONG") else 500


@pytest.mark.parametrize("seed", [1, 2])
def test_a_monkey_ends_nothing(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cover, "HOLD", 0.02)
    wanted = frozenset({"choose", "turn", "put_right"})
    done = monkey.run(STEPS, seed, tmp_path, wanted=wanted)
    try:
        assert done.check_journal()
        assert wanted <= done.seen.keys()
    finally:
        done.close()
