"""Beside the tower: who acts when, the card in play, what its halves still give, and the buttons."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kivy.properties import DictProperty, ListProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.games.base import Json, Message, msg, msgn
from companion.games.sir_holland.state import (
    CAPTURE,
    CHASE,
    CLIMB,
    EXPLOSION,
    HIDE,
    POINTS,
    PORTALS,
    REST,
    End,
    Hide,
    Move,
    Rest,
)
from companion.ui import card_words, explaining, words
from companion.ui.boards.sir_holland import explaining as parts
from companion.ui.boards.sir_holland.idle import Idle, why_no_step, why_not_hide, why_not_special
from companion.ui.explaining import Explanation
from companion.ui.pen import Pen
from companion.ui.run_down import ByItself
from companion.ui.theme import c, look, t, u
from companion.ui.widgets import ActionCard, BigButton, Drawn, Panel, Pic, Row, SaysWhy, SeatMark, Text
from companion.ui.words import _, say

SPECIAL_ART = {EXPLOSION: "action_3_explosion", CLIMB: "action_5_climb", PORTALS: "action_6_portal"}
TIPS = {
    HIDE: msg("A hero that hides lies down. No villain can knock it off."),
    CHASE: msg("A hero falls when a villain stops on its square."),
    EXPLOSION: msg("The blown-up tower card goes on top of its column."),
    CAPTURE: msg("Each villain moves once: sideways, or up and down on the portals."),
    CLIMB: msg("Climb leads one level up, with or without a rope."),
    PORTALS: msg("From a portal a hero rides up or down in column c."),
    REST: msg("Whoever rests gets the gryphon. Same number? The gryphon goes first."),
}
"""One line about the card in play, while nothing has happened yet."""
RESTS = (
    msg("Take all your cards and the gryphon. Turn your character card sideways."),
    msg("Take all your cards and the gryphon. Turn your character card face down."),
    msg("Take all your cards and the gryphon."),
)
"""What hands do when they rest for the first, the second and any later time."""


ACTS_NOW = "{seat:seat} acts now with {card:card}."
"""What need not be told, as the top sentence says it already."""


class Queue(Drawn):
    """Who acts in which order: done with a tick, now framed, to come with the number. One picture, as it is redrawn

    with every touch. At huge letters only who acts now, and who is next.
    """

    seats = ListProperty([])
    cards = DictProperty({})
    waiting = ListProperty([])

    def watched(self) -> tuple[str, ...]:
        return ("seats", "cards", "waiting")

    def explains(self, _x: float, _y: float) -> Explanation:
        """Who acts when."""
        return parts.queue()

    def show(self, view: Mapping[str, Json]) -> None:
        """Take the public state."""
        done = sorted((s for s in view["cards"] if s not in view["queue"]), key=view["cards"].__getitem__)
        self.waiting, self.cards = list(view["queue"]), dict(view["cards"])
        self.seats = self.waiting[:2] if look.text == "huge" else [*done, *view["queue"]]

    def paint(self, pen: Pen) -> None:
        gap, height, mark = u(6), self.height, min(t(34), self.height * 0.7)
        width = (self.width - gap * (len(self.seats) - 1)) / max(len(self.seats), 1)
        y = self.center_y
        for i, seat in enumerate(self.seats):
            x = self.x + i * (width + gap)
            done = seat not in self.waiting
            if self.waiting and seat == self.waiting[0]:
                pen.box(x, self.y, width, height, c("raised"), u(12))
                pen.frame(x, self.y, width, height, c("act"), u(2), u(12))
            middle = x + width / 2
            pen.mark(seat, middle - mark - u(2), y - mark / 2, mark, dim=0.62 if done else 1.0)
            if done:
                pen.pic("mark_yes", middle + u(5), y - u(11), u(22), c("ok", 0.8))
            else:
                number = str(self.cards[seat])
                pen.text(number, middle + t(16), y, t(26), c("text"), False, words.heading_font(number))


class RunningLine(Text):
    """The running line: the first of several wordings that fits; nothing where none does. It has been said aloud."""

    wordings = ListProperty([])
    rule = ""

    def explains(self, _x: float, _y: float) -> Explanation:
        """All of it, also where there was no room for it."""
        return Explanation((self.wordings or [self.text])[0], say(explaining.LINE), self.rule)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        for name in ("wordings", "size"):
            self.fbind(name, self._choose)

    def _choose(self, *_: Any) -> None:
        self.text = next((wording for wording in self.wordings if self.would_fit(wording)), "")


class Strip(Panel):
    """The running line with the gryphon, who tells it; at a hand-over with the mark of the seat that it is about.

    It is only read: a finger that comes too late for the turn before finds nothing here.
    """

    seat = StringProperty("")

    def __init__(self, told: RunningLine) -> None:
        super().__init__(ground="", size_hint_y=None, height=t(46))
        self._lead = BoxLayout(size_hint_x=None, width=u(34))
        self.add_widget(self._lead)
        self.add_widget(told)
        self._told = told
        self.fbind("seat", self._dress)
        # nobody tells nothing
        told.fbind("text", self._dress)
        self._dress()

    def _dress(self, *_: Any) -> None:
        self.ground = "panel" if self.seat else ""
        self.padding = (u(8), u(2)) if self.seat else (0.0, 0.0)
        self._lead.clear_widgets()
        if self.seat:
            self._lead.add_widget(SeatMark(seat=self.seat))
        elif self._told.text:
            self._lead.add_widget(Pic(art="gryphon"))


class Steps(SaysWhy, Panel):
    """The movement points, as footprints that go dark."""

    sub = StringProperty("")
    rule = ""

    def explains(self, _x: float, _y: float) -> Explanation:
        """What they are, how many there are, and why nobody can take them."""
        return parts.steps(self.words.text, self.why, self.rule)

    def make(self, total: int) -> None:
        """As many footprints as the card gives."""
        self.prints = [Pic(art="mark_steps", size_hint_x=None, width=u(34)) for _i in range(total)]
        self.words = Text(px=24, least=16, bold=True)
        for widget in (*self.prints, self.words):
            self.ids.prints.add_widget(widget)

    def show(self, left: int, idle: Idle | None) -> None:
        """How much is left; idle: why nobody can take it."""
        self.why, self.rule = _reason(idle)
        for i, pic in enumerate(self.prints):
            pic.tint, pic.dim = ("muted" if idle else "text", 1.0) if i < left else ("line", 0.5)
        some = msgn("{n} hero step left", "{n} hero steps left", n=left)
        self.words.text = say(some) if left else _("No hero steps left")
        self.words.tint = "text" if left and not idle else "muted"
        sub = _("No hero can step now.") if idle else _("Share them as you like.") if left > 1 else ""
        self.sub = sub if look.text != "huge" else ""


def make_button(text: str, act: Callable[[], None], **kwargs: Any) -> BigButton:
    """A button that does something."""
    button = BigButton(text=text, **kwargs)
    button.bind(on_release=lambda *_: act())
    return button


def sentence_panel(text: str) -> Panel:
    """A panel that only says something."""
    panel = Panel()
    panel.add_widget(Text(text=text, px=20, least=15))
    return panel


class Side:
    """All that stands beside the tower while a card is in play. Made once a card: `update` sets what has changed,

    as making widgets anew costs frames and leaves garbage behind.
    """

    def __init__(self, screen: Any) -> None:
        turn = screen.now.view["turn"]
        self.steps: Steps | None = None
        self.special: list[BigButton] = []
        self.queue = Queue()
        self.told = RunningLine(px=18, least=14)
        self.told.rule = parts.CARD_RULES[turn["card"]]
        self.tip = Strip(self.told)
        self.least = t(72) + u(62) if turn["pending"] else t(48) + max(t(50), u(50)) + u(8)
        self.halves, self.buttons = self._halves(screen, turn), self._buttons(screen, turn)

    def rows(self, height: float) -> list[Any]:
        """What finds room in that height: the running line goes first, then the queue; at a hand-over the queue."""
        rows = [self.queue, self.halves, self.tip, *self.buttons]
        least = [self.queue, self.tip] if self.tip.seat else [self.tip, self.queue]
        if look.text == "huge":
            rows.remove(least[0])
        for row in least:
            needs = sum(self.least if r is self.halves else r.height for r in rows) + u(8) * (len(rows) - 1) + u(3)
            if row in rows and needs > height:
                rows.remove(row)
        return rows

    def update(self, screen: Any) -> None:
        """Show what is so now."""
        now, turn = screen.now, screen.now.view["turn"]
        self.queue.show(now.view)
        if self.steps is not None:
            self.steps.show(turn["points"], why_no_step(screen.wishes))
        walks = any(isinstance(c, Move) for c in now.choices)
        gone, ends = not turn["special"], all(isinstance(c, End) for c in now.choices)
        for button in self.special:
            hide = turn["card"] == HIDE
            idle = why_not_hide(screen.wishes, button.data) if hide else why_not_special(screen.wishes)
            button.why, button.rule = (_("This half of the card is used up."), "") if gone else _reason(idle)
            button.off = gone or idle is not None
            # the one thing that is left is the bright one
            button.lit = not button.off and not walks and not ends and screen.half is None
            if not hide:
                sub = _("already done") if gone else _("nobody can now") if idle else ""
                button.sub = sub or _special_words(turn)[1]
                if look.text == "huge" and not look.wide:
                    button.sub = ""
                button.edge = "act" if screen.half is not None or button.lit else "" if button.off else "line"
        self.tip.seat, handed = screen.hand_over()
        self.told.wordings = wordings(screen.kept.acts) or handed or [say(TIPS[turn["card"]])]
        self.undo.off = now.undo is None
        self.undo.why = _("Nothing has been done yet that could be taken back.")
        if turn["card"] != REST:
            self.end.off = bool(turn["pending"])
            self.end.lit = ends and not turn["pending"]
        only = ends and turn["card"] != REST and not turn["pending"] and not now.sandbox
        if not only or screen.root.sheet is not None:
            self.ends.bar.stop()
        elif not self.ends.bar.runs:
            # nothing else can be chosen
            self.ends.start()

    def _halves(self, screen: Any, turn: Mapping[str, Json]) -> Row:
        """The card in play with both halves."""
        row = Row(size_hint_y=1 if look.wide else 1.2)
        card = ActionCard(number=turn["card"], seat=turn["seat"], size_hint_x=None, width=u(122))
        most = u(160) if look.text == "normal" else u(122) if look.text == "large" else u(84)
        row.bind(height=lambda _, height: setattr(card, "width", min(height / 1.36, most)))
        row.add_widget(card)
        column = BoxLayout(orientation="vertical", spacing=u(8))
        if turn["pending"]:
            column.add_widget(sentence_panel(_("No square below is free. The hero's own player picks the dungeon.")))
            pair = Row(size_hint_y=None, height=u(62))
            for square, fall in screen.wishes.falls().items():
                pair.add_widget(
                    make_button(square, _bind(screen.play, fall, square), figure=fall.hero, lit=True, px=24)
                )
            column.add_widget(pair)
        elif turn["card"] == REST:
            rests = screen.now.view["rests"][turn["seat"]]
            leads = card_words.rest_leads_to(screen.now.view, turn["seat"])
            column.add_widget(sentence_panel(" ".join(say(m) for m in (RESTS[min(rests, 2)], leads) if m)))
        else:
            self.steps = Steps()
            self.steps.make(POINTS[turn["card"]])
            self.steps.size_hint_y = 0.95
            column.add_widget(self.steps)
            column.add_widget(self._special(screen, turn))
        row.add_widget(column)
        return row

    def _special(self, screen: Any, turn: Mapping[str, Json]) -> Row:
        """The card's other half, as one row."""
        card = turn["card"]
        row = Row()
        if card == HIDE:
            hides = [Hide(turn["seat"], f"{turn['seat']}.{number}") for number in (1, 2)]
            self.special = [
                make_button(_("Hide"), _bind(screen.play, h), figure=h.hero, data=h.hero, least=14) for h in hides
            ]
            if look.text != "normal" or (look.wide and look.height > 600):
                # one above the other, where there is room for it
                row.size_hint_y = 1.9
                row.bind(height=_stack)
        else:
            art = {"figure": "wizard"} if card in (CHASE, CAPTURE) else {"icon": SPECIAL_ART[card]}
            text, sub = _special_words(turn)
            self.special = [make_button(text, screen.ask_special, sub=sub, align="left", icon_most=44, **art)]
        for button in self.special:
            row.add_widget(button)
        return row

    def _buttons(self, screen: Any, turn: Mapping[str, Json]) -> list[Any]:
        """Take back, put it right, and the end of the turn, which is lit once nothing else is left."""
        row = Row(size_hint_y=None, height=u(56) if look.wide else max(u(62), t(58)))
        self.undo = make_button(_("Take back"), screen.take_back, icon="mark_undo")
        row.add_widget(self.undo)
        if screen.child:
            # a child asks what can be done; what is wrong is put right from the menu
            row.add_widget(make_button(_("What can I do?"), screen.what_can_i_do, icon="mark_touch", least=13))
        else:
            row.add_widget(make_button(_("Put it right"), screen.put_right, icon="mark_fix"))
        seat = turn["seat"]
        if turn["card"] == REST and not turn["pending"]:
            self.end = make_button(_("Rest"), lambda: screen.play(Rest(seat)), lit=True, icon="action_7_rest")
        else:
            short = not look.wide and look.text != "normal"
            text = _("End my turn") if short else _("Nothing more, end my turn")
            self.end = make_button(text, lambda: screen.play(End(seat)), least=13)
        self.ends = ByItself()
        self.ends.add_widget(self.end)
        if look.wide:
            self.ends.size_hint_y, self.ends.height = None, u(58)
            return [row, self.ends]
        # one column: all three in one row
        self.ends.size_hint_x = 1.3
        row.add_widget(self.ends)
        return [row]


