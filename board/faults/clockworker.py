# SPDX-License-Identifier: Apache-2.0
"""Inside the rig: takes pictures while the clock is set to and fro; see rows_clock.py.

clockworker.py years | steps     a line of JSON for each press and one with what was measured
"""

import glob
import json
import os
import sys
import time

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "rig", "tests"))
from rigcase import BINARY, HEIGHT, INTERVAL_MS, MODULES, WIDTH, Hands, Service, configuration, page_seen  # noqa: E402
from service import until_taken  # noqa: E402

DIRECTORY = "/var/lib/platen/clock"
CONFIGURATION = configuration().replace("retry_maximum: 2 s", "retry_maximum: 2 s, connect_timeout: 2 s, stall_timeout: 2 s")
YEAR = 365.25 * 86400


def set_clock(seconds):
    """Sets the kernel's clock; returns how long ago 1970 is then."""
    time.clock_settime(time.CLOCK_REALTIME, seconds)


def press(hands, service):
    """Presses the button and prints the report of a stored picture; returns it."""
    def once():
        before = service.last_press_number()
        hands.shutter.press(0.05)
        report = service.wait_for_press_after(before)
        hands.shutter.rest(0.06)
        return report

    report = until_taken(once)
    if report["outcome"] != "stored":
        raise AssertionError(f"a press was not stored: {report}")
    print(json.dumps({"press": report}), flush=True)
    return report


def trusts():
    """How the sidecars that wait call their wall times."""
    found = set()
    for path in glob.glob(os.path.join(DIRECTORY, "spool", "items", "*", "*.json")):
        with open(path, encoding="utf-8") as file:
            found |= {value for key, value in pairs(json.load(file)) if key == "wallTrust"}
    return found


def pairs(value):
    """Every key with its value, however deep."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key, inner
            yield from pairs(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from pairs(inner)


def drained(service):
    """Waits until nothing waits for delivery; returns the seconds."""
    began = time.monotonic()
    service.wait_for("everything is uploaded", lambda: service.spool()["waiting"] == 0, 20)
    return time.monotonic() - began


def years(hands):
    """Three starts with three wrong clocks, the network away until the last."""
    now, items, seen = time.time(), [], set()
    hands.network(False)
    for instant in (86400.0, now + 10 * YEAR, now - 10 * YEAR):
        set_clock(instant)
        service = Service(BINARY, DIRECTORY, CONFIGURATION).start()
        items += [press(hands, service)["itemID"] for _ in range(2)]
        seen |= trusts()
        if service.stop() != 0:
            raise AssertionError("the service did not stop in order")
    sequences = [int(item.split("-")[1]) for item in items]
    if sequences != sorted(sequences) or len(set(sequences)) != len(sequences):
        raise AssertionError(f"the sequence is {sequences}")
    if not seen:
        raise AssertionError("no sidecar says how far its wall time can be trusted")
    if "synchronized" in seen:
        raise AssertionError("a wall time of a clock that nobody set is called synchronized")
    service = Service(BINARY, DIRECTORY, CONFIGURATION).start()
    hands.network(True)
    seconds = drained(service)
    service.stop()
    return (f"6 pictures of 1970, 10 years ahead and 10 years back in the order of their presses, "
            f"wall times called {', '.join(sorted(seen))}, delivered in {seconds:.1f} s")


def steps(hands):
    """The clock is set while the uploader waits for its next attempt, and while pictures go out."""
    service = Service(BINARY, DIRECTORY, CONFIGURATION).start()
    longest = 0.0
    for step in (-3600.0, 3600.0, -3600.0):
        hands.network(False)
        press(hands, service)
        service.wait_for("the uploader waits", lambda: service.status()["targets"][0]["state"] == "waitingToRetry", 15)
        set_clock(time.time() + step)
        hands.network(True)
        press(hands, service)
        longest = max(longest, drained(service))
    service.stop()
    return f"3 steps of an hour while the uploader waited, delivered at most {longest:.1f} s after the network was back (pauses of at most 2 s)"


def main(verb):
    """Runs a verb."""
    os.makedirs(DIRECTORY, exist_ok=True)
    hands = Hands(MODULES)
    hands.camera.interval(INTERVAL_MS)
    hands.camera.inject(page_seen(0, WIDTH, HEIGHT).tobytes(), WIDTH, HEIGHT)
    hands.accelerometer.place("portrait")
    measured = {"years": years, "steps": steps}[verb](hands)
    print(json.dumps({"measured": measured}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
