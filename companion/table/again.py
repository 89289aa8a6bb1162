"""One act is never both the question and the yes. Pure: times are seconds of one steady clock, passed in."""

from __future__ import annotations

from companion.table.ports import HEARD


class OnceMore:
    """A question that is answered by the same once more, and acts of which an echo follows: a finger that bounces, a

    card lowered with a hesitation.
    """

    def __init__(self) -> None:
        self._asked: tuple[str, float] | None = None
        self._did: tuple[str, float] | None = None

    def confirms(self, what: str, at: float) -> bool:
        """Whether this is the yes. If not, the question is to be asked, or asked again, as of that time."""
        yes = _follows(self._asked, what, at) is False
        self._asked = None if yes else (what, at)
        return yes

    def forget(self) -> None:
        """Something else is asked."""
        self._asked = None

    def did(self, what: str, at: float) -> None:
        """It has had its effect."""
        self._asked, self._did = None, (what, at)

    def echoes(self, what: str, at: float) -> bool:
        """Whether this is a part of the act that has had its effect just now."""
        return _follows(self._did, what, at) is True


def _follows(before: tuple[str, float] | None, what: str, at: float) -> bool | None:
    """Whether it comes so soon after the same that it is one act with it; None where it is not the same."""
    if before is None or before[0] != what:
        return None
    return at - before[1] < HEARD
