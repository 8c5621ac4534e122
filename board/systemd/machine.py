# SPDX-License-Identifier: Apache-2.0
"""A machine for the unit: systemd in namespaces, with this machine's files below a layer in memory."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.realpath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))
# By a busy host; systemd is up after a few.
SECONDS_TO_BOOT = 480
# Until the kernel has ended everything that was in there.
SECONDS_TO_END = 60
PLACES = ("systemd", "udev", "polkit")
CAMERA_OBJECTS = "/usr/lib/platen/cameras"
# Debian 12's systemd does not know these, as the unit says.
LATER_KEYS = ("RestartSteps", "RestartMaxDelaySec", "ImportCredential")
# What systemd-analyze security says of the unit at most, in tenths.
EXPOSURE = 16
INSTALLED_AS = re.compile(r"^(?:#|//) Installed as (\S+)$", re.MULTILINE)


class MachineError(Exception):
    """The machine does not do what it must, and why."""


def expect(what, seen, wanted):
    """Fails when something is not as it must be."""
    if seen != wanted:
        raise MachineError(f"{what} is {seen!r}, not {wanted!r}")


def file_of_repository(path):
    """The text of a file that a package installs, or that documents it."""
    with open(os.path.join(REPOSITORY, path), encoding="utf-8") as file:
        return file.read()


def installed_files():
    """Where a package puts the files that go with the programs, as each says itself: {path here: path there}."""
    found = {}
    for place in PLACES:
        folder = os.path.join(REPOSITORY, place)
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                said = INSTALLED_AS.search(file.read())
            if not said:
                raise MachineError(f"\"{path}\" does not say as what it is installed")
            found[path] = said[1]
    return found


def program_place(path):
    """Where a package puts a program or a camera object."""
    name = os.path.basename(path)
    if path.endswith(".so"):
        return camera_object_place(path)
    return f"/usr/lib/platen/{name}" if name == "platen-recorder" else f"/usr/bin/{name}"


def camera_object_place(path):
    """Where a package puts a camera object, which is called after the libcamera that it is linked to."""
    shown = subprocess.run(["readelf", "--dynamic", path], capture_output=True, text=True).stdout
    version = re.search(r"\(NEEDED\).*\[libcamera\.so\.(.+)\]", shown)
    if not version:
        raise MachineError(f"\"{path}\" is linked to no libcamera")
    return os.path.join(CAMERA_OBJECTS, f"libplatencamera-{version[1]}.so")


def own_control_group():
    """The folder of this process's control group, in the hierarchy that systemd uses."""
    with open("/proc/mounts", encoding="utf-8") as mounts, open("/proc/self/cgroup", encoding="utf-8") as groups:
        place = next((fields[1] for fields in map(str.split, mounts) if fields[2] == "cgroup2"), None)
        path = next((line.strip().removeprefix("0::") for line in groups if line.startswith("0::")), None)
    if place is None or path is None:
        raise MachineError("this machine has no control groups of version 2, which systemd needs; mount them on /sys/fs/cgroup")
    return place + path


def remove_control_group(folder):
    """Removes a control group with those below it, as soon as what was in them is gone."""
    end = time.monotonic() + SECONDS_TO_END
    while os.path.isdir(folder) and time.monotonic() < end:
        for below, _, _ in os.walk(folder, topdown=False):
            with contextlib.suppress(OSError):
                os.rmdir(below)
        time.sleep(0.02)


