"""What can be somebody's name: what the screens can show, and a text can carry there and back."""

from __future__ import annotations

from companion.games.base import BadForm, Message, msg

LONGEST = 40
"""Letters of a name."""


def check(name: object) -> None:
    """A name, or nothing where nobody is named. Raises BadForm."""
    if why := _why_not(name):
        raise BadForm(why)


def tidy(name: str) -> str:
    """What is left of a name that came in before names were checked; nothing where it was none."""
    seen = "".join(sign for sign in name if sign.isprintable())[:LONGEST]
    return seen if seen.strip() else ""


def _why_not(name: object) -> Message | None:
    if not isinstance(name, str):
        return msg("This is no name.")
    if len(name) > LONGEST:
        return msg("This is no name: it has {n} letters, and {most} are the most.", n=len(name), most=LONGEST)
    # line ends, bells, signs that turn the direction of writing, halves of signs
    if not name.isprintable():
        return msg("This is no name: it holds signs that cannot be seen.")
    if name and not name.strip():
        return msg("This is no name: it is all blanks.")
    return None
