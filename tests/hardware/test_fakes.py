"""The fake board as a program that a person types into. (As an object the other tests use it everywhere.)"""

from hardware.fakes import main
from hardware.nfc import Readers
from tests.hardware.boards import UID, Inbox
from tests.hardware.test_nfc import PATIENT


def test_typed_hands(tmp_path, capsys):
    inbox = Inbox()

    def hands():
        inbox.wait("board-ready")
        yield f"lay 0 {UID}\n"
        inbox.wait("tag-on")
        yield "dance\n"
        yield "lay\n"
        yield "\n"
        yield "press 0 3\n"
        inbox.wait("press")
        yield "unplug\n"
        inbox.wait("link-lost")
        yield "unplug\n"  # twice is fine
        yield f"lay 1 {UID}\n"
        yield "plug\n"
        inbox.wait("tag-lying", 2)

    with Readers(inbox, [str(tmp_path / "board")], timing=PATIENT):
        assert main(str(tmp_path / "board"), hands()) == 0
    assert capsys.readouterr().err.count("\n") == 2  # an empty line is no slip
