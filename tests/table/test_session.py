"""The table of house.md, section 5, row by row, on a real store."""

import itertools
from random import Random

import pytest

from companion.games.base import Laid, Pressed
from companion.games.sir_holland.state import Climb, End, Explode, Lock, Move, MoveVillain, Unlock
from companion.table.ports import HEARD, Do, Entry, Hand, Insist, NotSaved, Play, PutRight, Reveal, Seen, TakeBack
from companion.table.session import Table
from tests.conftest import LONG
from tests.table.table_kit import GAME, SEATS, House, random_request, say

TOWER = ["RWPWW", "RSPWW", "RHPWW", "RSPWW", "RDPDR"]


@pytest.fixture
def three(house):
    """Red, blue and green; red holds the gryphon."""
    return house(3, tower=TOWER)


# --- the last lock is held --------------------------------------------------------------------------------------


def test_the_last_lock_is_held_until_somebody_confirms(three):
    three.lock("red", 3)
    three.lock("blue", 2)
    outcome = three.lock("green", 1)
    assert outcome.kind == "done"
    assert outcome.now.held == "green"
    assert outcome.now.view["phase"] == "choose"
    assert outcome.now.view["locked"] == ["blue", "green", "red"]
    assert outcome.now.choices == ()
    assert [seat for seat, _ in outcome.now.awaited] == ["red", "blue", "green"]
    assert three.kinds[-1] == "held"
    three.same_after_resume()
    outcome = three.ask(Reveal())
    assert outcome.kind == "done"
    assert outcome.now.view["queue"] == ["green", "blue", "red"]
    assert outcome.now.held is None
    three.same_after_resume()


SOON = HEARD / 2


def test_any_button_confirms_once_the_question_could_be_heard(three):
    for seat, card in (("red", 3), ("blue", 2), ("green", 1)):
        three.ask(Do(Pressed(seat, card)))
    assert three.now.held == "green"
    assert three.ask(Do(Pressed("red", 5))).now.view["phase"] == "resolve"


@pytest.mark.parametrize("seat", ["green", "red"])
@pytest.mark.parametrize("button", range(1, 8))
def test_a_button_before_that_chooses_as_before_the_same_card_or_another(house, seat, button):
    """A bouncing finger that locked in last, or one that puts its mistake right; both are told alike."""
    three = house(3, tower=TOWER)
    for each in ("red", "blue", "green"):
        three.ask(Do(Pressed(each, 1), SOON))
    outcome = three.ask(Do(Pressed(seat, button), SOON))
    assert (outcome.kind, say(outcome), outcome.now.held) == ("done", [f"{seat.title()} has locked in."], "green")
    assert three.ask(Reveal()).now.view["cards"] == {"red": 1, "blue": 1, "green": 1} | {seat: button}


@pytest.mark.parametrize("again", [Pressed("green", 1), Laid("green", "green", 1)], ids=["button", "card"])
def test_a_late_yes_to_the_reveal_does_not_end_a_turn_in_which_nothing_was_done(three, again):
    for seat, card in (("red", 3), ("blue", 2), ("green", 1)):
        three.lock(seat, card)
    three.ask(Reveal())
    assert three.ask(Do(again, SOON)).kind == "nothing"
    asked = three.ask(Do(again))
    assert (asked.kind, asked.refused.rule) == ("refused", "R27")
    assert three.now.view["turn"]["seat"] == "green"
    assert three.ask(Do(Pressed("blue", 2))).kind == "nothing"
    assert three.ask(Do(again)).kind == "done"
    assert three.now.view["turn"]["seat"] == "blue"


@pytest.mark.parametrize("again", [Pressed("green", 1), Laid("green", "green", 1)], ids=["button", "card"])
@pytest.mark.parametrize("since", [-0.3, 0.04, 0.8, HEARD - 0.001])
def test_one_act_is_never_both_the_question_and_the_yes(three, again, since):
    """A double press, a card lowered with a hesitation: the question is asked again, however often."""
    for seat, card in (("red", 3), ("blue", 2), ("green", 1)):
        three.lock(seat, card)
    three.ask(Reveal())
    asked = three.ask(Do(again))
    for _ in range(3):
        assert three.ask(Do(again, since)) == asked
    assert three.ask(Do(again, HEARD)).now.view["turn"]["seat"] == "blue"


