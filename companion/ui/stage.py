"""What stands still, in one texture, while something moves over it: a screen costs ten times what moves on it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from kivy.graphics import Canvas, ClearBuffers, ClearColor, Color, Fbo, InstructionGroup, Rectangle
from kivy.uix.relativelayout import RelativeLayout
from kivy.uix.scatter import Scatter
from kivy.uix.scrollview import ScrollView

from companion.ui.theme import Rgba, c

WHITE = (1, 1, 1, 1)


class Stage:
    """Until `close` (once), the screen that a widget is on is one texture, with `group` over it.

    The texture is drawn with the first frame, and anew when something on the screen changes. `gone` is called when the
    widget leaves the screen or the screen changes its size: then whatever moves has to end. Where there is no texture
    to be had (the widget scrolls, or is all there is), `group` is simply drawn over the widget.
    """

    def __init__(self, widget: Any, gone: Callable[[], None]) -> None:
        self.group = InstructionGroup()
        self._widget, self._gone = widget, gone
        self._chain = _chain(widget)
        self._layer: Any = None
        widget.canvas.after.add(self.group)
        for link in self._chain:
            link.fbind("parent", self._left)
        if self._chain:
            self._top, self._floor = self._chain[-1], self._chain[-1].parent
            self._floor.fbind("size", self._left)
            self._freeze()

    def _freeze(self) -> None:
        over = self._floor.canvas
        at = over.indexof(self._top.canvas)
        if at < 0:
            return
        over.remove(self._top.canvas)
        self._widget.canvas.after.remove(self.group)
        self._still = _texture(tuple(max(int(n), 1) for n in self._floor.size), tuple(c("night")))
        self._still.add(self._top.canvas)
        self._layer = Canvas()
        with self._layer:
            Color(*WHITE)
            Rectangle(size=self._still.size, texture=self._still.texture)
        self._layer.insert(0, self._still)
        self._layer.add(self.group)
        over.insert(at, self._layer)

    def _left(self, *_: Any) -> None:
        self._gone()

    def close(self) -> None:
        """The screen draws itself again."""
        for link in self._chain:
            link.funbind("parent", self._left)
        if self._chain:
            self._floor.funbind("size", self._left)
        if self._layer is None:
            self._widget.canvas.after.remove(self.group)
            return
        over = self._floor.canvas
        self._still.remove(self._top.canvas)
        at = over.indexof(self._layer)
        over.remove(self._layer)
        if self._top.parent is self._floor:
            over.insert(at, self._top.canvas)


@lru_cache(maxsize=1)
def _texture(size: tuple[int, int], ground: Rgba) -> Any:
    """One for all stages, as there is only one screen; making it takes some milliseconds."""
    still = Fbo(size=size, with_stencilbuffer=True)
    with still:
        ClearColor(*ground)
        ClearBuffers()
    return still


def _chain(widget: Any) -> list[Any]:
    """The widget and what it lies in, up to the root's child; empty where places on it are not those of the root."""
    window = widget.get_root_window()
    found = [widget]
    while window is not None and found[-1].parent is not window:
        if isinstance(found[-1].parent, RelativeLayout | Scatter | ScrollView):
            return []
        found.append(found[-1].parent)
    return found[:-1] if window is not None else []
