"""The rule book: by the pictures of cards, places and situations, or by words, searched while one types."""

from __future__ import annotations

from typing import Any

from kivy.properties import StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.games.base import Rule, Topic, msg, msgn
from companion.rulebook import find
from companion.table.ports import Outcome, Snapshot
from companion.ui import words
from companion.ui.screens.base import Screen, load_kv
from companion.ui.screens.keyboard import NARROW, Keys
from companion.ui.screens.sheets import button
from companion.ui.theme import look, t, u
from companion.ui.widgets import BigButton, Panel, Pic, Row, Text, Touchable
from companion.ui.words import _, say

load_kv("rulebook")

GROUPS = (("card", msg("Cards")), ("place", msg("Places")), ("situation", msg("What happens")))
KEYS = ("1234567890", "QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM")
KEYS_NARROW = ("12345", "67890", *(row.replace("-", "") for row in NARROW[2:]))
"""Accents are ignored, so that they need no keys; numbers are for cards and ids."""
LONGEST = 30


class RulebookBody(BoxLayout):
    """Written out in rulebook.kv."""


class EntryRow(Touchable):
    """An entry in a list: its title, and its number for those who look it up."""

    about = msg("An entry of the rule book. A short touch opens it.")
    text = StringProperty("")

    def __init__(self, rule: Rule, **kwargs: Any) -> None:
        super().__init__(padding=(u(16), u(4)), spacing=u(8), **kwargs)
        self.rule = rule
        self.text = _(rule.title)
        self.add_widget(Text(text=self.text, px=24, least=15, bold=True))
        number = Text(text=rule.id, px=18, least=13, tint="muted", halign="right", size_hint_x=None, width=t(56))
        self.add_widget(number)


class TopicTile(BigButton):
    """A picture to look things up by."""

    about = msg("What the rule book can be asked about. A short touch shows its entries.")

    def _art_size(self) -> float:
        return min(self.height * 0.7, u(54))


