"""Threads and real ptys: boards that come, go, hang and lie; and the real firmware under MicroPython."""

import errno
import os
import socket
import threading
import time
from dataclasses import replace

import pytest
import serial

from firmware import wire
from hardware import nfc, signals
from hardware.fakes import FakeBoard
from hardware.link import Timing
from hardware.nfc import Readers
from tests.hardware.boards import OTHER, UID, Inbox, ScriptedBoard, wait_until

# Slow machines answer late; the tests of hung boards use the wire page's own times.
PATIENT = Timing(answer=5.0, silence=30.0)


@pytest.fixture
def inbox():
    return Inbox()


@pytest.fixture
def port(tmp_path):
    return tmp_path / "port"


@pytest.fixture
def readers(inbox, port):
    with Readers(inbox, [str(port)], timing=PATIENT) as readers:
        yield readers


@pytest.fixture
def hasty(inbox, port):
    with Readers(inbox, [str(port)]) as readers:
        yield readers


# -- the real firmware


def test_firmware_from_laying_to_lifting_through_a_replug(readers, inbox, port):
    with FakeBoard(port, readers=2, panels=1, board="b0a2") as board:
        assert inbox.wait("board-ready").to_json() == {
            "signal": "board-ready",
            "board": "b0a2",
            "firmware": wire.FIRMWARE,
            "readers": 2,
            "panels": 1,
        }
        board.lay(0, UID)
        assert inbox.wait("tag-on").to_json() == {
            "signal": "tag-on",
            "reader": "b0a2/0",
            "uid": UID,
            "foreign": False,
        }
        board.lay(1, "08010203")
        assert inbox.wait("tag-on", 2) == signals.TagOn("b0a2/1", "08010203", True)
        board.press(0, 3)
        assert inbox.wait("press") == signals.Press("b0a2/0", 3)
        board.release(0, 3)
        inbox.wait("release")
        readers.light("b0a2/0", "locked")
        readers.sound("b0a2/1", "click")
        wait_until(lambda: board.lights == {0: "locked"} and board.sounds == [(1, "click")])

        board.unplug()
        assert inbox.wait("link-lost").reason == signals.UNPLUGGED
        assert readers.boards()[0].port is None
        board.lift(1)
        board.lights.clear()
        board.plug()
        inbox.wait("board-ready", 2)
        assert inbox.wait("tag-lying") == signals.TagLying("b0a2/0", UID, False)
        assert inbox.wait("tag-off") == signals.TagOff("b0a2/1", "08010203", True)
        wait_until(lambda: board.lights == {0: "locked"})  # shown again by itself
        assert readers.boards()[0].port == str(port)

        board.lift(0)
        assert inbox.wait("tag-off", 2) == signals.TagOff("b0a2/0", UID, False)
        names = inbox.names()
        assert names.count("tag-on") == 2
        assert names.index("link-back") < len(names) - 1 - names[::-1].index("board-ready")


def test_firmware_with_a_bad_radio_two_tags_and_noise_on_the_line(readers, inbox, port):
    with FakeBoard(port, readers=2, board="b0a2") as board:
        inbox.wait("board-ready")
        board.radio(0, "half")
        board.lay(0, UID)
        inbox.wait("tag-on")
        board.radio(0, "noise")
        assert inbox.wait("health").state == "deaf"
        board.noise(b"\xff\x00>>> garbage\r\n*" + b"x" * 300 + b"\n05 on 1 04A1B20000C3D4*7F31\n")
        board.radio(0, "good")
        assert inbox.wait("health", 2).state == "ok"
        board.lay(1, UID, OTHER)
        assert inbox.wait("collision") == signals.Collision("b0a2/1")
        assert inbox.said("tag-on", "tag-off") == [signals.TagOn("b0a2/0", UID, False)]


def test_firmware_runs_under_cpython_too(readers, inbox, port):
    import sys

    with FakeBoard(port, readers=1, board="b0a2", command=[sys.executable]) as board:
        board.lay(0, UID)
        inbox.wait("board-ready")
        wait_until(lambda: inbox.said("tag-on", "tag-lying"))


def test_firmware_that_hangs_and_comes_to_itself(hasty, inbox, port):
    with FakeBoard(port, readers=1) as board:
        inbox.wait("board-ready")
        board.freeze()
        hasty.light(f"{board.board}/0", "waiting")
        lost = inbox.wait("link-lost")
        assert lost.reason in (signals.HUNG, signals.SILENT)
        board.thaw()
        inbox.wait("link-back")
        wait_until(lambda: board.lights == {0: "waiting"})


