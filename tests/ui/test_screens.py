"""Every screen, with everything on it: words fit, targets are large enough, nothing says what it must not."""

from __future__ import annotations

from itertools import groupby, product

import pytest
from kivy.base import EventLoop
from kivy.graphics.texture import Texture
from kivy.uix.label import Label
from kivy.uix.scrollview import ScrollView

from companion.ui import words
from companion.ui.boards.sir_holland.tower import Tower
from companion.ui.pen import Pen, Still, letters
from companion.ui.screens import cover
from companion.ui.screens.round_end import Task
from companion.ui.theme import TEXT_SIZES, contrast, look, t, themes
from companion.ui.widgets import BigButton, Text, Touchable
from tests import screens
from tests.conftest import LONG
from tests.ui import boxes, window
from tests.ui.engine import House
from tests.ui.long_words import LANG, spoken

LEAST = 48
"""Pixels of the design screen; its 133 dots an inch make 9 mm of them."""
NINE_MM = 9 / 25.4 * 133


def _misfits(screenful) -> list[str]:
    """What does not fit, is too small to touch, or says nothing."""
    found = []
    for widget in screenful.walk():
        shown = isinstance(widget, Text) and widget.text and widget.width > 1
        if shown and (not widget.fits or widget.height < 2):
            found.append(f"text {widget.text!r} does not fit {_size(widget)}")
        said = [getattr(widget, name, "") for name in ("text", "sub")] if hasattr(widget, "text") else []
        found += [f"{text!r} is cut" for text in said if text.endswith(("…", "...")) and text != words._("Thinking …")]
        if isinstance(widget, Label) and not isinstance(widget, Text) and widget.text:
            high = widget.texture_size[1] if widget.texture_size[0] <= widget.width + 1 else 1e9
            if high > widget.height + 1:
                found.append(f"label {widget.text!r} does not fit {_size(widget)}")
        if isinstance(widget, BigButton) and not widget.fits:
            found.append(f"button {widget.text!r} / {widget.sub!r} does not fit {_size(widget)}")
        if isinstance(widget, Touchable) and not widget.off:
            if min(widget.size) < LEAST - 1:
                found.append(f"button {getattr(widget, 'text', '')!r} is only {_size(widget)}")
            if not _scrolls(widget) and not _inside(widget):
                found.append(f"button {getattr(widget, 'text', '')!r} leaves the screen")
        # 48 is 9 mm on the small screen; without a line of trouble under it the tower has more room
        least = LEAST if screenful.root.statuses else 56
        if isinstance(widget, Tower) and screenful.screen == "turn" and widget.pitch < least:
            found.append(f"squares of {widget.pitch}")
    head = getattr(screenful.root.screen, "head", None)
    if head is not None and not head.sentence:
        found.append("no sentence at the top")
    return found


def _size(widget) -> str:
    return f"{widget.width:.0f}x{widget.height:.0f}"


def _scrolls(widget) -> bool:
    return any(isinstance(above, ScrollView) for above in widget.walk_reverse() if above is not widget)


def _inside(widget) -> bool:
    """Whether it lies on the picture with all its corners."""
    left, low = widget.x, widget.y
    right, top = widget.to_widget(*widget.to_window(widget.right, widget.top))
    return left > -1 and low > -1 and right < look.width + 1 and top < look.height + 1


SHAPES = [(800, 480), (480, 800), (1024, 600), (1280, 800), (720, 1280)]
LANGS = ["en", "pt", LANG]
ALL = list(product(SHAPES, TEXT_SIZES, LANGS))
"""45 ways to show every scene."""
TIGHT = [((800, 480), "huge", LANG), ((480, 800), "huge", LANG)]
"""Where it is tightest."""
USUAL = ((800, 480), "normal", "en")
"""Where most is shown."""


