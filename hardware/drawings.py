"""The wiring as SVG pictures and as plain text, both from the tables that the code itself goes by.

A board.json is checked (firmware/board.py) and told pin by pin; the button panels are the wirings of panel.py. Either
is a `Sheet` first: what hangs on what.
`python -m hardware.drawings` writes all pictures of the folder wiring/ anew, `python -m hardware.drawings FILE.json`
prints the picture of your own board.json. Other languages lie in folders of their own: who draws brings a translator,
called `_` here (kv/wiring/make_pictures.py does).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from textwrap import wrap
from typing import Any
from xml.sax.saxutils import escape

from firmware import board
from hardware.panel import BUZZER, FOUR_SEATS, LAMPS, THREE_BUZZER, THREE_LAMPS, THREE_SEATS, Direct, Matrix

FOLDER = Path(__file__).parent / "wiring"

Translate = Callable[[str], str]
"""Gives a text in another language, its fields kept; `str` leaves it in English."""
Headers = Mapping[int, str]
"""Number of a pin, counted on the board -> what it is called."""


def _headers(left: str, right: str, up: bool) -> Headers:
    """Two rows of names, from the top: numbered down and up again (as chips are), or across (as the Pi is)."""
    one, two = left.split(), right.split()
    if up:
        return dict(enumerate([*one, *reversed(two)], 1))
    return {**{2 * n + 1: name for n, name in enumerate(one)}, **{2 * n + 2: name for n, name in enumerate(two)}}


PICO = _headers(
    "GP0 GP1 GND GP2 GP3 GP4 GP5 GND GP6 GP7 GP8 GP9 GND GP10 GP11 GP12 GP13 GND GP14 GP15",
    "VBUS VSYS GND 3V3_EN 3V3 VREF GP28 GND GP27 GP26 RUN GP22 GND GP21 GP20 GP19 GP18 GND GP17 GP16",
    up=True,
)
PI = _headers(
    "3V3 GPIO2 GPIO3 GPIO4 GND GPIO17 GPIO27 GPIO22 3V3 GPIO10 "
    "GPIO9 GPIO11 GND GPIO0 GPIO5 GPIO6 GPIO13 GPIO19 GPIO26 GND",
    "5V 5V GND GPIO14 GPIO15 GPIO18 GND GPIO23 GPIO24 GND GPIO25 GPIO8 GPIO7 GPIO1 GND GPIO12 GND GPIO16 GPIO20 GPIO21",
    up=False,
)
CALLED = {
    "mfrc522": {"sck": "SCK", "mosi": "MOSI", "miso": "MISO", "select": "SDA"},
    "pn532": {"sck": "SCK", "mosi": "MOSI", "miso": "MISO", "select": "SS", "sda": "SDA", "scl": "SCL"}
    | {"tx": "RXD", "rx": "TXD"},
}
"""What the modules print beside the pin that a wire of board.json goes to."""
POWER = {
    ("mfrc522", "spi"): {"RST": "3V3", "3.3V": "3V3", "GND": "GND"},
    ("pn532", "spi"): {"VCC": "VBUS", "GND": "GND"},  # its SPI pins have 3.3 V, whatever VCC has
    ("pn532", "i2c"): {"VCC": "3V3", "GND": "GND"},  # these are as high as VCC, and a Pico bears 3.3 V
    ("pn532", "uart"): {"VCC": "3V3", "GND": "GND"},
}
OHMS = "330 Ω"
"""Every resistor here."""
SWITCHES = {"uart": ("HSU", "1 OFF, 2 OFF"), "i2c": ("I2C", "1 ON, 2 OFF"), "spi": ("SPI", "1 OFF, 2 ON")}
"""Of the common red PN532 module, V3: what the way is called there, and its two switches."""
TITLES = {"mfrc522": "RC522", "pn532": "PN532"}

ADAPTER = {"TX": "RXD", "RX": "TXD", "5V": "VCC", "GND": "GND"}
"""Pin of a USB serial adapter -> that of a PN532."""

COLOURS = ("#0067b1", "#a8520b", "#00734f", "#8a3d8f", "#b0303f", "#5a6b00", "#006e7a", "#6b4a2b")
DASHES = ("", "10 4", "3 3", "14 3 3 3")
GROUND, PLUS = "#1a1a1a", "#c4161c"
"""What three seats of `direct` leave for lamps and a buzzer."""
LAMP_PLUS, LAMP_MINUS = "lamps +", "lamps -"
"""The wires of the lamps' own supply."""

