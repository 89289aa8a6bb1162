"""`gryphon firmware install` and `check`: on real MicroPython that restarts as a Pico does, and on scripted boards."""

import ast
import json
import os
import subprocess
import threading
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from firmware import wire
from hardware import install, signals
from hardware.install import Failed, Greeting, Patience
from tests.firmware.pico import MICROPYTHON, Pico
from tests.hardware.boards import ScriptedBoard, wait_until

PLAN = {"readers": [{"chip": "mfrc522", "bus": "spi0", "sck": 18, "mosi": 19, "miso": 16, "select": 17}]}
CHIPS = {"spi0/17": "mfrc522"}
QUICK = Patience(greeting=0.6, prompt=0.5, restart=0.5)
BUSY = Patience(greeting=15.0, prompt=5.0, restart=60.0)  # this machine may be busy
NO_FIRMWARE = replace(BUSY, greeting=2.0)  # on a board that will never greet


def real(test):
    """On real MicroPython, which takes mpremote some seconds."""
    return pytest.mark.slow(pytest.mark.skipif(not MICROPYTHON, reason="no MicroPython on this machine")(test))


def files(pico):
    return {path.name: path.read_bytes() for path in pico.flash.iterdir() if path.suffix in (".py", ".json")}


def ours():
    return {f"{name}.py": (install.FOLDER / f"{name}.py").read_bytes() for name in install.FILES}


@real
def test_a_board_with_our_firmware_is_written_anew_and_keeps_its_board_json(tmp_path):
    pico = Pico(tmp_path, CHIPS)
    pico.write(PLAN)
    (pico.flash / "lamp.py").write_text((pico.flash / "lamp.py").read_text() + "# of last year\n")
    with pico:
        steps = []
        greeting = install.install(str(pico.port), None, steps.append, BUSY)
        assert steps == ["asks", "restarts", "copies", "greets"]
        assert (greeting.verdict, greeting.readers, greeting.board) == ("same", 1, "fa4e00000000b0a2")
        there = files(pico)
        assert json.loads(there.pop("board.json")) == PLAN
        there.pop("chips.json")
        assert there == ours()
        assert pico.starts == 3  # plugged in, update, reset


@real
def test_a_new_board_that_has_nothing_but_micropython_gets_all_of_it(tmp_path):
    with Pico(tmp_path, CHIPS) as pico:
        steps = []
        greeting = install.install(str(pico.port), json.dumps(PLAN), steps.append, NO_FIRMWARE)
        assert steps == ["asks", "copies", "greets"]
        assert (greeting.readers, greeting.remark) == (1, "")
        assert ours().items() <= files(pico).items()


@real
def test_half_a_firmware_is_written_again(tmp_path):
    """The cable came loose in the middle: main.py is not there yet, or does not start."""
    pico = Pico(tmp_path, CHIPS)
    pico.write(PLAN)
    (pico.flash / "wire.py").write_text("PROTO")
    with pico:
        assert install.install(str(pico.port), None, patience=NO_FIRMWARE).verdict == "same"


@real
@pytest.mark.parametrize("named", [True, False])
def test_somebodys_own_program_is_left_as_it_is_until_somebody_agrees(tmp_path, monkeypatch, named):
    """With and without --port; it runs again afterwards. It may even have files of our names."""
    program = "# blinks my lamp\nprint('it runs')\n"
    pico = Pico(tmp_path, CHIPS)
    (pico.flash / "main.py").write_text(program)
    (pico.flash / "pins.py").write_text("LAMP = 3\n")
    asked = []
    with pico:
        path = os.path.realpath(pico.port)
        if not named:
            picos(monkeypatch, path)
        where = {"named": str(pico.port) if named else None, "configured": None if named else [str(tmp_path / "none")]}
        with pytest.raises(Failed) as failed:
            install.install(plan=json.dumps(PLAN), patience=NO_FIRMWARE, **where)
        assert (failed.value.why, failed.value.detail) == (install.FOREIGN, "main.py")
        assert (pico.flash / "main.py").read_text() == program
        assert not (pico.flash / "board.json").exists()
        wait_until(lambda: pico.starts == 2)  # its program was begun anew
        monkeypatch.undo()

        def agree(port, files):
            asked.append((port, files))
            return True

        wait_until(pico.port.exists)
        greeting = install.install(str(pico.port), json.dumps(PLAN), patience=NO_FIRMWARE, agree=agree)
    assert (greeting.verdict, asked) == ("same", [(str(pico.port), ["main.py"])])
    assert ours().items() <= files(pico).items()


