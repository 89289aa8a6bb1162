"""Sir Holland in the text format of companion/table/text.py: what the head says, acts, positions put right.

Every word that is written can be read back; NOTATION.md beside this file says how. Reading raises BadForm with a
sentence that says what is wrong and what would be right; whether the rules allow it is for `decide` and `correct`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from companion.games.base import BadForm, Json, msg
from companion.games.sir_holland import codec
from companion.games.sir_holland import rules as law
from companion.games.sir_holland.rulebook import RULEBOOK
from companion.games.sir_holland.state import (
    CARDS,
    ROOF,
    SQUARES,
    VILLAINS,
    Choice,
    Climb,
    End,
    Event,
    Explode,
    Fall,
    Hide,
    Lock,
    Move,
    MoveVillain,
    Rest,
    Revealed,
    State,
    Unlock,
    UsePortal,
    heroes,
)

NEEDED: tuple[str, ...] = ("gryphon", "tower")
"""Head lines without which a game would be another one each time it is read."""
NONE = "none"
_RULE = "rule "
_PLACES = (*SQUARES, ROOF)

# --- the head ---------------------------------------------------------------------------------------------------


def head(state: State) -> dict[str, str]:
    """The lines that say how a game began."""
    lines = {"gryphon": state.gryphon, "tower": " ".join(state.tower)}
    lines["villains"] = ", ".join(f"{v} {state.figures[v]}" for v in VILLAINS)
    return lines | {f"{_RULE}{name}": str(value) for name, value in state.rules.changed().items()}


def option(key: str, words: str) -> dict[str, Json] | None:
    """What a head line asks of `open`; None where the line is none of this game."""
    match key:
        case "gryphon":
            return {"gryphon": words}
        case "tower":
            return {"tower": list(codec.tower_from_json(words.split()))}
        case "villains":
            return {"villains": _pairs(words, _villain, _square)}
        case _ if key.startswith(_RULE):
            return {"rules": _house_rule(key.removeprefix(_RULE), words)}
        case _:
            return None


def _house_rule(name: str, words: str) -> dict[str, Json]:
    switch = RULEBOOK.switch(name)
    if switch is None:
        known = ", ".join(s.id for s in RULEBOOK.switches)
        raise BadForm(msg('No house rule is called "{name}". There are: {known}.', name=name, known=known))
    value = next((v for v in switch.values if str(v) == words), None)
    if value is None:
        values = ", ".join(str(v) for v in switch.values)
        raise BadForm(msg('The house rule {name} can be {values}, not "{word}".', name=name, values=values, word=words))
    return {name: value}


# --- acts -------------------------------------------------------------------------------------------------------


def act(state: State, choice: Choice) -> str:
    """A choice in words, without its seat."""
    match choice:
        case Lock(_, card):
            return str(card)
        case Move(seat, hero, path):
            own = hero in heroes(seat)
            return f"{_hero(seat, hero)} {_way(state, hero, path)}" if own else f"move {hero} {_way(state, hero, path)}"
        case MoveVillain(_, villain, path):
            verb = "" if villain in VILLAINS else "villain "
            return f"{verb}{villain} {_way(state, villain, path)}"
        case Climb(seat, hero, path):
            return f"climb {_hero(seat, hero)} {_way(state, hero, path)}"
        case UsePortal(seat, hero, path):
            return f"portal {_hero(seat, hero)} {_way(state, hero, path)}"
        case Hide(seat, hero):
            return f"hide {_hero(seat, hero)}"
        case Explode(_, at):
            return f"explode {at}"
        case Fall(seat, hero, to):
            return f"fall {_hero(seat, hero)} {to}"
        case Rest() | End() | Unlock():
            return str(choice.do)


def _hero(seat: str, hero: str) -> str:
    """One's own heroes are 1 and 2."""
    return hero.partition(".")[2] if hero in heroes(seat) else hero


def _way(state: State, figure: str, path: Sequence[str]) -> str:
    return "-".join((state.figures[figure], *path))


