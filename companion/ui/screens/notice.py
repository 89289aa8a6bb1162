"""A panel that says something and offers what to do about it: refusals, questions, pick lists. Beside the board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kivy.properties import StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.ui.theme import look, u
from companion.ui.widgets import BigButton, Row

LONG = 140
"""Letters of a text that wants the room of the queue as well."""


@dataclass(frozen=True)
class Offer:
    """A button of a notice."""

    text: str
    act: Callable[[], None]
    sub: str = ""
    lit: bool = False
    icon: str = ""
    figure: str = ""
    seat: str = ""


class NoticePanel(BoxLayout):
    """The words. Written out in turn.kv."""

    head = StringProperty("")
    text = StringProperty("")
    foot = StringProperty("")
    art = StringProperty("")
    ember = StringProperty("")


class Notice(BoxLayout):
    """Words above, buttons below; the awaited one is lit, at the bottom and the widest.

    words: the sentence and the second line of the top bar while it stands; bad, lines: squares of the tower with an
    ember ring, and dotted lines on it (`Tower.preview`).
    """

    def __init__(
        self,
        head: str,
        text: str = "",
        offers: Sequence[Offer] = (),
        foot: str = "",
        ember: bool = False,
        art: str = "gryphon",
        words: tuple[str, str] | None = None,
        bad: Sequence[str] = (),
        lines: Sequence[tuple[Sequence[str], str]] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(orientation="vertical", spacing=u(8), **kwargs)
        self.words, self.bad, self.lines = words, list(bad), list(lines)
        self.long = len(text) > LONG
        self.panel = NoticePanel(
            head=head, text=text, foot=foot, art="mark_no" if ember else art, ember="ember" if ember else ""
        )
        self.add_widget(self.panel)
        side = [o for o in offers if not o.lit]
        figures = any(o.figure or o.seat for o in side)
        per_row = 2 if look.wide or figures or look.text != "normal" else 3
        high = 84 if figures and not text else 58
        for start in range(0, len(side), per_row):
            row = Row(size_hint_y=None, height=u(high))
            for offer in side[start : start + per_row]:
                row.add_widget(_button(offer))
            self.add_widget(row)
        for offer in offers:
            if offer.lit:
                self.add_widget(_button(offer, size_hint_y=None, height=u(62)))


def _button(offer: Offer, **kwargs: Any) -> BigButton:
    button = BigButton(
        text=offer.text,
        sub=offer.sub,
        lit=offer.lit,
        icon=offer.icon,
        figure=offer.figure,
        seat=offer.seat,
        px=20,
        **kwargs,
    )
    button.bind(on_release=lambda *_: offer.act())
    return button
