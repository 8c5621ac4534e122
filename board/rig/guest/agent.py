# SPDX-License-Identifier: Apache-2.0
"""The host's hand in the guest: runs commands and moves the rig, asked over a serial line, one JSON object a line.

From the host:  {"id": 1, "op": "run", "argv": [...], "cwd": "...", "env": {...}}
                {"id": 1, "op": "signal", "number": 15}   to the command that is running under this id
                {"id": 2, "op": "hands", "call": "shutter.press", "args": [...], "kwargs": {...}}
                {"op": "stop"}
To the host:    {"ready": seconds since boot} · {"id": 1, "out": "..."} · {"id": 1, "err": "..."} · {"id": 1, "exit": 0}
                {"id": 2, "result": ...} · {"id": 2, "error": "..."}
"""

import json
import os
import subprocess
import termios
import threading
import time
import tty

from hands import Hands


class Agent:
    """Serves one line until it is told to stop or the line ends."""

    def __init__(self, device, modules):
        self._fd = os.open(device, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
        if os.isatty(self._fd):
            tty.setraw(self._fd, termios.TCSANOW)
        self._writing = threading.Lock()
        self._running = {}
        self._hands = Hands(modules)

    def serve(self):
        """Answers requests; returns when the machine is to end."""
        self._say(ready=time.clock_gettime(time.CLOCK_BOOTTIME))
        with os.fdopen(os.dup(self._fd), "rb", buffering=65536) as requests:
            for line in requests:
                request = json.loads(line)
                if request["op"] == "stop":
                    return
                if request["op"] == "signal":
                    self._signal(request)
                    continue
                work = {"run": self._run, "hands": self._move}[request["op"]]
                threading.Thread(target=work, args=(request,), daemon=True).start()

    def _say(self, **fields):
        data = json.dumps(fields).encode() + b"\n"
        with self._writing:
            while data:
                data = data[os.write(self._fd, data) :]

    def _signal(self, request):
        process = self._running.get(request["id"])
        if process and process.poll() is None:
            os.killpg(process.pid, request["number"])

    def _run(self, request):
        number = request["id"]
        try:
            process = subprocess.Popen(
                request["argv"],
                cwd=request.get("cwd") or "/",
                env=os.environ | (request.get("env") or {}),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            self._say(id=number, err=f'"{request["argv"][0]}" could not be started: {error.strerror}\n')
            self._say(id=number, exit=127)
            return
        self._running[number] = process
        pumps = [threading.Thread(target=self._pump, args=(number, name, pipe), daemon=True) for name, pipe in (("out", process.stdout), ("err", process.stderr))]
        for pump in pumps:
            pump.start()
        status = process.wait()
        for pump in pumps:
            pump.join(timeout=2.0)  # a daemon that was left behind may hold the pipe for ever
        del self._running[number]
        self._say(id=number, exit=status if status >= 0 else 128 - status)

    def _pump(self, number, name, pipe):
        with pipe:
            while chunk := pipe.read1(16384):
                self._say(id=number, **{name: chunk.decode("utf-8", "surrogateescape")})

    def _move(self, request):
        try:
            target = self._hands
            for name in request["call"].split("."):
                if name.startswith("_"):
                    raise AttributeError(f'"{request["call"]}" is not for the host')
                target = getattr(target, name)
            result = target(*request.get("args", []), **request.get("kwargs", {})) if callable(target) else target
            self._say(id=request["id"], result=result)
        except Exception as error:
            self._say(id=request["id"], error=f"{type(error).__name__}: {error}")
