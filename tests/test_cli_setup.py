"""`gryphon devices`, `cards` and `doctor` as a person types them, with the real firmware on the far end of a pty."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.adapters.sqlite import Store, open_store
from companion.cli import main
from companion.compose import DATABASE
from hardware.fakes import FakeAdapter, FakeBoard

PATIENCE = 40.0
BOARD = "fa4e00000000b0a2"


class Command:
    """A running command: what it prints, line by line, and its keyboard."""

    def __init__(self, *args: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-u", "-m", "companion", *args, "--lang", "en"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**os.environ, "GPIOZERO_PIN_FACTORY": ""},
        )  # fmt: skip
        self.lines: list[str] = []
        self._heard: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self.process.stdout:
            self._heard.put(line.rstrip("\n"))

    def wait(self, wanted: str) -> str:
        """The next line with these words."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                line = self._heard.get(timeout=max(0.01, until - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no {wanted!r} in {self.lines}") from None
            self.lines.append(line)
            if wanted in line:
                return line

    def type(self, text: str) -> None:
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def end(self) -> int:
        try:
            return self.process.wait(PATIENCE)
        finally:
            self.process.kill()


@pytest.fixture
def where(tmp_path: Path) -> list[str]:
    """Options for a data folder, and a config that names the fake board's port."""
    config = tmp_path / "config.toml"
    config.write_text(f'[readers]\nports = ["{tmp_path / "port"}"]\n')
    return ["--data", str(tmp_path / "data"), "--config", str(config)]


@pytest.fixture
def board(tmp_path: Path) -> Iterator[FakeBoard]:
    with FakeBoard(tmp_path / "port", readers=2, panels=1) as made:
        yield made


