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
from dataclasses import dataclass

import serial

from firmware import wire
from hardware import signals
from hardware.link import Known, Link, Timing
from hardware.signals import Post

USB_PORTS = ("/dev/ttyACM*", "/dev/ttyUSB*")
"""Where boards appear by themselves. A port on the Pi's own pins has to be named: others may be using it."""

LOOK = 0.25  # seconds between two looks for ports: plugged in is noticed in this time, and costs nothing
PAUSE = (0.25, 0.5, 1.0, 2.0)  # seconds before a port is opened again, by the failures so far
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
        mode = os.stat(path).st_mode
    except OSError:
        return None
    return signals.UNUSABLE if stat.S_ISCHR(mode) else signals.NOT_SERIAL


@dataclass(frozen=True, slots=True)
class ReaderInfo:
    """One reader: its name ("<board>/<number>"), chip, abilities ("presence", "light", "sound"), health."""

    reader: str
    chip: str
    can: frozenset[str]
    health: str


@dataclass(frozen=True, slots=True)
class BoardInfo:
    """A board that has greeted since the start; `port` is None while it is lost. Panels: name -> buttons."""

    board: str
    firmware: str
    port: str | None
    readers: tuple[ReaderInfo, ...]
    panels: dict[str, int]


class Readers:
    """All reader boards. Posts their signals from its own threads between `start` and `close`.

    `ports`: paths or globs to watch; they may be symlinks and need not exist yet. None: every USB serial port.
    `clock`: seconds, monotonic. `opening`, `timing` are for tests.
    """

    def __init__(
        self,
        post: Post,
        ports: Iterable[str] | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        timing: Timing = Timing(),  # noqa: B008 - a frozen value
        opening: Callable[[str], serial.Serial] = open_serial,
    ) -> None:
        self._post = post
        self._named = ports is not None
        self._ports = tuple(USB_PORTS if ports is None else ports)
        self._clock = clock
        self._timing = timing
        self._opening = opening
        self._known = Known()
        self._threads: dict[str, _Port] = {}
        self._failures: dict[str, int] = {}
        self._not_before: dict[str, float] = {}
        self._closing = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="ports", daemon=True)

    def start(self) -> Readers:
        """Begins to watch."""
        self._watcher.start()
        return self

    def close(self) -> None:
        """Ends all threads within a second; no signal comes after it."""
        self._closing.set()
        if self._watcher.ident is not None:
            self._watcher.join(0.5)
        threads = list(self._threads.values())
        for thread in threads:
            thread.nudge()
        until = time.monotonic() + 0.5
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))

    def __enter__(self) -> Readers:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def light(self, reader: str, pattern: str) -> None:
        """Shows a pattern of wire.PATTERNS at a reader ("<board>/<number>"). Returns at once, whatever the board does.

        A lasting pattern is shown again by itself when a lost board comes back. ValueError for an unknown pattern.
        """
        if pattern not in wire.PATTERNS:
            raise ValueError(f"no such light pattern: {pattern}")
        board, _, number = reader.rpartition("/")
        known = self._known.board(board)
        known.lights[int(number)] = pattern
        link = known.link
        if link is not None:
            link.light(int(number), pattern)

    def sound(self, reader: str, name: str) -> None:
        """Plays a sound of wire.SOUNDS at a reader, if its board is there. ValueError for an unknown sound."""
        if name not in wire.SOUNDS:
            raise ValueError(f"no such sound: {name}")
        board, _, number = reader.rpartition("/")
        link = self._known.board(board).link
        if link is not None:
            link.sound(int(number), name)

    def boards(self) -> list[BoardInfo]:
        """The boards that have greeted, by id."""
        with self._known.lock:
            return [
                BoardInfo(
                    board.id,
                    board.firmware,
                    board.link.port if board.link else None,
                    tuple(
                        ReaderInfo(f"{board.id}/{number}", chip, can, board.health.get(number, "ok"))
                        for number, (chip, can) in sorted(board.readers.items())
                    ),
                    {f"{board.id}/{number}": buttons for number, buttons in sorted(board.panels.items())},
                )
                for board in sorted(self._known.boards.values(), key=lambda board: board.id)
                if board.firmware
            ]

    def _watch(self) -> None:
        while not self._closing.is_set():
            there = self._there()
            for path in set(self._failures) - set(there):
                del self._failures[path]
                self._not_before.pop(path, None)
                self._known.forget(path)
            for path in there:
                thread = self._threads.get(path)
                if thread is not None and thread.is_alive():
                    continue
                if self._clock() >= self._not_before.get(path, 0.0):
                    self._threads[path] = _Port(self, path)
                    self._threads[path].start()
            self._closing.wait(LOOK)

    def _there(self) -> list[str]:
        paths = [path for port in self._ports for path in (glob.glob(port) or [port])]
        return [path for path in dict.fromkeys(paths) if os.path.exists(path)]


