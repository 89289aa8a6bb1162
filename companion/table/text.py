"""A game as one text that people can read, write and mend: the open format of README.md in this folder.

`write` tells a journal, `read` plays a text through a table, line by line, so that the rules judge every one of them.
A text holds what everyone saw: cards once they lie open, never who locked in when, nor the locks of a running round.
"""

from __future__ import annotations

import json
import re
from calendar import monthrange
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from companion.games import find_game
from companion.games.base import BadForm, BadSetup, Game, Json, Message, Refusal, Result, msg
from companion.table import names
from companion.table.ports import Entry, Hand, Insist, Outcome, Outline, Play, PutRight, Record, Reveal, TakeBack
from companion.table.session import Table
from companion.table.story import outline_of, public, tell

VERSION = 1
TITLE = "gryphon game text"
LARGEST = 1_000_000
"""Bytes of a text that is read; a long game has some ten thousand."""
LONGEST = 2000
"""Letters of a line that is read."""
MOST = 10_000
"""Acts of a game that is read."""
OPEN, ABANDONED = "open", "abandoned"
Say = Callable[[Message, Mapping[str, str]], str]
"""Makes a sentence of a message, with the people who sat there then."""
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d)", re.ASCII)


class TextError(Exception):
    """A text that cannot be read. `reason` says which line, what is wrong there and what would be right."""

    def __init__(self, line: int, words: str, why: Message) -> None:
        """words: the line, or empty where a file that is no game text must not be quoted: it may be anybody's."""
        super().__init__(line, words, why.id)
        self.line = line
        self.why = why
        short = words if len(words) <= 60 else words[:57] + "..."
        self.reason = msg("Line {line}: {why:message}", line=line, why=why)
        if words:
            self.reason = msg('Line {line}, "{words}": {why:message}', line=line, words=short, why=why)


@dataclass(frozen=True, slots=True)
class Brought:
    """A game out of a text: its journal from the first entry, and when and how it was played."""

    game: str
    names: Mapping[str, str]
    entries: tuple[Entry, ...]
    date: str
    state: str
    """`open`, `over` or `abandoned`."""
    outline: Outline
    """Its line of the history; its number is not known yet."""


# --- writing ----------------------------------------------------------------------------------------------------


def write(record: Record, date: str, abandoned: bool = False, say: Say | None = None) -> str:
    """The text of a game. date: local time, `2026-01-31 20:15`. What cannot be replayed is left out.

    say: with it, comment lines tell the story too: reasons of the order, falls, what was let stand against which rule,
    and how the winner was found. Without it, or where the text would grow over `LARGEST`, there are no comments.
    """
    replayed = Table.resume(record, _Paper())
    table: Table | None = replayed.table
    if table is None:
        raise BadForm(msg("Game {n} cannot be opened: none of its entries can be read.", n=record.number))
    whole = replace(record, entries=record.entries[: len(record.entries) - len(replayed.aside)])
    game, entries = table.game, public(whole).entries
    told = _comments(record, say) if say is not None else {}
    body = _Body(game, told.pop(entries[0].seq, ()))
    for entry in entries:
        body.add(table.state_at(entry.seq - 1), entry, table.state_at(entry.seq), told.get(entry.seq, ()))
    first, last = table.state_at(1), table.state_at(entries[-1].seq)
    result = game.result(last)
    head = [f"{TITLE} {VERSION}", f"game: {game.id}", f"date: {date}"]
    head += [f"seat {s}: {_name(s, record.names.get(s, ''))}" for s in game.view(first)["seats"]]
    head += [f"{key}: {words}" for key, words in game.notation.head(first).items()]
    head.append(f"result: {', '.join(result.winners) if result else ABANDONED if abandoned else OPEN}")
    if result is not None and say is not None:
        sitting = table.snapshot().names
        head += [_comment(say(step, sitting)) for step in result.steps]
    words = "\n".join([*head, "", *body.done()]) + "\n"
    if say is not None and len(words.encode()) > LARGEST:
        # what is written has to be readable again
        return write(record, date, abandoned)
    return words


