"""The history: all games, the latest first. A touch opens one; on a page of its own, games that lie as text files.

given: `first`, see Pages; `files`: the page of text files is open; `new`: the game that was just brought in.
"""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from kivy.properties import BooleanProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.games.base import Message, msg, msgn
from companion.games.sir_holland.state import COLOURS
from companion.table.ports import History, Import, Listed, ListGames, Outcome, Snapshot
from companion.ui import words
from companion.ui.screens.base import Answer, Screen
from companion.ui.screens.choices import Pages, foot, page
from companion.ui.screens.sheets import button
from companion.ui.theme import look, t, u
from companion.ui.widgets import BigButton, Pic, SeatMark, Text, Touchable
from companion.ui.words import _, say

MONTHS = (
    msg("january"), msg("february"), msg("march"), msg("april"), msg("may"), msg("june"), msg("july"), msg("august"),
    msg("september"), msg("october"), msg("november"), msg("december"),
)  # fmt: skip
"""English begins its dates with them, and a sentence begins with a capital letter by itself."""


def day_in_words(started: str, today: date | None = None) -> Message:
    """When a game began: `today, 20:15`, or the day."""
    moment = datetime.fromisoformat(started)
    today = today or datetime.now().astimezone().date()
    time = f"{moment:%H:%M}"
    if moment.date() == today:
        return msg("Today, {time}", time=time)
    if moment.date() == today - timedelta(days=1):
        return msg("Yesterday, {time}", time=time)
    month = MONTHS[moment.month - 1]
    if moment.year == today.year:
        return msg("{month} {day}, {time}", month=month, day=moment.day, time=time)
    return msg("{month} {day}, {year}", month=month, day=moment.day, year=moment.year)


def day_of(started: str) -> str:
    """The same as a sentence; as it stands, where it is no date."""
    with suppress(ValueError):
        return say(day_in_words(started))
    return started


def what_became(game: Listed) -> Message:
    """Who has won, or where the game stands."""
    if game.winner is not None:
        return msg("{seat:seat} won", seat=game.winner)
    if game.state == "abandoned":
        return msg("Given up in round {n}", n=game.round)
    return msg("Open, round {n}", n=game.round)


class GameRow(Touchable):
    """A game: who played, when, and what became of it."""

    about = msg("A game that you have played. A short touch opens it, to watch or to go on.")
    new = BooleanProperty(False)

    def __init__(self, game: Listed, new: bool, act: Any) -> None:
        super().__init__(padding=(u(12), u(6)), spacing=u(12), orientation="horizontal" if look.wide else "vertical")
        self.game = game
        tell = words.elsewhere(game.game, game.names)
        people = BoxLayout(spacing=u(6))
        for seat in sorted(game.names, key=COLOURS.index):
            people.add_widget(SeatMark(seat=seat, size_hint_x=None, width=u(30)))
            people.add_widget(Text(text=tell(msg("{seat:seat}", seat=seat)), px=19, least=13, bold=True))
        day = Text(text=day_of(game.started), px=18, least=13, tint="muted")
        state = BoxLayout(spacing=u(8))
        if game.winner is not None:
            state.add_widget(SeatMark(seat=game.winner, size_hint_x=None, width=u(30)))
        else:
            art = "mark_no" if game.state == "abandoned" else "mark_pause"
            state.add_widget(Pic(art=art, tint="muted", size_hint_x=None, width=u(26)))
        state.add_widget(Text(text=tell(what_became(game)), px=19, least=13))
        if look.wide:
            left = BoxLayout(orientation="vertical", size_hint_x=2.4)
            left.add_widget(people)
            left.add_widget(day)
            self.add_widget(left)
            self.add_widget(state)
        else:
            self.spacing = 0
            low = BoxLayout(spacing=u(8))
            low.add_widget(day)
            low.add_widget(state)
            self.add_widget(people)
            self.add_widget(low)
        self.fbind("new", self._dress)
        self.fbind("on_release", lambda *_: act())
        self.new = new

    def _dress(self, *_: Any) -> None:
        super()._dress()
        if self.new:
            self.ground, self.edge = "ok_bg", "ok"


def _row_height() -> float:
    return u(64 if look.wide else 84) * look.scale


def _shown(name: str) -> str:
    """A name as it can be drawn: sticks come from other systems, whose letters may be written in another way."""
    return os.fsencode(name).decode("utf-8", "replace")


def _place(file: str) -> str:
    folder = Path(file).parent
    on_stick = "media" in folder.parts[1:3]
    return say(msg("On the stick {name}", name=_shown(folder.name))) if on_stick else _("On this device")


class HistoryScreen(Screen):
    """See above."""

    name = "history"

    def make(self) -> Any:
        self._asked = False
        self._brings: set[int] | None = None
        return super().make()

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        if not self._asked:
            self._asked = True
            self._draw()
            self.root.send(ListGames())

    def heard(self, what: Answer) -> None:
        if not isinstance(what, History):
            return
        self.root.memo["history"] = what
        before, self._brings = self._brings, None
        if before is None:
            self._draw()
            return
        first, new = next(((i, g.number) for i, g in enumerate(what.games) if g.number not in before), (0, None))
        if new is None:
            self._draw()
            self.tell(_("That game is in the history already."))
        else:
            self.root.open("history", first=first, new=new)

    # --- drawing ----------------------------------------------------------------------------------------------------

    @property
    def history(self) -> History | None:
        """What is known so far."""
        found: History | None = self.root.memo.get("history")
        return found

    def _draw(self) -> None:
        self.middle.clear_widgets()
        if self.history is None:
            self.tell(_("Which game do you want to see?"))
            self.middle.add_widget(page(Widget(), foot(self.root.back)))
        elif self.given.get("files"):
            self._files(self.history.files)
        else:
            self._games(self.history)

    def _games(self, history: History) -> None:
        games, new = history.games, self.given.get("new")
        count = say(msgn("{n} game.", "{n} games.", n=len(games))) if games else ""
        if new is not None:
            self.tell(_("There it is. Touch it to see it."), count)
        else:
            self.tell(_("Which game do you want to see?") if games else _("No game has been played yet."), count)
        others = [button(_("Bring a game in"), self._to_files, least=13)] if history.files else []
        if games:
            rows = [partial(GameRow, g, g.number == new, partial(self._open, g)) for g in games]
            self.middle.add_widget(Pages(self, rows, _row_height(), self.root.back, others, steady=True))
            return
        text = _("Every game that you play is kept here, by itself.")
        why = Text(text=text, px=22, least=15, halign="center", size_hint_y=None, height=t(64))
        bird = Pic(art="gryphon", size_hint_y=None, height=u(110))
        self.middle.add_widget(page(Widget(), bird, why, Widget(), foot(self.root.back, *others)))

    def _open(self, game: Listed) -> None:
        self.root.open("replay", number=game.number, started=game.started)

    def _to_files(self) -> None:
        self.root.open("history", files=True)

    def _files(self, files: tuple[str, ...]) -> None:
        """Texts that lie here and on sticks."""
        self.tell(_("Which game shall come into the history?"), _("These are the game texts here and on your sticks."))
        rows = [partial(self._file, f) for f in files]
        back = partial(self.root.open, "history")
        self.middle.add_widget(Pages(self, rows, _row_height(), back, steady=True))

    def _file(self, file: str) -> BigButton:
        act = partial(self._import, file)
        return button(_shown(Path(file).stem), act, sub=_place(file), icon="mark_text", align="left", px=22)

    def _import(self, file: str) -> None:
        assert self.history is not None
        self._brings = {g.number for g in self.history.games}
        self.root.send(Import(file))
