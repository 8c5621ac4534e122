# SPDX-License-Identifier: Apache-2.0
"""A press leaves the right frame, upright, with correct EXIF, in the server."""

import json
import os
import statistics
import subprocess
import tempfile

from rigcase import (CLOCKWISE, ORIENTATION, RigCase, configuration, figure, frame_number_of, is_upright,
                     orientation_of, sha256)

# How many frames the service keeps, its standard: a press can be late for its frame only when as
# many newer ones have come.
RING = 4
# The rounding of timestamps in the sidecar and the kernel's list, in nanoseconds.
ROUNDING = 1_000_000
# How far away a frame still shows the moment of a press, in nanoseconds.
REACH = 150_000_000


def exif_findings(jpeg):
    """What exiftool's validation finds wrong with a JPEG, and its tags."""
    with tempfile.NamedTemporaryFile(suffix=".jpg") as file:
        file.write(jpeg)
        file.flush()
        done = subprocess.run(["exiftool", "-j", "-a", "-validate", "-warning", "-error", "-all", file.name],
                              capture_output=True, text=True, check=True)
    tags = json.loads(done.stdout)[0]
    return [tags[name] for name in ("Warning", "Error") if name in tags], tags


def is_late(edge, report, nearest, taken, frames, slack):
    """Whether a frame that is not the nearest is the best that a busy machine still had, by the kernel's own list.

    So many newer frames had come by the time of the choice that the nearest one was gone, and a later one was taken that
    lies within a frame and a half, as the service promises. `nearest`, `taken`: [number, timestamp ns, state].
    """
    chosen = edge[1] + report["pressToFrameMilliseconds"] * 1e6
    newer = sum(number > nearest[0] and stamp <= chosen and state == "ok" for number, stamp, state in frames)
    reach = 1.5e6 * report["frameIntervalMilliseconds"] + slack
    return newer >= RING and taken[0] > nearest[0] and abs(taken[1] - edge[0]) <= reach


