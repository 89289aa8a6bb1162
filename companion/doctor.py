"""`gryphon doctor`: one page about all that this table needs. Each room offers its checks; here they are collected.

A check has a time limit and never raises: whatever happens to it becomes a line. They run side by side.
"""

from __future__ import annotations

import grp
import json
import os
import platform
import queue
import shutil
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from glob import glob
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from companion import advice
from companion.adapters import checks as outside
from companion.config import Config
from companion.games.base import Message, msg, msgn
from companion.health import FAULT, OK, WARNING, Finding
from companion.table.seating import GPIO
from companion.ui import checks as screen
from companion.wording import Wording
from firmware import wire
from hardware import signals
from hardware.signals import DeviceFault

if TYPE_CHECKING:
    from hardware.found import Greeted

LIMIT = 45.0
"""Seconds that a check may take."""
OS, PYTHON, COMMAND = msg("System"), msg("Python"), msg("Command")
GROUPS, CLOCK, POWER = msg("Groups"), msg("Clock"), msg("Power")
PORTS, BOARDS, READERS, PANELS = msg("Ports"), msg("Boards"), msg("Readers"), msg("Panels")
PINS, LIGHTS, TOUCHED = msg("Pins"), msg("Lights"), msg("Touched")
STATES = {OK: msg("ok"), WARNING: msg("warning"), FAULT: msg("fault")}
FIRST_YEAR = 2025
"""A clock that says less was never set: this program did not exist then."""

Run = Callable[[], Iterable[Finding]]
Panels = Callable[[], Any]
"""Sets the button panels up (hardware.panel.Panels)."""


@dataclass(frozen=True, slots=True)
class Check:
    """What is looked at, and how."""

    about: Message
    run: Run
    limit: float = LIMIT


def examine(checks: Sequence[Check]) -> Iterator[Finding]:
    """What all checks find, in their order, as soon as it is known."""
    answers: list[queue.SimpleQueue[Finding | None]] = [queue.SimpleQueue() for _ in checks]

    def run(check: Check, answer: queue.SimpleQueue[Finding | None]) -> None:
        try:
            for finding in check.run():
                answer.put(finding)
        except Exception as error:  # noqa: BLE001  a check that fails is a finding, too
            text = msg("The check itself failed: {kind}: {error}", kind=type(error).__name__, error=error)
            answer.put(Finding(check.about, FAULT, text, msg("That is our fault. Please report it.")))
        answer.put(None)

    began = monotonic()
    for check, answer in zip(checks, answers, strict=True):
        threading.Thread(target=run, args=(check, answer), name=f"check {check.about.id}", daemon=True).start()
    for check, answer in zip(checks, answers, strict=True):
        try:
            while (finding := answer.get(timeout=max(0.0, began + check.limit - monotonic()))) is not None:
                yield finding
        except queue.Empty:
            text = msg("No answer within {n} seconds.", n=round(check.limit))
            yield Finding(check.about, FAULT, text, msg("Something hangs there. Restart the Pi, then ask again."))


def all_checks(
    config: Config, database: Path, lang: str, table_open: bool, panels: Panels, output: str = ""
) -> list[Check]:
    """Of every room. table_open: a table is running, and holds screen, ports and pins; panels: sets them up; output:
    the loudspeaker that is heard.
    """
    return [
        Check(OS, lambda: [system()]),
        Check(PYTHON, lambda: [python()]),
        Check(COMMAND, lambda: [by_name()]),
        Check(screen.WINDOW, lambda: [_at_the_table(screen.WINDOW) if table_open else screen.window()]),
        Check(GROUPS, lambda: [groups()]),
        Check(BOARDS, lambda: devices(config, panels, table_open)),
        Check(outside.SOUND, lambda: [outside.sound(lang, output=output)]),
        Check(outside.BROKER, lambda: [outside.broker()]),
        Check(outside.DISK, lambda: [outside.disk(database)]),
        Check(CLOCK, lambda: [clock()]),
        Check(POWER, lambda: [power()]),
    ]


def _at_the_table(about: Message) -> Finding:
    text = msg("Not looked at: the open table uses it.")
    return Finding(about, WARNING, text, msg("Close the table and ask again. Its screen, too, tells of devices."))


