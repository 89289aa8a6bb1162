"""The border: signals become gestures, outcomes become lights; only here is a tag a card."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion import border
from companion.border import Border
from companion.games.base import Laid, Pressed
from companion.games.sir_holland import SirHolland
from companion.games.sir_holland.state import Lock, Unlock
from companion.table.ports import Do, Entry, Outcome, Play, Reveal, Status, Touched
from companion.table.session import Table
from companion.wording import Wording
from hardware import signals

GAME = SirHolland()
SEATS = ("red", "blue")
NAMES = {"red": "Ana", "blue": "Bruno"}
WORDS = Wording("en", GAME.term, NAMES)
BOX = {
    f"04{owner:02X}0000000{card:02X}0"[:14]: (seat, card) for owner, seat in enumerate(SEATS) for card in range(1, 8)
}
UID = {v: k for k, v in BOX.items()}


class Paper:
    """A journal that keeps nothing: these tests are about devices."""

    def begin(self, game: str, names: Any, entries: list[Entry]) -> int:
        return 1

    def append(self, number: int, entries: list[Entry]) -> None:
        pass


class Devices:
    """Remembers what was shown and played, each by itself and all in order."""

    def __init__(self) -> None:
        self.shown: list[tuple[str, str]] = []
        self.played: list[tuple[str, str]] = []
        self.calls: list[tuple[str, str, str]] = []

    def light(self, place: str, pattern: str) -> None:
        self.shown.append((place, pattern))
        self.calls.append(("light", place, pattern))

    def sound(self, place: str, name: str) -> None:
        self.played.append((place, name))
        self.calls.append(("sound", place, name))


class Bench:
    """A border with one board of two readers, and a table."""

    def __init__(self, panels: int = 0) -> None:
        self.clock = 100.0
        self.border = Border()
        self.devices = Devices()
        self.panels = Devices()
        self.border.attach(readers=self.devices, panels=self.panels)
        self.border.learn(BOX)
        self.border.seat(SEATS)
        self.table, self.opened = Table.begin(GAME, Paper(), SEATS, {"gryphon": "red"}, NAMES, Random(1))
        self.hear(signals.BoardReady("b", "0.1", 2, 0))
        if panels:
            self.hear(signals.BoardReady("gpio", "", 0, panels))
        self.border.outcome(self.opened, self.clock)

    def hear(self, signal: signals.Signal) -> list[Any]:
        """What comes of a signal, at once and when it has come to rest."""
        return [*self.now(signal), *self.wait(2.0)]

    def now(self, signal: signals.Signal) -> list[Any]:
        """What comes of a signal at once."""
        return [*self.border.signal(signal, self.table.snapshot(), self.clock)]

    def wait(self, seconds: float) -> list[Any]:
        """What comes of it that time passes."""
        self.clock += seconds
        told: list[Any] = []
        while (due := self.border.due()) is not None and due <= self.clock:
            told += self.border.rest(self.table.snapshot(), due)
        return told

    def lay(self, reader: int, uid: str, foreign: bool = False) -> list[Any]:
        """Lay a tag and let the table answer what comes of it: outcomes and statuses, in order."""
        return [self.ask(a) for a in self.hear(signals.TagOn(f"b/{reader}", uid, foreign))]

    def ask(self, answer: Any) -> Any:
        if isinstance(answer, Status):
            return answer
        outcome = self.table.request(answer)
        self.border.outcome(outcome, self.clock)
        return outcome


@pytest.fixture
def bench() -> Bench:
    return Bench()


def said(answer: Outcome | Status) -> str:
    if isinstance(answer, Status):
        assert answer.message is not None
        return WORDS(answer.message)
    return " ".join(WORDS(m) for m in answer.messages)


def test_a_card_of_ones_own_locks_in(bench: Bench) -> None:
    """A tag on the seat's reader is a lock, and nobody is told which."""
    (outcome,) = bench.lay(0, UID["red", 4])
    assert outcome.kind == "done"
    assert said(outcome) == "Ana has locked in."
    assert "4" not in str(outcome.messages)


def lock(bench: Bench, how: str, card: int) -> list[list[tuple[str, str, str]]]:
    """All that reader and panel are told when a card is locked in, in order; a list for each move of a hand."""
    told = []

    def note(*signals_: signals.Signal) -> None:
        for signal in signals_:
            for devices in (bench.devices, bench.panels):
                devices.calls.clear()
            for answer in bench.hear(signal):
                bench.ask(answer)
            told.append([*bench.devices.calls, *bench.panels.calls])

    if how == "reader":
        note(signals.TagOn("b/0", UID["red", card], False), signals.TagOff("b/0", UID["red", card], False))
    else:
        note(signals.Press("gpio/0", card), signals.Release("gpio/0", card))
    return told


LOCKED = {
    "reader": [[("sound", "b/0", "click"), ("light", "b/0", "locked"), ("light", "gpio/0", "locked")], []],
    "panel": [[("light", "b/0", "locked"), ("sound", "gpio/0", "click"), ("light", "gpio/0", "locked")], []],
}


@pytest.mark.parametrize("how", ["reader", "panel"])
@pytest.mark.parametrize("card", range(1, 8))
def test_number_and_order_of_lights_and_clicks_are_the_same_for_every_card(how: str, card: int) -> None:
    assert lock(Bench(panels=2), how, card) == LOCKED[how]


