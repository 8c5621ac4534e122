# SPDX-License-Identifier: Apache-2.0
"""Cuts the machine's power while it takes pictures, boots it again, and does so many times with the same disk.

What a cut takes away depends on the disk. A killed machine loses the guest's memory and page cache. A disk that is
recorded below the file system has a volatile cache, too: after the cut the image is made anew from what was flushed, a
random part of what was not, and torn sectors in between; so a promise that was kept without a flush is broken for real.
A lying disk has dropped its last flushes, too.
"""

import contextlib
import json
import os
import random
import re
import shutil
import struct
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass, field

from conversation import RigError
from machine import Machine, make_disk
from referee import Acknowledged, Verdict, judge
from service import PATIENCE
from writelog import Replay, generator

HERE = os.path.dirname(os.path.realpath(__file__))
WORKER = os.path.join(HERE, "worker.py")
DISK_MEGABYTES = 96
LIED_FLUSHES = 6


@dataclass
class Way:
    """A way to cut the power: of which machine, with which disk, and what is broken on purpose."""

    name: str
    kind: str
    cuts: int
    is_volatile: bool = False
    lied_flushes: int = 0
    forget: str = ""  # a library for LD_PRELOAD under which nothing is ever forced to the disk
    is_offline: bool = False  # always; otherwise at every other boot, by chance

    @property
    def is_honest(self):
        """Whether nothing may be lost."""
        return not self.lied_flushes and not self.forget


@dataclass
class Figures:
    """What came of it."""

    cuts: int = 0
    offline: int = 0
    refused: int = 0
    boot_seconds: list = field(default_factory=list)
    loose: int = 0  # writes that were not flushed when the power went
    mended: dict = field(default_factory=dict)  # by the cut, what was said of a file system mended by force, or without its journal
    at_mended: set = field(default_factory=set)  # acknowledged before such a cut: e2fsck may have thrown away the journal with them
    acknowledged: Acknowledged = field(default_factory=Acknowledged)
    verdict: Verdict = field(default_factory=Verdict)
    quarantined: int = 0
    items: dict = field(default_factory=dict)  # of the newest presses, by their numbers


def ends_of(text, most=900):
    """The beginning and the end of a long text: what failed, and what was said last."""
    return text if len(text) <= 2 * most else f"{text[:most]}\n[…]\n{text[-most:]}"


class Witness:
    """Listens to a worker in the guest for as long as it lives, and keeps what it says was acknowledged."""

    def __init__(self, command):
        self.command = command
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self):
        with contextlib.suppress(RigError):
            self.command.wait(600 * PATIENCE)

    def _lines(self):
        """The whole lines that have come; the last one may have been cut off."""
        return [json.loads(line) for line in self.command.stdout.split("\n")[:-1] if line.startswith("{")]

    def reports(self):
        """The presses that have their outcome."""
        return [line for line in self._lines() if "number" in line]

    def recordings(self):
        """What was said of recordings that go on."""
        return [line for line in self._lines() if "seconds" in line]

    def begun(self):
        """How many presses have begun."""
        return sum("pressing" in line for line in self._lines())

    def end(self):
        """Waits until the last line has been read."""
        self._listener.join(10)


def recorded(path):
    """How many requests a recording holds by now."""
    with open(path, "rb") as file:
        header = file.read(24)
    return struct.unpack("<QQQ", header)[2] if len(header) == 24 else 0


def journal_head(disk):
    """The block of an ext4 image that says where its journal begins: its place and length, in bytes."""
    said = {}
    for request in ("blocks <8>", "show_super_stats -h"):
        done = subprocess.run(["/sbin/debugfs", "-R", request, disk], capture_output=True, text=True)
        said[request] = done.stdout
    size = re.search(r"^Block size:\s+(\d+)$", said["show_super_stats -h"], re.MULTILINE)
    first = said["blocks <8>"].split()
    if not size or not first:
        raise RigError(f'the journal of "{disk}" is not found: {done.stderr.strip()}')
    return int(first[0]) * int(size[1]), int(size[1])


