# SPDX-License-Identifier: Apache-2.0
"""Rows about devices that come after the unit's start: it needs no restart for them.

The kernel of this machine may have none of a rig's drivers. So the rows have stand-ins: for modprobe and /proc/devices, from
which systemd makes the unit's filter of devices, and for folders of /sys. board/rig/tests/test_installed.py has the devices.
"""

import contextlib
import os
import re
import shlex

from machine import MachineError, expect, file_of_repository
from play import linux_board

STAND_IN = "/run/platen-stand-in"
MODPROBE = "/etc/systemd/system/modprobe@.service.d/stand-in.conf"
# The modules of the kernel that make classes of devices known; the other classes of the unit are in no module.
MODULES = {"videodev": "video4linux", "mc": "media", "industrialio": "iio", "snd": "alsa"}
# A class that the unit does not allow.
OTHER = "platen-other"
# A node of a number without a driver cannot be opened, either; what the unit's filter refuses is not permitted.
LET_THROUGH, REFUSED = "No such device or address", "Operation not permitted"
# The kernel's events of /dev/null and its like are not read there.
DEVICES, CLASSES = "/sys/devices/virtual/mem", "/sys/class"
LIGHTS = ("rig:green:ready", "rig:red:fault")
LIGHT = {"max_brightness": "1", "brightness": "0", "trigger": "[none] timer pattern", "delay_on": "", "delay_off": "", "repeat": "", "pattern": ""}
DEGREES = 41.5


@contextlib.contextmanager
def stand_in_classes(machine, names):
    """Has the kernel know classes of devices, those of modules only when these are loaded; yields their numbers by name.

    The numbers are the last ones that the kernel would give, and have no driver.
    """
    characters, blocks = (part.splitlines() for part in machine.run("cat", "/proc/devices").split("Block devices:"))
    used = {line.split()[0] for line in characters[1:] + blocks if line.strip()}
    majors = dict(zip(names, (number for number in range(511, 0, -1) if str(number) not in used)))
    lines = {name: f"{major} {name}" for name, major in majors.items()}
    known = [line for line in characters if line.strip() and line.split()[1] not in names]
    known += [line for name, line in lines.items() if name not in MODULES.values()]
    # What a module makes known is written behind the last line.
    machine.write(f"{STAND_IN}/devices", "\n".join(["Block devices:", *blocks[1:], "", *known, ""]))
    for module, name in MODULES.items():
        machine.write(f"{STAND_IN}/modules/{module}", f"{lines[name]}\n")
    machine.write(MODPROBE, f"[Service]\nExecStart=\nExecStart=-/bin/sh -c 'cat {STAND_IN}/modules/%i >>{STAND_IN}/devices'\n")
    machine.run("systemctl", "daemon-reload")
    machine.run("mount", "--bind", f"{STAND_IN}/devices", "/proc/devices")
    try:
        yield majors
    finally:
        machine.run("umount", "/proc/devices")
        machine.run("rm", "-r", os.path.dirname(MODPROBE), STAND_IN)
        machine.run("systemctl", "daemon-reload")


def classes(play):
    """the unit has the modules of its classes of devices loaded first, so that a device that comes after its start may be opened"""
    files = "".join(file_of_repository(f"systemd/{name}") for name in ("platend.service", "platen-recorder.conf"))
    allowed = re.findall(r"^DeviceAllow=char-(\S+)", files, re.MULTILINE)
    with stand_in_classes(play.machine, [*allowed, OTHER]) as majors:
        play.start()
        group = play.machine.unit("ControlGroup")["ControlGroup"]
        for name, major in majors.items():
            node = f"{STAND_IN}/{name}"
            play.machine.run("mknod", node, "c", str(major), "0")
            # As root, to whom nothing but the filter of the unit's control group refuses a node.
            opened = play.machine.try_run("env", "LC_ALL=C", "sh", "-c", "echo $$ >\"$0/cgroup.procs\" && exec <\"$1\"",
                                          f"/sys/fs/cgroup{group}", node)
            expect(f"what opening a device of the class \"{name}\" ends with", opened.stderr.strip().rsplit(": ", 1)[-1],
                   REFUSED if name == OTHER else LET_THROUGH)
    play.start()
    return f"{', '.join(allowed)}, and no other"


@contextlib.contextmanager
def stand_in_folders(machine):
    """Puts empty folders in the place of the classes of /sys, and of a device's."""
    for place in (DEVICES, CLASSES):
        machine.run("mount", "-t", "tmpfs", "-o", "mode=755", "stand-in", place)
    try:
        yield
    finally:
        for place in (CLASSES, DEVICES):
            machine.run("umount", place)


def plug_light(machine, name):
    """A light's driver is loaded, and udev does what the package's rule says."""
    for attribute, value in LIGHT.items():
        machine.write(f"{DEVICES}/{name}/{attribute}", f"{value}\n")
    rule = re.search(r'^SUBSYSTEM=="leds".*RUN\+="(.*)"$', file_of_repository("udev/60-platen.rules"), re.MULTILINE)
    if not rule:
        raise MachineError("udev/60-platen.rules has no program for the LED class")
    machine.run(*shlex.split(rule[1].replace("%p", f"{DEVICES}/{name}".removeprefix("/sys"))))
    machine.run("mkdir", "-p", f"{CLASSES}/leds")
    machine.run("ln", "-s", f"{DEVICES}/{name}", f"{CLASSES}/leds/{name}")


def late(play):
    """lights and a thermal zone whose drivers are loaded after the unit's start are used without a restart, and the lights go out"""
    def seen():
        """Which lights cannot be set, and the temperatures."""
        status = play.ask("status")
        return [light["isFailing"] for light in status["lights"]], [zone.get("celsius") for zone in status["thermal"]["temperatures"]]

    def trigger():
        """How the light of faults blinks."""
        return play.machine.run("cat", f"{DEVICES}/{LIGHTS[1]}/trigger").strip()

    play.machine.run("systemctl", "stop", "platend")
    with stand_in_folders(play.machine), linux_board(play):
        play.start()
        play.wait_for("lights and zone are missed", lambda: seen() == ([True, True], [None]))
        before = play.machine.unit("MainPID")["MainPID"]
        for name in LIGHTS:
            plug_light(play.machine, name)
        play.machine.write(f"{CLASSES}/thermal/thermal_zone0/temp", f"{DEGREES * 1000:.0f}\n")
        play.machine.write(f"{CLASSES}/thermal/thermal_zone0/type", "cpu-thermal\n")
        play.wait_for("lights and zone are used", lambda: seen() == ([False, False], [DEGREES]))
        # The camera is absent, which takes a pattern.
        play.wait_for("the light of faults blinks", lambda: trigger() == "pattern")
        expect("the process", play.machine.unit("MainPID")["MainPID"], before)
        play.machine.run("systemctl", "stop", "platend")
        expect("the trigger of the light of faults at the end", trigger(), "none")
    play.start()
    return f"{len(LIGHTS)} lights and a zone of {DEGREES} °C"