def test_one_act_does_one_thing(three):
    """The yes to the reveal, pressed twice, is no rest; a rest, twice, locks nothing in for the next round."""
    for seat, card in (("red", 7), ("blue", 7), ("green", 7)):
        three.lock(seat, card)
    first = three.now.view["gryphon"]
    three.ask(Do(Pressed(first, 7)))
    while three.now.view["phase"] == "resolve":
        seat = three.now.view["turn"]["seat"]
        assert three.ask(Do(Pressed(seat, 7), SOON)).kind == "nothing"
        assert three.ask(Do(Pressed(seat, 7))).kind == "done"
    for since in (0.04, 0.9):
        assert three.ask(Do(Pressed(seat, 7), since)).kind == "nothing"
    assert three.ask(Do(Pressed("red" if seat != "red" else "blue", 1), SOON)).kind == "done", "others need not wait"
    assert three.ask(Do(Pressed(seat, 7))).kind == "done"


def test_a_turn_in_which_something_was_done_ends_with_one_press(three):
    for seat, card in (("red", 3), ("blue", 2), ("green", 1)):
        three.lock(seat, card)
    three.ask(Reveal())
    move = next(c for c in three.now.choices if isinstance(c, Move))
    three.ask(Play(move, three.now.seen))
    assert three.ask(Do(Pressed("green", 1))).kind == "done"
    assert three.now.view["turn"]["seat"] == "blue"


def test_a_confirmation_with_nothing_held_is_stale(three):
    assert three.ask(Reveal()).kind == "stale"
    three.lock("red", 3)
    assert three.ask(Reveal(three.now.seen)).kind == "stale"


def test_a_confirmation_from_an_old_screen_reveals_nothing(three):
    old = three.now.seen
    three.choose(red=3, blue=2, green=1)
    while three.now.view["phase"] == "resolve":
        three.play(End(three.now.awaited[0][0]))
    for seat, card in (("red", 1), ("blue", 1), ("green", 2)):
        three.lock(seat, card)
    assert three.ask(Reveal(old)).kind == "stale"
    assert three.ask(Reveal(three.now.seen)).kind == "done"


# --- replacing a lock -------------------------------------------------------------------------------------------


def test_replacing_a_lock_is_one_request_one_transaction_one_outcome(three, monkeypatch):
    three.lock("red", 3)
    written = []
    real = three.store.append
    monkeypatch.setattr(three.store, "append", lambda number, entries: (written.append(entries), real(number, entries)))
    outcome = three.lock("red", 4)
    assert outcome.kind == "done"
    assert say(outcome) == ["Red has locked in."]
    assert [[e.kind for e in entries] for entries in written] == [["event", "event"]]
    assert three.state.locks == {"red": 4}
    three.same_after_resume()


def test_a_lock_that_cannot_be_replaced_stays(three):
    three.choose(red=7, blue=2, green=1)
    while three.now.view["phase"] == "resolve":
        three.play(three.now.choices[-1])
    three.lock("blue", 3)
    seq = three.now.seq
    assert three.lock("blue", 2).refused.rule == "R25"
    assert three.state.locks == {"blue": 3}
    assert three.now.seq == seq


def test_the_held_lock_can_be_replaced(three):
    for seat, card in (("red", 3), ("blue", 2), ("green", 1)):
        three.lock(seat, card)
    assert three.lock("green", 5).now.held == "green"
    three.same_after_resume()
    assert three.ask(Reveal()).now.view["cards"] == {"red": 3, "blue": 2, "green": 5}


def test_another_seat_replaces_its_lock_while_one_is_held(three):
    for seat, card in (("red", 3), ("blue", 2), ("green", 1)):
        three.lock(seat, card)
    assert three.lock("red", 6).now.held == "green"
    three.same_after_resume()
    assert three.ask(Reveal()).now.view["cards"] == {"red": 6, "blue": 2, "green": 1}


def test_the_same_card_again_leaves_the_same_traces_as_another_one(house):
    for seat in ("red", "green"):
        traces = []
        for card in (1, 5):
            table = house(3, tower=TOWER)
            for other in ("red", "blue", "green"):
                table.lock(other, 1)
            outcome = table.lock(seat, card)
            traces.append((outcome, table.kinds))
        assert traces[0] == traces[1]


# --- taking a lock back -----------------------------------------------------------------------------------------


def test_the_held_lock_is_taken_back(three):
    for seat, card in (("red", 3), ("blue", 2), ("green", 1)):
        three.lock(seat, card)
    outcome = three.unlock("green")
    assert say(outcome) == ["Green has taken the card back."]
    assert outcome.now.held is None
    assert outcome.now.view["locked"] == ["blue", "red"]
    assert three.ask(Reveal()).kind == "stale"
    three.same_after_resume()
    three.lock("green", 7)
    assert three.ask(Reveal()).now.view["cards"]["green"] == 7


