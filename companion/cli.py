"""`gryphon ...`: one subcommand, one function. Exit codes: 0 done, 1 the answer is no or it failed, 2 wrong usage."""

from __future__ import annotations

import sys

from companion.interrupt import interrupted

try:
    import argparse
    import json
    import logging
    import os
    import signal
    from collections.abc import Callable, Sequence
    from contextlib import suppress
    from io import TextIOWrapper
    from pathlib import Path
    from typing import Any, NoReturn

    from companion import __version__, cli_devices, usage
    from companion.adapters import files
    from companion.cli_devices import path as _path
    from companion.cli_devices import port as _port
    from companion.config import ROTATIONS, ConfigError, load
    from companion.games import find_game
    from companion.games.base import BadForm, BadSetup, Json, Message, msg
    from companion.games.sir_holland import codec, desk
    from companion.games.sir_holland.state import CARDS, COLOURS
    from companion.usage import N_, Parser, colour, colours, wrong
    from companion.wording import PlainLog, Wording, languages
except KeyboardInterrupt:
    # while Python still reads all that; there is no main yet that could end quietly
    sys.exit(interrupted())

ENDS = (signal.SIGTERM, signal.SIGHUP)

Command = Callable[[argparse.Namespace, Wording], int]


class Wrong(Exception):
    """Wrong usage; the message says what would be right."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason.id)
        self.reason = reason


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; gives its exit code."""
    try:
        return _main(argv)
    except KeyboardInterrupt:
        return interrupted()


def _main(argv: Sequence[str] | None) -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # a terminal that cannot show a letter shows a question mark
            stream.reconfigure(errors="replace")
    game = find_game(codec.GAME)
    assert game is not None
    words = Wording(_language(None), game.term)
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(PlainLog())
    try:
        try:
            usage.speak(Wording(usage.language(sys.argv[1:] if argv is None else argv, _language(None)), game.term))
            args = _parser().parse_args(argv)
        except SystemExit:
            # it has printed its help
            _flush()
            raise
        words = Wording(_language(args.lang), game.term)
        if args.command is not _table:
            _log_little()
        code = int(args.command(args, words))
        _flush()
    except (Wrong, BadForm) as error:
        return _fail(2, words(error.reason))
    except ConfigError as error:
        return _fail(1, words(error.reason))
    except BrokenPipeError:
        # whoever read our output has gone; the interpreter must not try to flush into it once more
        _discard_output()
        return 0
    except OSError as error:
        from companion.texts import why

        _discard_output()
        return _fail(1, words(why(error)))
    return code


def _flush() -> None:
    """What cannot be printed is told by us, not by Python at its end."""
    if sys.stdout is not None:
        sys.stdout.flush()


def _log_little() -> None:
    """A command says in its own words what a disk or a device refuses; only faults of ours are logged besides."""
    if logging.lastResort is not None:
        logging.lastResort.setLevel(logging.ERROR)


