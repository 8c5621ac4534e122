# SPDX-License-Identifier: Apache-2.0
"""Headers of libraries in a folder with the files of Debian packages for arm64."""

import os
import re

TRIPLET = "aarch64-linux-gnu"


class HeadersError(Exception):
    """A sentence about a library whose headers are not in a folder."""


def flags_for(library, folder):
    """The compiler's flags for a library that pkg-config knows, with its headers in this folder.

    pkg-config itself would ask for all that a linker needs, too.
    """
    for place in (f"usr/lib/{TRIPLET}/pkgconfig", "usr/share/pkgconfig"):
        path = os.path.join(folder, place, f"{library}.pc")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                return flags_in(file.read(), folder)
    raise HeadersError(f'"{folder}" has no {library}.pc; look which package of Debian has it, and name the package in Package.swift')


def flags_in(text, folder):
    """The flags in a library's file for pkg-config. The library's own warnings are none of ours, so its headers are the system's.

    >>> flags_in("prefix=/usr\\nincludedir=${prefix}/include\\nCflags: -I${includedir}/libcamera -DA=1\\n", "/debian")
    ['-isystem', '/debian/usr/include/libcamera', '-DA=1']
    >>> flags_in("Name: a\\n", "/debian")
    []
    """
    variables = dict(re.findall(r"^(\w+)[ \t]*=[ \t]*(.*?)[ \t]*$", text, re.M))
    found = re.search(r"^Cflags:(.*)$", text, re.M)
    words = found[1] if found else ""
    while "${" in words:
        words = re.sub(r"\$\{([^}]*)\}", lambda name: variables.get(name[1], ""), words)
    return [part for word in words.split() for part in (("-isystem", folder + word[2:]) if word.startswith("-I") else (word,))]
