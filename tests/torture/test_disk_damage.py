"""Damaged files: each opens, nothing is thrown away, what can be read is there again, and one sentence says so."""

import os
import random
import shutil
import sqlite3
import tempfile
from contextlib import closing, suppress
from functools import cache
from pathlib import Path

import pytest

from companion.adapters import mending, sqlite_file
from companion.adapters.copies import Copies
from companion.adapters.sqlite import Store, open_store
from companion.table.ports import Entry, NotSaved, Outline
from companion.wording import Wording
from tests.conftest import LONG
from tests.damage import told_at_start

BOX = {f"04{i:010X}80": (("red", "blue", "green", "yellow")[i // 7], i % 7 + 1) for i in range(28)}
SETTINGS = {"lang": "pt", "voice": True, "hold": 3}
NAMES = {"red": "Ana", "blue": "Bruno"}
GAMES, ENTRIES = 3, 200
TRIES = 200 if LONG else 10


@pytest.fixture
def tmp_path(tmp_path):
    """In memory where there is such a place: nothing here is about syncing, which a slow disk would make long."""
    if not os.access("/dev/shm", os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        yield Path(folder)


def entry(game, seq):
    return Entry(seq, "event", {"what": "moved", "game": game, "path": ["a1", "a2", "b2"], "note": "x" * (seq % 40)})


@cache
def content():
    """A sound file with a card box, settings and three games, closed."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
        path = Path(folder) / "games"
        store, _ = open_store(path)
        fill(store)
        store.close()
        return path.read_bytes()


def fill(store):
    store.change(SETTINGS)
    for uid, (owner, card) in BOX.items():
        store.bind(uid, owner, card)
    for _ in range(GAMES):
        number = store.begin("sir-holland", NAMES, [entry(0, 1)])
        store.append(number, [entry(number, seq) for seq in range(2, ENTRIES // 2)])
        store.append(number, [entry(number, seq) for seq in range(ENTRIES // 2, ENTRIES + 1)])
        store.keep([Outline(number, ENTRIES, NAMES, 3)])
    store.abandon(1)


def check(path, *, fresh=True):
    """Open the file, look whether all is as it should be, and give the store and the sentences."""
    damaged = path.read_bytes()
    store, told = open_store(path)
    assert len(told) <= 1
    if told:
        assert Wording("en")(told[0]).count("The file with the saved games was damaged") == 1
        assert Wording("pt")(told[0])
        aside = [p for p in path.parent.iterdir() if p.name == path.name + ".damaged-1"]
        assert aside, "it is kept"
        assert aside[0].read_bytes() == damaged, "as it was"
    # nothing that was never written
    assert set(store.box().items()) <= set(BOX.items())
    assert set(store.settings().items()) <= set(SETTINGS.items())
    for game in map(store.record, [g.number for g in store.games()]):
        assert game.names == NAMES
        for kept, seq in zip(game.entries, range(1, ENTRIES + 1), strict=False):
            assert kept.kind == "unreadable" or kept == entry(game.number if seq > 1 else 0, seq)
    # and a table that can be played on
    number = store.begin("sir-holland", NAMES, [entry(0, 1)])
    store.append(number, [entry(number, 2)])
    assert store.last_unfinished().number == number
    store.bind("FF", "red", 1)
    store.close()
    assert told_at_start(path) == (), "said once"
    return store, told


def written(path, data):
    """The file alone, as an earlier version left it: no copies vouch for anything."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def said(told):
    """The sentences, in English; in Portuguese they are there, too."""
    assert all(Wording("pt")(message) for message in told)
    return " ".join(map(Wording("en"), told))


def test_a_sound_file_is_left_alone(tmp_path):
    store, told = check(written(tmp_path / "games", content()))
    assert told == ()
    assert store.box() == BOX | {"FF": ("red", 1)}


@pytest.mark.parametrize(
    "data",
    [b"", b"\0", b"Nothing here is a table.\n" * 400, b"\0" * 40960, b"SQLite format 3\0", b"\xff" * 5000],
    ids=["empty", "one zero", "text", "zeros", "head only", "ones"],
)
def test_what_is_no_file_of_ours(tmp_path, data):
    store, told = check(written(tmp_path / "games", data))
    assert len(told) == 1
    assert store.box() == {"FF": ("red", 1)}


def test_a_file_of_another_program_is_kept(tmp_path):
    path = tmp_path / "games"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE recipes (name TEXT)")
        db.commit()
    _, told = check(path)
    assert len(told) == 1


@pytest.mark.parametrize("version", [4, 5, 99])
@pytest.mark.parametrize("tables", ["", "ALTER TABLE games ADD COLUMN more TEXT"])
def test_a_newer_file_is_not_touched(tmp_path, version, tables):
    """A newer version may have other tables, or the same with something else in them."""
    path = written(tmp_path / "games", content())
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(tables)
        db.execute(f"PRAGMA user_version = {version}")
    newer = path.read_bytes()
    store, told = open_store(path)
    assert len(told) == 1
    assert "newer companion" in told[0].id
    assert (tmp_path / "games.newer-1").read_bytes() == newer
    assert store.box() == {}
    store.begin("sir-holland", {}, [entry(0, 1)])
    store.close()


@pytest.mark.parametrize("bit", range(8))
@pytest.mark.parametrize("at", [18, 19])
def test_a_head_that_forbids_to_write_is_mended(tmp_path, at, bit):
    """The two numbers say which SQLite may write the file, and which may read it."""
    data = bytearray(content())
    data[at] ^= 1 << bit
    store, _ = check(written(tmp_path / "games", bytes(data)))
    assert store.box() == BOX | {"FF": ("red", 1)}
    assert [len(store.record(g.number).entries) for g in store.games()] == [2, ENTRIES, ENTRIES, ENTRIES]


@pytest.mark.parametrize("bit", range(32))
def test_a_flipped_bit_makes_no_newer_version(tmp_path, bit):
    data = bytearray(content())
    number = int.from_bytes(data[60:64], "big") ^ 1 << bit
    data[60:64] = number.to_bytes(4, "big")
    store, told = check(written(tmp_path / "games", bytes(data)))
    assert len(told) == 1
    assert store.box() == BOX | {"FF": ("red", 1)}
    assert [len(store.record(g.number).entries) for g in store.games()] == [2, ENTRIES, ENTRIES, ENTRIES]


@pytest.mark.parametrize("part", range(1, 9))
def test_cut_off(tmp_path, part):
    """Cut at eight places, odd ones too. All but the first few pages gone, the card box is still there."""
    data = content()
    length = len(data) * part // 9 + part * 7
    store, told = check(written(tmp_path / "games", data[:length]))
    assert len(told) == 1
    assert store.box() == BOX | {"FF": ("red", 1)}
    assert store.settings() == SETTINGS


def test_cut_off_the_games_keep_their_beginnings(tmp_path):
    data = content()
    store, told = check(written(tmp_path / "games", data[: len(data) * 2 // 3]))
    kept = [game for g in store.games() if (game := store.record(g.number)).names == NAMES]
    assert len(kept) == GAMES + 1
    assert any(1 < len(g.entries) < ENTRIES for g in kept)
    english = Wording("en")(told[0])
    assert "Saved: 28 cards of the card box, 3 settings and 3 games. Lost: the end of " in english


@pytest.mark.parametrize("seed", range(TRIES))
def test_flipped_bytes(tmp_path, seed):
    rng = random.Random(seed)
    data = bytearray(content())
    for _ in range(rng.choice((1, 1, 3, 30))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    check(written(tmp_path / "games", bytes(data)))


@pytest.mark.parametrize("seed", range(TRIES))
def test_zeroed_pages(tmp_path, seed):
    rng = random.Random(seed)
    data = bytearray(content())
    pages = len(data) // 4096
    gone = {rng.randrange(pages) for _ in range(rng.choice((1, 2, 5)))}
    for page in gone:
        data[page * 4096 : page * 4096 + 4096] = bytes(4096)
    store, told = check(written(tmp_path / "games", bytes(data)))
    assert len(told) == 1
    if 1 not in gone:
        assert store.box() == BOX | {"FF": ("red", 1)}, "the card box lies on the second page"


def test_without_its_first_page_nearly_all_is_saved(tmp_path):
    """A card that loses a block likes to lose the first one. The tables are found without it."""
    data = bytearray(content())
    data[:4096] = bytes(4096)
    store, told = check(written(tmp_path / "games", bytes(data)))
    assert "Saved: 28 cards of the card box, 3 settings and 3 games. Perhaps lost: cards of the card box" in said(told)
    assert [len(store.record(g.number).entries) for g in store.games()] == [2, ENTRIES, ENTRIES, ENTRIES]
    assert [g.number for g in store.games() if g.abandoned] == [1]
    assert not any(g.outline for g in store.games()), "these are worked out anew"
    assert store.box() == BOX | {"FF": ("red", 1)}


def test_the_tables_of_the_first_step_lie_where_the_new_head_says(tmp_path):
    path = tmp_path / "roots"
    sqlite_file.create(path)
    with closing(sqlite3.connect(path)) as db:
        made = db.execute("SELECT name, rootpage FROM sqlite_schema").fetchall()
    with closing(mending._with_new_head(path)) as db:
        first = db.execute("SELECT name, rootpage FROM sqlite_schema").fetchall()
    assert len(first) == 5
    assert set(first) <= set(made)


def crashed(tmp_path, copies=True):
    """A file whose log was never taken in, as a pulled plug leaves it."""
    live = tmp_path / "live"
    live.mkdir()
    store, _ = open_store(live / "games")
    fill(store)
    number = store.begin("sir-holland", NAMES, [entry(0, 1)])
    for seq in range(2, 12):
        store.append(number, [entry(number, seq)])
    for file in live.glob("games*"):
        if file.is_dir() and copies:
            shutil.copytree(file, tmp_path / file.name)
        elif file.is_file() and not file.name.endswith("-shm"):
            shutil.copy(file, tmp_path / file.name)
    store.close()
    return tmp_path / "games"


def end_of_log(data):
    """Behind the pages of this round of the log lie some of an earlier one."""
    return max(at + 4120 for at in range(32, len(data), 4120) if data[at + 8 : at + 16] == data[16:24])


@pytest.mark.parametrize("copies", [True, False])
def test_a_pulled_plug_loses_nothing_and_says_nothing(tmp_path, copies):
    path = crashed(tmp_path, copies)
    assert path.with_name("games-wal").stat().st_size > 4096
    store, told = open_store(path)
    assert told == ()
    assert len(store.record(4).entries) == 11
    store.close()


def test_a_write_that_was_cut_off_is_no_damage(tmp_path):
    """The plug was pulled while a request was written: nobody had heard of it, and no copy knows it."""
    path = crashed(tmp_path)
    log = path.with_name("games-wal")
    data = log.read_bytes()
    log.write_bytes(data[: end_of_log(data) - 100])
    (copy,) = path.parent.glob("games.copies/*/game-4.txt")
    copy.write_bytes(b"".join(copy.read_bytes().splitlines(keepends=True)[:-1]))
    store, told = open_store(path)
    assert told == ()
    assert len(store.record(4).entries) == 10
    store.close()


@pytest.mark.parametrize("part", [0, 1, 40, -1])
def test_a_plug_pulled_between_the_commit_and_its_copy(tmp_path, part):
    """The copy lacks its last line, or has a part of it: the file knows better, nothing is told, the copy is mended."""
    path = crashed(tmp_path)
    (copy,) = path.parent.glob("games.copies/*/game-4.txt")
    *lines, last = copy.read_bytes().splitlines(keepends=True)
    copy.write_bytes(b"".join(lines) + last[:part])
    store, told = open_store(path)
    assert told == ()
    assert len(store.record(4).entries) == 11
    store.close()
    assert Copies(copy.parent).game(4).whole
    assert list(Copies(copy.parent).game(4).entries) == list(range(1, 12))


@pytest.mark.parametrize("name", ["cards", "settings", "game-1", "game-4"])
@pytest.mark.parametrize("how", ["gone", "zeros", "flipped", "cut off"])
def test_a_damaged_copy_of_a_sound_file_costs_nothing(tmp_path, name, how):
    path = crashed(tmp_path)
    (copy,) = path.parent.glob(f"games.copies/*/{name}.txt")
    before = copy.read_bytes()
    match how:
        case "gone":
            copy.unlink()
        case "zeros":
            copy.write_bytes(bytes(len(before)))
        case "flipped":
            copy.write_bytes(before[:-9] + bytes([before[-9] ^ 1]) + before[-8:])
        case "cut off":
            os.truncate(copy, len(before) // 2)
    store, told = open_store(path)
    assert told == ()
    assert store.box() == BOX
    assert len(store.record(4).entries) == 11
    store.close()
    copies = Copies(copy.parent)
    assert copies.game(int(name[-1])).whole if name.startswith("game") else copies.table(name).whole


@pytest.mark.parametrize("where", ["head", "first frame", "middle", "head of the last frame"])
def test_a_damaged_log_is_noticed(tmp_path, where):
    """SQLite ends at the first bad frame of the log without a word, so what was announced would be gone unseen."""
    path = crashed(tmp_path)
    log = path.with_name("games-wal")
    data = bytearray(log.read_bytes())
    at = {"head": 9, "first frame": 32 + 6, "middle": end_of_log(data) // 2, "head of the last frame":
          end_of_log(data) - 4120 + 9}[where]  # fmt: skip
    data[at] ^= 4
    log.write_bytes(bytes(data))
    before = path.read_bytes()
    store, told = open_store(path)
    assert len(told) == 1
    assert "was damaged" in told[0].id
    assert path.with_name("games.damaged-1").read_bytes() == before
    assert path.with_name("games.damaged-1-wal").read_bytes() == bytes(data)
    assert store.box() == BOX
    assert store.settings() == SETTINGS
    assert [len(store.record(n).entries) for n in (1, 2, 3, 4)] == [ENTRIES, ENTRIES, ENTRIES, 11]
    assert "All that its copies hold is here again: 28 cards of the card box, 3 settings and 4 games." in said(told)
    store.append(4, [entry(4, 12)])
    store.close()
    assert told_at_start(path) == ()


def test_a_file_that_is_gone_comes_back_out_of_its_copies(tmp_path):
    path = crashed(tmp_path)
    path.unlink()
    with pytest.raises(NotSaved):
        sqlite_look(path)
    store, told = open_store(path)
    assert said(told).startswith("The file with the saved games was gone. All that its copies hold is here again: 28 ")
    assert path.with_name("games.damaged-1-wal").exists(), "no new file may take up the log of the old one"
    assert store.box() == BOX
    assert [len(store.record(n).entries) for n in (1, 2, 3, 4)] == [ENTRIES, ENTRIES, ENTRIES, 11]
    assert [g.number for g in store.games()] == [4, 3, 2, 1]
    assert [g.number for g in store.games() if g.abandoned] == [1]
    store.close()
    assert told_at_start(path) == ()


def sqlite_look(path):
    from companion.adapters import sqlite

    return sqlite.look(path)


def test_the_copies_of_another_house_are_left_alone(tmp_path):
    """A file that was brought from elsewhere is no older state of the one that lay here."""
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir(), there.mkdir()
    path = crashed(here)
    other, _ = open_store(there / "games")
    other.bind("AA", "blue", 1)
    other.begin("sir-holland", {}, [entry(0, 1)])
    other.close()
    path.with_name("games-wal").unlink()
    shutil.copy(there / "games", path)
    store, told = open_store(path)
    assert told == ()
    assert store.box() == {"AA": ("blue", 1)}
    assert len(store.games()) == 1
    store.close()
    assert len(list((here / "games.copies").iterdir())) == 2


def test_an_older_state_of_the_file_gets_back_what_was_played_since(tmp_path):
    """Who copies the file alone while the table is open has it without its log."""
    path = crashed(tmp_path)
    path.with_name("games-wal").unlink()
    store, told = open_store(path)
    assert "was damaged" in told[0].id
    assert store.box() == BOX
    assert [len(store.record(n).entries) for n in (1, 2, 3, 4)] == [ENTRIES, ENTRIES, ENTRIES, 11]
    store.close()


def test_two_tables_that_went_on_from_one_file_are_not_mixed(tmp_path):
    """The file of one beside the copies of the other: both games are there, and neither is half the other."""
    here, there = tmp_path / "here", tmp_path / "there"
    store, _ = open_store(here / "games")
    store.begin("sir-holland", NAMES, [entry(0, 1)])
    store.close()
    shutil.copytree(here, there)
    for folder, mark, acts in ((here, 10, 20), (there, 20, 5)):
        store, _ = open_store(folder / "games")
        store.append(1, [entry(mark, seq) for seq in range(2, acts)])
        for uid in range(2 if folder == there else 0):
            # so that the copies know of more changes than the file
            store.bind(f"AA{uid}", "red", 1)
        store.close()
    shutil.copy(here / "games", there / "games")
    store, told = open_store(there / "games")
    assert len(told) == 1
    games = [[e.data["game"] for e in store.record(n).entries] for n in (1, 2)]
    assert games == [[0, *[20] * 3], [0, *[10] * 18]]
    assert [len(store.games()), store.record(2).names] == [2, NAMES]
    store.close()
    assert told_at_start(there / "games") == ()


@pytest.mark.parametrize("name", ["9" * 20, "9" * 200, "0", "01", "\u0663", "-1", "1e9", ""])
@pytest.mark.parametrize("is_sound", [True, False])
def test_what_is_named_nearly_like_a_copy_is_none(tmp_path, name, is_sound):
    path = crashed(tmp_path)
    (copy,) = path.with_name("games.copies").glob("*/game-1.txt")
    if not is_sound:
        path.with_name("games-wal").unlink()
    shutil.copy(copy, copy.with_name(f"game-{name}.txt"))
    store, told = open_store(path)
    assert len(told) == (not is_sound)
    assert [g.number for g in store.games()] == [4, 3, 2, 1]
    store.close()
    assert told_at_start(path) == ()


def test_damage_after_damage_overwrites_nothing(tmp_path):
    path = tmp_path / "games"
    for n in (1, 2, 3):
        written(path, b"junk %d" % n)
        store, told = open_store(path)
        store.close()
        assert len(told) == 1
        assert path.with_name(f"games.damaged-{n}").read_bytes() == b"junk %d" % n


@pytest.mark.parametrize("step", range(1, 8))
def test_a_plug_pulled_in_the_middle_of_mending(tmp_path, monkeypatch, step):
    """Stopped before its nth change of the folder, the next start ends with everything that was there."""
    data = content()
    path = written(tmp_path / "games", data[: len(data) * 2 // 3])
    left = [step]

    class Pulled(BaseException):
        pass

    def counting(real):
        def do(self, *rest, **more):
            left[0] -= 1
            if left[0] == 0:
                raise Pulled
            return real(self, *rest, **more)

        return do

    with monkeypatch.context() as patch:
        for name in ("rename", "replace", "unlink"):
            patch.setattr(Path, name, counting(getattr(Path, name)))
        with suppress(Pulled):
            open_store(path)
    store, told = open_store(path)
    assert len(told) == (1 if left[0] == 0 else 0)
    assert store.box() == BOX
    assert len(store.games()) == GAMES
    files = [p.read_bytes() for p in tmp_path.iterdir() if p.is_file()]
    assert data[: len(data) * 2 // 3] in files, "the damaged one is kept"
    store.close()


def test_a_store_goes_on_after_damage_under_its_hands(tmp_path):
    """Damage while it is open is said; the next start saves what can be read."""
    path = written(tmp_path / "games", content())
    store = Store(path)
    path.write_bytes(b"gone")
    with pytest.raises(Exception) as caught:
        store.bind("FF", "red", 1)
    assert "damaged" in caught.value.reason.id
    store.close()
    store, told = open_store(path)
    assert len(told) == 1
    store.bind("FF", "red", 1)
    store.close()
