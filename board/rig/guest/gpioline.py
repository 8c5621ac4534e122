# SPDX-License-Identifier: Apache-2.0
"""GPIO lines through the kernel's own interface (GPIO_V2_GET_LINE), for any version of the GPIO tools."""

import ctypes
import fcntl
import os

import devices

OUTPUT = 1 << 3


class _Attribute(ctypes.Structure):
    _fields_ = [("id", ctypes.c_uint32), ("padding", ctypes.c_uint32), ("value", ctypes.c_uint64), ("mask", ctypes.c_uint64)]


class _Request(ctypes.Structure):
    """struct gpio_v2_line_request with its struct gpio_v2_line_config"""

    _fields_ = [
        ("offsets", ctypes.c_uint32 * 64),
        ("consumer", ctypes.c_char * 32),
        ("flags", ctypes.c_uint64),
        ("attribute_count", ctypes.c_uint32),
        ("config_padding", ctypes.c_uint32 * 5),
        ("attributes", _Attribute * 10),
        ("count", ctypes.c_uint32),
        ("event_buffer", ctypes.c_uint32),
        ("padding", ctypes.c_uint32 * 5),
        ("fd", ctypes.c_int32),
    ]


_GET_LINE = 0xC250B407  # _IOWR(0xB4, 0x07, struct gpio_v2_line_request), 592 bytes


class Line:
    """One requested line."""

    def __init__(self, offset, flags):
        request = _Request(flags=flags, consumer=b"rig", count=1)
        request.offsets[0] = offset
        chip = os.open(f"/dev/{os.path.basename(devices.gpio_folder())}", os.O_RDWR | os.O_CLOEXEC)
        fcntl.ioctl(chip, _GET_LINE, request)
        os.close(chip)
        self._fd = request.fd

    def close(self):
        """Gives the line back."""
        os.close(self._fd)
