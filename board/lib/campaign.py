# SPDX-License-Identifier: Apache-2.0
"""What the campaigns share: the binary under test, an end on signals, a place with room."""

import os
import shutil
import signal
import subprocess
import sys

BOARD = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
REPOSITORY = os.path.dirname(BOARD)


class CampaignError(Exception):
    """The campaign could not be run, and why."""


def build(*arguments):
    """Runs `swift build` with these arguments."""
    done = subprocess.run(["swift", "build", *arguments], cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        errors = [line for line in done.stdout.splitlines() if "error" in line]
        raise CampaignError("swift build failed:\n" + "\n".join(errors[:20]))


def service_binary(given, folder):
    """A copy of platend in `folder`, so that a build beside the campaign does not change what is tested.

    `given`: the path of one that is built already; None builds it.
    """
    if given is None:
        build("--product", "platend")
        shown = subprocess.run(["swift", "build", "--show-bin-path"], cwd=REPOSITORY, capture_output=True, text=True, check=True)
        given = os.path.join(shown.stdout.strip(), "platend")
    if not os.access(given, os.X_OK):
        raise CampaignError(f"\"{given}\" is no program")
    return shutil.copy2(given, os.path.join(folder, "platend"))


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
