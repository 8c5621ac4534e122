# SPDX-License-Identifier: Apache-2.0
"""The parts of the test run, each declared once: what it is for, its share of the run's time, where it runs, how."""

import os
import re
import time
from dataclasses import dataclass
from typing import Callable

import lint
import quick
import swifttests
from building import BUILDS, REPOSITORY, TEST_BUNDLE

# What talks to devices and servers in real time mostly waits, so that two such parts run at a time. What only computes stands
# behind them. The parts of a kind begin in the order below, the longest first.
REALTIME, PROCESSOR = "realtime", "processor"
# The kinds that each worker of a run takes its parts from, the first kind first: none idles while a part waits.
WORKERS = ((REALTIME, PROCESSOR), (REALTIME, PROCESSOR), (PROCESSOR, REALTIME))
# When a part runs without being named. ALWAYS is what fits an hour without a cache.
ALWAYS, LONG, NAMED = "always", "only with --long or when it is named", "only when it is named"


@dataclass(frozen=True)
class Part:
    """A part; `seconds`: what it may take of a run without a cache on two processors, builds aside."""

    name: str
    about: str
    kind: str
    seconds: int
    run: Callable  # takes a Progress, returns whether all is well
    when: str = ALWAYS


def _campaign(name, *arguments, kernels=(), long_kernels=()):
    """A program of its own that runs the service, with the seed of the run."""

    def run(progress):
        progress.build("release")
        for kind in (*kernels, *(long_kernels if progress.is_long else ())):
            progress.kernel(kind)
        command = [f"board/{name}/test", *arguments, *(["--long"] if progress.is_long else [])]
        return progress.program([*command, "--seed", str(progress.seed)])

    return run


RUNS_PROGRAMS = "[Pp]latenctl|CommandsWithoutService|(Configuration|Doctor|SupportBundle)CommandTests"
# The suites in which PLATEN_BRIEF_TESTS leaves a sanitizer fewer repetitions; it makes the others wait longer at most.
REPEATING = ("CameraHostTests.HostedCameras/HostCampaignTests/", "CaptureTests.PageTurnDetectorTests/", "ImagingTests.SheetScaleTests/",
             "SpoolTests.ListingShareTests/")


def _unit(progress):
    """The tests that no sanitizer of the same run repeats in the same way."""
    bundle = os.path.join(progress.build("debug"), TEST_BUNDLE)
    tests = [test for test in swifttests.list_tests(bundle) if not test.startswith(quick.CAMPAIGNS)]
    repeated = {target for name in ("thread", "thread-services", "address") if progress.runs(name) for target in BUILDS[name].tests}
    needed = {swifttests.suite_of(test) for test in tests
              if swifttests.target_of(test) not in repeated or test.startswith(REPEATING) or re.search(RUNS_PROGRAMS, test)}
    return progress.swift_tests(bundle, [test for test in tests if swifttests.suite_of(test) in needed],
                                {"PLATEN_LONG_TESTS": "1"} if progress.is_long else {})


