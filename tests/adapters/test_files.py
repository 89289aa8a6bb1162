"""Files that are written whole or not at all, where the system itself says no."""

from __future__ import annotations

import errno
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.adapters import files


@contextmanager
def small() -> Iterator[None]:
    """No file of this process may get longer than 100 bytes; that of the test's own report neither."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_half_a_file_is_none(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    files.write(path, "old")
    with small(), pytest.raises(OSError) as caught:
        files.write(path, "new" * 100)
    assert (caught.value.errno, caught.value.filename) == (errno.EFBIG, str(path))
    assert [p.name for p in tmp_path.iterdir()] == ["game.txt"]
    assert path.read_text() == "old"


def test_what_lies_beside_a_file_is_left_alone(tmp_path: Path) -> None:
    """A file of the name that ours had while it was written, and what a link of that name leads to."""
    (tmp_path / "a.txt.part").write_text("theirs")
    (tmp_path / "kept").write_text("kept")
    (tmp_path / "b.txt.part").symlink_to("kept")
    for name in ("a.txt", "b.txt", "n" * 255):
        files.write(tmp_path / name, "ours")
        assert (tmp_path / name).read_text() == "ours"
    assert (tmp_path / "a.txt.part").read_text() == "theirs"
    assert (tmp_path / "b.txt.part").is_symlink() and (tmp_path / "kept").read_text() == "kept"
    assert len(list(tmp_path.iterdir())) == 6


def test_a_name_that_is_taken_is_not_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files.secrets, "token_hex", lambda _count: "00000000")
    (tmp_path / "kept").write_text("kept")
    (tmp_path / ".gryphon-00000000.part").symlink_to("kept")
    with pytest.raises(FileExistsError):
        files.write(tmp_path / "a.txt", "ours")
    assert (tmp_path / "kept").read_text() == "kept"
    assert not (tmp_path / "a.txt").exists()


def test_what_a_killed_write_left_is_cleared_away(tmp_path: Path) -> None:
    old, new, theirs = (tmp_path / f".gryphon-{name}.part" for name in ("0badcafe", "1badcafe", "notes"))
    for path in (old, new, theirs):
        path.touch()
    os.utime(old, (0, 0))
    os.utime(theirs, (0, 0))
    files.write(tmp_path / "a.txt", "ours")
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([new.name, theirs.name, "a.txt"])


def test_what_never_ends_keeps_nobody_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    mine, theirs = os.openpty()
    (tmp_path / "large").write_bytes(b"a" * (files.LARGEST + 1))
    for path, says in (
        (Path("/dev/zero"), "too large"), (Path("/dev/full"), "too large"), (tmp_path / "large", "too large"),
        (tmp_path / "pipe", "not a file"), (tmp_path, "not a file"), (Path(os.ttyname(theirs)), "not a file"),
    ):  # fmt: skip
        with pytest.raises(OSError, match=str(path)) as caught:
            files.text(path)
        assert says in files.why(caught.value, path).id
    os.close(mine)
    os.close(theirs)
    assert files.text(Path("/dev/null")) == ""


@pytest.mark.parametrize(
    ("number", "at", "says"),
    [
        (errno.ENOSPC, "a.txt", "the disk is full"),
        (errno.EDQUOT, "a.txt", "the disk is full"),
        (errno.EROFS, "a.txt", "can only be read"),
        (errno.ENOENT, "b.txt", "no such file"),
        (errno.ENOENT, "nowhere/b.txt", "folder"),
        (errno.EACCES, "a.txt", "must belong"),
        (errno.EACCES, "b.txt", "folder"),
        (errno.EEXIST, "b.txt", "folder"),
        (errno.EIO, "a.txt", "does not answer"),
        (errno.ENAMETOOLONG, "a.txt", "too long"),
        (errno.ENOTDIR, "a.txt/b.txt", '"{file}" is a file'),
        (errno.EEXIST, "a.txt/deep/b.txt", '"{file}" is a file'),
        (errno.ENOENT, "dead", '"{link}" leads to "{target}"'),
        (errno.EEXIST, "dead/b.txt", '"{link}" leads to "{target}"'),
        (errno.ELOOP, "round", '"{link}" leads to "{target}"'),
    ],
)
def test_every_refusal_has_a_sentence_of_ours(tmp_path: Path, number: int, at: str, says: str) -> None:
    (tmp_path / "a.txt").write_text("here")
    (tmp_path / "dead").symlink_to("gone")
    (tmp_path / "round").symlink_to("round")
    assert says in files.why(OSError(number, "No space left on device"), tmp_path / at).id
