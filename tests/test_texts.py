"""Games as files: the engine writes and reads them beside the table, and offers what lies there and on sticks."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion import texts
from companion.adapters.sqlite import open_store
from companion.border import Border
from companion.engine import Engine
from companion.games.sir_holland.state import Lock
from companion.table.ports import Begin, Export, Exported, History, Import, ListGames, Outcome, Play, Status
from tests.test_engine import Ears

EVENING = (Path(__file__).parent / "evening.txt").read_text(encoding="utf-8")


@pytest.fixture
def house(tmp_path):
    """An engine with its own thread."""
    store, _ = open_store(tmp_path / "gryphon.sqlite3")
    ears = Ears()
    engine = Engine(store, Border(), [ears], folder=tmp_path / texts.FOLDER)
    engine.start()
    yield engine, ears, store, tmp_path
    engine.close()
    store.close()


def reason(ears):
    return ears.wait(Status, lambda s: s.key == "text" and s.message is not None).message


def test_a_game_goes_out_and_comes_in_while_the_table_plays(house):
    engine, ears, store, folder = house
    engine.post(Begin("sir-holland", ("red", "blue"), {"red": "Ana", "blue": "Bia"}, {"gryphon": "red"}))
    number = ears.wait(Outcome).now.number
    engine.post(Export(number))
    path = Path(ears.wait(Exported).path)
    assert path.parent == folder / "games"
    assert path.read_text().startswith("gryphon game text 1\n")

    other = folder / "evening.txt"
    other.write_text(EVENING)
    engine.post(Import(str(other)))
    history = ears.wait(History)
    assert [(g.number, g.state, g.winner) for g in history.games] == [(1, "open", None), (2, "over", "red")]
    engine.post(Play(Lock("red", 1)))
    assert ears.wait(Outcome).now.number == number, "the table is where it was"
    assert store.last_unfinished().number == number


def test_what_lies_in_the_folder_is_found(house):
    engine, ears, _, folder = house
    engine.post(ListGames())
    assert ears.wait(History).files == ()
    path = texts.write(folder / "games", 5, "2025-11-29 20:15", EVENING)
    (folder / "games" / "shopping.txt").write_text("milk, bread")
    engine.post(ListGames())
    assert ears.wait(History, lambda h: h.files).files == (str(path),)


def test_a_text_that_cannot_be_is_refused_in_words(house):
    engine, ears, store, folder = house
    for name, words, says in (
        ("a.txt", EVENING.replace("wizard c2-c1", "wizard c2-b1"), "Line {line}"),
        ("b.txt", "hello", "Line {line}"),
        ("nowhere.txt", None, "cannot be used"),
    ):
        if words is not None:
            (folder / name).write_text(words)
        engine.post(Import(str(folder / name)))
        assert says in reason(ears).id
    os.mkfifo(folder / "pipe.txt")
    engine.post(Import(str(folder / "pipe.txt")))
    assert "cannot be used" in reason(ears).id
    assert store.games() == []


def test_a_folder_that_cannot_be_written_is_said(house):
    engine, ears, _, folder = house
    (folder / "games").write_text("in the way")
    engine.post(Begin("sir-holland", ("red", "blue"), {}, {}))
    engine.post(Export(ears.wait(Outcome).now.number))
    assert "cannot be used" in reason(ears).id


def test_a_game_that_is_not_there_cannot_be_written(house):
    engine, ears, _, _ = house
    engine.post(Export(9))
    assert "no saved game" in ears.wait(Status, lambda s: s.message is not None).message.id


def test_nothing_that_lies_there_is_lost(tmp_path):
    first = texts.write(tmp_path, 3, "2025-11-29 20:15", "one")
    assert texts.write(tmp_path, 3, "2025-11-29 20:15", "one") == first
    second = texts.write(tmp_path, 3, "2025-11-29 20:15", "two")
    assert (first.name, second.name) == ("2025-11-29-game-3.txt", "2025-11-29-game-3-2.txt")
    assert (first.read_text(), second.read_text()) == ("one", "two")


def test_sticks_are_looked_through_where_they_are_mounted(tmp_path, monkeypatch):
    root = tmp_path / "media"
    for place in ("stick", "ana/blue stick", "ana/no stick"):
        texts.write(root / place, 1, "2025-11-29 20:15", EVENING)
    mounted = {root / "stick", root / "ana" / "blue stick"}
    monkeypatch.setattr(texts.os.path, "ismount", lambda p: Path(p) in mounted)
    found = texts.files(tmp_path / "games", (root, tmp_path / "nowhere"))
    assert {Path(f).parent for f in found} == mounted


def test_the_evening_is_read_and_written_as_it_lies_there(tmp_path):
    """The sample in this folder, and what the README of the format says, hold for today's program."""
    store, _ = open_store(tmp_path / "gryphon.sqlite3")
    path = tmp_path / "evening.txt"
    path.write_text(EVENING)
    number = texts.bring(store, texts.read(path))
    assert texts.words_of(store, number) == ("2025-11-29 20:15", EVENING)
    assert texts.bring(store, texts.read(path)) == number, "twice is once"
    store.close()


def test_the_readme_shows_a_text_that_can_be_read():
    readme = (Path(texts.__file__).parent / "table" / "README.md").read_text(encoding="utf-8")
    lines = readme[readme.index("    gryphon game text 1") :].splitlines()
    sample = [line.removeprefix("    ") for line in lines[: lines.index("## The file")]]
    brought = texts.text.read("\n".join(sample).encode())
    assert brought.names == {"red": "Ana", "blue": "Bruno"}
    assert brought.state == "open"
