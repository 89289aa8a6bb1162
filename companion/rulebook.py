"""Searching a rule book: words in any order, accents and capitals ignored, or the id of an entry."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from companion.games.base import Rule, Rulebook, Switch, msg
from companion.wording import Wording


def find(book: Rulebook, words: Wording, wanted: Sequence[str]) -> list[Rule]:
    """The entries that hold all wanted words, or the beginnings of such; all of them where nothing is wanted.

    Whoever wants ids gets those entries only. Entries that have the words in their title or text come before those
    that are only about them; of both, the most asked come first.
    """
    needles = [plain(w) for part in wanted for w in part.split()]
    ids = {r.id.lower() for r in book.rules}
    if needles and all(n in ids for n in needles):
        return [r for r in book.rules if r.id.lower() in needles]
    topics = {t.id: plain(words(t.title)) for t in book.topics}
    said, about = [], []
    for rule in book.rules:
        text = f" {plain(f'{rule.id} {words.text(rule.title)} {words.text(rule.text)}')}"
        if all(_begins(n, text) for n in needles):
            said.append(rule)
        elif all(_begins(n, text + "".join(f" {topics[t]}" for t in rule.topics)) for n in needles):
            about.append(rule)
    # where nothing is wanted the whole book is read from its beginning
    if needles:
        for found in (said, about):
            found.sort(key=lambda rule: book.rank(rule.id))
    return said + about


def _begins(needle: str, text: str) -> bool:
    """Whether a word of the text begins like that; signs before it do not count."""
    return re.search(rf"(?<!\w){re.escape(needle)}", text) is not None


def search(book: Rulebook, words: Wording, wanted: Sequence[str]) -> list[str]:
    """What was found, as lines to read."""
    found: list[str] = []
    for rule in find(book, words, wanted):
        found.append(f"{rule.id}  {words.text(rule.text)} [{words.text(rule.source)}]")
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
