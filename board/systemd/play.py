# SPDX-License-Identifier: Apache-2.0
"""What the rows share: the machine with the installed unit, its server, and what a row expects."""

import contextlib
import json
import os
import time

from machine import MachineError
from service import PATIENCE, until_taken

CONFIGURATION = "/etc/platen/platen.yaml"
TECHNICIAN = "technician"
RIG = "shipped-rig"


def configuration(url, more=""):
    """A configuration as the documentation gives it, for the simulated board; its ring outlasts a pause of a busy machine."""
    return (f"rig: {{ id: {RIG} }}\n"
            "board: simulated\n"
            "camera: { size: 640x480, frame_rate: 5, ring_frames: 12, stall_timeout: 10 s, maximum_wait: 20 s }\n"
            "shutter: { line: SHUTTER }\n"
            "accelerometer: { device: mpu6050, trigger: none }\n"
            "indicators: { ready: { led: \"rig:green:ready\" }, fault: { led: \"rig:red:fault\" } }\n"
            "thermal: { zones: [cpu-thermal] }\n"
            "spool: { directory: /var/lib/platen, minimum_free: 1 MiB }\n"
            f"targets: {{ server: {{ kind: webdav, url: \"{url}\" }} }}\n"
            f"api: {{ socket_group: platen-console{more} }}\n")


class Play:
    """The machine, and the server that it uploads to."""

    def __init__(self, machine, url, store):
        self.machine, self.url, self.store = machine, url, store

    def configure(self, more="", text=None):
        """Writes the configuration, as somebody with root does."""
        self.machine.write(CONFIGURATION, text or configuration(self.url, more))

    def configure_wrongly(self):
        """Writes a configuration that the service refuses."""
        self.configure(text=configuration(self.url).replace("frame_rate: 5", "frame_rate: 300"))

    def start(self, expected=True):
        """Starts the unit, which is there when it has said so."""
        done = self.machine.try_run("systemctl", "restart", "platend")
        if (done.returncode == 0) != expected:
            raise MachineError(f"the unit {'does not start' if expected else 'starts'}: {self.machine.journal()}")

    def ask(self, *command, user=TECHNICIAN):
        """What platenctl answers in JSON."""
        return json.loads(self.machine.run("platenctl", *command, "--json", user=user))

    def wait_for(self, what, condition, seconds=30):
        """Waits until something is so."""
        end = time.monotonic() + seconds * PATIENCE
        while time.monotonic() < end:
            with contextlib.suppress(MachineError, ValueError, KeyError, IndexError):
                if condition():
                    return
            time.sleep(0.1)
        raise MachineError(f"{what} did not happen within {seconds * PATIENCE} s; the unit's journal:\n{self.machine.journal()}")

    def become_ready(self):
        """Waits until a press would be taken."""
        self.wait_for("a press would be taken", lambda: self.ask("status")["readiness"]["state"] == "ready")

    def take_picture(self):
        """Presses the simulated shutter; returns the server's copy of the picture when it has a receipt."""
        self.become_ready()
        before = self._stored()
        until_taken(self._press)
        self.wait_for("a picture arrives", lambda: self._stored() - before)
        return next(iter(self._stored() - before))

    def newest_press(self):
        """The newest press that the ledger has; a press 0 before the first one."""
        shown = self.machine.run("platenctl", "presses", "list", "--limit", "1", "--json", user=TECHNICIAN)
        return json.loads(shown) if shown.strip() else {"number": 0}

    def _press(self):
        """Presses the simulated shutter; returns the report of the press when it has its outcome."""
        last = self.newest_press()["number"]
        self.machine.run("platenctl", "simulate", "press", "--yes", user=TECHNICIAN)

        def is_ended():
            press = self.newest_press()
            return press["number"] > last and press["outcome"] != "pending"
        self.wait_for("a press has its outcome", is_ended)
        return self.newest_press()

    def _stored(self):
        return {os.path.join(folder, name) for folder, _, names in os.walk(self.store) for name in names if name.endswith(".jpg")}

    def examine(self, part, user=TECHNICIAN):
        """What the doctor finds of a part."""
        done = self.machine.try_run("platenctl", "doctor", "--part", part, "--json", user=user)
        return json.loads(done.stdout)["findings"]

    def findings(self, code, user=TECHNICIAN):
        """What the doctor finds of a code of the service."""
        return [finding for finding in self.examine("service", user) if finding.get("code") == code]

    def status_of(self, pid):
        """The lines of /proc/PID/status, by their names."""
        text = self.machine.run("cat", f"/proc/{pid}/status")
        return dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)


@contextlib.contextmanager
def linux_board(play):
    """The configuration for devices of the kernel, of which this one may have none, and for the login manager."""
    play.configure(text=configuration(play.url).replace("board: simulated", "board: linux") + "power: { method: logind }\n")
    try:
        yield
    finally:
        play.configure()
