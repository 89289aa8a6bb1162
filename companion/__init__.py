"""Gryphon: the program on the Raspberry Pi that referees, remembers and announces a game played with real cardboard."""


def __getattr__(name: str) -> str:
    """`__version__`, once somebody asks: what is imported for it takes longer than a hand on Ctrl-C."""
    if name != "__version__":
        raise AttributeError(name)
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("gryphon-table")
    except PackageNotFoundError:  # run from a folder that nobody installed
        return "0+unknown"
