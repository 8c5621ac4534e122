# SPDX-License-Identifier: Apache-2.0
"""The session is configured anew again and again, and neither process grows."""

import os
import time

from processes import camera_process, held_by
from rigcase import RigCase, configuration, figure

# What is promised, or more where there is time for them; board/rig/test --long reconfiguration makes twice as many.
WANTED = int(os.environ.get("PLATEN_RECONFIGURATIONS", 0))
# The first two hundred fill what is kept on purpose: the events for listeners that come back, the database's pages.
SECONDS, LEAST, SETTLED = 40, 500, 220
# What a process may keep of each change. A frame of the smaller size has 253 KiB; resident memory comes in pages, and
# what an allocator or a table of pages takes once weighs more where there are few changes.
LIMIT_KIB, LONG_LIMIT_KIB = 10, 6
SIZES = ((960, 720), (480, 360))
# On a busy machine, memory that is kept on purpose fills later, and Dispatch keeps a thread for five seconds after its work.
MOST_SPANS = 6


def least_growth(looks, held):
    """What each process has grown by in the span where that was least, of what it holds."""
    return {name: min(after[name][held] - before[name][held] for before, after in zip(looks, looks[1:])) for name in looks[0]}


class Reconfiguration(RigCase):
    changes = 0

    def test_nothing_grows(self):
        self.hands.camera.pattern()  # an injected page would have one of the sizes only
        service = self.start(configuration(upload=False))
        camera = camera_process(service)
        began = time.monotonic()
        slowest = self.reconfigure(service, SETTLED)
        looks = [self.held(service, camera)]
        # Spans of the same length: what leaks grows in each, what only fills its room comes to its end in one of them.
        span = ((WANTED or LEAST) - SETTLED) // 2
        if not WANTED:
            each = (time.monotonic() - began) / SETTLED
            span = max(span, int((SECONDS / each - SETTLED) / 2))
        span -= span % 2  # so that each look is at the same size
        limits = {"memory": (LONG_LIMIT_KIB if WANTED else LIMIT_KIB) * span, "descriptors": 0, "threads": 0}
        while len(looks) <= 2 or len(looks) <= MOST_SPANS and any(
                least >= limit if held == "memory" else least > limit for held, limit in limits.items() for least in least_growth(looks, held).values()):
            slowest = max(slowest, self.reconfigure(service, span))
            looks.append(self.held(service, camera))
        took, count = time.monotonic() - began, SETTLED + span * (len(looks) - 1)
        self.assertEqual(camera_process(service), camera, "the camera's process is still the same")
        for held, limit in limits.items():
            for name, growth in least_growth(looks, held).items():
                unit = " (KiB)" if held == "memory" else ""
                figure(f"{name} after {SETTLED} reconfigurations and each {span} more: "
                       f"{', '.join(str(look[name][held]) for look in looks)} {held}{unit}")
                judge = self.assertLess if held == "memory" else self.assertLessEqual
                judge(growth, limit, f"{name}: {held}{unit}, in the span where it grew least")
        for name, first in looks[0].items():
            self.assertLessEqual(looks[-1][name]["descriptors"], first["descriptors"] + 1, f"{name}: descriptors")
        figure(f"{count} reconfigurations in {took:.0f} s, the slowest in {slowest * 1000:.0f} ms")

    def reconfigure(self, service, count):
        """Changes the size so many times, with a picture now and then; returns the seconds of the slowest change."""
        slowest = 0
        for number in range(1, count + 1):
            width, height = SIZES[self.changes % 2 - 1]
            self.changes += 1
            before = time.monotonic()
            status, answer = service.call("PATCH", "/v1/session", {"width": width, "height": height})
            self.assertEqual(status, 200, answer)
            self.assertEqual(answer["session"]["size"], {"width": width, "height": height})
            slowest = max(slowest, time.monotonic() - before)
            # The same number of pictures in each span.
            if number % 25 == 0 or number == count:
                service.wait_until_ready(10)
                self.stored(service)
        return slowest

    def held(self, service, camera):
        """What both processes hold when nothing has happened for a moment: the least of a few looks."""
        service.wait_until_ready(10)
        looks = []
        for _ in range(8):
            time.sleep(0.25)
            looks.append((held_by(service.process.pid), held_by(camera)))
        return {name: {key: min(look[place][key] for look in looks) for key in looks[0][place]}
                for place, name in enumerate(("the service", "the camera's process"))}
