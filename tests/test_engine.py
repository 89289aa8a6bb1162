"""The engine: one inbox, one table, announcers that cannot delay or break it."""

from __future__ import annotations

import itertools
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion import engine
from companion.adapters.sqlite import Store, open_store
from companion.border import Border, device_row
from companion.engine import Engine
from companion.games.base import msg
from companion.games.sir_holland import SirHolland
from companion.games.sir_holland.state import Lock, Move
from companion.table.ports import (
    Abandon,
    Announcement,
    Begin,
    Bind,
    Branch,
    Change,
    Hand,
    History,
    Home,
    Insist,
    Leave,
    ListGames,
    NotSaved,
    Outcome,
    Play,
    Resume,
    Reveal,
    SayThis,
    Shown,
    Status,
    Story,
    TellGame,
)
from companion.wording import Wording
from hardware import signals

SEATS = ("red", "blue")
NAMES = {"red": "Ana", "blue": "Bruno"}
NOTHING = msg("the disk is full.")
WORDS = Wording("en", SirHolland().term, NAMES)


class Lamps:
    """Devices that note what they are told."""

    def __init__(self, shown: list[Any]) -> None:
        self.shown = shown

    def light(self, place: str, pattern: str) -> None:
        self.shown.append(("light", place, pattern))

    def sound(self, place: str, name: str) -> None:
        self.shown.append(("sound", place, name))


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

    def left(self) -> list[Announcement]:
        """What has been heard and not waited for."""
        return [self.heard.get() for _ in range(self.heard.qsize())]


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
        self.border = Border()
        self.engine = Engine(self.store, self.border, [Broken(), self.ears], lost, Random(1))
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


class Timed:
    """A house without a thread, at a clock that the test turns, with the last lock held at second 0."""

    def __init__(self, folder: Path, screen: bool, hold: float = 3.0) -> None:
        self.now = 0.0
        self.store, _ = open_store(folder / "gryphon.sqlite3")
        self.engine = Engine(self.store, Border(), rng=Random(1), clock=lambda: self.now)
        self.heard: list[Any] = []
        self.engine.add(self, screen=screen)
        self.engine._open()
        self.engine.serve(Change({"hold": hold}))
        self.engine.serve(Begin(SirHolland.id, SEATS, NAMES, {"gryphon": "red"}))
        for seat in SEATS:
            self.ask(Play(Lock(seat, 4)))

    def announce(self, what: Any) -> None:
        self.heard.append(what)

    def ask(self, request: Any) -> Any:
        self.engine.serve(request)
        return self.heard[-1]


@pytest.fixture
def timed(tmp_path: Path) -> Iterator[Callable[..., Timed]]:
    made: list[Timed] = []

    def make(*args: Any) -> Timed:
        made.append(Timed(tmp_path, *args))
        return made[-1]

    yield make
    for each in made:
        each.store.close()


def test_without_a_screen_the_time_runs_at_once(timed: Callable[..., Timed]) -> None:
    assert timed(False).engine._due() == 3.0


def test_with_a_screen_it_runs_once_people_can_see_it_and_at_the_latest_a_second_later(
    timed: Callable[..., Timed],
) -> None:
    house = timed(True)
    held = house.heard[-1].now
    assert (held.held, held.hold, house.engine._due()) == ("blue", 3.0, 4.0)
    house.now = 0.4
    house.ask(Shown(held.seq - 1))
    assert house.engine._due() == 4.0, "that was the screen of another question"
    house.ask(Shown(held.seq))
    assert house.engine._due() == 3.4
    house.now = 1.5
    house.ask(Shown(held.seq))
    assert house.engine._due() == 3.4, "drawn once more"
    assert house.ask(Play(Lock("blue", 4))).now.seq > held.seq
    assert house.engine._due() == 5.5, "everyone has the whole time again"
    house.now = 9.0
    house.ask(Shown(house.heard[-1].now.seq))
    assert house.engine._due() == 5.5


def test_at_once_waits_for_no_screen(timed: Callable[..., Timed]) -> None:
    house = timed(True, 0.0)
    assert (house.heard[-1].now.hold, house.engine._due()) == (0.0, 0.0)


def test_a_word_of_the_screen_with_nothing_held_is_nothing(timed: Callable[..., Timed]) -> None:
    house = timed(True)
    revealed = house.ask(Reveal()).now
    assert revealed.hold == 0.0
    house.ask(Shown(revealed.seq))
    assert house.engine._due() is None


