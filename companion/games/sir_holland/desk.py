"""The dispute desk: who acts first, and who has won. Needs numbers only, no table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.games.base import Message, msg, msgn
from companion.games.sir_holland.state import HouseRules, Outcome


class Place(NamedTuple):
    """A seat's place in the order of play, with the rule that gives it and the reason in words."""

    seat: str
    card: int
    rule: str
    message: Message


class Tie(NamedTuple):
    """Seats that played the same number, in the order in which they act; path: counted from the holder of the gryphon

    to the left, up to the first of them.
    """

    card: int
    seats: tuple[str, ...]
    path: tuple[str, ...]


class Step(NamedTuple):
    """One step of the decision who has won, with its rule. name: what is compared; tied: who is still in after it."""

    rule: str
    message: Message
    name: str
    tied: tuple[str, ...]


def to_the_left(seats: Sequence[str], start: str) -> list[str]:
    """All seats from `start` on, each next one to the left of the one before (A67)."""
    at = seats.index(start)
    return [*seats[at:], *seats[:at]]


def order(seats: Sequence[str], gryphon: str, cards: Mapping[str, int]) -> tuple[str, ...]:
    """The seats in the order in which they act: lowest number first, ties from the gryphon leftwards (R22 to R24)."""
    # to_the_left starts at the holder, and sorting keeps that order within equal numbers
    return tuple(sorted((s for s in to_the_left(seats, gryphon) if s in cards), key=cards.__getitem__))


def ties(seats: Sequence[str], gryphon: str, cards: Mapping[str, int]) -> list[Tie]:
    """The numbers that several seats played, lowest first."""
    queue = order(seats, gryphon, cards)
    found = []
    for card in sorted(set(cards.values())):
        tied = tuple(seat for seat in queue if cards[seat] == card)
        if len(tied) > 1:
            path = to_the_left(seats, gryphon)
            found.append(Tie(card, tied, tuple(path[: path.index(tied[0]) + 1])))
    return found


def explain_order(seats: Sequence[str], gryphon: str, cards: Mapping[str, int]) -> list[Place]:
    """The order with the reason for every place."""
    queue = order(seats, gryphon, cards)
    places = []
    for index, seat in enumerate(queue):
        card = cards[seat]
        tied = [s for s in queue if cards[s] == card]
        if len(tied) == 1:
            rule, message = "R22", _alone(queue, index, cards)
        else:
            rule, message = "R23" if gryphon in tied else "R24", _tied(tied, seat, gryphon, card)
        places.append(Place(seat, card, rule, message))
    return places


def _alone(queue: Sequence[str], index: int, cards: Mapping[str, int]) -> Message:
    seat = queue[index]
    if index == 0:
        return msg("{seat:seat} goes first: {n} is the lowest number.", seat=seat, n=cards[seat])
    before = queue[index - 1]
    return msg(
        "{seat:seat} comes after {before:seat}: {n} is higher than {lower}.",
        seat=seat,
        before=before,
        n=cards[seat],
        lower=cards[before],
    )


def _tied(tied: Sequence[str], seat: str, gryphon: str, card: int) -> Message:
    if seat == gryphon:
        return msg(
            "{tied:seats} played {card}. {seat:seat} holds the gryphon and goes before {others:seats}.",
            tied=tied,
            seat=seat,
            others=tied[1:],
            card=card,
        )
    if seat == tied[0]:
        return msg(
            "{tied:seats} played {card}. {holder:seat} holds the gryphon; counting from there to the left,"
            " {seat:seat} comes first.",
            tied=tied,
            seat=seat,
            card=card,
            holder=gryphon,
        )
    return msg(
        "{tied:seats} played {card}. {holder:seat} holds the gryphon; to the left of {before:seat},"
        " {seat:seat} comes next.",
        tied=tied,
        seat=seat,
        card=card,
        holder=gryphon,
        before=tied[tied.index(seat) - 1],
    )


