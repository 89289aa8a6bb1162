"""The referee protocol: its envelope, every command, every error, and bad lines without end."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from companion import __version__
from companion.games.sir_holland.rulebook import RULEBOOK
from companion.referee import DEEPEST, LONGEST, Referee, serve

ROOT = Path(__file__).parents[1]
COMMAND = [sys.executable, "-m", "companion", "referee"]
TOWER = ["RWPWW", "WSPRW", "WWPRH", "RSPWW", "RDPDR"]
CODES = {"bad-json", "bad-request", "no-table", "bad-setup", "illegal", "over", "nothing-to-undo"}
NEW = {"cmd": "new", "game": "sir-holland", "seats": ["red", "blue"], "gryphon": "red", "tower": TOWER}


class Line:
    """A referee that is spoken to in lines, as the outside does, without the process around it."""

    def __init__(self, *requests: dict[str, Any]) -> None:
        self.referee = Referee()
        for request in requests:
            self.ok(**request)

    def raw(self, line: bytes | str | None) -> Any:
        text = self.referee.answer(line.encode() if isinstance(line, str) else line)
        assert "\n" not in text
        return json.loads(text)

    def __call__(self, **request: Any) -> Any:
        return self.raw(json.dumps(request))

    def ok(self, **request: Any) -> Any:
        answer = self(**request)
        assert answer["ok"] is True, answer
        return answer

    def error(self, **request: Any) -> Any:
        return failed(self(**request))

    def code(self, **request: Any) -> str:
        return self.error(**request)["code"]

    def play(self, **choice: Any) -> Any:
        return self.ok(cmd="play", choice=choice)

    @property
    def state(self) -> Any:
        return self.ok(cmd="state")["state"]


def failed(answer: Any) -> Any:
    """The error of an answer that has to be one."""
    assert answer["ok"] is False and set(answer) == {"id", "ok", "error"}, answer
    error = answer["error"]
    assert error["code"] in CODES and error["message"].strip()
    assert ("rule" in error) == (error["code"] in ("illegal", "over", "bad-setup"))
    assert "rule" not in error or RULEBOOK.find(error["rule"])
    return error


@pytest.fixture
def table() -> Line:
    return Line(NEW)


@pytest.fixture
def turn() -> Line:
    """Red's turn with card 2; Blue waits to rest."""
    line = Line(NEW)
    line.play(do="lock", seat="red", card=2)
    line.play(do="lock", seat="blue", card=7)
    return line


# --- envelope ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", [7, "seven", None, True, 1.5, [1, {"a": None}], {"x": [2]}, "ü€\n", 10**300, -0.0])
def test_any_id_is_echoed(id: Any) -> None:
    assert Line()(id=id, cmd="hello")["id"] == id
    assert Line()(id=id, cmd="nothing")["id"] == id


def test_an_absent_or_unreadable_id_is_null() -> None:
    assert Line()(cmd="hello")["id"] is None
    assert Line().raw('{"id": 7, "cmd"')["id"] is None


def test_half_a_surrogate_pair_is_echoed_as_it_came() -> None:
    answer = Line().referee.answer(rb'{"id": "\ud800", "cmd": "hello"}')
    assert json.loads(answer.encode("utf-8"))["id"] == "\ud800"


@pytest.mark.parametrize("cmd", ["hello", "state", "choices", "undo"])
def test_unknown_keys_are_refused(table: Line, cmd: str) -> None:
    assert table.code(cmd=cmd, extra=1) == "bad-request"


@pytest.mark.parametrize("request_", [{}, {"cmd": None}, {"cmd": 3}, {"cmd": "Hello"}, {"cmd": ""}, {"cmd": ["hello"]}])
def test_a_command_that_does_not_exist(request_: dict[str, Any]) -> None:
    assert Line().code(**request_) == "bad-request"


BAD_LINES = {
    "empty": b"",
    "blank": b"  \t ",
    "half an object": b'{"cmd": "hello"',
    "a list": b'["hello"]',
    "a string": b'"hello"',
    "a number": b"7",
    "null": b"null",
    "two objects": b'{"cmd": "hello"} {"cmd": "hello"}',
    "a key twice": b'{"cmd": "hello", "cmd": "hello"}',
    "a key twice, deep": b'{"cmd": "load", "state": {"a": 1, "a": 1}}',
    "byte order mark": b'\xef\xbb\xbf{"cmd": "hello"}',
    "not UTF-8": b'{"cmd": "hell\xff"}',
    "UTF-16": '{"cmd": "hello"}'.encode("utf-16"),
    "NaN": b'{"id": NaN, "cmd": "hello"}',
    "Infinity": b'{"id": Infinity, "cmd": "hello"}',
    "-Infinity": b'{"id": -Infinity, "cmd": "hello"}',
    "float too large": b'{"id": 1e999, "cmd": "hello"}',
    "whole number too large": b'{"id": 1' + b"0" * 309 + b', "cmd": "hello"}',
    "very many digits": b'{"id": ' + b"9" * 100_000 + b', "cmd": "hello"}',
    "too deep": b'{"id": ' + b"[" * DEEPEST + b"]" * DEEPEST + b', "cmd": "hello"}',
    "far too deep": b"[" * 200_000,
    "a control character": b'{"id": "\x01", "cmd": "hello"}',
    "single quotes": b"{'cmd': 'hello'}",
    "a comment": b'{"cmd": "hello"} // hi',
    "a last comma": b'{"cmd": "hello",}',
    "NUL": b"\x00",
}


