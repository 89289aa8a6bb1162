"""Chips without hardware: MFRC522 by its registers, PN532 by its frames, over a field with tags in it.

They sit where a board's SPI or UART would, so that the drivers run as they are. A field has a profile:
    good        every tag answers
    half        about every second look finds nothing
    misses      one look in twenty finds nothing, at random
    noise       what comes back is garbled
    slow        a PN532 answers late, but in time
    deaf        the chip does not answer until it is started anew
    absent      there is no chip
"""

from looks import PENDING  # noqa: F401  so that a test needs this module only
from mfrc522 import (
    BIT_FRAMING,
    COLL,
    COM_IRQ,
    COMMAND,
    ERROR,
    FIFO_DATA,
    FIFO_LEVEL,
    LEVELS,
    SOFT_RESET,
    TRANSCEIVE,
    TX_CONTROL,
    VERSION,
    crc_a,
)
from pn532 import ACK, LIST, PARAMETERS, RF, SAM, unframe

PROFILES = ("good", "half", "misses", "noise", "slow", "deaf", "absent")


class Field:
    """What lies over an antenna. tags: UIDs as bytes; radio: the profile."""

    def __init__(self):
        self.tags = []
        self.radio = "good"
        self._calls = 0
        self._quiet = 0  # calls that nobody will answer
        self._chance = 1

    def present(self, tries=1):
        """The tags that answer a call. tries: how often a look calls before it believes that there is none."""
        self._calls += 1
        self._quiet -= 1
        if self._quiet >= 0:
            return []
        if (self.radio == "half" and self._calls // tries % 2) or (self.radio == "misses" and self._random() % 20 == 0):
            self._quiet = tries - 1
            return []
        return self.tags

    def _random(self):
        """A small generator of its own (Park and Miller), the same under every Python."""
        self._chance = self._chance * 48271 % 0x7FFFFFFF
        return self._chance >> 4

    def started(self):
        """The chip was started anew."""
        if self.radio == "deaf":
            self.radio = "good"


class _Tag:
    """A type A tag: idle, ready, active or halted (ISO/IEC 14443-3, 6.3)."""

    def __init__(self, uid):
        self.uid = uid
        self.state = "idle"
        self.level = 0

    def _part(self):
        """Four bytes of the UID at this level, and their check byte."""
        rest = self.uid[self.level * 3 :]
        part = rest[:4] if len(rest) == 4 else b"\x88" + rest[:3]
        return part + bytes((part[0] ^ part[1] ^ part[2] ^ part[3],))

    def hear(self, data, bits):
        """Its answer to a frame, or None."""
        if bits == 7 and data[0] in (0x26, 0x52):
            if self.state == "idle" or (self.state == "halt" and data[0] == 0x52):
                self.state, self.level = "ready", 0
                return b"\x44\x00" if len(self.uid) > 4 else b"\x04\x00"
            if self.state != "halt":
                self.state = "idle"  # a frame out of turn: back to the start, without a word
            return None
        if self.state == "active" and data[:2] == b"\x50\x00":
            self.state = "halt"
            return None
        if self.state == "ready" and data[0] == LEVELS[self.level]:
            if data[1] == 0x20:
                return self._part()
            if data[1] == 0x70 and data[2:7] == self._part() and crc_a(data[:7]) == data[7:]:
                last = len(self.uid) - self.level * 3 == 4
                sak = b"\x08" if last else b"\x04"
                self.level += not last
                self.state = "active" if last else "ready"
                return sak + crc_a(sak)
        self.state = "halt" if self.state == "halt" else "idle"
        return None


class FakeMFRC522:
    """swap(bytes) as the chip's SPI would."""

    def __init__(self, field):
        self.field = field
        self._tags = []
        self._reset()

    def _reset(self):
        self._registers = bytearray(64)
        self._registers[VERSION] = 0x92
        self._registers[COMMAND] = 0x20
        self._registers[TX_CONTROL] = 0x80
        self._fifo = b""
        self._deaf = False

    def swap(self, data):
        """A register and what is written to it, or registers to be read, one after another (data sheet 8.1.2)."""
        if self.field.radio == "absent" or (self.field.radio == "deaf" and not self._starts(data)):
            return bytes(len(data))
        if data[0] & 0x80:
            return b"\0" + bytes([self._read(address >> 1 & 0x3F) for address in data[:-1]])
        for value in data[1:]:
            self._write(data[0] >> 1 & 0x3F, value)
        return bytes(len(data))

    @staticmethod
    def _starts(data):
        return tuple(data) == (COMMAND << 1, SOFT_RESET)

    def _read(self, register):
        if register == FIFO_LEVEL:
            return len(self._fifo)
        if register == FIFO_DATA:
            byte, self._fifo = (self._fifo[:1] or b"\0")[0], self._fifo[1:]
            return byte
        return self._registers[register]

    def _write(self, register, value):
        if register == COMMAND and value & 0x0F == SOFT_RESET:
            self._reset()
            self.field.started()
        elif register == FIFO_LEVEL and value & 0x80:
            self._fifo = b""
        elif register == FIFO_DATA:
            self._fifo += bytes((value,))
        elif register == COM_IRQ and not value & 0x80:
            self._registers[COM_IRQ] &= ~value & 0x7F
        else:
            self._registers[register] = value
            if register == BIT_FRAMING and value & 0x80 and self._registers[COMMAND] & 0x0F == TRANSCEIVE:
                self._transceive(value & 7)

    def _transceive(self, bits):
        data, self._fifo = self._fifo, b""
        self._registers[ERROR] = 0
        if bits == 7:
            self._move()
        answers = [answer for answer in [tag.hear(data, bits) for tag in self._tags] if answer is not None]
        if not answers:
            self._registers[COM_IRQ] |= 0x01  # the timer
            return
        self._registers[COM_IRQ] |= 0x30
        answer = answers[0]
        if any(other != answer for other in answers):
            self._registers[ERROR] |= 0x08
            self._registers[COLL] = 1
        if self.field.radio == "noise":
            self._registers[ERROR] |= 0x02
        self._fifo = answer

    def _move(self):
        """A look begins: tags that came are idle, tags that left are forgotten."""
        there = self.field.present(tries=2)
        known = {tag.uid: tag for tag in self._tags}
        self._tags = [known.get(uid) or _Tag(uid) for uid in there]


class FakePN532:
    """send(bytes) and fetch() as a port with the chip on a UART behind it. It speaks in pieces, as a UART does."""

    wake = b"\x55\x55" + bytes(14)
    stream = True
    SLOW = 6  # fetches that find nothing before a slow chip answers
    PIECE = 7  # bytes at a time: few, so that frames come in pieces

    def __init__(self, field):
        self.field = field
        self._out = b""
        self._late = 0
        self._awake = False
        self._retries = 0xFF  # endless, as after power-on

    def send(self, data):
        """What the host sends."""
        if self.field.radio == "absent":
            return
        if data.startswith(self.wake):
            self.field.started()
            data = data[len(self.wake) :]
        if self.field.radio == "deaf":
            return
        if data == ACK:
            self._out = b""  # the host gives up what it asked for
            return
        body = unframe(data)[0]
        if not body:
            return
        answer = self._obey(body[1:])
        self._out += ACK
        if answer is not None:
            self._out += self._framed(b"\xd5" + answer)
        self._late = self.SLOW if self.field.radio == "slow" else 0

    def fetch(self):
        """A piece of what it says."""
        if self._late:
            self._late -= 1
            return b""
        piece, self._out = self._out[: self.PIECE], self._out[self.PIECE :]
        return piece

    def _framed(self, body):
        if self.field.radio == "noise":
            body = body[:-1] + bytes((body[-1] ^ 0x10,))
            return bytes((0, 0, 0xFF, len(body), -len(body) & 0xFF)) + body + bytes((0, 0))
        return bytes((0, 0, 0xFF, len(body), -len(body) & 0xFF)) + body + bytes((-sum(body) & 0xFF, 0))

    def _obey(self, command):
        code = command[0]
        if code == SAM:
            self._awake = True
            return b"\x15"
        if code == RF:
            if command[1] == 5:
                self._retries = command[4]
            return b"\x33"
        if code == PARAMETERS:
            return b"\x13"
        if code == LIST:
            return self._list(command[1])
        return b"\x03\x32\x01\x06\x07"  # GetFirmwareVersion: PN532, 1.6

    def _list(self, most):
        tags = self.field.present()[:most]
        if not self._awake or (not tags and self._retries == 0xFF):
            return None
        found = b""
        for number, uid in enumerate(tags):
            found += bytes((number + 1, 0, 0x44 if len(uid) > 4 else 0x04, 0, len(uid))) + uid
        return b"\x4b" + bytes((len(tags),)) + found


def chip_port(name, field):
    """A fake chip of that name."""
    return FakeMFRC522(field) if name == "mfrc522" else FakePN532(field)
