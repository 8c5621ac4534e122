# SPDX-License-Identifier: Apache-2.0
"""The accelerometer goes, comes back and answers nonsense: pictures are taken all the same, and the status says so."""

import random
import time
from collections import Counter

import devices
from quietcase import INTERVAL_MS, QuietCase, SIZE
from rigcase import CLOCKWISE, ORIENTATION, SEED, figure

GARBAGE = {"zeros": bytes(6), "ones": b"\xff" * 6, "the end of the range": b"\xf0\x7f" * 3}


class Accelerometer(QuietCase):
    def tearDown(self):
        super().tearDown()
        self.hands.accelerometer.ensure_plugged()

    def state(self, service):
        """What the status says of the sensor."""
        return service.status()["rotation"]["accelerometer"]

    def wait_for_state(self, service, states, seconds=15):
        """Waits for one of some states; returns the seconds that it took."""
        begun = time.monotonic()
        service.wait_for(f"the accelerometer is {' or '.join(states)}", lambda: self.state(service) in states, seconds)
        return time.monotonic() - begun

    def descriptors(self, service):
        """What the service has open, how often; connections to its API and frames of the camera come and go."""
        held = Counter(path.split(":[")[0] for path in devices.open_files(service.process.pid))
        return held - Counter({"socket": 1_000_000, "/dmabuf:": 1_000_000})

    def let_frames_come(self):
        """Waits until the frame of a press is one that was exposed after the rig was turned."""
        time.sleep(3 * INTERVAL_MS / 1000)

    def require_last_orientation(self, service, angle):
        """A press is taken, with the orientation that was last known."""
        self.assertEqual(service.status()["readiness"]["state"], "ready")
        self.assertEqual(self.stored(service)["exifOrientation"], ORIENTATION[angle])

    def test_removed_and_returned_while_pictures_are_taken(self):
        service = self.start()
        descriptors, lost, back = None, [], []
        for angle, later in ((90, 180), (180, 270), (270, 0), (0, 90)):
            self.place(service, angle)
            self.stored(service)
            self.hands.accelerometer.unplug()
            lost.append(self.wait_for_state(service, ["absent"]))
            self.assertTrue(self.hands.leds.wait("rig:red:fault", 1), "the fault light says so")
            for _ in range(3):
                self.require_last_orientation(service, angle)
            self.hands.accelerometer.plug()
            # The rig was turned meanwhile.
            self.hands.accelerometer.place(CLOCKWISE[later])
            back.append(self.wait_for_state(service, ["ok"]))
            service.wait_for("the rig is seen turned", lambda later=later: service.status()["rotation"]["captureAngle"] == later, 5)
            self.let_frames_come()
            self.assertEqual(self.stored(service)["exifOrientation"], ORIENTATION[later])
            held = self.descriptors(service)
            descriptors = descriptors or held
        self.assertEqual(held - descriptors, Counter(), "no descriptor is left of a sensor that went")
        figure(f"accelerometer: its loss is seen after {max(lost):.1f} s, its return after {max(back):.1f} s; {len(lost)} times")

    def test_absent_at_the_start_and_plugged_in_later(self):
        self.hands.accelerometer.unplug()
        service = self.start()
        self.assertEqual(self.state(service), "absent")
        self.require_last_orientation(service, 0)
        self.hands.accelerometer.plug()
        self.hands.accelerometer.place(CLOCKWISE[90])
        self.wait_for_state(service, ["ok"])
        service.wait_for("the rig is seen turned", lambda: service.status()["rotation"]["captureAngle"] == 90, 5)
        self.let_frames_come()
        self.require_last_orientation(service, 90)

    def test_registers_full_of_garbage(self):
        service = self.start()
        self.place(service, 90)
        self.let_frames_come()
        for name, data in GARBAGE.items():
            self.hands.accelerometer.answer(data)
            seconds = self.wait_for_state(service, ["implausible"])
            for _ in range(2):
                self.require_last_orientation(service, 90)
            self.assertEqual(self.state(service), "implausible", "it stays so")
            self.hands.accelerometer.place(CLOCKWISE[90])
            back = self.wait_for_state(service, ["ok"])
            figure(f"accelerometer: {name} are implausible after {seconds:.1f} s, believed again after {back:.1f} s")
        self.place(service, 180)
        self.let_frames_come()
        self.require_last_orientation(service, 180)

    def test_registers_that_change_at_random(self):
        choose = random.Random(SEED)
        service = self.start()
        self.place(service, 90)
        for _ in range(20):
            for _ in range(20):
                self.hands.accelerometer.answer(choose.randbytes(6))
                time.sleep(0.013)
            with self.subTest(seed=SEED):
                self.stored(service)
        self.hands.accelerometer.place(CLOCKWISE[270])
        self.wait_for_state(service, ["ok"])
        service.wait_for("the rig is seen turned", lambda: service.status()["rotation"]["captureAngle"] == 270, 5)
        self.let_frames_come()
        self.require_last_orientation(service, 270)
        figure(f"accelerometer: 20 pictures of {SIZE[0]}x{SIZE[1]} taken through 400 random readings, seed {SEED}")