def test_another_seat_takes_its_lock_back_while_one_is_held(three):
    """The held lock becomes an ordinary one, and the next lock is held."""
    for seat, card in (("red", 3), ("blue", 2), ("green", 1)):
        three.lock(seat, card)
    outcome = three.unlock("red")
    assert outcome.now.held is None
    assert outcome.now.view["locked"] == ["blue", "green"]
    three.same_after_resume()
    assert three.lock("red", 4).now.held == "red"
    three.same_after_resume()
    assert three.ask(Reveal()).now.view["cards"] == {"red": 4, "blue": 2, "green": 1}


def test_what_is_not_locked_cannot_be_taken_back(three):
    outcome = three.unlock("red")
    assert outcome.refused.rule == "R21"
    assert three.kinds == ["event"]


# --- stale touches ----------------------------------------------------------------------------------------------


def test_locks_of_different_seats_commute_in_every_order_of_arrival(house):
    """All touch at once on the same screen; every order ends in the same reveal."""
    cards = {"red": 3, "blue": 3, "green": 1, "yellow": 2}
    reveals = []
    for order in itertools.permutations(cards):
        table = house(4, tower=TOWER)
        seen = table.now.seen
        for seat in order:
            assert table.lock(seat, cards[seat], seen).kind == "done"
        assert table.now.held == order[-1]
        reveals.append(table.ask(Reveal(seen)).events[1:])
        table.close()
    assert all(r == reveals[0] for r in reveals)


def test_a_lock_touched_before_the_round_moved_on_is_stale(three):
    old = three.now.seen
    three.choose(red=3, blue=2, green=1)
    assert three.lock("red", 4, old).kind == "stale"
    while three.now.view["phase"] == "resolve":
        three.play(End(three.now.awaited[0][0]))
    outcome = three.lock("red", 4, old)
    assert outcome.kind == "stale"
    assert outcome.refused is None
    assert three.lock("red", 4, three.now.seen).kind == "done"


def test_a_touch_in_a_turn_is_stale_once_anything_happened(three):
    three.choose(red=3, blue=2, green=1)
    old = three.now.seen
    three.play(next(c for c in three.now.choices if isinstance(c, Move)))
    seq = three.now.seq
    assert three.play(End("green"), old).kind == "stale"
    assert three.ask(TakeBack("green", seen=old)).kind == "stale"
    assert three.ask(Insist(End("green"), old)).kind == "stale"
    assert three.now.seq == seq
    assert three.play(End("green"), three.now.seen).kind == "done"


def test_tags_and_buttons_are_never_stale(three):
    """Laid before the screen was redrawn or after: the cardboard is the truth."""
    assert three.ask(Do(Laid("red", "red", 3))).kind == "done"
    assert three.ask(Do(Pressed("blue", 2))).kind == "done"
    assert three.state.locks == {"red": 3, "blue": 2}


@pytest.mark.parametrize("gesture", [Laid, lambda seat, _, card: Pressed(seat, card)], ids=["card", "button"])
def test_what_lies_or_was_pressed_last_replaces_a_lock_the_same_or_another_alike(three, gesture):
    """One request, one transaction, one outcome; until the reveal."""
    for card in (3, 4, 4):
        outcome = three.ask(Do(gesture("red", "red", card)))
        assert (outcome.kind, say(outcome), outcome.now.view["locked"]) == ("done", ["Red has locked in."], ["red"])
        assert three.state.locks == {"red": card}
    three.same_after_resume()


@pytest.mark.parametrize("since", [0.0, HEARD, 60.0])
def test_a_card_is_never_the_yes_and_the_same_one_is_answered_as_any_other(house, since):
    """While the last lock is held, whichever card is laid: nothing tells which one is locked in."""
    for seat in ("red", "blue", "green"):
        told = []
        for card in range(1, 8):
            three = house(3, tower=TOWER)
            for each in ("red", "blue", "green"):
                three.ask(Do(Laid(each, each, 2)))
            before = len(three.entries)
            outcome = three.ask(Do(Laid(seat, seat, card), since))
            assert (outcome.kind, say(outcome)) == ("done", [f"{seat.title()} has locked in."])
            assert outcome.now.held == "green"
            told.append((outcome.messages, outcome.events, outcome.now, three.kinds[before:]))
            assert three.ask(Reveal()).now.view["cards"] == {"red": 2, "blue": 2, "green": 2} | {seat: card}
        assert told == told[:1] * 7