def _comments(record: Record, say: Say) -> dict[int, list[str]]:
    """Entry -> the comment lines that belong after it: what `gryphon history show` tells of its request."""
    found = {}
    rules = {e.seq: e.data["rule"] for e in record.entries if e.kind == "put_right" and e.data.get("rule")}
    for scene in tell(record).scenes:
        lines = [_comment(say(message, scene.names)) for message in scene.messages]
        if scene.seq in rules and lines:
            lines[-1] += f" ({rules[scene.seq]})"
        found[scene.seq] = lines
    return found


def _comment(sentence: str) -> str:
    """A comment line of the text. A reader takes no longer lines, and none with signs that cannot be seen."""
    return "# " + " ".join(sentence.split())[: LONGEST - 100]


def _name(seat: str, name: str) -> str:
    """A name as it is, or in quotes where a reader could not tell where it ends."""
    # somebody sits there, whatever the name was
    name = names.tidy(name) or (seat if name else "")
    return name if name == name.strip() and not name.startswith('"') else json.dumps(name)


class _Body:
    """The lines after the head, as the journal goes by. comments: what is told of the opening."""

    def __init__(self, game: Game[Any, Any, Any], comments: Sequence[str]) -> None:
        self._game = game
        self._lines: list[str] = list(comments)
        self._comments: list[str] = []
        """Those of the last line, which may still grow."""
        self._acting: str | None = None

    def done(self) -> list[str]:
        """All lines."""
        return [*self._lines, *self._comments]

    def add(self, before: Any, entry: Entry, after: Any, comments: Sequence[str]) -> None:
        """One entry, and what is told of the request that ends with it."""
        self._add(before, entry, after)
        self._comments += comments

    def _add(self, before: Any, entry: Entry, after: Any) -> None:
        game, notation = self._game, self._game.notation
        match entry.kind:
            case "event":
                event = game.event_from_json(entry.data)
                if before is not None and game.reveals(event):
                    shown = ", ".join(f"{s} {w}" for s, w in notation.shown(before, event).items())
                    self._line(f"round {game.view(before)['round']}: {shown}")
                    self._line(f"order: {', '.join(notation.order(after))}")
                elif self._acting not in (None, *(s for s, _ in game.awaited(after))):
                    # the turn is over: the next one begins a line of its own
                    self._acting = None
            case "step" if entry.data["seat"] is not None:
                choice = game.choice_from_json(before, entry.data["choice"])
                self._act(choice.seat, notation.act(before, choice))
            case "take_back":
                self._line("taken back")
            case "put_right":
                self._line(self._put_right(before, entry.data))
            case "seat":
                self._line(f"seat {entry.data['seat']}: {_name(entry.data['seat'], entry.data['name'])}")

    def _act(self, seat: str, words: str) -> None:
        if seat == self._acting:
            self._lines[-1] += f"; {words}"
        else:
            self._line(f"{seat}: {words}")
            self._acting = seat

    def _line(self, words: str) -> None:
        self._lines += [*self._comments, words]
        self._comments = []
        self._acting = None

    def _put_right(self, before: Any, data: Json) -> str:
        game = self._game
        agreed = f"; agreed {', '.join(data['agreed'])}" if data.get("agreed") else ""
        if data["refused"] is not None:
            choice = game.choice_from_json(before, data["refused"])
            if game.insist(before, choice) == data["after"]:
                return f"{choice.seat} stands: {game.notation.act(before, choice)}{agreed}"
        return f"put right: {game.notation.changes_in_words(before, data['after'])}{agreed}"


# --- reading ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    words: str

    def wrong(self, why: Message) -> TextError:
        return TextError(self.number, self.words, why)

    def halves(self) -> tuple[str, str]:
        """What stands before and after the colon."""
        key, colon, words = self.words.partition(":")
        if not colon:
            raise self.wrong(msg("There is no colon. Every line is a word, a colon, and what it says."))
        return " ".join(key.split()), words.strip()


