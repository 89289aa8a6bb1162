"""A reader is unplugged in the middle of a round: seen, heard and felt within a second, and good again within five.

The whole house from the port to screen, voice and panel: all but loudspeaker, window and pins is real.
"""

import threading
import time
from random import Random

import pytest

from companion.adapters.speech import Speech
from companion.adapters.sqlite import open_store
from companion.border import Border
from companion.engine import Engine
from companion.games.sir_holland import SirHolland
from companion.table.ports import Begin, Bind, Home, Outcome, Status
from companion.wording import Wording
from hardware.fake_pins import FakePanels
from hardware.fakes import FakeBoard
from hardware.nfc import Readers
from hardware.panel import Panels
from tests.hardware.boards import OTHER, PATIENCE, UID

NAMES = {"red": "Ana", "blue": "Bruno"}
WORDS = Wording("en", SirHolland().term, NAMES)
SENTENCE = "The reader of Ana went quiet. The plug was pulled. Meanwhile, choose here."


class Witness:
    """Whatever happened, with its time."""

    def __init__(self):
        self.seen = []
        self._news = threading.Condition()

    def __call__(self, what):
        with self._news:
            self.seen.append((time.monotonic(), what))
            self._news.notify_all()

    def wait(self, wanted, since=0.0):
        """The first such thing after that moment, with its time."""

        def found():
            return next(((at, what) for at, what in list(self.seen) if at >= since and wanted(what)), None)

        with self._news:
            assert self._news.wait_for(found, PATIENCE), self.seen
        return found()

    announce = __call__


class Loudspeaker:
    """A voice whose sentences are only noted, when they begin."""

    def __init__(self, witness):
        self.witness = witness

    def file(self, lang, text, stop):
        return text

    def play(self, text, stop):
        self.witness(("heard", text))

    def close(self):
        pass


@pytest.fixture
def house(tmp_path):
    store, _ = open_store(tmp_path / "gryphon.sqlite3")
    witness = Witness()
    border = Border({"a/0": "red", "b/0": "blue", "gpio/0": "red", "gpio/1": "blue"})
    engine = Engine(store, border, [witness], [], Random(1))
    loudspeaker = Loudspeaker(witness)
    speech = Speech("en", engine.post, player=loudspeaker.play)
    speech._voice = loudspeaker
    engine.add(speech)
    pins = FakePanels()
    readers = Readers(engine.hear, [str(tmp_path / "tty*")])
    panels = Panels(engine.hear, pins.wiring, pin_factory=pins.factory, lamps={0: 26, 1: 27})
    border.attach(readers, panels)
    with readers, panels:
        engine.start()
        yield engine, witness, pins
    engine.close()
    speech.close()
    store.close()


def is_lost(board):
    return lambda what: isinstance(what, Status) and what.key == board and what.message is not None


def locked(*seats):
    return lambda what: isinstance(what, Outcome) and sorted(what.now.view["locked"]) == sorted(seats)


def test_unplugged_in_mid_round(house, tmp_path):
    engine, witness, pins = house
    lamp = pins.factory.pin(26)
    with (
        FakeBoard(tmp_path / "ttyACM0", readers=1, board="a") as one,
        FakeBoard(tmp_path / "ttyACM1", readers=1, board="b") as two,
    ):
        witness.wait(lambda what: isinstance(what, Home))
        for board in ("a", "b"):
            witness.wait(lambda what, board=board: isinstance(what, Status) and what.key == board)
        engine.post(Bind(UID, "red", 4))
        engine.post(Bind(OTHER, "blue", 2))
        engine.post(Begin(SirHolland.id, ("red", "blue"), NAMES, {}))
        witness.wait(lambda what: isinstance(what, Outcome))
        one.lay(0, UID)
        witness.wait(locked("red"))
        while lamp.state != 1:  # Ana's panel says so, too
            time.sleep(0.01)
        before = len(lamp.states)

        start = time.monotonic()
        one.unplug()
        seen, status = witness.wait(is_lost("a"), start)
        heard, _ = witness.wait(lambda what: what == ("heard", SENTENCE), start)
        while not any(change.state == 0 for change in lamp.states[before:]):  # the first blink has ended
            assert time.monotonic() < start + PATIENCE
            time.sleep(0.01)
        felt = time.monotonic()
        assert WORDS(status.message) == SENTENCE

        assert max(seen, heard, felt) - start < 1.0

        two.lay(0, OTHER)  # the others go on, and Ana's lock is kept: both are in
        witness.wait(locked("red", "blue"), start)

        one.port = tmp_path / "ttyUSB7"
        start = time.monotonic()
        one.plug()
        back, _ = witness.wait(
            lambda what: isinstance(what, Status) and what.key == "a" and what.message is None, start
        )
        assert back - start < 5.0
