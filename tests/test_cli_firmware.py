"""`gryphon firmware ...` as a person types it."""

from __future__ import annotations

import io
import json

import pytest

from companion.cli import main
from firmware import wire
from hardware import install, nfc
from hardware.fakes import FakeAdapter
from hardware.install import Failed, Greeting
from tests.firmware.pico import MICROPYTHON, Pico
from tests.hardware.boards import ScriptedBoard

PLAN = {"readers": [{"chip": "mfrc522", "bus": "spi0", "sck": 18, "mosi": 19, "miso": 16, "select": 17}]}


def run(capsys, *args, lang="en"):
    code = main(["firmware", *args, "--lang", lang])
    out, err = capsys.readouterr()
    return code, out.splitlines(), err.strip()


@pytest.mark.skipif(not MICROPYTHON, reason="no MicroPython on this machine")
def test_install_from_the_plan_to_the_greeting(tmp_path, capsys):
    (tmp_path / "plan.json").write_text(json.dumps(PLAN))
    with Pico(tmp_path / "pico", {"spi0/17": "mfrc522"}) as pico:
        port = str(pico.port)
        code, out, err = run(capsys, "install", "--port", port, "--board-json", str(tmp_path / "plan.json"))
    assert (code, err) == (0, "")
    assert out == [
        "Asking the board who it is.",
        "Copying. Leave its cable in.",
        "It restarts. Asking it again.",
        f"The board fa4e00000000b0a2 at {port} has firmware {wire.FIRMWARE}.",
        "  It has 1 reader.",
    ]


def test_install_refuses_a_wrong_plan_and_says_where(tmp_path, capsys):
    (tmp_path / "plan.json").write_text('{"readers": [{"chip": "pn532"}]}')
    code, out, err = run(capsys, "install", "--board-json", str(tmp_path / "plan.json"))
    assert (code, out) == (1, [])
    assert err == 'gryphon: The plan of the board cannot be used: reader 0: "bus" is missing.'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b'{"readers": [{"chip": "pn532"}]}', 'O plano da placa n\xe3o pode ser usado: leitor 0: falta "bus".'),
        (b'{"panels": []\n"mcu"}', "O plano n\xe3o \xe9 JSON. Veja perto da linha 2 se falta"),
        (b"\xff", 'N\xe3o foi poss\xedvel ler "{path}": ele n\xe3o \xe9 um texto em UTF-8.'),
        (None, 'N\xe3o foi poss\xedvel ler "{path}": esse arquivo n\xe3o existe.'),
    ],
)
def test_a_wrong_plan_in_portuguese(tmp_path, capsys, text, said):
    if text is not None:
        (tmp_path / "plan.json").write_bytes(text)
    code, _, err = run(capsys, "install", "--board-json", str(tmp_path / "plan.json"), lang="pt")
    assert code == 1
    assert err.startswith("gryphon: " + said.replace("{path}", str(tmp_path / "plan.json")))


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_right_plan_is_sent_as_it_stands(tmp_path, capsys, monkeypatch, mark):
    """But for the mark with which some editors begin a file."""
    sent = []

    def take(_port, plan, _tell, **_how):
        sent.append(plan)
        return Greeting("p", 1, wire.FIRMWARE, "b", 1)

    monkeypatch.setattr(install, "install", take)
    (tmp_path / "plan.json").write_text(mark + json.dumps(PLAN, indent=3), encoding="utf-8")
    assert run(capsys, "install", "--board-json", str(tmp_path / "plan.json"))[0] == 0
    assert sent == [json.dumps(PLAN, indent=3)]


def test_install_without_a_board(tmp_path, capsys):
    code, _, err = run(capsys, "install", "--port", str(tmp_path / "none"))
    assert code == 1
    assert err == f"gryphon: There is no port {tmp_path / 'none'}. Plug the board in, or name another port."


