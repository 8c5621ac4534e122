# SPDX-License-Identifier: Apache-2.0
"""Two cameras, one lost: the standby takes over, and the first one can be used again when it is back."""

import subprocess
import time

from camera import DEVICE, SECOND
from rigcase import RigCase, configuration, figure

STANDBY = "  standby: second\n"
CAMERAS = f"""\
cameras:
  first: {{ id: "platform/{DEVICE} Sensor B" }}
  second: {{ id: "platform/{SECOND} Sensor B" }}
"""


class TwoCameras(RigCase):
    def setUp(self):
        super().setUp()
        self.hands.add_camera()
        self.addCleanup(self.hands.remove_camera)
        for device in (DEVICE, SECOND):
            self.addCleanup(self.hands.camera.bind_if_needed, device)
        self.until("the second camera is plugged in", lambda: self.hands.camera.is_plugged(SECOND))
        subprocess.run(["udevadm", "settle", "--timeout=60"], check=True)

    def begin(self):
        """Starts the service, which uses the first camera."""
        service = self.start(configuration(upload=False, camera=STANDBY, extra=CAMERAS))
        self.assertEqual(self.in_use(service), ("first", False))
        self.stored(service)
        return service

    @staticmethod
    def in_use(service):
        """The role of the camera in use, and whether it stands in for another."""
        session = service.status()["session"]
        return session.get("cameraRole"), session.get("isStandbyInUse")

    def taken_over(self, service, role, is_standby, what):
        """Waits until another camera is in use, and takes a picture with it."""
        begun = time.monotonic()
        service.wait_for(f"\"{role}\" is in use", lambda: self.in_use(service) == (role, is_standby), 60)
        service.wait_until_ready(30)
        figure(f"{what}: ready again after {(time.monotonic() - begun) * 1000:.0f} ms")
        self.stored(service)

    def test_standby_takes_over_and_gives_back(self):
        service = self.begin()
        process = service.process.pid
        self.hands.camera.unbind(DEVICE)
        self.taken_over(service, "second", True, "first camera unplugged, the standby takes over")
        self.hands.camera.bind(DEVICE)
        time.sleep(1)
        self.assertEqual(self.in_use(service), ("second", True), "a camera that works is not left")
        self.hands.camera.unbind(SECOND)
        self.taken_over(service, "first", False, "standby unplugged, the first camera is used again")
        self.assertEqual(service.process.pid, process)

    def test_the_one_that_is_not_used_is_lost(self):
        service = self.begin()
        self.hands.camera.unbind(SECOND)
        for _ in range(3):
            time.sleep(0.7)
            self.stored(service)
        self.assertEqual(self.in_use(service), ("first", False))

    def test_switching_by_hand(self):
        service = self.begin()
        for role in ("second", "first", "second"):
            begun = time.monotonic()
            status, answer = service.call("POST", "/v1/session/switch-camera")
            self.assertEqual(status, 200, answer)
            service.wait_until_ready(20)
            self.assertEqual(self.in_use(service), (role, False))
            figure(f"switched to the camera \"{role}\" in {(time.monotonic() - begun) * 1000:.0f} ms")
            self.stored(service)

    def test_switching_to_one_that_is_lost(self):
        """The change is refused, and the one that was in use still is."""
        service = self.begin()
        self.hands.camera.unbind(SECOND)
        status, answer = service.call("POST", "/v1/session/switch-camera", timeout=60)
        self.assertNotEqual(status, 200, answer)
        service.wait_until_ready(60)
        self.assertEqual(self.in_use(service), ("first", False))
        self.stored(service)
