"""`gryphon devices`, `gryphon cards`, `gryphon doctor`: all that sets a table up, without a screen.

Reading works beside an open table; what asks people to lay and press something has to have the devices for itself.
"""

from __future__ import annotations

import argparse
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from companion import cli_saved, compose, doctor
from companion import config as configuration
from companion.adapters import files, sqlite
from companion.cli_devices import NO_LIBRARIES
from companion.config import Config
from companion.engine import Engine
from companion.games.base import BadForm, Message, msg
from companion.games.sir_holland.explain import SEATS
from companion.games.sir_holland.state import CARDS, COLOURS
from companion.settings import value
from companion.table.places import LIGHTS, Places, rows, steps, untouched
from companion.table.ports import (
    CardBox,
    ListCards,
    Listen,
    NotSaved,
    Show,
    Status,
    Touched,
)
from companion.table.teaching import Card, Teaching, lost_sticker
from companion.wording import Wording
from hardware.link import USUAL, is_foreign

ALL: tuple[Card, ...] = tuple((owner, number) for owner in COLOURS for number in CARDS)
SHOWN = 1.5
"""Seconds that each light is shown."""
LOOKED = object()
"""Among what is heard: now it is known whether anything is plugged in."""
LOOK = 2.0
"""Seconds in which pins are set up and a port appears; a board behind one may take the longer time of the wire page."""
NOTHING = msg("Nothing is plugged in that I can see. What comes is found by itself; --config names other places.")
NO_READER = msg("No reader is plugged in that I can see. What comes is found by itself; --config names other places.")
KEYS = msg("Enter skips, r asks for the last one again, q ends.")
TEACH_KEYS = msg(
    "Enter skips, b asks for the card before, {seat:seat} {n} for that card, r for the last one again, q ends.",
    seat="green", n=3,
)  # fmt: skip
TABLE_OPEN = msg("The table is open and has the devices. Do it on its screen, under Devices, or close it first.")


def run(args: argparse.Namespace, words: Wording) -> int:
    """One command, by its name; what cannot be done is said in one sentence."""
    try:
        return COMMANDS[args.set_up](args, words)
    except (NotSaved, BadForm) as error:
        cli_saved.tell(words, error.reason)
    return 1


# --- what there is --------------------------------------------------------------------------------------------------


def _config(args: argparse.Namespace) -> Config:
    return configuration.load(args.config)


def _is_open(args: argparse.Namespace) -> bool:
    """Whether a table runs on this data."""
    return sqlite.is_taken(cli_saved.database(args))


def _ask_the_ports(config: Config, words: Wording) -> None:
    """People are told why they wait."""
    if doctor.ports(config):
        print(words(msg("Asking the ports. That takes a few seconds.")), flush=True)


def _list(args: argparse.Namespace, words: Wording) -> int:
    config = _config(args)
    if _is_open(args):
        print(words(TABLE_OPEN))
    else:
        _ask_the_ports(config, words)
        for finding in doctor.devices(config, _panels(config)):
            print(f"{words(finding.about):<9} {words(finding.text)}", flush=True)
            if finding.remedy:
                print(f"{'':<9} > {words(finding.remedy)}", flush=True)
    store = cli_saved.reader(args)
    said = {} if store is None else dict(value(store.settings(), "devices", {}))
    # the installer counts more than what people say
    places = {**said, **config.seats}
    for device, seat in sorted(places.items()):
        print(words(msg("Place {id} belongs to {seat:seat}.", id=device, seat=seat)))
    if not places:
        print(words(msg("Nobody has said whose is whose. The devices go to the seats in their order.")))
    return 0


def _panels(config: Config) -> Callable[[], Any]:
    """Sets the panels up for nobody."""
    return lambda: compose.panels(config.panel, lambda signal: None)


def _doctor(args: argparse.Namespace, words: Wording) -> int:
    config = _config(args)
    table_open = _is_open(args)
    if not args.json and not table_open:
        _ask_the_ports(config, words)
    # absolute, since lgpio changes the working directory for a moment
    database = cli_saved.database(args).absolute()
    output = _loudspeaker(args, config)
    checks = doctor.all_checks(config, database, words.lang, table_open, _panels(config), output)
    return doctor.report(doctor.examine(checks), words, args.json)


def _loudspeaker(args: argparse.Namespace, config: Config) -> str:
    """The one that is heard: what people chose on the screen, else the installer's, as the table does it."""
    try:
        store = cli_saved.reader(args)
    except NotSaved:  # a check of its own says why
        store = None
    chosen = None if store is None else value(store.settings(), "output", None)
    return config.voice.output if chosen is None else str(chosen)


