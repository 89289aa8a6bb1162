"""The look as a whole: themes, turned screens, the letters' floor. What is measured is what is drawn."""

from __future__ import annotations

import io
from itertools import combinations
from pathlib import Path

import kivy
import pytest
from babel.messages.pofile import read_po
from kivy.base import EventLoop
from kivy.core.window import Window
from kivy.graphics.opengl import GL_RGBA, GL_UNSIGNED_BYTE, glReadPixels
from kivy.uix.scrollview import ScrollView
from PIL import Image, ImageChops

from companion import resources
from companion.games.sir_holland.state import COLOURS, Lock
from companion.table.ports import Change, Play
from companion.ui import fonts, words
from companion.ui.facing import FACINGS, SIDES, around, side_of
from companion.ui.pen import Pen, Still
from companion.ui.ring import Ring
from companion.ui.screens import keyboard
from companion.ui.theme import LEAST, TEXT_SIZES, c, contrast, look, themes
from companion.ui.widgets import BigButton, Text
from companion.ui.words import LANGUAGES
from tests import screens
from tests.conftest import LONG
from tests.ui import positions
from tests.ui.engine import House
from tests.ui.test_hygiene import Hand

# --- themes ---------------------------------------------------------------------------------------------------------


def _glass() -> Image.Image:
    """What is on the glass now, as an eye sees it."""
    Window.dispatch("on_draw")
    w, h = Window.system_size
    data = bytes(glReadPixels(0, 0, w, h, GL_RGBA, GL_UNSIGNED_BYTE))
    return Image.frombytes("RGBA", (w, h), data).convert("RGB").transpose(Image.Transpose.FLIP_TOP_BOTTOM)


def _rgb(token: str) -> tuple[int, ...]:
    return tuple(round(v * 255) for v in c(token)[:3])


@pytest.mark.parametrize("theme", list(themes()))
def test_a_theme_is_there_at_once_and_everywhere(open_window, theme: str) -> None:
    house = House()
    s = open_window(house)
    house.load(positions.turn(), positions.NAMES)
    s.settle()
    house.send(Change({"theme": theme}))
    s.settle(6)
    seen = _glass()
    counts = {colour: n for n, colour in seen.getcolors(seen.width * seen.height)}
    for token in ("night", "panel", "raised", "stone", "text", "red", "blue", "green", "yellow"):
        assert counts.get(_rgb(token), 0) > 20, f"no {token} to be seen"
    # nothing is left of the theme before
    if theme != "dark":
        old = {v for k, v in themes()["dark"].items() if k not in ("ink", "bone")} - set(themes()[theme].values())
        left = {v: counts.get(tuple(int(v[i : i + 2], 16) for i in (1, 3, 5)), 0) for v in old}
        assert not {v: n for v, n in left.items() if n > 100}


def test_high_contrast_has_no_shadows(open_window) -> None:
    house = House()
    s = open_window(house, settings={"theme": "contrast"})
    house.open()
    s.settle()
    button = s.button("New game")
    x, y = (round(v) for v in button.to_window(button.center_x, button.y - 2))
    assert _glass().getpixel((x, Window.height - 1 - y)) == _rgb("night")


def _drawn(paint, px: int = 64) -> Image.Image:
    """What `paint` draws, as grey."""
    EventLoop.ensure_window()
    words.register_fonts()
    texture = Still().draw(px, px, (0.5, 0.5, 0.5, 1), paint)
    return Image.frombytes("RGBA", (px, px), texture.pixels).convert("L")


@pytest.mark.parametrize("theme", list(themes()))
@pytest.mark.parametrize("px", [26, 40, 64])
def test_seats_are_told_apart_in_grey(theme: str, px: int) -> None:
    """By their shape alone: what is left of two marks after their greys have been made equal still differs."""
    try:
        look.theme = theme

        def silhouette(seat: str, draw: str) -> Image.Image:
            def paint(pen: Pen) -> None:
                pen.box(0, 0, px, px, (1, 1, 1, 1))
                if draw == "mark":
                    pen.mark(seat, 0, 0, px)
                else:
                    pen.figure(f"{seat}.1", 0, 0, px, lying=draw == "lying", number=False)

            return _drawn(paint, px).point(lambda v: 255 if v > 235 else 0)

        for draw in ("mark", "standing", "lying"):
            shapes = {seat: silhouette(seat, draw) for seat in COLOURS}
            for a, b in combinations(COLOURS, 2):
                differ = ImageChops.difference(shapes[a], shapes[b]).histogram()[255]
                assert differ > 0.035 * px * px, (draw, a, b, differ)
    finally:
        look.reset()


