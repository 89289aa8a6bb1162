"""The sheets as SVG pictures.

`python -m hardware.drawings` writes all pictures of the folder wiring/ anew, `python -m hardware.drawings FILE.json`
prints the picture of your own board.json. Other languages lie in folders of their own (kv/wiring/make_pictures.py).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from math import ceil
from pathlib import Path
from textwrap import wrap

from hardware import wirings
from hardware.sheets import OHMS, Board, Layout, Part, Sheet, Translate, pin_label
from hardware.svg import LETTER, RESISTOR, SYMBOL, Look, Paper
from hardware.wirings import FOLDER, LAMP_MINUS, LAMP_PLUS

COLOURS = ("#0067b1", "#a8520b", "#00734f", "#8a3d8f", "#b0303f", "#5a6b00", "#006e7a", "#6b4a2b")
DASHES = ("", "10 4", "3 3", "14 3 3 3")
GROUND, PLUS = "#1a1a1a", "#c4161c"

PINS_TOP, STEP = 96, 24
"""Where the pins of a board begin, and from one line of pins to the next."""
RAILS, BOX = 500.0, 264
"""Where the first rail is, and how wide the box of a part."""


def _looks(wires: Iterable[str]) -> dict[str, Look]:
    """Ground is black and plus is red; all others take what is left."""
    wires = list(wires)
    fixed = {"GND": (GROUND, ""), "3V3": (PLUS, ""), "5V": (PLUS, "")}
    fixed["VBUS"] = (PLUS, DASHES[2] if "3V3" in wires else "")
    fixed |= {LAMP_PLUS: (PLUS, DASHES[1]), LAMP_MINUS: (GROUND, DASHES[1])}
    free = ((colour, dash) for dash in DASHES for colour in COLOURS)
    return {wire: fixed[wire] if wire in fixed else next(free) for wire in wires}


class Net:
    """One wire with all its ends: a rail from top to bottom, and an arm to each end."""

    def __init__(self, rail: float, look: Look) -> None:
        self.rail = rail
        self.look = look
        self._arms: list[tuple[float, float]] = []

    def to(self, x: float, y: float) -> None:
        """An end at that place; at the rail itself, it only reaches down to there."""
        self._arms.append((y, x))

    def draw(self, paper: Paper) -> None:
        """One line from the first end to the last, the others join it; a dot where three meet, none at a bend."""
        arms = sorted(self._arms)
        (top, first), (bottom, last) = arms[0], arms[-1]
        paper.wire(self.look, (first, top), (self.rail, top), (self.rail, bottom), (last, bottom))
        for y, x in arms[1:-1]:
            if x != self.rail:
                paper.wire(self.look, (self.rail, y), (x, y))
            paper.dot(self.rail, y, self.look[0])


def _pinout(paper: Paper, board: Board, used: Mapping[int, Look], _: Translate) -> float:
    """The board from above with its pins in place, those in use filled. Returns where it ends."""
    rows = (len(board.pins) + 1) // 2
    paper.text(150, PINS_TOP - 36, board.name, 15, bold=True, at="middle")
    paper.text(150, PINS_TOP - 18, _("card slot end") if board.across else _("USB plug end"), 12, at="middle")
    paper.box(96, PINS_TOP - 10, 108, rows * STEP + 12, "#eef2ee", 10)
    for number, called in board.pins.items():
        right = number % 2 == 0 if board.across else number > rows
        row = (number - 1) // 2 if board.across else (2 * rows - number if right else number - 1)
        x, y = (150 + (22 if right else -22)), PINS_TOP + row * STEP + 8
        look = used.get(number)
        paper.pin(x, y, number, look)
        paper.text(214 if right else 86, y + 4, called, 12, bold=bool(look), at="start" if right else "end")
    return PINS_TOP + rows * STEP + 12


def _parts(sheet: Sheet, _: Translate) -> str:
    """A board, and what hangs on it: each wire has a look of its own, a rail of its own and a name at both ends."""
    paper, number_of = Paper(sheet.title), sheet.board.numbers()
    drawn = {pin.wire for part in [*sheet.parts, *sheet.lamps] for pin in part.pins}
    wires = sorted(drawn & set(number_of), key=lambda wire: number_of[wire])
    looks = _looks([*wires, *sorted(drawn - set(number_of) - {""})])
    nets = {wire: Net(RAILS + 18 * n, looks[wire]) for n, wire in enumerate(wires)}
    end = _pinout(paper, sheet.board, {number_of[wire]: looks[wire] for wire in wires}, _)
    for n, wire in enumerate(wires):
        y = float(PINS_TOP + n * STEP)
        paper.box(290, y - 10, 136, 20, "#ffffff", 4)
        paper.text(298, y + 4, pin_label(wire, number_of[wire], _), 12, bold=True)
        nets[wire].to(426, y)
        end = max(end, y + 10)
    ends = {wire: f"{wire} · {number_of[wire]}" for wire in wires}
    if sheet.supply:
        below = PINS_TOP + STEP * (ceil((end - PINS_TOP) / STEP) + 1)
        end = _lamps_below(paper, sheet.supply, sheet.lamps, nets, looks, ends, below)
    low, right = _parts_right(paper, sheet.parts, nets, ends)
    for net in nets.values():
        net.draw(paper)
    return _with_notes(paper, right, max(end, low), sheet.notes)


def _parts_right(
    paper: Paper, parts: list[Part], nets: Mapping[str, Net], ends: Mapping[str, str]
) -> tuple[float, float]:
    """Parts to the right of the rails. Returns how far down and to the right they go."""
    # the two sides keep half a step apart, so that no wire ever lies on another
    resistors = any(pin.resistor for part in parts for pin in part.pins)
    symbols = 144 if any(part.capacitors for part in parts) else 68 if resistors else 0
    x, y = max(net.rail for net in nets.values()) + 36 + symbols, float(PINS_TOP - STEP * 3 // 2)
    for part in parts:
        rows = _part(paper, part, x, y, ends, mirrored=False)
        for pin in part.pins:
            if not pin.wire:
                continue
            at, net = rows[pin.own], nets[pin.wire]
            if pin.resistor:
                paper.resistor(x - 12 - RESISTOR, at, OHMS)
                paper.wire(net.look, (x - 12, at), (x, at))
            net.to(x - 12 - RESISTOR if pin.resistor else x, at)
        if part.capacitors:
            plus, minus = ((rows[pin.own], nets[pin.wire].look) for pin in part.capacitors)
            for left, value in zip((128, 58), part.values, strict=True):
                paper.capacitor(x - left, plus, minus, value, polar=value == part.values[0])
        y += STEP * len(part.pins) + 2 * STEP
    return y, x + BOX + 20


def _part(paper: Paper, part: Part, x: float, y: float, ends: Mapping[str, str], *, mirrored: bool) -> dict[str, float]:
    """A box with a line for each pin, its own name towards the wire. Returns where the lines are."""
    paper.box(x, y, BOX, STEP * len(part.pins) + 36, "#f6f3ea")
    paper.text(x + 12, y + 19, part.title, 13, bold=True)
    rows = {}
    for k, pin in enumerate(part.pins):
        at = rows[pin.own] = y + STEP * (k + 2)
        left, right = (pin.own, pin.to or ends[pin.wire])[:: -1 if mirrored else 1]
        paper.text(x + 12, at + 4, left, 12, bold=mirrored)
        paper.text(x + BOX - 12, at + 4, right, 12, bold=not mirrored, at="end")
    return rows


def _lamps_below(
    paper: Paper, supply: Part, lamps: list[Part], nets: Mapping[str, Net], looks: Mapping[str, Look],
    ends: Mapping[str, str], y: float,
) -> float:  # fmt: skip
    """The lamps below the board, and their own supply with its wires. Returns where they end."""
    x, edge = 20, 20 + BOX
    plus, minus = Net(edge + 84, looks[LAMP_PLUS]), Net(edge + 108, looks[LAMP_MINUS])
    chained = [pin.wire for lamp in lamps for pin in lamp.pins if pin.own == "DOUT" and pin.wire]
    links = {wire: Net(edge + 24, looks[wire]) for wire in chained}
    local = {LAMP_PLUS: plus, LAMP_MINUS: minus} | links
    for part in [supply, *lamps]:
        rows = _part(paper, part, x, y, ends, mirrored=True)
        for pin in part.pins:
            if not pin.wire:
                continue
            at = rows[pin.own]
            if pin.resistor:
                paper.wire(looks[pin.wire], (edge, at), (edge + 130, at))
                paper.resistor(edge + 130, at, OHMS)
                nets[pin.wire].to(edge + 130 + RESISTOR, at)
            else:
                local[pin.wire].to(edge, at)
        if part is supply:
            paper.capacitor(edge + 22, (rows["+"], plus.look), (rows["-"], minus.look), supply.values[0], polar=True)
            ground = nets["GND"]  # here the two grounds meet
            minus.to(ground.rail, rows["-"])
            ground.to(ground.rail, rows["-"])
            paper.dot(ground.rail, rows["-"], GROUND)
        y += STEP * len(part.pins) + 2 * STEP
    for net in local.values():
        net.draw(paper)
    return y


def _with_notes(paper: Paper, wide: float, end: float, notes: Iterable[str]) -> str:
    """Notes below the picture, each in as many lines as it takes, of about one length."""
    most = int((wide - 40) / (14 * LETTER))
    for note in notes:
        end += 8
        lines = len(wrap(note, most))
        for line in next(made for width in range(1, most + 1) if len(made := wrap(note, width)) == lines):
            end += 20
            paper.text(20, end, line, 14)
    return paper.svg(ceil(max(wide, paper.reach + 20)), ceil(end + 24))


def _matrix(sheet: Sheet, _: Translate) -> str:
    """Rows and columns with a button and a diode at each crossing."""
    paper, number_of = Paper(sheet.title), sheet.board.numbers()
    rows, columns = (part.pins for part in sheet.parts)
    looks = _looks(pin.wire for pin in [*rows, *columns])
    end = _pinout(paper, sheet.board, {number_of[wire]: drawn for wire, drawn in looks.items()}, _)
    left, top, wide, high = 440.0, 150.0, 92.0, 104.0
    last_x, last_y = left + wide * (len(columns) - 1), top + high * (len(rows) - 1) + 4
    for n, column in enumerate(columns):
        x = left + wide * n
        paper.text(x, top - 66, column.own, 13, bold=True, at="middle")
        paper.text(x, top - 50, column.wire, 12, at="middle")
        paper.text(x, top - 35, _("pin {number}").format(number=number_of[column.wire]), 12, at="middle")
        paper.wire(looks[column.wire], (x, top - 28), (x, last_y))
    for seat, row in enumerate(rows):
        y = top + high * seat + 62
        paper.text(left - 146, y - 10, row.own, 13, bold=True)
        paper.text(left - 146, y + 6, pin_label(row.wire, number_of[row.wire], _), 12)
        paper.wire(looks[row.wire], (left - 16, y), (last_x + 52, y))
        for n, column in enumerate(columns):
            x, at = left + wide * n, y - 58
            if at < last_y:
                paper.dot(x, at, looks[column.wire][0])
            paper.wire(SYMBOL, (x, at), (x + 14, at))
            paper.contact(x + 17, at)
            paper.contact(x + 37, at)
            paper.wire(SYMBOL, (x + 15, at - 9), (x + 39, at - 9))
            paper.wire(SYMBOL, (x + 27, at - 9), (x + 27, at - 15))
            paper.wire(SYMBOL, (x + 40, at), (x + 52, at), (x + 52, y))
            paper.shape(SYMBOL[0], (x + 44, at + 18), (x + 60, at + 18), (x + 52, at + 32))
            paper.wire(SYMBOL, (x + 44, at + 33), (x + 60, at + 33))
            if x < last_x:
                paper.dot(x + 52, y, looks[row.wire][0])
    return _with_notes(paper, last_x + wide + 20, max(end, last_y + high), sheet.notes)


def _adapter(sheet: Sheet, _: Translate) -> str:
    """An adapter and a module, whose pins go by name: every make has its own order."""
    paper = Paper(sheet.title)
    adapter, module = sheet.parts
    looks = _looks(pin.wire for pin in adapter.pins)
    nets = {wire: Net(RAILS - 150 + 18 * n, look) for n, (wire, look) in enumerate(looks.items())}
    x, y = 20.0, PINS_TOP - STEP
    rows = _part(paper, adapter, x, y, {}, mirrored=True)
    for pin in adapter.pins:
        nets[pin.wire].to(x + BOX, rows[pin.own])
    low, right = _parts_right(paper, [module], nets, {})
    for net in nets.values():
        net.draw(paper)
    return _with_notes(paper, right, low, sheet.notes)


DRAWN: dict[Layout, Callable[[Sheet, Translate], str]] = {
    Layout.PARTS: _parts,
    Layout.MATRIX: _matrix,
    Layout.ADAPTER: _adapter,
}


def draw(sheet: Sheet, _: Translate = str) -> str:
    """The picture of a sheet that is in that language."""
    return DRAWN[sheet.layout](sheet, _)


def by_name(_: Translate = str) -> dict[str, str]:
    """All pictures of the folder wiring/."""
    return {name: draw(sheet, _) for name, sheet in wirings.by_name(_).items()}


def write(folder: Path = FOLDER, _: Translate = str) -> list[Path]:
    """Write them all into a folder; gives their paths."""
    folder.mkdir(exist_ok=True)
    written = []
    for name, svg in by_name(_).items():
        written.append(folder / f"{name}.svg")
        written[-1].write_text(svg, encoding="utf-8")
    return written


def main(paths: list[str]) -> int:
    """As told above; gives the exit code."""
    for path in paths:
        plan = json.loads(Path(path).read_text(encoding="utf-8"))
        sys.stdout.write(draw(wirings.of_plan(plan)))
    if not paths:
        write()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
