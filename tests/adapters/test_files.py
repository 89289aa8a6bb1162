"""Files that are written whole or not at all, where the system itself says no."""

from __future__ import annotations

import errno
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.adapters import files


@pytest.fixture
def small() -> Iterator[None]:
    """No file of this process may get longer than 100 bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_half_a_file_is_none(tmp_path: Path, small: None) -> None:
    path = tmp_path / "game.txt"
    files.write(path, "old")
    with pytest.raises(OSError) as caught:
        files.write(path, "new" * 100)
    assert (caught.value.errno, caught.value.filename) == (errno.EFBIG, str(path))
    assert [p.name for p in tmp_path.iterdir()] == ["game.txt"]
    assert path.read_text() == "old"


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
    ],
)
def test_every_refusal_has_a_sentence_of_ours(tmp_path: Path, number: int, at: str, says: str) -> None:
    (tmp_path / "a.txt").write_text("here")
    assert says in files.why(OSError(number, "No space left on device"), tmp_path / at).id
