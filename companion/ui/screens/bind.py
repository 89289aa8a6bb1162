"""Whose is whose? Seat by seat lays a card on its reader, or presses one of its buttons."""

from __future__ import annotations

from typing import Any

from kivy.uix.boxlayout import BoxLayout

from companion.games.base import Message
from companion.games.sir_holland.state import COLOURS
from companion.table.places import Places, steps
from companion.table.ports import Outcome, Snapshot, Touched
from companion.ui import words
from companion.ui.screens.choices import foot, page
from companion.ui.screens.listening import Listening
from companion.ui.screens.sheets import button
from companion.ui.theme import look, u
from companion.ui.widgets import Row
from companion.ui.words import _, say


class Bind(Listening):
    """See above."""

    name = "bind"
    hears = "seats"

    def make(self) -> Any:
        self.seats = tuple(self.root.now.view["seats"]) if self.root.now else COLOURS
        self.places: Places = self.kept("places", self._begin)
        self.said: Message | None = None
        self.well = False
        self.tiles = {seat: button(words.name(seat), lambda s=seat: self._pick(s), seat=seat, px=24, least=14)
                      for seat in self.seats}  # fmt: skip
        across = 2 if look.wide else 1
        rows = BoxLayout(orientation="vertical", spacing=u(8))
        for start in range(0, len(self.seats), across):
            row = Row()
            for seat in self.seats[start : start + across]:
                row.add_widget(self.tiles[seat])
            rows.add_widget(row)
        self.redo = button(_("Again"), self._redo, icon="mark_undo", least=13)
        self.skip = button(_("Skip"), self._skip, least=13)
        last = foot(self.root.back, self.redo, self.skip)
        self.done = last.children[0]
        return page(rows, last)

    def _begin(self) -> Places:
        return Places(steps(self.seats, self.root.devices), self.root.devices)

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        if not self.places.given and not self.places.at and self.places.steps != steps(self.seats, self.root.devices):
            # something was plugged in before anything was touched
            self.root.flow.given["places"] = self.places = self._begin()
        self.places.know(self.root.devices)
        self._refresh()

    def touched(self, touch: Touched) -> None:
        if not touch.down or self.places.step is None:
            return
        answer = self.places.touch(touch)
        self.answer(touch.device, answer.well)
        if answer.request is not None:
            self.root.send(answer.request)
        self.said, self.well = answer.message, answer.well
        self._refresh()
        self.speak(answer.message or self.places.ask)

    def _pick(self, seat: str) -> None:
        self.places.pick(seat)
        self._go_on()

    def _skip(self) -> None:
        self.places.skip()
        self._go_on()

    def _redo(self) -> None:
        self.root.send(self.places.redo())
        self._go_on()

    def _go_on(self) -> None:
        self.said = None
        self._refresh()

    # --- what is shown ----------------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        step = self.places.step
        hint = _("Cards and buttons only say where they are. Nothing is played.")
        if step is None:
            hint = _("Touch a seat to ask it once more.")
        elif not any(self.root.devices.get(kind) for kind in ("readers", "panels")):
            hint = _("Nothing is plugged in yet.")
        sub, tint = self.note(self.said, hint, self.well)
        self.tell(say(self.places.ask), sub, step[0] if step else "", tint)
        for seat, tile in self.tiles.items():
            tile.lit = step is not None and step[0] == seat
            tile.sub = self._has(seat)
        self.done.lit = step is None
        self.redo.off, self.skip.off = not self.places.can_redo, step is None

    def _has(self, seat: str) -> str:
        """What belongs to a seat."""
        readers, panels = (
            sum(self.places.given.get(row["id"], row["seat"]) == seat for row in self.root.devices.get(kind, ()))
            for kind in ("readers", "panels")
        )
        if readers and panels:
            return _("reader and buttons")
        if readers or panels:
            return _("reader") if readers else _("buttons")
        return _("nothing yet")
