"""The games, as a registry that one can read. To add one, see README.md beside this file."""

from __future__ import annotations

from typing import Any

from companion.games.base import Game
from companion.games.sir_holland import SirHolland

GAMES: tuple[Game[Any, Any, Any], ...] = (SirHolland(),)


def find_game(id: str) -> Game[Any, Any, Any] | None:
    """The game with that id, or None."""
    return next((g for g in GAMES if g.id == id), None)
