"""Seat lamps and buzzers: patterns and sounds of the wire page as levels and tones over time.

A pattern tells what is asked of a seat, never which card lies there.
"""

try:
    from ticks import ticks_diff
except ImportError:  # on the table, whose own lamps show the same patterns
    from firmware.ticks import ticks_diff

# pattern -> (red, green, blue) of lamps with colours, and the shape of its brightness
LOOKS = {
    "off": ((0, 0, 0), "dark"),
    "waiting": ((255, 170, 60), "breath"),
    "locked": ((60, 255, 140), "steady"),
    "refused": ((255, 60, 20), "blinks"),
    "turn": ((255, 230, 180), "pulse"),
    "gryphon": ((200, 140, 255), "heart"),
    "find": ((255, 255, 255), "flash"),
}
BREATH, PULSE, HEART, FLASH = 3000, 1200, 2000, 250  # ms of a period
BLINK, BLINKS = 150, 3  # ms bright, ms dark; how often
FAINT = 24  # of 255: a lamp that waits is never quite dark

# sound -> ((hertz, ms), ...); 0 hertz is a pause. A click is the same for every card and every tag
TUNES = {
    "off": (),
    "click": ((2400, 12),),
    "refused": ((220, 90), (0, 60), (220, 90)),
    "reveal": ((880, 70), (1175, 70), (1568, 120)),
}


def _ramp(at, period):
    """0 to 255 and back within a period."""
    half = period // 2
    at %= period
    return 255 * (at if at < half else period - at) // half


def level(shape, at):
    """Brightness 0..255 of a shape so many milliseconds after its start."""
    if shape == "dark":
        return 0
    if shape == "breath":
        return FAINT + (255 - FAINT) * _ramp(at, BREATH) // 255
    if shape == "blinks":
        return 255 if at // BLINK % 2 == 0 else 0
    if shape == "pulse":
        return 255 if at % PULSE < PULSE * 3 // 4 else 60
    if shape == "heart":
        at %= HEART
        return 255 if at < 120 or 240 <= at < 360 else FAINT
    if shape == "flash":
        return 255 if at % FLASH < FLASH // 2 else 0
    return 255


class Lamp:
    """A lamp that shows a pattern. put(red, green, blue): sets what the lamp has of it, each 0..255."""

    def __init__(self, put):
        self._put = put
        self._lasting = "off"
        self._pattern = "off"
        self._since = None
        self._shown = None

    def show(self, pattern):
        """From now on. `refused` blinks, then goes back to the pattern before it."""
        if pattern != "refused":
            self._lasting = pattern
        self._pattern = pattern
        self._since = None

    def step(self, now):
        """Set the lamp as it is to be now; only where that has changed."""
        if self._since is None:
            self._since = now
        at = ticks_diff(now, self._since)
        if self._pattern == "refused" and at >= 2 * BLINK * BLINKS:
            self._pattern, self._since, at = self._lasting, now, 0
        colour, shape = LOOKS[self._pattern]
        bright = level(shape, at)
        wanted = tuple([part * bright // 255 for part in colour])
        if wanted != self._shown:
            self._shown = wanted
            self._put(*wanted)


class Buzzer:
    """A buzzer that plays a tune. tone(hertz): sounds from now on, 0 for silence."""

    def __init__(self, tone):
        self._tone = tone
        self._notes = ()
        self._since = None

    def play(self, name):
        """From now on, instead of what it plays."""
        self._notes = TUNES[name]
        self._since = None
        if not self._notes:
            self._tone(0)

    def step(self, now):
        """The next note, when it is time."""
        if not self._notes:
            return
        if self._since is None:
            self._since = now
            self._tone(self._notes[0][0])
        elif ticks_diff(now, self._since) >= self._notes[0][1]:
            self._notes = self._notes[1:]
            self._since = now
            self._tone(self._notes[0][0] if self._notes else 0)