def winner(
    seats: Sequence[str],
    gryphon: str,
    ended_by: str,
    saved: Mapping[str, int],
    levels: Mapping[str, Sequence[int]],
    rules: HouseRules,
    out: Sequence[str] = (),
) -> tuple[Outcome, list[Step]]:
    """Who has won, and the decision step by step, stopping at the step that decided (R76 to R79, A58, A59).

    levels: of the heroes still inside; out: the seats whose second hero got out in the last round, in that order.
    """
    best_first = {s: tuple(sorted(levels.get(s, ()), reverse=True)) for s in seats}
    steps: list[Step] = []
    tied = list(seats)

    def note(rule: str, name: str, message: Message) -> None:
        steps.append(Step(rule, message, name, tuple(tied)))

    def outcome(winner: str, decided_by: str) -> tuple[Outcome, list[Step]]:
        return Outcome(ended_by, winner, decided_by, {s: saved.get(s, 0) for s in seats}, best_first), steps

    for step in _steps(ended_by, rules):
        if step == "saved":
            most = max(saved.get(s, 0) for s in tied)
            tied = [s for s in tied if saved.get(s, 0) == most]
            note("R76", step, _saved_step(tied, most))
        elif step == "level":
            keys = {s: _level_key(best_first[s], rules) for s in tied}
            best = max(keys.values())
            before, tied = tied, [s for s in tied if keys[s] == best]
            note("R77", step, _level_step(before, tied, best_first, rules))
        elif step == "first_out":
            first = next((s for s in out if s in tied), None)
            if first is None or saved.get(first, 0) < 2:
                continue
            tied = [first]
            note("A54b", step, msg("{seat:seat} got the second hero out first. Our house rule: that wins.", seat=first))
        if len(tied) == 1:
            return outcome(tied[0], step)
    champion = next(s for s in to_the_left(seats, gryphon) if s in tied)
    tied = [champion]
    if champion == gryphon:
        text = msg("Still tied. {seat:seat} holds the gryphon, and that decides.", seat=champion)
    else:
        text = msg(
            "Still tied. {holder:seat} holds the gryphon; counting from there to the left, {seat:seat} comes first.",
            holder=gryphon,
            seat=champion,
        )
    note("R79" if ended_by == "saved" else "R78", "gryphon", text)
    return outcome(champion, "gryphon")


def why_not(
    seat: str,
    seats: Sequence[str],
    gryphon: str,
    ended_by: str,
    saved: Mapping[str, int],
    levels: Mapping[str, Sequence[int]],
    rules: HouseRules,
    out: Sequence[str] = (),
) -> list[Step]:
    """Why a seat has not won: the steps of the decision up to the one at which it fell out, with its own numbers

    against the winner's. Nothing for the winner.
    """
    result, steps = winner(seats, gryphon, ended_by, saved, levels, rules, out)
    first = result.winner
    told: list[Step] = []
    for step in steps if seat != first else []:
        if seat not in step.tied:
            return [*told, step._replace(message=_fell_out(step.name, seat, result, gryphon, rules))]
        told.append(step._replace(message=_level_with(step.name, seat, result, rules)))
    return told


def _level_with(name: str, seat: str, result: Outcome, rules: HouseRules) -> Message:
    """At that step a seat was as good as the winner."""
    if name == "saved":
        return msg("Saved heroes: {winner:seat} and {seat:seat} have {n} each.",
                   winner=result.winner, seat=seat, n=result.saved[seat])  # fmt: skip
    heights = [(s, list(result.levels[s])) for s in (seat, result.winner)]
    if rules.level_compare == "sum":
        return msg("Levels added up, both have the same ({heights:heights}).", heights=heights)
    return msg("Heroes still inside: both stand equally high ({heights:heights}).", heights=heights)


