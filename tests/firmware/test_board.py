"""The firmware's loop under CPython with a hand-turned clock: stays, health, panels, answers, the queue."""

import random
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import firmware
from firmware import wire

sys.path.append(str(Path(firmware.__file__).parent))  # on a board the files lie flat
import main
from looks import Deaf
from pins import Place

UID = bytes.fromhex("04A1B20000C3D4")
HEX = UID.hex().upper()


class Chip:
    name = "fake"

    def __init__(self, seen=None):
        self.seen = seen
        self.starts = 0
        self.waits = False

    def start(self):
        self.starts += 1

    def look(self, now):
        seen = self.seen() if callable(self.seen) else self.seen
        if isinstance(seen, Exception):
            raise seen
        return seen


class Shown:
    """A lamp that remembers."""

    def __init__(self):
        self.patterns = []

    def show(self, pattern):
        self.patterns.append(pattern)

    def step(self, now):
        pass


class Wire:
    """The far end of the board's port: takes what it may, hands out what was put in."""

    def __init__(self):
        self.to_board = b""
        self.takes = 10**9
        self.decoder = wire.Decoder()
        self.raw = b""

    def read(self):
        data, self.to_board = self.to_board, b""
        return data

    def write(self, data):
        took = data[: self.takes]
        self.takes -= len(took)
        self.raw += took
        self.frames.extend(self.decoder.feed(took))
        return len(took)

    frames: list

    def said(self, *kinds):
        return [(kind, *args) for _, kind, args in self.frames if not kinds or kind in kinds]


