"""One thread, one inbox: hands requests to the table and outcomes to the announcers.

Devices, screens and networks only post here. Nothing outside can delay the table: an announcer takes an announcement
into its own queue and returns, and one that fails is logged by name.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from companion.border import Border
from companion.games import find_game, form
from companion.games.base import BadForm, BadSetup, Json, Message, msg
from companion.table.ports import (
    Announcement,
    Announcer,
    Begin,
    Bind,
    Change,
    Do,
    Entry,
    Home,
    Insist,
    Journal,
    Leave,
    NotSaved,
    Outcome,
    Play,
    PutRight,
    Record,
    Resume,
    Reveal,
    SayAgain,
    Snapshot,
    Status,
    TakeBack,
)
from companion.table.session import Table
from companion.wording import languages

log = logging.getLogger(__name__)

HOLD = 3.0
"""Seconds that the last lock is held before the cards are revealed by themselves; the setting `hold` changes it."""
LONGEST_HOLD = 3600.0


class Store(Journal, Protocol):
    """The journal, and what else the house keeps on disk."""

    def last_unfinished(self) -> Record | None:
        """The game to go on with."""
        ...

    def record(self, number: int) -> Record:
        """A game with all its entries."""
        ...

    def finish(self, number: int) -> None:
        """The game is over."""
        ...

    def set_aside(self, number: int, entries: Sequence[Entry]) -> None:
        """Keep entries that cannot be replayed, out of the way."""
        ...

    def box(self) -> Mapping[str, tuple[str, int]]:
        """The card box: UID -> seat and card."""
        ...

    def bind(self, uid: str, owner: str, card: int) -> None:
        """Put a tag into the card box."""
        ...

    def settings(self) -> dict[str, Json]:
        """The players' settings."""
        ...

    def change(self, settings: Mapping[str, Json]) -> None:
        """Change some of them."""
        ...


@dataclass(frozen=True, slots=True)
class _Heard:
    """What a device reported, apart from what people ask."""

    signal: Any


