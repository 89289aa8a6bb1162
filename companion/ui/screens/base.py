"""What all screens share: the sentence at the top, and how they are loaded and told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kivy.lang import Builder
from kivy.properties import BooleanProperty, NumericProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout

from companion import resources
from companion.games.base import Json, msg
from companion.table.ports import CardBox, Exported, History, Outcome, People, PictureKept, Snapshot, Story, Touched
from companion.ui.explaining import Explanation
from companion.ui.theme import look, t, u
from companion.ui.widgets import Pennant
from companion.ui.words import say

Answer = History | Story | Exported | PictureKept | Touched | CardBox | People
"""What the house tells the open screen."""

HEAD = msg("This line always says who does what now. The voice reads it, too.")
"""About the top bar."""

_loaded: set[str] = set()


def load_kv(name: str) -> None:
    """Load kv/<name>.kv, once."""
    if name not in _loaded:
        _loaded.add(name)
        Builder.load_file(str(resources.path("kv", f"{name}.kv")))


class TopBar(ButtonBehavior, BoxLayout):
    """One sentence says who does what now; the pennant shows whose matter it is.

    A touch reads it aloud. It grows for long words, and does not shrink again while its screen is open: nothing jumps
    from touch to touch.
    """

    sentence = StringProperty("")
    sub = StringProperty("")
    sub_tint = StringProperty("muted")
    seat = StringProperty("")
    has_menu = BooleanProperty(True)
    has_book = BooleanProperty(True)
    stacked = BooleanProperty(False)
    tool = NumericProperty(0)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.height = t(64) if look.wide else t(84)
        self._most = self.height * 1.7
        self._stack(self.height >= self._stack_high())
        for name in ("sentence", "sub", "width", "has_book"):
            self.fbind(name, self._share)

    def _stack(self, stacked: bool) -> None:
        self.stacked, self.tool = stacked, u(48 if stacked else 52)

    def _stack_high(self) -> float:
        """How high the bar has to be for the book above the menu."""
        return float(2 * u(48) + u(4) + self.padding[1] + self.padding[3])

    def explains(self, _x: float, _y: float) -> Explanation:
        """The whole sentence, and what it is for."""
        text = f"{self.sub} {say(HEAD)}" if self.sub else say(HEAD)
        return Explanation(self.sentence, text, seat=self.seat)

    def _share(self, *_: Any) -> None:
        """Give both lines the room that they need, and what is left by how much larger they want to be."""
        if self._room() < u(100):
            return
        if self.has_book and not self.stacked and self._needs() > max(self.height, self._stack_high()):
            # they stay so while the screen is open: nothing jumps from touch to touch
            self._stack(True)
        lines, room = (self.ids.sentence, self.ids.second), self._room()
        needs = [line.high(line.least, room) if line.text else 0 for line in lines]
        wants = [line.high(line.px, room) if line.text else 0 for line in lines]
        around = self.padding[1] + self.padding[3]
        least = self._stack_high() if self.stacked else 0
        self.height = max(self.height, least, min(sum(needs) + around, self._most))
        spare = self.height - around - sum(needs)
        for line, need, want in zip(lines, needs, wants, strict=True):
            line.size_hint_y = max(need + spare * (want - need) / max(sum(wants) - sum(needs), 1), 0.001)

    def _room(self) -> float:
        """How wide the words can be."""
        beside = self.tool if self.stacked or not self.has_book else 2 * self.tool + u(8)
        return float(self.width - self.padding[0] - self.padding[2] - self.spacing - beside)

    def _needs(self) -> float:
        """How high the bar has to be for the words as they are."""
        lines, room = (self.ids.sentence, self.ids.second), self._room()
        high = sum(line.high(line.least, room) for line in lines if line.text)
        return float(high + self.padding[1] + self.padding[3])


class Screen(FloatLayout):
    """A screen. `root` shows it, knows the table's last snapshot and sends requests."""

    name = ""
    bar = True
    has_book = True
    """Whether the rule book is one touch away; where one is in it already, it need not be."""

    def __init__(self, root: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.root = root
        self.column = BoxLayout(orientation="vertical", pos_hint={"x": 0, "y": 0})
        self.add_widget(self.column)
        if self.bar:
            self.head = TopBar()
            self.column.add_widget(self.head)
            self.head.ids.menu.bind(on_release=lambda *_: root.open_menu())
            self.head.bind(on_release=lambda head: root.say_aloud(*filter(None, (head.sentence, head.sub))))
            self.head.ids.book.bind(on_release=lambda *_: root.open("rulebook"))
            self.head.has_book = self.has_book
            self.pennant = Pennant(size_hint=(None, None), size=(u(72), u(78)))
            self.head.bind(pos=self._hang, size=self._hang, seat=self._hang)
            self.add_widget(self.pennant)
        self.body = self.make()
        self.column.add_widget(self.body)

    def _hang(self, *_: Any) -> None:
        self.pennant.seat = self.head.seat
        drop = u(78) - u(64)
        self.pennant.height = self.head.height + drop
        self.pennant.pos = (u(10), self.head.top - self.pennant.height)

    def make(self) -> Any:
        """The widget under the top bar; here an empty column, `middle`, that is filled later."""
        self.middle = BoxLayout(orientation="vertical")
        return self.middle

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        """The table has changed, or the screen has just been opened (outcome is None)."""

    def heard(self, what: Answer) -> None:
        """An answer of the house to what this screen asked, or a touch of a device while it listens."""

    @property
    def standing(self) -> Any:
        """What lies under the fingers on this screen now, where that changes: equal as long as it is the same.

        In the moment after a change touches do not count. What one touches again and again is no change.
        """
        return ()

    @property
    def given(self) -> Mapping[str, Any]:
        """What the door was given when it was opened (`root.open`)."""
        given: Mapping[str, Any] = self.root.flow.given
        return given

    def refused(self, outcome: Outcome) -> None:
        """The table said no, or the touch was too old: why stands in the line at the lower edge."""
        self.root.ember = outcome.messages

    def tell(self, sentence: str, sub: str = "", seat: str = "", tint: str = "muted") -> None:
        """Set the top bar."""
        self.head.sentence = sentence
        self.head.sub = sub
        self.head.seat = seat
        self.head.sub_tint = tint

    def leave(self) -> None:
        """The screen is being put away."""

    @property
    def view(self) -> Mapping[str, Json]:
        """The public state."""
        view: Mapping[str, Json] = self.root.now.view
        return view


class SetUpScreen(Screen):
    """A screen of a game that has not begun: no announcement tells what to do, so its top lines are read aloud."""

    def tell(self, sentence: str, sub: str = "", seat: str = "", tint: str = "muted") -> None:
        super().tell(sentence, sub, seat, tint)
        if look.wide and look.text == "huge":
            # what is under it needs the room; it is read aloud
            self.head.sub = ""
        self.root.read_aloud(sentence, sub)
