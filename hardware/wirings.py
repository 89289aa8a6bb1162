"""Which wire goes where: the sheets of all wirings, from the tables that the code itself goes by.

A board.json is checked (firmware/board.py) and told pin by pin; the button panels are the wirings of panel.py.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from firmware import board
from hardware.panel import BUZZER, FOUR_SEATS, LAMPS, THREE_BUZZER, THREE_LAMPS, THREE_SEATS, Direct, Matrix
from hardware.sheets import NO_BOARD, PI, PICO, Layout, Part, Pin, Sheet, Translate, joints

FOLDER = Path(__file__).parent / "wiring"

CALLED = {
    "mfrc522": {"sck": "SCK", "mosi": "MOSI", "miso": "MISO", "select": "SDA"},
    "pn532": {"sck": "SCK", "mosi": "MOSI", "miso": "MISO", "select": "SS", "sda": "SDA", "scl": "SCL"}
    | {"tx": "RXD", "rx": "TXD"},
}
"""Chip -> what its module prints beside the pin that a wire of board.json goes to."""
POWER = {
    ("mfrc522", "spi"): {"RST": "3V3", "3.3V": "3V3", "GND": "GND"},
    ("pn532", "spi"): {"VCC": "VBUS", "GND": "GND"},  # its SPI pins have 3.3 V, whatever VCC has
    ("pn532", "i2c"): {"VCC": "3V3", "GND": "GND"},  # these are as high as VCC, and a Pico bears 3.3 V
    ("pn532", "uart"): {"VCC": "3V3", "GND": "GND"},
}
"""Chip and bus -> pin of the module -> that of the Pico; plus and ground are the last two."""
SWITCHES = {"uart": ("HSU", "1 OFF, 2 OFF"), "i2c": ("I2C", "1 ON, 2 OFF"), "spi": ("SPI", "1 OFF, 2 ON")}
"""Of the common red PN532 module, V3: what the way is called there, and its two switches."""
TITLES = {"mfrc522": "RC522", "pn532": "PN532"}
ADAPTER = {"TX": "RXD", "RX": "TXD", "5V": "VCC", "GND": "GND"}
"""Pin of a USB serial adapter -> that of a PN532."""
LAMP_PLUS, LAMP_MINUS = "lamps +", "lamps -"
"""The wires of the lamps' own supply."""


def by_name(_: Translate = str) -> dict[str, Sheet]:
    """All wirings of the folder wiring/."""
    made = {}
    for path in sorted(FOLDER.glob("*.json")):
        made[path.stem] = of_plan(json.loads(path.read_text(encoding="utf-8")), _)
    made["pi-matrix"] = _of_matrix(FOUR_SEATS, _)
    made["pi-direct"] = _of_direct(THREE_SEATS, _)
    made["pi-lamps"] = _of_lamps(_)
    made["one-pn532-usb"] = _of_adapter(_)
    return made


def picture(name: str, lang: str) -> Path:
    """Where a picture lies in that language, else in English."""
    path = FOLDER / lang / f"{name}.svg"
    return path if path.exists() else FOLDER / f"{name}.svg"


# --- boards with readers --------------------------------------------------------------------------------------------


