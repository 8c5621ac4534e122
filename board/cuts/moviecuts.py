# SPDX-License-Identifier: Apache-2.0
"""Cuts the machine's power while it records, and plays what the server has of each recording then.

A recording has no acknowledgement before its end: what counts is the time that the service said it had recorded.
"""

import os
import re
import subprocess
import time
from dataclasses import dataclass

from powercut import PowerCuts
from referee import files_below

NAME = re.compile(r"(?P<item>[0-9a-f]{6,}-[0-9]{10,}-[0-9a-f]{16})-[0-9a-f]{16}\.mp4")
# Of a fragment, of a disk until it is behind, and of a frame and a log until that is told.
FRAGMENT, BEHIND, TOLD = 1.0, 2.0, 0.5


@dataclass
class Recording:
    """The last that was heard of a recording: the recorded seconds, and whether the disk was said to be behind."""

    seconds: float
    is_behind: bool


class MovieCuts(PowerCuts):
    """A campaign whose pictures are those of movies."""

    verb = "record"

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self._recordings = {}  # by the number of their press

    def _await_moment(self, machine, witness):
        until, seconds = self._until(machine, witness), self._random.uniform(2, 5)
        until(lambda: witness.recordings()[-1:] and witness.recordings()[-1]["seconds"] >= seconds)
        time.sleep(self._random.uniform(0, 1))

    def _take(self, witness):
        for line in witness.recordings():
            self._recordings[line["press"]] = Recording(line["seconds"], line["isBehind"])

    def judge(self):
        """Plays what the server has; returns the faults, one sentence each, and what was measured."""
        found, faults, losses = {}, [], []
        for path, name in files_below(self._receiver.store):
            match = NAME.fullmatch(os.path.basename(name))
            if not match:
                faults.append(f"{name} is at the server, and no recording")
                continue
            found.setdefault(match["item"], []).append(path)
        for press, recording in self._recordings.items():
            paths = found.get(self._figures.items.get(press), [])
            if len(paths) != 1:
                faults.append(f"{len(paths)} files of the recording {press} are at the server")
                continue
            end, complaint = played(paths[0])
            if complaint:
                faults.append(f"ffprobe complains of {paths[0]}: {complaint}")
                continue
            losses.append(recording.seconds - end)
            if losses[-1] > FRAGMENT + BEHIND + TOLD and not recording.is_behind:
                faults.append(f"{losses[-1]:.1f} of {recording.seconds:.1f} s of the recording {press} are lost")
        worst = f"{max(0.0, *losses):.1f}" if losses else "no"
        told = sum(recording.seconds for recording in self._recordings.values())
        return faults, f"{len(losses)} recordings of {told:.1f} s play to their ends, {worst} s of one are lost at most"


def played(path):
    """The time of the last frame that ffprobe decodes of a movie, in seconds, and its complaint."""
    done = subprocess.run(["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "frame=best_effort_timestamp_time",
                           "-of", "csv=p=0", path], capture_output=True, text=True, check=False)
    times = [float(line.strip(",")) for line in done.stdout.split() if line.strip(",")]
    return (times[-1], done.stderr.strip()) if times else (0.0, done.stderr.strip() or "it has no frame")
