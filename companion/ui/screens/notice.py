"""A panel that says something and offers what to do about it: refusals, questions, pick lists. Beside the board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kivy.properties import ListProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.ui import explaining
from companion.ui.explaining import Explanation
from companion.ui.pen import Pen
from companion.ui.theme import look, u
from companion.ui.widgets import BigButton, Drawn, Row
from companion.ui.words import say

LONG = 140
"""Letters of a text that wants the room of the queue as well."""
PICTURED = 60
"""Height that figures want under the words."""
MANY = 4
"""Buttons that leave so little room for words that it is wanted, too."""


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


class Cast(Drawn):
    """The figures that it is about, side by side, as large as there is room."""

    figures = ListProperty([])

    def watched(self) -> tuple[str, ...]:
        return ("figures",)

    def paint(self, pen: Pen) -> None:
        if not self.figures:
            return
        px = min(self.height, u(150), self.width / (1.25 * len(self.figures)))
        x = self.center_x - px * (1.25 * len(self.figures) - 0.25) / 2
        for figure in self.figures:
            pen.figure(figure, x, self.center_y - px / 2, px)
            x += 1.25 * px


class NoticePanel(BoxLayout):
    """The words. Written out in turn.kv. foot, figures: stand there where there is room for them."""

    head = StringProperty("")
    text = StringProperty("")
    foot = StringProperty("")
    art = StringProperty("")
    figures = ListProperty([])
    ember = StringProperty("")

    def explains(self, _x: float, _y: float) -> Explanation:
        """All that it says, in full."""
        return Explanation(self.head, " ".join(filter(None, (self.text, self.foot))) or say(explaining.LINE))

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.fbind("size", self._share)
        self._share()

    def _share(self, *_: Any) -> None:
        """Each text has the room that it needs; then what it would like; what is left is under the words."""
        width = self.width - self.padding[0] - self.padding[2]
        room = self.height - self.padding[1] - self.padding[3] - 3 * self.spacing
        if min(width, room) < u(30):
            return
        ids = self.ids
        beside = min(u(44), room) + ids.top.spacing if self.art else 0
        ids.foot.text = self.foot
        lines = [(ids.head, width - beside), (ids.words, width), (ids.foot, width)]
        # one more, as letters stand on whole pixels
        needs, wants = ([line.high(px(line), w) + 1 if line.text else 0 for line, w in lines] for px in (_least, _most))
        if sum(needs) > room or wants[0] + wants[1] + needs[2] > room:
            # what matters least goes, before the reason has to be written small
            ids.foot.text, needs[2], wants[2] = "", 0, 0
        if sum(wants) > room:
            # the head gives way first: it is bold
            wants[0] = needs[0]
        spare = max(room - sum(needs), 0)
        given = min(1.0, spare / max(sum(wants) - sum(needs), 1))
        shares = [need + given * (want - need) for need, want in zip(needs, wants, strict=True)]
        # the picture stands beside the head
        shares[0] = max(shares[0], min(beside, room - shares[1] - shares[2]))
        left = max(room - sum(shares), 0)
        ids.cast.figures = self.figures if left >= u(PICTURED) else []
        shares.insert(2, left if ids.cast.figures else 0)
        if not ids.cast.figures:
            shares[1 if self.text else 0] += left
        for box, share in zip((ids.top, ids.words, ids.cast, ids.foot), shares, strict=True):
            box.size_hint_y = max(share, 0.001)


def _least(line: Any) -> float:
    return float(line.least)


def _most(line: Any) -> float:
    return float(line.px)


class Notice(BoxLayout):
    """Words above, buttons below; the awaited one is lit, at the bottom and the widest.

    words: the sentence and the second line of the top bar while it stands; bad, lines: squares of the tower with an
    ember ring, and dotted lines on it (`Tower.preview`); figures: who it is about; at: the square that a question is
    about; asks: whether it is a question, which a touch on the tower drops; picture: stands above the words.
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
        figures: Sequence[str] = (),
        at: str = "",
        asks: bool = False,
        picture: Widget | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(orientation="vertical", spacing=u(8), **kwargs)
        self.words, self.bad, self.lines, self.at, self.asks = words, list(bad), list(lines), at, asks
        self.long = len(text) > LONG or picture is not None or len(offers) > MANY
        if picture is not None:
            # words first where letters are large
            picture.size_hint_y = 1.6 / look.scale**3
            self.add_widget(picture)
        self.panel = NoticePanel(
            head=head,
            text=text,
            foot=foot,
            art="mark_no" if ember else art,
            figures=list(figures),
            ember="ember" if ember else "",
        )
        self.add_widget(self.panel)
        side = [o for o in offers if not o.lit]
        pictured = any(o.figure or o.seat for o in side)
        per_row = 2 if look.wide or pictured or look.text != "normal" else 3
        self._rows(side, per_row, 50 if len(offers) > MANY and not look.wide else 58)
        # figures of which one is meant stand side by side
        self._rows([o for o in offers if o.lit and o.figure], 2, 84)
        for offer in offers:
            if offer.lit and not offer.figure:
                self.add_widget(_button(offer, size_hint_y=None, height=u(62)))

    def _rows(self, offers: Sequence[Offer], per_row: int, high: float) -> None:
        for start in range(0, len(offers), per_row):
            row = Row(size_hint_y=None, height=u(high))
            for offer in offers[start : start + per_row]:
                row.add_widget(_button(offer))
            self.add_widget(row)


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
