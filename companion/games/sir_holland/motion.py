"""What an outcome looks like in time, for eye and ear: seconds of the steps of a reveal."""

from __future__ import annotations

TURN, HOP, REST = 0.45, 0.4, 0.6
"""A card turns, the count of a tie goes one seat to the left, and what was found stays for a while."""
