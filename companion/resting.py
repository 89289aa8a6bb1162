"""What was laid on a reader counts once it has lain there for a while: what only passes over it does not.

Pure: times are seconds of one steady clock, passed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class _Stay(Generic[T]):
    """at: when it was laid; seen: for how long the reader has seen it, up to `since`; since: None while it does not."""

    what: T
    at: float
    seen: float
    since: float | None


class Resting(Generic[T]):
    """One thing a reader that has not lain there for long enough. Moments in which the reader does not see it do not

    count: a weak card takes longer, and one that has left never counts.
    """

    def __init__(self) -> None:
        self._stays: dict[str, _Stay[T]] = {}

    def __contains__(self, reader: str) -> bool:
        return reader in self._stays

    def get(self, reader: str) -> T | None:
        """What has not counted there yet."""
        stay = self._stays.get(reader)
        return None if stay is None else stay.what

    def lay(self, reader: str, what: T, at: float) -> None:
        """Something was laid there. Whatever lay there before does not count any more."""
        self._stays[reader] = _Stay(what, at, 0.0, at)

    def lift(self, reader: str) -> bool:
        """It has left; whether it had not counted yet."""
        return self._stays.pop(reader, None) is not None

    def drop(self, of: Callable[[str], bool] = lambda _reader: True) -> None:
        """Nothing of what lies on these readers is to count."""
        self._stays = {reader: stay for reader, stay in self._stays.items() if not of(reader)}

    def see(self, reader: str, seen: bool, at: float) -> None:
        """The reader has lost sight of it, or sees it again."""
        stay = self._stays.get(reader)
        if stay is None or seen == (stay.since is not None):
            return
        if stay.since is not None:
            stay.seen += at - stay.since
        stay.since = at if seen else None

    def due(self, dwell: float) -> float | None:
        """When the next one has lain there for `dwell` seconds; None where nothing is about to."""
        return min((at for _reader, at in self._dues(dwell)), default=None)

    def last(self, dwell: float, before: float) -> float | None:
        """When all that were laid before that time have; None where there are none."""
        return max((at for reader, at in self._dues(dwell) if self._stays[reader].at < before), default=None)

    def counted(self, dwell: float, at: float) -> list[tuple[T, float]]:
        """What has lain there for `dwell` seconds by then, each with when it was laid, in that order; once each."""
        dues = sorted((due, reader) for reader, due in self._dues(dwell) if due <= at)
        stays = [self._stays.pop(reader) for _due, reader in dues]
        return [(stay.what, stay.at) for stay in stays]

    def _dues(self, dwell: float) -> Iterator[tuple[str, float]]:
        for reader, stay in self._stays.items():
            if stay.since is not None:
                yield reader, stay.since + max(0.0, dwell - stay.seen)
