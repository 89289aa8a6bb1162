"""A PN532 on a USB-UART adapter as if it were a board: firmware/adapter.py, in a process of its own, greets for it.

So everything that holds for a board holds for it: presence, health, unplugged and plugged in again.
"""

from __future__ import annotations

import errno
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Collection
from pathlib import Path

import serial

import firmware
from hardware.link import Usb

PROGRAM = Path(firmware.__file__).with_name("adapter.py")


def name(path: str, usb: Usb | None) -> str:
    """The id of the board that it stands for: its serial number where it has one, else its place on the bus."""
    mark = (usb.serial or usb.place) if usb else Path(path).name
    return "hsu-" + (re.sub(r"[^0-9A-Za-z.-]", "_", mark)[:24] or "0")


class Names:
    """What adapters are called while the program runs: one without a serial number is known in another socket, too.

    It is as long as no other could be meant: one such adapter is gone, and one is where none was.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._of: dict[str, str] = {}  # place of an adapter without a serial number -> its name

    def name(self, path: str, usb: Usb | None, there: Collection[str]) -> str:
        """The id of the adapter there. `there`: the places of all without a serial number that are plugged in."""
        if usb is None or usb.serial:
            return name(path, usb)
        with self._lock:
            there = {*there, usb.place}
            gone = self._of.keys() - there
            new = sorted(there - self._of.keys())
            if len(gone) == len(new) == 1:
                self._of[new[0]] = self._of.pop(*gone)
            else:
                for place in new:
                    self._of[place] = self._free(name(path, Usb("", place, "")))
            return self._of[usb.place]

    def _free(self, own: str) -> str:
        """That name, or with a number where one that moved has it."""
        taken, free, n = set(self._of.values()), own, 1
        while free in taken:
            n += 1
            free = f"{own}_{n}"
        return free


class Adapter:
    """What nfc.py wants of a port, with the process behind it. `device`: the stream of the adapter itself."""

    def __init__(self, port: serial.Serial, board: str) -> None:
        self._port = port
        self.device: int = port.fileno()
        self._near, far = socket.socketpair()
        self._near.settimeout(0.5)
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-E", "-S", str(PROGRAM), board, str(self.device), str(far.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=[self.device, far.fileno()],
                start_new_session=True,  # a Ctrl-C in the terminal is not for it
            )
        except OSError:
            self._near.close()
            port.close()
            raise
        finally:
            far.close()

    def fileno(self) -> int:
        """What to wait on."""
        return self._near.fileno()

    def read(self, size: int) -> bytes:
        """What there is. OSError when the adapter is gone, and the process with it."""
        data = self._near.recv(size)
        if not data:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return data

    def write(self, data: bytes) -> None:
        """Within half a second; OSError if not."""
        self._near.sendall(data)

    def reset_output_buffer(self) -> None:
        """Nothing waits here."""

    def close(self) -> None:
        """Ends the process and lets go of the adapter."""
        self._near.close()
        self._process.kill()
        self._process.wait()
        self._port.close()
