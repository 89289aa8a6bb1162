"""A seat is given up, or handed to somebody else."""

from __future__ import annotations

from random import Random

import pytest

from companion.games import find_game
from companion.games.base import BadForm, Laid
from companion.table.ports import Do, Hand, Play, PutRight, Reveal, TakeBack
from companion.table.session import Table
from tests.table.table_kit import SEATS, House, say
from tests.table.test_text import Paper

NAMES = {"red": "Ana", "blue": "Bia", "green": "Caio"}


@pytest.fixture
def three(house):
    return house(3, names=NAMES)


def same(table: House) -> None:
    table.same_after_resume()


def test_handed_to_somebody_else(three):
    outcome = three.ask(Hand("blue", "  Davi   Luz "))
    assert outcome.kind == "done"
    assert say(outcome) == ["Bia gives up the seat. Davi Luz plays Blue from now on."]
    assert outcome.now.names == {"red": "Ana", "blue": "Davi Luz", "green": "Caio"}
    assert outcome.before.names == NAMES
    assert outcome.now.free == ()
    assert (three.entries[-1].kind, three.entries[-1].data) == ("seat", {"seat": "blue", "name": "Davi Luz"})
    same(three)


def test_given_up_the_table_waits_and_anybody_may_play_or_take_over(three):
    outcome = three.ask(Hand("blue", ""))
    assert say(outcome) == ["Bia gives up the seat. Anybody may play Blue, or take over."]
    assert outcome.now.free == ("blue",)
    assert "blue" not in outcome.now.names
    assert "blue" in [seat for seat, _ in outcome.now.awaited]
    same(three)
    assert three.lock("blue", 3).kind == "done"
    outcome = three.ask(Hand("blue", "Eva"))
    assert say(outcome) == ["Eva plays Blue from now on.", "The card of Blue is unlocked: choose again."]
    assert outcome.now.free == ()
    same(three)


def test_a_seat_without_a_name_is_not_free_until_it_is_given_up(house):
    table = house(2)
    assert table.now.free == ()
    assert say(table.ask(Hand("red", ""))) == ["Red gives up the seat. Anybody may play Red, or take over."]
    assert table.now.free == ("red",)
    same(table)


@pytest.mark.parametrize("name", ["Bia", ""])
def test_nothing_changes_where_nothing_does(three, name):
    three.ask(Hand("blue", name))
    three.lock("blue", 2)
    entries = three.entries
    assert three.ask(Hand("blue", name)).kind == "nothing"
    assert three.entries == entries
    assert three.now.view["locked"] == ["blue"]


def test_nobody_sits_there(three):
    outcome = three.ask(Hand("yellow", "Ana"))
    assert outcome.kind == "refused"
    assert say(outcome) == ["Nobody sits there."]
    assert len(three.entries) == 1


def test_its_lock_is_withdrawn_and_no_other(three):
    three.lock("red", 1)
    three.lock("blue", 3)
    outcome = three.ask(Hand("blue", "Davi"))
    assert say(outcome)[-1] == "The card of Blue is unlocked: choose again."
    assert outcome.now.view["locked"] == ["red"]
    assert three.state.locks == {"red": 1}
    assert "3" not in str(outcome.messages)
    same(three)


def test_a_seat_without_a_lock_says_nothing_of_one(three):
    three.lock("red", 1)
    assert len(three.ask(Hand("blue", "Davi")).messages) == 1
    assert three.state.locks == {"red": 1}


def test_the_held_lock_is_withdrawn(three):
    for seat, card in (("red", 1), ("blue", 2), ("green", 3)):
        three.lock(seat, card)
    outcome = three.ask(Hand("green", "Davi"))
    assert outcome.now.held is None
    assert outcome.now.view["locked"] == ["blue", "red"]
    assert say(outcome)[-1] == "The card of Green is unlocked: choose again."
    same(three)
    assert three.lock("green", 7).now.held == "green"
    assert three.ask(Reveal()).now.view["cards"] == {"red": 1, "blue": 2, "green": 7}