@dataclass(slots=True)
class _Head:
    """What the head has said so far. lines: key -> the line that it stood in."""

    lines: dict[str, _Line] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    options: dict[str, Json] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)


def read(data: bytes) -> Brought:
    """The game in a text; raises TextError at the first line that cannot be, and then there is none."""
    lines = _lines(data)
    title = next(lines, None)
    if title is None or not re.fullmatch(TITLE + r" \d{1,9}", title.words, re.ASCII):
        right = f"{TITLE} {VERSION}"
        why = msg("This is no game text. The first line is: {right}", right=right)
        raise TextError(title.number if title else 1, "", why)
    if title.words != f"{TITLE} {VERSION}":
        raise title.wrong(msg("This text is of another version. Version {n} can be read here.", n=VERSION))
    head, body, game = _read_head(title, lines)
    table, paper = _begin(title, head, game)
    reader = _Reader(table, paper)
    for line in body:
        reader.line(line)
    state = _check_result(head, game.result(reader.state))
    entries = tuple(paper.entries)
    return Brought(game.id, head.names, entries, head.values["date"], state, outline_of(table, 0, entries[-1].seq))


def _lines(data: bytes) -> Iterator[_Line]:
    """The lines that say something."""
    if len(data) > LARGEST:
        raise TextError(1, "", msg("The file is too large for a game: more than {n} bytes.", n=LARGEST))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise TextError(number, "", msg("This is no text in UTF-8.")) from None
    for number, words in enumerate(text.split("\n"), start=1):
        line = _Line(number, words.strip())
        if len(words) > LONGEST:
            raise line.wrong(msg("The line is too long: more than {n} letters.", n=LONGEST))
        if not line.words.isprintable():
            raise line.wrong(msg("There is a sign in it that no text has."))
        if not line.words.startswith("#"):
            yield line


def _read_head(title: _Line, lines: Iterator[_Line]) -> tuple[_Head, list[_Line], Game[Any, Any, Any]]:
    """The head ends with an empty line; what follows is the body."""
    head = _Head()
    game: Game[Any, Any, Any] | None = None
    for line in lines:
        if not line.words:
            break
        key, words = line.halves()
        if key.startswith("x-"):
            continue
        if key in head.lines:
            raise line.wrong(_twice(key))
        head.lines[key] = line
        if game is None:
            game = _find(line, key, words)
        else:
            _head_line(head, game, line, key, words)
    if game is None:
        raise title.wrong(msg('"{key}" is missing in the head.', key="game"))
    for key in ("date", *game.notation.NEEDED):
        if key not in head.lines:
            raise title.wrong(msg('"{key}" is missing in the head.', key=key))
    return head, [line for line in lines if line.words], game


def _find(line: _Line, key: str, words: str) -> Game[Any, Any, Any]:
    if key != "game":
        raise line.wrong(msg("First the text has to say which game it is: {right}", right="game: sir-holland"))
    game = find_game(words)
    if game is None:
        raise line.wrong(msg('There is no game called "{name}" here.', name=words))
    return game


def _head_line(head: _Head, game: Game[Any, Any, Any], line: _Line, key: str, words: str) -> None:
    if key == "date":
        _check_date(line, words)
        head.values[key] = words
    elif key == "result":
        head.values[key] = words
    elif key.startswith("seat "):
        head.names[key.removeprefix("seat ")] = _read_name(line, words)
    else:
        try:
            option = game.notation.option(key, words)
        except BadForm as error:
            raise line.wrong(error.reason) from None
        if option is None:
            raise line.wrong(msg('The head has no line "{key}". Lines for other programs begin with x-.', key=key))
        for name, value in option.items():
            # house rules stand in lines of their own, and are one option
            both = isinstance(value, dict) and name in head.options
            head.options[name] = head.options[name] | value if both else value