def test_the_time_that_is_changed_meanwhile_counts(timed: Callable[..., Timed]) -> None:
    house = timed(False)
    house.ask(Change({"hold": 10.0}))
    assert house.engine._due() == 10.0
    assert house.engine._table.snapshot().hold == 10.0  # type: ignore[union-attr]


def test_a_row_of_signals_without_a_gap_does_not_put_the_reveal_off(house: House) -> None:
    """What is due is done before what came after it."""
    house.engine.post(Change({"hold": 0.2}))
    house.begin()
    for seat in SEATS:
        house.ask(Play(Lock(seat, 4)))
    gone = threading.Event()

    def talk() -> None:
        while not gone.wait(0.001):
            house.engine.hear(signals.Health("b/0", "ok"))

    talker = threading.Thread(target=talk)
    talker.start()
    try:
        assert house.ears.wait(Outcome).now.view["phase"] == "resolve"
    finally:
        gone.set()
        talker.join()


def test_after_a_restart_the_question_is_told_once(house: House) -> None:
    """It is the task of every seat."""
    house.engine.post(Change({"hold": 3600}))
    house.begin()
    for seat in SEATS:
        house.ask(Play(Lock(seat, 4)))
    house.close()
    house.open()
    house.engine.post(Resume(house.home.number))
    assert [WORDS(m) for m in house.ears.wait(Outcome).messages] == ["All cards are in. Reveal them?"]


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


def test_what_was_not_saved_is_named_and_over_with_the_next_thing_that_is(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.begin()

    def full(*_: Any) -> None:
        raise NotSaved(NOTHING)

    def trouble() -> Any:
        return house.ears.wait(Status, lambda s: s.kind == "disk").message

    for write in (lambda: house.engine.post(Change({"hold": 1})), lambda: house.engine.post(Play(Lock("red", 1)))):
        with monkeypatch.context() as patch:
            patch.setattr(house.store, "abandon", full)
            house.engine.post(Abandon(1))
            assert trouble() == msg("The game has not ended: {why:message}", why=NOTHING)
        write()
        assert trouble() is None


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
    """The reveal by itself is tried now and then, told once, and succeeds when there is room again."""
    monkeypatch.setattr(engine, "RETRY", 0.2)
    house.begin()
    house.engine.post(Change({"hold": 0.2}))
    house.ask(Play(Lock("red", 1)))
    tries = []

    def full(number: int, entries: Any) -> None:
        tries.append(number)
        raise NotSaved(NOTHING)

    house.ask(Play(Lock("blue", 2)))
    with monkeypatch.context() as patch:
        patch.setattr(house.store, "append", full)
        assert house.ears.wait(Outcome).kind == "not_saved"
        time.sleep(0.9)
        assert 2 <= len(tries) <= 5
        assert not any(isinstance(what, Outcome) for what in house.ears.left()), "it is told once"
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
    [
        {"hold": 1e+300}, {"hold": float("nan")}, {"hold": -1}, {"hold": "x"}, {"lang": "xx"}, {"voice": "yes"},
        {"x": 1}, {"theme": "pink"}, {"text": 2}, {"still": 1}, {"facing": 45}, {"facing": True}, {"facing": 90.0},
        {"follow": None}, {"mode": "mild"}, {"mode": ["coach"]}, {"sleep": -1}, {"sleep": 1000000000.0},
        {"sleep": True}, {"last_names": {"red": 1}}, {"last_names": []}, {"last_names": {"red": "x" * 41}},
        {"house_rules": []}, {"house_rules": {"x": "on"}}, {"house_rules": {"rope_down": True}},
        {"house_rules": {"fall_distance": "1"}}, {"theme": "dark", "mode": "mild"},
    ],
)  # fmt: skip
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


GOOD = {
    "lang": "pt", "voice": False, "hold": 5, "theme": "contrast", "text": "huge", "still": True, "facing": 270,
    "follow": True, "mode": "silent", "sleep": 10, "last_names": {"red": "Ana"},
    "house_rules": {"rope_down": "on", "fall_distance": 2},
}  # fmt: skip


def test_every_setting_is_kept_and_told_and_home_tells_it_again(house: House) -> None:
    house.engine.post(Change(GOOD))
    assert house.ears.wait(Status, lambda s: s.kind == "setting").data == GOOD
    house.close()
    house.open()
    assert house.home.settings == GOOD


