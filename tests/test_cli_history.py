"""`gryphon history` as a person types it, on real games, also beside a table that is open."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from companion import cli_history
from companion.adapters.sqlite import open_store
from companion.cli import main
from companion.compose import DATABASE
from companion.games import find_game
from companion.games.base import msg
from companion.games.sir_holland.setup import deal
from companion.games.sir_holland.state import End, Lock, Move
from companion.table.ports import Hand, Play, PutRight, Reveal, TakeBack
from companion.table.session import Table
from tests.table import test_text

GAME = find_game("sir-holland")
NAMES = {"red": "Ana", "blue": "Bruno"}


@pytest.fixture
def open_table(tmp_path):
    """A table as the app opens it: its store is claimed until the test is over."""
    store, told = open_store(tmp_path / DATABASE)
    assert told == ()
    options = {"gryphon": "red", "tower": list(deal(Random(1)))}
    table, _ = Table.begin(GAME, store, ("red", "blue"), options, NAMES, Random(1))
    for request in (
        Play(Lock("red", 2)),
        Play(Lock("blue", 5)),
        Reveal(),
        Play(Move("red", "red.1", ("a1",))),
        TakeBack("red"),
        PutRight({"gryphon": "blue"}),
        Hand("blue", "Rita"),
        Play(End("red")),
        Play(End("blue")),
        Play(Lock("red", 3)),
    ):
        assert table.request(request).kind == "done"
    yield table, store
    store.close()


@pytest.fixture
def run(tmp_path, capsys):
    def run(*args, lang="en", data=tmp_path):
        try:
            code = main(["history", args[0], "--lang", lang, "--data", str(data), *args[1:]])
        except SystemExit as exit:
            code = int(exit.code or 0)
        return code, *capsys.readouterr()

    return run


def program(action, argument, data):
    """A real second process, as on a Pi with a keyboard."""
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    command = [sys.executable, "-m", "companion", "history", action, "--lang", "en", "--data", str(data), argument]
    return subprocess.run(command, capture_output=True, text=True, env=environment)


def test_reading_works_beside_an_open_table(open_table, run, tmp_path):
    code, out, err = run("list")
    assert (code, err) == (0, "")
    assert out.split("  ", 2)[0].strip() == "" or out.strip().startswith("1")
    assert "Ana and Rita. Open, round 2." in out
    code, out, err = run("show", "1")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "The tower stands. Ana holds the gryphon. Everyone, choose a card in secret."
    for line in (
        "Ana goes first with 2 (Chase), the lowest number.", "Red 1 goes to a1.", "Taken back: Red 1 goes to a1.",
        "Rita ends the turn.",
    ):  # fmt: skip
        assert line in lines
    assert "Then Bruno." in lines
    assert lines[-1].startswith("Round 2 begins.")
    assert "3 (Explosion)" not in out, "a lock of the running round"
    assert not list(tmp_path.rglob("*.part"))


def test_list_in_portuguese(open_table, run):
    code, out, _ = run("list", lang="pt")
    assert code == 0
    assert "Ana e Rita. Em aberto, rodada 2." in out


def test_export_and_import(open_table, run, tmp_path):
    code, out, _ = run("export", "1")
    assert code == 0
    assert out.startswith("gryphon game text 1\ngame: sir-holland\n")
    acts = [line for line in out.splitlines() if not line.startswith("#")]
    assert "red: 1 b1-a1\ntaken back\nput right: gryphon blue\nseat blue: Rita\n" in "\n".join(acts)
    shown = run("show", "1")[1].splitlines()
    assert [line.removeprefix("# ") for line in out.splitlines() if line.startswith("#")] == shown
    file = tmp_path / "evening.txt"
    code, said, _ = run("export", "1", str(file))
    assert (code, file.read_text()) == (0, out)
    assert str(file) in said
    code, _, err = run("export", "1", str(file))
    assert code == 1
    assert "already" in err

    # another process: to its own, a claimed file is free
    answer = program("import", str(file), data=tmp_path)
    assert answer.returncode == 1
    assert answer.stderr == "gryphon: The table is open. Close it first, or bring the game in on its screen.\n"
    _, store = open_table
    store.close()
    code, said, _ = run("import", str(file))
    assert (code, said) == (0, "It is game 1 of the history.\n"), "it is there already"
    elsewhere = tmp_path / "elsewhere"
    code, said, _ = run("import", str(file), data=elsewhere)
    assert (code, said) == (0, "It is game 1 of the history.\n")
    assert run("export", "1", data=elsewhere)[1] == out
    assert run("show", "1", data=elsewhere)[1] == run("show", "1")[1]


def test_a_finished_game_keeps_its_winner_and_its_day(run, tmp_path):
    rng = Random(11)
    game = test_text.Game(rng, names={"red": "Ana"}).play(3000)
    winner = GAME.result(game.state).winners[0]
    file = tmp_path / "old.txt"
    file.write_text(test_text.text.write(game.record, "2019-07-01 18:30"))
    assert run("import", str(file))[0] == 0
    code, out, _ = run("list")
    assert code == 0
    assert "2019-07-01 18:30" in out
    who = "Ana" if winner == "red" else winner.capitalize()
    assert f"{who} has won." in out
    assert without_comments(run("export", "1")[1]) == file.read_text()


def without_comments(words: str) -> str:
    return "".join(line for line in words.splitlines(keepends=True) if not line.startswith("#"))


def test_a_game_brought_in_is_not_the_one_to_go_on_with(open_table, run, tmp_path):
    _, store = open_table
    file = tmp_path / "other.txt"
    file.write_text(test_text.BY_HAND)
    store.close()
    assert run("import", str(file))[1] == "It is game 2 of the history.\n"
    store, _ = open_store(tmp_path / DATABASE)
    assert [s.number for s in store.games()] == [1, 2]
    assert store.last_unfinished().number == 1
    store.close()


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        ("show 9", 1, "no saved game number 9"),
        ("export 9", 1, "no saved game number 9"),
        ("import nowhere.txt", 1, '"nowhere.txt" cannot be used: there is no such file.'),
        ("import .", 1, "it is not a file"),
        ("import /dev/zero", 1, "too large to be one of ours"),
        ("show x", 2, "'x' is no number of a game"),
        ("show -1", 2, ""),
        ("show", 2, "required"),
        ("export 99999999999999999999", 2, "no number"),
        ("delete 1", 2, "invalid choice"),
    ],
)
def test_what_cannot_be_done_is_said(open_table, run, args, code, says):
    result = run(*args.split())
    assert result[0] == code
    assert says in result[2]
    assert result[1] == ""


def test_a_broken_text_names_its_line_and_nothing_is_brought_in(open_table, run, tmp_path):
    _, store = open_table
    store.close()
    file = tmp_path / "broken.txt"
    file.write_text(test_text.BY_HAND.replace("1 b1-a1-a2", "1 b1-b2"))
    code, _, err = run("import", str(file))
    assert code == 1
    assert 'Line 14, "red: 1 b1-b2; end": Red 1 cannot go up from b1' in err
    code, _, err = run("import", str(file), lang="pt")
    assert 'Linha 14, "red: 1 b1-b2; end": Vermelho 1 não pode subir' in err
    assert len(run("list")[1].splitlines()) == 1


def test_before_the_first_game(run):
    assert run("list") == (0, "No game has been played here yet.\n", "")
    assert run("show", "1")[0] == 1


def test_every_action_has_an_example(capsys):
    for action in ("list", "show", "export", "import"):
        with pytest.raises(SystemExit) as exit:
            main(["history", action, "--help"])
        assert exit.value.code == 0
        assert f"example: gryphon history {action}" in capsys.readouterr().out


def test_another_program_reads_while_the_table_writes(open_table, tmp_path):
    table, _ = open_table
    first = program("show", "1", data=tmp_path)
    assert table.request(Play(Lock("blue", 6))).kind == "done"
    assert table.request(Reveal()).kind == "done"
    second = program("show", "1", data=tmp_path)
    assert (first.returncode, second.returncode, second.stderr) == (0, 0, "")
    assert second.stdout.startswith(first.stdout)
    assert "Ana goes first with 3 (Explosion), the lowest number." in second.stdout


def test_a_file_that_is_no_game_text_is_not_quoted(run, tmp_path):
    """It may be one that only root may read."""
    file = tmp_path / "shadow"
    for data in (b"root:$6$secret:1:::\n", b"\xffsecret\n", b"# secret\nsecret\n", b"gryphon game texts: secret"):
        file.write_bytes(data)
        code, out, err = run("import", str(file))
        assert (code, out) == (1, "")
        assert "secret" not in err


def test_a_name_gives_the_terminal_no_orders() -> None:
    words = cli_history._words("sir-holland", {"red": "\x1b[2JAna"}, "en")
    assert words(msg("{seat:seat} wins!", seat="red")) == r"\x1b[2JAna wins!"
