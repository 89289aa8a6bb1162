"""A position that people make like their table, edit by edit. Pure: no widget, no request."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.base import BadForm, BadSetup, Fault, Json, Message, msg, msgn
from companion.games.sir_holland import codec, desk
from companion.games.sir_holland.state import (
    POINTS,
    REST,
    ROOF,
    ROOM,
    SPECIALS,
    SQUARES,
    VILLAINS,
    HouseRules,
    card_at,
    heroes,
)

KEYS = ("figures", "lying", "tower", "hands", "rests", "gryphon", "queue", "turn", "out", "result")
"""What can be put right here, and what follows from it."""
TOLD = 6
"""Changes that are told one by one when everyone is asked; more are only counted."""


class Correction:
    """view: the table's own position. `here` is the position as edited."""

    def __init__(self, view: Mapping[str, Json]) -> None:
        self.view = view
        self.base: dict[str, Json] = {key: view.get(key) for key in KEYS}
        self._edits: list[dict[str, Json]] = [self.base]

    @property
    def here(self) -> Mapping[str, Json]:
        """The position as edited so far."""
        return self._edits[-1]

    @property
    def edited(self) -> bool:
        """Whether there is an edit that can be undone."""
        return len(self._edits) > 1

    def fits(self, view: Mapping[str, Json]) -> bool:
        """Whether the table is still as it was when the editing began."""
        return all(view.get(key) == value for key, value in self.base.items())

    def changes(self) -> dict[str, Json]:
        """What differs from the table's own position."""
        return {key: value for key, value in self.here.items() if value != self.base[key]}

    def undo(self) -> None:
        """Take the last edit back."""
        if self.edited:
            self._edits.pop()

    # --- edits ------------------------------------------------------------------------------------------------------

    def move(self, figure: str, square: str) -> None:
        """A figure stands somewhere else. In the secret room heroes lie; elsewhere they get up."""
        if self.here["figures"][figure] == square or (figure in VILLAINS and square == ROOF):
            return
        lying = set(self.here["lying"]) - {figure}
        if figure not in VILLAINS and square != ROOF and card_at(tuple(self.here["tower"]), square) == ROOM:
            lying |= {figure}
        self._edit(figures={**self.here["figures"], figure: square}, lying=sorted(lying))

    def lay(self, figure: str) -> None:
        """A hero lies down, or gets up."""
        self._edit(lying=sorted(set(self.here["lying"]) ^ {figure}))

    def swap(self, a: str, b: str) -> None:
        """Two cards of the tower change places."""
        rows = [list(row) for row in self.here["tower"]]
        (i, j), (k, m) = ((5 - int(s[1]), ord(s[0]) - 97) for s in (a, b))
        rows[i][j], rows[k][m] = rows[k][m], rows[i][j]
        self._edit(tower=["".join(row) for row in rows])

    def toggle(self, seat: str, number: int) -> None:
        """A card is in a hand, or is not."""
        self._edit(hands={**self.here["hands"], seat: sorted(set(self.here["hands"][seat]) ^ {number})})

    def rest(self, seat: str, step: int) -> None:
        """A seat has rested more often, or less."""
        self._edit(rests={**self.here["rests"], seat: max(0, self.here["rests"][seat] + step)})

    def give_gryphon(self, seat: str) -> None:
        """Who holds the gryphon."""
        self._edit(gryphon=seat)

    def order(self) -> list[str]:
        """The seats that played a card this round, in the order in which they act."""
        view = self.view
        done = {s: n for s, n in view["cards"].items() if s not in self.base["queue"]}
        return [*desk.order(view["seats"], view["gryphon"], done), *self.base["queue"]]

    def begin_turn(self, seat: str) -> None:
        """It is that seat's turn, with all that its card gives."""
        order, card = self.order(), self.view["cards"][seat]
        hands = dict(self.here["hands"])
        if card == REST:
            # whoever has rested holds the card again; whoever is about to does not
            hands[seat] = [n for n in hands[seat] if n != REST]
        turn = {"seat": seat, "card": card, "points": POINTS[card], "special": SPECIALS[card], "used": [],
                "pending": None}  # fmt: skip
        self._edit(queue=order[order.index(seat) :], turn=turn, hands=hands)

    def spend(self, half: str, step: int) -> None:
        """More or less is left of a half of the card in play: `points` or `special`."""
        turn = self.here["turn"]
        full = (POINTS if half == "points" else SPECIALS)[turn["card"]]
        left = min(max(turn[half] + step, 0), full)
        self._edit(turn={**turn, half: left, "used": []})

    def _edit(self, **changes: Json) -> None:
        here = {**self.here, **changes}
        here |= _follows(self.view, here)
        if here != self.here:
            self._edits.append(here)

    # --- what is wrong with it, and what it means -------------------------------------------------------------------

    def faults(self) -> list[Fault]:
        """All that is impossible, at once."""
        try:
            codec.state_from_json({**self.view, "locked": [], **self.changes()}, history=False)
        except BadSetup as error:
            return list(error.faults)
        except BadForm as error:
            return [Fault("", "", error.reason)]
        if self.here["result"] and self.here["result"]["ended_by"] == "saved" and not any(_saved(self.here, self.view)):
            return [Fault("result", "R74", msg("Like this the game is not over. Take the last turn back instead."))]
        return []

    def bad(self) -> list[str]:
        """The squares of the faults."""
        found = []
        for fault in self.faults():
            square = self.here["figures"].get(fault.at, fault.at)
            if square in (*SQUARES, ROOF):
                found.append(square)
        return found

    def told(self) -> list[Message]:
        """What is changed, for those who have to agree."""
        told = [*self._figures(), *self._cards(), *self._seats()]
        if len(told) > TOLD:
            more = len(told) - TOLD + 1
            told = [*told[: TOLD - 1], msgn("And {n} more change.", "And {n} more changes.", n=more)]
        return told

    def _figures(self) -> list[Message]:
        before, here, told = self.base, self.here, []
        for figure, square in here["figures"].items():
            if before["figures"][figure] != square:
                told.append(msg("{figure:figure} stands on {at:square}.", figure=figure, at=square))
            elif (figure in here["lying"]) != (figure in before["lying"]):
                lies = figure in here["lying"]
                told.append(msg("{figure:figure} lies.", figure=figure) if lies
                            else msg("{figure:figure} is standing.", figure=figure))  # fmt: skip
        return told

    def _cards(self) -> list[Message]:
        moved = [s for s in SQUARES
                 if card_at(tuple(self.here["tower"]), s) != card_at(tuple(self.base["tower"]), s)]  # fmt: skip
        return [msg("Other cards lie on {squares:squares}.", squares=moved)] if moved else []

    def _seats(self) -> list[Message]:
        before, here, told = self.base, self.here, []
        for seat in self.view["seats"]:
            if before["hands"][seat] != here["hands"][seat]:
                told.append(msg("{seat:seat} holds {cards:numbers}.", seat=seat, cards=here["hands"][seat]))
            if before["rests"][seat] != here["rests"][seat]:
                told.append(msgn("{seat:seat} has rested {n} time.", "{seat:seat} has rested {n} times.",
                                 seat=seat, n=here["rests"][seat]))  # fmt: skip
        if before["gryphon"] != here["gryphon"]:
            told.append(msg("The gryphon stands beside {seat:seat}.", seat=here["gryphon"]))
        if before["turn"] != here["turn"]:
            turn = here["turn"]
            told.append(
                msg(
                    "It is {seat:seat}'s turn. Steps left: {points}. Left of {card:card_name}: {special}.",
                    **{key: turn[key] for key in ("seat", "points", "card", "special")},
                )
            )
        return told


