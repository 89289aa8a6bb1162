"""`gryphon devices`, `cards` and `doctor` as a person types them, with the real firmware on the far end of a pty."""

from __future__ import annotations

import errno
import json
import os
import queue
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import hardware
from companion import doctor
from companion.adapters import checks as outside
from companion.adapters import sqlite
from companion.adapters.sqlite import Store, open_store, sum_of
from companion.cli import main
from companion.compose import DATABASE
from companion.table.ports import NotSaved
from hardware import wirings
from hardware.fakes import FakeAdapter, FakeBoard
from tests.damage import DAMAGES, NO_FILES, closed, spoil
from tests.hardware.boards import UID, ScriptedBoard

PATIENCE = 40.0
BOARD = "fa4e00000000b0a2"


class Command:
    """A running command: what it prints, line by line, and its keyboard."""

    def __init__(self, *args: str, lang: str = "en") -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-u", "-m", "companion", *args, "--lang", lang],
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


def run(*args: str, capsys: pytest.CaptureFixture[str], lang: str = "en") -> tuple[int, str, str]:
    code = main([*args, "--lang", lang])
    out, err = capsys.readouterr()
    return code, out, err


def data(where: list[str]) -> Path:
    return Path(where[1])


# --- whose is whose -------------------------------------------------------------------------------------------------


