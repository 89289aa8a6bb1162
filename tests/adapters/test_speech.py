"""The voice: what it says and what not, once, in time, in both languages, and what happens where nothing sounds."""

import array
import os
import shutil
import stat
import threading
import time
import wave
from dataclasses import replace
from pathlib import Path

import pytest

from companion.adapters.player import NoSound, Player
from companion.adapters.speech import Speech, Voice, ear, utterance
from companion.games.base import Message, msg
from companion.games.sir_holland.state import End, Lock, Move, MoveVillain
from companion.table.ports import (
    Home,
    ListOutputs,
    Outcome,
    Play,
    PutRight,
    Reveal,
    SayAgain,
    SayThis,
    Snapshot,
    Status,
    TakeBack,
)
from companion.wording import languages
from tests.table.table_kit import House

TOWER = ["RWPWW", "RSPWW", "RHPWW", "RSPWW", "RDPDR"]
NAMES = {"red": "Ana", "blue": "Bruno", "green": "Clara"}


def wait_until(done, seconds=5.0):
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.005)


class Room:
    """Somebody who listens: every sentence that was begun, and that was heard to its end."""

    def __init__(self, lang="en"):
        self.begun, self.heard, self.posted = [], [], []
        self.go = threading.Event()
        self.go.set()
        self.now = 0.0
        self.broken = None
        self.speech = Speech(lang, self.posted.append, player=self.play, clock=lambda: self.now)
        self.speech._voice = self

    def file(self, lang, text, stop):
        return Path(f"{lang}:{text}")

    def play(self, path, stop):
        if self.broken:
            raise self.broken
        text = str(path).split(":", 1)[1]
        self.begun.append(text)
        while not self.go.wait(0.005) and not stop.is_set():
            pass
        if not stop.is_set():
            self.heard.append(text)

    def close(self):
        pass

    def tell(self, *announcements):
        for what in announcements:
            self.speech.announce(what)

    def quiet(self):
        """Wait until nothing is said any more; what was heard since the last time."""
        wait_until(lambda: not self.speech._waiting and self.speech._current is None)
        heard, self.heard, self.begun = self.heard, [], []
        return heard


@pytest.fixture
def room():
    rooms = []

    def make(*args):
        rooms.append(Room(*args))
        return rooms[-1]

    yield make
    for one in rooms:
        one.go.set()
        one.speech.close()


def snapshot(seq, **more):
    empty = {"moment": "1 choose", "view": {}, "choices": (), "awaited": ()}
    return Snapshot(game="sir-holland", seq=seq, names=NAMES, **{**empty, **more})


def done(seq, *texts, before=None, **more):
    return Outcome("done", snapshot(seq, **more), tuple(map(Message, texts)), before=before or snapshot(seq - 1))


def refused(seq, text):
    return Outcome("refused", snapshot(seq), (Message(text),))


@pytest.fixture
def house(room):
    opened = []

    def make(**options):
        opened.append(House(3, tower=TOWER, names=NAMES, **options))
        return opened[-1]

    yield make
    for one in opened:
        one.close()


# --- what is said -----------------------------------------------------------------------------------------------


def hear(room, house, request):
    room.tell(house.ask(request))
    return room.quiet()


def test_choosing_says_who_is_still_awaited_and_never_a_card(room, house):
    room, house = room(), house()
    assert hear(room, house, Play(Lock("red", 3))) == ["Ana has locked in.", "Waiting for Bruno and Clara."]
    assert hear(room, house, Play(Lock("red", 4))) == ["Ana has locked in."]
    assert hear(room, house, Play(Lock("blue", 3))) == ["Bruno has locked in.", "Clara, choose a card in secret."]
    assert hear(room, house, Play(Lock("green", 5))) == ["Clara has locked in.", "All cards are in. Reveal them?"]
    assert hear(room, house, Play(Lock("green", 6))) == ["Clara has locked in."]


