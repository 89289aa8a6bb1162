"""May I do this? A position, a wish tapped on the tower, and the answer: yes, or no with what would be allowed.

Where the answer is only our reading, all readings, and the one that this table plays by from now on.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.games import find_game
from companion.games.base import Message, msg, msgn
from companion.games.sir_holland.nearest import figure_of, target_of
from companion.games.sir_holland.state import (
    CARDS,
    CLIMB,
    EXPLOSION,
    HIDE,
    POINTS,
    PORTALS,
    REST,
    SPECIALS,
    VILLAINS,
    End,
    Explode,
    Fall,
    Hide,
    Rest,
    State,
    heroes,
    owner,
)
from companion.table.judging import Verdict, judge
from companion.table.ports import Change, Outcome, PutRight, SayThis, Snapshot
from companion.ui import card_words, words
from companion.ui.agree import AgreeSheet, asked
from companion.ui.boards import question
from companion.ui.boards.question import Position
from companion.ui.boards.sir_holland.crowd import CrowdSheet
from companion.ui.boards.wishes import Wishes
from companion.ui.screens.base import Screen, load_kv
from companion.ui.screens.entry import GAME
from companion.ui.screens.judge_order import CardChoice
from companion.ui.screens.sheets import Sheet, button, rule_button
from companion.ui.screens.turn_answers import special_left
from companion.ui.theme import look, t, u
from companion.ui.widgets import Heading, Panel, Pic, Row, Text
from companion.ui.words import _, say

load_kv("judge_may")

NEAR = 3
"""So many legal squares are named instead."""


class JudgeMayBody(BoxLayout):
    """Written out in judge_may.kv. alone: the words have all the room."""

    alone = BooleanProperty(False)

    def on_alone(self, *_: Any) -> None:
        """Away with the tower, or back."""
        self.ids.tower.disabled, self.ids.place.opacity = self.alone, 0 if self.alone else 1
        self.on_size()

    def on_size(self, *_: Any) -> None:
        """The tower takes what its height (or width) asks for, as far as the side keeps enough room."""
        tower, place = self.ids.tower, self.ids.place
        if self.alone:
            place.size = (0, place.height) if look.wide else (place.width, 0)
        elif look.wide:
            place.width = min(tower.width_for(self.height - u(16)), self.width * 0.52)
        else:
            place.height = min(tower.height_for(self.width - u(16)), self.height - max(u(330), t(300)))


class ReadingRow(Panel):
    """One way to read an unclear rule."""

    meaning = StringProperty("")
    allows = BooleanProperty(False)


class JudgeMay(Screen):
    """See above. given: `position`, `wish` (the choice), `edit`, kept for whoever comes back from a rule.

    picked: the figure in hand; half: `special` or `explode` while the card's other half was asked for; readings:
    whether they are shown instead of the answer.
    """

    name = "judge_may"

    def make(self) -> Any:
        self.picked: str | None = None
        self.half: str | None = None
        self.readings = False
        self.verdict: Verdict | None = None
        game = find_game(GAME)
        assert game is not None
        self.game = game
        body = JudgeMayBody()
        self.whole, self.tower, self.side = body, body.ids.tower, body.ids.side
        self.tower.bind(on_square=lambda _, square: self.touch(square))
        return body

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        if "position" not in self.given:
            self.set(position=question.taken_over(now.view) if now is not None else self._dealt())
            return
        self.draw()

    def _dealt(self) -> Position:
        rules = self.root.settings.get("house_rules") or {}
        return question.dealt(self.root.draft.seats, rules, Random())

    # --- the question -----------------------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The position asked about."""
        position: Position = self.given["position"]
        return position

    @property
    def turn(self) -> dict[str, Any]:
        """Whose turn it is in it, with what is left of the card."""
        turn: dict[str, Any] = self.position["turn"]
        return turn

    @property
    def standing(self) -> Any:
        """Whether the position is set up, or something is asked about it."""
        return self.edit, self.given.get("wish") is not None

    @property
    def edit(self) -> bool:
        """Whether touches set the position up."""
        return bool(self.given.get("edit"))

    def state(self) -> State | None:
        """The position as a table, where it can be."""
        return None if question.faults(self.position) else question.state_of(self.position)

    def set(self, **changes: Any) -> None:
        """Another question."""
        if "wish" not in changes:
            changes["wish"] = None
        self.root.flow.given.update(changes)
        self.readings = False
        self.draw()

    def ask(self, choice: Any) -> None:
        """This is the wish."""
        self.picked, self.half = None, None
        self.set(wish=choice)

    # --- touches ----------------------------------------------------------------------------------------------------

    def touch(self, square: str) -> None:
        """A square of the tower was touched."""
        state = self.state()
        if self.edit:
            self._set_down(square)
        elif state is None:
            return
        elif self.turn["pending"]:
            hero = self.turn["pending"]["hero"]
            self.ask(Fall(owner(hero), hero, square))
        elif self.half == "explode":
            self.ask(Explode(self.turn["seat"], square))
        elif self.picked is None or square == self.position["figures"][self.picked]:
            self._pick_on(square)
        else:
            self.ask(self._wish(state, self.picked, square))

    def _wish(self, state: State, figure: str, square: str) -> Any:
        wishes = Wishes(self.position, self.game.choices(state))
        ways = wishes.targets(figure, self.half).get(square)
        return ways[0].choice if ways else wishes.wish(figure, square, self.half)

    def _pick_on(self, square: str) -> None:
        """Take a figure in hand; the next one on the square with the next touch."""
        there = [f for f, s in self.position["figures"].items() if s == square]
        if self.tower.crowded(square):
            figures, lying = self.position["figures"], self.position["lying"]
            self.root.open_sheet(CrowdSheet(self.root, square, figures, lying, self._take, there, _("Who moves?")))
            return
        after = there[there.index(self.picked) + 1 :] if self.picked in there else there
        self.picked = after[0] if after else None
        self.set()

    def _take(self, figure: str) -> None:
        """Take that figure in hand."""
        self.picked = figure
        self.set()

    def _set_down(self, square: str) -> None:
        """Setting up: a figure in hand goes wherever one wants it."""
        if self.picked is None or square == self.position["figures"][self.picked]:
            self._pick_on(square)
            return
        figure, self.picked = self.picked, None
        self.set(position=question.moved(self.position, figure, square))

    # --- drawing ----------------------------------------------------------------------------------------------------

    def draw(self) -> None:
        """Show what is so now."""
        position, state, wish = self.position, self.state(), self.given.get("wish")
        self.verdict = judge(self.game, state, wish) if state is not None and wish is not None else None
        tower = self.tower
        tower.show(position)
        tower.picked = [position["figures"][self.picked]] if self.picked else []
        tower.bad, tower.lit, tower.preview = [], {}, []
        if self.verdict is not None:
            self._show_answer(self.verdict, wish)
        elif not self.edit and self.picked is None and self.half is None and state is not None:
            tower.lit = dict.fromkeys(self._speakers(), "")
        self.tell(*self._sentence(), self.turn["seat"])
        self.side.clear_widgets()
        self.whole.alone = self.readings and self.tight
        if self.readings and self.verdict is not None:
            self._draw_readings(self.verdict)
        else:
            self._draw_question()
        self.side.add_widget(self._foot())

    def _show_answer(self, verdict: Verdict, wish: Any) -> None:
        """The wish on the tower: its way, or the refused square and what is allowed near it."""
        target, figure = target_of(wish), figure_of(wish)
        start = self.position["figures"].get(figure, "")
        if verdict.allowed:
            self.tower.lit = {target or start: ""} if target or start else {}
            if hasattr(wish, "path"):
                self.tower.preview = [((start, *wish.path), target)]
            return
        self.tower.bad = [target or start] if target or start else []
        self.tower.lit = dict.fromkeys(self.near(verdict), "")

    @staticmethod
    def near(verdict: Verdict) -> list[str]:
        """The nearest squares that would be allowed."""
        return [s for s in map(target_of, verdict.instead) if s][:NEAR]

    def _speakers(self) -> list[str]:
        """Where the figures stand that one may ask about."""
        pending = self.turn["pending"]
        if pending:
            return list(pending["to"])
        figures = self.position["figures"]
        return [figures[f] for f in (*heroes(self.turn["seat"]), *VILLAINS)]

    def _sentence(self) -> tuple[str, str]:
        head = _("May I do this?")
        if self.readings and self.verdict is not None:
            switch = self.game.rulebook.switch(self.verdict.switch)
            assert switch is not None
            return _(switch.text), _(switch.source)
        if self.edit:
            return _("Make it like your question."), _("Tap a figure, then where it stands.")
        if self.turn["pending"]:
            return head, say(msg("{hero:figure} falls. Tap where to.", hero=self.turn["pending"]["hero"]))
        if self.half == "explode":
            return head, _("Tap the card that blows up.")
        if self.picked:
            return say(msg("May {figure:figure} do this?", figure=self.picked)), _("Tap where it wants to go.")
        return head, _("Tap a figure, then where it wants to go.")

    @property
    def tight(self) -> bool:
        """Whether an answer needs the room of the question."""
        return not look.wide or look.text != "normal"

    def _draw_question(self) -> None:
        faults = question.faults(self.position)
        if self.verdict is not None and self.tight:
            self.side.add_widget(self._answer(self.verdict))
            return
        self.side.add_widget(self._turn_row())
        if self.edit:
            self.side.add_widget(self._edit_row())
        elif (row := self._special_row()) is not None:
            self.side.add_widget(row)
        if faults:
            self.side.add_widget(_panel(" ".join(say(m) for m in faults[:2]), "mark_no", "refuse"))
        elif self.verdict is not None:
            self.side.add_widget(self._answer(self.verdict))
        else:
            self.side.add_widget(_panel(self._hint(), "gryphon"))

    def _hint(self) -> str:
        if self.edit:
            return _("Everything may stand anywhere. Tap the card above for the turn.")
        turn = self.turn
        if turn["card"] == REST or turn["pending"]:
            return _("Tap what you want to do.")
        parts = [msgn("{n} step", "{n} steps", n=turn["points"])] if turn["points"] else []
        parts += [special_left(turn)] if turn["special"] else []
        if not parts:
            return _("Nothing is left of the card.")
        return say(msg("Left of the card: {what:message}.", what=parts[0])) if len(parts) == 1 else say(
            msg("Left of the card: {steps:message}, and {what:message}.", steps=parts[0], what=parts[1])
        )

    def _turn_row(self) -> Any:
        """Whose turn it is with which card, and the way to another position."""
        turn = self.turn
        row = Row(size_hint_y=None, height=max(u(60), t(54)))
        card = words.term("card", turn["card"])
        row.add_widget(button(words.name(turn["seat"]), lambda: self.root.open_sheet(TurnSheet(self)), sub=card,
                              seat=turn["seat"], align="left", px=20, least=13, size_hint_x=1.5))  # fmt: skip
        text = _("Ask") if self.edit else _("Set up")
        row.add_widget(button(text, self._turn_edit, icon="mark_yes" if self.edit else "mark_fix", px=18, least=13,
                              lit=self.edit))  # fmt: skip
        return row

    def _turn_edit(self) -> None:
        self.picked = self.half = None
        self.set(edit=not self.edit)

    def _edit_row(self) -> Any:
        """What can be set about the figure in hand, or about all."""
        row = Row(size_hint_y=None, height=max(u(56), t(50)))
        picked, lying = self.picked, self.position["lying"]
        if picked is None or picked in VILLAINS:
            row.add_widget(button(_("Another tower"), self._deal, icon="mark_undo", px=18, least=13))
            if self.root.now is not None:
                row.add_widget(button(_("Our table"), self._take_over, px=18, least=13))
            return row
        text = _("Stand it up") if picked in lying else _("Lay it down")
        row.add_widget(button(text, lambda: self._lay(picked), px=18, least=13))
        if question.can_fall(self.position, picked):
            falls = (self.turn["pending"] or {}).get("hero") == picked
            fall = button(_("It falls"), lambda: self._fall(None if falls else picked), px=18, least=13)
            fall.edge = "act" if falls else "line"
            row.add_widget(fall)
        return row

    def _deal(self) -> None:
        self.picked = None
        rules, seats = self.position["rules"], self.position["seats"]
        self.set(position=question.dealt(seats, rules, Random()))

    def _take_over(self) -> None:
        self.picked = None
        self.set(position=question.taken_over(self.root.now.view))

    def _lay(self, hero: str) -> None:
        lying = sorted(set(self.position["lying"]) ^ {hero})
        self.set(position=self.position | {"lying": lying})

    def _fall(self, hero: str | None) -> None:
        self.set(position=question.falling(self.position, hero))

    def _special_row(self) -> Any:
        """The other half of the card, as one row; nothing where a touch on the tower is enough."""
        turn = self.turn
        seat, card = turn["seat"], turn["card"]
        row = Row(size_hint_y=None, height=max(u(56), t(50)))
        if turn["pending"]:
            return None
        if card == HIDE:
            for hero in heroes(seat):
                row.add_widget(button(_("Hide"), lambda h=hero: self.ask(Hide(seat, h)), figure=hero, px=18))
        elif card == EXPLOSION:
            row.add_widget(self._half_button(_("Blow up a card"), "explode", "action_3_explosion"))
        elif card in (CLIMB, PORTALS):
            text, art = (_("Climb"), "action_5_climb") if card == CLIMB else (_("Use portals"), "action_6_portal")
            row.add_widget(self._half_button(text, "special", art))
        elif card == REST:
            row.add_widget(button(_("Rest"), lambda: self.ask(Rest(seat)), icon="action_7_rest", px=18))
        if card != REST:
            row.add_widget(button(_("End my turn"), lambda: self.ask(End(seat)), px=18, least=13))
        return row

    def _half_button(self, text: str, half: str, art: str) -> Any:
        def act() -> None:
            self.half = None if self.half == half else half
            if half == "explode":
                self.picked = None
            self.set()

        made = button(text, act, icon=art, px=18, least=13)
        made.edge = "act" if self.half == half else "line"
        return made

    # --- the answer -------------------------------------------------------------------------------------------------

    def _answer(self, verdict: Verdict) -> Any:
        yes = verdict.allowed
        panel = Panel(orientation="vertical", ground="ok_bg" if yes else "refuse_bg", edge="ok" if yes else "refuse",
                      padding=(u(12), u(6)), spacing=u(4))  # fmt: skip
        head = Row(size_hint_y=None, height=max(u(52), t(46)))
        head.add_widget(Pic(art="mark_yes" if yes else "mark_no", tint="ok" if yes else "refuse", size_hint_x=None,
                            width=u(34)))  # fmt: skip
        head.add_widget(Heading(text=_("Yes.") if yes else _("No."), px=34, least=20, size_hint_x=0.6))
        if verdict.readings:
            head.add_widget(button(_("Our reading"), self._turn_readings, px=17, least=12))
        if verdict.rule:
            head.add_widget(rule_button(self.root, verdict.rule, px=18, size_hint_x=1.1))
        panel.add_widget(head)
        text = " ".join(say(m) for m in verdict.messages)
        near = self.instead(verdict)
        panel.add_widget(Text(text=text, px=19, least=12, size_hint_y=1 + len(text) / 60))
        if near is not None:
            panel.add_widget(Text(text=say(near), px=18, least=12, bold=True))
        return panel

    def instead(self, verdict: Verdict) -> Message | None:
        """What would be allowed, in one sentence."""
        if verdict.allowed or not verdict.instead:
            return None
        near = self.near(verdict)
        if near:
            who = figure_of(verdict.instead[0])
            if who:
                return msg("{figure:figure} may go to {to:squares_or}.", figure=who, to=near)
            return msg("Allowed: {to:squares_or}.", to=near)
        other = verdict.instead[0]
        if isinstance(other, Hide):
            return msg("{figure:figure} may hide.", figure=other.hero)
        return msg("Resting is allowed.") if isinstance(other, Rest) else msg("Ending the turn is allowed.")

    def _turn_readings(self) -> None:
        self.readings = not self.readings
        self.draw()

    def _draw_readings(self, verdict: Verdict) -> None:
        """Every way to read the rule, and whether it would allow the wish; question and source stand at the top."""
        switch = self.game.rulebook.switch(verdict.switch)
        assert switch is not None
        played = self.position["rules"].get(switch.id, switch.values[0])
        for reading in verdict.readings:
            mine = reading.value == played
            row = ReadingRow(meaning=_(reading.meaning), allows=reading.allows, edge="act" if mine else "")
            if not mine:
                row.add_widget(button(_("We play it so"), lambda v=reading.value: self._adopt(switch.id, v), px=17,
                                      least=12, size_hint_x=None, width=t(104)))  # fmt: skip
            self.side.add_widget(row)

    def _adopt(self, switch: str, value: str | int) -> None:
        """For this table, if everyone agrees; with no game open, for the next one."""
        now = self.root.now
        if now is None:
            rules = {**(self.root.settings.get("house_rules") or {}), switch: value}
            self.root.settings["house_rules"] = rules
            self.root.send(Change({"house_rules": rules}))
            self._judge_by(switch, value)
            return
        found = self.game.rulebook.switch(switch)
        assert found is not None
        text = f"{_(found.text)} {_(found.meanings[found.values.index(value)])}"

        def agreed(seats: tuple[str, ...]) -> None:
            self.root.send(PutRight({"rules": {**now.view["rules"], switch: value}}, seats))
            self._judge_by(switch, value)

        self.root.open_sheet(AgreeSheet(self.root, _("Does your table play it so?"), text, asked(now), agreed))

    def _judge_by(self, switch: str, value: str | int) -> None:
        """The same question by the other rule."""
        rules = {**self.position["rules"], switch: value}
        self.set(position=self.position | {"rules": rules}, wish=self.given.get("wish"))

    def _foot(self) -> Any:
        row = Row(size_hint_y=None, height=t(60))
        back: Callable[[], None] = self._turn_readings if self.readings else self.root.back
        row.add_widget(button(_("Back"), back, icon="mark_undo", size_hint_x=0.7))
        if self.verdict is not None and self.readings:
            row.add_widget(rule_button(self.root, self.verdict.rule, px=18, size_hint_x=0.6))
        elif self.verdict is not None and self.tight:
            row.add_widget(button(_("Ask again"), self.set, px=18, least=12, size_hint_x=0.8))
        row.add_widget(button(_("Read it aloud"), self._aloud, lit=self.verdict is not None, off=self.verdict is None,
                              px=20))  # fmt: skip
        return row

    def _aloud(self) -> None:
        if self.verdict is None:
            return
        near = self.instead(self.verdict)
        answer = msg("Yes.") if self.verdict.allowed else msg("No.")
        self.root.send(SayThis((answer, *self.verdict.messages, *((near,) if near else ()))))


