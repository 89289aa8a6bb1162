"""All texts of the screens, as they stand in the sources: `_("...")` in kv and py, msg() and msgn() in py."""

from __future__ import annotations

import re
from pathlib import Path

from babel.messages.extract import extract_from_file

ROOT = Path(__file__).resolve().parents[2]
PO = ROOT / "companion/locale/pt/LC_MESSAGES/ui.po"
_KV = re.compile(r'\b_\("((?:[^"\\]|\\.)*)"\)')


def texts() -> dict[str | tuple[str, str], str]:
    """msgid (or the pair of a counting text) -> where it was found first."""
    found: dict[str | tuple[str, str], str] = {}
    for path in sorted((ROOT / "kv").glob("*.kv")):
        for text in _KV.findall(path.read_text(encoding="utf-8")):
            found.setdefault(text, str(path.relative_to(ROOT)))
    keywords = {"_": None, "msg": None, "msgn": (1, 2)}
    for path in sorted((ROOT / "companion/ui").rglob("*.py")):
        for _line, text, _comments, _context in extract_from_file("python", path, keywords=keywords):
            found.setdefault(text, str(path.relative_to(ROOT)))
    return found
