"""What goes into the table, what comes out, and what the table needs from outside. Values and protocols only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from companion.games.base import Gesture, Json, Message

# --- requests ---------------------------------------------------------------------------------------------------

HEARD = 1.0
"""Seconds after a question before a card or a button can be its answer: until then nobody can have heard it."""
LATEST = 1.0
"""Seconds after the last lock at which its time begins, where no screen has said before that it shows the question."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What the screen showed when it was touched; copied from the Snapshot it was drawn from."""

    seq: int
    moment: str


@dataclass(frozen=True, slots=True)
class Play:
    """A choice (a value of the game). `seen` is None for what cannot be stale: tags and buttons."""

    choice: Any
    seen: Seen | None = None


@dataclass(frozen=True, slots=True)
class Do:
    """A gesture on a device, in terms of seats and cards.

    since: seconds from the table's last answer, which may have been a question, to the gesture; negative where it began
    before.
    """

    gesture: Gesture
    since: float = float("inf")


@dataclass(frozen=True, slots=True)
class Reveal:
    """Play the lock that the table holds. `seen` as in Play."""

    seen: Seen | None = None


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take the last act back. `seat` asks for its own; `agreed`: everyone agrees."""

    seat: str | None
    agreed: bool = False
    seen: Seen | None = None


@dataclass(frozen=True, slots=True)
class PutRight:
    """Make the app like the table: public fields of the state, as the protocol prints them, with their new values.

    A house rule changed in mid-game is one, too (`rules`). agreed: the seats that said yes.
    """

    changes: Mapping[str, Json]
    agreed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Insist:
    """A refused choice stands all the same. `seen` as in Play; agreed: the seats that said yes."""

    choice: Any
    seen: Seen | None = None
    agreed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hand:
    """Somebody else plays a seat from now on; nobody where the name is empty. Its lock is withdrawn."""

    seat: str
    name: str


Request = Play | Do | Reveal | TakeBack | PutRight | Insist | Hand


# What the house can be asked, whether a game is open or not.


@dataclass(frozen=True, slots=True)
class Begin:
    """A new game. seats: colours, each next one to the left; names: seat -> person; options: the game's own."""

    game: str
    seats: tuple[str, ...]
    names: Mapping[str, str]
    options: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on with the saved game of that number."""

    number: int


@dataclass(frozen=True, slots=True)
class Leave:
    """Put the game away; it stays saved."""


@dataclass(frozen=True, slots=True)
class Change:
    """Settings of the players, by name, with their new values."""

    settings: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Bind:
    """A tag belongs to a card from now on."""

    uid: str
    owner: str
    card: int


@dataclass(frozen=True, slots=True)
class SayAgain:
    """Speak the last announcement once more."""


@dataclass(frozen=True, slots=True)
class SayThis:
    """Speak these sentences: a judge's answer, a line of the rule book."""

    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class TellPeople:
    """Who plays at this table, and who has won against whom. Answered by People."""


@dataclass(frozen=True, slots=True)
class ForgetPerson:
    """Take somebody off the list of people, with all that was counted. Games that were played keep the name."""

    name: str


@dataclass(frozen=True, slots=True)
class ListOutputs:
    """Which loudspeakers are there? The voice answers with the status `outputs`."""


@dataclass(frozen=True, slots=True)
class Abandon:
    """The game of that number will not be played to its end. It stays in the history, and can be gone on with."""

    number: int


@dataclass(frozen=True, slots=True)
class ListGames:
    """Answered by History."""


@dataclass(frozen=True, slots=True)
class TellGame:
    """Answered by Story: the game of that number, step by step."""

    number: int


@dataclass(frozen=True, slots=True)
class Branch:
    """A what-if from the game of that number as it stood after entry `seq`: a sandbox that is never saved.

    While it is open its Snapshots say `sandbox`, requests go to it, and Leave leads back to the table that waited.
    """

    number: int
    seq: int


@dataclass(frozen=True, slots=True)
class Export:
    """Write the game of that number as text. Answered by Exported, or by a Status that says why not.

    lang: the language of its comments.
    """

    number: int
    lang: str = "en"


@dataclass(frozen=True, slots=True)
class KeepPicture:
    """Write a picture of the game of that number. Answered by PictureKept, or by a Status that says why not.

    pixels: red, green, blue and opacity of each, the top row first.
    """

    number: int
    width: int
    height: int
    pixels: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Import:
    """Read a game from a text file into the history. Answered by History, or by a Status that says why not."""

    path: str


