"""board.json: what is wired to a board. Checked here; the pictures of the wiring are drawn from the same tables.

    {"mcu": "rp2040",
     "readers": [{"chip": "mfrc522", "bus": "spi0", "sck": 18, "mosi": 19, "miso": 16, "select": 17,
                  "lamp": {"kind": "ws2812", "pin": 22, "at": 0}, "buzzer": 15}],
     "panels": [{"pins": [0, 1, 2, 3, 4, 5, 6]}]}

A lamp is `{"kind": "plain", "pin": 9}`, `{"kind": "rgb", "pins": [9, 10, 11]}` or
`{"kind": "ws2812", "pin": 22, "at": 0}` (at: its place in the chain).
A PN532 hangs on `spi0`, `spi1`, `i2c0`, `i2c1` (sda, scl), `uart0` or `uart1` (tx, rx).
"""

MOST_READERS = 4
MOST_BUTTONS = 7  # of a panel
MOST_PANELS = 4
CHIPS = {"mfrc522": ("spi",), "pn532": ("spi", "i2c", "uart")}
WIRES = {"spi": ("sck", "mosi", "miso", "select"), "i2c": ("sda", "scl"), "uart": ("tx", "rx")}
SHARED = ("sck", "mosi", "miso")  # of several chips on one SPI bus
LAMPS = {"plain": ("pin",), "rgb": ("pins",), "ws2812": ("pin", "at")}

# which pins each block of an RP2040 can use (data sheet, 1.4.3); other chips are not checked
RP2040 = {
    "spi0": {"miso": (0, 4, 16, 20), "sck": (2, 6, 18, 22), "mosi": (3, 7, 19)},
    "spi1": {"miso": (8, 12, 28), "sck": (10, 14, 26), "mosi": (11, 15, 27)},
    "i2c0": {"sda": (0, 4, 8, 12, 16, 20, 28), "scl": (1, 5, 9, 13, 17, 21)},
    "i2c1": {"sda": (2, 6, 10, 14, 18, 22, 26), "scl": (3, 7, 11, 15, 19, 27)},
    "uart0": {"tx": (0, 12, 16, 28), "rx": (1, 13, 17)},
    "uart1": {"tx": (4, 8, 20), "rx": (5, 9, 21)},
}
PICO_PINS = tuple(range(23)) + (26, 27, 28)  # what a Pico brings out


class BadBoard(ValueError):
    """board.json asks for what cannot be; the text says where and why."""


def check(plan):
    """The plan, with `readers`, `panels` and `mcu` filled in. Raises BadBoard."""
    _keys("the plan", plan, (), ("mcu", "readers", "panels"))
    plan = {"mcu": plan.get("mcu", "rp2040"), "readers": plan.get("readers", []), "panels": plan.get("panels", [])}
    if not isinstance(plan["mcu"], str):
        raise BadBoard('mcu must be a word, as "rp2040"')
    for name, most in (("readers", MOST_READERS), ("panels", MOST_PANELS)):
        if not isinstance(plan[name], list):
            raise BadBoard("%s must be a list" % name)
        if len(plan[name]) > most:
            raise BadBoard("%s: a board has at most %d, here are %d" % (name, most, len(plan[name])))
    pins = _Pins(plan["mcu"])
    alone = {}  # I2C and UART blocks with their reader
    for n, reader in enumerate(plan["readers"]):
        _reader("reader %d" % n, reader, pins, alone)
    for n, panel in enumerate(plan["panels"]):
        where = "panel %d" % n
        _keys(where, panel, ("pins",), ())
        if not isinstance(panel["pins"], list) or not 1 <= len(panel["pins"]) <= MOST_BUTTONS:
            raise BadBoard("%s: pins must be a list of one to %d" % (where, MOST_BUTTONS))
        for pin in panel["pins"]:
            pins.take(where, pin)
    return plan


def _keys(where, data, needed, more):
    if not isinstance(data, dict):
        raise BadBoard("%s must be an object in braces" % where)
    for key in needed:
        if key not in data:
            raise BadBoard('%s: "%s" is missing' % (where, key))
    for key in data:
        if key not in needed and key not in more:
            known = ", ".join(tuple(needed) + tuple(more))
            raise BadBoard('%s: there is no "%s" here; it takes %s' % (where, key, known))


