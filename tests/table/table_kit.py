"""A table on a real store, for the tests of this folder."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from random import Random

from companion.adapters.sqlite import open_store
from companion.games import find_game
from companion.games.base import Message
from companion.games.sir_holland.state import SQUARES, Lock, Move, Unlock
from companion.table.ports import MODES, Hand, Insist, NotSaved, Play, PutRight, Reveal, TakeBack
from companion.table.session import Table
from companion.wording import Wording

GAME = find_game("sir-holland")
SEATS = ("red", "blue", "green", "yellow")
FAST = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
"""Where files need no slow disk."""


class House:
    """A store in a folder of its own, and one game in it."""

    def __init__(self, seats=3, rules=None, seed=1, names=None, **options):
        self._folder = tempfile.TemporaryDirectory(dir=FAST)
        self.store, told = open_store(Path(self._folder.name) / "games")
        assert told == ()
        options = {"gryphon": SEATS[0], "rules": rules or {}, **options}
        self.table, self.opened = Table.begin(GAME, self.store, SEATS[:seats], options, names or {}, Random(seed))

    def close(self):
        self.store.close()
        self._folder.cleanup()

    # --- asking ---

    def ask(self, request):
        return self.table.request(request)

    def play(self, choice, seen=None):
        return self.ask(Play(choice, seen))

    def lock(self, seat, card, seen=None):
        return self.play(Lock(seat, card), seen)

    def unlock(self, seat, seen=None):
        return self.play(Unlock(seat), seen)

    def choose(self, **cards):
        """All lock in, and the cards are revealed."""
        for seat, card in cards.items():
            assert self.lock(seat, card).kind == "done"
        return self.ask(Reveal())

    # --- looking ---

    @property
    def state(self):
        return self.table._now.state

    @property
    def now(self):
        return self.table.snapshot()

    @property
    def entries(self):
        return self.store.record(self.table.number).entries

    @property
    def kinds(self):
        return [e.kind for e in self.entries]

    def resumed(self):
        """The same game out of the journal."""
        replayed = Table.resume(self.store.record(self.table.number), self.store)
        assert replayed.aside == ()
        replayed.table.mode = self.table.mode
        return replayed.table

    def same_after_resume(self):
        again = self.resumed()
        assert again._now == self.table._now
        assert again.snapshot() == self.table.snapshot()

    def break_journal(self, monkeypatch):
        """From now on nothing can be written."""

        def append(number, entries):
            raise NotSaved(Message("the disk is full."))

        monkeypatch.setattr(self.store, "append", append)


def say(outcome):
    return [Wording("en", GAME.term)(m) for m in outcome.messages]


def random_move(state, rng):
    """A step of a hero of the acting seat, mostly one that the rules refuse."""
    seat = state.turn.seat
    return Move(seat, f"{seat}.{rng.randint(1, 2)}", (rng.choice(SQUARES),))


def random_request(house, rng):
    """What somebody at the table may do next: mostly play, sometimes take back, put right, insist or change a lock.

    Now and then somebody else sits down, or the setting for the referee changes.
    """
    table, now = house.table, house.now
    if rng.random() < 0.03:
        return Hand(rng.choice(house.state.seats), rng.choice(("", "Ana", "Bia")))
    if rng.random() < 0.03:
        table.mode = rng.choice(MODES)
    dice = rng.random()
    locked = list(house.state.locks) + ([now.held] if now.held else [])
    if now.held and dice < 0.5:
        return Reveal()
    if locked and dice < 0.75:
        seat = rng.choice(locked)
        return Play(rng.choice([Unlock(seat), *(Lock(seat, c) for c in house.state.hands[seat])]))
    if dice < 0.80 and now.undo:
        return TakeBack(now.undo.seat, agreed=now.undo.seat is None)
    if dice < 0.82:
        return PutRight({"gryphon": rng.choice(house.state.seats)})
    if dice < 0.83:
        rules = {"rope_down": rng.choice(("on", "off"))}
        return PutRight({"rules": now.view["rules"] | rules}, rng.choice((tuple(house.state.seats), ())))
    if dice < 0.88 and house.state.turn:
        return rng.choice((Play, Insist))(random_move(house.state, rng))
    choices = now.choices or [Reveal()]
    choice = rng.choice(choices)
    return choice if isinstance(choice, Reveal) else Play(choice)
