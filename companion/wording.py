"""Words: messages become sentences in the language of whoever reads or hears them.

English is the language of the msgids. Every other language is a folder in locale/ with compiled catalogues.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
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
        return text if _SQUARE.match(text) else text[:1].upper() + text[1:]

    def text(self, msgid: str) -> str:
        """A fixed text in this language."""
        return self._texts.gettext(msgid)

    def _fill(self, message: Message) -> str:
        if message.many is None:
            template = self._texts.gettext(message.id)
        else:
            template = self._texts.ngettext(message.id, message.many, message.params["n"])
        parts = []
        for literal, name, kind, _ in Formatter().parse(template):
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
            return self._names[value]
        term = self._term(kind, value) if kind else None
        return self._fill(term) if term else str(value)

    def _height(self, seat: str, levels: Sequence[int]) -> str:
        return self._fill(Message((_HEIGHT if levels else _NOBODY_INSIDE).id, {"seat": seat, "levels": levels}))

    def _list(self, items: Sequence[str], join: Message) -> str:
        if len(items) < 2:
            return "".join(items)
        return self._fill(Message(join.id, {"first": ", ".join(items[:-1]), "last": items[-1]}))
