"""Which font draws a text: one of ours, or one that the system has for signs that ours lack.

One font draws a whole text. What is written from right to left, or with letters that change their shape beside each
other, is not drawn at all: Kivy's text provider neither turns nor joins letters, and half a name is worse than none.
"""

from __future__ import annotations

import shutil
import subprocess
import unicodedata
from functools import cache, lru_cache
from pathlib import Path

from companion import resources

BODY, HEADING = "Roboto", "Grenze"
WIDER = "DejaVuSans"
"""Comes with Kivy, and has many more signs than Roboto."""
PATIENCE = 3.0
"""Seconds that fontconfig may take."""
JOINED = (
    "ARABIC", "BENGALI", "DEVANAGARI", "GUJARATI", "GURMUKHI", "HEBREW", "KANNADA", "KHMER", "LAO", "MALAYALAM",
    "MONGOLIAN", "MYANMAR", "NKO", "ORIYA", "SINHALA", "SYRIAC", "TAMIL", "TELUGU", "THAANA", "THAI", "TIBETAN",
)  # fmt: skip
"""Scripts whose letters cannot be set one beside the other."""


@cache
def glyphs(font: str) -> frozenset[int]:
    """What a font of ours can draw. Read from its file, so that no list can go stale."""
    if font == HEADING:
        path = resources.path("fonts", "Grenze-Bold.ttf")
    else:
        from kivy import kivy_data_dir

        path = Path(kivy_data_dir) / "fonts" / {BODY: "Roboto-Regular.ttf", WIDER: "DejaVuSans.ttf"}[font]
    return frozenset(cmap(path.read_bytes()))


def cmap(data: bytes) -> list[int]:
    """The code points of a TrueType font's tables of format 4 (below U+10000) and 12."""

    def short(at: int) -> int:
        return int.from_bytes(data[at : at + 2], "big")

    def long(at: int) -> int:
        return int.from_bytes(data[at : at + 4], "big")

    table = next(long(12 + 16 * i + 8) for i in range(short(4)) if data[12 + 16 * i :][:4] == b"cmap")
    found: list[int] = []
    for i in range(short(table + 2)):
        sub = table + long(table + 4 + 8 * i + 4)
        if short(sub) == 12:
            for group in range(long(sub + 12)):
                at = sub + 16 + 12 * group
                found += range(long(at), long(at + 4) + 1)
        if short(sub) != 4:
            continue
        segments = short(sub + 6) // 2
        ends, starts = sub + 14, sub + 16 + 2 * segments
        deltas, offsets = starts + 2 * segments, starts + 4 * segments
        for s in range(segments):
            first, last = short(starts + 2 * s), short(ends + 2 * s)
            for point in range(first, min(last, 0xFFFE) + 1):
                offset = short(offsets + 2 * s)
                at = offsets + 2 * s + offset + 2 * (point - first)
                glyph = short(at) if offset else (point + short(deltas + 2 * s)) & 0xFFFF
                if glyph:
                    found.append(point)
    return found


@lru_cache(maxsize=4096)
def can_draw(sign: str) -> bool:
    """Whether some font draws that sign, and rightly."""
    if sign.isspace() or ord(sign) in glyphs(BODY):
        return True
    if unicodedata.bidirectional(sign) in ("R", "AL", "AN") or unicodedata.name(sign, "").startswith(JOINED):
        return False
    return ord(sign) in glyphs(WIDER) or bool(_on_the_system(frozenset(sign)))


@lru_cache(maxsize=2048)
def font_for(text: str, font: str = BODY) -> tuple[str, str]:
    """The font for a text that is to be set in one of ours, and what of the text can be drawn with it."""
    if text.isascii() and font == BODY:
        return font, text
    for ours in (font, BODY, WIDER):
        if _has(ours, text):
            return ours, text
    text = "".join(sign for sign in text if can_draw(sign))
    rare = frozenset(sign for sign in text if not sign.isspace() and ord(sign) not in glyphs(BODY))
    for ours in (BODY, WIDER):
        if _has(ours, text):
            return ours, text
    found = _on_the_system(rare)
    if found:
        return found, text
    # several scripts in one text: what the wider font has
    return WIDER, "".join(sign for sign in text if sign.isspace() or ord(sign) in glyphs(WIDER))


def _has(font: str, text: str) -> bool:
    return all(sign.isspace() or ord(sign) in glyphs(font) for sign in text)


@lru_cache(maxsize=512)
def _on_the_system(signs: frozenset[str]) -> str:
    """The file of a font of the system with all these signs and the Latin letters; fontconfig knows them all."""
    program = shutil.which("fc-list")
    if program is None or not signs:
        return ""
    points = " ".join(f"{ord(sign):x}" for sign in sorted({*signs, "A", "a"}))
    try:
        told = subprocess.run(
            [program, "--format", "%{file}\n", f":charset={points}:color=false"],
            capture_output=True, text=True, timeout=PATIENCE, check=False,
        ).stdout  # fmt: skip
    except (OSError, subprocess.SubprocessError, UnicodeError):
        return ""
    files = sorted(line for line in told.splitlines() if line.endswith((".ttf", ".otf", ".ttc")))
    # an upright one, where there is one
    plain = [file for file in files if "Regular" in file or "-" not in Path(file).name]
    return next(iter((*plain, *files)), "")
