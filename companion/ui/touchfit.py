"""Whether touch and picture agree, worked out from touches on known places. Pure.

Places are shares of the glass, x to the right and y downwards, as the systems count them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Point = tuple[float, float]
Matrix = tuple[float, float, float, float, float, float]
"""a b c d e f: a touch at x, y belongs to a*x + b*y + c, d*x + e*y + f. What libinput calls the calibration matrix."""

TURNS: dict[str, Matrix] = {
    "agrees": (1, 0, 0, 0, 1, 0),
    "turned_90": (0, -1, 1, 1, 0, 0),
    "turned_180": (-1, 0, 1, 0, -1, 1),
    "turned_270": (0, 1, 0, -1, 0, 1),
    "mirrored_x": (-1, 0, 1, 0, 1, 0),
    "mirrored_y": (1, 0, 0, 0, -1, 1),
    "swapped": (0, 1, 0, 1, 0, 0),
    "swapped_mirrored": (0, -1, 1, -1, 0, 1),
}
"""What can be wrong with a glass -> the matrix that mends it. Turned: clockwise."""
CLOSE = 0.06
"""Shares of the glass by which a finger may miss."""
SAME = 0.15
"""So near its numbers have to be for a matrix to count as one of those above."""


@dataclass(frozen=True)
class Fit:
    """What was found. name: one of TURNS, `stretched` (the matrix mends it), or `lost` (no matrix does)."""

    name: str
    matrix: Matrix
    miss: float

    @property
    def numbers(self) -> str:
        """The matrix as udev wants it."""
        # plus zero, as there is a zero below zero
        return " ".join(f"{round(n, 3) + 0:g}" for n in self.matrix)

    @property
    def overlay(self) -> tuple[str, ...]:
        """The parameters of a Raspberry Pi's display overlay that do the same; none where they cannot."""
        if self.name not in TURNS:
            return ()
        a, b, _c, d, e, _f = self.matrix
        swapped = a == 0
        # the kernel mirrors first and swaps then
        flips = {"invx": (d if swapped else a) < 0, "invy": (b if swapped else e) < 0, "swapxy": swapped}
        return tuple(name for name, wanted in flips.items() if wanted)


def fit(targets: Sequence[Point], touches: Sequence[Point]) -> Fit:
    """How the touches have to be changed to lie on the targets: by the best matrix there is (least squares)."""
    rows = [_solve(touches, [t[axis] for t in targets]) for axis in (0, 1)]
    if rows[0] is None or rows[1] is None:
        return Fit("lost", TURNS["agrees"], 1.0)
    matrix: Matrix = (*rows[0], *rows[1])
    miss = _miss(matrix, targets, touches)
    if miss > CLOSE:
        return Fit("lost", matrix, miss)
    for name, turn in TURNS.items():
        if all(abs(m - n) <= SAME for m, n in zip(matrix, turn, strict=True)):
            by_turn = _miss(turn, targets, touches)
            if by_turn <= CLOSE:
                return Fit(name, turn, by_turn)
    return Fit("stretched", matrix, miss)


def moved(matrix: Matrix, point: Point) -> Point:
    """Where a touch belongs."""
    a, b, c, d, e, f = matrix
    x, y = point
    return a * x + b * y + c, d * x + e * y + f


def _miss(matrix: Matrix, targets: Sequence[Point], touches: Sequence[Point]) -> float:
    found = [moved(matrix, t) for t in touches]
    return max(max(abs(x - tx), abs(y - ty)) for (x, y), (tx, ty) in zip(found, targets, strict=True))


def _solve(touches: Sequence[Point], wanted: Sequence[float]) -> tuple[float, float, float] | None:
    """The three numbers that fit best; None where all touches lie on one line."""
    n = float(len(touches))
    mx, my, mw = (sum(v) / n for v in ((x for x, _ in touches), (y for _, y in touches), wanted))
    xx = sum((x - mx) ** 2 for x, _ in touches)
    yy = sum((y - my) ** 2 for _, y in touches)
    xy = sum((x - mx) * (y - my) for x, y in touches)
    xw = sum((x - mx) * (w - mw) for (x, _), w in zip(touches, wanted, strict=True))
    yw = sum((y - my) * (w - mw) for (_, y), w in zip(touches, wanted, strict=True))
    det = xx * yy - xy * xy
    if det < 1e-4:
        return None
    a, b = (xw * yy - yw * xy) / det, (yw * xx - xw * xy) / det
    return a, b, mw - a * mx - b * my
