"""Whether touch and picture agree: four corners and the middle, one after another, and what to change if they do not.

It can be reached where touch is wrong: by F9 on a keyboard (anywhere), and by five presses of one button of a panel
while no game is open. It ends by itself, by Escape, and its buttons answer to a wrong touch, too.
"""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.core.window import Window
from kivy.properties import ListProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout

from companion.games.base import Message, msg
from companion.table.ports import Outcome, Snapshot
from companion.ui.pen import Pen
from companion.ui.screens.base import Screen
from companion.ui.screens.choices import foot
from companion.ui.screens.sheets import button
from companion.ui.theme import c, look, t, u
from companion.ui.touchfit import Fit, Point, fit, moved
from companion.ui.widgets import BigButton, Drawn, Panel, Pic, Text
from companion.ui.words import _, say

PLACES = ((0.08, 0.1), (0.92, 0.1), (0.92, 0.9), (0.08, 0.9), (0.5, 0.5))
"""Of the targets on the picture, as shares from the lower left."""
PATIENCE = 30.0
"""Seconds without a touch after which it goes back: whoever cannot touch must not be caught here."""
READING = 180.0
"""The same while there is something to read."""

FOUND = {
    "agrees": msg("Touch and picture agree."),
    "turned_90": msg("The touch is turned: a quarter turn."),
    "turned_180": msg("The touch is turned: upside down."),
    "turned_270": msg("The touch is turned: three quarter turns."),
    "mirrored_x": msg("Left and right are swapped."),
    "mirrored_y": msg("Above and below are swapped."),
    "swapped": msg("Across and upwards are swapped."),
    "swapped_mirrored": msg("Across and upwards are swapped, and mirrored."),
    "stretched": msg("The touch is stretched or shifted."),
    "lost": msg("Your touches fit no pattern."),
}


class Targets(Drawn):
    """The circles, the bright one, and where the touches arrived."""

    spots = ListProperty([])
    arrived = ListProperty([])

    def watched(self) -> tuple[str, ...]:
        return ("spots", "arrived")

    def paint(self, pen: Pen) -> None:
        px, now = u(56), len(self.arrived)
        for i, (x, y) in enumerate(self.spots):
            if i == now:
                pen.disc(x, y, px, c("act"))
                pen.disc(x, y, px * 0.3, c("on_act"))
            else:
                pen.circle(x, y, px, c("ok" if i < now else "line"), u(3))
        for (x, y), (tx, ty) in zip(self.arrived, self.spots, strict=False):
            pen.line((tx, ty, x, y), c("refuse"), u(2))
            pen.disc(x, y, u(16), c("refuse"))