def test_the_reveal_and_the_order_with_its_reasons(room, house):
    room, house = room(), house()
    for seat, card in (("red", 3), ("blue", 1), ("green", 3)):
        house.lock(seat, card)
    heard = hear(room, house, Reveal())
    assert heard == [
        "Bruno goes first with 1, Hide, the lowest number.",
        "Then Ana and Clara, who played 3, Explosion: Ana has the gryphon.",
        "Bruno, move a hero, hide one, or do both.",
    ]


def test_a_refusal_is_spoken_with_its_reason(room, house):
    room, house = room(), house()
    house.choose(red=3, blue=2, green=1)
    assert hear(room, house, Play(End("red"))) == ["It is not the turn of Ana. Clara acts now."]


def test_a_fall_is_spoken(room, house):
    room, house = room(), house()
    house.ask(PutRight({"figures": {**house.now.view["figures"], "blue.1": "c3"}}))
    house.choose(red=4, blue=5, green=5)
    heard = hear(room, house, Play(MoveVillain("red", "wizard", ("c3",))))
    assert any("is knocked off c 3" in sentence for sentence in heard)


def test_who_is_awaited_is_said_when_it_changes_and_only_then(room, house):
    room, house = room(), house()
    house.choose(red=3, blue=2, green=1)
    move = next(c for c in house.now.choices if isinstance(c, Move))
    assert len(hear(room, house, Play(move))) == 1
    assert hear(room, house, Play(End("green")))[-1] == "Bruno, move your heroes, a villain, or both."


def test_a_new_round_says_whose_turn_it_is_to_choose(room, house):
    room, house = room(), house()
    house.choose(red=3, blue=2, green=1)
    for seat in ("green", "blue"):
        house.play(End(seat))
    assert hear(room, house, Play(End("red")))[-1] == "Ana, Bruno and Clara, choose your next card in secret."


def test_the_last_round_and_the_winner_are_not_silenced(room, house):
    room, house = room(), house(rules={"extra_round": "yes"})
    everyone = {"red": 7, "blue": 7, "green": 7}
    for _ in range(3):
        house.choose(**everyone)
        while house.now.view["phase"] == "resolve":
            outcome = house.play(house.now.choices[0])
        if outcome.now.view["final"] and not outcome.before.view["final"]:
            assert utterance(outcome).lasting
            assert Message("Everyone has rested twice. This is the last round.") in utterance(outcome).messages
    assert house.now.decision
    assert utterance(outcome).lasting
    room.go.clear()
    room.tell(outcome)
    wait_until(lambda: room.begun)
    room.tell(Outcome("refused", house.now, (Message("The game is over."),)), Outcome("nothing", house.now))
    room.go.set()
    heard = room.quiet()
    assert any(s.endswith("wins!") for s in heard)
    assert heard[-1] == "The game is over."


def test_not_saved_and_stale_are_spoken_and_what_means_nothing_is_not(room):
    room = room()
    room.tell(Outcome("not_saved", snapshot(3), (Message("Not saved."),)))
    assert room.quiet() == ["Not saved."]
    room.tell(Outcome("stale", snapshot(3), (Message("Look again."),)))
    assert room.quiet() == ["Look again."]
    room.tell(Outcome("nothing", snapshot(3), (Message("Nothing."),)))
    assert room.quiet() == []


def test_no_locked_card_is_ever_spoken(room, house):
    """The same game twice, but for the card that Bruno locks in: until the reveal both sound exactly alike."""
    spoken = []
    for card in (1, 6):
        listener, table = room(), house()
        heard = []
        for request in (
            Play(Lock("red", 2)),
            Play(Lock("blue", card)),
            Play(Lock("blue", 2)),
            Play(Lock("blue", card)),
            Play(Lock("green", 2)),
            Play(Lock("red", 5)),
            Play(End("blue")),
            TakeBack("blue"),
            PutRight({"rests": {}}),
        ):
            listener.tell(table.ask(request))
            heard += listener.quiet()
            listener.tell(SayAgain())
            heard += listener.quiet()
        spoken.append(heard)
    assert spoken[0] == spoken[1]
    assert len(spoken[0]) > 12


# --- once, and in time ------------------------------------------------------------------------------------------


