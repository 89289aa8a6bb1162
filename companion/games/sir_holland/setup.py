"""How a table of Sir Holland begins: legal towers, a new game, and everything that is impossible in a position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from companion.games.base import BadSetup, Fault, Refusal
from companion.games.sir_holland import desk, explain
from companion.games.sir_holland.rules import sits_out
from companion.games.sir_holland.state import (
    CAPTURE,
    CARDS,
    CLIMB,
    COLOURS,
    DUNGEON,
    DUNGEONS,
    HIDE,
    PASSAGE,
    POINTS,
    PORTAL,
    REST,
    ROOF,
    ROOM,
    ROPE,
    SPECIALS,
    SQUARES,
    VILLAINS,
    WALL,
    HouseRules,
    Pending,
    State,
    Tower,
    Turn,
    card_at,
    heroes,
)

BASE = "RDPDR"
COUNTS = {PORTAL: 5, DUNGEON: 2, ROPE: 6, PASSAGE: 2, ROOM: 1, WALL: 9}
"""The cards of a tower (R5, A1)."""
TOWERS = 23040
"""How many legal towers there are (R16)."""
START = {"wizard": "c2", "knight": "c4"}
"""Where the villains stand if nobody says otherwise (A63)."""


def tower(number: int) -> Tower:
    """The legal tower of that number, 0..23039: ropes, passages and the room on the free places (R9 to R16)."""
    levels = {n: list("WWPWW") for n in (2, 3, 4, 5)}
    for line in levels.values():
        number, pick = divmod(number, 4)
        line[_walls(line)[pick]] = ROPE
    for n in (2, 4):
        number, pick = divmod(number, 3)
        levels[n][_walls(levels[n])[pick]] = PASSAGE
    places = [(n, column) for n, line in levels.items() for column in _walls(line)]
    n, column = places[number]
    levels[n][column] = ROOM
    return (*("".join(levels[n]) for n in (5, 4, 3, 2)), BASE)


def _walls(line: list[str]) -> list[int]:
    return [i for i, card in enumerate(line) if card == WALL]


def _draw(rng: Random, n: int) -> int:
    """0..n-1, evenly. Only random() gives the same numbers in every version of Python."""
    return int(rng.random() * n)


def deal(rng: Random) -> Tower:
    """One of the 23,040 legal towers, each as likely as any other (A64)."""
    return tower(_draw(rng, TOWERS))


def new(
    seats: Sequence[str],
    rng: Random,
    rules: HouseRules,
    tower: Tower | None = None,
    gryphon: str | None = None,
    villains: Mapping[str, str] = START,
) -> State:
    """The first state of a game; what is left out is drawn. Raises BadSetup."""
    faults = seat_faults(seats)
    if not faults:
        gryphon = seats[_draw(rng, len(seats))] if gryphon is None else gryphon
        tower = deal(rng) if tower is None else tower
        if gryphon not in seats:
            faults.append(fault("gryphon", "R20", "gryphon_not_seated", seat=gryphon))
        if sorted(villains.values()) != ["c2", "c4"]:
            faults.append(fault("villains", "R18", "villains_start"))
        faults += tower_faults(tower)
    if faults:
        raise BadSetup(faults)
    assert gryphon is not None
    assert tower is not None
    figures = {hero: at for seat in seats for hero, at in zip(heroes(seat), DUNGEONS, strict=True)}
    figures |= {v: villains[v] for v in VILLAINS}
    return State(rules, tuple(seats), gryphon, tower, figures, dict.fromkeys(seats, CARDS), dict.fromkeys(seats, 0))


def fault(at: str, rule: str, reason: str, /, **facts: Any) -> Fault:
    """A fault in words."""
    return Fault(at, rule, explain.sentence(Refusal(rule, reason, **facts)))


def seat_faults(seats: Sequence[str]) -> list[Fault]:
    """Too few or too many seats (R1), a colour that the box does not have, or one twice (R2)."""
    if not 2 <= len(seats) <= 4:
        return [fault("seats", "R1", "seat_count", n=len(seats))]
    faults = [fault(s, "R2", "unknown_colour", name=s) for s in seats if s not in COLOURS]
    return faults + [fault(s, "R2", "colour_twice", seat=s) for s in COLOURS if list(seats).count(s) > 1]


def tower_faults(tower: Tower) -> list[Fault]:
    """Every set-up rule that a new tower breaks, by place (R5, R10 to R16)."""
    faults = position_faults(tower)
    for column in "ae":
        if card_at(tower, column + "1") != ROPE:
            faults.append(fault(column + "1", "R12", "base_rope", at=column + "1"))
    for n in (2, 3, 4, 5):
        line = tower[5 - n]
        if ROPE not in line:
            faults.append(fault(f"level {n}", "R12", "level_rope", n=n))
        if (PASSAGE in line) != (n in (2, 4)) or line.count(PASSAGE) > 1:
            faults.append(fault(f"level {n}", "R13", "level_passage", n=n))
    return faults


def position_faults(tower: Tower) -> list[Fault]:
    """What no tower can have, however often it was blown up (R5, R10, R11)."""
    faults = [
        fault(f"c{n}", "R10", "portal_column", at=f"c{n}") for n in range(1, 6) if card_at(tower, f"c{n}") != PORTAL
    ]
    faults += [fault(d, "R11", "dungeon_place", at=d) for d in DUNGEONS if card_at(tower, d) != DUNGEON]
    cards = "".join(tower)
    for card, n in COUNTS.items():
        if (found := cards.count(card)) != n:
            faults.append(fault("tower", "R5", "card_count", terrain=card, n=n, found=found))
    return faults


def faults(state: State) -> list[Fault]:
    """All that is impossible on the table: tower, figures and hands, but not how the game came there."""
    found = position_faults(state.tower)
    for figure, square in state.figures.items():
        if square not in SQUARES and (square != ROOF or figure in VILLAINS):
            found.append(fault(figure, "R43", "outside", figure=figure, at=square))
    for square in SQUARES:
        if square not in DUNGEONS:
            there = [f for f, s in state.figures.items() if s == square and f not in VILLAINS]
            if len(there) > 1:
                found.append(fault(square, "R32", "two_heroes", at=square, figures=there))
    for seat in state.seats:
        if not state.hands[seat] and not (state.queue and seat in state.queue):
            found.append(fault(seat, "R26", "no_card", seat=seat))
        card = state.cards.get(seat)
        done = seat not in state.queue
        if card in state.hands[seat] and not (card == REST and done):
            found.append(fault(seat, "R25", "played_in_hand", seat=seat, card=card))
    return found


def rest_faults(state: State) -> list[Fault]:
    """Hands without 7 (Rest) (R26): sooner or later such a hand is empty, and nothing is left to play."""
    lost = [s for s in state.seats if REST not in state.hands[s] and not (s in state.queue and state.cards[s] == REST)]
    return [fault(seat, "R26", "no_rest", seat=seat) for seat in lost]


def history_faults(state: State) -> list[Fault]:
    """What cannot be reached by playing: rests and hands (R25, R66), the queue (R22 to R24), the turn (R29)."""
    found: list[Fault] = []
    for seat in state.seats:
        if not _hand_fits(state, seat):
            found.append(fault(seat, "R26", "hand_and_rests", seat=seat))
    if state.phase == "choose" and all(sits_out(state, s) for s in state.seats):
        found.append(fault("hands", "A49", "nobody_can_choose"))
    if state.phase == "resolve":
        found += _queue_faults(state)
    for seat in state.out:
        if any(state.figures[h] != ROOF for h in heroes(seat)):
            found.append(fault(seat, "R72", "not_out", seat=seat))
    return found


def _hand_fits(state: State, seat: str) -> bool:
    """Whether so many cards can be out of this hand after so many rounds and rests."""
    hand, rests, card = state.hands[seat], state.rests[seat], state.cards.get(seat)
    waits = seat in state.queue
    if state.rules.third_rest == "pass" and rests > 2:
        return False
    if REST not in hand and not (waits and card == REST):
        return False
    acted = state.round - (state.phase == "choose" or waits)
    used = len(CARDS) - len(hand) - (1 if waits and card else 0)
    if card is not None and not waits and (used == 0) != (card == REST):
        return False
    # each of the rests ended a stretch of six other cards at most; only who sits out has rounds without a card
    return rests <= acted - used and (acted - used <= 7 * rests or sits_out(state, seat))


def _queue_faults(state: State) -> list[Fault]:
    players = [s for s in state.seats if s in state.cards]
    missing = [s for s in state.seats if s not in state.cards and not sits_out(state, s)]
    if missing or not players:
        return [fault("cards", "R21", "no_card_played", seats=missing or list(state.seats))]
    if not any(_leads_to(state, holder) for holder in state.seats):
        return [fault("queue", "R23", "wrong_queue")]
    return []


def _leads_to(state: State, holder: str) -> bool:
    """Whether the queue is what is left of the order with that holder at the reveal, rests made so far included."""
    full = desk.order(state.seats, holder, state.cards)
    done = full[: len(full) - len(state.queue)]
    rested = [s for s in done if state.cards[s] == REST]
    return full[len(done) :] == state.queue and state.gryphon == (rested[-1] if rested else holder)


def turn_faults(state: State) -> list[Fault]:
    """A budget that the card in play does not give (R29, A7)."""
    turn = state.turn
    if (state.phase == "resolve") != (turn is not None):
        return [fault("turn", "R21", "turn_missing")]
    if turn is None:
        return []
    if not state.queue or turn.seat != state.queue[0] or turn.card != state.cards.get(turn.seat):
        return [fault("turn", "R22", "wrong_turn")]
    points, special = POINTS[turn.card], SPECIALS[turn.card]
    fits = turn.points <= points and turn.special <= special
    if state.rules.interleave == "off" and turn.points < points and turn.special < special:
        fits = fits and 0 in (turn.points, turn.special)
    own = set(heroes(turn.seat))
    may_be_used: set[str] = set()
    if turn.card == CAPTURE:
        may_be_used = set(VILLAINS)
        # each villain that is done has taken at least one step
        fits = fits and len(turn.used) <= special - turn.special
    elif turn.card == HIDE or (turn.card == CLIMB and state.rules.climb_same_hero == "on"):
        may_be_used = own
        fits = fits and len(turn.used) <= 1
    if not fits or not may_be_used.issuperset(turn.used):
        return [fault("turn", "R29", "wrong_budget", seat=turn.seat, card=turn.card)]
    if turn.pending and not _can_wait(state, turn, turn.pending):
        return [fault("turn", "A7", "wrong_pending", hero=turn.pending.hero)]
    return []


def _can_wait(state: State, turn: Turn, pending: Pending) -> bool:
    """Whether a hero can have been knocked off where it stands, by this card, with no free square below (A7)."""
    at = state.figures[pending.hero]
    return (
        turn.card != REST
        and state.rules.base_fall == "dungeon"
        and pending.to == DUNGEONS
        and at[0] == "c"
        and any(state.figures[v] == at for v in VILLAINS)
    )
