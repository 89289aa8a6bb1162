"""Setting up: whose device it is, which sticker it is. The real engine on a real store; nothing of it plays."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.adapters.sqlite import Store, open_store
from companion.border import Border, device_row
from companion.engine import Engine
from companion.games.sir_holland.state import CARDS, COLOURS, Lock
from companion.table.places import Answer, Places, steps
from companion.table.ports import (
    Assign,
    Begin,
    Bind,
    CardBox,
    Change,
    Forget,
    ListCards,
    Listen,
    Play,
    Show,
    Status,
    Touched,
)
from companion.table.teaching import Teaching
from companion.wording import Wording
from hardware import signals

WORDS = Wording("en")
ALL = [(owner, number) for owner in COLOURS for number in CARDS]
UID = {card: f"04{at:02X}B2000000" for at, card in enumerate(ALL)}


class Devices:
    def __init__(self) -> None:
        self.shown: list[tuple[str, str]] = []
        self.played: list[tuple[str, str]] = []

    def light(self, place: str, pattern: str) -> None:
        self.shown.append((place, pattern))

    def sound(self, place: str, name: str) -> None:
        self.played.append((place, name))


class House:
    """Engine, store and border without a thread; two boards' worth of readers and one panel on the Pi's pins."""

    def __init__(self, path: Path, bound: dict[str, str] | None = None) -> None:
        self.store, _ = open_store(path)
        self.clock = 0.0
        self.border = Border(bound)
        self.engine = Engine(self.store, self.border, [self], rng=Random(1), clock=lambda: self.clock)
        self.devices, self.pins = Devices(), Devices()
        self.border.attach(readers=self.devices, panels=self.pins)
        self.said: list[Any] = []
        self.engine._open()
        self.hear(signals.BoardReady("b", "0.1", 4, 0))

    def announce(self, what: Any) -> None:
        self.said.append(what)

    def hear(self, signal: signals.Signal) -> list[Any]:
        return self.answer(signal, signal=True)

    def answer(self, what: Any, signal: bool = False) -> list[Any]:
        """What is said to one item."""
        before = len(self.said)
        if signal:
            self.engine._signal(what, self.clock)
        else:
            self.engine.serve(what)
        return self.said[before:]

    def lay(self, reader: str, uid: str, foreign: bool = False) -> list[Any]:
        """Lay a tag, and leave it there until it counts."""
        return [*self.hear(signals.TagOn(reader, uid, foreign)), *self.wait(2.0)]

    def wait(self, seconds: float) -> list[Any]:
        """What is said while time passes."""
        before = len(self.said)
        self.clock += seconds
        self.engine.tick(self.clock)
        return self.said[before:]

    def begin(self) -> None:
        self.answer(Begin("sir-holland", ("red", "blue"), {}, {}))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path / "games")
    yield made
    made.store.close()


def touched(said: list[Any]) -> Touched:
    (only,) = [s for s in said if isinstance(s, Touched)]
    return only


# --- whose device it is -----------------------------------------------------------------------------------------------


def test_a_device_stays_with_its_seat_whatever_its_port(house: House, tmp_path: Path) -> None:
    """Kept on disk by the board's own id; after a restart, and on another port, it is still that seat's."""
    house.answer(Assign({"b/2": "blue"}))
    house.begin()
    assert house.border.seat_of("reader", "b/2") == "blue"
    assert house.border.seat_of("reader", "b/0") == "red"
    house.store.close()
    again = House(tmp_path / "games")
    again.hear(signals.LinkLost("b", "/dev/ttyACM0", signals.UNPLUGGED))
    again.hear(signals.LinkBack("b", "/dev/ttyUSB7"))
    again.begin()
    assert again.border.seat_of("reader", "b/2") == "blue"
    assert again.store.settings()["devices"] == {"b/2": "blue"}
    again.answer(Assign({"b/2": None}))
    assert again.store.settings()["devices"] == {}
    again.store.close()


def test_the_installers_word_counts_more(tmp_path: Path) -> None:
    house = House(tmp_path / "games", {"b/0": "red"})
    house.answer(Assign({"b/0": "blue"}))
    house.begin()
    assert house.border.seat_of("reader", "b/0") == "red"
    house.store.close()


def test_a_setting_that_is_no_place_is_refused(house: House) -> None:
    for wrong in ({"b/0": "pink"}, {"/dev/ttyACM0x": "red"}, ["b/0"]):
        (said,) = house.answer(Change({"devices": wrong}))
        assert said.key == "house" and said.message is not None


def test_listening_names_and_plays_nothing(house: House) -> None:
    """With a game open: no lock, no refusal, no knock; the table's snapshot is what it was."""
    house.answer(Bind(UID["red", 4], "red", 4))
    house.begin()
    before = house.engine._table.snapshot()
    house.answer(Listen("seats"))
    assert house.lay("b/0", UID["red", 4]) == [Touched("b/0", "reader", True, "red")]
    assert house.hear(signals.TagOff("b/0", UID["red", 4], False)) == [Touched("b/0", "reader", False, "red")]
    house.hear(signals.BoardReady("gpio", "", 0, 1))
    for _ in range(6):
        house.clock += 0.2
        assert touched(house.hear(signals.Press("gpio/0", 3))) == Touched("gpio/0", "panel", True, "red", 3)
        assert touched(house.hear(signals.Release("gpio/0", 3))).down is False
    assert house.engine._table.snapshot() == before
    house.answer(Listen())
    (outcome,) = [s for s in house.lay("b/0", UID["red", 4]) if hasattr(s, "now")]
    assert outcome.now.view["locked"] == ["red"]