@pytest.mark.parametrize("command", ["install", "check"])
def test_a_wrong_letter_in_a_port_is_told_with_the_right_name(tmp_path, capsys, command):
    with ScriptedBoard(tmp_path / "usb-Pico-if00") as board:
        code, out, err = run(capsys, command, "--port", str(tmp_path / "usb-pico-if00"))
    assert code == 1
    told = f"There is no port {tmp_path}/usb-pico-if00. These are there: {board.port}"
    assert told in (err or out[0])


def test_a_hung_board_gets_the_way_out_in_one_sentence(capsys, monkeypatch):
    def hung(*_, **__):
        raise Failed(install.HUNG, "/dev/ttyACM0")

    monkeypatch.setattr(install, "install", hung)
    code, _, err = run(capsys, "install")
    assert code == 1
    assert "/dev/ttyACM0" in err and "BOOTSEL" in err and ".uf2" in err


@pytest.mark.parametrize(
    ("greeting", "code", "second"),
    [
        (Greeting("p", 1, wire.FIRMWARE, "b", 2), 0, "That is ours."),
        (Greeting("p", 1, "0.1.0", "b", 2), 0, f"It works. Ours is newer, {wire.FIRMWARE}: gryphon firmware install."),
        (Greeting("p", 1, "99.0", "b", 2), 0, f"It is newer than ours, {wire.FIRMWARE}, and works."),
        (Greeting("p", 0, "0.1.0", "b"), 1, "The board speaks an older protocol. Write it anew: gryphon firmware ins"),
        (Greeting("p", 2, "2.0.0", "b"), 1, "The board speaks a newer protocol. Install a newer Gryphon"),
    ],
)
def test_check_says_whether_it_fits_and_what_to_do(capsys, monkeypatch, greeting, code, second):
    monkeypatch.setattr(install, "check", lambda _port, **_: [greeting])
    got, out, _ = run(capsys, "check")
    assert got == code
    assert out[0] == f"The board b at p has firmware {greeting.firmware}."
    assert out[1].strip().startswith(second)


def test_check_tells_what_is_wrong_with_a_board(capsys, monkeypatch):
    sick = Greeting("p", 1, wire.FIRMWARE, "b", 1, 1, [0], 'reader 0: "bus" is missing')
    monkeypatch.setattr(install, "check", lambda _port, **_: [sick, Failed(install.HUNG, "q")])
    code, out, _ = run(capsys, "check", lang="pt")
    assert code == 1
    assert out[2:5] == ["  Ela tem 1 leitor.", "  Ela tem 1 painel de botões.", out[4]]
    assert "leitor 0" in out[4] and out[5] == '  Ela diz do seu board.json: leitor 0: falta "bus".'
    assert out[6].startswith("q: Nenhuma placa responde em q.")


def test_check_of_a_real_line(tmp_path, capsys):
    with ScriptedBoard(tmp_path / "a"):
        code, out, _ = run(capsys, "check", "--port", str(tmp_path / "a"))
    assert code == 0
    assert out[0] == f"The board b0a2d1 at {tmp_path / 'a'} has firmware 0.3.0."


@pytest.fixture
def says(tmp_path, monkeypatch):
    """The configuration of a table whose USB ports are tmp_path/tty*: `says(lines)` gives the options that name it."""
    monkeypatch.setattr(nfc, "USB_PORTS", (f"{tmp_path}/tty*",))

    def says(*lines):
        (tmp_path / "config.toml").write_text("\n".join(["[readers]", *lines, ""]))
        return "--config", str(tmp_path / "config.toml")

    return says


def test_an_adapter_that_the_file_names_is_not_asked(tmp_path, capsys, says):
    """Behind it is a chip: a board that does not answer would be the wrong word for it."""
    config = says(f'adapters = ["{tmp_path}/by-id"]')
    with FakeAdapter(tmp_path / "ttyUSB0") as adapter, ScriptedBoard(tmp_path / "ttyUSB1"):
        (tmp_path / "by-id").symlink_to(adapter.port)
        code, out, _ = run(capsys, "check", *config)
    assert code == 0
    assert len([line for line in out if str(tmp_path) in line]) == 1
    assert out[0] == f"The board b0a2d1 at {tmp_path / 'ttyUSB1'} has firmware 0.3.0."


