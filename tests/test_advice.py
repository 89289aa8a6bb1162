"""Every command that the program or a README tells people to type is found by machine and typed, in both languages.

Where they are found: behind a colon in a sentence of the catalogues, in the examples of `--help`, in what the Makefile
prints, and in the code of the READMEs. What may not be done here is done half: `make` with -n, apt, usermod and date by
what they themselves say of these words.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from companion import advice, cli
from companion.adapters.sqlite import open_store
from companion.compose import DATABASE
from companion.wording import Wording
from tests import sudo
from tests.sudo import NOBODY

ROOT = Path(cli.__file__).parents[1]
EVENING = ROOT / "tests/evening.txt"
ELSEWHERE = {".venv", ".pytest_cache", "build"}
READMES = [path for path in sorted(ROOT.glob("**/README.md")) if not ELSEWHERE & {*path.relative_to(ROOT).parts}]
PROGRAMS = "gryphon|sudo|apt|make|python3?|export|unset|echo|cd|pip|source|aplay|[A-Z_]+=[^=\\s]\\S*|\\S*/bin/\\w+"
BEGINS = re.compile(rf"(?:{PROGRAMS})(?: |$)")
UNMISTAKABLE = re.compile(
    r"\b(?:sudo|apt|pip|usermod|unset|export|python3? -m|gryphon (?:table|demo|referee|judge|rules|history|devices|"
    r"cards|doctor|firmware))\b"
)
WHERE = {"gryphon", "make", "python", "python3", "sudo", "GRYPHON_LONG=1"}
"""Code of a README that names a program, or says how it is set, and is nothing to type by itself."""
FORMAT = {"gryphon game text", "gryphon game text 1", "gryphon blue"}
"""Code of a README that stands in a game's text."""
NAMES = {"gryphon judge", "gryphon history show", "gryphon history export"}
"""Commands that are spoken of by their name; whoever types no more is told what more there is."""
PLACES = {
    "FILE": "board.json", "ARQUIVO": "board.json", "NAME": "four-rc522", "NOME": "four-rc522", "SECONDS": "0.1",
    "PATH": "/tmp/board", "DIR": "data", "PASTA": "data", "{python}": shlex.quote(sys.executable),
    "{groups}": "dialout,gpio", "{user}": NOBODY, "$USER": NOBODY, "{folder}": "/opt/bin",
    "$$need": " espeak-ng alsa-utils", "$(VENV)": "no-venv",
}  # fmt: skip
"""What people put in for a word in capitals, or the program for a field."""


# --- finding them ---------------------------------------------------------------------------------------------------


def sentences() -> Iterator[tuple[str, str]]:
    """Where, and each sentence of every catalogue, in both languages."""
    for path in sorted((ROOT / "companion/locale").glob("*/LC_MESSAGES/*.po")):
        with path.open("rb") as file:
            for message in read_po(file):
                texts = [message.id, message.string]
                for text in texts:
                    for one in [text] if isinstance(text, str) else text:
                        if message.id:
                            yield path.stem, one


def in_sentence(text: str) -> list[str]:
    """The commands behind its colons, up to the end of the sentence."""
    found = []
    for part in re.split(r": (?=\S)", text)[1:]:
        command = re.split(r"[.;](?= |$)", part)[0]
        if BEGINS.match(command) or command.startswith("{python} "):
            found.append(command)
    return found


def parsers(parser: argparse.ArgumentParser | None = None) -> Iterator[argparse.ArgumentParser]:
    """Of all commands."""
    parser = parser or cli._parser()
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from parsers(each)


def in_readme(path: Path) -> Iterator[str]:
    """The commands of its code, line by line; a block that begins with `cd` as a whole."""
    text = path.read_text(encoding="utf-8")
    for block in re.findall(r"(?m)(?:^ {4,}\S.*\n)+", text):
        lines = [re.sub(r" {2,}\S.*", "", line.strip()) for line in block.splitlines()]
        if lines[0].startswith("cd "):
            yield "\n".join(lines)
        else:
            yield from (line for line in lines if BEGINS.match(line) and line not in FORMAT)
    inline = re.sub(r"(?m)^ {4,}\S.*\n", "", text)
    for code in re.findall(r"(?<!`)`([^`]+)`(?!`)", inline):
        command = " ".join(code.split())
        if BEGINS.match(command) and command not in WHERE | FORMAT:
            yield command


def of_the_makefile() -> Iterator[str]:
    """What it tells people to type."""
    for said in re.findall(r'echo "gryphon: (.+?)"', (ROOT / "Makefile").read_text(encoding="utf-8")):
        yield from in_sentence(said)