def test_every_outcome_is_said_once(room):
    room = room()
    room.tell(done(4, "One."))
    assert room.quiet() == ["One."]
    room.tell(done(4, "One."), done(3, "Older."))
    assert room.quiet() == []
    room.tell(done(5, "Two."))
    assert room.quiet() == ["Two."]
    room.tell(refused(5, "No."))
    assert room.quiet() == ["No."], "a refusal has the number of the last entry"
    room.tell(refused(5, "No."))
    assert room.quiet() == ["No."]


def test_another_game_is_heard_from_its_beginning(room):
    room = room()
    room.tell(done(40, "Late."))
    room.quiet()
    room.tell(Outcome("done", snapshot(1), (Message("It begins."),)))
    assert room.quiet() == ["It begins."]
    room.tell(done(2, "On."), Home(None, None, {}))
    room.quiet()
    room.tell(Outcome("done", snapshot(1), (Message("Again."),)), done(2, "And on."))
    assert room.quiet()[-1] == "And on."


def test_a_newer_outcome_silences_an_older_one(room):
    room = room()
    room.go.clear()
    room.tell(done(2, "One.", "Two.", "Three."))
    wait_until(lambda: room.begun == ["One."])
    room.tell(done(3, "Four."), done(4, "Five."))
    wait_until(lambda: room.begun == ["One.", "Five."])
    room.go.set()
    assert room.quiet() == ["Five."]


def test_speech_never_says_an_outcome_after_a_newer_one(room):
    room = room()
    for seq in range(2, 300):
        room.tell(done(seq, f"{seq}."))
    heard = [int(s[:-1]) for s in room.quiet()]
    assert heard == sorted(heard)
    assert heard[-1] == 299


def test_a_flood_neither_waits_nor_grows(room):
    room = room()
    room.go.clear()
    lasting = snapshot(1, decision=(Message("x"),))
    for seq in range(2, 2000):  # while nothing is said: who waited would wait for ever
        now = replace(lasting, seq=seq)
        room.tell(Outcome("done", now, (Message("Won."),), before=snapshot(seq - 1)))
    assert len(room.speech._waiting) <= 8


def test_the_same_refusal_again_while_it_is_said_does_not_stutter(room):
    room = room()
    room.go.clear()
    room.tell(refused(2, "No."))
    wait_until(lambda: room.begun)
    room.tell(refused(2, "No."), refused(2, "No."))
    room.go.set()
    assert room.quiet() == ["No."]


def test_say_it_again(room):
    room = room()
    room.tell(SayAgain())
    assert room.quiet() == []
    room.tell(done(2, "One.", "Two."))
    room.quiet()
    room.tell(SayAgain())
    assert room.quiet() == ["One.", "Two."]
    room.tell(SayAgain())
    assert room.quiet() == ["One.", "Two."]


def test_what_a_screen_wants_said(room):
    """A judge's answer: with the names of the table where one is open, else with the colours."""
    room = room()
    answer = msg("{seat:seat} goes first: {n} is the lowest number.", seat="red", n=1)
    room.tell(SayThis((answer, msg("Round {n}.", n=2))))
    assert room.quiet() == ["Red goes first: 1 is the lowest number.", "Round 2."]
    room.tell(done(1), SayThis((answer,)))
    assert room.quiet() == [f"{NAMES['red']} goes first: 1 is the lowest number."]
    room.tell(SayAgain())
    assert room.quiet() == [f"{NAMES['red']} goes first: 1 is the lowest number."]
    room.tell(Home(None, None, {}), SayThis((answer,)))
    assert room.quiet() == ["Red goes first: 1 is the lowest number."]
    room.tell(SayThis(()))
    assert room.quiet() == []


def test_what_is_wrong_with_a_device_is_said_at_once_and_once_then_what_it_broke_in_on(room):
    room = room()
    room.go.clear()
    room.tell(done(1, "Ana has locked in."))
    wait_until(lambda: room.begun == ["Ana has locked in."])
    lost = Status("b", "device", msg("The reader of {seats:seats} went quiet. {why} Meanwhile, choose here.",
                                     seats=["red"], why=msg("The plug was pulled.")))  # fmt: skip
    said = "The reader of Ana went quiet. The plug was pulled. Meanwhile, choose here."
    room.tell(lost, lost)
    wait_until(lambda: len(room.begun) == 2)
    assert room.begun[1] == said
    room.go.set()
    assert room.quiet() == [said, "Ana has locked in."]
    room.tell(lost)
    assert room.quiet() == []
    room.tell(Status("b", "device", None), lost)
    assert room.quiet() == [said]


