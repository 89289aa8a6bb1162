"""Every sentence of the program stands in every language: once, finished, and with the same fields.

Each failure names the file in which the msgid is written, so that its author knows where to look.
"""

from __future__ import annotations

import argparse
import ast
import gettext
import re
import shutil
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po

from companion import cli
from companion.locale.catalogues import compile_catalogues
from hardware import signals

ROOT = Path(__file__).resolve().parents[2]
LOCALE = ROOT / "companion" / "locale"
LANGUAGES = sorted(p.name for p in LOCALE.iterdir() if (p / "LC_MESSAGES").is_dir())
CODES = {"pt": "pt_BR"}
"""What a folder's catalogues call their language."""
KEYWORDS = {"msg": (1,), "msgn": (1, 2), "N_": (1,), "_": (1,)}
IN_KV = re.compile(r"""\b_\(\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""")

Msgid = str | tuple[str, str]


# --- what is written ----------------------------------------------------------------------------------------------


def python_files() -> list[Path]:
    wiring = [ROOT / "hardware" / name for name in ("drawings.py", "sheets.py", "wirings.py")]
    return [*sorted((ROOT / "companion").rglob("*.py")), *wiring]


def by_babel(path: Path) -> set[Msgid]:
    found = extract_from_file("python", path, keywords=KEYWORDS)
    return {message for _, message, _, _ in found if message}


def by_grammar(path: Path) -> set[Msgid]:
    """The constant first arguments of the calls, also of those within another call, which babel does not see."""
    found: set[Msgid] = set()
    for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in KEYWORDS:
            texts = [a.value for a in call.args[: len(KEYWORDS[call.func.id])] if isinstance(a, ast.Constant)]
            if len(texts) == 2:
                found.add((texts[0], texts[1]))
            elif texts:
                found.add(texts[0])
    return found


def in_kv(path: Path) -> set[Msgid]:
    return {ast.literal_eval(text) for text in IN_KV.findall(path.read_text(encoding="utf-8"))}


def device_reasons() -> set[Msgid]:
    """What hardware gives as the reason of a fault; border.py makes messages of it."""
    return {text for name, text in vars(signals).items() if name.isupper() and isinstance(text, str)}


def all_written() -> dict[Msgid, set[str]]:
    """msgid -> the files in which it is written."""
    found: dict[Msgid, set[str]] = defaultdict(set)
    for path in python_files():
        for msgid in by_babel(path) | by_grammar(path):
            found[msgid].add(path.relative_to(ROOT).as_posix())
    for path in sorted((ROOT / "kv").rglob("*.kv")):
        for msgid in in_kv(path):
            found[msgid].add(path.relative_to(ROOT).as_posix())
    for msgid in device_reasons():
        found[msgid].add("hardware/signals.py")
    return found


# --- what is translated -------------------------------------------------------------------------------------------


def read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3], domain=path.stem, abort_invalid=True)


def no_faults(faults: Mapping[str, Iterable[object]]) -> None:
    """Fail with all faults, file by file."""
    lines = [f"{place}:\n" + "\n".join(sorted(f"    {f}" for f in faults[place])) for place in sorted(faults)]
    if any(faults.values()):
        pytest.fail("\n".join(lines), pytrace=False)


@pytest.fixture(scope="module")
def written() -> dict[Msgid, set[str]]:
    return all_written()


@pytest.fixture(scope="module", params=LANGUAGES)
def catalogues(request) -> dict[str, Catalog]:
    """The catalogues of one language by name of file."""
    folder = LOCALE / request.param / "LC_MESSAGES"
    return {p.relative_to(LOCALE).as_posix(): read(p) for p in sorted(folder.glob("*.po"))}


def messages(catalogues: Mapping[str, Catalog]) -> list[tuple[str, Msgid, tuple[str, ...]]]:
    """File, msgid and translations (two for a sentence that counts) of every entry."""
    return [
        (name, message.id, (message.string,) if isinstance(message.string, str) else tuple(message.string))
        for name, catalogue in catalogues.items()
        for message in catalogue
        if message.id
    ]


