"""The open text of a game: nothing is lost, nothing secret is said, and only what the rules allow is read."""

from __future__ import annotations

import os
import random
import re
import tracemalloc
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import find_game
from companion.games.sir_holland.rulebook import RULEBOOK
from companion.games.sir_holland.setup import START, deal
from companion.games.sir_holland.state import SQUARES, VILLAINS, Climb, Explode, Lock, Move, MoveVillain, Unlock
from companion.table import text
from companion.table.ports import Hand, Insist, Play, PutRight, Record, Reveal, TakeBack
from companion.table.session import Table
from companion.table.story import tell
from companion.wording import Wording, languages

GAME = find_game("sir-holland")
FOUR = ("red", "blue", "green", "yellow")
DATE = "2025-11-29 20:15"
SEEDS = st.integers(0, 2**32)


class Paper:
    """A journal in memory."""

    def __init__(self):
        self.entries = []

    def begin(self, game, names, entries):
        self.entries += entries
        return 7

    append = None


def _append(self, number, entries):
    self.entries += entries


Paper.append = _append


class Game:
    """A table that plays at random."""

    def __init__(self, rng, rules=None, names=None):
        self.rng = rng
        self.paper = Paper()
        seats = rng.sample(FOUR, rng.randint(2, 4))
        self.names = (
            names if names is not None else {s: rng.choice(["", "Ana", "Vó  Cida", '"', "Zé; a: b", s]) for s in seats}
        )
        villains = START if rng.random() < 0.5 else {"wizard": "c4", "knight": "c2"}
        options = {"rules": rules or {}, "villains": villains}
        self.table, _ = Table.begin(GAME, self.paper, seats, options, self.names, rng)

    @property
    def state(self):
        return self.table.state_at(self.paper.entries[-1].seq)

    @property
    def record(self):
        return Record(7, GAME.id, self.names, tuple(self.paper.entries))

    def play(self, most):
        for _ in range(most):
            if self.state.phase == "over" and self.rng.random() < 0.9:
                break
            self.table.mode = self.rng.choice(("coach", "coach", "silent"))
            self.table.request(self.request())
        return self

    def request(self):
        """What somebody at the table may do next: mostly play, now and then anything else that a text has to hold."""
        rng, state, now = self.rng, self.state, self.table.snapshot()
        seat = rng.choice(state.seats)
        dice = rng.random()
        if now.held and dice < 0.6:
            return Reveal()
        if now.undo and dice > 0.97:
            return TakeBack(None, agreed=True)
        if dice > 0.96:
            return PutRight(self.wish(), tuple(rng.sample(state.seats, len(state.seats))))
        if dice > 0.95:
            return Hand(seat, rng.choice(["", "Rita", "João", "x y"]))
        if state.phase == "choose" and dice > 0.85:
            return Play(rng.choice([Unlock(seat), Lock(seat, rng.randint(1, 7))]))
        if state.turn and dice > 0.85:
            return Insist(self.wrong(), agreed=tuple(rng.sample(state.seats, 2)))
        if not now.choices:
            return Reveal()
        up = [c for c in now.choices if "roof" in getattr(c, "path", ())]
        return Play(rng.choice(up if up and rng.random() < 0.8 else now.choices))

    def wish(self):
        """Something to put right, possible or not."""
        rng, state = self.rng, self.state
        view = GAME.state_to_json(state)
        seat, other = rng.sample(state.seats, 2)
        switch = rng.choice(RULEBOOK.switches)
        figure = rng.choice(list(state.figures))
        wishes = [
            {"gryphon": seat},
            {"figures": view["figures"] | {figure: rng.choice(SQUARES)}},
            {"figures": view["figures"] | {f"{seat}.1": "roof"}, "gryphon": seat},
            {"rules": view["rules"] | {switch.id: rng.choice(switch.values)}},
            {"rules": view["rules"] | {switch.id: rng.choice(switch.values)}, "gryphon": other},
            {"hands": view["hands"] | {seat: sorted(rng.sample(range(1, 8), rng.randint(1, 7)))}},
            {"rests": view["rests"] | {seat: rng.randint(0, 3)}, "lying": [f"{seat}.1"]},
            {"tower": list(deal(rng))},
            {"round": rng.randint(1, 12), "final": rng.random() < 0.5},
            {"seats": rng.sample(state.seats, len(state.seats))},
            {"phase": "choose", "turn": None, "queue": [], "cards": {}, "lying": []},
            {"out": []},
            {"turn": view["turn"] and view["turn"] | {"points": 0, "special": 1}},
            {},
        ]
        return rng.choice(wishes)

    def wrong(self):
        """An act that the rules most likely refuse."""
        rng, seats = self.rng, self.state.seats
        seat, figure = rng.choice(seats), rng.choice(list(self.state.figures))
        path = tuple(rng.choices((*SQUARES, "roof"), k=rng.randint(1, 3)))
        kinds = [Move(seat, figure, path), MoveVillain(seat, figure, path), Climb(seat, figure, path)]
        return rng.choice([*kinds, MoveVillain(seat, rng.choice(VILLAINS), path), Explode(seat, path[0])])


