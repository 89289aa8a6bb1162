"""A turn: the tower, what the card gives, and what a touch means."""

from __future__ import annotations

from typing import Any

from kivy.uix.boxlayout import BoxLayout

from companion.games.base import Message, msg
from companion.games.sir_holland.state import CAPTURE, CHASE, EXPLOSION, ROOF, Explode, owner
from companion.table.ports import Outcome, Play, Snapshot, TakeBack
from companion.ui import words
from companion.ui.boards.wishes import Wishes
from companion.ui.screens import turn_answers as answers
from companion.ui.screens import turn_side
from companion.ui.screens.base import Screen, load_kv
from companion.ui.screens.notice import Notice, Offer
from companion.ui.theme import look, u
from companion.ui.words import _, say

load_kv("turn")

_ACTS_NOW = "{seat:seat} acts now with {card:card}."
"""The top sentence says that already."""


class TurnBody(BoxLayout):
    """Tower and side; written out in turn.kv."""

    def on_size(self, *_: Any) -> None:
        """The tower takes what its height (or width) asks for, as far as the side keeps enough room."""
        tower, place = self.ids.tower, self.ids.place
        if look.wide:
            place.width = min(tower.width_for(self.height - u(11)), self.width * 0.56)
        else:
            place.height = min(tower.height_for(self.width - u(16)), self.height - u(324))


