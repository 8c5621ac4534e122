# SPDX-License-Identifier: Apache-2.0
"""The programs of PyPI's packages that board/lib/packages installs: those of servers.txt, and those of more-servers.txt."""

import functools
import os

from campaign import installed_packages
from receiving import LIBRARY


@functools.cache
def _folder(name):
    return installed_packages(os.path.join(LIBRARY, f"{name}.txt"))


def install():
    """Installs both lists, once."""
    tool("python"), more("python")


def tool(program):
    """The path of a program of the servers that other tests have, too."""
    return os.path.join(_folder("servers"), "bin", program)


def more(program):
    """The path of a program of the servers that only this test has."""
    return os.path.join(_folder("more-servers"), "bin", program)
