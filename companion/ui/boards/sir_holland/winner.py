"""The end: who has won, how everyone stands, the decision step by step, and what is worth telling of the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kivy.properties import ListProperty, NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.games.base import Json, Message, msg
from companion.games.sir_holland import desk
from companion.games.sir_holland.highlights import highlights
from companion.games.sir_holland.state import ROOF, HouseRules, heroes, level
from companion.table import story
from companion.table.ports import Leave, Outcome, People, PictureKept, Snapshot, Story, TellGame, TellPeople
from companion.ui import words
from companion.ui.agree import ask_take_back
from companion.ui.boards.sir_holland import keepsake
from companion.ui.pen import Pen
from companion.ui.screens.base import Answer, Screen, load_kv
from companion.ui.screens.sheets import Sheet, button
from companion.ui.theme import c, look, t, u
from companion.ui.widgets import Drawn, Heading, Panel, RuleRow, SeatMark, Text, Touchable
from companion.ui.words import _, say

PAGES = {"table": msg("Everyone"), "why": msg("Why"), "game": msg("The game")}
"""What can be read about the end, one at a time."""
ABOUT = {
    "table": msg("How everyone stands at the end: where the heroes are, and who rested how often."),
    "why": msg("Why it was decided so, step by step. The last step decided."),
    "game": msg("What is worth telling about this game: falls, climbs and how close it was."),
}
"""The same for whoever touches it for long."""


class WinnerBody(BoxLayout):
    """Written out in winner.kv."""


class AskRow(BoxLayout):
    """Who may be asked why not. first: width of what stands before the seats."""

    first = NumericProperty(84)


class FootRow(BoxLayout):
    """What one may do next."""


class DecisionStep(RuleRow):
    """One step. taken: it decided."""

    number = StringProperty("")
    text = StringProperty("")


class Banner(Drawn):
    """The winner's pennant over the terrace, with the heroes who got there."""

    seat = StringProperty("")
    who = StringProperty("")
    out = ListProperty([])

    def watched(self) -> tuple[str, ...]:
        return ("seat", "who", "out")

    def paint(self, pen: Pen) -> None:
        if not self.seat:
            return
        x, y = self.pos
        w, h = self.size
        pen.box(x, y, w, h, c("panel"), u(14))
        left, width, high = x + w * 0.09, w * 0.82, h * 0.56
        pen.pennant(left, y + h - high, width, high, c(self.seat), high * 0.16)
        px = min(high * 0.44, width * 0.5)
        pen.mark(self.seat, x + w / 2 - px / 2, y + h - px - high * 0.07, px, cut=True)
        font = words.heading_font(self.who)
        size = min(u(46), width * 1.5 / max(len(self.who), 1), high * 0.25)
        pen.text(self.who, x + w / 2, y + h - high * 0.66, size, c(f"on_{self.seat}"), font == words.BODY, font)
        merlon, wall = w / 9, h * 0.115
        pen.box(x, y, w, wall, c("tower"), [0, 0, u(14), u(14)])
        for i in range(6):
            pen.box(x + i * (w - merlon) / 5, y + wall - 1, merlon, wall * 0.55, c("tower"), [4, 4, 0, 0])
        px = min(h * 0.28, w * 0.36)
        for i, hero in enumerate(self.out):
            at = 0.5 if len(self.out) == 1 else 0.30 + 0.40 * i
            pen.figure(hero, x + w * at - px / 2, y + wall * 0.8, px, number=False)


class WhyNot(Touchable):
    """A seat that has not won, to be asked why."""

    about = msg("Why this seat has not won. A short touch tells it step by step.")
    seat = StringProperty("")
    who = StringProperty("")


class Standing(Touchable):
    """How a seat stands at the end: where its heroes are, and how often it rested."""

    about = msg("Where the heroes are, and how often this seat rested. A short touch tells why it was decided so.")
    seat = StringProperty("")
    who = StringProperty("")
    heroes = ListProperty([])
    places = ListProperty([])
    out = ListProperty([])
    rests = NumericProperty(0)


class GameLine(Panel):
    """A sentence about the game."""

    text = StringProperty("")


load_kv("sir_holland/winner")


