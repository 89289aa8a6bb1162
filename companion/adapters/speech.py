"""Voice and sounds of the table: espeak-ng speaks each sentence into a file, a player plays it. In a thread of its own.

An outcome is first heard as sounds (sounds.py), then in words; each of the two can be turned off.

A newer outcome silences an older one, but never the end of a game or the last round. Where there is no voice or no
loudspeaker, the screen says so once, and the voice is silent for a while before it tries again.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import os
import re
import shutil
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from companion.adapters import sounds
from companion.adapters.faults import Faults
from companion.adapters.player import NO_DEVICE, PATIENCE, NoSound, Player, call, length, outputs
from companion.adapters.sounds import DEVICE_LOST, Sounds
from companion.games import GAMES, find_game
from companion.games.base import Message, Note, msg
from companion.settings import LOUDEST
from companion.table.names import legible, sayable
from companion.table.ports import Announcement, Home, ListOutputs, Outcome, SayAgain, SayThis, Snapshot, Status
from companion.wording import Wording

log = logging.getLogger(__name__)

Play = Callable[[Path, threading.Event], None]
"""Plays a wav file to its end, or until the event is set (player.Player). Raises NoSound or OSError where it cannot."""

SILENCE = 60.0
"""Seconds without a further try after the sound has failed."""
CACHE_BYTES = 32 * 1024 * 1024
"""A sentence takes about 130 kB."""
WAITING = 8
"""Utterances that may wait, all of them lasting ones but the newest; and as many remarks about devices."""

_VOICES = {"en": "en-us", "pt": "pt-br"}
NO_VOICE = msg("There is no voice: espeak-ng is missing or does not work. Everything is on the screen.")
_NO_ROOM = msg("There is no voice: no room is left on the disk. Everything is on the screen.")
_FULL = (errno.ENOSPC, errno.EDQUOT)
_NO_TABLE: tuple[str, Mapping[str, str]] = (GAMES[0].id, {})
"""Whose words are used while no game is open, and who sits there."""
_USUAL = {"voice": True, "sounds": True, "still": False, "volume": LOUDEST, "lead": 0, "output": None}
"""Settings that count while nobody has said anything."""
_MUTED = msg("The voice is off. Turn it on in the menu.")


# --- what is said -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Utterance:
    """What is to be heard of one outcome: sounds, then words.

    lasting: nothing newer silences it; remark: of a device, it goes first; whole: a remark has broken in on it, which
    none does a second time; stop: set when it is not wanted now.
    """

    game: str
    names: Mapping[str, str]
    messages: tuple[Message, ...]
    lasting: bool = False
    notes: tuple[Note, ...] = ()
    remark: bool = False
    whole: bool = False
    stop: threading.Event = field(default_factory=threading.Event, compare=False)


def utterance(outcome: Outcome) -> Utterance | None:
    """What is to be heard of an outcome; nothing where it is None."""
    now, before = outcome.now, outcome.before
    if outcome.kind == "nothing":
        return None
    messages = list(outcome.messages)
    lasting = False
    if outcome.kind == "done" and before is not None:
        messages += [m for m in _awaited(before, now) if m not in messages]
        ends = bool(now.decision) and not before.decision
        last_round = bool(now.view.get("final")) and not before.view.get("final")
        lasting = ends or last_round
    notes = sounds.notes(outcome)
    return Utterance(now.game, now.names, tuple(messages), lasting, notes) if messages or notes else None


def _awaited(before: Snapshot, now: Snapshot) -> list[Message]:
    """Who is awaited, if that has changed."""
    seats = [seat for seat, _ in now.awaited]
    if seats == [seat for seat, _ in before.awaited]:
        return []
    tasks: list[Message] = []
    for _, task in now.awaited:
        if task not in tasks:
            tasks.append(task)
    if len(tasks) < 2:
        return tasks
    if now.moment == before.moment:
        return [msg("Waiting for {seats:seats}.", seats=seats)]
    return [msg("{seats:seats}, choose your next card in secret.", seats=seats)]


_CARD = re.compile(r"(\d+) \(([^()]*)\)")
_SQUARE = re.compile(r"\b([a-z])([1-9])\b")
_NOT_SPOKEN = re.compile(r'["“”«»\[\]{}<>|\\^~`*_#]|[\x00-\x1f\x7f]')
_LETTERS = {
    # "a" alone is read as an article, the Portuguese "e" as "and"
    "en": {"a": "eh"},
    "pt": {"a": "á", "b": "bê", "c": "cê", "d": "dê", "e": "é", "f": "efe", "g": "gê", "h": "agá"},
}


def ear(text: str, lang: str) -> str:
    """A sentence for the ear: squares by letter and number, cards by number and name, no signs."""
    letters = _LETTERS.get(lang, {})
    text = _CARD.sub(r"\1, \2", text)
    text = _SQUARE.sub(lambda found: f"{letters.get(found[1], found[1])} {found[2]}", text)
    return " ".join(_NOT_SPOKEN.sub(" ", text).split())


# --- the announcer ----------------------------------------------------------------------------------------------


class Speech:
    """An Announcer that speaks. `post` takes what the screen has to say about the sound.

    player: plays a file; folder: where spoken sentences are kept, else one that goes away with the program; sounds:
    where the sounds come from, None for none.
    """

    def __init__(
        self,
        lang: str,
        post: Callable[[Status], Any],
        player: Play | None = None,
        folder: Path | None = None,
        speaker: str = "espeak-ng",
        clock: Callable[[], float] = time.monotonic,
        sounds: Sounds | None = None,
    ) -> None:
        self._lang = lang
        self._post = post
        self._player = player or Player()
        self._clock = clock
        self._voice = Voice(folder, speaker)
        self._changed = threading.Condition()
        self._waiting: deque[Utterance] = deque()
        self._current: Utterance | None = None
        self._last: Utterance | None = None
        self._heard: tuple[str, int] = ("", 0)
        self._faults = Faults(clock)
        self._table: tuple[str, Mapping[str, str]] = _NO_TABLE
        self._sounds = sounds
        self._sounding = sounds is not None
        self._muted = False
        self._closed = False
        self._silent_until: float | None = None
        self._thread = threading.Thread(target=self._run, name="speech", daemon=True)
        self._thread.start()

    def announce(self, what: Announcement) -> None:
        """Take one announcement; returns at once."""
        match what:
            case Outcome():
                self._outcome(what)
            case ListOutputs():
                threading.Thread(target=self._list, name="outputs", daemon=True).start()
            case SayAgain():
                self._again()
            case SayThis(messages) if messages:
                self._say(Utterance(*self._table, messages))
            case Home(settings=settings):
                self._heard = ("", 0)
                self._table = _NO_TABLE
                self._set({name: settings.get(name, usual) for name, usual in _USUAL.items()})
                self._hush()
            case Status(kind="setting", data=settings):
                self._set(settings)
            case Status(kind="device", key=key, message=None):
                self._faults.end(key)
            case Status(kind="device", key=key, message=Message() as message, data=data):
                lost = bool(data.get("lost"))
                self._remark(self._faults.begin(key, message, lost), (DEVICE_LOST,) if lost else ())
            case Status(kind="tag", message=Message() as message):
                self._remark((message,))

    def mute(self, muted: bool) -> None:
        """Be silent, or speak again. That the voice is off stands on the screen."""
        if muted == self._muted:
            return
        self._muted = muted
        if muted:
            self._hush(lasting=True)
        self._post(Status("voice", "sound", _MUTED if muted else None))

    def close(self) -> None:
        """Be silent at once and end."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._hush(lasting=True)
        self._thread.join(timeout=0.9)
        self._voice.close()
        if self._sounds is not None:
            self._sounds.close()

    # --- what comes in --------------------------------------------------------------------------------------------

    def _set(self, settings: Mapping[str, Any]) -> None:
        """The settings `lang`, `voice`, `sounds`, `still`, `volume`, `lead` and `output`."""
        if isinstance(lang := settings.get("lang"), str):
            self._lang = lang
        if isinstance(voice := settings.get("voice"), bool):
            self.mute(not voice)
        if self._sounds is not None and isinstance(on := settings.get("sounds"), bool):
            self._sounding = on
        if self._sounds is not None and isinstance(still := settings.get("still"), bool):
            self._sounds.still = still
        if isinstance(self._player, Player) and self._player.set(settings):
            # who has just chosen wants to hear it
            self._silent_until = None if self._silent_until is None else self._clock()

    def _outcome(self, outcome: Outcome) -> None:
        now = outcome.now
        self._table = now.game, now.names
        if outcome.kind == "done":
            if outcome.before is not None and now.game == self._heard[0] and now.seq <= self._heard[1]:
                return
            self._heard = (now.game, now.seq)
        said = utterance(outcome)
        if said is not None:
            self._say(said)

    def _list(self) -> None:
        """Tell which loudspeakers there are; the program that lists them may take its time."""
        found = [(output.name, output.text) for output in outputs()]
        self._post(Status("outputs", "outputs", None, {"outputs": found}))

    def _again(self) -> None:
        if self._last is not None:
            self._say(replace(self._last, lasting=False, notes=(), stop=threading.Event()), again=True)

    def _say(self, said: Utterance, again: bool = False) -> None:
        with self._changed:
            current = self._current
            if not again and current is not None and current == said and not current.stop.is_set():
                # the same touch once more while we are still saying why not
                return
            if said.messages:
                self._last = said
            said = self._audible(said)
            if self._closed or not (said.messages or said.notes):
                return
            self._drop(lasting=False)
            remarks = [u for u in self._waiting if u.remark]
            others = [u for u in self._waiting if not u.remark][1 - WAITING :]
            self._queue([*remarks, *others, said])

    def _audible(self, said: Utterance) -> Utterance:
        """What is left of it by the settings."""
        notes = said.notes if self._sounding else ()
        return replace(said, messages=() if self._muted else said.messages, notes=notes)

    def _remark(self, messages: tuple[Message, ...], notes: tuple[Note, ...] = ()) -> None:
        """Say of a device at once what is wrong, after what is said of others; then what it broke in on, all of it."""
        if not messages:
            return
        with self._changed:
            said = self._audible(Utterance(*self._table, messages, lasting=True, notes=notes, remark=True))
            current = self._current if self._current is not None and not self._current.stop.is_set() else None
            if self._closed or not (said.messages or said.notes) or said == current or said in self._waiting:
                return
            if current is not None and not current.remark and not current.whole:
                current.stop.set()
                self._waiting.appendleft(replace(current, notes=(), whole=True, stop=threading.Event()))
            remarks = [u for u in self._waiting if u.remark][1 - WAITING :]
            others = [u for u in self._waiting if not u.remark]
            self._queue([*remarks, said, *others])

    def _queue(self, waiting: Iterable[Utterance]) -> None:
        """What waits from now on."""
        self._waiting.clear()
        self._waiting.extend(waiting)
        self._changed.notify()

    def _hush(self, lasting: bool = False) -> None:
        with self._changed:
            self._drop(lasting)

    def _drop(self, lasting: bool) -> None:
        """Drop what is said and what waits; what is lasting too, or not."""
        if self._current is not None and (lasting or not self._current.lasting):
            self._current.stop.set()
        self._queue([u for u in self._waiting if u.lasting and not lasting])

    # --- the thread -----------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            with self._changed:
                self._current = None
                while not self._waiting and not self._closed:
                    self._changed.wait()
                if self._closed:
                    return
                said = self._current = self._waiting.popleft()
            try:
                self._speak(said)
            except NoSound as error:
                self._failed(error.reason)
            except OSError:
                self._failed(NO_DEVICE)
            except Exception:
                log.exception("a sentence could not be spoken")

    def _speak(self, said: Utterance) -> None:
        if self._silent_until is not None and self._clock() < self._silent_until:
            return
        game = find_game(said.game)
        lang = self._lang
        people = legible(said.names, sayable)
        words = Wording(lang, game.term, people) if game else Wording(lang, names=people)
        if said.notes and self._sounds is not None:
            self._play(self._sounds.file(said.notes), said.stop)
        for message in said.messages:
            if said.stop.is_set():
                return
            path = self._voice.file(lang, ear(words(message), lang), said.stop)
            if said.stop.is_set():
                return
            self._play(path, said.stop)

    def _play(self, path: Path, stop: threading.Event) -> None:
        self._player(path, stop)
        if self._silent_until is not None and not stop.is_set():
            self._silent_until = None
            self._post(Status("sound", "sound", None))

    def _failed(self, reason: Message) -> None:
        first = self._silent_until is None
        self._silent_until = self._clock() + SILENCE
        if first:
            log.warning("no sound: %s", reason.id)
            self._post(Status("sound", "sound", reason))


