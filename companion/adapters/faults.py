"""What is said of devices, and how often: a board with a loose plug must not talk the game down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.games.base import Message, msg

AGAIN = 60.0
"""Seconds: a fault that is back so soon comes and goes."""
PAUSE = 300.0
"""Seconds in which nothing more is said of one that comes and goes."""
COMES_AND_GOES = msg("It comes and goes: look at its cable and its power supply.")


@dataclass(slots=True)
class _Fault:
    """message: what is wrong now, None where it is over; changed: when it began or ended; times: how often it began

    with little time between; told: when it was said that it comes and goes.
    """

    message: Message | None
    changed: float
    times: int = 1
    told: float = float("-inf")


class Faults:
    """The faults of all devices, by the key of their Status. clock: seconds that only grow."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._faults: dict[str, _Fault] = {}

    def end(self, key: str) -> None:
        """It is well again, for now."""
        fault = self._faults.get(key)
        if fault is not None and fault.message is not None:
            fault.message, fault.changed = None, self._clock()

    def begin(self, key: str, message: Message, lost: bool) -> tuple[Message, ...]:
        """What to say of it: nothing where it was said. lost: a cable may be the reason, so that it can flap."""
        now = self._clock()
        fault = self._faults.get(key)
        if fault is not None and fault.message == message:
            return ()
        if fault is None or not lost or now - fault.changed >= AGAIN:
            self._faults[key] = _Fault(message, now)
            return (message,)
        fault.message, fault.changed, fault.times = message, now, fault.times + 1
        if fault.times == 2:
            # somebody has put the plug in another socket
            return (message,)
        if now - fault.told < PAUSE:
            return ()
        fault.told = now
        return message, COMES_AND_GOES
