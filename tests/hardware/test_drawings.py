"""The pictures of the wiring: drawn from the tables that the code goes by, up to date, and readable."""

import json
import re
import xml.etree.ElementTree as ET
from collections import defaultdict
from itertools import combinations, pairwise

import pytest

from companion.wording import Wording, languages
from firmware import board
from hardware import drawings
from hardware.drawings import FOLDER, PI, PICO
from hardware.panel import BUZZER, FOUR_SEATS, LAMPS, THREE_SEATS, check_pins

LANGUAGES = {lang: drawings.drawings(Wording(lang).text) for lang in languages()}
ALL = LANGUAGES["en"]
EVERY = [(lang, name) for lang, made in LANGUAGES.items() for name in sorted(made)]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_pictures_in_the_folder_are_those_of_the_code(lang):
    """If not: python kv/wiring/make_pictures.py"""
    folder = FOLDER if lang == "en" else FOLDER / lang
    assert {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.svg")} == LANGUAGES[lang]


def test_english_needs_no_translator():
    assert drawings.drawings() == ALL


@pytest.mark.parametrize("name", sorted(ALL))
def test_nothing_but_names_of_pins_is_left_in_english(name):
    def words(lang):
        texts = {text.text for text in ET.fromstring(LANGUAGES[lang][name]).iter(f"{SVG}text")}  # noqa: S314 our own
        return {text for text in texts if re.search(r"[a-z]{3}", re.sub(r"gpio/\d", "", text))}

    assert words("en") & words("pt") <= {"Raspberry Pi", "Raspberry Pi Pico"}


@pytest.mark.parametrize(("lang", "name"), EVERY)
def test_no_wire_lies_on_another_and_no_text_leaves_the_paper_or_meets_another(lang, name):
    root = ET.fromstring(LANGUAGES[lang][name])  # noqa: S314 our own
    wide = float(root.get("width"))
    level = []
    for line in root.iter(f"{SVG}polyline"):
        points = [tuple(map(float, point.split(","))) for point in line.get("points").split()]
        for (x1, y1), (x2, y2) in pairwise(points):
            assert x1 == x2 or y1 == y2
            along = (0, y1, *sorted((x1, x2))) if y1 == y2 else (1, x1, *sorted((y1, y2)))
            level.append((line.get("stroke"), *along))
    for (one, way, at, a, b), (other, way2, at2, c, d) in combinations(level, 2):
        apart = one == other or way != way2 or abs(at - at2) >= 5 or b <= c or d <= a
        assert apart, (one, other, at, at2)
    lines = defaultdict(list)
    for text in root.iter(f"{SVG}text"):
        length = len(text.text) * float(text.get("font-size")) * 0.62
        left = float(text.get("x")) - {"end": length, "middle": length / 2}.get(text.get("text-anchor"), 0)
        assert 0 <= left <= left + length <= wide, text.text
        lines[text.get("y")].append((left, left + length, text.text))
    for on_line in lines.values():
        for (_, end, one), (start, _, other) in pairwise(sorted(on_line)):
            assert end <= start, (one, other)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_every_plan_is_one_that_a_board_takes_and_each_of_its_pins_is_drawn(path):
    plan = json.loads(path.read_text())
    assert board.check(plan)["readers"] == plan["readers"]
    assert len(plan["readers"]) == 4
    drawn = set(re.findall(r">(GP\d+) · ", ALL[path.stem]))
    for reader in plan["readers"]:
        pins = [reader[key] for key in ("sck", "mosi", "miso", "select", "buzzer")] + [reader["lamp"]["pin"]]
        assert {f"GP{pin}" for pin in pins} <= drawn


def test_what_a_board_refuses_is_not_drawn():
    with pytest.raises(board.BadBoard):
        drawings.of_plan("no", {"readers": [{"chip": "mfrc522", "bus": "i2c0"}]})


def test_every_kind_of_reader_lamp_and_panel_can_be_drawn():
    plan = {
        "readers": [
            {"chip": "pn532", "bus": "i2c0", "sda": 0, "scl": 1, "lamp": {"kind": "plain", "pin": 10}},
            {"chip": "pn532", "bus": "uart1", "tx": 4, "rx": 5, "lamp": {"kind": "rgb", "pins": [11, 12, 13]}},
        ],
        "panels": [{"pins": [16, 17, 18, 19, 20, 21, 22]}],
    }
    svg = drawings.of_plan("all", plan)
    for text in ("PN532 on i2c0", "RXD", "TXD", "GP4 · 6", "green over 330 Ω", "button 7", "GP22 · 29"):
        assert text in svg


def test_the_panels_wirings_are_as_the_guide_says():
    check_pins([*FOUR_SEATS.pins(), *LAMPS, BUZZER], ("i2c", "spi", "uart", "1-wire", "eeprom"))
    check_pins(THREE_SEATS.pins(), ("i2c", "1-wire", "eeprom"))
    for wiring, name in ((FOUR_SEATS, "pi-matrix"), (THREE_SEATS, "pi-direct")):
        for pin in wiring.pins():
            assert re.search(rf">GPIO{pin}( ·|<)", ALL[name])


@pytest.mark.parametrize(
    ("headers", "pins"),
    [
        (PICO, {1: "GP0", 16: "GP12", 21: "GP16", 24: "GP18", 29: "GP22", 31: "GP26", 36: "3V3", 40: "VBUS"}),
        (PI, {1: "3V3", 2: "5V", 7: "GPIO4", 29: "GPIO5", 32: "GPIO12", 36: "GPIO16", 39: "GND", 40: "GPIO21"}),
    ],
    ids=["Pico", "Pi"],
)
def test_pins_stand_where_the_data_sheets_put_them(headers, pins):
    assert {number: headers[number] for number in pins} == pins
    assert len(headers) == 40


def test_it_prints_the_picture_of_a_plan_of_ones_own(capsys):
    assert drawings.main([str(FOLDER / "four-rc522.json")]) == 0
    assert capsys.readouterr().out == ALL["four-rc522"]
