"""A turn: the tower, what the card gives, and what a touch means."""

from __future__ import annotations

from typing import Any

from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.games.base import Message, msg, msgn
from companion.games.sir_holland.state import (
    CAPTURE, CHASE, CLIMB, EXPLOSION, HIDE, POINTS, PORTALS, REST, ROOF, SPECIALS, VILLAINS, End, Explode, Hide, Move,
    Rest, owner,
)  # fmt: skip
from companion.table.ports import Insist, Outcome, Play, PutRight, Snapshot, TakeBack
from companion.ui import words
from companion.ui.boards.wishes import Way, Wishes
from companion.ui.screens.base import Screen, load_kv
from companion.ui.screens.notice import Notice, Offer
from companion.ui.theme import look, u
from companion.ui.widgets import ActionCard, BigButton, Panel, Pic, Row, Text
from companion.ui.words import _, say

load_kv("turn")

SPECIAL_ART = {EXPLOSION: "action_3_explosion", CLIMB: "action_5_climb", PORTALS: "action_6_portal"}


class Queue(BoxLayout):
    """Who acts in which order."""

    def show(self, view: Any) -> None:
        """Done with a tick, now framed, to come with the number."""
        self.clear_widgets()
        order = sorted(view["cards"], key=lambda s: s in view["queue"])
        done = [s for s in order if s not in view["queue"]]
        done.sort(key=lambda s: view["cards"][s])
        for seat in (*done, *view["queue"]):
            self.add_widget(
                QueueChip(
                    seat=seat,
                    card=str(view["cards"][seat]),
                    done=seat in done,
                    now=bool(view["queue"]) and seat == view["queue"][0],
                )
            )


class QueueChip(BoxLayout):
    """One seat in the order."""

    seat = StringProperty("")
    card = StringProperty("")
    done = BooleanProperty(False)
    now = BooleanProperty(False)


class Steps(Panel):
    """The movement points, as footprints that go dark."""

    sub = StringProperty("")
    left = NumericProperty(0)

    def show(self, left: int, total: int) -> None:
        """How much is left."""
        self.ids.prints.clear_widgets()
        for i in range(total):
            self.ids.prints.add_widget(
                Pic(
                    art="mark_steps",
                    tint="text" if i < left else "line",
                    dim=1 if i < left else 0.5,
                    size_hint_x=None,
                    width=u(34),
                )
            )
        if left:
            text = say(msgn("{n} step left", "{n} steps left", n=left))
        else:
            text = _("No steps left")
        self.ids.prints.add_widget(Text(text=text, px=24, bold=True, tint="text" if left else "muted"))
        self.sub = _("Share them as you like.") if left > 1 else ""


class TurnBody(BoxLayout):
    """Tower and side; written out in turn.kv."""

    def on_size(self, *_: Any) -> None:
        """The tower takes what its height (or width) asks for, but at most a good half."""
        tower, place = self.ids.tower, self.ids.place
        if look.wide:
            place.width = min(tower.width_for(self.height - u(11)), self.width * 0.56)
        else:
            place.height = min(tower.height_for(self.width - u(16)), self.height * 0.66)


