"""One volume and one output for all that is heard, by real programs: an aplay of our own keeps what it gets."""

import array
import os
import threading
import wave
from pathlib import Path

import pytest

from companion.adapters import player
from companion.adapters.player import SYSTEM, NoSound, Player, outputs
from companion.wording import Wording, languages

LISTED = """**** List of PLAYBACK Hardware Devices ****
card 0: vc4hdmi0 [vc4-hdmi-0], device 0: MAI PCM i2s-hifi-0 [MAI PCM i2s-hifi-0]
  Subdevices: 1/1
  Subdevice #0: subdevice #0
card 1: vc4hdmi1 [vc4-hdmi-1], device 0: MAI PCM i2s-hifi-0 [MAI PCM i2s-hifi-0]
  Subdevices: 1/1
card 2: Headphones [bcm2835 Headphones], device 0: bcm2835 Headphones [bcm2835 Headphones]
  Subdevices: 8/8
card 3: Device [USB Audio Device], device 0: USB Audio [USB Audio]
card 4: Device_1 [USB Audio Device], device 0: USB Audio [USB Audio]
card 5: sndrpihifiberry [snd_rpi_hifiberry_dac], device 0: HifiBerry DAC HiFi pcm5102a-hifi-0 []
"""


@pytest.fixture
def wav(tmp_path) -> Path:
    """Half a second, as loud as it gets."""
    path = tmp_path / "loud.wav"
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(array.array("h", [30000, -30000] * 2000).tobytes())
    return path


@pytest.fixture
def aplay(tmp_path, monkeypatch):
    """Installs a program of that name; gives what it was called with and what it was given to play."""
    folder = tmp_path / "programs"
    folder.mkdir()

    class Installed:
        calls = property(lambda self: (folder / "calls").read_text().splitlines())

        def says(self, text: str, code: int = 1, name: str = "aplay") -> None:
            program = folder / name
            last = f'for last; do :; done; cp "$last" {folder}/played.wav; echo "{name} $*" >> {folder}/calls'
            program.write_text(f"#!/bin/bash\n{last}\necho '{text}' >&2\nexit {code}\n")
            program.chmod(0o755)

        @property
        def played(self) -> array.array:
            with wave.open(str(folder / "played.wav")) as file:
                return array.array("h", file.readframes(file.getnframes()))

    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}/usr/bin{os.pathsep}/bin")
    made = Installed()
    made.says("", 0)
    return made


def play(player: Player, path: Path) -> None:
    player(path, threading.Event())


def fault(player: Player, path: Path) -> NoSound:
    with pytest.raises(NoSound) as caught:
        play(player, path)
    return caught.value


def test_at_full_volume_the_file_is_played_as_it_is(aplay, wav):
    play(Player(), wav)
    assert aplay.calls == [f"aplay -q {wav}"]


def test_a_lower_volume_is_heard_and_each_step_is_less(aplay, wav):
    player, peaks = Player(), []
    for volume in (100, 70, 45, 25, 0):
        player.set({"volume": volume})
        play(player, wav)
        peaks.append(max(map(abs, aplay.played)))
        assert len(aplay.played) == 4000
    assert peaks[0] == 30000 and peaks[-1] == 0
    assert peaks == sorted(peaks, reverse=True) and len(set(peaks)) == 5