@real
@pytest.mark.parametrize(
    ("left", "lost"),
    [
        ({"main.mpy": "M"}, ["main.mpy"]),
        ({"pins.py": "LAMP = 3\n", "ports.py": "\nimport machine\n"}, ["pins.py", "ports.py"]),  # not started by itself
        ({"data.csv": "1,2\n", "boot.py": "# boot\n"}, []),  # stays where it is
        ({"main.py": ""}, []),
        ({"pins.py": None, "wire.py": "PROTO"}, []),  # half of ours, and spoilt
    ],
)
def test_what_would_be_lost_is_looked_at_first(tmp_path, left, lost):
    pico = Pico(tmp_path, CHIPS)
    for name, text in left.items():
        (pico.flash / name).write_text((install.FOLDER / name).read_text()[:300] if text is None else text)
    with pico:
        with install._Talk(str(pico.port)) as talk:
            assert talk.at_prompt(BUSY.prompt)
        assert install._foreign(str(pico.port), BUSY) == lost


@real
def test_what_the_board_says_about_its_board_json_is_told(tmp_path):
    pico = Pico(tmp_path, CHIPS)
    pico.write()
    with pico:
        with pytest.raises(Failed) as failed:
            install.install(str(pico.port), None, patience=BUSY)
        assert (failed.value.why, failed.value.detail[:12]) == (install.BOARD_JSON, "there is non")


@real
def test_main_goes_first_and_comes_last(tmp_path, monkeypatch):
    """So that a board with half of the files shows its prompt, whatever is missing."""
    steps = []

    def run(command, **_):
        if install.LOOK in command:
            return subprocess.CompletedProcess(command, 0, "", "")
        steps.extend(command)
        return subprocess.CompletedProcess(command, 1, "", "no such thing")

    monkeypatch.setattr(install.subprocess, "run", run)
    with Pico(tmp_path) as pico, pytest.raises(Failed) as failed:
        install.install(str(pico.port), "{}", patience=NO_FIRMWARE)
    assert (failed.value.why, failed.value.detail) == (install.COPY, "no such thing")
    copied = [step[1:] for step in steps if step.startswith(":")]
    assert "main.py" in steps[steps.index("exec") + 1]
    assert copied == ["board.json", *(f"{name}.py" for name in install.FILES)]


def test_every_file_that_a_board_imports_is_copied_and_no_other():
    needed, todo = set(), ["main"]
    while todo:
        name = todo.pop()
        needed.add(name)
        for node in ast.walk(ast.parse((install.FOLDER / f"{name}.py").read_text())):
            named = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            named += [node.module] if isinstance(node, ast.ImportFrom) else []
            todo += [n for n in named if (install.FOLDER / f"{n}.py").exists() and n not in needed]
    assert set(install.FILES) == needed
    assert install.FILES[-1] == "main"


def test_a_hung_board_is_told_apart(tmp_path):
    with ScriptedBoard(tmp_path / "port") as board:
        board.hung = True
        with pytest.raises(Failed) as failed:
            install.install(str(tmp_path / "port"), None, patience=QUICK)
    assert failed.value.why == install.HUNG


def test_a_greeting_that_leaves_words_out_is_none(tmp_path):
    with ScriptedBoard(tmp_path / "port") as board:
        board.greeting = lambda nonce: board.say("hello", nonce, 1)
        (found,) = install.check(str(tmp_path / "port"), QUICK)
    assert found.why == install.HUNG


