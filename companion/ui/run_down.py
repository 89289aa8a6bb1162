"""A bar that runs down: what it stands for happens by itself at its end, unless somebody says no before."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty, NumericProperty
from kivy.uix.boxlayout import BoxLayout

from companion.ui.pen import Pen
from companion.ui.theme import c, look, u
from companion.ui.widgets import Drawn

SECONDS = 3.0
"""How long everybody has to say no."""
BEAT = 0.1
"""Seconds between two pictures of the bar: it is small, and is not what people look at."""


class TimeBar(Drawn):
    """Time that runs out. share: how much is left (0..1)."""

    share = NumericProperty(1.0)

    def watched(self) -> tuple[str, ...]:
        return ("share",)

    def paint(self, pen: Pen) -> None:
        x, y, high = self.x, self.y, self.height
        pen.box(x, y, self.width, high, c("raised"), high / 2)
        pen.box(x, y, max(self.width * self.share, high), high, c("act"), high / 2)


class RunDown(TimeBar):
    """See above. runs: whether it goes on by itself.

    The time counts from the next frame on, as nobody has seen the bar before, and from the beginning once nothing lies
    over it any more. It ends without `done` when it is taken off the screen.
    """

    runs = BooleanProperty(False)

    def __init__(self, **kwargs: Any) -> None:
        self._done: Callable[[], None] = _nothing
        self._seconds, self._at = SECONDS, 0.0
        self._clock = Clock.create_trigger(self._beat, BEAT, interval=True)
        super().__init__(size_hint_y=None, height=u(8), **kwargs)

    def start(self, done: Callable[[], None], seconds: float | None = None) -> None:
        """Run from the beginning; `done` is called at the end."""
        self._done, self._seconds, self._at = done, SECONDS if seconds is None else seconds, 0.0
        self.share, self.runs = 1.0, True
        self._clock()

    def stop(self) -> None:
        """Somebody has said no, or something else has happened."""
        self._clock.cancel()
        self.runs = False

    def _beat(self, dt: float) -> None:
        if self.get_root_window() is None:
            self.stop()
            return
        if self._is_covered():
            # a sheet that came by itself, or an explanation: whoever reads that cannot say no
            self._at, self.share = 0.0, 1.0
            return
        # one late frame does not swallow the time in which people can say no
        self._at += min(dt, 2 * BEAT)
        left = self._seconds - self._at
        if left <= 0:
            self.finish()
            return
        self.share = (ceil(left) if look.still else left) / self._seconds

    def _is_covered(self) -> bool:
        """Whether something was laid over what the bar is on: the root's children are one over the other."""
        layer: Any = self
        while layer.parent.parent is not layer.get_root_window():
            layer = layer.parent
        return layer.parent.children[0] is not layer

    def finish(self) -> None:
        """The time is over."""
        self.stop()
        self._done()


class ByItself(BoxLayout):
    """A button (the only child that is given to it), and over it the bar that runs down until it acts by itself."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", **kwargs)
        self.bar = RunDown()
        self.bar.height = 0
        self.bar.fbind("runs", self._share)
        self.add_widget(self.bar)

    def _share(self, *_: Any) -> None:
        self.bar.height = u(6) if self.bar.runs else 0.0
        self.spacing = u(2) if self.bar.runs else 0.0

    def start(self, seconds: float | None = None) -> None:
        """From now on it may go by itself."""
        button = self.children[0]
        self.bar.start(lambda: button.dispatch("on_release"), seconds)


def _nothing() -> None:
    """Before it has been started."""
