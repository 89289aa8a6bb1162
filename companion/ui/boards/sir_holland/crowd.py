"""A crowded square, shown large: who stands there, and each figure a target for a finger."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kivy.properties import BooleanProperty

from companion.games.base import Json, msg
from companion.ui import words
from companion.ui.boards.spots import order_of
from companion.ui.pen import Pen
from companion.ui.screens.sheets import Sheet, button
from companion.ui.theme import look
from companion.ui.widgets import BigButton
from companion.ui.words import _, say

HIGHEST, LOWEST = 84, 52
"""Of a figure's tile, in sizes of the design."""


class FigureTile(BigButton):
    """A figure with its name."""

    lying = BooleanProperty(False)

    def _picture(self, pen: Pen, left: float, px: float, ink: str, down: float) -> None:
        pen.figure(self.figure, left, self.center_y - px / 2 - down, px, self.lying)


class CrowdSheet(Sheet):
    """Who stands on a square. pick: gets the figure that was touched, once the sheet is closed; able: who is lit,

    as it is asked for; without `pick` there is only something to look at.
    """

    def __init__(
        self,
        root: Any,
        square: str,
        figures: Mapping[str, Json],
        lying: Sequence[str] = (),
        pick: Callable[[str], None] | None = None,
        able: Sequence[str] = (),
        title: str = "",
    ) -> None:
        super().__init__(root, title or say(msg("On {at:square}", at=square)), 680)
        self.pick = pick
        there = sorted((f for f, at in figures.items() if at == square), key=order_of)
        # as many as there is room for with their names in one line
        per_row = 3 if look.wide else 2
        rows = -(-len(there) // per_row)
        # the tallest tiles for which all rows fit above the way back
        room = root.height / look.factor - 24 - 32 - 40 - 64 - 10 * (rows + 1)
        high = min(max(room / rows, LOWEST), HIGHEST)
        self.tiles = [self._tile(figure, figure in lying, figure in able) for figure in there]
        for start in range(0, len(there), per_row):
            self.row(*self.tiles[start : start + per_row], height=high)
        back = _("Nobody") if able else _("All right, go on")
        self.row(button(back, root.close_sheet, lit=not able, icon="mark_undo" if able else "", px=22), height=64)

    def _tile(self, figure: str, lying: bool, lit: bool) -> FigureTile:
        name = words.figure_name(figure)
        tile = FigureTile(
            text=words.capital(name), figure=figure, lying=lying, lit=lit, off=self.pick is None, least=12
        )
        tile.bind(on_release=lambda *_: self._touch(figure))
        return tile

    def _touch(self, figure: str) -> None:
        assert self.pick is not None
        self.root.close_sheet()
        self.pick(figure)
