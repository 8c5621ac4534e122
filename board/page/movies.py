# SPDX-License-Identifier: Apache-2.0
"""A recording that was closed, and one that was cut off, play to their ends in the browser, in MediaInfo and in ffprobe, without a repair."""

import json
import os
import signal
import subprocess

from campaign import recording_binary
from plays import expect
from rig import Rig

# Plays a file, faster than it was recorded, to its end; returns the time that was reached, and how many pixels it is wide.
PLAYED = """new Promise((resolve, reject) => {{
  document.body.innerHTML = "<video muted>";
  const video = document.querySelector("video");
  video.onerror = () => reject(new Error(video.error.message));
  video.onended = () => resolve([video.currentTime, video.videoWidth]);
  video.src = {address};
  video.playbackRate = 4;
  video.play().catch(reject);
}})"""


def install(given, folder):
    """Puts the program and its recorder where a package has them; returns the program's path."""
    os.makedirs(os.path.join(folder, "bin"))
    return recording_binary(given, os.path.join(folder, "bin"))


def record(rig, cut):
    """Records some seconds, and closes the recording or cuts it off; returns the path of its file."""
    before = set(files(rig))
    status, answer = rig.service.call("POST", "/v1/movie/start", timeout=300)
    expect(status == 200, f"no recording begins: {answer}")
    rig.service.wait_for("some seconds are recorded", lambda: rig.service.get("/v1/movie")["frames"] >= 4 * rig.FRAME_RATE, 60)
    if cut:
        # Nobody notices anything before the end.
        process = rig.service.process.pid
        os.kill(process, signal.SIGSTOP)
        for child in subprocess.run(["pgrep", "--parent", str(process)], capture_output=True, text=True, check=True).stdout.split():
            os.kill(int(child), signal.SIGKILL)
        rig.service.kill()
        rig.service.start()
    else:
        status, answer = rig.service.call("POST", "/v1/movie/stop", timeout=300)
        expect(status == 200 and answer["outcome"] == "stored", f"the recording is not stored: {answer}")
    return rig.service.wait_for("the recording is among the items", lambda: next(iter(set(files(rig)) - before), None), 60)


def files(rig):
    """The movies among the items of the spool."""
    items = os.path.join(rig.service.directory, "spool", "items")
    return [os.path.join(folder, name) for folder, _, names in os.walk(items) for name in names if name.endswith(".mp4")]


def told(*command):
    """What a program tells of a file in JSON."""
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def play(tab, given, folder):
    """Records, and compares what three programs find; returns the seconds of both recordings."""
    binary, seconds = install(given, folder), []
    player = os.path.join(folder, "player.html")
    with open(player, "w", encoding="ascii") as file:
        file.write("<!doctype html><title>Player</title>")
    tab.navigate("file://" + player)
    with Rig(binary, os.path.join(folder, "rig")) as rig:
        for cut in (False, True):
            path = record(rig, cut)
            probed = told("ffprobe", "-v", "error", "-count_frames", "-show_streams", "-show_format", "-of", "json", path)
            frames, length = int(probed["streams"][0]["nb_read_frames"]), float(probed["format"]["duration"])
            name = f"the recording that was {'cut off' if cut else 'closed'}"
            expect(frames > 2 * rig.FRAME_RATE, f"{name} has {frames} frames")
            tracks = {track["@type"]: track for track in told("mediainfo", "--ParseSpeed=1", "--Output=JSON", path)["media"]["track"]}
            expect(tracks["Video"]["Format"] == "AVC" and abs(float(tracks["Video"]["Duration"]) - length) < 0.2,
                   f"MediaInfo finds {tracks['Video']} in {name}, and ffprobe {length} s")
            reached, width = tab.evaluate(PLAYED.format(address=json.dumps("file://" + path)))
            expect(abs(reached - length) < 0.2 and width == probed["streams"][0]["width"],
                   f"the browser plays {name} up to {reached} s of {length}, {width} pixels wide")
            seconds.append(length)
    return seconds
