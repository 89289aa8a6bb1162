"""Three modes of the referee: what becomes of a choice that the rules refuse."""

from __future__ import annotations

from random import Random

import pytest

from companion.games.base import Laid, Refusal
from companion.games.sir_holland.state import Explode, Lock, Move
from companion.table.ports import MODES, Do, Entry, Hand, Insist, Play, PutRight, Reveal, TakeBack
from tests.table.table_kit import GAME, SEATS, random_move, say


@pytest.fixture
def ready(house):
    """Green's hero stands beside the wizard on c2 and has two steps; the wish is onto the wizard."""

    def make(mode):
        table = house(3)
        wizard = table.state.figures["wizard"]
        assert wizard == "c2"
        table.ask(PutRight({"figures": {**table.now.view["figures"], "green.1": "b2"}}))
        table.choose(red=4, blue=4, green=3)
        table.table.mode = mode
        return table, Move("green", "green.1", ("c2",))

    return make


def test_the_snapshot_says_the_mode(house):
    table = house(2)
    assert table.now.mode == "coach"
    for mode in MODES:
        table.table.mode = mode
        assert table.now.mode == mode


def test_strict_refuses_and_does_not_offer_to_let_it_stand(ready):
    table, wish = ready("strict")
    before = table.now
    outcome = table.play(wish)
    assert outcome.kind == "refused"
    assert outcome.refused.may_stand is False
    outcome = table.ask(Insist(wish, table.now.seen, SEATS[:3]))
    assert outcome.kind == "refused"
    assert outcome.refused.rule == "A10"
    assert say(outcome)[1] == "The referee is strict and lets nothing stand. The setting for the referee changes that."
    assert table.now == before


def test_strict_insisting_on_what_is_legal_plays_it(ready):
    table, _ = ready("strict")
    legal = table.now.choices[0]
    assert table.ask(Insist(legal)).kind == "done"
    assert table.entries[-1].kind == "event"


def test_strict_still_lets_the_table_be_put_right(ready):
    table, _ = ready("strict")
    assert table.ask(PutRight({"gryphon": "blue"})).kind == "done"


def test_coach_explains_and_lets_it_stand_when_asked(ready):
    table, wish = ready("coach")
    assert table.play(wish).refused.may_stand is True
    outcome = table.ask(Insist(wish, table.now.seen, ("red", "green")))
    assert say(outcome) == ["It counts anyway. The table decided."]
    assert table.entries[-1].data["agreed"] == ["red", "green"]
    assert table.entries[-1].data["rule"] == "A10"
    table.same_after_resume()


def test_silent_lets_it_stand_and_says_why_the_rule_does_not(ready):
    table, wish = ready("silent")
    why = table.table.game.explain(table.state, refusal(table.state, wish))
    outcome = table.play(wish, table.now.seen)
    assert outcome.kind == "done"
    assert outcome.refused is None
    assert say(outcome)[0].startswith("Against the rule, but it stands: ")
    assert outcome.messages[0].params["why"] == why
    assert outcome.now.view["figures"]["green.1"] == "c2"
    entry = table.entries[-1]
    assert entry.kind == "put_right"
    assert entry.data["refused"] == {"do": "move", "seat": "green", "hero": "green.1", "path": ["c2"]}
    assert entry.data["rule"] == "A10"
    table.same_after_resume()
    assert say(table.ask(TakeBack(None, agreed=True)))[0].startswith("Taken back: Against the rule, but it stands: ")
    assert table.now.view["figures"]["green.1"] == "b2"
    table.same_after_resume()


def refusal(state, choice):
    with pytest.raises(Refusal) as caught:
        GAME.decide(state, choice)
    return caught.value


def test_the_same_entry_whether_silent_or_insisted(ready):
    silent, wish = ready("silent")
    coach, _ = ready("coach")
    silent.play(wish)
    coach.ask(Insist(wish))
    assert silent.entries[-1].data == coach.entries[-1].data
    assert silent.table._now == coach.table._now


def test_silent_refuses_what_cannot_stand(ready):
    table, _ = ready("silent")
    outcome = table.play(Explode("green", "c3"))
    assert (outcome.kind, outcome.refused.rule, outcome.refused.may_stand) == ("refused", "R61", False)


def test_silent_a_stale_touch_is_stale(ready):
    table, wish = ready("silent")
    seen = table.now.seen
    table.ask(PutRight({"gryphon": "blue"}))
    assert table.play(wish, seen).kind == "stale"


@pytest.mark.parametrize("mode", MODES)
def test_a_secret_choice_is_never_let_stand(house, mode):
    table = house(3)
    table.choose(red=4, blue=4, green=3)
    while table.now.view["phase"] == "resolve":
        table.play(table.now.choices[-1])
    table.table.mode = mode
    entries = table.entries
    used = Lock("red", 4)
    for request in (Play(used), Insist(used), Do(Laid("red", "blue", 1)), Do(Laid("red", "red", 4))):
        outcome = table.ask(request)
        assert outcome.kind == "refused", request
        assert outcome.refused.may_stand is False
    assert table.entries == entries


