"""Check of the screen: a window is really opened, in a process of its own, because Kivy may end the one it is in."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence

from companion import advice
from companion.games.base import Message, msg
from companion.health import FAULT, OK, Finding
from companion.ui.display import why_no_answer, why_no_screen

WINDOW = msg("Window")
PATIENCE = 40.0
"""Seconds for Kivy's first start on a small machine."""
MARK = "window: "
PROGRAM = (sys.executable, "-m", "companion.ui.checks")


def window(
    program: Sequence[str] = PROGRAM,
    patience: float = PATIENCE,
    why_not: Callable[[], Message | None] = lambda: why_no_screen() or why_no_answer(),
) -> Finding:
    """Open one, draw a frame, close it."""
    if (reason := why_not()) is not None:
        remedy = msg("Plug the screen in before the Pi starts. From afar first type: export DISPLAY=:0")
        return Finding(WINDOW, FAULT, reason, remedy)
    try:
        done = subprocess.run(
            program, capture_output=True, text=True, errors="replace", timeout=patience, check=False,
            env={**os.environ, "KIVY_NO_ARGS": "1", "KIVY_NO_FILELOG": "1"},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        text = msg("No window within {n} seconds.", n=round(patience))
        return Finding(WINDOW, FAULT, text, msg("Another program may hold the screen. Close it, or restart the Pi."))
    said = [line.removeprefix(MARK) for line in done.stdout.splitlines() if line.startswith(MARK)]
    if done.returncode == 0 and said:
        return Finding(WINDOW, OK, msg("Kivy opened one: {what}.", what=said[-1]))
    last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
    text = msg("Kivy cannot open one: {error}", error=last[-160:])
    look = msg("Look at the groups below, too.")
    remedy = msg("{first} {then}", first=look, then=advice.install("screen"))
    return Finding(WINDOW, FAULT, text, remedy)


def main() -> int:
    """In the child: one frame, and what drew it."""
    from companion.ui.app import prepare

    prepare(windowed=True)
    from kivy.base import EventLoop
    from kivy.core.window import Window

    EventLoop.ensure_window()
    from kivy.graphics.opengl import GL_RENDERER, glGetString

    if Window is None:
        return 1
    Window.dispatch("on_draw")
    Window.flip()
    renderer = glGetString(GL_RENDERER).decode("ascii", "replace")
    print(f"{MARK}{Window.size[0]}x{Window.size[1]}, {renderer}")  # noqa: T201  the parent reads it
    return 0


if __name__ == "__main__":
    sys.exit(main())
