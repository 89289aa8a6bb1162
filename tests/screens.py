# ruff: noqa: E402  the environment comes before Kivy
"""Pictures of all screens: `python -m tests.screens [name ...]`, into the folder SCREENS_DIR (build/screens)."""

from __future__ import annotations

import os
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

os.environ.setdefault("KIVY_HOME", tempfile.mkdtemp(prefix="gryphon-screens-"))
os.environ["SDL_VIDEODRIVER"] = "offscreen"

from companion.ui.app import prepare

# before anything else imports Kivy, whose notes would fill the terminal
prepare()

from companion.adapters import salvage
from companion.adapters.salvage import Found
from companion.adapters.sqlite import open_store
from companion.games import find_game
from companion.games.base import msg
from companion.games.sir_holland.state import End, Lock, Rest
from companion.table.ports import Branch, Change, Hand, Play, Reveal, Status
from companion.ui import motion, words
from companion.ui.theme import u
from hardware import signals
from tests import doors_scenes, history_scenes, judge_scenes
from tests.ui import positions
from tests.ui.engine import House
from tests.ui.window import Screenful

SIZES = {"800x480": (("en", "pt"), (800, 480)), "1280x800": (("en",), (1280, 800)), "720x1280": (("en",), (720, 1280))}
Scene = Callable[[Screenful], None]


def _start(s: Screenful) -> None:
    s.house.open()


def _start_saved(s: Screenful) -> None:
    s.house.begin(list(positions.NAMES), positions.NAMES)
    s.house.send(Play(Lock("red", 2)))
    s.root.now = None
    s.root.flow.go("start")
    s.house.open()


LOST = Found(27, 13, 41, [salvage.LOST_GAMES, salvage.game_ends(12)], [salvage.LOST_CARDS, salvage.LOST_SETTINGS])
"""The longest that can be said of a damaged file."""


def _start_lost(*kinds: str) -> Scene:
    """The file of games was damaged, or another version's, when the program started: the store itself says so."""

    def scene(s: Screenful) -> None:
        if "saved" in kinds:
            s.house.begin(list(positions.NAMES), positions.NAMES)
            s.root.now = None
            s.root.flow.go("start")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "gryphon.sqlite3"
            store, _ = open_store(path)
            store.close()
            if "newer" in kinds:
                with closing(sqlite3.connect(path)) as db:
                    db.execute("PRAGMA user_version = 99")
            else:
                path.write_bytes(b"junk" * 5000)
            _, told = open_store(path)
        if "most" in kinds:
            told = (LOST.message(path.name + ".damaged-1"),)
        s.house.engine._lost += told
        s.house.open()

    return scene


def _seats(s: Screenful) -> None:
    s.house.settings["last_names"] = dict(positions.NAMES)
    s.house.open()
    s.settle()
    s.press("New game")


def _seat_edit(s: Screenful) -> None:
    _seats(s)
    s.tap(s.button("Bruno"))


def _keyboard(s: Screenful) -> None:
    _seat_edit(s)
    s.press("Type a name")


def _tower(laid: int) -> Scene:
    def scene(s: Screenful) -> None:
        _seats(s)
        s.settle()
        s.press("This is us")
        s.root.draft.tower = tuple(positions.ROWS)
        s.root.draft.laid = laid
        s.root.screen.update(None, None)

    return scene


def _copy(wrong: bool) -> Scene:
    def scene(s: Screenful) -> None:
        _tower(0)(s)
        s.settle()
        s.press("We built our own")
        if wrong:
            s.root.draft.tower = ("RWPWW", "WWPRW", "WSPWH", "RSPWW", "RDPDR")
            s.root.screen.place = None
            s.root.screen.update(None, None)

    return scene


def _load(state: dict) -> Scene:
    return lambda s: s.house.load(state, positions.NAMES)


def _choose(s: Screenful) -> None:
    s.house.load(positions.choosing(), positions.NAMES)
    s.house.send(Play(Lock("red", 2)))
    s.house.send(Play(Lock("green", 1)))


def _free(s: Screenful) -> None:
    _choose(s)
    s.house.send(Hand("blue", ""))


def _held(s: Screenful) -> None:
    _choose(s)
    s.house.send(Play(Lock("blue", 2)))
    s.house.send(Play(Lock("yellow", 6)))


def _cover(s: Screenful) -> None:
    _choose(s)
    s.settle()
    s.tap(s.root.screen.panels["blue"].ids.act)


def _hand(s: Screenful) -> None:
    _cover(s)
    s.open_cover()


def _hand_shown(s: Screenful) -> None:
    _choose(s)
    s.settle()
    s.tap(s.root.screen.panels["green"].ids.hand)