def scenes(record):
    """Everything that a story shows, but for the numbers of the entries."""
    story = tell(record)
    assert story.lost == ()
    return [(s.view, s.messages, s.mark, s.names) for s in story.scenes]


def read(words):
    return text.read(words.encode() if isinstance(words, str) else words)


def brought(words):
    game = read(words)
    return Record(7, game.game, game.names, game.entries)


def said(error, lang="en"):
    return Wording(lang, GAME.term)(error.reason)


def some_rules(rng):
    return {s.id: rng.choice(s.values) for s in RULEBOOK.switches} if rng.random() < 0.6 else {}


# --- nothing is lost --------------------------------------------------------------------------------------------


@given(seed=SEEDS)
def test_a_game_that_is_written_and_read_tells_the_same_story(seed):
    rng = random.Random(seed)
    game = Game(rng, some_rules(rng)).play(rng.choice([3, 40, 150, 600]))
    words = text.write(game.record, DATE)
    again = brought(words)
    assert scenes(again) == scenes(game.record)
    assert text.write(again, DATE) == words
    whole = Table.resume(again, Paper())
    assert whole.aside == ()
    assert read(words).date == DATE
    assert read(words).state == ("over" if GAME.result(game.state) else "open")


def test_names_of_every_kind_come_back():
    for name in ("", "Ana", " Ana ", '"Ana"', '"', "Ana: Bia; Caio", "Vó Cida", "red", "#1", "x" * 40):
        game = Game(random.Random(3), names=dict.fromkeys(FOUR, name))
        assert set(read(text.write(game.record, DATE)).names.values()) == {name}


@pytest.mark.parametrize(
    ("name", "left"),
    [("a\nb", "ab"), ("\u0007\u202eevil", "evil"), ("x" * 200, "x" * 40), ("   ", ""), ("\u2028", ""), ("\ud800", "")],
)
def test_a_name_that_came_in_unchecked_goes_out_so_that_it_comes_back(name, left):
    """An older journal may hold anything; its text can be read all the same, and everyone still sits there."""
    game = Game(random.Random(3), names={}).play(60)
    words = text.write(replace(game.record, names=dict.fromkeys(FOUR, name)), DATE)
    assert all(found == (left or seat) for seat, found in read(words).names.items())
    assert text.write(brought(words), DATE) == words


# --- nothing secret is said -------------------------------------------------------------------------------------


def chosen(locks):
    """A game of three in which the seats lock in as it is said; then a text is written."""
    paper = Paper()
    options = {"gryphon": "red", "tower": list(deal(random.Random(1)))}
    table, _ = Table.begin(GAME, paper, ("red", "blue", "green"), options, {}, random.Random(1))
    for lock in locks:
        assert table.request(lock).kind == "done"
    return text.write(Record(7, GAME.id, {}, tuple(paper.entries)), DATE)


def test_the_locks_of_a_running_round_are_not_in_it():
    nothing = chosen([])
    assert chosen([Play(Lock("red", 5))]) == nothing
    assert chosen([Play(Lock("red", 5)), Play(Lock("blue", 2)), Play(Lock("green", 7))]) == nothing


def test_a_seat_handed_on_in_the_running_round_is_in_it():
    handed = chosen([Hand("blue", "Rita")])
    assert handed.endswith("\nseat blue: Rita\n"), "no lock stands before it"
    for locks in ([Play(Lock("red", 5))], [Play(Lock("blue", 5)), Play(Lock("red", 5))]):
        assert chosen([*locks, Hand("blue", "Rita"), Play(Lock("green", 2))]) == handed
    assert text.write(brought(handed), DATE) == handed


