# SPDX-License-Identifier: Apache-2.0
"""The machine's display, and the hand before it: what a person reads on it, a touch, and keys. QEMU shows and moves them (QMP)."""

import csv
import io
import json
import os
import socket
import subprocess

from computer import ComputerError

# The range of a pointer's place along each axis, whatever the display's size is (QEMU's INPUT_EVENT_ABS_MAX).
REACH = 32767


class Screen:
    """The display of a machine that has power. `computer`: the machine · `folder`: where pictures of the display are kept."""

    def __init__(self, computer, folder):
        self._computer, self.picture = computer, os.path.join(folder, "display.ppm")

    def words(self):
        """The words that can be read on the display, each with its middle as shares of the display's width and height."""
        self._ask("screendump", filename=self.picture)
        with open(self.picture, "rb") as file:
            width, height = (2 * int(side) for side in (file.readline(), file.readline())[1].split())
            depth, pixels = file.readline(), file.read()
        # Letters of a display are small for a reader of scanned pages, so each pixel becomes four.
        wide = b"".join(2 * pixels[place:place + 3] for place in range(0, len(pixels), 3))
        double = b"".join(2 * wide[place:place + 3 * width] for place in range(0, len(wide), 3 * width))
        read = subprocess.run(["tesseract", "-", "-", "--dpi", "192", "--psm", "11", "tsv"], capture_output=True, check=True,
                              input=b"P6\n%d %d\n" % (width, height) + depth + double)
        rows = csv.DictReader(io.StringIO(read.stdout.decode()), delimiter="\t", quoting=csv.QUOTE_NONE)
        return [(row["text"], ((int(row["left"]) + int(row["width"]) / 2) / width, (int(row["top"]) + int(row["height"]) / 2) / height))
                for row in rows if float(row["conf"]) > 30 and row["text"].strip()]

    def touch(self, place):
        """Touches a place, given as shares of the display's width and height."""
        moved = [{"type": "abs", "data": {"axis": axis, "value": round(share * REACH)}} for axis, share in zip(("x", "y"), place)]
        self._ask("input-send-event", events=moved)
        for is_down in (True, False):
            self._ask("input-send-event", events=[{"type": "btn", "data": {"down": is_down, "button": "left"}}])

    def press(self, keys):
        """Presses keys together: their names in QEMU's words, joined by `+`."""
        self._ask("send-key", keys=[{"type": "qcode", "data": key} for key in keys.split("+")])

    def _ask(self, command, **arguments):
        """Has QEMU do something; each request is a connection of its own, because a machine that is cut off ends it."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(self._computer.seconds(60))
            connection.connect(self._computer.control)
            with connection.makefile("rw", encoding="utf-8") as lines:
                lines.readline()  # the greeting
                for request in ({"execute": "qmp_capabilities"}, {"execute": command, "arguments": arguments}):
                    lines.write(json.dumps(request) + "\n")
                    lines.flush()
                    # Events come between a request and its answer.
                    answer = next((answer for answer in map(json.loads, lines) if "event" not in answer), {})
                    if "return" not in answer:
                        raise ComputerError(f"QEMU does not do \"{command}\": {answer.get('error', {}).get('desc', 'it has ended')}")
