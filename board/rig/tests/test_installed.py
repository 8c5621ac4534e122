# SPDX-License-Identifier: Apache-2.0
"""The unit as it is shipped, run by systemd as its own user, with the rig's kernel devices that udev gives it."""

import json
import os
import subprocess
import sys
import tempfile
import time

from consolecase import PASSWORD, RIG, USER
from rigcase import BINARY, BOARD, MODULES, ORIENTATION, RigCase, configuration, figure, orientation_of
from serialline import Laptop
import devices
import kernelcalls
from service import until_taken
from wiring import CLASS_LEDS, CLOCKWISE

sys.path.insert(0, os.path.join(BOARD, "systemd"))
from machine import SystemdMachine  # noqa: E402

PROGRAMS = [os.path.join(os.path.dirname(BINARY), name) for name in ("platend", "platenctl", "libplatencamera.so", "platen-recorder")]
SPOOL, SOCKET = "/var/lib/platen", "/run/platen/platend.sock"
USB_CONSOLE, USB_UNITS = "/usr/lib/platen/usb-console", ("platen-usb-console.service", "serial-getty@ttyGS0.service")
# The computer's end of the USB cable.
COMPUTER = "/dev/ttyACM0"


class Installed(RigCase):
    """One machine for all tests: systemd is in namespaces of the rig's kernel."""

    @classmethod
    def setUpClass(cls):
        # Another udev would take the kernel's events away from the machine's own.
        subprocess.run(["udevadm", "control", "--exit"], check=False)
        folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.machine = cls.enterClassContext(SystemdMachine(folder, has_udev=True))
        cls.machine.install(PROGRAMS)
        text = configuration(extra="  socket_group: platen-console\nmovie: { enabled: true, preset: 720p }\n")
        cls.machine.write("/etc/platen/platen.yaml", text.replace("{directory}/spool", SPOOL).replace("{socket}", f'"{SOCKET}"'))

    def setUp(self):
        super().setUp()
        began = time.monotonic()
        self.machine.run("systemctl", "restart", "platend")
        self.until("a press would be taken", self.is_ready, 30)
        figure(f"installed: ready {time.monotonic() - began:.1f} s after systemctl restart")

    def tearDown(self):
        if not self._passed():
            told = {"unit's journal": self.machine.journal(40), "readiness": self.machine.try_run("platenctl", "status").stdout,
                    "devices": self.machine.try_run("sh", "-c", "ls -ln /dev/gpiochip* /dev/iio:device* /sys/class/leds/").stdout,
                    "udev": self.machine.try_run("journalctl", "--output=cat", "--lines=20", "--unit=systemd-udevd").stdout,
                    "programs": self.machine.try_run("sh", "-c", "ps -eo pid,ppid,user,args | grep -i udev").stdout}
            for name, text in told.items():
                print(f"--- the {name}:\n{text.strip()}\n---", file=sys.stderr, flush=True)
        super().tearDown()

    def ask(self, *command):
        """What platenctl answers a technician in JSON."""
        return json.loads(self.machine.run("platenctl", *command, "--json", user="technician"))

    def is_ready(self):
        """Whether the service answers, and would take a press."""
        return self.machine.try_run("platenctl", "status", user="technician").returncode == 0 and self.ask("status")["readiness"]["state"] == "ready"

    def newest_press(self):
        """The newest press that the ledger has; a press 0 before the first one."""
        shown = self.machine.run("platenctl", "presses", "list", "--limit", "1", "--json", user="technician")
        return json.loads(shown) if shown.strip() else {"number": 0}

    def ended_press(self, last):
        """The newest press, if it is newer than the press `last` and has its outcome."""
        press = self.newest_press()
        return press if press["number"] > last and press["outcome"] != "pending" else None

    def shoot(self):
        """Presses the button until the host lets the camera work at that moment; returns the bytes that the server has of the picture."""
        def press():
            last = self.newest_press()["number"]
            self.hands.shutter.press(0.05)
            return self.until("a press has its outcome", lambda: self.ended_press(last), 30)

        before = set(self.server_files())
        until_taken(press)
        new = self.until("a picture is at the server", lambda: set(self.server_files()) - before, 30)
        with open(self.server_files()[new.pop()][0], "rb") as file:
            return file.read()

    def test_a_movie_is_recorded(self):
        """The recorder runs in the unit's sandbox, which has no memory that is written and executed."""
        self.ask("record", "start")
        self.until("frames are recorded", lambda: self.ask("record")["frames"] > 20, 30)
        recording = self.ask("record", "stop")
        self.assertEqual((recording["outcome"], len(recording["items"])), ("stored", 1), recording)
        self.assertGreater(recording["frames"], 20)

    def load_drivers(self):
        """Loads the drivers of lights, accelerometer and camera, as far as they are not there."""
        if not all(os.path.isdir(f"/sys/class/leds/{name}") for name in CLASS_LEDS):
            devices.start_leds(MODULES)
        self.hands.accelerometer.ensure_plugged()
        if not self.hands.camera.is_plugged():
            self.hands.camera.bind()

    def test_the_button_takes_a_picture_the_right_way_up(self):
        """GPIO, camera, accelerometer and network, in the unit's sandbox."""
        for angle in (0, 90):
            self.inject(angle)
            self.hands.accelerometer.place(CLOCKWISE[angle])
            self.until(f"the rig is seen at {angle}°", lambda angle=angle: self.ask("status")["rotation"]["captureAngle"] == angle)
            self.assertEqual(orientation_of(self.shoot()), ORIENTATION[angle])

    def test_the_lights_are_driven_and_go_out(self):
        """The LED class is written through /sys/devices, of /sys the only part that the unit may write."""
        self.until("the ready light is lit", lambda: self.hands.leds.levels()["rig:green:ready"])
        self.machine.run("systemctl", "stop", "platend")
        self.until("the lights are dark", lambda: not any(self.hands.leds.levels()[name] for name in CLASS_LEDS))

    def test_devices_whose_drivers_come_after_the_start_need_no_restart(self):
        """The unit's filter of devices lets them through, and udev gives them to the unit's user."""
        self.machine.run("systemctl", "stop", "platend")
        self.addCleanup(self.load_drivers)
        self.hands.camera.unbind()
        self.hands.accelerometer.unplug()
        kernelcalls.unload_module("rig_leds")
        self.machine.run("systemctl", "start", "platend")
        self.until("the camera is missed", lambda: "cameraAbsent" in self.ask("status")["readiness"]["reasons"], 30)
        self.until("the lights are missed", lambda: all(light["isFailing"] for light in self.ask("status")["lights"]))
        self.until("the accelerometer is missed", lambda: self.ask("status")["rotation"]["accelerometer"] == "absent")
        before = self.machine.unit("MainPID", "NRestarts")
        self.load_drivers()
        self.until("a press would be taken", self.is_ready, 60)
        self.until("the accelerometer is read", lambda: self.ask("status")["rotation"]["accelerometer"] == "ok", 30)
        self.until("the ready light is lit", lambda: self.hands.leds.levels()["rig:green:ready"], 30)
        self.shoot()
        self.assertEqual(self.machine.unit("MainPID", "NRestarts"), before)

    def test_both_processes_are_the_unit_s_user_without_a_privilege(self):
        """The service, and the process that has its cameras."""
        user = self.machine.run("id", "-u", "platen").strip()
        pids = self.machine.run("systemctl", "show", "platend", "--property=ControlGroup", "--value").strip()
        pids = self.machine.run("cat", f"/sys/fs/cgroup{pids}/cgroup.procs").split()
        self.assertEqual(len(pids), 2)
        for pid in pids:
            status = dict(line.split(":\t", 1) for line in self.machine.run("cat", f"/proc/{pid}/status").splitlines() if ":\t" in line)
            self.assertEqual(set(status["Uid"].split()), {user})
            self.assertEqual([int(status[name], 16) for name in ("CapEff", "CapBnd")], [0, 0])
            self.assertEqual((status["NoNewPrivs"], status["Seccomp"]), ("1", "2"))

    def unplug_usb(self):
        """Takes the line and the USB controller away; tells of the units if the test has failed."""
        if not self._passed():
            said = self.machine.try_run("journalctl", "--output=cat", "--lines=40", *(f"--unit={unit}" for unit in USB_UNITS)).stdout
            print(f"--- the journal of the console on USB:\n{said.strip()}\n---", file=sys.stderr, flush=True)
        self.machine.run("systemctl", "stop", USB_UNITS[0])
        kernelcalls.unload_module("dummy_hcd")

    def test_a_computer_on_usb_gets_a_login(self):
        """udev, the units and the program of the console, from a controller that appears to the technician's prompt."""
        with open(os.path.join(BOARD, "rpi", "usb-console"), encoding="utf-8") as file:
            self.machine.write(USB_CONSOLE, file.read())
        os.chmod(self.machine.path(USB_CONSOLE), 0o755)
        self.machine.run("sh", "-c", f"echo '{USER}:{PASSWORD}' | chpasswd")
        # The machine starts no more than it must, and until this has run nobody but root may log in.
        self.machine.run("systemctl", "start", "systemd-user-sessions.service")
        kernelcalls.load_module(f"{MODULES}/dummy_hcd.ko")
        self.addCleanup(self.unplug_usb)
        for unit in USB_UNITS:
            self.until(f"{unit} is active", lambda unit=unit: self.machine.try_run("systemctl", "is-active", unit).returncode == 0, 60)
        self.until("the computer has a line", lambda: os.path.exists(COMPUTER), 30)
        laptop = Laptop(os.open(COMPUTER, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK))
        self.addCleanup(laptop.close)
        # Until the computer's end was raw it sent back what it got, and getty took that for a name. Its prompt may come late, and
        # what is typed at that one the next getty throws away.
        self.machine.run("systemctl", "stop", USB_UNITS[1])
        laptop.quiet(1)
        self.machine.run("systemctl", "start", USB_UNITS[1])
        laptop.expect("login: ", 30)
        laptop.type(f"{USER}\r")
        laptop.expect("Password: ")
        laptop.type(f"{PASSWORD}\r")
        laptop.expect(rf"{RIG} [a-zA-Z]+> ", 30)
        laptop.type("exit\r")
        laptop.expect("login: ", 30)
        laptop.close()
        self.machine.run("systemctl", "stop", USB_UNITS[0])
        self.until("the line is gone", lambda: not os.path.exists("/dev/ttyGS0"), 30)

    def test_what_is_killed_is_started_anew(self):
        """systemd does it, and the next press is taken."""
        before = self.machine.unit("MainPID")["MainPID"]
        self.machine.run("kill", "-KILL", before)
        self.until("it is started anew", lambda: self.machine.unit("MainPID")["MainPID"] not in ("0", before), 30)
        self.until("a press would be taken", self.is_ready, 30)
        self.shoot()
