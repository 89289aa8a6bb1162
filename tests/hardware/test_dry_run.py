"""Section 2 of hardware/README.md, dry: a board in a terminal, named in the file, its card taught and locked in.

Everything but the screen: what a person would touch there is said to the engine.
"""

import queue
import re
import subprocess
import sys
import tomllib
from random import Random

import pytest

from companion import compose, config
from companion.adapters.sqlite import open_store
from companion.border import Border
from companion.engine import Engine
from companion.games.sir_holland import SirHolland
from companion.table.ports import Assign, Begin, Bind, CardBox, Listen, Outcome, Status, Touched
from companion.wording import Wording
from hardware import panel
from hardware.fakes import FakePanels
from hardware.nfc import Readers
from hardware.panel import BUZZER, LAMPS
from tests.hardware.boards import wait_until
from tests.hardware.test_guide import GUIDE, ROOT

CARD = "04A1B20000C3D4"
NAMES = {"red": "Ana", "blue": "Bruno"}


class Ears:
    def __init__(self):
        self.heard = queue.SimpleQueue()

    def announce(self, what):
        self.heard.put(what)

    def wait(self, kind, wanted=lambda what: True):
        while True:
            what = self.heard.get(timeout=20)
            if isinstance(what, kind) and wanted(what):
                return what


def of_the_guide(section):
    """The block of config.toml that begins with that section."""
    block = re.search(rf"(?m)^       \[{section}\]\n(?:       .*\n)+", GUIDE)[0]
    return getattr(config.parse(tomllib.loads(block)), section)


@pytest.fixture
def terminal(tmp_path):
    """`python -m hardware.fakes /tmp/board`, with a folder of our own."""
    command = re.search(r"`python -m hardware\.fakes (\S+)`", GUIDE)[0].strip("`").split()
    program = subprocess.Popen(
        [sys.executable, *command[1:-1], str(tmp_path / "board")], cwd=ROOT, stdin=subprocess.PIPE, text=True
    )
    yield lambda line: print(line, file=program.stdin, flush=True)
    program.communicate(timeout=20)
    assert program.returncode == 0


def test_from_a_terminal_to_a_locked_card(terminal, tmp_path):
    ports = [port.replace("/tmp/board", str(tmp_path / "board")) for port in of_the_guide("readers").ports]
    store, _ = open_store(tmp_path / "gryphon.sqlite3")
    ears, border = Ears(), Border()
    engine = Engine(store, border, [ears], [], Random(1))
    readers = Readers(engine.hear, ports)
    border.attach(readers=readers)
    with readers:
        engine.start()
        ears.wait(Status, lambda s: s.key == "devices" and len(s.data["readers"]) == 4)

        engine.post(Listen("seats"))  # whose is it? Lay any card on it
        terminal(f"lay 0 {CARD}")
        touched = ears.wait(Touched)
        assert touched.down and not touched.uid
        engine.post(Assign(touched.device, "red"))
        terminal("lift 0")
        ears.wait(Touched, lambda t: not t.down)

        engine.post(Listen("cards"))  # teach the cards
        terminal(f"lay 0 {CARD}")
        engine.post(Bind(ears.wait(Touched).uid, "red", 4))
        assert ears.wait(CardBox).tags == {CARD: ("red", 4)}
        terminal("lift 0")
        ears.wait(Touched, lambda t: not t.down)
        engine.post(Listen())

        engine.post(Begin(SirHolland.id, ("red", "blue"), NAMES, {}))
        ears.wait(Outcome)
        terminal(f"lay 0 {CARD}")
        outcome = ears.wait(Outcome)
        assert [Wording("en", SirHolland().term, NAMES)(m) for m in outcome.messages] == ["Ana has locked in."]
        assert outcome.now.view["locked"] == ["red"]
        assert "4" not in str(outcome.messages)
    engine.close()
    store.close()


def test_from_the_file_to_a_card_locked_by_a_button(tmp_path, monkeypatch):
    """Build B: the guide's own block of config.toml, on pretended pins."""
    fake = FakePanels()
    monkeypatch.setattr(panel, "usable_factory", lambda: fake.factory)
    lamp, buzzer = fake.factory.pin(LAMPS[1]), fake.factory.pin(BUZZER)
    store, _ = open_store(tmp_path / "gryphon.sqlite3")
    ears, border = Ears(), Border()
    engine = Engine(store, border, [ears], [], Random(1))
    panels = compose.panels(of_the_guide("panel"), engine.hear)
    border.attach(panels=panels)
    with panels:
        engine.start()
        ears.wait(Status, lambda s: s.key == "devices" and len(s.data["panels"]) == 4)
        engine.post(Begin(SirHolland.id, ("red", "blue"), NAMES, {}))
        ears.wait(Outcome)
        fake.press(1, 6)
        outcome = ears.wait(Outcome)
        fake.release(1, 6)
        assert outcome.now.view["locked"] == ["blue"]
        assert "6" not in str(outcome.messages)
        wait_until(lambda: lamp.state == 1)
        wait_until(lambda: any(change.state == 0.5 for change in buzzer.states))
    engine.close()
    store.close()


def test_a_slip_in_the_boards_terminal_is_told_and_ends_nothing(tmp_path):
    slips = ["lay 0 xyz", "lay 0 04A1", "lay 9 04A1B20000C3D4", "lift 7", "press 0 9", "radio 0 loud", "hop", ""]
    program = subprocess.run(
        [sys.executable, "-m", "hardware.fakes", str(tmp_path / "board")],
        cwd=ROOT, input="\n".join([*slips, f"lay 0 {CARD}", ""]), capture_output=True, text=True, timeout=20,
    )  # fmt: skip
    assert program.returncode == 0
    assert str(tmp_path / "board") in program.stdout
    told = program.stderr.splitlines()
    assert [line.partition(":")[0] for line in told] == slips[:-1]
    assert not [line for line in told if "Traceback" in line]
