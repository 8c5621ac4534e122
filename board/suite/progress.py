# SPDX-License-Identifier: Apache-2.0
"""A part of the run while it runs: what it prints, what it builds, and where its seconds go."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time

import building
import swifttests
from building import REPOSITORY

# Behind the run's other parts, but not behind what else the machine does: with autogroups (sched(7)) a priority counts only
# among the processes of one session.
BACKGROUND = ["nice", "-n", "10"]
# What a program of ours prints of a test's seconds: the rig's tests, and the rows of others.
TIMES = (re.compile(r"^(?P<part>rig): +(?P<seconds>[\d.]+) s (?P<name>\S+)$"),
         re.compile(r"^(?P<part>deb|faults|machine|readers|servers|systemd): (?P<name>\S+) \|.*\((?P<seconds>\d+) s\)$"))
FAILURE = re.compile(r"\bFAILED\b|^(FAIL|ERROR): ")
# A failure's first line, and those that tell of it: a log's end, what was left undone.
LINES_OF_A_FAILURE = 30
_printing = threading.Lock()


def show(text):
    """Prints one line, whole, whoever else prints."""
    with _printing:
        print(text, flush=True)


class Processes(set):
    """The programs that run."""

    is_over = False

    def add(self, process):
        """Takes one in; one that comes after the end is ended."""
        super().add(process)
        if self.is_over:
            _end(process)

    def end(self):
        """Ends all of them."""
        self.is_over = True
        for process in list(self):
            _end(process)


def _end(process):
    """Ends a program: our own cleans up, and tests have a group of their own, which goes at once with all that they started."""
    with contextlib.suppress(ProcessLookupError):
        if os.getpgid(process.pid) == process.pid:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.terminate()


class Shared:
    """What the parts share: each thing is built once, and the package in one way at a time, because that uses all processors."""

    def __init__(self, seed, is_long, names):
        self.seed, self.is_long, self.names = seed, is_long, names
        self.folders, self.processes = {}, Processes()
        self.lock = threading.Lock()
        self._building = threading.Lock()
        self._once = {}

    def once(self, what, work):
        """Does `work` once for all parts; returns the seconds spent on it here and waiting for it."""
        began = time.monotonic()
        with self.lock:
            mine = self._once.setdefault(what, threading.Lock())
        with mine:
            if what in self.folders:
                return 0, time.monotonic() - began
            with self._building if what in building.BUILDS else contextlib.nullcontext():
                started = time.monotonic()
                self.folders[what] = work()
                building.remember({name: folder for name, folder in self.folders.items() if name in building.BUILDS})
                return time.monotonic() - started, started - began

    def end(self):
        """Ends the programs that still run, and each that would begin."""
        self.processes.end()


class Progress:
    """One part's seconds of building, testing and waiting, its figures, and the means to spend them."""

    def __init__(self, part, shared, is_background):
        self.part, self.shared = part, shared
        self.is_long, self.seed = shared.is_long, shared.seed
        self.building = self.waiting = 0.0
        self.began, self.ended = time.monotonic(), None
        self.tests, self.failures = [], []  # (seconds, name), lines
        self._way = BACKGROUND if is_background else []

    @property
    def testing(self):
        """Seconds that were spent neither building nor waiting for a build."""
        return (self.ended or time.monotonic()) - self.began - self.building - self.waiting

    def say(self, text):
        """Prints a line of this part."""
        show(f"test: {self.part.name}: {text}")

    def runs(self, name):
        """Whether another part runs in this run, too."""
        return name in self.shared.names

    def build(self, name):
        """Builds what is declared under this name, once in the run; returns its folder."""
        self._once(name, lambda: building.build(name, say=self.say, way=self._way))
        return self.shared.folders[name]

    def kernel(self, kind):
        """Builds the rig's kernel of this kind, or finds it in the cache."""
        self._once(f"kernel {kind}", lambda: self.program(["board/rig/kernel", kind]))

    def _once(self, what, work):
        built, waited = self.shared.once(what, work)
        self.building += built
        self.waiting += waited
        if built >= building.SECONDS_BETWEEN_WORDS:
            self.say(f"built {what} in {built:.0f} s")

    def program(self, command, environment=None):
        """Runs a program of the repository, shows what it prints, and returns whether it succeeded."""
        settings = {**os.environ, "PLATEN_SEED": str(self.seed), "PYTHONUNBUFFERED": "1", **(environment or {})}
        process = subprocess.Popen([*self._way, *command], cwd=REPOSITORY, env=settings, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        self.shared.processes.add(process)
        last, left = [], 0
        for line in process.stdout:
            show(line.rstrip("\n"))
            last = [*last[-11:], line.rstrip("\n")]
            for found in filter(None, (pattern.match(line) for pattern in TIMES)):
                self.tests.append((float(found["seconds"]), f"{found['part']} {found['name']}"))
            left = LINES_OF_A_FAILURE if FAILURE.search(line) else max(0, left - 1)
            if left > 0:
                self.failures.append(line.rstrip("\n"))
        status = process.wait()
        self.shared.processes.discard(process)
        if status != 0 and not self.failures:
            self.failures += [f"{' '.join(command)} ended with status {status}", *last]
        return status == 0

    def swift_tests(self, bundle, tests, environment=None, prefix=(), **way):
        """Runs Swift tests, shows what failed, was skipped or measured, and returns whether all is well.

        `prefix`: a command that runs them; `way`: more of swifttests.Way.
        """
        settings = {"PLATEN_SEED": str(self.seed), **{name: str(value) for name, value in (environment or {}).items()}}
        began = time.monotonic()
        limit = None if self.is_long else swifttests.SECONDS_OF_A_BATCH
        outcome = swifttests.run(bundle, tests, settings, swifttests.Way((*self._way, *prefix), limit=limit, processes=self.shared.processes, say=self.say, **way))
        self.tests += outcome.seconds
        self.failures += outcome.failures
        for line in [*outcome.figures, *outcome.skipped]:  # what this machine cannot do is no success of it
            self.say(line)
        self.say(swifttests.told(outcome, began))
        return outcome.passed

    def swift_campaigns(self, bundle, campaigns):
        """Runs campaigns beside each other: pairs of tests and their environment; returns whether all is well.

        Several have a processor each: their threads hand virtual time to each other, which takes thirty times as long from one
        processor to another.
        """
        results, processors, threads = [], sorted(os.sched_getaffinity(0)), []
        for number, (tests, environment) in enumerate(campaigns):
            prefix = ("taskset", "--cpu-list", str(processors[number % len(processors)])) if len(campaigns) > 1 else ()
            threads.append(threading.Thread(target=lambda tests=tests, environment=environment, prefix=prefix: results.append(
                self.swift_tests(bundle, tests, environment, prefix, workers=1))))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return all(results) and len(results) == len(campaigns)


def fail(text):
    """Ends the run with a sentence."""
    print(f"test: {text}", file=sys.stderr, flush=True)
    sys.exit(1)
