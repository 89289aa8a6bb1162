"""The commands as a person types them: their words, their exit codes, and that wrong usage says what would be right."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from companion.cli import main


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
    ],
)
def test_wrong_usage_says_what_is_wrong(args: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(*args.split(), "--lang", "en", capsys=capsys)
    assert code == 2
    assert out == ""
    assert says in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("args", [["nonsense"], ["judge"], ["devices"], ["demo", "--seats", "5"], ["--lang", "xx"]])
def test_argparse_answers_with_two(args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*args, capsys=capsys)[0] == 2


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["table"],
        ["demo"],
        ["referee"],
        ["judge"],
        ["judge", "order"],
        ["judge", "winner"],
        ["rules"],
        ["devices"],
        ["devices", "watch"],
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


def test_a_closed_pipe_is_no_traceback() -> None:
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m companion rules | head -1"], capture_output=True, check=False, timeout=30
    )
    assert b"Traceback" not in done.stderr


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


@pytest.mark.parametrize("command", ["rules", "judge order --seats red,blue --gryphon red --cards red=1,blue=1"])
def test_a_full_disk_is_one_sentence(command: str) -> None:
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m companion {command} > /dev/full"],
        capture_output=True,
        check=False,
        timeout=30,
    )
    assert done.returncode == 1
    assert done.stderr.startswith(b"gryphon: ")
    assert b"Traceback" not in done.stderr
