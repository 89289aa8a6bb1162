"""What an outcome sounds like: public events in, notes out. A lock sounds the same whatever card it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.games.base import Json, Note
from companion.games.sir_holland.desk import ties
from companion.games.sir_holland.motion import HOP, REST, TURN

STEP = 0.13
"""Seconds from one footfall to the next."""
_SOUNDS = {"locked": "lock", "unlocked": "unlock", "fell": "fall", "exploded": "explosion", "rested": "rest",
           "saved": "saved", "game_over": "winner"}  # fmt: skip
"""Events that have one sound."""


def notes(before: Json, events: Sequence[Mapping[str, Json]], after: Json) -> tuple[Note, ...]:
    """The sounds of the public events that led from one public view to another, in their order."""
    happened = {event["what"] for event in events}
    back = {event["seat"] for event in events if event["what"] == "unlocked"}
    found: list[Note] = []
    for event in events:
        what = event["what"]
        if what in ("locked", "unlocked") and back:
            # another card instead sounds like a first one; that another lock is no longer held is no sound of its own
            again = any(e["what"] == "locked" and e["seat"] in back for e in events)
            found = [Note("lock" if again else "unlock")]
            continue
        if (what == "locked" and "revealed" in happened) or (what == "saved" and "game_over" in happened):
            # the lock was heard when it was held; bells ring for whoever wins
            continue
        if what == "revealed":
            found += _reveal(before, event["cards"])
        elif what in ("moved", "villain_moved"):
            found += [Note("step", STEP)] * len(event["path"])
        elif what == "turn_began":
            found.append(Note(f"bell_{event['seat']}"))
        elif what in _SOUNDS and _SOUNDS[what] not in (note.name for note in found):
            # who falls together is heard once
            found.append(Note(_SOUNDS[what]))
        if what == "rested" and before["gryphon"] != after["gryphon"]:
            found.append(Note("gryphon"))
    return tuple(found)


def _reveal(before: Json, cards: Mapping[str, int]) -> list[Note]:
    """Card after card, and each seat that is counted, as the screen shows them."""
    found = _rest([Note("card", TURN)] * len(cards))
    for tie in ties(before["seats"], before["gryphon"], cards):
        found = _rest([*found, *[Note("count", HOP)] * (len(tie.path) - 1)])
    return found


def _rest(notes: list[Note]) -> list[Note]:
    """The same with a pause after it."""
    last = notes[-1]
    return [*notes[:-1], replace(last, lasts=(last.lasts or 0.0) + REST)]
