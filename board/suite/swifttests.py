# SPDX-License-Identifier: Apache-2.0
"""Runs Swift tests in several processes beside each other, one test at a time in each.

Swift Testing starts all tests of a process at once, so that on two processors each of 2,000 waits for all others and its
time limit is over before its turn. Processes share nothing, and each has few tests at a time.
"""

import os
import queue
import re
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass, field
from typing import Callable

LIBRARY = ["--testing-library", "swift-testing"]
TESTS_OF_A_BATCH = 24
# The slowest suites take two minutes; what has not ended on the busiest machine after this hangs, and is ended.
SECONDS_OF_A_BATCH = 1_200
SECONDS_BETWEEN_WORDS = 10
# Each process with tests of this target has storage servers of its own.
WHOLE = ("UploadTests",)
# The suites that take longest: a process that began one of them at the end would leave a processor idle.
SLOW = ("CameraHostTests.HostedCameras/HostCampaignTests", "SpoolTests.IndexDamageTests", "SpoolTests.QueueCrashTests",
        "ImagingTests.SheetScaleTests", "SpoolTests.CrashTests", "SpoolTests.SourceCrashTests", "SpoolTests.QueueModelTests",
        "RecorderTests.LongMovieTests")
REPORT = re.compile(r"WARNING: ThreadSanitizer|ERROR: AddressSanitizer|runtime error:|Fatal error|Program crashed|\*\*\* Signal")


@dataclass
class Outcome:
    """What became of tests: how many ran, the lines of those that failed, were skipped or printed figures, their times."""

    ran: int = 0
    failures: list = field(default_factory=list)
    skipped: list = field(default_factory=list)
    figures: list = field(default_factory=list)
    seconds: list = field(default_factory=list)  # (seconds, name)

    @property
    def passed(self):
        """Whether tests ran and none failed."""
        return self.ran > 0 and not self.failures


def list_tests(bundle, prefix=(), skip=None):
    """The names of all tests of a bundle, such as APITests.ServerTests/AccessTests/aTokenIsKnown(); the rest as for run()."""
    shown = subprocess.run([*prefix, bundle, *LIBRARY, "--list-tests"], capture_output=True, text=True, check=True)
    return [line for line in shown.stdout.splitlines() if re.match(r"^\w+\.\w+", line) and not (skip and re.search(skip, line))]


def target_of(test):
    """The target that a test is in."""
    return test.split(".", 1)[0]


def suite_of(test):
    """What a test runs together with: its suite, or its whole target."""
    return target_of(test) if target_of(test) in WHOLE else test.rsplit("/", 1)[0]


def batches(tests):
    """Packs tests into batches of suites of one target; the slow suites begin first, each alone, and then the largest batches.

    >>> batches(["ATests.Few/one()", "BTests.Many/one()", "BTests.Many/two()", "SpoolTests.CrashTests/one()"])
    [(['SpoolTests.CrashTests'], 1), (['BTests.Many'], 2), (['ATests.Few'], 1)]
    """
    suites = {}
    for test in tests:
        suites.setdefault(suite_of(test), []).append(test)
    slow = [([suite], len(suites.pop(suite))) for suite in SLOW if suite in suites]
    packed = {}
    for suite, members in suites.items():
        of_target = packed.setdefault(target_of(suite), [([], 0)])
        names, count = of_target[-1]
        if count + len(members) > TESTS_OF_A_BATCH and names:
            of_target.append(([suite], len(members)))
        else:
            of_target[-1] = ([*names, suite], count + len(members))
    return slow + sorted((batch for of_target in packed.values() for batch in of_target), key=lambda batch: -batch[1])


@dataclass
class Way:
    """How to run: `prefix`, a command that runs the bundle; `skip`, what is found in the names of tests to leave out.

    `workers`: processes beside each other; `limit`: seconds after which a process is ended, None without one; `until`: the
    instant of the monotonic clock at which all of them are; `processes`: a set that holds each while it runs; `say`: is told
    what failed, and how far the run is.
    """

    prefix: tuple = ()
    skip: str | None = None
    workers: int = (os.cpu_count() or 1) + 1
    limit: float | None = SECONDS_OF_A_BATCH
    until: float | None = None
    processes: set = field(default_factory=set)
    say: Callable = print

    def seconds(self, now):
        """How long a process may run that begins at this instant of the monotonic clock; None without a limit.

        >>> Way(limit=None).seconds(7), Way(limit=5).seconds(7), Way(limit=5, until=10).seconds(7), Way(until=6).seconds(7)
        (None, 5, 3, 0)
        """
        left = None if self.until is None else max(0, self.until - now)
        return min((seconds for seconds in (self.limit, left) if seconds is not None), default=None)


