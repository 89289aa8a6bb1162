"""A seat is handed to somebody else, or given up; a card that it has locked in is given back."""

from __future__ import annotations

from typing import Any

from kivy.uix.widget import Widget

from companion.games.base import msg, msgn
from companion.table.ports import Hand, Outcome, Snapshot
from companion.ui import words
from companion.ui.agree import asked
from companion.ui.screens.base import Screen
from companion.ui.screens.choices import Choice, Pages, foot, page
from companion.ui.screens.keyboard import NameSheet
from companion.ui.screens.sheets import button
from companion.ui.theme import t, u
from companion.ui.widgets import Panel, Pic, Row, SeatMark, Text
from companion.ui.words import _, say


class Seat(Screen):
    """See above. given: `seat`; `page`: `who` takes it, or `leave`: really; `told`: what happened (messages)."""

    name = "seat"

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        if now is None:
            return
        self.middle.clear_widgets()
        seat = self.given.get("seat")
        if seat is None:
            self._all(now)
        else:
            {"who": self._who, "leave": self._leave}.get(self.given.get("page", ""), self._one)(now, seat)

    @property
    def standing(self) -> Any:
        """The page that is open."""
        return self.given.get("seat"), self.given.get("page")

    def _open(self, **given: Any) -> None:
        self.root.open("seat", **given)

    # --- which one --------------------------------------------------------------------------------------------------

    def _all(self, now: Snapshot) -> None:
        self.tell(_("Whose seat is it about?"), " ".join(say(m) for m in self.given.get("told", ())))
        rows = [
            lambda s=s: Choice(words.name(s), lambda: self._open(seat=s), sub=self._state(now, s), mark=_mark(s))
            for s in now.view["seats"]
        ]
        back = _("Back to the table")
        self.middle.add_widget(Pages(self, rows, t(60), self.root.back, text=back, steady=True))

    def _state(self, now: Snapshot, seat: str) -> str:
        if seat in now.free:
            return _("Nobody plays it.")
        return _("A card is locked in.") if seat in now.view["locked"] else words.colour_name(seat)

    # --- one --------------------------------------------------------------------------------------------------------

    def _one(self, now: Snapshot, seat: str) -> None:
        free = seat in now.free
        text = msg("Nobody plays {colour:seat_colour} now.", colour=seat) if free else msg(
            "{seat:seat} gets up. What now?", seat=seat)  # fmt: skip
        self.tell(say(text), self._unlocks(now, seat), seat)
        who = _("Somebody plays it") if free else _("Somebody else plays it")
        rows: list[Any] = [
            Choice(who, lambda: self._open(seat=seat, page="who"), sub=_("With the same cards and heroes."))
        ]
        if not free:
            rows.append(Choice(_("Give it up"), lambda: self._open(seat=seat, page="leave"),
                               sub=_("Its heroes stay where they are. Somebody may take it later.")))  # fmt: skip
        self.middle.add_widget(page(*rows, Widget(), self._foot(now, seat)))

    def _foot(self, now: Snapshot, seat: str) -> Row:
        """The way out is that nothing changes."""
        stays = _("Back") if seat in now.free else say(msg("{seat:seat} stays", seat=seat))
        return foot(self._back, text=stays, icon="")

    def _unlocks(self, now: Snapshot, seat: str) -> str:
        return _("The card that is locked in is given back.") if seat in now.view["locked"] else ""

    def _back(self) -> None:
        self._open()

    def _who(self, now: Snapshot, seat: str) -> None:
        self.tell(say(msg("Who plays {colour:seat_colour}?", colour=seat)), self._unlocks(now, seat), seat)
        here = [now.names.get(s) for s in now.view["seats"] if s not in now.free or s == seat]
        known = [name for name in self.root.draft.known if name not in here][:6]
        rows: list[Any] = []
        for start in range(0, len(known), 3):
            row = Row()
            for name in known[start : start + 3]:
                row.add_widget(button(words.person(name), lambda n=name: self._hand(seat, n), px=22, least=13,
                                      seat=self.root.draft.marks.get(name, "")))
            rows.append(row)
        row = Row()
        row.add_widget(button(_("Type a name"), lambda: self._type(seat), px=22))
        guest = words.unnamed(seat)
        row.add_widget(button(_("A guest"), lambda: self._hand(seat, guest), sub=words.colour_name(seat), px=22))
        rows.append(row)
        rows += [Widget() for _missing in range(3 - len(rows))]
        self.middle.add_widget(page(*rows, self._foot(now, seat)))

    def _type(self, seat: str) -> None:
        self.root.open_sheet(NameSheet(self.root, seat, "", lambda name: self._hand(seat, name)))

    def _leave(self, now: Snapshot, seat: str) -> None:
        """Asked once more, in another place: giving up lies at the top, away from where the touch before was."""
        self.tell(
            say(msg("Does {seat:seat} stop playing?", seat=seat)), self._unlocks(now, seat), seat
        )
        others = [s for s in asked(now) if s != seat]
        text = say(
            msgn(
                "{others:seats} goes on, and chooses and moves for {colour:seat_colour}, too.",
                "{others:seats} go on, and choose and move for {colour:seat_colour}, too.",
                n=len(others), others=others, colour=seat,
            )
        ) if others else _("Then nobody is left at this table.")  # fmt: skip
        give = button(
            say(msg("Give up {colour:seat_colour}", colour=seat)), lambda: self._hand(seat, ""), px=22, seat=seat
        )
        note = Panel(padding=u(18))
        note.add_widget(Pic(art="gryphon", size_hint_x=None, width=u(70)))
        note.add_widget(Text(text=text, px=22, least=15))
        row = Row(size_hint_y=None, height=t(64))
        row.add_widget(give)
        self.middle.add_widget(page(row, note, self._foot(now, seat)))

    def _hand(self, seat: str, name: str) -> None:
        """What came of it is said over the list of all seats."""

        def told(outcome: Outcome) -> bool:
            if outcome.kind == "done":
                self._open(told=outcome.messages)
            return True

        self.root.send(Hand(seat, name), told)


def _mark(seat: str) -> SeatMark:
    return SeatMark(seat=seat, size_hint_x=None, width=u(48))