@pytest.mark.parametrize("how", ["reader", "panel"])
@pytest.mark.parametrize("card", range(1, 8))
def test_they_are_the_same_for_a_card_that_was_changed(how: str, card: int) -> None:
    """Whatever lay there before; the same card again included."""
    for before in range(1, 8):
        bench = Bench(panels=2)
        bench.ask(Play(Lock("red", before)))
        bench.ask(Play(Unlock("red")))
        assert lock(bench, how, card) == LOCKED[how]


@pytest.mark.parametrize("how", ["reader", "panel"])
@pytest.mark.parametrize("before", ["locked", "held"])
def test_they_are_the_same_for_every_card_that_replaces_a_lock(how: str, before: str) -> None:
    """Also while the last lock is held: nothing tells which card it is not."""
    told = []
    for card in range(1, 8):
        bench = Bench(panels=2)
        if before == "held":
            bench.ask(Play(Lock("blue", 2)))
        bench.ask(Play(Lock("red", 4)))
        told.append(lock(bench, how, card))
        assert (bench.table.snapshot().held, bench.table.snapshot().view["locked"][-1]) == (
            ("red", "red") if before == "held" else (None, "red"))  # fmt: skip
    assert told == told[:1] * 7
    assert told[0][0]


def test_a_board_that_comes_in_mid_game_shows_its_lights_at_once(bench: Bench) -> None:
    bench.border.bind({"c/0": "blue"})
    bench.devices.shown.clear()
    bench.hear(signals.BoardReady("c", "0.1", 1, 0))
    assert ("c/0", "waiting") in bench.devices.shown


def test_between_turns_the_gryphon_glows_before_its_holder(bench: Bench) -> None:
    """Whose turn it is blinks; who holds the gryphon and is asked for nothing sees that; the others see nothing."""
    play_locks(bench, {"red": 4, "blue": 2})
    now = bench.table.snapshot()
    assert (now.view["gryphon"], [seat for seat, _ in now.awaited]) == ("red", ["blue"])
    assert dict(bench.devices.shown) == {"b/0": "gryphon", "b/1": "turn"}
    while [seat for seat, _ in now.awaited] == ["blue"]:
        bench.ask(Play(now.choices[-1], now.seen))
        now = bench.table.snapshot()
    assert [seat for seat, _ in now.awaited] == ["red"]
    assert dict(bench.devices.shown) == {"b/0": "turn", "b/1": "off"}


def test_a_lost_reader_makes_the_panels_of_its_seats_blink_and_sound() -> None:
    bench = Bench(panels=2)
    bench.panels.calls.clear()
    bench.hear(signals.LinkLost("b", "p", signals.UNPLUGGED))
    assert bench.panels.calls == [(what, f"gpio/{n}", "refused") for n in range(2) for what in ("light", "sound")]


def test_a_board_that_comes_and_goes_blinks_no_oftener_than_it_is_told_of() -> None:
    """Twice, once more with "it comes and goes", then nothing for five minutes; as news where it held for a while."""
    bench = Bench(panels=2)

    def flaps(times: int) -> int:
        before = bench.panels.calls.count(("sound", "gpio/0", "refused"))
        for _ in range(times):
            bench.hear(signals.LinkLost("b", "p", signals.UNPLUGGED))
            bench.hear(signals.LinkBack("b", "p"))
            bench.hear(signals.BoardReady("b", "0.1", 2, 0))
        return bench.panels.calls.count(("sound", "gpio/0", "refused")) - before

    assert flaps(20) == 3
    bench.wait(400.0)
    assert flaps(1) == 1
    assert flaps(1) == 1, "somebody has put the plug in another socket"


def test_lost_buttons_are_named_with_their_seats() -> None:
    bench = Bench(panels=2)
    (status,) = bench.hear(signals.LinkLost("gpio", "gpio", signals.PINS_FAILED))
    assert said(status) == (
        "The buttons of Ana and Bruno do nothing now. The pins cannot be read or set any more. "
        "Check the wiring; they are tried again by themselves. Meanwhile, choose here."
    )


def test_pins_that_cannot_be_used_are_told_with_all_that_is_wrong_in_both_languages(bench: Bench) -> None:
    reasons = (
        signals.Reason(signals.PIN_TWICE, {"pin": 5, "times": 2}),
        signals.Reason(signals.PIN_OF_BUS, {"pin": 2, "bus": "i2c"}),
    )
    (status,) = bench.hear(signals.PinsRefused(reasons))
    assert said(status) == (
        "The button panels are not in use. Pin 5 is used 2 times. Give each wire a pin of its own. "
        "Pin 2 belongs to i2c, which is in use. Take another pin, or switch i2c off."
    )
    assert "O pino 5 é usado 2 vezes." in Wording("pt", GAME.term, NAMES)(status.message)
    listed = bench.border.news()
    assert [(d["id"], d["state"]) for d in listed.data["panels"]] == [("gpio", "lost")]