def report(findings: Iterable[Finding], words: Wording, as_json: bool = False) -> int:
    """Print them; the exit code: 1 where something does not work."""
    worst = 0
    for finding in findings:
        worst |= finding.state == FAULT
        about, text = words(finding.about), words(finding.text)
        remedy = words(finding.remedy) if finding.remedy else None
        if as_json:
            line = {"check": finding.about.id.lower(), "state": finding.state, "text": text, "remedy": remedy}
            print(_json(line), flush=True)
            continue
        print(f"{words.text(STATES[finding.state].id):<8} {about:<9} {text}", flush=True)
        if remedy:
            print(f"{'':<18} > {remedy}", flush=True)
    return int(worst)


def _json(line: Any) -> str:
    """One line, with escapes where the terminal has not all letters."""
    text = json.dumps(line, ensure_ascii=False)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(line)
    return text


# --- the system -----------------------------------------------------------------------------------------------------


def system(root: Path = Path("/"), bits: int = struct.calcsize("P") * 8) -> Finding:
    """Which system and machine this is. Debian 12 or later, 64 bits, is what we know."""
    told: dict[str, str] = {}
    with suppress(OSError):
        lines = (root / "etc/os-release").read_text(encoding="utf-8", errors="replace").splitlines()
        told = {name: value.strip('"') for name, _, value in (line.partition("=") for line in lines)}
    machine = platform.machine()
    with suppress(OSError):
        model = (root / "proc/device-tree/model").read_text(encoding="utf-8", errors="replace")
        machine = model.rstrip("\0\n")
    name = told.get("PRETTY_NAME", platform.system())
    text = msg("{name} on {machine}, {bits} bits.", name=name, machine=machine, bits=bits)
    number = told.get("VERSION_ID", "")
    old = told.get("ID") in ("debian", "raspbian") and number.isdecimal() and int(number) < 12
    if old or bits < 64:
        remedy = msg("Write the card anew with Raspberry Pi OS, 64 bits, of 2023 (bookworm) or later.")
        return Finding(OS, WARNING, text, remedy)
    return Finding(OS, OK, text)


NEEDED = {"kivy": "screen", "gpiozero": "devices", "pyserial": "devices"}
"""Packages of the table, and the extra of ours that brings each."""


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def python(
    running: tuple[int, int] = sys.version_info[:2], version_of: Callable[[str], str | None] = _version
) -> Finding:
    """This Python, and the packages that the table needs."""
    found = {package: version_of(package) for package in NEEDED}
    there = [f"{package} {number}" for package, number in found.items() if number]
    text = msg("{what}.", what=", ".join([f"Python {platform.python_version()}", *there]))
    if not (3, 11) <= running < (3, 14):
        text = msg("Python {n}.", n=".".join(map(str, running)))
        return Finding(PYTHON, FAULT, text, msg("Use Python 3.11, 3.12 or 3.13."))
    if missing := [package for package, number in found.items() if not number]:
        text = msg("Missing: {what}.", what=", ".join(missing))
        extras = ",".join(sorted({NEEDED[package] for package in missing}))
        return Finding(PYTHON, FAULT, text, advice.install(extras))
    return Finding(PYTHON, OK, text)


def by_name() -> Finding:
    """Whether what we tell people to type (`gryphon ...`) is found."""
    if (remedy := advice.by_name()) is not None:
        return Finding(COMMAND, WARNING, msg("A terminal does not find this program by its name."), remedy)
    return Finding(COMMAND, OK, msg("A terminal finds this program by its name."))


WANTED = {
    "dialout": "/dev/tty[AU]*[0-9]", "gpio": "/dev/gpiochip*", "video": "/dev/dri/card*", "input": "/dev/input/event*",
    "render": "/dev/dri/renderD*", "audio": "/dev/snd/*",
}  # fmt: skip
"""Groups of the system, and what each lets one use."""


