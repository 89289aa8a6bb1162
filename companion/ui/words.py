"""The language of the screen: `_` for fixed texts, `say` for messages, the letters of the seats, the fonts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from companion import resources
from companion.games import find_game
from companion.games.base import Message, msg
from companion.table.names import legible
from companion.ui import fonts
from companion.ui.fonts import can_draw, glyphs
from companion.wording import Wording

CODES = {"red": msg("R"), "blue": msg("B"), "green": msg("G"), "yellow": msg("Y")}
"""One or two letters that stand on a seat's mark; unique within a language, as colours' initials need not be."""
LANGUAGES = {"en": "English", "pt": "Português"}
"""Names of languages, each in its own."""
BODY, HEADING = fonts.BODY, fonts.HEADING


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
        people = {seat: name for seat, name in names.items() if not is_colour(seat, name)}
        _now.names = legible(people, can_draw)
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
    people = legible({seat: name for seat, name in names.items() if not is_colour(seat, name)}, can_draw)
    return Wording(language(), found.term, people) if found else Wording(language(), names=people)


def name(seat: str) -> str:
    """Who sits there: the person's name, or the colour."""
    return say(msg("{seat:seat}", seat=seat))


def colour_name(seat: str) -> str:
    """The colour of a seat."""
    return say(msg("{seat:seat_colour}", seat=seat))


def readable(names: Mapping[str, str], seat: str) -> str:
    """Who is to sit there, where no table knows it yet: as much of the name as can be drawn, or the colour."""
    return legible(names, can_draw).get(seat) or colour_name(seat)


def person(name: str) -> str:
    """A name on a button, as far as it can be drawn."""
    return legible({"": name}, can_draw).get("") or "…"


def figure_name(figure: str) -> str:
    """What a figure is called."""
    return say(msg("{figure:figure}", figure=figure))


def capital(text: str) -> str:
    """The text as the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def first_sentence(text: str) -> tuple[str, str]:
    """A text as its head and the rest: "Red 1 cannot stop on c2: ..." """
    found = re.search(r"(: |\. )", text)
    if found is None:
        return text, ""
    return text[: found.start()] + ".", capital(text[found.end() :])


def term(kind: str, value: Any) -> str:
    """What the game calls a thing of that kind."""
    found = find_game(_now.game)
    text = found.term(kind, value) if found else None
    return say(text) if text else str(value)


def code(seat: str) -> str:
    """The letters on a seat's mark."""
    return say(CODES[seat])


def heading_font(text: str) -> str:
    """The heading font, or Roboto for the whole text where a glyph is missing."""
    return HEADING if all(ord(ch) in glyphs(HEADING) or ch.isspace() for ch in text) else BODY


def register_fonts() -> None:
    """Make the heading font known to Kivy."""
    from kivy.core.text import LabelBase

    LabelBase.register(HEADING, str(resources.path("fonts", "Grenze-Bold.ttf")))
