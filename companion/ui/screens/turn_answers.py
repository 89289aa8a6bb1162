"""What a turn asks back or explains, beside the tower: refusals, questions, what would be lost or taken back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.games import find_game
from companion.games.base import Json, Message, msg, msgn
from companion.games.sir_holland.state import (
    POINTS,
    REST,
    ROOF,
    SPECIALS,
    End,
    Fall,
    Move,
    MoveVillain,
    heroes,
    owner,
)
from companion.table.ports import Insist, Outcome, Play, PutRight, Refused, TakeBack
from companion.ui import words
from companion.ui.agree import AgreeSheet, ask_all_to_take_back, asked
from companion.ui.boards.foresight import Foreseen
from companion.ui.boards.wishes import Step, Way
from companion.ui.screens.notice import Notice, Offer
from companion.ui.screens.terrace import Terrace
from companion.ui.screens.turn_side import ACTS_NOW
from companion.ui.theme import look
from companion.ui.words import _, say

ROOM = 190
"""Letters that there is room for under the head of a refusal."""


def _later(act: Callable[..., None], *args: Any) -> Callable[[], None]:
    return lambda: act(*args)


# --- questions --------------------------------------------------------------------------------------------------


def which(screen: Any, square: str, figures: list[str]) -> Notice:
    """Several figures stand on the square: who is meant?"""
    return _whose(screen, square, figures, screen.pick, _("Who moves?"), _("More than one stands there."))


def who_came(screen: Any, square: str, figures: list[str]) -> Notice:
    """Several figures can go to the square: which one did?"""
    head = say(msg("Who went to {to:square}?", to=square))
    why = _("More than one can go there.")
    return _whose(screen, square, figures, lambda figure: screen.send_to(figure, square), head, why)


def _whose(
    screen: Any, square: str, figures: list[str], act: Callable[[str], None], question: str, why: str
) -> Notice:
    """One of the figures is meant: all of them are lit."""
    offers = [Offer(_("Nobody"), screen.calm, icon="mark_undo")]
    offers += [Offer(words.capital(words.figure_name(f)), _later(act, f), lit=True, figure=f) for f in figures]
    return Notice(why, "", offers, words=(question, _("Touch the figure.")), at=square, asks=True)


def did_it_go(screen: Any, villain: str, square: str, ways: list[Way]) -> Notice:
    """One villain can go to a square that was touched with nothing in hand: perhaps somebody only wondered."""
    head = say(msg("Did {villain:figure} go to {to:square}?", villain=villain, to=square))
    offers = [
        Offer(_("No"), screen.calm, icon="mark_undo"),
        Offer(_("Yes, it did"), _later(screen.it_went, villain, square), lit=True, icon="mark_yes"),
    ]
    start = screen.now.view["figures"][villain]
    lines = [((start, *way.choice.path), square) for way in ways]
    top = (head, _("Follow the dotted line."))
    what = _("A long touch on a square says what it is.")
    return Notice(_("Nothing has moved yet."), what, offers, words=top, lines=lines, figures=[villain], asks=True)


def which_way(screen: Any, figure: str, square: str, ways: list[Way]) -> Notice:
    """There are several ways to the square: each one is a dotted line, and says what it costs."""
    names = {"walk": _("On foot"), "passage": _("By passage"), "climb": _("Climb"), "portal": _("By portal")}
    icons = {"climb": "action_5_climb", "portal": "action_6_portal"}
    offers = [Offer(_("Neither"), screen.calm, icon="mark_undo")]
    for way in ways:
        sub = say(msgn("{n} step", "{n} steps", n=way.cost)) if way.half == "points" else _paid_with(way)
        act = _later(screen.play, way.choice, square)
        offers.append(Offer(names[way.kind], act, sub, lit=True, icon=icons.get(way.kind, "mark_steps")))
    head = say(msg("How does {figure:figure} get to {to:square}?", figure=figure, to=square))
    start = screen.now.view["figures"][figure]
    lines = [((start, *way.choice.path), square) for way in ways]
    top = (head, _("There are two ways. Which one did you take?"))
    return Notice(_("Follow the dotted lines."), "", offers, words=top, lines=lines, figures=[figure], asks=True)


def _paid_with(way: Way) -> str:
    return _("uses your Climb") if way.kind == "climb" else _("uses your portal steps")


def falling(screen: Any, choice: Any, square: str | None, seen: Foreseen) -> Notice:
    """A hero falls: who, and where to, before it is so."""
    texts = [say(m) for m in seen.messages]
    lines, figures = list(seen.lines), list(seen.heroes)
    if isinstance(choice, MoveVillain):
        figures.insert(0, choice.villain)
        start = screen.now.view["figures"][choice.villain]
        lines.insert(0, ((start, *choice.path), choice.path[-1]))
        texts.insert(0, say(msg("{villain:figure} stops on {at:square}.", villain=choice.villain, at=choice.path[-1])))
    offers = [
        Offer(_("No"), screen.calm, icon="mark_undo"),
        Offer(_("Yes, do it"), _later(screen.play, choice, square, True), lit=True, icon="mark_yes"),
    ]
    seat = choice.seat if isinstance(choice, Fall) else screen.now.view["turn"]["seat"]
    ask = say(msg("{seat:seat}, this will happen. Do it?", seat=seat))
    sub = _("Nothing has moved yet. Follow the dotted line.")
    return Notice(texts[0], " ".join(texts[1:]), offers, words=(ask, sub), lines=lines, figures=figures, asks=True)


def saved(screen: Any, hero: str, last: bool) -> Notice:
    """A hero is out: the best that can happen. Any touch goes on. last: both heroes of its seat are."""
    seat = owner(hero)
    other = next(h for h in heroes(seat) if h != hero)
    figures = [f for f in (hero, other) if screen.now.view["figures"][f] == ROOF]
    if last:
        head = msg("Both heroes of {seat:seat} are out.", seat=seat)
        text = say(msg("This is the last round."))
    else:
        head, text = msg("{hero:figure} is saved.", hero=hero), _what_next(screen, other)
    # where the room is short it is for the picture: a touch on the tower brings all buttons back
    roomy = look.wide and look.text == "normal"
    offers = [Offer(_("Take back"), screen.take_back, icon="mark_undo")] if roomy else []
    if all(isinstance(c, End) for c in screen.now.choices):
        offers.append(Offer(_("Nothing more, end my turn"), _later(screen.play, End(seat)), lit=True))
    else:
        offers.append(Offer(_("Go on"), screen.calm, lit=True))
    return Notice(say(head), text, offers, picture=Terrace(figures=figures))


def _what_next(screen: Any, other: str) -> str:
    """The other hero is next, if it still has a turn: in this one, or in a round to come."""
    view = screen.now.view
    acts = any(getattr(choice, "hero", None) == other for choice in screen.now.choices)
    if acts or not (view["final"] or view["out"]):
        return say(msg("Now {hero:figure}.", hero=other))
    return say(msg("This is the last round."))


# --- what would be lost -----------------------------------------------------------------------------------------


def loses(screen: Any, choice: Any) -> str | None:
    """The half with something left that this choice gives up: `points`, `special` or, for the whole card, `end`."""
    view = screen.now.view
    turn = view["turn"]
    card, points, special = turn["card"], turn["points"], turn["special"]
    if isinstance(choice, End):
        return "end" if any(not isinstance(c, End) for c in screen.now.choices) else None
    if card == REST or turn["pending"] or view["rules"].get("interleave") == "on":
        return None
    if isinstance(choice, Move):
        return "special" if 0 < special < SPECIALS[card] else None
    return "points" if 0 < points < POINTS[card] else None


def warning(screen: Any, choice: Any, square: str | None, half: str) -> Notice:
    """Said once: something would be lost. The safe answer is the bright one."""
    turn = screen.now.view["turn"]
    if half == "points":
        text = say(msgn("{n} step is still left. It is gone after this.",
                        "{n} steps are still left. They are gone after this.", n=turn["points"]))  # fmt: skip
    elif half == "special":
        text = say(msg("Still left: {what:message}. That is gone after this.", what=special_left(turn)))
    else:
        text = say(left(screen))
    if half == "end":
        anyway, ask = _("End my turn all the same"), msg("{seat:seat}, end your turn already?", seat=turn["seat"])
    else:
        anyway, ask = _("Go on all the same"), msg("{seat:seat}, go on already?", seat=turn["seat"])
    offers = [
        Offer(anyway, _later(screen.play, choice, square)),
        Offer(_("Wait, not yet"), screen.calm, lit=True, icon="mark_undo"),
    ]
    return Notice(_("Something is left"), text, offers, words=(say(ask), ""), asks=True)


def left(screen: Any) -> Message:
    """What can still be done with the card in play."""
    turn, choices = screen.now.view["turn"], screen.now.choices
    steps = msgn("{n} step", "{n} steps", n=turn["points"])
    walks = any(isinstance(c, Move) for c in choices)
    if all(isinstance(c, Move | End) for c in choices):
        return msg("{what:message}.", what=steps)
    if not walks:
        return msg("{what:message}.", what=special_left(turn))
    return msg("{steps:message}, and {what:message}.", steps=steps, what=special_left(turn))


def special_left(turn: Mapping[str, Json]) -> Message:
    """What the card's other half still gives."""
    n = turn["special"]
    match turn["card"]:
        case 1:
            return msg("a hero may hide")
        case 2:
            return msg("a villain may move")
        case 3:
            return msg("a card may blow up")
        case 4:
            return msgn("the villains may move {n} step", "the villains may move {n} steps", n=n)
        case 5:
            return msg("a hero may climb")
        case _:
            return msgn("a hero may use a portal for {n} level", "a hero may use portals for {n} levels", n=n)


