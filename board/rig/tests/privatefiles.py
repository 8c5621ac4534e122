# SPDX-License-Identifier: Apache-2.0
"""Files that only the tests' own processes see: accounts, the resolver's file, programs in /usr/bin.

The guest's root is the host's, read-only. In a mount namespace of their own the tests have folders in memory in the
place of /etc and /usr/bin, which show the host's entries as links, and in which others can be made.
"""

import contextlib
import ctypes
import glob
import grp
import os
import shutil
import subprocess

import kernelcalls
import wiring

CLONE_NEWNS = 0x00020000
MS_REC, MS_PRIVATE = 1 << 14, 1 << 18
REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
ACCOUNT_FILES = ("passwd", "group", "shadow", "gshadow")
COPIES = "/run/platen-rig"

_is_done = False


def prepare(programs):
    """Gives this process and its children private files, once: the project's accounts, and `programs` in /usr/bin as {name: path}."""
    global _is_done
    if _is_done:
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNS) != 0:
        raise OSError(ctypes.get_errno(), "a mount namespace cannot be had")
    kernelcalls.mount("none", "/", None, flags=MS_REC | MS_PRIVATE)
    _replace("/etc", copied=(*ACCOUNT_FILES, "resolv.conf"))
    _replace("/usr/bin", linked=programs)
    _make_accounts()
    _is_done = True


def _replace(folder, copied=(), linked=()):
    """Puts a folder in memory over the folder of the host."""
    host = wiring.HOST_ROOT + os.path.realpath(folder)
    place = COPIES + folder
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(place)
    for name in os.listdir(host):
        if name in copied:
            shutil.copy2(f"{host}/{name}", f"{place}/{name}")
        elif name not in linked and name != ".pwd.lock":  # which may not be a link
            os.symlink(f"{host}/{name}", f"{place}/{name}")
    for name in linked:
        os.symlink(linked[name], f"{place}/{name}")
    kernelcalls.mount(place, folder, None, flags=kernelcalls.MS_BIND)


def _make_accounts():
    """What the package's installation does: accounts by systemd-sysusers(8), folders by systemd-tmpfiles(8)."""
    for kind, program in (("sysusers", ["systemd-sysusers"]), ("tmpfiles", ["systemd-tmpfiles", "--create"])):
        # Not the service's own tmpfiles: it makes a folder in /etc, which each test has a link for.
        names = ("platen", "platen-console", "platen-recorder") if kind == "sysusers" else ("platen-console",)
        paths = [f"{REPOSITORY}/systemd/{name}.{kind}.conf" for name in names]
        done = subprocess.run([*program, *paths], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f'"{program[0]}" failed: {done.stderr.strip()}')


def give_devices():
    """Gives the devices to the service's groups, as udev/60-platen.rules does on a rig; udev itself knows no accounts of ours."""
    owned = {"video": ("/dev/media*", "/dev/video*", "/dev/v4l-subdev*", "/dev/dma_heap/*", "/dev/udmabuf"), "gpio": ("/dev/gpiochip*",),
             "iio": ("/dev/iio:device*", "/sys/bus/iio/devices/iio:device*"), "platen": ("/sys/class/leds/rig:*",)}
    for name, patterns in owned.items():
        for path in (os.path.realpath(path) for pattern in patterns for path in glob.glob(pattern)):
            for place in [path, *(os.path.join(folder, file) for folder, _, files in os.walk(path) for file in files)]:
                with contextlib.suppress(OSError):  # some attributes are neither read nor written by anybody
                    os.chown(place, -1, group(name))
                    os.chmod(place, os.stat(place).st_mode | (os.stat(place).st_mode & 0o600) >> 3)


def group(name):
    """The number of a group."""
    return grp.getgrnam(name).gr_gid


def set_password(user, password):
    """Gives an account a password, or none with which one can log in."""
    code = "!*"
    if password is not None:
        code = subprocess.run(["openssl", "passwd", "-6", "-stdin"], input=f"{password}\n", capture_output=True, text=True,
                              check=True).stdout.strip()
    with open("/etc/shadow", encoding="ascii") as file:
        entries = [line.rstrip("\n").split(":") for line in file]
    with open("/etc/shadow", "w", encoding="ascii") as file:
        for entry in entries:
            file.write(":".join([entry[0], code, *entry[2:]] if entry[0] == user else entry) + "\n")


def set_name_servers(*addresses):
    """Names the resolver's servers."""
    with open("/etc/resolv.conf", "w", encoding="ascii") as file:
        file.writelines(f"nameserver {address}\n" for address in addresses)


def set_configuration_folder(directory):
    """Makes /etc/platen a link to a folder."""
    if os.path.islink("/etc/platen"):
        os.remove("/etc/platen")
    os.symlink(directory, "/etc/platen")
