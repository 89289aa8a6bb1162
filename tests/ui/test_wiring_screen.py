"""The pictures of the wiring on the screen: whole, near, moved by a finger; and drawn from those of hardware/."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from companion.ui.screens.wiring import PICTURES, file, pins
from companion.ui.widgets import BigButton
from kv.wiring import make_pictures
from tests.ui.doors import drag, opened

FOLDERS = make_pictures.folders()
DRAWN = [(source, pictures) for sources, pictures in FOLDERS.values() for source in sorted(sources.glob("*.svg"))]


def rgb(file: Path | io.BytesIO) -> Image.Image:
    return Image.open(file).convert("RGB")


@pytest.mark.parametrize("lang", FOLDERS)
def test_every_drawing_has_its_picture_and_its_name(lang: str) -> None:
    sources, pictures = FOLDERS[lang]
    assert {source.stem for source in sources.glob("*.svg")} == set(PICTURES)
    assert {path.stem for path in pictures.glob("*.png")} == set(PICTURES)
    assert all(file(name, lang).parent == pictures for name in PICTURES)


@pytest.mark.parametrize(("source", "pictures"), DRAWN, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_pictures_are_up_to_date(source: Path, pictures: Path) -> None:
    """Else: python kv/wiring/make_pictures.py."""
    shown, drawn = rgb(pictures / f"{source.stem}.png"), rgb(io.BytesIO(make_pictures.draw(source)))
    assert shown.size == drawn.size and max(shown.size) <= make_pictures.LARGEST
    assert max(ImageStat.Stat(ImageChops.difference(shown, drawn)).mean) < 0.5


@pytest.mark.parametrize(("source", "pictures"), DRAWN, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_wire_keeps_its_colour(source: Path, pictures: Path) -> None:
    wires = set(re.findall(r'stroke="(#[0-9a-f]{6})" stroke-width', source.read_text(encoding="utf-8")))
    picture = rgb(pictures / f"{source.stem}.png")
    counted = {"#" + bytes(colour).hex(): many for many, colour in picture.getcolors(1000)}
    assert len(wires) >= 3
    assert all(counted.get(wire, 0) > 200 for wire in wires), counted


@pytest.mark.parametrize("lang", FOLDERS)
@pytest.mark.parametrize("name", PICTURES)
def test_lists_of_pins_are_up_to_date(name: str, lang: str) -> None:
    """Else: python kv/wiring/make_pictures.py."""
    assert file(name, lang, "json").read_text(encoding="utf-8") == make_pictures.pins(name, lang)
    assert all(own and far for _part, rows in pins(name, lang) for own, far in rows)


def test_every_pin_is_listed(open_window) -> None:
    _house, s = opened(open_window)
    s.root.open("wiring", picture="four-rc522")
    s.settle()
    s.press("List of the pins")
    wanted = {text for part, rows in pins("four-rc522", "en") for row in rows for text in (part, *row)}
    seen = set(s.texts())
    while any(b.text == "More" for b in s.buttons() if isinstance(b, BigButton)):
        s.press("More")
        if wanted <= (seen := seen | set(s.texts())):
            break
    assert wanted <= seen
    s.root.open("wiring", picture="four-rc522", pins=True)
    s.settle()
    s.press("Done")
    assert s.screen == "wiring" and s.root.screen.picture


def test_the_picture_speaks_the_language_of_the_screen(open_window) -> None:
    """Another language, another picture, also while it is looked at."""
    _house, s = opened(open_window)
    s.root.open("wiring", picture="pi-matrix")
    s.settle()

    def shown() -> Image.Image:
        texture = s.root.screen.picture.texture
        return Image.frombytes("RGBA", texture.size, texture.pixels).convert("RGB")

    def same(lang: str) -> bool:
        picture, wanted = shown(), rgb(file("pi-matrix", lang))
        return picture.size == wanted.size and max(ImageStat.Stat(ImageChops.difference(picture, wanted)).mean) < 0.5

    assert same("en") and not same("pt")
    s.root.change_language("pt")
    s.settle()
    assert same("pt") and not same("en")


def test_whole_near_and_moved(open_window) -> None:
    _house, s = opened(open_window)
    s.root.open("devices")
    s.settle()
    s.press("Wiring")
    s.press("Four PN532 readers on one Pico")
    picture = s.root.screen.picture
    near = picture._picture.size
    # the upper left corner, where the board begins
    assert abs(picture._picture.pos[0] - picture.x) < 1
    assert abs(picture._picture.pos[1] + near[1] - picture.top) < 1
    s.touch(*picture.to_window(picture.center_x, picture.center_y))
    whole = picture._picture.size
    assert whole[0] <= picture.width + 1 and whole[1] <= picture.height + 1
    assert near[1] > 2 * whole[1]
    s.touch(*picture.to_window(picture.center_x, picture.center_y))
    assert picture._picture.size == near
    before = picture._picture.pos
    drag(s, picture.to_window(picture.center_x, picture.center_y), picture.to_window(picture.center_x, picture.top - 9))
    assert picture.near and picture._picture.pos[1] > before[1]
    low, high = (picture.to_window(picture.center_x, y) for y in (picture.y + 5, picture.top - 5))
    for _ in range(9):  # never past its edge
        drag(s, low, high)
    assert abs(picture._picture.pos[1] - picture.y) < 1
    s.touch(*picture.to_window(picture.center_x, picture.center_y))
    assert picture._picture.size == whole
    s.press("Back")
    s.press("Done")
    assert s.screen == "devices"
