"""Between devices and the table: signals become gestures in terms of seats and cards, outcomes become light and sound.

Only here does anybody know both a tag and a card. Light and sound never differ by card.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Protocol

from companion.adapters.faults import Faults
from companion.games.base import Json, Laid, Message, Pressed, msg, msgn
from companion.resting import Resting
from companion.table.places import pins
from companion.table.ports import Do, Outcome, Snapshot, Status, Touched
from companion.table.seating import GPIO, Seating, on
from hardware import signals
from hardware.signals import Collision, Place, Signal, TagOn

NOBODYS_READER = msg("This reader has no seat in this game. Give it one: Settings, Devices, Whose is whose.")
NOBODYS_PANEL = msg("These buttons have no seat in this game. Give them one: Settings, Devices, Whose is whose.")
DWELL = 0.45
"""Seconds that a card has to lie on a reader until it counts, where no setting says otherwise.

Our firmware is sure of a card after 40 to 80 ms, and that it has left 0.32 s after it did: a card that passes in 120 ms
(measured) is on for 0.36 to 0.44 s. With less, it would count; so a card counts that has lain for some 0.2 to 0.3 s.
"""
AT_ONCE = 0.05
"""Seconds within which two signals of a board are about one moment: of a collision it says first that the card left."""
QUICK = 0.08
"""Seconds between two presses at one panel: sooner no hand presses again. It is a contact that bounces, or a chord."""
TOO_LONG = 5.0
"""Seconds of presses, each too soon after the last, after which a panel is called broken. The link is quicker to shut a

