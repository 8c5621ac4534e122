# SPDX-License-Identifier: Apache-2.0
"""The machine's disks: a plain Debian with what the packages need and the stand-ins of a rig's devices, and the packages."""

import glob
import os
import re
import shutil
import subprocess
import uuid

from repacking import field

HERE = os.path.dirname(os.path.realpath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))
USER, PASSWORD = "rig", "rig"
# The technician's serial line, and the kernel's log on one of its own.
LINES = {"amd64": ("ttyS0", "ttyS1"), "arm64": ("ttyAMA0", "ttyS0")}
CAMERA_LIBRARY = {"bookworm": "libcamera0.0.3", "trixie": "libcamera0.4"}
# What any Debian on a rig has, and i2c-tools for the stand-ins.
SYSTEM = ("initramfs-tools,systemd,systemd-sysv,dbus,udev,sudo,login,passwd,util-linux,procps,kmod,iproute2,e2fsprogs,ca-certificates,"
          "libpam-systemd,i2c-tools")
# The machine has no other disk and file system; a small initramfs is read faster.
MODULES = "virtio_pci virtio_blk ext4"
DISK_MEGABYTES, LABELS = 4096, ("rig", "packages")
BINFMT = "/proc/sys/fs/binfmt_misc"


class ImageError(Exception):
    """The disk cannot be made, and why."""