READ = ("01_start_saved", "04_choose_held", "06_turn_picked", "07_refusal", "08_round_end")


@pytest.mark.parametrize("theme", list(themes()))
def test_words_stand_out_from_what_is_behind_them(theme: str) -> None:
    """Measured on the glass: every text's colour against the colour that there is most of around it."""
    low = {}
    for name in screens.SCENES if LONG else READ:
        s = screens.open_scene(name, "en", (800, 480), {"theme": theme, "still": True})
        s.settle()
        seen, found = _glass(), []
        for text in s.all(lambda w: isinstance(w, Text) and w.text.strip() and w.width > 1 and w.opacity):
            left, top = (round(v) for v in text.to_window(text.x, text.top))
            box = (left, Window.height - top, left + int(text.width), Window.height - top + int(text.height))
            behind = max((n, colour) for n, colour in seen.crop(box).getcolors(1_000_000))[1]
            ratio = contrast(themes()[theme][text.tint], "#{:02X}{:02X}{:02X}".format(*behind))
            if ratio < 4.5 and not _scrolled_away(text):
                found.append((text.text, text.tint, behind, round(ratio, 1)))
        s.close()
        if found:
            low[name] = found
    assert not low


def _scrolled_away(widget) -> bool:
    """Whether it lies beside what its list shows at the moment."""
    for above in widget.walk_reverse():
        if isinstance(above, ScrollView):
            x, y = above.to_widget(*widget.to_window(*widget.center))
            return not above.collide_point(x, y)
    return False


# --- turned ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("facing", "by"), [(90, 270), (180, 180), (270, 90)])
@pytest.mark.parametrize("size", [(800, 480), (480, 800)])
def test_a_turned_screen_is_that_of_the_turned_size(open_window, facing: int, by: int, size: tuple[int, int]) -> None:
    """Pixel by pixel what an upright screen of the turned size shows, only turned."""
    turned = size[::-1] if facing in (90, 270) else size
    upright = open_window(House(), size=turned)
    upright.house.load(positions.turn(), positions.NAMES)
    upright.settle(5)
    wanted = _picture(upright)
    upright.close()
    s = open_window(House(), size=size, settings={"facing": facing})
    s.house.load(positions.turn(), positions.NAMES)
    s.settle(5)
    assert (look.width, look.height) == turned
    # Pillow turns to the other side
    got = _picture(s).rotate(facing, expand=True)
    assert got.size == wanted.size
    differ = ImageChops.difference(got, wanted).convert("L").point(lambda v: 255 if v > 64 else 0)
    # soft edges of lines lie a little otherwise
    assert differ.histogram()[255] < 0.004 * got.width * got.height


def _picture(s) -> Image.Image:
    data = io.BytesIO()
    s.root.export_as_image().save(data, fmt="png", flipped=False)
    return Image.open(data).convert("RGB")


@pytest.mark.parametrize("facing", FACINGS)
def test_a_turn_is_played_on_a_turned_screen(open_window, facing: int) -> None:
    house = House()
    s = open_window(house, settings={"facing": facing})
    house.load(positions.turn(), positions.NAMES)
    s.settle()
    s.square("a2")
    s.square("b4")
    assert s.root.now.view["figures"]["red.1"] == "b4"
    # a sheet lies turned over it, and is shut where it is touched
    s.tap(s.root.screen.head.ids.menu)
    assert s.root.sheet is not None
    s.press("Back to the table")
    assert s.root.sheet is None
    s.press("Put it right")
    assert s.screen == "put_right"


def test_sides_go_clockwise() -> None:
    for seats in SIDES:
        sides = SIDES[seats]
        assert list(sides) == sorted(sides)
        assert sides[0] == 0
    assert side_of("green", ("red", "blue", "green", "yellow")) == 180
    assert side_of("green", ("yellow", "green")) == 180
    assert around(4, 270) == (3, True)
    # nobody sits at the left of two, so the next one clockwise is the one opposite
    assert around(2, 90) == (1, False)
    assert around(3, 270) == (0, False)


