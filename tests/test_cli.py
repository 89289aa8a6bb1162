"""The commands as a person types them: their words, their exit codes, and that wrong usage says what would be right."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

from companion.cli import main
from tests.ui import positions


def run(*args: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    try:
        code = main(args)
    except SystemExit as exit:
        code = int(exit.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


def test_judge_order_says_who_and_why(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(
        "judge",
        "order",
        "--seats",
        "yellow,red,blue",
        "--gryphon",
        "yellow",
        "--cards",
        "yellow=4,red=2,blue=2",
        "--lang",
        "en",
        capsys=capsys,
    )
    assert code == 0
    assert out.splitlines() == [
        "1. Red and Blue played 2. Yellow holds the gryphon; counting from there to the left, Red comes first. (R24)",
        "2. Red and Blue played 2. Yellow holds the gryphon; to the left of Red, Blue comes next. (R24)",
        "3. Yellow comes after Blue: 4 is higher than 2. (R22)",
    ]


def test_judge_winner_says_who_and_why(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(
        "judge",
        "winner",
        "--seats",
        "yellow,blue,red",
        "--gryphon",
        "yellow",
        "--ended-by",
        "rested",
        "--saved",
        "red=1,blue=1,yellow=1",
        "--levels",
        "red=5,blue=5,yellow=3",
        "--lang",
        "en",
        capsys=capsys,
    )
    assert code == 0
    assert out.splitlines()[-1] == "Blue wins!"
    assert "(R78)" in out


def may(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], choice: object, state: object = None, lang: str = "en"
) -> tuple[int, str, str]:
    """`gryphon judge may` about the position of the design's pictures."""
    file = tmp_path / "position.json"
    file.write_text(json.dumps(positions.turn() if state is None else state), encoding="utf-8")
    text = choice if isinstance(choice, str) else json.dumps(choice)
    return run("judge", "may", "--state", str(file), "--choice", text, "--lang", lang, capsys=capsys)


def move(*path: str) -> dict[str, object]:
    return {"do": "move", "seat": "red", "hero": "red.1", "path": path}


def test_judge_may_says_yes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert may(tmp_path, capsys, move("b2")) == (0, "Yes.\nRed 1 goes to b2.\n", "")


def test_judge_may_says_why_not_and_what_would_be_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = may(tmp_path, capsys, move("b2", "c2"))
    lines = out.splitlines()
    assert code == 1
    assert lines[0] == "No. (A10)"
    assert lines[1].startswith("Red 1 cannot stop on c2: the Dark Wizard stands there.")
    assert json.loads(lines[3])["path"][-1] == "b2"
    assert "House rule hero_on_villain:" in lines
    assert any(line.startswith("  * no_stop: ") and line.endswith("[Not allowed]") for line in lines)
    assert any(line.startswith("    allowed: ") and line.endswith("[Allowed]") for line in lines)


def test_judge_may_takes_an_answer_of_the_referee_and_speaks_portuguese(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = may(tmp_path, capsys, move("b2"), {"id": 1, "ok": True, "state": positions.turn()}, "pt")
    assert code == 0
    assert out.startswith("Sim.\n")


@pytest.mark.parametrize(
    ("choice", "state", "says"),
    [
        ("{", None, "--choice is not JSON"),
        ({"do": "fly", "seat": "red"}, None, "fly"),
        (move("b2"), {"game": "sir-holland"}, "missing"),
        (move("b2"), positions.turn(figures=positions.turn()["figures"] | {"red.1": "e2"}), "e2"),
        (move("b2"), [1], "state"),
    ],
)
def test_judge_may_wants_a_position_and_a_choice(
    choice: object, state: object, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = may(tmp_path, capsys, choice, state)
    assert (code, out) == (2, "")
    assert says in err
    assert len(err.splitlines()) == 1


def test_judge_may_reads_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", StringIO(json.dumps(positions.turn())))
    code, _, _ = run("judge", "may", "--state", "-", "--choice", json.dumps(move("b2")), capsys=capsys)
    assert code == 0
    assert run("judge", "may", "--state", "/nowhere", "--choice", "{}", capsys=capsys)[0] == 2
    for state, says in (("/nowhere", "esse arquivo não existe."), ("/dev/zero", "ele é grande demais")):
        asked = run("--lang", "pt", "judge", "may", "--state", state, "--choice", "{}", capsys=capsys)
        assert f'--state: não dá para ler "{state}": {says}' in asked[2]


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ("judge order --seats red --gryphon red --cards red=1", "two to four"),
        ("judge order --seats red,pink --gryphon red --cards red=1", "pink"),
        ("judge order --seats red,red --gryphon red --cards red=1", "different colours"),
        ("judge order --seats red,blue --gryphon green --cards red=1,blue=2", "green"),
        ("judge order --seats red,blue --gryphon red --cards red=1", "Blue"),
        ("judge order --seats red,blue --gryphon red --cards red=1,blue=8", "8"),
        ("judge order --seats red,blue --gryphon red --cards red=1,red=2,blue=3", "twice"),
        ("judge order --seats red,blue --gryphon red --cards red", "name=value"),
        ("judge winner --seats red,blue --gryphon red --ended-by saved --saved red=2,blue=3", "3"),
        ("judge winner --seats red,blue --gryphon red --ended-by rested --saved red=1,blue=1 --levels red=5+4", "Red"),
        ("judge winner --seats red,blue --gryphon red --ended-by rested --saved red=1,blue=1 --rules fly=on", "fly"),
        ("judge winner --seats red,blue --gryphon red --ended-by rested --saved red=1,blue=1 --levels red=5", "Blue"),
        ("judge winner --seats red,blue --gryphon red --ended-by rested --saved red=0,blue=0", "--levels"),
        ("judge winner --seats red,blue --gryphon red --ended-by saved --saved red=1,blue=1", "--ended-by"),
    ],
)
def test_wrong_usage_says_what_is_wrong(args: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(*args.split(), "--lang", "en", capsys=capsys)
    assert code == 2
    assert out == ""
    assert says in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    "args", [["nonsense"], ["judge"], ["devices", "x"], ["demo", "--seats", "5"], ["--lang", "xx"]]
)
def test_argparse_answers_with_two(args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*args, capsys=capsys)[0] == 2


