"""The people of this table: their names and wins, and a way to forget them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from companion.games.base import Message, msg, msgn
from companion.table.people import Person, from_json
from companion.table.ports import Change, ForgetPerson, Outcome, People, Snapshot, Status, TellPeople
from companion.ui import words
from companion.ui.screens.base import Answer, Screen
from companion.ui.screens.choices import Choice, Pages, foot, page
from companion.ui.screens.sheets import button
from companion.ui.theme import look, t, u
from companion.ui.widgets import Panel, Pic, Row, SeatMark, Text
from companion.ui.words import _, say

SEATS = ("red", "blue", "green", "yellow")


class PeopleScreen(Screen):
    """See above. given: `forget`, the name that somebody wants to be forgotten; or `kids`: where children play."""

    name = "people"

    def make(self) -> object:
        self.told: People | None = None
        self.root.send(TellPeople())
        return super().make()

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        if outcome is None:
            self._draw()

    def heard(self, what: Answer) -> None:
        if isinstance(what, People):
            self.told = what
            self._draw()

    @property
    def standing(self) -> object:
        """The list, or the question about somebody."""
        return self.given.get("forget", ""), self.given.get("kids", False)

    def _people(self) -> tuple[Person, ...]:
        return from_json(self.root.settings.get("people"))

    def _draw(self) -> None:
        self.middle.clear_widgets()
        people = self._people()
        name = self.given.get("forget", "")
        if self.given.get("kids"):
            self._kids()
        elif name in {person.name for person in people}:
            self._ask(name)
        else:
            sub = _("Touch a name to forget it.") if people else _("Names are given when a game begins.")
            self.tell(_("Who plays here?"), sub)
            rows: list[Callable[[], Choice]] = [self._children, *(partial(self._row, person) for person in people)]
            self.middle.add_widget(Pages(self, rows, max(u(60), t(54)), self.root.back, steady=True))

    # --- children ---------------------------------------------------------------------------------------------------

    @property
    def _seats(self) -> list[str]:
        """Those of the game on the table, or all there are."""
        return list(self.root.now.view["seats"]) if self.root.now else list(SEATS)

    def _children(self) -> Choice:
        here = [seat for seat in self._seats if self.root.is_child(seat)]
        # where letters are large the page behind the door says it
        sub = "" if look.tight else _("I help them in their turn, and ask less.")
        if here:
            sub = say(Message("{seats:seats}", {"seats": here}))
        mark = Pic(art="mark_kids", tint="text", size_hint_x=None, width=u(38))
        return Choice(_("Children"), lambda: self.root.open("people", kids=True), sub=sub, mark=mark)

    def _kids(self) -> None:
        self.tell(_("Where do children play?"), _("I help them in their turn, and ask less."))
        everyone = all(self.root.is_child(seat) for seat in self._seats)
        every = [] if everyone else list(SEATS)
        rows: list[Callable[[], Choice]] = [
            lambda: Choice(_("Everywhere"), lambda: self._change(every), chosen=everyone),
            *(partial(self._kid, seat) for seat in self._seats),
        ]
        self.middle.add_widget(Pages(self, rows, max(u(52), t(48)), self._back))

    def _kid(self, seat: str) -> Choice:
        kids = [s for s in self.root.settings.get("kids") or () if s != seat]
        child = self.root.is_child(seat)
        name = words.name(seat) if self.root.now else words.colour_name(seat)
        mark = SeatMark(seat=seat, size_hint_x=None, width=u(40))
        return Choice(name, lambda: self._change(kids if child else [*kids, seat]), chosen=child, side=mark)

    def _change(self, kids: list[str]) -> None:
        """At once here, also where the house cannot keep it."""
        self.root.take(Status("settings", "setting", None, {"kids": kids}))
        self.root.send(Change({"kids": kids}))
        self._draw()

    # --- names ------------------------------------------------------------------------------------------------------

    def _row(self, person: Person) -> Choice:
        wins = 0
        if self.told is not None:
            wins = sum(n for (winner, _other), n in self.told.wins.items() if winner == person.name)
        mark = SeatMark(seat=person.seat, size_hint_x=None, width=u(38)) if person.seat else None
        told = msgn("has won against somebody {n} time", "has won against somebody {n} times", n=wins)
        sub = say(told) if wins else ""
        drawn = words.person(person.name)
        return Choice(drawn, lambda: self.root.open("people", forget=person.name), sub=sub, mark=mark)

    def _ask(self, name: str) -> None:
        drawn = words.person(name)
        self.tell(say(msg("Forget {name}?", name=drawn)), "")
        note = _note(_("The name is not offered any more, and the wins are not counted. Games in the history keep it."))
        row = Row(size_hint_y=None, height=t(64))
        row.add_widget(button(say(msg("Forget {name}", name=drawn)), lambda: self._forget(name), px=22, least=13))
        self.middle.add_widget(page(row, note, foot(self._back, text=_("Back"), icon="mark_undo")))

    def _back(self) -> None:
        self.root.open("people")

    def _forget(self, name: str) -> None:
        self.root.send(ForgetPerson(name))
        self._back()


def _note(text: str) -> Panel:
    note = Panel(padding=u(18), spacing=u(14))
    note.add_widget(Pic(art="gryphon", size_hint_x=None, width=u(70)))
    note.add_widget(Text(text=text, px=22, least=15))
    return note
