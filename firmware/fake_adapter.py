"""A PN532 on a USB-UART adapter without hardware: the fake chip, frame by frame, on streams 0 and 1.

    python fake_adapter.py CONTROLS

The stream with the number CONTROLS takes the commands of fake.py, for reader 0. hardware/fakes.py starts it.
"""

import sys
import time

from fake import Controls, raw
from fakechips import FakePN532, Field
from main import Port
from pn532 import ACK, frame, unframe

PAUSE = 0.002  # seconds between two looks at the line: a UART would bring some 20 bytes in that time


class Line:
    """The chip behind a line that brings its host's bytes in any pieces."""

    def __init__(self, chip):
        self._chip = chip
        self._heard = b""

    def hear(self, data):
        """Takes what the host sent; gives what the chip says by now."""
        self._heard += data
        if ACK in self._heard:  # the host gives up what it asked for
            self._chip.send(ACK)
            self._heard = self._heard.split(ACK)[-1]
        try:
            body, rest = unframe(self._heard)
        except ValueError:  # garbage: the chip waits for the next frame
            body, rest = None, b""
        if body:
            self._chip.send(frame(body[1:]))
        self._heard = rest
        said = b""
        while piece := self._chip.fetch():
            said += piece
        return said


if __name__ == "__main__":
    field = Field()
    controls = Controls(raw(int(sys.argv[1]), "r+b"), [field])
    line, port = Line(FakePN532(field)), Port(raw(0, "rb"), raw(1, "wb"))
    while controls.open and not port.ended:
        controls.look()
        said = line.hear(port.read())
        if said:
            port.write(said)
        time.sleep(PAUSE)
