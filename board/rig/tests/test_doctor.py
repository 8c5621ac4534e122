# SPDX-License-Identifier: Apache-2.0
"""Planted faults: what lights, API and console say of each, and that its advice mends it.

A technician is logged in on the serial line all the time, and follows what the doctor says there.
"""

import contextlib
import http.client
import os
import pwd
import random
import re
import shutil
import subprocess
import threading
import time
from dataclasses import dataclass

import devices
import kernelcalls
import privatefiles
import wiring
from consolecase import SOCKET, ConsoleCase, shown
from gpioline import OUTPUT, Line
from rigcase import BINARY, CLASS_LEDS, LED_LINES, SEED, SERVER_URL, figure
from serialline import LineError
from service import ServiceError
from surroundings import Gate, NameServer, TimeServer
from test_lights import codes_of

READY, FAULT, UPLOAD = "rig:green:ready", "rig:red:fault", "rig:blue:upload"
CAMERA = "  recovery: { retry_minimum: 200 ms, retry_maximum: 1 s }\n"
# What was, and is told for a while after it was mended.
NEWS = {"cameraProcessEnded", "serviceRestarted", "undervoltageBefore", "edgesLost"}
UPLOADS_WAIT = "2 flashes"


@dataclass
class Fault:
    """A row of the table.

    `part`, `code` and `verdict` are what the doctor says · `shown`: what the fault light shows, or the upload light
    while a picture waits; None when nothing but the doctor tells of it · `mended`: what the advice comes to.
    """

    name: str
    part: str
    code: str
    shown: str
    mended: str
    verdict: str = "fault"


def squeezed(text):
    """A text without its white space, to be found wherever its lines are broken."""
    return "".join(text.split())


