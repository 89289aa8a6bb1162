"""One entry of the rule book: its words, a drawn example, the house rule that changes it, what to read with it."""

from __future__ import annotations

from typing import Any

from kivy.uix.boxlayout import BoxLayout

from companion.games.base import Message, Rule, Rulebook, Switch, Topic, msg
from companion.games.sir_holland.guide import Example, Final, Order
from companion.table.ports import Outcome, SayThis, Snapshot
from companion.ui import words
from companion.ui.boards.cards import CardRing
from companion.ui.boards.examples import ExampleTower, Told, told
from companion.ui.screens.base import Screen, load_kv
from companion.ui.screens.sheets import button
from companion.ui.theme import look, t, u
from companion.ui.widgets import Figure, Panel, Pic, Row, SeatMark, Text, height_of
from companion.ui.words import _, say

load_kv("entry")

GAME = "sir-holland"


class EntryBody(BoxLayout):
    """Written out in entry.kv."""


class Entry(Screen):
    """See above. given: `rule`, the id; `trail`: the entries from which one came; `tab`: `words`, `picture` or `house`.

    At larger letters each of the three has the screen for itself.
    """

    name = "entry"

    def make(self) -> Any:
        body = EntryBody()
        self.parts = body.ids
        # ids are weak, and the words are taken away while another page is open
        self.main = body.ids.main.__self__
        return body

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        book = self.root.book
        rule = book.find(self.given.get("rule", "")) or book.rules[0]
        self.rule = rule
        # its number is for those who look it up
        self.tell(_(rule.title), f"{rule.id}. {_(rule.source)}")
        parts = self.parts
        parts.words.text = _(rule.text)
        parts.caption.text = _("Read with it") if look.text == "normal" else ""
        self._related(rule, book)
        self._pages(rule, book.switch(rule.switch) if rule.switch else None)
        parts.foot.clear_widgets()
        parts.foot.add_widget(button(_("Back"), self._back, icon="mark_undo", size_hint_x=0.6))
        room = 0 if look.text == "huge" else 2 if look.wide else 1
        for topic in self._topics(rule, book, now)[:room]:
            art = {"icon": topic.art} if topic.art.startswith(("action_", "mark_")) else {"art": topic.art}
            made = button(say(topic.title), lambda t=topic.id: self.root.open("rulebook", topic=t), px=18, **art)
            made.least = 13
            made.about = msg("What the rule book can be asked about. A short touch shows its entries.")
            parts.foot.add_widget(made)
        parts.foot.add_widget(button(_("Read it aloud"), self._aloud, lit=True, px=20))

    @staticmethod
    def _topics(rule: Rule, book: Rulebook, now: Snapshot | None) -> list[Topic]:
        """What a rule is about; the card that is being played first."""
        turn = now.view["turn"] if now is not None and now.view["phase"] == "resolve" else None
        card = f"action_{now.view['cards'][turn['seat']]}_" if now is not None and turn else "-"
        topics = [topic for topic in book.topics if topic.id in rule.topics]
        return sorted(topics, key=lambda topic: not topic.art.startswith(card))

    def _related(self, rule: Rule, book: Rulebook) -> None:
        """What to read with it: titles, the most asked first."""
        rows = self.parts.related
        rows.clear_widgets()
        # beside a picture the words have half of the screen
        halves = 2 if look.wide and look.text == "normal" and (rule.example or rule.switch) else 1
        most = 2 if halves == 2 or not look.wide else 3
        per_row = min(most, len(rule.related))
        for start in range(0, len(rule.related), per_row):
            row, beside = Row(), rule.related[start : start + per_row]
            for id in beside:
                other = book.find(id)
                assert other is not None
                made = button(_(other.title), lambda other=id: self._open(other), px=18, least=13)
                made.about = msg("An entry to read together with this one. A short touch opens it.")
                row.add_widget(made)
            rows.add_widget(row)
        rows.height = len(rows.children) * max(u(52), t(48)) + (len(rows.children) - 1) * rows.spacing

    @property
    def standing(self) -> Any:
        """How many entries deep one is: each was opened from another one."""
        return len(self.given.get("trail", ()))

    # --- beside the words -------------------------------------------------------------------------------------------

    def _pages(self, rule: Rule, switch: Switch | None) -> None:
        """The words with something beside them, or one of them with all the room."""
        parts, alone = self.parts, look.text != "normal"
        pages = [("words", _("The rule"))] if alone else []
        pages += [("picture", _("A picture"))] if rule.example else []
        pages += [("house", _("House rule"))] if switch else []
        names = [name for name, _text in pages]
        tab = self.given.get("tab")
        tab = tab if tab in names else names[0] if names else "words"
        parts.tabs.clear_widgets()
        parts.tabs.height = u(52) if len(pages) > 1 else 0
        for name, text in pages if len(pages) > 1 else ():
            made = button(text, lambda n=name: self._turn_to(n), px=18, least=13)
            made.edge = "act" if name == tab else "line"
            parts.tabs.add_widget(made)
        side = None
        if tab == "picture":
            side = picture(rule.example)
        elif tab == "house" and switch is not None:
            side = self._house_rule(switch)
        parts.middle.clear_widgets()
        if side is not None:
            parts.middle.add_widget(side)
        if side is None or not alone:
            parts.middle.add_widget(self.main)

    def _house_rule(self, switch: Switch) -> Any:
        """Its values, the one that this table plays with a tick."""
        rules = self.root.now.view["rules"] if self.root.now else self.root.settings.get("house_rules") or {}
        played = rules.get(switch.id, switch.values[0])
        panel = Panel(orientation="vertical", padding=(u(10), u(4)), spacing=u(6))
        ask = _(switch.text)
        panel.add_widget(Text(text=ask, px=20, least=13, bold=True, size_hint_y=1 + len(ask) / 60))
        for value, meaning in zip(switch.values, switch.meanings, strict=True):
            mine = value == played
            row = Panel(ground="ok_bg" if mine else "raised", edge="ok" if mine else "", padding=(u(10), u(6)))
            row.add_widget(Pic(art="mark_yes" if mine else "", tint="ok", size_hint_x=None, width=u(26)))
            row.add_widget(Text(text=_(meaning), px=18, least=13))
            row.size_hint_y = 2.2 + len(meaning) / 70
            panel.add_widget(row)
        return panel

    # --- touches ----------------------------------------------------------------------------------------------------

    def _open(self, id: str) -> None:
        self.root.open("entry", rule=id, trail=(*self.given.get("trail", ()), self.rule.id))

    def _back(self) -> None:
        *before, last = self.given.get("trail", ()) or ("",)
        if last:
            self.root.open("entry", rule=last, trail=tuple(before))
        else:
            self.root.back()

    def _turn_to(self, tab: str) -> None:
        self.root.flow.given["tab"] = tab
        self.update(self.root.now, None)

    def _aloud(self) -> None:
        self.root.send(SayThis((self.rule_message,)))

    @property
    def rule_message(self) -> Message:
        """The words of the entry."""
        return Message(self.rule.text)


