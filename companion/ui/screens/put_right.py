"""Putting the screen right: make it like the table, with all that cannot be said at once."""

from __future__ import annotations

from typing import Any

from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.games.base import BadForm, BadSetup, Message
from companion.games.sir_holland import codec
from companion.games.sir_holland.state import CARDS, ROOF, VILLAINS
from companion.table.ports import Outcome, PutRight, Snapshot
from companion.ui import words
from companion.ui.boards.sir_holland import Tower  # noqa: F401  named in put_right.kv
from companion.ui.screens.base import Screen, load_kv
from companion.ui.screens.sheets import Sheet
from companion.ui.theme import look, u
from companion.ui.widgets import ActionCard, BigButton, Figure, Panel, Pic, Row, SeatMark, Text
from companion.ui.words import _, say

KEYS = ("figures", "lying", "tower", "hands", "rests", "gryphon")
"""What can be put right here."""


class PutRightBody(BoxLayout):
    """Written out in put_right.kv."""


class HandToggle(ButtonBehavior, ActionCard):
    """A card of a hand: a touch takes it out or puts it back."""


load_kv("put_right")


class PutRightScreen(Screen):
    """See above. `edits`: what has been put right so far, one state after another; the last one is shown."""

    name = "put_right"

    def make(self) -> Any:
        self.edits: list[dict[str, Any]] = []
        self.tab = "figures"
        self.picked: str | None = None
        self.square: str | None = None
        body = PutRightBody()
        self.body_ids = body.ids
        self.tower = body.ids.tower
        self.tower.bind(on_square=lambda _, square: self._touch(square))
        body.ids.go.bind(on_release=lambda *_: self._ask())
        return body

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        if now is None:
            return
        if not self.edits or outcome is not None:
            view = now.view
            self.base = {key: view[key] for key in KEYS}
            self.edits = [self.base]
        self._draw()

    # --- the edited position ----------------------------------------------------------------------------------------

    @property
    def here(self) -> dict[str, Any]:
        """The position as edited."""
        return self.edits[-1]

    def _edit(self, **changes: Any) -> None:
        self.edits.append({**self.here, **changes})
        self._draw()

    def changes(self) -> dict[str, Any]:
        """What differs from the table's own view."""
        return {key: value for key, value in self.here.items() if value != self.base[key]}

    def faults(self) -> list[Message]:
        """All that is impossible, at once."""
        try:
            codec.state_from_json({**self.view, "locked": [], **self.changes()}, history=False)
        except BadSetup as error:
            return [f.message for f in error.faults]
        except BadForm as error:
            return [error.reason]
        return []

    # --- drawing ----------------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        here, ids = self.here, self.body_ids
        self.tower.show(here)
        if not look.wide:
            # these two need the room more than the tower, which is not touched now
            self.tower.size_hint_y = 0.55 if self.tab in ("hands", "rests") else 1.1
        self.tower.picked = [here["figures"][self.picked]] if self.picked else [self.square] if self.square else []
        faults = self.faults()
        changed = bool(self.changes())
        subs = {
            "figures": _("Tap a figure, then where it stands."),
            "cards": _("Tap two cards of the tower to swap them."),
            "hands": _("Tap a card to take it out or put it back."),
            "rests": _("Tap who holds the gryphon, and count the rests."),
        }
        sub, tint = (say(faults[0]), "refuse") if faults else (subs[self.tab], "muted")
        self.tell(_("Make the screen like your table."), sub, tint=tint)
        ids.tabs.clear_widgets()
        for tab, text in (
            ("figures", _("Figures")),
            ("cards", _("Cards")),
            ("hands", _("Hands")),
            ("rests", _("Rests")),
        ):
            button = self._button(text, lambda t=tab: self._turn_to(t), px=18, least=14)
            button.edge = "act" if tab == self.tab else "line"
            ids.tabs.add_widget(button)
        ids.page.clear_widgets()
        getattr(self, f"_{self.tab}")(ids.page)
        ids.foot.clear_widgets()
        ids.foot.add_widget(self._button(_("Leave it"), self.root.back, px=19))
        ids.foot.add_widget(self._button(_("Undo"), self._undo, icon="mark_undo", off=len(self.edits) < 2, px=19))
        ids.go.lit, ids.go.off = changed and not faults, not changed or bool(faults)

    def _figures(self, page: Any) -> None:
        here = self.here
        if self.picked is None:
            there = [f for f, s in here["figures"].items() if self.square == s]
            if len(there) > 1:
                self._pick_list(page, there)
                return
            self._hint(page, _("Everything that stands wrong can be moved, also onto the terrace."))
            return
        row = Panel(edge="act", size_hint_y=None, height=u(84))
        row.add_widget(Figure(figure=self.picked, lying=self.picked in here["lying"], size_hint_x=None, width=u(64)))
        name = words.figure_name(self.picked)
        row.add_widget(Text(text=name[:1].upper() + name[1:], px=22, bold=True))
        page.add_widget(row)
        if self.picked not in VILLAINS:
            lying = self.picked in here["lying"]
            text = _("Stand it up") if lying else _("Lay it down")
            page.add_widget(self._button(text, self._toggle_lying, size_hint_y=None, height=u(60)))
        page.add_widget(self._button(_("Put it back down"), lambda: self._pick(None), size_hint_y=None, height=u(60)))
        page.add_widget(Widget())

    def _pick_list(self, page: Any, figures: list[str]) -> None:
        for start in range(0, len(figures), 2):
            row = Row(size_hint_y=None, height=u(60))
            for figure in figures[start : start + 2]:
                name = words.figure_name(figure)
                row.add_widget(
                    self._button(name[:1].upper() + name[1:], lambda f=figure: self._pick(f), figure=figure, px=18)
                )
            page.add_widget(row)
        page.add_widget(Widget())

    def _cards(self, page: Any) -> None:
        self._hint(page, _("Swap cards until the tower is like yours. Figures stay where they are."))

    def _hands(self, page: Any) -> None:
        for seat in self.view["seats"]:
            row = BoxLayout(spacing=u(2))
            row.add_widget(SeatMark(seat=seat, size_hint_x=None, width=u(38)))
            for n in CARDS:
                used = n not in self.here["hands"][seat]
                card = HandToggle(number=n, seat=seat, used=used)
                card.bind(on_release=lambda _, s=seat, n=n: self._toggle_card(s, n))
                row.add_widget(card)
            page.add_widget(row)

    def _rests(self, page: Any) -> None:
        for seat in self.view["seats"]:
            row = Row()
            row.add_widget(SeatMark(seat=seat, size_hint_x=None, width=u(44)))
            row.add_widget(
                self._button("–", lambda s=seat: self._count(s, -1), px=26, off=not self.here["rests"][seat])
            )
            row.add_widget(Pic(art="action_7_rest", tint="text", size_hint_x=None, width=u(28)))
            row.add_widget(Text(text=str(self.here["rests"][seat]), px=24, bold=True, size_hint_x=None, width=u(20)))
            row.add_widget(self._button("+", lambda s=seat: self._count(s, 1), px=26))
            holds = self.here["gryphon"] == seat
            gryphon = self._button("", lambda s=seat: self._edit(gryphon=s), art="gryphon")
            gryphon.edge = "act" if holds else "line"
            gryphon.opacity = 1 if holds else 0.55
            row.add_widget(gryphon)
            page.add_widget(row)

    def _hint(self, page: Any, text: str) -> None:
        panel = Panel()
        panel.add_widget(Pic(art="gryphon", size_hint_x=None, width=u(64)))
        faults = self.faults()
        if faults:
            panel.ground, panel.edge = "refuse_bg", "refuse"
            text = " ".join(say(m) for m in faults[:3])
        panel.add_widget(Text(text=text, px=20, least=14))
        page.add_widget(panel)

    def _button(self, text: str, act: Any, **kwargs: Any) -> BigButton:
        button = BigButton(text=text, **kwargs)
        button.bind(on_release=lambda *_: act())
        return button

    # --- touches ----------------------------------------------------------------------------------------------------

    def _turn_to(self, tab: str) -> None:
        self.tab, self.picked, self.square = tab, None, None
        self._draw()

    def _touch(self, square: str) -> None:
        if self.tab == "figures":
            self._touch_figure(square)
        elif self.tab == "cards" and square != ROOF:
            self._touch_card(square)

    def _touch_figure(self, square: str) -> None:
        here = self.here
        if self.picked is not None:
            figure, self.picked, self.square = self.picked, None, None
            if here["figures"][figure] != square:
                self._edit(figures={**here["figures"], figure: square})
            else:
                self._draw()
            return
        there = [f for f, s in here["figures"].items() if s == square]
        self.square = square if len(there) > 1 else None
        self.picked = there[0] if len(there) == 1 else None
        self._draw()

    def _touch_card(self, square: str) -> None:
        if self.square is None or self.square == square:
            self.square = square if self.square is None else None
            self._draw()
            return
        rows = [list(row) for row in self.here["tower"]]
        (a, b), (c, d) = ((5 - int(s[1]), ord(s[0]) - 97) for s in (self.square, square))
        rows[a][b], rows[c][d] = rows[c][d], rows[a][b]
        self.square = None
        self._edit(tower=["".join(row) for row in rows])

    def _pick(self, figure: str | None) -> None:
        self.picked, self.square = figure, None
        self._draw()

    def _toggle_lying(self) -> None:
        lying = set(self.here["lying"]) ^ {self.picked}
        self._edit(lying=sorted(str(f) for f in lying))

    def _toggle_card(self, seat: str, number: int) -> None:
        hand = sorted(set(self.here["hands"][seat]) ^ {number})
        self._edit(hands={**self.here["hands"], seat: hand})

    def _count(self, seat: str, step: int) -> None:
        count = max(0, self.here["rests"][seat] + step)
        self._edit(rests={**self.here["rests"], seat: count})

    def _undo(self) -> None:
        if len(self.edits) > 1:
            self.edits.pop()
            self.picked = None
        self._draw()

    def _ask(self) -> None:
        """A second, different touch."""
        sheet = Sheet(self.root, _("Does everyone agree?"))
        text = _("The screen takes your table as it is.")
        if self.root.now.view["locked"]:
            text += " " + _("All cards of this round are unlocked.")
        sheet.panel.add_widget(Text(text=text, px=20, size_hint_y=None, height=u(70)))
        no = self._button(_("Not yet"), self.root.close_sheet)
        sheet.row(no, self._button(_("Everyone agrees"), self._send, lit=True, icon="mark_yes"), height=62)
        self.root.open_sheet(sheet)

    def _send(self) -> None:
        self.root.close_sheet()
        self.root.send(PutRight(self.changes()))

    def refused(self, outcome: Outcome) -> None:
        self.tell(_("Make the screen like your table."), " ".join(say(m) for m in outcome.messages), tint="refuse")
