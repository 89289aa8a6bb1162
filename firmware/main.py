"""The reader board: poll the chips, debounce, report; answer the table. See the wire page in README.md.

`Board` knows neither a clock nor a port: `step(now)` is called again and again with milliseconds that wrap
as `time.ticks_ms` does. `run` is the thin layer that gives it a clock, a port and the machine. The same code
runs on a Pico, under MicroPython's unix port and under CPython.

A place is what stands before a seat (pins.py): `chip`, a driver as in looks.py, and perhaps a `lamp` and a `buzzer` as
in lamp.py. A panel is any object with
    buttons         how many, 1..16
    down()          one look: a number whose bit 0 is button 1; undebounced
"""

import gc
import sys

import wire
from looks import COLLISION, PENDING, Deaf
from ticks import ticks_diff, ticks_ms

POLL = 40  # ms between two looks at the same reader
CLEAN = 2  # clean looks at one UID before it counts as laid: of two that one hand lays, the first is not `on` before
MISSES = 8  # clean misses in a row that mean "gone": at 5 % random misses, one false removal in decades of resting
CROWD = 2  # looks with more than one tag, and none with one between, before it is said
ALONE = 3  # clean looks at one UID after a collision before it counts as laid
NOISE = 3000  # ms without one good reply among garbled ones before that is a fault: a passing noise is none
STARTS = 2  # tries to bring a chip to life before it rests: one that wakes up may miss the first
REST = 1000  # ms before a chip that did not answer is started once more
FIRST = 3  # looks at a chip that has come to life before it is known that nothing lies there
SETTLE = 300  # ms at start for the chips to say what lies there
STEADY = 30  # ms that a button must keep its level
QUEUE = 32  # frames that wait for a host that does not read
PORTION = 64  # bytes read and written in a turn, so that no turn is long: a whole greeting takes a few of them
LEAVE = 200  # ms for the answer to `update` to get away


class Presence:
    """One reader's stays: looks in, frames out (kind, args...), one `on` and one `off` per stay."""

    def __init__(self, number):
        self.number = number
        self.uid = None
        self.crowded = False
        self.candidate = None  # a UID that was seen, but not often enough to be on
        self._sightings = 0
        self._misses = 0
        self._crowd = 0

    def see(self, look):
        """The frames that one clean look leads to. For a garbled reply there is `garbled`."""
        if look is COLLISION:
            return self._collision()
        if look is None or self.uid not in (None, look):
            return self._miss(look)
        self._misses = 0
        self._crowd = 0
        return self._sight(look) if self.uid is None else []

    def garbled(self):
        """A reply that makes no sense is no miss, and something answered: a row of misses ends with it."""
        self._misses = 0

    def _sight(self, uid):
        if uid != self.candidate:
            self.candidate = uid
            self._sightings = 0
        self._sightings += 1
        if self._sightings < (ALONE if self.crowded else CLEAN):
            return []
        self.uid = uid
        self.candidate = None
        self.crowded = False
        return [("on", self.number, uid)]

    def _lift(self):
        uid = self.uid
        self.uid = None
        return [("off", self.number, uid)] if uid is not None else []

    def _miss(self, look):
        self._misses += 1
        if self._misses < MISSES:
            return []
        self._misses = 0
        self._crowd = 0
        self.crowded = False
        self.candidate = None
        frames = self._lift()
        return frames + self._sight(look) if look is not None else frames

    def _collision(self):
        self._misses = 0
        self.candidate = None
        self._crowd += 1
        if self.crowded or self._crowd < CROWD:
            return []
        self.crowded = True
        frames = self._lift()
        frames.append(("collision", self.number))
        return frames


