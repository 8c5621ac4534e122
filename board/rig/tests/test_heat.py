# SPDX-License-Identifier: Apache-2.0
"""Heat and a weak supply take away only what they must, say so, and give it back."""

import os
import random
import threading
import time
import unittest

from quietcase import QuietCase, quiet_configuration
from rigcase import SEED, figure

DWELL = 2.0
QUICK = "  dwell: 2 s\n"
MINUTE = 60.0  # the dwell of a rig that is not told another one
HYSTERESIS = 3.0
STATES = ["nominal", "fair", "serious", "critical"]
LIMITS = {"fair": 60, "serious": 70, "critical": 80}


class Heat(QuietCase):
    def frames_per_second(self, service, seconds=2.0):
        """How many frames a second the service really gets."""
        begun, first = time.monotonic(), service.status()["session"]["framesSeen"]
        time.sleep(seconds)
        return (service.status()["session"]["framesSeen"] - first) / (time.monotonic() - begun)

    def wait_for_state(self, service, state, seconds=6):
        service.wait_for(f"the thermal state is {state}", lambda: service.status()["thermal"]["state"] == state, seconds)

    def changes_of(self, service):
        """A list that grows by (seconds, report) with each event about heat, in the background."""
        changes = []

        def follow():
            try:
                for kind, event in service.events():
                    if kind == "thermal":
                        changes.append((event["timeNanoseconds"] / 1e9, event["thermal"]))
            except (OSError, ValueError):
                pass  # the service has ended

        threading.Thread(target=follow, daemon=True).start()
        time.sleep(0.3)
        return changes

    def test_serious_slows_critical_refuses_cooling_resumes(self):
        service = self.start(quiet_configuration(thermal=QUICK + "  serious: { frame_rate: 2 }\n"))
        normal = self.frames_per_second(service)
        self.hands.heat(72)
        self.wait_for_state(service, "serious")
        time.sleep(1)
        slow = self.frames_per_second(service)
        self.assertLess(slow, normal / 2, "the frame rate drops at serious")
        self.stored(service)  # serious still takes pictures
        self.hands.heat(85)
        self.wait_for_state(service, "critical")
        refused = self.press(service)
        self.assertEqual((refused["outcome"], refused["reason"]), ("refused", "thermalPressure"))
        self.assertEqual(service.status()["readiness"]["reasons"], ["thermalPressure"])
        self.assertEqual(service.status()["thermal"]["constraints"]["preview"], "stopped")
        self.assertEqual(service.status()["thermal"]["constraints"]["uploads"], "hold")
        self.hands.heat(78)
        time.sleep(DWELL + 1)
        self.assertEqual(service.status()["thermal"]["state"], "critical", "hysteresis holds")
        self.hands.heat(50)
        self.wait_for_state(service, "nominal")
        service.wait_until_ready()
        self.stored(service)
        time.sleep(1)
        self.assertGreater(self.frames_per_second(service), normal * 0.7, "the frame rate comes back")

    def require_temperatures(self, changes):
        """Each change of state is an event with the temperature that decided it; returns [(seconds, from, to), ...]."""
        steps, before = [], "nominal"
        for at, report in changes:
            state, celsius = report["state"], report["temperatures"][0]["celsius"]
            if state != before:
                steps.append((at, STATES.index(before), STATES.index(state)))
                if STATES.index(state) > STATES.index(before):
                    self.assertGreaterEqual(celsius, LIMITS[state], changes)
                else:
                    self.assertLess(celsius, LIMITS[STATES[STATES.index(state) + 1]] - HYSTERESIS, changes)
            before = state
        return steps

    def test_each_limit_and_its_hysteresis(self):
        service = self.start(quiet_configuration(thermal=QUICK))
        changes = self.changes_of(service)
        expected = ["nominal"]
        for state, limit in LIMITS.items():
            self.hands.heat(limit - 0.1)
            time.sleep(1)
            self.assertEqual(service.status()["thermal"]["state"], expected[-1], f"below {limit} degrees")
            self.hands.heat(limit)
            self.wait_for_state(service, state, 1)
            expected.append(state)
        for state, limit in reversed(LIMITS.items()):
            self.hands.heat(limit - HYSTERESIS)
            time.sleep(DWELL + 1)
            self.assertEqual(service.status()["thermal"]["state"], state, f"{HYSTERESIS} degrees below {limit} are not cool enough")
            self.hands.heat(limit - HYSTERESIS - 0.1)
            self.wait_for_state(service, STATES[STATES.index(state) - 1], 1)
        steps = self.require_temperatures(changes)
        self.assertEqual([to for _, _, to in steps], [1, 2, 3, 2, 1, 0], "each step is one event")
        self.assertEqual(service.log_count("thermal state changed"), 6)
        self.assertEqual(service.log_count("thermal.temperature="), 6, "with the temperature")
        service.wait_until_ready()

    def swing(self, service, limit, seconds, dwell, choose, every):
        """Swings the temperature round a limit; returns how many swings and how many changes of state there were."""
        changes = self.changes_of(service)
        before = STATES.index(service.status()["thermal"]["state"])
        end, swings = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            self.hands.heat(limit + choose.choice((-1, 1)) * choose.uniform(0.1, 6))
            swings += 1
            time.sleep(every)
        self.hands.heat(limit + 1)
        self.wait_for_state(service, next(state for state, value in LIMITS.items() if value == limit))
        steps = []
        for at, report in changes:
            state = STATES.index(report["state"])
            if state != before:
                steps.append((at, state < before))
            before = state
        # A fall is no sooner than the dwell after any change: at most one pair of changes in a dwell.
        for (earlier, _), (later, is_down) in zip(steps, steps[1:]):
            if is_down:
                self.assertGreaterEqual(later - earlier, dwell - 0.01, steps)
        turns = [at for (at, is_down), (_, was_down) in zip(steps[1:], steps) if is_down != was_down]
        self.assertLessEqual(len([is_down for _, is_down in steps if is_down]), seconds / dwell + 1, steps)
        return swings, len(steps), len(turns)

    @unittest.skipUnless("PLATEN_RIG_VIRTUAL_TIME" in os.environ, "minutes of swings are for virtual time")
    def test_swings_round_each_limit_do_not_flap(self):
        """With the dwell of a rig that is not told another one: a minute."""
        text = quiet_configuration(frame_rate=1)
        service = self.start(text.replace("  rate: 25\n", "  rate: 1\n"))
        self.hands.camera.interval(1000)
        choose, seconds = random.Random(SEED), 150.0
        for limit in LIMITS.values():
            swings, steps, turns = self.swing(service, limit, seconds, MINUTE, choose, 0.5)
            self.assertLessEqual(turns, seconds / MINUTE, f"the state turns at most once a minute, seed {SEED}")
            figure(f"heat: {swings} swings round {limit} degrees in {seconds:.0f} s made {steps} changes of state, seed {SEED}")
        self.hands.heat(40)
        begun = time.monotonic()
        while service.status()["thermal"]["state"] != "nominal":
            self.assertLess(time.monotonic() - begun, 3 * 16 * MINUTE, "three steps, each after the longest dwell at most")
            time.sleep(10)
        service.wait_until_ready()
        figure(f"heat: after the swings the rig is nominal again {(time.monotonic() - begun) / 60:.0f} min after it has cooled down")

    def test_critical_may_space_presses(self):
        service = self.start(quiet_configuration(thermal=QUICK + "  critical: { spacing: 3 s }\n"))
        self.hands.heat(85)
        self.wait_for_state(service, "critical")
        self.stored(service)
        readiness = service.status()["readiness"]
        self.assertEqual((readiness["state"], readiness["reasons"]), ("notReadyMomentarily", ["thermalPressure"]))
        refused = self.press(service)
        self.assertEqual((refused["outcome"], refused["reason"]), ("refused", "thermalPressure"))
        service.wait_until_ready()
        self.stored(service)

    def test_the_hard_limit_ends_the_service_and_then_the_machine(self):
        off = os.path.join(self.directory, "off")
        service = self.start(quiet_configuration(
            thermal=QUICK + "  shutdown: { limit: 90, after: 1 s }\n",
            extra=f"power: {{ method: command, power_off: [/usr/bin/touch, \"{off}\"] }}\n"))
        stored = self.stored(service)
        self.hands.heat(89)
        self.wait_for_state(service, "critical")
        time.sleep(2)
        self.assertIsNone(service.process.poll(), "below the hard limit it goes on")
        self.hands.heat(91)
        self.until("the service has ended", lambda: service.process.poll() is not None, 30)
        self.assertEqual(service.process.returncode, 0)
        self.assertTrue(os.path.exists(off), "the command has run")
        self.assertEqual(service.log_count("too hot to go on, switching off"), 1)
        self.assertEqual(service.log_count("stopped"), 1, "the service ended cleanly first")
        self.assertTrue(os.path.exists(stored["path"]))
        self.assertEqual(set(self.hands.leds.levels().values()), {0}, "the lights are out")

    def test_throttle_flags_of_the_firmware(self):
        flags = os.path.join(self.directory, "get_throttled")

        def throttle(text):
            with open(flags + ".new", "w", encoding="ascii") as file:
                file.write(text + "\n")
            os.rename(flags + ".new", flags)

        throttle("0")
        service = self.start(quiet_configuration(
            thermal=QUICK, extra=f"power: {{ throttled: {flags}, undervoltage: refuse }}\n"))
        self.assertEqual(service.status()["thermal"]["firmware"], {"now": [], "sinceBoot": []})
        throttle("40004")
        self.wait_for_state(service, "serious")
        self.stored(service)
        throttle("50005")
        service.wait_for("undervoltage is shown",
                         lambda: service.status()["readiness"]["reasons"] == ["undervoltage"], 5)
        refused = self.press(service)
        self.assertEqual((refused["outcome"], refused["reason"]), ("refused", "undervoltage"))
        throttle("50000")
        begun = time.monotonic()
        service.wait_until_ready(20)
        self.assertGreater(time.monotonic() - begun, 8, "it ends after ten quiet seconds")
        self.wait_for_state(service, "nominal")
        self.assertEqual(service.status()["thermal"]["firmware"], {"now": [], "sinceBoot": ["undervoltage", "throttled"]})

    def test_the_alarm_of_the_supply(self):
        """What the hwmon device of a Raspberry Pi says of its supply: shown, and presses are taken all the same."""
        alarm = os.path.join(self.directory, "in0_lcrit_alarm")

        def sound(level):
            with open(alarm + ".new", "w", encoding="ascii") as file:
                file.write(f"{level}\n")
            os.rename(alarm + ".new", alarm)

        sound(0)
        service = self.start(quiet_configuration(
            thermal=QUICK, extra=f"power: {{ throttled: {alarm}.none, undervoltage_alarm: {alarm} }}\n"))
        sound(1)
        service.wait_for("the alarm is seen", lambda: service.log_count("capture.reason=undervoltage") == 1, 5)
        self.assertTrue(self.hands.leds.wait("rig:red:fault", 1, 5), "the fault light says so")
        self.assertEqual(service.status()["thermal"]["firmware"], {"now": ["undervoltage"], "sinceBoot": ["undervoltage"]})
        self.stored(service)
        sound(0)
        begun = time.monotonic()
        service.wait_for("the warning has ended", lambda: service.log_count("capture.reason=undervoltage") == 2, 20)
        self.assertGreater(time.monotonic() - begun, 8, "it ends after ten quiet seconds")
        self.assertTrue(self.hands.leds.wait("rig:red:fault", 0, 5))
        self.assertEqual(service.status()["thermal"]["firmware"], {"now": [], "sinceBoot": ["undervoltage"]})