class Pictures(RigCase):
    def test_press_is_stored_and_uploaded(self):
        """The server's bytes are what was stored, and their EXIF is sound."""
        self.inject(0, (1920, 1080))
        service = self.start(configuration(size=(1920, 1080)))
        report = self.stored(service)
        jpeg = self.received(service, report)
        self.assertEqual(sha256(jpeg), report["sha256"])
        findings, tags = exif_findings(jpeg)
        self.assertEqual(findings, [])
        self.assertEqual(tags["Validate"], "OK")
        self.assertEqual((tags["ImageWidth"], tags["ImageHeight"]), (1920, 1080))
        self.assertEqual(tags["Make"], "Platen")
        self.assertIn(f"press: {report['number']}", tags["UserComment"])
        self.assertRegex(tags["DateTimeOriginal"], r"^20\d\d:\d\d:\d\d \d\d:\d\d:\d\d$")
        self.assertFalse(os.path.exists(report["path"]), "the local copy goes after the receipt")
        self.assertEqual(service.stop(), 0)

    def test_positions_and_flat(self):
        """Four positions give four orientations; flat keeps the last."""
        service = self.start()
        for angle in (0, 90, 180, 270):
            self.inject(angle)
            self.place(service, angle)
            # A frame with the new page must be the newest before the press.
            number = self.hands.camera.number()
            self.until("new frames have come", lambda number=number: self.hands.camera.number() > number + 3)
            jpeg = self.received(service, self.stored(service))
            self.assertEqual(orientation_of(jpeg), ORIENTATION[angle])
            self.assertTrue(is_upright(jpeg), f"the page is not upright at {angle}°")
        for flat in ("face-up", "face-down"):
            self.hands.accelerometer.place(flat)
            self.until("the service sees it", lambda: abs(service.status()["rotation"]["acceleration"][2]) > 9)
            report = self.stored(service)
            self.assertEqual(report["exifOrientation"], ORIENTATION[270], flat)

    def test_mount_matrix(self):
        """A sensor that is mounted turned gives the same orientations."""
        self.hands.accelerometer.unplug()
        self.addCleanup(self._plug, None)
        self._plug("0,1,0,-1,0,0,0,0,1")
        self.assertNotEqual(self.hands.accelerometer.matrix()[0][0], 1.0)
        service = self.start()
        for angle in (90, 0, 270, 180):
            self.inject(angle)
            self.place(service, angle)
            number = self.hands.camera.number()
            self.until("new frames have come", lambda number=number: self.hands.camera.number() > number + 3)
            report = self.stored(service)
            self.assertEqual(report["exifOrientation"], ORIENTATION[angle], CLOCKWISE[angle])

    def _plug(self, matrix):
        if matrix is None:
            for service in self.services:
                service.kill()
            self.hands.accelerometer.unplug()
        self.hands.accelerometer.plug(matrix.split(",") if matrix else None)
        self.hands.accelerometer.place("portrait")

    def test_the_frame_of_the_moment(self):
        """200 pictures: each is the frame nearest the kernel's timestamp of the edge, which lies within the call that makes it.

        A machine that is busy with other things may read an edge when its frames have left the ring: such a press takes the
        nearest of those that are left, which the kernel's list of frames proves, or is refused for just that reason. And it may
        give the camera no time for so long that no frame shows the moment, which the list proves, too. Such presses are
        counted, and do not count among the 200.
        """
        self.inject(0)
        self.hands.camera.numbered()
        service = self.start(configuration(upload=False, camera=f"  ring_frames: {RING}\n"))
        errors, intervals, wrong, misreported, beyond, late, refused = [], [], [], [], [], [], 0
        for index in range(600):
            if len(errors) == 200:
                break
            before = service.last_press_number()
            self.rest()
            edge = self.hands.shutter.press(0.035 + (index * 7 % 40) / 1000)
            report = service.wait_for_press_after(before)
            if report["outcome"] == "refused":
                if report["reason"] == "noFrameInTime":
                    nearest = min(abs(frame[1] - edge[0]) for frame in self.hands.camera.frames())
                    self.assertGreater(nearest + edge[1] - edge[0] + ROUNDING, REACH, report)
                else:
                    self.assertIn(report["reason"], ("frameOverwritten", "storageStalled"), report)
                    service.wait_until_ready(60)
                refused += 1
                continue
            frames = self.hands.camera.frames()
            with open(report["path"], "rb") as file:
                number = frame_number_of(file.read())
            taken = next((frame for frame in frames if frame[0] == number), None)
            self.assertIsNotNone(taken, f"frame {number} of press {report['number']} is unknown to the kernel")
            error = taken[1] - edge[0]
            # The kernel's timestamp of the edge lies between two readings of the clock, but for the timestamps' rounding: the
            # frame must be the nearest of an instant between them.
            first, last = (min(frames, key=lambda frame, instant=instant: abs(frame[1] - instant))
                           for instant in (edge[0] - ROUNDING, edge[1] + ROUNDING))
            nearest, best = first, abs(first[1] - edge[0])
            slack = edge[1] - edge[0] + ROUNDING
            is_nearest = first[1] <= taken[1] <= last[1]
            was_late = not is_nearest and is_late(edge, report, nearest, taken, frames, slack)
            if was_late:
                late.append((report["number"], number, error / 1e6, best / 1e6))
            elif not is_nearest:
                around_edge = [(frame[0], round((frame[1] - edge[0]) / 1e6, 1), frame[2]) for frame in frames if abs(frame[1] - edge[0]) < 5e8]
                wrong.append({"press": report["number"], "taken": number, "edge took": (edge[1] - edge[0]) / 1e6, "frames around": around_edge,
                              "told": {name: report.get(name) for name in ("selectionErrorMilliseconds", "pressToFrameMilliseconds",
                                                                          "frameIntervalMilliseconds")}})
            # What the service says of its choice is what the kernel says of it.
            if abs(report["selectionErrorMilliseconds"] * 1e6 - error) > slack:
                misreported.append((report["number"], report["selectionErrorMilliseconds"], error / 1e6))
            # A busy machine delivers single frames early or late: the interval that counts is the one
            # around the edge, not the one before the press.
            around = (min(stamp for _, stamp, _ in frames if stamp > edge[1])
                      - max(stamp for _, stamp, _ in frames if stamp <= edge[0])) / 1e6
            if not was_late and abs(report["selectionErrorMilliseconds"]) > around / 2 + 2:
                beyond.append((report["number"], report["selectionErrorMilliseconds"], around))
            if not was_late:
                errors.append(abs(report["selectionErrorMilliseconds"]))
                intervals.append(report["frameIntervalMilliseconds"])
        self.assertEqual(wrong, [], "presses with a frame that is not the nearest")
        self.assertEqual(misreported, [], "presses whose selection error is not the kernel's")
        self.assertEqual(beyond, [], "presses that are further from their frame than half the interval around them")
        self.assertEqual(len(errors), 200, f"{len(late)} of 600 presses found their nearest frame gone, {refused} none")
        self.assertLessEqual(statistics.median(errors), statistics.median(intervals) / 2 + 2)
        figure(f"200 presses: selection error median {statistics.median(errors):.1f} ms, worst {max(errors):.1f} ms, "
               f"frame interval median {statistics.median(intervals):.1f} ms; besides, {len(late)} presses whose nearest frame was gone, "
               f"{refused} refused for want of one")
