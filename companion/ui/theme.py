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
TEXT_SIZES = {"normal": 1.0, "large": 1.17, "huge": 1.36}
"""Setting -> how much larger letters are."""
LEAST = {"normal": 13, "large": 16, "huge": 20}
"""Setting -> no word is smaller than this, whatever its box asks for. Huge ends where the normal ones begin."""


@cache
def themes() -> Mapping[str, Mapping[str, str]]:
    """All themes: token -> `#RRGGBB`."""
    data: Mapping[str, Mapping[str, str]] = json.loads(resources.path("kv", "tokens.json").read_text(encoding="utf-8"))
    return data


class Look:
    """How the screens are drawn at the moment. One for the whole process, as there is one window.

    facing: by how many degrees the picture is turned clockwise on the glass; width, height: of the turned picture;
    factor: everything grows on larger screens, but not without end.
    """

    size = (0, 0)

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """As it is before anybody has set anything."""
        self.theme = "dark"
        self.text = "normal"
        self.still = False
        self.facing = 0
        self.resize(800, 480)

    @property
    def wide(self) -> bool:
        """Two columns; else one."""
        return self.width > self.height

    @property
    def bold(self) -> bool:
        """High contrast: thick outlines, no shadows, nothing paled."""
        return self.theme == "contrast"

    @property
    def tight(self) -> bool:
        """Large letters on a small screen: only what is needed has room."""
        return self.scale > 1 and min(self.width, self.height) < 600

    @property
    def scale(self) -> float:
        """How much larger letters are than the normal ones."""
        return TEXT_SIZES[self.text]

    def resize(self, width: float, height: float) -> bool:
        """Take the size of the (turned) window; whether the screens have to be built anew."""
        before, self.size = self.size, (int(width), int(height))
        self.width, self.height = self.size
        # kept, as a screen asks for a thousand lengths
        self.factor = min(max(min(self.size) / DESIGN, 1.0), 1.35)
        return before != self.size

    def use(self, settings: Mapping[str, Any]) -> bool:
        """Take the players' settings; whether the screens have to be built anew."""
        before = (self.theme, self.text, self.still)
        if settings.get("theme") in themes():
            self.theme = settings["theme"]
        if settings.get("text") in TEXT_SIZES:
            self.text = settings["text"]
        self.still = bool(settings.get("still", self.still))
        return before != (self.theme, self.text, self.still)


look = Look()


def u(px: float) -> float:
    """A length of the design on this screen."""
    return round(px * look.factor)


def t(px: float) -> float:
    """A height of letters, or of what holds only letters, on this screen: grows with the text size, too."""
    return round(px * look.factor * look.scale)


def least(px: float) -> float:
    """How small letters may get that may shrink to `px` at the normal text size.

    This grows half as much as the letters themselves: where room is short, large words give a little before they leave.
    """
    return max(u(px * (1 + look.scale) / 2), u(LEAST[look.text]))


def outline() -> float:
    """How thick the line around a thing is."""
    return u(3 if look.bold else 2)


def shadow(alpha: float) -> Rgba:
    """Black to lay under a thing; high contrast has no shadows."""
    return 0, 0, 0, 0 if look.bold else alpha


def pale(alpha: float) -> float:
    """How much of a picture is seen that waits or matters less; in high contrast never less than all but a little."""
    return max(alpha, 0.8) if look.bold else alpha


@cache
def _rgb(theme: str, token: str) -> tuple[float, float, float]:
    value = themes()[theme][token]
    return int(value[1:3], 16) / 255, int(value[3:5], 16) / 255, int(value[5:7], 16) / 255


def c(token: str, alpha: float = 1.0) -> Rgba:
    """A colour of the theme."""
    return *_rgb(look.theme, token), alpha


@cache
def _atlas(name: str, size: int) -> tuple[Any, Mapping[str, tuple[int, int]]]:
    from kivy.core.image import Image

    picture = Image(str(resources.path("art", f"{name}-{size}.png")), keep_data=False, nocache=True)
    places = json.loads(resources.path("art", f"{name}-{size}.json").read_text(encoding="utf-8"))
    return picture.texture, places


@cache
def _region(atlas: str, size: int, name: str) -> Any:
    texture, places = _atlas(atlas, size)
    x, y = places[name]
    # places count from the top, textures from the bottom
    return texture.get_region(x, texture.height - y - size, size, size)


def picture(name: str, px: float) -> Any:
    """The texture of a drawing for that size on screen."""
    size = next((s for s in SIZES if s >= px * 0.98), SIZES[-1])
    # only the seats' own drawings differ from theme to theme
    return _region(look.theme if name.startswith(("seat_", "hero_")) else "all", size, name)


def contrast(a: str, b: str) -> float:
    """The WCAG 2 ratio of two colours `#RRGGBB`."""
    high, low = sorted((_luminance(a), _luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(value: str) -> float:
    parts = (int(value[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