@dataclass(frozen=True, slots=True)
class Listen:
    """What is laid or pressed is only named from now on (Touched), and plays nothing. An empty `what` ends it.

    what: `seats` (whose device is it?), `cards` (which sticker is it? only then a UID is told) or `test`.
    """

    what: str = ""


@dataclass(frozen=True, slots=True)
class Assign:
    """Readers and panels belong to a seat from now on; to nobody with None, and then to whoever has none.

    places: device -> seat.
    """

    places: Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class Shown:
    """The screen shows that a lock is held, as of entry `seq` of the Snapshot: `Snapshot.hold` seconds run from now.

    Without this word they run from a second after the lock.
    """

    seq: int


@dataclass(frozen=True, slots=True)
class Show:
    """A light of the wire page at a device, and a sound, while somebody listens."""

    device: str
    pattern: str
    sound: str = ""


@dataclass(frozen=True, slots=True)
class Forget:
    """A tag belongs to no card any more."""

    uid: str


@dataclass(frozen=True, slots=True)
class ListCards:
    """Answered by CardBox."""


HouseRequest = Begin | Resume | Leave | Change | Bind | SayAgain | SayThis | Abandon | ListGames | TellGame | Branch
HouseRequest |= Export | Import | Listen | Assign | Show | Shown | Forget | ListCards | TellPeople | ForgetPerson
HouseRequest |= KeepPicture | ListOutputs


# --- outcomes ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Refused:
    """Why the table said no. `choice`: what was refused; `reading`: the rule is our reading of something unclear;

    switch, values: the house rule that would change it, with the values that would allow the choice; may_stand:
    whether the table may let the choice stand (Insist).
    """

    rule: str
    message: Message
    choice: Any = None
    reading: bool = False
    switch: str | None = None
    values: tuple[str | int, ...] = ()
    may_stand: bool = False


@dataclass(frozen=True, slots=True)
class Undo:
    """What a take-back would undo. `seat`: who may do it alone; None: everyone has to agree."""

    seat: str | None
    messages: tuple[Message, ...]


