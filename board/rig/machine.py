# SPDX-License-Identifier: Apache-2.0
"""The virtual rig as seen from the host: boots it, talks to it, cuts its power.

    with Machine("uml", work_dir="/tmp/x", disk="/tmp/x.ext4") as machine:
        machine.boot()
        machine.hands("shutter.press", 0.05)
        status = machine.run(["uname", "-a"]).status
        machine.power_cut()
        machine.boot()

The guest's root is the host's root, read-only; the work folder has the same path on both sides and can be written by
both; the guest reaches a server on the host's 127.0.0.1 as 10.0.2.2. No process outlives the Machine, nor this one.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

import hardware
from conversation import Command, Conversation, RigError

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))
# By a busy host; a quiet one takes ten.
SECONDS_TO_BOOT = 1440
PATH = "/usr/sbin:/usr/bin:/sbin:/bin"


class Machine:
    """One virtual machine; may be booted again and again with the same disk and work folder."""

    def __init__(self, kind="uml", work_dir=None, disk=None, memory=2048, processors=2, matrix=None, udev_rules=(), shares=(), virtual_time=False,
                 write_log=None):
        """`kind`: "uml" or "qemu" · `work_dir`: None makes one and removes it at close().

        `disk`: an ext4 image, made if it is missing, mounted at /var/lib/platen; None: in memory.
        `memory` in MiB · `processors`: QEMU only · `matrix`: 9 numbers, the accelerometer's mount matrix, row by row ·
        `udev_rules`: rules files of the host · `shares`: host folders under /tmp, /run, /var/lib and so on that the
        guest must see too · `virtual_time`: UML only; sleeping takes no time, and nobody can talk: use run_closed() ·
        `write_log`: an existing file that gets every write and flush of the disk (the format of dm-log-writes).
        """
        if kind not in hardware.KINDS:
            raise RigError(f'"{kind}" is no kind of rig; the kinds are {", ".join(hardware.KINDS)}')
        self.kind, self.memory, self.processors, self.virtual_time = kind, memory, processors, virtual_time
        self._own_work = None if work_dir else tempfile.mkdtemp(prefix="platen-rig-")
        self.work_dir = os.path.realpath(work_dir or self._own_work)
        os.makedirs(self.work_dir, exist_ok=True)
        self.disk = os.path.realpath(disk) if disk else None
        self.write_log = os.path.realpath(write_log) if write_log else None
        self._matrix, self._rules = matrix, [os.path.realpath(path) for path in udev_rules]
        self._shares = [os.path.realpath(path) for path in (REPOSITORY, *shares)]
        self.console_log = os.path.join(self.work_dir, "console.log")
        self.kernel = None  # the folder of the kernel
        self.boot_seconds = None
        self._processes, self._guard, self._talk, self._folder = [], None, None, None

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def boot(self, timeout=SECONDS_TO_BOOT):
        """Switches the machine on and waits until its devices are up and its agent answers."""
        self.kernel = self.kernel or build_kernel(self.kind)
        started = time.monotonic()
        self._switch_on()
        if not self._talk.await_ready(started + timeout, lambda: self.running):
            why = f"was not ready within {timeout} s" if self.running else "ended while it was booting"
            self.power_cut()
            raise RigError(f'the {self.kind} rig {why}; the last lines of "{self.console_log}":\n{self.console_tail()}')
        self.boot_seconds = time.monotonic() - started

    def kill(self):
        """Kills the machine's programs, so that whoever waits for it fails; any thread may call this."""
        for process in self._processes:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def power_cut(self):
        """Takes the power away at this instant. What was not on the disk is gone."""
        self.kill()
        for process in self._processes:
            process.wait()
        if self._talk:
            self._talk.end()
        if self._guard:
            self._guard.dismiss()
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._processes, self._guard, self._talk, self._folder = [], None, None, None

    def shutdown(self, timeout=30):
        """Asks the guest to put its disk away and to switch itself off; after `timeout` seconds the power is cut."""
        try:
            if self._talk:
                self._talk.tell(op="stop")
                self._processes[0].wait(timeout)
        except (RigError, subprocess.TimeoutExpired):
            pass
        self.power_cut()

    def close(self):
        """Cuts the power and removes what this object made for itself."""
        self.power_cut()
        if self._own_work:
            shutil.rmtree(self._own_work, ignore_errors=True)

    @property
    def running(self):
        """Whether the machine has power and its kernel is alive."""
        return bool(self._processes) and self._processes[0].poll() is None

    def processor_seconds(self):
        """What the machine with all that runs in it has taken of the host's processors so far.

        The guest's own figures are samples; these are the host's, with the work of the guest's kernel.
        """
        return hardware.processor_seconds([process.pid for process in self._processes])

    def start(self, argv, cwd=None, env=None, out=None, err=None):
        """Starts a command in the guest. `out` and `err` are called with text; None collects it. Returns a Command."""
        self._need_power()
        return Command(self._talk, {"argv": [str(word) for word in argv], "cwd": cwd or self.work_dir, "env": env}, out, err)

    def run(self, argv, timeout=300, **options):
        """Runs a command in the guest to its end; returns its Command with status, stdout and stderr."""
        command = self.start(argv, **options)
        command.wait(timeout)
        return command

    def guest_environment(self, binary, port, store):
        """The environment of a program in the guest that runs the service and uploads to a server on the host; `store`: its folder."""
        return {"PLATEN_BINARY": binary, "PLATEN_SERVER_URL": f"http://10.0.2.2:{port}/", "PLATEN_SERVER_STORE": store,
                "PLATEN_RIG_MODULES": f"{self.kernel}/modules", "PATH": PATH, "PYTHONDONTWRITEBYTECODE": "1"}

    def hands(self, call, *args, timeout=60, **kwargs):
        """Calls a method of guest/hands.py, such as hands("shutter.press", 0.05), and returns its result."""
        self._need_power()
        what = f'the hands\' "{call}"'
        number = self._talk.ask(op="hands", call=call, args=args, kwargs=kwargs)
        answer = self._talk.next(number, time.monotonic() + timeout, what)
        self._talk.forget(number)
        if "error" in answer:
            raise RigError(f"{what} failed: {answer['error']}")
        return answer["result"]

    def run_closed(self, argv, timeout=300):
        """Boots, runs one command without a conversation, ends; returns (status, output). The way with virtual_time."""
        self.kernel = self.kernel or build_kernel(self.kind)
        results = [os.path.join(self.work_dir, name) for name in ("status", "output")]
        for path in results:
            hardware.remove_quietly(path)
        self._switch_on([str(word) for word in argv])
        try:
            self._processes[0].wait(timeout)
        except subprocess.TimeoutExpired:
            raise RigError(f'"{argv[0]}" did not end within {timeout} s; the kernel\'s log is "{self.console_log}"') from None
        finally:
            self.power_cut()
        try:
            with open(results[0]) as status, open(results[1], errors="replace") as output:
                return int(status.read()), output.read()
        except (FileNotFoundError, ValueError):
            raise RigError(f'the guest ended without running "{argv[0]}":\n{self.console_tail()}') from None

    def console_tail(self, lines=25):
        """The last lines of the kernel's log."""
        with open(self.console_log, errors="replace") as file:
            return "".join(file.readlines()[-lines:])

    def _need_power(self):
        if not self._talk:
            raise RigError("the rig has no power; boot() it first")

    def _switch_on(self, command=None):
        if self._processes:
            raise RigError("the rig is running already; power_cut() or shutdown() it first")
        self._folder = tempfile.mkdtemp(prefix="rig-")
        agent, agent_end = socket.socketpair()
        cable = [end.detach() for end in socket.socketpair()]
        self._talk = Conversation(agent)
        ends = [agent_end.detach(), *cable]
        own = [folder for folder in (self._folder, self._own_work) if folder]
        try:
            parts = hardware.parts(self, self._write_boot_file(command), self._folder, ends[0], cable)
            ends += [fd for _, fds in parts for fd in fds]
            with open(self.console_log, "ab") as log:
                for arguments, fds in parts:
                    self._processes.append(hardware.start(arguments, fds, log, self.memory, self.virtual_time))
                    if self._guard:
                        self._guard.dismiss()
                    self._guard = hardware.Guard([process.pid for process in self._processes], own)
        except FileNotFoundError as error:
            self.power_cut()
            raise RigError(f'"{error.filename}" is missing; run board/setup rig') from None
        except BaseException:
            self.power_cut()
            raise
        finally:
            for fd in set(ends):
                os.close(fd)

    def _write_boot_file(self, command):
        if self.disk and not os.path.exists(self.disk):
            make_disk(self.disk)
        if any(" " in path for path in (HERE, self.work_dir)):
            raise RigError(f'a kernel\'s command line cannot name "{HERE}" or "{self.work_dir}": use paths without spaces')
        boot = {"kind": self.kind, "work": self.work_dir, "modules": f"{self.kernel}/modules", "shares": [*self._shares, self.kernel]}
        boot |= {"matrix": self._matrix, "rules": self._rules, "agent": hardware.AGENT[self.kind], "command": command}
        boot |= {"disk": hardware.DISK[self.kind] if self.disk else None, "date": time.time()}
        path = os.path.join(self.work_dir, "boot.json")
        with open(path, "w") as file:
            json.dump(boot, file)
        return path


def build_kernel(kind):
    """The folder of the kernel, which is built if it is not in the cache."""
    done = subprocess.run([os.path.join(HERE, "kernel"), kind], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise RigError(f"the {kind} kernel could not be built; the lines above say why")
    return done.stdout.strip().splitlines()[-1]


def make_disk(path, megabytes=512, behind=0):
    """Makes an empty ext4 image at `path`, with `behind` MiB behind the file system that it does not use."""
    with open(path, "wb") as file:
        file.truncate((megabytes + behind) << 20)
    done = subprocess.run(["/sbin/mke2fs", "-q", "-F", "-t", "ext4", path, f"{megabytes}M"], capture_output=True, text=True)
    if done.returncode != 0:
        raise RigError(f'no file system could be made in "{path}": {done.stderr.strip()}; run board/setup rig')