def found() -> dict[str, str]:
    """Command -> where it was found first."""
    all_of_them: dict[str, str] = {}
    for room, text in sentences():
        for command in in_sentence(text):
            all_of_them.setdefault(command, f"{room}: {text}")
    for parser in parsers():
        if parser.epilog:
            all_of_them.setdefault(parser.epilog.removeprefix("example: "), f"{parser.prog} --help")
    for path in READMES:
        for command in in_readme(path):
            all_of_them.setdefault(command, str(path.relative_to(ROOT)))
    for command in of_the_makefile():
        all_of_them.setdefault(command, "Makefile")
    return all_of_them


FOUND = found()


def test_no_command_is_hidden_in_a_sentence() -> None:
    """It stands behind a colon, else this page would not type it; and "install the extra" is no command."""
    for room, text in sentences():
        rest = text
        for command in in_sentence(text):
            rest = rest.replace(command, "")
        assert not UNMISTAKABLE.search(rest), (room, text)
        assert "extra:" not in text, (room, text)
    seen = " ".join(FOUND)
    for one in (
        "sudo usermod", "sudo apt", "sudo date", "unset GPIOZERO", "export DISPLAY", "gryphon devices test",
        "gryphon judge may", "make firmware-real", "hardware.dry_run adapter", "| gryphon referee",
    ):  # fmt: skip
        assert one in seen


def test_every_option_that_a_sentence_names_is_one() -> None:
    known = {option for parser in parsers() for action in parser._actions for option in action.option_strings}
    for room, text in sentences():
        rest = text
        for command in in_sentence(text):
            rest = rest.replace(command, "")
        assert set(re.findall(r"(?<!\S)--[a-z][a-z-]*", rest)) <= known, (room, text)