class Reader:
    """A place with its presence and its health."""

    def __init__(self, number, place):
        self.number = number
        self.chip = place.chip
        self.lamp = place.lamp
        self.buzzer = place.buzzer
        can = ["presence"]
        if self.lamp:
            can.append("light")
        if self.buzzer:
            can.append("sound")
        self.can = ",".join(can)
        self.presence = Presence(number)
        self.health = "ok"
        self.pending = True  # the chip is still at it, or is to be asked
        self.known = False  # what lies there
        self.slip = ""  # the first thing that the driver raised and never should
        self._looks = 0  # until it is known
        self._since = None  # when a good reply came last, or it was started anew in noise; None while it is not well
        self._noisy = None  # when a garbled reply came last, if that is not long ago
        self._starts = 1  # since the last good look
        self._rests = None  # since when it is left alone

    @property
    def settled(self):
        """Whether it is known what lies there at start, or that nobody will say."""
        return self.known or self.health != "ok"

    def look(self, now):
        """One look at the chip -> frames. `pending` says whether it was one."""
        if self._rests is not None:
            if ticks_diff(now, self._rests) < REST:
                self.pending = False
                return []
            self._rests = None
            self._start()
        if self._noisy is not None and ticks_diff(now, self._noisy) >= NOISE:
            self._noisy = None
        try:
            look = self.chip.look(now)
        except Deaf:
            return self._deaf(now)
        except ValueError:
            return self._make_no_sense(now)
        except Exception as error:  # whatever a driver raises, the other readers go on
            self._note(error)
            return self._make_no_sense(now)
        self.pending = look is PENDING
        if self.pending:
            return []
        self._since = now
        self._starts = 0
        frames = self._become("ok")
        if isinstance(look, (bytes, bytearray)):
            look = "".join(["%02X" % byte for byte in look])
        seen = self.presence.see(look)
        return frames + (seen if self.known else self._get_to_know(seen))

    def _get_to_know(self, seen):
        """A tag that lies there when the chip comes to life lay there before: it is `lying`, not `on`."""
        self._looks += 1
        self.known = seen != [] or (self._looks >= FIRST and self.presence.candidate is None)
        return [("lying",) + frame[1:] if frame[0] == "on" else frame for frame in seen]

    def _make_no_sense(self, now):
        self.pending = False
        self.presence.garbled()
        self._noisy = now
        if self._since is None:
            self._since = now
        return [] if ticks_diff(now, self._since) < NOISE else self._fail(now)

    def _deaf(self, now):
        """Started anew at once. In noise, which may hide an answer, nothing is said of it before NOISE is over."""
        if self._noisy is not None and self._since is not None and ticks_diff(now, self._since) < NOISE:
            self._start()
            self._starts -= 1
            return []
        return self._fail(now)

    def _fail(self, now):
        """Started anew at once, and once more; if that is no help, again and again, with rests."""
        self.pending = False
        self._since = None
        if self._starts >= STARTS:
            self._rests = now
            return self._become("absent")
        was_well = self._starts == 0
        self._start()
        return self._become("deaf") if was_well else []

    def _start(self):
        self._starts += 1
        self.pending = True
        try:
            self.chip.start()
        except Exception as error:  # the look that follows will find out
            self._note(error)

    def _note(self, error):
        if not self.slip:
            self.slip = "reader %d: %s: %s" % (self.number, type(error).__name__, error)

    def _become(self, health):
        if health == self.health:
            return []
        self.health = health
        return [("health", self.number, health)]


class Panel:
    """A panel's buttons, each debounced by itself: stable for STEADY ms."""

    def __init__(self, number, panel):
        self.number = number
        self.panel = panel
        self._down = 0
        self._changing = {}  # button -> since when its level differs

    def look(self, now):
        frames = []
        different = self.panel.down() ^ self._down
        for button in range(1, self.panel.buttons + 1):
            bit = 1 << (button - 1)
            if not different & bit:
                self._changing.pop(button, None)
            elif button not in self._changing:
                self._changing[button] = now
            elif ticks_diff(now, self._changing[button]) >= STEADY:
                self._changing.pop(button)
                self._down ^= bit
                frames.append(("press" if self._down & bit else "release", self.number, button))
        return frames


