"""The first screen: go on with the saved game, begin a new one, or go through another door."""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.games.base import Message, msg, msgn
from companion.table.ports import Outcome, Resume, Snapshot
from companion.ui import words
from companion.ui.boards.sir_holland.tower import Tower
from companion.ui.pen import Pen
from companion.ui.screens.base import Screen, load_kv
from companion.ui.theme import c, look, u
from companion.ui.widgets import BigButton, Drawn, Panel, Pic, Row, height_of
from companion.ui.words import _, say

load_kv("start")

SHOWN = {
    "tower": ["RWPWW", "WSPRW", "WWPRH", "RSPWW", "RDPDR"],
    "figures": {"red.1": "a3", "blue.1": "e4", "yellow.1": "d2", "wizard": "c2", "knight": "c4",
                "blue.2": "b1", "green.1": "b1", "red.2": "d1", "yellow.2": "d1", "green.2": "e3"},
    "lying": ["green.2"],
}  # fmt: skip
"""A tower to look at while no game is saved."""
DOORS = (("judge", "mark_judge", msg("Ask the judge")), ("history", "mark_history", msg("History")),
         ("devices", "mark_reader_ok", msg("Devices")), ("settings", "mark_settings", msg("Settings")))  # fmt: skip
"""Screen, picture, name; none for a screen that there is not."""
PICTURE = 150
"""Pixels of the design; on less height there is no picture to be seen."""
STARS = ((40, 60), (120, 120), (310, 40), (352, 110), (70, 210), (24, 330), (330, 260), (225, 24))


class StartBody(BoxLayout):
    """Written out in start.kv."""


class Lost(Panel):
    """What the file of games could not bring back, with all the room that its words need."""

    text = StringProperty("")

    def fit_into(self, room: float) -> None:
        """As high as its words at their full size, and no higher than there is room."""
        across, down = sum(self.padding[::2]), sum(self.padding[1::2])
        self.height = min(height_of(self.text, 17, self.width - across) + down, room)


class Door(BigButton):
    """A tile with a picture and what lies behind it."""

    def _art_size(self) -> float:
        return min(self.height * 0.6, u(40))


class Tongue(BigButton):
    """A language; the one that is spoken is marked."""

    about = msg("The language that I write and speak. A short touch changes it at once.")
    spoken = BooleanProperty(False)

    def _dress(self, *_: Any) -> None:
        super()._dress()
        if self.spoken:
            self.ground, self.edge = "ok_bg", "ok"


class Sky(Drawn):
    """Night, moon and hill."""

    def paint(self, pen: Pen) -> None:
        k = look.factor if look.wide else look.width / 400
        top = self.top
        # on a high screen the words stand below the sky
        stars = [(x, y) for x, y in STARS if look.wide or y * k < self.height / 4]
        for i, (x, y) in enumerate(stars):
            pen.disc(self.x + x * k, top - y * k, (5, 4)[i % 2] * k, c("muted", 0.8))
        pen.disc(self.x + 92 * k, top - 98 * k, 104 * k, c("muted"))
        pen.disc(self.x + 122 * k, top - 86 * k, 104 * k, c("night"))
        w = self.width * 1.15
        high = u(120)
        pen.group.add(_hill(self.center_x - w / 2, self.y - high * 0.48, w, high))


def _hill(x: float, y: float, w: float, h: float) -> Any:
    from kivy.graphics import Color, Ellipse, InstructionGroup

    group = InstructionGroup()
    group.add(Color(*c("panel")))
    group.add(Ellipse(pos=(x, y), size=(w, h), segments=120))
    return group


