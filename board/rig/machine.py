# SPDX-License-Identifier: Apache-2.0
"""The virtual rig as seen from the host: boots it, talks to it, cuts its power.

    with Machine("uml", work_dir="/tmp/x", disk="/tmp/x.ext4") as machine:
        machine.boot()
        machine.hands("shutter.press", 0.05)
        status = machine.run(["uname", "-a"])
        machine.power_cut(); machine.boot()

The guest's root is the host's root, read-only; the work folder has the same path on both sides and can be written by
both; the guest reaches a server on the host's 127.0.0.1 as 10.0.2.2. No process outlives the Machine, nor this one.
"""

import json
import os
import queue
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import hardware

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))


class RigError(Exception):
    """The rig did not do what was asked; the text says what to look at."""


class Machine:
    """One virtual machine; may be booted again and again with the same disk."""

    def __init__(self, kind="uml", work_dir=None, disk=None, memory=2048, processors=2, matrix=None, udev_rules=(), virtual_time=False, shares=()):
        """`disk`: an ext4 image, made by make_disk if it is missing, mounted at /var/lib/platen; None: in memory.

        `memory` in MiB · `processors`: QEMU only · `matrix`: 9 numbers, the accelerometer's mount matrix ·
        `udev_rules`: rules files of the host · `shares`: host folders under /tmp, /run, /var/lib ... that the guest
        must see too · `virtual_time`: UML only; sleeping takes no time, and the machine is closed: use run_closed.
        """
        if kind not in hardware.KINDS:
            raise RigError(f'"{kind}" is no kind of rig; the kinds are {", ".join(hardware.KINDS)}')
        self.kind, self.memory, self.processors, self.virtual_time = kind, memory, processors, virtual_time
        self._own_work = None if work_dir else tempfile.mkdtemp(prefix="platen-rig-")
        self.work_dir = os.path.realpath(work_dir or self._own_work)
        os.makedirs(self.work_dir, exist_ok=True)
        self.disk = os.path.realpath(disk) if disk else None
        self._boot = {"kind": kind, "work": self.work_dir, "matrix": matrix, "rules": [os.path.realpath(path) for path in udev_rules]}
        self._boot["shares"] = [os.path.realpath(path) for path in (REPOSITORY, *shares)]
        self.console_log = os.path.join(self.work_dir, "console.log")
        self.technician = None  # a socket: the other end of the technician's serial line
        self.boot_seconds = None
        self._processes, self._guard, self._agent, self._run_folder = [], None, None, None
        self._answers, self._numbers, self._ready = {}, iter(range(1, 1 << 62)), queue.Queue()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    # Power

    def boot(self, timeout=120, command=None):
        """Switches the machine on and waits until its devices are up and its agent answers."""
        if self._processes:
            raise RigError("the rig is running already; power_cut() or shutdown() it first")
        started = time.monotonic()
        folder, self.kernel = tempfile.mkdtemp(prefix="rig-"), kernel(self.kind)
        self._run_folder = folder
        if self.disk and not os.path.exists(self.disk):
            make_disk(self.disk)
        boot = self._boot | {"modules": f"{self.kernel}/modules", "disk": None, "agent": None, "command": command, "date": None}
        boot |= {"agent": hardware.AGENT[self.kind], "disk": hardware.DISK[self.kind] if self.disk else None}
        if self.kind == "uml":
            boot["date"] = time.time()
        path = os.path.join(self.work_dir, "boot.json")
        with open(path, "w") as file:
            json.dump(boot, file)
        ours, theirs = socket.socketpair()
        self.technician, line = socket.socketpair()
        arguments, helpers, fds = hardware.command(self, path, folder, theirs.fileno(), line.fileno())
        with open(self.console_log, "ab") as log:
            first = self._start(arguments, fds, log)
            for helper, its_fds in helpers:
                self._start(helper, its_fds, log)
        for end in (theirs, line):
            end.close()
        for fd in {fd for _, its_fds in helpers for fd in its_fds} | (set(fds) - {theirs.fileno(), line.fileno()} if helpers else set()):
            hardware.close_quietly(fd)
        self._guard = _Guard([process.pid for process in self._processes], folder)
        self._agent = ours
        if command is None:
            threading.Thread(target=self._listen, args=(ours, first), daemon=True).start()
            self._await_ready(timeout)
            self.boot_seconds = time.monotonic() - started

    def power_cut(self):
        """Takes the power away at this instant. What was not on the disk is gone."""
        for process in self._processes:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        for process in self._processes:
            process.wait()
        self._clean()

    def shutdown(self, timeout=30):
        """Asks the guest to put its disk away and to switch itself off; after `timeout` seconds the power is cut."""
        if not self._processes:
            return
        try:
            self._send(op="stop")
            self._processes[0].wait(timeout)
        except (OSError, subprocess.TimeoutExpired):
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

    # Talking to the guest

    def start(self, argv, cwd=None, env=None, out=None, err=None):
        """Starts a command in the guest. `out` and `err` are called with text; None collects it. Returns a Command."""
        return Command(self, next(self._numbers), dict(argv=list(argv), cwd=cwd or self.work_dir, env=env), out, err)

    def run(self, argv, timeout=300, **options):
        """Runs a command in the guest to its end; returns its Command with status, stdout and stderr."""
        command = self.start(argv, **options)
        command.wait(timeout)
        return command

    def hands(self, call, *args, timeout=60, **kwargs):
        """Calls a method of guest/hands.py, such as hands("shutter.press", 0.05), and returns its result."""
        number = next(self._numbers)
        answers = self._ask(number, op="hands", call=call, args=args, kwargs=kwargs)
        answer = self._next(answers, time.monotonic() + timeout, f'the hands\' "{call}"')
        del self._answers[number]
        if "error" in answer:
            raise RigError(f'the hands\' "{call}" failed: {answer["error"]}')
        return answer["result"]

    def run_closed(self, argv, timeout=300):
        """Boots, runs one command without any talk (needed with virtual_time), ends; returns (status, output)."""
        for name in ("status", "output"):
            hardware.remove_quietly(os.path.join(self.work_dir, name))
        self.boot(command=list(argv))
        try:
            self._processes[0].wait(timeout)
        except subprocess.TimeoutExpired:
            raise RigError(f'"{argv[0]}" did not end within {timeout} s; the console\'s log is "{self.console_log}"') from None
        finally:
            self.power_cut()
        try:
            with open(os.path.join(self.work_dir, "status")) as status, open(os.path.join(self.work_dir, "output"), errors="replace") as output:
                return int(status.read()), output.read()
        except FileNotFoundError:
            raise RigError(f"the guest ended without running the command.\n{self.console_tail()}") from None

    def console_tail(self, lines=25):
        """The last lines of the kernel's log."""
        with open(self.console_log, errors="replace") as file:
            return "".join(file.readlines()[-lines:])

    # Inside

    def _start(self, arguments, fds, log):
        environment = os.environ | {"TMPDIR": hardware.memory_folder(self.memory)}
        try:
            process = subprocess.Popen(arguments, pass_fds=fds, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, env=environment)
        except FileNotFoundError:
            raise RigError(f'"{arguments[0]}" is not installed; run board/setup rig') from None
        self._processes.append(process)
        return process

    def _listen(self, agent, process):
        ready = self._ready
        with agent.makefile("rb") as lines:
            try:
                for line in lines:
                    message = json.loads(line)
                    if "ready" in message:
                        ready.put(message["ready"])
                    elif message["id"] in self._answers:
                        self._answers[message["id"]].put(message)
            except (OSError, ValueError):
                pass
        ready.put(None)
        for answers in list(self._answers.values()):
            answers.put(None)

    def _await_ready(self, timeout):
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline and self.running:
            try:
                if self._ready.get(timeout=0.2) is not None:
                    return
            except queue.Empty:
                continue
        why = f"was not ready within {timeout} s" if self.running else "ended while it was booting"
        tail = self.console_tail()
        self.power_cut()
        raise RigError(f'the {self.kind} rig {why}; the last lines of "{self.console_log}":\n{tail}')

    def _ask(self, number, **fields):
        self._answers[number] = answers = queue.Queue()
        self._send(id=number, **fields)
        return answers

    def _send(self, **fields):
        if not self._agent:
            raise RigError("the rig has no power; boot() it first")
        self._agent.sendall(json.dumps(fields).encode() + b"\n")

    def _next(self, answers, deadline, what):
        try:
            answer = answers.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise RigError(f'{what} did not end in time; the console\'s log is "{self.console_log}"') from None
        if answer is None:
            raise RigError(f"{what} was cut off: the rig has no power any more")
        return answer

    def _clean(self):
        if self._agent:
            hardware.shut(self._agent)
            hardware.shut(self.technician)
        if self._guard:
            self._guard.dismiss()
        if self._run_folder:
            shutil.rmtree(self._run_folder, ignore_errors=True)
        self._processes, self._guard, self._agent, self.technician, self._run_folder = [], None, None, None, None
        self._ready = queue.Queue()


