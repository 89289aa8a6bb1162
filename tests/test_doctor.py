"""Each check with both outcomes: what is there is put in its way, and what it says is read."""

from __future__ import annotations

import errno
import io
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion import compose, doctor
from companion.adapters import checks as outside
from companion.adapters.player import NoSound
from companion.config import Config, Panel, Readers
from companion.doctor import Check, examine, report
from companion.games.base import msg
from companion.health import FAULT, OK, WARNING, Finding
from companion.ui import checks as screen
from companion.wording import Wording
from firmware import wire
from hardware import panel as hardware_panel
from hardware.fakes import FakeBoard
from hardware.found import Silent, find
from tests.damage import DAMAGES, NO_FILES, closed, spoil
from tests.hardware.boards import ScriptedBoard

WORDS = Wording("en")


def says(finding: Finding, state: str, text: str, remedy: str | None = None) -> None:
    assert finding.state == state, WORDS(finding.text)
    assert text in WORDS(finding.text)
    if remedy is None:
        assert finding.remedy is None
    else:
        assert finding.remedy is not None and remedy in WORDS(finding.remedy)


# --- all of them ----------------------------------------------------------------------------------------------------


def test_one_that_raises_or_hangs_is_a_line_and_the_others_go_on() -> None:
    free = threading.Event()

    def breaks() -> list[Finding]:
        raise ZeroDivisionError("oh")

    def hangs() -> list[Finding]:
        free.wait(20)
        return []

    about = msg("Round {n}.", n=1)
    well = Finding(about, OK, about)
    found = list(examine([Check(about, breaks), Check(about, hangs, 0.05), Check(about, lambda: [well])]))
    free.set()
    says(found[0], FAULT, "The check itself failed: ZeroDivisionError: oh", "report it")
    says(found[1], FAULT, "No answer within 0 seconds.", "Restart")
    assert found[2] == well


@pytest.mark.parametrize(("states", "code"), [([OK, WARNING], 0), ([OK, FAULT, WARNING], 1)])
def test_the_page_and_its_exit_code(states: list[str], code: int) -> None:
    findings = [Finding(doctor.CLOCK, state, msg("Make some room."), msg("Make some room.")) for state in states]
    out = io.StringIO()
    with redirect_stdout(out):
        assert report(findings, WORDS) == code
    lines = out.getvalue().splitlines()
    assert lines[0] == "ok       Clock     Make some room."
    assert lines[1] == " " * 19 + "> Make some room."
    out = io.StringIO()
    with redirect_stdout(out):
        assert report(findings, Wording("pt"), as_json=True) == code
    line = json.loads(out.getvalue().splitlines()[1])
    assert (line["check"], line["state"]) == ("clock", states[1])
    assert line["text"] != "Make some room."


# --- the system -----------------------------------------------------------------------------------------------------


