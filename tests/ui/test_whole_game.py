"""A whole game by touches alone: somebody who only touches what is there, at random but towards the roof."""

from __future__ import annotations

import time
from random import Random
from typing import Any

import pytest

from companion.games.sir_holland.state import VILLAINS, End
from companion.table.ports import Outcome
from companion.ui import words
from companion.ui.screens import cover
from tests.ui.engine import House


class Player:
    """Plays for everybody. Asks the table nothing; looks at the screen and touches it."""

    def __init__(self, screenful: Any, seed: int) -> None:
        self.s = screenful
        self.rng = Random(seed)
        self.seen: set[str] = set()

    def play(self, most: float) -> None:
        end = time.monotonic() + most
        while self.s.screen != "winner":
            assert time.monotonic() < end, f"no winner in time; at {self.s.screen}"
            self.seen.add(self.s.screen)
            getattr(self, self.s.screen)()
        self.s.settle()

    def start(self) -> None:
        self.s.press("New game")

    def seats(self) -> None:
        self.s.press("This is us")

    def tower(self) -> None:
        for _ in range(5):
            self.s.tap(next(b for b in self.s.buttons() if getattr(b, "lit", False)))
        self.s.press("Begin the game")

    def choose(self) -> None:
        screen = self.s.root.screen
        if self.s.root.now.held:
            self.s.press("Reveal")
            return
        panel = next(p for p in screen.panels.values() if not p.locked)
        self.s.tap(panel.ids.act)
        while self.s.root.sheet is not None:
            # the screen goes from seat to seat
            self._card()
        assert self.s.root.now.held or self.s.root.now.view["phase"] != "choose"

    def _card(self) -> None:
        sheet = self.s.root.sheet
        self.s.open_cover()
        held = [card for card in sheet.cards if not card.used]
        # every second round a rest, so that the game ends: after two rests of everyone comes the last round
        rest = self.s.root.now.view["round"] % 2 == 0
        self.s.tap(self.rng.choice([card for card in held if (card.number == 7) == rest]))
        self.s.tap(sheet.lock)

    def reveal(self) -> None:
        self.s.tap(self.s.root.screen.ids_.go)

    def round_end(self) -> None:
        self.s.press("Done, next round")

    def turn(self) -> None:
        screen, now = self.s.root.screen, self.s.root.now
        turn = now.view["turn"]
        if screen.notice is not None or screen.job is not None:
            lit = [b for b in self.s.buttons() if getattr(b, "lit", False) and b.text]
            able = [b for b in self.s.buttons() if getattr(b, "text", "")]
            self.s.tap((lit or able)[0])
        elif turn["pending"]:
            self.s.square(turn["pending"]["to"][0])
        elif turn["card"] == 7:
            self.s.press("Rest")
        elif all(isinstance(c, End) for c in now.choices):
            self.s.press("Nothing more, end my turn")
        else:
            self._move(screen)

    def _move(self, screen: Any) -> None:
        tower = screen.tower
        if screen.picked is None:
            lit = sorted(tower.lit)
            heroes = [s for s in lit if any(f not in VILLAINS for f in screen.others(s))]
            if not (heroes or lit):
                self._special()
                return
            self.s.square(self.rng.choice(heroes or lit))
            return
        lit = sorted(tower.lit, key=lambda s: 6 if s == "roof" else int(s[1]))
        here = tower.figures[screen.picked]
        higher = [s for s in lit if s == "roof" or int(s[1]) > int(here[1])]
        if higher:
            self.s.square(higher[-1])
        elif self.rng.random() < 0.5:
            self.s.square(self.rng.choice(lit))
        else:
            self.s.press("Nothing more, end my turn")

    def _special(self) -> None:
        special = [
            b for b in self.s.buttons() if getattr(b, "text", "") in (words._("Hide"), words._("Blow up a card"))
        ]
        if special and self.rng.random() < 0.5:
            self.s.tap(special[0])
            if self.s.root.screen.half == "explode":
                self.s.square(self.rng.choice(sorted(self.s.root.screen.tower.lit)))
        else:
            self.s.press("Nothing more, end my turn")


@pytest.fixture(autouse=True)
def _short_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cover, "HOLD", 0.02)


@pytest.mark.slow
@pytest.mark.parametrize(("lang", "seed"), [("en", 1), ("pt", 2)])
def test_a_whole_game_by_touch(open_window, lang: str, seed: int) -> None:
    house = House(seed)
    screenful = open_window(house, lang)
    screenful.draws = lang == "en"  # once with all frames drawn is enough
    house.open()
    screenful.settle()
    player = Player(screenful, seed)
    player.play(most=300)
    outcome = screenful.root.news
    assert isinstance(outcome, Outcome)
    winner = outcome.now.view["result"]["winner"]
    assert words.name(winner) in screenful.root.screen.head.sentence
    assert {"start", "seats", "tower", "choose", "reveal", "turn", "round_end"} <= player.seen
    screenful.press("Play again")
    assert screenful.screen == "tower"