def _discard_output() -> None:
    """What is still waiting to be printed must not fail once more when Python ends."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _end(_number: int, _frame: object) -> NoReturn:
    """SIGTERM, or a terminal that is closed, ends the program as its own end does: in order."""
    for number in ENDS:
        signal.signal(number, signal.SIG_IGN)  # a second one would break the order
    raise SystemExit(143)


def _end_in_order() -> None:
    for number in ENDS:
        signal.signal(number, _end)


def _fail(code: int, sentence: str) -> int:
    with suppress(OSError):
        # nobody may be there to read it
        print(f"gryphon: {sentence}", file=sys.stderr)
    return code


def _language(wanted: str | None) -> str:
    """The language asked for, else that of the environment, else English."""
    if wanted:
        return wanted
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            short = value[:2].lower()
            return short if short in languages() else "en"
    return "en"


# --- usage ------------------------------------------------------------------------------------------------------


def _parser() -> argparse.ArgumentParser:
    top = Parser(
        prog="gryphon",
        description=N_("The companion of a real card game. Without a command it opens the table."),
        epilog="example: gryphon demo --seats 3 --fast",
    )
    top.set_defaults(lang=None, windowed=False, rotate=None, data=None, config=None)
    _lang(top)
    top.add_argument("--version", action="version", version=f"gryphon {__version__}")
    _table_options(top)
    top.set_defaults(command=_table)
    commands = top.add_subparsers(title=N_("commands"), metavar=N_("COMMAND"))

    def command(name: str, run: Command, help: str, example: str) -> argparse.ArgumentParser:
        parser: argparse.ArgumentParser = commands.add_parser(
            name, help=help, description=help, epilog=f"example: {example}"
        )
        _lang(parser)
        parser.set_defaults(command=run)
        return parser

    table = command("table", _table, N_("open the table on this screen"), "gryphon table --windowed")
    _table_options(table)
    demo = command(
        "demo", _demo, N_("a whole game by scripted people, told line by line"), "gryphon demo --seats 3 --fast"
    )
    demo.add_argument("--seats", type=_whole, default=3, choices=(2, 3, 4), help=N_("how many people play (default 3)"))
    demo.add_argument("--seed", type=_whole, default=1, help=N_("another number is another game (default 1)"))
    demo.add_argument("--fast", action="store_true", help=N_("without pauses"))
    command(
        "referee",
        _referee,
        N_("the rules engine on standard input and output, one JSON object a line"),
        'echo \'{"cmd": "hello"}\' | gryphon referee',
    )
    _judge(command("judge", _no_question, N_("who goes first, may I do this, and who has won"), _ORDER_EXAMPLE))
    rules = command("rules", _rules, N_("the rule book, searched"), "gryphon rules secret passage")
    rules.add_argument("words", nargs="*", metavar=N_("WORD"), help=N_("words, or the id of a rule (R49, A10)"))
    _history_actions(command("history", _no_question, N_("the games that were played"), "gryphon history show 3"))
    _devices(command("devices", _set_up, N_("reader boards and panels"), "gryphon devices bind"))
    _cards(command("cards", _set_up, N_("which sticker belongs to which card"), "gryphon cards teach"))
    doctor = command("doctor", _set_up, N_("what works here, what does not, and what to do about it"), "gryphon doctor")
    doctor.add_argument("--json", action="store_true", help=N_("one JSON object a line"))
    _places(doctor)
    doctor.set_defaults(set_up="doctor")
    firmware = command("firmware", _no_question, N_("what runs on the reader boards"), "gryphon firmware check")
    cli_devices.actions(firmware, _lang, _config)
    return top


_ORDER_EXAMPLE = "gryphon judge order --seats yellow,red,blue --gryphon yellow --cards yellow=4,red=2,blue=2"
_MAY_EXAMPLE = """gryphon judge may --state position.json --choice '{"do": "hide", "seat": "red", "hero": "red.1"}'"""
_WINNER_EXAMPLE = (
    "gryphon judge winner --seats red,blue --gryphon red --ended-by rested --saved red=1,blue=1 --levels red=5,blue=4"
)


def _lang(parser: argparse.ArgumentParser) -> None:
    # no default (as with the table's options), so that a sub-command does not undo what was said before it
    parser.add_argument(
        "--lang", choices=languages(), default=argparse.SUPPRESS, help=N_("language (default: that of the system)")
    )


def _table_options(parser: argparse.ArgumentParser) -> None:
    suppress = argparse.SUPPRESS
    parser.add_argument("--windowed", action="store_true", default=suppress, help=N_("a window, not the whole screen"))
    parser.add_argument(
        "--rotate", type=_whole, choices=ROTATIONS, default=suppress, help=N_("turn the picture clockwise")
    )
    _places(parser)


def _judge(judge: argparse.ArgumentParser) -> None:
    questions = judge.add_subparsers(title=N_("questions"), metavar=N_("QUESTION"), required=True)

    def question(name: str, run: Command, help: str, example: str) -> argparse.ArgumentParser:
        parser = questions.add_parser(name, help=help, description=help, epilog=f"example: {example}")
        _lang(parser)
        parser.set_defaults(command=run)
        return parser

    order = question("order", _judge_order, N_("who goes first and why"), _ORDER_EXAMPLE)
    may = question("may", _judge_may, N_("whether a choice is allowed, why not, and what would be"), _MAY_EXAMPLE)
    winner = question("winner", _judge_winner, N_("who won and why"), _WINNER_EXAMPLE)
    for parser in (order, winner):
        parser.add_argument("--seats", required=True, help=N_("colours, each next one sitting to the left"))
        parser.add_argument("--gryphon", required=True, help=N_("who holds the gryphon"))
    order.add_argument("--cards", required=True, help=N_("seat=number, ..."))
    position = N_("a position as the referee prints it; - is input")
    may.add_argument("--state", type=_state, required=True, metavar=N_("FILE"), help=position)
    may.add_argument("--choice", required=True, metavar="JSON", help=N_("a choice as the referee takes it"))
    winner.add_argument("--ended-by", required=True, choices=("saved", "rested"), help=N_("how the game ended"))
    winner.add_argument("--saved", required=True, help=N_("seat=heroes saved, ..."))
    winner.add_argument("--levels", default="", help=N_("seat=level+level of heroes still inside, ..."))
    winner.add_argument("--out", default="", help=N_("seats in the order in which their second hero got out"))
    winner.add_argument("--rules", default="", help=N_("house rules: switch=value, ..."))


def _devices(parser: argparse.ArgumentParser) -> None:
    _places(parser)
    parser.set_defaults(set_up="devices")
    actions = parser.add_subparsers(
        title=N_("actions"), metavar=N_("ACTION"), help=N_("none: what is plugged in, and whose")
    )
    bind = _action(
        actions, "bind", N_("whose is whose: lay a card on each reader, press a button"), "gryphon devices bind"
    )
    bind.add_argument(
        "--seats", type=_colours, default=COLOURS, metavar=N_("COLOURS"), help=N_("who is asked (default: all)")
    )
    test = _action(actions, "test", N_("show each light, name each button that is pressed"), "gryphon devices test")
    for action in (bind, test):
        action.add_argument(
            "--for", dest="seconds", type=_seconds, metavar=N_("SECONDS"), help=N_("stop after so long")
        )
    watch = actions.add_parser(
        "watch", help=N_("print every signal as JSON, one a line"), epilog="example: gryphon devices watch --for 10"
    )
    _lang(watch)
    watch.add_argument(
        "--port", type=_port, metavar=N_("PATH"), help=N_("one port, which need not exist yet (default: all)")
    )
    watch.add_argument("--for", dest="seconds", type=_seconds, metavar=N_("SECONDS"), help=N_("stop after so long"))
    _config(watch)
    watch.set_defaults(command=_watch)
    wiring = actions.add_parser(
        "wiring", help=N_("which wire goes where, in words"), epilog="example: gryphon devices wiring four-rc522"
    )
    _lang(wiring)
    wiring.add_argument(
        "name", nargs="?", type=_wiring, metavar=N_("NAME"), help=N_("one of the wirings (default: list them)")
    )
    wiring.set_defaults(command=_set_up, set_up="wiring")


def _wiring(name: str) -> str:
    """The name of a wiring that is drawn."""
    try:
        from hardware import wirings
    except ImportError:  # said by the command, in a sentence
        return name
    if name not in (known := wirings.by_name()):
        raise wrong(msg("'{name}' is none of: {known}", name=name, known=", ".join(known)))
    return name


def _cards(parser: argparse.ArgumentParser) -> None:
    _places(parser)
    parser.set_defaults(set_up="cards")
    actions = parser.add_subparsers(
        title=N_("actions"), metavar=N_("ACTION"), help=N_("none: all cards and their stickers")
    )
    teach = _action(actions, "teach", N_("lay one card after another on any reader"), "gryphon cards teach")
    teach.add_argument("--every", action="store_true", help=N_("also those that have a sticker"))
    teach.add_argument("--for", dest="seconds", type=_seconds, metavar=N_("SECONDS"), help=N_("stop after so long"))
    forget = _action(
        actions, "forget", N_("a sticker belongs to no card any more"), "gryphon cards forget 04A1B20000C3D4"
    )
    forget.add_argument("uid", metavar="UID", help=N_("the number of the sticker, from the list"))
    export = _action(actions, "export", N_("the stickers as text"), "gryphon cards export stickers.txt")
    export.add_argument("file", nargs="?", type=_path, metavar=N_("FILE"), help=N_("a new file (default: print it)"))
    bring = _action(actions, "import", N_("take stickers in that lie as text"), "gryphon cards import stickers.txt")
    bring.add_argument("file", type=_path, metavar=N_("FILE"), help=N_("the text: number of the sticker, colour, card"))


def _action(actions: Any, name: str, help: str, example: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = actions.add_parser(
        name, help=help, description=help, epilog=f"example: {example}"
    )
    _lang(parser)
    _places(parser)
    parser.set_defaults(command=_set_up, set_up=name)
    return parser


def _places(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=_path, metavar=N_("DIR"), default=argparse.SUPPRESS, help=N_("where games and settings are kept")
    )
    _config(parser)


def _config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config", type=_path, metavar=N_("FILE"), default=argparse.SUPPRESS, help=N_("the installer's TOML file")
    )


def _colours(text: str) -> tuple[str, ...]:
    wanted = tuple(colour(part) for part in text.split(","))
    if not set(wanted) <= set(COLOURS) or len(set(wanted)) < len(wanted):
        raise wrong(msg("'{text}' must be different colours of: {known}", text=text, known=colours(COLOURS, ",")))
    return wanted


def _history_actions(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(title=N_("actions"), metavar=N_("ACTION"), required=True)
    for name, help, example in (
        ("list", N_("all games, the one played last first"), "list"),
        ("show", N_("a game from its beginning, in words"), "show 3"),
        ("export", N_("a game as text, to keep, send or mend"), "export 3 evening.txt"),
        ("import", N_("take a game that lies as text into the history"), "import evening.txt"),
    ):
        action = actions.add_parser(name, help=help, description=help, epilog=f"example: gryphon history {example}")
        _lang(action)
        action.add_argument(
            "--data",
            type=_path,
            metavar=N_("DIR"),
            default=argparse.SUPPRESS,
            help=N_("where games and settings are kept"),
        )
        if name in ("show", "export"):
            action.add_argument(
                "number", type=_game_number, metavar="N", help=N_("number of the game, from the list")
            )
        if name == "export":
            action.add_argument(
                "file", nargs="?", type=_path, metavar=N_("FILE"), help=N_("a new file (default: print it)")
            )
        if name == "import":
            action.add_argument("file", type=_path, metavar=N_("FILE"), help=N_("the text"))
        action.set_defaults(command=_history, action=name)


def _game_number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise wrong(msg("'{text}' is no number of a game", text=text))
    return int(text)


def _state(text: str) -> str:
    return text if text == "-" else str(_path(text))


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise wrong(msg("'{text}' is no whole number", text=text)) from None


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 1e9:
        raise wrong(msg("'{text}' is no number of seconds, such as 10", text=text))
    return seconds


# --- commands ---------------------------------------------------------------------------------------------------


def _table(args: argparse.Namespace, words: Wording) -> int:
    from companion import advice
    from companion.ui.display import why_no_answer, why_no_screen

    if (reason := why_no_screen() or why_no_answer()) is not None:
        print(words(reason))
        what = msg("What is plugged in: gryphon devices. What works and what does not: gryphon doctor.")
        how = advice.by_name()
        print(words(what if how is None else msg("{first} {then}", first=what, then=how)))
        print(words(msg("Here is a game played by scripted people instead.")), flush=True)
        _log_little()
        return _play(3, 1, words)
    from companion import compose

    print(words(msg("Gryphon is on the screen. Ctrl+C ends it, and the game stays saved.")), flush=True)
    return compose.table(args)


def _demo(args: argparse.Namespace, words: Wording) -> int:
    return _play(args.seats, args.seed, words, args.fast)


def _play(seats: int, seed: int, words: Wording, fast: bool = False) -> int:
    """Scripted people play a game."""
    try:
        from companion import demo
    except ImportError:
        return _fail(1, words(cli_devices.NO_LIBRARIES))
    _end_in_order()
    return demo.play(seats, seed, words, fast=fast)


def _referee(_args: argparse.Namespace, _words: Wording) -> int:
    from companion.referee import serve

    if sys.stdin is None or sys.stdout is None:
        return 0
    serve(sys.stdin.buffer, sys.stdout.buffer)
    return 0


def _watch(args: argparse.Namespace, words: Wording) -> int:
    try:
        from hardware.watch import watch

        readers = load(args.config).readers
        return watch(args.port, args.seconds, sys.stdout, readers.ports or None, readers.adapters)
    except ImportError:
        return _fail(1, words(cli_devices.NO_LIBRARIES))


def _set_up(args: argparse.Namespace, words: Wording) -> int:
    from companion import cli_setup

    _end_in_order()
    return cli_setup.run(args, words)


def _history(args: argparse.Namespace, words: Wording) -> int:
    from companion import cli_history

    return cli_history.run(args, words)


def _no_question(_args: argparse.Namespace, _words: Wording) -> NoReturn:
    raise AssertionError("argparse asks for the rest")


def _judge_order(args: argparse.Namespace, words: Wording) -> int:
    seats = _seats(args.seats)
    gryphon = _one_of(args.gryphon, "--gryphon", seats)
    cards = {s: _number(n, "--cards", 1, len(CARDS)) for s, n in _pairs(args.cards, "--cards", seats).items()}
    _complete(cards, "--cards", seats)
    for index, place in enumerate(desk.explain_order(seats, gryphon, cards), start=1):
        print(f"{index}. {words(place.message)} ({place.rule})")
    return 0


def _judge_winner(args: argparse.Namespace, words: Wording) -> int:
    seats = _seats(args.seats)
    gryphon = _one_of(args.gryphon, "--gryphon", seats)
    saved = {s: _number(n, "--saved", 0, 2) for s, n in _pairs(args.saved, "--saved", seats).items()}
    _complete(saved, "--saved", seats)
    levels = {
        s: [_number(n, "--levels", 1, 5) for n in text.split("+")]
        for s, text in _pairs(args.levels, "--levels", seats).items()
    }
    for seat in seats:
        if saved[seat] + len(levels.get(seat, ())) > 2:
            raise Wrong(msg("{seat:seat} has two heroes, not more: look at --saved and --levels.", seat=seat))
    out = [_one_of(s, "--out", seats) for s in args.out.split(",") if s]
    rules = codec.rules_from_json(
        {k: int(v) if v in ("1", "2") else v for k, v in _pairs(args.rules, "--rules").items()}
    )
    most = max(saved.values())
    if args.ended_by == "saved" and most < 2:
        raise Wrong(msg("Nobody has saved both heroes, so it has not ended that way: look at --saved and --ended-by."))
    tied = [s for s in seats if saved[s] == most]
    for seat in tied if args.ended_by == "rested" and len(tied) > 1 else ():
        if saved[seat] + len(levels.get(seat, ())) < 2:
            text = msg("The levels decide. Of {seat:seat}, --levels wants each hero that is still inside.", seat=seat)
            raise Wrong(text)
    outcome, steps = desk.winner(seats, gryphon, args.ended_by, saved, levels, rules, out)
    for index, step in enumerate(steps, start=1):
        print(f"{index}. {words(step.message)} ({step.rule})")
    print(words(msg("{seat:seat} wins!", seat=outcome.winner)))
    return 0


def _judge_may(args: argparse.Namespace, words: Wording) -> int:
    from companion.table.judging import judge

    game = find_game(codec.GAME)
    assert game is not None
    data = _json(_read(args.state), "--state")
    if isinstance(data, dict) and isinstance(data.get("state"), dict):
        # a whole answer of the referee
        data = data["state"]
    try:
        state = codec.state_from_json(data, history=False)
    except BadSetup as error:
        raise Wrong(error.faults[0].message) from None
    choice = game.choice_from_json(state, _json(args.choice, "--choice"))
    verdict = judge(game, state, choice)
    answer = words(msg("Yes.")) if verdict.allowed else words(msg("No."))
    print(f"{answer} ({verdict.rule})" if verdict.rule else answer)
    for message in verdict.messages:
        print(words(message))
    if verdict.instead:
        print(words(msg("Allowed instead, the nearest first:")))
        for other in verdict.instead[:3]:
            print(f"  {json.dumps(game.choice_to_json(other))}")
    if verdict.readings:
        print(words(msg("House rule {id}:", id=verdict.switch)))
        for reading in verdict.readings:
            says = words(msg("allowed")) if reading.allows else words(msg("not allowed"))
            mark = "*" if reading.value == getattr(state.rules, verdict.switch) else " "
            print(f"  {mark} {reading.value}: {words.text(reading.meaning)} [{says}]")
        print(f"    [{words.text(verdict.readings[0].source)}]")
    return 0 if verdict.allowed else 1


def _rules(args: argparse.Namespace, words: Wording) -> int:
    from companion.rulebook import search

    game = find_game(codec.GAME)
    assert game is not None
    found = search(game.rulebook, words, args.words)
    for line in found:
        print(line)
    if not found:
        return _fail(1, words(msg('The rule book has nothing about "{words}".', words=" ".join(args.words))))
    return 0


# --- reading arguments ------------------------------------------------------------------------------------------


def _read(path: str) -> str:
    """A file, or standard input."""
    if path == "-":
        return sys.stdin.read()
    try:
        return files.text(Path(path))
    except OSError as error:
        why = files.why(error, Path(path))
        raise Wrong(
            msg('{option}: "{text}" cannot be read: {why:message}', option="--state", text=path, why=why)
        ) from None


def _json(text: str, option: str) -> Json:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise Wrong(msg("{option} is not JSON.", option=option)) from None


def _seats(text: str) -> list[str]:
    seats = [_one_of(s, "--seats", COLOURS) for s in text.split(",")]
    if not 2 <= len(seats) <= 4 or len(set(seats)) < len(seats):
        raise Wrong(msg("--seats wants two to four different colours, such as yellow,red,blue."))
    return seats


def _one_of(text: str, option: str, allowed: Sequence[str]) -> str:
    text = colour(text)
    if text not in allowed:
        known = colours(allowed) if set(allowed) <= set(COLOURS) else ", ".join(allowed)
        raise Wrong(msg('{option}: "{text}" is none of {allowed}.', option=option, text=text, allowed=known))
    return text


def _pairs(text: str, option: str, seats: Sequence[str] | None = None) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in filter(None, (p.strip() for p in text.split(","))):
        name, sign, value = part.partition("=")
        if not sign or not value:
            raise Wrong(msg('{option}: "{text}" is not name=value.', option=option, text=part))
        name = _one_of(name, option, seats) if seats else name.strip()
        if name in found:
            raise Wrong(msg('{option}: "{text}" stands there twice.', option=option, text=name))
        found[name] = value.strip()
    return found


def _complete(found: dict[str, int], option: str, seats: Sequence[str]) -> None:
    for seat in seats:
        if seat not in found:
            raise Wrong(msg("{option} says nothing about {seat:seat}.", option=option, seat=seat))


def _number(text: str, option: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdecimal()) or not least <= int(text) <= most:
        raise Wrong(
            msg(
                '{option}: "{text}" is no number from {least} to {most}.',
                option=option,
                text=text,
                least=least,
                most=most,
            )
        )
    return int(text)