def _hand_picked(s: Screenful) -> None:
    _hand(s)
    s.tap(s.root.sheet.cards[1])


def _cover_shut(s: Screenful) -> None:
    _hand(s)
    s.root.sheet._shut()


def _cover_next(s: Screenful) -> None:
    _hand_picked(s)
    s.tap(s.root.sheet.lock)


def _see_tower(s: Screenful) -> None:
    _choose(s)
    s.settle()
    s.root.open_menu()
    s.settle()
    s.press("See the tower")


def _gryphon(s: Screenful) -> None:
    _seats(s)
    s.settle()
    s.press("The gryphon")


def _reveal(s: Screenful) -> None:
    _held(s)
    s.settle()
    s.press("Reveal")


def _reveal_two_ties(s: Screenful) -> None:
    s.house.load(positions.choosing(), positions.NAMES)
    for seat, card in (("red", 3), ("blue", 3), ("green", 6), ("yellow", 6)):
        s.house.send(Play(Lock(seat, card)))
    s.settle()
    s.press("Reveal")


def _reveal_no_tie(s: Screenful) -> None:
    s.house.load(positions.choosing(), positions.NAMES)
    for seat, card in (("red", 3), ("blue", 2), ("green", 1), ("yellow", 7)):
        s.house.send(Play(Lock(seat, card)))
    s.settle()
    s.press("Reveal")


def _watched(scene: Scene, steps: int) -> Scene:
    """The moment after so many of its steps."""

    def made(s: Screenful) -> None:
        scene(s)
        moment = getattr(s.root.screen, "moment", None) or s.root.watched
        for _ in range(steps):
            moment._motion.finish()
        moment.stop()

    return made


def _over(scene: Scene) -> Scene:
    """When all that moves has come to its end."""

    def made(s: Screenful) -> None:
        scene(s)
        motion.finish()

    return made


def _two(scene: Scene) -> Scene:
    def made(s: Screenful) -> None:
        s.house.begin(("yellow", "green"), {"yellow": "Maria Clara", "green": "Vó Cida"}, gryphon="green")
        scene(s)

    return made


def _two_choose(s: Screenful) -> None:
    s.house.send(Play(Lock("green", 4)))


def _two_reveal(s: Screenful) -> None:
    s.house.send(Play(Lock("green", 4)))
    s.house.send(Play(Lock("yellow", 4)))
    s.settle()
    s.press("Reveal")


def _turn(state: dict, *squares: str) -> Scene:
    def scene(s: Screenful) -> None:
        s.house.load(state, positions.NAMES)
        s.settle()
        for square in squares:
            s.square(square)

    return scene


def _warned(s: Screenful) -> None:
    _turn(positions.turn())(s)
    s.tap(s.root.screen.card.end)


def _handed(s: Screenful) -> None:
    """Red is done, and blue is to move."""
    _turn(positions.turn(2, 1, 0), "b4")(s)
    s.run_down()


def _first_turn(s: Screenful) -> None:
    """Straight from the reveal: the strip gives the reason."""
    _over(_reveal_no_tie)(s)
    s.tap(s.root.screen.ids_.go)


def _rule(s: Screenful) -> None:
    _turn(positions.turn(), "a2", "c2")(s)
    s.press("Read the rule")


def _knock_off(*buttons: str) -> Scene:
    """The knight comes to d3 and knocks Blue 1 off."""

    def scene(s: Screenful) -> None:
        _turn(positions.turn(4, 1, 3), "d4", "d3")(s)
        for text in buttons:
            s.press(text)

    return scene


def _undo(s: Screenful) -> None:
    _turn(positions.turn(), "a2", "b4")(s)
    s.press("Take back")


def _undo_all(s: Screenful) -> None:
    _turn(positions.turn())(s)
    s.tap(s.root.screen.card.end)
    for text in ("End my turn all the same", "Take back"):
        s.press(text)


def _what_if(s: Screenful) -> None:
    s.house.begin(("red", "blue"), {"red": "Ana", "blue": "Bruno"}, gryphon="red")
    for lock in (Lock("red", 2), Lock("blue", 4)):
        s.house.send(Play(lock))
    s.house.send(Reveal())
    s.house.send(Branch(s.house.table.number, s.house.table.snapshot().seq))
    s.settle()
    s.square("b1")


def _stands(s: Screenful) -> None:
    s.house.load(positions.turn(), positions.NAMES)
    s.house.send(Change({"mode": "silent"}))
    s.settle()
    s.square("a2")
    s.square("c2")


