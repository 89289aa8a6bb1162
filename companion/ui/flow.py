"""Which screen is due. Pure: announcements in, the name of a screen out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.base import Json
from companion.table.ports import Home, Outcome

LOCAL = ("seats", "tower")
"""Screens of a game that has not begun."""
SCREENS_OF = {"choose": ("choose", "round_end"), "resolve": ("turn", "reveal"), "over": ("winner",)}
"""The screens at which the table can be in a phase; the first one needs nothing to have happened just now."""
TABLE_ONLY = ("put_right", "seat")
"""Doors of an open game."""


def needs_hands(event: Mapping[str, Json]) -> bool:
    """Whether a round has begun with something to do, or to know, before cards are chosen.

    That played cards are laid aside, and where the gryphon stands, is told while cards are chosen.
    """
    return event["what"] == "round_began" and bool(event["stands"] or event["final"])


class Flow:
    """Where the table is, and what people have opened over it.

    table: the screen that the table is at; doors: screens opened one from another (settings, the judge, ...), each
    with what it was given; they stay, whatever happens at the table, until somebody goes back.
    """

    def __init__(self) -> None:
        self.table = "start"
        self.doors: list[tuple[str, dict[str, Any]]] = []

    @property
    def screen(self) -> str:
        """The name of a module in screens/."""
        return self.doors[-1][0] if self.doors else self.table

    @property
    def given(self) -> dict[str, Any]:
        """What the open door was given."""
        return self.doors[-1][1] if self.doors else {}

    def take(self, what: Home | Outcome) -> None:
        """Follow an announcement."""
        if isinstance(what, Home):
            if self.table not in LOCAL:
                self.table = "start"
            self.doors = [door for door in self.doors if door[0] not in TABLE_ONLY]
            return
        phase = what.now.view["phase"]
        if what.kind != "done":
            # an announcement may have been missed
            if self.table not in SCREENS_OF[phase]:
                self.table = SCREENS_OF[phase][0]
            return
        happened = {event["what"] for event in what.events}
        if phase == "over":
            self.table = "winner"
        elif phase == "choose":
            stays = self.table == "round_end" and "locked" not in happened and what.now.held is None and what.before
            self.table = "round_end" if stays or any(map(needs_hands, what.events)) else "choose"
        elif "revealed" in happened or (self.table == "reveal" and what.before and not what.events):
            # a seat that is handed over, or what is put right, takes nobody away from the order
            self.table = "reveal"
        else:
            self.table = "turn"

    def go(self, screen: str) -> None:
        """The table goes on to a screen; all doors close."""
        self.table = screen
        self.doors.clear()

    def open(self, screen: str, given: dict[str, Any]) -> None:
        """Open a door over what is there; one that is open already is gone back to."""
        names = [name for name, _given in self.doors]
        if screen in names:
            del self.doors[names.index(screen) :]
        self.doors.append((screen, given))

    def close(self) -> bool:
        """Close the last door; whether there was one."""
        return bool(self.doors and self.doors.pop())

    def back(self, phase: str) -> None:
        """To the screen of a phase."""
        self.go(SCREENS_OF[phase][0])
