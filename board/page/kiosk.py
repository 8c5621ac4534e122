# SPDX-License-Identifier: Apache-2.0
"""The kiosk on a virtual display: the launcher of the package, with cage in a window of Xvfb, where a person has keyboard and mouse."""

import json
import os
import shutil
import signal
import subprocess
import time

from service import ServiceError, looks

HERE = os.path.dirname(os.path.realpath(__file__))
PROGRAMS = os.path.join(os.path.dirname(os.path.dirname(HERE)), "kiosk")
# What cage has in a window, whatever the window's screen is.
WIDTH, HEIGHT = 1024, 768
NOBODY = 65534
SHUTTER = "document.querySelector('button.shutter')"
# Help, tools, full screen, task manager, menu: keys that Chromium answers although policies forbid what they show. Control and
# Alt come from Xvfb and not from the kiosk's keyboard, so that their keys are judged by the compiled keyboard.
KEYS = ("F1", "F12", "F11", "shift+Escape", "Escape", "Menu", "Print")
FORBIDDEN = ("Control_", "Alt_", "Super_", "Escape", "Switch_VT", " F1 ", " F12 ", "modifier_map Control")


class Kiosk:
    """The kiosk on the rig's socket, with an account that is not root; a context manager that ends it."""

    def __init__(self, socket_path, binary, folder):
        self._socket, self._folder, self._processes = socket_path, folder, []
        os.makedirs(os.path.join(folder, "run"))
        os.makedirs(os.path.join(folder, "bin"))
        os.symlink(binary, os.path.join(folder, "bin", "platenctl"))
        shutil.copytree(PROGRAMS, os.path.join(folder, "kiosk"))
        # The account of the package is in the socket's group; cage refuses the group of root.
        for place in (os.path.dirname(folder), os.path.dirname(socket_path)):
            os.chmod(place, 0o755)
        os.chmod(socket_path, 0o666)
        os.chown(os.path.join(folder, "run"), NOBODY, NOBODY)
        os.chmod(os.path.join(folder, "run"), 0o700)

    def __enter__(self):
        reads, writes = os.pipe()
        self._log = open(os.path.join(self._folder, "kiosk.log"), "wb")  # pylint: disable=consider-using-with
        self._start(["Xvfb", "-displayfd", str(writes), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp"], pass_fds=(writes,))
        os.close(writes)
        with open(reads, encoding="ascii") as said:
            self._display = ":" + said.readline().strip()
        environment = {"PATH": f"{self._folder}/bin:/usr/bin:/bin", "XDG_RUNTIME_DIR": f"{self._folder}/run", "HOME": f"{self._folder}/run",
                       "WLR_BACKENDS": "x11", "WLR_RENDERER": "pixman", "DISPLAY": self._display, "PLATEN_SOCKET": self._socket}
        self._start([f"{self._folder}/kiosk/kiosk", "show"], env=environment, user=NOBODY, group=NOBODY, extra_groups=[])
        return self

    def _start(self, command, **options):
        self._processes.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log, **options))

    def __exit__(self, *_):
        for process in reversed(self._processes):
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._log.close()

    def do(self, *words):
        """Has the keyboard or the mouse do something: the words of xdotool."""
        subprocess.run(["xdotool", *words], check=True, env=os.environ | {"DISPLAY": self._display}, stdout=subprocess.DEVNULL)


def forbidden_keys():
    """The keys that the kiosk's keyboard has and must not have, as libxkbcommon compiles it."""
    shown = subprocess.run(["xkbcli", "compile-keymap", "--rules", "platen-kiosk", "--layout", "us"], capture_output=True, text=True, check=True,
                           env=os.environ | {"XKB_CONFIG_EXTRA_PATH": os.path.join(PROGRAMS, "kiosk-xkb")}).stdout
    symbols = shown[shown.index("xkb_symbols"):]
    return [name for name in FORBIDDEN if name in symbols]


def unknown_policies():
    """The policies whose names the installed Chromium does not have."""
    with open(os.path.join(PROGRAMS, "kiosk-policies/managed/platen-kiosk.json"), encoding="utf-8") as file:
        names = json.load(file)
    return [name for name in names if subprocess.run(["grep", "-qaF", name, "/usr/lib/chromium/chromium"], check=False).returncode != 0]


def presses(rig):
    """The number of the newest press."""
    return max((press["number"] for press in rig.service.call("GET", "/v1/presses")[1]["presses"]), default=0)


def _browse(socket_path, home, command):
    """Runs the launcher with a command in the browser's place; returns its status, and what it said."""
    program = os.path.join(home, "browser")
    with open(program, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\n{command}\n")
    os.chmod(program, 0o755)
    ended = subprocess.run(["bwrap", "--die-with-parent", "--unshare-net", "--unshare-pid", "--dev-bind", "/", "/", os.path.join(PROGRAMS, "kiosk"), "browse",
                            program], env={"PATH": "/usr/bin:/bin", "HOME": home, "PLATEN_SOCKET": socket_path, "PLATEN_KIOSK_PATIENCE": "1"},
                           stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, timeout=100, check=False)
    return ended.returncode, ended.stderr


def judge_patience(socket_path, home):
    """A browser that asks for no page is ended, and another that has asked is not."""
    os.makedirs(home)
    status, said = _browse(socket_path, home, "exec sleep 60")
    if status != 128 + signal.SIGTERM or "has not asked for the page within 1 s" not in said:
        raise ServiceError(f"a browser that asks for no page ended with {status}, and the launcher said {said!r}")
    # Without a connection that is passed on, the way to the service ends at once.
    subprocess.run([os.path.join(PROGRAMS, "kiosk"), "forward", socket_path], env={"PATH": "/usr/bin:/bin", "HOME": home}, stderr=subprocess.DEVNULL, check=False)
    status, said = _browse(socket_path, home, "exec sleep 3")
    if status != 0:
        raise ServiceError(f"a browser that has asked for the page ended with {status}, and the launcher said {said!r}")


def play(tab, rig, binary, folder):
    """Takes a picture by a click on the display, tries to leave, and takes another; the tab says where the shutter is."""
    judge_patience(rig.service.socket_path, f"{folder}-patience")
    if wrong := forbidden_keys() + unknown_policies():
        raise ServiceError(f"the kiosk has keys that lead away, or policies that Chromium does not know: {wrong}")
    tab.call("Page.bringToFront")
    tab.resize(WIDTH, HEIGHT)
    tab.navigate(rig.address + "#operate")
    tab.wait_for("the shutter is shown", SHUTTER)
    area = tab.evaluate(f"(area => [area.left + area.width / 2, area.top + area.height / 2])({SHUTTER}.getBoundingClientRect())")
    with Kiosk(rig.service.socket_path, binary, folder) as kiosk:
        _shoot(kiosk, rig, area, "the kiosk shows the page without a sign-in, full screen")
        for keys in KEYS:
            kiosk.do("key", keys)
        kiosk.do("mousemove", "5", str(HEIGHT - 5), "click", "3")
        time.sleep(3)
        _shoot(kiosk, rig, area, "the page is still the only one that is shown")


def _shoot(kiosk, rig, area, what):
    """Clicks where the shutter must be until a press comes of it."""
    before = presses(rig)
    for _ in looks(20):
        kiosk.do("mousemove", *(str(int(place)) for place in area), "click", "1")
        time.sleep(1)
        if presses(rig) > before:
            return
    raise ServiceError(f"it is still not true that {what}")
