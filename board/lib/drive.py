#!/usr/bin/env python3
"""Runs the service on a board and presses the shutter: with keys on a terminal, or N shots by itself.

Used by board/run. With --board simulated it moves the simulated rig through the API; with --board
rig it runs inside the virtual rig and moves the kernel's devices.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import threading
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from service import Service, ServiceError  # noqa: E402

POSITIONS = [0, 90, 180, 270]
LIBRARY = os.path.dirname(os.path.abspath(__file__))

SIMULATED_CONFIGURATION = """\
rig:
  id: simulated-rig
board: simulated
camera:
  size: 1920x1080
  frame_rate: 30
accelerometer:
  device: simulated
indicators:
  ready: { led: "rig:green:ready" }
  fault: { led: "rig:red:fault" }
  upload: { led: "rig:blue:upload" }
shutter:
  line: SHUTTER
thermal:
  zones: [simulated]
spool:
  directory: {directory}/spool
upload:
  url: {server}
api:
  socket: {directory}/platend.sock
"""


class SimulatedHands:
    """Moves the simulated rig through the service's API."""

    def __init__(self, service):
        self._service = service

    def _simulate(self, **command):
        status, answer = self._service.call("POST", "/v1/simulation", command)
        if status not in (200, 204):
            raise ServiceError(f"the simulated board refused {command}: {answer}")

    def press(self):
        """Presses and releases the shutter, bouncing like a real one."""
        self._simulate(action="press", durationMilliseconds=80, bounce=True)

    def turn(self, degrees):
        """Turns the rig clockwise to an angle as seen from behind the camera."""
        self._simulate(action="turn", degrees=degrees)

    def heat(self, celsius):
        """Heats or cools the rig."""
        self._simulate(action="heat", celsius=celsius)


class Receiver:
    """A real nginx on the loopback interface that takes the uploads."""

    def __init__(self, directory):
        self.directory = directory
        self.url = None

    def __enter__(self):
        os.makedirs(self.directory, exist_ok=True)
        started = subprocess.run([os.path.join(LIBRARY, "receiver"), "start", self.directory],
                                 stdout=subprocess.PIPE, text=True, check=False)
        if started.returncode != 0:
            raise ServiceError("the receiving server did not start; its message is above")
        self.url = started.stdout.strip().splitlines()[-1]
        return self

    def __exit__(self, *_):
        subprocess.run([os.path.join(LIBRARY, "receiver"), "stop", self.directory],
                       stdout=subprocess.DEVNULL, check=False)


def describe(report, root):
    """The line of one shot."""
    receipt = report["receipt"]
    name = urllib.parse.unquote(receipt["remoteName"])
    received = os.path.join(root, name) if root else None
    if received and os.path.exists(received):
        with open(received, "rb") as file:
            if hashlib.sha256(file.read()).hexdigest() != report["sha256"]:
                raise ServiceError(f"the server's copy \"{received}\" differs from what was stored")
    elif received:
        raise ServiceError(f"the server has no file \"{received}\" although it gave a receipt")
    return (f"shot {report['number']}: stored {report['path']}, "
            f"orientation {report['exifOrientation']}, "
            f"selection error {report['selectionErrorMilliseconds']:+.1f} ms, "
            f"press→frame {report['pressToFrameMilliseconds']:.1f} ms, "
            f"press→stored {report['pressToStoredMilliseconds']:.1f} ms, "
            f"receipt {receipt['status']} {receipt['target']} {receipt['remoteName']}")


def shots(service, hands, count, root):
    """Presses `count` times in changing positions; prints a line for each shot."""
    expected = {0: 1, 90: 6, 180: 3, 270: 8}
    for index in range(count):
        angle = POSITIONS[index % len(POSITIONS)]
        hands.turn(angle)
        service.wait_for(
            f"the rig is seen at {angle}°",
            lambda angle=angle: service.status()["rotation"]["captureAngle"] == angle, 10)
        before = service.last_press_number()
        hands.press()
        report = service.wait_for_press_after(before)
        if report["outcome"] != "stored":
            raise ServiceError(f"press {report['number']} was refused: {report['reason']}")
        report = service.wait_for_receipt(report["number"])
        if report["exifOrientation"] != expected[angle]:
            raise ServiceError(f"press {report['number']} has orientation "
                               f"{report['exifOrientation']}, expected {expected[angle]} at {angle}°")
        print(describe(report, root), flush=True)


def show_events(service):
    """Prints what happens, until the service ends."""
    try:
        for kind, event in service.events():
            details = {key: value for key, value in event.items()
                       if key not in ("id", "kind", "time") and value is not None}
            print(f"\r{kind}: {details}\r", flush=True)
    except (OSError, ServiceError):
        pass


def terminal(service, hands):
    """Takes keys until q: space presses, arrows turn, h heats, c cools."""
    import select
    import termios
    import tty
    print("space = press the shutter, left/right = turn the rig, h = heat, c = cool, q = quit")
    threading.Thread(target=show_events, args=(service,), daemon=True).start()
    saved = termios.tcgetattr(sys.stdin)
    angle, temperature = 0, 45
    try:
        tty.setcbreak(sys.stdin)
        while service.process.poll() is None:
            if not select.select([sys.stdin], [], [], 0.2)[0]:
                continue
            key = os.read(sys.stdin.fileno(), 8)
            if key in (b"q", b"\x04", b""):
                return
            if key == b" ":
                hands.press()
            elif key in (b"\x1b[C", b"\x1b[B"):
                angle = (angle + 90) % 360
                hands.turn(angle)
            elif key in (b"\x1b[D", b"\x1b[A"):
                angle = (angle - 90) % 360
                hands.turn(angle)
            elif key in (b"h", b"c"):
                temperature += 10 if key == b"h" else -10
                hands.heat(temperature)
                print(f"the rig has {temperature} °C now")
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, saved)
    raise ServiceError(f"the service ended by itself; the last lines of its log:\n"
                       f"{service.log_tail()}")


def main():
    """Parses the arguments and runs; any failure is one sentence and exit code 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True, help="the path of platend")
    parser.add_argument("--out", required=True, help="the directory for pictures, spool and log")
    parser.add_argument("--shots", type=int, help="press so many times and exit")
    arguments = parser.parse_args()
    out = os.path.abspath(arguments.out)
    os.makedirs(out, exist_ok=True)
    if arguments.shots is None and not sys.stdin.isatty():
        print("run: there is no terminal for the keys; use --shots N", file=sys.stderr)
        return 2
    service = None
    try:
        with Receiver(os.path.join(out, "receiver")) as receiver:
            root = os.path.join(receiver.directory, "store")
            text = SIMULATED_CONFIGURATION.replace("{server}", receiver.url)
            service = Service(arguments.binary, out, text)
            os.makedirs(os.path.join(out, "spool"), exist_ok=True)
            print(f"run: platend on the simulated board, uploads to {receiver.url}, "
                  f"log in {service.log_path}", flush=True)
            service.start()
            hands = SimulatedHands(service)
            try:
                if arguments.shots is None:
                    terminal(service, hands)
                else:
                    shots(service, hands, arguments.shots, root)
            finally:
                code = service.stop()
            if code != 0:
                raise ServiceError(f"platend ended with exit code {code}; the last lines of its "
                                   f"log:\n{service.log_tail()}")
    except ServiceError as error:
        print(f"run: {error}", file=sys.stderr)
        if service is not None:
            service.kill()
        return 1
    except KeyboardInterrupt:
        if service is not None:
            service.kill()
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