def test_the_volume_leaves_nothing_on_the_disk(aplay, wav, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", "/nowhere")
    monkeypatch.setattr("tempfile.tempdir", None)
    before = sorted(tmp_path.rglob("*.wav"))
    play(Player(volume=50), wav)
    assert sorted(path for path in tmp_path.rglob("*.wav") if path.name != "played.wav") == before


def test_silence_goes_before_what_is_heard_after_a_pause_and_not_before_the_rest(aplay, wav):
    now = [0.0]
    player = Player(lead=1.0, clock=lambda: now[0])
    lengths = []
    for time in (0.0, 1.0, 60.0):
        now[0] = time
        play(player, wav)
        lengths.append(len(aplay.played))
        assert aplay.played[-4000:] == array.array("h", [30000, -30000] * 2000)
    assert lengths == [12000, 4000, 12000]
    assert not any(aplay.played[:8000])


def test_the_output_that_was_chosen_is_the_only_one_that_is_asked(aplay, wav):
    aplay.says("aplay: main:831: audio open error: No such device")
    aplay.says("", 0, name="paplay")
    player = Player()
    player.set({"output": "plughw:CARD=Headphones,DEV=0"})
    assert "is not there" in fault(player, wav).reason.id
    assert aplay.calls == [f"aplay -q -D plughw:CARD=Headphones,DEV=0 {wav}"]
    player.set({"output": ""})
    play(player, wav)
    assert aplay.calls[-1] == f"paplay {wav}"


def test_the_installers_output_counts_until_somebody_chooses(aplay, wav):
    player = Player(output="plughw:CARD=Device,DEV=0")
    play(player, wav)
    for wish in ("", None):
        player.set({"output": wish})
        play(player, wav)
    chosen = [" -D plughw:CARD=Device,DEV=0" in call for call in aplay.calls]
    assert chosen == [True, False, True]


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("aplay: main:831: audio open error: Unknown error 524", "the television or screen is off"),
        ("aplay: main:831: audio open error: Device or resource busy", "another program is using"),
        ("aplay: main:831: audio open error: Permission denied", "this user may not use"),
        ("aplay: main:831: audio open error: No such file or directory", "no loudspeaker answers"),
        ("", "no loudspeaker answers"),
    ],
)
def test_why_nothing_is_heard(aplay, wav, said, reason):
    aplay.says(f"ALSA lib confmisc.c:855:(parse_card) cannot find card\n{said}" if said else "")
    error = fault(Player(), wav)
    assert reason in error.reason.id
    assert error.detail == said


def test_what_is_no_wav_file_is_left_to_the_program(aplay, tmp_path):
    path = tmp_path / "song.ogg"
    path.write_bytes(b"OggS")
    play(Player(volume=50, lead=1.0), path)
    assert aplay.calls == [f"aplay -q {path}"]


def test_outputs_have_the_names_that_people_know():
    found = outputs(LISTED)
    words = Wording("en")
    assert found[0] == SYSTEM
    assert {output.name: words(output.text) for output in found[1:]} == {
        "plughw:CARD=vc4hdmi0,DEV=0": "Television or screen (HDMI 0)",
        "plughw:CARD=vc4hdmi1,DEV=0": "Television or screen (HDMI 1)",
        "plughw:CARD=Headphones,DEV=0": "Headphone socket",
        "plughw:CARD=Device,DEV=0": "USB Audio Device",
        "plughw:CARD=Device_1,DEV=0": "USB Audio Device, number 2",
        "plughw:CARD=sndrpihifiberry,DEV=0": "Snd_rpi_hifiberry_dac",
    }
    for lang in languages():
        assert len({Wording(lang)(output.text) for output in found}) == len(found)


@pytest.mark.parametrize("listed", ["", "aplay: device_list:274: no soundcards found...", "card x: y [z]\ncard 0:"])
def test_without_a_card_only_the_systems_own_is_there(listed):
    assert outputs(listed) == [SYSTEM]


def test_a_list_in_another_language_is_read(aplay, monkeypatch, tmp_path):
    monkeypatch.setenv("LC_ALL", "pt_BR.UTF-8")
    program = tmp_path / "programs" / "aplay"
    program.write_text('#!/bin/sh\n[ "$LC_ALL" = C ] && word=card || word=placa\n'
                       'echo "$word 0: Headphones [bcm2835 Headphones], device 0: x [y]"\n')  # fmt: skip
    assert [output.name for output in outputs()] == ["", "plughw:CARD=Headphones,DEV=0"]


@pytest.mark.parametrize("handle", ["1", "2"])
def test_a_program_that_never_stops_talking_is_stopped(aplay, wav, monkeypatch, tmp_path, handle):
    """Long before its time is over: what it says is kept in memory."""
    monkeypatch.setattr(player, "PATIENCE", 60.0)
    program = tmp_path / "programs" / "aplay"
    program.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nwhile echo no soundcards >&{handle}; do :; done\n")
    said = []
    monkeypatch.setattr(player, "_said", lambda file: said.append(player._bytes_in(file)) or "")
    assert outputs() == [SYSTEM]
    if handle == "2":
        fault(Player(programs=[("aplay",)]), wav)
    assert 0 < max(said) < 100_000_000
    assert not Path(f"/proc/{(tmp_path / 'pid').read_text().strip()}").exists()
