# SPDX-License-Identifier: Apache-2.0
"""A small real ext4 on a loop device, for rows that need a disk of their own; needs root."""

import os
import subprocess
import time

from service import PATIENCE
from stage import Failed, NotRun

# Seconds within which the kernel lets go of a disk.
RELEASE = 20


class SmallDisk:
    """A file system of so many MiB, mounted until unmount()."""

    def __init__(self, folder, megabytes, options="noatime,errors=remount-ro", inodes=None):
        if os.geteuid() != 0:
            raise NotRun("only root can mount a file system")
        self.image, self.mounted = os.path.join(folder, "disk.ext4"), os.path.join(folder, "disk")
        os.makedirs(self.mounted)
        with open(self.image, "wb") as file:
            file.truncate(megabytes << 20)
        arguments = ["/sbin/mke2fs", "-q", "-F", "-t", "ext4", "-m", "0", *(["-N", str(inodes)] if inodes else []), self.image]
        for command in (arguments, ["mount", "-o", f"loop,{options}", self.image, self.mounted]):
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                raise NotRun(f"{command[0]} failed here: {done.stderr.strip()[-200:]}")
        self._filler = os.path.join(self.mounted, "filler")

    @property
    def device(self):
        """The name of the loop device, such as loop3."""
        with open("/proc/mounts", encoding="utf-8") as file:
            return next(line.split()[0].rsplit("/", 1)[1] for line in file if line.split()[1] == self.mounted)

    def free(self):
        """Bytes that are free."""
        status = os.statvfs(self.mounted)
        return status.f_bavail * status.f_frsize

    def fill(self, leaving=0):
        """Fills it with another program's file until so many bytes are left."""
        with open(self._filler, "ab") as file:
            while self.free() > leaving:
                try:
                    piece = min(self.free() - leaving, 1 << 20)
                    os.posix_fallocate(file.fileno(), file.tell(), max(piece, 1024))
                    file.seek(0, os.SEEK_END)
                except OSError:
                    break

    def fill_inodes(self):
        """Makes empty files until there is no inode left; returns how many."""
        folder = os.path.join(self.mounted, "empty")
        os.makedirs(folder, exist_ok=True)
        count = 0
        try:
            while True:
                os.close(os.open(os.path.join(folder, str(count)), os.O_CREAT | os.O_WRONLY))
                count += 1
        except OSError:
            return count

    def empty(self):
        """Takes away what filled it."""
        if os.path.exists(self._filler):
            os.remove(self._filler)
        folder = os.path.join(self.mounted, "empty")
        if os.path.isdir(folder):
            for name in os.listdir(folder):
                os.remove(os.path.join(folder, name))

    def break_down(self):
        """Makes the kernel believe in an error of the file system: with errors=remount-ro it turns read-only at once."""
        path = f"/sys/fs/ext4/{self.device}/trigger_fs_error"
        try:
            with open(path, "w", encoding="ascii") as file:
                file.write("for a test\n")
        except OSError as error:
            raise NotRun(f"this kernel cannot be told of an error: {error}") from None

    def unmount(self):
        """Takes it away, also while somebody still uses it."""
        subprocess.run(["umount", "-l", self.mounted], capture_output=True)

    def release(self):
        """Takes it away and waits until nobody uses it, so that the next mount reads it anew, as at a start of the machine."""
        path, deadline = f"/sys/block/{self.device}/loop/backing_file", time.monotonic() + RELEASE * PATIENCE
        self.unmount()
        while _read(path) == os.path.realpath(self.image):
            if time.monotonic() > deadline:
                raise Failed(f"somebody still uses the disk {RELEASE * PATIENCE} s after its service has ended")
            time.sleep(0.05)


def _read(path):
    """The line of a file of the kernel, "" if there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().strip()
    except OSError:
        return ""
