"""Section 2 of hardware/README.md, dry: what stands in for hardware in a terminal of its own, up to a locked card.

Everything but the screen: what a person would touch there is said to the engine.
"""

import contextlib
import os
import pty
import queue
import re
import signal
import subprocess
import sys
import threading
import tomllib
from random import Random

import psutil
import pytest

from companion import compose, config
from companion.adapters.sqlite import open_store
from companion.border import Border
from companion.engine import Engine
from companion.games.sir_holland import SirHolland
from companion.table.ports import Assign, Begin, Bind, CardBox, Listen, Outcome, Status, Touched
from companion.wording import Wording
from hardware import dry_run, fake_pins, install, panel, signals
from hardware.fake_pins import FakePins, PretendedFactory
from hardware.fakes import FakeBoard
from hardware.nfc import Readers
from hardware.panel import FOUR_SEATS, THREE_BUZZER, THREE_LAMPS, THREE_SEATS, Panels
from tests.hardware.boards import UID, Inbox, wait_until
from tests.hardware.test_guide import GUIDE, ROOT
from tests.hardware.test_nfc import PATIENT

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


class Terminal:
    """A dry run in a process of its own: `type` a line, `wait` for one that it prints."""

    def __init__(self, *args, **environment):
        self._program = subprocess.Popen(
            [sys.executable, "-m", "hardware.dry_run", *map(str, args)], cwd=ROOT, env={**os.environ, **environment},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        self.lines = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.wait("It does: ")

    def _read(self):
        for line in self._program.stdout:
            self.lines.append(line)

    def type(self, line):
        print(line, file=self._program.stdin, flush=True)

    def wait(self, part):
        wait_until(lambda: any(part in line for line in self.lines))

    @property
    def pid(self):
        return self._program.pid

    def kill(self, number):
        self._program.send_signal(number)

    def end(self):
        with contextlib.suppress(OSError):
            self._program.stdin.close()  # Ctrl-D
        code = self._program.wait(20)
        self._reader.join(20)
        assert not self._reader.is_alive(), "something that it started still runs"
        self._program.stdout.close()
        return code


@pytest.fixture
def terminal(tmp_path):
    """`python -m hardware.dry_run board /tmp/board` as the guide has it, with a folder of our own."""
    words = re.search(r"`python -m hardware\.dry_run (board) (\S+)`", GUIDE)
    terminal = Terminal(words[1], tmp_path / "board")
    yield terminal
    assert terminal.end() == 0


def test_from_a_terminal_to_a_locked_card(terminal, tmp_path):
    ports = [port.replace("/tmp", str(tmp_path)) for port in of_the_guide("readers").ports]
    store, _ = open_store(tmp_path / "gryphon.sqlite3")
    ears, border = Ears(), Border()
    engine = Engine(store, border, [ears], [], Random(1))
    readers = Readers(engine.hear, ports)
    border.attach(readers=readers)
    with readers:
        engine.start()
        ears.wait(Status, lambda s: s.key == "devices" and len(s.data["readers"]) == 4)

        engine.post(Listen("seats"))  # whose is it? Lay any card on it
        terminal.type(f"lay 0 {CARD}")
        touched = ears.wait(Touched)
        assert touched.down and not touched.uid
        engine.post(Assign({touched.device: "red"}))
        terminal.type("lift 0")
        ears.wait(Touched, lambda t: not t.down)

        engine.post(Listen("cards"))  # teach the cards
        terminal.type(f"lay 0 {CARD}")
        engine.post(Bind(ears.wait(Touched).uid, "red", 4))
        assert ears.wait(CardBox).tags == {CARD: ("red", 4)}
        terminal.type("lift 0")
        ears.wait(Touched, lambda t: not t.down)
        engine.post(Listen())

        engine.post(Begin(SirHolland.id, ("red", "blue"), NAMES, {}))
        ears.wait(Outcome)
        terminal.type(f"lay 0 {CARD}")
        outcome = ears.wait(Outcome)
        assert [Wording("en", SirHolland().term, NAMES)(m) for m in outcome.messages] == ["Ana has locked in."]
        assert outcome.now.view["locked"] == ["red"]
        assert "4" not in str(outcome.messages)
        terminal.wait("reader 0: light locked")
        terminal.wait("reader 0: sound click")
    engine.close()
    store.close()


@pytest.fixture
def user(tmp_path, monkeypatch):
    """The environment of a user whose pretended pins are nobody else's."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    return {"XDG_RUNTIME_DIR": str(tmp_path)}


@pytest.fixture
def buttons(user):
    """`python -m hardware.dry_run buttons`."""
    terminal = Terminal("buttons", **user)
    yield terminal
    assert terminal.end() == 0


def test_from_the_file_to_a_card_locked_by_a_button(buttons, tmp_path, monkeypatch):
    """Build B: the guide's own block of config.toml, on the pins that the terminal pretends."""
    monkeypatch.setattr(panel, "usable_factory", PretendedFactory)
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
        buttons.type("tap 1 6")
        outcome = ears.wait(Outcome)
        assert outcome.now.view["locked"] == ["blue"]
        assert "6" not in str(outcome.messages)
        buttons.wait("buzzer: sounds")
        buttons.wait("lamp of panel 1: steady")
    engine.close()
    store.close()


def test_the_environment_alone_brings_the_pretended_pins(buttons, user, tmp_path):
    """As a person starts it: gpiozero finds them by their name."""
    (tmp_path / "dry.toml").write_text(re.search(r"(?m)^       \[panel\]\n(?:       .*\n)+", GUIDE)[0])
    done = subprocess.run(
        [sys.executable, "-m", "companion", "devices", "--config", tmp_path / "dry.toml", "--data", tmp_path / "data"],
        cwd=ROOT, env={**os.environ, **user, "GPIOZERO_PIN_FACTORY": "pretended"}, capture_output=True, text=True,
    )  # fmt: skip
    assert "Panels wired as matrix, pins through PretendedFactory. A press counts after 30 ms." in done.stdout, done


def test_lamps_and_buzzer_of_the_direct_wiring_are_told_too(user):
    terminal = Terminal("buttons", "--direct", **user)
    lamps = dict(enumerate(THREE_LAMPS))
    with Panels(Inbox(), THREE_SEATS, pin_factory=PretendedFactory(), lamps=lamps, buzzer=THREE_BUZZER) as panels:
        panels.light("gpio/2", "locked")
        panels.sound("gpio/2", "click")
        terminal.wait("buzzer: sounds")
        terminal.wait("lamp of panel 2: steady")
    assert terminal.end() == 0


def test_without_a_terminal_nobody_pretends_the_pins(user):
    with pytest.raises(signals.NoPins, match="dry_run buttons"):
        PretendedFactory()


@pytest.mark.parametrize("wiring", [FOUR_SEATS, THREE_SEATS], ids=["matrix", "direct"])
def test_fingers_of_one_program_press_buttons_of_another(user, wiring):
    inbox = Inbox()
    with FakePins(wiring, (), print) as fingers:
        with Panels(inbox, wiring, pin_factory=PretendedFactory()):
            fingers.press(2, 5)
            assert inbox.wait("press") == signals.Press("gpio/2", 5)
            fingers.release(2, 5)
            assert inbox.wait("release") == signals.Release("gpio/2", 5)
        fingers.press(0, 7)
        with Panels(inbox, wiring, pin_factory=PretendedFactory()):  # down from before: not pressed now
            fingers.release(0, 7)
            fingers.press(1, 1)
            assert inbox.wait("press", 2) == signals.Press("gpio/1", 1)
    assert not fake_pins.place().exists()


def test_pins_whose_terminal_closes_fail_and_come_back(user, monkeypatch):
    monkeypatch.setattr(panel, "RETRY", 0.05)
    inbox = Inbox()
    fingers = FakePins(FOUR_SEATS, (), print)
    with Panels(inbox, FOUR_SEATS, pin_factory=PretendedFactory()):
        fingers.close()
        assert inbox.wait("link-lost").reason == signals.PINS_FAILED
        with FakePins(FOUR_SEATS, (), print) as fingers:
            inbox.wait("link-back")
            fingers.press(3, 1)
            assert inbox.wait("press") == signals.Press("gpio/3", 1)


def test_two_terminals_do_not_share_the_pins(user, capsys):
    with FakePins(FOUR_SEATS, (), print):
        assert dry_run.main(["buttons"], []) == 1
        assert "Another terminal" in capsys.readouterr().err
        PretendedFactory()


def test_a_terminal_that_was_killed_leaves_nothing_in_the_way(user, tmp_path):
    for how in (("buttons",), ("board", tmp_path / "board"), ("adapter", tmp_path / "adapter")):
        for number in (signal.SIGKILL, signal.SIGHUP):
            terminal = Terminal(*how, **user)
            terminal.kill(number)
            terminal.end()
            others = [pty.openpty() for _ in range(20)]  # who is given the number that its pty had
            assert not any(path.exists() for path in how[1:])
            for fd in sum(others, ()):
                os.close(fd)
        terminal = Terminal(*how, **user)
        assert terminal.end() == 0
        assert list(tmp_path.iterdir()) == []


def test_a_second_signal_does_not_break_the_order_of_the_end(user, tmp_path):
    """A terminal that is closed sends several at once."""
    for how in (("buttons",), ("board", tmp_path / "board")):
        for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
            terminal = Terminal(*how, **user)
            for _ in range(3):
                terminal.kill(number)
            terminal.end()
            assert list(tmp_path.iterdir()) == [], (how, number)


@pytest.mark.parametrize("kind", ["board", "adapter"])
def test_one_that_hangs_ends_with_its_terminal(kind, tmp_path):
    terminal = Terminal(kind, tmp_path / "port")
    (program,) = psutil.Process(terminal.pid).children()
    terminal.type("freeze")
    wait_until(lambda: program.status() == psutil.STATUS_STOPPED)
    terminal.kill(signal.SIGKILL)
    terminal.end()
    wait_until(lambda: not program.is_running() or program.status() == psutil.STATUS_ZOMBIE)


@pytest.mark.parametrize("kind", ["board", "adapter"])
def test_a_file_that_is_in_the_way_is_left_alone(kind, tmp_path, capsys):
    (tmp_path / "config.toml").write_text("[panel]")
    assert dry_run.main([kind, str(tmp_path / "config.toml")], []) == 1
    assert "config.toml" in capsys.readouterr().err
    assert (tmp_path / "config.toml").read_text() == "[panel]"


def test_a_board_that_is_to_be_written_says_so_and_is_plugged_in_again(terminal, tmp_path):
    """`gryphon firmware install` sends it to its prompt, and a pretended one has none."""
    with Readers(inbox := Inbox(), [str(tmp_path / "board")]):
        inbox.wait("board-ready")
    with install._Talk(str(tmp_path / "board")) as talk:
        talk.update()
    terminal.wait("Type plug to start it again.")
    terminal.type("lift 0")
    terminal.type("plug")
    with Readers(inbox := Inbox(), [str(tmp_path / "board")]):
        inbox.wait("board-ready")


def test_a_second_board_at_the_same_path_is_refused_and_takes_nothing_away(tmp_path, capsys):
    with FakeBoard(tmp_path / "board") as board:
        assert dry_run.main(["board", str(board.port)], []) == 1
        assert str(board.port) in capsys.readouterr().err
        board.port.unlink()
        with FakeBoard(tmp_path / "board") as other:
            board.unplug()
            assert other.port.exists()
    assert dry_run.main(["board", str(tmp_path / "none" / "board")], []) == 1
    assert capsys.readouterr().err == f"{tmp_path / 'none' / 'board'}: No such file or directory\n"


def test_what_comes_to_lie_at_the_path_is_left_alone(tmp_path):
    with FakeBoard(tmp_path / "board") as board:
        board.unplug()
        board.port.write_text("mine")
        with pytest.raises(FileExistsError):
            board.plug()
    assert board.port.read_text() == "mine"
    (tmp_path / "link").symlink_to(tmp_path / "a stick that is not there")
    with pytest.raises(FileExistsError):
        FakeBoard(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()


def test_a_board_that_hangs_does_not_hang_its_terminal(terminal):
    terminal.type("freeze")
    for _ in range(20_000):
        terminal.type("lift 0")
    terminal.wait("thaw wakes it")
    terminal.type("thaw")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "| head -1"])
