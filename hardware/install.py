"""Our firmware onto a reader board, and which firmware the boards here have.

A board that greets is sent `update` and comes back with its prompt. One that does not greet may be at its prompt
already: a new one with nothing but MicroPython, or one whose cable came loose in the middle of this. What lies on it
is looked at before anything is written: a program of somebody's own is lost only where somebody agrees.

mpremote copies; main.py goes first and comes last, so that a board with half of the files shows its prompt and can be
written again.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import select
import subprocess
import sys
import tempfile
import termios
import time
from ast import literal_eval
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

import serial
from serial.tools import list_ports

import firmware
from firmware import board, wire
from hardware import signals
from hardware.link import is_board_id
from hardware.nfc import matching, open_serial, plugged, why_not

FOLDER = Path(firmware.__file__).parent
FILES = ("board", "lamp", "looks", "mfrc522", "pins", "pn532", "ports", "ticks", "wire", "main")
"""What a board needs, main last."""

_Answer = TypeVar("_Answer")

GONE = (OSError, termios.error)  # what a port raises that is pulled out

RASPBERRY = 0x2E8A  # the USB vendor of a Pico: a port that may be asked for a prompt without being named

# What can go wrong. The words for it are in companion/cli_devices.py.
NO_PORT = "no port"
NOBODY = "nobody"  # ports are there, and no board greets at them; detail: which
SEVERAL = "several ports"
BAD_PLAN = "bad plan"  # detail: why, as a board would say it
NO_JSON = "no json"  # detail: the number of the line
NO_TOOL = "no mpremote"
HUNG = "hung"  # neither a greeting nor a prompt
LOST = "lost"  # it did not come back after `update`
FOREIGN = "foreign"  # somebody's own program lies on it; detail: its files
COPY = "copy"  # detail: what mpremote said
SILENT = "silent"  # no greeting after the copy
BOARD_JSON = "board.json"  # detail: what the board says about it
OTHER = "other"  # it greets with another version than ours; detail: which


class Failed(Exception):
    """The board could not be written; `why` is one of the above or a sentence of signals.py, `detail` its words."""

    def __init__(self, why: str, detail: str = "") -> None:
        super().__init__(f"{why} {detail}".strip())
        self.why = why
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds. A Pico answers within 0.1 and restarts within 2; another board may start anew when it is asked."""

    greeting: float = 6.0
    prompt: float = 2.0
    restart: float = 20.0
    copy: float = 180.0


USUAL = Patience()


@dataclass(slots=True)
class Greeting:
    """What a board said when asked who it is. `remark`: what it says about its board.json, if that is wrong."""

    port: str
    protocol: int
    firmware: str = "?"
    board: str | None = None
    readers: int = 0
    panels: int = 0
    sick: list[int] = field(default_factory=list)  # readers that are deaf or absent
    remark: str = ""

    @property
    def verdict(self) -> str:
        """How it fits: `old` or `new` for another protocol, `id` for a name that is none, else as `compare` says."""
        if self.protocol != wire.PROTOCOL:
            return "old" if self.protocol < wire.PROTOCOL else "new"
        if self.board is not None and not is_board_id(self.board):
            return "id"
        return compare(self.firmware)


def compare(version: str) -> str:
    """Firmware of our protocol beside ours: `same`, `older` or `newer`."""
    if version == wire.FIRMWARE:
        return "same"
    return "newer" if _numbers(version) > _numbers(wire.FIRMWARE) else "older"


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


# --- talking to one port ----------------------------------------------------------------------------------------------


