"""What the table itself tells, beside what the game tells: who locks in, what is put right, who plays a seat.

Pure functions of a state and what the journal keeps, so that a game and its story are told alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.base import Game, Json, Message, Refusal, Switch, msg

LOCKS_DROPPED = msg("All cards of this round are unlocked: choose again.")
STANDS = msg("It counts anyway. The table decided.")
PUT_RIGHT = msg("Put right. The game goes on from here.")
TAKEN_BACK = msg("Taken back.")
STRICT = msg("The referee is strict and lets nothing stand. The setting for the referee changes that.")


def locked_in(seat: str) -> Message:
    """A seat has made its secret choice; which one is told at the reveal."""
    return msg("{seat:seat} has locked in.", seat=seat)


def unlocked(seat: str) -> Message:
    """A seat has taken its secret choice back."""
    return msg("{seat:seat} has taken the card back.", seat=seat)


def taken_back(what: Message) -> Message:
    """An act was taken back."""
    return msg("Taken back: {what}", what=what)


def is_taken_back(messages: Sequence[Message]) -> bool:
    """Whether they tell that an act was taken back; one at the table, and not that the app was put right."""
    return TAKEN_BACK in messages or any(
        m.id == taken_back(m).id and m.params["what"] != PUT_RIGHT for m in messages
    )


def changed_rules(game: Game[Any, Any, Any], data: Mapping[str, Json]) -> list[tuple[Switch, str | int]]:
    """The house rules that a put-right changes, with their new values."""
    before, after = data["before"].get("rules", {}), data["after"].get("rules", {})
    changed = []
    for switch in game.rulebook.switches:
        value = after.get(switch.id, switch.values[0])
        if value != before.get(switch.id, switch.values[0]):
            changed.append((switch, value))
    return changed


def put_right(game: Game[Any, Any, Any], state: Any, data: Mapping[str, Json]) -> list[Message]:
    """A put-right out of the journal; `state`: from before."""
    if data["refused"] is not None:
        return [_stands(game, state, data["refused"])]
    told = [
        msg(
            "House rule changed: {question} {answer}",
            question=Message(switch.text),
            answer=Message(switch.meanings[switch.values.index(value)]),
        )
        for switch, value in changed_rules(game, data)
    ]
    if not told or set(data["after"]) != {"rules"}:
        told.append(PUT_RIGHT)
    return told


def _stands(game: Game[Any, Any, Any], state: Any, refused: Json) -> Message:
    try:
        game.decide(state, game.choice_from_json(state, refused))
    except Refusal as refusal:
        return msg("Against the rule, but it stands: {why:message}", why=game.explain(state, refusal))
    # a later rule book allows what an earlier one refused
    return STANDS


def handed(game: Game[Any, Any, Any], seat: str, old: str | None, new: str) -> Message:
    """Somebody else plays a seat from now on. old: who did until now, where that is known; new: empty for nobody.

    Whoever is called as the colour of the seat has no name.
    """
    colour = game.term("seat", seat)
    person: Message | str = colour if colour is not None and old in ("", colour.id, None) else old or seat
    if not new:
        return msg("{old} gives up the seat. Anybody may play {seat:seat_colour}, or take over.", old=person, seat=seat)
    if colour is not None and new == colour.id:
        return msg("{old} gives up the seat. Somebody else plays {seat:seat_colour} now.", old=person, seat=seat)
    if not old:
        return msg("{new} plays {seat:seat_colour} from now on.", new=new, seat=seat)
    return msg("{old} gives up the seat. {new} plays {seat:seat_colour} from now on.", old=person, new=new, seat=seat)


def card_unlocked(seat: str) -> Message:
    """The lock of a seat that was handed over is withdrawn."""
    return msg("The card of {seat:seat_colour} is unlocked: choose again.", seat=seat)
