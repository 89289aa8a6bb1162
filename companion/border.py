"""Between devices and the table: signals become gestures in terms of seats and cards, outcomes become light and sound.

Only here does anybody know both a tag and a card. Light and sound never differ by card.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from companion.games.base import Json, Laid, Message, Pressed, msg, msgn
from companion.table.ports import Do, Outcome, Snapshot, Status, Touched
from companion.table.seating import GPIO, Seating, on
from hardware import signals
from hardware.signals import Place, Signal

NOBODYS_READER = msg("This reader has no seat in this game. Give it one: Settings, Devices, Whose is whose.")
NOBODYS_PANEL = msg("These buttons have no seat in this game. Give them one: Settings, Devices, Whose is whose.")
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
        self._lying: dict[str, str] = {}
        self._named: set[tuple[str, str]] = set()
        self._told_of: set[str] = set()
        self._shown: dict[tuple[str, str], str] = {}
        self._knocks: tuple[str, int, int] = ("", 0, 0)
        self._trouble: dict[str, Message] = {}
        self._listed: Json = {"readers": [], "panels": [], "away": {}, "pins": None}
        self._attached: list[tuple[str, Devices]] = []
        self._passing: dict[str, str] = {}
        self._can: dict[tuple[str, str], Place] = {}
        self._answered = float("-inf")

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

    def seat(self, seats: Sequence[str]) -> None:
        """Who sits at the table now."""
        self._places.seat(seats)
        self._named.clear()
        self._shown.clear()

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
            told += [a for a in self._still_lies(reader, now, named=False) if isinstance(a, Status)]
        return told

    def _lies_there(self, reader: str) -> Status | Touched:
        """What lies there from before: a test shows it, and for all else it was not laid."""
        if self._listens == "test":
            return self._touched(reader, "reader", down=True)
        self._told_of.add(reader)
        text = msg("A card lies on a reader already. Take it off, then lay it again.")
        return Status(f"lying {reader}", "device", text)

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

    def _name_touch(self, signal: Signal) -> Touched | None:
        """What was touched, for whoever listens."""
        match signal:
            case signals.TagOn(reader, uid, foreign) | signals.TagLying(reader, uid, foreign, True):
                self._places.meet("reader", reader)
                self._lies(reader, uid)
                self._sound("reader", reader, "click")
                return self._touched(reader, "reader", down=True, uid=uid, foreign=foreign)
            case signals.TagOff(reader, uid, foreign):
                self._lying.pop(reader, None)
                return self._touched(reader, "reader", down=False, uid=uid, foreign=foreign)
            case signals.Press(panel, button) | signals.Release(panel, button):
                self._places.meet("panel", panel)
                if isinstance(signal, signals.Press):
                    self._click(panel)
                return self._touched(panel, "panel", isinstance(signal, signals.Press), button)
            case _:
                return None

    def _touched(
        self, device: str, kind: str, down: bool, button: int = 0, uid: str = "", foreign: bool = False
    ) -> Touched:
        # which sticker lies where may be a secret of the round: only who teaches the cards is told
        told = uid if self._listens == "cards" else ""
        seat = self._places.owner(kind, device)
        return Touched(device, kind, down, seat, button, told, foreign)

    # --- signals in -----------------------------------------------------------------------------------------------

    def signal(self, signal: Signal, now: Snapshot | None, at: float) -> list[Do | Status | Touched]:
        """What a signal means for the table: a gesture to do, a condition to tell, or a touch to name.

        at: when it came, in seconds of a steady clock.
        """
        if self._listens and (touched := self._name_touch(signal)) is not None:
            # a button that was stuck is well again
            if touched.kind == "reader":
                return [touched, *self._untold(touched.device)]
            well = self._meaning_of(signal, now, at) if isinstance(signal, signals.Release) else []
            return [touched, *well]
        if self._listens and isinstance(signal, signals.TagLying):
            self._lies(signal.reader, signal.uid)
            return [self._lies_there(signal.reader)]
        return [*self._meaning_of(signal, now, at)]

    def _meaning_of(self, signal: Signal, now: Snapshot | None, at: float) -> list[Do | Status]:
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
                return self._still_lies(reader, now, named=False)
            case signals.TagOff(reader, _, _):
                self._lying.pop(reader, None)
                return [Status(f"lying {reader}", "device", None)]
            case signals.Collision(reader):
                self._passing[reader] = f"lying {reader}"
                text = msg("Lay one card at a time on a reader.")
                if seat := self.seat_of("reader", reader):
                    text = msg("{seat:seat}, lay one card at a time.", seat=seat)
                return self._told(reader, text)
            case signals.Press(panel, button):
                self._places.meet("panel", panel)
                self._click(panel)
                if now is None:
                    return self._knocked(panel, button)
                seat = self.seat_of("panel", panel)
                if seat is None:
                    self._passing[panel] = f"lying {panel}"
                    return self._told(panel, NOBODYS_PANEL)
                return [*self._untold(panel), Do(Pressed(seat, button), at - self._answered)]
            case signals.Stuck(panel, button):
                self._places.meet("panel", panel)
                text = msg("Button {n} of a panel without a seat seems stuck. It does not count for now.", n=button)
                if seat := self._places.owner("panel", panel):
                    text = msg("Button {n} of {seat:seat} seems stuck. It does not count for now.", n=button, seat=seat)
                self._trouble[panel] = text
                return self._told(panel, text)
            case signals.Release(panel, _) if self._trouble.pop(panel, None) is not None:
                # it was stuck
                return [*self._untold(panel)]
            case signals.Health(reader, state):
                return self._health(reader, state)
            case signals.LinkLost(str(board), port, reason):
                text = self._trouble[board] = self._lost(board, port, reason)
                if not self._listens:
                    self._warn(board)
                return [Status(board, "device", text, {"lost": True})]
            case signals.LinkLost(None, port, reason) | signals.BoardRefused(_, port, reason):
                # a refused board may have the name of one that is in use
                text = self._trouble[port] = _not_in_use(port, reason)
                return [Status(port, "device", text)]
            case signals.PortFree(port):
                return [*self._port_is_free(port)]
            case signals.PinsRefused(reasons):
                why = _sentences([Message(reason.text, reason.facts) for reason in reasons])
                text = self._trouble[GPIO] = msg("The button panels are not in use. {why}", why=why)
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
        # the board has forgotten its lights
        self._shown = {d: p for d, p in self._shown.items() if not on(board, d[1])}

    def _laid(self, reader: str, uid: str, foreign: bool, now: Snapshot | None, at: float) -> list[Do | Status]:
        self._places.meet("reader", reader)
        self._lies(reader, uid)
        return [*self._untold(reader), *self._meaning(reader, uid, foreign, now, at)]

    def _meaning(
        self, reader: str, uid: str, foreign: bool, now: Snapshot | None, at: float
    ) -> list[Do | Status]:
        """What a tag that was laid down means for the table."""
        self._sound("reader", reader, "click")
        seat = self.seat_of("reader", reader)
        if now is None:
            return []
        if seat is None:
            return self._told(reader, NOBODYS_READER)
        if uid not in self._box:
            if foreign:
                text = msg("{seat:seat}, this looks like a phone or a bank card. Lay a card of the game.", seat=seat)
                return self._told(reader, text)
            text = msg("{seat:seat}, I do not know this card's sticker. Say on the screen which card it is.", seat=seat)
            return [Status(f"tag {uid}", "tag", text, {"uid": uid, "seat": seat})]
        owner, card = self._box[uid]
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
        return [] if self._trouble.pop(port, None) is None else [Status(port, "device", None)]

    def _told(self, device: str, text: Message) -> list[Do | Status]:
        self._told_of.add(device)
        return [Status(f"lying {device}", "device", text)]

    def _untold(self, device: str) -> list[Status]:
        """What was told of it is over."""
        keys = {f"lying {device}"} if device in self._told_of else set()
        if device in self._passing:
            keys.add(self._passing.pop(device))
        self._told_of.discard(device)
        return [Status(key, "device", None) for key in sorted(keys)]

    def _well(self, board: str) -> None:
        """The board talks, and says itself what is wrong with its readers."""
        self._trouble = {d: t for d, t in self._trouble.items() if d != board and not on(board, d)}

    def _health(self, reader: str, state: str) -> list[Do | Status]:
        text = None
        seat = self._places.owner("reader", reader)
        self._trouble.pop(reader, None)
        if state == "ok" and self._passing.get(reader) == f"health {reader}":
            return []
        if state == "absent":
            self._passing.pop(reader, None)
            text = msg("A reader without a seat does not answer. Check its cable.")
            if seat:
                text = msg("The reader of {seat:seat} does not answer. Check its cable, or choose here.", seat=seat)
        elif state == "deaf":
            text = msg("A reader without a seat was deaf and is woken.")
            if seat:
                text = msg("The reader of {seat:seat} was deaf and is woken. Lay the card once more.", seat=seat)
                if self.seat_of("reader", reader):
                    # it is well again in no time, and whoever laid a card has to hear of it
                    self._passing[reader] = f"health {reader}"
        if text is not None:
            self._trouble[reader] = text
        return [Status(f"health {reader}", "device", text)]

    def _lost(self, board: str, port: str, reason: str) -> Message:
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

    def _still_lies(self, reader: str, now: Snapshot | None, named: bool, card: int = 0) -> list[Do | Status]:
        """A card that lies from before is named once: it is no lock (house rule of the reader)."""
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
        return [Status(f"lying {reader}", "device", text)]

    def _knocked(self, panel: str, button: int) -> list[Do | Status]:
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
        for name, text in self._trouble.items():
            if name not in met | boards:
                (panels if name == GPIO else readers).append(device_row(name, trouble=text))
        listed: Json = {"readers": readers, "panels": panels, "away": self._places.away(), "pins": self._pins}
        if listed == self._listed:
            return None
        self._listed = listed
        return Status("devices", "devices", None, listed)

    def _told_device(self, kind: str, device: str) -> Json:
        trouble = self._trouble.get(device) or self._trouble.get(device.partition("/")[0])
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
            told += [status for device in list(self._passing) for status in self._untold(device)]
        if before is None and outcome.kind == "done":
            # a game begins or goes on: what lies there is from before
            for reader in self._lying:
                told += [a for a in self._still_lies(reader, now, named=False) if isinstance(a, Status)]
        if before is not None and before.moment != now.moment:
            if before.moment.endswith("choose"):
                for seat in now.view["seats"]:
                    self._play(seat, "reveal")
            for reader, uid in self._lying.items():
                seat_card = self._box.get(uid)
                played = before.view["cards"].get(self.seat_of("reader", reader))
                named = seat_card is not None and seat_card == (self.seat_of("reader", reader), played)
                answers = self._still_lies(reader, now, named, played or 0)
                told += [a for a in answers if isinstance(a, Status)]
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