Look = tuple[str, str]
"""A colour and a pattern of dashes; no two wires of a drawing have the same."""


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


@dataclass(slots=True)
class Part:
    """A thing that wires go to."""

    title: str
    pins: list[Pin] = field(default_factory=list)
    capacitors: tuple[Pin, Pin] | None = None
    """Plus and ground, one after the other, that have capacitors between them."""
    values: tuple[str, ...] = ("10 µF", "100 nF")
    """Of the capacitors; the first one has a plus."""


@dataclass(slots=True)
class Plan:
    """What hangs on a board: to the right of the wires, and on the lamps' own supply, where there is one."""

    parts: list[Part] = field(default_factory=list)
    supply: Part | None = None
    lamps: list[Part] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Sheet:
    """One wiring, in one language, and how it is drawn. `headers`: of the board; none where there is none."""

    title: str
    headers: Headers
    plan: Plan
    notes: list[str]
    draw: Callable[[Sheet, Translate], str]


def parts_of(plan: Any, _: Translate = str) -> Plan:
    """What hangs on a Pico. Raises board.BadBoard where board.json cannot be."""
    plan = board.check(plan)
    made = Plan()
    chains: dict[int, dict[int, int]] = {}
    for n, reader in enumerate(plan["readers"]):
        made.parts.append(_reader(n, reader, _))
        if "buzzer" in reader:
            title = _("Buzzer {n} (passive piezo)").format(n=n)
            made.parts.append(Part(title, [Pin("+", f"GP{reader['buzzer']}"), Pin("-", "GND")]))
        lamp = reader.get("lamp")
        if lamp is None:
            continue
        if lamp["kind"] == "ws2812":
            chains.setdefault(lamp["pin"], {})[lamp["at"]] = n
        else:
            pins = [lamp["pin"]] if lamp["kind"] == "plain" else lamp["pins"]
            names = ["+"] if len(pins) == 1 else [_("red"), _("green"), _("blue")]
            wires = [Pin(name, f"GP{pin}", resistor=True) for name, pin in zip(names, pins, strict=True)]
            made.parts.append(Part(_("Lamp {n}").format(n=n), [*wires, Pin("-", "GND")]))
    for n, panel in enumerate(plan["panels"]):
        buttons = [Pin(_("button {n}").format(n=k), f"GP{pin}") for k, pin in enumerate(panel["pins"], 1)]
        made.parts.append(Part(_("Panel {n}").format(n=n), [*buttons, Pin(_("all"), "GND")]))
    for pin, chain in chains.items():
        made.lamps += _chain(f"GP{pin}", chain, _)
    if made.lamps:
        made.supply = _supply(_)
    return made


def _supply(_: Translate) -> Part:
    plus = Pin("+", LAMP_PLUS, _("5V of each lamp"))
    minus = Pin("-", LAMP_MINUS, _("GND of each, and of the board"))
    return Part(_("The lamps' own supply: 5 V, 1 A"), [plus, minus], (plus, minus), ("470 µF",))


def _reader(n: int, reader: Any, _: Translate) -> Part:
    chip, kind = reader["chip"], reader["bus"][:-1]
    part = Part(_("Reader {n}: {chip} on {bus}").format(n=n, chip=TITLES[chip], bus=reader["bus"]))
    if chip == "pn532":
        part.pins.append(_switches(kind, _))
    part.pins += [Pin(CALLED[chip][wire], f"GP{reader[wire]}") for wire in board.WIRES[kind]]
    part.pins += [Pin(own, to) for own, to in POWER[chip, kind].items()]
    part.capacitors = (part.pins[-2], part.pins[-1])
    part.pins.append(Pin("IRQ" if chip == "mfrc522" else _("IRQ and all others"), to=_("left open")))
    return part


