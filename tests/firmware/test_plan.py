"""board.json: what is refused, and that the reason says where and why."""

import copy
import re
import sys
from pathlib import Path

import pytest

import firmware
from firmware.board import PICO_PINS, RP2040, BadBoard, check

sys.path.append(str(Path(firmware.__file__).parent))  # on a board the files lie flat


def rc522(select=17, **more):
    return {"chip": "mfrc522", "bus": "spi0", "sck": 18, "mosi": 19, "miso": 16, "select": select, **more}


def on_i2c(bus="i2c0", sda=4, scl=5, **more):
    return {"chip": "pn532", "bus": bus, "sda": sda, "scl": scl, **more}


def on_uart(bus="uart1", tx=8, rx=9, **more):
    return {"chip": "pn532", "bus": bus, "tx": tx, "rx": rx, **more}


def without(data, key):
    return {k: v for k, v in data.items() if k != key}


def ws(at, pin=22):
    return {"kind": "ws2812", "pin": pin, "at": at}


FOUR = [rc522(select) for select in (17, 20, 21, 26)]

GOOD = [
    {},
    {"readers": FOUR, "panels": [{"pins": list(range(7))}]},
    {"readers": [rc522(select, lamp=ws(at)) for at, select in enumerate((17, 20, 21, 26))]},
    {"readers": [on_i2c(), on_i2c("i2c1", 2, 3), on_uart(), on_uart("uart0", 0, 1)]},
    {"readers": [rc522(), {**rc522(20), "chip": "pn532"}]},
    {"readers": [on_i2c(sda=28, scl=21), on_i2c("i2c1", 22, 27)]},
    {"readers": [rc522(lamp={"kind": "rgb", "pins": [9, 10, 11]}, buzzer=15)]},
    {"readers": [rc522(lamp={"kind": "plain", "pin": 9})]},
    {"readers": [rc522(lamp={"kind": "plain", "pin": 8}), rc522(20, lamp={"kind": "plain", "pin": 9})]},
    {"mcu": "esp32", "readers": [{**rc522(), "sck": 33, "mosi": 32, "miso": 35, "select": 5}]},
    {"panels": [{"pins": [n]} for n in range(4)]},
]


# RP2040 data sheet, 1.4.3, functions F1 to F3 of each GPIO; RX of SPI is our miso, TX our mosi
DATA_SHEET = """
0 SPI0RX UART0TX I2C0SDA    1 SPI0CSn UART0RX I2C0SCL   2 SPI0SCK UART0CTS I2C1SDA   3 SPI0TX UART0RTS I2C1SCL
4 SPI0RX UART1TX I2C0SDA    5 SPI0CSn UART1RX I2C0SCL   6 SPI0SCK UART1CTS I2C1SDA   7 SPI0TX UART1RTS I2C1SCL
8 SPI1RX UART1TX I2C0SDA    9 SPI1CSn UART1RX I2C0SCL   10 SPI1SCK UART1CTS I2C1SDA  11 SPI1TX UART1RTS I2C1SCL
12 SPI1RX UART0TX I2C0SDA   13 SPI1CSn UART0RX I2C0SCL  14 SPI1SCK UART0CTS I2C1SDA  15 SPI1TX UART0RTS I2C1SCL
16 SPI0RX UART0TX I2C0SDA   17 SPI0CSn UART0RX I2C0SCL  18 SPI0SCK UART0CTS I2C1SDA  19 SPI0TX UART0RTS I2C1SCL
20 SPI0RX UART1TX I2C0SDA   21 SPI0CSn UART1RX I2C0SCL  22 SPI0SCK UART1CTS I2C1SDA  23 SPI0TX UART1RTS I2C1SCL
24 SPI1RX UART1TX I2C0SDA   25 SPI1CSn UART1RX I2C0SCL  26 SPI1SCK UART1CTS I2C1SDA  27 SPI1TX UART1RTS I2C1SCL
28 SPI1RX UART0TX I2C0SDA   29 SPI1CSn UART0RX I2C0SCL
"""
NAMES = {
    "SPIRX": "miso", "SPITX": "mosi", "SPISCK": "sck", "I2CSDA": "sda", "I2CSCL": "scl", "UARTTX": "tx", "UARTRX": "rx",
}  # fmt: skip


