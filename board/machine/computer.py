# SPDX-License-Identifier: Apache-2.0
"""The machine in QEMU: its power, its serial line, and the log of its kernel. No process outlives this one."""

import os
import signal
import socket
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.append(os.path.join(os.path.dirname(HERE), "rig"))
from hardware import Guard  # noqa: E402
from image import LINES  # noqa: E402

# As the smallest board has it, the Zero 2 W, and as one with a display that runs a browser.
MEGABYTES, MEGABYTES_WITH_DISPLAY, PROCESSORS = 512, 2048, 2
# A display of the kernel's own kind, a keyboard, and a pointer that says where it is, as a touch screen does.
DISPLAY = ("-device", "virtio-gpu-pci,xres=1280,yres=800", "-device", "qemu-xhci", "-device", "usb-kbd", "-device", "usb-tablet")
SERVER = "10.0.2.100"  # the machine's only way out
# The time from the power to a login on an idle machine with KVM: whatever takes longer gives everything that much more time.
USUAL_BOOT = 12


class ComputerError(Exception):
    """The machine does not do what it must, and why."""


class Computer:
    """A machine of an architecture; may be booted again and again with the same disks."""

    def __init__(self, architecture, kernel, initramfs, disks, server_port, log, control=None):
        """`disks`: the paths of the root disk and of one that is only read · `log`: the path of the console's log.

        `control`: the path of the socket by which QEMU is asked about the display; without one the machine has none.
        """
        self.control = control
        self.accelerator = os.environ.get("PLATEN_QEMU_ACCEL", "tcg")  # kvm is not there, or half there, on too many machines
        self.log, self.slowness, self.boot_seconds = log, 1.0, None
        self._architecture, self._kernel, self._initramfs, self._disks, self._port = architecture, kernel, initramfs, disks, server_port
        self._process, self._guard, self._said = None, None, 0

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.cut_power()

    @property
    def is_on(self):
        """Whether the machine has power and runs."""
        return self._process is not None and self._process.poll() is None

    def seconds(self, usual):
        """The time that something may take that takes `usual` seconds at most on a fast machine."""
        return usual * self.slowness

    def switch_on(self):
        """Gives power; returns this end of the serial line, a socket."""
        near, far = socket.socketpair()
        self._said = os.path.getsize(self.log) if os.path.exists(self.log) else 0
        with open(f"{self.log}.qemu", "ab") as words:
            try:
                self._process = subprocess.Popen(self._command(far.fileno()), pass_fds=[far.fileno()], stdin=subprocess.DEVNULL,
                                                 stdout=words, stderr=words, start_new_session=True)
            except FileNotFoundError as error:
                raise ComputerError(f"\"{error.filename}\" is missing; run board/setup machine") from None
        far.close()
        self._guard = Guard([self._process.pid], [])
        self._began = time.monotonic()
        return near

    def cut_power(self):
        """Takes the power away at this instant."""
        if self._process:
            if self._process.poll() is None:
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._guard.dismiss()
            self._process = None

    def has_booted(self):
        """Notes that the machine asks for a login, which says how fast it is."""
        self.boot_seconds = time.monotonic() - self._began
        self.slowness = max(self.slowness, self.boot_seconds / USUAL_BOOT)

    def wait_for_bell(self, usual=60):
        """Waits until the machine says by itself that the rig takes presses; returns the seconds since it got power."""
        end = time.monotonic() + self.seconds(usual)
        while time.monotonic() < end and self.is_on:
            with open(self.log, "rb") as file:
                file.seek(self._said)
                if b"ready at " in file.read():
                    return time.monotonic() - self._began
            time.sleep(0.1)
        raise ComputerError(f"the rig was not ready within {self.seconds(usual):.0f} s after its power came; the kernel's log is \"{self.log}\"")

    def _command(self, line):
        programs = {"amd64": ["qemu-system-x86_64", "-M", "q35", "-cpu", "max"],
                    # The processor of a Zero 2 W and a Pi 3; its own serial line is the first, and one at the PCI bus the second.
                    "arm64": ["qemu-system-aarch64", "-M", "virt", "-cpu", "host" if self.accelerator == "kvm" else "cortex-a53"]}
        console = ["-serial", "chardev:log"] if self._architecture == "amd64" else ["-device", "pci-serial,chardev=log"]
        arguments = f"root=LABEL=rig rw console={LINES[self._architecture][1]},115200 panic=-1 no_timer_check"
        memory = MEGABYTES_WITH_DISPLAY if self.control else MEGABYTES
        display = [*DISPLAY, "-qmp", f"unix:{self.control},server=on,wait=off"] if self.control else []
        return [*programs[self._architecture], "-accel", self.accelerator, "-m", str(memory), "-smp", str(PROCESSORS), "-nodefaults", *display,
                "-no-user-config", "-display", "none", "-no-reboot", "-kernel", self._kernel, "-initrd", self._initramfs, "-append", arguments,
                "-chardev", f"socket,id=line,fd={line}", "-serial", "chardev:line",
                "-chardev", f"file,id=log,path={self.log},append=on", *console, "-device", "virtio-rng-pci",
                "-drive", f"file={self._disks[0]},format=raw,if=none,id=root,cache=writeback", "-device", "virtio-blk-pci,drive=root",
                "-drive", f"file={self._disks[1]},format=raw,if=none,id=packages,readonly=on", "-device", "virtio-blk-pci,drive=packages",
                # A program for each connection: QEMU's own way has one connection in all, which it makes at its start.
                "-netdev", f"user,id=net,restrict=on,guestfwd=tcp:{SERVER}:80-cmd:socat - TCP:127.0.0.1:{self._port}",
                "-device", "virtio-net-pci,netdev=net,romfile="]
