"""The wheel holds the program and all its data, and the referee in it runs without any other package."""

import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    program = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    answer = subprocess.run(program, cwd=ROOT, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    (file,) = folder.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def unpacked(wheel, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as box:
        box.extractall(folder)
    return folder


def bare(unpacked: Path, code: str, said: str = "") -> str:
    """What `code` prints with this wheel as the only package there is: no site-packages, no checkout."""
    code = f"import sys; sys.path.insert(0, {str(unpacked)!r})\n{code}"
    program = [sys.executable, "-I", "-S", "-c", code]
    answer = subprocess.run(program, cwd=unpacked, input=said, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout.strip()


def there(unpacked: Path, room: str) -> None:
    """Skips the test where that room is not built yet."""
    place = unpacked / "companion" / room
    if not (place / "__init__.py").exists() and not place.with_suffix(".py").exists():
        pytest.skip(f"companion.{room} is not built yet")


def shipped(folder: str, *suffixes: str) -> set[str]:
    """The files of the checkout that belong into the wheel."""
    files = (file for file in (ROOT / folder).rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    return {file.relative_to(ROOT).as_posix() for file in files if not suffixes or file.suffix in suffixes}


def test_all_code_is_in_the_wheel_and_nothing_else_of_ours(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    code = shipped("companion", ".py") | shipped("hardware", ".py") | shipped("firmware", ".py")
    assert code - {"companion/locale/catalogues.py"} <= names
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} <= {"companion", "hardware", "firmware"}
    assert not [name for name in names if name.endswith((".po", ".pot", ".pyc", "catalogues.py"))]


@pytest.mark.parametrize("folder", ["kv", "systemd"])
def test_data_folders_are_in_the_wheel(wheel, folder):
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"companion/_data/{name}" for name in shipped(folder)} <= names


def test_every_language_is_in_the_wheel_compiled(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    wanted = {name.removesuffix(".po") + ".mo" for name in shipped("companion/locale", ".po")}
    assert wanted <= names


def test_the_wheel_tells_its_command_extras_and_licence(wheel):
    box = zipfile.ZipFile(wheel)
    about = {name.split("/", 1)[1]: name for name in box.namelist() if ".dist-info/" in name}
    assert "gryphon = companion.cli:main" in box.read(about["entry_points.txt"]).decode()
    metadata = box.read(about["METADATA"]).decode()
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for extra in extras:
        assert f"Provides-Extra: {extra}\n" in metadata
    bound = [line for line in metadata.splitlines() if line.startswith("Requires-Dist:") and "extra ==" not in line]
    assert not bound  # the program itself needs nothing
    assert "licenses/LICENSE" in about


def test_resources_are_found_in_a_wheel_and_in_a_checkout(unpacked):
    from companion import resources

    said = bare(unpacked, "from companion import resources as r; print(r.path('kv'), r.path('locale'), sep='\\n')")
    kv, locale = map(Path, said.splitlines())
    assert kv == (unpacked / "companion" / "_data" / "kv").resolve()
    assert locale == (unpacked / "companion" / "locale").resolve()
    assert resources.path("kv", "theme.kv") == ROOT / "kv" / "theme.kv"
    assert resources.path("locale") == ROOT / "companion" / "locale"


def test_the_version_is_the_one_of_the_wheel(unpacked):
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert bare(unpacked, "import companion; print(companion.__version__)") == wanted


@pytest.mark.parametrize("room", ["games", "table", "teach", "wording", "referee", "cli"])
def test_it_imports_without_any_other_package(unpacked, room):
    there(unpacked, room)
    heavy = "{'kivy', 'gpiozero', 'serial', 'paho', 'hardware'} & {name.split('.')[0] for name in sys.modules}"
    assert bare(unpacked, f"import companion.{room}; print(sorted({heavy}))") == "[]"


@pytest.mark.parametrize("words", [["referee"], ["--version"], ["rules", "gryphon"], ["--help"]])
def test_commands_without_devices_run_without_any_other_package(unpacked, words):
    there(unpacked, "cli")
    bare(unpacked, f"import runpy; sys.argv[1:] = {words!r}; runpy.run_module('companion', run_name='__main__')")


def test_the_wheel_opens_a_screen_outside_the_checkout(wheel, tmp_path):
    """Installed alone into a folder of its own, beside only its libraries, the wheel shows its first screen."""
    site = tmp_path / "site"
    program = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", site, wheel]
    subprocess.run(program, check=True, capture_output=True)
    libraries = sysconfig.get_paths()["purelib"]
    code = f"""
import sys
sys.path[:0] = [{str(site)!r}, {libraries!r}]  # the checkout's own .pth file is not read this way
from contextlib import ExitStack
from pathlib import Path
from companion import compose
from companion.config import Config, Screen
assert Path(compose.__file__).is_relative_to({str(site)!r}), compose.__file__
with ExitStack() as stack:
    house = compose.build(Config(screen=Screen(windowed=True)), Path({str(tmp_path / "data")!r}), "pt", stack)
    from kivy.clock import Clock

    def look(dt):
        root = house.app._app.root
        if root.screen is not None:
            print(root.screen.name)
            house.app.stop()

    Clock.schedule_interval(look, 0.05)
    house.start(stack)
    house.app.run()
"""
    answer = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.strip().splitlines()[-1] == "start"
