"""The only way between the table and the screen: announcements in, requests out.

Announcements come from the engine's thread. They wait in one queue that is drained on Kivy's thread through one Clock
trigger: a callback scheduled for each of them could get lost, one trigger for all cannot.
"""

from __future__ import annotations

import logging
import queue
from collections.abc import Callable
from typing import Any

from companion.table.ports import Announcement

log = logging.getLogger(__name__)

BOUND = 20_000
"""Announcements that may wait. So many come only when Kivy's thread has stopped for good."""


class Bridge:
    """An Announcer for the engine, and the screen's way to send requests.

    send: takes a request to the engine and returns at once.
    """

    def __init__(self, send: Callable[[Any], None]) -> None:
        self.send = send
        self._queue: queue.Queue[Announcement] = queue.Queue(BOUND)
        self._wake: Callable[[], None] | None = None
        self._listener: Callable[[Announcement], None] | None = None

    def announce(self, what: Announcement) -> None:
        """Take one announcement, from any thread. Never waits."""
        try:
            self._queue.put_nowait(what)
        except queue.Full:
            log.error("the screen does not take announcements any more")
            return
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
        """Hand on what waits. On Kivy's thread."""
        assert self._listener is not None
        while True:
            try:
                what = self._queue.get_nowait()
            except queue.Empty:
                return
            try:
                self._listener(what)
            except Exception:
                # one screen that fails must not end the others
                log.exception("an announcement could not be shown")
