# SPDX-License-Identifier: Apache-2.0
"""The programs that are compared, each behind the same few calls. Runs in the guest."""

import http.client
import os
import queue
import select
import shutil
import subprocess
import sys
import threading
import time
from dataclasses import dataclass

HERE = os.path.dirname(os.path.realpath(__file__))
BOARD = os.path.dirname(HERE)
sys.path[:0] = [HERE, os.path.join(BOARD, "lib")]
from figures import Group  # noqa: E402
from service import Service, ServiceError  # noqa: E402

SIZE = WIDTH, HEIGHT = 1920, 1080
FRAME_RATE = 25
# In seconds: for a start, for a picture, for a process that is asked to end.
START, PICTURE, END = 60, 20, 20

CONFIGURATION = """\
rig: {{ id: bench }}
board: linux
camera:
  size: {width}x{height}
  frame_rate: {frame_rate}
{camera}shutter: {{ line: SHUTTER }}
accelerometer: {{ device: lis3dh, trigger: rigtrig, rate: 25, frozen_after: off }}
indicators:
  ready: {{ led: "rig:green:ready" }}
  fault: {{ led: "rig:red:fault" }}
  upload: {{ led: "rig:blue:upload" }}
thermal: {{ zones: [cpu-thermal] }}
page: {{ enabled: {pages} }}
spool: {{ directory: "{{directory}}/spool", minimum_free: 1 MiB }}
api: {{ socket: "{{socket}}", rate: 1000 }}
"""


class ProgramError(Exception):
    """A program did not do what it is for, and why."""


@dataclass
class Shot:
    """A picture that was asked for between two instants, and was durable at a third (CLOCK_MONOTONIC, ns); `why`: there is none."""

    asked: list
    done: int
    path: str = ""
    why: str = ""
    is_over: bool = False  # the program has ended

    @property
    def milliseconds(self):
        """The time from the press until the picture was durable."""
        return (self.done - self.asked[0]) / 1e6


class Program:
    """One run of a program in a folder of its own."""

    name = ""
    is_warm = True  # has the camera between presses
    takes_pictures = True

    def __init__(self, hands, options):
        self.hands, self.options, self.folder = hands, options, f"/var/lib/platen/{self.name}"
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        self.group = Group(self.name)
        self._pictures = 0
        self._log_path = f"{self.folder}/log"

    def start(self):
        """Starts the program; returns when a press would be taken."""

    def press(self, hold):
        """Presses as a user would, with the finger on the button for `hold` seconds; returns the Shot."""
        raise NotImplementedError

    def shoot(self):
        """Takes a picture as soon as possible."""
        return self.press(0)

    def stop(self):
        """Ends the program, and removes its pictures."""
        self.group.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def clean(self):
        """Removes pictures that were looked at."""
        for name in os.listdir(self.folder):
            if name.endswith(".jpg"):
                os.remove(f"{self.folder}/{name}")

    def _new(self):
        self._pictures += 1
        return f"{self.folder}/{self._pictures:05}.jpg"

    def _launch(self, arguments, **options):
        with open(self._log_path, "ab") as log:
            streams = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log} | options
            return subprocess.Popen(arguments, cwd=self.folder, preexec_fn=self.group.join, **streams)

    def _last_words(self):
        with open(self._log_path, encoding="utf-8", errors="replace") as file:
            return file.read()[-600:].strip()


class Platen(Program):
    """The service, pressed by the kernel's button; `path` of a Shot is the spool's file, which stays."""

    name = "platen"
    pages = "on"

    def start(self):
        """Starts the service with the rig's devices."""
        camera = f"  ring_frames: {self.options['ring']}\n" if self.options["ring"] else ""
        text = CONFIGURATION.format(width=WIDTH, height=HEIGHT, frame_rate=FRAME_RATE, camera=camera, pages=self.pages)
        self._service = Service(self.options["binary"], self.folder, text, account={"preexec_fn": self.group.join})
        self._service.launch()
        self._await_ready()
        self._last, self._ended = 0, queue.Queue()
        threading.Thread(target=self._listen, args=(self._service,), daemon=True).start()

    def press(self, hold):
        """Pushes the button's line; the end is the event that the press is stored."""
        edge = []
        finger = threading.Thread(target=lambda: edge.extend(self.hands.shutter.press(hold)))
        finger.start()
        instant, report = self._outcome()
        finger.join()
        if not report:
            return Shot(edge, instant, why="no outcome")
        return Shot(edge, instant, self._service.press(report["number"]).get("path", ""), report.get("reason", ""))

    def shoot(self):
        """Presses over the API."""
        before = time.monotonic_ns()
        report = self._service.shoot()
        done = time.monotonic_ns()
        self._last = max(self._last, report.get("number", 0))
        why = "" if report.get("outcome") == "stored" else report.get("reason", "no outcome")
        return Shot([before, before], done, report.get("path", ""), why)

    def stop(self):
        """Ends the service as systemd does."""
        try:
            self._service.stop(END)
        finally:
            super().stop()

    def clean(self):
        """Nothing: the spool's files are the service's."""

    def _await_ready(self):
        deadline = time.monotonic() + START
        while time.monotonic() < deadline and self._service.process.poll() is None:
            try:
                if self._service.status()["readiness"]["state"] == "ready":
                    return
            except (OSError, http.client.HTTPException, ServiceError):
                pass  # There is no socket yet.
            time.sleep(0.02)
        raise ProgramError(f"the service is not ready; the end of its log:\n{self._service.log_tail()}")

    def _listen(self, service):
        try:
            for kind, event in service.events():
                if kind == "press":
                    self._ended.put((time.monotonic_ns(), event["press"]))
        except (OSError, http.client.HTTPException, ValueError):
            pass  # The service has ended.

    def _outcome(self):
        while True:
            try:
                instant, report = self._ended.get(timeout=PICTURE)
            except queue.Empty:
                return time.monotonic_ns(), None
            if report["number"] > self._last and report["outcome"] in ("stored", "refused"):
                self._last = report["number"]
                return instant, report


