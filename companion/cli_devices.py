"""`gryphon firmware ...`: what runs on the reader boards, and ours onto one of them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from companion import advice
from companion.config import Readers, load, text
from companion.games.base import Message, msg, msgn
from companion.plan_words import reason
from companion.usage import N_, wrong
from companion.wording import Wording, plain

if TYPE_CHECKING:
    from hardware.install import Greeting

NO_LIBRARIES = msg(
    "{first} {then}", first=msg("The device libraries are not installed."), then=advice.install("devices")
)


Option = Callable[[argparse.ArgumentParser], None]


def actions(parser: argparse.ArgumentParser, lang: Option, config: Option) -> None:
    """The words of `gryphon firmware`."""
    made = parser.add_subparsers(title=N_("actions"), metavar=N_("ACTION"), required=True)
    for name, help, run in (
        ("install", N_("write our firmware onto the reader board that is plugged in"), _install),
        ("check", N_("which firmware the boards have, and whether it fits"), _check),
    ):
        action = made.add_parser(name, help=help, description=help, epilog=f"example: gryphon firmware {name}")
        lang(action)
        config(action)
        action.add_argument("--port", type=port, metavar=N_("PATH"), help=N_("one port (default: those of the table)"))
        if name == "install":
            action.add_argument(
                "--replace", action="store_true", help=N_("write over somebody's own program on it without asking")
            )
            action.add_argument(
                "--board-json",
                type=path,
                metavar=N_("FILE"),
                help=N_("what is wired to it (default: as it stands there)"),
            )
        action.set_defaults(command=run)


def port(name: str) -> str:
    """The name of a port, out of the command line."""
    if not name:
        raise wrong(msg("a port must be named, such as /dev/ttyACM0"))
    return name


def path(name: str) -> Path:
    """A file or a folder, out of the command line; no name would be the folder where we are."""
    if not name:
        raise wrong(msg("a file or a folder must be named"))
    return Path(name)


def _install(args: argparse.Namespace, words: Wording) -> int:
    try:
        from hardware import install
    except ImportError:
        return _fail(words, NO_LIBRARIES)
    steps = {
        "asks": msg("Asking the board who it is."),
        "restarts": msg("It restarts, to be written."),
        "copies": msg("Copying. Leave its cable in."),
        "greets": msg("It restarts. Asking it again."),
    }
    readers = load(args.config).readers
    plan = None if args.board_json is None else text(args.board_json)
    try:
        if plan is not None:
            install.check_plan(plan)
        greeting = install.install(
            args.port, plan, lambda step: print(words(steps[step]), flush=True),
            adapters=readers.adapters, configured=readers.ports or None,
            agree=lambda port, files: args.replace or _agrees(port, files, words),
        )  # fmt: skip
    except install.Failed as failed:
        return _fail(words, _why(failed.why, failed.detail, readers))
    print(words(_has(greeting.board, greeting.firmware, greeting.port)))
    _parts(greeting, words)
    return 0


def _agrees(port: str, files: list[str], words: Wording) -> bool:
    """Whether the person at the keyboard says yes; nobody is asked where there is none."""
    if not sys.stdin or not sys.stdin.isatty():
        return False
    what = ", ".join(files)
    print(words(msg("On the board at {port} lies a program that is not ours: {files}.", port=port, files=what)))
    print(words(msg("It would be lost. Write over it? Type yes, or anything else to leave it as it is.")), flush=True)
    return sys.stdin.readline().strip().lower() == words(msg("yes")).lower()


def _check(args: argparse.Namespace, words: Wording) -> int:
    try:
        from hardware import install
    except ImportError:
        return _fail(words, NO_LIBRARIES)
    from companion.doctor import fits  # not earlier: `gryphon referee` runs on bare Python

    readers = load(args.config).readers
    found = install.check(args.port, adapters=readers.adapters, configured=readers.ports or None)
    if not found:
        return _fail(words, _why(install.NO_PORT, ", ".join(readers.ports), readers))
    good = True
    for one in found:
        if isinstance(one, install.Failed):
            print(f"{plain(one.detail)}: {words(_why(one.why, one.detail))}")
            good = False
            continue
        print(words(_has(one.board, one.firmware, one.port)))
        print("  " + words(fits(one.verdict)))
        good = good and one.verdict not in ("old", "new", "id")
        if one.verdict in ("same", "older", "newer"):
            _parts(one, words)
            good = good and not one.remark
    return 0 if good else 1


def _has(board: str | None, firmware: str, port: str) -> Message:
    return msg("The board {board} at {port} has firmware {firmware}.", board=board or "?", port=port, firmware=firmware)


def _parts(greeting: Greeting, words: Wording) -> None:
    """What hangs on it, and what is wrong with that."""
    print("  " + words(msgn("It has {n} reader.", "It has {n} readers.", n=greeting.readers)))
    if greeting.panels:
        print("  " + words(msgn("It has {n} panel of buttons.", "It has {n} panels of buttons.", n=greeting.panels)))
    for number in greeting.sick:
        print("  " + words(msg("Its reader {n} does not answer. Check the wires.", n=number)))
    if greeting.remark:
        print("  " + words(msg("It says about its board.json: {why}.", why=reason(greeting.remark))))


def _why(why: str, detail: str, readers: Readers | None = None) -> Message:
    """What could not be done, and what to do. readers: of the configuration, to name the ports that are there."""
    from hardware import install
    from hardware.found import offered

    match why:
        case install.NO_PORT:
            named = [detail, *(readers.ports if readers else ())] if detail else []
            there = ", ".join(offered(named, readers.adapters if readers else ()))
            if detail and there:
                return msg("There is no port {port}. These are there: {ports}", port=detail, ports=there)
            if detail:
                return msg("There is no port {port}. Plug the board in, or name another port.", port=detail)
            return msg("I see no board on USB. Plug it in with a cable that carries data, not only power.")
        case install.NOBODY:
            return msg(
                "No board greets at {ports}. A board of another make is written only where it is named, with --port.",
                ports=detail,
            )
        case install.FOREIGN:
            return msg(
                "On the board lies a program that is not ours: {files}. It was left as it is. To write over it, say "
                "this again with --replace.",
                files=detail,
            )
        case install.SEVERAL:
            return msg("There are several boards. Name one with --port: {ports}.", ports=detail)
        case install.BAD_PLAN:
            return msg("The plan of the board cannot be used: {why}.", why=reason(detail))
        case install.NO_JSON:
            return msg("The plan is no JSON. Look near line {line} for a missing comma, quote or brace.", line=detail)
        case install.NO_TOOL:
            return msg("{first} {then}", first=msg("The tool mpremote is missing."), then=advice.install("devices"))
        case install.HUNG:
            return msg(
                "No board answers at {port}. Unplug it, hold its button BOOTSEL down while you plug it in again, copy "
                "MicroPython (a .uf2 file for your board) onto the drive that appears, then say this again.",
                port=detail,
            )
        case install.LOST:
            return msg("The board restarted and did not come back. Unplug it, plug it in and say this again.")
        case install.COPY:
            return msg("The copying failed. {why}. Unplug the board, plug it in and say this again.", why=detail)
        case install.SILENT:
            return msg("All is copied, but the board does not greet. Unplug it, plug it in: gryphon firmware check.")
        case install.BOARD_JSON:
            return msg(
                "The firmware is on the board, but its board.json cannot be used: {why}. Mend it, then: gryphon "
                "firmware install --board-json FILE.",
                why=reason(detail),
            )
        case install.OTHER:
            return msg("The board greets with firmware {firmware}, which is not what was copied.", firmware=detail)
        case _:
            return Message(why)  # a sentence of hardware/signals.py


def _fail(words: Wording, why: Message) -> int:
    print(f"gryphon: {words(why)}", file=sys.stderr)
    return 1
