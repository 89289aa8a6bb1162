"""A day at the table: four readers with bad radios and random visits, from the chips to the table's inbox.

Board, drivers, fake chips and the table's own Link run on one clock that is turned by hand. Ten minutes in `make test`,
24 hours in `make long`.
"""

import gc
import random
import sys
from pathlib import Path

import psutil
import pytest

import firmware
from hardware.link import Known, Link
from tests.conftest import LONG

sys.path.append(str(Path(firmware.__file__).parent))  # on a board the files lie flat
from fakechips import FakePN532, Field, chip_port
from main import MISSES, POLL, Board
from mfrc522 import MFRC522
from pins import Place
from pn532 import PN532

SECONDS = 24 * 3600 if LONG else 600
STEP = 33  # ms a turn instead of 5, so that the day takes minutes. One reader is due in each turn, so each is looked at
# every 132 ms instead of 40; an answer comes in up to four pieces, one a turn, and a driver waits 200 ms for it
SLOW = 1  # so a slow chip is slow for one turn, where at 5 ms it is for six
HOLD = 5.0  # seconds that a visit or a gap lasts at least: as long as it takes to be sure that a tag is gone, and more


class Pipe:
    """The board's port and, on its other side, the table's: bytes in both directions, at once."""

    def __init__(self):
        self.to_board = self.to_table = b""

    def read(self):
        data, self.to_board = self.to_board[:64], self.to_board[64:]
        return data

    def write(self, data):
        self.to_table += bytes(data)
        return len(data)


class Visitor:
    """Somebody who lays a tag on a reader and takes it away, again and again."""

    def __init__(self, number, field, dice):
        self._number, self._field, self._dice = number, field, dice
        self._next = dice.uniform(HOLD, 20)
        self.visits = []

    def look(self, now):
        if now < self._next:
            return
        dice = self._dice
        if self._field.tags:
            self._field.tags = []
            self._next = now + HOLD + dice.expovariate(1 / 40)
        else:
            uid = dice.randbytes(dice.choice((4, 7, 10)))
            uid = bytes((4, self._number)) + uid[2:]
            self._field.tags = [uid]
            self.visits.append(uid.hex().upper())
            # now and then somebody goes to bed
            self._next = now + HOLD + dice.expovariate(1 / (1200 if dice.random() < 0.02 else 30))


@pytest.mark.slow
def test_events_equal_visits_exactly_and_memory_is_flat(monkeypatch):
    monkeypatch.setattr(FakePN532, "SLOW", SLOW)
    dice = random.Random(11)
    assert 2 * MISSES * 2 * max(POLL, 4 * STEP) / 1000 < HOLD  # every second look fails; one asks, the next one hears
    fields = [Field() for _ in range(4)]
    kinds = [("mfrc522", MFRC522), ("pn532", PN532)] * 2
    places = [Place(driver(chip_port(chip, field))) for (chip, driver), field in zip(kinds, fields, strict=True)]
    pipe, heard = Pipe(), []
    board = Board(places, [], pipe, "50a4", 0)
    link = Link("port", Known(), heard.append, 0.0)
    visitors = [Visitor(number, field, dice) for number, field in enumerate(fields)]
    told = [[] for _ in fields]  # of each reader: UIDs on, and None for off
    kinds_heard, memory, next_change, polluted = set(), [], 0.0, 0

    def settle():
        for signal in heard:
            kinds_heard.add(signal.name)
            if signal.name in ("tag-on", "tag-off"):
                told[int(signal.reader[-1])].append(signal.uid if signal.name == "tag-on" else None)
        heard.clear()

    for milliseconds in range(0, SECONDS * 1000, STEP):
        now = milliseconds / 1000
        if now >= next_change:  # the radio's mood
            next_change = now + 30
            for field in fields:
                field.radio = dice.choice(("good", "good", "half", "misses", "slow"))
            if dice.random() < 0.2:
                # a burst of interference on one reader, for less time than would start the chip anew
                fields[dice.randrange(4)].radio = "noise"
                next_change = now + 0.5
                polluted += 1
        for visitor in visitors:
            visitor.look(now)
        board.step(milliseconds & 0x3FFFFFFF)
        if pipe.to_table:
            data, pipe.to_table = pipe.to_table, b""
            link.receive(data, now)
        link.tick(now)
        pipe.to_board += link.take()
        if heard:
            settle()
        if milliseconds // STEP % (SECONDS * 100 // STEP) == 0 and milliseconds:  # ten times
            gc.collect()
            # objects that live, and bytes of the process: a buffer that grows is one object
            memory.append((sys.getallocatedblocks(), psutil.Process().memory_info().rss))
    assert not link.ended
    assert (link.decoder.dropped, link.decoder.lost, link.wrong, board.dropped) == (0, 0, 0, 0)
    for number, visitor in enumerate(visitors):
        expected = [what for uid in visitor.visits for what in (uid, None)]
        assert told[number] == expected[: len(told[number])], f"reader {number}"
        # the last visit may still be on its way
        assert len(expected) - len(told[number]) <= 2, f"reader {number}"
    assert kinds_heard <= {"board-ready", "sight", "tag-on", "tag-off"}, kinds_heard
    assert polluted and sum(len(visitor.visits) for visitor in visitors) > SECONDS / 30
    # what the test itself keeps of the visits grows: two entries and a UID each
    kept = sum(len(visitor.visits) for visitor in visitors)
    assert memory[-1][0] - memory[0][0] < 2000 + 4 * kept, memory
    assert memory[-1][1] - memory[0][1] < 4_000_000, memory
