"""Draw the wiring, in every language: `python kv/wiring/make_pictures.py`.

The drawings go to hardware/wiring, and from there into this folder, for the screen; those of other languages than
English into a folder of their own in each. Beside each picture lies a list of its pins. Needs resvg_py, Pillow and
Kivy's letters; the pictures are committed, so that a Pi needs neither of the first two.
"""

from __future__ import annotations

import io
import json
import re
import sys
from importlib.util import find_spec
from pathlib import Path

import resvg_py
from PIL import Image

from companion.wording import Wording, languages
from hardware import drawings, sheets, wirings

HERE = Path(__file__).resolve().parent
LARGEST = 2000
"""Pixels of the longer side: older Pis cannot hold a larger texture."""
SHADES = 5
"""Of each dark colour, towards white: the edges of lines and letters."""


def _palette(svg: str) -> Image.Image:
    """The drawing's own colours and their shades, so that no wire takes the colour of another."""
    colours: list[int] = []
    for text in sorted(set(re.findall(r"#([0-9a-f]{6})", svg))):
        colour = bytes.fromhex(text)
        for shade in range(SHADES if min(colour) < 128 else 1):
            colours += (255 - (255 - part) * (SHADES - shade) // SHADES for part in colour)
    made = Image.new("P", (1, 1))
    made.putpalette(colours)
    return made


def draw(source: Path) -> bytes:
    """One picture as PNG."""
    kivy = find_spec("kivy")
    assert kivy is not None
    assert kivy.origin is not None
    letters = Path(kivy.origin).parent / "data" / "fonts"
    fonts = [str(letters / name) for name in ("Roboto-Regular.ttf", "Roboto-Bold.ttf")]
    svg = source.read_text(encoding="utf-8")
    longer = max(float(length) for length in re.findall(r' (?:width|height)="([\d.]+)"', svg.partition(">")[0]))
    made = resvg_py.svg_to_bytes(
        svg_string=svg,
        zoom=min(2.0, LARGEST / longer),
        skip_system_fonts=True,
        font_files=fonts,
        sans_serif_family="Roboto",
    )
    picture = Image.open(io.BytesIO(bytes(made))).convert("RGB")
    out = io.BytesIO()
    picture.quantize(palette=_palette(svg), dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def pins(name: str, lang: str) -> str:
    """The list of a sheet's pins: parts with their pins, and where each wire goes, as JSON."""
    translate = Wording(lang).text
    return json.dumps(sheets.wires(wirings.by_name(translate)[name], translate), ensure_ascii=False, indent=0) + "\n"


def folders() -> dict[str, tuple[Path, Path]]:
    """Language -> the folder of its drawings, and that of its pictures."""
    below = {lang: "" if lang == "en" else lang for lang in languages()}
    return {lang: (wirings.FOLDER / name, HERE / name) for lang, name in below.items()}


def main() -> int:
    """Draw them all anew."""
    for lang, (sources, pictures) in folders().items():
        pictures.mkdir(exist_ok=True)
        for source in drawings.write(sources, Wording(lang).text):
            (pictures / f"{source.stem}.png").write_bytes(draw(source))
            (pictures / f"{source.stem}.json").write_text(pins(source.stem, lang), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
