# SPDX-License-Identifier: Apache-2.0
"""An MPU6050 with the driver that Raspberry Pi OS has for it, on a bus of its own beside the rig's LIS3DH."""

import contextlib
import glob
import itertools
import os

import devices
import kernelcalls
import wiring
from smbus import SMBus

# The driver in the order in which it is loaded.
DRIVER = ("i2c-mux", "inv_sensors_timestamp", "inv-mpu6050", "inv-mpu6050-i2c")


class MPU6050:
    """The chip, its driver and the wire of its interrupt; gravity is set as for the LIS3DH."""

    def __init__(self, modules):
        self._modules = modules

    def plug(self, wired=True):
        """Puts the chip on its bus; its INT reaches the processor if it is `wired`."""
        kernelcalls.load_module(f"{self._modules}/rig-mpu6050.ko", f"wired={wired:d}")

    def wire(self, wired):
        """Takes the wire of the interrupt off, or puts it on."""
        devices.write("/sys/module/rig_mpu6050/parameters/wired", f"{wired:d}")

    def load_driver(self):
        """Has the kernel load the driver, which takes the chip at once if that is there."""
        for name in DRIVER:
            kernelcalls.load_module(f"{self._modules}/{name}.ko")

    def remove(self):
        """Takes driver and chip away, as far as they are there; a driver that has the chip holds it."""
        for name in (*reversed(DRIVER), "rig-mpu6050"):
            with contextlib.suppress(FileNotFoundError):
                kernelcalls.unload_module(name.replace("-", "_"))

    def answer(self, data):
        """Sets the six registers of a reading: x, y, z, the high byte first."""
        with SMBus(self._bus(), wiring.MPU6050_ADDRESS) as bus:
            bus.write_block(0x3B, data)

    def tilt(self, x, y, z):
        """Sets what the sensor feels in mg (-2000 to 1999), at once on all axes; 1 g is 16384, as after its reset."""
        self.answer(b"".join(round(value * 16.384).to_bytes(2, "big", signed=True) for value in (x, y, z)))

    def place(self, position):
        """Puts the rig into a named position (wiring.POSITIONS); the sensor's axes are the rig's."""
        self.tilt(*wiring.POSITIONS[position])

    def is_streaming(self):
        """Whether somebody has the driver sample by a trigger, which then is its own."""
        return devices.read(f"{self._folder()}/buffer/enable") == "1"

    def interrupts(self):
        """How often the chip has interrupted the processors."""
        with open("/proc/interrupts") as file:
            lines = [line.split()[1:] for line in file if line.rstrip().endswith("inv_mpu")]
        return sum(int(count) for line in lines for count in itertools.takewhile(str.isdigit, line))

    def _bus(self):
        for path in glob.glob("/sys/bus/i2c/devices/i2c-*/name"):
            if devices.read(path) == "rig-mpu6050":
                return int(path.split("/")[-2].removeprefix("i2c-"))
        raise LookupError("there is no bus with an MPU6050; rig-mpu6050.ko is not loaded")

    def _folder(self):
        for path in glob.glob("/sys/bus/iio/devices/iio:device*/name"):
            if devices.read(path) == "mpu6050":
                return os.path.dirname(path)
        raise LookupError('there is no IIO device "mpu6050"; the driver is not loaded or did not take the chip')