@pytest.mark.parametrize(
    "reason",
    [text for name, text in vars(signals).items() if name.isupper() and isinstance(text, str) and "{" not in text],
)
def test_every_reason_of_a_device_is_told_in_its_own_words(reason: str) -> None:
    """In English and Portuguese, with the seats that it is about."""
    status = Bench().hear(signals.LinkLost("b", "p", reason))[0]
    assert reason in said(status)
    portuguese = Wording("pt", GAME.term, NAMES)(status.message)
    assert reason not in portuguese
    assert "Ana" in portuguese


def test_a_reader_that_sees_no_card_leave_asks_nobody_to_take_one_back() -> None:
    """A keyboard-type reader says a tag once. It may lock, but what lies on it is never spoken of."""
    bench = Bench()
    bench.hear(signals.BoardReady("b", "0.1", 2, 0, places=(
        signals.Place("reader", 0, presence=False), signals.Place("reader", 1))))
    told = play_round(bench, {"red": 4, "blue": 2}, lift=False)
    assert [said(s) for s in told] == ["Bruno, take your 2 (Chase) back from the reader."]
    (blind, seeing) = bench.border.news().data["readers"]
    assert (blind["state"], seeing["state"]) == ("ok", "ok")
    assert "does not see a card leave" in WORDS(blind["text"])


def test_a_card_of_another_seat_is_refused_with_its_own_words(bench: Bench) -> None:
    (outcome,) = bench.lay(0, UID["blue", 4])
    assert outcome.kind == "refused"
    assert said(outcome) == "Ana, that is a card of Bruno. Lay one of your own."
    assert outcome.now.view["locked"] == []


def test_an_unknown_tag_is_offered_for_binding(bench: Bench) -> None:
    (status,) = bench.lay(1, "04AABBCC")
    assert status.kind == "tag"
    assert status.data == {"uid": "04AABBCC", "seat": "blue"}
    assert said(status).startswith("Bruno, I do not know this card's sticker.")


def test_what_is_laid_once_more_is_news_once_more(bench: Bench) -> None:
    """The voice says a text once until it is over: an unknown sticker, a phone, two cards, a card of somebody else."""
    for uid, foreign in (("04AABBCC", False), ("08AABBCC", True)):
        stay = signals.TagOn("b/1", uid, foreign), signals.TagOff("b/1", uid, foreign)
        first, second = ([s for signal in stay for s in bench.hear(signal)] for _ in range(2))
        (told,) = [s for s in first if s.message]
        assert said(told).startswith("Bruno,")
        again = [s for s in first + second if s.key == told.key]
        assert [s.message == told.message for s in again].count(True) == 2
        at = again.index(told, again.index(told) + 1)
        assert again[at - 1] == Status(told.key, told.kind, None), "it was over before"
    bench.border.learn(BOX | {"04AABBCC": ("blue", 1)})
    (do,) = bench.hear(signals.TagOn("b/1", "04AABBCC", False))
    assert do.gesture == Laid("blue", "blue", 1)


def test_a_phone_is_told_from_an_unknown_tag(bench: Bench) -> None:
    (status,) = bench.lay(1, "08AABBCC", foreign=True)
    assert status.kind == "device"
    assert "phone" in said(status)


def test_a_used_card_is_refused_with_the_rule(bench: Bench) -> None:
    """A card used since the last rest names R25, and what is still in hand."""
    play_round(bench, {"red": 4, "blue": 2})
    (outcome,) = bench.lay(0, UID["red", 4])
    assert outcome.refused.rule == "R25"
    assert said(outcome) == (
        "Ana has used 4 (Capture) and gets it back by resting. Still in hand: 1, 2, 3, 5, 6 and 7."
    )


def test_the_card_that_lies_replaces_the_one_that_has_left(bench: Bench) -> None:
    """The same card again or another one: both are answered alike."""
    answers = [said(bench.lay(0, UID["red", card])[0]) for card in (4, 4, 5)]
    assert answers == ["Ana has locked in."] * 3
    bench.lay(1, UID["blue", 1])
    assert bench.ask(Reveal()).now.view["cards"] == {"red": 5, "blue": 1}


def test_a_lifted_card_changes_nothing(bench: Bench) -> None:
    bench.lay(0, UID["red", 4])
    before = bench.table.snapshot()
    answers = bench.hear(signals.TagOff("b/0", UID["red", 4], False))
    assert all(isinstance(a, Status) and a.message is None for a in answers)
    assert bench.table.snapshot() == before


def test_a_card_that_still_lies_is_named_once_when_the_next_round_begins(bench: Bench) -> None:
    """ "Ana, take your 4 back": it was open already, and lying there is no lock."""
    told = play_round(bench, {"red": 4, "blue": 2}, lift=False)
    assert [said(s) for s in told] == [
        "Bruno, take your 2 (Chase) back from the reader.",
        "Ana, take your 4 (Capture) back from the reader.",
    ] or [said(s) for s in told] == [
        "Ana, take your 4 (Capture) back from the reader.",
        "Bruno, take your 2 (Chase) back from the reader.",
    ]
    assert bench.table.snapshot().view["locked"] == []


def test_a_card_that_lies_after_a_restart_is_not_named(bench: Bench) -> None:
    """What lies there may be a secret of this round, so its number is not said; it is no lock."""
    (status,) = bench.hear(signals.TagLying("b/0", UID["red", 4], False))
    assert said(status) == "Ana, take the card off your reader, then lay the one you choose."
    assert bench.hear(signals.TagLying("b/0", UID["red", 4], False)) == []


