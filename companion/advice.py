"""Commands that people are told to type. Each works as it is typed, where this program runs.

In a sentence a command stands behind a colon, so that tests find it, and type it.
"""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from companion import resources
from companion.games.base import Message, msg

_MODEL = Path("/proc/device-tree/model")


def install(extras: str) -> Message:
    """How to get the packages of one or several extras of ours, such as "devices,screen".

    Debian's own Python takes no packages (PEP 668), so that a venv is made; a checkout is on no index.
    """
    checkout = resources.path("kv").parent
    in_checkout = (checkout / "Makefile").is_file()
    if sys.prefix != sys.base_prefix:
        wanted = f"gryphon-table[{extras}]" + (f" @ {checkout.as_uri()}" if in_checkout else "")
        command = shlex.join([sys.executable, "-m", "pip", "install", wanted])
    elif in_checkout:
        command = shlex.join(["make", "-C", str(checkout), "run"])
    else:
        command = f"{_new_venv('~/gryphon')} && ~/gryphon/bin/python -m pip install 'gryphon-table[{extras}]'"
    return msg("In a terminal: {command}", command=command)


def _new_venv(folder: str) -> str:
    """Debian keeps what makes one in a package of its own; on a Pi it has to see the system's lgpio."""
    pip = "" if find_spec("ensurepip") else "sudo apt update && sudo apt install python3-venv && "
    sees_the_system = " --system-site-packages" if "Raspberry Pi" in _model() else ""
    return f"{pip}python3 -m venv{sees_the_system} {folder}"


def _model() -> str:
    try:
        return _MODEL.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def by_name(which: Callable[[str], str | None] = shutil.which) -> Message | None:
    """How a terminal comes to find this `gryphon` by its name; None where it does, or where there is none."""
    ours = Path(sys.executable).with_name("gryphon")
    found = which("gryphon")
    if not ours.exists() or (found is not None and Path(found).resolve() == ours.resolve()):
        return None
    return msg("So that a terminal finds gryphon: export PATH={folder}:$PATH", folder=shlex.quote(str(ours.parent)))