def _wiring(args: argparse.Namespace, words: Wording) -> int:
    """Which wire goes where, as the pictures show it; without a name, which wirings there are."""
    try:
        from hardware import sheets, wirings
    except ImportError:
        cli_saved.tell(words, NO_LIBRARIES)
        return 1
    known = wirings.by_name(words.text)
    if args.name is None:
        for name, sheet in known.items():
            print(f"{name:<14} {sheet.title}")
        print(words(msg("One of them, wire by wire: gryphon devices wiring NAME.")))
        print(words(msg("The pictures of them lie in this folder:")))
        print(wirings.picture(next(iter(known)), words.lang).parent)
    else:
        print(sheets.text(known[args.name], words.text))
        print(words(msg("The same as a picture:")))
        print(wirings.picture(args.name, words.lang))
    return 0


# --- people lay and press -------------------------------------------------------------------------------------------


class _Bench:
    """The house at work, and what it and the keyboard say, in order."""

    def __init__(self, engine: Engine, tell: Callable[[Any], None], words: Wording, seconds: float | None) -> None:
        """tell: puts something in the row of what was heard."""
        self.engine, self.tell, self.words = engine, tell, words
        self.devices: Mapping[str, Any] = {}
        self._here: list[str] = []
        self.until = None if seconds is None else time.monotonic() + seconds

    def ask(self, request: Any) -> None:
        self.engine.post(request)

    def know(self, devices: Mapping[str, Any]) -> None:
        """Readers and panels came or went."""
        here = [row["id"] for _kind, row in rows(devices) if row["state"] == "ok"]
        if here != self._here:
            what = ", ".join(dict.fromkeys(here))
            self.say(msg("Here: {what}.", what=what) if what else msg("Nothing answers any more."))
        self.devices, self._here = devices, here

    def nothing(self, config: Config, otherwise: Message) -> None:
        """Says what is there although no board has greeted; `otherwise`: where there is not even a port.

        What the devices list says of a port that is not in use was said already.
        """
        if self.devices.get("readers") or self.devices.get("panels"):
            return
        if here := doctor.ports(config):
            self.say(msg("Nothing has greeted so far at: {what}. What comes is found by itself.", what=", ".join(here)))
            return
        self.say(otherwise)
        for finding in doctor.missing(config):
            self.say(finding.text)
            self.say(finding.remedy)

    def say(self, message: Message | None) -> None:
        if message is not None:
            print(self.words(message), flush=True)

    def answer(self, device: str, answer: Any) -> None:
        """What came of a touch (of places.py or teaching.py): light, words, and the request."""
        self.ask(Show(device, *(("locked",) if answer.well else ("refused", "refused"))))
        self.say(answer.message)
        if answer.request is not None:
            self.ask(answer.request)

    def asked_all(self, before: Any, now: Any, ask: Message) -> bool:
        """Says what is asked where it is another thing than before; whether that is no question any more."""
        if now is None or now != before:
            self.say(ask)
        return now is None


class _Ears:
    """An announcer that keeps what it is told until somebody asks."""

    def __init__(self) -> None:
        self.heard: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def announce(self, what: Any) -> None:
        self.heard.put(what)


@contextmanager
def _bench(args: argparse.Namespace, words: Wording, what: str) -> Iterator[tuple[_Bench, Iterator[Any]]]:
    """Devices that only name what is touched, and all that comes from them and from the keyboard."""
    config = _config(args)
    ears = _Ears()
    with ExitStack() as stack:
        store = stack.enter_context(cli_saved.writable(args, words, TABLE_OPEN))
        engine = compose.workshop(config, store, ears, stack)
        bench = _Bench(engine, ears.announce, words, args.seconds)
        engine.post(Listen(what))
        threading.Thread(target=_type, args=(ears.heard,), name="keyboard", daemon=True).start()
        yield bench, _heard(bench, ears.heard, LOOK + (USUAL.boot if doctor.ports(config) else 0))


def _type(heard: queue.SimpleQueue[Any]) -> None:
    """Lines from the keyboard. Where there is none, nobody types.

    Read without Python's buffer: its lock would be in the way when the program ends while we wait.
    """
    line = b""
    with suppress(OSError, ValueError, AttributeError):
        keyboard = sys.stdin.fileno()
        while key := os.read(keyboard, 1):
            if key == b"\n":
                heard.put(" ".join(line.decode("utf-8", "replace").lower().split()))
                line = b""
            else:
                line += key


