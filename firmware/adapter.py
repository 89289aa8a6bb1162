"""No board at all: one PN532 on a USB-UART adapter, with this program, under the table's own Python, as its board.

    python adapter.py BOARD ADAPTER TABLE

BOARD is the id that it greets with; ADAPTER and TABLE are the numbers of open streams: the adapter's, which never
waits, and the one on which the table talks as to any board. It ends with either of them. hardware/hsu.py starts it.
"""

import os
import select
import sys

from main import Port, run
from pins import Place
from pn532 import PN532
from ports import Pn532Uart


class Uart:
    """The adapter's stream with what ports.py wants of a board's UART."""

    def __init__(self, stream):
        self._stream = stream
        self._in = select.poll()
        self._in.register(stream, select.POLLIN)
        self.there = True  # until somebody pulls it out

    def any(self):
        return self.there and self._in.poll(0)

    def read(self):
        return self._whether(lambda: os.read(self._stream, 256))

    def write(self, data):
        self._whether(lambda: os.write(self._stream, data))

    def _whether(self, act):
        try:
            done = act()
        except BlockingIOError:
            return b""  # no room, or nothing there: the missing answer tells
        except OSError:
            done = b""
        if not done:
            self.there = False
        return done


if __name__ == "__main__":
    uart = Uart(int(sys.argv[2]))
    with open(int(sys.argv[3]), "r+b", 0) as table:
        port = Port(table, table)
        places = [Place(PN532(Pn532Uart(uart)))]
        run(places, [], port, sys.argv[1], more=lambda: uart.there and not port.ended)
