"""The story of a game, its outline, and what-ifs: out of the journal, without any secret choice."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from random import Random

import pytest

from companion.games.sir_holland.state import Move, Unlock
from companion.table import story
from companion.table.ports import Entry, Hand, Insist, Play, PutRight, Record, Reveal, TakeBack
from companion.wording import Wording
from tests.conftest import LONG
from tests.table.table_kit import GAME, SEATS, House, random_request

NAMES = {"red": "Ana", "blue": "Bia"}


def record(table: House) -> Record:
    return table.store.record(table.table.number)


def told(table: House) -> story.Story:
    return story.tell(record(table))


def words(scene) -> list[str]:
    return [Wording("en", GAME.term, scene.names)(m) for m in scene.messages]


def plain(what) -> str:
    """All that is in a value, to be searched."""
    return json.dumps(asdict(what), default=str)


@pytest.fixture
def two(house):
    return house(2, names=NAMES)


def test_a_game_that_has_just_begun_is_one_scene(two):
    one = told(two)
    assert (one.number, one.game, one.names, one.lost) == (1, "sir-holland", NAMES, ())
    (scene,) = one.scenes
    assert (scene.seq, scene.mark, scene.names) == (1, "", NAMES)
    assert scene.messages == two.opened.messages
    assert scene.view == two.now.view


def test_a_scene_a_request_told_as_it_was_told(house):
    """Reveal and turns: the same words and the same view as at the table."""
    table = house(3, seed=4)
    heard = {table.now.seq: (table.opened.messages, table.now.view)}
    rng = Random(4)
    while table.now.view["round"] < 3:
        now = table.now
        outcome = table.ask(Reveal() if now.held else Play(rng.choice(now.choices)))
        if outcome.before.view["phase"] == "resolve" or outcome.now.view["phase"] == "resolve":
            heard[outcome.now.seq] = (outcome.messages, outcome.now.view)
    one = told(table)
    assert {s.seq: (s.messages, s.view) for s in one.scenes} == heard
    assert [s.seq for s in one.scenes] == sorted(heard)


def test_it_stops_before_the_locks_of_a_running_round(two):
    before = told(two)
    two.lock("red", 3)
    assert told(two) == before
    two.ask(Hand("blue", "Caio"))
    assert [s.mark for s in told(two).scenes] == ["", "seat"], "who sits where is no secret"
    two.lock("blue", 2)
    assert two.now.held
    assert [s.mark for s in told(two).scenes] == ["", "seat"]
    sandbox = story.branch(record(two), two.now.seq)
    assert sandbox.snapshot().names["blue"] == "Caio"
    assert sandbox.snapshot().view["locked"] == []
    two.ask(Reveal())
    scenes = told(two).scenes
    assert [s.mark for s in scenes] == ["", "seat", ""]
    assert [s.view["locked"] for s in scenes] == [[], [], []]


def test_a_take_back_and_what_it_took_back(two):
    two.choose(red=1, blue=2)
    outcome = two.play(two.now.choices[0])
    two.ask(TakeBack("red"))
    *_, acted, back = told(two).scenes
    assert acted.messages == outcome.messages
    assert (back.mark, words(back)) == ("taken_back", ["Taken back: " + words(acted)[0]])
    assert back.view == outcome.before.view


def test_back_past_a_reveal(two):
    two.choose(red=1, blue=2)
    two.ask(TakeBack(None, agreed=True))
    back = told(two).scenes[-1]
    assert back.view["phase"] == "choose"
    assert back.view["locked"] == []
    assert "unlocked" not in plain(back)


def test_take_backs_one_after_another(two):
    two.choose(red=1, blue=2)
    two.ask(PutRight({"gryphon": "blue"}))
    two.play(two.now.choices[0])
    for _ in range(3):
        two.ask(TakeBack(None, agreed=True))
    opened, reveal, right, acted, *back = told(two).scenes
    assert [w for s in back for w in words(s)] == [f"Taken back: {words(s)[0]}" for s in (acted, right, reveal)]
    assert [s.view for s in back] == [right.view, reveal.view, opened.view]


def test_what_was_put_right_and_what_stands(house):
    table = house(3)
    table.ask(PutRight({"figures": {**table.now.view["figures"], "green.1": "b2"}}))
    table.ask(PutRight({"rules": {"rope_down": "on"}}, SEATS[:3]))
    table.choose(red=4, blue=4, green=3)
    table.ask(Insist(Move("green", "green.1", ("c2",))))
    scenes = told(table).scenes
    assert [s.mark for s in scenes] == ["", "put_right", "put_right", "", "stands"]
    assert words(scenes[1]) == ["Put right. The game goes on from here."]
    assert words(scenes[2])[0].startswith("House rule changed: May heroes go down a rope?")
    assert words(scenes[4])[0].startswith("Against the rule, but it stands: ")
    assert scenes[4].view == table.now.view


def test_who_sits_where_from_scene_to_scene(two):
    two.ask(Hand("red", ""))
    two.ask(Hand("red", "Caio"))
    one = told(two)
    assert [s.names for s in one.scenes] == [NAMES, {"blue": "Bia"}, {"blue": "Bia", "red": "Caio"}]
    assert words(one.scenes[1]) == ["Ana gives up the seat. Anybody may play Red, or take over."]
    assert words(one.scenes[2]) == ["Caio plays Red from now on."]
    assert one.names == {"blue": "Bia", "red": "Caio"}


# --- damage -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("damage", ["unreadable", "foreign", "gap", "half"])
def test_damaged_entries_are_lost_in_a_sentence(two, damage):
    two.choose(red=1, blue=2)
    whole = told(two).scenes
    two.play(two.now.choices[0])
    two.play(two.now.choices[0])
    entries = list(record(two).entries)
    at = next(i for i, e in enumerate(entries) if e.seq == whole[-1].seq + 1)
    if damage == "unreadable":
        entries[at + 1] = replace(entries[at + 1], kind="unreadable", data=None)
    elif damage == "foreign":
        entries[at + 1] = replace(entries[at + 1], data={"v": 1, "what": "flew"})
    elif damage == "gap":
        del entries[at]
    else:
        del entries[at + 1 :]
    one = story.tell(replace(record(two), entries=tuple(entries)))
    assert one.scenes == whole
    (lost,) = one.lost
    assert lost.params == {"n": len(entries) - at}


def test_nothing_left_and_nobody_s_game(two):
    entries = tuple(replace(e, kind="unreadable", data=None) for e in record(two).entries)
    one = story.tell(replace(record(two), entries=entries))
    assert one.scenes == ()
    assert Wording()(one.lost[0]) == "Game 1 cannot be opened: none of its entries can be read."
    assert story.tell(replace(record(two), entries=())).scenes == ()
    one = story.tell(replace(record(two), game="chess"))
    assert Wording()(one.lost[0]) == 'There is no game called "chess" here.'


@pytest.mark.parametrize("seed", range(300 if LONG else 20))
def test_no_damage_whatever_is_an_exception(house, seed):
    table = house(3, seed=seed)
    rng = Random(seed)
    for _ in range(60):
        table.ask(random_request(table, rng))
    entries = list(record(table).entries)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(entries))
        junk = rng.choice([None, [], {}, "x", 7, {"v": 1, "what": "locked", "seat": "red"}, {"to": -1}, {"to": at}])
        kind = rng.choice(["event", "step", "held", "take_back", "put_right", "seat", "unreadable", entries[at].kind])
        entries[at] = Entry(entries[at].seq, kind, junk)
    damaged = replace(record(table), entries=tuple(entries))
    one = story.tell(damaged)
    for scene in one.scenes:
        assert words(scene)
    assert story.outline(damaged).number == table.table.number
    story.branch(damaged, rng.randrange(len(entries)))


# --- secrets ----------------------------------------------------------------------------------------------------


def choosing(table: House, rng: Random, cards: dict[str, int]) -> None:
    """The seats lock in these cards, in any order, with changes of mind on the way."""
    seats = list(cards)
    rng.shuffle(seats)
    for seat in seats:
        for _ in range(rng.randint(0, 2)):
            table.lock(seat, rng.choice(table.state.hands[seat]))
            if rng.random() < 0.5:
                table.play(Unlock(seat))
        table.lock(seat, cards[seat])
    for _ in range(rng.randint(0, 2)):
        seat = rng.choice(seats)
        table.lock(seat, rng.choice(table.state.hands[seat]))
        table.lock(seat, cards[seat])


@pytest.mark.parametrize("seed", range(60 if LONG else 10))
def test_how_a_round_was_chosen_leaves_no_trace(house, seed):
    """The same game twice, chosen in another order and with other changes of mind: the stories tell the same."""
    tables = [house(3, seed=seed), house(3, seed=seed)]
    rng, ways = Random(seed), (Random(seed + 1000), Random(seed + 2000))
    while tables[0].now.view["round"] < 4 and tables[0].now.view["phase"] != "over":
        cards = {s: rng.choice(h) for s, h in tables[0].state.hands.items()}
        for table, way in zip(tables, ways, strict=True):
            choosing(table, way, cards)
            table.ask(Reveal())
        while tables[0].now.view["phase"] == "resolve":
            choice = rng.choice(tables[0].now.choices)
            for table in tables:
                table.play(choice)
    # and a round that is still being chosen
    for table, way in zip(tables, ways, strict=True):
        for seat in way.sample(SEATS[:3], way.randint(0, 3)):
            table.lock(seat, way.choice(table.state.hands[seat]))
    one, two = (told(t).scenes for t in tables)
    assert [replace(s, seq=0) for s in one] == [replace(s, seq=0) for s in two]


@pytest.mark.parametrize("seed", range(100 if LONG else 6))
def test_no_lock_is_in_a_story_a_what_if_or_its_journal(house, seed):
    """Random games, stopped anywhere: nothing that leaves the table names a card that is locked in."""
    table = house(3, seed=seed)
    rng = Random(seed)
    for _ in range(150):
        table.ask(random_request(table, rng))
        if not (table.state.locks or table.table._now.held) or rng.random() < 0.7:
            continue
        one, whole = told(table), record(table)
        for scene in one.scenes:
            assert scene.view["locked"] == []
            assert "own" not in scene.view
            assert not GAME.secret & set(scene.view)
        kept = story.public(whole).entries
        first = next(
            i
            for i, e in reversed(list(enumerate(whole.entries)))
            if e.kind in ("step", "take_back", "put_right") or e.seq == 1
        )
        rest = whole.entries[first:]
        assert all(e.data.get("what") != "locked" and e.kind != "held" for e in kept[first:] if e.data)
        # the same game with other cards in those locks tells the very same story
        other = [with_another_card(e, table) if e in rest else e for e in whole.entries]
        assert story.tell(replace(whole, entries=tuple(other))) == one
        sandbox = story.branch(whole, whole.entries[-1].seq)
        assert sandbox.snapshot().view["locked"] == []
        assert sandbox._now.held is None
        assert not sandbox._now.state.locks


def with_another_card(entry: Entry, table: House) -> Entry:
    locked = isinstance(entry.data, dict) and "card" in entry.data and entry.data.get("what", "locked") == "locked"
    if not locked:
        return entry
    hand = table.state.hands[entry.data["seat"]]
    other = hand[(hand.index(entry.data["card"]) + 1) % len(hand)]
    return replace(entry, data={**entry.data, "card": other})


# --- outline ----------------------------------------------------------------------------------------------------


def test_the_outline_of_a_game(two):
    outline = story.outline(record(two))
    assert outline == story.Outline(1, 1, NAMES, 1, None)
    two.ask(Hand("red", "Caio"))
    rng = Random(2)
    while not two.now.decision:
        two.ask(Reveal() if two.now.held else Play(rng.choice(two.now.choices)))
    outline = story.outline(record(two))
    assert outline.names == {"red": "Caio", "blue": "Bia"}
    assert outline.round == two.now.view["round"]
    assert outline.winner == two.now.view["result"]["winner"]
    assert outline.seq == two.now.seq


def test_the_outline_of_what_cannot_be_read(two):
    assert story.outline(replace(record(two), entries=())).round == 0
    assert story.outline(replace(record(two), game="chess")).winner is None


# --- what if ----------------------------------------------------------------------------------------------------


def test_a_what_if_goes_on_from_any_scene_and_leaves_the_game_alone(house):
    table = house(3, seed=4)
    rng = Random(4)
    while table.now.view["round"] < 3:
        table.ask(Reveal() if table.now.held else Play(rng.choice(table.now.choices)))
    entries = record(table).entries
    for scene in told(table).scenes:
        sandbox = story.branch(record(table), scene.seq)
        now = sandbox.snapshot()
        assert now.sandbox
        assert now.view == scene.view
        assert now.seq == scene.seq
        for _ in range(20):
            now = sandbox.snapshot()
            outcome = sandbox.request(Reveal() if now.held else Play(rng.choice(now.choices)))
            assert outcome.kind == "done"
            assert outcome.now.sandbox
    assert record(table).entries == entries
    assert not table.now.sandbox


def test_a_what_if_can_be_taken_back_to_before_it_began(two):
    two.choose(red=1, blue=2)
    two.play(two.now.choices[0])
    sandbox = story.branch(record(two), two.now.seq)
    assert sandbox.snapshot().undo == two.now.undo
    assert sandbox.request(TakeBack("red")).kind == "done"
    assert two.now.seq > 2


def test_a_what_if_in_the_midst_of_choosing_begins_with_nothing_locked(two):
    two.lock("red", 3)
    two.lock("blue", 2)
    for seq in range(1, two.now.seq + 1):
        sandbox = story.branch(record(two), seq)
        assert sandbox.snapshot().view["locked"] == []
        assert sandbox.snapshot().held is None
    assert two.now.held == "blue"


def test_between_two_events_of_a_request_it_begins_before_them(two):
    two.choose(red=1, blue=2)
    seqs = {s.seq for s in told(two).scenes}
    for seq in range(1, two.now.seq + 1):
        assert story.branch(record(two), seq)._now.seq in seqs
    assert story.branch(record(two), 0) is None


def test_every_request_of_a_whole_game_in_a_what_if(two):
    """A what-if can be played to its end, too."""
    rng = Random(9)
    sandbox = story.branch(record(two), 1)
    while not sandbox.snapshot().decision:
        now = sandbox.snapshot()
        assert sandbox.request(Reveal() if now.held else Play(rng.choice(now.choices))).kind == "done"
    assert not two.now.decision


def test_acts_that_were_taken_back_do_not_count(two):
    two.choose(red=2, blue=3)
    seat = two.state.turn.seat
    begun = story.acts(told(two).scenes)
    assert [scene.events[-1]["what"] for _, scene in begun] == ["turn_began"]
    move = next(c for c in GAME.choices(two.state) if isinstance(c, Move))
    assert two.play(move).kind == "done"
    before, scene = story.acts(told(two).scenes)[-1]
    assert before == begun[-1][1].view and scene.events[0]["what"] == "moved"
    assert two.ask(Hand(seat, "Eva")).kind == "done"
    assert two.ask(TakeBack(seat)).kind == "done"
    assert story.acts(told(two).scenes) == begun
    assert two.play(move).kind == "done"
    before, scene = story.acts(told(two).scenes)[-1]
    assert before["figures"] == begun[-1][1].view["figures"] and scene.events[0]["what"] == "moved"
