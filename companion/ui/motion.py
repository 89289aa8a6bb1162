"""What moves: at most 600 ms, never twice at once, never in the way. A touch finishes it and acts all the same.

A `Moment` is a row of such steps that people watch together (the cards turn): a touch goes to its end, and does nothing
else. `look.still` (the players' setting "less motion") turns every motion into a cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import pi, sin
from typing import Any

from kivy.clock import Clock
from kivy.core.window import Window
from kivy.graphics import PopMatrix, PushMatrix, Scale, Translate

from companion.ui.glass import is_finger
from companion.ui.theme import look

LONGEST = 0.6
"""Seconds; nothing moves longer."""

_running: list[Motion] = []


class Motion:
    """Calls `step` with the seconds gone, once a frame, and `done` at the end: after `seconds`, or at the next touch.

    seconds None: nothing moves, but `done` waits for the next touch. watched: it is a step of a `Moment`.
    """

    def __init__(
        self,
        seconds: float | None,
        step: Callable[[float], None],
        done: Callable[[], None] = lambda: None,
        watched: bool = False,
    ) -> None:
        self.seconds = None if seconds is None else min(seconds, LONGEST)
        self.watched = watched
        self._step, self._done = step, done
        self._at, self._seen, self._arrived = 0.0, 0, False
        self._clock: Any = None
        _running.append(self)
        if len(_running) == 1:
            Window.bind(on_touch_down=_touched)
        if self.seconds is None:
            return
        if look.still:
            self.finish()
            return
        self._step(0.0)
        self._clock = Clock.schedule_interval(self._tick, 0)

    @property
    def running(self) -> bool:
        """Whether it has not come to its end."""
        return self in _running

    def _tick(self, dt: float) -> None:
        # the first frame takes long, as it draws what has changed: it would swallow the beginning
        self._at += dt if self._seen > 1 else min(dt, 1 / 60)
        self._seen += 1
        assert self.seconds is not None
        if self._arrived:
            self.finish()
            return
        # the end is shown in time; only the next frame, in which nothing moves, draws the whole screen anew
        self._arrived = self._at >= self.seconds
        self._step(min(self._at, self.seconds))

    def finish(self) -> None:
        """To the end at once. Does nothing where it is over."""
        if self not in _running:
            return
        _running.remove(self)
        if not _running:
            Window.unbind(on_touch_down=_touched)
        if self._clock is not None:
            self._clock.cancel()
        if self.seconds is not None and not self._arrived:
            self._step(self.seconds)
        self._done()


class Moment:
    """Steps one after another, then `done`. A touch goes to the end of them all (`skip`).

    steps: seconds of each (600 ms at most), and what shows a share (0..1) of it.
    """

    def __init__(self, steps: Iterable[tuple[float, Callable[[float], None]]], done: Callable[[], None]) -> None:
        self._steps, self._done = iter(steps), done
        self._motion: Motion | None = None
        self._next()

    @property
    def runs(self) -> bool:
        """Whether it is not over."""
        return self._motion is not None

    def _next(self) -> None:
        found = next(self._steps, None)
        if found is None:
            self._motion = None
            self._done()
            return
        seconds, show = found
        self._motion = Motion(seconds, lambda at: show(min(at / seconds, 1.0)), self._next, watched=True)

    def stop(self) -> None:
        """End it without `done`: its screen is gone."""
        self._steps, self._done = iter(()), lambda: None
        if self._motion is not None:
            self._motion.finish()


def finish() -> None:
    """All that moves comes to its end, and what was to move after it."""
    while _running:
        for motion in _running.copy():
            motion.finish()


def skip() -> bool:
    """Go to the end of a moment that people watch; whether there was one. The touch that asks does nothing else."""
    watched = any(motion.watched for motion in _running)
    if watched:
        finish()
    return watched


def moving() -> bool:
    """Whether anything moves now."""
    return any(motion.seconds is not None for motion in _running)


def _touched(_window: Any, touch: Any) -> bool:
    """A finger came down: it finds everything in its place. A moment ends where the finger counts (`Root.touched`)."""
    if is_finger(touch):
        for motion in _running.copy():
            if not motion.watched:
                motion.finish()
    return False


# --- how things move -------------------------------------------------------------------------------------------------


def ease_out(share: float) -> float:
    """Fast first, then slower."""
    return 1 - (1 - share) ** 2


def drop(share: float) -> float:
    """A fall with one small bounce; 1 is the ground."""
    if share < 0.75:
        return (share / 0.75) ** 2
    return 1 - 0.12 * sin(pi * (share - 0.75) / 0.25)


def wobble(share: float) -> float:
    """Twice to the left and to the right."""
    return sin(4 * pi * share) * (1 - 0.4 * share)


class Frame:
    """A matrix around a widget, taken away at the end."""

    def __init__(self, widget: Any) -> None:
        self.widget = widget
        self.move, self.scale = Translate(), Scale(1, 1, 1)
        self._push, self._pop = PushMatrix(), PopMatrix()
        for instruction in (self.scale, self.move, self._push):
            widget.canvas.before.insert(0, instruction)
        widget.canvas.after.add(self._pop)

    def remove(self) -> None:
        """As it was."""
        for instruction in (self.scale, self.move, self._push):
            self.widget.canvas.before.remove(instruction)
        self.widget.canvas.after.remove(self._pop)


Step = Callable[[float], None]
"""Shows a share (0..1) of something that moves."""


def _framed(widgets: Sequence[Any], show: Callable[[float, Any, Frame], None]) -> Step:
    """Moves widgets by a matrix of each, which is there only until the end."""
    frames: list[Frame] = []

    def step(share: float) -> None:
        if not frames:
            frames.extend(Frame(widget) for widget in widgets)
        for widget, frame in zip(widgets, frames, strict=True):
            show(share, widget, frame)
        if share >= 1:
            while frames:
                frames.pop().remove()

    return step


def turning(card: Any) -> Step:
    """An action card turns face up."""

    def show(share: float, card: Any, frame: Frame) -> None:
        card.back = share < 0.5
        frame.scale.origin = (*card.center, 0)
        frame.scale.x = max(abs(1 - 2 * share), 0.02)

    return _framed([card], show)


def unrolling(banner: Any) -> Step:
    """A banner comes down from its upper edge."""

    def show(share: float, banner: Any, frame: Frame) -> None:
        frame.scale.origin = (banner.center_x, banner.top, 0)
        frame.scale.y = max(ease_out(share), 0.02)

    return _framed([banner], show)


def growing(widgets: Sequence[Any]) -> Step:
    """They come near."""

    def show(share: float, widget: Any, frame: Frame) -> None:
        size = 0.3 + 0.7 * ease_out(share)
        frame.scale.origin = (*widget.center, 0)
        frame.scale.x = frame.scale.y = size

    return _framed(widgets, show)


def hopping(widgets: Sequence[Any], height: float) -> Step:
    """They hop once."""

    def show(share: float, _widget: Any, frame: Frame) -> None:
        frame.move.y = height * sin(pi * share)

    return _framed(widgets, show)
