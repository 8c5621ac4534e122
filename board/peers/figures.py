# SPDX-License-Identifier: Apache-2.0
"""What a program with its children uses, as the guest's kernel counts it: a control group for each run of a program."""

import os
import re
import signal
import time
from dataclasses import dataclass

GROUPS = "/sys/fs/cgroup"
BUFFERS = "/sys/kernel/debug/dma_buf/bufinfo"
# How the names of the drivers' own exporters begin; heaps have names of their own.
DRIVER = "videobuf2"
# A smaller buffer holds no frame.
LEAST_FRAME = 1 << 20
# The sixteenth column of a block device's stat: the flushes that have ended.
FLUSHES = 15


@dataclass(frozen=True)
class Buffer:
    """A buffer that devices share: bytes, who has it, and the number of its inode."""

    size: int
    exporter: str
    number: int


class Group:
    """A control group around one run of a program."""

    def __init__(self, name):
        self._path = f"{GROUPS}/{name}-{time.monotonic_ns()}"
        os.mkdir(self._path)

    def join(self):
        """Puts the calling process into the group; for a child before its program begins."""
        with open(f"{self._path}/cgroup.procs", "w", encoding="ascii") as file:
            file.write("0")

    def processes(self):
        """The numbers of the group's processes."""
        with open(f"{self._path}/cgroup.procs", encoding="ascii") as file:
            return [int(line) for line in file]

    def switches(self):
        """How often a thread has gone to sleep by itself so far."""
        return sum(_field(text, "voluntary_ctxt_switches") for number in self.processes() for text in _threads(number))

    def memory(self):
        """Memory in KiB, without frames that a driver's buffers hold: such a page is in each process that has mapped it.

        `resident` counts shared pages in each process, `once` in equal parts. `private` is anonymous memory, once, as the control
        group counts it: a copied process shares some. Where the kernel does not tell, `once` is 0, and `private` counts such pages twice.
        """
        total = {"resident": 0, "private": 0, "once": 0, "processes": 0, "threads": 0}
        drivers, mapped = {buffer.number for buffer in _buffers() if buffer.exporter.startswith(DRIVER)}, {}
        for number in self.processes():
            text = _read(f"/proc/{number}/status")
            frames = _mapped(number, drivers)
            mapped |= frames
            total["resident"] += _field(text, "VmRSS") - sum(frames.values())
            shares = _read(f"/proc/{number}/smaps_rollup")
            total["private"] += _field(shares, "Pss_Anon") or _field(text, "RssAnon")
            total["threads"] += _field(text, "Threads")
            total["processes"] += 1
            total["once"] += _field(shares, "Pss")
        total["once"] = max(0, total["once"] - sum(mapped.values()))
        return total

    def end(self):
        """Kills what is left of the group, and removes it."""
        for _ in range(100):
            numbers = self.processes()
            if not numbers:
                break
            for number in numbers:
                _kill(number)
            time.sleep(0.05)
        try:
            os.rmdir(self._path)
        except OSError:
            pass  # A process that the kernel does not let go yet is in no other group.


def flushes(folder):
    """How often the disk under a folder has been told so far to put on stable storage what it has."""
    device = os.stat(folder).st_dev
    columns = _read(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}/stat").split()
    return int(columns[FLUSHES]) if len(columns) > FLUSHES else None


def frame_memory():
    """The frames' buffers, which devices share: {"buffers": number, "bytes": all together}."""
    frames = [buffer.size for buffer in _buffers() if buffer.size >= LEAST_FRAME]
    return {"buffers": len(frames), "bytes": sum(frames)}


def _buffers():
    """All buffers that devices share."""
    found = re.findall(r"^(\d{8,})\t\w+\t\w+\t\w+\t(\S+)\t(\d+)", _read(BUFFERS), re.M)
    return [Buffer(int(size), exporter, int(number)) for size, exporter, number in found]


def _mapped(process, buffers):
    """What a process has mapped of these buffers: {inode: KiB}."""
    lines = [line.split() for line in _read(f"/proc/{process}/maps").splitlines() if line.endswith("/dmabuf:")]
    sizes = {int(words[4]): [int(place, 16) for place in words[0].split("-")] for words in lines}
    return {number: (end - begin) // 1024 for number, (begin, end) in sizes.items() if number in buffers}


def _threads(number):
    try:
        names = os.listdir(f"/proc/{number}/task")
    except OSError:
        return []
    return [_read(f"/proc/{number}/task/{name}/status") for name in names]


def _read(path):
    """The text of a file that may be gone already."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _field(text, name):
    found = re.search(rf"^{name}:\s+(\d+)", text, re.M)
    return int(found[1]) if found else 0


def _kill(number):
    try:
        os.kill(number, signal.SIGKILL)
    except ProcessLookupError:
        pass
