"""What the chip drivers and the loop around them owe, in the words that MicroPython understands, too.

Each `test_...` function asserts. test_chips.py calls them under CPython, and runs this file as a program under
MicroPython: `micropython chip_suite.py [LONG]` prints `ok NAME` for each.
"""

import sys

import wire
from fakechips import PROFILES, FakePN532, Field, chip_port
from looks import COLLISION, PENDING, Deaf
from main import GARBLED, Board
from mfrc522 import MFRC522
from pins import Place
from pn532 import ACK, LIST, PN532, frame, unframe
from ticks import ticks_add

DRIVERS = {"mfrc522": MFRC522, "pn532": PN532}
UIDS = (b"\x04\xa1\x00\x0a", b"\x04\xa1\xb2\x00\x00\xc3\xd4", bytes(range(10)))
LONG = len(sys.argv) > 1 and sys.argv[1] == "LONG"
STREAMS = 100_000 if LONG else 2_000
REST = 60_000 if LONG else 20_000  # ms


class Dice:
    """Random numbers that are the same under every Python."""

    def __init__(self, seed):
        self._state = seed

    def below(self, n):
        self._state = (self._state * 48271) % 0x7FFFFFFF
        return (self._state >> 8) % n

    def data(self, n):
        return bytes([self.below(256) for _ in range(n)])


class Wire:
    """The far end of a board's port."""

    def __init__(self):
        self.said = []
        self._decoder = wire.Decoder()
        self.to_board = b""

    def read(self):
        data, self.to_board = self.to_board, b""
        return data

    def write(self, data):
        for _seq, kind, args in self._decoder.feed(bytes(data)):
            self.said.append((kind,) + tuple(args))
        return len(data)

    def told(self, *kinds):
        return [said for said in self.said if said[0] in kinds]


