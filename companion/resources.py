"""Finds what is not code (kv files, pictures, fonts, catalogues, units), in a checkout and in a wheel alike.

A wheel carries `kv/` and `systemd/` in `companion/_data/`; a checkout has them beside `companion/`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

Kind = Literal["kv", "art", "fonts", "locale", "systemd"]

_HERE = Path(__file__).resolve().parent
_CHECKOUT = _HERE.parent
_ROOT = _CHECKOUT if (_CHECKOUT / "pyproject.toml").is_file() else _HERE / "_data"

_FOLDERS: dict[Kind, Path] = {
    "kv": _ROOT / "kv",
    "art": _ROOT / "kv" / "art",
    "fonts": _ROOT / "kv" / "fonts",
    "systemd": _ROOT / "systemd",
    "locale": _HERE / "locale",
}


def path(kind: Kind, *parts: str) -> Path:
    """The folder of that kind, or a file in it: `path("kv", "turn.kv")`. It need not exist."""
    return _FOLDERS[kind].joinpath(*parts)