# --- the outside ------------------------------------------------------------------------------------------------


class Voice:
    """Sentences as wav files, each spoken once and kept. `folder` None: a temporary one."""

    def __init__(self, folder: Path | None = None, speaker: str = "espeak-ng", limit: int = CACHE_BYTES) -> None:
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._folder = folder or self._elsewhere()
        self._speaker = speaker
        self._limit = limit

    def close(self) -> None:
        """Throw a temporary folder away."""
        if self._temporary is not None:
            with suppress(OSError):
                self._temporary.cleanup()

    def _elsewhere(self) -> Path:
        """A folder that goes away with the program."""
        self._temporary = tempfile.TemporaryDirectory(prefix="gryphon-voice-")
        return Path(self._temporary.name)

    def file(self, lang: str, text: str, stop: threading.Event) -> Path:
        """The sentence as a wav file. Raises NoSound.

        The folder is a cache: where nothing can be written into it (it was made by another user), a temporary one does.
        """
        name = hashlib.sha256(f"{lang}\0{text}".encode("utf-8", "replace")).hexdigest()[:32] + ".wav"
        path = self._folder / name
        if length(path):
            with suppress(OSError):
                os.utime(path)
            return path
        if self._temporary is None and not _takes_files(self._folder):
            log.warning("nothing can be written into %s: sentences are kept for this time only", self._folder)
            with suppress(OSError):
                self._folder = self._elsewhere()
            path = self._folder / name
        part = path.with_suffix(".part")
        try:
            command = (self._speaker, "-v", _VOICES.get(lang, lang), "-w", str(part), "--stdin")
            done, _ = call(command, PATIENCE, stop, text.encode("utf-8", "replace"))
            if stop.is_set():
                return path
            if done != 0 or not length(part):
                part.unlink(missing_ok=True)
                raise NoSound(_NO_ROOM if shutil.disk_usage(self._folder).free < 1 << 20 else NO_VOICE)
            part.replace(path)
            self._prune(path)
        except FileNotFoundError:
            raise NoSound(NO_VOICE) from None
        except OSError as error:
            raise NoSound(_NO_ROOM if error.errno in _FULL else NO_VOICE) from None
        return path

    def _prune(self, newest: Path) -> None:
        """The files that were not used for longest go, so that all take no more than the limit."""
        files = sorted(((p.stat(), p) for p in self._folder.glob("*.wav") if p != newest), key=lambda f: f[0].st_mtime)
        total = newest.stat().st_size + sum(stat.st_size for stat, _ in files)
        for stat, path in files:
            if total <= self._limit:
                return
            path.unlink(missing_ok=True)
            total -= stat.st_size


def _takes_files(folder: Path) -> bool:
    """Whether a file can be made there."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError as error:
        # on a full disk another folder would not help
        return error.errno in _FULL