class _Talk:
    """An open port, with nobody else on it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._port = _open(path)
        self._seq = 0

    def __enter__(self) -> _Talk:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(*GONE):
            self._port.reset_output_buffer()
        with suppress(*GONE):
            self._port.close()

    def hear(self, seconds: float) -> bytes:
        """What comes within that time; as soon as anything does."""
        if not select.select([self._port], [], [], seconds)[0]:
            return b""
        return bytes(self._port.read(4096))

    def send(self, kind: str, *args: object) -> str:
        """A frame; gives its SEQ."""
        seq = self._seq
        self._port.write(wire.encode(seq, kind, *args))
        self._seq = (seq + 1) & 0xFF
        return f"{seq:02X}"

    def greeting(self, seconds: float) -> Greeting | None:
        """Who it is; None if nobody says so in that time."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            nonce = f"{secrets.randbelow(0x10000):04X}"
            self._port.write(b"\n")  # ends what somebody else left half said
            self.send("hello?", nonce)
            found = self._greeting(nonce, min(until, time.monotonic() + 1.0))
            if found is not None:
                return found
        return None

    def _greeting(self, nonce: str, until: float) -> Greeting | None:
        decoder, raw, found, whole = wire.Decoder(), b"", None, False
        while (left := until - time.monotonic()) > 0:
            data = self.hear(left)
            raw += data
            for _, kind, args in decoder.feed(data):
                if not wire.well_formed(wire.BOARD_KINDS, kind, args):
                    continue
                if kind == "hello" and args[0] == nonce:
                    found = Greeting(self.path, int(args[1]))
                    if found.protocol == wire.PROTOCOL and len(args) < 4:
                        continue  # no greeting of ours: no firmware, or no board
                    if found.protocol != wire.PROTOCOL:
                        found.board = args[3] if len(args) > 3 else None
                        return found
                    found.firmware, found.board = args[2], args[3]
                elif found is None:
                    continue
                elif kind == "ready":
                    found.readers, found.panels = int(args[0]), int(args[1])
                    whole, until = True, time.monotonic() + 0.3  # for what a board says besides
                elif kind == "health" and args[1] != "ok":
                    found.sick.append(int(args[0]))
        if found is not None:
            said = re.findall(rb"board\.json: ([ -~]*)", raw)
            found.remark = said[-1].decode() if said else ""
        return found if whole else None

    def update(self) -> bool:
        """Sends it to its prompt; whether it said yes."""
        seq, decoder, until = self.send("update"), wire.Decoder(), time.monotonic() + 2.0
        while (left := until - time.monotonic()) > 0:
            for _, kind, args in decoder.feed(self.hear(left)):
                if (kind, args[:1]) == ("ack", (seq,)):
                    return True
        return False

    def start_again(self) -> None:
        """A soft reset at the prompt: whatever program is on the board begins."""
        self._port.write(b"\x04")
        self.hear(1.0)  # closing the port would throw away what it has not taken in yet

    def at_prompt(self, seconds: float) -> bool:
        """Whether MicroPython's prompt is there."""
        self._port.write(b"\r\x03\x03\x02\r")  # Ctrl-C ends a program, Ctrl-B the other kind of prompt
        raw, until = b"", time.monotonic() + seconds
        while b">>> " not in raw and (left := until - time.monotonic()) > 0:
            raw += self.hear(left)
        return b">>> " in raw


def _open(path: str) -> serial.Serial:
    try:
        return open_serial(path)
    except (*GONE, ValueError) as error:
        raise Failed(why_not(path, error) or NO_PORT, path) from error


# --- which boards are here --------------------------------------------------------------------------------------------


def ports(
    named: str | None = None, adapters: Iterable[str] = (), configured: Iterable[str] | None = None
) -> list[str]:
    """The paths to look at."""
    if named is not None:
        return matching(named)
    taken, there = plugged(configured, adapters)
    return sorted(set(there) - taken)


def check(
    named: str | None = None,
    patience: Patience = USUAL,
    adapters: Iterable[str] = (),
    configured: Iterable[str] | None = None,
) -> list[Greeting | Failed]:
    """Each port's greeting, or why there is none.

    `named`: a path or glob; None for every port of `configured` (None: USB serial ports) but `adapters`, behind which
    is a chip and no board.
    """
    return [_check(path, patience) for path in ports(named, adapters, configured)]


