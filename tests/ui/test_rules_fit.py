"""The words of every rule fit the panel that refuses by it, in both languages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games import find_game
from companion.games.base import msg
from companion.table.ports import Status
from companion.ui import words
from companion.ui.screens.notice import LONG
from companion.ui.widgets import Text
from tests.ui import positions
from tests.ui.engine import House


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_every_rule_can_be_read_to_its_end(open_window, lang: str) -> None:
    house = House()
    s = open_window(house, lang)
    house.load(positions.turn(), positions.NAMES)
    # a line at the lower edge takes some of the room
    house.say(Status("reader", "device", msg("Round {n}.", n=7)))
    s.settle()
    s.square("a2")
    s.square("c2")
    screen, outcome = s.root.screen, house.last
    game = find_game("sir-holland")
    assert game is not None
    cut = []
    why = replace(outcome.refused, reading=True)
    screen.show_refusal(outcome, why, show_rule=True)
    for rule in game.rulebook.rules:
        if screen.notice.long or len(words._(rule.text)) > LONG:
            screen.show_refusal(outcome, replace(why, rule=rule.id), show_rule=True)
        else:
            # the panel of the rule before, with other words
            screen.notice.panel.head, screen.notice.panel.text = f"Rule {rule.id}", words._(rule.text)
        s.lay_out()
        cut += [(rule.id, w.text) for w in screen.notice.walk() if isinstance(w, Text) and w.text and not w.fits]
    assert not cut
