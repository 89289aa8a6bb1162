"""`gryphon devices watch` as a program: JSON on standard output and nothing else."""

import io
import json
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import hardware
from hardware.watch import watch
from tests.hardware.boards import UID, Inbox, ScriptedBoard

ROOT = Path(hardware.__file__).parent.parent
PROGRAM = "import sys; from hardware.watch import watch; sys.exit(watch(sys.argv[1], float(sys.argv[2]), sys.stdout))"


@pytest.fixture
def running(tmp_path):
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(tmp_path / "port"), "60"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    yield program
    program.kill()
    program.communicate()


def test_signals_come_at_once_and_alone(running, tmp_path):
    with ScriptedBoard(tmp_path / "port") as board:
        first = json.loads(running.stdout.readline())
        if first["signal"] == "link-lost":  # a slow machine
            assert json.loads(running.stdout.readline())["signal"] == "link-back"
            first = json.loads(running.stdout.readline())
        assert first == {"signal": "board-ready", "board": "b0a2d1", "firmware": "0.3.0", "readers": 2, "panels": 1}
        board.say("on", 0, UID)
        on = json.loads(running.stdout.readline())
        assert on == {"signal": "tag-on", "reader": "b0a2d1/0", "uid": UID, "foreign": False}
        board.say("off", 0, UID)  # waits for a flicker; must not be lost when we stop
        running.send_signal(signal.SIGTERM)
        _, errors = running.communicate(timeout=20)
    assert (running.returncode, errors) == (0, "")


def test_interrupt_ends_it_well(running, tmp_path):
    with ScriptedBoard(tmp_path / "port"):
        running.stdout.readline()
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=20)
    assert (running.returncode, errors) == (0, "")


def test_a_reader_of_the_output_that_goes_away_is_no_fault(running, tmp_path):
    running.stdout.close()
    running.stdout = None
    with ScriptedBoard(tmp_path / "port"):
        assert running.wait(20) == 0


def test_for_so_many_seconds_in_any_thread(tmp_path):
    out, done = io.StringIO(), Inbox()
    threading.Thread(target=lambda: done(watch(str(tmp_path / "none"), 0.1, out))).start()
    assert watch(str(tmp_path / "none"), 0.0, out) == 0
    assert out.getvalue() == ""
