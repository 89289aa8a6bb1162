"""Start, seats, tower, menu, status lines: by real touches."""

from __future__ import annotations

from companion.games.base import msg
from companion.games.sir_holland.state import Lock, Rest
from companion.table.ports import Abandon, Bind, Leave, Play, Reveal, Status
from tests.ui import positions
from tests.ui.engine import House


def test_a_lost_reader_is_a_line_of_its_own(open_window) -> None:
    house = House()
    s = open_window(house)
    house.load(positions.turn(), positions.NAMES)
    s.settle()
    house.say(Status("reader", "device", msg("Round {n}.", n=7)))
    s.settle()
    assert "Round 7." in s.texts()
    tower = s.root.screen.tower
    assert tower.pitch >= 56
    assert s.root.screen.y > 0
    house.say(Status("reader", "device", None))
    s.settle()
    assert "Round 7." not in s.texts()


def test_an_unknown_tag_can_be_bound(open_window) -> None:
    house = House()
    s = open_window(house)
    house.load(positions.turn(), positions.NAMES)
    s.settle()
    house.say(Status("tag 04AB", "tag", msg("Round {n}.", n=7), {"uid": "04AB", "seat": "blue"}))
    s.settle()
    s.tap(next(b for b in s.buttons() if getattr(b, "text", "") == "5"))
    s.press("Keep it")
    assert house.sent[-1] == Bind("04AB", "blue", 5)
    assert s.root.sheet is None


def _tag(house: House, uid: str) -> None:
    house.say(Status(f"tag {uid}", "tag", msg("Round {n}.", n=7), {"uid": uid, "seat": "blue"}))


def test_a_new_tag_waits_for_what_lies_over_the_screen(open_window) -> None:
    house = House()
    s = open_window(house)
    house.load(positions.turn(), positions.NAMES)
    s.settle()
    s.root.open_menu()
    menu = s.root.sheet
    _tag(house, "04AB")
    _tag(house, "04CD")
    s.settle()
    assert s.root.sheet is menu
    s.press("Back to the table")
    assert s.root.sheet.tag == "04AB"
    # most likely it is the card that blue has played
    assert (s.root.sheet.owner, s.root.sheet.number) == ("blue", 2)
    s.press("Not now")
    assert s.root.sheet.tag == "04CD"
    house.say(Status("tag 04CD", "tag", None))
    s.press("Not now")
    assert s.root.sheet is None


def _numbers(s) -> list[str]:
    """Buttons with the number of a card that lie open on the screen."""
    return [b.text for b in s.buttons() if getattr(b, "text", "").isdigit()]


def test_no_card_is_asked_for_in_the_open_while_cards_are_chosen_in_secret(open_window) -> None:
    """Neither on the screen of the round, nor after a cover, a door or a language: after the reveal."""
    house = House()
    s = open_window(house)
    house.load(positions.choosing(), positions.NAMES)
    s.settle()
    _tag(house, "04AB")
    s.settle()
    assert s.root.sheet is None
    s.tap(s.root.screen.panels["red"].ids.act)
    s.press("Not now")
    s.root.open("settings")
    s.settle()
    s.root.change_language("pt")
    s.root.back()
    s.settle()
    assert s.root.sheet is None
    assert _numbers(s) == []
    for seat, card in (("red", 2), ("blue", 3), ("green", 4), ("yellow", 6)):
        house.send(Play(Lock(seat, card)))
        s.settle()
        assert s.root.sheet is None
    house.send(Reveal())
    s.settle()
    s.root.back()
    assert (s.root.sheet.tag, s.root.sheet.owner, s.root.sheet.number) == ("04AB", "blue", 3)


def test_a_question_about_a_card_that_is_open_when_a_round_begins_waits(open_window) -> None:
    house = House()
    s = open_window(house)
    house.load(positions.last_turn(), positions.NAMES)
    s.settle()
    _tag(house, "04AB")
    s.settle()
    assert s.root.sheet.tag == "04AB"
    house.send(Play(Rest("yellow")))
    s.settle()
    assert s.root.sheet is None
    assert _numbers(s) == []


def test_a_card_of_a_round_that_is_left_is_asked_for_on_no_first_screen(open_window) -> None:
    house = House()
    s = open_window(house)
    house.load(positions.choosing(), positions.NAMES)
    s.settle()
    _tag(house, "04AB")
    house.send(Leave())
    s.settle()
    assert s.screen == "start"
    assert s.root.sheet is None


def test_a_new_tag_waits_for_the_reveal_to_be_read(open_window) -> None:
    house = House()
    s = open_window(house)
    house.load(positions.choosing(), positions.NAMES)
    for seat, card in (("red", 2), ("blue", 3), ("green", 4), ("yellow", 6)):
        house.send(Play(Lock(seat, card)))
    house.send(Reveal())
    s.settle()
    assert s.screen == "reveal"
    _tag(house, "04AB")
    s.settle()
    assert s.root.sheet is None
    s.press("Ana's turn")
    assert s.root.sheet.tag == "04AB"


def test_a_line_about_a_seat_while_no_game_is_open(open_window) -> None:
    house = House()
    house.load(positions.turn(), positions.NAMES)
    s = open_window(house)
    s.settle()
    house.say(Status("reader", "device", msg("{seat:seat}, lay one card at a time.", seat="blue")))
    s.settle()
    assert "Bruno, lay one card at a time." in s.texts()
    # everybody goes home for good
    house.send(Abandon(house.table.number))
    s.root.back()
    s.settle()
    assert s.screen == "start"
    assert "Blue, lay one card at a time." in s.texts()
    _tag(house, "04AB")
    s.settle()
    assert [b.text for b in s.root.sheet.seats] == ["Red", "Blue", "Green", "Yellow"]
    s.press("Not now")
    house.say(Status("tag 04AB", "tag", None))
    s.tap(s.button("Português"))
    assert any("Azul" in text for text in s.texts())


def test_a_touch_that_comes_twice_counts_once(open_window) -> None:
    house = House()
    s = open_window(house)
    house.load(positions.turn(), positions.NAMES)
    s.settle()
    s.root.twin = 0.5
    s.square("a2")
    s.square("a2")
    assert s.root.screen.picked == "red.1"


def test_it_is_laid_out_for_other_screens(open_window) -> None:
    for size in ((1280, 800), (720, 1280)):
        house = House()
        s = open_window(house, size=size)
        house.load(positions.turn(), positions.NAMES)
        s.settle()
        assert s.root.screen.tower.pitch > 110
        s.square("a2")
        s.square("b2")
        assert s.root.now.view["figures"]["red.1"] == "b2"
        s.close()