def test_a_lying_card_of_a_locked_seat_is_left_in_peace(bench: Bench) -> None:
    """After a restart the locked card lies where it was laid: nothing is said."""
    bench.table.request(Play(Lock("red", 4)))
    assert bench.hear(signals.TagLying("b/0", UID["red", 4], False)) == []


def test_a_tag_whose_word_was_lost_on_the_line_counts_as_laid(bench: Bench) -> None:
    (answer,) = bench.hear(signals.TagLying("b/0", UID["red", 4], False, laid=True))
    assert answer.gesture == Laid("red", "red", 4)


def test_two_tags_at_once_lock_nothing(bench: Bench) -> None:
    (status,) = bench.hear(signals.Collision("b/0"))
    assert said(status) == "Ana, lay one card at a time."


def test_a_lost_reader_names_its_seats_and_keeps_their_locks(bench: Bench) -> None:
    bench.lay(0, UID["red", 4])
    (status,) = bench.hear(signals.LinkLost("b", "p", signals.UNPLUGGED))
    assert said(status) == "The readers of Ana and Bruno went quiet. The plug was pulled. Meanwhile, choose here."
    assert bench.table.snapshot().view["locked"] == ["red"]
    back = bench.hear(signals.LinkBack("b", "q"))
    assert back == [Status("b", "device", None)]


def test_buttons_lock_and_the_installer_may_bind_them() -> None:
    """A panel belongs to the seat that the configuration says, else to the first seat without one."""
    border = Border({"gpio/0": "blue"})
    border.seat(SEATS)
    table, _ = Table.begin(GAME, Paper(), SEATS, {}, NAMES, Random(1))
    now = table.snapshot()
    assert border.signal(signals.Press("gpio/0", 3), now, 0.0) == [Do(Pressed("blue", 3))]
    assert border.signal(signals.Press("gpio/1", 3), now, 0.0) == [Do(Pressed("red", 3))]
    assert said(border.signal(signals.Press("gpio/2", 3), now, 0.0)[0]).startswith("These buttons have no seat in")


def test_who_plays_at_a_place_that_is_nobodys_is_told_how_it_gets_a_seat() -> None:
    """Four places, two players: without a word the card would seem to be locked in, since it clicks."""
    bench = Bench(panels=3)
    bench.hear(signals.BoardReady("b", "0.1", 3, 0))
    (status,) = bench.hear(signals.TagOn("b/2", UID["red", 4], False))
    assert said(status) == "This reader has no seat in this game. Give it one: Settings, Devices, Whose is whose."
    assert bench.hear(signals.TagOff("b/2", UID["red", 4], False)) == [Status("card b/2", "device", None)]
    (status,) = bench.hear(signals.Press("gpio/2", 4))
    assert status.key == "buttons gpio/2" and said(status).startswith("These buttons have no seat in this game.")
    assert bench.hear(signals.Release("gpio/2", 4)) == []
    bench.border.bind({"gpio/2": "red"})
    told, do = bench.hear(signals.Press("gpio/2", 4))
    assert (told, do.gesture) == (Status("buttons gpio/2", "device", None), Pressed("red", 4))


@pytest.mark.parametrize(
    ("trouble", "key"),
    [
        ([signals.Press("gpio/2", 4)], "buttons gpio/2"),
        ([signals.Collision("b/1")], "card b/1"),
        ([signals.Health("b/1", "deaf"), signals.Health("b/1", "ok")], "health b/1"),
    ],
)
def test_what_has_passed_is_said_until_the_table_goes_on(trouble: list[signals.Signal], key: str) -> None:
    """The board does not say that a collision is over, and a deaf reader is well again before anybody can read it."""
    bench = Bench(panels=3)
    told = [status for signal in trouble for status in bench.hear(signal)]
    assert [(status.key, status.message is not None) for status in told] == [(key, True)]
    (do,) = bench.hear(signals.TagOn("b/0", UID["red", 4], False))
    assert bench.border.outcome(bench.table.request(do), bench.clock) == [Status(key, "device", None)]
    assert bench.border.news().data["readers"][1]["state"] == "ok"


def test_a_reader_that_stays_away_is_named_whatever_the_table_does(bench: Bench) -> None:
    bench.hear(signals.Health("b/1", "deaf"))
    bench.hear(signals.Health("b/1", "absent"))
    (do,) = bench.hear(signals.TagOn("b/0", UID["red", 4], False))
    assert bench.border.outcome(bench.table.request(do), bench.clock) == []
    assert bench.hear(signals.Health("b/1", "ok")) == [Status("health b/1", "device", None)]


# --- ports and boards -----------------------------------------------------------------------------------------------


def silent_ports(border: Border) -> list[str]:
    news = border.news()
    assert news is not None
    return [row["id"] for row in news.data["readers"] if row["id"].startswith("/")]


