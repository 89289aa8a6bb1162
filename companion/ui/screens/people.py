"""The people of this table: their names and wins, and a way to forget them."""

from __future__ import annotations

from companion.games.base import msg, msgn
from companion.table.people import Person, from_json
from companion.table.ports import ForgetPerson, Outcome, People, Snapshot, TellPeople
from companion.ui.screens.base import Answer, Screen
from companion.ui.screens.choices import Choice, Pages, foot, page
from companion.ui.screens.sheets import button
from companion.ui.theme import t, u
from companion.ui.widgets import Panel, Pic, Row, SeatMark, Text
from companion.ui.words import _, say


class PeopleScreen(Screen):
    """See above. given: `forget`, the name that somebody wants to be forgotten."""

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
        return self.given.get("forget", "")

    def _people(self) -> tuple[Person, ...]:
        return from_json(self.root.settings.get("people"))

    def _draw(self) -> None:
        self.middle.clear_widgets()
        people = self._people()
        name = self.given.get("forget", "")
        if name in {person.name for person in people}:
            self._ask(name)
        elif people:
            self.tell(_("Who plays here?"), _("Touch a name to forget it."))
            rows = [lambda person=person: self._row(person) for person in people]
            self.middle.add_widget(Pages(self, rows, max(u(60), t(54)), self.root.back, steady=True))
        else:
            self.tell(_("Who plays here?"))
            note = _note(_("Nobody has a name yet. Names are given when a game begins."))
            self.middle.add_widget(page(note, foot(self.root.back)))

    def _row(self, person: Person) -> Choice:
        wins = 0
        if self.told is not None:
            wins = sum(n for (winner, _other), n in self.told.wins.items() if winner == person.name)
        mark = SeatMark(seat=person.seat, size_hint_x=None, width=u(38)) if person.seat else None
        told = msgn("has won against somebody {n} time", "has won against somebody {n} times", n=wins)
        sub = say(told) if wins else ""
        return Choice(person.name, lambda: self.root.open("people", forget=person.name), sub=sub, mark=mark)

    def _ask(self, name: str) -> None:
        self.tell(say(msg("Forget {name}?", name=name)), "")
        note = _note(_("The name is not offered any more, and the wins are not counted. Games in the history keep it."))
        row = Row(size_hint_y=None, height=t(64))
        row.add_widget(button(say(msg("Forget {name}", name=name)), lambda: self._forget(name), px=22, least=13))
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