# --- the tests ----------------------------------------------------------------------------------------------------


def test_there_is_portuguese_besides_english() -> None:
    assert LANGUAGES == ["pt"]


def test_the_tests_see_what_is_written(written) -> None:
    """A scan that found nothing would let everything pass."""
    assert "companion/games/sir_holland/explain.py" in written["{seat:seat} wins!"]
    assert any(isinstance(msgid, tuple) for msgid in written)
    assert written[signals.UNPLUGGED] == {"hardware/signals.py"}
    assert len(device_reasons()) >= 12
    assert IN_KV.findall("""text: _("Don't") + _( 'say "no"' ) + some_("other")""") == ['"Don\'t"', "'say \"no\"'"]


def test_no_text_is_put_together_before_it_is_marked() -> None:
    """An f-string, a sum or a format() as the msgid would never be found in a catalogue."""
    faults = defaultdict(list)
    for path in python_files():
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in KEYWORDS:
                for text in call.args[: len(KEYWORDS[call.func.id])]:
                    if isinstance(text, ast.JoinedStr | ast.BinOp | ast.Call):
                        faults[path.relative_to(ROOT).as_posix()].append(f"line {call.lineno}: {ast.unparse(call)}")
    no_faults(faults)


def test_every_text_is_translated(written, catalogues) -> None:
    translated = {msgid for _, msgid, texts in messages(catalogues) if all(t.strip() for t in texts)}
    faults = defaultdict(list)
    for msgid, files in written.items():
        if msgid not in translated:
            for file in files:
                faults[file].append(repr(msgid))
    no_faults(faults)


def test_nothing_else_is_translated(written, catalogues) -> None:
    faults = defaultdict(list)
    for file, msgid, _ in messages(catalogues):
        if msgid not in written:
            faults[file].append(repr(msgid))
    for file, catalogue in catalogues.items():
        if catalogue.obsolete:
            faults[file] += [f"obsolete: {msgid!r}" for msgid in catalogue.obsolete]
    no_faults(faults)


def test_no_entry_is_empty_or_unsure(catalogues) -> None:
    faults = defaultdict(list)
    for file, catalogue in catalogues.items():
        if unsure := [f"fuzzy: {m.id!r}" for m in catalogue if m.id and m.fuzzy]:
            faults[file] += unsure
    for file, msgid, texts in messages(catalogues):
        if not all(t.strip() for t in texts):
            faults[file].append(f"empty: {msgid!r}")
    no_faults(faults)


def test_a_text_has_one_translation(catalogues) -> None:
    """Of two catalogues the first by name would win, of two entries in one file the last."""
    found: dict[Msgid, dict[tuple[str, ...], list[str]]] = defaultdict(lambda: defaultdict(list))
    for file, msgid, texts in messages(catalogues):
        found[msgid][texts].append(file)
    faults = {
        repr(msgid): [f"{files}: {texts}" for texts, files in ways.items()]
        for msgid, ways in found.items()
        if len(ways) > 1
    }
    no_faults(faults)
    for file, catalogue in catalogues.items():
        entries = len(re.findall(r"^msgid ", (LOCALE / file).read_text(encoding="utf-8"), re.MULTILINE))
        assert entries == len(catalogue) + 1, f"{file} holds a msgid twice"  # the header is an entry, too


def test_a_sentence_that_counts_counts_in_one_way(written) -> None:
    """gettext looks a pair up by its first sentence, so that this one must not be written alone or with another."""
    firsts = [msgid if isinstance(msgid, str) else msgid[0] for msgid in written]
    assert sorted(firsts) == sorted(set(firsts))


def fields(text: str) -> list[tuple[str, str]]:
    """Name and kind of every field, each once; the order may differ between languages."""
    return sorted({(name, kind or "") for _, name, kind, _ in Formatter().parse(text) if name is not None})


