"""companion/README.md keeps its word: its sentences are those of the catalogues, its times those of the program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import companion
from companion import border, settings
from companion.table import ports
from companion.ui import bridge
from hardware import link

ROOM = Path(companion.__file__).parent
PAGE = (ROOM / "README.md").read_text(encoding="utf-8")
SENTENCES = sorted(set(re.findall(r'"([A-Z{][^"]+[.?])"', " ".join(PAGE.split()))))


def test_it_has_sentences() -> None:
    assert len(SENTENCES) > 20


@pytest.fixture(scope="module")
def known() -> set[str]:
    """Every sentence of the catalogues, its fields by name alone."""
    texts = "".join(path.read_text(encoding="utf-8") for path in (ROOM / "locale/pt/LC_MESSAGES").glob("*.po"))
    joined = re.sub(r'"\n"', "", texts)
    return {re.sub(r"{(\w+)(?::\w+)?}", r"{\1}", text) for text in re.findall(r'^msgid "(.+)"$', joined, re.MULTILINE)}


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_sentence_is_said_so(sentence: str, known: set[str]) -> None:
    assert any(sentence == text or text.endswith(sentence) for text in known)


@pytest.mark.parametrize(
    ("row", "seconds"),
    [
        ("`border.DWELL`", border.DWELL),
        ("`ports.HEARD`", ports.HEARD),
        ("setting `hold`", settings.HOLD),
        ("`ports.LATEST`", ports.LATEST),
        ("`border.QUICK`", border.QUICK),
        ("`border.AGAIN`", border.AGAIN),
    ],
)
def test_a_time_is_so(row: str, seconds: float) -> None:
    (line,) = [line for line in PAGE.splitlines() if line.startswith("|") and row in line.split("|")[1]]
    assert float(line.split("|")[2].split()[0]) == seconds


def test_the_limits_are_so() -> None:
    flat = " ".join(PAGE.split()).replace(",", "")
    assert f"more than {link.BURST} lines at once or {link.LINES} a second" in flat
    assert f"at most {bridge.BOUND} announcements" in flat