def _switches(kind: str, _: Translate) -> Pin:
    mode, positions = SWITCHES[kind]
    return Pin(_("switches: {mode}").format(mode=mode), to=positions)


def _chain(pin: str, chain: Mapping[int, int], _: Translate) -> list[Part]:
    """WS2812 lamps in a row, as {place: reader}: each hands on to the next what is not its own."""
    last = max(chain)
    names = [str(chain.get(place, _("spare"))) for place in range(last + 1)]
    made = []
    for place, name in enumerate(names):
        before, after = f"{pin} {place - 1}", f"{pin} {place}"
        came = Pin("DIN", before, _("DOUT of lamp {n}").format(n=names[place - 1]))
        goes = Pin("DOUT", to=_("left open"))
        if place < last:
            goes = Pin("DOUT", after, _("DIN of lamp {n}").format(n=names[place + 1]))
        power = [Pin("5V", LAMP_PLUS, _("supply +")), Pin("GND", LAMP_MINUS, _("supply -"))]
        title = _("Lamp {n} (WS2812)").format(n=name)
        made.append(Part(title, [came if place else Pin("DIN", pin, resistor=True), *power, goes]))
    return made


# --- drawing ----------------------------------------------------------------------------------------------------


class Paper:
    """SVG that grows line by line."""

    def __init__(self, title: str) -> None:
        self.lines: list[str] = []
        self.title = title
        self.reach = 0.0  # how far to the right the letters go
        self.text(20, 34, title, 20, bold=True)

    def text(self, x: float, y: float, text: str, size: int = 13, *, bold: bool = False, at: str = "start") -> None:
        weight = ' font-weight="bold"' if bold else ""
        length = LETTER * size * len(text)
        self.reach = max(self.reach, x + {"start": length, "middle": length / 2}.get(at, 0))
        anchor = "" if at == "start" else f' text-anchor="{at}"'
        self.lines.append(f'<text x="{x:g}" y="{y:g}" font-size="{size}"{weight}{anchor}>{escape(text)}</text>')

    def box(self, x: float, y: float, wide: float, high: float, fill: str = "#ffffff", round: int = 6) -> None:
        place = f'x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="{round}"'
        self.lines.append(f'<rect {place} fill="{fill}" stroke="#555555"/>')

    def wire(self, look: Look, *points: tuple[float, float]) -> None:
        colour, dash = look
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.5"{dashes}/>')

    def dot(self, x: float, y: float, colour: str, radius: float = 4) -> None:
        self.lines.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{colour}"/>')

    def pin(self, x: float, y: float, number: int, look: Look | None) -> None:
        """A pin of a board: grey, or as its wire looks."""
        colour, dash = look or ("#c9cfc9", "")
        place = f'cx="{x:g}" cy="{y:g}"'
        if dash:
            ring = f'stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"'
            self.lines.append(f'<circle {place} r="9.5" fill="#ffffff" {ring}/>')
        else:
            self.lines.append(f'<circle {place} r="9" fill="{colour}"/>')
        ink = "#555555" if look is None else colour if dash else "#ffffff"
        at = f'x="{x:g}" y="{y + 4:g}" font-size="10" text-anchor="middle"'
        self.lines.append(f'<text {at} fill="{ink}">{number}</text>')

    def contact(self, x: float, y: float) -> None:
        self.lines.append(f'<circle cx="{x:g}" cy="{y:g}" r="3" fill="#ffffff" stroke="{SYMBOL[0]}" stroke-width="2"/>')

    def resistor(self, x: float, y: float) -> None:
        """From x on RESISTOR wide, in a wire at y."""
        self.box(x, y - 8, RESISTOR, 16, round=2)
        self.text(x + RESISTOR / 2, y + 4, OHMS, 11, at="middle")

    def capacitor(self, x: float, plus: tuple[float, Look], minus: tuple[float, Look], text: str, polar: bool) -> None:
        """Between two wires, one above the other."""
        (top, above), (bottom, below) = plus, minus
        middle = (top + bottom) / 2
        for y, plate, (colour, _dash) in ((top, middle - 2.5, above), (bottom, middle + 2.5, below)):
            self.wire(SYMBOL, (x, y), (x, plate))
            self.wire(SYMBOL, (x - 8, plate), (x + 8, plate))
            self.dot(x, y, colour)
        if polar:
            self.text(x - 12, middle, "+", 11, at="middle")
        self.text(x + 12, middle + 4, text, 11)

    def shape(self, colour: str, *points: tuple[float, float]) -> None:
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        self.lines.append(f'<polygon points="{path}" fill="{colour}"/>')

    def svg(self, wide: float, high: float) -> str:
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" width="{wide:g}" '
            f'height="{high:g}" font-family="sans-serif" fill="#1a1a1a">\n<title>{escape(self.title)}</title>\n'
            '<rect width="100%" height="100%" fill="#ffffff"/>\n'
        )
        return head + "\n".join(self.lines) + "\n</svg>\n"