def test_system(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    release = tmp_path / "etc/os-release"
    release.write_text('PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\nVERSION_ID="12"\n')
    model = tmp_path / "proc/device-tree/model"
    model.parent.mkdir(parents=True)
    model.write_bytes(b"Raspberry Pi 4 Model B Rev 1.4\0")
    says(doctor.system(tmp_path, 64), OK, "Debian GNU/Linux 12 (bookworm) on Raspberry Pi 4 Model B Rev 1.4, 64 bits.")
    says(doctor.system(tmp_path, 32), WARNING, "32 bits", "Write the card anew")
    release.write_text('PRETTY_NAME="Raspbian 11"\nID=raspbian\nVERSION_ID="11"\n')
    says(doctor.system(tmp_path, 64), WARNING, "Raspbian 11", "Write the card anew")
    says(doctor.system(tmp_path / "nothing", 64), OK, "64 bits")


def test_python() -> None:
    says(doctor.python((3, 11), lambda package: "1.0"), OK, "kivy 1.0")
    says(doctor.python((3, 10), lambda package: "1.0"), FAULT, "Python 3.10.", "3.11")
    without = {"kivy": None, "gpiozero": "2", "pyserial": None}
    says(doctor.python((3, 12), without.get), FAULT, "Missing: kivy, pyserial.", "gryphon-table[devices,screen]")


def test_groups(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    wanted = {"dialout": str(tmp_path / "tty*"), "gpio": str(tmp_path / "gpio*"), "video": str(tmp_path / "card*")}
    ids = {"dialout": (20, ["pi"]), "gpio": (997, [])}

    def asked(mine: set[int], can_use: bool = False) -> Finding:
        return doctor.groups(wanted, mine, ids.get, "pi", lambda path: can_use)

    says(asked({20, 997}), OK, "The user pi may use what there is of dialout, gpio.")
    says(asked({20}), WARNING, "The user pi is not in: gpio.", "sudo usermod -aG gpio pi")
    says(asked({997}), WARNING, "was put into dialout", "Log out and in again")
    (tmp_path / "gpiochip0").touch()
    says(asked({20}, can_use=True), OK, "dialout, gpio")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    says(asked(set()), OK, "dialout, gpio")


def test_clock(tmp_path: Path) -> None:
    now = datetime(2026, 3, 1, 20, 15, tzinfo=UTC)
    says(doctor.clock(now, lambda *_: "yes", tmp_path), OK, "2026-03-01 20:15 UTC, set by the network.")
    says(doctor.clock(now, lambda *_: "no", tmp_path), WARNING, "2026-03-01", "Nobody has set it")
    (tmp_path / "synchronized").touch()
    says(doctor.clock(now, lambda *_: None, tmp_path), OK, "set by the network")
    says(doctor.clock(now.replace(year=1970), lambda *_: "yes", tmp_path), FAULT, "1970-03-01", "date -s")


@pytest.mark.parametrize(
    ("said", "state", "text"),
    [
        ("throttled=0x0", OK, "The voltage is well."),
        ("throttled=0x50005", FAULT, "The voltage is too low right now."),
        ("throttled=0x50000", WARNING, "The voltage was too low since the start."),
        ("throttled=0x4", WARNING, "too hot"),
        ("VCHI initialization failed", OK, "This machine does not tell."),
        (None, OK, "This machine does not tell."),
    ],
)
def test_power(said: str | None, state: str, text: str, tmp_path: Path) -> None:
    finding = doctor.power(lambda *_: said, tmp_path)
    assert finding.state == state and text in WORDS(finding.text)
    assert (finding.remedy is None) == (state == OK)


def test_power_of_a_sensor(tmp_path: Path) -> None:
    sensor = tmp_path / "hwmon1"
    sensor.mkdir()
    (sensor / "name").write_text("rpi_volt\n")
    (sensor / "in0_lcrit_alarm").write_text("0\n")
    says(doctor.power(lambda *_: None, tmp_path), OK, "The voltage is well.")
    (sensor / "in0_lcrit_alarm").write_text("1\n")
    says(doctor.power(lambda *_: None, tmp_path), FAULT, "too low right now", "power supply")


def test_what_other_programs_say(tmp_path: Path) -> None:
    """A program that is not there, fails, or hangs says nothing."""
    assert doctor._answer(sys.executable, "-c", "print('yes')") == "yes"
    assert doctor._answer(sys.executable, "-c", "raise SystemExit(1)") is None
    assert doctor._answer(str(tmp_path / "nothing")) is None
    assert doctor._answer(sys.executable, "-c", "import time; time.sleep(30)", seconds=0.2) is None


# --- screen, disk, sound --------------------------------------------------------------------------------------------


def test_a_window_is_really_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "offscreen")
    says(screen.window(), OK, "Kivy opened one: 800x480")


def test_no_window() -> None:
    says(screen.window(why_not=lambda: msg("Make some room.")), FAULT, "Make some room.", "Plug the screen in")
    fails = (sys.executable, "-c", "raise SystemExit('no EGL display')")
    found = screen.window(fails, why_not=lambda: None)
    says(found, FAULT, "Kivy cannot open one: no EGL display", "gryphon-table[screen]")
    hangs = (sys.executable, "-c", "import time; time.sleep(30)")
    says(screen.window(hangs, 0.3, lambda: None), FAULT, "No window within 0 seconds.", "Another program")


def clock_of(*times: float) -> Callable[[], float]:
    left = list(times)
    return lambda: left.pop(0)


def test_disk(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    database = folder / "games"
    mounts = tmp_path / "mounts"
    mounts.write_text(f"/dev/root / ext4 rw 0 0\n/dev/sda1 {tmp_path} ext4 rw 0 0\n")
    says(outside.disk(database, mounts, clock_of(1.0, 1.012)), OK, "written and synced in 12 ms")
    assert list(folder.iterdir()) == []
    says(outside.disk(database, mounts, clock_of(1.0, 4.0)), WARNING, "3000 ms", "worn out")
    mounts.write_text(f"/dev/root / ext4 rw 0 0\noverlay {tmp_path} overlay rw 0 0\n")
    says(outside.disk(database, mounts), WARNING, "written and synced", "forgotten when the plug is pulled")
    assert outside.disk(database, tmp_path / "nothing").state == OK


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_of_games_is_a_fault(damage: str, tmp_path: Path) -> None:
    """That the folder can be written does not mean that the games are well."""
    database = tmp_path / "games.sqlite3"
    spoil(database, damage)
    before = sorted(tmp_path.iterdir())
    found = outside.disk(database, tmp_path / "nothing")
    says(found, FAULT, f"{database} cannot be used.", "Move it away" if damage in NO_FILES else "Start the companion")
    assert sorted(tmp_path.iterdir()) == before


def test_a_folder_that_may_not_be_entered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed(tmp_path / "closed", monkeypatch)
    found = outside.disk(tmp_path / "closed" / "data" / "games")
    says(found, FAULT, f"{tmp_path / 'closed' / 'data'} cannot be written.", "must exist and belong to")


def test_a_disk_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    says(outside.disk(tmp_path / "file" / "games"), FAULT, "cannot be written", "is a file and can hold no other")

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    says(outside.disk(tmp_path / "games"), FAULT, "cannot be written", "The disk is full")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_little_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outside.shutil, "disk_usage", lambda folder: SimpleNamespace(free=50_000_000))
    says(outside.disk(tmp_path / "games", tmp_path / "nothing"), WARNING, "50 MB free", "Make some room.")


def speaker(folder: Path, works: bool) -> str:
    """A program that takes espeak-ng's place."""
    program = folder / "speaker"
    # the file that it is to write follows -w
    program.write_text(f"#!{sys.executable}\nimport sys, wave\n"
                       f"if not {works}: sys.exit(1)\n"
                       "w = wave.open(sys.argv[sys.argv.index('-w') + 1], 'wb')\n"
                       "w.setparams((1, 2, 22050, 0, 'NONE', '')); w.writeframes(bytes(4410))\n")  # fmt: skip
    program.chmod(0o755)
    return str(program)


def test_sound(tmp_path: Path) -> None:
    played: list[int] = []
    found = outside.sound("en", lambda path, stop: played.append(path.stat().st_size), speaker(tmp_path, works=True))
    says(found, OK, "a loudspeaker takes it")
    assert played and played[0] > 1000


def test_no_sound(tmp_path: Path) -> None:
    def mute(path: Path, stop: threading.Event) -> None:
        raise NoSound(msg("Make some room."))

    says(outside.sound("en", mute, speaker(tmp_path, works=True)), WARNING, "Make some room.", "loudspeaker")
    says(outside.sound("en", lambda *_: None, speaker(tmp_path, works=False)), WARNING, "no voice", "espeak-ng")


def test_why_there_is_no_sound_is_not_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Pi 5 whose screen is off says it by a number; the loudspeaker that was named is the one that is tried."""
    log = tmp_path / "asked"
    aplay = tmp_path / "aplay"
    error = "aplay: main:831: audio open error: Unknown error 524"
    aplay.write_text(f'#!/bin/sh\necho "$*" > {log}\necho "{error}" >&2\nexit 1\n')
    aplay.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    found = outside.sound("en", speaker=speaker(tmp_path, works=True), output="plughw:CARD=vc4hdmi0,DEV=0")
    says(found, WARNING, "the television or screen is off", "loudspeaker")
    assert "Unknown error 524" in WORDS(found.text)
    assert log.read_text().startswith("-q -D plughw:CARD=vc4hdmi0,DEV=0 ")


def serving(answer: bytes) -> tuple[int, list[bytes]]:
    """A port of this machine at which one caller is heard and answered."""
    heard: list[bytes] = []
    door = socket.create_server(("localhost", 0))

    def serve() -> None:
        with door, door.accept()[0] as line:
            heard.append(line.recv(64))
            line.sendall(answer)

    threading.Thread(target=serve, daemon=True).start()
    return door.getsockname()[1], heard


def test_broker() -> None:
    port, heard = serving(b"\x20\x02\x00\x05")  # it wants a name and a password: a broker all the same
    says(outside.broker(port), OK, "One answers on this machine.")
    (connect,) = heard
    assert connect[0] == 0x10 and connect[1] == len(connect) - 2 and connect[2:8] == b"\x00\x04MQTT"
    assert connect[-2:] == b"\x00\x00"  # no name


@pytest.mark.skipif(shutil.which("mosquitto") is None, reason="no mosquitto on this machine")
def test_a_real_broker() -> None:
    with socket.create_server(("localhost", 0)) as free:
        port = free.getsockname()[1]
    with subprocess.Popen(["mosquitto", "-p", str(port)], stderr=subprocess.DEVNULL) as mosquitto:
        until = time.monotonic() + 20
        while "One answers" not in WORDS(outside.broker(port).text):
            assert time.monotonic() < until
        mosquitto.terminate()


@pytest.mark.parametrize("answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"", b"\x20"])
def test_what_is_no_broker(answer: bytes) -> None:
    says(outside.broker(serving(answer)[0]), OK, "None on this machine, and none is needed.")


def test_no_broker_or_one_that_says_nothing() -> None:
    with socket.create_server(("localhost", 0)) as mute:
        port = mute.getsockname()[1]
        says(outside.broker(port, 0.2), OK, "None on this machine")
    says(outside.broker(port, 0.2), OK, "None on this machine")


# --- devices --------------------------------------------------------------------------------------------------------


def config(*ports: Path, lamps: tuple[int, ...] = ()) -> Config:
    return Config(readers=Readers(ports=tuple(map(str, ports))), panel=Panel(lamps=lamps))


def boards(config: Config) -> list[Finding]:
    """What is found of ports, boards and lights; there are no panels."""
    return [f for f in doctor.devices(config, lambda: pytest.fail("pins")) if f.about != doctor.PINS]


def test_nothing_plugged_in(tmp_path: Path) -> None:
    port, named, lights = boards(config(tmp_path / "port"))
    says(port, WARNING, "I see no reader board on any USB port.", "another cable")
    says(named, WARNING, f"The configuration names {tmp_path / 'port'}, which is not there.", "No other port is there.")
    says(lights, OK, "None is wired.")


@pytest.mark.parametrize("wrong", ["usb-Raspberry_Pi_Pico_E661-if01", "usb-raspberry_pi_pico_e661-if00"])
def test_a_wrong_letter_in_a_name_is_told_with_the_right_name(wrong: str, tmp_path: Path) -> None:
    """The board is plugged in: nobody is told to try another cable, and the name is there to be copied."""
    (tmp_path / "notes.txt").touch()
    with ScriptedBoard(tmp_path / "usb-Raspberry_Pi_Pico_E661-if00") as board:
        named, lights = boards(config(tmp_path / wrong))
        says(named, WARNING, f"The configuration names {tmp_path / wrong}, which is not there.", "mend its name.")
        assert WORDS(named.remedy).endswith(f"that are there: {board.port}")
    says(lights, OK, "None is wired.")


def test_a_port_by_id_is_offered_by_the_name_that_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    by_id, dev = tmp_path / "by-id", tmp_path / "dev"
    by_id.mkdir()
    dev.mkdir()
    monkeypatch.setattr("hardware.nfc.BY_ID", f"{by_id}/*")
    monkeypatch.setattr("hardware.nfc.USB_PORTS", (f"{dev}/ttyACM*",))
    with ScriptedBoard(dev / "ttyACM0"), ScriptedBoard(dev / "ttyACM1") as bare:
        (by_id / "usb-Pico").symlink_to(dev / "ttyACM0")
        (named, _lights) = boards(config(tmp_path / "none" / "x"))
    assert WORDS(named.remedy).endswith(f"that are there: {by_id / 'usb-Pico'}, {bare.port}")


def test_only_lights_that_can_shine_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not those of panels that nobody uses, or whose pins are refused, nor more than there are panels."""
    panel = Panel(wiring="matrix", rows=(5, 6), columns=(16, 17, 18, 19, 20, 21, 22), lamps=(23, 24, 25))
    unused = replace(config(tmp_path / "port"), panel=replace(panel, wiring="none"))
    says(boards(unused)[-1], OK, "None is wired.")
    there = replace(config(tmp_path / "port"), panel=panel)
    found = list(doctor.devices(there, lambda: compose.panels(panel, print)))
    assert found[0].about == doctor.PINS and found[0].state == FAULT  # there are no real pins here
    says(found[-1], OK, "None can be lit now.")
    monkeypatch.setattr(hardware_panel, "usable_factory", lambda: MockFactory(pin_class=MockPWMPin))
    found = list(doctor.devices(there, lambda: compose.panels(panel, print)))
    says(found[-1], OK, "2 seat lights")


def test_a_board_with_its_readers(tmp_path: Path) -> None:
    with FakeBoard(tmp_path / "port", readers=2, board="fa4e00000000b0a3"):
        found = boards(config(tmp_path / "port"))
    assert [WORDS(f.about) for f in found] == ["Ports", "Boards", "Readers", "Readers", "Touched", "Lights"]
    says(found[1], OK, "Board fa4e00000000b0a3, firmware")
    says(found[2], WARNING, "Reader fa4e00000000b0a3/0 (pn532) answers. No card seen yet.")
    says(found[4], WARNING, "No card seen yet: fa4e00000000b0a3/0, fa4e00000000b0a3/1.", "gryphon devices test.")
    assert "2 seat lights" in WORDS(found[-1].text)


def test_one_light_is_counted_as_one(tmp_path: Path) -> None:
    with FakeBoard(tmp_path / "port", readers=1):
        found = boards(config(tmp_path / "port"))
    says(found[-1], OK, "1 seat light. Look at it")
    assert Wording("pt")(found[-1].text).startswith("1 luz de lugar.")


@pytest.mark.parametrize(
    ("protocol", "firmware", "state", "text", "remedy"),
    [
        (1, wire.FIRMWARE, OK, f"Board b0a2d1, firmware {wire.FIRMWARE}, at port. That is ours.", None),
        (1, "0.3.0", WARNING, "Board b0a2d1, firmware 0.3.0, at port.",
         f"It works. Ours is newer, {wire.FIRMWARE}: gryphon firmware install."),
        (1, "99.0", OK, f"Board b0a2d1, firmware 99.0, at port. It is newer than ours, {wire.FIRMWARE}, and w", None),
        (0, "0.1.0", FAULT, "Board b0a2d1, at port, is not in use.", "an older protocol. Write it anew: gryphon firm"),
        (2, "2.0.0", FAULT, "Board b0a2d1, at port, is not in use.", "a newer protocol. Install a newer Gryphon"),
    ],
)  # fmt: skip
def test_a_board_with_firmware_of_another_day(
    protocol: int, firmware: str, state: str, text: str, remedy: str | None, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)  # so that the port's name is short
    with ScriptedBoard(Path("port"), protocol=protocol, firmware=firmware):
        found = boards(config(Path("port")))
    (board,) = [finding for finding in found if finding.about == doctor.BOARDS]
    says(board, state, text, remedy)
    assert any(finding.about == doctor.READERS for finding in found) == (protocol == 1)


def test_a_reader_is_well_where_a_card_was_seen_and_a_panel_where_a_button_was(tmp_path: Path) -> None:
    with ScriptedBoard(tmp_path / "port", readers=2, panels=2, lying=[(0, "04A1B20000C3D4")]) as board:
        greet = board.greeting

        def pressed(nonce: str) -> None:
            greet(nonce)
            board.say("press", 1, 3)

        board.greeting = pressed
        found = boards(config(tmp_path / "port"))
    panels = [f for f in found if f.about == doctor.PANELS]
    readers = [f for f in found if f.about == doctor.READERS]
    says(panels[0], WARNING, "No press seen yet.")
    says(panels[1], OK, "a press was seen")
    says(readers[0], OK, "Reader b0a2d1/0 (pn532) sees a card.")
    says(readers[1], WARNING, "No card seen yet.")
    says(found[-3], WARNING, "No card seen yet: b0a2d1/1.", "Lay a card on each reader")
    says(found[-2], WARNING, "No button pressed yet: b0a2d1/0.", "gryphon devices test.")


def test_a_board_without_anything_says_where_to_ask(tmp_path: Path) -> None:
    with ScriptedBoard(tmp_path / "port", readers=0, panels=0):
        found = boards(config(tmp_path / "port"))
    (bare,) = [finding for finding in found if finding.about == doctor.READERS]
    says(bare, WARNING, "Board b0a2d1 has neither a reader nor a panel.", "gryphon firmware check.")


def test_a_reader_that_does_not_answer_is_a_fault(tmp_path: Path) -> None:
    """Its board says so a moment after the greeting."""
    with ScriptedBoard(tmp_path / "port", readers=1, panels=0) as board:
        greet = board.greeting

        def absent(nonce: str) -> None:
            greet(nonce)
            threading.Timer(0.1, board.say, ("health", 0, "absent")).start()

        board.greeting = absent
        found = boards(config(tmp_path / "port"))
    (reader,) = [f for f in found if f.about == doctor.READERS]
    says(reader, FAULT, "does not answer", "wires")


def test_ports_that_are_no_boards(tmp_path: Path) -> None:
    """A file that is no port, and a port at which nobody greets."""
    (tmp_path / "a").touch()
    assert [refusal.port for refusal in find([str(tmp_path / "a")])] == [str(tmp_path / "a")]
    found = boards(config(tmp_path / "a"))
    says(next(f for f in found if f.state == FAULT), FAULT, "a is not in use.", "not a serial port")


def test_a_silent_port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedBoard(tmp_path / "port") as board:
        board.hung = board.mute = True
        here = list(find([str(tmp_path / "port")], seconds=0.5))
        assert here == [Silent(str(tmp_path / "port"))]
        monkeypatch.setattr("hardware.found.find", lambda ports, adapters: here)
        found = boards(config(tmp_path / "port"))
    assert any(f.state == WARNING and "Nothing greets at" in WORDS(f.text) for f in found)


def test_a_board_is_told_while_another_port_is_still_asked(tmp_path: Path) -> None:
    with ScriptedBoard(tmp_path / "a") as mute, ScriptedBoard(tmp_path / "b"):
        mute.hung = mute.mute = True
        found = examine([Check(doctor.BOARDS, lambda: doctor.devices(config(tmp_path / "a", tmp_path / "b"), print))])
        began, times = time.monotonic(), {}
        for finding in found:
            times.setdefault(WORDS(finding.about), time.monotonic() - began)
            last = finding
    assert times["Ports"] < times["Boards"] < times["Lights"] - 1.0
    says(last, OK, "seat lights")


def test_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    says(doctor.pins("none", lambda: None)[0], OK, "names no buttons")
    panel = Panel(wiring="matrix", rows=(5, 6), columns=(16, 17, 18, 19, 20, 21, 22))
    (found,) = doctor.pins("matrix", lambda: compose.panels(panel, print))
    assert found.state == FAULT and found.remedy is not None  # there are no real pins here
    monkeypatch.setattr(hardware_panel, "usable_factory", lambda: MockFactory(pin_class=MockPWMPin))
    says(doctor.pins("matrix", lambda: compose.panels(panel, print))[0], OK, "pins through MockFactory")
    twice = Panel(wiring="matrix", rows=(5, 5), columns=(16, 17, 18, 19, 20, 21, 5))
    found = doctor.pins("matrix", lambda: compose.panels(twice, print))[0]
    says(found, FAULT, "cannot be used", "Pin 5 is used 3 times")


def test_beside_an_open_table_devices_and_screen_are_left_alone(tmp_path: Path) -> None:
    checks = doctor.all_checks(config(tmp_path / "port"), tmp_path / "games", "en", True, lambda: pytest.fail("pins"))
    found = list(examine([c for c in checks if c.about in (doctor.BOARDS, doctor.PINS, screen.WINDOW)]))
    for finding in found:
        says(finding, WARNING, "Not looked at", "Close the table")
    assert len(found) == 4


def test_the_advice_about_missing_packages_works_as_it_is_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    """pip is asked what it would do, with no network and the builder that is there."""
    remedy = doctor.python((3, 12), {"gpiozero": "2"}.get).remedy
    assert remedy is not None
    command = WORDS(remedy).removeprefix("In a terminal: ")
    asked = {"PIP_DRY_RUN": "1", "PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0"}
    done = subprocess.run(["bash", "-c", command], env={**os.environ, **asked}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "gryphon-table" in done.stdout
    monkeypatch.setattr("sys.prefix", sys.base_prefix)
    remedy = doctor.python((3, 12), {"gpiozero": "2"}.get).remedy
    assert remedy is not None
    asked_of_make = WORDS(remedy).removeprefix("In a terminal: ").replace("make ", "make -n ", 1)
    done = subprocess.run(["bash", "-c", asked_of_make], capture_output=True, text=True)
    assert done.returncode == 0 and "gryphon" in done.stdout, done.stderr
