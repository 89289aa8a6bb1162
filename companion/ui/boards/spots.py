"""Where each figure stands on its square. Pure: names and the square's side -> places, measured from its corner."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import NamedTuple

from companion.games.sir_holland.state import COLOURS, VILLAINS


class Spot(NamedTuple):
    """Lower left corner and size of a figure; mark: too small for a figure, so it is the seat's mark, and on it stands

    the hero's number, or those of both heroes.
    """

    figure: str
    x: float
    y: float
    px: float
    mark: bool = False
    numbers: str = ""

    @property
    def centre(self) -> tuple[float, float]:
        """Its middle."""
        return self.x + self.px / 2, self.y + self.px / 2

    def moved(self, dx: float, dy: float) -> Spot:
        """The same one somewhere else, on whole pixels: its letter stands on it in the same way everywhere."""
        return self._replace(x=round(self.x + dx), y=round(self.y + dy))


def spots(
    there: Sequence[str], side: float, least: float, lying: Container[str] = (), coin: bool = False
) -> list[Spot]:
    """Up to four figures stand side by side, more become marks in rows. least: the smallest size of a mark; coin: one

    lies in the upper right corner. Both heroes of a seat in a crowd are one pile of two marks, so that no mark has to
    be too small to be told; both numbers stand on it.
    """
    n = len(there)
    if n == 1:
        # a head fits under the coin
        px = round(side * (0.66 if coin else 0.75))
        return [Spot(there[0], side * 0.98 - px, side * 0.02, px)]
    if n == 2:
        px = round(side * 0.54)
        return [Spot(f, side * 0.02 + i * (side * 0.96 - px), side * 0.02, px) for i, f in enumerate(there)]
    order = sorted(there, key=lambda f: (_seat_order(f), f not in lying, f))
    piles = [[f] for f in order] if n <= 4 else _piles(order)
    share = 0.46 if n == len(piles) else 0.37
    size, cells = _cells(len(piles), side, share, least, coin)
    found = []
    for pile, (x, y) in zip(piles, cells, strict=True):
        mixed = len({f in lying for f in pile}) > 1
        for i, figure in enumerate(pile):
            # the second one stands a little higher, behind the first
            up = (len(pile) - 1 - i) * round(size * (0.25 if not mixed else 0.15))
            numbers = figure.partition(".")[2]
            if not mixed:
                # the one in front bears both
                numbers = "" if i else " ".join(f.partition(".")[2] for f in pile)
            found.append(Spot(figure, x, y + up, size, n > 4 or size < 1.5 * least, numbers))
    return found


def row(there: Sequence[str], left: float, right: float, px: float) -> list[Spot]:
    """The terrace: side by side, closer together where they are many."""
    step = min(px * 1.02, (right - left - px) / (len(there) - 1)) if len(there) > 1 else px
    return [Spot(f, left + i * step, 2, px) for i, f in enumerate(there)]


def order_of(figure: str) -> tuple[int, str]:
    """In which order figures are named: by seat, the villains last."""
    return _seat_order(figure), figure


def _seat_order(figure: str) -> int:
    seat = figure.partition(".")[0]
    return len(COLOURS) if seat in VILLAINS else COLOURS.index(seat)


def _piles(order: Sequence[str]) -> list[list[str]]:
    piles: list[list[str]] = []
    for figure in order:
        seat, dot, _digit = figure.partition(".")
        if dot and piles and piles[-1][0].startswith(f"{seat}."):
            piles[-1].append(figure)
        else:
            piles.append([figure])
    return piles


def _cells(
    n: int, side: float, share: float, least: float, coin: bool
) -> tuple[float, list[tuple[float, float]]]:
    """Size and corners of up to six marks in two rows, the upper one first; none lies under the coin.

    share: how much of the side one takes where there are two in a row.
    """
    columns = 2 if n <= (3 if coin else 4) else 3
    px = round(max(side * (share if columns == 2 else 0.34), least))
    upper = min(columns - 1 if coin else columns, n // 2)
    rows = ((upper, columns, side * 0.53), (n - upper, max(n - upper, 2), side * 0.03))
    cells = []
    for count, across, y in rows:
        # three marks may stand over the edge of a small card by a pixel or two
        over = min(max((across * px - side) / 2, -side * 0.03), 2)
        step = (side + 2 * over - px) / (across - 1)
        cells += [(-over + i * step, y) for i in range(count)]
    return px, cells
