"""Compiles the catalogues, `<lang>/LC_MESSAGES/*.po` to `*.mo`.

Hatchling calls it as a build hook (pyproject.toml), `make` as a script. It is no part of the wheel.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LOCALE = Path(__file__).resolve().parent
DATA = ("kv", "systemd")  # folders of the checkout that the wheel carries in companion/_data


def compile_catalogues(folder: Path = LOCALE) -> list[Path]:
    """Compile each catalogue that is newer than its compiled form; returns what was written."""
    written = []
    for source in sorted(folder.glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        from babel.messages.mofile import write_mo
        from babel.messages.pofile import read_po

        with source.open("rb") as file:
            catalogue = read_po(file, locale=source.parts[-3], domain=source.stem, abort_invalid=True)
        half = target.with_suffix(f".{os.getpid()}.tmp")  # never a half-written one, also with two builds at once
        with half.open("wb") as file:
            write_mo(file, catalogue)
        half.replace(target)
        written.append(target)
    return written


class CatalogueHook(BuildHookInterface):  # type: ignore[type-arg]  # hatchling's own examples leave it open
    """Before a build: compile the catalogues; into a wheel: put the data folders."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling; `version` is "editable" for a development install, which reads the checkout."""
        root = Path(self.root)
        compile_catalogues(root / "companion" / "locale")
        if self.target_name == "wheel" and version != "editable":
            for name in DATA:
                if (root / name).is_dir():
                    build_data["force_include"][str(root / name)] = f"companion/_data/{name}"


if __name__ == "__main__":
    for path in compile_catalogues():
        print(f"compiled {path.relative_to(LOCALE.parent.parent)}")
