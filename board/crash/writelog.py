# SPDX-License-Identifier: Apache-2.0
"""A recording of a disk's writes and flushes, and the disks that a power cut could have left.

The format is that of the kernel's dm-log-writes (Documentation/admin-guide/device-mapper/log-writes.rst), which QEMU's
blklogwrites driver and board/rig/diskrecorder.c write too: a super block, then for each request a sector with its description and its data.
"""

import json
import random
import struct
from dataclasses import dataclass, field
from typing import Callable

MAGIC = 0x6A736677736872
FLUSH, FUA, DISCARD = 1, 2, 4
SECTOR = 512


@dataclass
class Request:
    """A request of the disk: where its data go, and where they lie in the recording."""

    flags: int
    offset: int  # in bytes, on the disk
    length: int  # in bytes; 0 for a flush alone
    place: int  # in bytes, in the recording


@dataclass
class Promises:
    """What had been promised before a point of the recording."""

    stored: dict = field(default_factory=dict)
    received: set = field(default_factory=set)
    done: set = field(default_factory=set)
    parked: set = field(default_factory=set)
    proxies: set = field(default_factory=set)
    finals: dict = field(default_factory=dict)
    presses: dict = field(default_factory=dict)
    recordings: dict = field(default_factory=dict)
    refused: dict = field(default_factory=dict)
    numbers_below: int = 0
    is_ended: bool = False

    def take(self, mark):
        """Adds a mark of the workload."""
        kind, value = next(iter(mark.items()))
        if kind == "stored":
            self.stored[value["id"]] = value["sha256"]
            self.presses[value["id"]] = value["press"]
            self.recordings.pop(value["id"], None)
        elif kind == "recorded":
            self.recordings[value["id"]] = {"bytes": value["bytes"], "press": value["press"]}
        elif kind == "discarding":
            self.recordings.pop(value["id"], None)
        elif kind == "refused":
            self.refused[value["press"]] = value["reason"]
        elif kind == "received":
            self.received.add(value["id"])
        elif kind == "done":
            self.done.add(value["id"])
        elif kind == "proxy":
            self.proxies.add(value["id"])
        elif kind == "finishing":
            self.finals[value["id"]] = value["sha256"]
        elif kind == "keeping":
            self.proxies.discard(value["id"])
        elif kind == "parked":
            self.parked.add(value["id"])
        elif kind == "retried":
            self.parked.discard(value["id"])
        elif kind == "numbers":
            self.numbers_below = value["below"]
        elif kind == "indexLost":
            for item in self.done:
                self.stored.pop(item, None)
                self.recordings.pop(item, None)
            self.done.clear()
            self.parked.clear()
            # That a press was refused is in the index only.
            self.refused.clear()
        elif kind == "end":
            self.is_ended = True

    def case(self, directory):
        """The line for the referee."""
        return json.dumps({"directory": directory, "stored": self.stored, "received": sorted(self.received),
                           "done": sorted(self.done),
                           "parked": sorted(self.parked), "proxies": sorted(self.proxies), "finals": self.finals,
                           "presses": self.presses, "recordings": self.recordings, "refused": self.refused, "numbersBelow": self.numbers_below})


@dataclass
class Point:
    """A moment at which the power may go: what was promised before, how many writes are loose, `disk(generator)` making one disk.

    `request`: the number of the request at which it comes.
    """

    name: str
    request: int
    promises: Promises
    loose: int
    disk: Callable


def read(path):
    """The requests of a recording, in the order in which the disk completed them."""
    requests = []
    with open(path, "rb") as file:
        magic, _, count, sector = struct.unpack("<QQQI", file.read(28))
        if magic != MAGIC:
            raise ValueError(f'"{path}" is no recording of a disk\'s writes')
        place = sector
        for _ in range(count):
            file.seek(place)
            start, sectors, flags, _ = struct.unpack("<QQQQ", file.read(32))
            place += sector
            length = sectors * sector
            requests.append(Request(flags, start * sector, length, place))
            if not flags & DISCARD:
                place += length
    return requests