def _check(path: str, patience: Patience) -> Greeting | Failed:
    try:
        with _Talk(path) as talk:
            return talk.greeting(patience.greeting) or Failed(HUNG, path)
    except Failed as failed:
        return failed
    except GONE:
        return Failed(signals.UNPLUGGED, path)


# --- writing one ------------------------------------------------------------------------------------------------------


def check_plan(text: str) -> None:
    """Whether a board will take this text as its board.json. Raises Failed."""
    try:
        # no number here has so many digits, and Python refuses to count thousands of them
        plan = json.loads(text, parse_int=lambda digits: int(digits[:12]))
        board.check(plan)  # type: ignore[no-untyped-call]  # MicroPython knows no types
    except board.BadBoard as error:
        raise Failed(BAD_PLAN, str(error)) from error
    except json.JSONDecodeError as error:
        raise Failed(NO_JSON, str(error.lineno)) from error
    except RecursionError as error:
        raise Failed(NO_JSON, "1") from error


def install(
    named: str | None,
    plan: str | None,
    tell: Callable[[str], None] = lambda _step: None,
    patience: Patience = USUAL,
    adapters: Iterable[str] = (),
    configured: Iterable[str] | None = None,
    agree: Callable[[str, list[str]], bool] = lambda _port, _files: False,
) -> Greeting:
    """Writes our firmware, and `plan` as board.json where given; the greeting of the board afterwards.

    The port is looked for as by `check`. `tell` hears of each step: `asks`, `restarts`, `copies`, `greets`. `agree` is
    asked, with port and files, before a program of somebody's own is written over; without a yes it is left as it is
    and started again. Raises Failed.
    """
    if find_spec("mpremote") is None:
        raise Failed(NO_TOOL)
    tell("asks")
    path = _candidate(named, patience, adapters, configured)
    number = _serial_number(path)
    if not _at_prompt(path, patience):
        tell("restarts")
        path, _ = _await(path, number, patience, lambda talk: talk.at_prompt(0.5) or None, LOST)
    foreign = _foreign(path, patience)
    if foreign and not agree(path, foreign):
        _start_again(path, patience)
        raise Failed(FOREIGN, ", ".join(foreign))
    tell("copies")
    _copy(path, plan, patience)
    tell("greets")
    _, greeting = _await(path, number, patience, lambda talk: talk.greeting(1.0), SILENT)
    if greeting.remark:
        raise Failed(BOARD_JSON, greeting.remark)
    if greeting.verdict != "same":
        raise Failed(OTHER, greeting.firmware)
    return greeting


def _at_prompt(path: str, patience: Patience) -> bool:
    """True: a board shows its prompt there; False: it is on its way to it. Raises Failed."""
    try:
        with _Talk(path) as talk:
            if talk.greeting(patience.greeting) is not None:
                talk.update()  # without a yes, too, it may be on its way; its prompt will tell
                return False
            if talk.at_prompt(patience.prompt):
                return True
    except GONE as error:
        raise Failed(signals.UNPLUGGED, path) from error
    raise Failed(HUNG, path)


def _candidate(
    named: str | None, patience: Patience, adapters: Iterable[str], configured: Iterable[str] | None
) -> str:
    """The one port that is meant. Unnamed, a board that greets and a Pico that does not are each as good."""
    asked: list[Greeting | Failed] = []
    if named is not None:
        found = ports(named)
    else:
        adapters = tuple(adapters)
        configured = None if configured is None else tuple(configured)
        asked = check(None, patience, adapters, configured)
        chips = {os.path.realpath(path) for path in plugged(configured, adapters)[0]}
        picos = {port.device for port in list_ports.comports() if port.vid == RASPBERRY} - chips
        greeting = [one.port for one in asked if isinstance(one, Greeting)]
        found = greeting + sorted(picos - {os.path.realpath(path) for path in greeting})
    if len(found) > 1:
        raise Failed(SEVERAL, ", ".join(found))
    if not found and asked:
        raise Failed(NOBODY, ", ".join(one.port if isinstance(one, Greeting) else one.detail for one in asked))
    if not found or not Path(found[0]).exists():
        raise Failed(NO_PORT, named or ", ".join(configured or ()))
    return found[0]