def test_settings_that_another_version_left_behind_are_as_if_never_set(house: House) -> None:
    house.store.change({"mode": "merciless", "theme": 7, "wallpaper": "stone", "hold": "long", "text": "large"})
    house.store.change({"lang": "de", "devices": {"gpio/0": ["red"]}})
    house.close()
    house.open()
    assert house.home.settings == {"text": "large"}
    assert house.begin().now.mode == "coach"


def test_the_house_rules_of_the_settings_are_for_whoever_begins_a_game(house: House) -> None:
    """They are a wish for the next game; a game takes what it is begun with."""
    house.engine.post(Change({"house_rules": {"rope_down": "on"}}))
    assert house.begin().now.view["rules"] == {}


def test_sentences_of_a_screen_are_announced(house: House) -> None:
    house.engine.post(SayThis((NOTHING,)))
    assert house.ears.wait(SayThis).messages == (NOTHING,)


# --- the referee ------------------------------------------------------------------------------------------------


def test_the_setting_for_the_referee_holds_at_once_and_for_every_table(house: House) -> None:
    house.begin()
    house.engine.post(Change({"mode": "strict"}))
    outcome = house.ears.wait(Outcome)
    assert (outcome.kind, outcome.now.mode) == ("nothing", "strict")
    assert house.begin().now.mode == "strict"
    house.close()
    house.open()
    assert house.home.saved.mode == "strict"
    house.engine.post(Resume(house.home.number))
    assert house.ears.wait(Outcome).now.mode == "strict"


def test_a_change_of_something_else_says_nothing_of_the_table(house: House) -> None:
    house.begin()
    house.engine.post(Change({"theme": "light"}))
    assert house.ask(Play(Lock("red", 1))).kind == "done"


# --- seats ------------------------------------------------------------------------------------------------------


def test_a_seat_is_handed_on_and_stays_so_after_a_restart(house: House) -> None:
    house.begin()
    house.ask(Play(Lock("blue", 2)))
    outcome = house.ask(Hand("blue", "Caio"))
    assert outcome.now.names == {"red": "Ana", "blue": "Caio"}
    assert outcome.now.view["locked"] == []
    house.ask(Hand("red", ""))
    house.close()
    house.open()
    assert house.home.saved.names == {"blue": "Caio"}
    assert house.home.saved.free == ("red",)


# --- history ----------------------------------------------------------------------------------------------------


def play_to_the_end(house: House, seed: int = 2) -> Any:
    rng = Random(seed)
    now = house.begin().now
    while not now.decision:
        now = house.ask(Reveal(now.seen) if now.held else Play(rng.choice(now.choices), now.seen)).now
    return now


def listed(house: House) -> list[Any]:
    house.engine.post(ListGames())
    return list(house.ears.wait(History).games)


def test_the_history_of_an_empty_house(house: House) -> None:
    assert listed(house) == []


def test_open_over_and_abandoned_games(house: House) -> None:
    over = play_to_the_end(house)
    house.begin()
    house.engine.post(Abandon(2))
    assert house.ears.wait(Home).saved is None
    house.begin()
    house.ask(Hand("blue", "Caio"))
    games = listed(house)
    assert [(g.number, g.state, g.round, g.winner) for g in games] == [
        (3, "open", 1, None),
        (2, "abandoned", 1, None),
        (1, "over", over.view["round"], over.view["result"]["winner"]),
    ]
    assert games[0].names == {"red": "Ana", "blue": "Caio"}
    assert games[1].names == NAMES
    started = datetime.fromisoformat(games[0].started)
    assert started.utcoffset() == datetime.now().astimezone().utcoffset(), "local time"
    assert abs(datetime.now().astimezone() - started) < timedelta(minutes=1)


def test_an_abandoned_game_closes_and_the_one_before_it_is_offered(house: House) -> None:
    first = house.begin().now
    second = house.begin().now
    assert (first.number, second.number) == (1, 2)
    house.engine.post(Abandon(2))
    home = house.ears.wait(Home)
    assert (home.number, home.saved) == (1, first)
    assert [g.state for g in house.ears.wait(History).games] == ["abandoned", "open"]
    house.engine.post(Play(Lock("red", 1)))
    house.engine.post(Resume(2))
    assert house.ears.wait(Outcome).now == second, "nothing was locked in, for no game was open"
    assert [g.state for g in listed(house)] == ["open", "open"]
    house.close()
    house.open()
    assert house.home.number == 2