def test_only_who_teaches_the_cards_learns_which_sticker_it_is(house: House) -> None:
    for what, uid in (("seats", ""), ("test", ""), ("cards", "04AA")):
        house.answer(Listen(what))
        assert touched(house.lay("b/0", "04AA")).uid == uid


def test_a_lock_that_is_held_waits_while_devices_are_set_up(house: House) -> None:
    house.begin()
    for seat in ("red", "blue"):
        house.answer(Play(Lock(seat, 4)))
    assert house.engine._due() == 3.0
    house.clock = 2.0
    house.answer(Listen("cards"))
    house.clock = 100.0
    assert house.engine._due() is None
    house.answer(Listen())
    assert house.engine._due() == 103.0


def test_a_card_that_was_laid_meanwhile_is_no_lock_and_is_asked_away(house: House) -> None:
    house.answer(Bind(UID["red", 4], "red", 4))
    house.begin()
    house.answer(Listen("test"))
    house.lay("b/0", UID["red", 4])
    (status,) = house.answer(Listen())
    assert WORDS(status.message) == "Red, take the card off your reader, then lay the one you choose."


def test_a_test_shows_what_lies_there_already(house: House) -> None:
    lying = signals.TagLying("b/0", "04AA", False)
    house.answer(Listen("test"))
    clicks = len(house.devices.played)
    assert touched(house.hear(lying)) == Touched("b/0", "reader", True, None)
    house.answer(Listen())
    assert touched(house.answer(Listen("test"))).down
    assert not touched(house.hear(signals.TagOff("b/0", "04AA", False))).down
    assert len(house.devices.played) == clicks


def test_lights_and_sounds_only_while_it_listens(house: House) -> None:
    house.begin()
    house.devices.shown.clear()
    house.answer(Show("b/0", "find"))
    assert house.devices.shown == []
    house.answer(Listen("test"))
    house.answer(Show("b/0", "find", "click"))
    assert (house.devices.shown, house.devices.played[-1]) == ([("b/0", "find")], ("b/0", "click"))
    house.devices.shown.clear()
    house.answer(Listen())
    assert house.devices.shown[-2:] == [("b/0", "waiting"), ("b/1", "waiting")]


def test_a_boards_own_panel_never_lights_a_lamp_on_the_pis_pins(house: House) -> None:
    """Both are called number 0."""
    house.hear(signals.BoardReady("b", "0.1", 1, 1))
    house.hear(signals.BoardReady("gpio", "", 0, 1))
    house.answer(Listen("test"))
    house.answer(Show("b/0", "find"))
    assert house.pins.shown == []
    house.answer(Show("gpio/0", "find"))
    assert house.pins.shown == [("gpio/0", "find")]


