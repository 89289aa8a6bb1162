"""Sir Holland: A Fuga da Torre, as the house knows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from companion.games import form
from companion.games.base import Fault, Gesture, Json, Laid, Message, Notation, Note, Pressed, Refusal, Result
from companion.games.sir_holland import codec, explain, nearest, notation, rules, setup, sounds
from companion.games.sir_holland.rulebook import RULEBOOK
from companion.games.sir_holland.state import (
    CARDS,
    COLOURS,
    POINTS,
    REST,
    ROOF,
    SPECIALS,
    VILLAINS,
    Choice,
    Climb,
    End,
    Event,
    Fall,
    Lock,
    Locked,
    Move,
    MoveVillain,
    Opened,
    Rest,
    Revealed,
    State,
    Unlock,
    Unlocked,
    UsePortal,
)


class SirHolland:
    """The Game protocol for Sir Holland. Holds nothing: every method is a function of the state."""

    id = codec.GAME
    seats = range(2, 5)
    colours: tuple[str, ...] = COLOURS
    secret = codec.SECRET
    rulebook = RULEBOOK
    notation: Notation = notation

    def open(self, seats: Sequence[str], options: Mapping[str, Json], rng: Random) -> tuple[Event, ...]:
        """A new game. Options: `gryphon`, `tower`, `villains`, `rules`; what is left out is drawn."""
        options = form.record(dict(options), "new", (), ("gryphon", "tower", "villains", "rules"))
        villains = form.record(options.get("villains", setup.START), "villains", VILLAINS)
        state = setup.new(
            seats,
            rng,
            codec.rules_from_json(options.get("rules", {})),
            codec.tower_from_json(options["tower"]) if "tower" in options else None,
            form.text(options["gryphon"], "gryphon") if "gryphon" in options else None,
            {v: form.text(villains[v], "villains") for v in VILLAINS},
        )
        return (Opened(state),)

    def apply(self, state: State | None, event: Event) -> State:
        """See rules.apply."""
        return rules.apply(state, event)

    def awaited(self, state: State) -> list[tuple[str, Message]]:
        """Who does what now."""
        ready = rules.locked(state)
        stuck = state.turn is not None and all(isinstance(c, End) for c in rules.choices(state))
        return explain.awaited(state, [s for s in state.seats if s not in ready], stuck)

    def choices(self, state: State, seat: str | None = None) -> list[Choice]:
        """See rules.choices."""
        return rules.choices(state, seat)

    def decide(self, state: State, choice: Choice) -> tuple[Event, ...]:
        """See rules.decide."""
        return rules.decide(state, choice)

    def moment(self, state: State) -> str:
        """Round and phase."""
        return f"{state.round} {state.phase}"

    def commutes(self, what: Choice | Event) -> bool:
        """Locking in and taking back."""
        return isinstance(what, Lock | Unlock | Locked | Unlocked)

    def withdraws(self, choice: Choice) -> bool:
        """Unlocking."""
        return isinstance(choice, Unlock)

    def expand(self, state: State, choice: Choice) -> tuple[Choice, ...]:
        """Another card for a seat that has locked in: unlock, then lock."""
        if isinstance(choice, Lock) and state.phase == "choose" and choice.seat in state.locks:
            return Unlock(choice.seat), choice
        return (choice,)

    def passes(self, state: State, choice: Choice) -> str | None:
        """The end of a turn whose card is still whole."""
        turn = state.turn
        if not isinstance(choice, End) or turn is None or turn.used:
            return None
        return "R27" if (turn.points, turn.special) == (POINTS[turn.card], SPECIALS[turn.card]) else None

    def reveals(self, event: Event) -> bool:
        """The reveal of the cards."""
        return isinstance(event, Revealed)

    def unlocked(self, state: State, seat: str | None = None) -> State:
        """No seat has locked in, or that one has not."""
        kept = {} if seat is None else {s: c for s, c in state.locks.items() if s != seat}
        return state._replace(locks=kept) if len(kept) < len(state.locks) else state

    def explain(self, state: State, refusal: Refusal) -> Message:
        """The refusal in a sentence."""
        return explain.sentence(refusal)

    def nearest(self, state: State, choice: Choice) -> tuple[Choice, ...]:
        """See nearest.py."""
        return nearest.nearest(state, choice)

    def insist(self, state: State, choice: Choice) -> dict[str, Json] | None:
        """A refused move lets its figure stand at the end of the path, for as much as is left of the card."""
        turn = state.turn
        if turn is None or not isinstance(choice, Move | Climb | UsePortal | MoveVillain | Fall):
            return None
        figure = choice.villain if isinstance(choice, MoveVillain) else choice.hero
        to = choice.to if isinstance(choice, Fall) else choice.path[-1]
        if figure in VILLAINS and to == ROOF:
            return None
        data = codec.state_to_json(state)
        changes: dict[str, Json] = {"figures": {**data["figures"], figure: to}, "turn": data["turn"]}
        half = "points" if isinstance(choice, Move) else "special"
        if not isinstance(choice, Fall):
            changes["turn"][half] = max(0, changes["turn"][half] - len(choice.path))
        changes["turn"]["pending"] = None
        if figure not in VILLAINS:
            lying = state.lying - {figure}
            if rules.lies_at(state, to):
                lying |= {figure}
            changes["lying"] = sorted(lying)
        return changes

    def correct(self, state: State, changes: Mapping[str, Json]) -> State:
        """The position with public fields put right by the table; raises BadForm, or BadSetup with every fault.

        How the game came there is not judged: the cardboard is the truth. Locks of the round are dropped.
        """
        return codec.state_from_json({**codec.state_to_json(state), "locked": [], **changes}, history=False)

    def result(self, state: State) -> Result | None:
        """How the game ended."""
        if state.result is None:
            return None
        steps = tuple(s.message for s in explain.decision(state, state))
        return Result(state.result.ended_by, (state.result.winner,), state.result.decided_by, steps)

    def read(self, state: State, gesture: Gesture) -> Choice | None:
        """A card laid, or the button with its number. While choosing it is locked in; in a turn the card in play, once

        more, ends it (or rests); where a hero's fall waits, its owner's 1 and 2 pick the dungeon.
        """
        seat = gesture.seat
        if isinstance(gesture, Laid) and gesture.owner != seat and state.phase == "choose":
            raise Refusal("R6", "others_card", seat=seat, owner=gesture.owner)
        number = gesture.button if isinstance(gesture, Pressed) else gesture.card if gesture.owner == seat else 0
        if state.phase == "choose":
            return Lock(seat, number) if number in CARDS else None
        turn = state.turn
        if turn is None:
            return None
        if turn.pending:
            picks = dict(enumerate(turn.pending.to, start=1))
            return Fall(seat, turn.pending.hero, picks[number]) if number in picks else None
        if (seat, number) != (turn.seat, turn.card):
            return None
        return Rest(seat) if turn.card == REST else End(seat)

    def tell(self, before: State | None, events: Sequence[Event], after: State) -> list[Message]:
        """What happened, in words."""
        return explain.tell(before, events, after)

    def sounds(self, before: Json, events: Sequence[Mapping[str, Json]], after: Json) -> tuple[Note, ...]:
        """See sounds.py."""
        return sounds.notes(before, events, after)

    def put_back(self, done: State, before: State) -> list[Message]:
        """What hands do when something is taken back."""
        return explain.put_back(done, before)

    def term(self, kind: str, value: Json) -> Message | None:
        """The name of a thing."""
        return explain.term(kind, value)

    def view(self, state: State, seat: str | None = None) -> dict[str, Json]:
        """The public state; for a seat, `own` holds the card it has locked in, or null."""
        view = codec.state_to_json(state)
        return view if seat is None else view | {"own": {"card": state.locks.get(seat)}}

    def faults(self, state: State) -> list[Fault]:
        """All that is impossible in this position."""
        return setup.faults(state)

    def state_to_json(self, state: State) -> dict[str, Json]:
        """See codec."""
        return codec.state_to_json(state)

    def state_from_json(self, data: Json) -> State:
        """See codec."""
        return codec.state_from_json(data)

    def choice_to_json(self, choice: Choice) -> dict[str, Json]:
        """See codec."""
        return codec.choice_to_json(choice)

    def choice_from_json(self, state: State, data: Json) -> Choice:
        """See codec."""
        return codec.choice_from_json(state, data)

    def event_to_json(self, event: Event, private: bool = False) -> dict[str, Json]:
        """See codec."""
        return codec.event_to_json(event, private)

    def event_from_json(self, data: Json) -> Event:
        """See codec."""
        return codec.event_from_json(data)
