# SPDX-License-Identifier: Apache-2.0
"""What the camera sees and how it fails: vimc with the hooks of vimc/vimc-rig.c, which describes each file."""

import contextlib
import glob
import os
import re
import time

import devices

HOOKS = "/sys/kernel/debug/vimc-rig"
DRIVER = "/sys/bus/platform/drivers/vimc"
DEVICE, SECOND = "vimc.0", "vimc.1"
NODE_KINDS = ("media", "video", "v4l-subdev")
BLOCK, BITS = 16, 32


class Camera:
    """The camera's world. Settings stay until changed, also while the camera does not stream."""

    def inject(self, page, width, height):
        """Shows `page`, height rows of width R, G, B bytes, from the next frame on; no frame is half old, half new.

        Width and height must be those of the stream: vimc rounds the width down to a multiple of 6.
        """
        if len(page) != width * height * 3:
            raise ValueError(f"the page has {len(page)} bytes; {width}x{height} RGB needs {width * height * 3}")
        with open(f"{HOOKS}/frame", "wb", buffering=0) as file:
            view = memoryview(page)
            while view:
                view = view[file.write(view) :]
        self._set("source", 1)

    def pattern(self):
        """Shows the driver's own test pattern again."""
        self._set("source", 0)

    def numbered(self, on=True):
        """Paints each frame's number into its top left corner (read_number reads it), or leaves it."""
        self._set("numbered", int(on))

    def stall(self):
        """No more frames, without an error, until resume()."""
        self._set("fault", 1)

    def errors(self):
        """Frames come back marked as erroneous until resume()."""
        self._set("fault", 2)

    def resume(self):
        """Ends stall() and errors()."""
        self._set("fault", 0)

    def interval(self, milliseconds):
        """The time from frame to frame; 0 is the driver's own pace, about 20 ms."""
        self._set("interval_ms", milliseconds)

    def delay(self, milliseconds):
        """The time from a frame's timestamp to its delivery."""
        self._set("delay_ms", milliseconds)

    def number(self):
        """The number of the last frame."""
        return int(devices.read(f"{HOOKS}/counter"))

    def frames(self):
        """The last 256 delivered frames, oldest first: [[number, timestamp ns, "ok" or "error"], ...].

        A V4L2 timestamp has whole microseconds: it is this one rounded down. A missing number found no buffer.
        """
        lines = devices.read(f"{HOOKS}/frames").splitlines()
        return [[int(number), int(stamp), state] for number, stamp, state in (line.split() for line in lines)]

    def nearest(self, instant):
        """The delivered frame nearest to `instant`: [number, timestamp ns, state]; None if there is none."""
        return min(self.frames(), key=lambda frame: abs(frame[1] - instant), default=None)

    def unbind(self, device=DEVICE):
        """Unplugs the camera, or the second one."""
        devices.write(f"{DRIVER}/unbind", device)

    def bind(self, device=DEVICE):
        """Plugs the camera in again, or the second one; returns when its device nodes are there."""
        devices.write(f"{DRIVER}/bind", device)
        deadline = time.monotonic() + 5
        while not self.is_plugged(device) and time.monotonic() < deadline:
            time.sleep(0.01)

    def bind_if_needed(self, device=DEVICE):
        """Plugs a camera in that is not."""
        with contextlib.suppress(OSError):
            self.bind(device)

    def is_plugged(self, device=DEVICE):
        """Whether a camera's media node is there."""
        return any(os.path.exists(f"/dev/{os.path.basename(path)}")
                   for path in glob.glob(f"/sys/bus/platform/devices/{device}/media*"))

    @staticmethod
    def video_node(name):
        """The device node of a video device by its name, for example "RGB/YUV Capture"."""
        for path in sorted(glob.glob("/sys/class/video4linux/video*")):
            if devices.read(f"{path}/name") == name:
                return f"/dev/{os.path.basename(path)}"
        raise LookupError(f'there is no video device "{name}"')

    @staticmethod
    def nodes(*kinds):
        """The device nodes of all cameras, of these kinds: "media", "video", "v4l-subdev"; all kinds without any."""
        kinds = "|".join(kinds or NODE_KINDS)
        return sorted(f"/dev/{name}" for name in os.listdir("/dev") if re.fullmatch(f"({kinds})[0-9]+", name))

    def _set(self, name, value):
        devices.write(f"{HOOKS}/{name}", value)


def read_number(pixels, stride, bytes_per_pixel=3, threshold=128):
    """The number in a frame with numbered() on, from its pixels (raw, or decoded from a JPEG); None if there is none.

    Looks at the middle of each block, at the first color of the pixel, so that compression does not matter.
    """
    row = (BLOCK // 2) * stride
    bits = [pixels[row + (block * BLOCK + BLOCK // 2) * bytes_per_pixel] >= threshold for block in range(BITS + 4)]
    if bits[:2] != [True, False] or bits[-2:] != [False, True]:
        return None
    return sum(bit << (BITS - 1 - place) for place, bit in enumerate(bits[2:-2]))
