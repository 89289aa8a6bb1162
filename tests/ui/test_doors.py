"""The first screen, who sits where, a new game, the menu, the ways out, a seat that is handed on: by real touches."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.base import msg
from companion.games.sir_holland import setup
from companion.games.sir_holland.state import Lock
from companion.table.ports import Abandon, Begin, Change, Hand, Leave, Play, Resume, Reveal, SayAgain, SayThis, Status
from companion.ui import motion, shell
from tests.ui import positions
from tests.ui.doors import drag, opened, playing, tapped, with_seat
from tests.ui.engine import House

# --- the first screen -----------------------------------------------------------------------------------------------


def test_no_door_to_an_empty_room(open_window, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("judge", "history"):
        monkeypatch.delitem(shell.SCREENS, name, raising=False)
    monkeypatch.delitem(shell.BOARD_SCREENS, "minute")
    _house, s = opened(open_window)
    assert [b.text for b in s.buttons()] == ["English", "Português", "New game", "", "Devices", "Settings"]


@pytest.mark.parametrize("scene", ["01_start", "02_seats", "03_tower_base", "04_choose", "05_reveal_tie", "06_turn",
                                   "08_round_end", "09_winner", "10_put_right"])  # fmt: skip
def test_the_rule_book_is_one_touch_away(scene: str) -> None:
    from tests.screens import open_scene

    s = open_scene(scene, "en", (800, 480))
    was = s.screen
    s.tap(next(b for b in s.buttons() if b.icon == "mark_book" and not getattr(b, "text", "")))
    assert s.screen == "rulebook"
    assert not s.root.screen.head.has_book
    s.press("Back")
    assert s.screen == was
    s.close()


def test_every_door_leads_somewhere_and_back(open_window) -> None:
    _house, s = opened(open_window)
    for text in ("Ask the judge", "History", "Devices", "Settings"):
        doors = [b for b in s.buttons() if getattr(b, "text", "") == text]
        for door in doors:
            s.tap(door)
            assert s.screen == door.data
            assert s.root.screen.head.sentence
            s.root.back()
            s.settle()
            assert s.screen == "start"


def test_go_on_says_where_one_is(open_window) -> None:
    house = House()
    house.begin(("red", "blue", "green"), {"red": "Ana", "blue": "Bruno", "green": "Clara"})
    house.send(Play(Lock("red", 1)))
    house.send(Play(Lock("green", 1)))
    s = open_window(house)
    s.root.now = None
    s.root.flow.go("start")
    house.open()
    s.settle()
    assert s.button("Go on").sub == "Round 1. Bruno is thinking."
    s.press("Go on")
    assert house.sent[-1] == Resume(1)
    assert s.screen == "choose"


def test_language_switches_at_once(open_window) -> None:
    house, s = opened(open_window)
    s.tap(s.button("Português"))
    assert house.sent[-1] == Change({"lang": "pt"})
    assert s.button("Novo jogo")
    s.tap(s.button("English"))
    assert s.button("New game")


def test_no_sound_is_told_on_the_first_screen_only(open_window) -> None:
    house, s = opened(open_window)
    text = msg("Round {n}.", n=7)
    house.say(Status("sound", "sound", text))
    s.settle()
    assert "Round 7." in s.texts()
    s.press("Settings")
    assert "Round 7." not in s.texts()
    assert s.button("Sound").sub == "no sound"
    s.press("Devices")
    assert "Round 7." in s.texts()


# --- a new game -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("last", [{}, positions.NAMES])
def test_a_new_game_in_at_most_five_touches(open_window, last: dict[str, str]) -> None:
    house, s = opened(open_window, last_names=last)
    touches = 0
    for text in ("New game", "This is us", "The whole tower is laid", "Begin the game"):
        s.press(text)
        touches += 1
    assert touches <= 5
    begin = house.sent[-1]
    assert isinstance(begin, Begin)
    assert begin.seats == (tuple(last) if last else ("red", "blue"))
    assert begin.names == (last or {"red": "Red", "blue": "Blue"})
    assert setup.tower_faults(tuple(begin.options["tower"])) == []
    assert s.screen == "choose"


def test_names_and_seats(open_window) -> None:
    house, s = opened(open_window)
    s.press("New game")
    s.press("Yellow joins")
    s.tap(with_seat(s, "blue"))
    s.press("Type a name")
    for letter in "BIA":
        s.tap(s.button(letter))
    s.press("That is the name")
    s.press("This is us")
    s.press("The whole tower is laid")
    s.press("Begin the game")
    begin = house.sent[-1]
    assert begin.seats == ("red", "blue", "yellow")
    assert begin.names == {"red": "Red", "blue": "Bia", "yellow": "Yellow"}
    assert begin.options["rules"] == {}
    assert s.root.screen.panels["blue"].who == "Bia"


def test_colours_and_gryphon(open_window) -> None:
    house, s = opened(open_window)
    s.press("New game")
    s.tap(with_seat(s, "blue"))
    s.tap(with_seat(s, "green"))
    s.press("Done")
    assert s.root.draft.seats == ["red", "green"]
    s.press("The gryphon")
    s.tap(with_seat(s, "green"))
    assert s.root.draft.gryphon == "green"
    assert s.root.screen.ring.gryphon == "green"
    s.press("The gryphon")
    s.press("Pick by chance")
    assert s.root.draft.gryphon is None
    s.tap(with_seat(s, "red"))
    assert not [b for b in s.buttons() if getattr(b, "text", "") == "Nobody here"]  # two have to stay
    assert all(isinstance(request, SayThis) for request in house.sent)


def _aloud(house: Any) -> list[str]:
    """What the screens have had read aloud since the last look."""
    said = [m.id for request in house.sent if isinstance(request, SayThis) for m in request.messages]
    house.sent.clear()
    return said


def test_what_to_do_before_the_game_is_read_aloud_once(open_window) -> None:
    house, s = opened(open_window)
    s.press("New game")
    assert _aloud(house) == ["Who sits where? Go round like a clock.", "Tap a seat to change its name or colour."]
    s.root.rebuild()
    s.settle()
    assert not _aloud(house)
    s.press("This is us")
    how = "As you see it on this screen. Level 1 is at the bottom."
    assert _aloud(house)[:2] == ["Lay level 1, left to right.", how]
    s.press("The whole tower is laid")
    assert _aloud(house)[-1] == "The goal: bring your two heroes up to the terrace."
    s.root.change_language("pt")
    s.settle()
    assert _aloud(house)[-1] == "O objetivo: levar seus dois heróis até o terraço."


def test_nothing_is_read_aloud_while_the_voice_is_off(open_window) -> None:
    house, s = opened(open_window, voice=False)
    s.press("New game")
    s.press("This is us")
    assert not _aloud(house)


def test_back_from_the_gryphon(open_window) -> None:
    _house, s = opened(open_window)
    s.press("New game")
    s.press("The gryphon")
    s.press("Back")
    assert s.root.screen.head.sentence == "Who sits where? Go round like a clock."


def _place(s: Any, seat: str) -> tuple[float, float]:
    ring = s.root.screen.ring
    return ring.to_window(*ring.places()[seat])


def test_seats_are_dragged_and_touched_on_the_ring(open_window) -> None:
    _house, s = opened(open_window, last_names=positions.NAMES)
    s.press("New game")
    drag(s, _place(s, "red"), _place(s, "green"))
    assert s.root.draft.seats == ["green", "blue", "red", "yellow"]
    assert s.root.draft.names == positions.NAMES
    # into nowhere: nothing changes
    drag(s, _place(s, "red"), (_place(s, "red")[0] + 90, _place(s, "red")[1] - 90))
    assert s.root.draft.seats == ["green", "blue", "red", "yellow"]
    s.touch(*_place(s, "blue"))
    assert s.root.screen.editing == "blue"
    s.press("Done")
    s.press("The gryphon")
    s.touch(*_place(s, "yellow"))
    assert s.root.draft.gryphon == "yellow"


def test_house_rules_of_the_next_game_go_into_it(open_window) -> None:
    rules = {"fall_distance": 2, "rope_down": "on"}
    house, s = opened(open_window, house_rules=rules)
    s.press("New game")
    s.press("With 2 house rules")
    assert s.screen == "house_rules"
    s.press("Done")
    assert s.screen == "seats"
    s.press("This is us")
    s.press("The whole tower is laid")
    s.press("Begin the game")
    assert house.sent[-1].options["rules"] == rules
    assert s.root.now.view["rules"] == rules


# --- menu and ways out ----------------------------------------------------------------------------------------------


def _box(widget: Any) -> tuple[float, float, float, float]:
    x, y = widget.to_window(*widget.pos)
    return x, y, x + widget.width, y + widget.height


def _apart(one: Any, other: tuple[float, float, float, float]) -> bool:
    left, low, right, top = _box(one)
    return right <= other[0] or left >= other[2] or top <= other[1] or low >= other[3]


def test_stopping_takes_a_second_touch_at_another_place(open_window) -> None:
    house, s = playing(open_window, positions.turn())
    s.tap(s.root.screen.head.ids.menu)
    first = s.button("Stop playing")
    place = _box(first)
    s.tap(first)
    assert not any(isinstance(r, Leave) for r in house.sent)
    for text in ("Stop for today", "End it for good"):
        assert _apart(s.button(text), place)
    s.press("Stop for today")
    assert house.sent[-1] == Leave()
    assert s.screen == "start"
    assert s.button("Go on")


def test_a_stray_finger_twice_on_one_place_ends_nothing(open_window) -> None:
    for size in ((800, 480), (480, 800), (1280, 800)):
        house = House()
        s = open_window(house, size=size)
        house.load(positions.turn(), positions.NAMES)
        s.settle()
        s.root.open_menu()
        s.settle()
        stop = s.button("Stop playing")
        at = stop.to_window(*stop.center)
        for _ in range(4):
            s.touch(*at)
        assert not any(isinstance(r, Leave | Abandon) for r in house.sent)
        s.close()


def test_a_game_is_ended_for_good_by_three_different_touches(open_window) -> None:
    house, s = playing(open_window, positions.turn())
    number = house.table.number
    s.tap(s.root.screen.head.ids.menu)
    s.press("Stop playing")
    second = _box(s.button("End it for good"))
    s.press("End it for good")
    assert not any(isinstance(r, Abandon) for r in house.sent)
    assert _apart(s.button("Yes, end it"), second)
    s.press("Play on")
    assert s.screen == "turn"
    s.tap(s.root.screen.head.ids.menu)
    s.press("Stop playing")
    s.press("End it for good")
    s.press("Yes, end it")
    assert house.sent[-1] == Abandon(number)
    assert s.screen == "start"
    assert not [b for b in s.buttons() if b.text == "Go on"]


def test_say_again_and_the_voice_are_two_touches_away(open_window) -> None:
    for state, screen in ((positions.turn(), "turn"), (None, "reveal")):
        house, s = playing(open_window, state)
        if state is None:
            for seat, card in (("red", 2), ("blue", 3), ("green", 4), ("yellow", 6)):
                house.send(Play(Lock(seat, card)))
            house.send(Reveal())
        s.settle()
        motion.finish()
        assert s.screen == screen
        s.tap(s.root.screen.head.ids.menu)
        s.press("Say it again")
        assert house.sent[-1] == SayAgain()
        s.tap(s.root.screen.head.ids.menu)
        s.press("The voice is on")
        assert house.sent[-1] == Change({"voice": False})
        s.tap(s.root.screen.head.ids.menu)
        assert "Say it again" not in [getattr(b, "text", "") for b in s.buttons()]
        s.press("The voice is off")
        assert house.sent[-1] == Change({"voice": True})
        s.close()


# --- a seat ---------------------------------------------------------------------------------------------------------


def _to_seat(s: Any, name: str) -> None:
    s.tap(s.root.screen.head.ids.menu)
    s.press("Somebody else plays")
    tapped(s, name)


def test_a_seat_is_handed_to_somebody_else_and_its_card_given_back(open_window) -> None:
    house, s = playing(open_window)
    house.send(Play(Lock("blue", 2)))
    s.settle()
    _to_seat(s, "Bruno")
    assert s.root.screen.head.sub == "The card that is locked in is given back."
    tapped(s, "Somebody else plays it")
    s.press("Type a name")
    for letter in "BIA":
        s.tap(s.button(letter))
    s.press("That is the name")
    assert house.sent[-1] == Hand("blue", "Bia")
    assert s.root.now.view["locked"] == []
    assert s.root.now.names["blue"] == "Bia"
    assert "Bia" in s.root.screen.head.sub
    assert "unlocked" in s.root.screen.head.sub
    s.press("Back to the table")
    assert s.screen == "choose"
    assert s.root.screen.panels["blue"].who == "Bia"


def test_a_seat_is_given_up_by_a_second_touch_at_another_place_and_taken_again(open_window) -> None:
    house, s = playing(open_window)
    _to_seat(s, "Davi")
    give = s.one(lambda w: type(w).__name__ == "Choice" and w.text == "Give it up")
    place = _box(give)
    s.tap(give)
    assert not any(isinstance(r, Hand) for r in house.sent)
    really = s.button("Give up Yellow")
    assert _apart(really, place)
    s.tap(really)
    assert house.sent[-1] == Hand("yellow", "")
    assert s.root.now.free == ("yellow",)
    tapped(s, "Yellow")
    assert "Give it up" not in [getattr(w, "text", "") for w in s.walk()]
    tapped(s, "Somebody plays it")
    s.press("A guest")
    assert house.sent[-1] == Hand("yellow", "Yellow")
    assert s.root.now.free == ()
    told = "Yellow gives up the seat. Somebody else plays Yellow now."
    assert s.root.screen.head.sub == told


@pytest.mark.parametrize(("keys", "name"), [
    (("A", "N", "A"), "Ana"), (("Erase",), "Brun"), (("Erase", "Erase", "I"), "Brui"), ((), "Bruno"),
])  # fmt: skip
def test_a_name_is_replaced_by_what_is_typed(open_window, keys: tuple[str, ...], name: str) -> None:
    """Not added to; a letter that is wiped first leaves the rest to be mended."""
    _house, s = opened(open_window)
    s.press("New game")
    seat = s.root.draft.seats[0]
    s.root.draft.names[seat] = "Bruno"
    s.root.screen._open(seat)
    s.settle()
    s.press("Type a name")
    for key in keys:
        s.press(key)
    s.press("That is the name")
    assert s.root.draft.names[seat] == name


@pytest.mark.parametrize("laid", [0, 2, 5])
def test_from_the_tower_back_to_the_seats(open_window, laid: int) -> None:
    """Somebody comes late: the seats are as they were, and so is the tower after them."""
    _house, s = opened(open_window)
    s.press("New game")
    s.press("This is us")
    s.root.draft.laid = laid
    s.root.screen.update(None, None)
    s.settle()
    tower, seats = s.root.draft.tower, list(s.root.draft.seats)
    s.press("Seats")
    assert s.screen == "seats"
    assert list(s.root.draft.seats) == seats
    s.press("This is us")
    assert s.screen == "tower"
    assert (s.root.draft.tower, s.root.draft.laid) == (tower, laid)


def test_the_judge_speaks_of_no_game_where_there_is_none(open_window) -> None:
    house, s = opened(open_window)
    s.root.open("judge")
    s.settle()
    assert "waits" not in s.root.screen.head.sub
    house.load(positions.turn(), positions.NAMES)
    s.settle()
    s.root.open("judge")
    s.settle()
    assert "waits" in s.root.screen.head.sub


@pytest.mark.parametrize("doors", [
    (("entry", {"rule": "R13"}),), (("judge", {}), ("judge_may", {})), (("history", {}),),
    (("settings", {"page": "theme"}),),
    (("rulebook", {}), ("entry", {"rule": "R35"})), (("settings", {}), ("house_rules", {"switch": "rope_down"})),
    (("put_right", {}),), (("seat", {"seat": "red"}),),
], ids=lambda doors: " ".join(name for name, _given in doors))  # fmt: skip
def test_the_menu_leads_back_to_the_table_from_every_door(open_window, doors) -> None:
    """"Close" stands beside it and leaves the door open."""
    house = House()
    s = open_window(house)
    house.load(positions.turn(), positions.NAMES)
    s.settle()
    for name, given in doors:
        s.root.open(name, **given)
        s.settle()
    for text, screen in (("Close", doors[-1][0]), ("Back to the table", "turn")):
        s.root.open_menu()
        s.settle()
        s.press(text)
        assert s.root.sheet is None
        assert s.screen == screen
    assert not s.root.flow.doors
