# SPDX-License-Identifier: Apache-2.0
"""Which test targets a change can break.

A target is a tuple of its folder, the names of the targets that it depends on, and its type: "test" for test targets.
"""

import os
import re

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
# Libraries that a program looks for when it runs, by the target that does so: no dependency of the package names them.
LOADED = {"CLibcameraShim": ("LibcameraShim",), "CameraHostTests": ("PiCameras",)}


def affected_tests(files, targets):
    """The test targets that changed files can break: their own, those of all that depends on them, and those that read them.

    >>> shim, loaded = ("Sources/CLibcameraShim", [], "library"), ("Sources/LibcameraShim", [], "library")
    >>> targets = {"CLibcameraShim": shim, "LibcameraShim": loaded, "SomeTests": ("Tests/SomeTests", ["CLibcameraShim"], "test")}
    >>> affected_tests(["Sources/LibcameraShim/Camera.cpp"], targets)
    {'SomeTests'}
    >>> affected_tests(["Tests/SomeTests/A.swift"], targets)
    {'SomeTests'}
    >>> affected_tests(["Sources/Other/Other.swift"], targets)
    set()
    """
    if any(name in ("Package.swift", "Package.resolved", "board/suite/swifttests.py") for name in files):
        return {name for name, (_, _, kind) in targets.items() if kind == "test"}
    affected = {name for name, (path, _, _) in targets.items() if any(file.startswith(path + "/") for file in files)}
    affected |= _readers([file for file in files if not any(file.startswith(path + "/") for path, _, _ in targets.values())], targets)
    while True:
        more = {name for name, (_, needed, _) in targets.items() if affected & {*needed, *LOADED.get(name, ())}} - affected
        if not more:
            return {name for name in affected if targets[name][2] == "test"}
        affected |= more


def naming(file):
    """A pattern for what names a file beside all targets in the source of a test: its path, or its folder at the top.

    >>> bool(naming("systemd/platend.service").search('try lines("systemd/platend.service")'))
    True
    >>> bool(naming("udev/60-platen.rules").search('for folder in ["systemd", "udev", "polkit"]'))
    True
    >>> bool(naming("board/lib/servers").search('repository + "/board/lib/servers"'))
    True
    >>> bool(naming("board/run").search('repository + "/board/lib/servers"'))
    False
    >>> bool(naming("docs/reference/api.md").search("ReferencePage.difference(of: name, text)"))
    True
    """
    # No unit test reads all of board/, and a rig has a board, too.
    names = [file] if file.startswith("board/") else [file, file.split("/")[0]]
    words = [rf'"/?{re.escape(name)}["/]' for name in names]
    words += [r"ReferencePage\.difference"] if file.startswith("docs/reference/") else []
    return re.compile("|".join(words))


def _readers(files, targets):
    """The test targets that name one of these files."""
    patterns = [naming(file) for file in files]
    return {name for name, (path, _, kind) in targets.items()
            if kind == "test" and any(pattern.search(text) for text in _sources(path) for pattern in patterns)}


def _sources(folder):
    """The texts of a folder's Swift files."""
    for place, _, names in os.walk(os.path.join(REPOSITORY, folder)):
        for name in names:
            if name.endswith(".swift"):
                with open(os.path.join(place, name), encoding="utf-8") as file:
                    yield file.read()
