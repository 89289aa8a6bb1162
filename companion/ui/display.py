"""Whether a window can be opened here. Decided before Kivy is imported: without a display Kivy ends the process."""

from __future__ import annotations

import os
from pathlib import Path

from companion.games.base import Message, msg

_CARDS = Path("/dev/dri")


def why_no_screen(cards: Path = _CARDS) -> Message | None:
    """What is missing, or None where a window can be opened."""
    if os.environ.get("SDL_VIDEODRIVER") == "offscreen":
        return None
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return None
    found = sorted(cards.glob("card*"))
    if any(os.access(card, os.R_OK | os.W_OK) for card in found):
        return None
    if found:
        return msg("There is a screen, but this user may not draw on it. Add the user to the groups video and render.")
    return msg("No screen was found: there is no desktop (DISPLAY, WAYLAND_DISPLAY) and no graphics card (/dev/dri).")
