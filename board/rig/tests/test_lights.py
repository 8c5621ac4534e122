# SPDX-License-Identifier: Apache-2.0
"""The lights show every state in order, on the kernel's LED class and on plain lines, and go out with the service."""

import subprocess
import time

from rigcase import BINARY, CLASS_LEDS, INTERVAL_MS, LED_LINES, RigCase, configuration


class Lights(RigCase):
    def _levels(self, changes, name):
        return [level for _, seen, level in changes if seen == name]

    def _states_in_order(self, lights, ready, fault, upload):
        self.inject(0)
        self.hands.leds.record([ready, fault, upload])
        service = self.start(configuration(lights))
        self.assertTrue(self.hands.leds.wait(ready, 1), "the ready light is lit")
        # Slow frames, and a press at the beginning of one, make the capture long enough to be seen for certain; so does
        # a dead network with the upload.
        self.hands.camera.interval(300)
        self.hands.network(False)
        self.addCleanup(self.hands.network, True)
        time.sleep(0.6)
        number = self.hands.camera.number()
        self.until("the next frame comes", lambda: self.hands.camera.number() != number)
        report = self.stored(service)
        self.hands.camera.interval(INTERVAL_MS)
        self.assertTrue(self.hands.leds.wait(upload, 1), "the upload light shows that a picture waits")
        self.hands.network(True)
        self.received(service, report)
        self.assertTrue(self.hands.leds.wait(upload, 0), "the upload light is dark when nothing waits")
        self.hands.heat(85)
        self.assertTrue(self.hands.leds.wait(ready, 0, 5), "the ready light is dark when it is too hot")
        self.assertTrue(self.hands.leds.wait(fault, 1, 5), "the fault light flashes when it is too hot")
        self.hands.heat(45)
        service.wait_until_ready()
        self.until("the ready light is lit again", lambda: self.hands.leds.levels()[ready] == 1)
        self.assertEqual(service.stop(), 0)
        changes = self.hands.leds.recorded()
        self.assertEqual(self.hands.leds.levels()[ready], 0, "dark after the service is gone")
        self.assertEqual(self.hands.leds.levels()[fault], 0)
        self.assertEqual(self.hands.leds.levels()[upload], 0)
        # Dark, ready, blinking for the capture, ready, dark for the heat, ready, dark at the end.
        self.assertGreaterEqual(self._levels(changes, ready).count(1), 4, changes)
        self.assertEqual(self._levels(changes, ready)[0], 0)
        self.assertEqual(self._levels(changes, upload)[:2], [0, 1], changes)
        self.assertEqual(self._levels(changes, upload)[-1], 0, changes)
        self.assertGreaterEqual(self._levels(changes, fault).count(1), 2, "2 flashes mean heat")

    def test_class_leds(self):
        self._states_in_order(CLASS_LEDS, "rig:green:ready", "rig:red:fault", "rig:blue:upload")

    def test_led_lines(self):
        self._states_in_order(LED_LINES, "LED_READY", "LED_FAULT", "LED_BUSY")

    def test_a_killed_service_leaves_lights_that_the_supervisor_turns_off(self):
        service = self.start()
        self.assertTrue(self.hands.leds.wait("rig:green:ready", 1))
        service.kill()
        done = subprocess.run([BINARY, "--indicators-off", "--config", service.configuration_path], check=False)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(self.hands.leds.levels()["rig:green:ready"], 0)
