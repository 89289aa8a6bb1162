"""Who won? Where the heroes are at the end is the question; the decision, step by step, is the answer."""

from __future__ import annotations

from collections import Counter
from typing import Any

from kivy.properties import StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.games.base import Message, Switch, msg
from companion.games.sir_holland.desk import Step, winner
from companion.games.sir_holland.rulebook import RULEBOOK
from companion.games.sir_holland.state import COLOURS, HouseRules, heroes, level
from companion.table.ports import Outcome, SayThis, Snapshot
from companion.ui import words
from companion.ui.screens.base import Screen, load_kv
from companion.ui.screens.choices import Choice
from companion.ui.screens.entry import level_name
from companion.ui.screens.sheets import Sheet, button
from companion.ui.theme import look, u
from companion.ui.widgets import Heading, Panel, Pic, Row, RuleRow, SeatMark, Text, height_of
from companion.ui.words import _, say

load_kv("judge_winner")

OUT = 6
"""The level of a hero that is saved."""
SQUARES = 5
"""On a level; so many heroes stand there at most, but in the dungeons."""
TRY = ([6, 4], [6, 4], [5, 3], [3, 2])
"""Where the heroes are to begin with: a tie is what people ask about."""


class JudgeWinnerBody(BoxLayout):
    """Written out in judge_winner.kv."""


class HeroStepper(BoxLayout):
    """Where a hero is at the end: level 1 to 5, or saved."""

    figure = StringProperty("")
    text = StringProperty("")
    art = StringProperty("")


class DecisionRow(RuleRow):
    """A step of the decision. taken: it decided."""

    text = StringProperty("")


