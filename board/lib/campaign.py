# SPDX-License-Identifier: Apache-2.0
"""What the campaigns share: the binary under test, an end on signals, a place with room."""

import os
import random
import shutil
import signal
import subprocess
import sys

import building

BOARD = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
REPOSITORY = os.path.dirname(BOARD)


class CampaignError(Exception):
    """The campaign could not be run, and why."""


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