def test_two_boards_by_a_glob(inbox, tmp_path):
    with (
        Readers(inbox, [str(tmp_path / "tty*")], timing=PATIENT) as readers,
        FakeBoard(tmp_path / "ttyA", readers=1, board="aaaa") as one,
        FakeBoard(tmp_path / "ttyB", readers=1, board="bbbb") as two,
    ):
        inbox.wait("board-ready", 2)
        one.lay(0, UID)
        inbox.wait("tag-on")
        two.lay(0, UID)
        assert {signal.reader for signal in (inbox.wait("tag-on"), inbox.wait("tag-on", 2))} == {"aaaa/0", "bbbb/0"}
        one.unplug()
        assert inbox.wait("link-lost").board == "aaaa"
        two.lift(0)
        assert inbox.wait("tag-off").reader == "bbbb/0"
        one.port = tmp_path / "ttyC"  # comes back under another name
        one.plug()
        assert inbox.wait("link-back") == signals.LinkBack("aaaa", str(tmp_path / "ttyC"))
        assert [board.board for board in readers.boards()] == ["aaaa", "bbbb"]


# -- boards of our own


def test_a_port_that_appears_later_and_a_board_that_babbles_first(readers, inbox, port):
    with ScriptedBoard(port) as board:
        board.raw(b"MicroPython v1.25\r\n>>> " + bytes(range(256)))
        assert inbox.wait("board-ready") == signals.BoardReady("b0a2d1", "0.3.0", 2, 1)
        assert board.heard[0][0] == 0  # the host counts from 00
        for byte in board.line("on", 0, UID):
            board.raw(bytes([byte]))
        assert inbox.wait("tag-on").uid == UID


def test_a_greeting_that_does_not_add_up(readers, inbox, port):
    with ScriptedBoard(port) as board:
        whole = board.greeting

        def short(nonce):
            board.greeting = whole
            board.say("hello", nonce, 1, "0.3.0", "b0a2d1")
            board.say("ready", 2, 1)

        board.greeting = short
        inbox.wait("board-ready")
        assert board.kinds().count("hello?") >= 2


def test_another_protocol(readers, inbox, port):
    with ScriptedBoard(port, protocol=2):
        assert inbox.wait("board-refused").to_json() == {
            "signal": "board-refused",
            "board": "b0a2d1",
            "port": str(port),
            "reason": signals.TOO_NEW,
        }
    assert inbox.said("board-ready", "link-lost") == []


def test_a_board_that_never_answers_is_missed_once(hasty, inbox, port):
    with ScriptedBoard(port) as board:
        board.hung = True
        assert inbox.wait("link-lost").board is None
        board.hung = False
        inbox.wait("board-ready")
        assert inbox.names()[:3] == ["link-lost", "link-back", "board-ready"]


def test_a_lost_frame_is_made_up_for(readers, inbox, port):
    with ScriptedBoard(port) as board:
        inbox.wait("board-ready")
        board.say("on", 0, UID)
        inbox.wait("tag-on")
        board.lying = [(1, OTHER)]
        board.lose("off", 0, UID)
        board.say("press", 0, 1)
        assert inbox.wait("tag-off").uid == UID
        assert inbox.wait("tag-lying") == signals.TagLying("b0a2d1/1", OTHER, False, laid=True)
        assert "tags?" in board.kinds()


@pytest.mark.slow
def test_many_replugs_lose_nothing(inbox, tmp_path):
    """Each time under another name; 30 in `make test`, 1,000 in `make long`. bench_replug measures them."""
    times = 1000 if os.environ.get("GRYPHON_LONG") else 30
    with Readers(inbox, [str(tmp_path / "tty*")], timing=PATIENT):
        for time_ in range(1, times + 1):
            with ScriptedBoard(tmp_path / f"tty{time_ % 7}") as board:
                inbox.wait("board-ready", time_)
                board.say("on", 0, UID)
                board.say("off", 0, UID)
                inbox.wait("tag-off", time_)
            inbox.wait("link-lost", time_)
        assert len(inbox.said("tag-on")) == len(inbox.said("tag-off")) == times
        assert len(inbox.said("link-back")) == times - 1


