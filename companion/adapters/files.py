"""Files beside the file of games: written whole or not at all; and what a disk refuses, in words."""

from __future__ import annotations

import errno
import fcntl
import os
import secrets
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.games.base import Message, msg

_FULL = (errno.ENOSPC, errno.EDQUOT)
_NO_FOLDER = (errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.EEXIST, errno.ENOENT)
_NOTHING = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)

LARGEST = 1_000_000
"""Bytes of a file that people write."""
LEFT = 600.0
"""Seconds after which nobody is at a half-written file any more."""


def write(path: Path, words: str | bytes, mode: int = 0o666) -> None:
    """Write a file whole or not at all, synced: it carries its name only then. Raises OSError, which names the file."""
    _sweep(path.parent)
    part = path.with_name(f".gryphon-{secrets.token_hex(4)}.part")
    with about(path):
        # never what lies there already, nor what a link there leads to
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(words.encode() if isinstance(words, str) else words)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except BaseException:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise
    # the file is whole and has its name; some sticks cannot sync a folder
    with suppress(OSError):
        sync(path.parent)


def read(path: Path, most: int = LARGEST) -> bytes:
    """A whole file of so many bytes at most; what never ends keeps nobody waiting. Raises OSError, as `about` does."""
    with about(path):
        # without O_NONBLOCK a pipe waits for somebody to open its other end
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
        with os.fdopen(handle, "rb") as file:
            mode = os.fstat(handle).st_mode
            if not (stat.S_ISREG(mode) or (stat.S_ISCHR(mode) and not file.isatty())):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            data = file.read(most + 1) or b""
        if len(data) > most:
            raise OSError(errno.EOVERFLOW, os.strerror(errno.EOVERFLOW))
    return data


def text(path: Path) -> str:
    """What a file says, in UTF-8, with or without the mark that some editors put first. Raises OSError."""
    with about(path):
        try:
            return read(path).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise OSError(errno.EILSEQ, os.strerror(errno.EILSEQ)) from error


def _sweep(folder: Path) -> None:
    """Away with what a write left that was killed. One that another program is at is younger."""
    with suppress(OSError):
        for left in folder.glob(f".gryphon-{'[0-9a-f]' * 8}.part"):
            if abs(time.time() - left.lstat().st_mtime) > LEFT:
                left.unlink()


def make_folder(folder: Path) -> None:
    """The folder and those above it, readable for their owner only: a journal holds locked cards. Raises OSError."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    sync(folder.parent)


def sync(folder: Path) -> None:
    """A new name in a folder is on the disk only after this. Raises OSError."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def about(path: Path) -> Iterator[None]:
    """Every OSError in here names this file: what is full or unreadable does not say so itself."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


def why(error: OSError, path: Path) -> Message:
    """Why a file cannot be written or read, and what to do. Begins small: it stands after a colon."""
    number = error.errno or 0
    if number in _FULL:
        return full()
    if number == errno.EROFS:
        return read_only()
    if number == errno.ENAMETOOLONG:
        return msg("its name or that of its folder is too long. Choose a shorter one.")
    if number in (*_NO_FOLDER, errno.ELOOP) and (link := _dead_link(path)) is not None:
        return msg('"{link}" leads to "{target}", which is not there. Plug that disk in, or remove the link.',
                   link=str(link), target=os.path.realpath(link))  # fmt: skip
    if number == errno.EOVERFLOW:
        return msg("it is too large to be one of ours.")
    if number == errno.EILSEQ:
        return msg("it is no text in UTF-8. Save it as that.")
    if number == errno.EISDIR:
        return msg("it is not a file. Move it away, or name another one.")
    # of os.path, which says no where we may not even look
    if number == errno.ENOENT and os.path.isdir(path.parent):  # noqa: PTH112
        return msg("there is no such file.")
    if number in (errno.EACCES, errno.EPERM) and os.path.isfile(path):  # noqa: PTH113
        return not_ours()
    if number in _NO_FOLDER:
        return no_folder(path)
    return msg("the disk does not answer as it should ({error}). Check the card or the drive.",
               error=errno.errorcode.get(number, type(error).__name__))  # fmt: skip


def full() -> Message:
    """The disk has no room left."""
    return msg("the disk is full. Make some room; then it works again.")


def read_only() -> Message:
    """The disk is mounted so, or its switch stands so."""
    return msg("the disk can only be read. Once it can be written, it works again.")


def not_ours() -> Message:
    """The file is somebody else's."""
    return msg("it must belong to who runs the companion.")


def no_folder(path: Path) -> Message:
    """The folder of the file is missing, or a file, or somebody else's."""
    # of os.path, which says no where we may not even look
    if (file := next((place for place in path.parents if os.path.isfile(place)), None)) is not None:  # noqa: PTH113
        return msg('"{file}" is a file and can hold no other. Move it away, or name a folder.', file=str(file))
    return msg('the folder "{folder}" cannot be used. It must exist and belong to who runs the companion.',
               folder=str(path.parent))  # fmt: skip


def no_locks() -> Message:
    """The file system has no locks, as some of a network or of a stick."""
    return msg("this folder cannot be locked, so two programs could write at once. Keep games on the Pi's own card:"
               " --data.")  # fmt: skip


HELD = (errno.EACCES, errno.EAGAIN)
"""What a lock says while somebody else has it; all else means that there can be no lock."""


def locks(folder: Path) -> bool:
    """Whether files in the folder can be locked at all; where nothing can be made there to try it, they can."""
    try:
        # never a file that somebody uses: closing it would end every lock that this process has on it
        file = tempfile.TemporaryFile(dir=folder, prefix=".gryphon-")  # noqa: SIM115  closed below
    except OSError:
        return True
    with file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            return error.errno in HELD
    return True


def _dead_link(path: Path) -> Path | None:
    """The link on the way to the file that leads to nothing, as to a disk that is not plugged in."""
    for place in (path, *path.parents):
        try:
            if place.is_symlink():
                place.stat()
        except OSError as error:
            # where we may not look is no dead end
            if error.errno in _NOTHING:
                return place
    return None


def follow(path: Path) -> None:
    """Raises OSError where a link on the way to the file leads to nothing: nothing may be made in its place."""
    if _dead_link(path) is not None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))


def state(path: Path) -> str:
    """`full`, `read-only` or nothing, of the disk that the file lies on, or would."""
    try:
        while not path.exists() and path != path.parent:
            path = path.parent
        disk = os.statvfs(path)
    except OSError:
        return ""
    if disk.f_flag & os.ST_RDONLY:
        return "read-only"
    # the smallest write needs a few pages
    return "full" if disk.f_blocks and disk.f_bavail * disk.f_frsize < 65536 else ""
