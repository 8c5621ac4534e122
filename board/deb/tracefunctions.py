#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Runs a program, and all that it starts, and writes which functions were entered: tracefunctions.py OUT PROGRAM [ARGUMENT ...]

Each function of PROGRAM begins with a breakpoint, which is taken away when it is met (ptrace(2)), so that the program has nearly
its own speed afterwards. Other programs that it starts are run as they are. Functions of the same machine code are one,
which goes by the first of their names. SIGSTOP stops nothing here. For x86-64.
"""

import ctypes
import os
import signal
import subprocess
import sys

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.restype, libc.ptrace.argtypes = ctypes.c_long, [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
TRACEME, CONT, SETOPTIONS, PEEKUSER, POKEUSER = 0, 7, 0x4200, 3, 6
# Fork, vfork, clone, exec; what is traced ends with the tracer.
OPTIONS = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 20
EXEC_EVENT = 4
RIP = 16 * 8  # in struct user_regs_struct
BREAKPOINT = b"\xcc"
ALL = 0x40000000  # __WALL


def ptrace(request, process, address=0, data=0):
    """ptrace(2); an error is an OSError."""
    ctypes.set_errno(0)
    result = libc.ptrace(request, process, address, data)
    if result == -1 and ctypes.get_errno():
        raise OSError(ctypes.get_errno(), f"ptrace {request}")
    return result & (1 << 64) - 1


def functions(program):
    """The names of a program's functions by their offset."""
    shown = subprocess.run(["readelf", "--symbols", "--wide", program], capture_output=True, text=True, check=True).stdout
    found = {}
    for fields in map(str.split, shown.splitlines()):
        if len(fields) == 8 and fields[3] == "FUNC" and fields[6].isdigit():
            found.setdefault(int(fields[1], 16), []).append(fields[7])
    return found


class Tracer:
    """The functions that a program and its children have entered."""

    def __init__(self, program):
        self._program = os.path.realpath(program)
        self._functions = functions(program)
        if not self._functions:
            sys.exit(f'"{program}" has no symbols: give one that is not stripped')
        self._bases, self._code = {}, None
        self.entered = set()

    def run(self, arguments):
        """Runs the program until it has ended, with all that it has started; returns its exit status."""
        child = os.fork()
        if child == 0:
            ptrace(TRACEME, 0)
            os.kill(os.getpid(), signal.SIGSTOP)
            os.execv(self._program, [self._program, *arguments])
        os.waitpid(child, ALL)
        ptrace(SETOPTIONS, child, 0, OPTIONS)
        ptrace(CONT, child)
        status = None
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda number, frame: status is None and os.kill(child, number))
        while True:
            try:
                thread, state = os.waitpid(-1, ALL)
            except ChildProcessError:
                return status
            if os.WIFSTOPPED(state):
                self._resume(thread, state)
            elif thread == child:
                status = os.waitstatus_to_exitcode(state)

    def _resume(self, thread, state):
        number, event = os.WSTOPSIG(state), state >> 16
        try:
            if event == EXEC_EVENT:
                self._begin(thread)
            elif number == signal.SIGTRAP and not event:
                event = self._enter(thread)
            # A signal is delivered, but for those that ptrace makes: of an event, and the one with which a new thread begins.
            ptrace(CONT, thread, 0, 0 if event or number == signal.SIGSTOP else number)
        except (ProcessLookupError, FileNotFoundError):
            pass  # killed meanwhile

    def _begin(self, process):
        """Sets the breakpoints in a process that has just begun to run the program."""
        if os.readlink(f"/proc/{process}/exe") != self._program:
            return
        with open(f"/proc/{process}/maps", encoding="utf-8") as maps:
            base = min(int(line.split("-")[0], 16) for line in maps if line.rstrip("\n").endswith(self._program))
        first, last = min(self._functions), max(self._functions)
        with open(f"/proc/{process}/mem", "r+b", buffering=0) as memory:
            memory.seek(base + first)
            code = bytearray(memory.read(last - first + 1))
            self._code = bytes(code)
            for offset in self._functions:
                code[offset - first] = BREAKPOINT[0]
            memory.seek(base + first)
            memory.write(code)
        self._bases[base] = first

    def _enter(self, thread):
        """Notes the function whose breakpoint a thread has met, and takes it away; False for another trap."""
        address = ptrace(PEEKUSER, thread, RIP) - 1
        for base, first in self._bases.items():
            names = self._functions.get(address - base)
            if names:
                with open(f"/proc/{thread}/mem", "r+b", buffering=0) as memory:
                    memory.seek(address)
                    memory.write(bytes([self._code[address - base - first]]))
                ptrace(POKEUSER, thread, RIP, address)
                self.entered.add(min(names))
                return True
        return False


def main():
    """The command line; the exit status is the program's."""
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    tracer = Tracer(sys.argv[2])
    status = tracer.run(sys.argv[3:])
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write("".join(f"{name}\n" for name in sorted(tracer.entered)))
    return status


if __name__ == "__main__":
    sys.exit(main())