class _Port(threading.Thread):
    """One life of one port: opened, talked on, closed. The watcher starts the next one."""

    def __init__(self, readers: Readers, path: str) -> None:
        super().__init__(name=f"port {path}", daemon=True)
        self._readers = readers
        self._path = path
        self._wake, self._waker = socket.socketpair()
        self._waker.setblocking(False)

    def nudge(self) -> None:
        """Wakes the thread: there is something to send, or it is to end."""
        with contextlib.suppress(OSError):  # full: it is awake; closed: it has ended
            self._waker.send(b".")

    def run(self) -> None:
        readers = self._readers
        used = False
        try:
            used = self._live()
        finally:
            failures = 0 if used else readers._failures.get(self._path, 0) + 1
            readers._failures[self._path] = failures
            readers._not_before[self._path] = readers._clock() + PAUSE[min(failures, len(PAUSE) - 1)]
            self._wake.close()
            self._waker.close()

    def _live(self) -> bool:
        """Whether a board was in use on it."""
        readers = self._readers
        try:
            port = readers._opening(self._path)
        except (OSError, termios.error, ValueError) as error:
            self._not_opened(error)
            return False
        link = Link(
            self._path,
            readers._known,
            readers._post,
            readers._clock(),
            named=readers._named,
            timing=readers._timing,
            nudge=self.nudge,
        )
        try:
            self._talk(port, link)
        except serial.SerialTimeoutException:
            link.end(signals.HUNG)
        except (OSError, termios.error):
            link.end(signals.UNPLUGGED)
        finally:
            link.close()
            self._shut(port)
        return link.board is not None

    def _talk(self, port: serial.Serial, link: Link) -> None:
        readers = self._readers
        device, wake = port.fileno(), self._wake.fileno()
        while not link.ended and not readers._closing.is_set():
            out = link.take()
            if out:
                port.write(out)
            awake, _, _ = select.select([device, wake], [], [], link.due(readers._clock()))
            if wake in awake:
                self._wake.recv(4096)
            if device in awake:
                link.receive(port.read(4096), readers._clock())
            elif link.board is None and self._moved(device):
                return
            link.tick(readers._clock())

    def _moved(self, device: int) -> bool:
        """Whether the path leads to another device by now: no use in asking the old one."""
        try:
            return os.stat(self._path).st_rdev != os.fstat(device).st_rdev
        except OSError:
            return True

    def _not_opened(self, error: Exception) -> None:
        readers = self._readers
        reason = why_not(self._path, error)
        if reason is None or readers._failures.get(self._path, 0) + 1 < UNSETTLED:
            return
        if readers._known.refuse(self._path, reason):
            readers._post(signals.BoardRefused(None, self._path, reason))

    def _shut(self, port: serial.Serial) -> None:
        with contextlib.suppress(OSError, termios.error):
            port.reset_output_buffer()  # else closing may wait for a board that does not read
        with contextlib.suppress(OSError, termios.error):
            port.close()