def test_while_the_board_is_gone_nothing_spins(readers, inbox, port):
    with ScriptedBoard(port):
        inbox.wait("board-ready")
    inbox.wait("link-lost")
    before = time.process_time()
    time.sleep(2)
    assert time.process_time() - before < 0.1  # 2 ms, mostly: see bench_replug
    assert inbox.names() == ["board-ready", "link-lost"]


def test_a_port_held_by_another_program(inbox, port):
    with ScriptedBoard(port) as board:
        held = nfc.open_serial(str(port))
        with Readers(inbox, [str(port)], timing=PATIENT):
            refused = inbox.wait("board-refused")
            assert (refused.board, refused.reason) == (None, signals.BUSY)
            held.close()
            inbox.wait("board-ready")
        assert len(inbox.said("board-refused")) == 1
        assert board.kinds()[0] == "hello?"


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (serial.SerialException(errno.EACCES, "could not open port"), signals.FORBIDDEN),
        (serial.SerialException(errno.EBUSY, "could not open port"), signals.BUSY),
        (serial.SerialException("Could not configure port: (25, 'Inappropriate ioctl')"), signals.NOT_SERIAL),
        (OSError(errno.EIO, "x"), signals.NOT_SERIAL),
    ],
)
def test_a_port_that_does_not_open_says_why(port, error, reason):
    port.write_text("a file, no port")
    assert nfc.why_not(str(port), error) == reason
    port.unlink()
    assert nfc.why_not(str(port), OSError(errno.ENOENT, "x")) is None


@pytest.mark.parametrize("kind", ["null", "zero", "folder", "file", "pipe", "socket"])
def test_whatever_is_no_serial_port_is_called_that(inbox, tmp_path, kind):
    path = tmp_path / kind
    match kind:
        case "null" | "zero":
            path = nfc.Path("/dev") / kind
        case "folder":
            path.mkdir()
        case "file":
            path.touch()
        case "pipe":
            os.mkfifo(path)
        case "socket":
            with socket.socket(socket.AF_UNIX) as made:
                made.bind(str(path))
    with Readers(inbox, [str(path)], timing=PATIENT):
        assert inbox.wait("board-refused") == signals.BoardRefused(None, str(path), signals.NOT_SERIAL)


def test_a_terminal_that_does_not_open_is_a_serial_port_all_the_same(port):
    with ScriptedBoard(port):
        assert nfc.why_not(str(port), OSError(errno.EIO, "x")) == signals.UNUSABLE


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (serial.SerialTimeoutException("Write timeout"), signals.HUNG),  # of a port
        (TimeoutError("timed out"), signals.HUNG),  # of an adapter's process (hsu.py)
        (OSError(errno.EIO, "Input/output error"), signals.UNPLUGGED),
    ],
)
def test_who_takes_nothing_any_more_is_hung_and_not_unplugged(inbox, port, error, reason):
    class Full(serial.Serial):
        full = False

        def write(self, data):
            if self.full:
                raise error
            return super().write(data)

    def opening(path):
        return Full(path, 115200, timeout=0, exclusive=True)

    with ScriptedBoard(port), Readers(inbox, [str(port)], timing=PATIENT, opening=opening) as devices:
        inbox.wait("board-ready")
        Full.full = True
        devices.light("b0a2d1/0", "find")
        assert inbox.wait("link-lost") == signals.LinkLost("b0a2d1", str(port), reason)
        Full.full = False
        inbox.wait("link-back")


def test_permission_that_comes_a_moment_later_is_not_worth_a_word(inbox, port):
    tries = []

    def opening(path):
        tries.append(path)
        if len(tries) == 1:
            raise serial.SerialException(errno.EACCES, "could not open port")
        return nfc.open_serial(path)

    with ScriptedBoard(port), Readers(inbox, [str(port)], timing=PATIENT, opening=opening):
        inbox.wait("board-ready")
        assert inbox.names() == ["board-ready"]