@pytest.mark.parametrize("line", BAD_LINES.values(), ids=BAD_LINES)
def test_a_line_that_is_not_one_json_object(table: Line, line: bytes) -> None:
    before = table.state
    assert failed(table.raw(line))["code"] == "bad-json"
    assert table.state == before


def test_lines_as_deep_and_long_as_allowed() -> None:
    deep = b'{"id": ' + b"[" * (DEEPEST - 1) + b"]" * (DEEPEST - 1) + b', "cmd": "hello"}'
    assert Line().raw(deep)["ok"]
    brackets_in_text = b'{"id": "' + b"[" * 500 + b'\\"", "cmd": "hello"}'
    assert Line().raw(brackets_in_text)["ok"]
    assert Line().raw(b'{"id": 1' + b"0" * 307 + b', "cmd": "hello"}')["ok"]


def test_long_lines_are_counted_in_bytes_and_skipped_whole() -> None:
    """1 MiB is served, one byte more is not, and the line after it is served again."""

    def padded(length: int) -> bytes:
        head, tail = b'{"cmd": "hello", "id": "', b'"}'
        return head + b"x" * (length - len(head) - len(tail)) + tail

    short = b'{"cmd": "hello", "id": 4}'
    lines = [padded(LONGEST), padded(LONGEST + 1), padded(3 * LONGEST), short, padded(LONGEST + 1)]
    answers = speak(b"\n".join(lines))
    assert [a["ok"] for a in answers] == [True, False, False, True, False]
    assert [a["error"]["code"] for a in answers if not a["ok"]] == ["bad-json"] * 3
    assert answers[3]["id"] == 4


def speak(data: bytes) -> list[Any]:
    """What `serve` answers to a whole input."""
    out = BytesIO()
    serve(BytesIO(data), out)
    written = out.getvalue()
    assert written.endswith(b"\n") or not written
    return [json.loads(line.decode("utf-8")) for line in written.split(b"\n")[:-1]]


def test_only_a_line_feed_ends_a_line() -> None:
    """A carriage return is white space, and U+2028 and its like end nothing."""
    assert len(speak(b'{"cmd": "hello"}\r\n{"cmd": "hello"}\n')) == 2
    (answer,) = speak('{"cmd": "hello", "id": "a\u2028b\u0085c"}\n'.encode())
    assert answer["id"] == "a\u2028b\u0085c"
    assert speak(b"") == []
    assert len(speak(b"\n\n")) == 2
    assert speak(b'{"cmd": "hello"}')[0]["ok"]


# --- commands ---------------------------------------------------------------------------------------------------


def test_hello() -> None:
    answer = Line().ok(cmd="hello")
    assert answer == {"id": None, "ok": True, "protocol": 1, "version": __version__, "games": ["sir-holland"]}


@pytest.mark.parametrize("cmd", ["state", "choices", "undo"])
def test_no_table_yet(cmd: str) -> None:
    assert Line().code(cmd=cmd) == "no-table"
    choice = {"do": "end", "seat": "red"}
    for more in ({"cmd": "check", "choice": choice}, {"cmd": "play", "choice": choice}, {"cmd": "perft", "depth": 1}):
        assert Line().code(**more) == "no-table"


def test_new_prints_the_state_of_the_protocol() -> None:
    hand = [1, 2, 3, 4, 5, 6, 7]
    assert Line().ok(id=1, **NEW)["state"] == {
        "game": "sir-holland",
        "rules": {},
        "seats": ["red", "blue"],
        "gryphon": "red",
        "round": 1,
        "phase": "choose",
        "tower": TOWER,
        "figures": {"red.1": "b1", "red.2": "d1", "blue.1": "b1", "blue.2": "d1", "wizard": "c2", "knight": "c4"},
        "lying": [],
        "hands": {"red": hand, "blue": hand},
        "rests": {"red": 0, "blue": 0},
        "locked": [],
        "cards": {},
        "queue": [],
        "turn": None,
        "out": [],
        "final": False,
        "result": None,
    }


