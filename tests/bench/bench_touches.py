"""Touches that a whole game takes on the screen, by kind: two seats, eight rounds, no device.

`python -m tests.bench.bench_touches`. The game is the recorded one of touches.txt; it is played with real touches on a
real window, by people who touch only what they see and who decide nothing else than what is recorded. Two figures:
`at ease`, by people who wait where the screen goes on by itself (no touch is left out otherwise), and `in a hurry`, by
people who touch wherever a touch would save them the waiting.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.ui.window import Screenful  # isort: skip  # sets what Kivy reads

from companion.games.sir_holland.state import VILLAINS, End, Explode, Fall, Hide, Rest
from companion.table import text
from companion.table.ports import Entry
from companion.table.session import Table
from companion.ui import words
from companion.ui.screens import cover
from tests.ui.engine import House

GOAL = 110
"""Touches at ease."""
GAME = Path(__file__).with_name("touches.txt")
FAR = 2000
"""Touches after which nothing will come of it any more."""
WAYS = {"Move": ("On foot", "By passage"), "Climb": ("Climb",), "UsePortal": ("By portal",)}
"""What the screen calls the ways to a square."""


class Recorded:
    """What was done in the recorded game, in its order, apart from the cards of each round."""

    def __init__(self) -> None:
        brought = text.read(GAME.read_bytes())
        self.seats = [s for s in ("red", "blue", "green", "yellow") if s in brought.names]
        self.names = brought.names
        self.opened = brought.entries[0].data
        table = Table.resume(_record(brought), _Nowhere()).table
        assert table is not None
        game = table.game
        self.acts: list[Any] = []
        self.cards: list[dict[str, int]] = []
        for entry in brought.entries[1:]:
            before = table.state_at(entry.seq - 1)
            if entry.kind == "event" and entry.data["what"] == "revealed":
                self.cards.append(entry.data["cards"])
            elif entry.kind == "step" and entry.data["seat"] is not None:
                self.acts.append(game.choice_from_json(before, entry.data["choice"]))
            elif entry.kind in ("take_back", "put_right"):
                self.acts.append(entry)
        self.last = game.view(table.state_at(brought.entries[-1].seq))


def _record(brought: text.Brought) -> Any:
    from companion.table.ports import Record

    return Record(1, brought.game, brought.names, brought.entries)


class _Nowhere:
    """A journal of a game that is only read."""

    def begin(self, *_: Any) -> int:
        return 1

    def append(self, *_: Any) -> None:
        pass


class People:
    """The recorded game's players, at a screen. Every touch is counted under what it was for."""

    def __init__(self, hurry: bool) -> None:
        self.hurry, self.touches, self.by_itself = hurry, Counter[str](), 0
        self.game = Recorded()
        self.house = House()
        self.s = Screenful(self.house)
        state = self.game.opened["state"]
        self.house.begin(self.game.seats, self.game.names, gryphon=state["gryphon"], tower=state["tower"])
        self.s.settle()

    def play(self) -> None:
        """From the first card to the winner."""
        while self.s.screen != "winner":
            assert sum(self.touches.values()) < FAR, f"no end; at {self.s.screen}"
            if self._goes_on() and not self.hurry:
                self.by_itself += 1
                self._wait()
            elif self.s.root.sheet is not None:
                {"Cover": self._cover, "AgreeSheet": self._agree}.get(type(self.s.root.sheet).__name__, self._sure)()
            else:
                getattr(self, f"_{self.s.screen}")()
        now = self.s.root.now.view
        for what in ("figures", "tower", "rests", "gryphon", "result"):
            assert now[what] == self.game.last[what], f"{what}: another game than the recorded one"

    # --- touching ---------------------------------------------------------------------------------------------------

    def touch(self, kind: str, widget: Any) -> None:
        self.touches[kind] += 1
        self.s.tap(widget)

    def square(self, kind: str, square: str) -> None:
        self.touches[kind] += 1
        self.s.square(square)

    def lit(self, kind: str) -> None:
        """What is bright is what is awaited."""
        (button,) = [b for b in self.s.buttons() if getattr(b, "lit", False) and getattr(b, "text", "")]
        self.touch(kind, button)

    def button(self, kind: str, *texts: str) -> None:
        said = [words._(text) for text in texts]
        self.touch(kind, next(b for b in self.s.buttons() if getattr(b, "text", "") in said))

    def figure(self, kind: str, figure: str) -> None:
        self.touch(kind, next(b for b in self.s.buttons() if getattr(b, "figure", "") == figure))

    def _goes_on(self) -> bool:
        """Whether the screen says that it goes on by itself."""
        now = self.s.root.now
        held = now.held is not None and self.s.screen == "choose" and self.s.root.sheet is None
        return held or bool(self.s.all(lambda w: getattr(w, "runs", False)))

    def _wait(self) -> None:
        if self.s.root.now.held is not None:
            # the time of the held lock is the engine's, whose thread does not run here
            self.house.engine.reveal()
            self.s.settle()
        else:
            seq = self.s.root.now.seq
            self.s.run_down()
            self._done(seq)

    # --- choosing ---------------------------------------------------------------------------------------------------

    def _choose(self) -> None:
        view = self.s.root.now.view
        if self.s.root.now.held is not None:
            self.button("reveal", "Reveal")
            return
        if self._other("choose"):
            return
        seat = next(s for s in self.game.cards[view["round"] - 1] if s not in view["locked"])
        self.touch("choose here", self.s.root.screen.panels[seat].ids.act)

    def _cover(self) -> None:
        sheet = self.s.root.sheet
        if getattr(sheet, "finished", False):
            self.touches["card is laid, go on"] += 1
            self.s.touch(self.s.root.width / 2, self.s.root.height / 2)
        elif not sheet.is_open:
            self.touches["hold the cover"] += 1
            self.s.open_cover()
        elif not sheet.picked:
            card = self.game.cards[self.s.root.now.view["round"] - 1][sheet.seat]
            self.touch("card", sheet.cards[card - 1])
        else:
            self.touch("lock in", sheet.lock)

    def _reveal(self) -> None:
        self.touch("go to the first turn", self.s.root.screen.ids_.go)

    def _round_end(self) -> None:
        self.lit("round is over, go on")

    # --- a turn -----------------------------------------------------------------------------------------------------

    def _turn(self) -> None:
        screen = self.s.root.screen
        if screen.notice is not None:
            self._answer(screen.notice)
        elif screen.job is not None:
            self.lit("hands have done it")
        elif not self._other("turn"):
            self._act(screen, self.game.acts[0])

    def _other(self, _where: str) -> bool:
        """A take-back, or something put right."""
        act = self.game.acts[0]
        if not isinstance(act, Entry):
            return False
        if act.kind == "take_back":
            self.button("take back", "Take back", "Undo last turn")
            return True
        self.button("put right", "Put it right")
        return True

    def _act(self, screen: Any, act: Any) -> None:
        now, seq = self.s.root.now, self.s.root.now.seq
        match act:
            case End():
                self.button("end of a turn", "Nothing more, end my turn")
            case Rest():
                self.button("rest", "Rest")
            case Hide():
                self.figure("special", act.hero)
            case Explode() if screen.half is None:
                self.button("special", "Blow up a card")
            case Explode():
                self.square("square", act.at)
            case Fall():
                self.square("square", act.to)
            case _:
                figure = getattr(act, "hero", None) or act.villain
                if screen.picked == figure or self._went(screen, figure, act.path[-1]):
                    self.square("square", act.path[-1])
                else:
                    self.square("figure", now.view["figures"][figure])
        self._done(seq)

    @staticmethod
    def _went(screen: Any, figure: str, square: str) -> bool:
        """Whether the free square is lit with no figure picked up: one touch says that the hero went there."""
        free = square not in screen.tower.figures.values()
        return screen.picked is None and free and square in screen.tower.lit and figure not in VILLAINS

    def _done(self, seq: int) -> None:
        if self.s.root.now.seq != seq and self.game.acts:
            self.game.acts.pop(0)

    def _answer(self, notice: Any) -> None:
        seq, act = self.s.root.now.seq, self.game.acts[0]
        texts = {getattr(b, "text", "") for b in self.s.buttons()}
        figure = getattr(act, "hero", None) or getattr(act, "villain", None)
        figures = {b.figure for b in self.s.buttons() if getattr(b, "figure", "")}
        if isinstance(act, Entry):
            self.button("sure", "Yes, undo it", "Go on")
        elif figures and figure in figures and words._("All right, go on") not in texts:
            self.figure("which one", figure)
        elif any(words._(text) in texts for text in WAYS.get(type(act).__name__, ())):
            self.button("which way", *WAYS[type(act).__name__])
        elif anyway := texts & {words._("Go on all the same"), words._("End my turn all the same")}:
            self.button("sure", *anyway)
        else:
            self.lit("sure")
        self._done(seq)

    # --- agreeing, putting right ------------------------------------------------------------------------------------

    def _sure(self) -> None:
        seq = self.s.root.now.seq
        self.lit("sure")
        self._done(seq)

    def _agree(self) -> None:
        sheet, seq = self.s.root.sheet, self.s.root.now.seq
        if self._goes_on():
            # nobody can hurry it
            self._wait()
        elif sheet.missing:
            self.touch("agree: mark", sheet.marks[sheet.missing[0]])
        else:
            self.lit("agree: yes")
            self._done(seq)

    def _put_right(self) -> None:
        screen, wanted = self.s.root.screen, self.game.acts[0].data["after"]["figures"]
        here = screen.here.here["figures"]
        differs = [f for f in wanted if wanted[f] != here[f]]
        if not differs:
            self.button("put right", "This is right")
        elif screen.picked is None and screen.square is None:
            self.square("put right", here[differs[0]])
        elif screen.picked is None:
            self.figure("put right", differs[0])
        else:
            self.square("put right", wanted[differs[0]])
        if self.s.root.now.view["figures"] == wanted and isinstance(self.game.acts[0], Entry):
            self.game.acts.pop(0)


def count(hurry: bool = False) -> People:
    """Play the recorded game."""
    people = People(hurry)
    hold, cover.HOLD = cover.HOLD, 0.02
    try:
        people.play()
    finally:
        cover.HOLD = hold
        people.s.close()
    return people


def main() -> int:
    """Print all figures; 1 where the goal was missed."""
    ease = 0
    tell: Callable[[str], None] = print
    for hurry in (False, True):
        people = count(hurry)
        total = sum(people.touches.values())
        ease = ease or total
        how = "in a hurry" if hurry else "at ease"
        waited = "" if hurry else f", {people.by_itself} times it went on by itself (goal {GOAL})"
        tell(f"touches: {how}: {total}{waited}")
        for kind, n in people.touches.most_common():
            tell(f"touches:   {n:4d} {kind}")
    return int(ease > GOAL)


if __name__ == "__main__":
    sys.exit(main())
