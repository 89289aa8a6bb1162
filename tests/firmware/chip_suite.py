"""What the chip drivers and the loop around them owe, in the words that MicroPython understands, too.

Each `test_...` function asserts. test_chips.py calls them under CPython, and runs this file as a program under
MicroPython: `micropython chip_suite.py [LONG]` prints `ok NAME` for each.
"""

import sys

import mfrc522
import wire
from fakechips import PROFILES, FakeMFRC522, FakePN532, Field, chip_port, crc
from looks import COLLISION, PENDING, Deaf
from main import NOISE, POLL, Board
from mfrc522 import BIT_FRAMING, COM_IRQ, MFRC522, RF_GAIN, TX_CONTROL, crc_a
from pins import I2C_TIMEOUT, Place
from pn532 import ACK, LIST, PARAMETERS, PN532, RF, SAM, frame, unframe
from ports import Pn532I2c
from ticks import ticks_add, ticks_diff

DRIVERS = {"mfrc522": MFRC522, "pn532": PN532}
UIDS = (b"\x04\xa1\x00\x0a", b"\x04\xa1\xb2\x00\x00\xc3\xd4", bytes(range(10)))
LONG = len(sys.argv) > 1 and sys.argv[1] == "LONG"
STREAMS = 100_000 if LONG else 2_000
REST = 60_000 if LONG else 20_000  # ms
ROUGH = 1_200_000 if LONG else 60_000  # ms


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
    """A board with fake chips and a hand-turned clock. made: a port with a chip, for its name and its field."""

    def __init__(self, chip, readers=1, radio="good", made=chip_port, tags=()):
        self.fields = [Field() for _ in range(readers)]
        for field in self.fields:
            field.radio = radio
            field.tags = list(tags)
        places = [Place(DRIVERS[chip](made(chip, field))) for field in self.fields]
        self.port = Wire()
        self.now = ticks_add(0, -3000)  # the clock wraps soon
        self.board = Board(places, [], self.port, "ab", self.now)
        self.run(600)

    def run(self, milliseconds, step=5):
        for _ in range(milliseconds // step):
            self.now = ticks_add(self.now, step)
            self.board.step(self.now)

    def greet(self):
        self.port.said = []  # what comes before the hello is ignored
        self.port.to_board = wire.encode(0, "hello?", "7A3C")
        self.run(50)


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


def test_two_tags_that_one_hand_lays_are_a_collision_only():
    def check(chip):
        for readers in (1, 3, 4):
            for apart in (0, 20, 40):
                for phase in range(0, 40, 5):
                    bench = Bench(chip, readers=readers)
                    bench.run(phase)
                    bench.fields[0].tags = [UIDS[0]]
                    bench.run(apart)
                    bench.fields[0].tags = [UIDS[0], UIDS[1]]
                    bench.run(400)
                    told = bench.port.told("on", "off", "collision")
                    assert told == [("collision", "0")], (chip, readers, apart, phase, told)

    every_chip(check)


def test_a_stay_of_one_look_is_none():
    def check(chip):
        bench = Bench(chip)
        for _ in range(20):
            bench.fields[0].tags = [UIDS[0]]
            bench.run(35)
            bench.fields[0].tags = []
            bench.run(1000)
        assert bench.port.told("on", "off", "collision") == [], chip

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
        assert bench.port.told("health")[-1:] in ([], [("health", "0", "ok")]), chip

    every_chip(check)


def test_a_card_that_rests_where_a_tenth_is_lost_and_a_tenth_garbled_stays_and_is_no_fault():
    def check(chip):
        for uid in UIDS:
            bench = Bench(chip)
            bench.fields[0].tags = [uid]
            bench.run(500)
            bench.fields[0].radio = "rough"
            bench.run(ROUGH)
            told = bench.port.told("on", "off", "collision", "health")
            assert told == [("on", "0", name(uid))], (chip, told)
            bench.fields[0].tags = []
            bench.run(5000)
            assert bench.port.told("on", "off", "health")[1:] == [("off", "0", name(uid))], (chip, told)

    every_chip(check)


def test_noise_is_a_fault_after_three_seconds_and_not_before():
    def check(chip):
        for radio in ("noise", "rough"):
            bench = Bench(chip, tags=[UIDS[1]])
            bench.fields[0].radio = radio
            bench.run(NOISE - 300)
            bench.fields[0].radio = "good"
            bench.run(2000)
            assert bench.port.told("on", "off", "health") == [], (chip, bench.port.said)
        bench = Bench(chip, tags=[UIDS[1]])
        bench.fields[0].radio = "noise"
        bench.run(NOISE + 2000)
        told = bench.port.told("on", "off", "health")
        assert told == [("health", "0", "deaf")], (chip, told)

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
        for radio in ("good", "half", "misses", "slow"):
            bench = Bench(chip, radio=radio, tags=[UIDS[2]])
            bench.greet()
            bench.run(2000)
            assert bench.port.told("lying", "on", "off") == [("lying", "0", name(UIDS[2]))], (chip, radio)

    every_chip(check)


def test_what_lies_on_a_chip_that_comes_to_life_late_is_lying():
    def check(chip):
        for tags in ([UIDS[1]], []):
            bench = Bench(chip, radio="absent", tags=tags)
            bench.greet()
            bench.run(2000)
            bench.fields[0].radio = "good"
            bench.run(3000)
            lying = [("lying", "0", name(uid)) for uid in tags]
            assert bench.port.told("health") == [("health", "0", "absent"), ("health", "0", "ok")], chip
            assert bench.port.told("lying", "on", "off") == lying, (chip, bench.port.said)
            bench.fields[0].tags = [UIDS[0]]
            bench.run(2000)
            assert bench.port.told("on") == [("on", "0", name(UIDS[0]))], (chip, bench.port.said)

    every_chip(check)


def test_a_tag_that_is_laid_while_a_chip_is_deaf_is_on():
    def check(chip):
        bench = Bench(chip)
        bench.fields[0].radio = "deaf"
        bench.fields[0].tags = [UIDS[1]]
        bench.run(3000)
        assert bench.port.told("health")[-1] == ("health", "0", "ok"), chip
        assert bench.port.told("lying", "on", "off") == [("on", "0", name(UIDS[1]))], (chip, bench.port.said)

    every_chip(check)


def test_a_pn532_that_wakes_up_over_its_first_frames_is_well_in_the_hello():
    bench = Bench("pn532", tags=[UIDS[1]], made=lambda _chip, field: FakePN532(field, misses=2))
    bench.greet()
    bench.run(1000)
    assert bench.port.told("health", "on") == [], bench.port.said
    kinds = [said[0] for said in bench.port.said]
    assert kinds[:4] == ["hello", "reader", "lying", "ready"], kinds


def test_a_chip_that_goes_deaf_after_any_number_of_exchanges_comes_back():
    def check(chip):
        for exchanges in range(8):
            bench = Bench(chip, tags=[UIDS[1]])
            bench.fields[0].deaf_after = exchanges
            bench.run(3000)
            told = bench.port.told("health", "on", "off")
            assert told == [("health", "0", "deaf"), ("health", "0", "ok")], (chip, exchanges, told)

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


# --- turns ------------------------------------------------------------------------------------------------------------


class SlowBus:
    """An I2C bus of which every transfer costs its timeout: its line is held down, or its chip stretches the clock."""

    def __init__(self, bench, chip=None):
        self._bench, self._chip = bench, chip

    def _cost(self):
        self._bench.cost += I2C_TIMEOUT
        if self._chip is None:
            raise OSError(110)

    def writeto(self, address, data):
        self._cost()
        self._chip.send(data)

    def readfrom(self, address, length):
        self._cost()
        said = self._chip.fetch()
        return (b"\x01" + said if said else b"\0") + bytes(length - len(said) - bool(said))


class Whole(FakePN532):
    """Says its frames one by one."""

    def fetch(self):
        said = super().fetch()
        if said[:6] == ACK:
            self._out = said[6:] + self._out
            return ACK
        return said

    PIECE = 57


class TurnBench:
    """A board whose chips are behind buses that cost time; `turns`: microseconds that the buses took in each turn."""

    def __init__(self, held, slow, others):
        self.cost = 0
        self.turns = []
        self.fields = [Field() for _ in range(slow + others)]
        places = [Place(PN532(Pn532I2c(SlowBus(self)))) for _ in range(held)]
        for n, field in enumerate(self.fields):
            port = Pn532I2c(SlowBus(self, Whole(field))) if n < slow else FakePN532(field)
            places.append(Place(PN532(port)))
        self.port = Wire()
        self.now = 0
        self.board = Board(places, [], self.port, "ab", 0)

    def run(self, milliseconds):
        until = ticks_add(self.now, milliseconds)
        while ticks_diff(until, self.now) > 0:
            self.cost = 0
            self.board.step(self.now)
            self.turns.append(self.cost)
            self.now = ticks_add(self.now, 5 + self.cost // 1000)


def test_no_turn_waits_longer_than_20_ms_whatever_holds_the_buses():
    for held, slow, others in ((1, 0, 0), (2, 0, 0), (1, 1, 0), (0, 2, 0), (2, 0, 2), (1, 1, 2), (0, 2, 2)):
        bench = TurnBench(held, slow, others)
        bench.run(1000)
        bench.port.to_board = wire.encode(0, "hello?", "7A3C")
        bench.run(5000)
        assert 0 < max(bench.turns) <= 20_000, (held, slow, others, max(bench.turns))
        absent = [("health", str(n), "absent") for n in range(held)]
        assert bench.port.told("health") == absent, (held, slow, others, bench.port.said)
        for n, field in enumerate(bench.fields):
            field.tags = [bytes((4, n, 0, 1))]
        bench.run(1000)
        laid = [("on", str(held + n), "04%02X0001" % n) for n in range(slow + others)]
        assert sorted(bench.port.told("on")) == laid, (held, slow, others, bench.port.said)
        assert max(bench.turns) <= 20_000


def test_a_look_makes_one_transfer_at_most():
    """A look that waits twice is a turn that waits twice."""

    class Counted(Pn532I2c):
        transfers = 0

        def send(self, data):
            Counted.transfers += 1
            super().send(data)

        wake = send

        def fetch(self):
            Counted.transfers += 1
            return super().fetch()

    bench = TurnBench(0, 0, 0)
    for radio in PROFILES:
        field = Field()
        field.radio = radio
        driver = PN532(Counted(SlowBus(bench, Whole(field))))
        for now in range(0, 3000, 5):
            Counted.transfers = bench.cost = 0
            try:
                driver.look(now)
            except ValueError:
                pass
            except Deaf:
                driver.start()
            assert Counted.transfers <= 1 and bench.cost <= I2C_TIMEOUT, (radio, now)


def test_of_four_chips_that_may_wait_one_is_asked_a_turn():
    class Waiting:
        name, waits = "waiting", True

        def __init__(self, n):
            self._n = n

        def start(self):
            pass

        def look(self, now):
            asked.append((now, self._n))

    asked = []
    board = Board([Place(Waiting(n)) for n in range(4)], [], Wire(), "ab", 0)
    for now in range(0, 4000, 5):
        board.step(now)
    assert len({now for now, _ in asked}) == len(asked)
    for n in range(4):
        assert len([1 for _, m in asked if m == n]) > 90, n


def test_two_looks_at_a_chip_are_never_closer_than_said():
    for readers in (1, 2, 3, 4):
        asked = []

        class Quick:
            name, waits = "quick", False

            def __init__(self, n):
                self._n = n

            def start(self):
                pass

            def look(self, now, asked=asked):
                if self._n == 0:
                    asked.append(now)

        board = Board([Place(Quick(n)) for n in range(readers)], [], Wire(), "ab", 0)
        for now in range(1000):
            board.step(now)
        apart = [asked[n] - asked[n - 1] for n in range(10, len(asked))]  # those at start are as fast as can be
        assert min(apart) >= POLL and max(apart) < POLL + readers, (readers, apart)


# --- registers of an MFRC522 ------------------------------------------------------------------------------------------


class Without:
    """A port that leaves out the writes of which `unwanted` says so: register, value. wrote: a list that keeps them."""

    def __init__(self, field, unwanted, wrote=None):
        self._chip = FakeMFRC522(field)
        self._unwanted = unwanted
        self._wrote = wrote

    def swap(self, data):
        if len(data) > 1 and not data[0] & 0x80:
            register = data[0] >> 1
            if self._wrote is not None:
                self._wrote.append((register, data[1]))
            if self._unwanted(register, data[1]):
                return bytes(len(data))
        return self._chip.swap(data)


def tries(driver, n=300):
    """What so many looks gave, of those that were looks at all."""
    found = []
    for now in range(0, n * 5, 5):
        try:
            look = driver.look(now)
        except (ValueError, Deaf):
            continue
        if look is not PENDING:
            found.append(look)
    return found


def test_each_write_of_the_set_up_is_needed_to_read_a_card():
    wrote = []
    field = Field()
    field.tags = [UIDS[1]]
    driver = MFRC522(Without(field, lambda _register, _value: False, wrote))
    del wrote[:]
    while not driver._ready(0):
        pass
    set_up = [register for register, _value in wrote]
    assert TX_CONTROL in set_up and RF_GAIN in set_up, set_up
    assert UIDS[1] in tries(MFRC522(FakeMFRC522(field)), 20)
    for left_out in set_up:
        if left_out == RF_GAIN:
            continue  # the gain is a matter of neighbours (test_gain.py)
        driver = MFRC522(Without(field, lambda register, _value, out=left_out: register == out))
        assert UIDS[1] not in tries(driver, 20), "%02X" % left_out


def test_a_call_is_seven_bits_and_the_interrupts_are_cleared_before_it():
    for left_out in ((BIT_FRAMING, 7), (COM_IRQ, 0x7F)):
        field = Field()
        field.tags = [UIDS[1]]
        driver = MFRC522(Without(field, lambda register, value, out=left_out: (register, value & 0x7F) == out))
        # 7 bits are written once without and once with the bit that starts the call
        assert UIDS[1] not in tries(driver, 40), left_out


def test_a_chip_in_another_mode_reads_no_card():
    """The registers that the driver leaves as they are after a reset matter, too: speed, CRC, timer, modulation."""
    for register, value in (
        (0x12, 0x10), (0x13, 0x20), (0x12, 0x80), (0x13, 0x80), (0x2A, 0x00), (0x2B, 0x00), (0x2D, 0x00), (0x15, 0x00),
        (0x14, 0x80),
    ):  # fmt: skip
        field = Field()
        field.tags = [UIDS[1]]
        chip = FakeMFRC522(field)
        driver = MFRC522(chip)
        assert UIDS[1] in tries(driver, 10)
        chip.swap(bytes((register << 1, value)))
        assert UIDS[1] not in tries(driver, 10), register


def test_the_chip_can_make_the_crc_itself_with_the_right_preset():
    """A driver of another kind: CRC by the chip, ISO/IEC 14443-3, 6.1.6."""
    for mode, right in ((0x3D, True), (0x3F, False)):
        field = Field()
        field.tags = [UIDS[0]]
        chip = FakeMFRC522(field)
        driver = MFRC522(chip)
        driver.look(0)
        driver.look(5)
        driver.look(10)
        chip.swap(bytes((0x11 << 1, mode)))
        driver._exchange((0x52,), 7)
        part = driver._exchange((0x93, 0x20))
        assert part[:4] == UIDS[0]
        chip.swap(bytes((0x12 << 1, 0x80)))
        chip.swap(bytes((0x13 << 1, 0x80)))
        assert driver._exchange(b"\x93\x70" + part) == (b"\x08" if right else None)


def test_a_tag_has_no_power_while_the_antenna_is_off():
    field = Field()
    field.tags = [UIDS[0]]
    chip = FakeMFRC522(field)
    driver = MFRC522(chip)
    assert UIDS[0] in tries(driver, 10)
    for antenna, answer in ((0x80, None), (0x81, None), (0x83, b"\x04\x00")):
        chip.swap(bytes((TX_CONTROL << 1, antenna)))
        assert driver._exchange((0x52,), 7) == answer, antenna


def test_a_crc_of_the_book():
    for data, low, high in ((b"\x00\x00", 0xA0, 0x1E), (b"\x12\x34", 0x26, 0xCF)):  # ISO/IEC 14443-3, annex B
        assert crc(data) == crc_a(data) == bytes((low, high))


def test_any_clone_is_read_and_one_that_changes_its_number_is_deaf():
    for version in (0x91, 0x92, 0x88, 0x89, 0xB2, 0x12, 0x01, 0xFE):
        field = Field()
        field.tags = [UIDS[1]]
        chip = FakeMFRC522(field, version)
        driver = MFRC522(chip)
        assert UIDS[1] in tries(driver, 10), version
        chip._registers[0x37] ^= 1
        try:
            driver.look(1000)
        except Deaf:
            continue
        raise AssertionError(version)
    for nobody in (0x00, 0xFF):
        assert tries(MFRC522(FakeMFRC522(Field(), nobody)), 60) == []


def test_noise_turns_bits_of_every_kind_of_answer():
    """So that the check byte and the CRC are needed, and not the parity alone."""
    field = Field()
    field.tags = [UIDS[0]]
    chip = FakeMFRC522(field)
    driver = MFRC522(chip)
    tries(driver, 5)
    field.radio = "noise"
    said = []
    for now in range(400):
        try:
            said.append(driver.look(now))
        except ValueError as error:
            said.append(str(error))
    for reason in ("reply", "anticollision", "select"):
        assert reason in said, said
    assert [look for look in said if isinstance(look, bytes) and look != UIDS[0]] == []


# --- the set-up of a PN532 --------------------------------------------------------------------------------------------


def test_a_garbled_reply_to_the_set_up_leaves_no_command_out():
    class Once(FakePN532):
        """Does not take in what it hears first of each command, and garbles its answer."""

        def _obey(self, command):
            first = bytes(command) not in obeyed
            obeyed.append(bytes(command))
            self.field.radio = "noise" if first and command[0] != LIST else "good"
            return bytes((command[0] + 1,)) if self.field.radio == "noise" else super()._obey(command)

    obeyed = []
    field = Field()
    field.tags = [b"\x08\x11\x22\x33"]
    found = tries(PN532(Once(field)), 100)
    assert len(found) > 5 and set(found) == set(field.tags), found
    field.tags = []
    driver = PN532(Once(field))
    obeyed.clear()
    assert set(tries(driver, 100)) == {None}


def test_each_command_of_the_set_up_is_needed():
    class Left(FakePN532):
        def _obey(self, command):
            if bytes(command[: len(out)]) == out:
                return bytes((command[0] + 1,))
            return super()._obey(command)

    phone = b"\x08\x11\x22\x33"
    for out in (bytes((SAM,)), bytes((PARAMETERS,)), bytes((RF, 5)), b"\xff"):
        field = Field()
        found = tries(PN532(Left(field)), 100)
        field.tags = [phone]
        driver = PN532(Left(field))
        seen = tries(driver, 100)
        good = bool(found) and set(found) == {None} and len(seen) > 5 and set(seen) == {phone}
        assert good == (out == b"\xff"), (out, found, seen)


# --- frames of a PN532 ------------------------------------------------------------------------------------------------


def answer(body):
    """A frame of the chip."""
    whole = b"\xd5" + body
    return bytes((0, 0, 0xFF, len(whole), -len(whole) & 0xFF)) + whole + bytes((-sum(whole) & 0xFF, 0))


class Line:
    """A PN532's line that says what it is given, in pieces of that size."""

    stream = True
    waits = False

    def __init__(self, says, piece):
        self.says, self._piece, self.sent = says, piece, []

    def send(self, data):
        self.sent.append(data)

    wake = send

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


def test_a_pause_in_a_look_is_no_deaf_chip_and_a_stuck_chip_is():
    """Under an operating system any other program may run between two questions."""
    clock = [0]

    def passing():
        clock[0] += 15
        return clock[0]

    real = mfrc522.ticks_ms
    mfrc522.ticks_ms = passing
    try:
        field = Field()
        field.tags = [UIDS[2]]
        driver = MFRC522(FakeMFRC522(field))
        for radio in ("good", "slow"):
            field.radio = radio
            assert tries(driver, 10)[-5:] == [UIDS[2]] * 5
        driver._port.swap(bytes((0x2A << 1, 0)))  # its timer is off
        field.radio, field.tags = "good", []
        for _ in range(2):
            try:
                driver.look(1000)
            except Deaf:
                continue
            raise AssertionError("it was not found stuck")
    finally:
        mfrc522.ticks_ms = real


def test_profiles_are_known():
    assert "good" in PROFILES and FakePN532(Field()).stream


def tests():
    """All of them, by name."""
    return sorted([(key, value) for key, value in globals().items() if key.startswith("test_")])


if __name__ == "__main__":
    for key, test in tests():
        test()
        print("ok", key)
