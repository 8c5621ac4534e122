# SPDX-License-Identifier: Apache-2.0
"""The service as an ordinary user, whose right to the camera's nodes is taken away and given back."""

import contextlib
import glob
import os
import shutil
import signal
import subprocess
import time

from processes import camera_process
from rigcase import LED_LINES, RigCase, configuration, figure

USER = 64321
RECOVERY = "  recovery: { retry_minimum: 200 ms, retry_maximum: 1 s }\n"
# As the unit does it with groups: no test is to be allowed more than that.
HANDED_OVER = ("/dev/gpiochip*", "/dev/iio:device*", "/dev/dma_heap/*", "/dev/udmabuf", "/sys/bus/iio/devices/iio:device*")


class CameraRights(RigCase):
    def setUp(self):
        super().setUp()
        self.nodes = self.hands.camera.nodes()
        for path in self.nodes:
            self.give(path)
        for pattern in HANDED_OVER:
            for path in glob.glob(pattern):
                self.own(path)
        os.chown(self.directory, USER, USER)

    def tearDown(self):
        super().tearDown()
        for path in self.hands.camera.nodes():
            os.chown(path, 0, 0)
            os.chmod(path, 0o660)
        for pattern in HANDED_OVER:
            for path in glob.glob(pattern):
                self.own(path, 0)

    @staticmethod
    def own(path, user=USER):
        """Gives a device, or a device's folder in /sys, to a user, by default the service's."""
        os.chown(path, user, user)
        for folder, _, names in os.walk(path):
            for name in names:
                with contextlib.suppress(OSError):
                    os.chown(os.path.join(folder, name), user, user, follow_symlinks=False)

    @staticmethod
    def give(path):
        """Lets the service's user open a node."""
        os.chown(path, 0, USER)
        os.chmod(path, 0o660)

    @staticmethod
    def deny(path):
        """Keeps the service's user from opening a node; who has it open keeps it."""
        os.chmod(path, 0o600)

    def launch(self, ready=True):
        """Starts the service as its user."""
        return self.start(configuration(lights=LED_LINES, upload=False, camera=RECOVERY), ready=ready,
                          account={"user": USER, "group": USER, "extra_groups": []})

    def denied(self, service):
        """Waits until the service says that it may not open the camera, and has a press refused for that."""
        service.wait_for("the missing right is reported",
                         lambda: "cameraNotAuthorized" in service.status()["readiness"]["reasons"], 20)
        fault = service.status()["session"]["lastFault"]
        self.assertTrue(any(f'"{node}"' in fault for node in self.nodes), f"the node is named: {fault}")
        self.assertIn("video", fault, "what to do is said")
        refused = self.press(service)
        self.assertEqual((refused["outcome"], refused["reason"]), ("refused", "cameraNotAuthorized"))

    def ready_again(self, service, what):
        """Waits until the service is ready and takes a picture."""
        begun = time.monotonic()
        service.wait_until_ready(30)
        figure(f"{what}: ready again after {(time.monotonic() - begun) * 1000:.0f} ms")
        self.stored(service)

    def test_no_right_at_the_start_then_given(self):
        for kind in ("media", "video", "v4l-subdev"):
            with self.subTest(kind):
                denied = self.hands.camera.nodes(kind)
                for path in denied:
                    self.deny(path)
                service = self.launch(ready=False)
                self.denied(service)
                for path in denied:
                    self.give(path)
                self.ready_again(service, f"right to the {kind} nodes given, which was missing at the start")
                self.assertEqual(service.stop(), 0)
                shutil.rmtree(f"{self.directory}/spool", ignore_errors=True)

    def test_right_taken_while_it_runs_then_given_back(self):
        """An open node stays open; the right is missed when the camera has to be opened again."""
        service = self.launch()
        for _ in range(2):
            for path in self.nodes:
                self.deny(path)
            self.stored(service)
            os.kill(camera_process(service), signal.SIGKILL)
            self.denied(service)
            self.assertEqual(service.log_count("cameraAbsent"), 0, "it is not called absent")
            for path in self.nodes:
                self.give(path)
            self.ready_again(service, "right to the camera taken while it ran and given back")

    def test_new_node_without_the_right(self):
        """Plugged in again, the nodes belong to root until a rule of udev says otherwise."""
        service = self.launch()
        self.addCleanup(self.hands.camera.bind_if_needed)
        self.hands.camera.unbind()
        service.wait_for("the camera is missed", lambda: service.status()["readiness"]["state"] != "ready", 10)
        self.hands.camera.bind()
        subprocess.run(["udevadm", "settle", "--timeout=60"], check=True)
        self.nodes = self.hands.camera.nodes()
        for path in self.nodes:
            os.chown(path, 0, 0)
            os.chmod(path, 0o660)
        self.denied(service)
        for path in self.nodes:
            self.give(path)
        self.ready_again(service, "camera plugged in without the right to it, which then came")
