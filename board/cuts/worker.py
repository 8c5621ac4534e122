# SPDX-License-Identifier: Apache-2.0
"""Inside the rig whose power will be cut: takes pictures and says which were acknowledged, records, or empties the spool.

worker.py shoot           presses until the power goes; a line of JSON when a press begins and when it has its outcome
worker.py record          records until the power goes; a line of JSON again and again with the seconds that are recorded
worker.py VERB-offline    the same with the network away, so that everything stays in the spool
worker.py drain           waits until everything that survived is uploaded; a line of JSON with the number of quarantined
                          files, and with the newest presses and their items

PLATEN_PRELOAD names a library that is preloaded into the service alone.
"""

import json
import os
import sys
import time

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "rig", "tests"))
from rigcase import BINARY, HEIGHT, INTERVAL_MS, MODULES, WIDTH, Hands, Service, configuration, page_seen  # noqa: E402

DIRECTORY = "/var/lib/platen/cut"
LOST = "edges of a button were lost"
BEHIND = "The disk is more than two seconds behind"
SAID = ("number", "outcome", "reason", "itemID", "sha256")
MOVIES = "movie: { enabled: true, preset: 720p, minimum_free: 1 MiB }\n"


def main(verb):
    """Runs one of the verbs."""
    os.makedirs(DIRECTORY, exist_ok=True)
    hands = Hands(MODULES)
    hands.network(not verb.endswith("-offline"))
    hands.camera.interval(INTERVAL_MS)
    hands.camera.inject(page_seen(0, WIDTH, HEIGHT).tobytes(), WIDTH, HEIGHT)
    hands.accelerometer.place("portrait")
    preload = os.environ.get("PLATEN_PRELOAD")
    service = Service(BINARY, DIRECTORY, configuration(extra=MOVIES), environment={"LD_PRELOAD": preload} if preload else None).start(timeout=60)
    if verb == "drain":
        service.wait_for("each press has its outcome", lambda: all(press["outcome"] != "pending" for press in service.presses(limit=50)), 90)
        items = {press["number"]: press.get("itemID") for press in service.presses(limit=50)}
        service.wait_for("the spool is empty", lambda: service.spool()["waiting"] == 0, 90)
        print(json.dumps({"quarantined": service.spool()["quarantined"], "items": items}), flush=True)
        return service.stop()
    if verb.startswith("record"):
        return record(service)
    return shoot(service, hands)


def record(service):
    """Records, and says how far, until the power goes."""
    status, answer = service.call("POST", "/v1/movie/start", timeout=300)
    if status != 200:
        print(f"the recording did not start: {answer}", file=sys.stderr)
        return 1
    while True:
        movie = service.get("/v1/movie")
        print(json.dumps({"press": movie["press"], "seconds": movie["elapsedSeconds"], "isBehind": service.log_count(BEHIND) > 0}), flush=True)
        time.sleep(0.05)


def shoot(service, hands):
    """Presses, and says what became of it, until the power goes."""
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