def choice(state: State, seat: str, words: str) -> Choice:
    """The inverse of `act`."""
    first, *rest = words.split() or [""]
    if not rest and first in map(str, CARDS):
        return _choice(state, {"do": "lock", "seat": seat, "card": int(first)})
    if first in ("rest", "end"):
        _count(words, rest, 0, first)
        return _choice(state, {"do": first, "seat": seat})
    if first == "explode":
        _count(words, rest, 1, "explode d3")
        return _choice(state, {"do": first, "seat": seat, "at": _square(rest[0])})
    if first == "hide":
        _count(words, rest, 1, "hide 1")
        return _choice(state, {"do": first, "seat": seat, "hero": _figure(state, seat, rest[0])})
    if first == "fall":
        _count(words, rest, 2, "fall 1 d1")
        hero = _figure(state, seat, rest[0])
        return _choice(state, {"do": first, "seat": seat, "hero": hero, "to": _square(rest[1])})
    if first in ("1", "2", *VILLAINS):
        first, rest = "villain" if first in VILLAINS else "move", [first, *rest]
    if first not in ("move", "climb", "portal", "villain"):
        acts = "1 b1-a1, climb 2 a1-a2, portal 1 c1-c2, wizard c2-b2, hide 1, explode d3, fall 1 d1, rest, end"
        raise BadForm(msg('"{word}" is no act. Acts look like these: {acts}.', word=first, acts=acts))
    _count(words, rest, 2, f"{first} 1 b1-a1-a2")
    figure = _figure(state, seat, rest[0])
    who = "villain" if first == "villain" else "hero"
    return _choice(state, {"do": first, "seat": seat, who: figure, "path": _path(state, figure, rest[1])})


def _choice(state: State, data: dict[str, Json]) -> Choice:
    return codec.choice_from_json(state, data)


def _count(words: str, rest: Sequence[str], n: int, right: str) -> None:
    if len(rest) != n:
        raise BadForm(msg('"{words}" has a word too many or too few. It is written like this: {right}.',
                          words=words, right=right))  # fmt: skip


def _figure(state: State, seat: str, word: str) -> str:
    figure = f"{seat}.{word}" if word in ("1", "2") else word
    return _one_of(figure, ("1", "2", *state.figures))


def _path(state: State, figure: str, words: str) -> list[str]:
    start, *path = [_square(s) for s in words.split("-")]
    if not path:
        raise BadForm(msg('"{words}" is no way. A way names every square, the first one too: b1-a1-a2.', words=words))
    if start != state.figures[figure]:
        raise BadForm(msg("{figure:figure} stands on {at:square}, not on {start:square}: a way begins where it stands.",
                          figure=figure, at=state.figures[figure], start=start))  # fmt: skip
    return path


def _square(word: str) -> str:
    if word not in _PLACES:
        raise BadForm(msg('"{word}" is no square. Squares are a1 to e5, and roof for the terrace.', word=word))
    return word


def _villain(word: str) -> str:
    if word not in VILLAINS:
        raise BadForm(msg('"{word}" is no villain. They are wizard and knight.', word=word))
    return word


def shown(state: State, event: Event) -> dict[str, str]:
    """The cards of a round, as they lie open; in the order of seats, as another one would tell who locked in when."""
    assert isinstance(event, Revealed)
    return {seat: str(event.cards[seat]) for seat in state.seats if seat in event.cards}


def order(state: State) -> tuple[str, ...]:
    """The seats that are still to act in this round, in their order."""
    return state.queue


# --- positions put right ----------------------------------------------------------------------------------------


def changes_in_words(state: State, changes: Mapping[str, Json]) -> str:
    """What was put right: every field, and of a field with many parts those that are different from before."""
    now = codec.state_to_json(state)
    return "; ".join(f"{w} {_WRITE[k](now[k], changes[k])}" for k, w in _WORDS.items() if k in changes) or "nothing"


