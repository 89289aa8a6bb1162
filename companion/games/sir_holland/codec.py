"""Sir Holland as JSON, exactly as the referee protocol writes it, and back with every value checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from companion.games import form
from companion.games.base import BadForm, BadSetup, Json, msg
from companion.games.sir_holland import rules as law
from companion.games.sir_holland import setup
from companion.games.sir_holland.rulebook import RULEBOOK
from companion.games.sir_holland.state import (
    CARDS,
    CHOICES,
    EVENTS,
    ROOF,
    SQUARES,
    VILLAINS,
    Choice,
    Event,
    GameOver,
    HouseRules,
    Opened,
    Outcome,
    Pending,
    State,
    Tower,
    Turn,
    heroes,
)

GAME = "sir-holland"
VERSION = 1
"""Of the events in the journal."""
PLACES = frozenset((*SQUARES, ROOF))
SECRET = frozenset({"locks"})
_CHOICES: dict[str, Any] = {c.do: c for c in CHOICES}
_EVENTS: dict[str, Any] = {e.what: e for e in EVENTS}
_NAMES = {word: tuple(f.name for f in fields(kind)) for word, kind in (*_CHOICES.items(), *_EVENTS.items())}
"""The fields of every choice and event, in the order of the protocol; their words differ from one another."""
_STATE_KEYS = (
    "game",
    "rules",
    "seats",
    "gryphon",
    "round",
    "phase",
    "tower",
    "figures",
    "lying",
    "hands",
    "rests",
    "locked",
    "cards",
    "queue",
    "turn",
    "final",
    "result",
)


# --- state ------------------------------------------------------------------------------------------------------


def state_to_json(state: State) -> dict[str, Json]:
    """The public state: names who has locked in, never the card."""
    return {
        "game": GAME,
        "rules": state.rules.changed(),
        "seats": list(state.seats),
        "gryphon": state.gryphon,
        "round": state.round,
        "phase": state.phase,
        "tower": list(state.tower),
        "figures": dict(state.figures),
        "lying": sorted(state.lying),
        "hands": {s: list(h) for s, h in state.hands.items()},
        "rests": dict(state.rests),
        "locked": sorted(law.locked(state)) if state.phase == "choose" else [],
        "cards": dict(state.cards),
        "queue": list(state.queue),
        "turn": _turn_to_json(state.turn) if state.turn else None,
        "out": list(state.out),
        "final": state.final,
        "result": outcome_to_json(state.result) if state.result else None,
    }


def _turn_to_json(turn: Turn) -> dict[str, Json]:
    pending = {"hero": turn.pending.hero, "to": list(turn.pending.to)} if turn.pending else None
    return {
        "seat": turn.seat,
        "card": turn.card,
        "points": turn.points,
        "special": turn.special,
        "used": list(turn.used),
        "pending": pending,
    }


def outcome_to_json(result: Outcome) -> dict[str, Json]:
    """A result as the protocol writes it."""
    return {
        "ended_by": result.ended_by,
        "winner": result.winner,
        "decided_by": result.decided_by,
        "saved": dict(result.saved),
        "levels": {s: list(n) for s, n in result.levels.items()},
    }


def state_from_json(data: Json, history: bool = True) -> State:
    """A position as `state` prints it. Locks are never in it. Raises BadForm, then BadSetup with all faults.

    history: whether hands, rests, order and budget have to be reachable by playing, too.
    """
    data = form.record(data, "state", _STATE_KEYS, ("out",))
    form.one_of(data["game"], "game", (GAME,))
    seats = form.texts(data["seats"], "seats")
    if faults := setup.seat_faults(seats):
        raise BadSetup(faults)
    figures = figures_from_json(data["figures"], seats)
    phase = form.one_of(data["phase"], "phase", ("choose", "resolve", "over"))
    form.names(data["locked"], "locked", seats)
    state = State(
        rules=rules_from_json(data["rules"]),
        seats=seats,
        gryphon=form.one_of(data["gryphon"], "gryphon", seats),
        tower=tower_from_json(data["tower"]),
        figures=figures,
        hands={s: _cards(h) for s, h in form.per_seat(data["hands"], "hands", seats).items()},
        rests={s: form.whole(n, "rests", 0) for s, n in form.per_seat(data["rests"], "rests", seats).items()},
        round=form.whole(data["round"], "round", 1),
        phase=phase,
        lying=frozenset(form.names(data["lying"], "lying", [f for f in figures if f not in VILLAINS])),
        cards=_played(data["cards"], seats),
        queue=form.names(data["queue"], "queue", seats),
        turn=_turn_from_json(data["turn"], seats, figures),
        out=form.names(data.get("out", []), "out", seats),
        final=_flag(data["final"], "final"),
    )
    state = _in_order(state)
    if phase != "resolve" and (state.cards or state.queue):
        raise BadSetup([setup.fault("queue", "R21", "turn_missing")])
    if phase != "choose" and data["locked"]:
        raise BadSetup([setup.fault("locked", "R21", "locked_late")])
    deep = setup.history_faults if history else setup.rest_faults
    found = setup.faults(state) or setup.turn_faults(state) or deep(state)
    if found:
        raise BadSetup(found)
    return _with_result(state, data["result"])


def _in_order(state: State) -> State:
    """The mappings in the order of seats, so that equal positions are printed alike."""
    return state._replace(
        hands={s: state.hands[s] for s in state.seats},
        rests={s: state.rests[s] for s in state.seats},
        cards={s: state.cards[s] for s in state.seats if s in state.cards},
    )


def _with_result(state: State, data: Json) -> State:
    if (state.phase == "over") != (data is not None):
        raise BadSetup([setup.fault("result", "R76", "result_missing")])
    if data is None:
        return state
    data = form.record(data, "result", ("ended_by", "winner", "decided_by", "saved", "levels"))
    ended_by = form.one_of(data["ended_by"], "ended_by", ("saved", "rested"))
    result = law.outcome(state, ended_by)
    if outcome_to_json(result) != data:
        raise BadSetup([setup.fault("result", "R76", "wrong_result", seat=result.winner)])
    return state._replace(result=result)


def figures_from_json(data: Json, seats: tuple[str, ...]) -> dict[str, str]:
    """Where every figure of the table stands, in order of seats, villains last."""
    names = (*(h for s in seats for h in heroes(s)), *VILLAINS)
    data = form.record(data, "figures", names)
    return {name: form.text(data[name], name) for name in names}


def tower_from_json(data: Json) -> Tower:
    """Five strings of five of the six letters, top level first."""
    lines = form.texts(data, "tower")
    if len(lines) != 5 or any(len(line) != 5 for line in lines):
        raise form.wrong("tower")
    for line in lines:
        for letter in line:
            form.one_of(letter, "tower", tuple(setup.COUNTS))
    return lines


def rules_from_json(data: Json) -> HouseRules:
    """The switches that a table sets; the others keep their default."""
    if not isinstance(data, dict):
        raise form.wrong("rules")
    for name, value in data.items():
        switch = RULEBOOK.switch(name)
        if switch is None:
            raise form.unknown("rules", name)
        # True == 1 in Python, but not in the protocol
        if not any(value == v and type(value) is type(v) for v in switch.values):
            raise form.unknown(name, value)
    return HouseRules(**data)


def _cards(data: Json) -> tuple[int, ...]:
    if not isinstance(data, list):
        raise form.wrong("hands")
    cards = tuple(sorted(form.whole(c, "hands", 1, len(CARDS)) for c in data))
    if len(set(cards)) < len(cards):
        raise form.wrong("hands")
    return cards


def _played(data: Json, seats: tuple[str, ...]) -> dict[str, int]:
    cards = form.record(data, "cards", (), seats)
    return {s: form.whole(c, "cards", 1, len(CARDS)) for s, c in cards.items()}


def _flag(value: Json, key: str) -> bool:
    if not isinstance(value, bool):
        raise form.wrong(key)
    return value


def _turn_from_json(data: Json, seats: tuple[str, ...], figures: Mapping[str, str]) -> Turn | None:
    if data is None:
        return None
    data = form.record(data, "turn", ("seat", "card", "points", "special", "pending"), ("used",))
    pending = None
    if data["pending"] is not None:
        fall = form.record(data["pending"], "pending", ("hero", "to"))
        hero = form.one_of(fall["hero"], "hero", [f for f in figures if f not in VILLAINS])
        pending = Pending(hero, form.names(fall["to"], "to", SQUARES))
    return Turn(
        form.one_of(data["seat"], "seat", seats),
        form.whole(data["card"], "card", 1, len(CARDS)),
        form.whole(data["points"], "points", 0),
        form.whole(data["special"], "special", 0),
        tuple(sorted(form.names(data.get("used", []), "used", figures))),
        pending,
    )


# --- choices ----------------------------------------------------------------------------------------------------


def choice_to_json(choice: Choice) -> dict[str, Json]:
    """A choice with exactly the keys of the protocol."""
    return {"do": choice.do} | {n: _plain(getattr(choice, n)) for n in _NAMES[choice.do]}


def choice_from_json(state: State, data: Json) -> Choice:
    """A well-formed choice of this table; raises BadForm."""
    if not isinstance(data, dict):
        raise form.wrong("choice")
    if "do" not in data:
        raise BadForm(msg('"{key}" is missing.', key="do"))
    kind = _CHOICES[form.one_of(data["do"], "do", _CHOICES)]
    form.record(data, "choice", ("do", *_NAMES[data["do"]]))
    values = {n: _read_field(state, n, data[n]) for n in _NAMES[data["do"]]}
    choice: Choice = kind(**values)
    return choice


def _read_field(state: State, name: str, value: Json) -> Any:
    match name:
        case "seat":
            return form.one_of(value, name, state.seats)
        case "card":
            return form.whole(value, name, 1, len(CARDS))
        case "hero" | "villain":
            return form.one_of(value, name, state.figures)
        case "at" | "to":
            return form.one_of(value, name, PLACES)
        case _:
            path = form.texts(value, name)
            if not path:
                raise form.wrong(name)
            for square in path:
                form.one_of(square, name, PLACES)
            return path


# --- events -----------------------------------------------------------------------------------------------------


def event_to_json(event: Event, private: bool = False) -> dict[str, Json]:
    """An event for everyone; with `private` as the journal keeps it, the locked card and a version included."""
    data: dict[str, Json] = {"what": event.what}
    for name in _NAMES[event.what]:
        value = getattr(event, name)
        if event.what == "locked" and name == "card" and not private:
            continue
        data[name] = _plain(value)
    return {"v": VERSION} | data if private else data


def event_from_json(data: Json) -> Event:
    """An event out of the journal; raises BadForm (or BadSetup, where it holds a position)."""
    if not isinstance(data, dict):
        raise form.wrong("event")
    form.one_of(data.get("what"), "what", _EVENTS)
    if data.get("v") != VERSION:
        raise form.unknown("v", data.get("v"))
    kind = _EVENTS[data["what"]]
    form.record(data, "event", ("v", "what", *_NAMES[data["what"]]))
    values: dict[str, Any] = {n: _frozen(data[n]) for n in _NAMES[data["what"]]}
    if kind is Opened:
        values["state"] = state_from_json(data["state"])
    if kind is GameOver:
        values["result"] = _outcome_from_json(data["result"])
    event: Event = kind(**values)
    return event


def _outcome_from_json(data: Json) -> Outcome:
    data = form.record(data, "result", ("ended_by", "winner", "decided_by", "saved", "levels"))
    if not isinstance(data["levels"], dict) or not all(isinstance(n, list) for n in data["levels"].values()):
        raise form.wrong("levels")
    return Outcome(**{**data, "levels": {s: tuple(n) for s, n in data["levels"].items()}})


def _plain(value: Any) -> Json:
    """A field of a choice or event as JSON."""
    if isinstance(value, State):
        return state_to_json(value)
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, Outcome):
        return outcome_to_json(value)
    return dict(value) if isinstance(value, Mapping) else value


def _frozen(value: Json) -> Any:
    return tuple(value) if isinstance(value, list) else value