def groups(
    wanted: Mapping[str, str] = WANTED,
    mine: Collection[int] | None = None,
    listed: Callable[[str], tuple[int, Collection[str]] | None] | None = None,
    user: str | None = None,
    can_use: Callable[[str], bool] = lambda path: os.access(path, os.R_OK | os.W_OK),
) -> Finding:
    """Whether this user may use what is there: screen, touch, ports, pins, sound."""
    mine = {*os.getgroups(), os.getegid()} if mine is None else mine
    listed = listed or _group
    user = user or _user()
    missing: list[str] = []
    asleep: list[str] = []
    there: list[str] = []
    for name, paths in wanted.items():
        group = listed(name)
        if group is None:
            continue
        there.append(name)
        nodes = glob(paths)  # noqa: PTH207  a pattern from the root
        if group[0] in mine or (nodes and all(can_use(node) for node in nodes)) or os.geteuid() == 0:
            continue
        (asleep if user in group[1] else missing).append(name)
    if missing:
        names = ",".join(missing)
        text = msg("The user {user} is not in: {groups}.", user=user, groups=names)
        remedy = msg(
            "In a terminal: sudo usermod -aG {groups} {user}. Then log out and in again.", groups=names, user=user
        )
        return Finding(GROUPS, WARNING, text, remedy)
    if asleep:
        names = ", ".join(asleep)
        text = msg("The user {user} was put into {groups}, but not in this session.", user=user, groups=names)
        return Finding(GROUPS, WARNING, text, msg("Log out and in again, or restart."))
    names = ", ".join(there) or "-"
    return Finding(GROUPS, OK, msg("The user {user} may use what there is of {groups}.", user=user, groups=names))


def _group(name: str) -> tuple[int, Collection[str]] | None:
    try:
        found = grp.getgrnam(name)
    except KeyError:
        return None
    return found.gr_gid, found.gr_mem


def _user() -> str:
    import pwd

    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


def _answer(*command: str, seconds: float = 5.0) -> str | None:
    """What a program says; None where it is not there, or fails."""
    if shutil.which(command[0]) is None:
        return None
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=seconds, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


Ask = Callable[..., str | None]


def clock(now: datetime | None = None, ask: Ask = _answer, mark: Path = Path("/run/systemd/timesync")) -> Finding:
    """Whether the time is right. A Pi without a battery wakes up in the past until the network tells it."""
    now = now or datetime.now(UTC)
    time = now.strftime("%Y-%m-%d %H:%M")
    text = msg("{time} UTC.", time=time)
    if now.year < FIRST_YEAR:
        remedy = msg("Connect the Pi to the network once, or set it: sudo date -s '2026-01-31 20:00'.")
        return Finding(CLOCK, FAULT, text, remedy)
    if ask("timedatectl", "show", "-p", "NTPSynchronized", "--value") == "yes" or (mark / "synchronized").exists():
        return Finding(CLOCK, OK, msg("{time} UTC, set by the network.", time=time))
    remedy = msg("Nobody has set it from the network: games may get a wrong date. Their order stays right.")
    return Finding(CLOCK, WARNING, text, remedy)


def power(ask: Ask = _answer, sensors: Path = Path("/sys/class/hwmon")) -> Finding:
    """Whether the power supply is strong enough, where the machine can tell."""
    remedy = msg("Use the power supply made for this Pi and a short, thick cable. Lights may have one of their own.")
    said = ask("vcgencmd", "get_throttled")
    if said is not None and said.startswith("throttled=0x"):
        with suppress(ValueError):
            bits = int(said.removeprefix("throttled="), 16)
            if bits & 0x1:
                return Finding(POWER, FAULT, msg("The voltage is too low right now."), remedy)
            if bits & 0x10000:
                return Finding(POWER, WARNING, msg("The voltage was too low since the start."), remedy)
            if bits & 0xE:
                text = msg("The Pi is too hot and slows itself down.")
                return Finding(POWER, WARNING, text, msg("Give it air or a heat sink."))
            return Finding(POWER, OK, msg("The voltage is well."))
    for alarm in sensors.glob("*/in0_lcrit_alarm"):
        with suppress(OSError):
            if (alarm.parent / "name").read_text(encoding="ascii").strip() == "rpi_volt":
                low = alarm.read_text(encoding="ascii").strip() == "1"
                text = msg("The voltage is too low right now.") if low else msg("The voltage is well.")
                return Finding(POWER, FAULT if low else OK, text, remedy if low else None)
    return Finding(POWER, OK, msg("This machine does not tell."))


