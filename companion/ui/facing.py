"""Who sits at which side of the glass. Pure.

A side is the number of degrees by which the picture is turned clockwise for whoever sits there: 0 at the lower edge, 90
at the left, 180 at the upper, 270 at the right. Seats go clockwise from the lower edge.
"""

from __future__ import annotations

from collections.abc import Sequence

FACINGS = (0, 90, 180, 270)
SIDES = {2: (0, 180), 3: (0, 90, 180), 4: (0, 90, 180, 270)}
"""How many sit at the table -> the side of each."""


def side_of(seat: str, seats: Sequence[str]) -> int:
    """The side at which a seat of that table sits."""
    return SIDES[len(seats)][list(seats).index(seat)]


def around(count: int, facing: int) -> tuple[int, bool]:
    """For whoever sits at that side: the first seat clockwise from there, and whether it is their own."""
    sides = SIDES.get(count, FACINGS[:count])
    near = min(range(len(sides)), key=lambda i: (sides[i] - facing) % 360, default=0)
    return near, not sides or sides[near] == facing
