"""The referee protocol: one JSON object a line in, one out. The rules without a screen.

`Referee.answer` serves one line; `serve` reads a binary stream until its end. Nothing that comes in ends the process.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any, BinaryIO

from companion import __version__
from companion.games import GAMES, find_game, form
from companion.games.base import BadForm, BadSetup, Game, Json, Message, Refusal, msg
from companion.games.sir_holland import codec as sir_holland
from companion.games.sir_holland import desk
from companion.games.sir_holland.state import CARDS, COLOURS
from companion.wording import Wording, languages

PROTOCOL = 1
LONGEST = 1 << 20
"""Bytes of a line, without its end."""
DEEPEST = 100
_OPTIONS = ("gryphon", "rules", "tower", "villains")


class BadJson(Exception):
    """The line is not one JSON object; `reason` says why."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason.id)
        self.reason = reason


class Answer(Exception):
    """A request that is answered with an error."""

    def __init__(self, code: str, reason: Message, **more: Json) -> None:
        super().__init__(code)
        self.code = code
        self.reason = reason
        self.more = more


# --- reading ----------------------------------------------------------------------------------------------------


def lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """The lines of a stream without their ends; None for one that is too long, which is never held whole."""
    while chunk := stream.readline(LONGEST + 2):
        if chunk.endswith(b"\n") and len(chunk) <= LONGEST + 1:
            yield chunk[:-1]
        elif len(chunk) <= LONGEST:
            yield chunk
        else:
            while chunk and not chunk.endswith(b"\n"):
                chunk = stream.readline(LONGEST)
            yield None


def parse(line: bytes) -> dict[str, Json]:
    """One JSON object; raises BadJson."""
    if not line.strip():
        raise BadJson(msg("The line is empty."))
    if _depth(line) > DEEPEST:
        raise BadJson(msg("The line is nested more than {n} levels deep.", n=DEEPEST))
    try:
        data = json.loads(
            line.decode("utf-8"),
            object_pairs_hook=_unique,
            parse_constant=_no_constant,
            parse_int=_whole,
            parse_float=_float,
        )
    except (ValueError, RecursionError) as error:
        raise BadJson(msg("The line is not JSON: {why}.", why=str(error))) from None
    if not isinstance(data, dict):
        raise BadJson(msg("The line is JSON, but not an object."))
    return data