class PlatenWithoutPages(Platen):
    """The service that reads no page, as no peer does."""

    name = "platen-no-pages"
    pages = "off"


class GstValve(Program):
    """A warm GStreamer pipeline (gstvalve.py), told over its standard input."""

    name = "gst-valve"

    def start(self):
        """Starts the pipeline; it is ready after its first picture."""
        self._child = self._launch(["/usr/bin/python3", "-B", f"{HERE}/gstvalve.py", str(WIDTH), str(HEIGHT)],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        if self._answer(START) != "ready":
            raise ProgramError(f"the pipeline does not start: {self._last_words()}")

    def press(self, hold):
        """Asks for a picture; the pipeline needs no finger."""
        path = self._new()
        before = time.monotonic_ns()
        try:
            self._child.stdin.write(f"{path}\n")
            answer = self._answer(PICTURE + 5)
        except BrokenPipeError:
            answer = ""
        done = time.monotonic_ns()
        if not answer:
            return Shot([before, before], done, why="the program has crashed", is_over=True)
        return Shot([before, before], done, path, "" if answer == "done" else answer)

    def _answer(self, seconds):
        if not select.select([self._child.stdout], [], [], seconds)[0]:
            return ""
        return self._child.stdout.readline().strip()


class OneShot(Program):
    """A program that is started for each picture; the benchmark makes its file durable."""

    is_warm = False

    def press(self, hold):
        """Runs the program to its end."""
        path = self._new()
        part = f"{path}.part"
        before = time.monotonic_ns()
        try:
            self._take(part)
            _make_durable(part, path)
        except (OSError, subprocess.SubprocessError, ProgramError) as error:
            return Shot([before, before], time.monotonic_ns(), why=f"{error} {self._last_words()}")
        return Shot([before, before], time.monotonic_ns(), path)

    def _take(self, part):
        raise NotImplementedError

    def _run(self, arguments, **options):
        child = self._launch(arguments, **options)
        try:
            if child.wait(PICTURE) != 0:
                raise ProgramError(f"{arguments[0]} ended with {child.returncode}")
        finally:
            child.kill()
            child.wait()


class Cam(OneShot):
    """libcamera's `cam`, and libjpeg-turbo's `cjpeg` for what it writes; with one buffer `cam` would wait for ever on vimc."""

    name = "cam+cjpeg"

    def _take(self, part):
        self._run(["cam", "-c", "1", "-s", f"width={WIDTH},height={HEIGHT},pixelformat=BGR888", "-C2", f"-F{part}.raw#"])
        raws = sorted(name for name in os.listdir(self.folder) if ".raw" in name)
        if not raws:
            raise ProgramError("cam wrote nothing")
        with open(f"{self.folder}/{raws[0]}", "rb") as file:
            pixels = file.read(WIDTH * HEIGHT * 3)
        with open(part, "wb") as picture:
            compressor = self._launch(["cjpeg", "-quality", "90"], stdin=subprocess.PIPE, stdout=picture)
            compressor.communicate(b"P6\n%d %d\n255\n" % SIZE + pixels, PICTURE)
        if compressor.returncode != 0:
            raise ProgramError(f"cjpeg ended with {compressor.returncode}")
        for name in raws:
            os.remove(f"{self.folder}/{name}")


class Fswebcam(OneShot):
    """fswebcam on the camera's V4L2 node, without libcamera."""

    name = "fswebcam"

    def _take(self, part):
        node = self.hands.camera.video_node("RGB/YUV Capture")
        self._run(["fswebcam", "-q", "-d", node, "-p", "RGB24", "-r", f"{WIDTH}x{HEIGHT}", "--no-banner", "--jpeg", "90", "-S", "0", part])
        if not os.path.exists(part):  # It ends with 0 whatever happens.
            raise ProgramError("fswebcam wrote nothing")


class BareCam(Program):
    """libcamera's `cam` that streams and throws its frames away: the cost of having frames at all."""

    name = "cam"
    takes_pictures = False

    def start(self):
        """Starts the stream; it is ready with its third frame."""
        first = self.hands.camera.number()
        child = self._launch(["cam", "-c", "1", "-s", f"width={WIDTH},height={HEIGHT},pixelformat=BGR888", "-C"], stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + START
        while self.hands.camera.number() < first + 3:
            if child.poll() is not None or time.monotonic() > deadline:
                raise ProgramError(f"cam does not stream: {self._last_words()}")
            time.sleep(0.02)


def _make_durable(part, path):
    """Forces a file to the disk, gives it its name, and forces that to the disk."""
    _force(part)
    os.rename(part, path)
    _force(os.path.dirname(path))


def _force(path):
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


PROGRAMS = {program.name: program for program in (Platen, PlatenWithoutPages, GstValve, Cam, Fswebcam, BareCam)}
