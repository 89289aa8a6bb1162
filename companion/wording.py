"""Words: messages become sentences in the language of whoever reads or hears them.

English is the language of the msgids. Every other language is a folder in locale/ with compiled catalogues. This is the
one place where foreign text (names, paths, what a file or a board says) enters a sentence, so it is escaped here.
"""

from __future__ import annotations

import gettext
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import PurePath
from string import Formatter
from typing import Any

from companion import resources
from companion.games.base import Message, msg

_SQUARE = re.compile(r"[a-z]\d\b")

Term = Callable[[str, Any], Message | None]

_SINGULAR = {"seats": "seat", "figures": "figure", "squares": "square", "squares_or": "square", "numbers": ""}
_AND = msg("{first} and {last}")
_OR = msg("{first} or {last}")
_HEIGHT = msg("{seat:seat} {levels:numbers}")
_NOBODY_INSIDE = msg("{seat:seat} none")


def plain(text: str) -> str:
    """Text of others without the signs that a terminal or a screen obeys: each stands there as its escape sequence.

    Those are control signs (ESC, CR, BEL), line ends, signs that turn the direction of writing and halves of signs.
    """
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii") for sign in text)


class PlainLog(logging.Formatter):
    """The log on a terminal: what it quotes of files and boards is escaped, a traceback keeps its lines."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  the name that logging calls
        """One entry, before its traceback."""
        return plain(super().formatMessage(record))


def languages() -> tuple[str, ...]:
    """The codes of all languages: `en`, and one for every folder in locale/."""
    folder = resources.path("locale")
    return ("en", *sorted(p.name for p in folder.iterdir() if (p / "LC_MESSAGES").is_dir() and p.name != "en"))


@cache
def _catalogue(lang: str) -> gettext.NullTranslations:
    """All catalogues of a language as one; English needs none."""
    all_of_it = gettext.NullTranslations()
    for path in sorted((resources.path("locale") / lang / "LC_MESSAGES").glob("*.mo")):
        with path.open("rb") as file:
            all_of_it.add_fallback(gettext.GNUTranslations(file))
    return all_of_it


class Wording:
    """One language at one table.

    term: names the things of the game that is played; names: seat -> the name of the person, where one is known.
    """

    def __init__(self, lang: str = "en", term: Term = lambda kind, value: None, names: Mapping[str, str] | None = None):
        self.lang = lang
        self._term = term
        self._names = {seat: name for seat, name in (names or {}).items() if name}
        self._texts = _catalogue(lang)

    def __call__(self, message: Message) -> str:
        """The sentence, with a capital letter in front; the name of a square ("c3") keeps its small one."""
        text = self._fill(message)
        keeps = _SQUARE.match(text) or self._starts_with_path(message)
        return text if keeps else text[:1].upper() + text[1:]

    def text(self, msgid: str) -> str:
        """A fixed text in this language."""
        return self._texts.gettext(msgid)

    def _template(self, message: Message) -> str:
        if message.many is None:
            return self._texts.gettext(message.id)
        return self._texts.ngettext(message.id, message.many, message.params["n"])

    def _starts_with_path(self, message: Message) -> bool:
        """Whether its first word is a path: another letter would make it the path of another file."""
        for literal, name, _, _ in Formatter().parse(self._template(message)):
            if literal or name is None:
                return False
            first = message.params[name]
            if isinstance(first, Message):
                return self._starts_with_path(first)
            return isinstance(first, PurePath) or (isinstance(first, str) and "/" in first)
        return False

    def _fill(self, message: Message) -> str:
        parts = []
        for literal, name, kind, _ in Formatter().parse(self._template(message)):
            parts.append(literal)
            if name is not None:
                parts.append(self._name(kind or "", message.params[name]))
        return "".join(parts)

    def _name(self, kind: str, value: Any) -> str:
        if isinstance(value, Message):
            return self._fill(value)
        if kind in _SINGULAR:
            return self._list([self._name(_SINGULAR[kind], v) for v in value], _OR if kind.endswith("_or") else _AND)
        if kind == "heights":
            return "; ".join(self._height(seat, levels) for seat, levels in value)
        if kind == "seat" and value in self._names:
            return plain(self._names[value])
        term = self._term(kind, value) if kind else None
        return self._fill(term) if term else plain(str(value))

    def _height(self, seat: str, levels: Sequence[int]) -> str:
        return self._fill(Message((_HEIGHT if levels else _NOBODY_INSIDE).id, {"seat": seat, "levels": levels}))

    def _list(self, items: Sequence[str], join: Message) -> str:
        if len(items) < 2:
            return "".join(items)
        return self._fill(Message(join.id, {"first": ", ".join(items[:-1]), "last": items[-1]}))
