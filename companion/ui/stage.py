"""What stands still, in one texture, while something moves over it: a screen costs ten times what moves on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.graphics import Canvas, ClearBuffers, ClearColor, Color, Fbo, InstructionGroup, Rectangle
from kivy.uix.relativelayout import RelativeLayout
from kivy.uix.scatter import Scatter
from kivy.uix.scrollview import ScrollView

from companion.ui.theme import c

WHITE = (1, 1, 1, 1)


class Stage:
    """From now until `close` (once), all of the screen that a widget is on is one texture; `group` is drawn over it.

    The texture is drawn anew when something on the screen changes. `gone` is called when the widget leaves the screen
    or the screen changes its size: then whatever moves has to end. Where there is no texture to be had (the widget
    scrolls, or is all there is), `group` is simply drawn over the widget.
    """

    def __init__(self, widget: Any, gone: Callable[[], None]) -> None:
        self.group = InstructionGroup()
        self._gone = gone
        self._over: Any = None
        self._chain = _chain(widget)
        self._widget = widget
        if self._chain:
            self._freeze(self._chain[-1])
        if self._over is None:
            widget.canvas.after.add(self.group)

    def _freeze(self, top: Any) -> None:
        floor = top.parent
        at = floor.canvas.indexof(top.canvas)
        if at < 0:
            return
        self._over, self._floor, self._top = floor.canvas, floor, top
        self._over.remove(top.canvas)
        self._still = Fbo(size=[max(int(n), 1) for n in floor.size], with_stencilbuffer=True)
        with self._still:
            ClearColor(*c("night"))
            ClearBuffers()
        self._still.add(top.canvas)
        self._layer = Canvas()
        with self._layer:
            Color(*WHITE)
            Rectangle(size=self._still.size, texture=self._still.texture)
        self._layer.insert(0, self._still)
        self._layer.add(self.group)
        self._over.insert(at, self._layer)
        for widget in self._chain:
            widget.fbind("parent", self._left)
        floor.fbind("size", self._left)

    def _left(self, *_: Any) -> None:
        self._gone()

    def close(self) -> None:
        """The screen draws itself again."""
        if self._over is None:
            self._widget.canvas.after.remove(self.group)
            return
        for widget in self._chain:
            widget.funbind("parent", self._left)
        self._floor.funbind("size", self._left)
        self._still.remove(self._top.canvas)
        at = self._over.indexof(self._layer)
        self._over.remove(self._layer)
        if self._top.parent is self._floor:
            self._over.insert(at, self._top.canvas)


def _chain(widget: Any) -> list[Any]:
    """The widget and what it lies in, up to the root's child; empty where places on it are not those of the root."""
    window = widget.get_root_window()
    found = [widget]
    while window is not None and found[-1].parent is not window:
        if isinstance(found[-1].parent, RelativeLayout | Scatter | ScrollView):
            return []
        found.append(found[-1].parent)
    return found[:-1] if window is not None else []
