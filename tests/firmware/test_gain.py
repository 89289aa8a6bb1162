"""RC522 readers side by side hear each other at the highest gain, and then hear no tag: it is capped."""

import sys
from pathlib import Path

import firmware

sys.path.append(str(Path(firmware.__file__).parent))  # on a board the files lie flat
from fakechips import FakeMFRC522, Field
from mfrc522 import MFRC522, RF_GAIN

HIGHEST = 0x60  # 43 dB; the next, 0x70, is 48 dB


class Watched(FakeMFRC522):
    """Notes what is written to the gain."""

    def __init__(self, field):
        super().__init__(field)
        self.gains = []

    def swap(self, data):
        if data[0] == RF_GAIN << 1:
            self.gains.append(data[1])
        return super().swap(data)


def test_the_gain_is_set_below_the_highest():
    chip = Watched(Field())
    driver = MFRC522(chip)
    for now in range(0, 100, 10):
        driver.look(now)
    assert chip.gains
    assert all(0 < gain < HIGHEST for gain in chip.gains)