@pytest.mark.parametrize(
    ("trouble", "end"),
    [
        (signals.LinkLost(None, "/dev/x", signals.HUNG), signals.LinkBack("b", "/dev/x")),
        (signals.BoardRefused(None, "/dev/x", signals.FORBIDDEN), signals.BoardReady("b", "0.1", 1, 0, "/dev/x")),
        (signals.BoardRefused("b", "/dev/x", signals.TOO_OLD), signals.PortFree("/dev/x")),
    ],
)
def test_what_is_said_of_a_port_ends_with_its_trouble(trouble: signals.Signal, end: signals.Signal) -> None:
    border = Border()
    (told,) = border.signal(trouble, None, 0.0)
    assert told.key == "/dev/x" and said(told).startswith("What is at /dev/x is not in use.")
    assert silent_ports(border) == ["/dev/x"]
    assert Status("/dev/x", "device", None) in border.signal(end, None, 0.0)
    assert silent_ports(border) == []
    assert border.signal(signals.PortFree("/dev/x"), None, 0.0) == []


def test_whose_device_is_in_trouble_is_named_also_while_no_game_is_open() -> None:
    border = Border()
    border.bind({"b/1": "green", "gpio/0": "red"})
    border.signal(signals.BoardReady("b", "0.1", 2, 0), None, 0.0)
    words = [said(border.signal(trouble, None, 0.0)[0]) for trouble in (
        signals.Health("b/1", "absent"), signals.Health("b/1", "deaf"), signals.Stuck("gpio/0", 3))]  # fmt: skip
    assert ["green" in words[0].lower(), "green" in words[1].lower(), "Ana" in words[2]] == [True] * 3
    assert border.signal(signals.Health("b/1", "ok"), None, 0.0) == [Status("health b/1", "device", None)]


def test_a_twin_is_named_by_its_port_and_the_board_in_use_stays_well(bench: Bench) -> None:
    (told,) = bench.hear(signals.BoardRefused("b", "/dev/y", signals.TWIN))
    assert said(told) == "What is at /dev/y is not in use. Another board has the same id. Unplug one of the two."
    news = bench.border.news()
    assert news is not None
    assert [(row["id"], row["state"]) for row in news.data["readers"]] == [
        ("b/0", "ok"), ("b/1", "ok"), ("/dev/y", "lost")]  # fmt: skip


def test_a_board_has_the_places_that_it_announces_and_no_others() -> None:
    border = Border()
    border.seat(SEATS)
    places = tuple(signals.Place("reader", number) for number in (1, 2))
    border.signal(signals.BoardReady("b", "0.1", 2, 0, places=places), None, 0.0)
    assert [border.seat_of("reader", f"b/{n}") for n in (0, 1, 2)] == [None, "red", "blue"]
    border.signal(signals.BoardReady("b", "0.1", 1, 0, places=places[1:]), None, 0.0)
    assert [border.seat_of("reader", f"b/{n}") for n in (1, 2)] == [None, "red"]


def test_a_reader_and_a_panel_of_one_place_go_to_one_seat() -> None:
    """Also where another board has only readers, and the Pi's pins have panels of their own."""
    border = Border()
    border.seat(SEATS)
    border.signal(signals.BoardReady("a", "0.1", 1, 0), None, 0.0)
    border.signal(signals.BoardReady("b", "0.1", 1, 1), None, 0.0)
    border.signal(signals.BoardReady("gpio", "", 0, 2), None, 0.0)
    assert [border.seat_of(*of) for of in (("reader", "a/0"), ("reader", "b/0"), ("panel", "b/0"))] == [
        "red", "blue", "blue"]  # fmt: skip
    assert [border.seat_of("panel", f"gpio/{n}") for n in (0, 1)] == ["red", None]


def test_a_button_on_a_board_clicks_at_the_reader_of_its_place() -> None:
    bench = Bench()
    bench.hear(signals.BoardReady("b", "0.1", 2, 2))
    bench.devices.calls.clear()
    bench.hear(signals.Press("b/1", 3))
    assert bench.devices.calls == [("sound", "b/1", "click")]


def test_lights_follow_the_table(bench: Bench) -> None:
    """Waiting, locked, turn; three blinks for a refusal, then the lasting light again."""
    assert bench.devices.shown == [("b/0", "waiting"), ("b/1", "waiting")]
    bench.devices.shown.clear()
    bench.lay(0, UID["red", 4])
    assert bench.devices.shown == [("b/0", "locked")]
    bench.devices.shown.clear()
    outcome = bench.table.request(Play(Lock("blue", 9)))
    bench.border.outcome(outcome, 0.0)
    assert bench.devices.shown == [("b/1", "refused")]


def play_locks(bench: Bench, cards: dict[str, int]) -> None:
    """Everyone locks a card in, and they are revealed."""
    for reader, seat in enumerate(SEATS):
        bench.lay(reader, UID[seat, cards[seat]])
    bench.ask(Reveal())


def play_round(bench: Bench, cards: dict[str, int], lift: bool = True) -> list[Status]:
    """A round in which everyone only ends the turn; gives what the border told when the next one began."""
    for reader, seat in enumerate(SEATS):
        bench.lay(reader, UID[seat, cards[seat]])
        if lift:
            bench.hear(signals.TagOff(f"b/{reader}", UID[seat, cards[seat]], False))
    bench.ask(Reveal())
    told: list[Status] = []
    while bench.table.snapshot().view["phase"] == "resolve":
        now = bench.table.snapshot()
        outcome = bench.table.request(Play(now.choices[-1], now.seen))
        told = bench.border.outcome(outcome, 0.0)
    return told