def of_plan(plan: Any, _: Translate = str) -> Sheet:
    """A board.json. Raises board.BadBoard where it cannot be."""
    plan = board.check(plan)
    lamps = _chained_lamps(plan["readers"], _)
    buses = {(reader["chip"], reader["bus"][:-1]) for reader in plan["readers"]}
    notes = [
        joints(_),
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
    if lamps:
        notes.append(
            _(
                "The lamps are one chain: data goes in at DIN, out at DOUT and on to the next. Their 5 V come from "
                "their own supply alone, never from the board; its minus and the board's GND are joined."
            )
        )
    parts = _parts(plan, _)
    return Sheet(_title(plan, _), PICO, parts, notes, supply=_supply(_) if lamps else None, lamps=lamps)


def _title(plan: Any, _: Translate) -> str:
    chips = " + ".join(sorted({TITLES[reader["chip"]] for reader in plan["readers"]}))
    number = len(plan["readers"])
    titles = (
        _("Buttons on a Raspberry Pi Pico"), _("One {chips} reader on a Raspberry Pi Pico"),
        _("Two {chips} readers on a Raspberry Pi Pico"), _("Three {chips} readers on a Raspberry Pi Pico"),
        _("Four {chips} readers on a Raspberry Pi Pico"),
    )  # fmt: skip
    return titles[number].format(chips=chips)


def _parts(plan: Any, _: Translate) -> list[Part]:
    """All that hangs on the board alone."""
    parts = []
    for n, reader in enumerate(plan["readers"]):
        parts.append(_reader(n, reader, _))
        if "buzzer" in reader:
            title = _("Buzzer {n} (passive piezo)").format(n=n)
            parts.append(Part(title, [Pin("+", f"GP{reader['buzzer']}"), Pin("-", "GND")]))
        lamp = reader.get("lamp")
        if lamp is not None and lamp["kind"] != "ws2812":
            pins = [lamp["pin"]] if lamp["kind"] == "plain" else lamp["pins"]
            names = ["+"] if len(pins) == 1 else [_("red"), _("green"), _("blue")]
            wires = [Pin(name, f"GP{pin}", resistor=True) for name, pin in zip(names, pins, strict=True)]
            parts.append(Part(_("Lamp {n}").format(n=n), [*wires, Pin("-", "GND")]))
    for n, panel in enumerate(plan["panels"]):
        buttons = [Pin(_("button {n}").format(n=k), f"GP{pin}") for k, pin in enumerate(panel["pins"], 1)]
        parts.append(Part(_("Panel {n}").format(n=n), [*buttons, Pin(_("all"), "GND")]))
    return parts


def _reader(n: int, reader: Any, _: Translate) -> Part:
    chip, kind = reader["chip"], reader["bus"][:-1]
    title = _("Reader {n}: {chip} on {bus}").format(n=n, chip=TITLES[chip], bus=reader["bus"])
    switches = [_switches(kind, _)] if chip == "pn532" else []
    data = [Pin(CALLED[chip][wire], f"GP{reader[wire]}") for wire in board.WIRES[kind]]
    power = [Pin(own, wire) for own, wire in POWER[chip, kind].items()]
    rest = Pin("IRQ" if chip == "mfrc522" else _("IRQ and all others"), to=_("left open"))
    return Part(title, [*switches, *data, *power, rest], (power[-2], power[-1]))


def _switches(kind: str, _: Translate) -> Pin:
    mode, positions = SWITCHES[kind]
    return Pin(_("switches: {mode}").format(mode=mode), to=positions)


def _chained_lamps(readers: Any, _: Translate) -> list[Part]:
    """WS2812 lamps, one chain after another."""
    chains: dict[int, dict[int, int]] = {}
    for n, reader in enumerate(readers):
        lamp = reader.get("lamp")
        if lamp is not None and lamp["kind"] == "ws2812":
            chains.setdefault(lamp["pin"], {})[lamp["at"]] = n
    return [lamp for pin, chain in chains.items() for lamp in _chain(f"GP{pin}", chain, _)]


def _chain(pin: str, chain: Mapping[int, int], _: Translate) -> list[Part]:
    """Lamps in a row, as {place: reader}: each hands on to the next what is not its own."""
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


def _supply(_: Translate) -> Part:
    """What the chained lamps get their 5 V from."""
    plus = Pin("+", LAMP_PLUS, _("5V of each lamp"))
    minus = Pin("-", LAMP_MINUS, _("GND of each, and of the board"))
    return Part(_("The lamps' own supply: 5 V, 1 A"), [plus, minus], (plus, minus), ("470 µF",))


# --- panels of a Raspberry Pi, and an adapter -----------------------------------------------------------------------


def _of_matrix(wiring: Matrix, _: Translate) -> Sheet:
    """A pin a seat and a pin a button, a diode at each crossing."""
    title = _("{seats} seats of {buttons} buttons on {pins} pins").format(
        seats=len(wiring.rows), buttons=len(wiring.columns), pins=len(wiring.pins())
    )
    rows = [Pin(_("seat {n}: {id}").format(n=n + 1, id=f"gpio/{n}"), f"GPIO{pin}") for n, pin in enumerate(wiring.rows)]
    columns = [Pin(_("button {n}").format(n=n), f"GPIO{pin}") for n, pin in enumerate(wiring.columns, 1)]
    notes = [
        _("At each crossing: from the column through the button, then the diode (1N4148), its ring towards the row."),
        joints(_),
    ]
    return Sheet(title, PI, [Part(_("Rows"), rows), Part(_("Columns"), columns)], notes, Layout.MATRIX)


def _of_direct(wiring: Direct, _: Translate) -> Sheet:
    """One pin a button, the other side of each to ground."""
    title = _("{seats} seats of {buttons} buttons on {pins} pins, no other parts").format(
        seats=len(wiring.seats), buttons=len(wiring.seats[0]), pins=len(wiring.pins())
    )
    parts = []
    for n, seat in enumerate(wiring.seats):
        buttons = [Pin(_("button {n}").format(n=k), f"GPIO{pin}") for k, pin in enumerate(seat, 1)]
        name = _("Seat {n}: {id}").format(n=n + 1, id=f"gpio/{n}")
        parts.append(Part(name, [*buttons, Pin(_("all"), "GND")]))
    notes = [
        _("Each button between its pin and ground; the Pi's own pull-ups do the rest."),
        joints(_),
        _("SPI (7 to 11) and the serial console (14, 15) have to be switched off: sudo raspi-config."),
    ]
    return Sheet(title, PI, parts, notes)


def _of_lamps(_: Translate) -> Sheet:
    """Plain lamps and a buzzer, beside the matrix."""
    parts = [
        Part(_("Lamp of seat {n} (LED)").format(n=n), [Pin("+", f"GPIO{pin}", resistor=True), Pin("-", "GND")])
        for n, pin in enumerate(LAMPS, 1)
    ]
    parts.append(Part(_("Buzzer (passive piezo)"), [Pin("+", f"GPIO{BUZZER}"), Pin("-", "GND")]))
    notes = [
        _("Plain 3 mm or 5 mm LEDs, the long leg (+) to the resistor. More than 10 mA a lamp needs a transistor."),
        joints(_),
        _(
            "This fits the matrix. With direct wiring GPIO23 to GPIO25 are buttons: put the lamps of its three "
            "seats on GPIO {lamps} and the buzzer on GPIO {buzzer}, switch 1-Wire and I2C off, and write "
            "lamps = [{lamps}] and buzzer = {buzzer} into config.toml."
        ).format(lamps=",\u00a0".join(map(str, THREE_LAMPS)), buzzer=THREE_BUZZER),
    ]
    return Sheet(_("Lamps and a buzzer for the matrix of four seats"), PI, parts, notes)


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
        joints(_),
        _near(_),
        _table(_),
        _(
            "With VCC on 5 V the red module's TXD has 5 V, too. FT232R and CP2102 adapters bear that. If yours does "
            "not, put VCC on its 3.3 V pin, which must give 150 mA."
        ),
    ]
    title = _("One PN532 on a USB serial adapter, no board")
    return Sheet(title, NO_BOARD, [adapter, module], notes, Layout.ADAPTER)


# --- notes ----------------------------------------------------------------------------------------------------------


def _near(_: Translate) -> str:
    return _("10 µF and 100 nF beside each module, as near to its pins as you can.")


def _table(_: Translate) -> str:
    return _("Switches as on the common red PN532 module (V3); on another, go by the table that is printed on it.")