def test_a_path_that_cannot_be_looked_at_stops_nobody_else(inbox, port, monkeypatch):
    """A folder that we may not enter, a name that is too long, a name with a zero: the others go on."""
    exists = nfc.Path.exists

    def looked_at(path):
        if str(path) == "/closed/tty":
            raise PermissionError(errno.EACCES, "Permission denied")
        return exists(path)

    def opening(path):
        if path == "/closed/tty":
            raise serial.SerialException(errno.EACCES, "could not open port")
        return nfc.open_serial(path)

    monkeypatch.setattr(nfc.Path, "exists", looked_at)
    paths = ["/closed/tty", "/" + "a" * 300, str(port)]
    with ScriptedBoard(port), Readers(inbox, paths, timing=PATIENT, opening=opening):
        inbox.wait("board-ready")
        assert inbox.wait("board-refused") == signals.BoardRefused(None, "/closed/tty", signals.FORBIDDEN)


def test_a_device_with_two_names_is_one(inbox, port):
    with ScriptedBoard(port):
        other = port.with_name(port.name + "-too")
        other.symlink_to(port)
        with Readers(inbox, [str(port.parent / f"{port.name}*"), str(other)], timing=PATIENT):
            inbox.wait("board-ready")
            time.sleep(0.5)
            assert inbox.names() == ["board-ready"]


@pytest.mark.parametrize("later", ["before-it", "zz-after-it"])
def test_another_name_of_a_board_in_use_is_no_port_that_somebody_else_holds(inbox, port, later):
    """udev makes its links a moment after the node; a link may be renamed, too."""
    with ScriptedBoard(port) as board, Readers(inbox, [str(port.parent / "*")], timing=PATIENT):
        inbox.wait("board-ready")
        port.with_name(later).symlink_to(port.readlink())
        time.sleep(1)
        port.with_name(later).rename(port.with_name("aa-renamed"))
        time.sleep(1)
        board.say("on", 0, UID)
        inbox.wait("tag-on")
        assert inbox.names() == ["board-ready", "tag-on"]


def test_what_nobody_named_and_never_greets_is_left_alone_for_long(inbox, port, monkeypatch):
    """An Arduino of somebody else is reset each time that its port is opened."""
    monkeypatch.setattr(nfc, "USB_PORTS", (str(port),))
    monkeypatch.setattr(nfc, "PAUSE", (0.05,))
    opened = []

    def opening(path):
        opened.append(path)
        return nfc.open_serial(path)

    with ScriptedBoard(port) as board:
        board.hung = board.mute = True
        with Readers(inbox, timing=replace(PATIENT, patience=0.1), opening=opening):
            wait_until(lambda: len(opened) == 3)
            time.sleep(1)
            assert len(opened) == 3
            board.unplug()
            time.sleep(2 * nfc.LOOK)
            board.hung = board.mute = False
            board.plug()
            inbox.wait("board-ready")  # what is plugged in anew is asked at once


def test_permission_denied_is_said_once_and_mended_without_a_restart(inbox, port):
    allowed = threading.Event()

    def opening(path):
        if not allowed.is_set():
            raise serial.SerialException(errno.EACCES, "could not open port")
        return nfc.open_serial(path)

    with ScriptedBoard(port), Readers(inbox, [str(port)], timing=PATIENT, opening=opening):
        assert inbox.wait("board-refused") == signals.BoardRefused(None, str(port), signals.FORBIDDEN)
        time.sleep(0.5)
        allowed.set()
        inbox.wait("board-ready")
        assert inbox.names() == ["board-refused", "port-free", "board-ready"]


def test_a_port_that_was_refused_and_is_taken_away_is_free_and_told_anew_when_it_comes_again(inbox, port):
    def opening(path):
        raise serial.SerialException(errno.EACCES, "could not open port")

    with Readers(inbox, [str(port)], timing=PATIENT, opening=opening):
        for times in (1, 2):
            with ScriptedBoard(port):
                inbox.wait("board-refused", times)
            assert inbox.wait("port-free", times) == signals.PortFree(str(port))


def test_a_board_that_never_answered_is_told_anew_when_it_comes_again(inbox, port):
    with Readers(inbox, [str(port)]):
        for times in (1, 2):
            with ScriptedBoard(port) as board:
                board.hung = board.mute = True
                assert inbox.wait("link-lost", times).board is None
            inbox.wait("port-free", times)
        with ScriptedBoard(port):
            inbox.wait("board-ready")
            assert inbox.names() == ["link-lost", "port-free"] * 2 + ["link-back", "board-ready"]


def test_a_passing_light_does_not_take_the_place_of_the_lasting_one(readers, inbox, port):
    with ScriptedBoard(port) as board:
        inbox.wait("board-ready")
        readers.light("b0a2d1/0", "waiting")
        readers.light("b0a2d1/0", "refused")
        wait_until(lambda: board.kinds().count("light") == 2)
    with ScriptedBoard(port) as board:
        wait_until(lambda: "light" in board.kinds())
        assert [args for _, kind, args in board.heard if kind == "light"] == [("0", "waiting")]


