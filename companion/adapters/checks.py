"""Checks of the outside: can games be kept, can anybody hear the voice, and does a broker answer?"""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
import threading
import time
import wave
from collections.abc import Callable
from pathlib import Path

from companion.adapters import files, mending, sqlite_file
from companion.adapters.player import NO_PLAYER, NoSound, Player
from companion.adapters.speech import NO_VOICE, Play, Voice
from companion.games.base import msg
from companion.health import FAULT, OK, WARNING, Finding

DISK, SOUND, BROKER = msg("Disk"), msg("Sound"), msg("Broker")
SLOW = 1.0
"""Seconds for a small write after which a card is called slow: everyone at the table would feel it."""
ROOM = 100
"""Megabytes below which it gets narrow."""
PASSING = ("overlay", "tmpfs", "ramfs")
"""File systems that forget everything when the plug is pulled (a read-only root keeps its changes in one)."""


def disk(database: Path, mounts: Path = Path("/proc/mounts"), clock: Callable[[], float] = time.monotonic) -> Finding:
    """A real write into the data folder, synced, and read again; and whether the saved games can be read."""
    folder = database.parent
    try:
        files.make_folder(folder)
        took = _write(folder, clock)
        free = shutil.disk_usage(folder).free // 1_000_000
    except OSError as error:
        return Finding(DISK, FAULT, msg("{folder} cannot be written.", folder=folder), sqlite_file.why(error, database))
    if (reason := mending.trouble(database) if files.locks(folder) else files.no_locks()) is not None:
        return Finding(DISK, FAULT, msg("{file} cannot be used.", file=database), reason)
    ms = round(took * 1000)
    text = msg("{folder}: written and synced in {ms} ms, {free} MB free.", folder=folder, ms=ms, free=free)
    if _kind(folder, mounts) in PASSING:
        remedy = msg("What is kept there is forgotten when the plug is pulled. Put the data on a partition of its own.")
        return Finding(DISK, WARNING, text, remedy)
    if took > SLOW:
        return Finding(DISK, WARNING, text, msg("That is slow. The card may be worn out: copy it to a new one."))
    if free < ROOM:
        return Finding(DISK, WARNING, text, msg("Make some room."))
    return Finding(DISK, OK, text)


def _write(folder: Path, clock: Callable[[], float]) -> float:
    """Seconds that it took. Raises OSError, also where something else comes back than was written."""
    handle, name = tempfile.mkstemp(dir=folder, prefix="doctor-")
    data = os.urandom(4096)
    before = clock()
    try:
        try:
            os.write(handle, data)
            os.fsync(handle)
        finally:
            os.close(handle)
        took = clock() - before
        if Path(name).read_bytes() != data:
            raise OSError("another text came back")
    finally:
        Path(name).unlink(missing_ok=True)
    return took


def _kind(folder: Path, mounts: Path) -> str:
    """The file system that the folder lies on; nothing where the system does not tell."""
    try:
        lines = [line.split() for line in mounts.read_text(encoding="utf-8", errors="replace").splitlines()]
    except OSError:
        return ""
    at = {Path(parts[1]): parts[2] for parts in lines if len(parts) > 2}
    return next((at[place] for place in (folder.resolve(), *folder.resolve().parents) if place in at), "")


def sound(lang: str, player: Play | None = None, speaker: str = "espeak-ng", output: str = "") -> Finding:
    """The voice speaks into a file, and a moment of silence is played. A table without sound works, too.

    output: the loudspeaker that people, else the installer, have chosen; nothing for the system's own.
    """
    stop = threading.Event()
    with tempfile.TemporaryDirectory(prefix="gryphon-doctor-") as folder:
        try:
            Voice(Path(folder, "voice"), speaker).file(lang, "1", stop)
            (player or Player(output=output))(_silence(Path(folder, "silence.wav")), stop)
        except NoSound as error:
            remedy = msg("Plug a loudspeaker in, and choose it on the screen: Settings, Sound.")
            if error.reason in (NO_VOICE, NO_PLAYER):
                remedy = msg("In a terminal: sudo apt update && sudo apt install espeak-ng alsa-utils")
            if not error.detail:
                return Finding(SOUND, WARNING, error.reason, remedy)
            text = msg("{reason:message} ({detail})", reason=error.reason, detail=error.detail)
            return Finding(SOUND, WARNING, text, remedy)
    return Finding(SOUND, OK, msg("The voice speaks, and a loudspeaker takes it."))


def _silence(path: Path) -> Path:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(22050)
        file.writeframes(bytes(2 * 2205))
    return path


MQTT = 1883
"""The port of a broker."""
_GREETING = b"\x10\x0c\x00\x04MQTT\x04\x02\x00\x05\x00\x00"  # CONNECT: MQTT 3.1.1, clean session, five seconds, no name
_ANSWER = b"\x20\x02"  # CONNACK, whether it lets us in or not


def broker(port: int = MQTT, seconds: float = 2.0) -> Finding:
    """Whether an MQTT broker answers on this machine. Nothing of ours uses one, so none is missed."""
    try:
        with socket.create_connection(("localhost", port), seconds) as line:
            line.sendall(_GREETING)
            answers = line.recv(4, socket.MSG_WAITALL).startswith(_ANSWER)
    except OSError:
        answers = False
    if answers:
        return Finding(BROKER, OK, msg("One answers on this machine. Nothing here uses it yet."))
    return Finding(BROKER, OK, msg("None on this machine, and none is needed."))
