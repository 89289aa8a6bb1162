"""What the installer says, in a TOML file that the program only reads. Players' settings live in the store instead.

Every key is optional. An unknown key or a value out of bounds is an error that names its section.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from companion.adapters import files
from companion.games.base import Message, msg

ROTATIONS = (0, 90, 180, 270)


class ConfigError(Exception):
    """The file cannot be used; `reason` says which section, which key, and what would be right."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason.id)
        self.reason = reason


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
class Voice:
    """`[voice]`. output: what ALSA calls the loudspeaker ("plughw:CARD=Headphones,DEV=0"), until people choose one."""

    output: str = ""


@dataclass(frozen=True, slots=True)
class Config:
    """The whole file. seats: device ("<board>/<number>", "gpio/<number>") -> colour, from `[seats]`."""

    screen: Screen = Screen()
    readers: Readers = Readers()
    panel: Panel = Panel()
    voice: Voice = Voice()
    seats: Mapping[str, str] = field(default_factory=dict)


def text(path: Path) -> str:
    """What a file of the installer says. Raises ConfigError where it cannot be read."""
    try:
        return files.text(path)
    except OSError as error:
        why = files.why(error, path)
        raise ConfigError(msg('"{path}" cannot be read: {why:message}', path=path, why=why)) from error


def load(path: Path | None) -> Config:
    """The configuration of a file, or the default where there is none. Raises ConfigError."""
    if path is None:
        return Config()
    words = text(path)
    try:
        data = tomllib.loads(words)
    except tomllib.TOMLDecodeError as error:
        # the only word about where that an error of tomllib gives, but for the end of the file
        found = re.search(r"at line (\d+)", str(error))
        line = int(found[1]) if found else words.count("\n") + 1
        why = msg(
            '"{path}" is not TOML. Look near line {n} for a missing quote, bracket or equals sign.', path=path, n=line
        )
        raise ConfigError(why) from error
    except (ValueError, RecursionError) as error:
        why = msg('"{path}" is not TOML of ours: it has a number that is too long, or too many brackets.', path=path)
        raise ConfigError(why) from error
    try:
        return parse(data)
    except ConfigError as error:
        raise ConfigError(msg('"{path}": {why:message}', path=path, why=error.reason)) from error


def parse(data: Mapping[str, Any]) -> Config:
    """The configuration of a parsed file. Raises ConfigError."""
    sections = {"screen": Screen, "readers": Readers, "panel": Panel, "voice": Voice}
    for name in data:
        if name not in sections and name != "seats":
            known = "[screen], [readers], [panel], [voice], [seats]"
            raise ConfigError(msg("There is no section [{name}]. The sections are {known}.", name=name, known=known))
    made = {name: _section(name, kind, data.get(name, {})) for name, kind in sections.items()}
    config = Config(**made, seats=_seats(data.get("seats", {})))
    _check(config)
    return config


def _section(name: str, kind: type, data: Any) -> Any:
    if not isinstance(data, dict):
        raise _must(name, "", _SECTION)
    known = {f.name: f for f in fields(kind)}
    for key, value in data.items():
        if key not in known:
            text = msg("[{name}] has no key {key}. Its keys are {known}.", name=name, key=key, known=", ".join(known))
            raise ConfigError(text)
        want = type(known[key].default)
        got = list if want is tuple else want
        if not isinstance(value, got) or (want is int and isinstance(value, bool)):
            raise _must(name, key, _ITEMS[name, key][1] if got is list else _KINDS[want])
        if isinstance(value, list) and not _items_fit(name, key, value):
            raise _must(name, key, _ITEMS[name, key][1])
    return kind(**{key: _frozen(value) for key, value in data.items()})


def _must(name: str, key: str, what: Message) -> ConfigError:
    if not key:
        return ConfigError(msg("[{name}] must be {what}.", name=name, what=what))
    return ConfigError(msg("[{name}] {key} must be {what}.", name=name, key=key, what=what))


