"""Why a board.json is refused, as messages: a board says it in English, in a line on its wire (firmware/board.py).

What comes is held against the sentences below, whose fields stand for anything; so each language has them as its own.
"""

from __future__ import annotations

import re
from string import Formatter

from companion.games.base import Message, msg

PLACES = (msg("the plan"), msg("reader {n}"), msg("panel {n}"), msg("reader {n}, lamp"), msg("reader {n}, buzzer"))
"""Where in the plan; what fills a field of the kind `message` below."""
REASONS = (
    msg("there is none, so nothing is known to be wired here"),
    msg("it is no JSON; look for a missing comma, quote or brace"),
    msg('mcu must be a word, as "rp2040"'),
    msg("{list} must be a list"),
    msg("{list}: a board has at most {most}, here are {n}"),
    msg("{place:message} must be an object in braces"),
    msg('{place:message}: "{key}" is missing'),
    msg('{place:message}: there is no "{key}" here; it takes {known}'),
    msg('{place:message}: there is no chip "{chip}"; chips are {known}'),
    msg('{place:message}: a {chip} cannot be on "{bus}"; it can be on {known}'),
    msg("{place:message}: {bus} has a reader already ({other:message}): the address of a PN532 is fixed"),
    msg("{place:message}: {bus} has a reader already ({other:message}): a line has two ends"),
    msg("{place:message}: {wire} of {bus} can be {pins}"),
    msg("{place:message}: {wire} of {bus} is on {pin} already ({other:message})"),
    msg("{place:message}: {pin} is no pin of this board"),
    msg("{place:message}: place {at} on {pin} is in use already ({other:message})"),
    msg("{place:message}: {pin} is in use already ({other:message})"),
    msg("{place:message}: {pin} shares a PWM block with {second} ({other:message}); choose another pin"),
    msg("{place:message}: kind must be one of {known}"),
    msg("{place:message}: pins must be three: red, green, blue"),
    msg("{place:message}: at must be a number from 0 to {most}"),
    msg("{place:message}: pins must be a list of one to {most}"),
)
"""Of two that fit the first counts."""


def _pattern(sentence: Message, kinds: dict[str, str]) -> re.Pattern[str]:
    """The sentence with a group for each field, by its kind."""
    parts = []
    for literal, name, kind, _ in Formatter().parse(sentence.id):
        parts.append(re.escape(literal))
        if name is not None:
            parts.append(f"(?P<{name}>{kinds[kind or '']})")
    return re.compile("".join(parts), re.DOTALL)


_PLACES = [(place.id, _pattern(place, {"": r"\d"})) for place in PLACES]
_PLACE = "|".join(re.sub(r"\?P<\w+>", "?:", pattern.pattern) for _, pattern in _PLACES)
_REASONS = [(reason.id, _pattern(reason, {"": ".*?", "message": _PLACE})) for reason in REASONS]
_OF_PLACES = ("place", "other")


def reason(said: str) -> Message | str:
    """What a board, or the check of a plan, says is wrong; as it stands where a newer board has another reason."""
    for id, pattern in _REASONS:
        if found := pattern.fullmatch(said):
            fields = found.groupdict()
            return Message(id, fields | {name: _place(fields[name]) for name in _OF_PLACES if name in fields})
    return said


def _place(said: str) -> Message:
    return next(Message(id, found.groupdict()) for id, pattern in _PLACES if (found := pattern.fullmatch(said)))