def test_a_stuck_button_is_well_again_with_its_release(house: House) -> None:
    house.hear(signals.BoardReady("gpio", "", 0, 1))
    (status, devices) = house.hear(signals.Stuck("gpio/0", 2))
    assert Wording("en")(status.message) == "Button 2 of a panel without a seat seems stuck. It does not count for now."
    assert devices.data["panels"][0]["state"] == "lost"
    (status, devices) = house.hear(signals.Release("gpio/0", 2))
    assert status == Status("stuck gpio/0 2", "device", None)
    assert devices.data["panels"][0]["state"] == "ok"


def test_a_deaf_reader_is_told_until_it_hears(house: House) -> None:
    status, devices = house.hear(signals.Health("b/1", "deaf"))
    assert "was deaf and is woken" in WORDS(status.message)
    assert [row["state"] for row in devices.data["readers"]] == ["ok", "lost", "ok", "ok"]
    status, devices = house.hear(signals.Health("b/1", "ok"))
    assert status.message is None
    assert devices.data["readers"][1]["state"] == "ok"


def test_what_lies_there_already_is_asked_to_be_laid_again(house: House) -> None:
    """It was not laid for this: else the card that somebody left there would become Red 1."""
    lying = signals.TagLying("b/0", "04AA", False)
    house.hear(lying)
    (status,) = house.answer(Listen("cards"))
    assert "Take it off, then lay it again." in WORDS(status.message)
    (status,) = house.hear(lying)
    assert status.message is not None
    assert house.hear(signals.TagOff("b/0", "04AA", False))[-1] == Status("card b/0", "device", None)
    assert touched(house.lay("b/0", "04AA")).uid == "04AA"
    assert house.hear(signals.TagLying("b/1", "04BB", False, laid=True)) == []
    assert touched(house.wait(2.0)).uid == "04BB"


@pytest.mark.parametrize("what", ["cards", "seats"])
def test_who_learns_from_a_card_learns_what_came_to_rest(house: House, what: str) -> None:
    """A card that is carried over a reader belongs to nobody; a test shows at once what the reader sees."""
    for listens, seen in ((what, []), ("test", [True])):
        house.answer(Listen(listens))
        clicks = len(house.devices.played)
        downs = house.hear(signals.TagOn("b/0", "04AA", False)) + house.wait(0.12)
        downs += house.hear(signals.Sight("b/0", False)) + house.wait(0.3)
        downs += house.hear(signals.TagOff("b/0", "04AA", False)) + house.wait(5.0)
        assert [t.down for t in downs if isinstance(t, Touched)] == [*seen, False]
        assert len(house.devices.played) == clicks + 1
    house.answer(Listen(what))
    house.hear(signals.TagOn("b/0", "04AA", False))
    began = house.clock
    assert touched(house.wait(2.0)).at == began


def test_one_act_is_never_both_the_question_and_the_yes() -> None:
    """The place of red does not go to blue because a finger bounces, or presses twice."""
    places = Places([("red", "panel"), ("blue", "panel")])
    places.touch(touch("gpio/0", "panel", at=20.0))
    for at in (20.08, 20.9):
        assert places.touch(touch("gpio/0", "panel", at=at)) == Answer(True), "an echo of the press that was for red"
    question = places.touch(touch("gpio/0", "panel", at=22.0))
    assert WORDS(question.message) == "That is the place of red already. Once more moves it."
    for at in (22.08, 22.9, 23.8):
        assert places.touch(touch("gpio/0", "panel", at=at)) == question, "asked again: nobody has heard it out"
    assert places.touch(touch("gpio/0", "panel", at=24.8)).request == Assign({"gpio/0": "blue"})


def test_a_sticker_is_moved_by_a_yes_and_not_by_an_echo() -> None:
    teaching = Teaching([("red", 1), ("red", 2), ("red", 3)], {"04AA": ("red", 3)})

    def lay(uid: str, at: float) -> Any:
        return teaching.lay(Touched("b/0", "reader", True, None, uid=uid, at=at))

    teaching.know({"04AA": ("red", 3), lay("04BB", 20.0).request.uid: ("red", 1)})
    assert teaching.card == ("red", 2)
    assert lay("04BB", 20.8).message is None, "the same card, lowered with a hesitation"
    question = lay("04AA", 30.0)
    assert (question.well, question.request) == (False, None)
    for at in (30.8, 31.6):
        assert lay("04AA", at) == question
    assert lay("04AA", 32.6).request == Bind("04AA", "red", 2)


