"""What hands have to do with the cardboard after something happened, one step after another. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from companion.games.base import Json, Message, msg
from companion.games.sir_holland.state import card_at, owner

EMPTY = "."
"""A place of the tower with no card on it."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do. seat: who does it; ask: the sentence at the top; text: in a list; rows, figures: how the tower

    looks when it is asked; marks: the squares it is about; note: what else happens with it.
    """

    seat: str
    ask: Message
    text: Message
    rows: tuple[str, ...]
    figures: Mapping[str, str]
    marks: tuple[str, ...]
    note: Message | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """Steps that belong together. kind: `explosion`, `back` (an explosion taken back) or `fall`; round: of the game,

    as a job of an earlier one is over; places: figures that are put somewhere, each with where it is then; column:
    whose cards move; before, after: the public states; events: what happened.
    """

    kind: str
    round: int
    steps: tuple[Step, ...]
    places: tuple[tuple[str, Message], ...] = ()
    column: str = ""
    before: Mapping[str, Json] = field(default_factory=dict)
    after: Mapping[str, Json] = field(default_factory=dict)
    events: tuple[Mapping[str, Json], ...] = ()


def column_of(rows: Sequence[str], column: str) -> str:
    """The cards of a column, from the base up."""
    return "".join(card_at(tuple(rows), f"{column}{n}") for n in range(1, 6))


def with_column(rows: Sequence[str], column: str, cards: str) -> tuple[str, ...]:
    """The tower with that column."""
    x = ord(column) - 97
    return tuple(row[:x] + cards[4 - i] + row[x + 1 :] for i, row in enumerate(rows))


def after_events(
    before: Mapping[str, Json], events: Sequence[Mapping[str, Json]], after: Mapping[str, Json]
) -> tuple[Job, ...]:
    """What has to be done now that these events happened."""
    seat = before["turn"]["seat"] if before["turn"] else ""
    jobs = []
    villain = ""
    for event in events:
        if event["what"] == "exploded":
            jobs.append(_explosion(before, event, after, seat))
        elif event["what"] == "villain_moved":
            villain = event["villain"]
        elif event["what"] == "fell":
            picked = before["turn"] and before["turn"]["pending"]
            jobs.append(_fall(event, after, owner(event["hero"]) if picked else seat, villain))
            villain = ""
    return tuple(jobs)


def _fall(event: Mapping[str, Json], after: Mapping[str, Json], seat: str, villain: str) -> Job:
    """Put the hero where it fell, and before that the villain where it stopped."""
    hero, to = event["hero"], event["to"]
    lies = hero in after["lying"]
    text = msg("{hero:figure} lies on {to:square} now.") if lies else msg("{hero:figure} stands on {to:square} now.")
    places = [(hero, Message(text.id, {"hero": hero, "to": to}))]
    facts = {"seat": seat, "hero": hero, "to": to}
    marks: tuple[str, ...] = (to,)
    if villain:
        at = after["figures"][villain]
        places.insert(0, (villain, msg("{hero:figure} stands on {to:square} now.", hero=villain, to=at)))
        facts |= {"villain": villain, "at": at}
        marks = (at, to)
        ask = (
            msg("{seat:seat}, put {villain:figure} on {at:square}, and lay {hero:figure} down on {to:square}.")
            if lies
            else msg("{seat:seat}, put {villain:figure} on {at:square} and {hero:figure} on {to:square}.")
        )
    elif lies:
        ask = msg("{seat:seat}, lay {hero:figure} down on {to:square}.")
    else:
        ask = msg("{seat:seat}, put {hero:figure} on {to:square}.")
    step = Step(seat, Message(ask.id, facts), places[-1][1], tuple(after["tower"]), after["figures"], marks)
    return Job("fall", after["round"], (step,), tuple(places), after=after)


def _explosion(before: Mapping[str, Json], event: Mapping[str, Json], after: Mapping[str, Json], seat: str) -> Job:
    """Take the card out, slide those above it down, lay it on top."""
    at = event["at"]
    column, low, top = at[0], int(at[1]), f"{at[0]}5"
    rows = tuple(before["tower"])
    was = column_of(rows, column)
    where, there = before["figures"], after["figures"]
    if low == 5:
        ask = msg("{seat:seat}, {at:square} lies on top already.", seat=seat, at=at)
        text = msg("The card stays where it is.")
        steps: tuple[Step, ...] = (Step(seat, ask, text, rows, where, (at,)),)
    else:
        above = [f"{column}{n}" for n in range(low + 1, 6)]
        hole = was[: low - 1] + EMPTY + was[low:]
        slid = was[: low - 1] + was[low:] + EMPTY
        steps = (
            Step(
                seat,
                msg("{seat:seat}, now the cards: take {at:square} out.", seat=seat, at=at),
                msg("Take {at:square} out.", at=at),
                rows,
                where,
                (at,),
            ),
            Step(
                seat,
                msg("{seat:seat}, slide {squares:squares} down one level.", seat=seat, squares=above),
                msg("Slide {squares:squares} down one level.", squares=above),
                with_column(rows, column, hole),
                where,
                tuple(above),
                _with_them(before, after, above),
            ),
            Step(
                seat,
                msg("{seat:seat}, lay the card on top: it is {top:square} now.", seat=seat, top=top),
                msg("Lay it on top, on {top:square}.", top=top),
                with_column(rows, column, slid),
                there,
                (top,),
            ),
        )
    return Job("explosion", after["round"], steps, (), column, before, after, (event,))


def _with_them(before: Mapping[str, Json], after: Mapping[str, Json], above: Sequence[str]) -> Message | None:
    """What becomes of the figures on the cards that slide down."""
    figures = [f for f, s in before["figures"].items() if s in above]
    if not figures:
        return None
    if before["rules"].get("explosion_figures") == "stay_on_level":
        down = [f for f in figures if f in after["lying"] and f not in before["lying"]]
        up = [f for f in figures if f in before["lying"] and f not in after["lying"]]
        if down:
            return msg("Lift {figures:figures} and put them back on their level; {down:figures} lies down.",
                       figures=figures, down=down)  # fmt: skip
        if up:
            return msg("Lift {figures:figures} and put them back on their level; {up:figures} stands up.",
                       figures=figures, up=up)  # fmt: skip
        return msg("Lift {figures:figures} and put them back on their level.", figures=figures)
    lying = [f for f in figures if f in before["lying"]]
    if lying:
        return msg("With them: {figures:figures}. Whoever lies stays lying.", figures=figures)
    return msg("With them: {figures:figures}.", figures=figures)


def taken_back(before: Mapping[str, Json], after: Mapping[str, Json], seat: str) -> tuple[Job, ...]:
    """What has to be done after an explosion was taken back: the same cards, the other way round."""
    changed = [c for c in "abcde" if column_of(before["tower"], c) != column_of(after["tower"], c)]
    if len(changed) != 1:
        return ()
    column = changed[0]
    was, now = column_of(before["tower"], column), column_of(after["tower"], column)
    low = next((n for n in range(1, 5) if was[: n - 1] + was[4] + was[n - 1 : 4] == now), None)
    if low is None:
        return ()
    rows, top, at = tuple(before["tower"]), f"{column}5", f"{column}{low}"
    above = [f"{column}{n}" for n in range(low, 5)]
    steps = (
        Step(
            seat,
            msg("{seat:seat}, now the cards back: take {top:square} off.", seat=seat, top=top),
            msg("Take {top:square} off.", top=top),
            rows,
            before["figures"],
            (top,),
        ),
        Step(
            seat,
            msg("{seat:seat}, slide {squares:squares} up one level.", seat=seat, squares=above),
            msg("Slide {squares:squares} up one level.", squares=above),
            with_column(rows, column, was[:4] + EMPTY),
            before["figures"],
            tuple(above),
            _with_them(after, before, [f"{column}{n}" for n in range(low + 1, 6)]),
        ),
        Step(
            seat,
            msg("{seat:seat}, put the card back on {at:square}.", seat=seat, at=at),
            msg("Put it back on {at:square}.", at=at),
            with_column(rows, column, now[: low - 1] + EMPTY + now[low:]),
            after["figures"],
            (at,),
        ),
    )
    return (Job("back", after["round"], steps, (), column, before, after),)
