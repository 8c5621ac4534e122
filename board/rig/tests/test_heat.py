# SPDX-License-Identifier: Apache-2.0
"""Heat takes away only what it must, says so, and gives it back."""

import time

from rigcase import RigCase, configuration


class Heat(RigCase):
    def frames_per_second(self, service, seconds=2.0):
        """How many frames a second the service really gets."""
        begun, first = time.monotonic(), service.status()["session"]["framesSeen"]
        time.sleep(seconds)
        return (service.status()["session"]["framesSeen"] - first) / (time.monotonic() - begun)

    def wait_for_state(self, service, state):
        service.wait_for(f"the thermal state is {state}", lambda: service.status()["thermal"]["state"] == state, 5)

    def test_serious_slows_critical_refuses_cooling_resumes(self):
        service = self.start(configuration(upload=False))
        normal = self.frames_per_second(service)
        self.hands.heat(72)
        self.wait_for_state(service, "serious")
        time.sleep(1)
        slow = self.frames_per_second(service)
        self.assertLess(slow, normal / 2, "the frame rate drops at serious")
        self.assertEqual(self.press(service)["outcome"], "stored", "serious still takes pictures")
        self.hands.heat(85)
        self.wait_for_state(service, "critical")
        refused = self.press(service)
        self.assertEqual((refused["outcome"], refused["reason"]), ("refused", "thermalPressure"))
        self.assertEqual(service.status()["readiness"]["reasons"], ["thermalPressure"])
        self.hands.heat(78)
        time.sleep(1)
        self.assertEqual(service.status()["thermal"]["state"], "critical", "hysteresis holds")
        self.hands.heat(50)
        self.wait_for_state(service, "nominal")
        service.wait_until_ready()
        self.assertEqual(self.press(service)["outcome"], "stored")
        time.sleep(1)
        self.assertGreater(self.frames_per_second(service), normal * 0.7, "the frame rate comes back")