def _fell_out(name: str, seat: str, result: Outcome, gryphon: str, rules: HouseRules) -> Message:
    """At that step the winner was better than a seat."""
    first = result.winner
    if name == "saved":
        return msg(
            "Saved heroes: {winner:seat} has {most}, {seat:seat} has {n}.",
            winner=first,
            most=result.saved[first],
            seat=seat,
            n=result.saved[seat],
        )
    if name == "level":
        return _lower(seat, first, result.levels, rules)
    if name == "first_out":
        return msg("Our house rule: {winner:seat} got both heroes out before {seat:seat} did.", winner=first, seat=seat)
    if first == gryphon:
        return msg("Still tied. {winner:seat} holds the gryphon, and {seat:seat} does not.", winner=first, seat=seat)
    return msg(
        "Still tied. {holder:seat} holds the gryphon; counting from there to the left, {winner:seat} comes before"
        " {seat:seat}.",
        holder=gryphon,
        winner=first,
        seat=seat,
    )


def _lower(seat: str, first: str, levels: Mapping[str, Sequence[int]], rules: HouseRules) -> Message:
    """The winner's heroes stand higher than a seat's."""
    high, low = levels[first], levels[seat]
    if rules.level_compare == "sum":
        return msg(
            "Levels added up: {winner:seat} has {most}, {seat:seat} has {n}.",
            winner=first,
            most=sum(high),
            seat=seat,
            n=sum(low),
        )
    if not low:
        return msg("{winner:seat} has a hero on level {most}; {seat:seat} has none left inside.",
                   winner=first, most=high[0], seat=seat)  # fmt: skip
    if high[0] > low[0]:
        return msg("Highest hero: {winner:seat} on level {most}, {seat:seat} on level {n}.",
                   winner=first, most=high[0], seat=seat, n=low[0])  # fmt: skip
    if len(low) < 2:
        return msg(
            "Both have a hero on level {best}. {winner:seat} has a second one inside, on level {most}; {seat:seat} has"
            " not.",
            winner=first, best=high[0], most=high[1], seat=seat,
        )  # fmt: skip
    return msg(
        "Both have a hero on level {best}. The second one: {winner:seat} on level {most}, {seat:seat} on level {n}.",
        winner=first, best=high[0], most=high[1], seat=seat, n=low[1],
    )  # fmt: skip


def _steps(ended_by: str, rules: HouseRules) -> tuple[str, ...]:
    if ended_by == "saved":
        # R79: levels do not count here
        return ("saved", "first_out") if rules.double_save == "first_out" else ("saved",)
    return ("level", "saved") if rules.rest_end_order == "level_first" else ("saved", "level")


def _level_key(levels: Sequence[int], rules: HouseRules) -> tuple[int, ...]:
    padded = (*levels, 0, 0)[:2]
    if rules.level_compare == "best_only":
        return padded[:1]
    return (sum(padded),) if rules.level_compare == "sum" else padded


def _saved_step(tied: Sequence[str], most: int) -> Message:
    if len(tied) == 1:
        return msgn(
            "Most heroes saved: {seat:seat}, with {n} hero.",
            "Most heroes saved: {seat:seat}, with {n} heroes.",
            seat=tied[0],
            n=most,
        )
    if most == 0:
        return msg("Saved heroes: {tied:seats} are tied, with none.", tied=tied)
    return msgn(
        "Saved heroes: {tied:seats} are tied, with {n} hero each.",
        "Saved heroes: {tied:seats} are tied, with {n} heroes each.",
        tied=tied,
        n=most,
    )


def _level_step(
    before: Sequence[str], tied: Sequence[str], levels: Mapping[str, Sequence[int]], rules: HouseRules
) -> Message:
    heights = [(s, list(levels[s])) for s in before]
    if len(tied) == 1:
        if rules.level_compare == "sum":
            return msg("Levels added up: {seat:seat} is highest ({heights:heights}).", seat=tied[0], heights=heights)
        return msg(
            "Heroes still inside: {seat:seat} stands highest ({heights:heights}).", seat=tied[0], heights=heights
        )
    return msg("Heroes still inside: {tied:seats} stand equally high ({heights:heights}).", tied=tied, heights=heights)