@pytest.mark.parametrize("facing", FACINGS)
@pytest.mark.parametrize("count", [2, 3, 4])
def test_the_ring_turns_with_the_reader(facing: int, count: int) -> None:
    """Whoever sits at the side that the screen faces is drawn at the bottom, and the next seat to the left of them."""
    seats = list(COLOURS[:count])
    try:
        look.facing = facing
        ring = Ring(seats=seats, size=(300, 300))
        places = ring.places()
        reader = [seat for seat in seats if side_of(seat, seats) == facing]
        if reader:
            assert min(places, key=lambda seat: places[seat][1]) == reader[0]
        x0, y0 = ring.center
        for seat, after in zip(seats, seats[1:] + seats[:1], strict=True):
            (x1, y1), (x2, y2) = places[seat], places[after]
            # to the left is clockwise, seen from above, whoever looks
            turn = (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0)
            assert turn < 1 if count > 2 else abs(turn) < 1
    finally:
        look.reset()


def test_it_turns_to_whoever_acts_but_not_under_a_finger(open_window) -> None:
    house = House()
    s = open_window(house, settings={"follow": True})
    house.load(positions.choosing(), positions.NAMES)
    for seat, card in (("red", 3), ("blue", 2), ("green", 1), ("yellow", 7)):
        house.send(Play(Lock(seat, card)))
    s.settle()
    assert look.facing == 0
    s.press("Reveal")
    s.settle()
    first = s.root.now.awaited[0][0]
    assert first == "green"
    # all read who goes first: it turns with the turn
    s.tap(s.one(lambda w: isinstance(w, BigButton) and w.lit))
    s.settle()
    assert s.screen == "turn"
    assert look.facing == side_of(first, s.root.now.view["seats"])
    hand = Hand(s)
    hand.down("resting", 5, 5)
    house.load({**positions.turn(), "seats": s.root.now.view["seats"]}, positions.NAMES)
    s.settle()
    assert s.root.now.awaited[0][0] == "red"
    assert look.facing == 180
    hand.up("resting")
    s.settle()
    assert look.facing == 0


def test_it_does_not_turn_away_from_an_open_door(open_window) -> None:
    house = House()
    s = open_window(house, settings={"follow": True})
    house.load(positions.turn(), positions.NAMES)
    s.settle()
    s.root.open("settings")
    state = positions.turn(queue=["blue", "yellow"])
    state["turn"]["seat"] = "blue"
    house.load(state, positions.NAMES)
    s.settle()
    assert s.root.now.awaited[0][0] == "blue"
    assert (s.screen, look.facing) == ("settings", 0)
    # but what is set there is seen at once
    house.send(Change({"follow": False, "facing": 180}))
    s.settle()
    assert (s.screen, look.facing) == ("settings", 180)
    house.send(Change({"follow": True}))
    s.root.back()
    s.settle()
    assert (s.screen, look.facing) == ("turn", 90)


# --- letters --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", list(TEXT_SIZES))
def test_letters_are_as_large_as_was_asked_for(open_window, text: str) -> None:
    house = House()
    s = open_window(house, settings={"text": text})
    house.load(positions.turn(), positions.NAMES)
    s.settle()
    sizes = [w.font_size for w in s.walk() if isinstance(w, Text) and w.text and w.width > 1]
    assert min(sizes) >= LEAST[text]
    assert s.root.screen.head.ids.sentence.font_size >= {"normal": 25, "large": 29, "huge": 30}[text]
    assert s.root.screen.tower.pitch >= 56


def _letters(lang: str) -> set[str]:
    """All letters of that language that may come to the screen."""
    texts: list[str] = [*keyboard.ROWS, LANGUAGES[lang]]
    for path in sorted(resources.path("locale").glob("*/LC_MESSAGES/*.po")):
        if lang not in ("en", path.parent.parent.name):
            continue
        with path.open("rb") as file:
            for entry in read_po(file):
                text = entry.id if lang == "en" else entry.string
                texts += text if isinstance(text, tuple) else [text]
    return {letter for text in texts for letter in text if not letter.isspace()}


@pytest.mark.parametrize("lang", list(LANGUAGES))
@pytest.mark.parametrize("cut", ["Regular", "Bold"])
def test_the_font_has_every_letter(lang: str, cut: str) -> None:
    """Roboto shows everything; what the heading font lacks is shown in Roboto, too."""
    font = Path(kivy.kivy_data_dir) / "fonts" / f"Roboto-{cut}.ttf"
    has = set(fonts.cmap(font.read_bytes()))
    letters = _letters(lang) | set("äöüßÄÖÜ")
    assert len(letters) > 70
    assert not {letter for letter in letters if ord(letter) not in has}
