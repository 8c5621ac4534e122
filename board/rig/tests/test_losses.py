# SPDX-License-Identifier: Apache-2.0
"""No acknowledged picture is lost, whatever kills the service or the network."""

import os
import random
import threading
import time

from rigcase import SEED, RigCase, configuration, figure, sha256


class Losses(RigCase):
    def test_kills_while_pictures_are_taken(self):
        """SIGKILL at random moments; at the end the server has each acknowledged picture once, byte for byte."""
        randomness = random.Random(SEED)
        print(f"figure: kill campaign seed {SEED}", flush=True)
        self.inject(0)
        service = self.start()
        acknowledged, refused, kills = {}, 0, 0
        shots = 0
        next_kill = randomness.uniform(0.2, 1.5) + time.monotonic()
        seen = 0
        while shots < 60 or kills < 12:
            if time.monotonic() >= next_kill:
                # The kill comes at a random moment of a shot that is under way.
                killer = threading.Timer(randomness.uniform(0.0, 0.25), service.process.kill)
                killer.start()
                self.rest()
                self.hands.shutter.press(0.04)
                killer.join()
                service.kill()
                kills += 1
                service.start()
                next_kill = time.monotonic() + randomness.uniform(0.2, 2.5)
                shots += 1
                seen = service.last_press_number()
                continue
            self.rest()
            self.hands.shutter.press(0.04)
            report = service.wait_for_press_after(seen)
            seen = report["number"]
            shots += 1
            if report["outcome"] == "stored":
                self.assertNotIn(report["itemID"], acknowledged)
                acknowledged[report["itemID"]] = report["sha256"]
            else:
                refused += 1
        service.wait_for("everything is uploaded",
                         lambda: service.spool()["waiting"] == 0 and service.status()["presses"]["inFlight"] == 0, 120)
        files = self.server_files()
        for item, digest in acknowledged.items():
            self.assertIn(item, files, f"acknowledged picture {item} is not at the server (seed {SEED})")
            self.assertEqual(len(files[item]), 1, f"{item} is there more than once (seed {SEED})")
            with open(files[item][0], "rb") as file:
                self.assertEqual(sha256(file.read()), digest, f"{item} differs (seed {SEED})")
        self.assertEqual(service.spool()["quarantined"], 0)
        self.assertGreaterEqual(kills, 10)
        figure(f"kill campaign: {shots} shots, {kills} kills, {len(acknowledged)} acknowledged, {refused} refused, 0 lost")

    def test_network_away_and_back(self):
        """Pictures wait while the network is away and go when it is back."""
        self.inject(0)
        service = self.start()
        self.hands.network(False)
        self.addCleanup(self.hands.network, True)
        reports = [self.stored(service) for _ in range(3)]
        time.sleep(1)
        self.assertEqual(service.spool()["waiting"], 3)
        self.assertTrue(all(os.path.exists(report["path"]) for report in reports))
        self.hands.network(True)
        for report in reports:
            self.assertEqual(sha256(self.received(service, report)), report["sha256"])

    def test_restart_uploads_what_waits(self):
        """What a stopped service left behind goes out at its next start."""
        self.inject(0)
        service = self.start(configuration(upload=False))
        reports = [self.stored(service) for _ in range(2)]
        self.assertEqual(service.stop(), 0)
        service = self.start()
        for report in reports:
            self.assertEqual(sha256(self.received(service, report)), report["sha256"])
