#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Prints the version of the packages that are made of a commit, without the part that names Debian's release.

board/deb/version.py [COMMIT]    COMMIT: the last one with the changes since, where it is not given
"""

import os
import re
import subprocess
import sys

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
CHANGELOG = "debian/changelog"


class VersionError(Exception):
    """The version is not known, and why."""


def version(entry, is_release, date, count):
    """The version of a commit: that of the first line of Debian's list of changes, and what a later commit has more of.

    >>> version("platen (0.1.0) unstable; urgency=medium", True, "20261127", 512)
    '0.1.0'
    >>> version("platen (0.1.0) unstable; urgency=medium", False, "20261127", 512)
    '0.1.0+git20261127.512'
    """
    return re.search(r"\((.*?)\)", entry)[1] + ("" if is_release else f"+git{date}.{count}")


def version_of(commit=None):
    """The version of a commit of this clone, or of its files, which may differ from the last commit; without a clone that of the files."""
    is_changed = commit is None and bool(_git("status", "--porcelain", "--untracked-files=no"))
    return _version_of(commit or "HEAD", is_changed) + (".changed" if is_changed else "")


def _version_of(commit, is_changed=False):
    if _git("rev-parse", "--quiet", "--verify", f"{commit}^{{commit}}") is None:
        with open(os.path.join(REPOSITORY, CHANGELOG), encoding="utf-8") as file:
            return version(file.readline(), True, "", "")
    if _git("rev-parse", "--is-shallow-repository") != "false":
        raise VersionError("this clone lacks earlier commits, which the version counts; run \"git fetch --unshallow\".")
    date = _git("log", "-1", "--format=%cd", "--date=format-local:%Y%m%d", commit)
    is_release = not is_changed and bool(_git("tag", "--list", "v*", "--points-at", commit))
    found = version(_git("show", f"{commit}:{CHANGELOG}"), is_release, date, _git("rev-list", "--count", commit))
    if is_release and _git("rev-parse", "--quiet", "--verify", f"{commit}~1"):
        before = _version_of(f"{commit}~1")
        if subprocess.run(["dpkg", "--compare-versions", found, "gt", before], check=False).returncode != 0:
            raise VersionError(f"the tagged commit would have the version {found}, which is not above {before} of the commit before, "
                               f"so that no rig would take it; raise the version in {CHANGELOG} with the commit that gets the tag.")
    return found


def _git(*words):
    """What git prints; None where it fails."""
    done = subprocess.run(["git", *words], cwd=REPOSITORY, env={**os.environ, "TZ": "UTC"}, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


if __name__ == "__main__":
    try:
        print(version_of(*sys.argv[1:2]))
    except VersionError as error:
        sys.exit(f"version: {error}")