def test_a_closed_stream_is_no_fault_of_ours(closed, tmp_path):
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m hardware.dry_run board {tmp_path / 'board'} {closed}"],
        cwd=ROOT, input="lay 0 x\nlift 0\n", capture_output=True, text=True, timeout=20,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_lamps_are_dark_or_steady_or_move():
    said, now = [], [100.0]
    lamps = dry_run.Lamps({23: "lamp"}, 27, said.append, lambda: now[0])

    def shows(*levels, every=0.1):
        for level in levels:
            lamps.hear(23, level)
            now[0] += every
        for _ in range(30):
            lamps.look()
            now[0] += 0.1
        return said.pop() if said else None

    assert shows(1.0) == "lamp: steady"
    assert shows(1.0, 0.0, 1.0) == "lamp: steady"
    assert said == ["lamp: moves"]
    assert shows(0.0) == "lamp: dark"
    for level in (0.5, 0.0, 0.5, 0.0):  # a tune is one sound
        lamps.hear(27, level)
    assert said == ["lamp: moves", "buzzer: sounds"]


def test_typed_hands(tmp_path, capsys):
    inbox = Inbox()

    def hands():
        inbox.wait("board-ready")
        yield f"lay 0 {UID}\n"
        inbox.wait("tag-on")
        yield "dance\n"
        yield "lay\n"
        yield "\n"
        yield "press 0 3\n"
        inbox.wait("press")
        yield "unplug\n"
        inbox.wait("link-lost")
        yield "unplug\n"  # twice is fine
        yield f"lay 1 {UID}\n"
        yield "plug\n"
        inbox.wait("tag-lying", 2)

    with Readers(inbox, [str(tmp_path / "board")], timing=PATIENT):
        assert dry_run.main(["board", str(tmp_path / "board")], hands()) == 0
    assert capsys.readouterr().err.count("\n") == 2  # an empty line is no slip


def test_a_slip_in_the_boards_terminal_is_told_and_ends_nothing(tmp_path):
    slips = ["lay 0 xyz", "lay 0 04A1", "lay 9 04A1B20000C3D4", "lift 7", "press 0 9", "radio 0 loud", "hop", "tap 0"]
    program = subprocess.run(
        [sys.executable, "-m", "hardware.dry_run", "board", str(tmp_path / "board")],
        cwd=ROOT, input="\n".join([*slips, "", f"lay 0 {CARD}", ""]), capture_output=True, text=True, timeout=20,
    )  # fmt: skip
    assert program.returncode == 0
    assert str(tmp_path / "board") in program.stdout
    told = program.stderr.splitlines()
    assert told[0].endswith("such as 04A1B20000C3D4")
    assert "lay READER UID" in told[-2]
    assert told[-1] == "tap 0: say tap PANEL BUTTON"
    assert [line.partition(":")[0] for line in told] == slips
    assert not [line for line in told if "Traceback" in line]
