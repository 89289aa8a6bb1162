"""What devices report, as frozen values, and what can be wrong with them at start.

The names and the JSON are those of the wire page in firmware/README.md. A reader or panel is named by its board's
id, a slash and its number ("e6614c311b4b2a2f/0"; a panel on the Pi's own pins "gpio/0"). Buttons count from 1.
A UID is upper-case hex, two digits a byte.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something cannot be used, as a sentence with the remedy: one of the texts below, filled with facts."""

    text: str
    facts: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text.format(**self.facts)


@dataclass(frozen=True, slots=True)
class Signal:
    """Something that a device reports. `ours`: the wire page does not know it; `gryphon devices watch` is silent."""

    name: ClassVar[str]
    ours: ClassVar[bool] = False
    unsaid: ClassVar[frozenset[str]] = frozenset()

    def to_json(self) -> dict[str, object]:
        """The signal as the wire page writes it: its name and its fields, ready for json.dumps."""
        said = (each.name for each in fields(self) if each.name not in self.unsaid)
        return {"signal": self.name} | {name: getattr(self, name) for name in said}


Post = Callable[[Signal], None]
"""Takes a signal and returns at once; called from the devices' threads."""


@dataclass(frozen=True, slots=True)
class Place:
    """A reader or a panel of a board, and what it can do. A reader and a panel of one number share a place.

    kind: `reader` or `panel`; light: its place has one; presence: it sees a tag leave; buttons: of a panel.
    """

    kind: str
    number: int
    light: bool = True
    presence: bool = True
    buttons: int = 0


@dataclass(frozen=True, slots=True)
class BoardReady(Signal):
    """A board greeted and is in use, with so many readers and button panels; "gpio" is the Pi's own pins.

    Not in the JSON: its `port`, and its `places`, one by one; without them they are counted from 0 and can do all.
    """

    name: ClassVar[str] = "board-ready"
    unsaid: ClassVar[frozenset[str]] = frozenset({"port", "places"})
    board: str
    firmware: str
    readers: int
    panels: int
    port: str = field(default="", compare=False)
    places: tuple[Place, ...] = field(default=(), compare=False)

    def each(self) -> tuple[Place, ...]:
        """Its readers and panels."""
        readers = (Place("reader", number) for number in range(self.readers))
        return self.places or (*readers, *(Place("panel", number, buttons=7) for number in range(self.panels)))


@dataclass(frozen=True, slots=True)
class BoardRefused(Signal):
    """A port or a board that cannot be used; the reason says what to do. `board` is None before it said its id."""

    name: ClassVar[str] = "board-refused"
    board: str | None
    port: str
    reason: str


@dataclass(frozen=True, slots=True)
class PortFree(Signal):
    """What was said of a port without a board holds no more: it opens now, or nothing is plugged in there."""

    name: ClassVar[str] = "port-free"
    ours: ClassVar[bool] = True
    port: str


@dataclass(frozen=True, slots=True)
class TagOn(Signal):
    """A tag was laid down: once per stay. `foreign`: a UID that is no card's own (phone, bank card, blank clone)."""

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
class Sight(Signal):
    """A reader has lost sight of the tag that lies on it, or sees it again: too short yet for a TagOff."""

    name: ClassVar[str] = "sight"
    ours: ClassVar[bool] = True
    reader: str
    seen: bool


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
    ours: ClassVar[bool] = True
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


@dataclass(frozen=True, slots=True)
class PinsReady(Signal):
    """The Pi's pins are in use: through which pin factory, and the milliseconds that a level has to last."""

    name: ClassVar[str] = "pins-ready"
    ours: ClassVar[bool] = True
    factory: str
    stable: int


@dataclass(frozen=True, slots=True)
class PinsRefused(Signal):
    """The button panels on the Pi's pins cannot be set up: all that is wrong. What may pass is tried again."""

    name: ClassVar[str] = "pins-refused"
    reasons: tuple[Reason, ...]

    def to_json(self) -> dict[str, object]:
        """As for every signal."""
        return {"signal": self.name, "reasons": [str(reason) for reason in self.reasons]}


class DeviceFault(Exception):
    """A device that cannot be set up. `reasons`: all that is wrong, each with its remedy."""

    def __init__(self, *reasons: Reason) -> None:
        super().__init__(" ".join(map(str, reasons)))
        self.reasons = reasons


