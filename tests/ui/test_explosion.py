"""After an explosion or a fall: what hands have to do, by real touches, against a real table."""

from __future__ import annotations

import pytest

from companion.games.base import msg
from companion.games.sir_holland.state import End, Explode, MoveVillain
from companion.table.ports import Hand, Outcome, Play, PutRight, Refused, SayThis, TakeBack
from companion.ui import motion
from companion.ui.theme import look
from tests.ui import positions


def blow_up(s, square: str = "d2") -> None:
    s.press("Blow up a card")
    s.square(square)
    motion.finish()
    s.root.screen.draw()
    s.settle()


def steps(s) -> list[tuple[str, bool]]:
    """What is to be done, and whether it is ticked."""
    return [(row.text, row.done) for row in s.root.screen.panel.rows]


@pytest.mark.parametrize("size", [(800, 480), (1280, 800), (480, 800)])
def test_three_steps_ticked_one_by_one(at, size) -> None:
    _house, s = at(positions.turn(3, 2, 1), size=size)
    blow_up(s)
    screen = s.root.screen
    assert screen.head.sentence == "Ana, now the cards: take d2 out."
    assert screen.tower.picked == ["d2"]
    assert [done for _text, done in steps(s)] == [False, False, False]
    s.press("Done, next")
    assert screen.head.sentence == "Ana, slide d3, d4 and d5 down one level."
    assert [row[3] for row in screen.tower.rows] == ["W", "R", "R", ".", "D"]
    s.press("Done, next")
    assert screen.head.sentence == "Ana, lay the card on top: it is d5 now."
    assert [done for _text, done in steps(s)] == [True, True, False]
    s.press("Done")
    assert screen.head.sentence == "Ana, you may still move your heroes."
    assert screen.tower.rows == s.root.now.view["tower"]
    assert [b for b in s.buttons() if getattr(b, "text", "") == "Put it right"]


def test_the_steps_are_said_aloud(at) -> None:
    house, s = at(positions.turn(3, 2, 1))
    blow_up(s)
    s.press("Done, next")
    said = [r.messages for r in house.sent if isinstance(r, SayThis)]
    assert [[m.id for m in messages] for messages in said] == [
        ["{seat:seat}, slide {squares:squares} down one level.", "With them: {figures:figures}."]
    ]


def test_a_touch_on_the_tower_waits_for_the_cards(at) -> None:
    house, s = at(positions.turn(3, 2, 1))
    blow_up(s)
    s.square("a2")
    s.square("b2")
    assert [r.choice for r in house.sent if isinstance(r, Play)] == [Explode("red", "d2")]
    assert s.root.screen.head.sentence == "Ana, now the cards: take d2 out."


def test_the_steps_outlive_a_refusal(at) -> None:
    house, s = at(positions.turn(3, 2, 1))
    blow_up(s)
    s.press("Done, next")
    text = msg("It is not the turn of {seat:seat}. {acting:seat} acts now.", seat="blue", acting="red")
    house.say(Outcome("refused", house.table.snapshot(), (text,), refused=Refused("R22", text)))
    s.settle()
    assert s.root.screen.head.sentence.startswith("Ana, slide d3")
    assert "It is not the turn of Bruno. Ana acts now." in s.texts()
    s.press("Done, next")
    assert s.root.screen.head.sentence.startswith("Ana, lay the card on top")


def test_the_steps_outlive_another_language_and_size(at) -> None:
    _house, s = at(positions.turn(3, 2, 1))
    blow_up(s)
    s.press("Done, next")
    s.root.change_language("pt")
    s.settle()
    assert s.root.screen.head.sentence == "Ana, desça um nível: d3, d4 e d5."
    s.press("Done, next")
    s.root.change_language("en")
    s.settle()
    assert s.root.screen.head.sentence.startswith("Ana, lay the card on top")