def changes(state: State, words: str) -> dict[str, Json]:
    """The inverse: the public fields with their new values."""
    found: dict[str, Json] = {}
    if words == "nothing":
        return found
    now = codec.state_to_json(state)
    ended = ""
    for part in words.split(";"):
        word, _, rest = part.strip().partition(" ")
        key = next((k for k, w in _WORDS.items() if w == word), None)
        if key is None:
            known = ", ".join(_WORDS.values())
            raise BadForm(msg('"{word}" cannot be put right. There are: {known}.', word=word, known=known))
        if key in found:
            raise BadForm(msg('"{word}" stands there twice. Once is enough.', word=word))
        found[key] = _READ[key](now, rest.strip())
        if key == "result" and found[key] is not None:
            ended = found[key]
    if ended:
        found["result"] = _result(state, found, ended)
    return found


def _result(state: State, found: Mapping[str, Json], ended: str) -> Json:
    """Who has won the position that it is put to."""
    state = state._replace(
        seats=tuple(found.get("seats", state.seats)),
        gryphon=found.get("gryphon", state.gryphon),
        figures=found.get("figures", state.figures),
        out=tuple(found.get("out", state.out)),
        rules=codec.rules_from_json(found["rules"]) if "rules" in found else state.rules,
    )
    return codec.outcome_to_json(law.outcome(state, ended))


def _pairs(words: str, name: Callable[[str], str], value: Callable[[str], Json]) -> dict[str, Json]:
    """`red 2, blue 3`: every name once; or `none`."""
    found: dict[str, Json] = {}
    if words == NONE:
        return found
    for part in words.split(","):
        first, _, rest = part.strip().partition(" ")
        key = name(first)
        if key in found:
            raise BadForm(msg('"{word}" stands there twice. Once is enough.', word=first))
        found[key] = value(rest.strip())
    return found


def _listed(words: str, name: Callable[[str], str]) -> list[str]:
    """`red, blue`, or `none`."""
    return [] if words == NONE else [name(w.strip()) for w in words.split(",")]


def _in_list(names: Sequence[str]) -> str:
    return ", ".join(names) or NONE


def _one_of(word: str, allowed: Collection[str]) -> str:
    if word not in allowed:
        raise BadForm(msg('"{word}" cannot stand here. There are: {known}.', word=word, known=", ".join(allowed)))
    return word


def _seat(now: Mapping[str, Json]) -> Callable[[str], str]:
    return lambda word: _one_of(word, now["seats"])


def _hero_of(now: Mapping[str, Json]) -> Callable[[str], str]:
    return lambda word: _one_of(word, [f for f in now["figures"] if f not in VILLAINS])


def _number(words: str) -> int:
    if not (words.isascii() and words.isdecimal() and len(words) < 7):
        raise BadForm(msg('"{word}" is no number.', word=words))
    return int(words)


def _numbers(words: str) -> list[int]:
    return [] if words == NONE else [_number(w) for w in words.split()]


def _write_pairs(before: Mapping[str, Json], after: Mapping[str, Json]) -> str:
    """Only those that changed."""
    return _in_list([f"{k} {v}" for k, v in after.items() if before.get(k) != v])


def _write_hands(before: Mapping[str, Json], after: Mapping[str, Json]) -> str:
    return _in_list([f"{s} {' '.join(map(str, h)) or NONE}" for s, h in after.items() if before.get(s) != h])


def _write_rules(before: Mapping[str, Json], after: Mapping[str, Json]) -> str:
    changed = []
    for switch in RULEBOOK.switches:
        value = after.get(switch.id, switch.values[0])
        if value != before.get(switch.id, switch.values[0]):
            changed.append(f"{switch.id} {value}")
    return _in_list(changed)


def _read_rules(now: Mapping[str, Json], words: str) -> Json:
    rules = dict(now["rules"])
    for name, word in _pairs(words, str, str).items():
        rules |= _house_rule(name, word)
    return {s.id: rules[s.id] for s in RULEBOOK.switches if rules.get(s.id, s.values[0]) != s.values[0]}


