"""Colours, sizes and pictures of the screens. Knows no widget; everything is looked up when a screen is built.

Language, theme, text size and window size are all changed in the same way: the app builds its screens anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from companion import resources

Rgba = tuple[float, float, float, float]

DESIGN = 480
"""The shorter side of the screen that all sizes are written for."""
SIZES = (32, 48, 64, 96, 128, 192)
"""Of the atlases that kv/art/make_atlas.py draws."""


@cache
def themes() -> Mapping[str, Mapping[str, str]]:
    """All themes: token -> `#RRGGBB`."""
    data: Mapping[str, Mapping[str, str]] = json.loads(resources.path("kv", "tokens.json").read_text(encoding="utf-8"))
    return data


class Look:
    """How the screens are drawn at the moment. One for the whole process, as there is one window."""

    def __init__(self) -> None:
        self.theme = "dark"
        self.width = 800
        self.height = 480

    @property
    def factor(self) -> float:
        """Device factor: everything grows on larger screens, but not without end."""
        return min(max(min(self.width, self.height) / DESIGN, 1.0), 1.35)

    @property
    def wide(self) -> bool:
        """Two columns; else one."""
        return self.width > self.height

    def resize(self, width: float, height: float) -> bool:
        """Take the size of the window; whether the screens have to be built anew."""
        new = (int(width), int(height))
        changed = new != (self.width, self.height)
        self.width, self.height = new
        return changed


look = Look()


def u(px: float) -> float:
    """A length of the design on this screen."""
    return round(px * look.factor)


def c(token: str, alpha: float = 1.0) -> Rgba:
    """A colour of the theme."""
    value = themes()[look.theme][token]
    red, green, blue = (int(value[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue, alpha


@cache
def _atlas(theme: str, size: int) -> tuple[Any, Mapping[str, tuple[int, int]]]:
    from kivy.core.image import Image

    picture = Image(str(resources.path("art", f"{theme}-{size}.png")), keep_data=False, nocache=True)
    places = json.loads(resources.path("art", f"{theme}-{size}.json").read_text(encoding="utf-8"))
    return picture.texture, places


@cache
def _region(theme: str, size: int, name: str) -> Any:
    texture, places = _atlas(theme, size)
    x, y = places[name]
    # places count from the top, textures from the bottom
    return texture.get_region(x, texture.height - y - size, size, size)


def picture(name: str, px: float) -> Any:
    """The texture of a drawing for that size on screen."""
    size = next((s for s in SIZES if s >= px * 0.98), SIZES[-1])
    return _region(look.theme, size, name)


def contrast(a: str, b: str) -> float:
    """The WCAG 2 ratio of two colours `#RRGGBB`."""
    high, low = sorted((_luminance(a), _luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(value: str) -> float:
    parts = (int(value[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
