"""A turn: the tower, what the card gives, and what a touch means."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout

from companion.games.base import Message, msg
from companion.games.sir_holland import codec
from companion.games.sir_holland.desk import explain_order
from companion.games.sir_holland.goals import Goal, goals
from companion.games.sir_holland.state import CAPTURE, DUNGEONS, EXPLOSION, ROOF, VILLAINS, Explode, owner
from companion.table.ports import Outcome, Play, SayThis, Snapshot, TakeBack
from companion.table.telling import is_taken_back
from companion.ui import words
from companion.ui.boards import cardboard
from companion.ui.boards.foresight import foresee
from companion.ui.boards.sir_holland.crowd import CrowdSheet
from companion.ui.boards.wishes import Way, Wishes
from companion.ui.motion import LONGEST
from companion.ui.screens import turn_answers as answers
from companion.ui.screens import turn_side
from companion.ui.screens.base import Screen, load_kv
from companion.ui.screens.explosion import JobPanel
from companion.ui.screens.notice import Notice
from companion.ui.theme import look, u
from companion.ui.what_if import WhatIfButton
from companion.ui.words import _, say

load_kv("turn")

CARDBOARD = ("tower", "figures", "lying")
"""What of the public state lies on the table as cards and figures."""
WONDERS = 2
"""So often in a game a seat is asked whether a villain went to a square that was touched with nothing in hand."""
MOST_GOALS = 3
"""So many at once: more cannot be heard in one go."""
GOAL_ART = {"save": "", "up": "", "knock": "action_2_chase", "hide": "action_1_hide"}
"""What stands on the coin of a goal."""
WALKS = ("save", "up")
"""Goals of a hero that goes there itself: it has a ring."""
SHORT = 40
"""Letters of the second line of a narrow top bar: more would be small."""
LONG = 50
"""Letters of a line of the top bar that larger letters break in two."""


class TurnBody(BoxLayout):
    """Tower and side; written out in turn.kv."""

    def on_size(self, *_: Any) -> None:
        """The tower takes what its height (or width) asks for, as far as the side keeps enough room."""
        tower, place = self.ids.tower, self.ids.place
        if look.wide:
            place.width = min(tower.width_for(self.height - u(11)), self.width * 0.56)
        else:
            # squares stay large enough for a finger
            least = 5.55 * u(56) + tower.axis + 18
            place.height = min(tower.height_for(self.width - u(16)), max(self.height - u(324), least))


@dataclass
class Kept:
    """What outlives the screen, which is built anew for every language and size.

    key: game and turn; acts: what was done in this turn, in words; handed: who acted before, and what was done then;
    passing: the last of the acts is none, and goes with the next one; jobs: what hands have still to do; at: the step
    of the first of them; refused: what was refused while somebody went to read the rule.
    """

    key: Any = None
    acts: list[tuple[Message, ...]] = field(default_factory=list)
    handed: tuple[str, list[tuple[Message, ...]]] = ("", [])
    passing: bool = False
    jobs: list[cardboard.Job] = field(default_factory=list)
    at: int = 0
    refused: Outcome | None = None


class Turn(Screen):
    """See above.

    picked: the figure in hand; half: `special` or `explode` while the card's other half was asked for, else None;
    goals: what a child who asked can reach; warned: halves whose loss was spoken of in this turn; asked_at: the square
    that the table is asked about; nudge: a square that was touched for nothing, and the sentence about it; said: what
    the table itself did last (took back, let stand); notice: what stands beside the tower instead of the card.
    """

    name = "turn"

    def make(self) -> Any:
        self.wishes: Wishes | None = None
        self.picked: str | None = None
        self.half: str | None = None
        self.goals: tuple[Goal, ...] = ()
        self.warned: set[str] = set()
        self.asked_at: str | None = None
        self.nudge: tuple[str, str] | None = None
        self.said = ""
        self.notice: Notice | None = None
        self.card: turn_side.Side | None = None
        self.card_key: Any = None
        self.panel: JobPanel | None = None
        self.shown: Any = None
        self.shown_rows: list[Any] = []
        self._showing: Any = None
        self.key: Any = None
        self.kept = Kept()
        body = TurnBody()
        self.tower = body.ids.tower
        self.tower.bind(on_square=lambda _, square: self.touch(square))
        self.side = body.ids.side
        self.side.bind(height=lambda *_: self._fit_side())
        return body

    @property
    def own_what_if(self) -> bool:
        """Whether the way out of a what-if stands beside the tower: large letters leave no room under it."""
        return look.wide and look.text != "normal"

    @property
    def standing(self) -> Any:
        """Whose answer is awaited, and what stands beside the tower: a question, what hands have to do, or the card."""
        return self.key, self.head.seat, self.shown, self.kept.at

    # --- what is due ------------------------------------------------------------------------------------------------

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        if now is None or now.view["turn"] is None:
            return
        view, kept = now.view, self._kept_of(now, outcome)
        key = (now.number, now.sandbox, view["round"], view["turn"]["seat"])
        handed = False
        if key != kept.key:
            if kept.key is None or key[:3] != kept.key[:3]:
                kept.jobs, kept.at, kept.handed = [], 0, ("", [])
            else:
                handed, kept.handed = outcome is not None and bool(outcome.events), (kept.key[3], kept.acts)
            kept.key, kept.acts = key, []
        if key != self.key:
            self.key, self.picked, self.warned = key, None, set()
        self.now, self.kept = now, kept
        self.wishes = Wishes(view, now.choices)
        self._quiet()
        self.half = None
        if outcome is not None:
            self._hear(outcome)
            if handed:
                # what led on to this turn was the last act of the one before
                kept.handed[1].extend(kept.acts)
                kept.acts = []
        if not kept.acts and now.undo is not None and now.undo.seat == view["turn"]["seat"]:
            # the program has begun anew in the middle of a turn
            kept.acts = [now.undo.messages]
        self._pick_up()
        for event in outcome.events if outcome is not None else ():
            if event["what"] == "saved":
                self.notice = answers.saved(self, event["hero"], event["second"])
        if outcome is not None and outcome.before is not None and outcome.events and not self._cards_wait:
            self.tower.play(outcome.before.view, outcome.events, view)
        self.draw()
        refused, kept.refused = kept.refused, None
        if refused is not None and outcome is None and refused.now.seen == now.seen:
            self.refused(refused)

    def _kept_of(self, now: Snapshot, outcome: Outcome | None) -> Kept:
        """A what-if keeps things of its own, as long as it is open; the game's are there again after it."""
        memo, name = self.root.memo, "what_if" if now.sandbox else "turn"
        if now.sandbox and outcome is not None and outcome.before is None:
            # it has just been opened
            memo.pop(name, None)
        kept: Kept = memo.setdefault(name, Kept())
        return kept

    def _hear(self, outcome: Outcome) -> None:
        """What happened: a line of words, and perhaps something for hands."""
        kept, view = self.kept, outcome.now.view
        asked = [message for _seat, message in outcome.now.awaited]
        told = tuple(m for m in outcome.messages if m.id != turn_side.ACTS_NOW and m not in asked)
        before = outcome.before
        moved = before is None or any(before.view[key] != view[key] for key in CARDBOARD)
        if not outcome.events:
            self.said = " ".join(say(m) for m in told)
            if moved:
                # taken back or put right: what was done before may no longer be so
                kept.acts = []
        elif kept.passing:
            kept.acts = []
        kept.passing = not outcome.events
        if told:
            kept.acts.append(told)
        if before is None:
            return
        if outcome.events:
            jobs = cardboard.after_events(before.view, outcome.events, view)
            kept.jobs = [*(j for j in kept.jobs if j.kind != "fall"), *jobs]
        elif moved:
            # where something was put right, the cardboard is as it should be already
            begun = (not kept.jobs or kept.at > 0) and is_taken_back(outcome.messages)
            seat = view["turn"]["seat"]
            kept.jobs = list(cardboard.taken_back(before.view, view, seat)) if begun else []
            kept.at = 0

    def _pick_up(self) -> None:
        """Keep the figure in hand as long as it can go somewhere; take the only one that can."""
        assert self.wishes is not None
        if self.picked is not None and not self.wishes.targets(self.picked):
            self.picked = None
        able = self.wishes.figures()
        if self.picked is None and len(able) == 1 and self.wishes.targets(able[0]):
            self.picked = able[0]

    @property
    def job(self) -> cardboard.Job | None:
        """What hands have to do first."""
        return self.kept.jobs[0] if self.kept.jobs else None

    @property
    def _cards_wait(self) -> bool:
        """Whether cards of the tower have to be moved."""
        return self.job is not None and bool(self.job.column)

    @property
    def seat(self) -> str:
        """Whose answer is awaited."""
        turn = self.now.view["turn"]
        return owner(turn["pending"]["hero"]) if turn["pending"] else str(turn["seat"])

    @property
    def child(self) -> bool:
        """Whether a child acts: no rulings, no "anyway", its own acts are taken back without a question."""
        return self.root.is_child(self.seat)

    def what_can_i_do(self) -> None:
        """Light what the seat can reach, and say it."""
        self._quiet()
        self.picked = self.half = None
        state = codec.state_from_json({**self.now.view, "locked": []}, history=False)
        self.goals = goals(state, self.now.choices)[:MOST_GOALS]
        self.draw()
        if self.goals:
            self.root.send(SayThis(tuple(goal.message for goal in self.goals)))

    def draw(self) -> None:
        """Show what is so now."""
        view, job, notice = self.now.view, self.job, self.notice
        if self._showing is not None:
            self._showing.cancel()
            self._showing = None
        if job is not None and notice is None:
            step = job.steps[self.kept.at]
            self.tower.show({**view, "tower": step.rows, "figures": step.figures})
            self.tower.lit, self.tower.picked = {}, list(step.marks)
            self.tell(say(step.ask), say(step.note) if step.note else "", step.seat)
        else:
            self.tower.show(view)
            # where a dotted line or a square asks something, nothing else shines
            asks = notice is not None and notice.asks and bool(notice.lines or notice.at)
            self.tower.lit = {} if job is not None or asks else self._lit()
            held = [view["figures"][self.picked]] if self.picked else []
            held += [view["figures"][goal.figure] for goal in self.goals if goal.kind in WALKS]
            self.tower.picked = [notice.at] if notice is not None and notice.at else held
            self.tell(*self._sentence(), self.seat)
        self.tower.bad = notice.bad if notice is not None else [self.nudge[0]] if self.nudge else []
        self.tower.preview = notice.lines if notice is not None else []
        self._draw_side()

    def _draw_side(self) -> None:
        """The notice, what hands have to do, or the card in play."""
        if self.notice is not None:
            self._put(self.notice, [self.notice], queue=look.wide and not self.notice.long)
        elif self.job is not None:
            if self.panel is None or self.panel.job is not self.job:
                undo = self.take_back if self.now.undo is not None else None
                again = self.show_how if self.job.kind == "explosion" else None
                self.panel = JobPanel(self.job, self.tick, again, undo)
            self.panel.show(self.kept.at)
            self._put(self.panel, [self.panel], queue=look.wide and not self.job.column)
        else:
            turn = self.now.view["turn"]
            key = (self.kept.key, turn["card"], bool(turn["pending"]), self.child)
            if self.card is None or self.card_key != key:
                self.card, self.card_key = turn_side.Side(self), key
            self.card.update(self)
            self._put(self.card, self.card.rows(self.side.height))

    def _fit_side(self) -> None:
        """The card's rows for the room that there is now."""
        if self.shown is self.card and self.card is not None and self.side.height > u(100):
            self._put(self.card, self.card.rows(self.side.height))

    def _put(self, what: Any, rows: list[Any], queue: bool = False) -> None:
        """Show that beside the tower."""
        if self.shown is what and self.shown_rows == rows:
            return
        self.shown, self.shown_rows = what, rows
        self.side.clear_widgets()
        if self.now.sandbox and self.own_what_if:
            self.side.add_widget(WhatIfButton(self.root))
            rows = [row for row in rows if not isinstance(row, turn_side.Queue | turn_side.Strip)]
        elif queue:
            line = turn_side.Queue()
            line.show(self.now.view)
            self.side.add_widget(line)
        for row in rows:
            self.side.add_widget(row)

    def _lit(self) -> dict[str, str]:
        """Where candlelight falls, and what each coin says."""
        wishes, turn = self.wishes, self.now.view["turn"]
        assert wishes is not None
        if turn["pending"]:
            return dict.fromkeys(turn["pending"]["to"], "")
        if self.goals:
            return {goal.square: GOAL_ART[goal.kind] for goal in reversed(self.goals)}
        if self.half == "explode":
            return dict.fromkeys(wishes.explodable(), "action_3_explosion")
        if self.picked is None:
            stand = {self.now.view["figures"][f]: "" for f in wishes.figures(self.half)}
            return stand | self._went()
        return {square: self._coin(ways) for square, ways in wishes.targets(self.picked, self.half).items()}

    def _went(self) -> dict[str, str]:
        """The free squares that one hero alone can have gone to, with what it costs: one touch moves it there."""
        wishes, figures = self.wishes, self.now.view["figures"]
        assert wishes is not None
        came: dict[str, list[str]] = {}
        for figure in wishes.figures(self.half):
            for square in wishes.targets(figure, self.half):
                came.setdefault(square, []).append(figure)
        return {
            square: self._coin(wishes.targets(who[0], self.half)[square])
            for square, who in came.items()
            if len(who) == 1 and who[0] not in VILLAINS and square not in figures.values()
        }

    def _coin(self, ways: list[Way]) -> str:
        """What stands on a lit square: the steps it costs, or the picture of the half that pays."""
        symbol = ways[0].kind in ("climb", "portal") and len(ways) == 1
        return turn_side.SPECIAL_ART[self.now.view["turn"]["card"]] if symbol else str(ways[0].cost)

    def _sentence(self) -> tuple[str, str]:
        """The top bar: who does what now, and how; or what the table has just done."""
        sentence, sub = self._task()
        if self.said:
            room = 2 * LONG if look.text == "normal" else LONG
            sub = self.said if len(self.said) < room else words.first_sentence(self.said)[0]
        if look.wide and look.text == "huge" and max(len(sentence) + 6, len(sub)) > LONG:
            # the tower needs the room
            sub = ""
        elif not look.wide and look.text != "huge" and len(sub) > SHORT:
            sub = words.first_sentence(sub)[0]
        return sentence, sub

    def _task(self) -> tuple[str, str]:
        who, wishes = words.name(self.now.view["turn"]["seat"]), self.wishes
        assert wishes is not None
        if self.notice is not None and self.notice.words is not None:
            return self.notice.words
        if self.nudge is not None:
            return self.nudge[1], ""
        awaited = say(self.now.awaited[0][1]) if self.now.awaited else ""
        if self.now.view["turn"]["pending"]:
            return awaited, _("Tap one of the two dungeons.")
        if self.goals:
            return say(msg("{seat}, you can do this:", seat=who)), " ".join(say(goal.message) for goal in self.goals)
        if self.half == "explode":
            return say(msg("{seat}, which card blows up?", seat=who)), _("Tap a bright square.")
        if self.picked:
            text = say(msg("{seat}, where does {figure:figure} go?", seat=who, figure=self.picked))
            return text, self._how_to_go(self.picked)
        if self.now.view["out"]:
            out = msg("Both heroes of {seats:seats} are out: the last round.", seats=self.now.view["out"])
            return awaited, say(out)
        return awaited, _("Tap a figure, or the square it went to.") if wishes.figures() else ""

    def _how_to_go(self, figure: str) -> str:
        """What to touch with that figure in hand, and what stands on the coins there."""
        if figure in VILLAINS and self.now.view["turn"]["card"] == CAPTURE:
            return _("Each villain moves once: tap the square where it stops.")
        if any(coin.isdigit() for coin in self._lit().values()):
            return _("Tap a bright square. Its number is the steps it costs.")
        return _("Tap a bright square.")

    def hand_over(self) -> tuple[str, list[str]]:
        """Whose turn has just ended and what happened in it, or why this seat goes first; from long to short.

        Nothing once the seat has acted.
        """
        view, kept = self.now.view, self.kept
        if kept.acts or view["turn"]["pending"]:
            return "", []
        if len(view["queue"]) == len(view["cards"]):
            first = explain_order(view["seats"], view["gryphon"], view["cards"])[0]
            return first.seat, [say(first.message)]
        seat, acts = kept.handed
        return seat, [*turn_side.wordings(acts), say(msg("{seat:seat} is done.", seat=seat))] if seat else []

    # --- touches ----------------------------------------------------------------------------------------------------

    def on_touch_down(self, touch: Any) -> Any:
        """Nothing goes on by itself under a finger."""
        if self.card is not None:
            self.card.ends.bar.stop()
        return super().on_touch_down(touch)

    def touch(self, square: str) -> None:
        """A square of the tower was touched."""
        wishes, turn = self.wishes, self.now.view["turn"]
        assert wishes is not None
        if self.notice is not None and self.notice.asks:
            # a question is open: a touch beside it drops it, and does nothing else
            self.calm()
            return
        if self._cards_wait and self.notice is None:
            # the tower on the table first
            self.draw()
            return
        if self.job is not None and self.notice is None:
            self._job_done()
        self._quiet()
        if turn["pending"]:
            if square in wishes.falls():
                self.play(wishes.falls()[square], square)
            else:
                self.draw()
        elif self.half == "explode":
            self.play(Explode(turn["seat"], square), square)
        elif self.picked:
            self.send_to(self.picked, square)
        else:
            self._pick_on(square)

    def _pick_on(self, square: str) -> None:
        """Pick a figure up, or ask which of several; or one has gone there already."""
        wishes = self.wishes
        assert wishes is not None
        there, able = wishes.on(square), self.others(square)
        came = wishes.comers(square, self.half) if not there or square in (ROOF, *DUNGEONS) else []
        if len(able) > 1:
            self._which(square, able)
        elif able:
            self.pick(able[0])
        elif len(came) > 1:
            self._say(answers.who_came(self, square, came))
        elif came and self._is_new_to_villains(came[0], square):
            self._ask(answers.did_it_go(self, came[0], square, wishes.targets(came[0], self.half)[square]))
        elif came:
            self.send_to(came[0], square)
        elif self.tower.crowded(square):
            self.look_into(square)
        elif there:
            own = [f for f in there if owner(f) == self.now.view["turn"]["seat"]]
            self.play(wishes.poke((own or there)[0]), square)
        else:
            # the ember ring lies on the square, the words in the sentence at the top
            self.nudge = (square, _("Nobody stands there. Tap a figure first, then its square."))
            self.draw()

    def _is_new_to_villains(self, figure: str, square: str) -> bool:
        """Whether somebody may only have wondered what a square is: asked a few times, unless a fall is asked about."""
        assert self.wishes is not None
        if figure not in VILLAINS or self.root.memo.get("villains", {}).get(self.seat, 0) >= WONDERS:
            return False
        return foresee(self.now.view, self.wishes.targets(figure, self.half)[square][0].choice) is None

    def it_went(self, figure: str, square: str) -> None:
        """Yes, the villain went there: whoever has said so a few times knows how it is done."""
        known = self.root.memo.setdefault("villains", {})
        known[self.seat] = known.get(self.seat, 0) + 1
        self.send_to(figure, square)

    def send_to(self, figure: str, square: str) -> None:
        """The figure goes there; or another one was meant."""
        wishes = self.wishes
        assert wishes is not None
        self.picked, self.notice = figure, None
        ways = wishes.targets(figure, self.half).get(square)
        others = self.others(square)
        if ways and len(ways) > 1:
            self._say(answers.which_way(self, figure, square, ways))
        elif ways:
            self.play(ways[0].choice, square)
        elif square == self.now.view["figures"][figure]:
            if self.tower.crowded(square):
                # the second touch: perhaps it is not the one that was meant
                self.look_into(square)
            elif len(others) > 1:
                self._which(square, others)
            else:
                self.pick(None)
        elif others and not wishes.reaches(figure, square):
            if len(others) > 1:
                self._which(square, others)
            else:
                self.pick(others[0])
        elif meant := wishes.meant(figure, square):
            self.play(wishes.poke(meant), square)
        else:
            self.play(wishes.wish(figure, square, self.half), square)

    def _which(self, square: str, figures: list[str]) -> None:
        """Several on that square may be meant."""
        if self.tower.crowded(square):
            self.look_into(square)
        else:
            self._say(answers.which(self, square, figures))

    def look_into(self, square: str) -> None:
        """Show a crowded square large; who can move from there is lit, and of the others the table says why not."""
        able, view = self.others(square), self.now.view
        title = _("Who moves?") if able else ""
        self.root.open_sheet(CrowdSheet(self.root, square, view["figures"], view["lying"], self._meant, able, title))

    def _meant(self, figure: str) -> None:
        """A figure of the crowd was touched."""
        assert self.wishes is not None
        square = self.now.view["figures"][figure]
        if figure in self.others(square):
            self.pick(figure)
        else:
            self._quiet()
            self.play(self.wishes.poke(figure), square)

    def others(self, square: str) -> list[str]:
        """Who on that square could be picked up now; with the half that is asked for, if anybody can with that."""
        wishes = self.wishes
        assert wishes is not None
        there = wishes.on(square)
        able = [f for f in there if f in wishes.figures(self.half)]
        return able or [f for f in there if f in wishes.figures()]

    def pick(self, figure: str | None) -> None:
        """Take a figure in hand."""
        assert self.wishes is not None
        self._quiet()
        self.picked = figure
        if figure is not None and figure not in self.wishes.figures(self.half):
            self.half = None
        self.draw()

    def ask_special(self) -> None:
        """The button of the other half: what it may touch lights up."""
        card, wishes = self.now.view["turn"]["card"], self.wishes
        assert wishes is not None
        wanted = "explode" if card == EXPLOSION else "special"
        self.half = None if self.half == wanted else wanted
        self._quiet()
        able = wishes.figures("special") if self.half == "special" else []
        self.picked = able[0] if len(able) == 1 else None
        self.draw()

    # --- the cardboard ----------------------------------------------------------------------------------------------

    def tick(self) -> None:
        """Hands have done the step; the next one is said aloud, too."""
        job = self.job
        if job is None:
            return
        if self.kept.at + 1 < len(job.steps):
            self.kept.at += 1
            step = job.steps[self.kept.at]
            self.root.send(SayThis(tuple(m for m in (step.ask, step.note) if m is not None)))
        else:
            self._job_done()
        self.draw()

    def _job_done(self) -> None:
        self.kept.jobs.pop(0)
        self.kept.at = 0

    def show_how(self) -> None:
        """How the cards move; then the step again."""
        job = self.job
        if job is None or not job.events or look.still:
            return
        self.draw()
        self.tower.picked = []
        self.tower.play(job.before, job.events, job.after)
        self._showing = Clock.schedule_once(lambda _dt: self.draw(), 2 * LONGEST)

    # --- requests ---------------------------------------------------------------------------------------------------

    def play(self, choice: Any, square: str | None = None, sure: bool = False) -> None:
        """Ask the table; first say, once, that something of the card would be lost, or that a hero will fall."""
        legal = choice in self.now.choices
        half = answers.loses(self, choice) if legal else None
        if half and half not in self.warned:
            self.warned.add(half)
            self._ask(answers.warning(self, choice, square, half))
            return
        seen = foresee(self.now.view, choice) if legal and not sure else None
        if seen is not None:
            self._ask(answers.falling(self, choice, square, seen))
            return
        self.asked_at = square
        self.root.send(Play(choice, self.now.seen))

    def put_right(self) -> None:
        """The figure in hand is the one that stands elsewhere."""
        self.root.open("put_right", **({"picked": self.picked} if self.picked else {}))

    def take_back(self) -> None:
        """What would be undone is shown first; what is not the acting seat's own matter needs everyone's yes."""
        undo = self.now.undo
        if undo is None:
            return
        own = undo.seat is not None and undo.seat in (self.seat, self.now.view["turn"]["seat"])
        if own and self.root.is_child(undo.seat):
            self.root.send(TakeBack(undo.seat, seen=self.now.seen))
        elif own:
            self._ask(answers.undoing(self, self._way_back()))
        else:
            answers.ask_all_to_undo(self)

    def _way_back(self) -> dict[str, tuple[tuple[str, ...], str]]:
        """Where each figure goes when the last act is taken back, if it is known."""
        news = self.root.news
        if news is None or news.before is None or news.now.seq != self.now.seq or not news.events:
            return {}
        was, now = news.before.view["figures"], self.now.view["figures"]
        return {f: ((now[f], was[f]), was[f]) for f in now if now[f] != was[f]}

    def refused(self, outcome: Outcome) -> None:
        self.now = outcome.now
        self.wishes = Wishes(self.now.view, self.now.choices)
        if self.job is not None:
            # hands are busy: the line at the lower edge says why
            super().refused(outcome)
        elif outcome.refused is None:
            self._say(answers.stale(self, outcome))
        else:
            square = self.asked_at or answers.place_of(outcome.refused.choice)
            self._say(answers.refusal(self, outcome, outcome.refused, square))
            if square:
                self.tower.shake(square)

    def read(self, outcome: Outcome, rule: str) -> None:
        """Read the rule; the refusal is there again afterwards."""
        self.kept.refused = outcome
        self.root.open("entry", rule=rule)

    def _ask(self, notice: Notice) -> None:
        """A question that is heard, too: hands may be on the table, and eyes on it."""
        self._say(notice)
        assert notice.words is not None
        self.root.read_aloud(notice.panel.head, notice.panel.text, notice.words[0])

    def _say(self, notice: Notice) -> None:
        self._quiet()
        self.notice = notice
        self.draw()

    def _quiet(self) -> None:
        """No question, no notice."""
        self.notice, self.nudge, self.asked_at, self.said = None, None, None, ""
        self.goals = ()

    def calm(self) -> None:
        """Close the notice."""
        self._quiet()
        self.draw()
