"""The one window: shows the screen that is due, hands announcements to it, and sends what it asks for."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from kivy.app import App
from kivy.base import ExceptionManager
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.graphics import Color, Rectangle
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from companion.games import find_game
from companion.games.base import Message, Rulebook
from companion.games.sir_holland.codec import GAME
from companion.table.ports import (
    Begin,
    CardBox,
    Change,
    Exported,
    History,
    Home,
    ListOutputs,
    Outcome,
    People,
    PictureKept,
    SayAgain,
    SayThis,
    Snapshot,
    Status,
    Story,
    Touched,
)
from companion.ui import explaining, memory, motion, words
from companion.ui.bridge import Bridge
from companion.ui.countdown import Countdown
from companion.ui.draft import Draft
from companion.ui.facing import FACINGS, side_of
from companion.ui.flow import TABLE_ONLY, Flow
from companion.ui.glass import Glass
from companion.ui.memory import Memory
from companion.ui.mending import Mending
from companion.ui.screens.base import Screen, load_kv
from companion.ui.settle import lay_out
from companion.ui.theme import c, look, t, u
from companion.ui.what_if import WhatIfStrip
from companion.ui.widgets import Panel, Pic, Text, height_of
from companion.ui.words import _

log = logging.getLogger(__name__)

SCREENS = {
    "start": "Start", "seats": "Seats", "tower": "TowerSetup", "choose": "Choose", "reveal": "Reveal", "turn": "Turn",
    "round_end": "RoundEnd", "put_right": "PutRightScreen",
    "entry": "Entry", "rulebook": "RulebookScreen", "judge_order": "JudgeOrder",
    "judge_winner": "JudgeWinner", "judge_may": "JudgeMay", "judge": "Judge",
    "settings": "SettingsScreen", "house_rules": "HouseRules", "touch_test": "TouchTest", "devices": "Devices",
    "bind": "Bind", "teach": "Teach", "device_test": "DeviceTest", "wiring": "Wiring",
    "about": "About", "seat": "Seat", "people": "PeopleScreen",
    "history": "HistoryScreen", "replay": "Replay",
}  # fmt: skip
"""Module in screens/ -> its class."""
BOARD_SCREENS: dict[str, str] = {"minute": "Minute", "winner": "Winner"}
"""The same for the screens in boards/sir_holland/."""
SLEEP = 10
"""Minutes until the screen goes dark where nobody is awaited, unless people have set something else."""
ESCAPE, F9 = 27, 290
"""Keys."""
IMPATIENCE = 1.0
"""Seconds that the table may take for an answer; after that a touch asks again."""


class Root(Glass):
    """Everything in the window."""

    def __init__(self, bridge: Bridge, lang: str = "en", **kwargs: Any) -> None:
        look.reset()
        super().__init__(**kwargs)
        self.bridge = bridge
        self.flow = Flow()
        self.draft = Draft()
        self.countdown = Countdown()
        self.watched: motion.Moment | None = None
        self.home: Home | None = None
        self.now: Snapshot | None = None
        self.statuses: dict[str, Status] = {}
        self.settings: dict[str, Any] = {}
        self.devices: dict[str, Any] = {}
        self.outputs: tuple[tuple[str, Message], ...] = ()
        self._tags: dict[str, Status] = {}
        self.ember: tuple[Message, ...] = ()
        self.screen: Screen | None = None
        self._stripped: Any = None
        self.sheet: Any = None
        self.explanation: Any = None
        self._then: Callable[[Outcome], bool] | None = None
        self._asked: tuple[Any, float] | None = None
        self._news: Outcome | None = None
        self._read: tuple[str, ...] = ()
        self._doors: list[tuple[str, dict[str, Any]]] | None = None
        self._torn = False
        self.memo: dict[str, Any] = {}
        """What screens want to find again when they are built anew."""
        words.register_fonts()
        words.speak(lang, names={})
        load_kv("theme")
        self.column = BoxLayout(orientation="vertical", pos_hint={"x": 0, "y": 0})
        self.add_widget(self.column)
        Window.bind(size=self._resized, on_key_down=self._key)
        with self.canvas.before:
            self._night = Color()
            self._ground = Rectangle()
        self.bind(size=lambda *_: setattr(self._ground, "size", self.size))
        self.fit(Window.size, 0)
        self.memory = Memory()
        self._face_soon = Clock.create_trigger(self._face)
        self._anew = Clock.create_trigger(self._show_anew)
        self.rebuild()
        bridge.listen(self.take)

    # --- announcements ----------------------------------------------------------------------------------------------

    def take(self, what: Any) -> None:
        """One announcement, on Kivy's thread. Where it cannot be shown, the screen is built anew in the next frame."""
        try:
            self._take(what)
        except Exception:
            self.build_anew()
            raise
        self.look_under()

    def _take(self, what: Any) -> None:
        self.memory.stir()
        self.stir()
        match what:
            case Home():
                self.home, self.now, self.ember = what, None, ()
                self._news = None
                # a card that was to be chosen in secret is named on no first screen
                self._tags.clear()
                self.memo.clear()
                self.draft.remember(what.last_names, words.is_colour)
                self._settings(what.settings)
                self.flow.take(what)
                self.show()
            case Outcome():
                self._outcome(what)
            case Status():
                self._status(what)
            case History() | Story() | Exported() | PictureKept() | Touched() | CardBox() | People():
                if self.screen is not None:
                    self.screen.heard(what)
            case SayAgain() | SayThis() | ListOutputs():
                pass
        self._out_of_what_if()
        self.awaited = self.now is not None and bool(self.now.awaited)
        # the system's own sleep: not while a game is open
        Window.allow_screensaver = self.now is None

    def _outcome(self, what: Outcome) -> None:
        began, missed = self.now is None, self._has_missed(what)
        self._asked = None
        self.now = what.now
        words.speak(game=what.now.game, names=what.now.names)
        before = self.flow.screen
        if began:
            self.draft.begun()
        if began and self.flow.table in ("start", "seats", "tower"):
            self.flow.back(what.now.view["phase"])
        self.flow.take(what)
        self._put_off_tag()
        self.countdown.take(what, self.clock())
        if missed or self._torn:
            # what the screen remembers may be of another moment
            self._put_away()
        if what.kind == "not_saved":
            self.ember = what.messages[:1]
        elif what.kind == "done":
            self.ember = ()
            self._news = what
        if what.kind == "done":
            self.show(what)
        else:
            if self.flow.screen != before or self.screen is None:
                self.show()
            if what.kind != "nothing" and self.screen is not None:
                self.screen.refused(what)
                self._strip()
        then = self._then
        if then is not None and then(what) and self._then is then:
            self._then = None

    def _has_missed(self, what: Outcome) -> bool:
        """Whether something happened at this table that was not announced to the screen."""
        last, before = self.now, what.before if what.kind == "done" else what.now
        if last is None or before is None or (last.number, last.sandbox) != (before.number, before.sandbox):
            return False
        return last.seq != before.seq or last.moment != before.moment

    def _out_of_what_if(self) -> None:
        """Whoever leaves a what-if is where it was opened: at the same step of the same replay."""
        if self._doors is not None and (self.now is None or not self.now.sandbox):
            # a door of a table that is gone by now leads nowhere
            self.flow.doors = [d for d in self._doors if self.now is not None or d[0] not in TABLE_ONLY]
            self._doors = None
            self.rebuild()

    def _status(self, what: Status) -> None:
        if what.kind == "setting":
            self._settings(what.data)
            return
        if what.kind == "outputs":
            self.outputs = tuple(what.data["outputs"])
            if self.flow.screen == "settings":
                self.show()
            return
        if what.kind == "devices":
            self.devices = dict(what.data)
            if self.flow.screen in ("devices", "choose", "bind", "teach", "device_test"):
                # these speak of them
                self.show()
            return
        if what.key == "touch_test":
            # a panel's button asks for it, where touch cannot
            self.open("touch_test")
            return
        if what.message is None:
            self.statuses.pop(what.key, None)
        else:
            self.statuses[what.key] = what
        self._strip()
        if what.kind == "tag":
            self._tags.pop(what.key, None)
            if what.message is not None and what.data.get("uid"):
                self._tags[what.key] = what
                self._ask_for_tag()

    def _settings(self, settings: Any) -> None:
        self.settings.update(settings)
        anew = look.use(self.settings)
        self.draft.know(self.settings.get("people"), words.is_colour)
        self.sleep_after = float(self.settings.get("sleep", SLEEP)) * 60
        self.nod()
        lang = settings.get("lang") or settings.get("language")
        if lang in words.LANGUAGES and lang != words.language():
            words.speak(lang)
            anew = True
        if anew:
            self.rebuild()
        self._face(at_once=True)

    @property
    def no_sound(self) -> Message | None:
        """Why nothing can be heard."""
        sound = self.statuses.get("sound")
        return sound.message if sound else None

    # --- requests ---------------------------------------------------------------------------------------------------

    def send(self, request: Any, then: Callable[[Outcome], bool] | None = None) -> None:
        """Ask the table; `then` gets every outcome until it says that this was the answer, or the next request goes.

        What an impatient finger asks again before the answer is there has been asked already.
        """
        if isinstance(request, Begin) or getattr(request, "seen", None) is not None:
            asked, self._asked = self._asked, (request, self.clock())
            if asked is not None and asked[0] == request and self.clock() - asked[1] < IMPATIENCE:
                self._asked = asked
                return
        self._then = then
        self.bridge.send(request)

    def is_child(self, seat: str) -> bool:
        """Whether a child plays there, as the settings say."""
        return seat in (self.settings.get("kids") or ())

    def read_aloud(self, *sentences: str) -> None:
        """Speak what stands at the top, each sentence once; they are in the language of the screen already."""
        new = tuple(s for s in sentences if s and s not in self._read)
        self._read = sentences
        self.say_aloud(*new)

    def say_aloud(self, *sentences: str) -> None:
        """Speak sentences that are in the language of the screen already."""
        if sentences and self.settings.get("voice") is not False:
            self.bridge.send(SayThis(tuple(Message(s.replace("{", "{{").replace("}", "}}")) for s in sentences)))

    def enter_what_if(self, outcome: Outcome, doors: list[tuple[str, dict[str, Any]]]) -> None:
        """The doors close before the table of a what-if, and are open again after it."""
        self._doors = doors
        self.flow.back(outcome.now.view["phase"])
        self.show(outcome)

    def change_language(self, lang: str) -> None:
        """At once here, and kept by the house."""
        words.speak(lang)
        self.rebuild()
        self.send(Change({"lang": lang}))

    @property
    def book(self) -> Rulebook:
        """The rule book of the game on the table, or of the next one."""
        game = find_game(self.now.game if self.now else GAME)
        assert game is not None
        return game.rulebook

    # --- what is shown ----------------------------------------------------------------------------------------------

    def go(self, screen: str) -> None:
        """A person goes on to a screen of the table; all doors close."""
        self.flow.go(screen)
        self.show()

    @staticmethod
    def has(screen: str) -> bool:
        """Whether there is such a screen: no door to an empty room."""
        return screen in SCREENS or screen in BOARD_SCREENS

    def open(self, screen: str, **given: Any) -> None:
        """Open a door over the table (settings, the judge, ...). `given`: what that screen wants to know."""
        self.flow.open(screen, given)
        self.rebuild()

    def back_to_table(self) -> None:
        """From any door to the screen that the table is at."""
        self.close_sheet()
        if self.flow.doors:
            self.go(self.flow.table)

    def back(self) -> None:
        """One door back; with none open, to the screen that the table is at."""
        if self.flow.close():
            self.rebuild()
            return
        if self.now is not None:
            self.flow.back(self.now.view["phase"])
        else:
            self.flow.go("start")
        self.show()

    def rebuild(self) -> None:
        """Build the screen anew: language, size or theme has changed."""
        self._take_away()
        Window.clearcolor = self._night.rgba = c("night")
        self._put_away()
        self.show()

    def _put_away(self) -> None:
        motion.skip()
        screen, self.screen = self.screen, None
        if screen is not None:
            screen.leave()

    def build_anew(self) -> None:
        """Something could not be shown: the screen is built anew in the next frame."""
        self._torn = True
        self._anew()

    def _show_anew(self, *_: Any) -> None:
        """After something could not be shown. Where that fails as well, the next announcement or door tries again."""
        try:
            self.rebuild()
        except Exception:
            log.exception("the screen could not be built anew")

    def show(self, outcome: Outcome | None = None) -> None:
        """Show the screen that is due."""
        name = self.flow.screen
        if self.now is None:
            # no game is open: its people have gone home, but the first screen speaks of the saved one
            saved = self.home.saved if self.home is not None and name == "start" else None
            words.speak(game=saved.game if saved else None, names=saved.names if saved else {})
        fresh = self.screen is None or self.screen.name != name
        motion.skip()
        if fresh:
            if self.screen is not None:
                self.screen.leave()
            room = "boards.sir_holland" if name in BOARD_SCREENS else "screens"
            module = import_module(f"companion.ui.{room}.{name}")
            self.screen = getattr(module, BOARD_SCREENS.get(name) or SCREENS[name])(self)
        assert self.screen is not None
        self.screen.update(self.now, outcome)
        self._torn = False
        self._strip()
        lay_out(self.column)
        self._ask_for_tag()
        self._face_soon()
        if outcome is not None:
            from companion.ui.boards.sir_holland.occasion import watch

            self.watched = watch(self, outcome) or self.watched
        self.look_under()

    @property
    def news(self) -> Outcome | None:
        """The last thing that happened."""
        return self._news

    def _strip(self) -> None:
        """The line at the lower edge. It takes room of its own, so that it covers nothing."""
        lines: list[tuple[str, str, str, float, str]] = []
        if self.ember:
            text = " ".join(words.say(m) for m in self.ember)
            lines.append((text, "refuse", "refuse_bg", u(44), "mark_no"))
        if self.things:
            lines.append((_("Something lies on the screen. Take it away."), "refuse", "panel", u(28), "mark_no"))
        # one line for them all; that there is no sound is told on the first screen, and stands in the settings
        told = [s for s in self.statuses.values() if s.kind != "sound" or self.flow.screen == "start"]
        for status in sorted(told, key=lambda s: s.kind != "sound")[-1:]:
            art = {"device": "mark_reader_lost", "tag": "mark_reader_ok"}.get(status.kind, "mark_no")
            assert status.message is not None
            lines.append((words.say(status.message), "refuse", "panel", u(28), art))
        what_if = self.now is not None and self.now.sandbox and not self.flow.doors
        what_if = what_if and not getattr(self.screen, "own_what_if", False)
        if (self.screen, lines, what_if) == self._stripped:
            # laying the column anew would draw everything anew
            return
        self._stripped = (self.screen, lines, what_if)
        self.column.clear_widgets()
        if self.screen is not None:
            self.column.add_widget(self.screen)
        if what_if:
            self.column.add_widget(WhatIfStrip(self))
        for line in lines:
            self.column.add_widget(_line(*line))

    # --- sheets -----------------------------------------------------------------------------------------------------

    def open_sheet(self, sheet: Any) -> None:
        """Lay something over the screen: menu, privacy cover, keyboard."""
        self._take_away()
        self.sheet = sheet
        self.add_widget(sheet)
        lay_out(sheet)
        self.look_under()

    def close_sheet(self) -> None:
        """Take it away, with all that was on it."""
        self._take_away()
        self._face_soon()
        self._ask_for_tag()
        self.look_under()

    def _take_away(self) -> None:
        self._forget_explanation()
        if self.sheet is not None:
            self.remove_widget(self.sheet)
            self.sheet = None

    # --- a long touch -----------------------------------------------------------------------------------------------

    def explain(self, x: float, y: float) -> None:
        """Say what lies there: a button before the words on it, else what is innermost, else the words there."""
        if self.explanation is not None:
            return
        top = self.sheet or self.column
        under = list(_under(top, x, y))
        asked = sorted(under, key=lambda widget: not isinstance(widget, ButtonBehavior))
        answers = (widget.explains(x, y) for widget in asked if hasattr(widget, "explains"))
        lines = (explaining.of_words(widget.text) for widget in under if getattr(widget, "text", ""))
        found = next((answer for answer in (*answers, *lines) if answer is not None), None)
        self._explain(found or explaining.of_words(explaining.first_words(top)))

    def _explain(self, explanation: explaining.Explanation) -> None:
        from companion.ui.screens.explained import Explained

        self.explanation = Explained(self, explanation)
        self.add_widget(self.explanation)
        lay_out(self.explanation)
        self.look_under()
        if not explanation.secret:
            self.say_aloud(explanation.title, explanation.text)

    def close_explanation(self) -> None:
        """What was asked is known; all is as it was before."""
        self._forget_explanation()
        self.look_under()

    def _forget_explanation(self) -> None:
        if self.explanation is not None:
            self.remove_widget(self.explanation)
            self.explanation = None

    def _ask_for_tag(self) -> None:
        """Which card a new tag is: asked when nothing lies over the screen and nobody reads their cards.

        While cards are chosen in secret the answer would tell the whole table: it is asked after the reveal.
        """
        if self._tags and self.sheet is None and self.flow.screen != "reveal" and not self._is_secret():
            from companion.ui.screens.sheets import BindSheet

            self.open_sheet(BindSheet(self, self._tags.pop(next(iter(self._tags)))))

    def _is_secret(self) -> bool:
        """Whether cards are chosen in secret; in a what-if the game beside it may be choosing."""
        return self.now is not None and (self.now.sandbox or bool(self.now.view["phase"] == "choose"))

    def _put_off_tag(self) -> None:
        """What was asked in the open waits when a round begins."""
        asked = getattr(self.sheet, "status", None)
        if asked is not None and self._is_secret():
            self._tags[asked.key] = asked
            self._take_away()

    def open_menu(self) -> None:
        """The menu of the top bar."""
        from companion.ui.screens.sheets import MenuSheet

        self.open_sheet(MenuSheet(self))

    # --- window -----------------------------------------------------------------------------------------------------

    def _resized(self, *_: Any) -> None:
        if self.fit(Window.size, look.facing):
            self.rebuild()

    def _key(self, _window: Any, key: int, *_: Any) -> bool:
        """A keyboard helps where touch is wrong: F9 tests it, Escape goes one door back."""
        if key == F9:
            self.open("touch_test")
        elif key == ESCAPE and self.flow.doors:
            self.back()
        return key in (F9, ESCAPE)

    def _face(self, *_: Any, at_once: bool = False) -> None:
        """Turn to whom the screen belongs now; where something lies open that somebody reads, only when it is shut."""
        wanted = self.settings.get("facing", 0)
        if self.settings.get("follow") and self.now is not None and self.flow.table == "turn":
            acting = [seat for seat, _message in self.now.awaited]
            if len(acting) == 1:
                wanted = side_of(acting[0], self.now.view["seats"])
        if wanted == look.facing or wanted not in FACINGS or ((self.sheet or self.flow.doors) and not at_once):
            return

        def turn() -> None:
            self.fit(Window.size, wanted)
            self.rebuild()

        self.when_free(turn)

    def under(self) -> Any:
        """The sheet or the screen, and what it says lies there now."""
        top: Any = self.explanation or self.sheet
        if top is None:
            top = self.screen and self.screen.name
        watching = self.watched is not None and self.watched.runs
        return top, getattr(self.sheet or self.screen, "standing", ()), watching, look.facing, tuple(self.size)

    def is_patient(self, touch: Any) -> bool:
        """The shut privacy cover opens to a finger that is held."""
        patient = getattr(self.explanation or self.sheet, "is_patient", None)
        return patient is not None and bool(patient(touch))

    def something_lies(self) -> None:
        """Say so in the line at the lower edge."""
        self._strip()

    def touched(self, touch: Any) -> None:
        """A sheet gets all touches while it lies there; what goes to the end of a moment does nothing else."""
        self.memory.stir()
        if motion.skip():
            return
        top = self.explanation or self.sheet
        if top is not None:
            top.on_touch_down(touch)
        else:
            super().touched(touch)