# --- devices --------------------------------------------------------------------------------------------------------

NO_LIBRARIES = msg("The device libraries are not installed.")
INSTALL = advice.install("devices")


def fits(verdict: str) -> Message:
    """How a board's firmware fits ours (a verdict of hardware/install.py), and what to do about it."""
    match verdict:
        case "same":
            return msg("That is ours.")
        case "older":
            return msg("It works. Ours is newer, {ours}: gryphon firmware install.", ours=wire.FIRMWARE)
        case "newer":
            return msg("It is newer than ours, {ours}, and works.", ours=wire.FIRMWARE)
        case "id":
            return Message(signals.BAD_ID)
        case _:
            return Message(signals.TOO_OLD if verdict == "old" else signals.TOO_NEW)


def ports(config: Config) -> list[str]:
    """The serial ports that are plugged in, of those that the file names."""
    try:
        from hardware.found import there
    except ImportError:
        return []
    return there(config.readers.ports or None, config.readers.adapters)


def missing(config: Config) -> Iterator[Finding]:
    """The ports that the file names and that are not there, with those that are."""
    try:
        from hardware.found import offered, there
    except ImportError:
        return
    others = offered(config.readers.ports, config.readers.adapters)
    remedy = msg("No other port is there. Plug it in, or mend its name.")
    if others:
        remedy = msg("Plug it in, or mend its name. Other ports that are there: {what}", what=", ".join(others))
    for port in (*config.readers.ports, *config.readers.adapters):
        if not there([port]):
            yield Finding(PORTS, WARNING, msg("The configuration names {port}, which is not there.", port=port), remedy)


def devices(config: Config, panels: Panels, table_open: bool = False) -> Iterator[Finding]:
    """Panels, ports, the boards on them, their readers, each as soon as it is known; then what nobody has touched, and
    all lights that can shine.
    """
    if table_open:
        yield from (_at_the_table(about) for about in (PINS, PORTS, BOARDS))
        return
    panel = config.panel
    of_panels = pins(panel.wiring, panels)
    yield from of_panels
    lights = 0
    untouched: dict[str, list[str]] = {"reader": [], "panel": []}
    if panel.wiring != "none" and all(finding.state == OK for finding in of_panels):
        wired = len(panel.rows if panel.wiring == "matrix" else panel.pins)
        lights = min(len(panel.lamps), wired)
        untouched["panel"] += [f"{GPIO}/{number}" for number in range(wired)]
    try:
        from hardware.found import Greeted, Silent, find, offered
        from hardware.signals import BoardRefused
    except ImportError:
        yield Finding(BOARDS, FAULT, NO_LIBRARIES, INSTALL)
        return
    if here := ports(config):
        yield Finding(PORTS, OK, msg("{what}.", what=", ".join(here)))
    elif not offered(config.readers.ports, config.readers.adapters):
        text = msg("None: I see no reader board on any USB port. Everything works by touch.")
        yield Finding(
            PORTS, WARNING, text,
            msg("If one is plugged in: try another cable, one that carries data, and another socket."),
        )  # fmt: skip
    yield from missing(config)
    for found in find(config.readers.ports or None, config.readers.adapters):
        match found:
            case BoardRefused(None, port, reason):
                yield Finding(PORTS, FAULT, msg("The port {port} is not in use.", port=port), Message(reason, {}))
            case BoardRefused(board, port, reason):
                text = msg("Board {id}, at {port}, is not in use.", id=board, port=port)
                yield Finding(BOARDS, FAULT, text, Message(reason, {}))
            case Silent(port):
                remedy = msg(
                    "If it is a reader board, unplug it and plug it in again; if that helps nothing: gryphon firmware "
                    "install. If it is none, all is well."
                )
                yield Finding(PORTS, WARNING, msg("Nothing greets at {port}.", port=port), remedy)
            case Greeted(board, touched):
                yield from _board(found)
                lights += sum("light" in reader.can for reader in board.readers)
                untouched["reader"] += [r.reader for r in board.readers if ("reader", r.reader) not in touched]
                untouched["panel"] += [panel for panel in board.panels if ("panel", panel) not in touched]
    remedy = msg("Lay a card on each reader and press a button of each panel: gryphon devices test.")
    for text in not_touched(untouched):
        yield Finding(TOUCHED, WARNING, text, remedy)
    text = msg("None is wired. The screen shows the same.")
    if lights:
        text = msgn(
            "{n} seat light. Look at it: gryphon devices test.",
            "{n} seat lights. Look at them: gryphon devices test.",
            n=lights,
        )
    elif panel.lamps and panel.wiring != "none":
        text = msg("None can be lit now. The screen shows the same.")
    yield Finding(LIGHTS, OK, text)


