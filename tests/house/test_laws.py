"""The laws of the house are written down, and they bite."""

import ast
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
PURE = ["games", "table", "teach"]


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as main; main()"]
    return subprocess.run([*program, "--no-cache", "--no-logo"], cwd=folder, capture_output=True, text=True)


def test_every_import_contract_bites(tmp_path):
    """A house in which each law is broken once."""
    wrong = {
        "companion/table/session.py": "import companion.engine",  # rooms
        "companion/games/one/rules.py": "import companion.games.two\nimport companion.games.base\nimport time",
        "companion/games/two/__init__.py": "",
        "companion/games/base.py": "",
        "companion/border.py": "import gpiozero",
        "companion/ui/app.py": "import hardware.nfc\nimport kivy",
        "companion/referee.py": "import companion.border",
        "companion/engine.py": "",
        "hardware/nfc.py": "import firmware.main\nimport firmware.wire\nimport serial",
        "firmware/main.py": "import companion.engine",
        "firmware/wire.py": "",
    }
    for name, text in wrong.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        for folder in file.relative_to(tmp_path).parents[:-1]:
            (tmp_path / folder / "__init__.py").touch()
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    answer = lint_imports(tmp_path)
    assert f"0 kept, {len(CONTRACTS)} broken" in answer.stdout, answer.stdout + answer.stderr
    assert answer.returncode == 1


def test_every_pure_room_is_under_the_contract():
    contract = next(c for c in CONTRACTS if c["name"].endswith("are pure"))
    assert {f"companion.{room}" for room in PURE} == {name.removesuffix(".**") for name in contract["source_modules"]}
    outside = {"kivy", "gpiozero", "serial", "sqlite3", "paho", "threading", "time", "datetime", "logging", "hardware"}
    assert outside <= set(contract["forbidden_modules"])


def banned(file: str, code: str) -> bool:
    """Whether ruff finds a banned name in `code`, were it in that file."""
    program = [sys.executable, "-m", "ruff", "check", "--no-cache", "--select", "TID251", "--stdin-filename", file, "-"]
    answer = subprocess.run(program, cwd=ROOT, input=code, capture_output=True, text=True)
    assert answer.returncode in (0, 1), answer.stderr
    return answer.returncode == 1


@pytest.mark.parametrize("room", PURE)
@pytest.mark.parametrize(
    "line",
    ["import time", "from datetime import date", "import random\nrandom.shuffle([])", "from random import choice"],
)
def test_a_pure_room_may_not_name_clock_or_dice(room, line):
    assert banned(f"companion/{room}/deep/x.py", line + "\n")
    assert not banned("companion/border.py", line + "\n")


def test_a_pure_room_may_name_the_type_of_its_dice():
    code = "import random\n\ndef deal(rng: random.Random) -> int:\n    return rng.randrange(6)\n"
    assert not banned("companion/games/x.py", code)


def test_all_code_is_of_python_3_11():
    files = [file for room in ("companion", "hardware") for file in sorted((ROOT / room).rglob("*.py"))]
    assert files
    for file in files:
        ast.parse(file.read_text(encoding="utf-8"), filename=str(file), feature_version=(3, 11))
