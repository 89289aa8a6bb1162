"""The command line in the language of whoever types it: argparse's own words, ours, and the colours of the seats."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

from companion.games import GAMES
from companion.games.base import Message, msg
from companion.wording import Wording, languages, plain


def N_(text: str) -> str:
    """Mark a text that is looked up only when it is shown."""
    return text


OWN = (
    N_("usage:"), N_("positional arguments"), N_("options"), N_("show this help message and exit"),
    N_("show program's version number and exit"), N_("%(prog)s: error: %(message)s"),
    N_("argument %(argument_name)s: %(message)s"), N_("unrecognized arguments: %s"),
    N_("the following arguments are required: %s"), N_("expected one argument"), N_("expected at least one argument"),
    N_("expected at most one argument"), N_("invalid choice: %(value)r (choose from %(choices)s)"),
    N_("invalid %(type)s value: %(value)r"), N_("ambiguous option: %(option)s could match %(matches)s"),
    N_("ignored explicit argument %r"), N_("unknown parser %(parser_name)r (choices: %(choices)s)"),
    N_("one of the arguments %s is required"), N_("not allowed with argument %s"),
)  # fmt: skip
"""What argparse says by itself, in its own words."""
EXAMPLE = "example: "

_words = Wording("en")


def speak(words: Wording) -> None:
    """From now on, help and usage errors are in that language."""
    global _words  # noqa: PLW0603  argparse asks nobody for a language: it takes its words from its module
    _words = words
    argparse._ = _own  # type: ignore[attr-defined]


def _own(text: str | None) -> str | None:
    """A text of argparse's, with the blanks and line ends around it; it asks for what is not there, too."""
    core = text.strip() if text else ""
    return text.replace(core, _words.text(core)) if text and core else text


def wrong(message: Message) -> argparse.ArgumentTypeError:
    """What a type of an argument raises, as a sentence in that language."""
    text = _words(message)
    return argparse.ArgumentTypeError(text[:1].lower() + text[1:])


class _Formatter(argparse.HelpFormatter):
    """Help is translated when it is shown."""

    def start_section(self, heading: str | None) -> None:
        super().start_section(_words.text(heading) if heading else heading)

    def add_text(self, text: str | None) -> None:
        if text and text.startswith(EXAMPLE):
            super().add_text(_words.text(N_("example:")) + " " + text.removeprefix(EXAMPLE))
        else:
            super().add_text(_words.text(text) if text else text)

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return _words.text(action.help) if action.help else action.help


class Parser(argparse.ArgumentParser):
    """A parser whose help and errors are in the language of `speak`; so are those of its sub-commands.

    What stands for an argument (FILE) is translated when the argument is added: help and errors have it from there.
    """

    def __init__(self, **more: Any) -> None:
        super().__init__(**{"formatter_class": _Formatter, **more})

    def add_argument(self, *names: Any, **more: Any) -> argparse.Action:
        return super().add_argument(*names, **_translated(more))

    def add_subparsers(self, **more: Any) -> Any:
        return super().add_subparsers(**_translated(more))

    def error(self, message: str) -> NoReturn:
        """What was typed is quoted in it: as text of others, without signs that a terminal obeys."""
        super().error(plain(message))


def _translated(options: dict[str, Any]) -> dict[str, Any]:
    metavar = options.get("metavar")
    return {**options, "metavar": _words.text(metavar)} if isinstance(metavar, str) else options


def language(argv: Sequence[str], usual: str) -> str:
    """The language that the words of a command line ask for; they are read before all else."""
    for at, word in enumerate(argv):
        name, sign, value = word.partition("=")
        if name == "--lang":
            wanted = value if sign else "".join(argv[at + 1 : at + 2])
            if wanted in languages():
                return wanted
    return usual


def colour(text: str) -> str:
    """The seat that a word means, in any of our languages; the word itself, in small letters, where it means none."""
    text = text.strip().lower()
    for game in GAMES:
        for lang in languages():
            words = Wording(lang, game.term)
            for seat in game.colours:
                if text == words(msg("{seat:seat}", seat=seat)).lower():
                    return seat
    return text


def colours(seats: Sequence[str], sign: str = ", ") -> str:
    """Seats by their colours, as they are typed in this language."""
    return sign.join(_words(msg("{seat:seat}", seat=seat)).lower() for seat in seats)