def test_bind_seat_by_seat(board: FakeBoard, where: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A card on a reader, a button of the other place; then it is kept, and the list says so."""
    command = Command("devices", "bind", "--seats", "red,blue", *where)
    command.wait(f"Here: {BOARD}/0, {BOARD}/1.")
    command.wait("Red: lay any card on your reader, or press any of your buttons.")
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
    assert f"Reader {BOARD}/1 (" in out and ") sees a card." in out
    assert f"Place {BOARD}/1 belongs to Red." in out


def test_bind_skips_asks_again_and_ends_by_the_keyboard(board: FakeBoard, where: list[str]) -> None:
    command = Command("devices", "bind", "--seats", "red,blue,green", *where)
    command.wait("Here: ")
    command.wait("Red: lay any card on your reader, or")
    command.type("what?")
    command.wait("Enter skips")
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


@pytest.mark.parametrize(
    ("words", "told"),
    [("devices bind", "Nothing is"), ("devices test", "Nothing is"), ("cards teach", "No reader is")],
)
def test_who_has_nothing_plugged_in_is_told_so_and_what_comes_later_is_taken(words: str, told: str,
                                                                             tmp_path: Path) -> None:  # fmt: skip
    (tmp_path / "config.toml").write_text(f'[readers]\nports = ["{tmp_path}/board"]\n')
    command = Command(*words.split(), "--config", str(tmp_path / "config.toml"), "--data", str(tmp_path / "data"))
    command.wait(f"{told} plugged in that I can see.")
    with FakeBoard(tmp_path / "board"):
        command.wait("Here: ")
    command.type("q")
    assert command.end() == (words == "devices test")


def test_a_board_that_takes_its_time_is_not_called_absent(where: list[str], tmp_path: Path) -> None:
    """Some boards start anew when their port is opened: what is there is named meanwhile."""
    with ScriptedBoard(tmp_path / "port") as board:
        board.hung = board.mute = True
        command = Command("devices", "bind", *where)
        command.wait("Enter skips")
        time.sleep(3)
        board.hung = board.mute = False
        command.wait("Here: b0a2d1/0, b0a2d1/1.")
        command.type("q")
        assert command.end() == 0
    assert not any("plugged in" in line or "hung" in line for line in command.lines), command.lines


def test_a_test_in_which_nothing_was_touched_is_no_yes(where: list[str], tmp_path: Path) -> None:
    with ScriptedBoard(tmp_path / "port", readers=2, panels=1) as board:
        for touch, code, told in (
            ((), 1, ["No card seen yet: b0a2d1/0, b0a2d1/1.", "No button pressed yet: b0a2d1/0."]),
            ((("on", 0, UID), ("press", 0, 2)), 1, ["No card seen yet: b0a2d1/1."]),
            ((("on", 0, UID), ("on", 1, UID), ("press", 0, 2)), 0, ["Every reader has seen a card, every panel a pre"]),
        ):
            command = Command("devices", "test", *where)
            command.wait("Here: ")
            for frame in touch:
                board.say(*frame)
            for frame in touch:
                command.wait("Reader" if frame[0] == "on" else "Panel")
            command.type("q")
            for line in told:
                command.wait(line)
            assert command.end() == code


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
    command.wait(f"Reader {BOARD}/0 (no seat yet): a card is on it.")
    until = time.monotonic() + PATIENCE
    while board.lights.get(0) != "find":
        assert time.monotonic() < until
        time.sleep(0.02)
    command.type("q")
    command.wait(f"No card seen yet: {BOARD}/1.")
    assert command.end() == 1


def test_a_test_names_what_lies_there_and_no_light_where_there_is_none(where: list[str], tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(f'[readers]\nports = []\nadapters = ["{tmp_path}/adapt*"]\n')
    with FakeAdapter(tmp_path / "adapter") as adapter:
        adapter.lay(0, "04A1B2C3")
        adapter.unplug()
        adapter.plug()  # it lies there by then
        command = Command("devices", "test", *where)
        command.wait("Reader hsu-adapter/0 (no seat yet): a card is on it.")
        adapter.lift(0)
        command.wait("the card is gone.")
        command.type("q")
        assert command.end() == 0
    assert not any("Light:" in line for line in command.lines)


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
    assert "Board hsu-adapter, firmware" in out and "Reader hsu-adapter/0 (pn532) sees a card." in out
    assert "Place hsu-adapter/0 belongs to Green." in out


# --- teaching -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lang", "told"), [("en", "button 7"), ("pt", "botão 7")])
def test_the_wiring_in_words(lang: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run("devices", "wiring", capsys=capsys, lang=lang)
    assert (code, err) == (0, "")
    names = [line.split()[0] for line in out.splitlines()[:-3]]
    assert sorted(names) == sorted(path.stem for path in wirings.FOLDER.glob("*.svg"))
    assert Path(out.splitlines()[-1]) == (wirings.FOLDER if lang == "en" else wirings.FOLDER / lang)
    for name in names:
        code, out, err = run("devices", "wiring", name, capsys=capsys, lang=lang)
        assert (code, err) == (0, "")
        *lines, picture = out.splitlines()
        assert max(map(len, lines)) <= 80
        assert Path(picture).is_file() and Path(picture).stem == name
        assert (told in out) == (name in ("pi-matrix", "pi-direct"))


def test_a_wiring_that_is_not_drawn(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit) as end:
        main(["devices", "wiring", "five-rc522"])
    assert end.value.code == 2
    assert "'five-rc522' is none of: four-pn532, four-rc522, pi-matrix" in capsys.readouterr().err
    monkeypatch.delattr(hardware, "wirings")
    monkeypatch.setitem(sys.modules, "hardware.wirings", None)
    for name in ([], ["four-rc522"]):
        code, out, err = run("devices", "wiring", *name, capsys=capsys)
        assert (code, out, err[:43]) == (1, "", "gryphon: The device libraries are not insta")


def test_teach_with_real_firmware(board: FakeBoard, where: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    command = Command("cards", "teach", *where)
    board.lay(1, "04112233")
    command.wait("Red: lay 1 (Hide) on any reader.")
    command.wait("A card lies on a reader already. Take it off, then lay it again.")
    board.lay(0, "04000000000001")
    command.wait("Red: lay 2 (Chase) on any reader.")
    board.lay(1, "0800AABB")
    command.wait("A phone or a bank card?")
    board.lay(1, "01020304")
    command.wait("A phone or a bank card?")
    board.lift(0)
    board.lay(1, "04000000000001")
    command.wait("This sticker is 1 (Hide) of Red already. Lay it again to move it.")
    board.lay(0, "04000000000002")
    command.wait("Red: lay 3 (Explosion) on any reader.")
    command.type("r")
    command.wait("2 (Chase) of Red has lost this sticker.")
    command.wait("Red: lay 2 (Chase) on any reader.")
    command.type("q")
    command.wait("1 of 28 cards have a sticker.")
    assert command.end() == 0
    code, out, _ = run("cards", *where, capsys=capsys)
    assert code == 0
    assert "Red 1 (Hide)             04000000000001" in out
    assert out.endswith("1 of 28 cards have a sticker.\n")


def test_teach_asks_for_the_card_that_is_typed_and_goes_back(where: list[str]) -> None:
    command = Command("cards", "teach", *where)
    command.wait("b asks for the card before, Green 3 for that card,")
    command.wait("Red: lay 1 (Hide)")
    command.type("Green  3")
    command.wait("Green: lay 3 (Explosion)")
    command.type("b")
    command.wait("Green: lay 2 (Chase)")
    command.type("red 1")
    command.wait("Red: lay 1 (Hide)")
    command.type("b")
    command.wait("Red: lay 1 (Hide)")  # there is none before it
    for unknown in ("green 8", "green", "3", "verde 3", "green 3 2"):
        command.type(unknown)
        command.wait("Enter skips, b asks")
    command.type("q")
    assert command.end() == 0
    assert [line for line in command.lines if "on any reader" in line] == [
        f"{card} on any reader." for card in (
            "Red: lay 1 (Hide)", "Green: lay 3 (Explosion)", "Green: lay 2 (Chase)", "Red: lay 1 (Hide)",
            "Red: lay 1 (Hide)",
        )
    ]  # fmt: skip


def test_teach_knows_the_colours_of_its_language_and_their_ids(where: list[str]) -> None:
    command = Command("cards", "teach", *where, lang="pt")
    command.wait("b pede a carta anterior, Verde 3 pede essa carta,")
    command.wait("Vermelho")
    for typed, asked in (("amarelo 7", "Amarelo"), ("green 3", "Verde")):
        command.type(typed)
        assert typed[-1] in command.wait(asked)
    command.type("q")
    assert command.end() == 0


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
    # as an editor leaves it that begins a file with a mark
    Path(file).write_text(Path(file).read_text(), encoding="utf-8-sig", newline="\r\n")
    code, out, _ = run("cards", "import", file, *where, capsys=capsys)
    assert (code, out) == (0, "2 of 28 cards have a sticker.\n")
    for wrong in ("04AABBCC red 8", "04AABBC red 4", "red 4", "04AABBCC pink 4"):
        Path(file).write_text(f"04AABB11 red 1 # fine\n\n{wrong}\n")
        code, _, err = run("cards", "import", file, *where, capsys=capsys)
        assert code == 1 and "Line 3 is no sticker" in err
    assert "04AABB11" not in run("cards", *where, capsys=capsys)[1]


def test_import_refuses_what_could_not_be_found_again(
    where: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "stickers.txt"
    for wrong, says in (
        ("08aabbcc red 1", "Line 2 is a phone, a bank card or a blank sticker: no number of its own."),
        ("01020304 red 1", "Line 2 is a phone, a bank card or a blank sticker: no number of its own."),
        ("ffffffffffffff red 1", "Line 2 is a phone, a bank card or a blank sticker: no number of its own."),
        ("04aabb11 red 2", "Line 2 has the sticker 04AABB11 once more, for another card."),
    ):
        file.write_text(f"04AABB11 red 1\n{wrong}\n")
        assert run("cards", "import", str(file), *where, capsys=capsys) == (1, "", f"gryphon: {says}\n")
    file.write_text("04AABB11 red 1\n04aabb11 red 1\n08AABBCCDDEEFF red 2\n")
    assert run("cards", "import", str(file), *where, capsys=capsys)[0] == 0


def test_import_takes_all_or_nothing(
    where: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a disk that is full after the first line, or where the plug is pulled."""
    (tmp_path / "stickers.txt").write_text("04AABB11 red 1\n04AABB12 red 2\n")
    calls = []

    def full(*row: object) -> int:
        calls.append(row)
        if len(calls) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        return sum_of(*row)

    with monkeypatch.context() as patch:
        patch.setattr(sqlite, "sum_of", full)
        code, out, err = run("cards", "import", str(tmp_path / "stickers.txt"), *where, capsys=capsys)
    assert (code, out) == (1, "") and "the disk is full" in err
    assert run("cards", *where, capsys=capsys)[1].endswith("0 of 28 cards have a sticker.\n")


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
    assert "I see no reader board on any USB port." in out and "Nobody has said whose is whose." in out
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
    assert states["window"] == states["boards"] == states["python"] == "ok"
    assert states["readers"] == states["touched"] == "warning"
    assert {"system", "groups", "ports", "lights", "pins", "sound", "broker", "disk", "clock", "power"} <= set(states)
    assert any(BOARD in line["text"] for line in found)


def test_doctor_tries_the_loudspeaker_that_is_heard(
    where: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What people chose on the screen; where they chose none, the installer's; and nothing where they chose that."""
    log = tmp_path / "asked"
    aplay = tmp_path / "aplay"
    aplay.write_text(f'#!/bin/sh\necho "$*" > {log}\n')
    aplay.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    examine = doctor.examine
    monkeypatch.setattr(doctor, "examine", lambda checks: examine([c for c in checks if c.about == outside.SOUND]))
    with Path(where[3]).open("a") as file:
        file.write('[voice]\noutput = "installers"\n')
    for chosen, heard in ((None, "-q -D installers"), ("people", "-q -D people"), ("", "-q")):
        if chosen is not None:
            store, _ = open_store(data(where) / "gryphon.sqlite3")
            store.change({"output": chosen})
            store.close()
        run("doctor", *where, capsys=capsys)
        assert log.read_text().rpartition(" ")[0] == heard


# --- what cannot be used --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_told_by_all_that_look(
    damage: str, where: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No empty list, no empty backup: what, where and what to do, and nothing is written."""
    data(where).mkdir()
    spoil(data(where) / DATABASE, damage)
    before = sorted(tmp_path.rglob("*"))
    file = tmp_path / "stickers.txt"
    for args in (("cards",), ("cards", "export"), ("cards", "export", str(file)), ("devices",), ("history", "list")):
        code, out, err = run(*args, *(where if args[0] != "history" else where[:2]), capsys=capsys)
        assert code == 1, args
        assert "04AABB" not in out and "Nobody has said" not in out and "of 28" not in out
        assert err.startswith(f'gryphon: "{data(where) / DATABASE}" cannot be used: ') and err.count("\n") == 1
        assert ("Move it away" if damage in NO_FILES else "damaged. Start the companion anew") in err
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_mended_and_told_by_all_that_write(
    damage: str, where: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "stickers.txt"
    file.write_text("04AABBEE green 1\n")
    for args in (("cards", "import", str(file)), ("cards", "forget", "04AABBEE"), ("cards", "teach", "--for", "0"),
                 ("devices", "bind", "--for", "0")):  # fmt: skip
        shutil.rmtree(data(where), ignore_errors=True)
        data(where).mkdir()
        spoil(data(where) / DATABASE, damage)
        code, _, err = run(*args, *where, capsys=capsys)
        if damage in NO_FILES:
            assert code == 1 and "cannot be used: it is not a file. Move it away" in err, args
            continue
        assert code == (args[1] == "forget"), (args, err)
        assert "gryphon: The file with the saved games was damaged" in err, args
        assert damage == "half put right" or f'kept as "{DATABASE}.damaged-1"' in err
        assert run("cards", *where, capsys=capsys)[0] == 0


@pytest.mark.parametrize("args", ["devices", "cards", "cards export", "history list", "devices bind --for 0"])
def test_a_data_folder_that_may_not_be_entered(
    args: str, where: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    closed(tmp_path / "closed", monkeypatch)
    folder = tmp_path / "closed" / "data"
    code, _, err = run(*args.split(), "--data", str(folder), capsys=capsys)
    assert code == 1
    assert err == (
        f'gryphon: "{folder / DATABASE}" cannot be used: the folder "{folder}" cannot be used.'
        " It must exist and belong to who runs the companion.\n"
    )


def test_the_doctor_has_a_whole_page_where_the_data_folder_may_not_be_entered(
    where: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    closed(tmp_path / "closed", monkeypatch)
    code, out, err = run("doctor", "--data", str(tmp_path / "closed" / "data"), *where[2:], capsys=capsys)
    assert (code, err) == (1, "")
    assert f"Disk      {tmp_path / 'closed' / 'data'} cannot be written." in out
    assert "Power" in out


def test_a_data_folder_that_is_a_file(where: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    for args in (("cards",), ("devices",), ("cards", "forget", "04AABBCC")):
        code, _, err = run(*args, "--data", str(tmp_path / "file"), capsys=capsys)
        assert code == 1 and f'"{tmp_path / "file" / DATABASE}" cannot be used: "{tmp_path / "file"}" is a file' in err
    code, out, _ = run("doctor", "--data", str(tmp_path / "file"), *where[2:], capsys=capsys)
    assert code == 1 and f'"{tmp_path / "file"}" is a file and can hold no other.' in out


LINKED = [
    "cards", "cards export", "history list", "devices", "cards forget 04AABBCC", "cards import stickers.txt",
    "devices bind --for 0", "history import evening.txt",
]  # fmt: skip


@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_link_to_a_disk_that_is_not_plugged_in(
    what: str, where: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No new file takes its place, and nobody says that there is no game yet."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "stickers.txt").write_text("04AABBCC red 1\n")
    shutil.copy(Path(__file__).parent / "evening.txt", tmp_path)
    link = data(where)
    if what == "file":
        link.mkdir()
        link /= DATABASE
    link.symlink_to(tmp_path / "stick" / "games")
    before = sorted(tmp_path.rglob("*"))
    lead = f'"{link}" leads to "{tmp_path / "stick" / "games"}", which is not there. Plug that disk in, or remove the'
    for line in LINKED:
        args = line.split()
        code, out, err = run(*args, *(where if args[0] != "history" else where[:2]), capsys=capsys)
        assert code == 1, line
        assert "yet" not in out and f'"{data(where) / DATABASE}" cannot be used: {lead}' in err, line
    code, out, _ = run("doctor", *where, capsys=capsys)
    assert code == 1 and lead in out
    store, told = open_store(data(where) / DATABASE)
    assert [message.params["why"].id[:15] for message in told] == ['"{link}" leads ']
    for write in (lambda: store.bind("04AABBCC", "red", 1), lambda: store.change({"lang": "pt"})):
        with pytest.raises(NotSaved):
            write()
    assert (store.box(), store.settings()) == ({}, {})
    store.close()
    assert sorted(tmp_path.rglob("*")) == before and link.is_symlink()


@pytest.mark.parametrize("whose", ["file", "folder"])
def test_what_belongs_to_somebody_else_is_called_that(
    whose: str, where: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite says that it can only be read; root may write everywhere, so it is pretended."""
    open_store(data(where) / DATABASE)[0].close()
    other = data(where) / DATABASE if whose == "file" else data(where)

    def refused(_store: Store) -> None:
        error = sqlite3.OperationalError("attempt to write a readonly database")
        error.sqlite_errorcode = sqlite3.SQLITE_READONLY
        raise error

    monkeypatch.setattr(Store, "_open", refused)
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode, **how: Path(path) != other and real(path, mode, **how))
    code, _, err = run("cards", "forget", "04AABBCC", *where, capsys=capsys)
    assert code == 1 and "must" in err and "belong to who runs the companion." in err


def test_a_user_without_a_home(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless(_class: type[Path]) -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("STATE_DIRECTORY", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", classmethod(homeless))
    assert run("cards", capsys=capsys) == (
        1, "", "gryphon: This user has no home folder. Say where games are kept: --data DIR.\n"
    )  # fmt: skip


def test_files_of_stickers_are_named(where: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "folder").mkdir()
    for args, says in (
        (("import", "nowhere.txt"), '"nowhere.txt" cannot be used: there is no such file.'),
        (("import", str(tmp_path / "folder")), '"folder" cannot be used: it is not a file. Move it away, or name'),
        (("import", "/dev/zero"), '"zero" cannot be used: it is too large to be one of ours.'),
        (("export", str(tmp_path / "none" / "a.txt")), f'"a.txt" cannot be used: the folder "{tmp_path / "none"}"'),
    ):
        code, _, err = run("cards", *args, *where, capsys=capsys)
        assert code == 1 and err.startswith(f"gryphon: {says}")


# --- the terminal ---------------------------------------------------------------------------------------------------


def shell(line: str, **env: str) -> tuple[int, str, str]:
    """A line for the shell, in which `gryphon` is ours; its exit code is that of gryphon."""
    ours = f'gryphon() {{ {sys.executable} -m companion "$@"; }}'
    env = {**os.environ, "LANG": "C", "PYTHONUNBUFFERED": "", **env}
    done = subprocess.run(
        ["bash", "-c", f"{ours}\n{line}; exit ${{PIPESTATUS[0]}}"],
        env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=PATIENCE * 2,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    "command", ["doctor", "doctor --json", "devices", "devices bind", "devices test", "cards", "cards teach"]
)
def test_whoever_stops_reading_is_no_fault(command: str, board: FakeBoard, where: list[str]) -> None:
    """`gryphon devices test | head -1`: quiet, and well; also where what it would complain to is closed, too."""
    for pipe in ("| head -1", "2>&1 | head -1"):
        code, out, err = shell(f"gryphon {command} {' '.join(where)} {pipe}")
        assert (code, err) == (0, "") and out.count("\n") == 1


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_a_full_disk_is_one_sentence_and_no_line_of_a_log(lang: str, where: list[str], tmp_path: Path) -> None:
    """As a program: what Python would write to the terminal by itself is seen only there."""
    program = (
        "import os, sqlite3, sys; from companion.adapters import sqlite_file; from companion.cli import main\n"
        "def full(path): raise OSError(28, 'No space left on device')\n"
        "sqlite_file.connect = sqlite_file.create = sqlite_file.mend = full\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "cards", "forget", "04AABBCC", *where, "--lang", lang],
        capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert f'gryphon: "{data(where) / DATABASE}"' in done.stderr
    assert ("the disk is full" if lang == "en" else "o disco está cheio") in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_what_is_printed_for_programs_is_whole_on_every_terminal(encoding: str, tmp_path: Path) -> None:
    folder = tmp_path / "Jogos é 日"
    code, out, err = shell(f"gryphon doctor --json --lang pt --data '{folder}'", PYTHONIOENCODING=encoding)
    found = {line["check"]: line["text"] for line in map(json.loads, out.splitlines())}
    assert code in (0, 1) and err == ""
    assert str(folder) in found["disk"]


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ("devices watch --for x", "'x' is no number of seconds"),
        ("devices watch --for -1", "'-1' is no number of seconds"),
        ("devices test --for nan", "'nan' is no number of seconds"),
        ("devices watch --port=", "a port must be named"),
        ("devices bind --seats red,pink", "'red,pink' must be different colours of: red,blue,green,yellow"),
        ("devices bind --seats red,red", "must be different colours"),
        ("demo --seats x", "'x' is no whole number"),
        ("demo --seed 1.5", "'1.5' is no whole number"),
        ("--rotate x", "'x' is no whole number"),
    ],
)
def test_wrong_arguments_get_a_sentence(args: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(args.split())
    err = capsys.readouterr().err
    assert ended.value.code == 2 and says in err
    assert "invalid _" not in err and "invalid int" not in err


@pytest.mark.parametrize("args", ["doctor", "doctor --json", "devices", "cards"])
def test_a_closed_output_is_no_fault_of_ours(args: str, tmp_path: Path) -> None:
    closed = shell(f"gryphon {args} --data '{tmp_path}' >&-")
    assert closed[0] in (0, 1) and "Traceback" not in closed[2]


@pytest.mark.parametrize(
    ("args", "code"), [("devices watch", 0), ("doctor", 130), ("cards", 130), ("devices bind", 130)]
)
def test_ctrl_c_while_the_program_is_still_read(args: str, code: int, tmp_path: Path) -> None:
    """Wherever it comes: each of the modules that are read is where it is pressed once."""
    program = (
        "import builtins, sys; real = builtins.__import__; at = sys.argv.pop(1)\n"
        "def read(name, *rest):\n"
        "    if name == at: raise KeyboardInterrupt\n"
        "    return real(name, *rest)\n"
        "builtins.__import__ = read\n"
        "from companion.cli import main\n"
        "sys.exit(main())"
    )
    modules = ["argparse", "companion.config", "companion.wording", "companion.games.sir_holland"]
    modules += ["hardware.watch", "hardware.nfc", "serial"] if args == "devices watch" else ["companion.compose"]
    for at in modules:
        done = subprocess.run(
            [sys.executable, "-c", program, at, *args.split()], capture_output=True, text=True, check=False, timeout=20
        )
        assert (done.returncode, done.stdout, done.stderr) == (code, "", ""), at


def test_at_the_end_of_a_test_all_lamps_are_off(board: FakeBoard, where: list[str]) -> None:
    """However it ends, and each light is asked for once, though a reader and a panel have one name."""
    ends = {"int": signal.SIGINT, "term": signal.SIGTERM, "hup": signal.SIGHUP}
    for end in ("q", "", *ends):
        command = Command("devices", "test", *where, *(["--for", "3"] if end == "" else []))
        command.wait("Light: waiting")
        until = time.monotonic() + PATIENCE
        while board.lights.get(1) != "waiting":
            assert time.monotonic() < until
            time.sleep(0.01)
        if end == "q":
            command.type("q")
        elif end:
            command.process.send_signal(ends[end])
        assert command.end() == (143 if end in ("term", "hup") else 1)
        until = time.monotonic() + 5
        while set(board.lights.values()) != {"off"}:
            assert time.monotonic() < until, (end, board.lights)
            time.sleep(0.01)


def test_each_light_is_asked_for_once(where: list[str], tmp_path: Path) -> None:
    with ScriptedBoard(tmp_path / "port", readers=1, panels=1) as board:
        command = Command("devices", "test", *where)
        command.wait("Light: off")
        command.type("q")
        assert command.end() == 1
        asked = [args[1] for _seq, kind, args in board.heard if kind == "light"]
    assert asked[:7] == ["find", "waiting", "locked", "refused", "turn", "gryphon", "off"]


def test_a_port_that_says_nothing_is_waited_for_in_the_open(where: list[str], tmp_path: Path) -> None:
    with ScriptedBoard(tmp_path / "port") as board:
        board.hung = board.mute = True
        began = time.monotonic()
        command = Command("devices", *where)
        command.wait("Asking the ports. That takes a few seconds.")
        command.wait("Ports ")
        known = time.monotonic() - began
        command.wait("Nothing greets at")
        assert time.monotonic() - began > known + 2
        assert command.end() == 0


def test_without_a_screen_the_way_to_what_is_plugged_in_is_told() -> None:
    code, out, err = shell("gryphon --lang en | head -4", DISPLAY="", WAYLAND_DISPLAY="", SDL_VIDEODRIVER="")
    assert code == 0 and err == ""
    assert "What is plugged in: gryphon devices. What works and what does not: gryphon doctor." in out
