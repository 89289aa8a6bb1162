"""What `make` sets up, in folders with any name, with Pythons that come and go: the Makefile itself, and real venvs.

The clone is a small one: no packages to load, and the builder of our own package is lent by this test's Python.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NAME = "it's 50% da avó #1 $HOME \"x\" `id` & (b)"
LOCALES = {"LC_ALL": "C", "LANG": "C"}, {"LC_ALL": "xx_YY.ISO-8859-1"}


def clone(folder: Path) -> Path:
    """The project in that folder, with nothing to load."""
    folder.mkdir(parents=True)
    for name in ("Makefile", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    for name in ("companion", "hardware", "firmware", "kv"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.mo"))
    for name in ("requirements.txt", "requirements-dev.txt"):
        (folder / name).touch()
    return folder


def make(folder: Path, *goals: str, path: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    """Run make there; `path` holds programs that are found first."""
    lent = sysconfig.get_path("purelib")
    env = {**os.environ, "PYTHONPATH": lent, "PIP_NO_INDEX": "1", "PYTHON": sys.executable, **env}
    env["PATH"] = os.pathsep.join([str(path)] * bool(path) + [env["PATH"]])
    for name in ("MAKEFLAGS", "MAKELEVEL", "PYTHONUTF8"):
        env.pop(name, None)
    return subprocess.run(["make", *goals], cwd=folder, env=env, capture_output=True, text=True, timeout=300)


def program(folder: Path, name: str, text: str) -> None:
    """A shell script that is found before the real program."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{text}\n")
    (folder / name).chmod(0o755)


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    folder = clone(tmp_path_factory.mktemp("clone") / NAME)
    answer = make(folder, ".venv/ready-run", LC_ALL="C")
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return folder


@pytest.mark.parametrize("locale", LOCALES, ids=["C", "not generated"])
@pytest.mark.parametrize("words", [["gryphon"], ["python", "-m", "companion"]], ids=" ".join)
def test_a_clone_may_have_any_name_and_the_system_any_locale(made, words, locale):
    env = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "PYTHON"))} | locale
    words = [str(made / ".venv/bin" / words[0]), *words[1:]]
    said = subprocess.run([*words, "rules", "gryphon"], cwd="/", env=env, capture_output=True, text=True)
    assert said.returncode == 0 and "gryphon" in said.stdout.lower(), said.stderr
    where = "import companion, sys; sys.stdout.buffer.write(companion.__file__.encode('utf-8', 'surrogateescape'))"
    here = subprocess.run([words[0].replace("/gryphon", "/python"), "-c", where], cwd="/", env=env, capture_output=True)
    assert Path(os.fsdecode(here.stdout)) == made / "companion" / "__init__.py"


def test_the_command_is_found_through_a_link(made, tmp_path):
    (tmp_path / "gryphon").symlink_to(made / ".venv/bin/gryphon")
    said = subprocess.run([tmp_path / "gryphon", "--version"], capture_output=True, text=True)
    assert said.stdout.startswith("gryphon ")


# --- a .venv that does not fit --------------------------------------------------------------------------------------