class PinConflict(DeviceFault):
    """A pin is asked for twice, is not there, or belongs to a bus that is in use."""


class NoPins(DeviceFault):
    """There are no usable GPIO pins here: no pin factory, or no permission."""


# Why a board, a port or a pin is not in use. Fixed sentences: the words on screen are translated from them.
UNPLUGGED = "The plug was pulled."
SILENT = "Nothing comes over the cable any more. Check it."
HUNG = "There is no answer (hung). Unplug it and plug it in again."
RESTARTED = "The board restarted by itself. Check its power supply."
GARBLED = "The board's greeting does not add up. Check its cable."
NOISE = "Only noise comes from the board. Check its cable; if that helps nothing: gryphon firmware install."
FLOODED = "More comes from it than hands can do. Unplug it, check its wiring, and plug it in again."
TOO_OLD = "The board speaks an older protocol. Write it anew: gryphon firmware install."
TOO_NEW = (
    "The board speaks a newer protocol. Install a newer Gryphon, or put our firmware on the board: gryphon firmware "
    "install."
)
BAD_ID = (
    "A board's id is made of hex digits, as its chip gives them, and this one's is not. Mend its program, or put our "
    "firmware on it: gryphon firmware install."
)
TWIN = "Another board has the same id. Unplug one of the two."
BUSY = "The port is held by another program, or by a second gryphon. Close it."
FORBIDDEN = "No permission to open the port. Add this user to the group dialout and log in again."
NOT_SERIAL = "This is not a serial port. Choose another path."
UNUSABLE = "The port cannot be opened. Unplug the board and plug it in again."
CLOSED = frozenset({BUSY, FORBIDDEN, NOT_SERIAL, UNUSABLE})
"""Those of a port that did not open."""
STUCK = 10.0
"""Seconds down after which nobody is pressing a button."""

PIN_TWICE = "Pin {pin} is used {times} times. Give each wire a pin of its own."
PIN_UNKNOWN = "There is no pin {pin}. The pins are {first} to {last}."
PIN_OF_BUS = "Pin {pin} belongs to {bus}, which is in use. Take another pin, or switch {bus} off."
NO_SUCH_BUS = "There is no bus {bus}. The buses are {buses}."
PIN_OURS = "Another part of this program uses these pins: {pins}. Take others."
PIN_BUSY = "Another program, or a second gryphon, holds these pins: {pins}. Close it."
PIN_HELD = "The program {holder} holds these pins: {pins}. Close it."
PIN_OF_SYSTEM = (
    "The system itself uses these pins as {holder}: {pins}. Take others, or switch that overlay off in the file "
    "/boot/firmware/config.txt and restart the Pi."
)
PINS_FORBIDDEN = "No permission to use the pins. Add this user to the group gpio and log in again."
PINS_PRETENDED = (
    "The pins are pretended, not real: GPIOZERO_PIN_FACTORY says {factory}. In the terminal: unset "
    "GPIOZERO_PIN_FACTORY."
)
NO_FINGERS = "Nobody pretends the pins. First, in another terminal: {python} -m hardware.dry_run buttons."
PINS_OLD_WAY = (
    "The pins would be driven by {factory}, which fails on newer boards. On a Raspberry Pi: sudo apt install "
    "python3-lgpio."
)
NO_PINS = "There are no usable pins here. On a Raspberry Pi: sudo apt install python3-lgpio."
NO_LGPIO = (
    'GPIOZERO_PIN_FACTORY says "{factory}", which is not installed. In the terminal: '
    "unset GPIOZERO_PIN_FACTORY; on a Raspberry Pi, too: sudo apt install python3-lgpio."
)
LGPIO_FAILS = (
    "python3-lgpio is installed and does not start ({error}). Restart the Pi; if that helps nothing: sudo apt install "
    "--reinstall python3-lgpio."
)
PINS_MISNAMED = (
    'GPIOZERO_PIN_FACTORY says "{factory}", which does not work here. In the terminal: unset GPIOZERO_PIN_FACTORY.'
)
PINS_UNUSABLE = "The pins cannot be used ({error}). Restart the Pi; if that helps nothing, check the wiring."
PINS_FAILED = "The pins cannot be read or set any more. Check the wiring; they are tried again by themselves."