@pytest.mark.parametrize("scene", screens.SCENES)
def test_everything_fits_and_can_be_touched(scene: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No two boxes lie over each other, every text fits, targets are large. In all 45 ways in `make long`."""
    ways = ALL if LONG else [*TIGHT, USUAL]
    monkeypatch.setattr(window.Screenful, "draws", False)
    # places and sizes need no picture
    blank = Texture.create((2, 2))
    monkeypatch.setattr(Still, "draw", lambda *_: blank)
    monkeypatch.setattr(cover, "HOLD", 0.02)
    with spoken():
        found = {way: misfits for way in ways if (misfits := fit(scene, *way))}
    assert not found


def fit(scene: str, size: tuple[int, int], text: str, lang: str) -> list[str]:
    """What is wrong with a scene shown in that way."""
    screenful = screens.open_scene(scene, lang, size, {"text": text})
    misfits = _misfits(screenful) + boxes.faults(screenful)
    screenful.close()
    return misfits


@pytest.mark.parametrize("text", ["normal", "huge"])
def test_a_reason_is_not_written_small_for_the_sake_of_a_note(text: str) -> None:
    """Why not is the point of a refusal; whose reading it is goes first."""
    s = screens.open_scene("07_refusal", "pt", (480, 800), {"text": text})
    ids = s.root.screen.notice.panel.ids
    assert ids.words.font_size >= t(17)
    assert not ids.foot.text
    s.close()


def test_boxes_that_lie_over_each_other_are_found(open_window) -> None:
    """A box that is moved over another one, and one that is larger than what holds it."""
    s = open_window(House())
    screens.SCENES["08_round_end_plain"](s)
    s.settle()
    assert not boxes.faults(s)
    task = s.all(lambda w: isinstance(w, Task))[0]
    task.y += 60
    s.lay_out()
    assert any("lies over" in fault for fault in boxes.faults(s))
    task.y -= 60
    task.children[0].width *= 2
    assert any("leaves" in fault for fault in boxes.faults(s))


def test_a_target_is_nine_millimetres() -> None:
    assert LEAST >= NINE_MM


@pytest.mark.parametrize("theme", ["dark", "light", "contrast", "colour_blind"])
def test_contrast(theme: str) -> None:
    pairs = [
        ("text", "night", 4.5), ("text", "panel", 4.5), ("text", "raised", 4.5), ("muted", "night", 4.5),
        ("muted", "panel", 4.5), ("muted", "raised", 4.5), ("on_act", "act", 4.5), ("refuse", "panel", 4.5),
        ("refuse", "refuse_bg", 4.5), ("text", "refuse_bg", 4.5), ("ok", "panel", 4.5), ("ok", "ok_bg", 4.5),
        ("text", "ok_bg", 4.5), ("on_red", "red", 4.5), ("on_blue", "blue", 4.5), ("on_green", "green", 4.5),
        ("on_yellow", "yellow", 4.5), ("ink", "lit", 4.5), ("ink", "stone", 3), ("act", "night", 3),
        ("line", "night", 3), ("line", "panel", 3), ("line", "raised", 3), ("bone", "ink", 4.5),
        ("on_tower", "tower", 4.5), ("ok", "night", 3), ("ink", "bone", 4.5),
    ]  # fmt: skip
    tokens = themes()[theme]
    low = {(a, b): contrast(tokens[a], tokens[b]) for a, b, floor in pairs if contrast(tokens[a], tokens[b]) < floor}
    assert not low


def test_seats_have_their_own_letters() -> None:
    for lang in words.LANGUAGES:
        words.speak(lang)
        codes = [words.code(seat) for seat in words.CODES]
        assert len(set(codes)) == 4
        assert all(len(code) <= 2 for code in codes)
    words.speak("en")


@pytest.mark.parametrize("width", [52, 60, 76, 104, 122, 160])
@pytest.mark.parametrize("number", range(1, 8))
def test_number_and_drawing_of_a_card_keep_apart(number: int, width: int) -> None:
    """From top to bottom: the number, nothing, the drawing; with its name under it where there is room."""
    EventLoop.ensure_window()
    words.register_fonts()
    look.resize(800, 480)
    look.use({"text": "normal"})
    high = round(width * 1.36)
    texture = Still().draw(width, high, (1, 1, 1, 1), lambda pen: pen.card(number, 0, 0, width, "red"))
    # rows count from the bottom; ink has hardly any red, the edge and the paper have much
    reds = texture.pixels[::4]
    inked = [min(reds[y * width : (y + 1) * width]) < 128 for y in range(high)]
    bands = [len(list(rows)) for ink, rows in groupby(inked) if ink]
    assert len(bands) >= (3 if width >= 76 and number != 2 else 2)
    assert width * 0.15 < bands[-1] < width * 0.35


def test_things_that_have_no_room_are_not_drawn() -> None:
    EventLoop.ensure_window()
    words.register_fonts()

    def paint(pen: Pen) -> None:
        for w in range(-12, 12):
            pen.card(1, 0, 0, w, "red", picked=True)
            pen.used(1, 0, 0, w)
            pen.box(0, 0, w, 5, (1, 1, 1, 1), 7)
            pen.frame(0, 0, w, 5, (1, 1, 1, 1), 2, 7)

    for _ in range(20):
        Still().draw(35, 5, (0, 0, 0, 1), paint)


def test_letters_are_drawn_once() -> None:
    assert letters("Ana", 20) is letters("Ana", 20)
