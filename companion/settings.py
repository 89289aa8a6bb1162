"""The players' settings: which there are, and what each can be. Kept by the store, changed on the screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from companion.games import GAMES, form
from companion.games.base import BadForm, Json
from companion.table.names import LONGEST
from companion.table.people import are_people, from_json
from companion.table.ports import MODES
from companion.wording import languages

HOLD = 3.0
"""Seconds that the last lock is held before the cards are revealed by themselves, where no setting says otherwise."""
LONGEST_HOLD = 3600.0
LONGEST_DWELL = 2.0
"""Seconds that a card may have to lie on a reader until it counts; 0 is at once."""
LOUDEST = 100
"""Percent: the volume of the voice and the sounds, as loud as they were recorded."""
LONGEST_LEAD = 5.0
"""Seconds of silence before what is heard after a pause."""
LONGEST_SLEEP = 720
"""Minutes until the screen goes dark; 0 is never."""


def check(settings: Mapping[str, Json]) -> None:
    """Only settings that there are, with values that they can have; raises BadForm."""
    for name, wish in settings.items():
        if name not in _CHECKS:
            raise form.unknown("settings", name)
        if not _CHECKS[name](wish):
            raise form.unknown(name, wish)


def sound(settings: Mapping[str, Json]) -> dict[str, Json]:
    """Those that a check lets pass: what another version or a damaged disk left behind is as if never set."""
    return {name: found for name, found in settings.items() if name in _CHECKS and _CHECKS[name](found)}


def value(settings: Mapping[str, Json], name: str, default: Json) -> Json:
    """One of them; the default where it is not set, or cannot be."""
    return settings[name] if name in settings and _CHECKS[name](settings[name]) else default


def _is_flag(value: Json) -> bool:
    return isinstance(value, bool)


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_output(value: Json) -> bool:
    """Whether it may be what ALSA calls a loudspeaker."""
    return isinstance(value, str) and len(value) <= 100 and value.isprintable()


def _one_of(*values: str | int) -> Callable[[Json], bool]:
    return lambda value: any(value == v and type(value) is type(v) for v in values)


def _are_names(value: Json) -> bool:
    return isinstance(value, dict) and all(
        isinstance(part, str) and len(part) <= LONGEST for pair in value.items() for part in pair
    )


def _are_places(value: Json) -> bool:
    """Whether it says of devices ("<board>/<number>", "gpio/<number>") whose they are."""
    colours = {colour for game in GAMES for colour in game.colours}
    return isinstance(value, dict) and all(
        isinstance(device, str) and device.rpartition("/")[2].isdecimal() and isinstance(seat, str) and seat in colours
        for device, seat in value.items()
    )


def _are_people(value: Json) -> bool:
    """Whether they are people of this table, each with a seat that there is, or with none."""
    colours = {"", *(colour for game in GAMES for colour in game.colours)}
    return are_people(value) and all(person.seat in colours for person in from_json(value))


def _are_seats(value: Json) -> bool:
    """Whether it is a list of seats, each of them once."""
    colours = {colour for game in GAMES for colour in game.colours}
    return (
        isinstance(value, list)
        and all(isinstance(seat, str) and seat in colours for seat in value)
        and len(set(value)) == len(value)
    )


def _are_house_rules(value: Json) -> bool:
    """Whether a game can be opened with them: the game's own parser says so."""
    for game in GAMES:
        try:
            game.open(game.colours[: game.seats.start], {"rules": value}, Random(0))
        except BadForm:
            continue
        return True
    return False


_CHECKS: dict[str, Callable[[Json], bool]] = {
    "lang": lambda value: isinstance(value, str) and value in languages(),
    "voice": _is_flag,
    "sounds": _is_flag,
    "volume": lambda value: _is_number(value) and 0 <= value <= LOUDEST,
    "lead": lambda value: _is_number(value) and 0 <= value <= LONGEST_LEAD,
    "output": _is_output,
    "hold": lambda value: _is_number(value) and 0 <= value <= LONGEST_HOLD,
    "dwell": lambda value: _is_number(value) and 0 <= value <= LONGEST_DWELL,
    "theme": _one_of("dark", "light", "contrast", "colour_blind"),
    "text": _one_of("normal", "large", "huge"),
    "still": _is_flag,
    "facing": _one_of(0, 90, 180, 270),
    "follow": _is_flag,
    "mode": _one_of(*MODES),
    "house_rules": _are_house_rules,
    "sleep": lambda value: _is_number(value) and 0 <= value <= LONGEST_SLEEP,
    "last_names": _are_names,
    "devices": _are_places,
    "people": _are_people,
    "kids": _are_seats,
}
