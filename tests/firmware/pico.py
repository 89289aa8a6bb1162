"""A Pico that is a process: real MicroPython with a folder for its flash, which starts main.py or shows its prompt.

Its `machine` is the one of fakes/. A reset ends the process; then it comes back on another pty, as a board does whose
USB line is set up anew. `port` is a symlink.
"""

from __future__ import annotations

import contextlib
import json
import os
import pty
import shutil
import subprocess
import threading
import time
import tty
from pathlib import Path

import firmware
from hardware.fakes import python_for_boards
from hardware.install import FILES

FIRMWARE = Path(firmware.__file__).parent
FAKES = Path(__file__).with_name("fakes")
FOUND = python_for_boards()
MICROPYTHON = FOUND if "micropython" in FOUND[0] else None


class Pico:
    """Plugged in from the start. `flash`: its files; `chips`: what hangs on its pins, as fakes/machine.py wants it."""

    def __init__(self, folder: Path, chips: dict[str, str] | None = None, away: float = 0.2) -> None:
        assert MICROPYTHON, "no MicroPython on this machine"
        self.flash = folder / "flash"
        self.port = folder / "port"
        self.starts = 0
        self._library = folder / "library"
        self._away = away  # seconds that it is gone while it restarts
        for made in (self.flash, self._library):
            made.mkdir(parents=True)
        for file in (*FAKES.glob("*.py"), FIRMWARE / "fakechips.py"):
            shutil.copy(file, self._library)
        (self.flash / "chips.json").write_text(json.dumps(chips or {}))
        self._gone = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._live, daemon=True)

    def write(self, plan: object = None) -> None:
        """Puts our firmware and a plan on it, as an installer did one day."""
        for name in FILES:
            shutil.copy(FIRMWARE / f"{name}.py", self.flash)
        if plan is not None:
            (self.flash / "board.json").write_text(json.dumps(plan))

    def lay(self, chip: str, *uids: str) -> None:
        """Tags on a chip ("spi0/17"); none lifts them."""
        whole = self.flash / "tag"
        whole.write_text(" ".join(uids))
        whole.rename(self.flash / f"tag-{chip.replace('/', '-')}")

    def freeze(self) -> None:
        """Hangs it."""
        assert self._process
        os.kill(self._process.pid, 19)

    def __enter__(self) -> Pico:
        self._thread.start()
        while not self.port.exists():
            time.sleep(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        self._gone.set()
        self._thread.join()

    def _live(self) -> None:
        assert MICROPYTHON
        while not self._gone.is_set():
            end, far = pty.openpty()
            tty.setraw(far)
            main = ["-i", "main.py"] if (self.flash / "main.py").exists() else []
            self._process = subprocess.Popen(
                [*MICROPYTHON, *main],
                stdin=end,
                stdout=end,
                stderr=end,
                cwd=self.flash,
                env={**os.environ, "MICROPYPATH": f".:{self._library}:.frozen", "TERM": "dumb"},
                start_new_session=True,
            )
            self.starts += 1
            with contextlib.suppress(FileNotFoundError):
                self.port.unlink()
            self.port.symlink_to(os.ttyname(far))
            while self._process.poll() is None and not self._gone.wait(0.02):
                pass
            self._process.kill()
            self._process.wait()
            with contextlib.suppress(FileNotFoundError):
                self.port.unlink()
            for one in (end, far):
                os.close(one)
            self._gone.wait(self._away)
