"""The chip suite under both Pythons: drivers, fake chips and the board's loop."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import firmware
from hardware.fakes import python_for_boards

FIRMWARE = Path(firmware.__file__).parent
SUITE = Path(__file__).with_name("chip_suite.py")
LONG = ["LONG"] if os.environ.get("GRYPHON_LONG") else []

sys.path.append(str(FIRMWARE))  # on a board the files lie flat
from tests.firmware import chip_suite  # noqa: E402


@pytest.mark.parametrize(("name", "test"), chip_suite.tests())
def test_under_cpython(name, test, monkeypatch):
    monkeypatch.setattr(chip_suite, "STREAMS", 100_000 if LONG else 2_000)
    test()


@pytest.mark.slow
def test_under_micropython():
    command = python_for_boards()
    if command == [sys.executable]:
        pytest.skip("no MicroPython on this machine")
    done = subprocess.run(
        [*command, str(SUITE), *LONG],
        env={"MICROPYPATH": f"{FIRMWARE}:.frozen"},
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.split("\n")[:-1] == [f"ok {name}" for name, _test in chip_suite.tests()]