def test_new_with_every_option() -> None:
    state = Line().ok(
        **NEW, villains={"wizard": "c4", "knight": "c2"}, rules={"fall_distance": 2, "rope_down": "off"}, seed=1
    )["state"]
    assert (state["figures"]["wizard"], state["figures"]["knight"]) == ("c4", "c2")
    assert state["rules"] == {"fall_distance": 2}


def test_new_draws_what_is_left_out_by_the_seed() -> None:
    one = {"cmd": "new", "game": "sir-holland", "seats": ["green", "red", "yellow"], "seed": 5}
    assert Line().ok(**one) == Line().ok(**one)
    assert Line().ok(**one)["state"] != Line().ok(**one | {"seed": 6})["state"]
    assert Line().ok(**one | {"seed": -(10**300)})["state"]["phase"] == "choose"
    del one["seed"]
    assert len({json.dumps(Line().ok(**one)) for _ in range(20)}) > 15


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"game": "chess"}, "bad-request"),
        ({"game": 1}, "bad-request"),
        ({"seats": "red"}, "bad-request"),
        ({"seats": ["red", 2]}, "bad-request"),
        ({"seats": ["red"]}, "bad-setup"),
        ({"seats": ["red", "red"]}, "bad-setup"),
        ({"seats": ["red", "black"]}, "bad-setup"),
        ({"gryphon": "green"}, "bad-setup"),
        ({"gryphon": 1}, "bad-request"),
        ({"seed": 1.0}, "bad-request"),
        ({"seed": True}, "bad-request"),
        ({"seed": None}, "bad-request"),
        ({"tower": TOWER[1:]}, "bad-request"),
        ({"tower": ["RWPWX", *TOWER[1:]]}, "bad-request"),
        ({"tower": ["RWWPW", *TOWER[1:]]}, "bad-setup"),
        ({"villains": {"wizard": "c2"}}, "bad-request"),
        ({"villains": {"wizard": "c2", "knight": "c3"}}, "bad-setup"),
        ({"villains": {"wizard": "c2", "knight": 4}}, "bad-request"),
        ({"rules": []}, "bad-request"),
        ({"rules": {"fall": 1}}, "bad-request"),
        ({"rules": {"fall_distance": "2"}}, "bad-request"),
        ({"rules": {"fall_distance": True}}, "bad-request"),
        ({"rules": {"fall_distance": 2.0}}, "bad-request"),
        ({"rules": {"rope_down": True}}, "bad-request"),
        ({"colour": "red"}, "bad-request"),
    ],
)
def test_new_refuses(table: Line, change: dict[str, Any], code: str) -> None:
    """A set-up that is malformed or impossible is refused, and the table that was there stays."""
    before = table.state
    assert table.code(**NEW | change) == code
    assert table.state == before


def test_bad_setup_names_every_rule_that_is_broken() -> None:
    error = Line().error(**NEW | {"gryphon": "green", "tower": ["RWWPW", *TOWER[1:]]})
    assert set(re.findall(r"\((R\d+)\)", error["message"])) == {"R20", "R10"}
    assert error["rule"] == "R20"


def test_load_takes_what_state_prints(turn: Line) -> None:
    state = turn.state
    other = Line()
    assert other.ok(cmd="load", state=state)["state"] == state
    assert other.ok(cmd="choices") == turn.ok(cmd="choices")
    assert other.code(cmd="undo") == "nothing-to-undo"
    short = {k: v for k, v in state.items() if k != "out"}
    short["turn"] = {k: v for k, v in state["turn"].items() if k != "used"}
    assert other.ok(cmd="load", state=short)["state"] == state


