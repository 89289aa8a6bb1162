"""The house rules: every switch in plain words, its values, where it comes from. For the next game, or for this table.

While a game is open, everyone has to agree, and the change is an event of the game.
"""

from __future__ import annotations

from typing import Any

from companion.games.base import Switch, msgn
from companion.table.ports import Change, Outcome, PutRight, Snapshot
from companion.ui.screens.base import Screen
from companion.ui.screens.choices import Choice, Pages, words_height
from companion.ui.screens.sheets import rule_button
from companion.ui.theme import look
from companion.ui.words import _, say

GAME = "sir-holland"
"""Whose house rules these are while no game is open."""


class HouseRules(Screen):
    """See above. given: `switch`, the one whose page is open; `at`, where the list was then."""

    name = "house_rules"

    def make(self) -> Any:
        self.told = ""
        return super().make()

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        if outcome is not None and outcome.kind == "done":
            self.told = " ".join(say(m) for m in outcome.messages)
        self.draw()

    @property
    def standing(self) -> Any:
        """The switch whose page is open."""
        return self.given.get("switch")

    def draw(self) -> None:
        """Show the list, or the page of a switch."""
        self.middle.clear_widgets()
        switch = self.root.book.switch(self.given.get("switch", ""))
        if switch is None:
            self._list()
        else:
            self._switch(switch)

    @property
    def rules(self) -> dict[str, Any]:
        """What is changed: switch -> value."""
        now = self.root.now
        return dict(now.view["rules"] if now else self.root.settings.get("house_rules") or {})

    # --- all of them ------------------------------------------------------------------------------------------------

    def _list(self) -> None:
        n = len(self.rules)
        changed = say(msgn("{n} is changed.", "{n} are changed.", n=n)) if n else _("All as in the rule book.")
        head = _("House rules of this table") if self.root.now else _("House rules for your next game")
        self.tell(head, self.told or changed)
        rows = [lambda s=s: self._row(s) for s in self.root.book.switches]
        self.middle.add_widget(Pages(self, rows, words_height(62 if look.wide else 88), self.root.back))

    def _row(self, switch: Switch) -> Choice:
        value = self.rules.get(switch.id, switch.values[0])
        given = {"switch": switch.id, "at": self.given.get("first", 0)}
        row = Choice(_(switch.text), lambda: self._open(**given), _meaning(switch, value), px=19)
        if switch.id in self.rules:
            row.tick.art, row.tick.tint = "mark_fix", "act"
        return row

    def _open(self, **given: Any) -> None:
        self.root.open("house_rules", **given)

    # --- one --------------------------------------------------------------------------------------------------------

    def _switch(self, switch: Switch) -> None:
        self.tell(_(switch.text), self.told or _(switch.source))
        value = self.rules.get(switch.id, switch.values[0])
        rows = [
            lambda v=v, meaning=meaning: Choice(
                _(meaning),
                lambda: self._choose(switch, v),
                sub=_("This counts unless you change it.") if v == switch.values[0] else "",
                chosen=v == value,
            )
            for v, meaning in zip(switch.values, switch.meanings, strict=True)
        ]
        self.middle.add_widget(
            Pages(self, rows, words_height(62 if look.wide else 92), self._back, self._entry(switch.ruling))
        )

    def _entry(self, ruling: str) -> list[Any]:
        if not self.root.has("entry"):
            return []
        return [rule_button(self.root, ruling)]

    def _back(self) -> None:
        self._open(first=self.given.get("at", 0))

    def _choose(self, switch: Switch, value: Any) -> None:
        rules = self.rules
        if value == rules.get(switch.id, switch.values[0]):
            return
        rules.pop(switch.id, None)
        if value != switch.values[0]:
            rules[switch.id] = value
        if self.root.now is None:
            # at once, also where the house cannot keep it
            self.root.settings["house_rules"] = rules
            self.root.send(Change({"house_rules": rules}))
            self.draw()
            return
        self._ask(_meaning(switch, value), rules)

    def _ask(self, meaning: str, rules: dict[str, Any]) -> None:
        from companion.ui.agree import AgreeSheet, asked

        now = self.root.now
        text = f"“{meaning}”"
        if now.view["locked"]:
            text += " " + _("Cards that are locked in are given back.")

        def done(agreed: tuple[str, ...]) -> None:
            self.root.send(PutRight({"rules": rules}, agreed))

        self.root.open_sheet(AgreeSheet(self.root, _("Shall this count from now on?"), text, asked(now), done))


def _meaning(switch: Switch, value: Any) -> str:
    return _(switch.meanings[switch.values.index(value)])