class TurnSheet(Sheet):
    """Whose turn it is, with which card, and what is left of it."""

    def __init__(self, screen: JudgeMay) -> None:
        super().__init__(screen.root, _("Whose turn, which card?"), 720)
        self.screen = screen
        self.panel.padding, self.panel.spacing = (u(12), u(12)), u(8)
        turn = screen.turn
        seats = []
        for seat in screen.position["seats"]:
            made = button(words.name(seat), lambda s=seat: self._turn(s, turn["card"]), seat=seat, px=18, least=12)
            made.edge = "act" if seat == turn["seat"] else "line"
            seats.append(made)
        per_row = 4 if look.wide else 2
        for start in range(0, len(seats), per_row):
            self.row(*seats[start : start + per_row], height=54)
        row = Row(size_hint_y=None, height=min(u(112), (self.panel.width - u(24)) / 7 * 1.36))
        for n in CARDS:
            card = CardChoice(number=n, seat=turn["seat"], picked=n == turn["card"])
            card.bind(on_release=lambda _, n=n: self._turn(turn["seat"], n))
            row.add_widget(card)
        self.panel.add_widget(row)
        if turn["card"] != REST:
            special = say(card_words.LEFT[turn["card"]])
            half = {"points": (_("Hero steps left"), POINTS), "special": (special, SPECIALS)}
            counters = [self._counter(key, text, most[turn["card"]]) for key, (text, most) in half.items()]
            if look.wide:
                self.row(*(widget for counter in counters for widget in counter))
            else:
                for counter in counters:
                    self.row(*counter, height=54)
        done = []
        for figure in question.may_be_done(screen.position):
            made = button(_("is done"), lambda f=figure: self._done(f), figure=figure, px=18, least=12)
            made.edge = "act" if figure in turn["used"] else "line"
            done.append(made)
        if done:
            self.row(*done)
        self.row(button(_("That is the turn"), self.root.close_sheet, lit=True, icon="mark_yes"), height=60)

    def _counter(self, key: str, text: str, most: int) -> list[Any]:
        left = self.screen.turn[key]
        return [
            button("–", lambda: self._left(**{key: left - 1}), px=24, off=left == 0, size_hint_x=None, width=u(52)),
            Text(text=f"{text}: {left}", px=18, least=12, halign="center"),
            button("+", lambda: self._left(**{key: left + 1}), px=24, off=left == most, size_hint_x=None, width=u(52)),
        ]

    def _again(self, position: Position) -> None:
        """The sheet as it is now."""
        self.screen.picked = self.screen.half = None
        self.screen.set(position=position)
        self.root.open_sheet(TurnSheet(self.screen))

    def _turn(self, seat: str, card: int) -> None:
        self._again(question.with_turn(self.screen.position, seat, card))

    def _left(self, **left: int) -> None:
        self._again(question.with_left(self.screen.position, **left))

    def _done(self, figure: str) -> None:
        used = sorted(set(self.screen.turn["used"]) ^ {figure})
        if self.screen.turn["card"] == HIDE:
            used = [f for f in used if f == figure]
        self._again(question.with_left(self.screen.position, used=used))


def _panel(text: str, art: str, tint: str = "") -> Any:
    panel = Panel(ground="refuse_bg" if tint else "panel", edge=tint)
    panel.add_widget(Pic(art=art, tint=tint, size_hint_x=None, width=u(48)))
    panel.add_widget(Text(text=text, px=20, least=13))
    return panel
