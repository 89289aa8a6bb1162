"""Boards and adapters without hardware, for the demo, for play at a desk and for tests: what hands would do, by name.

`FakeBoard` is the real firmware in a process of its own on the far end of a pty: under MicroPython where there is one,
else under CPython. `FakeAdapter` is a bare chip on a USB adapter. Pretended pins are in fake_pins.py.
"""

from __future__ import annotations

import contextlib
import os
import pty
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Self

import firmware

FIRMWARE = Path(firmware.__file__).parent
UID = re.compile(r"(?:[0-9A-Fa-f]{2}){4}(?:(?:[0-9A-Fa-f]{2}){3}){0,2}")
PTY = re.compile(r"/proc/\d+/fd/\d+")
RADIOS = ("good", "half", "misses", "noise", "rough", "slow", "deaf", "absent")


def python_for_boards() -> list[str]:
    """The command that runs the firmware: MicroPython beside this Python or on the path; else this Python."""
    beside = Path(sys.executable).parent / "micropython"
    found = str(beside) if beside.exists() else shutil.which("micropython")
    return [found] if found else [sys.executable]


class _OnPty:
    """Something with readers on a pty. `port` is a symlink that comes and goes as it is plugged in and unplugged.

    It starts plugged in, and again with what lies on it by then. `tell` hears of every lamp and buzzer: ("light" or
    "sound", reader, what). It is unplugged when its program ends by itself (`update` does that), and `left` is called.
    Raises OSError where there is something at that port, or cannot be.
    """

    def __init__(
        self,
        port: str | os.PathLike[str] | None,
        command: list[str],
        readers: int,
        panels: int = 0,
        tell: Callable[[str, int, str], object] = lambda kind, reader, what: None,
        left: Callable[[], object] = lambda: None,
    ) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="gryphon-") if port is None else None
        self.port = Path(self._folder.name, "board") if self._folder else Path(os.fspath(port or ""))
        self._command = command
        self._readers = readers
        self._panels = panels
        self._told = tell
        self._left = left
        self._plugging = threading.RLock()  # a program that ends by itself is unplugged by the thread that hears of it
        self._tags: dict[int, tuple[str, ...]] = {}
        self._process: subprocess.Popen[bytes] | None = None
        self._ends: tuple[int, int] = (-1, -1)  # its end of the pty, and ours, held so that it stays open
        self._controls: socket.socket | None = None
        self.plug()

    def lay(self, reader: int, *uids: str) -> None:
        """Lays a tag on a reader, instead of what lies there; several are a collision.

        uids: 4, 7 or 10 bytes in hex. Raises ValueError for anything else.
        """
        self._is_one_of(reader, self._readers, "reader")
        for uid in uids:
            if not UID.fullmatch(uid):
                raise ValueError(f"{uid} is no UID: 4, 7 or 10 bytes in hex, such as 04A1B20000C3D4")
        self._tags[reader] = uids
        self._tell("lay", reader, *uids)

    def lift(self, reader: int) -> None:
        """Takes everything off a reader. Raises ValueError where there is none."""
        self._is_one_of(reader, self._readers, "reader")
        self._tags.pop(reader, None)
        self._tell("lift", reader)

    def radio(self, reader: int, how: str) -> None:
        """One of RADIOS, as firmware/fakechips.py tells them. Raises ValueError."""
        self._is_one_of(reader, self._readers, "reader")
        if how not in RADIOS:
            raise ValueError(f"one of {', '.join(RADIOS)}")
        self._tell("radio", reader, how)

    def press(self, panel: int, button: int) -> None:
        """Holds a button of the board's own panel down: 1 to 7. Raises ValueError."""
        self._is_one_of(panel, self._panels, "panel")
        self._is_one_of(button - 1, 7, "button")
        self._tell("down", panel, button)

    def release(self, panel: int, button: int) -> None:
        """Lets it go."""
        self._is_one_of(panel, self._panels, "panel")
        self._is_one_of(button - 1, 7, "button")
        self._tell("up", panel, button)

    def noise(self, data: bytes) -> None:
        """Puts bytes on the line, as if they came from there."""
        os.write(self._ends[0], data)

    def freeze(self) -> None:
        """Hangs it: it keeps its port and says nothing."""
        if self._process:
            self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Wakes it from `freeze`."""
        if self._process:
            self._process.send_signal(signal.SIGCONT)

    def plug(self) -> None:
        """Plugs it in: a fresh start on a new pty, with the tags that lie on it by now."""
        with self._plugging:
            if not self._process:
                self._plug()

    def _make_room(self) -> None:
        """Takes away the link that a killed one left behind, and nothing else. Raises OSError where something is."""
        try:
            leads_to = str(self.port.readlink())
        except FileNotFoundError:
            return
        except OSError:
            leads_to = ""  # no link
        if self.port.exists() or not PTY.fullmatch(leads_to):
            raise FileExistsError(f"At {self.port} is something already. Name a path where nothing is.")
        self.port.unlink()

    def _plug(self) -> None:
        self._make_room()
        ours, theirs = socket.socketpair()
        self._controls = ours
        for reader, uids in self._tags.items():
            self._tell("lay", reader, *uids)  # before it starts: these lie there already
        end, far = pty.openpty()
        tty.setraw(far)
        os.set_blocking(end, False)
        self._process = subprocess.Popen(
            [*self._command, str(theirs.fileno())],
            stdin=end,
            stdout=end,
            pass_fds=[theirs.fileno()],
            env={**os.environ, "MICROPYPATH": f"{FIRMWARE}:.frozen", "PYTHONDONTWRITEBYTECODE": "1"},
            # A group of its own: a Ctrl-C in the terminal is not for it, and one that hangs is ended with this process.
            process_group=0,
        )
        theirs.close()
        self._ends = (end, far)
        threading.Thread(target=self._listen, args=(ours,), name=f"fake {self.port.name}", daemon=True).start()
        try:
            self.port.symlink_to(self._held)
        except OSError:
            self.unplug()
            raise

    @property
    def _held(self) -> str:
        """The far end of its pty by the hand that holds it: a killed one's leads nowhere, whoever has that pty next."""
        return f"/proc/{os.getpid()}/fd/{self._ends[1]}"

    def unplug(self) -> None:
        """Pulls the plug: the port vanishes, the program behind it is gone."""
        with self._plugging:
            process, controls = self._process, self._controls
            if not process or not controls:
                return
            self._process = self._controls = None
            with contextlib.suppress(OSError):
                if str(self.port.readlink()) == self._held:
                    self.port.unlink()
            process.kill()
            process.wait()
            # The listener reads this socket: end its read, it closes it.
            with contextlib.suppress(OSError):
                controls.shutdown(socket.SHUT_RDWR)
            for end in self._ends:
                os.close(end)

    def close(self) -> None:
        """Unplugs it for good."""
        self.unplug()
        if self._folder:
            self._folder.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @staticmethod
    def _is_one_of(number: int, many: int, what: str) -> None:
        if number not in range(many):
            raise ValueError(f"there is no such {what}")

    def _tell(self, *words: object) -> None:
        controls = self._controls
        if not controls:
            return
        try:
            controls.send((" ".join(map(str, words)) + "\n").encode(), socket.MSG_DONTWAIT)
        except BlockingIOError:
            raise OSError("It hangs, and too much waits for it. thaw wakes it.") from None
        except OSError:
            pass  # it ends just now; the listener finds out

    def _listen(self, controls: socket.socket) -> None:
        with controls, controls.makefile() as lines, contextlib.suppress(OSError):
            for line in lines:
                kind, reader, what = line.split()
                self._told(kind, int(reader), what)
        if controls is self._controls:
            self.unplug()
            self._left()


