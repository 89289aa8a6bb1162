"""Putting the screen right: made like the table, and everyone agrees. A door from every screen of a game."""

from __future__ import annotations

from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.games.base import msg
from companion.games.sir_holland.state import ROOF, VILLAINS
from companion.table.ports import Outcome, PutRight, Snapshot
from companion.ui import words
from companion.ui.agree import AgreeSheet, asked
from companion.ui.boards.carry import CarryTower
from companion.ui.boards.sir_holland.crowd import CrowdSheet
from companion.ui.correction import Correction
from companion.ui.screens import put_right_forms as forms
from companion.ui.screens.base import Screen, load_kv
from companion.ui.screens.sheets import Sheet, button
from companion.ui.theme import look, t, u
from companion.ui.widgets import BigButton, Figure, Panel, Pic, Row, Text
from companion.ui.words import _, say

FORMS: dict[str, type[forms.Form]] = {"hands": forms.Hands, "gryphon": forms.Gryphon, "turn": forms.Turn}
"""Tab -> what is shown instead of the tower; made when it is first opened."""
HERE = 2
"""Faults that stand beside the tower; more are shown at a touch."""


class PutRightBody(BoxLayout):
    """Written out in put_right.kv."""


load_kv("put_right")


class PutRightScreen(Screen):
    """See above. `here`: what has been put right so far. given: `picked`, the figure that somebody has in hand."""

    name = "put_right"

    def make(self) -> Any:
        # kept where a screen that is built anew (turned, another language) finds it
        self.here: Correction | None = self.root.memo.get("put_right")
        self.tab = "figures"
        self.picked: str | None = None
        self.square: str | None = None
        body = PutRightBody()
        self.ids_ = body.ids
        self.tabs: dict[str, BigButton] = {}
        self.forms: dict[str, forms.Form] = {}
        self.tower = CarryTower()
        self.tower.bind(on_square=lambda _, square: self._touch(square))
        self.tower.bind(on_drop=lambda _, load, square: self._drop(load, square))
        return body

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        if now is None:
            return
        if self.here is None or not self.here.fits(now.view):
            # what was begun does not fit the table any more
            self.here = self.root.memo["put_right"] = Correction(now.view)
            self.tabs = {}
        if not self.tabs:
            self._begin()
        self._draw()

    def _begin(self) -> None:
        assert self.here is not None
        # whoever had a figure in hand touches only the place where it stands
        self.picked, self.square = None if self.here.edited else self.given.get("picked"), None
        self.tower.put_away()
        self.forms = {}
        if self.tab == "turn" and not self.here.base["turn"]:
            self.tab = "figures"
        self._tabs()

    def _tabs(self) -> None:
        assert self.here is not None
        names = {"figures": _("Figures"), "tower": _("Tower"), "hands": _("Hands"), "gryphon": _("Gryphon"),
                 "turn": _("Turn")}  # fmt: skip
        self.tabs = {
            tab: BigButton(text=name, px=18, least=13, data=tab)
            for tab, name in names.items()
            if tab != "turn" or self.here.base["turn"]
        }
        box = self.ids_.tabs
        box.clear_widgets()
        shown = list(self.tabs.values())
        in_two_rows = look.wide or look.tight or look.text == "huge"
        per_row = -(-len(shown) // 2) if in_two_rows else len(shown)
        for start in range(0, len(shown), per_row):
            row = Row(size_hint_y=None, height=u(48))
            for tab in shown[start : start + per_row]:
                tab.bind(on_release=lambda pick: self._turn_to(pick.data))
                row.add_widget(tab)
            box.add_widget(row)

    # --- drawing ----------------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        assert self.here is not None
        faults = self.here.faults()
        for tab, made in self.tabs.items():
            made.taken = tab == self.tab
        self._show_table()
        locked = bool(self.view["locked"]) and not self.here.edited
        if self.picked is not None:
            sub = self._where()
        elif locked:
            sub = _("Then everyone chooses a card again.")
        else:
            sub = _("Nothing changes until everyone agrees.")
        self.tell(_("Make the screen like your table."), sub, tint="refuse" if locked and not self.picked else "muted")
        page = self.ids_.page
        page.clear_widgets()
        if faults:
            self._wrong(page, [say(f.message) for f in faults])
        elif self.tab == "figures":
            self._figures(page)
        else:
            self._hint(page, self._help())
        self._foot(bool(faults))

    def _show_table(self) -> None:
        """The tower, or the form of the tab."""
        assert self.here is not None
        table = self.ids_.table
        if self.tab in FORMS and self.tab not in self.forms:
            self.forms[self.tab] = FORMS[self.tab](self.here, self._draw, spacing=u(6))
        form = self.forms.get(self.tab)
        wanted = form or self.tower
        if table.children != [wanted]:
            table.clear_widgets()
            table.add_widget(wanted)
        if form is not None:
            form.show()
            return
        self.tower.carries = "cards" if self.tab == "tower" else "figures"
        self.tower.show(self.here.here)
        at = self.here.here["figures"][self.picked] if self.picked else self.square
        self.tower.picked = [at] if at else []
        self.tower.bad = self.here.bad()

    def _where(self) -> str:
        """What to touch with a figure in hand."""
        return say(msg("Touch where {figure:figure} stands on your table.", figure=self.picked))

    def _help(self) -> str:
        return {
            "figures": _("Drag a figure to its place. Or touch it, then the place."),
            "tower": _("Drag a card onto another one: they change places. Figures stay where they are."),
            "hands": _("Touch a card to take it out of a hand, or to put it back."),
            "gryphon": _("Count the rests, and touch where the gryphon stands."),
            "turn": _("Touch whose turn it is. Then count what is left of the card."),
        }[self.tab]

    def _figures(self, page: Any) -> None:
        assert self.here is not None
        here = self.here.here
        there = [f for f, s in here["figures"].items() if s == self.square] if self.picked is None else []
        if there:
            self._which(page, there)
            return
        if self.picked is None:
            self._hint(page, self._help())
            return
        lying = self.picked in here["lying"]
        # large letters on a small screen leave it less
        row = Panel(edge="act", size_hint_y=None, height=u(50 if look.tight else 64), padding=(u(10), u(4)))
        row.add_widget(Figure(figure=self.picked, lying=lying, size_hint_x=None, width=u(56)))
        name = words.capital(words.figure_name(self.picked))
        row.add_widget(Text(text=name, px=21, least=14, bold=True))
        page.add_widget(row)
        acts = Row(size_hint_y=None, height=u(48) if look.tight else t(48))
        if self.picked not in VILLAINS:
            acts.add_widget(button(_("Stand it up") if lying else _("Lay it down"), self._lay, px=18, least=13))
        acts.add_widget(button(_("Leave it"), lambda: self._pick(None), px=18, least=13))
        page.add_widget(acts)
        if look.wide and not look.tight:
            self._hint(page, self._where())
        elif look.wide:
            page.add_widget(Widget())

    def _which(self, page: Any, figures: list[str]) -> None:
        """Several stand there: which one is meant?"""
        per_row = 4 if len(figures) > 4 or not look.wide else 2
        for start in range(0, len(figures), per_row):
            row = Row()
            for figure in figures[start : start + per_row]:
                row.add_widget(button("", lambda f=figure: self._pick(f), figure=figure))
            page.add_widget(row)

    def _hint(self, page: Any, text: str) -> None:
        panel = Panel(padding=(u(10), u(6)))
        pic, told = Pic(art="gryphon", size_hint_x=None, width=u(52)), Text(text=text, px=19, least=13)
        # a large room is not left to a few small words
        panel.bind(height=lambda _panel, height: setattr(told, "px", 24 if height > u(220) else 19))
        panel.add_widget(pic)
        panel.add_widget(told)
        page.add_widget(panel)

    def _wrong(self, page: Any, faults: list[str]) -> None:
        """What cannot be: as much of it as there is room for, all of it at a touch. Its places have a ring."""
        room = HERE if look.wide and look.text == "normal" else 1
        more = len(faults) - room
        rest = say(msg("Touch to see {n} more.", n=more)) if more > 0 else ""
        panel = forms.Wrong(text="\n".join(faults[:room]), rest=rest)
        panel.bind(on_release=lambda *_: self._show_faults(faults))
        page.add_widget(panel)

    def _show_faults(self, faults: list[str]) -> None:
        sheet = Sheet(self.root, _("This cannot be"), 680)
        text = Text(text="\n".join(f"• {fault}" for fault in faults), px=20, least=11, size_hint_y=None)
        text.height = min(t(34) * len(faults) + t(30), self.root.height - t(160))
        sheet.panel.add_widget(text)
        sheet.row(button(_("All right, go on"), self.root.close_sheet, lit=True), height=62)
        self.root.open_sheet(sheet)

    def _foot(self, wrong: bool) -> None:
        assert self.here is not None
        foot = self.ids_.foot
        foot.clear_widgets()
        undo = button("", self._undo, icon="mark_undo", off=not self.here.edited, size_hint_x=None, width=u(60))
        right = button(_("This is right"), self._ask, px=20, least=13, size_hint_x=1.3, icon="mark_yes")
        right.lit = bool(self.here.changes()) and not wrong
        right.off = not right.lit
        foot.add_widget(undo)
        foot.add_widget(button(_("Leave it as it was"), self._leave, px=18, least=13))
        foot.add_widget(right)

    # --- touches ----------------------------------------------------------------------------------------------------

    def _turn_to(self, tab: str) -> None:
        self.tab, self.picked, self.square = tab, None, None
        self._draw()

    def _touch(self, square: str) -> None:
        assert self.here is not None
        if self.tab == "tower":
            if self.square in (None, square):
                self.square = square if self.square is None else None
            else:
                self._drop(self.square, square)
                return
        elif self.picked is not None:
            self._drop(self.picked, square)
            return
        else:
            there = [f for f, s in self.here.here["figures"].items() if s == square]
            if self.tower.crowded(square):
                here = self.here.here
                self.root.open_sheet(
                    CrowdSheet(self.root, square, here["figures"], here["lying"], self._pick, there, _("Which one?"))
                )
                return
            self.square = square if len(there) > 1 else None
            self.picked = there[0] if len(there) == 1 else None
        self._draw()

    def _drop(self, load: str, square: str) -> None:
        """A figure or a card comes to a square."""
        assert self.here is not None
        self.picked = self.square = None
        if self.tab == "figures":
            self.here.move(load, square)
        elif ROOF not in (load, square):
            self.here.swap(load, square)
        self._draw()

    def _pick(self, figure: str | None) -> None:
        self.picked, self.square = figure, None
        self._draw()

    def _lay(self) -> None:
        assert self.here is not None
        assert self.picked is not None
        self.here.lay(self.picked)
        self._draw()

    def _undo(self) -> None:
        assert self.here is not None
        self.here.undo()
        self.picked = self.square = None
        self._draw()

    def _leave(self) -> None:
        """What has been put right so far is not thrown away by one touch."""
        assert self.here is not None
        if not self.here.changes():
            self._close()
            return
        sheet = Sheet(self.root, _("Leave it as it was?"))
        text = _("What you have put right here is forgotten.")
        sheet.panel.add_widget(Text(text=text, px=20, least=14, size_hint_y=None, height=t(60)))
        go_on = button(_("Go on here"), self.root.close_sheet, lit=True)
        sheet.row(button(_("Leave it as it was"), self._close), go_on, height=62)
        self.root.open_sheet(sheet)

    def _close(self) -> None:
        self.root.memo.pop("put_right", None)
        self.root.back()

    # --- agreed -----------------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        assert self.here is not None
        now, changes = self.root.now, self.here.changes()
        text = " ".join(say(m) for m in self.here.told())
        if now.view["locked"]:
            text += "\n" + _("Everyone chooses a card again.")
        seats = asked(now)
        self.root.open_sheet(
            AgreeSheet(self.root, _("Does everyone agree?"), text, seats, lambda agreed: self._send(changes, agreed))
        )

    def _send(self, changes: dict[str, Any], agreed: tuple[str, ...]) -> None:
        self.root.send(PutRight(changes, agreed), lambda outcome: self._answered(outcome, changes))

    def _answered(self, outcome: Outcome, changes: dict[str, Any]) -> bool:
        """Back to the table once it is as the screen said."""
        if outcome.kind != "done" or any(outcome.now.view[key] != value for key, value in changes.items()):
            return outcome.kind != "done"
        self._close()
        return True

    def refused(self, outcome: Outcome) -> None:
        self.tell(_("Make the screen like your table."), " ".join(say(m) for m in outcome.messages), tint="refuse")
