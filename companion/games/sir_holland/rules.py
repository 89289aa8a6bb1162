"""The rules of Sir Holland: which choices are legal, what they lead to, and what the state is afterwards.

`decide` judges and may refuse, `apply` remembers and never refuses. Rules R.. and rulings A.. are those of rulebook.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.games.base import Refusal
from companion.games.sir_holland import desk
from companion.games.sir_holland.paths import (
    NoStep,
    above,
    below,
    climbs,
    other_passage,
    portal_rides,
    villain_paths,
    villain_steps,
    walk_cost,
    walks,
)
from companion.games.sir_holland.state import (
    CAPTURE,
    CARDS,
    CHASE,
    CLIMB,
    DUNGEON,
    DUNGEONS,
    EXPLOSION,
    HIDE,
    POINTS,
    PORTAL,
    PORTALS,
    REST,
    ROOF,
    ROOM,
    SPECIALS,
    SQUARES,
    VILLAINS,
    Choice,
    Climb,
    End,
    Event,
    Explode,
    Exploded,
    Fall,
    FallWaits,
    GameOver,
    HeroFell,
    HeroHidden,
    HeroMoved,
    HeroSaved,
    Hide,
    Lock,
    Locked,
    Move,
    MoveVillain,
    Opened,
    Outcome,
    Pending,
    Rest,
    Rested,
    Revealed,
    RoundBegan,
    State,
    Tower,
    Turn,
    TurnBegan,
    TurnEnded,
    Unlock,
    Unlocked,
    UsePortal,
    VillainMoved,
    card_at,
    heroes,
    level,
    owner,
)

Events = tuple[Event, ...]


# --- who is where -----------------------------------------------------------------------------------------------


def heroes_on(state: State, square: str, but: str = "") -> list[str]:
    """The heroes on a square, without `but`."""
    return [f for f, s in state.figures.items() if s == square and f != but and f not in VILLAINS]


def villains_on(state: State, square: str, but: str = "") -> list[str]:
    """The villains on a square, without `but`."""
    return [v for v in VILLAINS if state.figures[v] == square and v != but]


def saved(state: State, seat: str) -> int:
    """How many heroes of a seat stand on the terrace (R40)."""
    return sum(state.figures[h] == ROOF for h in heroes(seat))


def sits_out(state: State, seat: str) -> bool:
    """With `third_rest: pass`, a seat that has rested twice and holds only card 7 has no turn (A48, A49)."""
    return state.rules.third_rest == "pass" and state.rests[seat] >= 2 and state.hands[seat] == (REST,)


def locked(state: State) -> list[str]:
    """The seats that need not choose any more in this round, in order of seats."""
    return [s for s in state.seats if s in state.locks or sits_out(state, s)]


def lies_at(state: State, square: str) -> bool:
    """Whether a hero lies after it came to rest on `square`: only in the secret room (R36, A20)."""
    return square != ROOF and card_at(state.tower, square) == ROOM


# --- decide -----------------------------------------------------------------------------------------------------


def decide(state: State, choice: Choice) -> Events:
    """What a choice leads to, up to the next choice that somebody has to make; raises Refusal."""
    if state.phase == "over":
        raise Refusal("R74" if state.result and state.result.ended_by == "rested" else "R72", "game_over", code="over")
    if isinstance(choice, Lock | Unlock):
        events: Events = _lock(state, choice) if isinstance(choice, Lock) else _unlock(state, choice)
    else:
        events = _act(state, choice)
    return _follow_up(state, events)


def _lock(state: State, choice: Lock) -> Events:
    seat, card = choice.seat, choice.card
    if state.phase != "choose":
        raise Refusal("R21", "cards_are_open", seat=seat)
    if sits_out(state, seat):
        raise Refusal("A49", "sits_out", seat=seat)
    if seat in state.locks:
        raise Refusal("R21", "already_locked", seat=seat)
    if card not in state.hands[seat]:
        raise Refusal("R25", "card_used", seat=seat, card=card, hand=state.hands[seat])
    if card == REST and state.rules.third_rest == "pass" and state.rests[seat] >= 2:
        raise Refusal("A48", "third_rest", seat=seat)
    return (Locked(seat, card),)


def _unlock(state: State, choice: Unlock) -> Events:
    if state.phase != "choose":
        raise Refusal("R21", "cards_are_open", seat=choice.seat)
    if choice.seat not in state.locks:
        raise Refusal("R21", "not_locked", seat=choice.seat)
    return (Unlocked(choice.seat),)


def _act(state: State, choice: Choice) -> Events:
    turn = state.turn
    if turn is None:
        raise Refusal("R21", "choose_first", seat=choice.seat)
    if turn.pending:
        return _pending_fall(state, turn.pending, choice)
    if choice.seat != turn.seat:
        raise Refusal("R22", "not_your_turn", seat=choice.seat, acting=turn.seat)
    if isinstance(choice, Fall):
        raise Refusal("A7", "nobody_falls", seat=choice.seat)
    if (turn.card == REST) != isinstance(choice, Rest):
        if turn.card == REST:
            raise Refusal("R66", "must_rest", seat=turn.seat)
        raise Refusal("R29", "not_on_card", seat=turn.seat, card=turn.card, other=REST)
    match choice:
        case Rest():
            return Rested(turn.seat, state.rests[turn.seat] + 1), TurnEnded(turn.seat)
        case End():
            return (TurnEnded(turn.seat),)
        case Move():
            return _move(state, turn, choice)
        case Climb():
            return _climb(state, turn, choice)
        case UsePortal():
            return _portal(state, turn, choice)
        case MoveVillain():
            return _villain(state, turn, choice)
        case Hide():
            return _hide(state, turn, choice)
        case Explode():
            return _explode(state, turn, choice)
        case _:
            raise AssertionError(choice)


def _pending_fall(state: State, pending: Pending, choice: Choice) -> Events:
    seat = owner(pending.hero)
    if not isinstance(choice, Fall) or choice.seat != seat or choice.hero != pending.hero:
        raise Refusal("A7", "fall_first", seat=seat, hero=pending.hero, to=pending.to)
    if choice.to not in pending.to:
        raise Refusal("A7", "fall_there", seat=seat, hero=pending.hero, at=choice.to, to=pending.to)
    return (HeroFell(pending.hero, state.figures[pending.hero], choice.to),)


def _own_hero(state: State, turn: Turn, hero: str) -> str:
    """The square of a hero that the acting seat may move (R28, R40, A42)."""
    if hero in VILLAINS or owner(hero) != turn.seat:
        if hero in VILLAINS:
            raise Refusal("R28", "no_hero", villain=hero)
        raise Refusal("R28", "not_your_hero", seat=turn.seat, hero=hero, owner=owner(hero), own=heroes(turn.seat))
    square = state.figures[hero]
    if square == ROOF:
        raise Refusal("R40", "already_saved", hero=hero)
    if turn.card == HIDE and hero in turn.used:
        raise Refusal("A42", "hidden_now", hero=hero)
    return square


def _special(state: State, turn: Turn, card: int, *, also: int = 0) -> None:
    """Refuse unless the card in play has this special half and something of it is left (R29, A37)."""
    if turn.card not in (card, also):
        raise Refusal("R29", "not_on_card", seat=turn.seat, card=turn.card, other=card)
    if turn.special == 0:
        # used up, or perhaps closed by the other half, where that was begun (A37)
        if turn.points < POINTS[turn.card] and state.rules.interleave == "off":
            raise Refusal("A37", "special_closed", seat=turn.seat, card=turn.card)
        raise Refusal("R29", "special_used", seat=turn.seat, card=turn.card)


def _no_points(state: State, turn: Turn) -> Refusal:
    """No movement point is left: used up (R29) or, where the other half was begun, perhaps closed by it (A37)."""
    if turn.special < SPECIALS[turn.card] and state.rules.interleave == "off":
        return Refusal("A37", "steps_closed", seat=turn.seat, card=turn.card)
    return Refusal("R29", "steps_used", seat=turn.seat)


def _same_hero(state: State, turn: Turn, hero: str) -> None:
    if turn.card == CLIMB and state.rules.climb_same_hero == "on" and turn.used and hero not in turn.used:
        raise Refusal("A24", "same_hero", hero=turn.used[0], other=hero)


def _stop(state: State, hero: str, start: str, path: tuple[str, ...]) -> None:
    """Refuse a path whose last square is none where the hero may stop, or that goes where it may not."""
    at = path[-1]
    if at == start:
        raise Refusal("R30", "back_again", hero=hero, at=at)
    if state.rules.pass_villain == "no":
        for square in path[:-1]:
            if square != ROOF and villains_on(state, square):
                raise Refusal("A11", "villain_in_the_way", hero=hero, at=square, by=villains_on(state, square)[0])
    if at == ROOF or card_at(state.tower, at) == DUNGEON:
        return
    if others := heroes_on(state, at, but=hero):
        raise Refusal("R31", "hero_there", hero=hero, at=at, by=others[0])
    if state.rules.hero_on_villain == "no_stop" and (there := villains_on(state, at)):
        raise Refusal("A10", "villain_there", hero=hero, at=at, by=there[0])


def _move(state: State, turn: Turn, choice: Move) -> Events:
    hero, path = choice.hero, choice.path
    start = _own_hero(state, turn, hero)
    if turn.points == 0:
        raise _no_points(state, turn)
    try:
        cost = walk_cost(state.tower, start, path, state.rules)
    except NoStep as fault:
        here = (start, *path)[fault.index]
        raise _no_step(state, hero, here, path[fault.index]) from None
    if cost > turn.points:
        raise Refusal("R29", "too_far", hero=hero, at=path[-1], n=cost, left=turn.points)
    if cost:
        _same_hero(state, turn, hero)
    _stop(state, hero, start, path)
    return _arrive(state, HeroMoved(hero, start, path, "points", cost))


def _no_step(state: State, hero: str, here: str, to: str) -> Refusal:
    """Why a movement point does not lead from `here` to `to`."""
    if here == ROOF:
        return Refusal("R40", "roof_ends", hero=hero)
    if other_passage(state.tower, here) == to:
        return Refusal("A29", "hop_from_start", hero=hero, at=here, to=to)
    if to == above(here):
        if card_at(state.tower, here) == PORTAL:
            return Refusal("R38", "portal_needs_card", hero=hero, at=here)
        return Refusal("R33", "no_rope", hero=hero, at=here, to=to)
    if to == below(here):
        return Refusal("A22", "not_down", hero=hero, at=here, to=to)
    return Refusal("R30", "not_next", hero=hero, at=here, to=to)


def _climb(state: State, turn: Turn, choice: Climb) -> Events:
    hero, path = choice.hero, choice.path
    _special(state, turn, CLIMB)
    start = _own_hero(state, turn, hero)
    _same_hero(state, turn, hero)
    down = state.rules.climb_down == "on"
    if path[0] != above(start) and not (down and path[0] == below(start)):
        rule = "A23" if path[0] == below(start) else "R39"
        raise Refusal(rule, "not_a_climb", hero=hero, at=start, to=path[0], up=above(start))
    if path[1:] and (path[0] == ROOF or path[1:] != (other_passage(state.tower, path[0]),)):
        raise Refusal("R39", "climb_one", hero=hero, at=path[0], to=path[1])
    _stop(state, hero, start, path)
    return _arrive(state, HeroMoved(hero, start, path, "special", 1))


def _portal(state: State, turn: Turn, choice: UsePortal) -> Events:
    hero, path = choice.hero, choice.path
    _special(state, turn, PORTALS)
    start = _own_hero(state, turn, hero)
    if card_at(state.tower, start) != PORTAL:
        raise Refusal("R29", "not_on_portal", hero=hero, at=start)
    here = start
    for square in path:
        if square == ROOF and above(here) == ROOF:
            raise Refusal("R40", "portal_ends", hero=hero)
        if square not in (above(here), below(here)):
            raise Refusal("R38", "portal_step", hero=hero, at=here, to=square)
        here = square
    if len(path) > turn.special:
        raise Refusal("R29", "portal_far", hero=hero, n=len(path), left=turn.special)
    _stop(state, hero, start, path)
    return _arrive(state, HeroMoved(hero, start, path, "special", len(path)))


def _arrive(state: State, moved: HeroMoved) -> Events:
    """A hero's move with what it brings about at its last square."""
    hero, at = moved.hero, moved.path[-1]
    if at == ROOF:
        return moved, HeroSaved(hero, second=saved(state, owner(hero)) == 1)
    if state.rules.hero_on_villain == "knocked_off" and villains_on(state, at):
        lies = lies_at(state, at)
        if not lies and card_at(state.tower, at) != DUNGEON:
            return moved, *_knock_off(state, hero, at)
    return (moved,)