def test_a_loaded_state_has_no_locks(table: Line) -> None:
    table.play(do="lock", seat="red", card=2)
    state = table.state
    assert state["locked"] == ["red"]
    other = Line({"cmd": "load", "state": state})
    assert other.state == state | {"locked": []}
    other.play(do="lock", seat="red", card=3)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"game": "chess"}, "bad-request"),
        ({"phase": "end"}, "bad-request"),
        ({"round": 0}, "bad-request"),
        ({"round": 1.5}, "bad-request"),
        ({"final": 0}, "bad-request"),
        ({"seats": ["red", "blue", "blue"]}, "bad-setup"),
        ({"gryphon": "green"}, "bad-request"),
        ({"tower": ["WWPWW", "WSPRW", "WWPRH", "RSPWW", "RDPDR"]}, "bad-setup"),
        ({"figures": {"red.1": "b1"}}, "bad-request"),
        ({"lying": ["wizard"]}, "bad-request"),
        ({"lying": ["red.1", "red.1"]}, "bad-request"),
        ({"hands": {"red": [1, 1], "blue": [7]}}, "bad-request"),
        ({"hands": {"red": [], "blue": [7]}}, "bad-setup"),
        ({"hands": {"red": [7], "blue": [1, 2, 3, 4, 5, 6, 7]}}, "bad-setup"),
        ({"hands": {"red": [1, 2, 3, 4, 5, 6], "blue": [1, 2, 3, 4, 5, 6, 7]}}, "bad-setup"),
        ({"rests": {"red": 1, "blue": 0}}, "bad-setup"),
        ({"rests": {"red": -1, "blue": 0}}, "bad-request"),
        ({"cards": {"red": 2}}, "bad-setup"),
        ({"queue": ["red"]}, "bad-setup"),
        ({"phase": "resolve"}, "bad-setup"),
        ({"phase": "over"}, "bad-setup"),
        ({"turn": {"seat": "red", "card": 2, "points": 2, "special": 1, "used": [], "pending": None}}, "bad-setup"),
        ({"turn": {"seat": "red"}}, "bad-request"),
        ({"result": {"ended_by": "saved"}}, "bad-setup"),
        ({"out": ["red"]}, "bad-setup"),
        ({"rules": {"fall_distance": 3}}, "bad-request"),
        ({"secret": {}}, "bad-request"),
        ({"locks": {"red": 2}}, "bad-request"),
    ],
)
def test_load_refuses(table: Line, change: dict[str, Any], code: str) -> None:
    before = table.state
    assert table.code(cmd="load", state=before | change) == code
    assert table.state == before


@pytest.mark.parametrize(
    ("figures", "rule"),
    [
        ({"red.1": "a1", "blue.1": "a1"}, "R32"),
        ({"red.1": "f1"}, "R43"),
        ({"red.1": ""}, "R43"),
        ({"wizard": "roof"}, "R43"),
    ],
)
def test_load_refuses_figures_where_they_cannot_stand(table: Line, figures: dict[str, str], rule: str) -> None:
    state = table.state
    state["figures"] |= figures
    assert table.error(cmd="load", state=state)["rule"] == rule


@pytest.mark.parametrize(
    "change",
    [
        {"queue": ["blue", "red"]},
        {"queue": ["blue"]},
        {"queue": []},
        {"gryphon": "blue", "queue": ["blue", "red"]},
        {"cards": {"red": 2}},
        {"cards": {"red": 3, "blue": 7}},
        {"hands": {"red": [1, 2, 3, 4, 5, 6, 7], "blue": [1, 2, 3, 4, 5, 6]}},
        {"turn": None},
        {"turn": {"seat": "blue", "card": 7, "points": 0, "special": 0, "used": [], "pending": None}},
        {"turn": {"seat": "red", "card": 2, "points": 3, "special": 1, "used": [], "pending": None}},
        {"turn": {"seat": "red", "card": 2, "points": 2, "special": 2, "used": [], "pending": None}},
        {"turn": {"seat": "red", "card": 2, "points": 2, "special": 1, "used": ["wizard"], "pending": None}},
        {
            "turn": {
                "seat": "red",
                "card": 2,
                "points": 2,
                "special": 0,
                "used": [],
                "pending": {"hero": "blue.1", "to": ["b1", "d1"]},
            }
        },
    ],
)
def test_load_refuses_a_turn_that_does_not_follow(turn: Line, change: dict[str, Any]) -> None:
    assert turn.code(cmd="load", state=turn.state | change) == "bad-setup"


def test_choices_of_all_and_of_one_seat(table: Line) -> None:
    everyone = table.ok(cmd="choices")["choices"]
    assert everyone == [{"do": "lock", "seat": s, "card": n} for s in ("red", "blue") for n in range(1, 8)]
    assert table.ok(cmd="choices", seat="blue")["choices"] == everyone[7:]
    assert table.code(cmd="choices", seat="green") == table.code(cmd="choices", seat=None) == "bad-request"
    table.play(do="lock", seat="red", card=2)
    assert table.ok(cmd="choices", seat="red")["choices"] == []


def test_choices_have_exactly_the_keys_of_the_protocol() -> None:
    wanted = {
        "lock": {"card"},
        "move": {"hero", "path"},
        "hide": {"hero"},
        "villain": {"villain", "path"},
        "explode": {"at"},
        "climb": {"hero", "path"},
        "portal": {"hero", "path"},
        "rest": set(),
        "fall": {"hero", "to"},
        "end": set(),
    }
    seen: dict[str, set[str]] = {}
    rng = random.Random(4)
    for seed in range(4):
        line = Line({"cmd": "new", "game": "sir-holland", "seats": ["red", "blue", "green"], "seed": seed})
        while choices := line.ok(cmd="choices")["choices"]:
            for choice in choices:
                keys = seen.setdefault(choice["do"], set(choice) - {"do", "seat"})
                assert set(choice) == keys | {"do", "seat"}
            line.ok(cmd="play", choice=rng.choice(choices))
    assert seen == wanted


