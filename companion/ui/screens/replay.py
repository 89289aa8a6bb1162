"""A game of the history, step by step and at speed; what-ifs, going on, writing it as text.

given: `number` of the game, and `started`, where the list has told it; `at`: the entry that was shown last.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, Triangle
from kivy.properties import ListProperty, NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.games.base import msg
from companion.table.ports import (
    Abandon,
    Branch,
    Export,
    Exported,
    History,
    ListGames,
    Outcome,
    Resume,
    Scene,
    Snapshot,
    Story,
    TellGame,
)
from companion.ui import words
from companion.ui.boards.sir_holland.crowd import CrowdSheet
from companion.ui.boards.sir_holland.tower import Tower
from companion.ui.pen import Pen
from companion.ui.screens.base import Answer, Screen
from companion.ui.screens.choices import foot_height
from companion.ui.screens.history import day_of
from companion.ui.screens.sheets import Sheet, button
from companion.ui.steps import Step, acting, changed_squares, steps_of, where
from companion.ui.theme import c, look, t, u
from companion.ui.widgets import Drawn, Panel, Pic, Row, Text, Touchable, height_of
from companion.ui.words import _, say

SPEEDS = {1.0: "1", 2.0: "2", 4.0: "4", 0.5: "\u00bd"}
"""How much faster than people read at ease, and what the button says; each touch takes the next one."""
STEP, LETTER = 1.5, 0.03
"""Seconds that a step stands at least, and for each of its letters."""
BELOW = 190
"""What stands below the words, without the lowest row: the track, the controls, and what keeps them apart."""
MARKS = {
    "put_right": ("mark_fix", msg("Put right")),
    "stands": ("mark_judge", msg("Against the rule, but it stood")),
    "taken_back": ("mark_undo", msg("Taken back")),
    "seat": ("mark_other", msg("Somebody else plays")),
}
"""Marks of a step: picture and name."""


class Control(Touchable):
    """A button with a sign of its own: `back`, `play`, `pause` or `on`."""

    about = msg("Goes through the game: back, on, or by itself. Nothing in it changes.")
    sign = StringProperty("")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.fbind("sign", lambda *_: self.redraw())

    def _draw(self, *args: Any) -> None:
        super()._draw(*args)
        pen, down = Pen(self._group), u(2) if self.state == "down" else 0
        colour = c("on_act" if self.lit else "muted" if self.off else "text")
        x, y, half = self.center_x, self.center_y - down, min(self.size) * 0.22
        if self.sign == "pause":
            for left in (x - half, x + half * 0.3):
                pen.box(left, y - half, half * 0.7, 2 * half, colour, u(2))
            return
        way = -1 if self.sign == "back" else 1
        if self.sign in ("back", "on"):
            pen.box(x + way * half * 0.75 - u(2), y - half, u(5), 2 * half, colour, u(2))
            x -= way * half * 0.3
        near, far = x - way * half * 0.8, x + way * half
        self._group.add(Color(*colour))
        self._group.add(Triangle(points=(near, y - half, near, y + half, far, y)))


class Track(Drawn):
    """The game as a line, a tick for each round and a sign for each mark. A finger on it goes to that step."""

    at = NumericProperty(0)
    last = NumericProperty(0)
    rounds = ListProperty([])
    """Pairs of a step and the round that begins with it."""
    marks = ListProperty([])
    """Pairs of a step and a picture."""

    def __init__(self, **kwargs: Any) -> None:
        self.register_event_type("on_seek")
        super().__init__(**kwargs)

    def watched(self) -> tuple[str, ...]:
        return ("at", "last", "rounds", "marks")

    def on_seek(self, step: int) -> None:
        """Somebody wants to see that step."""

    def _x(self, step: float) -> float:
        edge = u(18)
        return float(self.x + edge + (self.width - 2 * edge) * step / max(self.last, 1))

    def paint(self, pen: Pen) -> None:
        low = self.y + self.height * 0.56
        left, right, here = self._x(0), self._x(self.last), self._x(self.at)
        thick = u(6)
        pen.box(left, low - thick / 2, right - left, thick, c("line"), thick / 2)
        pen.box(left, low - thick / 2, here - left, thick, c("act"), thick / 2)
        free = self.x
        size = t(15)
        for step, number in self.rounds:
            x = self._x(step)
            pen.box(x - u(1), low - u(9), u(2), u(18), c("text"), 0)
            if x - size * 0.6 >= free:
                pen.text(str(number), x, self.y + size * 0.6, size, c("muted"), False)
                free = x + size * 0.9
        px = u(18)
        for step, art in self.marks:
            pen.pic(art, self._x(step) - px / 2, self.top - px, px, c("refuse"))
        pen.disc(here, low, u(30), c("ink"))
        pen.disc(here, low, u(26), c("act"))

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos):
            return False
        touch.grab(self)
        self._seek(touch.x)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        self._seek(touch.x)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        return True

    def _seek(self, x: float) -> None:
        left, right = self._x(0), self._x(self.last)
        step = round((x - left) / max(right - left, 1) * self.last)
        self.dispatch("on_seek", min(max(step, 0), int(self.last)))


class Words(BoxLayout):
    """Sentences one under the other, from the top, all of one size."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", spacing=u(2), **kwargs)
        self.sentences: list[str] = []
        self.bind(size=self._lay)

    def show(self, sentences: list[str]) -> None:
        """Say these."""
        self.sentences = sentences
        self._lay()

    def _lay(self, *_: Any) -> None:
        self.clear_widgets()
        if self.width < u(60):
            return
        sizes = [px for px in range(21, 13, -1) if sum(self._heights(px)) <= self.height] or [13]
        for sentence, high in zip(self.sentences, self._heights(sizes[0]), strict=True):
            line = Text(text=sentence, px=sizes[0], least=13, valign="top", size_hint_y=None, height=high)
            self.add_widget(line)
        self.add_widget(Widget())

    def _heights(self, px: int) -> list[float]:
        # a word that is wider than the box has no height at all
        return [min(height_of(s, px, self.width), self.height) + self.spacing for s in self.sentences]