class Board:
    """The whole board without a machine.

    `port` has read() -> the bytes that are there and write(bytes) -> how many it took; neither ever waits.
    `free` says the free bytes, `restart` leaves for the REPL. `remark`: what is wrong with the board, if anything; said
    after each greeting in a line that is no frame, as is the first slip of each reader's driver, and that at once, too.
    """

    def __init__(self, places, panels, port, board, now, free=lambda: 0, restart=lambda: None, remark=""):
        self.board = board
        self.readers = [Reader(number, place) for number, place in enumerate(places)]
        self.lamps = [reader.lamp for reader in self.readers if reader.lamp]
        self.buzzers = [reader.buzzer for reader in self.readers if reader.buzzer]
        self.panels = [Panel(number, panel) for number, panel in enumerate(panels)]
        self.dropped = 0
        self._port = port
        self._free = free
        self._restart = restart
        self._remark = remark
        self._leaving = None  # since when
        self._decoder = wire.Decoder()
        self._seq = 0
        self._queue = []  # (seq, kind, args): they become lines one by one, when they are written; a remark has no kind
        self._half = b""  # the rest of a line that the port took only in part
        self._uptime = 0
        self._beat = now
        self._polled = now
        self._turn = 0
        self._since = now
        self._settled = not self.readers
        self._order = list(self.readers)  # whose look may wait for a bus: the one that was asked last comes last

    def step(self, now):
        """A short turn: read and answer, look at one reader and the panels, light and sound, beat, write."""
        if not self._settled:
            self._settle(now)
            return
        if self._leaving is not None:
            self._write()
            if ticks_diff(now, self._leaving) >= LEAVE:
                self._leaving = now
                self._restart()
            return
        for seq, kind, args in self._decoder.feed(self._port.read()):
            self._answer(seq, kind, args, now)
        self._look(now)
        for lasting in self.lamps + self.buzzers:
            lasting.step(now)
        if ticks_diff(now, self._beat) >= 1000:
            self._beat += 1000
            if ticks_diff(now, self._beat) >= 1000:
                self._beat = now  # it stood still (a debugger, a long write): do not catch up beat by beat
            self._uptime += 1
            self.say("beat", self._uptime, self._free(), self.dropped)
        self._write()

    def say(self, kind, *args):
        """Queues a frame. A full queue drops it; its SEQ is used up, so that the host sees the gap and asks."""
        if len(self._queue) < QUEUE:
            self._queue.append((self._seq, kind, args))
        else:
            self.dropped += 1
        self._seq = (self._seq + 1) & 0xFF

    def _settle(self, now):
        """What lies there at start lay there before: it is held without an `on`, before anybody is greeted."""
        self._beat = now
        self._turn = (self._turn + 1) % len(self.readers)
        if not self.readers[self._turn].settled:
            self.readers[self._turn].pending = True
        self._ask(now)
        if ticks_diff(now, self._since) >= SETTLE:
            self._settled = True
        else:
            self._settled = all(reader.settled for reader in self.readers)

    def _look(self, now):
        # one reader after another, spread over the poll time, which is rounded up: two looks are never closer
        if self.readers and ticks_diff(now, self._polled) >= -(-POLL // len(self.readers)):
            self._polled = now
            self._turn = (self._turn + 1) % len(self.readers)
            self.readers[self._turn].pending = True
        for frame in self._ask(now):
            self.say(*frame)
        for panel in self.panels:
            for frame in panel.look(now):
                self.say(*frame)

    def _ask(self, now):
        """A look at each reader that is due or still at it; but at one only of those that may wait for their bus."""
        frames = []
        waited = False
        for reader in list(self._order):
            if not reader.pending or (reader.chip.waits and waited):
                continue
            if reader.chip.waits:
                waited = True
                self._order.remove(reader)
                self._order.append(reader)
            slip = reader.slip
            frames += reader.look(now)
            if reader.slip != slip:
                self._say_remark(reader.slip)
        return frames

    def _write(self):
        room = PORTION
        while room > 0 and (self._half or self._queue):
            if not self._half:
                seq, kind, args = self._queue.pop(0)
                self._half = self._remark_line(*args) if kind is None else wire.encode(seq, kind, *args)
            took = self._port.write(self._half[:room])
            if not took:
                return
            self._half = self._half[took:]
            room -= took

    def _say_remark(self, text):
        if len(self._queue) < QUEUE:
            self._queue.append((0, None, (text,)))  # no frame, so it has no number

    @staticmethod
    def _remark_line(text):
        """Letters of the wire only, and no `*`: nobody can take it for a frame."""
        return "".join([c if " " <= c <= ")" or "+" <= c <= "~" else "?" for c in text]).encode() + b"\n"

    def _answer(self, seq, kind, args, now):
        if not wire.well_formed(wire.HOST_KINDS, kind, args):
            return  # a newer table, or a line that only looks like a frame
        seq = "%02X" % seq
        if kind == "hello?":
            self._greet(args[0])
        elif kind in ("light", "sound"):
            self._show(seq, kind, int(args[0]), args[1])
        else:
            if kind == "tags?":
                self._lying()
            self.say("ack", seq)
        if kind == "update":
            self._leaving = now

    def _greet(self, nonce):
        self._seq = 0
        self._queue = []  # said before the hello, so ignored anyway
        self.say("hello", nonce, wire.PROTOCOL, wire.FIRMWARE, self.board)
        for reader in self.readers:
            self.say("reader", reader.number, reader.chip.name, reader.can)
        for panel in self.panels:
            self.say("panel", panel.number, panel.panel.buttons)
        self._lying()
        self.say("ready", len(self.readers), len(self.panels))
        for reader in self.readers:
            if reader.health != "ok":
                self.say("health", reader.number, reader.health)
            if reader.presence.crowded:
                self.say("collision", reader.number)
        for text in [self._remark] + [reader.slip for reader in self.readers]:
            if text:
                self._say_remark(text)

    def _lying(self):
        for reader in self.readers:
            if reader.presence.uid is not None:
                self.say("lying", reader.number, reader.presence.uid)

    def _show(self, seq, kind, number, what):
        if number >= len(self.readers):
            self.say("nak", seq, "no-such-reader")
        elif what not in (wire.PATTERNS if kind == "light" else wire.SOUNDS):
            self.say("nak", seq, "no-such-" + kind)
        elif kind not in self.readers[number].can.split(","):
            self.say("nak", seq, "no-" + kind)
        elif kind == "light":
            self.readers[number].lamp.show(what)
            self.say("ack", seq)
        else:
            self.readers[number].buzzer.play(what)
            self.say("ack", seq)


class Port:
    """Standard input and output as a port that never waits. Broken or absent streams read as silence."""

    def __init__(self, reads, writes):
        import select

        self._reads = reads
        self._writes = writes
        self._in = select.poll()
        self._in.register(reads, select.POLLIN)
        self._out = select.poll()
        self._out.register(writes, select.POLLOUT)
        self.ended = False  # the far end of `reads` is gone for good (a closed socket; a port never says so)

    def wait(self, milliseconds):
        """Sleeps until bytes come or the time is over."""
        try:
            self._in.poll(milliseconds)
        except OSError:
            pass

    def read(self):
        """A portion at most; one byte a call, since a board's read(n) waits until it has all n."""
        data = bytearray()
        try:
            while len(data) < PORTION and self._in.poll(0):
                byte = self._reads.read(1)
                if not byte:
                    self.ended = byte is not None
                    break
                data.extend(byte)
        except OSError:
            pass
        return bytes(data)

    def write(self, data):
        """How many of the bytes there was room for: one byte a call, since a board's write(n) waits for room for all n,
        half a second each time while the host does not read."""
        took = 0
        try:
            while took < len(data) and self._out.poll(0):
                if not self._writes.write(data[took : took + 1]):
                    break
                took += 1
        except OSError:
            pass
        return took


def free():
    """Free bytes of memory, tidied up; 0 where nobody can say (CPython)."""
    if not hasattr(gc, "mem_free"):
        return 0
    gc.collect()  # once a second and briefly, not at some time and for long
    return gc.mem_free()


def run(places, panels, port, board, tick=lambda: None, more=lambda: True, restart=None, remark=""):
    """Steps until `more()` says no or `update` came. `tick` runs once a turn (the watchdog, a fake's controls)."""
    going = [True]

    def leave():
        going[0] = False
        if restart:
            restart()

    table = Board(places, panels, port, board, ticks_ms(), free, leave, remark)
    while going[0] and more():
        tick()
        table.step(ticks_ms())
        port.wait(5)


def wired(machine, text):
    """The places and panels of board.json's text; none, and why, where it cannot be used."""
    import json

    from board import check
    from pins import Builder

    if not text:
        return (), (), "board.json: there is none, so nothing is known to be wired here"

    try:
        import neopixel
    except ImportError:
        neopixel = None
    try:
        plan = json.loads(text)
    except ValueError:
        return (), (), "board.json: it is no JSON; look for a missing comma, quote or brace"
    try:
        plan = check(plan)
        builder = Builder(machine, neopixel)
        return builder.places(plan), builder.panels(plan), ""
    except Exception as error:  # a board that cannot be set up still greets, so that the table can say so
        return (), (), "board.json: %s" % error


def main():
    """On a real board."""
    import os

    import machine
    import micropython

    if "repl" in os.listdir():  # `update` left this: stay in the REPL, and without the watchdog, once
        os.remove("repl")
        return
    micropython.kbd_intr(-1)  # a byte 03 is garbage here, not Ctrl-C
    watchdog = machine.WDT(timeout=8000)

    def restart():
        try:
            with open("repl", "w"):
                pass
        except OSError:
            pass  # no room for it: then it starts as ever
        machine.reset()

    try:
        with open("board.json") as file:
            text = file.read()
    except OSError:
        text = ""
    places, panels, why = wired(machine, text)
    port = Port(sys.stdin.buffer, sys.stdout.buffer)
    identity = "".join(["%02x" % byte for byte in machine.unique_id()])
    run(places, panels, port, identity, watchdog.feed, restart=restart, remark=why)


if __name__ == "__main__":
    main()