# --- taking back ------------------------------------------------------------------------------------------------


def undoing(screen: Any, back: Mapping[str, tuple[tuple[str, ...], str]]) -> Notice:
    """What a take-back of the acting seat's own act would undo. back: figure -> its way back."""
    undo, lines = screen.now.undo, list(back.values())
    offers = [
        Offer(_("Leave it"), screen.calm),
        Offer(_("Yes, undo it"), _later(screen.root.send, TakeBack(undo.seat, seen=screen.now.seen)), lit=True,
              icon="mark_undo"),
    ]  # fmt: skip
    sub = _("The dotted line shows the way back.") if lines else ""
    ask = (_("Take this back?"), sub)
    told = _told(undo.messages)
    return Notice(_("This will be undone:"), told, offers, words=ask, lines=lines, figures=list(back), asks=True)


def ask_all_to_undo(screen: Any) -> None:
    """Where it is not the acting seat's own matter: everyone is asked."""
    now = screen.now
    text = f"{_('This will be undone:')} {_told(now.undo.messages)}"
    ask_all_to_take_back(screen.root, now, text)


def _told(messages: tuple[Message, ...]) -> str:
    return " ".join(say(m) for m in messages[:3] if m.id != ACTS_NOW)


# --- the table says no ------------------------------------------------------------------------------------------


