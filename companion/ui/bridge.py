"""The only way between the table and the screen: announcements in, requests out.

Announcements come from the engine's thread. They wait in one queue that is drained on Kivy's thread through one Clock
trigger: a callback scheduled for each of them could get lost, one trigger for all cannot. A long row of them takes
several frames, so that the screen draws and hears touches meanwhile.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from typing import Any

from companion.table.ports import Announcement

log = logging.getLogger(__name__)

BOUND = 1_000
"""Announcements that may wait. So many come only when Kivy's thread stands still, or a device is broken."""
A_FRAME = 8
"""Announcements that are shown before a frame is drawn."""


class Bridge:
    """An Announcer for the engine, and the screen's way to send requests.

    send: takes a request to the engine and returns at once.
    """

    def __init__(self, send: Callable[[Any], None]) -> None:
        self.send = send
        self._queue: deque[Announcement] = deque(maxlen=BOUND)
        self._behind = False
        self._wake: Callable[[], None] | None = None
        self._listener: Callable[[Announcement], None] | None = None

    def announce(self, what: Announcement) -> None:
        """Take one announcement, from any thread. Never waits; where too many do, the oldest is lost."""
        if len(self._queue) == BOUND and not self._behind:
            self._behind = True
            log.error("the screen does not keep up with the announcements")
        # the newest says how things stand, so the bounded deque drops at its other end
        self._queue.append(what)
        if self._wake is not None:
            self._wake()

    def listen(self, listener: Callable[[Announcement], None]) -> None:
        """Hand every announcement to the listener, on Kivy's thread, from now on. Called on that thread."""
        from kivy.clock import Clock

        self._listener = listener
        self._wake = Clock.create_trigger(self.drain)
        # what came before anybody listened waits in the queue
        self._wake()

    def drain(self, dt: float = 0.0) -> None:
        """Hand on what waits, but no more than a frame's worth. On Kivy's thread."""
        assert self._listener is not None
        for _ in range(A_FRAME):
            try:
                what = self._queue.popleft()
            except IndexError:
                self._behind = False
                return
            try:
                self._listener(what)
            except Exception:
                # one screen that fails must not end the others
                log.exception("an announcement could not be shown")
        if self._queue and self._wake is not None:
            self._wake()
