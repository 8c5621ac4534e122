# SPDX-License-Identifier: Apache-2.0
"""Cuts the machine's power while it takes pictures; after the reboot nothing that was acknowledged may be missing."""

import contextlib
import hashlib
import json
import os
import random
import tempfile
import threading
import time

from conversation import RigError
from machine import Machine

HERE = os.path.dirname(os.path.realpath(__file__))


def power_cuts(kind, receiver, binary, shares, seed, cuts):
    """Runs the campaign; returns (passed, one line with its figures)."""
    randomness = random.Random(seed)
    acknowledged = {}
    with tempfile.TemporaryDirectory(prefix="platen-cut-") as directory, \
            Machine(kind, disk=os.path.join(directory, "data.ext4"), shares=shares) as machine:
        environment = {"PLATEN_BINARY": binary, "PLATEN_SERVER_URL": f"http://10.0.2.2:{receiver.port}/",
                       "PLATEN_SERVER_STORE": receiver.store, "PLATEN_RIG_MODULES": "",
                       "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "PYTHONDONTWRITEBYTECODE": "1"}
        script = os.path.join(HERE, "tests", "cutworker.py")
        for _ in range(cuts):
            machine.boot()
            environment["PLATEN_RIG_MODULES"] = f"{machine.kernel}/modules"
            witness = Witness(machine.start(["/usr/bin/python3", script, "shoot"], env=environment))
            deadline = time.monotonic() + 60
            while len(witness.acknowledged()) < 2:
                if time.monotonic() > deadline or not machine.running:
                    raise RigError(f"the {kind} rig acknowledged no picture within 60 s before the power cut:\n"
                                   + witness.command.stderr[-600:])
                time.sleep(0.01)
            time.sleep(randomness.uniform(0.0, 1.0))
            machine.power_cut()
            acknowledged |= witness.acknowledged()
        machine.boot()
        environment["PLATEN_RIG_MODULES"] = f"{machine.kernel}/modules"
        done = machine.run(["/usr/bin/python3", script, "drain"], env=environment, timeout=120)
        machine.shutdown()
        if done.status != 0:
            return False, f"power cuts: the service did not drain its spool: {done.stdout}{done.stderr}"[-800:]
    lost = [item for item, digest in acknowledged.items() if not received(receiver.store, item, digest)]
    text = (f"power cuts ({kind}): {cuts} cuts, {len(acknowledged)} pictures acknowledged before them, "
            f"{len(lost)} lost, seed {seed}")
    return not lost and len(acknowledged) > 0, text


class Witness:
    """Listens to a worker in the guest for as long as it lives, and keeps what it says was acknowledged."""

    def __init__(self, command):
        self.command = command
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self):
        with contextlib.suppress(RigError):
            self.command.wait(600)

    def acknowledged(self):
        """{item: SHA-256} of the whole lines that have come; the last one may have been cut off."""
        reports = [json.loads(line) for line in self.command.stdout.split("\n")[:-1] if line.startswith("{")]
        return {report["itemID"]: report["sha256"] for report in reports}


def received(store, item, digest):
    """Whether the server has an item exactly once, with its content."""
    found = [os.path.join(folder, name) for folder, _, names in os.walk(store) for name in names if item in name
             and name.endswith(".jpg")]
    if len(found) != 1:
        return False
    with open(found[0], "rb") as file:
        return hashlib.sha256(file.read()).hexdigest() == digest
