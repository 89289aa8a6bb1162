"""Make the sounds anew: `python kv/sounds/make_sounds.py`. The files are committed, so that nobody needs to.

Dry and wooden, short, nothing that loops: mono, 22,050 samples a second, 16 bit. Everything is summed up from damped
sine waves (wood, bells) and filtered noise (cards, feet, wings, fire).
"""

from __future__ import annotations

import wave
from array import array
from collections.abc import Callable, Sequence
from math import exp, pi, sin
from pathlib import Path
from random import Random

RATE = 22_050
HERE = Path(__file__).resolve().parent
LOUDEST = 0.8
"""Of full scale: what the loudest sample of the loudest sound may be."""
BELLS = {"red": 784.0, "blue": 988.0, "green": 1175.0, "yellow": 1397.0}
"""Hertz; the lowest is red's."""

Wave = list[float]


def silence(seconds: float) -> Wave:
    """Nothing, for so long."""
    return [0.0] * round(seconds * RATE)


def mix(*parts: tuple[float, Wave]) -> Wave:
    """Sounds that begin at those seconds, on top of each other."""
    found = [0.0] * max(round(at * RATE) + len(sound) for at, sound in parts)
    for at, sound in parts:
        begin = round(at * RATE)
        for i, sample in enumerate(sound):
            found[begin + i] += sample
    return found


def louder(sound: Wave, by: float) -> Wave:
    """The same with another strength."""
    return [sample * by for sample in sound]


def struck(modes: Sequence[tuple[float, float, float]], seconds: float) -> Wave:
    """Something that is hit. modes: hertz, seconds until it has faded to a third, strength."""
    found = []
    for i in range(round(seconds * RATE)):
        at = i / RATE
        found.append(sum(strength * exp(-at / fade) * sin(2 * pi * hertz * at) for hertz, fade, strength in modes))
    return found


def noise(seconds: float, seed: int, shape: Callable[[float], float], cut: Callable[[float], float]) -> Wave:
    """Rustling. shape: strength, cut: how much of the high tones is left (0..1), both by the share of the time."""
    rng, found, low, lower = Random(seed), [], 0.0, 0.0
    count = round(seconds * RATE)
    for i in range(count):
        share = i / count
        low += cut(share) * (rng.uniform(-1, 1) - low)
        lower += 0.02 * (low - lower)
        found.append(shape(share) * (low - lower))
    return found


def wood(hertz: float, strength: float = 1.0) -> Wave:
    """A block of wood that is tapped."""
    return louder(struck(((hertz, 0.028, 1.0), (hertz * 2.32, 0.014, 0.5), (hertz * 4.25, 0.006, 0.3)), 0.16), strength)


def bell(hertz: float, seconds: float = 0.7) -> Wave:
    """A small bell."""
    modes = ((hertz, 0.20, 1.0), (hertz * 2.76, 0.09, 0.45), (hertz * 5.4, 0.04, 0.2), (hertz * 0.5, 0.1, 0.15))
    return struck(modes, seconds)


def wing(seed: int, cut: float, seconds: float = 0.26) -> Wave:
    """One beat of a wing."""
    return louder(noise(seconds, seed, lambda s: sin(pi * s) ** 2, lambda s: cut * (1 - 0.6 * s)), 2.2)


def string(hertz: float, seconds: float) -> Wave:
    """A loose string that is plucked: the noise of its first swing goes round and wears off."""
    rng = Random(7)
    count = round(RATE / hertz)
    # nothing jumps where it begins
    ring = [rng.uniform(-1, 1) * sin(pi * i / count) for i in range(count)]
    found = []
    for i in range(round(seconds * RATE)):
        at = i % len(ring)
        found.append(ring[at])
        ring[at] = 0.985 * (ring[at] + ring[(at + 1) % len(ring)]) / 2
    return found