def not_touched(untouched: Mapping[str, Sequence[str]]) -> Iterator[Message]:
    """What readers and panels (by kind, their ids) nobody has touched, in a sentence each kind."""
    if untouched["reader"]:
        yield msg("No card seen yet: {what}.", what=", ".join(untouched["reader"]))
    if untouched["panel"]:
        yield msg("No button pressed yet: {what}.", what=", ".join(untouched["panel"]))


def _board(found: Greeted) -> Iterator[Finding]:
    """A board that greets, and its readers and panels. They are well only where a card or a finger was seen."""
    from hardware.install import compare

    board, touched = found.board, found.touched
    text = msg("Board {id}, firmware {version}, at {port}.", id=board.board, version=board.firmware, port=board.port)
    fit = compare(board.firmware)
    if fit == "older":
        yield Finding(BOARDS, WARNING, text, fits(fit))
    else:
        yield Finding(BOARDS, OK, msg("{first} {then}", first=text, then=fits(fit)))
    for panel, buttons in board.panels.items():
        if ("panel", panel) in touched:
            text = msgn(
                "Panel {id}: {n} button, and a press was seen.",
                "Panel {id}: {n} buttons, and a press was seen.",
                id=panel, n=buttons,
            )  # fmt: skip
            yield Finding(PANELS, OK, text)
        else:
            text = msgn(
                "Panel {id}: {n} button. No press seen yet.",
                "Panel {id}: {n} buttons. No press seen yet.",
                id=panel, n=buttons,
            )  # fmt: skip
            yield Finding(PANELS, WARNING, text)
    if not board.readers and not board.panels:
        text = msg("Board {id} has neither a reader nor a panel.", id=board.board)
        yield Finding(READERS, WARNING, text, msg("It says why: gryphon firmware check."))
    for reader in board.readers:
        if reader.health == "ok" and ("reader", reader.reader) in touched:
            yield Finding(READERS, OK, msg("Reader {id} ({chip}) sees a card.", id=reader.reader, chip=reader.chip))
        elif reader.health == "ok":
            text = msg("Reader {id} ({chip}) answers. No card seen yet.", id=reader.reader, chip=reader.chip)
            yield Finding(READERS, WARNING, text)
        else:
            health = HEALTH[reader.health]
            text = msg("Reader {id} ({chip}): {health:message}.", id=reader.reader, chip=reader.chip, health=health)
            remedy = msg("Check its four or five wires and its 3.3 V; a PN532 also has switches for SPI or I2C.")
            yield Finding(READERS, FAULT, text, remedy)


HEALTH = {
    "deaf": msg("deaf, had to be woken"),
    "absent": msg("does not answer"),
}


def pins(wiring: str, panels: Panels) -> list[Finding]:
    """The button panels of the file config.toml, really set up on the pins and put away again."""
    if wiring == "none":
        return [Finding(PINS, OK, msg("The configuration names no buttons on the Pi's own pins."))]
    try:
        made = panels()
    except ImportError:
        return [Finding(PINS, FAULT, NO_LIBRARIES, INSTALL)]
    except DeviceFault as fault:
        text = msg("The button panels cannot be used.")
        return [Finding(PINS, FAULT, text, Message(reason.text, reason.facts)) for reason in fault.reasons]
    made.close()
    text = msg(
        "Panels wired as {wiring}, pins through {factory}. A press counts after {ms} ms.",
        wiring=wiring, factory=made.factory, ms=made.stable,
    )  # fmt: skip
    return [Finding(PINS, OK, text)]
