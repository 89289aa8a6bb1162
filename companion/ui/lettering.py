"""How large a text may be, how high it stands, and its letters in a texture: measured without drawing, drawn once.

Sizes are pixels of the screen here.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Any, NamedTuple

from kivy.core.text import Label

from companion.ui import words
from companion.ui.fonts import font_for
from companion.ui.pen import Pen
from companion.ui.theme import Rgba

TINIEST = 9
"""Rather tiny than cut, where a text is longer than any that we have tried."""
ENDLESS = 1e9
"""The height of a text with a word that is wider than its box."""
KEPT = 8_000_000
"""Bytes of textures that are kept for when the same words come back."""


@lru_cache(maxsize=256)
def _extents(font: str, bold: bool, px: float) -> Callable[[str], tuple[int, int]]:
    """Measures words of a font; each word once, as the same few come again and again."""
    extents: Callable[[str], tuple[int, int]] = Label(font_name=font, bold=bold, font_size=px).get_extents
    return lru_cache(maxsize=1024)(extents)


class _Letters(Label):
    """Kivy's own, but for measuring."""

    def get_cached_extents(self) -> Callable[[str], tuple[int, int]]:
        """What breaks lines."""
        return _extents(self.options["font_name"], self.options["bold"], self.options["font_size"])

    def get_extents(self, text: str) -> tuple[int, int]:
        return self.get_cached_extents()(text)


def largest(fits: Callable[[float], bool], px: float) -> float:
    """The largest size up to `px` that fits; the tiniest where none does."""
    if fits(px):
        return px
    low, high = TINIEST, int(px) - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low


def width_of(text: str, font: str, bold: bool, px: float) -> float:
    """How wide it is in one line."""
    font, text = font_for(text, font)
    return _extents(font, bold, px)(text)[0]


@lru_cache(maxsize=4096)
def height_in(text: str, font: str, bold: bool, px: float, width: float, line: float) -> float:
    """How high a text stands in that width; more than any box where a word is wider than the width."""
    font, text = font_for(text, font)
    extents = _extents(font, bold, px)
    if any(extents(word)[0] > width for word in text.split()):
        return ENDLESS
    # the first pass only measures: drawing is what costs
    label = _Letters(text=text, font_name=font, bold=bold, font_size=px, text_size=(width, None), line_height=line)
    return float(label.render()[1])


class Letters(NamedTuple):
    """A text in white, to be tinted. height: of its lines; that of the texture is rounded down."""

    texture: Any
    height: float

    @property
    def bytes(self) -> int:
        """Memory that it takes."""
        return int(self.texture.width * self.texture.height * 4)


class _Kept:
    """The texts that were drawn last."""

    def __init__(self) -> None:
        self._found: OrderedDict[Hashable, Letters] = OrderedDict()
        self._bytes = 0

    def get(self, key: Hashable, make: Callable[[], Letters]) -> Letters:
        """The text of that key, made where it is not there."""
        letters = self._found.pop(key, None)
        if letters is None:
            letters = make()
            self._bytes += letters.bytes
        self._found[key] = letters
        while self._bytes > KEPT and len(self._found) > 1:
            self._bytes -= self._found.popitem(last=False)[1].bytes
        return letters


_kept = _Kept()


def letters_of(
    text: str, font: str, bold: bool, px: float, width: float | None = None, align: str = "left", line: float = 1.0
) -> Letters:
    """Draw a text. width: where its lines break."""

    font, text = font_for(text, font)

    def make() -> Letters:
        label = _Letters(text=text, font_name=font, bold=bold, font_size=px, text_size=(width, None), halign=align,
                         line_height=line)  # fmt: skip
        label.refresh()
        # fill it now: while the frame is drawn, each filling would make all that was drawn so far wait
        label.texture.bind()
        # its copy of the pixels
        label._surface = None
        return Letters(label.texture, label._internal_size[1])

    return _kept.get((text, font, bold, px, width, align, line), make)


class Fitted:
    """A text made to fit a room: what to draw, and whether it fits."""

    def __init__(self, texture: Any, fits: bool) -> None:
        self.texture = texture
        self.fits = fits
        self.width: float = texture.width if texture else 0
        self.height: float = texture.height if texture else 0

    def draw(self, pen: Pen, x: float, y: float, colour: Rgba) -> None:
        """Draw it with its lower left corner there."""
        if self.texture:
            pen.stamp(self.texture, x, y, colour)


def fit(text: str, px: float, least: float, room: float, space: float, bold: bool, align: str) -> Fitted:
    """A text for a room, shrinking from `px`; it fits down to `least`."""
    if not text:
        return Fitted(None, True)
    px = largest(lambda px: height_in(text, words.BODY, bold, px, room, 1.0) <= space, px)
    one = width_of(text, words.BODY, bold, px) < room
    return Fitted(letters_of(text, words.BODY, bold, px, None if one else room, align).texture, px >= least)
