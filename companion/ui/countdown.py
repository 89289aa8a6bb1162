"""How long the held lock still waits, as the table counts it: from when people can see that it does (pure)."""

from __future__ import annotations

from companion.table.ports import LATEST, Outcome

LONGEST = 60.0
"""Whoever waits longer has been told to touch: nothing is counted down."""


class Countdown:
    """Follows the outcomes; times are seconds of one steady clock.

    seconds: the whole time; seq: of the entry since which a lock is held, or -1.
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self.seq = -1
        self._begins = 0.0
        self._shown = False

    @property
    def runs(self) -> bool:
        """Whether the cards turn by themselves, soon enough to be counted down."""
        return 0 < self.seconds <= LONGEST

    def take(self, outcome: Outcome, at: float) -> None:
        """An outcome has come: it may hold a lock, let it go, or give everyone the whole time again."""
        now = outcome.now
        if now.held is None or outcome.kind == "not_saved":
            # a disk that cannot write is tried again when the table thinks fit
            self.seconds, self.seq = 0.0, -1
        elif outcome.kind == "done" or self.seq < 0:
            self.seconds, self.seq, self._shown = now.hold, now.seq, False
            self._begins = at + LATEST

    def again(self, at: float) -> None:
        """Devices were set up meanwhile: the table gives everyone the whole time again, and has to be told anew."""
        self._shown, self._begins = False, at + LATEST

    def show(self, at: float) -> bool:
        """It is on the screen; whether that is new, so that the table has to be told (`Shown`)."""
        if self.seq < 0 or self._shown:
            return False
        self._shown, self._begins = True, min(self._begins, at)
        return True

    def left(self, at: float) -> float:
        """Seconds until the cards turn by themselves."""
        return min(max(self._begins + self.seconds - at, 0.0), self.seconds)