class Replay:
    """Goes through a recording and makes the disks of the power cuts at its points."""

    def __init__(self, recording, base, marks_from):
        """`base`: the disk before the recording · `marks_from`: where its file system ends and the marks begin."""
        self._marks_from = marks_from
        self._recording = open(recording, "rb")
        with open(base, "rb") as file:
            self._durable = bytearray(file.read(marks_from))
        self._requests = read(recording)
        self._loose = []  # written, and not yet forced by a flush

    def points(self):
        """Yields a Point for each flush that something waits for, each flush that is done, and each mark.

        The same `promises` object is yielded each time and goes on growing.
        """
        promises = Promises()
        for index, request in enumerate(self._requests):
            is_mark = request.length and request.offset >= self._marks_from
            if is_mark:
                text = self._data(request).rstrip(b"\0")
                promises.take(json.loads(text))
            if request.flags & FLUSH and self._loose:
                yield Point(f"{index} before its flush", index, promises, len(self._loose), self._disk)
            if request.flags & FLUSH:
                for loose in self._loose:
                    self._apply(self._durable, loose)
                self._loose.clear()
            if request.length and not is_mark:
                if request.flags & FUA:
                    self._force(request)
                else:
                    self._loose.append(request)
            if is_mark or request.flags & (FLUSH | FUA):
                yield Point(str(index), index, promises, len(self._loose), self._disk)

    def last(self, generator, lied=0):
        """One disk as a power cut could leave it at the end of the recording, and how many writes were loose then.

        The last `lied` flushes were answered and not done.
        """
        flushes = [request for request in self._requests if request.flags & FLUSH]
        if lied and flushes:
            first = self._requests.index(flushes[-min(lied, len(flushes))])
            for request in self._requests[first:]:
                request.flags &= ~(FLUSH | FUA)
        for _ in self.points():
            pass
        return self._disk(generator), len(self._loose)

    def has_loose(self, offset, length):
        """Whether a loose write touches a range of the disk, in bytes."""
        return any(loose.offset < offset + length and offset < loose.offset + loose.length for loose in self._loose)

    @property
    def count(self):
        """How many requests were recorded, and how many of them were flushes."""
        return len(self._requests), sum(1 for request in self._requests if request.flags & FLUSH)

    def _disk(self, generator):
        """One disk as a power cut could leave it here: any of the loose writes arrived, one or the other only in part."""
        disk = bytearray(self._durable)
        share = generator.choice((0.0, 0.5, 0.5, 0.9, 1.0))
        for request in self._loose:
            if generator.random() >= share:
                continue
            if generator.random() < 0.15 and request.length > SECTOR:
                self._apply(disk, request, torn=generator)
            else:
                self._apply(disk, request)
        return disk

    def _force(self, request):
        """Makes a write durable at once; loose writes beneath it went before it, so they have arrived, too."""
        end = request.offset + request.length
        beneath = [loose for loose in self._loose if loose.offset < end and request.offset < loose.offset + loose.length]
        for loose in [*beneath, request]:
            self._apply(self._durable, loose)
        self._loose = [loose for loose in self._loose if loose not in beneath]

    def _apply(self, disk, request, torn=None):
        if request.flags & DISCARD:
            return
        data = self._data(request)
        if torn is None:
            disk[request.offset : request.offset + request.length] = data
            return
        for place in range(0, request.length, SECTOR):
            if torn.random() < 0.5:
                disk[request.offset + place : request.offset + place + SECTOR] = data[place : place + SECTOR]

    def _data(self, request):
        self._recording.seek(request.place)
        return self._recording.read(request.length)


def generator(seed, point, variant):
    """The same random choices for the same seed, point and variant, whatever else is replayed."""
    return random.Random(f"{seed}:{point}:{variant}")