MAP_TOP, STEP = 96, 24
RAILS, BOX, RESISTOR = 500.0, 264, 44
SYMBOL: Look = ("#555555", "")
LETTER = 0.65
"""How wide a letter is at most, on average, for its height."""
WIDE, OWN = 80, 24
"""Letters of a line of text, and of a pin's own name in it."""


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


def _map(paper: Paper, headers: Headers, used: Mapping[int, Look], _: Translate) -> float:
    """The board from above with its pins in place, those in use filled. Returns where it ends."""
    across = headers is PI
    rows = (len(headers) + 1) // 2
    paper.text(150, MAP_TOP - 36, _name(headers), 15, bold=True, at="middle")
    paper.text(150, MAP_TOP - 18, _("card slot end") if across else _("USB plug end"), 12, at="middle")
    paper.box(96, MAP_TOP - 10, 108, rows * STEP + 12, "#eef2ee", 10)
    for number, called in headers.items():
        right = number % 2 == 0 if across else number > rows
        row = (number - 1) // 2 if across else (2 * rows - number if right else number - 1)
        x, y = (150 + (22 if right else -22)), MAP_TOP + row * STEP + 8
        look = used.get(number)
        paper.pin(x, y, number, look)
        paper.text(214 if right else 86, y + 4, called, 12, bold=bool(look), at="start" if right else "end")
    return MAP_TOP + rows * STEP + 12


def _numbers(headers: Headers) -> dict[str, int]:
    """Name of a pin -> its number, the first of several."""
    return {called: number for number, called in reversed(list(headers.items()))}


def _name(headers: Headers) -> str:
    """What the board is called that has them."""
    return "Raspberry Pi" if headers is PI else "Raspberry Pi Pico" if headers is PICO else ""


def schematic(sheet: Sheet, _: Translate) -> str:
    """A board, and what hangs on it: each wire has a look of its own, a rail of its own and a name at both ends."""
    paper, plan, number_of = Paper(sheet.title), sheet.plan, _numbers(sheet.headers)
    drawn = {pin.wire for part in [*plan.parts, *plan.lamps] for pin in part.pins}
    wires = sorted(drawn & set(number_of), key=lambda wire: number_of[wire])
    looks = _looks([*wires, *sorted(drawn - set(number_of) - {""})])
    nets = {wire: Net(RAILS + 18 * n, looks[wire]) for n, wire in enumerate(wires)}
    end = _map(paper, sheet.headers, {number_of[wire]: looks[wire] for wire in wires}, _)
    for n, wire in enumerate(wires):
        y = float(MAP_TOP + n * STEP)
        paper.box(290, y - 10, 136, 20, "#ffffff", 4)
        label = _("{name} · pin {number}").format(name=wire, number=number_of[wire])
        paper.text(298, y + 4, label, 12, bold=True)
        nets[wire].to(426, y)
        end = max(end, y + 10)
    ends = {wire: f"{wire} · {number_of[wire]}" for wire in wires}
    if plan.supply:
        below = MAP_TOP + STEP * (ceil((end - MAP_TOP) / STEP) + 1)
        end = _supplied(paper, plan.supply, plan.lamps, nets, looks, ends, below)
    low, right = _right(paper, plan.parts, nets, ends)
    for net in nets.values():
        net.draw(paper)
    return _noted(paper, right, max(end, low), sheet.notes)