LOST = Status("b", "device", msg("The plug was pulled."), {"lost": True})


def test_a_board_that_comes_and_goes_is_told_once_in_a_while(room):
    room = room()
    heard = []
    for _ in range(17):
        room.tell(LOST)
        heard += room.quiet()
        room.now += 0.9
        room.tell(Status("b", "device", None))
        room.now += 0.9
    flaps = "It comes and goes: look at its cable and its power supply."
    assert heard == ["The plug was pulled.", "The plug was pulled.", "The plug was pulled.", flaps]
    room.tell(LOST)
    assert room.quiet() == []
    room.now += 400
    room.tell(Status("b", "device", None), LOST)
    assert room.quiet() == ["The plug was pulled.", flaps]
    room.tell(Status("b", "device", None))
    room.now += 400
    room.tell(LOST)
    assert room.quiet() == ["The plug was pulled."], "it held for a while, so that it is news"


def test_two_boards_that_come_and_go_do_not_keep_the_game_from_being_heard(room):
    room = room()
    room.go.clear()
    room.tell(done(1, "Ana has locked in."))
    wait_until(lambda: room.begun == ["Ana has locked in."])
    for round in range(8):
        for key in ("a", "b"):
            room.tell(replace(LOST, key=key, message=msg("{key} is away.", key=key)), Status(key, "device", None))
        room.now += 1.8
        if round == 0:
            wait_until(lambda: "A is away." in room.begun)
    room.go.set()
    heard = room.quiet()
    assert "A is away." in heard and "B is away." in heard, "no remark is cut by another one"
    assert heard.count("Ana has locked in.") == 1 and heard[-1] == "Ana has locked in."
    assert len(heard) <= 9


def test_what_a_remark_broke_in_on_is_not_cut_a_second_time(room):
    room = room()
    room.go.clear()
    room.tell(done(1, "Ana has locked in."))
    wait_until(lambda: room.begun == ["Ana has locked in."])
    room.tell(LOST)
    wait_until(lambda: room.begun[-1] == "The plug was pulled.")
    room.speech._player = lambda path, stop: (room.play(path, stop), room.go.clear())
    room.go.set()
    wait_until(lambda: len(room.begun) == 3)
    room.tell(replace(LOST, key="c", message=msg("Another one.")))
    room.speech._player = room.play
    room.go.set()
    assert room.quiet()[-2:] == ["Ana has locked in.", "Another one."]


def test_many_remarks_at_once_push_no_sentence_of_the_game_out(room):
    room = room()
    room.go.clear()
    room.tell(Outcome("done", snapshot(1, decision=(Message("x"),)), (Message("Blue wins!"),), before=snapshot(0)))
    for number in range(30):
        room.tell(replace(LOST, key=str(number), message=msg("Board {n}.", n=number)))
    room.go.set()
    heard = room.quiet()
    assert heard[-1] == "Blue wins!" and heard[-2] == "Board 29."


def test_an_unknown_sticker_that_is_laid_once_more_is_told_once_more(room):
    room = room()
    unknown = Status("tag 04AA", "tag", msg("I do not know this sticker."), {"uid": "04AA", "seat": "red"})
    for _ in range(2):
        room.tell(unknown)
        assert room.quiet() == ["I do not know this sticker."]
    room.go.clear()
    room.tell(unknown, unknown)
    room.go.set()
    assert room.quiet() == ["I do not know this sticker."], "while it is being said it is not said twice"


def test_a_newer_outcome_does_not_swallow_what_is_wrong_with_a_device(room):
    room = room()
    room.go.clear()
    room.tell(Status("b", "device", msg("The plug was pulled.")), done(1, "Ana has locked in."))
    room.go.set()
    assert room.quiet() == ["The plug was pulled.", "Ana has locked in."]


