"""Start, seats, tower, putting right, menu, status lines: by real touches."""

from __future__ import annotations

from typing import Any

from companion.games.base import msg
from companion.games.sir_holland import setup
from companion.games.sir_holland.state import Lock
from companion.table.ports import Abandon, Begin, Bind, Change, Leave, Play, PutRight, Resume, Reveal, SayAgain, Status
from tests.ui import positions
from tests.ui.engine import House


def _opened(open_window, lang: str = "en", **kwargs: Any):
    house = House()
    s = open_window(house, lang, **kwargs)
    house.open()
    s.settle()
    return house, s


def _seats(open_window):
    house, s = _opened(open_window)
    s.press("New game")
    return house, s


def test_no_door_to_an_empty_room(open_window) -> None:
    _house, s = _opened(open_window)
    assert [b.text for b in s.buttons()] == ["New game", "English", "Português"]


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
    house, s = _opened(open_window)
    s.tap(s.button("Português"))
    assert house.sent[-1] == Change({"lang": "pt"})
    assert s.button("Novo jogo")
    s.tap(s.button("English"))
    assert s.button("New game")


def test_five_touches_to_a_game_with_names_kept(open_window) -> None:
    house, s = _seats(open_window)
    s.tap(next(b for b in s.buttons() if getattr(b, "text", "") == "+" and b.seat == "yellow"))
    s.tap(next(b for b in s.buttons() if getattr(b, "seat", "") == "blue"))
    s.press("Type a name")
    for letter in "BIA":
        s.tap(s.button(letter))
    s.press("That is the name")
    s.press("This is us")
    for level in range(1, 6):
        s.tap(s.button(f"Level {level} is laid"))
    s.press("Begin the game")
    begin = house.sent[-1]
    assert isinstance(begin, Begin)
    assert begin.seats == ("red", "blue", "yellow")
    assert begin.names == {"red": "Red", "blue": "Bia", "yellow": "Yellow"}
    assert setup.tower_faults(tuple(begin.options["tower"])) == []
    assert begin.options["rules"] == {}
    assert s.screen == "choose"
    assert s.root.screen.panels["blue"].who == "Bia"


def test_colours_and_gryphon(open_window) -> None:
    house, s = _seats(open_window)
    s.tap(next(b for b in s.buttons() if getattr(b, "seat", "") == "blue"))
    s.tap(next(b for b in s.buttons() if getattr(b, "seat", "") == "green"))
    s.press("Done")
    assert s.root.draft.seats == ["red", "green"]
    s.press("The gryphon")
    s.tap(next(b for b in s.buttons() if getattr(b, "seat", "") == "green"))
    assert s.root.draft.gryphon == "green"
    assert s.root.screen.ring.gryphon == "green"
    s.press("The gryphon")
    s.press("Draw it")
    assert s.root.draft.gryphon is None
    s.tap(next(b for b in s.buttons() if getattr(b, "seat", "") == "red"))
    assert not [b for b in s.buttons() if getattr(b, "text", "") == "Nobody here"]  # two have to stay
    assert not house.sent


def test_copying_the_tower_on_the_table(open_window) -> None:
    house, s = _seats(open_window)
    s.press("This is us")
    s.press("Copy ours")
    names = {"R": "Rope", "S": "Passage", "H": "Secret room", "W": "Wall"}
    for level in (2, 3, 4, 5):
        for column in "abde":
            letter = positions.ROWS[5 - level][ord(column) - 97]
            s.tap(s.button(names[letter]))
    assert s.root.draft.open_places() == []
    assert s.root.draft.faults() == []
    s.square("a5")
    s.press("Wall")
    assert s.root.draft.faults()
    assert "a5" in s.root.screen.tower.bad
    assert any("Level 5 has no rope" in text for text in s.texts())
    s.press("Undo")
    s.press("The tower stands")
    s.press("Begin the game")
    assert house.sent[-1].options["tower"] == positions.ROWS


