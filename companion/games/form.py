"""Checks of the form of JSON values that come from outside: keys, types, names. What they mean is the games' matter.

Every check raises BadForm with a sentence that says which key is wrong and how.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from companion.games.base import BadForm, Json, msg


def wrong(key: str) -> BadForm:
    """The value of a key has the wrong type or form."""
    return BadForm(msg('"{key}" has a value of the wrong form.', key=key))


def unknown(key: str, value: Json) -> BadForm:
    """The value of a key is none of those that it can have here."""
    return BadForm(msg('"{key}" cannot be "{value}" here.', key=key, value=value))


def record(value: Json, key: str, required: Collection[str], optional: Collection[str] = ()) -> dict[str, Json]:
    """An object with all required keys, and no key besides these and the optional ones."""
    if not isinstance(value, dict):
        raise wrong(key)
    for name in required:
        if name not in value:
            raise BadForm(msg('"{key}" is missing.', key=name))
    for name in value:
        if name not in required and name not in optional:
            raise BadForm(msg('The key "{key}" is not known here.', key=name))
    return value


def text(value: Json, key: str) -> str:
    """A string."""
    if not isinstance(value, str):
        raise wrong(key)
    return value


def whole(value: Json, key: str, least: int | None = None, most: int | None = None) -> int:
    """A whole number (not true, not 2.0) from `least` to `most`, where these are given."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise wrong(key)
    if (least is not None and value < least) or (most is not None and value > most):
        raise unknown(key, value)
    return value


def one_of(value: Json, key: str, allowed: Collection[str]) -> str:
    """One of the names allowed."""
    if text(value, key) not in allowed:
        raise unknown(key, value)
    return str(value)


def texts(value: Json, key: str) -> tuple[str, ...]:
    """A list of strings."""
    if not isinstance(value, list):
        raise wrong(key)
    return tuple(text(v, key) for v in value)


def names(value: Json, key: str, allowed: Collection[str]) -> tuple[str, ...]:
    """A list of different names, each one of those allowed."""
    found = texts(value, key)
    for name in found:
        if name not in allowed:
            raise unknown(key, name)
    if len(set(found)) < len(found):
        raise wrong(key)
    return found


def per_seat(value: Json, key: str, seats: Collection[str]) -> Mapping[str, Json]:
    """An object with exactly one value for every seat."""
    return record(value, key, seats)