def _under(widget: Any, x: float, y: float) -> Iterator[Any]:
    """The widgets at a point, innermost first; of several that overlap the one in front."""
    for child in widget.children:
        if child.collide_point(x, y) and child.opacity > 0:
            yield from _under(child, x, y)
            break
    yield widget


def _line(text: str, tint: str, ground: str, height: float, art: str) -> Any:
    high = max(height, min(height_of(text, 17, look.width - u(60)), t(60)))
    line = Panel(ground=ground, radius=0, size_hint_y=None, height=high, padding=(u(12), u(2)))
    line.add_widget(Pic(art=art, tint=tint, size_hint_x=None, width=u(24)))
    line.add_widget(Text(text=text, px=17, least=13, tint=tint))
    return line


class _KivyApp(App):
    """Kivy's own frame around the root."""

    def __init__(self, bridge: Bridge, lang: str) -> None:
        super().__init__()
        self.bridge, self.lang = bridge, lang
        self.title = "Gryphon"

    def load_kv(self, *args: Any, **kwargs: Any) -> bool:
        """Ours are loaded by name."""
        return True

    def build(self) -> Root:
        return Root(self.bridge, self.lang)

    def on_start(self) -> None:
        """The first screen is there."""
        memory.start()
        self._mending = Mending(self.root.build_anew)
        ExceptionManager.add_handler(self._mending)

    def on_stop(self) -> None:
        """Nothing is mended any more."""
        ExceptionManager.remove_handler(self._mending)


def make_app(bridge: Bridge, lang: str) -> App:
    """The Kivy app."""
    return _KivyApp(bridge, lang)
