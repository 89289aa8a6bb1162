"""Random bytes against everything that parses: the wire, the table's link, the drivers behind the board's loop.

No exception, and no tag that nobody laid. 100,000 streams in `make long`; chip_suite.py does the same for the drivers
alone under both Pythons.
"""

import random
import sys
from pathlib import Path

import pytest

import firmware
from firmware import wire
from hardware.link import Known, Link
from tests.conftest import LONG

sys.path.append(str(Path(firmware.__file__).parent))  # on a board the files lie flat
from fakechips import FakePN532, Field
from main import Board
from mfrc522 import MFRC522
from pins import Place
from pn532 import PN532

STREAMS = 100_000 if LONG else 1500
TAGS = {"tag-on", "tag-off", "tag-lying", "collision", "press", "release"}


def stream(dice):
    """Pure chance, or frames that chance has spoilt: cut, repeated, a bit turned, glued to others."""
    kind = dice.randrange(4)
    if kind == 0:
        return dice.randbytes(dice.randrange(200))
    if kind == 1:
        letters = b"0123456789ABCDEF on off lying ready*\n\r"
        return bytes(dice.choice(letters) for _ in range(dice.randrange(200)))
    data = b""
    for _ in range(dice.randrange(1, 6)):
        word = dice.choice(("hello", "reader", "ready", "on", "off", "lying", "press", "beat", "ack", "collision"))
        line = bytearray(wire.encode(dice.randrange(256), word, dice.randrange(4), "04A1B20000C3D4"))
        if kind == 2 or dice.random() < 0.7:
            line[dice.randrange(len(line))] ^= 1 << dice.randrange(8)
        else:
            del line[dice.randrange(len(line)) :]
        data += bytes(line)
    return data


def pieces(data, dice):
    """Whole, byte by byte, or as chance has it."""
    size = dice.choice((len(data) or 1, 1, dice.randrange(1, 40)))
    return [data[at : at + size] for at in range(0, len(data), size)]


def test_the_wire_and_a_link_before_its_greeting():
    dice = random.Random(21)
    heard = []
    for _ in range(STREAMS):
        decoder, link = wire.Decoder(), Link("port", Known(), heard.append, 0.0, named=False)
        data = stream(dice)
        for n, piece in enumerate(pieces(data, dice)):
            decoder.feed(piece)
            link.receive(piece, n / 1000)
        assert len(decoder._line) <= wire.LONGEST
    assert heard == []


def greeted(heard):
    """A link with a board of two readers and a panel."""
    link = Link("port", Known(), heard.append, 0.0)
    nonce = wire.Decoder().feed(link.take())[0][2][0]
    lines = [("hello", nonce, 1, "0.3.0", "ab"), ("reader", 0, "pn532", "presence"), ("reader", 1, "pn532", "presence")]
    for seq, frame in enumerate([*lines, ("panel", 0, 7), ("ready", 2, 1)]):
        link.receive(wire.encode(seq, *frame), 0.1)
    assert [signal.name for signal in heard] == ["board-ready"]
    return link


def test_a_running_link():
    """A frame that chance has left whole may say what it says; no other may."""
    dice = random.Random(22)
    heard = []
    link, now = greeted(heard), 0.1
    for _ in range(STREAMS):
        heard.clear()
        data = stream(dice)
        whole = any(wire.decode(line.rstrip(b"\r")) is not None for line in (b"\n" + data).split(b"\n"))
        for piece in pieces(data + b"\n", dice):
            now += 0.0001
            link.receive(piece, now)
        link.take()
        assert whole or not [signal for signal in heard if signal.name in TAGS], (data, heard)
        if link.ended or whole:
            heard.clear()
            link, now = greeted(heard), 0.1


class NoisyLine:
    """A UART or an SPI line of which every byte is chance; or the real chip, with bytes of chance between its own."""

    stream, waits = True, False

    def __init__(self, dice, chip=None):
        self._dice, self._chip = dice, chip

    def send(self, data):
        if self._chip:
            self._chip.send(data)

    wake = send

    def fetch(self):
        said = self._chip.fetch() if self._chip else b""
        if self._dice.random() < (0.03 if self._chip else 0.3):
            said += self._dice.randbytes(self._dice.randrange(30))
        return said

    def swap(self, data):
        return self._dice.randbytes(len(data))


class Sink:
    """The table's end, which only counts tags."""

    def __init__(self):
        self.tags = []
        self._decoder = wire.Decoder()

    def read(self):
        return b""

    def write(self, data):
        for _, kind, args in self._decoder.feed(bytes(data)):
            if kind in ("on", "lying"):
                self.tags.append(args[1])
        return len(data)


@pytest.mark.parametrize("what", ["pn532", "mfrc522", "pn532 among noise"])
def test_a_board_whose_lines_are_noise(what):
    dice = random.Random(23)
    field = Field()
    if what == "mfrc522":
        chip = MFRC522(NoisyLine(dice))
    else:
        chip = PN532(NoisyLine(dice, FakePN532(field) if what != "pn532" else None))
    sink = Sink()
    board = Board([Place(chip)], [], sink, "ab", 0)
    laid = "04A1B20000C3D4" if what == "pn532 among noise" else None
    for turn in range(STREAMS * 2):
        if laid and turn == 300:  # what lies there at start is not said before somebody asks
            field.tags = [bytes.fromhex(laid)]
        board.step(turn * 5)
    assert set(sink.tags) <= {laid}, sink.tags
    assert not laid or sink.tags
