"""Chips without hardware: MFRC522 by its registers, PN532 by its frames, over a field with tags in it.

They sit where a board's SPI or UART would, so that the drivers run as they are, and do no more than the data sheets
promise: a chip that is not set up finds nothing. A field has a profile:
    good        every tag answers
    half        about every second look finds nothing
    misses      one look in twenty finds nothing, at random
    noise       much of what comes back is garbled: bits are turned, with and without a parity error
    rough       of what comes back one reply in ten is lost and one in ten garbled, at random
    slow        the chip answers late, but in time
    deaf        the chip does not answer until it is started anew
    absent      there is no chip
"""

from looks import PENDING  # noqa: F401  so that a test needs this module only
from mfrc522 import (
    BIT_FRAMING,
    COM_IRQ,
    COMMAND,
    ERROR,
    FIFO_DATA,
    FIFO_LEVEL,
    IDLE,
    LEVELS,
    SOFT_RESET,
    TIMER_LOW,
    TIMER_MODE,
    TIMER_PRESCALER,
    TRANSCEIVE,
    TX_ASK,
    TX_CONTROL,
    VERSION,
)
from pn532 import ACK, LIST, PARAMETERS, RF, SAM, unframe

PROFILES = ("good", "half", "misses", "noise", "rough", "slow", "deaf", "absent")
FOREIGN = b"\x08"  # how the UID of a phone begins, which talks the protocol of ISO/IEC 14443-4


def crc(data, preset=0x6363):
    """CRC of ISO/IEC 14443-3, bit by bit, low byte first; by itself, so that it can differ from a driver's."""
    for byte in data:
        preset ^= byte
        for _ in range(8):
            preset = preset >> 1 ^ (0x8408 if preset & 1 else 0)
    return bytes((preset & 0xFF, preset >> 8))


