"""The table's end of the wire, without port, thread or clock: bytes and seconds in, signals and bytes out.

One `Link` is one life of an open port. What outlives it (which tags a board had, what its lights showed) stands in
`Known`. The source of every rule here is the wire page in firmware/README.md.
"""

from __future__ import annotations

import re
import secrets
import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from firmware import wire
from hardware import signals
from hardware.signals import Place, Post, Signal


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds. The first three are the wire page's; the others are ours."""

    answer: float = 0.5  # a command unanswered for so long is sent once more, then the board is hung
    silence: float = 3.0  # without any frame
    boot: float = 5.0  # without a greeting: many boards start anew when their port is opened
    merge: float = 0.3  # an off and an on of one UID closer than this are a flicker (seen in the field: 0.275)
    patience: float = 10.0  # how long a port stays open for a board that does not greet
    resync: float = 1.0  # between two `tags?`, so that a board that cannot count is not asked without end


USUAL = Timing()

ONLY_NOISE = 100  # bytes since the last frame: more than a frame of which the end is missing
ATTEMPTS = 5  # greetings that do not add up before the port is closed
LINES = 100  # a second that a board may say for long: four people in a hurry, its beat and its answers are fewer
BURST = 800  # lines at once: a large greeting, or the beats that waited in the system's buffers while we were stopped
PLACES = 64  # readers and panels of one board; more is no board that anybody built
WAITING = 64  # commands that wait; more than that and nobody looks at the lights anyway
PASSING = frozenset({"refused", "find"})  # patterns that end by themselves, so are not shown again after a restart


def is_foreign(uid: str) -> bool:
    """Whether a UID (upper-case hex) tells no card from another, so that none can be taught to it.

    Phones and bank cards draw a random one of 4 bytes that begins with 08 (ISO/IEC 14443-3). Emulators and blank clones
    all have the same: one byte repeated (00000000, FFFFFFFF), or bytes that count up (01020304).
    """
    data = bytes.fromhex(uid)
    counting = (bytes(range(first, first + len(data))) for first in (0, 1))
    return (len(data) == 4 and data[0] == 0x08) or len(set(data)) == 1 or data in counting


def is_board_id(name: str) -> bool:
    """Whether a board may call itself so: hex digits, as its chip gives them. Names of ours are never hex ("gpio")."""
    return bool(re.fullmatch("[0-9A-Fa-f]+", name))


class Stay:
    """What lies on one reader, as the inbox was told. Guards the promise of one TagOn and one TagOff a stay."""

    def __init__(self, reader: str, merge: float) -> None:
        self.reader = reader
        self.presence = True  # the reader sees a tag leave; one that does not can only say `on` again
        self.sure = True  # what lies there is known: nothing of it was lost on the line, and the chip answers
        self.uid: str | None = None
        self.leaving: float | None = None  # when the board said `off`: not told yet, it may be a flicker
        self._merge = merge
        self._laid = False  # a TagOn is out that no TagOff has answered

    def on(self, uid: str) -> list[Signal]:
        """The board says that a tag was laid."""
        self.sure = True
        if uid == self.uid and (self.leaving is not None or (self._laid and self.presence)):
            return self._back()
        told = [] if uid == self.uid and not self._laid else self.gone()
        self.uid, self._laid = uid, True
        return [*told, signals.TagOn(self.reader, uid, is_foreign(uid))]

    def off(self, uid: str, now: float) -> list[Signal]:
        """The board says that it is gone; `settle` tells it once it stays gone."""
        self.sure = True
        if uid != self.uid or self.leaving is not None:
            return []
        self.leaving = now
        return [signals.Sight(self.reader, False)]

    def _back(self) -> list[Signal]:
        """It lies there all the same: where it was said to be gone, that was a flicker."""
        if self.leaving is None:
            return []
        self.leaving = None
        return [signals.Sight(self.reader, True)]

    def lying(self, uid: str, greeting: bool, asked: bool = True) -> list[Signal]:
        """The board says that it lies there. In a greeting that is news; on a running link only a difference is.

        One that was not asked tells of what lay there when a silent chip came to life.
        """
        if uid == self.uid:
            told = self._back()
            return [*told, signals.TagLying(self.reader, uid, is_foreign(uid))] if greeting else told
        told = self.gone()
        laid, self.uid, self.sure = self.sure and asked and not greeting, uid, True
        return [*told, signals.TagLying(self.reader, uid, is_foreign(uid), laid)]

    def gone(self) -> list[Signal]:
        """Nothing lies there."""
        if self.uid is None:
            return []
        told: list[Signal] = [signals.TagOff(self.reader, self.uid, is_foreign(self.uid))]
        self.uid, self._laid, self.leaving = None, False, None
        return told

    def settle(self, now: float) -> list[Signal]:
        """The TagOff that has waited long enough."""
        return self.gone() if self.due() <= now else []

    def due(self) -> float:
        """When `settle` has something to say; infinity if nothing waits."""
        return float("inf") if self.leaving is None else self.leaving + self._merge


