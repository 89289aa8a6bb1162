"""Where each figure stands on its square. Pure: names and the square's side -> places, measured from its corner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.games.sir_holland.state import COLOURS, VILLAINS


class Spot(NamedTuple):
    """Lower left corner and size of a figure; mark: too small for a figure, so it is the seat's mark; digit: whether

    its number stands beside it.
    """

    figure: str
    x: float
    y: float
    px: float
    mark: bool = False
    digit: bool = True

    @property
    def centre(self) -> tuple[float, float]:
        """Its middle."""
        return self.x + self.px / 2, self.y + self.px / 2

    def moved(self, dx: float, dy: float) -> Spot:
        """The same one somewhere else."""
        return self._replace(x=self.x + dx, y=self.y + dy)


def spots(there: Sequence[str], side: float, least: float) -> list[Spot]:
    """Up to four figures stand side by side, more become marks in rows. least: the smallest size of a mark.

    Both heroes of a seat in a crowd are one stack of two marks, so that no mark has to be too small to be told. The
    upper right corner is filled last: a coin may lie there.
    """
    n = len(there)
    if n == 1:
        px = round(side * 0.75)
        return [Spot(there[0], side * 0.98 - px, side * 0.02, px)]
    if n == 2:
        px = round(side * 0.54)
        return [Spot(f, side * 0.02 + i * (side * 0.96 - px), side * 0.02, px) for i, f in enumerate(there)]
    order = sorted(there, key=_order)
    if n <= 4:
        px = round(max(side * 0.45, least))
        return [Spot(f, x, y, px, mark=px < 1.5 * least) for f, (x, y) in zip(order, _cells(side, 2, px), strict=False)]
    piles = _piles(order)
    columns = 2 if len(piles) <= 4 else 3
    px = round(max(side * (0.40 if columns == 2 else 0.33), least))
    found = []
    for pile, (x, y) in zip(piles, _cells(side, columns, px), strict=False):
        for i, figure in enumerate(pile):
            # the second one lies a little higher, behind the first
            found.append(Spot(figure, x, y + (len(pile) - 1 - i) * round(px * 0.25), px, True, len(pile) == 1))
    return found


def row(there: Sequence[str], left: float, right: float, px: float) -> list[Spot]:
    """The terrace: side by side, closer together where they are many."""
    step = min(px * 1.02, (right - left - px) / (len(there) - 1)) if len(there) > 1 else px
    return [Spot(f, left + i * step, 2, px) for i, f in enumerate(there)]


def _order(figure: str) -> tuple[int, str]:
    seat = figure.partition(".")[0]
    return (len(COLOURS) if seat in VILLAINS else COLOURS.index(seat)), figure


def _piles(order: Sequence[str]) -> list[list[str]]:
    piles: list[list[str]] = []
    for figure in order:
        seat, dot, _digit = figure.partition(".")
        if dot and piles and piles[-1][0].startswith(f"{seat}."):
            piles[-1].append(figure)
        else:
            piles.append([figure])
    return piles


def _cells(side: float, columns: int, px: float) -> list[tuple[float, float]]:
    """The corners of two rows of cells. Three marks may stand over the edge of a small card by a pixel or two."""
    over = min(max((columns * px - side) / 2, -side * 0.03), 2)
    step = (side + 2 * over - px) / (columns - 1)
    low, high = side * 0.03, side * 0.52
    upper = [(-over + i * step, high) for i in range(columns)]
    lower = [(-over + i * step, low) for i in range(columns)]
    return [*upper[:-1], *lower, upper[-1]]
