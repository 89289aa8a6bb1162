"""Which screen is due. Pure: announcements in, the name of a screen out."""

from __future__ import annotations

from companion.table.ports import Home, Outcome

LOCAL = ("seats", "tower")
"""Screens of a game that has not begun."""


class Flow:
    """Where the table is. `screen` is the name of a module in screens/."""

    def __init__(self) -> None:
        self.screen = "start"

    def take(self, what: Home | Outcome) -> None:
        """Follow an announcement."""
        if isinstance(what, Home):
            if self.screen not in LOCAL:
                self.screen = "start"
            return
        if what.kind != "done":
            return
        happened = {event["what"] for event in what.events}
        phase = what.now.view["phase"]
        if phase == "over":
            self.screen = "winner"
        elif phase == "choose":
            stays = self.screen == "round_end" and "locked" not in happened and what.now.held is None and what.before
            self.screen = "round_end" if "round_began" in happened or stays else "choose"
        elif "revealed" in happened:
            self.screen = "reveal"
        else:
            self.screen = "turn"

    def go(self, screen: str) -> None:
        """A person goes on to a screen."""
        self.screen = screen

    def back(self, phase: str) -> None:
        """To the screen of a phase."""
        self.screen = {"choose": "choose", "resolve": "turn", "over": "winner"}[phase]