class Turn(Screen):
    """See above.

    picked: the figure in hand; half: `special` or `explode` while the card's other half was asked for, else None;
    warned: halves whose loss was spoken of in this turn; notice: what stands beside the tower instead of the card.
    """

    name = "turn"

    def make(self) -> Any:
        self.wishes: Wishes | None = None
        self.picked: str | None = None
        self.half: str | None = None
        self.warned: set[str] = set()
        self.turn_key: Any = None
        self.asked_at: str | None = None
        self.notice: Notice | None = None
        self.news: tuple[Message, ...] = ()
        self.card: turn_side.Side | None = None
        self.card_key: Any = None
        self.shown: Any = None
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
            self.turn_key, self.picked, self.warned = key, None, set()
        self.now = now
        self.wishes = Wishes(view, now.choices)
        self.notice, self.half, self.asked_at = None, None, None
        self.tower.bad = []
        if outcome is not None:
            self.news = tuple(m for m in outcome.messages if m.id != _ACTS_NOW)
            self._tell_hands(outcome)
        if self.picked is not None and not self.wishes.targets(self.picked):
            self.picked = None
        self.draw()

    def _tell_hands(self, outcome: Outcome) -> None:
        """What hands have to do now stands large; everything else is a line."""
        happened = [e["what"] for e in outcome.events]
        for what, head in (("exploded", _("Now the cards")), ("fell", _("A fall"))):
            if what in happened:
                text = " ".join(say(m) for m in self.news)
                self.notice = Notice(head, text, [Offer(_("Done"), self.calm, lit=True, icon="mark_yes")])

    @property
    def seat(self) -> str:
        """Whose answer is awaited."""
        turn = self.now.view["turn"]
        return owner(turn["pending"]["hero"]) if turn["pending"] else str(turn["seat"])

    def draw(self) -> None:
        """Show what is so now."""
        view = self.now.view
        self.tower.show(view)
        self.tower.lit = self._lit()
        self.tower.picked = [view["figures"][self.picked]] if self.picked else []
        self.tell(*self._sentence(), self.seat)
        self._draw_side()

    def _draw_side(self) -> None:
        """The notice, or the card in play."""
        if self.notice is not None:
            if self.shown is not self.notice:
                self.side.clear_widgets()
                queue = turn_side.Queue()
                if look.wide and not self.notice.long:
                    queue.show(self.now.view)
                    self.side.add_widget(queue)
                self.side.add_widget(self.notice)
            self.shown = self.notice
            return
        turn = self.now.view["turn"]
        key = (self.turn_key, turn["card"], bool(turn["pending"]))
        if self.card is None or self.card_key != key:
            self.card, self.card_key = turn_side.Side(self), key
        self.card.update(self)
        if self.shown is not self.card:
            self.side.clear_widgets()
            for row in self.card.rows:
                self.side.add_widget(row)
        self.shown = self.card

    def _lit(self) -> dict[str, str]:
        """Where candlelight falls, and what each coin says."""
        wishes, turn = self.wishes, self.now.view["turn"]
        assert wishes is not None
        if turn["pending"]:
            return dict.fromkeys(turn["pending"]["to"], "")
        if self.half == "explode":
            return dict.fromkeys(wishes.explodable(), "action_3_explosion")
        if self.picked is None:
            return {self.now.view["figures"][f]: "" for f in wishes.figures(self.half)}
        found = {}
        for square, ways in wishes.targets(self.picked, self.half).items():
            symbol = ways[0].kind in ("climb", "portal") and len(ways) == 1
            found[square] = turn_side.SPECIAL_ART[turn["card"]] if symbol else str(ways[0].cost)
        return found

    def _sentence(self) -> tuple[str, str]:
        who, wishes = words.name(self.now.view["turn"]["seat"]), self.wishes
        assert wishes is not None
        awaited = say(self.now.awaited[0][1]) if self.now.awaited else ""
        if self.now.view["turn"]["pending"]:
            return awaited, _("Tap one of the two dungeons.")
        if self.half == "explode":
            return say(msg("{seat}, which card blows up?", seat=who)), _("Tap a bright square.")
        if self.picked:
            text = say(msg("{seat}, where does {figure:figure} go?", seat=who, figure=self.picked))
            return text, _("Tap a bright square. Its number is the steps it costs.")
        return awaited, _("Tap a figure on a bright square.") if wishes.figures() else ""

    # --- touches ----------------------------------------------------------------------------------------------------

    def touch(self, square: str) -> None:
        """A square of the tower was touched."""
        wishes, turn = self.wishes, self.now.view["turn"]
        assert wishes is not None
        self.notice, self.tower.bad = None, []
        if turn["pending"]:
            if square in wishes.falls():
                self.play(wishes.falls()[square], square)
            else:
                self.draw()
        elif self.half == "explode":
            self.play(Explode(turn["seat"], square), square)
        elif self.picked:
            self._send_to(self.picked, square)
        else:
            self._pick_on(square)

    def _pick_on(self, square: str) -> None:
        """Pick a figure up, or ask which of several."""
        wishes = self.wishes
        assert wishes is not None
        there, able = wishes.on(square), self.others(square)
        if len(able) > 1:
            self._say(answers.which(self, able))
        elif able:
            self.pick(able[0])
        elif there:
            own = [f for f in there if owner(f) == self.now.view["turn"]["seat"]]
            self.play(wishes.poke((own or there)[0]), square)
        else:
            # the ember ring lies on the square, the words in the sentence at the top
            self.draw()
            self.tower.bad = [square]
            self.tell(_("Nobody stands there. Tap a figure first, then its square."), "", self.seat)

    def _send_to(self, figure: str, square: str) -> None:
        """The figure in hand goes there; or another one was meant."""
        wishes = self.wishes
        assert wishes is not None
        ways = wishes.targets(figure, self.half).get(square)
        others = self.others(square)
        if ways and len(ways) > 1:
            self._say(answers.which_way(self, square, ways))
        elif ways:
            self.play(ways[0].choice, square)
        elif square == self.now.view["figures"][figure]:
            if len(others) > 1:
                self._say(answers.which(self, others))
            else:
                self.pick(None)
        elif others and not wishes.reaches(figure, square):
            if len(others) > 1:
                self._say(answers.which(self, others))
            else:
                self.pick(others[0])
        else:
            self.play(wishes.wish(figure, square, self.half), square)

    def others(self, square: str) -> list[str]:
        """Who on that square could be picked up now."""
        wishes = self.wishes
        assert wishes is not None
        able = wishes.figures(self.half)
        return [f for f in wishes.on(square) if f in able]

    def pick(self, figure: str | None) -> None:
        """Take a figure in hand."""
        self.picked, self.notice, self.tower.bad = figure, None, []
        self.draw()

    def ask_special(self) -> None:
        """The button of the other half: what it may touch lights up."""
        card, wishes = self.now.view["turn"]["card"], self.wishes
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
            self.play(wishes.wish(figure, self._above(figure), "special"))
            return
        self.draw()

    def _first_hero(self) -> str:
        seat = self.now.view["turn"]["seat"]
        inside = [h for h in (f"{seat}.1", f"{seat}.2") if self.now.view["figures"][h] != ROOF]
        return (inside or [f"{seat}.1"])[0]

    def _above(self, figure: str) -> str:
        at = self.now.view["figures"][figure]
        return ROOF if at == ROOF or at[1] == "5" else at[0] + str(int(at[1]) + 1)

    # --- requests ---------------------------------------------------------------------------------------------------

    def play(self, choice: Any, square: str | None = None) -> None:
        """Ask the table; first say, once, that something of the card would be lost."""
        half = answers.loses(self, choice)
        if half and half not in self.warned and choice in self.now.choices:
            self.warned.add(half)
            self._say(answers.warning(self, choice, half))
            return
        self.asked_at = square
        self.root.send(Play(choice, self.now.seen))

    def take_back(self) -> None:
        """One's own act at once; anything else needs everyone's yes."""
        undo = self.now.undo
        if undo is None:
            return
        if undo.seat is not None and undo.seat == self.seat:
            self.root.send(TakeBack(undo.seat, seen=self.now.seen))
        else:
            self._say(answers.undoing(self))

    def refused(self, outcome: Outcome) -> None:
        self.now = outcome.now
        self.wishes = Wishes(self.now.view, self.now.choices)
        if outcome.refused is None:
            self._say(answers.stale(self, outcome))
        else:
            self.show_refusal(outcome, outcome.refused)

    def show_refusal(self, outcome: Outcome, why: Any, show_rule: bool = False) -> None:
        """The refusal, or the rule behind it."""
        square = self.asked_at or answers.place_of(why.choice)
        self._say(answers.refusal(self, outcome, why, show_rule))
        self.tower.bad = [square] if square else []
        seat = words.name(self.now.view["turn"]["seat"])
        self.tell(
            say(msg("{seat}, that does not go.", seat=seat)), _("Nothing has changed. Try another one."), self.seat
        )

    def _say(self, notice: Notice) -> None:
        self.notice = notice
        self.draw()

    def calm(self) -> None:
        """Close the notice."""
        self.notice, self.tower.bad = None, []
        self.draw()
