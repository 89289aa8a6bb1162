"""What the installer says, in a TOML file that the program only reads. Players' settings live in the store instead.

Every key is optional. An unknown key or a value out of bounds is an error that names its section.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

ROTATIONS = (0, 90, 180, 270)


class ConfigError(Exception):
    """The file cannot be used; the text says which section, which key, and what would be right."""


@dataclass(frozen=True, slots=True)
class Screen:
    """`[screen]`. rotate: 0, 90, 180, 270; windowed: a window of `width` x `height` instead of the whole screen."""

    rotate: int = 0
    windowed: bool = False
    width: int = 800
    height: int = 480


@dataclass(frozen=True, slots=True)
class Readers:
    """`[readers]`. ports: paths or globs; empty: every USB serial port.

    adapters: paths or globs of USB-UART adapters with a bare PN532, best as /dev/serial/by-id/... or by-path/...
    """

    ports: tuple[str, ...] = ()
    adapters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Panel:
    """`[panel]`, the buttons on the Pi's own pins (BCM numbers).

    wiring: `none`, `direct` (pins: a list of seven for each panel) or `matrix` (rows: one pin a panel; columns: seven);
    lamps: one light a panel, by `lamp`: `led` (a pin, on or off), `pwm` (a pin, dimmed) or `rgb` (three pins);
    buzzer: a pin, -1 for none; buses: `i2c`, `spi`, ... that are in use, beside those that the Pi shows by itself;
    debounce: milliseconds.
    """

    wiring: str = "none"
    pins: tuple[tuple[int, ...], ...] = ()
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()
    lamps: tuple[int | tuple[int, int, int], ...] = ()
    lamp: str = "pwm"
    buzzer: int = -1
    buses: tuple[str, ...] = ()
    debounce: int = 30


@dataclass(frozen=True, slots=True)
class Config:
    """The whole file. seats: device ("<board>/<number>", "gpio/<number>") -> colour, from `[seats]`."""

    screen: Screen = Screen()
    readers: Readers = Readers()
    panel: Panel = Panel()
    seats: Mapping[str, str] = field(default_factory=dict)


def load(path: Path | None) -> Config:
    """The configuration of a file, or the default where there is none. Raises ConfigError."""
    if path is None:
        return Config()
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not TOML: {error}") from error
    return parse(data)


def parse(data: Mapping[str, Any]) -> Config:
    """The configuration of a parsed file. Raises ConfigError."""
    sections = {"screen": Screen, "readers": Readers, "panel": Panel}
    for name in data:
        if name not in sections and name != "seats":
            raise ConfigError(f"there is no section [{name}]; sections are [screen], [readers], [panel] and [seats]")
    made = {name: _section(name, kind, data.get(name, {})) for name, kind in sections.items()}
    config = Config(**made, seats=_seats(data.get("seats", {})))
    _check(config)
    return config


def _section(name: str, kind: type, data: Any) -> Any:
    if not isinstance(data, dict):
        raise ConfigError(f"[{name}] must be a section")
    known = {f.name: f for f in fields(kind)}
    for key, value in data.items():
        if key not in known:
            raise ConfigError(f"[{name}] has no key {key!r}; its keys are {', '.join(known)}")
        want = type(known[key].default)
        got = list if want is tuple else want
        if not isinstance(value, got) or (want is int and isinstance(value, bool)):
            raise ConfigError(f"[{name}] {key} must be a {got.__name__}")
        if isinstance(value, list) and not _items_fit(name, key, value):
            raise ConfigError(f"[{name}] {key} must be a list of {_ITEMS[name, key]}")
    return kind(**{key: _frozen(value) for key, value in data.items()})


_ITEMS = {
    ("readers", "ports"): "paths",
    ("readers", "adapters"): "paths",
    ("panel", "pins"): "lists of pin numbers",
    ("panel", "rows"): "pin numbers",
    ("panel", "columns"): "pin numbers",
    ("panel", "lamps"): "pin numbers, or of lists of them",
    ("panel", "buses"): "names",
}


def _items_fit(name: str, key: str, items: list[Any]) -> bool:
    match _ITEMS[name, key]:
        case "paths" | "names":
            return all(isinstance(item, str) for item in items)
        case "pin numbers":
            return all(type(item) is int for item in items)
        case "pin numbers, or of lists of them":
            return all(type(item) is int or _items_fit("panel", "rows", item) for item in items)
        case _:
            return all(isinstance(item, list) and all(type(pin) is int for pin in item) for item in items)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(v) for v in value) if isinstance(value, list) else value


def _seats(data: Any) -> dict[str, str]:
    colours = ("red", "blue", "green", "yellow")
    if not isinstance(data, dict) or any(v not in colours for v in data.values()):
        raise ConfigError(f"[seats] maps a device to one of {', '.join(colours)}")
    return dict(data)


def _check(config: Config) -> None:
    screen, panel = config.screen, config.panel
    if screen.rotate not in ROTATIONS:
        raise ConfigError("[screen] rotate must be 0, 90, 180 or 270")
    if not (320 <= screen.width <= 8000 and 320 <= screen.height <= 8000):
        raise ConfigError("[screen] width and height must be from 320 to 8000")
    if panel.wiring not in ("none", "direct", "matrix"):
        raise ConfigError("[panel] wiring must be none, direct or matrix")
    if panel.wiring == "direct" and (not panel.pins or any(len(p) != 7 for p in panel.pins)):
        raise ConfigError("[panel] direct wiring needs pins: seven numbers for each panel")
    if panel.wiring == "matrix" and (not panel.rows or len(panel.columns) != 7):
        raise ConfigError("[panel] matrix wiring needs rows and seven columns")
    if panel.lamp not in ("led", "pwm", "rgb"):
        raise ConfigError("[panel] lamp must be led, pwm or rgb")
    if any((len(lamp) if isinstance(lamp, tuple) else 1) != (3 if panel.lamp == "rgb" else 1) for lamp in panel.lamps):
        want = "lists of three pins: red, green, blue" if panel.lamp == "rgb" else "pin numbers"
        raise ConfigError(f"[panel] lamps must be {want}, where lamp is {panel.lamp}")
    if not 5 <= panel.debounce <= 200:
        raise ConfigError("[panel] debounce must be from 5 to 200 milliseconds")
