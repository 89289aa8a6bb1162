"""`machine` of a Pico without a Pico: pins, PWM, buses, watchdog and reset, under both Pythons.

What hangs on a bus stands in `chips`: "spi0/17" (the select pin), "i2c0", "uart1" -> an object with swap(bytes) (SPI),
writeto/readfrom (I2C), or send/fetch (UART). A program that has no test around it finds them in the file `chips.json`
of its folder ("spi0/17": "mfrc522"), and their tags, hex UIDs, in the files `tag-spi0-17` and so on.
"""

import json
import os

from fakechips import Field, chip_port
from ports import turned

chips = {}
levels = {}  # pin -> what somebody outside holds it at, 0 or 1
fed = [0]  # how often the watchdog was fed
IDENTITY = b"\xfa\x4e\x00\x00\x00\x00\xb0\xa2"


class Pin:
    IN, OUT, PULL_UP = "in", "out", "up"
    out = {}  # pin -> what it drives

    def __init__(self, number, mode=None, pull=None, value=None):
        self.number = number
        self.mode = mode
        self.pull = pull
        if value is not None:
            Pin.out[number] = value

    def __call__(self, value=None):
        if value is None:
            return levels.get(self.number, 1 if self.pull == Pin.PULL_UP else 0)
        assert self.mode == Pin.OUT, "a pin that is no output"
        Pin.out[self.number] = value
        return None


class PWM:
    made = {}  # pin -> its PWM

    def __init__(self, pin):
        self.hertz = self.duty = None
        PWM.made[pin.number] = self

    def freq(self, hertz):
        self.hertz = hertz

    def duty_u16(self, duty):
        assert 0 <= duty <= 0xFFFF
        self.duty = duty


class SPI:
    def __init__(self, block, baudrate, polarity, phase, sck, mosi, miso):
        assert (polarity, phase) == (0, 0) and baudrate <= 5_000_000
        self.name = "spi%d" % block
        self._baudrate = baudrate

    def write_readinto(self, data, into):
        assert len(data) == len(into)
        chosen = [
            chip
            for name, chip in chips.items()
            if name.startswith(self.name + "/") and Pin.out.get(int(name.split("/")[1])) == 0
        ]
        assert len(chosen) <= 1, "two chips are selected at once"
        if chosen and hasattr(chosen[0], "selected"):
            chosen[0].selected(len(data) * 8 / self._baudrate)
        into[:] = chosen[0].swap(bytes(data)) if chosen else bytes(len(data))


class I2C:
    def __init__(self, block, sda, scl, freq, timeout):
        assert freq <= 400_000 and timeout <= 7_000
        self.name = "i2c%d" % block

    def _chip(self, address):
        chip = chips.get(self.name)
        if chip is None or address != 0x24:
            raise OSError(5)
        return chip

    def writeto(self, address, data):
        self._chip(address).writeto(bytes(data))

    def readfrom(self, address, length):
        return self._chip(address).readfrom(length)


class UART:
    def __init__(self, block, baudrate, tx, rx, rxbuf):
        assert baudrate == 115200
        self._chip = chips.get("uart%d" % block)
        self._in = b""

    def write(self, data):
        if self._chip:
            self._chip.send(bytes(data))
        return len(data)

    def any(self):
        if self._chip and not self._in:
            self._in = self._chip.fetch()
        return len(self._in)

    def read(self):
        data, self._in = self._in, b""
        return data or None


class Pn532OnSpi:
    """A fake PN532 as SPI sees it (UM0701-02, 6.2.5): lowest bit first; write, status, read.

    It sleeps until it has been selected for 2 ms at a stretch.
    """

    def __init__(self, chip):
        self._chip = chip
        self._frames = Frames(chip)
        self._asleep = True
        self._wakes = False

    def selected(self, seconds):
        self._asleep = self._asleep and not self._wakes
        self._wakes = seconds >= 0.002

    def swap(self, data):
        if self._asleep:
            return bytes(len(data))
        data = turned(data)
        if data[0] == 1:
            self._chip.send(data[1:])
            return bytes(len(data))
        if data[0] == 2:
            return turned(b"\0" + bytes((self._frames.ready(),)) * (len(data) - 1))
        assert data[0] == 3, "no such direction"
        return turned(b"\0" + self._frames.take(len(data) - 1))


class Pn532OnI2c:
    """A fake PN532 as I2C sees it (6.2.4): each read begins with a byte that says whether there is anything."""

    def __init__(self, chip):
        self._chip = chip
        self._frames = Frames(chip)

    def writeto(self, data):
        self._chip.send(data)

    def readfrom(self, length):
        if not self._frames.ready() or length == 1:
            return bytes((self._frames.ready(),)) * length
        return b"\x01" + self._frames.take(length - 1)


class Pn532OnUart:
    """A fake PN532 as a UART sees it (6.2.3): it sleeps until it is called with a long preamble."""

    ROUSE = b"\x55\x55" + bytes(14)

    def __init__(self, chip):
        self._chip = chip
        self._asleep = True
        self.fetch = chip.fetch

    def send(self, data):
        if data.startswith(self.ROUSE):
            self._asleep = False
            data = data[len(self.ROUSE) :]
        if not self._asleep:
            self._chip.send(data)


class Frames:
    """What a fake PN532 says on its UART, frame by frame, as on the other buses: one read takes one frame."""

    def __init__(self, chip):
        self._chip = chip
        self._said = b""

    def ready(self):
        piece = self._chip.fetch()
        while piece:
            self._said += piece
            piece = self._chip.fetch()
        return 1 if self._said else 0

    def take(self, length):
        end = 6 if self._said[3:5] == b"\x00\xff" else self._said[3] + 7  # an ACK, or a frame with its length
        frame, self._said = self._said[:end], self._said[end:]
        return frame[:length] + bytes(max(0, length - len(frame)))


def pn532_on(bus, chip):
    """A fake PN532 behind that bus."""
    return {"spi": Pn532OnSpi, "i2c": Pn532OnI2c, "uart": Pn532OnUart}[bus](chip)


class WDT:
    made = []  # their timeouts

    def __init__(self, timeout):
        assert timeout <= 8388  # what an RP2040 can count
        WDT.made.append(timeout)

    def feed(self):
        fed[0] += 1


def unique_id():
    return IDENTITY


def reset():
    """This process is the board: it ends as one whose reset line is pulled."""
    os.system("kill -9 $PPID")


class FileField(Field):
    """A field whose tags stand in a file."""

    def __init__(self, name):
        self._file = "tag-" + name.replace("/", "-")
        super().__init__()

    def present(self, tries=1):
        try:
            with open(self._file) as file:
                self.tags = [bytes.fromhex(uid) for uid in file.read().split()]
        except OSError:
            self.tags = []
        return super().present(tries)


def _hang_up():
    try:
        with open("chips.json") as file:
            names = json.load(file)
    except OSError:
        return
    for name, kind in names.items():
        chip = chip_port(kind, FileField(name))
        chips[name] = pn532_on(name[:3] if name[:3] != "uar" else "uart", chip) if kind == "pn532" else chip


_hang_up()
