"""What is plugged in: every reader and panel, whose it is, and what to do where one is silent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from kivy.uix.boxlayout import BoxLayout

from companion.games.base import Message, msg, msgn
from companion.table.ports import Outcome, Snapshot
from companion.ui import words
from companion.ui.screens.base import Screen
from companion.ui.screens.choices import Pages, foot, page, words_height
from companion.ui.theme import look, u
from companion.ui.widgets import Panel, Pic, SeatMark, Text
from companion.ui.words import _, say

KINDS = {"readers": ("reader", msg("Reader {id}")), "panels": ("panel", msg("Panel {id}"))}
"""What the border lists -> its drawing, its name."""


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
        lost = sum(device["state"] != "ok" for _kind, device in found) + bool(self.root.no_sound)
        text = msgn("{n} device is silent.", "{n} devices are silent.", n=lost) if lost else msg("All is well.")
        self.tell(_("What is plugged in?"), say(text), tint="refuse" if lost else "muted")
        rows: list[Callable[[], Panel]] = [partial(_row, kind, device) for kind, device in found]
        if self.root.no_sound:
            rows.append(lambda: _line("mark_quiet", "", _("Sound"), say(self.root.no_sound), well=False))
        self.middle.add_widget(Pages(self, rows, words_height(60 if look.wide else 92), self.root.back))

    def _nothing(self) -> None:
        self.tell(_("Nothing is plugged in."), _("Everything works by touch."))
        panel = Panel(orientation="vertical", padding=u(18))
        told = [
            ("mark_reader_ok", _("Plug in a reader board: it appears here by itself, and each reader goes to a seat.")),
            ("mark_panel_ok", _("Buttons on the Pi's own pins have to be named in the file config.toml first.")),
            ("mark_touch", _("Without both, everyone chooses here, behind a cover.")),
        ]
        if self.root.no_sound:
            told.append(("mark_quiet", say(self.root.no_sound)))
        for art, text in told:
            row = BoxLayout(spacing=u(14))
            row.add_widget(Pic(art=art, tint="muted", size_hint_x=None, width=u(40)))
            row.add_widget(Text(text=text, px=20, least=14))
            panel.add_widget(row)
        self.middle.add_widget(page(panel, foot(self.root.back)))


def _row(kind: str, device: Mapping[str, Any]) -> Panel:
    """A device: its picture, its seat, its name, and what is wrong with it."""
    art, name = KINDS[kind]
    well, seat = device["state"] == "ok", device["seat"]
    whose = words.name(seat) if seat else _("no seat yet")
    head = f"{whose} · {say(Message(name.id, {'id': device['id']}))}"
    state = say(device["text"]) if device["text"] else _("ready")
    return _line(f"mark_{art}_{'ok' if well else 'lost'}", seat or "", head, state, well)


def _line(art: str, seat: str, head: str, state: str, well: bool) -> Panel:
    row = Panel(spacing=u(12), edge="" if well else "refuse", ground="panel" if well else "refuse_bg")
    row.add_widget(Pic(art=art, tint="ok" if well else "refuse", size_hint_x=None, width=u(36)))
    row.add_widget(SeatMark(seat=seat, size_hint_x=None, width=u(40)))
    lines = BoxLayout(orientation="vertical")
    lines.add_widget(Text(text=head, px=19, least=13, bold=True, valign="bottom"))
    share = max(len(state) / max(len(head), 20), 0.8)
    tint = "muted" if well else "refuse"
    lines.add_widget(Text(text=state, px=17, least=12, tint=tint, valign="top", size_hint_y=share))
    row.add_widget(lines)
    return row
