"""The program's window. Imports Kivy only in `run`, after everything that Kivy reads once has been set."""

from __future__ import annotations

import os
from functools import partial
from typing import Any

from companion.ui.bridge import Bridge
from companion.ui.display import insist


def prepare(*, windowed: bool = True, rotate: int = 0, width: int = 800, height: int = 480) -> None:
    """Set what Kivy reads when it is imported. Call before any import of kivy."""
    os.environ["KIVY_NO_CONFIG"] = "1"  # all that counts is set here: a folder of Kivy's own could only be damaged
    insist(os.environ)
    os.environ.setdefault("KIVY_NO_ARGS", "1")  # the command line is ours
    os.environ.setdefault("KIVY_NO_FILELOG", "1")  # no log file on the Pi's card
    os.environ.setdefault("KIVY_LOG_MODE", "PYTHON")  # its notes go nowhere, its warnings to stderr like all others
    from kivy.config import Config

    settings = {
        ("graphics", "width"): width,
        ("graphics", "height"): height,
        ("graphics", "fullscreen"): "0" if windowed else "auto",
        ("graphics", "rotation"): rotate,
        ("graphics", "maxfps"): 60,
        ("graphics", "multisamples"): 0,  # shapes smooth their own edges
        ("graphics", "show_cursor"): int(windowed),
        ("input", "mouse"): "mouse,multitouch_on_demand",  # no red dots for a second finger
        ("kivy", "exit_on_escape"): 0,
        ("kivy", "kivy_clock"): "interrupt",  # an announcement wakes the screen at once
        ("kivy", "log_level"): "warning",
    }
    for (section, key), value in settings.items():
        Config.set(section, key, str(value))


class GryphonApp:
    """The touch screen. `run` opens the window and returns when it is closed; on the main thread only."""

    def __init__(
        self,
        bridge: Bridge,
        *,
        lang: str = "en",
        windowed: bool = True,
        rotate: int = 0,
        width: int = 800,
        height: int = 480,
    ) -> None:
        self.bridge = bridge
        self.lang = lang
        self._prepare = partial(prepare, windowed=windowed, rotate=rotate, width=width, height=height)
        self._app: Any = None
        self._stopped = False

    def run(self) -> None:
        """Show the screens until somebody closes the window."""
        self._prepare()
        from companion.ui.shell import make_app

        self._app = make_app(self.bridge, self.lang)
        if not self._stopped:
            self._app.run()

    def stop(self) -> None:
        """Close the window, or do not open it; from any thread."""
        self._stopped = True
        if self._app is not None:
            from kivy.clock import Clock

            Clock.schedule_once(lambda dt: self._app.stop())
