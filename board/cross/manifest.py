# SPDX-License-Identifier: Apache-2.0
"""The targets of C and C++ that Package.swift declares: their files, the flags that it gives the compiler, and their libraries."""

import json
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
# By the end of a file's name: the compiler's name of the language, SwiftPM's name of its settings, and the manifest's of its standard.
LANGUAGES = {".c": ("c", "c", "cLanguageStandard"), ".cpp": ("c++", "cxx", "cxxLanguageStandard")}
FLAGS = {
    "enableWarning": lambda folder, value: f"-W{value}",
    "treatAllWarnings": lambda folder, value: "-Werror" if value == "error" else "-Wno-error",
    "define": lambda folder, value: f"-D{value}",
    "headerSearchPath": lambda folder, value: f"-I{os.path.normpath(os.path.join(folder, value))}",
}


class ManifestError(Exception):
    """A sentence about a declaration that this program cannot read."""


@dataclass(frozen=True)
class Target:
    """A target; `files`: for each the language and the compiler's arguments.

    `libraries`: what it needs, by the names that pkg-config knows; `packages`: the packages of Debian that have them.
    """

    name: str
    files: tuple
    libraries: tuple
    packages: tuple


def read():
    """Returns the targets, and for each product the names of its own."""
    with tempfile.TemporaryDirectory() as scratch:  # a build beside this one has the package's own folder
        shown = subprocess.run(["swift", "package", "dump-package"], cwd=REPOSITORY, env={**os.environ, "SWIFTPM_BUILD_DIR": scratch},
                               capture_output=True, text=True)
    if shown.returncode != 0:
        raise ManifestError(f"SwiftPM cannot read Package.swift: {shown.stderr.strip()[-300:]}")
    manifest = json.loads(shown.stdout)
    return _targets(manifest), {product["name"]: product["targets"] for product in manifest["products"]}


def flags_of(described, tool, folder):
    """The compiler's flags for what a target sets for a tool of SwiftPM, c or cxx.

    >>> path, warning = {"headerSearchPath": {"_0": "../B/include"}}, {"enableWarning": {"_0": "all"}}
    >>> settings = [{"tool": "c", "kind": path}, {"tool": "c", "kind": warning}, {"tool": "swift", "kind": {}}]
    >>> flags_of({"name": "A", "settings": settings}, "c", "Sources/A")
    ['-ISources/B/include', '-Wall']
    >>> flags_of({"name": "A", "settings": [{"tool": "c", "kind": {"unsafeFlags": {"_0": ["-O3"]}}}]}, "c", "Sources/A")
    Traceback (most recent call last):
    manifest.ManifestError: the target "A" has the setting "unsafeFlags", which board/cross/manifest.py has no flag for; add it
    """
    found = []
    for setting in described["settings"]:
        if setting["tool"] == tool:
            (kind, values), = setting["kind"].items()
            if kind not in FLAGS:
                name = described["name"]
                raise ManifestError(f'the target "{name}" has the setting "{kind}", which board/cross/manifest.py has no flag for; add it')
            found.append(FLAGS[kind](folder, values["_0"]))
    return found


def _targets(manifest):
    """The targets of C and C++, in the manifest's order."""
    described = {one["name"]: one for one in manifest["targets"]}
    targets, strict = [], []
    for one in described.values():
        if one["type"] != "system" and (files := _sources(one, manifest, _needed(one, described))):
            targets.append((one, files))
            strict += [flags_of(one, "c", _folder(one))] if files[0][0] == "c" else []
    # Such a target has no settings, because the compiler sees its header as that of a library. It is our own.
    warnings = [flag for flag in (strict or [[]])[0] if all(flag in flags for flags in strict)]
    targets += [(one, _headers(one, manifest, warnings)) for one in described.values() if one["type"] == "system"]
    order = list(described)
    return [_target(one, files, described) for one, files in sorted(targets, key=lambda pair: order.index(pair[0]["name"]))]


def _target(one, files, described):
    systems = [other for other in _needed(one, described) if other["type"] == "system"]
    packages = {package for other in systems for provider in other.get("providers") or [] for package in provider.get("apt", [[]])[0]}
    libraries = tuple(other["pkgConfig"] for other in systems if other.get("pkgConfig"))
    return Target(one["name"], tuple(files), libraries, tuple(sorted(packages)))


def _needed(one, described):
    """The target and all of the package that it depends on."""
    found = [one]
    for dependency in one["dependencies"]:
        names = [value[0] for kind, value in dependency.items() if kind in ("byName", "target") and value[0] in described]
        found += [other for name in names for other in _needed(described[name], described)]
    return found


def _folder(one):
    below = "Tests" if one["type"] == "test" else "Sources"
    return os.path.join(REPOSITORY, one.get("path") or os.path.join(below, one["name"]))


def _sources(one, manifest, needed):
    """A target's files of C and C++, none of a target of Swift."""
    folder, found = _folder(one), []
    libraries = [other for other in needed if other["type"] != "system"]
    includes = [f"-I{os.path.join(_folder(other), other.get('publicHeadersPath') or 'include')}" for other in libraries]
    for place, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            language, tool, standard = LANGUAGES.get(os.path.splitext(name)[1], (None, None, None))
            if language:
                flags = [f"-std={manifest[standard]}", *flags_of(one, tool, folder), *includes]
                found.append((language, [*flags, os.path.join(place, name)]))
    return found


def _headers(one, manifest, warnings):
    """The headers of a target that only names a library, as Swift reads them: in the GNU form of C."""
    folder = _folder(one)
    with open(os.path.join(folder, "module.modulemap"), encoding="utf-8") as file:
        text = file.read()
    language, _, standard = LANGUAGES[".cpp" if "requires cplusplus" in text else ".c"]
    dialect = manifest[standard].replace("c", "gnu", 1)
    return [(language, [f"-std={dialect}", *warnings, "-include", os.path.join(folder, name), "-x", language, os.devnull])
            for name in re.findall(r'^\s*header "([^"]+)"', text, re.M)]
