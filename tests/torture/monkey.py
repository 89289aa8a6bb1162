"""A monkey at the whole program: touches, drags, fingers in heaps, signals of devices, and time that passes.

Everything is real but the thread: the engine serves what is posted at once, so that a seed gives the same game again.
`python -m tests.torture.monkey [STEPS] [SEED]` prints what it did.
"""

from __future__ import annotations

import logging
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from kivy.uix.behaviors import ButtonBehavior

from companion.adapters.sqlite import Store, open_store
from companion.border import Border
from companion.engine import Engine
from companion.table.session import Table
from companion.ui.bridge import Bridge
from companion.ui.screens import cover
from hardware import signals
from tests.ui.window import Screenful

SEATS = ("red", "blue", "green", "yellow")
SIZES = ((800, 480), (480, 800), (1280, 800))
BOARD = "e6614c311b4b2a2f"
UIDS = {f"04{s:02X}{card:02X}7F": (seat, card) for s, seat in enumerate(SEATS) for card in range(1, 8)}


class Inline(Engine):
    """The engine without its thread, at a clock of its own."""

    time = 0.0

    def pass_time(self, seconds: float) -> None:
        """What is due meanwhile happens."""
        self.time += seconds
        self.tick(self.time)

    def post(self, item: Any) -> None:
        self._safely(self.serve, item)

    def hear(self, signal: Any) -> None:
        self._safely(self._signal, signal, self.time)

    def open(self) -> None:
        """What the thread does first."""
        self._safely(self._open)