class PowerCuts:
    """A campaign: one machine, one disk, many cuts, one look at the server at the end."""

    verb = "shoot"  # of the worker

    def __init__(self, way, receiver, binary, shares, seed):
        self.way, self.seed = way, seed
        self._receiver, self._binary, self._shares = receiver, binary, shares
        self._machine, self._is_ended = None, False
        self._random = random.Random(f"{way.name}:{seed}")
        self._figures = Figures()

    def run(self):
        """Runs it; returns its Figures."""
        with tempfile.TemporaryDirectory(prefix="platen-cut-") as folder, \
                Machine(self.way.kind, disk=os.path.join(folder, "data.ext4"), shares=self._shares) as machine:
            self._machine = machine
            make_disk(machine.disk, DISK_MEGABYTES)
            for number in range(self.way.cuts):
                self._cut_once(machine, folder, number)
            machine.write_log = None
            self._drain(machine)
        self._figures.verdict = judge(self._figures.acknowledged.items, self._receiver.store)
        return self._figures

    def end(self):
        """Has the campaign fail at once; another thread calls this."""
        self._is_ended = True
        if self._machine:
            self._machine.kill()

    def _boot(self, machine):
        if self._is_ended:
            raise RigError("the campaign was ended")
        machine.boot()

    def _environment(self, machine):
        environment = machine.guest_environment(self._binary, self._receiver.port, self._receiver.store)
        if self.way.forget:
            environment |= {"PLATEN_PRELOAD": self.way.forget, "FORGET": "everything"}
        return environment

    def _cut_once(self, machine, folder, number):
        base, log = os.path.join(folder, "base"), os.path.join(folder, "log")
        if self.way.is_volatile:
            shutil.copyfile(machine.disk, base)
            with open(log, "wb") as file:
                file.truncate(2 << 30)
            machine.write_log = log
        self._boot(machine)
        self._figures.boot_seconds.append(machine.boot_seconds)
        is_offline = self.way.is_offline or self._random.random() < 0.5
        verb = self.verb + "-offline" * is_offline
        witness = Witness(machine.start(["/usr/bin/python3", WORKER, verb], env=self._environment(machine)))
        self._await_moment(machine, witness)
        machine.power_cut()
        witness.end()
        self._take(witness)
        self._figures.cuts += 1
        self._figures.offline += is_offline
        if self.way.is_volatile:
            self._lose_cache(machine.disk, base, log, number)
        self._mend(machine.disk, number)

    def _take(self, witness):
        """Keeps what a worker has said."""
        for report in witness.reports():
            self._figures.refused += not self._figures.acknowledged.take(report)

    def _until(self, machine, witness):
        """A function that waits for a condition, as long as the machine and its worker live."""
        deadline = time.monotonic() + 90 * PATIENCE

        def until(condition):
            while not condition():
                if self._is_ended:
                    raise RigError("the campaign was ended")
                if time.monotonic() > deadline or not machine.running or witness.command.status is not None:
                    raise RigError(f"the {self.way.kind} rig took too little within {90 * PATIENCE} s:\n{ends_of(witness.command.stderr)}")
                time.sleep(0.002)
        return until

    def _await_moment(self, machine, witness):
        """Waits for some pictures and then for a moment in the next press, most often while it is being stored.

        Where the disk is recorded, that is the moment of its first writes and some milliseconds.
        """
        until, presses = self._until(machine, witness), self._random.randint(2, 5)
        # A press that a busy host has kept from its frame is no picture.
        until(lambda: sum(report["outcome"] == "stored" for report in witness.reports()) >= presses)
        before, reported = witness.begun(), len(witness.reports())
        until(lambda: witness.begun() > before)
        started = time.monotonic()
        until(lambda: len(witness.reports()) > reported)
        # So long a press takes here; the next one is cut.
        took = time.monotonic() - started
        before = witness.begun()
        until(lambda: witness.begun() > before)
        if machine.write_log and self._random.random() < 0.8:
            written = recorded(machine.write_log)
            until(lambda: recorded(machine.write_log) > written or witness.begun() > before + 1)
            time.sleep(self._random.uniform(0.0, 0.05))
        else:
            time.sleep(took * self._random.uniform(0.3, 1.1))

    def _lose_cache(self, disk, base, log, number):
        """Makes the disk what it would be had its cache lost its power, too."""
        replay = Replay(log, base, os.path.getsize(base))
        left, loose = replay.last(generator(self.seed, self.way.name, number), self.way.lied_flushes)
        self._figures.loose += loose
        with open(disk, "wb") as file:
            file.write(left)
        # What lies before the journal's head is in its place; a disk that lied about both has lost more than its last flushes.
        if self.way.lied_flushes and replay.has_loose(*journal_head(base)):
            self._figures.mended[number] = "the disk lied about the head of the journal"
            self._figures.at_mended |= set(self._figures.acknowledged.items)

    def _mend(self, disk, number):
        """What systemd-fsck does on a rig before the disk is mounted; it replays the journal."""
        checked = subprocess.run(["/sbin/e2fsck", "-p", disk], capture_output=True, text=True)
        if checked.returncode >= 4:
            self._figures.mended[number] = (checked.stdout + checked.stderr).strip()
            self._figures.at_mended |= set(self._figures.acknowledged.items)
            checked = subprocess.run(["/sbin/e2fsck", "-fy", disk], capture_output=True, text=True)
        if checked.returncode >= 4:
            raise RigError(f"the file system cannot be mended: {checked.stdout[-300:]}{checked.stderr[-300:]}")

    def _drain(self, machine):
        """The last boot: everything that survived is delivered."""
        self._boot(machine)
        environment = self._environment(machine)
        environment.pop("PLATEN_PRELOAD", None)
        done = machine.run(["/usr/bin/python3", WORKER, "drain"], env=environment, timeout=180 * PATIENCE)
        machine.shutdown()
        if done.status != 0:
            raise RigError(f"the service did not empty its spool after the last cut: {done.stdout[-300:]}{done.stderr[-900:]}")
        told = json.loads(done.stdout.strip().splitlines()[-1])
        self._figures.quarantined = told["quarantined"]
        self._figures.items = {int(press): item for press, item in told["items"].items()}
