# SPDX-License-Identifier: Apache-2.0
"""A row of the fault matrix, and the stage on which it is played: a service, a server, the proxy between them.

Every row ends with what holds for all of them (G of the matrix): no acknowledged picture is lost, no object at the
server is torn or foreign, the service did not end by itself unless the row expects it, and it never held 256 MiB.
"""

import contextlib
import http.client
import os
import re
import subprocess
import time
from dataclasses import dataclass
from typing import Callable, Optional

from campaign import REPOSITORY, Failed
from faultproxy import FaultProxy, Planned
from receiving import Receiver
from referee import Acknowledged, judge
from service import PATIENCE, Service, ServiceError, until_taken
from settings import Settings, Target

MEMORY_LIMIT_MIB = 256
ROWS = []


class NotRun(Exception):
    """The row cannot be run here, and why."""


@dataclass
class Row:
    """A row of the matrix. `play` gets a Stage and returns what was measured; None: `part` says where it is played."""

    name: str
    fault: str
    criterion: str
    play: Optional[Callable] = None
    part: str = ""
    is_long: bool = False
    is_alone: bool = False  # measures times that another row beside it would spoil
    is_staged: bool = True  # plays a service on the stage, and the stage looks at it in the end


def row(name, fault, criterion, is_long=False, is_alone=False):
    """Makes a function a row of the matrix."""

    def add(play):
        ROWS.append(Row(name, fault, criterion, play, is_long=is_long, is_alone=is_alone))
        return play

    return add


def other_part(name, fault, criterion, part):
    """A row that is a whole part of board/test of its own."""
    ROWS.append(Row(name, fault, criterion, part=part))


def by_tests(name, fault, criterion, suites):
    """A row that is played by suites of the unit tests, against the same real servers: an expression such as "S3FaultTests|S3PartsTests"."""

    def play(stage):
        done = subprocess.run(["swift", "test", "--skip-build", "--disable-xctest", "--no-parallel", "--filter", f"\\.({suites})/"],
                              cwd=REPOSITORY, capture_output=True, text=True)
        failed = [line for line in done.stdout.splitlines() if line.startswith("✘")]
        match = re.search(r"Test run with (\d+) tests? in \d+ suites? passed", done.stdout)
        stage.expect(done.returncode == 0 and match, f"the unit tests {suites} did not pass: {'; '.join(failed[:3]) or done.stderr.strip()[-200:]}")
        missing = [suite for suite in suites.split("|") if f"Suite {suite} passed" not in done.stdout]
        stage.expect(not missing, f"there is no suite {', '.join(missing)}")
        return f"{match[1]} unit tests passed: {suites.replace('|', ', ')}"

    ROWS.append(Row(name, fault, criterion, play, is_alone=True, is_staged=False))


