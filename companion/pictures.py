"""Pictures to keep, PNG files in the data folder. A disk may be slow: nothing here is for the table's thread."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

from companion.adapters import files as disk

FOLDER = "pictures"
"""In the data folder: where they go."""
_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def png(width: int, height: int, pixels: bytes) -> bytes:
    """A PNG file. pixels: red, green, blue and opacity of each, the top row first; opacity is left out."""
    if len(pixels) != width * height * 4 or not pixels:
        raise ValueError(f"{len(pixels)} bytes are no picture of {width} x {height}")
    plain = bytearray(width * height * 3)
    for colour in range(3):
        plain[colour::3] = pixels[colour::4]
    # each row begins with the number of its filter, 0 for none
    rows = b"".join(b"\0" + plain[at : at + width * 3] for at in range(0, len(plain), width * 3))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return _SIGNATURE + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(rows, 6)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    """Length, kind, data and checksum of a part of the file."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def write(folder: Path, number: int, date: str, width: int, height: int, pixels: bytes) -> Path:
    """Write the picture of a game under a name of its own: nothing that lies there is lost. Raises OSError.

    What lies there already, byte for byte, is left as it is.
    """
    words = png(width, height, pixels)
    name = f"{date} game {number}"
    paths = (folder / f"{name}{'' if n == 1 else f' ({n})'}.png" for n in range(1, 1000))
    with disk.about(folder / f"{name}.png"):
        folder.mkdir(parents=True, exist_ok=True)
        path = next(p for p in paths if not p.exists() or p.read_bytes() == words)
        there = path.exists()
    if not there:
        disk.write(path, words)
    return path
