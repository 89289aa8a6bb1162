"""Contact sheets of all screens in every other look, and the README's pictures.

`python -m tests.sheets [LOOK ...]` draws sheets into SCREENS_DIR/sheets (build/screens/sheets);
`python -m tests.sheets readme` draws the pictures of the README anew, into tests/ui/pictures.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from tests import screens

LOOKS: dict[str, tuple[tuple[int, int], str, dict[str, Any]]] = {
    "light": ((800, 480), "en", {"theme": "light"}),
    "contrast": ((800, 480), "en", {"theme": "contrast"}),
    "colour_blind": ((800, 480), "en", {"theme": "colour_blind"}),
    "grey": ((800, 480), "en", {}),
    "large": ((800, 480), "pt", {"text": "large"}),
    "huge": ((800, 480), "pt", {"text": "huge"}),
    "upside_down": ((800, 480), "en", {"facing": 180}),
    "1024x600": ((1024, 600), "en", {}),
    "480x800": ((480, 800), "pt", {}),
}
"""Look -> window, language, settings. The default look is drawn picture by picture (screens.py)."""
THUMB = 400
"""Pixels of a thumbnail's width."""
README = Path(__file__).parent / "ui" / "pictures"
LARGE = {"06_turn_picked": "turn", "05_reveal_tie": "reveal", "06_turn_exploded_2": "explosion"}
SMALL = (
    "01_start_saved", "02_seats", "03_tower_level_3", "03_tower_copy_faults", "04_choose", "04_cover_hand",
    "07_refusal", "06_turn_falls", "08_round_end", "09_winner_why_not", "10_put_right", "22_judge_order",
)  # fmt: skip


def sheet(pictures: Sequence[Path], columns: int, width: int = THUMB, grey: bool = False) -> Image.Image:
    """One picture of many, in reading order."""
    small = []
    for path in pictures:
        picture = Image.open(path).convert("L" if grey else "RGB").convert("RGB")
        small.append(picture.resize((width, round(picture.height * width / picture.width)), Image.Resampling.LANCZOS))
    high = max(p.height for p in small)
    rows = (len(small) + columns - 1) // columns
    whole = Image.new("RGB", (columns * (width + 8) - 8, rows * (high + 8) - 8), "white")
    for n, picture in enumerate(small):
        whole.paste(picture, (n % columns * (width + 8), n // columns * (high + 8)))
    return whole


def draw(look: str, folder: Path, names: Sequence[str] = ()) -> list[Path]:
    """Every scene in that look."""
    size, lang, settings = LOOKS.get(look, ((800, 480), "en", {}))
    made = []
    for name in names or screens.SCENES:
        screenful = screens.open_scene(name, lang, size, settings)
        made.append(folder / f"{name}.png")
        screenful.picture(made[-1])
        screenful.close()
    return made


def readme() -> None:
    """The README's gallery: three large, the rest on one sheet."""
    with tempfile.TemporaryDirectory() as folder:
        for path in draw("", Path(folder), tuple(LARGE)):
            Image.open(path).convert("RGB").quantize(128).save(README / f"{LARGE[path.stem]}.png", optimize=True)
        gallery = sheet(draw("", Path(folder), SMALL), 3)
        gallery.quantize(128).save(README / "gallery.png", optimize=True)


def main(names: list[str]) -> int:
    """By hand, or for `make screens`."""
    if names == ["readme"]:
        readme()
        return 0
    folder = Path(os.environ.get("SCREENS_DIR", "build/screens")) / "sheets"
    folder.mkdir(parents=True, exist_ok=True)
    for look in names or LOOKS:
        with tempfile.TemporaryDirectory() as pictures:
            whole = sheet(draw(look, Path(pictures)), 6, grey=look == "grey")
            whole.save(folder / f"{look}.png")
        print(f"{look}: {folder / look}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
