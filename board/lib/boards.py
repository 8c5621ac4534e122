"""The two boards that board/run can drive: how each is configured, and the hands that move it."""

import os
import sys

from pageaccess import free_port, token

CONFIGURATION = """\
rig: {{ id: {rig} }}
board: {board}
camera:
  size: {size}
  frame_rate: {frame_rate}
shutter: {{ line: SHUTTER }}
accelerometer:
  device: lis3dh
{accelerometer}indicators:
  ready: {{ led: "rig:green:ready" }}
  fault: {{ led: "rig:red:fault" }}
  upload: {{ led: "rig:blue:upload" }}
thermal:
  zones: [cpu-thermal]
spool: {{ directory: {spool} }}
targets: {{ server: {{ kind: webdav, url: "{server}" }} }}
api: {{ socket: "{{socket}}", rate: 1000{page} }}
"""


class SimulatedBoard:
    """The simulated board, moved through the service's API."""

    SOCKET = None

    def __init__(self, has_page=False, has_movies=False):
        self._service, self._page, self.page = None, "", None
        self._has_movies = has_movies
        if has_page:
            (text, digest), port = token(), free_port()
            self._page = f', tcp: {{ port: {port}, tokens: {{ board-run: {{ hash: "{digest}", allow: act }} }} }}'
            self.page = f"the page in the browser is at http://127.0.0.1:{port}/, its token is {text}"

    def configuration(self, server):
        """The YAML of the simulated board; `{directory}` stands for the run's directory."""
        # An emulated processor encodes ten small frames a second.
        size, frame_rate = ("640x480", 10) if self._has_movies else ("1920x1080", 30)
        movies = "movie: { enabled: true }\n" if self._has_movies else ""
        return movies + CONFIGURATION.format(rig="simulated-rig", board="simulated", size=size, frame_rate=frame_rate,
                                             accelerometer="", spool="{directory}/spool", server=server, page=self._page)

    def attach(self, service):
        """Takes the running service whose world is to be moved."""
        self._service = service

    def press(self):
        """Presses and releases the shutter, bouncing like a real one."""
        self._service.simulate("press", durationMilliseconds=80, bounce=True)

    def turn(self, degrees):
        """Turns the rig clockwise to an angle as seen from behind the camera."""
        self._service.simulate("turn", degrees=degrees)

    def heat(self, celsius):
        """Heats or cools the rig."""
        self._service.simulate("heat", celsius=celsius)


class VirtualRig:
    """The virtual rig's kernel devices, moved by the hands inside it."""

    # vimc copies its frames on the CPU; larger ones would not come every 40 ms.
    SIZE = (960, 720)
    SPOOL = "/var/lib/platen/spool"
    # The run's directory is the host's, and over 9p no socket can be made there.
    SOCKET = "/run/platend.sock"
    # No network leads into the rig.
    page = None

    def __init__(self, modules):
        sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "rig", "guest"))
        from hands import Hands
        self._hands = Hands(modules)
        self._hands.camera.interval(40)
        self.turn(0)

    def configuration(self, server):
        """The YAML of the virtual rig's board."""
        return CONFIGURATION.format(rig="virtual-rig", board="linux", size="{}x{}".format(*self.SIZE), frame_rate=25,
                                    spool=self.SPOOL, server=server, page="",
                                    accelerometer="  trigger: rigtrig\n  frozen_after: off\n")

    def attach(self, service):
        """The kernel's devices need no service to be moved."""

    def press(self):
        """Presses and releases the shutter."""
        self._hands.shutter.press(0.08)

    def turn(self, degrees):
        """Turns the rig clockwise to a quarter turn as seen from behind the camera."""
        self._hands.turn(degrees, *self.SIZE)

    def heat(self, celsius):
        """Heats or cools the rig."""
        self._hands.heat(celsius)
