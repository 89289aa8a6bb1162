"""The pictures of the wiring: drawn from the tables that the code goes by, up to date, and readable."""

import json
import re
import xml.etree.ElementTree as ET
from collections import defaultdict
from itertools import combinations, pairwise

import pytest

from companion.wording import Wording, languages
from firmware import board
from hardware import drawings, sheets, wirings
from hardware.panel import BUZZER, FOUR_SEATS, LAMPS, THREE_BUZZER, THREE_LAMPS, THREE_SEATS, check_pins
from hardware.sheets import PI, PICO
from hardware.svg import RESISTOR, SYMBOL
from hardware.wirings import FOLDER, LAMP_MINUS, LAMP_PLUS


def of_plan(plan, _=str):
    """The picture of a board.json."""
    return drawings.draw(wirings.of_plan(plan, _), _)


LANGUAGES = {lang: drawings.by_name(Wording(lang).text) for lang in languages()}
ALL = LANGUAGES["en"]
EVERY = [(lang, name) for lang, made in LANGUAGES.items() for name in sorted(made)]
SVG = "{http://www.w3.org/2000/svg}"
ODD = {
    "mcu": "rp2040",
    "readers": [
        {"chip": "pn532", "bus": "i2c0", "sda": 0, "scl": 1, "lamp": {"kind": "plain", "pin": 10}},
        {"chip": "pn532", "bus": "uart1", "tx": 4, "rx": 5, "lamp": {"kind": "rgb", "pins": [11, 12, 13]}},
        {"chip": "mfrc522", "bus": "spi0", "sck": 2, "mosi": 3, "miso": 16, "select": 6}
        | {"lamp": {"kind": "ws2812", "pin": 26, "at": 2}},
        {"chip": "pn532", "bus": "spi0", "sck": 2, "mosi": 3, "miso": 16, "select": 7}
        | {"lamp": {"kind": "ws2812", "pin": 26, "at": 0}, "buzzer": 8},
    ],
    "panels": [{"pins": [14, 15, 17, 18, 19, 20, 21]}, {"pins": [22]}],
}
"""Of everything something."""
PICTURES = [pytest.param(LANGUAGES[lang][name], id=f"{lang}-{name}") for lang, name in EVERY]
PICTURES += [pytest.param(of_plan(ODD, Wording(lang).text), id=f"{lang}-odd") for lang in LANGUAGES]


def parsed(svg):
    return ET.fromstring(svg)  # noqa: S314 our own


def wires(root):
    """(its look, its corners) of each line."""
    for line in root.iter(f"{SVG}polyline"):
        points = [tuple(map(float, point.split(","))) for point in line.get("points").split()]
        yield (line.get("stroke"), line.get("stroke-dasharray")), points


def texts(root):
    """(what, (left, top, right, bottom)) of each text."""
    for text in root.iter(f"{SVG}text"):
        size = float(text.get("font-size"))
        length = len(text.text) * size * (0.62 if size > 11 else 0.55)
        left = float(text.get("x")) - {"end": length, "middle": length / 2}.get(text.get("text-anchor"), 0)
        base = float(text.get("y"))
        yield text.text, (left, base - 0.75 * size, left + length, base + 0.2 * size)


def boxes(root):
    for rect in root.iter(f"{SVG}rect"):
        if rect.get("x"):
            x, y, wide, high = (float(rect.get(key)) for key in ("x", "y", "width", "height"))
            yield x, y, x + wide, y + high


