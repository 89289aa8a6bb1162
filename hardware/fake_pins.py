"""Button panels on pins that nobody has to solder: gpiozero's mock pins, joined by pretended fingers.

`FakePanels` are for one program: tests and the demo. `PretendedFactory` is for two: the table runs on it when the
environment says GPIOZERO_PIN_FACTORY=pretended, and `FakePins` in a terminal of its own (dry_run.py) has the fingers
and sees the lamps. They talk over a socket, line by line:

    to the table     watch PIN PIN ...         the pins to be told of
                     pressed ROW/COLUMN ...    all that is joined now; the row `-` is ground
    from the table   PIN LEVEL                 a watched pin has changed, 0.0 to 1.0
"""

from __future__ import annotations

import contextlib
import os
import shlex
import socket
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Self

from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware import signals
from hardware.panel import FOUR_SEATS, Direct, Wiring
from hardware.signals import NoPins, Reason

Joined = tuple[int | None, int]
"""What a button joins: a row (None is ground) and a column."""


class _Pin(MockPWMPin):
    """It reads low where a pressed button ties it to ground, or to a row that is low."""

    def _change_state(self, value: Any) -> bool:
        changed = bool(super()._change_state(value))
        del self.states[:-100]  # a mock pin remembers every state it was ever in, and rows are pulled all day
        return changed

    def _get_state(self) -> Any:
        for row, column in self.factory.pressed:
            if column == self._number and (row is None or not self.factory.pin(row).state):
                return False
        return super()._get_state()


class JoinedPins(MockFactory):
    """Mock pins. `pressed`: what is joined now; always a new set, since the panels' thread may be looking at it."""

    def __init__(self, pin_class: type[_Pin] = _Pin) -> None:
        super().__init__(pin_class=pin_class)
        self.pressed: frozenset[Joined] = frozenset()


class _Buttons:
    """Buttons by seat and number. Seats count from 0, buttons from 1; ValueError for what is not there."""

    def __init__(self, wiring: Wiring) -> None:
        self.wiring = wiring
        self._pressed: frozenset[Joined] = frozenset()

    def press(self, seat: int, button: int) -> None:
        """Holds a button down."""
        self._put(self._pressed | {self._joins(seat, button)})

    def release(self, seat: int, button: int) -> None:
        """Lets it go."""
        self._put(self._pressed - {self._joins(seat, button)})

    def _joins(self, seat: int, button: int) -> Joined:
        wiring = self.wiring
        if seat not in range(len(wiring.seats if isinstance(wiring, Direct) else wiring.rows)):
            raise ValueError("there is no such panel")
        if button - 1 not in range(7):
            raise ValueError("there is no such button")
        if isinstance(wiring, Direct):
            return None, wiring.seats[seat][button - 1]
        return wiring.rows[seat], wiring.columns[button - 1]

    def _put(self, pressed: frozenset[Joined]) -> None:
        self._pressed = pressed


class FakePanels(_Buttons):
    """Give `wiring` and `factory` to `hardware.panel.Panels`, then press.

    Four seats of seven buttons in a matrix unless another wiring is given.
    """

    def __init__(self, wiring: Wiring | None = None) -> None:
        super().__init__(wiring or FOUR_SEATS)
        self.factory = JoinedPins()

    def _put(self, pressed: frozenset[Joined]) -> None:
        super()._put(pressed)
        self.factory.pressed = pressed


# --- two programs ---------------------------------------------------------------------------------------------------


def place() -> Path:
    """The socket, the same for all programs of one user."""
    return Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir(), f"gryphon-pins-{os.getuid()}")


class _ToldPin(_Pin):
    """Its level is told to the terminal."""

    def _change_state(self, value: Any) -> bool:
        changed = super()._change_state(value)
        if changed:
            self.factory.tell(self._number, value)
        return changed

    def _get_state(self) -> Any:
        self.factory.check()
        return super()._get_state()


