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
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, Protocol

from companion import pictures, settings, texts
from companion.border import DWELL, Border
from companion.games import find_game
from companion.games.base import BadForm, BadSetup, Json, Message, msg
from companion.hold import Hold
from companion.table import people, story
from companion.table.people import Person
from companion.table.ports import (
    Abandon,
    Announcement,
    Announcer,
    Assign,
    Begin,
    Bind,
    Branch,
    CardBox,
    Change,
    Do,
    Entry,
    Export,
    Exported,
    Forget,
    ForgetPerson,
    Hand,
    History,
    Home,
    Import,
    Insist,
    Journal,
    KeepPicture,
    Leave,
    ListCards,
    Listed,
    Listen,
    ListGames,
    ListOutputs,
    NotSaved,
    Outcome,
    Outline,
    People,
    PictureKept,
    Play,
    PutRight,
    Record,
    Resume,
    Reveal,
    Saved,
    SayAgain,
    SayThis,
    Show,
    Shown,
    Snapshot,
    Status,
    TakeBack,
    TellGame,
    TellPeople,
    Touched,
)
from companion.table.session import DEFAULT_MODE, Table
from companion.table.text import Brought, TextError

log = logging.getLogger(__name__)

RETRY = 10.0
"""Seconds between two tries of a reveal that could not be saved; a request of people is tried at once."""
_WRITES = {
    Begin: msg("The game has not begun: {why:message}"),
    Abandon: msg("The game has not ended: {why:message}"),
    Change: msg("The setting is not kept: {why:message}"),
    Assign: msg("The seat of the device is not kept: {why:message}"),
    Bind: msg("The card is not learned: {why:message}"),
    Forget: msg("The card is not forgotten: {why:message}"),
}
"""Requests that write, and what is said where they cannot."""

WAITING = 500
"""Signals of devices that may wait. So many come only from what is broken; people do not wait behind them."""
AT_ONCE = 10
"""Games whose line in the history is worked out before the table is served again: a second on a small machine."""


class Store(Journal, Protocol):
    """The journal, and what else the house keeps on disk."""

    def games(self) -> Sequence[Saved]:
        """All games, the one played last first."""
        ...

    def keep(self, outlines: Sequence[Outline]) -> None:
        """Keep what was worked out for that list."""
        ...

    def last_unfinished(self) -> Record | None:
        """The game to go on with."""
        ...

    def record(self, number: int) -> Record:
        """A game with all its entries."""
        ...

    def finish(self, number: int) -> None:
        """The game is over."""
        ...

    def abandon(self, number: int) -> None:
        """The game will not be played to its end."""
        ...

    def take_up(self, number: int) -> None:
        """An abandoned game is to be gone on with."""
        ...

    def bring(self, game: str, names: Mapping[str, str], entries: Sequence[Entry], started: str, state: str) -> int:
        """Take in a game that was played elsewhere; gives its number."""
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

    def unbind(self, uid: str) -> None:
        """Take it out."""
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


