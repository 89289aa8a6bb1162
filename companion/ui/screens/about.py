"""What this program is: version, licence, what it keeps and where, where its rules come from."""

from __future__ import annotations

from companion import __version__
from companion.games.base import Message, msg
from companion.table.ports import Outcome, Snapshot
from companion.ui.screens.base import Screen
from companion.ui.screens.choices import Pages, words_height
from companion.ui.theme import look, u
from companion.ui.widgets import Panel, Pic, Text
from companion.ui.words import _, say

PARTS: tuple[tuple[str, Message], ...] = (
    ("mark_about", msg("Gryphon {version}. Free software under the MIT licence. "
                       "Letters: Roboto (Apache 2.0) and Grenze (SIL OFL 1.1). Screen: Kivy (MIT).",
                       version=__version__)),
    ("mark_lock", msg("Games, names and settings stay on this device. The history writes a game as a text that you "
                      "can take with you.")),
    ("mark_book", msg("The rules follow the English rulebook, a Portuguese summary and the data of the box. "
                      "What they leave open is our reading, and says so.")),
    ("mark_touch", msg("Is the touch wrong? F9 on a keyboard starts the touch test. "
                       "So do five presses of one button on a panel while no game is open.")),
)  # fmt: skip
"""Picture and words."""


class About(Screen):
    """See above."""

    name = "about"

    def update(self, now: Snapshot | None, outcome: Outcome | None) -> None:
        self.tell("Gryphon", _("The companion of a game with real cards."))
        self.middle.clear_widgets()
        rows = [lambda art=art, text=text: _row(art, say(text)) for art, text in PARTS]
        self.middle.add_widget(Pages(self, rows, words_height(64 if look.wide else 100), self.root.back))


def _row(art: str, text: str) -> Panel:
    row = Panel(spacing=u(14))
    row.add_widget(Pic(art=art, tint="muted", size_hint_x=None, width=u(38)))
    row.add_widget(Text(text=text, px=19, least=13))
    return row