def run(bundle, tests, environment=None, way=Way()):
    """Runs whole suites with these tests of a bundle; returns an Outcome."""
    outcome, lock, work = Outcome(), threading.Lock(), queue.SimpleQueue()
    began = spoken = time.monotonic()
    for batch in batches(tests):
        work.put(batch)

    def take():
        nonlocal spoken
        while True:
            try:
                suites, count = work.get_nowait()
            except queue.Empty:
                return
            one = _run_batch(bundle, suites, count, {**os.environ, **(environment or {})}, way)
            with lock:
                outcome.ran += one.ran
                for name in ("failures", "skipped", "figures", "seconds"):
                    getattr(outcome, name).extend(getattr(one, name))
                for line in one.failures:
                    way.say(line)
                if time.monotonic() - spoken >= SECONDS_BETWEEN_WORDS:
                    spoken = time.monotonic()
                    way.say(f"{outcome.ran} of {len(tests)} tests, {spoken - began:.0f} s")

    threads = [threading.Thread(target=take) for _ in range(way.workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcome


def _run_batch(bundle, suites, count, environment, way):
    """Runs one process with the tests of these suites."""
    names = "|".join(re.escape(suite) for suite in suites)
    with tempfile.TemporaryFile("w+", errors="replace") as log:
        chosen = ["--filter", f"^({names})([./]|$)", *(["--skip", way.skip] if way.skip else [])]
        # A group of its own, so that what its tests have started ends with it; a session of its own would have its own share
        # of the processors.
        process = subprocess.Popen([*way.prefix, bundle, *LIBRARY, "--no-parallel", *chosen], env=environment, process_group=0,
                                   stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        way.processes.add(process)
        seconds = way.seconds(time.monotonic())
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            status = None
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        way.processes.discard(process)
        log.seek(0)
        lines = log.read().splitlines()
    outcome = Outcome(figures=[line.removeprefix("figure:").strip() for line in lines if line.startswith("figure:")],
                      skipped=[line[2:] for line in lines if re.match(r"^➜ .* skipped", line)])
    for line in lines:
        found = re.match(r"^[✔✘] Test (\S+?\(.*?\)|\".*?\")(?: with \d+ test cases?)? (?:passed|failed) after ([\d.]+) seconds", line)
        if found:
            outcome.seconds.append((float(found[2]), f"{target_of(suites[0])} {found[1]}"))
        found = re.match(r"^[✔✘] Test run with (\d+) tests?", line)
        outcome.ran += int(found[1]) if found else 0
    told = _failures(lines)
    if status is None:
        told = [f"{', '.join(suites)}: {unfinished(lines)} had not ended after {seconds:.0f} s", *told, *lines[-15:]]
    elif status != 0 and not told:
        told = [f"{', '.join(suites)}: {_ending(status)}; {unfinished(lines)} had not ended", *lines[-15:]]
    if status == 0 and outcome.ran != count:
        told = [f"{', '.join(suites)}: {outcome.ran} tests ran where {count} were listed"]
    outcome.failures = told
    return outcome


def unfinished(lines):
    """The names of the tests that began and did not end, by what Swift Testing prints of them."""
    begun = {}
    for line in lines:
        found = re.match(r"^◇ Test (\S+?\(.*?\)|\".*?\") started\.", line)
        if found:
            begun[found[1]] = None
        found = re.match(r"^[✔✘➜] Test (\S+?\(.*?\)|\".*?\") ?(?:with \d+ test cases? )?(?:passed|failed|skipped)", line)
        if found:
            begun.pop(found[1], None)
    return ", ".join(begun) or "no test"


def _failures(lines):
    """What failed, with what a test says of it below: a seed is needed to see it again; a report whole: it may not come again."""
    told, rest, is_told = [], 0, False
    for line in lines:
        if REPORT.search(line):
            rest = 60
        # An argument with a line break takes several lines, and the message comes after it.
        is_told = line.startswith("✘") or is_told and not line.startswith(("◇", "✔", "➜"))
        if rest > 0 or is_told or "SUMMARY: " in line:
            told.append(line[:1000])
        rest = max(0, rest - 1)
    return told[:260]


def _ending(status):
    return f"ended by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"


def told(outcome, began):
    """One line with the figures of an outcome."""
    failed = [line for line in outcome.failures if re.match(r"✘ Test (?!run ).* failed after", line)] or outcome.failures[:1]
    return (f"{outcome.ran} tests, {len(failed)} failed, "
            f"{len(outcome.skipped)} skipped, {time.monotonic() - began:.0f} s")