_SECTION = msg("a section with keys of its own")
_KINDS = {bool: msg("true or false"), int: msg("a number"), str: msg("a text in quotes")}
_PATHS = msg("a list of paths")
_PINS = msg("a list of pin numbers")
_ITEMS = {
    ("readers", "ports"): ("texts", _PATHS),
    ("readers", "adapters"): ("texts", _PATHS),
    ("panel", "pins"): ("lists", msg("a list of lists of pin numbers")),
    ("panel", "rows"): ("pins", _PINS),
    ("panel", "columns"): ("pins", _PINS),
    ("panel", "lamps"): ("pins or lists", msg("a list of pin numbers, or of lists of them")),
    ("panel", "buses"): ("texts", msg("a list of names")),
}


def _items_fit(name: str, key: str, items: list[Any]) -> bool:
    match _ITEMS[name, key][0]:
        case "texts":
            return all(isinstance(item, str) and _is_name(item) for item in items)
        case "pins":
            return all(_is_pin(item) for item in items)
        case "lists":
            return all(_is_pins(item) for item in items)
        case _:
            return all(_is_pin(item) or _is_pins(item) for item in items)


def _is_name(item: str) -> bool:
    return bool(item) and "\0" not in item


def _is_pin(item: Any) -> bool:
    return type(item) is int


def _is_pins(item: Any) -> bool:
    return isinstance(item, list) and all(_is_pin(pin) for pin in item)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(v) for v in value) if isinstance(value, list) else value


DEVICE = re.compile(r"[^/\0]+/\d{1,4}")
"""A reader or panel: its board, and its number there."""


def _seats(data: Any) -> dict[str, str]:
    colours = ("red", "blue", "green", "yellow")
    if not isinstance(data, dict) or any(v not in colours or not DEVICE.fullmatch(k) for k, v in data.items()):
        known = ", ".join(colours)
        raise ConfigError(
            msg('[seats] names a device, such as "gpio/0", and one of these colours for it: {known}.', known=known)
        )
    return dict(data)


def _check(config: Config) -> None:
    screen, panel = config.screen, config.panel
    if screen.rotate not in ROTATIONS:
        raise _must("screen", "rotate", _one_of(map(str, ROTATIONS)))
    for key, length in (("width", screen.width), ("height", screen.height)):
        if not 320 <= length <= 8000:
            raise _must("screen", key, _between(320, 8000))
    if panel.wiring not in ("none", "direct", "matrix"):
        raise _must("panel", "wiring", _one_of(("none", "direct", "matrix")))
    if panel.wiring == "direct" and (not panel.pins or any(len(p) != 7 for p in panel.pins)):
        raise _must("panel", "pins", msg("a list for each panel, with seven pin numbers"))
    if panel.wiring == "matrix" and not panel.rows:
        raise _must("panel", "rows", msg("a list with a pin for each panel"))
    if panel.wiring == "matrix" and len(panel.columns) != 7:
        raise _must("panel", "columns", msg("a list of seven pin numbers"))
    if panel.lamp not in ("led", "pwm", "rgb"):
        raise _must("panel", "lamp", _one_of(("led", "pwm", "rgb")))
    if panel.lamp == "rgb" and any(not isinstance(lamp, tuple) or len(lamp) != 3 for lamp in panel.lamps):
        raise _must("panel", "lamps", msg("a list for each panel, with three pins: red, green, blue"))
    if panel.lamp != "rgb" and any(isinstance(lamp, tuple) for lamp in panel.lamps):
        raise _must("panel", "lamps", _PINS)
    if not 5 <= panel.debounce <= 200:
        raise _must("panel", "debounce", _between(5, 200))


def _one_of(known: Iterable[str]) -> Message:
    return msg("one of these: {known}", known=", ".join(known))


def _between(least: int, most: int) -> Message:
    return msg("from {least} to {most}", least=least, most=most)
