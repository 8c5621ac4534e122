# SPDX-License-Identifier: Apache-2.0
"""System calls that Python has no function for: mount, umount, loading a module, ending the machine."""

import ctypes
import os

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_BIND = 1, 2, 4, 4096
MNT_DETACH = 2
POWER_OFF, RESTART = 0x4321FEDC, 0x01234567

_libc = ctypes.CDLL(None, use_errno=True)
_FINIT_MODULE, _DELETE_MODULE = 313, 176  # x86_64


def _check(result, what):
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def mount(source, target, kind, options="", flags=0):
    """Mounts `source` on `target`, which is made if it is missing."""
    os.makedirs(target, exist_ok=True)
    result = _libc.mount(source.encode(), target.encode(), kind.encode() if kind else None, ctypes.c_ulong(flags), options.encode())
    _check(result, f'mounting "{source}" ({kind or "bind"}) on "{target}"')


def umount(target, flags=0):
    """Takes off what is mounted on `target`."""
    _check(_libc.umount2(target.encode(), flags), f'unmounting "{target}"')


def load_module(path, parameters=""):
    """Loads the kernel module in the file `path`."""
    with open(path, "rb") as file:
        result = _libc.syscall(_FINIT_MODULE, file.fileno(), parameters.encode(), 0)
    _check(result, f'loading "{path}" with "{parameters}" (the kernel log says more)')


def unload_module(name):
    """Unloads the kernel module `name`, with an underscore where the file has a dash."""
    _check(_libc.syscall(_DELETE_MODULE, name.encode(), os.O_NONBLOCK), f'unloading "{name}"')


def end_machine(command):
    """Ends the machine at once, without telling anybody; sync before."""
    _check(_libc.reboot(ctypes.c_int(command if command < 0x80000000 else command - 0x100000000)), "ending the machine")