def test_a_muted_voice_says_nothing_of_devices_either(room):
    room = room()
    room.speech.mute(True)
    room.tell(Status("b", "device", msg("The plug was pulled.")))
    assert room.quiet() == []


def test_muted_it_is_silent_and_the_screen_says_so(room):
    room = room()
    room.go.clear()
    room.tell(done(2, "One."))
    wait_until(lambda: room.begun)
    room.tell(Status("settings", "setting", None, {"voice": False, "lang": "en"}))
    room.tell(done(3, "Two."), SayAgain())
    room.go.set()
    assert room.quiet() == []
    assert [(s.key, s.kind, s.message is None) for s in room.posted] == [("voice", "sound", False)]
    room.tell(*room.posted)
    room.tell(Status("settings", "setting", None, {"voice": True}))
    assert room.posted[-1] == Status("voice", "sound", None)
    room.tell(SayAgain())
    assert room.quiet() == ["Two."]


def test_the_settings_hold_from_the_start(room):
    room = room()
    room.tell(Home(None, None, {"voice": False}))
    room.tell(done(2, "One."))
    assert room.quiet() == []
    assert room.posted[-1].message is not None


def test_the_language_changes_at_once(room, house):
    room, house = room(), house()
    room.tell(Status("settings", "setting", None, {"lang": "pt"}))
    room.tell(house.lock("red", 3))
    heard = room.quiet()
    assert heard
    assert "has locked in" not in heard[0]
    assert heard[0].startswith("Ana")


def test_a_sentence_that_cannot_be_made_is_not_the_end(room):
    room = room()
    room.tell(Outcome("done", snapshot(2), (Message("{nobody:seat} wins."),)))
    assert room.quiet() == []
    room.tell(done(3, "On."))
    assert room.quiet() == ["On."]


# --- where nothing sounds ---------------------------------------------------------------------------------------


def test_no_sound_is_said_once_and_tried_again_later(room):
    room = room()
    room.broken = NoSound(Message("No loudspeaker."))
    for seq in (2, 3, 4):
        room.tell(done(seq, "One."))
        room.quiet()
    assert room.posted == [Status("sound", "sound", Message("No loudspeaker."))]
    room.broken, tried = None, len(room.begun)
    room.tell(done(5, "Still silent."))
    assert room.quiet() == []
    assert len(room.begun) == tried, "no further try for a while"
    room.now += 61
    room.broken = OSError("gone")
    room.tell(done(6, "Silent."))
    room.quiet()
    assert len(room.posted) == 1, "nothing new to say"
    room.now += 61
    room.broken = None
    room.tell(done(7, "Here.", "And here."))
    assert room.quiet() == ["Here.", "And here."]
    assert room.posted[1:] == [Status("sound", "sound", None)]


def program(folder, name, text):
    file = folder / name
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


def test_the_first_player_that_works_is_found_and_remembered(tmp_path):
    bad = program(tmp_path, "bad", f"echo bad >> {tmp_path}/log; exit 1")
    good = program(tmp_path, "good", f'echo "$2" >> {tmp_path}/log')
    players = Player([("/no/such/player",), (str(bad),), (str(good), "-q")])
    for name in ("one.wav", "two.wav"):
        players(Path(name), threading.Event())
    assert (tmp_path / "log").read_text().split() == ["bad", "one.wav", "two.wav"]


def test_no_player_and_no_loudspeaker_are_two_things(tmp_path):
    with pytest.raises(NoSound) as caught:
        Player([("/no/such/player",)])(Path("x"), threading.Event())
    assert "a program that plays it is missing" in caught.value.reason.id
    with pytest.raises(NoSound) as caught:
        Player([(str(program(tmp_path, "bad", "exit 1")),)])(Path("x"), threading.Event())
    assert "no loudspeaker" in caught.value.reason.id


@pytest.mark.skipif(not shutil.which("aplay") or Path("/proc/asound/cards").exists(), reason="needs aplay, no sound")
def test_the_real_player_without_a_sound_device(tmp_path):
    posted = []
    speech = Speech("en", posted.append)
    speech.announce(done(2, "Hello."))
    wait_until(lambda: posted)
    speech.close()
    assert "no loudspeaker" in posted[0].message.id