def _heard(bench: _Bench, heard: queue.SimpleQueue[Any], seconds: float) -> Iterator[Any]:
    """Everything but conditions, which are printed; ends with the time, with q, or with Ctrl-C.

    LOOKED comes once: as soon as something greets, or `seconds` were time enough for it.
    """
    look: float | None = time.monotonic() + seconds
    while bench.until is None or time.monotonic() < bench.until:
        if look is not None and (rows(bench.devices) or time.monotonic() >= look):
            look = None
            yield LOOKED
        ends = [at for at in (look, bench.until) if at is not None]
        try:
            what = heard.get(timeout=max(0.0, min(ends) - time.monotonic()) if ends else None)
        except queue.Empty:
            continue
        except KeyboardInterrupt:
            return
        if what == "q":
            return
        if isinstance(what, Status):
            if what.kind == "devices":
                bench.know(what.data)
            elif what.message is not None:
                bench.say(what.message)
                continue
        yield what


def _bind(args: argparse.Namespace, words: Wording) -> int:
    """Seat by seat."""
    with _bench(args, words, "seats") as (bench, heard):
        bench.say(KEYS)
        places = Places(())
        before = None
        for what in heard:
            match what:
                case Status(kind="devices", data=data) if before is not None and (places.given or places.at):
                    places.know(data)
                case Status(kind="devices", data=data) if before is not None:
                    places = Places(steps(args.seats, data), data)
                case _ if what is LOOKED:
                    if not rows(bench.devices):
                        bench.nothing(_config(args), NOTHING)
                    places = Places(steps(args.seats, bench.devices), bench.devices)
                case _ if before is None:
                    continue
                case Touched(device=device, down=True):
                    answer = places.touch(what)
                    if answer.request is not None:
                        seat = answer.request.places[device]
                        bench.say(msg("Place {id} belongs to {seat:seat}.", id=device, seat=seat))
                    bench.answer(device, answer)
                    before = None if answer.well else before  # buttons in between: it is asked on
                case "":
                    places.skip()
                case "r" if places.can_redo:
                    bench.ask(places.redo())
                case str():
                    bench.say(KEYS)
            if bench.asked_all(before, places.step, places.ask):
                break
            before = places.step
    return 0


def _test(args: argparse.Namespace, words: Wording) -> int:
    """Each light in turn at all devices, then whatever is touched; at the end what was not: then the answer is no."""
    with _bench(args, words, "test") as (bench, heard):
        bench.say(msg("Press every button, lay a card on every reader. q ends."))
        pins, begun = None, False
        seen: set[tuple[str, str]] = set()
        for what in heard:
            match what:
                case _ if what is LOOKED and not rows(bench.devices):
                    bench.nothing(_config(args), NOTHING)
                case Status(kind="devices", data=data):
                    if data.get("pins") != pins:
                        pins = data["pins"]
                        bench.say(pins)
                    if not begun and _lit(data):
                        begun = True
                        threading.Thread(target=_lights, args=(bench.tell,), name="lights", daemon=True).start()
                case _Light(pattern):
                    bench.say(LIGHTS[pattern])
                    for device in _lit(bench.devices):
                        bench.ask(Show(device, pattern))
                case Touched():
                    bench.say(_what(what))
                    if what.down:
                        seen.add((what.kind, what.device))
                    if what.kind == "reader":
                        bench.ask(Show(what.device, "find" if what.down else "off"))
        left = untouched(bench.devices, seen)
        for text in doctor.not_touched(left):
            bench.say(text)
        if not seen and not rows(bench.devices):
            bench.say(msg("Nothing was tested."))
        elif not any(left.values()):
            bench.say(msg("Every reader has seen a card, every panel a press."))
    return int(not seen or any(left.values()))


def _lit(devices: Mapping[str, Any]) -> Iterable[str]:
    """The places with a light. A reader and a panel of one name are one place."""
    return dict.fromkeys(row["id"] for _kind, row in rows(devices) if row["light"])


@dataclass(frozen=True, slots=True)
class _Light:
    """Time for the next light. Only the command's own thread prints, so that it hears when nobody reads any more."""

    pattern: str


def _lights(tell: Callable[[_Light], None]) -> None:
    for pattern in LIGHTS:
        tell(_Light(pattern))
        time.sleep(SHOWN)


def _what(touch: Touched) -> Message:
    """What was touched, in words."""
    seat: str | Message = touch.seat or msg("no seat yet")
    if touch.kind == "panel" and touch.down:
        return msg("Panel {id} ({seat:seat}): button {n} is pressed.", id=touch.device, seat=seat, n=touch.button)
    if touch.kind == "panel":
        return msg("Panel {id} ({seat:seat}): button {n} is let go.", id=touch.device, seat=seat, n=touch.button)
    if touch.down:
        return msg("Reader {id} ({seat:seat}): a card is on it.", id=touch.device, seat=seat)
    return msg("Reader {id} ({seat:seat}): the card is gone.", id=touch.device, seat=seat)


# --- the card box ---------------------------------------------------------------------------------------------------


