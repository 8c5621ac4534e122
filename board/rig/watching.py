# SPDX-License-Identifier: Apache-2.0
"""The rig's camera in a browser outside of the rig: the canvas has the frames that the kernel has painted, and how late it has them."""

import os
import signal
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
from service import looks  # noqa: E402
from tunnel import Tunnel  # noqa: E402

WIDTH, HEIGHT = 960, 720
# The time from frame to frame, 15 a second, and how many pictures of the canvas are looked at.
INTERVAL, PICTURES = 67, 100
CONFIGURATION = """\
rig: {{ id: virtual-rig }}
board: linux
camera: {{ size: {width}x{height}, frame_rate: 15, ring_frames: 12, stall_timeout: 10 s, maximum_wait: 20 s }}
spool: {{ directory: /var/lib/platen/watched, minimum_free: 1 MiB }}
api: {{ socket: /run/watched.sock, rate: 1000, tcp: {{ port: {port}, tokens: {{ builder: {{ hash: "{builder}", allow: act }} }} }} }}
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
    machine.hands("camera.resume")
    machine.hands("camera.delay", 0)
    machine.hands("camera.interval", INTERVAL)
    machine.hands("camera.numbered")
    path = os.path.join(machine.work_dir, "watched.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(CONFIGURATION.format(width=WIDTH, height=HEIGHT, port=port, builder=builder_hash))
    program = install(binary, os.path.join(folder, "watched"))
    rig = types.SimpleNamespace(address=f"http://127.0.0.1:{port}/", builder=builder)
    with Tunnel(port) as tunnel, Chromium(machine.work_dir) as browser:
        service = machine.start([program, "--config", path])
        way = machine.start(["/usr/bin/python3", "-B", os.path.join(HERE, "tunnel.py"), tunnel.outer, port])
        try:
            ages = sorted(look(machine, Tab(browser), rig))
        except (BrowserError, PlayError) as error:
            raise RigError(f"{error}; the service said last: {(service.stdout + service.stderr)[-1500:]}") from error
        finally:
            way.signal(signal.SIGKILL)
            service.signal(signal.SIGTERM)
            status = service.wait(60)
    if status != 0:
        raise RigError(f"the service ended with {status}, and said last: {(service.stdout + service.stderr)[-1500:]}")
    return (f"page: {len(ages)} pictures are on the canvas of a browser outside at most {ages[len(ages) // 2]:.0f} ms after their frame in the "
            f"middle, {ages[len(ages) * 95 // 100]:.0f} ms at the 95th (goal 100 ms)")


def look(machine, tab, rig):
    """The ages of the pictures on the canvas in milliseconds, at most, each of another frame than the one before."""
    tab.resize(1440, 900)
    plays.sign_in(tab, rig, rig.builder)
    tab.wait_for("the views are shown", "document.querySelector('nav')")
    plays.show(tab, "aim")
    tab.wait_for("the live picture is there", "document.querySelector('canvas.live').dataset.painted > 10")
    tab.evaluate(NOTE)
    stamps, seen = {}, {}
    for _ in looks(60):
        time.sleep(1)
        for row, painted in tab.evaluate("seen.splice(0)"):
            # The newest frame comes again when no other has come for two seconds.
            seen.setdefault(read_number(row, 0, 1), painted)
        stamps |= {number: stamp for number, stamp, _ in machine.hands("camera.frames")}
        if len(seen) >= PICTURES:
            break
    if unknown := [number for number in seen if number not in stamps]:
        raise PlayError(f"the canvas has shown pictures that the kernel has not painted: {unknown}")
    if len(seen) < PICTURES or list(seen) != sorted(seen):
        raise PlayError(f"the canvas has not shown {PICTURES} frames in their order: {list(seen)}")
    (_, rig_lead), (browser_lead, _) = lead(lambda: machine.hands("clock")), lead(lambda: tab.evaluate("performance.now()") * 1e6)
    plays.unbroken(tab)
    return [(painted * 1e6 - browser_lead + rig_lead - stamps[number]) / 1e6 for number, painted in seen.items()]