def test_another_game_is_abandoned_while_one_is_played(house: House) -> None:
    house.begin()
    house.begin()
    house.engine.post(Abandon(1))
    assert [g.state for g in house.ears.wait(History).games] == ["open", "abandoned"]
    assert house.ask(Play(Lock("red", 1))).kind == "done"


def test_a_game_that_is_over_stays_over(house: House) -> None:
    play_to_the_end(house)
    house.engine.post(Abandon(1))
    assert [g.state for g in house.ears.wait(History).games] == ["over"]


def test_there_is_no_such_game(house: House) -> None:
    for request in (Abandon(7), TellGame(7), Branch(7, 1), Resume(7)):
        house.engine.post(request)
        status = house.ears.wait(Status, lambda s: s.message is not None)
        message = status.message.params.get("why", status.message)
        assert message.params == {"n": 7}, request
    assert house.begin().kind == "done"


def test_a_history_that_was_worked_out_is_not_worked_out_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.begin()
    house.begin()
    asked: list[int] = []
    record = house.store.record

    def counting(number: int) -> Any:
        asked.append(number)
        return record(number)

    monkeypatch.setattr(house.store, "record", counting)
    first = listed(house)
    assert sorted(asked) == [1, 2]
    house.ask(Play(Lock("red", 1)))
    assert listed(house) == first
    assert sorted(asked) == [1, 2, 2], "only the one that has gone on"
    house.close()
    house.open()
    asked.clear()
    monkeypatch.setattr(house.store, "record", counting)
    assert listed(house) == first
    assert asked == []


