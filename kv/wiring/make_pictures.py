"""Draw hardware/wiring/*.svg into this folder, for the screen: `python kv/wiring/make_pictures.py`.

Needs resvg_py, Pillow and Kivy's letters; the pictures are committed, so that a Pi needs neither of the first two.
"""

from __future__ import annotations

import io
import sys
from importlib.util import find_spec
from pathlib import Path

import resvg_py
from PIL import Image

HERE = Path(__file__).resolve().parent
SOURCES = HERE.parents[1] / "hardware" / "wiring"
LARGEST = 2000
"""Pixels of the longer side: older Pis cannot hold a larger texture."""
COLOURS = 48


def draw(source: Path) -> bytes:
    """One picture as PNG."""
    kivy = find_spec("kivy")
    assert kivy is not None
    assert kivy.origin is not None
    letters = Path(kivy.origin).parent / "data" / "fonts"
    fonts = [str(letters / name) for name in ("Roboto-Regular.ttf", "Roboto-Bold.ttf")]
    svg = source.read_text(encoding="utf-8")
    made = resvg_py.svg_to_bytes(
        svg_string=svg, zoom=2.0, skip_system_fonts=True, font_files=fonts, sans_serif_family="Roboto"
    )
    picture = Image.open(io.BytesIO(bytes(made))).convert("RGB")
    picture.thumbnail((LARGEST, LARGEST), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    picture.quantize(COLOURS).save(out, "PNG", optimize=True)
    return out.getvalue()


def main() -> int:
    """Draw them all anew."""
    for source in sorted(SOURCES.glob("*.svg")):
        (HERE / f"{source.stem}.png").write_bytes(draw(source))
    return 0


if __name__ == "__main__":
    sys.exit(main())
