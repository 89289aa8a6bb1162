"""What the screens share that hear which reader or button is touched, while nothing of it plays."""

from __future__ import annotations

from typing import Any

from companion.games.base import Message
from companion.table.ports import Listen, SayThis, Show, Touched
from companion.ui.screens.base import Answer, Screen
from companion.ui.words import say


class Listening(Screen):
    """Listens while it is open. What people have come to stands in what the door was given, so that it survives when

    a setting builds the screen anew.
    """

    hears = ""

    def __init__(self, root: Any, **kwargs: Any) -> None:
        super().__init__(root, **kwargs)
        root.send(Listen(self.hears))

    def leave(self) -> None:
        self.root.send(Listen())
        self.root.countdown.again(self.root.clock())

    def heard(self, what: Answer) -> None:
        if isinstance(what, Touched):
            self.touched(what)

    def touched(self, touch: Touched) -> None:
        """A reader or a button was touched, or let go."""

    def kept(self, name: str, make: Any) -> Any:
        """Something that outlives this screen's widgets, made the first time."""
        given = self.root.flow.given
        if name not in given:
            given[name] = make()
        return given[name]

    def show(self, device: str, pattern: str, sound: str = "") -> None:
        """A light, and perhaps a sound, at a device."""
        self.root.send(Show(device, pattern, sound))

    def speak(self, *messages: Message) -> None:
        """The voice says it, for those who look at the cards and not at the screen."""
        self.root.send(SayThis(messages))

    def answer(self, device: str, well: bool) -> None:
        """At the device, too, one sees and hears whether it was right."""
        self.show(device, "locked" if well else "refused", "" if well else "refused")

    def note(self, message: Message | None, hint: str, well: bool = False) -> tuple[str, str]:
        """The second line at the top and its colour: what there is to say, else a hint."""
        if message is None:
            return hint, "muted"
        return say(message), "ok" if well else "refuse"