def picture(example: Example) -> Any:
    """An example with what the rules say to it."""
    panel = Panel(orientation="vertical", padding=(u(8), u(8)), spacing=u(6))
    says = told(example)
    match example:
        case Order():
            ring = CardRing(seats=list(example.seats), gryphon=example.gryphon, cards=dict(example.cards))
            ring.disabled = True
            panel.add_widget(ring)
        case Final():
            panel.add_widget(_final(example))
        case _:
            tower = ExampleTower()
            tower.take(example)
            panel.add_widget(tower)
    if says.messages:
        panel.add_widget(_caption(says))
    return panel


def _caption(says: Told) -> Any:
    row = Row(size_hint_y=None)
    if says.kind:
        art, tint = ("mark_yes", "ok") if says.kind == "yes" else ("mark_no", "refuse")
        row.add_widget(Pic(art=art, tint=tint, size_hint_x=None, width=u(30)))
    # people of an example are colours: nobody at this table played so
    tell = words.elsewhere(GAME, {})
    text = Text(text=f"{_('Example:')} {' '.join(tell(m) for m in says.messages)}", px=18, least=12)
    row.add_widget(text)

    def grow(*_: Any) -> None:
        row.height = min(height_of(text.text, 18, max(text.width, u(60))), row.parent.height * 0.5)

    text.bind(width=grow)
    return row


def _final(example: Final) -> Any:
    """Where everybody's heroes are, and who holds the gryphon."""
    table = BoxLayout(orientation="vertical", spacing=u(6))
    for seat, levels in example.heroes.items():
        row = Row()
        row.add_widget(SeatMark(seat=seat, size_hint_x=None, width=u(38)))
        for number, level in enumerate(levels, start=1):
            row.add_widget(Figure(figure=f"{seat}.{number}", size_hint_x=None, width=u(38)))
            row.add_widget(Text(text=level_name(level), px=18, least=11, bold=True))
        row.add_widget(Pic(art="gryphon" if seat == example.gryphon else "", size_hint_x=None, width=u(34)))
        table.add_widget(row)
    return table


def level_name(level: int) -> str:
    """Where a hero is at the end."""
    return _("saved") if level == 6 else say(msg("level {n}", n=level))