def _reader(where, reader, pins, alone):
    _keys(where, reader, ("chip", "bus"), ("sck", "mosi", "miso", "select", "sda", "scl", "tx", "rx", "lamp", "buzzer"))
    chip, bus = reader["chip"], reader["bus"]
    if not isinstance(chip, str) or chip not in CHIPS:
        raise BadBoard('%s: there is no chip "%s"; chips are %s' % (where, chip, ", ".join(sorted(CHIPS))))
    kind = bus[:-1] if isinstance(bus, str) else None
    if kind not in CHIPS[chip] or bus not in RP2040:
        fits = ", ".join([b for b in sorted(RP2040) if b[:-1] in CHIPS[chip]])
        raise BadBoard('%s: a %s cannot be on "%s"; it can be on %s' % (where, chip, bus, fits))
    if kind != "spi":
        if bus in alone:
            why = "the address of a PN532 is fixed" if kind == "i2c" else "a line has two ends"
            raise BadBoard("%s: %s has a reader already (%s): %s" % (where, bus, alone[bus], why))
        alone[bus] = where
    _keys(where, reader, ("chip", "bus") + WIRES[kind], ("lamp", "buzzer"))
    for wire in WIRES[kind]:
        able = RP2040[bus].get(wire)
        if pins.known and able and reader[wire] not in able:
            raise BadBoard("%s: %s of %s can be GP%s" % (where, wire, bus, ", GP".join([str(pin) for pin in able])))
        pins.take(where, reader[wire], bus + " " + wire if wire in SHARED else None)
        if wire in SHARED:
            pins.wire(where, bus, wire, reader[wire])
    if "lamp" in reader:
        _lamp(where + ", lamp", reader["lamp"], pins)
    if "buzzer" in reader:
        pins.take(where + ", buzzer", reader["buzzer"])
        pins.pulse(where + ", buzzer", reader["buzzer"], True)


def _lamp(where, lamp, pins):
    kind = lamp.get("kind") if isinstance(lamp, dict) else None
    if not isinstance(kind, str) or kind not in LAMPS:
        raise BadBoard("%s: kind must be one of %s" % (where, ", ".join(sorted(LAMPS))))
    _keys(where, lamp, ("kind",) + LAMPS[kind], ())
    if kind == "rgb":
        if not isinstance(lamp["pins"], list) or len(lamp["pins"]) != 3:
            raise BadBoard("%s: pins must be three: red, green, blue" % where)
        for pin in lamp["pins"]:
            pins.take(where, pin)
            pins.pulse(where, pin)
    elif kind == "plain":
        pins.take(where, lamp["pin"])
        pins.pulse(where, lamp["pin"])
    else:
        if not (_is_number(lamp["at"]) and 0 <= lamp["at"] < MOST_READERS):
            raise BadBoard("%s: at must be a number from 0 to %d" % (where, MOST_READERS - 1))
        pins.take(where, lamp["pin"], "ws2812")
        pins.light(where, lamp["pin"], lamp["at"])


def _is_number(value):
    return isinstance(value, int) and not isinstance(value, bool)


class _Pins:
    """Who uses which pin."""

    def __init__(self, mcu):
        self.known = mcu == "rp2040"
        self._users = {}
        self._wires = {}  # (bus, wire) -> its pin, whose
        self._places = {}  # (pin, at) of WS2812 lamps
        self._pulses = []  # (slice, channel, whether it changes its frequency, whose)

    def take(self, where, pin, shared=None):
        """Use a pin; a shared wire may be used again for the same."""
        if not _is_number(pin) or pin < 0 or (self.known and pin not in PICO_PINS):
            raise BadBoard("%s: %s is no pin of this board" % (where, pin))
        user = self._users.get(pin)
        if user is not None and (shared is None or user[1] != shared):
            raise BadBoard("%s: GP%s is in use already (%s)" % (where, pin, user[0]))
        if user is None:
            self._users[pin] = (where, shared)

    def wire(self, where, bus, wire, pin):
        """A wire that all chips on a bus share."""
        first, whose = self._wires.setdefault((bus, wire), (pin, where))
        if first != pin:
            raise BadBoard("%s: %s of %s is on GP%d already (%s)" % (where, wire, bus, first, whose))

    def light(self, where, pin, at):
        """One lamp of a chain."""
        if (pin, at) in self._places:
            raise BadBoard("%s: place %d on GP%d is in use already (%s)" % (where, at, pin, self._places[pin, at]))
        self._places[pin, at] = where

    def pulse(self, where, pin, buzzes=False):
        """A dimmed lamp or a buzzer. Pins 16 apart are one PWM output, neighbours (2n, 2n + 1) have one frequency."""
        if not self.known:
            return
        part, channel = pin >> 1 & 7, pin & 1
        for its_part, its_channel, its_buzzes, whose in self._pulses:
            if part == its_part and (channel == its_channel or buzzes or its_buzzes):
                raise BadBoard("%s: GP%d shares a PWM block with %s; choose another pin" % (where, pin, whose))
        self._pulses.append((part, channel, buzzes, "GP%d (%s)" % (pin, where)))