def stale(screen: Any, outcome: Outcome) -> Notice:
    """The touch was older than the table, or nothing could be saved."""
    text = " ".join(say(m) for m in outcome.messages)
    return Notice(_("Look again"), text, [Offer(_("All right, go on"), screen.calm, lit=True)], ember=True)


def refusal(screen: Any, outcome: Outcome, why: Refused, square: str | None) -> Notice:
    """Why not, and what can be done about it."""
    offers = []
    steps = screen.wishes.too_far(why.choice)
    rule = _rule_of_cost(steps) or why.rule
    if screen.root.book.find(rule) is not None and not (screen.child and why.reading):
        offers.append(Offer(_("Read the rule"), _later(screen.read, outcome, rule)))
    # large letters leave room for what matters most
    if why.switch and look.text != "huge" and not screen.child:
        offers.append(Offer(_("We play it differently"), _later(_adopt, screen, why)))
    if why.may_stand and screen.now.mode != "strict" and not screen.child:
        offers.append(Offer(_("We all want it anyway"), _later(_insist, screen, why)))
    for other in screen.others(place_of(why.choice) or "") if look.text == "normal" else ():
        # perhaps that figure was meant
        offers.append(Offer(_("Move this one"), _later(screen.pick, other), figure=other))
    offers.append(Offer(_("All right, go on"), screen.calm, lit=True))
    head, rest = words.first_sentence(" ".join(say(m) for m in outcome.messages))
    lines = []
    if steps:
        start = screen.now.view["figures"][_mover(why.choice)]
        lines = [((start, *(s.square for s in steps)), steps[-1].square)]
        named = " ".join(say(_step(s)) for s in steps)
        if len(rest) + len(named) < ROOM and look.text != "huge":
            rest = f"{rest} {named}"
    top = say(msg("{seat:seat}, that is not allowed.", seat=screen.now.view["turn"]["seat"]))
    foot = _("The printed rules leave this open. We read them like this.") if why.reading and not screen.child else ""
    top_lines = (top, _("Nothing has changed. Try another one."))
    bad = [square] if square else []
    figures = [_mover(why.choice)] if isinstance(why.choice, Move | MoveVillain) else []
    return Notice(head, rest, offers, foot, ember=True, words=top_lines, bad=bad, lines=lines, figures=figures)


