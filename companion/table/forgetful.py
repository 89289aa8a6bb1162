"""A journal that forgets: for a what-if, which is never saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.table.ports import Entry


class Forgetful:
    """Takes entries and keeps nothing."""

    def begin(self, game: str, names: Mapping[str, str], entries: Sequence[Entry]) -> int:
        """Start a game; it gets no number of its own."""
        return 0

    def append(self, number: int, entries: Sequence[Entry]) -> None:
        """Never fails."""
