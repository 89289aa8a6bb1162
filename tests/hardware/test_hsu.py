"""A bare PN532 on a USB-UART adapter, from the chip's frames to the inbox: the fake chip on the far end of a pty."""

import contextlib
import os
import time

import psutil
import pytest

from firmware import wire
from hardware import hsu, signals
from hardware.fakes import FakeAdapter
from hardware.link import Usb
from hardware.nfc import Readers, open_serial
from tests.hardware.boards import OTHER, UID, Inbox, ScriptedBoard, settled, wait_until


@pytest.fixture
def adapter(tmp_path):
    with FakeAdapter(tmp_path / "adapter") as adapter:
        yield adapter


def readers(inbox, adapter, **given):
    return Readers(inbox, [], adapters=[str(adapter.port)], **given)


def test_cards_are_laid_and_lifted(adapter):
    inbox = Inbox()
    with readers(inbox, adapter) as devices:
        ready = inbox.wait("board-ready")
        assert (ready.board, ready.readers, ready.panels) == ("hsu-adapter", 1, 0)
        assert devices.boards()[0].readers[0].chip == "pn532"
        settled(devices)
        for uid in (UID, OTHER):
            adapter.lay(0, uid)
            wait_until(lambda uid=uid: inbox.said("tag-on") and inbox.said("tag-on")[-1].uid == uid)
            adapter.lift(0)
            wait_until(lambda uid=uid: inbox.said("tag-off") and inbox.said("tag-off")[-1].uid == uid)
    assert inbox.said("tag-on")[0] == signals.TagOn("hsu-adapter/0", UID, False)


def test_pulled_out_and_put_in_again(adapter):
    inbox = Inbox()
    with readers(inbox, adapter) as devices:
        inbox.wait("board-ready")
        settled(devices)
        adapter.lay(0, UID)
        inbox.wait("tag-on")
        adapter.unplug()
        lost = inbox.wait("link-lost")
        assert (lost.board, lost.reason) == ("hsu-adapter", signals.UNPLUGGED)
        adapter.plug()
        inbox.wait("link-back")
        inbox.wait("board-ready", 2)
        inbox.wait("tag-lying")
        assert inbox.said("tag-off") == []  # what lies there was never lifted
        assert len(inbox.said("tag-on")) == 1


def test_a_process_that_takes_nothing_any_more_is_hung(adapter):
    """It is told by another error than the one of an adapter that is gone."""
    port = open_serial(str(adapter.port))
    with contextlib.closing(hsu.Adapter(port, "hsu-x")) as held:
        psutil.Process(held._process.pid).suspend()
        with pytest.raises(TimeoutError):
            held.write(bytes(10_000_000))  # more than any stream holds


def test_a_chip_that_does_not_answer_is_absent_and_may_come(adapter):
    inbox = Inbox()
    adapter.radio(0, "absent")
    with readers(inbox, adapter):
        inbox.wait("board-ready")
        assert inbox.wait("health").state == "absent"
        adapter.radio(0, "good")
        assert inbox.wait("health", 2).state == "ok"


def test_an_adapter_is_no_port_for_boards_and_boards_go_on_beside_it(adapter, tmp_path):
    inbox = Inbox()
    with ScriptedBoard(tmp_path / "board"):
        ports = [str(tmp_path / "board"), os.path.realpath(adapter.port)]
        with Readers(inbox, ports, adapters=[str(adapter.port)]):
            inbox.wait("board-ready", 2)
    assert {ready.board for ready in inbox.said("board-ready")} == {"b0a2d1", "hsu-adapter"}
    assert inbox.said("link-lost", "board-refused") == []


def test_nothing_is_left_when_the_table_closes(adapter):
    inbox = Inbox()
    devices = readers(inbox, adapter)
    with devices:
        inbox.wait("board-ready")
        before = _children()
        assert any("/adapter.py" in child for child in before)
    wait_until(lambda: not any("/adapter.py" in child for child in _children()))


def _children():
    return [" ".join(child.cmdline()) for child in psutil.Process().children() if child.status() != "zombie"]


