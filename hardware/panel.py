"""Button panels on the Pi's own pins, through gpiozero, with our own debouncing; and a seat light for each.

The levels are sampled, not taken from edge events: edges get lost and invented (gpiozero 1090), and a burst of
false edges between two samples does nothing. Pins are numbered as gpiozero does by default (BCM).
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, Self

import gpiozero

from hardware.signals import NoPins, PinConflict, Post, Press, Release, Signal, Stuck

STABLE = 0.030  # seconds that a level must last to count
STUCK = 10.0  # seconds down after which nobody is pressing it
IDLE, AWAKE = 0.020, 0.005  # seconds between two samples: at rest, and while a level is changing

PINS = range(28)
BUSES: Mapping[str, tuple[int, ...]] = {
    "i2c": (2, 3),
    "spi": (7, 8, 9, 10, 11),
    "uart": (14, 15),
    "1-wire": (4,),
    "eeprom": (0, 1),
}
"""The pins that belong to a bus when it is in use. (0 and 1 ask an add-on board who it is, at every start.)"""

Change = Literal["press", "release", "stuck"]


class Debouncer:
    """One button: (time, level) samples in, changes out. Pure; times in seconds, never going back.

    A level counts once every sample of `stable` seconds shows it: a glitch on either edge starts the wait anew. A
    button that is down at the first sample was not pressed now: no press is told, nor its release.
    """

    def __init__(self, stable: float = STABLE, stuck: float = STUCK) -> None:
        self._stable = stable
        self._stuck = stuck
        self._down: bool | None = None  # None before the first sample
        self._since = 0.0  # when `_down` began
        self._changing: float | None = None  # since when the samples differ from it
        self._told = False  # a press is out that no release has answered
        self._reported = False

    @property
    def changing(self) -> bool:
        """Whether the samples differ from the level that counts."""
        return self._changing is not None

    def sample(self, now: float, down: bool) -> Change | None:
        """What this sample changes."""
        if self._down is None:
            self._down, self._since = down, now
        elif down == self._down:
            self._changing = None
        elif self._changing is None:
            self._changing = now
        if self._changing is not None and now - self._changing >= self._stable:
            return self._turn(now, down)
        if self._down and not self._reported and now - self._since >= self._stuck:
            self._reported = True
            return "stuck"
        return None

    def _turn(self, now: float, down: bool) -> Change | None:
        was_told, self._told = self._told, down
        self._down, self._since, self._changing, self._reported = down, now, None, False
        if down:
            return "press"
        return "release" if was_told else None


@dataclass(frozen=True, slots=True)
class Direct:
    """One pin a button, closing to ground: `seats[panel][button - 1]`. Three seats fit 21 pins."""

    seats: tuple[tuple[int, ...], ...]

    def pins(self) -> list[int]:
        """All pins, as often as they are used."""
        return [pin for seat in self.seats for pin in seat]


@dataclass(frozen=True, slots=True)
class Matrix:
    """A row for each panel, a column for each button, a diode at each crossing. Four seats fit 11 pins.

    A row is pulled low while it is looked at; the diodes point from column to row (cathode at the row).
    """

    rows: tuple[int, ...]
    columns: tuple[int, ...]

    def pins(self) -> list[int]:
        """All pins, as often as they are used."""
        return [*self.rows, *self.columns]


Wiring = Direct | Matrix
Lamp = int | tuple[int, int, int]
"""The pin of a plain lamp, or the red, green and blue pins of a coloured one."""


def check_pins(pins: Iterable[int], buses: Collection[str] = ()) -> None:
    """PinConflict with all that is wrong in one sentence each: a pin used twice, not there, or a bus's."""
    wrong = [f"There is no bus {bus}; the buses are {', '.join(BUSES)}." for bus in buses if bus not in BUSES]
    for pin, times in sorted(Counter(pins).items()):
        if times > 1:
            wrong.append(f"Pin {pin} is used {times} times; each wire needs a pin of its own.")
        if pin not in PINS:
            wrong.append(f"There is no pin {pin}; the pins are {PINS.start} to {PINS.stop - 1}.")
        wrong += [
            f"Pin {pin} belongs to {bus}, which is in use; take another or switch {bus} off."
            for bus in buses
            if pin in BUSES.get(bus, ())
        ]
    if wrong:
        raise PinConflict(" ".join(wrong))


class _Buttons(Protocol):
    """Looks at all buttons at once: `(panel, button) -> down`."""

    def look(self) -> dict[tuple[int, int], bool]: ...

    def close(self) -> None: ...


class _DirectButtons:
    def __init__(self, wiring: Direct, factory: Any) -> None:
        self._pins: dict[tuple[int, int], Any] = {}
        for panel, seat in enumerate(wiring.seats):
            for button, pin in enumerate(seat, 1):
                self._pins[panel, button] = gpiozero.InputDevice(pin, pull_up=True, pin_factory=factory)

    def look(self) -> dict[tuple[int, int], bool]:
        return {key: bool(pin.value) for key, pin in self._pins.items()}

    def close(self) -> None:
        for pin in self._pins.values():
            pin.close()


class _MatrixButtons:
    def __init__(self, wiring: Matrix, factory: Any) -> None:
        self._rows = [
            gpiozero.OutputDevice(pin, active_high=False, initial_value=False, pin_factory=factory)
            for pin in wiring.rows
        ]
        self._columns = [gpiozero.InputDevice(pin, pull_up=True, pin_factory=factory) for pin in wiring.columns]

    def look(self) -> dict[tuple[int, int], bool]:
        down = {}
        for panel, row in enumerate(self._rows):
            row.on()
            for button, column in enumerate(self._columns, 1):
                down[panel, button] = bool(column.value)
            row.off()
        return down

    def close(self) -> None:
        for pin in (*self._rows, *self._columns):
            pin.close()


