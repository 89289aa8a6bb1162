"""`gryphon demo`: a whole game by scripted people through the real paths, told line by line in the terminal.

The first seat lays cards with NFC tags on a reader (our firmware on a pty), the second presses the buttons of a panel
(gpiozero's mock pins), the third touches the screen (touches posted into the inbox), the fourth has a reader again.
"""

from __future__ import annotations

import queue
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random

from companion.adapters.sqlite import open_store
from companion.border import Border, card_on
from companion.engine import Engine
from companion.games.base import Message, Refusal, msg
from companion.games.sir_holland import SirHolland
from companion.games.sir_holland.state import (
    CARDS,
    COLOURS,
    ROOF,
    SQUARES,
    VILLAINS,
    Choice,
    End,
    Fall,
    Lock,
    Move,
    MoveVillain,
    Rest,
    State,
    heroes,
    level,
)
from companion.table.ports import HEARD, Announcement, Begin, Bind, Outcome, Play, Reveal, Snapshot, Status
from companion.wording import Wording
from hardware.fake_pins import FakePanels
from hardware.fakes import FakeBoard
from hardware.nfc import Readers
from hardware.panel import Panels

PEOPLE = {
    "en": ("Ana", "Ben", "Clara", "Dan"),
    "pt": ("Ana", "Bruno", "Clara", "Davi"),
}
PATIENCE = 20.0
"""Seconds without any answer after which the demo gives up: something is broken then."""
WRONG_MOVES = 0.12
"""How often somebody first tries something that the rules refuse."""


class Stalled(Exception):
    """The table did not answer."""


class Voice:
    """The announcer of the demo: what everyone hears goes to a queue, and from there to the terminal."""

    def __init__(self) -> None:
        self.heard: queue.SimpleQueue[Announcement] = queue.SimpleQueue()

    def announce(self, what: Announcement) -> None:
        """Take one announcement."""
        self.heard.put(what)


def play(seats: int, seed: int, words: Wording, fast: bool = False, out: Callable[[str], None] | None = None) -> int:
    """Play one game of so many seats; gives the exit code. `out` takes the lines (default: standard output)."""
    with ExitStack() as stack:
        show = Show(seats, seed, words.lang, 0.0 if fast else 0.7, out or _print, stack)
        try:
            show.run()
        except Stalled:
            print("gryphon: " + words(msg("The demo got no answer from the table.")), file=sys.stderr)
            return 1
    return 0


def _print(line: str) -> None:
    print(line, flush=True)


