# SPDX-License-Identifier: Apache-2.0
"""A peer: a warm GStreamer pipeline, whose valve a press opens for the next frame.

gstvalve.py WIDTH HEIGHT      a line in: the path of a picture; a line out: "done" when it is durable, else "failed" and why
"""

import os
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
from gi.repository import Gst, GstApp  # noqa: E402, F401

PATIENCE = 20


def durable(data, path):
    """Writes a file under another name, forces it to the disk, gives it its name, and forces that to the disk."""
    with open(f"{path}.part", "wb", buffering=0) as file:
        view = memoryview(data)
        while view:
            view = view[file.write(view):]
        os.fsync(file.fileno())
    os.rename(f"{path}.part", path)
    folder = os.open(os.path.dirname(path), os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


def picture(sink, valve):
    """The next frame as JPEG; None when none comes."""
    while sink.try_pull_sample(0):
        pass
    valve.set_property("drop", False)
    sample = sink.try_pull_sample(PATIENCE * Gst.SECOND)
    valve.set_property("drop", True)
    return sample and sample.get_buffer()


def main(width, height):
    """Takes a picture to get warm, then one for each line."""
    Gst.init(None)
    pipeline = Gst.parse_launch(
        f"libcamerasrc ! video/x-raw,format=RGB,width={width},height={height} ! valve name=valve drop=true"
        " ! jpegenc quality=90 ! appsink name=sink sync=false max-buffers=2")
    sink, valve = pipeline.get_by_name("sink"), pipeline.get_by_name("valve")
    pipeline.set_state(Gst.State.PLAYING)
    print("ready" if picture(sink, valve) else "failed: no frame", flush=True)
    for line in sys.stdin:
        buffer = picture(sink, valve)
        if not buffer:
            print("failed: no frame", flush=True)
            continue
        _, mapped = buffer.map(Gst.MapFlags.READ)
        try:
            durable(bytes(mapped.data), line.strip())
            print("done", flush=True)
        except OSError as error:
            print(f"failed: {error}", flush=True)
        buffer.unmap(mapped)
    pipeline.set_state(Gst.State.NULL)


if __name__ == "__main__":
    main(*sys.argv[1:])