def test_the_steps_outlive_the_end_of_the_turn(at) -> None:
    """A card laid on the reader ends the turn while hands are still busy."""
    house, s = at(positions.turn(3, 2, 1))
    blow_up(s)
    house.send(Play(End("red")))
    s.settle()
    assert s.root.now.view["turn"]["seat"] == "blue"
    assert s.root.screen.head.sentence == "Ana, now the cards: take d2 out."
    for text in ("Done, next", "Done, next", "Done"):
        s.press(text)
    assert s.root.screen.head.sentence == "Bruno, move your heroes, a villain, or both."


def test_after_a_restart_the_cards_are_done(at, open_window) -> None:
    house, s = at(positions.turn(3, 2, 1))
    blow_up(s)
    again = open_window(house)
    house.say(Outcome("done", house.table.snapshot()))
    again.settle()
    assert again.root.screen.head.sentence == "Ana, you may still move your heroes."
    assert again.root.screen.tower.rows == house.table.snapshot().view["tower"]


def test_taken_back_before_any_card_was_touched(at) -> None:
    _house, s = at(positions.turn(3, 2, 1))
    blow_up(s)
    s.press("Take back")
    assert any("d2 blows up" in t for t in s.texts())
    s.press("Yes, undo it")
    assert s.root.now.view["tower"] == positions.ROWS
    assert s.root.screen.job is None
    assert s.root.screen.head.sentence == "Ana, move heroes, blow up a card, or do both."


def test_taken_back_in_the_middle_the_cards_go_back(at) -> None:
    _house, s = at(positions.turn(3, 2, 1))
    blow_up(s)
    s.press("Done, next")
    s.press("Take back")
    s.press("Leave it")
    assert s.root.screen.head.sentence.startswith("Ana, slide d3")
    s.press("Take back")
    s.press("Yes, undo it")
    assert s.root.screen.head.sentence == "Ana, now the cards back: take d5 off."
    for text in ("Done, next", "Done, next", "Done"):
        s.press(text)
    assert s.root.screen.tower.rows == positions.ROWS


def test_the_tower_does_not_run_ahead_of_the_hands(at) -> None:
    """Until a step is done it shows what lies on the table."""
    _house, s = at(positions.turn(3, 2, 1))
    tower, shown = s.root.screen.tower, []
    tower.bind(rows=lambda _, rows: shown.append(list(rows)))
    s.press("Blow up a card")
    s.square("d2")
    s.wait(lambda: not motion.moving())
    assert tower.rows == positions.ROWS
    assert tower.picked == ["d2"]
    assert shown == []


def test_show_how_comes_back_to_the_step(at) -> None:
    _house, s = at(positions.turn(3, 2, 1))
    blow_up(s)
    tower, played = s.root.screen.tower, []
    play = tower.play
    tower.play = lambda *given: (played.append(given[1]), play(*given))
    s.press("Show how")
    assert [event["what"] for (event,) in played] == ["exploded"]
    s.wait(lambda: tower.picked == ["d2"])
    assert tower.figures["blue.1"] == "d3"
    assert s.root.screen.head.sentence == "Ana, now the cards: take d2 out."


def test_less_motion_shows_the_steps_alone(at) -> None:
    _house, s = at(positions.turn(3, 2, 1))
    look.still = True
    s.press("Blow up a card")
    s.square("d2")
    assert s.root.screen.tower.picked == ["d2"]
    assert not [b for b in s.buttons() if getattr(b, "text", "") == "Show how"]


# --- falls ------------------------------------------------------------------------------------------------------


