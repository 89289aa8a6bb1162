"""The glass between fingers and screens: turns the whole picture, keeps stray fingers away, goes dark and wakes.

One finger acts at a time. What a system reports twice is one touch; a second finger is not heard; three at once are a
child's hand and end what the first one had begun. In the dark a touch only wakes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from kivy.clock import Clock
from kivy.core.image import Image
from kivy.graphics import (
    ClearBuffers,
    ClearColor,
    Color,
    Fbo,
    PopMatrix,
    PushMatrix,
    Rectangle,
    Rotate,
    Scale,
    Translate,
)
from kivy.uix.floatlayout import FloatLayout

from companion.ui.theme import look, u

TWIN = 0.06
"""Seconds within which a second touch at one place is the first one again, reported twice."""
NEAR = 40
"""Lengths of the design that count as one place."""
MESS = 3
"""So many fingers at once mean nothing."""
STUCK = 30.0
"""Seconds after which a finger that was never reported to lift is no longer waited for."""
GUARD = 0.3
"""Seconds that the screen stays dimmed and deaf after it has been woken."""
DIM = 0.6
AWAY = -100_000.0
"""Where a finger lifts whose touch is called off: beside everything."""


class Glass(FloatLayout):
    """The root of all that is on the screen. Its own size is that of the turned picture.

    sleep_after: seconds without touch and news until it goes dark, 0 for never; awaited: somebody is, so that it
    stays on; clock: where the time comes from.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(size_hint=(None, None), **kwargs)
        self.clock: Callable[[], float] = time.monotonic
        self.twin = TWIN
        self.sleep_after = 0.0
        self.awaited = False
        self.dark = False
        self._deaf = False
        self._pane = (look.width, look.height)
        self._down: dict[Any, float] = {}
        self._finger: Any = None
        self._last_touch = (0.0, 0.0, -TWIN)
        self._last_sign = 0.0
        self._nodding: Any = None
        self._later: list[Callable[[], None]] = []
        self._lifted = Clock.create_trigger(self._after_fingers)
        self._clear = Clock.create_trigger(self._undim, GUARD)
        with self.canvas.before:
            PushMatrix()
            self._shift = Translate()
            self._turn = Rotate(axis=(0, 0, 1), angle=0)
        with self.canvas.after:
            self._veil = Color(0, 0, 0, 0)
            self._cloth = Rectangle()
            PopMatrix()

    # --- turned -----------------------------------------------------------------------------------------------------

    def fit(self, size: Sequence[float], facing: int) -> bool:
        """Fill a window of that size, turned; whether the screens have to be built anew."""
        turned, look.facing = facing != look.facing, facing
        w, h = self._pane = (int(size[0]), int(size[1]))
        self.size = self._cloth.size = (h, w) if facing in (90, 270) else (w, h)
        self._turn.angle = -facing
        self._shift.xy = {0: (0, 0), 90: (0, h), 180: (w, h), 270: (w, 0)}[facing]
        return look.resize(*self.size) or turned

    def to_local(self, x: float, y: float, **kwargs: Any) -> tuple[float, float]:
        """From the window to the picture."""
        w, h = self._pane
        return {0: (x, y), 90: (h - y, x), 180: (w - x, h - y), 270: (y, w - x)}[look.facing]

    def to_parent(self, x: float, y: float, **kwargs: Any) -> tuple[float, float]:
        """From the picture to the window."""
        w, h = self._pane
        return {0: (x, y), 90: (y, h - x), 180: (w - x, h - y), 270: (w - y, x)}[look.facing]

    def export_as_image(self, *args: Any, **kwargs: Any) -> Any:
        """The picture as it is seen on the glass."""
        over: Any = self.parent.canvas if self.parent is not None else None
        at = over.indexof(self.canvas) if over is not None else -1
        if at > -1:
            over.remove(self.canvas)
        fbo = Fbo(size=self._pane, with_stencilbuffer=True)
        with fbo:
            ClearColor(0, 0, 0, 0)
            ClearBuffers()
            Scale(1, -1, 1)
            Translate(0, -self._pane[1], 0)
        fbo.add(self.canvas)
        fbo.draw()
        image = Image(fbo.texture)
        fbo.remove(self.canvas)
        if at > -1:
            over.insert(at, self.canvas)
        return image

    # --- fingers ----------------------------------------------------------------------------------------------------

    def when_free(self, act: Callable[[], None]) -> None:
        """Do it now, or once no finger is on the glass any more: nothing jumps away from under one."""
        if self._down:
            self._later.append(act)
        else:
            act()

    def touched(self, touch: Any) -> None:
        """A finger that counts has gone down: hand it on."""
        super().on_touch_down(touch)

    def on_touch_down(self, touch: Any) -> bool:
        """Take one finger at a time, and only where the screen is awake."""
        now = self.clock()
        if self._is_twin(touch, now):
            return True
        self._down = {uid: at for uid, at in self._down.items() if now - at < STUCK}
        if self._finger is not None and self._finger.uid not in self._down:
            self._call_off()
        self._down[touch.uid] = now
        deaf = self.dark or self._deaf
        self.stir()
        if len(self._down) >= MESS:
            self._call_off()
        elif len(self._down) == 1 and not deaf:
            self._finger = touch
            self._turned(touch, self.touched)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        """Only the finger that acts is heard."""
        if touch.uid in self._down:
            self._down[touch.uid] = self.clock()
        if touch is self._finger:
            self._turned(touch, super().on_touch_move)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        """What has waited for the fingers happens when the last one is gone."""
        self._down.pop(touch.uid, None)
        if touch is self._finger:
            self._finger = None
            self._turned(touch, super().on_touch_up)
        if not self._down:
            # a widget that holds the touch hears of it only after us
            self._lifted()
        return True

    def _is_twin(self, touch: Any, now: float) -> bool:
        x, y, at = self._last_touch
        if now - at < self.twin and abs(touch.x - x) + abs(touch.y - y) < u(NEAR):
            return True
        self._last_touch = (touch.x, touch.y, now)
        return False

    def _turned(self, touch: Any, act: Callable[[Any], Any]) -> None:
        touch.push()
        touch.apply_transform_2d(self.to_local)
        act(touch)
        touch.pop()

    def _call_off(self) -> None:
        """End what the finger has begun, as if it had lifted beside everything."""
        touch, self._finger = self._finger, None
        if touch is None:
            return
        touch.push()
        touch.apply_transform_2d(lambda x, y: (AWAY, AWAY))
        for held in touch.grab_list[:]:
            widget = held()
            if widget is not None:
                touch.grab_current = widget
                widget.dispatch("on_touch_up", touch)
        touch.grab_current = None
        touch.grab_list.clear()
        super().on_touch_up(touch)
        touch.pop()

    def _after_fingers(self, *_: Any) -> None:
        if self._down:
            return
        if self._deaf:
            self._clear()
        later, self._later = self._later, []
        for act in later:
            act()

    # --- dark -------------------------------------------------------------------------------------------------------

    def stir(self) -> None:
        """A touch or news: the screen stays on for a while longer.

        From the dark it comes back dimmed and deaf for a moment, so that one sees it was only a wake-up.
        """
        self._last_sign = self.clock()
        if self.dark:
            self.dark, self._deaf, self._veil.a = False, True, DIM
            if not self._down:
                self._clear()
        if self._nodding is None and self.sleep_after:
            self._nodding = Clock.schedule_once(self.nod, self.sleep_after)

    def nod(self, *_: Any) -> None:
        """Go dark if it is time; else look again when it may be."""
        if self._nodding is not None:
            self._nodding.cancel()
            self._nodding = None
        if self.dark or not self.sleep_after:
            return
        if self.awaited or self._down:
            self._last_sign = self.clock()
        left = self._last_sign + self.sleep_after - self.clock()
        if left > 0:
            self._nodding = Clock.schedule_once(self.nod, left)
        else:
            self.dark, self._veil.a = True, 1

    def _undim(self, *_: Any) -> None:
        self._deaf, self._veil.a = False, 0