class FakeBoard(_OnPty):
    """A reader board. Chips see what `lay` and `lift` do within 0.1 s, `on` follows at once, `off` after the firmware's
    misses. `lights` and `sounds` hold what the lamps were told to show and the buzzers to play."""

    def __init__(
        self,
        port: str | os.PathLike[str] | None = None,
        *,
        readers: int = 4,
        panels: int = 0,
        board: str = "fa4e00000000b0a2",
        chip: str = "pn532",
        command: list[str] | None = None,
        tell: Callable[[str, int, str], object] = lambda kind, reader, what: None,
        left: Callable[[], object] = lambda: None,
    ) -> None:
        self.board = board
        self.lights: dict[int, str] = {}
        self.sounds: list[tuple[int, str]] = []
        self._also = tell
        program = [*(command or python_for_boards()), str(FIRMWARE / "fake.py")]
        super().__init__(port, [*program, str(readers), str(panels), board, chip], readers, panels, self._note, left)

    def _note(self, kind: str, reader: int, what: str) -> None:
        if kind == "light":
            self.lights[reader] = what
        else:
            self.sounds.append((reader, what))
        self._also(kind, reader, what)


class FakeAdapter(_OnPty):
    """A PN532 on a USB-UART adapter: one reader, number 0, without a lamp. Name it under `adapters`."""

    def __init__(self, port: str | os.PathLike[str] | None = None) -> None:
        super().__init__(port, [sys.executable, "-E", "-S", str(FIRMWARE / "fake_adapter.py")], 1)