class Command:
    """A command in the guest."""

    def __init__(self, machine, number, request, out, err):
        self.status, self.stdout, self.stderr = None, "", ""
        self._machine, self._number, self._name, self._sinks = machine, number, request["argv"][0], {"out": out, "err": err}
        self._answers = machine._ask(number, op="run", **request)

    def wait(self, timeout=300):
        """Waits for the end; returns the exit status, 128 + signal number if it was killed."""
        deadline = time.monotonic() + timeout
        while self.status is None:
            self._take(self._machine._next(self._answers, deadline, f'"{self._name}"'))
        return self.status

    def wait_for(self, text, timeout=60):
        """Waits until `text` has appeared on stdout or stderr (collected ones)."""
        deadline = time.monotonic() + timeout
        while text not in self.stdout and text not in self.stderr:
            if self.status is not None:
                raise RigError(f'"{self._name}" ended with {self.status} without saying "{text}"; it said:\n{self.stdout}{self.stderr}')
            self._take(self._machine._next(self._answers, deadline, f'"{self._name}", waited on for "{text}",'))

    def signal(self, number):
        """Sends a signal to the command and its children."""
        self._machine._send(id=self._number, op="signal", number=int(number))

    def _take(self, message):
        if "exit" in message:
            self.status = message["exit"]
            self._machine._answers.pop(self._number, None)
            return
        name = "out" if "out" in message else "err"
        if self._sinks[name]:
            self._sinks[name](message[name])
        elif name == "out":
            self.stdout += message[name]
        else:
            self.stderr += message[name]