def test_the_history_is_there_though_the_disk_cannot_write(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.begin()

    def full(*_: Any) -> None:
        raise NotSaved(NOTHING)

    for name in ("keep", "take_up", "abandon", "append"):
        monkeypatch.setattr(house.store, name, full)
    assert [g.state for g in listed(house)] == ["open"]
    house.engine.post(TellGame(1))
    assert len(house.ears.wait(Story).scenes) == 1
    house.engine.post(Branch(1, 1))
    assert house.ears.wait(Outcome).now.sandbox
    assert house.ask(Play(Lock("red", 1))).kind == "done", "a what-if needs no disk"
    house.engine.post(Leave())
    assert house.ears.wait(Outcome).now.view["locked"] == []
    house.engine.post(Abandon(1))
    status = house.ears.wait(Status, lambda s: s.message is not None)
    assert status.message == msg("The game has not ended: {why:message}", why=NOTHING)
    house.engine.post(Resume(1))
    assert house.ears.wait(Outcome).now.number == 1
    assert house.ask(Play(Lock("red", 1))).kind == "not_saved"


def test_the_table_does_not_wait_for_a_long_history(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    entries_of = house.begin().now.number
    for _ in range(40):
        house.store.begin(SirHolland.id, NAMES, house.store.record(entries_of).entries)
    keep, asked = house.store.keep, threading.Event()

    def waiting(outlines: Any) -> None:
        asked.wait(10)
        keep(outlines)

    monkeypatch.setattr(house.store, "keep", waiting)
    house.engine.post(ListGames())
    house.engine.post(Play(Lock("red", 1)))
    asked.set()
    heard = []
    while len(heard) < 2 or not (isinstance(heard[-1], History) and len(heard[-1].games) == 41):
        heard.append(house.ears.wait((History, Outcome)))  # type: ignore[arg-type]  # isinstance takes both
    assert isinstance(heard[1], Outcome)


def test_five_hundred_games_are_listed_at_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first time each is replayed, some at a time; from then on none is."""
    house.begin()
    entries = house.store.record(1).entries
    for _ in range(499):
        house.store.begin(SirHolland.id, NAMES, entries)
    house.engine.post(ListGames())
    parts = [house.ears.wait(History).games]
    assert len(parts[0]) < 500
    while len(parts[-1]) < 500:
        parts.append(house.ears.wait(History).games)
    assert all(len(a) < len(b) for a, b in itertools.pairwise(parts))
    assert [g.number for g in parts[-1]] == [*range(500, 0, -1)], "the latest first"
    read = []
    record = house.store.record
    monkeypatch.setattr(house.store, "record", lambda number: read.append(number) or record(number))
    assert len(listed(house)) == 500
    assert set(read) <= {1}, "only the one that is on the table"


# --- stories and what-ifs ---------------------------------------------------------------------------------------


def test_a_story_is_told_while_the_game_goes_on(house: House) -> None:
    house.begin()
    for seat, card in (("red", 1), ("blue", 2)):
        house.ask(Play(Lock(seat, card)))
    revealed = house.ask(Reveal())
    house.engine.post(TellGame(1))
    story = house.ears.wait(Story)
    assert [s.seq for s in story.scenes] == [1, revealed.now.seq]
    assert story.scenes[1].view == revealed.now.view
    assert story.scenes[1].messages == revealed.messages


def test_a_what_if_over_a_game_that_waits(house: House) -> None:
    house.engine.post(Change({"hold": 3600}))
    house.begin()
    house.ask(Play(Lock("red", 1)))
    waiting = house.ask(Play(Lock("blue", 2)))
    entries = house.store.record(1).entries
    house.engine.post(Branch(1, 1))
    sandbox = house.ears.wait(Outcome)
    assert (sandbox.kind, sandbox.now.sandbox, sandbox.now.view["locked"]) == ("done", True, [])
    for seat, card in (("red", 5), ("blue", 6)):
        assert house.ask(Play(Lock(seat, card))).now.sandbox
    outcome = house.ask(Reveal())
    assert outcome.now.view["cards"] == {"red": 5, "blue": 6}
    assert house.store.record(1).entries == entries
    house.engine.post(Leave())
    back = house.ears.wait(Outcome)
    assert back.now == waiting.now
    assert not back.now.sandbox
    assert house.ask(Reveal()).now.view["cards"] == {"red": 1, "blue": 2}


def test_the_held_lock_of_the_waiting_game_waits_too(house: House) -> None:
    """A what-if stops the clock; afterwards everybody has the full time again."""
    house.engine.post(Change({"hold": 0.2}))
    house.begin()
    house.ask(Play(Lock("red", 1)))
    house.engine.post(Play(Lock("blue", 2)))
    house.engine.post(Branch(1, 1))
    house.ears.wait(Outcome, lambda o: o.now.sandbox)
    time.sleep(0.5)
    assert house.ears.heard.empty()
    house.engine.post(Leave())
    assert house.ears.wait(Outcome).now.held == "blue"
    assert house.ears.wait(Outcome).now.view["phase"] == "resolve"


def test_cards_and_buttons_do_nothing_in_a_what_if_and_lights_stay(house: House) -> None:
    for n, seat in enumerate(SEATS):
        house.engine.post(Bind(f"04A{n}", seat, 3))
    house.begin()
    house.engine.hear(signals.BoardReady("b", "0.1", 2, 1))
    house.engine.post(Branch(1, 1))
    house.ears.wait(Outcome)
    shown: list[Any] = []
    house.border.attach(readers=Lamps(shown))
    house.engine.hear(signals.TagOn("b/0", "04A0", False))
    status = house.ears.wait(Status, lambda s: s.key == "what-if")
    assert WORDS(status.message).startswith("A what-if is open")
    house.engine.hear(signals.Press("b/0", 2))
    house.ears.wait(Status, lambda s: s.key == "what-if")
    for seat, card in (("red", 5), ("blue", 6)):
        house.ask(Play(Lock(seat, card)))
    house.ask(Reveal())
    assert [kind for kind, *_ in shown] == ["sound"] * 2, "the clicks that say: heard"
    house.engine.post(Leave())
    assert house.ears.wait(Status, lambda s: s.key == "what-if").message is None
    back = house.ears.wait(Outcome)
    assert back.now.view["locked"] == []
    house.engine.hear(signals.TagOn("b/0", "04A0", False))
    assert house.ears.wait(Outcome).now.view["locked"] == ["red"]


def test_a_what_if_with_no_game_open_leads_home(house: House) -> None:
    play_to_the_end(house)
    house.engine.post(Leave())
    house.ears.wait(Home)
    house.engine.post(Branch(1, 1))
    now = house.ears.wait(Outcome).now
    assert now.sandbox
    house.engine.post(Leave())
    assert house.ears.wait(Home).saved is None


@pytest.mark.parametrize("request_", [Resume(1), Begin(SirHolland.id, SEATS, NAMES, {}), Abandon(1)])
def test_a_game_that_is_opened_or_put_away_closes_a_what_if(house: House, request_: Any) -> None:
    house.begin()
    house.engine.post(Branch(1, 1))
    house.ears.wait(Outcome)
    house.engine.post(request_)
    assert house.ears.wait(Status, lambda s: s.key == "what-if").message is None
    if isinstance(request_, Abandon):
        assert house.ears.wait(Home).saved is None
    else:
        assert not house.ears.wait(Outcome).now.sandbox
    house.engine.post(Leave())
    house.ears.wait(Home)


def test_a_what_if_is_played_to_its_end_and_leaves_no_trace(house: House) -> None:
    opened = house.begin().now
    house.engine.post(Branch(1, 1))
    rng = Random(7)
    now = house.ears.wait(Outcome).now
    while not now.decision:
        now = house.ask(Reveal(now.seen) if now.held else Play(rng.choice(now.choices), now.seen)).now
        assert now.sandbox
    assert [(g.number, g.state) for g in listed(house)] == [(1, "open")], "the game itself is not over"
    house.close()
    house.open()
    assert (house.home.number, house.home.saved) == (1, opened)


def test_a_what_if_out_of_a_what_if(house: House) -> None:
    house.begin()
    house.engine.post(Branch(1, 1))
    house.ears.wait(Outcome)
    house.ask(Play(Lock("red", 1)))
    house.engine.post(Branch(1, 1))
    assert house.ears.wait(Outcome).now.view["locked"] == []


def test_the_referee_of_a_what_if_is_that_of_the_setting(house: House) -> None:
    house.engine.post(Change({"mode": "silent"}))
    house.begin()
    house.engine.post(Branch(1, 1))
    assert house.ears.wait(Outcome).now.mode == "silent"
    house.engine.post(Change({"mode": "strict"}))
    outcome = house.ears.wait(Outcome)
    assert (outcome.now.mode, outcome.now.sandbox) == ("strict", True)
    house.engine.post(Leave())
    assert house.ears.wait(Outcome).now.mode == "strict"


def test_who_insists_is_in_the_journal(house: House) -> None:
    """A refused move stands all the same, and the two who said so are named."""
    now = house.begin().now
    rng = Random(1)
    while now.view["phase"] != "resolve" or now.view["turn"]["card"] == 7:
        now = house.ask(Reveal() if now.held else Play(rng.choice(now.choices), now.seen)).now
    seat = now.view["turn"]["seat"]
    wish = Move(seat, f"{seat}.1", ("c5",))
    assert house.ask(Play(wish, now.seen)).refused.may_stand  # type: ignore[union-attr]
    assert house.ask(Insist(wish, now.seen, SEATS)).kind == "done"
    assert house.store.record(1).entries[-1].data["agreed"] == list(SEATS)


# --- devices ----------------------------------------------------------------------------------------------------


def test_which_devices_there_are_is_told_whenever_it_changes(house: House) -> None:
    """Also before a game; the seats come with it."""

    def told() -> Any:
        return house.ears.wait(Status, lambda s: s.key == "devices").data

    house.engine.hear(signals.BoardReady("b", "0.1", 1, 1))
    reader = device_row("b/0", light=True)
    assert told() == {"readers": [reader], "panels": [reader | {"buttons": 7}], "away": {}, "pins": None}
    house.engine.hear(signals.BoardReady("b", "0.1", 1, 1))
    house.begin()
    assert [d["seat"] for d in told()["readers"]] == ["red"]
    house.engine.hear(signals.Health("b/0", "absent"))
    lost = told()["readers"][0]
    assert (lost["state"], WORDS(lost["text"])) == (
        "lost",
        "The reader of Ana does not answer. Check its cable, or choose here.",
    )
    house.engine.hear(signals.Health("b/0", "ok"))
    assert told()["readers"][0]["state"] == "ok"
    house.engine.hear(signals.LinkLost("b", "/dev/ttyACM0", signals.UNPLUGGED))
    data = told()
    assert [d["state"] for d in data["readers"] + data["panels"]] == ["lost", "lost"]
    assert [d["id"] for d in data["readers"]] == ["b/0"]
    house.engine.hear(signals.LinkBack("b", "/dev/ttyACM1"))
    assert told()["readers"][0]["state"] == "ok"
    house.engine.hear(signals.BoardRefused(None, "/dev/ttyACM2", signals.BUSY))
    refused = told()["readers"][1]
    assert (refused["id"], refused["seat"], refused["state"]) == ("/dev/ttyACM2", None, "lost")
