"""What goes wrong in Kivy's event loop (a touch, a timer, a drawing) is logged, and the screen is built anew.

Without this exception handler Kivy would end the program. Where building anew does not help, ending is right: the
service manager starts the program again, and the table opens where it was.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable

from kivy.base import ExceptionHandler, ExceptionManager

log = logging.getLogger(__name__)

MOST, WITHIN = 5, 10.0
"""So many failures in so many seconds do not go away by building anew."""


class Mending(ExceptionHandler):
    """anew: builds the screen anew, soon; clock: where the time comes from."""

    def __init__(self, anew: Callable[[], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._anew, self._clock = anew, clock
        self._failed: deque[float] = deque(maxlen=MOST)
        self._last: BaseException | None = None

    def handle_exception(self, exception: BaseException) -> int:
        """PASS where the program goes on, RAISE where it ends. May be asked twice about one exception."""
        if not isinstance(exception, Exception):
            return int(ExceptionManager.RAISE)
        if exception is not self._last:
            self._last = exception
            self._failed.append(self._clock())
            log.error("the screen met a fault and is built anew", exc_info=exception)
        if len(self._failed) == MOST and self._failed[-1] - self._failed[0] < WITHIN:
            return int(ExceptionManager.RAISE)
        self._anew()
        return int(ExceptionManager.PASS)