def test_a_bottomless_plan_is_refused():
    with pytest.raises(Failed) as failed:
        install.check_plan("[" * 100_000)
    assert failed.value.why == install.NO_JSON


def test_a_board_that_does_not_come_back_is_told(tmp_path):
    with ScriptedBoard(tmp_path / "port") as board:
        with pytest.raises(Failed) as failed:
            install.install(str(tmp_path / "port"), None, patience=QUICK)
        assert failed.value.why == install.LOST
        assert "update" in board.kinds()


def test_no_port_and_no_mpremote(tmp_path, monkeypatch):
    with pytest.raises(Failed) as failed:
        install.install(str(tmp_path / "none"), None, patience=QUICK)
    assert failed.value.why == install.NO_PORT
    monkeypatch.setattr(install, "find_spec", lambda _: None)
    with pytest.raises(Failed) as failed:
        install.install(str(tmp_path / "none"), None, patience=QUICK)
    assert failed.value.why == install.NO_TOOL


def test_two_boards_have_to_be_told_apart(tmp_path):
    with ScriptedBoard(tmp_path / "a"), ScriptedBoard(tmp_path / "b", board="c"), pytest.raises(Failed) as failed:
        install.install(str(tmp_path / "[ab]"), None, patience=QUICK)
    assert failed.value.why == install.SEVERAL
    assert failed.value.detail == f"{tmp_path / 'a'}, {tmp_path / 'b'}"


def picos(monkeypatch, *paths):
    """Those ports are a Raspberry Pi's own USB plugs."""
    plugs = [SimpleNamespace(device=str(path), vid=install.RASPBERRY, serial_number=None) for path in paths]
    monkeypatch.setattr(install.list_ports, "comports", lambda: plugs)


@pytest.mark.parametrize("where", ["among the ports", "beside them"])
def test_a_new_pico_beside_a_working_board_is_a_second_one(tmp_path, monkeypatch, where):
    """The working one greets, the new one does not: that makes it no better choice."""
    with ScriptedBoard(tmp_path / "good") as good, ScriptedBoard(tmp_path / "new") as new:
        new.hung = True
        (tmp_path / "by-id").symlink_to(tmp_path / "good")
        picos(monkeypatch, *(os.path.realpath(tmp_path / name) for name in ("good", "new")))
        ports = [str(tmp_path / "by-id"), *([str(tmp_path / "new")] if where == "among the ports" else [])]
        with pytest.raises(Failed) as failed:
            install.install(None, None, patience=QUICK, configured=ports)
        assert failed.value.why == install.SEVERAL
        assert [os.path.realpath(path) for path in failed.value.detail.split(", ")] == [
            os.path.realpath(tmp_path / name) for name in ("good", "new")
        ]
        assert "update" not in good.kinds() + new.kinds()


@pytest.mark.parametrize("beside", ["an adapter", "a stranger"])
def test_what_can_be_no_board_does_not_count(tmp_path, monkeypatch, beside):
    """A named adapter is a chip, whoever made its plug; and what is no Pico may only be written where it is named."""
    with ScriptedBoard(tmp_path / "good") as good, ScriptedBoard(tmp_path / "other") as other:
        other.hung = True
        adapters = [str(tmp_path / "other")] if beside == "an adapter" else []
        picos(monkeypatch, *map(os.path.realpath, adapters))
        ports = [str(tmp_path / "good"), str(tmp_path / "other")]
        with pytest.raises(Failed) as failed:
            install.install(None, None, patience=QUICK, adapters=adapters, configured=ports)
        assert (failed.value.why, failed.value.detail) == (install.LOST, str(tmp_path / "good"))  # none restarts here
        assert "update" in good.kinds() and "update" not in other.kinds()