class Bench:
    """A board with fake chips and a hand-turned clock."""

    def __init__(self, chip, readers=1, radio="good"):
        self.fields = [Field() for _ in range(readers)]
        for field in self.fields:
            field.radio = radio
        places = [Place(DRIVERS[chip](chip_port(chip, field))) for field in self.fields]
        self.port = Wire()
        self.now = ticks_add(0, -3000)  # the clock wraps soon
        self.board = Board(places, [], self.port, "ab", self.now)
        self.run(600)

    def run(self, milliseconds, step=5):
        for _ in range(milliseconds // step):
            self.now = ticks_add(self.now, step)
            self.board.step(self.now)


def name(uid):
    return "".join(["%02X" % byte for byte in uid])


def every_chip(check):
    for chip in sorted(DRIVERS):
        check(chip)


def looks(driver, n, start=0):
    """So many true looks."""
    found, now = [], start
    while len(found) < n:
        now += 5
        assert now < start + n * 2000, "it does not answer"
        look = driver.look(now)
        if look is not PENDING:
            found.append(look)
    return found


def test_every_length_of_uid():
    def check(chip):
        for uid in UIDS:
            field = Field()
            driver = DRIVERS[chip](chip_port(chip, field))
            assert looks(driver, 3) == [None] * 3
            field.tags = [uid]
            assert looks(driver, 5, 1000)[1:] == [uid] * 4, (chip, uid)
            field.tags = []
            assert looks(driver, 3, 2000)[1:] == [None] * 2

    every_chip(check)


def test_two_tags_are_a_collision_wherever_they_differ():
    def check(chip):
        for uid in UIDS:
            for at in range(len(uid)):
                other = uid[:at] + bytes((uid[at] ^ 1,)) + uid[at + 1 :]
                field = Field()
                field.tags = [uid, other]
                found = looks(DRIVERS[chip](chip_port(chip, field)), 4)
                assert found[1:] == [COLLISION] * 3, (chip, uid, at, found)

    every_chip(check)


def test_one_on_and_one_off_a_stay_whatever_the_radio_does():
    def check(chip):
        for radio in ("good", "half", "misses", "slow"):
            bench = Bench(chip, radio=radio)
            bench.run(1000)
            assert bench.port.told("on", "off", "collision") == [], (chip, radio)
            bench.fields[0].tags = [UIDS[1]]
            bench.run(REST)
            assert bench.port.told("on", "off", "collision") == [("on", "0", name(UIDS[1]))], (chip, radio)
            bench.fields[0].tags = []
            bench.run(4000)
            assert bench.port.told("on", "off")[1:] == [("off", "0", name(UIDS[1]))], (chip, radio)

    every_chip(check)


def test_a_jittering_hand_is_one_stay():
    def check(chip):
        dice = Dice(9)
        bench = Bench(chip)
        for _ in range(100):
            bench.fields[0].tags = [UIDS[0]]
            bench.run(50 + dice.below(150))
            bench.fields[0].tags = []
            bench.run(5 + dice.below(100))
        bench.run(3000)
        told = bench.port.told("on", "off")
        assert told == [("on", "0", name(UIDS[0])), ("off", "0", name(UIDS[0]))], (chip, told)

    every_chip(check)


def test_garbled_replies_are_no_removal():
    def check(chip):
        bench = Bench(chip)
        bench.fields[0].tags = [UIDS[0]]
        bench.run(500)
        bench.fields[0].radio = "noise"
        bench.run(30_000)
        assert bench.port.told("on", "off") == [("on", "0", name(UIDS[0]))], chip
        bench.fields[0].radio = "good"
        bench.run(1500)
        assert bench.port.told("on", "off") == [("on", "0", name(UIDS[0]))], chip
        assert bench.port.told("health")[-1] == ("health", "0", "ok"), chip

    every_chip(check)


def test_a_deaf_chip_is_found_within_ten_seconds_and_started_anew():
    def check(chip):
        bench = Bench(chip, readers=2)
        bench.fields[0].tags = [UIDS[0]]
        bench.run(500)
        bench.fields[0].radio = "deaf"
        bench.fields[1].tags = [UIDS[1]]
        bench.run(10_000)
        assert bench.port.told("health") == [("health", "0", "deaf"), ("health", "0", "ok")], chip
        assert bench.port.told("on", "off") == [("on", "0", name(UIDS[0])), ("on", "1", name(UIDS[1]))], chip

    every_chip(check)


def test_one_that_never_answers_is_said_in_the_greeting_and_may_come_back():
    def check(chip):
        bench = Bench(chip, radio="absent")
        bench.port.to_board = wire.encode(0, "hello?", "7A3C")
        bench.run(20)
        assert bench.port.said[0][:2] == ("hello", "7A3C")
        assert bench.port.told("health") == [("health", "0", "absent")], (chip, bench.port.said)
        bench.fields[0].radio = "good"
        bench.run(3000)
        assert bench.port.told("health")[-1] == ("health", "0", "ok"), chip

    every_chip(check)


def test_what_lies_there_at_start_is_lying():
    def check(chip):
        bench = Bench(chip)
        bench.fields[0].tags = [UIDS[2]]
        again = Board([Place(DRIVERS[chip](chip_port(chip, bench.fields[0])))], [], bench.port, "ab", bench.now)
        bench.board = again
        bench.port.said = []
        bench.run(600)
        bench.port.to_board = wire.encode(0, "hello?", "0001")
        bench.run(2000)
        assert bench.port.told("lying", "on", "off") == [("lying", "0", name(UIDS[2]))], (chip, bench.port.said)

    every_chip(check)


def test_uids_go_to_their_own_reader():
    def check(chip):
        bench = Bench(chip, readers=4)
        for turn in range(12):
            for n, field in enumerate(bench.fields):
                field.tags = [bytes((4, n, turn, 0))] if (turn + n) % 2 else []
            bench.run(3000)
        for said in bench.port.told("on", "off"):
            assert int(said[2][2:4], 16) == int(said[1]), said
        assert len(bench.port.told("on")) == 24

    every_chip(check)


# --- frames of a PN532 ------------------------------------------------------------------------------------------------


def answer(body):
    """A frame of the chip."""
    whole = b"\xd5" + body
    return bytes((0, 0, 0xFF, len(whole), -len(whole) & 0xFF)) + whole + bytes((-sum(whole) & 0xFF, 0))


class Line:
    """A PN532's line that says what it is given, in pieces of that size."""

    wake = b""
    stream = True

    def __init__(self, says, piece):
        self.says, self._piece, self.sent = says, piece, []

    def send(self, data):
        self.sent.append(data)

    def fetch(self):
        part, self.says = self.says[: self._piece], self.says[self._piece :]
        return part


def ready(line):
    """A driver that has asked for tags and waits."""
    driver = PN532(line)
    driver._todo = []
    driver._probed = 0
    driver._asked, driver._acked, driver._sent = bytes((LIST, 2, 0)), False, 0
    return driver


def test_every_answer_whole_in_bytes_and_among_garbage():
    one = ACK + answer(b"\x4b\x01\x01\x00\x44\x00\x07" + UIDS[1])
    none = ACK + answer(b"\x4b\x00")
    two = ACK + answer(b"\x4b\x02\x01\x00\x04\x00\x04abcd\x02\x00\x04\x00\x04abce")
    dice = Dice(3)
    for says, meant in ((one, UIDS[1]), (none, None), (two, COLLISION)):
        for piece in (1, 3, 200):
            for before in (b"", b"\x00" * 9, b"\xff\x00", b"\x00\x00\xff\x05\x05", dice.data(12)):
                driver = ready(Line(before + says + dice.data(7), piece))
                found = PENDING
                for now in range(len(before) + len(says) + 9):
                    found = driver.look(min(now, 150))
                    if found is not PENDING:
                        break
                assert found == meant, (says, piece, before, found)


def test_a_spoilt_answer_is_no_tag():
    good = ACK + answer(b"\x4b\x01\x01\x00\x44\x00\x07" + UIDS[1])
    for at in range(len(ACK), len(good) - 1):
        for bit in (1, 16, 128):
            spoilt = good[:at] + bytes((good[at] ^ bit,)) + good[at + 1 :]
            driver = ready(Line(spoilt, 200))
            try:
                found = driver.look(1)
            except ValueError:
                continue
            # a byte before the frame may be anything; within it nothing may
            assert found is PENDING or (at < len(ACK) + 1 and found == UIDS[1]), (at, bit, found)


def test_random_bytes_are_no_tag_and_no_end():
    dice = Dice(5)
    for n in range(STREAMS):
        driver = ready(Line(dice.data(dice.below(60)), 1 + dice.below(60)))
        for now in range(3):
            try:
                found = driver.look(now)
            except (ValueError, Deaf):
                continue
            assert found is PENDING, (n, found)


class NoisySpi:
    """A line of which every byte is chance."""

    def __init__(self, dice):
        self._dice = dice

    def swap(self, data):
        return self._dice.data(len(data))


def test_a_chip_of_pure_noise_has_no_tag():
    dice = Dice(6)
    driver = MFRC522(NoisySpi(dice))
    for now in range(STREAMS):
        try:
            found = driver.look(now)
        except (ValueError, Deaf):
            driver.start()
            continue
        assert found in (None, PENDING, COLLISION), found


def test_frames_there_and_back():
    for data in (b"\x02", bytes((LIST, 2, 0)), bytes(range(30))):
        body, rest = unframe(frame(data) + b"xyz")
        assert (body, rest) == (b"\xd4" + data, b"\x00xyz")
    assert unframe(ACK) == (b"", b"\x00")


def test_a_look_asks_only_a_few_registers():
    """No look may hold the board up: 20 ms are 10,000 bytes on SPI at 4 MHz, or 250 exchanges under MicroPython."""

    class Counted:
        def __init__(self, chip):
            self._chip, self.swaps = chip, 0

        def swap(self, data):
            self.swaps += 1
            return self._chip.swap(data)

    field = Field()
    port = Counted(chip_port("mfrc522", field))
    driver = MFRC522(port)
    for tags in ([], [UIDS[2]], [UIDS[2], UIDS[1]]):
        field.tags = tags
        for now in range(10):
            port.swaps = 0
            driver.look(now)
            assert port.swaps < 200, (tags, port.swaps)


def test_profiles_are_known():
    assert "good" in PROFILES and FakePN532(Field()).stream and GARBLED > 1


def tests():
    """All of them, by name."""
    return sorted([(key, value) for key, value in globals().items() if key.startswith("test_")])


if __name__ == "__main__":
    for key, test in tests():
        test()
        print("ok", key)