def _villain(state: State, turn: Turn, choice: MoveVillain) -> Events:
    villain, path = choice.villain, choice.path
    if villain not in VILLAINS:
        raise Refusal("R42", "not_a_villain", figure=villain)
    _special(state, turn, CHASE, also=CAPTURE)
    if turn.card == CAPTURE and villain in turn.used:
        raise Refusal("A16", "villain_done", villain=villain)
    start = here = state.figures[villain]
    for square in path:
        if square == ROOF:
            raise Refusal("R43", "villain_roof", villain=villain)
        if square not in villain_steps(here, True):
            raise Refusal(_villain_rule(state, here, square), "villain_step", villain=villain, at=here, to=square)
        if state.rules.villain_in_dungeon == "forbidden" and square in DUNGEONS:
            raise Refusal("A8", "villain_dungeon", villain=villain, at=square)
        here = square
    if len(path) > turn.special:
        raise Refusal("R29", "villain_far", villain=villain, n=len(path), left=turn.special)
    if state.rules.villains_share == "no" and (other := villains_on(state, here, but=villain)):
        raise Refusal("A12", "villains_share", villain=villain, at=here, by=other[0])
    events: Events = (VillainMoved(villain, start, path),)
    if card_at(state.tower, here) != DUNGEON:
        for hero in heroes_on(state, here):
            if hero not in state.lying:
                events += _knock_off(state, hero, here, villain)
    return events


