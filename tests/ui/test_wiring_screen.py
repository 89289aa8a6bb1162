"""The pictures of the wiring on the screen: whole, near, moved by a finger; and drawn from those of hardware/."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from companion import resources
from companion.ui.screens.wiring import PICTURES
from kv.wiring import make_pictures
from tests.ui.doors import drag, opened

SOURCES = sorted(make_pictures.SOURCES.glob("*.svg"))


def test_every_drawing_has_its_picture_and_its_name() -> None:
    names = {source.stem for source in SOURCES}
    assert names == set(PICTURES) == {path.stem for path in resources.path("kv", "wiring").glob("*.png")}


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_pictures_are_up_to_date(source: Path) -> None:
    """Else: python kv/wiring/make_pictures.py."""
    shown = Image.open(resources.path("kv", "wiring", f"{source.stem}.png")).convert("RGB")
    drawn = Image.open(io.BytesIO(make_pictures.draw(source))).convert("RGB")
    assert shown.size == drawn.size and max(shown.size) <= make_pictures.LARGEST
    assert max(ImageStat.Stat(ImageChops.difference(shown, drawn)).mean) < 0.5


def test_whole_near_and_moved(open_window) -> None:
    _house, s = opened(open_window)
    s.root.open("devices")
    s.settle()
    s.press("Wiring")
    s.press("Four PN532 readers on one Pico")
    picture = s.root.screen.picture
    whole = picture._picture.size
    assert whole[0] <= picture.width + 1 and whole[1] <= picture.height + 1
    s.touch(*picture.to_window(picture.center_x, picture.center_y))
    near = picture._picture.size
    assert near[1] > 2 * whole[1]
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
