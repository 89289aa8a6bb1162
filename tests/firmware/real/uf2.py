"""A flash image -> UF2, the file that a Pico's drive takes: python uf2.py IN.bin OUT.uf2"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

FLASH, FAMILY, PIECE = 0x10000000, 0xE48BFF56, 256  # where an RP2040 starts, its family


def uf2(image: bytes) -> bytes:
    """Blocks of 512 bytes, each with 256 of the image."""
    count = -(-len(image) // PIECE)
    blocks = []
    for n in range(count):
        head = struct.pack("<8I", 0x0A324655, 0x9E5D5157, 0x2000, FLASH + PIECE * n, PIECE, n, count, FAMILY)
        piece = image[PIECE * n : PIECE * (n + 1)]
        blocks.append((head + piece).ljust(508, b"\0") + struct.pack("<I", 0x0AB16F30))
    return b"".join(blocks)


if __name__ == "__main__":
    Path(sys.argv[2]).write_bytes(uf2(Path(sys.argv[1]).read_bytes()))
