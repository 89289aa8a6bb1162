"""The pins suite under both Pythons."""

import subprocess
import sys
from pathlib import Path

import pytest

import firmware
from hardware.fakes import python_for_boards

FIRMWARE = Path(firmware.__file__).parent
FAKES = Path(__file__).with_name("fakes")
SUITE = Path(__file__).with_name("pins_suite.py")

sys.path += [str(FIRMWARE), str(FAKES)]  # on a board the files lie flat, and `machine` is there
from tests.firmware import pins_suite  # noqa: E402


@pytest.mark.parametrize(("name", "test"), pins_suite.tests())
def test_under_cpython(name, test):
    test()


def test_under_micropython():
    command = python_for_boards()
    if command == [sys.executable]:
        pytest.skip("no MicroPython on this machine")
    done = subprocess.run(
        [*command, str(SUITE)],
        env={"MICROPYPATH": f"{FIRMWARE}:{FAKES}:.frozen"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.split("\n")[:-1] == [f"ok {name}" for name, _test in pins_suite.tests()]
