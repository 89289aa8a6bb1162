"""What every test stands on: nothing of the person's own is read or written, and Kivy draws without a screen."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

import hypothesis
import pytest

# Before anything imports Kivy, which reads these once.
HOME = Path(tempfile.mkdtemp(prefix="gryphon-tests-"))
atexit.register(shutil.rmtree, HOME, ignore_errors=True)
os.environ.update(
    KIVY_HOME=str(HOME / "kivy"),
    KIVY_NO_ARGS="1",
    KIVY_NO_FILELOG="1",
    SDL_VIDEODRIVER="offscreen",
    SDL_AUDIODRIVER="dummy",
    XDG_CACHE_HOME=str(HOME / "cache"),
    XDG_CONFIG_HOME=str(HOME / "config"),
    XDG_DATA_HOME=str(HOME / "data"),
    XDG_STATE_HOME=str(HOME / "state"),
    LANGUAGE="en",
    GPIOZERO_PIN_FACTORY="mock",
)
(HOME / "kivy").mkdir()

# The same examples on every run; `make long` sets GRYPHON_LONG and looks further.
hypothesis.settings.register_profile("short", deadline=None, derandomize=True, max_examples=25, database=None)
hypothesis.settings.register_profile("long", deadline=None, max_examples=2000, print_blob=True)
LONG = bool(os.environ.get("GRYPHON_LONG"))
hypothesis.settings.load_profile("long" if LONG else "short")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests marked `long` wait for `make long`."""
    for item in items:
        if not LONG and item.get_closest_marker("long"):
            item.add_marker(pytest.mark.skip(reason="only in `make long`"))
