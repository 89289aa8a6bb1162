"""Ask the judge: three questions and the rule book, with or without a game."""

from __future__ import annotations

from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.games.base import msg
from companion.table.ports import Outcome, Snapshot
from companion.ui.screens.base import Screen, load_kv
from companion.ui.screens.rulebook import TopicTile
from companion.ui.screens.sheets import button
from companion.ui.words import _, say

load_kv("judge")

QUESTIONS = (
    ("judge_order", msg("Who goes first?"), msg("Cards and gryphon give the order."), {"icon": "mark_left"}),
    ("judge_may", msg("May I do this?"), msg("Tap a wish on the tower."), {"art": "hero_red"}),
    ("judge_winner", msg("Who won?"), msg("Heroes, levels and gryphon decide."), {"icon": "mark_yes"}),
    ("rulebook", msg("Rule book"), msg("By picture or by words."), {"icon": "mark_book"}),
)
"""Door, its name, what it does, its drawing."""


class JudgeBody(BoxLayout):
    """Written out in judge.kv."""


class Judge(Screen):
    """See above."""

    name = "judge"

    def make(self) -> Any:
        body = JudgeBody()
        for door, title, sub, art in QUESTIONS:
            tile = TopicTile(text=say(title), sub=say(sub), px=25, least=15, **art)
            tile.bind(on_release=lambda _, door=door: self.root.open(door))
            body.ids.tiles.add_widget(tile)
        body.ids.foot.add_widget(button(_("Back"), self.root.back, icon="mark_undo", size_hint_x=0.5))
        body.ids.foot.add_widget(Widget())
        return body

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        waits = _("The game waits. Nothing changes at your table.") if now else _("You can ask without a game, too.")
        self.tell(_("What shall I judge?"), waits)