def test_putting_figures_right(open_window) -> None:
    house = House()
    s = open_window(house)
    house.load(positions.turn(), positions.NAMES)
    s.settle()
    s.press("Put it right")
    s.square("a2")
    s.square("a3")
    s.press("This is right")
    assert not [r for r in house.sent if isinstance(r, PutRight)]
    s.press("Everyone agrees")
    assert house.sent[-1].changes == {"figures": {**positions.turn()["figures"], "red.1": "a3"}}
    assert s.screen == "turn"
    assert s.root.now.view["figures"]["red.1"] == "a3"


def test_faults_are_shown_before_anything_is_sent(open_window) -> None:
    house = House()
    s = open_window(house)
    house.load(positions.turn(), positions.NAMES)
    s.settle()
    s.press("Put it right")
    s.square("a2")
    s.square("d3")
    assert "stand together on d3" in s.root.screen.head.sub
    assert s.root.screen.body_ids.go.off
    s.press("Undo")
    s.press("Cards")
    s.square("a5")
    s.square("b5")
    assert s.root.screen.changes()["tower"][0] == "WRPWW"
    s.press("Hands")
    s.tap(next(w for w in s.walk() if getattr(w, "number", 0) == 4 and getattr(w, "seat", "") == "red"))
    assert 4 in s.root.screen.changes()["hands"]["red"]
    s.press("Rests")
    s.tap(next(b for b in s.buttons() if getattr(b, "text", "") == "+"))
    assert s.root.screen.changes()["rests"]["red"] == 1
    s.press("Leave it")
    assert s.screen == "turn"
    assert not [r for r in house.sent if isinstance(r, PutRight)]


def test_menu_leaves_only_after_a_second_touch(open_window) -> None:
    house = House()
    s = open_window(house)
    house.load(positions.turn(), positions.NAMES)
    s.settle()
    s.tap(s.root.screen.head.ids.menu)
    s.press("Say it again")
    assert house.sent[-1] == SayAgain()
    s.tap(s.root.screen.head.ids.menu)
    s.press("Stop for today")
    assert not isinstance(house.sent[-1], Leave)
    s.press("Really stop now?")
    assert house.sent[-1] == Leave()
    assert s.screen == "start"


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
    house.load(positions.choosing(), positions.NAMES)
    s.settle()
    house.say(Status("tag 04AB", "tag", msg("Round {n}.", n=7), {"uid": "04AB", "seat": "blue"}))
    s.settle()
    s.tap(next(b for b in s.buttons() if getattr(b, "text", "") == "5"))
    s.press("Keep it")
    assert house.sent[-1] == Bind("04AB", "blue", 5)
    assert s.root.sheet is None


def _tag(house: House, uid: str) -> None:
    house.say(Status(f"tag {uid}", "tag", msg("Round {n}.", n=7), {"uid": uid, "seat": "blue"}))


def test_a_new_tag_waits_for_the_cover_to_close(open_window) -> None:
    house = House()
    s = open_window(house)
    house.load(positions.choosing(), positions.NAMES)
    s.settle()
    s.tap(s.root.screen.panels["red"].ids.act)
    cover = s.root.sheet
    _tag(house, "04AB")
    _tag(house, "04CD")
    s.settle()
    assert s.root.sheet is cover
    s.press("Not now")
    s.settle()
    assert s.root.sheet is cover
    s.touch(400, 240)
    assert s.root.sheet.tag == "04AB"
    s.press("Not now")
    assert s.root.sheet.tag == "04CD"
    house.say(Status("tag 04CD", "tag", None))
    s.press("Not now")
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
    s.tap(s.root.screen.ids_.go)
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


def test_say_again_and_the_voice_are_two_touches_away(open_window) -> None:
    for state, screen in ((positions.turn(), "turn"), (None, "reveal")):
        house = House()
        s = open_window(house)
        house.load(state or positions.choosing(), positions.NAMES)
        if state is None:
            for seat, card in (("red", 2), ("blue", 3), ("green", 4), ("yellow", 6)):
                house.send(Play(Lock(seat, card)))
            house.send(Reveal())
        s.settle()
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