def _villain_rule(state: State, here: str, to: str) -> str:
    """Which rule forbids a villain's step: ropes R45, passages R46, any other R44."""
    if card_at(state.tower, here) == "R" and to == above(here):
        return "R45"
    return "R46" if other_passage(state.tower, here) == to else "R44"


def _knock_off(state: State, hero: str, at: str, mover: str = "") -> Events:
    """Where a hero falls that is knocked off `at` (R47 to R52, A3 to A7). `mover` has left its own square."""
    taken = {s for f, s in state.figures.items() if f not in (hero, mover)}
    column, floor = at[0], level(at)
    first = max(1, floor - state.rules.fall_distance)
    for landing in (column + str(n) for n in range(min(first, floor - 1), 0, -1)):
        if landing not in taken or card_at(state.tower, landing) == DUNGEON:
            return (HeroFell(hero, at, landing),)
    if state.rules.base_fall == "stay":
        return ()
    if column == "c":
        return (FallWaits(hero, DUNGEONS),)
    return (HeroFell(hero, at, "b1" if column == "a" else "d1"),)


def _hide(state: State, turn: Turn, choice: Hide) -> Events:
    _special(state, turn, HIDE)
    square = _own_hero(state, turn, choice.hero)
    if card_at(state.tower, square) == PORTAL:
        raise Refusal("R55", "hide_on_portal", hero=choice.hero, at=square)
    return (HeroHidden(choice.hero),)


