"""A board without hardware: main.py and the drivers, over fake chips and buttons that a second stream controls.

    micropython fake.py READERS PANELS BOARD [CONTROLS [CHIP]]

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
    """Lines on the control stream -> tags on the chips and fingers on the buttons."""

    def __init__(self, stream, readers, panels, chip):
        self._stream = stream
        self._port = Port(stream, stream)
        self._line = b""
        self.open = True
        self.fields = [Field() for _ in range(readers)]
        self.places = []
        for number, field in enumerate(self.fields):
            light = FakeLight(number, self.tell)
            self.places.append(Place(DRIVERS[chip](chip_port(chip, field)), light, light))
        self.panels = [FakePanel() for _ in range(panels)]

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
            self.fields[number].tags = [bytes.fromhex(uid) for uid in rest]
        elif what == "lift":
            self.fields[number].tags = []
        elif what == "radio":
            self.fields[number].radio = rest[0]
        else:
            self.panels[number].set(int(rest[0]), what == "down")


def raw(number, mode):
    """A stream by its number, unbuffered, under both Pythons."""
    return open(number, mode, 0)


if __name__ == "__main__":
    FakePN532.PIECE = 57  # what a UART brings in the 5 ms of a turn
    more = sys.argv[4:] + ["3", "pn532"][len(sys.argv[4:]) :]
    controls = Controls(raw(int(more[0]), "r+b"), int(sys.argv[1]), int(sys.argv[2]), more[1])
    controls.look()  # what lies there at start
    run(
        controls.places,
        controls.panels,
        Port(raw(0, "rb"), raw(1, "wb")),
        sys.argv[3],
        tick=controls.look,
        more=lambda: controls.open,
    )