class TouchTest(Screen):
    """See above. `raw`: what the glass reported, as shares from its upper left corner; `result`: once there is one."""

    name = "touch_test"
    bar = False

    def make(self) -> Any:
        self.raw: list[Point] = []
        self.result: Fit | None = None
        self.page = FloatLayout()
        self.targets = Targets()
        self.says = BoxLayout(
            orientation="vertical", size_hint=(0.64 if look.wide else 0.94, None), height=t(56) + t(56)
        )
        self.says.pos_hint = {"center_x": 0.5, "center_y": 0.74}
        self.which = Text(px=24, least=15, halign="center", bold=True, size_hint_y=None, height=t(56))
        self.says.add_widget(self.which)
        wait = _("Nothing happens for a while? Then it goes back by itself.")
        self.says.add_widget(Text(text=wait, px=18, least=13, halign="center", tint="muted"))
        self.page.add_widget(self.targets)
        self.page.add_widget(self.says)
        self.page.bind(size=lambda *_: self._place(), pos=lambda *_: self._place())
        self._end = Clock.create_trigger(lambda dt: self.root.back(), PATIENCE)
        self._end()
        return self.page

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        if self.result is None:
            self._ask()

    def leave(self) -> None:
        self._end.cancel()

    def _place(self) -> None:
        page = self.page
        self.targets.spots = [(page.x + x * page.width, page.y + y * page.height) for x, y in PLACES]

    def _ask(self) -> None:
        n = len(self.raw)
        self.which.text = say(msg("Touch the bright circle: {n} of {last}.", n=n + 1, last=len(PLACES)))

    # --- touches ----------------------------------------------------------------------------------------------------

    def on_touch_down(self, touch: Any) -> bool:
        """Every touch counts, wherever it arrives."""
        self._end.cancel()
        self._end()
        if self.result is not None:
            return self._after(touch)
        self.raw.append((touch.sx, 1 - touch.sy))
        self.targets.arrived = [*self.targets.arrived, touch.pos]
        if len(self.raw) < len(PLACES):
            self._ask()
        else:
            self.result = fit([_raw_of(*self.to_window(*spot)) for spot in self.targets.spots], self.raw)
            self._tell(self.result)
        return True

    def _after(self, touch: Any) -> bool:
        """The buttons answer to where the finger is, also where the glass reports something else."""
        assert self.result is not None
        if self.result.name in ("agrees", "lost"):
            return bool(super().on_touch_down(touch))
        at = moved(self.result.matrix, (touch.sx, 1 - touch.sy))
        for made in self.buttons:
            left, low = made.to_window(*made.pos)
            right, top = made.to_window(made.right, made.top)
            places = [_raw_of(left, low), _raw_of(right, top)]
            if all(min(a, b) <= v <= max(a, b) for a, b, v in zip(*places, at, strict=True)):
                made.dispatch("on_release")
                break
        return True

    # --- what was found ---------------------------------------------------------------------------------------------

    def _tell(self, found: Fit, first: int = 0) -> None:
        """What was found, and what to do. With large letters there is room for one advice at a time."""
        self._end = _later(self._end, self.root.back)
        self.page.clear_widgets()
        self.page.add_widget(self.targets)
        good = found.name == "agrees"
        tint = "ok" if good else "refuse"
        panel = Panel(orientation="vertical", edge=tint, padding=u(14), spacing=u(8))
        panel.size_hint, panel.pos_hint = (0.74 if look.wide else 0.84, 0.78), {"center_x": 0.5, "center_y": 0.5}
        head = BoxLayout(spacing=u(10), size_hint_y=None, height=t(44))
        head.add_widget(Pic(art="mark_no" if not good else "mark_yes", tint=tint, size_hint_x=None, width=u(34)))
        head.add_widget(Text(text=say(FOUND[found.name]), px=24, least=15, bold=True))
        panel.add_widget(head)
        advice = [say(text) for text in self._advice(found)]
        at_once = len(advice) if look.scale < 1.1 else 1
        for text in advice[first : first + at_once]:
            panel.add_widget(Text(text=text, px=18, least=11, size_hint_y=1 + len(text) // 50))
        others = [button(_("Again"), self._again, px=20, least=13)]
        if len(advice) > at_once:
            after = (first + at_once) % len(advice)
            others.append(button(_("More"), lambda: self._tell(found, after), px=20, least=13))
        panel.add_widget(foot(self.root.back, *others))
        self.page.add_widget(panel)
        self.buttons = [w for w in panel.walk(restrict=True) if isinstance(w, BigButton)]

    def _advice(self, found: Fit) -> list[Message]:
        pixels = round(found.miss * max(Window.size))
        if found.name == "agrees":
            return [msg("The largest miss was {n} pixels. Nothing has to be changed.", n=pixels)]
        if found.name == "lost":
            return [msg("Perhaps a finger slipped. Try it again, in peace. If it stays so, look at the cable of the "
                        "screen, and whether another program takes the touches.")]  # fmt: skip
        rule = f'ENV{{ID_INPUT_TOUCHSCREEN}}=="1", ENV{{LIBINPUT_CALIBRATION_MATRIX}}="{found.numbers}"'
        told = [msg("Did the system turn the picture? Undo it there, and say rotate = 90, 180 or 270 under [screen] in "
                    "the file config.toml: that turns picture and touch together.")]  # fmt: skip
        if found.name == "stretched":
            told = [msg("It needs the matrix below.")]
        if found.overlay:
            told.append(msg("Or on a Raspberry Pi's own display, add to its overlay in config.txt: {text}",
                            text=",".join(found.overlay)))  # fmt: skip
        told.append(msg("Or under a desktop, as one line in /etc/udev/rules.d/99-touch.rules: {text}", text=rule))
        return told

    def _again(self) -> None:
        self.root.open("touch_test")


def _raw_of(x: float, y: float) -> Point:
    """A place of the window as a share of the glass itself, from the upper left: Kivy may have turned the window."""
    w, h = Window.size
    across, up = x / w, y / h
    sx, sy = {
        0: (across, up), 90: (1 - up, across), 180: (1 - across, 1 - up), 270: (up, 1 - across),
    }[Window.rotation]  # fmt: skip
    return sx, 1 - sy


def _later(before: Any, act: Any) -> Any:
    """The same with more time."""
    before.cancel()
    trigger = Clock.create_trigger(lambda dt: act(), READING)
    trigger()
    return trigger