def _mover(choice: Move | MoveVillain) -> str:
    return choice.hero if isinstance(choice, Move) else choice.villain


def _step(step: Step) -> Message:
    """One step of a way, and what it costs."""
    match step.kind:
        case "hop":
            return msg("Then free through the passage to {to:square}.", to=step.square)
        case "up":
            return msg("Step {n}: up to {to:square}.", n=step.paid, to=step.square)
        case "down":
            return msg("Step {n}: down to {to:square}.", n=step.paid, to=step.square)
        case _:
            return msg("Step {n}: {to:square}.", n=step.paid, to=step.square)


def _rule_of_cost(steps: Sequence[Step]) -> str | None:
    """The rule that says why the way is so long: passages, ropes, or steps to the side."""
    kinds = {s.kind for s in steps}
    rules = {"hop": "R35", "up": "R33", "down": "A22", "side": "R30"}
    return next((rule for kind, rule in rules.items() if kind in kinds), None)


def place_of(choice: Any) -> str | None:
    """The square that a choice is about."""
    path = getattr(choice, "path", None)
    found = path[-1] if path else getattr(choice, "at", None) or getattr(choice, "to", None)
    return str(found) if found else None


def _insist(screen: Any, why: Refused) -> None:
    """It stands, once everyone has said so; the history keeps that."""
    now = screen.now
    text = f"{say(why.message)} {_('If it counts anyway, the history keeps a mark.')}"

    def done(seats: tuple[str, ...]) -> None:
        screen.root.send(Insist(why.choice, now.seen, seats))

    sheet = AgreeSheet(
        screen.root, _("Count it anyway?"), text, asked(now), done, yes=_("Yes, count it"), no=_("No, go back")
    )
    screen.root.open_sheet(sheet)


def _adopt(screen: Any, why: Refused) -> None:
    """Play by the other house rule from now on, once everyone has said so; then ask again."""
    now = screen.now
    rules = {**now.view["rules"], str(why.switch): why.values[0]}
    game = find_game(now.game)
    switch = game.rulebook.switch(str(why.switch)) if game else None
    assert switch is not None
    text = f"{words._(switch.text)} {words._(switch.meanings[switch.values.index(why.values[0])])}"

    def then(outcome: Outcome) -> bool:
        # others may act at the same time: only what has changed the rules is the answer
        if outcome.kind != "done" or outcome.now.view["rules"] != rules:
            return False
        screen.root.send(Play(why.choice, outcome.now.seen))
        return True

    def done(seats: tuple[str, ...]) -> None:
        screen.root.send(PutRight({"rules": rules}, seats), then)

    sheet = AgreeSheet(
        screen.root, _("Play it so from now on?"), text, asked(now), done,
        yes=_("Yes, from now on"), no=_("No, go back"),
    )  # fmt: skip
    screen.root.open_sheet(sheet)
