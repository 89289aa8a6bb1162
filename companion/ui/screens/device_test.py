"""Test every device: a button lights its tile, a card its reader's; a touch of the screen shows each light in turn."""

from __future__ import annotations

from functools import partial
from typing import Any

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.games.base import msg, msgn
from companion.table.places import LIGHTS, rows, untouched
from companion.table.ports import Outcome, Snapshot, Touched
from companion.ui import words
from companion.ui.pen import Pen
from companion.ui.screens.choices import Pages, words_height
from companion.ui.screens.devices import plug_in, short
from companion.ui.screens.listening import Listening
from companion.ui.theme import c, look, u
from companion.ui.widgets import Drawn, Pic, SeatMark, Text, Touchable, fitted
from companion.ui.words import _, say

ASKS = {
    frozenset(("reader", "panel")): msg("Press every button, lay a card on every reader."),
    frozenset(("reader",)): msg("Lay a card on every reader."),
    frozenset(("panel",)): msg("Press every button."),
    frozenset(): msg("I see no reader and no buttons."),
}
"""What to do, by the kinds of devices that are there."""


class Tile(Drawn):
    """A button of a panel, or the place of a card: bright while it is touched, marked once it was."""

    text = StringProperty("")
    down = BooleanProperty(False)
    seen = BooleanProperty(False)

    def watched(self) -> tuple[str, ...]:
        return ("text", "down", "seen")

    def paint(self, pen: Pen) -> None:
        ground, edge, ink = ("act", "act", "on_act") if self.down else ("night", "ok" if self.seen else "line", "text")
        pen.box(self.x, self.y, self.width, self.height, c(ground), u(8))
        pen.frame(self.x, self.y, self.width, self.height, c(edge), u(2), u(8))
        made = fitted(self.text, 20, 14, self.width - u(6), self.height - u(6), self.down, "center")
        made.draw(pen, self.center_x - made.width / 2, self.center_y - made.height / 2, c(ink))
        if self.seen and not self.down:
            pen.pic("mark_yes", self.right - u(19), self.y + u(3), u(16), c("ok"))


class Device(Touchable):
    """A reader or panel with its tiles. A touch shows the next light at it, where its place has one."""

    about = msg("One of your devices. A short touch lights it up, so that you see which one it is.")

    def __init__(self, screen: Any, kind: str, row: Any) -> None:
        self.screen, self.kind, self.device = screen, kind, row["id"]
        super().__init__(orientation="horizontal" if look.wide else "vertical", padding=(u(10), u(6)), spacing=u(8))
        head = BoxLayout(spacing=u(8), size_hint_x=0.46 if look.wide else 1)
        well = row["state"] == "ok"
        art = "mark_wait" if well else f"mark_{kind}_lost"
        self.mark = Pic(art=art, tint="muted" if well else "refuse", size_hint_x=None, width=u(32))
        head.add_widget(self.mark)
        head.add_widget(SeatMark(seat=row["seat"] or "", size_hint_x=None, width=u(34)))
        lines = BoxLayout(orientation="vertical")
        whose = words.name(row["seat"]) if row["seat"] else _("no seat yet")
        lines.add_widget(Text(text=f"{whose} · {short(self.device)}", px=17, least=12, bold=True, valign="bottom"))
        self.off = not row["light"]
        light = _("No light") if self.off else _("Touch: its light")
        self.light = Text(text=light, px=16, least=12, tint="muted", valign="top")
        lines.add_widget(self.light)
        head.add_widget(lines)
        self.add_widget(head)
        tiles = BoxLayout(spacing=u(5))
        self.tiles = {}
        for number in range(1, row["buttons"] + 1) if kind == "panel" else (0,):
            tile = self.tiles[number] = Tile(text=str(number) if number else _("Lay a card"))
            tile.seen = (kind, self.device, number) in screen.seen
            tiles.add_widget(tile)
        self.add_widget(tiles)
        self.refresh()
        self.fbind("on_release", lambda *_: screen.next_light(self))

    def refresh(self) -> None:
        """Which tiles are touched, and which light is shown."""
        for number, tile in self.tiles.items():
            key = (self.kind, self.device, number)
            tile.down, tile.seen = key in self.screen.down, key in self.screen.seen
            if self.kind == "reader":
                tile.text = _("A card is here") if tile.down else _("Lay a card")
        if self.mark.art == "mark_wait" and (self.kind, self.device) in self.screen.worked:
            self.mark.art, self.mark.tint = f"mark_{self.kind}_ok", "ok"
        shown = self.screen.lights.get(self.device)
        if shown is not None and not self.off:
            self.light.text = say(LIGHTS[shown])


class DeviceTest(Listening):
    """See above. given: `first`, where the list begins."""

    name = "device_test"
    hears = "test"

    def make(self) -> Any:
        self.seen: set[tuple[str, str, int]] = self.kept("seen", set)
        self.lights: dict[str, str] = self.kept("lights", dict)
        self.down: set[tuple[str, str, int]] = set()
        return super().make()

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        there = rows(self.root.devices)
        self._head()
        self.middle.clear_widgets()
        if not there:
            self.middle.add_widget(plug_in(self.root))
            return
        made = [partial(Device, self, kind, row) for kind, row in there]
        self.middle.add_widget(Pages(self, made, words_height(66 if look.wide else 120), self.root.back, steady=True))

    @property
    def worked(self) -> set[tuple[str, str]]:
        """Kind and id of what was touched so far."""
        return {(kind, device) for kind, device, _button in self.seen}

    def _head(self) -> None:
        """What to do, and what is left of it."""
        there = rows(self.root.devices)
        ask = say(ASKS[frozenset(kind for kind, _row in there)])
        if not there:
            self._tell(ask, _("What you plug in appears here by itself."))
            return
        left = untouched(self.root.devices, self.worked)
        told = []
        if n := len(left["reader"]):
            told.append(msgn("{n} reader has seen no card yet.", "{n} readers have seen no card yet.", n=n))
        if n := len(left["panel"]):
            told.append(msgn("{n} panel was not pressed yet.", "{n} panels were not pressed yet.", n=n))
        if n := sum(row["state"] != "ok" for _kind, row in there):
            told.append(msgn("{n} device is silent.", "{n} devices are silent.", n=n))
        if told:
            self._tell(ask, " ".join(map(say, told)))
            return
        pins = self.root.devices.get("pins")
        self._tell(_("Each of them was seen to work."), say(pins) if pins else _("Nothing of it is played."), tint="ok")

    def _tell(self, sentence: str, sub: str, tint: str = "muted") -> None:
        if (sentence, sub) != (self.head.sentence, self.head.sub):  # it may be read aloud
            self.tell(sentence, sub, tint=tint)

    def touched(self, touch: Touched) -> None:
        key = (touch.kind, touch.device, touch.button)
        if touch.down:
            self.seen.add(key)
            self.down.add(key)
        else:
            self.down.discard(key)
        if touch.kind == "reader":
            self._light(touch.device, "find" if touch.down else "off")
        self._refresh()

    def next_light(self, row: Device) -> None:
        """The next of all the lights, at that device."""
        patterns = list(LIGHTS)
        at = patterns.index(self.lights.get(row.device, patterns[-1]))
        self._light(row.device, patterns[(at + 1) % len(patterns)])
        self._refresh()

    def _light(self, device: str, pattern: str) -> None:
        self.lights[device] = pattern
        self.show(device, pattern)

    def _refresh(self) -> None:
        self._head()
        for widget in self.middle.walk(restrict=True):
            if isinstance(widget, Device):
                widget.refresh()

