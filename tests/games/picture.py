"""A table of Sir Holland as a picture of text, both ways, and choices in a few words: what the tests are written in.

    R        W        P         W  W
    W        S        P:knight  R  W
    W        W        P         R  H:(red.2)
    R        S:red.1  P:wizard  W  W
    R        D        P         D  R
    roof: blue.1

Top level first, one cell a card: its letter, then who stands there; who lies is in brackets. Below the tower other
squares than the terrace may be named, too. A figure that is not drawn stands where it stood at the set-up.
Choices are the words of the protocol in one line: "move red.1 c1 d1".
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

import pytest

from companion.games.base import Refusal
from companion.games.sir_holland import SirHolland, setup
from companion.games.sir_holland.state import (
    CARDS,
    CHOICES,
    COLUMNS,
    DUNGEONS,
    REST,
    ROOF,
    SQUARES,
    VILLAINS,
    Choice,
    End,
    Event,
    Explode,
    Fall,
    Hide,
    HouseRules,
    Lock,
    Rest,
    State,
    Tower,
    Unlock,
    card_at,
    heroes,
    owner,
)
from companion.wording import Wording

GAME = SirHolland()
PLACES = (*SQUARES, ROOF)
CELL = re.compile(r"([A-Z])(?::(\S+))?")
TWO = ("red", "blue")
THREE = ("red", "blue", "green")
FOUR = ("red", "blue", "green", "yellow")

PLAIN = """
    R  W  P         W  W
    W  S  P:knight  R  W
    W  W  P         R  H
    R  S  P:wizard  W  W
    R  D  P         D  R
"""
"""The tower of the protocol's example, as it is set up."""


def plain(*lines: str) -> str:
    """That tower with some figures elsewhere: plain("b3: red.1", "e3: (blue.1)")."""
    return "\n".join([PLAIN.strip(), *lines])


# --- pictures ---------------------------------------------------------------------------------------------------


def table(
    picture: str = PLAIN, seats: Sequence[str] = TWO, gryphon: str | None = None, **rules: str | int
) -> State:
    """The table of a picture in its first round, nobody locked in; `rules` are switches."""
    tower, figures, lying = _parse(picture)
    start = {h: at for s in seats for h, at in zip(heroes(s), DUNGEONS, strict=True)} | setup.START
    assert figures.keys() <= start.keys(), f"not at this table: {figures.keys() - start.keys()}"
    return State(
        rules=HouseRules(**rules),
        seats=tuple(seats),
        gryphon=gryphon or seats[0],
        tower=tower,
        figures={f: figures.get(f, start[f]) for f in start},
        hands=dict.fromkeys(seats, CARDS),
        rests=dict.fromkeys(seats, 0),
        lying=frozenset(lying),
    )


def _parse(picture: str) -> tuple[Tower, dict[str, str], list[str]]:
    lines = picture.strip().splitlines()
    tower, figures, lying = [], {}, []
    for level, line in zip("54321", lines, strict=False):
        cells = [CELL.fullmatch(cell) for cell in line.split()]
        assert len(cells) == 5 and all(cells), line
        tower.append("".join(cell[1] for cell in cells if cell))
        for column, cell in zip(COLUMNS, cells, strict=True):
            for name in cell[2].split(",") if cell and cell[2] else ():
                figures[name.strip("()")] = column + level
                lying += [name.strip("()")] if name.startswith("(") else []
    for line in lines[5:]:
        square, *names = line.replace(":", " ").split()
        assert square in PLACES, line
        figures |= dict.fromkeys([n.strip("()") for n in names], square)
        lying += [n.strip("()") for n in names if n.startswith("(")]
    return tuple(tower), figures, lying


def draw(state: State) -> str:
    """The picture of a table, every figure in it."""
    cells = {}
    for square in SQUARES:
        there = [f"({f})" if f in state.lying else f for f, at in state.figures.items() if at == square]
        cells[square] = card_at(state.tower, square) + (":" + ",".join(there) if there else "")
    widths = {c: max(len(cells[c + level]) for level in "12345") for c in COLUMNS}
    lines = ["  ".join(cells[c + level].ljust(widths[c]) for c in COLUMNS).rstrip() for level in "54321"]
    if saved := [f for f, at in state.figures.items() if at == ROOF]:
        lines.append(f"{ROOF}: {' '.join(saved)}")
    return "\n".join(lines)


def tidy(picture: str, seats: Sequence[str] = TWO) -> str:
    """A picture as `draw` would draw it, to compare with."""
    return draw(table(picture, seats))


# --- choices in words -------------------------------------------------------------------------------------------


