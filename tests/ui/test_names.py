"""Names that no font or no voice has: never a box, never two seats that look alike."""

from __future__ import annotations

import shutil

import pytest
from kivy.core.text import Label

from companion.table.names import legible, sayable
from companion.ui import fonts, words
from companion.ui.widgets import Text
from tests.ui.engine import House
from tests.ui.window import Screenful

RARE = {"red": "Zoë 🐉", "blue": "王小明", "green": "علي", "yellow": "Zoë 🦄"}


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch):
    """A system without any font of its own."""
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    for cached in (fonts.can_draw, fonts.font_for, fonts._on_the_system):
        cached.cache_clear()
    yield
    for cached in (fonts.can_draw, fonts.font_for, fonts._on_the_system):
        cached.cache_clear()


def _boxes(s: Screenful) -> list[str]:
    """Texts of the screen with a sign that is drawn as the box for signs that are not there."""
    missing = _look("\ue000")
    found = []
    for text in s.texts():
        font, drawn = fonts.font_for(text)
        found += [text for sign in drawn if not sign.isspace() and _look(sign, font) == missing]
    return found


def _look(sign: str, font: str = fonts.BODY) -> bytes:
    label = Label(text=sign, font_size=32, font_name=font)
    label.refresh()
    return bytes(label.texture.pixels)


def test_what_cannot_be_drawn_is_left_out_and_nobody_looks_alike(open_window, bare) -> None:
    s = open_window(House())
    s.house.begin(list(RARE), RARE)
    s.settle()
    shown = [words.name(seat) for seat in RARE]
    assert shown == ["Red", "Blue", "Green", "Yellow"]
    assert set(shown) <= set(s.texts())
    assert not _boxes(s)


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        ({"red": "Zoë 🐉", "blue": "Bruno"}, {"red": "Zoë", "blue": "Bruno"}),
        ({"red": "Zoë", "blue": "Zoë 🐉"}, {"red": "Zoë"}),
        ({"red": "Ana", "blue": "ana"}, {}),
        ({"red": "🐉", "blue": "Šárka"}, {"blue": "Šárka"}),
        ({"red": "Zoe\u0308", "blue": "Łukasz"}, {"red": "Zoë", "blue": "Łukasz"}),
        ({"red": "王 A", "blue": "123"}, {"red": "A", "blue": "123"}),
        ({"red": "王小明 A", "blue": "Ζωή"}, {"blue": "Ζωή"}),
    ],
)
def test_as_much_as_can_be_drawn(bare, names: dict[str, str], shown: dict[str, str]) -> None:
    assert legible(names, fonts.can_draw) == shown


def test_the_voice_says_what_it_can(bare) -> None:
    assert legible(RARE | {"yellow": "Zoé"}, sayable) == {"red": "Zoë", "yellow": "Zoé"}
    assert legible({"red": "Ζωή", "blue": "Иван"}, sayable) == {}


def test_a_font_of_the_system_draws_what_ours_lack(open_window, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked for once, and used for the whole text. Here one of Kivy's own stands for it."""
    monkeypatch.setattr(fonts, "_on_the_system", lambda signs: "/f/Wide.ttf" if signs <= set("王小明") else "")
    for cached in (fonts.can_draw, fonts.font_for):
        cached.cache_clear()
    assert fonts.font_for("王小明, go") == ("/f/Wide.ttf", "王小明, go")
    assert fonts.font_for("Ana, go") == (fonts.BODY, "Ana, go")
    assert not fonts.can_draw("ع")
    for cached in (fonts.can_draw, fonts.font_for):
        cached.cache_clear()


def test_a_text_with_signs_of_a_wider_font_is_drawn(open_window, bare) -> None:
    """Nothing is cut, nothing is a box: Armenian, and a star."""
    s = open_window(House())
    assert fonts.font_for("Անի ★")[0] == fonts.WIDER
    text = Text(text="Անի ★ 🐉", size=(300, 60))
    s.root.add_widget(text)
    s.settle()
    assert text.fits
