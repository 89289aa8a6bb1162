"""What is plugged in: every reader and panel, whose it is, and what to do where one is silent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.games.base import Message, msg, msgn
from companion.table.ports import Outcome, Snapshot
from companion.ui import words
from companion.ui.screens.base import Screen
from companion.ui.screens.choices import foot, page
from companion.ui.screens.sheets import button
from companion.ui.theme import look, t, u
from companion.ui.widgets import Panel, Pic, SeatMark, Text
from companion.ui.words import _, say

KINDS = {"readers": ("reader", msg("Reader {id}")), "panels": ("panel", msg("Panel {id}"))}
"""What the border lists -> its drawing, its name."""
ROW = 72


class Devices(Screen):
    """See above. given: `first`, where the list begins."""

    name = "devices"

    def make(self) -> Any:
        self.middle = BoxLayout(orientation="vertical")
        return self.middle

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        self.middle.clear_widgets()
        found = [(kind, device) for kind in KINDS for device in self.root.devices.get(kind, ())]
        if found:
            self._list(found)
        else:
            self._nothing()

    def _list(self, found: list[tuple[str, Mapping[str, Any]]]) -> None:
        lost = sum(device["state"] != "ok" for _kind, device in found)
        text = msgn("{n} device is silent.", "{n} devices are silent.", n=lost) if lost else msg("All is well.")
        self.tell(_("What is plugged in?"), say(text), tint="refuse" if lost else "muted")
        per_page = _per_page()
        first = min(self.given.get("first", 0), (len(found) - 1) // per_page * per_page)
        rows: list[Any] = [_row(*one) for one in found[first : first + per_page]]
        rows += [Widget() for _missing in range(per_page - len(rows))]
        turn = []
        if len(found) > per_page:
            turn = [
                button(_("Back"), lambda: self.root.open("devices", first=first - per_page), off=first == 0),
                button(_("More"), lambda: self.root.open("devices", first=first + per_page),
                       off=first + per_page >= len(found)),
            ]  # fmt: skip
        self.middle.add_widget(page(*rows, foot(self.root.back, *turn)))

    def _nothing(self) -> None:
        self.tell(_("Nothing is plugged in."), _("Everything works by touch."))
        panel = Panel(orientation="vertical", padding=u(18))
        for art, text in (
            ("mark_reader_ok", _("Plug in a reader board: it appears here by itself, and each reader goes to a seat.")),
            ("mark_panel_ok", _("Buttons on the Pi's own pins have to be named in the file config.toml first.")),
            ("mark_touch", _("Without both, everyone chooses here, behind a cover.")),
        ):
            row = BoxLayout(spacing=u(14))
            row.add_widget(Pic(art=art, tint="muted", size_hint_x=None, width=u(40)))
            row.add_widget(Text(text=text, px=20, least=14))
            panel.add_widget(row)
        self.middle.add_widget(page(panel, foot(self.root.back)))


def _row(kind: str, device: Mapping[str, Any]) -> Panel:
    """A device: its picture, its seat, its name, and what is wrong with it."""
    art, name = KINDS[kind]
    well, seat = device["state"] == "ok", device["seat"]
    row = Panel(spacing=u(12), edge="" if well else "refuse", ground="panel" if well else "refuse_bg")
    picture = f"mark_{art}_{'ok' if well else 'lost'}"
    row.add_widget(Pic(art=picture, tint="ok" if well else "refuse", size_hint_x=None, width=u(36)))
    row.add_widget(SeatMark(seat=seat or "", size_hint_x=None, width=u(40)))
    lines = BoxLayout(orientation="vertical")
    whose = words.name(seat) if seat else _("no seat yet")
    lines.add_widget(Text(text=f"{whose} · {say(Message(name.id, {'id': device['id']}))}", px=19, least=13, bold=True,
                          valign="bottom"))  # fmt: skip
    state = say(device["text"]) if device["text"] else _("ready")
    lines.add_widget(Text(text=state, px=17, least=12, tint="muted" if well else "refuse", valign="top"))
    row.add_widget(lines)
    return row


def _per_page() -> int:
    bar = u(64) if look.wide else u(94)
    room = look.height - bar - u(20) - u(8) - t(60) - u(8)
    return max(2, int(room // (t(ROW) + u(8))))