def _twice(word: str) -> Message:
    return msg('"{word}" stands there twice. Once is enough.', word=word)


def _check_date(line: _Line, words: str) -> None:
    found = _DATE.fullmatch(words)
    if found is not None:
        year, month, day, hour, minute = map(int, found.groups())
        # at both ends of the calendar other time zones have no such day
        is_day = 1 < year < 9999 and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]
        if is_day and hour < 24 and minute < 60:
            return
    raise line.wrong(msg("This is no day and time. They are written like this: {right}", right="2026-01-31 20:15"))


def _read_name(line: _Line, words: str) -> str:
    name: Json = words
    if words.startswith('"'):
        try:
            name = json.loads(words)
        except (ValueError, RecursionError):
            name = None
    try:
        names.check(name)
    except BadForm as error:
        raise line.wrong(error.reason) from None
    return str(name)


def _begin(title: _Line, head: _Head, game: Game[Any, Any, Any]) -> tuple[Table, _Paper]:
    paper = _Paper()
    try:
        table, _ = Table.begin(game, paper, tuple(head.names), head.options, head.names, Random(0))
    except BadForm as error:
        raise title.wrong(error.reason) from None
    except BadSetup as error:
        fault = error.faults[0]
        where = (fault.at, f"seat {fault.at}", *game.notation.NEEDED[-1:])
        if fault.at == "seats":
            where = tuple(k for k in head.lines if k.startswith("seat "))[:1]
        line = next((head.lines[k] for k in where if k in head.lines), title)
        raise line.wrong(fault.message) from None
    return table, paper


def _check_result(head: _Head, result: Result | None) -> str:
    """How the game stands at the end; the head may say it, too, and then it has to be so."""
    said = head.values.get("result")
    right = ", ".join(result.winners) if result else f"{OPEN}, {ABANDONED}"
    if said is not None and (said != right if result else said not in (OPEN, ABANDONED)):
        why = msg('The lines below lead to another result. It is written here as: {right}.', right=right)
        raise head.lines["result"].wrong(why)
    return "over" if result else said or OPEN


def _check_seat(seat: str, seats: Sequence[str]) -> None:
    if seat not in seats:
        raise BadForm(msg('"{word}" cannot stand here. There are: {known}.', word=seat, known=", ".join(seats)))


