"""What a sheet of wiring is, and how it reads in words: a board, the parts that hang on it, and where each wire goes.

wirings.py fills them, drawings.py makes pictures of them. Words of other languages come from a translator, called `_`
here: who wants a sheet brings one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from textwrap import wrap

Translate = Callable[[str], str]
"""Gives a text in another language, its fields kept; `str` leaves it in English."""

OHMS = "330 Ω"
"""Every resistor here."""
WIDE, OWN = 80, 24
"""Letters of a line of text, and of a pin's own name in it."""


@dataclass(frozen=True, slots=True)
class Board:
    """A board with two rows of pins."""

    name: str
    pins: Mapping[int, str]
    """Number of a pin, counted on the board -> what it is called."""
    across: bool = False
    """Numbered from side to side, as the Pi is; otherwise down and up again, as chips are."""

    def numbers(self) -> dict[str, int]:
        """Name of a pin -> its number, of several the one that comes first in `pins`."""
        return {called: number for number, called in reversed(list(self.pins.items()))}


def _down_and_up(left: str, right: str) -> dict[int, str]:
    """Two rows of names, each from the top."""
    return dict(enumerate([*left.split(), *reversed(right.split())], 1))


def _across(left: str, right: str) -> dict[int, str]:
    """Two rows of names, each from the top; the left row comes first."""
    odd = {2 * n + 1: name for n, name in enumerate(left.split())}
    return odd | {2 * n + 2: name for n, name in enumerate(right.split())}


PICO = Board(
    "Raspberry Pi Pico",
    _down_and_up(
        "GP0 GP1 GND GP2 GP3 GP4 GP5 GND GP6 GP7 GP8 GP9 GND GP10 GP11 GP12 GP13 GND GP14 GP15",
        "VBUS VSYS GND 3V3_EN 3V3 VREF GP28 GND GP27 GP26 RUN GP22 GND GP21 GP20 GP19 GP18 GND GP17 GP16",
    ),
)
PI = Board(
    "Raspberry Pi",
    _across(
        "3V3 GPIO2 GPIO3 GPIO4 GND GPIO17 GPIO27 GPIO22 3V3 GPIO10 "
        "GPIO9 GPIO11 GND GPIO0 GPIO5 GPIO6 GPIO13 GPIO19 GPIO26 GND",
        "5V 5V GND GPIO14 GPIO15 GPIO18 GND GPIO23 GPIO24 GND "
        "GPIO25 GPIO8 GPIO7 GPIO1 GND GPIO12 GND GPIO16 GPIO20 GPIO21",
    ),
    across=True,
)
NO_BOARD = Board("", {})


@dataclass(frozen=True, slots=True)
class Pin:
    """A pin of a part, and where its wire goes."""

    own: str
    wire: str = ""
    """The board's pin, or another name that two or more pins share; none for no wire."""
    to: str = ""
    """What is told of the other end; the board's pin and its number unless given."""
    resistor: bool = False
    """330 Ω in the wire."""


@dataclass(frozen=True, slots=True)
class Part:
    """A thing that wires go to."""

    title: str
    pins: list[Pin]
    capacitors: tuple[Pin, Pin] | None = None
    """Plus and ground, one after the other, that have capacitors between them."""
    values: tuple[str, ...] = ("10 µF", "100 nF")
    """Of the capacitors; the first one has a plus."""


class Layout(Enum):
    """How a sheet is drawn."""

    PARTS = auto()
    """A board, and the parts that hang on it."""
    MATRIX = auto()
    """Two parts, the rows and the columns, with a button and a diode at each crossing."""
    ADAPTER = auto()
    """No board: a USB serial adapter and a module."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One wiring, in one language."""

    title: str
    board: Board
    parts: list[Part]
    notes: list[str]
    layout: Layout = Layout.PARTS
    supply: Part | None = None
    """The lamps' own."""
    lamps: list[Part] = field(default_factory=list)
    """Those on the lamps' own supply; all others are parts."""


def joints(_: Translate) -> str:
    """The note on how the picture of a sheet is read."""
    return _("Each wire has a look of its own. Wires cross without touching; a dot is a joint.")


def pin_label(name: str, number: int, _: Translate) -> str:
    """A pin of a board."""
    return _("{name} · pin {number}").format(name=name, number=number)


def wires(sheet: Sheet, _: Translate = str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Each part with its pins, and where their wires go."""
    number_of = sheet.board.numbers()
    found = []
    for part in [*sheet.parts, *([sheet.supply] if sheet.supply else []), *sheet.lamps]:
        rows = [(pin.own, _far_end(pin, number_of, _)) for pin in part.pins]
        if part.capacitors:
            rows.append((", ".join(pin.own for pin in part.capacitors), ", ".join(part.values)))
        found.append((part.title, rows))
    return found


def text(sheet: Sheet, _: Translate = str) -> str:
    """A wiring in lines of at most WIDE letters: under each part its pins, and where their wires go."""
    lines = [sheet.title]
    if sheet.board.name not in sheet.title:
        lines.append(sheet.board.name)
    for title, rows in wires(sheet, _):
        lines += ["", title, *(f"  {own:<{OWN}} {far}" for own, far in rows)]
    for note in sheet.notes:
        if note != joints(_):  # of looks and dots, which are not here
            lines += ["", *wrap(note, WIDE, break_on_hyphens=False)]
    return "\n".join(lines) + "\n"


def _far_end(pin: Pin, number_of: Mapping[str, int], _: Translate) -> str:
    far = pin.to or pin_label(pin.wire, number_of[pin.wire], _)
    return f"{far} ({OHMS})" if pin.resistor else far
