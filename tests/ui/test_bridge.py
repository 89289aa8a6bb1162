"""Announcements from any thread, drained on one; and whether a window can be opened at all."""

from __future__ import annotations

import itertools
import subprocess
import sys
import threading
import time

from companion.games.base import msg
from companion.table.ports import Status
from companion.ui.bridge import A_FRAME, BOUND, Bridge
from companion.ui.display import why_no_screen


def test_ten_thousand_announcements_from_threads_arrive() -> None:
    from kivy.base import EventLoop

    EventLoop.ensure_window()
    bridge = Bridge(lambda request: None)
    heard: list[tuple[str, str]] = []
    bridge.listen(lambda what: heard.append((what.kind, what.key)))

    def talk(name: str) -> None:
        for i in range(1250):
            bridge.announce(Status(f"{i:05}", name, msg("Round {n}.", n=i)))
            while len(bridge._queue) > BOUND // 2:
                time.sleep(0.001)

    threads = [threading.Thread(target=talk, args=(f"thread {n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads) or bridge._queue:
        EventLoop.idle()
    assert len(heard) == 10_000
    for n in range(8):
        # each thread's own come in order
        own = [key for kind, key in heard if kind == f"thread {n}"]
        assert own == sorted(own)
        assert len(own) == 1250


def test_what_came_before_anybody_listened_is_heard() -> None:
    from kivy.base import EventLoop

    EventLoop.ensure_window()
    bridge = Bridge(lambda request: None)
    bridge.announce(Status("a", "sound", None))
    heard: list[Status] = []
    bridge.listen(heard.append)
    EventLoop.idle()
    assert [what.key for what in heard] == ["a"]


def test_a_screen_that_fails_loses_one_announcement_only(caplog) -> None:
    bridge = Bridge(lambda request: None)
    heard: list[str] = []

    def listener(what: Status) -> None:
        if what.key == "bad":
            raise ValueError(what.key)
        heard.append(what.key)

    bridge.listen(listener)
    for key in ("one", "bad", "two"):
        bridge.announce(Status(key, "sound", None))
    bridge.drain()
    assert heard == ["one", "two"]


def test_a_full_queue_never_waits_and_keeps_the_newest(caplog) -> None:
    """What is lost is said once, until the screen has caught up."""
    bridge = Bridge(lambda request: None)
    heard: list[str] = []
    bridge.listen(lambda what: heard.append(what.key))
    for _ in range(2):
        caplog.clear()
        for i in range(BOUND + 50):
            bridge.announce(Status(str(i), "sound", None))
        while bridge._queue:
            bridge.drain()
        bridge.drain()
        assert heard == [str(i) for i in range(50, BOUND + 50)]
        assert len(caplog.records) == 1
        heard.clear()


def test_the_screen_is_drawn_between_the_announcements_of_a_long_row() -> None:
    from kivy.base import EventLoop

    EventLoop.ensure_window()
    bridge = Bridge(lambda request: None)
    heard: list[str] = []
    bridge.listen(lambda what: heard.append(what.key))
    for i in range(5 * A_FRAME):
        bridge.announce(Status(str(i), "sound", None))
    frames = [0]
    while len(heard) < 5 * A_FRAME:
        EventLoop.idle()
        frames.append(len(heard))
    assert max(b - a for a, b in itertools.pairwise(frames)) <= A_FRAME


def test_why_no_screen(monkeypatch, tmp_path) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    assert why_no_screen(tmp_path) is not None
    (tmp_path / "card0").write_bytes(b"")
    assert why_no_screen(tmp_path) is None
    monkeypatch.setattr("os.access", lambda path, mode: False)
    found = why_no_screen(tmp_path)
    assert found is not None
    assert "groups" in found.id
    monkeypatch.setenv("DISPLAY", ":0")
    assert why_no_screen(tmp_path) is None
    monkeypatch.delenv("DISPLAY")
    monkeypatch.setenv("SDL_VIDEODRIVER", "offscreen")
    assert why_no_screen(tmp_path / "nothing") is None


def test_deciding_imports_no_kivy() -> None:
    code = "import sys, companion.ui.display, companion.ui.app; sys.exit('kivy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
