"""Who holds a pin of the Pi, in the kernel's own words: the line info of its GPIO chips (linux/gpio.h, version 2)."""

from __future__ import annotations

import fcntl
import os
import re
import struct
from collections.abc import Callable
from pathlib import Path

CHIP_INFO, LINE_INFO = 0x8044B401, 0xC100B405  # GPIO_GET_CHIPINFO_IOCTL, GPIO_V2_GET_LINEINFO_IOCTL
CHIP = struct.Struct("=32s32sI")  # gpiochip_info: name, label, lines
LINE = struct.Struct("=32s32sIIQ160s16s")  # gpio_v2_line_info: name, consumer, offset, num_attrs, flags, attrs, padding
USED = 1  # GPIO_V2_LINE_FLAG_USED
HEADER = re.compile(r"pinctrl-(bcm2\d+|rp1)")
"""Labels of the chip whose lines are the pins of the header, by their BCM numbers: Pi 1 to 4, Pi 5."""
SYSTEMS = re.compile(
    r"spi\d|i2c|sda\b|scl\b|onewire|w1\b|.+@[0-9a-f]+$|gpio[-_]|leds?\d?$|(act|pwr)$|(cs|dc|reset)\d?$|ir\b|dht11|sysfs$"
    r"|.*(regulator|backlight|shutdown|poweroff|button|fan)",
    re.IGNORECASE,
)
"""What drivers of the kernel call themselves: the bus ("spi0 CS0"), the node of an overlay ("onewire@4"), the use."""

Ask = Callable[[int, int, bytearray], object]
"""fcntl.ioctl: an open chip, a request, and what is asked, which becomes the answer. Raises OSError."""


def holder(pin: int, dev: Path = Path("/dev"), ask: Ask = fcntl.ioctl) -> str:
    """Who holds that pin (BCM number), as the kernel names it; empty where nobody does, or nobody can say."""
    for path in sorted(dev.glob("gpiochip*")):
        try:
            chip = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            continue
        try:
            if HEADER.match(_label(chip, ask)):
                return _consumer(chip, pin, ask)
        except OSError:
            continue
        finally:
            os.close(chip)
    return ""


def is_systems(holder: str) -> bool:
    """Whether a holder is a driver of the kernel, which no program can be closed for."""
    return bool(SYSTEMS.match(holder))


def _label(chip: int, ask: Ask) -> str:
    info = bytearray(CHIP.size)
    ask(chip, CHIP_INFO, info)
    return _text(CHIP.unpack(info)[1])


def _consumer(chip: int, pin: int, ask: Ask) -> str:
    info = bytearray(LINE.pack(b"", b"", pin, 0, 0, b"", b""))
    ask(chip, LINE_INFO, info)
    _name, consumer, _offset, _attrs, flags, *_ = LINE.unpack(info)
    return _text(consumer) if flags & USED else ""


def _text(field: bytes) -> str:
    """A string of the kernel: up to its NUL, and printable."""
    text = field.split(b"\0")[0].decode("ascii", "replace")
    return "".join(sign if sign.isprintable() else "?" for sign in text)
