# SPDX-License-Identifier: Apache-2.0
"""Rows D3: disks that keep the service waiting."""

import os
import socket
import statistics
import threading
import time

from rows_disk import trouble_with
from stage import row


class Watchdog:
    """What systemd does with a service that has WatchdogSec: listens for WATCHDOG=1, and notes when it came."""

    def __init__(self, stage, seconds):
        self.seconds, self.path = seconds, os.path.join(stage.folder, "notify")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(self.path)
        self._socket.settimeout(0.1)
        self.fed, self._is_ended = [], threading.Event()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        stage.callback(self._end)

    @property
    def environment(self):
        """What tells the service of it."""
        return {"NOTIFY_SOCKET": self.path, "WATCHDOG_USEC": str(self.seconds * 1_000_000)}

    def _listen(self):
        while not self._is_ended.is_set():
            try:
                if b"WATCHDOG=1" in self._socket.recv(4096):
                    self.fed.append(time.monotonic())
            except TimeoutError:
                pass

    def _end(self):
        self._is_ended.set()
        self._listener.join()
        self._socket.close()

    def longest_gap(self, since, until):
        """The longest time in which it was not fed, in seconds."""
        moments = [since, *(moment for moment in self.fed if since < moment < until), until]
        return max(later - earlier for earlier, later in zip(moments, moments[1:]))


def stalls(stage, seconds):
    """The play of a disk whose every flush takes so many seconds."""
    stage.serve()
    watchdog = Watchdog(stage, 20)
    tell = trouble_with(stage, "", watchdog.environment)
    stage.stored(2)
    stage.until("the watchdog was fed", lambda: watchdog.fed, watchdog.seconds)
    last = watchdog.fed[-1]
    tell(f"fsync .part wait:{seconds * 1000}")
    began = time.monotonic()
    stage.stored()
    took = time.monotonic() - began
    tell("")
    alive = stage.until("the API answers", lambda: stage.service.status() is not None, 2)
    gap = watchdog.longest_gap(last, time.monotonic())
    drained = stage.drained()
    stage.expect(gap < watchdog.seconds, f"the watchdog was not fed for {gap:.0f} s")
    return (f"stored after {took:.1f} s (image and sidecar each waited), watchdog fed every {gap:.1f} s at least (limit {watchdog.seconds} s), "
            f"API answers after {alive:.2f} s, drained in {drained:.1f} s")


@row("D3.slow", "disk with stalls of 3 s", "the picture is stored late, the watchdog is fed, the service goes on", is_alone=True)
def slow_disk(stage):
    """Each fsync of a file waits."""
    return stalls(stage, 3)


@row("D3.stall", "disk with stalls of 15 s", "the watchdog of 20 s does not kill", is_long=True)
def stalled_disk(stage):
    """As long as a worn card may take."""
    return stalls(stage, 15)


API_STALL = 9  # seconds: image and sidecar each wait so long


def asked(stage):
    """Asks for the status; returns how many seconds the answer took, and the answer."""
    began = time.monotonic()
    status = stage.service.status()
    return time.monotonic() - began, status


@row("D3.api", f"the API while the disk stalls for {2 * API_STALL} s",
     f"each status comes in less than the {API_STALL} s of a flush, the median in at most a quarter of that more than before; "
     "the stall and its end are shown",
     is_alone=True)
def api_while_stalled(stage):
    """Who asks while the disk stalls gets an answer."""
    stage.serve()
    tell = trouble_with(stage, "")
    stage.stored(1)
    before = statistics.median(asked(stage)[0] for _ in range(15))
    tell(f"fsync .part wait:{API_STALL * 1000}")
    reports = []
    presser = threading.Thread(target=lambda: reports.extend(stage.stored()), daemon=True)
    presser.start()
    began, answers, shown = time.monotonic(), [], None
    while presser.is_alive():
        took, status = asked(stage)
        answers.append(took)
        if shown is None and "storageStalled" in status["readiness"]["reasons"]:
            shown = time.monotonic() - began
        time.sleep(0.1)
    presser.join(20)
    tell("")
    stage.expect(reports, "the press was not stored")
    # A busy machine holds up an answer now and then; one that waits for the disk waits as long as the flush, again and again.
    usual, slowest = statistics.median(answers), max(answers)
    stage.expect(usual < before + API_STALL / 4, f"a status took {usual:.1f} s (median), {before:.2f} s before the stall")
    stage.expect(slowest < API_STALL, f"a status took {slowest:.1f} s")
    stage.expect(shown is not None, "that the disk does not answer was not shown")
    ready = stage.until("it is ready again", lambda: stage.readiness() == "ready", 5)
    stage.drained()
    return (f"status answered in {usual:.2f} s (median, {before:.2f} s before the stall), {slowest:.1f} s at most, "
            f"stall shown after {shown:.1f} s, ready {ready:.1f} s after its end")
