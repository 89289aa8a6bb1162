"""`python -m hardware.dry_run ...`: what stands in for hardware while you follow README.md, typed into a terminal.

A line is what hands do: `lay 0 04A1B20000C3D4`. What lamps and buzzers do is printed.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, NoReturn

from hardware.fake_pins import FakePins
from hardware.fakes import FakeAdapter, FakeBoard
from hardware.panel import BUZZER, FOUR_SEATS, LAMPS, THREE_BUZZER, THREE_LAMPS, THREE_SEATS, Wiring

TAGS = ("lay", "lift", "radio")
PLUG = ("plug", "unplug", "freeze", "thaw")
BUTTONS = ("press", "release", "tap")
HANDS = {"board": (*TAGS, *BUTTONS, *PLUG), "adapter": (*TAGS, *PLUG), "buttons": BUTTONS}
"""What may be typed: methods of what is pretended, and `tap`."""
WITH = {"lay": "READER UID", "lift": "READER", "radio": "READER HOW", **dict.fromkeys(BUTTONS, "PANEL BUTTON")}
"""What is typed behind them."""
ENDS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
"""A terminal that is closed takes its board along."""
TAP = 0.15
"""Seconds that a tap lasts."""
STILL = 2.0
"""Seconds without a change after which a lamp shines steadily, or is dark."""


def say(line: str) -> None:
    """One line for the person at the terminal, if there is one."""
    if sys.stdout is None:
        return
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def obey(device: Any, hands: Sequence[str], lines: Iterable[str]) -> None:
    """Does what the lines say, until there are no more; a slip is told and does nothing."""
    for line in lines:
        what, *words = line.split() or [""]
        if not what:
            continue
        try:
            if what not in hands:
                raise ValueError(usage(hands))
            numbers = [int(word) if word.isdecimal() and len(word) < 3 else word for word in words]
            if what == "tap":
                device.press(*numbers)
                time.sleep(TAP)
                device.release(*numbers)
            else:
                getattr(device, what)(*numbers)
        except TypeError:
            _slip(line, f"say {_with(what)}")
        except BrokenPipeError:
            raise
        except (ValueError, OSError) as error:
            _slip(line, getattr(error, "strerror", None) or str(error))


def usage(hands: Sequence[str]) -> str:
    """What may be typed."""
    return f"It does: {', '.join(map(_with, hands))}. Ctrl-D ends it."


def _with(hand: str) -> str:
    return f"{hand} {WITH.get(hand, '')}".strip()


def _slip(line: str, why: str) -> None:
    if sys.stderr is None:
        return
    sys.stderr.write(f"{line.strip()}: {why}\n")
    sys.stderr.flush()


class Lamps:
    """Levels of lamp pins and of a buzzer -> lines: a lamp is `dark`, `steady`, or `moves` (breathes, blinks).

    names: pin -> what it is called; buzzer: its pin. `clock` in seconds.
    """

    def __init__(
        self, names: Mapping[int, str], buzzer: int, say: Callable[[str], None], clock: Callable[[], float]
    ) -> None:
        self._names, self._buzzer, self._say, self._clock = names, buzzer, say, clock
        self._changed = dict.fromkeys(names, 0.0)
        self._levels = dict.fromkeys(names, 0.0)
        self._shown = dict.fromkeys(names, "dark")
        self._lit = 0.0  # when the buzzer began last

    def hear(self, pin: int, level: float) -> None:
        """A level has changed."""
        now = self._clock()
        if pin == self._buzzer:
            if level and now - self._lit > STILL:
                self._say("buzzer: sounds")
                self._lit = now
            return
        if pin not in self._names:
            return  # of the terminal before this one, which was wired otherwise
        if now - self._changed[pin] < STILL:
            self._show(pin, "moves")
        self._changed[pin], self._levels[pin] = now, level

    def look(self) -> None:
        """Time has passed."""
        for pin, changed in self._changed.items():
            if self._clock() - changed >= STILL:
                self._show(pin, "steady" if self._levels[pin] else "dark")

    def _show(self, pin: int, how: str) -> None:
        if self._shown[pin] != how:
            self._shown[pin] = how
            self._say(f"{self._names[pin]}: {how}")


def _board(args: argparse.Namespace, stack: ExitStack) -> Any:
    def tell(kind: str, reader: int, what: str) -> None:
        say(f"reader {reader}: {kind} {what}")

    def left() -> None:
        say("It went to its prompt, to be written anew. Here is nothing to write. Type plug to start it again.")

    board = stack.enter_context(FakeBoard(args.port, panels=1, chip=args.chip, tell=tell, left=left))
    say(f"A board with four readers ({args.chip}) and a panel of seven buttons is at {args.port}.")
    return board


def _adapter(args: argparse.Namespace, stack: ExitStack) -> Any:
    adapter = stack.enter_context(FakeAdapter(args.port))
    say(f"An adapter with one PN532, reader 0, is at {args.port}.")
    return adapter


def _buttons(args: argparse.Namespace, stack: ExitStack) -> Any:
    wiring: Wiring = THREE_SEATS if args.direct else FOUR_SEATS
    lit, buzzer = (THREE_LAMPS, THREE_BUZZER) if args.direct else (LAMPS, BUZZER)
    lamps = Lamps({pin: f"lamp of panel {n}" for n, pin in enumerate(lit)}, buzzer, say, time.monotonic)
    pins = stack.enter_context(FakePins(wiring, (*lit, buzzer), lamps.hear))
    say(f"Pins with {'three' if args.direct else 'four'} panels of seven buttons wait.")
    say("Start the table with GPIOZERO_PIN_FACTORY=pretended.")
    threading.Thread(target=_watch, args=(lamps,), name="lamps", daemon=True).start()
    return pins


def _watch(lamps: Lamps) -> None:
    while True:
        time.sleep(0.1)
        lamps.look()


def _parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="python -m hardware.dry_run", description=__doc__)
    kinds = top.add_subparsers(dest="kind", metavar="WHAT", required=True)
    board = kinds.add_parser("board", help="a Pico with four readers, as a serial port")
    board.add_argument("--chip", choices=("mfrc522", "pn532"), default="mfrc522", help="its readers (default RC522)")
    adapter = kinds.add_parser("adapter", help="a USB serial adapter with one PN532")
    for each, path in ((board, "/tmp/board"), (adapter, "/tmp/adapter")):  # noqa: S108  examples in a help text
        each.add_argument("port", metavar="PORT", help=f"the path where it is to be, such as {path}")
    buttons = kinds.add_parser("buttons", help="button panels on the Pi's own pins")
    buttons.add_argument("--direct", action="store_true", help="a pin a button, three panels (default: a matrix, four)")
    return top


def main(argv: Sequence[str] | None = None, lines: Iterable[str] | None = None) -> int:
    """Pretends until the lines (None: those of standard input) end, or nobody listens any more; the exit code."""
    args = _parser().parse_args(argv)
    try:
        return _run(args, (sys.stdin or ()) if lines is None else lines)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes once more at its end
        return 0


def _run(args: argparse.Namespace, lines: Iterable[str]) -> int:
    for number in ENDS:
        signal.signal(number, _end)
    with ExitStack() as stack:
        try:
            device = {"board": _board, "adapter": _adapter, "buttons": _buttons}[args.kind](args, stack)
        except OSError as error:
            _slip(getattr(args, "port", args.kind), error.strerror or str(error))
            return 1
        hands = HANDS[args.kind]
        say(usage(hands))
        obey(device, hands, lines)
    return 0


def _end(number: int, _frame: object) -> NoReturn:
    for each in ENDS:
        signal.signal(each, signal.SIG_IGN)  # a second one would leave a link or a socket behind
    raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(143)


if __name__ == "__main__":
    sys.exit(main())
