"""Sounds without speech: short files of our own, from public events only, and a lock that gives nothing away."""

import runpy
import threading
import wave
from array import array
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from companion import resources
from companion.adapters import sounds
from companion.adapters.sounds import Sounds
from companion.adapters.speech import Speech
from companion.games import find_game
from companion.games.base import Message, Note, msg
from companion.games.sir_holland.motion import HOP, REST, TURN
from companion.games.sir_holland.state import CARDS, Lock, Unlock
from companion.table.ports import Home, Outcome, Play, Reveal, SayAgain, Snapshot, Status
from tests.adapters.test_speech import NAMES, TOWER, done, refused, wait_until
from tests.table.table_kit import House

FOLDER = resources.path("kv", "sounds")
FILES = sorted(FOLDER.glob("*.wav"))


def samples(path: Path) -> array:
    with wave.open(str(path)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, sounds.RATE)
        return array("h", file.readframes(file.getnframes()))


# --- the files ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_sound_is_short_and_does_not_click(path):
    found = samples(path)
    assert 0.05 <= len(found) / sounds.RATE <= 1.8
    assert 20_000 < max(map(abs, found)) < 30_000
    assert abs(found[0]) < 6_000 and abs(found[-1]) < 300


def test_the_files_are_those_that_the_script_makes():
    script = runpy.run_path(str(FOLDER / "make_sounds.py"))
    made = script["sounds"]()
    assert sorted(made) == [path.stem for path in FILES]
    for path in FILES:
        wanted, found = script["samples"](made[path.stem]), samples(path)
        # the last bit may be rounded another way on another machine
        assert len(wanted) == len(found) and max(abs(a - b) for a, b in zip(wanted, found, strict=True)) <= 1


def test_the_bells_differ_and_red_is_the_lowest():
    def swings(name: str) -> int:
        found = samples(FOLDER / f"bell_{name}.wav")
        return sum(1 for a, b in pairwise(found) if a < 0 <= b)

    bells = [swings(seat) for seat in ("red", "blue", "green", "yellow")]
    assert bells == sorted(set(bells))


# --- which sound --------------------------------------------------------------------------------------------------


@pytest.fixture
def house():
    opened = []

    def make(**options):
        opened.append(House(3, tower=TOWER, names=NAMES, **options))
        return opened[-1]

    yield make
    for one in opened:
        one.close()


def heard(house, request):
    return [note.name for note in sounds.notes(house.ask(request))]


def test_every_sound_of_a_game_has_its_file():
    game = find_game("sir-holland")
    assert game is not None
    names = set()
    for seed, n in enumerate((2, 3, 4)):
        rng, state = Random(seed), None
        for event in game.open(game.colours[:n], {}, rng):
            state = game.apply(state, event)
        while choices := game.choices(state):
            before, events = game.view(state), game.decide(state, rng.choice(choices))
            for event in events:
                state = game.apply(state, event)
            public = [game.event_to_json(event) for event in events]
            names |= {note.name for note in game.sounds(before, public, game.view(state))}
    assert names >= {"lock", "card", "step", "fall", "rest", "gryphon", "winner", "bell_red", "bell_green", "explosion"}
    names |= {note.name for note in (sounds.REFUSED, sounds.ALL_IN, sounds.DEVICE_LOST)}
    assert names <= {path.stem for path in FILES}


def test_a_lock_sounds_the_same_whatever_card_it_is(house):
    found = set()
    for card in CARDS:
        table = house()
        row = [sounds.notes(table.ask(Play(Lock("red", card))))]
        for another in CARDS:
            # another card or the same one: nobody hears whether it was changed
            row.append(sounds.notes(table.ask(Play(Lock("red", another)))))
        row.append(sounds.notes(table.ask(Play(Unlock("red")))))
        found.add(tuple(row))
    (row,) = found
    assert row == ((Note("lock"),),) * 8 + ((Note("unlock"),),)


def test_all_seats_sound_alike_while_they_choose(house):
    table = house()
    rows = {tuple(heard(table, Play(Lock(seat, 3)))) for seat in ("red", "blue")}
    assert rows == {("lock",)}
    assert heard(table, Play(Lock("green", 5))) == ["lock", "all_in"]
    # nobody hears whose lock is held, nor whether it is another card
    for seat in ("green", "red", "blue"):
        for card in (5, 6):
            assert heard(table, Play(Lock(seat, card))) == ["lock"]
    for seat in ("green", "red", "blue"):
        assert heard(table, Play(Unlock(seat))) == ["unlock"]
        assert heard(table, Play(Lock(seat, 2))) == ["lock", "all_in"]


def test_the_reveal_lasts_as_long_as_on_the_screen(house):
    table = house(gryphon="green")
    for seat, card in (("red", 3), ("blue", 3), ("green", 5)):
        table.ask(Play(Lock(seat, card)))
    outcome = table.ask(Reveal())
    assert outcome.now.view["gryphon"] == "green"
    # to the left of green comes red
    assert sounds.notes(outcome) == (
        Note("card", TURN), Note("card", TURN), Note("card", TURN + REST), Note("count", HOP + REST), Note("bell_red"),
    )  # fmt: skip