def test_check_judges_and_changes_nothing(turn: Line) -> None:
    before = turn.state
    legal = {"do": "move", "seat": "red", "hero": "red.1", "path": ["a1"]}
    assert turn.ok(cmd="check", choice=legal) == {"id": None, "ok": True, "legal": True}
    answer = turn.ok(cmd="check", choice=legal | {"path": ["c2"]})
    assert answer["legal"] is False and answer["rule"] == "R30" and answer["message"]
    assert turn.code(cmd="check", choice={"do": "jump"}) == "bad-request"
    assert turn.state == before


def test_play_answers_events_and_state(turn: Line) -> None:
    answer = turn.play(do="move", seat="red", hero="red.1", path=["a1"])
    assert answer["events"] == [
        {"what": "moved", "hero": "red.1", "start": "b1", "path": ["a1"], "half": "points", "cost": 1}
    ]
    assert answer["state"]["figures"]["red.1"] == "a1" and answer["state"] == turn.state


def test_a_lock_is_answered_without_its_card(table: Line) -> None:
    two = table.ok(id=1, cmd="play", choice={"do": "lock", "seat": "red", "card": 2})
    assert two["events"] == [{"what": "locked", "seat": "red"}]
    other = Line(NEW).ok(id=1, cmd="play", choice={"do": "lock", "seat": "red", "card": 6})
    assert two == other


@pytest.mark.parametrize(
    ("choice", "rule"),
    [
        ({"do": "move", "seat": "red", "hero": "red.1", "path": ["c2"]}, "R30"),
        ({"do": "move", "seat": "red", "hero": "blue.1", "path": ["c1"]}, "R28"),
        ({"do": "move", "seat": "red", "hero": "wizard", "path": ["c1"]}, "R28"),
        ({"do": "villain", "seat": "red", "villain": "red.1", "path": ["c1"]}, "R42"),
        ({"do": "move", "seat": "red", "hero": "red.1", "path": ["a1"] * 2000}, "R30"),
        ({"do": "explode", "seat": "red", "at": "a2"}, "R29"),
        ({"do": "rest", "seat": "red"}, "R29"),
        ({"do": "lock", "seat": "red", "card": 2}, "R21"),
        ({"do": "unlock", "seat": "red"}, "R21"),
        ({"do": "end", "seat": "blue"}, "R22"),
        ({"do": "fall", "seat": "red", "hero": "red.1", "to": "roof"}, "A7"),
    ],
)
def test_a_well_formed_choice_that_the_rules_refuse(turn: Line, choice: dict[str, Any], rule: str) -> None:
    before = turn.state
    error = turn.error(cmd="play", choice=choice)
    assert (error["code"], error["rule"]) == ("illegal", rule)
    assert turn.ok(cmd="check", choice=choice) == {
        "id": None, "ok": True, "legal": False, "rule": rule, "message": error["message"],
    }  # fmt: skip
    assert turn.state == before


@pytest.mark.parametrize(
    "choice",
    [
        None,
        [],
        "end",
        {},
        {"do": "jump", "seat": "red"},
        {"do": None, "seat": "red"},
        {"do": ["end"], "seat": "red"},
        {"do": "end"},
        {"do": "end", "seat": "green"},
        {"do": "end", "seat": 1},
        {"do": "end", "seat": "red", "card": 2},
        {"do": "lock", "seat": "red", "card": 8},
        {"do": "lock", "seat": "red", "card": 0},
        {"do": "lock", "seat": "red", "card": 2.0},
        {"do": "lock", "seat": "red", "card": True},
        {"do": "lock", "seat": "red", "card": "2"},
        {"do": "move", "seat": "red", "hero": "red.3", "path": ["a1"]},
        {"do": "move", "seat": "red", "hero": "green.1", "path": ["a1"]},
        {"do": "move", "seat": "red", "hero": "red.1", "path": []},
        {"do": "move", "seat": "red", "hero": "red.1", "path": "a1"},
        {"do": "move", "seat": "red", "hero": "red.1", "path": ["a6"]},
        {"do": "move", "seat": "red", "hero": "red.1", "path": ["A1"]},
        {"do": "move", "seat": "red", "hero": "red.1", "path": [["a1"]]},
        {"do": "explode", "seat": "red", "at": "f1"},
        {"do": "explode", "seat": "red", "at": None},
        {"do": "fall", "seat": "red", "hero": "red.1", "to": "b0"},
    ],
)
def test_a_malformed_choice(turn: Line, choice: Any) -> None:
    before = turn.state
    assert turn.code(cmd="play", choice=choice) == turn.code(cmd="check", choice=choice) == "bad-request"
    assert turn.state == before