class Engine:
    """The table's thread. `post` is the only way in, from any thread."""

    def __init__(
        self,
        store: Store,
        border: Border,
        announcers: Sequence[Announcer] = (),
        lost: Sequence[Message] = (),
        rng: Random | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._border = border
        self._announcers = list(announcers)
        self._lost = list(lost)
        self._rng = rng or Random()
        self._clock = clock
        self._inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._table: Table | None = None
        self._held_since: float | None = None
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)

    def post(self, item: Any) -> None:
        """A request, or a Status to tell everyone, from any thread. Returns at once."""
        self._inbox.put(item)

    def hear(self, signal: Any) -> None:
        """A signal of a device, from the device's thread. Returns at once."""
        self._inbox.put(_Heard(signal))

    def add(self, announcer: Announcer) -> None:
        """One more announcer; before `start` only."""
        self._announcers.append(announcer)

    def start(self) -> None:
        """Open the house: what is saved is announced first."""
        self._thread.start()

    def close(self) -> None:
        """Serve what is in the inbox, then end."""
        self._inbox.put(None)
        self._thread.join(timeout=5)

    # --- the loop -------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        self._safely(self._open)
        while True:
            try:
                item = self._inbox.get(timeout=self._patience())
            except queue.Empty:
                item = Reveal()
            if item is None:
                return
            self._safely(self._serve, item)

    def _open(self) -> None:
        self._border.learn(self._store.box())
        self._go_home()

    def _safely(self, act: Callable[..., None], *args: Any) -> None:
        """A fault of ours must not take the table away from the players."""
        try:
            act(*args)
        except Exception:
            log.exception("could not be served: %s", " ".join(type(a).__name__ for a in args) or "the start")

    def _patience(self) -> float | None:
        """Seconds until the held lock reveals by itself; None while nothing is held."""
        if self._held_since is None:
            return None
        hold = self._store.settings().get("hold", HOLD)
        if not _is_hold(hold):
            hold = HOLD
        return max(0.0, self._held_since + float(hold) - self._clock())

    def _serve(self, item: Any) -> None:
        match item:
            case _Heard(signal):
                self._signal(signal)
            case Status():
                self._say(item)
            case Begin() | Resume() | Leave() | Change() | Bind():
                try:
                    self._house(item)
                except (BadForm, BadSetup, NotSaved) as error:
                    self._say(Status("house", "disk", _why(error)))
            case SayAgain():
                self._say(item)
            case Play() | Reveal() | TakeBack() | PutRight() | Insist() | Do():
                self._request(item)
            case _:
                raise TypeError(item)

    def _request(self, request: Any) -> None:
        if self._table is None:
            return
        outcome = self._table.request(request)
        self._after(outcome)

    def _after(self, outcome: Outcome) -> None:
        now = outcome.now
        if now.held is None:
            self._held_since = None
        elif self._held_since is None or outcome.kind in ("done", "not_saved"):
            # a change while the lock is held gives everyone the full time again; so does a disk that cannot write
            self._held_since = self._clock()
        self._say(outcome)
        for status in self._border.outcome(outcome):
            self._say(status)
        if self._table is not None and now.decision and outcome.kind == "done":
            self._finish(self._table.number)

    def _signal(self, signal: Any) -> None:
        now = self._table.snapshot() if self._table else None
        since_held = 0.0 if self._held_since is None else self._clock() - self._held_since
        for answer in self._border.signal(signal, now, since_held):
            if isinstance(answer, Status):
                self._say(answer)
            else:
                self._request(answer)

    # --- the house ------------------------------------------------------------------------------------------------

    def _house(self, request: Any) -> None:
        match request:
            case Begin(game_id, seats, names, options):
                game = find_game(game_id)
                if game is None:
                    raise BadForm(msg('There is no game called "{name}" here.', name=game_id))
                self._table, outcome = Table.begin(game, self._store, seats, options, names, self._rng)
                self._border.seat(seats)
                self._say(Status("house", "disk", None))
                self._after(outcome)
                self._remember(names)
            case Resume(number):
                table = self._reopen(self._store.record(number))
                if table is None:
                    raise BadForm(msg("Game {n} cannot be opened: none of its entries can be read.", n=number))
                self._table = table
                now = table.snapshot()
                self._border.seat(now.view["seats"])
                self._after(Outcome("done", now, tuple(m for _, m in now.awaited)))
            case Leave():
                self._table = None
                self._held_since = None
                self._go_home()
            case Change(settings):
                _check(settings)
                self._store.change(settings)
                self._say(Status("settings", "setting", None, self._store.settings()))
            case Bind(uid, owner, card):
                self._store.bind(uid, owner, card)
                self._border.learn(self._store.box())
                self._say(Status(f"tag {uid}", "tag", None))

    def _go_home(self) -> None:
        saved: Snapshot | None = None
        number: int | None = None
        settings = self._store.settings()
        record = self._store.last_unfinished()
        if record is not None and (table := self._reopen(record)) is not None:
            saved, number = table.snapshot(), record.number
            if saved.decision:
                # the plug was pulled between the last act and the mark that the game is over
                self._finish(number)
                saved = number = None
        self._say(Home(saved, number, settings, settings.get("last_names", {}), tuple(self._lost)))
        self._lost.clear()

    def _reopen(self, record: Record) -> Table | None:
        """A saved game; what cannot be replayed is set aside and named."""
        replayed = Table.resume(record, self._store)
        if replayed.aside:
            first = replayed.aside[0]
            log.warning("game %d: entry %d set aside: %s", record.number, first.entry.seq, first.reason)
            try:
                self._store.set_aside(record.number, [s.entry for s in replayed.aside])
            except NotSaved as error:
                self._lost.append(error.reason)
            text = msg(
                "The last {n} entries of the game could not be read. It opens as it was before them.",
                n=len(replayed.aside),
            )
            self._lost.append(text)
        table: Table | None = replayed.table
        return table

    def _finish(self, number: int) -> None:
        """Mark a game as over. Where the disk says no, it is marked the next time."""
        try:
            self._store.finish(number)
        except NotSaved:
            log.warning("game %d is over, but could not be marked so", number)

    def _remember(self, names: Mapping[str, str]) -> None:
        """Who sat here last. Less than a game: it must not be able to spoil the beginning of one."""
        try:
            self._store.change({"last_names": dict(names)})
        except NotSaved:
            log.warning("the names of this table could not be kept")

    def _say(self, what: Announcement) -> None:
        for announcer in self._announcers:
            try:
                announcer.announce(what)
            except Exception:
                log.exception("%s could not announce", type(announcer).__name__)


def _is_hold(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= LONGEST_HOLD


def _check(settings: Mapping[str, Json]) -> None:
    """Settings that this house knows, with values that they can have; raises BadForm."""
    for name, value in settings.items():
        fits = {
            "lang": lambda v: isinstance(v, str) and v in languages(),
            "voice": lambda v: isinstance(v, bool),
            "hold": _is_hold,
        }.get(name)
        if fits is None:
            raise form.unknown("settings", name)
        if not fits(value):
            raise form.unknown(name, value)


def _why(error: BadForm | BadSetup | NotSaved) -> Message:
    if isinstance(error, BadSetup):
        return error.faults[0].message
    return error.reason
