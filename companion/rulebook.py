"""Searching a rule book: words in any order, accents and capitals ignored, or the id of an entry."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from companion.games.base import Rulebook, Switch, msg
from companion.wording import Wording


def search(book: Rulebook, words: Wording, wanted: Sequence[str]) -> list[str]:
    """The entries that hold all wanted words, as lines to read; all of them where nothing is wanted."""
    needles = [plain(w) for part in wanted for w in part.split()]
    ids = {r.id.lower() for r in book.rules}
    exact = bool(needles) and all(n in ids for n in needles)
    found: list[str] = []
    for rule in book.rules:
        text = words.text(rule.text)
        haystack = plain(f"{rule.id} {text}")
        if (exact and rule.id.lower() in needles) or (not exact and all(n in haystack for n in needles)):
            found.append(f"{rule.id}  {text} [{words.text(rule.source)}]")
            switch = book.switch(rule.switch) if rule.switch else None
            if switch:
                found += _switch(switch, words)
    return found


def _switch(switch: Switch, words: Wording) -> Iterator[str]:
    yield f"      {words(msg('House rule {id}:', id=switch.id))}"
    for value, meaning in zip(switch.values, switch.meanings, strict=True):
        mark = "*" if value == switch.values[0] else " "
        yield f"      {mark} {value}: {words.text(meaning)}"


def plain(text: str) -> str:
    """Lower case without accents."""
    return "".join(c for c in unicodedata.normalize("NFD", text.casefold()) if not unicodedata.combining(c))
