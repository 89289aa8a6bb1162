# ruff: noqa: E402  the environment comes before Kivy
"""A real Kivy window, drawn offscreen, with real touches. Import before anything of Kivy."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

os.environ.update(KIVY_NO_ARGS="1", KIVY_NO_FILELOG="1", SDL_VIDEODRIVER="offscreen")

from companion.ui.app import prepare

prepare(windowed=True)

from kivy.config import Config

Config.set("graphics", "maxfps", "0")

from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.lang import Builder
from kivy.tests.common import UnitTestTouch

from companion.table.ports import Change
from companion.ui import motion, words
from companion.ui.shell import Root
from companion.ui.widgets import BigButton, IconButton, Text
from tests.ui.engine import House

gc.freeze()
gc.set_threshold(100_000, 50, 100)  # as in the app

PATIENCE = 20.0
"""Seconds that something may take on a busy machine."""


class Screenful:
    """A window with the program in it. Coordinates are Kivy's: y grows upwards.

    draws: False where only places and sizes matter; drawing is what takes the time. `make long` draws all.
    """

    draws = bool(os.environ.get("GRYPHON_LONG"))

    def __init__(
        self,
        house: House,
        lang: str = "en",
        size: tuple[int, int] = (800, 480),
        settings: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        EventLoop.ensure_window()
        settings = dict(settings)
        if wanted := os.environ.get("GRYPHON_WINDOW"):
            # every flow again in another window: `make long` with GRYPHON_WINDOW=1280x800 or 480x800+180
            wanted, _plus, facing = wanted.partition("+")
            size = tuple(int(n) for n in wanted.split("x")) if size == (800, 480) else size
            settings = {"facing": int(facing or 0), **settings}
        self.window = EventLoop.window
        for child in list(self.window.children):
            self.window.remove_widget(child)
        if tuple(self.window.size) != size:
            self.window.size = size
        self.house = house
        self.root = Root(house.bridge, lang)
        self.root.twin = self.root.fresh = 0.0
        # a search for garbage in every pause of a test is a quarter of all its time
        self.root.memory.pause.timeout = self.root.memory.sweep.timeout = 3600.0
        self.errors: list[BaseException] = []
        house.bridge._listener = self._take
        self.window.add_widget(self.root)
        if settings:
            house.engine.serve(Change(dict(settings)))
        self.settle()

    def _take(self, what: Any) -> None:
        """What the program would only log fails the test."""
        try:
            self.root.take(what)
        except Exception as error:
            self.errors.append(error)

    def close(self) -> None:
        from kivy.core.window import Window

        Window.unbind(size=self.root._resized)
        self.root.close_sheet()
        self.root.memory.close()
        self.window.remove_widget(self.root)
        self.root.sleep_after = 0
        self.root.nod()
        self.root.screen.leave()
        motion.finish()
        self.house.bridge.listen(lambda _what: None)
        for later in (self.root._face_soon, self.root._lifted, self.root._clear):
            later.cancel()

    def settle(self, frames: int = 3) -> None:
        """Some frames, the last of them drawn, and before them as many as it takes to hear all announcements."""
        while self.house.bridge._queue and not self.errors:
            self.lay_out(1)
        for left in reversed(range(frames)):
            if self.draws and not left:
                EventLoop.idle()
            else:
                self.lay_out(1)
            if self.errors:
                raise self.errors[0]

    def lay_out(self, passes: int = 3) -> None:
        """Give everything its place without drawing it."""
        for _ in range(passes):
            Clock.tick()
            Builder.sync()
            Clock.tick_draw()

    def touch(self, x: float, y: float, until: Callable[[], bool] | None = None) -> None:
        """A finger goes down and, once something has happened where that is waited for, up again."""
        touch = UnitTestTouch(x, y)
        touch.touch_down()
        self.settle(1)
        if until is not None:
            self.wait(until)
        touch.touch_up()
        self.settle()

    def wait(self, until: Callable[[], bool]) -> None:
        """Let time pass until something has happened, however slow the machine is."""
        end = time.monotonic() + PATIENCE
        while not until():
            assert time.monotonic() < end, "it did not happen"
            self.settle(1)
            time.sleep(0.005)

    def open_cover(self) -> None:
        """Hold a finger on the privacy cover until the hand lies open."""
        cover = self.root.sheet
        self.touch(self.root.width / 2, self.root.height / 2, until=lambda: cover.is_open)

    def run_down(self) -> None:
        """Wait until the bar that runs down is at its end, without the time that takes."""
        self.one(lambda w: getattr(w, "runs", False)).finish()
        self.settle()

    def long_touch(self, x: float, y: float) -> None:
        """A finger stays there until it is explained what lies there, and lifts."""
        self.touch(x, y, until=lambda: self.root.explanation is not None)

    def tap(self, widget: Any) -> None:
        x, y = widget.to_window(*widget.center)
        self.touch(x, y)

    def square(self, name: str) -> None:
        """Touch a square of the tower on screen."""
        tower = self.one(lambda w: hasattr(w, "box_of"))
        x, y, w, h = tower.box_of(name)
        self.touch(*tower.to_window(x + w / 2, y + h / 2))

    def walk(self) -> Iterator[Any]:
        """All widgets that can be touched, once a moment is over: of what lies on top."""
        motion.skip()
        top = self.root.explanation or self.root.sheet or self.root
        for widget in top.walk(restrict=True):
            if widget.get_root_window() is not None or widget is top:
                yield widget

    def all(self, wanted: Callable[[Any], bool]) -> list[Any]:
        return [w for w in self.walk() if wanted(w)]

    def one(self, wanted: Callable[[Any], bool]) -> Any:
        (found,) = self.all(wanted)
        return found

    def buttons(self) -> list[Any]:
        return self.all(lambda w: isinstance(w, BigButton | IconButton) and not w.off and w.opacity > 0)

    def button(self, text: str) -> Any:
        found = [b for b in self.buttons() if isinstance(b, BigButton) and b.text == text]
        assert found, f"no button {text!r} among {[b.text for b in self.buttons() if isinstance(b, BigButton)]}"
        return found[0]

    def press(self, text: str) -> None:
        """Touch the button that says so (in the language of the screen)."""
        self.tap(self.button(words._(text)))

    def texts(self) -> list[str]:
        return [w.text for w in self.walk() if isinstance(w, Text) and w.text]

    @property
    def screen(self) -> str:
        return str(self.root.flow.screen)

    def picture(self, path: Path) -> None:
        """What is seen once nothing moves."""
        self.settle(4)
        # a short touch lets go of a button a little later
        self.wait(lambda: not motion.moving() and all(b.state == "normal" for b in self.buttons()))
        self.settle(4)
        self.root.export_to_png(str(path))