def _serial_number(path: str) -> str | None:
    """The USB serial number behind a port, so that it is found again under another name."""
    device = os.path.realpath(path)
    return next((port.serial_number for port in list_ports.comports() if port.device == device), None)


def _await(
    path: str, number: str | None, patience: Patience, ask: Callable[[_Talk], _Answer | None], why: str
) -> tuple[str, _Answer]:
    """Where the board is once `ask` gets an answer, and the answer."""
    until = time.monotonic() + patience.restart
    while time.monotonic() < until:
        for one in dict.fromkeys(_places(path, number)):
            with suppress(Failed, *GONE), _Talk(one) as talk:
                answer = ask(talk)
                if answer is not None:
                    return one, answer
        time.sleep(0.1)
    raise Failed(why, path)


def _places(path: str, number: str | None) -> Iterable[str]:
    if number is not None:
        yield from (port.device for port in list_ports.comports() if port.serial_number == number)
    if Path(path).exists():
        yield path


LOOK = """
import os
for name in os.listdir():
    try:
        with open(name, "rb") as file:
            print(repr((name, file.read(200))))
    except OSError:
        pass
"""


def _foreign(path: str, patience: Patience) -> list[str]:
    """The files on a board at its prompt that are somebody's own and would be lost: its program, or what has our names.

    Ours begin with the line with which they began in every version so far; a broken cable leaves the beginning of one.
    """
    said = _mpremote(path, ["exec", LOOK], patience)
    there = dict(literal_eval(line) for line in said.splitlines() if line.startswith("('"))
    ours = {f"{name}.py": (FOLDER / f"{name}.py").read_bytes() for name in FILES}
    mine = [name for name in ours.keys() & there.keys() if _is_ours(there[name], ours[name])]
    programs = sorted({"main.py", "main.mpy"} & there.keys() - {*mine})
    if programs or "main.py" in mine:
        return programs
    # without a main.py it is a new board, or half-written: then something of ours is there
    return [] if mine else sorted(ours.keys() & there.keys())


def _is_ours(beginning: bytes, whole: bytes) -> bool:
    """Whether a file that begins so is one of ours, of whatever version, or what a broken cable left of it."""
    return whole.startswith(beginning) or beginning.split(b"\n")[0].rstrip() == whole.split(b"\n")[0]


def _start_again(path: str, patience: Patience) -> None:
    """Lets a board at its prompt run its own program again: Ctrl-D, a soft reset."""
    with suppress(Failed, *GONE), _Talk(path) as talk:
        if talk.at_prompt(patience.prompt):
            talk.start_again()


TIDY = """
import os
for name in ("main.py", "main.mpy", "repl"):
    try:
        os.remove(name)
    except OSError:
        pass
"""


def _copy(path: str, plan: str | None, patience: Patience) -> None:
    with tempfile.TemporaryDirectory(prefix="gryphon-") as folder:
        files = [FOLDER / f"{name}.py" for name in FILES]
        if plan is not None:
            Path(folder, "board.json").write_text(plan, encoding="utf-8")
            files.insert(0, Path(folder, "board.json"))
        steps = ["exec", TIDY]
        for file in files:
            steps += ["+", "fs", "cp", str(file), f":{file.name}"]
        _mpremote(path, [*steps, "+", "reset"], patience)


def _mpremote(path: str, steps: list[str], patience: Patience) -> str:
    """What mpremote says to these steps on a board at its prompt. Raises Failed."""
    # resume: the board is fresh from its start, and is not to be restarted in between
    command = [sys.executable, "-m", "mpremote", "connect", os.path.realpath(path), "resume", *steps]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=patience.copy, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise Failed(COPY, f"{patience.copy:.0f} s") from error
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise Failed(COPY, lines[-1] if lines else str(done.returncode))
    return done.stdout
