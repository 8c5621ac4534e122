# SPDX-License-Identifier: Apache-2.0
"""The camera's process may be lost: the service goes on as the same process, says why, and is ready again."""

import os
import random
import re
import signal
import subprocess
import threading
import time

from processes import camera_process, takers_of
from rigcase import SEED, RigCase, configuration, figure


ROUNDS, PRESSES = 9, 4
# Fault follows fault here; the pauses between attempts are to stay those after the first ones.
RECOVERY = "  recovery: { retry_minimum: 200 ms, retry_maximum: 1 s }\n"


class CameraHost(RigCase):
    def begin(self):
        """Starts the service; returns it with its process's number and its camera process's."""
        service = self.start(configuration(upload=False, camera=RECOVERY))
        camera = camera_process(service)
        self.assertIsNotNone(camera, "the camera has a process of its own")
        return service, service.process.pid, camera

    def ready_again(self, service, process, what):
        """Waits until the service is ready, still the same process, and takes a picture; returns the seconds."""
        begun = time.monotonic()
        service.wait_until_ready(60)
        took = time.monotonic() - begun
        self.assertEqual(service.process.pid, process)
        self.assertIsNone(service.process.poll(), "the service's process has survived")
        self.stored(service)
        figure(f"{what}: ready again after {took * 1000:.0f} ms")
        return took

    def lost(self, service, camera):
        """Waits until a camera process is seen to be lost, which is over soon: another one may be there already."""
        service.wait_for("the service sees it", lambda: service.status()["readiness"]["state"] != "ready"
                         or camera_process(service) not in (None, camera), 20)

    def not_ready(self, service, seconds=20):
        """Waits until the service is not ready; returns the reasons."""
        def reasons():
            readiness = service.status()["readiness"]
            return readiness["state"] != "ready" and readiness["reasons"]
        return service.wait_for("the service sees it", reasons, seconds)

    def test_copied_at_first(self):
        """The first process is a copy of the service, with nothing of its environment; the next one is started."""
        service, process, camera = self.begin()
        self.assertEqual(self._start_memory(camera, "cmdline"), b"platen-camera")
        self.assertEqual(self._start_memory(camera, "environ"), b"")
        self.assertEqual(os.readlink(f"/proc/{camera}/exe"), os.readlink(f"/proc/{process}/exe"))
        self.assertEqual(takers_of(signal.SIGCHLD, camera), [])
        os.kill(camera, signal.SIGKILL)
        self.lost(service, camera)
        self.ready_again(service, process, "a copy replaced by a started process")
        started = camera_process(service)
        self.assertTrue(self._start_memory(started, "cmdline").startswith(b"platen-camera\0camera-host"))
        for program in (process, started):
            self.assertEqual(takers_of(signal.SIGCHLD, program), [])

    def test_killed_while_it_streams(self):
        service, process, camera = self.begin()
        for number in (signal.SIGKILL, signal.SIGABRT, signal.SIGSEGV):
            os.kill(camera, number)
            self.lost(service, camera)
            service.wait_for("the cause is told", lambda cause=number.name: service.log_count(f"was ended by {cause}") > 0, 20)
            self.ready_again(service, process, f"camera process ended by {number.name}")
            self.assertFalse(os.path.exists(f"/proc/{camera}"))
            camera = camera_process(service)

    def test_killed_while_a_shot_is_in_flight(self):
        service, process, camera = self.begin()
        before = service.last_press_number()
        self.hands.camera.stall()
        self.hands.shutter.press()
        os.kill(camera, signal.SIGKILL)
        self.hands.camera.resume()
        report = service.wait_for_press_after(before)
        self.assertIn(report["outcome"], ("stored", "refused"), report)
        self.rest()
        self.ready_again(service, process, "camera process killed with a shot in flight")

    def test_driver_unbound_and_rebound_while_it_streams(self):
        service, process, camera = self.begin()
        self.addCleanup(self.hands.camera.bind_if_needed)
        for _ in range(3):
            self.hands.camera.unbind()
            reasons = self.not_ready(service)
            # A busy host looks when it is called unplugged already.
            self.assertTrue({"cameraAbsent", "cameraStalled", "cameraFailed", "cameraTimedOut", "cameraUnplugged"} & set(reasons), reasons)
            refused = self.press(service)
            self.assertEqual(refused["outcome"], "refused", refused)
            service.wait_for("it is called unplugged",
                             lambda: "cameraUnplugged" in service.status()["readiness"]["reasons"], 30)
            self.hands.camera.bind()
            self.ready_again(service, process, "driver unbound and rebound while streaming")
        self.assertNotEqual(camera_process(service), camera)

    def test_driver_rebound_at_once(self):
        """The camera is back before anybody looked, which libcamera answers by aborting."""
        service, process, camera = self.begin()
        self.addCleanup(self.hands.camera.bind_if_needed)
        self.hands.camera.unbind()
        self.hands.camera.bind()
        self.lost(service, camera)
        self.ready_again(service, process, "driver unbound and rebound at once")

    def test_driver_unbound_while_a_shot_is_in_flight(self):
        service, process, _ = self.begin()
        self.addCleanup(self.hands.camera.bind_if_needed)
        self.hands.camera.delay(200)
        time.sleep(0.5)
        before = service.last_press_number()
        self.hands.shutter.press()
        self.hands.camera.unbind()
        report = service.wait_for_press_after(before, 20)
        self.assertIn(report["outcome"], ("stored", "refused"), report)
        self.hands.camera.delay(0)
        self.hands.camera.bind()
        self.rest()
        self.ready_again(service, process, "driver unbound with a shot in flight")

    def test_camera_taken_by_another_process_first(self):
        # The other process streams in a size of its own, which the injected page does not have.
        self.hands.camera.pattern()
        # What libcamera does with a camera that it uses: a lock on the media node, and the streams of its nodes.
        other = subprocess.Popen(["cam", "--camera=1", "--capture=100000"], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL, start_new_session=True)
        self.addCleanup(self._end, other)
        self.until("the other process has the camera", lambda: self._is_locked("/dev/media0"))
        service = self.start(configuration(upload=False), ready=False)
        service.wait_for("the camera is seen to be in use",
                         lambda: "cameraInUse" in service.status()["readiness"]["reasons"], 20)
        self.assertGreater(service.log_count(f"process {other.pid} (\"cam\") uses /dev/media0"), 0,
                           f"the other process is named:\n{service.log_tail()}")
        self.assertIn(f'process {other.pid} ("cam")', service.status()["session"]["lastFault"], "also to who asks")
        refused = self.press(service)
        self.assertEqual((refused["outcome"], refused["reason"]), ("refused", "cameraInUse"))
        process = service.process.pid
        self._end(other)
        self.inject(0)
        self.ready_again(service, process, "camera given back by another process")

    def test_camera_taken_by_a_program_without_libcamera(self):
        """Nothing is locked then: the driver alone knows that the camera streams for somebody else."""
        other = self._stream_without_libcamera()
        service = self.start(configuration(upload=False), ready=False)
        service.wait_for("the camera is seen to be in use",
                         lambda: "cameraInUse" in service.status()["readiness"]["reasons"], 20)
        refused = self.press(service)
        self.assertEqual((refused["outcome"], refused["reason"]), ("refused", "cameraInUse"))
        process = service.process.pid
        self._end(other)
        self.inject(0)
        self.ready_again(service, process, "camera given back by a program without libcamera")

    def _stream_without_libcamera(self):
        self.hands.camera.pattern()
        node = self.hands.camera.video_node("RGB/YUV Capture")
        other = subprocess.Popen(["v4l2-ctl", "-d", node, "--stream-mmap", "--stream-count=1000000"],
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        self.addCleanup(self._end, other)
        seen = self.hands.camera.number()
        self.until("the other program streams", lambda: self.hands.camera.number() > seen)
        return other

    def test_random_ends_with_presses_in_flight(self):
        """SIGKILL, and SIGSTOP for a moment, whenever: each press gets one outcome, and it is ready again."""
        randomness = random.Random(SEED)
        service, process, _ = self.begin()
        resumed, outcomes = [], {"stored": 0, "refused": 0}
        for number in range(ROUNDS):
            before, camera = service.last_press_number(), camera_process(service)
            is_stopped = number % 3 == 2
            blow = threading.Timer(randomness.uniform(0, 0.4), os.kill, (camera, signal.SIGSTOP if is_stopped else signal.SIGKILL))
            blow.start()
            for _ in range(PRESSES):
                self.hands.shutter.press(0.05)
                self.hands.shutter.rest(randomness.uniform(0.06, 0.15))
            blow.join()
            struck = time.monotonic()
            if is_stopped:
                time.sleep(randomness.uniform(0.2, 1.2))
                os.kill(camera, signal.SIGCONT)
                struck = time.monotonic()
            for report in self.outcomes_after(service, before, PRESSES, f"seed {SEED}, round {number}"):
                outcomes[report["outcome"]] += 1
            if not is_stopped:
                self.until("it is another process", lambda old=camera: camera_process(service) not in (None, old))
            service.wait_until_ready(60)
            resumed.append(time.monotonic() - struck)
            self.stored(service)
            # As long as it takes until the fault before counts no more: what is tried first is what is tested.
            time.sleep(randomness.uniform(0, 0.5))
        self.assertEqual(service.process.pid, process)
        self.assertIsNone(service.process.poll())
        resumed.sort()
        figure(f"camera process killed or stopped at {ROUNDS} random moments with {PRESSES} presses each (seed {SEED}): "
               f"{outcomes['stored']} stored, {outcomes['refused']} refused, none without outcome; ready again after "
               f"{resumed[len(resumed) // 2] * 1000:.0f} ms (median), {resumed[-1] * 1000:.0f} ms (longest)")

    def outcomes_after(self, service, before, count, what):
        """Waits until the presses after a number have their outcomes; there must be `count`, each once."""
        def ended():
            later = [press for press in service.presses(limit=50) if press["number"] > before]
            return len(later) >= count and all(press["outcome"] != "pending" for press in later) and later
        later = service.wait_for(f"{count} presses have their outcomes ({what})", ended, 30)
        self.assertEqual(sorted(press["number"] for press in later), list(range(before + 1, before + count + 1)), what)
        self.assertTrue(all(press["outcome"] in ("stored", "refused") for press in later), later)
        return later

    def test_camera_process_stopped(self):
        """A process that neither answers nor dies is killed."""
        service, process, camera = self.begin()
        os.kill(camera, signal.SIGSTOP)
        self.not_ready(service)
        self.until("it is killed", lambda: not os.path.exists(f"/proc/{camera}"), 60)
        # 15 s, a frame's duration where the call waits for one, and as long as a busy host takes to see it.
        hung = re.compile(r'did not return from "\w+" within (1[5-9]|[2-9]\d)(\.\d+)? s')
        service.wait_for("the call that hung is named", lambda: hung.search(service.log_tail(200)), 10)
        self.ready_again(service, process, "camera process stopped and killed")

    def test_service_killed_takes_its_camera_process_along(self):
        service, _, camera = self.begin()
        service.kill()
        self.until("the camera's process is gone", lambda: not os.path.exists(f"/proc/{camera}"), 5)

    @staticmethod
    def _start_memory(process, name):
        """The arguments or the environment of a process's start, as it shows them now."""
        with open(f"/proc/{process}/{name}", "rb") as file:
            return file.read().rstrip(b"\0")

    @staticmethod
    def _is_locked(path):
        # To take the lock for a look would keep it from the program that is to have it.
        try:
            with open(path, "r+b", buffering=0) as file:
                os.lockf(file.fileno(), os.F_TEST, 0)
            return False
        except (PermissionError, BlockingIOError):
            return True

    @staticmethod
    def _end(process):
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