class Winner(Screen):
    """See above."""

    name = "winner"

    def make(self) -> Any:
        body = WinnerBody()
        self.banner, self.ids_ = body.ids.banner, body.ids
        self.page = self.root.memo.get("end_page", "table")
        self.asked = ""
        self.how = self.wins = ""
        self.sentences: tuple[Message, ...] = ()
        self._told_of = -1
        return body

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        if now is None or not now.view["result"]:
            return
        view, result = now.view, now.view["result"]
        seat = result["winner"]
        ended = _("All have rested.") if result["ended_by"] == "rested" else _("Two heroes are out of the tower.")
        self.how = say(msg("Round {n}. The game is over.", n=view["round"])) + " " + ended
        self.tell(say(msg("{seat:seat} wins!", seat=seat)), self.how, seat)
        self.banner.seat, self.banner.who = seat, words.name(seat)
        self.banner.out = [h for h in heroes(seat) if view["figures"][h] == ROOF]
        if self._told_of != now.seq and not now.sandbox:
            # what happened in it is read from the journal; nothing waits for it
            self._told_of, self.sentences = now.seq, ()
            self.root.bridge.send(TellGame(now.number))
            self.root.bridge.send(TellPeople())
        self._foot(now)
        self._turn_to(self.page)

    def heard(self, what: Answer) -> None:
        """The whole game, for the sentences about it; and who has won how often against whom."""
        now = self.root.now
        if now is None or not now.view["result"]:
            return
        if isinstance(what, People):
            self.wins = _wins(now, what.wins)
        elif isinstance(what, Story) and what.number == now.number:
            acts = [(before, scene.events) for before, scene in story.acts(what.scenes)]
            self.sentences = highlights(acts, now.view)
        else:
            if isinstance(what, PictureKept) and what.number == now.number:
                self.root.open_sheet(KeptSheet(self.root))
            return
        self._turn_to(self.page, self.asked)

    # --- pages ------------------------------------------------------------------------------------------------------

    @property
    def standing(self) -> Any:
        """The page that is open."""
        return self.page, self.asked

    def _turn_to(self, page: str, asked: str = "") -> None:
        """Show a page: how all stand, why it was decided so (or why not for a seat), or sentences about the game."""
        self.page = self.root.memo["end_page"] = page
        self.asked, self.head.sub = asked, self.how
        tabs, box = self.ids_.tabs, self.ids_.page
        tabs.clear_widgets()
        for name, title in PAGES.items():
            tab = button(say(title), lambda name=name: self._turn_to(name), px=20, least=12)
            tab.taken, tab.off = name == page, name == "game" and not (self.sentences or self.wins)
            tab.about = ABOUT[name]
            tabs.add_widget(tab)
        box.clear_widgets()
        self.steps = BoxLayout(orientation="vertical", spacing=u(6))
        box.add_widget(self.steps)
        {"table": self._table, "why": self._why, "game": self._game}[page]()

    def _table(self) -> None:
        """The winner first, then as they sit."""
        winner = self.view["result"]["winner"]
        self.rows = self._standings()
        for seat, row in self.rows.items():
            row.bind(on_release=lambda _, s=seat: self._turn_to("why", "" if s == winner else s))
            self.steps.add_widget(row)
        if self.wins and not look.tight:
            line = Text(text=self.wins, px=19, least=12, tint="muted", halign="center")
            line.size_hint_y, line.height = None, t(26 if look.wide else 46)
            self.steps.add_widget(line)

    def _standings(self) -> dict[str, Standing]:
        """A row for each seat, the winner's first."""
        view, winner = self.view, self.view["result"]["winner"]
        rows = {}
        for seat in sorted(view["seats"], key=lambda seat: seat != winner):
            squares = [view["figures"][hero] for hero in heroes(seat)]
            rows[seat] = Standing(
                seat=seat,
                who=words.name(seat),
                heroes=list(heroes(seat)),
                places=[_place(square) for square in squares],
                out=[square == ROOF for square in squares],
                rests=view["rests"][seat],
                taken=seat == winner,
            )
        return rows

    def _game(self) -> None:
        told = [say(message) for message in self.sentences]
        if self.wins and not (told and look.tight and look.wide):
            # where letters are huge there is room for the sentences only
            told.append(self.wins)
        for text in told:
            self.steps.add_widget(GameLine(text=text))

    def _why(self) -> None:
        """The decision; or, for a seat, at which step it fell out, with its own numbers."""
        seat, table = self.asked, _numbers(self.view)
        if seat and look.tight and look.wide:
            self.head.sub = say(msg("Why not {seat:seat}?", seat=seat))
        elif seat:
            title = Heading(text=say(msg("Why not {seat:seat}?", seat=seat)), px=27, least=16)
            title.size_hint_y, title.height = None, t(34)
            self.steps.add_widget(title)
        found = desk.why_not(seat, **table) if seat else desk.winner(**table)[1]
        for number, told in enumerate(found, start=1):
            step = DecisionStep(number=f"{number}.", text=say(told.message), rule=told.rule, taken=number == len(found))
            step.bind(on_release=lambda _, rule=told.rule: self.root.open("entry", rule=rule))
            if told.name == "saved" and not seat and len(found) < 3 and not look.tight:
                self._counts(step)
            self.steps.add_widget(step)
        if not (look.tight and look.wide):
            # where the reasons need the room, a seat is asked in the table
            self.ids_.page.add_widget(self._others())

    def _others(self) -> BoxLayout:
        """A button for every seat that has not won."""
        row = AskRow()
        title = button(_("Back"), lambda: self._turn_to("why"), px=18, least=11) if self.asked else Text(
            text=_("Why not me?"), px=18, least=11, tint="muted")  # fmt: skip
        title.size_hint_x, title.width = None, row.first
        row.add_widget(title)
        self.whys = {}
        for seat in self.view["seats"]:
            if seat != self.view["result"]["winner"]:
                why = WhyNot(seat=seat, who=words.name(seat), taken=seat == self.asked)
                why.bind(on_release=lambda _, s=seat: self._turn_to("why", "" if s == self.asked else s))
                self.whys[seat] = why
                row.add_widget(why)
        return row

    def _counts(self, step: DecisionStep) -> None:
        """How many heroes each has on the terrace."""
        saved = self.view["result"]["saved"]
        for seat, n in saved.items():
            best = n == max(saved.values())
            step.ids.marks.add_widget(SeatMark(seat=seat, dim=1.0 if best else 0.6, size_hint_x=None, width=u(36)))
            step.ids.marks.add_widget(Heading(text=str(n), px=30, tint="text" if best else "muted"))

    # --- what comes then --------------------------------------------------------------------------------------------

    def _foot(self, now: Snapshot) -> None:
        acts = [("", _("Home"), lambda: self._leave("start"))]
        if now.undo is not None:
            acts.append(("mark_undo", "", lambda: ask_take_back(self.root)))
        if self.root.has("replay") and not now.sandbox:
            acts.append(("mark_history", "", lambda: self.root.open("replay", number=now.number)))
        foot = self.ids_.foot
        foot.clear_widgets()
        row = FootRow()
        foot.add_widget(row)
        for icon, text, act in acts:
            made = button(text, act, icon=icon, px=20, least=13)
            if icon:
                made.size_hint_x, made.width = None, u(60)
            row.add_widget(made)
        if not now.sandbox:
            keep = button(_("Keep a picture"), self._keep, px=20, least=13, size_hint_x=1.2)
            keep.about = msg("Draws how this game ended and keeps it with your games, to look at later.")
            row.add_widget(keep)
        if not look.wide:
            # the main one has a row of its own, where it always is
            row = FootRow()
            foot.add_widget(row)
        row.add_widget(button(_("Play again"), self._again, lit=True, px=22, least=13, size_hint_x=1.7))

    def _keep(self) -> None:
        """A picture of the game, drawn beside the screen and written by the house."""
        lines = [*map(say, self.sentences), *([self.wins] if self.wins else [])]
        keepsake.draw(self.root.now, self.head.sentence, self.how, list(self._standings().values()), lines,
                      self.root.bridge.send)  # fmt: skip

    def _again(self) -> None:
        """The same people in the same places: only the tower is still to be laid."""
        people = {seat: self.root.now.names.get(seat, "") for seat in self.view["seats"]}
        self.root.draft.again(people, words.is_colour)
        self._leave("tower")

    def _leave(self, screen: str) -> None:
        self.root.flow.go(screen)
        self.root.send(Leave())