class Replay(Screen):
    """See above."""

    name = "replay"

    def make(self) -> Any:
        self.story: Story | None = None
        self.steps: list[Step] = []
        self.at = 0
        self.speed = 1.0
        self._clock: Any = None
        self._asked = False
        self.tower = Tower()
        self.tower.bind(on_square=lambda _, square: self._look_into(square))
        if look.wide:
            self.tower.size_hint_x = None
            self.tower.bind(height=lambda tower, high: setattr(tower, "width", tower.width_for(high)))
        else:
            # the words have to be read, too: four lines of them
            room = look.height - u(BELOW) - t(70) - foot_height() - 4 * t(26)
            self.tower.size_hint_y = None
            self.tower.height = max(min(self.tower.height_for(look.width - u(16)), room), look.height * 0.28)
        side = BoxLayout(orientation="vertical", spacing=u(8))
        self.panel = Panel()
        self.mark = Pic(size_hint=(None, None), size=(0, t(30)), pos_hint={"top": 1})
        self.words = Words()
        self.panel.add_widget(self.mark)
        self.panel.add_widget(self.words)
        self.track = Track(size_hint_y=None, height=u(52))
        self.track.bind(on_seek=lambda _track, step: self._seek(step))
        for part in (self.panel, self.track, self._controls(), self._foot()):
            side.add_widget(part)
        body = BoxLayout(
            orientation="horizontal" if look.wide else "vertical",
            padding=(u(8), u(20), u(8), u(8)), spacing=u(12 if look.wide else 8),
        )  # fmt: skip
        body.add_widget(self.tower)
        body.add_widget(side)
        return body

    def _controls(self) -> Row:
        self.play = Control(sign="play", lit=True, size_hint_x=1.6)
        self.play.bind(on_release=lambda *_: self.pause() if self._clock else self.run())
        self.faster = button("", self._faster, px=22)
        self.faster.about = msg("How fast it goes by itself. A short touch changes that.")
        self.steppers = [Control(sign=sign) for sign in ("back", "on")]
        for control, way in zip(self.steppers, (-1, 1), strict=True):
            control.bind(on_release=lambda _control, way=way: self._by_hand(way))
        row = Row(size_hint_y=None, height=u(54))
        for part in (self.steppers[0], self.play, self.faster, self.steppers[1]):
            row.add_widget(part)
        return row

    def _foot(self) -> Row:
        self.what_if = button(_("What if?"), self._branch)
        self.more = button(_("More"), lambda: self.root.open_sheet(GameSheet(self.root, self)))
        self.done = button(_("Done"), self.root.back, icon="mark_yes", px=22)
        row = Row(size_hint_y=None, height=foot_height())
        for part in (self.what_if, self.more, self.done):
            row.add_widget(part)
        return row

    def _look_into(self, square: str) -> None:
        """A crowded square is shown large."""
        if self.tower.crowded(square):
            self.root.open_sheet(CrowdSheet(self.root, square, self.tower.figures, self.tower.lying))

    # --- what the house says ----------------------------------------------------------------------------------------

    @property
    def number(self) -> int:
        """Of the game."""
        return int(self.given["number"])

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        if not self._asked:
            self._asked = True
            self.tell(_("I look for that game."))
            self._show_controls()
            self.root.send(TellGame(self.number))

    def heard(self, what: Answer) -> None:
        match what:
            case Story() if what.number == self.number:
                self._take(what)
            case Exported() if what.number == self.number:
                self.root.open_sheet(ExportedSheet(self.root, what.path))
            case History() if self.root.sheet is not None and isinstance(self.root.sheet, GameSheet):
                self.root.sheet.take(what)

    def _take(self, story: Story) -> None:
        self.story = story
        if not story.scenes:
            self.tell(_("That game cannot be read any more."))
            return
        self.steps = steps_of(story.scenes, words.elsewhere(story.game, story.names), *self._room())
        self.track.last = len(self.steps) - 1
        rounds: dict[int, int] = {}
        for i, step in enumerate(self.steps):
            rounds.setdefault(story.scenes[step.scene].view["round"], i)
        self.track.rounds = [(i, n) for n, i in sorted(rounds.items())]
        self.track.marks = [
            (i, MARKS[mark][0]) for i, s in enumerate(self.steps) if s.first and (mark := story.scenes[s.scene].mark)
        ]
        seq = self.given.get("at", 0)
        self._show(next((i for i, s in enumerate(self.steps) if story.scenes[s.scene].seq >= seq), 0))

    @staticmethod
    def _room() -> tuple[int, int]:
        """About how many letters fit into a line, and how many lines, so that they can be read from a metre away."""
        if look.wide:
            width = look.width - min(look.width * 0.5, look.height * 0.83)
            height = look.height - t(70) - u(BELOW) - foot_height()
        else:
            width, height = look.width, 4 * t(26)
        return max(12, int((width - u(80)) / t(9.4))), max(3, int((height - u(20)) / t(24)))

    # --- what is shown ----------------------------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """The one that is shown."""
        assert self.story is not None
        return self.story.scenes[self.steps[self.at].scene]

    def _show(self, at: int, moving: bool = False) -> None:
        """Show a step; moving: it follows on the one before."""
        assert self.story is not None
        self.at = at
        step, scene = self.steps[at], self.scene
        # found again when the screen is built anew
        self.root.flow.given["at"] = scene.seq
        tell = words.elsewhere(self.story.game, scene.names)
        before = self.story.scenes[step.scene - 1].view if step.scene else None
        if moving and step.first and before is not None:
            self.tower.play(before, scene.events, scene.view)
        else:
            self.tower.settle()
            self.tower.show(scene.view)
        warns = scene.mark in ("put_right", "stands", "taken_back")
        self.tower.picked = changed_squares(before, scene.view) if before is not None and step.first and warns else []
        self.words.show([tell(m) for m in step.messages])
        art, text = MARKS.get(scene.mark, ("", None))
        self.mark.art, self.mark.width = art, t(30) if art else 0
        self.mark.tint = "refuse" if warns else "muted"
        self.panel.edge = "refuse" if warns else ""
        self.track.at = at
        sub = say(msg("Step {n} of {all}", n=at + 1, all=len(self.steps)))
        if text is not None:
            sub = f"{say(text)}. {sub}"
        elif self.given.get("started"):
            sub = f"{day_of(self.given['started'])}. {sub}"
        self.tell(tell(where(scene.view)), sub, acting(scene.view), tint="refuse" if warns else "muted")
        self._show_controls()

    def _show_controls(self) -> None:
        told = bool(self.steps)
        self.play.sign = "pause" if self._clock else "play"
        # where there is only one step, there is nothing to play
        self.play.off = len(self.steps) < 2
        over = not told or self.at == len(self.steps) - 1
        # one thing is lit: to look on, or, at the end, to go
        self.play.lit, self.done.lit = not over, over
        self.faster.text = f"{SPEEDS[self.speed]}\u00d7"
        self.steppers[0].off = not told or self.at == 0
        self.steppers[1].off = over
        self.what_if.off = self.more.off = not told

    # --- going through it -------------------------------------------------------------------------------------------

    def _by_hand(self, way: int) -> None:
        self.pause()
        self._show(self.at + way, moving=way > 0)

    def _seek(self, step: int) -> None:
        self.pause()
        if self.steps and step != self.at:
            self._show(step)

    def _faster(self) -> None:
        speeds = list(SPEEDS)
        self.speed = speeds[(speeds.index(self.speed) + 1) % len(speeds)]
        self._show_controls()

    def run(self) -> None:
        """Play from here, or from the beginning where this is the end. The next step comes at once."""
        if self.at == len(self.steps) - 1:
            self._show(0)
            self._wait()
        else:
            self._next()
        self._show_controls()

    def pause(self) -> None:
        """Stop where it is."""
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None
            self._show_controls()

    def _wait(self) -> None:
        """So long as the words need to be read."""
        seconds = max(STEP, STEP / 2 + sum(map(len, self.words.sentences)) * LETTER) / self.speed
        self._clock = Clock.schedule_once(lambda _dt: self._next(), seconds)

    def _next(self) -> None:
        self._show(self.at + 1, moving=True)
        if self.at < len(self.steps) - 1:
            self._wait()
        else:
            self.pause()

    def leave(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None
        self.tower.settle()

    # --- from here --------------------------------------------------------------------------------------------------

    def _branch(self) -> None:
        """A sandbox from this step on: the screens of the table show it."""
        self.pause()
        doors = list(self.root.flow.doors)

        def there(outcome: Outcome) -> bool:
            if outcome.kind != "done" or not outcome.now.sandbox:
                return False
            self.root.enter_what_if(outcome, doors)
            return True

        self.root.send(Branch(self.number, self.scene.seq), there)

    def go_on(self) -> None:
        """The game is on the table from now on."""

        def there(outcome: Outcome) -> bool:
            if outcome.kind != "done" or outcome.now.sandbox:
                return False
            self.root.flow.back(outcome.now.view["phase"])
            self.root.show(outcome)
            return True

        self.root.send(Resume(self.number), there)


class GameSheet(Sheet):
    """What can be done with this game. Giving it up is asked once more, at another place."""

    def __init__(self, root: Any, screen: Replay) -> None:
        super().__init__(root, _("This game"), 640)
        self.screen = screen
        self.state = ""
        self.lines = BoxLayout(orientation="vertical", spacing=u(10), size_hint_y=None, height=0)
        self.panel.add_widget(self.lines)
        self.row(button(_("Keep watching"), root.close_sheet, lit=True, px=22), height=64)
        root.send(ListGames())

    def take(self, history: History) -> None:
        """Now it is known whether the game can be gone on with."""
        listed = next((g for g in history.games if g.number == self.screen.number), None)
        state = listed.state if listed else ""
        if state == self.state:
            return
        self.state = state
        self.lines.clear_widgets()
        rows = [[button(_("Write it as text"), self._export, sub=_("To keep, or to take along."), px=20)]]
        now = self.root.now
        on_table = now is not None and not now.sandbox and now.number == self.screen.number
        if state == "open" and not on_table:
            rows.insert(0, [button(_("End it for good"), self._give_up, icon="mark_no"), Widget()])
        if state in ("open", "abandoned") and not on_table:
            rows.append([button(_("Go on with this game"), self._go_on, icon="mark_yes", px=20)])
        for parts in rows:
            row = Row(size_hint_y=None, height=u(66))
            for part in parts:
                row.add_widget(part)
            self.lines.add_widget(row)
        self.lines.height = len(rows) * u(66) + (len(rows) - 1) * u(10)

    def _export(self) -> None:
        self.root.close_sheet()
        self.root.send(Export(self.screen.number, words.language()))

    def _go_on(self) -> None:
        self.root.close_sheet()
        self.screen.go_on()

    def _give_up(self) -> None:
        self.root.open_sheet(GiveUpSheet(self.root, self.screen.number))


class GiveUpSheet(Sheet):
    """Really for good? The button lies at the other side than the one that led here."""

    def __init__(self, root: Any, number: int) -> None:
        super().__init__(root, _("Really end this game?"), 640)
        text = _("Nobody wins it. In the history you can still look at it, and go on with it.")
        self.panel.add_widget(Text(text=text, px=20, least=14, size_hint_y=None, height=t(72)))
        self.row(Widget(), button(_("Yes, end it"), lambda: self._end(number), icon="mark_no"), height=60)
        self.row(button(_("Keep it open"), root.close_sheet, lit=True, px=22), height=64)

    def _end(self, number: int) -> None:
        self.root.close_sheet()
        self.root.send(Abandon(number))


class ExportedSheet(Sheet):
    """Where the text lies now."""

    def __init__(self, root: Any, path: str) -> None:
        super().__init__(root, _("The game is written"), 640)
        file = Path(path)
        self.panel.add_widget(Text(text=file.name, px=22, least=14, bold=True, size_hint_y=None, height=t(34)))
        where = say(msg("It lies in the folder {folder}", folder=file.parent))
        self.panel.add_widget(Text(text=where, px=18, least=13, tint="muted", size_hint_y=None, height=t(72)))
        self.row(button(_("Good"), root.close_sheet, lit=True, px=22), height=64)