def test_fields_survive_translation(catalogues) -> None:
    faults = defaultdict(list)
    for file, msgid, texts in messages(catalogues):
        wanted = fields(msgid if isinstance(msgid, str) else msgid[1])
        for text in texts:
            try:
                same = fields(text) == wanted
            except ValueError as error:
                faults[file].append(f"{msgid!r}: {error}")
            else:
                if not same:
                    faults[file].append(f"{msgid!r}: {fields(text)} instead of {wanted}")
    no_faults(faults)


def test_sentences_end_and_begin_alike(catalogues) -> None:
    """Full stop for full stop, capital for capital, no blank too much."""
    faults = defaultdict(list)
    for file, msgid, texts in messages(catalogues):
        for source, text in zip((msgid,) if isinstance(msgid, str) else msgid, texts, strict=True):
            if text != text.strip() or "  " in text:
                faults[file].append(f"blanks: {text!r}")
            if (source[-1] in ".:?!") != (text[-1:] in tuple(".:?!")):
                faults[file].append(f"end: {text!r}")
            if source[0].isupper() and text[:1].islower():
                faults[file].append(f"capital: {text!r}")
    no_faults(faults)


def test_no_field_is_contracted_with_the_word_before(catalogues) -> None:
    """A name may bring its article ("o terraço") or none ("c2"). "Até {at}" fits both, "no {at}" neither."""
    faults = defaultdict(list)
    for file, _, texts in messages(catalogues):
        for text in texts:
            if re.search(r"\b(no|na|do|da|ao|à|pelo|pela|num|numa|dum|duma) \{\w+:(figures?|squares?|seats?)", text):
                faults[file].append(repr(text))
    no_faults(faults)


NAMED = re.compile(r": gryphon ((?:[a-z-]+ ?)+)")
"""A command as a sentence tells it."""


def commands(parser: argparse.ArgumentParser) -> set[str]:
    """What may stand behind `gryphon`, whole: "doctor", "devices", "devices test", ..."""
    found = set()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, child in action.choices.items():
                below = {f"{name} {rest}" for rest in commands(child)}
                found |= below if action.required and below else {name} | below
    return found


def test_commands_that_sentences_name_can_be_typed(written, catalogues) -> None:
    known = commands(cli._parser())
    said = [(file, text) for file, _, translations in messages(catalogues) for text in translations]
    said += [(file, msgid) for msgid, files in written.items() if isinstance(msgid, str) for file in files]
    faults = defaultdict(list)
    seen = set()
    for file, text in said:
        for name in NAMED.findall(text):
            command = name.strip().split(" --")[0]
            seen.add(command)
            if command not in known:
                faults[file].append(f"gryphon {command}: {text!r}")
    assert {"firmware install", "devices test"} <= seen
    no_faults(faults)


def test_headers(catalogues) -> None:
    for file, catalogue in catalogues.items():
        head = {name.lower(): value for name, value in catalogue.mime_headers}
        language = file.split("/", maxsplit=1)[0]
        assert head["content-type"].lower() == "text/plain; charset=utf-8", file
        assert head["language"] == CODES[language], file
        assert (catalogue.num_plurals, catalogue.plural_expr) == (2, "(n > 1)"), file
        assert not catalogue.fuzzy, file


def test_every_catalogue_compiles_and_is_read_back(tmp_path, catalogues) -> None:
    copy = tmp_path / "locale"
    shutil.copytree(LOCALE, copy, ignore=shutil.ignore_patterns("*.mo", "*.py", "__pycache__"))
    assert {p.relative_to(copy).with_suffix(".po").as_posix() for p in compile_catalogues(copy)} >= set(catalogues)
    assert compile_catalogues(copy) == []
    compiled = {}
    for file in catalogues:
        with (copy / file).with_suffix(".mo").open("rb") as stream:
            compiled[file] = gettext.GNUTranslations(stream)
    for file, msgid, texts in messages(catalogues):
        if isinstance(msgid, str):
            assert compiled[file].gettext(msgid) == texts[0]
        else:
            found = [compiled[file].ngettext(*msgid, n) for n in (0, 1, 2, 5)]
            assert found == [texts[0], texts[0], texts[1], texts[1]]
