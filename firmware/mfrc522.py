"""MFRC522 on SPI, register by register (NXP data sheet MFRC522, rev. 3.9; tags: ISO/IEC 14443-3, type A).

A look wakes all tags in the field, asks for their UID level by level, and sends the one found to sleep again, so that
the next look finds it as the first one did. A tag that was left awake would answer only every second time.
"""

from looks import COLLISION, PENDING, Deaf
from ticks import ticks_diff, ticks_ms

# registers (data sheet 9.2)
COMMAND, COM_IRQ, ERROR = 0x01, 0x04, 0x06
FIFO_DATA, FIFO_LEVEL, BIT_FRAMING, TX_CONTROL, TX_ASK, RF_GAIN = 0x09, 0x0A, 0x0D, 0x14, 0x15, 0x26
TIMER_MODE, TIMER_PRESCALER, TIMER_LOW, VERSION = 0x2A, 0x2B, 0x2D, 0x37

# commands (data sheet 10.3)
IDLE, TRANSCEIVE, SOFT_RESET = 0x00, 0x0C, 0x0F

NOBODY = (0x00, 0xFF)  # a line without a chip; any other version is an MFRC522 or one of its many clones
GAIN = 0x50  # 38 dB: at the most (48 dB) two readers side by side hear each other instead of their tags
WAKE, HALT = 0x52, 0x50  # WUPA, HLTA
LEVELS = (0x93, 0x95, 0x97)  # anticollision and select, cascade level 1 to 3
CASCADE = 0x88  # the first byte of a UID that goes on at the next level
TIMEOUT = 60  # ms for the oscillator to start after a reset
AGAIN = 2  # times that a register which reads wrong is read once more: on a bad line the chip may be well
LONGEST = 10  # ms that a look waits in all; the chip's own timer ends a call after 2, so then it is stuck
ASKED = 50  # times that a stuck chip was asked at least: where other programs run, too, 10 ms may pass between two


def crc_a(data):
    """CRC_A of ISO/IEC 14443-3, low byte first."""
    value = 0x6363
    for byte in data:
        low = byte ^ (value & 0xFF)
        low = (low ^ (low << 4)) & 0xFF
        value = (value >> 8) ^ (low << 8) ^ (low << 3) ^ (low >> 4)
    return bytes((value & 0xFF, value >> 8))


class MFRC522:
    """A chip behind `port`, which has swap(bytes) -> the bytes that came back meanwhile."""

    name = "mfrc522"
    waits = True

    def __init__(self, port):
        self._port = port
        self._waited = 0
        self.start()

    def start(self):
        """See looks.py."""
        self._write(COMMAND, SOFT_RESET)
        self._version = None  # known once it is set up
        self._since = None  # the first look after the reset

    def look(self, now):
        """See looks.py."""
        if self._version is None and not self._ready(now):
            return PENDING
        self._check_settings()
        self._waited = 0
        # tags that met in the last look were left in the middle of it, and hear the first call only as its end
        if self._exchange((WAKE,), 7) is None and self._exchange((WAKE,), 7) is None:
            return None
        return self._select()

    def _check_settings(self):
        """Deaf where the chip has lost its settings; ValueError where only its answer was garbled."""
        for tries in range(AGAIN + 1):
            if self._read(VERSION) == self._version and self._read(TX_CONTROL) & 3 == 3:
                if tries:
                    raise ValueError("register")
                return
        raise Deaf

    def _ready(self, now):
        """Whether the reset is over; then sets the chip up."""
        version = self._read(VERSION)
        if version in NOBODY or self._read(COMMAND) & 0x10:
            if self._since is None:
                self._since = now
            if ticks_diff(now, self._since) > TIMEOUT:
                raise Deaf
            return False
        self._version = version
        for register, value in (
            (TIMER_MODE, 0x80), (TIMER_PRESCALER, 0xA9), (TIMER_LOW, 0x50),  # it starts by itself; 25 us, 2 ms
            (TX_ASK, 0x40), (RF_GAIN, GAIN),
        ):  # fmt: skip
            self._write(register, value)  # all others are right after a reset
        self._write(TX_CONTROL, self._read(TX_CONTROL) | 3)  # the antenna
        return True

    def _select(self):
        """The UID of the one tag that is awake, level by level."""
        uid = b""
        for level in LEVELS:
            part = self._exchange((level, 0x20))
            if part is COLLISION:
                return COLLISION
            if part is None:
                raise ValueError("silence")  # a tag has answered the call: this is no clean miss
            if len(part) != 5 or part[0] ^ part[1] ^ part[2] ^ part[3] != part[4]:
                raise ValueError("anticollision")
            request = bytes((level, 0x70)) + part
            answer = self._exchange(request + crc_a(request))
            if answer is COLLISION:
                return COLLISION
            if answer is None:
                raise ValueError("silence")
            if len(answer) != 3 or crc_a(answer[:1]) != answer[1:]:
                raise ValueError("select")
            if not answer[0] & 0x04:
                self._exchange(bytes((HALT, 0)) + crc_a((HALT, 0)))  # a tag that obeys says nothing
                return uid + part[:4]
            if part[0] != CASCADE:
                raise ValueError("cascade")
            uid += part[1:4]
        raise ValueError("more levels than there are")

    def _exchange(self, data, bits=0):
        """Send; what came back: bytes, None for silence, or COLLISION. bits: of the last byte, 0 for all eight."""
        self._write(COMMAND, IDLE)
        self._write(COM_IRQ, 0x7F)
        self._write(FIFO_LEVEL, 0x80)
        self._port.swap(bytes((FIFO_DATA << 1,)) + bytes(data))
        self._write(BIT_FRAMING, bits)
        self._write(COMMAND, TRANSCEIVE)
        self._write(BIT_FRAMING, bits | 0x80)
        since = ticks_ms()
        asked = 0
        happened = self._read(COM_IRQ)
        while not happened & 0x31:  # received, idle, or the timer ran out
            asked += 1
            if asked > ASKED and self._waited + ticks_diff(ticks_ms(), since) > LONGEST:
                raise Deaf
            happened = self._read(COM_IRQ)
        self._waited += ticks_diff(ticks_ms(), since)
        if not happened & 0x30:
            return None
        wrong = self._read(ERROR)
        if wrong & 0x08:
            return COLLISION
        if wrong & 0x13:  # buffer, parity, protocol
            raise ValueError("reply")
        length = min(self._read(FIFO_LEVEL) & 0x7F, 64)
        return bytes(self._port.swap(bytes((0x80 | FIFO_DATA << 1,)) * length + b"\0")[1:])

    def _write(self, register, value):
        self._port.swap(bytes((register << 1, value)))

    def _read(self, register):
        return self._port.swap(bytes((0x80 | register << 1, 0)))[1]