class SystemdMachine:
    """Boots with `with`; `folder` is an empty one, over which the machine's own is mounted.

    `has_udev`: whether it gives the devices, which are those of this machine, to whom the rules say. `base`: the folder with
    the machine's files, which stay as they are.
    """

    def __init__(self, folder, has_udev=False, base="/"):
        self.folder, self._has_udev, self._base, self._unshare, self._pid, self._group = folder, has_udev, base, None, None, None

    def __enter__(self):
        # A group of the same name that an earlier machine left, or has at this time, would keep its filter of devices.
        self._group = tempfile.mkdtemp(prefix="platen-machine-", dir=own_control_group())
        command = ["sh", "-c", "echo $$ >\"$0/cgroup.procs\" && exec \"$@\"", self._group,
                   "unshare", "--mount", "--pid", "--fork", "--kill-child", "--uts", "--ipc", "--cgroup",
                   os.path.join(HERE, "root"), self.folder, self._base, *(["udev"] if self._has_udev else [])]
        self._unshare = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            self._wait_for_boot()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self._unshare.send_signal(signal.SIGKILL)
        self._unshare.wait()
        remove_control_group(self._group)

    def _wait_for_boot(self):
        end = time.monotonic() + SECONDS_TO_BOOT
        while time.monotonic() < end:
            if self._unshare.poll() is not None:
                raise MachineError(f"systemd does not start in namespaces: {self._unshare.stdout.read().strip()[-500:]}")
            self._pid = self._child()
            if self._pid and self.try_run("systemctl", "is-system-running").stdout.strip() in ("running", "degraded"):
                return
            time.sleep(0.1)
        raise MachineError(f"systemd has not started in namespaces within {SECONDS_TO_BOOT} s")

    def _child(self):
        """The process that is, or becomes, number 1 of the machine."""
        for name in os.listdir("/proc"):
            with contextlib.suppress(OSError):
                # The kernel of the rig has no list of a process's children.
                with open(f"/proc/{int(name) if name.isdigit() else 'none'}/stat", encoding="utf-8", errors="replace") as file:
                    if file.read().rsplit(")", 1)[1].split()[1] == str(self._unshare.pid):
                        return int(name)
        return None

    def try_run(self, *command, user="root", seconds=960, **options):
        """Runs a program in the machine, which may take `seconds` on a busy host; returns it when it has ended, with what it printed."""
        account = [] if user == "root" else ["setpriv", f"--reuid={user}", f"--regid={self.run('id', '-g', user).strip()}", "--init-groups"]
        return subprocess.run(["nsenter", f"--target={self._pid}", "--all", "--root", "--wd=/", *account, *command],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=seconds, **options)

    def run(self, *command, **options):
        """Runs a program that has to succeed; returns what it printed."""
        done = self.try_run(*command, **options)
        if done.returncode != 0:
            raise MachineError(f"\"{' '.join(command)}\" ended with {done.returncode}: {(done.stderr or done.stdout).strip()[-600:]}")
        return done.stdout

    def path(self, path):
        """Where a file of the machine is seen from outside."""
        return f"/proc/{self._pid}/root{path}"

    def write(self, path, text):
        """Writes a file; its folder is made."""
        os.makedirs(os.path.dirname(self.path(path)), exist_ok=True)
        with open(self.path(path), "w", encoding="utf-8") as file:
            file.write(text)

    def install(self, programs):
        """Does what a package does: files in their places, accounts, folders, systemd told."""
        places = {path: program_place(path) for path in programs}
        for source, place in {**installed_files(), **places}.items():
            os.makedirs(os.path.dirname(self.path(place)), exist_ok=True)
            shutil.copy(source, self.path(place))
        os.symlink("platenctl", self.path("/usr/bin/platen-console"))
        self.run("systemd-sysusers")
        # Others' files are none of ours: some need what no namespace has.
        self.run("systemd-tmpfiles", "--create", "platen.conf", "platen-console.conf")
        self.run("systemctl", "daemon-reload")
        if self._has_udev:
            self.run("udevadm", "control", "--reload")
            self.run("udevadm", "trigger", "--action=add", "--settle")

    def unit_faults(self):
        """What systemd-analyze says against the units of the packages that are installed."""
        places = [place for place in installed_files().values() if place.endswith(".service")]
        paths = [place for place in places if os.path.exists(self.path(place))]
        # What it says of other units is not about the package.
        said = [line for line in self.try_run("systemd-analyze", "verify", *paths).stderr.splitlines() if "platen" in line]
        return [line for line in said if not any(f"Unknown key '{name}'" in line for name in LATER_KEYS)]

    def exposure(self):
        """What systemd-analyze security says of the installed unit, for example "1.6"; fails above EXPOSURE."""
        unit = "/usr/lib/systemd/system/platend.service"
        said = self.run("systemd-analyze", "security", "--offline=yes", f"--threshold={EXPOSURE}", unit)
        return re.search(r"exposure level for platend.service: ([0-9.]+) ", said)[1]

    def unit(self, *properties):
        """Properties of the unit, as systemd has them."""
        lines = self.run("systemctl", "show", "platend", *(f"--property={name}" for name in properties)).splitlines()
        return dict(line.split("=", 1) for line in lines if "=" in line)

    def journal(self, lines=20):
        """The last lines of the unit's journal."""
        return self.try_run("journalctl", "--unit=platend", "--output=cat", f"--lines={lines}").stdout.strip()
