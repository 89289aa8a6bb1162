"""The rule book of Sir Holland is whole, consistent with itself, and complete in Brazilian Portuguese."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po

from companion.games.sir_holland import rulebook, titles
from companion.games.sir_holland.rulebook import RULEBOOK
from companion.games.sir_holland.titles import TITLES

LONGEST = 240

RULES = [f"R{n}" for n in range(1, 80)]

RULINGS = [
    f"A{n}"
    for n in (
        *(1, 2, *range(63, 69), 60),  # setting up
        *range(3, 22),  # falls and villains
        *range(22, 41),  # how heroes move
        *(*range(41, 47), "47a", "47b", "47c"),  # hide and explosion
        *(*range(48, 54), "54a", "54b", *range(55, 60), 61, 62, 69),  # rest, end and winner
    )
]

SWITCHES: list[tuple[str, str, int | str, tuple[int | str, ...]]] = [
    # switch, ruling, default, values
    ("fall_distance", "A3", 1, (1, 2)),
    ("base_fall", "A5", "dungeon", ("dungeon", "stay")),
    ("villain_in_dungeon", "A8", "harmless", ("harmless", "forbidden")),
    ("hero_on_villain", "A10", "no_stop", ("no_stop", "allowed", "knocked_off")),
    ("pass_villain", "A11", "yes", ("yes", "no")),
    ("villains_share", "A12", "yes", ("yes", "no")),
    ("rope_down", "A22", "off", ("off", "on")),
    ("climb_down", "A23", "off", ("off", "on")),
    ("climb_same_hero", "A24", "off", ("off", "on")),
    ("hop_from_start", "A29", "no", ("no", "free")),
    ("interleave", "A37", "off", ("off", "on")),
    ("hide_ends", "A41", "round_start", ("round_start", "owner_turn")),
    ("explosion_figures", "A46", "ride", ("ride", "stay_on_level")),
    ("third_rest", "A48", "allowed", ("allowed", "pass")),
    ("extra_round", "A53", "yes", ("yes", "no")),
    ("double_save", "A54b", "gryphon", ("gryphon", "first_out")),
    ("rest_end_order", "A58", "saved_first", ("saved_first", "level_first")),
    ("level_compare", "A59", "best_then_second", ("best_then_second", "best_only", "sum")),
]


def msgids() -> Iterator[str]:
    for rule in RULEBOOK.rules:
        yield rule.text
        yield rule.title
        yield rule.source
    for switch in RULEBOOK.switches:
        yield switch.text
        yield from switch.meanings
        yield switch.source


@pytest.fixture(scope="module")
def portuguese() -> Catalog:
    path = Path(__file__).parents[2] / "companion" / "locale" / "pt" / "LC_MESSAGES" / "rulebook.po"
    with path.open("rb") as file:
        return read_po(file, locale="pt_BR", abort_invalid=True)


def test_every_rule_and_ruling_is_there_once_and_in_order() -> None:
    assert [rule.id for rule in RULEBOOK.rules] == RULES + RULINGS


def test_the_eighteen_switches_are_those_of_the_protocol() -> None:
    assert [(s.id, s.ruling, s.values[0], s.values) for s in RULEBOOK.switches] == SWITCHES


def test_every_value_has_a_meaning_of_its_own() -> None:
    for switch in RULEBOOK.switches:
        assert len(set(switch.meanings)) == len(switch.values), switch.id


def test_a_rule_names_only_switches_that_exist() -> None:
    assert {rule.switch for rule in RULEBOOK.rules} - {None} == {switch.id for switch in RULEBOOK.switches}


def test_the_ruling_of_a_switch_names_it_back() -> None:
    for switch in RULEBOOK.switches:
        ruling = RULEBOOK.find(switch.ruling)
        assert ruling is not None
        assert ruling.switch == switch.id


def test_sources_refer_to_entries_that_exist() -> None:
    for rule in RULEBOOK.rules:
        for reference in re.findall(r"\b[RA]\d+[a-c]?\b", rule.source):
            assert RULEBOOK.find(reference) is not None, rule.id
            assert reference != rule.id


def test_no_two_entries_say_the_same() -> None:
    texts = [rule.text for rule in RULEBOOK.rules] + [switch.text for switch in RULEBOOK.switches]
    assert len(texts) == len(set(texts))


def test_every_entry_has_a_short_title_of_its_own() -> None:
    called = [rule.title for rule in RULEBOOK.rules]
    assert all(called)
    assert len(called) == len(set(called))
    assert [title for title in called if len(title) > 26] == []
    assert set(TITLES) == {rule.id for rule in RULEBOOK.rules}


def test_titles_differ_and_are_short_in_portuguese_too(portuguese: Catalog) -> None:
    called = [str(portuguese[rule.title].string) for rule in RULEBOOK.rules]
    assert len(called) == len(set(called))
    assert [title for title in called if len(title) > 30] == []


def test_the_most_asked_come_first() -> None:
    assert [id for id in RULEBOOK.asked if RULEBOOK.find(id) is None] == []
    assert len(RULEBOOK.asked) == len(set(RULEBOOK.asked))
    for topic in RULEBOOK.topics:
        ranks = [RULEBOOK.rank(rule.id) for rule in RULEBOOK.about(topic.id)]
        assert ranks == sorted(ranks), topic.id
    for rule in RULEBOOK.rules:
        ranks = [RULEBOOK.rank(id) for id in rule.related]
        assert ranks == sorted(ranks), rule.id
    assert RULEBOOK.about("rope")[0].id in RULEBOOK.asked


def test_the_extraction_tool_finds_every_text() -> None:
    """A text that somebody forgot to mark would never reach the translators."""
    found = {
        message
        for module in (rulebook, titles)
        for _, message, _, _ in extract_from_file("python", inspect.getfile(module), keywords={"N_": None})
    }
    assert found == set(msgids())


def test_every_text_is_in_portuguese_and_nothing_else_is(portuguese: Catalog) -> None:
    translated = {message.id: message.string for message in portuguese if message.id}
    assert set(translated) == set(msgids())
    assert [text for text, string in translated.items() if not str(string).strip()] == []


def test_the_portuguese_catalogue_is_finished(portuguese: Catalog) -> None:
    assert str(portuguese.locale) == "pt_BR"
    assert (portuguese.num_plurals, portuguese.plural_expr) == (2, "(n > 1)")
    assert not portuguese.fuzzy
    assert [message.id for message in portuguese if message.fuzzy] == []
    assert dict(portuguese.obsolete) == {}


def test_the_numbers_in_a_text_survive_translation(portuguese: Catalog) -> None:
    """Card numbers, squares, levels and rule ids are the same in both languages."""
    for message in portuguese:
        if message.id:
            assert figures(str(message.string)) == figures(str(message.id)), message.id


def figures(text: str) -> list[str]:
    """The numbers, squares and rule ids in `text`, sorted; word order may differ between languages."""
    return sorted(re.findall(r"\b[A-Za-z]?\d+[a-c]?\b", text))


def test_texts_are_short_and_clean(portuguese: Catalog) -> None:
    for text in [*msgids(), *(str(message.string) for message in portuguese if message.id)]:
        assert len(text) <= LONGEST, text
        assert text == text.strip()
        assert "  " not in text, text
        assert not set(text) & set("{}%\n\t"), text


def test_every_rule_is_whole_sentences(portuguese: Catalog) -> None:
    texts = [rule.text for rule in RULEBOOK.rules]
    texts += [text for switch in RULEBOOK.switches for text in (switch.text, *switch.meanings)]
    for text in texts:
        translated = str(portuguese[text].string)
        for sentence in (text, translated):
            assert sentence[0].isupper() and sentence[-1] in ".?", sentence
