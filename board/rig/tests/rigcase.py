# SPDX-License-Identifier: Apache-2.0
"""What the tests inside the virtual rig share: the unmodified service, its configuration, hands, and pages to inject."""

import glob
import hashlib
import io
import os
import shutil
import sys
import unittest
import urllib.parse

HERE = os.path.dirname(os.path.realpath(__file__))
BOARD = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(BOARD, "lib"), os.path.join(BOARD, "rig", "guest")]

from PIL import Image, ImageOps  # noqa: E402

from camera import read_number  # noqa: E402
from campaign import chosen_seed  # noqa: E402
from hands import Hands  # noqa: E402
from page import page_seen  # noqa: E402
from service import PATIENCE, Service, looks, until_taken  # noqa: E402
from wiring import CLOCKWISE  # noqa: E402

BINARY = os.environ.get("PLATEN_BINARY", "platend")
SERVER_URL = os.environ.get("PLATEN_SERVER_URL")
SERVER_STORE = os.environ.get("PLATEN_SERVER_STORE")
MODULES = os.environ.get("PLATEN_RIG_MODULES")
SEED = chosen_seed()
WIDTH, HEIGHT = 960, 720
INTERVAL_MS = 40
ORIENTATION = {0: 1, 90: 6, 180: 3, 270: 8}

CLASS_LEDS = """\
  ready: { led: "rig:green:ready" }
  fault: { led: "rig:red:fault" }
  upload: { led: "rig:blue:upload" }
"""
LED_LINES = """\
  ready: { line: LED_READY }
  fault: { line: LED_FAULT }
  upload: { line: LED_BUSY }
"""


# The silence of a camera that a busy host may cause; a press waits twice as long for its frame then.
BORNE = "10 s"


def figure(text):
    """Prints a figure for the last lines of the run."""
    print(f"figure: {text}", flush=True)


def configuration(lights=CLASS_LEDS, upload=True, size=(WIDTH, HEIGHT), camera="", thermal="", extra="", stall=BORNE):
    """The YAML of the virtual rig's board; its camera may be silent, and a press unread, as long as a busy host may hold them up."""
    if "ring_frames" not in camera:
        camera += "  ring_frames: 12\n"
    text = f"""\
rig: {{ id: virtual-rig }}
board: linux
camera:
  size: {size[0]}x{size[1]}
  frame_rate: 25
  stall_timeout: {stall}
  maximum_wait: 20 s
{camera}shutter:
  line: SHUTTER
accelerometer:
  device: lis3dh
  trigger: rigtrig
  rate: 25
  frozen_after: off
indicators:
{lights}thermal:
  zones: [cpu-thermal]
  interval: 200 ms
{thermal}spool:
  directory: {{directory}}/spool
  minimum_free: 1 MiB
api:
  socket: {{socket}}
  rate: 1000
{extra}"""
    if upload:
        text += f"targets:\n  server: {{ kind: webdav, url: \"{SERVER_URL}\", retry_minimum: 200 ms, retry_maximum: 2 s }}\n"
    return text