def pebbles(seed: int, count: int, seconds: float, low: float, high: float) -> Wave:
    """Small hard things, ever softer."""
    rng = Random(seed)
    parts = []
    for _ in range(count):
        at = rng.random() ** 1.4 * seconds
        parts.append((at, wood(rng.uniform(low, high), 0.35 * (1 - at / seconds) + 0.05)))
    return mix((0.0, silence(seconds)), *parts)


def thud(hertz: float = 82.0) -> Wave:
    """Something heavy and soft comes down."""
    return mix(
        (0.0, struck(((hertz, 0.06, 1.0), (hertz * 1.6, 0.03, 0.4)), 0.28)),
        (0.0, louder(noise(0.08, 3, lambda s: (1 - s) ** 2, lambda s: 0.2), 1.2)),
    )


def card() -> Wave:
    """A card that is laid on a table."""
    return mix(
        (0.0, louder(noise(0.05, 11, lambda s: (1 - s) ** 3, lambda s: 0.75), 0.9)),
        (0.004, struck(((190.0, 0.02, 0.7), (430.0, 0.01, 0.4)), 0.1)),
    )


def sounds() -> dict[str, Wave]:
    """Every sound by its name."""
    made = {
        "lock": mix((0.0, wood(1900, 0.35)), (0.035, wood(640, 0.9))),
        "unlock": mix((0.0, wood(640, 0.5)), (0.04, wood(1900, 0.5))),
        "all_in": mix((0.0, wood(225)), (0.19, wood(225))),
        "card": card(),
        "count": wood(980, 0.7),
        "step": mix(
            (0.0, louder(noise(0.07, 5, lambda s: (1 - s) ** 2, lambda s: 0.12), 1.3)),
            (0.0, struck(((125.0, 0.03, 0.6),), 0.12)),
        ),
        "fall": mix(
            (0.0, louder(noise(0.3, 9, lambda s: 0.3 + 0.7 * s, lambda s: 0.5 - 0.4 * s), 0.55)),
            (0.3, thud()),
        ),
        "explosion": mix(
            (0.0, louder(noise(0.22, 13, lambda s: (1 - s) ** 3, lambda s: 0.16), 3.2)),
            (0.0, struck(((64.0, 0.09, 1.0),), 0.35)),
            (0.16, pebbles(17, 16, 0.6, 700, 1900)),
        ),
        "refused": mix((0.0, wood(150)), (0.15, wood(150))),
        "rest": mix(
            (0.0, louder(noise(0.8, 23, lambda s: sin(pi * s), lambda s: 0.25), 0.25)),
            (0.05, pebbles(29, 22, 0.7, 1500, 3800)),
        ),
        "gryphon": wing(31, 0.35),
        "saved": mix((0.0, bell(BELLS["green"], 0.4)), (0.14, bell(BELLS["yellow"]))),
        "winner": mix(
            *((0.24 * i, louder(wing(37 + i, 0.22 + 0.1 * i), 0.7 + 0.15 * i)) for i in range(3)),
            *((0.74 + 0.16 * i, bell(hertz)) for i, hertz in enumerate((784.0, 988.0, 1175.0))),
        ),
        "device_lost": string(98.0, 0.6),
    }
    return made | {f"bell_{seat}": bell(hertz) for seat, hertz in BELLS.items()}


def samples(sound: Wave) -> array[int]:
    """As a file has them: as loud as all others, with a short fade at the end, so that nothing clicks."""
    loud = max(abs(sample) for sample in sound)
    fade = min(len(sound), RATE // 100)
    levels = [LOUDEST / loud * min(1.0, (len(sound) - 1 - i) / fade) for i in range(len(sound))]
    return array("h", (round(32_767 * level * sample) for level, sample in zip(levels, sound, strict=True)))


def main() -> None:
    """Write all files."""
    for name, sound in sounds().items():
        with wave.open(str(HERE / f"{name}.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes(samples(sound).tobytes())


if __name__ == "__main__":
    main()
