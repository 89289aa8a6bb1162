"""Setting up on the screen: whose is whose, teach the cards, test. By real touches and signals of devices."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from companion.games.sir_holland.state import CARDS, COLOURS
from companion.table import places
from companion.table.ports import Bind, Listen, SayThis, Show
from companion.ui.screens.teach import ALL
from companion.wording import Wording
from hardware import signals
from tests.ui import positions
from tests.ui.doors import opened, playing
from tests.ui.engine import House

UID = {card: f"04{at:02X}B2000000" for at, card in enumerate(ALL)}


class Devices:
    def __init__(self) -> None:
        self.shown: list[tuple[str, str]] = []
        self.played: list[tuple[str, str]] = []

    def light(self, place: str, pattern: str) -> None:
        self.shown.append((place, pattern))

    def sound(self, place: str, name: str) -> None:
        self.played.append((place, name))


TIME = itertools.count(1e6, 3.0)


def hear(house: House, signal: signals.Signal) -> None:
    """A signal of a device, and time enough for it to count."""
    at = next(TIME)
    house.engine._signal(signal, at)
    house.engine.tick(at + 2.0)


def plug(house: House, s: Any, readers: int = 4, pins: int = 0, dark: frozenset[int] = frozenset()) -> Devices:
    """A board with readers, and panels on the Pi's pins."""
    devices = Devices()
    house.engine._border.attach(readers=devices, panels=devices, pins=places.pins("LGPIOFactory", 30) if pins else None)
    for board, kind, many in (("b0a2", "reader", readers), ("gpio", "panel", pins)):
        there = tuple(signals.Place(kind, n, light=n not in dark, buttons=7) for n in range(many))
        if there:
            hear(house, signals.BoardReady(board, "0.5", readers, pins, places=there))
    s.settle()
    return devices


def lay(house: House, s: Any, reader: int, uid: str = "04AA", foreign: bool = False) -> None:
    hear(house, signals.TagOn(f"b0a2/{reader}", uid, foreign))
    s.settle()
    hear(house, signals.TagOff(f"b0a2/{reader}", uid, foreign))
    s.settle()


def press(house: House, s: Any, panel: str, button: int) -> None:
    hear(house, signals.Press(panel, button))
    s.settle()
    hear(house, signals.Release(panel, button))
    s.settle()


def head(s: Any) -> tuple[str, str]:
    return s.root.screen.head.sentence, s.root.screen.head.sub


def through_the_door(s: Any, text: str) -> None:
    s.root.open("devices")
    s.settle()
    s.press(text)


# --- whose is whose ---------------------------------------------------------------------------------------------------


def test_every_seat_lays_a_card(open_window) -> None:
    house, s = opened(open_window)
    devices = plug(house, s)
    through_the_door(s, "Whose is whose")
    mixed = dict(zip(COLOURS, (2, 0, 3, 1), strict=True))
    for seat, reader in mixed.items():
        assert head(s)[0] == f"{seat.title()}: lay any card on your reader."
        assert s.button(seat.title()).lit and not s.button("Done").lit
        lay(house, s, reader)
        assert devices.shown[-1] == (f"b0a2/{reader}", "locked")
    assert head(s)[0] == "Every seat has been asked."
    assert s.button("Done").lit
    assert house.store.settings()["devices"] == {f"b0a2/{reader}": seat for seat, reader in mixed.items()}
    s.press("Done")
    assert s.screen == "devices"
    assert house.sent[-1] == Listen()


def test_readers_first_then_buttons(open_window) -> None:
    house, s = opened(open_window)
    plug(house, s, readers=1, pins=2)
    through_the_door(s, "Whose is whose")
    lay(house, s, 0)
    assert head(s)[0].startswith("Blue: lay")
    for _ in range(3):
        s.press("Skip")
    assert head(s)[0] == "Red: press any of your buttons."
    press(house, s, "gpio/1", 6)
    assert head(s)[0].startswith("Blue: press")
    assert s.button("Red").sub == "reader and buttons"
    s.press("Again")
    assert head(s)[0].startswith("Red: press")
    assert house.store.settings()["devices"] == {"b0a2/0": "red"}
    s.tap(s.button("Yellow"))
    assert head(s)[0].startswith("Yellow: press")


def test_a_reader_that_was_given_is_moved_by_once_more(open_window) -> None:
    house, s = opened(open_window)
    devices = plug(house, s)
    through_the_door(s, "Whose is whose")
    lay(house, s, 0)
    lay(house, s, 0)
    assert head(s)[1] == "That is the place of Red already. Once more moves it."
    assert devices.shown[-1] == ("b0a2/0", "refused") and devices.played[-1] == ("b0a2/0", "refused")
    lay(house, s, 0)
    assert house.store.settings()["devices"] == {"b0a2/0": "blue"}


