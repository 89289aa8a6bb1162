"""How the house ends: in order, with all lights out."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from companion import compose
from companion.adapters.sqlite import open_store
from companion.border import Border
from companion.config import Config, Readers
from companion.engine import Engine
from companion.table.ports import Begin
from tests.hardware.boards import ScriptedBoard, wait_until


def lights(board: Any) -> dict[str, str]:
    """Reader -> the pattern that it was told last."""
    return {args[0]: args[1] for _, kind, args in list(board.heard) if kind == "light"}


def test_at_the_end_of_a_table_its_lights_go_out(tmp_path: Path) -> None:
    """A reader board has its power from elsewhere: it would breathe on for nobody."""
    store, _lost = open_store(tmp_path / "gryphon.sqlite3")
    border = Border()
    engine = Engine(store, border, [])
    house = compose.House(Config(readers=Readers(ports=(str(tmp_path / "port"),))), engine, border, None)
    with ScriptedBoard(tmp_path / "port", panels=0) as board:
        with ExitStack() as stack:
            stack.callback(store.close)
            house.start(stack)
            engine.post(Begin("sir-holland", ("red", "blue"), {}, {}))
            wait_until(lambda: lights(board) == {"0": "waiting", "1": "waiting"})
        wait_until(lambda: lights(board) == {"0": "off", "1": "off"})


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_table_that_is_told_to_end_does_so_in_order(number: int, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f'[readers]\nports = ["{tmp_path / "port"}"]\n')
    with ScriptedBoard(tmp_path / "port") as board:
        table = subprocess.Popen(
            [sys.executable, "-m", "companion", "--windowed", "--data", str(tmp_path), "--config", str(config)],
            env={**os.environ, "SDL_VIDEODRIVER": "offscreen", "KIVY_NO_ARGS": "1"},
        )
        try:
            wait_until(lambda: "hello?" in board.kinds())  # by then it waits for signals
            table.send_signal(number)
            assert table.wait(60) == 0
            assert lights(board) == {"0": "off", "1": "off"}
            assert "gryphon.sqlite3-wal" in (tmp_path / "README.txt").read_text(encoding="utf-8")
        finally:
            table.kill()
