"""Scenes of the history and of a replay, for tests/screens.py. The evening in evening.txt is a whole game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion import texts
from companion.games.base import msg
from companion.games.sir_holland.state import Lock
from companion.table.ports import Abandon, Play, Reveal, Status
from companion.ui.screens.replay import ExportedSheet

Scene = Callable[[Any], None]
EVENING = Path(__file__).parent / "evening.txt"


def evening(house: Any) -> int:
    """The whole evening comes into the history; gives its number."""
    return texts.bring(house.store, texts.read(EVENING))


def filled(house: Any, more: int = 6) -> None:
    """A history with games over, open and given up."""
    evening(house)
    for n in range(more):
        seats = ("yellow", "green", "red")[: 2 + n % 2]
        house.begin(seats, {"yellow": "Maria Clara", "green": "Vó Cida", "red": "Red"}, gryphon="green")
        for seat in seats:
            house.send(Play(Lock(seat, 4)))
        house.send(Reveal())
        if n % 3 == 1:
            house.send(Abandon(house.table.number))
    house.engine._get_up()


def _history(s: Any, **given: Any) -> None:
    filled(s.house)
    s.settle()
    s.root.open("history", **given)


def _empty(s: Any) -> None:
    s.house.open()
    s.settle()
    s.root.open("history")


def _files(s: Any) -> None:
    evening(s.house)
    folder = s.house.engine._folder
    words_ = EVENING.read_text(encoding="utf-8")
    for number in (1, 3):
        texts.write(folder, number, "2025-11-29", words_)
    s.house.open()
    s.settle()
    s.root.open("history")
    s.settle()
    s.press("Bring a game in")


def _broken(s: Any) -> None:
    _files(s)
    why = msg("{figure:figure} stands on {at:square}, not on {start:square}: a way begins where it stands.",
              figure="red.1", at="a2", start="a3")  # fmt: skip
    line = msg('Line {line}, "{words}": {why:message}', line=27, words="red: 1 a3-a4; wizard c1-d1; end", why=why)
    s.house.say(Status("text", "disk", line))


def replay(at: str = "", lines: int = 0) -> Scene:
    """The evening, where a message that begins so is shown (in English), or after so many steps."""

    def scene(s: Any) -> None:
        number = evening(s.house)
        s.house.open()
        s.settle()
        s.root.open("replay", number=number, started="2025-11-29T20:15:00")
        s.settle()
        screen = s.root.screen
        wanted = lines
        if at:
            wanted = next(i for i, step in enumerate(screen.steps) if any(m.id.startswith(at) for m in step.messages))
        screen._seek(wanted if wanted >= 0 else len(screen.steps) + wanted)

    return scene


def _open_game(s: Any) -> None:
    filled(s.house, more=1)
    s.settle()
    s.root.open("replay", number=2, started="2025-11-29T20:15:00")
    s.settle()
    s.tap(s.root.screen.more)


def _give_up(s: Any) -> None:
    _open_game(s)
    s.settle()
    s.press("End it for good")


def _exported(s: Any) -> None:
    replay()(s)
    path = "/home/pi/.local/share/gryphon/games/2025-11-29-game-1.txt"
    s.root.open_sheet(ExportedSheet(s.root, path))


SCENES: dict[str, Scene] = {
    "15_history": _history, "15_history_page": lambda s: _history(s, first=4), "15_history_empty": _empty,
    "15_history_new": lambda s: _history(s, first=6, new=1), "15_history_files": _files, "15_history_broken": _broken,
    "16_replay": replay(), "16_replay_reveal": replay("{seat:seat} goes first"), "16_replay_turn": replay(lines=12),
    "16_replay_taken_back": replay("Taken back"), "16_replay_stands": replay("Against the rule"),
    "16_replay_put_right": replay("The gryphon is with"), "16_replay_seat": replay("{old} gives up"),
    "16_replay_end": replay(lines=-1), "16_replay_more": _open_game, "16_replay_give_up": _give_up,
    "16_replay_exported": _exported,
}  # fmt: skip
