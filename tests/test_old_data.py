"""What earlier versions wrote is read for ever: every game where it stood, cards, settings, texts, configuration."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion import config, settings, texts
from companion.adapters.sqlite import Store, open_store
from companion.border import Border
from companion.cli import main
from companion.compose import DATABASE
from companion.engine import Engine
from companion.table.ports import Announcement, History, Home, ListGames, Outcome, Play, Resume, Reveal, Story, TellGame
from companion.table.session import Table

DATA = Path(__file__).parent / "data"
FOLDERS = sorted(p for p in DATA.glob("*/*") if p.is_dir())
CLOSED = [p for p in FOLDERS if p.name == "closed"]


def name(folder: Path) -> str:
    """The version and the state of the folder."""
    return f"{folder.parent.name} {folder.name}"


def expected(folder: Path) -> Any:
    """What the version that wrote the folder said of it."""
    return json.loads(folder.with_suffix(".json").read_text(encoding="utf-8"))


class Ears:
    """An announcer that keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[Announcement] = []

    def announce(self, what: Announcement) -> None:
        self.heard.append(what)

    def last(self, kind: type[Any]) -> Any:
        return next(what for what in reversed(self.heard) if isinstance(what, kind))


class House:
    """Store and engine of today on a copy of the folder, opened."""

    def __init__(self, folder: Path) -> None:
        self.store, self.told = open_store(folder / DATABASE)
        self.ears = Ears()
        self.engine = Engine(self.store, Border(), [self.ears], self.told, Random(1), folder=folder / texts.FOLDER)
        self.engine._open()
        self.home = self.ears.last(Home)


