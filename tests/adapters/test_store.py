"""The store on a healthy disk: what is written is there, whole requests only, and it goes on after a failure."""

import sqlite3
import stat
import threading
from contextlib import closing
from datetime import UTC, datetime

import pytest

from companion.adapters import files, sqlite_file
from companion.adapters.rows import sum_of
from companion.adapters.sqlite import UNREADABLE, Store, open_store
from companion.table.ports import Entry, NotSaved, Outline

FIRST = [Entry(1, "event", {"what": "opened"})]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "home" / "gryphon" / "games.sqlite3"


@pytest.fixture
def store(path):
    store, told = open_store(path)
    assert told == ()
    yield store
    store.close()


def other(path):
    """Another program at the same file."""
    return closing(sqlite3.connect(path, isolation_level=None, timeout=0))


def rows(path, sql):
    with other(path) as db:
        return db.execute(sql).fetchall()


class UnsureCommit:
    """A connection whose commit fails, after it was written."""

    def __init__(self, db):
        self._db = db

    def execute(self, sql, *values):
        cursor = self._db.execute(sql, *values)
        if sql == "COMMIT":
            raise sqlite3.OperationalError("disk I/O error")
        return cursor

    def close(self):
        self._db.close()


def test_what_was_appended_comes_back(store):
    number = store.begin("sir-holland", {"red": "Ana", "blue": "Zoë"}, FIRST)
    store.append(number, [Entry(2, "event", {"card": 4, "é": [None, True, 1.5]}), Entry(3, "held", None)])
    store.append(number, [])
    record = store.record(number)
    assert (record.number, record.game, record.names) == (1, "sir-holland", {"red": "Ana", "blue": "Zoë"})
    assert record.entries == (*FIRST, Entry(2, "event", {"card": 4, "é": [None, True, 1.5]}), Entry(3, "held", None))


def test_it_comes_back_after_closing_and_after_a_crash(path, store):
    number = store.begin("sir-holland", {}, FIRST)
    other_store, told = open_store(path)
    assert told == ()
    assert other_store.record(number).entries == tuple(FIRST)
    other_store.close()
    store.close()
    left = sorted(p.name for p in path.parent.iterdir())
    assert left == [path.name, path.name + ".copies", path.name + ".lock"], "closed, its log is taken in"
    assert store.record(number).entries == tuple(FIRST)


def test_folder_and_file_are_their_owners_alone(path, store):
    store.begin("sir-holland", {}, FIRST)
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.parent.parent.stat().st_mode) == 0o700
    store.bind("04AA", "red", 3)
    store.change({"lang": "pt"})
    there = list(path.parent.rglob("*"))
    assert len(there) == 9, "the file, its log and index, the lock, two folders, three copies"
    for file in there:
        assert stat.S_IMODE(file.stat().st_mode) == (0o700 if file.is_dir() else 0o600), file


