# SPDX-License-Identifier: Apache-2.0
"""A display at the rig, row by row: the page is there by itself, takes pictures at a touch, and no key leads away from it."""

import time

from campaign import Failed, expect
from rows import Rig

PACKAGE = "platen-kiosk"
# The page's views, and what stands on its shutter.
VIEWS, SHUTTER = ("Aim", "Operate", "Watch", "Set"), "picture"
# Keys that lead away from a program, a browser's page, or a display, in QEMU's words.
KEYS = ("ctrl+alt+f1", "ctrl+alt+f2", "alt+f1", "ctrl+alt+delete", "ctrl+alt+backspace", "alt+f4", "alt+tab", "meta_l", "ctrl+w", "ctrl+t",
        "ctrl+n", "ctrl+l", "ctrl+o", "ctrl+shift+i", "ctrl+shift+n", "f1", "f11", "f12", "esc", "menu", "print")


class DisplayRig(Rig):
    """The machine with its display, and who stands before it."""

    def __init__(self, screen, *arguments):
        super().__init__(*arguments)
        self.screen = screen

    def see(self, what, *wanted, usual=120):
        """Waits until words are on the display; returns the place of the first of them."""
        end = time.monotonic() + self.computer.seconds(usual)
        while True:
            words = self.screen.words()
            places = [next((place for text, place in words if text == word), None) for word in wanted]
            if None not in places:
                return places[0]
            if time.monotonic() > end:
                said = self.ask("sudo journalctl --unit platen-kiosk --lines 40 --output cat --no-pager | cut -c 1-300", fails=True)
                raise Failed(f"{what}: the display shows {' '.join(text for text, _ in words)!r}; its picture is \"{self.screen.picture}\"; {said}")
            time.sleep(1)

    def shoot_by_touch(self):
        """Touches the shutter until a picture is stored: an emulated processor may be too slow for one."""
        self.screen.touch(self.see("the views of the page", "Operate"))
        self.become_ready()
        for _ in range(10):
            before = self.json("presses list --limit 1")["number"]
            self.screen.touch(self.see("the shutter", SHUTTER))
            self.wait_until("a press by a touch", lambda before=before: self.json("presses list --limit 1")["number"] > before)
            self.wait_until("its outcome", lambda: self.json("presses list --limit 1")["outcome"] != "pending")
            if self.json("presses list --limit 1")["outcome"] == "stored":
                return
        raise Failed("no touch of the shutter became a picture")

    def compositor(self):
        """The number of the process that has the display."""
        return int(self.ask("pgrep --exact cage", fails=True) or 0)


def shows(rig):
    """the package of the display is installed, and the page is there by itself"""
    rig.run(f"sudo apt-get install ./{PACKAGE}_*.deb", usual=240, answers=[(r"\[Y/n\] $", "Y")])
    began = time.monotonic()
    rig.see("the page is not there", *VIEWS, usual=300)
    driver = rig.ask("basename $(readlink /sys/class/drm/card0/device/driver)")
    return f"{driver}, {rig.ask('cat /sys/class/drm/card0-*/status | sort | uniq -c').strip()}, after {time.monotonic() - began:.0f} s"


def touches(rig):
    """a touch of the shutter is a picture, which is uploaded"""
    rig.shoot_by_touch()
    return rig.settle()


def keeps(rig):
    """no key leads away from the page"""
    process, boot = rig.compositor(), rig.ask("cat /proc/sys/kernel/random/boot_id")
    for keys in KEYS:
        rig.screen.press(keys)
    time.sleep(rig.computer.seconds(5))
    rig.see("the page has gone", *VIEWS)
    expect("the console that is shown", rig.ask("sudo fgconsole"), "7")
    expect("the compositor", rig.compositor(), process)
    expect("the boot", rig.ask("cat /proc/sys/kernel/random/boot_id"), boot)
    rig.shoot_by_touch()
    return f"{len(KEYS)} keys, and the next touch is a picture"


def outlasts(rig):
    """the page is there again after a restart of the service, a kill of the compositor, and a power cut"""
    rig.run("sudo systemctl restart platend", usual=90)
    rig.shoot_by_touch()
    process = rig.compositor()
    rig.run(f"sudo kill -KILL {process}")
    rig.wait_until("another compositor", lambda: rig.compositor() not in (0, process))
    rig.see("the page is not back after the kill", *VIEWS, usual=300)
    rig.computer.cut_power()
    rig.technician.rest()
    rig.technician.note("The power is cut, and comes back.")
    rig.technician.plug_in(rig.computer.switch_on())
    rig.technician.log_in()
    rig.see("the page is not back after the power cut", *VIEWS, usual=300)
    rig.shoot_by_touch()
    return rig.settle()


def leaves(rig):
    """without the package the display is the system's again, and the service runs on"""
    process = rig.process()
    rig.run(f"sudo apt-get purge {PACKAGE}", usual=240, answers=[(r"\[Y/n\] $", "Y")])
    expect("the console that is shown", rig.ask("sudo fgconsole"), "1")
    expect("the service's process", rig.process(), process)
    return "console 1"


DISPLAY = (shows, touches, keeps, outlasts, leaves)