def test_over_a_game_nothing_is_played(open_window) -> None:
    """Only its seats are asked, by the names of the people; hands and locks are what they were."""
    house, s = playing(open_window)
    plug(house, s)
    for card, uid in UID.items():
        house.send(Bind(uid, *card))
    s.settle()
    before = house.table.snapshot()
    through_the_door(s, "Whose is whose")
    assert head(s)[0] == "Ana: lay any card on your reader."
    for reader in range(4):
        lay(house, s, reader, UID["red", 2])
    assert house.table.snapshot() == before
    assert not [w for w in s.texts() if "Chase" in w]
    s.press("Done")
    s.press("Done")
    assert s.screen == "choose"
    lay(house, s, 0, UID["red", 2])
    assert house.table.snapshot().view["locked"] == ["red"]


def test_nothing_is_plugged_in_yet(open_window) -> None:
    house, s = opened(open_window)
    through_the_door(s, "Whose is whose")
    assert head(s)[0] == "Red: lay any card on your reader, or press any of your buttons."
    assert head(s)[1].startswith("Nothing is plugged in yet.")
    plug(house, s)
    assert head(s)[0] == "Red: lay any card on your reader."
    for _ in COLOURS:
        s.press("Skip")
    assert s.button("Done").lit


def test_it_stays_where_it_was_when_a_setting_builds_the_screen_anew(open_window) -> None:
    house, s = opened(open_window)
    plug(house, s)
    through_the_door(s, "Whose is whose")
    lay(house, s, 0)
    s.root.change_language("pt")
    s.settle()
    assert head(s)[0].startswith("Azul: ")
    assert [r for r in house.sent if isinstance(r, Listen)][-1] == Listen("seats")
    lay(house, s, 1)
    assert house.store.settings()["devices"] == {"b0a2/0": "red", "b0a2/1": "blue"}


# --- teach the cards --------------------------------------------------------------------------------------------------


def tile(s: Any, card: tuple[str, int]) -> Any:
    return s.root.screen.tiles[card]


def test_twenty_eight_cards_without_a_touch_of_the_screen(open_window) -> None:
    house, s = opened(open_window)
    plug(house, s)
    through_the_door(s, "Teach the cards")
    words = Wording("en", lambda kind, value: None)
    for at, card in enumerate(ALL):
        owner, number = card
        assert head(s)[0].startswith(f"{owner.title()}: lay {number} (")
        assert tile(s, card).lit
        lay(house, s, at % 4, UID[card])
        assert tile(s, card).stickers == 1
    assert head(s)[0] == "All 28 cards have their sticker."
    assert house.store.box() == {uid: card for card, uid in UID.items()}
    spoken = [words(m) for r in house.sent if isinstance(r, SayThis) for m in r.messages]
    assert spoken[:3] == ["Red: lay 1 on any reader.", "Red: 2.", "Red: 3."]
    assert spoken[-1] == "All 28 cards have their sticker."
    assert s.button("Done").lit


def test_what_can_go_wrong_is_said_with_light_sound_and_voice(open_window) -> None:
    house, s = opened(open_window)
    devices = plug(house, s)
    through_the_door(s, "Teach the cards")
    lay(house, s, 1, "08AABBCC", foreign=True)
    assert "Its number is not its own" in head(s)[1]
    assert devices.shown[-1] == ("b0a2/1", "refused") and devices.played[-1] == ("b0a2/1", "refused")
    assert "phone" in next(r for r in reversed(house.sent) if isinstance(r, SayThis)).messages[0].id
    lay(house, s, 1, "04AA")
    lay(house, s, 1, "04AA")
    assert head(s)[1] == "This sticker is 1 (Hide) of Red already. Lay it again to move it."
    lay(house, s, 1, "04AA")
    assert house.store.box() == {"04AA": ("red", 2)}
    s.tap(tile(s, ("red", 2)))
    lay(house, s, 1, "04BB")
    assert head(s)[1] == "2 (Chase) of Red has two stickers now. Both count."
    assert tile(s, ("red", 2)).stickers == 2


def test_any_card_by_a_touch_skip_back_and_again(open_window) -> None:
    house, s = opened(open_window)
    plug(house, s)
    through_the_door(s, "Teach the cards")
    s.press("Skip")
    assert head(s)[0].startswith("Red: lay 2")
    s.press("Back")
    assert head(s)[0].startswith("Red: lay 1")
    s.tap(tile(s, ("green", 5)))
    assert head(s)[0].startswith("Green: lay 5")
    lay(house, s, 0)
    assert head(s)[0].startswith("Green: lay 6")
    s.press("Again")
    assert head(s)[0].startswith("Green: lay 5")
    assert house.store.box() == {}


