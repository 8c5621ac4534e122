# SPDX-License-Identifier: Apache-2.0
"""Inside the rig: runs the programs in turns, and says each figure as a line of JSON.

worker.py OPTIONS     a JSON object: binary, modules, programs, rounds, presses, idle, loop, ring, seed
"""

import http.client
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter

HERE = os.path.dirname(os.path.realpath(__file__))
BOARD = os.path.dirname(HERE)
sys.path[:0] = [HERE, os.path.join(BOARD, "rig", "tests"), os.path.join(BOARD, "rig", "guest")]
from figures import flushes, frame_memory  # noqa: E402
from programs import FRAME_RATE, PROGRAMS, SIZE, GstValve, Platen, ProgramError, ServiceError  # noqa: E402
from rigcase import Hands, frame_number_of, page_seen  # noqa: E402
from tracing import Trace, pauses_before_log  # noqa: E402

DATA = "/var/lib/platen"
# The rounding of timestamps in the kernel's list of frames, in nanoseconds.
ROUNDING = 1_000_000
# Pictures whose flushes are counted, and the seconds after each until all that it causes has reached the disk.
COUNTED, QUIET = 5, 1.2
# Pictures whose calls are traced: the index's log is copied back once in about as many.
TRACED = 25
# How often a program that crashes is started again in a round.
RESTARTS = 3


class Crashed(Exception):
    """A program crashes again and again."""