def test_a_card_that_lies_when_a_game_begins_or_goes_on_is_named_without_its_number(bench: Bench) -> None:
    """The board greets before anybody says "Go on", so the question is asked when the game opens."""
    border = Border()
    border.learn(BOX)
    border.signal(signals.BoardReady("b", "0.1", 2, 0), None, 0.0)
    assert border.signal(signals.TagLying("b/0", UID["red", 4], False), None, 0.0) == []
    border.seat(SEATS)
    now = bench.table.snapshot()
    (status,) = border.outcome(Outcome("done", now), 0.0)
    assert said(status) == "Ana, take the card off your reader, then lay the one you choose."
    assert border.outcome(Outcome("done", now), 0.0) == []


def test_a_warning_about_a_reader_goes_with_the_next_good_card(bench: Bench) -> None:
    bench.hear(signals.Collision("b/0"))
    cleared, outcome = bench.lay(0, UID["red", 4])
    assert cleared == Status("card b/0", "device", None)
    assert said(outcome) == "Ana has locked in."


def test_a_reader_without_a_seat_is_called_so() -> None:
    border = Border()
    border.seat(SEATS)
    border.signal(signals.BoardReady("b", "0.1", 3, 0), None, 0.0)
    assert border.signal(signals.Collision("b/2"), None, 0.0) == []
    (status,) = border.rest(None, 1.0)
    assert isinstance(status, Status)
    assert said(status) == "Lay one card at a time on a reader."


# --- what passes over a reader, and what comes to rest --------------------------------------------------------------


def pass_over(bench: Bench, reader: int, uid: str, seconds: float, foreign: bool = False) -> list[Any]:
    """A tag is carried over a reader: as the link reports it, which tells 0.3 s later that it has gone."""
    told = bench.now(signals.TagOn(f"b/{reader}", uid, foreign)) + bench.wait(seconds)
    told += bench.now(signals.Sight(f"b/{reader}", False)) + bench.wait(0.3)
    told += bench.now(signals.TagOff(f"b/{reader}", uid, foreign))
    return [a for a in told + bench.wait(5.0) if not (isinstance(a, Status) and a.message is None)]


@pytest.mark.parametrize("seconds", [0.02, 0.12, 0.36])
@pytest.mark.parametrize("reader", [0, 1])
@pytest.mark.parametrize(
    ("uid", "foreign"), [(UID["red", 6], False), ("04AABBCC", False), ("08AABBCC", True)], ids=["red 6", "new", "phone"]
)
def test_what_passes_over_a_reader_is_nothing_and_nobodys_mistake(
    bench: Bench, reader: int, seconds: float, uid: str, foreign: bool
) -> None:
    """But for the click, which says that it was heard. What comes to rest then is locked in."""
    before = bench.table.snapshot()
    bench.devices.calls.clear()
    assert pass_over(bench, reader, uid, seconds, foreign) == []
    assert bench.devices.calls == [("sound", f"b/{reader}", "click")]
    assert bench.table.snapshot() == before
    (outcome,) = bench.lay(0, UID["red", 3])
    assert said(outcome) == "Ana has locked in."
    assert bench.table._now.state.locks == {"red": 3}


def test_a_card_counts_when_it_has_lain_for_as_long_as_the_setting_says(bench: Bench) -> None:
    for dwell in (0.0, 0.4, 2.0):
        bench.border.dwell = dwell
        assert bench.now(signals.TagOn("b/0", UID["red", 3], False)) == []
        assert bench.border.due() == bench.clock + dwell
        assert bench.wait(dwell - 0.001) == []
        (do,) = bench.wait(0.002)
        assert do.gesture == Laid("red", "red", 3)
        bench.now(signals.TagOff("b/0", UID["red", 3], False))


def test_a_weak_card_counts_once_it_was_seen_for_long_enough(bench: Bench) -> None:
    """It flickers: what the reader does not see of it does not count, and does not begin it anew."""
    assert bench.now(signals.TagOn("b/0", UID["red", 3], False)) + bench.wait(0.3) == []
    for seen in (False, True):
        bench.now(signals.Sight("b/0", seen))
        assert bench.wait(0.25 if not seen else 0.14) == []
    (do,) = bench.wait(0.02)
    assert do.gesture == Laid("red", "red", 3)


def test_another_card_on_the_way_begins_anew(bench: Bench) -> None:
    """A reader says that one has gone and the other has come; only the second one comes to rest."""
    bench.now(signals.TagOn("b/0", UID["red", 6], False))
    assert bench.wait(0.3) == []
    bench.now(signals.TagOff("b/0", UID["red", 6], False))
    bench.now(signals.TagOn("b/0", UID["red", 3], False))
    assert bench.wait(0.3) == []
    (do,) = bench.wait(0.2)
    assert do.gesture == Laid("red", "red", 3)


def test_four_cards_that_are_laid_at_once_count_each_for_itself() -> None:
    bench = Bench()
    bench.hear(signals.BoardReady("b", "0.1", 4, 0))
    bench.border.bind({"b/0": "red", "b/1": "blue", "b/2": "red", "b/3": "blue"})
    for reader, uid in ((0, UID["red", 1]), (1, UID["blue", 2]), (3, UID["blue", 5])):
        bench.now(signals.TagOn(f"b/{reader}", uid, False))
        bench.wait(0.05)
    assert [do.gesture.card for do in bench.wait(1.0)] == [1, 2, 5]