def in_words(game: Record, **kwargs) -> str:
    return text.write(game, DATE, say=lambda m, names: Wording("en", GAME.term, names)(m), **kwargs)


def test_comments_tell_why_and_are_read_over():
    """The reasons of the order, what stands against which rule, and how the winner was found."""
    stands = "blue: 2 d1-e1; climb 2 e1-e2\nblue stands: 1 b1-b3; agreed red, blue\n"
    game = brought(BY_HAND.replace("blue: 2 d1-e1; climb 2 e1-e2\n", stands))
    words = in_words(game)
    assert "order: blue, red\n# Bruno goes first with" in words or "order: red, blue\n# Ana goes first with" in words
    stands = words.splitlines()[words.splitlines().index("blue stands: 1 b1-b3; agreed red, blue") + 1]
    assert re.fullmatch(r"# Against the rule, but it stands: .+ \([RA]\d+\)", stands)
    plain = [line for line in words.splitlines() if not line.startswith("#")]
    assert plain == text.write(game, DATE).splitlines()
    assert text.write(brought(words), DATE) == text.write(game, DATE)


@given(SEEDS)
def test_with_comments_every_game_reads_as_without(seed):
    game = Game(random.Random(seed), names={"red": "Ana"}).play(random.Random(seed).choice((40, 3000)))
    # a name from before names were checked may hold any sign
    record = replace(game.record, names={"red": "Ana\x1b[31m\n"})
    words, plain = in_words(record), text.write(record, DATE)
    assert text.write(brought(words), DATE) == text.write(brought(plain), DATE)
    result = GAME.result(game.state)
    if result is not None:
        head = words[: words.index("\n\n")].splitlines()
        steps = len(result.steps)
        assert [line.startswith("# ") for line in head[-steps - 1 :]] == [False, *[True] * steps]


