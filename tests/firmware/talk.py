"""The host's end of a board's port, for tests that talk with it frame by frame."""

import select
import time

import serial

from firmware import wire

PATIENCE = 30


class Talk:
    """The host's end, byte by byte."""

    def __init__(self, path):
        until = time.monotonic() + PATIENCE
        while True:
            try:
                self.port = serial.Serial(str(path), 115200, timeout=0)
                break
            except (OSError, serial.SerialException):
                assert time.monotonic() < until, "the board does not come"
                time.sleep(0.02)
        self.decoder = wire.Decoder()
        self.said = []
        self.raw = b""
        self._seq = 0

    def send(self, kind, *args):
        self.port.write(wire.encode(self._seq, kind, *args))
        self._seq += 1

    def wait(self, kind, *args):
        """The first frame that begins so, not heard before."""
        until = time.monotonic() + PATIENCE
        while True:
            for n, said in enumerate(self.said):
                if said[: 1 + len(args)] == (kind, *args):
                    del self.said[: n + 1]
                    return said
            assert time.monotonic() < until, f"no {kind} in {self.said}, {self.raw}"
            if select.select([self.port], [], [], 0.1)[0]:
                data = self.port.read(4096)
                self.raw += data
                self.said += [(kind, *args) for _, kind, args in self.decoder.feed(data)]

    def greet(self, nonce="7A3C"):
        self.send("hello?", nonce)
        return self.wait("hello", nonce)