def test_install_looks_where_the_file_says(tmp_path, capsys, says):
    """Among its ports, and not behind its adapters; two boards are too many."""
    config = says(f'ports = ["{tmp_path}/serial*"]', f'adapters = ["{tmp_path}/serial-chip"]')
    with ScriptedBoard(tmp_path / "ttyACM0"), FakeAdapter(tmp_path / "serial-chip"):
        code, _, err = run(capsys, "install", *config)
        there = f"gryphon: There is no port {tmp_path}/serial*. These are there: {tmp_path}/ttyACM0"
        assert (code, err) == (1, there)
        with ScriptedBoard(tmp_path / "serial0"), ScriptedBoard(tmp_path / "serial1", board="b0a2d2"):
            code, _, err = run(capsys, "install", *config)
    assert (code, err.partition("--port: ")[2]) == (1, f"{tmp_path}/serial0, {tmp_path}/serial1.")


def test_the_ports_that_the_file_names_are_asked(tmp_path, capsys, says):
    config = says(f'ports = ["{tmp_path}/serial*"]')
    with ScriptedBoard(tmp_path / "serial0"), ScriptedBoard(tmp_path / "ttyACM0"):
        code, out, _ = run(capsys, "check", *config)
        assert code == 0
        assert [line for line in out if str(tmp_path) in line] == [
            f"The board b0a2d1 at {tmp_path / 'serial0'} has firmware 0.3.0."
        ]
        _, out, _ = run(capsys, "check", *config, "--port", str(tmp_path / "ttyACM0"))
        assert out[0].startswith(f"The board b0a2d1 at {tmp_path / 'ttyACM0'} ")
    code, _, err = run(capsys, "check", *config)
    assert (code, err[: 33 + len(str(tmp_path))]) == (1, f"gryphon: There is no port {tmp_path}/serial")


def test_check_without_a_board(capsys, monkeypatch):
    monkeypatch.setattr(install, "check", lambda _port, **_: [])
    code, _, err = run(capsys, "check")
    assert (code, err[:30]) == (1, "gryphon: I see no board on USB")


@pytest.mark.parametrize("answer", ["yes\n", "no\n", ""])
def test_a_program_of_somebodys_own_is_asked_about_at_a_terminal_only(capsys, monkeypatch, answer):
    said = []

    def take(_port, _plan, _tell, agree, **_how):
        said.append(agree("/dev/ttyACM0", ["main.py"]))
        if not said[-1]:
            raise Failed(install.FOREIGN, "main.py")
        return Greeting("p", 1, wire.FIRMWARE, "b", 1)

    monkeypatch.setattr(install, "install", take)
    monkeypatch.setattr("sys.stdin", io.StringIO(answer))
    code, out, err = run(capsys, "install")
    assert (code, said.pop()) == (1, False) and "main.py" in err and "--replace" in err
    assert run(capsys, "install", "--replace")[0] == 0 and said.pop()
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    code, out, err = run(capsys, "install")
    assert (code, said.pop()) == ((0, True) if answer == "yes\n" else (1, False))
    assert "On the board at /dev/ttyACM0 lies a program that is not ours: main.py." in out


@pytest.mark.parametrize("why", [v for k, v in vars(install).items() if k.isupper() and isinstance(v, str)])
def test_every_fault_has_words(capsys, monkeypatch, why):
    if why in (install.TIDY, install.LOOK):
        return

    def fails(*_, **__):
        raise Failed(why, "this")

    monkeypatch.setattr(install, "install", fails)
    code, _, err = run(capsys, "install", lang="en")
    assert code == 1
    assert (err.endswith(".") or ": " in err[9:]) and err[9].isupper() and err != f"gryphon: {why}"