def peak_of_opening(n):
    """Bytes that opening a game of so many corrections takes at most."""
    words = BY_HAND.replace("round 1: ", "put right: gryphon blue\nput right: gryphon red\n" * (n // 2) + "round 1: ")
    game = brought(words)
    tracemalloc.start()
    try:
        assert Table.resume(game, Paper()).table is not None
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_opening_a_long_game_grows_with_its_length_and_not_with_the_square_of_it():
    assert peak_of_opening(2000) < 2.8 * peak_of_opening(1000)


def test_who_locked_in_when_is_not_in_it():
    red, blue, green = (Play(Lock(s, c)) for s, c in (("red", 5), ("blue", 2), ("green", 7)))
    at_once = chosen([red, blue, green, Reveal()])
    assert chosen([green, red, blue, Reveal()]) == at_once
    changed = [Play(Lock("red", 3)), Play(Lock("red", 5)), blue, Play(Unlock("blue")), green, blue, Reveal()]
    assert chosen(changed) == at_once
    assert "round 1: red 5, blue 2, green 7\norder: blue, red, green\n" in at_once


# --- only what the rules allow is read --------------------------------------------------------------------------

BY_HAND = """\
gryphon game text 1
game: sir-holland
date: 2026-01-31 20:15
# the first evening in the new house
seat red: Ana
seat blue: Bruno
gryphon: red
tower: RWPWW WSPRW WWPRH RSPWW RDPDR
x-place: kitchen
result: open

round 1: blue 5, red 2
order: red, blue
red: 1 b1-a1-a2; end
blue: 2 d1-e1; climb 2 e1-e2
blue: end

round 2: red 1, blue 6
# enough for tonight
"""


def test_a_text_by_hand():
    game = read(BY_HAND.replace("\n", "\r\n").encode("utf-8-sig"))
    assert game.names == {"red": "Ana", "blue": "Bruno"}
    assert (game.date, game.state) == ("2026-01-31 20:15", "open")
    story = tell(Record(1, game.game, game.names, game.entries))
    assert story.scenes[-1].view["figures"] | {"red.1": "a2", "blue.2": "e2"} == story.scenes[-1].view["figures"]
    assert story.scenes[-1].view["cards"] == {"red": 1, "blue": 6}


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("gryphon game text 1", "gryphon game text 2", 1, "another version"),
        ("gryphon game text 1", "hello", 1, "The first line is: gryphon game text 1"),
        ("game: sir-holland", "game: chess", 2, 'no game called "chess"'),
        ("game: sir-holland\n", "", 2, "game: sir-holland"),
        ("2026-01-31", "2026-02-31", 3, "2026-01-31 20:15"),
        ("2026-01-31", "0001-01-01", 3, "2026-01-31 20:15"),
        ("2026-01-31", "9999-12-31", 3, "2026-01-31 20:15"),
        ("seat red: Ana", "seat red", 5, "no colon"),
        ("seat red: Ana", f"seat red: {'a' * 41}", 5, "it has 41 letters, and 40 are the most"),
        ("seat red: Ana", 'seat red: "a\\nb"', 5, "cannot be seen"),
        ("seat red: Ana", 'seat red: "\\u0007\\u202eevil"', 5, "cannot be seen"),
        ("seat red: Ana", "seat red: \u202eAna", 5, "a sign in it that no text has"),
        ("seat red: Ana", 'seat red: "   "', 5, "all blanks"),
        ("seat red: Ana", 'seat red: "Ana', 5, "This is no name."),
        ("red: 1 b1-a1-a2; end", 'seat red: "\\u202eRita"', 14, "cannot be seen"),
        ("seat blue: Bruno", "seat pink: Bruno", 6, "the colours are"),
        ("seat blue: Bruno\n", "", 5, "2 to 4 seats"),
        ("seat blue: Bruno", 'seat blue: "\\ud800"', 6, "This is no name"),
        ("gryphon: red", "gryphon: green", 7, "Green does not sit here"),
        ("gryphon: red\n", "", 1, '"gryphon" is missing'),
        ("gryphon: red", "gryphn: red", 7, "begin with x-"),
        ("gryphon: red", "gryphon: red\ngryphon: red", 8, "twice"),
        ("gryphon: red", "rule fall_distance: 3", 7, 'can be 1, 2, not "3"'),
        ("gryphon: red", "rule falls: 3", 7, "fall_distance"),
        ("RDPDR", "RDPDW", 8, "Count the ropes: the tower has 6"),
        ("RDPDR", "RDPD", 8, "tower"),
        ("x-place: kitchen", "villains: wizard c2, knight d4", 9, "c2 and c4"),
        ("result: open", "result: red", 10, "written here as: open, abandoned"),
        ("round 1", "round 2", 12, "This is round 1."),
        ("blue 5, red 2", "blue 5", 12, "The cards of Red are missing"),
        ("blue 5, red 2", "blue 5, red 8", 12, '"8" is no act'),
        ("blue 5, red 2", "blue 5, blue 2", 12, "twice"),
        ("blue 5, red 2", "blue 5, red end", 12, "round 1: red 5, blue 2"),
        ("blue 5, red 2", "blue 5, green 2", 12, "There are: red, blue"),
        ("order: red, blue", "order: blue, red", 13, "another one: red, blue"),
        ("red: 1 b1-a1-a2; end", "red: 1 a1-a2; end", 14, "Red 1 stands on b1"),
        ("red: 1 b1-a1-a2; end", "red: 1 b1-b2; end", 14, "Possible here: 1 b1-a1"),
        ("red: 1 b1-a1-a2; end", "red: jump 1 b1", 14, "1 b1-a1, climb"),
        ("red: 1 b1-a1-a2; end", "red: 1 b1-a1-a9", 14, "a1 to e5"),
        ("red: 1 b1-a1-a2; end", "blue: end", 14, "Red acts now"),
        ("red: 1 b1-a1-a2; end", "red stands: end", 14, 'without "stands"'),
        ("red: 1 b1-a1-a2; end", "put right: gryphon pink", 14, "red, blue"),
        ("red: 1 b1-a1-a2; end", "put right: rules fall_distance 2", 14, "all agree"),
        ("red: 1 b1-a1-a2; end", "put right: figures wizard roof", 14, "cannot stand on"),
        ("red: 1 b1-a1-a2; end", "seat red: Ana", 14, "changes nothing"),
        ("red: 1 b1-a1-a2; end", "taken back\ntaken back", 15, "nothing to take back"),
        ("red: 1 b1-a1-a2; end", "7", 14, "no colon"),
        ("red: 1 b1-a1-a2; end", "then: 7", 14, "Lines begin like these"),
        ("round 2: red 1, blue 6", "round 2: red 1, blue 5", 18, "has used 5 (Climb)"),
    ],
)
def test_what_cannot_be_is_said_with_its_line(old, new, line, says):
    assert old in BY_HAND
    with pytest.raises(text.TextError) as caught:
        read(BY_HAND.replace(old, new))
    assert caught.value.line == line
    assert re.match(f"Line {line}[,:] ", said(caught.value))
    assert says in said(caught.value)
    for lang in languages():
        assert "{" not in said(caught.value, lang)