class Start(Screen):
    """See above."""

    name = "start"

    @property
    def standing(self) -> Any:
        """What was saved is known a little later than the screen is there."""
        return self.root.home and (self.root.home.number, len(self.root.home.lost))
    bar = False

    def make(self) -> Any:
        self.add_widget(Sky(), index=1)
        body = StartBody()
        self.doors, self.left, self.scene = body.ids.doors, body.ids.left, body.ids.scene
        self.lost = Lost()
        self.tower = Tower(
            axes=False,
            sky=c("night", 0),
            size_hint=(0.92, 0.8 if look.wide else 0.7),
            pos_hint={"center_x": 0.5, "y": 0.03},
        )
        self.bird = Pic(art="gryphon", size_hint=(None, None), size=(u(90), u(90)))
        self.scene.add_widget(self.tower)
        self.scene.add_widget(self.bird)
        self.tower.bind(size=lambda *_: self._perch(), pos=lambda *_: self._perch())
        self.languages = Row(size_hint_y=None, height=u(54))
        # beside the doors where there is room beside them, else below them
        (self.left if look.wide else body.ids.right).add_widget(self.languages)
        for widget in (self.left, self.lost):
            widget.bind(size=lambda *_: self._share())
        return body

    def _perch(self) -> None:
        """The gryphon sits on the battlements."""
        _x, y, _w, h = self.tower.box_of("roof")
        self.bird.y = y + h - u(9)
        self.bird.size = (min(self.tower.pitch * 1.55, self.scene.top - self.bird.y),) * 2
        self.bird.center_x = self.tower.center_x

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        home = self.root.home
        saved = home.saved if home else None
        self.tower.show(saved.view if saved else SHOWN)
        doors = self.doors
        doors.clear_widgets()
        if home is not None:
            self._games(saved, home.number)
            self._others()
        else:
            doors.add_widget(Widget())
        self._tell_lost(" ".join(say(m) for m in home.lost) if home else "")
        self.languages.clear_widgets()
        for lang, text in words.LANGUAGES.items():
            button = Tongue(text=text, px=20, least=14, spoken=lang == words.language())
            button.bind(on_release=lambda _, lang=lang: self.root.change_language(lang))
            self.languages.add_widget(button)
        Clock.schedule_once(lambda dt: self._perch(), 0)

    def _tell_lost(self, text: str) -> None:
        """Below the picture, which gives way."""
        self.lost.text = text
        if not look.wide and text:
            # the longest of them all, in large letters
            self.left.size_hint_y = 0.68 / look.scale**1.5
        if not text:
            self.left.remove_widget(self.lost)
        elif self.lost.parent is None:
            self.left.add_widget(self.lost, index=len(self.left.children) - 1)
        self.left.spacing = u(8) if text else 0
        if not look.wide:
            # the picture gives way, and the doors a little
            self.left.size_hint_y = (0.8 if text else 0.62) / look.scale ** (1 if text else 1.5)
        self._share()

    def _share(self) -> None:
        """The words take what they need, and the picture stands where enough is left for one."""
        room = self.left.height
        if self.lost.parent is not None:
            room -= sum(w.height + self.left.spacing for w in self.left.children if w is self.languages)
            self.lost.fit_into(room)
            room -= self.lost.height
        self.scene.opacity = 1 if room >= PICTURE * look.factor else 0

    def _games(self, saved: Snapshot | None, number: int | None) -> None:
        """Go on, and a new game: the one that is awaited is lit."""
        if saved is not None and number is not None:
            go_on = BigButton(
                text=_("Go on"), sub=say(where(saved)), lit=True, px=28, size_hint_y=1.5 if look.scale < 1.3 else 1.6
            )
            go_on.bind(on_release=lambda *_: self.root.send(Resume(number)))
            self.doors.add_widget(go_on)
        new = BigButton(text=_("New game"), px=24)
        new.bind(on_release=lambda *_: self.root.go("seats"))
        if saved is None:
            new.lit, new.px, new.size_hint_y, new.sub = True, 36, 1.8, _("for 2 to 4 players")
        row = Row(size_hint_y=new.size_hint_y)
        new.size_hint_y = 1
        # its picture says it alone, as in the top bar of every other screen
        book = BigButton(icon="mark_book", size_hint_x=None, width=u(72))
        book.bind(on_release=lambda *_: self.root.open("rulebook"))
        row.add_widget(new)
        row.add_widget(book)
        self.doors.add_widget(row)
        lost = self.root.home is not None and self.root.home.lost
        if self.root.has("minute") and not (lost and look.tight and not look.wide):
            minute = BigButton(text=_("The game in a minute"), px=20, art="card_roof")
            minute.bind(on_release=lambda *_: self.root.open("minute"))
            self.doors.add_widget(minute)

    def _others(self) -> None:
        """The other doors, two in a row."""
        tiles = [Door(text=say(text), icon=art, data=name) for name, art, text in DOORS if self.root.has(name)]
        for tile in tiles:
            tile.bind(on_release=lambda tile: self.root.open(tile.data))
        for start in range(0, len(tiles), 2):
            row = Row()
            for tile in tiles[start : start + 2]:
                row.add_widget(tile)
            self.doors.add_widget(row)


def where(saved: Snapshot) -> Message:
    """Where a saved game stands, in one sentence."""
    view = saved.view
    number = view["round"]
    if view["phase"] == "choose":
        waiting = [s for s in view["seats"] if s not in view["locked"]]
        if len(waiting) == len(view["seats"]) or not waiting:
            return msg("Round {round}. Everyone chooses a card.", round=number)
        return msgn("Round {round}. {seats:seats} is thinking.", "Round {round}. {seats:seats} are thinking.",
                    n=len(waiting), round=number, seats=waiting)  # fmt: skip
    return msg("Round {round}. It is the turn of {seat:seat}.", round=number, seat=view["queue"][0])
