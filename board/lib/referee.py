# SPDX-License-Identifier: Apache-2.0
"""The referee of the campaigns: what was acknowledged against what the receiving servers really hold.

It knows nothing of the service but how it names pictures: `<item>-<first 16 digits of the SHA-256>.<extension>`.
"""

import collections
import hashlib
import os
import re
from dataclasses import dataclass, field

NAME = re.compile(r"(?P<item>[0-9a-f]{6,}-[0-9]{10,}-[0-9a-f]{16})-(?P<digest>[0-9a-f]{16})\.(?P<ending>jpg|dng|mp4)")


def sha256(path):
    """The SHA-256 of a file, in hexadecimal digits."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class Acknowledged:
    """The presses that were acknowledged, in the order in which their answers came."""

    def __init__(self):
        self.items = {}  # item: SHA-256
        self.presses = {}  # number: item, None for a press that was refused
        self.faults = []  # what the service may never say, such as a number twice
        self.refused = collections.Counter()

    def take(self, report):
        """Takes the report of a press that has its outcome, as the API gives it; returns whether it was stored."""
        number, item = report["number"], report.get("itemID")
        last = max(self.presses, default=0)
        if number <= last:
            self.faults.append(f"press number {number} was given out after {last}")
        self.presses[number] = item if report["outcome"] == "stored" else None
        if report["outcome"] != "stored":
            self.refused[report.get("reason") or "no reason"] += 1
            return False
        if item in self.items:
            self.faults.append(f"item {item} was acknowledged twice")
        self.items[item] = report["sha256"]
        return True


@dataclass
class Verdict:
    """What the referee found at one server."""

    acknowledged: int = 0
    lost: list = field(default_factory=list)
    doubled: list = field(default_factory=list)
    different: list = field(default_factory=list)
    torn: list = field(default_factory=list)
    foreign: list = field(default_factory=list)  # visible, and named as no picture is
    hidden: list = field(default_factory=list)  # leftovers that are not seen: allowed, reported
    unasked: int = 0  # whole pictures whose acknowledgement was cut off: allowed

    @property
    def violations(self):
        """One sentence for each thing that must not be."""
        kinds = (("lost", self.lost), ("at the server more than once", self.doubled), ("other bytes than acknowledged", self.different),
                 ("torn", self.torn), ("visible under a name that is no picture's", self.foreign))
        return [f"{name}: {what}" for what, names in kinds for name in names]

    def __str__(self):
        return (f"lost {len(self.lost)}, doubled {len(self.doubled)}, different {len(self.different)}, torn {len(self.torn)}, "
                f"{self.unasked} whole without acknowledgement, {len(self.hidden)} hidden leftovers")


def files_below(store):
    """Every file of a server's folder, as (path, path relative to the folder)."""
    for folder, _, names in os.walk(store):
        for name in names:
            path = os.path.join(folder, name)
            yield path, os.path.relpath(path, store)


def judge(items, store):
    """Compares {item: SHA-256} with a server's folder; returns the Verdict."""
    verdict, found, contents = Verdict(len(items)), {}, {}
    for path, name in files_below(store):
        if any(part.startswith(".") for part in name.split(os.sep)):
            verdict.hidden.append(name)
            continue
        match, digest = NAME.search(os.path.basename(name)), sha256(path)
        if not match:
            verdict.foreign.append(name)
            continue
        found.setdefault(match["item"], []).append((name, digest))
        if not digest.startswith(match["digest"]):
            verdict.torn.append(name)
        if digest in contents:
            verdict.doubled.append(f"{name} and {contents[digest]}")
        contents[digest] = name
    verdict.lost = [item for item in items if item not in found]
    for item, copies in found.items():
        if len(copies) > 1 and len({digest for _, digest in copies}) > 1:
            verdict.doubled.append(" and ".join(name for name, _ in copies))
        if item in items and any(digest != items[item] for _, digest in copies):
            verdict.different.append(item)
    verdict.unasked = sum(item not in items for item in found)
    return verdict