def test_without_a_serial_number_it_is_the_same_one_in_another_socket(tmp_path):
    """Alone, as any board that is plugged in again: what lay on it was never lifted."""
    inbox = Inbox()
    sockets = {"one": "1-1.2", "two": "1-1.3", "beside": "1-1.4"}
    with FakeAdapter(tmp_path / "tty-one") as moved, FakeAdapter(tmp_path / "tty-beside"), Readers(
        inbox, [], adapters=[f"{tmp_path}/tty-*"], usb=lambda path: Usb("", sockets[path.rpartition("-")[2]], "")
    ) as devices:
        inbox.wait("board-ready", 2)
        settled(devices)
        moved.lay(0, UID)
        inbox.wait("tag-on")
        moved.unplug()
        assert inbox.wait("link-lost").board == "hsu-1-1.2"
        moved.port = tmp_path / "tty-two"
        moved.plug()
        assert inbox.wait("link-back") == signals.LinkBack("hsu-1-1.2", str(moved.port))
        assert inbox.wait("board-ready", 3).board == "hsu-1-1.2"
        assert inbox.wait("tag-lying").reader == "hsu-1-1.2/0"
        assert [board.board for board in devices.boards()] == ["hsu-1-1.2", "hsu-1-1.4"]
        assert inbox.said("tag-off") == []


class Desk:
    """Adapters without a serial number that come and go, as the table sees them: socket -> name."""

    def __init__(self):
        self.names, self.there = hsu.Names(), {}

    def plug(self, *sockets):
        there = {*self.there, *sockets}
        self.there |= {socket: self.names.name("/dev/ttyUSB0", Usb("", socket, ""), there) for socket in sockets}
        return [self.there[socket] for socket in sockets]

    def pull(self, *sockets):
        for socket in sockets:
            del self.there[socket]


def test_one_that_opens_anew_in_its_socket_keeps_its_name():
    desk = Desk()
    assert desk.plug("1") == desk.plug("1") == ["hsu-1"]
    assert desk.plug("2") == ["hsu-2"]  # nobody is lost
    desk.pull("1", "2")
    assert desk.plug("2", "1") == ["hsu-2", "hsu-1"]


@pytest.mark.parametrize(("lost", "come"), [("12", "3"), ("1", "34"), ("12", "34")])
def test_where_it_could_be_one_or_another_none_is_taken_for_the_lost_one(lost, come):
    desk = Desk()
    desk.plug("1", "2")
    desk.pull(*lost)
    assert desk.plug(*come) == [f"hsu-{socket}" for socket in come]


def test_who_comes_into_the_socket_of_one_that_moved_is_somebody_else():
    desk = Desk()
    desk.plug("1")
    desk.pull("1")
    assert desk.plug("2") == ["hsu-1"]
    assert desk.plug("1") == ["hsu-1_2"]
    assert desk.plug("3") == ["hsu-3"]
    desk.pull("2")
    assert desk.plug("4") == ["hsu-1"]  # as often as it moves
    assert sorted(desk.there.values()) == ["hsu-1", "hsu-1_2", "hsu-3"]


def test_a_serial_number_is_the_name_wherever_it_is():
    names = hsu.Names()
    assert names.name("p", Usb("", "1", ""), {"1"}) == "hsu-1"
    assert names.name("p", Usb("A5", "2", ""), set()) == "hsu-A5"
    assert names.name("p", None, set()) == "hsu-p"


@pytest.mark.parametrize(
    ("usb", "name"),
    [
        (Usb("A50285BI", "1-1.2", "FT232R"), "hsu-A50285BI"),
        (Usb("", "1-1.2:1.0", "USB Serial"), "hsu-1-1.2_1.0"),
        (Usb("", "1-1.21.0", "USB Serial"), "hsu-1-1.21.0"),
        (Usb("a b/c*", "", ""), "hsu-a_b_c_"),
        (Usb("", "", ""), "hsu-0"),
        (None, "hsu-ttyUSB0"),
    ],
)
def test_its_name_is_a_word_of_the_wire(usb, name):
    assert hsu.name("/dev/ttyUSB0", usb) == name
    wire.encode(0, "hello", "0000", 1, "0.5.0", name)


def test_an_adapter_whose_name_comes_a_moment_after_its_node_is_taken_up_as_what_it_is(tmp_path):
    """Its node matches the ports of boards, and udev makes the link that the file names only then."""
    (tmp_path / "by-id").mkdir()
    inbox = Inbox()
    readers = Readers(inbox, [str(tmp_path / "ttyX*")], adapters=[str(tmp_path / "by-id/*")])
    with readers, FakeAdapter(tmp_path / "ttyX1"):
        time.sleep(0.6)
        (tmp_path / "by-id" / "name").symlink_to(tmp_path / "ttyX1")
        assert inbox.wait("board-ready").board == "hsu-name"
    assert not inbox.said("board-refused")