class _Guard:
    """A process that kills the machine when this one is gone, however it went."""

    SCRIPT = 'read -r word; [ "$word" = dismissed ] && exit; for p in $1; do kill -KILL -- "-$p"; done; rm -rf -- "$2"'

    def __init__(self, groups, folder):
        arguments = ["sh", "-c", self.SCRIPT, "rig-guard", " ".join(str(group) for group in groups), folder]
        self._process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)

    def dismiss(self):
        """Ends the guard without harm."""
        self._process.communicate(b"dismissed\n")


def kernel(kind):
    """The folder of the kernel, which is built if it is not in the cache."""
    done = subprocess.run([os.path.join(HERE, "kernel"), kind], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise RigError(f"the {kind} kernel could not be built; the lines above say why")
    return done.stdout.strip().splitlines()[-1]


def make_disk(path, megabytes=512):
    """Makes an empty ext4 image at `path`."""
    with open(path, "wb") as file:
        file.truncate(megabytes << 20)
    done = subprocess.run(["/sbin/mke2fs", "-q", "-F", "-t", "ext4", path], capture_output=True, text=True)
    if done.returncode != 0:
        raise RigError(f'no file system could be made in "{path}": {done.stderr.strip()}; run board/setup rig')


def end_on_signals():
    """SIGTERM and SIGHUP end the program as Ctrl-C does, so that `with Machine` cleans up."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, frame: sys.exit(128 + number))
