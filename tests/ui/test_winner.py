"""Reveal, end of a round, winner: reasons, what hands have to do, and why not me."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PIL import Image

from companion import pictures
from companion.games.sir_holland import desk
from companion.games.sir_holland.highlights import highlights
from companion.games.sir_holland.state import End, HouseRules, Lock, Rest
from companion.table.ports import Change, Leave, Play, Reveal, SayAgain, TakeBack
from companion.table.story import acts, tell
from companion.ui import motion, words
from companion.ui.agree import AgreeSheet
from companion.ui.boards.sir_holland import winner
from companion.ui.boards.sir_holland.occasion import Occasion
from companion.ui.boards.sir_holland.winner import DecisionStep, GameLine, Standing
from companion.ui.screens.reveal import Reason
from companion.ui.screens.round_end import LastRound, Task
from companion.ui.theme import c
from companion.ui.widgets import BigButton
from tests import screens
from tests.ui import positions
from tests.ui.engine import House


def _of(s, kind: type) -> list:
    """Those widgets from top to bottom."""
    return sorted(s.all(lambda w: isinstance(w, kind)), key=lambda w: -w.y)


def _revealed(open_window, **cards: int):
    house = House()
    s = open_window(house)
    house.load(positions.choosing(), positions.NAMES)
    for seat, card in cards.items():
        house.send(Play(Lock(seat, card)))
    house.send(Reveal())
    s.settle()
    return house, s


# --- reveal -------------------------------------------------------------------------------------------------------


def test_every_place_has_its_reason(open_window) -> None:
    _house, s = _revealed(open_window, red=3, blue=2, green=1, yellow=7)
    (reason,) = _of(s, Reason)
    assert reason.text.splitlines() == [
        "Clara goes first: 1 is the lowest number.",
        "Bruno comes after Clara: 2 is higher than 1.",
        "Ana comes after Bruno: 3 is higher than 2.",
        "Davi comes after Ana: 7 is higher than 3.",
    ]


def test_two_ties_have_two_reasons_and_two_brackets(open_window) -> None:
    _house, s = _revealed(open_window, red=3, blue=3, green=6, yellow=6)
    motion.finish()
    s.settle()
    assert [r.head for r in _of(s, Reason)] == ["Ana and Bruno played 3.", "Clara and Davi played 6."]
    assert [r.rule for r in _of(s, Reason)] == ["R24", "R23"]
    assert len(s.root.screen.ids_.brackets.spans) == 2


def test_a_reason_leads_to_its_rule(open_window) -> None:
    _house, s = _revealed(open_window, red=2, blue=2, green=1, yellow=6)
    motion.finish()
    s.tap(_of(s, Reason)[0])
    assert (s.screen, s.root.screen.given["rule"]) == ("entry", "R24")
    s.root.back()
    s.settle()
    assert s.screen == "reveal"
    assert len(_of(s, Reason)) == 2


def test_the_cards_turn_first_and_only_then_stands_who_goes_first(open_window) -> None:
    _house, s = _revealed(open_window, red=2, blue=2, green=1, yellow=6)
    screen = s.root.screen
    assert screen.head.sentence == "The cards turn." and not screen.head.seat
    # in the order of seats: the order of play is not given away
    assert [(card.seat, card.ids.card.back) for card in screen.show.cards] == [
        ("red", True), ("blue", True), ("green", True), ("yellow", True)]  # fmt: skip
    assert not screen.body.parent
    for turned in range(4):
        screen.moment._motion.finish()
        assert [card.ids.card.back for card in screen.show.cards] == [i > turned for i in range(4)]
        assert screen.head.sentence == "The cards turn."
    motion.finish()
    assert screen.head.sentence == "Clara goes first." and screen.head.seat == "green"
    assert screen.body.parent and not screen.show.parent
    s.settle()
    assert len(screen.ids_.brackets.spans) == 1


def test_a_tie_is_counted_from_the_gryphon_to_the_left(open_window) -> None:
    _house, s = _revealed(open_window, red=2, blue=2, green=1, yellow=6)
    screen = s.root.screen
    assert s.root.now.view["gryphon"] == "green"
    for _ in range(5):
        # four cards, and a while to look at them
        screen.moment._motion.finish()
    assert screen.head.sentence == "Ana and Bruno played 2."
    assert screen.head.sub == "From the gryphon we count to the left: Clara, Davi and Ana."
    ring, at = screen.show.ring, []
    while ring.parent:
        at.append(ring.counter)
        screen.moment._motion.finish()
        if screen.moment is None:
            break
    seats = s.root.now.view["seats"]
    assert [seats[round(n) % 4] for n in at] == ["green", "yellow", "red"]
    assert screen.head.sentence == "Clara goes first."


def test_who_holds_the_gryphon_needs_no_count(open_window) -> None:
    _house, s = _revealed(open_window, red=3, blue=3, green=6, yellow=6)
    screen = s.root.screen
    while screen.head.sentence != "Clara and Davi played 6.":
        screen.moment._motion.finish()
    assert screen.head.sub == "Clara holds the gryphon and goes first."
    screen.moment._motion.finish()
    assert screen.moment is None


def test_a_touch_goes_to_the_end_of_it_and_does_nothing_else(open_window) -> None:
    house, s = _revealed(open_window, red=2, blue=2, green=1, yellow=6)
    screen = s.root.screen
    house.sent.clear()
    # there will be the button of the first turn
    s.touch(s.root.width * 0.85, s.root.height * 0.1)
    assert s.screen == "reveal" and not house.sent and not motion.moving()
    assert screen.head.sentence == "Clara goes first." and screen.body.parent
    s.touch(s.root.width * 0.85, s.root.height * 0.1)
    assert s.screen == "turn"


def test_the_menu_is_out_of_reach_while_the_cards_turn(open_window) -> None:
    _house, s = _revealed(open_window, red=2, blue=2, green=1, yellow=6)
    s.tap(s.root.screen.head.ids.menu)
    assert s.root.sheet is None
    s.tap(s.root.screen.head.ids.menu)
    assert s.root.sheet is not None


def test_the_moment_ends_with_its_screen(open_window) -> None:
    house, s = _revealed(open_window, red=2, blue=2, green=1, yellow=6)
    house.send(Change({"theme": "light"}))
    s.settle()
    assert not motion.moving()
    assert s.root.screen.head.sentence == "Clara goes first." and s.root.screen.body.parent


def test_with_less_motion_the_order_is_there_at_once(open_window) -> None:
    house = House()
    house.settings["still"] = True
    s = open_window(house)
    house.open()
    house.load(positions.choosing(), positions.NAMES)
    for seat, card in (("red", 2), ("blue", 2), ("green", 1), ("yellow", 6)):
        house.send(Play(Lock(seat, card)))
    house.send(Reveal())
    s.settle(1)
    assert s.root.screen.body.parent and s.root.screen.head.sentence == "Clara goes first."
    assert not motion.moving()


def test_it_is_said_again(open_window) -> None:
    house, s = _revealed(open_window, red=2, blue=2, green=1, yellow=6)
    motion.finish()
    s.tap(next(b for b in s.buttons() if b.icon == "mark_sound"))
    assert house.sent[-1] == SayAgain()


def test_taking_the_reveal_back_is_everyones_matter(open_window) -> None:
    house, s = _revealed(open_window, red=2, blue=2, green=1, yellow=6)
    motion.finish()
    s.tap(next(b for b in s.buttons() if b.icon == "mark_undo"))
    sheet = s.root.sheet
    assert isinstance(sheet, AgreeSheet)
    assert any("Clara goes first" in text for text in s.texts())
    for mark in sheet.marks.values():
        s.tap(mark)
    s.run_down()
    assert isinstance(house.sent[-1], TakeBack)
    assert s.screen == "choose"
    assert s.root.now.view["locked"] == []


# --- the end of a round -------------------------------------------------------------------------------------------


def _ended(open_window, **changes):
    house = House()
    s = open_window(house)
    house.load(positions.last_turn(**changes), positions.NAMES)
    s.settle()
    house.send(Play(Rest("yellow")))
    s.settle()
    return house, s


def test_only_what_hands_must_do(open_window) -> None:
    _house, s = _ended(open_window)
    assert [t.text for t in _of(s, Task)] == [
        "Stand up again: Green 1.", "Davi has all cards back.", "Lay the played cards aside.",
        "The gryphon stands beside Davi.",
    ]  # fmt: skip
    assert _of(s, Task)[1].sub == "The character card lies face down."
    assert not _of(s, LastRound)
    assert s.root.screen.head.sentence == "Round 4 is over."
    s.press("Done, next round")
    assert s.screen == "choose"


def test_the_last_round_is_announced_across_the_screen(open_window) -> None:
    _house, s = _ended(open_window, rests={"red": 2, "blue": 2, "green": 2, "yellow": 1})
    (warning,) = _of(s, LastRound)
    assert warning.width > s.root.width * 0.95
    assert warning.text == "All have rested twice: round 5 is the last."


def test_what_hands_must_do_is_still_there_after_a_door(open_window) -> None:
    _house, s = _ended(open_window)
    s.press("Put it right")
    assert s.screen == "put_right"
    s.press("Leave it as it was")
    assert s.screen == "round_end"
    assert len(_of(s, Task)) == 4


def test_the_last_seat_takes_its_end_of_turn_back(open_window) -> None:
    house, s = _ended(open_window)
    s.press("Take back")
    assert not isinstance(s.root.sheet, AgreeSheet)
    s.press("Leave it")
    assert s.screen == "round_end"
    s.press("Take back")
    s.tap(next(b for b in s.buttons() if b.lit))
    assert house.sent[-1] == TakeBack("yellow", False, house.sent[-1].seen)
    assert s.screen == "turn"


# --- the winner ---------------------------------------------------------------------------------------------------


@pytest.fixture
def won(open_window):
    house = House()
    s = open_window(house)
    screens._winner_rested(s)
    s.settle()
    motion.finish()
    return house, s


def _steps(s) -> list[str]:
    return [step.text for step in _of(s, DecisionStep)]


def test_everyone_stands_in_the_table(won) -> None:
    _house, s = won
    rows = _of(s, Standing)
    # the winner first
    assert [(row.seat, row.places, row.rests, row.taken) for row in rows] == [
        ("blue", ["Terrace", "Level 3"], 2, True), ("red", ["Terrace", "Level 3"], 2, False),
        ("green", ["Terrace", "Level 2"], 2, False), ("yellow", ["Level 4", "Level 1"], 2, False),
    ]  # fmt: skip
    s.tap(rows[2])
    assert _steps(s)[-1] == "Highest hero: Bruno on level 3, Clara on level 2."
    s.press("Everyone")
    s.tap(_of(s, Standing)[0])
    assert _steps(s) == [words.say(m) for m in s.root.now.decision]


def test_three_sentences_tell_of_the_game(open_window) -> None:
    house = House()
    s = open_window(house)
    screens.play_to_the_end(house)
    s.settle()
    motion.finish()
    story = tell(house.store.record(s.root.now.number))
    wanted = highlights([(before, scene.events) for before, scene in acts(story.scenes)], story.scenes[-1].view)
    assert len(wanted) == 3
    s.press("The game")
    lines = [told.text for told in _of(s, GameLine)]
    assert lines[:-1] == [words.say(m) for m in wanted]
    # this was their first game
    names, winner = s.root.now.names, s.root.now.view["result"]["winner"]
    assert lines[-1] == " · ".join(f"{names[winner]} against {names[seat]} 1:0" for seat in names if seat != winner)
    # the page is found again after a door
    s.tap(next(b for b in s.buttons() if b.icon == "mark_history"))
    s.root.back()
    s.settle()
    assert [told.text for told in _of(s, GameLine)] == lines


def test_wins_are_told_under_names_that_can_be_drawn(won) -> None:
    _house, s = won
    names = {"red": "\u05e9\u05dc\u05d5\u05dd", "blue": "\u0639\u0644\u064a"}
    words.speak(names=names)
    now = replace(s.root.now, names=names)
    told = winner._wins(now, {(names["blue"], names["red"]): 2})
    assert told == "Blue against Red 2:0"


def test_where_nothing_is_to_be_told_there_is_no_page_for_it(won) -> None:
    _house, s = won
    s.root.screen.sentences, s.root.screen.wins = (), ""
    s.press("Why")
    assert "The game" not in [b.text for b in s.buttons() if isinstance(b, BigButton)]


def test_the_decision_step_by_step(won) -> None:
    _house, s = won
    s.press("Why")
    assert _steps(s) == [words.say(m) for m in s.root.now.decision]
    assert [step.taken for step in _of(s, DecisionStep)] == [False, False, True]


def test_every_other_seat_hears_why_not(won) -> None:
    _house, s = won
    s.press("Why")
    view = s.root.now.view
    result = view["result"]
    assert list(s.root.screen.whys) == ["red", "green", "yellow"]
    for seat in ("red", "green", "yellow"):
        s.tap(s.root.screen.whys[seat])
        told = desk.why_not(
            seat, view["seats"], view["gryphon"], result["ended_by"], result["saved"], result["levels"],
            HouseRules(**view["rules"]), view["out"],
        )  # fmt: skip
        assert _steps(s) == [words.say(t.message) for t in told]
    assert _steps(s) == ["Saved heroes: Bruno has 1, Davi has 0."]
    s.tap(s.root.screen.whys["green"])
    assert _steps(s)[-1] == "Highest hero: Bruno on level 3, Clara on level 2."
    s.press("Back")
    assert len(_steps(s)) == 3


def test_a_step_leads_to_its_rule(won) -> None:
    _house, s = won
    s.press("Why")
    s.tap(_of(s, DecisionStep)[1])
    assert (s.screen, s.root.screen.given["rule"]) == ("entry", "R77")


def test_play_again_and_history(won) -> None:
    house, s = won
    s.tap(next(b for b in s.buttons() if b.icon == "mark_history"))
    assert (s.screen, s.root.screen.given["number"]) == ("replay", s.root.now.number)
    s.root.back()
    s.settle()
    assert s.screen == "winner"
    s.press("Play again")
    assert Leave() in house.sent[-2:]
    # the same people in the same places: only the tower is still to be laid
    assert s.screen == "tower"
    assert s.root.draft.seats == list(positions.NAMES)
    assert [s.root.draft.names[seat] for seat in s.root.draft.seats] == list(positions.NAMES.values())


def test_an_ended_game_can_be_taken_back(won) -> None:
    _house, s = won
    s.tap(next(b for b in s.buttons() if b.icon == "mark_undo"))
    s.tap(next(b for b in s.buttons() if b.lit))
    assert s.screen == "turn"
    assert any(isinstance(choice, End) for choice in s.root.now.choices)


# --- a picture to keep --------------------------------------------------------------------------------------------


def test_a_picture_is_kept_and_told_of_in_a_childs_words(open_window) -> None:
    house = House()
    s = open_window(house)
    screens.play_to_the_end(house)
    s.settle()
    motion.finish()
    s.press("Keep a picture")
    s.wait(lambda: s.root.sheet is not None)
    (path,) = house.pictures.iterdir()
    assert path.name.endswith(f" game {s.root.now.number}.png")
    with Image.open(path) as picture:
        assert (picture.size, picture.mode) == ((1200, 800), "RGB")
        # the winner's colour along the upper edge, the sky below, and something in it
        winner = s.root.now.view["result"]["winner"]
        for place, token in (((600, 2), winner), ((3, 400), "night")):
            assert picture.getpixel(place) == tuple(round(255 * part) for part in c(token)[:3])
        assert len(picture.getcolors(1 << 20)) > 200
    assert "The picture is kept" in s.texts()
    assert not [text for text in s.texts() if str(path.parent) in text or path.name in text]
    s.press("Good")
    # the same picture once more is no second file
    s.press("Keep a picture")
    s.wait(lambda: s.root.sheet is not None)
    assert [*house.pictures.iterdir()] == [path]


def test_why_a_picture_cannot_be_kept_is_told(won) -> None:
    house, s = won
    house.pictures.write_text("a file where the folder should be")
    s.press("Keep a picture")
    s.wait(lambda: "picture" in s.root.statuses)
    s.settle()
    assert s.root.sheet is None
    assert any(text.startswith("The picture is not kept: ") for text in s.texts())
    house.pictures.unlink()
    s.press("Keep a picture")
    s.wait(lambda: s.root.sheet is not None)
    assert "picture" not in s.root.statuses


def test_another_picture_of_the_same_game_does_not_replace_the_first(tmp_path) -> None:
    first = pictures.write(tmp_path, 3, "2026-12-01", 1, 2, bytes(8))
    second = pictures.write(tmp_path, 3, "2026-12-01", 1, 2, b"\xff" * 8)
    assert (first.name, second.name) == ("2026-12-01 game 3.png", "2026-12-01 game 3 (2).png")
    assert pictures.write(tmp_path, 3, "2026-12-01", 1, 2, bytes(8)) == first
    with Image.open(second) as picture:
        assert picture.getpixel((0, 1)) == (255, 255, 255)
    with pytest.raises(ValueError, match="7 bytes are no picture of 1 x 2"):
        pictures.png(1, 2, bytes(7))


# --- moments ------------------------------------------------------------------------------------------------------


def _heading(s) -> str:
    """What the moment says that covers the screen; nothing where none does."""
    found = [w for w in s.root.screen.children if isinstance(w, Occasion)]
    return found[0].heading if found else ""


def _played(open_window, scene, **settings):
    house = House()
    for name, value in settings.items():
        house.settings[name] = value
    s = open_window(house)
    if settings:
        house.open()
    scene(s)
    return house, s


@pytest.mark.parametrize(
    ("scene", "waits", "said", "screen"),
    [
        (screens._saved(False), True, "Red 1 is saved!", "turn"),
        (screens._round_end, False, "The last round", "round_end"),
        (screens._winner, False, "Ana wins!", "winner"),
    ],
)
def test_what_is_worth_a_moment_is_watched(open_window, scene, waits: bool, said: str, screen: str) -> None:
    _house, s = _played(open_window, scene)
    moment = s.root.watched
    if waits:
        # the figure goes first, where everybody sees it
        assert _heading(s) == ""
        moment._motion.finish()
    assert _heading(s) == said
    assert moment._motion.seconds <= 0.6
    sent = len(_house.sent)
    # a touch goes to its end and does nothing else
    s.touch(s.root.width * 0.8, s.root.height * 0.1)
    assert _heading(s) == "" and not motion.moving() and not moment.runs
    assert s.screen == screen and s.root.screen.column.parent is s.root.screen and len(_house.sent) == sent


def test_with_less_motion_no_moment_covers_the_screen(open_window) -> None:
    _house, s = _played(open_window, screens._round_end, still=True)
    assert s.root.watched is None and _heading(s) == ""
    assert _of(s, LastRound)


def test_what_happens_next_ends_a_moment(open_window) -> None:
    house, s = _played(open_window, screens._round_end)
    assert _heading(s) == "The last round"
    house.send(Play(Lock("red", 1)))
    s.settle()
    assert s.screen == "choose" and _heading(s) == "" and not motion.moving()


def test_a_setting_ends_a_moment(open_window) -> None:
    house, s = _played(open_window, screens._winner)
    assert _heading(s) == "Ana wins!"
    house.send(Change({"theme": "light"}))
    s.settle()
    assert _heading(s) == "" and not motion.moving()
    assert s.root.screen.head.sentence == "Ana wins!"