def test_one_new_pico_alone_is_taken(tmp_path, monkeypatch):
    with ScriptedBoard(tmp_path / "new") as new:
        new.hung = True
        path = os.path.realpath(tmp_path / "new")
        picos(monkeypatch, path)
        with pytest.raises(Failed) as failed:
            install.install(None, None, patience=QUICK, configured=[str(tmp_path / "none")])
    assert (failed.value.why, failed.value.detail) == (install.HUNG, path)  # it was asked for its prompt


def test_what_is_no_port_is_called_that(tmp_path):
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path, Path("/dev/null")):
        with pytest.raises(Failed) as failed:
            install.install(str(path), None, patience=QUICK)
        assert failed.value.why == signals.NOT_SERIAL
        assert install.check(str(path))[0].why == signals.NOT_SERIAL


@pytest.mark.parametrize(
    ("text", "why", "detail"),
    [
        ("{\n", install.NO_JSON, "2"),
        ('{"readers": 3}', install.BAD_PLAN, "readers must be a list"),
        (json.dumps(PLAN).replace("17", "1" * 5000), install.BAD_PLAN, "111111111111 is no pin"),
        ('{"mcu": ' + "9" * 5000 + "}", install.BAD_PLAN, "mcu must be a word"),
    ],
)
def test_a_wrong_plan_is_refused_before_anything_is_asked(text, why, detail):
    with pytest.raises(Failed) as failed:
        install.check_plan(text)
    assert failed.value.why == why
    assert detail in failed.value.detail


OURS = wire.FIRMWARE
MAJOR = int(OURS.split(".")[0])


def test_a_board_with_a_name_that_is_no_id_is_told(tmp_path):
    with ScriptedBoard(tmp_path / "a", board="gpio"):
        (greeting,) = install.check(str(tmp_path / "a"))
    assert (greeting.board, greeting.verdict) == ("gpio", "id")


@pytest.mark.parametrize(
    ("protocol", "version", "verdict"),
    [
        (1, OURS, "same"),
        (1, "0.3.0", "older"),
        (1, "0.3", "older"),
        (1, f"{MAJOR}.1000.0", "newer"),
        (1, f"{MAJOR + 1}.0", "newer"),
        (1, "mine", "older"),
        (0, "9.9.9", "old"),
        (2, OURS, "new"),
    ],
)
def test_versions_are_compared(protocol, version, verdict):
    assert Greeting("port", protocol, version).verdict == verdict


def test_check_reads_whole_greetings_and_says_what_is_sick(tmp_path):
    with ScriptedBoard(tmp_path / "a") as board:

        def greet(nonce):
            board._greet(nonce)
            board.say("health", 1, "absent")
            board.raw(b"board.json: it is only so so\n")

        board.greeting = greet
        (greeting,) = install.check(str(tmp_path / "a"))
    assert greeting == Greeting(str(tmp_path / "a"), 1, "0.3.0", "b0a2d1", 2, 1, [1], "it is only so so")


def test_check_of_an_older_protocol_and_of_a_hung_board(tmp_path):
    with ScriptedBoard(tmp_path / "a", protocol=0), ScriptedBoard(tmp_path / "b") as hung:
        hung.hung = True
        old, nothing = install.check(str(tmp_path / "[ab]"), QUICK)
    assert (old.protocol, old.verdict) == (0, "old")
    assert nothing.why == install.HUNG


def test_check_of_a_board_that_is_pulled_out_meanwhile(tmp_path):
    board = ScriptedBoard(tmp_path / "a")
    board.hung = True
    threading.Timer(0.3, board.unplug).start()
    (pulled,) = install.check(str(tmp_path / "a"), replace(QUICK, greeting=5.0))
    assert pulled.why == signals.UNPLUGGED


def test_garbage_before_and_between_does_no_harm(tmp_path):
    with ScriptedBoard(tmp_path / "a") as board:

        def greet(nonce):
            board.raw(b"\x00\xff MicroPython\r\n>>> 00 hello 0000 1 9 x*0000\n")
            board._greet(nonce)

        board.greeting = greet
        (greeting,) = install.check(str(tmp_path / "a"))
    assert (greeting.board, greeting.readers) == ("b0a2d1", 2)
