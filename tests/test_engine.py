"""The engine: one inbox, one table, announcers that cannot delay or break it."""

from __future__ import annotations

import queue
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.adapters.sqlite import Store, open_store
from companion.border import Border
from companion.engine import Engine
from companion.games.sir_holland import SirHolland
from companion.games.sir_holland.state import Lock
from companion.table.ports import (
    Announcement,
    Begin,
    Bind,
    Change,
    Home,
    Leave,
    NotSaved,
    Outcome,
    Play,
    Resume,
    Reveal,
    Status,
)
from hardware import signals

SEATS = ("red", "blue")
NAMES = {"red": "Ana", "blue": "Bruno"}


class Ears:
    """An announcer that keeps what it hears."""

    def __init__(self) -> None:
        self.heard: queue.SimpleQueue[Announcement] = queue.SimpleQueue()

    def announce(self, what: Announcement) -> None:
        self.heard.put(what)

    def wait(self, kind: type[Any], wanted: Callable[[Any], bool] = lambda what: True) -> Any:
        """The next announcement of that kind; fails after ten seconds."""
        while True:
            what = self.heard.get(timeout=10)
            if isinstance(what, kind) and wanted(what):
                return what


class Broken:
    """An announcer that always fails."""

    def announce(self, what: Announcement) -> None:
        raise RuntimeError("broken")


class House:
    def __init__(self, folder: Path) -> None:
        self.path = folder / "gryphon.sqlite3"
        self.ears = Ears()
        self.store: Store
        self.open()

    def open(self) -> None:
        self.store, lost = open_store(self.path)
        self.engine = Engine(self.store, Border(), [Broken(), self.ears], lost, Random(1))
        self.engine.start()
        self.home = self.ears.wait(Home)

    def close(self) -> None:
        self.engine.close()
        self.store.close()

    def begin(self) -> Outcome:
        self.engine.post(Begin(SirHolland.id, SEATS, NAMES, {"gryphon": "red"}))
        outcome: Outcome = self.ears.wait(Outcome)
        return outcome

    def ask(self, request: Any) -> Outcome:
        self.engine.post(request)
        outcome: Outcome = self.ears.wait(Outcome)
        return outcome


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    yield house
    house.close()