@pytest.mark.parametrize("trouble", [signals.LinkLost("b", "p", signals.UNPLUGGED), signals.Health("b/0", "absent")])
def test_a_card_whose_reader_is_gone_before_it_counts_does_not_count(bench: Bench, trouble: signals.Signal) -> None:
    """Nobody knows whether it lay still."""
    bench.now(signals.TagOn("b/0", UID["red", 3], False))
    bench.now(trouble)
    assert bench.wait(5.0) == []


def test_a_reader_that_sees_no_card_leave_takes_what_it_is_shown(bench: Bench) -> None:
    bench.now(signals.BoardReady("b", "0.1", 2, 0, places=(
        signals.Place("reader", 0, presence=False), signals.Place("reader", 1))))
    for card in (6, 3):
        (do,) = bench.now(signals.TagOn("b/0", UID["red", card], False))
        assert bench.ask(do).kind == "done"
        bench.now(signals.TagOff("b/0", UID["red", card], False))
    assert bench.table._now.state.locks == {"red": 3}


def collide(bench: Bench, uid: str, seconds: float) -> list[Any]:
    """A second card comes to the one that lies on reader 0 and goes after some seconds: as the link reports it."""
    told = bench.now(signals.TagOff("b/0", uid, False)) + bench.now(signals.Collision("b/0")) + bench.wait(seconds)
    told += bench.now(signals.TagOn("b/0", uid, False))
    return [a for a in told + bench.wait(5.0) if not (isinstance(a, Status) and a.message is None)]


@pytest.mark.parametrize("held", [False, True])
def test_a_card_that_slides_over_another_leaves_it_as_it_was(bench: Bench, held: bool) -> None:
    """Nobody is told off, and nothing is locked in once more."""
    bench.lay(0, UID["red", 4])
    if held:
        bench.lay(1, UID["blue", 1])
    before = bench.table.snapshot()
    assert collide(bench, UID["red", 4], 0.2) == []
    assert bench.table.snapshot() == before


def test_a_card_that_slides_over_the_one_in_play_ends_no_turn(bench: Bench) -> None:
    play_locks(bench, {"red": 4, "blue": 2})
    before = bench.table.snapshot()
    assert collide(bench, UID["red", 4], 0.2) == []
    assert bench.table.snapshot() == before


def test_two_cards_that_stay_are_told_each_time(bench: Bench) -> None:
    """The second time is news again: the voice says a text once until it is over."""
    for _ in range(2):
        (told,) = collide(bench, UID["red", 4], 1.0)[:1]
        assert said(told) == "Ana, lay one card at a time."
    bench.now(signals.Collision("b/0"))
    first = bench.wait(5.0)
    bench.now(signals.Collision("b/0"))
    assert [s.message is None for s in first + bench.wait(1.0)] == [False, True, False]


def test_of_two_cards_the_one_that_stays_counts(bench: Bench) -> None:
    """The lower one was locked in, and the upper one is left: it replaces it."""
    bench.lay(0, UID["red", 4])
    bench.now(signals.TagOff("b/0", UID["red", 4], False))
    bench.now(signals.Collision("b/0"))
    bench.wait(1.0)
    answers = bench.hear(signals.TagOn("b/0", UID["red", 5], False))
    (do,) = [a for a in answers if isinstance(a, Do)]
    bench.ask(do)
    assert bench.table._now.state.locks == {"red": 5}


def test_the_first_of_two_that_one_hand_lays_counts_once_it_lies_alone(bench: Bench) -> None:
    """It had not counted when the second came."""
    bench.now(signals.TagOn("b/0", UID["red", 4], False))
    bench.wait(0.2)
    told = collide(bench, UID["red", 4], 0.2)
    assert [a.gesture for a in told] == [Laid("red", "red", 4)]


def test_a_card_that_comes_to_rest_as_a_round_begins_is_not_asked_away(bench: Bench) -> None:
    play_locks(bench, {"red": 4, "blue": 2})
    for reader, seat in enumerate(SEATS):
        bench.now(signals.TagOff(f"b/{reader}", UID[seat, 4 if reader == 0 else 2], False))
    while len(bench.table.snapshot().awaited) and bench.table.snapshot().view["phase"] == "resolve":
        bench.now(signals.TagOff("b/0", UID["red", 5], False))
        bench.now(signals.TagOn("b/0", UID["red", 5], False))
        now = bench.table.snapshot()
        told = bench.border.outcome(bench.table.request(Play(now.choices[-1], now.seen)), bench.clock)
    assert [said(s) for s in told if s.message] == []
    (do,) = bench.wait(1.0)
    assert bench.ask(do).kind == "done"


def test_a_gesture_says_how_long_after_the_last_answer_it_began(bench: Bench) -> None:
    """A card that was on its way when the question was asked is no answer to it, however long it takes to count."""
    bench.now(signals.TagOn("b/0", UID["red", 3], False))
    bench.wait(0.3)
    bench.border.outcome(Outcome("refused", bench.table.snapshot()), bench.clock)
    (do,) = bench.wait(1.0)
    assert do.since == pytest.approx(-0.3)
    (press,) = [a for a in bench.now(signals.Press("gpio/0", 1)) if isinstance(a, Do)]
    assert press.since == pytest.approx(1.0)


