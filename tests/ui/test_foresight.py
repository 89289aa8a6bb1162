"""What falls is known before it is so, and what hands have to do afterwards. Pure."""

from __future__ import annotations

import pytest

from companion.games import find_game
from companion.games.sir_holland import codec
from companion.games.sir_holland.state import Explode, Fall, Move, MoveVillain
from companion.ui.boards.cardboard import after_events, taken_back
from companion.ui.boards.foresight import foresee, way_down
from companion.wording import Wording
from tests.ui import positions

GAME = find_game("sir-holland")
assert GAME is not None
say = Wording("en", GAME.term, positions.NAMES)


def played(view: dict, choice: object) -> tuple[list[dict], dict]:
    """The public events of a choice, and the public state after it."""
    state = codec.state_from_json(view, history=False)
    events = GAME.decide(state, choice)
    for event in events:
        state = GAME.apply(state, event)
    return [GAME.event_to_json(e) for e in events], GAME.view(state)


def free_d2(**changes: object) -> dict:
    """Blue 1 stands on d3, the knight may come there."""
    view = positions.turn(4, 1, 3, **changes)
    view["hands"]["red"] = [1, 2, 3, 5, 6, 7]
    return view


def test_a_plain_walk_lets_nobody_fall() -> None:
    assert foresee(positions.turn(), Move("red", "red.1", ("b2",))) is None


def test_a_villain_that_stops_where_a_hero_stands() -> None:
    seen = foresee(free_d2(), MoveVillain("red", "knight", ("c4", "c3", "d3")))
    assert seen is not None
    assert seen.lines == ((("d3", "d2"), "d2"),)
    assert [say(m) for m in seen.messages] == ["Blue 1 is knocked off d3 and falls to d2."]


def test_foresight_is_what_happens() -> None:
    view, choice = free_d2(), MoveVillain("red", "knight", ("c4", "c3", "d3"))
    seen = foresee(view, choice)
    _, after = played(view, choice)
    assert seen is not None
    assert after["figures"]["blue.1"] == seen.lines[0][1]


def test_a_fall_that_its_owner_picks() -> None:
    view = positions.falling()
    view["figures"]["wizard"], view["turn"] = "c3", view["turn"] | {"pending": None, "used": [], "special": 3}
    seen = foresee(view, MoveVillain("red", "wizard", ("c2",)))
    assert seen is not None
    assert seen.lines == ((("c2", "c1", "b1"), "b1"), (("c2", "c1", "d1"), "d1"))
    picked = foresee(positions.falling(), Fall("blue", "blue.1", "d1"))
    assert picked is not None
    assert picked.lines == ((("c2", "c1", "d1"), "d1"),)


@pytest.mark.parametrize(
    ("start", "to", "way"),
    [
        ("d3", "d2", ("d3", "d2")),
        ("d4", "d1", ("d4", "d3", "d2", "d1")),
        ("a2", "b1", ("a2", "a1", "b1")),
        ("e1", "d1", ("e1", "d1")),
    ],
)
def test_the_way_down(start: str, to: str, way: tuple[str, ...]) -> None:
    assert way_down(start, to) == way


# --- the cardboard ----------------------------------------------------------------------------------------------


def blown_up(at: str = "d2", **changes: object) -> tuple[dict, dict, list]:
    view = positions.turn(3, 2, 1, **changes)
    events, after = played(view, Explode("red", at))
    return view, after, list(after_events(view, events, after))


def test_an_explosion_is_three_steps() -> None:
    view, after, (job,) = blown_up()
    assert [say(s.ask) for s in job.steps] == [
        "Ana, now the cards: take d2 out.",
        "Ana, slide d3, d4 and d5 down one level.",
        "Ana, lay the card on top: it is d5 now.",
    ]
    assert say(job.steps[1].note) == "With them: Blue 1 and the Black Knight."
    # the tower looks as it does on the table, at every step
    columns = ["".join(row[3] for row in reversed(step.rows)) for step in job.steps]
    assert columns == ["DWRRW", "D.RRW", "DRRW."]
    assert [step.figures["blue.1"] for step in job.steps] == ["d3", "d3", "d2"]
    assert "".join(row[3] for row in reversed(after["tower"])) == "DRRWW"
    assert job.before is view


def test_whoever_lies_stays_lying() -> None:
    _view, _after, (job,) = blown_up(lying=["blue.1", "green.1", "green.2"])
    assert "stays lying" in say(job.steps[1].note)


def test_figures_that_keep_their_level_are_lifted() -> None:
    _view, _after, (job,) = blown_up(rules={"explosion_figures": "stay_on_level"})
    assert say(job.steps[1].note) == "Lift Blue 1 and the Black Knight and put them back on their level."


def test_the_room_comes_under_a_figure_that_keeps_its_level() -> None:
    view = positions.turn(3, 2, 1, rules={"explosion_figures": "stay_on_level"}, lying=["green.1"])
    view["figures"] |= {"green.1": "a1", "green.2": "e2", "red.2": "d1"}
    view["lying"] = []
    events, after = played(view, Explode("red", "e1"))
    (job,) = after_events(view, events, after)
    assert "Green 2 lies down" in say(job.steps[1].note)


def test_a_card_on_top_stays() -> None:
    _view, _after, (job,) = blown_up("d5")
    assert [say(s.ask) for s in job.steps] == ["Ana, d5 lies on top already."]


def test_taking_an_explosion_back_is_the_other_way_round() -> None:
    view, after, _jobs = blown_up()
    (job,) = taken_back(after, view, "red")
    assert [say(s.text) for s in job.steps] == [
        "Take d5 off.",
        "Slide d2, d3 and d4 up one level.",
        "Put it back on d2.",
    ]
    columns = ["".join(row[3] for row in reversed(step.rows)) for step in job.steps]
    assert columns == ["DRRWW", "DRRW.", "D.RRW"]


def test_a_taken_back_walk_moves_no_cards() -> None:
    view = positions.turn()
    _events, after = played(view, Move("red", "red.1", ("b2",)))
    assert taken_back(after, view, "red") == ()


def test_who_falls_into_the_room_is_laid_down() -> None:
    view = free_d2(lying=[])
    view["figures"] |= {"green.1": "a1", "green.2": "b1", "blue.2": "e4", "knight": "d4"}
    events, after = played(view, MoveVillain("red", "knight", ("e4",)))
    (job,) = after_events(view, events, after)
    assert say(job.steps[0].ask) == "Ana, put the Black Knight on e4, and lay Blue 2 down on e3."