class Bench:
    def __init__(self, *chips, panels=(), remark=""):
        self.port = Wire()
        self.port.frames = []
        self.now = 0x3FFFFFFF - 500  # the clock wraps soon
        self.left = []
        places = [chip if isinstance(chip, Place) else Place(chip) for chip in chips]
        self.board = main.Board(
            places, panels, self.port, "ab", self.now, restart=lambda: self.left.append(True), remark=remark
        )
        self.run(15 * len(chips) + 5)  # the chips have said what lies there

    def run(self, milliseconds):
        for _ in range(milliseconds // 5):
            self.now = (self.now + 5) & 0x3FFFFFFF
            self.board.step(self.now)

    def send(self, *frame, seq=0):
        self.port.to_board += wire.encode(seq, *frame)


def see(looks):
    presence = main.Presence(0)
    return [frame for look in looks for frame in presence.see(look)]


def test_one_on_and_one_off_a_stay():
    assert see([None, HEX, HEX] + [None] * 20) == [("on", 0, HEX), ("off", 0, HEX)]


OTHER = "04000000"


@given(st.lists(st.integers(0, main.MISSES - 1), min_size=1, max_size=60))
def test_any_jitter_below_the_limit_is_one_stay(gaps):
    looks = [HEX]
    for gap in gaps:
        looks += [None] * gap + [HEX]
    assert see(looks) == [("on", 0, HEX)]


def test_a_stay_that_was_seen_once_is_none():
    assert see([HEX] + [None] * 20) == []
    assert see(([HEX] + [None] * main.MISSES) * 5) == []


def test_another_tag_or_a_collision_between_starts_the_count_anew():
    assert see([HEX, OTHER, HEX, OTHER]) == []
    assert see([HEX, main.COLLISION, HEX]) == []
    assert see([HEX, OTHER, OTHER]) == [("on", 0, OTHER)]


def test_two_tags_laid_by_one_hand_are_a_collision_only():
    for first in (HEX, OTHER):
        assert see([None, first, *[main.COLLISION] * 5]) == [("collision", 0)]


def test_two_tags_that_only_every_second_look_sees_are_a_collision():
    assert see([main.COLLISION, None] * 5) == [("collision", 0)]


def test_a_card_that_rests_ten_minutes_with_five_percent_misses():
    dice = random.Random(7)
    looks = [HEX] + [None if dice.random() < 0.05 else HEX for _ in range(15000)]
    assert see(looks) == [("on", 0, HEX)]


def test_another_tag_replaces_it_after_the_misses():
    assert see([HEX] * 2 + [OTHER] * 20) == [("on", 0, HEX), ("off", 0, HEX), ("on", 0, OTHER)]


def test_two_tags_that_take_turns_do_not_flap():
    assert see([HEX, HEX, OTHER] * 50) == [("on", 0, HEX)]
    assert see([HEX, OTHER] * 50) == []


def test_a_collision_is_said_once_and_ends_with_one_tag():
    looks = [HEX] * 2 + [main.COLLISION] * 10 + [HEX] * 10
    assert see(looks) == [("on", 0, HEX), ("off", 0, HEX), ("collision", 0), ("on", 0, HEX)]


def test_a_single_collision_is_noise():
    assert see([HEX, HEX, main.COLLISION, HEX, main.COLLISION, HEX]) == [("on", 0, HEX)]


def test_a_garbled_reply_is_not_a_miss():
    chip = Chip(UID)
    bench = Bench(chip)
    chip.seen = ValueError("garbled")
    bench.run(60_000)
    assert bench.port.said("on", "off") == []
    assert ("health", "0", "deaf") in bench.port.said()
    chip.seen = UID
    bench.run(1000)
    assert bench.port.said("health")[-1] == ("health", "0", "ok")
    assert bench.port.said("on", "off") == []


def test_one_deaf_reader_does_not_stop_the_others():
    bench = Bench(Chip(Deaf()), chip := Chip())
    chip.seen = UID
    bench.run(200)
    assert bench.port.said("on") == [("on", "1", HEX)]
    bench.send("hello?", "0001")
    bench.run(30)
    assert bench.port.said()[-1] == ("health", "0", "absent")


def test_two_readers_keep_their_tags_apart():
    left, right = Chip(), Chip()
    bench = Bench(left, right)
    left.seen = UID
    bench.run(500)
    left.seen, right.seen = None, UID
    bench.run(1000)
    assert bench.port.said("on", "off") == [("on", "0", HEX), ("on", "1", HEX), ("off", "0", HEX)]


def test_what_lies_there_at_start_is_lying():
    bench = Bench(Chip(UID), Chip())
    bench.run(200)
    bench.send("hello?", "7A3C")
    bench.run(30)
    assert [kind for kind, *_ in bench.port.said()] == ["hello", "reader", "reader", "lying", "ready"]
    assert bench.port.frames[0][0] == 0
    bench.send("tags?", seq=1)
    bench.run(20)
    assert bench.port.said()[-2:] == [("lying", "0", HEX), ("ack", "01")]


def test_commands_are_answered():
    lamp = Shown()
    bench = Bench(Place(Chip(), lamp))
    for seq, frame in enumerate(
        [("light", 0, "locked"), ("light", 9, "locked"), ("light", 0, "disco"), ("sound", 0, "click"), ("ping",)]
    ):
        bench.send(*frame, seq=seq)
    bench.send("light", "x", "y", seq=8)
    bench.send("weather", seq=9)
    bench.run(10)
    assert bench.port.said() == [
        ("ack", "00"),
        ("nak", "01", "no-such-reader"),
        ("nak", "02", "no-such-light"),
        ("nak", "03", "no-sound"),
        ("ack", "04"),
    ]
    assert lamp.patterns == ["locked"]


def test_update_is_acknowledged_before_it_leaves():
    bench = Bench()
    bench.send("update", seq=5)
    bench.run(15)
    assert (bench.port.said(), bench.left) == ([("ack", "05")], [])
    bench.send("ping", seq=6)  # silence, from now on
    bench.run(main.LEAVE)
    assert (bench.port.said(), bench.left) == ([("ack", "05")], [True])


def test_what_is_wrong_with_the_board_is_said_after_each_greeting_and_is_no_frame():
    bench = Bench(remark="board.json: it*s \xfcber\n00 ready 0 0*0000")
    for dropped in (1, 2):
        bench.send("hello?", "0001")
        bench.run(50)
        assert [kind for kind, *_ in bench.port.said()] == ["hello", "ready"] * dropped
        assert bench.port.decoder.dropped == dropped
        assert bench.port.decoder.lost == 0
    assert b"board.json: it?s ?ber?00 ready 0 0?0000\n" in bench.port.raw


def test_no_turn_reads_or_writes_more_than_a_portion():
    bench = Bench(*[Chip(UID) for _ in range(4)])
    bench.send("hello?", "0001")
    turns = []
    for _ in range(20):
        before = len(bench.port.raw)
        bench.run(5)
        turns.append(len(bench.port.raw) - before)
    assert max(turns) == main.PORTION
    assert bench.port.said()[-1] == ("ready", "4", "0")


def test_a_beat_a_second_also_when_the_clock_wraps():
    bench = Bench()
    bench.run(5000)
    assert [beat[1] for beat in bench.port.said("beat")] == ["1", "2", "3", "4", "5"]


def test_a_host_that_does_not_read_costs_frames_and_they_are_counted():
    bench = Bench()
    bench.port.takes = 7
    bench.run(60_000)
    bench.port.takes = 10**9
    bench.run(1000)
    beats = bench.port.said("beat")
    assert int(beats[-1][3]) == bench.board.dropped > 0
    assert bench.port.decoder.dropped == 0
    assert bench.port.decoder.lost == bench.board.dropped


class Fingers:
    buttons = 7
    mask = 0

    def down(self):
        return self.mask


def test_buttons_are_debounced_in_pairs():
    fingers = Fingers()
    bench = Bench(panels=(fingers,))
    for mask in (4, 0, 4, 0):  # bounces
        fingers.mask = mask
        bench.run(10)
    assert bench.port.said() == []
    for mask in (4, 0, 4, 0):
        fingers.mask = mask
        bench.run(50)
    assert bench.port.said() == [("press", "0", "3"), ("release", "0", "3")] * 2


def test_a_slip_of_a_driver_is_told_at_once_and_after_each_greeting_and_does_not_flood():
    chip = Chip(UID)
    bench = Bench(chip)
    slips = iter(range(100_000))
    chip.seen = lambda: [][next(slips)]
    bench.run(5000)
    told = b"reader 0: IndexError: list index out of range\n"
    assert bench.port.raw.count(told) == 1
    chip.seen = lambda: {}["another"]
    bench.send("hello?", "0001")
    bench.run(100)
    assert bench.port.raw.count(told) == 2
    assert b"another" not in bench.port.raw
    assert [kind for kind, *_ in bench.port.said()][-4:] == ["reader", "lying", "ready", "health"]
    assert bench.port.decoder.lost == 0


def test_a_slip_while_a_chip_is_started_is_told_too():
    chip = Chip(Deaf())
    chip.start = lambda: chip.no_such_thing
    bench = Bench(chip)
    bench.send("hello?", "0001")
    bench.run(100)
    assert b"reader 0: AttributeError: " in bench.port.raw


def test_what_a_driver_owes_to_say_is_no_slip():
    bench = Bench(Chip(ValueError("parity")), Chip(Deaf()))
    bench.run(5000)
    bench.send("hello?", "0001")
    bench.run(100)
    assert bench.port.decoder.dropped == 0


@given(st.lists(st.binary(max_size=200), max_size=8))
def test_garbage_never_stops_it(pieces):
    bench = Bench(Chip())
    for piece in pieces:
        bench.port.to_board += piece
        bench.run(5)
    bench.port.to_board += b"\n"
    bench.send("ping")
    bench.run(5)
    assert bench.port.said()[-1] == ("ack", "00")


@pytest.mark.parametrize(("later", "earlier", "difference"), [(5, 3, 2), (2, 0x3FFFFFFF, 3), (0, 1, -1)])
def test_ticks_wrap(later, earlier, difference):
    assert main.ticks_diff(later, earlier) == difference