def test_a_seat_that_sits_out_is_told_that_it_does(house):
    table = house(2, tower=TOWER, rules={"third_rest": "pass"})
    table.ask(PutRight({"rests": {"red": 2, "blue": 0}, "hands": {"red": [7], "blue": [1, 2, 7]}, "round": 9}))
    outcome = table.ask(Do(Laid("red", "red", 7)))
    assert outcome.refused.rule == "A49"


# --- taking an act back -----------------------------------------------------------------------------------------


def walk(table):
    choice = next(c for c in table.now.choices if isinstance(c, Move))
    return table.play(choice)


def test_a_seat_takes_back_its_own_act(three):
    three.choose(red=3, blue=2, green=1)
    before = three.state
    walk(three)
    assert three.now.undo.seat == "green"
    outcome = three.ask(TakeBack("green"))
    assert outcome.kind == "done"
    # what hands do, and not what was done: that would be heard as an order
    assert say(outcome) == ["Taken back.", "Put Green 1 back on b1."]
    assert three.state == before
    assert three.kinds[-1] == "take_back"
    three.same_after_resume()


def test_another_seat_cannot_take_it_back_alone(three):
    three.choose(red=3, blue=2, green=1)
    walk(three)
    seq = three.now.seq
    outcome = three.ask(TakeBack("red"))
    assert outcome.kind == "refused"
    assert outcome.refused.rule == "take_back"
    assert three.now.seq == seq
    assert three.ask(TakeBack(None)).kind == "refused"


def test_after_others_have_acted_only_all_together_take_it_back(three):
    three.choose(red=3, blue=2, green=1)
    walk(three)
    green = three.state
    three.play(End("green"))
    walk(three)
    assert three.now.undo.seat == "blue"
    assert three.ask(TakeBack("green")).kind == "refused"
    assert three.ask(TakeBack(None, agreed=True)).kind == "done"
    assert three.now.undo.seat == "green", "blue's act is gone, so green is free again"
    assert three.ask(TakeBack("green")).kind == "done"
    assert three.state == green
    three.same_after_resume()


def test_back_to_the_very_beginning_one_act_after_another(three):
    three.choose(red=3, blue=2, green=1)
    start = three.resumed()._states[1]
    for _ in range(5):
        walk(three)
        three.play(End(three.now.awaited[0][0]))
        if three.now.view["phase"] == "choose":
            break
    while three.now.undo:
        assert three.ask(TakeBack(None, agreed=True)).kind == "done"
        three.same_after_resume()
    assert three.state == start
    outcome = three.ask(TakeBack(None, agreed=True))
    assert outcome.kind == "refused"
    assert say(outcome) == ["There is nothing to take back."]


def test_back_past_a_reveal_all_locks_are_dropped(three):
    three.choose(red=3, blue=2, green=1)
    assert three.now.undo.seat is None, "a reveal is everyone's"
    assert three.ask(TakeBack("green")).kind == "refused"
    outcome = three.ask(TakeBack("green", agreed=True))
    assert outcome.now.view["phase"] == "choose"
    assert outcome.now.view["locked"] == []
    assert outcome.now.held is None
    assert three.state.locks == {}
    assert len(outcome.now.awaited) == 3
    three.same_after_resume()
    three.lock("red", 5)
    three.same_after_resume()


def test_once_somebody_has_locked_in_a_take_back_is_everyones_and_says_that_the_locks_go(three):
    three.choose(red=3, blue=2, green=1)
    while three.now.view["phase"] == "resolve":
        three.play(End(three.now.awaited[0][0]))
    assert three.now.undo.seat == "red"
    three.lock("blue", 4)
    assert three.now.undo.seat is None
    assert three.ask(TakeBack("red")).kind == "refused"
    outcome = three.ask(TakeBack("red", agreed=True))
    assert "All cards of this round are unlocked: choose again." in say(outcome)
    assert three.state.locks == {}
    assert outcome.now.view["turn"]["seat"] == "red"
    three.same_after_resume()


def test_history_is_never_edited(three):
    three.choose(red=3, blue=2, green=1)
    walk(three)
    before = three.entries
    three.ask(TakeBack("green"))
    three.ask(PutRight({"gryphon": "blue"}))
    assert three.entries[: len(before)] == before
    assert [e.seq for e in three.entries] == list(range(1, len(three.entries) + 1))


# --- putting right ----------------------------------------------------------------------------------------------


