"""Ways into the rule book lead somewhere, and the rules judge every example as its entry says."""

from __future__ import annotations

import pytest

from companion.games.base import Refusal, Rule
from companion.games.sir_holland import desk, guide, rules, setup
from companion.games.sir_holland.guide import Final, Order, Position
from companion.games.sir_holland.rulebook import RULEBOOK
from companion.games.sir_holland.state import ROOF, SQUARES, HouseRules

POSITIONS = [r for r in RULEBOOK.rules if isinstance(r.example, Position)]


def named(rule: Rule) -> str:
    return rule.id


def test_every_entry_can_be_looked_up() -> None:
    assert [r.id for r in RULEBOOK.rules if not r.topics] == []
    known = {t.id for t in RULEBOOK.topics}
    assert {t for r in RULEBOOK.rules for t in r.topics} == known
    assert {t.kind for t in RULEBOOK.topics} == {"card", "place", "situation"}
    assert all(RULEBOOK.about(t.id) for t in RULEBOOK.topics)


def test_related_entries_name_each_other() -> None:
    for rule in RULEBOOK.rules:
        assert rule.related, rule.id
        assert len(rule.related) <= 6, rule.id
        assert rule.id not in rule.related
        for id in rule.related:
            other = RULEBOOK.find(id)
            assert other is not None
            assert rule.id in other.related, (rule.id, id)


def test_an_entry_and_its_switch_are_about_the_same() -> None:
    """Whoever reads a ruling that a house rule changes finds it under a topic of each entry with that house rule."""
    for switch in RULEBOOK.switches:
        ruling = RULEBOOK.find(switch.ruling)
        assert ruling is not None
        for rule in RULEBOOK.rules:
            if rule.switch == switch.id:
                assert set(rule.topics) & set(ruling.topics), (rule.id, ruling.id)


def test_no_ids_are_invented() -> None:
    ids = {r.id for r in RULEBOOK.rules}
    assert set(guide.EXAMPLES) <= ids
    assert {i for text in guide._ABOUT.values() for i in text.split()} == ids
    assert {i for text in guide._TOGETHER for i in text.split()} == ids


def test_the_tower_of_the_examples_is_a_legal_one() -> None:
    assert setup.tower_faults(guide.TOWER) == []


@pytest.mark.parametrize("rule", POSITIONS, ids=named)
def test_the_rules_judge_an_example_as_its_entry_says(rule: Rule) -> None:
    example: Position = rule.example
    state = example.state()
    assert setup.faults(state) + setup.turn_faults(state) == []
    assert set(example.lit) <= {*SQUARES, ROOF}
    if example.choice is None:
        return
    assert (example.choice in rules.choices(state)) is example.allowed
    if example.allowed:
        assert rules.decide(state, example.choice)
        return
    with pytest.raises(Refusal) as refusal:
        rules.decide(state, example.choice)
    assert refusal.value.rule in (rule.id, *rule.related)


@pytest.mark.parametrize("rule", [r for r in RULEBOOK.rules if isinstance(r.example, Order)], ids=named)
def test_an_example_of_the_order_is_decided_by_its_rule(rule: Rule) -> None:
    example: Order = rule.example
    used = {p.rule for p in desk.explain_order(example.seats, example.gryphon, example.cards)}
    assert used & {rule.id, *rule.related}


@pytest.mark.parametrize("rule", [r for r in RULEBOOK.rules if isinstance(r.example, Final)], ids=named)
def test_an_example_of_the_end_is_decided_by_its_rule(rule: Rule) -> None:
    example: Final = rule.example
    seats = list(example.heroes)
    _, steps = desk.winner(
        seats, example.gryphon, example.ended_by, example.saved, example.levels, HouseRules(), example.out
    )
    assert {s.rule for s in steps} & {rule.id, *rule.related}
    assert 2 not in example.saved.values() or example.ended_by == "saved"
