# SPDX-License-Identifier: Apache-2.0
"""The rig's camera in a browser outside of the rig: the canvas has the frames that the kernel has painted, and how late it has them."""

import os
import sys
import time
import types

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path += [os.path.join(HERE, "guest"), os.path.join(os.path.dirname(HERE), "page")]
from camera import BLOCK, read_number  # noqa: E402
from chromium import BrowserError, Chromium, Tab  # noqa: E402
from conversation import RigError  # noqa: E402
from pageaccess import free_port, token  # noqa: E402
import plays  # noqa: E402
from plays import PlayError  # noqa: E402
from rig import install  # noqa: E402
from tunnel import Tunnel  # noqa: E402

WIDTH, HEIGHT = 960, 720
# The time from frame to frame, 15 a second, and how many pictures of the canvas are looked at.
INTERVAL, PICTURES = 67, 100
CONFIGURATION = """\
rig: {{ id: virtual-rig }}
board: linux
camera: {{ size: {width}x{height}, frame_rate: 15, ring_frames: 12, stall_timeout: 10 s, maximum_wait: 20 s }}
spool: {{ directory: /var/lib/platen/watched, minimum_free: 1 MiB }}
api: {{ socket: {socket}, rate: 1000, tcp: {{ port: {port}, tokens: {{ builder: {{ hash: "{builder}", allow: act }} }} }} }}
"""
# Notes with each picture the row of the canvas that has the kernel's number, and when the canvas had it.
NOTE = f"""(() => {{ const canvas = document.querySelector("canvas.live"); globalThis.seen = [];
  new MutationObserver(() => {{
    const scale = canvas.width / {WIDTH};
    const {{ data }} = canvas.getContext("2d").getImageData(0, Math.floor({BLOCK // 2} * scale), canvas.width, 1);
    const row = Array.from({{ length: {WIDTH} }}, (_, column) => data[4 * Math.floor((column + 0.5) * scale)]);
    seen.push([row, performance.now()]);
  }}).observe(canvas, {{ attributeFilter: ["data-painted"] }}); }})()"""


def lead(clock):
    """The nanoseconds by which another clock is ahead of this process's, at least and at most: an answer takes time."""
    readings = [(time.monotonic_ns(), clock(), time.monotonic_ns()) for _ in range(50)]
    return max(said - answered for _, said, answered in readings), min(said - asked for asked, said, _ in readings)


def watch(machine, binary, folder):
    """Plays the page in a browser; returns a sentence with the age of the pictures, and raises RigError for a wrong one."""
    (builder, builder_hash), port = token(), free_port()
    machine.hands("camera.interval", INTERVAL)
    machine.hands("camera.numbered")
    path = os.path.join(machine.work_dir, "watched.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(CONFIGURATION.format(width=WIDTH, height=HEIGHT, socket=os.path.join("/run", "watched.sock"), port=port, builder=builder_hash))
    service = machine.start([install(binary, os.path.join(folder, "watched")), "--config", path])
    rig = types.SimpleNamespace(address=f"http://127.0.0.1:{port}/", builder=builder)
    stamps, seen = {}, []
    with Tunnel(port) as tunnel, Chromium(machine.work_dir) as browser:
        way = machine.start(["/usr/bin/python3", "-B", os.path.join(HERE, "tunnel.py"), tunnel.outer, port])
        try:
            tab = Tab(browser)
            tab.resize(1440, 900)
            plays.sign_in(tab, rig, builder)
            tab.wait_for("the views are shown", "document.querySelector('nav')")
            plays.show(tab, "aim")
            tab.wait_for("the live picture is there", "document.querySelector('canvas.live').dataset.painted > 10")
            tab.evaluate(NOTE)
            while len(seen) < PICTURES:
                time.sleep(1)
                seen += [(read_number(row, 0, 1), painted) for row, painted in tab.evaluate("seen.splice(0)")]
                stamps |= {number: stamp for number, stamp, _ in machine.hands("camera.frames")}
            (_, rig_lead), (browser_lead, _) = lead(lambda: machine.hands("clock")), lead(lambda: tab.evaluate("performance.now()") * 1e6)
        finally:
            way.signal(9)
            service.signal(15)
    numbers = [number for number, _ in seen]
    if numbers != sorted(set(numbers)) or not set(numbers) <= set(stamps):
        raise RigError(f"the canvas has shown frames that the kernel has not painted, or not in their order: {numbers}")
    late = sorted((painted * 1e6 - browser_lead + rig_lead - stamps[number]) / 1e6 for number, painted in seen)
    return (f"page: {len(late)} pictures are on the canvas of a browser outside at most {late[len(late) // 2]:.0f} ms after their frame in the middle, "
            f"{late[len(late) * 95 // 100]:.0f} ms at the 95th (goal 100 ms)")