class Turn:
    """One program's turn in a round."""

    def __init__(self, name, number, hands, options, chance):
        self._name, self._number, self._hands, self._options, self._chance = name, number, hands, options, chance
        self._program, self._restarts = None, 0

    def run(self):
        """Starts the program, measures it, ends it; a failure is a figure, too."""
        began = time.monotonic()
        try:
            self._start()
            self._idle()
            if self._program.takes_pictures:
                self._presses()
                self._closed_loop()
                self._synchronizations()
                self._traced()
        except (ProgramError, ServiceError, Crashed, OSError, subprocess.SubprocessError, http.client.HTTPException) as error:
            self._say("failure", why=str(error)[-1500:])
        finally:
            self._stop()
        self._say("turn", seconds=time.monotonic() - began)

    def _say(self, what, **figures):
        print(json.dumps({"what": what, "program": self._name, "round": self._number, **figures}), flush=True)

    def _start(self):
        before = time.monotonic_ns()
        self._launch()
        ready = time.monotonic_ns()
        shot = self._program.shoot() if self._program.takes_pictures else None
        while shot and shot.why and not shot.is_over and time.monotonic_ns() < ready + 10e9:
            shot = self._program.shoot()
        first = (shot.done - before) / 1e6 if shot and not shot.why else None
        self._say("start", ready=(ready - before) / 1e6 if self._program.is_warm else None, first=first, why=shot.why if shot else "")

    def _launch(self):
        self._program = PROGRAMS[self._name](self._hands, self._options)
        self._program.start()

    def _stop(self):
        if self._program:
            program, self._program = self._program, None
            try:
                program.stop()
            except (ServiceError, OSError) as error:
                self._say("failure", why=str(error)[-1500:])

    def _idle(self):
        if not self._program.is_warm or not self._options["idle"]:
            return
        time.sleep(1.5)  # The work of the start must not count as idleness.
        group, camera = self._program.group, self._hands.camera
        self._say("idle-begins")
        before, switches, frames, flushed = time.monotonic(), group.switches(), camera.number(), flushes(DATA)
        time.sleep(self._options["idle"])
        passed, switched = time.monotonic() - before, group.switches() - switches
        self._say("idle", switches=switched / passed, frames=(camera.number() - frames) / passed,
                  flushes=((flushes(DATA) or 0) - (flushed or 0)) / passed, memory=group.memory(), buffers=frame_memory())

    def _presses(self):
        for _ in range(self._options["presses"]):
            time.sleep(0.4 + 0.4 * self._chance.random())
            shot = self._program.press(0.035 + 0.04 * self._chance.random())
            self._say("press", ms=shot.milliseconds, why=shot.why, **({} if shot.why else self._judged(shot)))
            self._program.clean()
            self._mind(shot)

    def _judged(self, shot):
        """Which frame a picture shows, beside the kernel's own list of frames; nothing can be said of cameras that start for it."""
        with open(shot.path, "rb") as file:
            data = file.read()
        if not self._program.is_warm:
            return {"bytes": len(data)}
        frames = [frame for frame in self._hands.camera.frames() if frame[2] == "ok"]
        number = frame_number_of(data)
        taken = next((frame for frame in frames if frame[0] == number), None)
        if not taken:
            return {"bytes": len(data), "is_nearest": False}
        first, last = (min(frames, key=lambda frame, instant=instant: abs(frame[1] - instant))
                       for instant in (shot.asked[0] - ROUNDING, shot.asked[1] + ROUNDING))
        return {"bytes": len(data), "is_nearest": first[1] <= taken[1] <= last[1], "error": (taken[1] - shot.asked[0]) / 1e6}

    def _closed_loop(self):
        if not self._options["loop"]:
            return
        passed, taken, failed = 0, 0, 0
        while passed < self._options["loop"]:
            began = time.monotonic()
            shot = self._program.shoot()
            taken, failed = taken + (not shot.why), failed + bool(shot.why)
            self._program.clean()
            passed += time.monotonic() - began
            self._mind(shot)  # The time of a start is no time of the loop.
        self._say("loop", per_minute=60 * taken / passed, failed=failed)

    def _synchronizations(self):
        time.sleep(QUIET)
        before = flushes(DATA)
        taken = self._some_pictures(COUNTED)
        if before is not None and taken:
            self._say("synchronizations", flushes=(flushes(DATA) - before) / taken)

    def _traced(self):
        if not isinstance(self._program, Platen) or self._number > 0 or not Trace.is_there():
            return
        with Trace(self._program.group.processes(), "/tmp/peers.trace") as trace:
            time.sleep(QUIET)
            taken = self._some_pictures(TRACED)
        if taken and trace.calls:
            self._say("traced", calls=len(trace.calls) / taken, pictures=taken, kinds=Counter(call.kind for call in trace.calls),
                      pauses=[1000 * pause for pause in pauses_before_log(trace.calls)])

    def _some_pictures(self, count):
        """Takes pictures far apart, which stay; returns how many there are."""
        taken = 0
        for _ in range(count):
            shot = self._program.press(0.05)
            taken += not shot.why
            self._mind(shot)
            time.sleep(QUIET)
        return taken

    def _mind(self, shot):
        """Starts a program again that has crashed."""
        if not shot.is_over:
            return
        self._restarts += 1
        self._say("crash", why=shot.why)
        self._stop()
        if self._restarts > RESTARTS:
            raise Crashed(f"it has crashed {self._restarts} times in a round")
        self._launch()


def prepare(hands, programs):
    """The rig in order, with numbered frames; GStreamer makes its list of plugins once, which is no cost of a start."""
    hands.shutter.release()
    hands.camera.resume()
    hands.camera.delay(0)
    hands.camera.interval(1000 // FRAME_RATE)
    hands.camera.numbered()
    hands.camera.inject(page_seen(0, *SIZE).tobytes(), *SIZE)
    hands.accelerometer.place("portrait")
    if GstValve.name in programs:
        subprocess.run(["gst-inspect-1.0", "libcamerasrc"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def main(options):
    """Rounds; each begins with another program."""
    hands, chance, programs = Hands(options["modules"]), random.Random(options["seed"]), options["programs"]
    prepare(hands, programs)
    for number in range(options["rounds"]):
        turn = number % len(programs)
        for name in programs[turn:] + programs[:turn]:
            Turn(name, number, hands, options, chance).run()
            time.sleep(0.5)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
