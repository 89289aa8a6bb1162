"""The list of people: who is on it, who has won against whom, and that nothing is known of somebody forgotten."""

from __future__ import annotations

import pytest

from companion.table import people
from companion.table.people import Person
from companion.table.ports import Outline


def game(number: int, winner: str | None = None, **names: str) -> Outline:
    return Outline(number, 9, names, 3, winner)


GAMES = (
    game(1, "red", red="Ana", blue="Bruno"),
    game(2, "blue", red="Ana", blue="Bruno", green="Clara"),
    game(3, "blue", red="Bruno", blue="Ana"),
    game(4, None, red="Ana", blue="Bruno"),
    game(5, "green", red="Ana", green="", blue="Bruno"),
)
ALL = tuple(Person(name) for name in ("Ana", "Bruno", "Clara"))


def test_who_has_won_against_whom() -> None:
    assert people.wins(ALL, GAMES) == {("Ana", "Bruno"): 2, ("Bruno", "Ana"): 1, ("Bruno", "Clara"): 1}
    assert people.wins(ALL, ()) == {}


def test_who_played_last_stands_first() -> None:
    known = people.seated((), {"red": "Ana", "blue": "Bruno", "green": ""}, 1)
    assert known == (Person("Ana", "red", 1), Person("Bruno", "blue", 1))
    known = people.seated(known, {"red": "Clara", "blue": "Ana"}, 2)
    assert known == (Person("Clara", "red", 2), Person("Ana", "blue", 1), Person("Bruno", "blue", 1))


def test_nothing_is_known_of_somebody_who_was_forgotten() -> None:
    known = people.without(people.seated((), {"red": "Ana", "blue": "Bruno"}, 1), "Ana")
    assert people.wins(known, GAMES) == {}
    again = people.seated(known, {"red": "Ana", "blue": "Bruno"}, 3)
    assert people.wins(again, GAMES) == {("Ana", "Bruno"): 1}, "from the game on with which she came back"


def test_two_seats_of_one_name_do_not_win_against_each_other() -> None:
    assert people.wins((Person("Ana"),), [game(1, "red", red="Ana", blue="Ana")]) == {}


def test_a_name_at_two_seats_is_one_person_who_keeps_her_wins() -> None:
    known = people.seated((Person("Ana", "red", 1),), {"red": "Ana", "blue": "Ana", "green": "Bruno"}, 3)
    assert known == (Person("Ana", "red", 1), Person("Bruno", "green", 3))
    again = people.from_json(people.to_json(known))
    assert people.wins(again, [game(3, "red", red="Ana", green="Bruno"), game(1, "red", red="Ana")]) == {
        ("Ana", "Bruno"): 1
    }


def test_as_json_and_back() -> None:
    assert people.from_json(people.to_json(ALL)) == ALL
    many = tuple(Person(f"P{n}") for n in range(people.MOST + 5))
    assert people.from_json(people.to_json(many)) == many[: people.MOST]


@pytest.mark.parametrize(
    "value",
    [None, 7, "Ana", {}, ["Ana"], [{"name": "Ana"}], [{"name": "", "seat": "", "since": 1}],
     [{"name": "A\x1b", "seat": "", "since": 1}], [{"name": "Ana", "seat": 1, "since": 1}],
     [{"name": "Ana", "seat": "", "since": "1"}], [{"name": "Ana", "seat": "", "since": 1, "more": 1}]],
)  # fmt: skip
def test_what_is_no_list_of_people(value: object) -> None:
    assert not people.are_people(value) or value == []
    assert people.from_json(value) == ()
