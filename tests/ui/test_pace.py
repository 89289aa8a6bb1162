"""What goes on by itself, what says so, and what stops it; what is told without a page of its own."""

from __future__ import annotations

import pytest

from companion.games.sir_holland.state import End, Explode, Hide, Lock, Move, Rest
from companion.table.ports import Hand, Outcome, Play, PutRight, Reveal, SayThis, TakeBack
from companion.ui import run_down
from companion.ui.run_down import BEAT, RunDown
from companion.ui.screens import reveal
from companion.ui.screens.turn_side import Strip
from tests.bench.bench_touches import GOAL, count
from tests.ui import positions
from tests.ui.engine import House, plays


def _bars(s) -> list[RunDown]:
    return s.all(lambda w: isinstance(w, RunDown) and w.runs)


def _strip(s) -> Strip:
    return s.one(lambda w: isinstance(w, Strip))


def _told(s) -> str:
    return s.root.screen.card.told.text


# --- a turn in which nothing is left -------------------------------------------------------------------------------


def test_a_turn_with_nothing_left_ends_by_itself(at, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_down, "SECONDS", 0.15)
    _house, s = at(positions.turn(2, 0, 0))
    s.wait(lambda: s.root.now.view["turn"]["seat"] == "blue")


def test_the_last_step_starts_the_bar(at) -> None:
    house, s = at(positions.turn(2, 1, 0))
    assert not _bars(s)
    s.square("a2")
    s.square("b4")
    assert len(_bars(s)) == 1
    s.run_down()
    assert [type(choice) for choice in plays(house)] == [Move, End]


@pytest.mark.parametrize("card", [1, 2, 3, 4, 5, 6])
def test_what_is_left_is_nobody_elses_to_give_up(at, card: int) -> None:
    _house, s = at(positions.turn(card, 1, 1))
    assert not _bars(s)


def test_a_rest_waits_for_hands(at) -> None:
    _house, s = at(positions.last_turn())
    assert not _bars(s)


def test_what_hands_have_to_do_comes_first(at) -> None:
    house, s = at(positions.turn(3, 0, 1))
    house.send(Play(Explode("red", "d2")))
    s.settle()
    assert not _bars(s)
    while s.root.screen.job is not None:
        s.press("Done" if s.root.screen.kept.at + 1 == len(s.root.screen.job.steps) else "Done, next")
    assert len(_bars(s)) == 1


def test_a_touch_stops_what_goes_on_by_itself(at) -> None:
    house, s = at(positions.turn(2, 0, 0))
    (bar,) = _bars(s)
    s.tap(_strip(s))
    assert not bar.runs
    s.root.open_menu()
    s.settle()
    s.root.screen.draw()
    assert not bar.runs
    assert all(isinstance(asked, SayThis) for asked in house.sent), "a touch on the sentence reads it aloud, no more"


def test_a_bar_that_is_off_the_screen_does_nothing(at) -> None:
    house, s = at(positions.turn(2, 0, 0))
    (bar,) = _bars(s)
    s.root.open("settings")
    s.wait(lambda: not bar.runs)
    assert not house.sent


def test_a_what_if_waits_for_people(open_window) -> None:
    from companion.table.ports import Branch

    house = House()
    s = open_window(house)
    house.begin(("red", "blue"), {"red": "Ana", "blue": "Bruno"}, gryphon="red")
    for lock in (Lock("red", 1), Lock("blue", 4)):
        house.send(Play(lock))
    house.send(Reveal())
    house.send(Branch(house.table.number, house.table.snapshot().seq))
    s.settle()
    for choice in (Hide("red", "red.1"), None):
        house.send(Play(choice or next(c for c in house.table.snapshot().choices if isinstance(c, Move))))
    s.settle()
    assert s.root.now.sandbox
    assert all(isinstance(c, End) for c in s.root.now.choices)
    assert not _bars(s)


# --- from the reveal to the first turn -----------------------------------------------------------------------------


def _revealed(open_window, still: bool = False, **cards: int):
    house = House()
    s = open_window(house, settings={"still": still})
    house.load(positions.choosing(), positions.NAMES)
    for seat, card in cards.items():
        house.send(Play(Lock(seat, card)))
    house.send(Reveal())
    s.settle()
    return house, s