@pytest.fixture
def plan(tmp_path):
    """What make would do in a folder with a .venv that was spoiled: make -n, which changes nothing."""
    for name in ("Makefile", "pyproject.toml", "requirements.txt", "requirements-dev.txt"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    (tmp_path / "companion/locale").mkdir(parents=True)
    (tmp_path / "companion/locale/catalogues.py").touch()
    venv = tmp_path / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    for name in ("ready-dev", "ready-run"):
        (venv / name).touch()

    def ask(**env: str) -> str:
        answer = make(tmp_path, "-n", ".venv/ready-run", **env)
        assert answer.returncode == 0, answer.stderr
        return answer.stdout

    ask.venv = venv
    return ask


def test_a_venv_that_fits_is_left_alone(plan):
    assert "-m venv" not in plan()
    assert "-m venv" not in plan(PYTHON="")


def _gone(venv: Path) -> None:
    for name in ("python", "python3"):
        (venv / "bin" / name).unlink()
        (venv / "bin" / name).symlink_to("/nowhere/python3")


def _another(venv: Path) -> None:
    config = venv / "pyvenv.cfg"
    config.write_text(config.read_text().replace(f"version = {sys.version_info[0]}.", "version = 2."))


def _cut_off(venv: Path) -> None:
    for mark in venv.glob("ready-*"):
        mark.unlink()


def _dangling(venv: Path) -> None:
    shutil.rmtree(venv)
    venv.symlink_to("/nowhere")


SPOILT = {
    "gone": (_gone, "its Python has gone or does not start"),
    "another": (_another, "which is another one now"),
    "cut off": (_cut_off, "setting it up was cut off"),
    "no config": (lambda venv: (venv / "pyvenv.cfg").unlink(), "does not fit"),
    "a link to nowhere": (_dangling, "setting it up was cut off"),
    "half a bin": (lambda venv: shutil.rmtree(venv / "bin"), "its Python has gone or does not start"),
}


@pytest.mark.parametrize(("spoil", "why"), SPOILT.values(), ids=SPOILT)
def test_a_venv_that_does_not_fit_is_told_and_made_anew(plan, spoil, why):
    spoil(plan.venv)
    said = plan(PYTHON="")
    assert "gryphon: .venv does not fit: " in said and why in said
    assert "-m venv" in said and "pip install" in said


def test_another_python_that_is_asked_for_is_taken(plan, tmp_path):
    other = tmp_path / "python3"
    lie = "*base_prefix*) echo 3.12./elsewhere"
    program(tmp_path, "python3", f'case "$*" in {lie};; *) exec "{sys.executable}" "$@";; esac')
    said = plan(PYTHON=str(other))
    assert "PYTHON names another Python" in said and f'"{other}" -m venv' in said


@pytest.mark.parametrize("python", ["/nowhere/python3", "/bin/false"])
def test_a_python_that_is_none_is_refused_before_the_old_one_goes(plan, tmp_path, python):
    answer = make(tmp_path, ".venv/ready-run", PYTHON=python)
    assert answer.returncode != 0 and "needs Python 3.11, 3.12 or 3.13" in answer.stderr
    assert (plan.venv / "ready-run").exists()


def test_half_an_installation_is_known_as_one(made):
    """Cut off while pip runs: the mark of the last one that came to its end is away already."""
    (made / "requirements.txt").write_text("nothing-of-that-name==1 --hash=sha256:" + "0" * 64 + "\n")
    assert make(made, ".venv/ready-run").returncode != 0
    (made / "requirements.txt").write_text("")
    assert "setting it up was cut off" in make(made, "-n", ".venv/ready-run").stdout


# --- a system that has no wheels ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("machine", "bits", "libc"),
    [("armv7l", "32", "glibc 2.36"), ("aarch64", "32", "glibc 2.36"), ("i686", "32", "glibc 2.36"),
     ("riscv64", "64", "glibc 2.36"), ("x86_64", "64", "")],
)  # fmt: skip
@pytest.mark.parametrize("goal", [".venv/ready-run", "run", "test"])
def test_a_system_without_wheels_is_told_before_anything_is_loaded(tmp_path, machine, bits, libc, goal):
    for name in ("Makefile", "pyproject.toml", "requirements.txt", "requirements-dev.txt"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    (tmp_path / "companion/locale").mkdir(parents=True)
    (tmp_path / "companion/locale/catalogues.py").touch()
    programs = tmp_path / "programs"
    program(programs, "uname", f'[ "$1" = -m ] && echo {machine} || exec /bin/uname "$@"')
    program(programs, "getconf", f'case $1 in LONG_BIT) echo {bits};; *) echo "{libc}"; [ -n "{libc}" ];; esac')
    program(programs, "apt-get", "echo loaded >> loaded")
    answer = make(tmp_path, goal, path=programs)
    assert answer.returncode != 0
    assert f"({machine}, {bits} bits) has no ready-made Kivy" in answer.stderr
    assert answer.stdout == "" and not (tmp_path / ".venv").exists() and not (tmp_path / "loaded").exists()


def test_nothing_is_ever_compiled():
    makefile = (ROOT / "Makefile").read_text()
    installs = [line for line in makefile.splitlines() if "$(BIN)/python -m pip install" in line]
    assert installs
    assert all("$(WHEELS)" in line or "--editable ." in line for line in installs)
    assert "\nWHEELS   := --only-binary :all: " in makefile
