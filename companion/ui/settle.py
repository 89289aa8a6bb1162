"""Draws once a frame, after everything has found its place: until then most things change their size a few times."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock

PATIENCE = 12
"""How often one frame waits for others; Kivy itself gives up at 20."""


class _Settling:
    """What is to be drawn before the frame ends."""

    def __init__(self) -> None:
        self.draws: dict[Callable[[], None], None] = {}
        self._waited = 0
        self.soon = Clock.create_trigger(self._flush, -1)

    def _flush(self, _dt: float) -> None:
        self._waited += 1
        if self._waited < PATIENCE and any(event.timeout == -1 for event in Clock.get_events()):
            # whoever else is called before the frame may still move or resize things
            self.soon()
            return
        self._waited = 0
        draws = list(self.draws)
        self.draws.clear()
        for draw in draws:
            draw()


_settling = _Settling()


def later(draw: Callable[[], None]) -> None:
    """Call it once before the frame is drawn, when nobody lays anything out any more."""
    _settling.draws[draw] = None
    _settling.soon()


def lay_out(widget: Any) -> None:
    """Lay out what waits for it, outermost first: by itself Kivy begins with what was made first, the innermost."""
    trigger = getattr(widget, "_trigger_layout", None)
    if trigger is not None and trigger.is_triggered:
        trigger.cancel()
        widget.do_layout()
    for child in widget.children:
        lay_out(child)