def _explode(state: State, turn: Turn, choice: Explode) -> Events:
    _special(state, turn, EXPLOSION)
    at = choice.at
    if at == ROOF:
        raise Refusal("R60", "explode_roof")
    if (card := card_at(state.tower, at)) in (PORTAL, DUNGEON):
        raise Refusal("R61", "explode_card", at=at, terrain=card)
    if figures := [f for f, s in state.figures.items() if s == at]:
        raise Refusal("R61", "explode_figure", at=at, by=figures[0])
    return (Exploded(at),)


def _follow_up(state: State, events: Events) -> Events:
    """Add what follows by itself: the reveal, the next seat's turn, the end of the round and of the game."""
    match events[-1]:
        case Locked():
            after = apply(state, events[-1])
            if len(locked(after)) < len(state.seats):
                return events
            # in the order of seats, so that nothing tells who locked in when
            cards = {s: after.locks[s] for s in state.seats if s in after.locks}
            queue = desk.order(state.seats, state.gryphon, cards)
            return *events, Revealed(cards, queue), _begin_turn(after, queue[0], cards[queue[0]])
        case TurnEnded():
            for event in events:
                state = apply(state, event)
            if state.queue:
                return *events, _begin_turn(state, state.queue[0], state.cards[state.queue[0]])
            return *events, _end_round(state)
        case _:
            return events


