"""What is plugged in: every reader and panel, whose it is, what to do where one is silent; doors to set them up."""

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
from companion.ui.screens.sheets import button
from companion.ui.theme import look, t, u
from companion.ui.widgets import Panel, Pic, Row, SeatMark, Text
from companion.ui.words import _, say

KINDS = {"readers": ("reader", msg("Reader {id}")), "panels": ("panel", msg("Panel {id}"))}
"""What the border lists -> its drawing, its name."""
DOORS = (("bind", "mark_bind", msg("Whose is whose")), ("teach", "mark_reader_ok", msg("Teach the cards")),
         ("device_test", "mark_touch", msg("Test")), ("wiring", "mark_wires", msg("Wiring")))  # fmt: skip
"""To set up: screen, picture, name."""


class Devices(Screen):
    """See above. given: `first`, where the list begins."""

    name = "devices"

    def make(self) -> Any:
        made = BoxLayout(orientation="vertical")
        made.add_widget(self._doors())
        made.add_widget(super().make())
        return made

    def _doors(self) -> BoxLayout:
        doors = [door for door in DOORS if self.root.has(door[0])]
        across = len(doors) if look.wide else 2
        high, gap = max(u(56), t(48)), u(8)
        lines = -(-len(doors) // across)
        rows = BoxLayout(orientation="vertical", spacing=gap, size_hint_y=None, padding=(u(8), u(20), u(8), 0))
        rows.height = lines * high + (lines - 1) * gap + u(20)
        for start in range(0, len(doors), across):
            row = Row()
            for name, art, text in doors[start : start + across]:
                row.add_widget(button(say(text), partial(self.root.open, name), icon=art, px=19, least=13))
            rows.add_widget(row)
        return rows

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        self.middle.clear_widgets()
        found = [(kind, device) for kind in KINDS for device in self.root.devices.get(kind, ())]
        if found:
            self._list(found)
        else:
            self.tell(_("I see no reader and no buttons."), _("Everything works by touch."))
            self.middle.add_widget(plug_in(self.root))

    def _list(self, found: list[tuple[str, Mapping[str, Any]]]) -> None:
        lost = sum(device["state"] != "ok" for _kind, device in found) + bool(self.root.no_sound)
        text = msg("All of it answers. Test shows whether it works.")
        if lost:
            text = msgn("{n} device is silent.", "{n} devices are silent.", n=lost)
        self.tell(_("What is plugged in?"), say(text), tint="refuse" if lost else "muted")
        rows: list[Callable[[], Panel]] = [partial(_row, kind, device) for kind, device in found]
        if self.root.no_sound:
            rows.append(lambda: _line("mark_quiet", "", _("Sound"), say(self.root.no_sound), well=False))
        pages = Pages(self, rows, words_height(58 if look.wide else 92), self.root.back, steady=look.wide)
        pages.padding[1] = u(8)
        self.middle.add_widget(pages)


def plug_in(root: Any) -> BoxLayout:
    """A page for whoever has nothing plugged in yet."""
    panel = Panel(orientation="vertical", padding=(u(14), u(6)))
    told = [
        ("mark_reader_ok", _("A reader board appears by itself. If not, try another cable: some carry power "
                             "only.")),
        ("mark_panel_ok", _("Buttons on the Pi's own pins: whoever set this table up has to name them first.")),
        ("mark_touch", _("Without both, everyone chooses here, behind a cover.")),
    ]  # fmt: skip
    if root.no_sound:
        told.append(("mark_quiet", say(root.no_sound)))
    for art, text in told:
        row = BoxLayout(spacing=u(14))
        row.add_widget(Pic(art=art, tint="muted", size_hint_x=None, width=u(36)))
        row.add_widget(Text(text=text, px=19, least=13))
        panel.add_widget(row)
    made = page(panel, foot(root.back))
    made.padding[1] = u(8)
    return made


def short(id: str) -> str:
    """A device's name as people compare it: the end of its board's id tells boards apart."""
    board, slash, number = id.rpartition("/")
    return f"…{board[-4:]}{slash}{number}" if len(board) > 8 and not board.startswith("/") else id


def _row(kind: str, device: Mapping[str, Any]) -> Panel:
    """A device: its picture, its seat, its name, and what is wrong with it."""
    art, name = KINDS[kind]
    well, seat = device["state"] == "ok", device["seat"]
    whose = words.name(seat) if seat else _("no seat yet")
    head = f"{whose} · {say(Message(name.id, {'id': short(device['id'])}))}"
    state = say(device["text"]) if device["text"] else _("it answers")
    return _line(f"mark_{art}_{'ok' if well else 'lost'}", seat or "", head, state, well)


def _line(art: str, seat: str, head: str, state: str, well: bool) -> Panel:
    row = Panel(spacing=u(12), edge="" if well else "refuse", ground="panel" if well else "refuse_bg")
    row.add_widget(Pic(art=art, tint="ok" if well else "refuse", size_hint_x=None, width=u(36)))
    row.add_widget(SeatMark(seat=seat, size_hint_x=None, width=u(40)))
    lines = BoxLayout(orientation="vertical")
    lines.add_widget(Text(text=head, px=19, least=13, bold=True, valign="bottom"))
    share = max(len(state) / max(len(head), 20), 0.8)
    if look.wide and not look.tight:
        # one line of each
        share = min(share, 1.2)
    tint = "muted" if well else "refuse"
    lines.add_widget(Text(text=state, px=17, least=12, tint=tint, valign="top", size_hint_y=share))
    row.add_widget(lines)
    return row