def meet(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def holds(outer, inner):
    return outer[0] <= inner[0] and outer[1] <= inner[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_pictures_in_the_folder_are_those_of_the_code(lang):
    """If not: python kv/wiring/make_pictures.py"""
    folder = FOLDER if lang == "en" else FOLDER / lang
    assert {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.svg")} == LANGUAGES[lang]


def test_english_needs_no_translator():
    assert drawings.by_name() == ALL


SHEETS = [(lang, name, sheet) for lang in LANGUAGES for name, sheet in wirings.by_name(Wording(lang).text).items()]
SHEETS += [(lang, "odd", wirings.of_plan(ODD, Wording(lang).text)) for lang in LANGUAGES]


@pytest.mark.parametrize(("lang", "name", "sheet"), SHEETS, ids=[f"{lang}-{name}" for lang, name, _ in SHEETS])
def test_the_words_fit_a_terminal_and_say_what_the_picture_says(lang, name, sheet):
    """Every part of it, every end of a wire with the pin that it goes to, and every note but that about looks."""
    lines = sheets.text(sheet, Wording(lang).text).splitlines()
    assert max(map(len, lines)) <= sheets.WIDE
    root = parsed(drawings.draw(sheet, Wording(lang).text))
    drawn = [text for text, _ in texts(root)]
    told = " ".join(" ".join(lines).split())
    for text in drawn:
        label = re.fullmatch(r"(GP(?:IO)?\d+) · (\d+)", text)
        assert not label or re.search(rf"\b{label[1]} · \w+ {label[2]}\b", told), text
    wires = {pin.wire for part in sheet.parts for pin in part.pins if pin.wire.startswith("GP")}
    assert {wire for wire in wires if not re.search(rf"\b{wire} · ", told)} == set()
    values = {text for text in drawn if re.fullmatch(r"\d+ (µF|nF|Ω)", text)}
    assert values <= set(re.findall(r"\d+ (?:µF|nF|Ω)", told))
    for note in sheet.notes:
        assert (" ".join(note.split()) in told) != (note == sheets.joints(Wording(lang).text))


def test_each_line_names_a_pin_and_what_its_wire_goes_to():
    known = wirings.by_name()
    rows = sheets.text(known["four-rc522"]).splitlines()
    at = rows.index("Reader 1: RC522 on spi0")
    assert [row.split(maxsplit=1) for row in rows[at + 1 : at + 5]] == [
        ["SCK", "GP18 · pin 24"], ["MOSI", "GP19 · pin 25"], ["MISO", "GP16 · pin 21"], ["SDA", "GP20 · pin 26"],
    ]  # fmt: skip
    assert {row.index("GP") for row in rows if " GP" in row and row.startswith("  ")} == {27}
    assert "  DIN                      GP22 · pin 29 (330 Ω)" in rows
    assert "  +, -                     470 µF" in rows
    rows = sheets.text(known["pi-matrix"]).splitlines()
    assert rows[1] == "Raspberry Pi"
    assert "  seat 4: gpio/3           GPIO13 · pin 33" in rows
    assert "  button 7                 GPIO22 · pin 15" in rows
    assert "  TX (it sends)            RXD" in sheets.text(known["one-pn532-usb"]).splitlines()


@pytest.mark.parametrize("name", sorted(ALL))
def test_nothing_but_names_of_pins_is_left_in_english(name):
    def words(lang):
        texts = {text.text for text in ET.fromstring(LANGUAGES[lang][name]).iter(f"{SVG}text")}  # noqa: S314 our own
        return {text for text in texts if re.search(r"[a-z]{3}", re.sub(r"gpio/\d", "", text))}

    assert words("en") & words("pt") <= {"Raspberry Pi", "Raspberry Pi Pico"}


@pytest.mark.parametrize("svg", PICTURES)
def test_no_wire_lies_on_another(svg):
    level = []
    for look, points in wires(parsed(svg)):
        for (x1, y1), (x2, y2) in pairwise(points):
            assert x1 == x2 or y1 == y2
            along = (0, y1, *sorted((x1, x2))) if y1 == y2 else (1, x1, *sorted((y1, y2)))
            level.append((look, *along))
    for (one, way, at, a, b), (other, way2, at2, c, d) in combinations(level, 2):
        apart = one == other or way != way2 or abs(at - at2) >= 5 or b <= c or d <= a
        assert apart, (one, other, at, at2)


@pytest.mark.parametrize("svg", PICTURES)
def test_nothing_overlaps_and_nothing_leaves_the_paper(svg):
    root = parsed(svg)
    paper = (0, 0, float(root.get("width")), float(root.get("height")))
    words, frames = list(texts(root)), list(boxes(root))
    for text, place in words:
        assert holds(paper, place), text
    for (one, place), (other, place2) in combinations(words, 2):
        assert not meet(place, place2), (one, other)
    for one, other in combinations(frames, 2):
        assert not meet(one, other) or holds(one, other) or holds(other, one)
    for text, place in words:
        for frame in frames:
            assert not meet(place, frame) or holds(frame, place), text
        for look, points in wires(root):
            for (x1, y1), (x2, y2) in pairwise(points):
                assert not meet(place, (min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))), (text, look)


def arms(root, x, y):
    """How many lines leave from there."""
    count = 0
    for _, points in wires(root):
        for (x1, y1), (x2, y2) in pairwise(points):
            if (x1, y1) == (x2, y2) or not (min(x1, x2) <= x <= max(x1, x2) and min(y1, y2) <= y <= max(y1, y2)):
                continue
            count += 1 if (x, y) in ((x1, y1), (x2, y2)) else 2
    return count


@pytest.mark.parametrize("svg", PICTURES)
def test_a_dot_is_a_joint_and_a_joint_has_a_dot(svg):
    root = parsed(svg)
    dots = {
        (float(circle.get("cx")), float(circle.get("cy")))
        for circle in root.iter(f"{SVG}circle")
        if circle.get("r") == "4"
    }
    for dot in dots:
        assert arms(root, *dot) >= 3, dot
    for look, points in wires(root):
        for end in (points[0], points[-1]):
            if look[0] != SYMBOL[0]:
                assert arms(root, *end) < 3 or end in dots, (look, end)


@pytest.mark.parametrize("svg", PICTURES)
def test_each_wire_has_a_look_of_its_own(svg):
    """All that looks alike hangs together, but for what is in between: the resistors."""
    lines = defaultdict(list)
    root = parsed(svg)
    for look, points in wires(root):
        if look[0] != SYMBOL[0]:
            lines[look].append(points)
    for look, group in lines.items():
        reached, rest = [group[0]], group[1:]
        while rest:
            near = [line for line in rest if any(joined(root, line, other) for other in reached)]
            assert near, look
            reached += near
            rest = [line for line in rest if line not in near]


def joined(root, one, other):
    """Whether an end of a line lies on another line, or on the same resistor."""
    for line, (x, y) in [(other, end) for end in (one[0], one[-1])] + [(one, end) for end in (other[0], other[-1])]:
        for (x1, y1), (x2, y2) in pairwise(line):
            if min(x1, x2) <= x <= max(x1, x2) and min(y1, y2) <= y <= max(y1, y2):
                return True
        for left, top, right, bottom in boxes(root):
            ends = {(x, y), line[0], line[-1]}
            if right - left == RESISTOR and {(left, top + 8), (right, bottom - 8)} <= ends:
                return True
    return False


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
        wirings.of_plan({"readers": [{"chip": "mfrc522", "bus": "i2c0"}]})


def test_every_kind_of_reader_lamp_and_panel_can_be_drawn():
    svg = of_plan(ODD)
    for text in (
        "Four PN532 + RC522 readers",
        "PN532 on i2c0",
        "RXD",
        "TXD",
        "GP4 · 6",
        "green",
        "button 7",
        "GP22 · 29",
    ):
        assert text in svg
    assert "Buttons on a Raspberry Pi Pico" in of_plan({"panels": ODD["panels"]})
    assert "One RC522 reader" in of_plan({"readers": ODD["readers"][2:3]})


def test_a_pn532_whose_lines_are_as_high_as_its_supply_gets_no_5_volts():
    parts = {part.title: part for part in wirings.of_plan(ODD).parts}
    supply = {title: [pin.wire for pin in part.pins if pin.own in ("VCC", "3.3V")] for title, part in parts.items()}
    assert supply["Reader 0: PN532 on i2c0"] == supply["Reader 1: PN532 on uart1"] == ["3V3"]
    assert supply["Reader 2: RC522 on spi0"] == ["3V3"]
    assert supply["Reader 3: PN532 on spi0"] == ["VBUS"]


@pytest.mark.parametrize("name", ["four-rc522", "four-pn532"])
def test_every_lamp_has_its_supply_and_the_next_one(name):
    plan = json.loads((FOLDER / f"{name}.json").read_text())
    lamps = wirings.of_plan(plan).lamps
    assert [lamp.title for lamp in lamps] == [f"Lamp {n} (WS2812)" for n in range(4)]
    for lamp in lamps:
        assert {pin.own: pin.wire for pin in lamp.pins}.items() >= {("5V", LAMP_PLUS), ("GND", LAMP_MINUS)}
    data = [[pin.wire for pin in lamp.pins if pin.own in ("DIN", "DOUT")] for lamp in lamps]
    assert data[0][0] == "GP22" and data[-1][1] == ""
    assert all(one[1] == other[0] != "" for one, other in pairwise(data))
    root = parsed(ALL[name])
    edge = 20 + drawings.BOX
    drawn = [(look, end) for look, points in wires(root) for end in points if end[0] == edge]
    plus, minus = ((colour, drawings.DASHES[1]) for colour in (drawings.PLUS, drawings.GROUND))
    assert sum(look == plus for look, _ in drawn) == sum(look == minus for look, _ in drawn) == len(lamps) + 1
    # the minus of their supply meets the board's ground
    ground = [points for look, points in wires(root) if look == (drawings.GROUND, None)]
    ends = {end for look, points in wires(root) if look == minus for end in (points[0], points[-1])}
    rail = ground[0][1][0]
    assert sum(x == rail and arms(root, x, y) >= 3 for x, y in ends) == 1


def test_a_place_in_the_chain_that_no_reader_has_is_a_lamp_all_the_same():
    titles = [lamp.title for lamp in wirings.of_plan(ODD).lamps]
    assert titles == ["Lamp 3 (WS2812)", "Lamp spare (WS2812)", "Lamp 2 (WS2812)"]


def test_each_reader_is_told_what_stays_open_and_where_its_switches_are():
    for name, rest in (("four-rc522", "IRQ"), ("four-pn532", "IRQ and all others")):
        shown = [text for text, _ in texts(parsed(ALL[name]))]
        assert shown.count(rest) == shown.count("10 µF") == shown.count("100 nF") == 4
        assert shown.count("470 µF") == shown.count("330 Ω") == 1
        assert shown.count("1 OFF, 2 ON") == (4 if name == "four-pn532" else 0)
    shown = [text for text, _ in texts(parsed(ALL["one-pn532-usb"]))]
    assert {"1 OFF, 2 OFF", "IRQ and all others", "10 µF", "100 nF"} <= set(shown)


def test_on_an_adapter_what_one_sends_the_other_receives():
    root = parsed(ALL["one-pn532-usb"])
    rows = {
        float(text.get("y")) - 4: text.text
        for text in root.iter(f"{SVG}text")
        if text.get("font-size") == "12" and text.get("font-weight") != "bold"
    }
    crossed = {
        tuple(rows[y] for _x, y in sorted((points[0], points[-1])))
        for look, points in wires(root)
        if look[0] != SYMBOL[0]
    }
    assert crossed == {
        ("TX (it sends)", "RXD (it receives)"), ("RX (it receives)", "TXD (it sends)"), ("5V", "VCC"), ("GND", "GND"),
    }  # fmt: skip
    assert not any(text.isdigit() for text, _ in texts(root))  # makers number their pins as they like


def test_the_panels_wirings_are_as_the_guide_says():
    check_pins([*FOUR_SEATS.pins(), *LAMPS, BUZZER], ("i2c", "spi", "uart", "1-wire", "eeprom"))
    check_pins(THREE_SEATS.pins(), ("i2c", "1-wire", "eeprom"))
    check_pins([*THREE_SEATS.pins(), *THREE_LAMPS, THREE_BUZZER], ("eeprom",))
    assert len(THREE_LAMPS) == len(THREE_SEATS.seats)
    for wiring, name in ((FOUR_SEATS, "pi-matrix"), (THREE_SEATS, "pi-direct")):
        for pin in wiring.pins():
            assert re.search(rf">GPIO{pin}( ·|<)", ALL[name])


@pytest.mark.parametrize(
    ("called", "pins"),
    [
        (PICO.pins, {1: "GP0", 16: "GP12", 21: "GP16", 24: "GP18", 29: "GP22", 31: "GP26", 36: "3V3", 40: "VBUS"}),
        (PI.pins, {1: "3V3", 2: "5V", 7: "GPIO4", 29: "GPIO5", 32: "GPIO12", 36: "GPIO16", 39: "GND", 40: "GPIO21"}),
    ],
    ids=["Pico", "Pi"],
)
def test_pins_stand_where_the_data_sheets_put_them(called, pins):
    assert {number: called[number] for number in pins} == pins
    assert len(called) == 40


def test_it_prints_the_picture_of_a_plan_of_ones_own(capsys):
    assert drawings.main([str(FOLDER / "four-rc522.json")]) == 0
    assert capsys.readouterr().out == ALL["four-rc522"]
