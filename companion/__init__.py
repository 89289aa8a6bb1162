"""Gryphon: the program on the Raspberry Pi that referees, remembers and announces a game played with real cardboard."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("gryphon-table")
except PackageNotFoundError:  # run from a folder that nobody installed
    __version__ = "0+unknown"