def _two_ways(s: Screenful) -> None:
    _turn(positions.turn(tower=["RWPWW", "WWPRW", "WSPRH", "RSPWW", "RDPDR"]), "a2", "b3")(s)


def _saved(second: bool) -> Scene:
    """Red 1 goes out of the tower; red's other hero is out already, or not."""

    def scene(s: Screenful) -> None:
        state = positions.turn(5, 1, 1)
        state["figures"] |= {"red.1": "a5", "red.2": "roof" if second else "d1"}
        _turn(state, "a5", "roof")(s)
        s.press("On foot")

    return scene


def _insist(s: Screenful) -> None:
    _turn(positions.turn(), "a2", "c2")(s)
    s.press("We all want it anyway")
    for seat in ("red", "blue"):
        s.tap(s.root.sheet.marks[seat])


def _taken_back(s: Screenful) -> None:
    _undo(s)
    s.press("Yes, undo it")


def _explode(s: Screenful) -> None:
    _turn(positions.turn(3, 2, 1))(s)
    s.press("Blow up a card")


def _exploded(ticks: int) -> Scene:
    def scene(s: Screenful) -> None:
        _explode(s)
        s.square("d2")
        for _tick in range(ticks):
            s.press("Done, next")

    return scene


def _round_end(s: Screenful) -> None:
    s.house.load(positions.last_turn(rests={"red": 2, "blue": 2, "green": 2, "yellow": 1}), positions.NAMES)
    s.settle()
    s.press("Rest")


def _winner(s: Screenful) -> None:
    s.house.load(positions.winning(), positions.NAMES)
    s.settle()
    s.press("Rest")


def _winner_rested(s: Screenful) -> None:
    """Decided by the gryphon, at the third step."""
    rests = {"red": 2, "blue": 2, "green": 2, "yellow": 2}
    figures = {"red.1": "roof", "red.2": "c3", "blue.1": "roof", "blue.2": "a3", "green.1": "roof", "green.2": "e2",
               "yellow.1": "b4", "yellow.2": "b1", "wizard": "c2", "knight": "d4"}  # fmt: skip
    state = positions.last_turn(round=14, rests=rests, final=True, figures=figures, lying=[], gryphon="blue")
    state["cards"]["yellow"], state["turn"]["card"] = 6, 6
    state["hands"]["yellow"] = [1, 2, 3, 7]
    state["turn"] |= {"points": 1, "special": 2}
    s.house.load(state, positions.NAMES)
    s.settle()
    s.house.send(Play(End("yellow")))


def _why(s: Screenful) -> None:
    _winner_rested(s)
    s.settle()
    s.press("Why")


def play_to_the_end(house: House, seed: int = 4) -> None:
    """A whole game by chance; the screen hears of its last act only."""
    house.begin(list(positions.NAMES), positions.NAMES)
    rng, table, game = Random(seed), house.table, find_game("sir-holland")
    assert table is not None and game is not None
    while True:
        state = table.state_at(table.snapshot().seq)
        choices = [c for c in table.snapshot().choices if c.do != "unlock"]
        choice = rng.choice([c for c in choices if c.do != "end"] or choices)
        if state.phase == "choose":
            table.request(Play(choice))
            table.request(Reveal())
        elif any(event.what == "game_over" for event in game.decide(state, choice)):
            house.send(Play(choice))
            return
        else:
            table.request(Play(choice))


def _winner_game(s: Screenful) -> None:
    play_to_the_end(s.house)
    s.settle()
    s.press("The game")


def _winner_kept(s: Screenful) -> None:
    _winner(s)
    s.settle()
    s.press("Keep a picture")
    s.wait(lambda: s.root.sheet is not None)


def _why_not(s: Screenful) -> None:
    _winner_rested(s)
    s.settle()
    # the first touch would only end the moment
    motion.skip()
    s.tap(s.root.screen.rows["red"])


def _round_end_plain(s: Screenful) -> None:
    s.house.load(positions.last_turn(), positions.NAMES)
    s.settle()
    s.house.send(Play(Rest("yellow")))


def _put_right(tab: str) -> Scene:
    def scene(s: Screenful) -> None:
        s.house.load(positions.turn(), positions.NAMES)
        s.settle()
        s.press("Put it right")
        s.press(tab)

    return scene


def _put_right_picked(s: Screenful) -> None:
    _put_right("Figures")(s)
    s.square("a2")


def _put_right_faults(s: Screenful) -> None:
    _put_right("Tower")(s)
    for square in ("c5", "a4", "b1", "e3"):
        s.square(square)
    s.press("Figures")
    for square in ("a2", "d3"):
        s.square(square)