def test_put_right_drops_the_locks_says_so_and_is_an_event(three):
    three.lock("red", 3)
    outcome = three.ask(PutRight({"gryphon": "green"}))
    assert say(outcome) == ["All cards of this round are unlocked: choose again.",
                            "Put right. The game goes on from here."]  # fmt: skip
    assert outcome.now.view["gryphon"] == "green"
    assert three.state.locks == {}
    assert three.entries[-1].kind == "put_right"
    assert three.entries[-1].data == {"before": {"gryphon": "red"}, "after": {"gryphon": "green"},
                                      "refused": None, "rule": None, "agreed": []}  # fmt: skip
    three.same_after_resume()
    assert three.now.undo.seat is None
    assert three.ask(TakeBack(None, agreed=True)).now.view["gryphon"] == "red"
    three.same_after_resume()


def test_put_right_drops_the_held_lock_too(three):
    for seat, card in (("red", 3), ("blue", 2), ("green", 1)):
        three.lock(seat, card)
    outcome = three.ask(PutRight({"gryphon": "green"}))
    assert outcome.now.held is None
    assert outcome.now.view["locked"] == []
    three.same_after_resume()


def test_an_impossible_table_is_refused_with_every_fault_at_once(three):
    figures = {**three.now.view["figures"], "red.1": "a2", "blue.1": "a2", "green.1": "c3", "green.2": "c3"}
    outcome = three.ask(PutRight({"figures": figures}))
    assert outcome.kind == "refused"
    assert len(outcome.messages) == 2
    assert outcome.refused.rule == "R32"
    assert three.kinds == ["event"]


def test_a_hand_keeps_its_rest_until_it_is_played(three):
    """Else it would be empty one day, and the table would be in a position that is none."""
    three.choose(red=3, blue=2, green=7)
    hands = three.now.view["hands"]
    for hand in ([], [1, 2]):
        outcome = three.ask(PutRight({"hands": {**hands, "red": hand}}))
        assert (outcome.kind, outcome.refused.rule) == ("refused", "R26")
        (message,) = outcome.messages
        assert message.id.startswith("7 (Rest) is missing in the hand of")
    assert three.ask(PutRight({"hands": {**hands, "red": [7], "green": []}})).kind == "done"


def test_what_is_no_field_of_the_table_is_refused(three):
    for changes in ({"locks": {"red": 3}}, {"weather": "rain"}, {"gryphon": 7}):
        assert three.ask(PutRight(changes)).kind == "refused"
    assert three.kinds == ["event"]


def test_a_house_rule_is_changed_by_putting_it_right(three):
    outcome = three.ask(PutRight({"rules": {"rope_down": "on"}}, agreed=("red", "blue", "green")))
    assert say(outcome) == [
        "House rule changed: May heroes go down a rope? Yes, for one step, if the square below has the rope."
    ]
    assert three.entries[-1].data["agreed"] == ["red", "blue", "green"]
    assert three.state.rules.rope_down == "on"
    assert three.now.view["rules"] == {"rope_down": "on"}
    three.same_after_resume()


# --- refusals ---------------------------------------------------------------------------------------------------


def villain_in_the_way(house):
    """Green's hero stands beside the wizard on c2 and has two steps."""
    table = house(3, tower=TOWER)
    table.ask(PutRight({"figures": {**table.now.view["figures"], "green.1": "b2"}}))
    table.choose(red=4, blue=4, green=3)
    return table, Move("green", "green.1", ("c2",))


def test_a_refusal_says_the_rule_and_changes_nothing(house):
    table, onto_the_wizard = villain_in_the_way(house)
    before, entries = table.now, table.entries
    outcome = table.play(onto_the_wizard)
    assert outcome.kind == "refused"
    assert outcome.refused.rule == "A10"
    assert outcome.refused.choice == onto_the_wizard
    assert say(outcome)[0].startswith("Green 1 cannot stop on c2: the Dark Wizard stands there.")
    assert outcome.now == before == table.now
    assert table.entries == entries


def test_a_refusal_says_whether_it_is_only_our_reading_and_which_house_rule_would_allow_it(house):
    table, onto_the_wizard = villain_in_the_way(house)
    refused = table.play(onto_the_wizard).refused
    assert refused.reading is True
    assert refused.switch == "hero_on_villain"
    assert refused.values
    assert "no_stop" not in refused.values
    for value in refused.values:
        assert table.ask(PutRight({"rules": {"hero_on_villain": value}}, tuple(SEATS[:3]))).kind == "done"
        assert table.play(onto_the_wizard).kind == "done"
        table.ask(TakeBack(None, agreed=True))
        table.ask(TakeBack(None, agreed=True))
    table.same_after_resume()


