"""The game in a minute: six pictures with a sentence each, spoken, for whoever has never played it."""

from __future__ import annotations

from typing import Any

from kivy.properties import ListProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.games.sir_holland.guide import Order, Position
from companion.games.sir_holland.minute import PAGES, Page
from companion.table.ports import Outcome, Snapshot
from companion.ui.boards.cards import CardRing
from companion.ui.boards.examples import ExampleTower
from companion.ui.pen import Pen
from companion.ui.screens.base import SetUpScreen
from companion.ui.screens.sheets import button
from companion.ui.theme import c, look, t, u
from companion.ui.widgets import Drawn, Figure, Panel, Row
from companion.ui.words import _, say


class Cards(Drawn):
    """Action cards side by side, as large as they fit; those that are `away` are dashed places."""

    numbers = ListProperty([])
    away = ListProperty([])

    def watched(self) -> tuple[str, ...]:
        return ("numbers", "away")

    def paint(self, pen: Pen) -> None:
        gap = u(10)
        # in one row or in two, whichever makes them larger
        w, columns = max((self._wide(n, gap), n) for n in (len(self.numbers), -(-len(self.numbers) // 2)))
        rows = -(-len(self.numbers) // columns)
        high = w * 1.36 + gap
        top = self.center_y + rows * high / 2
        for at, number in enumerate(self.numbers):
            row, column = divmod(at, columns)
            across = min(columns, len(self.numbers) - row * columns)
            left = self.center_x - (across * (w + gap) - gap) / 2
            x, y = round(left + column * (w + gap)), round(top - (row + 1) * high + gap / 2)
            if number in self.away:
                pen.used(number, x, y, w)
            else:
                pen.card(number, x, y, w, "red")

    def _wide(self, columns: int, gap: float) -> int:
        rows = -(-len(self.numbers) // columns)
        return int(min((self.width - (columns - 1) * gap) / columns, (self.height / rows - gap) / 1.36))


class Dots(Drawn):
    """Which of the pages this is: `at` [n, of all]."""

    at = ListProperty([0, 1])

    def watched(self) -> tuple[str, ...]:
        return ("at",)

    def paint(self, pen: Pen) -> None:
        here, pages = self.at
        step = u(22)
        left = self.center_x - (pages - 1) * step / 2
        for n in range(pages):
            colour = c("act") if n == here else c("line")
            pen.disc(left + n * step, self.center_y, u(14) if n == here else u(9), colour)


class Minute(SetUpScreen):
    """See above. given: `page`, from 0."""

    name = "minute"

    def make(self) -> Any:
        body = BoxLayout(orientation="vertical", padding=(u(8), u(18), u(8), u(8)), spacing=u(8))
        self.frame = Panel(padding=(u(10), u(10)))
        self.foot = Row(size_hint_y=None, height=max(u(64), t(56)))
        body.add_widget(self.frame)
        body.add_widget(self.foot)
        return body

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        if outcome is None:
            self._turn_to(int(self.given.get("page", 0)))

    def _turn_to(self, at: int) -> None:
        self.root.flow.given["page"] = at
        page, last = PAGES[at], at == len(PAGES) - 1
        self.tell(say(page.text))
        self.frame.clear_widgets()
        self.frame.add_widget(_picture(page))
        self.foot.clear_widgets()
        if at:
            self.foot.add_widget(button(_("Back"), lambda: self._turn_to(at - 1), icon="mark_undo", px=20))
        else:
            self.foot.add_widget(button(_("Close"), self.root.back, px=20))
        self.foot.add_widget(Dots(at=[at, len(PAGES)]))
        if last:
            self.foot.add_widget(button(_("That was it"), self.root.back, lit=True, icon="mark_yes", px=22))
        else:
            self.foot.add_widget(button(_("Go on"), lambda: self._turn_to(at + 1), lit=True, px=24))


def _of_whom(page: Page) -> Any:
    """What a picture of the tower is about: the heroes that want out, or the card that is played."""
    if page.id == "goal":
        row = Row()
        for hero in ("red.1", "red.2"):
            row.add_widget(Figure(figure=hero))
        return row
    assert isinstance(page.picture, Position)
    return Cards(numbers=[page.picture.card])


def _beside(*widgets: Any) -> Any:
    """Side by side, on a narrow screen one over the other."""
    box = BoxLayout(orientation="horizontal" if look.wide else "vertical", spacing=u(10))
    for widget in widgets:
        box.add_widget(widget)
    if not look.wide:
        widgets[0].size_hint_y = 0.4
    return box


def _picture(page: Page) -> Any:
    match page.picture:
        case Position() as example:
            tower = ExampleTower()
            tower.take(example)
            return _beside(_of_whom(page), tower)
        case Order() as order:
            ring = CardRing(seats=list(order.seats), gryphon=order.gryphon, cards=dict(order.cards), most=80)
            ring.disabled = True
            return _beside(Widget(size_hint_x=0.25), ring, Widget(size_hint_x=0.25)) if look.wide else ring
        case tuple() as numbers:
            return Cards(numbers=list(numbers), away=list(page.away))
        case _:
            raise TypeError(page.picture)