def tool(*command, **environment):
    """Runs a program of the repository or of the system; returns what it printed."""
    done = subprocess.run(command, cwd=REPOSITORY, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        raise ImageError(f"\"{' '.join(command)[:200]}\" ended with {done.returncode}: {(done.stderr or done.stdout).strip()[-800:]}")
    return done.stdout


def needed(packages, release):
    """The names of what the packages depend on and recommend: of alternatives the first, of camera libraries the release's.

    They are on the disk beforehand, because the machine reaches no archive.
    """
    own = {field(package, "Package") for package in packages}
    names = set()
    for package in packages:
        for group in f"{field(package, 'Depends')}, {field(package, 'Recommends')}".split(","):
            choices = [re.match(r"[a-z0-9.+-]*", word.strip())[0] for word in group.split("|")]
            if CAMERA_LIBRARY[release] in choices:
                choices = [CAMERA_LIBRARY[release]]
            names |= {choices[0]} - own - {""}
    return sorted(names)


def system(architecture, release, packages):
    """The folder with the system, which the cache keeps; `packages`: those that will be installed there."""
    if _is_foreign(architecture):
        _emulate()
    names = ",".join([f"linux-image-{architecture}", SYSTEM, *needed(packages, release)])
    settings = f"mkdir -p \"$1/etc/initramfs-tools/conf.d\" \"$1/usr/share/initramfs-tools/modules.d\"; " \
               f"printf 'MODULES=list\\nCOMPRESS=gzip\\n' >\"$1/etc/initramfs-tools/conf.d/machine\"; " \
               f"printf '%s\\n' {MODULES} >\"$1/usr/share/initramfs-tools/modules.d/machine\""
    return tool("board/lib/debian-root", f"machine-{architecture}", release, names, f"--architectures={architecture}",
                f"--essential-hook={settings}").strip().splitlines()[-1]


def _is_foreign(architecture):
    return architecture != tool("dpkg", "--print-architecture").strip()


def _add_modules(root, folder):
    """Adds kernel modules in a folder to a system."""
    [version] = os.listdir(f"{root}/lib/modules")
    os.makedirs(f"{root}/lib/modules/{version}/updates", exist_ok=True)
    for module in glob.glob(f"{folder}/*.ko"):
        # The debug information stays, because this processor's strip takes no other's.
        shutil.copy(module, f"{root}/lib/modules/{version}/updates/")
    tool("/sbin/depmod", "-b", root, version)


def _emulate():
    """Has the kernel run programs for arm64 by QEMU, as the package qemu-user-static does where systemd runs."""
    if not os.path.exists(f"{BINFMT}/register"):
        tool("mount", "-t", "binfmt_misc", "binfmt_misc", BINFMT)
    if not os.path.exists(f"{BINFMT}/qemu-aarch64"):
        with open("/usr/lib/binfmt.d/qemu-aarch64.conf", encoding="ascii") as rule, open(f"{BINFMT}/register", "w", encoding="ascii") as register:
            register.write(rule.read().strip())


def make_disk(root, architecture, release, path):
    """Makes the machine's disk of a system's folder, which stays as it is, and the stand-ins of this folder."""
    changed = f"{path}.root"
    try:
        tool("cp", "-a", "--reflink=auto", f"{root}/.", changed)
        _adapt(changed, architecture)
        _add_modules(changed, tool("board/machine/modules", release, architecture, root).strip().splitlines()[-1])
        _make_file_system(path, changed, DISK_MEGABYTES, LABELS[0])
    finally:
        shutil.rmtree(changed, ignore_errors=True)


def _adapt(root, architecture):
    """Makes a system of what mmdebstrap has left: a name, an account, a serial line, no archive."""
    def write(place, text, mode=0o644):
        with open(f"{root}/{place}", "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(f"{root}/{place}", mode)

    # What board/lib/debian-root has left out and switched off belongs to a plain system.
    for left in glob.glob(f"{root}/etc/*/*.d/*mmdebstrap"):
        os.remove(left)
    tool("cp", "-rp", "--no-preserve=ownership", f"{HERE}/guest/.", root)
    os.chmod(f"{root}/etc/sudoers.d/rig", 0o440)
    write("etc/hostname", "rig-1\n")
    write("etc/hosts", "127.0.0.1 localhost\n127.0.1.1 rig-1\n")
    write("etc/fstab", f"LABEL={LABELS[0]} / ext4 noatime,errors=remount-ro 0 1\nLABEL={LABELS[1]} /media/packages ext4 ro 0 0\n")
    # Without one, systemd takes the start for the first of an image and asks for a locale.
    write("etc/machine-id", f"{uuid.uuid4().hex}\n", 0o444)
    # The mirror cannot be reached from the machine, nor this computer's name server.
    write("etc/apt/sources.list", "")
    write("etc/resolv.conf", "")
    os.makedirs(f"{root}/media/packages", exist_ok=True)
    digest = tool("openssl", "passwd", "-6", PASSWORD).strip()
    for place, line in (("passwd", f"{USER}:x:1000:1000::/home/{USER}:/bin/bash"), ("group", f"{USER}:x:1000:"),
                        ("shadow", f"{USER}:{digest}:20000:0:99999:7:::"), ("gshadow", f"{USER}:!::")):
        with open(f"{root}/etc/{place}", "a", encoding="utf-8") as file:
            file.write(f"{line}\n")
    tool("chown", "-R", "1000:1000", f"{root}/home/{USER}")
    tool("systemctl", f"--root={root}", "enable", "systemd-networkd", f"serial-getty@{LINES[architecture][0]}", "stand-in-devices", "ready-bell")


def make_packages_disk(folder, path):
    """Makes the disk that brings the packages, of a folder with them."""
    size = sum(os.path.getsize(name) for name in glob.glob(f"{folder}/**", recursive=True))
    _make_file_system(path, folder, 16 + 2 * (size >> 20), LABELS[1])


def _make_file_system(path, folder, megabytes, label):
    with open(path, "wb") as file:
        file.truncate(megabytes << 20)
    tool("/sbin/mke2fs", "-q", "-F", "-t", "ext4", "-L", label, "-d", folder, path)


def kernel(root):
    """The paths of the system's kernel and of its initramfs."""
    found = [sorted(glob.glob(f"{root}/boot/{name}-*")) for name in ("vmlinuz", "initrd.img")]
    if not all(found):
        raise ImageError(f"\"{root}\" has no kernel with an initramfs; remove the folder, so that it is made again")
    return [names[-1] for names in found]
