"""Whether a window can be opened here. Decided before Kivy is imported: without a display Kivy ends the process.

SDL, which draws for Kivy, is content with a picture that nobody sees (its driver `offscreen`). Here only a driver with
a screen counts, unless that one is asked for by name: SDL_VIDEODRIVER=offscreen.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Mapping, MutableMapping, Sequence
from ctypes.util import find_library
from importlib.util import find_spec
from pathlib import Path

from companion.games.base import Message, msg

_CARDS = Path("/dev/dri")
DRIVERS = ("x11", "wayland", "kmsdrm")
"""Those with a screen, in SDL's own order."""
PROGRAM = (sys.executable, "-m", "companion.ui.display")
PATIENCE = 15.0
"""Seconds for a screen to answer; one on another machine may never."""
_UNSEEN = ("offscreen", "dummy")
_NO_ANSWER = 3
"""Exit code of the child: SDL is there, and no screen answers."""


def why_no_screen(cards: Path = _CARDS) -> Message | None:
    """What is missing, or None where a window may be opened. Nothing is asked yet: see `why_no_answer`."""
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


def why_no_answer(program: Sequence[str] = PROGRAM, patience: float = PATIENCE) -> Message | None:
    """None where a screen answers. Asked in a process of its own: what does not answer may hang, or end it."""
    if os.environ.get("SDL_VIDEODRIVER") in _UNSEEN:
        return None
    try:
        done = subprocess.run(program, stdin=subprocess.DEVNULL, capture_output=True, timeout=patience, check=False)
    except subprocess.TimeoutExpired:
        return _no_answer(os.environ)
    except OSError:
        # then it cannot be asked: the window will say
        return None
    return _no_answer(os.environ) if done.returncode == _NO_ANSWER else None


def _no_answer(environment: Mapping[str, str]) -> Message:
    name = environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")
    if not name:
        return msg("The graphics card (/dev/dri) shows no picture. Plug the screen in, then restart the Pi.")
    return msg(
        "The screen {name} does not answer. Start the companion on that desktop, or on the Pi's own screen: "
        "unset DISPLAY WAYLAND_DISPLAY",
        name=name,
    )


def insist(environment: MutableMapping[str, str]) -> None:
    """Let SDL take a driver with a screen or none, where nobody has named one."""
    environment.setdefault("SDL_VIDEODRIVER", ",".join(DRIVERS))


# --- the child --------------------------------------------------------------------------------------------------


def _sdl() -> ctypes.CDLL | None:
    """The SDL that Kivy brings, else the system's."""
    kivy = find_spec("kivy")
    if kivy is None or kivy.origin is None:
        return None
    site = Path(kivy.origin).parents[1]
    found = [str(path) for path in sorted(site.glob("[kK]ivy.libs/libSDL2-2*.so*"))]
    if system := find_library("SDL2-2.0"):
        found.append(system)
    for name in found:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None


def main() -> int:
    """Try every driver with a screen."""
    sdl = _sdl()
    if sdl is None:
        return 0
    wanted = os.environ.pop("SDL_VIDEODRIVER", "") or ",".join(DRIVERS)
    # case is not ours to judge: SDL compares without it
    if any(sdl.SDL_VideoInit(driver.strip().encode()) == 0 for driver in wanted.split(",")):
        return 0
    return _NO_ANSWER


if __name__ == "__main__":
    sys.exit(main())
