"""Reader boards on serial ports: one thread a port that is open, one that looks for ports.

The threads only post signals and never wait for anybody: see `Readers`. The talk itself is in link.py.
"""

from __future__ import annotations

import contextlib
import errno
import glob
import os
import select
import socket
import stat
import termios
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import serial
from serial.tools.list_ports_linux import SysFS

from firmware import wire
from hardware import hsu, signals
from hardware.link import LINES, PASSING, USUAL, Board, Known, Link, Timing, Usb
from hardware.signals import Post

USB_PORTS = ("/dev/ttyACM*", "/dev/ttyUSB*")
"""Where boards appear by themselves. A port on the Pi's own pins has to be named: others may be using it."""

BY_ID = "/dev/serial/by-id/*"
"""Names that stay the same in every socket and after every start: those to write into a configuration."""

LOOK = 0.25  # seconds between two looks for ports: plugged in is noticed in this time, and costs nothing
PAUSE = (0.25, 0.5, 1.0, 2.0)  # seconds before a port is opened again, by the failures so far
FOREIGN = 30.0  # seconds before a port that nobody named is asked again: what opens and never greets is somebody else's
FLOODED = (10.0, 20.0, 60.0)  # seconds before it is looked whether a port still floods, by the floods so far
CALM = 1.0  # seconds that it is looked at then
UNSETTLED = 3  # failures to open before they are said: a port that just came has its permissions a moment later


def open_serial(path: str) -> serial.Serial:
    """Opens a port for ourselves alone, never waiting in read, at most half a second in write. OSError if not.

    DTR stays as pyserial sets it: a Pico takes a low DTR for a host that does not listen. (It passes over
    ptys, which have no such lines.)
    """
    return serial.Serial(path, 115200, timeout=0, write_timeout=0.5, exclusive=True)


def why_not(path: str, error: Exception) -> str | None:
    """The reason in one sentence why a port did not open; None if it simply is not there."""
    number = getattr(error, "errno", None)
    if number in (errno.EACCES, errno.EPERM):
        return signals.FORBIDDEN
    if number in (errno.EBUSY, errno.EAGAIN):
        return signals.BUSY
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError):
        return None
    return signals.UNUSABLE if stat.S_ISCHR(mode) and _is_terminal(path) else signals.NOT_SERIAL