def _begin_turn(state: State, seat: str, card: int) -> TurnBegan:
    stands: tuple[str, ...] = ()
    if state.rules.hide_ends == "owner_turn":
        stands = tuple(h for h in heroes(seat) if h in state.lying and not _in_room(state, h))
    return TurnBegan(seat, card, stands)


def _in_room(state: State, hero: str) -> bool:
    return lies_at(state, state.figures[hero])


def _end_round(state: State) -> GameOver | RoundBegan:
    """R72 to R75, A52 to A54: the game is over, or the next round begins."""
    rested = all(state.rests[s] >= 2 for s in state.seats)
    if any(saved(state, s) == 2 for s in state.seats):
        return GameOver(outcome(state, "saved"))
    if state.final or (rested and state.rules.extra_round == "no"):
        return GameOver(outcome(state, "rested"))
    stands: tuple[str, ...] = ()
    if state.rules.hide_ends == "round_start":
        stands = tuple(h for h in sorted(state.lying) if not _in_room(state, h))
    return RoundBegan(state.round + 1, stands, final=rested)


def outcome(state: State, ended_by: str) -> Outcome:
    """Who has won this position (R76 to R79)."""
    levels = {s: [level(q) for h in heroes(s) if (q := state.figures[h]) != ROOF] for s in state.seats}
    counts = {s: saved(state, s) for s in state.seats}
    return desk.winner(state.seats, state.gryphon, ended_by, counts, levels, state.rules, state.out)[0]


# --- apply ------------------------------------------------------------------------------------------------------


def apply(state: State | None, event: Event) -> State:
    """The state after an event. Never refuses; an event is applied only to the state that it was decided for."""
    if isinstance(event, Opened):
        return event.state
    assert state is not None, "a game begins with its opening event"
    match event:
        case Locked(seat, card):
            return state._replace(locks={**state.locks, seat: card})
        case Unlocked(seat):
            return state._replace(locks={s: c for s, c in state.locks.items() if s != seat})
        case Revealed(cards, queue):
            hands = {s: tuple(c for c in h if c != cards.get(s)) for s, h in state.hands.items()}
            return state._replace(phase="resolve", cards=cards, queue=queue, hands=hands, locks={})
        case TurnBegan(seat, card, stands):
            turn = Turn(seat, card, POINTS[card], SPECIALS[card])
            return state._replace(turn=turn, lying=state.lying.difference(stands))
        case HeroMoved():
            return _apply_move(state, event)
        case HeroSaved(hero, second):
            return state._replace(out=(*state.out, owner(hero))) if second else state
        case HeroHidden(hero):
            turn = _spend(state, "special", 1, hero)
            return state._replace(turn=turn, lying=state.lying | {hero})
        case VillainMoved(villain, _, path):
            turn = _spend(state, "special", len(path), villain)
            return state._replace(turn=turn, figures={**state.figures, villain: path[-1]})
        case HeroFell(hero, _, to):
            assert state.turn is not None
            turn = replace(state.turn, pending=None) if state.turn.pending else state.turn
            return state._replace(turn=turn, figures={**state.figures, hero: to}, lying=_lying(state, hero, to))
        case FallWaits(hero, to):
            assert state.turn is not None
            return state._replace(turn=replace(state.turn, pending=Pending(hero, to)))
        case Exploded(at):
            return _apply_explosion(state, at)
        case Rested(seat, count):
            rests = {**state.rests, seat: count}
            return state._replace(rests=rests, hands={**state.hands, seat: CARDS}, gryphon=seat)
        case TurnEnded():
            return state._replace(queue=state.queue[1:], turn=None)
        case RoundBegan(number, stands, final):
            return state._replace(
                phase="choose", round=number, final=final, cards={}, out=(), lying=state.lying.difference(stands)
            )
        case GameOver(result):
            return state._replace(phase="over", cards={}, result=result)