# --- the walk from seat to seat -------------------------------------------------------------------------------------


LATER = itertools.count(10.0, 2.0)


def touch(device: str, kind: str = "reader", seat: str | None = None, at: float | None = None) -> Touched:
    """A touch, at some time, or at leisure after the last one."""
    return Touched(device, kind, True, seat, at=next(LATER) if at is None else at)


def test_what_is_asked_for_depends_on_what_there_is() -> None:
    seats = ("red", "blue")
    readers, pins = [device_row("b/0"), device_row("b/1")], [device_row("gpio/0")]
    assert steps(seats, {}) == [("red", "any"), ("blue", "any")]
    assert steps(seats, {"readers": readers}) == [("red", "reader"), ("blue", "reader")]
    assert steps(seats, {"panels": pins}) == [("red", "panel"), ("blue", "panel")]
    both = steps(seats, {"readers": readers, "panels": pins})
    assert both == [(seat, kind) for kind in ("reader", "panel") for seat in seats]
    assert steps(seats, {"readers": readers, "panels": [device_row("b/0")]}) == [("red", "any"), ("blue", "any")]


def test_seat_by_seat() -> None:
    places = Places([("red", "reader"), ("blue", "reader")])
    assert WORDS(places.ask) == "Red: lay any card on your reader."
    assert places.touch(touch("b/1")).request == Assign({"b/1": "red"})
    assert WORDS(places.touch(touch("b/1")).message) == "That is the place of red already. Once more moves it."
    assert places.touch(touch("b/0")).request == Assign({"b/0": "blue"})
    assert places.step is None
    assert not places.touch(touch("b/3")).well


def test_once_more_moves_and_redo_gives_back() -> None:
    places = Places([("red", "reader"), ("blue", "reader")])
    places.touch(touch("b/1", seat="green"))
    places.touch(touch("b/1"))
    assert places.touch(touch("b/1")).request == Assign({"b/1": "blue"})
    places = Places([("red", "reader"), ("blue", "reader")])
    assert not places.can_redo
    places.touch(touch("b/1", seat="green"))
    assert places.redo() == Assign({"b/1": "green"})
    assert places.step == ("red", "reader")
    places.skip()
    assert places.step == ("blue", "reader")
    places.pick("red")
    assert places.step == ("red", "reader")


def test_buttons_count_while_a_reader_is_asked_for_but_it_is_asked_on() -> None:
    places = Places([("red", "reader"), ("red", "panel")])
    assert places.touch(touch("gpio/0", "panel")).request == Assign({"gpio/0": "red"})
    assert places.step == ("red", "reader")


def test_a_seat_has_one_reader_and_one_panel() -> None:
    """Whoever is given a new one lets go of the old one, also of one that is broken and away; redo gives it back."""
    there = {
        "readers": [device_row("a/0", "red"), device_row("b/0", "red", fixed=True), device_row("b/1")],
        "panels": [device_row("gpio/0", "red")],
        "away": {"c/0": "red", "d/0": "blue", "gpio/3": "red"},
    }
    places = Places(steps(("red", "blue"), there), there)
    assert places.touch(touch("b/1")).request == Assign({"b/1": "red", "a/0": None, "c/0": None})
    assert places.redo() == Assign({"b/1": None, "a/0": "red", "c/0": "red"})
    assert places.given == {}
    places.touch(touch("b/1"))
    places.know({"readers": [device_row("b/0"), device_row("b/1", "red")], "panels": there["panels"]})
    places.pick("red")
    assert places.touch(touch("b/0")).request == Assign({"b/0": "red", "b/1": None})
    assert places.given == {"b/0": "red"}