def test_every_commit_is_synced(store, path):
    with closing(sqlite_file.connect(path)) as db:
        assert db.execute("PRAGMA synchronous").fetchone() == (2,)
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_new_folders_are_synced_by_name(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(files, "sync", synced.append)
    sqlite_file.create(tmp_path / "a" / "b" / "games")
    assert synced == [tmp_path, tmp_path / "a", tmp_path / "a" / "b"]


def test_times_are_iso_and_utc(path):
    store = Store(path, clock=lambda: datetime(2026, 11, 29, 20, 15, tzinfo=UTC))
    store.begin("sir-holland", {}, FIRST)
    assert store.games()[0].started == "2026-11-29T20:15:00.000+00:00"
    assert rows(path, "SELECT time FROM entries") == [("2026-11-29T20:15:00.000+00:00",)]


def test_a_request_is_written_whole_or_not_at_all(store):
    number = store.begin("sir-holland", {}, FIRST)
    with pytest.raises(NotSaved):
        store.append(number, [Entry(2, "held", None), Entry(1, "held", None)])
    assert store.record(number).entries == tuple(FIRST)
    store.append(number, [Entry(2, "held", None)])


def test_nothing_is_written_to_a_game_that_is_not_there(store, path):
    with pytest.raises(NotSaved):
        store.append(7, [Entry(1, "held", None)])
    assert rows(path, "SELECT * FROM entries") == []
    with pytest.raises(NotSaved):
        store.record(7)


def test_two_programs_cannot_both_go_on_with_a_game(store, path):
    number = store.begin("sir-holland", {}, FIRST)
    second, _ = open_store(path)
    second.append(number, [Entry(2, "held", {"card": 1})])
    with pytest.raises(NotSaved) as caught:
        store.append(number, [Entry(2, "held", {"card": 2})])
    assert "another program" in caught.value.reason.id
    assert store.record(number).entries[1].data == {"card": 1}
    second.close()


def test_a_locked_file_is_said_and_passes(store, path):
    number = store.begin("sir-holland", {}, FIRST)
    with other(path) as db:
        db.execute("BEGIN IMMEDIATE")
        with pytest.raises(NotSaved) as caught:
            store.append(number, [Entry(2, "held", None)])
        assert "another program is using" in caught.value.reason.id
        db.execute("ROLLBACK")
    store.append(number, [Entry(2, "held", None)])


def test_a_commit_that_failed_does_not_come_back(store, path):
    """A sync that failed may have written the page all the same: it was answered with "not saved", so it must go."""
    number = store.begin("sir-holland", {}, FIRST)
    store._db = UnsureCommit(store._open())
    with pytest.raises(NotSaved):
        store.append(number, [Entry(2, "held", {"card": 1}), Entry(3, "held", None)])
    assert len(rows(path, "SELECT * FROM entries")) == 3, "this is what it is about"
    assert store.record(number) == store.last_unfinished()
    assert store.record(number).entries == tuple(FIRST)
    store.append(number, [Entry(2, "held", {"card": 2})])
    assert store.record(number).entries == (*FIRST, Entry(2, "held", {"card": 2}))


def test_a_beginning_that_failed_leaves_no_game(store):
    store._db = UnsureCommit(store._open())
    with pytest.raises(NotSaved):
        store.begin("sir-holland", {"red": "Ana"}, FIRST)
    assert store.last_unfinished() is None
    store.change({"lang": "pt"})
    assert store.games() == []


def test_a_fault_of_ours_leaves_no_open_transaction(store):
    number = store.begin("sir-holland", {}, FIRST)
    with pytest.raises(TypeError):
        store.append(number, [Entry(2, "held", object())])
    store.append(number, [Entry(2, "held", None)])


def test_a_file_that_goes_away_is_made_anew(store, path):
    store.begin("sir-holland", {}, FIRST)
    store.close()
    path.unlink()
    assert store.begin("sir-holland", {}, FIRST) == 1


def test_the_list_of_games(store):
    one = store.begin("sir-holland", {"red": "Ana"}, FIRST)
    two = store.begin("sir-holland", {"red": "Bia"}, FIRST)
    store.append(two, [Entry(2, "held", None)])
    store.keep([Outline(one, 1, {"red": "Ana"}, 3, "red"), Outline(two, 1, {"red": "Bia"}, 1)])
    listed = store.games()
    assert [(g.number, g.game) for g in listed] == [(two, "sir-holland"), (one, "sir-holland")]
    assert listed[0].outline is None, "it has gone on since"
    assert listed[1].outline == Outline(one, 1, {"red": "Ana"}, 3, "red")


def test_the_game_to_go_on_with_is_the_one_played_last_whatever_the_clock_says(path):
    times = iter(datetime(2026, 11, 29, 20 - i, 0, tzinfo=UTC) for i in range(20))
    store = Store(path, clock=lambda: next(times))
    assert store.last_unfinished() is None
    one, two = store.begin("sir-holland", {}, FIRST), store.begin("sir-holland", {}, FIRST)
    assert store.last_unfinished().number == two
    store.append(one, [Entry(2, "held", None)])
    assert store.last_unfinished().number == one
    store.finish(one)
    assert store.last_unfinished().number == two
    store.append(one, [Entry(3, "take_back", {"to": 1})])
    assert store.last_unfinished().number == one, "a take-back after the end opens the game again"


def test_an_abandoned_game_is_offered_again_once_it_is_taken_up(store):
    one, two = store.begin("sir-holland", {}, FIRST), store.begin("sir-holland", {}, FIRST)
    store.abandon(two)
    assert store.last_unfinished().number == one
    assert [g.abandoned for g in store.games()] == [True, False]
    store.take_up(two)
    assert store.last_unfinished().number == two
    store.abandon(two)
    store.append(two, [Entry(2, "held", None)])
    assert [g.abandoned for g in store.games()] == [False, False], "playing on opens it, too"
    with pytest.raises(NotSaved):
        store.abandon(7)


def test_an_outline_does_not_outlive_the_entries_that_it_was_worked_out_from(store):
    number = store.begin("sir-holland", {}, FIRST)
    store.append(number, [Entry(2, "held", None)])
    store.keep([Outline(number, 2, {}, 5)])
    store.set_aside(number, [Entry(2, "held", None)])
    store.append(number, [Entry(2, "held", None)])
    assert store.games()[0].outline is None


def test_an_outline_that_is_damaged_is_none(path):
    with closing(Store(path)) as store:
        number = store.begin("sir-holland", {}, FIRST)
        store.keep([Outline(number, 1, {}, 5)])
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE outlines SET round = 6")
    with closing(Store(path)) as store:
        assert store.games()[0].outline is None


def test_a_file_of_the_first_version_lists_its_games_also_where_it_cannot_be_brought_up_to_date(path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(sqlite_file, "MIGRATIONS", sqlite_file.MIGRATIONS[:1])
        with closing(Store(path)) as store:
            store.begin("sir-holland", {}, FIRST)

    def full(db):
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch, closing(Store(path)) as store:
        patch.setattr(sqlite_file, "migrate", full)
        assert [g.outline for g in store.games()] == [None]
        assert store.last_unfinished().number == 1
    with closing(Store(path)) as store:
        store.keep([Outline(1, 1, {}, 1)])
        assert store.games()[0].outline is not None


def test_a_game_of_which_nothing_is_left_is_not_offered(store):
    number = store.begin("sir-holland", {}, FIRST)
    store.set_aside(number, FIRST)
    assert store.last_unfinished() is None


def test_entries_set_aside_are_kept(store, path):
    number = store.begin("sir-holland", {}, FIRST)
    bad = [Entry(2, "event", {"what": "?"}), Entry(3, "held", None)]
    store.append(number, bad)
    store.set_aside(number, bad)
    assert store.record(number).entries == tuple(FIRST)
    assert rows(path, "SELECT game, seq, kind, data FROM aside") == [(1, 2, "event", '{"what":"?"}'),
                                                                     (1, 3, "held", "null")]  # fmt: skip
    store.append(number, [Entry(2, "held", None)])
    store.set_aside(number, [Entry(2, "held", None)])
    assert len(rows(path, "SELECT * FROM aside")) == 3, "the same number may be set aside twice"


@pytest.mark.parametrize("change", ["data = '{\"card\":5}'", "kind = 'event'", "seq = 9", "data = '{'", "time = ''"])
def test_a_damaged_entry_is_told_from_a_sound_one(store, path, change):
    number = store.begin("sir-holland", {}, FIRST)
    store.append(number, [Entry(2, "held", {"card": 4})])
    rows(path, f"UPDATE entries SET {change} WHERE seq = 2")  # noqa: S608  ours
    assert store.record(number).entries[1].kind == UNREADABLE


def test_brackets_without_an_end_do_not_keep_the_table_shut(store, path):
    """A sound checksum says only that somebody wrote it so."""
    deep = "[" * 100_000 + "]" * 100_000
    number = store.begin("sir-holland", {"red": "Ana"}, FIRST)
    store.change({"lang": "pt"})
    time = "2026-01-31T20:15:00"
    setting, game, act = ("house_rules", deep), (number, "sir-holland", deep, time), (number, 2, "held", deep, time)
    with other(path) as db:
        db.execute("INSERT INTO settings VALUES (?, ?, ?)", (*setting, sum_of(*setting)))
        db.execute("UPDATE games SET names = ?, started = ?, sum = ?", (*game[2:], sum_of(*game)))
        db.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)", (*act, sum_of(*act)))
    again, _ = open_store(path)
    assert again.settings() == {"lang": "pt"}
    record = again.record(number)
    assert record.names == {}
    assert record.entries[1].kind == UNREADABLE
    again.close()


def test_the_card_box(store, path):
    assert store.box() == {}
    store.bind("04A1B2C3D4E5F6", "red", 4)
    store.bind("04000A", "blue", 7, game="sir-holland")
    store.bind("04A1B2C3D4E5F6", "red", 5)
    assert store.box() == {"04A1B2C3D4E5F6": ("red", 5), "04000A": ("blue", 7)}
    again, _ = open_store(path)
    assert again.box() == store.box()
    store.unbind("04000A")
    assert store.box() == {"04A1B2C3D4E5F6": ("red", 5)}
    assert again.box() == {"04A1B2C3D4E5F6": ("red", 5), "04000A": ("blue", 7)}, "read once: it is asked often"
    again.close()


def test_settings(store, path):
    assert store.settings() == {}
    store.change({"lang": "pt", "voice": False, "hold": 2.5, "last_names": {"red": "Ana"}})
    store.change({"voice": True})
    expected = {"lang": "pt", "voice": True, "hold": 2.5, "last_names": {"red": "Ana"}}
    assert store.settings() == expected
    store.settings()["lang"] = "xx"
    assert store.settings() == expected
    again, _ = open_store(path)
    assert again.settings() == expected
    again.close()


def test_a_newer_step_is_taken_once_and_keeps_everything(path, monkeypatch):
    store, _ = open_store(path)
    store.begin("sir-holland", {}, FIRST)
    store.close()
    steps = [*sqlite_file.MIGRATIONS, "CREATE TABLE more (a INTEGER) STRICT; INSERT INTO more VALUES (1)"]
    monkeypatch.setattr(sqlite_file, "MIGRATIONS", steps)
    for _ in range(2):
        store, told = open_store(path)
        assert told == ()
        assert len(store.record(1).entries) == 1
        store.close()
    assert rows(path, "SELECT * FROM more") == [(1,)]
    assert rows(path, "PRAGMA user_version") == [(len(steps),)]


def test_a_step_that_fails_changes_nothing(path, monkeypatch):
    store, _ = open_store(path)
    store.begin("sir-holland", {}, FIRST)
    store.close()
    version = len(sqlite_file.MIGRATIONS)
    monkeypatch.setattr(sqlite_file, "MIGRATIONS", [*sqlite_file.MIGRATIONS, "DROP TABLE entries; CREATE nonsense"])
    with pytest.raises(sqlite3.OperationalError):
        sqlite_file.connect(path)
    assert rows(path, "PRAGMA user_version") == [(version,)]
    assert rows(path, "SELECT count(*) FROM entries") == [(1,)]


def test_any_thread_may_call(store):
    number = store.begin("sir-holland", {}, FIRST)
    failed = []

    def bind(i):
        try:
            store.bind(f"{i:04X}", "red", i % 7 + 1)
            store.games()
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=bind, args=(i,)) for i in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert len(store.box()) == 20
    assert len(store.record(number).entries) == 1


def test_no_log_line_names_what_is_in_an_entry(store, caplog):
    number = store.begin("sir-holland", {}, FIRST)
    with pytest.raises(NotSaved):
        store.append(number, [Entry(1, "held", {"card": 987, "seat": "yellow"})])
    assert "yellow" not in caplog.text
    assert "987" not in caplog.text
