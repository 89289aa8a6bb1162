"""The whole firmware, main() and all, under real MicroPython on a pty, on a fake `machine`: prompt, watchdog, reset.

test_pty.py has what is the same under both Pythons.
"""

import os
import time

import pytest

from tests.firmware.pico import MICROPYTHON, Pico
from tests.firmware.talk import PATIENCE, Talk

pytestmark = pytest.mark.skipif(not MICROPYTHON, reason="no MicroPython on this machine")

PLAN = {
    "readers": [
        {"chip": "mfrc522", "bus": "spi0", "sck": 18, "mosi": 19, "miso": 16, "select": 17, "buzzer": 15},
        {"chip": "pn532", "bus": "i2c0", "sda": 4, "scl": 5, "lamp": {"kind": "ws2812", "pin": 22, "at": 0}},
    ],
    "panels": [{"pins": [0, 1, 2]}],
}
CHIPS = {"spi0/17": "mfrc522", "i2c0": "pn532"}
UID = "04A1B20000C3D4"


def test_a_card_is_laid_and_lifted_on_both_chips(tmp_path):
    pico = Pico(tmp_path, CHIPS)
    pico.write(PLAN)
    with pico:
        talk = Talk(pico.port)
        hello = talk.greet()
        assert hello[4] == "fa4e00000000b0a2"
        assert talk.wait("reader") == ("reader", "0", "mfrc522", "presence,sound")
        assert talk.wait("reader") == ("reader", "1", "pn532", "presence,light")
        assert talk.wait("panel") == ("panel", "0", "3")
        assert talk.wait("ready") == ("ready", "2", "1")
        for number, chip in enumerate(CHIPS):
            pico.lay(chip, UID)
            assert talk.wait("on") == ("on", str(number), UID)
            pico.lay(chip)
            assert talk.wait("off") == ("off", str(number), UID)
        talk.send("light", 1, "locked")
        talk.send("sound", 0, "click")
        talk.wait("ack", "01")
        talk.wait("ack", "02")
        first = int(talk.wait("beat")[1])
        assert int(talk.wait("beat")[1]) == first + 1


def test_a_byte_03_is_garbage_and_no_interrupt(tmp_path):
    pico = Pico(tmp_path, CHIPS)
    pico.write(PLAN)
    with pico:
        talk = Talk(pico.port)
        talk.greet()
        talk.port.write(b"\x03\x03\x01\x04\n")
        talk.send("ping")
        talk.wait("ack", "01")
        assert pico.starts == 1


def test_update_leads_to_the_prompt_once(tmp_path):
    pico = Pico(tmp_path, CHIPS)
    pico.write(PLAN)
    with pico:
        talk = Talk(pico.port)
        talk.greet()
        talk.send("update")
        talk.wait("ack", "01")
        while pico.starts < 2:
            time.sleep(0.02)
        talk = Talk(pico.port)
        talk.port.write(b"\r\nprint(6 * 7, 'repl' in __import__('os').listdir())\r\n")
        until = time.monotonic() + PATIENCE
        seen = b""
        while b"42 False" not in seen:
            assert time.monotonic() < until, seen
            seen += talk.port.read(4096)
        # nothing but the next start leads back
        talk.port.write(b"import machine; print('dogs', machine.WDT.made)\r\n")
        while b"dogs []" not in seen:
            assert time.monotonic() < until, seen
            seen += talk.port.read(4096)
        talk.port.write(b"machine.reset()\r\n")
        while pico.starts < 3:
            time.sleep(0.02)
        assert Talk(pico.port).greet()


def test_the_watchdog_is_made_and_fed(tmp_path):
    pico = Pico(tmp_path, CHIPS)
    pico.write(PLAN)
    watched = (pico.flash.parent / "library" / "machine.py").read_text()
    watched = watched.replace("fed[0] += 1", 'open("fed", "a").write(".")')
    watched = watched.replace("WDT.made.append(timeout)", 'open("made", "w").write(str(timeout))')
    (pico.flash.parent / "library" / "machine.py").write_text(watched)
    with pico:
        talk = Talk(pico.port)
        talk.greet()
        before = os.path.getsize(pico.flash / "fed")  # noqa: PTH202
        talk.wait("beat")
        talk.wait("beat")
        assert os.path.getsize(pico.flash / "fed") - before > 20  # noqa: PTH202
        assert (pico.flash / "made").read_text() == "8000"


@pytest.mark.parametrize(
    ("plan", "why"),
    [
        (None, b"board.json: there is none"),
        ({"readers": [PLAN["readers"][1]] * 2}, b"board.json: reader 1: i2c0 has a reader already (reader 0)"),
    ],
)
def test_a_board_that_cannot_be_set_up_greets_and_says_why(tmp_path, plan, why):
    pico = Pico(tmp_path)
    pico.write(plan)
    with pico:
        talk = Talk(pico.port)
        talk.greet()
        assert talk.wait("ready") == ("ready", "0", "0")
        talk.wait("beat")
        assert why in talk.raw
