"""Screens that do not answer, and folders that are damaged: with real processes, a real SDL and a real X server."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.ui import checks
from companion.ui.display import why_no_answer
from companion.wording import Wording

NO_SCREEN = (
    {"DISPLAY": ":77"}, {"DISPLAY": "localhost:10.0"}, {"WAYLAND_DISPLAY": "wayland-9"}, {"DISPLAY": "nonsense"},
)  # fmt: skip
NAMES = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "XDG_RUNTIME_DIR")

no_card = pytest.mark.skipif(Path("/dev/dri").exists(), reason="this machine has a screen of its own, which answers")


@pytest.fixture
def screen(monkeypatch):
    def use(**more: str) -> None:
        for name in NAMES:
            monkeypatch.delenv(name, raising=False)
        for name, value in more.items():
            monkeypatch.setenv(name, value)

    return use


def gryphon(*words: str, seconds: float = 60.0) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-m", "companion", *words]
    return subprocess.run(program, capture_output=True, text=True, timeout=seconds)


@no_card
@pytest.mark.parametrize("where", NO_SCREEN, ids=lambda where: "=".join(*where.items()))
def test_a_screen_that_does_not_answer_is_told_and_doctor_says_so(screen, where):
    screen(**where)
    reason = why_no_answer()
    assert reason is not None
    (name,) = where.values()
    assert f"The screen {name} does not answer." in Wording("en")(reason)
    assert "não responde" in Wording("pt")(reason)
    found = checks.window()
    assert (found.state, found.text) == ("fault", reason)


@no_card
def test_a_card_that_opens_and_shows_nothing_is_told(screen, tmp_path):
    screen()
    reason = why_no_answer()
    assert reason is not None and "shows no picture" in reason.id


@no_card
def test_the_picture_that_nobody_sees_counts_only_when_it_is_asked_for(screen):
    screen(SDL_VIDEODRIVER="offscreen", DISPLAY=":77")
    assert why_no_answer() is None
    screen(DISPLAY=":77")
    child = subprocess.run(checks.PROGRAM, capture_output=True, text=True, timeout=60)
    assert child.returncode != 0 and checks.MARK not in child.stdout


def test_a_screen_that_never_answers_keeps_nobody_waiting(screen):
    screen(DISPLAY=":77")
    reason = why_no_answer((sys.executable, "-c", "import time; time.sleep(60)"), 0.2)
    assert reason is not None and "does not answer" in reason.id


def test_where_nobody_can_be_asked_the_window_will_say(screen):
    screen(DISPLAY=":77")
    assert why_no_answer(("/no/such/program",)) is None
    assert why_no_answer((sys.executable, "-c", "raise SystemExit(1)")) is None


@no_card
def test_the_table_goes_the_same_way_out_as_without_a_screen(screen, tmp_path):
    screen(DISPLAY=":77")
    program = [sys.executable, "-m", "companion", "--data", str(tmp_path / "data")]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as table:
        assert table.stdout is not None
        first = [table.stdout.readline() for _ in range(3)]
        table.terminate()
    assert first[0].startswith("The screen :77 does not answer.")
    assert first[2].startswith("Here is a game played by scripted people")
    assert not (tmp_path / "data").exists()


@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="no X server here")
def test_a_screen_that_answers(screen):
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "800x480x24"], pass_fds=[write], stderr=subprocess.DEVNULL
    )
    try:
        os.close(write)
        display = os.fdopen(read).readline().strip()
        screen(DISPLAY=f":{display}")
        assert why_no_answer() is None
    finally:
        server.kill()
        server.wait()


# --- a folder of Kivy's that cannot be used ---------------------------------------------------------------------------


def _cut(home: Path) -> None:
    home.mkdir()
    (home / "config.ini").write_text("[kivy]\nkeyboard_repeat_delay = 300\n\n[graphics\nmaxf")


def _a_file(home: Path) -> None:
    home.write_text("")


def _not_text(home: Path) -> None:
    home.mkdir()
    (home / "config.ini").write_bytes(b"\xff\xfe\x00" * 200)


def _a_folder_of_that_name(home: Path) -> None:
    (home / "config.ini").mkdir(parents=True)


@pytest.mark.parametrize("spoil", [_cut, _a_file, _not_text, _a_folder_of_that_name])
def test_a_spoilt_folder_of_kivys_keeps_no_table_shut(screen, monkeypatch, tmp_path, spoil):
    """The window opens as doctor's does: neither reads it, and neither writes one."""
    home = tmp_path / "kivy"
    spoil(home)
    before = sorted(tmp_path.rglob("*"))
    screen(SDL_VIDEODRIVER="offscreen", KIVY_HOME=str(home))
    assert checks.window().state == "ok"
    assert sorted(tmp_path.rglob("*")) == before