# --- typing them ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which people type: the project's own, with what the examples speak of."""
    home = tmp_path_factory.mktemp("typed")
    for path in ROOT.iterdir():
        if path.name in ("companion", "firmware", "hardware", "kv", "tests", "Makefile", "pyproject.toml", ".venv"):
            (home / path.name).symlink_to(path)
    (home / "board.json").write_bytes((ROOT / "hardware/wiring/four-rc522.json").read_bytes())
    (home / "config.toml").write_text("")
    with subprocess.Popen(
        [sys.executable, "-m", "companion", "referee"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as referee:
        new = b'{"cmd": "new", "game": "sir-holland", "seats": ["red", "blue"], "seed": 7}\n'
        (home / "position.json").write_bytes(referee.communicate(new)[0])
    share = home / ".local/share/gryphon"
    share.mkdir(parents=True)
    store, _ = open_store(share / DATABASE)
    store.bind("04A1B20000C3D4", "red", 4)
    store.close()
    for name in ("Ana", "Anna", "Anne"):
        (home / "evening.txt").write_text(EVENING.read_text(encoding="utf-8").replace("Ana", name), encoding="utf-8")
        done = typed("gryphon history import evening.txt", home)
        assert done.returncode == 0, done.stderr
    (home / "bin").mkdir()
    program = home / "bin/sudo"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{sudo.__file__}" "$@"\n')
    program.chmod(0o755)
    return home


def typed(command: str, home: Path, stdin: str = "q\n" * 40) -> subprocess.CompletedProcess[str]:
    """As a person does it after `make run`, in a terminal that finds what is in .venv/bin."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "GPIOZERO"))}
    # what an example puts into /tmp is put into that home; the Python that runs may itself lie under /tmp
    python = shlex.quote(sys.executable)
    command = python.join(part.replace("/tmp/", f"{home}/") for part in command.split(python))
    path = f"{home / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}:/usr/sbin:/sbin"
    return subprocess.run(
        ["bash", "-c", command], cwd=home, input=stdin, capture_output=True, text=True,
        timeout=60, env={**environment, "HOME": str(home), "PATH": path, "LC_ALL": "C.UTF-8"},
    )  # fmt: skip


def filled(command: str) -> str:
    """With what people put in for words in capitals; of what may be left out, all."""
    command = re.sub(r"\[(--[^]]+)\]", r"\1", command)
    for word, value in PLACES.items():
        pattern = rf"(?<![\w$-]){word}(?![\w=])" if word.isalpha() else re.escape(word)
        command = re.sub(pattern, lambda _, value=value: value, command)
    return command


def by_kind(kind: str) -> list[str]:
    """The commands whose first program is that."""
    return [command for command in FOUND if re.match(rf"(?:{kind})(?: |$)", command)]


OPEN = "gryphon(?: table| demo)?(?: --.*)?$"
ENDLESS = re.compile(r"gryphon devices watch(?!.*--for)")
MAY_BE_NO = re.compile(r"gryphon (?:devices(?! wiring)|firmware|cards teach|doctor|judge may)")


@pytest.mark.parametrize("command", [c for c in by_kind("gryphon") if re.match(OPEN, c)])
def test_what_opens_the_table_or_plays_a_game(command: str) -> None:
    """How it goes on is tested elsewhere."""
    args = cli._parser().parse_args(shlex.split(filled(command))[1:])
    assert args.command is (cli._demo if " demo" in command else cli._table)


@pytest.mark.parametrize("command", [c for c in by_kind("gryphon|echo|cd") if not re.match(OPEN, c)])
def test_ours(command: str, home: Path) -> None:
    """The answer is yes; where a device is asked that is not there, or a rule, it may be no, in a sentence."""
    line = filled(command)
    line = line.replace("--for 10", "--for 0.1") + (" --for 0.1" if ENDLESS.search(line) else "")
    (home / "stickers.txt").write_text("04A1B20000C3D5 red 5\n")
    (home / "evening.txt").write_bytes(EVENING.read_bytes())
    if " export " in line:  # into a new file
        (home / "stickers.txt").unlink()
        (home / "evening.txt").unlink()
    if "micropython" in line and not Path(sys.executable).with_name("micropython").exists():
        pytest.skip("no MicroPython is made for this machine")
    done = typed(line, home)
    said = f"{line}: {done.returncode}\n{done.stdout}{done.stderr}"
    expected = {2} if command in NAMES else {0, 1} if MAY_BE_NO.search(line) else {124} if "timeout " in line else {0}
    assert done.returncode in expected, said
    assert "Traceback" not in done.stderr, said
    assert done.returncode == 0 or done.stdout or done.stderr, said


@pytest.mark.parametrize("command", by_kind("make|PYTHON=.*"))
def test_make(command: str) -> None:
    done = subprocess.run(["bash", "-c", f"{filled(command)} -n"], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", by_kind(r"python3?|\{python\}|\S*/bin/\w+"))
def test_python(command: str, home: Path) -> None:
    """A terminal that stands in for a device ends with its input; what draws or plays for minutes is there at least."""
    line = filled(command)
    words = shlex.split(line)
    if words[1] == "-m" and words[2].startswith("hardware."):
        done = typed(line, home, stdin="")
        assert done.returncode == 0, done.stderr
    elif words[1] == "-m":
        done = typed(f"python -c 'import importlib.util as u, sys; sys.exit(not u.find_spec(\"{words[2]}\"))'", home)
        assert done.returncode == 0, done.stderr
    else:
        compile((ROOT / words[1]).read_text(encoding="utf-8"), words[1], "exec")


@pytest.mark.parametrize("command", by_kind("unset|export|source"))
def test_of_the_shell(command: str, home: Path) -> None:
    done = typed(filled(command), home)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("command", by_kind("sudo|apt|pip"))
def test_of_the_system(command: str, home: Path) -> None:
    """`sudo` here asks the program that it would start whether it would take these words (see below)."""
    assert not command.startswith(("apt", "pip")), "apt wants sudo, and Debian's pip takes nothing"
    done = typed(filled(command), home)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Raspberry Pi on which this program runs neither from a venv nor from a checkout; its home."""
    monkeypatch.setattr("sys.prefix", sys.base_prefix)
    monkeypatch.setattr(advice.resources, "path", lambda *_: tmp_path / "kv")
    (tmp_path / "model").write_text("Raspberry Pi 5 Model B Rev 1.0\0")
    monkeypatch.setattr(advice, "_MODEL", tmp_path / "model")
    return tmp_path


def test_how_packages_come_where_nothing_is_there_yet(nothing: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    venv = "python3 -m venv --system-site-packages ~/gryphon"
    assert f"In a terminal: {venv} && ~/gryphon/bin/python -m pip " in Wording("en")(advice.install("devices"))
    monkeypatch.setattr(advice, "find_spec", lambda _: None)
    (command,) = in_sentence(Wording("pt")(advice.install("devices")))
    assert command.startswith(f"sudo apt update && sudo apt install python3-venv && {venv} && ")


@pytest.mark.long
def test_how_packages_come_where_nothing_is_there_yet_as_it_is_typed(
    nothing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A venv is made for real; pip is asked without a network, and says that it found nothing."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    (command,) = in_sentence(Wording("en")(advice.install("devices")))
    done = typed(command, nothing)
    assert "No matching distribution" in done.stderr or done.returncode == 0, done.stderr
    assert "include-system-site-packages = true" in (nothing / "gryphon/pyvenv.cfg").read_text()


def test_a_terminal_comes_to_find_gryphon(tmp_path: Path) -> None:
    """What is said where it does not works as it is typed."""
    assert advice.by_name(lambda _: str(Path(sys.executable).with_name("gryphon"))) is None
    for other in (None, str(tmp_path / "gryphon")):
        said = advice.by_name(lambda _, other=other: other)
        assert said is not None
        for lang in ("en", "pt"):
            (command,) = in_sentence(Wording(lang)(said))
            shell = ["sh", "-c", f"{command}; gryphon --version"]
            done = subprocess.run(shell, env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True)
            assert done.stdout.startswith("gryphon "), done.stderr
