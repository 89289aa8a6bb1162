"""The tower before the game: deal one and lay it level by level, or copy the one that lies on the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from kivy.properties import NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.games.base import Fault, msg, msgn
from companion.games.sir_holland.setup import START
from companion.games.sir_holland.state import DUNGEONS, SQUARES, VILLAINS, heroes
from companion.table.ports import Outcome, Snapshot
from companion.ui import words
from companion.ui.boards.sir_holland.explaining import KINDS
from companion.ui.boards.sir_holland.tower import Tower
from companion.ui.draft import FIXED
from companion.ui.pen import TERRAIN, Pen
from companion.ui.screens.base import SetUpScreen, load_kv
from companion.ui.theme import c, look, t, u
from companion.ui.widgets import ActionCard, BigButton, Drawn, Figure, Panel, Pic, Row, Text, Touchable, fitted
from companion.ui.words import _, say

load_kv("tower")

_rng = Random()
CHOICES = "RSHW"
"""What may lie on an open place."""
SPARE = msg("The box has ten walls: one is left over and stays in it.").id
"""Of 26 cards, 25 make a tower."""
OPEN = [s for s in SQUARES if s not in FIXED]
TOUCHED = [*OPEN, "a1", "e1"]
"""Places that a card can be laid on; a1 and e1 have their rope from the beginning, but it might be missing."""
KIND = 96
"""Height of a kind of card where four stand in a row."""


class TowerBody(BoxLayout):
    """Written out in tower.kv."""


class LevelPanel(Panel):
    """The level in hand, large."""

    head = StringProperty("")
    foot = StringProperty("")


class LaidCard(BoxLayout):
    """A card of that level with its name."""

    letter = StringProperty("W")
    text = StringProperty("")


class Tile(Drawn):
    """A tower card."""

    letter = StringProperty("W")

    def watched(self) -> tuple[str, ...]:
        return ("letter",)

    def paint(self, pen: Pen) -> None:
        side = min(self.size)
        x, y = self.center_x - side / 2, self.center_y - side / 2
        pen.box(x, y, side, side, c("stone_hi"), u(7))
        pen.box(x, y, side, side - 2, c("stone"), u(7))
        px = side * 0.86
        pen.pic(f"card_{TERRAIN[self.letter]}", x + (side - px) / 2, y + (side - px) / 2, px)


class Kind(BigButton):
    """A kind of card to lay: beside its name where there is room, else above it."""

    def _art_size(self) -> float:
        return min(super()._art_size(), u(64) / look.scale)

    def _draw(self, *args: Any) -> None:
        if look.wide:
            super()._draw(*args)
            return
        Touchable._draw(self, *args)
        pen, down = Pen(self._group), u(2) if self.state == "down" else 0
        room, pad = self.width - u(4), u(4)
        name = fitted(self.text, 17, 11, room, t(24) if self.sub else t(40), False, "center")
        left = fitted(self.sub, 16, 11, room, t(22), False, "center")
        self.fits = name.fits and left.fits
        low = self.y + pad - down
        left.draw(pen, self.center_x - left.width / 2, low, c("muted"))
        low += left.height
        name.draw(pen, self.center_x - name.width / 2, low, c("text"))
        px = min(self.top - pad - low - name.height, room)
        pen.pic(self.art, self.center_x - px / 2, low + name.height - down / 2, px)


class Broken(Touchable):
    """Broken rules, each with its place; a touch shows the next ones."""

    about = msg("Something here cannot lie so. A short touch shows the next thing that is wrong.")

    def __init__(self, faults: Sequence[Fault], first: int, act: Callable[[], None]) -> None:
        super().__init__(orientation="vertical", padding=(u(10), u(4)), spacing=u(2))
        at_once = faults_at_once()
        first = first if first < len(faults) else 0
        shown = faults[first : first + at_once]
        for fault in shown:
            line = BoxLayout(spacing=u(8))
            if at_once > 1:
                place = Text(text=_place(fault.at), px=17, least=12, bold=True, tint="refuse", size_hint_x=0.24)
                line.add_widget(place)
            line.add_widget(Text(text=say(fault.message), px=17, least=11))
            self.add_widget(line)
        self.off = len(faults) <= at_once
        if not self.off:
            where = f"{first + len(shown)} / {len(faults)}"
            text = Text(text=say(msg("{where}: touch for the next", where=where)), px=16, least=12, tint="muted")
            text.halign, text.size_hint_y, text.height = "right", None, t(24)
            self.add_widget(text)
        self.bind(on_release=lambda *_: act())

    def _dress(self, *_: Any) -> None:
        super()._dress()
        self.ground, self.edge = "refuse_bg", "refuse"


class Ticks(Drawn):
    """A tick at the end of each level that lies. tower: the widget beside whose levels they stand."""

    laid = NumericProperty(0)

    def __init__(self, tower: Tower, **kwargs: Any) -> None:
        self.tower = tower
        super().__init__(**kwargs)
        tower.bind(size=lambda *_: self.redraw(), pos=lambda *_: self.redraw())

    def watched(self) -> tuple[str, ...]:
        return ("laid",)

    def paint(self, pen: Pen) -> None:
        for n in range(1, int(self.laid) + 1):
            x, y, w, _h = self.tower.box_of(f"e{n}")
            px = min(w * 0.42, u(40))
            at, low = x + w - px * 0.8, y + u(2)
            pen.disc(at + px / 2, low + px / 2, px, c("ok"))
            pen.pic("mark_yes", at + px * 0.18, low + px * 0.18, px * 0.64, c("ok_bg"))


class TowerSetup(SetUpScreen):
    """See above. `place`: where the next card is laid when a tower is copied; `asking`: whether to deal another."""

    name = "tower"

    def make(self) -> Any:
        self.place: str | None = None
        self.done: list[tuple[str, ...]] = []
        self.asking = False
        self.first_fault = 0
        body = TowerBody()
        self.tower, self.side, self.under = body.ids.tower, body.ids.side, body.ids.under
        self.ticks = Ticks(self.tower)
        self.tower.add_widget(self.ticks)
        self.tower.bind(on_square=lambda _, square: self._touch(square))
        return body

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        draft = self.root.draft
        if not draft.tower:
            draft.deal(_rng)
        self._draw()

    @property
    def standing(self) -> Any:
        """What hands have to lay next."""
        draft = self.root.draft
        return self.asking, draft.copying, 0 if draft.copying else draft.laid

    def _draw(self) -> None:
        draft, tower = self.root.draft, self.tower
        tower.rows = list(draft.tower)
        narrow = draft.copying and not look.wide
        self.side.size_hint_y = None if narrow else 1
        if narrow:
            # the tower gets what is left: its squares are to be touched
            self.side.height = u(KIND) + u(110) + _go_height() + 2 * u(8)
        self.ticks.laid = 0 if draft.copying else draft.laid
        self.under.clear_widgets()
        self.side.clear_widgets()
        if draft.copying:
            self._copy()
        else:
            self._deal()

    # --- deal one ---------------------------------------------------------------------------------------------------

    def _deal(self) -> None:
        draft, tower = self.root.draft, self.tower
        level = min(draft.laid + 1, 5)
        complete = draft.laid == 5
        tower.figures = _standing(draft.seats) if complete else {}
        tower.picked, tower.bad = [], []
        tower.hot = 0 if complete else level
        tower.dim = [] if complete else list(range(level + 1, 6))
        tower.lit = {} if complete else {f"{column}{level}": "" for column in "abcde"}
        if self.asking:
            self._ask_again()
            return
        if complete:
            self.tell(_("The tower stands. Lay these out."), _("The goal: bring your two heroes up to the terrace."))
            self._figures()
            go = self._button(_("Begin the game"), self._begin, lit=True, px=22)
        else:
            sub = "" if draft.laid else " " + _("Level 1 is at the bottom.")
            self.tell(say(msg("Lay level {n}, left to right.", n=level)), _("As you see it on this screen.") + sub)
            self._level(level)
            go = self._button(say(msg("Level {n} is laid", n=level)), self._laid, lit=True, px=22, icon="mark_yes")
        foot = Row(size_hint_y=None, height=_go_height())
        if draft.laid:
            foot.add_widget(self._button(_("One back"), self._unlay, icon="mark_undo", size_hint_x=0.6))
        else:
            whole = self._button(_("The whole tower is laid"), self._all_laid, size_hint_x=0.8, px=18, least=13)
            foot.add_widget(whole)
        foot.add_widget(go)
        self.side.add_widget(foot)
        self.under.add_widget(self._button(_("Deal another"), self._another, px=18, least=13))
        self.under.add_widget(self._button(_("We built our own"), self._start_copy, px=18, least=13))
        # beside large words there is room for its picture alone
        bare = look.wide and look.scale > 1.1
        text, icon = ("", "mark_seats") if bare else (_("Seats"), "")
        seats = self._button(text, lambda: self.root.go("seats"), icon=icon, px=18, least=13)
        if bare:
            seats.size_hint_x, seats.width = None, u(60)
        self.under.add_widget(seats)

    def _level(self, level: int) -> None:
        row = self.root.draft.tower[5 - level]
        panel = LevelPanel(head=say(msg("Level {n}", n=level)))
        names = [say(KINDS[letter]) for letter in row]
        large = look.scale > 1.1
        for letter, name in zip(row, names, strict=True):
            panel.ids.cards.add_widget(LaidCard(letter=letter, text="" if large else name))
        if large:
            # no room for a name under each card
            panel.ids.cards.parent.add_widget(Text(text=", ".join(names), px=18, least=12), index=1)
        left = 25 - 5 * level
        rest = say(msgn("Still to lay after this: {n} card.", "Still to lay after this: {n} cards.", n=left))
        panel.foot = rest if left else _(SPARE)
        self.side.add_widget(panel)

    def _ask_again(self) -> None:
        """Another tower while some of this one lies: asked, and answered at another place."""
        n = self.root.draft.laid
        self.tell(_("Deal another tower?"), say(msgn("{n} level is down.", "{n} levels are down.", n=n)))
        self.side.add_widget(
            self._button(_("Yes, deal another"), self._deal_anew, px=20, size_hint_y=None, height=_go_height())
        )
        panel = Panel()
        panel.add_widget(Pic(art="gryphon", size_hint_x=None, width=u(60)))
        panel.add_widget(Text(text=_("Then take down what lies, and begin with level 1 again."), px=22, least=15))
        self.side.add_widget(panel)
        self.side.add_widget(
            self._button(_("Keep this one"), self._keep, lit=True, px=22, size_hint_y=None, height=_go_height())
        )

    def _figures(self) -> None:
        panel = Panel(orientation="vertical")
        card = ActionCard(number=1, seat=self.root.draft.seats[0])
        seats = self.root.draft.seats
        rows: tuple[tuple[str, list[Any]], ...] = (
            (_("Hero 1 of each colour into dungeon b1, hero 2 into d1."), [Figure(figure=f"{s}.1") for s in seats]),
            (_("The Dark Wizard on c2, the Black Knight on c4."), [Figure(figure=villain) for villain in VILLAINS]),
            (_("Everyone: seven cards and the character card."), [card]),
            (self._gryphon_line(), [Pic(art="gryphon")]),
        )
        # nothing has to be done for a gryphon that chance gives to somebody, and huge letters need its room
        for text, art in rows[:3] if look.scale > 1.3 and self.root.draft.gryphon is None else rows:
            row = Row()
            row.add_widget(_drawn(art))
            row.add_widget(Text(text=text, px=20, least=13))
            panel.add_widget(row)
        self.side.add_widget(panel)

    def _gryphon_line(self) -> str:
        holder = self.root.draft.gryphon
        if holder is None:
            return _("Chance picks who gets the gryphon when you begin.")
        who = words.readable(self.root.draft.names, holder)
        return say(msg("The gryphon stands beside {name}.", name=who))

    # --- copy ours --------------------------------------------------------------------------------------------------

    def _copy(self) -> None:
        draft, tower = self.root.draft, self.tower
        tower.dim, tower.hot, tower.figures = [], 0, {}
        open_places = draft.open_places()
        if self.place is None and open_places:
            self.place = open_places[0]
        tower.picked = [self.place] if self.place else []
        faults = draft.faults()
        tower.bad = [s for f in faults for s in draft.places(f)]
        tower.lit = {}
        self.tell(_("Tap a place, then its card."), _("Portals, dungeons and the base are there already."))
        self._kinds()
        self._note(faults, len(open_places))
        ready = not faults and not open_places
        go = self._button(_("The tower stands"), self._copied, lit=ready, off=not ready, px=22, icon="mark_yes")
        go.size_hint_y, go.height = None, _go_height()
        self.side.add_widget(go)
        self.under.add_widget(self._button(_("Undo"), self._undo, off=not self.done, px=18, least=14))
        laid = len(open_places) < len(OPEN)
        self.under.add_widget(self._button(_("Clear"), self._clear, off=not laid, px=18, least=14))
        self.under.add_widget(self._button(_("Dealt one"), self._back_to_dealt, px=18, least=13))

    def _kinds(self) -> None:
        """The kinds of cards, with what is left of each."""
        buttons = []
        for letter in CHOICES:
            n = max(self.root.draft.left(letter), 0)
            name, left = say(KINDS[letter]), say(msgn("{n} left", "{n} left", n=n))
            if look.scale > (1.3 if look.wide else 1.1):
                name, left = f"{name}: {n}", ""
            kind = Kind(text=name, sub=left, art=f"card_{TERRAIN[letter]}", align="left", px=19, least=13)
            kind.data = letter
            kind.bind(on_release=lambda _, k=letter: self._put(k))
            buttons.append(kind)
        per_row = 2 if look.wide else 4
        for start in range(0, len(buttons), per_row):
            row = Row() if look.wide else Row(size_hint_y=None, height=u(KIND))
            for kind in buttons[start : start + per_row]:
                row.add_widget(kind)
            self.side.add_widget(row)

    def _note(self, faults: Sequence[Fault], n: int) -> None:
        """Every broken rule, by place; else how many places are open."""
        if faults:
            note: Any = Broken(faults, self.first_fault, self._next_faults)
        else:
            text = say(msgn("{n} place is open.", "{n} places are open.", n=n)) if n else _("Every rule is kept.")
            note = Panel()
            note.add_widget(Pic(art="gryphon", size_hint_x=None, width=u(44)))
            note.add_widget(Text(text=f"{text} {_(SPARE)}", px=18, least=12))
        note.size_hint_y = 1.5
        self.side.add_widget(note)

    def _next_faults(self) -> None:
        self.first_fault += faults_at_once()
        if self.first_fault >= len(self.root.draft.faults()):
            self.first_fault = 0
        self._draw()

    def _touch(self, square: str) -> None:
        if self.root.draft.copying and square in TOUCHED:
            self.place = square
            self._draw()

    def _put(self, letter: str) -> None:
        if self.place is None:
            return
        draft = self.root.draft
        self.done.append(draft.tower)
        draft.put(self.place, letter)
        rest = draft.open_places()
        after = [s for s in rest if (s[1], s[0]) > (self.place[1], self.place[0])]
        self.place = (after or rest)[0] if rest else None
        self.first_fault = 0
        self._draw()

    def _undo(self) -> None:
        draft = self.root.draft
        if self.done:
            before = self.done.pop()
            changed = [s for s in TOUCHED if draft.card_at(s) != before[5 - int(s[1])]["abcde".index(s[0])]]
            draft.tower = before
            self.place = changed[0] if len(changed) == 1 else None
            self._draw()

    def _clear(self) -> None:
        """All cards off; undo brings them back."""
        draft = self.root.draft
        self.done.append(draft.tower)
        draft.clear()
        self.place = None
        self._draw()

    def _copied(self) -> None:
        self.root.draft.take_copied()
        self._draw()

    # --- buttons ----------------------------------------------------------------------------------------------------

    def _button(self, text: str, act: Any, **kwargs: Any) -> BigButton:
        button = BigButton(text=text, **kwargs)
        button.bind(on_release=lambda *_: act())
        return button

    def _laid(self) -> None:
        self.root.draft.laid += 1
        self._draw()

    def _all_laid(self) -> None:
        self.root.draft.laid = 5
        self._draw()

    def _unlay(self) -> None:
        self.root.draft.laid -= 1
        self._draw()

    def _another(self) -> None:
        draft = self.root.draft
        if draft.laid:
            self.asking = True
            self._draw()
        else:
            self._deal_anew()

    def _deal_anew(self) -> None:
        self.asking = False
        self.root.draft.deal(_rng)
        self._draw()

    def _keep(self) -> None:
        self.asking = False
        self._draw()

    def _start_copy(self) -> None:
        self.root.draft.copy()
        self.place, self.done = None, []
        self._draw()

    def _back_to_dealt(self) -> None:
        self.root.draft.back_to_dealt()
        self._draw()

    def _begin(self) -> None:
        draft = self.root.draft
        self.root.send(draft.begin(words.colour_name, self.root.settings.get("house_rules")))


def _standing(seats: Sequence[str]) -> dict[str, str]:
    """Where all figures stand when a game begins."""
    return {**START, **{hero: at for seat in seats for hero, at in zip(heroes(seat), DUNGEONS, strict=True)}}


def _drawn(art: Sequence[Any]) -> GridLayout:
    """What lies there, beside the words: up to four in two rows."""
    grid = GridLayout(cols=1 if len(art) == 1 else 2, size_hint_x=None, width=u(64))
    for widget in art:
        grid.add_widget(widget)
    return grid


def faults_at_once() -> int:
    """Broken rules that have room beside each other; large letters leave room for one."""
    return 3 if look.scale < 1.1 else 1


def _go_height() -> float:
    return max(u(62), t(50))


def _place(at: str) -> str:
    """Where a fault lies, in words."""
    if at.startswith("level "):
        return say(msg("Level {n}", n=at[6:]))
    return at if len(at) == 2 else _("Tower")