@dataclass(frozen=True, slots=True)
class Usb:
    """What a USB plug says of itself: serial number (cheap adapters have none), place on the bus, product."""

    serial: str
    place: str
    product: str


@dataclass(slots=True)
class Board:
    """A board as it is known across its links. Only the port thread of its link changes it (`lights` aside)."""

    id: str
    firmware: str = ""
    readers: dict[int, tuple[str, frozenset[str]]] = field(default_factory=dict)  # number -> chip, what it can do
    panels: dict[int, int] = field(default_factory=dict)  # number -> buttons
    health: dict[int, str] = field(default_factory=dict)
    stays: dict[int, Stay] = field(default_factory=dict)
    down: dict[tuple[int, int], float] = field(default_factory=dict)  # (panel, button) -> when it is called stuck
    lights: dict[int, str] = field(default_factory=dict)
    link: Link | None = None
    usb: Usb | None = None


def _places(board: Board) -> Iterator[Place]:
    lit = {number for number, (_, can) in board.readers.items() if "light" in can}
    for number, (_, can) in sorted(board.readers.items()):
        yield Place("reader", number, light=number in lit, presence="presence" in can)
    for number, buttons in sorted(board.panels.items()):
        yield Place("panel", number, light=number in lit, buttons=buttons)


class Known:
    """All boards ever seen, which of them are lost, and what was said about ports. Shared by the port threads."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.boards: dict[str, Board] = {}
        self._lost: set[tuple[str, str | None]] = set()  # (port, board): a LinkLost is out
        self._said: dict[str, str] = {}  # port -> reason of the last BoardRefused
        self._freed: set[str] = set()  # ports that were lost without a board and are not there any more
        self._twins: dict[str, float] = {}  # port -> since when its board seems to be elsewhere too

    def board(self, board: str) -> Board:
        """The board with that id; an empty one if it is new."""
        with self.lock:
            return self.boards.setdefault(board, Board(board))

    def lose(self, port: str, board: str | None) -> bool:
        """Marks a link as lost; False if that was said already."""
        with self.lock:
            news = board is not None or port in self._freed or all(lost != port for lost, _ in self._lost)
            if news:
                self._lost.add((port, board))
                self._freed.discard(port)
            return news

    def regain(self, port: str, board: str) -> bool:
        """Marks a board as linked; True if it was said to be lost (on whatever port)."""
        with self.lock:
            mine = {lost for lost in self._lost if lost[1] == board or lost == (port, None)}
            self._lost -= mine
            self._freed.discard(port)
            self.forget(port)
            return bool(mine)

    def refuse(self, port: str, reason: str) -> bool:
        """Remembers a refusal; False if it was the last thing said about this port."""
        with self.lock:
            news = self._said.get(port) != reason
            self._said[port] = reason
            return news

    def twin(self, port: str, now: float) -> float:
        """For how many seconds the board on this port has seemed to be on another one too."""
        with self.lock:
            return now - self._twins.setdefault(port, now)

    def forget(self, port: str) -> bool:
        """The port is in use, or not there any more: a refusal would be news again. Whether one was said."""
        with self.lock:
            self._twins.pop(port, None)
            lost = (port, None) in self._lost and port not in self._freed
            if lost:
                self._freed.add(port)
            return self._said.pop(port, None) is not None or lost

    def opens(self, port: str) -> bool:
        """The port opens now. Whether it was said that it does not."""
        with self.lock:
            if self._said.get(port) not in signals.CLOSED:
                return False
            del self._said[port]
            return True


@dataclass(slots=True)
class _Command:
    kind: str
    args: tuple[object, ...]
    seqs: list[str] = field(default_factory=list)  # the SEQs it was sent with: the first answer may come late
    deadline: float = 0.0


@dataclass(slots=True)
class _Greeting:
    """What a board says between `hello` and `ready`."""

    board: str
    firmware: str
    until: float
    readers: dict[int, tuple[str, frozenset[str]]] = field(default_factory=dict)
    panels: dict[int, int] = field(default_factory=dict)
    lying: dict[int, str] = field(default_factory=dict)
    later: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)  # news that comes in the middle
    whole: bool = True  # no frame is missing


class Link:
    """The talk on one open port, from the first `hello?` to its end.

    `receive` and `tick` are called by one thread; `command` by any. After each call `take` has the bytes to write.
    `named`: somebody asked for this port, so that even a board that never greeted is missed. `adapter`: the name that
    our own program for a bare chip greets with (hsu.py); every other board calls itself as `is_board_id` says.
    `wrong` counts frames that made no sense, `decoder.dropped` lines, `decoder.lost` frames that never came.
    """

    def __init__(
        self,
        port: str,
        known: Known,
        post: Post,
        now: float,
        *,
        named: bool = True,
        timing: Timing = USUAL,
        nudge: Callable[[], None] = lambda: None,
        usb: Usb | None = None,
        adapter: str = "",
    ) -> None:
        self.port = port
        self._adapter = adapter
        self.usb = usb
        self.board: Board | None = None  # set once it has greeted
        self.ended = False
        self.flooded = False  # it ended because the board said more than the table has to listen to
        self.decoder = wire.Decoder()
        self.wrong = 0
        self._known = known
        self._post = post
        self._named = named
        self._timing = timing
        self._nudge = nudge
        self._out = bytearray()
        self._seq = 0
        self._opened = self._heard = now
        self._asked = self._bad = 0
        self._noise = 0  # bytes since the last frame
        self._lines = 0.0  # a leaky bucket: fills with lines, and LINES a second leak out
        self._poured = now
        self._nonce = ""
        self._deadline = now
        self._greeting: _Greeting | None = None
        self._commands: deque[_Command] = deque(maxlen=WAITING)
        self._flight: _Command | None = None
        self._doubt = False  # a frame was lost: what lies where has to be asked
        self._doubt_after = now
        self._unconfirmed: set[int] = set()  # readers with a tag that the answer to `tags?` has not named yet
        self._uptime = 0
        self._ask(now)

    # -- what the port thread calls

    def take(self) -> bytes:
        """The bytes to write now."""
        out = bytes(self._out)
        self._out.clear()
        return out

    def receive(self, data: bytes, now: float) -> None:
        """Bytes from the board, in any portions."""
        if self._overflows(data, now):
            self._flood()
            return
        # Line by line, so that a gap is seen at the very frame that follows it.
        for piece in data.splitlines(keepends=True):
            lost = self.decoder.lost
            self._noise += len(piece)
            for _, kind, args in self.decoder.feed(piece):
                if self.ended:
                    return
                self._heard, self._noise = now, 0
                self._hear(kind, args, self.decoder.lost != lost, now)
        self.tick(now)

    def _overflows(self, data: bytes, now: float) -> bool:
        """Whether that is more than a board has to say, in lines of whatever kind, or in bytes without any end."""
        leaked = max(0.0, self._lines - LINES * (now - self._poured))
        self._lines, self._poured = leaked + max(data.count(b"\n"), len(data) / wire.LONGEST), now
        return self._lines > BURST

    def _flood(self) -> None:
        """Nobody listens any more: reading on would take the machine away from the table."""
        self.flooded = True
        if self.board is None and self._named and self._known.lose(self.port, None):
            self._post(signals.LinkLost(None, self.port, signals.FLOODED))
        self.end(signals.FLOODED)

    def tick(self, now: float) -> None:
        """Whatever is due at this time."""
        if self.ended:
            return
        if self.board is None:
            if now >= self._deadline:
                self._unanswered(now)
            return
        for stay in self.board.stays.values():
            self._tell(stay.settle(now))
        for (panel, button), stuck in self.board.down.items():
            if now >= stuck:
                self.board.down[panel, button] = float("inf")
                self._post(signals.Stuck(f"{self.board.id}/{panel}", button))
        if now - self._heard >= self._timing.silence:
            self.end(self._dumb(signals.SILENT))
        elif self._flight is None:
            self._send_next(now)
        elif now >= self._flight.deadline:
            if len(self._flight.seqs) > 1:
                self.end(self._dumb(signals.HUNG))
            else:
                self._send(self._flight, now)

    def due(self, now: float) -> float:
        """Seconds until `tick` has something to do, if no byte comes before."""
        if self.board is None:
            return max(0.0, self._deadline - now)
        times = [self._heard + self._timing.silence, *(stay.due() for stay in self.board.stays.values()),
                 *self.board.down.values()]  # fmt: skip
        if self._flight:
            times.append(self._flight.deadline)
        elif self._commands:
            return 0.0
        elif self._doubt:
            times.append(self._doubt_after)
        return max(0.0, min(times) - now)

    @property
    def busy(self) -> bool:
        """Whether a command waits, or waits for its answer."""
        return not self.ended and bool(self._commands or self._flight)

    def end(self, reason: str) -> None:
        """The link is over: says so if there was one. What the board said before holds."""
        if self.ended:
            return
        self.ended = True
        board = self.board
        if board is None:
            return
        for stay in board.stays.values():
            if stay.leaving is not None:
                self._tell(stay.gone())
        for panel, button in sorted(board.down):
            # nobody will tell of it now, and a press and a release take turns
            self._post(signals.Release(f"{board.id}/{panel}", button))
        board.down.clear()
        with self._known.lock:
            board.link = None
        if self._known.lose(self.port, board.id):
            self._post(signals.LinkLost(board.id, self.port, reason))

    def close(self) -> None:
        """We go, not the board: says what is still due and nothing about the link."""
        if self.board is not None and not self.ended:
            for stay in self.board.stays.values():
                if stay.leaving is not None:
                    self._tell(stay.gone())
            with self._known.lock:
                self.board.link = None
        self.ended = True

    # -- what anybody calls

    def command(self, kind: str, *args: object) -> None:
        """Queues a command of the wire page. Never waits; the oldest of too many is dropped."""
        self._commands.append(_Command(kind, args))
        self._nudge()

    # -- asking and greeting

    def _ask(self, now: float) -> None:
        self._asked += 1
        self._greeting = None
        self._nonce = f"{secrets.randbelow(0x10000):04X}"
        # The first two as the wire page says; after that slower, for a board that is still booting.
        self._deadline = now + self._timing.answer * (1 if self._asked <= 2 else 2)
        self._say("hello?", self._nonce)

    def _unanswered(self, now: float) -> None:
        if now - self._opened >= self._timing.boot and self._named and self._known.lose(self.port, None):
            self._post(signals.LinkLost(None, self.port, self._dumb(signals.HUNG)))
        if now - self._opened >= self._timing.patience:
            self.ended = True
        else:
            self._ask(now)

    def _dumb(self, reason: str) -> str:
        """The reason, or that there was only noise since the last frame."""
        return signals.NOISE if self._noise >= ONLY_NOISE else reason

    def _begin(self, args: tuple[str, ...], now: float) -> None:
        if int(args[1]) != wire.PROTOCOL:
            board = args[3] if len(args) > 3 else None
            self._refuse(board, signals.TOO_OLD if int(args[1]) < wire.PROTOCOL else signals.TOO_NEW)
        elif len(args) < 4:
            self.wrong += 1
        elif args[3] != self._adapter and not is_board_id(args[3]):
            self._refuse(args[3], signals.BAD_ID)
        else:
            self._greeting = _Greeting(args[3], args[2], now + self._timing.silence)
            self._deadline = now + self._timing.answer

    def _refuse(self, board: str | None, reason: str) -> None:
        self.ended = True
        if self._known.refuse(self.port, reason):
            self._post(signals.BoardRefused(board, self.port, reason))

    def _greet(self, greeting: _Greeting, kind: str, args: tuple[str, ...], now: float) -> None:
        self._deadline = min(now + self._timing.answer, greeting.until)
        if kind in ("reader", "panel") and len(greeting.readers) + len(greeting.panels) >= PLACES:
            self.wrong += 1  # so that the numbers at the end differ
        elif kind == "reader":
            can = frozenset(args[2].split(",") if len(args) > 2 else ["presence"])
            greeting.readers[int(args[0])] = (args[1], can)
        elif kind == "panel":
            greeting.panels[int(args[0])] = int(args[1])
        elif kind == "lying":
            greeting.lying[int(args[0])] = args[1]
        elif kind != "ready":
            if len(greeting.later) < 256:
                greeting.later.append((kind, args))
        elif (int(args[0]), int(args[1])) == (len(greeting.readers), len(greeting.panels)):
            self._ready(greeting, now)
        else:
            self._bad += 1
            if self._bad < ATTEMPTS:
                self._ask(now)
            else:
                self._refuse(greeting.board, signals.GARBLED)

    def _ready(self, greeting: _Greeting, now: float) -> None:
        board = self._known.board(greeting.board)
        with self._known.lock:
            twin = board.link is not None
            if not twin:
                board.link = self
        if twin:
            # A board that moved quickly is on two ports until its old link is found dead: wait before saying so. Two
            # serial numbers are two boards.
            if self._differs(board) or self._known.twin(self.port, now) > self._timing.silence + self._timing.answer:
                self._refuse(board.id, signals.TWIN)
            self.ended = True
            return
        self.board, board.usb = board, self.usb
        board.firmware, board.readers, board.panels = greeting.firmware, greeting.readers, greeting.panels
        board.health = dict.fromkeys(board.readers, "ok")
        if self._known.regain(self.port, board.id):
            self._post(signals.LinkBack(board.id, self.port))
        places = tuple(_places(board))
        self._post(
            signals.BoardReady(board.id, board.firmware, len(board.readers), len(board.panels), self.port, places)
        )
        self._take_stock(board, greeting)
        for kind, args in greeting.later:
            if not self.ended:
                self._report(board, kind, args, now)
        for number, pattern in list(board.lights.items()):
            self.light(number, pattern)

    def _differs(self, board: Board) -> bool:
        """Whether the plugs tell this board from the one that is known by its id."""
        ours, theirs = self.usb and self.usb.serial, board.usb and board.usb.serial
        return bool(ours and theirs and ours != theirs)

    def _take_stock(self, board: Board, greeting: _Greeting) -> None:
        for number in board.readers:
            if number not in board.stays:
                board.stays[number] = Stay(f"{board.id}/{number}", self._timing.merge)
            board.stays[number].presence = "presence" in board.readers[number][1]
        for number, stay in board.stays.items():
            stay.sure = greeting.whole
            if number in greeting.lying and number in board.readers:
                self._tell(stay.lying(greeting.lying[number], greeting=True))
            elif greeting.whole:
                self._tell(stay.gone())
        self._doubt = not greeting.whole

    # -- the running link

    def _hear(self, kind: str, args: tuple[str, ...], gap: bool, now: float) -> None:
        if not wire.well_formed(wire.BOARD_KINDS, kind, args):
            self.wrong += kind in wire.BOARD_KINDS  # an unknown kind is a newer board's, and no error
        elif kind == "hello" and self.board is None:
            if args[0] == self._nonce:
                self._begin(args, now)
        elif self._greeting is not None and self.board is None:
            self._greeting.whole &= not gap
            self._greet(self._greeting, kind, args, now)
        elif self.board is not None:
            self._doubt |= gap or kind == "hello"  # somebody else has asked it: look again
            if gap:
                # a release may have been lost, so that nothing is known to be stuck
                self.board.down = dict.fromkeys(self.board.down, float("inf"))
            self._report(self.board, kind, args, now)

    def _report(self, board: Board, kind: str, args: tuple[str, ...], now: float) -> None:
        """A frame of a board in use. A reader or panel that it never announced is nonsense."""
        if kind in ("on", "off", "lying", "collision", "health"):
            number = int(args[0])
            if number not in board.readers:
                self.wrong += 1
                return
            self._unconfirmed.discard(number)
            self._report_reader(board, number, kind, args[-1], now)
        elif kind in ("press", "release"):
            self._report_button(board, int(args[0]), int(args[1]), kind == "press", now)
        elif kind == "beat":
            if int(args[0]) < self._uptime:
                self.end(signals.RESTARTED)
            self._uptime = int(args[0])
        elif kind in ("ack", "nak"):
            self._answered(board, args[0], kind == "ack")

    def _report_reader(self, board: Board, number: int, kind: str, what: str, now: float) -> None:
        stay = board.stays[number]
        if kind == "on":
            self._tell(stay.on(what))
        elif kind == "off":
            self._tell(stay.off(what, now))
        elif kind == "lying":
            asked = self._flight is not None and self._flight.kind == "tags?"
            self._tell(stay.lying(what, greeting=False, asked=asked))
            if self._flight:
                self._flight.deadline = now + self._timing.answer  # it is answering
        elif kind == "collision":
            self._tell([*stay.gone(), signals.Collision(stay.reader)])
        elif what in wire.HEALTH:
            board.health[number] = what
            stay.sure &= what != "absent"
            self._post(signals.Health(stay.reader, what))
        else:
            self.wrong += 1

    def _report_button(self, board: Board, panel: int, button: int, down: bool, now: float) -> None:
        # the page does not say where buttons begin: ours count from 1, and a board that counts from 0 is heard, too
        if panel not in board.panels or not 0 <= button <= board.panels[panel]:
            self.wrong += 1
            return
        name, key = f"{board.id}/{panel}", (panel, button)
        if board.down.pop(key, None) is not None:
            self._post(signals.Release(name, button))  # for a second press too: the release between was lost
        if down:
            board.down[key] = now + signals.STUCK
            self._post(signals.Press(name, button))

    def _tell(self, told: list[Signal]) -> None:
        for signal in told:
            self._post(signal)

    # -- commands

    def light(self, number: int, pattern: str) -> None:
        """Queues a light pattern, if the reader has a light."""
        self._if_it_can("light", number, pattern)

    def sound(self, number: int, name: str) -> None:
        """Queues a sound, if the reader has a buzzer."""
        self._if_it_can("sound", number, name)

    def _if_it_can(self, kind: str, number: int, what: str) -> None:
        board = self.board
        if board is not None and kind in board.readers.get(number, ("", frozenset()))[1]:
            self.command(kind, number, what)

    def _send_next(self, now: float) -> None:
        if self._doubt and now >= self._doubt_after:
            self._doubt_after = now + self._timing.resync
            self._send(_Command("tags?", ()), now)
        elif self._commands:
            self._send(self._commands.popleft(), now)

    def _send(self, command: _Command, now: float) -> None:
        if command.kind == "tags?" and self.board is not None:
            self._doubt = False
            self._unconfirmed = {number for number, stay in self.board.stays.items() if stay.uid is not None}
        command.seqs.append(self._say(command.kind, *command.args))
        command.deadline = now + self._timing.answer
        self._flight = command

    def _answered(self, board: Board, seq: str, well: bool) -> None:
        if self._flight is None or seq not in self._flight.seqs:
            return
        # An answer with a hole in it says nothing about the readers that it does not name: it is asked again.
        if self._flight.kind == "tags?" and well and not self._doubt:
            for number in self._unconfirmed:
                self._tell(board.stays[number].gone())
            for number, stay in board.stays.items():
                stay.sure = board.health.get(number) != "absent"
        self._flight = None

    def _say(self, kind: str, *args: object) -> str:
        seq = self._seq
        self._out += wire.encode(seq, kind, *args)
        self._seq = (seq + 1) & 0xFF
        return f"{seq:02X}"