class Turn(Screen):
    """See above. `picked`: the figure in hand; `half`: the half of the card that was asked for, or None for both."""

    name = "turn"

    def make(self) -> Any:
        self.wishes: Wishes | None = None
        self.picked: str | None = None
        self.half: str | None = None
        self.warned: set[str] = set()
        self.turn_key: Any = None
        self.notice: Notice | None = None
        self.news: tuple[Message, ...] = ()
        body = TurnBody()
        self.tower = body.ids.tower
        self.tower.bind(on_square=lambda _, square: self.touch(square))
        self.side = body.ids.side
        return body

    # --- what is due ------------------------------------------------------------------------------------------------

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        if now is None or now.view["turn"] is None:
            return
        view = now.view
        key = (view["round"], view["turn"]["seat"])
        if key != self.turn_key:
            self.turn_key, self.picked, self.half, self.warned = key, None, None, set()
        self.now = now
        self.wishes = Wishes(view, now.choices)
        self.notice = None
        self.tower.bad = []
        if outcome is not None and outcome.kind == "done":
            self.news = outcome.messages
            self.half = None
            self._announce(outcome)
        if self.picked is not None and not self.wishes.targets(self.picked):
            self.picked = None
        if self.picked is None and outcome is None:
            self.news = self.news or ()
        self._draw()

    def _announce(self, outcome: Outcome) -> None:
        """What hands have to do now stands large; the rest is a line."""
        happened = [e["what"] for e in outcome.events]
        for what, head in (("exploded", _("Now the cards")), ("fell", _("A fall"))):
            if what in happened:
                told = [m for m in outcome.messages if m.id != "{seat:seat} acts now with {card:card}."]
                self.notice = Notice(
                    head, " ".join(say(m) for m in told), [Offer(_("Done"), self.calm, lit=True, icon="mark_yes")]
                )

    @property
    def _seat(self) -> str:
        """Whose answer is awaited."""
        pending = self.now.view["turn"]["pending"]
        seat: str = owner(pending["hero"]) if pending else self.now.view["turn"]["seat"]
        return seat

    def _draw(self) -> None:
        view, wishes = self.now.view, self.wishes
        assert wishes is not None
        self.tower.show(view)
        self.tower.lit = self._lit()
        self.tower.picked = [view["figures"][self.picked]] if self.picked else []
        sentence, sub = self._sentence()
        self.tell(sentence, sub, self._seat)
        self._side()

    def _lit(self) -> dict[str, str]:
        """Where candlelight falls, and what each coin says."""
        wishes = self.wishes
        assert wishes is not None
        turn = self.now.view["turn"]
        if turn["pending"]:
            return dict.fromkeys(turn["pending"]["to"], "")
        if self.half == "explode":
            return dict.fromkeys(wishes.explodable(), "action_3_explosion")
        if self.picked:
            found = {}
            for square, ways in wishes.targets(self.picked, self.half).items():
                first = ways[0]
                symbol = first.kind in ("climb", "portal") and len(ways) == 1
                found[square] = SPECIAL_ART[turn["card"]] if symbol else str(first.cost)
            return found
        movable = wishes.figures(self.half)
        return {self.now.view["figures"][f]: "" for f in movable}

    def _sentence(self) -> tuple[str, str]:
        who = words.name(self.now.view["turn"]["seat"])
        if self.now.view["turn"]["pending"]:
            return say(self.now.awaited[0][1]), _("Tap one of the two dungeons.")
        if self.half == "explode":
            return say(msg("{seat}, which card blows up?", seat=who)), _("Tap a bright square.")
        if self.picked:
            text = say(msg("{seat}, where does {figure:figure} go?", seat=who, figure=self.picked))
            return text, _("Tap a bright square. Its number is the steps it costs.")
        wishes = self.wishes
        assert wishes is not None
        text = say(self.now.awaited[0][1]) if self.now.awaited else ""
        return text, _("Tap a figure on a bright square.") if wishes.figures() else ""

    # --- the side ---------------------------------------------------------------------------------------------------

    def _side(self) -> None:
        side = self.side
        side.clear_widgets()
        queue = Queue()
        queue.show(self.now.view)
        side.add_widget(queue)
        if self.notice is not None:
            if self.notice.parent:
                self.notice.parent.remove_widget(self.notice)
            side.add_widget(self.notice)
            return
        self._halves()
        side.add_widget(self._tip())
        self._buttons()

    def _halves(self) -> None:
        turn = self.now.view["turn"]
        row = Row(size_hint_y=1.2 if not look.wide else 1)
        row.add_widget(ActionCard(number=turn["card"], seat=turn["seat"], size_hint_x=None, width=u(122)))
        column = BoxLayout(orientation="vertical", spacing=u(8))
        if turn["pending"]:
            text = _("The picture cards c lead down to a dungeon. The fallen hero's player picks which one.")
            column.add_widget(_words(text))
            pair = Row(size_hint_y=None, height=u(66))
            for square, fall in self.wishes.falls().items() if self.wishes else ():
                pair.add_widget(_button(square, lambda f=fall: self.play(f), figure=fall.hero, lit=True))
            column.add_widget(pair)
        elif turn["card"] == REST:
            column.add_widget(_words(_("Take all your cards and the gryphon.")))
        else:
            steps = Steps()
            steps.show(turn["points"], POINTS[turn["card"]])
            column.add_widget(steps)
            column.add_widget(self._special_row(turn))
        row.add_widget(column)
        self.side.add_widget(row)

    def _special_row(self, turn: Any) -> Any:
        card, wishes = turn["card"], self.wishes
        assert wishes is not None
        row = Row(size_hint_y=None, height=u(66))
        if card == HIDE:
            can = wishes.hideable()
            for number in (1, 2):
                hero = f"{turn['seat']}.{number}"
                text = _("Hide")
                act = (lambda h: lambda: self.play(Hide(turn["seat"], h)))(hero)
                row.add_widget(_button(text, act, figure=hero, off=not turn["special"], dimmed=hero not in can))
            return row
        texts = {
            CHASE: (_("Move a villain"), _("1 space, Wizard or Knight")),
            EXPLOSION: (_("Blow up a card"), _("one without a figure")),
            CAPTURE: (_("Move villains"), say(msgn("{n} space in all", "{n} spaces in all", n=turn["special"]))),
            CLIMB: (_("Climb"), _("one level up")),
            PORTALS: (_("Use portals"), say(msgn("{n} level", "{n} levels", n=turn["special"]))),
        }
        text, sub = texts[card]
        if not turn["special"]:
            sub = _("used up, or closed")
        art = {"figure": "wizard"} if card in (CHASE, CAPTURE) else {}
        icon = {} if art else {"icon": SPECIAL_ART[card]}
        on = self.half in ("explode", "special")
        button = _button(text, self._ask_special, sub=sub, off=not turn["special"], align="left", **art, **icon)
        if on:
            button.edge = "act"
        row.add_widget(button)
        return row

    def _tip(self) -> Any:
        row = Row(size_hint_y=None, height=u(46))
        told = " ".join(say(m) for m in self.news[-2:]) if self.news else ""
        if told:
            row.add_widget(Pic(art="gryphon", size_hint_x=None, width=u(34)))
            row.add_widget(Text(text=told, px=18, least=14))
        return row

    def _buttons(self) -> None:
        now = self.now
        turn = now.view["turn"]
        over = all(isinstance(c, End) for c in now.choices)
        if turn["card"] == REST:
            last = _button(_("Rest"), lambda: self.play(Rest(turn["seat"])), lit=True, icon="action_7_rest")
        else:
            last = _button(
                _("Nothing more, end my turn"), self._end, lit=over and not turn["pending"], off=bool(turn["pending"])
            )
        undo = _button(_("Take back"), self._take_back, icon="mark_undo", off=now.undo is None)
        fix = _button(_("Put it right"), lambda: self.root.go("put_right"), icon="mark_fix")
        row = Row(size_hint_y=None, height=u(56))
        row.add_widget(undo)
        row.add_widget(fix)
        self.side.add_widget(row)
        last.size_hint_y, last.height = None, u(58)
        self.side.add_widget(last)

    # --- touches ----------------------------------------------------------------------------------------------------

    def touch(self, square: str) -> None:
        """A square of the tower was touched."""
        wishes = self.wishes
        if wishes is None:
            return
        if self.notice is not None:
            self.notice = None
            self.tower.bad = []
        turn = self.now.view["turn"]
        if turn["pending"]:
            falls = wishes.falls()
            if square in falls:
                self.play(falls[square])
            else:
                self._draw()
        elif self.half == "explode":
            self.play(Explode(turn["seat"], square))
        elif self.picked:
            self._send_to(square)
        else:
            self._pick_on(square)

    def _pick_on(self, square: str) -> None:
        """Pick a figure up, or ask which of several."""
        wishes = self.wishes
        assert wishes is not None
        there = wishes.on(square)
        able = [f for f in there if f in wishes.figures(self.half)]
        if len(able) > 1:
            self._ask_which(able)
        elif able:
            self.pick(able[0])
        elif there:
            own = [f for f in there if owner(f) == self.now.view["turn"]["seat"]]
            self.play(wishes.poke((own or there)[0]), square)
        else:
            self._draw()

    def pick(self, figure: str | None) -> None:
        """Take a figure in hand."""
        self.picked = figure
        self.notice = None
        self._draw()

    def _ask_which(self, figures: list[str]) -> None:
        offers = [
            Offer(words.figure_name(f)[:1].upper() + words.figure_name(f)[1:], (lambda f=f: self.pick(f)), figure=f)
            for f in figures
        ]
        self.notice = Notice(_("Who moves?"), "", [*offers, Offer(_("Nobody"), self.calm, icon="mark_undo")])
        self._draw()

    def _send_to(self, square: str) -> None:
        wishes, figure = self.wishes, self.picked
        assert wishes is not None
        assert figure is not None
        ways = wishes.targets(figure, self.half).get(square)
        if ways and len(ways) > 1:
            self._ask_way(square, ways)
        elif ways:
            self.play(ways[0].choice, square)
        elif square == self.now.view["figures"][figure]:
            others = [f for f in wishes.on(square) if f in wishes.figures(self.half) and f != figure]
            if others:
                self._ask_which([figure, *others])
            else:
                self.pick(None)
        elif (others := self._others(square)) and not wishes.reaches(figure, square):
            if len(others) > 1:
                self._ask_which(others)
            else:
                self.pick(others[0])
        else:
            self.play(wishes.wish(figure, square, self.half), square)

    def _others(self, square: str) -> list[str]:
        """Who could be meant by a touch on an unlit square, instead of its being a place to go to."""
        assert self.wishes is not None
        return [f for f in self.wishes.on(square) if f in self.wishes.figures(self.half)]

    def _ask_way(self, square: str, ways: list[Way]) -> None:
        names = {"walk": _("On foot"), "passage": _("By passage"), "climb": _("Climb"), "portal": _("By portal")}
        offers = []
        for way in ways:
            if way.half == "points":
                sub = say(msgn("{n} step", "{n} steps", n=way.cost))
            else:
                sub = _("the card's other half")
            offers.append(Offer(names[way.kind], (lambda w=way: self.play(w.choice, square)), sub))
        self.notice = Notice(
            say(msg("How does {figure:figure} get to {to:square}?", figure=self.picked, to=square)),
            _("There are two ways. Which one did you take?"),
            offers,
        )
        self._draw()

    def _ask_special(self) -> None:
        """The button of the other half: what it may touch lights up."""
        card = self.now.view["turn"]["card"]
        wishes = self.wishes
        assert wishes is not None
        wanted = "explode" if card == EXPLOSION else "special"
        self.half = None if self.half == wanted else wanted
        self.notice = None
        able = wishes.figures("special") if self.half == "special" else []
        self.picked = able[0] if len(able) == 1 else None
        if self.half == "special" and not able:
            # nobody can: let the table say why
            self.half = None
            figure = "wizard" if card in (CHASE, CAPTURE) else self._first_hero()
            choice = wishes.wish(figure, self._above(figure), "special")
            self.play(choice)
            return
        self._draw()

    def _first_hero(self) -> str:
        seat = self.now.view["turn"]["seat"]
        inside = [h for h in (f"{seat}.1", f"{seat}.2") if self.now.view["figures"][h] != ROOF]
        return (inside or [f"{seat}.1"])[0]

    def _above(self, figure: str) -> str:
        at = self.now.view["figures"][figure]
        return ROOF if at == ROOF or at[1] == "5" else at[0] + str(int(at[1]) + 1)

    # --- requests ---------------------------------------------------------------------------------------------------

    def play(self, choice: Any, square: str | None = None) -> None:
        """Ask the table; first say, once, that something of the other half would be lost."""
        half = self._closes(choice)
        if half and half not in self.warned and choice in self.now.choices:
            self.warned.add(half)
            self._warn(choice, half)
            return
        self.asked_at = square
        self.root.send(Play(choice, self.now.seen))

    def _closes(self, choice: Any) -> str | None:
        """The half with something left that this choice gives up."""
        turn = self.now.view["turn"]
        card, points, special = turn["card"], turn["points"], turn["special"]
        if isinstance(choice, End):
            return "end" if any(not isinstance(c, End) for c in self.now.choices) else None
        if card == REST or turn["pending"] or self.now.view["rules"].get("interleave") == "on":
            return None
        if isinstance(choice, Move):
            return "special" if 0 < special < SPECIALS[card] else None
        return "points" if 0 < points < POINTS[card] else None

    def _warn(self, choice: Any, half: str) -> None:
        turn = self.now.view["turn"]
        if half == "points":
            text = say(msgn("{n} step is still left. It is gone after this.",
                            "{n} steps are still left. They are gone after this.", n=turn["points"]))  # fmt: skip
        elif half == "special":
            text = _("The card's other half is not used up. It is gone after this.")
        else:
            text = _("You can still do something with your card.")
        self.notice = Notice(
            _("Something is left"),
            text,
            [
                Offer(_("Wait, not yet"), self.calm, icon="mark_undo"),
                Offer(_("Go on all the same"), lambda: self.play(choice), lit=True),
            ],
        )
        self._draw()

    def _end(self) -> None:
        self.play(End(self.now.view["turn"]["seat"]))

    def calm(self) -> None:
        """Close the notice."""
        self.notice = None
        self.tower.bad = []
        self._draw()

    def _take_back(self) -> None:
        undo = self.now.undo
        if undo is None:
            return
        if undo.seat == self._seat:
            self.root.send(TakeBack(undo.seat, seen=self.now.seen))
            return
        self.notice = Notice(
            _("Take this back?"),
            " ".join(say(m) for m in undo.messages[:3]),
            [
                Offer(_("Leave it"), self.calm),
                Offer(_("Everyone agrees"), lambda: self.root.send(TakeBack(undo.seat, True, self.now.seen)), lit=True,
                      icon="mark_undo"),  # fmt: skip
            ],
            foot=_("Others have acted since, or it was everyone's act: everyone has to agree."),
        )
        self._draw()

    # --- refusals ---------------------------------------------------------------------------------------------------

    def refused(self, outcome: Outcome) -> None:
        why = outcome.refused
        self.now = outcome.now
        if why is None:
            self.notice = Notice(_("Look again"), " ".join(say(m) for m in outcome.messages),
                                 [Offer(_("All right, go on"), self.calm, lit=True)], ember=True)  # fmt: skip
            self._draw()
            return
        square = getattr(self, "asked_at", None) or _place(why.choice)
        self.tower.bad = [square] if square else []
        self._refusal(outcome, why, show_rule=False)
        seat = words.name(self.now.view["turn"]["seat"])
        self.tell(say(msg("{seat}, that does not go.", seat=seat)), _("Nothing has changed. Try another one."), self._seat)

    def _refusal(self, outcome: Outcome, why: Any, show_rule: bool) -> None:
        told = " ".join(say(m) for m in outcome.messages)
        offers = [
            Offer(
                _("Why?") if show_rule else say(msg("Rule {id}", id=why.rule)),
                lambda: self._refusal(outcome, why, not show_rule),
                _("our reading, not printed") if why.reading else "",
                icon="mark_book",
            )
        ]
        if why.switch:
            offers.append(Offer(_("Our table plays it so"), lambda: self._switch(why), _("from now on")))
        if why.may_stand:
            offers.append(Offer(_("It stands all the same"), lambda: self._insist(why), _("just this once")))
        for other in self._others(_place(why.choice) or ""):
            # perhaps that figure was meant
            offers.append(Offer(_("Move this one"), (lambda f=other: self.pick(f)), figure=other))
        offers.append(Offer(_("All right, go on"), self.calm, lit=True))
        head, _dot, rest = told.partition(": ") if not show_rule else ("", "", "")
        if show_rule:
            rule = self.root.rule(why.rule)
            head = say(msg("Rule {id}", id=why.rule))
            rest = words._(rule.text) if rule else ""
        if not rest:
            head, _dot, rest = told.partition(". ")
            head += "." if rest else ""
        self.notice = Notice(head, rest[:1].upper() + rest[1:], offers, ember=True)
        bad, top = list(self.tower.bad), (self.head.sentence, self.head.sub)
        self._draw()
        self.tower.bad = bad
        self.head.sentence, self.head.sub = top

    def _switch(self, why: Any) -> None:
        rules = {**self.now.view["rules"], why.switch: why.values[0]}
        again = why.choice

        def then(outcome: Outcome) -> None:
            if outcome.kind == "done":
                self.root.send(Play(again, outcome.now.seen))

        self.root.send(PutRight({"rules": rules}), then)

    def _insist(self, why: Any) -> None:
        self.root.send(Insist(why.choice, self.now.seen))


def _place(choice: Any) -> str | None:
    """The square that a refused choice is about."""
    path = getattr(choice, "path", None)
    return path[-1] if path else getattr(choice, "at", None) or getattr(choice, "to", None)


def _words(text: str) -> Any:
    panel = Panel()
    panel.add_widget(Text(text=text, px=20, least=15))
    return panel


def _button(text: str, act: Any, dimmed: bool = False, **kwargs: Any) -> BigButton:
    button = BigButton(text=text, **kwargs)
    button.bind(on_release=lambda *_: act())
    return button


__all__ = ["Turn", "Widget", "VILLAINS"]
