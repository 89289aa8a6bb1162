"""What a long touch has asked about: its drawing, two sentences, and the way to the rule. Lies over everything."""

from __future__ import annotations

from typing import Any

from companion.ui.explaining import Explanation
from companion.ui.screens.sheets import Sheet, button
from companion.ui.theme import look, t, u
from companion.ui.widgets import ActionCard, Figure, Pic, Row, SeatMark, Text, height_of
from companion.ui.words import _

WIDTH = 600


class Explained(Sheet):
    """A touch beside it closes it, as its button does."""

    def __init__(self, root: Any, explanation: Explanation) -> None:
        super().__init__(root, "", WIDTH)
        self.explanation = explanation
        self.panel.clear_widgets()
        room = self.panel.width - 2 * self.panel.padding[0]
        head, drawn = Row(size_hint_y=None, spacing=u(12)), _drawing(explanation)
        if drawn is not None:
            drawn.size_hint_x, drawn.width = None, u(72)
            head.add_widget(drawn)
            room -= u(84)
        title = Text(text=explanation.title, px=26, least=15, bold=True)
        head.height = max(u(80) if drawn else u(44), min(height_of(title.text, 26, room, True), t(110)))
        head.add_widget(title)
        self.panel.add_widget(head)
        width = self.panel.width - 2 * self.panel.padding[0]
        most = root.height - u(24) - 2 * u(16) - head.height - max(u(60), t(54)) - 2 * u(10)
        text = Text(text=explanation.text, px=22, least=15, size_hint_y=None)
        text.height = min(height_of(text.text, 22, width), max(most, u(60)))
        self.panel.add_widget(text)
        buttons = [button(_("Close"), self.close, lit=True, px=22)]
        if not explanation.secret:
            buttons.insert(0, self._to_the_rule())
        self.row(*buttons, height=max(u(60), t(54)) / look.factor)

    def _to_the_rule(self) -> Any:
        """To the entry, or to the rule book where no entry is about it."""
        rule = self.explanation.rule
        if rule and self.root.book.find(rule) is not None:
            return button(_("The rule"), lambda: self._open("entry", rule=rule), icon="mark_book", sub=rule, least=12)
        return button(_("Rule book"), lambda: self._open("rulebook"), icon="mark_book", least=12)

    def _open(self, door: str, **given: Any) -> None:
        self.close()
        self.root.close_sheet()
        self.root.open(door, **given)

    def close(self) -> None:
        """Whatever lies below is as it was."""
        self.root.close_explanation()


def _drawing(explanation: Explanation) -> Any:
    if explanation.card:
        return ActionCard(number=explanation.card)
    if explanation.figure:
        return Figure(figure=explanation.figure, lying=explanation.lying)
    if explanation.seat:
        return SeatMark(seat=explanation.seat)
    return Pic(art=explanation.art) if explanation.art else None