def _lying(state: State, hero: str, at: str) -> frozenset[str]:
    return state.lying | {hero} if lies_at(state, at) else state.lying - {hero}


def _spend(state: State, half: str, cost: int, figure: str = "") -> Turn:
    """The budget after `cost` was paid from a half; beginning one half closes the other (A37)."""
    turn = state.turn
    assert turn is not None
    if cost == 0:
        return turn
    points, special = turn.points, turn.special
    closes = state.rules.interleave == "off"
    if half == "points":
        points -= cost
        if closes and special < SPECIALS[turn.card]:
            special = 0
    else:
        special -= cost
        if closes and points < POINTS[turn.card]:
            points = 0
    used = turn.used
    if half == "special" and turn.card in (HIDE, CAPTURE):
        used = tuple(sorted({*used, figure}))
    if turn.card == CLIMB and state.rules.climb_same_hero == "on":
        used = (figure,)
    return Turn(turn.seat, turn.card, points, special, used)


def _apply_move(state: State, event: HeroMoved) -> State:
    at = event.path[-1]
    turn = _spend(state, event.half, event.cost, event.hero)
    return state._replace(turn=turn, figures={**state.figures, event.hero: at}, lying=_lying(state, event.hero, at))


def explode(tower: Tower, at: str) -> Tower:
    """The tower after the card at `at` was blown up: it goes on top of its column, those above come down (R62, R63)."""
    column, row = ord(at[0]) - 97, 5 - int(at[1])
    cards = [line[column] for line in tower]
    cards.insert(0, cards.pop(row))
    return tuple(line[:column] + card + line[column + 1 :] for line, card in zip(tower, cards, strict=True))


def _apply_explosion(state: State, at: str) -> State:
    tower = explode(state.tower, at)
    turn = _spend(state, "special", 1)
    if state.rules.explosion_figures == "ride":
        figures = {f: below(s) or s if _rides(s, at) else s for f, s in state.figures.items()}
        return state._replace(tower=tower, turn=turn, figures=figures)
    # figures keep their squares, so the secret room may come to lie under one, or leave one (switch explosion_figures)
    lying = set(state.lying)
    for hero, square in state.figures.items():
        if hero in VILLAINS or square == ROOF:
            continue
        was, now = card_at(state.tower, square) == ROOM, card_at(tower, square) == ROOM
        if now and not was:
            lying.add(hero)
        elif was and not now:
            lying.discard(hero)
    return state._replace(tower=tower, turn=turn, lying=frozenset(lying))


def _rides(square: str, at: str) -> bool:
    """Whether a figure on `square` comes down with its card when `at` is blown up (A46)."""
    return square != ROOF and square[0] == at[0] and square[1] > at[1]


# --- choices ----------------------------------------------------------------------------------------------------


