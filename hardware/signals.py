"""What devices report, as frozen values, and what can be wrong with them at start.

The names and the JSON are those of the wire page in firmware/README.md. A reader or panel is named by its board's
id, a slash and its number ("e6614c311b4b2a2f/0"; a panel on the Pi's own pins "gpio/0"). Buttons count from 1.
A UID is upper-case hex, two digits a byte.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Signal:
    """Something that a device reports."""

    name: ClassVar[str]
    unsaid: ClassVar[frozenset[str]] = frozenset()

    def to_json(self) -> dict[str, object]:
        """The signal as the wire page writes it: its name and its fields, ready for json.dumps."""
        said = (field.name for field in fields(self) if field.name not in self.unsaid)
        return {"signal": self.name} | {name: getattr(self, name) for name in said}


Post = Callable[[Signal], None]
"""Takes a signal and returns at once; called from the devices' threads."""


@dataclass(frozen=True, slots=True)
class BoardReady(Signal):
    """A board greeted and is in use, with so many readers and button panels."""

    name: ClassVar[str] = "board-ready"
    board: str
    firmware: str
    readers: int
    panels: int


@dataclass(frozen=True, slots=True)
class BoardRefused(Signal):
    """A port or a board that cannot be used; the reason says what to do. `board` is None before it said its id."""

    name: ClassVar[str] = "board-refused"
    board: str | None
    port: str
    reason: str


@dataclass(frozen=True, slots=True)
class TagOn(Signal):
    """A tag was laid down: once per stay. `foreign`: a random UID (phone, bank card) that is new each time."""

    name: ClassVar[str] = "tag-on"
    reader: str
    uid: str
    foreign: bool


@dataclass(frozen=True, slots=True)
class TagOff(Signal):
    """It is gone."""

    name: ClassVar[str] = "tag-off"
    reader: str
    uid: str
    foreign: bool


@dataclass(frozen=True, slots=True)
class TagLying(Signal):
    """It lay there already when the board was asked.

    `laid` (not in the JSON) says that the reader was known to be empty on this same link: the tag was laid by
    somebody just now, and only the board's word of it was lost on the line.
    """

    name: ClassVar[str] = "tag-lying"
    unsaid: ClassVar[frozenset[str]] = frozenset({"laid"})
    reader: str
    uid: str
    foreign: bool
    laid: bool = False


@dataclass(frozen=True, slots=True)
class Collision(Signal):
    """More than one tag; none of them counts."""

    name: ClassVar[str] = "collision"
    reader: str


@dataclass(frozen=True, slots=True)
class Health(Signal):
    """A reader's chip is `ok`, `deaf` (had to be woken anew) or `absent`."""

    name: ClassVar[str] = "health"
    reader: str
    state: str


@dataclass(frozen=True, slots=True)
class Press(Signal):
    """A button went down. A press and a release take turns for each button."""

    name: ClassVar[str] = "press"
    panel: str
    button: int


@dataclass(frozen=True, slots=True)
class Release(Signal):
    """A button came up."""

    name: ClassVar[str] = "release"
    panel: str
    button: int


@dataclass(frozen=True, slots=True)
class Stuck(Signal):
    """A button has been down for so long that nobody can be pressing it; its release will end it."""

    name: ClassVar[str] = "stuck"
    panel: str
    button: int


@dataclass(frozen=True, slots=True)
class LinkLost(Signal):
    """A board stopped talking; its tags are not taken for lifted. `board` is None when it never said its id."""

    name: ClassVar[str] = "link-lost"
    board: str | None
    port: str
    reason: str


@dataclass(frozen=True, slots=True)
class LinkBack(Signal):
    """A lost board talks again, perhaps on another port; its BoardReady follows."""

    name: ClassVar[str] = "link-back"
    board: str
    port: str


class DeviceFault(Exception):
    """A device that cannot be set up; the text is one sentence for a person, with the remedy."""


class PinConflict(DeviceFault):
    """A pin is asked for twice, is not there, or belongs to a bus that is in use."""


class NoPins(DeviceFault):
    """There are no usable GPIO pins here: no pin factory, or no permission."""


# Why a board or a port is not in use. Short, fixed sentences: the words on screen are translated from them.
UNPLUGGED = "The board was unplugged."
SILENT = "The board fell silent. Check its cable."
HUNG = "The board does not answer (hung). Unplug it and plug it in again."
RESTARTED = "The board restarted by itself. Check its power supply."
GARBLED = "The board's greeting does not add up. Check its cable."
TOO_OLD = "The board speaks an older protocol. Write it anew: gryphon firmware install."
TOO_NEW = "The board speaks a newer protocol. Update this program: gryphon update."
TWIN = "Another board has the same id. Unplug one of the two."
BUSY = "The port is held by another program, or by a second gryphon. Close it."
FORBIDDEN = "No permission to open the port. Add this user to the group dialout and log in again."
NOT_SERIAL = "This is not a serial port. Choose another path."
UNUSABLE = "The port cannot be opened. Unplug the board and plug it in again."
