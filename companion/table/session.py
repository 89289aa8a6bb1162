"""One game in progress: decide, apply to a candidate, append, swap, tell. Pure but for the journal it is given.

Every request gives exactly one Outcome. Nothing is swapped or told before all entries of the request are synced.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from companion.games import find_game
from companion.games.base import BadForm, BadSetup, Game, Gesture, Json, Message, Pressed, Refusal, msg
from companion.table import judging, telling
from companion.table.names import check as check_name
from companion.table.ports import (
    HEARD,
    Do,
    Entry,
    Hand,
    Insist,
    Journal,
    NotSaved,
    Outcome,
    Play,
    PutRight,
    Record,
    Refused,
    Replayed,
    Request,
    Reveal,
    Salvage,
    Seen,
    Snapshot,
    TakeBack,
    Undo,
)

DEFAULT_MODE = "coach"


@dataclass(frozen=True, slots=True)
class UndoStep:
    """An act that can be taken back. seat: whose (None: everyone's); to: the entry to go back to.

    events: what the game made of it, and the state that it led to; or, where the table was put right, told: in words.
    earlier: the act before it, so that the steps are a linked list: all positions of a game share them. A tuple in each
    position would grow with the square of the game.
    """

    seat: str | None
    to: int
    events: tuple[Any, ...] = ()
    after: Any = None
    told: tuple[Message, ...] = ()
    earlier: UndoStep | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Position:
    """Where a table stands; frozen, so that a failed append is harmless.

    names: who sits where; free: the seats that somebody gave up; held: the choice that waits for the reveal; last: the
    act that a take-back undoes.
    """

    state: Any
    seq: int
    names: Mapping[str, str]
    free: tuple[str, ...] = ()
    held: Any = None
    last: UndoStep | None = None

    def handed(self, seat: str, name: str) -> Position:
        """With somebody else at a seat, or nobody."""
        names = {s: n for s, n in self.names.items() if s != seat} | ({seat: name} if name else {})
        free = tuple(s for s in self.free if s != seat) + (() if name else (seat,))
        return replace(self, names=names, free=free)


class Table:
    """A game with its journal. `number` is the game's number there; sandbox: a what-if.

    mode: of the referee (ports.MODES). It says what becomes of a refused choice; what is refused, the game decides.
    """

    def __init__(self, game: Game[Any, Any, Any], journal: Journal, number: int, position: Position) -> None:
        self.game = game
        self.number = number
        self.mode = DEFAULT_MODE
        self.hold = 0.0
        self.sandbox = False
        self._journal = journal
        self._now = position
        self._states: dict[int, Any] = {position.seq: position.state}
        self._asked: int | None = None  # the entry at which it was asked whether a turn is to end already
        self._acted: tuple[int, Gesture] | None = None  # the entry to which a gesture led, and which

    @classmethod
    def begin(
        cls,
        game: Game[Any, Any, Any],
        journal: Journal,
        seats: Sequence[str],
        options: Mapping[str, Json],
        names: Mapping[str, str],
        rng: Random,
    ) -> tuple[Table, Outcome]:
        """A new game. Raises BadForm, BadSetup or NotSaved; then there is none."""
        for name in names.values():
            check_name(name)
        events = game.open(seats, options, rng)
        state = None
        for event in events:
            state = game.apply(state, event)
        entries = [Entry(i, "event", game.event_to_json(e, private=True)) for i, e in enumerate(events, start=1)]
        number = journal.begin(game.id, names, entries)
        table = cls(game, journal, number, Position(state, len(entries), dict(names)))
        told = tuple(game.tell(None, events, state))
        return table, Outcome("done", table.snapshot(), told, tuple(game.event_to_json(e) for e in events))

    @classmethod
    def resume(cls, record: Record, journal: Journal) -> Replayed:
        """A table as it stood, request by request, up to the last one that can be replayed whole."""
        game = find_game(record.game)
        if game is None or not record.entries:
            return Replayed(None, tuple(Salvage(e, "unknown game") for e in record.entries))
        table = cls(game, journal, record.number, Position(None, 0, dict(record.names)))
        positions = [table._now]
        whole = (0, 0)
        reason = "the rest of its request is missing"
        for entry in record.entries:
            try:
                if entry.seq != table._now.seq + 1:
                    raise ValueError(f"entry {table._now.seq + 1} is missing")
                table._replay(entry)
                if entry.kind == "step":
                    whole = table._request_of(entry)
            except Exception as error:  # noqa: BLE001  a damaged or foreign entry may set off anything
                reason = f"{type(error).__name__}: {error}"
                break
            positions.append(table._now)
        good = len(positions) - 1
        if good < whole[1]:
            good = whole[0]
        while good and not table._stands(positions[good]):
            good -= 1
        table._now = positions[good]
        aside = tuple(Salvage(e, reason) for e in record.entries[good:])
        return Replayed(table if good else None, aside)

    def _request_of(self, step: Entry) -> tuple[int, int]:
        """The last entries before and of the request that a step belongs to."""
        first = self._before_lock(step) if step.data["seat"] is None else step.seq - 1
        return first, step.seq + int(step.data["events"])

    def _stands(self, position: Position) -> bool:
        """Whether a game can go on from there, or is over: no position between the events of one request can."""
        game, state = self.game, position.state
        if position.held is not None:
            try:
                return self._is_last(state, position.held)
            except Refusal:
                return False
        return bool(game.awaited(state) or game.result(state))

    # --- what can be asked ----------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """All that a screen may know."""
        game, now = self.game, self._now
        view = game.view(now.state)
        choices = tuple(game.choices(now.state))
        awaited = tuple(game.awaited(now.state))
        held = None
        if now.held is not None:
            held = now.held.seat
            view = view | {"locked": sorted({*view["locked"], held})}
            choices = ()
            awaited = tuple((s, msg("All cards are in. Reveal them?")) for s in now.state.seats)
        result = game.result(now.state)
        return Snapshot(
            game=game.id,
            seq=now.seq,
            moment=game.moment(now.state),
            view=view,
            choices=choices,
            awaited=awaited,
            names=now.names,
            held=held,
            hold=self.hold if held is not None else 0.0,
            undo=self._undo(),
            decision=result.steps if result else (),
            number=self.number,
            mode=self.mode,
            free=now.free,
            sandbox=self.sandbox,
        )

    def state_at(self, seq: int) -> Any:
        """The state after an entry."""
        return self._states[seq]

    def _undo(self) -> Undo | None:
        """What a take-back would undo. Once somebody has locked in, it is everyone's matter."""
        step = self._now.last
        if step is None:
            return None
        told = step.told or self.game.tell(self._states[step.to], step.events, step.after)
        return Undo(None if self._has_locks() else step.seat, tuple(told))

    def request(self, request: Request) -> Outcome:
        """Serve one request."""
        try:
            match request:
                case Play(choice, seen):
                    return self._play(choice, seen)
                case Do(gesture, since):
                    return self._gesture(gesture, since >= HEARD)
                case Reveal(seen):
                    return self._reveal(seen)
                case TakeBack(seat, agreed, seen):
                    return self._take_back(seat, agreed, seen)
                case PutRight(changes, agreed):
                    return self._put_right(changes, agreed)
                case Insist(choice, seen, agreed):
                    return self._insist(choice, seen, agreed)
                case Hand(seat, name):
                    return self._hand(seat, " ".join(name.split()))
        except Refusal as refusal:
            return self._refused(refusal, None)
        except NotSaved as error:
            text = msg("Not saved: {why:message} Nothing has changed.", why=error.reason)
            return Outcome("not_saved", self.snapshot(), (text,))

    # --- choices --------------------------------------------------------------------------------------------------

    def _play(self, choice: Any, seen: Seen | None) -> Outcome:
        if seen is not None and self._is_stale(seen, self.game.commutes(choice)):
            return self._stale()
        try:
            return self._accept(choice)
        except Refusal as refusal:
            if self.mode == "silent" and (changes := self._may_stand(choice)) is not None:
                return self._put_right(changes, (), choice, refusal.rule)
            return self._refused(refusal, choice)

    def _is_stale(self, seen: Seen, commutes: bool) -> bool:
        """Locks of different seats commute, so only another round or phase makes them stale; any entry does else."""
        return seen.moment != self.game.moment(self._now.state) or (not commutes and seen.seq != self._now.seq)

    def _stale(self) -> Outcome:
        text = msg("The table has moved on since you touched. Look again, then touch again.")
        return Outcome("stale", self.snapshot(), (text,))

    def _accept(self, choice: Any) -> Outcome:
        if self.game.commutes(choice):
            return self._choose(choice)
        events = self.game.decide(self._now.state, choice)
        return self._act(choice.seat, events, self.game.choice_to_json(choice))

    def _act(self, seat: str | None, events: Sequence[Any], choice: Json) -> Outcome:
        """An open act of a seat, or of all: it can be taken back."""
        now, game = self._now, self.game
        batch = _Batch(game, now.state)
        batch.rows.append(("step", {"seat": seat, "choice": choice, "events": len(events)}))
        batch.add(events)
        told = game.tell(now.state, events, batch.state)
        last = UndoStep(seat, now.seq, tuple(events), batch.state, earlier=now.last)
        return self._commit(replace(now, state=batch.state, held=None, last=last), batch, told)

    def _choose(self, choice: Any) -> Outcome:
        """A secret choice: locked in, taken back or replaced, in one transaction. The last one is held."""
        now, game = self._now, self.game
        batch, held = _Batch(game, now.state), now.held
        if held is not None and choice.seat == held.seat:
            if game.withdraws(choice):
                held = None
            else:
                game.decide(now.state, choice)
                held = choice
        else:
            for part in game.expand(now.state, choice):
                events = game.decide(batch.state, part)
                if any(game.reveals(e) for e in events):
                    held = part
                else:
                    batch.add(events)
            held = self._still_held(batch, held)
        if held is not None or now.held is not None:
            # also where it is the same card again, so that nothing tells whether it is
            batch.rows.append(("held", game.choice_to_json(held) if held is not None else None))
        told = telling.unlocked if game.withdraws(choice) else telling.locked_in
        return self._commit(replace(now, state=batch.state, held=held), batch, [told(choice.seat)])

    def _still_held(self, batch: _Batch, held: Any) -> Any:
        """Where somebody else took a lock back, the held one is an ordinary lock again."""
        if held is None or self._is_last(batch.state, held):
            return held
        batch.add(self.game.decide(batch.state, held))
        return None

    def _is_last(self, state: Any, held: Any) -> bool:
        return any(self.game.reveals(e) for e in self.game.decide(state, held))

    def _gesture(self, gesture: Gesture, heard: bool) -> Outcome:
        """heard: what the table said last could have been heard before, so that the gesture may answer it."""
        now = self._now
        if not heard and self._acted == (now.seq, gesture):
            # a finger that bounces, a card lowered with a hesitation: one act does one thing
            return Outcome("nothing", self.snapshot())
        if now.held is not None and heard and isinstance(gesture, Pressed):
            return self._did(gesture, self._reveal(None))
        choice = self.game.read(now.state, gesture)
        if choice is None:
            return Outcome("nothing", self.snapshot())
        if self.game.commutes(choice):
            # the cardboard is the truth: what lies or was pressed last replaces a lock, the same card or another alike
            return self._play(choice, None)
        asked = self._asked == now.seq
        if not heard and not asked and self._is_news(choice.seat):
            # it was meant for what was before, as a late yes to the reveal
            return Outcome("nothing", self.snapshot())
        if (rule := self.game.passes(now.state, choice)) and not (asked and heard):
            self._asked = now.seq
            text = msg("{seat:seat}, nothing is done yet. The same once more ends your turn.", seat=choice.seat)
            return Outcome("refused", self.snapshot(), (text,), refused=Refused(rule, text))
        return self._did(gesture, self._play(choice, None))

    def _did(self, gesture: Gesture, outcome: Outcome) -> Outcome:
        if outcome.kind == "done":
            self._acted = (outcome.now.seq, gesture)
        return outcome

    def _is_news(self, seat: str) -> bool:
        """Whether what is asked of a seat came of another's act, or of the reveal."""
        return self._now.last is None or self._now.last.seat != seat

    def _reveal(self, seen: Seen | None) -> Outcome:
        now, game = self._now, self.game
        if now.held is None or (seen is not None and self._is_stale(seen, commutes=True)):
            return self._stale()
        locked, *events = game.decide(now.state, now.held)
        batch = _Batch(game, now.state)
        batch.add([locked])
        chosen = batch.state
        batch.rows.append(("step", {"seat": None, "choice": None, "events": len(events)}))
        batch.add(events)
        last = UndoStep(None, now.seq, tuple(events), batch.state, earlier=now.last)
        position = replace(now, state=batch.state, held=None, last=last)
        return self._commit(position, batch, game.tell(chosen, events, batch.state))

    # --- putting right --------------------------------------------------------------------------------------------

    def _take_back(self, seat: str | None, agreed: bool, seen: Seen | None) -> Outcome:
        now = self._now
        if seen is not None and self._is_stale(seen, commutes=False):
            return self._stale()
        step = now.last
        if step is None:
            text = msg("There is nothing to take back.")
            return Outcome("refused", self.snapshot(), (text,), refused=Refused("take_back", text))
        undo = self._undo()
        assert undo is not None
        if not agreed and (undo.seat is None or undo.seat != seat):
            text = msg("Others have played since, or everyone did it together. To take it back, everyone has to agree.")
            return Outcome("refused", self.snapshot(), (text,), refused=Refused("take_back", text))
        # who plays a seat is no act of the game: whoever sits there now stays
        position = replace(now, state=self._unlocked(self._states[step.to]), held=None, last=step.earlier)
        # where the screen was put right, it was not the cardboard that was wrong
        hands = self.game.put_back(now.state, position.state) if step.events else []
        told = [telling.TAKEN_BACK, *hands] if hands else [telling.taken_back(m) for m in undo.messages[:1]]
        if self._has_locks():
            told.append(telling.LOCKS_DROPPED)
        return self._commit(position, _Batch(self.game, position.state, [("take_back", {"to": step.to})]), told)

    def _put_right(
        self, changes: Mapping[str, Json], agreed: Sequence[str], refused: Any = None, rule: str | None = None
    ) -> Outcome:
        now, game = self._now, self.game
        try:
            state = game.correct(now.state, changes)
        except BadForm as error:
            return Outcome("refused", self.snapshot(), (error.reason,), refused=Refused("put_right", error.reason))
        except BadSetup as error:
            faults = tuple(f.message for f in error.faults)
            return Outcome("refused", self.snapshot(), faults, refused=Refused(error.faults[0].rule, faults[0]))
        view = game.state_to_json(now.state)
        data = {
            "before": {k: view[k] for k in changes},
            "after": dict(changes),
            "refused": game.choice_to_json(refused) if refused is not None else None,
            "rule": rule,
            "agreed": list(agreed),
        }
        # nobody can say yes for a seat that was given up
        players = [s for s in now.state.seats if s not in now.free] or now.state.seats
        missing = [s for s in players if s not in agreed]
        if missing and telling.changed_rules(game, data):
            text = msg(
                "A house rule changes in mid-game only if all agree. Still to agree: {seats:seats}.", seats=missing
            )
            return Outcome("refused", self.snapshot(), (text,), refused=Refused("put_right", text))
        told = telling.put_right(game, now.state, data)
        position = self._corrected(now, state, told)
        if refused is not None and self.mode != "silent":
            # whoever insists has just been told why not
            told = [telling.STANDS]
        if self._has_locks():
            told.insert(0, telling.LOCKS_DROPPED)
        return self._commit(position, _Batch(game, state, [("put_right", data)]), told)

    def _corrected(self, now: Position, state: Any, told: Sequence[Message]) -> Position:
        last = UndoStep(None, now.seq, told=tuple(told), earlier=now.last)
        return replace(now, state=state, held=None, last=last)

    def _insist(self, choice: Any, seen: Seen | None, agreed: Sequence[str]) -> Outcome:
        if seen is not None and self._is_stale(seen, commutes=False):
            return self._stale()
        try:
            return self._accept(choice)
        except Refusal as refusal:
            changes = self._may_stand(choice)
            if changes is None:
                return self._refused(refusal, choice)
            if self.mode == "strict":
                refused = self._refused(refusal, choice)
                return replace(refused, messages=(*refused.messages, telling.STRICT))
            return self._put_right(changes, agreed, choice, refusal.rule)

    # --- who plays a seat -----------------------------------------------------------------------------------------

    def _hand(self, seat: str, name: str) -> Outcome:
        """Somebody else plays a seat; what was locked in for it was another's choice."""
        now, game = self._now, self.game
        if seat not in now.state.seats:
            text = msg("Nobody sits there.")
            return Outcome("refused", self.snapshot(), (text,), refused=Refused("seat", text))
        try:
            check_name(name)
        except BadForm as error:
            return Outcome("refused", self.snapshot(), (error.reason,), refused=Refused("seat", error.reason))
        old = now.names.get(seat)
        if name == (old or "") and bool(name) != (seat in now.free):
            return Outcome("nothing", self.snapshot())
        batch = _Batch(game, game.unlocked(now.state, seat), [("seat", {"seat": seat, "name": name})])
        told = [telling.handed(game, seat, old, name)]
        held = self._held_without(now, seat)
        if held is not now.held or batch.state is not now.state:
            told.append(telling.card_unlocked(seat))
        if held is not None and (held := self._still_held(batch, held)) is None:
            batch.rows.append(("held", None))
        return self._commit(replace(now.handed(seat, name), state=batch.state, held=held), batch, told)

    def _held_without(self, now: Position, seat: str) -> Any:
        return None if now.held is not None and now.held.seat == seat else now.held

    def _has_locks(self) -> bool:
        return self._now.held is not None or self._unlocked(self._now.state) is not self._now.state

    def _unlocked(self, state: Any) -> Any:
        return self.game.unlocked(state)

    # --- the journal ----------------------------------------------------------------------------------------------

    def _commit(self, position: Position, batch: _Batch, told: Sequence[Message]) -> Outcome:
        """Append, then swap, then tell."""
        before = self.snapshot()
        rows = [Entry(self._now.seq + i, kind, data) for i, (kind, data) in enumerate(batch.rows, start=1)]
        self._journal.append(self.number, rows)
        self._swap(replace(position, seq=self._now.seq + len(rows)))
        return Outcome("done", self.snapshot(), tuple(told), tuple(batch.public), before=before)

    def _swap(self, position: Position) -> None:
        self._now = position
        self._states[position.seq] = position.state

    def _replay(self, entry: Entry) -> None:
        """Bring one entry of the journal back."""
        now, game = self._now, self.game
        match entry.kind:
            case "event":
                event = game.event_from_json(entry.data)
                state = game.apply(now.state, event)
                last = now.last
                if last is not None and not game.commutes(event) and last.after is now.state:
                    last = replace(last, events=(*last.events, event), after=state)
                # another seat that changes its lock leaves the held one as it is
                held = now.held if game.commutes(event) else None
                self._swap(replace(now, state=state, seq=entry.seq, held=held, last=last))
            case "step":
                to = self._before_lock(entry) if entry.data["seat"] is None else now.seq
                last = UndoStep(entry.data["seat"], to, (), now.state, earlier=now.last)
                self._swap(replace(now, seq=entry.seq, held=None, last=last))
            case "held":
                held = None if entry.data is None else game.choice_from_json(now.state, entry.data)
                self._swap(replace(now, seq=entry.seq, held=held))
            case "take_back":
                to = entry.data["to"]
                last = now.last
                while last is not None and last.to >= to:
                    last = last.earlier
                self._swap(replace(now, state=self._unlocked(self._states[to]), seq=entry.seq, held=None, last=last))
            case "put_right":
                state = game.correct(now.state, entry.data["after"])
                told = telling.put_right(game, now.state, entry.data)
                self._swap(replace(self._corrected(now, state, told), seq=entry.seq))
            case "seat":
                seat, name = entry.data["seat"], entry.data["name"]
                if seat not in now.state.seats or not isinstance(name, str):
                    raise ValueError(f"nobody plays {seat!r}")
                state, held = game.unlocked(now.state, seat), self._held_without(now, seat)
                self._swap(replace(now.handed(seat, name), state=state, seq=entry.seq, held=held))
            case _:
                raise ValueError(f"no entry is of kind {entry.kind!r}")

    def _before_lock(self, entry: Entry) -> int:
        """The entry before a reveal: its own first entry is the lock that was held."""
        return entry.seq - 2

    # --- refusals -------------------------------------------------------------------------------------------------

    def _refused(self, refusal: Refusal, choice: Any) -> Outcome:
        now, game = self._now, self.game
        text = game.explain(now.state, refusal)
        switch = judging.switch_of(game, refusal.rule) if choice is not None else ""
        values = tuple(r.value for r in judging.readings(game, now.state, choice, switch) if r.allows)
        refused = Refused(
            rule=refusal.rule,
            message=text,
            choice=choice,
            reading=refusal.rule.startswith("A"),
            switch=switch if values else None,
            values=values,
            may_stand=self.mode == "coach" and self._may_stand(choice) is not None,
        )
        return Outcome("refused", self.snapshot(), (text,), refused=refused)

    def _may_stand(self, choice: Any) -> dict[str, Json] | None:
        """What a refused choice changes where it stands all the same; None where it cannot. A secret one never can."""
        if self.game.commutes(choice):
            return None
        try:
            changes = self.game.insist(self._now.state, choice)
            if changes is not None:
                self.game.correct(self._now.state, changes)
        except (BadSetup, BadForm):
            return None
        return changes


class _Batch:
    """The entries of one request, and the candidate state that they lead to."""

    def __init__(self, game: Game[Any, Any, Any], state: Any, rows: Sequence[tuple[str, Json]] = ()) -> None:
        self._game = game
        self.state = state
        self.rows = list(rows)
        self.public: list[Mapping[str, Json]] = []

    def add(self, events: Sequence[Any]) -> None:
        """Apply events to the candidate and note them."""
        for event in events:
            self.state = self._game.apply(self.state, event)
            self.rows.append(("event", self._game.event_to_json(event, private=True)))
            self.public.append(self._game.event_to_json(event))
