"""The held last lock: when the time in which every seat may still change begins, and when it is over.

Pure: times are seconds of one steady clock, passed in.
"""

from __future__ import annotations

from companion.table.ports import LATEST


class Hold:
    """The timer of the held lock. `screen`: somebody draws it and says so (`shown`); else the time begins at once."""

    def __init__(self) -> None:
        self.screen = False
        self._seq = 0
        self._at: float | None = None
        self._begins = 0.0

    @property
    def running(self) -> bool:
        """Whether a lock is held."""
        return self._at is not None

    def start(self, seq: int, at: float) -> None:
        """A lock is held as of entry `seq`, or was changed: everyone has the whole time again."""
        self._seq, self._at = seq, at
        self._begins = at + LATEST if self.screen else at

    def shown(self, seq: int, at: float) -> None:
        """The screen shows the question as of entry `seq`: the time runs, unless it does already."""
        if self._at is not None and seq == self._seq:
            self._begins = min(self._begins, at)

    def stop(self) -> None:
        """No lock is held any more."""
        self._at = None

    def over(self, seconds: float) -> float | None:
        """When the time is over, if it lasts so long; None while no lock is held. No time at all is over at once."""
        if self._at is None:
            return None
        return self._begins + seconds if seconds else self._at
