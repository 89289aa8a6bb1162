"""Milliseconds that wrap, the same on a board, under MicroPython's unix port and under CPython."""

try:
    from time import ticks_add, ticks_diff, ticks_ms
except ImportError:  # CPython
    from time import monotonic

    def ticks_ms():
        """Milliseconds since some moment, wrapping at 2**30."""
        return int(monotonic() * 1000) & 0x3FFFFFFF

    def ticks_add(ticks, milliseconds):
        """So many milliseconds later."""
        return (ticks + milliseconds) & 0x3FFFFFFF

    def ticks_diff(later, earlier):
        """Milliseconds from one to the other, where they are less than six days apart."""
        return ((later - earlier + 0x20000000) & 0x3FFFFFFF) - 0x20000000