def _stack(row: Any, height: float) -> None:
    row.orientation = "vertical" if height >= 2 * u(48) + u(8) else "horizontal"


def _reason(idle: Idle | None) -> tuple[str, str]:
    """Why not, each sentence once, and the rule."""
    if idle is None:
        return "", ""
    sentences = (sentence for message in idle.messages for sentence in say(message).split(". "))
    return ". ".join(dict.fromkeys(sentence.rstrip(".") for sentence in sentences)) + ".", idle.rule


def _bind(play: Callable[..., None], *args: Any) -> Callable[[], None]:
    return lambda: play(*args)


def wordings(acts: list[tuple[Message, ...]]) -> list[str]:
    """What was done last, from the longest wording to the shortest: two acts, one act, its last message, its head."""
    told = [[say(m) for m in act] for act in acts[-2:]]
    if not told:
        return []
    last = told[-1][-1]
    return [" ".join(s for act in told for s in act), " ".join(told[-1]), last, words.first_sentence(last)[0]]


def _special_words(turn: Mapping[str, Json]) -> tuple[str, str]:
    """What the other half is called, and how much of it there is."""
    match turn["card"]:
        case 2:
            return _("Move a villain"), _("1 step, Wizard or Knight")
        case 3:
            return _("Blow up a card"), _("one without a figure")
        case 4:
            return _("Move villains"), say(msgn("{n} villain step left", "{n} villain steps left", n=turn["special"]))
        case 5:
            return _("Climb"), _("one level up")
        case _:
            return _("Use portals"), say(msgn("{n} level", "{n} levels", n=turn["special"]))
