"""What Ctrl-C means before there is a program: it imports next to nothing, so that it is there at once."""

import sys


def interrupted() -> int:
    """The exit code after Ctrl-C: watching ends well however it ends."""
    return 0 if {"devices", "watch"} <= set(sys.argv[1:]) else 130
