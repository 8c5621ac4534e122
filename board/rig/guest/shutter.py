# SPDX-License-Identifier: Apache-2.0
"""A finger on the shutter button: a gpio-sim line whose pull is the finger."""

import contextlib
import os
import time

import devices
import wiring


# For the kernel's interrupt of an edge, in ns; a host that is busier than that loses the edge.
LONGEST_WAIT = 2_000_000_000


@contextlib.contextmanager
def at_once():
    """While it lasts the calling thread goes before all others: a finger does not wait for the rig's processor."""
    policy, parameters = os.sched_getscheduler(0), os.sched_getparam(0)
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    try:
        yield
    finally:
        os.sched_setscheduler(0, policy, parameters)


class Shutter:
    """The button, active low. Each method returns the instants of its edges: [before, after] of the kernel call, in ns.

    The kernel's own timestamp of an edge is not before the first and a fraction of a millisecond after it; that of a push by
    `press`, which waits for the kernel's count of push and release, is not after the second either, however late a busy host
    lets the kernel have its interrupts. A service that requests the line with a bias sets the
    simulated pull by that: a button to be found held at start must be held after the request, or requested as is.
    Edges closer than about 2 ms can be merged by the kernel.
    """

    def __init__(self, offset=wiring.SHUTTER, active_low=True):
        self._offset = offset
        self._down, self._up = (b"pull-down", b"pull-up") if active_low else (b"pull-up", b"pull-down")
        self._fd = None

    def hold(self):
        """Pushes the button and leaves the finger on it."""
        return self._edge(self._down)

    def release(self):
        """Takes the finger off."""
        return self._edge(self._up)

    def press(self, seconds=0.05):
        """Pushes, waits, releases; returns the edge of the push."""
        with at_once():
            edge = self._seen_edge(self._down)
            time.sleep(seconds)
            self._seen_edge(self._up)
        return edge

    def rest(self, seconds):
        """Keeps the finger off the button for so long after the kernel has seen the last edge.

        A host that holds the machine up lets the kernel see an edge late, when a sleep that began after the edge is over.
        """
        counted = None
        while counted != self._interrupts() or counted is None:
            counted = self._interrupts()
            time.sleep(seconds)
            if counted is None:
                return

    def bounce(self, count=4, spacing=0.003, held=lambda: None):
        """A push whose contact opens and closes `count` times, stays closed while `held` runs, and bounces at the release as well."""
        with at_once():
            edges = [self._edge(self._down)]
            for _ in range(count):
                time.sleep(spacing)
                edges.append(self._edge(self._up))
                time.sleep(spacing)
                edges.append(self._edge(self._down))
        held()
        with at_once():
            for _ in range(count):
                edges.append(self._edge(self._up))
                time.sleep(spacing)
                edges.append(self._edge(self._down))
                time.sleep(spacing)
            edges.append(self._edge(self._up))
        return edges

    def presses(self, count, every, seconds=0.05):
        """`count` presses, one `every` so many seconds (kept without drift); returns the edge of each push."""
        edges, start = [], time.monotonic()
        for number in range(count):
            time.sleep(max(0.0, start + number * every - time.monotonic()))
            edges.append(self.press(seconds))
        return edges

    def storm(self, ending):
        """Opens and closes the contact 10,000 times a second, or as often as the machine can, until `ending` is set.

        Returns the instant before each edge.
        """
        self.release()
        edges = [time.monotonic_ns()]
        while not ending.is_set():
            for pull in (self._down, self._up):
                now = time.monotonic_ns()
                while now - edges[-1] < 100_000:
                    now = time.monotonic_ns()
                os.pwrite(self._fd, pull, 0)
                edges.append(now)
        return edges[1:]

    def _interrupts(self):
        """How many edges the kernel has seen; None when no process has requested the line, or time, which is virtual, does not go on meanwhile."""
        if os.environ.get("PLATEN_RIG_VIRTUAL_TIME"):
            return None
        for line in devices.read("/proc/interrupts").splitlines():
            words = line.split()
            place = words.index("irq_sim") if "irq_sim" in words else None
            if place is None or words[place + 1] != str(self._offset):
                continue
            # After a process that has had the line, its count is still there, without a name.
            if [word for word in words[place + 2:] if word not in ("Edge", "Level")]:
                return sum(int(word) for word in words[1:place])
        return None

    def _seen_edge(self, pull):
        """An edge, if the finger moves at all, and the instant after the kernel has counted it."""
        counted, was = self._interrupts(), self._pull()
        edge = self._edge(pull)
        while counted is not None and was != pull and self._interrupts() == counted and edge[1] < edge[0] + LONGEST_WAIT:
            edge[1] = time.monotonic_ns()
        edge[1] = time.monotonic_ns()
        return edge

    def _pull(self):
        return os.pread(self._descriptor(), 64, 0).strip()

    def _descriptor(self):
        if self._fd is None:
            self._fd = os.open(f"{devices.gpio_folder()}/sim_gpio{self._offset}/pull", os.O_RDWR | os.O_CLOEXEC)
        return self._fd

    def _edge(self, pull):
        descriptor = self._descriptor()
        before = time.monotonic_ns()
        os.pwrite(descriptor, pull, 0)
        return [before, time.monotonic_ns()]
