"""Plays wav files through a program of the system: one volume and one output for all that is heard, words and sounds.

The volume is worked into the samples, because a Pi's HDMI outputs have no mixer of their own. A television sleeps while
nothing is played and swallows the first word; silence that goes before wakes it up.
"""

from __future__ import annotations

import array
import os
import re
import shutil
import subprocess
import sys
import threading
import time
import wave
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import IO

from companion.games.base import Json, Message, msg
from companion.settings import LOUDEST

PATIENCE = 5.0
"""Seconds that a program may take, beyond the length of what it plays."""
TALK = 1_000_000
"""Bytes of complaint after which a program is killed: it would fill the memory."""
SLEEPY = 5.0
"""Seconds without sound after which a television may sleep."""

_APLAY = ("aplay", "-q")
_PLAYERS = (_APLAY, ("pw-play",), ("paplay",), ("ffplay", "-nodisp", "-autoexit", "-loglevel", "error"))
NO_PLAYER = msg("There is no sound: a program that plays it is missing (aplay, for instance).")
NO_DEVICE = msg("There is no sound: no loudspeaker answers. Everything is on the screen.")
_ASLEEP = msg(
    "There is no sound: the television or screen is off, or takes none. Switch it on, or choose another loudspeaker."
)
_BUSY = msg("There is no sound: another program is using the loudspeaker. Close it, or choose another one.")
_NOT_THERE = msg("There is no sound: the loudspeaker that was chosen is not there. Plug it in, or choose another one.")
_FORBIDDEN = msg("There is no sound: this user may not use the loudspeaker. Everything is on the screen.")


class NoSound(Exception):
    """Nothing can be heard. `reason` says why in one sentence; detail: what the program said, for who looks into it."""

    def __init__(self, reason: Message, detail: str = "") -> None:
        super().__init__(reason.id)
        self.reason = reason
        self.detail = detail