def test_over(table: Line) -> None:
    state = table.state
    state["figures"] |= {"red.1": "roof", "red.2": "a5"}
    table.ok(cmd="load", state=state)
    table.play(do="lock", seat="red", card=2)
    table.play(do="lock", seat="blue", card=7)
    table.play(do="move", seat="red", hero="red.2", path=["roof"])
    table.play(do="end", seat="red")
    state = table.play(do="rest", seat="blue")["state"]
    assert state["phase"] == "over"
    assert state["result"] == {
        "ended_by": "saved",
        "winner": "red",
        "decided_by": "saved",
        "saved": {"red": 2, "blue": 0},
        "levels": {"red": [], "blue": [1, 1]},
    }
    assert table.ok(cmd="choices")["choices"] == []
    end = {"do": "end", "seat": "red"}
    assert table.code(cmd="play", choice=end) == "over"
    assert table.ok(cmd="check", choice=end)["legal"] is False
    assert [table.ok(cmd="perft", depth=n)["nodes"] for n in (0, 1, 2)] == [1, 0, 0]
    assert Line().ok(cmd="load", state=state)["state"] == state
    assert Line().code(cmd="load", state=state | {"result": state["result"] | {"winner": "blue"}}) == "bad-setup"
    assert table.ok(cmd="undo")["state"]["phase"] == "resolve"


def test_undo_goes_back_choice_by_choice(table: Line) -> None:
    assert table.code(cmd="undo") == "nothing-to-undo"
    states = [table.state]
    for choice in (
        {"do": "lock", "seat": "red", "card": 2},
        {"do": "unlock", "seat": "red"},
        {"do": "lock", "seat": "red", "card": 3},
        {"do": "lock", "seat": "blue", "card": 7},
        {"do": "explode", "seat": "red", "at": "a2"},
    ):
        states.append(table.ok(cmd="play", choice=choice)["state"])
    table.error(cmd="play", choice={"do": "explode", "seat": "red", "at": "a3"})
    for state in reversed(states[:-1]):
        assert table.ok(cmd="undo")["state"] == state
    assert table.code(cmd="undo") == "nothing-to-undo"


def test_undo_remembers_the_card_of_a_lock(table: Line) -> None:
    table.play(do="lock", seat="red", card=3)
    table.play(do="lock", seat="blue", card=7)
    table.ok(cmd="undo")
    assert table.play(do="lock", seat="blue", card=7)["state"]["cards"] == {"red": 3, "blue": 7}


def test_perft_counts_sequences_of_choices(table: Line) -> None:
    # 14 locks; then 7 for the other seat each; then what the first turn offers
    assert [table.ok(cmd="perft", depth=n)["nodes"] for n in (0, 1, 2)] == [1, 14, 98]
    third = 0
    for red in range(1, 8):
        for blue in range(1, 8):
            line = Line(NEW)
            line.play(do="lock", seat="red", card=red)
            line.play(do="lock", seat="blue", card=blue)
            third += 2 * len(line.ok(cmd="choices")["choices"])
    assert table.ok(cmd="perft", depth=3)["nodes"] == third
    assert table.state["locked"] == []


@pytest.mark.parametrize("depth", [-1, 11, 1.0, "1", None, True])
def test_perft_refuses_depths(table: Line, depth: Any) -> None:
    assert table.code(cmd="perft", depth=depth) == "bad-request"


ORDER = {
    "cmd": "order",
    "seats": ["yellow", "red", "blue"],
    "gryphon": "yellow",
    "cards": {"yellow": 4, "red": 2, "blue": 2},
}


def test_order_needs_no_table() -> None:
    answer = Line().ok(**ORDER)
    assert answer["order"] == ["red", "blue", "yellow"]
    assert [(w["seat"], w["card"], w["rule"]) for w in answer["why"]] == [
        ("red", 2, "R24"),
        ("blue", 2, "R24"),
        ("yellow", 4, "R22"),
    ]
    assert all(w["message"].endswith(".") for w in answer["why"])


@pytest.mark.parametrize(
    "change",
    [
        {"seats": ["yellow"]},
        {"seats": ["yellow", "yellow"]},
        {"seats": ["yellow", "pink", "blue"]},
        {"seats": {}},
        {"gryphon": "green"},
        {"cards": {"yellow": 4, "red": 2}},
        {"cards": {"yellow": 4, "red": 2, "blue": 8}},
        {"cards": {"yellow": 4, "red": 2, "blue": 2, "green": 2}},
        {"cards": [4, 2, 2]},
    ],
)
def test_order_refuses(change: dict[str, Any]) -> None:
    assert Line().code(**ORDER | change) == "bad-request"


WINNER = {
    "cmd": "winner",
    "seats": ["yellow", "blue", "red"],
    "gryphon": "yellow",
    "ended_by": "rested",
    "saved": {"yellow": 1, "blue": 1, "red": 1},
    "levels": {"yellow": [3], "blue": [5], "red": [5]},
}


