"""A bar that runs down: what it stands for happens by itself at its end, unless somebody says no before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty, NumericProperty

from companion.ui.pen import Pen
from companion.ui.theme import c, u
from companion.ui.widgets import Drawn

SECONDS = 3.0
"""How long everybody has to say no."""
BEAT = 0.1
"""Seconds between two pictures of the bar: it is small, and is not what people look at."""


class RunDown(Drawn):
    """See above. left: the share of the time that is left; runs: whether it goes on by itself.

    The time counts from the next frame on, as nobody has seen the bar before. It ends without `done` when it is taken
    off the screen.
    """

    left = NumericProperty(0.0)
    runs = BooleanProperty(False)

    def __init__(self, **kwargs: Any) -> None:
        self._done: Callable[[], None] = _nothing
        self._seconds, self._at = SECONDS, 0.0
        self._clock = Clock.create_trigger(self._beat, BEAT, interval=True)
        super().__init__(size_hint_y=None, height=u(8), **kwargs)

    def watched(self) -> tuple[str, ...]:
        return ("left",)

    def start(self, done: Callable[[], None], seconds: float | None = None) -> None:
        """Run from the beginning; `done` is called at the end."""
        self._done, self._seconds, self._at = done, SECONDS if seconds is None else seconds, 0.0
        self.left, self.runs = 1.0, True
        self._clock()

    def stop(self) -> None:
        """Somebody has said no, or something else has happened."""
        self._clock.cancel()
        self.left, self.runs = 0.0, False

    def _beat(self, dt: float) -> None:
        if self.get_root_window() is None:
            self.stop()
            return
        # one late frame does not swallow the time in which people can say no
        self._at += min(dt, 2 * BEAT)
        self.left = max(1 - self._at / max(self._seconds, 1e-9), 0.0)
        if not self.left:
            self.finish()

    def finish(self) -> None:
        """The time is over."""
        self.stop()
        self._done()

    def paint(self, pen: Pen) -> None:
        if self.left:
            pen.box(self.x, self.y, self.width, self.height, c("raised"), self.height / 2)
            pen.box(self.x, self.y, max(self.width * self.left, self.height), self.height, c("act"), self.height / 2)


def _nothing() -> None:
    """Before it has been started."""
