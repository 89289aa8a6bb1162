"""A bare PN532 on a USB-UART adapter, from the chip's frames to the inbox: the fake chip on the far end of a pty."""

import os

import psutil
import pytest

from firmware import wire
from hardware import hsu, signals
from hardware.fakes import FakeAdapter
from hardware.link import Usb
from hardware.nfc import Readers
from tests.hardware.boards import OTHER, UID, Inbox, ScriptedBoard, wait_until


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
        for uid in (UID, OTHER):
            adapter.lay(0, uid)
            wait_until(lambda uid=uid: inbox.said("tag-on") and inbox.said("tag-on")[-1].uid == uid)
            adapter.lift(0)
            wait_until(lambda uid=uid: inbox.said("tag-off") and inbox.said("tag-off")[-1].uid == uid)
    assert inbox.said("tag-on")[0] == signals.TagOn("hsu-adapter/0", UID, False)


def test_pulled_out_and_put_in_again(adapter):
    inbox = Inbox()
    with readers(inbox, adapter):
        inbox.wait("board-ready")
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


@pytest.mark.parametrize(
    ("usb", "name"),
    [
        (Usb("A50285BI", "1-1.2", "FT232R"), "hsu-A50285BI"),
        (Usb("", "1-1.2:1.0", "USB Serial"), "hsu-1-1.21.0"),
        (Usb("a b/c*", "", ""), "hsu-abc"),
        (Usb("", "", ""), "hsu-0"),
        (None, "hsu-ttyUSB0"),
    ],
)
def test_its_name_is_a_word_of_the_wire(usb, name):
    assert hsu.name("/dev/ttyUSB0", usb) == name
    wire.encode(0, "hello", "0000", 1, "0.5.0", name)
