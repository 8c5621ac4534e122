# SPDX-License-Identifier: Apache-2.0
"""A serial line and who is at its ends: getty with the session behind it, and a laptop that types and reads."""

import fcntl
import os
import re
import select
import shlex
import subprocess
import termios
import threading
import time
import tty

import wiring
from privatefiles import REPOSITORY
from processes import fields_of
from service import PATIENCE

DROP_IN = f"{REPOSITORY}/systemd/serial-getty-platen.conf"
TIOCVHANGUP = 0x5437


class LineError(AssertionError):
    """What was awaited did not come."""


class Laptop:
    """What is typed and what is shown: a null-modem cable's other end, or a terminal emulator's side of a pty."""

    def __init__(self, descriptor):
        self._fd = descriptor
        os.set_blocking(descriptor, False)
        if os.isatty(descriptor):
            tty.setraw(descriptor, termios.TCSANOW)
        self.received = bytearray()
        self.place = 0  # up to here it has been looked at
        self._came = threading.Condition()
        self._ending, self._end = os.pipe()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def type(self, text, rate=None):
        """Types text or bytes, `rate` of them a second; without one as fast as the line takes them."""
        data = text.encode() if isinstance(text, str) else bytes(text)
        begun, sent = time.monotonic(), 0
        while sent < len(data):
            if rate:
                time.sleep(max(0.0, begun + sent / rate - time.monotonic()))
            select.select([], [self._fd], [])
            try:
                sent += os.write(self._fd, data[sent:sent + (max(1, int(rate / 100)) if rate else 65536)])
            except BlockingIOError:
                time.sleep(0.001)

    def expect(self, pattern, seconds=20):
        """Waits until what came since the last call matches; returns the match, and goes on behind it.

        `seconds`: by a machine that does nothing else, and PATIENCE times that by any.
        """
        seconds *= PATIENCE
        expression = re.compile(pattern.encode() if isinstance(pattern, str) else pattern)
        deadline = time.monotonic() + seconds
        with self._came:
            while not (match := expression.search(self.received, self.place)):
                left = deadline - time.monotonic()
                if left <= 0:
                    raise LineError(f'"{pattern}" did not come within {seconds} s; this did: {bytes(self.received[self.place:])[-2000:]!r}')
                self._came.wait(left)
            self.place = match.end()
            return match

    def quiet(self, seconds):
        """Waits until nothing has come for so long; returns what came before."""
        with self._came:
            while self._came.wait(seconds):
                pass
            text, self.place = bytes(self.received[self.place:]), len(self.received)
            return text

    def close(self):
        """Takes the hands off the line; a pty's other side is hung up by it."""
        if not self._thread:
            return
        os.write(self._end, b"x")
        self._thread.join()
        self._thread = None
        for descriptor in (self._fd, self._ending, self._end):
            os.close(descriptor)

    def _read(self):
        while True:
            ready, _, _ = select.select([self._fd, self._ending], [], [])
            if self._ending in ready:
                return
            try:
                data = os.read(self._fd, 65536)
            except BlockingIOError:
                continue
            except OSError:  # EIO: the other side of a pty is not open, as while login(1) hangs it up
                time.sleep(0.02)
                continue
            with self._came:
                self.received += data
                self._came.notify_all()


class Getty:
    """What systemd does for serial-getty@.service with the project's drop-in: runs its ExecStart on a line, once."""

    def __init__(self, device, terminal="vt100"):
        self.device = device
        line = os.open(device, os.O_RDWR | os.O_NOCTTY)
        os.set_inheritable(line, True)
        # As systemd gives it: standard descriptors and controlling terminal are the line, the environment is small.
        self._process = subprocess.Popen(
            self.arguments(terminal), stdin=line, stdout=line, stderr=line, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 1),
            env={"TERM": terminal, "LANG": "C.UTF-8", "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"})
        os.close(line)

    @staticmethod
    def arguments(terminal):
        """The last ExecStart= of the drop-in, read as systemd.service(5) reads it."""
        with open(DROP_IN, encoding="utf-8") as file:
            line = [line for line in file if line.startswith("ExecStart=")][-1]
        text = line.removeprefix("ExecStart=").strip().removeprefix("-")
        return [word.replace("\\\\", "\\").replace("$TERM", terminal) for word in shlex.split(text)]

    def has_ended(self, seconds):
        """Whether getty, which became the login, has ended within so many seconds."""
        try:
            self._process.wait(seconds * PATIENCE)
        except subprocess.TimeoutExpired:
            return False
        return True

    def hang_up(self):
        """Hangs the line up, as the kernel does when the carrier goes or the plug of a USB gadget is pulled."""
        line = os.open(self.device, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            fcntl.ioctl(line, TIOCVHANGUP)
        finally:
            os.close(line)

    def end(self):
        """Ends whatever is left on the line."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()


def cable():
    """The laptop at the other end of the technician's serial line."""
    return Laptop(os.open(wiring.LAPTOP[os.environ["PLATEN_RIG"]], os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK))


def pty():
    """A laptop, and the device of a line to it that the kernel has no hardware for."""
    near, far = os.openpty()
    path = os.ttyname(far)
    # The slave stays open: getty opens it anew each time, and the last close would end what the laptop reads.
    return Laptop(near), path, far


def processes_of(user):
    """What an account's processes run: {number: path of the program}."""
    found = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        fields = fields_of(entry)
        if fields and int(fields["Uid"].split()[0]) == user and not fields["State"].startswith("Z"):
            try:
                found[int(entry)] = os.readlink(f"/proc/{entry}/exe")
            except OSError:
                continue  # it has just ended
    return found
