"""A program in a window for every test. The window itself is one for the whole process, as Kivy has it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import pytest

import tests.ui.window  # noqa: F401  sets what Kivy reads when a test module imports it first


@pytest.fixture
def open_window() -> Iterator[Callable[..., Any]]:
    """Opens a program: `open_window(house, lang, size, settings)`."""
    from tests.ui.engine import House
    from tests.ui.window import Screenful

    opened: list[Any] = []

    def opener(
        house: Any = None,
        lang: str = "en",
        size: tuple[int, int] = (800, 480),
        settings: Mapping[str, Any] = MappingProxyType({}),
    ) -> Any:
        opened.append(Screenful(house or House(), lang, size, settings))
        return opened[-1]

    yield opener
    for screenful in opened:
        screenful.close()
        # its files would stay open until garbage is searched for, and select() takes no handle over 1,023
        screenful.house.store.close()


@pytest.fixture
def at(open_window: Callable[..., Any]) -> Callable[..., Any]:
    """Opens a program in a position, with nothing asked yet: `at(state, lang, size)` gives the house and the window."""
    from tests.ui import positions
    from tests.ui.engine import House

    def opener(state: dict[str, Any], lang: str = "en", size: tuple[int, int] = (800, 480)) -> Any:
        house = House()
        s = open_window(house, lang, size)
        house.load(state, positions.NAMES)
        s.settle()
        # what is drawn is looked at elsewhere
        s.draws = False
        house.sent.clear()
        return house, s

    return opener


@pytest.fixture
def board() -> Iterator[Callable[..., Any]]:
    """A tower alone in the window, as large as on the small screen: `board(theme, still=False, **what it shows)`."""
    from kivy.base import EventLoop
    from kivy.uix.floatlayout import FloatLayout

    from companion.ui import motion, words
    from companion.ui.boards.sir_holland.tower import Tower
    from companion.ui.theme import look
    from tests.ui import positions

    EventLoop.ensure_window()
    window = EventLoop.window
    words.register_fonts()
    words.speak("en", names={})
    before = (look.theme, look.still)

    def clear() -> None:
        motion.finish()
        for child in [*window.children]:
            window.remove_widget(child)

    def opener(theme: str = "dark", still: bool = True, **shown: Any) -> Tower:
        clear()
        if tuple(window.size) != (800, 480):
            window.size = (800, 480)
        look.resize(*window.size)
        look.theme, look.still = theme, still
        tower = Tower(size_hint=(None, None), size=(386, 408), pos=(8, 8), rows=positions.ROWS, **shown)
        floor = FloatLayout()
        floor.add_widget(tower)
        window.add_widget(floor)
        return tower

    yield opener
    clear()
    look.theme, look.still = before
