"""`neopixel` without lamps: what was written last."""

strips = {}  # pin -> its colours


class NeoPixel:
    def __init__(self, pin, count):
        self._pin = pin.number
        self._colours = [(0, 0, 0)] * count

    def __setitem__(self, at, colour):
        assert len(colour) == 3 and all(0 <= part <= 255 for part in colour)
        self._colours[at] = tuple(colour)

    def write(self):
        strips[self._pin] = list(self._colours)