board out that floods altogether, and a thing is told once.
"""
AGAIN = 3.0
"""Seconds before the same is told of a reader once more: two cards, a chip that was deaf."""
KNOCKS = 5
"""Presses of one button in a row that ask for the touch test while no game is open."""


class Devices(Protocol):
    """What can show a pattern and play a sound at a place (hardware.nfc.Readers, hardware.panel.Panels)."""

    def light(self, place: str, pattern: str, /) -> None:
        """Show a pattern of the wire page."""
        ...

    def sound(self, place: str, name: str, /) -> None:
        """Play a sound of the wire page."""
        ...


class Border:
    """What lies where, what is wrong with what, what was said of it and what its lights show.

    bound: device -> seat, as the installer says (table/seating.py).
    """

    def __init__(self, bound: Mapping[str, str] | None = None) -> None:
        self._places = Seating(bound)
        self._listens = ""
        self._pins: Message | None = None
        self._box: dict[str, tuple[str, int]] = {}
        self._strangers: set[str] = set()  # stickers of which was said that nobody knows them
        self._lying: dict[str, str] = {}
        self._named: set[tuple[str, str]] = set()
        self._told: set[str] = set()  # keys of what is said of a device until it is touched again
        self._passing: set[str] = set()  # keys of what is said until the table goes on: nobody says that it is over
        self._shown: dict[tuple[str, str], str] = {}
        self._knocks: tuple[str, int, int] = ("", 0, 0)
        self._trouble: dict[tuple[str, str], Message] = {}  # kind ("reader", "panel", "board" or "port") and name
        self._stuck: dict[tuple[str, int], Message] = {}  # panel and button
        self._pressed: dict[str, tuple[float, float]] = {}  # panel -> its last press, and the last that counted
        self._told_at: dict[str, float] = {}  # key -> when
        self._now = float("-inf")  # when the signal came that is worked at
        self._lost_boards = Faults(lambda: self._now)  # as often as the voice tells of them, the lights warn
        self._listed: Json = {"readers": [], "panels": [], "away": {}, "pins": None}
        self._attached: list[tuple[str, Devices]] = []
        self._can: dict[tuple[str, str], Place] = {}
        self._answered = float("-inf")
        self._resting: Resting[TagOn | Collision] = Resting()
        self._left: dict[str, tuple[str, float]] = {}  # reader -> what has just left it, and when
        self._under: dict[str, str] = {}  # reader -> what had counted there when a second card came
        self.dwell = DWELL

    # --- knowing who is where -------------------------------------------------------------------------------------

    def attach(
        self, readers: Devices | None = None, panels: Devices | None = None, pins: Message | None = None
    ) -> None:
        """The devices that can show light and make sound. pins: how the Pi's own pins are used."""
        self._pins = pins or self._pins
        for kind, devices in (("reader", readers), ("panel", panels)):
            if devices is not None:
                self._attached.append((kind, devices))

    def bind(self, places: Mapping[str, str]) -> None:
        """What people say of devices: device -> seat."""
        self._places.bind(places)
        self._shown.clear()

    def learn(self, box: Mapping[str, tuple[str, int]]) -> None:
        """The card box has changed."""
        self._box = dict(box)
        self._strangers -= box.keys()

    def seat(self, seats: Sequence[str]) -> None:
        """Who sits at the table now."""
        self._places.seat(seats)
        self._named.clear()
        self._shown.clear()
        self._resting.drop()

    def seat_of(self, kind: str, device: str) -> str | None:
        """The seat that a device of a kind ("reader" or "panel") belongs to, or None."""
        return self._places.seat_of(kind, device)

    # --- listening ------------------------------------------------------------------------------------------------

    @property
    def listens(self) -> str:
        """What for: see ports.Listen."""
        return self._listens

    def listen(self, what: str, now: Snapshot | None) -> list[Status | Touched]:
        """Name only what is touched, from now on; with nothing, be at the table again as if just opened."""
        was, self._listens = self._listens, what
        self._resting.drop()
        if what:
            return [self._lies_there(reader) for reader in self._lying]
        if not was:
            return []
        self.dark()
        if now is None:
            return []
        self._show(now)
        told: list[Status | Touched] = []
        for reader in self._lying:
            # laid while nobody played: it is no lock
            told += self._still_lies(reader, now, named=False)
        return told

    def _lies_there(self, reader: str) -> Status | Touched:
        """What lies there from before: a test shows it, and for all else it was not laid."""
        if self._listens == "test":
            return self._touched(reader, "reader", down=True)
        text = msg("A card lies on a reader already. Take it off, then lay it again.")
        return self._tell(card_on(reader), text)[-1]

    def dark(self) -> None:
        """All lights go out."""
        for kind, device in self._places:
            self._light(kind, device, "off")
        self._shown.clear()

    def show(self, device: str, pattern: str, sound: str = "") -> None:
        """A light and a sound at a device, whatever belongs to it, while we listen."""
        if not self._listens:
            return
        for kind, each in self._places:
            if each == device:
                self._light(kind, device, pattern)
                if sound:
                    self._sound(kind, device, sound)

    def _name_touch(self, signal: Signal, at: float) -> list[Status | Touched] | None:
        """What was touched, for whoever listens; None where the signal is about something else.

        A test shows it at once. Who learns from it learns what has come to rest.
        """
        match signal:
            case signals.TagOn(reader, uid, foreign) | signals.TagLying(reader, uid, foreign, True):
                over = self._untold(card_on(reader))
                if self._put(reader, uid, foreign, at):
                    return [self._touched(reader, "reader", True, uid=uid, foreign=foreign, at=at), *over]
                return [*over]
            case signals.TagOff(reader, uid, foreign):
                self._lift(reader, at)
                over = self._untold(card_on(reader))
                return [self._touched(reader, "reader", False, uid=uid, foreign=foreign), *over]
            case signals.Press(panel, button) if (hasty := self._hasten(panel, at)) is not None:
                return [*hasty]
            case signals.Press(panel, button) | signals.Release(panel, button):
                self._places.meet("panel", panel)
                down = isinstance(signal, signals.Press)
                if down:
                    self._click(panel)
                # a button that was stuck is well again
                well = [] if down else self._unstuck(panel, button)
                return [self._touched(panel, "panel", down, button, at=at), *well]
            case _:
                return None

    def _touched(
        self, device: str, kind: str, down: bool, button: int = 0, uid: str = "", foreign: bool = False, at: float = 0.0
    ) -> Touched:
        # which sticker lies where may be a secret of the round: only who teaches the cards is told
        told = uid if self._listens == "cards" else ""
        seat = self._places.owner(kind, device)
        return Touched(device, kind, down, seat, button, told, foreign, at)

    # --- signals in -----------------------------------------------------------------------------------------------

    def signal(self, signal: Signal, now: Snapshot | None, at: float) -> list[Do | Status | Touched]:
        """What a signal means for the table: a gesture to do, a condition to tell, or a touch to name.

        at: when it came, in seconds of a steady clock.
        """
        self._now = at
        if self._listens and (named := self._name_touch(signal, at)) is not None:
            return [*named]
        if self._listens and isinstance(signal, signals.TagLying):
            self._lies(signal.reader, signal.uid)
            return [self._lies_there(signal.reader)]
        return self._meaning_of(signal, now, at)

    def due(self) -> float | None:
        """When something that lies on a reader comes to count; None where nothing is about to."""
        return self._resting.due(self.dwell)

    def last(self, before: float) -> float | None:
        """When all that was laid before that time has come to count; None where there is nothing."""
        return self._resting.last(self.dwell, before)

    def rest(self, now: Snapshot | None, at: float) -> list[Do | Status | Touched]:
        """What has lain still for long enough by that time, and what it means."""
        told: list[Do | Status | Touched] = []
        for what, laid in self._resting.counted(self.dwell, at):
            told += self._counts(what, now, laid)
        return told

    def _counts(self, what: TagOn | Collision, now: Snapshot | None, laid: float) -> list[Do | Status | Touched]:
        """Something has come to rest. laid: when."""
        if isinstance(what, Collision):
            text = msg("Lay one card at a time on a reader.")
            if seat := self.seat_of("reader", what.reader):
                text = msg("{seat:seat}, lay one card at a time.", seat=seat)
            key = card_on(what.reader)
            if key in self._told and self._was_told(key, laid):
                return []
            self._told_at[key] = laid
            return [*self._tell(key, text, passing=True)]
        if self._listens:
            return [self._touched(what.reader, "reader", True, uid=what.uid, foreign=what.foreign, at=laid)]
        return [*self._meaning(what, now, laid)]

    def _meaning_of(self, signal: Signal, now: Snapshot | None, at: float) -> list[Do | Status | Touched]:
        match signal:
            case signals.BoardReady(board, port=port):
                self._greet(board, signal.each())
                self._well(board)
                if now is not None and not self._listens:
                    self._show(now)
                return [Status(board, "device", None), *self._port_is_free(port)]
            case signals.TagOn(reader, uid, foreign):
                return self._laid(reader, uid, foreign, now, at)
            case signals.TagLying(reader, uid, foreign, laid):
                if laid:
                    return self._laid(reader, uid, foreign, now, at)
                self._lies(reader, uid)
                return [*self._still_lies(reader, now, named=False)]
            case signals.TagOff(reader, _, _):
                self._lift(reader, at)
                self._untold(card_on(reader))
                return [Status(card_on(reader), "device", None)]
            case signals.Sight(reader, seen):
                self._resting.see(reader, seen, at)
                return []
            case signals.Collision(reader):
                uid, left = self._left.get(reader, ("", float("-inf")))
                if at - left <= AT_ONCE:
                    self._under[reader] = uid
                if self._resting.get(reader) != signal:
                    self._resting.lay(reader, signal, at)
                return []
            case signals.Press(panel, button):
                self._places.meet("panel", panel)
                if (hasty := self._hasten(panel, at)) is not None:
                    return [*hasty]
                self._click(panel)
                if now is None:
                    return [*self._knocked(panel, button)]
                seat = self.seat_of("panel", panel)
                if seat is None:
                    return [*self._tell(buttons_of(panel), NOBODYS_PANEL, passing=True)]
                return [*self._untold(buttons_of(panel)), Do(Pressed(seat, button), at - self._answered)]
            case signals.Stuck(panel, button):
                self._places.meet("panel", panel)
                text = msg("Button {n} of a panel without a seat seems stuck. It does not count for now.", n=button)
                if seat := self._places.owner("panel", panel):
                    text = msg("Button {n} of {seat:seat} seems stuck. It does not count for now.", n=button, seat=seat)
                self._stuck[panel, button] = text
                return [Status(stuck(panel, button), "device", text)]
            case signals.Release(panel, button):
                return [*self._unstuck(panel, button)]
            case signals.Health(reader, state):
                return [*self._health(reader, state, at)]
            case signals.LinkLost(str(board), port, reason):
                text = self._trouble["board", board] = self._lost(board, port, reason)
                self._resting.drop(partial(on, board))
                if self._lost_boards.begin(board, text, lost=True) and not self._listens:
                    self._warn(board)
                return [Status(board, "device", text, {"lost": True})]
            case signals.LinkLost(None, port, reason) | signals.BoardRefused(_, port, reason):
                # a refused board may have the name of one that is in use
                text = self._trouble["port", port] = _not_in_use(port, reason)
                return [Status(port, "device", text, {"lost": True})]
            case signals.PortFree(port):
                return [*self._port_is_free(port)]
            case signals.PinsReady(factory, stable):
                self._pins = pins(factory, stable)
                return []
            case signals.PinsRefused(reasons):
                why = _sentences([Message(reason.text, reason.facts) for reason in reasons])
                text = self._trouble["board", GPIO] = msg("The button panels are not in use. {why}", why=why)
                return [Status(GPIO, "device", text)]
            case signals.LinkBack(board, port):
                self._well(board)
                return [Status(board, "device", None), *self._port_is_free(port)]
            case _:
                return []

    def _greet(self, board: str, places: Iterable[Place]) -> None:
        can = {(place.kind, f"{board}/{place.number}"): place for place in places}
        self._can = {key: place for key, place in self._can.items() if not on(board, key[1])} | can
        self._places.greet(board, can)
        for reader in self._lying.keys() - set(self._places.met["reader"]):
            del self._lying[reader]
        self._resting.drop(partial(on, board))
        self._stuck = {of: text for of, text in self._stuck.items() if not on(board, of[0])}
        # the board has forgotten its lights
        self._shown = {d: p for d, p in self._shown.items() if not on(board, d[1])}

    def _laid(
        self, reader: str, uid: str, foreign: bool, now: Snapshot | None, at: float
    ) -> list[Do | Status | Touched]:
        """A tag was laid down. It clicks at once, whichever it is, and counts when it has come to rest."""
        over = self._untold(card_on(reader), *self._passing & {health_of(reader)})
        if self._under.pop(reader, None) == uid:
            # the second card has left it: it lay there before, and was not laid anew
            self._resting.lift(reader)
            self._lies(reader, uid)
            return [*over]
        if not self._put(reader, uid, foreign, at):
            return [*over]
        return [*over, *self._meaning(TagOn(reader, uid, foreign), now, at)]

    def _put(self, reader: str, uid: str, foreign: bool, at: float) -> bool:
        """A tag lies there from now on, with a click. Whether it counts at once.

        It does in a test, and where a reader sees no card leave, so that it cannot say whether one lies still.
        """
        self._places.meet("reader", reader)
        self._lies(reader, uid)
        self._sound("reader", reader, "click")
        self._under.pop(reader, None)
        self._resting.lift(reader)
        if self._listens == "test" or not self._what("reader", reader).presence:
            return True
        self._resting.lay(reader, TagOn(reader, uid, foreign), at)
        return False

    def _lift(self, reader: str, at: float) -> None:
        """Nothing lies there any more. What had counted is remembered: a collision may have begun with it."""
        uid = self._lying.pop(reader, "")
        if not self._resting.lift(reader) and uid:
            self._left[reader] = uid, at

    def _meaning(self, tag: TagOn, now: Snapshot | None, at: float) -> list[Do | Status]:
        """What a tag that was laid down means for the table. at: when it was laid."""
        seat = self.seat_of("reader", tag.reader)
        if now is None:
            return []
        if seat is None:
            return [*self._tell(card_on(tag.reader), NOBODYS_READER)]
        if tag.uid not in self._box:
            if tag.foreign:
                text = msg("{seat:seat}, this looks like a phone or a bank card. Lay a card of the game.", seat=seat)
                return [*self._tell(card_on(tag.reader), text)]
            text = msg("{seat:seat}, I do not know this card's sticker. Say on the screen which card it is.", seat=seat)
            if now.moment.endswith("choose"):
                # which card it is would tell the whole table
                text = msg("{seat:seat}, I do not know this card's sticker. Choose on the screen this time.", seat=seat)
            key = f"tag {tag.uid}"
            # laid once more it is news again, and what was said of it before is over first
            over = [Status(key, "tag", None)] if tag.uid in self._strangers else []
            self._strangers.add(tag.uid)
            return [*over, Status(key, "tag", text, {"uid": tag.uid, "seat": seat})]
        owner, card = self._box[tag.uid]
        return [Do(Laid(seat, owner, card), at - self._answered)]

    def _lies(self, reader: str, uid: str) -> None:
        """A tag lies there, as far as the reader can tell: one that sees none leave would say so for ever."""
        if self._what("reader", reader).presence:
            self._lying[reader] = uid

    def _what(self, kind: str, device: str) -> Place:
        """What a device can do; it can do all until its board says otherwise."""
        return self._can.get((kind, device)) or Place(kind, int(device.rpartition("/")[2]))

    def _port_is_free(self, port: str) -> list[Status]:
        """What was said of a port without a board is over."""
        return [] if self._trouble.pop(("port", port), None) is None else [Status(port, "device", None)]

    def _tell(self, key: str, text: Message, passing: bool = False) -> list[Status]:
        """Say something of a device. What was said of it before is over first: the same once more is news, too.

        passing: it is over as well when the table goes on, for no device says that it is.
        """
        over = self._untold(key)
        self._told.add(key)
        if passing:
            self._passing.add(key)
        return [*over, Status(key, "device", text)]

    def _untold(self, *keys: str) -> list[Status]:
        """What was said is over."""
        over = (self._told | self._passing) & set(keys)
        self._told -= over
        self._passing -= over
        return [Status(key, "device", None) for key in sorted(over)]

    def _hasten(self, panel: str, at: float) -> list[Status] | None:
        """None where a press can be a hand's. Else it does not count; a panel that goes on so is broken, said once."""
        last, calm = self._pressed.get(panel, (float("-inf"), at))
        if at - last >= QUICK:
            self._pressed[panel] = at, at
            self._trouble.pop(("panel", panel), None)
            return None
        self._pressed[panel] = at, calm
        if at - calm < TOO_LONG or ("panel", panel) in self._trouble:
            return []
        text = msg("A panel without a seat presses by itself. Check its wiring.")
        if seat := self._places.owner("panel", panel):
            text = msg("The buttons of {seat:seat} press by themselves. Check their wiring, or choose here.", seat=seat)
        self._trouble["panel", panel] = text
        return self._tell(buttons_of(panel), text)

    def _unstuck(self, panel: str, button: int) -> list[Status]:
        """A button came up."""
        if self._stuck.pop((panel, button), None) is None:
            return []
        return [Status(stuck(panel, button), "device", None)]

    def _well(self, board: str) -> None:
        """The board talks, and says itself what is wrong with its readers."""
        self._lost_boards.end(board)
        self._trouble = {
            of: text for of, text in self._trouble.items() if of != ("board", board) and not on(board, of[1])
        }

    def _was_told(self, key: str, at: float) -> bool:
        """Whether it was told so lately that the same once more is no news."""
        return at - self._told_at.get(key, float("-inf")) < AGAIN

    def _health(self, reader: str, state: str, at: float) -> list[Status]:
        key, text = health_of(reader), None
        over: list[Status] = []
        seat = self._places.owner("reader", reader)
        self._trouble.pop(("reader", reader), None)
        if state == "ok" and key in self._passing:
            return []
        if state == "deaf" and key in self._passing:
            if self._was_told(key, at):
                return []
            over = [Status(key, "device", None)]
        self._passing.discard(key)
        if state == "absent":
            self._resting.lift(reader)
            text = msg("A reader without a seat does not answer. Check its cable.")
            if seat:
                text = msg("The reader of {seat:seat} does not answer. Check its cable, or choose here.", seat=seat)
        elif state == "deaf":
            text = msg("A reader without a seat was deaf and is woken.")
            if seat:
                text = msg("The reader of {seat:seat} was deaf and is woken. Lay the card once more.", seat=seat)
                if self.seat_of("reader", reader):
                    # it is well again in no time, and whoever laid a card has to hear of it
                    self._passing.add(key)
                    self._told_at[key] = at
        if text is not None:
            self._trouble["reader", reader] = text
        return [*over, Status(key, "device", text, {"lost": True} if state == "absent" else {})]

    def _lost(self, board: str, port: str, reason: str) -> Message:
        seats = [*self._places.seats_on("reader", board), *self._places.seats_on("panel", board)]
        if reason == signals.FLOODED and seats:
            return msg(
                "The board of {seats:seats} is shut out. {why} Meanwhile, choose here.",
                seats=list(dict.fromkeys(seats)),
                why=msg(reason),
            )
        if seats := self._places.seats_on("reader", board):
            return msgn(
                "The reader of {seats:seats} went quiet. {why} Meanwhile, choose here.",
                "The readers of {seats:seats} went quiet. {why} Meanwhile, choose here.",
                n=len(seats),
                seats=seats,
                why=msg(reason),
            )
        if seats := self._places.seats_on("panel", board):
            return msg(
                "The buttons of {seats:seats} do nothing now. {why} Meanwhile, choose here.",
                seats=seats,
                why=msg(reason),
            )
        return _not_in_use(port, reason)

    def _warn(self, board: str) -> None:
        """Three blinks and a sound at what else the seats of a lost board have before them."""
        for seat in dict.fromkeys([*self._places.seats_on("reader", board), *self._places.seats_on("panel", board)]):
            for kind, device in self._places.devices(seat):
                if not on(board, device):
                    self._light(kind, device, "refused")
                    self._sound(kind, device, "refused")

    def _still_lies(self, reader: str, now: Snapshot | None, named: bool, card: int = 0) -> list[Status]:
        """A card that lies from before is named once: it is no lock (house rule of the reader).

        One that is still coming to rest does not lie there from before: it counts in a moment.
        """
        if reader in self._resting:
            return []
        seat = self.seat_of("reader", reader)
        if seat is None or now is None or not now.moment.endswith("choose") or (reader, now.moment) in self._named:
            return []
        if seat in now.view["locked"]:
            return []
        self._named.add((reader, now.moment))
        if named:
            text = msg("{seat:seat}, take your {card:card} back from the reader.", seat=seat, card=card)
        else:
            # what lies there after a restart may be a secret: its number is not said
            text = msg("{seat:seat}, take the card off your reader, then lay the one you choose.", seat=seat)
        return self._tell(card_on(reader), text)

    def _knocked(self, panel: str, button: int) -> list[Status]:
        """Presses while no game is open. So many of one button in a row ask for the touch test: touch may be wrong."""
        last, number, count = self._knocks
        count = count + 1 if (last, number) == (panel, button) else 1
        self._knocks = (panel, button, count % KNOCKS)
        return [Status("touch_test", "touch", None)] if count == KNOCKS else []

    # --- what there is --------------------------------------------------------------------------------------------

    def news(self) -> Status | None:
        """All devices, for a screen that shows them; None where nothing has changed since it was last asked.

        data: `readers` and `panels`, each with `id`, `seat` (or None), `fixed` (whether the installer says so), `state`
        (`ok`, `lost`), `text` (a Message: what is wrong, or None), `light` (whether its place has one) and `buttons`. A
        board or port that is not in use stands among the readers. `away`: what has a seat by people's word and has not
        been plugged in. `pins`: a Message of how the Pi's pins are used.
        """
        met = {device for _kind, device in self._places}
        boards = {device.partition("/")[0] for device in met}
        readers = [self._told_device("reader", d) for d in self._places.met["reader"]]
        panels = [self._told_device("panel", d) for d in self._places.met["panel"]]
        for (kind, name), text in self._trouble.items():
            if kind in ("board", "port") and name not in boards:
                (panels if name == GPIO else readers).append(device_row(name, trouble=text))
        listed: Json = {"readers": readers, "panels": panels, "away": self._places.away(), "pins": self._pins}
        if listed == self._listed:
            return None
        self._listed = listed
        return Status("devices", "devices", None, listed)

    def _told_device(self, kind: str, device: str) -> Json:
        trouble = self._trouble.get((kind, device)) or self._trouble.get(("board", device.partition("/")[0]))
        if kind == "panel" and trouble is None:
            trouble = next((text for (panel, _), text in self._stuck.items() if panel == device), None)
        seat = self._places.owner(kind, device)
        can = self._what(kind, device)
        told = device_row(device, seat, trouble, device in self._places.fixed, can.light, can.buttons)
        if trouble is None and not can.presence:
            told["text"] = msg("This reader does not see a card leave, so nobody is asked to take one back.")
        return told

    # --- outcomes out ---------------------------------------------------------------------------------------------

    def outcome(self, outcome: Outcome, at: float) -> list[Status]:
        """Show lights and play sounds for an outcome; name the cards that still lie when a round begins.

        at: when it is announced, by the clock of `signal`.
        """
        now, before = outcome.now, outcome.before
        if outcome.kind not in ("nothing", "stale"):
            self._answered = at
        if self._listens:
            return []
        self._show(now)
        if outcome.kind == "refused":
            self._blink(outcome)
        told: list[Status] = []
        if outcome.kind == "done":
            told += self._untold(*self._passing)
        if before is None and outcome.kind == "done":
            # a game begins or goes on: what lies there is from before
            for reader in self._lying:
                told += self._still_lies(reader, now, named=False)
        if before is not None and before.moment != now.moment:
            if before.moment.endswith("choose"):
                for seat in now.view["seats"]:
                    self._play(seat, "reveal")
            for reader, uid in self._lying.items():
                seat_card = self._box.get(uid)
                played = before.view["cards"].get(self.seat_of("reader", reader))
                named = seat_card is not None and seat_card == (self.seat_of("reader", reader), played)
                told += self._still_lies(reader, now, named, played or 0)
        return told

    def _show(self, now: Snapshot) -> None:
        for seat in now.view["seats"]:
            pattern = _pattern(seat, now)
            for kind, device in self._places.devices(seat):
                if self._shown.get((kind, device)) != pattern:
                    self._shown[kind, device] = pattern
                    self._light(kind, device, pattern)

    def _light(self, kind: str, device: str, pattern: str) -> None:
        if kind == "panel" and not on(GPIO, device):
            # it has no light of its own: the reader of that place has
            return
        for of_kind, devices in self._attached:
            if of_kind == kind:
                devices.light(device, pattern)

    def _click(self, panel: str) -> None:
        """A button was pressed. A board's own panel has no buzzer: the reader of that place has."""
        self._sound("panel" if on(GPIO, panel) else "reader", panel, "click")

    def _sound(self, kind: str, device: str, name: str) -> None:
        if kind == "panel" and not on(GPIO, device):
            return
        for of_kind, devices in self._attached:
            if of_kind == kind:
                devices.sound(device, name)

    def _blink(self, outcome: Outcome) -> None:
        """Three blinks at the seat that was refused, then what it showed before."""
        seat = getattr(outcome.refused.choice, "seat", None) if outcome.refused else None
        if seat is not None:
            self._play(seat, "refused")
            for kind, device in self._places.devices(seat):
                self._light(kind, device, "refused")
                self._shown.pop((kind, device), None)

    def _play(self, seat: str, name: str) -> None:
        for kind, device in self._places.devices(seat):
            self._sound(kind, device, name)


