"""Whose is it? Which reader and which panel belongs to which seat. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

GPIO = "gpio"
"""The Pi's own pins, as a board (hardware.panel)."""


class Seating:
    """Devices, by their names ("<board>/<number>", "gpio/<number>") and their kind ("reader" or "panel").

    fixed: device -> seat, as the installer says; it counts more than what people say (`bind`). A reader and a panel of
    one board with one number are one place. Devices that nobody has named go to the seats without one, in the order in
    which they appear.
    """

    def __init__(self, fixed: Mapping[str, str] | None = None) -> None:
        self.fixed = dict(fixed or {})
        self.seats: tuple[str, ...] = ()
        self.met: dict[str, list[str]] = {"reader": [], "panel": []}
        self._bound = dict(self.fixed)

    # --- what is learned --------------------------------------------------------------------------------------------

    def bind(self, places: Mapping[str, str]) -> None:
        """What people say: device -> seat."""
        self._bound = {**places, **self.fixed}

    def seat(self, seats: Sequence[str]) -> None:
        """Who sits at the table now."""
        self.seats = tuple(seats)

    def meet(self, kind: str, device: str) -> None:
        """A device has spoken."""
        if device not in self.met[kind]:
            self.met[kind].append(device)

    def greet(self, board: str, announced: Collection[tuple[str, str]]) -> None:
        """A board has these devices, kind and name of each, and no others any more."""
        for kind, devices in self.met.items():
            self.met[kind] = [d for d in devices if not on(board, d) or (kind, d) in announced]
        for kind, device in announced:
            self.meet(kind, device)

    # --- what is asked ----------------------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Kind and name of every device that was met."""
        return ((kind, device) for kind, devices in self.met.items() for device in devices)

    def seat_of(self, kind: str, device: str) -> str | None:
        """The seat at the table that a device belongs to, or None."""
        if device in self._bound:
            seat = self._bound[device]
            return seat if seat in self.seats else None
        if kind == "panel" and device in self.met["reader"]:
            return self.seat_of("reader", device)
        settled: list[str] = []
        waiting: list[str] = []
        for each in self.met[kind]:
            of_a_reader = kind == "panel" and each in self.met["reader"]
            (settled if each in self._bound or of_a_reader else waiting).append(each)
        taken = {self.seat_of(kind, each) for each in settled}
        free = [seat for seat in self.seats if seat not in taken]
        return dict(zip(waiting, free, strict=False)).get(device)

    def owner(self, kind: str, device: str) -> str | None:
        """The seat that it is given to, also where nobody sits there now."""
        return self._bound.get(device) or self.seat_of(kind, device)

    def devices(self, seat: str) -> Iterator[tuple[str, str]]:
        """Kind and name of all that a seat has."""
        return ((kind, device) for kind, device in self if self.seat_of(kind, device) == seat)

    def seats_on(self, kind: str, board: str) -> list[str]:
        """The seats that have a device of that kind on a board."""
        return [seat for d in self.met[kind] if on(board, d) and (seat := self.seat_of(kind, d))]

    def away(self) -> dict[str, str]:
        """What has a seat by people's word, and was not met: device -> seat."""
        met = {device for _kind, device in self}
        return {d: seat for d, seat in self._bound.items() if d not in met and d not in self.fixed}


def on(board: str, device: str) -> bool:
    """Whether a device belongs to a board."""
    return device.startswith(f"{board}/")
