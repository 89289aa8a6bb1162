"""A program in a window for every test. The window itself is one for the whole process, as Kivy has it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import tests.ui.window  # noqa: F401  sets what Kivy reads when a test module imports it first


@pytest.fixture
def open_window() -> Iterator[Callable[..., Any]]:
    """Opens a program: `open_window(house, lang, size)`."""
    from tests.ui.engine import House
    from tests.ui.window import Screenful

    opened: list[Any] = []

    def opener(house: Any = None, lang: str = "en", size: tuple[int, int] = (800, 480)) -> Any:
        opened.append(Screenful(house or House(), lang, size))
        return opened[-1]

    yield opener
    for screenful in opened:
        screenful.close()
