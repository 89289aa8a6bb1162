"""Memory of the screens: when Python searches for garbage, and when what is free goes back to the system.

A screen is a heap of widgets that refer to each other, so only the garbage collector frees it, with its textures. A
full search costs a slow machine a quarter of a second, so it waits for a pause in play. Between pauses all that was
alive in the last one is frozen (`gc.freeze`): a search after a change of screens then goes through the new objects
alone, some milliseconds, and fast play without any pause takes no more memory than slow play.
"""

from __future__ import annotations

import ctypes
import gc

from kivy.clock import Clock
from kivy.core.window import Window
from kivy.graphics.opengl import glFinish

from companion.ui import motion

PAUSE = 1.5
"""Seconds without touch or announcement that are a pause."""
SOON = 0.2
"""Seconds after a sign of life until new garbage is searched for: what it led to has been drawn by then."""


class Memory:
    """Keeps the memory of one window bounded."""

    def __init__(self) -> None:
        self.pause = Clock.create_trigger(self._in_a_pause, PAUSE)
        self.sweep = Clock.create_trigger(self._soon, SOON)
        # without it, a renderer that is slower than the clock collects frames, each with all that it draws
        Window.bind(on_flip=_wait_for_renderer)

    def stir(self) -> None:
        """There was a touch or an announcement: screens may have changed, and the next pause begins now."""
        self.pause.cancel()
        self.pause()
        self.sweep()

    def close(self) -> None:
        """The window's widgets are taken away."""
        self.pause.cancel()
        self.sweep.cancel()
        Window.unbind(on_flip=_wait_for_renderer)

    def _soon(self, _dt: float) -> None:
        if motion.moving():
            self.sweep()
        else:
            gc.collect()

    def _in_a_pause(self, _dt: float) -> None:
        self.sweep.cancel()
        search()
        # textures that nobody refers to are deleted with the next frame, and only then is their memory free
        Clock.schedule_once(_give_back, SOON)


def search() -> None:
    """Search everything for garbage; what is alive is left out until the next time."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def start() -> None:
    """Once, when the program has its first screen: what it consists of by now is never garbage."""
    search()
    gc.set_threshold(100_000, 50, 100)


def _wait_for_renderer(*_: object) -> None:
    glFinish()


def _give_back(_dt: float) -> None:
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc's own; other C libraries do without
    if trim is not None:
        trim(0)
