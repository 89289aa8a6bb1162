"""Teach the cards: each is asked for in its turn, and the sticker that is laid on any reader belongs to it."""

from __future__ import annotations

from typing import Any

from kivy.properties import NumericProperty
from kivy.uix.boxlayout import BoxLayout

from companion.games.base import Message, msg
from companion.games.sir_holland.state import CARDS, COLOURS
from companion.table.ports import CardBox, ListCards, Outcome, Snapshot, Touched
from companion.table.teaching import Card, Teaching
from companion.ui.pen import Pen
from companion.ui.screens.base import Answer
from companion.ui.screens.choices import foot, page
from companion.ui.screens.listening import Listening
from companion.ui.screens.sheets import button
from companion.ui.theme import c, look, u
from companion.ui.widgets import BigButton, Row
from companion.ui.words import _, say

ALL = tuple((owner, number) for owner in COLOURS for number in CARDS)
"""The cards of the box, in the order in which they are asked for."""


class CardTile(BigButton):
    """A card of the box, with a tick for its sticker, or two."""

    about = msg("A card, and whether its sticker is known. A short touch asks for its sticker.")
    stickers = NumericProperty(0)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.fbind("stickers", self._dress)

    def _dress(self, *_: Any) -> None:
        super()._dress()
        if self.stickers and not self.lit:
            self.ground, self.edge = "ok_bg", "ok"

    def _draw(self, *args: Any) -> None:
        super()._draw(*args)
        pen, px = Pen(self._group), min(u(20), self.height * 0.34)
        for at in range(min(int(self.stickers), 2)):
            tint = c("on_act" if self.lit else "ok")
            pen.pic("mark_yes", self.right - (at + 1) * px - u(3), self.y + u(3), px, tint)


class Teach(Listening):
    """See above."""

    name = "teach"
    hears = "cards"

    def make(self) -> Any:
        self.teaching: Teaching | None = self.root.flow.given.get("teaching")
        self.said: Message | None = None
        self.well = False
        self.tiles: dict[Card, CardTile] = {}
        lines = [[(owner, number) for number in CARDS] for owner in COLOURS]
        if not look.wide:
            lines = [[(owner, number) for owner in COLOURS] for number in CARDS]
        rows = BoxLayout(orientation="vertical", spacing=u(6))
        for line in lines:
            row = Row(spacing=u(6))
            for card in line:
                tile = self.tiles[card] = CardTile(text=str(card[1]), seat=card[0], px=26, least=16)
                tile.bind(on_release=lambda *_, card=card: self._pick(card))
                row.add_widget(tile)
            rows.add_widget(row)
        self.before = button(_("Back"), lambda: self._do("back"), least=13)
        self.skip = button(_("Skip"), lambda: self._do("skip"), least=13)
        self.redo = button(_("Again"), self._redo, icon="" if look.tight else "mark_undo", least=13)
        last = foot(self.root.back, self.before, self.skip, self.redo)
        self.done = last.children[0]
        return page(rows, last)

    def __init__(self, root: Any, **kwargs: Any) -> None:
        super().__init__(root, **kwargs)
        root.send(ListCards())

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        self._refresh()

    def heard(self, what: Answer) -> None:
        if not isinstance(what, CardBox):
            super().heard(what)
        elif self.teaching is None:
            self.teaching = self.kept("teaching", lambda: Teaching(ALL, what.tags))
            self._refresh()
            self.speak(self.teaching.ask)
        else:
            before = self.teaching.card
            self.teaching.know(what.tags)
            self._refresh()
            if self.teaching.card != before:
                self._speak_on()

    def touched(self, touch: Touched) -> None:
        if touch.kind != "reader" or not touch.down or self.teaching is None:
            return
        before = self.teaching.card
        answer = self.teaching.lay(touch)
        self.said, self.well = answer.message, answer.well
        self.answer(touch.device, answer.well)
        if answer.request is not None:
            self.root.send(answer.request)
        elif self.teaching.card != before:
            self._speak_on()
        elif answer.message is not None:
            self.speak(answer.message)
        self._refresh()

    def _speak_on(self) -> None:
        """The next card, in few words: twenty-eight are to be heard in two minutes."""
        assert self.teaching is not None
        card = self.teaching.card
        asked = msg("{seat:seat}: {card:card}.", seat=card[0], card=card[1]) if card else self.teaching.ask
        self.speak(*([self.said] if self.said else []), asked)

    # --- touches ----------------------------------------------------------------------------------------------------

    def _pick(self, card: Card) -> None:
        if self.teaching is not None:
            self.teaching.pick(card)
            self._go_on()

    def _do(self, what: str) -> None:
        """Back or skip; at the end, all from the start."""
        if self.teaching is not None:
            getattr(self.teaching, "from_start" if self.teaching.card is None and what == "skip" else what)()
            self._go_on()

    def _redo(self) -> None:
        if self.teaching is not None and self.teaching.can_redo:
            self.root.send(self.teaching.redo())
            self._go_on()

    def _go_on(self) -> None:
        self.said = None
        self._refresh()
        self._speak_on()

    # --- what is shown ----------------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        teaching = self.teaching
        if teaching is None:
            self.tell(_("Teach the cards"))
            return
        hint = say(teaching.summary)
        if teaching.card is None:
            hint = _("Touch a card to give it another sticker.")
        elif not any(row["state"] == "ok" for row in self.root.devices.get("readers", ())):
            hint = _("No reader is there. Plug one in, then lay the card.")
        sub, tint = self.note(self.said, hint, self.well)
        self.tell(say(teaching.ask), sub, teaching.card[0] if teaching.card else "", tint)
        for card, tile in self.tiles.items():
            tile.stickers, tile.lit = teaching.stickers(card), card == teaching.card
        self.skip.text = _("From the start") if teaching.card is None else _("Skip")
        self.redo.off, self.done.lit = not teaching.can_redo, teaching.card is None
