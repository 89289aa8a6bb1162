"""The words of every refusal fit the panel that shows them, in both languages and with all that may stand beside."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.base import msg
from companion.table.ports import Status
from companion.ui.widgets import Text
from tests.test_wording import every_refusal
from tests.ui import positions
from tests.ui.engine import House


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_every_refusal_can_be_read_to_its_end(open_window, lang: str) -> None:
    house = House()
    s = open_window(house, lang)
    house.load(positions.turn(), positions.NAMES)
    # a line at the lower edge takes some of the room
    house.say(Status("reader", "device", msg("Round {n}.", n=7)))
    s.settle()
    s.square("a2")
    s.square("e5")
    screen, outcome = s.root.screen, house.last
    cut = []
    for reason, message in every_refusal(terrace=True):
        if reason == "seat_count":
            # from here on they are about set-ups and positions
            break
        # our reading of it is said, too
        refused = replace(outcome.refused, message=message, choice=None, reading=True)
        screen.refused(replace(outcome, messages=(message,), refused=refused))
        s.lay_out()
        words = [w for w in screen.notice.walk() if isinstance(w, Text) and w.text]
        assert len(words) >= 2
        cut += [(reason, w.text) for w in words if not w.fits]
    assert not cut
