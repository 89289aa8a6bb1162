"""A disk that is full, or can only be read: said, nothing half written, and it goes on by itself afterwards."""

import subprocess
import sys
from contextlib import suppress

import pytest

from companion.adapters.sqlite import open_store
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
    assert said == {"the disk is full. Make some room; then it goes on by itself."}
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
    assert "cannot be used" in told[0].params["why"].id
    with pytest.raises(NotSaved):
        store.begin("sir-holland", {}, [entry(1)])
    (tmp_path / "file").unlink()
    store.begin("sir-holland", {}, [entry(1)])
    store.close()


KILLED = """
import itertools, os, sys
from pathlib import Path
from companion.adapters.sqlite import open_store
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