def _agreed(words: str, seats: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """What was put right, and who agreed: `...; agreed red, blue` at the end."""
    rest, semicolon, last = words.rpartition(";")
    if not semicolon or not last.strip().startswith("agreed "):
        return words, ()
    agreed = tuple(w.strip() for w in last.strip().removeprefix("agreed ").split(","))
    for seat in agreed:
        _check_seat(seat, seats)
    return rest.strip(), agreed


class _Paper:
    """A journal that only collects."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def begin(self, game: str, names: Mapping[str, str], entries: Sequence[Entry]) -> int:
        self.entries += entries
        return 0

    def append(self, number: int, entries: Sequence[Entry]) -> None:
        self.entries += entries


class _Reader:
    """Plays the lines of the body through a table."""

    def __init__(self, table: Table, paper: _Paper) -> None:
        self._game = table.game
        self._table = table
        self._paper = paper
        self._left = MOST

    @property
    def state(self) -> Any:
        """Where the table stands."""
        return self._table.state_at(self._paper.entries[-1].seq)

    def line(self, line: _Line) -> None:
        """Play one line; raises TextError."""
        if line.words == "taken back":
            self._ask(line, TakeBack(None, agreed=True))
            return
        key, words = line.halves()
        first, _, rest = key.partition(" ")
        seats = self._game.view(self.state)["seats"]
        try:
            if first == "round":
                self._round(line, rest, words, seats)
            elif key == "order":
                self._order(line, words)
            elif key == "put right":
                words, agreed = _agreed(words, seats)
                self._ask(line, PutRight(self._game.notation.changes(self.state, words), agreed))
            elif first == "seat" and rest in seats:
                self._ask(line, Hand(rest, _read_name(line, words)))
            elif key in seats:
                for part in words.split(";"):
                    self._act(line, key, part.strip())
            elif first in seats and rest == "stands":
                self._stands(line, first, *_agreed(words, seats))
            else:
                known = ", ".join((*seats, "round 1", "order", "put right", "taken back", "seat red", "red stands"))
                raise line.wrong(msg('No line begins with "{key}". Lines begin like these: {known}.',
                                     key=key, known=known))  # fmt: skip
        except BadForm as error:
            raise line.wrong(error.reason) from None

    def _ask(self, line: _Line, request: Any) -> Outcome:
        self._left -= 1
        if self._left < 0:
            raise line.wrong(msg("The game is too long: more than {n} acts.", n=MOST))
        outcome = self._table.request(request)
        if outcome.kind != "done":
            raise line.wrong(outcome.messages[0] if outcome.messages else msg("This changes nothing."))
        return outcome

    def _round(self, line: _Line, number: str, words: str, seats: Sequence[str]) -> None:
        """All cards of a round, face up."""
        game = self._game
        now = game.view(self.state)["round"]
        if number != str(now):
            raise line.wrong(msg("This is round {n}.", n=now))
        seen: set[str] = set()
        for part in words.split(","):
            seat, _, card = part.strip().partition(" ")
            _check_seat(seat, seats)
            if seat in seen:
                raise line.wrong(_twice(seat))
            seen.add(seat)
            choice = game.notation.choice(self.state, seat, card.strip())
            if not game.commutes(choice):
                raise line.wrong(msg('"{word}" is no card. A round is written like this: {right}.',
                                     word=card.strip(), right="round 1: red 5, blue 2"))  # fmt: skip
            self._ask(line, Play(choice))
        if self._paper.entries[-1].kind != "held":
            missing = [s for s, _ in game.awaited(self.state)]
            raise line.wrong(msg("The cards of {seats:seats} are missing. All cards of a round stand in one line.",
                                 seats=missing))  # fmt: skip
        self._ask(line, Reveal())

    def _order(self, line: _Line, words: str) -> None:
        """Follows from the cards: it is there for the reader, and checked."""
        right = ", ".join(self._game.notation.order(self.state))
        if [w.strip() for w in words.split(",")] != right.split(", "):
            raise line.wrong(msg("The order of play is another one: {right}.", right=right or "-"))

    def _act(self, line: _Line, seat: str, words: str) -> None:
        game, state = self._game, self.state
        choice = game.notation.choice(state, seat, words)
        if game.commutes(choice):
            raise line.wrong(msg('"{word}" is a card. Cards are written like this: {right}.',
                                 word=words, right="round 1: red 5, blue 2"))  # fmt: skip
        try:
            game.decide(state, choice)
        except Refusal as refusal:
            raise line.wrong(self._why(state, seat, words, game.explain(state, refusal))) from None
        self._ask(line, Play(choice))

    def _why(self, state: Any, seat: str, words: str, why: Message) -> Message:
        """Why not, and a few acts that could stand there."""
        game = self._game
        acts = [game.notation.act(state, c) for c in game.choices(state, seat) if not game.commutes(c)]
        verb, *_ = words.split()
        acts = [a for a in acts if a.startswith(f"{verb} ")] or acts
        if not acts:
            return why
        return msg("{why:message} Possible here: {acts}.", why=why, acts=", ".join(acts[:5]))

    def _stands(self, line: _Line, seat: str, words: str, agreed: tuple[str, ...]) -> None:
        """A refused act that the table let stand."""
        game, state = self._game, self.state
        choice = game.notation.choice(state, seat, words)
        try:
            game.decide(state, choice)
        except Refusal:
            self._ask(line, Insist(choice, agreed=agreed))
            return
        raise line.wrong(msg('The rules allow this. It is written without "stands".'))