def test_a_reset_in_mid_frame_is_no_tag_and_greeted_anew(readers, inbox, port):
    with ScriptedBoard(port) as board:
        inbox.wait("board-ready")
        board.mute = True
        board.say("beat", 500, 1000, 0)
        board.raw(board.line("on", 0, UID)[:14])
        board.raw(b"\x00\x00MPY: soft reboot\r\n")
        board._seq = 0
        board.say("beat", 0, 1000, 0)
        assert inbox.wait("link-lost").reason == signals.RESTARTED
        inbox.wait("board-ready", 2)
        assert inbox.names() == ["board-ready", "link-lost", "link-back", "board-ready"]


@pytest.mark.parametrize("greets", [True, False], ids=["a board", "never a board"])
def test_only_noise_is_called_so(inbox, port, greets):
    with ScriptedBoard(port) as board, Readers(inbox, [str(port)], timing=Timing(silence=1.0)):
        if greets:
            inbox.wait("board-ready")
        board.mute = board.hung = True
        for _ in range(200):
            board.raw(bytes(range(128, 256)))
            if inbox.said("link-lost"):
                break
            time.sleep(0.05)
        assert inbox.wait("link-lost").reason == signals.NOISE


def test_two_boards_with_one_id_are_told_apart_by_their_plugs_at_once(inbox, tmp_path):
    """Without serial numbers it takes 3.5 s to be sure (test_link); here that would be half a minute."""
    plugs = {str(tmp_path / name): nfc.Usb(name * 8, f"1-{place}", "Pico") for place, name in enumerate("AB")}
    with (
        Readers(inbox, [str(tmp_path / "*")], timing=PATIENT, usb=plugs.get) as readers,
        ScriptedBoard(tmp_path / "A"),
    ):
        inbox.wait("board-ready")
        assert readers.boards()[0].usb == nfc.Usb("AAAAAAAA", "1-0", "Pico")
        with ScriptedBoard(tmp_path / "B"):
            assert inbox.wait("board-refused") == signals.BoardRefused("b0a2d1", str(tmp_path / "B"), signals.TWIN)
            assert inbox.names() == ["board-ready", "board-refused"]


def test_what_is_no_usb_port_has_no_plug(port):
    with ScriptedBoard(port):
        assert nfc.usb_of(str(port)) is None
    assert nfc.usb_of(str(port)) is None


def test_a_file_is_no_port(readers, inbox, port):
    port.write_text("a file, no port")
    assert inbox.wait("board-refused") == signals.BoardRefused(None, str(port), signals.NOT_SERIAL)
    port.unlink()


def test_lights_and_sounds_never_wait_and_know_their_words(readers):
    readers.light("nobody/0", "locked")
    readers.sound("nobody/0", "click")
    with pytest.raises(ValueError):
        readers.light("nobody/0", "disco")
    with pytest.raises(ValueError):
        readers.sound("nobody/0", "trumpet")
    assert readers.boards() == []


def test_close_ends_every_thread_also_with_a_hung_board(inbox, port):
    before = set(threading.enumerate())
    readers = Readers(inbox, [str(port)], timing=PATIENT).start()
    with ScriptedBoard(port) as board:
        inbox.wait("board-ready")
        board.hung = board.mute = True
        readers.light("b0a2d1/0", "locked")
        readers.close()
        left = {thread for thread in threading.enumerate() if thread not in before and thread is not board._thread}
        assert not left
    readers.close()  # twice is fine


def test_usb_ports_are_watched_by_default(inbox, monkeypatch, tmp_path):
    monkeypatch.setattr(nfc, "USB_PORTS", (str(tmp_path / "ttyACM*"),))
    with Readers(inbox, timing=PATIENT), ScriptedBoard(tmp_path / "ttyACM7"):
        inbox.wait("board-ready")


def test_exclusive_means_flock(port):
    with ScriptedBoard(port), nfc.open_serial(str(port)), pytest.raises(OSError) as refused:
        nfc.open_serial(str(port))
    assert nfc.why_not(str(port), refused.value) in (signals.BUSY, None)
    assert not os.path.lexists(port)
