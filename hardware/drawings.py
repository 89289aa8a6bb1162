"""The wiring as SVG pictures, drawn from the tables that the code itself goes by.

A board.json is checked (firmware/board.py) and drawn pin by pin; the button panels are the wirings of panel.py.
`python -m hardware.drawings` writes all pictures of the folder wiring/ anew, `python -m hardware.drawings FILE.json`
prints the picture of your own board.json. Other languages lie in folders of their own: who draws brings a translator,
called `_` here (kv/wiring/make_pictures.py does).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from firmware import board
from hardware.panel import BUZZER, FOUR_SEATS, LAMPS, THREE_SEATS, Direct, Matrix

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
ADAPTER = {1: "TX", 2: "RX", 3: "5V", 4: "GND"}

CALLED = {
    "mfrc522": {"sck": "SCK", "mosi": "MOSI", "miso": "MISO", "select": "SDA"},
    "pn532": {"sck": "SCK", "mosi": "MOSI", "miso": "MISO", "select": "SS", "sda": "SDA", "scl": "SCL"}
    | {"tx": "RXD", "rx": "TXD"},
}
"""What the modules print beside the pin that a wire of board.json goes to."""
POWER = {"mfrc522": {"3.3V": "3V3", "RST": "3V3", "GND": "GND"}, "pn532": {"VCC": "VBUS", "GND": "GND"}}
TITLES = {"mfrc522": "RC522", "pn532": "PN532"}

COLOURS = ("#0067b1", "#a8520b", "#00734f", "#8a3d8f", "#b0303f", "#5a6b00", "#006e7a", "#6b4a2b")
GROUND, PLUS = "#1a1a1a", "#c4161c"


@dataclass(slots=True)
class Part:
    """A thing that wires go to: [(its pin, the board's pin)]. A board's pin of `-` is no pin of the board."""

    title: str
    pins: list[tuple[str, str]] = field(default_factory=list)


def parts_of(plan: Any, _: Translate = str) -> list[Part]:
    """What hangs on a Pico. Raises board.BadBoard where board.json cannot be."""
    plan = board.check(plan)
    parts: list[Part] = []
    chains: dict[int, Part] = {}
    for n, reader in enumerate(plan["readers"]):
        chip, wires = reader["chip"], board.WIRES[reader["bus"][:-1]]
        pins = [(CALLED[chip][wire], f"GP{reader[wire]}") for wire in wires]
        title = _("Reader {n}: {chip} on {bus}").format(n=n, chip=TITLES[chip], bus=reader["bus"])
        parts.append(Part(title, [*pins, *POWER[chip].items()]))
        if "buzzer" in reader:
            title = _("Buzzer {n} (passive)").format(n=n)
            parts.append(Part(title, [("+", f"GP{reader['buzzer']}"), ("-", "GND")]))
        parts += _lamp(n, reader.get("lamp"), chains, _)
    for n, panel in enumerate(plan["panels"]):
        buttons = [(_("button {n}").format(n=k), f"GP{pin}") for k, pin in enumerate(panel["pins"], 1)]
        parts.append(Part(_("Panel {n}: to ground").format(n=n), buttons))
    return parts


def _lamp(n: int, lamp: Any, chains: dict[int, Part], _: Translate) -> list[Part]:
    if lamp is None:
        return []
    if lamp["kind"] != "ws2812":
        pins = [lamp["pin"]] if lamp["kind"] == "plain" else lamp["pins"]
        rgb = [_("red over 330 Ω"), _("green over 330 Ω"), _("blue over 330 Ω")]
        names = [_("+ over 330 Ω")] if len(pins) == 1 else rgb
        wires = [(name, f"GP{pin}") for name, pin in zip(names, pins, strict=True)]
        return [Part(_("Lamp {n}").format(n=n), [*wires, ("-", "GND")])]
    pin = lamp["pin"]
    if pin in chains:
        chains[pin].title += f", {n}"
        return []
    wires = [(_("DIN over 330 Ω"), f"GP{pin}"), (_("5V: own supply"), "-"), ("GND", "GND")]
    chains[pin] = Part(_("WS2812 lamps {n}").format(n=n), wires)
    return [chains[pin]]


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
        length = 0.65 * size * len(text)
        self.reach = max(self.reach, x + {"start": length, "middle": length / 2}.get(at, 0))
        anchor = "" if at == "start" else f' text-anchor="{at}"'
        self.lines.append(f'<text x="{x:g}" y="{y:g}" font-size="{size}"{weight}{anchor}>{escape(text)}</text>')

    def box(self, x: float, y: float, wide: float, high: float, fill: str = "#ffffff", round: int = 6) -> None:
        place = f'x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="{round}"'
        self.lines.append(f'<rect {place} fill="{fill}" stroke="#555555"/>')

    def wire(self, colour: str, *points: tuple[float, float]) -> None:
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        self.lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.5"/>')

    def dot(self, x: float, y: float, colour: str, radius: float = 4) -> None:
        self.lines.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{colour}"/>')

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


def _map(paper: Paper, headers: Headers, across: bool, used: Mapping[int, str], name: str, top: str) -> float:
    """The board from above with its pins in place, those in use filled. Returns where it ends."""
    rows = (len(headers) + 1) // 2
    paper.text(150, MAP_TOP - 36, name, 15, bold=True, at="middle")
    if top:
        paper.text(150, MAP_TOP - 18, top, 12, at="middle")
    paper.box(96, MAP_TOP - 10, 108, rows * STEP + 12, "#eef2ee", 10)
    for number, called in headers.items():
        right = number % 2 == 0 if across else number > rows
        row = (number - 1) // 2 if across else (2 * rows - number if right else number - 1)
        x, y = (150 + (22 if right else -22)), MAP_TOP + row * STEP + 8
        colour = used.get(number)
        paper.dot(x, y, colour or "#c9cfc9", 9)
        paper.lines.append(
            f'<text x="{x:g}" y="{y + 4:g}" font-size="10" text-anchor="middle" '
            f'fill="{"#ffffff" if colour else "#555555"}">{number}</text>'
        )
        paper.text(214 if right else 86, y + 4, called, 12, bold=bool(colour), at="start" if right else "end")
    return MAP_TOP + rows * STEP + 12


def schematic(
    title: str, name: str, headers: Headers, parts: list[Part], notes: Iterable[str], *, across: bool = False,
    top: str = "", _: Translate = str,
) -> str:  # fmt: skip
    """A board, and what hangs on it: each wire has its colour, a rail of its own and a name at both ends."""
    paper = Paper(title)
    number_of: dict[str, int] = {}
    for number, called in headers.items():
        number_of.setdefault(called, number)
    nets = sorted({pin for part in parts for _own, pin in part.pins if pin != "-"}, key=lambda pin: number_of[pin])
    colours: dict[str, str] = {}
    for pin in nets:
        fixed = GROUND if pin == "GND" else PLUS if pin in ("3V3", "VBUS", "5V") else None
        colours[pin] = fixed or COLOURS[sum(c not in (GROUND, PLUS) for c in colours.values()) % len(COLOURS)]
    end: float = _map(paper, headers, across, {number_of[pin]: colours[pin] for pin in nets}, name, top)
    numbered = headers is not ADAPTER  # adapters differ: theirs go by name
    rail = {pin: 470.0 + 18 * n for n, pin in enumerate(nets)}
    reach: dict[str, list[float]] = {}
    for n, pin in enumerate(nets):
        y = float(MAP_TOP + n * STEP)
        paper.box(290, y - 10, 120, 20, "#ffffff", 4)
        label = _("{name} · pin {number}").format(name=pin, number=number_of[pin]) if numbered else pin
        paper.text(298, y + 4, label, 12, bold=True)
        paper.wire(colours[pin], (410, y), (rail[pin], y))
        reach[pin] = [y]
        end = max(end, y + STEP)
    # the two sides keep half a step apart, so that no wire ever lies on another
    x, y = 470.0 + 18 * len(nets) + 24, float(MAP_TOP - STEP * 3 // 2)
    for part in parts:
        paper.box(x, y, 250, STEP * len(part.pins) + 36, "#f6f3ea")
        paper.text(x + 12, y + 19, part.title, 13, bold=True)
        for k, (own, pin) in enumerate(part.pins):
            at = y + STEP * (k + 2)
            paper.text(x + 12, at + 4, own, 12)
            if pin != "-":
                paper.wire(colours[pin], (rail[pin], at), (x, at))
                paper.dot(rail[pin], at, colours[pin])
                paper.text(x + 238, at + 4, f"{pin} · {number_of[pin]}" if numbered else pin, 12, bold=True, at="end")
                reach[pin].append(at)
        y += STEP * len(part.pins) + 2 * STEP
    for pin, ys in reach.items():
        paper.wire(colours[pin], (rail[pin], min(ys)), (rail[pin], max(ys)))
    return _noted(paper, x + 270, max(end, y), notes)


def _noted(paper: Paper, wide: float, end: float, notes: Iterable[str]) -> str:
    for note in notes:
        end += 22
        paper.text(20, end, note, 14)
    return paper.svg(max(wide, paper.reach + 20), end + 24)


def matrix(title: str, wiring: Matrix, notes: Iterable[str], _: Translate = str) -> str:
    """Rows and columns with a button and a diode at each crossing."""
    paper = Paper(title)
    number_of = {called: number for number, called in PI.items()}
    colours = {pin: COLOURS[n % len(COLOURS)] for n, pin in enumerate(wiring.pins())}
    used = {number_of[f"GPIO{pin}"]: colour for pin, colour in colours.items()}
    end = _map(paper, PI, True, used, "Raspberry Pi", _("card slot end"))
    left, top, wide, high = 440.0, 150.0, 92.0, 104.0
    right, bottom = left + wide * len(wiring.columns), top + high * len(wiring.rows)
    for button, pin in enumerate(wiring.columns, 1):
        x = left + wide * (button - 1)
        paper.text(x, top - 66, _("button {n}").format(n=button), 13, bold=True, at="middle")
        paper.text(x, top - 50, f"GPIO{pin}", 12, at="middle")
        paper.text(x, top - 35, _("pin {number}").format(number=number_of[f"GPIO{pin}"]), 12, at="middle")
        paper.wire(colours[pin], (x, top - 28), (x, bottom - 50))
    for seat, pin in enumerate(wiring.rows):
        y = top + high * seat + 62
        paper.text(left - 130, y - 10, _("seat {n}: {id}").format(n=seat + 1, id=f"gpio/{seat}"), 13, bold=True)
        label = _("{name} · pin {number}").format(name=f"GPIO{pin}", number=number_of[f"GPIO{pin}"])
        paper.text(left - 130, y + 6, label, 12)
        paper.wire(colours[pin], (left - 24, y), (right - 30, y))
        for n, column in enumerate(wiring.columns):
            x, at = left + wide * n, y - 58
            paper.dot(x, at, colours[column])
            paper.wire("#555555", (x, at), (x + 14, at))
            paper.dot(x + 17, at, "#555555", 3)
            paper.dot(x + 37, at, "#555555", 3)
            paper.wire("#555555", (x + 15, at - 9), (x + 39, at - 9))
            paper.wire("#555555", (x + 27, at - 9), (x + 27, at - 15))
            paper.wire("#555555", (x + 40, at), (x + 52, at), (x + 52, y))
            paper.shape("#555555", (x + 44, at + 18), (x + 60, at + 18), (x + 52, at + 32))
            paper.wire("#555555", (x + 44, at + 33), (x + 60, at + 33))
            paper.dot(x + 52, y, colours[pin])
    return _noted(paper, right + 20, max(end, bottom), notes)


def direct(title: str, wiring: Direct, notes: Iterable[str], _: Translate = str) -> str:
    """One pin a button, the other side of each to ground."""
    parts = []
    for n, seat in enumerate(wiring.seats):
        buttons = [(_("button {n}").format(n=k), f"GPIO{pin}") for k, pin in enumerate(seat, 1)]
        title_of = _("Seat {n}: {id}").format(n=n + 1, id=f"gpio/{n}")
        parts.append(Part(title_of, [*buttons, (_("all"), "GND")]))
    return schematic(title, "Raspberry Pi", PI, parts, notes, across=True, top=_("card slot end"), _=_)


def of_plan(name: str, plan: Any, _: Translate = str) -> str:
    """The picture of a board.json of that name."""
    notes = [
        _("Wires cross without touching; a dot is a joint. Names at both ends: the board's pin, and its number."),
        _("Every GND of the board is the same. Beside each module: 10 µF and 100 nF from its plus to ground."),
    ]
    title = _("{name} on a Raspberry Pi Pico").format(name=name)
    return schematic(title, "Raspberry Pi Pico", PICO, parts_of(plan, _), notes, top=_("USB plug end"), _=_)


def drawings(_: Translate = str) -> dict[str, str]:
    """All pictures of the folder wiring/ by name."""
    made = {}
    for path in sorted(FOLDER.glob("*.json")):
        plan = json.loads(path.read_text(encoding="utf-8"))
        made[path.stem] = of_plan(path.name, plan, _)
    made["pi-matrix"] = matrix(
        _("{seats} seats of {buttons} buttons on {pins} pins").format(
            seats=len(FOUR_SEATS.rows), buttons=len(FOUR_SEATS.columns), pins=len(FOUR_SEATS.pins())
        ),
        FOUR_SEATS,
        [_("At each crossing: from the column through the button, then the diode (1N4148), its ring towards the row.")],
        _,
    )
    made["pi-direct"] = direct(
        _("{seats} seats of {buttons} buttons on {pins} pins, no other parts").format(
            seats=len(THREE_SEATS.seats), buttons=len(THREE_SEATS.seats[0]), pins=len(THREE_SEATS.pins())
        ),
        THREE_SEATS,
        [
            _("Each button between its pin and ground; the Pi's own pull-ups do the rest."),
            _("SPI (7 to 11) and the serial console (14, 15) have to be switched off: sudo raspi-config."),
        ],
        _,
    )
    parts = [
        Part(_("Lamp of seat {n}").format(n=n), [(_("+ over 330 Ω"), f"GPIO{pin}"), ("-", "GND")])
        for n, pin in enumerate(LAMPS, 1)
    ]
    parts.append(Part(_("Buzzer (passive)"), [("+", f"GPIO{BUZZER}"), ("-", "GND")]))
    legs = _("Plain 3 mm or 5 mm LEDs, the long leg towards the resistor. More than 10 mA a lamp needs a transistor.")
    made["pi-lamps"] = schematic(
        _("Lamps and a buzzer beside the matrix"),
        "Raspberry Pi",
        PI,
        parts,
        [legs],
        across=True,
        top=_("card slot end"),
        _=_,
    )
    usb = [("RXD", "TX"), ("TXD", "RX"), ("VCC", "5V"), ("GND", "GND")]
    made["one-pn532-usb"] = schematic(
        _("One PN532 on a USB serial adapter, no board"),
        _("USB adapter (3.3 V levels)"),
        ADAPTER,
        [Part(_("PN532, set to HSU (0, 0)"), usb)],
        [_("The adapter's TX goes to the module's RXD: they cross.")],
        top="",
        _=_,
    )
    return made


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
            sys.stdout.write(of_plan(Path(path).name, plan))
        return 0
    write()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
