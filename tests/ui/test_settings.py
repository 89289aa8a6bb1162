"""Settings, house rules, the touch test, devices, about: by real touches."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from kivy.core.window import Window

from companion.border import DWELL, KNOCKS, Border
from companion.games import find_game
from companion.games.base import msg
from companion.games.sir_holland.state import Lock
from companion.table.ports import Change, ListOutputs, Play, PutRight, SayThis, Status
from companion.ui import words
from companion.ui.screens import touch_test
from companion.ui.screens.settings import READERS, SETTINGS
from companion.ui.screens.sheets import MenuSheet
from companion.ui.theme import look
from companion.ui.touchfit import TURNS, fit, moved
from hardware import signals
from tests.doors_scenes import DEVICES
from tests.ui.doors import opened, playing, tapped

GAME = find_game("sir-holland")
assert GAME is not None
BOOK = GAME.rulebook


def _settings(open_window: Any, **settings: Any) -> tuple[Any, Any]:
    house, s = opened(open_window, **settings)
    s.press("Settings")
    return house, s


# --- settings -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda s: s.key)
def test_every_value_is_chosen_and_kept_at_once(open_window, setting: Any) -> None:
    house, s = _settings(open_window)
    for value in (*setting.values[1:], setting.values[0]):
        s.tap(s.button(words.say(setting.name)))
        tapped(s, words.say(value.text))
        assert house.sent[-1] == Change({setting.key: value.value})
        assert house.settings[setting.key] == value.value
        chosen = [w.text for w in s.walk() if getattr(w, "chosen", False)]
        assert chosen == [words.say(value.text)]
        s.press("Done")
        assert s.screen == "settings"
        assert s.button(words.say(setting.name)).sub == words.say(value.text)
    s.press("Done")
    assert s.screen == "start"


def test_the_default_is_what_counts_without_a_setting(open_window) -> None:
    _house, s = _settings(open_window)
    for setting in SETTINGS:
        default = next(v for v in setting.values if v.value == setting.default)
        assert s.button(words.say(setting.name)).sub == words.say(default.text)


def test_when_a_card_counts_is_asked_where_there_are_readers(open_window) -> None:
    house, s = opened(open_window)
    s.press("Settings")
    assert not any(getattr(w, "text", "") == "Readers" for w in s.walk())
    s.press("Done")
    house.say(Status("devices", "devices", None, DEVICES))
    s.settle()
    s.press("Settings")
    assert READERS.default == DWELL
    assert s.button("Readers").sub == "After half a second"
    for value in READERS.values:
        s.press("Readers")
        tapped(s, words.say(value.text))
        assert house.sent[-1] == Change({"dwell": value.value})
        assert house.engine._border.dwell == value.value
        s.press("Done")


def test_looks_change_at_once(open_window) -> None:
    _house, s = _settings(open_window)
    s.press("Colours")
    tapped(s, "Light")
    assert look.theme == "light"
    assert s.screen == "settings"
    s.press("Done")
    s.press("Letters")
    tapped(s, "Very large")
    assert look.text == "huge"
    tapped(s, "Normal")
    s.press("Done")
    s.press("Motion")
    assert look.still
    assert s.button("Motion").sub == "off"


def test_language_and_voice(open_window) -> None:
    house, s = _settings(open_window)
    s.press("Language")
    tapped(s, "Português")
    assert house.settings["lang"] == "pt"
    assert s.root.screen.head.sentence == "Que idioma falamos?"
    s.press("Done")
    s.press("Sound")
    tapped(s, "Só os sons")
    assert house.sent[-1] == Change({"voice": False, "sounds": True})
    tapped(s, "Nada")
    assert house.sent[-1] == Change({"voice": False, "sounds": False})
    s.press("Done")
    assert s.button("Som").sub == "Nada"


@pytest.mark.parametrize("facing", [0, 90, 180, 270])
def test_the_side_that_is_touched_reads(open_window, facing: int) -> None:
    house, s = _settings(open_window)
    s.press("Reading side")
    side = s.root.screen.middle.children[0].children[-1].sides[facing]
    s.tap(side)
    assert house.settings["facing"] == facing
    assert look.facing == facing
    if facing:
        # from there, the same side again is where one sits now: nothing turns
        s.settle()
        near = s.root.screen.middle.children[0].children[-1].sides[0]
        assert near.chosen
        s.tap(near)
        assert look.facing == facing
    tapped(s, "Turn to whoever acts")
    assert house.sent[-1] == Change({"follow": True})


def test_settings_stay_open_while_the_game_goes_on(open_window) -> None:
    house, s = playing(open_window)
    s.tap(s.root.screen.head.ids.menu)
    s.press("Settings")
    s.press("Referee")
    house.send(Play(Lock("red", 2)))
    s.settle()
    tapped(s, "Strict")
    assert s.root.now.mode == "strict"
    s.press("Done")
    s.press("Done")
    assert s.screen == "choose"


# --- house rules ----------------------------------------------------------------------------------------------------


def _rules(s: Any) -> list[str]:
    return [w.text for w in s.walk() if type(w).__name__ == "Choice"]


def test_every_switch_has_its_page(open_window) -> None:
    _house, s = _settings(open_window)
    s.press("House rules")
    seen: list[str] = []
    while True:
        page = _rules(s)
        seen += page
        for text in page:
            tapped(s, text)
            switch = next(w for w in BOOK.switches if w.text == text)
            assert _rules(s) == list(switch.meanings)
            assert s.root.screen.head.sub == switch.source
            assert s.button("The rule").sub == switch.ruling
            s.press("Done")
            assert _rules(s) == page
        if not [b for b in s.buttons() if getattr(b, "text", "") == "More"]:
            break
        s.press("More")
    assert seen == [w.text for w in BOOK.switches]


def test_a_house_rule_leads_to_its_entry_and_back(open_window) -> None:
    _house, s = _settings(open_window)
    s.press("House rules")
    tapped(s, BOOK.switches[0].text)
    s.press("The rule")
    assert s.screen == "entry"
    assert s.root.screen.given["rule"] == BOOK.switches[0].ruling
    s.root.back()
    s.settle()
    assert s.screen == "house_rules"
    assert _rules(s) == list(BOOK.switches[0].meanings)


def test_a_house_rule_for_the_next_game(open_window) -> None:
    house, s = _settings(open_window)
    s.press("House rules")
    switch = BOOK.switches[0]
    tapped(s, switch.text)
    tapped(s, switch.meanings[1])
    assert house.settings["house_rules"] == {switch.id: switch.values[1]}
    s.press("Done")
    assert s.root.screen.head.sub == "1 is changed."
    tapped(s, switch.text)
    tapped(s, switch.meanings[0])
    assert house.settings["house_rules"] == {}


def test_in_a_game_everyone_has_to_agree(open_window) -> None:
    house, s = playing(open_window)
    house.send(Play(Lock("red", 2)))
    s.settle()
    s.root.open("house_rules")
    s.settle()
    switch = BOOK.switches[0]
    tapped(s, switch.text)
    tapped(s, switch.meanings[1])
    assert any("given back" in text for text in s.texts())
    assert not any(isinstance(r, PutRight) for r in house.sent)
    for seat in ("red", "blue", "green", "yellow"):
        s.tap(s.root.sheet.marks[seat])
    s.run_down()
    assert house.sent[-1] == PutRight({"rules": {switch.id: switch.values[1]}}, ("red", "blue", "green", "yellow"))
    assert s.root.now.view["rules"] == {switch.id: switch.values[1]}
    assert s.root.now.view["locked"] == []
    assert s.root.screen.head.sub
    assert house.settings.get("house_rules") is None
    # and back to what the rule book says
    tapped(s, switch.meanings[0])
    for seat in ("red", "blue", "green", "yellow"):
        s.tap(s.root.sheet.marks[seat])
    s.run_down()
    assert s.root.now.view["rules"] == {}


# --- touch test -----------------------------------------------------------------------------------------------------

Flip = Callable[[float, float], tuple[float, float]]
WRONG: dict[str, Flip] = {
    "agrees": lambda x, y: (x, y),
    "turned_180": lambda x, y: (1 - x, 1 - y),
    "turned_90": lambda x, y: (y, 1 - x),
    "turned_270": lambda x, y: (1 - y, x),
    "mirrored_x": lambda x, y: (1 - x, y),
    "mirrored_y": lambda x, y: (x, 1 - y),
    "swapped": lambda x, y: (y, x),
    "swapped_mirrored": lambda x, y: (1 - y, 1 - x),
}
"""What is wrong -> what a glass reports for a finger, as shares from the upper left."""


def _fingers(s: Any, flip: Flip) -> None:
    for x, y in list(s.root.screen.targets.spots):
        gx, gy = flip(x / s.root.width, 1 - y / s.root.height)
        s.touch(gx * Window.width, (1 - gy) * Window.height)


@pytest.mark.parametrize("wrong", WRONG)
def test_the_touch_test_says_what_is_wrong(open_window, wrong: str) -> None:
    _house, s = _settings(open_window)
    s.press("Touch test")
    _fingers(s, WRONG[wrong])
    found = s.root.screen.result
    assert found.name == wrong
    assert any(words.say(touch_test.FOUND[wrong]) in text for text in s.texts())
    text = " ".join(s.texts())
    assert (f'LIBINPUT_CALIBRATION_MATRIX}}="{found.numbers}"' in text) == (wrong != "agrees")
    # its buttons answer to the finger, wherever the glass reports it
    done = s.button("Done")
    x, y = done.to_window(*done.center)
    gx, gy = WRONG[wrong](x / Window.width, 1 - y / Window.height)
    s.touch(gx * Window.width, (1 - gy) * Window.height)
    assert s.screen == "settings"


@pytest.mark.parametrize("facing", [90, 180, 270])
def test_a_turned_screen_is_no_wrong_touch(open_window, facing: int) -> None:
    _house, s = _settings(open_window, facing=facing)
    s.press("Touch test")
    for spot in list(s.root.screen.targets.spots):
        s.touch(*s.root.screen.to_window(*spot))
    assert s.root.screen.result.name == "agrees"


def test_a_slipped_finger_fits_no_pattern(open_window) -> None:
    _house, s = _settings(open_window)
    s.press("Touch test")
    for x, y in ((100, 100), (110, 400), (700, 420), (120, 90), (650, 60)):
        s.touch(x, y)
    assert s.root.screen.result.name == "lost"
    s.press("Again")
    assert s.root.screen.raw == []


def test_the_touch_test_without_touch(open_window, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a key, by a panel's button; and it goes back by itself."""
    _house, s = playing(open_window)
    Window.dispatch("on_key_down", 290, 66, None, [])
    assert s.screen == "touch_test"
    Window.dispatch("on_key_down", 27, 41, None, [])
    assert s.screen == "choose"
    monkeypatch.setattr(touch_test, "PATIENCE", 0.05)
    s.root.take(Status("touch_test", "touch", None))
    assert s.screen == "touch_test"
    s.wait(lambda: s.screen == "choose")