def _cards(args: argparse.Namespace, words: Wording) -> int:
    """Every card with its stickers."""
    tags = _box(args)
    for owner, number in ALL:
        uids = sorted(uid for uid, card in tags.items() if card == (owner, number))
        print(f"{words(msg('{seat:seat} {card:card}', seat=owner, card=number)):<24} {' '.join(uids) or '-'}")
    print(words(Teaching(ALL, tags).summary))
    return 0


def _teach(args: argparse.Namespace, words: Wording) -> int:
    """Card by card."""
    with _bench(args, words, "cards") as (bench, heard):
        bench.say(TEACH_KEYS)
        bench.ask(ListCards())
        teaching: Teaching | None = None
        named = _named(words)
        for what in heard:
            before = teaching.card if teaching else None
            match what:
                case CardBox(tags) if teaching is None:
                    teaching = Teaching(ALL, tags)
                    if args.every:
                        teaching.from_start()
                case CardBox(tags) if teaching is not None:
                    teaching.know(tags)
                case Touched(kind="reader", down=True, device=device) if teaching is not None:
                    bench.answer(device, teaching.lay(what))
                case _ if what is LOOKED:
                    if all(kind != "reader" for kind, _row in rows(bench.devices)):
                        bench.nothing(_config(args), NO_READER)
                case "" if teaching is not None:
                    teaching.skip()
                case "b" if teaching is not None:
                    teaching.back()
                    before = None  # said also where it is the same one
                case "r" if teaching is not None and teaching.can_redo:
                    bench.say(teaching.last)
                    bench.ask(teaching.redo())
                case str() if teaching is not None and what in named:
                    teaching.pick(named[what])
                    before = None
                case str():
                    bench.say(TEACH_KEYS)
            if teaching is not None and bench.asked_all(before, teaching.card, teaching.ask):
                return 0
    print(words(Teaching(ALL, _box(args)).summary))
    return 0


def _named(words: Wording) -> dict[str, Card]:
    """The cards by what is typed to ask for them: the colour, in this language or by its id, and the number."""
    colours = {word: owner for owner in COLOURS for word in (owner, words(SEATS[owner]).lower())}
    return {f"{word} {number}": (owner, number) for word, owner in colours.items() for number in CARDS}


def _box(args: argparse.Namespace) -> dict[str, tuple[str, int]]:
    store = cli_saved.reader(args)
    return {} if store is None else store.box()


def _forget(args: argparse.Namespace, words: Wording) -> int:
    uid = args.uid.upper()
    with cli_saved.writable(args, words, TABLE_OPEN) as store:
        if uid not in store.box():
            raise BadForm(msg("No card has the sticker {uid}.", uid=uid))
        owner, number = store.box()[uid]
        store.unbind(uid)
    print(words(lost_sticker(owner, number)))
    return 0


def _export(args: argparse.Namespace, words: Wording) -> int:
    """The card box as text: a UID, an owner and a number on each line."""
    tags = _box(args)
    lines = [f"{uid} {owner} {number}\n" for uid, (owner, number) in sorted(tags.items())]
    if args.file is None:
        sys.stdout.writelines(lines)
    elif args.file.exists():
        raise BadForm(msg("There is a file {name} already. Name another one.", name=args.file))
    else:
        files.write(args.file, "".join(lines))
        print(words(Teaching(ALL, tags).summary))
    return 0


def _import(args: argparse.Namespace, words: Wording) -> int:
    found: dict[str, Card] = {}
    # a remark may be in any letters
    lines = files.read(args.file).decode("utf-8-sig", "replace").splitlines()
    for at, line in enumerate(lines, 1):
        parts = line.split("#")[0].split()
        if not parts:
            continue
        if len(parts) != 3 or not _is_uid(parts[0]) or (parts[1], parts[2]) not in {(o, str(n)) for o, n in ALL}:
            raise BadForm(msg("Line {n} is no sticker: a number in hex, a colour, and 1 to 7.", n=at))
        uid, card = parts[0].upper(), (parts[1], int(parts[2]))
        if is_foreign(uid):
            raise BadForm(msg("Line {n} is a phone, a bank card or a blank sticker: no number of its own.", n=at))
        if found.setdefault(uid, card) != card:
            raise BadForm(msg("Line {n} has the sticker {uid} once more, for another card.", n=at, uid=uid))
    with cli_saved.writable(args, words, TABLE_OPEN) as store:
        store.bind_all(found)
        print(words(Teaching(ALL, store.box()).summary))
    return 0


def _is_uid(text: str) -> bool:
    return len(text) in (8, 14, 20) and all(digit in "0123456789abcdefABCDEF" for digit in text)


COMMANDS = {
    "devices": _list, "bind": _bind, "test": _test, "wiring": _wiring, "doctor": _doctor,
    "cards": _cards, "teach": _teach, "forget": _forget, "export": _export, "import": _import,
}  # fmt: skip
