# SPDX-License-Identifier: Apache-2.0
"""What strace says of the calls that wait for the disk: how many there are, and how far apart."""

import os
import re
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass

CALLS = ("fsync", "fdatasync", "msync", "syncfs", "sync_file_range")
LOG = "-wal"
# Calls further apart than this, in seconds, belong to different pictures.
LONGEST = 1.0


@dataclass(frozen=True)
class Call:
    """A call with its first descriptor's path, and the instants of its begin and end in seconds."""

    path: str
    begin: float
    end: float

    @property
    def kind(self):
        """The kind of the file: log, database, folder, or a file's ending.

        >>> [Call(path, 0, 0).kind for path in ("/queue.db-wal", "/queue.db", "/items/3f", "/items/3f/.a.json.part")]
        ['log', 'database', 'folder', 'json']
        """
        name = os.path.basename(self.path).removesuffix(".part")
        if name.endswith(LOG):
            return "log"
        return {".db": "database", "": "folder"}.get(os.path.splitext(name)[1], os.path.splitext(name)[1][1:])


class Trace:
    """strace on running processes, for as long as a `with` lasts; `calls` has what it saw then."""

    def __init__(self, processes, path):
        self._processes, self._path, self._strace, self.calls = processes, path, None, []

    @staticmethod
    def is_there():
        """Whether this machine has strace."""
        return shutil.which("strace") is not None

    def __enter__(self):
        numbers = [word for number in self._processes for word in ("-p", str(number))]
        arguments = ["strace", "-f", "-ttt", "-T", "-y", "-s", "0", "-e", f"trace={','.join(CALLS)}", "-o", self._path, *numbers]
        self._strace = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not all(_is_traced(number) for number in self._processes) and self._strace.poll() is None:
            time.sleep(0.05)
        return self

    def __exit__(self, *unused):
        self._strace.send_signal(signal.SIGINT)
        self._strace.wait()
        if os.path.exists(self._path):
            with open(self._path, encoding="utf-8", errors="replace") as file:
                self.calls = calls(file.read())


def calls(text):
    """The calls in a log of `strace -f -ttt -T -y`, in the order of their begins.

    >>> log = '''7 10.100 fsync(5</spool/items/3f>) = 0 <0.020>
    ... 8 10.200 fdatasync(6</spool/queue.db-wal> <unfinished ...>
    ... 7 10.201 fsync(5</spool/.part>) = 0 <0.001>
    ... 8 10.250 <... fdatasync resumed>) = 0 <0.050>'''
    >>> [(call.path, round(call.end, 3)) for call in calls(log)]
    [('/spool/items/3f', 10.12), ('/spool/queue.db-wal', 10.25), ('/spool/.part', 10.202)]
    """
    found, open_ones = [], {}
    for line in text.splitlines():
        thread, instant, rest = (*line.split(None, 2), "", "")[:3]
        begun = re.match(r"(\w+)\(\d*(?:<([^>]*)>)?", rest)
        if begun and begun[1] in CALLS:
            took = re.search(r"<([\d.]+)>$", rest)
            if took:
                found.append(Call(begun[2] or "", float(instant), float(instant) + float(took[1])))
            else:
                open_ones[thread] = (begun[2] or "", float(instant))
        elif rest.startswith("<...") and thread in open_ones:
            found.append(Call(*open_ones.pop(thread), float(instant)))
    return sorted(found, key=lambda call: call.begin)


def pauses_before_log(found):
    """The seconds from the end of each picture's last call for its files until the one for the index's log.

    >>> pauses_before_log([Call("/items/3f", 1.0, 1.25), Call("/queue.db-wal", 1.5, 1.6), Call("/queue.db-wal", 2.5, 2.6)])
    [0.25]
    """
    pauses, files = [], None
    for call in found:
        if call.kind == "database":  # The log is copied back.
            continue
        if not call.path.endswith(LOG):
            files = call
        elif files:
            pauses += [call.begin - files.end] if 0 <= call.begin - files.end < LONGEST else []
            files = None
    return pauses


def _is_traced(number):
    try:
        with open(f"/proc/{number}/status", encoding="utf-8") as file:
            return not re.search(r"^TracerPid:\s+0$", file.read(), re.M)
    except OSError:
        return True