def test_five_presses_of_one_button_ask_for_it() -> None:
    border, time = Border(), itertools.count()
    press = signals.Press("gpio/0", 3)
    for _ in range(2):
        answers = [border.signal(press, None, next(time)) for _ in range(KNOCKS)]
        assert answers[-1] == [Status("touch_test", "touch", None)]
        assert not any(answers[:-1])
    mixed = [border.signal(signals.Press("gpio/0", n), None, next(time)) for n in (1, 1, 1, 1, 2, 1, 1)]
    assert not any(mixed)


@pytest.mark.parametrize("name", TURNS)
def test_the_matrix_and_the_overlay_mend_it(name: str) -> None:
    targets = [(0.08, 0.1), (0.92, 0.1), (0.92, 0.9), (0.08, 0.9), (0.5, 0.5)]
    touches = [WRONG[name](*t) for t in targets]
    found = fit(targets, [(x + 0.01, y - 0.01) for x, y in touches])
    assert found.name == name
    for target, touch in zip(targets, touches, strict=True):
        assert moved(found.matrix, touch) == pytest.approx(target)
        # what the kernel does with these words: mirror, then swap
        x, y = touch
        x = 1 - x if "invx" in found.overlay else x
        y = 1 - y if "invy" in found.overlay else y
        assert ((y, x) if "swapxy" in found.overlay else (x, y)) == pytest.approx(target)


