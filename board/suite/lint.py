# SPDX-License-Identifier: Apache-2.0
"""Formatting, the syntax of scripts and the examples in them, and constructs that are not allowed in Sources."""

import ast
import os
import re
import subprocess
import time

from building import REPOSITORY

FORBIDDEN = re.compile(r"@unchecked Sendable|nonisolated\(unsafe\)|@preconcurrency|try!|as!|fatalError\(")


def run(progress, only=None):
    """Checks all files of the repository, or `only` these of them; returns whether all is well."""
    began, findings = time.monotonic(), []
    files = [name for name in _known_files() if only is None or name in only]
    swift = [name for name in files if name.endswith(".swift")]
    scripts = [(name, _first_line(name)) for name in files if name.startswith(("board/", ".ci/"))]
    shell = [name for name, first in scripts if re.match(r"^#!.*\b(ba|da)?sh\b", first)]
    python = [name for name, first in scripts if name.endswith(".py") or "python3" in first]
    if swift:
        findings += _complaints(["swift", "format", "lint", "--strict", "--parallel", *swift])
    if shell:
        findings += _complaints(["shellcheck", "-x", "-e", "SC1091", *shell])
    for name in python:
        try:
            ast.parse(_text(name), name)
        except SyntaxError as error:
            findings.append(f"{name}:{error.lineno}: {error.msg}")
        if "\n    >>> " in _text(name):
            findings += _complaints(["/usr/bin/python3", "-B", "-m", "doctest", name])
    for name in swift:
        if name.startswith("Sources/"):
            findings += [f"{name}:{number}: not allowed in Sources: {line.strip()}" for number, line in enumerate(_text(name).splitlines(), 1)
                         if FORBIDDEN.search(line) and not line.lstrip().startswith("//")]
    for finding in findings[:60]:
        progress.say(finding)
    progress.say(f"{len(swift)} Swift, {len(shell)} shell and {len(python)} Python files, {len(findings)} findings, "
                 f"{time.monotonic() - began:.0f} s")
    return not findings and bool(files or only is not None)


def _known_files():
    shown = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    return [name for name in shown.stdout.splitlines() if os.path.isfile(os.path.join(REPOSITORY, name))]


def _text(name):
    with open(os.path.join(REPOSITORY, name), encoding="utf-8") as file:
        return file.read()


def _first_line(name):
    with open(os.path.join(REPOSITORY, name), errors="replace") as file:
        return file.readline()


def _complaints(command):
    done = subprocess.run(command, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return [] if done.returncode == 0 else done.stdout.strip().splitlines() or [f"{command[0]} ended with status {done.returncode}"]