class JudgeWinner(Screen):
    """See above. given: `seats`, `away`, `gryphon`, `levels`, `rules`, `first` (out), kept for whoever comes back."""

    name = "judge_winner"

    def make(self) -> Any:
        body = JudgeWinnerBody()
        self.parts = body.ids
        return body

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        if "seats" not in self.given:
            self.root.flow.given.update(self._question(now))
            self._rows()
        elif not self.parts.seats.children:
            self._rows()
        self._draw()

    def _question(self, now: Snapshot | None) -> dict[str, Any]:
        """As the table is, or two seats and a tie."""
        levels = {s: list(TRY[i]) for i, s in enumerate(COLOURS)}
        if now is not None:
            seats, gryphon, rules = list(now.view["seats"]), now.view["gryphon"], dict(now.view["rules"])
            levels |= {s: [level(now.view["figures"][h]) for h in heroes(s)] for s in seats}
        else:
            seats, rules = list(self.root.draft.seats), dict(self.root.settings.get("house_rules") or {})
            gryphon = self.root.draft.gryphon or seats[-1]
            levels |= {s: list(TRY[i]) for i, s in enumerate(seats)}
        away = [s for s in COLOURS if s not in seats]
        return {"seats": seats + away, "away": away, "gryphon": gryphon, "levels": levels, "rules": rules, "first": ""}

    # --- the question and its answer --------------------------------------------------------------------------------

    @property
    def playing(self) -> list[str]:
        """The seats that are asked about."""
        return [s for s in self.given["seats"] if s not in self.given["away"]]

    @property
    def ended_by(self) -> str:
        """Both heroes of somebody are out, or everyone has rested twice: the levels say which."""
        return "saved" if self._done() else "rested"

    def _done(self) -> list[str]:
        """Who has both heroes out."""
        return [s for s in self.playing if self.given["levels"][s] == [OUT, OUT]]

    def impossible(self) -> Message | None:
        """More heroes on a level than it has squares."""
        there = Counter(n for s in self.playing for n in self.given["levels"][s])
        full = next((n for n in (5, 4, 3, 2) if there[n] > SQUARES), None)
        if full is None:
            return None
        return msg("Level {n} has five squares, and one hero stands on each. Here are {found}.", n=full,
                   found=there[full])  # fmt: skip

    def decision(self) -> tuple[str, list[Step]]:
        """Who wins, and why."""
        given, seats = self.given, self.playing
        done = self._done()
        out = sorted(done, key=lambda s: s != given["first"])
        found, steps = winner(
            seats,
            given["gryphon"],
            self.ended_by,
            {s: given["levels"][s].count(OUT) for s in seats},
            {s: [n for n in given["levels"][s] if n != OUT] for s in seats},
            HouseRules(**given["rules"]),
            out if given["first"] in done else (),
        )
        return found.winner, steps

    def switches(self) -> list[Switch]:
        """The house rules that count for such an end."""
        wanted = ("double_save",) if self.ended_by == "saved" else ("rest_end_order", "level_compare")
        return [s for s in RULEBOOK.switches if s.id in wanted]

    # --- drawing ----------------------------------------------------------------------------------------------------

    def _rows(self) -> None:
        box = self.parts.seats
        box.clear_widgets()
        given = self.given
        self.steppers: dict[str, list[HeroStepper]] = {}
        self.gryphons: dict[str, Any] = {}
        for seat in given["seats"]:
            row = Panel(padding=(u(4), u(4)), spacing=u(4))
            if seat in given["away"]:
                row.ground = ""
                sub = _("Plays, too") if look.text == "normal" else ""
                row.add_widget(button(words.colour_name(seat), lambda s=seat: self._come(s), seat=seat, sub=sub,
                                      px=18, least=13))  # fmt: skip
                row.size_hint_y = 0.8
                box.add_widget(row)
                continue
            # a touch on the mark: nobody plays that colour
            row.add_widget(button("", lambda s=seat: self._go(s), seat=seat, off=len(self.playing) <= 2,
                                  size_hint_x=None, width=u(52)))  # fmt: skip
            self.steppers[seat] = []
            for i, hero in enumerate(heroes(seat)):
                stepper = HeroStepper(figure=hero)
                stepper.ids.less.bind(on_release=lambda _, s=seat, i=i: self._step(s, i, -1))
                stepper.ids.more.bind(on_release=lambda _, s=seat, i=i: self._step(s, i, 1))
                self.steppers[seat].append(stepper)
                row.add_widget(stepper)
            holds = button("", lambda s=seat: self._change(gryphon=s), art="gryphon", size_hint_x=None, width=u(52))
            self.gryphons[seat] = holds
            row.add_widget(holds)
            box.add_widget(row)

    def _draw(self) -> None:
        given = self.given
        for seat, steppers in self.steppers.items():
            for i, stepper in enumerate(steppers):
                at = given["levels"][seat][i]
                if look.text == "normal":
                    stepper.text = level_name(at)
                else:
                    # the number of the level is enough, and a picture of the terrace
                    stepper.text, stepper.art = ("", "card_roof") if at == OUT else (str(at), "")
                stepper.ids.less.off, stepper.ids.more.off = at == 1, at == OUT
            holds = seat == given["gryphon"]
            self.gryphons[seat].edge = "act" if holds else "line"
            self.gryphons[seat].opacity = 1 if holds else 0.5
        self._answer()
        self._foot()

    def _answer(self) -> None:
        box = self.parts.answer
        box.clear_widgets()
        fault = self.impossible()
        if fault is not None:
            self.tell(_("Who won?"), _("That cannot be."))
            panel = Panel(ground="refuse_bg", edge="refuse")
            panel.add_widget(Pic(art="mark_no", tint="refuse", size_hint_x=None, width=u(40)))
            panel.add_widget(Text(text=say(fault), px=21, least=14))
            box.add_widget(panel)
            return
        champion, steps = self.decision()
        sub = _("Both heroes of somebody are out.") if self.ended_by == "saved" else _("Everyone has rested twice.")
        self.tell(say(msg("Who won? {seat}.", seat=words.name(champion))), sub)
        if look.text == "normal":
            head = Row(size_hint_y=None, height=u(52))
            head.add_widget(SeatMark(seat=champion, size_hint_x=None, width=u(46)))
            head.add_widget(Heading(text=say(msg("{seat:seat} wins!", seat=champion)), px=36, least=20))
            box.add_widget(head)
        for step in steps:
            row = DecisionRow(text=say(step.message), taken=step is steps[-1])
            row.rule = step.rule if look.text == "normal" else ""
            row.size_hint_y = 1 + len(row.text) / 60
            row.bind(on_release=lambda _, rule=step.rule: self.root.open("entry", rule=rule))
            box.add_widget(row)

    def _foot(self) -> None:
        foot = self.parts.foot
        foot.clear_widgets()
        foot.add_widget(button(_("Back"), self.root.back, icon="mark_undo", size_hint_x=0.7))
        foot.add_widget(button(_("House rules"), lambda: self.root.open_sheet(RulesSheet(self)), px=18, least=13,
                               icon="mark_book"))  # fmt: skip
        done = self._done()
        if self.given["rules"].get("double_save") == "first_out" and len(done) > 1:
            first = self.given["first"] if self.given["first"] in done else ""
            after = done[(done.index(first) + 1) % len(done)] if first else done[0]
            text = say(msg("First out: {seat:seat}", seat=first)) if first else _("Who was out first?")
            foot.add_widget(button(text, lambda: self._change(first=after), px=18, least=12))
        foot.add_widget(button(_("Read it aloud"), self._aloud, lit=True, px=21, off=self.impossible() is not None))

    # --- touches ----------------------------------------------------------------------------------------------------

    def _change(self, **changes: Any) -> None:
        self.root.flow.given.update(changes)
        self._draw()

    def _step(self, seat: str, i: int, by: int) -> None:
        levels = list(self.given["levels"][seat])
        levels[i] = min(max(levels[i] + by, 1), OUT)
        self._change(levels={**self.given["levels"], seat: levels})

    def _come(self, seat: str) -> None:
        self._seat(away=[s for s in self.given["away"] if s != seat])

    def _go(self, seat: str) -> None:
        self._seat(away=[*self.given["away"], seat])

    def _seat(self, **changes: Any) -> None:
        given = self.root.flow.given
        given.update(changes)
        if given["gryphon"] in given["away"]:
            given["gryphon"] = self.playing[0]
        self._rows()
        self._draw()

    def play_by(self, switch: str, value: Any) -> None:
        """Ask by another house rule."""
        self._change(rules={**self.given["rules"], switch: value})

    def _aloud(self) -> None:
        if self.impossible() is None:
            champion, steps = self.decision()
            self.root.send(SayThis((*(s.message for s in steps), msg("{seat:seat} wins!", seat=champion))))


class RulesSheet(Sheet):
    """The house rules that count for such an end. A touch on what is played already leaves it so."""

    def __init__(self, screen: JudgeWinner) -> None:
        super().__init__(screen.root, _("House rules"), 780)
        for switch in screen.switches():
            ask = Text(text=_(switch.text), px=19, least=13, size_hint_y=None)
            ask.height = height_of(ask.text, 19, self.panel.width - u(32))
            self.panel.add_widget(ask)
            played = screen.given["rules"].get(switch.id, switch.values[0])
            buttons = []
            for value, meaning in zip(switch.values, switch.meanings, strict=True):
                made = button(_(meaning), lambda s=switch.id, v=value: self._play(screen, s, v), px=16, least=11)
                made.about = Choice.about
                made.edge = "act" if value == played else "line"
                buttons.append(made)
            if look.wide:
                self.row(*buttons, height=max(76, 84 * look.scale))
                continue
            for made in buttons:
                self.row(made, height=max(52, 66 * look.scale))

    def _play(self, screen: JudgeWinner, switch: str, value: Any) -> None:
        self.root.close_sheet()
        screen.play_by(switch, value)