class Light:
    """A seat's light with the patterns of the wire page. gpiozero's own threads blink it."""

    COLOUR = (1.0, 0.9, 0.7)  # a warm white: the seat's colour is printed on the panel, a light never tells a card

    def __init__(self, lamp: Lamp, factory: Any) -> None:
        self._coloured = not isinstance(lamp, int)
        if isinstance(lamp, int):
            self._led = gpiozero.PWMLED(lamp, pin_factory=factory)
        else:
            self._led = gpiozero.RGBLED(*lamp, pin_factory=factory)

    def show(self, pattern: str) -> None:
        """Starts a pattern of the wire page and returns at once. ValueError for an unknown one."""
        if pattern == "off":
            self._led.off()
        elif pattern == "locked":
            self._led.value = self.COLOUR if self._coloured else 1.0
        elif pattern == "waiting":
            self._led.pulse(fade_in_time=1.2, fade_out_time=1.2, **self._colours())
        elif pattern == "refused":
            self._led.blink(on_time=0.15, off_time=0.15, n=3, **self._colours())
        elif pattern == "turn":
            self._led.blink(on_time=0.6, off_time=0.6, **self._colours())
        elif pattern == "gryphon":
            self._led.blink(on_time=0.1, off_time=0.9, **self._colours())
        elif pattern == "find":
            self._led.blink(on_time=0.1, off_time=0.1, **self._colours())
        else:
            raise ValueError(f"no such light pattern: {pattern}")

    def close(self) -> None:
        self._led.close()

    def _colours(self) -> dict[str, tuple[float, float, float]]:
        return {"on_color": self.COLOUR} if self._coloured else {}


class Panels:
    """All panels on the Pi's pins. Posts Press, Release and Stuck for panels "gpio/0", "gpio/1", ...

    `lamps`: panel number -> its light, where it has one. `buses`: names of BUSES that are in use. `pin_factory`: of
    gpiozero; None takes its default. Raises PinConflict or NoPins, and then holds no pin. `scan` samples once, for
    tests and for whoever has a loop of their own; `start` does it in a thread until `close`.
    """

    def __init__(
        self,
        post: Post,
        wiring: Wiring,
        *,
        pin_factory: Any = None,
        clock: Callable[[], float] = time.monotonic,
        stable: float = STABLE,
        stuck: float = STUCK,
        lamps: Mapping[int, Lamp] | None = None,
        buses: Collection[str] = (),
    ) -> None:
        lamps = lamps or {}
        lamp_pins = [pin for lamp in lamps.values() for pin in ((lamp,) if isinstance(lamp, int) else lamp)]
        check_pins([*wiring.pins(), *lamp_pins], buses)
        self._post = post
        self._clock = clock
        self._lights: dict[int, Light] = {}
        self._buttons: _Buttons | None = None
        try:
            make = _DirectButtons if isinstance(wiring, Direct) else _MatrixButtons
            self._buttons = make(wiring, pin_factory)  # type: ignore[arg-type]
            for panel, lamp in lamps.items():
                self._lights[panel] = Light(lamp, pin_factory)
        except gpiozero.GPIOPinInUse as error:
            self._release()
            raise PinConflict(f"A pin is in use by another part of this program: {error}.") from error
        except Exception as error:  # the factories raise what their libraries raise: OSError, lgpio.error, ...
            self._release()
            raise _explain(error) from error
        self._debouncers: dict[tuple[int, int], Debouncer] = {}
        for key, down in self._buttons.look().items():
            self._debouncers[key] = Debouncer(stable, stuck)
            self._debouncers[key].sample(clock(), down)  # what is down by now was not pressed: from here on it counts
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="panels", daemon=True)

    def scan(self) -> float:
        """Samples every button once and posts what changed. Returns the seconds until the next sample is wanted."""
        assert self._buttons is not None
        now = self._clock()
        for (panel, button), down in self._buttons.look().items():
            change = self._debouncers[panel, button].sample(now, down)
            if change:
                self._post(_SIGNALS[change](f"gpio/{panel}", button))
        return AWAKE if any(debouncer.changing for debouncer in self._debouncers.values()) else IDLE

    def light(self, panel: str, pattern: str) -> None:
        """Shows a pattern at a panel ("gpio/0"); nothing happens where it has no light. Returns at once."""
        light = self._lights.get(int(panel.rpartition("/")[2]))
        if light is not None:
            light.show(pattern)

    def start(self) -> Self:
        """Begins to sample."""
        self._thread.start()
        return self

    def close(self) -> None:
        """Ends the thread and gives the pins back."""
        self._closing.set()
        if self._thread.ident is not None:
            self._thread.join(1.0)
        self._release()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> None:
        while not self._closing.is_set():
            self._closing.wait(self.scan())

    def _release(self) -> None:
        for light in self._lights.values():
            light.close()
        if self._buttons is not None:
            self._buttons.close()


_SIGNALS: Mapping[Change, Callable[[str, int], Signal]] = {"press": Press, "release": Release, "stuck": Stuck}


def _explain(error: Exception) -> NoPins:
    text = str(error) or type(error).__name__
    if isinstance(error, PermissionError) or "permission" in text.lower():
        return NoPins("No permission to use the pins. Add this user to the group gpio and log in again.")
    if "busy" in text.lower():
        return NoPins("A pin is in use by another program, or by a second gryphon. Close it.")
    if isinstance(error, gpiozero.BadPinFactory):
        return NoPins("There are no usable pins here. On a Raspberry Pi install python3-lgpio.")
    return NoPins(f"The pins cannot be used: {text}.")
