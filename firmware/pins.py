"""A checked board.json -> chips, lamps, buzzers and buttons on the pins of `machine`."""

from lamp import Buzzer, Lamp
from mfrc522 import MFRC522
from pn532 import PN532
from ports import Pn532I2c, Pn532Spi, Pn532Uart, Spi

SPI_HERTZ = 2_000_000  # the chips take 10 and 5 MHz; cables on a table take less
I2C_HERTZ = 100_000
I2C_TIMEOUT = 7_000  # us a transfer, which takes 4,500; a bus whose line is held down does not hold up the others


class Place:
    """What stands before a seat: a chip, and perhaps a lamp and a buzzer."""

    def __init__(self, chip, lamp=None, buzzer=None):
        self.chip = chip
        self.lamp = lamp
        self.buzzer = buzzer


class Buttons:
    """Buttons that close their pin to ground."""

    def __init__(self, pins):
        self._pins = pins
        self.buttons = len(pins)

    def down(self):
        """Bit 0 is the first button."""
        levels = 0
        for n, pin in enumerate(self._pins):
            if not pin():
                levels |= 1 << n
        return levels


class _Chain:
    """WS2812 lamps on one pin; written together."""

    def __init__(self, pixels):
        self._pixels = pixels

    def put(self, at):
        """The `put` of the lamp at that place."""

        def put(red, green, blue):
            self._pixels[at] = (red // 4, green // 4, blue // 4)  # at a table in the evening they are bright enough
            self._pixels.write()

        return put


class Builder:
    """Makes each bus once. `machine`, `neopixel`: the modules of those names."""

    def __init__(self, machine, neopixel):
        self._machine = machine
        self._neopixel = neopixel
        self._buses = {}
        self._chains = {}

    def places(self, plan):
        """One Place for each reader."""
        made = []
        for reader in plan["readers"]:
            buzzer = Buzzer(self._tone(reader["buzzer"])) if "buzzer" in reader else None
            lamp = Lamp(self._light(reader["lamp"])) if "lamp" in reader else None
            made.append(Place(self._chip(reader), lamp, buzzer))
        return made

    def panels(self, plan):
        """One Buttons for each panel."""
        pin = self._machine.Pin
        return [Buttons([pin(n, pin.IN, pin.PULL_UP) for n in panel["pins"]]) for panel in plan["panels"]]

    def _chip(self, reader):
        bus, kind, block = reader["bus"], reader["bus"][:-1], int(reader["bus"][-1])
        machine = self._machine
        if kind == "i2c":
            wires = {wire: machine.Pin(reader[wire]) for wire in ("sda", "scl")}
            return PN532(Pn532I2c(machine.I2C(block, freq=I2C_HERTZ, timeout=I2C_TIMEOUT, **wires)))
        if kind == "uart":
            uart = machine.UART(block, 115200, tx=machine.Pin(reader["tx"]), rx=machine.Pin(reader["rx"]), rxbuf=256)
            return PN532(Pn532Uart(uart))
        if bus not in self._buses:
            wires = {wire: machine.Pin(reader[wire]) for wire in ("sck", "mosi", "miso")}
            self._buses[bus] = machine.SPI(block, baudrate=SPI_HERTZ, polarity=0, phase=0, **wires)
        port = Spi(self._buses[bus], machine.Pin(reader["select"], machine.Pin.OUT, value=1))
        return MFRC522(port) if reader["chip"] == "mfrc522" else PN532(Pn532Spi(port))

    def _light(self, lamp):
        if lamp["kind"] == "ws2812":
            pin = lamp["pin"]
            if pin not in self._chains:
                self._chains[pin] = _Chain(self._neopixel.NeoPixel(self._machine.Pin(pin), 4))
            return self._chains[pin].put(lamp["at"])
        pins = lamp["pins"] if lamp["kind"] == "rgb" else [lamp["pin"]]
        duties = [self._pwm(pin, 1000) for pin in pins]
        if len(duties) == 3:
            return lambda *colour: [duty.duty_u16(part * 257) for duty, part in zip(duties, colour)]
        return lambda *colour: duties[0].duty_u16(max(colour) * 257)

    def _tone(self, pin):
        buzzer = self._pwm(pin, 1000)

        def tone(hertz):
            if hertz:
                buzzer.freq(hertz)
            buzzer.duty_u16(0x8000 if hertz else 0)

        return tone

    def _pwm(self, pin, hertz):
        pwm = self._machine.PWM(self._machine.Pin(pin))
        pwm.freq(hertz)
        pwm.duty_u16(0)
        return pwm
