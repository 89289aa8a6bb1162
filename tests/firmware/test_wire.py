"""Lines and frames, under CPython; test_micropython.py asks MicroPython the same."""

import binascii
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import firmware
from firmware import wire
from hardware.link import USUAL

sys.path.append(str(Path(firmware.__file__).parent))  # on a board the files lie flat
import main
import pins
import pn532

README = Path(wire.__file__).with_name("README.md").read_text()
ON = b"05 on 0 04A1B20000C3D4*7F30\n"
KINDS = wire.HOST_KINDS | wire.BOARD_KINDS

words = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=12)
frames = st.tuples(st.integers(0, 255), words, st.lists(words, max_size=4).map(tuple))


def feed(*pieces):
    decoder = wire.Decoder()
    got = [frame for piece in pieces for frame in decoder.feed(piece)]
    return got, decoder


def bytewise(data):
    return [data[at : at + 1] for at in range(len(data))]


def test_examples_of_the_readme():
    lines = re.findall(r"^    ([0-9A-F]{2} .+\*[0-9A-F]{4})$", README, re.MULTILINE)
    assert len(lines) == 13
    for line in lines:
        frame = wire.decode(line.encode())
        assert frame is not None
        seq, kind, args = frame
        assert wire.encode(seq, kind, *args) == line.encode() + b"\n"
        assert wire.well_formed(KINDS, kind, args)


def test_the_readme_lists_every_kind_and_no_other():
    listed = set()
    for first in re.findall(r"^\| (`.+?) \|", README.split("## Examples")[0], re.MULTILINE):
        listed |= {match.split()[0] for match in re.findall(r"`([^`]+)`", first)}
    files = {word for word in listed if word.endswith(".py")}
    assert files == {path.name for path in Path(wire.__file__).parent.glob("*.py")} - {"__init__.py"}
    assert listed - files == set(KINDS)


SHAPES = {"NONCE": "nonce", "UID": "uid", "SEQ": "seq"} | dict.fromkeys(
    ("CHIP", "CAN", "STATE", "PATTERN", "NAME", "REASON", "FIRMWARE", "BOARD"), "word"
) | dict.fromkeys(
    ("N", "READER", "READERS", "PANELS", "BUTTON", "BUTTONS", "PROTOCOL", "UPTIME", "FREE", "DROPPED"), "number"
)  # fmt: skip


def test_the_readme_gives_every_kind_its_arguments():
    rows = re.findall(r"^\| (`[a-z?]+(?: [A-Z ]+)?`(?:, `[^`]+`)*) \|", README.split("## Examples")[0], re.MULTILINE)
    frames = [frame.split() for row in rows for frame in re.findall("`(.+?)`", row)]
    told = {kind: [SHAPES[arg] for arg in args] for kind, *args in frames}
    assert told.keys() == KINDS.keys()
    for kind, shape in KINDS.items():
        more = shape[-1:] == ("+",)
        needed = list(shape[:-1] if more else shape)
        assert told[kind][: len(needed)] == needed, kind
        assert more or len(told[kind]) == len(needed), kind


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("A line has at most {} bytes, the `\\n` included", wire.LONGEST),
        ("The table waits {} ms for an answer", USUAL.answer * 1000),
        ("and after another {} ms takes the board for hung", USUAL.answer * 1000),
        ("After {} seconds without any frame", USUAL.silence),
        ("before {} seconds without a greeting", USUAL.boot),
        ("an `on` of one tag within {} s cancel out", USUAL.merge),
        ("protocol number ({})", wire.PROTOCOL),
        ("reads and writes {} bytes a turn at most", main.PORTION),
        ("which gives up after {} ms", pins.I2C_TIMEOUT / 1000),
        ("each of them every {} ms", main.POLL),
        ("one hand lays within {} ms", main.POLL),
        ("a tag is `on` at its {} clean look", main.CLEAN),
        ("it is `off` after {} clean misses in a row", main.MISSES),
        ("{} looks with several tags", main.CROWD),
        ("{} that see the same single tag end it", main.ALONE),
        ("or every {} s (PN532)", pn532.PROBE_EVERY / 1000),
        ("{} s of garbled replies without a good one", main.NOISE / 1000),
        ("The greeting waits for that, {} ms at most", main.SETTLE),
        ("up to {} lines wait", main.QUEUE),
    ],
)
def test_the_numbers_of_the_readme_are_those_of_the_code(words, number):
    before, after = map(re.escape, words.split("{}"))
    told = re.findall(f"{before}([a-z0-9.]+){after}", README)
    spelt = {"two": "2", "second": "2", "three": "3"}
    assert [float(spelt.get(one, one)) for one in told] == [number], told


def test_the_lengths_of_a_uid_are_those_of_the_readme():
    assert "A UID is upper-case hex, two digits a byte with all zeros, 4, 7 or 10 bytes." in README
    fitting = [n for n in range(12) if wire.well_formed(wire.BOARD_KINDS, "on", ("0", "0A" * n))]
    assert fitting == [4, 7, 10]


def test_the_readme_lists_every_pattern_sound_and_state():
    for word in (*wire.PATTERNS, *wire.SOUNDS, *wire.HEALTH):
        assert f"`{word}`" in README


@given(st.binary(max_size=100))
def test_crc_is_the_one_of_binascii(data):
    assert wire.crc(data) == binascii.crc_hqx(data, 0xFFFF)


