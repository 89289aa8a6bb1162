"""History and replay by real touches: looking, playing, what-ifs, going on, giving up, texts in and out."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from companion import texts
from companion.games.sir_holland.state import Lock
from companion.table.ports import Abandon, Branch, Export, Import, ListGames, Play, Resume
from companion.ui import words
from companion.ui.screens.history import GameRow, day_in_words
from companion.ui.screens.replay import SPEEDS, Control
from companion.ui.steps import differences
from companion.ui.theme import look
from companion.wording import Wording
from tests import history_scenes
from tests.ui.engine import House


def _opened(open_window, lang: str = "en", size: tuple[int, int] = (800, 480), more: int = 0):
    house = House()
    s = open_window(house, lang, size)
    if more:
        history_scenes.filled(house, more)
    else:
        history_scenes.evening(house)
        house.open()
    s.settle()
    s.press("History")
    return house, s


def _rows(s) -> list[GameRow]:
    return s.all(lambda w: isinstance(w, GameRow))


def _control(s, sign: str) -> Control:
    return s.one(lambda w: isinstance(w, Control) and w.sign == sign)


def _replay(open_window, **kwargs):
    house, s = _opened(open_window, **kwargs)
    s.tap(_rows(s)[0])
    assert s.screen == "replay"
    return house, s


def _said(s) -> str:
    return " ".join(s.root.screen.words.sentences)


# --- the list ---------------------------------------------------------------------------------------------------


def test_the_list_says_who_when_and_what_became_of_it(open_window) -> None:
    house, s = _opened(open_window, more=6)
    assert ListGames() in house.sent
    first = _rows(s)
    assert [r.game.state for r in first[:3]] == ["open", "abandoned", "open"]
    assert {"Maria Clara", "Vó Cida", "Open, round 1", "Given up in round 1"} <= set(s.texts())
    assert any(text.startswith("Today, ") for text in s.texts())
    s.press("More")
    last = _rows(s)[-1]
    assert last.game.winner == "red"
    assert {"Ana won", "Bia", "November 29, 2025"} <= set(s.texts())
    seen = [r.game.number for r in first] + [r.game.number for r in _rows(s)]
    assert sorted(seen) == [1, 2, 3, 4, 5, 6, 7]
    s.press("Done")
    assert s.screen == "start"


def test_no_game_yet(open_window) -> None:
    s = open_window(House())
    s.house.open()
    s.settle()
    s.root.open("history")
    s.settle()
    assert "Every game that you play is kept here, by itself." in s.texts()
    s.press("Done")
    assert s.screen == "start"


@pytest.mark.parametrize(
    ("started", "en", "pt"),
    [
        ("2026-03-05T20:15:00+01:00", "Today, 20:15", "Hoje, 20:15"),
        ("2026-03-04T20:15:00", "Yesterday, 20:15", "Ontem, 20:15"),
        ("2026-02-28T09:05:00", "February 28, 09:05", "28 de fevereiro, 09:05"),
        ("2025-11-29T20:15:00", "November 29, 2025", "29 de novembro de 2025"),
    ],
)
def test_days_in_words(started: str, en: str, pt: str) -> None:
    message = day_in_words(started, date(2026, 3, 5))
    assert (Wording("en")(message), Wording("pt")(message)) == (en, pt)


# --- looking at a game ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(800, 480), (480, 800), (1280, 800)])
@pytest.mark.parametrize("lang", ["en", "pt"])
def test_step_by_step_there_and_back(open_window, lang: str, size: tuple[int, int]) -> None:
    _house, s = _replay(open_window, lang=lang, size=size)
    screen = s.root.screen
    assert screen.at == 0
    assert _control(s, "back").off
    scenes = screen.story.scenes
    shown = []
    for _ in range(8):
        shown.append((screen.scene, _said(s)))
        s.tap(_control(s, "on"))
        s.root.screen.tower.settle()
        assert screen.tower.figures == screen.scene.view["figures"]
    for scene, said in reversed(shown):
        s.tap(_control(s, "back"))
        assert (screen.scene, _said(s)) == (scene, said)
    tell = words.elsewhere("sir-holland", scenes[0].names)
    told = [tell(m) for i, step in enumerate(screen.steps) for m in step.messages if step.scene < 3]
    assert told == [tell(m) for scene in scenes[:3] for m in scene.messages], "nothing is left out"


def test_it_plays_at_speed_pauses_and_ends(open_window, monkeypatch: pytest.MonkeyPatch) -> None:
    _house, s = _replay(open_window)
    screen = s.root.screen
    monkeypatch.setattr("companion.ui.screens.replay.STEP", 0.02)
    monkeypatch.setattr("companion.ui.screens.replay.LETTER", 0.0)
    s.tap(_control(s, "play"))
    s.wait(lambda: screen.at >= 5)
    s.tap(_control(s, "pause"))
    at = screen.at
    for _ in range(10):
        s.settle(1)
    assert screen.at == at
    assert _control(s, "play").lit
    s.tap(screen.faster)
    assert screen.faster.text == "2×"
    screen._seek(len(screen.steps) - 6)
    s.tap(_control(s, "play"))
    s.wait(lambda: screen.at == len(screen.steps) - 1)
    assert _control(s, "on").off
    assert screen.done.lit and not _control(s, "play").lit
    assert screen.head.sentence == "Ana wins!"
    assert screen.head.seat == "red"
    s.tap(_control(s, "play"))
    s.wait(lambda: screen.at < 20)


def test_play_shows_the_next_step_at_once(open_window, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.ui.screens.replay.STEP", 600.0)
    _house, s = _replay(open_window)
    screen = s.root.screen
    screen._seek(3)
    s.tap(_control(s, "play"))
    assert screen.at == 4
    assert screen._clock is not None


def test_every_touch_takes_the_next_speed_and_at_last_the_first_again(open_window) -> None:
    _house, s = _replay(open_window)
    said = []
    for _ in SPEEDS:
        said.append(s.root.screen.faster.text)
        s.tap(s.root.screen.faster)
    assert said == ["1×", "2×", "4×", "½×"]
    assert s.root.screen.faster.text == "1×"


def test_what_plays_stops_when_the_screen_is_left(open_window) -> None:
    _house, s = _replay(open_window)
    screen = s.root.screen
    s.tap(_control(s, "play"))
    s.press("Done")
    assert s.screen == "history"
    assert screen._clock is None


def test_a_finger_on_the_track_goes_to_a_round(open_window) -> None:
    _house, s = _replay(open_window)
    screen, track = s.root.screen, s.root.screen.track
    assert [n for _step, n in track.rounds] == [1, 2, 3, 4, 5, 6]
    step, _number = track.rounds[3]
    x, y = track.to_window(track._x(step), track.center_y)
    s.touch(x, y)
    assert screen.at == step
    assert screen.scene.view["round"] == 4
    assert screen.head.sentence == "Round 4. Everyone chooses a card."


def test_marks_are_shown_with_what_they_changed(open_window) -> None:
    _house, s = _replay(open_window)
    screen = s.root.screen
    found = {}
    for at in range(len(screen.steps)):
        if screen.story.scenes[screen.steps[at].scene].mark:
            screen._seek(at)
            found[screen.scene.mark] = (screen.head.sub.split(".")[0], screen.panel.edge, tuple(screen.tower.picked))
    assert found == {
        "seat": ("Somebody else plays", "", ()),
        "taken_back": ("Taken back", "refuse", ("b3", "c3")),
        "put_right": ("Put right", "refuse", ()),
        "stands": ("Against the rule, but it stood", "refuse", ("a2", "a3")),
    }
    assert len(screen.track.marks) == 4


def test_what_was_put_right_is_said() -> None:
    before = {"figures": {"red.1": "a1", "red.2": "b1"}, "lying": ["red.2"], "tower": ["W"], "gryphon": "red",
              "seats": ["red"], "hands": {"red": [1, 7]}, "rests": {"red": 0}, "rules": {}}  # fmt: skip
    after = before | {"figures": {"red.1": "a2", "red.2": "b1"}, "lying": ["red.1"], "gryphon": "blue"}
    after |= {"hands": {"red": [7]}, "rests": {"red": 1}, "tower": ["R"]}
    say = words.elsewhere("sir-holland", {"red": "Ana"})
    assert [say(m) for m in differences(before, after)] == [
        "Red 1 is on a2 now.",
        "Lying now: Red 1.",
        "Standing now: Red 2.",
        "Cards of the tower lie in another way now.",
        "The gryphon is with Blue now.",
        "Ana holds 7 now.",
        "Rests of Ana: 1.",
    ]
    assert differences(before, before) == []


def test_the_step_stays_when_theme_or_language_change(open_window) -> None:
    _house, s = _replay(open_window)
    s.root.screen._seek(30)
    seq = s.root.screen.scene.seq
    s.root.change_language("pt")
    s.settle()
    assert s.root.screen.scene.seq == seq
    assert "Rodada" in s.root.screen.head.sentence
    s.root.change_language("en")


def test_still_motion_plays_too(open_window) -> None:
    _house, s = _replay(open_window)
    look.still = True
    for _ in range(6):
        s.tap(_control(s, "on"))
    look.still = False
    assert s.root.screen.at == 6


# --- from here --------------------------------------------------------------------------------------------------


def test_a_what_if_opens_the_table_in_a_sandbox(open_window) -> None:
    house, s = _replay(open_window)
    step, _number = s.root.screen.track.rounds[2]
    s.root.screen._seek(step)
    view, seq = s.root.screen.scene.view, s.root.screen.scene.seq
    s.press("What if?")
    assert house.sent[-1] == Branch(1, seq)
    assert s.screen == "choose"
    assert s.root.now.sandbox
    assert s.root.now.view == view
    house.send(Play(Lock("red", 3)))
    s.settle()
    assert s.root.now.view["locked"] == ["red"]
    assert len(house.store.games()) == 1
    s.root.open_menu()
    s.settle()
    s.press("End the what-if")
    s.settle()
    # back at the step that it was opened from
    assert s.screen == "replay"
    assert s.root.now is None
    assert s.root.screen.scene.seq == seq


def test_a_what_if_in_the_middle_of_a_turn(open_window) -> None:
    _house, s = _replay(open_window)
    at = next(i for i, n in enumerate(s.root.screen.steps) if s.root.screen.story.scenes[n.scene].view["turn"])
    s.root.screen._seek(at)
    s.press("What if?")
    assert s.screen == "turn"
    assert s.root.now.sandbox


def test_an_open_game_is_gone_on_with(open_window) -> None:
    house, s = _replay(open_window, more=1)
    s.press("More")
    s.press("Go on with this game")
    assert house.sent[-1] == Resume(2)
    assert s.screen == "turn"
    assert s.root.now.number == 2
    assert not s.root.now.sandbox


def test_giving_up_takes_a_second_touch_at_another_place(open_window) -> None:
    house, s = _replay(open_window, more=1)
    s.press("More")
    first = s.button("End it for good")
    box = (*first.to_window(*first.pos), *first.size)
    s.tap(first)
    assert Abandon(2) not in house.sent
    second = s.button("Yes, end it")
    x, y = second.to_window(*second.pos)
    assert x >= box[0] + box[2] or x + second.width <= box[0] or y >= box[1] + box[3] or y + second.height <= box[1]
    s.press("Keep it open")
    assert Abandon(2) not in house.sent
    s.press("More")
    s.press("End it for good")
    s.press("Yes, end it")
    assert house.sent[-1] == Abandon(2)
    s.press("Done")
    assert _rows(s)[0].game.state == "abandoned"


def test_a_game_that_is_over_cannot_be_given_up_or_gone_on_with(open_window) -> None:
    _house, s = _replay(open_window)
    s.press("More")
    texts_ = [getattr(b, "text", "") for b in s.buttons()]
    assert "Write it as text" in texts_
    assert "End it for good" not in texts_
    assert "Go on with this game" not in texts_


# --- texts ------------------------------------------------------------------------------------------------------


def test_a_game_is_written_and_brought_in_again(open_window) -> None:
    house, s = _replay(open_window)
    s.press("More")
    s.press("Write it as text")
    assert house.sent[-1] == Export(1, "en")
    path = Path(house.last.path)
    assert path.name == "2025-11-29-game-1.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    assert "# Most heroes saved: Ana, with 2 heroes." in lines
    acts = [line for line in lines if not line.startswith("#")]
    assert acts == history_scenes.EVENING.read_text(encoding="utf-8").splitlines()
    assert path.name in s.texts()
    s.press("Good")
    s.press("Done")
    s.press("Bring a game in")
    s.press("2025-11-29-game-1")
    assert house.sent[-1] == Import(str(path))
    assert s.root.screen.head.sentence == "That game is in the history already."
    assert len(house.store.games()) == 1


def test_a_text_from_elsewhere_comes_in_and_is_shown(open_window) -> None:
    house, s = _opened(open_window, more=5)
    other = history_scenes.EVENING.read_text(encoding="utf-8").replace("seat red: Ana", "seat red: Zoé")
    texts.write(house.engine._folder, 9, "2025-11-29", other)
    s.press("Done")
    s.press("History")
    s.press("Bring a game in")
    s.press("2025-11-29-game-9")
    assert s.screen == "history"
    assert s.root.screen.head.sentence == "There it is. Touch it to see it."
    (new,) = [r for r in _rows(s) if r.new]
    assert new.game.names["red"] == "Zoé"
    s.tap(new)
    assert s.screen == "replay"
    assert len(s.root.screen.steps) > 60


def test_a_text_that_cannot_be_is_refused_with_its_line(open_window) -> None:
    house, s = _opened(open_window)
    broken = history_scenes.EVENING.read_text(encoding="utf-8").replace("green: 2 d1-e1-e2", "green: 2 d1-e1-d2")
    texts.write(house.engine._folder, 9, "2025-11-29", broken)
    s.press("Done")
    s.press("History")
    s.press("Bring a game in")
    s.press("2025-11-29-game-9")
    line = next(text for text in s.texts() if text.startswith("Line 15, "))
    assert "Green 2 cannot" in line
    assert len(house.store.games()) == 1
    s.press("Done")
    s.press("Done")
    s.press("History")
    assert not any(text.startswith("Line 15, ") for text in s.texts()), "it is said until somebody comes again"


def test_a_game_that_cannot_be_read_says_so(open_window) -> None:
    house, s = _opened(open_window)
    with house.store._writing() as db:
        db.execute("UPDATE entries SET kind = 'x', sum = 0 WHERE seq = 1")
    s.tap(_rows(s)[0])
    assert s.root.screen.head.sentence == "That game cannot be read any more."
    assert s.root.screen.play.off
    s.press("Done")
    assert s.screen == "history"
