"""A Pico for rp2040py (--board-spec emulated.py:board) with our fake PN532 on its UART 1.

What lies on it stands in the file tag-uart1 of the folder that it runs in; how bright its lamp is (GP16), it writes to
the file lamp there.
"""

import sys
from dataclasses import replace
from pathlib import Path

from rp2040py.boards import BOARDS
from rp2040py.peripherals.uart import RPUART

TESTS = Path(__file__).resolve().parent.parent
sys.path += [str(TESTS.parents[1] / "firmware"), str(TESTS / "fakes")]

from fakechips import FakePN532  # noqa: E402
from machine import FileField  # noqa: E402
from pn532 import ACK, frame, unframe  # noqa: E402

# rp2040py 0.3.6 holds the interrupt for "there is room to send" up for ever, and MicroPython never leaves it
RPUART.check_interrupts = lambda uart: uart.rp2040.set_interrupt(
    uart.irq, bool(uart._interrupt_status & uart._interrupt_mask)
)


class Reader:
    """The chip, byte by byte, and a look at the lamp while we are here."""

    def __init__(self):
        self._chip = FakePN532(FileField("uart1"))
        self._heard = b""
        self._shown = None

    def attach(self, mcu):
        """Wires it up."""
        self._mcu = mcu
        mcu.uart[1].on_byte = self._hear

    def _hear(self, byte):
        self._heard += bytes((byte,))
        if self._heard.endswith(ACK):
            self._chip.send(ACK)
            self._heard = b""
        else:
            body, _ = unframe(self._heard)
            if body:
                self._chip.send(frame(body[1:]))
                self._heard = b""
        while piece := self._chip.fetch():
            for said in piece:
                self._mcu.uart[1].feed_byte(said)
        bright = self._mcu.pwm.channels[0].cc & 0xFFFF
        if bright != self._shown:
            self._shown = bright
            Path("lamp").write_text(str(bright))


board = replace(BOARDS["pico"], extras=(*BOARDS["pico"].extras, Reader))
