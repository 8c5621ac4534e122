# SPDX-License-Identifier: Apache-2.0
"""The programs of PyPI's packages that board/lib/packages installs: those of servers.txt, and those of more-servers.txt."""

import functools
import os
import subprocess

from campaign import CampaignError
from receiving import LIBRARY


@functools.cache
def _folder(name):
    done = subprocess.run([os.path.join(LIBRARY, "packages"), os.path.join(LIBRARY, f"{name}.txt")], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise CampaignError(f"the packages of board/lib/{name}.txt could not be installed; the message is above")
    return done.stdout.strip()


def install():
    """Installs both lists, once."""
    tool("python"), more("python")


def tool(program):
    """The path of a program of the servers that other tests have, too."""
    return os.path.join(_folder("servers"), "bin", program)


def more(program):
    """The path of a program of the servers that only this test has."""
    return os.path.join(_folder("more-servers"), "bin", program)