@pytest.mark.parametrize(
    ("device", "kind", "has", "gone"),
    [
        ("gpio/0", "panel", ("b/0",), ()),  # it would lose its reader
        ("hsu/0", "reader", ("b/0",), ()),  # it would lose its buttons
        ("a/0", "reader", ("b/0",), ("b/0",)),
        ("hsu/0", "reader", ("b/0", "gpio/0"), ("b/0",)),  # it has others
        ("b/0", "reader", ("b/0", "gpio/0"), ()),  # it is theirs already
        ("b/0", "panel", ("hsu/0", "gpio/0"), ("gpio/0",)),  # only buttons were asked for
    ],
)
def test_a_place_with_both_is_kept_where_the_seat_would_lose_what_is_not_asked_for(
    device: str, kind: str, has: tuple[str, ...], gone: tuple[str, ...]
) -> None:
    """A board's reader and buttons of one number have one name."""

    def rows(*ids: str) -> list[Any]:
        return [device_row(id, "red" if id in has else None) for id in ids]

    there = {"readers": rows("b/0", "a/0", "hsu/0"), "panels": rows("b/0", "a/0", "gpio/0")}
    request = Places([("red", "any")], there).touch(touch(device, kind)).request
    assert request == Assign({**dict.fromkeys(gone), device: "red"})


def test_redo_gives_back_what_was_moved_from_another_seat_with_its_warning() -> None:
    places = Places([("red", "reader"), ("blue", "reader")])
    for _ in range(3):
        places.touch(touch("b/0"))
    places.redo()
    assert places.given == {"b/0": "red"} and places.step == ("blue", "reader")
    assert "Once more moves it" in WORDS(places.touch(touch("b/0")).message)


def test_what_the_installer_says_is_not_asked_away() -> None:
    there = {"readers": [device_row("b/0", fixed=True) | {"seat": "blue"}, device_row("b/1", fixed=False)]}
    places = Places(steps(("red", "blue"), there), there)
    answer = places.touch(touch("b/0"))
    assert not answer.well
    assert "it was fixed" in WORDS(answer.message)
    assert places.step == ("red", "reader")


# --- teaching the cards ---------------------------------------------------------------------------------------------


class Lesson:
    """Teaching with the house behind it, as the screen and the command do it."""

    def __init__(self, house: House) -> None:
        self.house = house
        house.answer(Listen("cards"))
        (box,) = house.answer(ListCards())
        self.teaching = Teaching(ALL, box.tags)

    def lay(self, uid: str, foreign: bool = False) -> Any:
        answer = self.teaching.lay(touched(self.house.lay("b/0", uid, foreign)))
        self.house.hear(signals.TagOff("b/0", uid, foreign))
        self.ask(answer.request)
        return answer

    def ask(self, request: Any) -> None:
        for said in self.house.answer(request) if request else ():
            if isinstance(said, CardBox):
                self.teaching.know(said.tags)

    @property
    def box(self) -> dict[str, tuple[str, int]]:
        return self.house.store.box()


@pytest.fixture
def lesson(house: House) -> Lesson:
    return Lesson(house)


def test_a_card_that_was_picked_while_the_last_one_was_written_is_asked_for(lesson: Lesson) -> None:
    answer = lesson.teaching.lay(touched(lesson.house.lay("b/0", UID["red", 1])))
    lesson.teaching.pick(("green", 3))
    lesson.ask(answer.request)
    assert lesson.teaching.card == ("green", 3)
    assert lesson.box == {UID["red", 1]: ("red", 1)}


def test_all_cards_one_after_another(lesson: Lesson) -> None:
    """Twenty-eight stickers laid, twenty-eight cards known, and no touch of the screen between."""
    for card in ALL:
        assert lesson.teaching.card == card
        assert lesson.lay(UID[card]).message is None
    assert lesson.teaching.card is None
    assert lesson.box == {uid: card for card, uid in UID.items()}
    assert WORDS(lesson.teaching.ask) == "All 28 cards have their sticker."


def test_a_phone_is_refused_with_the_reason(lesson: Lesson) -> None:
    answer = lesson.lay("08112233", foreign=True)
    assert not answer.well and "its number is not its own" in WORDS(answer.message).lower()
    assert lesson.box == {} and lesson.teaching.card == ALL[0]


