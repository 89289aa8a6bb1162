"""The wiring: a list of pictures, each near or as a whole (near, a finger moves it), and a list of its pins."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from kivy.core.image import Image as CoreImage
from kivy.graphics import Color, Rectangle, ScissorPop, ScissorPush
from kivy.uix.widget import Widget

from companion import resources
from companion.games.base import Message, msg
from companion.table.ports import Outcome, Snapshot
from companion.ui.screens.base import Screen
from companion.ui.screens.choices import Pages, foot, page
from companion.ui.screens.sheets import button
from companion.ui.theme import look, t, u
from companion.ui.widgets import Panel, Text
from companion.ui.words import _, language, say

PICTURES: dict[str, Message] = {
    "four-rc522": msg("Four RC522 readers on one Pico"), "four-pn532": msg("Four PN532 readers on one Pico"),
    "one-pn532-usb": msg("One PN532 on a USB adapter"), "pi-matrix": msg("Buttons of four seats: matrix"),
    "pi-direct": msg("Buttons of three seats: direct"), "pi-lamps": msg("Lamps and a buzzer on the Pi"),
}  # fmt: skip
"""Pictures of kv/wiring, in the order in which one builds."""
FOLDER = resources.path("kv", "wiring")
NEAR = 0.85
"""How large a pixel of a picture is near, on a screen of 480 lines: its smallest words can be read."""


def file(name: str, lang: str, kind: str = "png") -> Path:
    """A picture in that language, or its list of pins (`json`), else in English."""
    path = FOLDER / lang / f"{name}.{kind}"
    return path if path.exists() else FOLDER / f"{name}.{kind}"


def pins(name: str, lang: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """The parts of a wiring with their pins, and where the wire of each goes."""
    return [(part, [(own, far) for own, far in rows])
            for part, rows in json.loads(file(name, lang, "json").read_text(encoding="utf-8"))]  # fmt: skip


class Picture(Widget):
    """A picture, near from its upper left corner on; whole once it is touched, then near again around that place."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.texture = CoreImage(str(file(name, language())), mipmap=True).texture
        self.near = True
        self.at = (0.0, 1.0)
        self._moved = False
        with self.canvas:
            self._scissor = ScissorPush()
            Color(1, 1, 1)
            self._picture = Rectangle(texture=self.texture)
            ScissorPop()
        self.bind(pos=self._place, size=self._place)

    @property
    def whole(self) -> float:
        """How large a pixel is when all of it is seen."""
        return float(min(self.width / self.texture.width, self.height / self.texture.height))

    def _place(self, *_: Any) -> None:
        """The share `at` of the picture in the middle, but never past its edges."""
        if min(self.size) < 1:
            return
        scale = max(self.whole, NEAR * max(u(1), 0.5)) if self.near else self.whole
        w, h = self.texture.width * scale, self.texture.height * scale
        x, y = self.center_x - w * self.at[0], self.center_y - h * self.at[1]
        x = self.center_x - w / 2 if w <= self.width else min(self.x, max(x, self.right - w))
        y = self.center_y - h / 2 if h <= self.height else min(self.y, max(y, self.top - h))
        self._picture.pos, self._picture.size = (x, y), (w, h)
        self.at = ((self.center_x - x) / w, (self.center_y - y) / h)
        left, low = self.to_window(self.x, self.y)
        right, top = self.to_window(self.right, self.top)
        self._scissor.pos = (round(min(left, right)), round(min(low, top)))
        self._scissor.size = (round(abs(right - left)), round(abs(top - low)))

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos):
            return False
        touch.grab(self)
        self._moved = False
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is not self or not self.near:
            return False
        if not self._moved and max(abs(touch.x - touch.ox), abs(touch.y - touch.oy)) < u(8):
            return True
        self._moved = True
        w, h = self._picture.size
        self.at = (self.at[0] - touch.dx / w, self.at[1] - touch.dy / h)
        self._place()
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        if not self._moved and self.collide_point(*touch.pos):
            (x, y), (w, h) = self._picture.pos, self._picture.size
            self.at = ((touch.x - x) / w, (touch.y - y) / h)
            self.near = not self.near
            self._place()
        return True


def _pin_row(own: str, far: str) -> Panel:
    row = Panel(spacing=u(10), padding=(u(12), u(2)))
    row.add_widget(Text(text=own, px=19, least=12, bold=True))
    row.add_widget(Text(text=far, px=19, least=12, size_hint_x=1.3))
    return row


def _part_row(title: str) -> Panel:
    row = Panel(ground="", padding=(u(2), u(2)))
    row.add_widget(Text(text=title, px=21, least=13, bold=True, valign="bottom", tint="act"))
    return row


class Wiring(Screen):
    """See above. given: `picture`, which one; `pins`: whether as a list."""

    name = "wiring"

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        if self.middle.children:
            return
        shown = self.given.get("picture")
        if shown in PICTURES:
            if self.given.get("pins"):
                self._pins(shown)
                return
            self.tell(say(PICTURES[shown]), _("A finger moves it. Touch it: all of it, and near again."))
            self.picture = Picture(shown)
            as_list = partial(self.root.open, "wiring", picture=shown, pins=True)
            listed = button(_("List of the pins"), as_list, least=13)
            self.middle.add_widget(page(self.picture, foot(self._list, listed, text=_("Back"))))
            return
        self.tell(_("What do you want to wire?"), _("A picture of each, and a list of its pins."))
        made = [partial(button, say(text), partial(self._open, name), least=13) for name, text in PICTURES.items()]
        across = 2 if look.wide else 1
        self.middle.add_widget(Pages(self, made, max(u(64), t(52)), self.root.back, across=across))

    def _pins(self, name: str) -> None:
        """Pin by pin, one under the other."""
        self.tell(say(PICTURES[name]), _("Each pin, and where its wire goes."))
        rows: list[Callable[[], Panel]] = []
        for title, wires in pins(name, language()):
            rows.append(partial(_part_row, title))
            rows += [partial(_pin_row, own, far) for own, far in wires]
        self.middle.add_widget(Pages(self, rows, max(u(44), t(36)), partial(self._open, name)))

    def _open(self, name: str) -> None:
        self.root.open("wiring", picture=name)

    def _list(self) -> None:
        self.root.open("wiring")