def _is_terminal(path: str) -> bool:
    """Whether the device speaks as a terminal does, as all serial ports do; also where it does not open at all."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:
        return True
    try:
        return os.isatty(handle)
    finally:
        os.close(handle)


def usb_of(path: str) -> Usb | None:
    """What the plug on a port says of itself; None for what is no USB port (a pty, the Pi's own pins)."""
    try:
        found = SysFS(os.path.realpath(path))
    except OSError:  # it has just gone
        return None
    return None if found.vid is None else Usb(found.serial_number or "", found.location or "", found.product or "")


@dataclass(frozen=True, slots=True)
class ReaderInfo:
    """One reader: its name ("<board>/<number>"), chip, abilities ("presence", "light", "sound"), health."""

    reader: str
    chip: str
    can: frozenset[str]
    health: str


@dataclass(frozen=True, slots=True)
class BoardInfo:
    """A board that has greeted since the start; `port` is None while it is lost. Panels: name -> buttons.

    `usb`: what its plug says of itself (the last one it had), None where it is no USB port.
    """

    board: str
    firmware: str
    port: str | None
    readers: tuple[ReaderInfo, ...]
    panels: dict[str, int]
    usb: Usb | None = None


@dataclass(slots=True)
class _Shared:
    """What the watcher and the port threads share. The two dicts are touched by one thread a path at a time."""

    post: Post
    named: bool
    clock: Callable[[], float]
    timing: Timing
    opening: Callable[[str], serial.Serial]
    usb: Callable[[str], Usb | None]
    adapters: frozenset[str] = frozenset()  # paths with a bare PN532 behind them
    names: hsu.Names = field(default_factory=hsu.Names)
    known: Known = field(default_factory=Known)
    closing: threading.Event = field(default_factory=threading.Event)
    failures: dict[str, int] = field(default_factory=dict)  # path -> lives in a row without a board
    not_before: dict[str, float] = field(default_factory=dict)  # path -> when it may be opened again
    floods: dict[str, int] = field(default_factory=dict)  # path -> how often it has flooded us

    def places(self) -> set[str]:
        """Where on the bus adapters without a serial number are plugged in."""
        plugs = map(self.usb, self.adapters)
        return {usb.place for usb in plugs if usb is not None and not usb.serial}

    def forget(self, path: str) -> None:
        """The path is not there any more: what comes next is a new beginning."""
        self.failures.pop(path, None)
        self.not_before.pop(path, None)
        self.floods.pop(path, None)
        if self.known.forget(path):
            self.post(signals.PortFree(path))


class Readers:
    """All reader boards. Posts their signals from its own threads between `start` and `close`.

    `ports`: paths or globs to watch; they may be symlinks and need not exist yet. None: every USB serial port.
    `adapters`: paths or globs of USB-UART adapters with a bare PN532 (hsu.py); they are no ports for boards.
    `clock`: seconds, monotonic. `opening`, `timing`, `usb` are for tests.
    """

    def __init__(
        self,
        post: Post,
        ports: Iterable[str] | None = None,
        *,
        adapters: Iterable[str] = (),
        clock: Callable[[], float] = time.monotonic,
        timing: Timing = USUAL,
        opening: Callable[[str], serial.Serial] = open_serial,
        usb: Callable[[str], Usb | None] = usb_of,
    ) -> None:
        self._shared = _Shared(post, ports is not None, clock, timing, opening, usb)
        self._ports = None if ports is None else tuple(ports)
        self._adapters = tuple(adapters)
        self._threads: dict[str, _Port] = {}
        self._watcher = threading.Thread(target=self._watch, name="ports", daemon=True)

    def start(self) -> Self:
        """Begins to watch."""
        self._watcher.start()
        return self

    def settle(self, seconds: float = 1.0) -> None:
        """Waits until the boards have shown what was asked of them; not longer than that, whatever they do."""
        until = time.monotonic() + seconds
        known = self._shared.known
        while time.monotonic() < until:
            with known.lock:
                links = [board.link for board in known.boards.values()]
            if not any(link is not None and link.busy for link in links):
                return
            time.sleep(0.01)

    def close(self) -> None:
        """Ends all threads within a second; no signal comes after it."""
        self._shared.closing.set()
        if self._watcher.ident is not None:
            self._watcher.join(0.5)
        threads = list(self._threads.values())
        for thread in threads:
            thread.nudge()
        until = time.monotonic() + 0.5
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def light(self, reader: str, pattern: str) -> None:
        """Shows a pattern of wire.PATTERNS at a reader ("<board>/<number>"). Returns at once, whatever the board does.

        A lasting pattern is shown again by itself when a lost board comes back. ValueError for an unknown pattern.
        """
        if pattern not in wire.PATTERNS:
            raise ValueError(f"no such light pattern: {pattern}")
        board, number = self._find(reader)
        if pattern not in PASSING:
            board.lights[number] = pattern
        link = board.link
        if link is not None:
            link.light(number, pattern)

    def sound(self, reader: str, name: str) -> None:
        """Plays a sound of wire.SOUNDS at a reader, if its board is there. ValueError for an unknown sound."""
        if name not in wire.SOUNDS:
            raise ValueError(f"no such sound: {name}")
        board, number = self._find(reader)
        link = board.link
        if link is not None:
            link.sound(number, name)

    def boards(self) -> list[BoardInfo]:
        """The boards that have greeted, by id."""
        known = self._shared.known
        with known.lock:
            boards = [board for board in known.boards.values() if board.firmware]
            return [_describe(board) for board in sorted(boards, key=lambda board: board.id)]

    def _find(self, reader: str) -> tuple[Board, int]:
        board, _, number = reader.rpartition("/")
        return self._shared.known.board(board), int(number)

    def _watch(self) -> None:
        shared = self._shared
        while not shared.closing.is_set():
            shared.adapters, there = plugged(self._ports, self._adapters)
            for path in set(shared.failures) - set(there):
                shared.forget(path)
            for path in there:
                if self._is_ours(path):
                    continue
                if shared.clock() >= shared.not_before.get(path, 0.0):
                    self._threads[path] = _Port(shared, path)
                    self._threads[path].start()
            shared.closing.wait(LOOK)

    def _is_ours(self, path: str) -> bool:
        """Whether we hold that device already, by whatever name: a link to it may come a moment after it.

        One that only by its other name is known for an adapter is let go of, to be taken up as what it is.
        """
        device = os.path.realpath(path)
        for thread in self._threads.values():
            if thread.is_alive() and (thread.path == path or thread.device == device):
                if path in self._shared.adapters and not thread.is_adapter:
                    thread.give_way()
                return True
        return False


def plugged(ports: Iterable[str] | None, adapters: Iterable[str]) -> tuple[frozenset[str], list[str]]:
    """The adapters that are there, and all paths: those, and the ports (None: USB) that are none of them.

    A device with several names is there once, by the first of them.
    """
    found = _found(adapters)
    taken = {os.path.realpath(path) for path in found}
    others = [path for path in _found(USB_PORTS if ports is None else ports) if os.path.realpath(path) not in taken]
    return frozenset(found), found + others


def standing(named: Iterable[str] = ()) -> list[str]:
    """All USB serial ports by the names that last longest, and what else lies beside a path that is named."""
    folders = {str(Path(path).parent) for path in named} - {"/dev"}
    beside = [f"{glob.escape(folder)}/*" for folder in sorted(folders)]
    return [path for path in _found((BY_ID, *beside, *USB_PORTS)) if _is_device(path)]


def _is_device(path: str) -> bool:
    try:
        return stat.S_ISCHR(Path(path).stat().st_mode)
    except (OSError, ValueError):
        return False


def matching(pattern: str) -> list[str]:
    """The paths that a name or glob stands for, each device once; the name itself where there are none."""
    return _once(sorted(glob.glob(pattern)) or [pattern])  # noqa: PTH207  Path.glob takes no absolute pattern


def _found(patterns: Iterable[str]) -> list[str]:
    return _once(path for pattern in patterns for path in matching(pattern) if _is_there(path))


def _once(paths: Iterable[str]) -> list[str]:
    once: dict[str, str] = {}
    for path in paths:
        once.setdefault(os.path.realpath(path), path)
    return list(once.values())


def _is_there(path: str) -> bool:
    try:
        return Path(path).exists()
    except PermissionError:
        # a folder that we may not enter: opening the port says so in words
        return True
    except (OSError, ValueError):
        return False


def _describe(board: Board) -> BoardInfo:
    readers = tuple(
        ReaderInfo(f"{board.id}/{number}", chip, can, board.health.get(number, "ok"))
        for number, (chip, can) in sorted(board.readers.items())
    )
    panels = {f"{board.id}/{number}": buttons for number, buttons in sorted(board.panels.items())}
    return BoardInfo(board.id, board.firmware, board.link.port if board.link else None, readers, panels, board.usb)


class _Port(threading.Thread):
    """One life of one port: opened, talked on, closed. The watcher starts the next one."""

    def __init__(self, shared: _Shared, path: str) -> None:
        super().__init__(name=f"port {path}", daemon=True)
        self._shared = shared
        self.path = path
        self.device = os.path.realpath(path)
        self.is_adapter = path in shared.adapters
        self._giving_way = False
        self._silent = False  # it opened, and nothing greeted
        self._wake, self._waker = socket.socketpair()
        self._waker.setblocking(False)

    def nudge(self) -> None:
        """Wakes the thread: there is something to send, or it is to end."""
        with contextlib.suppress(OSError):  # full: it is awake; closed: it has ended
            self._waker.send(b".")

    def give_way(self) -> None:
        """Ends it, where no board is in use on it."""
        self._giving_way = True
        self.nudge()

    def run(self) -> None:
        """The whole life. Never raises for what a port or a board does."""
        shared = self._shared
        used = False
        try:
            used = self._live()
        finally:
            failures = 0 if used else shared.failures.get(self.path, 0) + 1
            shared.failures[self.path] = failures
            pause = PAUSE[min(failures, len(PAUSE) - 1)]
            if self._silent and not shared.named and failures >= UNSETTLED:
                pause = FOREIGN
            if floods := shared.floods.get(self.path):
                pause = FLOODED[min(floods, len(FLOODED)) - 1]
            shared.not_before[self.path] = shared.clock() + pause
            self._wake.close()
            self._waker.close()

    def _live(self) -> bool:
        """Whether a board was in use on it."""
        shared = self._shared
        port: serial.Serial | hsu.Adapter
        adapter = ""
        try:
            port = shared.opening(self.path)
            usb = shared.usb(self.path)
            if self.is_adapter:
                adapter = shared.names.name(self.path, usb, shared.places())
                port = hsu.Adapter(port, adapter)
        except (OSError, termios.error, ValueError) as error:
            self._not_opened(error)
            return False
        if shared.known.opens(self.path):
            shared.post(signals.PortFree(self.path))
        try:
            if self.path in shared.floods and self._floods(port):
                self._shut(port)
                return False
        except (OSError, termios.error):
            self._shut(port)
            return False
        link = Link(
            self.path,
            shared.known,
            shared.post,
            shared.clock(),
            named=shared.named,
            timing=shared.timing,
            nudge=self.nudge,
            usb=usb,
            adapter=adapter,
        )
        try:
            self._talk(port, link)
        except (serial.SerialTimeoutException, TimeoutError):  # a board, or an adapter's process, that takes nothing
            link.end(signals.HUNG)
        except (OSError, termios.error):
            link.end(signals.UNPLUGGED)
        finally:
            link.close()
            self._shut(port)
        self._silent = link.board is None
        if link.flooded:
            self._count_flood()
        elif not self._silent:
            shared.floods.pop(self.path, None)
        return not self._silent

    def _count_flood(self) -> None:
        self._shared.floods[self.path] = self._shared.floods.get(self.path, 0) + 1

    def _floods(self, port: serial.Serial | hsu.Adapter) -> bool:
        """Whether it still does: what comes in a while is counted, and not looked at."""
        clock, lines = self._shared.clock, 0
        until = clock() + CALM
        while (left := until - clock()) > 0 and not self._shared.closing.is_set():
            if select.select([port.fileno()], [], [], min(left, 0.1))[0]:
                data = port.read(4096)
                lines += max(data.count(b"\n"), len(data) // wire.LONGEST)
            if lines > LINES * CALM:
                self._count_flood()
                return True
        return False

    def _talk(self, port: serial.Serial | hsu.Adapter, link: Link) -> None:
        shared = self._shared
        device, wake = port.fileno(), self._wake.fileno()
        while not link.ended and not shared.closing.is_set():
            if self._giving_way and link.board is None:
                return
            out = link.take()
            if out:
                port.write(out)
            awake, _, _ = select.select([device, wake], [], [], link.due(shared.clock()))
            if wake in awake:
                self._wake.recv(4096)
            if device in awake:
                link.receive(port.read(4096), shared.clock())
            elif link.board is None and self._moved(getattr(port, "device", device)):
                return
            link.tick(shared.clock())

    def _moved(self, device: int) -> bool:
        """Whether the path leads to another device by now: no use in asking the old one."""
        try:
            return Path(self.path).stat().st_rdev != os.fstat(device).st_rdev
        except OSError:
            return True

    def _not_opened(self, error: Exception) -> None:
        shared = self._shared
        reason = why_not(self.path, error)
        if reason is None or shared.failures.get(self.path, 0) + 1 < UNSETTLED:
            return
        if shared.known.refuse(self.path, reason):
            shared.post(signals.BoardRefused(None, self.path, reason))

    def _shut(self, port: serial.Serial | hsu.Adapter) -> None:
        with contextlib.suppress(OSError, termios.error):
            port.reset_output_buffer()  # else closing may wait for a board that does not read
        with contextlib.suppress(OSError, termios.error):
            port.close()
