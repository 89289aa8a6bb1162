"""Five smoke cases on an emulated RP2040: real MicroPython, our firmware in its flash, a fake PN532 on its UART, USB
serial up to hardware/nfc.py. It runs at some hundredths of real time, so nothing here says how fast anything is.

    python -m tests.firmware.real.smoke PICO.UF2 RP2040PY
"""

from __future__ import annotations

import json
import os
import queue
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from hardware import signals
from hardware.install import FILES, FOLDER
from hardware.link import Timing
from hardware.nfc import Readers
from hardware.signals import Signal

HERE = Path(__file__).resolve().parent
PATIENCE = float(os.environ.get("FIRMWARE_REAL_PATIENCE", "900"))  # seconds a case; a busy machine is slow
SLOW = Timing(answer=40.0, silence=300.0, patience=900.0)
PLAN = {
    "readers": [
        {"chip": "pn532", "bus": "uart1", "tx": 8, "rx": 9, "lamp": {"kind": "plain", "pin": 16}},
    ]
}
UID = "04A1B20000C3D4"


class Failed(Exception):
    """A case did not come out."""


class Bench:
    """The emulator, the table's readers on its port, and the clock of the one who waits."""

    def __init__(self, folder: Path, uf2: Path, emulator: Path) -> None:
        self.folder = folder
        (folder / "board.json").write_text(json.dumps(PLAN))
        files = [str(FOLDER / f"{name}.py") for name in FILES]
        # the command of that name takes Python files only, this function any
        image = "import sys; from rp2040py.cli.mklittlefs import build_littlefs_image as b; b('fs.img', sys.argv[1:])"
        subprocess.run([emulator.with_name("python"), "-c", image, *files, "board.json"], cwd=folder, check=True)
        program = ["micropython", "--image", uf2, "--littlefs", "fs.img", "--pty"]
        self._log = folder / "emulator.log"
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [emulator, *program, "--board-spec", f"{HERE / 'emulated.py'}:board"],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self.port = self._find_port()
        self._inbox: queue.SimpleQueue[Signal] = queue.SimpleQueue()
        self.readers = Readers(self._inbox.put, [self.port], timing=SLOW).start()

    def _find_port(self) -> str:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self._process.poll() is None:
            found = re.search(r"/dev/pts/\d+", self._log.read_text(errors="replace"))
            if found:
                return found[0]
            time.sleep(0.1)
        raise Failed(f"the emulator names no port: {self._log.read_text(errors='replace')[-500:]}")

    def lay(self, *uids: str) -> None:
        """What lies on the reader from now on."""
        whole = self.folder / "new"
        whole.write_text(" ".join(uids))
        whole.rename(self.folder / "tag-uart1")

    def wait(self, kind: type[Signal]) -> Signal:
        """The next signal of that kind. Any other is a fault, but the word that it is slow to greet."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                heard = self._inbox.get(timeout=0.5)
            except queue.Empty:
                if self._process.poll() is not None:
                    raise Failed(f"the emulator ended: {self._log.read_text(errors='replace')[-500:]}") from None
                continue
            if isinstance(heard, kind):
                return heard
            if isinstance(heard, signals.LinkBack) or (isinstance(heard, signals.LinkLost) and heard.board is None):
                continue
            raise Failed(f"{heard} came instead of {kind.__name__}")
        raise Failed(f"no {kind.__name__} in {PATIENCE:.0f} s")

    def lamp(self, lit: bool) -> None:
        """Waits until the lamp is lit, or dark."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                if bool(int((self.folder / "lamp").read_text() or "0")) == lit:
                    return
            except FileNotFoundError:
                pass
            time.sleep(0.1)
        raise Failed(f"the lamp is not {'lit' if lit else 'dark'} after {PATIENCE:.0f} s")

    def type(self, text: str) -> None:
        """Types at the board's prompt."""
        terminal = os.open(self.port, os.O_RDWR | os.O_NOCTTY)
        os.write(terminal, text.encode())
        os.close(terminal)

    def close(self) -> None:
        """The emulator ends."""
        self.readers.close()
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def hello(bench: Bench) -> None:
    """The board greets, with its one reader."""
    ready = bench.wait(signals.BoardReady)
    assert isinstance(ready, signals.BoardReady)
    if (ready.readers, ready.panels) != (1, 0):
        raise Failed(f"{ready}")


def on(bench: Bench) -> None:
    """A card is laid down."""
    bench.lay(UID)
    laid = bench.wait(signals.TagOn)
    assert isinstance(laid, signals.TagOn)
    if laid.uid != UID:
        raise Failed(f"{laid}")


def off(bench: Bench) -> None:
    """And lifted."""
    bench.lay()
    bench.wait(signals.TagOff)


def light(bench: Bench) -> None:
    """The lamp is lit and goes dark again."""
    reader = bench.readers.boards()[0].readers[0].reader
    bench.readers.light(reader, "locked")
    bench.lamp(True)
    bench.readers.light(reader, "off")
    bench.lamp(False)


def reset(bench: Bench) -> None:
    """`update` leads to the prompt, a reset back into the firmware."""
    board = bench.readers.boards()[0].board
    link = bench.readers._shared.known.board(board).link
    assert link is not None
    link.command("update")
    until = time.monotonic() + PATIENCE
    while link._commands or link._flight:  # acknowledged
        if time.monotonic() > until:
            raise Failed("update is not acknowledged")
        time.sleep(0.1)
    link.end(signals.SILENT)  # the pty does not vanish as a USB port would
    link._nudge()
    bench.wait(signals.LinkLost)
    while time.monotonic() < until:
        # while it restarts nobody listens; at its prompt this does what it says; to the firmware it is garbage
        bench.type("\r\nimport machine; machine.reset()\r\n")
        time.sleep(5)
        if not bench._inbox.empty():
            break
    bench.wait(signals.LinkBack)
    hello(bench)


CASES = (hello, on, off, light, reset)


def main(uf2: str, emulator: str) -> int:
    """Runs them in their order; 0 when all came out."""
    with tempfile.TemporaryDirectory(prefix="gryphon-pico-") as folder:
        bench = Bench(Path(folder), Path(uf2).resolve(), Path(emulator).absolute())
        passed = 0
        try:
            for case in CASES:
                began = time.monotonic()
                case(bench)
                passed += 1
                print(f"firmware-real: {case.__name__} ok ({time.monotonic() - began:.1f} s)", flush=True)
        except Failed as failure:
            print(f"firmware-real: {CASES[passed].__name__} FAILED: {failure}", flush=True)
        finally:
            bench.close()
    print(f"{passed} passed, {len(CASES) - passed} failed")
    return int(passed < len(CASES))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