class Show:
    """One demo: devices, engine and people."""

    def __init__(
        self, seats: int, seed: int, lang: str, pause: float, out: Callable[[str], None], stack: ExitStack
    ) -> None:
        self._rng = Random(seed)
        self._seats = COLOURS[:seats]
        self._names = dict(zip(self._seats, PEOPLE.get(lang, PEOPLE["en"]), strict=False))
        self._game = SirHolland()
        self._words = Wording(lang, self._game.term, self._names)
        self._pause = pause
        self._out = out
        self._voice = Voice()
        self._now: Snapshot | None = None
        self._told_at = 0.0
        self._lying: set[str] = set()
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="gryphon-demo-"))
        store, _ = open_store(Path(folder) / "gryphon.sqlite3")
        stack.callback(store.close)
        if not pause:
            store.change({"dwell": 0.0})
        self._by_reader = {s: n for n, s in enumerate(s for i, s in enumerate(self._seats) if i in (0, 3))}
        self._by_panel = {s: n for n, s in enumerate(s for i, s in enumerate(self._seats) if i == 1)}
        self._board = stack.enter_context(FakeBoard(readers=len(self._by_reader)))
        self._buttons = FakePanels()
        bound = {f"{self._board.board}/{n}": s for s, n in self._by_reader.items()}
        bound |= {f"gpio/{n}": s for s, n in self._by_panel.items()}
        border = Border(bound)
        self._engine = Engine(store, border, [self._voice], rng=Random(seed))
        readers = Readers(self._engine.hear, [str(self._board.port)])
        panels = Panels(self._engine.hear, self._buttons.wiring, pin_factory=self._buttons.factory)
        border.attach(readers, panels)
        self._engine.start()
        stack.callback(self._engine.close)
        stack.enter_context(readers)
        stack.enter_context(panels)

    # --- the evening ----------------------------------------------------------------------------------------------

    def run(self) -> None:
        """From the first card to the winner."""
        # a card laid before its reader is there would be no lock
        self._wait(lambda what: isinstance(what, Status) and what.key == self._board.board)
        for seat in self._by_reader:
            for card in CARDS:
                self._engine.post(Bind(_uid(seat, card), seat, card))
        self._introduce()
        self._engine.post(Begin(self._game.id, self._seats, self._names, {}))
        self._wait(_is_outcome)
        self._tower()
        while True:
            now = self._now
            assert now is not None
            if now.view["phase"] == "over":
                return
            if now.held:
                self._confirm(now)
            elif now.view["phase"] == "choose":
                self._lock_one(now)
            else:
                self._act(now)

    def _introduce(self) -> None:
        self._say(
            msg(
                "Sir Holland for {n}. Round the table to the left: {seats:seats}.",
                n=len(self._seats),
                seats=self._seats,
            )
        )
        for seat in self._seats:
            if seat in self._by_reader:
                how = msg("{seat:seat} ({colour:seat_colour}) lays cards on a reader.", seat=seat, colour=seat)
            elif seat in self._by_panel:
                how = msg("{seat:seat} ({colour:seat_colour}) presses buttons on a panel.", seat=seat, colour=seat)
            else:
                how = msg("{seat:seat} ({colour:seat_colour}) touches the screen.", seat=seat, colour=seat)
            self._say(how)

    def _tower(self) -> None:
        assert self._now is not None
        self._say(msg("The tower, top level first:"))
        for line in self._now.view["tower"]:
            self._out("    " + " ".join(line))

    # --- people ---------------------------------------------------------------------------------------------------

    def _lock_one(self, now: Snapshot) -> None:
        """One of those who are awaited locks in a card that suits the position."""
        seat = self._rng.choice([s for s, _ in now.awaited])
        cards = [c.card for c in now.choices if isinstance(c, Lock) and c.seat == seat]
        card = (
            self._rng.choice([c for c in cards if c != CARDS[-1]] or cards) if self._rng.random() < 0.75 else cards[-1]
        )
        if seat in self._by_reader:
            self._board.lay(self._by_reader[seat], _uid(seat, card))
        elif seat in self._by_panel:
            if self._pause and card == CARDS[-1]:
                self._hear_out()  # it may have been the button of their last rest
            self._press(self._by_panel[seat], card)
        else:
            self._engine.post(Play(Lock(seat, card), now.seen))
        self._wait(_is_outcome)
        if seat in self._by_reader:
            # the card comes off the reader again, which changes nothing
            self._board.lift(self._by_reader[seat])
            self._lying.add(card_on(f"{self._board.board}/{self._by_reader[seat]}"))

    def _hear_out(self) -> None:
        """People press when they have heard what is asked; who presses before that is taken to mean something else."""
        time.sleep(max(0.0, self._told_at + 1.1 * HEARD - time.monotonic()))

    def _press(self, panel: int, button: int) -> None:
        self._buttons.press(panel, button)
        time.sleep(0.08)
        self._buttons.release(panel, button)
        time.sleep(0.08)

    def _confirm(self, now: Snapshot) -> None:
        while self._lying:
            # a reader believes that a card is gone only after some looks
            self._wait(lambda what: isinstance(what, Status) and what.key in self._lying)
        self._engine.post(Reveal(now.seen))
        self._wait(_is_outcome)

    def _act(self, now: Snapshot) -> None:
        """The acting seat does what brings it most; now and then it first tries what the rules refuse."""
        state = self._game.state_from_json(dict(now.view))
        if self._rng.random() < WRONG_MOVES and (wrong := self._wrong(state, now)) is not None:
            self._say(msg("{seat:seat} tries something.", seat=wrong.seat))
            self._engine.post(Play(wrong, now.seen))
            self._wait(_is_outcome)
        choice = self._best(state, now)
        # in a hurry only what may follow at once: the rest is heard out first
        kinds = End | Rest | Fall if self._pause else End
        by_button = isinstance(choice, kinds) and not self._game.passes(state, choice)
        if by_button and choice.seat in self._by_panel:
            # the button of the card in play ends the turn or rests; a falling hero's owner picks with 1 and 2
            turn = now.view["turn"]
            button = turn["pending"]["to"].index(choice.to) + 1 if isinstance(choice, Fall) else turn["card"]
            if not isinstance(choice, End):
                self._hear_out()
            self._press(self._by_panel[choice.seat], button)
        else:
            self._engine.post(Play(choice, now.seen))
        self._wait(_is_outcome)

    def _best(self, state: State, now: Snapshot) -> Choice:
        scored = [(self._worth(state, c), self._rng.random(), i) for i, c in enumerate(now.choices)]
        choice: Choice = now.choices[max(scored)[2]]
        return choice

    def _worth(self, state: State, choice: Choice) -> float:
        """How much better a choice makes the place of its seat: own heroes high, those of others low."""
        after = state
        for event in self._game.decide(state, choice):
            after = self._game.apply(after, event)
        seat = choice.seat
        return (
            _height(after, seat)
            - _height(state, seat)
            - 0.4 * sum(_height(after, s) - _height(state, s) for s in state.seats if s != seat)
        )

    def _wrong(self, state: State, now: Snapshot) -> Choice | None:
        """A move that looks possible to somebody in a hurry, and is not."""
        turn = state.turn
        if turn is None or turn.pending:
            return None
        tries: list[Choice] = [
            Move(turn.seat, hero, (square,))
            for hero in heroes(turn.seat)
            for square in SQUARES
            if state.figures[hero] != ROOF and square[0] == state.figures[hero][0] and square != state.figures[hero]
        ]
        tries += [MoveVillain(turn.seat, v, (ROOF,)) for v in VILLAINS]
        tries += [Move(turn.seat, h, (state.figures[v],)) for h in heroes(turn.seat) for v in VILLAINS]
        self._rng.shuffle(tries)
        for choice in tries:
            try:
                self._game.decide(state, choice)
            except Refusal:
                return choice
        return None

    # --- telling --------------------------------------------------------------------------------------------------

    def _wait(self, wanted: Callable[[Announcement], bool]) -> None:
        """Tell everything that is announced until what is wanted comes."""
        while True:
            try:
                what = self._voice.heard.get(timeout=PATIENCE)
            except queue.Empty:
                raise Stalled from None
            self._tell(what)
            found = wanted(what)
            if isinstance(what, Status) and what.message is None:
                self._lying.discard(what.key)
            if found:
                return

    def _tell(self, what: Announcement) -> None:
        if isinstance(what, Outcome):
            self._now, self._told_at = what.now, time.monotonic()
            for message in what.messages:
                self._say(message, "  ✗ " if what.kind == "refused" else "")
            if what.refused:
                self._out(f"      [{what.refused.rule}]")
        elif isinstance(what, Status) and what.message is not None:
            self._say(what.message, "  ! ")

    def _say(self, message: Message, mark: str = "") -> None:
        self._out(mark + self._words(message))
        time.sleep(self._pause)


def _is_outcome(what: Announcement) -> bool:
    return isinstance(what, Outcome)


def _uid(seat: str, card: int) -> str:
    """The tag on a card: seven bytes, the last two say which card it is."""
    return f"04A1B200{COLOURS.index(seat):02X}00{card:02X}"


def _height(state: State, seat: str) -> float:
    return sum(level(state.figures[h]) + 3 * (state.figures[h] == ROOF) for h in heroes(seat))
