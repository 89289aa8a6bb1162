"""What is laid over a screen: the menu, the ways out of a game, and the question whose card a new tag is."""

from __future__ import annotations

from typing import Any

from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.games.base import msg
from companion.games.sir_holland.state import CARDS, COLOURS
from companion.table.ports import Abandon, Bind, Change, Leave, SayAgain, Status
from companion.ui import words
from companion.ui.boards.sir_holland.tower import Tower
from companion.ui.flow import TABLE_ONLY
from companion.ui.screens.base import load_kv
from companion.ui.theme import c, look, u
from companion.ui.widgets import BigButton, Heading, Panel, Row, Text, height_of
from companion.ui.words import _, say

load_kv("sheets")


class Sheet(FloatLayout):
    """A card in the middle of a darkened screen. A touch beside it closes it."""

    def __init__(self, root: Any, title: str, width: float = 520) -> None:
        super().__init__()
        self.root = root
        self.panel = Panel(orientation="vertical", edge="line", size_hint=(None, None), padding=u(16), spacing=u(10))
        self.panel.width = min(u(width), root.width - u(24))
        self.panel.pos_hint = {"center_x": 0.5, "center_y": 0.5}
        self.panel.bind(minimum_height=self.panel.setter("height"))
        self.panel.add_widget(Heading(text=title, px=30, size_hint_y=None, height=u(40)))
        self.add_widget(self.panel)

    def row(self, *buttons: Any, height: float = 58) -> None:
        """Add buttons side by side."""
        row = Row(size_hint_y=None, height=u(height))
        for button in buttons:
            row.add_widget(button)
        self.panel.add_widget(row)

    def note(self, text: str, px: float = 20) -> None:
        """Add words, as high as they are."""
        high = height_of(text, px, self.panel.width - 2 * self.panel.padding[0])
        self.panel.add_widget(Text(text=text, px=px, least=14, size_hint_y=None, height=high))

    def close(self) -> None:
        """A touch beside it."""
        self.root.close_sheet()

    def on_touch_down(self, touch: Any) -> Any:
        if not self.panel.collide_point(*touch.pos):
            touch.grab(self)
            return True
        return super().on_touch_down(touch)

    def on_touch_up(self, touch: Any) -> Any:
        if touch.grab_current is not self:
            return super().on_touch_up(touch)
        touch.ungrab(self)
        if self.collide_point(*touch.pos) and not self.panel.collide_point(*touch.pos):
            self.close()
        return True


def button(text: str, act: Any, **kwargs: Any) -> BigButton:
    """A button that does something."""
    made = BigButton(text=text, **kwargs)
    made.bind(on_release=lambda *_: act())
    return made


def rule_button(root: Any, rule: str, **kwargs: Any) -> BigButton:
    """Leads to an entry of the rule book; its number is small, where there is room for it at all."""
    sub = rule if look.text == "normal" else ""
    return button(_("The rule"), lambda: root.open("entry", rule=rule), icon="mark_book", sub=sub, least=12, **kwargs)


MENU = (("put_right", "mark_fix", msg("Put it right")), ("rulebook", "mark_book", msg("Rule book")),
        ("judge", "mark_judge", msg("Ask the judge")), ("history", "mark_history", msg("History")),
        ("seat", "mark_other", msg("Somebody else plays")), ("settings", "mark_settings", msg("Settings")))  # fmt: skip
"""Doors of the menu: screen, picture, name."""
NO_TOWER = ("choose", "reveal", "round_end")
"""Screens of a game that show no tower."""


class MenuSheet(Sheet):
    """The doors that there are, saying again, the voice, and the ways out."""

    def __init__(self, root: Any) -> None:
        super().__init__(root, _("Menu"), 640)
        self.speaks = root.settings.get("voice") is not False
        doors = [
            button(say(text), lambda n=name: self._go(n), icon=art)
            for name, art, text in MENU
            if root.has(name) and (root.now is not None or name not in TABLE_ONLY) and root.flow.screen != name
        ]
        sound = "mark_sound" if self.speaks else "mark_quiet"
        if self.speaks and root.no_sound:
            doors.append(button(_("There is no sound"), self._sound, icon="mark_quiet"))
        else:
            told = _("The voice is on") if self.speaks else _("The voice is off")
            doors.append(button(told, self._voice, icon=sound))
        if root.now is not None and self.speaks:
            doors.append(button(_("Say it again"), lambda: self._send(SayAgain()), icon="mark_again"))
        if root.now is not None and root.flow.screen in NO_TOWER:
            doors.append(button(_("See the tower"), lambda: root.open_sheet(TowerSheet(root)), art="card_rope"))
        per_row = 3 if look.wide else 2
        for start in range(0, len(doors), per_row):
            self.row(*doors[start : start + per_row], height=60)
        inside = root.now is None or root.flow.doors
        last = [button(_("Close"), root.close_sheet, lit=root.now is None, px=22)] if inside else []
        if root.now is not None:
            last.append(button(_("Back to the table"), root.back_to_table, lit=True, px=22))
            leave = _("End the what-if") if root.now.sandbox else _("Stop playing")
            last.insert(0, button(leave, self._leave, icon="mark_pause", px=20))
        if len(last) > 2 and not look.wide:
            # three in a row are too narrow for words
            self.row(*last[:-1], height=64)
            last = last[-1:]
        self.row(*last, height=64)

    def _sound(self) -> None:
        self.root.close_sheet()
        self.root.open("settings", page="sound")

    def _go(self, screen: str) -> None:
        self.root.close_sheet()
        self.root.open(screen)

    def _send(self, request: Any) -> None:
        self.root.close_sheet()
        self.root.send(request)

    def _voice(self) -> None:
        """At once, also where the house cannot keep it."""
        change = {"voice": not self.speaks}
        self.root.close_sheet()
        self.root.take(Status("settings", "setting", None, change))
        self.root.send(Change(change))

    def _leave(self) -> None:
        if self.root.now.sandbox:
            self._send(Leave())
        else:
            self.root.open_sheet(StopSheet(self.root))