def test_a_printed_rule_is_no_reading_and_no_house_rule_opens_it(house):
    table, _ = villain_in_the_way(house)
    refused = table.play(Explode("green", "c3")).refused
    assert (refused.rule, refused.reading, refused.switch, refused.values) == ("R61", False, None, ())
    assert refused.may_stand is False


def test_it_stands_all_the_same(house):
    table, onto_the_wizard = villain_in_the_way(house)
    assert table.play(onto_the_wizard).refused.may_stand is True
    outcome = table.ask(Insist(onto_the_wizard, table.now.seen))
    assert outcome.kind == "done"
    assert say(outcome) == ["It counts anyway. The table decided."]
    assert outcome.now.view["figures"]["green.1"] == "c2"
    assert outcome.now.view["turn"]["points"] == 1
    data = table.entries[-1].data
    assert table.entries[-1].kind == "put_right"
    assert data["refused"] == {"do": "move", "seat": "green", "hero": "green.1", "path": ["c2"]}
    assert data["rule"] == "A10"
    assert data["before"]["figures"]["green.1"] == "b2"
    assert table.state.rules.hero_on_villain == "no_stop", "decide is not bent"
    table.same_after_resume()
    table.ask(TakeBack(None, agreed=True))
    assert table.now.view["figures"]["green.1"] == "b2"
    table.same_after_resume()


def test_what_no_table_can_show_cannot_stand(house):
    table, _ = villain_in_the_way(house)
    onto_blue = Move("green", "green.1", ("a2",))
    table.ask(PutRight({"figures": {**table.now.view["figures"], "blue.1": "a2"}}))
    refused = table.play(onto_blue).refused
    assert refused.rule == "R31"
    assert refused.may_stand is False
    assert table.ask(Insist(onto_blue)).kind == "refused"
    assert table.ask(Insist(Explode("green", "c3"))).kind == "refused"


def test_insisting_on_what_is_allowed_just_plays_it(three):
    three.choose(red=3, blue=2, green=1)
    assert three.ask(Insist(End("green"))).events[0]["what"] == "turn_ended"
    assert three.kinds[-3] == "step"


# --- the journal ------------------------------------------------------------------------------------------------


def requests(table):
    """One of every kind, each of which would be accepted."""
    seat = table.now.awaited[0][0]
    yield Play(End(seat))
    yield Play(next(c for c in table.now.choices if isinstance(c, Move)))
    yield TakeBack(None, agreed=True)
    yield PutRight({"gryphon": "blue"})
    yield Insist(MoveVillain(seat, "wizard", ("c3", "c4")))


def test_where_the_journal_cannot_write_nothing_happens(three, monkeypatch):
    three.choose(red=3, blue=3, green=2)
    before, position, entries = three.now, three.table._now, three.entries
    with monkeypatch.context() as broken:
        three.break_journal(broken)
        for request in requests(three):
            outcome = three.ask(request)
            assert outcome.kind == "not_saved", request
            assert say(outcome) == ["Not saved: the disk is full. Nothing has changed."]
            assert outcome.events == ()
            assert outcome.before is None
            assert outcome.now == before
    assert three.table._now is position
    assert three.entries == entries
    three.same_after_resume()
    for request in requests(three):
        assert three.ask(request).kind == "done", "it goes on by itself"
    three.same_after_resume()


def test_a_lock_that_cannot_be_saved_is_no_lock(three, monkeypatch):
    three.lock("red", 3)
    with monkeypatch.context() as broken:
        three.break_journal(broken)
        for request in (Play(Lock("blue", 2)), Play(Lock("red", 5)), Play(Unlock("red"))):
            assert three.ask(request).kind == "not_saved"
    assert three.state.locks == {"red": 3}
    three.lock("blue", 2)
    three.lock("green", 1)
    with monkeypatch.context() as broken:
        three.break_journal(broken)
        assert three.ask(Reveal()).kind == "not_saved"
        assert three.lock("green", 4).kind == "not_saved"
    assert three.now.held == "green"
    assert three.ask(Reveal()).now.view["cards"]["green"] == 1


def test_nothing_is_told_before_it_is_on_the_disk(three, monkeypatch):
    seen = []
    real = three.store.append

    def append(number, entries):
        seen.append(three.now)
        real(number, entries)

    monkeypatch.setattr(three.store, "append", append)
    before = three.now
    three.lock("red", 3)
    assert seen == [before]


