"""What is worth a moment of its own: a hero is saved, the last round begins, somebody has won."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from kivy.properties import StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.games.base import msg
from companion.games.sir_holland.motion import REST, TURN
from companion.games.sir_holland.state import ROOF, heroes, owner
from companion.table.ports import Outcome
from companion.ui import words
from companion.ui.boards.sir_holland.winner import Banner
from companion.ui.motion import LONGEST, Moment, Step, growing, hopping, unrolling
from companion.ui.screens.base import load_kv
from companion.ui.settle import lay_out
from companion.ui.theme import look, u
from companion.ui.widgets import Figure, Pic
from companion.ui.words import _, say


class Occasion(BoxLayout):
    """Over the whole screen. seat: whose it is, or none."""

    heading = StringProperty("")
    sub = StringProperty("")
    seat = StringProperty("")

    def __init__(self, things: Sequence[Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.things = [*things]
        for thing in things:
            self.ids.things.add_widget(thing)


load_kv("sir_holland/occasion")


def watch(root: Any, outcome: Outcome) -> Moment | None:
    """Let people watch what an outcome brought, where it is worth it; then the screen is there again.

    Not where a door or a sheet is open, nor with less motion: what has happened stands on the screen as well.
    """
    if outcome.kind != "done" or outcome.before is None or look.still or root.sheet is not None or root.flow.doors:
        return None
    for event in reversed(outcome.events):
        what = event["what"]
        if what == "game_over":
            return _run(root, _won(outcome), 0.0)
        if what == "round_began" and event["final"] and not outcome.before.view["final"]:
            return _run(root, _last_round(), 0.0)
        if what == "saved":
            # the figure first goes there
            return _run(root, _saved(event["hero"]), LONGEST)
    return None


def _won(outcome: Outcome) -> Occasion:
    view = outcome.now.view
    seat = view["result"]["winner"]
    out = [hero for hero in heroes(seat) if view["figures"][hero] == ROOF]
    heading = say(msg("{seat:seat} wins!", seat=seat))
    return Occasion(heading=heading, seat=seat, things=[Banner(seat=seat, who=words.name(seat), out=out)])


def _last_round() -> Occasion:
    fires = [Pic(art="action_7_rest", tint="act") for _fire in range(2)]
    return Occasion(heading=_("The last round"), sub=_("Everyone has rested twice."), things=fires)


def _saved(hero: str) -> Occasion:
    seat = owner(hero)
    heading = say(msg("{hero:figure} is saved!", hero=hero))
    return Occasion(heading=heading, sub=words.name(seat), seat=seat, things=[Figure(figure=hero)])


def _run(root: Any, occasion: Occasion, wait: float) -> Moment:
    screen = root.screen
    below = screen.children[::-1]

    def steps() -> Iterator[tuple[float, Step]]:
        if wait:
            yield wait, _nothing
        # what is under it is not drawn meanwhile
        screen.clear_widgets()
        screen.add_widget(occasion)
        lay_out(screen)
        things = occasion.things
        if isinstance(things[0], Banner):
            yield LONGEST, unrolling(things[0])
        else:
            yield TURN, growing(things)
        yield TURN, hopping(things, u(24))
        yield REST, _nothing

    def done() -> None:
        screen.clear_widgets()
        for widget in below:
            screen.add_widget(widget)
        root.look_under()

    return Moment(steps(), done)


def _nothing(_share: float) -> None:
    """Time to look."""
