# SPDX-License-Identifier: Apache-2.0
"""What the campaigns share: the binary under test, an end on signals, a place with room; and the rows that some of them play."""

import argparse
import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import building

BOARD = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
REPOSITORY = os.path.dirname(BOARD)
# Failures of a row that are told with their names.
UNEXPECTED = (OSError, ValueError, KeyError, IndexError, subprocess.SubprocessError)


class CampaignError(Exception):
    """The campaign could not be run, and why."""


class Failed(Exception):
    """A row does not do what it must, and why."""


def expect(what, seen, wanted):
    """Fails when something is not as it must be."""
    if seen != wanted:
        raise Failed(f"{what} is {seen!r}, not {wanted!r}")


def row_options(description, names):
    """The options of a test whose rows need no more than a service; its `names` are those of the rows to play."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--long", action="store_true", help="nothing more: all rows are always played")
    parser.add_argument("--seed", type=int, help="nothing here is random")
    parser.add_argument("--binary", help="a platend that is built already")
    parser.add_argument("--keep", help="a folder to work in, empty or not there yet, that stays")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    asked, options.names = options.names, [row for row in names if not options.names or any(row.startswith(name) for name in options.names)]
    if not options.names:
        parser.error(f"there is no row \"{asked[0]}\"; the rows are: {', '.join(names)}")
    return options


def played(line, play, plain, others=UNEXPECTED):
    """Plays a row and prints its line, which begins so; returns whether it passed.

    `plain`: failures whose words are a sentence; `others`: those whose names are told, too.
    """
    began = time.monotonic()
    try:
        seen, verdict = play(), "pass"
    except (*plain, *others) as error:
        seen, verdict = f"{'' if isinstance(error, plain) else type(error).__name__} {error}".strip(), "FAILED"
    print(f"{line} | {' '.join(seen.split())} | {verdict} ({time.monotonic() - began:.0f} s)", flush=True)
    return verdict == "pass"


def judged(test, verdicts, began):
    """Prints the last line of a test that has played its rows; returns the exit status."""
    failed = verdicts.count(False)
    print(f"{test}: {'FAILED ' if failed else ''}{len(verdicts)} rows: {verdicts.count(True)} passed, {failed} failed, "
          f"{time.monotonic() - began:.0f} s", flush=True)
    return 1 if failed else 0


@contextlib.contextmanager
def telling(line, *failures):
    """Ends the program with 1 at one of these failures, which is told in a line that begins so; at Ctrl-C with 130."""
    try:
        yield
    except failures as error:
        print(f"{line} {error}", flush=True)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


@contextlib.contextmanager
def work_folder(prefix, kept=None):
    """A folder to work in: the given one, which is made and stays, or a temporary one."""
    if kept:
        os.makedirs(kept, exist_ok=True)
    with contextlib.nullcontext(kept) if kept else tempfile.TemporaryDirectory(prefix=prefix) as folder:
        yield os.path.abspath(folder)


def installed_packages(path):
    """The folder with the packages of PyPI on a list, which are installed once."""
    done = subprocess.run([os.path.join(BOARD, "lib", "packages"), path], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise CampaignError(f"the packages of \"{path}\" could not be installed; the message is above")
    return done.stdout.strip()


def chosen_seed():
    """The seed of all randomness of a run: PLATEN_SEED, else a new one."""
    return int(os.environ.get("PLATEN_SEED") or random.SystemRandom().randrange(1, 1_000_000))


def built(name, product):
    """The path of a product of a build; builds it, unless whoever started this program has."""
    try:
        return os.path.join(building.build(name, [] if product == building.TEST_BUNDLE else [product]), product)
    except building.BuildError as error:
        raise CampaignError(str(error)) from None


def installed_programs(folder=None):
    """The paths of platend, the camera object, platenctl and the recorder in a folder; builds them where none is given."""
    if folder is None:
        for product in ("platend", "platenctl", building.CAMERA_OBJECT, "platen-recorder"):
            folder = os.path.dirname(built("release", product))
    return [os.path.join(folder, name) for name in ("platend", f"lib{building.CAMERA_OBJECT}.so", "platenctl", "platen-recorder")]


def service_binary(given, folder):
    """A copy of platend in `folder`, so that a build beside the campaign does not change what is tested.

    `given`: the path of one that is built already; None builds it. The camera object is copied beside it.
    """
    binary, camera_object, *_ = installed_programs(os.path.dirname(given) if given else None)
    binary = given or binary
    if not os.access(binary, os.X_OK):
        raise CampaignError(f"\"{binary}\" is no program")
    if os.path.exists(camera_object):  # only the rig's cameras need it
        shutil.copy2(camera_object, folder)
    return shutil.copy2(binary, os.path.join(folder, "platend"))


def recording_binary(given, folder):
    """The same with the recorder beside it, without which no recording can be made."""
    *_, recorder = installed_programs(os.path.dirname(given) if given else None)
    shutil.copy2(recorder, folder)
    return service_binary(given, folder)


def end_on_signals():
    """SIGTERM and SIGHUP end the program as Ctrl-C does, so that every `with` cleans up."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, frame: sys.exit(128 + number))


def compile_library(source, folder):
    """Compiles a C file to a library for LD_PRELOAD; returns its path."""
    path = os.path.join(folder, os.path.basename(source).removesuffix(".c") + ".so")
    done = subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", path, source, "-ldl"], capture_output=True, text=True)
    if done.returncode != 0:
        raise CampaignError(f"\"{source}\" does not compile: {done.stderr[-1000:]}")
    return path