class KeptSheet(Sheet):
    """Where the picture lies now."""

    def __init__(self, root: Any) -> None:
        super().__init__(root, _("The picture is kept"), 560)
        where = _("It lies beside your saved games, among the pictures. A grown-up can print it or send it on.")
        self.panel.add_widget(Text(text=where, px=20, least=13, size_hint_y=None, height=t(96)))
        self.row(button(_("Good"), root.close_sheet, lit=True, px=22), height=64)


def _wins(now: Snapshot, wins: Mapping[tuple[str, str], int]) -> str:
    """How often the winner has won against each of the others, and they against the winner."""
    winner = now.view["result"]["winner"]
    first = now.names.get(winner, "")
    told = []
    for seat in now.view["seats"]:
        other = now.names.get(seat, "")
        won, lost = wins.get((first, other), 0), wins.get((other, first), 0)
        if other != first and won + lost:
            # as far as names can be drawn
            both = {"one": words.name(winner), "other": words.name(seat)}
            told.append(say(msg("{one} against {other} {n}:{m}", n=won, m=lost, **both)))
    return " · ".join(told)


def _place(square: str) -> str:
    """Where a hero is at the end, in short."""
    return say(msg("terrace") if square == ROOF else msg("level {n}", n=level(square)))


def _numbers(view: Mapping[str, Json]) -> dict[str, Any]:
    """What the decision goes by."""
    result = view["result"]
    return {
        "seats": view["seats"], "gryphon": view["gryphon"], "ended_by": result["ended_by"], "saved": result["saved"],
        "levels": result["levels"], "rules": HouseRules(**view["rules"]), "out": view["out"],
    }  # fmt: skip
