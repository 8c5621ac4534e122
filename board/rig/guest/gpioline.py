# SPDX-License-Identifier: Apache-2.0
"""GPIO lines through the kernel's own interface (GPIO_V2_GET_LINE), for any version of the GPIO tools."""

import ctypes
import fcntl
import os
import select

import devices

INPUT, OUTPUT = 1 << 2, 1 << 3
EDGE_RISING, EDGE_FALLING = 1 << 4, 1 << 5


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


class _Event(ctypes.Structure):
    """struct gpio_v2_line_event"""

    _fields_ = [("timestamp", ctypes.c_uint64), ("id", ctypes.c_uint32), ("rest", ctypes.c_uint32 * 9)]


class _Values(ctypes.Structure):
    """struct gpio_v2_line_values"""

    _fields_ = [("bits", ctypes.c_uint64), ("mask", ctypes.c_uint64)]


_GET_LINE = 0xC250B407  # _IOWR(0xB4, 0x07, struct gpio_v2_line_request), 592 bytes
_SET_VALUES = 0xC010B40F  # _IOWR(0xB4, 0x0F, struct gpio_v2_line_values)


class Line:
    """One requested line."""

    def __init__(self, offset, flags):
        request = _Request(flags=flags, consumer=b"rig", count=1, event_buffer=256)
        request.offsets[0] = offset
        chip = os.open(f"/dev/{os.path.basename(devices.gpio_folder())}", os.O_RDWR | os.O_CLOEXEC)
        fcntl.ioctl(chip, _GET_LINE, request)
        os.close(chip)
        self._fd = request.fd

    def set(self, level):
        """Drives an output."""
        fcntl.ioctl(self._fd, _SET_VALUES, _Values(bits=level, mask=1))

    def events(self, quiet=0.3):
        """The edges until none comes for `quiet` seconds: [(CLOCK_MONOTONIC ns, "rising" or "falling"), ...]."""
        edges = []
        while select.select([self._fd], [], [], quiet)[0]:
            data = os.read(self._fd, 16 * ctypes.sizeof(_Event))
            for event in (_Event * (len(data) // ctypes.sizeof(_Event))).from_buffer_copy(data):
                edges.append((event.timestamp, "rising" if event.id == 1 else "falling"))
        return edges

    def close(self):
        """Gives the line back."""
        os.close(self._fd)
