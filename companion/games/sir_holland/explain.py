"""Sir Holland in words: names of things, why a choice is refused, what happened, who does what now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.base import Json, Message, Refusal, msg, msgn
from companion.games.sir_holland import desk
from companion.games.sir_holland.state import (
    COLOURS,
    DUNGEON,
    REST,
    ROOF,
    ROOM,
    SQUARES,
    VILLAINS,
    Event,
    Exploded,
    FallWaits,
    GameOver,
    HeroFell,
    HeroHidden,
    HeroMoved,
    HeroSaved,
    Locked,
    Opened,
    Rested,
    Revealed,
    RoundBegan,
    State,
    Turn,
    TurnBegan,
    TurnEnded,
    Unlocked,
    VillainMoved,
    card_at,
    heroes,
    owner,
)

# --- names ------------------------------------------------------------------------------------------------------

SEATS = {"red": msg("Red"), "blue": msg("Blue"), "green": msg("Green"), "yellow": msg("Yellow")}
VILLAIN_NAMES = {"wizard": msg("the Dark Wizard"), "knight": msg("the Black Knight")}
CARD_NAMES = {
    1: msg("Hide"),
    2: msg("Chase"),
    3: msg("Explosion"),
    4: msg("Capture"),
    5: msg("Climb"),
    6: msg("Portal"),
    7: msg("Rest"),
}
SPECIAL_WORDS = {
    1: msg("hide a hero"),
    2: msg("move a villain"),
    3: msg("blow up a card"),
    4: msg("move the villains"),
    5: msg("climb"),
    6: msg("use the portals"),
}
"""What each card allows beside the steps of heroes; follows on "you cannot ..."."""
TERRAIN = {
    "P": msg("a portal"),
    "D": msg("a dungeon"),
    "R": msg("a rope"),
    "S": msg("a secret passage"),
    "H": msg("the secret room"),
    "W": msg("a wall"),
}
TERRAIN_CARDS = {
    "P": msg("portals"),
    "D": msg("dungeons"),
    "R": msg("ropes"),
    "S": msg("secret passages"),
    "H": msg("secret rooms"),
    "W": msg("walls"),
}


def term(kind: str, value: Json) -> Message | None:
    """The name of a seat, figure, card, square or kind of tower card."""
    match kind:
        case "seat":
            return SEATS.get(value)
        case "figure":
            if value in VILLAINS:
                return VILLAIN_NAMES[value]
            seat, _, number = str(value).partition(".")
            return msg("{colour:seat_colour} {n}", colour=seat, n=number) if seat in COLOURS else None
        case "seat_colour":
            return SEATS.get(value)
        case "card":
            return msg("{n} ({name:card_name})", n=value, name=value) if value in CARD_NAMES else None
        case "card_name":
            return CARD_NAMES.get(value)
        case "special":
            return SPECIAL_WORDS.get(value)
        case "square":
            return msg("the terrace") if value == ROOF else None
        case "terrain":
            return TERRAIN.get(value)
        case "terrain_cards":
            return TERRAIN_CARDS.get(value)
        case _:
            return None


# --- refusals and faults ----------------------------------------------------------------------------------------

_SENTENCES = {
    # choosing
    "game_over": msg("The game is over."),
    "cards_are_open": msg("{seat:seat}, the cards of this round are already open. Choose again in the next round."),
    "sits_out": msg("{seat:seat} has rested twice and holds only 7 (Rest): the house rule says to sit this round out."),
    "already_locked": msg("{seat:seat} has locked in a card already. Take it back first."),
    "card_used": msg("{seat:seat} has used {card:card} and gets it back by resting. Still in hand: {hand:numbers}."),
    "third_rest": msg("{seat:seat} has rested twice. The house rule allows no third rest: choose another card."),
    "others_card": msg("{seat:seat}, that is a card of {owner:seat}. Lay one of your own."),
    "not_locked": msg("{seat:seat} has no card locked in."),
    "choose_first": msg("{seat:seat}, first everyone chooses a card. Moves come after the reveal."),
    # whose turn
    "not_your_turn": msg("It is not the turn of {seat:seat}. {acting:seat} acts now."),
    "fall_first": msg("{hero:figure} is falling. First {seat:seat} picks where to: {to:squares_or}."),
    "fall_there": msg("{hero:figure} cannot fall to {at:square}. {seat:seat} picks {to:squares_or}."),
    "nobody_falls": msg("{seat:seat}, no hero is falling now."),
    "must_rest": msg("{seat:seat} played 7 (Rest): take all cards back and the gryphon. Nothing else can be done."),
    "not_on_card": msg("{seat:seat} played {card:card}. That card does not allow this; {other:card} does."),
    "steps_used": msg("{seat:seat}, your heroes have no steps left."),
    "steps_closed": msg(
        "{seat:seat}, your heroes have no steps left. Walk all your steps in one go, before or after you"
        " {card:special}."
    ),
    "special_used": msg("{seat:seat}, you cannot {card:special} any more: that is used up."),
    "special_closed": msg(
        "{seat:seat}, you cannot {card:special} any more: that is used up, or a hero has walked since. Finish one"
        " thing, then begin the other."
    ),
    # heroes
    "not_your_hero": msg("{hero:figure} belongs to {owner:seat}. {seat:seat} moves only {own:figures}."),
    "no_hero": msg("{villain:figure} is a villain. Only 2 (Chase) and 4 (Capture) move villains."),
    "already_saved": msg("{hero:figure} is saved on the terrace and moves no more."),
    "hidden_now": msg("{hero:figure} has just hidden and stays down this turn. Move first, then hide."),
    "same_hero": msg(
        "The house rule says: all of this card is for one hero, and that is {hero:figure}, not {other:figure}."
    ),
    "back_again": msg("{hero:figure} would end where it began, on {at:square}. A move ends on another square."),
    "villain_in_the_way": msg(
        "{hero:figure} cannot pass {at:square}: {by:figure} stands there, and the house rule closes the way."
    ),
    "hero_there": msg(
        "{hero:figure} cannot stop on {at:square}: {by:figure} stands there. One hero per card, dungeons excepted."
    ),
    "villain_there": msg(
        "{hero:figure} cannot stop on {at:square}: {by:figure} stands there. Walk past, or stop before or after it."
    ),
    "too_far": msgn(
        "{hero:figure} needs {n} step to {at:square}. Hero steps left: {left}.",
        "{hero:figure} needs {n} steps to {at:square}. Hero steps left: {left}.",
    ),
    "roof_ends": msg("{hero:figure} is saved on the terrace. The way ends there."),
    "hop_from_start": msg(
        "{hero:figure} cannot hop from {at:square} to {to:square}: a passage carries only a hero that has just"
        " stepped onto it."
    ),
    "portal_needs_card": msg(
        "{hero:figure} stands on the portal {at:square}. Only 6 (Portal) or 5 (Climb) leads up from there."
    ),
    "no_rope": msg("{hero:figure} cannot go up from {at:square}: no rope lies there. A rope or 5 (Climb) leads up."),
    "not_down": msg("{hero:figure} cannot go down from {at:square}. Steps lead sideways, ropes lead up."),
    "not_next": msg(
        "{hero:figure} cannot step from {at:square} to {to:square}. A step leads to the next square on the same level."
    ),
    "not_a_climb": msg(
        "{hero:figure} cannot climb from {at:square} to {to:square}. 5 (Climb) leads one level up, to {up:square}."
    ),
    "climb_one": msg(
        "{hero:figure} cannot go on from {at:square} to {to:square}: 5 (Climb) gives one level. Only a secret"
        " passage leads on, to the other one."
    ),
    "not_on_portal": msg(
        "{hero:figure} stands on {at:square}, which is no portal. 6 (Portal) moves heroes on portals, up or down."
    ),
    "portal_ends": msg(
        "Portals end at level 5: {hero:figure} cannot reach the terrace with one. A rope or 5 (Climb) leads out."
    ),
    "portal_step": msg(
        "{hero:figure} cannot go from {at:square} to {to:square} by portal. 6 (Portal) leads one square up or down"
        " column c."
    ),
    "portal_far": msgn(
        "{hero:figure} would need {n} portal step. Portal steps left: {left}.",
        "{hero:figure} would need {n} portal steps. Portal steps left: {left}.",
    ),
    "hide_on_portal": msg("{hero:figure} cannot hide on {at:square}: that is a portal. Any other card will do."),
    # villains
    "not_a_villain": msg(
        "{figure:figure} is no villain. This part of the card moves the Dark Wizard or the Black Knight."
    ),
    "villain_done": msg("{villain:figure} has moved already. With this card each villain moves once."),
    "villain_roof": msg("{villain:figure} cannot leave the tower."),
    "villain_step": msg(
        "{villain:figure} cannot go from {at:square} to {to:square}. Villains step sideways, and up or down only on"
        " the portals; ropes and passages do not carry them."
    ),
    "villain_dungeon": msg("{villain:figure} cannot enter the dungeon {at:square}: the house rule keeps villains out."),
    "villain_far": msgn(
        "{villain:figure} would need {n} step. Villain steps left: {left}.",
        "{villain:figure} would need {n} steps. Villain steps left: {left}.",
    ),
    "villains_share": msg(
        "{villain:figure} cannot stop on {at:square}: {by:figure} stands there, and the house rule keeps them apart."
    ),
    # explosion
    "explode_roof": msg("The terrace is no card of the tower. Choose a card on levels 1 to 5."),
    "explode_card": msg("{at:square} is {terrain:terrain}. Portals and dungeons cannot be blown up."),
    "explode_figure": msg("{by:figure} stands on {at:square}. Only a card without any figure can be blown up."),
    # set-up and positions
    "seat_count": msg("The game is for 2 to 4 seats, not {n}."),
    "unknown_colour": msg('No seat can be called "{name}": the colours are red, blue, green and yellow.'),
    "colour_twice": msg("{seat:seat} sits here twice. Every seat has a colour of its own."),
    "gryphon_not_seated": msg("The gryphon must go to a seat at this table; {seat:seat} does not sit here."),
    "villains_start": msg("The villains start on c2 and c4, one on each."),
    "base_rope": msg("{at:square} must be a rope: the base has one at each end."),
    "level_rope": msg("Level {n} has no rope. Every level has one."),
    "level_passage": msg("The secret passages lie one on level 2 and one on level 4. Look at level {n}."),
    "portal_column": msg("{at:square} must be a portal: the middle column is all portals."),
    "dungeon_place": msg("{at:square} must be a dungeon: they lie beside the lowest portal."),
    "card_count": msg("Count the {terrain:terrain_cards}: the tower has {n}, here I see {found}."),
    "outside": msg('{figure:figure} cannot stand on "{at}". Squares are a1 to e5; the terrace is for heroes only.'),
    "two_heroes": msg("{figures:figures} stand together on {at:square}. One hero per card, dungeons excepted."),
    "no_card": msg("{seat:seat} has no card left in hand. 7 (Rest) stays until it is played."),
    "no_rest": msg("7 (Rest) is missing in the hand of {seat:seat}. It stays there until it is played."),
    "played_in_hand": msg("{card:card} of {seat:seat} is played and in hand at the same time."),
    "hand_and_rests": msg("The hand of {seat:seat} does not fit the round and the rests."),
    "nobody_can_choose": msg("Nobody could choose a card: all would sit out."),
    "not_out": msg("{seat:seat} is named as out, but its heroes are not both on the terrace."),
    "no_card_played": msg("{seats:seats} must have played a card in this round."),
    "wrong_queue": msg("The order of play does not follow from the cards and the gryphon."),
    "turn_missing": msg("Played cards, order and turn make sense only while a round is played."),
    "locked_late": msg("Locked seats make sense only while cards are chosen."),
    "wrong_turn": msg("The turn must be that of the first seat in the order, with the card it played."),
    "wrong_budget": msg("{card:card} of {seat:seat} cannot have that much left."),
    "wrong_pending": msg("The fall of {hero:figure} cannot wait for a pick there."),
    "result_missing": msg("A result makes sense only after the end."),
    "wrong_result": msg("The result does not follow from the position: {seat:seat} wins it."),
}


def sentence(refusal: Refusal) -> Message:
    """Why, and what would be right."""
    said = _SENTENCES[refusal.reason]
    return Message(said.id, refusal.facts, said.many)


# --- who does what now ------------------------------------------------------------------------------------------


def awaited(state: State, choosing: Sequence[str], stuck: bool = False) -> list[tuple[str, Message]]:
    """Who does what now. `choosing`: the seats that have still to lock in; `stuck`: a turn can only be ended."""
    if state.phase == "choose":
        return [(s, msg("{seat:seat}, choose a card in secret.", seat=s)) for s in choosing]
    turn = state.turn
    if turn is None:
        return []
    if turn.pending:
        seat = owner(turn.pending.hero)
        text = msg(
            "{seat:seat}, where does {hero:figure} fall? Pick {to:squares_or}.",
            seat=seat,
            hero=turn.pending.hero,
            to=turn.pending.to,
        )
        return [(seat, text)]
    if turn.card == REST:
        return [(turn.seat, msg("{seat:seat}, rest: take all your cards and the gryphon.", seat=turn.seat))]
    if not turn.points and not turn.special:
        return [(turn.seat, msg("{seat:seat}, that was your card. End your turn.", seat=turn.seat))]
    if stuck:
        return [(turn.seat, msg("{seat:seat}, nothing more can be done. End your turn.", seat=turn.seat))]
    return [(turn.seat, _task(turn, sum(state.figures[h] != ROOF for h in heroes(turn.seat))))]


_BOTH = {
    1: msg("{seat:seat}, move a hero, hide one, or do both."),
    2: msg("{seat:seat}, move your heroes, a villain, or both."),
    3: msg("{seat:seat}, move heroes, blow up a card, or do both."),
    4: msg("{seat:seat}, move a hero, the villains, or both."),
    5: msg("{seat:seat}, move a hero, climb with one, or do both."),
    6: msg("{seat:seat}, move a hero, use portals, or do both."),
}
_SECOND = {
    1: msg("{seat:seat}, you may still hide a hero."),
    2: msg("{seat:seat}, you may still move a villain."),
    3: msg("{seat:seat}, you may still blow up a card."),
    4: msg("{seat:seat}, you may still move the villains."),
    5: msg("{seat:seat}, you may still climb with a hero."),
    6: msg("{seat:seat}, you may still use the portals."),
}


def _task(turn: Turn, inside: int) -> Message:
    """inside: how many heroes of the seat are still in the tower."""
    if not turn.special:
        able = min(turn.points, inside)
        return msgn(
            "{seat:seat}, you may still move a hero.",
            "{seat:seat}, you may still move your heroes.",
            seat=turn.seat,
            n=able,
        )
    return Message((_BOTH if turn.points else _SECOND)[turn.card].id, {"seat": turn.seat})


# --- what happened ----------------------------------------------------------------------------------------------


def tell(before: State | None, events: Sequence[Event], after: State) -> list[Message]:
    """What happened, in words, once for all events of one request. Never says which card is locked."""
    told: list[Message] = []
    for last, event in zip((None, *events), events, strict=False):
        if isinstance(event, TurnBegan) and isinstance(last, Revealed):
            # the order has just told who acts, and with what
            told += _stand(event.stands)
        else:
            told += _told(before or after, event, after)
    return told


def _told(before: State, event: Event, after: State) -> list[Message]:
    match event:
        case Opened(state):
            return [
                msg(
                    "The tower stands. {seat:seat} holds the gryphon. Everyone, choose a card in secret.",
                    seat=state.gryphon,
                )
            ]
        case Locked(seat, _):
            return [msg("{seat:seat} has locked in.", seat=seat)]
        case Unlocked(seat):
            return [msg("{seat:seat} has taken the card back.", seat=seat)]
        case Revealed(cards, queue):
            return _order(before.gryphon, cards, queue)
        case TurnBegan(seat, card, stands):
            return [*_stand(stands), msg("{seat:seat} acts now with {card:card}.", seat=seat, card=card)]
        case HeroMoved(hero, start, path, _, _):
            return [_moved(hero, path), *_lies_in_room(before, hero, path[-1])]
        case HeroSaved(hero, second):
            seat = owner(hero)
            if second:
                text = msg(
                    "{hero:figure} is saved. Both heroes of {seat:seat} are out: this is the last round.",
                    hero=hero,
                    seat=seat,
                )
                return [text]
            return [msg("{hero:figure} is saved.", hero=hero)]
        case HeroHidden(hero):
            return [msg("{hero:figure} hides: lay the figure down.", hero=hero)]
        case VillainMoved(villain, _, path):
            return [_moved(villain, path)]
        case HeroFell(hero, start, to):
            if card_at(before.tower, to) == DUNGEON:
                text = msg(
                    "{hero:figure} is knocked off {start:square} and falls into the dungeon {to:square}.",
                    hero=hero,
                    start=start,
                    to=to,
                )
            else:
                text = msg(
                    "{hero:figure} is knocked off {start:square} and falls to {to:square}.",
                    hero=hero,
                    start=start,
                    to=to,
                )
            return [text, *_lies_in_room(before, hero, to)]
        case FallWaits(hero, to):
            return [
                msg(
                    "{hero:figure} is knocked off and finds no free square below. {seat:seat} picks {to:squares_or}.",
                    hero=hero,
                    seat=owner(hero),
                    to=to,
                )
            ]
        case Exploded(at):
            return _exploded(before, at, after)
        case Rested(seat, count):
            return _rested(seat, count)
        case RoundBegan(number, stands, final):
            told = [msg("Round {n} begins. {seat:seat} holds the gryphon.", n=number, seat=after.gryphon)]
            if final:
                told = [msg("Everyone has rested twice. This is the last round.")]
            return [*_stand(stands), *told]
        case TurnEnded(seat) if before.cards.get(seat) != REST:
            return [msg("{seat:seat} ends the turn.", seat=seat)]
        case GameOver(result):
            return [*(s.message for s in decision(before, after)), msg("{seat:seat} wins!", seat=result.winner)]
        case _:
            return []


def _order(gryphon: str, cards: Mapping[str, int], queue: Sequence[str]) -> list[Message]:
    """Who goes first and why, and who follows. Two sentences at most: nobody waits for a long speech."""
    same = {card: [s for s in queue if cards[s] == card] for card in cards.values()}
    first, *rest = queue
    told = [_first(gryphon, cards[first], same[cards[first]])]
    # among four seats there is one tie at most behind the first
    tie = next((s for s in rest if cards[s] != cards[first] and len(same[cards[s]]) > 1), None)
    if tie is not None and same[cards[tie]] == rest:
        text = msg(
            "Then {seats:seats}, who played {card:card}: {holder:seat} has the gryphon.",
            seats=rest,
            card=cards[tie],
            holder=gryphon,
        )
        told.append(text)
    elif tie is not None:
        text = msg(
            "Then {seats:seats}: {tied:seats} played {card:card}, and {holder:seat} has the gryphon.",
            seats=rest,
            tied=same[cards[tie]],
            card=cards[tie],
            holder=gryphon,
        )
        told.append(text)
    elif rest:
        told.append(msg("Then {seats:seats}.", seats=rest))
    return told


def _first(gryphon: str, card: int, tied: Sequence[str]) -> Message:
    """Why the first of these goes first of all."""
    seat = tied[0]
    if len(tied) == 1:
        return msg("{seat:seat} goes first with {card:card}, the lowest number.", seat=seat, card=card)
    if seat == gryphon:
        return msg(
            "{tied:seats} played {card:card}: {seat:seat} has the gryphon and goes first.",
            tied=tied,
            card=card,
            seat=seat,
        )
    return msg(
        "{tied:seats} played {card:card}: counting to the left from {holder:seat}, who has the gryphon, {seat:seat}"
        " comes first.",
        tied=tied,
        card=card,
        holder=gryphon,
        seat=seat,
    )


def _moved(figure: str, path: Sequence[str]) -> Message:
    if path[-1] == ROOF:
        return msg("{figure:figure} goes up to the terrace.", figure=figure)
    if len(path) == 1:
        return msg("{figure:figure} goes to {to:square}.", figure=figure, to=path[-1])
    return msg("{figure:figure} goes over {over:squares} to {to:square}.", figure=figure, over=path[:-1], to=path[-1])


def _lies_in_room(state: State, hero: str, at: str) -> list[Message]:
    if at != ROOF and card_at(state.tower, at) == ROOM:
        return [msg("{hero:figure} lies down in the secret room.", hero=hero)]
    return []


def _stand(stands: Sequence[str]) -> list[Message]:
    return [msg("Stand {figures:figures} up again.", figures=list(stands))] if stands else []


def _exploded(before: State, at: str, after: State) -> list[Message]:
    if at[1] == "5":
        return [msg("{at:square} blows up and lands where it was: it lay on top already.", at=at)]
    told = [
        msg(
            "{at:square} blows up: take the card out, slide those above it down, lay it on top of column {column}.",
            at=at,
            column=at[0],
        )
    ]
    rode = [f for f in after.figures if before.figures[f] != after.figures[f]]
    if rode:
        text = msgn(
            "{figures:figures} comes down with its card.",
            "{figures:figures} come down with their cards.",
            figures=rode,
            n=len(rode),
        )
        told.append(text)
    return told


def _rested(seat: str, count: int) -> list[Message]:
    told = [msg("{seat:seat} rests, takes all cards back and takes the gryphon.", seat=seat)]
    if count == 1:
        told.append(msg("First rest: turn your character card sideways."))
    elif count == 2:
        told.append(msg("Second rest: turn your character card face down."))
    return told


# --- what is taken back -----------------------------------------------------------------------------------------


def put_back(done: State, before: State) -> list[Message]:
    """What hands do with the cardboard when what led from `before` to `done` is taken back."""
    if done.tower != before.tower:
        at = next(s for s in SQUARES if card_at(done.tower, s) != card_at(before.tower, s))
        return [msg("The cards of column {column} lie as before the explosion.", column=at[0])]
    told = [m for f in before.figures if (m := _figure_back(f, done, before)) is not None]
    for seat in before.seats:
        if done.rests[seat] != before.rests[seat]:
            told.append(msg("Turn the character card of {seat:seat} back.", seat=seat))
            if out := [c for c in done.hands[seat] if c not in before.hands[seat]]:
                told.append(msg("{seat:seat} lays these cards out again: {cards:numbers}.", seat=seat, cards=out))
    if done.gryphon != before.gryphon:
        told.append(msg("Give the gryphon back to {seat:seat}.", seat=before.gryphon))
    if before.phase == "choose" and done.phase == "resolve":
        told.append(msg("Everyone takes the card of this round back in hand."))
    return told


def _figure_back(figure: str, done: State, before: State) -> Message | None:
    square, lies = before.figures[figure], figure in before.lying
    if done.figures[figure] != square:
        if lies:
            return msg("Lay {figure:figure} back down on {to:square}.", figure=figure, to=square)
        return msg("Put {figure:figure} back on {to:square}.", figure=figure, to=square)
    if lies == (figure in done.lying):
        return None
    if lies:
        return msg("Lay {figure:figure} down again.", figure=figure)
    return msg("Stand {figures:figures} up again.", figures=[figure])


def decision(before: State, over: State) -> list[desk.Step]:
    """The decision who has won, step by step."""
    assert over.result is not None
    result = over.result
    return desk.winner(over.seats, over.gryphon, result.ended_by, result.saved, result.levels, over.rules, before.out)[
        1
    ]