def say(state: State, words: str) -> Choice:
    """A choice. Who acts is who may act now, unless the words begin with a seat: "blue: end"."""
    who, _, rest = words.rpartition(": ")
    do, *names = rest.split()
    if do in ("lock", "unlock"):
        return Lock(names[0], int(names[1])) if do == "lock" else Unlock(names[0])
    if do == "fall":
        return Fall(who or owner(names[0]), names[0], names[1])
    seat = who or (state.turn.seat if state.turn else state.seats[0])
    match do:
        case "rest" | "end":
            assert not names, words
            return Rest(seat) if do == "rest" else End(seat)
        case "explode" | "hide":
            (name,) = names
            return Explode(seat, name) if do == "explode" else Hide(seat, name)
    kind = next(c for c in CHOICES if c.do == do)
    return kind(seat, names[0], tuple(names[1:]))


def play(state: State, *words: str) -> State:
    """The table after these choices, each of which has to be listed and accepted."""
    for line in words:
        state = apply(state, happens(state, line))
    return state


def happens(state: State, words: str) -> tuple[Event, ...]:
    """The events of a choice that has to be listed and accepted."""
    choice = say(state, words)
    try:
        events = GAME.decide(state, choice)
    except Refusal as refusal:
        pytest.fail(f"{words!r} is refused by {refusal.rule}: {sentence(state, refusal)}\n{draw(state)}")
    listed = choice in GAME.choices(state)
    assert listed != isinstance(choice, Unlock), f"{words!r} is accepted; listed: {listed}\n{draw(state)}"
    return events


def apply(state: State, events: Sequence[Event]) -> State:
    """The table after these events."""
    for event in events:
        state = GAME.apply(state, event)
    return state


def refused(state: State, words: str) -> str:
    """The rule that refuses a choice, which may not be listed either."""
    return _refusal(state, words).rule


def why(state: State, words: str, lang: str = "en") -> str:
    """The sentence that refuses a choice."""
    return sentence(state, _refusal(state, words), lang)


def _refusal(state: State, words: str) -> Refusal:
    choice = say(state, words)
    assert choice not in GAME.choices(state), f"{words!r} is listed\n{draw(state)}"
    try:
        GAME.decide(state, choice)
    except Refusal as refusal:
        return refusal
    return pytest.fail(f"{words!r} is accepted\n{draw(state)}")


def sentence(state: State, refusal: Refusal, lang: str = "en") -> str:
    """A refusal in words."""
    return Wording(lang, GAME.term)(GAME.explain(state, refusal))


def told(state: State, words: str) -> list[str]:
    """What the table says when a choice is played."""
    events = happens(state, words)
    say_it = Wording("en", GAME.term)
    return [say_it(m) for m in GAME.tell(state, events, apply(state, events))]


def ways(state: State, words: str) -> set[str]:
    """How the listed choices that begin with these words go on: ways(state, "move red.1") gives the paths."""
    found = set()
    for choice in GAME.choices(state):
        line = " ".join(_words(choice))
        if line.startswith(words + " "):
            found.add(line.removeprefix(words + " "))
    return found


def _words(choice: Choice) -> Sequence[str]:
    data = GAME.choice_to_json(choice)
    if data["do"] not in ("lock", "unlock"):
        del data["seat"]
    return [w for value in data.values() for w in (value if isinstance(value, list) else [str(value)])]


# --- rounds -----------------------------------------------------------------------------------------------------


def reveal(state: State, **cards: int) -> State:
    """Everyone locks in, who is not named a rest (or nothing where that seat sits out): the first turn begins."""
    for seat in state.seats:
        if ways(state, f"lock {seat}"):
            state = play(state, f"lock {seat} {cards.get(seat, REST)}")
    return state


def turn(card: int, picture: str = PLAIN, seats: Sequence[str] = TWO, **rules: str | int) -> State:
    """Red's turn with a card, while the others wait to rest."""
    return reveal(table(picture, seats, **rules), red=card)


def finish(state: State) -> State:
    """The rest of the round: everyone still to act rests or ends the turn."""
    number = state.round
    while state.phase == "resolve" and state.round == number:
        assert state.turn
        state = play(state, "rest" if state.turn.card == REST else "end")
    return state


def rounds(state: State, *played: Mapping[str, int]) -> State:
    """Whole rounds in which nobody does more than rest or end the turn."""
    for cards in played:
        state = finish(reveal(state, **cards))
    return state


def after(state: State, **fields: object) -> State:
    """The same table with other fields: rests, round, hands."""
    return state._replace(**fields)


def opened(seats: Sequence[str] = TWO, seed: int = 1, **options: object) -> State:
    """A new game as the protocol opens it."""
    (event,) = GAME.open(seats, options, random.Random(seed))
    return GAME.apply(None, event)


FIGURES = (*(h for s in FOUR for h in heroes(s)), *VILLAINS)