def test_a_fall_is_shown_before_it_is_so(at) -> None:
    house, s = at(positions.turn(4, 1, 3))
    s.square("d4")
    s.square("d3")
    screen = s.root.screen
    assert screen.head.sentence == "Ana, this will happen. Do it?"
    assert [(type(r), [m.id for m in r.messages]) for r in house.sent] == [
        (
            SayThis,
            [
                "The Black Knight stops on d3.",
                "Blue 1 is knocked off d3 and falls to d2.",
                "Ana, this will happen. Do it?",
            ],
        )
    ]
    house.sent.clear()
    assert [(tuple(way), end) for way, end in screen.tower.preview] == [
        (("d4", "c4", "c3", "d3"), "d3"),
        (("d3", "d2"), "d2"),
    ]
    assert "Blue 1 is knocked off d3 and falls to d2." in s.texts()
    assert screen.tower.lit == {}
    s.press("No")
    assert not house.sent
    assert screen.tower.preview == []
    assert screen.picked == "knight"
    s.square("d3")
    s.press("Yes, do it")
    assert [r.choice for r in house.sent] == [MoveVillain("red", "knight", ("c4", "c3", "d3"))]
    assert screen.head.sentence == "Ana, put the Black Knight on d3 and Blue 1 on d2."
    assert screen.tower.picked == ["d3", "d2"]
    assert {"The Black Knight stands on d3 now.", "Blue 1 stands on d2 now."} <= set(s.texts())
    s.press("Done")
    assert screen.head.sentence == "Ana, you may still move a hero."


def test_any_touch_on_the_tower_goes_on_after_a_fall(at) -> None:
    _house, s = at(positions.turn(4, 1, 3))
    s.square("d4")
    s.square("d3")
    s.press("Yes, do it")
    s.square("a2")
    assert s.root.screen.picked == "red.1"
    assert s.root.screen.head.sentence == "Ana, where does Red 1 go?"


def test_a_plain_walk_is_not_asked_again(at) -> None:
    house, s = at(positions.turn())
    s.square("a2")
    s.square("b2")
    assert len(house.sent) == 1


def test_taken_back_figures_are_drawn_on_their_way(at) -> None:
    _house, s = at(positions.turn(4, 1, 3))
    s.square("d4")
    s.square("d3")
    s.press("Yes, do it")
    s.press("Take back")
    ways = {(tuple(way), end) for way, end in s.root.screen.tower.preview}
    assert ways == {(("d2", "d3"), "d3"), (("d3", "d4"), "d4")}
    s.press("Yes, undo it")
    assert s.root.now.view["figures"]["blue.1"] == "d3"


@pytest.mark.parametrize("ticks", [0, 1])
def test_what_moves_no_cardboard_leaves_the_steps(at, ticks: int) -> None:
    """Somebody else sits down, or a house rule changes, while hands are at the cards."""
    house, s = at(positions.turn(3, 2, 1))
    blow_up(s)
    for _tick in range(ticks):
        s.press("Done, next")
    waiting = (s.root.screen.job, s.root.screen.kept.at)
    assert waiting[0] is not None
    house.send(Hand("blue", "Zoe"))
    s.settle()
    assert (s.root.screen.job, s.root.screen.kept.at) == waiting
    house.send(PutRight({"rules": {"rope_down": "on"}}, ("red", "blue", "green", "yellow")))
    s.settle()
    assert s.root.now.view["rules"] == {"rope_down": "on"}
    assert (s.root.screen.job, s.root.screen.kept.at) == waiting


def test_after_putting_right_hands_have_nothing_to_do(at) -> None:
    """The screen has been made like the table: two cards at the top that lay the other way round."""
    house, s = at(positions.turn(3, 2, 1))
    rows = [list(row) for row in s.root.now.view["tower"]]
    rows[0][0], rows[1][0] = rows[1][0], rows[0][0]
    tower = ["".join(row) for row in rows]
    house.send(PutRight({"tower": tower}))
    s.settle()
    assert s.root.now.view["tower"] == tower
    assert s.root.screen.job is None
    # nor when that is taken back: it was the screen that was wrong
    house.send(TakeBack(None, True))
    s.settle()
    assert s.root.now.view["tower"] == positions.ROWS
    assert s.root.screen.job is None