def _read_seats(now: Mapping[str, Json], words: str) -> Json:
    seats = _listed(words, _seat(now))
    if sorted(seats) != sorted(now["seats"]):
        raise BadForm(msg("The seats of a game stay the same; only their places at the table can be put right."))
    return seats


def _write_turn(_before: Json, turn: Json) -> str:
    if turn is None:
        return NONE
    words = f"{turn['seat']} card {turn['card']} points {turn['points']} special {turn['special']}"
    words += "".join(f" used {f}" for f in turn.get("used", ()))
    pending = turn["pending"]
    return f"{words} fall {pending['hero']} {'-'.join(pending['to'])}" if pending else words


def _read_turn(_now: Mapping[str, Json], words: str) -> Json:
    if words == NONE:
        return None
    seat, *rest = words.split() or [""]
    used: list[str] = []
    turn: dict[str, Json] = {"seat": seat, "used": used, "pending": None}
    while len(rest) >= 2:
        word, value, *rest = rest
        match word:
            case "card" | "points" | "special":
                turn[word] = _number(value)
            case "used":
                used.append(value)
            case "fall" if rest:
                turn["pending"] = {"hero": value, "to": [_square(s) for s in rest.pop(0).split("-")]}
            case _:
                break
    if rest or not {"card", "points", "special"} <= turn.keys():
        raise BadForm(msg('"{words}" has a word too many or too few. It is written like this: {right}.',
                          words=words, right="red card 5 points 1 special 0"))  # fmt: skip
    return turn


def _read_result(_now: Json, words: str) -> Json:
    return None if words == NONE else _one_of(words, ("saved", "rested"))


_WORDS = {
    "rules": "rules",
    "seats": "seats",
    "gryphon": "gryphon",
    "round": "round",
    "phase": "phase",
    "tower": "tower",
    "figures": "figures",
    "lying": "lying",
    "hands": "hands",
    "rests": "rests",
    "cards": "cards",
    "queue": "order",
    "turn": "turn",
    "out": "out",
    "final": "final",
    "result": "result",
}
"""The public fields that can be put right (which game it is cannot, who has locked in is dropped), and their words."""
_WRITE: dict[str, Callable[[Any, Any], str]] = {
    "rules": _write_rules,
    "seats": lambda _, after: _in_list(after),
    "gryphon": lambda _, after: str(after),
    "round": lambda _, after: str(after),
    "phase": lambda _, after: str(after),
    "tower": lambda _, after: " ".join(after),
    "figures": _write_pairs,
    "lying": lambda _, after: _in_list(after),
    "hands": _write_hands,
    "rests": _write_pairs,
    "cards": lambda _, after: _in_list([f"{s} {c}" for s, c in after.items()]),
    "queue": lambda _, after: _in_list(after),
    "turn": _write_turn,
    "out": lambda _, after: _in_list(after),
    "final": lambda _, after: "yes" if after else "no",
    "result": lambda _, after: after["ended_by"] if after else NONE,
}
_READ: dict[str, Callable[[Any, str], Json]] = {
    "rules": _read_rules,
    "seats": _read_seats,
    "gryphon": lambda now, words: _seat(now)(words),
    "round": lambda _, words: _number(words),
    "phase": lambda _, words: words,
    "tower": lambda _, words: words.split(),
    "figures": lambda now, words: now["figures"] | _pairs(words, lambda w: _one_of(w, now["figures"]), _square),
    "lying": lambda now, words: _listed(words, _hero_of(now)),
    "hands": lambda now, words: now["hands"] | _pairs(words, _seat(now), _numbers),
    "rests": lambda now, words: now["rests"] | _pairs(words, _seat(now), _number),
    "cards": lambda now, words: _pairs(words, _seat(now), _number),
    "queue": lambda now, words: _listed(words, _seat(now)),
    "turn": _read_turn,
    "out": lambda now, words: _listed(words, _seat(now)),
    "final": lambda _, words: _one_of(words, ("yes", "no")) == "yes",
    "result": _read_result,
}