class Field:
    """What lies over an antenna. tags: UIDs as bytes; radio: the profile.

    deaf_after: exchanges between chip and tags until the chip goes deaf by itself, or None.
    """

    def __init__(self):
        self.tags = []
        self.radio = "good"
        self.deaf_after = None
        self._calls = 0
        self._quiet = 0  # calls that nobody will answer
        self._chance = 1

    def present(self, tries=1):
        """The tags that answer a call. tries: how often a look calls before it believes that there is none."""
        self._calls += 1
        self._quiet -= 1
        if self._quiet >= 0:
            return []
        if (self.radio == "half" and self._calls // tries % 2) or (self.radio == "misses" and self.below(20) == 0):
            self._quiet = tries - 1
            return []
        return self.tags

    def below(self, n):
        """A small generator of chance (Park and Miller), the same under every Python."""
        self._chance = self._chance * 48271 % 0x7FFFFFFF
        return (self._chance >> 4) % n

    def turned(self, data):
        """The bytes with one bit turned."""
        at = self.below(len(data))
        return data[:at] + bytes((data[at] ^ 1 << self.below(8),)) + data[at + 1 :]

    def come_through(self, data):
        """What is left of a reply on a rough way: itself, with a bit turned, or None."""
        luck = self.below(10) if self.radio == "rough" else 2
        return None if luck == 0 else self.turned(data) if luck == 1 else data

    def exchanged(self):
        """The chip called its tags, or was about to."""
        if self.deaf_after is not None:
            self.deaf_after -= 1
            if self.deaf_after < 0:
                self.radio, self.deaf_after = "deaf", None

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
        """Its answer to a frame, or None. bits: of the last byte, 0 for all eight."""
        if bits == 7 and data in (b"\x26", b"\x52"):
            if self.state == "idle" or (self.state == "halt" and data == b"\x52"):
                self.state, self.level = "ready", 0
                return b"\x44\x00" if len(self.uid) > 4 else b"\x04\x00"
            if self.state != "halt":
                self.state = "idle"  # a frame out of turn: back to the start, without a word
            return None
        if self.state == "active" and not bits and data == b"\x50\x00" + crc(b"\x50\x00"):
            self.state = "halt"
            return None
        if self.state == "ready" and not bits:
            level = bytes((LEVELS[self.level],))
            if data == level + b"\x20":
                return self._part()
            select = level + b"\x70" + self._part()
            if data == select + crc(select):
                last = len(self.uid) - self.level * 3 == 4
                sak = b"\x08" if last else b"\x04"
                self.level += not last
                self.state = "active" if last else "ready"
                return sak + crc(sak)
        self.state = "halt" if self.state == "halt" else "idle"
        return None


# registers that our driver leaves as the reset does (data sheet 9.2), but another may not
MODE, TX_MODE, RX_MODE, TIMER_HIGH = 0x11, 0x12, 0x13, 0x2C
AFTER_RESET = ((COMMAND, 0x20), (MODE, 0x3F), (TX_CONTROL, 0x80))
PRESETS = (0x0000, 0x6363, 0xA671, 0xFFFF)
SENT, RECEIVED, WRONG, TIMED_OUT = 0x40, 0x20, 0x02, 0x01  # bits of COM_IRQ


class FakeMFRC522:
    """swap(bytes) as the chip's SPI would. Time passes with each look at COM_IRQ."""

    STARTS = 1  # looks at COMMAND before the oscillator runs
    TAKES = 2  # looks at COM_IRQ until an answer is there, or the timer has run out
    SLOW = 20  # the same of a slow chip
    ANSWERS = 1200  # cycles of 13.56 MHz before which no tag answers: its frame delay time

    def __init__(self, field, version=0x92):
        self.field = field
        self._version = version
        self._reset()

    def _reset(self):
        self._registers = bytearray(64)
        self._registers[VERSION] = self._version
        for register, value in AFTER_RESET:
            self._registers[register] = value
        self._starting = self.STARTS
        self._fifo = b""
        self._coming = []  # at each look at COM_IRQ: None, or (its bits, what is received, ERROR)
        self._tags = []

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
        if register == COMMAND and self._starting:
            self._starting -= 1
            return self._registers[COMMAND] | 0x10
        if register == COM_IRQ and self._coming:
            comes = self._coming.pop(0)
            if comes:
                self._registers[COM_IRQ] |= comes[0]
                self._fifo += comes[1]
                self._registers[ERROR] |= comes[2]
        return self._registers[register]

    def _write(self, register, value):
        if register == COMMAND and value & 0x0F == SOFT_RESET:
            self._reset()
            self.field.started()
        elif self._starting:
            pass  # without a clock it takes nothing in
        elif register == FIFO_LEVEL and value & 0x80:
            self._fifo = b""
        elif register == FIFO_DATA:
            self._fifo += bytes((value,))
        elif register == COM_IRQ and not value & 0x80:
            self._registers[COM_IRQ] &= ~value & 0x7F
        else:
            self._registers[register] = value
            if register == COMMAND and value & 0x0F == IDLE:
                self._coming = []
            if register == BIT_FRAMING and value & 0x80 and self._registers[COMMAND] & 0x0F == TRANSCEIVE:
                self._transceive(value & 7)

    def _transceive(self, bits):
        data, self._fifo = self._fifo, b""
        registers = self._registers
        registers[ERROR] = 0
        registers[COM_IRQ] |= SENT
        self.field.exchanged()
        passes = [None] * (self.SLOW if self.field.radio == "slow" else self.TAKES)
        answer = self._called(data, bits)
        timer = [(TIMED_OUT, b"", 0)] if registers[TIMER_MODE] & 0x80 else []
        if answer is None:
            self._coming = passes + timer
        elif timer and self._timer() < self.ANSWERS:
            self._coming = timer + passes + [answer]
        else:
            self._coming = passes + [answer]

    def _timer(self):
        """Cycles until the timer runs out (data sheet 8.5)."""
        registers = self._registers
        prescaler = (registers[TIMER_MODE] & 0x0F) << 8 | registers[TIMER_PRESCALER]
        return (2 * prescaler + 1) * ((registers[TIMER_HIGH] << 8 | registers[TIMER_LOW]) + 1)

    def _called(self, data, bits):
        """What a call leads to: bits of COM_IRQ, bytes and ERROR; None for silence."""
        registers = self._registers
        if registers[TX_CONTROL] & 3 != 3:
            self._tags = []  # they have no power
            return None
        if not registers[TX_ASK] & 0x40 or (registers[TX_MODE] | registers[RX_MODE]) & 0x70:
            return None  # tags of type A hear the full modulation only, and 106 kbit/s
        if bits == 7:
            self._move()
        preset = PRESETS[registers[MODE] & 3]
        if registers[TX_MODE] & 0x80:
            data += crc(data, preset)
        answers = [answer for answer in [tag.hear(data, bits) for tag in self._tags] if answer is not None]
        if not answers:
            return None
        answer, error = answers[0], 0
        if any(other != answer for other in answers):
            error |= 0x08
        if self.field.radio == "noise":
            kind = self.field.below(3)
            if kind == 0:
                error |= 0x02  # parity
            elif kind == 1:
                answer = self.field.turned(answer)
        answer = self.field.come_through(answer)
        if answer is None:
            return None
        if registers[RX_MODE] & 0x80:
            error |= 0x04 if crc(answer[:-2], preset) != answer[-2:] else 0
            answer = answer[:-2]
        return RECEIVED | (WRONG if error else 0), answer, error

    def _move(self):
        """A look begins: tags that came are idle, tags that left are forgotten."""
        there = self.field.present(tries=2)
        known = {tag.uid: tag for tag in self._tags}
        self._tags = [known.get(uid) or _Tag(uid) for uid in there]


class FakePN532:
    """A PN532 as a port: what its UART, or whatever it hangs on, brings. It speaks in pieces, as a UART does.

    misses: frames that pass it by after power-on, while it wakes up.
    """

    stream = True
    waits = False
    SLOW = 6  # fetches that find nothing before a slow chip answers
    PIECE = 7  # bytes at a time: few, so that frames come in pieces

    def __init__(self, field, misses=0):
        self.field = field
        self._misses = misses
        self._out = b""
        self._late = 0
        self._awake = False
        self._retries = 0xFF  # endless, as after power-on
        self._talks = True  # with phones, by itself, as after power-on
        self._talking = []  # with these, which do not hear another call

    def wake(self, data):
        """See pn532.py."""
        self.send(data)

    def send(self, data):
        """What the host sends."""
        if self.field.radio == "absent":
            return
        if self._misses:
            self._misses -= 1
            return
        body = unframe(data)[0]
        if body and body[1] == SAM:
            self.field.started()
        if self.field.radio == "deaf":
            return
        if not body:
            if data == ACK:
                self._out = b""  # the host gives up what it asked for
            return
        answer = self._obey(body[1:])
        if self.field.radio == "deaf":
            return
        said = self.field.come_through(ACK + (b"" if answer is None else self._framed(b"\xd5" + answer)))
        self._out += said or b""
        self._late = self.SLOW if self.field.radio == "slow" else 0

    def fetch(self):
        """A piece of what it says."""
        if self._late:
            self._late -= 1
            return b""
        piece, self._out = self._out[: self.PIECE], self._out[self.PIECE :]
        return piece

    def _framed(self, body):
        checked = body + bytes((-sum(body) & 0xFF,))
        if self.field.radio == "noise":
            checked = self.field.turned(checked)
        return bytes((0, 0, 0xFF, len(body), -len(body) & 0xFF)) + checked + b"\0"

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
            self._talks = bool(command[1] & 0x10)
            return b"\x13"
        if code == LIST:
            return self._list(command[1])
        return b"\x03\x32\x01\x06\x07"  # GetFirmwareVersion: PN532, 1.6

    def _list(self, most):
        self.field.exchanged()
        self._talking = [uid for uid in self._talking if uid in self.field.tags]
        tags = [uid for uid in self.field.present() if uid not in self._talking][:most]
        if not self._awake or (not tags and self._retries == 0xFF):
            return None
        if self._talks:
            self._talking += [uid for uid in tags if uid.startswith(FOREIGN)]
        found = b""
        for number, uid in enumerate(tags):
            found += bytes((number + 1, 0, 0x44 if len(uid) > 4 else 0x04, 0, len(uid))) + uid
        return b"\x4b" + bytes((len(tags),)) + found


def chip_port(name, field):
    """A fake chip of that name."""
    return FakeMFRC522(field) if name == "mfrc522" else FakePN532(field)