def choices(state: State, seat: str | None = None) -> list[Choice]:
    """Every legal choice of every seat (or of one) that may act now, in a stable order; `unlock` is not listed."""
    if state.phase == "choose":
        return [
            Lock(s, c)
            for s in state.seats
            if s not in state.locks and seat in (None, s) and not sits_out(state, s)
            for c in state.hands[s]
            if c != REST or state.rules.third_rest == "allowed" or state.rests[s] < 2
        ]
    turn = state.turn
    if turn is None:
        return []
    if turn.pending:
        who = owner(turn.pending.hero)
        return [Fall(who, turn.pending.hero, to) for to in turn.pending.to] if seat in (None, who) else []
    if seat not in (None, turn.seat):
        return []
    if turn.card == REST:
        return [Rest(turn.seat)]
    return [*_moves(state, turn), *_specials(state, turn), End(turn.seat)]


def _taken(state: State, hero: str) -> set[str]:
    """The squares on which this hero may not stop (R31, A10)."""
    taken = {
        s
        for f, s in state.figures.items()
        if f != hero and (f not in VILLAINS or state.rules.hero_on_villain == "no_stop")
    }
    taken.difference_update(DUNGEONS, (ROOF,))
    return taken


def _walkers(state: State, turn: Turn) -> Iterator[str]:
    """The heroes of the acting seat that may still move (R40, A42)."""
    for hero in heroes(turn.seat):
        if state.figures[hero] != ROOF and not (turn.card == HIDE and hero in turn.used):
            yield hero


def _may_pass(state: State, path: tuple[str, ...]) -> bool:
    if state.rules.pass_villain == "yes":
        return True
    there = {state.figures[v] for v in VILLAINS}
    return there.isdisjoint(path[:-1])


def _bound(state: State, turn: Turn, hero: str) -> bool:
    """Whether the other half of Climb binds the card to another hero (switch climb_same_hero)."""
    return turn.card == CLIMB and state.rules.climb_same_hero == "on" and bool(turn.used) and hero not in turn.used


def _moves(state: State, turn: Turn) -> Iterator[Choice]:
    if not turn.points:
        return
    rules = state.rules
    for hero in _walkers(state, turn):
        taken, bound = _taken(state, hero), _bound(state, turn, hero)
        ways = walks(
            state.tower, state.figures[hero], turn.points, rules.rope_down == "on", rules.hop_from_start == "free"
        )
        for path, cost in ways:
            if path[-1] not in taken and not (bound and cost) and _may_pass(state, path):
                yield Move(turn.seat, hero, path)


def _specials(state: State, turn: Turn) -> Iterator[Choice]:
    if not turn.special:
        return
    match turn.card:
        case 1:
            for hero in _walkers(state, turn):
                if card_at(state.tower, state.figures[hero]) != PORTAL:
                    yield Hide(turn.seat, hero)
        case 2 | 4:
            yield from _villain_moves(state, turn)
        case 3:
            taken = set(state.figures.values())
            for square in SQUARES:
                if square not in taken and card_at(state.tower, square) not in (PORTAL, DUNGEON):
                    yield Explode(turn.seat, square)
        case 5:
            for hero in _walkers(state, turn):
                if not _bound(state, turn, hero):
                    ways = climbs(state.tower, state.figures[hero], state.rules.climb_down == "on")
                    for path in _stopping(state, hero, ways):
                        yield Climb(turn.seat, hero, path)
        case 6:
            for hero in _walkers(state, turn):
                for path in _stopping(state, hero, portal_rides(state.figures[hero], turn.special)):
                    yield UsePortal(turn.seat, hero, path)


def _stopping(state: State, hero: str, ways: tuple[tuple[str, ...], ...]) -> Iterator[tuple[str, ...]]:
    taken = _taken(state, hero)
    return (path for path in ways if path[-1] not in taken and _may_pass(state, path))


def _villain_moves(state: State, turn: Turn) -> Iterator[Choice]:
    dungeons = state.rules.villain_in_dungeon == "harmless"
    for villain in VILLAINS:
        if turn.card == CAPTURE and villain in turn.used:
            continue
        for path in villain_paths(state.figures[villain], 1, turn.special, dungeons):
            if state.rules.villains_share == "yes" or not villains_on(state, path[-1], but=villain):
                yield MoveVillain(turn.seat, villain, path)