def _put_right_locked(s: Screenful) -> None:
    _choose(s)
    s.settle()
    s.press("Put it right")


def _menu(s: Screenful) -> None:
    _turn(positions.turn())(s)
    s.root.open_menu()


def _explained(scene: Scene, find: Callable[[Screenful], tuple[float, float]]) -> Scene:
    """A long touch there."""

    def shown(s: Screenful) -> None:
        scene(s)
        s.settle()
        s.root.long = 0.0
        s.long_touch(*find(s))

    return shown


def _square_of(name: str) -> Callable[[Screenful], tuple[float, float]]:
    def find(s: Screenful) -> tuple[float, float]:
        x, y, w, h = s.root.screen.tower.box_of(name)
        return x + w / 2, y + h / 2

    return find


def _menu_of_a_door(s: Screenful) -> None:
    """The menu over a rule that was looked up in the middle of a turn, and something lies on the glass."""
    _turn(positions.turn())(s)
    s.root.open("entry", rule="R35")
    s.settle()
    s.root.things = ((u(20), u(14)),)
    s.root.something_lies()
    s.settle()
    s.root.open_menu()


def _agree(s: Screenful) -> None:
    from companion.ui.agree import AgreeSheet

    _turn(positions.turn())(s)
    text = f"{words._('This will be undone:')} {words.say(msg('{seat:seat} ends the turn.', seat='red'))}"
    sheet = AgreeSheet(s.root, words._("Take this back?"), text, s.root.now.view["seats"], print)
    s.root.open_sheet(sheet)
    s.settle()
    s.tap(sheet.marks["red"])
    s.tap(sheet.marks["green"])


def _agreed(s: Screenful) -> None:
    _agree(s)
    for seat in ("blue", "yellow"):
        s.tap(s.root.sheet.marks[seat])


def _tag(s: Screenful) -> None:
    _turn(positions.turn())(s)
    text = msg("{seat:seat}, I do not know this card's sticker. Say on the screen which card it is.", seat="blue")
    s.house.say(Status("tag 04A1B2C3", "tag", text, {"uid": "04A1B2C3", "seat": "blue"}))


def _status(s: Screenful) -> None:
    _turn(positions.turn(), "a2")(s)
    quiet = "The reader of {seats:seats} went quiet. {why} Meanwhile, choose here."
    s.house.say(Status("reader", "device", msg(quiet, seats=["blue"], why=msg(signals.UNPLUGGED))))


def _child(press: str | None = None, *squares: str) -> Scene:
    """A turn of a child."""

    def scene(s: Screenful) -> None:
        s.house.send(Change({"kids": ["red"]}))
        _turn(positions.turn(), *squares)(s)
        if press:
            s.settle()
            s.press(press)

    return scene


