"""The firmware's loop and drivers behind a pty, with both chips, under MicroPython and under CPython."""

import queue
import sys
import time

import pytest

from firmware import wire
from hardware.fakes import FakeBoard, python_for_boards
from tests.firmware.talk import PATIENCE, Talk

UID, OTHER, LONG = "04A1B20000C3D4", "0400000A", "04000102030405060708"
PYTHONS = {"micropython": python_for_boards(), "cpython": [sys.executable]}


@pytest.fixture(params=PYTHONS)
def python(request):
    command = PYTHONS[request.param]
    if request.param == "micropython" and command == PYTHONS["cpython"]:
        pytest.skip("no MicroPython on this machine")
    return command


@pytest.mark.parametrize("chip", ["mfrc522", "pn532"])
def test_stays_collisions_and_bad_radios(python, chip, tmp_path):
    told = queue.SimpleQueue()
    board = FakeBoard(
        tmp_path / "board", readers=2, panels=1, board="b0a2", chip=chip, command=python,
        tell=lambda *what: told.put(what),
    )  # fmt: skip
    with board:
        talk = Talk(board.port)
        assert talk.greet()[4] == "b0a2"
        assert [talk.wait("reader")[1:3] for _ in range(2)] == [("0", chip), ("1", chip)]
        assert talk.wait("panel") == ("panel", "0", "7")
        assert talk.wait("ready") == ("ready", "2", "1")
        talk.wait("beat")  # whatever lay there would have been said
        talk.port.write(b"\x03\xff*\n05 tags?*0000\n")  # no interrupt, no frame
        board.radio(0, "half")
        for number, uid in enumerate((UID, LONG)):
            board.lay(number, uid)
            assert talk.wait("on") == ("on", str(number), uid)
        board.press(0, 3)
        assert talk.wait("press") == ("press", "0", "3")
        talk.send("tags?")
        assert [talk.wait("lying")[1:] for _ in range(2)] == [("0", UID), ("1", LONG)]
        talk.wait("ack", "01")
        board.lift(0)
        assert talk.wait("off") == ("off", "0", UID)
        board.lay(1, LONG, OTHER)
        assert talk.wait("off") == ("off", "1", LONG)
        assert talk.wait("collision") == ("collision", "1")
        board.radio(0, "deaf")
        assert talk.wait("health") == ("health", "0", "deaf")
        assert talk.wait("health") == ("health", "0", "ok")
        board.lay(0, OTHER)
        assert talk.wait("on") == ("on", "0", OTHER)
        talk.send("light", 1, "locked")
        talk.send("sound", 0, "click")
        talk.wait("ack", "02")
        talk.wait("ack", "03")
        assert [told.get(timeout=PATIENCE) for _ in range(2)] == [("light", 1, "locked"), ("sound", 0, "click")]


def test_what_lies_there_stands_in_the_greeting(python, tmp_path):
    with FakeBoard(tmp_path / "board", readers=2, command=python) as board:
        board.unplug()
        board.lay(1, UID)
        board.plug()
        talk = Talk(board.port)
        talk.greet()
        assert talk.wait("lying") == ("lying", "1", UID)
        assert talk.wait("ready") == ("ready", "2", "0")


def test_a_host_that_does_not_read_does_not_hold_it_up(python, tmp_path):
    """A pty takes some kilobytes; after that the board drops and counts, goes on, and greets whoever comes next."""
    with FakeBoard(tmp_path / "board", readers=2, command=python) as board:
        for number in range(2):
            board.lay(number, UID)
        talk = Talk(board.port)
        talk.greet()
        for _ in range(2000):  # 100 kB of answers that nobody reads
            talk.port.write(wire.encode(0, "tags?"))
            time.sleep(0.0005)
        talk.port.reset_input_buffer()
        talk.decoder = wire.Decoder()
        talk.said.clear()
        talk.greet("0002")
        talk.wait("ready")
        assert int(talk.wait("beat")[3]) > 100
        talk.send("ping")
        talk.wait("ack")
