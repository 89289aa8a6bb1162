"""`gryphon devices watch` as a program: JSON on standard output and nothing else."""

import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import hardware
from companion.cli import main
from firmware import wire
from hardware.fakes import FakeAdapter
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


def _command(tmp_path, *args):
    """`gryphon devices watch` with a file that names an adapter and one port."""
    config = tmp_path / "config.toml"
    config.write_text(
        f'[readers]\nports = ["{tmp_path / "board"}"]\nadapters = ["{tmp_path / "by-id"}/*"]\n', encoding="utf-8"
    )
    return subprocess.Popen(
        [sys.executable, "-m", "companion", "devices", "watch", *args, "--config", str(config), "--for", "60"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


@pytest.fixture
def adapter(tmp_path):
    (tmp_path / "by-id").mkdir()
    with FakeAdapter(tmp_path / "by-id" / "usb-adapter") as adapter:
        yield adapter


def _heard(program, wanted):
    """The next lines, until all that is wanted was there."""
    lines = []
    while not set(wanted) <= set(lines):
        lines.append(program.stdout.readline())
        assert lines[-1], (lines, program.stderr.read())
    return lines


def test_a_bare_chip_and_the_port_that_the_file_names_are_watched(tmp_path, adapter):
    with ScriptedBoard(tmp_path / "board"), _command(tmp_path) as program:
        try:
            ready = '{{"signal": "board-ready", "board": "{}", "firmware": "{}", "readers": {}, "panels": {}}}\n'
            lines = _heard(program, [ready.format("hsu-usb-adapter", wire.FIRMWARE, 1, 0),
                                     ready.format("b0a2d1", "0.3.0", 2, 1)])  # fmt: skip
            assert not [line for line in lines if "refused" in line]
            time.sleep(2)  # a busy machine may have kept the chip waiting: it is asked again after a second
            adapter.lay(0, UID)
            on = f'{{"signal": "tag-on", "reader": "hsu-usb-adapter/0", "uid": "{UID}", "foreign": false}}\n'
            _heard(program, [on])
        finally:
            program.kill()


def test_a_port_that_is_named_is_an_adapter_where_the_file_says_so(tmp_path, adapter):
    """Also by another name than that in the file; and nothing else is watched."""
    with ScriptedBoard(tmp_path / "board"), _command(tmp_path, "--port", os.path.realpath(adapter.port)) as program:
        try:
            first = json.loads(program.stdout.readline())
            if first["signal"] == "link-lost":  # a slow machine
                first = json.loads(program.stdout.readline())
            assert first["board"].startswith("hsu-")
        finally:
            program.kill()


def test_a_wrong_file_is_said_and_nothing_is_printed(tmp_path, capsys):
    file = tmp_path / "config.toml"
    file.write_text("[reader]\n")
    assert main(["devices", "watch", "--config", str(file), "--lang", "en"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f'gryphon: "{file}": There is no section [reader]. The sections are')
