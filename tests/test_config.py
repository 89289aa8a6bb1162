"""The installer's file: every fault names its section and says what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.config import Config, ConfigError, load, parse


def test_no_file_is_the_default() -> None:
    assert load(None) == Config()


def test_a_whole_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "gryphon.toml"
    path.write_text(
        '[screen]\nrotate = 90\n[readers]\nports = ["/dev/ttyACM*"]\n'
        "[panel]\nwiring = 'matrix'\nrows = [5, 6]\ncolumns = [16, 17, 18, 19, 20, 21, 22]\n"
        '[seats]\n"gpio/0" = "blue"\n'
    )
    config = load(path)
    assert config.screen.rotate == 90
    assert config.readers.ports == ("/dev/ttyACM*",)
    assert config.panel.columns[0] == 16
    assert config.seats == {"gpio/0": "blue"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[scren]\n", "[scren]"),
        ("[screen]\nrotat = 1\n", "[screen] has no key 'rotat'"),
        ("[screen]\nrotate = 45\n", "[screen] rotate must be 0, 90, 180 or 270"),
        ("[screen]\nwindowed = 1\n", "[screen] windowed must be a bool"),
        ("[screen]\nwidth = true\n", "[screen] width must be a int"),
        ("[panel]\nwiring = 'soldered'\n", "[panel] wiring must be none, direct or matrix"),
        ("[panel]\nwiring = 'direct'\npins = [[1, 2]]\n", "seven numbers for each panel"),
        ("[panel]\nwiring = 'matrix'\nrows = [1]\n", "[panel] matrix wiring needs rows"),
        ("[panel]\ndebounce = 0\n", "[panel] debounce"),
        ("[panel]\nwiring = 'direct'\npins = [1, 2, 3]\n", "[panel] pins must be a list of lists of pin numbers"),
        ("[panel]\nrows = ['5']\n", "[panel] rows must be a list of pin numbers"),
        ("[readers]\nports = [1]\n", "[readers] ports must be a list of paths"),
        ("[seats]\n'gpio/0' = 'pink'\n", "[seats]"),
        ("screen = 1\n", "[screen] must be a section"),
        ("not toml", "is not TOML"),
    ],
)
def test_a_fault_names_its_section(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "gryphon.toml"
    path.write_text(text)
    with pytest.raises(ConfigError) as error:
        load(path)
    assert says in str(error.value)


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        load(tmp_path / "nowhere.toml")


def test_an_empty_table_is_the_default() -> None:
    assert parse({}) == Config()