# --- a reader and a panel of one place ------------------------------------------------------------------------------


def test_a_stuck_button_and_a_card_are_told_each_for_itself() -> None:
    """They have one name, and a card that is laid makes no button well."""
    bench = Bench()
    bench.hear(signals.BoardReady("b", "0.1", 2, 2))

    def rows() -> list[list[str]]:
        bench.border._listed = {}
        news = bench.border.news()
        assert news is not None
        return [[row["state"] for row in news.data[kind]] for kind in ("readers", "panels")]

    stuck = [status for button in (3, 4) for status in bench.hear(signals.Stuck("b/0", button))]
    (card,) = bench.hear(signals.TagOn("b/0", "08AABBCC", True))
    (health,) = bench.hear(signals.Health("b/0", "absent"))
    assert len({status.key for status in (*stuck, card, health)}) == 4
    assert rows() == [["lost", "ok"], ["lost", "ok"]]
    bench.hear(signals.Health("b/0", "ok"))
    over = [s for signal in (signals.TagOff("b/0", "08AABBCC", True), signals.TagOn("b/0", UID["red", 1], False))
            for s in bench.hear(signal)]  # fmt: skip
    assert {s.key for s in over if isinstance(s, Status)} == {card.key}
    assert rows() == [["ok", "ok"], ["lost", "ok"]]
    assert bench.hear(signals.Release("b/0", 3)) == [Status(stuck[0].key, "device", None)]
    assert rows() == [["ok", "ok"], ["lost", "ok"]], "the other one is still stuck"
    assert bench.hear(signals.Release("b/0", 4)) == [Status(stuck[1].key, "device", None)]
    assert rows() == [["ok", "ok"], ["ok", "ok"]]


# --- what no hand does ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("a_second", [14, 50, 1000])
@pytest.mark.parametrize("listens", ["", "seats", "test"])
def test_a_panel_that_presses_by_itself_counts_once_and_is_named_once(a_second: int, listens: str) -> None:
    bench = Bench(panels=2)
    bench.border.listen(listens, None)
    bench.panels.calls.clear()
    told: list[Any] = []
    for n in range(10 * a_second):
        told += bench.now(signals.Press("gpio/1", n % 7 + 1)) + bench.now(signals.Release("gpio/1", n % 7 + 1))
        told += bench.wait(1 / a_second)
    (fault,) = [a for a in told if isinstance(a, Status)]
    assert said(fault) == "The buttons of Bruno press by themselves. Check their wiring, or choose here."
    assert len([a for a in told if isinstance(a, Do) or (isinstance(a, Touched) and a.down)]) == 1
    assert [call for call in bench.panels.calls if call[0] == "sound"] == [("sound", "gpio/1", "click")]
    news = bench.border.news()
    assert news is not None
    assert [row["state"] for row in news.data["panels"]] == ["ok", "lost"]
    bench.wait(1.0)
    over = bench.now(signals.Press("gpio/1", 2))
    assert bench.border.news().data["panels"][1]["state"] == "ok"  # type: ignore[union-attr]
    if not listens:
        assert over == [Status(fault.key, "device", None), Do(Pressed("blue", 2), over[-1].since)]


def test_two_buttons_that_one_hand_meets_are_one_press() -> None:
    bench = Bench(panels=2)
    (first,) = bench.now(signals.Press("gpio/0", 3))
    bench.wait(0.02)
    assert bench.now(signals.Press("gpio/0", 4)) == []
    (other,) = bench.now(signals.Press("gpio/1", 5))
    assert (first.gesture, other.gesture) == (Pressed("red", 3), Pressed("blue", 5))
    bench.wait(0.1)
    assert bench.now(signals.Press("gpio/0", 4))[0].gesture == Pressed("red", 4), "as fast as a finger can"


def test_a_reader_that_reports_collisions_without_end_is_told_now_and_then(bench: Bench) -> None:
    told: list[Any] = []
    for _ in range(100):
        told += bench.now(signals.Collision("b/0"))
        told += bench.wait(0.3)
    assert 1 <= len([s for s in told if s.message]) <= 30.0 / border.AGAIN + 1


def test_a_chip_that_is_deaf_again_and_again_is_told_now_and_then(bench: Bench) -> None:
    """Each time it is news, but nobody hears fifty a second."""
    told: list[Any] = []
    for n in range(100):
        told += bench.now(signals.Health("b/0", ("deaf", "ok")[n % 2]))
        bench.wait(0.1)
    assert 1 <= len([s for s in told if s.message]) <= 10.0 / border.AGAIN + 1
    bench.wait(60.0)
    assert [s.message is None for s in bench.now(signals.Health("b/0", "deaf"))] == [True, False]


def test_a_flood_is_told_with_the_seats_of_its_board_and_what_to_do() -> None:
    bench = Bench(panels=2)
    (status,) = bench.hear(signals.LinkLost("b", "p", signals.FLOODED))
    assert said(status) == (
        "The board of Ana and Bruno is shut out. More comes from it than hands can do. Unplug it, check its wiring, "
        "and plug it in again. Meanwhile, choose here.")  # fmt: skip
