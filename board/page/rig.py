# SPDX-License-Identifier: Apache-2.0
"""The service whose page is tested: platend on the simulated board, with the API on a port of the loopback interface."""

import os
import shutil

from campaign import service_binary
from pageaccess import free_port, token
from service import Service

HERE = os.path.dirname(os.path.realpath(__file__))
CONFIGURATION = """\
rig: {{ id: page-test }}
board: simulated
camera: {{ size: 1920x1080, frame_rate: {frame_rate}, ring_frames: 12, mounting_angle: {mounting_angle}, stall_timeout: 10 s, maximum_wait: 20 s }}
shutter: {{ line: SHUTTER }}
accelerometer: {{ device: lis3dh }}
indicators: {{ ready: {{ led: "rig:green:ready" }}, fault: {{ led: "rig:red:fault" }}, upload: {{ led: "rig:blue:upload" }} }}
thermal: {{ zones: [cpu-thermal] }}
# The program that records is not beside the service, so that each recording is refused.
movie: {{ enabled: true }}
spool: {{ directory: {{directory}}/spool, minimum_free: 1 MiB }}
# Nothing listens there, so that a target waits.
targets: {{ office: {{ kind: put, url: "http://127.0.0.1:9/", retry_minimum: 30 s }} }}
api:
  socket: "{{socket}}"
  rate: 1000
  tcp:
    port: {port}
    tokens:
      reader: {{ hash: "{reader}", allow: read }}
      builder: {{ hash: "{builder}", allow: act }}
"""


def install(binary, folder):
    """Puts the program and the page where a package has them; returns the program's path."""
    programs = os.path.join(folder, "bin")
    os.makedirs(programs)
    shutil.copytree(os.path.join(os.path.dirname(os.path.dirname(HERE)), "page"), os.path.join(folder, "share", "platen", "page"))
    return service_binary(binary, programs)


class Rig:
    """The running service with its two tokens: `reader` may look, `builder` may act."""

    FRAME_RATE = 15

    def __init__(self, binary, folder, mounting_angle=0):
        os.makedirs(folder)
        self.reader, reader_hash = token()
        self.builder, builder_hash = token()
        port = free_port()
        self.mounting_angle = mounting_angle
        self.address = f"http://127.0.0.1:{port}/"
        self.service = Service(binary, folder, CONFIGURATION.format(
            frame_rate=self.FRAME_RATE, mounting_angle=mounting_angle, port=port, reader=reader_hash, builder=builder_hash))

    def __enter__(self):
        self.service.start()
        return self

    def __exit__(self, *_):
        self.service.kill()

