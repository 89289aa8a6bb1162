"""PN532 on SPI, I2C or UART, frame by frame (NXP user manual UM0701-02).

The chip is asked for up to two tags and answers when it has looked, so that no look waits: a command is sent at one
look, its answer fetched at a later one. `port` has
    wake(bytes)     whatever makes a sleeping chip listen, and that frame
    send(bytes)     a whole frame to the chip
    fetch()         the bytes that have come from it; none while it has nothing to say
    stream          whether frames may come in pieces (UART); else one fetch is one frame, and the rest is filling
    waits           whether these may wait for a line that somebody holds down (I2C)
A look calls one of them, so it waits once at most.
"""

from looks import COLLISION, PENDING, Deaf
from ticks import ticks_diff

ACK = b"\x00\x00\xff\x00\xff\x00"
TO_CHIP, TO_HOST = 0xD4, 0xD5
VERSION, PARAMETERS, SAM, RF, LIST = 0x02, 0x12, 0x14, 0x32, 0x4A

SETUP = (
    bytes((SAM, 1, 20, 0)),  # normal mode; without it the chip answers once and falls asleep. The first after waking
    bytes((PARAMETERS, 4)),  # do not open a talk with phones and bank cards: they would not hear the next call
    bytes((RF, 5, 0xFF, 1, 1)),  # give up after two tries; by default it would never answer while no tag is there
)
PROBE = (bytes((VERSION,)), bytes((RF, 1, 1)))  # is it still the chip? And its field on, whatever happened to it
LOOK = bytes((LIST, 2, 0))  # up to two tags, type A, 106 kbit/s
PROMPT = 60  # ms to acknowledge the first command: one that wakes up may miss it, and is to be tried again soon
PATIENCE = 200  # ms that an answer may take
ASKED = 3  # times that a command is sent before a chip without an answer is deaf: a bad line loses some
PROBE_EVERY = 5000  # ms
LONGEST = 64  # bytes of an answer to these commands, with room for noise before it


def frame(data):
    """A command as the chip wants it."""
    body = bytes((TO_CHIP,)) + data
    return bytes((0, 0, 0xFF, len(body), -len(body) & 0xFF)) + body + bytes((-sum(body) & 0xFF, 0))


def unframe(buffer):
    """(what stands in the first whole frame or None, the bytes after it). An ACK is empty. ValueError if garbled."""
    start = buffer.find(b"\x00\xff")
    while start >= 0 and start + 4 <= len(buffer):
        length, check = buffer[start + 2], buffer[start + 3]
        if (length, check) == (0, 0xFF):
            return b"", buffer[start + 4 :]
        if (length + check) & 0xFF == 0 and length:
            end = start + 4 + length
            if len(buffer) <= end:
                return None, buffer[start:]
            body = buffer[start + 4 : end]
            if (sum(body) + buffer[end]) & 0xFF:
                raise ValueError("checksum")
            return body, buffer[end + 1 :]
        start = buffer.find(b"\x00\xff", start + 1)
    if len(buffer) > LONGEST:
        raise ValueError("no frame")
    return None, buffer


class PN532:
    """A chip behind `port`."""

    name = "pn532"

    def __init__(self, port):
        self.waits = port.waits
        self._port = port
        self._buffer = b""
        self._todo = []
        self._asked = None  # the command that waits for its answer
        self._acked = False
        self._sent = 0
        self._unanswered = 0
        self._probed = None
        self.start()

    def start(self):
        """See looks.py."""
        self._asked = None
        self._probed = None
        self._unanswered = 0
        self._todo = [None] + list(SETUP)  # None: wake it, and end what it is at

    def look(self, now):
        """See looks.py."""
        if self._asked is None:
            self._ask(now)
            return PENDING
        self._buffer += self._port.fetch()
        asked = self._asked
        try:
            answer = self._answer()
        except ValueError:
            self._ask_again(asked)
            raise
        if answer is not None:
            self._asked = None
            again, self._unanswered = self._unanswered, 0
            found = self._meaning(asked, answer)
            if again:
                raise ValueError("asked again")  # so that it is known that the line is bad
            return found
        wakes = asked == SETUP[0] and not self._acked
        if ticks_diff(now, self._sent) > (PROMPT if wakes else PATIENCE):
            self._unanswered += 1
            if wakes or self._unanswered >= ASKED:
                self._asked = None
                raise Deaf
            self._ask_again(asked)
        return PENDING

    def _ask_again(self, asked):
        self._asked = None
        self._todo = [None] + ([] if asked == LOOK else [asked]) + self._todo

    def _ask(self, now):
        if not self._todo and (self._probed is None or ticks_diff(now, self._probed) >= PROBE_EVERY):
            self._probed = now
            self._todo = list(PROBE)
        self._buffer = b""
        self._asked = self._todo.pop(0) if self._todo else LOOK
        self._acked = False
        self._sent = now
        if self._asked is None:
            self._port.wake(ACK)
        else:
            self._port.send(frame(self._asked))

    def _answer(self):
        """What follows the command's code in the answer, once it is there."""
        while True:
            body, self._buffer = unframe(self._buffer)
            if not self._port.stream:
                self._buffer = b""
            if body is None:
                return None
            if body == b"":
                self._acked = True
            elif self._acked and body[:2] == bytes((TO_HOST, self._asked[0] + 1)):
                return body[2:]
            elif body[:1] == b"\x7f":
                raise ValueError("the chip did not understand")
            # anything else is the rest of an older answer

    def _meaning(self, asked, answer):
        if asked[0] == VERSION and answer[:1] != b"\x32":
            raise Deaf
        if asked != LOOK:
            return PENDING
        if not answer or answer[0] > 2:
            raise ValueError("targets")
        if answer[0] == 0:
            return None
        if answer[0] == 2:
            return COLLISION
        # of the target: its number, two bytes SENS_RES, one SEL_RES, the length of the UID, and the UID
        if len(answer) < 6 or answer[5] not in (4, 7, 10) or len(answer) < 6 + answer[5]:
            raise ValueError("UID")
        return bytes(answer[6 : 6 + answer[5]])
