"""`gryphon devices watch`: the signals of the boards as JSON, one object a line."""

from __future__ import annotations

import json
import os
import queue
import signal
import threading
import time
from collections.abc import Iterable
from types import FrameType
from typing import TextIO

from hardware.nfc import Readers, matching
from hardware.signals import Signal


def watch(
    port: str | None,
    seconds: float | None,
    out: TextIO,
    ports: Iterable[str] | None = None,
    adapters: Iterable[str] = (),
) -> int:
    """Prints each signal as one line of JSON, flushed at once, until the time is over or SIGINT or SIGTERM comes.

    `port`: the only one, a path or glob that need not exist yet; None for all `ports` and `adapters`, which are those
    of Readers. `seconds`: None for ever.
    Returns the exit code, 0: also when whoever read `out` has gone.
    """
    inbox: queue.SimpleQueue[Signal | None] = queue.SimpleQueue()
    until = None if seconds is None else time.monotonic() + seconds
    if port is not None:
        ports, adapters = [port], _those(port, adapters)

    def stop(_number: int, _frame: FrameType | None) -> None:
        inbox.put(None)

    def say(heard: Signal) -> None:
        if not heard.ours:
            print(json.dumps(heard.to_json()), file=out, flush=True)

    ours = threading.current_thread() is threading.main_thread()  # only there Python hands out signals
    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)} if ours else {}
    try:
        with Readers(inbox.put, ports, adapters=adapters):
            while until is None or time.monotonic() < until:
                try:
                    heard = inbox.get(timeout=None if until is None else max(0.0, until - time.monotonic()))
                except queue.Empty:
                    break
                if heard is None:
                    break
                say(heard)
        while not inbox.empty():  # what was under way when we stopped
            heard = inbox.get()
            if heard is not None:
                say(heard)
    except BrokenPipeError:
        pass
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return 0


def _those(port: str, adapters: Iterable[str]) -> list[str]:
    """The port itself where it leads to one of the adapters, by whatever name."""
    paths = {os.path.realpath(path) for pattern in adapters for path in matching(pattern)}
    return [path for path in matching(port) if os.path.realpath(path) in paths]