def _saved(here: Mapping[str, Json], view: Mapping[str, Json]) -> list[bool]:
    """Whether each seat has both heroes out."""
    return [all(here["figures"][h] == ROOF for h in heroes(s)) for s in view["seats"]]


def _follows(view: Mapping[str, Json], here: Mapping[str, Json]) -> dict[str, Json]:
    """What follows from an edit: who has both heroes out, a fall that waits no more, another winner."""
    both = [s for s, out in zip(view["seats"], _saved(here, view), strict=True) if out]
    known = [s for s in here["out"] or [] if s in both]
    was = [s for s, out in zip(view["seats"], _saved(view, view), strict=True) if out]
    found: dict[str, Json] = {"out": [*known, *(s for s in both if s not in known and s not in was)]}
    turn = here["turn"]
    if turn and turn["pending"]:
        hero = turn["pending"]["hero"]
        if here["figures"][hero] != view["figures"][hero]:
            found["turn"] = {**turn, "pending": None}
    if view["result"]:
        ended_by = "saved" if both else view["result"]["ended_by"]
        figures = here["figures"]
        saved = {s: sum(figures[h] == ROOF for h in heroes(s)) for s in view["seats"]}
        levels = {s: [int(figures[h][1]) for h in heroes(s) if figures[h] != ROOF] for s in view["seats"]}
        rules = HouseRules(**view["rules"])
        result, _steps = desk.winner(view["seats"], here["gryphon"], ended_by, saved, levels, rules, found["out"])
        found["result"] = codec.outcome_to_json(result)
    return found
