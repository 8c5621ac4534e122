# SPDX-License-Identifier: Apache-2.0
"""Recordings of the rig's camera and microphone: what is delivered plays, also after the end of the recorder."""

import array
import json
import os
import signal
import statistics
import subprocess
import urllib.parse

from rigcase import MODULES, SERVER_STORE, RigCase, configuration, figure
from soundcard import MICROPHONE, SoundCard

MOVIES = "movie: { enabled: true, preset: 720p }\n"
WITH_SOUND = f'movie: {{ enabled: true, preset: 720p, sound: "{MICROPHONE}" }}\n'
# The tone that is played, its level, and the samples a second of the movies' sound.
TONE, LEVEL, RATE = 1000, -21.07, 48_000


def probed(path):
    """What ffprobe finds in a movie that it decodes to its end."""
    done = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_streams", "-show_format", "-of", "json", path],
                          capture_output=True, text=True, check=True)
    if done.stderr:
        raise AssertionError(f"ffprobe complains of \"{path}\": {done.stderr.strip()}")
    return json.loads(done.stdout)


def tone(path):
    """The frequency of a movie's sound in hertz: the median of the tenths of a second that are as loud as the tone."""
    done = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-map", "0:a", "-ac", "1", "-f", "s16le", "-"], capture_output=True, check=True)
    samples, tenth = array.array("h", done.stdout), RATE // 10
    parts = [samples[begin:begin + tenth] for begin in range(0, len(samples) - tenth, tenth)]
    return 10 * statistics.median(sum(one < 0 <= other for one, other in zip(part, part[1:])) for part in parts if max(part) > 2000)


def kinds(movie):
    """The kinds of a movie's streams: "video" and "audio"."""
    return sorted(stream["codec_type"] for stream in movie["streams"])


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
        return probed(self.delivered_file(service, item))

    def delivered_file(self, service, item):
        """Waits until a file is at the server; returns its path there."""
        path = f"/v1/spool/items/{item}"
        self.until(f"{item} is delivered", lambda: service.get(path)["deliveries"][0].get("receipt"), 60)
        return os.path.join(SERVER_STORE, urllib.parse.unquote(service.get(path)["remoteName"]))

    def plug_sound(self):
        """Plugs the microphone in, until the end of the test."""
        card = SoundCard(MODULES)
        self.addCleanup(card.remove)
        card.load_driver()
        return card

    def heard(self, service):
        """Waits until the recording has the tone's level."""
        def is_heard():
            level = service.get("/v1/movie").get("soundLevelDecibels")
            return level is not None and abs(level - LEVEL) < 1
        self.until("the tone is heard", is_heard, 30)

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

    def test_a_recording_has_the_sound_of_its_microphone_until_that_is_unplugged(self):
        """The tone has its pitch and the movie's length; without the microphone the movie goes on, and the next one has sound again."""
        card = self.plug_sound()
        service = self.start(configuration(extra=WITH_SOUND))
        card.play(TONE)
        self.ask(service, "start")
        self.heard(service)
        self.recorded(service, 40)
        recording = self.ask(service, "stop")
        self.assertIsNone(recording.get("soundEnd"), recording)
        path = self.delivered_file(service, recording["items"][0])
        movie = probed(path)
        self.assertEqual(kinds(movie), ["audio", "video"])
        sound = next(stream for stream in movie["streams"] if stream["codec_type"] == "audio")
        self.assertEqual((sound["codec_name"], int(sound["sample_rate"])), ("aac", RATE))
        length = int(sound["nb_read_frames"]) * 1024 / RATE
        self.assertAlmostEqual(length, float(movie["format"]["duration"]), delta=0.2)
        self.assertAlmostEqual(tone(path), TONE, delta=TONE / 100)
        figure(f"movie: {length:.1f} s of sound, {tone(path):.0f} Hz where {TONE} Hz were played")

        self.ask(service, "start")
        self.heard(service)
        card.unplug()
        self.until("the sound has ended", lambda: service.get("/v1/movie").get("soundEnd"), 30)
        self.recorded(service, 40)
        recording = self.ask(service, "stop")
        self.assertEqual((recording["outcome"], len(recording["items"])), ("stored", 1), recording)
        self.assertIn(f'"{MICROPHONE}"', recording["soundEnd"])
        self.assertIn("unplugged", recording["soundEnd"])
        self.assertEqual(kinds(self.delivered(service, recording["items"][0])), ["audio", "video"])

        card.plug()
        card.play(TONE)
        self.ask(service, "start")
        self.heard(service)
        self.assertEqual(self.ask(service, "stop")["outcome"], "stored")
        self.assertEqual(service.stop(), 0)

    def test_a_microphone_that_another_program_has_ends_the_sound_alone(self):
        card = self.plug_sound()
        card.occupy()
        self.until("the other program listens", card.is_used, 30)
        service = self.start(configuration(extra=WITH_SOUND))
        self.ask(service, "start")
        self.recorded(service, 30)
        recording = self.ask(service, "stop")
        self.assertEqual(recording["outcome"], "stored", recording)
        self.assertIn("another program uses the device", recording["soundEnd"])
        self.assertEqual(kinds(self.delivered(service, recording["items"][0])), ["video"])
        self.assertEqual(service.stop(), 0)
