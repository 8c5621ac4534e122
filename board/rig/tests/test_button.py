# SPDX-License-Identifier: Apache-2.0
"""What is a press and what is not."""

import os
import threading
import time

from quietcase import QuietCase, quiet_configuration
from rigcase import PATIENCE, RigCase, configuration, figure
from service import missed_its_moment

STORM = 60.0


class Button(RigCase):
    def settled_presses(self, service):
        """The counts of presses when each has its outcome, however long a busy machine takes to store one."""
        def settled():
            presses = service.status()["presses"]
            return presses if presses["inFlight"] == 0 else None
        return service.wait_for("each press has its outcome", settled, 10)

    @staticmethod
    def spikes(service):
        """How many closures were too short for a press."""
        return service.status()["buttons"][0]["spikes"]

    def test_bouncing_edges_are_one_press(self):
        service = self.start(configuration(upload=False))
        clean, lost, disturbed = 0, 0, []
        for _ in range(20):
            before, spikes = self.settled_presses(service), self.spikes(service)
            # Until the press is seen, because the interrupt's thread may be held up for longer than any finger stays, and reads
            # the contact only then.
            edges = self.hands.shutter.bounce(held=lambda: service.wait_for(
                f"a press is counted ({service.status()['buttons']})", lambda: self.settled_presses(service).get("last") != before.get("last"), 10))
            # The next push is one of its own only after the quiet time.
            self.hands.shutter.rest(0.2)
            if self.spikes(service) != spikes:
                disturbed.append("the kernel saw a contact that was closed for less than a press")
                continue
            after = self.settled_presses(service)
            # The machine has one processor: a bounce that was held up for the quiet time is a press of its own.
            pauses = [second[1] - first[0] for first, second in zip(edges, edges[1:])]
            held = max(range(len(pauses)), key=pauses.__getitem__)
            if any(pause > 25_000_000 for place, pause in enumerate(pauses) if place != held):
                disturbed.append([round(pause / 1e6) for pause in pauses])
                continue
            # So may be an edge after one that the kernel lost: rather a picture too many than a press unseen.
            lost, lost_before = service.log_count("edges of a button were lost"), lost
            if lost != lost_before:
                self.assertLessEqual(after["stored"] + after["refused"], before["stored"] + before["refused"] + 2)
                disturbed.append("edges were lost")
                continue
            clean += 1
            self.assertEqual(after["stored"] + after["refused"], before["stored"] + before["refused"] + 1, pauses)
        self.assertGreaterEqual(clean, 3, f"bounces that the machine let pass undisturbed; the others: {disturbed}")
        figure(f"bouncing presses: {clean} of {len(edges)} edges each gave one picture each")

    def test_a_storm_of_a_minute_costs_bounded_time_and_one_press(self):
        service = self.start(configuration(upload=False))
        idle_from, begun = service.processor_seconds(), time.monotonic()
        time.sleep(2)
        idle = (service.processor_seconds() - idle_from) / (time.monotonic() - begun)
        storming = threading.Event()
        edges = []

        thread = threading.Thread(target=lambda: edges.extend(self.hands.shutter.storm(storming)))
        first_frame = service.status()["session"]["framesSeen"]
        busy_from, begun = service.processor_seconds(), time.monotonic()
        answers = []
        thread.start()
        while time.monotonic() < begun + STORM:
            asked = time.monotonic()
            service.status()
            answers.append(time.monotonic() - asked)
            time.sleep(1)
        storming.set()
        thread.join()
        frames = service.status()["session"]["framesSeen"] - first_frame
        busy = (service.processor_seconds() - busy_from) / (time.monotonic() - begun)
        presses = self.settled_presses(service)
        # The machine has one processor, so the storm itself pauses while others run. Until the contact is known to
        # chatter, an edge after a pause as long as the quiet time less the reader's rest may rightly be a press; and
        # so may the first one after a second of quiet.
        seconds = (edges[-1] - edges[0]) / 1e9
        pauses = [second - first for first, second in zip(edges, edges[1:]) if second - first >= 10_000_000]
        taken = presses["stored"] + presses["refused"]
        self.assertLessEqual(taken, 1 + sum(1 for pause in pauses if pause < 1_000_000_000) + 2 * sum(1 for pause in pauses if pause >= 1_000_000_000))
        self.assertLess(taken, seconds / 0.03, "at most one press in each quiet time")
        self.assertGreaterEqual(service.log_count("button.reason=buttonChattering"), 1, "it is a fault")
        self.assertGreater(len(edges), 100 * taken)
        # How fast the storm is and what it costs are figures: the one processor also takes the edges' interrupts and runs the
        # service and the camera, and a system call costs some 50 µs in User-Mode Linux. That the reader rests is a unit test's.
        gaps = sorted(second - first for first, second in zip(edges, edges[1:]))
        gap = gaps[len(gaps) // 2] / 1e9
        self.assertGreater(frames, 20, "the camera goes on through the storm")
        self.assertLess(max(answers), 5 * PATIENCE, "the service answers through the storm")
        figure(f"bounce storm: {busy * 100:.0f} % of a processor, {idle * 100:.0f} % without it, "
               f"{len(edges)} edges in {seconds:.0f} s ({len(edges) / seconds / 1000:.1f} kHz, {gap * 1e6:.0f} µs apart in the middle) "
               f"with {len(pauses)} pauses over 10 ms: {taken} presses; "
               f"the service answered within {max(answers) * 1000:.0f} ms")
        self.hands.shutter.release()
        self.rest()
        # A storm that paused for a second has ended its chatter once already.
        service.wait_for("the chatter has ended", lambda: not service.status()["buttons"][0]["faults"], 20)
        # The storm may have kept the camera from its turn until its stream was started anew.
        service.wait_until_ready(60)
        self.stored(service)


class Gestures(QuietCase):
    def test_held_at_start_is_no_press(self):
        # Requesting the line with a bias would move gpio-sim's pull, the finger, so it is left as it is.
        self.hands.shutter.hold()
        text = quiet_configuration().replace("  line: SHUTTER\n", "  line: SHUTTER\n  bias: as-is\n")
        service = self.start(text)
        time.sleep(0.5)
        self.assertEqual(service.status()["presses"]["stored"], 0)
        self.assertEqual(service.log_count("button.reason=buttonHeldAtStart"), 1, "it is a fault")
        self.assertTrue(self.hands.leds.wait("rig:red:fault", 1), "and shown as one")
        self.hands.shutter.release()
        time.sleep(0.3)
        self.assertEqual(service.status()["presses"]["stored"], 0, "letting go is no press")
        self.assertEqual(service.log_count("button.reason=buttonHeldAtStart"), 2, "the fault has ended")
        self.stored(service)
        self.assertEqual(service.status()["presses"]["stored"], 1)

    def with_gestures(self, gestures):
        """The service with a button that has gestures, and a power switch that only leaves a file."""
        self.off = os.path.join(self.directory, "off")
        power = f"power: {{ method: command, power_off: [/usr/bin/touch, \"{self.off}\"] }}\n"
        buttons = f"buttons:\n  shutter: {{ line: SHUTTER, {gestures} }}\n"
        text = quiet_configuration().replace("shutter:\n  line: SHUTTER\n", power + buttons)
        self.assertIn("method: command", text)
        return self.start(text)

    def taken(self, service):
        """How many presses the session was given."""
        presses = service.status()["presses"]
        return presses["stored"] + presses["refused"] + presses["inFlight"]

    def test_one_gesture_does_one_thing(self):
        service = self.with_gestures("single: shoot, double: pause_uploads")
        self.assertEqual(self.stored(service)["outcome"], "stored")
        for done in ("uploads are held back", "uploads go on"):
            self.hands.shutter.press(0.05)
            time.sleep(0.1)
            self.hands.shutter.press(0.05)
            service.wait_for(done, lambda done=done: service.log_count(done) == 1, 5)
            time.sleep(0.6)
        self.assertEqual(self.taken(service), 1, "a double press is no picture")

    def test_a_long_press_is_no_short_one(self):
        service = self.with_gestures("single: shoot, long: pause_uploads")
        self.hands.shutter.press(1.2)
        service.wait_for("the uploads are held back", lambda: service.log_count("uploads are held back") == 1, 5)
        time.sleep(0.3)
        self.assertEqual(self.taken(service), 0)
        self.stored(service)

    def test_a_hold_turns_the_power_off_unless_it_is_called_off(self):
        service = self.with_gestures("single: shoot, hold: power_off, hold_after: 1500 ms, cancel_within: 3 s")
        self.stored(service)
        lights = ["rig:green:ready", "rig:red:fault", "rig:blue:upload"]
        self.hands.leds.record(lights)
        self.hands.shutter.press(1.8)
        time.sleep(1.6)
        changes = self.hands.leds.recorded()
        for light in lights:
            self.assertGreaterEqual(sum(1 for _, name, level in changes if name == light and level == 1), 2,
                                    f"{light} shows that the power goes off: {changes}")
        self.hands.shutter.press(0.05)
        service.wait_for("it is called off", lambda: service.log_count("the power-off was called off") == 1, 5)
        time.sleep(3.5)
        self.assertFalse(os.path.exists(self.off))
        self.assertEqual(self.taken(service), 1, "the press that calls it off is no picture")
        self.stored(service)
        self.hands.shutter.press(1.8)
        self.assertEqual(service.process.wait(timeout=20), 0, "the service ends as cleanly as after SIGTERM")
        self.assertTrue(os.path.exists(self.off), "the command has run")
        self.assertEqual([self.hands.leds.levels()[light] for light in lights], [0, 0, 0])

    def test_a_stuck_button_is_a_fault_until_it_comes_up(self):
        service = self.with_gestures("single: shoot, stuck_after: 2 s")
        self.hands.shutter.hold()
        service.wait_for("it is stuck", lambda: service.log_count("button.reason=buttonStuck") == 1, 10)
        self.assertEqual(self.taken(service), 1, "the push itself was a press")
        self.hands.shutter.release()
        service.wait_for("it is in order", lambda: service.log_count("button.reason=buttonStuck") == 2, 5)
        time.sleep(0.2)
        self.stored(service)

    def with_a_pedal(self, gestures, pedal):
        """The service with two buttons, and a power switch that only leaves a file."""
        service = self.with_gestures(f"{gestures} }}\n  pedal: {{ line: PEDAL, {pedal}")
        self.addCleanup(self.hands.pedal.release)
        return service

    def test_two_buttons_have_a_meaning_each(self):
        service = self.with_a_pedal("single: shoot", "single: retake")
        first = self.stored(service)
        self.assertEqual((first["button"], first["gesture"]), ("shutter", "single"))
        second = self.stored(service, button=self.hands.pedal)
        self.assertEqual((second["button"], second["gesture"]), ("pedal", "single"), second)
        with open(os.path.splitext(second["path"])[0] + ".json", encoding="utf-8") as sidecar:
            self.assertIn(first["itemID"], sidecar.read(), "the picture says which one it replaces")
        # Both at once: each has its picture.
        for _ in range(20):
            both = self.both_at_once(service)
            self.assertEqual({report["button"] for report in both}, {"shutter", "pedal"})
            if not any(map(missed_its_moment, both)):
                break
        self.assertEqual([report["outcome"] for report in both], ["stored", "stored"], both)

    def both_at_once(self, service):
        """Presses both buttons together; returns the reports of the two presses."""
        before = service.last_press_number()
        self.hands.shutter.hold()
        self.hands.pedal.hold()
        time.sleep(0.05)
        self.hands.pedal.release()
        self.hands.shutter.release()
        both = [service.wait_for_press_after(before + more) for more in (0, 1)]
        for button in (self.hands.shutter, self.hands.pedal):
            self.rest(button)
        return both

    def test_any_button_calls_the_power_off_off(self):
        service = self.with_a_pedal("single: shoot, hold: power_off, hold_after: 1500 ms, cancel_within: 3 s", "single: shoot")
        self.hands.shutter.press(1.8)
        service.wait_for("it is armed", lambda: service.log_count("the power goes off soon") == 1, 5)
        self.hands.pedal.press(0.05)
        service.wait_for("it is called off", lambda: service.log_count("the power-off was called off") == 1, 5)
        time.sleep(4)
        self.assertFalse(os.path.exists(self.off))
        self.assertEqual(self.taken(service), 0, "the press that calls it off is no picture")
        self.rest()
        self.stored(service, button=self.hands.pedal)
