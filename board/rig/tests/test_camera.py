# SPDX-License-Identifier: Apache-2.0
"""A camera that stalls, errs or goes away is noticed, shown and used again when it is back."""

import time

from processes import camera_process
from rigcase import PATIENCE, RigCase, configuration, figure, frame_number_of
from service import until_taken


class CameraFaults(RigCase):
    def test_stall_is_noticed_within_the_watchdog_and_recovers(self):
        service = self.start(configuration(upload=False, stall="1 s"))
        self.hands.camera.stall()
        begun = time.monotonic()
        service.wait_for("the stall is noticed",
                         lambda: "cameraStalled" in service.status()["readiness"]["reasons"], 5)
        noticed = time.monotonic() - begun
        self.assertLess(noticed, 1.5 * PATIENCE, "the watchdog is set to 1 s")
        refused = self.press(service)
        self.assertEqual((refused["outcome"], refused["reason"]), ("refused", "cameraStalled"))
        self.hands.camera.resume()
        self.ready_again(service, "camera stalled")
        figure(f"camera stall noticed after {noticed * 1000:.0f} ms with a watchdog of 1000 ms")

    def test_long_stall_starts_the_stream_anew(self):
        service = self.start(configuration(upload=False, stall="1 s"))
        self.hands.camera.stall()
        time.sleep(6)
        service.wait_for("it is not ready for a moment", lambda: service.status()["readiness"]["state"] == "notReadyMomentarily", 5)
        self.hands.camera.resume()
        self.ready_again(service, "camera stalled for 6 s, stream started anew meanwhile")

    def test_error_frames_are_never_taken(self):
        self.inject(0)
        self.hands.camera.numbered()
        service = self.start(configuration(upload=False))
        refused = self.press_among_errors(service)
        # A busy host delivers frames so far apart that one beside the errors still shows the moment.
        for _ in range(9):
            refused = refused or self.press_among_errors(service)
        self.assertTrue(refused, "no press was refused")
        self.stored(service)

    def press_among_errors(self, service):
        """Presses while no frame can be used; returns whether the press was refused for it, and requires a good frame else."""
        self.hands.camera.errors()
        time.sleep(0.3)
        before = service.last_press_number()
        self.hands.shutter.press()
        time.sleep(0.3)
        self.hands.camera.resume()
        report = service.wait_for_press_after(before)
        states = {number: state for number, _, state in self.hands.camera.frames()}
        self.assertIn("error", states.values())
        if report["outcome"] == "refused":
            # The nearest that can be used is 300 ms away, and shows another moment.
            self.assertIn(report["reason"], ("noFrameInTime", "frameOverwritten"), report)
            return True
        with open(report["path"], "rb") as file:
            self.assertNotEqual(states[frame_number_of(file.read())], "error", report)
        return False

    def test_nothing_but_error_frames(self):
        """A camera that sends, and sends nothing that can be used, is a failed one, not a silent one."""
        service = self.start(configuration(upload=False, stall="1 s"))
        self.hands.camera.errors()
        service.wait_for("the fault is noticed",
                         lambda: "cameraFailed" in service.status()["readiness"]["reasons"], 5)
        refused = self.press(service)
        self.assertEqual((refused["outcome"], refused["reason"]), ("refused", "cameraFailed"))
        self.hands.camera.resume()
        self.ready_again(service, "error frames, none of them good")

    def test_slowed(self):
        """Slow is not silent: frames further apart are still taken, and only beyond the watchdog it is a stall."""
        service = self.start(configuration(upload=False, stall="4 s"))
        self.hands.camera.interval(400)
        time.sleep(1)
        service.wait_until_ready(10)
        edges = []

        def press():
            before = service.last_press_number()
            edges.append(self.hands.shutter.press())
            report = service.wait_for_press_after(before)
            self.rest()
            return report
        report, edge = until_taken(press), edges[-1]
        self.assertEqual(report["outcome"], "stored", report)
        stamps = [stamp for _, stamp, _ in self.hands.camera.frames()]
        around = (min(stamp for stamp in stamps if stamp > edge[1]) - max(stamp for stamp in stamps if stamp <= edge[0])) / 1e6
        self.assertLessEqual(abs(report["selectionErrorMilliseconds"]), around / 2 + 20, "half of the interval")
        self.hands.camera.interval(10_000)
        service.wait_for("the stall is noticed",
                         lambda: "cameraStalled" in service.status()["readiness"]["reasons"], 5)
        self.hands.camera.interval(40)
        self.ready_again(service, "camera slowed to a frame in 10 s")

    def ready_again(self, service, what):
        """Waits until the service is ready and stays so, and takes a picture."""
        begun = time.monotonic()
        service.wait_until_ready(30)
        took = time.monotonic() - begun
        for _ in range(20):
            report = until_taken(lambda: self.press(service))
            # With a watchdog of a second a busy host may be seen as a stall, too.
            if report.get("reason") != "cameraStalled":
                break
            service.wait_until_ready(30)
        self.assertEqual(report["outcome"], "stored", report)
        figure(f"{what}: ready again after {took * 1000:.0f} ms")

    def test_no_camera_then_plugged_in(self):
        self.hands.camera.unbind()
        self.addCleanup(self.hands.camera.bind_if_needed)
        service = self.start(configuration(upload=False, stall="1 s"), ready=False)
        # How long the machine takes to load the program says nothing about how soon it notices. After 15 s it would be killed.
        service.wait_for("the camera process serves", lambda: camera_process(service) is not None, 15)
        begun = time.monotonic()
        service.wait_for("the absence is reported",
                         lambda: "cameraAbsent" in service.status()["readiness"]["reasons"], 2)
        figure("camera absent at the start: reported "
               f"{(time.monotonic() - begun) * 1000:.0f} ms after the camera process serves")
        refused = self.press(service)
        self.assertEqual((refused["outcome"], refused["reason"]), ("refused", "cameraAbsent"))
        self.hands.camera.bind()
        self.ready_again(service, "camera plugged in, which was absent at the start")

    def test_clean_stop_releases_the_camera(self):
        for _ in range(3):
            service = self.start(configuration(upload=False))
            self.stored(service)
            self.assertEqual(service.stop(), 0)
