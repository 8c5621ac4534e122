# SPDX-License-Identifier: Apache-2.0
"""The lights show every state in order, on the kernel's LED class and on plain lines, and go out with the service."""

import signal
import subprocess
import time

from quietcase import QuietCase, quiet_configuration
from rigcase import BINARY, CLASS_LEDS, INTERVAL_MS, LED_LINES, PATIENCE, RigCase, configuration, figure
from service import until_taken


def levels_of(changes, name):
    """The levels that were seen of a light, in order."""
    return [level for _, seen, level in changes if seen == name]


def codes_of(changes, name, flash=1):
    """The blink codes that are seen of a light, read as a person does: the first one may be cut."""
    seen = [(instant, level) for instant, light, level in changes if light == name]
    codes, digits = [], [0]
    for (begun, level), (ended, _) in zip(seen, seen[1:]):
        seconds = (ended - begun) / 1e9
        if level == flash and seconds < 0.4:
            digits[-1] += 1
        elif level != flash and seconds > 1.5:
            codes.append("-".join(str(digit) for digit in digits))
            digits = [0]
        elif level != flash and seconds > 0.65:
            digits.append(0)
    return codes


def see_code(case, code, light, flash=1):
    """Waits until a recorded light has shown a code as it should be: a rig that is busy may blink it wrong at first."""

    def is_seen():
        time.sleep(1)
        return code in codes_of(case.hands.leds.recorded_yet(), light, flash)

    case.until(f"{light} has shown {code}", is_seen, 60)


class Lights(RigCase):
    def _states_in_order(self, lights, ready, fault, upload):
        self.inject(0)
        self.hands.leds.record([ready, fault, upload])
        service = self.start(configuration(lights, thermal="  dwell: 1 s\n"))
        self.assertTrue(self.hands.leds.wait(ready, 1), "the ready light is lit")
        # Slow frames, and a press at the beginning of one, make the capture long enough to be seen for certain; so does
        # a dead network with the upload.
        self.hands.camera.interval(700)
        self.hands.network(False)
        self.addCleanup(self.hands.network, True)
        time.sleep(1.6)
        report = until_taken(lambda: self.press_at_a_frame(service))
        self.assertEqual(report["outcome"], "stored", report)
        self.hands.camera.interval(INTERVAL_MS)
        self.assertTrue(self.hands.leds.wait(upload, 1), "the upload light shows that a picture waits")
        self.hands.network(True)
        self.received(service, report)
        self.assertTrue(self.hands.leds.wait(upload, 0), "the upload light is dark when nothing waits")
        self.hands.heat(85)
        self.assertTrue(self.hands.leds.wait(ready, 0), "the ready light is dark when it is too hot")
        self.assertTrue(self.hands.leds.wait(fault, 1), "the fault light flashes when it is too hot")
        see_code(self, "4-1", fault)  # heat
        self.hands.heat(45)
        service.wait_until_ready()
        self.until("the ready light is lit again", lambda: self.hands.leds.levels()[ready] == 1)
        self.assertEqual(service.stop(), 0)
        changes = self.hands.leds.recorded()
        self.assertEqual(self.hands.leds.levels()[ready], 0, "dark after the service is gone")
        self.assertEqual(self.hands.leds.levels()[fault], 0)
        self.assertEqual(self.hands.leds.levels()[upload], 0)
        # Dark, ready, blinking for the capture, ready, dark for the heat, ready, dark at the end.
        self.assertGreaterEqual(levels_of(changes, ready).count(1), 4, changes)
        self.assertEqual(levels_of(changes, ready)[0], 0)
        self.assertEqual(levels_of(changes, upload)[:2], [0, 1], changes)
        self.assertEqual(levels_of(changes, upload)[-1], 0, changes)

    def press_at_a_frame(self, service):
        """Presses at the beginning of a frame; returns the report of the press."""
        before = service.last_press_number()
        number, deadline = self.hands.camera.number(), time.monotonic() + 10 * PATIENCE
        while self.hands.camera.number() == number:
            self.assertLess(time.monotonic(), deadline, "the next frame comes")
            time.sleep(0.002)
        self.hands.shutter.press()
        report = service.wait_for_press_after(before)
        self.rest()
        return report

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


class Language(QuietCase):
    def test_one_light_says_the_most_important_thing(self):
        light = "rig:green:ready"
        service = self.start(quiet_configuration(lights='  single: { led: "rig:green:ready" }\n', thermal="  dwell: 1 s\n"))
        self.assertTrue(self.hands.leds.wait(light, 1), "steady when a press would be taken")
        self.hands.leds.record([light])
        time.sleep(3)
        self.assertEqual(levels_of(self.hands.leds.recorded(), light), [1], "without a flicker")
        self.hands.leds.record([light])
        self.hands.heat(85)
        see_code(self, "4-1", light)
        self.hands.leds.recorded()
        self.hands.heat(45)
        service.wait_until_ready()
        # Without its accelerometer the rig takes pictures, but something is wrong.
        self.hands.accelerometer.unplug()
        self.addCleanup(self.hands.accelerometer.plug)
        self.hands.leds.record([light])
        see_code(self, "6-2", light, flash=0)
        self.hands.leds.recorded()

    def test_the_ready_light_of_a_service_that_hangs_goes_out_by_itself(self):
        light = "rig:green:ready"
        service = self.start()
        self.assertTrue(self.hands.leds.wait(light, 1))
        time.sleep(4)
        self.assertEqual(self.hands.leds.levels()[light], 1, "the heartbeat keeps it lit")
        service.process.send_signal(signal.SIGSTOP)
        begun = time.monotonic()
        self.assertTrue(self.hands.leds.wait(light, 0, 4.5), "dark while the service hangs")
        figure(f"the ready light of a service that hangs is dark after {time.monotonic() - begun:.1f} s")
        self.stays_dark(light)
        service.process.send_signal(signal.SIGCONT)
        self.assertTrue(self.hands.leds.wait(light, 1, 5), "lit when it goes on")
        service.kill()
        begun = time.monotonic()
        self.assertTrue(self.hands.leds.wait(light, 0, 4.5), "dark when the service is gone, with nobody's help")
        figure(f"the ready light of a service that is killed is dark after {time.monotonic() - begun:.1f} s")
        self.stays_dark(light)

    def stays_dark(self, light):
        """A pattern that began anew would be dark for a moment, too."""
        time.sleep(4)
        self.assertEqual(self.hands.leds.levels()[light], 0, "the light comes on again with nobody there")
