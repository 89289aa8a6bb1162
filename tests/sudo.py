"""What takes the place of sudo where commands are typed that we tell people to type (test_advice.py).

It asks the program behind it whether it would take these words. Nothing is changed, and no network is asked.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

NOBODY = "nobody-of-that-name"
OF_A_PI = {"python3-lgpio"}
"""Packages of Raspberry Pi OS, which Debian 12 has not."""


def answer(*words: str) -> int:
    """The exit code."""
    match words:
        case ("apt" | "apt-get", "update"):
            return 0
        case ("apt" | "apt-get", "install", *packages):
            return int(not _all_known([package for package in packages if package not in OF_A_PI | {"--reinstall"}]))
        case ("usermod", "-aG", _, user) if user == NOBODY:
            # 6: the words were understood, and there is no such user or group; 2 would be wrong usage
            return int(subprocess.run(words, capture_output=True, check=False).returncode != 6)
        case ("date", "-s", time):
            return subprocess.run(["date", "-d", time], capture_output=True, check=False).returncode
        case ("raspi-config",):  # a Pi's own; it asks by a menu
            return 0
        case ("rm", "-r", "no-venv"):
            return 0
    print("nobody here knows", words)
    return 1


def _all_known(packages: list[str]) -> bool:
    """Whether the system's lists have them all; yes where there are no lists, or no apt."""
    lists = any(path.is_file() for path in Path("/var/lib/apt/lists").glob("*_Packages*"))
    if shutil.which("apt-cache") is None or not lists:
        return True
    asked = ["apt-cache", "policy", *packages]
    said = subprocess.run(asked, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"}).stdout
    return {*re.findall(r"(?m)^(\S+):$", said)} == {*packages}


if __name__ == "__main__":
    sys.exit(answer(*sys.argv[1:]))
