# SPDX-License-Identifier: Apache-2.0
"""SMBus writes by ioctl: one system call a write, where i2cset would start a process (25 ms in User-Mode Linux)."""

import ctypes
import fcntl
import os

I2C_SLAVE_FORCE = 0x0706  # although a driver has the chip
I2C_SMBUS = 0x0720
WRITE = 0
BYTE_DATA, I2C_BLOCK_DATA = 2, 8


class _Message(ctypes.Structure):
    """struct i2c_smbus_ioctl_data"""

    _fields_ = [("read_write", ctypes.c_uint8), ("command", ctypes.c_uint8), ("size", ctypes.c_uint32), ("data", ctypes.c_void_p)]


class SMBus:
    """One chip on one bus."""

    def __init__(self, bus, address):
        self._fd = os.open(f"/dev/i2c-{bus}", os.O_RDWR | os.O_CLOEXEC)
        fcntl.ioctl(self._fd, I2C_SLAVE_FORCE, address)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def close(self):
        """Closes the bus."""
        os.close(self._fd)

    def write_byte(self, register, value):
        """Writes one register."""
        self._transfer(register, BYTE_DATA, bytes([value]))

    def write_block(self, register, values):
        """Writes up to 32 registers at once: a reader sees all of them or none."""
        self._transfer(register, I2C_BLOCK_DATA, bytes([len(values), *values]))

    def _transfer(self, register, size, payload):
        data = ctypes.create_string_buffer(payload, 34)
        fcntl.ioctl(self._fd, I2C_SMBUS, _Message(WRITE, register, size, ctypes.addressof(data)))
