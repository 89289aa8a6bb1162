"""What can be somebody's name: what a text can carry there and back. How much of it can be shown or said is asked anew

where it is shown or said, as no font and no voice has every sign that people write.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping

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


def legible(names: Mapping[str, str], can: Callable[[str], bool]) -> dict[str, str]:
    """Seat -> what is left of a name when the signs that nothing `can` show or say are gone. A seat is missing where

    that is no name any more, or the same as another seat's: its colour says more then.
    """
    found = {}
    for seat, name in names.items():
        kept = " ".join("".join(sign for sign in unicodedata.normalize("NFC", name) if can(sign)).split())
        letters = sum(map(str.isalpha, name))
        # of a name of which most is gone nobody is told
        if any(map(str.isalnum, kept)) and 2 * sum(map(str.isalpha, kept)) >= letters:
            found[seat] = kept
    for changed in (True, False):
        # first those give way of which a part is missing
        alike = Counter(name.casefold() for name in found.values())
        found = {
            seat: name
            for seat, name in found.items()
            if alike[name.casefold()] == 1 or (changed and name == names[seat])
        }
    return found


def sayable(sign: str) -> bool:
    """Whether the voice has a sound for it, or is silent at it: it speaks languages with Latin letters."""
    return sign.isspace() or sign.isdecimal() or sign in "-'.’" or unicodedata.name(sign, "").startswith("LATIN ")


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
