"""Texts cut between words where there is room for their beginning only; the whole text is a touch away."""

from __future__ import annotations

from companion.ui.widgets import height_of


def clipped(text: str, px: float, width: float, lines: int = 1) -> str:
    """As many words as stand in so many lines of that size of the design, with dots where some are missing."""
    room = height_of("X", px, width) * lines
    if height_of(text, px, width) <= room:
        return text
    parts = text.split()
    low, high = 1, len(parts)
    while low < high:
        middle = (low + high + 1) // 2
        if height_of(_cut(parts[:middle]), px, width) <= room:
            low = middle
        else:
            high = middle - 1
    return _cut(parts[:low])


def _cut(parts: list[str]) -> str:
    return " ".join(parts).rstrip(",;:.?") + "…"