@dataclass(frozen=True, slots=True)
class _Done:
    """Work with files is done, or failed; `then` takes the answer, on the engine's thread."""

    answer: Any
    then: Callable[[Any], None]


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
        folder: Path | None = None,
        pictures: Path | None = None,
    ) -> None:
        """folder: where games lie as text files; pictures: where pictures of them go."""
        self._store = store
        self._folder = folder
        self._pictures = pictures
        self._files: tuple[str, ...] = ()
        self._border = border
        self._announcers = list(announcers)
        self._lost = list(lost)
        self._rng = rng or Random()
        self._clock = clock
        self._inbox: queue.SimpleQueue[tuple[float, Any]] = queue.SimpleQueue()
        self._table: Table | None = None
        self._sandbox: Table | None = None
        self._hold = Hold()
        self._unsaved: tuple[Message, ...] = ()
        self._complained = False
        self._deafened = False
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)

    def post(self, item: Any) -> None:
        """A request, or a Status to tell everyone, from any thread. Returns at once."""
        self._inbox.put((self._clock(), item))

    def hear(self, signal: Any) -> None:
        """A signal of a device, from the device's thread. Returns at once; where too many wait, it is not heard."""
        if self._inbox.qsize() < WAITING:
            self._deafened = False
            self._inbox.put((self._clock(), _Heard(signal)))
        elif not self._deafened:
            self._deafened = True
            log.error("more signals of devices than can be served: %s", type(signal).__name__)

    def add(self, announcer: Announcer, screen: bool = False) -> None:
        """One more announcer; before `start` only. screen: it says when people can see the held lock (`Shown`)."""
        self._announcers.append(announcer)
        self._hold.screen |= screen

    def start(self) -> None:
        """Open the house: what is saved is announced first."""
        self._thread.start()

    def close(self) -> None:
        """Serve what is in the inbox, put all lights out, then end."""
        self.post(None)
        self._thread.join(timeout=5)

    # --- the loop -------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        self._safely(self._open)
        while True:
            due = self._due()
            try:
                at, item = self._inbox.get(timeout=None if due is None else max(0.0, due - self._clock()))
            except queue.Empty:
                self.tick(self._clock())
                continue
            self.tick(at)
            if item is None:
                self._safely(self._border.dark)
                return
            self._safely(self.serve, item, at)

    def tick(self, now: float) -> None:
        """Do all that was due by that time: before what came later, which without a gap would put it off for ever."""
        while (due := self._due()) is not None and due <= now:
            if due == self._border.due():
                self._safely(self._rest, due)
            else:
                self._safely(self.reveal)

    def _open(self) -> None:
        self._border.learn(self._store.box())
        self._border.bind(self._places())
        self._set_dwell()
        self._go_home()

    def _safely(self, act: Callable[..., None], *args: Any) -> None:
        """A fault of ours must not take the table away from the players."""
        try:
            act(*args)
        except Exception:
            log.exception("could not be served: %s", type(args[0]).__name__ if args else "the start")

    def _due(self) -> float | None:
        """When the next thing happens by itself: a card has lain still for long enough, the held lock is revealed."""
        return min((at for at in (self._border.due(), self._reveals()) if at is not None), default=None)

    def _reveals(self) -> float | None:
        """When the held lock reveals by itself; None while nothing is held, or somebody sets devices up.

        A card that was laid before counts before: until then every seat may change.
        """
        if self._border.listens:
            return None
        over = self._hold.over(max(self._hold_seconds(), RETRY) if self._unsaved else self._hold_seconds())
        return None if over is None else max(over, self._border.last(over) or over)

    def serve(self, item: Any, at: float | None = None) -> None:
        """Serve one item of the inbox. On the engine's thread; where there is none (tests), on the caller's.

        at: when it came, by the engine's clock; None: now.
        """
        at = self._clock() if at is None else at
        match item:
            case _Heard(signal):
                self._signal(signal, at)
            case Shown(seq):
                self._hold.shown(seq, at)
            case Status():
                self._say(item)
            case _Done(answer, then):
                then(answer)
            case SayAgain() | SayThis() | ListOutputs():
                self._say(item)
            case Play() | Reveal() | TakeBack() | PutRight() | Insist() | Hand() | Do():
                self._request(item)
            case _:
                try:
                    self._house(item)
                except (BadForm, BadSetup, NotSaved) as error:
                    self._complained = True
                    told = _why(error)
                    if isinstance(error, NotSaved) and type(item) in _WRITES:
                        told = replace(_WRITES[type(item)], params={"why": told})
                    self._say(Status("house", "disk", told))
                else:
                    if type(item) in _WRITES:
                        self._calm()

    def _calm(self) -> None:
        """Something has been saved: what was said of the disk is over."""
        if self._complained:
            self._complained = False
            self._say(Status("house", "disk", None))

    def reveal(self) -> None:
        """The time of the held lock is over. That the disk still cannot write is not told twice."""
        self._hold.stop()
        table = self._sandbox or self._table
        if table is None:
            return
        outcome = table.request(Reveal())
        if outcome.kind == "not_saved" and outcome.messages == self._unsaved:
            self._hold.start(outcome.now.seq, self._clock())
        else:
            self._after(outcome)

    def _request(self, request: Any) -> None:
        table = self._sandbox or self._table
        if self._sandbox is not None and isinstance(request, Do):
            text = msg("A what-if is open, so cards and buttons do nothing. Leave it to go on with the game.")
            self._say(Status("what-if", "device", text))
        elif table is not None:
            outcome = table.request(request)
            self._after(outcome)
            if isinstance(request, Hand) and outcome.kind == "done" and not outcome.now.sandbox:
                self._remember({request.seat: outcome.now.names.get(request.seat, "")})

    def _after(self, outcome: Outcome) -> None:
        now = outcome.now
        if now.held is None:
            self._hold.stop()
        elif not self._hold.running or outcome.kind in ("done", "not_saved"):
            # a change while the lock is held gives everyone the full time again; so does a disk that cannot write
            self._hold.start(now.seq, self._clock())
        self._unsaved = outcome.messages if outcome.kind == "not_saved" else ()
        if outcome.kind == "done" and not now.sandbox:
            self._calm()
        self._say(outcome)
        if now.sandbox:
            return
        for status in self._border.outcome(outcome, self._clock()):
            self._say(status)
        self._devices()
        if self._table is not None and now.decision and outcome.kind == "done":
            self._finish(self._table.number)

    def _signal(self, signal: Any, at: float) -> None:
        now = self._table.snapshot() if self._table else None
        self._do(self._border.signal(signal, now, at))

    def _rest(self, at: float) -> None:
        """What lies on readers has come to rest."""
        now = self._table.snapshot() if self._table else None
        self._do(self._border.rest(now, at))

    def _do(self, answers: Sequence[Do | Status | Touched]) -> None:
        for answer in answers:
            if isinstance(answer, Status | Touched):
                self._say(answer)
            else:
                self._request(answer)
        self._devices()

    def _devices(self) -> None:
        """Say which devices there are, where that has changed."""
        if (status := self._border.news()) is not None:
            self._say(status)

    # --- the house ------------------------------------------------------------------------------------------------

    def _house(self, request: Any) -> None:
        match request:
            case Begin(game_id, seats, names, options):
                game = find_game(game_id)
                if game is None:
                    raise BadForm(msg('There is no game called "{name}" here.', name=game_id))
                table, outcome = Table.begin(game, self._store, seats, options, names, self._rng)
                self._set(table)
                self._sit_down(table)
                self._after(replace(outcome, now=table.snapshot()))
                self._remember(names, {"last_names": dict(names)})
            case Resume(number):
                table = self._reopened(number)
                self._take_up(number)
                self._sit_down(table)
                self._show(table)
            case Leave() if self._sandbox is not None and self._table is not None:
                self._close_sandbox()
                self._show(self._table)
            case Leave():
                self._get_up()
            case Abandon(number):
                self._store.abandon(number)
                if self._table is None or self._table.number == number:
                    self._get_up()
                self._tell_history()
            case TellPeople():
                self._tell_people()
            case ForgetPerson(name):
                last = {s: n for s, n in self._settings().get("last_names", {}).items() if n != name}
                change = {"people": people.to_json(people.without(self._people(), name)), "last_names": last}
                self._house(Change(change))
                self._tell_people()
            case ListGames():
                self._about_text(None)
                self._tell_history()
                if self._folder is not None:
                    self._apart(partial(texts.files, self._folder), self._found)
            case Export(number, lang):
                if self._folder is not None:
                    date, words = texts.words_of(self._store, number, lang)
                    write = partial(texts.write, self._folder, number, date, words)
                    self._apart(write, partial(self._exported, number))
            case KeepPicture(number, width, height, pixels):
                if self._pictures is not None:
                    date = texts.date_of(self._store, number)[:10]
                    write = partial(pictures.write, self._pictures, number, date, width, height, pixels)
                    self._apart(write, partial(self._picture_kept, number))
            case Import(path):
                self._apart(partial(texts.read, Path(path)), self._brought)
            case TellGame(number):
                self._say(story.tell(self._store.record(number)))
            case Branch(number, seq):
                sandbox = story.branch(self._store.record(number), seq)
                if sandbox is None:
                    raise _nothing_left(number)
                self._set(sandbox)
                self._sandbox = sandbox
                self._hold.stop()
                self._show(sandbox)
            case Change(changes):
                settings.check(changes)
                self._store.change(changes)
                self._say(Status("settings", "setting", None, self._settings()))
                if "dwell" in changes:
                    self._set_dwell()
                if changes.keys() & {"mode", "hold"}:
                    self._change_tables("mode" in changes)
                if "devices" in changes:
                    self._border.bind(self._places())
                    self._devices()
            case Bind(uid, owner, card):
                self._store.bind(uid, owner, card)
                self._learn()
                self._say(Status(f"tag {uid}", "tag", None))
            case Forget(uid):
                self._store.unbind(uid)
                self._learn()
            case ListCards():
                self._say(CardBox(self._store.box()))
            case Assign(changed):
                places = {**self._places(), **changed}
                self._house(Change({"devices": {d: s for d, s in places.items() if s is not None}}))
            case Listen(what):
                self._listen(what)
            case Show(device, pattern, sound):
                self._border.show(device, pattern, sound)
            case _:
                raise TypeError(request)

    def _learn(self) -> None:
        """The card box has changed."""
        box = self._store.box()
        self._border.learn(box)
        self._say(CardBox(box))

    def _places(self) -> dict[str, str]:
        """What people said of devices: device -> seat."""
        return dict(settings.value(self._store.settings(), "devices", {}))

    def _listen(self, what: str) -> None:
        """Devices are set up, or the table goes on: a lock that was held gets its full time again."""
        now = self._table.snapshot() if self._table else None
        for status in self._border.listen(what, now):
            self._say(status)
        if now is not None and self._hold.running:
            self._hold.start(now.seq, self._clock())

    def _sit_down(self, table: Table) -> None:
        """That game is on the table from now on."""
        self._close_sandbox()
        self._table = table
        self._border.seat(table.snapshot().view["seats"])

    def _get_up(self) -> None:
        """No game is on the table."""
        self._close_sandbox()
        self._table = None
        self._hold.stop()
        self._go_home()

    def _show(self, table: Table) -> None:
        """Announce a table as it stands."""
        now = table.snapshot()
        tasks: list[Message] = []
        for _seat, task in now.awaited:
            if task not in tasks:
                # "All cards are in. Reveal them?" is the task of every seat, and said once
                tasks.append(task)
        self._after(Outcome("done", now, tuple(tasks)))

    def _close_sandbox(self) -> None:
        if self._sandbox is not None:
            self._sandbox = None
            self._hold.stop()
            self._say(Status("what-if", "device", None))

    def _settings(self) -> dict[str, Json]:
        return settings.sound(self._store.settings())

    def _hold_seconds(self) -> float:
        return float(settings.value(self._store.settings(), "hold", settings.HOLD))

    def _set_dwell(self) -> None:
        self._border.dwell = float(settings.value(self._store.settings(), "dwell", DWELL))

    def _set(self, table: Table) -> None:
        """What the settings say of a table."""
        table.mode = str(settings.value(self._store.settings(), "mode", DEFAULT_MODE))
        table.hold = self._hold_seconds()

    def _change_tables(self, tell: bool) -> None:
        """It holds at once, and is told (`tell`) also where nobody touches anything."""
        for table in (self._table, self._sandbox):
            if table is not None:
                self._set(table)
        if tell and (at := self._sandbox or self._table) is not None:
            self._say(Outcome("nothing", at.snapshot()))

    def _go_home(self) -> None:
        saved: Snapshot | None = None
        number: int | None = None
        now = self._settings()
        if "people" not in now and (known := self._people()):
            now["people"] = people.to_json(known)
        record = self._store.last_unfinished()
        if record is not None and (table := self._reopen(record)) is not None:
            saved, number = table.snapshot(), record.number
            if saved.decision:
                # the plug was pulled between the last act and the mark that the game is over
                self._finish(number)
                saved = number = None
        self._say(Home(saved, number, now, now.get("last_names", {}), tuple(self._lost)))
        self._lost.clear()

    def _reopened(self, number: int) -> Table:
        table = self._reopen(self._store.record(number))
        if table is None:
            raise _nothing_left(number)
        return table

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
                "The end of the game could not be read (entries: {n}). It opens as it was before.",
                n=len(replayed.aside),
            )
            self._lost.append(text)
        table: Table | None = replayed.table
        if table is not None:
            self._set(table)
        return table

    def _tell_history(self) -> None:
        """All games, the latest first. Those that have to be worked out follow by and by: each costs a replay."""
        saved = self._store.games()
        missing = [s.number for s in saved if s.outline is None]
        at_once = AT_ONCE if self._thread.is_alive() else len(missing)
        fresh, kept = self._work_out(missing[:at_once])
        if missing[at_once:] and kept:
            self.post(_Done(None, lambda _: self._tell_history()))
        elif missing[at_once:]:
            # what cannot be kept would have to be worked out again and again
            fresh += self._work_out(missing[at_once:])[0]
        known = {o.number: o for o in (*fresh, *(s.outline for s in saved if s.outline))}
        games = tuple(listed(s, known[s.number]) for s in saved if s.number in known)
        self._say(History(games, self._files))

    def _work_out(self, numbers: Sequence[int]) -> tuple[list[Outline], bool]:
        """The outlines of games, and whether they could be kept."""
        outlines = [story.outline(self._store.record(number)) for number in numbers]
        try:
            if outlines:
                self._store.keep(outlines)
        except NotSaved:
            log.warning("the list of games could not be kept")
            return outlines, False
        return outlines, True

    def _apart(self, work: Callable[[], Any], then: Callable[[Any], None]) -> None:
        """Work with files on a thread of its own: a slow stick must not hold the table up."""

        def run() -> Any:
            try:
                return work()
            except (TextError, OSError) as error:
                return texts.why(error)

        if self._thread.is_alive():
            threading.Thread(target=lambda: self.post(_Done(run(), then)), name="files", daemon=True).start()
        else:
            then(run())

    def _found(self, files: tuple[str, ...] | Message) -> None:
        if isinstance(files, tuple) and files != self._files:
            self._files = files
            self._tell_history()

    def _exported(self, number: int, path: Path | Message) -> None:
        self._about_text(path if isinstance(path, Message) else None)
        if isinstance(path, Path):
            self._say(Exported(number, str(path)))

    def _picture_kept(self, number: int, path: Path | Message) -> None:
        why = msg("The picture is not kept: {why:message}", why=path) if isinstance(path, Message) else None
        self._say(Status("picture", "disk", why))
        if isinstance(path, Path):
            self._say(PictureKept(number, str(path)))

    def _brought(self, brought: Brought | Message) -> None:
        why = brought if isinstance(brought, Message) else None
        if isinstance(brought, Brought):
            try:
                texts.bring(self._store, brought)
            except NotSaved as error:
                why = error.reason
        self._about_text(why)
        if why is None:
            self._tell_history()

    def _about_text(self, why: Message | None) -> None:
        """Why a text could not be written or read, until the next one could."""
        self._say(Status("text", "disk", why))

    def _take_up(self, number: int) -> None:
        """An abandoned game is open again. Where the disk says no, it is with its next entry."""
        try:
            self._store.take_up(number)
        except NotSaved:
            log.warning("game %d is gone on with, but could not be marked so", number)

    def _finish(self, number: int) -> None:
        """Mark a game as over. Where the disk says no, it is marked the next time."""
        try:
            self._store.finish(number)
            if self._table is not None and self._table.number == number:
                self._store.keep([story.outline_of(self._table, number, self._table.snapshot().seq)])
        except NotSaved:
            log.warning("game %d is over, but could not be marked so", number)

    def _remember(self, sitting: Mapping[str, str], more: Mapping[str, Json] = MappingProxyType({})) -> None:
        """Who has sat down, and other settings. Less than a game: it must not be able to spoil the beginning of one."""
        assert self._table is not None
        known = people.seated(self._people(), sitting, self._table.number)
        change = {"people": people.to_json(known), **more}
        try:
            self._store.change(change)
        except NotSaved:
            log.warning("the names of this table could not be kept")
        else:
            self._say(Status("settings", "setting", None, self._settings()))

    def _people(self) -> tuple[Person, ...]:
        """Who plays at this table; before anybody was kept, those of the games that are saved."""
        kept = self._settings().get("people")
        if kept is not None:
            return people.from_json(kept)
        found: tuple[Person, ...] = ()
        for saved in reversed(self._store.games()):
            if saved.outline is not None:
                found = people.seated(found, saved.outline.names, 1)
        return found

    def _tell_people(self) -> None:
        """Games whose line of the history was never worked out are not counted: each costs a replay."""
        known = self._people()
        games = [saved.outline for saved in self._store.games() if saved.outline is not None]
        self._say(People(tuple(person.name for person in known), people.wins(known, games)))

    def _say(self, what: Announcement) -> None:
        for announcer in self._announcers:
            try:
                announcer.announce(what)
            except Exception:
                log.exception("%s could not announce", type(announcer).__name__)


def listed(saved: Saved, outline: Outline) -> Listed:
    """A game as people see it in the list."""
    state = "over" if outline.winner is not None else "abandoned" if saved.abandoned else "open"
    started = saved.started
    with suppress(ValueError, OverflowError):
        started = datetime.fromisoformat(started).astimezone().isoformat(timespec="seconds")
    return Listed(saved.number, saved.game, outline.names, started, state, outline.round, outline.winner)


def _nothing_left(number: int) -> BadForm:
    return BadForm(msg("Game {n} cannot be opened: none of its entries can be read.", n=number))


def _why(error: BadForm | BadSetup | NotSaved) -> Message:
    if isinstance(error, BadSetup):
        return error.faults[0].message
    return error.reason
