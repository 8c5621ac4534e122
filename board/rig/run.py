# SPDX-License-Identifier: Apache-2.0
"""board/run --rig: the service in the virtual rig, uploading to a server outside of it.

With --shots the shutter is pressed inside the rig; on a terminal the keys move the rig's devices from outside.
"""

import argparse
import contextlib
import os
import signal
import sys
import threading

HERE = os.path.dirname(os.path.realpath(__file__))
LIBRARY = os.path.join(os.path.dirname(HERE), "lib")
sys.path[:0] = [HERE, LIBRARY]
from boards import VirtualRig  # noqa: E402
from campaign import end_on_signals  # noqa: E402
from conversation import RigError  # noqa: E402
from drive import receiver, tell_places  # noqa: E402
from machine import Machine  # noqa: E402
from service import ServiceError  # noqa: E402
from terminal import take_keys  # noqa: E402


class OutsideHands:
    """Moves the rig's devices from the host."""

    def __init__(self, machine):
        self._machine = machine

    def press(self):
        """Presses and releases the shutter."""
        self._machine.hands("shutter.press", 0.08)

    def turn(self, degrees):
        """Turns the rig clockwise to a quarter turn."""
        self._machine.hands("turn", degrees, *VirtualRig.SIZE)

    def heat(self, celsius):
        """Heats or cools the rig."""
        self._machine.hands("heat", celsius)


def write(text):
    """Shows what the guest prints, as it comes."""
    sys.stdout.write(text)
    sys.stdout.flush()


def run(machine, arguments, url, store):
    """Boots, starts the driver in the guest, and takes keys where there is a terminal."""
    print(f"run: booting the virtual rig ({arguments.kind})", flush=True)
    machine.boot()
    print(f"run: the rig is up after {machine.boot_seconds:.1f} s", flush=True)
    command = ["/usr/bin/python3", "-B", os.path.join(LIBRARY, "drive.py"), "--board", "rig",
               "--binary", arguments.binary, "--out", arguments.out, "--modules", f"{machine.kernel}/modules",
               "--server", url.replace("127.0.0.1", "10.0.2.2"), "--store", store]
    if arguments.shots is not None:
        status = machine.run(command + ["--shots", str(arguments.shots)], out=write, err=write, timeout=600).status
        machine.shutdown()
        return status
    driver = machine.start(command + ["--events-only"], out=write, err=write)
    ended = threading.Event()

    def watch():
        with contextlib.suppress(RigError):  # the rig may lose its power before the driver has ended
            driver.wait(timeout=10 ** 6)
        ended.set()

    threading.Thread(target=watch, daemon=True).start()
    is_quit = take_keys(OutsideHands(machine), lambda: not ended.is_set())
    if is_quit:
        driver.signal(signal.SIGTERM)
        ended.wait(30)
    machine.shutdown()
    return 0 if is_quit else 1


def main():
    """Parses the arguments; any failure is one sentence and exit code 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", default="uml", choices=("uml", "qemu"))
    parser.add_argument("--binary", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--shots", type=int)
    arguments = parser.parse_args()
    if arguments.shots is None and not sys.stdin.isatty():
        print("run: there is no terminal for the keys; use --shots N", file=sys.stderr)
        return 2
    end_on_signals()
    out = os.path.realpath(arguments.out)
    arguments.out = os.path.join(out, "rig")
    os.makedirs(arguments.out, exist_ok=True)
    try:
        with receiver(os.path.join(out, "receiver")) as (url, store), \
                Machine(arguments.kind, work_dir=arguments.out, disk=os.path.join(out, "data.ext4"),
                        shares=[os.path.join(out, "receiver")]) as machine:
            status = run(machine, arguments, url, store)
        # The spool is on the rig's disk, a file here.
        tell_places(store, os.path.join(arguments.out, "platend.log"), os.path.join(out, "data.ext4"))
        return status
    except (RigError, ServiceError) as error:
        print(f"run: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
