"""After something fell or blew up: what hands do with the cardboard, one step after another, ticked one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.games.base import Json
from companion.games.sir_holland.state import ROOF, card_at
from companion.ui.boards.cardboard import Job
from companion.ui.pen import TERRAIN, Pen
from companion.ui.screens.base import load_kv
from companion.ui.screens.turn_side import make_button
from companion.ui.theme import c, look, t, u
from companion.ui.widgets import Drawn, Row
from companion.ui.words import _, say

load_kv("explosion")


class Columns(Drawn):
    """The column as it was and as it will be, side by side."""

    job = ObjectProperty(None, allownone=True)

    def watched(self) -> tuple[str, ...]:
        return ("job",)

    def paint(self, pen: Pen) -> None:
        if self.job is None:
            return
        number, arrow = t(18), u(26)
        px = int(min((self.height - u(4)) / 5, (self.width - number - arrow) / 2))
        left = self.x + (self.width - number - arrow - 2 * px) / 2
        low = self.y + (self.height - 5 * px) / 2
        for n in range(1, 6):
            pen.text(f"{self.job.column}{n}", left + number / 2, low + (n - 0.5) * px, min(t(15), px * 0.4), c("muted"))
        left += number + u(2)
        self._column(pen, self.job.before, left, low, px)
        middle = low + 2.5 * px
        tip = left + px + arrow - u(5)
        pen.line((left + px + u(4), middle, tip, middle), c("act"), u(4))
        pen.line((tip - u(7), middle + u(7), tip, middle, tip - u(7), middle - u(7)), c("act"), u(4))
        self._column(pen, self.job.after, left + px + arrow, low, px)

    def _column(self, pen: Pen, view: Mapping[str, Json], left: float, low: float, px: int) -> None:
        column = self.job.column
        moved = {s for step in (self.job.steps[0], self.job.steps[-1]) for s in step.marks}
        for n in range(1, 6):
            square, y = f"{column}{n}", low + (n - 1) * px
            pen.box(left + 1, y + 1, px - 2, px - 2, c("stone"), u(5))
            there = [f for f, s in view["figures"].items() if s == square and s != ROOF]
            art = px * (0.56 if there else 0.84)
            at = (left + 2, y + px - art - 2) if there else (left + (px - art) / 2, y + (px - art) / 2)
            pen.pic(f"card_{TERRAIN[card_at(tuple(view['tower']), square)]}", *at, art)
            size = px * (0.72 if len(there) < 2 else 0.5)
            for i, figure in enumerate(there[:2]):
                x = left + px - size - 2 - i * (px - size - 4)
                pen.figure(figure, x, y + 2, size, figure in view["lying"], number=size > u(26))
            if square in moved and self._is_it(square, view):
                pen.frame(left - 1, y - 1, px + 2, px + 2, c("act"), u(3), u(6))

    def _is_it(self, square: str, view: Mapping[str, Json]) -> bool:
        """Whether the card that is carried lies there: the one that is taken out, or that is laid down last."""
        first = view is self.job.before
        return square in self.job.steps[0 if first else -1].marks


class StepRow(BoxLayout):
    """One step of a job: its number, a figure or a tick, and what to do. Written out in explosion.kv."""

    number = StringProperty("")
    figure = StringProperty("")
    lying = BooleanProperty(False)
    text = StringProperty("")
    now = BooleanProperty(False)
    done = BooleanProperty(False)


class JobPanel(BoxLayout):
    """A job with its steps. at: the step that is awaited; `tick`, `again`, `back`: what the buttons do."""

    def __init__(
        self, job: Job, tick: Callable[[], None], again: Callable[[], None] | None, back: Callable[[], None] | None
    ) -> None:
        super().__init__(orientation="vertical", spacing=u(8))
        self.job = job
        self.done = make_button("", tick, lit=True, icon="mark_yes", px=22)
        middle = BoxLayout(spacing=u(10))
        if job.column:
            self.columns = Columns(job=job, size_hint_x=None)
            middle.bind(size=self._share)
            middle.add_widget(self.columns)
        self.list = BoxLayout(orientation="vertical", spacing=u(6))
        self.list.bind(width=self._lines)
        if job.places:
            lying = job.after["lying"]
            self.rows = [StepRow(text=say(text), figure=f, lying=f in lying, now=True) for f, text in job.places]
        else:
            texts = [" ".join(say(m) for m in (step.text, step.note) if m is not None) for step in job.steps]
            self.rows = [StepRow(text=text, number=str(n)) for n, text in enumerate(texts, start=1)]
        for row in self.rows:
            self.list.add_widget(row)
        middle.add_widget(self.list)
        self.add_widget(middle)
        others = Row(size_hint_y=None, height=u(56 if look.wide else 62))
        if back is not None:
            others.add_widget(make_button(_("Take back"), back, icon="mark_undo"))
        if again is not None and not look.still:
            others.add_widget(make_button(_("Show how"), again))
        if not look.wide:
            # one column: all in one row
            others.add_widget(self.done)
        if others.children:
            self.add_widget(others)
        if look.wide:
            self.done.size_hint_y, self.done.height = None, u(62)
            self.add_widget(self.done)

    def _share(self, middle: Any, size: tuple[float, float]) -> None:
        """The columns take what their height asks for; where words would have no room, the tower alone shows them."""
        width = min(size[1] * 0.4 + t(44), size[0] * 0.46)
        fits = sum(self._needs(size[0] - width - u(10))) + u(6) * (len(self.rows) - 1) <= size[1]
        self.columns.width, middle.spacing = (width, u(10)) if fits else (0, 0)

    def _needs(self, width: float) -> list[float]:
        """How high each step stands in that width, with the smallest letters that are allowed."""
        room = max(width - 2 * u(10) - u(26) - 3 * u(5), u(50))
        return [max(row.ids.words.high(row.ids.words.least, room) + u(10), t(38)) for row in self.rows]

    def _lines(self, *_: Any) -> None:
        for row, high in zip(self.rows, self._needs(self.list.width), strict=True):
            row.size_hint_y = high

    def show(self, at: int) -> None:
        """That step is awaited now."""
        for n, row in enumerate(self.rows if not self.job.places else ()):
            row.done, row.now = n < at, n == at
        self.done.text = _("Done") if at == len(self.job.steps) - 1 else _("Done, next")