def test_winner_needs_no_table() -> None:
    answer = Line().ok(**WINNER)
    assert (answer["winner"], answer["decided_by"]) == ("blue", "gryphon")
    assert [w["rule"] for w in answer["why"]] == ["R76", "R77", "R78"]
    assert all(w["message"].endswith(".") for w in answer["why"])


def test_winner_by_house_rules() -> None:
    saved = {"yellow": 2, "blue": 2, "red": 0}
    both = WINNER | {"ended_by": "saved", "saved": saved, "levels": {}}
    assert Line().ok(**both)["winner"] == "yellow"
    answer = Line().ok(**both, rules={"double_save": "first_out"}, out=["blue", "yellow"])
    assert (answer["winner"], answer["decided_by"]) == ("blue", "first_out")
    assert Line().ok(**WINNER | {"gryphon": "red"})["winner"] == "red"


@pytest.mark.parametrize(
    "change",
    [
        {"ended_by": "over"},
        {"saved": {"yellow": 1, "blue": 1}},
        {"saved": {"yellow": 3, "blue": 1, "red": 1}},
        {"saved": {"yellow": 2, "blue": 1, "red": 1}},
        {"levels": {"yellow": [6]}},
        {"levels": {"yellow": [0]}},
        {"levels": {"yellow": 3}},
        {"levels": {"green": [3]}},
        {"rules": {"double_save": "nobody"}},
        {"out": ["green"]},
        {"out": ["red", "red"]},
        {"gryphon": None},
        {"seats": ["yellow"]},
    ],
)
def test_winner_refuses(change: dict[str, Any]) -> None:
    assert Line().code(**WINNER | change) == "bad-request"


def test_rules_prints_the_whole_book() -> None:
    answer = Line().ok(cmd="rules", game="sir-holland")
    assert [r["id"] for r in answer["rules"]] == [r.id for r in RULEBOOK.rules]
    assert [(s["id"], s["values"], s["default"], s["ruling"]) for s in answer["switches"]] == [
        (s.id, list(s.values), s.values[0], s.ruling) for s in RULEBOOK.switches
    ]
    assert all(r["text"] and r["source"] for r in answer["rules"])
    assert all(len(s["meanings"]) == len(s["values"]) and s["source"] and s["text"] for s in answer["switches"])
    assert Line().code(cmd="rules", game="chess") == Line().code(cmd="rules") == "bad-request"


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_any_command_takes_a_language(turn: Line, lang: str) -> None:
    book = {"cmd": "rules", "game": "sir-holland"}
    for request in ({"cmd": "hello"}, {"cmd": "state"}, {"cmd": "choices"}, book, ORDER, WINNER):
        assert turn.ok(**request, lang=lang)
    assert turn.error(cmd="play", choice={"do": "end", "seat": "blue"}, lang=lang)["message"].strip()
    assert turn.error(cmd="nothing", lang=lang)["message"].strip()


@pytest.mark.parametrize("lang", ["xx", "", None, 1, "EN"])
def test_a_language_that_does_not_exist(lang: Any) -> None:
    assert Line().code(cmd="hello", lang=lang) == "bad-request"


# --- bad lines without end --------------------------------------------------------------------------------------

VALUES: list[Any] = [None, True, False, 0, 1, -1, 2.5, 1e308, "", "red", "x" * 300, "\ud800", [], {}, [[]], ["a1"]]
SHORT_BAD_LINES = [line for line in BAD_LINES.values() if len(line) < 1000]
STATE = Line(NEW).state


def good_requests(rng: random.Random) -> dict[str, Any]:
    """A request as somebody might send it, perhaps at the wrong time."""
    seat = rng.choice(["red", "blue", "green", "yellow"])
    hero = f"{seat}.{rng.choice('12')}"
    path = [rng.choice("abcde") + rng.choice("12345") for _ in range(rng.choice((1, 1, 2, 3)))]
    choice = rng.choice(
        [
            {"do": "lock", "seat": seat, "card": rng.randint(1, 7)},
            {"do": "unlock", "seat": seat},
            {"do": "move", "seat": seat, "hero": hero, "path": path},
            {"do": "hide", "seat": seat, "hero": hero},
            {"do": "villain", "seat": seat, "villain": rng.choice(["wizard", "knight"]), "path": path},
            {"do": "explode", "seat": seat, "at": path[0]},
            {"do": "climb", "seat": seat, "hero": hero, "path": path},
            {"do": "portal", "seat": seat, "hero": hero, "path": path},
            {"do": "rest", "seat": seat},
            {"do": "fall", "seat": seat, "hero": hero, "to": "b1"},
            {"do": "end", "seat": seat},
        ]
    )
    return rng.choice(
        [
            {"cmd": "hello"},
            NEW | {"seed": rng.randint(0, 9), "rules": {"fall_distance": 2, "interleave": "on"}},
            {"cmd": "load", "state": STATE | {"round": rng.randint(1, 3)}},
            {"cmd": "state"},
            {"cmd": "choices", "seat": seat},
            {"cmd": "check", "choice": choice},
            {"cmd": "play", "choice": choice},
            {"cmd": "play", "choice": choice},
            {"cmd": "undo"},
            {"cmd": "perft", "depth": rng.randint(0, 1)},
            ORDER,
            WINNER | {"rules": {}, "out": []},
        ]
    ) | {"id": rng.randint(0, 999)}