MODES = ("strict", "coach", "silent")
"""Of the referee: refuses; explains, and lets stand what the table insists on; lets stand and marks it."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that a screen may know: public, and whole, so that nobody has to ask the table twice.

    seq: of the last entry; moment: round and phase; view: the public state; choices: what may be chosen now;
    awaited: who does what; held: the seat whose lock is held until the reveal; hold: for how many seconds, from when
    the screen shows it (`Shown`; 0 where none is held); undo: what can be taken back;
    mode: of the referee (`strict`, `coach`, `silent`); free: seats that somebody gave up; sandbox: a what-if;
    number: of the game, in the journal.
    """

    game: str
    seq: int
    moment: str
    view: Mapping[str, Json]
    choices: tuple[Any, ...]
    awaited: tuple[tuple[str, Message], ...]
    names: Mapping[str, str]
    held: str | None = None
    hold: float = 0.0
    undo: Undo | None = None
    decision: tuple[Message, ...] = ()
    mode: str = "coach"
    free: tuple[str, ...] = ()
    sandbox: bool = False
    number: int = 0

    @property
    def seen(self) -> Seen:
        """For the requests that a screen sends, drawn from this snapshot."""
        return Seen(self.seq, self.moment)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the table answers to one request, and all that may be announced of it.

    kind: `done` (something happened), `refused`, `stale` (the screen was old), `not_saved` (nothing happened, because
    the journal could not write), `nothing` (the gesture means nothing now). messages: in the order to be told.
    events: public JSON. before: the snapshot from before, where something happened.
    """

    kind: str
    now: Snapshot
    messages: tuple[Message, ...] = ()
    events: tuple[Mapping[str, Json], ...] = ()
    refused: Refused | None = None
    before: Snapshot | None = None


@dataclass(frozen=True, slots=True)
class Home:
    """No game is open. saved: the last unfinished game as it stood, with its number, or None; lost: what could not be

    saved or read, in sentences; last: seats and names of the last table.
    """

    saved: Snapshot | None
    number: int | None
    settings: Mapping[str, Json]
    last_names: Mapping[str, str] = field(default_factory=dict)
    lost: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Status:
    """A lasting condition (a reader went quiet, there is no sound): said while `message` is not None.

    key: what it is about, so that a later status replaces it; kind: `device`, `sound`, `disk`, `tag`, `setting`,
    `devices`, `outputs` or `touch` (a button asks for the touch test); data: e.g. the UID of an unknown tag, all
    settings, all devices or loudspeakers that are known, or that a device was `lost` just now.
    """

    key: str
    kind: str
    message: Message | None
    data: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Listed:
    """A game in the history. state: `open`, `over` or `abandoned`; started: local time, ISO 8601; round: it got to."""

    number: int
    game: str
    names: Mapping[str, str]
    started: str
    state: str
    round: int
    winner: str | None = None


@dataclass(frozen=True, slots=True)
class Outline:
    """What the history says of a game as it stood after entry `seq`."""

    number: int
    seq: int
    names: Mapping[str, str]
    round: int
    winner: str | None = None


@dataclass(frozen=True, slots=True)
class Saved:
    """A game as the store lists it. started: UTC, ISO 8601; outline: None where it was not worked out since the last

    entry.
    """

    number: int
    game: str
    started: str
    abandoned: bool
    outline: Outline | None


@dataclass(frozen=True, slots=True)
class People:
    """names: who plays at this table, who played last first; wins: (winner, other) -> games."""

    names: tuple[str, ...]
    wins: Mapping[tuple[str, str], int]


@dataclass(frozen=True, slots=True)
class History:
    """All games, the latest first. files: texts that could be imported (paths)."""

    games: tuple[Listed, ...]
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """One step of a story: the table after entry `seq`, and what was said.

    mark: `` (played), `put_right`, `stands` (refused, but the table let it stand), `taken_back`, `seat` (handed on);
    names: who sat where then; events: public JSON, of what was played.
    """

    seq: int
    view: Mapping[str, Json]
    messages: tuple[Message, ...]
    mark: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    events: tuple[Mapping[str, Json], ...] = ()


@dataclass(frozen=True, slots=True)
class Story:
    """A game from its beginning, step by step; it stops before the locks of a running round.

    names: who sits where in the end; lost: what could not be read, in sentences.
    """

    number: int
    game: str
    names: Mapping[str, str]
    scenes: tuple[Scene, ...]
    lost: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Exported:
    """Where the text of that game lies now."""

    number: int
    path: str


@dataclass(frozen=True, slots=True)
class PictureKept:
    """Where the picture of that game lies now."""

    number: int
    path: str


@dataclass(frozen=True, slots=True)
class Touched:
    """Somebody laid or lifted a tag, or pressed or let go a button, while the house listens.

    kind: `reader` or `panel`; seat: whose it is; uid: empty unless it listens for cards; foreign: a number that is
    another one each time (phone, bank card); at: when it began, in seconds of a steady clock.
    """

    device: str
    kind: str
    down: bool
    seat: str | None
    button: int = 0
    uid: str = ""
    foreign: bool = False
    at: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class CardBox:
    """Which sticker belongs to which card: UID -> owner and number. Answers ListCards, Bind and Forget."""

    tags: Mapping[str, tuple[str, int]]


Announcement = (
    Outcome | Home | Status | SayAgain | SayThis | ListOutputs | History | Story | Exported | PictureKept | Touched
    | CardBox | People
)


# --- what the table needs ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a game's journal. kind: `event` (of the game), `step`, `held`, `take_back`, `put_right`, `seat`."""

    seq: int
    kind: str
    data: Json


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it stands in the journal."""

    number: int
    game: str
    names: Mapping[str, str]
    entries: tuple[Entry, ...]


class NotSaved(Exception):
    """The journal could not write. `reason` says why in one sentence."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason.id)
        self.reason = reason


class Journal(Protocol):
    """Where entries go."""

    def begin(self, game: str, names: Mapping[str, str], entries: Sequence[Entry]) -> int:
        """Start a game with its first entries, synced; gives its number. Raises NotSaved."""
        ...

    def append(self, number: int, entries: Sequence[Entry]) -> None:
        """All entries of one request in one synced transaction. Raises NotSaved; then nothing is written."""
        ...


class Announcer(Protocol):
    """Whoever tells people: screen, voice, lights, MQTT. Puts into its own bounded queue and returns at once."""

    def announce(self, what: Announcement) -> None:
        """Take one announcement."""
        ...


@dataclass(frozen=True, slots=True)
class Salvage:
    """What a replay could not use: the entry, and why."""

    entry: Entry
    reason: str


@dataclass(frozen=True)
class Replayed:
    """A table out of the journal, with the entries that were set aside."""

    table: Any
    aside: tuple[Salvage, ...] = field(default=())