def _right(paper: Paper, parts: list[Part], nets: Mapping[str, Net], ends: Mapping[str, str]) -> tuple[float, float]:
    """Parts to the right of the rails. Returns how far down and to the right they go."""
    # the two sides keep half a step apart, so that no wire ever lies on another
    resistors = any(pin.resistor for part in parts for pin in part.pins)
    symbols = 144 if any(part.capacitors for part in parts) else 68 if resistors else 0
    x, y = max(net.rail for net in nets.values()) + 36 + symbols, float(MAP_TOP - STEP * 3 // 2)
    for part in parts:
        rows = _part(paper, part, x, y, ends, mirrored=False)
        for pin in part.pins:
            if not pin.wire:
                continue
            at, net = rows[pin.own], nets[pin.wire]
            if pin.resistor:
                paper.resistor(x - 12 - RESISTOR, at)
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


def _supplied(
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
                paper.resistor(edge + 130, at)
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


def _noted(paper: Paper, wide: float, end: float, notes: Iterable[str]) -> str:
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
    paper, number_of = Paper(sheet.title), _numbers(sheet.headers)
    rows, columns = (part.pins for part in sheet.plan.parts)
    looks = _looks(pin.wire for pin in [*rows, *columns])
    end = _map(paper, sheet.headers, {number_of[wire]: drawn for wire, drawn in looks.items()}, _)
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
        label = _("{name} · pin {number}").format(name=row.wire, number=number_of[row.wire])
        paper.text(left - 146, y + 6, label, 12)
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
    return _noted(paper, last_x + wide + 20, max(end, last_y + high), sheet.notes)


def _without_board(sheet: Sheet, _: Translate) -> str:
    """An adapter and a module, whose pins go by name: every make has its own order."""
    paper = Paper(sheet.title)
    adapter, module = sheet.plan.parts
    looks = _looks(pin.wire for pin in adapter.pins)
    nets = {wire: Net(RAILS - 150 + 18 * n, look) for n, (wire, look) in enumerate(looks.items())}
    x, y = 20.0, MAP_TOP - STEP
    rows = _part(paper, adapter, x, y, {}, mirrored=True)
    for pin in adapter.pins:
        nets[pin.wire].to(x + BOX, rows[pin.own])
    low, right = _right(paper, [module], nets, {})
    for net in nets.values():
        net.draw(paper)
    return _noted(paper, right, low, sheet.notes)


# --- each wiring ------------------------------------------------------------------------------------------------


def _of_matrix(wiring: Matrix, _: Translate) -> Sheet:
    seats, buttons = len(wiring.rows), len(wiring.columns)
    title = _("{seats} seats of {buttons} buttons on {pins} pins")
    rows = [Pin(_("seat {n}: {id}").format(n=n + 1, id=f"gpio/{n}"), f"GPIO{pin}") for n, pin in enumerate(wiring.rows)]
    columns = [Pin(_("button {n}").format(n=n), f"GPIO{pin}") for n, pin in enumerate(wiring.columns, 1)]
    notes = [
        _("At each crossing: from the column through the button, then the diode (1N4148), its ring towards the row."),
        _joints(_),
    ]
    plan = Plan([Part(_("Rows"), rows), Part(_("Columns"), columns)])
    return Sheet(title.format(seats=seats, buttons=buttons, pins=len(wiring.pins())), PI, plan, notes, _matrix)


def _of_direct(wiring: Direct, _: Translate) -> Sheet:
    """One pin a button, the other side of each to ground."""
    title = _("{seats} seats of {buttons} buttons on {pins} pins, no other parts").format(
        seats=len(wiring.seats), buttons=len(wiring.seats[0]), pins=len(wiring.pins())
    )
    parts = []
    for n, seat in enumerate(wiring.seats):
        buttons = [Pin(_("button {n}").format(n=k), f"GPIO{pin}") for k, pin in enumerate(seat, 1)]
        title_of = _("Seat {n}: {id}").format(n=n + 1, id=f"gpio/{n}")
        parts.append(Part(title_of, [*buttons, Pin(_("all"), "GND")]))
    notes = [
        _("Each button between its pin and ground; the Pi's own pull-ups do the rest."),
        _joints(_),
        _("SPI (7 to 11) and the serial console (14, 15) have to be switched off: sudo raspi-config."),
    ]
    return Sheet(title, PI, Plan(parts), notes, schematic)


def _of_lamps(_: Translate) -> Sheet:
    parts = [
        Part(_("Lamp of seat {n} (LED)").format(n=n), [Pin("+", f"GPIO{pin}", resistor=True), Pin("-", "GND")])
        for n, pin in enumerate(LAMPS, 1)
    ]
    parts.append(Part(_("Buzzer (passive piezo)"), [Pin("+", f"GPIO{BUZZER}"), Pin("-", "GND")]))
    notes = [
        _("Plain 3 mm or 5 mm LEDs, the long leg (+) to the resistor. More than 10 mA a lamp needs a transistor."),
        _joints(_),
        _(
            "This fits the matrix. With direct wiring GPIO23 to GPIO25 are buttons: put the lamps of its three "
            "seats on GPIO {lamps} and the buzzer on GPIO {buzzer}, switch 1-Wire and I2C off, and write "
            "lamps = [{lamps}] and buzzer = {buzzer} into config.toml."
        ).format(lamps=",\u00a0".join(map(str, THREE_LAMPS)), buzzer=THREE_BUZZER),
    ]
    return Sheet(_("Lamps and a buzzer for the matrix of four seats"), PI, Plan(parts), notes, schematic)


def _of_adapter(_: Translate) -> Sheet:
    """One PN532 on a USB serial adapter."""
    names = {"TX": _("TX (it sends)"), "RX": _("RX (it receives)"), "5V": "5V", "GND": "GND"}
    adapter = Part(_("USB adapter, 3.3 V levels"), [Pin(name, wire, ADAPTER[wire]) for wire, name in names.items()])
    power = (Pin("VCC", "5V", "5V"), Pin("GND", "GND", "GND"))
    data = [Pin(_("TXD (it sends)"), "RX", "RX"), Pin(_("RXD (it receives)"), "TX", "TX")]
    rest = Pin(_("IRQ and all others"), to=_("left open"))
    module = Part(_("PN532 module"), [_switches("uart", _), *data, *power, rest], power)
    notes = [
        _("TX and RX cross: what one sends the other receives. Go by the names; every make has its own order of pins."),
        _("The common red module prints TXD and RXD on its back: TXD is the pin SDA, RXD is the pin SCL."),
        _joints(_),
        _near(_),
        _table(_),
        _(
            "With VCC on 5 V the red module's TXD has 5 V, too. FT232R and CP2102 adapters bear that. If yours does "
            "not, put VCC on its 3.3 V pin, which must give 150 mA."
        ),
    ]
    title = _("One PN532 on a USB serial adapter, no board")
    return Sheet(title, {}, Plan([adapter, module]), notes, _without_board)


def _title(plan: Any, _: Translate) -> str:
    chips = " + ".join(sorted({TITLES[reader["chip"]] for reader in plan["readers"]}))
    number = len(plan["readers"])
    titles = (
        _("Buttons on a Raspberry Pi Pico"), _("One {chips} reader on a Raspberry Pi Pico"),
        _("Two {chips} readers on a Raspberry Pi Pico"), _("Three {chips} readers on a Raspberry Pi Pico"),
        _("Four {chips} readers on a Raspberry Pi Pico"),
    )  # fmt: skip
    return titles[number].format(chips=chips)


def of_plan(plan: Any, _: Translate = str) -> Sheet:
    """A board.json. Raises board.BadBoard where it cannot be."""
    plan = board.check(plan)
    parts = parts_of(plan, _)
    buses = {(reader["chip"], reader["bus"][:-1]) for reader in plan["readers"]}
    notes = [
        _joints(_),
        _("Names at both ends: the board's pin, and its number. Every GND of the board is the same."),
    ]
    if buses:
        notes.append(_near(_))
    if any(chip == "pn532" for chip, _kind in buses):
        notes.append(_table(_))
    if buses & {("pn532", "i2c"), ("pn532", "uart")}:
        notes.append(
            _("On I2C and UART a PN532 gets 3.3 V, as its lines are as high as its VCC. 3V3 is enough for two of them.")
        )
    if parts.lamps:
        notes.append(
            _(
                "The lamps are one chain: data goes in at DIN, out at DOUT and on to the next. Their 5 V come from "
                "their own supply alone, never from the board; its minus and the board's GND are joined."
            )
        )
    return Sheet(_title(plan, _), PICO, parts, notes, schematic)


def _joints(_: Translate) -> str:
    return _("Each wire has a look of its own. Wires cross without touching; a dot is a joint.")


def _near(_: Translate) -> str:
    return _("10 µF and 100 nF beside each module, as near to its pins as you can.")


def _table(_: Translate) -> str:
    return _("Switches as on the common red PN532 module (V3); on another, go by the table that is printed on it.")


def sheets(_: Translate = str) -> dict[str, Sheet]:
    """All wirings of the folder wiring/ by name."""
    made = {}
    for path in sorted(FOLDER.glob("*.json")):
        made[path.stem] = of_plan(json.loads(path.read_text(encoding="utf-8")), _)
    made["pi-matrix"] = _of_matrix(FOUR_SEATS, _)
    made["pi-direct"] = _of_direct(THREE_SEATS, _)
    made["pi-lamps"] = _of_lamps(_)
    made["one-pn532-usb"] = _of_adapter(_)
    return made


def drawings(_: Translate = str) -> dict[str, str]:
    """All pictures of the folder wiring/ by name."""
    return {name: sheet.draw(sheet, _) for name, sheet in sheets(_).items()}


def text(sheet: Sheet, _: Translate = str) -> str:
    """A wiring in lines of at most WIDE letters: under each part its pins, and where their wires go."""
    number_of, plan = _numbers(sheet.headers), sheet.plan
    lines = [sheet.title]
    if (name := _name(sheet.headers)) not in sheet.title:
        lines.append(name)
    for part in [*plan.parts, *([plan.supply] if plan.supply else []), *plan.lamps]:
        rows = [(pin.own, _far(pin, number_of, _)) for pin in part.pins]
        if part.capacitors:
            rows.append((", ".join(pin.own for pin in part.capacitors), ", ".join(part.values)))
        lines += ["", part.title, *(f"  {own:<{OWN}} {far}" for own, far in rows)]
    for note in sheet.notes:
        if note != _joints(_):  # of looks and dots, which are not here
            lines += ["", *wrap(note, WIDE, break_on_hyphens=False)]
    return "\n".join(lines) + "\n"


def _far(pin: Pin, number_of: Mapping[str, int], _: Translate) -> str:
    """The far end of its wire."""
    far = pin.to or _("{name} · pin {number}").format(name=pin.wire, number=number_of[pin.wire])
    return f"{far} ({OHMS})" if pin.resistor else far


def picture(name: str, lang: str) -> Path:
    """Where a picture lies in that language, else in English."""
    path = FOLDER / lang / f"{name}.svg"
    return path if path.exists() else FOLDER / f"{name}.svg"


def write(folder: Path = FOLDER, _: Translate = str) -> list[Path]:
    """Write them all into a folder; gives their paths."""
    folder.mkdir(exist_ok=True)
    written = []
    for name, svg in drawings(_).items():
        written.append(folder / f"{name}.svg")
        written[-1].write_text(svg, encoding="utf-8")
    return written


def main(paths: list[str]) -> int:
    """See above."""
    if paths:
        for path in paths:
            plan = json.loads(Path(path).read_text(encoding="utf-8"))
            sheet = of_plan(plan)
            sys.stdout.write(sheet.draw(sheet, str))
        return 0
    write()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
