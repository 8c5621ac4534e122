# SPDX-License-Identifier: Apache-2.0
"""Inside the rig whose power will be cut: takes pictures and says which were acknowledged, or empties the spool.

cutworker.py shoot   presses until the power goes; a line of JSON for each acknowledged picture
cutworker.py drain   waits until everything that survived is uploaded
"""

import json
import os
import sys
import time

from rigcase import BINARY, HEIGHT, INTERVAL_MS, MODULES, WIDTH, Hands, Service, configuration, page_seen

DIRECTORY = "/var/lib/platen/cut"


def main(verb):
    """Runs one of the two verbs."""
    os.makedirs(DIRECTORY, exist_ok=True)
    hands = Hands(MODULES)
    hands.camera.interval(INTERVAL_MS)
    hands.camera.inject(page_seen(0, WIDTH, HEIGHT).tobytes(), WIDTH, HEIGHT)
    hands.accelerometer.place("portrait")
    service = Service(BINARY, DIRECTORY, configuration()).start()
    if verb == "drain":
        service.wait_for("the spool is empty", lambda: service.status()["spool"]["waiting"] == 0, 60)
        return service.stop()
    seen = 0
    while True:
        time.sleep(0.06)
        hands.shutter.press(0.03)
        report = service.wait_for_press_after(seen)
        seen = report["number"]
        if report["outcome"] == "stored":
            print(json.dumps({"itemID": report["itemID"], "sha256": report["sha256"]}), flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
