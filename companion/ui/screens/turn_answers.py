"""What a turn asks back or explains, beside the tower: refusals, questions, what would be lost or taken back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from companion.games import find_game
from companion.games.base import Json, Message, msg, msgn
from companion.games.sir_holland.state import POINTS, REST, SPECIALS, End, Fall, Move, MoveVillain
from companion.table.ports import Insist, Outcome, Play, PutRight, Refused, TakeBack
from companion.ui import words
from companion.ui.agree import AgreeSheet, asked
from companion.ui.boards.foresight import Foreseen
from companion.ui.boards.wishes import Way
from companion.ui.screens.notice import Notice, Offer
from companion.ui.screens.turn_side import ACTS_NOW
from companion.ui.theme import look
from companion.ui.words import _, say


def _later(act: Callable[..., None], *args: Any) -> Callable[[], None]:
    return lambda: act(*args)


# --- questions --------------------------------------------------------------------------------------------------


def which(screen: Any, figures: list[str]) -> Notice:
    """Several figures stand on the square: who is meant?"""
    offers = [Offer(_capital(words.figure_name(f)), _later(screen.pick, f), figure=f) for f in figures]
    return Notice(_("Who moves?"), "", [*offers, Offer(_("Nobody"), screen.calm, icon="mark_undo")])


def who_came(screen: Any, square: str, figures: list[str]) -> Notice:
    """Several figures can go to the square: which one did?"""
    offers = [Offer(_capital(words.figure_name(f)), _later(screen.send_to, f, square), figure=f) for f in figures]
    head = say(msg("Who went to {to:square}?", to=square))
    return Notice(head, "", [*offers, Offer(_("Nobody"), screen.calm, icon="mark_undo")])


def way_names(ways: list[Way]) -> list[tuple[Way, str, str]]:
    """What the ways to one square are called, and what each costs."""
    names = {"walk": _("On foot"), "passage": _("By passage"), "climb": _("Climb"), "portal": _("By portal")}
    return [
        (way, names[way.kind],
         say(msgn("{n} step", "{n} steps", n=way.cost)) if way.half == "points" else _("the card's other half"))
        for way in ways
    ]  # fmt: skip


def falling(screen: Any, choice: Any, square: str | None, seen: Foreseen) -> Notice:
    """A hero falls: who, and where to, before it is so."""
    text, *rest = [say(m) for m in seen.messages]
    lines = list(seen.lines)
    if isinstance(choice, MoveVillain):
        start = screen.now.view["figures"][choice.villain]
        lines.insert(0, ((start, *choice.path), choice.path[-1]))
        rest.insert(0, say(msg("{villain:figure} stops on {at:square}.", villain=choice.villain, at=choice.path[-1])))
    offers = [
        Offer(_("No"), screen.calm, icon="mark_undo"),
        Offer(_("Yes, so it is"), _later(screen.play, choice, square, True), lit=True, icon="mark_yes"),
    ]
    seat = choice.seat if isinstance(choice, Fall) else screen.now.view["turn"]["seat"]
    ask = say(msg("{seat:seat}, is it so on your table?", seat=seat))
    return Notice(text, " ".join(rest), offers, words=(ask, _("Follow the dotted line.")), lines=lines)


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
        text = say(msg("The card's other half is not used up: {what:message}. It is gone after this.",
                       what=special_left(turn)))  # fmt: skip
    else:
        text = say(left(screen))
    anyway = _("End my turn all the same") if half == "end" else _("Go on all the same")
    offers = [
        Offer(anyway, _later(screen.play, choice, square)),
        Offer(_("Wait, not yet"), screen.calm, lit=True, icon="mark_undo"),
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


# --- taking back ------------------------------------------------------------------------------------------------


def undoing(screen: Any, lines: list[tuple[tuple[str, ...], str]]) -> Notice:
    """What a take-back of the acting seat's own act would undo."""
    undo = screen.now.undo
    offers = [
        Offer(_("Leave it"), screen.calm),
        Offer(_("Yes, undo it"), _later(screen.root.send, TakeBack(undo.seat, seen=screen.now.seen)), lit=True,
              icon="mark_undo"),
    ]  # fmt: skip
    sub = _("The dotted line shows the way back.") if lines else ""
    ask = (_("Take this back?"), sub)
    return Notice(_("This will be undone:"), _told(undo.messages), offers, words=ask, lines=lines)


def ask_all_to_undo(screen: Any) -> None:
    """Where it is not the acting seat's own matter: everyone is asked."""
    now = screen.now
    text = f"{_('This will be undone:')} {_told(now.undo.messages)}"
    request = TakeBack(now.undo.seat, True, now.seen)
    screen.root.open_sheet(
        AgreeSheet(screen.root, _("Take this back?"), text, asked(now), lambda _seats: screen.root.send(request))
    )


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
    if screen.root.rule(why.rule) is not None:
        sub = say(msg("{rule}: our reading", rule=why.rule)) if why.reading else why.rule
        offers.append(Offer(_("Read the rule"), _later(screen.read, outcome), sub))
    # large letters leave room for what matters most
    if why.switch and look.text != "huge":
        offers.append(Offer(_("Our table plays it otherwise"), _later(_adopt, screen, why)))
    if why.may_stand and screen.now.mode != "strict":
        offers.append(Offer(_("It stands all the same"), _later(_insist, screen, why)))
    for other in screen.others(place_of(why.choice) or "") if look.text == "normal" else ():
        # perhaps that figure was meant
        offers.append(Offer(_("Move this one"), _later(screen.pick, other), figure=other))
    offers.append(Offer(_("All right, go on"), screen.calm, lit=True))
    head, rest = first_sentence(" ".join(say(m) for m in outcome.messages))
    top = say(msg("{seat:seat}, that does not go.", seat=screen.now.view["turn"]["seat"]))
    if why.reading:
        sub = _("Nothing has changed. This rule is our reading, not printed.")
    else:
        sub = _("Nothing has changed. Try another one.")
    return Notice(head, rest, offers, ember=True, words=(top, sub), bad=[square] if square else [])


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


def _insist(screen: Any, why: Refused) -> None:
    """It stands, once everyone has said so; the history keeps that."""
    now = screen.now
    text = f"{say(why.message)} {_('If it stands all the same, the history keeps a mark.')}"

    def done(seats: tuple[str, ...]) -> None:
        screen.root.send(Insist(why.choice, now.seen, seats))

    screen.root.open_sheet(AgreeSheet(screen.root, _("Does it stand?"), text, asked(now), done))


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

    screen.root.open_sheet(AgreeSheet(screen.root, _("From now on?"), text, asked(now), done))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