class RulebookScreen(Screen):
    """See above. given: `words`, `topic`, `group`, `page` and `typing`, so that whoever comes back finds the place."""

    name = "rulebook"
    has_book = False

    def make(self) -> Any:
        body = RulebookBody()
        self.parts = body.ids
        self.shown: list[Rule] = []
        body.ids.field.bind(on_release=lambda *_: self._set(typing=True, topic=""))
        return body

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        if outcome is None:
            self._draw()

    # --- what is asked ----------------------------------------------------------------------------------------------

    @property
    def standing(self) -> Any:
        """The keyboard, the topics, or the entries of one."""
        return bool(self.given.get("typing")), self.given.get("topic")

    def _set(self, **changes: Any) -> None:
        self.root.flow.given.update({"page": 0} | changes)
        self._draw()

    @property
    def wanted(self) -> str:
        """The words typed."""
        return str(self.given.get("words", ""))

    @property
    def topic(self) -> Topic | None:
        """The picture touched."""
        return next((t for t in self.root.book.topics if t.id == self.given.get("topic")), None)

    def found(self) -> list[Rule]:
        """The entries asked for."""
        if self.topic is not None:
            return list(self.root.book.about(self.topic.id))
        return find(self.root.book, words.wording(), [self.wanted]) if self.wanted.strip() else []

    # --- drawing ----------------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        parts = self.parts
        parts.middle.clear_widgets()
        parts.foot.clear_widgets()
        self.shown = self.found()
        field, line = parts.field, parts.line
        for extra in line.children[:-1]:
            line.remove_widget(extra)
        typing = bool(self.given.get("typing"))
        parts.foot.height = 0 if typing else t(58)
        field.text = self.wanted + ("|" if typing else "") if self.wanted or typing else _("Search by words")
        field.edge = "act" if typing else "line"
        n = len(self.shown)
        sub = say(msgn("{n} entry", "{n} entries", n=n)) if n else ""
        if typing:
            self.tell(_("What do you want to know?"), sub)
            self._typing()
        elif self.topic is not None:
            self.tell(say(self.topic.title), sub)
            self._list()
        elif self.wanted.strip():
            self.tell(_("What do you want to know?"), sub)
            self._list()
        else:
            self.tell(_("What do you want to know?"), _("Touch a picture, or search by words."))
            self._tiles()

    def _tiles(self) -> None:
        group = self.given.get("group", "card")
        tabs = Row(size_hint_y=None, height=max(u(52), t(48)))
        for id, title in GROUPS:
            tab = button(say(title), lambda group=id: self._set(group=group), px=19, least=13)
            tab.edge = "act" if id == group else "line"
            tabs.add_widget(tab)
        self.parts.middle.add_widget(tabs)
        topics = [t for t in self.root.book.topics if t.kind == group]
        per_row = 4 if look.wide else 2
        for start in range(0, len(topics), per_row):
            row = Row()
            line = topics[start : start + per_row]
            for topic in line:
                art = {"icon": topic.art} if topic.art.startswith(("action_", "mark_")) else {"art": topic.art}
                tile = TopicTile(text=say(topic.title), px=20, least=13, **art)
                tile.bind(on_release=lambda _, topic=topic.id: self._set(topic=topic))
                row.add_widget(tile)
            for _i in range(per_row - len(line)):
                row.add_widget(Widget())
            self.parts.middle.add_widget(row)
        self.parts.foot.add_widget(button(_("Back"), self.root.back, icon="mark_undo", size_hint_x=0.4))
        if self.root.has("minute"):
            text = _("The game in a minute")
            self.parts.foot.add_widget(button(text, lambda: self.root.open("minute"), art="card_roof", px=20))

    def _typing(self) -> None:
        middle = self.parts.middle
        keys = Keys(KEYS if look.wide else KEYS_NARROW, self._type, self._wipe)
        rows = len(keys.children)
        keys.size_hint_y, keys.height = None, rows * u(48) + (rows - 1) * u(6)
        room = BoxLayout(orientation="vertical", spacing=u(6))
        if self.wanted.strip() and not self.shown:
            room.add_widget(self._nothing())
        hits = 1 if look.wide and look.text != "normal" else 2
        for rule in self.shown[:hits]:
            room.add_widget(self._row(rule))
        middle.add_widget(room)
        middle.add_widget(keys)
        n = len(self.shown)
        line = self.parts.line
        line.add_widget(button("", lambda: self._set(typing=False), icon="mark_yes", lit=bool(n), off=not n,
                               size_hint_x=None, width=u(110)))  # fmt: skip
        line.add_widget(button("", lambda: self._set(typing=False, words=""), icon="mark_no",
                               size_hint_x=None, width=u(64)))  # fmt: skip

    def _list(self) -> None:
        if not self.shown:
            self.parts.middle.add_widget(self._nothing())
            self.parts.foot.add_widget(button(_("Back"), self._leave, icon="mark_undo"))
            return
        box = BoxLayout(orientation="vertical", spacing=u(8))
        self.parts.middle.add_widget(box)
        box.bind(height=lambda *_: self._page(box))

    def _page(self, box: Any) -> None:
        """As many entries as there is room for."""
        rows = max(int((box.height + u(8)) // (t(58) + u(8))), 1)
        pages = -(-len(self.shown) // rows)
        page = min(int(self.given.get("page", 0)), pages - 1)
        box.clear_widgets()
        here = self.shown[page * rows : (page + 1) * rows]
        for rule in here:
            box.add_widget(self._row(rule))
        if len(here) < rows:
            box.add_widget(Widget(size_hint_y=rows - len(here)))
        foot = self.parts.foot
        foot.clear_widgets()
        foot.add_widget(button(_("Back"), self._leave, icon="mark_undo"))
        if pages > 1:
            foot.add_widget(button(_("Earlier"), lambda: self._set(page=page - 1), off=page == 0))
            place = say(msg("{n} of {all}", n=page + 1, all=pages))
            foot.add_widget(Text(text=place, px=20, halign="center", size_hint_x=0.5))
            foot.add_widget(button(_("More"), lambda: self._set(page=page + 1), off=page == pages - 1,
                                   lit=page < pages - 1))  # fmt: skip

    def _row(self, rule: Rule, **kwargs: Any) -> EntryRow:
        row = EntryRow(rule, **kwargs)
        row.bind(on_release=lambda *_: self.root.open("entry", rule=rule.id))
        return row

    def _nothing(self) -> Any:
        panel = Panel()
        panel.add_widget(Pic(art="gryphon", size_hint_x=None, width=u(48)))
        text = say(msg('Nothing about "{words}".', words=self.wanted.strip()))
        what = _("Try one word, such as rope or rest, or touch a picture.")
        panel.add_widget(Text(text=f"{text} {what}", px=20, least=13))
        return panel

    # --- touches ----------------------------------------------------------------------------------------------------

    def _type(self, letter: str) -> None:
        if len(self.wanted) < LONGEST:
            self._set(words=(self.wanted + letter.lower()).lstrip())

    def _wipe(self) -> None:
        self._set(words=self.wanted[:-1])

    def _leave(self) -> None:
        """Back to the pictures; or out, where one came from a picture elsewhere."""
        self._set(words="", topic="")
