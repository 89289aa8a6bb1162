"""A board of a few lines that says and answers whatever a test wants, and an inbox that can be waited for.

Nothing here measures time: `wait` gives a slow machine all the time it may need, and returns as soon as it can.
"""

import os
import pty
import select
import threading
import time
import tty

from firmware import wire

PATIENCE = 20.0
UID = "04A1B20000C3D4"
OTHER = "04FFEE0000C3D4"


class Inbox:
    """Takes signals from any thread."""

    def __init__(self):
        self.signals = []
        self._news = threading.Condition()

    def __call__(self, signal):
        with self._news:
            self.signals.append(signal)
            self._news.notify_all()

    def said(self, *names):
        return [signal for signal in list(self.signals) if not names or signal.name in names]

    def wait(self, name, times=1):
        """The so-many-th signal of that name, once it is there."""
        with self._news:
            there = self._news.wait_for(lambda: len(self.said(name)) >= times, PATIENCE)
        assert there, f"no {name} ({times}) in {self.signals}"
        return self.said(name)[times - 1]

    def names(self):
        return [signal.name for signal in list(self.signals)]


def wait_until(condition):
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.01)


def settled(readers):
    """Every chip is well, and it is known what lies there: a busy machine may have kept one waiting at its start."""
    time.sleep(0.5)
    wait_until(lambda: all(reader.health == "ok" for board in readers.boards() for reader in board.readers))
    time.sleep(0.5)


class OnPty:
    """A device on the far end of a pty: `port` is a symlink to it, as /dev/serial/by-id is; `_run` talks for it."""

    def __init__(self, port):
        self.port = port
        self.plug()

    def plug(self):
        self._end, self._far = pty.openpty()
        tty.setraw(self._far)
        self._going = True
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self.port.symlink_to(os.ttyname(self._far))

    def unplug(self):
        self._going = False
        self._thread.join()
        self.port.unlink()
        os.close(self._end)
        os.close(self._far)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._going:
            self.unplug()

    def _run(self):
        raise NotImplementedError


class ScriptedBoard(OnPty):
    """Greets properly and acknowledges all; a test changes `greeting`, `answers`, or sends by itself."""

    def __init__(self, port, *, board="b0a2d1", protocol=1, firmware="0.3.0", readers=2, panels=1, lying=()):
        self.board, self.protocol, self.firmware = board, protocol, firmware
        self.readers, self.panels, self.lying = readers, panels, list(lying)
        self.mute = self.hung = False
        self.heard = []  # (seq, kind, args) of all that the host said
        self.greeting = self._greet
        self._seq = 0
        self._lock = threading.RLock()
        super().__init__(port)

    def raw(self, data):
        with self._lock:
            os.write(self._end, data)

    def line(self, kind, *args):
        with self._lock:
            data = wire.encode(self._seq, kind, *args)
            self._seq = (self._seq + 1) & 0xFF
        return data

    def say(self, kind, *args):
        with self._lock:
            self.raw(self.line(kind, *args))

    def lose(self, kind, *args):
        """A frame that is lost on the line: only its number is used up."""
        self.line(kind, *args)

    def kinds(self):
        return [kind for _, kind, _ in list(self.heard)]

    def _run(self):
        decoder = wire.Decoder()
        beaten = time.monotonic()
        uptime = 0
        while self._going:
            if select.select([self._end], [], [], 0.05)[0]:
                for frame in decoder.feed(os.read(self._end, 4096)):
                    self.heard.append(frame)
                    if not self.hung:
                        self._answer(*frame)
            if time.monotonic() - beaten > 0.5 and not self.mute:
                beaten, uptime = time.monotonic(), uptime + 1
                self.say("beat", uptime, 1000, 0)

    def _answer(self, seq, kind, args):
        if kind == "hello?":
            self._seq = 0
            self.greeting(args[0])
        else:
            with self._lock:
                if kind == "tags?":
                    self._tell_lying()
                self.say("ack", f"{seq:02X}")

    def _greet(self, nonce):
        with self._lock:
            self.say("hello", nonce, self.protocol, self.firmware, self.board)
            for number in range(self.readers):
                self.say("reader", number, "pn532", "presence,light,sound")
            for number in range(self.panels):
                self.say("panel", number, 7)
            self._tell_lying()
            self.say("ready", self.readers, self.panels)

    def _tell_lying(self):
        for number, uid in self.lying:
            self.say("lying", number, uid)
