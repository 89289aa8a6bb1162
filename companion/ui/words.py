"""The language of the screen: `_` for fixed texts, `say` for messages, the letters of the seats, the fonts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from companion import resources
from companion.games import find_game
from companion.games.base import Message, msg
from companion.wording import Wording

CODES = {"red": msg("R"), "blue": msg("B"), "green": msg("G"), "yellow": msg("Y")}
"""One or two letters that stand on a seat's mark; unique within a language, as colours' initials need not be."""
LANGUAGES = {"en": "English", "pt": "Português"}
"""Names of languages, each in its own."""

BODY = "Roboto"
HEADING = "Grenze"


class Said(str):
    """Words on the screen that know the id of the message they were made of: what a long touch explains goes by it."""

    __slots__ = ("id",)
    id: str


def _said(text: str, id: str) -> str:
    said = Said(text)
    said.id = id
    return said


class _Tongue:
    """The one language of the screen at the moment."""

    def __init__(self) -> None:
        self.wording = Wording("en")
        self.game = "sir-holland"
        self.names: dict[str, str] = {}


_now = _Tongue()


def speak(lang: str | None = None, game: str | None = None, names: Mapping[str, str] | None = None) -> None:
    """Change the language, the game or the names of the players; what is left out stays."""
    _now.game = _now.game if game is None else game
    if names is not None:
        _now.names = {seat: name for seat, name in names.items() if not is_colour(seat, name)}
    found = find_game(_now.game)
    term = found.term if found else lambda kind, value: None
    _now.wording = Wording(_now.wording.lang if lang is None else lang, term, _now.names)


def is_colour(seat: str, name: str) -> bool:
    """Whether a name is none, or only the colour of the seat, in whatever language."""
    found = find_game(_now.game)
    text = found.term("seat", seat) if found else None
    return not name or (text is not None and any(Wording(lang)(text) == name for lang in LANGUAGES))


def unnamed(seat: str) -> str:
    """The name of somebody who has none: `is_colour` knows it, and every language says it in its own way."""
    found = find_game(_now.game)
    text = found.term("seat", seat) if found else None
    return text.id if text else seat


def game() -> str:
    """The id of the game whose words these are."""
    return _now.game


def language() -> str:
    """The code of the language."""
    return _now.wording.lang


def wording() -> Wording:
    """All the words of the screen's language."""
    return _now.wording


def _(msgid: str) -> str:
    """A fixed text in the language of the screen."""
    return _said(_now.wording.text(msgid), msgid)


def say(message: Message) -> str:
    """A message as a sentence."""
    return _said(_now.wording(message), message.id)


def elsewhere(game: str, names: Mapping[str, str]) -> Wording:
    """The language of the screen at another table: other people sit there."""
    found = find_game(game)
    people = {seat: name for seat, name in names.items() if not is_colour(seat, name)}
    return Wording(language(), found.term, people) if found else Wording(language(), names=people)


def name(seat: str) -> str:
    """Who sits there: the person's name, or the colour."""
    return say(msg("{seat:seat}", seat=seat))


def colour_name(seat: str) -> str:
    """The colour of a seat."""
    return say(msg("{seat:seat_colour}", seat=seat))


def figure_name(figure: str) -> str:
    """What a figure is called."""
    return say(msg("{figure:figure}", figure=figure))


def term(kind: str, value: Any) -> str:
    """What the game calls a thing of that kind."""
    found = find_game(_now.game)
    text = found.term(kind, value) if found else None
    return say(text) if text else str(value)


def code(seat: str) -> str:
    """The letters on a seat's mark."""
    return say(CODES[seat])


@cache
def _glyphs() -> frozenset[int]:
    """What the heading font can draw. Read from the font itself, so that no list can go stale."""
    return frozenset(_cmap(resources.path("fonts", "Grenze-Bold.ttf").read_bytes()))


def _cmap(data: bytes) -> list[int]:
    """The code points of a TrueType font's format 4 table (all characters below U+10000)."""

    def short(at: int) -> int:
        return int.from_bytes(data[at : at + 2], "big")

    def long(at: int) -> int:
        return int.from_bytes(data[at : at + 4], "big")

    table = next(long(12 + 16 * i + 8) for i in range(short(4)) if data[12 + 16 * i :][:4] == b"cmap")
    found: list[int] = []
    for i in range(short(table + 2)):
        sub = table + long(table + 4 + 8 * i + 4)
        if short(sub) != 4:
            continue
        segments = short(sub + 6) // 2
        ends, starts = sub + 14, sub + 16 + 2 * segments
        deltas, offsets = starts + 2 * segments, starts + 4 * segments
        for s in range(segments):
            first, last = short(starts + 2 * s), short(ends + 2 * s)
            for point in range(first, min(last, 0xFFFE) + 1):
                offset = short(offsets + 2 * s)
                at = offsets + 2 * s + offset + 2 * (point - first)
                glyph = short(at) if offset else (point + short(deltas + 2 * s)) & 0xFFFF
                if glyph:
                    found.append(point)
    return found


def heading_font(text: str) -> str:
    """The heading font, or Roboto for the whole text where a glyph is missing."""
    return HEADING if all(ord(ch) in _glyphs() or ch.isspace() for ch in text) else BODY


def register_fonts() -> None:
    """Make the heading font known to Kivy."""
    from kivy.core.text import LabelBase

    LabelBase.register(HEADING, str(resources.path("fonts", "Grenze-Bold.ttf")))
