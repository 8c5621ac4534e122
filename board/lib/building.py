#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""The builds of the package, each declared once; shows every 10 s how far a long one is.

board/lib/building.py NAME [PRODUCT ...]    builds and prints the folder with what was built

Whoever has built already tells the programs that it starts by PLATEN_BUILDS, so that they do not ask SwiftPM again.
PLATEN_SWIFT_OPTIONS has more options for every build: what no debugger looks at needs no information for it.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
CACHE = os.environ.get("PLATEN_CACHE") or os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "platen")
TEST_BUNDLE = "platenPackageTests.xctest"
# What a program loads for its cameras, from its own folder before any other.
CAMERA_OBJECT = "platencamera"
SECONDS_BETWEEN_WORDS = 10


class BuildError(Exception):
    """The build failed, with the compiler's errors."""


@dataclass(frozen=True)
class Build:
    """A way to build: `options` of `swift build`; `tests`: only these test targets, in a folder of its own in the cache.

    `reduces_icu`: Foundation's data of ICU is cut to the English part; the folder of the static libraries, this machine's where
    none is given, and the target.

    Reports of a sanitizer name functions also without debugging information, which takes a fifth of the time.
    """

    options: tuple
    tests: tuple = ()
    reduces_icu: tuple = None


def _digest(folder, names):
    """A digest of what is in these files of a folder."""
    digest = hashlib.sha256()
    for name in names:
        with open(os.path.join(folder, name), "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()[:16]


_LINKER = os.path.join(REPOSITORY, "board", "deb")
# What runs on several threads, what puts that together, and what is C, C++ or unsafe; all with what their tests need. The second
# takes a web server and a database into the build, which is most of its time.
CONCURRENT = ("CameraHostTests", "CaptureTests", "UploadTests")
SERVICES = ("APITests", "DoctorTests", "ServiceTests")
# What calls a library of the system.
SYSTEM = ("CameraHostTests", "ConformanceTests", "ConsoleTests", "DigestsTests", "ImagingTests", "LinuxDevicesTests", "PageSenseTests",
          "ServiceTests", "SpoolTests", "UploadTests")
# What C, memory layout and the processor's types have a part in.
PORTABLE = ("APITests", "CameraHostTests", "ConsoleTests", "DevicesTests", "DigestsTests", "ImagingTests", "LinuxDevicesTests",
            "PageSenseTests", "SpoolTests")
UNSAFE = ("CameraHostTests", "ConformanceTests", "DigestsTests", "ImagingTests", "LinuxDevicesTests", "PageSenseTests",
          "RecorderTests", "RigConfigurationTests")
# Swift knows no sanitizer of undefined behavior; C and C++ do, whose runtime is part of that of addresses.
_UNDEFINED = ("-fsanitize=undefined", "-fno-sanitize=vptr,function", "-fno-sanitize-recover=undefined")
_SMALL = ("--product", "platenPackageTests", "-debug-info-format", "none")
_ARM64 = ("--swift-sdks-path", "/sdk", "--swift-sdk", "debian-arm64", "--pkg-config-path", "/sysroot/usr/lib/aarch64-linux-gnu/pkgconfig")
# A generic type is made from its own parts at its first use, and not by a name, for which all conformances are searched: a tenth of a start.
_QUICK_START = ("-Xswiftc", "-Xfrontend", "-Xswiftc", "-disable-concrete-type-metadata-mangled-name-accessors")
# As packages have it: dependencies have the versions of Package.resolved, Swift's libraries are in the program, no library is looked
# for beside it, the linkage cannot be written to, and what nothing uses is left out, libraries and tables of exceptions included.
# Functions of the same machine code are one, also where their addresses are taken: no code here compares those. Relative relocations
# take a tenth of the room; Debian 12's loader is the first that knows them.
_PACKAGE = ("--force-resolved-versions", "-c", "release", "-debug-info-format", "none", *_QUICK_START, "--static-swift-stdlib",
            "--disable-local-rpath", "-Xswiftc", "-use-ld=lld", "-Xswiftc", f"-ld-path={os.path.join(_LINKER, 'ld')}",
            # A symbol that is nowhere: SwiftPM links again when the command has changed, and knows nothing of what the linker reads.
            "-Xlinker", f"--trace-symbol=linked-by-{_digest(_LINKER, ('ld', 'sections.ld', 'usedfunctions.py', 'usedfunctions.bin'))}",
            "-Xswiftc", "-Xfrontend", "-Xswiftc", "-function-sections",
            *(word for flag in ("-z", "relro", "-z", "now", "-z", "pack-relative-relocs", "--gc-sections", "--icf=all", "--no-export-dynamic")
              for word in ("-Xlinker", flag)))
BUILDS = {
    "debug": Build(("--build-tests",)),
    "release": Build(("-c", "release", "-debug-info-format", "none", *_QUICK_START)),
    # As it is installed, but tests may look inside.
    "campaign": Build(("-c", "release", "-Xswiftc", "-enable-testing", *_SMALL), ("CaptureTests",)),
    "system": Build(("--product", "platenPackageTests"), SYSTEM),
    # In the system that board/arm64/toolchain makes.
    # C++ may lie in a library of its own, for which SwiftPM compiles position-independent code on other processors only.
    "arm64": Build(("-c", "release", "--build-tests", "-Xswiftc", "-enable-testing", "-debug-info-format", "none", "-Xcc", "-fPIC",
                    "-Xlinker", "-rpath=/usr/lib/swift/linux", *_ARM64), PORTABLE),
    # In the systems that board/deb/build makes.
    "package": Build(_PACKAGE, reduces_icu=()),
    "package-arm64": Build((*_PACKAGE, *_ARM64), reduces_icu=("/sysroot/usr/lib/swift_static/linux", "aarch64-unknown-linux-gnu")),
    "thread": Build(("--sanitize=thread", *_SMALL), CONCURRENT),
    "thread-services": Build(("--sanitize=thread", *_SMALL), SERVICES),
    # A use of memory that is gone may only show in optimized code.
    "address-optimized": Build(("-c", "release", "-Xswiftc", "-enable-testing", "--sanitize=address", *_SMALL), ("APITests", "DevicesTests")),
    "address": Build(("--sanitize=address", *(word for flag in _UNDEFINED for word in ("-Xcc", flag)), *_SMALL), UNSAFE),
}


def build(name, products=(), say=None, way=()):
    """Builds and returns the folder of what was built.

    `products`: only these; without any, all that the build is for. `say` is told every 10 s how far it is.
    `way`: a command that runs the build, such as nice.
    """
    done = json.loads(os.environ.get("PLATEN_BUILDS", "{}"))
    if name in done:
        return done[name]
    declared = BUILDS[name]
    everywhere = os.environ.get("PLATEN_SWIFT_OPTIONS", "").split()
    options = [*declared.options, *everywhere, *(option for product in products for option in ("--product", product))]
    if products and name == "debug":
        options = [option for option in options if option != "--build-tests"]
    environment = dict(os.environ)
    if declared.reduces_icu is not None:
        options += _english_icu(*declared.reduces_icu)
    if declared.tests:
        environment |= {"PLATEN_TESTS": ",".join(declared.tests), "SWIFTPM_BUILD_DIR": os.path.join(CACHE, f"build-{name}")}
    _swift_build(name, [*way, "swift", "build", *options], environment, say or _say)
    if "platenPackageTests" in options:  # what the tests load; one product is built at a time
        for loaded in [CAMERA_OBJECT, *(["PiCameras"] if "CameraHostTests" in declared.tests else [])]:
            others = [word if word != "platenPackageTests" else loaded for word in options]
            _swift_build(name, [*way, "swift", "build", *others], environment, say or _say)
    shown = subprocess.run(["swift", "build", *options, "--show-bin-path"], cwd=REPOSITORY, env=environment, capture_output=True, text=True)
    if shown.returncode != 0:
        raise BuildError(f"SwiftPM does not say where it built: {shown.stderr.strip()[-300:]}")
    return shown.stdout.strip()


def _english_icu(folder=None, target=None):
    """Options that link Foundation with the English part of ICU's data alone."""
    if not folder:
        shown = subprocess.run(["swiftc", "-print-target-info"], capture_output=True, text=True, check=True).stdout
        folder = os.path.join(os.path.dirname(json.loads(shown)["paths"]["runtimeResourcePath"]), "swift_static", "linux")
    output = os.path.join(os.environ.get("SWIFTPM_BUILD_DIR") or CACHE, "icu")
    command = [os.path.join(REPOSITORY, "board", "deb", "reduce-icu"), folder, output, *([target] if target else [])]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise BuildError(f"the data of ICU cannot be reduced: {done.stderr.strip()[-300:]}")
    return [word for flag in done.stdout.split() for word in ("-Xlinker", flag)]


def test_bundle(name, say=None):
    """Builds and returns the path of the tests' bundle, a program."""
    return os.path.join(build(name, say=say), TEST_BUNDLE)


def remember(folders):
    """Tells the programs that this one starts where is what was built: a dictionary of names and folders."""
    os.environ["PLATEN_BUILDS"] = json.dumps(folders)


@contextlib.contextmanager
def cached_builds_locked(say=None):
    """Keeps other clones out of the builds in the cache."""
    os.makedirs(CACHE, exist_ok=True)
    with open(os.path.join(CACHE, "build.lock"), "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            (say or _say)(f"another run of the tests has the builds in \"{CACHE}\"; waiting for it")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _swift_build(name, command, environment, say):
    """Runs `swift build` on a terminal of its own, because only there it says at once how far it is."""
    began = spoken = time.monotonic()
    step, tail = "", b""
    main, other = pty.openpty()
    with tempfile.TemporaryFile() as log:
        # It ends with this program: while one runs, SwiftPM keeps the next one waiting without a word.
        process = subprocess.Popen(["setpriv", "--pdeathsig", "TERM", *command], cwd=REPOSITORY, env={**environment, "TERM": "dumb"},
                                   stdin=subprocess.DEVNULL, stdout=other, stderr=other)
        os.close(other)
        for piece in _pieces(main):
            log.write(piece)
            tail = (tail + piece)[-400:]
            for found in re.finditer(rb"\[(\d+)/(\d+)\]", tail):
                step = f", step {found[1].decode()} of {found[2].decode()}"
            if time.monotonic() - spoken >= SECONDS_BETWEEN_WORDS:
                spoken = time.monotonic()
                say(f"building {name}: {spoken - began:.0f} s{step}")
        if process.wait() != 0:
            log.seek(0)
            lines = log.read().decode(errors="replace").replace("\r", "").splitlines()
            errors = list(dict.fromkeys(line for line in lines if "error:" in line)) or lines[-10:]
            raise BuildError(f"swift build of \"{name}\" failed:\n" + "\n".join(errors[:30]))


def _pieces(terminal):
    """What comes from a terminal until its other end is closed; an empty piece for each second of silence."""
    with open(terminal, "rb", buffering=0, closefd=True) as reader:
        while True:
            if not select.select([reader], [], [], 1)[0]:
                yield b""
                continue
            try:
                piece = reader.read(65536)
            except OSError:  # EIO: the other end is closed
                return
            if not piece:
                return
            yield piece


def _say(text):
    print(f"build: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in BUILDS:
        sys.exit(f"usage: board/lib/building.py {'|'.join(BUILDS)} [PRODUCT ...]")
    try:
        print(build(sys.argv[1], sys.argv[2:]))
    except BuildError as error:
        sys.exit(f"build: {error}")