# --- what cannot be replayed ------------------------------------------------------------------------------------


def spoil(table, seq, change="data = '{}', sum = 0"):
    db = table.store._open()
    db.execute(f"UPDATE entries SET {change} WHERE game = ? AND seq = ?", (table.table.number, seq))  # noqa: S608


def reopened(table):
    return Table.resume(table.store.record(table.table.number), table.store)


def test_entries_that_cannot_be_replayed_are_set_aside_and_named(three):
    three.choose(red=3, blue=2, green=1)
    last_good = three.table._now
    walk(three)
    three.play(End("green"))
    bad = three.entries[last_good.seq :]
    spoil(three, last_good.seq + 2)
    replayed = reopened(three)
    assert replayed.table._now == last_good
    assert [s.entry.seq for s in replayed.aside] == [e.seq for e in bad]
    assert replayed.aside[0].reason
    three.store.set_aside(three.table.number, [s.entry for s in replayed.aside])
    # and the game goes on, on the same numbers
    three.table = replayed.table
    assert three.play(End("green")).kind == "done"
    three.same_after_resume()


@pytest.mark.parametrize(
    "entry",
    [
        Entry(2, "event", {"v": 1, "what": "moved", "hero": "red.1", "start": "b1", "path": [], "half": "points",
                           "cost": 1}),
        Entry(2, "event", {"v": 99, "what": "locked", "seat": "red", "card": 1}),
        Entry(2, "event", {"v": 1, "what": "flew", "hero": "red.1"}),
        Entry(2, "event", ["what"]),
        Entry(2, "event", None),
        Entry(2, "take_back", {"to": 77}),
        Entry(2, "take_back", {}),
        Entry(2, "step", {"seat": "red", "choice": None, "events": "many"}),
        Entry(2, "put_right", {"after": {"gryphon": "nobody"}}),
        Entry(2, "held", {"do": "fly"}),
        Entry(2, "seat", {"seat": "purple", "name": "Ana"}),
        Entry(2, "seat", {"seat": "red", "name": 7}),
        Entry(2, "seat", None),
        Entry(2, "dreamt", None),
        Entry(9, "held", None),
    ],
)  # fmt: skip
def test_no_entry_whatever_it_says_stops_a_table_from_opening(three, entry):
    three.store.append(three.table.number, [entry])
    replayed = reopened(three)
    assert replayed.table._now == three.table._now
    assert [s.entry for s in replayed.aside] == [entry]


def test_a_game_without_a_beginning_gives_no_table(three):
    spoil(three, 1)
    replayed = reopened(three)
    assert replayed.table is None
    assert len(replayed.aside) == 1


def test_a_game_that_nobody_knows_gives_no_table(three):
    record = three.store.record(three.table.number)
    replayed = Table.resume(type(record)(1, "chess", {}, record.entries), three.store)
    assert replayed.table is None
    assert len(replayed.aside) == len(record.entries)


def test_a_request_is_replayed_whole_or_not_at_all(house):
    """Cut after each entry, the table opens as it stood after some request, never between two events of one."""
    table = house(3, tower=TOWER)
    stood = {table.now.seq: table.table._now}
    rng = Random(5)
    while table.now.seq < (1500 if LONG else 300) and table.now.view["phase"] != "over":
        table.ask(random_request(table, rng))
        stood[table.now.seq] = table.table._now
    record = table.store.record(table.table.number)
    for n in range(1, len(record.entries) + 1):
        replayed = Table.resume(type(record)(record.number, record.game, record.names, record.entries[:n]), table.store)
        seq = replayed.table._now.seq
        lock_of_its_own = replayed.table.snapshot().view["phase"] == "choose"
        assert seq in stood or lock_of_its_own, "of a lock that was replaced, its first half may be left"
        if seq in stood:
            assert replayed.table._now == stood[seq]
        assert len(replayed.aside) == n - seq
        assert replayed.table.snapshot().awaited or replayed.table.snapshot().decision


# --- resume equals live -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(60 if LONG else 4))
def test_resume_equals_live_after_every_step_of_a_random_game(house, seed):
    rng = Random(seed)
    rules = {}
    for switch in GAME.rulebook.switches:
        if seed % 2 and rng.random() < 0.5:
            rules[switch.id] = rng.choice(switch.values)
    table = house(rng.randint(2, 4), rules=rules, seed=seed)
    kinds, steps = set(), 0
    while steps < 160 and (table.now.view["phase"] != "over" or rng.random() < 0.8):
        outcome = table.ask(random_request(table, rng))
        kinds.add(outcome.kind)
        if outcome.kind == "done":
            table.same_after_resume()
        steps += 1
    assert "done" in kinds
    assert {"held", "step", "event", "take_back", "put_right", "seat"} <= set(table.kinds)


