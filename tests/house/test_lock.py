"""The requirements files pin everything, by hash, for every machine, and name no host."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RUN, DEV = "requirements.txt", "requirements-dev.txt"
HEAD = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)")


def pins(name: str) -> dict[str, str]:
    """Package -> version."""
    heads = [HEAD.match(line) for line in (ROOT / name).read_text().splitlines()]
    return {m[1].lower().replace("_", "-"): m[2] for m in heads if m}


def project() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


@pytest.mark.parametrize("name", [RUN, DEV])
def test_every_package_is_pinned_with_hashes(name):
    text = re.sub(r"(?m)^\s*#.*\n?", "", (ROOT / name).read_text()).replace("\\\n", "")
    lines = [line for line in text.splitlines() if line.strip()]
    assert lines
    for line in lines:
        assert re.match(HEAD, line), line
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", line), line


@pytest.mark.parametrize("name", [RUN, DEV, "pyproject.toml"])
def test_no_host_and_no_folder_of_this_machine(name):
    text = (ROOT / name).read_text()
    assert not re.search(r"https?:|file:|--(extra-)?index-url|--find-links|/(root|home|tmp|opt|work)/", text)


@pytest.mark.parametrize("name", [RUN, DEV])
def test_gpio_drivers_come_from_the_pi_and_not_from_pip(name):
    assert not {"lgpio", "rpi-gpio", "rpi.gpio", "rpi-lgpio", "pigpio"} & pins(name).keys()


def test_both_locks_pin_the_same_versions():
    run, dev = pins(RUN), pins(DEV)
    assert run.items() <= dev.items()


def test_the_lock_holds_all_that_the_project_asks_for():
    wanted = {"kivy", "gpiozero", "pyserial", "paho-mqtt", "hatchling", "babel"}
    assert wanted <= pins(RUN).keys()
    asked = [entry for entries in project()["optional-dependencies"].values() for entry in entries]
    names = {re.match(r"[A-Za-z0-9._-]+", entry)[0].lower().replace("_", "-") for entry in asked} - {"gryphon-table"}
    assert names <= pins(DEV).keys()


def test_the_program_itself_asks_for_nothing():
    assert project()["dependencies"] == []