def test_a_box_that_is_known_is_taught_from_the_start(open_window) -> None:
    house, s = opened(open_window)
    plug(house, s)
    for card, uid in UID.items():
        house.send(Bind(uid, *card))
    through_the_door(s, "Teach the cards")
    assert head(s) == ("All 28 cards have their sticker.", "Touch a card to give it another sticker.")
    s.press("From the start")
    for card in ALL[:3]:
        assert tile(s, card).lit
        lay(house, s, 0, UID[card])
    assert head(s)[0].startswith("Red: lay 4")


def test_teaching_without_a_reader_says_so(open_window) -> None:
    _house, s = opened(open_window)
    through_the_door(s, "Teach the cards")
    assert head(s)[1] == "No reader is there. Plug one in, then lay the card."


# --- test -------------------------------------------------------------------------------------------------------------


def test_buttons_light_their_tiles_and_readers_their_lamps(open_window) -> None:
    house, s = opened(open_window)
    devices = plug(house, s, readers=1, pins=1)
    through_the_door(s, "Test")
    assert head(s)[1] == "1 reader has seen no card yet. 1 panel was not pressed yet."
    reader, panel = s.all(lambda w: type(w).__name__ == "Device")
    for number in CARDS:
        hear(house, signals.Press("gpio/0", number))
        s.settle()
        assert [n for n, t in panel.tiles.items() if t.down] == [number]
        hear(house, signals.Release("gpio/0", number))
        s.settle()
    assert all(t.seen and not t.down for t in panel.tiles.values())
    assert (panel.mark.art, reader.mark.art) == ("mark_panel_ok", "mark_wait")  # nothing is known of the reader
    assert head(s)[1] == "1 reader has seen no card yet."
    hear(house, signals.TagOn("b0a2/0", "04AA", False))
    s.settle()
    assert reader.tiles[0].down and devices.shown[-1] == ("b0a2/0", "find")
    assert head(s) == ("Each of them was seen to work.", "Pins of the Pi: LGPIOFactory. A press counts after 30 ms.")
    hear(house, signals.TagOff("b0a2/0", "04AA", False))
    s.settle()
    assert devices.shown[-1] == ("b0a2/0", "off")
    assert s.screen == "device_test"  # seven presses of a panel: no knock


def test_a_touch_shows_each_light_in_turn(open_window) -> None:
    house, s = opened(open_window)
    devices = plug(house, s, readers=1)
    through_the_door(s, "Test")
    (reader,) = s.all(lambda w: type(w).__name__ == "Device")
    for _ in range(7):
        s.tap(reader)
    shown = [pattern for place, pattern in devices.shown if place == "b0a2/0"]
    assert shown == ["find", "waiting", "locked", "refused", "turn", "gryphon", "off"]
    assert Show("b0a2/0", "find") in house.sent


def test_where_no_light_is_wired_none_is_shown(open_window) -> None:
    house, s = opened(open_window)
    devices = plug(house, s, readers=1, pins=2, dark=frozenset({0}))
    through_the_door(s, "Test")
    reader, panel, lit = s.all(lambda w: type(w).__name__ == "Device")
    s.tap(reader)
    s.tap(panel)
    hear(house, signals.TagOn("b0a2/0", "04AA", False))
    s.settle()
    assert [(d.light.text, d.off) for d in (reader, panel)] == [("No light", True)] * 2
    s.tap(lit)
    assert lit.light.text == "Light: here I am"
    assert [sent.device for sent in house.sent if isinstance(sent, Show)] == ["b0a2/0", "gpio/1"]
    assert devices.shown[-1] == ("gpio/1", "find")


def test_a_card_that_lies_there_already_is_seen(open_window) -> None:
    house, s = opened(open_window)
    plug(house, s, readers=1)
    hear(house, signals.TagLying("b0a2/0", "04AA", False))
    through_the_door(s, "Test")
    (reader,) = s.all(lambda w: type(w).__name__ == "Device")
    assert reader.tiles[0].down and reader.tiles[0].text == "A card is here"


@pytest.mark.parametrize("door", ["Whose is whose", "Teach the cards", "Test"])
def test_lights_are_the_tables_again_afterwards(open_window, door: str) -> None:
    house, s = playing(open_window, positions.choosing())
    devices = plug(house, s)
    through_the_door(s, door)
    lay(house, s, 0)
    devices.shown.clear()
    s.press("Done")
    assert dict(devices.shown) == {f"b0a2/{n}": "waiting" for n in range(4)}