def test_without_espeak_it_says_so():
    posted = []
    speech = Speech("en", posted.append, player=lambda path, stop: None, speaker="/no/such/espeak")
    speech.announce(done(2, "Hello."))
    wait_until(lambda: posted)
    speech.close()
    assert "espeak-ng" in posted[0].message.id


@pytest.mark.parametrize("what", ["exit 1", "exit 0", "cat > /dev/null", 'printf junk > "$4"'])
def test_an_espeak_that_makes_no_sound_says_so(tmp_path, what):
    voice = Voice(tmp_path / "cache", str(program(tmp_path, "espeak", what)))
    with pytest.raises(NoSound) as caught:
        voice.file("en", "Hello.", threading.Event())
    assert "espeak-ng" in caught.value.reason.id
    assert list((tmp_path / "cache").iterdir()) == []


@pytest.mark.parametrize("spoil", [Path.touch, lambda folder: folder.symlink_to("/proc/nowhere")])
def test_a_folder_that_cannot_be_written_is_not_told_as_a_missing_espeak(tmp_path, spoil):
    folder = tmp_path / "voice"
    spoil(folder)
    speaker = program(tmp_path, "espeak", f'cp {Path("kv/sounds/lock.wav").resolve()} "$4"')
    voice = Voice(folder, str(speaker))
    file = voice.file("en", "Hello.", threading.Event())
    assert sound_of(file)[0] > 0 and folder not in file.parents
    voice.close()
    assert not file.exists()


def test_it_ends_at_once_whatever_hangs(tmp_path):
    """What hangs would go on for a minute."""
    pid = tmp_path / "pid"
    hanging = str(program(tmp_path, "hang", f"echo $$ > {tmp_path}/pid; exec sleep 60"))
    for speech in (
        Speech("en", lambda status: None, player=Player([(hanging,)])),
        Speech("en", lambda status: None, player=lambda path, stop: None, speaker=hanging),
    ):
        speech.announce(done(2, "Hello."))
        wait_until(lambda: pid.exists() and pid.read_text().endswith("\n"))
        speech.close()
        assert not speech._thread.is_alive()
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid.read_text()), 0)
        pid.unlink()
        speech.close()


# --- the ear ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lang", "eye", "heard"),
    [
        ("en", "Red 1 cannot stop on c3: Blue 1 stands there.", "Red 1 cannot stop on c 3: Blue 1 stands there."),
        ("en", "Pick a1 or e5.", "Pick eh 1 or e 5."),
        ("en", "Ana played 7 (Rest).", "Ana played 7, Rest."),
        ("pt", "Escolha a1, b1 ou e5.", "Escolha á 1, bê 1 ou é 5."),
        ("pt", "Ana jogou 7 (Descanso).", "Ana jogou 7, Descanso."),
        ("en", 'No seat can be called "mauve".', "No seat can be called mauve ."),
        ("en", "A1 and Zoe2 are people, c33 is none.", "A1 and Zoe2 are people, c33 is none."),
        ("en", "[[boo]] <speak>\x07\nAna", "boo speak Ana"),
    ],
)
def test_for_the_ear(lang, eye, heard):
    assert ear(eye, lang) == heard


# --- real sound -------------------------------------------------------------------------------------------------

needs_espeak = pytest.mark.skipif(not shutil.which("espeak-ng"), reason="espeak-ng is not installed")


def sound_of(path):
    """Seconds, and the loudest of all samples, out of 32,767."""
    with wave.open(str(path)) as file:
        samples = array.array("h", file.readframes(file.getnframes()))
        return file.getnframes() / file.getframerate(), max(map(abs, samples))