# --- devices, about -------------------------------------------------------------------------------------------------


def test_devices_are_shown_as_they_come_and_go(open_window) -> None:
    house, s = _settings(open_window)
    s.press("Devices")
    assert s.root.screen.head.sentence == "I see no reader and no buttons."
    house.say(Status("devices", "devices", None, DEVICES))
    s.settle()
    assert s.root.screen.head.sub == "1 device is silent."
    assert any("…2a2f/2" in text for text in s.texts())
    well = {kind: [{**d, "state": "ok", "text": None} for d in devices] for kind, devices in DEVICES.items()}
    house.say(Status("devices", "devices", None, well))
    s.settle()
    assert s.root.screen.head.sub == "All of it answers. Test shows whether it works."


def test_about_says_version_and_licence_and_where_games_are(open_window) -> None:
    from companion import __version__

    _house, s = _settings(open_window)
    s.press("About")
    text = " ".join(s.texts())
    assert f"Gryphon {__version__}" in text
    assert "MIT" in text
    assert "stay on this device" in text


def test_how_loud_and_where_it_is_heard(open_window) -> None:
    """Each is sent at once, and whoever chose it hears it; the list is asked for when it is opened."""
    house, s = opened(open_window)
    s.root.open("settings", page="sound")
    s.settle()
    s.press("How loud")
    tapped(s, "Soft")
    assert [Change({"volume": 45}), SayThis] == [house.sent[-2], type(house.sent[-1])]
    s.press("Done")
    s.press("Loudspeaker")
    assert house.sent[-1] == ListOutputs()
    found = [("", msg("As the system says")), ("plughw:CARD=Headphones,DEV=0", msg("Headphone socket"))]
    s.root.take(Status("outputs", "outputs", None, {"outputs": found}))
    s.settle()
    tapped(s, "Headphone socket")
    assert house.sent[-2] == Change({"output": "plughw:CARD=Headphones,DEV=0"})
    s.press("Done")
    s.press("First word")
    tapped(s, "Yes, a little")
    assert house.sent[-2] == Change({"lead": 1})


def test_the_menu_does_not_say_that_the_voice_is_on_where_there_is_no_sound(open_window) -> None:
    house, s = opened(open_window)
    s.root.take(Status("sound", "sound", msg("There is no sound.")))
    s.settle()
    s.root.open_sheet(MenuSheet(s.root))
    s.settle()
    assert "The voice is on" not in [getattr(b, "text", "") for b in s.buttons()]
    s.press("There is no sound")
    assert s.root.flow.screen == "settings" and s.root.screen.given["page"] == "sound"
    assert not [sent for sent in house.sent if isinstance(sent, Change)]