def card_on(reader: str) -> str:
    """The key of what is said of the cards on a reader."""
    return f"card {reader}"


def health_of(reader: str) -> str:
    """The key of what is said of a reader's chip."""
    return f"health {reader}"


def buttons_of(panel: str) -> str:
    """The key of what is said of a panel."""
    return f"buttons {panel}"


def stuck(panel: str, button: int) -> str:
    """The key of what is said of one button."""
    return f"stuck {panel} {button}"


def device_row(
    id: str,
    seat: str | None = None,
    trouble: Message | None = None,
    fixed: bool = False,
    light: bool = False,
    buttons: int = 0,
) -> Json:
    """A device as `Border.news` lists it."""
    state = "lost" if trouble else "ok"
    return {"id": id, "seat": seat, "fixed": fixed, "state": state, "text": trouble, "light": light, "buttons": buttons}


def _not_in_use(port: str, reason: str) -> Message:
    return msg("What is at {port} is not in use. {why}", port=port, why=msg(reason))


def _pattern(seat: str, now: Snapshot) -> str:
    """What a seat's light shows: chosen or awaited while choosing, its turn, that it holds the gryphon, or nothing."""
    if now.moment.endswith("choose"):
        return "locked" if seat in now.view["locked"] else "waiting"
    if any(s == seat for s, _ in now.awaited):
        return "turn"
    return "gryphon" if now.view.get("gryphon") == seat else "off"


def _sentences(each: Sequence[Message]) -> Message:
    """Several sentences as one."""
    whole = each[0]
    for sentence in each[1:]:
        whole = msg("{first} {then}", first=whole, then=sentence)
    return whole
