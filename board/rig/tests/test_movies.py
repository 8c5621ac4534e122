# SPDX-License-Identifier: Apache-2.0
"""Recordings of the rig's camera: what is delivered plays, also after the end of the recorder."""

import json
import os
import signal
import subprocess
import urllib.parse

from rigcase import SERVER_STORE, RigCase, configuration, figure

MOVIES = "movie: { enabled: true, preset: 720p }\n"


def probed(path):
    """What ffprobe finds in a movie that it decodes to its end."""
    done = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_streams", "-show_format", "-of", "json", path],
                          capture_output=True, text=True, check=True)
    if done.stderr:
        raise AssertionError(f"ffprobe complains of \"{path}\": {done.stderr.strip()}")
    return json.loads(done.stdout)


class Movies(RigCase):
    def recorded(self, service, count):
        """Waits until so many frames more than now are in the recording."""
        wanted = service.get("/v1/movie")["frames"] + count
        self.until(f"{wanted} frames are recorded", lambda: service.get("/v1/movie")["frames"] >= wanted, 30)

    def ask(self, service, action):
        """Starts or ends a recording; returns the answer."""
        status, answer = service.call("POST", f"/v1/movie/{action}", timeout=300)
        self.assertEqual(status, 200, answer)
        return answer

    def delivered(self, service, item):
        """Waits until a file is at the server; returns what ffprobe finds in it."""
        path = f"/v1/spool/items/{item}"
        self.until(f"{item} is delivered", lambda: service.get(path)["deliveries"][0].get("receipt"), 60)
        return probed(os.path.join(SERVER_STORE, urllib.parse.unquote(service.get(path)["remoteName"])))

    def recorder(self):
        """The process of the recorder; `None` while there is none."""
        found = subprocess.run(["pgrep", "--exact", "platen-recorder"], capture_output=True, text=True, check=False)
        return int(found.stdout) if found.stdout.strip() else None

    def test_a_recording_goes_on_after_the_end_of_its_recorder(self):
        """Two files, and a picture that was taken meanwhile."""
        service = self.start(configuration(extra=MOVIES))
        self.ask(service, "start")
        self.recorded(service, 40)
        self.received(service, self.stored(service))
        killed = self.recorder()
        os.kill(killed, signal.SIGKILL)
        self.until("another recorder runs", lambda: self.recorder() not in (None, killed), 30)
        self.recorded(service, 40)
        recording = self.ask(service, "stop")
        self.assertEqual((recording["outcome"], recording["reason"], len(recording["items"])), ("stored", "stopped", 2), recording)
        movies = [self.delivered(service, item) for item in recording["items"]]
        streams = [movie["streams"][0] for movie in movies]
        self.assertEqual([(stream["codec_name"], stream["width"], stream["height"]) for stream in streams], [("h264", 960, 540)] * 2)
        self.assertEqual(sum(int(stream["nb_read_frames"]) for stream in streams), recording["frames"])
        length = sum(float(movie["format"]["duration"]) for movie in movies)
        self.assertAlmostEqual(length, recording["durationSeconds"], delta=1)
        figure(f"movie: {recording['frames']} frames in {length:.1f} s, {recording['droppedFrames']} dropped, of one recorder that was killed")
        press = service.press(recording["press"])
        self.assertEqual((press["outcome"], press["source"]), ("stored", "api"))
        self.assertEqual(service.stop(), 0)

    def test_the_end_of_the_service_ends_the_recording(self):
        """What was recorded is delivered by the next run."""
        service = self.start(configuration(extra=MOVIES))
        press = self.ask(service, "start")["press"]
        self.recorded(service, 30)
        self.assertEqual(service.stop(), 0)
        service = self.start(configuration(extra=MOVIES))
        self.assertEqual(service.press(press)["outcome"], "stored")
        item = self.until("the movie is in the list", lambda: next(
            (row["id"] for row in service.get("/v1/spool/items")["items"] if row.get("press") == press), None))
        movie = self.delivered(service, item)
        self.assertGreater(int(movie["streams"][0]["nb_read_frames"]), 29)
