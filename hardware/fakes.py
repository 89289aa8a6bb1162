"""Boards and panels without hardware, for the demo, for play at a desk and for tests.

`FakeBoard` is the real firmware in a process of its own on the far end of a pty: under MicroPython where there is one,
else under CPython. `FakePanels` are buttons on gpiozero's mock pins. Both are driven by what hands would do.
"""

from __future__ import annotations

import contextlib
import os
import pty
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import tty
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Self

from gpiozero.pins.mock import MockFactory, MockPWMPin

import firmware
from hardware.panel import FOUR_SEATS, Direct, Wiring

FIRMWARE = Path(firmware.__file__).parent


def python_for_boards() -> list[str]:
    """The command that runs the firmware: MicroPython beside this Python or on the path; else this Python."""
    beside = Path(sys.executable).parent / "micropython"
    found = str(beside) if beside.exists() else shutil.which("micropython")
    return [found] if found else [sys.executable]


class FakeBoard:
    """A reader board on a pty. `port` is a symlink that comes and goes as the board is plugged and unplugged.

    It starts plugged in. Chips see what `lay` and `lift` do within 0.1 s, `on` follows at once, `off` after the
    firmware's misses. `lights` and `sounds` hold what the chips were told to show and play.
    """

    def __init__(
        self,
        port: str | os.PathLike[str] | None = None,
        *,
        readers: int = 4,
        panels: int = 0,
        board: str = "fa4e00000000b0a2",
        command: list[str] | None = None,
    ) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="gryphon-") if port is None else None
        self.port = Path(self._folder.name, "board") if self._folder else Path(os.fspath(port or ""))
        self.board = board
        self.lights: dict[int, str] = {}
        self.sounds: list[tuple[int, str]] = []
        self._readers = readers
        self._panels = panels
        self._command = command or python_for_boards()
        self._tags: dict[int, tuple[str, ...]] = {}
        self._process: subprocess.Popen[bytes] | None = None
        self._ends: tuple[int, int] = (-1, -1)  # the board's end of the pty, and ours, held so that it stays open
        self._controls: socket.socket | None = None
        self.plug()

    def lay(self, reader: int, *uids: str) -> None:
        """Lays a tag on a reader, instead of what lies there; several are a collision.

        uids: 4, 7 or 10 bytes in hex. Raises ValueError for anything else.
        """
        self._is_one_of(reader, self._readers, "reader")
        for uid in uids:
            if len(bytes.fromhex(uid)) not in (4, 7, 10):
                raise ValueError(f"{uid} is no UID: 4, 7 or 10 bytes in hex, such as 04A1B20000C3D4")
        self._tags[reader] = uids
        self._tell("lay", reader, *uids)

    def lift(self, reader: int) -> None:
        """Takes everything off a reader. Raises ValueError where there is none."""
        self._is_one_of(reader, self._readers, "reader")
        self._tags.pop(reader, None)
        self._tell("lift", reader)

    def radio(self, reader: int, how: str) -> None:
        """`good`, `half` (every second look fails) or `noise` (every reply is garbled). Raises ValueError."""
        self._is_one_of(reader, self._readers, "reader")
        if how not in ("good", "half", "noise"):
            raise ValueError("good, half or noise")
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
        """Puts bytes on the line, as if the board had sent them."""
        os.write(self._ends[0], data)

    def freeze(self) -> None:
        """Hangs the board: it keeps its port and says nothing."""
        if self._process:
            self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Wakes it from `freeze`."""
        if self._process:
            self._process.send_signal(signal.SIGCONT)

    def plug(self) -> None:
        """Plugs it in: a fresh start of the firmware on a new pty, with the tags that lie on it by now."""
        if self._process:
            return
        ours, theirs = socket.socketpair()
        self._controls = ours
        for reader, uids in self._tags.items():
            self._tell("lay", reader, *uids)  # before it starts: these lie there already
        end, far = pty.openpty()
        tty.setraw(far)
        os.set_blocking(end, False)
        program = [str(FIRMWARE / "fake.py"), str(self._readers), str(self._panels), self.board, str(theirs.fileno())]
        self._process = subprocess.Popen(
            [*self._command, *program],
            stdin=end,
            stdout=end,
            pass_fds=[theirs.fileno()],
            env={**os.environ, "MICROPYPATH": f"{FIRMWARE}:.frozen", "PYTHONDONTWRITEBYTECODE": "1"},
            start_new_session=True,  # a Ctrl-C in the terminal is not for the board
        )
        theirs.close()
        self._ends = (end, far)
        threading.Thread(target=self._listen, args=(ours,), name=f"fake {self.board}", daemon=True).start()
        with contextlib.suppress(FileNotFoundError):
            self.port.unlink()
        self.port.symlink_to(os.ttyname(far))

    def unplug(self) -> None:
        """Pulls the plug: the port vanishes, the firmware is gone."""
        if not self._process or not self._controls:
            return
        with contextlib.suppress(FileNotFoundError):
            self.port.unlink()
        self._process.kill()
        self._process.wait()
        self._process = None
        # The listener reads this socket: end its read, it closes it.
        with contextlib.suppress(OSError):
            self._controls.shutdown(socket.SHUT_RDWR)
        self._controls = None
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
        if self._controls:
            self._controls.sendall((" ".join(map(str, words)) + "\n").encode())

    def _listen(self, controls: socket.socket) -> None:
        with controls, controls.makefile() as lines, contextlib.suppress(OSError):
            for line in lines:
                what, reader, name = line.split()
                if what == "light":
                    self.lights[int(reader)] = name
                else:
                    self.sounds.append((int(reader), name))


class _CrossingPin(MockPWMPin):
    """A mock pin of a button matrix: as a column it reads low where a pressed button ties it to a low row."""

    def _change_state(self, value: Any) -> bool:
        changed = bool(super()._change_state(value))
        del self.states[:-100]  # a mock pin remembers every state it was ever in, and rows are pulled all day
        return changed

    def _get_state(self) -> Any:
        for row, column in getattr(self.factory, "pressed", ()):
            if column == self._number and not self.factory.pin(row).state:
                return False
        return super()._get_state()


class FakePanels:
    """Buttons on mock pins: give `wiring` and `factory` to `hardware.panel.Panels`, then press.

    Four seats of seven buttons in a matrix unless another wiring is given; seats count from 0, buttons from 1.
    """

    def __init__(self, wiring: Wiring | None = None) -> None:
        self.wiring = wiring or FOUR_SEATS
        self.factory = MockFactory(pin_class=_CrossingPin)
        self.factory.pressed = set()

    def press(self, seat: int, button: int) -> None:
        """Holds a button down."""
        self._set(seat, button, True)

    def release(self, seat: int, button: int) -> None:
        """Lets it go."""
        self._set(seat, button, False)

    def _set(self, seat: int, button: int, down: bool) -> None:
        if isinstance(self.wiring, Direct):
            pin = self.factory.pin(self.wiring.seats[seat][button - 1])
            pin.drive_low() if down else pin.drive_high()
            return
        crossing = (self.wiring.rows[seat], self.wiring.columns[button - 1])
        # A new set each time: the panels' thread may be looking at the old one.
        before = self.factory.pressed
        self.factory.pressed = before | {crossing} if down else before - {crossing}


HANDS = ("lay", "lift", "radio", "press", "release", "plug", "unplug", "freeze", "thaw")


def main(port: str, hands: Iterable[str]) -> int:
    """`python -m hardware.fakes PORT`: a board at PORT that does what the lines say: a method's name, its arguments."""
    with FakeBoard(port, panels=1) as board:
        sys.stdout.write(f"A board with four readers and seven buttons is at {port}. It does: {', '.join(HANDS)}.\n")
        sys.stdout.flush()
        for line in hands:
            what, *words = line.split() or [""]
            if not what:
                continue
            try:
                if what not in HANDS:
                    raise ValueError(f"one of {', '.join(HANDS)}")
                getattr(board, what)(*(int(word) if len(word) == 1 else word for word in words))
            except (TypeError, ValueError) as error:
                sys.stderr.write(f"{line.strip()}: {error}\n")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit("python -m hardware.fakes PORT: say where the board is to be, such as /tmp/board")
    sys.exit(main(sys.argv[1], sys.stdin))
