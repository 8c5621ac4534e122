# SPDX-License-Identifier: Apache-2.0
"""What a developer runs after each edit: lint, the unit tests that a change can break, and one press.

The change is what differs from the last commit; when nothing does, the last commit itself.
"""

import json
import os
import subprocess
import tempfile

import lint
import swifttests
from affected import affected_tests
from building import REPOSITORY, TEST_BUNDLE

# They have a part of their own, and take minutes.
CAMPAIGNS = ("CaptureTests.FaultCampaignTests/", "CaptureTests.ReconfigurationTests/", "CaptureTests.PressStormTests/")
# Most of the tests wait for something, and nothing else runs beside them here.
PROCESSES_PER_PROCESSOR = 3


def run(progress):
    """Runs all of it; returns whether all is well."""
    files = changed_files()
    progress.say(f"{len(files)} files changed")
    is_clean = lint.run(progress, only=set(files))
    folder = progress.build("debug")
    targets = affected_tests(files, package_targets())
    bundle = os.path.join(folder, TEST_BUNDLE)
    tests = [test for test in swifttests.list_tests(bundle) if test.split(".")[0] in targets and not test.startswith(CAMPAIGNS)]
    progress.say(f"{len(tests)} tests of {', '.join(sorted(targets)) or 'no target'}")
    has_passed = not tests or progress.swift_tests(bundle, tests, {"PLATEN_BRIEF_TESTS": "1"},
                                                   workers=PROCESSES_PER_PROCESSOR * (os.cpu_count() or 1))
    with tempfile.TemporaryDirectory(prefix="platen-quick-") as out:
        press = ["/usr/bin/python3", "board/lib/drive.py", "--binary", os.path.join(folder, "platend"), "--out", out, "--shots", "1"]
        return progress.program(press) and is_clean and has_passed


def changed_files():
    """The paths of what differs from the last commit, or else of what the last commit changed."""
    changed = _git("diff", "--name-only", "HEAD") + _git("ls-files", "--others", "--exclude-standard")
    return changed or _git("diff", "--name-only", "HEAD~1", "HEAD")


def package_targets():
    """Each target's folder, the targets that it depends on, and its type."""
    shown = subprocess.run(["swift", "package", "describe", "--type", "json"], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    return {target["name"]: (target["path"], target.get("target_dependencies", []), target["type"])
            for target in json.loads(shown.stdout)["targets"]}


def _git(*arguments):
    shown = subprocess.run(["git", *arguments], cwd=REPOSITORY, capture_output=True, text=True)
    return shown.stdout.splitlines() if shown.returncode == 0 else []