def _session(progress):
    """Fault sequences in virtual time in several processes; then what counts real time, one after the other.

    Each campaign is a process of its own, so that what one holds is not taken for another's.
    """
    # As it is installed for the long campaigns; the short ones are over before such a build would be.
    bundle = os.path.join(progress.build("campaign" if progress.is_long else "debug"), TEST_BUNDLE)
    tests = swifttests.list_tests(bundle)
    processes = os.cpu_count() or 1
    sequences, changes, presses = (10_000, 10_000, 100_000) if progress.is_long else (200, 500, 2_000)
    # A hundred sequences contain every fault, which the test then demands. Five hundred end within its limit on a slow machine.
    share = min(500, max(100, -(-sequences // processes)))
    shares = [(tests_of(tests, "FaultCampaignTests"), {"PLATEN_SEED": progress.seed + first, "PLATEN_SESSION_SEQUENCES": share})
              for first in range(0, max(sequences, processes * share), share)]
    rounds = [shares[first:first + processes] for first in range(0, len(shares), processes)]
    after = [(tests_of(tests, "ReconfigurationTests"), {"PLATEN_RECONFIGURATIONS": changes}),
             (tests_of(tests, "PressStormTests"), {"PLATEN_STORM_PRESSES": presses})]
    return all([progress.swift_campaigns(bundle, one) for one in (*rounds, *([one] for one in after))])


def tests_of(tests, suite):
    """The tests of a suite of CaptureTests."""
    return [test for test in tests if test.startswith(f"CaptureTests.{suite}/")]


def _rig(progress):
    """All of the rig but what are parts of their own."""
    progress.build("release")
    progress.kernel("uml")
    without = [word for name in ("console", "doctor", "conformance") for word in ("--without", name)]
    if progress.is_long:
        progress.kernel("qemu")
    return progress.program(["board/rig/test", *without, *(["--long"] if progress.is_long else ["--kind", "uml"])])


def _conformance(progress):
    """The suite is in the debug build; the rig has the programs of the release build."""
    progress.build("release")
    progress.build("debug")
    progress.kernel("uml")
    return progress.program(["board/rig/test", "--kind", "uml", "conformance"])


def _console(progress):
    progress.build("release")
    progress.kernel("uml")
    return progress.program(["board/rig/test", "--kind", "uml", *(["--long"] if progress.is_long else []), "console", "doctor"])


def _faults(progress):
    progress.build("release")
    arguments = ["--long"] if progress.is_long else []
    # Those of its rows that are unit tests have been run already then.
    arguments += ["--without-suites"] if progress.runs("unit") else []
    if not progress.runs("unit"):
        progress.build("debug")
    return progress.program(["board/faults/test", *arguments, "--seed", str(progress.seed)])


def _sanitize(name):
    """Under a sanitizer tests repeat themselves less often: it looks for something else than rare bytes.

    Programs that tests start have environments of their own, which a sanitizer's options do not reach, and are not in these
    builds: suites that run platenctl are left out, and so are those of commands that run platend without a service. What both
    are made of is tested in the tests' own process.
    """

    def run(progress):
        bundle = os.path.join(progress.build(name), TEST_BUNDLE)
        tests = [test for test in swifttests.list_tests(bundle, skip=RUNS_PROGRAMS) if not test.startswith(quick.CAMPAIGNS)]
        # Where a camera process may read; the other sanitizer may run at the same time.
        suppressions = os.path.join("/dev/shm", f"platen-suppressions.{name}.{os.getpid()}")
        with open(os.path.join(REPOSITORY, "board", "lib", "thread-sanitizer.suppressions")) as file, open(suppressions, "w") as copy:
            copy.write(file.read())
        try:
            return progress.swift_tests(bundle, tests, {
                "PLATEN_BRIEF_TESTS": "1", "TSAN_OPTIONS": f"halt_on_error=0 exitcode=66 suppressions={suppressions}",
                "ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "halt_on_error=1 print_stacktrace=1"},
                skip=RUNS_PROGRAMS)
        finally:
            os.remove(suppressions)

    return run


def _system(name):
    """The package on another system, which its own script makes."""
    return lambda progress: progress.program([f"board/{name}/test", *(["--long"] if progress.is_long else [])])


def _deb(progress):
    """Both releases of Debian that packages are made for; of other processors than this one's the part machine plays the packages."""
    return all([progress.program(["board/deb/test", "--release", release]) for release in ("bookworm", "trixie")])


def _machine(progress):
    """Each system and processor that packages are made for; board/deb/build makes them, and finds most of it in the cache."""
    kinds = (("amd64", "bookworm"), ("amd64", "trixie"), ("arm64", "trixie"))
    commands = [["board/machine/test", "--arch", arch, "--release", release, *(["--long"] if progress.is_long else [])] for arch, release in kinds]
    return all([progress.program(command) for command in commands])


def _browser(progress):
    """The page on a service; what needs no browser is the part page."""
    progress.build("release")
    arguments = ["--long"] if progress.is_long else []
    return progress.program(["board/page/test", "--without-modules", *arguments, "--seed", str(progress.seed)])


PARTS = [
    Part("lint", "formatting, syntax and examples of scripts, forbidden constructs", PROCESSOR, 60, lint.run),
    Part("rig", "the service in the virtual rig, against real kernel devices", REALTIME, 1100, _rig),
    Part("console", "the technician's console on a serial line of the rig, and the doctor's way to planted faults", REALTIME, 800,
         _console),
    Part("cuts", "the rig's power is cut while it takes pictures, and it is booted again", REALTIME, 250,
         _campaign("cuts", kernels=("uml",), long_kernels=("qemu",))),
    Part("crash", "a power cut at every write barrier of a spool's life, replayed", REALTIME, 400, _campaign("crash", kernels=("uml",))),
    Part("conformance", "the same tests of the devices as on the simulated board, in the rig", REALTIME, 280, _conformance),
    Part("faults", "the fault matrix: disks, index, files, clocks, networks and servers that fail", REALTIME, 250, _faults),
    Part("camera", "the camera object, with the libcamera under it changed", REALTIME, 180, lambda progress: progress.program(["board/camera/test"])),
    Part("api", "what the API's description allows and forbids, sent to a running service", REALTIME, 130, _campaign("api")),
    Part("systemd", "the units as they are shipped: systemd checks them, and runs the service as its own user", REALTIME, 120,
         _campaign("systemd")),
    Part("kill", "the service is killed at random moments, behind a network that breaks everything", REALTIME, 120, _campaign("kill")),
    Part("unit", "unit and conformance tests on the simulated board", PROCESSOR, 600, _unit),
    Part("thread", "the tests of what runs on several threads, under ThreadSanitizer", PROCESSOR, 600, _sanitize("thread")),
    Part("session", "the capture session: fault sequences, reconfigurations, storms of presses", PROCESSOR, 200, _session),
    Part("address", "the tests of what is C, C++ or unsafe, under AddressSanitizer and UndefinedBehaviorSanitizer", PROCESSOR, 350,
         _sanitize("address")),
    Part("cross", "all C and C++ compiled for arm64 with Debian 13's libraries, and the camera object with each libcamera", PROCESSOR, 90,
         lambda progress: progress.program(["board/cross/test"])),
    Part("rpi", "the files of the Raspberry Pis: against their table, and on the device trees of Debian's kernels", PROCESSOR, 30, _system("rpi")),
    Part("page", "the modules of the page in the browser, in Node.js", PROCESSOR, 15,
         lambda progress: progress.program(["board/page/test", "--without-browser"])),
    Part("browser", "the page in headless Chromium, against the service on the simulated board", REALTIME, 120, _browser, when=LONG),
    Part("servers", "servers that people have take pictures, directly and behind nginx that ends TLS", REALTIME, 120, _campaign("servers"), when=LONG),
    Part("readers", "programs that people give pictures to read those of the service", REALTIME, 120, _campaign("readers"), when=LONG),
    Part("thread-services", "the tests of the service, its API and the doctor, under ThreadSanitizer", PROCESSOR, 600,
         _sanitize("thread-services"), when=LONG),
    Part("optimized", "the optimized tests of the API and of what all devices share, under AddressSanitizer", PROCESSOR, 300,
         _sanitize("address-optimized"), when=LONG),
    Part("debian13", "the package built on Debian 13, and the tests of what touches a library of the system", PROCESSOR, 900,
         _system("debian13"), when=LONG),
    Part("arm64", "the optimized package for arm64, and the tests of what C and the processor have a part in", PROCESSOR, 1800,
         _system("arm64"), when=LONG),
    Part("deb", "the packages for Debian 12 and 13: lintian, and a rig's life with them under systemd", PROCESSOR, 2400, _deb, when=LONG),
    Part("machine", "the Debian packages on a machine in QEMU: login, setup, presses, an upgrade, kills and power cuts", PROCESSOR, 900,
         _machine, when=NAMED),
    Part("quick", "lint, the unit tests of what the change touches and what depends on it, and one press", PROCESSOR, 240, quick.run,
         when=NAMED),
]
BY_NAME = {part.name: part for part in PARTS}


def now():
    """The monotonic clock, in seconds."""
    return time.monotonic()