@pytest.mark.parametrize("still", [False, True])
def test_where_numbers_alone_decide_the_first_turn_begins_by_itself(open_window, monkeypatch, still: bool) -> None:
    monkeypatch.setattr(reveal, "READ", -3.9)
    _house, s = _revealed(open_window, still, red=3, blue=2, green=1, yellow=7)
    s.wait(lambda: s.screen == "turn")
    assert _strip(s).seat == "green"
    assert _told(s) == "Clara goes first: 1 is the lowest number."


def test_a_tie_waits_until_it_has_been_read(open_window) -> None:
    _house, s = _revealed(open_window, red=2, blue=2, green=4, yellow=7)
    assert not _bars(s)
    s.tap(s.root.screen.ids_.go)
    assert s.screen == "turn"
    assert _strip(s).seat == "red"
    assert "holds the gryphon" in _told(s)


def test_whoever_touches_the_reveal_reads_as_long_as_they_want(open_window) -> None:
    _house, s = _revealed(open_window, red=3, blue=2, green=1, yellow=7)
    assert _bars(s)
    s.touch(s.root.width / 4, s.root.height * 0.6)
    assert not _bars(s)
    assert s.screen == "reveal"


@pytest.mark.parametrize("lies", ["sheet", "explanation"])
def test_nothing_goes_on_by_itself_under_what_lies_over_it(open_window, monkeypatch, lies: str) -> None:
    """A sheet was open when the cards turned, or came by itself: whoever is at it sees no bar and cannot stop it."""
    monkeypatch.setattr(reveal, "READ", -3.9)
    house = House()
    s = open_window(house, settings={"still": True})
    house.load(positions.choosing(), positions.NAMES)
    for seat, card in {"red": 3, "blue": 2, "green": 1, "yellow": 7}.items():
        house.send(Play(Lock(seat, card)))
    s.settle()
    if lies == "sheet":
        s.root.open_menu()
    else:
        s.root.explain(s.root.width / 2, s.root.height / 2)
    s.settle()
    house.send(Reveal())
    s.settle()
    bar = s.root.screen.ids_.on.bar
    # much longer than it runs; the beat itself is called, as nothing of it depends on the machine
    for _beat in range(100):
        bar._beat(BEAT)
    assert s.screen == "reveal"
    assert bar.runs
    assert bar.share == 1.0, "the whole time is there once people can see it"
    s.root.close_sheet()
    s.wait(lambda: s.screen == "turn")


def test_a_seat_that_is_handed_over_takes_nobody_away_from_the_order(open_window) -> None:
    house, s = _revealed(open_window, red=2, blue=2, green=4, yellow=7)
    for name in ("Eva", ""):
        house.send(Hand("green", name))
        s.settle()
        assert s.screen == "reveal"
    assert len(s.root.screen.ties) == 1
    s.tap(s.root.screen.ids_.go)
    house.send(Hand("green", "Eva"))
    s.settle()
    assert s.screen == "turn"


def test_what_is_opened_again_waits(open_window) -> None:
    _house, s = _revealed(open_window, red=3, blue=2, green=1, yellow=7)
    s.root.open("entry", rule="R22")
    s.settle()
    s.root.back()
    s.settle()
    assert s.screen == "reveal"
    assert not _bars(s)


# --- hand-over ------------------------------------------------------------------------------------------------------


def test_the_strip_says_what_happened_last_and_then_what_the_seat_does(at) -> None:
    house, s = at(positions.turn(2, 2, 0))
    house.send(Play(Move("red", "red.1", ("a3",))))
    house.send(Play(End("red")))
    s.settle()
    assert s.root.screen.head.sentence.startswith("Bruno, ")
    assert _strip(s).seat == "red"
    assert "Red 1 goes to a3." in _told(s)
    s.square("d3")
    house.send(Play(next(c for c in s.root.now.choices if isinstance(c, Move))))
    s.settle()
    assert _strip(s).seat == ""
    assert _told(s).startswith("Blue ")
    assert "a3" not in _told(s)


def test_the_strip_is_still_there_behind_a_door(at) -> None:
    house, s = at(positions.turn(2, 0, 0))
    house.send(Play(End("red")))
    s.settle()
    s.root.open("settings")
    s.settle()
    s.root.back()
    s.settle()
    assert _strip(s).seat == "red"


