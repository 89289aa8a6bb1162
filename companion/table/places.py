"""Whose reader is it, whose buttons? Seat by seat is asked, and what is touched belongs to it. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from companion.games.base import Message, msg
from companion.table.again import OnceMore
from companion.table.ports import Assign, Touched
from companion.table.seating import GPIO, on

LIGHTS = {
    "find": msg("Light: here I am"), "waiting": msg("Light: waiting for you"), "locked": msg("Light: locked in"),
    "refused": msg("Light: refused"), "turn": msg("Light: your turn"), "gryphon": msg("Light: you hold the gryphon"),
    "off": msg("Light: off"),
}  # fmt: skip
"""Patterns of the wire page, in the order in which a test shows them."""
Step = tuple[str, str]
"""A seat, and the kind of device that it is asked for: `reader`, `panel` or `any`."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a touch means. well: the device was given; message: what there is to say; request: what to ask for."""

    well: bool
    message: Message | None = None
    request: Assign | None = None


def steps(seats: Sequence[str], devices: Mapping[str, Any]) -> list[Step]:
    """What to ask for: every seat for its reader; for its buttons, too, where they are not on the same plug.

    devices: as the border tells them (`readers`, `panels`).
    """
    readers = {row["id"] for row in devices.get("readers", ())}
    panels = {row["id"] for row in devices.get("panels", ())}
    if readers and panels - readers:
        kinds = ["reader", "panel"]
    elif bool(readers) == bool(panels):
        kinds = ["any"]
    else:
        kinds = ["reader"] if readers else ["panel"]
    return [(seat, kind) for kind in kinds for seat in seats]


def rows(devices: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Kind and row of every reader and panel; without boards and ports that are not in use."""
    every = [(kind, row) for kind in ("reader", "panel") for row in devices.get(f"{kind}s", ())]
    return [(kind, row) for kind, row in every if "/" in row["id"] and not row["id"].startswith("/")]


def untouched(devices: Mapping[str, Any], seen: Collection[tuple[str, str]]) -> dict[str, list[str]]:
    """The readers (kind `reader`) that saw no card and the panels (`panel`) that nobody pressed, by kind.

    seen: kind and id of those that were touched.
    """
    left: dict[str, list[str]] = {"reader": [], "panel": []}
    for kind, row in rows(devices):
        if (kind, row["id"]) not in seen:
            left[kind].append(row["id"])
    return left


class Places:
    """Which seat is asked for, and which devices have been given this time."""

    def __init__(self, asked: Sequence[Step], devices: Mapping[str, Any] = MappingProxyType({})) -> None:
        """devices: as the border tells them (`readers`, `panels`, `away`)."""
        self.steps = list(asked)
        self.at = 0
        self.given: dict[str, str] = {}
        self._again = OnceMore()
        self._done: list[tuple[int, dict[str, str], Assign]] = []
        self.know(devices)

    def know(self, devices: Mapping[str, Any]) -> None:
        """What there is, and whose, by now."""
        self._rows = rows(devices)
        self._away: Mapping[str, str] = devices.get("away", {})
        self._kinds: dict[str, set[str]] = {}
        for kind, row in self._rows:
            self._kinds.setdefault(row["id"], set()).add(kind)

    def _instead(self, device: str, kind: str, seat: str) -> list[str]:
        """What a seat lets go of when it gets that device for its reader or panel: it has one of each by people's word.

        A place with both stays where the seat would lose what is not asked for. Of what is away nobody knows more than
        its name: it is taken for a reader, unless it is on the Pi's own pins.
        """
        mine = {row["id"]: self._kinds[row["id"]] for _kind, row in self._rows
                if row["seat"] == seat and not row["fixed"]}  # fmt: skip
        if device in mine:
            return []
        gone = [id for id, of in self._away.items() if of == seat and kind == "reader" and not on(GPIO, id)]
        mine[device] = self._kinds.get(device, {kind})
        for id in [id for id, kinds in mine.items() if kind in kinds and id != device]:
            kept = set().union(*(kinds for other, kinds in mine.items() if other != id))
            if mine[id] <= kept:
                gone.append(id)
                del mine[id]
        return gone

    @property
    def step(self) -> Step | None:
        """The seat and kind that are asked for; None: that was all."""
        return self.steps[self.at] if self.at < len(self.steps) else None

    @property
    def ask(self) -> Message:
        """What to do now."""
        if self.step is None:
            return msg("Every seat has been asked.")
        seat, kind = self.step
        if kind == "reader":
            return msg("{seat:seat}: lay any card on your reader.", seat=seat)
        if kind == "panel":
            return msg("{seat:seat}: press any of your buttons.", seat=seat)
        return msg("{seat:seat}: lay any card on your reader, or press any of your buttons.", seat=seat)

    @property
    def can_redo(self) -> bool:
        """Whether something was given that can be taken back."""
        return bool(self._done)

    def touch(self, touch: Touched) -> Answer:
        """A card was laid on a reader, or a button pressed."""
        device = touch.device
        if self.step is None:
            return Answer(False)
        if self._again.echoes(device, touch.at):
            return Answer(True)
        seat, kind = self.step
        fixed = next((row["seat"] for _kind, row in self._rows if row["id"] == device and row["fixed"]), seat)
        if fixed != seat:
            told = msg("When this table was set up, it was fixed as the place of {seat:seat}.", seat=fixed)
            return Answer(False, told)
        owner = self.given.get(device)
        if owner is not None and owner != seat and not self._again.confirms(device, touch.at):
            return Answer(False, msg("That is the place of {seat:seat} already. Once more moves it.", seat=owner))
        others = self._instead(device, touch.kind, seat)
        before = Assign({**dict.fromkeys(others, seat), device: touch.seat})
        self._done.append((self.at, dict(self.given), before))
        for other in others:
            self.given.pop(other, None)
        self.given[device] = seat
        self._again.did(device, touch.at)
        if kind in (touch.kind, "any"):
            self.at += 1
        return Answer(True, request=Assign({**dict.fromkeys(others), device: seat}))

    def pick(self, seat: str) -> None:
        """That seat is asked for."""
        kind = self.step[1] if self.step else self.steps[0][1]
        self.at = self.steps.index((seat, kind))
        self._again.forget()

    def skip(self) -> None:
        """The seat has none."""
        self.at = min(self.at + 1, len(self.steps))
        self._again.forget()

    def redo(self) -> Assign:
        """The last one was wrong: what was before it is so again, and the seat is asked once more."""
        self.at, self.given, before = self._done.pop()
        self._again.forget()
        return before


def pins(factory: str, ms: int) -> Message:
    """How the Pi's own pins are used: through which pin factory, and how long a press has to last."""
    return msg("Pins of the Pi: {factory}. A press counts after {ms} ms.", factory=factory, ms=ms)
