"""hardware/README.md keeps its word: the tests, files, commands and settings that it names are there."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

import hardware
from companion import cli, config
from hardware import signals
from hardware.dry_run import HANDS
from hardware.panel import BUZZER, FOUR_SEATS, LAMPS, THREE_BUZZER, THREE_LAMPS, THREE_SEATS

ROOT = Path(hardware.__file__).parents[1]
GUIDE = (ROOT / "hardware" / "README.md").read_text(encoding="utf-8")
TESTS = re.findall(r"`(tests/\S+\.py)::(\w+)`", GUIDE)


@pytest.mark.parametrize(("file", "name"), TESTS, ids=[name for _, name in TESTS])
def test_every_test_it_names_is_there(file, name):
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_field_report_has_a_test_or_an_answer():
    reports = GUIDE.split("## 7. Field reports")[1].split("\n## ")[0]
    counts = [
        len([line for line in part.splitlines() if re.match(r"\| .*\(.*\d+\) \| ", line)])
        for part in reports.split("\n### ")[1:]
    ]
    assert counts == [17, 7, 9]  # the lines of the three sections
    for line in reports.splitlines():
        if re.match(r"\| .*\d+\) \| ", line):
            assert "::test_" in line or "section" in line, line


def test_every_file_it_links_to_is_there():
    links = re.findall(r"\]\((\S+?)\)", GUIDE)
    assert len(links) > 8
    for link in links:
        assert (ROOT / "hardware" / link).is_file(), link


def test_its_settings_are_those_of_the_drawings():
    """The block of config.toml is taken as it stands, and is the wiring that is drawn."""
    matrix, direct = re.findall(r"(?m)^       \[panel\]\n(?:       .*\n)+", GUIDE)
    panel = config.parse(tomllib.loads(matrix)).panel
    assert (panel.rows, panel.columns) == (FOUR_SEATS.rows, FOUR_SEATS.columns)
    assert (panel.lamps, panel.buzzer) == (LAMPS, BUZZER)
    panel = config.parse(tomllib.loads(direct)).panel
    assert (panel.wiring, panel.pins) == ("direct", THREE_SEATS.seats)
    assert (panel.lamps, panel.buzzer) == (THREE_LAMPS, THREE_BUZZER)
    readers = re.search(r"(?m)^       \[readers\]\n(?:       .*\n)+", GUIDE)[0]
    assert config.parse(tomllib.loads(readers)).readers == config.Readers(("/tmp/board",), ("/tmp/adapter",))


def test_what_a_person_types_into_the_board_is_known_to_it():
    typed = re.findall(r"`(\w+) \d+(?: \d| [0-9A-F]{14})?`", GUIDE)
    assert {"lay", "lift", "tap"} <= set(typed) <= {hand for hands in HANDS.values() for hand in hands}


def test_every_sentence_of_a_device_that_asks_for_more_than_a_look_is_explained():
    table = GUIDE.split("## 6. When something is wrong")[1].split("\n## ")[0]
    for text in (
        signals.UNPLUGGED, signals.SILENT, signals.HUNG, signals.NOISE, signals.TWIN, signals.BUSY, signals.FORBIDDEN,
        signals.PINS_FORBIDDEN, signals.NO_PINS, signals.PINS_PRETENDED, signals.PIN_BUSY, signals.PINS_FAILED,
    ):  # fmt: skip
        beginning = re.split(r"[.:;,]", text)[0]
        assert f"| {beginning}" in table, text


def test_gpiozero_is_new_enough_for_a_pi_5():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = next(r for r in project["optional-dependencies"]["devices"] if r.startswith("gpiozero"))
    assert wanted.split(",")[0] == "gpiozero>=2.0.1.post3"


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt", "pyproject.toml"])
def test_the_old_gpio_package_is_not_asked_for(name):
    text = (ROOT / name).read_text()
    assert not re.search(r"(?im)^\W*(rpi[.-]?gpio|rpi-lgpio|lgpio)\b", text)


@pytest.mark.parametrize("command", sorted({" ".join(c.split()) for c in re.findall(r"`gryphon((?: [a-z]+)+)", GUIDE)}))
def test_every_command_it_names_is_one(command, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main([*command.split(), "--help"])
    assert ended.value.code == 0
    assert f"gryphon {command}" in capsys.readouterr().out
