"""What a check finds: how every room tells the doctor whether all is well."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.base import Message

OK, WARNING, FAULT = "ok", "warning", "fault"
"""Well; works, but not as it should, or not all of it; does not work."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line. about: what was looked at; state: see above; text: what was found; remedy: what to do about it."""

    about: Message
    state: str
    text: Message
    remedy: Message | None = None