class TowerSheet(Sheet):
    """The tower with all figures, to look at while one thinks."""

    def __init__(self, root: Any) -> None:
        super().__init__(root, _("The tower"), 640)
        tower = Tower(size_hint_y=None)
        tower.sky = c("panel")
        room = root.height - u(24) - 2 * u(16) - u(40) - u(64) - 2 * u(10)
        tower.height = min(tower.height_for(self.panel.width - 2 * u(16)), room)
        tower.show(root.now.view)
        self.panel.add_widget(tower)
        self.row(button(_("Back to the table"), root.close_sheet, lit=True, px=22), height=64)


class StopSheet(Sheet):
    """Stop for today, or for good. Both lie where no finger has just been; giving up for good is asked once more."""

    def __init__(self, root: Any) -> None:
        super().__init__(root, _("Stop playing?"), 640)
        # what ends something lies at the top, what goes on at the bottom
        self.row(
            button(_("Stop for today"), self._pause, icon="mark_pause", px=22, least=14),
            button(_("End it for good"), lambda: root.open_sheet(AbandonSheet(root)), icon="mark_no", px=20, least=14),
            height=84,
        )
        self.note(_("For today: the game is saved. Leave the tower as it is. For good: nobody wins it."))
        self.row(button(_("Play on"), root.close_sheet, lit=True, px=22), height=64)

    def _pause(self) -> None:
        _away(self.root, Leave())


class AbandonSheet(Sheet):
    """Really for good? The button lies at the other side than the one that led here."""

    def __init__(self, root: Any) -> None:
        super().__init__(root, _("Really end this game?"), 640)
        number = root.now.number
        self.note(_("Nobody wins it. In the history you can still look at it, and go on with it."))
        self.row(button(_("Yes, end it"), lambda: self._end(number), icon="mark_no"), Widget(), height=60)
        self.row(button(_("Play on"), root.close_sheet, lit=True, px=22), height=64)

    def _end(self, number: int) -> None:
        _away(self.root, Abandon(number))


def _away(root: Any, request: Leave | Abandon) -> None:
    """All doors close. The first screen comes with the answer: what the disk cannot keep stays on the table."""
    root.close_sheet()
    if root.flow.doors:
        root.go(root.flow.table)
    root.send(request)


class BindSheet(Sheet):
    """A tag that nobody knows: whose card is it?"""

    def __init__(self, root: Any, status: Status) -> None:
        super().__init__(root, _("A new sticker"), 640)
        self.status, self.tag = status, str(status.data["uid"])
        seats = root.now.view["seats"] if root.now else COLOURS
        seat = str(status.data.get("seat") or seats[0])
        why = say(msg("{seat:seat} laid a card with a sticker that I do not know. Which card is it?", seat=seat))
        # most likely the card that lies on the table
        played = root.now.view["cards"].get(seat, 0) if root.now else 0
        self.owner, self.number = seat, 0
        high = max(u(46), height_of(why, 18, self.panel.width - u(32)))
        self.panel.add_widget(Text(text=why, px=18, least=14, size_hint_y=None, height=high))
        self.seats = [button(words.name(s), lambda s=s: self._pick(s, self.number), seat=s, px=18) for s in seats]
        for made, owner in zip(self.seats, seats, strict=True):
            made.data = owner
        per_row = len(seats) if look.wide else 2
        for start in range(0, len(seats), per_row):
            self.row(*self.seats[start : start + per_row])
        self.cards = [button(str(n), lambda n=n: self._pick(self.owner, n), px=26) for n in CARDS]
        for made in self.cards:
            made.about = msg("A short touch says that it is this card. Nothing is kept before you say so.")
        self.row(*self.cards)
        self.done = button(_("Keep it"), self._bind, off=True)
        self.row(button(_("Not now"), root.close_sheet), self.done, height=62)
        self._pick(seat, played)

    def _pick(self, owner: str, number: int) -> None:
        self.owner, self.number = owner, number
        for made in self.seats:
            made.edge = "act" if made.data == owner else "line"
        for n, made in zip(CARDS, self.cards, strict=True):
            made.edge = "act" if n == number else "line"
        self.done.off, self.done.lit = not number, bool(number)

    def _bind(self) -> None:
        if self.number:
            self.root.close_sheet()
            self.root.send(Bind(self.tag, self.owner, self.number))
