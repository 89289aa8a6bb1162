"""A language as long as German, made of the English texts: it finds boxes that are too small for the next language."""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from string import Formatter

import pytest

from companion import wording
from companion.ui import words

LANG = "long"
MORE = 1.35
LONGEST = 16
"""Letters of a word: "Explosionskarte" and "Rückgängigmachen" are no longer."""
_ENDS = ("keit", "ung", "en", "s")
_UMLAUTS = str.maketrans("aouAOU", "äöüÄÖÜ")


@cache
def longer(text: str) -> str:
    """The text with a third more letters, in long words with umlauts; fields stay."""
    parts = [(literal or "", field, kind) for literal, field, kind, _ in Formatter().parse(text)]
    texts = [literal.split(" ") for literal, _, _ in parts]
    long_ones = sorted(
        ((i, k) for i, found in enumerate(texts) for k, word in enumerate(found) if sum(map(str.isalpha, word)) > 2),
        key=lambda at: (-len(texts[at[0]][at[1]]), at),
    )
    missing = round(sum(len(literal) for literal, _, _ in parts) * (MORE - 1))
    for i, k in long_ones * 2:
        word, end = texts[i][k], next((end for end in _ENDS if len(end) <= missing), "")
        stem = word.rstrip(".,:;!?\"')")
        if end and len(stem) + len(end) <= LONGEST:
            texts[i][k] = stem.translate(_UMLAUTS) + end + word[len(stem) :]
            missing -= len(end)
    out = []
    for found, (_literal, field, kind) in zip(texts, parts, strict=True):
        out.append(" ".join(found).replace("{", "{{").replace("}", "}}"))
        if field is not None:
            out.append("{" + field + (f":{kind}" if kind else "") + "}")
    return "".join(out)


class _Longer(gettext.NullTranslations):
    def gettext(self, message: str) -> str:
        return longer(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return longer(msgid1 if n == 1 else msgid2)


@contextmanager
def spoken() -> Iterator[str]:
    """The language is there; gives its code."""
    with pytest.MonkeyPatch.context() as patch:
        real = wording._catalogue
        patch.setattr(wording, "_catalogue", lambda lang: _Longer() if lang == LANG else real(lang))
        patch.setitem(words.LANGUAGES, LANG, "Längisch")
        yield LANG
