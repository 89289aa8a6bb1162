"""What a turn asks back or explains, beside the tower: refusals, questions, what would be lost or taken back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from companion.games.base import Json, Message, msg, msgn
from companion.games.sir_holland.state import POINTS, REST, SPECIALS, End, Move
from companion.table.ports import Insist, Outcome, Play, PutRight, Refused, TakeBack
from companion.ui import words
from companion.ui.boards.wishes import Way
from companion.ui.screens.notice import Notice, Offer
from companion.ui.words import _, say


def _later(act: Callable[..., None], *args: Any) -> Callable[[], None]:
    return lambda: act(*args)


def which(screen: Any, figures: list[str]) -> Notice:
    """Several figures stand on the square: who is meant?"""
    offers = [Offer(_capital(words.figure_name(f)), _later(screen.pick, f), figure=f) for f in figures]
    return Notice(_("Who moves?"), "", [*offers, Offer(_("Nobody"), screen.calm, icon="mark_undo")])


def which_way(screen: Any, square: str, ways: list[Way]) -> Notice:
    """Two ways lead there, and they cost different things: which one was taken?"""
    names = {"walk": _("On foot"), "passage": _("By passage"), "climb": _("Climb"), "portal": _("By portal")}
    offers = []
    for way in ways:
        sub = say(msgn("{n} step", "{n} steps", n=way.cost)) if way.half == "points" else _("the card's other half")
        offers.append(Offer(names[way.kind], _later(screen.play, way.choice, square), sub))
    head = say(msg("How does {figure:figure} get to {to:square}?", figure=screen.picked, to=square))
    return Notice(head, _("There are two ways. Which one did you take?"), offers)


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


def warning(screen: Any, choice: Any, half: str) -> Notice:
    """Said once: something would be lost."""
    turn = screen.now.view["turn"]
    if half == "points":
        text = say(msgn("{n} step is still left. It is gone after this.",
                        "{n} steps are still left. They are gone after this.", n=turn["points"]))  # fmt: skip
    elif half == "special":
        text = say(msg("The card's other half is not used up: {what:message}. It is gone after this.",
                       what=special_left(turn)))  # fmt: skip
    else:
        text = say(left(screen))
    offers = [
        Offer(_("Wait, not yet"), screen.calm, icon="mark_undo"),
        Offer(_("Go on all the same"), _later(screen.play, choice), lit=True),
    ]
    return Notice(_("Something is left"), text, offers)


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
            return msgn("the villains may move {n} space", "the villains may move {n} spaces", n=n)
        case 5:
            return msg("a hero may climb")
        case _:
            return msgn("a hero may use a portal for {n} level", "a hero may use portals for {n} levels", n=n)


def undoing(screen: Any) -> Notice:
    """What a take-back would undo, where it is not the acting seat's own matter."""
    undo = screen.now.undo
    request = TakeBack(undo.seat, True, screen.now.seen)
    offers = [
        Offer(_("Leave it"), screen.calm),
        Offer(_("Everyone agrees"), _later(screen.root.send, request), lit=True, icon="mark_undo"),
    ]
    foot = _("Others have acted since, or it was everyone's act: everyone has to agree.")
    return Notice(_("Take this back?"), " ".join(say(m) for m in undo.messages[:3]), offers, foot=foot)


def stale(screen: Any, outcome: Outcome) -> Notice:
    """The touch was older than the table, or nothing could be saved."""
    text = " ".join(say(m) for m in outcome.messages)
    return Notice(_("Look again"), text, [Offer(_("All right, go on"), screen.calm, lit=True)], ember=True)


def refusal(screen: Any, outcome: Outcome, why: Refused, show_rule: bool = False) -> Notice:
    """Why not, and what can be done about it; show_rule: the rule's own words instead."""
    flip = _later(screen.show_refusal, outcome, why, not show_rule)
    reading = _("our reading, not printed") if why.reading else ""
    on = Offer(_("All right, go on"), screen.calm, lit=True)
    rule = screen.root.rule(why.rule)
    if show_rule and rule is not None:
        # a rule can be long, so what else can be done waits behind "Why?"
        offers = [Offer(_("Why?"), flip, icon="mark_book"), on]
        return Notice(say(msg("Rule {id}", id=why.rule)), words._(rule.text), offers, foot=reading, ember=True)
    offers = [Offer(say(msg("Rule {id}", id=why.rule)), flip, reading, icon="" if reading else "mark_book")]
    if why.switch:
        offers.append(Offer(_("Our table plays it otherwise"), _later(_adopt, screen, why)))
    if why.may_stand:
        insist = Insist(why.choice, screen.now.seen)
        offers.append(Offer(_("It stands all the same"), _later(screen.root.send, insist), _("just this once")))
    for other in screen.others(place_of(why.choice) or ""):
        # perhaps that figure was meant
        offers.append(Offer(_("Move this one"), _later(screen.pick, other), figure=other))
    offers.append(on)
    head, rest = first_sentence(" ".join(say(m) for m in outcome.messages))
    return Notice(head, rest, offers, ember=True)


def first_sentence(text: str) -> tuple[str, str]:
    """A text as its head and the rest: "Red 1 cannot stop on c2: ..." """
    found = re.search(r"(: |\. )", text)
    if found is None:
        return text, ""
    rest = text[found.end() :]
    return text[: found.start()] + ".", _capital(rest)


def place_of(choice: Any) -> str | None:
    """The square that a choice is about."""
    path = getattr(choice, "path", None)
    found = path[-1] if path else getattr(choice, "at", None) or getattr(choice, "to", None)
    return str(found) if found else None


def _adopt(screen: Any, why: Refused) -> None:
    """Play by the other house rule from now on, then ask again."""
    rules = {**screen.now.view["rules"], str(why.switch): why.values[0]}

    def then(outcome: Outcome) -> bool:
        # others may act at the same time: only what has changed the rules is the answer
        if outcome.kind != "done" or outcome.now.view["rules"] != rules:
            return False
        screen.root.send(Play(why.choice, outcome.now.seen))
        return True

    screen.root.send(PutRight({"rules": rules}), then)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