class Errors(logging.Handler):
    """Whatever the program only logs, as a person would never see it."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.found.append(self.format(record))


@dataclass
class MonkeyHouse:
    """What Screenful wants of a house: a bridge, and an open door."""

    folder: Path
    store: Store = field(init=False)

    def __post_init__(self) -> None:
        self.store, _lost = open_store(self.folder / "gryphon.sqlite3")
        for uid, (seat, card) in list(UIDS.items())[:25]:
            self.store.bind(uid, seat, card)
        self.engine = Inline(self.store, Border(), rng=Random(1), clock=lambda: self.engine.time)
        self.bridge = Bridge(self.engine.post)
        self.engine.add(self.bridge)

    def open(self) -> None:
        self.engine.open()


class Monkey:
    """See above. `log` holds the last things it did."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.rng = Random(seed)
        self.house = MonkeyHouse(folder)
        self.screenful = Screenful(self.house, "en", SIZES[0])  # type: ignore[arg-type]  # all that Screenful asks for
        self.house.open()
        self.screenful.settle()
        self.did: Counter[str] = Counter()
        self.seen: Counter[str] = Counter()
        self.log: list[str] = []
        self.lying: dict[int, str] = {}
        self.errors = Errors()
        self.errors.setFormatter(logging.Formatter("%(message)s"))
        logging.getLogger("companion").addHandler(self.errors)

    def close(self) -> None:
        """Away with the window's widgets and the store."""
        logging.getLogger("companion").removeHandler(self.errors)
        self.screenful.close()
        self.house.store.close()

    # --- what it does -----------------------------------------------------------------------------------------------

    def step(self) -> None:
        """One thing, then a look at the screen."""
        acts: list[tuple[int, Callable[[], str]]] = [
            (40, self._lit), (30, self._any), (12, self._square), (5, self._anywhere), (3, self._drag),
            (2, self._heap), (10, self._signal), (5, self._out), (1, self._size), (1, self._wait),
        ]  # fmt: skip
        act = self.rng.choices([a for _n, a in acts], [n for n, _a in acts])[0]
        name = act()
        self.did[act.__name__[1:]] += 1
        self.log = [*self.log[-40:], f"{self.screenful.screen}: {name}"]
        self.screenful.settle(2)
        self.look()

    def look(self) -> None:
        """The program is alive: nothing was raised or logged, and there is something to touch."""
        assert not self.errors.found, (self.errors.found, self.log)
        self.seen[self.screenful.screen] += 1
        alive = [w for w in self._touchables() if w.width > 1] or self.screenful.root.sheet is not None
        # there every touch counts, wherever it arrives
        alive = alive or self.screenful.screen == "touch_test"
        assert alive, ("nothing can be touched", self.log)

    def _touchables(self) -> list[Any]:
        return self.screenful.all(
            lambda w: isinstance(w, ButtonBehavior) and not getattr(w, "off", False) and w.opacity > 0
        )

    def _tap(self, widgets: list[Any]) -> str:
        if not widgets:
            return self._anywhere()
        widget = self.rng.choice(widgets)
        x, y = widget.to_window(*widget.center)
        self._touch(x, y)
        return f"touched {getattr(widget, 'text', '') or type(widget).__name__!r}"

    def _lit(self) -> str:
        return self._tap([w for w in self._touchables() if getattr(w, "lit", False)])

    def _any(self) -> str:
        return self._tap(self._touchables())

    def _square(self) -> str:
        towers = self.screenful.all(lambda w: hasattr(w, "box_of") and w.width > 40)
        if not towers:
            return self._any()
        tower = self.rng.choice(towers)
        lit = [s for s in tower.lit if self.rng.random() < 0.8]
        square = self.rng.choice(lit or [f"{c}{n}" for c in "abcde" for n in range(1, 6)] + ["roof"])
        x, y, w, h = tower.box_of(square)
        self._touch(*tower.to_window(x + w / 2, y + h / 2))
        return f"square {square}"

    def _anywhere(self) -> str:
        size = self.screenful.window.size
        x, y = self.rng.uniform(0, size[0]), self.rng.uniform(0, size[1])
        self._touch(x, y)
        return f"point {x:.0f},{y:.0f}"

    def _touch(self, x: float, y: float) -> None:
        from kivy.tests.common import UnitTestTouch

        touch = UnitTestTouch(x, y)
        touch.touch_down()
        sheet = self.screenful.root.sheet
        if isinstance(sheet, cover.Cover) and self.rng.random() < 0.8:
            time.sleep(cover.HOLD)
            self.screenful.settle(1)
        touch.touch_up()

    def _drag(self) -> str:
        from kivy.tests.common import UnitTestTouch

        w, h = self.screenful.window.size
        touch = UnitTestTouch(self.rng.uniform(0, w), self.rng.uniform(0, h))
        touch.touch_down()
        for _ in range(4):
            touch.touch_move(self.rng.uniform(0, w), self.rng.uniform(0, h))
            self.screenful.settle(1)
        touch.touch_up()
        return "a drag"

    def _heap(self) -> str:
        """Fingers in a heap: down and up in any order."""
        from kivy.tests.common import UnitTestTouch

        w, h = self.screenful.window.size
        fingers = [
            UnitTestTouch(self.rng.uniform(0, w), self.rng.uniform(0, h)) for _ in range(self.rng.randint(2, 5))
        ]
        for finger in fingers:
            finger.touch_down()
        self.screenful.settle(1)
        self.rng.shuffle(fingers)
        for finger in fingers:
            finger.touch_up()
        return f"{len(fingers)} fingers"

    def _signal(self) -> str:
        # some cards pass, most come to rest; some questions are heard, some not
        self.house.engine.pass_time(self.rng.choice((0.1, 0.5, 1.5)))
        hear, n = self.house.engine.hear, self.rng.randint(0, 3)
        reader = f"{BOARD}/{n}"
        kinds = {"lay": 3, "lift": 2, "press": 1, "lost": 1, "ready": 1, "foreign": 1, "collision": 1, "health": 1}
        kind = self.rng.choices(list(kinds), list(kinds.values()))[0]
        match kind:
            case "lay" if n not in self.lying:
                own = [uid for uid, (seat, _card) in UIDS.items() if seat == SEATS[n]]
                self.lying[n] = self.rng.choice(own if self.rng.random() < 0.9 else list(UIDS))
                hear(signals.TagOn(reader, self.lying[n], False))
            case "lift" if n in self.lying:
                hear(signals.TagOff(reader, self.lying.pop(n), False))
            case "press":
                hear(signals.Press(reader, button := self.rng.randint(1, 7)))
                hear(signals.Release(reader, button))
            case "lost":
                hear(signals.LinkLost(BOARD, "/dev/ttyACM0", signals.UNPLUGGED))
            case "ready":
                hear(signals.LinkBack(BOARD, "/dev/ttyACM1"))
                hear(signals.BoardReady(BOARD, "0.3.0", 4, 4))
            case "foreign" if n not in self.lying:
                hear(signals.TagOn(reader, "08A1B2C3", True))
                hear(signals.TagOff(reader, "08A1B2C3", True))
            case "collision":
                hear(signals.Collision(reader))
            case "health":
                hear(signals.Health(reader, self.rng.choice(["ok", "deaf", "absent"])))
        return f"signal {kind} {n}"

    def _out(self) -> str:
        """Somebody helps it out of a door: alone it would stay among its many buttons."""
        if self.screenful.root.flow.doors:
            self.screenful.root.back()
        return "out"

    def _size(self) -> str:
        size = self.rng.choice(SIZES)
        self.screenful.window.size = size
        return f"size {size}"

    def _wait(self) -> str:
        """The held lock's time is over."""
        self.house.engine.pass_time(5.0)
        return "time passes"

    # --- what has to be true at the end -----------------------------------------------------------------------------

    def check_journal(self) -> int:
        """Every game replays whole, and the open one stands as it is on the table; how many games there are."""
        store, engine = self.house.store, self.house.engine
        games = store.games()
        for saved in games:
            replayed = Table.resume(store.record(saved.number), store)
            assert not replayed.aside, (saved.number, replayed.aside[:1])
            table = engine._table
            if table is not None and table.number == saved.number and not table.snapshot().sandbox:
                assert replayed.table.snapshot().view == table.snapshot().view
        return len(games)


def run(steps: int, seed: int, folder: Path, draw_every: int = 25, wanted: frozenset[str] = frozenset()) -> Monkey:
    """So many steps; most are laid out only, as drawing takes the time.

    wanted: screens that it has to see. It goes on for up to five times as many steps until it has been there: which way
    it takes is chance, and another one with every button that a screen is given.
    """
    monkey = Monkey(folder, seed)
    try:
        for n in range(5 * steps):
            if n >= steps and wanted <= monkey.seen.keys():
                break
            monkey.screenful.draws = n % draw_every == 0
            monkey.step()
        monkey.screenful.draws = True
        monkey.screenful.settle(2)
    except BaseException:
        print("\n".join(monkey.log))
        monkey.close()
        raise
    return monkey


def main() -> None:
    """By hand."""
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    cover.HOLD = 0.02
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        monkey = run(steps, seed, Path(folder))
        games = monkey.check_journal()
        print(f"{steps} steps, seed {seed}, {games} games, {time.monotonic() - start:.0f} s")
        print("did: " + ", ".join(f"{k} {n}" for k, n in monkey.did.most_common()))
        print("saw: " + ", ".join(f"{k} {n}" for k, n in monkey.seen.most_common()))
        monkey.close()


if __name__ == "__main__":
    main()
