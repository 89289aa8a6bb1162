"""The tower before the game: deal one and lay it level by level, or copy the one that lies on the table."""

from __future__ import annotations

from random import Random
from typing import Any

from kivy.properties import StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.games.base import msg, msgn
from companion.table.ports import Outcome, Snapshot
from companion.ui import words
from companion.ui.boards.sir_holland import Tower  # noqa: F401  named in tower.kv
from companion.ui.draft import FIXED
from companion.ui.pen import TERRAIN, Pen
from companion.ui.screens.base import Screen, load_kv
from companion.ui.theme import c, look, u
from companion.ui.widgets import BigButton, Drawn, Panel, Pic, Row, Text
from companion.ui.words import _, say

load_kv("tower")

_rng = Random()
KINDS = {"P": msg("Portal"), "D": msg("Dungeon"), "R": msg("Rope"), "S": msg("Passage"), "H": msg("Secret room"),
         "W": msg("Wall")}  # fmt: skip
CHOICES = "RSHW"
"""What may lie on an open place."""


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


class TowerSetup(Screen):
    """See above. `place`: where the next card is laid when a tower is copied."""

    name = "tower"

    def make(self) -> Any:
        self.place: str | None = None
        self.done: list[tuple[str, str]] = []
        body = TowerBody()
        self.tower, self.side, self.under = body.ids.tower, body.ids.side, body.ids.under
        self.tower.bind(on_square=lambda _, square: self._touch(square))
        return body

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        draft = self.root.draft
        if not draft.tower:
            draft.deal(_rng)
        self._draw()

    def _draw(self) -> None:
        draft, tower = self.root.draft, self.tower
        tower.rows = list(draft.tower)
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
        tower.picked, tower.bad, tower.lit = [], [], {}
        tower.hot = 0 if complete else level
        tower.dim = [] if complete else list(range(level + 1, 6))
        tower.lit = {} if complete else {f"{column}{level}": "" for column in "abcde"}
        if complete:
            self.tell(_("The tower stands."), _("Place the heroes in the dungeons, the villains on the portals."))
            self._figures()
            go = self._button(_("Begin the game"), self._begin, lit=True, px=22)
        else:
            sub = (
                say(msgn("{n} level is down.", "{n} levels are down.", n=draft.laid))
                if draft.laid
                else _("The base first.")
            )
            self.tell(say(msg("Lay level {n}, left to right.", n=level)), sub)
            self._level(level)
            go = self._button(say(msg("Level {n} is laid", n=level)), self._laid, lit=True, px=22, icon="mark_yes")
        if draft.laid and not complete:
            foot = Row(size_hint_y=None, height=u(66))
            foot.add_widget(self._button(_("One back"), self._unlay, icon="mark_undo", size_hint_x=0.6))
            foot.add_widget(go)
            self.side.add_widget(foot)
        else:
            go.size_hint_y, go.height = None, u(66)
            self.side.add_widget(go)
        self.under.add_widget(self._button(_("Deal another"), self._another, px=18))
        self.under.add_widget(self._button(_("Copy ours"), self._start_copy, px=18))

    def _level(self, level: int) -> None:
        row = self.root.draft.tower[5 - level]
        panel = LevelPanel(head=say(msg("Level {n}", n=level)))
        for letter in row:
            panel.ids.cards.add_widget(LaidCard(letter=letter, text=say(KINDS[letter])))
        left = 25 - 5 * level
        panel.foot = (
            say(msgn("Still to lay after this: {n} card.", "Still to lay after this: {n} cards.", n=left)) + " "
            + _("One wall stays in the box.")
            if left
            else _("One wall stays in the box.")
        )  # fmt: skip
        self.side.add_widget(panel)

    def _figures(self) -> None:
        panel = Panel(orientation="vertical")
        for text, art in (
            (_("Hero 1 of each colour into dungeon b1, hero 2 into d1."), "hero_red"),
            (_("The Dark Wizard on c2, the Black Knight on c4."), "villain_wizard"),
            (self._gryphon_line(), "gryphon"),
        ):
            row = Row()
            row.add_widget(Pic(art=art, size_hint_x=None, width=u(56)))
            row.add_widget(Text(text=text, px=20, least=15))
            panel.add_widget(row)
        self.side.add_widget(panel)

    def _gryphon_line(self) -> str:
        holder = self.root.draft.gryphon
        if holder is None:
            return _("Who gets the gryphon is drawn when the game begins.")
        who = self.root.draft.names.get(holder) or words.colour_name(holder)
        return say(msg("The gryphon stands beside {name}.", name=who))

    # --- copy ours --------------------------------------------------------------------------------------------------

    def _copy(self) -> None:
        draft, tower = self.root.draft, self.tower
        tower.dim, tower.hot = [], 0
        open_places = draft.open_places()
        if self.place is None and open_places:
            self.place = open_places[0]
        tower.picked = [self.place] if self.place else []
        faults = draft.faults()
        tower.bad = [s for f in faults for s in _squares(f.at)]
        tower.lit = {}
        self.tell(_("Tap a place, then its card."), _("Portals, dungeons and the base are there already."))
        grid = Panel(orientation="vertical")
        for pair in (CHOICES[:2], CHOICES[2:]):
            row = Row()
            for letter in pair:
                left = draft.left(letter)
                sub = say(msgn("{n} left", "{n} left", n=max(left, 0)))
                row.add_widget(
                    self._button(
                        say(KINDS[letter]),
                        lambda k=letter: self._put(k),
                        art=f"card_{TERRAIN[letter]}",
                        sub=sub,
                        align="left",
                        px=19,
                    )
                )
            grid.add_widget(row)
        self.side.add_widget(grid)
        if faults:
            text = " ".join(say(f.message) for f in faults[:3])
            note = Panel(ground="refuse_bg", edge="refuse", size_hint_y=0.8 if look.wide else 0.6)
            note.add_widget(Text(text=text, px=18, least=13))
        else:
            n = len(open_places)
            text = say(msgn("{n} place is open.", "{n} places are open.", n=n)) if n else _("Every rule is kept.")
            note = Panel(size_hint_y=0.45)
            note.add_widget(Pic(art="gryphon", size_hint_x=None, width=u(44)))
            note.add_widget(Text(text=text, px=19, least=14))
        self.side.add_widget(note)
        ready = not faults and not open_places
        go = self._button(_("The tower stands"), self._copied, lit=ready, off=not ready, px=22, icon="mark_yes")
        go.size_hint_y, go.height = None, u(66)
        self.side.add_widget(go)
        self.under.add_widget(self._button(_("Undo"), self._undo, icon="mark_undo", off=not self.done, px=18))
        self.under.add_widget(self._button(_("Deal one"), self._another, px=18))

    def _touch(self, square: str) -> None:
        if self.root.draft.copying and square != "roof" and (square not in FIXED or square[1] == "1"):
            self.place = None if square in ("b1", "c1", "d1") else square
            self._draw()

    def _put(self, letter: str) -> None:
        if self.place is None:
            return
        draft = self.root.draft
        before = draft.tower[5 - int(self.place[1])][ord(self.place[0]) - 97]
        self.done.append((self.place, before))
        draft.put(self.place, letter)
        rest = draft.open_places()
        after = [s for s in rest if (s[1], s[0]) > (self.place[1], self.place[0])]
        self.place = (after or rest or [self.place])[0] if rest else None
        self._draw()

    def _undo(self) -> None:
        if self.done:
            place, letter = self.done.pop()
            self.root.draft.put(place, letter)
            self.place = place
            self._draw()

    def _copied(self) -> None:
        self.root.draft.copying = False
        self.root.draft.laid = 5
        self._draw()

    # --- buttons ----------------------------------------------------------------------------------------------------

    def _button(self, text: str, act: Any, **kwargs: Any) -> BigButton:
        button = BigButton(text=text, **kwargs)
        button.bind(on_release=lambda *_: act())
        return button

    def _laid(self) -> None:
        self.root.draft.laid += 1
        self._draw()

    def _unlay(self) -> None:
        self.root.draft.laid -= 1
        self._draw()

    def _another(self) -> None:
        self.root.draft.deal(_rng)
        self._draw()

    def _start_copy(self) -> None:
        self.root.draft.copy()
        self.place, self.done = None, []
        self._draw()

    def _begin(self) -> None:
        draft = self.root.draft
        self.root.send(draft.begin(words.colour_name))
        draft.tower, draft.laid = (), 0


def _squares(at: str) -> list[str]:
    """The squares of a fault's place."""
    if at.startswith("level "):
        return [f"{column}{at[6:]}" for column in "abcde" if column != "c"]
    return [at] if len(at) == 2 else []
