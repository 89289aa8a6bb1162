"""The chips' lines on a board: SPI, I2C and UART objects of `machine` as the small ports that the drivers want."""


class Spi:
    """A chip on SPI with its own select pin: swap(bytes) -> bytes."""

    def __init__(self, spi, select):
        self._spi = spi
        self._select = select
        select(1)

    def swap(self, data):
        """Send, and hear what comes back meanwhile."""
        back = bytearray(len(data))
        self._select(0)
        try:
            self._spi.write_readinto(data, back)
        finally:
            self._select(1)
        return back


def turned(data):
    """Every byte from its other end: a PN532 on SPI wants the lowest bit first, which a Pico cannot send."""
    out = bytearray(len(data))
    for i, byte in enumerate(data):
        halves = (byte & 0x0F) << 4 | byte >> 4
        pairs = (halves & 0x33) << 2 | (halves & 0xCC) >> 2
        out[i] = (pairs & 0x55) << 1 | (pairs & 0xAA) >> 1
    return bytes(out)


ROOM = 48  # bytes fetched at once: an answer with two UIDs of ten bytes has 40; what follows a frame is filling
ROUSING = 600  # bytes while a sleeping PN532 is selected: more than 2 ms at 2 MHz, after which it listens


class Pn532Spi:
    """A PN532 on SPI (UM0701-02, 6.2.5)."""

    stream = False
    waits = False

    def __init__(self, port):
        self._port = port

    def wake(self, data):
        """It sleeps after power-on until it has been selected for a while; asking for its status harms nobody."""
        self._port.swap(turned(b"\x02") + bytes(ROUSING))
        self.send(data)

    def send(self, data):
        """A frame."""
        self._port.swap(turned(b"\x01" + data))

    def fetch(self):
        """What it has to say."""
        if not turned(self._port.swap(turned(b"\x02\x00")))[1] & 1:
            return b""
        return turned(self._port.swap(turned(b"\x03" + bytes(ROOM))))[1:]


class Pn532I2c:
    """A PN532 on I2C. Its address is fixed, so there is one on each bus (6.2.4)."""

    stream = False
    waits = True
    ADDRESS = 0x24

    def __init__(self, i2c):
        self._i2c = i2c

    def send(self, data):
        """A frame. A chip that is not there takes none; the missing answer tells."""
        try:
            self._i2c.writeto(self.ADDRESS, data)
        except OSError:
            pass

    wake = send  # its address wakes it

    def fetch(self):
        """What it has to say. One transfer: the byte that says whether it is ready stands before what it says."""
        try:
            said = self._i2c.readfrom(self.ADDRESS, ROOM + 1)
        except OSError:
            return b""
        return bytes(said[1:]) if said[0] & 1 else b""


class Pn532Uart:
    """A PN532 on UART, 115,200 baud (6.2.3)."""

    stream = True
    waits = False
    ROUSE = b"\x55\x55" + bytes(14)

    def __init__(self, uart):
        self._uart = uart

    def wake(self, data):
        """A sleeping one loses what comes first."""
        self.send(self.ROUSE + data)

    def send(self, data):
        """A frame."""
        self._uart.write(data)

    def fetch(self):
        """What it has to say."""
        return self._uart.read() or b"" if self._uart.any() else b""
