"""`gryphon history ...`: the games that were played. Reading works beside an open table; bringing one in does not."""

from __future__ import annotations

import argparse
import sys

from companion import cli_saved, texts
from companion.adapters import files
from companion.adapters.sqlite import Store
from companion.engine import listed
from companion.games import find_game
from companion.games.base import BadForm, Message, msg
from companion.table import story
from companion.table.ports import Listed, NotSaved
from companion.table.text import TextError
from companion.wording import Wording


def run(args: argparse.Namespace, words: Wording) -> int:
    """One action, by its name; what cannot be done is said in one sentence."""
    action = {"list": _list, "show": _show, "export": _export, "import": _import}[args.action]
    try:
        return action(args, words)
    except (NotSaved, BadForm, TextError) as error:
        cli_saved.tell(words, error.reason)
    return 1


def _store(args: argparse.Namespace) -> Store:
    """The games, to look at. Raises NotSaved where there are none yet."""
    store = cli_saved.reader(args)
    if store is None:
        raise NotSaved(msg("No game has been played here yet."))
    return store


def _list(args: argparse.Namespace, words: Wording) -> int:
    store = cli_saved.reader(args)
    saved = [] if store is None else [(s, s.outline or story.outline(store.record(s.number))) for s in store.games()]
    games = [listed(s, outline) for s, outline in saved]
    for game in games:
        date = game.started[:16].replace("T", " ")
        print(f"{game.number:>4}  {date}  {_words(game.game, dict(game.names), words.lang)(_where(game))}")
    if not games:
        print(words(msg("No game has been played here yet.")))
    return 0


def _where(game: Listed) -> Message:
    """Who played, and what became of it."""
    who = list(game.names)
    if game.winner is not None:
        return msg("{who:seats}. {seat:seat} has won.", who=who, seat=game.winner)
    if game.state == "abandoned":
        return msg("{who:seats}. Given up in round {n}.", who=who, n=game.round)
    return msg("{who:seats}. Open, round {n}.", who=who, n=game.round)


def _words(game: str, names: dict[str, str], lang: str) -> Wording:
    found = find_game(game)
    return Wording(lang, found.term, names) if found else Wording(lang, names=names)


def _show(args: argparse.Namespace, words: Wording) -> int:
    store = _store(args)
    told = story.tell(store.record(args.number))
    for scene in told.scenes:
        say = _words(told.game, dict(scene.names), words.lang)
        for message in scene.messages:
            print(say(message))
    for message in told.lost:
        cli_saved.tell(words, message)
    return 0 if told.scenes else 1


def _export(args: argparse.Namespace, words: Wording) -> int:
    _date, lines = texts.words_of(_store(args), args.number, words.lang)
    if args.file is None:
        sys.stdout.write(lines)
        return 0
    if args.file.exists():
        raise BadForm(msg("There is a file {name} already. Name another one.", name=args.file))
    files.write(args.file, lines)
    print(words(msg("Game {n} is in {name} now.", n=args.number, name=args.file)))
    return 0


def _import(args: argparse.Namespace, words: Wording) -> int:
    brought = texts.read(args.file)
    table_open = msg("The table is open. Close it first, or bring the game in on its screen.")
    with cli_saved.writable(args, words, table_open) as store:
        number = texts.bring(store, brought)
    print(words(msg("It is game {n} of the history.", n=number)))
    return 0