@pytest.fixture
def copy(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return Path(shutil.copytree(request.param, tmp_path / "data"))


@pytest.fixture
def house(copy: Path) -> Iterator[House]:
    house = House(copy)
    yield house
    house.store.close()


def every(folders: list[Path]) -> Any:
    """A test for each of them."""
    return pytest.mark.parametrize(
        ("copy", "was"), [(f, expected(f)) for f in folders], indirect=["copy"], ids=map(name, folders)
    )


def test_there_is_data() -> None:
    assert {name(f) for f in FOLDERS} >= {"0.3.0 closed", "0.3.0 unplugged"}


@every(FOLDERS)
def test_every_game_is_listed(house: House, was: Any) -> None:
    assert house.told == ()
    house.engine.serve(ListGames())
    history = house.ears.last(History)
    assert [g.number for g in history.games] == was["order"]
    for game in history.games:
        told = was["games"][str(game.number)]
        assert (game.state, game.round, game.winner) == (told["state"], told["round"], told["winner"])
        assert game.names == told["names"]
    assert {str(s.number): s.started for s in house.store.games()} == {
        number: told["started"] for number, told in was["games"].items()
    }
    assert (house.home.number, house.home.saved.seq) == (
        was["unfinished"], was["games"][str(was["unfinished"])]["seq"]
    )  # fmt: skip


@every(FOLDERS)
def test_every_game_opens_where_it_stood(house: House, was: Any) -> None:
    for number, told in was["games"].items():
        house.engine.serve(Resume(int(number)))
        now = house.ears.last(Outcome).now
        assert now.number == int(number)
        assert (now.seq, now.moment, now.held, list(now.free)) == (told["seq"], told["moment"], told["held"],
                                                                   told["free"])  # fmt: skip
        assert now.names == told["names"]
        assert {key: now.view[key] for key in told["view"]} == told["view"]
        assert [seat for seat, _ in now.awaited] == told["awaited"]
        assert bool(now.decision) == bool(told["decided"])
        assert (None if now.undo is None else now.undo.seat or "all") == told["undo"]
        table = house.engine._table
        assert table is not None
        position = table._now
        assert dict(position.state.locks) == told["locks"], "secret choices are still what they were"
        held = None if position.held is None else table.game.choice_to_json(position.held)
        assert held == told["held_choice"]
        assert len(house.store.record(int(number)).entries) == told["entries"]
        house.engine.serve(TellGame(int(number)))
        story = house.ears.last(Story)
        assert story.scenes
        assert story.lost == ()
    assert house.home.lost == ()


@every(FOLDERS)
def test_every_open_game_can_be_played_on(house: House, was: Any) -> None:
    for number, told in was["games"].items():
        if told["state"] == "over":
            continue
        house.engine.serve(Resume(int(number)))
        now = house.ears.last(Outcome).now
        house.engine.serve(Reveal(now.seen) if now.held else Play(now.choices[0], now.seen))
        after = house.ears.last(Outcome)
        assert (after.kind, after.now.number) == ("done", int(number))
        assert after.now.seq > told["seq"]


@every(FOLDERS)
def test_cards_settings_and_devices(house: House, was: Any) -> None:
    assert {uid: list(card) for uid, card in house.store.box().items()} == was["box"]
    assert settings.sound(house.store.settings()) == was["settings"]
    assert house.engine._places() == was["settings"]["devices"]
    assert house.home.last_names == was["settings"]["last_names"]


@every(FOLDERS)
def test_what_was_set_aside_is_kept(house: House, copy: Path, was: Any) -> None:
    with closing(sqlite3.connect(copy / DATABASE)) as db:
        asides = db.execute("SELECT game FROM aside").fetchall()
    assert [was["games"][str(number)]["about"] for (number,) in asides] == ["aside"]


@every(FOLDERS)
def test_the_commands_read_it_too(copy: Path, was: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["history", "list", "--data", str(copy), "--lang", "en"]) == 0
    listed = capsys.readouterr()
    assert [int(line.split()[0]) for line in listed.out.splitlines()] == was["order"]
    assert listed.err == ""
    for number in was["games"]:
        assert main(["history", "show", number, "--data", str(copy), "--lang", "en"]) == 0
        told = capsys.readouterr()
        assert told.out
        assert told.err == ""


@every(CLOSED)
def test_texts_are_the_same_games(house: House, copy: Path, was: Any, tmp_path: Path) -> None:
    """Brought in where the game is, each is found to be there; in an empty house, each becomes the game that it was."""
    paths = sorted((copy / texts.FOLDER).iterdir())
    assert [p.name for p in paths] == was["texts"]
    empty, _ = open_store(tmp_path / "empty" / DATABASE)
    for path in paths:
        number = int(path.stem.rpartition("-")[2])
        brought = texts.read(path)
        assert texts.bring(house.store, brought) == number
        told = was["games"][str(number)]
        table = _table(empty, texts.bring(empty, brought))
        now = table.snapshot()
        # the text of a game stops before the locks of a running round
        if told["view"]["phase"] == "over":
            assert {key: now.view[key] for key in told["view"]} == told["view"]
        assert now.names == told["names"]
        assert now.view["figures"] == told["view"]["figures"]
        assert now.view["tower"] == told["view"]["tower"]
    empty.close()


def _table(store: Store, number: int) -> Table:
    replayed = Table.resume(store.record(number), store)
    assert replayed.aside == ()
    assert isinstance(replayed.table, Table)
    return replayed.table


@every(CLOSED)
def test_the_configuration_is_read(copy: Path, was: Any) -> None:
    read = config.load(copy / "config.toml")
    assert read.screen == config.Screen(rotate=180, windowed=True, width=1280, height=800)
    assert read.readers.ports == ("/dev/serial/by-id/usb-Raspberry_Pi_Pico_*",)
    assert read.readers.adapters == ("/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0",)
    assert read.panel == config.Panel(
        wiring="matrix", rows=(5, 6, 12, 13), columns=(16, 17, 18, 19, 20, 21, 22), lamps=((2, 3, 4), (7, 8, 9)),
        lamp="rgb", buzzer=26, buses=("i2c",), debounce=40,
    )  # fmt: skip
    assert read.seats == {"gpio/0": "red", "a1b2c3/0": "blue"}