class Doctor(ConsoleCase):
    def setUp(self):
        super().setUp()
        self.clock, self.names, self.gate = TimeServer(), NameServer(), Gate(SERVER_URL)
        self.addCleanup(self.names.close)
        self.addCleanup(self.gate.close)
        self.clock.set_clock()
        self.addCleanup(self.clock.set_clock)
        # A service that is killed leaves its lamp lit; whoever looks at the lights next sees it.
        self.addCleanup(self.write, "/sys/class/leds/rig:white:lamp/brightness", "0\n")
        privatefiles.set_name_servers(NameServer.ANSWERING)
        self.supply = os.path.join(self.directory, "get_throttled")
        self.password = os.path.join(self.directory, "password")
        self.write(self.supply, "0\n")
        self.write(self.password, f"{Gate.PASSWORD}\n")
        self.lights = (READY, FAULT, UPLOAD)

    @staticmethod
    def write(path, text):
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(text)

    def text(self, lights=CLASS_LEDS):
        """A configuration in which every part of the rig is used."""
        extra = (f"lamp: {{ led: \"rig:white:lamp\" }}\npower: {{ throttled: {self.supply} }}\n"
                 f"targets:\n  server: {{ kind: webdav, url: \"http://127.0.0.1:{self.gate.port}/\", user: {Gate.USER}, "
                 f"password_file: {self.password}, retry_minimum: 2 s, retry_maximum: 4 s }}\n")
        text = self.configuration(lights=lights, upload=False, camera=CAMERA, thermal="  dwell: 1 s\n", extra=extra)
        return text.replace("  line: SHUTTER\n", "  line: SHUTTER\n  stuck_after: 1 s\n")

    # -- what the rig says ---------------------------------------------------------------------------

    def findings(self, service, part=None):
        """What is wrong, as the API tells it, without news of what was."""
        report = service.get("/v1/doctor" + (f"?part={part}" if part else ""))
        return [finding for finding in report["findings"] if finding["verdict"] in ("fault", "warning") and finding["code"] not in NEWS]

    def is_well(self, service):
        """Waits until the doctor finds nothing wrong and a press would be taken, and has the console say so."""
        service.wait_until_ready(30)
        last = []

        def nothing():
            last[:] = self.findings(service)
            return not last

        try:
            service.wait_for("the doctor finds nothing wrong", nothing, 30)
        except ServiceError as error:
            self.fail(f"{error}\nIt finds: {last}")
        self.until("the console says so", lambda: re.search(r"(?m)^0 faults, ", "\n".join(shown(self.run_line("doctor")))), 30)

    @contextlib.contextmanager
    def diagnosed(self, fault, service):
        """Looks at the lights from before the fault is planted, in the block, and then asks everybody what it is."""
        self.hands.leds.record(list(self.lights), every=0.01)
        try:
            since = time.monotonic_ns()
            yield
            if callable(service):
                since = time.monotonic_ns()  # a service that starts has much to say
            running = service() if callable(service) else service
            found = self.awaited(fault, running)
            self.assertEqual((found["part"], found["verdict"]), (fault.part, fault.verdict), found)
            digits = fault.shown if "-" in (fault.shown or "") else None
            self.assertEqual(found.get("lightCode"), digits, "what the doctor says of the light")
            self.told_on_the_console(fault, found)
            self.shown_by_the_lights(fault, since)
        finally:
            self.hands.leds.recorded()
        figure(f"doctor: {fault.name} | {fault.verdict} {fault.part} {fault.code} | {fault.shown or 'nothing'} | {found['advice']} | {fault.mended}")

    def awaited(self, fault, service):
        """The API's finding, when it comes."""
        last = []

        def found():
            last[:] = self.findings(service, fault.part)
            return next((finding for finding in last if finding["code"] == fault.code), None)

        try:
            return service.wait_for(f"the doctor finds {fault.code}", found, 20)
        except ServiceError as error:
            return self.fail(f"{error}\nIt finds: {last}")

    def told_on_the_console(self, fault, found):
        """The same as over the API: what was seen may differ by its figures."""
        lines = " ".join(shown(self.run_line(f"doctor --part {fault.part}")))
        verdict = {"fault": "FAULT", "warning": "warning"}[fault.verdict]
        self.assertRegex(lines, rf"{verdict} +{fault.part} ")
        self.assertIn(squeezed(f"code {fault.code}"), squeezed(lines))
        self.assertIn(squeezed(found["advice"]), squeezed(lines))
        if "-" in (fault.shown or ""):
            self.assertIn(squeezed(f"lights show {fault.shown}"), squeezed(lines))

    def shown_by_the_lights(self, fault, since):
        """The code that a person counts; `since`: an instant since which the fault light may not be lit without one."""
        _, red, blue = self.lights
        if fault.shown == UPLOADS_WAIT:
            try:
                self.until("the upload light flashes twice", lambda: self.flashes(blue) >= 2, 15)
            except self.failureException as error:
                self.fail(f"{error}: {self.seen(blue, since)}")
        elif fault.shown:
            self.until(f"the fault light shows {fault.shown}", lambda: fault.shown in codes_of(self.hands.leds.recorded_yet(), red), 20)
        else:
            self.assertEqual(self.flashes(red, since), 0, f"the fault light shows nothing: {self.seen(red, since)}")

    def seen(self, light, since=0):
        """What was seen of a light: [(seconds, level), ...]."""
        return [(round((instant - since) / 1e9, 2), level) for instant, name, level in self.hands.leds.recorded_yet() if name == light]

    def flashes(self, light, since=0):
        """How many short flashes were seen of a light since an instant; a light that a start or an end cuts off is none."""
        seen = self.seen(light, since)
        return sum(level == 1 and begun > 0 and 0.1 < ended - begun < 0.3 for (begun, level), (ended, _) in zip(seen, seen[1:]))

    # -- faults of a rig that runs ---------------------------------------------------------------------

    def test_faults_while_it_runs(self):
        """One after the other on one rig, each planted, diagnosed, and mended as the advice says."""
        service = self.start(self.text())
        self.log_in()
        self.is_well(service)
        for plant in (self.camera_unplugged, self.camera_stalled, self.button_stuck, self.accelerometer_absent, self.too_hot,
                      self.no_carrier, self.no_route, self.dead_name_server, self.server_gone, self.wrong_password,
                      self.clock_lost, self.clock_of_1970, self.undervoltage):
            with self.subTest(plant.__name__):
                try:
                    plant(service)
                    self.is_well(service)
                except (ServiceError, LineError):
                    print(service.log_tail(30))
                    raise

    def camera_unplugged(self, service):
        try:
            with self.diagnosed(Fault("camera unplugged", "cameras", "cameraUnplugged", "1-2", "plugged in again"), service):
                self.hands.camera.unbind()
        finally:
            self.hands.camera.bind()

    def camera_stalled(self, service):
        try:
            with self.diagnosed(Fault("camera without frames", "cameras", "cameraStalled", "2-1", "nothing: it comes back by itself"), service):
                self.hands.camera.stall()
        finally:
            self.hands.camera.resume()

    def button_stuck(self, service):
        try:
            with self.diagnosed(Fault("button stuck", "buttons", "buttonStuck", "5-1", "the button is freed", "warning"), service):
                self.hands.shutter.hold()
        finally:
            self.hands.shutter.release()

    def accelerometer_absent(self, service):
        try:
            with self.diagnosed(Fault("accelerometer absent", "accelerometer", "accelerometer", "6-2", "plugged in again", "warning"), service):
                self.hands.accelerometer.unplug()
        finally:
            self.hands.accelerometer.plug()
            self.hands.accelerometer.place("portrait")

    def too_hot(self, service):
        try:
            with self.diagnosed(Fault("too hot", "temperatures", "thermalPressure", "4-1", "it cools down"), service):
                self.hands.heat(85)
        finally:
            self.hands.heat(None)

    def picture_waits(self, service):
        """Takes a picture, which cannot go, and waits until the uploader knows."""
        self.stored(service)

    def no_carrier(self, service):
        try:
            with self.diagnosed(Fault("network cable out", "network", "noCarrier", None, "the cable is plugged in"), service):
                self.hands.network(False)
        finally:
            self.hands.network(True)

    def no_route(self, service):
        route = subprocess.run(["ip", "route", "show", "default"], capture_output=True, text=True, check=True).stdout.split()
        try:
            with self.diagnosed(Fault("no default route", "network", "noDefaultRoute", None, "a gateway is set by hand"), service):
                subprocess.run(["ip", "route", "del", "default"], check=True)
        finally:
            subprocess.run(["ip", "route", "add", *route], check=True)

    def dead_name_server(self, service):
        try:
            with self.diagnosed(Fault("name server dead", "network", "nameServerSilent", None, "another one is set"), service):
                privatefiles.set_name_servers(NameServer.SILENT)
        finally:
            privatefiles.set_name_servers(NameServer.ANSWERING)

    def server_gone(self, service):
        try:
            with self.diagnosed(Fault("server down", "targets", "targetUnreachable", UPLOADS_WAIT, "the server runs again"), service):
                self.gate.close()
                self.picture_waits(service)
        finally:
            self.gate.open()

    def wrong_password(self, service):
        try:
            with self.diagnosed(Fault("server answers 401", "targets", "targetUnauthorized", UPLOADS_WAIT, "the password in the file is replaced"), service):
                self.write(self.password, "a wrong one\n")
                self.picture_waits(service)
        finally:
            self.write(self.password, f"{Gate.PASSWORD}\n")

    def clock_lost(self, service):
        try:
            with self.diagnosed(Fault("clock not set", "clock", "clockUnsynchronized", None, "a time server is reached", "warning"), service):
                self.clock.lose()
        finally:
            self.clock.set_clock()

    def clock_of_1970(self, service):
        try:
            with self.diagnosed(Fault("clock wrong", "clock", "clockImplausible", None, "the clock is set"), service):
                self.clock.begin_anew()
        finally:
            self.clock.set_clock()

    def undervoltage(self, service):
        try:
            with self.diagnosed(Fault("undervoltage", "supply", "undervoltage", "4-2", "the power supply is replaced"), service):
                self.write(self.supply, "50005\n")
        finally:
            self.write(self.supply, "0\n")

    # -- faults at the start -----------------------------------------------------------------------------

    def test_camera_missing_at_the_start(self):
        self.hands.camera.unbind()
        self.addCleanup(self.hands.camera.bind_if_needed)
        self.log_in()
        with self.diagnosed(Fault("camera missing", "cameras", "cameraAbsent", "1-1", "the cable is checked with the power off"), lambda: self.services[-1]):
            self.start(self.text(), ready=False)
        self.services[-1].stop()
        self.hands.camera.bind()
        self.is_well(self.services[-1].start())

    def test_camera_busy(self):
        self.hands.camera.pattern()
        other = subprocess.Popen(["cam", "--camera=1", "--capture=100000"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(other.wait)
        self.addCleanup(other.kill)
        self.log_in()
        self.until("the other process has the camera", lambda: "/dev/media0" in devices.open_files(other.pid))
        with self.diagnosed(Fault("camera busy", "cameras", "cameraInUse", "1-3", "the program that is named is ended"), lambda: self.services[-1]):
            self.start(self.text(), ready=False)
        seen = next(finding["seen"] for finding in self.findings(self.services[-1], "cameras"))
        self.assertIn(f'process {other.pid} ("cam")', seen)
        other.kill()
        self.inject(0)
        self.is_well(self.services[-1])

    def test_permission_missing(self):
        """The service as its account, with the rights that the rules of udev give it, but for the camera."""
        account = pwd.getpwnam("platen")
        nodes = self.hands.camera.nodes()
        for path in nodes:
            os.chown(path, 0, 0)
        for path in (self.directory, self.password, self.supply, os.path.dirname(SOCKET)):
            os.chown(path, account.pw_uid, account.pw_gid)
        self.addCleanup(os.chown, os.path.dirname(SOCKET), 0, 0)
        groups = [*os.getgrouplist(account.pw_name, account.pw_gid), privatefiles.group("platen-console")]
        self.log_in()
        with self.diagnosed(Fault("permission missing", "cameras", "cameraNotAuthorized", "1-4", "the service's user is in the nodes' group"),
                            lambda: self.services[-1]):
            self.start(self.text(), ready=False, account={"user": account.pw_uid, "group": account.pw_gid, "extra_groups": groups})
        privatefiles.give_devices()
        self.services[-1].stop()
        self.is_well(self.services[-1].start())

    def test_light_taken(self):
        """Another process holds the line of a light."""
        self.lights = ("LED_READY", "LED_FAULT", "LED_BUSY")
        line = Line(wiring.LED_LINES["LED_BUSY"], OUTPUT)
        held = [line]
        self.addCleanup(lambda: [taken.close() for taken in held])
        self.log_in()
        with self.diagnosed(Fault("line of a light taken", "lights", "lineTaken", None, "the program that holds it is ended"), lambda: self.services[-1]):
            self.start(self.text(lights=LED_LINES))
        held.pop().close()
        self.is_well(self.services[-1])

    # -- faults of the disk ---------------------------------------------------------------------------------

    def test_disk_full(self):
        service = self.start(self.text())
        self.log_in()
        self.is_well(service)
        path = os.path.join(self.directory, "somebody-elses-file")
        with self.diagnosed(Fault("disk full", "storage", "storageFull", "3-1", "room is made"), service):
            with open(path, "wb") as file:
                os.posix_fallocate(file.fileno(), 0, shutil.disk_usage(self.directory).free - (8 << 20))
        os.remove(path)
        self.is_well(service)

    def test_disk_read_only(self):
        """A service without a spool ends and is started anew, again and again: the light and the console tell, and no API."""
        service = self.start(self.text())
        self.log_in()
        self.is_well(service)
        spool = os.path.join(self.directory, "spool")
        # What is open for writing keeps a file system from being made read-only by hand: a second mount of it, over it.
        kernelcalls.mount(spool, spool, None, flags=kernelcalls.MS_BIND)
        self.addCleanup(lambda: os.path.ismount(spool) and kernelcalls.umount(spool, kernelcalls.MNT_DETACH))
        self.hands.leds.record(list(self.lights), every=0.01)
        subprocess.run(["mount", "-o", "remount,bind,ro", spool], check=True)
        self.until("the service has ended", lambda: self.has_ended_after_a_press(service), 30)
        self.assertEqual(service.process.wait(), 1, f"it ends in order:\n{self.fatal(service)}")
        with self.supervised(service):
            self.until("the fault light shows 3-3", lambda: "3-3" in codes_of(self.hands.leds.recorded_yet(), FAULT), 40)
            self.hands.leds.recorded()
            report = "\n".join(shown(self.run_line("doctor")))
            self.assertRegex(report, r"FAULT +storage +\S*")
            self.assertIn(squeezed("code storageReadOnly, lights show 3-3 (storageFailed)"), squeezed(report))
            self.assertIn("code serviceStopped", report)
            subprocess.run(["mount", "-o", "remount,bind,rw", spool], check=True)
            self.until("it has come back by itself", lambda: self.answers(service), 40)
        self.is_well(service)
        figure("doctor: disk read-only | fault storage storageReadOnly, at the console alone | 3-3 | Start the machine anew with \"platenctl reboot\", "
               "for file systems are checked at the start. Replace the card or drive if it is read-only again. | it is mounted writable again")

    @staticmethod
    def answers(service):
        """Whether the API answers."""
        with contextlib.suppress(OSError, ServiceError, http.client.HTTPException):
            return service.status()
        return None

    @contextlib.contextmanager
    def supervised(self, service):
        """Starts a service that has ended anew, as systemd does with the project's unit, until the end of the block."""
        ending = threading.Event()

        def supervise():
            while not ending.is_set():
                if service.process.poll() is None:
                    ending.wait(0.1)
                    continue
                subprocess.run([BINARY, "--indicators-off", "--config", service.configuration_path], check=False)
                ending.wait(1)
                service.launch()

        supervisor = threading.Thread(target=supervise)
        supervisor.start()
        try:
            yield
        finally:
            ending.set()
            supervisor.join()

    @staticmethod
    def fatal(service):
        """What the log says of a crash."""
        with open(service.log_path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        place = max(text.find("crashed"), text.find("Fatal error"), 0)
        return text[max(0, place - 600):place + 5000]

    def has_ended_after_a_press(self, service):
        """Presses, and looks whether the service ends; a busy host may keep a press from its frame."""
        self.hands.shutter.press()
        with contextlib.suppress(subprocess.TimeoutExpired):
            service.process.wait(5)
        return service.process.poll() is not None

    def test_index_damaged(self):
        """Bytes of the database are overwritten while nothing runs; the next start makes it anew, and the one after it is well."""
        service = self.start(self.text())
        self.stored(service)
        service.stop()
        path = os.path.join(self.directory, "spool", "queue.db")
        noise = random.Random(SEED)
        with open(path, "r+b") as file:
            for place in range(100, os.path.getsize(path), 512):
                file.seek(place)
                file.write(noise.randbytes(64))
        self.log_in()
        # The spool is not the technician's; whoever is root sees more.
        self.assertRegex(self.run_line("doctor --part index"), "not checked +index")
        offline = subprocess.run(["platenctl", "doctor", "--part", "index"], capture_output=True, text=True)
        self.assertRegex(offline.stdout, r"FAULT +index", f"seed {SEED}")
        self.assertIn("code indexDamaged", offline.stdout)
        with self.diagnosed(Fault("database corrupt", "index", "indexRebuilt", None, "nothing: it is made anew", "warning"), lambda: service):
            service.start()
            # Until it has its camera it says so in light.
            service.wait_for("it is ready", lambda: service.status()["readiness"]["state"] == "ready", 30)
        service.stop()
        self.is_well(service.start())

    # -- faults of the service itself -------------------------------------------------------------------------

    def test_service_stopped_and_its_configuration_wrong(self):
        """No API, no lights: the console alone tells what to do, and the technician's own account may do it."""
        service = self.start(self.text())
        # As systemd/platen.tmpfiles.conf makes /etc/platen.
        for path, mode in ((self.directory, 0o770), (service.configuration_path, 0o640)):
            os.chown(path, 0, privatefiles.group("platen"))
            os.chmod(path, mode)
        self.log_in()
        self.is_well(service)
        self.run_line("config set camera.frame_rate 20")
        service.stop()
        with open(service.configuration_path, "a", encoding="utf-8") as file:
            file.write("camera_: {}\n")
        report = " ".join(" ".join(shown(self.run_line("doctor"))).split())
        self.assertIn("FAULT service", report)
        self.assertIn("code serviceStopped", report)
        self.assertRegex(report, 'FAULT configuration .*"camera_"')
        self.assertIn("code configurationInvalid", report)
        self.assertEqual([self.hands.leds.levels()[name] for name in self.lights], [0, 0, 0], "a service that does not run shows nothing")
        self.assertIn("-camera_: {}", self.run_line("config rollback"))
        self.is_well(service.start())
        figure("doctor: service stopped | fault service serviceStopped | all dark | Start the service with \"platenctl service restart\". "
               "Read \"platenctl log --journal\" if it ends again. | started again")
        figure("doctor: configuration wrong | fault configuration configurationInvalid | all dark | ... run \"platenctl config rollback\". | rolled back")
