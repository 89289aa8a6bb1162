"""The glass between fingers and screens: turns the whole picture, keeps stray fingers away, goes dark and wakes.

One finger acts at a time. What a system reports twice is one touch; a second finger is not heard; three at once are a
child's hand and end what the first one had begun. What lies still on the glass is no finger. After a change of what
lies under the fingers, touches do not count for a moment. In the dark a touch only wakes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kivy.clock import Clock
from kivy.core.image import Image
from kivy.graphics import (
    ClearBuffers,
    ClearColor,
    Color,
    Fbo,
    InstructionGroup,
    Line,
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
LONG = 0.6
"""Seconds in one place after which a touch asks what lies there, and does nothing else."""
STILL = 16
"""Lengths of the design that a finger may roll meanwhile."""
THING = 4.0
"""Seconds in one place after which what touches the glass is no finger, but a thing that lies there."""
LOOK = 1.0
"""Seconds between two looks at what lies there."""
STUCK = 30.0
"""Seconds without a report after which a finger that was never reported to lift is forgotten."""
FRESH = 0.4
"""Seconds after a change of what lies under the fingers in which touches do not count: they were meant for what lay

there before. They run from when the change can be seen, and anew with each touch where the last one has acted."""
GUARD = 0.3
"""Seconds that the screen stays dimmed and deaf after it has been woken."""
DIM = 0.6
AWAY = -100_000.0
"""Where a finger lifts whose touch is called off: beside everything."""


@dataclass(slots=True)
class Contact:
    """Where something touches the glass (pixels of the window): since when in this place, and last reported when."""

    x: float
    y: float
    since: float
    heard: float

    def moved(self, x: float, y: float, now: float) -> None:
        """It is reported to be there now; small movements are none."""
        self.heard = now
        if not _are_near((x, y), (self.x, self.y)):
            self.x, self.y, self.since = x, y, now

    def lies(self, now: float) -> bool:
        """Whether it has stayed in its place for so long that it is no finger."""
        return now - self.since > THING


def _are_near(one: Sequence[float], other: Sequence[float]) -> bool:
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) < u(NEAR)


def is_finger(touch: Any) -> bool:
    """Whether it is a touch at all: the wheel, the right and the middle button of a mouse never are."""
    return "button" not in touch.profile or touch.button == "left"


class Glass(FloatLayout):
    """The root of all that is on the screen. Its own size is that of the turned picture.

    sleep_after: seconds without touch and news until it goes dark, 0 for never; awaited: somebody is, so that it
    stays on; clock: where the time comes from; things: where something lies on the glass, in the picture.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(size_hint=(None, None), **kwargs)
        self.clock: Callable[[], float] = time.monotonic
        self.twin = TWIN
        self.fresh = FRESH
        self.long = LONG
        self.things: tuple[tuple[float, float], ...] = ()
        self.sleep_after = 0.0
        self.awaited = False
        self.dark = False
        self._deaf = False
        self._pane = (look.width, look.height)
        self._down: dict[Any, Contact] = {}
        self._finger: Any = None
        self._asking: tuple[Any, tuple[float, float]] | None = None
        self._long: Any = None
        self._last_touch = (0.0, 0.0, -TWIN)
        self._last_sign = 0.0
        self._last_place = (AWAY, AWAY)
        self._under: Any = None
        self._changed = float("-inf")
        self._seen = Clock.create_trigger(self._change_seen)
        self._looking = Clock.create_trigger(self.look_for_things, LOOK, interval=True)
        self._nodding: Any = None
        self._later: list[Callable[[], None]] = []
        self._lifted = Clock.create_trigger(self._after_fingers)
        self._clear = Clock.create_trigger(self._undim, GUARD)
        with self.canvas.before:
            PushMatrix()
            self._shift = Translate()
            self._turn = Rotate(axis=(0, 0, 1), angle=0)
        self._rings = InstructionGroup()
        self.canvas.after.add(self._rings)
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
        if self._fingers():
            self._later.append(act)
        else:
            act()

    def _fingers(self) -> int:
        """How many fingers are on the glass."""
        now = self.clock()
        return sum(not contact.lies(now) for contact in self._down.values())

    def touched(self, touch: Any) -> None:
        """A finger that counts has gone down: hand it on."""
        super().on_touch_down(touch)

    def on_touch_down(self, touch: Any) -> bool:
        """Take one finger at a time, and only where the screen is awake and has been seen."""
        if not is_finger(touch):
            return True
        now = self.clock()
        if self._is_twin(touch, now):
            return True
        self._down = {uid: contact for uid, contact in self._down.items() if now - contact.heard < STUCK}
        if self._finger is not None:
            contact = self._down.get(self._finger.uid)
            if contact is None or contact.lies(now):
                self._call_off()
        self._down[touch.uid] = Contact(touch.x, touch.y, now, now)
        self._looking()
        deaf = self.dark or self._deaf
        self.stir()
        fingers = self._fingers()
        if fingers >= MESS:
            self._call_off()
        elif fingers == 1 and not deaf:
            self._turned(touch, self._begin)
            self.look_under()
        return True

    def _begin(self, touch: Any) -> None:
        now, place = self.clock(), self.to_parent(*touch.pos)
        self._hush()
        self._asking = (touch, place)
        self._long = Clock.schedule_once(self._held_long, self.long)
        if not 0 <= now - self._changed < self.fresh or self.is_patient(touch):
            self._finger, self._last_place = touch, place
            self.touched(touch)
        elif _are_near(place, self._last_place):
            # whoever goes on touching where the last touch acted has not looked yet
            self._changed = now

    def on_touch_move(self, touch: Any) -> bool:
        """Only the finger that acts is heard."""
        if touch.uid in self._down:
            self._down[touch.uid].moved(touch.x, touch.y, self.clock())
        if self._asking is not None and touch is self._asking[0]:
            x, y = self._asking[1]
            if abs(touch.x - x) + abs(touch.y - y) > u(STILL):
                self._hush()
        if touch is self._finger:
            self._turned(touch, super().on_touch_move)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        """What has waited for the fingers happens when the last one is gone."""
        known = self._down.pop(touch.uid, None) is not None
        if self._asking is not None and touch is self._asking[0]:
            self._hush()
        if touch is self._finger:
            self._finger = None
            self._turned(touch, super().on_touch_up)
        if known and self.things:
            self.look_for_things()
        if not self._fingers():
            # a widget that holds the touch hears of it only after us
            self._lifted()
        return True

    def _held_long(self, *_: Any) -> None:
        """Long enough by the clock; if the machine was slow, the finger may be up, and that is heard within a frame."""
        self._long = Clock.schedule_once(self._ask, 0)

    def _ask(self, *_: Any) -> None:
        assert self._asking is not None
        touch, _place = self._asking
        self._hush()
        self._turned(touch, self._ask_there)

    def _ask_there(self, touch: Any) -> None:
        if not self.is_patient(touch):
            # called off first: what is asked may change what lies there
            self._call_off()
            self.explain(*touch.pos)

    def _hush(self) -> None:
        """No long touch is under way."""
        if self._long is not None:
            self._long.cancel()
        self._asking = self._long = None

    def explain(self, x: float, y: float) -> None:
        """A finger has stayed in its place there: say what that is."""

    def _is_twin(self, touch: Any, now: float) -> bool:
        x, y, at = self._last_touch
        if now - at < self.twin and _are_near(touch.pos, (x, y)):
            return True
        self._last_touch = (touch.x, touch.y, now)
        return False

    def _turned(self, touch: Any, act: Callable[[Any], Any]) -> None:
        touch.push()
        touch.apply_transform_2d(self.to_local)
        try:
            act(touch)
        finally:
            touch.pop()

    def _call_off(self) -> None:
        """End what the finger has begun, as if it had lifted beside everything."""
        self._hush()
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
        self.look_under()
        if self._fingers():
            return
        if self._deaf:
            self._clear()
        later, self._later = self._later, []
        for act in later:
            act()

    # --- what changes under fingers ---------------------------------------------------------------------------------

    def under(self) -> Any:
        """What lies under the fingers: something that is equal as long as it is the same."""
        return None

    def is_patient(self, touch: Any) -> bool:
        """Whether a touch there has to be held anyway, so that none acts in passing."""
        return False

    def look_under(self) -> None:
        """What lies under the fingers may have changed. Then a finger that is down was meant for what lay there before,

        and so are touches in the next moment.
        """
        under = self.under()
        if under == self._under:
            return
        self._under = under
        self._call_off()
        self._changed = self.clock()
        self._seen()

    def _change_seen(self, *_: Any) -> None:
        """The frame with the change has been drawn, which takes its time on a small machine."""
        self._changed = self.clock()

    # --- what lies on the glass -------------------------------------------------------------------------------------

    def look_for_things(self, *_: Any) -> None:
        """See what has come to lie on the glass, and what has been taken away."""
        now = self.clock()
        self._down = {uid: contact for uid, contact in self._down.items() if now - contact.heard < STUCK}
        if not self._down:
            self._looking.cancel()
        found = tuple(self.to_local(c.x, c.y) for c in self._down.values() if c.lies(now))
        if found != self.things:
            self.things = found
            self._rings.clear()
            for x, y in found:
                self._rings.add(Color(1, 1, 1, 0.9))
                self._rings.add(Line(circle=(x, y, u(NEAR)), width=u(3)))
            self.something_lies()

    def something_lies(self) -> None:
        """`things` has changed."""

    # --- dark -------------------------------------------------------------------------------------------------------

    def stir(self) -> None:
        """A touch or news: the screen stays on for a while longer.

        From the dark it comes back dimmed and deaf for a moment, so that one sees it was only a wake-up.
        """
        self._last_sign = self.clock()
        if self.dark:
            self.dark, self._deaf, self._veil.a = False, True, DIM
            if not self._fingers():
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
        if self.awaited or self._fingers():
            self._last_sign = self.clock()
        left = self._last_sign + self.sleep_after - self.clock()
        if left > 0:
            self._nodding = Clock.schedule_once(self.nod, left)
        else:
            self.dark, self._veil.a = True, 1

    def _undim(self, *_: Any) -> None:
        self._deaf, self._veil.a = False, 0