def test_while_another_lock_is_held_that_one_is_a_lock_again(three):
    for seat, card in (("red", 1), ("blue", 2), ("green", 3)):
        three.lock(seat, card)
    outcome = three.ask(Hand("red", "Davi"))
    assert outcome.now.held is None
    assert outcome.now.view["locked"] == ["blue", "green"]
    same(three)
    three.lock("red", 5)
    assert three.ask(Reveal()).now.view["cards"] == {"red": 5, "blue": 2, "green": 3}


def test_a_lock_of_another_seat_is_not_stale(three):
    seen = three.now.seen
    three.ask(Hand("blue", "Davi"))
    assert three.lock("red", 1, seen).kind == "done"


def test_a_reader_lays_for_whoever_sits_there(three):
    three.ask(Hand("blue", ""))
    assert three.ask(Do(Laid("blue", "blue", 2))).kind == "done"


def test_in_a_turn_nothing_of_the_game_changes(three):
    now = three.choose(red=1, blue=2, green=3).now
    outcome = three.ask(Hand("red", "Davi"))
    assert outcome.now.view == now.view
    assert outcome.now.choices == now.choices
    assert outcome.now.undo == now.undo
    same(three)


def test_a_take_back_goes_back_in_the_game_and_leaves_people_where_they_sit(three):
    before = three.now.view
    three.choose(red=1, blue=2, green=3)
    three.ask(Hand("red", "Davi"))
    three.ask(Hand("blue", ""))
    outcome = three.ask(TakeBack(None, agreed=True))
    assert outcome.now.view == before
    assert outcome.now.names == {"red": "Davi", "green": "Caio"}
    assert outcome.now.free == ("blue",)
    same(three)


def test_who_has_sat_down_may_take_the_last_act_of_the_seat_back(three):
    three.choose(red=1, blue=2, green=3)
    three.play(three.now.choices[0])
    three.ask(Hand("red", "Davi"))
    assert three.ask(TakeBack("red")).kind == "done"
    same(three)


def test_putting_right_leaves_people_where_they_sit(three):
    three.ask(Hand("blue", ""))
    assert three.ask(PutRight({"gryphon": "green"})).now.free == ("blue",)
    same(three)


def test_after_the_end(three):
    rng = Random(3)
    while not three.now.decision:
        three.ask(Reveal() if three.now.held else Play(rng.choice(three.now.choices)))
    outcome = three.ask(Hand("red", "Davi"))
    assert outcome.kind == "done"
    assert outcome.now.decision
    same(three)


def test_not_saved_is_not_handed_on(three, monkeypatch):
    three.lock("blue", 2)
    before = three.now
    three.break_journal(monkeypatch)
    assert three.ask(Hand("blue", "Davi")).kind == "not_saved"
    assert three.now == before


def test_every_seat_in_one_game(house):
    table = house(4, names=NAMES)
    for n, seat in enumerate(SEATS):
        table.ask(Hand(seat, f"P{n}"))
        table.lock(seat, 1)
    assert table.now.names == {s: f"P{n}" for n, s in enumerate(SEATS)}
    same(table)


WRONG = ["x" * 41, "x" * 200, "a\u202eb", "\x07"]


@pytest.mark.parametrize("name", [*WRONG, "a\nb", "   "])
def test_nobody_begins_under_what_is_no_name(name):
    paper = Paper()
    with pytest.raises(BadForm) as caught:
        Table.begin(find_game("sir-holland"), paper, ("red", "blue"), {}, {"red": "Ana", "blue": name}, Random(1))
    assert "This is no name" in caught.value.reason.id
    assert paper.entries == []


@pytest.mark.parametrize("name", WRONG)
def test_nobody_sits_down_under_what_is_no_name(name):
    names = {"red": "Ana", "blue": "B"}
    table, _ = Table.begin(find_game("sir-holland"), Paper(), ("red", "blue"), {}, names, Random(1))
    outcome = table.request(Hand("blue", name))
    assert (outcome.kind, outcome.now.names["blue"]) == ("refused", "B")
    assert "This is no name" in outcome.messages[0].id
