# SPDX-License-Identifier: Apache-2.0
"""Inside the rig whose power will be cut: takes pictures and says which were acknowledged, or empties the spool.

worker.py shoot           presses until the power goes; a line of JSON when a press begins and when it has its outcome
worker.py shoot-offline   the same with the network away, so that everything stays in the spool
worker.py drain           waits until everything that survived is uploaded, and says what the spool holds

PLATEN_PRELOAD names a library that is preloaded into the service alone.
"""

import json
import os
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "rig", "tests"))
from rigcase import BINARY, HEIGHT, INTERVAL_MS, MODULES, WIDTH, Hands, Service, configuration, page_seen  # noqa: E402

DIRECTORY = "/var/lib/platen/cut"
LOST = "edges of a button were lost"
SAID = ("number", "outcome", "reason", "itemID", "sha256")


def main(verb):
    """Runs one of the verbs."""
    os.makedirs(DIRECTORY, exist_ok=True)
    hands = Hands(MODULES)
    hands.network(verb != "shoot-offline")
    hands.camera.interval(INTERVAL_MS)
    hands.camera.inject(page_seen(0, WIDTH, HEIGHT).tobytes(), WIDTH, HEIGHT)
    hands.accelerometer.place("portrait")
    preload = os.environ.get("PLATEN_PRELOAD")
    service = Service(BINARY, DIRECTORY, configuration(), environment={"LD_PRELOAD": preload} if preload else None).start(timeout=60)
    if verb == "drain":
        service.wait_for("the spool is empty", lambda: service.status()["spool"]["waiting"] == 0, 90)
        print(json.dumps(service.status()["spool"]), flush=True)
        return service.stop()
    seen = service.last_press_number()  # The ledger has those before the cut, too.
    while True:
        hands.shutter.rest(0.06)
        print(json.dumps({"pressing": seen + 1}), flush=True)
        lost = service.log_count(LOST)
        hands.shutter.press(0.03)
        service.wait_for("a press is taken, or its edges are lost", lambda: service.last_press_number() > seen or service.log_count(LOST) > lost, 10)
        if service.last_press_number() == seen:
            continue  # A busy host has let the guest's kernel see the push when it was over; a finger pushes again.
        report = service.wait_for_press_after(seen)
        seen = report["number"]
        print(json.dumps({key: report.get(key) for key in SAID}), flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