def run(*args: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main([*args, "--lang", "en"])
    out, err = capsys.readouterr()
    return code, out, err


def data(where: list[str]) -> Path:
    return Path(where[1])


# --- whose is whose -------------------------------------------------------------------------------------------------


def test_bind_seat_by_seat(board: FakeBoard, where: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A card on a reader, a button of the other place; then it is kept, and the list says so."""
    command = Command("devices", "bind", "--seats", "red,blue", *where)
    command.wait("Red: lay any card on your reader, or press any of your buttons.")
    command.wait(f"Here: {BOARD}/0, {BOARD}/1.")
    board.lay(1, "04A1B2C3")
    command.wait(f"Place {BOARD}/1 belongs to Red.")
    command.wait("Blue: lay any card")
    board.press(0, 3)
    command.wait(f"Place {BOARD}/0 belongs to Blue.")
    command.wait("Every seat has been asked.")
    assert command.end() == 0
    store = Store(data(where) / DATABASE, only_looks=True)
    assert store.settings()["devices"] == {f"{BOARD}/1": "red", f"{BOARD}/0": "blue"}
    store.close()
    code, out, _ = run("devices", *where, capsys=capsys)
    assert code == 0
    assert f"Board {BOARD}, firmware " in out
    assert f"Reader {BOARD}/1 (" in out and "): well." in out
    assert f"Place {BOARD}/1 belongs to Red." in out


def test_bind_skips_asks_again_and_ends_by_the_keyboard(board: FakeBoard, where: list[str]) -> None:
    command = Command("devices", "bind", "--seats", "red,blue,green", *where)
    command.wait("Red: lay any card on your reader, or")
    command.wait("Here: ")
    command.type("")
    command.wait("Blue: lay")
    board.lay(0, "04A1B2C3")
    command.wait("belongs to Blue")
    command.wait("Green: lay")
    command.type("r")
    command.wait("Blue: lay")
    command.type("q")
    assert command.end() == 0
    store = Store(data(where) / DATABASE, only_looks=True)
    assert store.settings()["devices"] == {}
    store.close()


def test_test_names_what_is_touched_and_shows_every_light(board: FakeBoard, where: list[str]) -> None:
    command = Command("devices", "test", *where)
    shown: list[str | None] = [None]
    until = time.monotonic() + PATIENCE
    while shown[-1] != "off":
        assert time.monotonic() < until, shown
        if board.lights.get(1) != shown[-1]:
            shown.append(board.lights[1])
        time.sleep(0.01)
    assert shown[1:] == ["find", "waiting", "locked", "refused", "turn", "gryphon", "off"]
    command.wait("Light: off")
    board.press(0, 5)
    command.wait(f"Panel {BOARD}/0 (no seat yet): button 5 is pressed.")
    board.release(0, 5)
    command.wait("button 5 is let go.")
    board.lay(0, "04A1B2C3")
    command.wait(f"Reader {BOARD}/0 (no seat yet): a card was laid.")
    until = time.monotonic() + PATIENCE
    while board.lights.get(0) != "find":
        assert time.monotonic() < until
        time.sleep(0.02)
    command.type("q")
    assert command.end() == 0


def test_a_bare_chip_is_listed_and_bound(where: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A PN532 on a USB-UART adapter, named in the file: a reader like any other."""
    (tmp_path / "config.toml").write_text(f'[readers]\nports = []\nadapters = ["{tmp_path}/adapt*"]\n')
    with FakeAdapter(tmp_path / "adapter") as adapter:
        command = Command("devices", "bind", "--seats", "green", *where)
        command.wait("Here: hsu-adapter/0.")
        adapter.lay(0, "04A1B2C3")
        command.wait("Place hsu-adapter/0 belongs to Green.")
        assert command.end() == 0
        code, out, _ = run("devices", *where, capsys=capsys)
    assert code == 0
    assert f"Ports     {tmp_path / 'adapter'}." in out
    assert "Board hsu-adapter, firmware" in out and "Reader hsu-adapter/0 (pn532): well." in out
    assert "Place hsu-adapter/0 belongs to Green." in out


# --- teaching -------------------------------------------------------------------------------------------------------


def test_teach_with_real_firmware(board: FakeBoard, where: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    command = Command("cards", "teach", *where)
    board.lay(1, "04112233")
    command.wait("Red: lay 1 (Hide) on any reader.")
    command.wait("A card lies on a reader already. Take it off, then lay it again.")
    board.lay(0, "04000000000001")
    command.wait("Red: lay 2 (Chase) on any reader.")
    board.lay(1, "0800AABB")
    command.wait("A phone or a bank card?")
    board.lift(0)
    board.lay(1, "04000000000001")
    command.wait("This sticker is 1 (Hide) of Red already. Lay it again to move it.")
    board.lay(0, "04000000000002")
    command.wait("Red: lay 3 (Explosion) on any reader.")
    command.type("r")
    command.wait("Red: lay 2 (Chase) on any reader.")
    command.type("q")
    assert command.end() == 0
    code, out, _ = run("cards", *where, capsys=capsys)
    assert code == 0
    assert "Red 1 (Hide)             04000000000001" in out
    assert out.endswith("1 of 28 cards have a sticker.\n")


def test_forget_export_import(where: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, _ = open_store(data(where) / DATABASE)
    store.bind("04AABBCC", "red", 4)
    store.bind("04AABBDD", "blue", 7)
    store.close()
    file = str(tmp_path / "stickers.txt")
    assert run("cards", "export", file, *where, capsys=capsys)[0] == 0
    assert Path(file).read_text() == "04AABBCC red 4\n04AABBDD blue 7\n"
    assert run("cards", "export", file, *where, capsys=capsys)[0] == 1
    code, out, _ = run("cards", "forget", "04aabbcc", *where, capsys=capsys)
    assert (code, out) == (0, "4 (Capture) of Red has lost this sticker.\n")
    code, _, err = run("cards", "forget", "04AABBCC", *where, capsys=capsys)
    assert (code, err) == (1, "gryphon: No card has the sticker 04AABBCC.\n")
    code, out, _ = run("cards", "import", file, *where, capsys=capsys)
    assert (code, out) == (0, "2 of 28 cards have a sticker.\n")
    for wrong in ("04AABBCC red 8", "04AABBC red 4", "red 4", "04AABBCC pink 4"):
        Path(file).write_text(f"04AABB11 red 1 # fine\n\n{wrong}\n")
        code, _, err = run("cards", "import", file, *where, capsys=capsys)
        assert code == 1 and "Line 3 is no sticker" in err
    assert "04AABB11" not in run("cards", *where, capsys=capsys)[1]


# --- beside an open table -------------------------------------------------------------------------------------------


def test_beside_an_open_table(where: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """What reads works; what would need the devices says where it is done instead."""
    store, _ = open_store(data(where) / DATABASE)
    store.bind("04AABBCC", "red", 4)
    store.change({"devices": {"b/0": "green"}})
    store.close()
    program = (
        "import sys, pathlib; from companion.adapters.sqlite import open_store;"
        "store, _ = open_store(pathlib.Path(sys.argv[1])); print('open', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(data(where) / DATABASE)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as table:
        table.stdout.readline()
        code, out, _ = run("cards", *where, capsys=capsys)
        assert code == 0 and "04AABBCC" in out
        code, out, _ = run("devices", *where, capsys=capsys)
        assert code == 0 and "The table is open" in out and "Place b/0 belongs to Green." in out
        for args in (("devices", "bind"), ("devices", "test"), ("cards", "teach"), ("cards", "forget", "04AABBCC")):
            code, out, err = run(*args, *where, capsys=capsys)
            assert (code, out) == (1, "") and "The table is open and has the devices." in err
        table.stdin.close()
    assert run("cards", "forget", "04AABBCC", *where, capsys=capsys)[0] == 0


def test_nothing_plugged_in_and_nothing_said(where: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run("devices", *where, capsys=capsys)
    assert code == 0
    assert "no reader board is plugged in" in out and "Nobody has said whose is whose." in out
    assert run("cards", *where, capsys=capsys)[1].endswith("0 of 28 cards have a sticker.\n")
    assert not data(where).exists()


def test_a_wrong_config_is_said(where: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "config.toml").write_text("[nonsense]\n")
    for args in (("devices",), ("doctor",), ("devices", "bind")):
        code, _, err = run(*args, *where, capsys=capsys)
        assert code == 1 and "no section [nonsense]" in err


def test_doctor_as_json(board: FakeBoard, where: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A real run: the window opens, the board greets, the disk is written."""
    code, out, _ = run("doctor", "--json", *where, capsys=capsys)
    found = [json.loads(line) for line in out.splitlines()]
    states = {line["check"]: line["state"] for line in found}
    assert code == (1 if "fault" in states.values() else 0)
    assert states["window"] == states["boards"] == states["readers"] == states["python"] == "ok"
    assert {"system", "groups", "ports", "lights", "pins", "sound", "broker", "disk", "clock", "power"} <= set(states)
    assert any(BOARD in line["text"] for line in found)