def test_the_strip_answers_to_no_touch(at) -> None:
    house, s = at(positions.turn(2, 0, 0))
    house.send(Play(End("red")))
    s.settle()
    house.sent.clear()
    seq = s.root.now.seq
    for _ in range(3):
        s.tap(_strip(s))
    assert (s.screen, s.root.now.seq, house.sent) == ("turn", seq, [])


@pytest.mark.parametrize("size", [(800, 480), (480, 800), (1280, 800)])
@pytest.mark.parametrize("text", ["normal", "large", "huge"])
def test_whoever_goes_next_is_told_what_happened_at_every_size(open_window, size, text: str) -> None:
    house = House()
    s = open_window(house, size=size, settings={"text": text})
    house.load(positions.turn(2, 0, 0), positions.NAMES)
    house.send(Play(End("red")))
    s.settle()
    strip = s.all(lambda w: isinstance(w, Strip))
    assert strip, (size, text)
    assert strip[0].seat == "red"
    assert _told(s)


# --- between rounds -------------------------------------------------------------------------------------------------


def test_a_round_that_leaves_nothing_to_do_leads_straight_to_choosing(at) -> None:
    house, s = at(positions.last_turn(lying=[]))
    house.send(Play(Rest("yellow")))
    s.settle()
    assert s.screen == "choose"
    told = "Lay the played cards aside. The gryphon stands beside Davi."
    assert told in s.texts()
    house.send(Play(Lock("red", 1)))
    s.settle()
    assert told in s.texts()


def test_what_lies_down_and_the_last_round_have_a_page(at) -> None:
    house, s = at(positions.last_turn())
    house.send(Play(Rest("yellow")))
    s.settle()
    assert s.screen == "round_end"
    house.send(TakeBack("yellow"))
    house.load(positions.last_turn(lying=[], rests={"red": 2, "blue": 2, "green": 2, "yellow": 1}), positions.NAMES)
    house.send(Play(Rest("yellow")))
    s.settle()
    assert s.screen == "round_end"


def test_a_round_that_is_put_right_tells_of_the_gryphon_as_it_stands(at) -> None:
    house, s = at(positions.last_turn(lying=[]))
    house.send(Play(Rest("yellow")))
    house.send(PutRight({"gryphon": "blue"}, tuple(positions.NAMES)))
    s.settle()
    assert isinstance(house.last, Outcome)
    assert "Lay the played cards aside. The gryphon stands beside Bruno." in s.texts()


# --- one touch a move -----------------------------------------------------------------------------------------------


def test_a_free_square_that_one_hero_alone_can_have_gone_to_is_lit(at) -> None:
    house, s = at(positions.turn(2, 1, 0))
    lit = s.root.screen.tower.lit
    assert lit["b4"] == "1"
    assert lit["e1"] == "1"
    s.square("b4")
    assert plays(house) == [Move("red", "red.1", ("b2", "b4"))]


def test_a_square_that_two_heroes_can_have_gone_to_is_asked_about(at) -> None:
    state = positions.turn(2, 1, 0)
    state["figures"] |= {"red.1": "a3", "red.2": "c3"}
    house, s = at(state)
    assert "b3" not in s.root.screen.tower.lit
    s.square("b3")
    assert "Who went to b3?" in s.texts()
    assert not house.sent


def test_the_figure_in_hand_is_put_right_with_one_touch(at) -> None:
    house, s = at(positions.turn())
    s.square("a2")
    s.press("Put it right")
    assert s.root.screen.picked == "red.1"
    s.square("e5")
    s.press("This is right")
    for mark in list(s.root.sheet.marks.values()):
        s.tap(mark)
    s.run_down()
    assert s.root.now.view["figures"]["red.1"] == "e5"
    # without one in hand, all figures are as they were
    s.press("Put it right")
    assert s.root.screen.picked is None
    assert isinstance(house.sent[-1], PutRight)


# --- the whole game -------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_recorded_game_takes_few_touches() -> None:
    people = count()
    assert people.s.screen == "winner"
    assert people.touches.total() <= GOAL, people.touches