@pytest.mark.parametrize("seed", range(8))
def test_no_mode_changes_what_the_rules_decide(house, seed):
    """One random game in three modes: what is legal does the same in each, what is refused is refused by one rule."""
    rng = Random(seed)
    tables = {mode: house(3, seed=seed) for mode in MODES}
    refused = stood = 0
    for _ in range(120):
        for mode, table in tables.items():
            table.table.mode = mode
        one = tables["strict"]
        now = one.now
        if now.decision:
            break
        if now.held:
            request = Reveal()
        elif one.state.turn and rng.random() < 0.3:
            request = Play(random_move(one.state, rng))
        else:
            request = Play(rng.choice(now.choices))
        outcomes = {mode: table.ask(request) for mode, table in tables.items()}
        if outcomes["strict"].kind == "done":
            assert len({str(o.events) for o in outcomes.values()}) == 1
            assert len({str(o.messages) for o in outcomes.values()}) == 1
        else:
            refused += 1
            assert outcomes["coach"].kind == "refused"
            assert outcomes["coach"].refused.rule == outcomes["strict"].refused.rule
            assert outcomes["coach"].refused.message == outcomes["strict"].refused.message
            may_stand = outcomes["coach"].refused.may_stand
            assert (outcomes["silent"].kind == "done") == may_stand
            if may_stand:
                stood += 1
                assert tables["silent"].entries[-1].data["rule"] == outcomes["coach"].refused.rule
                assert tables["coach"].ask(Insist(request.choice)).kind == "done"
                assert tables["coach"].now.view == tables["silent"].now.view
                for mode in ("coach", "silent"):
                    tables[mode].ask(TakeBack(None, agreed=True))
        assert len({str(t.state) for t in tables.values()}) == 1
    assert refused and stood


# --- house rules in mid-game ------------------------------------------------------------------------------------


def test_a_house_rule_needs_every_seat(house):
    table = house(3)
    for agreed in ((), ("red",), ("red", "blue"), ("red", "blue", "purple")):
        outcome = table.ask(PutRight({"rules": {"rope_down": "on"}}, agreed))
        assert outcome.kind == "refused"
    assert say(outcome) == ["A house rule changes in mid-game only if all agree. Still to agree: Green."]
    assert len(table.entries) == 1
    assert table.ask(PutRight({"rules": {"rope_down": "on"}}, ("green", "blue", "red"))).kind == "done"


def test_nobody_can_say_yes_for_a_seat_that_was_given_up(house):
    table = house(3)
    table.ask(Hand("green", ""))
    outcome = table.ask(PutRight({"rules": {"rope_down": "on"}}, ("red",)))
    assert say(outcome) == ["A house rule changes in mid-game only if all agree. Still to agree: Blue."]
    assert table.ask(PutRight({"rules": {"rope_down": "on"}}, ("red", "blue"))).kind == "done"
    table.same_after_resume()
    # where nobody plays any more, those who touch the seats say it
    for seat in ("red", "blue"):
        table.ask(Hand(seat, ""))
    assert table.ask(PutRight({"rules": {}}, ("red", "blue"))).kind == "refused"
    assert table.ask(PutRight({"rules": {}}, ("red", "blue", "green"))).kind == "done"
    table.same_after_resume()


def test_it_hides_behind_no_other_correction(house):
    table = house(2)
    both = {"gryphon": "blue", "rules": {"rope_down": "on"}}
    assert table.ask(PutRight(both)).kind == "refused"
    outcome = table.ask(PutRight(both, ("red", "blue")))
    assert say(outcome) == [
        "House rule changed: May heroes go down a rope? Yes, for one step, if the square below has the rope.",
        "Put right. The game goes on from here.",
    ]
    table.same_after_resume()


def test_the_same_rules_again_need_nobody(house):
    table = house(2, rules={"rope_down": "on"})
    assert table.ask(PutRight({"gryphon": "blue", "rules": {"rope_down": "on"}})).kind == "done"
    assert say(table.ask(PutRight({"rules": {"rope_down": "on"}}))) == ["Put right. The game goes on from here."]


def test_back_to_the_printed_rule_is_a_change_as_well(house):
    table = house(2, rules={"rope_down": "on"})
    assert table.ask(PutRight({"rules": {}})).kind == "refused"
    outcome = table.ask(PutRight({"rules": {}}, ("red", "blue")))
    assert say(outcome) == ["House rule changed: May heroes go down a rope? No, ropes only lead up."]
    assert say(table.ask(TakeBack(None, agreed=True))) == [
        "Taken back: House rule changed: May heroes go down a rope? No, ropes only lead up."
    ]
    assert table.now.view["rules"] == {"rope_down": "on"}


def test_an_old_journal_without_who_agreed_replays(house):
    table = house(2)
    data = {"before": {"rules": {}}, "after": {"rules": {"rope_down": "on"}}, "refused": None, "rule": None}
    table.store.append(table.table.number, [Entry(2, "put_right", data)])
    assert table.resumed().snapshot().view["rules"] == {"rope_down": "on"}
