#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Proves the virtual rig: boots it, runs guest/checks.py in it, calls the hands from outside, cuts the power.

board/rig/selftest.py [uml] [qemu]        one PASS or FAIL line a device; exit status 0 if all passed
"""

import hashlib
import http.server
import os
import sys
import tempfile
import threading

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
from conversation import RigError  # noqa: E402
from machine import HERE, Machine, end_on_signals  # noqa: E402


class Receiver(http.server.BaseHTTPRequestHandler):
    """Answers a POST with the SHA-256 of its body."""

    def do_GET(self):
        """Says that it is here."""
        self._answer(b"rig")

    def do_POST(self):
        """Digests what was sent."""
        if self.headers.get("Expect") == "100-continue":
            self.send_response_only(100)
            self.end_headers()
        self._answer(hashlib.sha256(self.rfile.read(int(self.headers["Content-Length"]))).hexdigest().encode())

    def handle_expect_100(self):
        """Leaves it to do_POST."""
        return True

    def log_message(self, *unused):
        """Says nothing."""

    def _answer(self, body):
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def check_power_cut(machine):
    """What was synced before the cut is on the disk after it; returns the seconds of the second boot."""
    write = "import os; f = open('/var/lib/platen/kept', 'w'); f.write('kept'); f.flush(); os.fsync(f.fileno()); d = os.open('/var/lib/platen', 0); os.fsync(d)"
    command = machine.run(["python3", "-c", write])
    if command.status != 0:
        raise RigError(f"the data disk cannot be written: {command.stderr}")
    machine.power_cut()
    machine.boot()
    kept = machine.run(["cat", "/var/lib/platen/kept"]).stdout
    if kept != "kept":
        raise RigError(f'a file that was synced before the power cut reads "{kept}" after it')
    return machine.boot_seconds


def test(kind, port):
    """All of it for one kind of rig; returns the number of failures."""
    with tempfile.TemporaryDirectory(prefix="platen-rig-") as folder:
        with Machine(kind, work_dir=f"{folder}/work", disk=f"{folder}/data.ext4") as machine:
            machine.boot()
            print(f"PASS boot: {kind} ready after {machine.boot_seconds:.2f} s", flush=True)
            modules = f"/mnt/host{machine.kernel}/modules"
            checks = machine.run(["python3", f"{HERE}/guest/checks.py", modules, str(port)], out=show, err=show)
            failed = checks.status
            try:
                before, after = machine.hands("shutter.press", 0.02)
                if not before < after:
                    raise RigError("the press from the host has no instant")
                print(f"PASS host: a press through the agent; power cut, ready again after {check_power_cut(machine):.2f} s", flush=True)
            except RigError as error:
                print(f"FAIL host: {error}", flush=True)
                failed += 1
            machine.shutdown()
    return failed


def show(text):
    """Passes the guest's words on."""
    print(text, end="", flush=True)


def main():
    """The command line."""
    end_on_signals()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    failed = 0
    for kind in sys.argv[1:] or ("uml", "qemu"):
        try:
            failed += test(kind, server.server_port)
        except RigError as error:
            print(f"FAIL {kind}: {error}", flush=True)
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