PORT = "a port must be named, such as /dev/ttyACM0"
PATH = "a file or a folder must be named"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("--data", PATH), ("doctor --data", PATH), ("history list --data", PATH), ("cards --config", PATH),
        ("firmware check --config", PATH), ("firmware install --board-json", PATH), ("cards import", PATH),
        ("cards export", PATH), ("history import", PATH), ("history export 1", PATH),
        ("judge may --choice {} --state", PATH),
        ("firmware check --port", PORT), ("firmware install --port", PORT), ("devices watch --port", PORT),
    ],
)  # fmt: skip
def test_an_empty_name_is_none(line: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    """As a shell gives it for a variable that is not set."""
    code, out, err = run(*line.split(), "", capsys=capsys)
    assert (code, out) == (2, "") and err.endswith(f": {says}\n")


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["table"],
        ["demo"],
        ["referee"],
        ["judge"],
        ["judge", "order"],
        ["judge", "may"],
        ["judge", "winner"],
        ["rules"],
        ["devices"],
        ["devices", "watch"],
        ["devices", "bind"],
        ["devices", "test"],
        ["cards"],
        ["cards", "teach"],
        ["doctor"],
    ],
)
def test_every_command_helps_with_an_example(args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(*args, "--help", capsys=capsys)
    assert code == 0
    assert "example: " in out


def test_rules_finds_by_words_and_by_id(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run("rules", "A10", "--lang", "en", capsys=capsys)
    assert code == 0
    assert out.startswith("A10 ")
    assert "hero_on_villain" in out
    code, out, _ = run("rules", "SECRET", "room", "--lang", "en", capsys=capsys)
    assert code == 0
    assert out.count("\n") > 2
    assert run("rules", "xylophone", "--lang", "en", capsys=capsys)[0] == 1


def test_rules_knows_topics_and_beginnings(capsys: pytest.CaptureFixture[str]) -> None:
    """What is only about a thing comes after what names it."""
    _, out, _ = run("rules", "explos", "--lang", "en", capsys=capsys)
    ids = [line.split()[0] for line in out.splitlines() if line[0] in "RA"]
    assert {"R60", "R61", "R62"} <= set(ids)
    assert ids.index("R60") < ids.index("R62")
    assert run("rules", "xplosion", "--lang", "en", capsys=capsys)[0] == 1


def test_rules_ignores_accents(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("rules", "calabouco", "--lang", "pt", capsys=capsys)[0] == 0


def test_the_language_can_stand_before_or_after_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    before = run("--lang", "pt", "rules", "R49", capsys=capsys)
    after = run("rules", "R49", "--lang", "pt", capsys=capsys)
    assert before == after
    assert before[1] != run("rules", "R49", "--lang", "en", capsys=capsys)[1]


def test_the_referee_is_a_process_of_bare_python() -> None:
    """`gryphon referee` imports neither Kivy nor GPIO nor MQTT nor SQLite, and ends with 0 at the end of its input."""
    code = (
        "import sys\nfrom companion.cli import main\ncode = main(['referee'])\n"
        "loaded = {'kivy', 'gpiozero', 'serial', 'paho', 'sqlite3'} & set(sys.modules)\n"
        "print(sorted(loaded), file=sys.stderr)\nsys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=b'{"id": 1, "cmd": "hello"}\n', capture_output=True, check=False, timeout=30
    )
    assert done.returncode == 0
    assert json.loads(done.stdout)["protocol"] == 1
    assert done.stderr.strip() == b"[]"


@pytest.mark.parametrize("command", ["rules", "--help", "devices --help", "judge winner --help"])
def test_a_closed_pipe_is_no_fault(command: str) -> None:
    """Also for what waits until the end to be printed."""
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m companion {command} | true; exit ${{PIPESTATUS[0]}}"],
        env={**os.environ, "PYTHONUNBUFFERED": ""},
        capture_output=True,
        check=False,
        timeout=30,
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    "command", ["--lang pt rules A10", "--lang pt judge order --seats red,blue --gryphon red --cards red=1,blue=1"]
)
def test_a_terminal_without_accents_gets_question_marks(command: str) -> None:
    """Portuguese on an ASCII terminal is readable, and no traceback."""
    done = subprocess.run(
        [sys.executable, "-m", "companion", *command.split()],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
        timeout=30,
    )
    assert done.returncode == 0
    assert b"?" in done.stdout
    assert b"Traceback" not in done.stderr


JUDGE = "judge order --seats red,blue --gryphon red --cards red=1,blue=1"


@pytest.mark.parametrize(
    ("command", "unbuffered"),
    [("rules", "1"), (JUDGE, "1"), ("rules", ""), (JUDGE, ""), ("--version", ""), ("--help", "")],
)
def test_a_full_disk_is_one_sentence(command: str, unbuffered: str) -> None:
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m companion {command} > /dev/full"],
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        capture_output=True,
        check=False,
        timeout=30,
    )
    assert done.returncode == 1
    assert done.stderr.startswith(b"gryphon: ")
    assert b"Traceback" not in done.stderr
