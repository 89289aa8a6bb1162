"""Which boxes on a screen lie over each other, or leave the thing that holds them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

from kivy.uix.label import Label
from kivy.uix.scrollview import ScrollView
from kivy.uix.widget import Widget

from companion.ui.boards.sir_holland.tower import Tower
from companion.ui.screens.start import Sky
from companion.ui.screens.touch_test import Targets
from companion.ui.screens.tower import Ticks
from companion.ui.theme import look
from companion.ui.widgets import Drawn, Panel, Pennant, Pic, Text

SLACK = 1.5
"""Pixels that rounding may take."""
LAYERS = (Sky, Ticks, Targets)
"""Widgets that draw what lies behind or over all others: the night, ticks on a tower, circles to touch."""


class Box(NamedTuple):
    """What a widget covers of the screen."""

    widget: Any
    left: float
    low: float
    right: float
    top: float

    def over(self, other: Box) -> bool:
        """Whether both cover something of the screen."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.top, other.top) - max(self.low, other.low)
        return min(wide, high) > SLACK

    def within(self, other: Box) -> bool:
        """Whether it leaves the other one nowhere."""
        return (
            self.left > other.left - SLACK
            and self.low > other.low - SLACK
            and self.right < other.right + SLACK
            and self.top < other.top + SLACK
        )

    def __str__(self) -> str:
        words = next((w for a in ("text", "seat", "art", "name") if (w := getattr(self.widget, a, ""))), "")
        size = f"{self.left:.0f},{self.low:.0f} {self.right - self.left:.0f}x{self.top - self.low:.0f}"
        return f"{type(self.widget).__name__} {str(words)[:40]!r} at {size}"


def box_of(widget: Any) -> Box:
    """The box of a widget on the screen; of a tower only its masonry."""
    x, y, wide, high = *widget.to_window(*widget.pos), widget.width, widget.height
    if isinstance(widget, Tower) and widget.rows:
        x, y, wide, high = widget.masonry
        x, y = widget.to_window(x, y)
    return Box(widget, x, y, x + wide, y + high)


def shown(widget: Any) -> bool:
    """Whether it draws a ground, a picture or words."""
    if any(getattr(w, "opacity", 1) == 0 for w in (widget, *above(widget))):
        return False
    if isinstance(widget, Text | Label):
        return bool(widget.text.strip())
    if isinstance(widget, Panel):
        return bool(widget.ground or widget.edge)
    if isinstance(widget, Drawn):
        return bool(_what(widget))
    return isinstance(widget, Tower)


def _what(widget: Drawn) -> bool:
    """Whether a drawing has something to draw."""
    names = [name for name in ("art", "seat", "figure", "number") if name in widget.watched()]
    return not names or any(getattr(widget, name) for name in names)


def above(widget: Any) -> Iterator[Any]:
    """What holds it, from the inside out."""
    while isinstance(widget.parent, Widget):
        widget = widget.parent
        yield widget


def faults(screenful: Any) -> list[str]:
    """Every pair of boxes that lie over each other, and every box that leaves what holds it, or the screen."""
    boxes = [box_of(w) for w in screenful.walk() if shown(w) and min(w.size) > 1 and not isinstance(w, LAYERS)]
    glass = Box(screenful.root, 0, 0, look.width, look.height)
    found = []
    for box in boxes:
        holders = list(above(box.widget))
        if any(isinstance(w, ScrollView) for w in holders):
            continue
        for holder in (glass, *(box_of(w) for w in holders if isinstance(w, Panel) and shown(w))):
            if not box.within(holder):
                found.append(f"{box} leaves {holder}")
    for one, other in combinations(boxes, 2):
        if one.over(other) and not _may(one.widget, other.widget):
            found.append(f"{one} lies over {other}")
    return found


def _may(one: Any, other: Any) -> bool:
    """Whether two widgets lie over each other on purpose."""
    if one in above(other) or other in above(one):
        return True
    for top, under in ((one, other), (other, one)):
        if isinstance(top, Pennant) and not isinstance(under, Text | Drawn):
            # it hangs down from the bar
            return True
        if isinstance(top, Pic) and top.art == "gryphon" and isinstance(under, Tower):
            # it sits on the battlements of the first screen
            return True
    return False