def test_a_refusal_is_two_taps_and_what_means_nothing_is_silent():
    now = Snapshot("sir-holland", 1, "1 choose", {}, (), (), {})
    for kind in ("refused", "stale", "not_saved"):
        assert sounds.notes(Outcome(kind, now)) == (Note("refused"),)
    assert not sounds.notes(Outcome("nothing", now))
    # a game that is gone on with
    assert not sounds.notes(Outcome("done", now))


# --- rows ---------------------------------------------------------------------------------------------------------


def test_a_row_is_one_file_of_the_right_length(tmp_path):
    made = Sounds(tmp_path / "voice")
    path = made.file((Note("card", TURN), Note("card", TURN), Note("bell_red")))
    bell = samples(FOLDER / "bell_red.wav")
    found = samples(path)
    assert len(found) == 2 * round(TURN * sounds.RATE) + len(bell)
    assert found[-len(bell) :] == bell
    assert made.file((Note("card", TURN), Note("card", TURN), Note("bell_red"))) == path
    assert made.file((Note("lock"),)) == FOLDER / "lock.wav"


def test_with_less_motion_nothing_waits(tmp_path):
    made = Sounds(tmp_path)
    made.still = True
    row = (Note("card", TURN), Note("card", TURN), Note("card", TURN + REST), Note("bell_red"))
    length = len(samples(FOLDER / "card.wav")) + len(samples(FOLDER / "bell_red.wav"))
    assert len(samples(made.file(row))) == length


def test_where_nothing_can_be_written_the_first_one_is_heard(tmp_path):
    (tmp_path / "voice").write_text("a file where the folder should be")
    assert Sounds(tmp_path / "voice").file((Note("lock"), Note("all_in"))) == FOLDER / "lock.wav"


# --- with the voice -----------------------------------------------------------------------------------------------


class Room:
    """Somebody who listens: names of sounds, and sentences in quotes."""

    def __init__(self, tmp_path):
        self.heard, self.posted = [], []
        self.speech = Speech("en", self.posted.append, player=self.play, sounds=Sounds(tmp_path))
        self.speech._voice = self

    def file(self, lang, text, stop):
        return Path(f'"{text}"')

    def play(self, path: Path, stop: threading.Event):
        self.heard.append(path.stem if path.suffix == ".wav" else str(path))

    def close(self):
        pass

    def tell(self, *announcements):
        for what in announcements:
            self.speech.announce(what)
        wait_until(lambda: not self.speech._waiting and self.speech._current is None)
        found, self.heard = self.heard, []
        return found


@pytest.fixture
def room(tmp_path):
    made = Room(tmp_path)
    yield made
    made.speech.close()


def lock(seq):
    view = {"gryphon": "red", "seats": ["red", "blue"]}
    before, text = Snapshot("sir-holland", seq - 1, "1 choose", view, (), (), NAMES), "Ana has locked in."
    return Outcome("done", Snapshot("sir-holland", seq, "1 choose", view, (), (), NAMES), (Message(text),),
                   ({"what": "locked", "seat": "red"},), before=before)  # fmt: skip


def test_first_the_sound_then_the_words(room):
    assert room.tell(lock(2)) == ["lock", '"Ana has locked in."']
    assert room.tell(refused(2, "Not now.")) == ["refused", '"Not now."']


def test_each_of_them_can_be_turned_off(room):
    room.tell(Status("settings", "setting", None, {"sounds": False}))
    assert room.tell(lock(2)) == ['"Ana has locked in."']
    room.tell(Status("settings", "setting", None, {"sounds": True, "voice": False}))
    assert room.tell(lock(3)) == ["lock"]
    room.tell(Status("settings", "setting", None, {"sounds": False, "voice": False}))
    assert room.tell(lock(4)) == []
    # at home all is as the settings say, or as usual
    room.tell(Home(None, None, {}))
    assert room.tell(lock(5)) == ["lock", '"Ana has locked in."']


def test_what_is_said_again_is_only_said(room):
    room.tell(lock(2))
    assert room.tell(SayAgain()) == ['"Ana has locked in."']


def test_a_device_that_is_lost_is_a_loose_string_once(room):
    lost = Status("board", "device", msg("The reader went quiet."), {"lost": True})
    assert room.tell(lost) == ["device_lost", '"The reader went quiet."']
    assert room.tell(lost) == []
    room.tell(Status("board", "device", None))
    assert room.tell(lost) == ["device_lost", '"The reader went quiet."']
    # a remark about a card is no loss
    assert room.tell(Status("lying", "device", msg("One card at a time."))) == ['"One card at a time."']


def test_nothing_sounds_for_what_was_heard_before(room):
    room.tell(lock(2))
    assert room.tell(lock(2)) == []
    assert room.tell(done(3, "Bruno has locked in.")) == ['"Bruno has locked in."']
