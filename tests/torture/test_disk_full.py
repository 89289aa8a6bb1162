"""A disk that is full, or can only be read: said, nothing half written, and it goes on by itself afterwards."""

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from companion import texts
from companion.adapters.sqlite import open_store
from companion.cli import main
from companion.compose import DATABASE
from companion.table.ports import Entry, NotSaved


def entry(seq):
    return Entry(seq, "event", {"what": "moved", "note": "x" * 100})


def mount(*args):
    return subprocess.run(["mount", *args], capture_output=True, text=True)


@pytest.fixture
def disk(tmp_path):
    """A disk of one megabyte."""
    folder = tmp_path / "disk"
    folder.mkdir()
    done = mount("-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder))
    if done.returncode:
        pytest.skip(f"mounting is not allowed here: {done.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def fill_up(folder):
    """Take every byte that is left."""
    with (folder / "ballast").open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"\0" * 1024)


def says(error, words):
    assert words in error.value.reason.id


def test_full_while_playing(disk):
    store, told = open_store(disk / "games")
    assert told == ()
    number = store.begin("sir-holland", {}, [entry(1)])
    store.bind("04AA", "red", 3)
    done, said = 1, set()
    for _ in range(3):
        fill_up(disk)
        # pages that are there already take some more entries, also after a failure
        refused = 0
        while refused < 5:
            try:
                store.append(number, [entry(done + 1)])
                done += 1
            except NotSaved as error:
                said.add(error.reason.id)
                refused += 1
            assert done < 5000
        (disk / "ballast").unlink()
        assert [e.seq for e in store.record(number).entries] == list(range(1, done + 1)), "whole, and no more"
        store.append(number, [entry(done + 1)])
        done += 1
        assert store.box() == {"04AA": ("red", 3)}
    assert said == {"the disk is full. Make some room; then it works again."}
    store.close()
    again, told = open_store(disk / "games")
    assert told == (), "a full disk damages nothing"
    assert len(again.record(number).entries) == done
    again.close()


def test_full_from_the_start(disk):
    fill_up(disk)
    store, told = open_store(disk / "games")
    assert len(told) == 1
    assert "cannot be saved" in told[0].id
    assert "the disk is full" in told[0].params["why"].id
    assert (store.settings(), store.box(), store.last_unfinished()) == ({}, {}, None)
    with pytest.raises(NotSaved) as caught:
        store.begin("sir-holland", {}, [entry(1)])
    says(caught, "the disk is full")
    (disk / "ballast").unlink()
    number = store.begin("sir-holland", {}, [entry(1)])
    store.append(number, [entry(2)])
    store.close()


def test_opened_on_a_full_disk_what_is_there_can_be_read(disk):
    store, _ = open_store(disk / "games")
    number = store.begin("sir-holland", {"red": "Ana"}, [entry(1)])
    store.bind("04AA", "red", 3)
    store.change({"lang": "pt"})
    store.close()
    fill_up(disk)
    store, told = open_store(disk / "games")
    assert len(told) == 1
    assert store.settings() == {"lang": "pt"}
    assert store.box() == {"04AA": ("red", 3)}
    assert store.last_unfinished().number == number
    (disk / "ballast").unlink()
    store.append(number, [entry(2)])
    store.close()


def test_damaged_on_a_full_disk_nothing_is_moved(disk):
    (disk / "games").write_bytes(b"junk" * 5000)
    fill_up(disk)
    for _ in range(2):
        store, told = open_store(disk / "games")
        assert len(told) == 1
        assert "the disk is full" in told[0].params["why"].id
        assert (disk / "games").read_bytes() == b"junk" * 5000
        store.close()
    (disk / "ballast").unlink()
    store, told = open_store(disk / "games")
    assert "was damaged" in told[0].id
    store.begin("sir-holland", {}, [entry(1)])
    store.close()


def test_read_only(disk):
    store, _ = open_store(disk / "games")
    number = store.begin("sir-holland", {"red": "Ana"}, [entry(1)])
    store.bind("04AA", "red", 3)
    store.change({"lang": "pt"})
    # the kernel lets nobody make a disk read-only while a file on it is open; the store opens it again by itself
    store.close()
    assert mount("-o", "remount,ro", str(disk)).returncode == 0
    for _ in range(2):
        with pytest.raises(NotSaved) as caught:
            store.append(number, [entry(2)])
        says(caught, "can only be read")
    assert store.record(number).entries == (entry(1),)
    later, told = open_store(disk / "games")
    assert "can only be read" in told[0].params["why"].id
    assert later.settings() == {"lang": "pt"}
    assert later.box() == {"04AA": ("red", 3)}
    assert later.last_unfinished().number == number
    later.close()
    assert mount("-o", "remount,rw", str(disk)).returncode == 0
    store.append(number, [entry(2)])
    later.append(number, [entry(3)])
    assert len(store.record(number).entries) == 3
    store.close()
    later.close()


def test_read_only_from_the_start(disk):
    assert mount("-o", "remount,ro", str(disk)).returncode == 0
    store, told = open_store(disk / "new" / "games")
    assert "can only be read" in told[0].params["why"].id
    assert (store.settings(), store.box(), store.last_unfinished()) == ({}, {}, None)
    with pytest.raises(NotSaved) as caught:
        store.begin("sir-holland", {}, [entry(1)])
    says(caught, "can only be read")
    assert mount("-o", "remount,rw", str(disk)).returncode == 0
    store.begin("sir-holland", {}, [entry(1)])
    store.close()


def test_a_folder_that_cannot_be_used(tmp_path):
    (tmp_path / "file").write_text("")
    store, told = open_store(tmp_path / "file" / "games")
    assert len(told) == 1
    assert "is a file and can hold no other" in told[0].params["why"].id
    with pytest.raises(NotSaved):
        store.begin("sir-holland", {}, [entry(1)])
    (tmp_path / "file").unlink()
    store.begin("sir-holland", {}, [entry(1)])
    store.close()


KILLED = """
import itertools, os, sys
from pathlib import Path
from companion import texts
from companion.adapters.sqlite import open_store
from companion.cli import main
from companion.compose import DATABASE
from companion.table.ports import Entry
store, told = open_store(Path(sys.argv[1]))
assert not told, told
game = store.last_unfinished()
number = game.number if game else store.begin("sir-holland", {}, [Entry(1, "a", 0), Entry(2, "b", 0)])
for n in itertools.count(len(store.record(number).entries) + 1, 2):
    store.append(number, [Entry(n, "a", n), Entry(n + 1, "b", n)])
    os.write(1, b"%d\\n" % (n + 1))
"""


def test_killed_again_and_again(tmp_path):
    """kill -9 while it writes: what was answered is there, and no request is there by half."""
    path = tmp_path / "games"
    for lines in (1, 40, 7):
        child = subprocess.Popen([sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE)
        answered = [int(child.stdout.readline()) for _ in range(lines)]
        child.kill()
        rest = child.stdout.read().split()
        child.wait()
        store, told = open_store(path)
        assert told == ()
        entries = store.record(1).entries
        store.close()
        assert [e.seq for e in entries] == list(range(1, len(entries) + 1))
        assert len(entries) % 2 == 0
        assert len(entries) >= max(answered + [int(n) for n in rest])


EVENING = (Path(__file__).parents[1] / "evening.txt").read_text(encoding="utf-8")


def run(capsys, *args, lang="en"):
    """A command as it is typed."""
    code = main([*args, "--lang", lang])
    return code, *capsys.readouterr()


@pytest.fixture
def played(disk):
    """The data of an evening, on the disk."""
    data = disk / "data"
    store, _ = open_store(data / DATABASE)
    texts.bring(store, texts.text.read(EVENING.encode()))
    store.bind("04AABBCC", "red", 3)
    store.close()
    return data


@pytest.mark.parametrize(
    ("lang", "says"),
    [
        ("en", 'gryphon: "out.txt" cannot be used: the disk is full. Make some room; then it works again.\n'),
        ("pt", 'gryphon: "out.txt" não pode ser usado: o disco está cheio. Libere espaço; aí volta a funcionar.\n'),
    ],
)
@pytest.mark.parametrize("command", [("history", "export", "1"), ("cards", "export")])
def test_an_export_that_finds_no_room_says_so_and_leaves_nothing(played, disk, capsys, command, lang, says):
    fill_up(disk)
    file = disk / "out.txt"
    for _ in range(2):
        assert run(capsys, *command, str(file), "--data", str(played), lang=lang) == (1, "", says)
        assert sorted(p.name for p in disk.iterdir()) == ["ballast", "data"]
    (disk / "ballast").unlink()
    assert run(capsys, *command, str(file), "--data", str(played))[0] == 0
    assert file.stat().st_size


def test_the_text_of_a_game_on_a_full_disk(disk):
    path = texts.write(disk / "games", 1, "2025-11-29 20:15", EVENING)
    before = path.stat()
    fill_up(disk)
    assert texts.write(disk / "games", 1, "2025-11-29 20:15", EVENING) == path, "it lies there already"
    assert path.stat() == before
    with pytest.raises(OSError) as caught:
        texts.write(disk / "games", 2, "2025-11-29 20:15", EVENING)
    why = texts.why(caught.value)
    assert why.params["file"] == "2025-11-29-game-2.txt"
    assert "the disk is full" in why.params["why"].id
    assert [p.name for p in (disk / "games").iterdir()] == [path.name]


def test_the_text_of_a_game_on_a_disk_that_can_only_be_read(disk):
    assert mount("-o", "remount,ro", str(disk)).returncode == 0
    with pytest.raises(OSError) as caught:
        texts.write(disk / "games", 2, "2025-11-29 20:15", EVENING)
    assert "can only be read" in texts.why(caught.value).params["why"].id