def _depth(line: bytes) -> int:
    """The deepest nesting of brackets outside strings, counted without recursion."""
    deepest = depth = 0
    inside = escaped = False
    for byte in line:
        if inside:
            if escaped:
                escaped = False
            elif byte == 0x5C:
                escaped = True
            elif byte == 0x22:
                inside = False
        elif byte == 0x22:
            inside = True
        elif byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"]}":
            depth -= 1
    return deepest


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _float(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise ValueError("a number is too large")
    return number


def _whole(digits: str) -> int:
    # the length first: int() of a million digits would take long
    if len(digits) > 310:
        raise ValueError("a number is too large")
    _float(digits)
    return int(digits)


# --- answering --------------------------------------------------------------------------------------------------


class Referee:
    """One table behind the protocol."""

    def __init__(self) -> None:
        self._game: Game[Any, Any, Any] | None = None
        self._state: Any = None
        self._past: list[Any] = []
        self._commands = {
            "hello": (self._hello, (), ()),
            "new": (self._new, ("game", "seats"), (*_OPTIONS, "seed")),
            "load": (self._load, ("state",), ()),
            "state": (self._show, (), ()),
            "choices": (self._choices, (), ("seat",)),
            "check": (self._check, ("choice",), ()),
            "play": (self._play, ("choice",), ()),
            "undo": (self._undo, (), ()),
            "perft": (self._perft, ("depth",), ()),
            "order": (self._order, ("seats", "gryphon", "cards"), ()),
            "winner": (self._winner, ("seats", "gryphon", "ended_by", "saved", "levels"), ("rules", "out")),
            "rules": (self._rules, ("game",), ()),
        }

    def answer(self, line: bytes | None) -> str:
        """The answer to one line, without its end."""
        id: Json = None
        words = Wording()
        try:
            if line is None or len(line) > LONGEST:
                raise BadJson(msg("The line is longer than {n} bytes.", n=LONGEST))
            request = parse(line)
            id = request.get("id")
            lang = form.one_of(request.get("lang", "en"), "lang", languages())
            words = Wording(lang, self._game.term if self._game else sir_holland_term)
            answer = {"id": id, "ok": True} | self._serve(request, words)
        except BadJson as error:
            answer = _error(id, "bad-json", words(error.reason))
        except BadForm as error:
            answer = _error(id, "bad-request", words(error.reason))
        except BadSetup as error:
            text = " ".join(f"{words(f.message)} ({f.rule})" for f in error.faults)
            answer = _error(id, "bad-setup", text, rule=error.faults[0].rule)
        except Refusal as error:
            assert self._game
            text = words(self._game.explain(self._state, error))
            answer = _error(id, error.code, text, rule=error.rule)
        except Answer as error:
            answer = _error(id, error.code, words(error.reason), **error.more)
        return _dump(answer)

    def _serve(self, request: dict[str, Json], words: Wording) -> dict[str, Json]:
        if "cmd" not in request:
            raise BadForm(msg('"{key}" is missing.', key="cmd"))
        name = form.text(request["cmd"], "cmd")
        if name not in self._commands:
            raise form.unknown("cmd", name)
        command, required, optional = self._commands[name]
        form.record(request, name, ("cmd", *required), ("id", "lang", *optional))
        return command(request, words)

    def _table(self) -> tuple[Game[Any, Any, Any], Any]:
        if self._game is None:
            raise Answer("no-table", msg("No game has begun. Begin one with new or load."))
        return self._game, self._state

    def _hello(self, request: dict[str, Json], words: Wording) -> dict[str, Json]:
        return {"protocol": PROTOCOL, "version": __version__, "games": [g.id for g in GAMES]}

    def _new(self, request: dict[str, Json], words: Wording) -> dict[str, Json]:
        game = _game(request)
        seats = form.texts(request["seats"], "seats")
        seed = form.whole(request["seed"], "seed") if "seed" in request else None
        options: dict[str, Json] = {k: request[k] for k in _OPTIONS if k in request}
        (opened,) = game.open(seats, options, Random(seed))
        self._start(game, game.apply(None, opened))
        return self._show(request, words)

    def _load(self, request: dict[str, Json], words: Wording) -> dict[str, Json]:
        state = request["state"]
        if not isinstance(state, dict):
            raise form.wrong("state")
        if "game" not in state:
            raise BadForm(msg('"{key}" is missing.', key="game"))
        game = _game(state)
        self._start(game, game.state_from_json(state))
        return self._show(request, words)

    def _start(self, game: Game[Any, Any, Any], state: Any) -> None:
        self._game, self._state, self._past = game, state, []

    def _show(self, request: dict[str, Json], words: Wording) -> dict[str, Json]:
        game, state = self._table()
        return {"state": game.state_to_json(state)}

    def _choices(self, request: dict[str, Json], words: Wording) -> dict[str, Json]:
        game, state = self._table()
        seat = form.one_of(request["seat"], "seat", state.seats) if "seat" in request else None
        return {"choices": [game.choice_to_json(c) for c in game.choices(state, seat)]}

    def _check(self, request: dict[str, Json], words: Wording) -> dict[str, Json]:
        game, state = self._table()
        try:
            game.decide(state, game.choice_from_json(state, request["choice"]))
        except Refusal as refusal:
            return {"legal": False, "rule": refusal.rule, "message": words(game.explain(state, refusal))}
        return {"legal": True}

    def _play(self, request: dict[str, Json], words: Wording) -> dict[str, Json]:
        game, state = self._table()
        events = game.decide(state, game.choice_from_json(state, request["choice"]))
        self._past.append(state)
        for event in events:
            state = game.apply(state, event)
        self._state = state
        return {"events": [game.event_to_json(e) for e in events], "state": game.state_to_json(state)}

    def _undo(self, request: dict[str, Json], words: Wording) -> dict[str, Json]:
        self._table()
        if not self._past:
            raise Answer("nothing-to-undo", msg("Nothing has been played that could be taken back."))
        self._state = self._past.pop()
        return self._show(request, words)

    def _perft(self, request: dict[str, Json], words: Wording) -> dict[str, Json]:
        game, state = self._table()
        return {"nodes": perft(game, state, form.whole(request["depth"], "depth", 0, 10))}

    def _order(self, request: dict[str, Json], words: Wording) -> dict[str, Json]:
        seats = _seats(request["seats"])
        gryphon = form.one_of(request["gryphon"], "gryphon", seats)
        cards = form.per_seat(request["cards"], "cards", seats)
        numbers = {s: form.whole(cards[s], s, 1, len(CARDS)) for s in seats}
        places = desk.explain_order(seats, gryphon, numbers)
        why = [{"seat": p.seat, "card": p.card, "rule": p.rule, "message": words(p.message)} for p in places]
        return {"order": [p.seat for p in places], "why": why}

    def _winner(self, request: dict[str, Json], words: Wording) -> dict[str, Json]:
        seats = _seats(request["seats"])
        gryphon = form.one_of(request["gryphon"], "gryphon", seats)
        ended_by = form.one_of(request["ended_by"], "ended_by", ("saved", "rested"))
        saved = {s: form.whole(n, s, 0, 2) for s, n in form.per_seat(request["saved"], "saved", seats).items()}
        levels = {s: _levels(n, s) for s, n in form.record(request["levels"], "levels", (), seats).items()}
        for seat in seats:
            if saved[seat] + len(levels.get(seat, ())) > 2:
                raise form.wrong("levels")
        rules = sir_holland.rules_from_json(request.get("rules", {}))
        out = form.names(request.get("out", []), "out", seats)
        outcome, steps = desk.winner(seats, gryphon, ended_by, saved, levels, rules, out)
        why = [{"rule": s.rule, "message": words(s.message)} for s in steps]
        return {"winner": outcome.winner, "decided_by": outcome.decided_by, "why": why}

    def _rules(self, request: dict[str, Json], words: Wording) -> dict[str, Json]:
        return rulebook_to_json(_game(request), words)


def sir_holland_term(kind: str, value: Json) -> Message | None:
    """Names for the dispute desk, which needs no table."""
    game = find_game(sir_holland.GAME)
    return game.term(kind, value) if game else None


def rulebook_to_json(game: Game[Any, Any, Any], words: Wording) -> dict[str, Json]:
    """The rule book of a game in one language."""
    book = game.rulebook
    rules = [
        {"id": r.id, "text": words.text(r.text), "source": words.text(r.source), "switch": r.switch} for r in book.rules
    ]
    switches = [
        {
            "id": s.id,
            "ruling": s.ruling,
            "text": words.text(s.text),
            "values": list(s.values),
            "default": s.values[0],
            "meanings": [words.text(m) for m in s.meanings],
            "source": words.text(s.source),
        }
        for s in book.switches
    ]
    return {"rules": rules, "switches": switches}


def perft(game: Game[Any, Any, Any], state: Any, depth: int) -> int:
    """How many sequences of `depth` choices start here."""
    if depth == 0:
        return 1
    choices = game.choices(state)
    if depth == 1:
        return len(choices)
    nodes = 0
    for choice in choices:
        after = state
        for event in game.decide(state, choice):
            after = game.apply(after, event)
        nodes += perft(game, after, depth - 1)
    return nodes


def _game(request: dict[str, Json]) -> Game[Any, Any, Any]:
    id = form.text(request["game"], "game")
    if (game := find_game(id)) is None:
        raise form.unknown("game", id)
    return game


def _seats(value: Json) -> tuple[str, ...]:
    seats = form.names(value, "seats", COLOURS)
    if not 2 <= len(seats) <= 4:
        raise form.wrong("seats")
    return seats


def _levels(value: Json, key: str) -> list[int]:
    if not isinstance(value, list) or len(value) > 2:
        raise form.wrong(key)
    return [form.whole(n, key, 1, 5) for n in value]


def _error(id: Json, code: str, message: str, **more: Json) -> dict[str, Json]:
    return {"id": id, "ok": False, "error": {"code": code, "message": message} | more}


def _dump(answer: dict[str, Json]) -> str:
    text = json.dumps(answer, ensure_ascii=False, allow_nan=False, separators=(", ", ": "))
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        # an echoed id may hold half of a surrogate pair, which only an escape can write
        return json.dumps(answer, allow_nan=False)
    return text


def serve(stdin: BinaryIO, stdout: BinaryIO) -> None:
    """Answer every line until the input ends."""
    referee = Referee()
    for line in lines(stdin):
        stdout.write(referee.answer(line).encode("utf-8") + b"\n")
        stdout.flush()