class Stage:
    """What a row plays on; `finish` checks what holds for every row, `close` leaves nothing behind."""

    def __init__(self, binary, folder, libraries, seed):
        """`libraries`: {name: path} of what can be preloaded."""
        self.binary, self.folder, self.libraries, self.seed = binary, folder, libraries, seed
        self.acknowledged = Acknowledged()
        self.receiver, self.proxy, self.service, self.settings = None, None, None, None
        self.peak_memory, self.starts, self.parked = 0, 0, 0
        self._stack = contextlib.ExitStack()

    # -- the parts -------------------------------------------------------------------------------

    def serve(self, kind="pass", template=None, tls=None, **plan):
        """Starts a real server and the proxy before it, with one kind of fault; see Planned for `plan`."""
        directory = os.path.join(self.folder, "receiver")
        os.makedirs(directory, exist_ok=True)
        if template:
            path = os.path.join(directory, "template")
            with open(path, "w", encoding="utf-8") as file:
                file.write(template)
            template = path
        self.receiver = self._stack.enter_context(Receiver(directory, template))
        self.proxy = self._stack.enter_context(FaultProxy(("127.0.0.1", self.receiver.port), Planned(kind, **plan), tls=tls))
        self.settings = Settings([Target(self.proxy.url)])
        return self.proxy

    def start(self, ready=True, environment=None, timeout=30):
        """Starts a service with the stage's settings; the last one must be gone."""
        self.service = Service(self.binary, self.folder, self.settings.text(), environment=environment)
        self._stack.callback(self.service.kill)
        self.starts += 1
        self.service.start(wait_until_ready=ready, timeout=timeout)
        return self.service

    def kill(self):
        """Kills the service as it stands."""
        self.note_memory()
        self.service.kill()

    def preload(self, name, **variables):
        """The environment that preloads a library."""
        return {"LD_PRELOAD": self.libraries[name], **variables}

    def callback(self, function, *arguments):
        """Has something undone at the end of the row."""
        self._stack.callback(function, *arguments)

    def run(self, *arguments):
        """Runs a program; its failure ends the row."""
        done = subprocess.run(arguments, capture_output=True, text=True)
        if done.returncode != 0:
            raise Failed(f"{' '.join(arguments[:2])} failed: {done.stderr.strip()[-200:]}")
        return done.stdout

    # -- what is done and seen -------------------------------------------------------------------

    def shoot(self, count=1):
        """Presses; returns the reports, {"error": ...} where there was none."""
        reports = []
        for _ in range(count):
            try:
                report = self.service.shoot()
            except (OSError, http.client.HTTPException) as error:
                report = {"error": f"no answer: {error}"}
            if "number" in report:
                self.acknowledged.take(report)
            reports.append(report)
        self.note_memory()
        return reports

    def stored(self, count=1):
        """Presses and requires that every picture is stored."""
        reports = []
        for _ in range(count):
            report = until_taken(lambda: self.shoot()[0])
            self.expect(report.get("outcome") == "stored", f"a press was not stored: {report}")
            reports.append(report)
        return reports

    def expect(self, condition, otherwise):
        """Ends the row as failed unless a condition holds."""
        if not condition:
            raise Failed(otherwise)

    def until(self, what, condition, seconds):
        """Polls; returns the seconds until the condition held."""
        began = time.monotonic()
        try:
            self.service.wait_for(what, condition, seconds)
        except ServiceError as error:
            raise Failed(str(error).split(";")[0]) from None
        self.note_memory()
        return time.monotonic() - began

    def note_memory(self):
        """Looks how much memory the service has held."""
        if self.service:
            self.peak_memory = max(self.peak_memory, self.service.peak_memory())

    def readiness(self):
        """The readiness in words."""
        readiness = self.service.status()["readiness"]
        return readiness["state"] + (f" ({', '.join(readiness['reasons'])})" if readiness["reasons"] else "")

    def exits(self, seconds):
        """Waits for the service to end by itself; returns its exit code."""
        try:
            code = self.service.process.wait(seconds * PATIENCE)
        except subprocess.TimeoutExpired:
            raise Failed(f"the service still runs after {seconds * PATIENCE} s") from None
        self.service.process = None
        return code

    def target(self):
        """What the service says of its target."""
        return self.service.status()["targets"][0]

    def waits(self, seconds=10, words=""):
        """Waits until the service says at once that it waits to try again, and these words of why; returns the seconds."""

        def is_shown():
            target = self.target()
            return target["state"] == "waitingToRetry" and words in (target.get("detail") or "")

        return self.until(f"the failure is shown, with \"{words}\"", is_shown, seconds)

    def drained(self, seconds=20):
        """Has pictures that were set aside tried again, and waits until nothing waits for delivery; returns the seconds."""
        self.parked = max(self.parked, self.service.spool()["parked"])
        if self.parked:
            self.service.call("POST", "/v1/spool/retry")

        def is_empty():
            spool = self.service.spool()
            return spool["waiting"] == 0 and spool["parked"] == 0

        return self.until("everything is uploaded", is_empty, seconds)

    def objects(self):
        """How many pictures the server shows."""
        verdict = judge({}, self.receiver.store)
        return verdict.unasked + len(verdict.foreign)

    def duplicates(self):
        """How many of the receipts say that the server had the picture already."""
        receipts = [self.service.press(number).get("receipt") for number, item in self.acknowledged.presses.items() if item]
        return sum(bool(receipt and receipt["duplicate"]) for receipt in receipts)

    # -- the end ---------------------------------------------------------------------------------

    def finish(self, lost=()):
        """What holds for every row; `lost`: items whose files the row has destroyed itself."""
        self.note_memory()
        items = {item: digest for item, digest in self.acknowledged.items.items() if item not in lost}
        violations = self.acknowledged.faults + judge(items, self.receiver.store).violations
        if self.service and self.service.process:
            code = self.service.process.poll()
            self.expect(code is None, f"the service has ended by itself with {code}")
            code = self.service.stop()
            self.expect(code == 0, f"the service ended with {code} when it was asked to stop")
        self.expect(not violations, "; ".join(violations[:3]))
        self.expect(self.peak_memory < MEMORY_LIMIT_MIB, f"the service held {self.peak_memory} MiB")
        self.expect(not self.proxy.elsewhere.heads, "a redirect was followed")

    def close(self):
        """Ends everything that the row has started."""
        self._stack.close()