def spots(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to all values inside."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path] * bool(path) + [p for k, v in inside for p in spots(v, (*path, k))]


def changed(request: dict[str, Any], rng: random.Random) -> Any:
    """One value replaced, removed, renamed or doubled."""
    data = json.loads(json.dumps(request))
    *way, last = rng.choice(spots(data))
    spot = data
    for key in way:
        spot = spot[key]
    match rng.randrange(4):
        case 0:
            spot[last] = rng.choice(VALUES)
        case 1:
            del spot[last]
        case 2 if isinstance(spot, dict):
            spot[rng.choice(["", "Seat", "extra", "do ", "id", "lang"])] = spot.pop(last)
        case _:
            spot[last] = [spot[last], spot[last]]
    return data


def bad_line(rng: random.Random) -> bytes:
    """A good line with one fault or many, or no line of the protocol at all."""
    request = good_requests(rng)
    kind = rng.randrange(8)
    if kind == 0:
        return bytes(rng.randrange(256) for _ in range(rng.randrange(200)))
    if kind == 1:
        return rng.choice(SHORT_BAD_LINES)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        request = changed(request, rng) or {"cmd": "hello"}
    line = bytearray(json.dumps(request, ensure_ascii=rng.random() < 0.9).encode("utf-8", "surrogatepass"))
    if kind == 2:
        for _ in range(rng.randint(1, 6)):
            line[rng.randrange(len(line))] = rng.randrange(256)
    elif kind == 3:
        del line[rng.randrange(len(line)) :]
    elif kind == 4:
        at = rng.randrange(len(line))
        line[at:at] = rng.choice([b"{", b"}", b"[", b'"', b",", b"\\", b"\x00", b"NaN", b"\xff", b"1e999", b"//"])
    return bytes(line)


def takes_long(line: bytes) -> bool:
    """Counting deep is legal, and may take as long as it likes."""
    return b"perft" in line and not re.search(rb'"depth": [01][,}]', line)


def bad_lines(n: int, seed: int) -> list[bytes]:
    rng = random.Random(seed)
    found: list[bytes] = []
    while len(found) < n:
        line = bad_line(rng).replace(b"\n", b" ")
        if not takes_long(line):
            found.append(line)
    return found


def run_referee(data: bytes) -> subprocess.CompletedProcess[bytes]:
    """The command as others start it."""
    return subprocess.run(COMMAND, input=data, capture_output=True, cwd=ROOT, timeout=120)


def test_ten_thousand_bad_lines_in_one_process() -> None:
    """Each line gets exactly one line of JSON; nothing ends the process, and nothing goes to standard error."""
    lines = bad_lines(10_000, seed=2018)
    done = run_referee(b"\n".join([*lines, b'{"cmd": "hello", "id": "last"}', b""]))
    assert done.returncode == 0
    assert done.stderr == b""
    answers = [json.loads(line.decode("utf-8")) for line in done.stdout.split(b"\n")[:-1]]
    assert len(answers) == len(lines) + 1
    assert answers[-1]["id"] == "last" and answers[-1]["ok"]
    for answer in answers:
        assert answer["ok"] is True or failed(answer)
    codes = [a["error"]["code"] for a in answers if not a["ok"]]
    assert set(codes) >= {"bad-json", "bad-request", "illegal", "bad-setup"}
    assert len(codes) > 5000
    assert b"Traceback" not in done.stdout


def test_no_bad_line_changes_the_table() -> None:
    """After each refused line the table is exactly as before it."""
    line = Line(NEW)
    before = line.state
    for bad in bad_lines(800, seed=7):
        answer = line.raw(bad)
        after = line.state
        if not answer["ok"]:
            assert after == before, bad
        before = after


def test_the_process_answers_line_by_line() -> None:
    """An answer comes before the next question is asked, and the end of input is the end, with status 0."""
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdin and process.stdout
        for number in range(3):
            process.stdin.write(b'{"cmd": "hello", "id": %d}\n' % number)
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        assert process.wait(timeout=20) == 0
        assert process.stdout.read() == b""