class Player:
    """Plays one file after another, by the first program of the list that is there and works.

    volume: percent; output: a name of ALSA's, as `outputs` lists them, nothing for the system's own; lead: seconds of
    silence before what is heard after a pause. All three may change at any time, from any thread.
    """

    def __init__(
        self,
        programs: Sequence[tuple[str, ...]] = _PLAYERS,
        volume: int = LOUDEST,
        output: str = "",
        lead: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.volume = volume
        self.output = self._usual = output
        self.lead = lead
        self._programs = list(programs)
        self._clock = clock
        self._ended = float("-inf")

    def set(self, settings: Mapping[str, Json]) -> bool:
        """Take the settings `volume`, `lead` and `output` (None: the usual one). Whether any of them is there."""
        if "volume" in settings:
            self.volume = int(settings["volume"])
        if "lead" in settings:
            self.lead = float(settings["lead"])
        if "output" in settings:
            wanted = settings["output"]
            self.output = self._usual if wanted is None else str(wanted)
        return not settings.keys().isdisjoint(("volume", "lead", "output"))

    def __call__(self, path: Path, stop: threading.Event) -> None:
        """Play a file to its end, or until `stop` is set. Raises NoSound, or OSError where the file cannot be read."""
        output = self.output
        lead = self.lead if self._clock() - self._ended > SLEEPY else 0.0
        programs = [(*_APLAY, "-D", output)] if output else self._programs
        found = [p for p in programs if shutil.which(p[0])]
        if not found:
            raise NoSound(NO_PLAYER)
        complaints = []
        with _in_memory(changed(path, self.volume, lead)) as memory:
            for program in found:
                code, said = _play(program, path, memory, lead, stop)
                if stop.is_set() or code == 0:
                    self._ended = self._clock()
                    # ask this one first the next time
                    self._programs.sort(key=lambda p: p != program)
                    return
                complaints.append(said)
        said = next(filter(None, complaints), "")
        raise NoSound(_reason(said, bool(output)), said.rpartition("\n")[2])


def _play(
    program: tuple[str, ...], path: Path, memory: int | None, lead: float, stop: threading.Event
) -> tuple[int | None, str]:
    timeout = length(path) + lead + PATIENCE
    if memory is None:
        return call((*program, str(path)), timeout, stop, env=_english())
    return call((*program, f"/dev/fd/{memory}"), timeout, stop, env=_english(), passed=(memory,))


def _reason(said: str, chosen: bool) -> Message:
    """What the words of aplay mean. They are the C library's, and its number where that has no words (ENOTSUPP)."""
    if "error 524" in said:
        # the kernel's driver of HDMI, where no screen is plugged in, or one without loudspeakers
        return _ASLEEP
    if "busy" in said:
        return _BUSY
    if "ermission denied" in said:
        return _FORBIDDEN
    if chosen and ("No such" in said or "Unknown PCM" in said):
        return _NOT_THERE
    return NO_DEVICE


def changed(path: Path, volume: int, lead: float) -> bytes | None:
    """The file at that volume, with so many seconds of silence first; None where it can be played as it is.

    What is no wav file of 16 bits is played as it is. Raises OSError where it cannot be read.
    """
    if volume >= LOUDEST and lead <= 0:
        return None
    try:
        with closing(wave.open(str(path), "rb")) as file:
            form, frames = file.getparams(), file.readframes(file.getnframes())
    except (EOFError, wave.Error):
        return None
    if form.sampwidth != 2:
        return None
    silence = bytes(2 * form.nchannels * round(lead * form.framerate))
    new = BytesIO()
    with closing(wave.open(new, "wb")) as file:
        file.setparams(form)
        file.writeframes(silence + _quieter(frames, volume))
    return new.getvalue()


def _quieter(frames: bytes, volume: int) -> bytes:
    """Samples of 16 bits, little end first, at a volume in percent."""
    if volume >= LOUDEST:
        return frames
    # loudness is felt by its logarithm: the square comes near enough
    gain = (max(0, volume) / LOUDEST) ** 2
    samples = array.array("h", frames[: len(frames) // 2 * 2])
    if sys.byteorder == "big":
        samples.byteswap()
    samples = array.array("h", [int(sample * gain) for sample in samples])
    if sys.byteorder == "big":
        samples.byteswap()
    return samples.tobytes()


@contextmanager
def _in_memory(data: bytes | None) -> Iterator[int | None]:
    """A file that is on no disk: the card wears out, and may be full. None where there is nothing to keep."""
    if data is None:
        yield None
        return
    with os.fdopen(os.memfd_create("gryphon-sound"), "wb") as file:
        file.write(data)
        file.flush()
        yield file.fileno()


# --- what there is ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Output:
    """Something that sounds. name: what ALSA calls it, the same after a restart; text: what people call it."""

    name: str
    text: Message


_LISTED = re.compile(r"card \d+: (?P<card>\S+) \[(?P<title>[^]]*)\], device (?P<device>\d+): (?P<what>.*)")
SYSTEM = Output("", msg("As the system says"))


def outputs(listed: str | None = None) -> list[Output]:
    """The loudspeakers that there are, the system's own choice first. listed: what `aplay -l` says."""
    found = [SYSTEM]
    for line in (_list() if listed is None else listed).splitlines():
        if (match := _LISTED.match(line)) is None:
            continue
        text = _called(match["card"], match["title"], match["what"])
        alike = sum(text in (other.text, other.text.params.get("what")) for other in found)
        if alike:
            text = msg("{what:message}, number {n}", what=text, n=alike + 1)
        found.append(Output(f"plughw:CARD={match['card']},DEV={match['device']}", text))
    return found


def _called(card: str, title: str, what: str) -> Message:
    """What is on the box or beside the socket, where we know the driver; else the card's own title."""
    words = f"{card} {title} {what}".lower()
    if "hdmi" in words:
        number = re.search(r"hdmi[- ]?(\d)", words)
        if number is None:
            return msg("Television or screen (HDMI)")
        # beside the sockets of a Pi 4 and 5 stands HDMI0 and HDMI1, as its driver counts
        return msg("Television or screen (HDMI {n})", n=int(number[1]))
    if "headphones" in words or "bcm2835" in words:
        return msg("Headphone socket")
    return Message("{name}", {"name": title})


def _list() -> str:
    """What `aplay -l` says; nothing where it is missing or there is no card."""
    try:
        code, said = call(("aplay", "-l"), PATIENCE, threading.Event(), env=_english(), aloud=True)
    except OSError:
        return ""
    return "" if code is None else said


# --- programs ---------------------------------------------------------------------------------------------------


def _english() -> dict[str, str]:
    """The environment for a program whose words we read."""
    return {**os.environ, "LC_ALL": "C", "LANGUAGE": "C"}


def call(
    command: Sequence[str],
    timeout: float,
    stop: threading.Event,
    text: bytes = b"",
    env: Mapping[str, str] | None = None,
    passed: Sequence[int] = (),
    aloud: bool = False,
) -> tuple[int | None, str]:
    """Run a program: its exit code, or None where it had to be killed, and what it complained of.

    passed: handles of files that it may use; aloud: what it says on its standard output is wanted as well.
    """
    with (
        os.fdopen(os.memfd_create("gryphon-complaint"), "w+b") as complaint,
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=complaint if aloud else subprocess.DEVNULL,
            stderr=complaint,
            env=env,
            pass_fds=passed,
        ) as process,
    ):
        assert process.stdin is not None
        with suppress(OSError):
            # a sentence is shorter than the buffer of a pipe
            process.stdin.write(text)
            process.stdin.close()
        end = time.monotonic() + timeout
        code = None
        while code is None and not stop.is_set() and time.monotonic() < end and _bytes_in(complaint) < TALK:
            with suppress(subprocess.TimeoutExpired):
                code = process.wait(timeout=0.02)
        if code is None:
            process.kill()
        return code, _said(complaint)


def _bytes_in(complaint: IO[bytes]) -> int:
    return os.fstat(complaint.fileno()).st_size


def _said(complaint: IO[bytes], most: int = 65536) -> str:
    complaint.seek(0)
    return complaint.read(most).decode("utf-8", "replace").strip()


def length(path: Path) -> float:
    """Seconds; 0 where it is no wav file."""
    try:
        with closing(wave.open(str(path))) as sound:
            return float(sound.getnframes() / sound.getframerate())
    except (OSError, EOFError, wave.Error, ZeroDivisionError):
        return 0.0
