"""What moves on the tower, drawn over the picture of what stands still."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import pi, sin
from typing import Any

from kivy.graphics import InstructionGroup, PopMatrix, PushMatrix, Rotate, Scale, Translate

from companion.games.base import Json
from companion.ui.boards.beats import Beat
from companion.ui.motion import drop, ease_out, wobble
from companion.ui.pen import Pen
from companion.ui.stage import Stage
from companion.ui.theme import u


class Sprite:
    """A small drawing with a matrix around it: drawn once, around its own corner; then only the matrix changes."""

    def __init__(self) -> None:
        self.group = InstructionGroup()
        self.move, self.turn, self.scale = Translate(), Rotate(axis=(0, 0, 1)), Scale(1, 1, 1)
        for instruction in (PushMatrix(), self.move, self.turn, self.scale):
            self.group.add(instruction)
        self.drawing = InstructionGroup()
        self.group.add(self.drawing)
        self.group.add(PopMatrix())

    @property
    def pen(self) -> Pen:
        """Draws it."""
        return Pen(self.drawing)


class Walker:
    """A figure that moves: where its foot is, how large it is and how far it leans at any time."""

    def __init__(self, tower: Any, before: Mapping[str, Json], beats: Sequence[Beat], figure: str) -> None:
        self.tower, self.beats, self.figure = tower, beats, figure
        self.first = tower.spot_of(figure, before["figures"])
        self.px = max(self.first.px, tower.spot_of(figure, tower.figures).px, tower.pitch * 0.6)
        self.sprite = Sprite()
        self.sprite.pen.figure(figure, 0, 0, self.px)
        # it turns around its middle, but stands on its foot
        self.sprite.turn.origin = (self.px / 2, self.px / 2)
        self.sprite.scale.origin = (self.px / 2, 0, 0)

    def _stand(self, beat: Beat, at_end: bool) -> tuple[float, float, float]:
        """Foot and size where a beat begins or ends."""
        square = beat.to if at_end else beat.start
        if beat is self.beats[-1] and at_end:
            # asked anew: a coin that has come to lie there makes it smaller
            spot = self.tower.spot_of(self.figure, self.tower.figures)
        elif beat is self.beats[0] and not at_end:
            spot = self.first
        else:
            spot = self.tower.spots(square, {self.figure: square})[0]
        return spot.x + spot.px / 2, spot.y, spot.px

    def step(self, at: float) -> None:
        """Show it as it is then."""
        beat = next((b for b in self.beats if at < b.end), self.beats[-1])
        share = beat.share(at)
        (x, y, px), (to_x, to_y, to_px) = self._stand(beat, False), self._stand(beat, True)
        way, lean, tall, up = share, 0.0, 1.0, 0.0
        match beat.kind:
            case "step":
                way = ease_out(share) if beat is self.beats[-1] else share
            case "hop":
                way, tall = float(share >= 0.5), max(abs(1 - 2 * share), 0.02)
            case "fall":
                way = drop(_part(share, 0.25, 1.0))
                lean = 80 * (_part(share, 0.0, 0.25) - _part(share, 0.7, 1.0))
            case "hide":
                lean, up = 90 * ease_out(share), -0.15 * ease_out(share)
            case "cheer":
                up = 0.25 * sin(pi * share)
        size = (px + (to_px - px) * min(way, 1.0)) / self.px
        foot, low = x + (to_x - x) * way, y + (to_y - y) * way + up * size * self.px
        # whole pixels, as for all that stands
        self.sprite.move.xy = round(foot - self.px / 2), round(low)
        self.sprite.turn.angle = lean
        self.sprite.scale.xyz = size, size * tall, 1


class Slab:
    """A card of the column that blows up, with the figures that ride on it."""

    def __init__(self, tower: Any, square: str, beat: Beat, riders: Sequence[str]) -> None:
        self.tower, self.beat, self.square = tower, beat, square
        self.blown = square == beat.to
        self.sprite = Sprite()
        x, y, _w, _h = tower.box_of(square)
        tower.paint_card(self.sprite.pen, square, -x, -y)
        for spot in reversed(tower.spots(square, tower.figures)):
            if spot.figure in riders:
                self.sprite.pen.spot(spot.moved(-x, -y), spot.figure in tower.lying)
        self.x, self.y = x, y

    def step(self, at: float) -> None:
        """Shake and go (until half time), the others slide down, the card comes in on top."""
        share, pitch = self.beat.share(at), self.tower.pitch
        x, y, size = self.x, self.y, 1.0
        if not self.blown:
            y += pitch * (1 - ease_out(_part(share, 0.45, 0.8)))
        elif share < 0.5:
            y = self.tower.box_of(self.beat.start)[1]
            x += u(3) * wobble(_part(share, 0.0, 0.3))
            size = 1 - _part(share, 0.3, 0.5)
        else:
            y += pitch * 0.9 * (1 - ease_out(_part(share, 0.6, 1.0)))
            size = _part(share, 0.5, 0.6)
        inset = pitch * (1 - size) / 2
        self.sprite.move.xy = round(x + inset), round(y + inset)
        self.sprite.scale.xyz = max(size, 0.01), max(size, 0.01), 1


def _part(share: float, begin: float, end: float) -> float:
    """How much is done of what happens in a part of the time."""
    return min(max((share - begin) / (end - begin), 0.0), 1.0)


class Play:
    """One outcome: everything that moves in it. `moves` names it for the tower, which leaves it out of its picture."""

    def __init__(self, tower: Any, before: Mapping[str, Json], beats: Sequence[Beat]) -> None:
        self.tower = tower
        self.seconds = max(beat.end for beat in beats)
        parts: list[Walker | Slab] = []
        gone: set[str] = set()
        for beat in beats:
            if beat.kind == "explode":
                squares = [beat.start[0] + str(n) for n in range(int(beat.start[1]), 6)]
                riders = [f for f, s in tower.figures.items() if before["figures"][f] != s]
                parts += [Slab(tower, square, beat, riders) for square in squares]
                gone.update(squares)
        for figure in dict.fromkeys(beat.figure for beat in beats if beat.figure):
            parts.append(Walker(tower, before, [b for b in beats if b.figure == figure], figure))
            gone.add(figure)
        self.parts = parts
        self.moves = frozenset(gone)
        self._stage = Stage(tower, tower.settle)
        for part in parts:
            self._stage.group.add(part.sprite.group)

    def step(self, at: float) -> None:
        """Show everything as it is then."""
        for part in self.parts:
            part.step(at)

    def remove(self) -> None:
        """The tower draws it all by itself again."""
        self._stage.close()


class Shake:
    """A refused square: 4 px twice."""

    SECONDS = 0.18

    def __init__(self, tower: Any, square: str) -> None:
        self.tower = tower
        self.sprite = Sprite()
        self.x, self.y, _w, _h = tower.box_of(square)
        self.square = square
        self._stage = Stage(tower, tower.settle)
        self._stage.group.add(self.sprite.group)
        self._drawn = False

    def step(self, at: float) -> None:
        """Move it; drawn with the first step that is shown, when the ring has been set."""
        if not self._drawn and at:
            self._drawn = True
            self.tower.paint_square(self.sprite.pen, self.square, -self.x, -self.y)
        self.sprite.move.xy = self.x + u(4) * wobble(at / self.SECONDS), self.y

    def remove(self) -> None:
        """The tower draws it all by itself again."""
        self._stage.close()