# --- secrets ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40 if LONG else 6))
def test_no_outcome_differs_when_only_a_locked_card_does(house, seed):
    """The same game twice, but for the card that one seat locks in: until the reveal the two look exactly alike."""
    rng = Random(seed)
    one, two = house(3, tower=TOWER), house(3, tower=TOWER)
    assert one.opened == two.opened
    secret = rng.choice(("red", "blue", "green"))
    cards = rng.sample(range(1, 8), 2)
    order = rng.sample(("red", "blue", "green"), 3)
    for seat in order:
        if seat == secret:
            assert one.lock(seat, cards[0]) == two.lock(seat, cards[1])
        else:
            assert one.lock(seat, 2) == two.lock(seat, 2)
    noise = [Play(Lock(s, c)) for s in order if s != secret for c in (1, 5)]
    noise += [Play(Unlock(s)) for s in order if s != secret]
    noise += [Do(Laid(s, s, 4)) for s in order] + [Do(Laid(order[0], order[1], 4)), Do(Pressed(secret, 7), SOON)]
    noise += [TakeBack(secret), Play(End(secret)), Play(Climb(secret, f"{secret}.1", ("b2",))), Insist(End(secret))]
    noise += [Play(Lock(secret, 7), Seen(0, "0 choose")), PutRight({"locks": {}}), PutRight({"rests": {}})]
    for request in rng.sample(noise, len(noise)):
        assert one.ask(request) == two.ask(request), request
    # back from a reveal nothing is left of the card
    leaving = rng.choice((Play(Unlock(secret)), Hand(secret, "Bia"), Hand(secret, "")))
    assert one.ask(leaving) == two.ask(leaving)
    assert one.state == two.state


def test_a_snapshot_holds_no_secret_field(three):
    three.lock("red", 5)
    outcome = three.lock("blue", 5)
    for snapshot in (outcome.now, outcome.before, three.lock("green", 5).now):
        assert not GAME.secret & set(snapshot.view)
        assert "own" not in snapshot.view


def test_the_events_of_a_lock_name_no_card(three):
    assert three.lock("red", 5).events == ({"what": "locked", "seat": "red"},)
    assert three.lock("blue", 5).events == ({"what": "locked", "seat": "blue"},)
    assert three.lock("green", 5).events == ()


def test_the_journal_alone_knows_the_locked_card(three):
    three.lock("red", 5)
    assert three.entries[-1].data == {"v": 1, "what": "locked", "seat": "red", "card": 5}


# --- beginning --------------------------------------------------------------------------------------------------


def test_a_beginning_that_cannot_be_saved_is_none(house, monkeypatch):
    table = house(2)

    def begin(*args):
        raise NotSaved(table.opened.messages[0])

    monkeypatch.setattr(table.store, "begin", begin)
    with pytest.raises(NotSaved):
        Table.begin(GAME, table.store, ("red", "blue"), {}, {}, Random(1))


def test_two_games_in_one_file_do_not_meet():
    house = House(2, tower=TOWER)
    first = house.table
    house.table, _ = Table.begin(GAME, house.store, ("green", "yellow"), {}, {}, Random(2))
    house.lock("green", 3)
    house.same_after_resume()
    house.table = first
    house.lock("red", 4)
    house.same_after_resume()
    house.close()


def test_the_card_in_play_once_more_ends_the_turn(three) -> None:
    """By reader or by button, and only that card of that seat."""
    for seat, card in (("red", 1), ("blue", 2), ("green", 7)):
        three.ask(Do(Laid(seat, seat, card)))
    three.ask(Reveal())
    for gesture in (Laid("blue", "blue", 1), Laid("red", "red", 2), Laid("red", "blue", 1), Pressed("red", 3)):
        assert three.ask(Do(gesture)).kind == "nothing"
    for gesture, left in ((Laid("red", "red", 1), ["blue", "green"]), (Pressed("blue", 2), ["green"])):
        three.ask(Do(gesture))  # asked whether it is so, since nothing was done
        assert three.ask(Do(gesture)).now.view["queue"] == left
    assert three.ask(Do(Laid("green", "green", 7))).now.view["rests"]["green"] == 1