def test_a_sticker_of_another_card_is_moved_only_when_laid_again(lesson: Lesson) -> None:
    lesson.lay(UID["red", 1])
    answer = lesson.lay(UID["red", 1])
    assert WORDS(answer.message) == "This sticker is 1 of red already. Lay it again to move it."
    assert lesson.box == {UID["red", 1]: ("red", 1)}
    lesson.lay(UID["red", 1])
    assert lesson.box == {UID["red", 1]: ("red", 2)}
    assert lesson.teaching.card == ("red", 3)


def test_the_warning_is_of_one_sticker_only(lesson: Lesson) -> None:
    """Another one in between, or another card asked for, and it is warned anew."""
    lesson.lay(UID["red", 1])
    lesson.lay(UID["red", 2])
    assert lesson.lay(UID["red", 1]).message is not None
    assert lesson.lay(UID["red", 2]).message is not None
    assert lesson.lay(UID["red", 1]).message is not None
    lesson.teaching.pick(("blue", 4))
    assert lesson.lay(UID["red", 1]).message is not None
    assert len(lesson.box) == 2


def test_two_stickers_of_one_card_are_told_and_both_count(lesson: Lesson) -> None:
    lesson.lay(UID["red", 1])
    lesson.teaching.pick(("red", 1))
    answer = lesson.lay("04FFFF")
    assert WORDS(answer.message) == "1 of red has two stickers now. Both count."
    assert list(lesson.box.values()) == [("red", 1), ("red", 1)]
    assert lesson.teaching.stickers(("red", 1)) == 2


def test_skip_comes_back_at_the_end(lesson: Lesson) -> None:
    lesson.teaching.skip()
    for card in ALL[1:]:
        assert lesson.teaching.card == card
        lesson.lay(UID[card])
    assert lesson.teaching.card == ALL[0]
    lesson.teaching.skip()
    assert lesson.teaching.card is None
    assert WORDS(lesson.teaching.ask) == "27 of 28 cards have a sticker."


def test_redo_makes_it_as_it_was(lesson: Lesson) -> None:
    lesson.lay("04FFFF")
    assert lesson.teaching.can_redo
    request = lesson.teaching.redo()
    assert request == Forget("04FFFF")
    lesson.ask(request)
    assert (lesson.box, lesson.teaching.card) == ({}, ("red", 1))
    lesson.lay(UID["red", 1])
    lesson.lay(UID["red", 1])
    lesson.lay(UID["red", 1])
    request = lesson.teaching.redo()
    assert request == Bind(UID["red", 1], "red", 1)
    lesson.ask(request)
    assert (lesson.box, lesson.teaching.card) == ({UID["red", 1]: ("red", 1)}, ("red", 2))


def test_back_and_a_card_that_is_picked(lesson: Lesson) -> None:
    lesson.lay(UID["red", 1])
    lesson.teaching.back()
    assert lesson.teaching.card == ("red", 1)
    lesson.lay(UID["red", 1])
    assert lesson.teaching.card == ("red", 2)
    lesson.teaching.pick(("green", 7))
    lesson.lay(UID["green", 7])
    assert lesson.teaching.card == ("yellow", 1)


def test_a_whole_box_is_taught_anew(lesson: Lesson) -> None:
    """New stickers on all cards: from the start, one after another, until the last."""
    for card in ALL:
        lesson.lay(UID[card])
    assert WORDS(lesson.teaching.lay(touched(lesson.house.lay("b/0", UID["blue", 4]))).message) == "This is 4 of blue."
    lesson.teaching.from_start()
    for at, card in enumerate(ALL):
        assert lesson.teaching.card == card
        lesson.lay(f"05{at:02X}CC")
    assert lesson.teaching.card is None
    assert len(lesson.box) == 56


def test_where_the_disk_says_no_the_same_card_is_asked_for_again(
    lesson: Lesson, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Store) -> Any:
        raise OSError(28, "No space left on device")

    lesson.lay(UID["red", 1])
    lesson.house.store._drop()
    with monkeypatch.context() as broken:
        broken.setattr(Store, "_open", full)
        lesson.lay(UID["red", 2])
    assert lesson.house.said[-1].kind == "disk"
    assert lesson.teaching.card == ("red", 2)
    lesson.lay(UID["red", 2])
    assert lesson.teaching.card == ("red", 3)
    assert Status("house", "disk", None) in lesson.house.said[-3:]
