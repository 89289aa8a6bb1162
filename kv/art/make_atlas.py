"""Draw the SVG sources of this folder into atlases: `python kv/art/make_atlas.py`.

Art in one ink (`action_*`, `mark_*`) becomes white masks, which the screens tint: ink -> opaque, bone -> transparent.
Art of the seats (`seat_*`, `hero_*`) has the theme's own seat colours: one atlas per theme and size. All the rest
is the same in every theme: one atlas per size, `all-<size>`. Needs resvg_py and Pillow; the pictures are committed, so
that a Pi needs neither.
"""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import resvg_py
from PIL import Image, ImageChops

HERE = Path(__file__).resolve().parent
SIZES = (32, 48, 64, 96, 128, 192)
"""The next larger one is drawn a little smaller, so that no picture has to be shrunk by more than a third."""
SEATS = ("red", "blue", "green", "yellow")
GAP = 2


def main() -> int:
    """Draw all atlases anew."""
    tokens = json.loads((HERE.parent / "tokens.json").read_text(encoding="utf-8"))
    sources = sorted(HERE.glob("*.svg"))
    of_seats = [s for s in sources if s.stem.startswith(("seat_", "hero_"))]
    of_all = [s for s in sources if s not in of_seats]
    for size in SIZES:
        for theme, colours in tokens.items():
            save(f"{theme}-{size}", draw(of_seats, tokens["dark"], colours, size))
        save(f"all-{size}", draw(of_all, tokens["dark"], tokens["dark"], size))
    return 0


def save(name: str, drawn: tuple[Image.Image, dict]) -> None:
    """Write an atlas, and its places in a file of the same name."""
    atlas, places = drawn
    atlas.save(HERE / f"{name}.png", optimize=True)
    (HERE / f"{name}.json").write_text(json.dumps(places, indent=0, sort_keys=True) + "\n", encoding="utf-8")


def draw(sources: list[Path], dark: dict[str, str], theme: dict[str, str], size: int) -> tuple[Image.Image, dict]:
    """One atlas, and where each picture lies in it (x and y from the top left)."""
    columns = 8
    pitch = size + GAP
    rows = -(-len(sources) // columns)
    # as large as it has to be: a texture lies in memory whole, and a power of two would more than double it
    atlas = Image.new("RGBA", (columns * pitch, rows * pitch))
    places = {}
    for i, source in enumerate(sources):
        x, y = i % columns * pitch, i // columns * pitch
        atlas.paste(picture(source, dark, theme, size), (x, y))
        places[source.stem] = [x, y]
    return atlas, places


def picture(source: Path, dark: dict[str, str], theme: dict[str, str], size: int) -> Image.Image:
    """One drawing at one size."""
    svg = source.read_text(encoding="utf-8")
    mask = source.stem.startswith(("action_", "mark_"))
    if mask:
        svg = svg.replace(dark["ink"], "#FFFFFF").replace(dark["bone"], "#000000")
    else:
        for seat in SEATS:
            svg = svg.replace(dark[seat], theme[seat])
    data = resvg_py.svg_to_bytes(svg_string=svg, width=size, height=size)
    image = Image.open(io.BytesIO(bytes(data))).convert("RGBA")
    if mask:
        red, _, _, alpha = image.split()
        image = Image.merge("RGBA", (*[Image.new("L", image.size, 255)] * 3, ImageChops.multiply(red, alpha)))
    else:
        image = _bleed(image)
    return image


def _bleed(image: Image.Image) -> Image.Image:
    """Give clear pixels the ink's colour: a smooth screen mixes them into the edge."""
    ground = Image.new("RGBA", image.size, (20, 16, 36, 0))
    ground.paste(image, (0, 0), image.getchannel("A").point(lambda a: 255 if a else 0))
    return ground


if __name__ == "__main__":
    sys.exit(main())