SCENES: dict[str, Scene] = {
    "01_start": _start, "01_start_saved": _start_saved,
    "01_start_lost": _start_lost("damaged"), "01_start_lost_saved": _start_lost("damaged", "saved"),
    "01_start_lost_newer": _start_lost("newer"),
    "01_start_lost_most": _start_lost("most"), "01_start_lost_most_saved": _start_lost("most", "saved"),
    "02_seats": _seats, "02_seats_edit": _seat_edit, "02_seats_keyboard": _keyboard,
    "02_seats_gryphon": _gryphon,
    "03_tower_base": _tower(0), "03_tower_level_3": _tower(2), "03_tower_laid": _tower(5),
    "03_tower_copy": _copy(False), "03_tower_copy_faults": _copy(True),
    "04_choose": _choose, "04_choose_held": _held, "04_choose_two": _two(_two_choose), "04_choose_free": _free,
    "04_choose_hand": _hand_shown, "04_cover": _cover, "04_cover_hand": _hand, "04_cover_picked": _hand_picked,
    "04_cover_shut": _cover_shut, "04_cover_next": _cover_next, "04_choose_tower": _see_tower,
    "05_reveal_cards": _watched(_reveal, 1), "05_reveal_cards_two": _watched(_two(_two_reveal), 2),
    "05_reveal_count": _watched(_reveal, 6), "05_reveal_count_two": _watched(_two(_two_reveal), 3),
    "05_reveal_tie": _over(_reveal), "05_reveal_two_ties": _over(_reveal_two_ties),
    "05_reveal_no_tie": _over(_reveal_no_tie), "05_reveal_two": _over(_two(_two_reveal)),
    "06_turn": _turn(positions.turn()), "06_turn_picked": _turn(positions.turn(), "a2"),
    "06_turn_moved": _turn(positions.turn(), "a2", "b4"),
    "06_turn_hide": _turn(positions.turn(1, 1, 1)), "06_turn_climb": _turn(positions.turn(5, 1, 1), "a2"),
    "06_turn_capture": _turn(positions.turn(4, 1, 3), "c2"), "06_turn_portal": _turn(positions.turn(6, 1, 2)),
    "06_turn_rest": _turn(positions.last_turn()), "06_turn_crowd": _turn(positions.crowded()),
    "06_turn_crowd_large": _turn(positions.crowded(), "b1"), "06_turn_crowd_most": _turn(positions.packed(), "b1"),
    "06_turn_which": _turn(positions.pair(), "b1"), "06_turn_warned": _warned, "06_turn_explode": _explode,
    "06_turn_exploded": _exploded(0), "06_turn_exploded_2": _exploded(1), "06_turn_exploded_3": _exploded(2),
    "06_turn_falls": _knock_off(), "06_turn_fallen": _knock_off("Yes, do it"), "06_turn_two_ways": _two_ways,
    "06_turn_undo": _undo, "06_turn_undo_all": _undo_all, "06_turn_came": _turn(positions.turn(), "b2"),
    "06_turn_saved": _saved(False), "06_turn_out": _saved(True), "06_turn_insist": _insist,
    "06_turn_taken_back": _taken_back,
    "06_turn_what_if": _what_if, "06_turn_stands": _stands,
    "06_turn_special": _turn(positions.turn(3, 0, 1)), "06_turn_over": _turn(positions.turn(2, 0, 0)),
    "06_turn_handed": _handed, "06_turn_first": _first_turn,
    "06_turn_fall": _turn(positions.falling()), "06_turn_status": _status,
    "06_turn_child": _child(), "06_turn_child_goals": _child("What can I do?"),
    "06_turn_child_refused": _child(None, "a2", "c2"),
    "07_refusal": _turn(positions.turn(), "a2", "c2"), "07_refusal_rule": _rule,
    "07_refusal_far": _turn(positions.turn(), "a2", "e5"),
    "06_turn_rescue": _watched(_saved(False), 2), "08_round_last": _watched(_round_end, 1),
    "09_winner_moment": _watched(_winner, 1),
    "08_round_end": _round_end, "08_round_end_plain": _round_end_plain, "09_winner": _winner,
    "09_winner_rested": _winner_rested, "09_winner_why": _why, "09_winner_why_not": _why_not,
    "09_winner_game": _winner_game, "09_winner_kept": _winner_kept,
    "10_put_right": _put_right("Figures"), "10_put_right_picked": _put_right_picked,
    "10_put_right_tower": _put_right("Tower"), "10_put_right_hands": _put_right("Hands"),
    "10_put_right_gryphon": _put_right("Gryphon"), "10_put_right_turn": _put_right("Turn"),
    "10_put_right_faults": _put_right_faults, "10_put_right_locked": _put_right_locked,
    "06_turn_did_it_go": _turn(positions.turn(2, 0, 1), "b2"),
    "06_turn_explained": _explained(_turn(positions.turn()), _square_of("b2")),
    "06_turn_explained_hero": _explained(_turn(positions.turn()), _square_of("e3")),
    "06_turn_explained_line": _explained(_turn(positions.turn()), lambda s: tuple(s.root.screen.head.center)),
    "04_cover_explained": _explained(_hand, lambda s: tuple(s.root.sheet.cards[2].center)),
    "11_menu": _menu, "11_menu_door": _menu_of_a_door, "11_tag": _tag, "11_agree": _agree, "11_agreed": _agreed,
}  # fmt: skip


SCENES |= judge_scenes.SCENES
SCENES |= doors_scenes.SCENES
SCENES |= history_scenes.SCENES


def open_scene(
    name: str, lang: str, size: tuple[int, int], settings: Mapping[str, Any] = MappingProxyType({})
) -> Screenful:
    """A fresh program at that scene."""
    screenful = Screenful(House(), lang, size, settings)
    SCENES[name](screenful)
    screenful.settle(4)
    return screenful


def main(names: list[str]) -> int:
    folder = Path(os.environ.get("SCREENS_DIR", "build/screens"))
    count = 0
    for label, (languages, size) in SIZES.items():
        for lang in languages:
            place = folder / (label if lang == "en" else f"{label}_{lang}")
            place.mkdir(parents=True, exist_ok=True)
            for name in SCENES:
                if names and not any(name.startswith(n) for n in names):
                    continue
                screenful = open_scene(name, lang, size)
                screenful.picture(place / f"{name}.png")
                screenful.close()
                count += 1
    print(f"{count} pictures in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
