# SPDX-License-Identifier: Apache-2.0
"""Debian packages once more with a later version, for a test of an upgrade."""

import os
import subprocess


def later(version):
    """The version that packages get."""
    return f"{version}+later"


def field(package, name):
    """A field of a package's control file."""
    return subprocess.run(["dpkg-deb", "--field", package, name], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def repacked(packages, folder):
    """Makes the same packages with a later version, which tells them apart and nothing else; returns their paths."""
    made = []
    for package in packages:
        version, content = field(package, "Version"), os.path.join(folder, field(package, "Package"))
        subprocess.run(["dpkg-deb", "--raw-extract", package, content], check=True)
        control = os.path.join(content, "DEBIAN", "control")
        with open(control, encoding="utf-8") as file:
            text = file.read().replace(version, later(version))
        with open(control, "w", encoding="utf-8") as file:
            file.write(text)
        made.append(os.path.join(folder, os.path.basename(package).replace(version, later(version))))
        subprocess.run(["dpkg-deb", "-Zgzip", "-z1", "--build", content, made[-1]], check=True, stdout=subprocess.DEVNULL)
    return made