def is_upright(jpeg):
    """Whether a JPEG, shown as its EXIF Orientation says, has the page's top at the top."""
    image = ImageOps.exif_transpose(Image.open(io.BytesIO(jpeg))).convert("RGB")
    width, height = image.size
    top = image.getpixel((width // 2, 40 + height // 16))
    bottom = image.getpixel((width // 2, height - height // 16))
    return top[0] > 150 and top[2] < 90 and bottom[2] > 150 and bottom[0] < 90


def orientation_of(jpeg):
    """The EXIF Orientation of a JPEG."""
    return Image.open(io.BytesIO(jpeg)).getexif().get(0x0112)


def frame_number_of(jpeg):
    """The number that the kernel painted into the frame of a JPEG."""
    image = Image.open(io.BytesIO(jpeg)).convert("RGB")
    return read_number(image.tobytes(), image.size[0] * 3)


def sha256(data):
    """The SHA-256 of bytes as the service writes it."""
    return hashlib.sha256(data).hexdigest()


class RigCase(unittest.TestCase):
    """A test with the rig in order at its beginning and a service that is gone at its end."""

    def setUp(self):
        self.hands = Hands(MODULES)
        self.services = []
        self.directory = os.path.join("/var/lib/platen", self.id().rsplit(".", 1)[-1])
        shutil.rmtree(self.directory, ignore_errors=True)
        os.makedirs(self.directory)
        self.hands.shutter.release()
        self.hands.camera.resume()
        self.hands.camera.delay(0)
        self.hands.camera.interval(INTERVAL_MS)
        self.inject(0)
        self.hands.camera.numbered(False)
        self.hands.heat(None)
        self.hands.accelerometer.place("portrait")

    def tearDown(self):
        for service in self.services:
            if not self._passed():
                print(f"--- the end of {service.log_path}:\n{service.log_tail(30)}---", file=sys.stderr, flush=True)
            service.kill()
        shutil.rmtree(self.directory, ignore_errors=True)

    def _passed(self):
        outcome = getattr(self, "_outcome", None)
        result = getattr(outcome, "result", None)
        troubled = [case for case, _ in getattr(result, "failures", []) + getattr(result, "errors", [])]
        current = getattr(outcome, "errors", [])
        return self not in troubled and not any(error for _, error in current if error)

    def start(self, text=None, ready=True, account=None):
        """Starts the service, as `account` if that is given, and waits until it is ready, by default."""
        service = Service(BINARY, self.directory, text or configuration(), account=account)
        self.services.append(service)
        return service.start(wait_until_ready=ready)

    def inject(self, angle=0, size=(WIDTH, HEIGHT)):
        """Shows the page as a rig turned by `angle` sees it."""
        self.hands.camera.inject(page_seen(angle, *size).tobytes(), *size)

    def place(self, service, angle):
        """Turns the rig and waits until the service knows."""
        self.hands.accelerometer.place(CLOCKWISE[angle])
        service.wait_for(f"the rig is seen at {angle}°",
                         lambda: service.status()["rotation"]["captureAngle"] == angle, 5)

    def press(self, service, seconds=0.05, button=None):
        """Presses the shutter, or another button, once and returns the report of the press when it has its outcome."""
        before = service.last_press_number()
        button = button or self.hands.shutter
        button.press(seconds)
        report = service.wait_for_press_after(before)
        self.rest(button)
        return report

    def rest(self, button=None):
        """Keeps the finger off the shutter, or another button, for longer than the quiet time, as any hand does."""
        (button or self.hands.shutter).rest(0.06)

    def stored(self, service, seconds=0.05, button=None):
        """Presses a button and requires a stored picture of a moment at which the host let the camera work."""
        report = until_taken(lambda: self.press(service, seconds, button))
        self.assertEqual(report["outcome"], "stored", report)
        return report

    def received(self, service, report):
        """Waits for a picture's receipt and returns the bytes that the server has."""
        report = service.wait_for_receipt(report["number"])
        path = os.path.join(SERVER_STORE, urllib.parse.unquote(report["receipt"]["remoteName"]))
        with open(path, "rb") as file:
            return file.read()

    def server_files(self):
        """All pictures at the server, by the item's identity: {id: [path, ...]}."""
        files = {}
        for path in glob.glob(os.path.join(SERVER_STORE, "**", "*.jpg"), recursive=True):
            files.setdefault(os.path.basename(path).rsplit("-", 1)[0], []).append(path)
        return files

    def until(self, what, condition, seconds=10):
        """Polls until a condition holds: `seconds` by a machine that does nothing else, and PATIENCE times that by any."""
        for _ in looks(seconds):
            value = condition()
            if value:
                return value
        return self.fail(f"after {seconds * PATIENCE} s it is still not true that {what}")
