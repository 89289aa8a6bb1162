"""Announcements from any thread, drained on one; and whether a window can be opened at all."""

from __future__ import annotations

import subprocess
import sys
import threading

from companion.games.base import msg
from companion.table.ports import Status
from companion.ui.bridge import Bridge
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

    threads = [threading.Thread(target=talk, args=(f"thread {n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        EventLoop.idle()
    for _ in range(3):
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


def test_a_full_queue_never_waits() -> None:
    bridge = Bridge(lambda request: None)
    for i in range(20_050):
        bridge.announce(Status(str(i), "sound", None))


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
