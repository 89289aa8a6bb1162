"""A turned screen: what lies under the finger is what is touched."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest


@pytest.mark.parametrize(("degrees", "size"), [(90, [480, 800]), (180, [800, 480]), (270, [480, 800])])
def test_touches_land_where_they_should(degrees: int, size: list[int]) -> None:
    command = [sys.executable, "-m", "tests.ui.turned", str(degrees)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.rpartition("FOUND ")[2])
    assert found["size"] == size
    assert found["screen"] == "seats"
    # a figure or a coin may hide a part of a bright square, but what is seen as bright is bright
    assert len(found["touched"]) == len(found["squares"])
    assert set(found["touched"]) <= set(found["lit"])
    assert len(set(found["touched"])) >= 3
