"""A board without hardware: main.py and the drivers, over fake chips and buttons that a second stream controls.

    micropython fake.py READERS PANELS BOARD [CHIP [CONTROLS]]

The serial line is on streams 0 and 1, the controls on the stream with the number CONTROLS, or 3. They take one
command a line, and tell what lamps and buzzers would do:

    lay N UID [UID...]   tags lie on reader N (two or more: a collision)      <- light N PATTERN
    lift N               nothing lies there                                  <- sound N NAME
    radio N HOW          a profile of fakechips.py: `good`, `half`, `misses`, `noise`, `slow`, `deaf`, `absent`
    down P B, up P B     button B (from 1) of panel P

It ends when they do. hardware/fakes.py starts it; a person can: see README.md.
"""

import sys

from fakechips import FakePN532, Field, chip_port
from main import Port, run
from mfrc522 import MFRC522
from pins import Place
from pn532 import PN532

DRIVERS = {"mfrc522": MFRC522, "pn532": PN532}


class FakeLight:
    """A lamp and a buzzer that tell what they are told."""

    def __init__(self, number, tell):
        self._number = number
        self._tell = tell

    def show(self, pattern):
        self._tell("light", self._number, pattern)

    def play(self, name):
        self._tell("sound", self._number, name)

    def step(self, now):
        pass


class FakePanel:
    """Seven buttons that somebody else presses."""

    buttons = 7

    def __init__(self):
        self._down = 0

    def set(self, button, down):
        bit = 1 << (button - 1)
        self._down = self._down | bit if down else self._down & ~bit

    def down(self):
        return self._down


class Controls:
    """Lines on the control stream -> tags in the fields and fingers on the buttons; and back, what `tell` is told."""

    def __init__(self, stream, fields, panels=()):
        self._stream = stream
        self._port = Port(stream, stream)
        self._line = b""
        self._fields = fields
        self._panels = panels
        self.open = True

    def tell(self, *words):
        self._stream.write((" ".join([str(word) for word in words]) + "\n").encode())

    def look(self):
        data = self._port.read()
        if self._port.ended:
            self.open = False
        self._line += data
        while b"\n" in self._line:
            line, self._line = self._line.split(b"\n", 1)
            self.obey(line.decode().split())

    def obey(self, words):
        what, number, rest = words[0], int(words[1]), words[2:]
        if what == "lay":
            self._fields[number].tags = [bytes.fromhex(uid) for uid in rest]
        elif what == "lift":
            self._fields[number].tags = []
        elif what == "radio":
            self._fields[number].radio = rest[0]
        else:
            self._panels[number].set(int(rest[0]), what == "down")


def raw(number, mode):
    """A stream by its number, unbuffered, under both Pythons."""
    return open(number, mode, 0)


if __name__ == "__main__":
    FakePN532.PIECE = 57  # what a UART brings in the 5 ms of a turn
    chip, stream = sys.argv[4:] + ["pn532", "3"][len(sys.argv[4:]) :]
    fields = [Field() for _ in range(int(sys.argv[1]))]
    panels = [FakePanel() for _ in range(int(sys.argv[2]))]
    controls = Controls(raw(int(stream), "r+b"), fields, panels)
    lights = [FakeLight(number, controls.tell) for number in range(len(fields))]
    controls.look()  # what lies there at start
    run(
        [Place(DRIVERS[chip](chip_port(chip, field)), light, light) for field, light in zip(fields, lights)],
        panels,
        Port(raw(0, "rb"), raw(1, "wb")),
        sys.argv[3],
        tick=controls.look,
        more=lambda: controls.open,
    )
