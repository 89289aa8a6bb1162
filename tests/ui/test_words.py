"""Texts of the screens: all translated, all drawn, one catalogue."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from companion import resources
from companion.ui import words
from companion.ui.theme import SIZES, themes
from tests.ui.catalogue import PO, ROOT, texts


def _catalogue(path: Path = PO):
    with path.open("rb") as file:
        return read_po(file, locale="pt")


def test_every_text_is_translated() -> None:
    found = {_first(e.id): e for path in PO.parent.glob("*.po") for e in _catalogue(path) if e.id}
    missing = []
    for text in texts():
        entry = found.get(text[0] if isinstance(text, tuple) else text)
        filled = entry is not None and (all(entry.string) if isinstance(entry.string, tuple) else entry.string)
        if not filled:
            missing.append(text)
    assert not missing


def test_no_text_is_stale() -> None:
    known = {t[0] if isinstance(t, tuple) else t for t in texts()}
    stale = [entry.id for entry in _catalogue() if entry.id and _first(entry.id) not in known]
    assert not stale


def test_fields_survive_translation() -> None:
    from string import Formatter

    def fields(text: str) -> list[str]:
        return sorted(f"{name}:{kind}" for _, name, kind, _ in Formatter().parse(text) if name)

    for entry in _catalogue():
        if entry.id:
            for text in entry.string if isinstance(entry.string, tuple) else (entry.string,):
                assert fields(text) == fields(_first(entry.id)), text


def _first(id: str | tuple[str, ...]) -> str:
    return id[0] if isinstance(id, tuple) else id


def _drawn(char: str, font: str) -> bytes:
    from kivy.core.text import Label

    label = Label(text=char, font_size=24, font_name=font)
    label.refresh()
    return bytes(label.texture.pixels) if label.texture else b""


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_every_letter_is_drawn_by_its_font(lang: str) -> None:
    from kivy.base import EventLoop

    EventLoop.ensure_window()
    words.register_fonts()
    found = {"".join(t) if isinstance(t, tuple) else t for t in texts()}
    if lang != "en":
        found = set()
        for path in sorted(resources.path("locale").glob(f"{lang}/LC_MESSAGES/*.po")):
            for entry in _catalogue(path):
                found.update(entry.string if isinstance(entry.string, tuple) else (entry.string,))
    chars = sorted({ch for text in found for ch in text if not ch.isspace()})
    nothing = _drawn("\ue000", words.BODY)
    assert [ch for ch in chars if _drawn(ch, words.BODY) == nothing] == []
    nothing = _drawn("\ue000", words.HEADING)
    heading = [ch for ch in chars if words.heading_font(ch) == words.HEADING]
    assert len(heading) > 60
    assert [ch for ch in heading if _drawn(ch, words.HEADING) == nothing] == []


def test_a_heading_without_its_glyphs_is_in_roboto() -> None:
    assert words.heading_font("Clara") == words.HEADING
    assert words.heading_font("Łucja Ж") == words.BODY


def test_a_colour_is_no_name() -> None:
    words.speak("en", names={"red": "Red", "blue": "Azul", "green": "", "yellow": "Davi"})
    assert [words.name(s) for s in ("red", "blue", "green", "yellow")] == ["Red", "Blue", "Green", "Davi"]
    words.speak("pt")
    assert words.name("red") == "Vermelho"
    words.speak("en", names={})


def test_art_matches_its_sources() -> None:
    import json

    sources = {p.stem for p in (ROOT / "kv/art").glob("*.svg")}
    of_seats = {s for s in sources if s.startswith(("seat_", "hero_"))}
    assert len(of_seats) == 12
    drawn = sorted((ROOT / "kv/art").glob("*.json"))
    assert len(drawn) == len(SIZES) * (len(themes()) + 1)
    for places in drawn:
        wanted = sources - of_seats if places.name.startswith("all-") else of_seats
        assert set(json.loads(places.read_text(encoding="utf-8"))) == wanted
        assert places.with_suffix(".png").exists()