def test_crc_of_the_book():
    assert wire.crc(b"123456789") == 0x29B1


@given(frames)
def test_what_is_encoded_is_decoded(frame):
    seq, kind, args = frame
    assert feed(wire.encode(seq, kind, *args))[0] == [frame]


@pytest.mark.parametrize("bad", [("on off",), ("",), ("on", ""), ("on", "a b"), ("on", "ä"), ("on", "\n"), ("x" * 90,)])
def test_what_the_wire_cannot_carry_is_an_error(bad):
    with pytest.raises(ValueError):
        wire.encode(0, *bad)


def test_zeros_in_a_uid_are_kept():
    assert feed(wire.encode(0, "on", 0, "000A00"))[0] == [(0, "on", ("0", "000A00"))]
    assert wire.well_formed(wire.BOARD_KINDS, "on", ("0", "000A00B0"))


GARBAGE = [
    b"\n",
    b"\r\n",
    b"MicroPython v1.25.0 on 2025-04-15; Raspberry Pi Pico\r\n>>> \r\n",
    b"AT+GCAP\r",  # ModemManager; no line end of its own, so it spoils the next line
    b"05 on 0 04A1B20000C3D4*7F31\n",
    b"05 on 0 04A1B20000C3D4*7f30\n",
    ON.replace(b"A1", b"\x00\x01"),
    bytes(range(256)),
    b"x" * 500 + b"\n",
    b"\xff\xfe\n",
    ON[:10],
]


@pytest.mark.parametrize("garbage", GARBAGE)
@pytest.mark.parametrize("cut", [lambda data: [data], bytewise], ids=["whole", "bytewise"])
def test_garbage_costs_at_most_the_line_it_touches(garbage, cut):
    once = feed(*cut(garbage + b"\n" + ON))
    between = feed(*cut(ON + garbage + b"\n" + ON))
    after = feed(*cut(ON + garbage))
    frame = (5, "on", ("0", "04A1B20000C3D4"))
    assert [once[0], between[0], after[0]] == [[frame], [frame] * 2, [frame]]
    assert once[1].dropped >= 1


def line(text):
    return text + b"*%04X\n" % wire.crc(text)


@pytest.mark.parametrize(
    "text",
    [
        b"5 ping",
        b"0a ping",
        b"0A  ping",
        b"0A ping ",
        b"0A ",
        b"0A",
        b" 0A ping",
        b"0A\tping",
        b"0Aping",
        b"",
        b"GG ping",
    ],
)
def test_a_right_crc_does_not_save_a_wrong_line(text):
    got, decoder = feed(line(text))
    assert (got, decoder.dropped) == ([], 1)


def test_carriage_return_is_passed_over_once():
    assert len(feed(ON.replace(b"\n", b"\r\n"))[0]) == 1
    assert feed(ON.replace(b"\n", b"\r\r\n"))[0] == []


def test_the_longest_line():
    fits = line(b"00 x " + b"y" * 85)
    assert len(fits) == wire.LONGEST
    assert len(feed(fits)[0]) == 1
    assert len(feed(fits.replace(b"\n", b"\r\n"))[0]) == 1
    assert feed(line(b"00 x " + b"y" * 86))[0] == []


def test_an_unknown_kind_is_no_error():
    got, decoder = feed(wire.encode(0, "weather", "fine"))
    assert (got, decoder.dropped) == ([(0, "weather", ("fine",))], 0)


def test_gaps_are_counted_round_the_end():
    sent = [wire.encode(seq, "ping") for seq in (254, 255, 0, 3, 4)]
    assert feed(*sent)[1].lost == 2


def test_a_greeting_starts_the_count_anew():
    sent = [wire.encode(77, "ping"), wire.encode(0, "hello", "0000", 1, "1", "ab"), wire.encode(1, "ready", 0, 0)]
    assert feed(*sent)[1].lost == 0


@pytest.mark.parametrize(
    ("kind", "args", "fits"),
    [
        ("on", ("0", "04A1B20000C3D4"), True),
        ("on", ("0", "04a1b20000c3d4"), False),
        ("on", ("0", "04A1B2"), False),
        ("on", ("-1", "04A1B20000C3D4"), False),
        ("on", ("0", "04A1B20000C3D4", "x"), False),
        ("on", ("0",), False),
        ("ack", ("0c",), False),
        ("hello", ("7A3C", "2"), True),
        ("hello", ("7A3C", "one", "1", "ab"), False),
        ("reader", ("0", "pn532"), True),
        ("weather", (), False),
    ],
)
def test_well_formed(kind, args, fits):
    assert wire.well_formed(wire.BOARD_KINDS, kind, args) is fits


@given(st.lists(st.one_of(st.binary(max_size=120), frames.map(lambda f: wire.encode(f[0], f[1], *f[2])))), st.data())
def test_any_cut_of_any_bytes_gives_the_same(pieces, data):
    whole = b"".join(pieces)
    cut = data.draw(st.integers(0, len(whole)))
    at_once, cut_up = feed(whole), feed(whole[:cut], whole[cut:])
    assert at_once[0] == cut_up[0] == feed(*bytewise(whole))[0]
    assert (at_once[1].dropped, at_once[1].lost) == (cut_up[1].dropped, cut_up[1].lost)
