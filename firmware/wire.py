"""Frames <-> lines of the wire page in firmware/README.md. No input, no output, no clock.

The same file runs under CPython (`from firmware import wire`) and under MicroPython (`import wire`),
so it imports nothing: MicroPython has no `binascii.crc_hqx` and no `typing`.

A frame is the triple (seq, kind, args): a number 0..255, a word, a tuple of words.
"""

PROTOCOL = 1
FIRMWARE = "0.5.1"  # the version of the files in this folder: what a board says of itself, and the table compares
LONGEST = 96  # bytes of a line, with its \n

PATTERNS = ("off", "waiting", "locked", "refused", "turn", "gryphon", "find")
SOUNDS = ("off", "click", "refused", "reveal")
HEALTH = ("ok", "deaf", "absent")

# What each kind carries, one word an argument: "nonce", "number", "uid", "seq", "word".
# A "+" at the end lets more words follow, so that a newer board can say more to an older table.
HOST_KINDS = {
    "hello?": ("nonce",),
    "tags?": (),
    "light": ("number", "word"),
    "sound": ("number", "word"),
    "ping": (),
    "update": (),
}
BOARD_KINDS = {
    "hello": ("nonce", "number", "+"),  # the rest belongs to the protocol with that number
    "reader": ("number", "word", "+"),
    "panel": ("number", "number"),
    "ready": ("number", "number"),
    "on": ("number", "uid"),
    "off": ("number", "uid"),
    "lying": ("number", "uid"),
    "collision": ("number",),
    "health": ("number", "word"),
    "press": ("number", "number"),
    "release": ("number", "number"),
    "beat": ("number", "number", "number"),
    "ack": ("seq",),
    "nak": ("seq", "word", "+"),
}

_DIGITS = "0123456789"
_HEX = "0123456789ABCDEF"
# One step for four bits: sixteen entries are fast enough for 96 bytes and small enough for a board.
_STEPS = (
    0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50A5, 0x60C6, 0x70E7,
    0x8108, 0x9129, 0xA14A, 0xB16B, 0xC18C, 0xD1AD, 0xE1CE, 0xF1EF,
)  # fmt: skip


def crc(text: bytes) -> int:
    """CRC-16/CCITT-FALSE: polynomial 1021, start FFFF, not reflected, no final xor; 0..FFFF."""
    value = 0xFFFF
    for byte in text:
        value = ((value << 4) & 0xFFFF) ^ _STEPS[(value >> 12) ^ (byte >> 4)]
        value = ((value << 4) & 0xFFFF) ^ _STEPS[(value >> 12) ^ (byte & 15)]
    return value


def encode(seq: int, kind: str, *args: object) -> bytes:
    """The line of a frame, with its `\\n`. ValueError when the wire cannot carry it."""
    words = [kind]
    for arg in args:
        words.append(str(arg))
    for word in words:
        if not _is_word(word):
            raise ValueError("not a word of the wire: " + repr(word))
    text = ("%02X " % (seq & 0xFF) + " ".join(words)).encode()
    line = text + b"*%04X\n" % crc(text)
    if len(line) > LONGEST:
        raise ValueError("too long for the wire: " + repr(line))
    return line


def decode(line: bytes) -> "tuple[int, str, tuple[str, ...]] | None":
    """The frame of a line without its line end; None when it is not one, for whatever reason."""
    if len(line) >= LONGEST or len(line) < 9:
        return None
    for byte in line:
        if not 0x20 <= byte <= 0x7E:
            return None
    text = str(line, "ascii")
    seq, body, check = text[:2], text[3:-5], text[-4:]
    if text[2] != " " or text[-5] != "*" or not _is_hex(seq, 2) or not _is_hex(check, 4):
        return None
    if int(check, 16) != crc(line[:-5]):
        return None
    words = body.split(" ")
    if "" in words:
        return None
    return int(seq, 16), words[0], tuple(words[1:])


def well_formed(kinds: "dict[str, tuple[str, ...]]", kind: str, args: "tuple[str, ...]") -> bool:
    """Whether the arguments fit the kind; False for a kind that `kinds` does not list."""
    shape = kinds.get(kind)
    if shape is None:
        return False
    if shape and shape[-1] == "+":
        shape = shape[:-1]
        args = args[: len(shape)]
    if len(args) != len(shape):
        return False
    for what, arg in zip(shape, args):
        if not _FITS[what](arg):
            return False
    return True


class Decoder:
    """Bytes in any portions -> frames. Holds at most one line; never raises.

    `dropped` counts lines that were no frames, `lost` the frames that a jump of SEQ says are missing.
    """

    def __init__(self) -> None:
        self.dropped = 0
        self.lost = 0
        self._line = bytearray()
        self._too_long = False
        self._next = -1  # the SEQ that comes next; -1 before the first frame

    def feed(self, data: bytes) -> "list[tuple[int, str, tuple[str, ...]]]":
        """The frames that these bytes complete, in order."""
        frames: "list[tuple[int, str, tuple[str, ...]]]" = []
        start = 0
        while True:
            end = data.find(b"\n", start)
            self._keep(data[start:] if end < 0 else data[start:end])
            if end < 0:
                return frames
            frame = self._finish()
            if frame is not None:
                frames.append(frame)
            start = end + 1

    def _keep(self, part: bytes) -> None:
        room = LONGEST - len(self._line)  # 95 bytes of text and perhaps a \r
        if len(part) > room:
            self._too_long = True
            part = part[:room]
        self._line.extend(part)

    def _finish(self) -> "tuple[int, str, tuple[str, ...]] | None":
        line = bytes(self._line)
        if line.endswith(b"\r"):
            line = line[:-1]
        frame = None if self._too_long else decode(line)
        self._line = bytearray()
        self._too_long = False
        if frame is None:
            self.dropped += 1
            return None
        # A sender starts anew with its greeting, so nothing is missing before one.
        if self._next >= 0 and frame[1] not in ("hello", "hello?"):
            self.lost += (frame[0] - self._next) & 0xFF
        self._next = (frame[0] + 1) & 0xFF
        return frame


def _is_word(text: str) -> bool:
    for letter in text:
        if not 0x21 <= ord(letter) <= 0x7E:
            return False
    return text != ""


def _is_hex(text: str, length: int) -> bool:
    for letter in text:
        if letter not in _HEX:
            return False
    return len(text) == length


def _is_number(text: str) -> bool:
    for letter in text:
        if letter not in _DIGITS:
            return False
    return 0 < len(text) <= 10


def _is_uid(text: str) -> bool:
    return len(text) in (8, 14, 20) and _is_hex(text, len(text))


def _is_seq(text: str) -> bool:
    return _is_hex(text, 2)


def _is_nonce(text: str) -> bool:
    return _is_hex(text, 4)


_FITS = {"nonce": _is_nonce, "number": _is_number, "uid": _is_uid, "seq": _is_seq, "word": _is_word}
