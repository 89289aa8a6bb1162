"""The installer's file: every fault names its section and says what would be right."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from companion.config import Config, ConfigError, load, parse
from companion.wording import Wording


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


def test_lamps_are_pins_or_threes_of_them() -> None:
    assert parse({"panel": {"lamps": [5, 6]}}).panel.lamps == (5, 6)
    assert parse({"panel": {"lamp": "rgb", "lamps": [[5, 6, 7]]}}).panel.lamps == ((5, 6, 7),)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[scren]\n", "[scren]"),
        ("[screen]\nrotat = 1\n", "[screen] has no key rotat. Its keys are rotate, windowed"),
        ("[screen]\nrotate = 45\n", "[screen] rotate must be one of these: 0, 90, 180, 270."),
        ("[screen]\nwindowed = 1\n", "[screen] windowed must be true or false."),
        ("[screen]\nwidth = true\n", "[screen] width must be a number."),
        ("[panel]\nwiring = 'soldered'\n", "[panel] wiring must be one of these: none, direct, matrix."),
        (
            "[panel]\nwiring = 'direct'\npins = [[1, 2]]\n",
            "[panel] pins must be a list for each panel, with seven pin numbers.",
        ),
        ("[panel]\nwiring = 'matrix'\nrows = [1]\n", "[panel] columns must be a list of seven pin numbers."),
        ("[panel]\ndebounce = 0\n", "[panel] debounce"),
        ("[panel]\nwiring = 'direct'\npins = [1, 2, 3]\n", "[panel] pins must be a list of lists of pin numbers"),
        ("[panel]\nrows = ['5']\n", "[panel] rows must be a list of pin numbers"),
        ("[readers]\nadapters = [1]\n", "[readers] adapters must be a list of paths."),
        ("[readers]\nports = [1]\n", "[readers] ports must be a list of paths"),
        ("[panel]\nwiring = 'matrix'\ncolumns = [1]\n", "[panel] rows must be a list with a pin for each panel."),
        ("[panel]\nlamp = 'bulb'\n", "[panel] lamp must be one of these: led, pwm, rgb."),
        ("[panel]\nlamps = [[1, 2, 3]]\n", "[panel] lamps must be a list of pin numbers."),
        ("[panel]\nlamp = 'rgb'\nlamps = [1]\n", "with three pins: red, green, blue."),
        ("[panel]\nlamps = ['1']\n", "[panel] lamps must be a list of pin numbers, or of lists of them."),
        ("[screen]\nheight = 10\n", "[screen] height must be from 320 to 8000."),
        ("[readers]\nports = '/dev/ttyACM0'\n", "[readers] ports must be a list of paths."),
        ("[seats]\n'gpio/0' = 'pink'\n", "[seats]"),
        ("screen = 1\n", "[screen] must be a section with keys"),
        ("not toml", "is not TOML. Look near line 1 for a missing quote, bracket or equals sign."),
        ("[screen]\nrotate = 0\nwidth = \n", "is not TOML. Look near line 3"),
        ("[panel]\nrows = [1,\n2", "is not TOML. Look near line 3"),
        ("a = " + "[" * 100_000, "it has a number that is too long, or too many brackets."),
        ("a = " + "1" * 5000, "it has a number that is too long, or too many brackets."),
        ("\ud8ff", "it is no text in UTF-8. Save it as that."),
        ("[readers]\nports = ['']\n", "[readers] ports must be a list of paths."),
        ('[readers]\nadapters = ["a\\u0000b"]\n', "[readers] adapters must be a list of paths."),
        ("[seats]\n'' = 'red'\n", "[seats] names a device"),
        ("[seats]\n'gpio' = 'red'\n", "[seats] names a device"),
        ("[seats]\n'/dev/ttyACM0' = 'red'\n", "[seats] names a device"),
        ("[seats]\n\"a\\u0000\" = 'red'\n", "[seats] names a device"),
    ],
)
def test_a_fault_names_its_section(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "gryphon.toml"
    path.write_text(text, errors="surrogatepass")
    with pytest.raises(ConfigError) as error:
        load(path)
    assert says in Wording()(error.value.reason)
    assert f'"{path}"' in Wording()(error.value.reason)
    assert Wording("pt")(error.value.reason) != Wording()(error.value.reason)


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        load(tmp_path / "nowhere.toml")


def test_a_file_from_another_editor_is_read(tmp_path: Path) -> None:
    path = tmp_path / "gryphon.toml"
    path.write_bytes(b"\xef\xbb\xbf[screen]\r\nrotate = 90\r\n")
    assert load(path).screen.rotate == 90


def test_an_empty_table_is_the_default() -> None:
    assert parse({}) == Config()


def test_every_list_of_the_file_says_what_belongs_into_it() -> None:
    """A list that is missing from the table of what lists hold would be an error without words."""
    for section in fields(Config):
        for key in fields(section.default) if is_dataclass(section.default) else ():
            if isinstance(key.default, tuple):
                with pytest.raises(ConfigError) as error:
                    parse({section.name: {key.name: 1}})
                assert f"[{section.name}] {key.name} must be a list" in Wording()(error.value.reason)