@needs_espeak
@pytest.mark.parametrize(
    ("lang", "short", "long"),
    [
        ("en", "Ana wins!", "Red 1 is knocked off c 3 and falls to c 1. Blue, move your heroes, a villain, or both."),
        ("pt", "Ana venceu!", "Vermelho 1 cai de cê 3 em cê 1. Azul, mova seus heróis ou um vilão."),
    ],
)
def test_real_sentences_can_be_heard(tmp_path, lang, short, long):
    assert lang in languages()
    voice = Voice(tmp_path)
    one, two = (sound_of(voice.file(lang, text, threading.Event())) for text in (short, long))
    assert 0.4 < one[0] < 2.5
    assert 3 < two[0] < 9
    assert one[1] > 3000
    assert two[1] > 3000


@needs_espeak
def test_the_languages_sound_differently(tmp_path):
    voice = Voice(tmp_path)
    files = {voice.file(lang, "Ana, 3.", threading.Event()).read_bytes() for lang in ("en", "pt")}
    assert len(files) == 2


@needs_espeak
def test_a_name_can_neither_command_the_voice_nor_break_it(tmp_path):
    voice = Voice(tmp_path)
    for name in ("-w /tmp/x", "--help", "Zoë Ñandú", "💥", "\ud800", "'; rm -rf /"):
        length, _ = sound_of(voice.file("en", ear(f"{name} wins!", "en"), threading.Event()))
        assert length > 0.3


@needs_espeak
def test_a_whole_outcome_out_loud(house):
    """From the table to wav files, in both languages."""
    for lang in languages():
        table = house()
        for seat, card in (("red", 3), ("blue", 1), ("green", 3)):
            table.lock(seat, card)
        heard = []
        speech = Speech(lang, heard.append, player=lambda path, stop, heard=heard: heard.append(sound_of(path)))
        speech.announce(table.ask(Reveal()))
        wait_until(lambda speech=speech: speech._current is None and not speech._waiting)
        speech.close()
        assert len(heard) == 3
        assert all(length > 0.5 and peak > 3000 for length, peak in heard)
        assert sum(length for length, _ in heard) > 6


@needs_espeak
def test_a_sentence_is_spoken_once_and_kept(tmp_path):
    count = tmp_path / "count"
    counting = program(tmp_path, "espeak", f'echo >> {count}; exec espeak-ng "$@"')
    for _ in range(2):
        voice = Voice(tmp_path / "cache", str(counting))
        for _ in range(3):
            file = voice.file("en", "Hello.", threading.Event())
    assert count.read_text() == "\n"
    file.write_bytes(b"")
    assert sound_of(voice.file("en", "Hello.", threading.Event()))[0] > 0.3, "half a file is made anew"
    assert stat.S_IMODE((tmp_path / "cache").stat().st_mode) == 0o700


@needs_espeak
def test_the_kept_files_take_no_more_than_they_may(tmp_path):
    voice = Voice(tmp_path, limit=200_000)
    first = voice.file("en", "Number one.", threading.Event())
    for n in range(12):
        newest = voice.file("en", f"Number {n}.", threading.Event())
        if n < 8:
            assert voice.file("en", "Number one.", threading.Event()) == first, "in use, so it stays"
    assert sum(p.stat().st_size for p in tmp_path.iterdir()) <= 200_000
    assert newest.exists()
    assert not first.exists()


def test_a_temporary_folder_goes_away():
    voice = Voice()
    folder = voice._folder
    assert folder.is_dir()
    voice.close()
    assert not folder.exists()


def test_the_settings_reach_the_player_and_the_list_of_loudspeakers_is_told(monkeypatch, tmp_path):
    program(tmp_path, "aplay", "echo 'card 2: Headphones [bcm2835 Headphones], device 0: x [x]'")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/usr/bin{os.pathsep}/bin")
    posted, player = [], Player(output="usual")
    speech = Speech("en", posted.append, player=player)
    speech.announce(Status("settings", "setting", None, {"volume": 45, "lead": 1, "output": "chosen"}))
    assert (player.volume, player.lead, player.output) == (45, 1.0, "chosen")
    speech.announce(Home(None, None, {}))
    assert (player.volume, player.lead, player.output) == (100, 0.0, "usual")
    speech.announce(ListOutputs())
    wait_until(lambda: posted)
    speech.close()
    assert [name for name, _ in posted[0].data["outputs"]] == ["", "plughw:CARD=Headphones,DEV=0"]