def test_a_text_has_bounds():
    with pytest.raises(text.TextError, match="too large"):
        read(b"#" * (text.LARGEST + 1))
    with pytest.raises(text.TextError, match="too long"):
        read(BY_HAND + "#" * 5000)
    with pytest.raises(text.TextError) as caught:
        read(BY_HAND + "put right: gryphon blue\ntaken back\n" * text.MOST)
    assert caught.value.line > text.MOST
    with pytest.raises(text.TextError, match="UTF-8"):
        read(BY_HAND.encode() + b"\xff\xfe")


# --- garbage ----------------------------------------------------------------------------------------------------


def tried(data):
    """The game, or why not; any other exception fails the test."""
    try:
        return text.read(data), None
    except text.TextError as error:
        return None, error


def mutated(rng, words):
    """A text with a few slips of the pen, or of a disk."""
    for _ in range(rng.randint(1, 3)):
        lines = words.split("\n")
        at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        word = rng.choice(re.findall(r"[^\s;,]+", words) or ["x"])
        match rng.randrange(9):
            case 0:
                del lines[at]
            case 1:
                lines[at], lines[other] = lines[other], lines[at]
            case 2:
                lines.insert(at, lines[other])
            case 3:
                tokens = re.split(r"([\s;,:-]+)", lines[at])
                tokens[rng.randrange(len(tokens))] = word
                lines[at] = "".join(tokens)
            case 4:
                place = rng.randrange(len(lines[at]) + 1)
                lines[at] = (
                    lines[at][:place]
                    + rng.choice(["", word, "-", ";", ":", "\0", "é", "٣", "none", "9" * 30])
                    + lines[at][place + 1 :]
                )
            case 5:
                lines[at] = lines[at].replace(rng.choice("12345abcde"), rng.choice("0123456789abcdef"))
            case 6:
                lines = lines[: at + 1]
            case 7:
                lines[at] = f"put right: {rng.choice(PUT_RIGHT)}"
            case _:
                key, _, rest = lines[at].partition(":")
                lines[at] = rest + ":" + key
        words = "\n".join(lines)
    return words


PUT_RIGHT = (
    "turn red card 5 points 1 special 0 used wizard fall red.1 b1-d1", "turn red card 5", "result saved; phase over",
    "result rested; phase over; turn none; order none; cards none", "seats blue", "out red, red", "figures none",
    "figures red.1 roof, red.1 roof", "hands red none", "rests red 999999", "order blue, red; cards none", "nothing",
    "phase resolve", "rules none; agreed red", "lying wizard", "tower none", "final maybe", "round 0", "",
    "seats blue, red; result saved; figures red.1 roof, red.2 roof; phase over; turn none; order none; cards none",
)  # fmt: skip


def test_garbage_is_refused_in_words_and_by_nothing_else():
    """Two thousand spoilt texts: each is read or refused with a line, and what was read can be written again."""
    rng = random.Random(5)
    originals = [BY_HAND] + [text.write(Game(rng, some_rules(rng)).play(30).record, DATE) for _ in range(20)]
    outcomes = {True: 0, False: 0}
    wordings = [Wording(lang, GAME.term) for lang in languages()]
    for _ in range(2000 if os.environ.get("GRYPHON_LONG") else 400):
        words = mutated(rng, rng.choice(originals))
        game, error = tried(words.encode("utf-8", "surrogatepass"))
        outcomes[error is None] += 1
        if error is not None:
            assert 1 <= error.line <= words.count("\n") + 1
            assert all(w(error.reason) for w in wordings)
            continue
        assert scenes(brought(words)) == scenes(
            brought(text.write(Record(1, game.game, game.names, game.entries), DATE))
        )
    assert min(outcomes.values()) > 20, outcomes


@settings(max_examples=200)
@given(data=st.binary(max_size=400))
def test_bytes_of_any_kind_are_refused_in_words(data):
    for garbage in (data, BY_HAND.encode() + data, b"gryphon game text 1\ngame: sir-holland\n" + data):
        _, error = tried(garbage)
        assert error is None or error.line >= 1
