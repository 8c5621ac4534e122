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
from building import REPOSITORY, TEST_BUNDLE

# They have a part of their own, and take minutes.
CAMPAIGNS = ("CaptureTests.FaultCampaignTests/", "CaptureTests.ReconfigurationTests/", "CaptureTests.PressStormTests/")


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
    has_passed = not tests or progress.swift_tests(bundle, tests, {"PLATEN_BRIEF_TESTS": "1"})
    with tempfile.TemporaryDirectory(prefix="platen-quick-") as out:
        press = ["/usr/bin/python3", "board/lib/drive.py", "--binary", os.path.join(folder, "platend"), "--out", out, "--shots", "1"]
        return progress.program(press) and is_clean and has_passed


def changed_files():
    """The paths of what differs from the last commit, or else of what the last commit changed."""
    changed = _git("diff", "--name-only", "HEAD") + _git("ls-files", "--others", "--exclude-standard")
    return changed or _git("diff", "--name-only", "HEAD~1", "HEAD")


def package_targets():
    """Each target's folder, and the targets that it depends on."""
    shown = subprocess.run(["swift", "package", "describe", "--type", "json"], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    return {target["name"]: (target["path"], target.get("target_dependencies", []), target["type"])
            for target in json.loads(shown.stdout)["targets"]}


def affected_tests(files, targets):
    """The test targets that changed files can break: their own, and those of all that depends on them."""
    if any(name in ("Package.swift", "board/suite/swifttests.py") for name in files):
        return {name for name, (_, _, kind) in targets.items() if kind == "test"}
    affected = {name for name, (path, _, _) in targets.items() if any(file.startswith(path + "/") for file in files)}
    while True:
        more = {name for name, (_, needed, _) in targets.items() if affected & set(needed)} - affected
        if not more:
            return {name for name in affected if targets[name][2] == "test"}
        affected |= more


def _git(*arguments):
    shown = subprocess.run(["git", *arguments], cwd=REPOSITORY, capture_output=True, text=True)
    return shown.stdout.splitlines() if shown.returncode == 0 else []