def test_a_broken_announcer_is_logged_and_the_others_hear(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """One announcer that fails takes nothing from the table."""
    assert house.begin().kind == "done"
    assert "Broken could not announce" in caplog.text


def test_the_last_lock_is_revealed_by_itself_after_the_hold(house: House) -> None:
    """ "All in. Reveal?": any confirmation, or the time that the setting says, plays it."""
    house.engine.post(Change({"hold": 0.05}))
    house.begin()
    house.ask(Play(Lock("red", 1)))
    assert house.ask(Play(Lock("blue", 2))).now.held == "blue"
    outcome = house.ears.wait(Outcome)
    assert outcome.now.view["phase"] == "resolve"


def test_a_confirmation_does_not_wait_for_the_hold(house: House) -> None:
    house.engine.post(Change({"hold": 3600}))
    house.begin()
    house.ask(Play(Lock("red", 1)))
    held = house.ask(Play(Lock("blue", 2))).now
    assert house.ask(Reveal(held.seen)).now.view["phase"] == "resolve"


def test_a_restart_opens_where_it_was_with_the_held_lock(house: House) -> None:
    """The plug is pulled while the last lock is held: the same question is asked again."""
    house.begin()
    house.engine.post(Change({"hold": 3600}))
    house.ask(Play(Lock("red", 1)))
    before = house.ask(Play(Lock("blue", 2))).now
    house.close()
    house.open()
    assert house.home.saved == before
    house.engine.post(Resume(house.home.number))
    assert house.ears.wait(Outcome).now == before


def test_leaving_keeps_the_game(house: House) -> None:
    opened = house.begin()
    house.engine.post(Leave())
    home = house.ears.wait(Home)
    assert home.saved == opened.now
    assert home.last_names == NAMES


def test_a_game_that_cannot_begin_says_why(house: House) -> None:
    house.engine.post(Begin(SirHolland.id, ("red",), {}, {}))
    status = house.ears.wait(Status, lambda s: s.message is not None)
    assert status.message.id == "The game is for 2 to 4 seats, not {n}."
    house.engine.post(Begin("chess", SEATS, {}, {}))
    assert house.ears.wait(Status, lambda s: s.message is not None).message.params == {"name": "chess"}
    assert house.begin().kind == "done"


def test_a_request_without_a_game_is_nothing(house: House) -> None:
    house.engine.post(Play(Lock("red", 1)))
    assert house.begin().kind == "done"


def test_a_fault_of_ours_does_not_end_the_thread(house: House, caplog: pytest.LogCaptureFixture) -> None:
    house.engine.post(object())
    assert house.begin().kind == "done"
    assert "could not be served: object" in caplog.text


def test_a_tag_is_bound_and_then_locks_in(house: House) -> None:
    """Unknown tag, bound on the screen, laid again: a lock."""
    house.begin()
    house.engine.hear(signals.BoardReady("b", "0.1", 1, 0))
    house.engine.hear(signals.TagOn("b/0", "04AA", False))
    status = house.ears.wait(Status, lambda s: s.kind == "tag")
    house.engine.post(Bind(status.data["uid"], "red", 3))
    house.ears.wait(Status, lambda s: s.kind == "tag" and s.message is None)
    house.engine.hear(signals.TagOff("b/0", "04AA", False))
    house.engine.hear(signals.TagOn("b/0", "04AA", False))
    assert house.ears.wait(Outcome).now.view["locked"] == ["red"]


def test_a_disk_that_cannot_write_is_told_and_play_goes_on_later(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing applied, nothing announced but "not saved"; the next try is a fresh one."""
    before = house.begin().now

    def full(number: int, entries: Any) -> None:
        raise NotSaved(SirHolland().term("seat", "red"))  # type: ignore[arg-type]  # any message will do

    with monkeypatch.context() as patch:
        patch.setattr(house.store, "append", full)
        outcome = house.ask(Play(Lock("red", 1)))
        assert outcome.kind == "not_saved"
        assert outcome.now == before
    assert house.ask(Play(Lock("red", 1))).kind == "done"


def test_a_finished_game_is_not_offered_again(house: House) -> None:
    """Once somebody has won, the next evening begins with a new game."""
    rng = Random(2)
    now = house.begin().now
    while not now.decision:
        now = house.ask(Reveal(now.seen) if now.held else Play(rng.choice(now.choices), now.seen)).now
    house.engine.post(Leave())
    assert house.ears.wait(Home).saved is None


def test_a_store_that_cannot_be_read_leaves_the_engine_alive(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreadable() -> None:
        raise NotSaved(SirHolland().term("seat", "red"))  # type: ignore[arg-type]  # any message will do

    with monkeypatch.context() as patch:
        patch.setattr(house.store, "last_unfinished", unreadable)
        house.engine.post(Leave())
        assert house.ears.wait(Status, lambda s: s.message is not None).kind == "disk"
    assert house.begin().kind == "done"


def test_a_held_lock_that_cannot_be_saved_is_tried_again_at_leisure(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reveal by itself is tried once a hold, not in a busy loop, and succeeds when there is room again."""
    house.begin()
    house.engine.post(Change({"hold": 0.2}))
    house.ask(Play(Lock("red", 1)))
    tries = []

    def full(number: int, entries: Any) -> None:
        tries.append(number)
        raise NotSaved(SirHolland().term("seat", "red"))  # type: ignore[arg-type]  # any message will do

    house.ask(Play(Lock("blue", 2)))
    with monkeypatch.context() as patch:
        patch.setattr(house.store, "append", full)
        for _ in range(2):
            assert house.ears.wait(Outcome).kind == "not_saved"
        assert len(tries) <= 3
    assert house.ears.wait(Outcome, lambda o: o.kind == "done").now.view["phase"] == "resolve"


def test_home_is_announced_though_the_disk_cannot_write(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that is over but not marked so, on a disk that is full: the start screen comes all the same."""
    rng = Random(2)
    now = house.begin().now

    def full(*_: Any) -> None:
        raise NotSaved(SirHolland().term("seat", "red"))  # type: ignore[arg-type]  # any message will do

    with monkeypatch.context() as patch:
        patch.setattr(house.store, "finish", full)
        while not now.decision:
            now = house.ask(Reveal(now.seen) if now.held else Play(rng.choice(now.choices), now.seen)).now
        house.engine.post(Leave())
        assert house.ears.wait(Home).saved is None


def test_names_that_cannot_be_kept_do_not_spoil_a_beginning(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise NotSaved(SirHolland().term("seat", "red"))  # type: ignore[arg-type]  # any message will do

    with monkeypatch.context() as patch:
        patch.setattr(house.store, "change", full)
        assert house.begin().kind == "done"
    assert house.ask(Play(Lock("red", 1))).kind == "done"


@pytest.mark.parametrize(
    "settings",
    [{"hold": 1e300}, {"hold": float("nan")}, {"hold": -1}, {"hold": "x"}, {"lang": "xx"}, {"voice": "yes"}, {"x": 1}],
)
def test_a_setting_that_cannot_be_is_refused(house: House, settings: dict[str, Any]) -> None:
    """Said in a sentence, and nothing is stored."""
    house.engine.post(Change(settings))
    assert house.ears.wait(Status, lambda s: s.message is not None).key == "house"
    assert house.store.settings() == {}


def test_two_programs_do_not_share_the_saved_games(house: House) -> None:
    """The second one says so, saves nothing, and can save once the first is gone."""
    code = (
        "import sys; from pathlib import Path; from companion.adapters.sqlite import open_store\n"
        "store, told = open_store(Path(sys.argv[1]))\n"
        "print(told)\n"
        "try:\n    store.change({'lang': 'pt'}); print('saved')\n"
        "except Exception as error: print(type(error).__name__)"
    )

    def another() -> str:
        program = [sys.executable, "-c", code, str(house.path)]
        return subprocess.run(program, capture_output=True, text=True, check=True, timeout=30).stdout

    told = another()
    assert "another program is using the saved games" in told
    assert told.splitlines()[-1] == "NotSaved"
    house.close()
    assert another().splitlines() == ["()", "saved"]
    house.open()