def test_the_pins_of_each_block_are_those_of_the_data_sheet():
    table = {}
    words = DATA_SHEET.split()
    for pin, *functions in zip(*[iter(words)] * 4, strict=True):
        for function in functions:
            block, number, wire = re.fullmatch(r"(SPI|I2C|UART)(\d)(\w+)", function).groups()
            if block + wire in NAMES and int(pin) in PICO_PINS:
                table.setdefault(f"{block.lower()}{number}", {}).setdefault(NAMES[block + wire], []).append(int(pin))
    assert table == {block: {wire: list(pins) for wire, pins in wires.items()} for block, wires in RP2040.items()}


@pytest.mark.parametrize("plan", GOOD)
def test_what_can_be_is_taken_as_it_is(plan):
    before = copy.deepcopy(plan)
    checked = check(plan)
    assert plan == before
    assert checked == {"mcu": "rp2040", "readers": [], "panels": []} | plan


REFUSED = [
    ([], "the plan must be an object in braces"),
    ({"reader": []}, 'the plan: there is no "reader" here; it takes mcu, readers, panels'),
    ({"mcu": 2040}, 'mcu must be a word, as "rp2040"'),
    ({"readers": {}}, "readers must be a list"),
    ({"panels": "none"}, "panels must be a list"),
    ({"readers": [*FOUR, rc522(27)]}, "readers: a board has at most 4, here are 5"),
    ({"panels": [{"pins": [n]} for n in range(5)]}, "panels: a board has at most 4, here are 5"),
    ({"readers": ["rc522"]}, "reader 0 must be an object in braces"),
    ({"readers": [without(rc522(), "chip")]}, 'reader 0: "chip" is missing'),
    ({"readers": [without(rc522(), "bus")]}, 'reader 0: "bus" is missing'),
    ({"readers": [rc522(speed=9)]}, 'reader 0: there is no "speed" here'),
    ({"readers": [{**rc522(), "chip": "pn5180"}]}, 'reader 0: there is no chip "pn5180"; chips are mfrc522, pn532'),
    ({"readers": [{**rc522(), "chip": ["pn532"]}]}, "reader 0: there is no chip"),
    ({"readers": [{**rc522(), "bus": "i2c0"}]}, 'reader 0: a mfrc522 cannot be on "i2c0"; it can be on spi0, spi1'),
    ({"readers": [{**rc522(), "bus": "spi2"}]}, 'a mfrc522 cannot be on "spi2"'),
    ({"readers": [{**rc522(), "bus": 0}]}, 'a mfrc522 cannot be on "0"'),
    ({"readers": [{**rc522(), "bus": ["spi0"]}]}, "a mfrc522 cannot be on"),
    ({"readers": [on_i2c(), on_i2c(sda=8, scl=9)]}, "reader 1: i2c0 has a reader already (reader 0): the address"),
    ({"readers": [on_uart(), on_uart()]}, "reader 1: uart1 has a reader already (reader 0): a line has two ends"),
    ({"readers": [without(rc522(), "miso")]}, 'reader 0: "miso" is missing'),
    ({"readers": [rc522(tx=4)]}, 'reader 0: there is no "tx" here; it takes chip, bus, sck, mosi, miso, select'),
    ({"readers": [{**rc522(), "sck": 17}]}, "reader 0: sck of spi0 can be GP2, GP6, GP18, GP22"),
    ({"readers": [on_i2c(sda=5, scl=4)]}, "reader 0: sda of i2c0 can be GP0, GP4, GP8"),
    ({"readers": [on_uart(tx=9, rx=8)]}, "reader 0: tx of uart1 can be GP4, GP8, GP20"),
    ({"readers": [rc522(23)]}, "reader 0: 23 is no pin of this board"),
    ({"readers": [rc522(-1)]}, "reader 0: -1 is no pin"),
    ({"readers": [rc522("17")]}, "reader 0: 17 is no pin"),
    ({"readers": [rc522(True)]}, "reader 0: True is no pin"),
    ({"readers": [rc522(1.0)]}, "reader 0: 1.0 is no pin"),
    ({"readers": [rc522(), rc522()]}, "reader 1: GP17 is in use already (reader 0)"),
    ({"readers": [rc522(18)]}, "reader 0: GP18 is in use already (reader 0)"),
    ({"readers": [rc522(), {**rc522(20), "sck": 6}]}, "reader 1: sck of spi0 is on GP18 already (reader 0)"),
    ({"readers": [rc522(buzzer=17)]}, "reader 0, buzzer: GP17 is in use already"),
    ({"readers": [rc522(lamp=9)]}, "reader 0, lamp: kind must be one of plain, rgb, ws2812"),
    ({"readers": [rc522(lamp={"kind": "neon"})]}, "reader 0, lamp: kind must be one of"),
    ({"readers": [rc522(lamp={"kind": []})]}, "reader 0, lamp: kind must be one of"),
    ({"readers": [rc522(lamp={"kind": "plain"})]}, 'reader 0, lamp: "pin" is missing'),
    ({"readers": [rc522(lamp={"kind": "rgb", "pins": [9, 10]})]}, "reader 0, lamp: pins must be three"),
    ({"readers": [rc522(lamp={"kind": "rgb", "pins": [9, 9, 9]})]}, "reader 0, lamp: GP9 is in use already"),
    ({"readers": [rc522(lamp=ws(4))]}, "reader 0, lamp: at must be a number from 0 to 3"),
    ({"readers": [rc522(lamp=ws(True))]}, "reader 0, lamp: at must be a number"),
    ({"readers": [rc522(lamp=ws(1)), rc522(20, lamp=ws(1))]}, "place 1 on GP22 is in use already (reader 0, lamp)"),
    ({"readers": [rc522(lamp=ws(0), buzzer=22)]}, "reader 0, buzzer: GP22 is in use already"),
    ({"readers": [rc522(buzzer=14), rc522(20, buzzer=15)]}, "reader 1, buzzer: GP15 shares a PWM block with GP14"),
    ({"readers": [rc522(buzzer=14, lamp={"kind": "plain", "pin": 15})]}, "buzzer: GP14 shares a PWM block"),
    (
        {"readers": [rc522(lamp={"kind": "plain", "pin": 10}), rc522(20, lamp={"kind": "plain", "pin": 26})]},
        "GP26 shares a PWM block with GP10",
    ),
    ({"panels": [{}]}, 'panel 0: "pins" is missing'),
    ({"panels": [[1, 2]]}, "panel 0 must be an object"),
    ({"panels": [{"pins": []}]}, "panel 0: pins must be a list of one to 7"),
    ({"panels": [{"pins": list(range(8))}]}, "panel 0: pins must be a list of one to 7"),
    ({"panels": [{"pins": 3}]}, "panel 0: pins must be a list of one to 7"),
    ({"panels": [{"pins": [3, 3]}]}, "panel 0: GP3 is in use already (panel 0)"),
    ({"readers": [rc522()], "panels": [{"pins": [16]}]}, "panel 0: GP16 is in use already (reader 0)"),
]


@pytest.mark.parametrize(("plan", "reason"), REFUSED)
def test_what_cannot_be_is_refused_with_the_reason(plan, reason):
    with pytest.raises(BadBoard) as refused:
        check(plan)
    assert reason in str(refused.value)