class PretendedFactory(JoinedPins):
    """gpiozero's pin factory of the name `pretended`. Raises NoPins where no terminal has pins to offer.

    When the terminal goes, the pins raise OSError; once it is back a pin that is claimed anew finds it.
    """

    def __init__(self) -> None:
        super().__init__(pin_class=_ToldPin)
        self._watched: frozenset[int] = frozenset()
        self._line: socket.socket | None = None
        self._connect()

    def pin(self, name: Any, pin_class: Any = None, **more: Any) -> Any:
        """The pin of that number."""
        if self._line is None:
            self._connect()
        return super().pin(name, pin_class, **more)

    def check(self) -> None:
        """Raises OSError where the terminal is gone."""
        if self._line is None:
            raise ConnectionResetError("the terminal of the pretended pins is closed")

    def tell(self, pin: int, level: float) -> None:
        """The terminal hears of it."""
        line = self._line
        if pin in self._watched and line is not None:
            with contextlib.suppress(OSError):  # the listener finds out
                line.sendall(f"{pin} {float(level)}\n".encode())

    def _connect(self) -> None:
        line = socket.socket(socket.AF_UNIX)
        line.settimeout(0.5)
        try:
            line.connect(str(place()))
        except OSError as error:
            line.close()
            raise NoPins(Reason(signals.NO_FINGERS, {"python": shlex.quote(sys.executable)})) from error
        self._line = line
        threading.Thread(target=self._listen, args=(line,), name="pretended pins", daemon=True).start()

    def _listen(self, line: socket.socket) -> None:
        with line, contextlib.suppress(OSError, ValueError):
            for what, *words in _lines(line):
                if what == "watch":
                    self._watched = frozenset(map(int, words))
                else:
                    pairs = (word.split("/") for word in words)
                    self.pressed = frozenset((None if row == "-" else int(row), int(column)) for row, column in pairs)
        self._line = None


def _written(joined: Joined) -> str:
    row, column = joined
    return f"{'-' if row is None else row}/{column}"


def _lines(line: socket.socket) -> Iterable[list[str]]:
    """The words of each line, until the other end has gone. OSError when it went badly."""
    rest = b""
    while True:
        try:
            data = line.recv(4096)
        except TimeoutError:
            continue
        if not data:
            return
        *whole, rest = (rest + data).split(b"\n")
        yield from (words for words in (each.decode().split() for each in whole) if words)


class FakePins(_Buttons):
    """The fingers of a terminal, for the tables that run on PretendedFactory: one at a time or several.

    watched: pins to hear of; `hear(pin, level)` is called from another thread. Raises FileExistsError where another
    terminal has the pins.
    """

    def __init__(self, wiring: Wiring, watched: Iterable[int], hear: Callable[[int, float], object]) -> None:
        super().__init__(wiring)
        self._watched, self._hear = tuple(watched), hear
        self._tables: list[socket.socket] = []
        self._lock = threading.Lock()
        self._closed = False
        self._door = socket.socket(socket.AF_UNIX)
        self._open()
        threading.Thread(target=self._welcome, name="door", daemon=True).start()

    def close(self) -> None:
        """Ends all talks."""
        place().unlink(missing_ok=True)
        with self._lock:
            self._closed = True
            for line in (self._door, *self._tables):
                with contextlib.suppress(OSError):
                    line.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _put(self, pressed: frozenset[Joined]) -> None:
        with self._lock:
            super()._put(pressed)
            for table in self._tables:
                self._tell(table, "pressed", map(_written, pressed))

    @staticmethod
    def _tell(table: socket.socket, what: str, words: Iterable[object]) -> None:
        try:
            table.send(" ".join([what, *map(str, words), "\n"]).encode(), socket.MSG_DONTWAIT)
        except OSError:
            # it has gone, or hangs and would hold up all others: it may come again
            with contextlib.suppress(OSError):
                table.shutdown(socket.SHUT_RDWR)

    def _open(self) -> None:
        with socket.socket(socket.AF_UNIX) as other:
            if other.connect_ex(str(place())) == 0:
                raise FileExistsError("Another terminal pretends the pins already. Close it.")
        if place().is_socket():
            place().unlink()
        self._door.bind(str(place()))
        self._door.listen()

    def _welcome(self) -> None:
        with self._door, contextlib.suppress(OSError):
            while True:
                table, _ = self._door.accept()
                with self._lock:
                    if self._closed:
                        table.close()
                        return
                    self._tables.append(table)
                    self._tell(table, "watch", self._watched)
                    self._tell(table, "pressed", map(_written, self._pressed))
                threading.Thread(target=self._listen, args=(table,), name="table", daemon=True).start()

    def _listen(self, table: socket.socket) -> None:
        with table, contextlib.suppress(OSError, ValueError):
            for pin, level in _lines(table):
                self._hear(int(pin), float(level))
        with self._lock:
            self._tables.remove(table)
