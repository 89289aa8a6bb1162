"""A USB-UART adapter with a bare PN532: the fake chip, frame by frame, on the far end of a pty."""

import os
import select
import sys
from pathlib import Path

import firmware
from tests.hardware.boards import OnPty

sys.path.append(str(Path(firmware.__file__).parent))  # on a board the files lie flat
from fakechips import FakePN532, Field
from pn532 import ACK, frame, unframe


class AdapterWithChip(OnPty):
    """What lies on it is in `field`; plugged in again, the chip begins anew."""

    def __init__(self, port):
        self.field = Field()
        super().__init__(port)

    def plug(self):
        self._chip = FakePN532(self.field)
        super().plug()

    def _run(self):
        heard = b""
        while self._going:
            if not select.select([self._end], [], [], 0.02)[0]:
                continue
            heard += os.read(self._end, 256)
            if ACK in heard:
                self._chip.send(self._chip.wake + ACK)
                heard = heard.split(ACK)[-1]
            body, rest = unframe(heard)
            if body:
                self._chip.send(frame(body[1:]))
                heard = rest
            while piece := self._chip.fetch():
                os.write(self._end, piece)
