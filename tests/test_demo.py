"""The demo: a whole game through real paths, to a winner, saying nothing that is secret."""

from __future__ import annotations

import pytest

from companion import demo
from companion.games.sir_holland import SirHolland
from companion.wording import Wording


@pytest.mark.parametrize(("seats", "lang"), [(2, "en"), (3, "pt"), (4, "en")])
def test_a_demo_ends_with_a_winner(seats: int, lang: str) -> None:
    """Readers, panel and screen play one game to its end, and the winner is named with the reason before."""
    lines: list[str] = []
    assert demo.play(seats, 2, Wording(lang, SirHolland().term), fast=True, out=lines.append) == 0
    assert lines[-1].endswith("wins!" if lang == "en" else "venceu!")
    assert sum("✗" in line for line in lines) >= 1


def test_a_demo_never_says_what_is_locked_in() -> None:
    """Between two reveals a line says who has locked in, and no number."""
    lines: list[str] = []
    demo.play(3, 3, Wording("en", SirHolland().term), fast=True, out=lines.append)
    locked = [line for line in lines if "locked in" in line]
    assert len(locked) >= 3
    assert not any(c.isdigit() for line in locked for c in line)


def test_the_same_seed_is_the_same_game() -> None:
    def told() -> list[str]:
        lines: list[str] = []
        demo.play(2, 5, Wording("en", SirHolland().term), fast=True, out=lines.append)
        return lines

    assert told() == told()
